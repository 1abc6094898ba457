"""Draw matrices in a terminal: columns aligned at the decimal point, between tall brackets."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

_DECIMAL = re.compile(r"[-+−]?[0-9][0-9,]*(?:\.[0-9]*)?%?|[-+−]?\.[0-9]+%?")


def cell_len(text: str) -> int:
    """Return how many columns of a terminal a text takes: two for a wide character, none for a combining one."""
    return sum(map(_width, text))


def _width(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf", "Cc"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def matrix_lines(rows: tuple[tuple[str, ...], ...]) -> list[str]:
    """Draw a matrix.

    Numbers stand with their decimal points (or, without one, their last digits) in one column; anything else is flush right.

    Args:
        rows: The cells, as they are to be shown.

    Returns:
        One line per row, all of the same width; a single empty pair of brackets where there are no cells.

    Raises:
        ValueError: The rows differ in length.
    """
    if not rows or not rows[0]:
        return ["[ ]"] * max(len(rows), 1)
    columns = [aligned(column) for column in zip(*rows, strict=True)]
    lines = ["  ".join(cells) for cells in zip(*columns, strict=True)]
    if len(lines) == 1:
        return [f"[ {lines[0]} ]"]
    return [f"{left} {line} {right}" for (left, right), line in zip(brackets(len(lines)), lines, strict=True)]


def brackets(rows: int) -> list[tuple[str, str]]:
    """Return the pieces of tall brackets around so many rows."""
    if rows == 1:
        return [("[", "]")]
    return [("⎡", "⎤"), *[("⎢", "⎥")] * (rows - 2), ("⎣", "⎦")]


def aligned(cells: Sequence[str]) -> list[str]:
    """Pad the cells of one column to one width."""
    behind = max((len(_fraction(cell)) for cell in cells), default=0)
    padded = [cell + " " * (behind - len(_fraction(cell))) if _DECIMAL.fullmatch(cell) else cell for cell in cells]
    width = max(map(cell_len, padded))
    return [" " * (width - cell_len(cell)) + cell for cell in padded]


def _fraction(cell: str) -> str:
    """Return what a number has from its decimal point on."""
    found = re.search(r"\..*|%", cell) if _DECIMAL.fullmatch(cell) else None
    return found.group() if found else ""
