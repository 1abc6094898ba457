"""The general lab over a problem at hand: its program, all of whose inputs can be changed."""

from __future__ import annotations

from fractions import Fraction

from question_bank.exact import is_finite, to_fraction
from question_bank.labs.lab import Dial, Look, Scene, View
from question_bank.labs.state import LabState
from question_bank.problem import Problem
from question_bank.program import Nested, Shape, cells

MOST_TIMES = 16
"""How many times as large as in the problem a number may become."""

HEATED = frozenset(("softmax", "top_k", "top_p"))
"""Operations whose result is weights."""


def scene_of(problem: Problem) -> Scene:
    """Return the scene of a problem."""
    values = dict(problem.program.inputs)
    return Scene(
        looks=(Look(problem.prompt),),
        dials={name: _dial(value) for name, value in values.items()},
        views={line.node: View.HEAT for line in problem.program.calls if line.operation in HEATED},
    )


def start_of(problem: Problem) -> LabState:
    """Return a problem's program as it is at the start."""
    return LabState(problem.program)


def _dial(value: Nested | Shape) -> Dial:
    if isinstance(value, Shape):
        return Dial(least=1, most=MOST_TIMES * max(value.dimensions, default=1))
    numbers = [to_fraction(number) for _, number in cells(value) if is_finite(number)]
    largest = max(map(abs, numbers), default=Fraction(1))
    most = max(9, MOST_TIMES * int(largest + 1))
    is_size = not isinstance(value, tuple) and isinstance(value, int) and value >= 1
    return Dial(step=_step(numbers), least=1 if is_size else -most, most=most)


def _step(numbers: list[Fraction]) -> int | str:
    """Return a step that fits the numbers: 1 for whole ones, else a half or less."""
    if all(number.denominator == 1 for number in numbers):
        return 1
    return "1/2" if max(map(abs, numbers)) >= 2 else "1/10"
