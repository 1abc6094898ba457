"""Whether a problem tells the right answer and every catalogued mistake apart."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations

from question_bank.program import AnswerFormat, Asked, Kind, Nested, Program, cells
from solvers import run
from solvers.comparing import Expected, cells_of, dimensions_of, replay_values
from solvers.display import show_number
from solvers.mistakes import Slip
from solvers.operations.listings import pairs
from solvers.reading.model import Cell
from solvers.scenario import WITHOUT_TOLERANCE, Scenario, Solved, same_shape

RIGHT = "right"
"""The name of the right answer among the mistakes."""

Pair = frozenset[str]


@dataclass(frozen=True, slots=True)
class _Region:
    """Every typed number that one cell would accept: an interval and some points beside it."""

    low: Fraction
    high: Fraction
    points: frozenset[Fraction]
    special: str = ""

    def meets(self, other: _Region) -> bool:
        if self.special or other.special:
            return self.special == other.special
        if self.low <= other.high and other.low <= self.high:
            return True
        return (
            any(other.low <= point <= other.high for point in self.points)
            or any(self.low <= point <= self.high for point in other.points)
            or not self.points.isdisjoint(other.points)
        )


def _region(one: Expected, replays: Sequence[Sequence[float]], cell: int) -> _Region:
    if not math.isfinite(one.number):
        return _Region(Fraction(0), Fraction(0), frozenset(), special=repr(one.number))
    reach = Fraction(0) if one.ends else one.unit
    return _Region(one.value - reach, one.value + reach, frozenset(replay_values(replays, cell, one.digits)))


class _Outcome:
    """What one way of answering gives for a part, with the regions made when first needed."""

    def __init__(self, name: str, slip: Slip | None, scenario: Scenario, part: int) -> None:
        self.name = name
        self.slip = slip
        self._scenario = scenario
        self._part = part
        self._regions: list[_Region] | None = None
        self.result = scenario.results[part]
        self.shape = dimensions_of(self.result)

    @property
    def regions(self) -> list[_Region]:
        if self._regions is None:
            replays = self._scenario.replays(self._part)
            self._regions = [_region(one, replays, i) for i, one in enumerate(self._scenario.expected(self._part))]
        return self._regions

    def meets(self, other: _Outcome, kind: Kind) -> bool:
        """Tell whether some typed answer would be accepted as either."""
        if kind in (*WITHOUT_TOLERANCE, Kind.YES_NO, Kind.LINE):
            return bool(self.result == other.result)
        if not same_shape(self.shape, other.shape):
            return False
        return all(mine.meets(theirs) for mine, theirs in zip(self.regions, other.regions, strict=True))

    def would_pass_as_coarse(self, other: _Outcome, form: AnswerFormat) -> bool:
        """Tell whether the other's answer, as displayed, reads as this one rounded to too few digits."""
        if form.kind in (*WITHOUT_TOLERANCE, Kind.YES_NO, Kind.LINE) or not same_shape(self.shape, other.shape):
            return False
        own = self._scenario.expected(self._part)
        if form.kind is Kind.EXPRESSION:
            form = replace(form, kind=Kind.NUMBER)  # as decimals: a closed form is no coarse answer
        for one, number in zip(own, cells_of(other.result), strict=True):
            if not math.isfinite(number):
                return False
            text = show_number(number, form)
            typed = Cell(Fraction(text), len(text.partition(".")[2]), None) if form.kind is not Kind.BYTES else None
            if typed is None or not (one.accepts(typed.value) or one.is_rounded(typed)):
                return False
        return True


def _outcomes(true: Solved, part: int) -> Iterator[_Outcome]:
    yield _Outcome(RIGHT, None, true, part)
    names: dict[str, int] = {}
    several = len(true.program.asks) > 1
    for slip, scenario in true.slips(part):
        if several and not slip.local:
            continue  # seen, and named, in the earlier part
        try:
            name = f"{slip.mistake}@{slip.node}"
            outcome = _Outcome(name, slip, scenario, 0)
        except (run.RunError, ValueError):
            continue
        names[name] = names.get(name, 0) + 1
        if names[name] > 1:
            outcome.name = f"{name}#{names[name]}"
        yield outcome


def meeting_pairs(program: Program) -> tuple[set[Pair], set[Pair]]:
    """Find which outcomes can't be told apart.

    Args:
        program: A problem's program.

    Returns:
        The pairs that some answer fits both of, and all pairs that were looked at; ``right`` is the right answer, and a
        mistake is named with its node, ``scale.by-d_k@Z``.
    """
    true = Solved(program)
    meeting: set[Pair] = set()
    looked_at: set[Pair] = set()
    for part, ask in enumerate(program.asks):
        for first, second in combinations(_outcomes(true, part), 2):
            if (
                first.slip
                and second.slip
                and (first.slip.mistake, first.slip.sentence) == (second.slip.mistake, second.slip.sentence)
            ):
                continue  # one mistake written down in two ways
            pair = frozenset((f"{first.name}/{part}", f"{second.name}/{part}"))
            looked_at.add(pair)
            if first.meets(second, ask.format.kind) or (first.slip is None and first.would_pass_as_coarse(second, ask.format)):
                meeting.add(pair)
    return meeting, looked_at


def is_trivial(program: Program) -> bool:
    """Tell whether an answer shows nothing: all its cells alike, one of the inputs itself, or no line at all.

    Nor is attention to be worked out whole where two tokens get the same output, or a weight has a row or column of zeros.
    """
    inputs = [run.floats(value) for _, value in program.inputs if isinstance(value, tuple)]
    rows = inputs + [row for value in inputs if isinstance(value[0], list) for row in value]
    for ask, result in zip(program.asks, run.answers(program), strict=True):
        if ask.format.kind is Kind.LINE and not _shows(program, ask.node, int(result)):
            return True  # nobody sees the mistake planted in the listing
        if ask.asked is Asked.SHAPE or not isinstance(result, list):
            continue
        if ask.format.kind is Kind.MATRIX and _is_poor(program, ask.node, result):
            return True
        flat = [cell for _, cell in cells(_as_tuple(result))]
        if len(flat) > 1 and len(set(flat)) == 1:
            return True
        if len(program.asks) == 1 and result in rows:
            return True
    return False


SEEN = 5e-4
"""Numbers that are nearer than this look alike where three decimals are printed."""


def _shows(program: Program, node: str, number: int) -> bool:
    """Tell whether the first line of a listing that differs, of the number given, looks different too."""
    if not number:
        return False
    given, right = (run.values(program)[name] for name in pairs(program.lines[node].arguments)[number - 1])
    if given.shape != right.shape or given.is_meta:
        return bool(given.shape != right.shape)
    return not bool(((given - right).abs() <= SEEN).all())


def _is_poor(program: Program, node: str, output: list[list[float]]) -> bool:
    """Tell whether the output of attention has two rows that look alike, or comes of a weight with a line of zeros."""
    made = program.lines.get(node)
    if made is None or made.operation != "mix":
        return False
    rows = combinations(output, 2)
    if any(all(abs(a - b) <= SEEN for a, b in zip(one, other, strict=True)) for one, other in rows):
        return True
    weights = (line.arguments[1] for line in program.calls if line.operation == "project")
    given = (program.values.get(name) for name in weights)
    matrices = [run.floats(one) for one in given if isinstance(one, tuple)]
    return any(not any(line) for matrix in matrices for line in (*matrix, *zip(*matrix, strict=True)))


def _as_tuple(value: list[object] | object) -> Nested:
    return tuple(_as_tuple(part) for part in value) if isinstance(value, list) else value  # type: ignore[return-value]
