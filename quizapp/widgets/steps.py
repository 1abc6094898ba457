"""Worked steps as rows of the page: formula, reason, the lines of the computation with their numbers, the result."""

from __future__ import annotations

from itertools import groupby, pairwise

from textual.app import ComposeResult
from textual.containers import VerticalGroup
from textual.widget import Widget

from question_bank.text import Text, same
from quizapp.widgets.bilingual import Phrase
from quizapp.widgets.matrices import Matrices, Named, symbol
from quizapp.widgets.page import Row
from solvers.steps import Step, SubStep


def step_row(step: Step, number: int, total: int, name: str = "") -> Row:
    """Draw a step, its number in the margin; its result under another name than the program's, where there is one in LaTeX."""
    body: list[Widget] = [
        Phrase(step.title, classes="strong"),
        Phrase(same(f"${step.formula}$"), classes="formula"),
    ]
    if step.reason.en:
        body.append(Phrase(step.reason, classes="soft"))
    for explanation, lines in groupby(step.substeps, key=lambda line: line.explanation):
        if explanation.en:
            body.append(Phrase(explanation, classes="soft explanation"))
        body.append(Phrase(same("\n".join(map(line_text, lines))), classes="lines"))
    body.append(Matrices([Named(same(f"${name or symbol(step.node)}$ = "), step.result)], classes="result"))
    return StepRow(same(f"{number}/{total}"), *body, section=step.section)


class StepRow(Row):
    """A worked step; the section of the lesson that explains it stands beneath its number."""

    def __init__(self, note: Text, *body: Widget, section: str) -> None:
        """Put a step on the page."""
        super().__init__(note, *body, classes="step")
        self.section = Phrase(same(section), classes="section soft")

    def compose(self) -> ComposeResult:
        """Lay out margin and body."""
        yield VerticalGroup(self.note, self.section, classes="margin")
        yield self.body


def line_text(line: SubStep) -> str:
    """Write a line of a step: cell = computation = result."""
    parts = [part for part in (line.cell, line.expression, line.result) if part]
    return " = ".join(parts[:1] + [part for before, part in pairwise(parts) if part != before])
