"""The field in which a part is answered: whatever its form, with an echo of what is understood."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalGroup
from textual.message import Message
from textual.widget import Widget

from question_bank.exact import show
from question_bank.program import AnswerFormat, Kind
from question_bank.text import Text
from quizapp import wording
from quizapp.widgets.bilingual import Phrase, bind
from quizapp.widgets.entries import AreaEntry, ChoiceEntry, Entry, LineEntry
from quizapp.widgets.grid import GridEntry
from solvers.answers import Answer, Unreadable, read

GRID_LIMIT = 8
"""A matrix with more rows or columns than this is written as text."""


def entry_for(form: AnswerFormat, options: Sequence[Text] = ()) -> Entry:
    """Choose the way in which an answer of this form is entered."""
    if form.kind is Kind.YES_NO:
        return ChoiceEntry((wording.YES, wording.NO), ("yes", "no"))
    if form.kind is Kind.CHOICE:
        letters = [chr(ord("a") + place) for place in range(form.choices)]
        return ChoiceEntry(options or [wording.OPTION.fill(letter=letter.upper()) for letter in letters], letters)
    if form.kind is Kind.MATRIX:
        if form.dimensions is not None and max(form.dimensions) <= GRID_LIMIT:
            return GridEntry(*form.dimensions)
        return AreaEntry()
    return LineEntry()


class AnswerField(VerticalGroup):
    """One part's answer. A paste that its entry can't hold stays visible as text, and counts as the answer."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("escape", "leave", wording.LEAVE_FIELD, wording.LEAVE_FIELD_TIP),
        bind("ctrl+t", "to_text", wording.AS_TEXT, wording.AS_TEXT_TIP),
        bind("ctrl+t", "to_cells", wording.AS_CELLS, wording.AS_CELLS_TIP),
    ]

    class Changed(Message):
        """The answer is another now."""

    class Submitted(Message):
        """The person is done with this part."""

        def __init__(self, field: AnswerField) -> None:
            """Say which part."""
            super().__init__()
            self.field = field

    class Left(Message):
        """The person wants out of the field, to the command keys."""

    def __init__(self, form: AnswerFormat, options: Sequence[Text] = (), *, id: str | None = None) -> None:
        """Offer a field.

        Args:
            form: The form of the answer.
            options: For a choice, what the options say.
            id: The widget's id.
        """
        super().__init__(id=id)
        self.form = form
        self._first = entry_for(form, options)
        self._area: AreaEntry | None = None
        self._echo = Phrase(classes="echo")

    def compose(self) -> ComposeResult:
        """Lay out the entry, and the echo beneath it."""
        yield self._first
        yield self._echo

    @property
    def entry(self) -> Entry:
        """The entry in use."""
        return self._first if self._area is None else self._area

    @property
    def text(self) -> str:
        """The answer as one text."""
        return self.entry.text.strip()

    @property
    def is_blank(self) -> bool:
        """Tell whether nothing has been entered."""
        return not self.text

    @property
    def cells_left(self) -> Text | None:
        """Say how many cells are filled, where some are and some aren't."""
        grid = self.entry
        if not isinstance(grid, GridEntry) or grid.filled == len(grid.cells):
            return None
        if grid.filled == 0 or (grid.filled == 1 and _fits(self._several(self.text), grid)):
            return None
        return wording.CELLS_LEFT.fill(count=grid.filled, total=len(grid.cells))

    @property
    def at_end(self) -> bool:
        """Tell whether Enter is done with this part, rather than going to another of its cells."""
        return not isinstance(self.entry, GridEntry) or self.entry.at_end

    def take_focus(self) -> None:
        """Go on typing."""
        self.entry.take_focus()

    def freeze(self, frozen: bool) -> None:
        """Let nothing be changed while the answer is being marked."""
        self.entry.freeze(frozen)

    async def restore(self, text: str) -> None:
        """Put back what ``text`` gave before."""
        if isinstance(self._first, GridEntry) and self._first.restore(text):
            return
        if "\n" in text and isinstance(self._first, GridEntry | LineEntry):
            await self._write(text)
        else:
            self._first.put(text)

    async def clear(self) -> None:
        """Empty it."""
        if self._area is not None:
            await self._area.remove()
            self._area = None
            self._first.display = True
        self._first.put("")
        self.say(None)

    def say(self, message: Text | None) -> None:
        """Show why the answer wasn't taken, until it's changed."""
        self._echo.say(message)
        self._echo.set_class(message is not None, "almost")

    def on_entry_changed(self, event: Entry.Changed) -> None:
        """Echo what is understood so far."""
        event.stop()
        self._echo.remove_class("almost")
        self._echo.say(self._understood())
        self.post_message(self.Changed())

    def _understood(self) -> Text | None:
        text = self.text
        if not text or isinstance(self.entry, ChoiceEntry):
            return None
        left = self.cells_left
        if left is not None:
            return left
        reading = read(text, self.form)
        if isinstance(reading, Unreadable):
            return self.explained(reading.message)
        understood = wording.UNDERSTOOD.fill(understood=reading.understood)
        for note in reading.notes:
            understood += note
        return understood

    def explained(self, message: Text) -> Text:
        """Say which cell can't be read, where it's one that can't; else the message itself."""
        grid, found = self.entry, self._bad_cell()
        if not isinstance(grid, GridEntry) or found is None:
            return message
        row, column = divmod(found[0], grid.columns)
        return wording.IN_CELL.fill(row=row + 1, column=column + 1, message=found[1].message)

    def mend(self) -> None:
        """Go to what can't be read."""
        grid, found = self.entry, self._bad_cell()
        if isinstance(grid, GridEntry) and found is not None:
            self.screen.set_focus(grid.cells[found[0]])
        else:
            self.take_focus()

    def _bad_cell(self) -> tuple[int, Unreadable] | None:
        """Return the first cell that can't be read, and why; None where the matrix is not typed by cells."""
        grid = self.entry
        if isinstance(grid, GridEntry) and grid.filled > 1:
            one = AnswerFormat(Kind.NUMBER, decimals=self.form.decimals, significant=self.form.significant)
            for place, cell in enumerate(grid.cells):
                reading = read(cell.value, one)
                if isinstance(reading, Unreadable):
                    return place, reading
        return None

    def on_entry_submitted(self, event: Entry.Submitted) -> None:
        """Say that the part is done."""
        event.stop()
        if not self.is_blank:
            self.post_message(self.Submitted(self))

    def on_grid_entry_crowded(self, event: GridEntry.Crowded) -> None:
        """Spread what was typed into one cell over those that it is for; nothing is handed in with this key."""
        event.stop()
        grid = self.entry
        assert isinstance(grid, GridEntry)
        several = self._several(grid.cells[event.place].value)
        if several is None:
            grid.go_on(event.place)
        elif grid.filled == 1 and _fits(several, grid):
            grid.fill([show(cell.value) for cell in several.cells])
            self.screen.set_focus(grid.cells[-1])
        elif several.dimensions[:1] == (1,) and not grid.is_taken(event.place, len(several.cells)):
            grid.fill([show(cell.value) for cell in several.cells], event.place)
            self.screen.set_focus(grid.cells[min(event.place + len(several.cells), len(grid.cells) - 1)])
        else:
            self.say(wording.TOO_MUCH_FOR_CELL.fill(rows=grid.rows, columns=grid.columns))

    def _several(self, text: str) -> Answer | None:
        """Return the numbers that one cell holds, where it's more than one."""
        one = AnswerFormat(Kind.NUMBER, decimals=self.form.decimals, significant=self.form.significant)
        if not isinstance(read(text, one), Unreadable):
            return None
        reading = read(text, self.form)
        return reading if isinstance(reading, Answer) and len(reading.cells) > 1 else None

    async def on_entry_pasted(self, event: Entry.Pasted) -> None:
        """Fill the cells with a whole matrix; keep anything else visible as text."""
        event.stop()
        if isinstance(self.entry, GridEntry) and self._spread(self.entry, event.text):
            self.screen.set_focus(self.entry.cells[-1])
        else:
            await self._write(event.text)

    def _spread(self, grid: GridEntry, text: str) -> bool:
        """Put a matrix that came as one text into the cells; tells whether it fitted."""
        reading = read(text, self.form)
        if isinstance(reading, Unreadable) or reading.dimensions != (grid.rows, grid.columns):
            return False
        grid.fill([show(cell.value) for cell in reading.cells])
        return True

    async def _write(self, text: str) -> None:
        """Go on with a text area in place of the entry."""
        if self._area is None:
            self._area = AreaEntry()
            self._first.display = False
            await self.mount(self._area, before=self._echo)
        self._area.put(text)
        self._area.take_focus()

    async def action_to_text(self) -> None:
        """Go on with the matrix as one text."""
        await self._write(self._first.text)

    async def action_to_cells(self) -> None:
        """Put the text back into the cells, where it fits."""
        grid, area = self._first, self._area
        if not isinstance(grid, GridEntry) or area is None:
            return
        if self.is_blank or self._spread(grid, self.text):
            self._area = None
            grid.display = True
            grid.take_focus()
            await area.remove()
        else:
            self.say(wording.NOT_AS_CELLS.fill(rows=grid.rows, columns=grid.columns))

    def action_leave(self) -> None:
        """Ask to be left."""
        self.post_message(self.Left())

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer the other form of a matrix."""
        if action == "to_text":
            return isinstance(self._first, GridEntry) and self._area is None
        if action == "to_cells":
            return isinstance(self._first, GridEntry) and self._area is not None
        return True


def _fits(several: Answer | None, grid: GridEntry) -> bool:
    """Tell whether numbers are those of all cells."""
    return several is not None and several.dimensions == (grid.rows, grid.columns)


def enter_leads(fields: Sequence[AnswerField], done: tuple[Text, Text], focused: Widget | None) -> tuple[Text, Text]:
    """Say where Enter leads from the field in focus: to a cell, to a part, or, where all others are filled, elsewhere.

    Args:
        fields: The fields of all parts.
        done: Where it leads once they are filled.
        focused: What has the focus.
    """
    here = next((place for place, field in enumerate(fields) if focused is not None and field in focused.ancestors), -1)
    if here >= 0 and not fields[here].at_end:
        return wording.NEXT_CELL, wording.NEXT_CELL_TIP
    if here >= 0 and any(field.is_blank for field in fields[here + 1 :]):
        return wording.NEXT_PART, wording.NEXT_PART_TIP
    return done
