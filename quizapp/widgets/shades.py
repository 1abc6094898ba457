"""Small maps of weights: a shade and a number a cell, or where there is no room for numbers, the pattern alone."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rich.cells import cell_len
from textual.content import Content

from quizapp.widgets.blocks import SHADES, TINT
from quizapp.widgets.plots import CURVE, POINT, SOFT, short
from solvers.hand import subscript

HIDDEN = "××"
"""A cell of −∞."""

LITTLE, LITTLE_SIGN = 0.05, " ·"
"""Up to which share of the largest a cell counts as next to nothing; a cell of exactly 0 stays empty."""


def shade(number: float, most: float) -> tuple[str, str]:
    """Return the two columns of a number, and their ink; the darker, the nearer it is to the largest."""
    if number == -math.inf:
        return HIDDEN, SOFT
    if math.isnan(number):
        return "??", POINT
    level = min(1.0, abs(number) / most) if most and math.isfinite(most) else 0.0
    if 0 < level < LITTLE:
        return LITTLE_SIGN, CURVE
    return SHADES[min(4, math.ceil(level * 4 - 1e-9))] * 2, CURVE


def small_map(title: str, rows: Sequence[Sequence[float]], *, most: float | None = None, letter: str = "q") -> Content:
    """Draw a map beneath its title, the rows named by a letter; without one, not named."""
    finite = [abs(number) for row in rows for number in row if math.isfinite(number)]
    most = max(finite, default=0.0) if most is None else most
    side = len(letter + subscript(0)) + 1 if letter else 0
    lines = [Content.styled(" " * side + title, "bold")]
    for at, row in enumerate(rows):
        name = (letter + subscript(at)).ljust(side) if letter else ""
        lines.append(Content.assemble((name, SOFT), *(shade(number, most) for number in row), ("▏", SOFT)))
    return Content("\n").join(lines)


def number_map(
    title: str, rows: Sequence[Sequence[float]], decimals: int, *, most: float | None = None, letter: str = ""
) -> Content:
    """Draw a map whose cells have a shade and the number behind it, on a tint of the accent that only adds to it.

    Args:
        title: What stands above.
        rows: The numbers.
        decimals: To how many decimals they are written.
        most: The number of the darkest shade; the largest, if none is given.
        letter: By which letter the rows are named; without one, not at all.
    """
    finite = [abs(number) for row in rows for number in row if math.isfinite(number)]
    most = max(finite, default=0.0) if most is None else most
    texts = [[_written(number, decimals) for number in row] for row in rows]
    wide = max((len(text) for row in texts for text in row), default=1)
    side = len(letter + subscript(0)) + 1 if letter else 0
    lines = [Content.styled(" " * side + title, "bold")]
    for at, row in enumerate(rows):
        parts: list[tuple[str, str]] = [((letter + subscript(at)).ljust(side) if letter else "", SOFT)]
        for place, number in enumerate(row):
            sign, ink = shade(number, most)
            level = min(1.0, abs(number) / most) if most and math.isfinite(number) else 0.0
            behind = f" on $accent {round(level * TINT)}%" if level else ""
            parts += [
                (" " if place else "", ""),
                (sign[-1], ink + behind),
                (texts[at][place].rjust(wide), (SOFT if number == -math.inf else "") + behind),
            ]
        lines.append(Content.assemble(*parts))
    return Content("\n").join(lines)


def _written(number: float, decimals: int) -> str:
    return short(number) if not math.isfinite(number) else f"{number:.{decimals}f}".replace("-", "−")


def width_of(drawn: Content) -> int:
    """Return the columns of the widest line."""
    return max(cell_len(line) for line in drawn.plain.split("\n"))
