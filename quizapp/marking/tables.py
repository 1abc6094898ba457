"""Marked sheets as CSV, a row for each part, and as JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator

from question_bank.text import Language
from quizapp.commands.drawing import label
from quizapp.commands.session import written
from quizapp.exports.flat import harmless
from quizapp.marking.marks import Marked, MarkedProblem, MarkedSheet
from quizapp.marking.mistakes import class_mistakes, class_problems
from quizapp.marking.places import name_of
from solvers.verdict import PartVerdict

COLUMNS = (
    "person", "problem", "code", "part", "answer", "verdict", "marks", "possible", "mistake", "message", "right", "line",
)  # fmt: skip
NOT_MARKED = "not-marked"
"""The verdict on a line that belongs nowhere; its text stands as the answer, so that nothing is lost."""

NOT_REACHED = "not-reached"


def table(marked: Marked, language: Language) -> bytes:
    """Write a row for each part of each person, in UTF-8 with a mark by which Excel knows it."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    for row in (*_rows(marked, language), *_bad(marked, language)):
        writer.writerow(map(harmless, row))
    return text.getvalue().encode("utf-8-sig", errors="backslashreplace")


def _rows(marked: Marked, language: Language) -> Iterator[tuple[str, ...]]:
    for sheet in marked.sheets:
        for each in sheet.problems:
            asks = each.problem.program.asks
            for place, (ask, part, line) in enumerate(zip(asks, each.verdict.parts, each.lines, strict=True)):
                yield (
                    sheet.person, name_of(each.number, place, asks), each.problem.code, written(label(ask), language),
                    part.typed, part.outcome.value, str(int(part.outcome.earns_the_mark)), "1", part.mistake or "",
                    written(part.message, language), written(part.expected, language), str(line or ""),
                )  # fmt: skip
        for number in sheet.left:
            yield (sheet.person, str(number), "", "", "", NOT_REACHED, "", "", "", "", "", "")


def _bad(marked: Marked, language: Language) -> Iterator[tuple[str, ...]]:
    for line in marked.bad:
        message = written(line.message, language)
        yield ("", "", "", "", line.text, NOT_MARKED, "", "", "", message, "", str(line.number))


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
        "mistake": part.mistake,
        "message": written(part.message, language),
        "understood": written(part.understood, language),
        "right": written(part.expected, language),
        "line": line or None,
    }
