"""Scores of queries against keys (7.7) and their scaling (7.9)."""

from __future__ import annotations

from question_bank.drills.base import Draw, Drawn, Drill, decimal, name_node
from question_bank.program import AnswerFormat, Ask, Kind, Nested, Program, call
from question_bank.text import Text


def _queries_and_keys(draw: Draw, tokens: int, width: int, level: int) -> tuple[tuple[str, Nested], ...]:
    low, high = {1: (0, 3), 2: (-3, 5), 3: (-15, 25)}[level]
    found: list[tuple[str, Nested]] = []
    for name in "QK":
        whole = draw.matrix(tokens, width, low, high)
        found.append((name, whole if level < 3 else tuple(tuple(decimal(10 * cell) for cell in row) for row in whole)))
    return tuple(found)


def _score_entry(draw: Draw, level: int) -> Drawn:
    tokens, width = {1: (3, 2), 2: (3, 3), 3: (4, 4)}[level]
    query, key = draw.shuffled(range(tokens))[:2]
    label = Text(f"$S_{{{query + 1}{key + 1}}}$", f" $S_{{{query + 1}{key + 1}}}$ ")
    ask = Ask("S", AnswerFormat(Kind.NUMBER, decimals=0 if level < 3 else 2), (query, key), label=label)
    return Drawn(
        Text(
            "Compute only the score $S_{{i}{j}}$ of $S = QK^\\top$: query {i} against key {j}.",
            "只求 $S = QK^\\top$ 中的一个分数 $S_{{i}{j}}$：第 {i} 个 query 对第 {j} 个 key。",
        ).fill(i=query + 1, j=key + 1),
        Program(_queries_and_keys(draw, tokens, width, level), (call("S", "scores", "Q", "K"),), (ask,)),
    )


def _score_matrix(draw: Draw, level: int) -> Drawn:
    tokens, width = {1: (2, 2), 2: (3, 2), 3: (3, 3)}[level]
    ask = Ask("S", AnswerFormat(Kind.MATRIX, decimals=0 if level < 3 else 2, dimensions=(tokens, tokens)), label=name_node("S"))
    return Drawn(
        Text("Compute the whole score matrix $S = QK^\\top$, unscaled.", "求整个分数矩阵 $S = QK^\\top$，不做缩放。"),
        Program(_queries_and_keys(draw, tokens, width, level), (call("S", "scores", "Q", "K"),), (ask,)),
    )


def _scale_row(draw: Draw, level: int) -> Drawn:
    roots = {1: (2, 3, 4, 5), 2: (), 3: ()}[level]
    if roots:
        root = draw.choice(roots)
        key, length = root * root, 3
        scores: Nested = tuple(root * draw.integer(-3, 6) for _ in range(length))
        model = key * draw.choice((2, 4, 8))
    else:
        key = draw.choice((2, 3, 5, 6, 8) if level == 2 else (24, 32, 48, 80, 96, 128))
        model = key * draw.choice((2, 3, 4, 8, 12))
        length = 3 if level == 2 else 4
        scores = (
            draw.vector(length, -6, 12) if level == 2 else tuple(decimal(10 * draw.integer(-150, 250)) for _ in range(length))
        )
    ask = Ask("z", AnswerFormat(Kind.VECTOR, decimals=3, dimensions=(length,)), label=name_node("z"))
    return Drawn(
        Text(
            "$s$ is one row of $QK^\\top$. Scale it as attention does, to 3 decimals.",
            "$s$ 是 $QK^\\top$ 的一行。按注意力公式对它做缩放，保留 3 位小数。",
        ),
        Program((("s", scores), ("d_k", key), ("d_model", model)), (call("z", "scale", "s", "d_k"),), (ask,)),
    )


DRILLS = (
    Drill(
        "score-entry",
        "7.7",
        Text("One score", "一个分数"),
        "0",
        (1, 2, 3),
        _score_entry,
        hints=(
            Text("A score is a dot product.", "一个分数就是一次点积。"),
            Text("The first index is the query, the second the key.", "第一个下标是 query，第二个下标是 key。"),
            Text(
                "Take row i of $Q$ and row j of $K$, multiply component by component, and add up.",
                "取 $Q$ 的第 i 行、$K$ 的第 j 行，逐分量相乘再相加。",
            ),
        ),
    ),
    Drill(
        "score-matrix",
        "7.7",
        Text("The score matrix", "分数矩阵"),
        "0",
        (1, 2, 3),
        _score_matrix,
        hints=(
            Text("One row for each query, one column for each key.", "一个 query 一行，一个 key 一列。"),
            Text(
                "$S = QK^\\top$: the columns of $K^\\top$ are the rows of $K$.", "$S = QK^\\top$：$K^\\top$ 的列就是 $K$ 的行。"
            ),
            Text(
                "Entry (i, j) is row i of $Q$ times row j of $K$. Don't scale.",
                "第 (i, j) 项是 $Q$ 的第 i 行点乘 $K$ 的第 j 行。不缩放。",
            ),
        ),
    ),
    Drill(
        "scale-row",
        "7.9",
        Text("Scale a row of scores", "缩放一行分数"),
        "0",
        (1, 2, 3),
        _scale_row,
        hints=(
            Text("Every score is divided by the same number.", "所有分数除以同一个数。"),
            Text(
                "That number is the root of the head's width, not the width itself.",
                "这个数是 head 宽度的平方根，不是宽度本身。",
            ),
            Text("Work out $\\sqrt{d_k}$ first, then divide each score by it.", "先算 $\\sqrt{d_k}$，再逐个相除。"),
        ),
    ),
)
