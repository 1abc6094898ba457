"""Questions, formulas and problems as plain text in one language, formulas in Unicode."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from question_bank.exact import show
from question_bank.program import Nested, Shape
from question_bank.text import Language, Text, same
from quizapp import wording_exports as wording
from quizapp.commands.drawing import substep_line
from quizapp.commands.session import written
from quizapp.exports.content import Exercise, Part
from solvers.display import flat
from solvers.operations.base import symbol
from solvers.steps import Step


def inputs(exercise: Exercise) -> Iterator[str]:
    """Write the numbers given, one a line."""
    for name, value in exercise.inputs:
        shown = unicode(symbol(name))
        if isinstance(value, Shape):
            yield f"{shown}: {list(value.dimensions)}"
        else:
            yield f"{shown} = {_row(value)}"


def _row(value: Nested) -> str:
    return f"[{', '.join(map(_row, value))}]" if isinstance(value, tuple) else show(value)


def unicode(latex: str) -> str:
    """Write a formula in Unicode."""
    return written(same(f"${latex}$"), Language.EN)


def answers(parts: Sequence[Part], language: Language) -> Iterator[str]:
    """Write the right answers, one a line; the label only where there are several."""
    for part in parts:
        shown = part.accepted.shown[language]
        yield shown if len(parts) == 1 else f"{written(part.label, language)} = {shown}"


def mistakes(parts: Sequence[Part], language: Language) -> Iterator[str]:
    """Write what known mistakes give, one a line."""
    for part in parts:
        for known in part.accepted.mistakes:
            yield written(wording.NAMED.fill(name=known.shown, what=known.message), language)


def steps(found: Sequence[Step], language: Language) -> Iterator[str]:
    """Write the worked solution, line by line."""
    for number, step in enumerate(found, 1):
        yield f"{number}. {written(step.title, language)}  {unicode(step.formula)}"
        yield from (f"   {substep_line(line)}" for line in step.substeps)
        if not step.substeps or step.substeps[-1].result != step.result:
            yield f"   {unicode(symbol(step.node))} = {flat(step.result)}"


def pairs(rows: Sequence[tuple[Text, Text]], language: Language) -> str:
    """Write pairs, such as a claim and why it is wrong: two lines each, parted by empty ones."""
    return "\n\n".join(f"{written(first, language)}\n{written(second, language)}" for first, second in rows)
