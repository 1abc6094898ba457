"""The file behind the progress log: opening it, or saying why it can't be used, and its transactions.

``synchronous = FULL`` waits for the disk at each commit, so that neither a killed process nor a power cut takes an answer back
(``NORMAL`` would survive the first, but not always the second); it costs milliseconds, once per answer of a person.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Any, Self

from question_bank.system_errors import why
from question_bank.text import Text
from quizapp.events import Event
from quizapp.progress_errors import damaged, explain, foreign, newer, unwritable
from quizapp.progress_schema import APPLICATION_ID, SCHEMA_VERSION, create, migrate

PATIENCE = 5.0
"""Seconds to wait for another program's lock."""


class ProgressFile:
    """A file, or memory in its place, that holds the tables. Any thread may use it; one lock makes them take turns.

    Attributes:
        path: The file; None for memory.
        problem: Why answers are not kept beyond this session; None where they are.
    """

    def __init__(self, path: Path | None, patience: float = PATIENCE) -> None:
        """Open the file, or make it; an older one is brought up to date, after a copy was left beside it.

        Args:
            path: The file; None for memory.
            patience: Seconds to wait for another program's lock.

        Raises:
            ProgressError: The file can't be used. It has been left as it is.
        """
        self.path = path
        self.problem: Text | None = None
        self._lock = Lock()
        self._patience = patience
        if path is not None:
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
            except OSError as fault:
                raise unwritable(path, why(fault)) from fault
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
        if version < SCHEMA_VERSION:
            with self._transaction():
                [version] = self._connection.execute("PRAGMA user_version").fetchone()
                if version == 0:
                    create(self._connection)
                elif version < SCHEMA_VERSION:  # else another instance was faster
                    migrate(self._connection, self.path, version)
        self._connection.execute("PRAGMA busy_timeout = 0")
        self._try_without_waiting("PRAGMA journal_mode = WAL")  # a matter of speed; a later start may try again
        self._try_without_waiting("BEGIN IMMEDIATE")
        if self._connection.in_transaction:
            # Find out now, not at the first answer, that the file is read-only: with a write-ahead log, only writing shows it
            self._connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
            self._connection.execute("ROLLBACK")
        self._connection.execute(f"PRAGMA busy_timeout = {int(patience * 1000)}")

    @contextmanager
    def in_haste(self, patience: float) -> Iterator[None]:
        """Wait only so many seconds for another program's lock, in here."""
        self._wait_at_most(patience)
        try:
            yield
        finally:
            self._wait_at_most(self._patience)

    def _wait_at_most(self, seconds: float) -> None:
        with self._lock:
            self._connection.execute(f"PRAGMA busy_timeout = {int(seconds * 1000)}")

    def _try_without_waiting(self, statement: str) -> None:
        try:
            self._connection.execute(statement).fetchall()
        except sqlite3.OperationalError as fault:
            if fault.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise

    def read(self, query: str, *values: str | int | float) -> list[Any]:
        """Run a query, for the modules of this layer.

        Raises:
            ProgressError: The log can't be read.
        """
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
        except OSError as fault:
            raise unwritable(self.path, why(fault), event) from fault


def _cut_short(file: Path) -> bool:
    """Tell whether a file ends where none of SQLite's does; SQLite would take the rest for noughts.

    A write-ahead log beside the file may still mend it, so then it is left to SQLite.
    """
    journal = file.with_name(f"{file.name}-wal")
    return file.is_file() and file.stat().st_size % 512 != 0 and not (journal.exists() and journal.stat().st_size)
