"""Copying the progress file, and putting it aside to begin anew."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path

from question_bank.system_errors import why
from quizapp.progress_errors import busy, explain, unwritable
from quizapp.progress_schema import back_up

JOURNALS = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a file, by what it adds to its name."""


def copy_aside(path: Path, day: date) -> Path:
    """Copy the progress file, whole, beside it.

    Args:
        path: The file.
        day: Today; the copy is named after it.

    Returns:
        The copy.

    Raises:
        ProgressError: The file can't be read, or the copy can't be written.
    """
    try:
        return back_up(path, f"{day.isoformat()}-backup")
    except sqlite3.Error as fault:
        raise explain(fault, path, None) from fault
    except OSError as fault:
        raise unwritable(path, why(fault)) from fault


def put_aside(path: Path, name: str) -> Path:
    """Rename the progress file, with what SQLite keeps beside it; nothing in it is changed, damaged or not.

    Args:
        path: The file.
        name: What is added to its name; a number too, where there is such a file already.

    Returns:
        Where it is now.

    Raises:
        ProgressError: Another program has it open, or it can't be renamed.
    """
    _alone(path)
    place, number = path.with_name(f"{path.name}.{name}"), 1
    while any(Path(f"{place}{journal}").exists() for journal in ("", *JOURNALS)):
        number += 1
        place = path.with_name(f"{path.name}.{name}-{number}")
    try:
        # The journals go first: left without its own, the file would be taken for whole where it isn't.
        for journal in (*JOURNALS, ""):
            if Path(f"{path}{journal}").exists():
                os.replace(f"{path}{journal}", f"{place}{journal}")
    except OSError as fault:
        raise unwritable(path, why(fault)) from fault
    return place


def _alone(path: Path) -> None:
    """Make sure that no other program has the file open, and bring what stands in its write-ahead log into it."""
    try:
        with closing(sqlite3.connect(path, timeout=0.5, isolation_level=None)) as connection:
            # Leaving the write-ahead log needs the file for oneself; one that is only open elsewhere stops it too.
            connection.execute("PRAGMA journal_mode = DELETE").fetchall()
            connection.execute("BEGIN EXCLUSIVE")
            connection.execute("ROLLBACK")
    except sqlite3.OperationalError as fault:
        if fault.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise busy(path) from fault
    except sqlite3.Error:
        pass  # damaged, or no database: nobody can be using it
