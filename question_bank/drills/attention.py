"""From weights to outputs (7.11), and attention as a whole by hand (7.12)."""

from __future__ import annotations

from functools import partial

from question_bank.drills.base import Draw, Drawn, Drill, Matrix, Revised, decimal, name_node, name_row
from question_bank.program import AnswerFormat, Ask, Call, Kind, Nested, Program, call
from question_bank.text import Text

OUTPUT = (call("S", "scores", "Q", "K"), call("Z", "scale", "S", "d_k"), call("A", "softmax", "Z"), call("O", "mix", "A", "V"))
"""Attention from Q, K and V on."""


def _weights_row(draw: Draw, length: int, step: int) -> tuple[int, ...]:
    """Draw hundredths that add up to 100, in steps; no weight is 0."""
    units = 100 // step
    left = units - length
    parts = []
    for position in range(length):
        part = left if position == length - 1 else draw.integer(0, left)
        left -= part
        parts.append((part + 1) * step)
    return draw.shuffled(parts)


def _mix_row(draw: Draw, level: int) -> Drawn:
    tokens, width, step = {1: (2, 2, 25), 2: (3, 2, 10), 3: (3, 3, 1)}[level]
    weights = tuple(tuple(decimal(part) for part in _weights_row(draw, tokens, step)) for _ in range(tokens))
    row = draw.integer(0, tokens - 1)
    low, high = {1: (0, 8), 2: (-4, 9), 3: (-9, 9)}[level]
    ask = Ask("O", AnswerFormat(Kind.VECTOR, decimals=2, dimensions=(width,)), (row,), label=name_row("O", row))
    return Drawn(
        Text(
            "The attention weights $A$ are already computed; the keys are given as well. Compute row {row} of the output $O$.",
            "注意力权重 $A$ 已经算好，key 也一并给出。求输出 $O$ 的第 {row} 行。",
        ).fill(row=row + 1),
        Program(
            (("A", weights), ("K", draw.matrix(tokens, width, low, high)), ("V", draw.matrix(tokens, width, low, high))),
            (call("O", "mix", "A", "V"),),
            (ask,),
        ),
    )


def times(left: Matrix, right: Matrix) -> Matrix:
    """Multiply two matrices of whole numbers."""
    columns = tuple(zip(*right, strict=True))
    return tuple(tuple(sum(a * b for a, b in zip(row, column, strict=True)) for column in columns) for row in left)


def _scores(queries: Matrix, keys: Matrix) -> Matrix:
    return times(queries, tuple(zip(*keys, strict=True)))


def _telling(scores: Matrix, most: int) -> bool:
    """Tell whether scores are uneven enough to show a mistake, and even enough for a softmax that isn't one-hot."""
    return scores != tuple(zip(*scores, strict=True)) and all(1 <= max(row) - min(row) <= most for row in scores)


def _attention_output(draw: Draw, level: int) -> Drawn:
    tokens, width, low, high = {1: (2, 4, -1, 2), 2: (3, 2, -1, 2), 3: (3, 2, -2, 3)}[level]
    decimals = 3
    queries, keys = draw.until(
        lambda: (draw.matrix(tokens, width, low, high), draw.matrix(tokens, width, low, high)),
        lambda made: _telling(_scores(*made), 3 if level == 1 else 5),
    )
    inputs: tuple[tuple[str, Nested], ...] = (("Q", queries), ("K", keys), ("V", draw.matrix(tokens, 2, 0, 9)))
    row = draw.integer(0, tokens - 1)
    if level == 2:
        ask = Ask("O", AnswerFormat(Kind.VECTOR, decimals=decimals, dimensions=(2,)), (row,), label=name_row("O", row))
        prompt = Text(
            "Compute row {row} of the attention output $O = \\mathrm{softmax}(QK^\\top / \\sqrt{d_k}) V$, to {n} decimals.",
            "求注意力输出 $O = \\mathrm{softmax}(QK^\\top / \\sqrt{d_k}) V$ 的第 {row} 行，保留 {n} 位小数。",
        )
    else:
        ask = Ask("O", AnswerFormat(Kind.MATRIX, decimals=decimals, dimensions=(tokens, 2)), label=name_node("O"))
        prompt = Text(
            "Compute the attention output $O = \\mathrm{softmax}(QK^\\top / \\sqrt{d_k}) V$, to {n} decimals.",
            "求注意力输出 $O = \\mathrm{softmax}(QK^\\top / \\sqrt{d_k}) V$，保留 {n} 位小数。",
        )
    return Drawn(prompt.fill(row=row + 1, n=decimals), Program((*inputs, ("d_k", width)), OUTPUT, (ask,)))


def _rows_differ(rows: Matrix) -> bool:
    return len(set(rows)) == len(rows)


def _full(draw: Draw, low: int, high: int) -> Matrix:
    """Draw a 2-by-2 matrix that is not its own transpose, and has no row or column of zeros."""

    def accept(made: Matrix) -> bool:
        columns = tuple(zip(*made, strict=True))
        return made != columns and all(any(line) for line in (*made, *columns))

    return draw.until(lambda: draw.matrix(2, 2, low, high), accept)


def _attention_by_hand(draw: Draw, level: int, sparse: bool = False) -> Drawn:
    sparse = sparse or level == 3  # with negative numbers there are enough others: the verification leaves the poor ones out
    tokens = 2 if level == 1 else 3
    low, high = {1: (0, 2), 2: (0, 2), 3: (-1, 2)}[level]
    # In the head the weights are nearly one-hot: values further apart keep the output from rounding to one of them.
    highest = (high, high, 4) if level == 1 else (high,) * 3

    def telling(made: tuple[Matrix, ...]) -> bool:
        states, query, key, _value = made
        scores = _scores(times(states, query), times(states, key))
        return _telling(scores, 6) and (sparse or (all(map(any, states)) and _rows_differ(states) and _rows_differ(scores)))

    def weight(most: int) -> Matrix:
        return draw.asymmetric(2, low, most) if sparse else _full(draw, low, most)

    matrices = draw.until(lambda: (draw.matrix(tokens, 2, low, high), *map(weight, highest)), telling)
    names = ("X", "W_Q", "W_K", "W_V")
    inputs: tuple[tuple[str, Nested], ...] = (*zip(names, matrices, strict=True), ("d_k", 2))
    calls: tuple[Call, ...] = (*(call(name, "project", "X", f"W_{name}") for name in "QKV"), *OUTPUT)

    def part(node: str, columns: int, decimals: int) -> Ask:
        return Ask(node, AnswerFormat(Kind.MATRIX, decimals=decimals, dimensions=(tokens, columns)), label=name_node(node))

    asks = (
        *(part(node, 2, 0) for node in "QKV"),
        part("S", tokens, 0),
        part("Z", tokens, 3),
        part("A", tokens, 3),
        part("O", 2, 3),
    )
    return Drawn(
        Text(
            "Work out attention by hand: the projections $Q$, $K$, $V$, the scores $S = QK^\\top$, the scaled scores $Z$, the weights $A$ and the output $O$. Give $Z$, $A$ and $O$ to 3 decimals. A slip counts only once: what follows correctly from it is marked right.",
            "把注意力完整手算一遍：投影 $Q$、$K$、$V$，分数 $S = QK^\\top$，缩放后的分数 $Z$，权重 $A$ 和输出 $O$。$Z$、$A$、$O$ 保留 3 位小数。一处算错只扣一次分，后面按错值推对的照样给分。",
        ),
        Program(inputs, calls, asks),
    )


DRILLS = (
    Drill(
        "mix-row",
        "7.11",
        Text("One row of output from the weights", "由权重求一行输出"),
        "0",
        (1, 2, 3),
        _mix_row,
        hints=(
            Text("Each output row is a weighted sum of the rows of $V$.", "输出的每一行，是 $V$ 各行的加权和。"),
            Text(
                "The weights are the row of $A$ that is asked for, one for each row of $V$.",
                "权重取 $A$ 的对应行，一个权重对应 $V$ 的一行。",
            ),
            Text(
                "Multiply every row of $V$ by its weight, then add the rows, component by component.",
                "$V$ 的每一行乘上对应的权重，再逐分量相加。",
            ),
        ),
    ),
    Drill(
        "attention-by-hand",
        "7.12",
        Text("Attention by hand, in seven parts", "手算注意力（七步）"),
        "0",
        (1, 2, 3),
        _attention_by_hand,
        hints=(
            Text(
                "Work in the order $Q$, $K$, $V$, $S$, $Z$, $A$, $O$; each needs only those before it.",
                "按 $Q$、$K$、$V$、$S$、$Z$、$A$、$O$ 的顺序算，每一步只用到前面的结果。",
            ),
            Text(
                "$Q = XW_Q$, $S = QK^\\top$, $Z = S/\\sqrt{d_k}$; the softmax goes along each row.",
                "$Q = XW_Q$，$S = QK^\\top$，$Z = S/\\sqrt{d_k}$；softmax 对每一行做。",
            ),
            Text(
                "$S_{ij}$ is row i of $Q$ times row j of $K$; each row of $O$ is the rows of $V$ weighted by the same row of $A$.",
                "$S_{ij}$ 是 $Q$ 的第 i 行点乘 $K$ 的第 j 行；$O$ 的每一行，是用 $A$ 的同一行给 $V$ 的各行加权求和。",
            ),
        ),
        revised=tuple(Revised(level, "1", partial(_attention_by_hand, sparse=True)) for level in (1, 2)),
    ),
    Drill(
        "attention-output",
        "7.12",
        Text("Attention output", "注意力输出"),
        "0",
        (1, 2, 3),
        _attention_output,
        hints=(
            Text("Four steps: scores, scaling, softmax, weighted sum.", "四步：打分、缩放、softmax、加权求和。"),
            Text(
                "Divide by the root of the number of columns of $Q$, then take the softmax of each row.",
                "除以 $Q$ 列数的平方根，再对每一行做 softmax。",
            ),
            Text("The weights of a row multiply the rows of $V$, not of $K$.", "一行权重乘的是 $V$ 的各行，不是 $K$ 的各行。"),
        ),
    ),
)
