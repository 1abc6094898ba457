"""Pages of text for a plain terminal: headings, and beneath them sentences wrapped to its width."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from question_bank.text import Text, same
from quizapp.commands.bilingual import WIDEST
from quizapp.commands.drawing import INDENT
from quizapp.commands.session import Session
from solvers.operations.base import symbol

NARROWEST = 24


def terminal_width() -> int:
    """Return how many columns to write: the terminal's, 80 where there is none, at most 100."""
    return max(NARROWEST, min(shutil.get_terminal_size().columns, WIDEST))


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a page.

    Attributes:
        heading: What stands above it.
        lines: Its lines, wrapped.
    """

    heading: Text
    lines: Sequence[str]


@dataclass(frozen=True, slots=True)
class Page:
    """Lays sentences out.

    Attributes:
        session: Whose language they are in.
        width: The columns that there are.
    """

    session: Session
    width: int

    def written(self, text: Text) -> str:
        """Return a sentence in the session's language, its inline math in Unicode."""
        return self.session.written(text)

    def formula(self, latex: str) -> str:
        """Return a formula in Unicode."""
        return self.written(same(f"${latex}$"))

    def prose(self, *paragraphs: Text) -> list[str]:
        """Wrap paragraphs, parted by blank lines."""
        return spaced(self.hanging("", self.written(paragraph)) for paragraph in paragraphs)

    def hanging(self, lead: str, text: str, indent: int | None = None) -> list[str]:
        """Wrap a text behind a lead; its further lines are indented.

        Args:
            lead: What the first line starts with.
            text: The text.
            indent: How far further lines are indented; as the first, where it is left out.
        """
        from quizapp.widgets.wrapping import wrap

        behind = _columns(lead) if indent is None else indent
        lines = wrap(text, self.width - max(behind, _columns(lead)))
        return [lead + lines[0], *(" " * behind + line for line in lines[1:])]

    def beneath(self, *texts: str) -> list[str]:
        """Wrap texts that belong to the line above."""
        return [line for text in texts for line in self.hanging(INDENT, text)]

    def table(self, rows: Sequence[tuple[str, str]]) -> list[str]:
        """Write two columns, the second wrapped."""
        first = max((_columns(left) for left, _ in rows), default=0)
        return [line for left, right in rows for line in self.hanging(left + " " * (first - _columns(left)) + INDENT, right)]

    def name(self, node: str) -> str:
        """Return the name of a node or a size in Unicode."""
        return self.formula(symbol(node))


def spaced(blocks: Iterable[Sequence[str]]) -> list[str]:
    """Put a blank line between blocks of lines."""
    lines: list[str] = []
    for block in blocks:
        if block:
            lines += ["", *block] if lines else block
    return lines


def stacked(drawn: Iterable[Sequence[str]]) -> list[str]:
    """Put drawn values beneath one another; tall brackets one above the other would look like one matrix."""
    lines: list[str] = []
    tall = False
    for block in drawn:
        if lines and (tall or len(block) > 1):
            lines.append("")
        tall = len(block) > 1
        lines += block
    return lines


def page_lines(session: Session, sections: Iterable[Section]) -> Iterator[str]:
    """Write sections beneath their headings, indented."""
    for section in sections:
        yield ""
        yield session.written(section.heading)
        yield from indented(section.lines)


def indented(lines: Iterable[str]) -> Iterator[str]:
    """Indent lines that hold something."""
    return (INDENT + line if line else "" for line in lines)


def _columns(text: str) -> int:
    from question_bank.math import cell_len

    return cell_len(text)
