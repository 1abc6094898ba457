"""Padding masks (7.16) and causal masks (7.17)."""

from __future__ import annotations

from question_bank.drills.base import Draw, Drawn, Drill, name_node, name_row
from question_bank.drills.softmax import DECIMALS, scores_matrix
from question_bank.program import AnswerFormat, Ask, Kind, Program, call
from question_bank.text import Text


def _padding_row(draw: Draw, level: int) -> Drawn:
    length = 3 if level == 1 else 4
    padding = 1 if level < 3 else draw.integer(1, 2)
    keep = tuple(int(position < length - padding) for position in range(length))
    row = draw.integer(0, length - padding - 1)
    ask = Ask("A", AnswerFormat(Kind.VECTOR, decimals=DECIMALS[level], dimensions=(length,)), (row,), label=name_row("A", row))
    return Drawn(
        Text(
            "$Z$ holds the scaled scores; $m$ says which tokens are real (1) and which are padding (0). Mask the padding and compute row {row} of the weights $A$, to {n} decimals.",
            "$Z$ 是缩放后的分数，$m$ 标出真实 token（1）和 padding（0）。加上 padding mask，求权重 $A$ 的第 {row} 行，保留 {n} 位小数。",
        ).fill(row=row + 1, n=DECIMALS[level]),
        Program(
            (("Z", scores_matrix(draw, length, length, level)), ("m", keep)),
            (call("M", "padding_mask", "Z", "m"), call("A", "softmax", "M")),
            (ask,),
        ),
    )


def _causal_matrix(draw: Draw, level: int) -> Drawn:
    length = 3
    form = AnswerFormat(Kind.MATRIX, decimals=DECIMALS[level], dimensions=(length, length))
    return Drawn(
        Text(
            "$Z$ holds the scaled scores of a decoder's self-attention: token $i$ may attend to tokens 1 to $i$. Compute the weights $A$ with the causal mask, to {n} decimals.",
            "$Z$ 是解码器 self-attention 缩放后的分数：第 $i$ 个 token 只能看第 1 到第 $i$ 个 token。加上 causal mask，求权重 $A$，保留 {n} 位小数。",
        ).fill(n=DECIMALS[level]),
        Program(
            (("Z", scores_matrix(draw, length, length, level)),),
            (call("M", "causal_mask", "Z"), call("A", "softmax", "M")),
            (Ask("A", form, label=name_node("A")),),
        ),
    )


DRILLS = (
    Drill(
        "padding-row",
        "7.16",
        Text("Softmax with a padding mask", "带 padding mask 的 softmax"),
        "0",
        (1, 2, 3),
        _padding_row,
        hints=(
            Text("A masked key must get weight exactly 0.", "被遮住的 key，权重必须正好是 0。"),
            Text(
                "Put $-\\infty$ in its place before the softmax: its exponential is 0.",
                "softmax 之前填上 $-\\infty$，它的指数就是 0。",
            ),
            Text(
                "Take the softmax over the keys that are left, and write 0 for the others.",
                "只对剩下的 key 做 softmax，其余位置写 0。",
            ),
        ),
    ),
    Drill(
        "causal-matrix",
        "7.17",
        Text("Weights under a causal mask", "带 causal mask 的权重"),
        "0",
        (1, 2, 3),
        _causal_matrix,
        hints=(
            Text("A token sees itself and the tokens before it.", "每个 token 只看得到自己和前面的 token。"),
            Text(
                "Everything above the diagonal becomes $-\\infty$ before the softmax.",
                "softmax 之前，对角线以上全部变成 $-\\infty$。",
            ),
            Text(
                "Row 1 has one weight, 1. Row 2 is the softmax of two scores. Each row adds up to 1.",
                "第 1 行只有一个权重，就是 1；第 2 行是两个分数的 softmax；每行之和为 1。",
            ),
        ),
    ),
)
