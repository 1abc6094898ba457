"""Why scores are scaled: how far dot products spread, and what that does to the softmax (7.9)."""

from __future__ import annotations

from fractions import Fraction

from question_bank.drills.base import Draw, Drawn, Drill, decimal, log_of, name_node
from question_bank.program import AnswerFormat, Ask, Kind, Nested, Program, call
from question_bank.text import Text

_SQUARES = (4, 9, 16, 25, 36, 49, 64, 81, 100, 144)
_OF = {"variance": Text("the variance", "方差"), "deviation": Text("the standard deviation", "标准差")}


def _dot_variance(draw: Draw, level: int) -> Drawn:
    standard = draw.integer(1, 4 if level == 1 else 6) == 1
    width = draw.choice(
        {1: _SQUARES, 2: (2, 3, 5, 6, 8, 10, 12, 16, 20, 24, 32, 48, 50, 64), 3: (32, 48, 64, 72, 80, 96, 112, 128, 160, 256)}[
            level
        ]
    )
    inputs: tuple[tuple[str, Nested], ...] = (("d_k", width),)
    said = Text("mean 0 and variance 1", "均值 0、方差 1")
    if not standard:
        half = Fraction(1, 2)
        spreads: tuple[int | Fraction, ...] = {
            1: (1, 2, 3), 2: (half, 1, 3 * half, 2, 3), 3: tuple(decimal(10 * tenths) for tenths in range(2, 16))
        }[level]  # fmt: skip
        query, key = draw.until(lambda: (draw.choice(spreads), draw.choice(spreads)), lambda made: made[0] * made[1] != 1)
        inputs += (("s_q", query), ("s_k", key))
        said = Text(
            "mean 0, and standard deviations $s_q$ for the query and $s_k$ for the key",
            "均值为 0，query 各分量的标准差是 $s_q$，key 的是 $s_k$",
        )
    names = tuple(name for name, _ in inputs)
    plain, scaled = draw.choice(tuple(_OF)), draw.choice(tuple(_OF))
    form = AnswerFormat(Kind.EXPRESSION if level == 2 else Kind.NUMBER, decimals=2 if level == 1 else 3)
    how = Text("to {n} decimals.", "保留 {n} 位小数。").fill(n=form.decimals)
    if level == 2:
        how = Text("exactly, such as $2\\sqrt{3}$.", "写成 $2\\sqrt{3}$ 这样的精确值。")
    return Drawn(
        Text(
            "The components of $q$ and $k$, both of width $d_k$, are independent, with {said}. Give {plain} $v$ of $q \\cdot k$, and {scaled} $w$ of $q \\cdot k / \\sqrt{d_k}$, {how}",
            "$q$ 和 $k$ 的宽度都是 $d_k$，各分量相互独立，{said}。求 $q \\cdot k$ 的{plain} $v$，以及 $q \\cdot k / \\sqrt{d_k}$ 的{scaled} $w$，{how}",
        ).fill(said=said, plain=_OF[plain], scaled=_OF[scaled], how=how),
        Program(
            inputs,
            (
                call("v", "dot_variance", *names, of=plain),
                call("w", "dot_variance", *names, of=scaled, scaled="root"),
            ),
            (Ask("v", form, label=name_node("v")), Ask("w", form, label=name_node("w"))),
        ),
    )


def _gap(scores: tuple[int, ...]) -> int:
    first, second = sorted(scores, reverse=True)[:2]
    return first - second


def _saturation(draw: Draw, level: int) -> Drawn:
    scores: tuple[Nested, ...]
    if level == 1:
        root = draw.choice((2, 2, 2, 3))
        width = root * root
        bases = draw.until(lambda: draw.vector(3, 1, 8 if root == 2 else 4), lambda made: _gap(made) > 0)
        scores = tuple(log_of(base**root) for base in bases)
    elif level == 2:
        width = draw.choice((4, 9, 16, 25, 64))
        whole = draw.until(lambda: draw.vector(3, -3, 9), lambda made: 1 <= _gap(made) <= 3)
        scores = whole
    else:
        width = draw.choice((32, 48, 64, 80, 96, 128))
        tenths = draw.until(lambda: draw.vector(4, -60, 90), lambda made: 5 <= _gap(made) <= 35)
        scores = tuple(decimal(10 * one) for one in tenths)
    form = AnswerFormat(Kind.NUMBER, decimals=3 if level < 3 else 4)
    return Drawn(
        Text(
            "$s$ is one query's row of $QK^\\top$, with keys of width $d_k$. How large is the largest attention weight: $m$ if the softmax is taken of $s$ as it is, and $n$ if $s$ is first scaled as attention does? Give {n} decimals.",
            "$s$ 是 $QK^\\top$ 中一个 query 的一行，key 的宽度是 $d_k$。最大的注意力权重有多大？不缩放、直接对 $s$ 做 softmax 时记作 $m$，先按注意力公式缩放再做时记作 $n$。保留 {n} 位小数。",
        ).fill(n=form.decimals),
        Program(
            (("s", scores), ("d_k", width)),
            (
                call("p", "softmax", "s"),
                call("z", "scale", "s", "d_k"),
                call("w", "softmax", "z"),
                call("m", "largest", "p"),
                call("n", "largest", "w"),
            ),
            (
                Ask("m", form, label=Text("$m$, unscaled", " $m$（不缩放）")),
                Ask("n", form, label=Text("$n$, scaled", " $n$（缩放后）")),
            ),
        ),
    )


DRILLS = (
    Drill(
        "dot-variance",
        "7.9",
        Text("Variance of a dot product", "点积的方差"),
        "0",
        (1, 2, 3),
        _dot_variance,
        hints=(
            Text("$q \\cdot k$ is a sum of $d_k$ independent products.", "$q \\cdot k$ 是 $d_k$ 个独立乘积之和。"),
            Text(
                "Variances of independent terms add up; a product of independent factors with mean 0 has the product of their variances.",
                "独立的项，方差直接相加；均值为 0 的独立因子相乘，方差也相乘。",
            ),
            Text(
                "The variance of one product times $d_k$; its root is the standard deviation. Dividing by $\\sqrt{d_k}$ divides the variance by $d_k$.",
                "一个乘积的方差乘 $d_k$，开方就是标准差。除以 $\\sqrt{d_k}$，方差就除以 $d_k$。",
            ),
        ),
    ),
    Drill(
        "saturation",
        "7.9",
        Text("The largest weight, unscaled and scaled", "缩放前后的最大权重"),
        "0",
        (1, 2, 3),
        _saturation,
        hints=(
            Text(
                "The larger the gaps between scores, the closer the largest weight is to 1.",
                "分数之间差距越大，最大的权重越接近 1。",
            ),
            Text(
                "Take the softmax twice: once of $s$, once of $s / \\sqrt{d_k}$.",
                "做两次 softmax：一次对 $s$，一次对 $s / \\sqrt{d_k}$。",
            ),
            Text(
                "Each time it is the largest exponential over the sum; only differences count, so you may subtract the largest score from all of them first.",
                "每次都是最大的指数除以总和；只有差值起作用，可以先给所有分数减去最大值。",
            ),
        ),
    ),
)
