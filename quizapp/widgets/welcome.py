"""The card of the first start: what to press, at the foot of home until a key is pressed."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import VerticalGroup

from quizapp import wording_start as wording
from quizapp.widgets.bilingual import Phrase
from quizapp.widgets.page import Row


class Welcome(VerticalGroup):
    """A few lines beneath a rule. It takes no focus and no key: the one that sends it away does what it always does."""

    DEFAULT_CSS = """
    Welcome {
        dock: bottom;
        margin: 0 0 1 0;
        border-top: solid $rule;
        background: $background;
        Row .row-note { color: $accent; }
    }
    .-narrow Welcome Row .row-note { width: 11; padding: 0 1 0 0; }
    .-short Welcome { display: none; }
    """

    def compose(self) -> ComposeResult:
        """Lay out the lines."""
        notes = (wording.WELCOME, *([None] * (len(wording.CARD) - 1)))
        for note, line in zip(notes, wording.CARD, strict=True):
            yield Row(note, Phrase(line), classes="tight")
