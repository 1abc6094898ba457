"""The log itself: events appended to a file and never changed, with what is derived from them kept up to date.

An answer is on disk before its verdict is shown. On a slow disk that takes a while, and another program may hold the lock: call
a log from a worker thread, never from the one that reads the keyboard (``Keeper.ask``). Any thread may; they take turns.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

from quizapp import progress_derived as derived
from quizapp.events import (
    DAY_ENDS,
    KINDS,
    Clock,
    DrillAnswered,
    Event,
    Happening,
    Undone,
    from_text,
    stamp,
    study_day,
    system_clock,
    to_text,
)
from quizapp.progress_file import PATIENCE, ProgressFile

T = TypeVar("T")

EVENT = "event.id, event.at, event.offset_seconds, event.study_day, event.kind, event.what"
"""The columns that ``EventLog.made`` makes events of."""

_PAGE = 1000


class EventLog(ProgressFile):
    """The log of one file, or of this session alone.

    Attributes:
        day_ends: When a study day ends, counted from midnight.
    """

    def __init__(
        self,
        path: Path | None,
        clock: Clock = system_clock,
        patience: float = PATIENCE,
        day_ends: timedelta = DAY_ENDS,
    ) -> None:
        """Open the file, or make it; an older one is brought up to date, after a copy was left beside it.

        Args:
            path: The file; None for a log in memory.
            clock: Gives the time now, with the local offset from UTC.
            patience: Seconds to wait for another program's lock.
            day_ends: When a study day ends, counted from midnight.

        Raises:
            ProgressError: The file can't be used. It has been left as it is.
        """
        self.day_ends = day_ends
        self._clock = clock
        super().__init__(path, patience)

    def today(self) -> date:
        """Return the study day it is now, here. Ask again and again: a session may be left open over night."""
        return study_day(self._clock(), self.day_ends)

    def record(self, what: Happening) -> Event:
        """Write down what has just happened; it is on disk when this returns.

        Raises:
            ProgressError: It could not be written. ``event`` of the error can be given to ``append`` later.
        """
        event = stamp(what, self._clock(), self.day_ends)
        self.append(event)
        return event

    def append(self, event: Event) -> None:
        """Write down an event, once however often it is appended; it is on disk when this returns.

        Raises:
            ProgressError: It could not be written.
        """
        with self._explained(event):
            self._write((event,))

    def merge(self, events: Iterable[Event]) -> int:
        """Write down events of another log, all or none; those that are here already are left as they are.

        Returns:
            How many were new.

        Raises:
            ProgressError: They could not be written.
        """
        with self._explained():
            return self._write(events)

    def undo(self, *events: str) -> Event:
        """Take events back, by their ids. An answer that is taken back takes its rating along.

        Raises:
            ProgressError: It could not be written.
        """
        return self.record(Undone(events))

    def _write(self, events: Iterable[Event]) -> int:
        rows = [_row(event) for event in events]
        with self._lock, self._transaction():
            before = self._connection.total_changes
            self._connection.executemany(
                "INSERT INTO event (id, at, offset_seconds, study_day, kind, drill, level, outcome, what)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
                rows,
            )
            new = self._connection.total_changes - before
            if new:
                self._derive()
        return new

    def _derive(self) -> None:
        """Bring what is derived up to the log. Where that fails, the events are kept all the same, and reading tells."""
        self._connection.execute("SAVEPOINT derive")
        try:
            derived.refresh(self._connection)
        except (sqlite3.Error, ValueError, ArithmeticError, LookupError, TypeError, RecursionError):
            if not self._connection.in_transaction:
                raise
            self._connection.execute("ROLLBACK TO derive")
        self._connection.execute("RELEASE derive")

    def recent(self, limit: int = 20) -> tuple[Event, ...]:
        """Return the last events, the latest first.

        Raises:
            ProgressError: The log can't be read.
        """
        return self.made(self.read(f"SELECT {EVENT} FROM event ORDER BY at DESC, number DESC LIMIT ?", limit))

    def events(self) -> Iterator[Event]:
        """Yield every event, in the order in which they were written.

        Raises:
            ProgressError: The log can't be read.
        """
        after = 0
        query = f"SELECT number, {EVENT} FROM event WHERE number > ? ORDER BY number LIMIT ?"
        while rows := self.read(query, after, _PAGE):
            after = rows[-1][0]
            yield from self.made([row[1:] for row in rows])

    def query(self, query: str, *values: str | int | float) -> list[Any]:
        """Run a query over what is derived from the log, for the modules of this layer.

        Raises:
            ProgressError: The log can't be read.
        """
        return self.look(lambda connection: connection.execute(query, values).fetchall())

    def look(self, action: Callable[[sqlite3.Connection], T]) -> T:
        """Look at what is derived, once it is up to the log, for the modules of this layer.

        Raises:
            ProgressError: The log can't be read.
        """
        with self._explained(), self._lock:
            if not derived.is_fresh(self._connection):
                with self._transaction():
                    derived.refresh(self._connection)
            return action(self._connection)

    def made(self, rows: Iterable[Any]) -> tuple[Event, ...]:
        """Make events of rows that hold the columns ``EVENT``.

        Raises:
            ProgressError: They hold something else.
        """
        with self._explained():
            return tuple(
                Event(id, datetime.fromisoformat(at), timedelta(seconds=offset), date.fromisoformat(day), from_text(kind, what))
                for id, at, offset, day, kind, what in rows
            )


def _row(event: Event) -> tuple[object, ...]:
    drill = event.what if isinstance(event.what, DrillAnswered) else None
    return (
        event.id,
        event.at.astimezone(UTC).isoformat(timespec="microseconds"),
        event.offset // timedelta(seconds=1),
        event.study_day.isoformat(),
        KINDS[type(event.what)],
        drill and drill.drill,
        drill and drill.level,
        drill and drill.outcome,
        to_text(event.what),
    )
