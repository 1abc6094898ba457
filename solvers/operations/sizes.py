"""Sizes in whole numbers: stored scores, kept and masked cells, head widths, and what sharing KV heads saves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from question_bank.program import Ask, Call, Program
from question_bank.text import Text
from solvers.hand import Array, Hand, Number, number_like
from solvers.operations.base import Edited, Mistake, Operation, only_if, only_with, other_of, symbol, with_parameters
from solvers.operations.counting import Count, Term, decimal_unit, left_out, require_shared, triangle_by_hand

if TYPE_CHECKING:
    from torch import Tensor

_ONE_HEAD = Text("You counted one head; each has its own matrix of scores", "你只算了一个 head，而每个 head 都有自己的分数矩阵")
_ONE_SEQUENCE = Text("You left out the batch", "你漏乘了 batch 里的序列数")


class ScoreElements(Count):
    """``score_elements(B, h, S_q, S_k)``: numbers in the scores (or weights) of one layer, B · h · S_q · S_k.

    Parameters: ``heads`` and ``batch`` are ``all``, or ``one`` for the mistakes.
    """

    name = "score_elements"
    title = Text("Count the scores", "计算分数的个数")
    reason = Text(
        "Each head of each sequence scores every query against every key: a matrix of $S_q \\times S_k$.",
        "每条序列的每个 head，都要让每个 query 给每个 key 打分，得到一个 $S_q \\times S_k$ 的矩阵。",
    )
    mistakes = (
        Mistake("score_elements.one-head", _ONE_HEAD, left_out(1, heads="one")),
        Mistake("score_elements.one-sequence", _ONE_SEQUENCE, left_out(0, batch="one")),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        return rf"{symbol(line.node)} = " + r" \cdot ".join(map(symbol, line.arguments))

    def terms(self, B: Any, h: Any, S_q: Any, S_k: Any, heads: str = "all", batch: str = "all") -> list[Term]:
        """Return the one product."""
        say = Text("sequences × heads × queries × keys", "序列数 × head 数 × query 数 × key 数")
        return [Term("", _cells(B, h, S_q, S_k, heads, batch), say)]


def _cells(B: Any, h: Any, S_q: Any, S_k: Any, heads: str, batch: str) -> list[Any]:
    return [*([B] if batch == "all" else []), *([h] if heads == "all" else []), S_q, S_k]


ELEMENT_SIZES = (4, 2)
"""Bytes of float32, and of float16 or bfloat16: the sizes that are mixed up."""


def _other_size(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
    """Edit: the size of another type is taken; the value must be known to be another."""
    given = program.values.get(line.arguments[4])
    for size in ELEMENT_SIZES:
        if given in ELEMENT_SIZES and size != given:
            for edited in with_parameters(element=size)(program, line, ask):
                yield Edited(edited.program, (("used", str(size)), ("meant", str(given))))


class ScoreBytes(Count):
    """``score_bytes(B, h, S_q, S_k, bytes)``: bytes of the stored scores of one layer; one matrix, not scores and weights.

    Parameters: ``heads`` and ``batch`` are ``all``, or ``one`` for the mistakes; ``element`` is 0 for the size given, or
    another size for the mistake; ``unit`` is ``bytes``, or ``bits`` for the mistake; with ``unit_power`` n, each 1,024 to the
    n-th of them is taken for 1,000 to the n-th.
    """

    name = "score_bytes"
    title = Text("Count the bytes of the scores", "计算分数占用的字节数")
    reason = Text(
        "Each head of each sequence keeps a matrix of $S_q \\times S_k$ numbers, and each number takes as many bytes as its type has.",
        "每条序列的每个 head 都存一个 $S_q \\times S_k$ 的矩阵，每个数占多少字节由数据类型决定。",
    )
    mistakes = (
        Mistake("score_bytes.one-head", _ONE_HEAD, left_out(1, heads="one")),
        Mistake("score_bytes.one-sequence", _ONE_SEQUENCE, left_out(0, batch="one")),
        Mistake(
            "score_bytes.bits",
            Text("You counted bits; a byte has 8", "你算的是比特数，1 字节等于 8 比特"),
            with_parameters(unit="bits"),
        ),
        Mistake(
            "score_bytes.element-size",
            Text("You took {used} bytes per number; it has {meant}", "你按每个数 {used} 字节计算，应当是 {meant} 字节"),
            _other_size,
        ),
        Mistake(
            "score_bytes.decimal-unit",
            Text(
                "You mixed up decimal and binary units: GB is $10^9$ bytes, GiB is $2^{30}$ (MB, MiB and kB, KiB likewise)",
                "你把十进制单位和二进制单位弄混了：GB 是 $10^9$ 字节，GiB 才是 $2^{30}$ 字节（MB 与 MiB、kB 与 KiB 同理）",
            ),
            decimal_unit,
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        return rf"{symbol(line.node)} = " + r" \cdot ".join(map(symbol, line.arguments))

    def terms(
        self,
        B: Any,
        h: Any,
        S_q: Any,
        S_k: Any,
        size: Any,
        heads: str = "all",
        batch: str = "all",
        element: int = 0,
        unit: str = "bytes",
        unit_power: int = 0,
    ) -> list[Term]:
        """Return the one product."""
        say = Text(
            "sequences × heads × queries × keys × bytes per number", "序列数 × head 数 × query 数 × key 数 × 每个数的字节数"
        )
        more = [element or size, *([8] if unit == "bits" else []), *([1000 / 1024] * unit_power)]
        return [Term("", [*_cells(B, h, S_q, S_k, heads, batch), *more], say)]


class CausalCount(Operation):
    """``causal_count(S)``: cells of an S × S matrix that a causal mask keeps, S(S + 1)/2, or masks, S(S − 1)/2.

    Parameters: ``of`` is ``kept`` or ``masked``; ``diagonal`` is ``kept``, or ``masked`` for the mistake.
    """

    name = "causal_count"
    title = Text("Count the cells under a causal mask", "计算因果掩码保留或遮住的格数")
    reason = Text(
        "Position $i$ sees itself and the $i - 1$ before it, so the rows keep $1, 2, \\ldots, S$ cells. The diagonal is kept.",
        "第 $i$ 个位置能看到自己和前面 $i - 1$ 个，所以各行保留 $1, 2, \\ldots, S$ 格；对角线保留。",
    )
    mistakes = (
        Mistake(
            "causal_count.diagonal",
            Text("You counted the diagonal on the wrong side: a causal mask keeps it", "对角线算错了边：因果掩码保留对角线"),
            with_parameters(diagonal="masked"),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        S = symbol(line.arguments[0])
        sign = "+" if line.parameter("of", "kept") == "kept" else "-"
        return rf"{symbol(line.node)} = \frac{{{S} ({S} {sign} 1)}}{{2}}"

    def torch(self, S: Tensor, of: str = "kept", diagonal: str = "kept") -> Tensor:
        """Count the triangle, with the diagonal or without."""
        return S * (S + (1 if of == diagonal else -1)) / 2

    def by_hand(self, hand: Hand, S: Number, of: str = "kept", diagonal: str = "kept") -> Array:
        """Count the triangle, with the diagonal or without."""
        return triangle_by_hand(hand, "S", S, 1 if of == diagonal else -1)


class HeadDimension(Operation):
    """``head_dimension(d_model, h)``: d_model / h, the width of a head; from two of the three, the third.

    Parameters: ``of`` is ``d_k`` (arguments d_model, h), ``h`` (d_model, d_k) or ``d_model`` (h, d_k). ``form`` is
    ``shared``, or ``undivided`` for the mistake of giving every head d_model.
    """

    name = "head_dimension"
    title = Text("Share the width among the heads", "把宽度平分给各个 head")
    reason = Text(
        "The heads share the model's width: $d_{\\text{model}} = h \\cdot d_k$, so more heads are narrower ones.",
        "各个 head 平分模型宽度：$d_{\\text{model}} = h \\cdot d_k$，head 越多，每个就越窄。",
    )
    mistakes = (
        Mistake(
            "head_dimension.undivided",
            Text(
                "You gave every head the whole $d_{\\text{model}}$; each has $d_{\\text{model}} / h$",
                "你让每个 head 都占了整个 $d_{\\text{model}}$，每个只有 $d_{\\text{model}} / h$",
            ),
            only_with("of", "d_k", "d_k", with_parameters(form="undivided")),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        first, second = map(symbol, line.arguments)
        product = line.parameter("of", "d_k") == "d_model"
        return rf"{symbol(line.node)} = " + (rf"{first} \cdot {second}" if product else rf"\frac{{{first}}}{{{second}}}")

    def torch(self, whole: Tensor, part: Tensor, of: str = "d_k", form: str = "shared") -> Tensor:
        """Divide, or multiply."""
        if of == "d_model":
            return whole * part
        require_shared(whole, part)
        return whole * 1 if form == "undivided" else whole / part

    def by_hand(self, hand: Hand, whole: Number, part: Number, of: str = "d_k", form: str = "shared") -> Array:
        """Divide, or multiply."""
        if form == "undivided":
            return hand.taken(hand.label(), None, whole, Text("the whole width", "整个宽度"))
        if of == "d_model":
            return hand.product(hand.label(), None, (whole, part), Text("heads × head width", "head 数 × head 宽度"))
        say = {
            "d_k": Text("model width divided by heads", "模型宽度除以 head 数"),
            "h": Text("model width divided by head width", "模型宽度除以 head 宽度"),
        }
        return hand.quotient(hand.label(), None, whole, part, say[of])


def _shared(program: Program, line: Call) -> bool:
    heads, kv_heads = (program.values.get(name) for name in line.arguments)
    return heads is None or heads != kv_heads


class GQARatio(Operation):
    """``gqa_ratio(h, h_kv)``: what grouped-query attention needs, as a share of multi-head attention with the same h.

    Parameters: ``of`` is ``cache`` (h_kv / h) or ``parameters`` (of all four projections: W_Q and W_O stay, W_K and W_V
    shrink: (h + h_kv) / 2h; no biases). ``form`` is ``share``, or ``inverse`` for the mistake.
    """

    name = "gqa_ratio"
    title = Text("Compare grouped-query with multi-head attention", "比较 GQA 与 MHA")
    reason = Text(
        "The cache holds KV heads alone and shrinks with them. Of the four projections only $W_K$ and $W_V$ shrink; $W_Q$ and $W_O$ serve all query heads.",
        "cache 里只有 KV head，会随之等比缩小；四个投影里只有 $W_K$ 和 $W_V$ 变小，$W_Q$ 和 $W_O$ 仍要服务所有 query head。",
    )
    mistakes = (
        Mistake(
            "gqa_ratio.inverse",
            Text("You gave the inverse: multi-head over grouped-query", "你把比例写倒了：写成了 MHA 比 GQA"),
            only_if(_shared, with_parameters(form="inverse")),
        ),
        Mistake(
            "gqa_ratio.cache",
            Text(
                "You gave the share of the cache; of the parameters $W_Q$ and $W_O$ don't shrink",
                "你给的是 cache 的比例，而参数里 $W_Q$ 和 $W_O$ 不会变小",
            ),
            only_if(_shared, only_with("of", "parameters", "cache", other_of("of", "cache", "parameters"))),
        ),
        Mistake(
            "gqa_ratio.parameters",
            Text(
                "You gave the share of the parameters; the cache holds keys and values alone",
                "你给的是参数的比例，而 cache 里只有 key 和 value",
            ),
            only_if(_shared, only_with("of", "cache", "cache", other_of("of", "cache", "parameters"))),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        h, kv = map(symbol, line.arguments)
        share = rf"\frac{{{h} + {kv}}}{{2 {h}}}" if line.parameter("of", "cache") == "parameters" else rf"\frac{{{kv}}}{{{h}}}"
        return f"{symbol(line.node)} = {share}"

    def torch(self, h: Tensor, h_kv: Tensor, of: str = "cache", form: str = "share") -> Tensor:
        """Divide heads by heads."""
        share = h_kv / h if of == "cache" else (h + h_kv) / (2 * h)
        return share if form == "share" else 1 / share

    def by_hand(self, hand: Hand, h: Number, h_kv: Number, of: str = "cache", form: str = "share") -> Array:
        """Write out what each has, then the quotient."""
        top, bottom = h_kv, h
        say = Text("KV heads over query heads", "KV head 数除以 query head 数")
        if of == "parameters":
            top = hand.sum(
                "h + h_kv",
                None,
                (h, h_kv),
                Text(
                    "$W_Q$ and $W_O$ by $h$, $W_K$ and $W_V$ by $h_{\\text{kv}}$; half of it",
                    "$W_Q$、$W_O$ 按 $h$ 计，$W_K$、$W_V$ 按 $h_{\\text{kv}}$ 计，各取一半",
                ),
            )
            bottom = hand.product(
                "2 · h", None, (number_like(h, 2), h), Text("all four by $h$, likewise", "四个都按 $h$ 计，同样取一半")
            )
            say = Text("grouped-query over multi-head", "GQA 除以 MHA")
        return hand.quotient(hand.label(), None, *((top, bottom) if form == "share" else (bottom, top)), say)


OPERATIONS = (ScoreElements(), ScoreBytes(), CausalCount(), HeadDimension(), GQARatio())
