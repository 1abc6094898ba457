"""The ways in which an answer is entered: a line, a grid of cells, a text area, a choice.

All of them hold one text, the one that is read and graded, and say ``Changed`` and ``Submitted``. Inside them every key is
text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import HorizontalGroup, VerticalGroup
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, OptionList, Static, TextArea
from textual.widgets.option_list import Option

from question_bank.text import Language, Text
from quizapp import wording
from quizapp.widgets.bilingual import Bilingual, bind, written


class Entry(VerticalGroup):
    """Anything that an answer is entered in."""

    class Changed(Message):
        """The text is another now."""

    class Submitted(Message):
        """The person is done with it."""

    class Pasted(Message):
        """A text arrived that is more than this entry can hold; nothing of it was taken."""

        def __init__(self, text: str) -> None:
            """Say which."""
            super().__init__()
            self.text = text

    @property
    def text(self) -> str:
        """What the person has entered, as one text."""
        raise NotImplementedError

    def put(self, text: str) -> None:
        """Replace what is entered."""
        raise NotImplementedError

    def take_focus(self) -> None:
        """Give the focus to the place where typing goes on."""
        self._focus_now(self)

    def _focus_now(self, widget: Widget) -> None:
        """Focus at once: ``Widget.focus`` lets keys that wait already go elsewhere."""
        self.screen.set_focus(widget)

    def freeze(self, frozen: bool) -> None:
        """Let nothing be changed while the answer is being marked."""
        self.disabled = frozen


class Line(Input):
    """One line of text. A paste of several lines is handed up whole."""

    BINDINGS: ClassVar[list[BindingType]] = [bind("enter", "submit", wording.SUBMIT, wording.SUBMIT_TIP)]

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        """Start empty; nothing is selected on focus, so that Ctrl+C means what it means elsewhere."""
        super().__init__(id=id, classes=classes, compact=True, select_on_focus=False)

    def on_mount(self) -> None:
        """Blink where the application blinks."""
        self.cursor_blink = getattr(self.app, "cursor_blink", True)

    def _on_paste(self, event: events.Paste) -> None:
        event.stop()
        event.prevent_default()
        text = event.text.strip("\r\n")
        if not self.take_paste(text):
            start, end = self.selection
            self.replace(text, start, end)

    def take_paste(self, text: str) -> bool:
        """Hand up a paste that this line can't hold; tells whether it was handed up."""
        if len(text.splitlines()) > 1:
            self.post_message(Entry.Pasted(text))
            return True
        return False


class LineEntry(Entry):
    """A number, a shape, a vector: one line."""

    def compose(self) -> ComposeResult:
        """Lay out the line."""
        yield Line()

    @property
    def line(self) -> Line:
        """The line itself."""
        return self.query_one(Line)

    @property
    def text(self) -> str:
        """What is typed."""
        return self.line.value

    def put(self, text: str) -> None:
        """Replace what is typed."""
        self.line.value = text
        self.line.cursor_position = len(text)

    def take_focus(self) -> None:
        """Go on typing."""
        self._focus_now(self.line)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Say that it changed."""
        event.stop()
        self.post_message(self.Changed())

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Say that the person is done."""
        event.stop()
        self.post_message(self.Submitted())


class Area(TextArea):
    """Several lines of text, in which Enter breaks the line."""

    def __init__(self) -> None:
        """Start empty, without line numbers or colours; Tab goes to the next field."""
        super().__init__(tab_behavior="focus", soft_wrap=True, show_line_numbers=False, compact=True)

    def on_mount(self) -> None:
        """Blink where the application blinks."""
        self.cursor_blink = getattr(self.app, "cursor_blink", True)


class AreaEntry(Entry):
    """A text of several lines, as pasted."""

    def compose(self) -> ComposeResult:
        """Lay out the text area."""
        yield Area()

    @property
    def area(self) -> Area:
        """The text area itself."""
        return self.query_one(Area)

    @property
    def text(self) -> str:
        """What is typed."""
        return self.area.text

    def put(self, text: str) -> None:
        """Replace what is typed."""
        self.area.text = text
        self.area.move_cursor(self.area.document.end)

    def take_focus(self) -> None:
        """Go on typing."""
        self._focus_now(self.area)

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        """Say that it changed."""
        event.stop()
        self.post_message(self.Changed())


class ChoiceEntry(Entry, Bilingual):
    """One of several options, by arrow keys or by its letter."""

    def __init__(self, options: Sequence[Text], values: Sequence[str]) -> None:
        """Offer some options.

        Args:
            options: What each option says.
            values: The text that each stands for.
        """
        super().__init__()
        self._options = tuple(options)
        self._values = tuple(values)
        self._chosen: int | None = None

    def compose(self) -> ComposeResult:
        """Lay out the list."""
        yield OptionList(markup=False, compact=True)

    @property
    def options(self) -> OptionList:
        """The list itself."""
        return self.query_one(OptionList)

    def translate(self, language: Language) -> None:
        """Write the options anew; the marked one stays marked."""
        marked = self.options.highlighted
        self.options.clear_options()
        self.options.add_options(
            Option(f"{value}  {written(option, language)}") for option, value in zip(self._options, self._values, strict=True)
        )
        self.options.highlighted = marked if marked is not None else 0

    @property
    def text(self) -> str:
        """What was chosen; empty as long as nothing was."""
        return self._values[self._chosen] if self._chosen is not None else ""

    def put(self, text: str) -> None:
        """Choose an option by what it stands for; none for any other text."""
        self._chosen = self._values.index(text) if text in self._values else None
        self.options.highlighted = self._chosen or 0

    def take_focus(self) -> None:
        """Let the arrows choose."""
        self._focus_now(self.options)

    def on_key(self, event: events.Key) -> None:
        """Choose by letter."""
        character = (event.character or "").casefold()
        letters = [value[0].casefold() for value in self._values]
        if character and character in letters:
            event.stop()
            event.prevent_default()
            self.options.highlighted = letters.index(character)
            self.options.action_select()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Choose, and be done."""
        event.stop()
        self._chosen = event.option_index
        self.post_message(self.Changed())
        self.post_message(self.Submitted())


def _brackets(row: int, rows: int) -> tuple[str, str]:
    if rows == 1:
        return "[", "]"
    return ("⎡", "⎤") if row == 0 else ("⎣", "⎦") if row == rows - 1 else ("⎢", "⎥")


MORE_THAN_A_NUMBER = re.compile(r"[\s;；\[［]|[,，、].*[,，、]")
"""What a single number doesn't hold."""


class Cell(Line):
    """One cell of a grid."""

    class Walked(Message):
        """An arrow leads out of the cell, to the one before or the next."""

        def __init__(self, step: int) -> None:
            """Say which way."""
            super().__init__()
            self.step = step

    BINDINGS: ClassVar[list[BindingType]] = [bind("enter", "submit", wording.NEXT_CELL, wording.NEXT_CELL_TIP)]

    def take_paste(self, text: str) -> bool:
        """Hand up whatever is more than one number."""
        if MORE_THAN_A_NUMBER.search(text.strip()):
            self.post_message(Entry.Pasted(text))
            return True
        return False

    def action_cursor_left(self, select: bool = False) -> None:
        """At the start of a cell go to the one before."""
        if self.cursor_at_start and self.selection.is_empty and not select:
            self.post_message(Cell.Walked(-1))
        else:
            super().action_cursor_left(select)

    def action_cursor_right(self, select: bool = False) -> None:
        """At the end of a cell go to the next."""
        if self.cursor_at_end and self.selection.is_empty and not select:
            self.post_message(Cell.Walked(1))
        else:
            super().action_cursor_right(select)


class GridEntry(Entry):
    """A matrix, cell by cell."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("up", "move_row(-1)", wording.MOVE, wording.CELL_TIP, show=False),
        bind("down", "move_row(1)", wording.MOVE, wording.CELL_TIP, show=False),
    ]

    def __init__(self, rows: int, columns: int) -> None:
        """Draw so many empty cells."""
        super().__init__()
        self.rows, self.columns = rows, columns

    def compose(self) -> ComposeResult:
        """Lay out the cells between tall brackets."""
        for row in range(self.rows):
            left, right = _brackets(row, self.rows)
            with HorizontalGroup():
                yield Static(left, markup=False, classes="bracket")
                for _column in range(self.columns):
                    yield Cell()
                yield Static(right, markup=False, classes="bracket")

    @property
    def cells(self) -> list[Cell]:
        """The cells, row by row."""
        return list(self.query(Cell))

    @property
    def filled(self) -> int:
        """How many cells hold something."""
        return sum(bool(cell.value.strip()) for cell in self.cells)

    @property
    def text(self) -> str:
        """All cells as one text; the content of a cell that alone is filled stands for itself."""
        values = [cell.value.strip() for cell in self.cells]
        if self.filled <= 1:
            return "".join(values)
        rows = [values[start : start + self.columns] for start in range(0, len(values), self.columns)]
        if any("," in value or "，" in value for value in values):  # decimal commas: blanks part the cells
            return "\n".join(" ".join(row) for row in rows)
        return "[" + ", ".join("[" + ", ".join(row) + "]" for row in rows) + "]"

    def put(self, text: str) -> None:
        """Empty the cells; a text goes into the first."""
        for cell in self.cells:
            cell.value = ""
        self.cells[0].value = text

    def fill(self, values: Sequence[str]) -> None:
        """Fill the cells, row by row."""
        for cell, value in zip(self.cells, values, strict=True):
            cell.value = value
            cell.cursor_position = len(value)

    def take_focus(self) -> None:
        """Go to the first empty cell, or to the first."""
        empty = [cell for cell in self.cells if not cell.value.strip()]
        self._focus_now((empty or self.cells)[0])

    def _place(self) -> int | None:
        focused = self.screen.focused
        return self.cells.index(focused) if isinstance(focused, Cell) and focused in self.cells else None

    def action_move_row(self, rows: int) -> None:
        """Go to the cell above or below."""
        self._walk(rows * self.columns)

    def on_cell_walked(self, event: Cell.Walked) -> None:
        """Go to the cell before or the next."""
        event.stop()
        self._walk(event.step)

    def _walk(self, cells: int) -> None:
        place = self._place()
        if place is not None and 0 <= place + cells < len(self.cells):
            self._focus_now(self.cells[place + cells])

    def on_input_changed(self, event: Input.Changed) -> None:
        """Say that it changed."""
        event.stop()
        self.post_message(self.Changed())

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Go to the next cell; in the last, or where one cell holds everything, be done."""
        event.stop()
        place = self._place()
        if place is None or place == len(self.cells) - 1 or (self.filled == 1 and " " in event.value.strip()):
            self.post_message(self.Submitted())
        else:
            self._focus_now(self.cells[place + 1])
