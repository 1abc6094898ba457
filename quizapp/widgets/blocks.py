"""Values drawn for a lab: numbers between brackets, heat maps, bars, sliders. Every cell is a piece that can be pointed at.

A heat map and a bar are read by their number and their shade alone; colour only adds to it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from rich.cells import cell_len

from question_bank.labs.lab import View
from question_bank.labs.state import Index
from question_bank.math.grids import aligned, brackets
from question_bank.text import Language, Text, same
from quizapp.widgets.bilingual import written
from quizapp.widgets.matrices import Table
from quizapp.widgets.wrapping import wrap

CHANGED = "•"
"""What stands behind a cell that has changed since the last step."""

HIDDEN = "·"
SHADES = " ░▒▓█"
EIGHTHS = " ▏▎▍▌▋▊▉"
BAR = 16
SLIDER = 13
GAP = 2
TINT = 38
"""Percent of the accent behind the hottest cell; more would swallow its number."""

SOFT, NAME, MARKED = "$ink-soft", "bold", "bold $accent"


@dataclass(frozen=True, slots=True)
class Piece:
    """Some text of one look; ``cell`` where it is a cell, whose value's name is then given."""

    text: str
    style: str = ""
    cell: Index | None = None
    name: str = ""


Drawn = list[list[Piece]]
"""Lines of pieces."""


@dataclass(frozen=True)
class Block:
    """A value and how it is drawn.

    Attributes:
        name: The input or node.
        lead: What stands before it, such as ``S = QKᵀ``.
        table: Its value as displayed.
        view: How it is drawn.
        numbers: Its value as floats, for heat and bars.
        rows: What stands beside its rows; numbered, if nothing does.
        columns: What stands above its columns.
        letters: Letters by which rows and columns are numbered: q and k for weights.
        sign: What stands before the lead: that the step is off, or goes wrong.
        note: A line beneath: what it is, or its code.
        changed: Cells that have changed.
        hidden: Cells that are not reached yet; None for all of them.
        slider: Where a single number stands between its bounds, from 0 to 1.
        sliders: The same of each number of a row, for sliders.
    """

    name: str
    lead: Text
    table: Table
    view: View = View.NUMBERS
    numbers: Any = None
    rows: tuple[Text, ...] = ()
    columns: tuple[Text, ...] = ()
    letters: tuple[str, str] = ("", "")
    sign: str = ""
    note: Text = field(default_factory=lambda: same(""))
    changed: frozenset[Index] = frozenset()
    hidden: frozenset[Index] | None = field(default_factory=frozenset)
    slider: float | None = None
    sliders: tuple[float | None, ...] = ()


def width_of(lines: Drawn) -> int:
    """Return the columns of the widest line."""
    return max((sum(cell_len(piece.text) for piece in line) for line in lines), default=0)


def draw(block: Block, language: Language, width: int) -> Drawn:
    """Draw a block in at most so many columns."""
    lead = [Piece(block.sign, "bold $error" if block.sign == "✗ " else MARKED)] if block.sign else []
    lead.append(Piece(written(block.lead, language), NAME))
    head = cell_len(lead[-1].text) + cell_len(block.sign)
    body = _body(block, language, width)
    gap = 1 if block.view is View.NUMBERS else 2
    if head + gap + width_of(body) <= width:
        middle = (len(body) - (block.view is not View.HEAT)) // 2
        lines = [[*(lead if at == middle else [Piece(" " * head)]), Piece(" " * gap), *line] for at, line in enumerate(body)]
    else:
        over = [[Piece(part, NAME)] for part in wrap(lead[-1].text, width - cell_len(block.sign))]
        over[0] = [*lead[:-1], *over[0]]
        lines = over + [[Piece("  "), *line] for line in _body(block, language, width - 2)]
    if block.note[language]:
        lines += [[Piece(part, SOFT)] for part in wrap(written(block.note, language), width)]
    return lines


def _body(block: Block, language: Language, width: int) -> Drawn:
    table = block.table
    if isinstance(table, str):
        return [[_cell(block, table, ()), *_slider(block.slider)]]
    flat = all(isinstance(part, str) for part in table)
    if block.view is View.BARS and flat and block.numbers is not None:
        return _bars(block, language, width)
    if block.view is View.SLIDERS and flat and len(block.sliders) == len(table):
        return _sliders(block, language)
    if block.view is View.HEAT and block.numbers is not None:
        maps = [_heat(block, language, index, width) for index in _matrices(table)]
        if all(maps):
            return _joined([drawn for drawn in maps if drawn], width)
    if flat:
        return _numbers(block, [[((at,), str(cell)) for at, cell in enumerate(table)]], width)
    drawn = []
    for index in _matrices(table):
        rows = _part(table, index)
        drawn.append(
            _numbers(block, [[((*index, i, j), str(cell)) for j, cell in enumerate(row)] for i, row in enumerate(rows)], width)
        )
    return _joined(drawn, width)


def _matrices(table: Table, index: Index = ()) -> Iterator[Index]:
    """Yield the leading indices of each matrix of a value of any depth."""
    if isinstance(table, tuple) and table and isinstance(table[0], tuple) and isinstance(table[0][0], tuple):
        for at, part in enumerate(table):
            yield from _matrices(part, (*index, at))
    else:
        yield index


def _part(table: Any, index: Index) -> Any:
    for at in index:
        table = table[at]
    return table


def _cell(block: Block, text: str, index: Index, style: str = "", behind: str = "") -> Piece:
    """Draw a cell, with room behind it for the sign of a change."""
    if block.hidden is None or index in block.hidden:
        text, style = " " * (cell_len(text) - 1) + HIDDEN, SOFT
    changed = index in block.changed and HIDDEN not in text
    return Piece(
        text + (CHANGED if changed else " ") + behind,
        f"{MARKED} {style}".strip() if changed else style,
        index,
        block.name,
    )


def _numbers(block: Block, rows: Sequence[Sequence[tuple[Index, str]]], width: int) -> Drawn:
    columns = [aligned([text for _, text in column]) for column in zip(*rows, strict=True)]
    taken = sum(cell_len(column[0]) + 2 for column in columns) + 2
    if taken > width:
        return _folded(block, rows, width)
    drawn = []
    for at, ((left, right), row) in enumerate(zip(brackets(len(rows)), rows, strict=True)):
        cells = _spaced(_cell(block, column[at], index) for column, (index, _) in zip(columns, row, strict=True))
        drawn.append([Piece(left + " ", SOFT), *cells, Piece(right, SOFT)])
    return drawn


def _folded(block: Block, rows: Sequence[Sequence[tuple[Index, str]]], width: int) -> Drawn:
    """Draw rows that are wider than the page, each over several lines."""
    wide = max((cell_len(text) for row in rows for _, text in row), default=1)
    fit = max(1, (width - 3) // (wide + 2))
    lines: Drawn = []
    for row in rows:
        for start in range(0, len(row), fit):
            cells = _spaced(_cell(block, text.rjust(wide), index) for index, text in row[start : start + fit])
            shut = Piece("]" if start + fit >= len(row) else "", SOFT)
            lines.append([Piece("  " if start else "[ ", SOFT), *cells, shut])
    return lines


def _spaced(cells: Iterator[Piece]) -> list[Piece]:
    out: list[Piece] = []
    for cell in cells:
        out += [Piece(" "), cell] if out else [cell]
    return out


def _joined(parts: Sequence[Drawn], width: int) -> Drawn:
    """Set drawings of one value beside one another, or beneath where the width ends."""
    rows: list[list[Drawn]] = []
    for part in parts:
        if rows and sum(map(width_of, rows[-1])) + GAP * len(rows[-1]) + width_of(part) <= width:
            rows[-1].append(part)
        else:
            rows.append([part])
    return [line for row in rows for line in beside(row, GAP)]


def beside(parts: Sequence[Drawn], gap: int) -> Drawn:
    """Set drawings side by side, centred on one line."""
    above = max((len(part) - 1) // 2 for part in parts)
    below = max(len(part) - (len(part) - 1) // 2 for part in parts)
    out: Drawn = []
    for at in range(above + below):
        line: list[Piece] = []
        for place, part in enumerate(parts):
            row = at - above + (len(part) - 1) // 2
            pieces = part[row] if 0 <= row < len(part) else []
            line += pieces
            if place < len(parts) - 1:
                line.append(Piece(" " * (width_of(part) - width_of([pieces]) + gap)))
        out.append(line)
    return out


# Heat and bars ---------------------------------------------------------------------------------------------------------


def _scale(numbers: Any) -> Callable[[float], float]:
    """Return how hot a number is, from 0 to 1: weights as they are, anything else against the largest."""
    flat = [abs(one) for one in _flat(numbers) if math.isfinite(one)]
    most = max(flat, default=0.0)
    most = 1.0 if most <= 1 and min(_flat(numbers), default=0) >= 0 else most
    return lambda number: min(1.0, abs(number) / most) if most and not math.isnan(number) else 0.0


def _flat(value: Any) -> Iterator[float]:
    if isinstance(value, list):
        for part in value:
            yield from _flat(part)
    else:
        yield value


def _names(texts: tuple[Text, ...], count: int, letter: str, language: Language) -> list[str]:
    from solvers.hand import subscript

    return (
        [text[language] for text in texts]
        if len(texts) == count
        else [letter + subscript(at) if letter else str(at + 1) for at in range(count)]
    )


def _heat(block: Block, language: Language, index: Index, width: int) -> Drawn | None:
    """Draw a heat map, rows for queries and columns for keys; None where it doesn't fit."""
    table, numbers = _part(block.table, index), _part(block.numbers, index)
    one_row = not isinstance(table[0], tuple)
    if one_row:
        table, numbers = (table,), [numbers]
    heat = _scale(block.numbers)
    rows = _names(block.rows, len(table), block.letters[0], language)
    columns = _names(block.columns, len(table[0]), block.letters[1], language)
    side = max(map(cell_len, rows))
    cells = [aligned(column) for column in zip(*table, strict=True)]
    wide = max(*(cell_len(column[0]) for column in cells), *(cell_len(name) - 4 for name in columns))
    if side + 1 + len(columns) * (wide + 5) > width:
        return None
    lines = [[Piece(" " * (side + 1)), *(Piece(" " * (wide + 3 - cell_len(name)) + name + "  ", SOFT) for name in columns)]]
    for i, row in enumerate(numbers):
        line = [Piece(" " * (side - cell_len(rows[i])) + rows[i] + " ", SOFT)]
        for j, number in enumerate(row):
            level = heat(number)
            at = (*index, j) if one_row else (*index, i, j)
            hidden = block.hidden is None or at in block.hidden
            shade = "  " if hidden else SHADES[min(4, math.ceil(level * 4 - 1e-9))] * 2
            text = " " * (wide - cell_len(cells[j][i])) + cells[j][i]
            style = f"on $accent {round(level * TINT)}%" if level and not hidden else ""
            line += [Piece(f"{shade} ", f"$accent {style}".strip()), _cell(block, text, at, style, " ")]
        lines.append(line)
    return lines


def _bars(block: Block, language: Language, width: int) -> Drawn:
    heat = _scale(block.numbers)
    names = _names(block.rows, len(block.table), "", language)
    texts = aligned([str(cell) for cell in block.table])
    side = max(map(cell_len, names))
    room = max(4, min(BAR, width - cell_len(texts[0]) - side - 3))
    lines = []
    for at, text in enumerate(texts):
        number = block.numbers[at]
        bar = _bar(heat(number), room, negative=number < 0)
        hidden = block.hidden is None or (at,) in block.hidden
        lines.append(
            [
                Piece(" " * (side - cell_len(names[at])) + names[at] + " ", SOFT),
                _cell(block, text, (at,)),
                Piece("▏" + (" " * room if hidden else bar), "$accent"),
            ]
        )
    return lines


def _bar(level: float, room: int, *, negative: bool) -> str:
    eighths = round(level * room * 8)
    if negative:
        return ("░" * max(1, eighths // 8)).ljust(room)
    return ("█" * (eighths // 8) + EIGHTHS[eighths % 8]).rstrip().ljust(room)


def _sliders(block: Block, language: Language) -> Drawn:
    names = _names(block.rows, len(block.table), "", language)
    texts = aligned([str(cell) for cell in block.table])
    side = max(map(cell_len, names))
    return [
        [Piece(" " * (side - cell_len(name)) + name + " ", SOFT), _cell(block, text, (at,)), *_slider(block.sliders[at])]
        for at, (name, text) in enumerate(zip(names, texts, strict=True))
    ]


def _slider(place: float | None) -> list[Piece]:
    if place is None:
        return []
    at = round(place * (SLIDER - 1))
    return [Piece(" " + "─" * at, SOFT), Piece("●", "$accent"), Piece("─" * (SLIDER - 1 - at), SOFT)]
