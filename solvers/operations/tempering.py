"""How sharp the weights are: the temperature, and the largest weight."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from question_bank.program import Ask, Call, Program
from question_bank.text import Text
from solvers.hand import Array, Hand, Number
from solvers.operations.base import (
    Edited,
    Mistake,
    Operation,
    after_softmax,
    dropped,
    rewired,
    symbol,
    term,
    with_parameters,
)
from solvers.operations.scoring import each_cell

if TYPE_CHECKING:
    from torch import Tensor


class Temperature(Operation):
    """``temperature(z, T)``: z / T, before the softmax.

    Parameters: ``by`` is ``divided``, or ``times`` for the mistake.
    """

    name = "temperature"
    section = "7.10"
    title = Text("Divide by the temperature", "除以温度")
    reason = Text(
        "A temperature below 1 drives the scores apart and sharpens the softmax; above 1 it evens the weights out.",
        "温度小于 1，分数的差距拉大，softmax 更尖锐；大于 1，权重更平均。",
    )
    aligned = (0,)
    mistakes = (
        Mistake(
            "temperature.times",
            Text("You multiplied by the temperature instead of dividing", "你乘了温度，应当除以温度"),
            with_parameters(by="times"),
        ),
        Mistake("temperature.forgotten", Text("You left out the temperature", "你没有用上温度"), dropped()),
        Mistake(
            "temperature.after-softmax",
            Text(
                "You divided the weights by the temperature; the scores are divided, before the softmax",
                "你把权重除以了温度，应当在 softmax 之前把分数除以温度",
            ),
            after_softmax(),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        return rf"{symbol(line.node)} = \frac{{{symbol(line.arguments[0])}}}{{{symbol(line.arguments[1])}}}"

    def torch(self, z: Tensor, T: Tensor, by: str = "divided") -> Tensor:
        """Divide."""
        return z * T if by == "times" else z / T

    def by_hand(self, hand: Hand, z: Array, T: Number, by: str = "divided") -> Array:
        """One quotient a score."""
        say = Text("score divided by the temperature", "分数除以温度")

        def cell(value: Number, *index: int) -> Number:
            row = index[0] if len(index) > 1 else 0
            if by == "times":
                return hand.product(hand.label(*index), row, (value, T), say)
            return hand.quotient(hand.label(*index), row, value, T, say)

        return each_cell(z, cell)


def _scaled_ones(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
    """Edit: the largest of the scaled weights is given where the plain ones are asked."""
    scaled = {one.node for one in program.calls if one.operation == "scale"}
    own = program.lines.get(line.arguments[0])
    if own is None or set(own.arguments) & scaled:
        return
    others = [one.node for one in program.calls if one.operation == "softmax" and set(one.arguments) & scaled]
    yield from rewired(0, *others)(program, line, ask)


class Largest(Operation):
    """``largest(p)``: the largest of a row of weights [n].

    Parameters: ``which`` is ``largest``, or ``smallest`` for the mistake.
    """

    name = "largest"
    section = "7.9"
    title = Text("Take the largest weight", "取最大的权重")
    reason = Text(
        "A largest weight near 1 means that the softmax is saturated: its derivatives $p_i (1 - p_i)$ are near 0, and hardly any gradient comes through.",
        "最大权重接近 1，说明 softmax 已经饱和：导数 $p_i (1 - p_i)$ 接近 0，梯度几乎传不过去。",
    )
    mistakes = (
        Mistake(
            "largest.scaled",
            Text(
                "You scaled the scores first; here they go into the softmax as they are",
                "你先做了缩放，这里要直接对原分数做 softmax",
            ),
            _scaled_ones,
        ),
        Mistake(
            "largest.smallest",
            Text("You gave the smallest weight, not the largest", "你给的是最小的权重，应当是最大的"),
            with_parameters(which="smallest"),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        return rf"{symbol(line.node)} = \max_i {term(line.arguments[0])}"

    def torch(self, p: Tensor, which: str = "largest") -> Tensor:
        """Take the extreme."""
        return p.amin(-1) if which == "smallest" else p.amax(-1)

    def by_hand(self, hand: Hand, p: Array, which: str = "largest") -> Array:
        """Take the extreme."""
        if which == "smallest":
            return hand.smallest(hand.label(), None, p, self.title)
        return hand.largest(hand.label(), None, p, self.title)


OPERATIONS = (Temperature(), Largest())
