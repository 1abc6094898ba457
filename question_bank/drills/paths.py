"""How far apart tokens are in a recurrent net, a stack of convolutions, and attention (7.1)."""

from __future__ import annotations

from question_bank.drills.base import Draw, Drawn, Drill, name_node
from question_bank.program import AnswerFormat, Ask, Kind, Program, call
from question_bank.text import Text

_COUNT = AnswerFormat(Kind.INTEGER, decimals=0)

_STACKS = {
    "causal": Text(
        "stacked causal convolutions with kernel $k$, stride 1 and no dilation",
        "卷积核为 $k$、步长 1、不带空洞的因果卷积层层堆叠",
    ),
    "centred": Text(
        "stacked convolutions with kernel $k$ centred on each position, stride 1 and no dilation",
        "卷积核为 $k$、以各位置为中心、步长 1、不带空洞的卷积层层堆叠",
    ),
    "dilated": Text(
        "stacked causal convolutions with kernel $k$, stride 1 and dilations 1, $k$, $k^2$ and so on",
        "卷积核为 $k$、步长 1、空洞依次为 1、$k$、$k^2$ 等等的因果卷积层层堆叠",
    ),
}


def _path_length(draw: Draw, level: int) -> Drawn:
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


def _receptive_field(draw: Draw, level: int) -> Drawn:
    kernel = draw.integer(3, 7) if level == 1 else draw.integer(3, 12)
    length = draw.integer(12, 150) if level == 1 else draw.integer(100, 1024)
    return Drawn(
        Text(
            "Convolutions with kernel $k$ and stride 1, without dilation, are stacked. How many layers $L$ does it take until one output position sees $S$ positions of the input?",
            "卷积核为 $k$、步长 1、不带空洞的卷积层层堆叠。至少要多少层，一个输出位置才能看到 $S$ 个输入位置？记作 $L$。",
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
        (1, 2),
        _path_length,
        hints=(
            Text("How far does a signal get in one step, or through one layer?", "先想信号一步（或一层）最远能传多远。"),
            Text(
                "An RNN step carries it 1 position, self-attention any distance, an undilated causal convolution $k - 1$ positions, a centred one $(k - 1)/2$.",
                "RNN 一步传 1 个位置，self-attention 一层不限距离；不带空洞的因果卷积一层传 $k - 1$ 个位置，居中的卷积一层传 $(k - 1)/2$ 个。",
            ),
            Text(
                "Divide $D$ by the reach of one layer and round up. With dilations 1, $k$, $k^2$ and so on, take the smallest $C$ with $k^C - 1$ at least $D$.",
                "用 $D$ 除以一层的传播距离，向上取整。空洞依次为 1、$k$、$k^2$ 等等时，取使 $k^C - 1$ 不小于 $D$ 的最小的 $C$。",
            ),
        ),
    ),
    Drill(
        "receptive-field",
        "7.1",
        Text("Layers until all is seen", "看全序列所需的层数"),
        "0",
        (1, 2),
        _receptive_field,
        hints=(
            Text(
                "One layer sees $k$ positions. How many does each further layer add?",
                "一层能看到 $k$ 个位置。每多叠一层，会多看到几个？",
            ),
            Text(
                "The windows overlap: each further layer adds $k - 1$ positions.",
                "相邻的窗口有重叠，每多一层只多看到 $k - 1$ 个位置。",
            ),
            Text(
                "$L$ layers see $1 + L(k - 1)$ positions. Take the smallest $L$ for which that is at least $S$.",
                "$L$ 层能看到 $1 + L(k - 1)$ 个位置，取使它不小于 $S$ 的最小的 $L$。",
            ),
        ),
    ),
)
