"""One way of running a program, with what it gives for each part prepared for comparison, lazily."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from contextlib import suppress
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from typing import TYPE_CHECKING

from question_bank.program import Asked, Kind, Program, Shape
from solvers import run
from solvers.comparing import Expected, Match, all_right, cells_of, compare, dimensions_of, expect, replay_values
from solvers.display import YES, show, show_expected
from solvers.growing import order
from solvers.hand import Array
from solvers.mistakes import Slip, slips
from solvers.reading.model import Answer
from solvers.symbolic import same_sizes, typed_sizes

if TYPE_CHECKING:
    from torch import Tensor

WITHOUT_TOLERANCE = (Kind.SHAPE, Kind.NAMED_SHAPE, Kind.ORDER)
"""Answers that are the same as what is expected, or not: no numbers that could be rounded."""


class Scenario:
    """A program, run with some values of the learner's own put in.

    Attributes:
        program: What is run.
        overrides: Values that stand in for computed ones.
    """

    def __init__(
        self,
        program: Program,
        overrides: run.Overrides = run.NO_OVERRIDES,
        base: Scenario | None = None,
    ) -> None:
        """Prepare; nothing is run yet.

        Args:
            program: What to run.
            overrides: Values that stand in for computed ones.
            base: A program most of whose lines are the same, run with the same values put in or with none: the run goes on
                from there.
        """
        self.program = program
        self.overrides = overrides
        self._base = base
        self._by_hand: dict[int, dict[str, Array]] = {}
        self._expected: dict[int, tuple[Expected, ...]] = {}
        self._replays: dict[int, list[list[float]]] = {}
        self._reached: dict[tuple[int, int], Set[Fraction]] = {}
        self._shown: dict[int, str] = {}

    @cached_property
    def environment(self) -> dict[str, Tensor]:
        """Every node's tensor.

        Raises:
            RunError: The program can't be run.
        """
        base = self._base
        return run.values(self.program, self.overrides, base.so_far if base else None, alike=self._is_alike(base))

    def _is_alike(self, base: Scenario | None) -> bool:
        return base is not None and base.overrides is self.overrides

    @property
    def so_far(self) -> tuple[Program, Mapping[str, Tensor]] | None:
        """The program with its nodes, for another run to start from; None before it was run, or where it can't be."""
        return (self.program, self.environment) if "environment" in vars(self) else None

    @cached_property
    def results(self) -> list[Array]:
        """What is asked, part by part."""
        found = run.asked(self.program, self.environment)
        return [
            _times_100(value)
            if ask.format.kind is Kind.PERCENT
            else order(self.program, ask.node, ask.format)
            if ask.format.kind is Kind.ORDER
            else value
            for ask, value in zip(self.program.asks, found, strict=True)
        ]

    def expected(self, part: int) -> tuple[Expected, ...]:
        """Return the cells expected of a part."""
        if part not in self._expected:
            form = self.program.asks[part].format
            self._expected[part] = tuple(expect(number, form) for number in cells_of(self.results[part]))
        return self._expected[part]

    def replays(self, part: int) -> Sequence[Sequence[float]]:
        """Return a part's cells as a person reaches them who rounds on the way, at the asked digits and at one more."""
        if part not in self._replays:
            self._replays[part] = [cells for more in (0, 1) if (cells := self._replay(part, more)) is not None]
        return self._replays[part]

    def reached(self, part: int, cell: int) -> Set[Fraction]:
        """Return the values that a person reaches who rounds on the way, for one cell of a part."""
        if (part, cell) not in self._reached:
            counted = self.program.asks[part].format.kind in (Kind.INTEGER, Kind.BYTES, Kind.LINE)  # counts have no tolerance
            replays = [] if counted else self.replays(part)
            self._reached[part, cell] = replay_values(replays, cell, self.expected(part)[cell].digits)
        return self._reached[part, cell]

    def shown(self, part: int) -> str:
        """Return a part's answer as displayed."""
        if part not in self._shown:
            form = self.program.asks[part].format
            if form.kind in WITHOUT_TOLERANCE:
                self._shown[part] = show(self.results[part], form)
            else:
                cells = iter(self.expected(part))
                self._shown[part] = _written(self.results[part], lambda: show_expected(next(cells), form))
        return self._shown[part]

    def _replay(self, part: int, more: int) -> list[float] | None:
        ask = self.program.asks[part]
        if ask.asked is Asked.SHAPE or any(isinstance(value, Shape) for _, value in self.program.inputs):
            return None
        cells = self.expected(part)
        percent = ask.format.kind is Kind.PERCENT
        digits = (max(cell.digits for cell in cells) if cells else 0) + more + (2 if percent else 0)
        try:
            value = run.at(self._replayed(digits)[ask.node], ask.index)
        except (ValueError, IndexError, ArithmeticError):
            return None  # a mistake may have no form by hand, where its shapes don't meet
        return list(cells_of(_times_100(value) if percent else value))

    def _replayed(self, digits: int) -> dict[str, Array]:
        """Return every node as a person reaches it who rounds on the way."""
        if digits not in self._by_hand:
            base = self._base
            while base and base._base and not (digits in base._by_hand or base.overrides):
                base = base._base
            before: tuple[Program, dict[str, Array]] | None = None
            if base is not None:
                with suppress(ValueError, IndexError, ArithmeticError):
                    before = base.program, base._replayed(digits)
            self._by_hand[digits] = run.replay(self.program, digits, self.overrides, before, alike=self._is_alike(base))
        return self._by_hand[digits]

    def matches(self, answer: Answer, part: int) -> list[Match] | None:
        """Compare a typed answer with a part, cell by cell; None where it has another shape.

        Raises:
            RunError: The program can't be run.
        """
        result = self.results[part]
        if answer.format.kind is Kind.SHAPE:
            typed = [cell.value for cell in answer.cells]
            size = max(len(typed), len(result))
            return [
                Match.RIGHT if i < len(typed) and i < len(result) and typed[i] == result[i] else Match.WRONG
                for i in range(size)
            ]
        if answer.format.kind is Kind.NAMED_SHAPE:
            right = same_sizes(typed_sizes(answer.word, answer.format), result)
            return [Match.RIGHT if one else Match.WRONG for one in right]
        if answer.format.kind in (Kind.YES_NO, Kind.ORDER):
            return [Match.RIGHT if self.accepts(answer, part) else Match.WRONG]
        if not same_shape(answer.dimensions, dimensions_of(result)):
            return None
        return compare(answer.cells, self.expected(part), partial(self.reached, part))

    def accepts(self, answer: Answer, part: int) -> bool:
        """Tell whether every cell of a typed answer is right."""
        try:
            if answer.format.kind is Kind.SHAPE:
                return bool([cell.value for cell in answer.cells] == self.results[part])
            if answer.format.kind is Kind.NAMED_SHAPE:
                return all(same_sizes(typed_sizes(answer.word, answer.format), self.results[part]))
            if answer.format.kind is Kind.ORDER:
                return bool(answer.word == self.results[part])
            if answer.format.kind is Kind.YES_NO:
                return bool((answer.word == YES) == (self.results[part] != 0))
            return same_shape(answer.dimensions, dimensions_of(self.results[part])) and all_right(
                answer.cells, self.expected(part), partial(self.reached, part)
            )
        except (run.RunError, ValueError):
            return False

    def is_near(self, answer: Answer, part: int) -> bool:
        """Tell whether an accepted answer has a number that only a machine could mean by one that ends."""
        if answer.format.kind in (*WITHOUT_TOLERANCE, Kind.YES_NO):
            return False
        return any(one.is_dust(cell.value) for cell, one in zip(answer.cells, self.expected(part), strict=True))


def _written(value: Array, write: Callable[[], str]) -> str:
    return "[" + ", ".join([_written(part, write) for part in value]) + "]" if isinstance(value, list) else write()


def same_shape(typed: tuple[int, ...], expected: tuple[int, ...]) -> bool:
    """Tell whether two shapes agree; a single row or column may be typed as a vector, and the reverse."""
    if typed == expected:
        return True
    plain = [tuple(size for size in shape if size != 1) for shape in (typed, expected)]
    return plain[0] == plain[1] and len(plain[0]) <= 1


def _times_100(value: Array) -> Array:
    return [_times_100(part) for part in value] if isinstance(value, list) else value * 100


class Solved(Scenario):
    """The program as it is meant, with its mistakes; kept from call to call."""

    def __init__(self, program: Program) -> None:
        """Prepare; nothing is run yet."""
        super().__init__(program)
        self._slips: dict[int, list[tuple[Slip, Scenario]]] = {}
        self._run: dict[tuple[str, str, str], Scenario] = {}

    def slips(self, part: int) -> list[tuple[Slip, Scenario]]:
        """Return the mistakes of a part that can be made on these numbers, the local ones first."""
        if part not in self._slips:
            found = sorted(slips(self.program, part), key=lambda slip: not slip.local)
            self._slips[part] = [(slip, self._made(slip)) for slip in found]
        return self._slips[part]

    def _made(self, slip: Slip) -> Scenario:
        """Prepare a mistake; where an earlier part was looked at with it, the run goes on from there."""
        key = slip.mistake, slip.node, slip.sentence.en
        earlier = self._run.get(key, self)
        self._run[key] = Scenario(slip.program, base=earlier if earlier.so_far else self)
        return self._run[key]


@lru_cache(maxsize=128)
def solved(program: Program) -> Solved:
    """Return the solved program; the same object for equal programs, as long as it is remembered."""
    return Solved(program)
