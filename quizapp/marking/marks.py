"""Mark what people handed in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from question_bank.problem import Problem
from quizapp.marking.answers_file import BadLine
from quizapp.marking.places import Given, HandedIn, Sorted
from quizapp.sheets.plan import OpenQuestion, Sheet
from solvers.verdict import Outcome, Verdict

Grader = Callable[[Problem, Sequence[str | None]], Verdict]
"""Marks the answers to one problem, its parts following from one another."""


@dataclass(frozen=True, slots=True)
class MarkedProblem:
    """One person's answers to one problem.

    Attributes:
        number: What the sheet calls it.
        problem: The problem.
        verdict: The verdict on each part, and on all of it.
        lines: The lines of the file that the parts come from; 0 where there is none.
    """

    number: int
    problem: Problem
    verdict: Verdict
    lines: tuple[int, ...]

    @property
    def is_right(self) -> bool:
        """Whether it has all its marks."""
        return self.verdict.marks == self.verdict.possible


@dataclass(frozen=True, slots=True)
class MarkedSheet:
    """One person's sheet.

    Attributes:
        person: The name, or the variant's number; empty where nobody is named.
        problems: The problems, as far as they were reached.
        open: The numbers of interview questions, which are not marked.
        left: The numbers of problems that were not reached.
        is_named: Whether ``person`` is a name.
    """

    person: str
    problems: tuple[MarkedProblem, ...]
    open: tuple[int, ...] = ()
    left: tuple[int, ...] = ()
    is_named: bool = True

    @property
    def marks(self) -> int:
        """A mark for each part that is right, also after a slip."""
        return sum(each.verdict.marks for each in self.problems)

    @property
    def possible(self) -> int:
        """The parts of the problems reached."""
        return sum(each.verdict.possible for each in self.problems)


@dataclass(frozen=True, slots=True)
class Marked:
    """All that was handed in for a sheet, marked.

    Attributes:
        title: The sheet's.
        is_for_class: Whether there are several people, or names.
        sheets: The people, in order.
        absent: Those without answers.
        bad: Lines of the file that belong nowhere.
    """

    title: str
    is_for_class: bool
    sheets: tuple[MarkedSheet, ...]
    absent: tuple[str, ...] = ()
    bad: tuple[BadLine, ...] = ()

    @property
    def unreadable(self) -> int:
        """How many answers can't be read."""
        parts = (part for sheet in self.sheets for each in sheet.problems for part in each.verdict.parts)
        return sum(part.outcome is Outcome.UNREADABLE for part in parts)


def mark(sheet: Sheet, found: Sorted, bad: Sequence[BadLine], grade: Grader) -> Marked:
    """Mark a class; the same answers to the same problem are marked once.

    Args:
        sheet: What they were given.
        found: What they handed in.
        bad: Lines that could not be used before anybody looked whose they are.
        grade: Marks one problem.
    """
    known: dict[tuple[str, Given], Verdict] = {}

    def remembering(problem: Problem, answers: Sequence[str | None]) -> Verdict:
        key = (problem.code, tuple(answers))
        if key not in known:
            known[key] = grade(problem, answers)
        return known[key]

    sheets = tuple(mark_one(each, remembering) for each in found.handed_in)
    lines = tuple(sorted((*bad, *found.bad), key=lambda line: line.number))
    return Marked(sheet.title, sheet.is_for_class or len(sheets) > 1, sheets, found.absent, lines)


def mark_one(handed: HandedIn, grade: Grader) -> MarkedSheet:
    """Mark one person's sheet."""
    copy = handed.copy
    reached = len(copy.problems) if handed.reached is None else handed.reached
    problems: list[MarkedProblem] = []
    unmarked: list[int] = []
    left: list[int] = []
    for number, item in copy.numbered():
        place = len(problems) + len(left)
        if isinstance(item, OpenQuestion):
            unmarked.append(number)
        elif place >= reached:
            left.append(number)
        else:
            lines = handed.lines[place] if handed.lines else (0,) * len(item.program.asks)
            problems.append(MarkedProblem(number, item, grade(item, handed.answers[place]), lines))
    is_named = copy.is_named or handed.person != copy.person  # a variant may be known by its codes
    return MarkedSheet(handed.person, tuple(problems), tuple(unmarked), tuple(left), is_named)


def mark_copy(handed: HandedIn) -> MarkedSheet:
    """Mark one person's sheet where torch is."""
    from solvers.grading import grade

    return mark_one(handed, grade)
