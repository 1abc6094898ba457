"""How much room a problem gets to be worked out in."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from question_bank.problem import Problem
from question_bank.program import Ask, Asked, Call, Kind, Program
from quizapp.sheets.plan import OpenQuestion


@dataclass(frozen=True, slots=True)
class _Scale:
    """Millimetres: to begin with, for each number asked, for each line on the way; and the most there is."""

    start: float
    cell: float
    line: float
    most: float


_LEVELS = {1: _Scale(7, 3, 2, 36), 2: _Scale(10, 4.5, 3.5, 54), 3: _Scale(12, 5, 4, 54), 4: _Scale(14, 5, 3, 45)}
"""In the head, on paper, with a calculator, real sizes (of which only the counting is long).

With the most of it, three of level 1 fit on a page, and two of level 2 or 3.
"""

WHOLE_PAGE = 80
"""The most of a problem of so many parts that it has its page to itself."""
MANY_PARTS = 7

_CELLS = {"permute_rows": 0.1, "concat_heads": 0.1, "self_product": 0.6, "dropout": 0.5, "influence": 0.5}
"""What a number asked takes that is copied, found twice, or merely divided; of anything else, 1."""

_ON_THE_WAY = {"softmax": 3, "rotate": 4, "scores": 2, "project": 2, "layer_norm": 4, "influence": 2}
"""Lines of an operation that gives many numbers of which none is asked, or single ones; of any other, 1."""

_MORE = {
    "batch_norm": 3,
    "cosine_rate": 3,
    "largest_score": 2,
    "layer_norm": 3,
    "log_sum_exp": 4,
    "merge_blocks": 2,
    "noam_rate": 2,
    "rms_norm": 2,
    "rotate": 2,
}
"""Lines before the first of the numbers that an operation gives."""

LINES_FOR_A_POINT = 2
MOST_LINES = 8
"""So many that two questions fit on a page."""


def room(problem: Problem) -> float:
    """Return the millimetres between what is given and where the answer goes: by level, by what is asked, by the way there."""
    scale = _LEVELS.get(problem.level, _LEVELS[2])
    program = problem.program
    most = WHOLE_PAGE if len(program.asks) >= MANY_PARTS else scale.most
    kinds = {ask.format.kind for ask in program.asks}
    if any(ask.asked is Asked.SHAPE for ask in program.asks) or kinds == {Kind.LINE}:
        ways = 1.0  # it is looked at, not worked out
    else:
        ways = sum(_lines(program, line) for line in program.needed(*(ask.node for ask in program.asks)))
    wanted = scale.start + scale.cell * sum(_cells(program, ask) for ask in program.asks) + scale.line * (ways - 1)
    return round(min(wanted, most), 1)


def _lines(program: Program, line: Call) -> float:
    is_asked = any(ask.node == line.node and ask.format.dimensions for ask in program.asks)
    return (1 if is_asked else _ON_THE_WAY.get(line.operation, 1)) + _MORE.get(line.operation, 0)


def _cells(program: Program, ask: Ask) -> float:
    if ask.asked is Asked.SHAPE:
        return 0.5
    if ask.format.kind in (Kind.YES_NO, Kind.CHOICE, Kind.LINE):
        return 1
    made = program.lines.get(ask.node)
    return prod(ask.format.dimensions or (1,)) * (_CELLS.get(made.operation, 1) if made else 1)


def lines(question: OpenQuestion) -> int:
    """Return how many lines there are to answer in words on."""
    return min(LINES_FOR_A_POINT * len(question.points), MOST_LINES)
