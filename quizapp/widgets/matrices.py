"""Named values drawn as mathematics: matrices with tall brackets, side by side where they fit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from textual.content import Content
from textual.geometry import Size

from question_bank.exact import show
from question_bank.math.symbols import letter
from question_bank.program import Nested, Shape
from question_bank.text import Text, same
from quizapp.widgets.bilingual import Bilingual, language_of, written
from quizapp.widgets.wrapping import wrap

Table = str | tuple["Table", ...]
"""A displayed value: a number, a vector, a matrix, or deeper."""

WRONG_CELL = "✗"
"""What a wrong cell carries behind its number."""

GAP = 4
"""Columns between two matrices."""


@dataclass(frozen=True, slots=True)
class Named:
    """A value with its name.

    Attributes:
        lead: What stands before it, such as ``$Q$ = ``.
        value: The value as displayed; a text that is no number, such as a shape, is shown as it is.
        style: How the lead looks.
    """

    lead: Text
    value: Table
    style: str = ""


def table_of(value: Nested | Shape) -> Table:
    """Write an input for display."""
    if isinstance(value, Shape):
        return "[" + ", ".join(map(str, value.dimensions)) + "]"
    return tuple(map(table_of, value)) if isinstance(value, tuple) else show(value)


def parsed(shown: str) -> Table:
    """Take a displayed answer apart: ``[[1, 2], [3, 4]]`` into rows of cells. Anything else stays one text."""
    tokens = re.findall(r"\[|\]|[^\[\],]+", shown)
    table, rest = _parsed(tokens) if tokens[:1] == ["["] else (shown, [])
    return shown if rest else table


def _parsed(tokens: list[str]) -> tuple[Table, list[str]]:
    inside: list[Table] = []
    rest = tokens[1:]
    while rest and rest[0] != "]":
        if rest[0] == "[":
            part, rest = _parsed(rest)
            inside.append(part)
        else:
            if rest[0].strip():
                inside.append(rest[0].strip())
            rest = rest[1:]
    return tuple(inside), rest[1:]


def marked(table: Table, cells: Iterable[tuple[int, ...]], index: tuple[int, ...] = ()) -> Table:
    """Put the sign of a wrong cell behind these cells."""
    wrong = set(cells)
    if isinstance(table, str):
        return table + WRONG_CELL if index in wrong else table
    return tuple(marked(part, wrong, (*index, place)) for place, part in enumerate(table))


def block(lead: str, table: Table, width: int) -> list[str]:
    """Draw one value, with what stands before it, in at most so many columns."""
    drawn = _drawn(table)
    if cell_len(lead) + max(map(cell_len, drawn)) > width:
        drawn = [line for row in _rows(table) for line in wrap(row, max(8, width - cell_len(lead)))]
    middle = (len(drawn) - 1) // 2
    return [(lead if place == middle else " " * cell_len(lead)) + line for place, line in enumerate(drawn)]


def _drawn(table: Table) -> list[str]:
    if isinstance(table, str):
        return [table]
    if all(isinstance(part, str) for part in table):
        return ["[ " + "  ".join(map(str, table)) + " ]"]
    if all(isinstance(row, tuple) and all(isinstance(cell, str) for cell in row) for row in table):
        from question_bank.math import matrix_lines

        return list(matrix_lines(tuple(tuple(map(str, row)) for row in table)))
    return [line for part in table for line in _drawn(part)]


def _rows(table: Table) -> list[str]:
    """Write a value that is too wide to be drawn, a paragraph per row."""
    if isinstance(table, str):
        return [table]
    if all(isinstance(part, str) for part in table):
        return ["[" + ", ".join(map(str, table)) + "]"]
    return [row for part in table for row in _rows(part)]


def side_by_side(blocks: Sequence[list[str]], width: int) -> list[str]:
    """Set blocks beside one another, centred on one line, and start anew beneath where the width ends."""
    rows: list[list[list[str]]] = []
    for each in blocks:
        row = rows[-1] if rows else []
        if row and sum(map(_width, row)) + GAP * len(row) + _width(each) <= width:
            row.append(each)
        else:
            rows.append([each])
    lines: list[str] = []
    above = 0
    for row in rows:
        drawn = _set(row)
        if lines and len(drawn) + above > 2:  # brackets one above the other would look like one matrix
            lines.append("")
        lines += drawn
        above = len(drawn)
    return lines


def _width(lines: list[str]) -> int:
    return max(map(cell_len, lines), default=0)


def _set(row: list[list[str]]) -> list[str]:
    above = max((len(lines) - 1) // 2 for lines in row)
    below = max(len(lines) - (len(lines) - 1) // 2 for lines in row)
    out = []
    for place in range(above + below):
        line = ""
        for lines in row:
            at = place - above + (len(lines) - 1) // 2
            piece = lines[at] if 0 <= at < len(lines) else ""
            line += piece + " " * (_width(lines) - cell_len(piece) + GAP)
        out.append(line.rstrip())
    return out


class Matrices(Bilingual):
    """Named values, flowing over the width that there is."""

    DEFAULT_CSS = "Matrices { width: 1fr; height: auto; text-wrap: nowrap; }"

    def __init__(self, values: Sequence[Named] = (), *, id: str | None = None, classes: str | None = None) -> None:
        """Draw some values."""
        super().__init__(id=id, classes=classes)
        self._values = tuple(values)

    def show(self, values: Sequence[Named]) -> None:
        """Draw other values."""
        self._values = tuple(values)
        self.refresh(layout=True)

    def _lines(self, width: int) -> list[str]:
        language = language_of(self)
        blocks = [block(written(each.lead, language), each.value, width) for each in self._values]
        return side_by_side(blocks, width)

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """Take what there is."""
        return container.width

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the lines that the values take in this width."""
        return len(self._lines(width))

    def render(self) -> Content:
        """Draw the values; wrong cells carry a sign and stand out."""
        drawn = Content("\n".join(self._lines(self.content_size.width)))
        for found in re.finditer(rf"[^\s\[\],]+{WRONG_CELL}", drawn.plain):
            drawn = drawn.stylize("$error bold", *found.span())
        for each in self._values:
            lead = written(each.lead, language_of(self)).strip()
            if each.style and lead in drawn.plain:
                start = drawn.plain.index(lead)
                drawn = drawn.stylize(each.style, start, start + len(lead))
        return drawn


def named(name: str, value: Nested | Shape) -> Named:
    """Write an input: ``W_Q = ...``, or ``X: [2, 5, 512]`` where only the shape is known."""
    return Named(same(f"${symbol(name)}${': ' if isinstance(value, Shape) else ' = '}"), table_of(value))


def symbol(name: str) -> str:
    """Write the name of an input or a node in LaTeX."""
    head, _, tail = name.partition("_")
    head = letter(head)
    if not tail:
        return head if len(head) == 1 or head.startswith("\\") else rf"\mathrm{{{head}}}"
    return f"{head}_{tail}" if len(tail) == 1 else rf"{head}_{{\text{{{tail.replace('_', ' ')}}}}}"
