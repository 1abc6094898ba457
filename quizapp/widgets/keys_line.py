"""The line of keys at the foot of a screen: each is shown whole, or not at all."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.events import Resize
from textual.widget import Widget
from textual.widgets import Footer
from textual.widgets._footer import FooterKey

FIRST_TO_GO = ("app.switch_language", "back")
"""What is left out before a screen's own keys, the last of which go next."""

KEPT = frozenset(("app.help", "command_palette", "app.command_palette"))
"""What stays in any width: the help lists all the others."""


def columns_of(key: FooterKey) -> int:
    """Return the columns that a key takes, its label included."""
    return cell_len(key.key_display) + (1 + cell_len(key.description) if key.description else 0)


def fitting(keys: Sequence[FooterKey], room: int, gap: int) -> list[FooterKey]:
    """Leave out as many keys as it takes for the rest to fit side by side.

    Args:
        keys: All that could be shown, in order.
        room: Columns for all of them.
        gap: Columns between two.
    """
    shown = list(keys)
    own = [key for key in reversed(keys) if _name(key) not in KEPT and _name(key) not in FIRST_TO_GO]
    for key in [key for name in FIRST_TO_GO for key in keys if _name(key) == name] + own:
        if sum(map(columns_of, shown)) + gap * (len(shown) - 1) <= room:
            break
        shown.remove(key)
    return shown


def _name(key: FooterKey) -> str:
    return key.action.removeprefix("screen.")


class KeysLine(Footer):
    """A footer that never cuts a key's name."""

    _columns = 0
    _shows: tuple[object, ...] = ()

    def compose(self) -> ComposeResult:
        """Yield the keys that fit."""
        yield from self._that_fit([key for key in super().compose() if isinstance(key, FooterKey)])

    async def recompose(self) -> None:
        """Show the keys, unless these are shown: a screen says more often that they may have changed than they have."""
        if not self.is_attached:
            return
        bindings = [binding for binding in self.screen.active_bindings.values() if binding.binding.show]
        shows = (self.app.size.width, *((each.binding, each.enabled, each.tooltip) for each in bindings))
        if shows != self._shows:
            await super().recompose()
            self._shows = shows

    def _that_fit(self, keys: list[FooterKey]) -> Sequence[Widget]:
        narrow = self.screen.has_class("-narrow") or self.screen.has_class("-too-narrow")
        return fitting(keys, self.app.size.width - (2 if narrow else 4), 2 if self.screen.has_class("-wide") else 1)

    def on_resize(self, event: Resize) -> None:
        """Look again what fits."""
        if event.size.width != self._columns:
            self._columns = event.size.width
            self.call_after_refresh(self.recompose)
