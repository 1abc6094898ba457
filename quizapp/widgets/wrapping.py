"""Breaking sentences into lines, in English and in Chinese, by the columns that they take."""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import cell_len

NEVER_FIRST = "，。、；：！？）》】」』”’…％‰·,.;:!?)]}%"
"""What must not open a line."""

NEVER_LAST = "（《【「『“‘([{"
"""What must not close a line."""


def wrap(text: str, width: int) -> list[str]:
    """Break a text into lines of at most ``width`` columns.

    Lines break at blanks and beside wide characters, never before closing or after opening punctuation. A word wider than
    the line is cut. Line breaks in the text are kept.

    Args:
        text: What to break; may hold line breaks.
        width: Columns of a line.
    """
    width = max(2, width)
    return [line for paragraph in text.split("\n") for line in _wrapped(paragraph, width)]


def shortened(text: str, width: int) -> str:
    """Cut a text to a width, with an ellipsis at its end."""
    return text if cell_len(text) <= width else text[: _fitting(text, max(2, width - 1))] + "…"


def _wrapped(paragraph: str, width: int) -> list[str]:
    lines: list[str] = []
    line = ""
    for piece in _pieces(paragraph):
        if cell_len((line + piece).rstrip()) <= width:
            line += piece
            continue
        if line.strip():
            lines.append(line.rstrip())
        line = piece.lstrip() if lines else piece
        while cell_len(line.rstrip()) > width:
            cut = _fitting(line, width)
            lines.append(line[:cut])
            line = line[cut:]
    lines.append(line.rstrip())
    return lines


def _pieces(text: str) -> Iterator[str]:
    """Yield the parts between which a line may break; blanks stay at the end of the part before them."""
    piece = ""
    for symbol in text:
        if piece and _breaks(piece[-1], symbol):
            yield piece
            piece = ""
        piece += symbol
    if piece:
        yield piece


def _breaks(before: str, after: str) -> bool:
    if after.isspace() or after in NEVER_FIRST or before in NEVER_LAST:
        return False
    return before.isspace() or _wide(before) or _wide(after)


def _wide(symbol: str) -> bool:
    return cell_len(symbol) == 2


def _fitting(text: str, width: int) -> int:
    """Return how many characters of the text fit, at least one."""
    taken = 0
    for position, symbol in enumerate(text):
        taken += cell_len(symbol)
        if taken > width:
            return max(1, position)
    return len(text)
