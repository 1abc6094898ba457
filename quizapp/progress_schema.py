"""The tables of the progress file, and how an older file is brought up to them.

``event`` is the log: only ever appended to, and all there is to lose. The other tables are derived from it
(``quizapp.progress_derived``): they are written in the same transaction as the event, and can be made anew at any time.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

SCHEMA_VERSION = 2
APPLICATION_ID = 0x71756970

LOG = (
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
    "CREATE TRIGGER event_is_never_changed BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'events are only appended'); END",
    "CREATE TRIGGER event_is_never_deleted BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'events are only appended'); END",
)
"""As in version 1. An old release that had the file open while it was brought up to date goes on writing to this table."""

DERIVED = {
    "answer": (
        """
        CREATE TABLE answer (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            item TEXT NOT NULL,
            at TEXT NOT NULL,
            day TEXT NOT NULL,
            level INTEGER,
            outcome TEXT,
            mistake TEXT,
            attempt INTEGER NOT NULL,
            correct INTEGER NOT NULL,
            seconds REAL NOT NULL,
            suggested INTEGER NOT NULL,
            rating INTEGER NOT NULL,
            due TEXT,
            later TEXT
        )
        """,
        "CREATE INDEX answer_by_item ON answer (item, at, number)",
        "CREATE INDEX answer_by_time ON answer (at, number)",
        "CREATE INDEX answer_by_day ON answer (day, item, correct, seconds) WHERE attempt",
        "CREATE INDEX answer_by_item_and_day ON answer (item, day, correct, seconds) WHERE attempt",
        "CREATE INDEX answer_by_outcome ON answer (item, outcome)",
        "CREATE INDEX answer_by_mistake ON answer (mistake, item, day) WHERE mistake IS NOT NULL",
    ),
    "review": (
        """
        CREATE TABLE review (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            answer TEXT NOT NULL,
            at TEXT NOT NULL,
            rating INTEGER NOT NULL,
            due TEXT NOT NULL,
            later TEXT
        )
        """,
        "CREATE INDEX review_by_answer ON review (answer, at, number)",
    ),
    "undone": ("CREATE TABLE undone (id TEXT PRIMARY KEY) WITHOUT ROWID",),
    "memory": (
        """
        CREATE TABLE memory (
            item TEXT PRIMARY KEY,
            due TEXT NOT NULL,
            known TEXT NOT NULL,
            before TEXT,
            at TEXT NOT NULL,
            number INTEGER NOT NULL,
            last TEXT NOT NULL
        ) WITHOUT ROWID
        """,
    ),
    "derived": ("CREATE TABLE derived (stamp TEXT NOT NULL, upto INTEGER NOT NULL)",),
}
"""What is derived, by table: the table, then its indexes."""


def create(connection: sqlite3.Connection) -> None:
    """Make the tables of a new file, inside a transaction."""
    for statement in LOG:
        connection.execute(statement)
    _finish(connection)


def migrate(connection: sqlite3.Connection, path: Path | None, version: int) -> None:
    """Bring an older file up to date, inside a transaction that holds the lock for writing; a copy is left beside it first.

    Version 1 had no derived tables; they are filled when they are first looked at.

    Raises:
        OSError: The copy could not be written.
        sqlite3.Error: The copy or a table could not be written.
    """
    if path is not None:
        back_up(path, f"v{version}-backup")
    connection.execute("DROP INDEX IF EXISTS event_by_drill")
    _finish(connection)


def _finish(connection: sqlite3.Connection) -> None:
    create_derived(connection)
    connection.execute("CREATE INDEX event_of_interview ON event (at) WHERE kind = 'interview'")
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def create_derived(connection: sqlite3.Connection) -> None:
    """Make the derived tables anew, empty, inside a transaction."""
    create_tables(connection)
    for table in DERIVED:
        create_indexes(connection, table)


def create_tables(connection: sqlite3.Connection) -> None:
    """Make the derived tables anew, empty and without their indexes, inside a transaction."""
    for table, statements in DERIVED.items():
        connection.execute(f"DROP TABLE IF EXISTS {table}")
        connection.execute(statements[0])
    connection.execute("INSERT INTO derived VALUES ('', 0)")


def create_indexes(connection: sqlite3.Connection, table: str) -> None:
    """Make the indexes of a derived table, inside a transaction."""
    for statement in DERIVED[table][1:]:
        connection.execute(statement)


def back_up(path: Path, suffix: str) -> Path:
    """Copy a progress file, with what still stands in its write-ahead log, beside it.

    Args:
        path: The file.
        suffix: What goes behind its name; a number is added where there is such a file already.

    Returns:
        The copy, whole and on disk.

    Raises:
        OSError: It could not be written.
        sqlite3.Error: Likewise, or the file could not be read.
    """
    copy = path.with_name(f"{path.name}.{suffix}")
    number = 1
    while copy.exists():
        number += 1
        copy = path.with_name(f"{path.name}.{suffix}-{number}")
    draft = copy.with_name(f".{copy.name}.{os.getpid()}")
    try:
        with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(draft)) as target:
            source.backup(target)
        descriptor = os.open(draft, os.O_RDWR)  # Windows refuses to flush what was opened for reading
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        os.replace(draft, copy)
    except BaseException:
        with suppress(OSError):
            draft.unlink()
        raise
    return copy
