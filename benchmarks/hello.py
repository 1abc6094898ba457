"""The smallest Textual application: what a start costs at the least."""

from __future__ import annotations

from textual.app import App, ComposeResult
from textual.widgets import Static

GREETING = "Hello, world"


class Hello(App[None]):
    """Says hello."""

    def compose(self) -> ComposeResult:
        """Lay the greeting out."""
        yield Static(GREETING)


if __name__ == "__main__":
    Hello().run()
