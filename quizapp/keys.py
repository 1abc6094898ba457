"""Keys in the order in which they were pressed, however fast.

Textual hands every key to the widget that has the focus when the key arrives; what Enter or Tab does with it - move the focus,
hand the answer in - happens some messages later. Of keys that arrive in one burst (a number pad, a slow line, a busy machine)
the ones behind Enter would still go into the field that Enter leaves. So a key is sent on only when the one before is done.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from textual import events
from textual.app import App
from textual.message_pump import MessagePump

LONGEST = 0.5
"""Seconds after which a key counts as done in any case, so that no key can hold up the others for good."""


class OrderedKeys(App[None]):
    """An application in which one key is done before the next is looked at."""

    def __init__(self) -> None:
        """Start without any key under way."""
        super().__init__()
        self._under_way: events.Key | None = None
        self._behind: deque[events.Key] = deque()
        self._target: MessagePump = self

    async def on_event(self, event: events.Event) -> None:
        """Send a key on, or let it wait for its turn; see when one that nobody took comes back up."""
        if not isinstance(event, events.Key):
            await super().on_event(event)
        elif event.is_forwarded:
            await super().on_event(event)  # here the bindings of the screen and the application act
            if event is self._under_way:
                self._let_settle(event)
        elif self._under_way is not None:
            self._behind.append(event)
        else:
            await self._send(event)

    async def _send(self, event: events.Key) -> None:
        self._under_way = event
        self._target = self.focused or self.screen
        self.set_timer(LONGEST, lambda: self._done(event))
        await super().on_event(event)
        if not event.is_forwarded:  # a binding with priority took it
            self._let_settle(event)
        elif not self._target.call_later(self._arrived, event):
            self._done(event)

    def _arrived(self, event: events.Key) -> None:
        """The widget has looked at the key: it was text, and is done with, or is on its way up to a binding."""
        if event._stop_propagation:
            self._done(event)

    def _let_settle(self, event: events.Key) -> None:
        """Wait until the messages that a key set off have gone from its widget up to the screen."""
        # Twice at each: a widget may answer a message from below with one of its own.
        self._climb(event, [node for node in self._target.ancestors_with_self for _ in range(2) if node is not self])  # type: ignore[attr-defined]

    def _climb(self, event: events.Key, nodes: Sequence[MessagePump]) -> None:
        for place, node in enumerate(nodes):
            if node.call_later(self._climb, event, nodes[place + 1 :]):
                return
        self._done(event)

    def _done(self, event: events.Key) -> None:
        if self._under_way is event:
            self._under_way = self._behind.popleft() if self._behind else None
            if self._under_way is not None:
                self.call_later(self._send, self._under_way)
