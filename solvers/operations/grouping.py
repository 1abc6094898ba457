"""Grouped queries: few heads of keys and values, each serving several query heads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from question_bank.program import Ask, Call, Program
from question_bank.text import Text
from solvers.hand import Array, Hand
from solvers.operations.base import Edited, Mistake, Operation, dropped, rewire, symbol, with_parameters
from solvers.shapes import require_multiple

if TYPE_CHECKING:
    from torch import Tensor


def _left_grouped(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
    """Edit: there are as many query heads as KV heads, all the way; for what is made of the repeated heads."""
    split = program.lines.get(line.arguments[0])
    keys = program.lines.get(split.arguments[0]) if split is not None and split.operation == "split_heads" else None
    if ask.node == line.node or split is None or keys is None or keys.operation != "project":
        return
    heads = [one for one in program.calls if one.operation == "split_heads" and one.arguments[1] == line.arguments[1]]
    changed = replace(program, asks=(ask,))
    for one in heads:
        queries = program.lines[one.arguments[0]]
        changed = changed.with_call(rewire(queries, 1, keys.arguments[1])).with_call(rewire(one, 1, split.arguments[1]))
    for one in program.calls:
        if one.operation == line.operation:
            changed = changed.with_call(Call(one.node, "same", one.arguments[:1]))
    yield Edited(changed)


class RepeatHeads(Operation):
    """``repeat_heads(K, h)``: [.., h_kv, S, d_k] to [.., h, S, d_k], each KV head h / h_kv times in a row.

    Of values, likewise. Query head i then meets KV head ⌊i · h_kv / h⌋, as in Llama's ``repeat_kv``.

    Parameters: ``form`` is ``repeated``, or ``times-h`` ([.., h_kv · h, S, d_k]) for the mistake.
    """

    name = "repeat_heads"
    section = "7.15"
    title = Text("Repeat the KV heads for their query heads", "把 KV head 重复给同组的 query head")
    reason = Text(
        "A group of $h / h_{\\text{kv}}$ query heads reads the same keys and values, so each KV head is repeated that often; nothing is learned or stored for the copies.",
        "每 $h / h_{\\text{kv}}$ 个 query head 为一组，共用同一份 key 和 value，所以每个 KV head 重复这么多次；副本既没有参数，也不进缓存。",
    )
    mistakes = (
        Mistake(
            "repeat_heads.forgotten",
            Text(
                "You left the KV heads as they are; each is repeated for its group", "你没有重复 KV head，每一个都要在组内重复"
            ),
            dropped(),
        ),
        Mistake(
            "repeat_heads.kv-heads",
            Text(
                "You went on with the KV heads alone; every query head attends for itself",
                "你只按 KV head 数往下算，而每个 query head 都要各自做注意力",
            ),
            _left_grouped,
        ),
        Mistake(
            "repeat_heads.times-h",
            Text(
                "You repeated every KV head $h$ times; with $h / h_{\\text{kv}}$ times there are $h$ of them",
                "你把每个 KV head 都重复了 $h$ 次，重复 $h / h_{\\text{kv}}$ 次就有 $h$ 个了",
            ),
            with_parameters(form="times-h"),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        return rf"{symbol(line.node)} = \mathrm{{repeat}}({symbol(line.arguments[0])}, {symbol(line.arguments[1])})"

    def torch(self, K: Tensor, h: Tensor | int, form: str = "repeated") -> Tensor:
        """Repeat each head in a row."""
        heads, kv_heads = int(h), K.shape[-3]
        require_multiple(heads, "h", kv_heads, "h_kv")
        return K.repeat_interleave(heads if form == "times-h" else heads // kv_heads, dim=-3)  # [.., h, S, d_k]

    def by_hand(self, hand: Hand, K: Array, h: Any, form: str = "repeated", **_: Any) -> Array:
        """Write each head as often as its group has query heads."""
        times = int(h) if form == "times-h" else int(h) // len(K)
        return [head for head in K for _ in range(times)]


OPERATIONS = (RepeatHeads(),)
