"""Additive scores, and what they cost against dot products (7.8)."""

from __future__ import annotations

from fractions import Fraction

from question_bank import models
from question_bank.drills.base import Draw, Drawn, Drill, ask_order, decimal, name_node
from question_bank.exact import Exact, Expression, ln
from question_bank.program import AnswerFormat, Ask, Kind, Nested, Program, call
from question_bank.text import Text

_MINUS_LN_2 = Expression("neg", (ln(2),))
_PAIRS: tuple[tuple[Exact, Exact], ...] = (
    (0, 0), (0, ln(2)), (ln(2), 0), (0, ln(3)), (ln(3), 0), (ln(4), _MINUS_LN_2), (_MINUS_LN_2, ln(4)),
    (ln(6), _MINUS_LN_2), (_MINUS_LN_2, ln(6)),
)  # fmt: skip
"""Entries of query and key that add up to 0, ln 2 or ln 3, of which the tanh is 0, 3/5 or 4/5."""

_FIRST_TWO_SIDED = 5


def _with_logarithms(draw: Draw) -> Drawn:
    """Draw vectors that are projected already, with a tanh that can be done in the head."""
    pairs = [_PAIRS[draw.integer(1, len(_PAIRS) - 1)], _PAIRS[draw.integer(_FIRST_TWO_SIDED, len(_PAIRS) - 1)]]
    first, second = draw.shuffled(pairs)
    inputs: tuple[tuple[str, Nested], ...] = (
        ("q", (first[0], second[0])), ("k", (first[1], second[1])), ("v", draw.vector(2, 1, 6))
    )  # fmt: skip
    return Drawn(
        Text(
            "Query $q$ and key $k$ are already projected. Compute the additive score $s = v \\cdot \\tanh(q + k)$, to 3 decimals or exactly.",
            "query $q$ 和 key $k$ 都已投影好。求加性打分 $s = v \\cdot \\tanh(q + k)$，保留 3 位小数，或写精确值。",
        ),
        Program(
            inputs,
            (call("s", "additive_scores", "q", "k", "v"),),
            (Ask("s", AnswerFormat(Kind.NUMBER, decimals=3), label=name_node("s")),),
        ),
    )


def _additive_score(draw: Draw, level: int) -> Drawn:
    if level == 1:
        return _with_logarithms(draw)
    width = 2
    low, high = {2: (-1, 2), 3: (-9, 12)}[level]

    def tenths(number: int) -> int | Fraction:
        return number if level == 2 else decimal(10 * number)

    def times(row: tuple[int, ...], matrix: tuple[tuple[int, ...], ...]) -> list[int]:
        return [sum(a * line[j] for a, line in zip(row, matrix, strict=True)) for j in range(width)]

    most = 2 if level == 2 else 180  # beyond, the tanh is 1, and nothing tells

    def telling(
        made: tuple[tuple[int, ...], tuple[int, ...], tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]],
    ) -> bool:
        q, k, by_query, by_key = made
        pairs = list(zip(times(q, by_query), times(k, by_key), strict=True))
        return all(a and b and 0 < abs(a + b) <= most for a, b in pairs)

    q, k, by_query, by_key = draw.until(
        lambda: (draw.vector(width, low, high), draw.vector(width, low, high),
                 draw.asymmetric(width, low, high), draw.asymmetric(width, low, high)),
        telling,
    )  # fmt: skip
    inputs: tuple[tuple[str, Nested], ...] = (
        ("q", tuple(map(tenths, q))),
        ("k", tuple(map(tenths, k))),
        ("W_q", tuple(tuple(map(tenths, row)) for row in by_query)),
        ("W_k", tuple(tuple(map(tenths, row)) for row in by_key)),
        ("v", draw.until(lambda: draw.vector(width, -2, 4), lambda made: 0 not in made and abs(made[0]) != abs(made[1]))),
    )
    return Drawn(
        Text(
            "Compute the additive score $s = v \\cdot \\tanh(q W_q + k W_k)$ of query $q$ and key $k$, to 3 decimals. Vectors are rows, and weights multiply on the right.",
            "求 query $q$ 与 key $k$ 的加性打分 $s = v \\cdot \\tanh(q W_q + k W_k)$，保留 3 位小数。向量按行写，权重右乘。",
        ),
        Program(
            inputs,
            (
                call("a", "project", "q", "W_q"),
                call("b", "project", "k", "W_k"),
                call("s", "additive_scores", "a", "b", "v"),
            ),
            (Ask("s", AnswerFormat(Kind.NUMBER, decimals=3), label=name_node("s")),),
        ),
    )


_MODELS = (models.TRANSFORMER_BASE, models.BERT_BASE, models.GPT2_SMALL, models.GPT2_XL, models.LLAMA2_7B, models.LLAMA3_8B)


def _in_heads(draw: Draw) -> Drawn:
    """Draw a layer whose heads score each for itself, and each with matrices of its own where scores are additive."""
    heads, width = draw.choice((3, 4, 5, 6, 8, 12)), draw.choice((14, 15, 18, 24, 28, 32, 35, 36, 40, 48))
    queries, keys = draw.shuffled((24, 25, 30, 35, 36, 40, 45, 48, 50, 60, 64, 75, 80, 90, 120))[:2]
    hidden = draw.until(lambda: draw.choice((8, 10, 12, 15, 16, 18, 20, 25, 30)), lambda made: made != width)
    count = AnswerFormat(Kind.INTEGER, decimals=0)
    return Drawn(
        Text(
            "An attention layer has $h$ heads, which share out $d_{\\text{model}}$ evenly; in each, $S_q$ queries are scored against $S_k$ keys. How wide are the queries and keys of one head ($d_k$)? How many multiplications do the scores of all heads take: $N_1$ as dot products $q \\cdot k$, and $N_2$ as additive scores $v \\cdot \\tanh(q W_q + k W_k)$, where every head has $W_q$, $W_k$ and $v$ of its own, with hidden width $a$, and projects each of its queries and keys only once? The queries and keys of width $d_k$ are there already. Count multiplications alone, neither additions nor tanh nor scaling.",
            "某个注意力层有 $h$ 个 head，平分 $d_{\\text{model}}$；每个 head 都要让 $S_q$ 个 query 给 $S_k$ 个 key 打分。一个 head 的 query、key 有多宽（$d_k$）？算出所有 head 的全部分数，需要多少次乘法？点积 $q \\cdot k$ 需要 $N_1$ 次；加性打分 $v \\cdot \\tanh(q W_q + k W_k)$ 需要 $N_2$ 次，其中每个 head 各有自己的 $W_q$、$W_k$ 和 $v$，隐藏宽度都是 $a$，自己的每个 query、key 只投影一次。宽度为 $d_k$ 的 query 和 key 已经备好。只数乘法，加法、tanh 和缩放不算。",
        ),
        Program(
            (("S_q", queries), ("S_k", keys), ("d_model", heads * width), ("h", heads), ("a", hidden)),
            (
                call("d_k", "head_dimension", "d_model", "h"),
                call("N_1", "dot_multiplications", "S_q", "S_k", "d_k", "h"),
                call("N_2", "additive_multiplications", "S_q", "S_k", "d_k", "a", "h"),
            ),
            tuple(Ask(node, count, label=name_node(node)) for node in ("d_k", "N_1", "N_2")),
        ),
    )


def _score_cost(draw: Draw, level: int) -> Drawn:
    if level == 3:
        return _in_heads(draw)
    place = Text("An attention layer", "某个注意力层")
    if level == 4:
        model = draw.choice(_MODELS)
        place = Text(
            f"One head of a layer with the head width of {model.name}", f"某个 head，宽度与 {model.name} 的 head 相同，"
        )
        width = model.d_head
        hidden = draw.choice((width // 2, width, 2 * width))
        lengths = (50, 64, 100, 128, 200, 256, 300, 384, 500, 512, 1000, 1024)
        queries, keys = draw.choice(lengths), draw.choice(lengths)
    elif level == 1:
        queries, keys = draw.choice((2, 3, 4, 5, 6)), draw.choice((2, 3, 4, 5, 10))
        width, hidden = draw.choice((2, 3, 4, 5, 6)), draw.choice((2, 3, 4, 5))
    else:
        queries, keys = draw.choice((5, 6, 8, 10, 12)), draw.choice((8, 10, 15, 20, 25))
        width, hidden = draw.choice((8, 10, 12, 16, 20)), draw.choice((4, 5, 6, 8, 10))
    count = AnswerFormat(Kind.INTEGER, decimals=0)
    asks = [Ask("N_1", count, label=name_node("N_1")), Ask("N_2", count, label=name_node("N_2"))]
    order = Text("", "")
    if level == 2:
        asks.append(ask_order("N_2", "S_q", "S_k", "d", "a"))
        order = Text(
            " Also give the order of growth of $N_2$ with all four sizes (big $O$).",
            "再用大 $O$ 记号写出 $N_2$ 随这四个量增长的量级。",
        )
    return Drawn(
        Text(
            "{place} scores $S_q$ queries against $S_k$ keys, all of width $d$. How many multiplications do all the scores take: $N_1$ as dot products $q \\cdot k$, and $N_2$ as additive scores $v \\cdot \\tanh(q W_q + k W_k)$ with hidden width $a$, each query and key being projected only once? Count multiplications alone, neither additions nor tanh nor scaling.{order}",
            "{place}要让 $S_q$ 个 query 给 $S_k$ 个 key 打分，宽度都是 $d$。算出全部分数需要多少次乘法？点积 $q \\cdot k$ 需要 $N_1$ 次；加性打分 $v \\cdot \\tanh(q W_q + k W_k)$ 需要 $N_2$ 次，其隐藏宽度是 $a$，每个 query、key 只投影一次。只数乘法，加法、tanh 和缩放不算。{order}",
        ).fill(place=place, order=order),
        Program(
            (("S_q", queries), ("S_k", keys), ("d", width), ("a", hidden)),
            (
                call("N_1", "dot_multiplications", "S_q", "S_k", "d"),
                call("N_2", "additive_multiplications", "S_q", "S_k", "d", "a"),
            ),
            tuple(asks),
        ),
    )


DRILLS = (
    Drill(
        "additive-score",
        "7.8",
        Text("One additive score", "一个加性打分"),
        "0",
        (1, 2, 3),
        _additive_score,
        hints=(
            Text("Query and key are added, not multiplied.", "query 和 key 相加，不是相乘。"),
            Text(
                "Add first, then take the tanh of each entry, then the dot product with $v$.",
                "先相加，再对每个分量取 tanh，最后与 $v$ 做点积。",
            ),
            Text(
                "$\\tanh x = (e^{2x} - 1)/(e^{2x} + 1)$: of $\\ln 2$ it is $3/5$, of $\\ln 3$ it is $4/5$, of 1 about 0.762, of 2 about 0.964.",
                "$\\tanh x = (e^{2x} - 1)/(e^{2x} + 1)$：$x = \\ln 2$ 得 $3/5$，$x = \\ln 3$ 得 $4/5$，$x = 1$ 约 0.762，$x = 2$ 约 0.964。",
            ),
        ),
    ),
    Drill(
        "score-cost",
        "7.8",
        Text("Multiplications: dot product against additive", "乘法次数：点积与加性打分"),
        "1",
        (1, 2, 3, 4),
        _score_cost,
        hints=(
            Text(
                "There are $S_q \\cdot S_k$ pairs, but only $S_q + S_k$ tokens.",
                "配对有 $S_q \\cdot S_k$ 个，token 只有 $S_q + S_k$ 个。",
            ),
            Text(
                "A dot product of width $d$ is $d$ multiplications; a row times a matrix of $d \\times a$ is $d \\cdot a$.",
                "宽度为 $d$ 的点积要 $d$ 次乘法；一行乘 $d \\times a$ 的矩阵要 $d \\cdot a$ 次。",
            ),
            Text(
                "$N_1 = S_q S_k d$. $N_2$ has three products: queries projected, keys projected, and $a$ for each pair. Where there are heads, each takes that much, at its own width.",
                "$N_1 = S_q S_k d$。$N_2$ 有三项：query 的投影、key 的投影，以及每一对的 $a$ 次。有多个 head 时，每个 head 按自己的宽度各算一份。",
            ),
        ),
    ),
)
