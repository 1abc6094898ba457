"""A terminal whose window is closed while the application runs.

Textual writes in a thread that ends at the first failure. Closing a window also sends a SIGCONT, at which Textual begins
another such thread and writes to a queue that nobody empties: the application then waits for ever. So what a closed window
can't take is dropped.
"""

from __future__ import annotations

from contextlib import suppress
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from textual.driver import Driver


class Unfailing:
    """A stream to a terminal; what can't be written is dropped."""

    def __init__(self, stream: IO[str]) -> None:
        """Stand for a stream."""
        self._stream = stream

    def write(self, text: str) -> None:
        """Write text."""
        with suppress(OSError):
            self._stream.write(text)

    def flush(self) -> None:
        """Send what is written."""
        with suppress(OSError):
            self._stream.flush()

    def __getattr__(self, name: str) -> Any:
        """Leave everything else to the stream."""
        return getattr(self._stream, name)


def unfailing(driver: type[Driver]) -> type[Driver]:
    """Return a driver like this one that outlives its terminal."""

    class UnfailingDriver(driver):  # type: ignore[misc, valid-type]
        def __init__(self, *arguments: Any, **named: Any) -> None:
            super().__init__(*arguments, **named)
            stream: IO[str] | None = getattr(self, "_file", None)
            if stream is not None:
                self._file = Unfailing(stream)

    return UnfailingDriver
