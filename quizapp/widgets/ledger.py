"""A list whose lines hold bars and charts, drawn anew for the width that there is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.cells import cell_len
from textual.binding import BindingType
from textual.content import Content
from textual.geometry import Region
from textual.message import Message

from question_bank.text import Language
from quizapp import wording as general
from quizapp import wording_progress as wording
from quizapp.widgets.bilingual import bind, language_of, written
from quizapp.widgets.charts import Line
from quizapp.widgets.contents import Contents, Entry
from quizapp.widgets.wrapping import shortened


@dataclass(frozen=True, slots=True)
class Drawn(Entry):
    """An entry of lines that are drawn already.

    Attributes:
        lines: The lines.
        below: How many of the entries that follow belong to it: they are brought into sight with it.
    """

    lines: tuple[Line, ...] = ()
    below: int = 0


Draw = Callable[[int, Language], Sequence[Entry]]
"""Draws all entries for so many columns of the page, in a language."""


class Ledger(Contents, inherit_bindings=False):
    """A list that is drawn for its width."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("down", "move_line(1)", general.MOVE, wording.DOWN_TIP, show=False),
        bind("up", "move_line(-1)", general.MOVE, wording.UP_TIP, show=False),
        bind("pagedown", "move_page(1)", general.MOVE, wording.PAGE_DOWN_TIP, show=False),
        bind("pageup", "move_page(-1)", general.MOVE, wording.PAGE_UP_TIP, show=False),
        bind("home", "move_end(-1)", general.MOVE, wording.FIRST_TIP, show=False),
        bind("end", "move_end(1)", general.MOVE, wording.LAST_TIP, show=False),
        bind("enter", "select", wording.OPEN, wording.OPEN_TIP),
        bind("left", "move_day(-1)", wording.DAY, wording.EARLIER_TIP, display="←→"),
        bind("right", "move_day(1)", wording.DAY, wording.LATER_TIP, show=False),
        bind("shift+left", "move_day(-7)", wording.DAY, wording.WEEK_BEFORE_TIP, show=False),
        bind("shift+right", "move_day(7)", wording.DAY, wording.WEEK_AFTER_TIP, show=False),
    ]

    class Moved(Message):
        """Another day of the marked chart is wanted."""

        def __init__(self, target: object, days: int) -> None:
            """Say of which chart, and how much later."""
            super().__init__()
            self.target = target
            self.days = days

    def __init__(self, *, id: str | None = None) -> None:
        """Start empty."""
        super().__init__(id=id)
        self._how: Draw | None = None

    def draw(self, how: Draw, marked: object | None = None) -> None:
        """Show what a function draws and mark an entry: the one given, else the one that is marked now, else the first."""
        self._how = how
        self._draw(marked if marked is not None else self.marked)

    def redraw(self) -> None:
        """Draw anew, because something in it has changed."""
        self._draw(self.marked)

    def go_to(self, wanted: Callable[[object], bool]) -> None:
        """Mark the first entry whose target is wanted, and bring it to the top with the line above it."""
        for place, entry in enumerate(self._shown):
            if entry.target is not None and wanted(entry.target):
                self.highlighted = place
                self._update_lines()
                above = place - (place > 0 and self._shown[place - 1].target is None and not self._shown[place].turns)
                self.scroll_to(y=self._index_to_line[above], animate=False, immediate=True, force=True)
                return

    def action_move_line(self, step: int) -> None:
        """Go to the next entry, or the one before."""
        (self.action_cursor_down if step > 0 else self.action_cursor_up)()

    def action_move_page(self, step: int) -> None:
        """Go on by a page, or back."""
        (self.action_page_down if step > 0 else self.action_page_up)()  # type: ignore[no-untyped-call]

    def action_move_end(self, step: int) -> None:
        """Go to the last entry, or the first."""
        (self.action_last if step > 0 else self.action_first)()

    def action_move_day(self, days: int) -> None:
        """Ask for another day."""
        self.post_message(self.Moved(self.marked, days))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer another day only in charts, and to open only what opens."""
        turns = self.highlighted is not None and self._shown[self.highlighted].turns
        if action in ("move_day", "select"):
            return turns == (action == "move_day")
        return super().check_action(action, parameters)

    def scroll_to_highlight(self, top: bool = False) -> None:
        """Bring what is marked into sight, with the chart beneath it, and at the first entry with what stands above it."""
        if self.highlighted is not None and self.is_mounted and self.highlighted < len(self._shown):
            entry = self._shown[self.highlighted]
            last = self.highlighted + (entry.below if isinstance(entry, Drawn) else 0)
            if all(each.target is None for each in self._shown[: self.highlighted]):
                self.scroll_to(y=0, animate=False, immediate=True, force=True)
            elif last > self.highlighted:
                self._update_lines()
                region = Region(0, self._index_to_line[last], self.scrollable_content_region.width, 1)
                self.scroll_to_region(region, force=True, animate=False, immediate=True)
        super().scroll_to_highlight(top)

    def _draw(self, wanted: object | None) -> None:
        if self._how is not None and self.is_mounted and self.size.width:
            self._entries = tuple(self._how(self._widths()[2], language_of(self)))
        super()._draw(wanted)

    def _line(self, entry: Entry) -> Content:
        if not isinstance(entry, Drawn):
            return super()._line(entry)
        margin, gap, room = self._widths()
        note = shortened(written(entry.note, language_of(self)), margin)
        lines = []
        for line in entry.lines or ((),):
            taken = sum(cell_len(text) for text, _ in line)
            lines.append(
                Content.assemble(
                    (" " * (margin - cell_len(note)) + note + " ", "$ink-soft" if entry.soft else "$accent"),
                    ("│" + " " * gap, "$rule"),
                    *((text, ink.value) for text, ink in line),
                    " " * max(0, room + gap - taken),
                )
            )
            note = ""
        return Content("\n").join(lines)
