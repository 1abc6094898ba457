"""What a person typed, shown as it is."""

from __future__ import annotations

from rich.cells import cell_len
from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from quizapp.widgets.wrapping import wrap


class Verbatim(Widget):
    """A typed text: wrapped like a sentence of ours, but neither its brackets nor its dollar signs mean anything."""

    DEFAULT_CSS = "Verbatim { width: 1fr; height: auto; text-wrap: nowrap; }"

    def __init__(self, typed: str, *, classes: str | None = None) -> None:
        """Show a text."""
        super().__init__(classes=classes)
        self.typed = typed.expandtabs(4)

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """Return the columns of the longest line, unwrapped."""
        return max(map(cell_len, self.typed.split("\n")))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the lines that it takes in this width."""
        return len(wrap(self.typed, width))

    def render(self) -> Content:
        """Draw it."""
        return Content("\n".join(wrap(self.typed, self.content_size.width)))
