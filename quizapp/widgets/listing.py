"""A problem's listing: numbered lines of Python, none of which runs into the next."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from question_bank.listing import numbered


class Listing(Widget):
    """Lines of code with their numbers in soft ink; a line that is too long is folded, and what is folded hangs."""

    DEFAULT_CSS = "Listing { width: 1fr; height: auto; text-wrap: nowrap; }"

    def __init__(self, *, id: str | None = None) -> None:
        """Show nothing at first."""
        super().__init__(id=id)
        self._lines: tuple[str, ...] = ()

    def show(self, lines: Sequence[str]) -> None:
        """Show other lines; without any, take no room."""
        self._lines = tuple(lines)
        self.display = bool(self._lines)
        self.refresh(layout=True)

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """Take what there is."""
        return container.width

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the lines that it takes in this width."""
        return len(numbered(self._lines, width))

    def render(self) -> Content:
        """Draw the numbers, and the code as an editor shows it."""
        if not self._lines:
            return Content("")
        from textual.highlight import highlight  # brings a lexer, which only a listing needs

        rows = numbered(self._lines, self.content_size.width)
        code = highlight("\n".join(text for _, text in rows), language="python").split("\n", allow_blank=True)
        drawn = [Content.styled(number, "$ink-soft") + text for (number, _), text in zip(rows, code, strict=True)]
        return Content("\n").join(drawn)
