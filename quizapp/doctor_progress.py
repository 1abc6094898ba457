"""Looking a progress file over without changing it, and saving what can be read of a damaged one."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import Enum, auto
from pathlib import Path
from typing import Any

from question_bank.system_errors import why
from question_bank.text import Text, same
from quizapp import progress_derived
from quizapp.events import Event, from_text
from quizapp.progress_errors import sqlite_reason
from quizapp.progress_reset import put_aside
from quizapp.progress_schema import APPLICATION_ID, DERIVED, SCHEMA_VERSION


class Condition(Enum):
    """How a progress file is."""

    MISSING = auto()
    SOUND = auto()
    OLDER = auto()
    STALE = auto()
    UNREADABLE_EVENTS = auto()
    DAMAGED = auto()
    NEWER = auto()
    FOREIGN = auto()
    LOCKED = auto()
    READ_ONLY = auto()
    INACCESSIBLE = auto()


NO_REASON = same("")


@dataclass(frozen=True, slots=True)
class Examined:
    """What was found.

    Attributes:
        condition: How the file is.
        events: How many events it holds, where that could be counted.
        unreadable: How many of them can't be read.
        reason: What SQLite or the system says.
    """

    condition: Condition
    events: int = 0
    unreadable: int = 0
    reason: Text = NO_REASON


def examine(path: Path) -> Examined:
    """Look a file over; nothing is written to it."""
    if not path.exists():
        return Examined(Condition.MISSING)
    try:
        with closing(_open(path)) as connection:
            return _examine(connection, path)
    except sqlite3.Error as fault:
        return Examined(_condition(fault), reason=sqlite_reason(fault))
    except OSError as fault:
        return Examined(Condition.INACCESSIBLE, reason=why(fault))


def _condition(fault: sqlite3.Error) -> Condition:
    code = getattr(fault, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return Condition.LOCKED
    if code == sqlite3.SQLITE_READONLY:
        return Condition.READ_ONLY
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR):
        return Condition.DAMAGED
    return Condition.INACCESSIBLE


def _open(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, timeout=2, isolation_level=None)


def _examine(connection: sqlite3.Connection, path: Path) -> Examined:
    [version] = connection.execute("PRAGMA user_version").fetchone()
    [application] = connection.execute("PRAGMA application_id").fetchone()
    [tables] = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if application != APPLICATION_ID and (application or version or tables):
        return Examined(Condition.FOREIGN)
    if version > SCHEMA_VERSION:
        return Examined(Condition.NEWER)
    if version == 0:
        return Examined(Condition.SOUND)
    said = [row[0] for row in connection.execute("PRAGMA integrity_check(3)")]
    if said != ["ok"]:
        return Examined(Condition.DAMAGED, reason=same("; ".join(map(str, said))[:200]))
    rows = connection.execute(f"SELECT {_COLUMNS} FROM event ORDER BY number").fetchall()
    events, unreadable = len(rows), sum(_event(row) is None for row in rows)
    connection.execute("BEGIN IMMEDIATE")  # locked
    connection.execute(f"PRAGMA user_version = {version}")  # read-only
    connection.execute("ROLLBACK")
    if unreadable:
        return Examined(Condition.UNREADABLE_EVENTS, events, unreadable)
    if version < SCHEMA_VERSION:
        return Examined(Condition.OLDER, events)
    return Examined(Condition.SOUND if _derived_is_right(connection) else Condition.STALE, events)


def _derived_is_right(connection: sqlite3.Connection) -> bool:
    """Make the derived tables anew in memory, and compare."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as copy:
        connection.backup(copy)
        try:
            if not progress_derived.is_fresh(copy):
                return True  # they are brought up to the log when the file is next opened
            before = _derived(copy)
            progress_derived.rebuild(copy)
        except (sqlite3.Error, TypeError, ValueError):
            return False
        return before == _derived(copy)


def _derived(connection: sqlite3.Connection) -> list[list[Any]]:
    return [sorted(connection.execute(f"SELECT * FROM {table}").fetchall(), key=repr) for table in DERIVED]


_COLUMNS = "id, at, offset_seconds, study_day, kind, what"


def _event(row: tuple[Any, ...]) -> Event | None:
    try:
        identity, at, offset, day, kind, what = row
        return Event(
            identity, datetime.fromisoformat(at), timedelta(seconds=offset), date.fromisoformat(day), from_text(kind, what)
        )
    except (TypeError, ValueError, RecursionError):
        return None


def salvage(path: Path, day: date) -> tuple[Path, int]:
    """Put a damaged file aside, and begin a new one with all events that can still be read.

    Args:
        path: The file.
        day: Today, for the name of the old one.

    Returns:
        Where the old file is, and how many events were saved.

    Raises:
        ProgressError: The file can't be put aside, or the new one can't be written.
    """
    from quizapp.progress import Log

    events = tuple(_readable(path))
    aside = put_aside(path, f"{day.isoformat()}-damaged")
    with Log(path) as log:
        log.merge(events)
    return aside, len(events)


def _readable(path: Path) -> Iterator[Event]:
    """Yield what can be read, from both ends towards the damage."""
    try:
        connection = _open(path)
    except sqlite3.Error:
        return
    with closing(connection):
        seen: set[str] = set()
        for order in ("number", "number DESC", "id"):
            # A damaged page ends a scan; the next comes from the other side, or over another index.
            with suppress(sqlite3.Error):
                for row in connection.execute(f"SELECT {_COLUMNS} FROM event ORDER BY {order}"):
                    event = _event(row)
                    if event is not None and event.id not in seen:
                        seen.add(event.id)
                        yield event
