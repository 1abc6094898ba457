"""The page of a lab, the line in which a number is typed, and the way from one cell to the next."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import HorizontalGroup
from textual.geometry import Region
from textual.widget import Widget

from question_bank.text import Text
from quizapp import wording_lab as wording
from quizapp.widgets.bilingual import Phrase, bind
from quizapp.widgets.board import At
from quizapp.widgets.entries import Line
from quizapp.widgets.page import Page

STARTS_A_NUMBER = frozenset("0123456789.．０１２３４５６７８９")


class LabPage(Page):
    """The page of a lab: arrows move the cursor, a digit starts a number."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind(way, f"screen.move('{way}')", wording.MOVE, wording.MOVE_TIP, show=False, display="↑↓←→")
        for way in ("left", "right", "up", "down")
    ]

    def __init__(self, *rows: Widget, typed: Callable[[str], None]) -> None:
        """Put rows on the page.

        Args:
            rows: The rows.
            typed: Takes the first character of a number. It's called at once and no message: the next key is for the line that
                it opens.
        """
        super().__init__(*rows)
        self._typed = typed

    def on_key(self, event: events.Key) -> None:
        """Start a number with its first digit."""
        if event.character is not None and event.character in STARTS_A_NUMBER:
            event.stop()
            event.prevent_default()
            self._typed(event.character)


class _ValueLine(Line):
    BINDINGS: ClassVar[list[BindingType]] = [bind("enter", "submit", wording.SUBMIT, wording.SUBMIT_TIP)]


class ValueEntry(HorizontalGroup):
    """The line beneath the page in which a number is typed; hidden until then."""

    def compose(self) -> ComposeResult:
        """Lay out the name of the cell and the line."""
        yield Phrase()
        yield _ValueLine(id="value")

    def open(self, lead: Text, text: str) -> None:
        """Show the line and go on typing in it."""
        line = self.query_one(_ValueLine)
        self.query_one(Phrase).say(lead)
        self.add_class("-typing")
        line.value = text
        self.screen.set_focus(line)  # at once: keys that wait already are for it
        line.cursor_position = len(text)

    def close(self) -> None:
        """Hide the line."""
        self.remove_class("-typing")


def nearest(cells: Mapping[At, Region], here: Region, way: str) -> At | None:
    """Return the next cell in a direction; at the end of a line, the first of the line after."""
    if way in ("left", "right"):
        order = sorted(cells, key=lambda at: (cells[at].y, cells[at].x))
        place = [cells[at] for at in order].index(here) + (1 if way == "right" else -1)
        return order[place] if 0 <= place < len(order) else None
    beyond = [at for at, region in cells.items() if (region.y < here.y if way == "up" else region.y > here.y)]
    if not beyond:
        return None
    line = (max if way == "up" else min)(cells[at].y for at in beyond)
    return min((at for at in beyond if cells[at].y == line), key=lambda at: abs(cells[at].right - here.right))
