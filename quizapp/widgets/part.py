"""One part of a problem: its name in the margin, its field, later its verdict."""

from __future__ import annotations

from rich.cells import cell_len

from question_bank.program import Ask
from question_bank.text import Language, Text, same
from quizapp.widgets.answer import AnswerField
from quizapp.widgets.bilingual import Phrase, written
from quizapp.widgets.matrices import symbol
from quizapp.widgets.page import Row
from quizapp.widgets.verdict import MARKS, VerdictView, note_for
from solvers.verdict import PartVerdict

MARGIN_LABEL = 4
"""A name of at most so many columns hangs in the margin, a longer one stands above the field."""


def hangs(label: Text) -> bool:
    """Tell whether a name hangs in the margin, in both languages."""
    return all(cell_len(written(label, language)) <= MARGIN_LABEL for language in Language)


class Part(Row):
    """A part as asked; ``reveal`` puts the verdict in the field's place."""

    def __init__(self, ask: Ask) -> None:
        """Ask for a part."""
        label = ask.label or same(f"${symbol(ask.node)}$")
        self.label = Text(label.en.strip(), label.zh.strip())
        self.field = AnswerField(ask.format)
        self._in_margin = hangs(self.label)
        if self._in_margin:
            super().__init__(self.label, self.field)
        else:
            super().__init__(None, Phrase(self.label, classes="soft"), self.field)

    async def reveal(self, verdict: PartVerdict) -> None:
        """Show the verdict instead of the field."""
        self.field.display = False
        self.note.say(note_for(verdict.outcome, self.label if self._in_margin else same("")))
        self.note.add_class(MARKS[verdict.outcome].style)
        await self.body.mount(VerdictView(verdict))
