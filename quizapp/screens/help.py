"""The help screen: the keys of the screen it was called from, and how answers are written."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.binding import Binding

from question_bank.text import Text, same
from quizapp import wording
from quizapp.screens.base import BilingualScreen
from quizapp.widgets.bilingual import Phrase, Words
from quizapp.widgets.page import Heading, Page, Row


class HelpScreen(BilingualScreen):
    """Lists keys in the margin and what they do on the page."""

    AUTO_FOCUS = "Page"

    def __init__(self, keys: Sequence[Binding]) -> None:
        """Explain these keys."""
        super().__init__()
        self._keys = keys

    def compose_page(self) -> ComposeResult:
        """Lay out the keys, then the ways to write an answer."""
        yield Heading(wording.HELP, wording.NAME)
        rows = [Row(same(self.app.get_key_display(key)), Phrase(_meaning(key)), classes="tight") for key in self._keys]
        rows.append(Row(None))
        rows += [Row(note, Phrase(text), classes="tight") for note, text in wording.HOW_TO_ANSWER]
        yield Page(*rows)


def _meaning(key: Binding) -> Text:
    label, tip = key.description, key.tooltip
    assert isinstance(label, Words)
    return tip.text if isinstance(tip, Words) else label.text
