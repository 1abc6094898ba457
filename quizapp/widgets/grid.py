"""A matrix entered cell by cell, between tall brackets."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import HorizontalGroup
from textual.message import Message
from textual.widgets import Input, Static

from quizapp import wording
from quizapp.widgets.bilingual import bind
from quizapp.widgets.entries import Entry, Line


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

    class Crowded(Message):
        """Enter was pressed in a cell that holds more than a number, as it seems."""

        def __init__(self, place: int) -> None:
            """Say in which cell."""
            super().__init__()
            self.place = place

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

    def restore(self, text: str) -> bool:
        """Fill the cells with what ``text`` gave before, the empty ones among them; tells whether it fitted."""
        if text.startswith("[[") and text.endswith("]]"):
            rows = [row.split(", ") for row in text[2:-2].split("], [")]
        else:
            rows = [row.split(" ") for row in text.split("\n")]
        if len(rows) != self.rows or any(len(row) > self.columns for row in rows):
            return False
        self.fill([value for row in rows for value in row + [""] * (self.columns - len(row))])
        return True

    def fill(self, values: Sequence[str], start: int = 0) -> None:
        """Fill the cells, row by row, from one on."""
        for cell, value in zip(self.cells[start:], values, strict=False):
            cell.value = value
            cell.cursor_position = len(value)

    def is_taken(self, place: int, count: int) -> bool:
        """Tell whether so many numbers have no room from a cell on: it would be another row's, or others stand there."""
        others = self.cells[place + 1 : place + count]
        ends = place % self.columns + count > self.columns
        return ends or any(cell.value.strip() for cell in others)

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

    @property
    def at_end(self) -> bool:
        """Tell whether Enter is done with the matrix: in the last cell, with all the others filled."""
        cells = self.cells
        return self._place() == len(cells) - 1 and all(cell.value.strip() for cell in cells[:-1])

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Go to the next cell, unless this one holds a whole row."""
        event.stop()
        place = self._place()
        if place is not None and MORE_THAN_A_NUMBER.search(event.value.strip()):
            self.post_message(self.Crowded(place))
        else:
            self.go_on(place)

    def go_on(self, place: int | None) -> None:
        """Go to the next cell; in the last, be done."""
        if place is None or place >= len(self.cells) - 1:
            self.post_message(self.Submitted())
        else:
            self._focus_now(self.cells[place + 1])
