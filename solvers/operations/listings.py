"""Comparing a listing with what it should be, line by line."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from question_bank.program import Ask, Call, Program
from question_bank.text import Text
from solvers.hand import Array, Hand
from solvers.operations.base import Edit, Edited, Mistake, Operation, symbol
from solvers.shapes import ShapeError

if TYPE_CHECKING:
    from torch import Tensor

NEAR = 1e-9
"""Numbers that are nearer than this, for their size, are the same number computed in another order."""


def pairs(arguments: Sequence[Any]) -> list[tuple[Any, Any]]:
    """Return the arguments two by two: what a line gives, and what it should give."""
    return list(zip(arguments[::2], arguments[1::2], strict=True))


def _each(found: str) -> Edit:
    """Edit: a line of some kind is given, the first one, the second one, and so on."""

    def edit(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
        for nth in range(1, len(line.arguments) // 2 + 1):
            yield Edited(replace(program, asks=(ask,)).with_call(line.with_parameters(find=found, nth=nth)))

    return edit


class FirstDifference(Operation):
    """``first_difference(Q, Q′, S, S′, ...)``: the number of the first pair of nodes that differ, from 1; 0 for none.

    Nodes known by their shapes differ where these do.

    Parameters: ``find`` is ``first``; the mistakes are ``later`` (the ``nth`` of the pairs that differ behind the first),
    ``before`` (the pair in front of the first that differs) and ``sound`` (the ``nth`` of the other pairs that are alike).
    """

    name = "first_difference"
    section = "7.13"
    title = Text("Compare each line with what it should give", "逐行对照正确结果")
    reason = Text(
        "From the top: a line that gives what it should is right. The first one that doesn't contains the mistake, because everything it was given was right. A later line may be right in itself and only pass the difference on.",
        "从上往下看：结果正确的行没有问题。第一个结果不对的行就是写错的行，因为它用到的都是对的。后面的行结果虽然不对，本身可能没错，只是沿用了前面的结果。",
    )
    compares = True
    mistakes = (
        Mistake(
            "first_difference.later",
            Text(
                "That line is right; it only passes on what an earlier line got wrong",
                "这一行本身没错，它只是沿用了前面某一行的错误结果",
            ),
            _each("later"),
        ),
        Mistake(
            "first_difference.before",
            Text("That line still gives what it should; the mistake is in the next one", "到这一行结果还是对的，错在下一行"),
            lambda program, line, ask: iter(
                (Edited(replace(program, asks=(ask,)).with_call(line.with_parameters(find="before"))),)
            ),
        ),
        Mistake(
            "first_difference.sound",
            Text("That line gives what it should", "这一行的结果是对的"),
            _each("sound"),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        return rf"{symbol(line.node)} = \min\,\{{i : L_i \neq R_i\}}"

    def torch(self, *nodes: Tensor, find: str = "first", nth: int = 1) -> Tensor:
        """Compare; nodes without content by their shapes."""
        import torch

        def alike(one: Tensor, other: Tensor) -> bool:
            if one is other or one.shape != other.shape or one.is_meta:
                return one.shape == other.shape
            return torch.allclose(one, other, rtol=NEAR, atol=NEAR, equal_nan=True)

        return torch.tensor(float(_found([alike(*pair) for pair in pairs(nodes)], find, nth)), dtype=torch.float64)

    def by_hand(self, hand: Hand, *nodes: Array, find: str = "first", nth: int = 1) -> Array:
        """Compare number by number."""
        return 0 * hand.pi + _found([_alike(*pair) for pair in pairs(nodes)], find, nth)


def _alike(one: Array, other: Array) -> bool:
    if one is other:
        return True
    if isinstance(one, list) or isinstance(other, list):
        both = isinstance(one, list) and isinstance(other, list) and len(one) == len(other)
        return both and all(_alike(*each) for each in zip(one, other, strict=True))
    first, second = float(one), float(other)
    if math.isnan(first) or math.isnan(second):
        return math.isnan(first) and math.isnan(second)
    return first == second or (math.isfinite(first - second) and abs(first - second) <= NEAR + NEAR * abs(second))


def _found(alike: Sequence[bool], find: str, nth: int) -> int:
    """Find a pair, given which are alike.

    Raises:
        ShapeError: There is none of the kind looked for.
    """
    differing = [number for number, same in enumerate(alike, 1) if not same]
    first = differing[0] if differing else 0
    if find == "first":
        return first
    candidates = {
        "later": differing[1:],
        "before": [first - 1] if first > 1 else [],
        "sound": [number for number, same in enumerate(alike, 1) if same and number != first - 1],
    }[find]
    if len(candidates) < nth:
        raise ShapeError("there is no such line")
    return candidates[nth - 1]


OPERATIONS = (FirstDifference(),)
