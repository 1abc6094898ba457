"""The softmax block by block, and the memory that this saves (7.15)."""

from __future__ import annotations

import math
from fractions import Fraction

from question_bank import models
from question_bank.drills.base import Draw, Drawn, Drill, ask_order, decimal, log_of, name_node
from question_bank.exact import Exact, to_float
from question_bank.program import AnswerFormat, Ask, Kind, Nested, Program, call
from question_bank.text import Text

_COUNT = AnswerFormat(Kind.INTEGER, decimals=0)


# Merging -----------------------------------------------------------------------------------------------------------------


def _maxima(draw: Draw, level: int) -> tuple[Exact, Exact]:
    """Draw two different maxima; at level 1 the exponential of their difference is a fraction."""
    if level == 1:
        small = draw.integer(1, 3)
        return draw.shuffled((log_of(small), log_of(small * draw.integer(2, 5))))[:2]  # type: ignore[return-value]
    unit = 100 if level == 2 else 10
    low, gap = draw.integer(-2 * 100 // unit, 3 * 100 // unit), draw.integer(1, 2 if level == 2 else 15)
    first, second = draw.shuffled((low, low + gap))
    return decimal(unit * first), decimal(unit * second)


def _sums(draw: Draw, level: int) -> tuple[int | Fraction, int | Fraction]:
    """Draw sums of exponentials, which are 1 at least."""
    step, most = (50, 4) if level == 1 else (10, 20)
    return decimal(100 + step * draw.integer(0, most)), decimal(100 + step * draw.integer(0, most))


def _even(maxima: tuple[Exact, Exact], sums: tuple[int | Fraction, int | Fraction]) -> bool:
    """Tell whether the sum of the whole row divides 20, so that averages have few digits; the maxima are logarithms."""
    first, second = (round(math.exp(to_float(own))) for own in maxima)
    total = (first * sums[0] + second * sums[1]) / Fraction(max(first, second))
    return (20 / total).denominator == 1


_NORMALISED = Text(
    "the output $o_i$, already divided by $l_i$ (the weighted average of the values of the block)",
    "输出 $o_i$，它已经除以 $l_i$（即块内 value 的加权平均）",
)
_SUMMED = Text(
    "the output $o_i$, not yet divided by $l_i$ (the sum of $e^{s - m_i} v$ over the block)",
    "输出 $o_i$，它还没有除以 $l_i$（即块内 $e^{s - m_i} v$ 之和）",
)


def _online_softmax(draw: Draw, level: int) -> Drawn:
    width = 3 if level == 3 else 2
    output = "normalised" if level == 1 else draw.choice(("normalised", "sum"))
    maxima, sums = draw.until(lambda: (_maxima(draw, level), _sums(draw, level)), lambda made: level > 1 or _even(*made))
    low, high = (0, 9) if level < 3 else (-4, 9)
    blocks: list[tuple[str, Nested]] = []
    for number in (1, 2):
        vector = draw.vector(width, low, high)
        blocks += [(f"m_{number}", maxima[number - 1]), (f"l_{number}", sums[number - 1]), (f"o_{number}", vector)]
    names = tuple(name for name, _ in blocks)
    asks = (
        Ask("l", AnswerFormat(Kind.NUMBER, decimals=3), label=name_node("l")),
        Ask("o", AnswerFormat(Kind.VECTOR, decimals=3, dimensions=(width,)), label=name_node("o")),
    )
    return Drawn(
        Text(
            "The keys of one query come in two blocks. Of block $i$ you know the largest score $m_i$, the sum $l_i$ of $e^{s - m_i}$ over its scores $s$, and {output}. Merge the blocks: give $l$ and $o$ of the whole row in the same form, to {n} decimals.",
            "一个 query 的 key 分成两块。第 $i$ 块已知：最大分数 $m_i$，块内各分数 $s$ 的 $e^{s - m_i}$ 之和 $l_i$，以及{output}。把两块合并，按同样的形式求整行的 $l$ 和 $o$，保留 {n} 位小数。",
        ).fill(output=_NORMALISED if output == "normalised" else _SUMMED, n=3),
        Program(
            tuple(blocks),
            tuple(call(of, "merge_blocks", *names, of=of, output=output) for of in ("l", "o")),
            asks,
        ),
    )


# Memory ------------------------------------------------------------------------------------------------------------------

_MODELS = (
    models.BERT_BASE,
    models.GPT2_SMALL,
    models.GPT2_MEDIUM,
    models.GPT2_LARGE,
    models.GPT2_XL,
    models.LLAMA2_7B,
    models.LLAMA3_70B,
    models.QWEN_7B,
)
_KEPT = {
    2: Text("only the maximum and the sum of exponentials of each row of scores", "每行分数的最大值与指数之和"),
    1: Text("only the log-sum-exp of each row of scores", "每行分数的 log-sum-exp"),
}


_RATIOS = ((3, 2), (5, 2), (7, 2), (9, 2), (6, 5), (7, 5), (8, 5), (9, 5), (3, 1), (5, 1), (6, 1), (10, 1))
"""By how much a sequence becomes longer; squared, each has two decimals at most."""


def _longer_sequence(draw: Draw) -> Drawn:
    """Draw the same counts with the bytes of the one, and what becomes of both with a longer sequence."""
    each, batch, heads = (
        draw.choice((1, 2)),
        draw.choice((2, 3, 5, 6, 7, 9, 12, 18, 24)),
        draw.choice((6, 10, 14, 15, 18, 20, 24, 28)),
    )
    length = draw.choice((160, 240, 320, 400, 480, 560, 640, 720, 880, 960, 1040, 1120, 1200, 1360, 1440))
    more, less = draw.choice(_RATIOS)
    factor = AnswerFormat(Kind.NUMBER, decimals=2)
    return Drawn(
        Text(
            "Self-attention in one layer: $h$ heads on $B$ sequences of $S$ tokens. How many numbers are stored, $N$ where the weights are written out, one matrix for each head, and $M$ where a fused kernel keeps {kept}? Count nothing else. How many bytes are the $N$ weights, at $b$ bytes per number ($C$; exactly, in bytes or with a unit: GiB is $2^{30}$ bytes, GB is $10^9$)? The sequences become $T$ tokens long: by what factors do $N$ and $M$ grow ($f_N$ and $f_M$, to 2 decimals)?",
            "某一层对 $B$ 条 $S$ 个 token 的序列做 self-attention，共 $h$ 个 head。要存多少个数？$N$：把注意力权重整个写出来，每个 head 一个矩阵；$M$：融合 kernel 只保留{kept}。其余一概不计。若每个数占 $b$ 字节，那 $N$ 个权重共占多少字节（$C$）？不要取近似，直接写字节数，或者带上单位：GiB 是 $2^{30}$ 字节，GB 是 $10^9$ 字节。序列加长到 $T$ 个 token 后，$N$ 和 $M$ 各变成原来的多少倍（$f_N$、$f_M$，保留 2 位小数）？",
        ).fill(kept=_KEPT[each]),
        Program(
            (("B", batch), ("h", heads), ("S", length), ("b", draw.choice((2, 4))), ("T", length * more // less)),
            (
                call("N", "score_elements", "B", "h", "S", "S"),
                call("M", "row_statistics", "B", "h", "S", each=each),
                call("C", "score_bytes", "B", "h", "S", "S", "b"),
                call("f_N", "length_factor", "S", "T"),
                call("f_M", "length_factor", "S", "T", of="statistics"),
            ),
            (
                Ask("N", _COUNT, label=name_node("N")),
                Ask("M", _COUNT, label=name_node("M")),
                Ask("C", AnswerFormat(Kind.BYTES), label=name_node("C")),
                Ask("f_N", factor, label=name_node("f_N")),
                Ask("f_M", factor, label=name_node("f_M")),
            ),
        ),
    )


def _flash_memory(draw: Draw, level: int) -> Drawn:
    if level == 3:
        return _longer_sequence(draw)
    each = draw.choice((1, 2))
    name = Text("one attention layer", "一个注意力层")
    if level == 4:
        model = draw.choice(_MODELS)
        name = Text(f"one layer of {model.name}", f"{model.name} 的一层")
        batch, heads = draw.choice((2, 3, 4, 5, 8, 16)), model.heads
        length = draw.choice([size for size in (100, 128, 200, 256, 500, 512, 1000, 1024, 2048, 4096) if size <= model.context])
    elif level == 1:
        batch, heads, length = (
            draw.integer(2, 5),
            draw.choice((2, 3, 4, 5, 6, 8)),
            draw.choice((4, 5, 6, 7, 8, 9, 10, 12, 20, 30, 100)),
        )
    else:
        batch, heads = draw.choice((2, 3, 4, 5, 6, 8, 16)), draw.choice((4, 6, 8, 12, 16, 20))
        length = draw.choice((12, 15, 16, 20, 24, 25, 32, 40, 48, 50, 60, 64, 100, 128))
    asks = [Ask("N", _COUNT, label=name_node("N")), Ask("M", _COUNT, label=name_node("M"))]
    order = Text("", "")
    if level == 2:
        asks += [ask_order("N", "S"), ask_order("M", "S")]
        order = Text(
            " Also give the order of growth of each with $S$ (big $O$).", "再用大 $O$ 记号分别写出两者随 $S$ 增长的量级。"
        )
    return Drawn(
        Text(
            "Self-attention in {name}: $h$ heads on $B$ sequences of $S$ tokens. How many numbers are stored, $N$ where the weights are written out, one matrix for each head, and $M$ where a fused kernel keeps {kept}? Count nothing else.{order}",
            "{name}对 $B$ 条 $S$ 个 token 的序列做 self-attention，共 $h$ 个 head。要存多少个数？$N$：把注意力权重整个写出来，每个 head 一个矩阵；$M$：融合 kernel 只保留{kept}。其余一概不计。{order}",
        ).fill(name=name, kept=_KEPT[each], order=order),
        Program(
            (("B", batch), ("h", heads), ("S", length)),
            (
                call("N", "score_elements", "B", "h", "S", "S"),
                call("M", "row_statistics", "B", "h", "S", each=each),
            ),
            tuple(asks),
        ),
    )


DRILLS = (
    Drill(
        "online-softmax",
        "7.15",
        Text("Merge two blocks of an online softmax", "合并 online softmax 的两个分块"),
        "0",
        (1, 2, 3),
        _online_softmax,
        hints=(
            Text("Each block has subtracted a maximum of its own.", "两块各自减去了自己的最大值。"),
            Text(
                "First bring both to $m = \\max(m_1, m_2)$: block $i$ gets the factor $e^{m_i - m}$.",
                "先统一到 $m = \\max(m_1, m_2)$：第 $i$ 块乘上 $e^{m_i - m}$。",
            ),
            Text(
                "$l = e^{m_1 - m} l_1 + e^{m_2 - m} l_2$. Outputs are added with the same factors; averages are first multiplied by their $l_i$, and the result is divided by $l$.",
                "$l = e^{m_1 - m} l_1 + e^{m_2 - m} l_2$。输出乘同样的系数再相加；若是平均，先乘上各自的 $l_i$，最后除以 $l$。",
            ),
        ),
    ),
    Drill(
        "flash-memory",
        "7.15",
        Text("Numbers stored, with and without the whole matrix", "存与不存权重矩阵，各要存多少个数"),
        "1",
        (1, 2, 3, 4),
        _flash_memory,
        hints=(
            Text(
                "Ask whether something is kept for each pair of tokens or for each row.",
                "先看是每一对 token 存一份，还是每一行存一份。",
            ),
            Text(
                "Weights: a number for each query and each key. Statistics: one or two for each query.",
                "权重：每个 query 对每个 key 一个数。统计量：每个 query 一两个数。",
            ),
            Text(
                "$N = B h S^2$. $M$ is $B h S$, times how many numbers are kept for each row. With $S$ times $r$, the one grows by $r^2$ and the other by $r$.",
                "$N = B h S^2$。$M$ 是 $B h S$ 乘上每行保留的个数。$S$ 变成 $r$ 倍时，前者变成 $r^2$ 倍，后者变成 $r$ 倍。",
            ),
        ),
    ),
)
