"""The help screen: the keys of the screen it was called from, and how answers are written."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult

from question_bank.text import Text, same
from quizapp import wording
from quizapp.screens.base import BilingualScreen, Key
from quizapp.widgets.bilingual import Phrase
from quizapp.widgets.page import Heading, Page, Row


class HelpScreen(BilingualScreen):
    """Lists keys in the margin and what they do on the page."""

    AUTO_FOCUS = "Page"

    def __init__(self, keys: Sequence[Key]) -> None:
        """Explain these keys."""
        super().__init__()
        self._keys = keys

    def compose_page(self) -> ComposeResult:
        """Lay out the keys, then the ways to write an answer."""
        yield Heading(wording.HELP, wording.NAME)
        meanings: dict[Text, list[str]] = {}
        for key in self._keys:
            shown = self.app.get_key_display(key.binding)
            if shown not in meanings.setdefault(key.tip, []):
                meanings[key.tip].append(shown)
        rows = [Row(same(" ".join(keys)), Phrase(meaning), classes="tight") for meaning, keys in meanings.items()]
        rows.append(Row(None))
        rows += [Row(note, Phrase(text), classes="tight") for note, text in wording.HOW_TO_ANSWER]
        yield Page(*rows)
