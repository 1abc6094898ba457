"""Counts added up: what several parts come to together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from question_bank.program import Ask, Call, Program
from question_bank.text import Text
from solvers.hand import Array, Hand, Number
from solvers.operations.base import Edited, Mistake, Operation, symbol

if TYPE_CHECKING:
    from torch import Tensor


def _one_left_out(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
    """Edit: one of the parts is forgotten."""
    for position, part in enumerate(line.arguments):
        others = (*line.arguments[:position], *line.arguments[position + 1 :])
        changed = replace(program, asks=(ask,)).with_call(replace(line, arguments=others))
        yield Edited(changed, (("meant", symbol(part)),))


class Total(Operation):
    """``total(a, b, ...)``: a + b + ..., numbers that were counted apart."""

    name = "total"
    title = Text("Add the parts up", "各部分相加")
    reason = Text(
        "Nothing is counted in two of the parts, and nothing lies outside them: their sum is the whole.",
        "各部分互不重复，也没有遗漏，加起来就是总数。",
    )
    mistakes = (Mistake("total.left-out", Text("You didn't count in ${meant}$", "你漏加了 ${meant}$"), _one_left_out),)

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        return f"{symbol(line.node)} = " + " + ".join(map(symbol, line.arguments))

    def torch(self, *parts: Tensor) -> Tensor:
        """Add up."""
        whole = parts[0] * 1
        for part in parts[1:]:
            whole = whole + part
        return whole

    def by_hand(self, hand: Hand, *parts: Number) -> Array:
        """Write the sum out."""
        return hand.sum(hand.label(), None, parts, Text("all together", "合计"))


OPERATIONS = (Total(),)
