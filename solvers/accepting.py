"""What the grader accepts, written down for programs that grade without it: intervals, points, and what mistakes give."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from question_bank.problem import Problem
from question_bank.program import Ask, Kind, Program
from question_bank.text import Text
from solvers.answers import Answer, read
from solvers.comparing import Expected, rounded
from solvers.display import show_expected, table
from solvers.following import Earlier, ways
from solvers.grading import grade
from solvers.remarks import expected
from solvers.run import RunError
from solvers.scenario import Scenario, Solved, solved
from solvers.steps import Table
from solvers.verdict import Outcome

_WORDS = (Kind.SHAPE, Kind.NAMED_SHAPE, Kind.YES_NO, Kind.CHOICE, Kind.ORDER)
"""Kinds whose answers are compared as they are written."""


@dataclass(frozen=True, slots=True)
class Interval:
    """Numbers about a value.

    Attributes:
        value: The exact middle.
        reach: How far from it a number may lie, bounds included; 0 where it must be met.
    """

    value: Fraction
    reach: Fraction = Fraction(0)

    def holds(self, number: Fraction) -> bool:
        """Tell whether a number lies in it."""
        return abs(number - self.value) <= self.reach

    def meets(self, other: Interval) -> bool:
        """Tell whether a number lies in both."""
        return abs(self.value - other.value) <= self.reach + other.reach


@dataclass(frozen=True, slots=True)
class AcceptedCell:
    """What is right for one number.

    Attributes:
        number: As computed; may be infinite or ``nan``, and then nothing below counts.
        about: What is right by the tolerance.
        also: What is right besides: reached by rounding on the way, or from earlier parts as they are displayed.
        coarse: The value rounded to fewer digits than asked, where that isn't right.
        shown: The number as displayed.
    """

    number: float
    about: Interval
    also: tuple[Interval, ...]
    coarse: tuple[Fraction, ...]
    shown: str

    def accepts(self, typed: Fraction) -> bool:
        """Tell whether a finite number is right."""
        return math.isfinite(self.number) and any(each.holds(typed) for each in (self.about, *self.also))


@dataclass(frozen=True, slots=True)
class KnownMistake:
    """A mistake that the grader names.

    Attributes:
        mistake: Its id, such as ``scale.by-d_k``.
        message: What the grader says to it.
        shown: The answer that it gives, as displayed.
        cells: Its numbers; empty where the answer is a word, or has another shape than the right one.
    """

    mistake: str
    message: Text
    shown: str
    cells: tuple[AcceptedCell, ...]


@dataclass(frozen=True, slots=True)
class Accepted:
    """What is right for one part of a problem.

    Attributes:
        ask: The part.
        shown: The right answer as displayed, on one line.
        table: The same as nested texts, for drawing.
        dimensions: Of a vector or a matrix; ``()`` for one number.
        cells: Its numbers, row by row; empty where the answer is a word or a shape.
        mistakes: The mistakes that the grader names, in the order in which it looks for them.
    """

    ask: Ask
    shown: Text
    table: Table
    dimensions: tuple[int, ...]
    cells: tuple[AcceptedCell, ...]
    mistakes: tuple[KnownMistake, ...]


def accepted(problem: Problem | Program) -> tuple[Accepted, ...]:
    """Return what is right for each part of a problem, the earlier parts being right.

    Raises:
        RunError: The program can't be run.
    """
    program = problem.program if isinstance(problem, Problem) else problem
    true = solved(program)
    answers = [true.shown(part) for part in range(len(program.asks))]
    return tuple(
        Accepted(
            ask,
            expected(answers[part], ask),
            answers[part] if ask.format.kind in _WORDS else table(true.results[part], ask.format),
            () if ask.format.kind in _WORDS else _dimensions(true.results[part]),
            _cells(true, part, ask, _followed(true, part, answers)),
            tuple(_mistakes(problem, part, answers)),
        )
        for part, ask in enumerate(program.asks)
    )


def _dimensions(value: object) -> tuple[int, ...]:
    return (len(value), *_dimensions(value[0])) if isinstance(value, list) else ()


def _followed(true: Solved, part: int, answers: Sequence[str]) -> tuple[Scenario, ...]:
    """Return what follows from the earlier parts as they are displayed, rounded: a later part may be computed from these."""
    earlier = []
    for shown, ask in zip(answers[:part], true.program.asks[:part], strict=True):
        answer = read(shown, ask.format)
        earlier.append(Earlier(ask, answer if isinstance(answer, Answer) else None, Outcome.RIGHT))
    return tuple(way.scenario for way in ways(true, earlier, true.program.asks[part]))


def _cells(scenario: Scenario, part: int, ask: Ask, others: Sequence[Scenario] = ()) -> tuple[AcceptedCell, ...]:
    if ask.format.kind in _WORDS:
        return ()
    expected = scenario.expected(part)
    others = [other for other in others if len(other.expected(0)) == len(expected)]
    return tuple(
        _cell(one, ask, [*_reached(scenario, part, at), *(each for other in others for each in _right(other, at))])
        for at, one in enumerate(expected)
    )


def _reached(scenario: Scenario, part: int, at: int) -> list[Interval]:
    return [Interval(point) for point in sorted(scenario.reached(part, at))]


def _right(scenario: Scenario, at: int) -> list[Interval]:
    return [_about(scenario.expected(0)[at]), *_reached(scenario, 0, at)]


def _about(one: Expected) -> Interval:
    return Interval(one.value, Fraction(0) if one.ends else one.unit)


def _cell(one: Expected, ask: Ask, others: Sequence[Interval]) -> AcceptedCell:
    shown, about = show_expected(one, ask.format), _about(one)
    if not math.isfinite(one.number):
        return AcceptedCell(one.number, about, (), (), shown)
    also: list[Interval] = []
    for each in others:
        within = any(abs(each.value - known.value) + each.reach <= known.reach for known in (about, *also))
        if not within:
            also.append(each)
    fewer = {rounded(one.value, digits) for digits in range(min(one.digits, 12))}
    right = (about, *also)
    coarse = tuple(sorted(each for each in fewer if each and not any(known.holds(each) for known in right)))
    return AcceptedCell(one.number, about, tuple(also), coarse, shown)


def _mistakes(problem: Problem | Program, part: int, answers: list[str]) -> list[KnownMistake]:
    """Give each mistake's answer to the grader, and keep those that it names."""
    program = problem.program if isinstance(problem, Problem) else problem
    found: list[KnownMistake] = []
    seen = {answers[part]}
    right = solved(program).results[part]
    for slip, scenario in solved(program).slips(part):
        if len(answers) > 1 and not slip.local:
            continue  # named in the earlier part
        try:
            shown = scenario.shown(0)
        except (RunError, ValueError):
            continue  # it can't be made on these numbers
        if shown in seen:
            continue
        seen.add(shown)
        verdict = grade(problem, [*answers[:part], shown, *answers[part + 1 :]]).parts[part]
        if verdict.outcome is Outcome.KNOWN_MISTAKE and verdict.mistake:
            ask = slip.program.asks[0]
            alike = _dimensions(scenario.results[0]) == _dimensions(right)
            found.append(KnownMistake(verdict.mistake, verdict.message, shown, _cells(scenario, 0, ask) if alike else ()))
    return found
