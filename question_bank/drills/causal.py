"""Causal masks (7.17): a row of weights, the output, the cells that are kept."""

from __future__ import annotations

from functools import partial

from question_bank import models
from question_bank.drills.attention import times
from question_bank.drills.base import Draw, Drawn, Drill, Revised, name_node, name_row
from question_bank.drills.softmax import DECIMALS, scores_matrix
from question_bank.program import AnswerFormat, Ask, Call, Kind, Nested, Program, call
from question_bank.text import Text

_COUNT = AnswerFormat(Kind.INTEGER, decimals=0)


# One row -----------------------------------------------------------------------------------------------------------------


def _causal_row(draw: Draw, level: int) -> Drawn:
    keys = {1: 3, 2: 5, 3: 5}[level]
    queries = draw.integer(2, 3) if level == 3 else keys
    # With one key left the mistakes look alike: only the shortest rows, of level 1, have so few.
    row = draw.integer({1: 1, 2: 2, 3: 0}[level], queries - 2)
    ask = Ask("A", AnswerFormat(Kind.VECTOR, decimals=DECIMALS[level], dimensions=(keys,)), (row,), label=name_row("A", row))
    if level == 3:
        prompt = Text(
            "A decoder with a KV cache scores its newest {q} tokens against all {k} keys, cached ones first: $Z$, already scaled. The mask is aligned bottom-right: the last query sees every key, each query before it one key less. Compute row {row} of the weights $A$, to {n} decimals.",
            "解码器带 KV cache，最新的 {q} 个 token 对全部 {k} 个 key（缓存的在前）打分，得到 $Z$，已经缩放。causal mask 按右下角对齐：最后一个 query 看得到所有 key，往前每个 query 少看一个。求权重 $A$ 的第 {row} 行，保留 {n} 位小数。",
        ).fill(q=queries, k=keys, row=row + 1, n=DECIMALS[level])
    else:
        prompt = Text(
            "$Z$ holds the scaled scores of a decoder's self-attention: token $i$ may attend to tokens 1 to $i$. Compute row {row} of the weights $A$ with the causal mask, to {n} decimals.",
            "$Z$ 是解码器 self-attention 缩放后的分数：第 $i$ 个 token 只能看第 1 到第 $i$ 个 token。加上 causal mask，求权重 $A$ 的第 {row} 行，保留 {n} 位小数。",
        ).fill(row=row + 1, n=DECIMALS[level])
    mask = call("M", "causal_mask", "Z", align="bottom-right") if level == 3 else call("M", "causal_mask", "Z")
    return Drawn(
        prompt,
        Program((("Z", scores_matrix(draw, queries, keys, level)),), (mask, call("A", "softmax", "M")), (ask,)),
    )


# Output ------------------------------------------------------------------------------------------------------------------

_MASKED: tuple[Call, ...] = (
    call("M", "causal_mask", "Z"),
    call("A", "softmax", "M"),
    call("O", "mix", "A", "V"),
)


def _causal_output(draw: Draw, level: int) -> Drawn:
    width = 2
    row = 1 if level == 1 else 2
    if level == 1:
        inputs: tuple[tuple[str, Nested], ...] = (("Z", scores_matrix(draw, 3, 3, 1)), ("V", draw.matrix(3, width, 0, 9)))
        calls = _MASKED
        prompt = Text(
            "$Z$ holds the scaled scores, $V$ the values; token $i$ may attend to tokens 1 to $i$. Compute row {row} of the output $O$ with the causal mask, to {n} decimals.",
            "$Z$ 是缩放后的分数，$V$ 是 value；第 $i$ 个 token 只能看第 1 到第 $i$ 个 token。加上 causal mask，求输出 $O$ 的第 {row} 行，保留 {n} 位小数。",
        )
    else:
        tokens, high = (4, 2) if level == 2 else (3, 3)

        def uneven(made: tuple[tuple[tuple[int, ...], ...], ...]) -> bool:
            scores = times(made[0], tuple(zip(*made[1], strict=True)))
            return all(1 <= max(line) - min(line) <= 5 for line in scores)

        queries, keys = draw.until(lambda: (draw.matrix(tokens, width, -1, high), draw.matrix(tokens, width, -1, high)), uneven)
        inputs = (("Q", queries), ("K", keys), ("V", draw.matrix(tokens, width, 0, 9)), ("d_k", width))
        calls = (call("S", "scores", "Q", "K"), call("Z", "scale", "S", "d_k"), *_MASKED)
        if level == 2:
            prompt = Text(
                "A decoder's self-attention: token $i$ may attend to tokens 1 to $i$, and the scores are divided by $\\sqrt{d_k}$. Compute row {row} of the output $O$, to {n} decimals.",
                "解码器的 self-attention：第 $i$ 个 token 只能看第 1 到第 $i$ 个 token，分数除以 $\\sqrt{d_k}$。求输出 $O$ 的第 {row} 行，保留 {n} 位小数。",
            )
        else:
            prompt = Text(
                "A decoder's self-attention: token $i$ may attend to tokens 1 to $i$, and the scores are divided by $\\sqrt{d_k}$. Compute the whole output $O$, to {n} decimals.",
                "解码器的 self-attention：第 $i$ 个 token 只能看第 1 到第 $i$ 个 token，分数除以 $\\sqrt{d_k}$。求整个输出 $O$，保留 {n} 位小数。",
            )
    if level == 3:
        ask = Ask("O", AnswerFormat(Kind.MATRIX, decimals=3, dimensions=(3, width)), label=name_node("O"))
    else:
        ask = Ask("O", AnswerFormat(Kind.VECTOR, decimals=3, dimensions=(width,)), (row,), label=name_row("O", row))
    return Drawn(prompt.fill(row=row + 1, n=3), Program(inputs, calls, (ask,)))


# Cells -------------------------------------------------------------------------------------------------------------------

_LENGTHS = {
    1: (*range(4, 41), 50, 60, 80, 99, 100),
    2: (24, 32, 36, 45, 48, 50, 55, 64, 75, 80, 96, 99, 100, 120, 125, 128, 150, 200, 250, 256, 300, 500),
    4: (512, 768, 1000, 1024, 1500, 2000, 2048, 3000, 4000, 4096, 8000, 8192),
}
_CHUNKS = {
    1: (range(3, 9), range(3, 21)),
    2: ((8, 10, 12, 16, 20, 25, 32, 40, 50), (10, 16, 20, 30, 48, 50, 64, 80, 100, 128)),
    4: ((128, 256, 300, 500, 512, 1000, 1024, 2048), (128, 500, 512, 1000, 1024, 2048, 3000, 4096, 8192)),
}
"""New tokens of a step, and tokens that are cached before it."""


_MODELS = (
    models.GPT2_SMALL,
    models.GPT2_XL,
    models.LLAMA2_7B,
    models.LLAMA2_70B,
    models.LLAMA3_8B,
    models.LLAMA3_70B,
    models.QWEN_7B,
)
"""Decoders whose queries see all that is before them; Mistral's see a window alone."""


def _causal_count(draw: Draw, level: int, published: bool = True) -> Drawn:
    if level == 3:
        return _chunks(draw)
    which: tuple[str, ...] = draw.choice((("kept",), ("masked",), ("kept", "masked")))
    asked = {
        ("kept",): Text("How many cells are kept ($K$)?", "保留多少格（$K$）？"),
        ("masked",): Text("How many cells are masked ($M$)?", "遮住多少格（$M$）？"),
        ("kept", "masked"): Text(
            "How many cells are kept ($K$), and how many masked ($M$)?", "保留多少格（$K$），遮住多少格（$M$）？"
        ),
    }[which]
    if level == 4 and published:
        known, prompt = _in_context(draw)
    elif draw.integer(0, 2):
        news, cached = _CHUNKS[level]
        new = draw.choice(tuple(news))
        known = (("S_q", new), ("S_k", new + draw.choice(tuple(cached))))
        prompt = Text(
            "The scores of a decoder with a KV cache have $S_q$ rows, the newest tokens, and $S_k$ columns, all tokens. The causal mask is aligned bottom-right: the last query sees every key.",
            "解码器带 KV cache，分数矩阵有 $S_q$ 行（最新的 token）、$S_k$ 列（全部 token）。causal mask 按右下角对齐：最后一个 query 看得到所有 key。",
        )
    else:
        known = (("S", draw.choice(_LENGTHS[level])),)
        prompt = Text(
            "A causal mask lies on a score matrix of $S$ rows and $S$ columns; a token may attend to itself.",
            "一个 $S$ 行 $S$ 列的分数矩阵加上 causal mask，每个 token 可以看自己。",
        )
    names = tuple(name for name, _ in known)
    node = {"kept": "K", "masked": "M"}
    return Drawn(
        prompt + asked,
        Program(
            known,
            tuple(call(node[of], "causal_count", *names, of=of) for of in which),
            tuple(Ask(node[of], _COUNT, label=name_node(node[of])) for of in which),
        ),
    )


def _in_context(draw: Draw) -> tuple[tuple[tuple[str, int], ...], Text]:
    """Draw a published decoder, and what it has in its context."""
    model = draw.choice(_MODELS)
    sizes = (*range(10, 100, 10), 32, 64, 100, 128, 200, 256, 300, 400, 500, 512, 768, 1000, 1024, 1500, 2000, 2048, 3000, 4000)
    new, cached = (draw.choice([size for size in sizes if 2 * size <= model.context]) for _ in range(2))
    way = draw.choice(("prompt", "full", "cached"))
    if way == "prompt":
        length = draw.choice((model.context, new + cached, 2 * new, 2 * cached))
        full = Text(", as many as its context holds,", "（正好是上下文的全长）") if length == model.context else Text("", "")
        prompt = Text(
            "{name} processes a prompt of $S$ tokens{full} in one pass, so that each head of each layer has scores of $S$ rows and $S$ columns. Under the causal mask a token may attend to itself and to all before it. Take one head.",
            "{name} 一次处理 $S$ 个 token 的 prompt{full}，每层每个 head 的分数矩阵有 $S$ 行 $S$ 列。加上 causal mask，每个 token 可以看自己和前面所有 token。只看一个 head：",
        )
        return (("S", length),), prompt.fill(name=model.name, full=full)
    total = model.context if way == "full" else new + cached
    if way == "full":
        ends = Text("which fill its context of $S_k$ tokens", "上下文（共 $S_k$ 个 token）由此用满")
    else:
        ends = Text("which make $S_k$ tokens in all", "连同之前的一共 $S_k$ 个")
    return (("S_q", new), ("S_k", total)), Text(
        "{name}, which has a KV cache, takes in its newest $S_q$ tokens in one pass, {ends}: each head of each layer has scores of $S_q$ rows and $S_k$ columns. The causal mask is aligned bottom-right: the last query sees every key. Take one head.",
        "{name} 带 KV cache，一次读入最新的 $S_q$ 个 token，{ends}：每层每个 head 的分数矩阵有 $S_q$ 行、$S_k$ 列。causal mask 按右下角对齐：最后一个 query 看得到所有 key。只看一个 head：",
    ).fill(name=model.name, ends=ends)


_CHUNK_SIZES = tuple(size for size in range(33, 180) if size % 10 in (0, 2, 4, 5, 6, 8))


def _chunks(draw: Draw) -> Drawn:
    """Draw a prompt that is processed in two chunks or in three."""
    several = draw.integer(0, 1)
    first, second, third = draw.shuffled(_CHUNK_SIZES)[:3]
    known: tuple[tuple[str, int], ...] = (("S_1", first), ("S_2", second))
    chunks = Text(
        "in two chunks, first $S_1$ tokens, then the other $S_2$", "分两段处理，先是 $S_1$ 个 token，然后是其余 $S_2$ 个"
    )
    end = "E" if several else "S"
    calls: tuple[Call, ...] = (
        call("K_1", "causal_count", "S_1"),
        call(end, "total", "S_1", "S_2"),
        call("K_2", "causal_count", "S_2", end),
    )
    if several:
        known = (*known, ("S_3", third))
        chunks = Text(
            "in three chunks, of $S_1$, $S_2$ and $S_3$ tokens in turn", "分三段处理，依次是 $S_1$、$S_2$、$S_3$ 个 token"
        )
        calls = (*calls, call("S", "total", "S_1", "S_2", "S_3"), call("K_3", "causal_count", "S_3", "S"))
        calls = (*calls, call("K", "total", "K_1", "K_2", "K_3"))
        kept = Text("$K_1$, $K_2$ and $K_3$", "$K_1$、$K_2$、$K_3$")
        asked = ("K_1", "K_2", "K_3", "K")
        masked = Text("", "")
    else:
        calls = (*calls, call("M_2", "causal_count", "S_2", "S", of="masked"), call("K", "total", "K_1", "K_2"))
        kept = Text("$K_1$ and $K_2$", "$K_1$、$K_2$")
        asked = ("K_1", "K_2", "M_2", "K")
        masked = Text(" How many cells are masked in the second chunk ($M_2$)?", "第二段里遮住多少格（$M_2$）？")
    return Drawn(
        Text(
            "A prompt is processed {chunks}. A chunk's scores have a row for each of its tokens and a column for each token up to its end, as the keys of earlier chunks are in the KV cache. The causal mask lets every token attend to itself and to all before it. How many cells are kept in each chunk ({kept})?{masked} How many are kept in all chunks together ($K$)?",
            "一个 prompt {chunks}。前面各段的 key 都在 KV cache 里，所以一段的分数矩阵里，本段每个 token 一行，到本段末尾为止的每个 token 一列。causal mask 让每个 token 看得到自己和前面所有 token。各段分别保留多少格（{kept}）？{masked}所有段一共保留多少格（$K$）？",
        ).fill(chunks=chunks, kept=kept, masked=masked),
        Program(known, calls, tuple(Ask(node, _COUNT, label=name_node(node)) for node in asked)),
        remark=Text(
            "Cutting a prompt into chunks changes nothing in the total: one pass over all $S$ tokens keeps $S(S+1)/2$ cells too.",
            "分段不影响总数：$S$ 个 token 一次处理完，保留的也是 $S(S+1)/2$ 格。",
        ),
    )


DRILLS = (
    Drill(
        "causal-row",
        "7.17",
        Text("One row under a causal mask", "带 causal mask 的一行权重"),
        "0",
        (1, 2, 3),
        _causal_row,
        hints=(
            Text("Count first how many keys this query may see.", "先数一数这个 query 能看到几个 key。"),
            Text(
                "The keys after the query's own position become $-\\infty$ before the softmax; its own stays.",
                "softmax 之前，自己位置之后的 key 变成 $-\\infty$，自己保留。",
            ),
            Text(
                "Take the softmax of the scores that are left, in this row alone, and write 0 for the others.",
                "只对这一行剩下的分数做 softmax，其余写 0。",
            ),
        ),
    ),
    Drill(
        "causal-output",
        "7.17",
        Text("Output under a causal mask", "带 causal mask 的输出"),
        "0",
        (1, 2, 3),
        _causal_output,
        hints=(
            Text("The mask comes between the scaling and the softmax.", "mask 加在缩放之后、softmax 之前。"),
            Text(
                "Row 1 of the output is the first row of $V$; later rows mix more of them.",
                "输出的第 1 行就是 $V$ 的第一行，越往后混合的行越多。",
            ),
            Text(
                "In row $i$ take the softmax of the first $i$ scores, and weight the first $i$ rows of $V$ with it.",
                "第 $i$ 行：对前 $i$ 个分数做 softmax，再用它给 $V$ 的前 $i$ 行加权求和。",
            ),
        ),
    ),
    Drill(
        "causal-count",
        "7.17",
        Text("Cells kept by a causal mask", "causal mask 保留的格数"),
        "0",
        (1, 2, 3, 4),
        _causal_count,
        hints=(
            Text("Count row by row: each row keeps one cell more than the row above.", "逐行数：每行比上一行多保留一格。"),
            Text(
                "The diagonal is kept. The masked cells form a triangle without it.",
                "对角线保留；遮住的是不含对角线的三角形。",
            ),
            Text(
                "$q$ queries have $q(q-1)/2$ masked cells; the kept ones are all cells less these.",
                "$q$ 个 query 共遮住 $q(q-1)/2$ 格，总格数减去它就是保留的。",
            ),
        ),
        revised=(Revised(4, "1", partial(_causal_count, published=False)),),
    ),
)
