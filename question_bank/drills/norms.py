"""Layer normalisation (7.20)."""

from __future__ import annotations

from fractions import Fraction

from question_bank.drills.base import Draw, Drawn, Drill, decimal, name_node, name_row
from question_bank.program import AnswerFormat, Ask, Kind, Nested, Program, call
from question_bank.text import Text


def _layer_norm(draw: Draw, level: int) -> Drawn:
    if level == 1:
        spread, step, start = draw.integer(1, 4), draw.integer(1, 3), draw.integer(-2, 6)
        pattern = draw.choice(((-1, 1), (-1, -1, 1, 1), (-2, 2, 0, 0), (-2, -1, 0, 1, 2)))
        vector: Nested = draw.shuffled([start + spread * step * part for part in pattern])
        assert isinstance(vector, tuple)
        form = AnswerFormat(Kind.VECTOR, decimals=3, dimensions=(len(vector),))
        return Drawn(
            Text(
                "Apply LayerNorm to the token $x$ with $\\varepsilon = 0$, the biased variance and no $\\gamma$ or $\\beta$, to 3 decimals.",
                "对 token $x$ 做 LayerNorm：$\\varepsilon = 0$，不带 $\\gamma$、$\\beta$，用有偏方差，保留 3 位小数。",
            ),
            Program((("x", vector),), (call("y", "layer_norm", "x"),), (Ask("y", form, label=name_node("y")),)),
        )
    width, tokens = 4, 3
    row = draw.integer(0, tokens - 1)
    form = AnswerFormat(Kind.VECTOR, decimals=3, dimensions=(width,))
    ask = Ask("Y", form, (row,), label=name_row("Y", row))
    if level == 2:
        return Drawn(
            Text(
                "Each row of $X$ is one token. Apply LayerNorm with $\\varepsilon = 0$ and the biased variance, without $\\gamma$ and $\\beta$, and give row {row} of the result, to 3 decimals.",
                "$X$ 的每一行是一个 token。做 LayerNorm（$\\varepsilon = 0$，有偏方差，不带 $\\gamma$、$\\beta$），给出结果的第 {row} 行，保留 3 位小数。",
            ).fill(row=row + 1),
            Program((("X", draw.matrix(tokens, width, -2, 8)),), (call("Y", "layer_norm", "X"),), (ask,)),
        )
    rows: Nested = tuple(tuple(decimal(10 * draw.integer(-30, 50)) for _ in range(width)) for _ in range(tokens))
    gamma: Nested = tuple(decimal(10 * draw.integer(5, 20)) for _ in range(width))
    beta: Nested = tuple(decimal(10 * draw.integer(-10, 10)) for _ in range(width))
    return Drawn(
        Text(
            "Each row of $X$ is one token. Apply LayerNorm with $\\gamma$, $\\beta$, $\\varepsilon = 10^{-5}$ and the biased variance, and give row {row} of the result, to 3 decimals.",
            "$X$ 的每一行是一个 token。做 LayerNorm（带 $\\gamma$、$\\beta$，$\\varepsilon = 10^{-5}$，有偏方差），给出结果的第 {row} 行，保留 3 位小数。",
        ).fill(row=row + 1),
        Program(
            (("X", rows), ("γ", gamma), ("β", beta)),
            (call("Y", "layer_norm", "X", "γ", "β", epsilon=Fraction(1, 100_000)),),
            (ask,),
        ),
    )


DRILLS = (
    Drill(
        "layer-norm",
        "7.20",
        Text("LayerNorm of a token", "一个 token 的 LayerNorm"),
        "0",
        (1, 2, 3),
        _layer_norm,
        hints=(
            Text("All features of the one token, no batch.", "只看这一个 token 的所有特征，与 batch 无关。"),
            Text(
                "Subtract the mean, then divide by the root of the variance, the mean of the squares.",
                "先减均值，再除以方差的平方根；方差是平方的平均。",
            ),
            Text(
                "Divide the sum of the squares by the number of features $d$, not by $d - 1$.",
                "平方和除以特征数 $d$，不是 $d - 1$。",
            ),
        ),
    ),
)
