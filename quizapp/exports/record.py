"""JSON: everything that is exported, sentences with LaTeX between dollar signs, numbers as the grader takes them."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from datetime import datetime

from question_bank.program import Nested, Shape
from question_bank.questions.question import Question
from question_bank.text import Language
from quizapp.commands.problem import number_data
from quizapp.exports.cloze import decimals
from quizapp.exports.content import Contents, Exercise, Notes, Part
from solvers.accepting import AcceptedCell, Interval
from solvers.steps import Step

FORMAT = "quizapp-export"
VERSION = 1
"""Raised whenever a field changes its meaning or goes; a new field doesn't raise it."""


def document(contents: Contents, languages: Sequence[Language], at: datetime) -> bytes:
    """Write everything as one JSON document.

    Args:
        contents: What goes in.
        languages: Each entry is written once for each of them.
        at: When it is made.
    """
    data = {
        "format": FORMAT,
        "version": VERSION,
        "made": at.isoformat(timespec="seconds"),
        "questions": [question(each, language) for language in languages for each in contents.questions],
        "lessons": [lesson(each, language) for language in languages for each in contents.lessons],
        "problems": [exercise(each, language) for language in languages for each in contents.exercises],
    }
    return (json.dumps(data, ensure_ascii=False, indent=1, allow_nan=False) + "\n").encode(errors="backslashreplace")


def question(each: Question, language: Language) -> dict[str, object]:
    """Return an interview question as plain data."""
    return {
        "id": each.id,
        "language": language.value,
        "group": each.group.value,
        "section": each.section,
        "title": each.title[language],
        "prompt": each.prompt[language],
        "short": each.answer.short[language],
        "full": [paragraph[language] for paragraph in each.answer.paragraphs()],
        "points": [point.text[language] for point in each.key_points],
        "pitfalls": [{"claim": one.claim[language], "why": one.why[language]} for one in each.pitfalls],
        "choices": [{"text": one.text[language], "right": one.right, "why": one.why[language]} for one in each.choices],
        "follow_ups": [{"question": one.question[language], "answer": one.answer[language]} for one in each.follow_ups],
        "sources": list(each.sources),
        "drills": list(each.drills),
    }


def lesson(each: Notes, language: Language) -> dict[str, object]:
    """Return a lesson's formulas as plain data."""
    return {
        "section": each.section,
        "language": language.value,
        "title": each.title[language],
        "intuition": [paragraph[language] for paragraph in each.intuition],
        "formulas": [{"latex": one.latex, "says": one.says[language], "source": one.source[language]} for one in each.formulas],
        "terms": [{"latex": one.symbol, "says": one.says[language]} for one in each.terms],
        "mistakes": [{"claim": one.claim[language], "why": one.why[language]} for one in each.mistakes],
        "sources": list(each.sources),
    }


def exercise(each: Exercise, language: Language) -> dict[str, object]:
    """Return a solved problem as plain data."""
    return {
        "code": each.code,
        "language": language.value,
        "drill": each.problem.drill,
        "section": each.section,
        "level": each.problem.level,
        "title": each.title[language],
        "prompt": each.problem.prompt[language],
        "listing": list(each.listing),
        "inputs": [_input(name, value) for name, value in each.inputs],
        "parts": [_part(part, language) for part in each.parts],
        "steps": [_step(step, language) for step in each.steps],
    }


def _input(name: str, value: Nested | Shape) -> dict[str, object]:
    if isinstance(value, Shape):
        return {"name": name, "shape": list(value.dimensions)}
    return {"name": name, "value": number_data(value)}


def _part(part: Part, language: Language) -> dict[str, object]:
    found = part.accepted
    return {
        "label": part.label[language],
        "kind": found.ask.format.kind.value,
        "form": part.form[language],
        "answer": found.shown[language],
        "accepted": [_cell(cell) for cell in found.cells],
        "mistakes": [
            {"id": known.mistake, "answer": known.shown, "message": known.message[language]} for known in found.mistakes
        ],
    }


def _cell(cell: AcceptedCell) -> dict[str, object]:
    """Write a number's interval as decimals in text, which no reader of JSON rounds."""
    if not math.isfinite(cell.number):
        return {"value": cell.shown, "tolerance": "0", "also": []}
    return _interval(cell.about) | {"also": [_interval(each) for each in cell.also]}


def _interval(each: Interval) -> dict[str, object]:
    return {"value": decimals(each.value), "tolerance": decimals(each.reach)}


def _step(step: Step, language: Language) -> dict[str, object]:
    return {
        "node": step.node,
        "title": step.title[language],
        "formula": step.formula,
        "reason": step.reason[language],
        "lines": [
            {"cell": line.cell, "what": line.explanation[language], "expression": line.expression, "result": line.result}
            for line in step.substeps
        ],
        "result": step.result,
    }
