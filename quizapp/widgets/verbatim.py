"""What a person typed, shown as it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.cells import cell_len
from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from quizapp.widgets.wrapping import wrap


class Verbatim(Widget):
    """A typed text: wrapped like a sentence of ours, but neither its brackets nor its dollar signs mean anything."""

    DEFAULT_CSS = "Verbatim { width: 1fr; height: auto; text-wrap: nowrap; }"

    def __init__(self, typed: str, marked: Sequence[tuple[int, int, str]] = (), *, classes: str | None = None) -> None:
        """Show a text.

        Args:
            typed: The text.
            marked: Parts to set off: start, end, and their style.
            classes: Classes of the widget.
        """
        super().__init__(classes=classes)
        self.typed = typed
        self._marked = tuple(marked)

    @property
    def _spread(self) -> str:
        return self.typed.expandtabs(4)

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """Return the columns of the longest line, unwrapped."""
        return max(map(cell_len, self._spread.split("\n")))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the lines that it takes in this width."""
        return len(wrap(self._spread, width))

    def render(self) -> Content:
        """Draw it, with the marked parts set off."""
        drawn = Content("\n".join(wrap(self._spread, self.content_size.width)))
        for start, end, style in self._marked:
            for first, last in _runs(self.typed, drawn.plain, start, end):
                drawn = drawn.stylize(style, first, last)
        return drawn


def _runs(typed: str, drawn: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield where a part of a text stands once it is wrapped: only blanks differ between the two."""
    place = 0
    run: tuple[int, int] | None = None
    for offset, sign in enumerate(typed[:end]):
        if sign.isspace():
            continue
        while drawn[place] != sign:
            place += 1
        if offset >= start:
            if run is not None and drawn[run[1] : place].strip(" ") == "":
                run = (run[0], place + 1)
            else:
                if run is not None:
                    yield run
                run = (place, place + 1)
        place += 1
    if run is not None:
        yield run
