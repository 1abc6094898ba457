"""Cross-attention by hand (7.18)."""

from __future__ import annotations

from question_bank.drills.attention import times
from question_bank.drills.base import Draw, Drawn, Drill, Matrix, decimal, name_node, name_row
from question_bank.program import AnswerFormat, Ask, Call, Kind, Nested, Program, call
from question_bank.text import Text


def _uneven(queries: Matrix, keys: Matrix, least: int, most: int) -> bool:
    """Tell whether the scores of every query differ, but not so far that the softmax picks one key."""
    scores = times(queries, tuple(zip(*keys, strict=True)))
    return all(least <= max(row) - min(row) <= most for row in scores) and len(set(scores)) == len(scores)


def _cross_output(draw: Draw, level: int) -> Drawn:
    decoder, encoder = (2, 3) if level == 1 or draw.integer(0, 1) == 0 else (3, 2)
    if level == 1:
        states, memory = draw.until(
            lambda: (draw.matrix(decoder, 2, 0, 2), draw.matrix(encoder, 2, 0, 3)),
            lambda made: len(set(made[1])) == encoder and _uneven(*made, 1, 4),
        )
        form = AnswerFormat(Kind.MATRIX, decimals=3, dimensions=(decoder, 2))
        return Drawn(
            Text(
                "$X$ holds the states of the decoder, $E$ the output of the encoder, one token a row. Compute the output $O$ of cross-attention without projections and without scaling (the states themselves serve as queries, keys and values), to 3 decimals.",
                "$X$ 是解码器的状态，$E$ 是编码器的输出，每行一个 token。做 cross-attention，不加投影，也不缩放（状态本身直接充当 query、key、value）。求输出 $O$，保留 3 位小数。",
            ),
            Program(
                (("X", states), ("E", memory)),
                (call("S", "scores", "X", "E"), call("A", "softmax", "S"), call("O", "mix", "A", "E")),
                (Ask("O", form, label=name_node("O")),),
            ),
        )
    calls: tuple[Call, ...] = (
        call("Q", "project", "X", "W_Q"),
        call("K", "project", "E", "W_K"),
        call("V", "project", "E", "W_V"),
        call("S", "scores", "Q", "K"),
        call("Z", "scale", "S", "d_k"),
        call("A", "softmax", "Z"),
        call("O", "mix", "A", "V"),
    )

    width = 3

    def make() -> tuple[Matrix, ...]:
        low, high = (-1, 2) if level == 2 else (-6, 14)
        rows, columns = (decoder, encoder, 2, 2, 2), (2, 2, width, width, 2)
        return tuple(draw.matrix(*size, low, high) for size in zip(rows, columns, strict=True))

    def telling(made: tuple[Matrix, ...]) -> bool:
        states, memory, query, key, value = made
        values = times(memory, value)
        if len(set(values)) < encoder or value == tuple(zip(*value, strict=True)):
            return False
        return _uneven(times(states, query), times(memory, key), *((2, 6) if level == 2 else (10_000, 60_000)))

    matrices = draw.until(make, telling)
    shown: tuple[Nested, ...] = matrices if level == 2 else tuple(_tenths(one) for one in matrices)
    inputs: tuple[tuple[str, Nested], ...] = (*zip(("X", "E", "W_Q", "W_K", "W_V"), shown, strict=True), ("d_k", width))
    row = draw.integer(0, decoder - 1)
    form = AnswerFormat(Kind.VECTOR, decimals=3, dimensions=(2,))
    return Drawn(
        Text(
            "$X$ holds the decoder's states, $E$ the encoder's output, one token a row; the weight matrices multiply on the right. Compute row {row} of the output $O$ of cross-attention, scaled as usual, to 3 decimals.",
            "$X$ 是解码器的状态，$E$ 是编码器的输出，每行一个 token；权重矩阵右乘。做 cross-attention（按通常的方式缩放），求输出 $O$ 的第 {row} 行，保留 3 位小数。",
        ).fill(row=row + 1),
        Program(inputs, calls, (Ask("O", form, (row,), label=name_row("O", row)),)),
    )


def _tenths(matrix: Matrix) -> Nested:
    return tuple(tuple(decimal(10 * cell) for cell in row) for row in matrix)


DRILLS = (
    Drill(
        "cross-output",
        "7.18",
        Text("Output of cross-attention", "cross-attention 的输出"),
        "0",
        (1, 2, 3),
        _cross_output,
        hints=(
            Text("The decoder asks, the encoder answers.", "解码器提问，编码器作答。"),
            Text(
                "Queries come from $X$, keys and values from $E$; each row of the weights adds up to 1 over the encoder's tokens.",
                "query 来自 $X$，key 和 value 来自 $E$；权重的每一行在编码器的各个 token 上求和为 1。",
            ),
            Text(
                "Score a row of the queries against every key, take the softmax of that row, and weight the values with it.",
                "拿 query 的一行给每个 key 打分，对这一行做 softmax，再用它给各个 value 加权求和。",
            ),
        ),
    ),
)
