"""The notice that stands in for a screen while the terminal has too little room."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.screen import Screen

from quizapp import wording
from quizapp.widgets.bilingual import Phrase

COLUMNS, LINES = 36, 9
"""The least room in which every screen can be used."""


class SmallScreen(Screen[None]):
    """Lies over the screen in use, which keeps its text, its focus and its place."""

    DEFAULT_CSS = "SmallScreen Phrase { width: 100%; height: 100%; color: $warning; }"
    ESCAPE_TO_MINIMIZE = False

    def compose(self) -> ComposeResult:
        """Say how much room is needed."""
        yield Phrase(wording.MORE_ROOM.fill(columns=COLUMNS, lines=LINES))
