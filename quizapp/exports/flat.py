"""CSV: a row for each question, formula and problem, formulas in Unicode; for spreadsheets and for scripts."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from datetime import datetime

from question_bank.text import Language
from quizapp import wording_exports as wording
from quizapp.commands.session import written
from quizapp.exports import plain
from quizapp.exports.content import Contents

COLUMNS = (
    "kind", "id", "language", "section", "level", "title", "prompt", "code", "inputs", "form", "answer", "details", "mistakes",
)  # fmt: skip
"""``code`` holds lines of code; ``details`` the long answer of a question, the terms of a formula, the steps of a problem."""

_NUMBER = re.compile(r"[-+]?[\d.,]+%?")
_STARTS_A_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def table(contents: Contents, languages: Sequence[Language], at: datetime) -> bytes:
    """Write everything as one table, in UTF-8 with a mark by which Excel knows it.

    Args:
        contents: What goes in.
        languages: Each row is written once for each of them.
        at: Not needed: nothing in the file depends on the time.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    for language in languages:
        for row in (*_questions(contents, language), *_formulas(contents, language), *_exercises(contents, language)):
            writer.writerow(map(harmless, row))
    return text.getvalue().encode("utf-8-sig", errors="backslashreplace")


def harmless(cell: str) -> str:
    """Let no spreadsheet take a text for a formula: one that starts like one gets an apostrophe; numbers stay."""
    cell = cell.replace("\0", "\N{REPLACEMENT CHARACTER}")
    return f"'{cell}" if cell.startswith(_STARTS_A_FORMULA) and not _NUMBER.fullmatch(cell) else cell


def _questions(contents: Contents, language: Language) -> Iterator[tuple[str, ...]]:
    for each in contents.questions:
        points = "\n".join(f"{at}. {written(point.text, language)}" for at, point in enumerate(each.key_points, 1))
        full = "\n\n".join(written(paragraph, language) for paragraph in each.answer.paragraphs())
        pitfalls = plain.pairs([(one.claim, one.why) for one in each.pitfalls], language)
        yield (
            "question", each.id, language.value, each.section, "", written(each.title, language),
            written(each.prompt, language), "", "", "", written(each.answer.short, language), f"{points}\n\n{full}", pitfalls,
        )  # fmt: skip


def _formulas(contents: Contents, language: Language) -> Iterator[tuple[str, ...]]:
    for each in contents.lessons:
        mistakes = plain.pairs([(one.claim, one.why) for one in each.mistakes], language)
        terms = "\n".join(f"{plain.unicode(term.symbol)}  {written(term.says, language)}" for term in each.terms)
        for at, formula in enumerate(each.formulas, 1):
            yield (
                "formula", f"{each.section}/{at}", language.value, each.section, "", written(each.title, language),
                written(formula.says, language), "", "", "", plain.unicode(formula.latex),
                terms if at == 1 else "", mistakes if at == 1 else "",
            )  # fmt: skip


def _exercises(contents: Contents, language: Language) -> Iterator[tuple[str, ...]]:
    for each in contents.exercises:
        forms = (written(wording.NAMED.fill(name=part.label, what=part.form), language) for part in each.parts)
        yield (
            "problem", each.code, language.value, each.section, str(each.problem.level), written(each.title, language),
            written(each.problem.prompt, language), "\n".join(each.listing), "\n".join(plain.inputs(each)), "\n".join(forms),
            "\n".join(plain.answers(each.parts, language)), "\n".join(plain.steps(each.steps, language)),
            "\n".join(plain.mistakes(each.parts, language)),
        )  # fmt: skip
