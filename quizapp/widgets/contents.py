"""A table of contents: lines to choose from, with their numbers in the margin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.cells import cell_len
from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from question_bank.text import Language, Text, same
from quizapp import wording
from quizapp.widgets.bilingual import Bilingual, bind, language_of, written
from quizapp.widgets.wrapping import shortened

NOTHING = same("")


@dataclass(frozen=True, slots=True)
class Entry:
    """One line.

    Attributes:
        title: What it is called.
        target: What choosing it means to the screen; None where it can't be chosen.
        note: What hangs in the margin.
        aside: What stands at the right, in soft ink; left out where the line is too narrow.
        depth: How far it is indented.
        turns: Whether it unfolds, or has values to choose from with the left and right keys.
        soft: Whether it's written in soft ink.
    """

    title: Text
    target: object | None = None
    note: Text = NOTHING
    aside: Text = NOTHING
    depth: int = 0
    turns: bool = False
    soft: bool = False


BLANK = Entry(NOTHING)


class Contents(OptionList, Bilingual):
    """A list of entries drawn on the page. Keeps what is marked when the entries change; leaves blanks out where crowded."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("enter", "select", wording.OPEN, wording.OPEN_TIP),
        bind("right", "turn(1)", wording.MORE, wording.MORE_TIP, display="→"),
        bind("left", "turn(-1)", wording.LESS, wording.LESS_TIP, display="←"),
    ]

    class Chosen(Message):
        """An entry was chosen."""

        def __init__(self, target: object) -> None:
            """Say which."""
            super().__init__()
            self.target = target

    class Turned(Message):
        """The marked entry is to unfold, or to take its next value; the other way round for a step of -1."""

        def __init__(self, target: object, step: int) -> None:
            """Say which, and which way."""
            super().__init__()
            self.target = target
            self.step = step

    class Marked(Message):
        """Another entry is marked now."""

        def __init__(self, target: object) -> None:
            """Say which."""
            super().__init__()
            self.target = target

    def __init__(self, *, id: str | None = None) -> None:
        """Start empty."""
        super().__init__(id=id, markup=False)
        self._entries: tuple[Entry, ...] = ()
        self._shown: tuple[Entry, ...] = ()
        self._drawn_at = Size(0, 0)

    @property
    def marked(self) -> object | None:
        """The target of the marked entry."""
        return self._shown[self.highlighted].target if self.highlighted is not None else None

    def show(self, entries: Sequence[Entry], marked: object | None = None) -> None:
        """Show these entries and mark one: the one given, else the one that is marked now, else the first."""
        wanted = marked if marked is not None else self.marked
        self._entries = tuple(entries)
        self._draw(wanted)

    def translate(self, language: Language) -> None:
        """Draw the lines anew."""
        self._draw(self.marked)

    def on_resize(self, event: events.Resize) -> None:
        """Draw the lines anew where there is another room for them."""
        if event.size != self._drawn_at:
            self._draw(self.marked)

    def action_turn(self, step: int) -> None:
        """Unfold, fold, or change the marked entry."""
        if self.marked is not None:
            self.post_message(self.Turned(self.marked, step))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer to turn only what turns."""
        if action == "turn":
            return self.highlighted is not None and self._shown[self.highlighted].turns
        return True

    def _draw(self, wanted: object | None) -> None:
        if not self.is_mounted or not self.size.width:
            return
        self._drawn_at = self.size
        crowded = len(self._entries) > self.size.height
        self._shown = tuple(entry for entry in self._entries if not (crowded and entry == BLANK))
        drawn = [self._line(entry) for entry in self._shown]
        options = [
            Option(line, id=str(place), disabled=entry.target is None)
            for place, (line, entry) in enumerate(zip(drawn, self._shown, strict=True))
        ]
        filler = max(0, self.size.height - sum(line.plain.count("\n") + 1 for line in drawn))
        scroll = self.scroll_offset
        with self.prevent(OptionList.OptionHighlighted):
            self.clear_options()
            self.add_options([*options, *(Option(self._line(BLANK), disabled=True) for _ in range(filler))])
            targets = [entry.target for entry in self._shown]
            choosable = [place for place, target in enumerate(targets) if target is not None]
            if wanted is not None and wanted in targets:
                self.highlighted = targets.index(wanted)
            elif choosable:
                self.highlighted = choosable[0]
        self.scroll_to(y=scroll.y, animate=False, immediate=True)
        self.scroll_to_highlight()

    def _widths(self) -> tuple[int, int, int]:
        """Return the columns of the margin, of the gap beside its rule, and of what stands on the page."""
        width = self.scrollable_content_region.width or self.size.width
        margin, gap = (9, 1) if width < 58 else (11, 2)
        return margin, gap, width - margin - 2 - 2 * gap

    def _line(self, entry: Entry) -> Content:
        language = language_of(self)
        margin, gap, room = self._widths()
        note = shortened(written(entry.note, language), margin)
        title = "  " * entry.depth + written(entry.title, language)
        aside = written(entry.aside, language)
        if aside and cell_len(title) + cell_len(aside) + 2 > room:
            aside = ""
        title = shortened(title, room)
        blank = room - cell_len(title) - cell_len(aside)
        return Content.assemble(
            (" " * (margin - cell_len(note)) + note + " ", "$accent"),
            ("│" + " " * gap, "$rule"),
            (title, "$ink-soft" if entry.soft else ""),
            " " * blank,
            (aside + " " * gap, "$ink-soft"),
        )

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Say which entry was chosen."""
        event.stop()
        target = self._shown[event.option_index].target
        if target is not None:
            self.post_message(self.Chosen(target))

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Say which entry is marked."""
        event.stop()
        self.post_message(self.Marked(self._shown[event.option_index].target))
