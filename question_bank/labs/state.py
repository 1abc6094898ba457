"""What a person has made of a lab's program: plain data, which the solvers run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from question_bank.exact import Exact, Expression, NotANumberError, is_finite, to_fraction
from question_bank.program import Call, Nested, Program, Shape, shape_of

Index = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Knob:
    """By how much an input changes, and how far.

    Attributes:
        step: What is added or taken away.
        times: Instead: what it is multiplied with or divided by.
        least: The smallest value.
        most: The largest.
    """

    step: Any = 1
    times: int | None = None
    least: Any = -99
    most: Any = 99

    def turned(self, value: Exact, ways: int) -> Exact | None:
        """Return the next value up or down; None where that is beyond the bounds, or the value is infinite."""
        if not is_finite(value):
            return None
        number = _rational(value)
        new = number * Fraction(self.times) ** ways if self.times is not None else number + self.step * ways
        return _plain(new) if self.allows(new) and new != number else None

    def allows(self, value: Exact) -> bool:
        """Tell whether a value lies within the bounds; infinities and nan do, where the knob is not one that counts."""
        if not is_finite(value):
            return self.times is None and self.least < 0
        try:
            return bool(self.least <= to_fraction(value) <= self.most)
        except NotANumberError:
            return False


def _rational(value: Exact) -> Fraction:
    """Return a number as a fraction; ln 2 as the two decimals that are typed for it."""
    fraction = to_fraction(value)
    return round(fraction * 100) / Fraction(100) if isinstance(value, Expression) else fraction


def _plain(value: Fraction) -> Exact:
    return value.numerator if value.denominator == 1 else value


@dataclass(frozen=True, slots=True)
class Swapped:
    """A catalogued mistake that is made.

    Attributes:
        mistake: Its id.
        node: The node that comes out wrong first.
        place: Which of several of that id at the node, from 0.
    """

    mistake: str
    node: str
    place: int = 0


@dataclass(frozen=True)
class LabState:
    """A program with changes.

    Attributes:
        program: The program as it was at the start.
        inputs: Inputs that have another value now.
        lines: Lines that stand in for those of the same node.
        off: Nodes of steps that are switched off; their lines are among ``lines``.
        mistake: The mistake that is made on top of it.
        decimals: Decimals of the numbers shown; None for as many as worked steps have.
    """

    program: Program
    inputs: tuple[tuple[str, Nested | Shape], ...] = ()
    lines: tuple[Call, ...] = ()
    off: frozenset[str] = frozenset()
    mistake: Swapped | None = None
    decimals: int | None = None

    @property
    def changed(self) -> Program:
        """The program with its changes; the mistake is left to the solvers."""
        program = self.program.with_inputs(**dict(self.inputs))
        for line in self.lines:
            program = program.with_call(line)
        return program

    @property
    def is_changed(self) -> bool:
        """Whether anything differs from the start."""
        return bool(self.inputs or self.lines or self.mistake)

    def value(self, name: str) -> Nested | Shape:
        """Return an input as it is now."""
        return dict(self.inputs).get(name, self.program.values[name])

    def cell(self, name: str, index: Index) -> Exact:
        """Return a number of an input as it is now.

        Raises:
            IndexError: There is no such number.
        """
        value: Any = self.value(name)
        value = value.dimensions if isinstance(value, Shape) else value
        for place in index:
            if not isinstance(value, tuple):
                raise IndexError(index)
            value = value[place]
        if isinstance(value, tuple):
            raise IndexError(index)
        number: Exact = value
        return number

    def with_cell(self, name: str, index: Index, number: Exact) -> LabState:
        """Return the state with one number of an input replaced."""
        value = self.value(name)
        if isinstance(value, Shape):
            dimensions = _put(value.dimensions, index, number)
            return self.with_changes(((name, Shape(dimensions)),))
        return self.with_changes(((name, _put(value, index, number)),))

    def with_changes(
        self, inputs: tuple[tuple[str, Nested | Shape], ...] = (), lines: tuple[Call, ...] = (), off: Sequence[str] = ()
    ) -> LabState:
        """Return the state with inputs and lines replaced; what equals the start again counts as unchanged."""
        values = dict(self.inputs) | dict(inputs)
        calls = {line.node: line for line in self.lines} | {line.node: line for line in lines}
        return replace(
            self,
            inputs=tuple((name, value) for name, value in values.items() if value != self.program.values.get(name)),
            lines=tuple(line for line in calls.values() if line != self.program.lines.get(line.node)),
            off=(self.off - {line.node for line in lines}) | set(off),
        )

    def switched(self, line: Call) -> LabState:
        """Switch a step off, for which a line stands in, or on again."""
        if line.node in self.off:
            kept = tuple(each for each in self.lines if each.node != line.node)
            return replace(self, lines=kept, off=self.off - {line.node}, mistake=None)
        return replace(self.with_changes((), (line,), (line.node,)), mistake=None)


def _put(value: Any, index: Index, number: Exact) -> Any:
    if not index:
        return number
    place, rest = index[0], index[1:]
    return (*value[:place], _put(value[place], rest, number), *value[place + 1 :])


def rank_of(value: Nested | Shape) -> int:
    """Return how many indices lead to a number of an input; a shape is a row of sizes."""
    return 1 if isinstance(value, Shape) else len(shape_of(value))
