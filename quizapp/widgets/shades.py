"""Small maps of weights, two columns a cell: their pattern without their numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence

from textual.content import Content

from quizapp.widgets.blocks import SHADES
from quizapp.widgets.plots import CURVE, POINT, SOFT
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
