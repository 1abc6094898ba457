"""A power of a size more or less: what a wrong order of growth comes to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from question_bank.program import Call
from question_bank.text import Text
from solvers.hand import Array, Hand, Number
from solvers.operations.base import Operation, symbol

if TYPE_CHECKING:
    from torch import Tensor


class TimesPower(Operation):
    """``times_power(N, S)``: N · S, or N / S with ``power`` −1."""

    name = "times_power"
    section = "7.4"
    section = "7.4"
    title = Text("Change the power", "改变次数")
    reason = Text("A factor more or less changes the order by one power.", "多一个或少一个因子，次数就差 1。")

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        N, S = map(symbol, line.arguments)
        return (
            rf"{symbol(line.node)} = {N} \cdot {S}" if line.parameter("power", 1) == 1 else rf"{symbol(line.node)} = {N} / {S}"
        )

    def torch(self, N: Tensor, S: Tensor, power: int = 1) -> Tensor:
        """Multiply, or divide."""
        return N * S if power == 1 else N / S

    def by_hand(self, hand: Hand, N: Number, S: Number, power: int = 1) -> Array:
        """Multiply, or divide."""
        if power == 1:
            return hand.product(hand.label(), None, (N, S), Text("one factor more", "多乘一次"))
        return hand.quotient(hand.label(), None, N, S, Text("one factor less", "除以一次"))


OPERATIONS = (TimesPower(),)
