"""The exercise-book page: a margin with a thin line; what hangs in the margin names or marks what stands beside it."""

from __future__ import annotations

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.containers import Horizontal, HorizontalGroup, VerticalGroup, VerticalScroll
from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from question_bank.text import Text
from quizapp.widgets.bilingual import Phrase
from quizapp.widgets.wrapping import shortened

GAP = 2
"""Columns between the parts of a heading."""

TITLE_KEEPS = 0.75
"""How much of a title must be left to be read for something more to stand beside it."""


class OneLine(Phrase):
    """A sentence that takes one line; an ellipsis says where it goes on."""

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return 1."""
        return 1

    def render(self) -> Content:
        """Draw as much as there is room for."""
        return Content(shortened(self.written, self.content_size.width))


class Heading(Horizontal):
    """The top line of a screen: what this is, and at the right what it is called."""

    def __init__(self, title: Text | None = None, aside: Text | None = None, more: Text | None = None) -> None:
        """Show a title, something in soft ink at the right, and something more where there is room."""
        super().__init__()
        self._title = OneLine(title, classes="heading-title")
        self._aside = OneLine(aside, classes="heading-aside")
        self._more = OneLine(more, classes="heading-aside heading-more")

    def compose(self) -> ComposeResult:
        """Lay them out."""
        yield self._title
        yield self._aside
        yield self._more

    def on_mount(self) -> None:
        """Follow the language."""
        self.watch(self.app, "language", self._fit, init=False)

    def on_resize(self) -> None:
        """See whether there is room for something more."""
        self._fit()

    def _fit(self) -> None:
        title, aside, more = (cell_len(part.written) for part in (self._title, self._aside, self._more))
        left = self.content_size.width - sum(columns + GAP for columns in (aside, more) if columns)
        self._aside.set_class(not aside, "-none")
        self._more.set_class(not more or left < TITLE_KEEPS * title, "-none")

    def say(self, title: Text, aside: Text | None = None, more: Text | None = None) -> None:
        """Say something else."""
        self._title.say(title)
        self._aside.say(aside)
        self._more.say(more)
        self._fit()


class Row(HorizontalGroup):
    """One paragraph of the page, with its note in the margin."""

    def __init__(self, note: Text | None, *body: Widget, id: str | None = None, classes: str | None = None) -> None:
        """Put widgets on the page.

        Args:
            note: What hangs in the margin, a word or a sign; keep it to one line.
            body: What stands on the page, from top to bottom.
            id: The row's id.
            classes: Its classes; ``tight`` leaves no line free beneath it.
        """
        super().__init__(id=id, classes=classes)
        self.note = Phrase(note, classes="row-note")
        self.body = VerticalGroup(*body, classes="row-body")

    def compose(self) -> ComposeResult:
        """Lay out margin and body."""
        yield self.note
        yield self.body


class Filler(Row):
    """Draws the margin line down to the foot of a page that isn't full."""

    def __init__(self) -> None:
        """Leave the row empty."""
        super().__init__(None)


class Page(VerticalScroll):
    """A page of rows. It takes the focus when no field has it, so that arrows scroll and single letters are commands."""

    BINDING_GROUP_TITLE = None

    def __init__(self, *rows: Widget, id: str | None = None) -> None:
        """Put rows on the page."""
        super().__init__(*rows, Filler(), id=id)

    async def append(self, *rows: Widget) -> None:
        """Add rows at the end."""
        await self.mount(*rows, before=self.query_children(Filler).last())
