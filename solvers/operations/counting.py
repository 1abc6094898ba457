"""Sizes and bytes from closed formulas. Conventions: K and V are both counted; a product of whole numbers is exact."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from question_bank.program import Ask, Call, Program
from question_bank.text import Text
from solvers.hand import Array, Hand
from solvers.operations.base import Edited, Mistake, Operation, rewired, symbol, with_parameters

if TYPE_CHECKING:
    from torch import Tensor


def _query_heads(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
    """Edit: the query heads are counted; no mistake where every head has its own keys and values."""
    if program.values.get("h") not in (None, program.values.get(line.arguments[1])):
        yield from rewired(1, "h")(program, line, ask)


def _one_sequence(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
    """Edit: the batch is left out; no mistake where it is one sequence."""
    if program.values.get(line.arguments[4]) != 1:
        yield from with_parameters(batch="one")(program, line, ask)


class KVCacheBytes(Operation):
    """``kv_cache_bytes(layers, kv_heads, d_head, S, B, bytes)``: 2 · layers · kv_heads · d_head · S · B · bytes.

    Parameters: ``copies`` is 2 (K and V), or 1 for the mistake; ``layers`` and ``batch`` are ``all``, or
    ``one`` for the mistakes.
    """

    name = "kv_cache_bytes"
    title = Text("Count the bytes of the KV cache", "计算 KV cache 的字节数")
    reason = Text(
        "Every layer keeps one key and one value vector per KV head, per token, per sequence.",
        "每一层、每个 KV 头、每个 token、每条序列都要存一个 key 向量和一个 value 向量。",
    )
    mistakes = (
        Mistake(
            "kv_cache_bytes.keys-only",
            Text("You counted K alone; V is cached too", "你只算了 K，V 也要缓存"),
            with_parameters(copies=1),
        ),
        Mistake(
            "kv_cache_bytes.query-heads",
            Text("You counted the query heads; only the KV heads are cached", "你用了 query 头数，缓存的只有 KV 头"),
            _query_heads,
        ),
        Mistake(
            "kv_cache_bytes.one-layer",
            Text("You counted one layer; every layer has a cache", "你只算了一层，每一层都有缓存"),
            with_parameters(layers="one"),
        ),
        Mistake("kv_cache_bytes.one-sequence", Text("You forgot the batch", "你漏了 batch"), _one_sequence),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        return rf"{symbol(line.node)} = 2 \cdot " + r" \cdot ".join(symbol(name) for name in line.arguments)

    def _factors(self, arguments: tuple[Any, ...], copies: int = 2, layers: str = "all", batch: str = "all") -> list[Any]:
        number, heads, width, length, sequences, element = arguments
        kept = [copies, *([number] if layers == "all" else []), heads, width, length]
        kept += [sequences] if batch == "all" else []
        return [*kept, element]

    def torch(self, *arguments: Tensor, **parameters: Any) -> Tensor:
        """Multiply the factors."""
        element, *factors = reversed(self._factors(arguments, **parameters))
        product: Tensor = element
        for factor in factors:
            product = product * factor
        return product

    def by_hand(self, hand: Hand, *arguments: Array, **parameters: Any) -> Array:
        """Write the product out."""
        say = Text(
            "K and V × layers × KV heads × head width × tokens × sequences × bytes",
            "K 和 V 两份 × 层数 × KV 头数 × 每头宽度 × token 数 × 序列数 × 字节数",
        )
        return hand.product(hand.label(), None, self._factors(arguments, **parameters), say)


OPERATIONS = (KVCacheBytes(),)
