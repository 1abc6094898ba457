"""What grouped queries and a cache save at inference (7.15)."""

from __future__ import annotations

from functools import partial

from question_bank import models
from question_bank.drills.base import Draw, Drawn, Drill, Revised, ask_order, name_node
from question_bank.program import AnswerFormat, Ask, Kind, Program, call
from question_bank.text import Text

_COUNT = AnswerFormat(Kind.INTEGER, decimals=0)
_SHARE = AnswerFormat(Kind.NUMBER, decimals=4)

_MODELS = (
    models.GPT2_SMALL,
    models.GPT2_MEDIUM,
    models.GPT2_LARGE,
    models.GPT2_XL,
    models.LLAMA2_7B,
    models.LLAMA3_8B,
    models.LLAMA3_70B,
    models.MISTRAL_7B,
    models.QWEN_7B,
)


_GROUPED = (models.LLAMA2_70B, models.LLAMA3_8B, models.LLAMA3_70B, models.QWEN_7B)
"""Models whose query heads share KV heads, and whose cache grows with every token; Mistral's keeps a window."""


# Grouped queries ---------------------------------------------------------------------------------------------------------

_QUERY_HEADS = {
    1: (4, 6, 8, 9, 10, 12, 14, 15, 16, 18, 20, 21, 24, 25, 27, 28, 30, 32, 36, 40, 48, 60, 64),
    2: (12, 16, 18, 20, 24, 28, 30, 32, 36, 40, 42, 44, 48, 52, 54, 56, 60, 64, 72, 80, 96, 112, 128),
}


def _fewer(heads: int) -> tuple[int, ...]:
    return tuple(size for size in range(1, heads) if heads % size == 0)


_RATIOS = {
    "r": Text("the ratio $r$ of the KV caches", " KV cache 之比（$r$）"),
    "p": Text(
        "the ratio $p$ of the parameters of the four projections, without biases", "四个投影的参数量之比（$p$，不计偏置）"
    ),
}


_SEQUENCES = (100, 200, 256, 300, 500, 512, 1000, 1024, 1500, 2000, 2048, 3000, 4000, 4096, 6000, 8000, 8192)


def _published(draw: Draw) -> tuple[models.Model, int, int, int]:
    """Draw a model with the KV heads that it has, or a variant of one that shares none; its KV heads, tokens and sequences."""
    if draw.integer(0, 4) > 1:
        model = draw.choice(_GROUPED)
        kv_heads = model.kv_heads
    else:
        model = draw.choice([one for one in _MODELS if one.kv_heads == one.heads])
        kv_heads = draw.choice(_fewer(model.heads))
    length = draw.choice([size for size in _SEQUENCES if size <= model.context])
    return model, kv_heads, length, draw.choice((1, 2, 3, 4, 5, 8, 10, 16))


def _with_any_heads(draw: Draw) -> tuple[models.Model, int, int, int]:
    """Draw what level 4 drew before: any number of KV heads."""
    model = draw.choice(_MODELS)
    length = draw.choice([size for size in (500, 512, 1000, 1024, 2000, 2048, 4000, 4096) if size <= model.context])
    return model, draw.choice(_fewer(model.heads)), length, 1


def _gqa_ratio(draw: Draw, level: int, published: bool = True) -> Drawn:
    which: tuple[str, ...] = ("r", "p") if level == 4 else draw.choice((("r",), ("p",), ("r", "p")))
    ratios = Text(" and ".join(_RATIOS[node].en for node in which), "和".join(_RATIOS[node].zh for node in which))
    lines = tuple(
        call(node, "gqa_ratio", "h", "h_kv", of="parameters") if node == "p" else call(node, "gqa_ratio", "h", "h_kv")
        for node in which
    )
    asks = tuple(Ask(node, _SHARE, label=name_node(node)) for node in which)
    asked = Text(
        "Compare it with multi-head attention, where each of the $h$ heads has its own keys and values: give {ratios}, grouped over multi-head, as a fraction or to {n} decimals.",
        "与每个 head 都有自己的 key 和 value 的 MHA（也是 $h$ 个 head）相比，求{ratios}，即 GQA 除以 MHA，写成分数，或保留 {n} 位小数。",
    ).fill(ratios=ratios, n=4)
    if level == 3:
        return _gqa_conversion(draw)
    if level == 4:
        model, kv_heads, length, batch = _published(draw) if published else _with_any_heads(draw)
        inputs = (
            ("L", model.layers), ("h", model.heads), ("h_kv", kv_heads), ("d_head", model.d_head),
            ("S", length), ("B", batch), ("b", draw.choice((1, 2))),
        )  # fmt: skip
        cache = call("C", "kv_cache_bytes", "L", "h_kv", "d_head", "S", "B", "b")
        begins, itself = models.compare(model, kv_heads=kv_heads)
        size = Text(
            "{begins} has $L$ layers of $h$ query heads, of width $d_{\\text{head}}$, that share $h_{\\text{kv}}$ KV heads of the same width.{itself} How large is its KV cache $C$ for $B$ sequences of $S$ tokens each, at $b$ bytes per number? Answer exactly, in bytes or with a unit: GiB is $2^{30}$ bytes, GB is $10^9$.",
            "{begins}有 $L$ 层，每层 $h$ 个 query head，宽 $d_{\\text{head}}$，共用 $h_{\\text{kv}}$ 个同样宽的 KV head。{itself}$B$ 条 $S$ 个 token 的序列，每个数占 $b$ 字节，KV cache $C$ 有多大？不要取近似，直接写字节数，或者带上单位：GiB 是 $2^{30}$ 字节，GB 是 $10^9$ 字节。",
        ).fill(begins=models.begin(begins), itself=itself)
        whole = Ask("C", AnswerFormat(Kind.BYTES), label=name_node("C"))
        return Drawn(size + asked, Program(inputs, (cache, *lines), (whole, *asks)))
    heads = draw.choice(_QUERY_HEADS[level])
    return Drawn(
        Text(
            "In grouped-query attention, $h$ query heads share $h_{\\text{kv}}$ KV heads of the same width.",
            "GQA 让 $h$ 个 query head 共用 $h_{\\text{kv}}$ 个同样宽的 KV head。",
        )
        + asked,
        Program((("h", heads), ("h_kv", draw.choice(_fewer(heads)))), lines, asks),
    )


def _gqa_conversion(draw: Draw) -> Drawn:
    """Draw a model with grouped queries of which the width of a head has to be found first."""
    heads = draw.choice((12, 14, 15, 18, 20, 21, 24, 25, 27, 28, 30, 36, 40, 42, 45, 48, 50, 56, 60))
    kv_heads = draw.choice(_fewer(heads)[1:])
    inputs = (
        ("L", draw.integer(14, 60)),
        ("d_model", heads * draw.choice((48, 64, 80, 96, 112, 144, 160))),
        ("h", heads),
        ("h_kv", kv_heads),
        ("S", draw.choice((640, 768, 960, 1200, 1440, 1536, 1600, 1920, 2400, 3072, 3200, 3600, 4800, 6000))),
        ("B", draw.choice((3, 5, 6, 7, 9, 10, 11, 12))),
        ("b", draw.choice((1, 2, 4))),
    )
    return Drawn(
        Text(
            "A model has $L$ layers of width $d_{\\text{model}}$. In each, the width is divided evenly among $h$ query heads, which share $h_{\\text{kv}}$ KV heads, each as wide as one of them (grouped-query attention). How large is the KV cache $C$ of the whole model for $B$ sequences of $S$ tokens each, at $b$ bytes per number? Answer exactly, in bytes or with a unit: GiB is $2^{30}$ bytes, GB is $10^9$. How many parameters $n$ do the four projections of one layer have, without biases? Compare both with multi-head attention, where each of the $h$ heads has its own keys and values: give {ratios}, grouped over multi-head, as fractions or to {n} decimals.",
            "某个模型有 $L$ 层，宽 $d_{\\text{model}}$。每层由 $h$ 个 query head 平分这个宽度，它们共用 $h_{\\text{kv}}$ 个同样宽的 KV head（GQA）。$B$ 条 $S$ 个 token 的序列，每个数占 $b$ 字节，整个模型的 KV cache $C$ 有多大？不要取近似，直接写字节数，或者带上单位：GiB 是 $2^{30}$ 字节，GB 是 $10^9$ 字节。一层的四个投影一共有多少参数（$n$，不计偏置）？再与每个 head 都有自己的 key 和 value 的 MHA（也是 $h$ 个 head）相比，求{ratios}，即 GQA 除以 MHA，写成分数，或保留 {n} 位小数。",
        ).fill(
            ratios=Text(" and ".join(each.en for each in _RATIOS.values()), "和".join(each.zh for each in _RATIOS.values())),
            n=4,
        ),
        Program(
            inputs,
            (
                call("d_head", "head_dimension", "d_model", "h"),
                call("C", "kv_cache_bytes", "L", "h_kv", "d_head", "S", "B", "b"),
                call("n", "attention_parameters", "d_model", "h", "h_kv", biases="no"),
                call("r", "gqa_ratio", "h", "h_kv"),
                call("p", "gqa_ratio", "h", "h_kv", of="parameters"),
            ),
            (
                Ask("C", AnswerFormat(Kind.BYTES), label=name_node("C")),
                Ask("n", _COUNT, label=name_node("n")),
                Ask("r", _SHARE, label=name_node("r")),
                Ask("p", _SHARE, label=name_node("p")),
            ),
        ),
    )


_DECODERS = (
    models.TRANSFORMER_BASE,
    models.TRANSFORMER_BIG,
    models.GPT2_MEDIUM,
    models.GPT2_LARGE,
    models.GPT2_XL,
    models.LLAMA3_70B,
)
"""Decoders whose number of layers is not their number of heads."""


# Decoding ----------------------------------------------------------------------------------------------------------------

_LENGTHS = {
    1: (*range(4, 41), 50, 60, 70, 80, 90, 100, 110, 120, 150, 200, 300, 400, 500, 600, 800, 1000),
    2: (25, 32, 45, 48, 50, 55, 60, 64, 75, 80, 96, 100, 120, 128, 150, 200, 250, 256, 300, 500, 512),
    4: (50, 64, 100, 120, 128, 150, 200, 250, 256, 300, 350, 384, 400, 500, 512, 600, 700, 750, 768, 800, 900, 1000, 1024),
}
_WITH = Text("$D_1$: with a KV cache.", "$D_1$：有 KV cache。")
_WITHOUT = {
    "whole": Text(
        "$D_2$: without a cache, where all queries are scored anew and the whole matrix is computed, masked cells too.",
        "$D_2$：没有 cache，所有 query 重新打分，整个矩阵都算，被遮住的格子也算。",
    ),
    "causal": Text(
        "$D_2$: without a cache, where all queries are scored anew, but only the cells that the causal mask keeps.",
        "$D_2$：没有 cache，所有 query 重新打分，但只算 causal mask 保留的格子。",
    ),
}


def _decode_cost(draw: Draw, level: int) -> Drawn:
    if level == 3:
        return _decode_cost_of_steps(draw)
    mask = draw.choice(("whole", "causal"))
    which: tuple[int, ...] = draw.choice(((1,), (2,), (2,), (1, 2), (1, 2))) if level == 1 else (1, 2)
    length = draw.choice(_LENGTHS[level])
    scope = Text("in one head of one layer", "在一层的一个 head 里")
    name = Text("A decoder", "某个解码器")
    names: tuple[str, ...] = ()
    known: tuple[tuple[str, int], ...] = ()
    if level == 2:
        names, known = ("h",), (("h", draw.choice((4, 6, 8, 12, 16, 20, 32))),)
        scope = Text("in all $h$ heads of one layer", "在一层的全部 $h$ 个 head 里")
    elif level == 4:
        model = draw.choice(_DECODERS)
        name = Text(model.name, f"{model.name} ")
        names, known = ("h", "L"), (("h", model.heads), ("L", model.layers))
        scope = Text("in all $h$ heads of all $L$ layers", "在全部 $L$ 层、每层 $h$ 个 head 里")
    cases = {1: _WITH, 2: _WITHOUT[mask]}
    lines = {
        1: call("D_1", "decode_dot_products", "n", *names),
        2: call("D_2", "decode_dot_products", "n", *names, cache="no", mask=mask),
    }
    asked = cases[which[0]] if len(which) == 1 else cases[1] + cases[2]
    asks = [Ask(f"D_{number}", _COUNT, label=name_node(f"D_{number}")) for number in which]
    if level == 2:
        asks += [ask_order(f"D_{number}", "n") for number in which]
        asked += Text(
            "Also give the order of growth of each with $n$ (big $O$).", "再用大 $O$ 记号分别写出两者随 $n$ 增长的量级。"
        )
    return Drawn(
        Text(
            "{name} has $n$ tokens, the newest included, and computes the token after it. How many dot products of a query and a key does this step take, {scope}? {cases}",
            "{name}已有 $n$ 个 token（包括最新的一个），要算下一个 token。这一步，{scope}要做多少次 query 与 key 的点积？{cases}",
        ).fill(name=name, scope=scope, cases=asked),
        Program(
            (("n", length), *known),
            tuple(lines[number] for number in which),
            tuple(asks),
        ),
    )


def _decode_cost_of_steps(draw: Draw) -> Drawn:
    """Draw a decoder with grouped queries, of which the last step is counted, and the last few together."""
    mask = draw.choice(("whole", "causal"))
    length = draw.choice((75, 90, 96, 120, 135, 140, 150, 160, 175, 180, 190, 210, 225, 240, 260, 275, 280, 310, 320, 350, 360))
    heads = draw.choice((10, 12, 14, 15, 16, 18, 20, 24, 25, 28, 30))
    inputs = (
        ("L", draw.integer(6, 40)),
        ("h", heads),
        ("h_kv", draw.choice(_fewer(heads)[1:])),
        ("n", length),
        ("m", draw.integer(11, 60)),
    )
    return Drawn(
        Text(
            "A decoder has $L$ layers, in each of which $h$ query heads share $h_{\\text{kv}}$ KV heads. It has $n$ tokens, the newest included, and computes the token after it. How many dot products of a query and a key does this step take, in all layers and heads? {cases} And $T$: how many do the last $m$ steps take together, this one included, with a KV cache, in one query head of one layer? At each of these steps the sequence is one token longer.",
            "某个解码器有 $L$ 层，每层 $h$ 个 query head 共用 $h_{\\text{kv}}$ 个 KV head。已有 $n$ 个 token（包括最新的一个），要算下一个 token。这一步，所有层、所有 head 一共要做多少次 query 与 key 的点积？{cases}另求 $T$：每走一步序列长一个 token，有 KV cache 时，最近 $m$ 步（包括这一步）在一层的一个 query head 里一共要做多少次？",
        ).fill(cases=_WITH + _WITHOUT[mask]),
        Program(
            inputs,
            (
                call("D_1", "decode_dot_products", "n", "h", "L"),
                call("D_2", "decode_dot_products", "n", "h", "L", cache="no", mask=mask),
                call("T", "causal_count", "m", "n"),
            ),
            tuple(Ask(node, _COUNT, label=name_node(node)) for node in ("D_1", "D_2", "T")),
        ),
        remark=Text(
            "Each step scores one query against all tokens so far. The last $m$ of them fill the last $m$ rows of the matrix that one pass over all $n$ tokens would score under a causal mask.",
            "每一步都是一个 query 对到此为止的全部 token 打分；最近 $m$ 步合起来，就是 $n$ 个 token 一次处理完、带 causal mask 的分数矩阵的最后 $m$ 行。",
        ),
    )


DRILLS = (
    Drill(
        "gqa-ratio",
        "7.15",
        Text("What grouped queries save", "GQA 省下多少"),
        "0",
        (1, 2, 3, 4),
        _gqa_ratio,
        hints=(
            Text(
                "For each quantity, ask whether it goes with the query heads or with the KV heads.",
                "先看每个量随 query head 的个数走，还是随 KV head 的个数走。",
            ),
            Text(
                "The cache holds keys and values alone; of the projections, $W_Q$ and $W_O$ stay as they are.",
                "cache 里只有 key 和 value；投影里 $W_Q$ 和 $W_O$ 不变。",
            ),
            Text(
                "Cache: $h_{\\text{kv}} / h$. Parameters: $(h + h_{\\text{kv}}) / 2h$.",
                "cache：$h_{\\text{kv}} / h$。参数：$(h + h_{\\text{kv}}) / 2h$。",
            ),
        ),
        revised=(Revised(4, "1", partial(_gqa_ratio, published=False)),),
    ),
    Drill(
        "decode-cost",
        "7.15",
        Text("Dot products for the next token", "生成下一个 token 的点积次数"),
        "1",
        (1, 2, 3, 4),
        _decode_cost,
        hints=(
            Text(
                "Count the queries that are scored, and how many keys each is scored against.",
                "数一数有多少个 query 要打分，每个要对多少个 key 打分。",
            ),
            Text(
                "With a cache only the newest query is scored, against all keys, its own included. Steps before this one had fewer keys.",
                "有 cache 时只有最新的 query 要打分，对全部 key，包括自己的；此前的各步，key 要少一些。",
            ),
            Text(
                "Per head: $n$ with a cache, $n^2$ without, or $n(n+1)/2$ where masked cells are left out.",
                "每个 head：有 cache 是 $n$ 次，没有是 $n^2$ 次；不算被遮住的格子，就是 $n(n+1)/2$ 次。",
            ),
        ),
    ),
)
