"""What a class got wrong: by mistake, and by problem."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from question_bank.text import Text, same
from quizapp import wording_marking as wording
from quizapp.marking.marks import Marked, MarkedProblem, MarkedSheet
from quizapp.sheets.source import title_of
from solvers.verdict import Outcome, PartVerdict

TRANSPOSED = "answer.transposed"


@dataclass(frozen=True, slots=True)
class ClassMistake:
    """A recognised mistake.

    Attributes:
        id: Its id, such as ``scale.by-d_k``.
        sentence: What they did, without a full stop.
        times: How often.
        people: Who.
        drills: In which drills.
    """

    id: str
    sentence: Text
    times: int
    people: tuple[str, ...]
    drills: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ClassProblem:
    """How a problem of the sheet went, over all people.

    Attributes:
        number: Its number.
        title: What it is about; empty where people have different drills there.
        right: How many have all its marks.
        people: How many sheets have it.
        blank: How many left all of it blank.
    """

    number: int
    title: Text
    right: int
    people: int
    blank: int


def class_mistakes(marked: Marked) -> tuple[ClassMistake, ...]:
    """Return the recognised mistakes, those that most people make first."""
    made: dict[str, list[tuple[str, str]]] = {}
    for sheet, each in _all(marked):
        for part in each.verdict.parts:
            if (mistake := mistake_of(part)) is not None:
                made.setdefault(mistake, []).append((sheet.person, each.problem.drill))
    found = [
        ClassMistake(
            mistake,
            _sentence(mistake),
            len(where),
            tuple(dict.fromkeys(person for person, _ in where)),
            tuple(dict.fromkeys(drill for _, drill in where)),
        )
        for mistake, where in made.items()
    ]
    return tuple(sorted(found, key=lambda each: (-len(each.people), -each.times)))


def mistake_of(part: PartVerdict) -> str | None:
    """Return the id of the mistake recognised in a part; a transposed answer is one too, of which the grader only speaks."""
    if part.mistake is None and wording.TRANSPOSED.en in part.message.en:
        return TRANSPOSED
    return part.mistake


def _sentence(mistake: str) -> Text:
    from quizapp.wording_progress import GENERAL
    from solvers.mistakes import sentence_of

    if mistake == TRANSPOSED:
        return wording.TRANSPOSED_MISTAKE
    return GENERAL.get(mistake) or sentence_of(mistake) or same(mistake)


def class_problems(marked: Marked) -> tuple[ClassProblem, ...]:
    """Return how each problem went, by its number."""
    by_number: dict[int, list[MarkedProblem]] = {}
    for _, each in _all(marked):
        by_number.setdefault(each.number, []).append(each)
    return tuple(_problem(number, met) for number, met in sorted(by_number.items()))


def _problem(number: int, met: list[MarkedProblem]) -> ClassProblem:
    drills = Counter(each.problem.drill for each in met)
    title = title_of(met[0].problem) if len(drills) == 1 else same("")
    return ClassProblem(number, title, sum(each.is_right for each in met), len(met), sum(map(is_blank, met)))


def is_blank(each: MarkedProblem) -> bool:
    """Tell whether nothing of a problem was answered."""
    return all(part.outcome is Outcome.GIVEN_UP for part in each.verdict.parts)


def _all(marked: Marked) -> Iterator[tuple[MarkedSheet, MarkedProblem]]:
    return ((sheet, each) for sheet in marked.sheets for each in sheet.problems)
