"""Counting by closed formulas: what a count is, and the bytes of the KV cache.

Conventions: K and V are both counted; a product of whole numbers is exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from question_bank.program import Ask, Call, Program
from question_bank.text import Text
from solvers.hand import Array, Hand, Number, number_like
from solvers.operations.base import Edit, Edited, Mistake, Operation, rewired, symbol, with_parameters
from solvers.shapes import ShapeError

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True, slots=True)
class Term:
    """One product of a count.

    Attributes:
        label: What the product counts, such as ``W_Q``.
        factors: Whole numbers, or tensors and sympy's numbers that stand for them.
        say: The factors in words.
    """

    label: str
    factors: Sequence[Any]
    say: Text


class Count(Operation):
    """A sum of products of whole numbers, given by its terms once: torch, hand and sympy multiply alike."""

    together: ClassVar[Text] = Text("all together", "合计")

    def terms(self, *numbers: Any, **parameters: Any) -> list[Term]:
        """Return the products that are added up."""
        raise NotImplementedError

    def torch(self, *numbers: Tensor, **parameters: Any) -> Tensor:
        """Multiply and add up."""
        total: Tensor = numbers[0].new_zeros(())
        for term in self.terms(*numbers, **parameters):
            product: Tensor = numbers[0].new_ones(())
            for factor in term.factors:
                product = product * factor
            total = total + product
        return total

    def by_hand(self, hand: Hand, *numbers: Array, **parameters: Any) -> Array:
        """Write each product out, and their sum where there are several."""
        return self.added(hand, hand.label(), self.terms(*numbers, **parameters))

    def added(self, hand: Hand, label: str, terms: Sequence[Term]) -> Array:
        """Write out products and their sum."""
        if len(terms) == 1:
            return hand.product(label, None, terms[0].factors, terms[0].say)
        products = [hand.product(term.label, None, term.factors, term.say) for term in terms]
        return hand.sum(label, None, products, self.together)


def require_shared(whole: Tensor, parts: Tensor) -> None:
    """Refuse a width that can't be shared evenly; where the numbers aren't known, any will do.

    Raises:
        ShapeError: It is not a multiple of the number of parts.
    """
    known = not (whole.is_meta or parts.is_meta)
    if known and not bool(whole % parts == 0):  # of 0, nan or infinity, which a person may have typed, nothing is a multiple
        raise ShapeError(f"{whole.item():g} can't be shared evenly among {parts.item():g}")


def triangle_by_hand(hand: Hand, name: str, n: Number, step: int, label: str | None = None) -> Array:
    """Write out n(n + 1)/2, or n(n − 1)/2 for a step of −1; under the node's label, or another."""
    one = number_like(n, 1)
    if step > 0:
        other = hand.sum(f"{name} + 1", None, (n, one), Text("one more", "加 1"))
    else:
        other = hand.difference(f"{name} − 1", None, n, one, Text("one less", "减 1"))
    pairs = hand.product(
        "", None, (n, other), Text("both triangles, put together into a rectangle", "两个三角形拼成一个长方形")
    )
    return hand.quotient(hand.label() if label is None else label, None, pairs, number_like(n, 2), Text("half of it", "取一半"))


def left_out(position: int, **parameters: str) -> Edit:
    """Edit: a factor is forgotten; no mistake where it is 1."""

    def edit(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
        if program.values.get(line.arguments[position]) != 1:
            yield from with_parameters(**parameters)(program, line, ask)

    return edit


def _query_heads(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
    """Edit: the query heads are counted; no mistake where every head has its own keys and values."""
    if program.values.get("h") not in (None, program.values.get(line.arguments[1])):
        yield from rewired(1, "h")(program, line, ask)


def _beyond_the_window(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
    """Edit: all tokens are counted, although a window of ``W`` is kept; no mistake where nothing lies beyond it."""
    if line.arguments[3] == "W" and program.values.get("S") != program.values.get("W"):
        yield from rewired(3, "S")(program, line, ask)


def decimal_unit(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
    """Edit: the number of GiB is given as one of GB, and likewise for MiB and KiB."""
    for power in (3, 2, 1):
        yield from with_parameters(unit_power=power)(program, line, ask)


def _in_bits(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
    """Edit: bits are counted; not where eight query heads share a KV head, as counting those gives the same number."""
    heads, kv_heads = (program.values.get(name) for name in ("h", line.arguments[1]))
    if not (isinstance(heads, int) and isinstance(kv_heads, int) and heads == 8 * kv_heads):
        yield from with_parameters(unit="bits")(program, line, ask)


class KVCacheBytes(Count):
    """``kv_cache_bytes(layers, kv_heads, d_head, S, B, bytes)``: 2 · layers · kv_heads · d_head · S · B · bytes.

    Parameters: ``copies`` is 2 (K and V), or 1 for the mistake; ``layers`` and ``batch`` are ``all``, or
    ``one`` for the mistakes; ``unit`` is ``bytes``, or ``bits`` for the mistake; with ``unit_power`` n, each 1,024 to the n-th
    of them is taken for 1,000 to the n-th.
    """

    name = "kv_cache_bytes"
    section = "7.15"
    title = Text("Count the bytes of the KV cache", "计算 KV cache 的字节数")
    reason = Text(
        "Every layer keeps one key and one value vector per KV head, per token, per sequence.",
        "每一层都要为每条序列的每个 token，在每个 KV head 里各存一个 key 向量和一个 value 向量。",
    )
    mistakes = (
        Mistake(
            "kv_cache_bytes.keys-only",
            Text("You counted K alone; V is cached too", "你只算了 K，而 V 也要缓存"),
            with_parameters(copies=1),
        ),
        Mistake(
            "kv_cache_bytes.query-heads",
            Text("You counted the query heads; only the KV heads are cached", "你用的是 query head 数，而缓存里只有 KV head"),
            _query_heads,
        ),
        Mistake(
            "kv_cache_bytes.one-layer",
            Text("You counted one layer; every layer has a cache", "你只算了一层，而每一层都有缓存"),
            with_parameters(layers="one"),
        ),
        Mistake(
            "kv_cache_bytes.one-sequence", Text("You left out the batch", "你漏乘了 batch 里的序列数"), left_out(4, batch="one")
        ),
        Mistake(
            "kv_cache_bytes.whole-length",
            Text(
                "You counted all tokens; only those in the window are kept",
                "你算进了所有 token，而缓存只保留窗口里的那些",
            ),
            _beyond_the_window,
        ),
        Mistake("kv_cache_bytes.bits", Text("You counted bits; a byte has 8", "你算的是比特数，1 字节等于 8 比特"), _in_bits),
        Mistake(
            "kv_cache_bytes.decimal-unit",
            Text(
                "You mixed up decimal and binary units: GB is $10^9$ bytes, GiB is $2^{30}$ (MB, MiB and kB, KiB likewise)",
                "你把十进制单位和二进制单位弄混了：GB 是 $10^9$ 字节，GiB 才是 $2^{30}$ 字节（MB 与 MiB、kB 与 KiB 同理）",
            ),
            decimal_unit,
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        return rf"{symbol(line.node)} = 2 \cdot " + r" \cdot ".join(symbol(name) for name in line.arguments)

    def terms(
        self,
        *numbers: Any,
        copies: int = 2,
        layers: str = "all",
        batch: str = "all",
        unit: str = "bytes",
        unit_power: int = 0,
    ) -> list[Term]:
        """Return the one product."""
        number, heads, width, length, sequences, element = numbers
        kept = [copies, *([number] if layers == "all" else []), heads, width, length]
        kept += [sequences] if batch == "all" else []
        say = Text(
            "2 (K and V) × layers × KV heads × head width × tokens × sequences × bytes per number",
            "2（K 和 V）× 层数 × KV head 数 × head 宽度 × token 数 × 序列数 × 每个数的字节数",
        )
        units = [*([8] if unit == "bits" else []), *([1000 / 1024] * unit_power)]
        return [Term("", [*kept, element, *units], say)]


OPERATIONS = (KVCacheBytes(),)
