"""How much room a problem gets to be worked out in."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from question_bank.problem import Problem
from question_bank.program import Ask, Asked, Kind
from quizapp.sheets.plan import OpenQuestion


@dataclass(frozen=True, slots=True)
class _Scale:
    """Millimetres: to begin with, for each number asked, for each computation on the way; and the most there is."""

    start: float
    cell: float
    line: float
    most: float


_LEVELS = {1: _Scale(7, 3, 2, 42), 2: _Scale(10, 4.5, 3.5, 60), 3: _Scale(12, 5, 4, 75), 4: _Scale(14, 5, 3, 45)}
"""In the head, on paper, with a calculator, real sizes (of which only the counting is long)."""

LINES_FOR_A_POINT = 2
MOST_LINES = 8
"""So many that two questions fit on a page."""


def room(problem: Problem) -> float:
    """Return the millimetres between what is given and where the answer goes: by level, by what is asked, by the way there."""
    scale = _LEVELS.get(problem.level, _LEVELS[2])
    program = problem.program
    ways = 1 if any(ask.asked is Asked.SHAPE for ask in program.asks) else len(program.needed(*(a.node for a in program.asks)))
    wanted = scale.start + scale.cell * sum(map(_cells, program.asks)) + scale.line * (ways - 1)
    return round(min(wanted, scale.most), 1)


def _cells(ask: Ask) -> float:
    if ask.asked is Asked.SHAPE:
        return 0.5
    if ask.format.kind in (Kind.YES_NO, Kind.CHOICE, Kind.LINE):
        return 1
    return prod(ask.format.dimensions or (1,))


def lines(question: OpenQuestion) -> int:
    """Return how many lines there are to answer in words on."""
    return min(LINES_FOR_A_POINT * len(question.points), MOST_LINES)
