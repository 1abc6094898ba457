"""Cells under a causal mask, and what a kernel keeps that never stores the scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from question_bank.program import Call, Program
from question_bank.text import Text
from solvers.hand import Array, Hand, Number
from solvers.operations.base import Mistake, Operation, only_if, only_with, symbol, with_parameters
from solvers.operations.counting import Count, Term, left_out, triangle_by_hand

if TYPE_CHECKING:
    from torch import Tensor


def _cached(_program: Program, line: Call) -> bool:
    """Tell whether there are keys before the first query. In a square the wrong side of the diagonal gives the other count."""
    return len(line.arguments) > 1


class CausalCount(Operation):
    """``causal_count(S)`` or ``causal_count(S_q, S_k)``: cells of the scores that a causal mask keeps, or masks.

    Of S × S cells S(S + 1)/2 are kept and S(S − 1)/2 masked. With S_q queries, the last of S_k positions (a KV cache holds the
    others; the mask is aligned bottom-right), S_q(S_q − 1)/2 are masked and S_q·S_k less that kept.

    Parameters: ``of`` is ``kept`` or ``masked``; ``diagonal`` is ``kept``, or ``masked`` for the mistake; ``align`` is
    ``bottom-right``, or ``top-left`` for the mistake; ``cells`` is ``triangle``, or ``whole`` for the mistake of counting all.
    """

    name = "causal_count"
    section = "7.17"
    title = Text("Count the cells under a causal mask", "计算 causal mask 保留或遮住的格数")
    reason = Text(
        "Position $i$ sees itself and the $i - 1$ before it, so the rows keep $1, 2, \\ldots, S$ cells. The diagonal is kept. Queries that come after cached positions see all of these too.",
        "第 $i$ 个位置能看到自己和前面 $i - 1$ 个，所以各行保留 $1, 2, \\ldots, S$ 格；对角线保留。前面若有缓存的位置，也全都能看到。",
    )
    mistakes = (
        Mistake(
            "causal_count.diagonal",
            Text(
                "You counted the diagonal on the wrong side: a causal mask keeps it",
                "你把对角线算错了边：causal mask 保留对角线",
            ),
            with_parameters(diagonal="masked"),
        ),
        Mistake(
            "causal_count.whole",
            Text("You counted all cells; a part of them is masked", "你把所有格子都算了，而其中一部分被遮住"),
            with_parameters(cells="whole"),
        ),
        Mistake(
            "causal_count.other",
            Text("You counted the masked cells; the kept ones are asked for", "你数的是遮住的格子，问的是保留的"),
            only_if(_cached, only_with("of", "kept", "kept", with_parameters(of="masked"))),
        ),
        Mistake(
            "causal_count.kept",
            Text("You counted the kept cells; the masked ones are asked for", "你数的是保留的格子，问的是遮住的"),
            only_if(_cached, only_with("of", "masked", "kept", with_parameters(of="kept"))),
        ),
        Mistake(
            "causal_count.aligned-left",
            Text(
                "You let the first query see one key only; the cached positions are before it",
                "你让第一个 query 只看到一个 key，而缓存里的位置都在它前面",
            ),
            only_if(_cached, with_parameters(align="top-left")),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        S, *keys = map(symbol, line.arguments)
        masked = rf"\frac{{{S} ({S} - 1)}}{{2}}"
        if line.parameter("of", "kept") == "masked":
            return f"{symbol(line.node)} = {masked}"
        return f"{symbol(line.node)} = " + (rf"{S} {keys[0]} - {masked}" if keys else rf"\frac{{{S} ({S} + 1)}}{{2}}")

    def torch(
        self,
        S: Tensor,
        S_k: Tensor | None = None,
        of: str = "kept",
        diagonal: str = "kept",
        align: str = "bottom-right",
        cells: str = "triangle",
    ) -> Tensor:
        """Count the triangle, with the diagonal or without."""
        whole = S * (S if S_k is None else S_k)
        if cells == "whole":
            return whole
        if S_k is None:
            return S * (S + (1 if of == diagonal else -1)) / 2
        kept = S * (S + (1 if diagonal == "kept" else -1)) / 2
        if align == "bottom-right":
            kept = kept + S * (S_k - S)
        return kept if of == "kept" else whole - kept

    def by_hand(
        self,
        hand: Hand,
        S: Number,
        S_k: Number | None = None,
        of: str = "kept",
        diagonal: str = "kept",
        align: str = "bottom-right",
        cells: str = "triangle",
    ) -> Array:
        """Count the triangle, with the diagonal or without; take it from the whole where there are cached keys."""
        if cells == "whole":
            return S * (S if S_k is None else S_k)
        if S_k is None:
            return triangle_by_hand(hand, hand.name(0, "S"), S, 1 if of == diagonal else -1)
        if align == "top-left":
            kept = S * (S + 1) / 2
            return kept if of == "kept" else S * S_k - kept
        one = -1 if diagonal == "kept" else 1
        rows, columns = hand.name(0, "S_q"), hand.name(1, "S_k")
        if of == "masked":
            return triangle_by_hand(hand, rows, S, one)
        whole = hand.product(f"{rows} · {columns}", None, (S, S_k), Text("all cells", "所有格子"))
        masked = triangle_by_hand(hand, rows, S, one, label=f"{rows}({rows} − 1)/2")
        return hand.difference(hand.label(), None, whole, masked, Text("all cells less the masked ones", "所有格子减去遮住的"))


class RowStatistics(Count):
    """``row_statistics(B, h, S)``: numbers that a fused kernel keeps of the softmax of one layer, a few for each query.

    FlashAttention (Dao et al. 2022) keeps the maximum and the sum of each row of the scores, 2 · B · h · S numbers; of the
    second version (Dao 2023) only the log-sum-exp is left, B · h · S. The scores themselves are never stored.

    Parameters: ``each`` is 2 or 1; ``heads`` and ``batch`` are ``all``, or ``one`` for the mistakes; ``keys`` is ``none``, or
    ``all`` for the mistake of storing the whole matrix.
    """

    name = "row_statistics"
    section = "7.15"
    title = Text("Count what is kept for each row", "计算每行保留的数")
    reason = Text(
        "The scores are computed block by block on the chip and thrown away. What is kept grows only with the number of rows: a few numbers for each query of each head.",
        "分数是在片上分块算出来的，用完即弃；保留下来的只随行数增长：每个 head 的每个 query 只有几个数。",
    )
    mistakes = (
        Mistake(
            "row_statistics.whole-matrix",
            Text(
                "You counted whole rows of scores; they are never stored here",
                "你把整行的分数都算了进去，而这里根本不存分数",
            ),
            with_parameters(keys="all"),
        ),
        Mistake(
            "row_statistics.one-head",
            Text("You counted one head; each has rows of its own", "你只算了一个 head，而每个 head 都有自己的行"),
            left_out(1, heads="one"),
        ),
        Mistake(
            "row_statistics.one-sequence", Text("You left out the batch", "你漏乘了 batch 里的序列数"), left_out(0, batch="one")
        ),
        Mistake(
            "row_statistics.one-of-two",
            Text("You counted one number per row; two are kept", "每行你只算了一个数，而要保留两个"),
            only_with("each", 2, 2, with_parameters(each=1)),
        ),
        Mistake(
            "row_statistics.two-for-one",
            Text("You counted two numbers per row; one is kept", "每行你算了两个数，而只保留一个"),
            only_with("each", 1, 2, with_parameters(each=2)),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        each = [str(line.parameter("each", 2))] if line.parameter("each", 2) != 1 else []
        return rf"{symbol(line.node)} = " + r" \cdot ".join([*each, *map(symbol, line.arguments)])

    def terms(
        self, B: Any, h: Any, S: Any, each: int = 2, heads: str = "all", batch: str = "all", keys: str = "none"
    ) -> list[Term]:
        """Return the one product."""
        say = Text("numbers per row × sequences × heads × queries", "每行的个数 × 序列数 × head 数 × query 数")
        if each == 1:
            say = Text("sequences × heads × queries", "序列数 × head 数 × query 数")
        kept = [*([B] if batch == "all" else []), *([h] if heads == "all" else []), S]
        more = [S] if keys == "all" else [each] if each > 1 else []
        return [Term("", [*more, *kept], say)]


OPERATIONS = (CausalCount(), RowStatistics())
