"""List every formula of the questions and lessons as a terminal, MathJax and Typst get it.

    python -m tools.list_formulas

writes ``tests/question_bank/formulas.tsv``: the formula as written, in Unicode, in LaTeX, in Typst. A test holds the list
against the renderers, so that a change of meaning is seen by whoever reads the difference.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from question_bank.bank import SHIPPED
from question_bank.lessons import results
from question_bank.lessons.lesson import Formula as LessonFormula
from question_bank.lessons.lesson import Lesson, Term
from question_bank.lessons.places import fill
from question_bank.math import Formula, parse, segments, to_latex, to_typst, to_unicode
from question_bank.walk import texts

LIST = Path(__file__).parent.parent / "tests" / "question_bank" / "formulas.tsv"


def formulas() -> Iterator[str]:
    """Yield every formula of the bank, numbers filled in."""
    for number in SHIPPED.numbers():
        yield from _inline(SHIPPED.question(number), {})
    for section in SHIPPED.sections():
        lesson = SHIPPED.lesson(section)
        yield from _inline(lesson, results(section).values)
        yield from _displayed(lesson)


def _inline(content: Struct, values: dict[str, str]) -> Iterator[str]:
    for _, text in texts(content):
        filled = fill(text, values)
        for sentence in (filled.en, filled.zh):
            yield from (part.latex for part in segments(sentence) if isinstance(part, Formula))


def _displayed(lesson: Lesson) -> Iterator[str]:
    parts: tuple[LessonFormula | Term, ...] = (*lesson.formulas, *lesson.terms)
    yield from (part.latex if isinstance(part, LessonFormula) else part.symbol for part in parts)


def rows() -> list[str]:
    """Return a line for each formula, sorted; one that stands in several places is there once."""
    nodes = {" ".join(latex.split()): parse(latex) for latex in formulas()}
    return ["\t".join((latex, to_unicode(node), to_latex(node), to_typst(node))) for latex, node in sorted(nodes.items())]


if __name__ == "__main__":
    LIST.write_text("\n".join(rows()) + "\n", "utf-8")
