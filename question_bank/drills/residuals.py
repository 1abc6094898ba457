"""Residual connections (7.19): the sum, the gradient through many layers, and what leaks past a mask."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from question_bank.drills.base import Draw, Drawn, Drill, Revised, decimal, name_node, name_row
from question_bank.program import AnswerFormat, Ask, Call, Kind, Nested, Parameter, Program, call
from question_bank.text import Text

_WITH = Text("$g$, with residual connections", " $g$，有残差连接")
_WITHOUT = Text("$u$, without", " $u$，没有残差连接")


def _residual_gradient(draw: Draw, level: int) -> Drawn:
    if level == 3:
        slope = draw.integer(2, 30) if draw.integer(0, 2) else -draw.integer(2, 15)
        layers = draw.choice((6, 8, 10, 12, 16, 18, 20, 24, 30, 32, 36, 40, 48))
        return Drawn(
            Text(
                "Each of $n$ layers computes $y = x + F(x)$, and each $F$ has the derivative $f$. By what factor $g$ is a gradient multiplied on its way back through all of them? Give 3 significant digits.",
                "共 $n$ 层，每一层都是 $y = x + F(x)$，每个 $F$ 的导数都是 $f$。梯度从后往前穿过所有层，要乘上多大的因子 $g$？保留 3 位有效数字。",
            ),
            Program(
                (("f", decimal(slope)), ("n", layers)),
                (call("g", "residual_gradient", "f", "n"),),
                (Ask("g", AnswerFormat(Kind.NUMBER, significant=3), label=name_node("g")),),
            ),
        )
    if level == 1:
        options: tuple[int | Fraction, ...] = (1, 2, 3, Fraction(1, 2), Fraction(3, 2), Fraction(-1, 2), 4, Fraction(1, 10))
        slopes: Nested = tuple(draw.choice(options) for _ in range(draw.integer(2, 3)))
    else:
        slopes = tuple(decimal(10 * draw.choice((-6, -5, -4, -3, -2, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15))) for _ in range(4))
    form = AnswerFormat(Kind.NUMBER, decimals=4)
    return Drawn(
        Text(
            "$f$ holds the derivatives of the sub-layers $F_1, F_2, \\ldots$ of a stack. By what factor is a gradient multiplied on its way back through the stack: $g$ where every layer computes $x + F_i(x)$, and $u$ where it computes $F_i(x)$ alone? Give 4 decimals, or fewer if there are no more.",
            "$f$ 是各层子层 $F_1, F_2, \\ldots$ 的导数。梯度从后往前穿过整个堆叠，要乘上多大的因子：每层算 $x + F_i(x)$ 时是 $g$，只算 $F_i(x)$ 时是 $u$？保留 4 位小数，不足 4 位的照写。",
        ),
        Program(
            (("f", slopes),),
            (call("g", "residual_chain", "f"), call("u", "residual_chain", "f", path="plain")),
            (Ask("g", form, label=_WITH), Ask("u", form, label=_WITHOUT)),
        ),
    )


def _residual_add(draw: Draw, level: int) -> Drawn:
    if level == 1:
        return Drawn(
            Text(
                "There is a residual connection around the sub-layer $F = xW$. Compute the output $y$.",
                "子层 $F = xW$ 外面接了残差连接。求输出 $y$。",
            ),
            Program(
                (("x", draw.vector(2, 1, 6)), ("W", draw.asymmetric(2, 0, 3))),
                (call("F", "project", "x", "W"), call("y", "residual_add", "x", "F")),
                (Ask("y", AnswerFormat(Kind.VECTOR, decimals=0, dimensions=(2,)), label=name_node("y")),),
            ),
        )
    tokens, row = 2, draw.integer(0, 1)
    if level == 2:
        width = 3
        inputs: tuple[tuple[str, Nested], ...] = (
            ("X", draw.matrix(tokens, width, -2, 5)),
            ("W", draw.asymmetric(width, -2, 3)),
        )
        calls: tuple[Call, ...] = (call("F", "project", "X", "W"), call("Y", "residual_add", "X", "F"))
        prompt = Text(
            "Each row of $X$ is one token. There is a residual connection around the sub-layer $F = XW$. Compute row {row} of the output $Y$.",
            "$X$ 的每一行是一个 token。子层 $F = XW$ 外面接了残差连接。求输出 $Y$ 的第 {row} 行。",
        )
    else:
        width = 2
        inputs = (
            ("X", _tenths(draw, tokens, width, -9, 19)),
            ("W_1", _tenths(draw, width, width, -9, 15)),
            ("W_2", _tenths(draw, width, width, -9, 15)),
        )
        calls = (
            call("F", "project", "X", "W_1"),
            call("H", "residual_add", "X", "F"),
            call("G", "project", "H", "W_2"),
            call("Y", "residual_add", "H", "G"),
        )
        prompt = Text(
            "Each row of $X$ is one token. It passes through two sub-layers, first $F = XW_1$, which with its residual gives $H$, then $G = HW_2$; there is a residual connection around each. Compute row {row} of the output $Y$, to 3 decimals.",
            "$X$ 的每一行是一个 token，依次经过两个子层：先是 $F = XW_1$，加上残差得到 $H$；再是 $G = HW_2$。每个子层外面各有一条残差连接。求输出 $Y$ 的第 {row} 行，保留 3 位小数。",
        )
    form = AnswerFormat(Kind.VECTOR, decimals=0 if level == 2 else 3, dimensions=(width,))
    return Drawn(prompt.fill(row=row + 1), Program(inputs, calls, (Ask("Y", form, (row,), label=name_row("Y", row)),)))


def _tenths(draw: Draw, rows: int, columns: int, low: int, high: int) -> Nested:
    return tuple(tuple(decimal(10 * draw.integer(low, high)) for _ in range(columns)) for _ in range(rows))


Layer = tuple[str | int, str | int]
"""How many positions a layer sees behind and ahead: numbers, or ``all``."""

_CAUSAL: Layer = ("all", 0)
_OPEN: Layer = ("all", "all")


def _says(layer: Layer) -> Text:
    behind, ahead = layer
    if layer == _CAUSAL:
        return Text("a causal mask (itself and all before it)", "causal mask（看自己和前面所有位置）")
    if layer == _OPEN:
        return Text("no mask (all positions)", "没有 mask（看所有位置）")
    if behind == "all":
        return Text("itself, all before it and {n} after it", "看自己、前面所有位置和后面 {n} 个位置").fill(n=ahead)
    if behind == 0:
        return Text("a window (itself and {n} after it)", "滑动窗口（看自己和后面 {n} 个位置）").fill(n=ahead)
    if ahead == 0:
        return Text("a window (itself and {n} before it)", "滑动窗口（看自己和前面 {n} 个位置）").fill(n=behind)
    return Text("a window (itself, {n} before it and {m} after it)", "滑动窗口（看自己、前面 {n} 个和后面 {m} 个位置）").fill(
        n=behind, m=ahead
    )


def _leak(draw: Draw, level: int, longest: int = 16) -> Drawn:
    depth = draw.integer(2, 4) if level == 1 else draw.integer(2, 3)
    if level == 1:
        length = draw.integer(4, longest)
        # Where a layer is open all outputs change, and nothing shows who takes the residual for a way past the masks.
        shut = longest > 9 and draw.integer(0, 2) > 0
        layers = [_CAUSAL if shut or draw.integer(0, 2) else _OPEN for _ in range(depth)]
    else:
        length = draw.integer(7, 10) if level == 2 else draw.integer(13, 16)
        depth += level - 2
        options: tuple[Layer, ...] = ((1, 0), (2, 0), (3, 0), (1, 1), (2, 1), ("all", 1), ("all", 2), _CAUSAL)
        if level == 3:  # windows alone, or nearly every output changes
            options = ((1, 0), (2, 0), (3, 0), (0, 1), (0, 2), (1, 1), (2, 1), (1, 2), (3, 1), (1, 3))
        layers = [draw.choice(options) for _ in range(depth)]
    places = {draw.integer(1, length - 2)}
    if level == 3:
        two = draw.until(lambda: draw.shuffled(range(length))[:2], lambda made: abs(made[0] - made[1]) > 4)
        places = set(two)
    marked: Nested = tuple(int(position in places) for position in range(length))
    names = ("c", *"abd"[: depth - 1], "y")
    calls = [
        call(node, "influence", before, **_parameters(layer))
        for before, node, layer in zip(names[:-1], names[1:], layers, strict=True)
    ]
    listed = [Text(f"layer {number + 1}: ", f"第 {number + 1} 层：") for number in range(depth)]
    said = [(name, _says(layer)) for name, layer in zip(listed, layers, strict=True)]
    stack = Text("; ".join(f"{a.en}{b.en}" for a, b in said), "；".join(f"{a.zh}{b.zh}" for a, b in said))
    if level == 1:
        calls.append(call("n", "how_many", "y"))
        ask = Ask("n", AnswerFormat(Kind.INTEGER, decimals=0), label=name_node("n"))
        question = Text(
            "How many of the {length} outputs of the last layer, $n$, can change?",
            "最后一层的 {length} 个输出里，有多少个（$n$）会变？",
        )
    else:
        ask = Ask("y", AnswerFormat(Kind.VECTOR, decimals=0, dimensions=(length,)), label=name_node("y"))
        question = Text(
            "Give $y$: for each of the {length} outputs of the last layer 1 if it can change, else 0.",
            "写出 $y$：最后一层的 {length} 个输出，会变的写 1，不变的写 0。",
        )
    changed = Text(
        "The embedding of one token is changed; the 1 in $c$ marks its position.",
        "改动一个 token 的 embedding，$c$ 里的 1 标出它的位置。",
    )
    if level == 3:
        changed = Text(
            "The embeddings of two tokens are changed; the ones in $c$ mark their positions.",
            "改动两个 token 的 embedding，$c$ 里的 1 标出它们的位置。",
        )
    return Drawn(
        changed
        + Text(
            "Each self-attention layer has a residual connection, and a position may attend as follows: {stack}.",
            "每个 self-attention 层都有残差连接，每个位置能看到的范围如下。{stack}。",
        ).fill(stack=stack)
        + question.fill(length=length),
        Program((("c", marked),), tuple(calls), (ask,)),
    )


def _parameters(layer: Layer) -> dict[str, Parameter]:
    behind, ahead = layer
    given: dict[str, Parameter] = {"behind": behind, "ahead": ahead}
    return {name: value for name, value in given.items() if (name, value) not in (("behind", "all"), ("ahead", 0))}


DRILLS = (
    Drill(
        "residual-gradient",
        "7.19",
        Text("Gradient through residual layers", "穿过残差层的梯度"),
        "0",
        (1, 2, 3),
        _residual_gradient,
        hints=(
            Text("The chain rule: one factor for every layer.", "链式法则：每一层贡献一个因子。"),
            Text(
                "The derivative of $x + F(x)$ is $1 + f$; without the residual it is $f$.",
                "$x + F(x)$ 的导数是 $1 + f$，没有残差就是 $f$。",
            ),
            Text(
                "Add the 1 in every layer, then multiply all the factors. If all layers are alike, that is a power, $(1 + f)^n$.",
                "每一层都先加 1，再把所有因子相乘。各层相同时就是幂 $(1 + f)^n$。",
            ),
        ),
    ),
    Drill(
        "residual-add",
        "7.19",
        Text("Add the residual", "加上残差"),
        "0",
        (1, 2, 3),
        _residual_add,
        hints=(
            Text("The sub-layer's output is added to its input.", "子层的输出要和它的输入相加。"),
            Text("Work out the sub-layer first, then add, component by component.", "先算子层，再逐分量相加。"),
            Text(
                "The width stays as it was: $x + xW$, nothing is put side by side.",
                "宽度不变：$x + xW$，不是并排拼接。",
            ),
        ),
    ),
    Drill(
        "leak",
        "7.19",
        Text("Which outputs a change reaches", "改动会传到哪些输出"),
        "0",
        (1, 2, 3),
        _leak,
        hints=(
            Text(
                "A residual connection adds a position's own vector; it carries nothing from one position to another.",
                "残差只加上该位置自己的向量，不会在位置之间传递信息。",
            ),
            Text(
                "Go layer by layer: mark every position that sees a marked one.",
                "一层一层来：凡是看得到已标记位置的，都标上。",
            ),
            Text(
                "A mark that has reached an earlier position in one layer stays there, whatever the masks of the other layers.",
                "只要有一层让标记传到了前面的位置，其他层的 mask 再严也收不回来。",
            ),
        ),
        revised=(Revised(1, "1", partial(_leak, longest=9)),),
    ),
)
