"""Blocks flowing over the width that there is, and a cursor that points at one of their cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.geometry import Region, Size
from textual.message import Message

from question_bank.labs.state import Index
from question_bank.text import Language
from quizapp.widgets.bilingual import Bilingual, language_of
from quizapp.widgets.blocks import Block, Drawn, beside, draw, width_of

GAP = 3


@dataclass(frozen=True, slots=True)
class At:
    """A cell of an input or a node."""

    name: str
    index: Index


class Board(Bilingual):
    """Blocks side by side where they fit."""

    DEFAULT_CSS = "Board { width: 1fr; height: auto; text-wrap: nowrap; }"

    class Pointed(Message):
        """A cell was clicked."""

        def __init__(self, at: At) -> None:
            """Say which."""
            super().__init__()
            self.at = at

    def __init__(self, *, id: str | None = None) -> None:
        """Start without blocks."""
        super().__init__(id=id)
        self._blocks: tuple[Block, ...] = ()
        self._cursor: At | None = None
        self._laid: tuple[object, Content, dict[At, Region]] | None = None

    def show(self, blocks: Sequence[Block], cursor: At | None) -> None:
        """Draw other blocks, the cursor on a cell of theirs or on none."""
        same = len(blocks) == len(self._blocks) and all(
            one.table == other.table and one.lead == other.lead and one.view is other.view and one.note == other.note
            for one, other in zip(blocks, self._blocks, strict=True)
        )
        self._blocks, self._cursor, self._laid = tuple(blocks), cursor, None
        self.refresh(layout=not same)

    def _lay_out(self, width: int) -> tuple[Content, dict[At, Region]]:
        key = (width, language_of(self))
        if self._laid is None or self._laid[0] != key:
            self._laid = (key, *_laid_out(self._blocks, key[1], width, self._cursor))
        return self._laid[1], self._laid[2]

    @property
    def cells(self) -> dict[At, Region]:
        """Where each cell is, from the board's own corner."""
        return self._lay_out(max(1, self.content_size.width))[1]

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """Take what there is."""
        return container.width

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the lines that the blocks take in this width."""
        return self._lay_out(width)[0].plain.count("\n") + 1 if self._blocks else 0

    def render(self) -> Content:
        """Draw the blocks."""
        return self._lay_out(self.content_size.width)[0]

    def on_click(self, event: events.Click) -> None:
        """Point at a cell by mouse."""
        for at, region in self.cells.items():
            if region.contains(event.x, event.y):
                event.stop()
                self.post_message(self.Pointed(at))


def _laid_out(blocks: Sequence[Block], language: Language, width: int, cursor: At | None) -> tuple[Content, dict[At, Region]]:
    rows: list[list[Drawn]] = []
    for drawn in (draw(block, language, width) for block in blocks):
        if rows and sum(map(width_of, rows[-1])) + GAP * len(rows[-1]) + width_of(drawn) <= width:
            rows[-1].append(drawn)
        else:
            rows.append([drawn])
    lines: list[str] = []
    spans: list[tuple[int, int, str]] = []
    regions: dict[At, Region] = {}
    at = 0
    for row in rows:
        if lines:
            lines.append("")
            at += 1
        for pieces in beside(row, GAP):
            text, column = "", 0
            for piece in pieces:
                start = at + len(text)
                text += piece.text
                if piece.style:
                    spans.append((start, at + len(text), piece.style))
                if piece.cell is not None:
                    place = At(piece.name, piece.cell)
                    regions[place] = Region(column, len(lines), cell_len(piece.text), 1)
                    if place == cursor:
                        spans.append((start, at + len(text), "reverse"))
                column += cell_len(piece.text)
            lines.append(text)
            at += len(text) + 1
    content = Content("\n".join(lines))
    for start, end, style in spans:
        content = content.stylize(style, start, end)
    return content, regions
