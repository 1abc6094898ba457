"""Softmax of a row and of a matrix (7.10)."""

from __future__ import annotations

from question_bank.drills.base import Draw, Drawn, Drill, decimal, log_of, name_node
from question_bank.program import AnswerFormat, Ask, Kind, Nested, Program, call
from question_bank.text import Text


def scores_row(draw: Draw, length: int, level: int) -> tuple[Nested, ...]:
    """Draw a row of scores: logarithms at level 1, small whole numbers at level 2, decimals at level 3."""
    if level == 1:
        return tuple(log_of(draw.integer(1, 7)) for _ in range(length))
    if level == 2:
        return tuple(draw.integer(-2, 4) for _ in range(length))
    return tuple(decimal(10 * draw.integer(-20, 30)) for _ in range(length))


def scores_matrix(draw: Draw, rows: int, columns: int, level: int) -> Nested:
    """Draw a matrix of scores, row by row."""
    return tuple(scores_row(draw, columns, level) for _ in range(rows))


DECIMALS = {1: 3, 2: 3, 3: 4}
"""Decimals asked of weights, by level."""


def _softmax_row(draw: Draw, level: int) -> Drawn:
    length = 4 if level == 3 else 3
    ask = Ask("p", AnswerFormat(Kind.VECTOR, decimals=DECIMALS[level], dimensions=(length,)), label=name_node("p"))
    return Drawn(
        Text(
            "Compute the softmax of the row $z$, to {n} decimals; fractions are welcome.",
            "求这一行 $z$ 的 softmax，保留 {n} 位小数，也可以写成 1/3 这样的分数。",
        ).fill(n=DECIMALS[level]),
        Program((("z", scores_row(draw, length, level)),), (call("p", "softmax", "z"),), (ask,)),
    )


def _softmax_matrix(draw: Draw, level: int) -> Drawn:
    rows, columns = {1: (2, 2), 2: (2, 3), 3: (3, 3)}[level]
    ask = Ask("A", AnswerFormat(Kind.MATRIX, decimals=DECIMALS[level], dimensions=(rows, columns)), label=name_node("A"))
    return Drawn(
        Text(
            "$Z$ holds the scaled scores, one row per query. Compute the attention weights $A$, to {n} decimals.",
            "$Z$ 是缩放后的分数，一行对应一个 query。求注意力权重 $A$，保留 {n} 位小数。",
        ).fill(n=DECIMALS[level]),
        Program((("Z", scores_matrix(draw, rows, columns, level)),), (call("A", "softmax", "Z"),), (ask,)),
    )


DRILLS = (
    Drill(
        "softmax-row",
        "7.10",
        Text("Softmax of a row", "一行的 softmax"),
        "0",
        (1, 2, 3),
        _softmax_row,
        hints=(
            Text("The weights are positive and add up to 1.", "权重都是正数，和为 1。"),
            Text("Take $e^z$ of each score, then divide each by their sum.", "每个分数取 $e^z$，再各自除以总和。"),
            Text(
                "$e^{\\ln a} = a$ and $e^0 = 1$. You may subtract the same number from all scores first.",
                "$e^{\\ln a} = a$，$e^0 = 1$。可以先给所有分数减去同一个数。",
            ),
        ),
    ),
    Drill(
        "softmax-matrix",
        "7.10",
        Text("Softmax of a matrix", "矩阵的 softmax"),
        "0",
        (1, 2, 3),
        _softmax_matrix,
        hints=(
            Text("Each row is a softmax of its own.", "每一行单独做 softmax。"),
            Text(
                "A row belongs to one query; its weights over the keys add up to 1.",
                "一行属于一个 query，它对各个 key 的权重和为 1。",
            ),
            Text(
                "Exponentials of a row, divided by the sum of that row, not of the column and not of the whole matrix.",
                "一行取指数，除以这一行的和；不是列的和，也不是整个矩阵的和。",
            ),
        ),
    ),
)
