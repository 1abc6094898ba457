"""Listings: lines of code with their numbers, folded where a page is too narrow for them."""

from __future__ import annotations

from collections.abc import Sequence

HANG = 4
"""Columns by which the rest of a folded line is indented."""


def folded(code: str, width: int) -> list[str]:
    """Fold one line of code at its blanks, so that no part is wider than the width; the rest hangs.

    Args:
        code: The line; ASCII, each character taking one column.
        width: The columns that there are; at least a dozen are taken.
    """
    width = max(width, 3 * HANG)
    parts: list[str] = []
    rest, indent = code.rstrip(), ""
    while len(indent + rest) > width:
        room = width - len(indent)
        cut = rest.rfind(" ", 1, room + 1)
        cut = cut if cut > 0 else room
        parts.append(indent + rest[:cut].rstrip())
        rest, indent = rest[cut:].lstrip(), " " * HANG
    return [*parts, indent + rest]


def numbered(listing: Sequence[str], width: int = 10_000) -> list[tuple[str, str]]:
    """Number a listing's lines from 1.

    Args:
        listing: The lines of code.
        width: The columns that number and code together may take.

    Returns:
        Number and code of each line, the numbers right-aligned with two blanks behind; the rest of a folded line has blanks
        where the number would be.
    """
    digits = len(str(len(listing)))
    rows: list[tuple[str, str]] = []
    for number, code in enumerate(listing, 1):
        first, *more = folded(code, width - digits - 2)
        rows.append((f"{number:>{digits}}  ", first))
        rows += [(" " * (digits + 2), part) for part in more]
    return rows
