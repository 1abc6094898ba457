"""The progress log: what a person did, appended to a file and never changed.

An answer is on disk before its verdict is shown. ``synchronous = FULL`` waits for the disk at each commit, so that neither a
killed process nor a power cut takes an answer back (``NORMAL`` would survive the first, but not always the second); it costs
milliseconds, once per answer of a person. On a slow disk it costs more, and another program may hold the lock: call a
``Log`` from a worker thread, never from the one that reads the keyboard. Any thread may; one lock makes them take turns.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Any, Self

from question_bank.text import Text
from quizapp.events import KINDS, Clock, DrillAnswered, Event, Happening, from_text, stamp, system_clock, to_text
from quizapp.progress_errors import ProgressError, damaged, explain, foreign, newer, unwritable
from solvers.verdict import Outcome

SCHEMA_VERSION = 1
APPLICATION_ID = 0x71756970
PATIENCE = 5.0
"""Seconds to wait for another program's lock."""

_SCHEMA = (
    """
    CREATE TABLE event (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        at TEXT NOT NULL,
        offset_seconds INTEGER NOT NULL,
        study_day TEXT NOT NULL,
        kind TEXT NOT NULL,
        drill TEXT,
        level INTEGER,
        outcome TEXT,
        what TEXT NOT NULL
    )
    """,
    "CREATE INDEX event_by_time ON event (at, number)",
    "CREATE INDEX event_by_drill ON event (drill, outcome) WHERE drill IS NOT NULL",
    "CREATE TRIGGER event_is_never_changed BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'events are only appended'); END",
    "CREATE TRIGGER event_is_never_deleted BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'events are only appended'); END",
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {SCHEMA_VERSION}",
)


@dataclass(frozen=True, slots=True)
class Practised:
    """A drill at a level."""

    drill: str
    level: int


@dataclass(frozen=True, slots=True)
class DrillRecord:
    """How a drill went so far.

    Attributes:
        drill: The drill's id.
        outcomes: How often each outcome came up.
    """

    drill: str
    outcomes: tuple[tuple[Outcome, int], ...]

    @property
    def attempts(self) -> int:
        """How many answers counted."""
        return sum(count for outcome, count in self.outcomes if outcome.spends_an_attempt)

    @property
    def right(self) -> int:
        """How many of them were right."""
        return sum(count for outcome, count in self.outcomes if outcome.earns_the_mark)

    @property
    def right_rate(self) -> Fraction | None:
        """The share that was right; None where nothing counted yet."""
        return Fraction(self.right, self.attempts) if self.attempts else None


class Log:
    """The log of one file, or of this session alone.

    Attributes:
        path: The file; None for a log in memory.
        problem: Why answers are not kept beyond this session; None where they are.
    """

    def __init__(self, path: Path | None, clock: Clock = system_clock, patience: float = PATIENCE) -> None:
        """Open the file, or make it.

        Args:
            path: The file; None for a log in memory.
            clock: Gives the time now, with the local offset from UTC.
            patience: Seconds to wait for another program's lock.

        Raises:
            ProgressError: The file can't be used. It has been left as it is.
        """
        self.path = path
        self.problem: Text | None = None
        self._clock = clock
        self._lock = Lock()
        if path is not None:
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
            except OSError as fault:
                raise unwritable(path, fault.strerror or str(fault)) from fault
            if _cut_short(path):
                raise damaged(path)
        with self._explained():
            # Autocommit: each transaction is begun here, by hand.
            self._connection = sqlite3.connect(
                path or ":memory:", timeout=patience, isolation_level=None, check_same_thread=False
            )
        try:
            with self._explained():
                self._prepare(patience)
        except BaseException:
            self._connection.close()
            raise

    def record(self, what: Happening) -> Event:
        """Write down what has just happened; it is on disk when this returns.

        Raises:
            ProgressError: It could not be written. ``event`` of the error can be given to ``append`` later.
        """
        event = stamp(what, self._clock())
        self.append(event)
        return event

    def append(self, event: Event) -> None:
        """Write down an event, once however often it is appended; it is on disk when this returns.

        Raises:
            ProgressError: It could not be written.
        """
        drill = event.what if isinstance(event.what, DrillAnswered) else None
        row = (
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
        with self._explained(event), self._lock, self._transaction():
            self._connection.execute(
                "INSERT INTO event (id, at, offset_seconds, study_day, kind, drill, level, outcome, what)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
                row,
            )

    def recent(self, limit: int = 20) -> tuple[Event, ...]:
        """Return the last events, the latest first.

        Raises:
            ProgressError: The log can't be read.
        """
        rows = self._read(
            "SELECT id, at, offset_seconds, study_day, kind, what FROM event ORDER BY at DESC, number DESC LIMIT ?", limit
        )
        with self._explained():
            return tuple(
                Event(id, datetime.fromisoformat(at), timedelta(seconds=offset), date.fromisoformat(day), from_text(kind, what))
                for id, at, offset, day, kind, what in rows
            )

    def drill_records(self) -> tuple[DrillRecord, ...]:
        """Return how each drill went that was answered at least once, by id.

        Raises:
            ProgressError: The log can't be read.
        """
        counts: dict[str, list[tuple[Outcome, int]]] = {}
        rows = self._read("SELECT drill, outcome, count(*) FROM event WHERE drill IS NOT NULL GROUP BY drill, outcome")
        with self._explained():
            for drill, outcome, count in rows:
                counts.setdefault(drill, []).append((Outcome(outcome), count))
        return tuple(DrillRecord(drill, tuple(outcomes)) for drill, outcomes in sorted(counts.items()))

    def last_practised(self) -> Practised | None:
        """Return the drill that was answered last, to continue with.

        Raises:
            ProgressError: The log can't be read.
        """
        rows = self._read("SELECT drill, level FROM event WHERE drill IS NOT NULL ORDER BY at DESC, number DESC LIMIT 1")
        return next((Practised(drill, level) for drill, level in rows), None)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _prepare(self, patience: float) -> None:
        """Look whether the file can be used before anything is written to it, then make the tables where there are none."""
        with self._transaction("BEGIN"):  # one look at all three: another instance may be making the tables just now
            [version] = self._connection.execute("PRAGMA user_version").fetchone()
            [application] = self._connection.execute("PRAGMA application_id").fetchone()
            [tables] = self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if self.path is not None and application != APPLICATION_ID and (application or version or tables):
            raise foreign(self.path)
        if self.path is not None and version > SCHEMA_VERSION:
            raise newer(self.path)
        self._connection.execute("PRAGMA synchronous = FULL")
        self._connection.execute("PRAGMA fullfsync = ON")  # macOS: a plain fsync stops at the drive's own memory
        if version == 0:
            with self._transaction():
                [version] = self._connection.execute("PRAGMA user_version").fetchone()
                for statement in _SCHEMA if version == 0 else ():  # another instance may have been faster
                    self._connection.execute(statement)
        self._connection.execute("PRAGMA busy_timeout = 0")
        self._try_without_waiting("PRAGMA journal_mode = WAL")  # a matter of speed; a later start may try again
        self._try_without_waiting("BEGIN IMMEDIATE")  # find out now, not at the first answer, that the file is read-only
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")
        self._connection.execute(f"PRAGMA busy_timeout = {int(patience * 1000)}")

    def _try_without_waiting(self, statement: str) -> None:
        try:
            self._connection.execute(statement).fetchall()
        except sqlite3.OperationalError as fault:
            if fault.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise

    def _read(self, query: str, *values: str | int) -> list[Any]:
        with self._explained(), self._lock:
            return self._connection.execute(query, values).fetchall()

    @contextmanager
    def _transaction(self, begin: str = "BEGIN IMMEDIATE") -> Iterator[None]:
        """Do all or nothing; hold the lock for writing from the start, so that no other instance writes in between."""
        self._connection.execute(begin)
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    @contextmanager
    def _explained(self, event: Event | None = None) -> Iterator[None]:
        """Turn what SQLite says into something that a person can act on."""
        try:
            yield
        except sqlite3.ProgrammingError:
            raise  # the log was closed: no matter of the file
        except sqlite3.Error as fault:
            raise explain(fault, self.path, event) from fault
        except ValueError as fault:
            raise damaged(self.path) from fault


def _cut_short(file: Path) -> bool:
    """Tell whether a file ends where none of SQLite's does; SQLite would take the rest for noughts.

    A write-ahead log beside the file may still mend it, so then it is left to SQLite.
    """
    journal = file.with_name(f"{file.name}-wal")
    return file.is_file() and file.stat().st_size % 512 != 0 and not (journal.exists() and journal.stat().st_size)


def open_log(path: Path, clock: Clock = system_clock, patience: float = PATIENCE) -> Log:
    """Open the log; where that can't be done, one in memory stands in, and its ``problem`` says why."""
    try:
        return Log(path, clock, patience)
    except ProgressError as error:
        log = Log(None, clock)
        log.problem = error.message
        return log
