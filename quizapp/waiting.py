"""Events that the log could not take yet, on disk until it has: another program holds its lock, or the disk is full.

Each process has a file of its own, and touches it while it runs (``rescue`` tells whose process still runs). What is found at a
start is written to the log; an event has an id and is there once, however often it comes.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from quizapp import rescue, transfer
from quizapp.events import Event
from quizapp.whole_file import WriteError, put_aside, write_whole

NAME = "waiting"


class WaitingFile:
    """The file of this process."""

    def __init__(self, folder: Path) -> None:
        """Write nothing yet.

        Args:
            folder: The one of the log.
        """
        self.path = folder / f"{NAME}-{os.getpid()}.json"
        self._held: tuple[str, ...] = ()
        self._lock = Lock()

    def hold(self, waiting: list[Event], *, ended: bool = False) -> None:
        """Bring the file up to what waits now, if it can be; touch it where that is in it already.

        Args:
            waiting: What waits. It is looked at when the file's turn has come: whoever writes last writes the latest.
            ended: Whether the process ends, so that the next start need not ask whether it still runs.
        """
        with self._lock:
            events = tuple(waiting)
            ids = tuple(event.id for event in events)
            try:
                if not events:
                    self.path.unlink(missing_ok=True)
                elif ids == self._held and not ended and self.path.exists():
                    os.utime(self.path)
                else:
                    values = {"ended": ended, "events": [json.loads(transfer.to_line(event)) for event in events]}
                    write_whole(self.path, json.dumps(values).encode("ascii"))
            except (OSError, WriteError):
                ids = ()
            self._held = ids

    def holds(self, waiting: list[Event]) -> bool:
        """Tell whether all that waits is in the file."""
        return {event.id for event in waiting} <= set(self._held)


@dataclass(frozen=True, slots=True)
class Left:
    """What a process left that is no more.

    Attributes:
        path: Its file.
        events: The events that can be read.
        is_whole: Whether that is all of it.
    """

    path: Path
    events: Sequence[Event]
    is_whole: bool

    def done_with(self) -> None:
        """Remove the file, once its events are safe elsewhere; one that can't be read whole is kept under another name."""
        if not self.is_whole:
            put_aside(self.path)
            return
        with suppress(OSError):
            self.path.unlink(missing_ok=True)


def left_behind(folder: Path) -> list[Left]:
    """Return what was waiting when an application stopped; not what running ones hold."""
    return [found for found in map(_read, rescue.left_behind(folder, NAME)) if found is not None]


def _read(file: Path) -> Left | None:
    events: list[Event] = []
    whole = True
    try:
        entries = json.loads(file.read_text("ascii"))["events"]
        for entry in entries:
            try:
                event = transfer.from_line(json.dumps(entry).encode("ascii"))
            except transfer.LineError:
                event = None
            if event is None:
                whole = False
            else:
                events.append(event)
    except FileNotFoundError:  # another start was faster
        return None
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        whole = False
    return Left(file, events, whole)
