"""Marked sheets as CSV and as JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from enum import Enum

from question_bank.text import Language
from quizapp.commands.drawing import label
from quizapp.commands.session import written
from quizapp.exports.flat import harmless
from quizapp.marking.marks import Marked, MarkedProblem, MarkedSheet
from quizapp.marking.mistakes import class_mistakes, class_problems, mistake_of
from quizapp.marking.places import name_of
from solvers.verdict import Outcome, PartVerdict

COLUMNS = (
    "kind", "person", "problem", "code", "part", "answer", "verdict", "marks", "possible", "mistake", "message", "right",
    "line", "times", "people", "names",
)  # fmt: skip
NOT_MARKED = "not-marked"
"""The verdict on a line that belongs nowhere; its text stands as the answer, so that nothing is lost."""

NOT_REACHED = "not-reached"
ABSENT = "absent"


class Row(Enum):
    """What a row of the table is about: the kinds in their order."""

    PERSON = "person"
    PROBLEM = "problem"
    MISTAKE = "mistake"
    PART = "part"
    LINE = "line"


def table(marked: Marked, language: Language) -> bytes:
    """Write rows of the kinds of ``Row``, in UTF-8 with a mark by which Excel knows it."""
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, COLUMNS, restval="")
    writer.writeheader()
    for kind, row in _rows(marked, language):
        writer.writerow({"kind": kind.value} | {column: harmless(str(cell)) for column, cell in row.items()})
    return text.getvalue().encode("utf-8-sig", errors="backslashreplace")


def _rows(marked: Marked, language: Language) -> Iterator[tuple[Row, Mapping[str, str | int]]]:
    """Yield rows as the cells that are not empty: first what sums up."""
    for sheet in marked.sheets:
        yield Row.PERSON, {"person": sheet.person, "marks": sheet.marks, "possible": sheet.possible}
    for person in marked.absent:
        yield Row.PERSON, {"person": person, "verdict": ABSENT}
    for each in class_problems(marked) if marked.is_for_class else ():
        about: dict[str, str | int] = {"problem": each.number, "message": written(each.title, language), "people": each.people}
        yield Row.PROBLEM, about | {"verdict": Outcome.RIGHT.value, "times": each.right}
        yield Row.PROBLEM, about | {"verdict": Outcome.GIVEN_UP.value, "times": each.blank}
    for mistake in class_mistakes(marked):
        yield (
            Row.MISTAKE,
            {
                "mistake": mistake.id,
                "message": written(mistake.sentence, language),
                "times": mistake.times,
                "people": len(mistake.people),
                "names": "; ".join(mistake.people),
            },
        )
    for sheet in marked.sheets:
        yield from _parts(sheet, language)
    for line in marked.bad:
        message = written(line.message, language)
        yield Row.LINE, {"answer": line.text, "verdict": NOT_MARKED, "message": message, "line": line.number}


def _parts(sheet: MarkedSheet, language: Language) -> Iterator[tuple[Row, Mapping[str, str | int]]]:
    for each in sheet.problems:
        asks = each.problem.program.asks
        for place, (ask, part, line) in enumerate(zip(asks, each.verdict.parts, each.lines, strict=True)):
            yield (
                Row.PART,
                {
                    "person": sheet.person,
                    "problem": name_of(each.number, place, asks),
                    "code": each.problem.code,
                    "part": written(label(ask), language),
                    "answer": part.typed,
                    "verdict": part.outcome.value,
                    "marks": int(part.outcome.earns_the_mark),
                    "possible": 1,
                    "mistake": mistake_of(part) or "",
                    "message": written(part.message, language),
                    "right": written(part.expected, language),
                    "line": line or "",
                },
            )
    for number in sheet.left:
        yield Row.PART, {"person": sheet.person, "problem": number, "verdict": NOT_REACHED}


def document(marked: Marked, language: Language) -> bytes:
    """Write JSON."""
    return (json.dumps(data(marked, language), ensure_ascii=False, indent=1) + "\n").encode("utf-8", "backslashreplace")


def data(marked: Marked, language: Language) -> dict[str, object]:
    """Return everything as plain data."""
    return {
        "title": marked.title,
        "people": [_sheet(sheet, language) for sheet in marked.sheets],
        "absent": list(marked.absent),
        "problems": [
            {
                "number": each.number,
                "title": written(each.title, language),
                "right": each.right,
                "people": each.people,
                "blank": each.blank,
            }
            for each in class_problems(marked)
        ],
        "mistakes": [
            {
                "mistake": each.id,
                "sentence": written(each.sentence, language),
                "times": each.times,
                "people": list(each.people),
                "drills": list(each.drills),
            }
            for each in class_mistakes(marked)
        ],
        "not_marked": [
            {"line": line.number, "text": line.text, "message": written(line.message, language)} for line in marked.bad
        ],
    }


def _sheet(sheet: MarkedSheet, language: Language) -> dict[str, object]:
    return {
        "person": sheet.person,
        "marks": sheet.marks,
        "possible": sheet.possible,
        "problems": [_problem(each, language) for each in sheet.problems],
        "questions": list(sheet.open),
        "not_reached": list(sheet.left),
    }


def _problem(each: MarkedProblem, language: Language) -> dict[str, object]:
    asks = each.problem.program.asks
    return {
        "number": each.number,
        "code": each.problem.code,
        "verdict": each.verdict.outcome.value,
        "marks": each.verdict.marks,
        "possible": each.verdict.possible,
        "parts": [
            {"part": name_of(each.number, place, asks), "label": written(label(ask), language)} | _part(part, line, language)
            for place, (ask, part, line) in enumerate(zip(asks, each.verdict.parts, each.lines, strict=True))
        ],
    }


def _part(part: PartVerdict, line: int, language: Language) -> dict[str, object]:
    return {
        "answer": part.typed,
        "verdict": part.outcome.value,
        "mistake": mistake_of(part),
        "message": written(part.message, language),
        "understood": written(part.understood, language),
        "right": written(part.expected, language),
        "line": line or None,
    }
