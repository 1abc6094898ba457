"""How far apart tokens are in a recurrent net, a stack of convolutions, and attention (7.1)."""

from __future__ import annotations

from question_bank.drills.base import Draw, Drawn, Drill, name_node
from question_bank.program import AnswerFormat, Ask, Kind, Program, call
from question_bank.text import Text

_COUNT = AnswerFormat(Kind.INTEGER, decimals=0)

_STACKS = {
    "causal": Text(
        "stacked causal convolutions with kernel size $k$, stride 1 and no dilation",
        "卷积核大小为 $k$、步长 1、不带空洞的因果卷积层层堆叠",
    ),
    "centred": Text(
        "stacked convolutions with kernel size $k$ centred on each position, stride 1 and no dilation",
        "卷积核大小为 $k$、以各位置为中心、步长 1、不带空洞的卷积层层堆叠",
    ),
    "dilated": Text(
        "stacked causal convolutions with kernel size $k$, stride 1 and dilations 1, $k$, $k^2$ and so on",
        "卷积核大小为 $k$、步长 1、空洞率依次为 1、$k$、$k^2$……的因果卷积层层堆叠",
    ),
}


_WINDOWS = {
    "causal": Text("causal", "因果"),
    "centred": Text("centred on each position", "以各位置为中心"),
}


def _three_stacks(draw: Draw) -> Drawn:
    """Ask for three stacks over one long distance; centred and dilated at once is no case of the easier levels."""
    window = draw.choice(tuple(_WINDOWS))
    kernel = draw.choice((3, 5, 7, 9, 11, 13, 15))
    distance = draw.integer(1000, 40_000)
    return Drawn(
        Text(
            "Two tokens stand $D$ positions apart. Convolutions with kernel size $k$ and stride 1 are stacked. How many layers does a signal take from one token to the other if the convolutions are causal, without dilation ($C$)? If they are centred on each position, without dilation ($Z$)? If they are {window}, with dilations 1, $k$, $k^2$ and so on ($L$)?",
            "两个 token 相距 $D$ 个位置，卷积核大小为 $k$、步长 1 的卷积层层堆叠。信号要从一个传到另一个，下面三种卷积各需要几层？因果、不带空洞（$C$）；以各位置为中心、不带空洞（$Z$）；{window}、空洞率依次为 1、$k$、$k^2$……（$L$）。",
        ).fill(window=_WINDOWS[window]),
        Program(
            (("D", distance), ("k", kernel)),
            (
                call("C", "path_steps", "D", "k", kind="cnn", window="causal"),
                call("Z", "path_steps", "D", "k", kind="cnn", window="centred"),
                call("L", "path_steps", "D", "k", kind="dilated", window=window),
            ),
            tuple(Ask(node, _COUNT, label=name_node(node)) for node in "CZL"),
        ),
    )


def _path_length(draw: Draw, level: int) -> Drawn:
    if level == 3:
        return _three_stacks(draw)
    stack = "causal" if level == 1 else draw.choice(tuple(_STACKS))
    if level == 1:
        distance, kernel = draw.integer(12, 100), draw.choice((3, 4, 5, 6, 8, 9, 11))
    else:
        distance = draw.integer(50, 400)
        kernel = draw.choice((3, 5, 7) if stack == "centred" else (3, 4) if stack == "dilated" else (3, 4, 5, 6, 7, 8))
    window = "centred" if stack == "centred" else "causal"
    return Drawn(
        Text(
            "Two tokens stand $D$ positions apart. How many steps does a signal take from one to the other in an RNN ($R$), how many layers of {stack} ($C$), and how many layers of self-attention ($A$)?",
            "两个 token 相距 $D$ 个位置。信号要从一个传到另一个：在 RNN 里要走几步（$R$）？{stack}，需要几层（$C$）？self-attention 需要几层（$A$）？",
        ).fill(stack=_STACKS[stack]),
        Program(
            (("D", distance), ("k", kernel)),
            (
                call("R", "path_steps", "D", kind="rnn"),
                call("C", "path_steps", "D", "k", kind="dilated" if stack == "dilated" else "cnn", window=window),
                call("A", "path_steps", "D", kind="attention"),
            ),
            tuple(Ask(node, _COUNT, label=name_node(node)) for node in "RCA"),
        ),
    )


def _seen_on_both_sides(draw: Draw) -> Drawn:
    """Ask for the layers with and without dilation, and for those that see as far to either side."""
    kernel = draw.choice((3, 5, 7, 9, 11, 13, 15))
    before = draw.integer(1000, 65_000)
    return Drawn(
        Text(
            "One output position has to see $S$ positions of the input: its own and the $D$ before it. Causal convolutions with kernel size $k$ and stride 1 are stacked. How many layers does it take without dilation ($L$), and how many with dilations 1, $k$, $k^2$ and so on ($M$)? How many layers $N$ does it take if the convolutions are centred on each position, without dilation, and the output also has to see the $D$ positions after its own?",
            "一个输出位置要看到 $S$ 个输入位置：它自己，以及它前面的 $D$ 个。卷积核大小为 $k$、步长 1 的因果卷积层层堆叠，不带空洞时至少要多少层（$L$）？空洞率依次为 1、$k$、$k^2$……时至少要多少层（$M$）？如果换成以各位置为中心、不带空洞的卷积，并且它后面的 $D$ 个位置也要看到，至少要多少层（$N$）？",
        ),
        Program(
            (("S", before + 1), ("D", before), ("k", kernel)),
            (
                call("L", "receptive_layers", "S", "k"),
                call("M", "path_steps", "D", "k", kind="dilated"),
                call("N", "path_steps", "D", "k", kind="cnn", window="centred"),
            ),
            tuple(Ask(node, _COUNT, label=name_node(node)) for node in "LMN"),
        ),
    )


def _receptive_field(draw: Draw, level: int) -> Drawn:
    if level == 3:
        return _seen_on_both_sides(draw)
    kernel = draw.integer(3, 7) if level == 1 else draw.integer(3, 12)
    length = draw.integer(12, 150) if level == 1 else draw.integer(100, 1024)
    return Drawn(
        Text(
            "Convolutions with kernel size $k$ and stride 1, without dilation, are stacked. How many layers $L$ does it take until one output position sees $S$ positions of the input?",
            "卷积核大小为 $k$、步长 1、不带空洞的卷积层层堆叠。至少要多少层，一个输出位置才能看到 $S$ 个输入位置？记作 $L$。",
        ),
        Program(
            (("S", length), ("k", kernel)),
            (call("L", "receptive_layers", "S", "k"),),
            (Ask("L", _COUNT, label=name_node("L")),),
        ),
    )


DRILLS = (
    Drill(
        "path-length",
        "7.1",
        Text("Steps between two tokens", "两个 token 之间的步数"),
        "0",
        (1, 2, 3),
        _path_length,
        hints=(
            Text("How far does a signal get in one step, or through one layer?", "先想信号一步（或一层）最远能传多远。"),
            Text(
                "An RNN step carries it 1 position, self-attention any distance, an undilated causal convolution $k - 1$ positions, a centred one $(k - 1)/2$.",
                "RNN 一步传 1 个位置，self-attention 一层不限距离；不带空洞的因果卷积一层传 $k - 1$ 个位置，居中的卷积一层传 $(k - 1)/2$ 个。",
            ),
            Text(
                "Divide $D$ by the reach of one layer and round up. With dilations 1, $k$, $k^2$ and so on, take the smallest $n$ with $k^n - 1$ at least $D$, or $2D$ if centred.",
                "用 $D$ 除以一层的传播距离，向上取整。空洞率依次为 1、$k$、$k^2$……时，取使 $k^n - 1$ 不小于 $D$（居中时是 $2D$）的最小的 $n$。",
            ),
        ),
    ),
    Drill(
        "receptive-field",
        "7.1",
        Text("Layers until all is seen", "看全序列所需的层数"),
        "0",
        (1, 2, 3),
        _receptive_field,
        hints=(
            Text(
                "One layer sees $k$ positions. How many does each further layer add?",
                "一层能看到 $k$ 个位置。每多叠一层，会多看到几个？",
            ),
            Text(
                "The windows overlap: each further layer adds $k - 1$ positions, or $k - 1$ times its dilation.",
                "相邻的窗口有重叠，每多一层只多看到 $k - 1$ 个位置；带空洞时，就是 $k - 1$ 乘以这一层的空洞率。",
            ),
            Text(
                "$n$ layers see $1 + n(k - 1)$ positions; with dilations 1, $k$, $k^2$ and so on, $k^n$. Take the smallest $n$ that sees all it has to see.",
                "$n$ 层能看到 $1 + n(k - 1)$ 个位置；空洞率依次为 1、$k$、$k^2$……时，能看到 $k^n$ 个。取够用的最小的 $n$。",
            ),
        ),
    ),
)
