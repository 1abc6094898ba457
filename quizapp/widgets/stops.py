"""Rows of the page that a person can go to and act on: ticks, folds, options, links. Arrows go from one to the next.

While the next stop is out of sight the arrows scroll, so that a long text between two stops is read and not jumped over.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.dom import DOMNode
from textual.message import Message
from textual.widget import Widget

from question_bank.text import Text, same
from quizapp import wording_stops as wording
from quizapp.widgets.bilingual import Phrase, bind
from quizapp.widgets.entries import Area
from quizapp.widgets.page import Page, Row

LINES_AT_ONCE = 2
"""How far an arrow scrolls."""


class StopPage(Page):
    """A page with stops on it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("down", "move(1)", wording.WALK, wording.WALK_TIP, show=False, display="↑↓"),
        bind("up", "move(-1)", wording.WALK, wording.WALK_TIP, show=False, display="↑↓"),
        bind("space", "page_down", wording.READ_ON, wording.READ_ON_TIP, show=False),
    ]

    @property
    def stops(self) -> list[Widget]:
        """The rows and fields that can be gone to now, from top to bottom."""
        return [
            widget for widget in self.query(".stop") if widget.focusable and all(part.display for part in _up_to(self, widget))
        ]

    def on_mount(self) -> None:
        """Keep the place when the language changes: the other one takes other lines."""
        self.watch(self.app, "language", self._stay, init=False)

    def _stay(self) -> None:
        at_end = self.max_scroll_y > 0 and self.scroll_y >= self.max_scroll_y
        top = next((row for row in self.query(Row) if row.region.height and row.region.bottom > self.region.y), None)
        if top is None or self.scroll_y == 0:
            return
        offset = top.region.y - self.region.y

        def restore() -> None:
            moved = self.max_scroll_y if at_end else self.scroll_y + top.region.y - self.region.y - offset
            self.scroll_to(y=moved, animate=False, force=True)

        self.call_after_refresh(restore)

    def action_move(self, step: int) -> None:
        """Go to the next stop where it's in sight, else scroll towards it."""
        stops = self.stops
        here = self.screen.focused
        top, bottom = self.region.y, self.region.bottom
        if here in stops:
            ahead = stops[stops.index(here) + 1 :] if step > 0 else stops[: stops.index(here)][::-1]
        elif step > 0:
            ahead = [stop for stop in stops if stop.region.y >= top]
        else:
            ahead = [stop for stop in reversed(stops) if stop.region.bottom <= bottom]
        if ahead and self._in_sight(ahead[0], step):
            ahead[0].focus()
            return
        self.scroll_relative(y=step * LINES_AT_ONCE, animate=False, force=True, immediate=True)
        if here in stops and not self._stays(here, step):
            self.focus(scroll_visible=False)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer to read on where there is more than fits."""
        return self.max_scroll_y > 0 if action == "page_down" else super().check_action(action, parameters)

    def _in_sight(self, stop: Widget, step: int) -> bool:
        if step > 0:
            return stop.region.y < self.region.bottom + LINES_AT_ONCE - 1
        return stop.region.bottom > self.region.y - LINES_AT_ONCE + 1

    def _stays(self, stop: Widget, step: int) -> bool:
        """Tell whether a stop is still seen after scrolling."""
        region = stop.region.translate((0, -step * LINES_AT_ONCE))
        return region.bottom > self.region.y and region.y < self.region.bottom


def _up_to(page: StopPage, widget: Widget) -> Iterator[Widget]:
    """Yield a widget and what it stands in, up to the page."""
    node: DOMNode | None = widget
    while isinstance(node, Widget) and node is not page:
        yield node
        node = node.parent


class Stop(Row, can_focus=True):
    """A row to act on."""

    class Acted(Message):
        """The person acts on a row."""

        def __init__(self, row: Stop) -> None:
            """Say which."""
            super().__init__()
            self.row = row

    def __init__(self, note: Text | None, *body: Widget, id: str | None = None, classes: str = "") -> None:
        """Put a row on the page."""
        super().__init__(note, *body, id=id, classes=f"stop tight {classes}".strip())

    def action_act(self) -> None:
        """Say that the person acts on it."""
        self.post_message(self.Acted(self))

    def on_click(self, event: events.Click) -> None:
        """Act on it by mouse."""
        event.stop()
        self.focus(scroll_visible=False)
        self.action_act()


def acting(label: Text, tip: Text, *, show: bool = True) -> Binding:
    """Declare the keys that act on a row."""
    return bind("enter,space", "act", label, tip, show=show)


class Tick(Stop):
    """Something that a person ticks."""

    BINDINGS: ClassVar[list[BindingType]] = [acting(wording.TICK, wording.TICK_TIP)]
    OFF, ON = same("☐"), same("✓")

    class Changed(Message):
        """It was ticked, or the tick was taken away."""

    def __init__(self, text: Text, *more: Widget, id: str | None = None, classes: str = "") -> None:
        """Offer something to tick, with more beneath it."""
        super().__init__(self.OFF, Phrase(text), *more, id=id, classes=classes)
        self.ticked = False

    def tick(self, ticked: bool) -> None:
        """Tick it or not."""
        self.ticked = ticked
        self.note.say(self.ON if ticked else self.OFF)
        self.set_class(ticked, "ticked")

    def action_act(self) -> None:
        """Tick, or take the tick away."""
        self.tick(not self.ticked)
        self.post_message(self.Changed())


class Fold(Stop):
    """A line beneath which more unfolds."""

    BINDINGS: ClassVar[list[BindingType]] = [acting(wording.UNFOLD, wording.UNFOLD_TIP)]
    SHUT, OPEN = same("▸"), same("▾")

    def __init__(self, title: Text, more: Text, *, classes: str = "") -> None:
        """Show the title and hide the rest."""
        self._more = Phrase(more, classes="more")
        self._more.display = False
        super().__init__(self.SHUT, Phrase(title), self._more, classes=classes)

    @property
    def is_open(self) -> bool:
        """Tell whether the rest is shown."""
        return self._more.display

    def action_act(self) -> None:
        """Show the rest, or hide it."""
        self._more.display = not self._more.display
        self.note.say(self.OPEN if self.is_open else self.SHUT)
        self.call_after_refresh(self.scroll_visible, animate=False)


class Link(Stop):
    """A line that leads somewhere."""

    BINDINGS: ClassVar[list[BindingType]] = [acting(wording.OPEN, wording.OPEN_TIP)]

    def __init__(self, note: Text, title: Text, target: object) -> None:
        """Lead to a target, which only the screen needs to understand."""
        super().__init__(note, Phrase(title))
        self.target = target


class Choice(Stop):
    """A line that is chosen."""

    BINDINGS: ClassVar[list[BindingType]] = [acting(wording.CHOOSE, wording.CHOOSE_TIP, show=False)]

    def __init__(self, note: Text, text: Text, *more: Widget) -> None:
        """Offer something to choose."""
        super().__init__(note, Phrase(text), *more)


class FieldArea(Area):
    """A text area among the stops: Esc leaves it for the command keys, arrows leave it at its first and last line."""

    BINDINGS: ClassVar[list[BindingType]] = [bind("escape", "leave", wording.LEAVE_FIELD, wording.LEAVE_FIELD_TIP)]

    class Left(Message):
        """The person wants out of the field."""

    def __init__(self, *, id: str | None = None) -> None:
        """Start empty."""
        super().__init__()
        if id is not None:
            self.id = id
        self.add_class("stop")

    def action_leave(self) -> None:
        """Say that the person wants out."""
        self.post_message(self.Left())

    def action_cursor_up(self, select: bool = False) -> None:
        """At the first line go to the stop above."""
        if self.cursor_at_first_line and not select:
            self._walk(-1)
        else:
            super().action_cursor_up(select)

    def action_cursor_down(self, select: bool = False) -> None:
        """At the last line go to the stop beneath."""
        if self.cursor_at_last_line and not select:
            self._walk(1)
        else:
            super().action_cursor_down(select)

    def _walk(self, step: int) -> None:
        page = next((each for each in self.ancestors if isinstance(each, StopPage)), None)
        if page is not None:
            page.action_move(step)
