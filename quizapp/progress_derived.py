"""What is derived from the log: the answers that count, and what is known of each item.

``refresh`` brings the tables up to the log, in the transaction that wrote to it. Normally that's one event and one row of
``memory``, computed from the row before. It notices by itself when an older release, or another program, has written events
meanwhile, and when the rules have changed (``stamp``): then it makes everything anew.

An answer whose review comes later, one that arrives from another machine, and one that is undone each touch their item only.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import cache

from quizapp.events import (
    Answer,
    DrillAnswered,
    Item,
    Kind,
    QuestionRated,
    Rating,
    Reviewed,
    Undone,
    from_text,
    item_of,
)
from quizapp.progress_schema import create_indexes, create_tables
from quizapp.scheduling import RULES, Memory, Review, levels_of, remember, suggested

_TABLES = 2
"""Raise it when the derived tables hold something else."""

LONGEST = 1800.0
"""Seconds that an answer counts at most in the time spent: who takes longer has been away."""

_LEVELS = cache(levels_of)


@dataclass(frozen=True, slots=True)
class _Row:
    """An event as it stands in the log."""

    number: int
    id: str
    at: str
    day: str
    kind: str
    what: str


@cache
def stamp() -> str:
    """Return what the derived tables depend on besides the log: the rules, and the levels that each drill has."""
    from question_bank.drills import DRILLS

    levels = ";".join(f"{drill.id} {drill.levels}" for drill in sorted(DRILLS.values(), key=lambda drill: drill.id))
    return f"{_TABLES}.{RULES}.{zlib.crc32(levels.encode()):08x}"


def is_fresh(connection: sqlite3.Connection) -> bool:
    """Tell whether the derived tables are up to the log."""
    query = "SELECT stamp, upto, (SELECT coalesce(max(number), 0) FROM event) FROM derived"
    made, upto, last = connection.execute(query).fetchone()
    return bool(made == stamp() and upto == last)


def refresh(connection: sqlite3.Connection) -> None:
    """Bring the derived tables up to the log, inside a transaction."""
    made, upto = connection.execute("SELECT stamp, upto FROM derived").fetchone()
    if made != stamp():
        rebuild(connection)
        return
    rows = _rows(connection, "number > ?", upto)
    if not rows:
        return
    if any(row.kind == Kind.UNDO and _undoes_an_undo(connection, row) for row in rows):
        rebuild(connection)
        return
    _follow_all(connection, _put(connection, rows))
    connection.execute("UPDATE derived SET upto = ?", (rows[-1].number,))


def rebuild(connection: sqlite3.Connection) -> None:
    """Make the derived tables anew from the log alone, inside a transaction."""
    create_tables(connection)
    create_indexes(connection, "review")
    ids = [(id,) for id in _undone(_rows(connection, "kind = ?", Kind.UNDO))]
    connection.executemany("INSERT INTO undone VALUES (?)", ids)
    [last] = connection.execute("SELECT coalesce(max(number), 0) FROM event").fetchone()
    # Reviews first, so that each answer is written once, with its last rating; indexes last, which is quicker.
    _put(connection, _rows(connection, "kind = ?", Kind.REVIEW))
    touched = _put(connection, _rows(connection, "kind IN (?, ?)", Kind.DRILL, Kind.QUESTION))
    create_indexes(connection, "answer")
    _follow_all(connection, touched)
    connection.execute("UPDATE derived SET stamp = ?, upto = ?", (stamp(), last))


def _rows(connection: sqlite3.Connection, condition: str, *values: int | str) -> list[_Row]:
    query = f"SELECT number, id, at, study_day, kind, what FROM event WHERE {condition} ORDER BY number"
    return [_Row(*row) for row in connection.execute(query, values)]


# What is undone


def _targets(row: _Row) -> tuple[str, ...]:
    try:
        what = from_text(row.kind, row.what)
    except (ValueError, RecursionError):
        return ()
    return what.events if isinstance(what, Undone) else ()


def _undoes_an_undo(connection: sqlite3.Connection, row: _Row) -> bool:
    """Tell whether an undoing concerns another, one way or the other: then what it had undone has to be worked out anew."""
    marks = ", ".join("?" * len(_targets(row)))
    query = f"SELECT 1 FROM event WHERE id IN ({marks}) AND kind = 'undo' LIMIT 1"
    return _is_undone(connection, row.id) or connection.execute(query, _targets(row)).fetchone() is not None


def _is_undone(connection: sqlite3.Connection, id: str) -> bool:
    return connection.execute("SELECT 1 FROM undone WHERE id = ?", (id,)).fetchone() is not None


def _undone(rows: Iterable[_Row]) -> set[str]:
    """Return the ids of all events that count for nothing: those that an undoing names which is not undone itself."""
    targets = {row.id: _targets(row) for row in rows}
    named_by: dict[str, list[str]] = {}
    for id, names in targets.items():
        for name in names:
            named_by.setdefault(name, []).append(id)
    counts: dict[str, bool] = {}
    for id in targets:
        waiting = [id]
        while waiting:
            # Whether an undoing counts depends on those that name it. A circle, which no program writes, breaks here.
            current = waiting[-1]
            unknown = [each for each in named_by.get(current, ()) if each not in counts and each not in waiting]
            if unknown:
                waiting += unknown
                continue
            counts[current] = not any(counts.get(each, True) for each in named_by.get(current, ()))
            waiting.pop()
    return {name for id, names in targets.items() if counts[id] for name in names}


# Answers and reviews


def _put(connection: sqlite3.Connection, rows: Iterable[_Row]) -> dict[str, set[str]]:
    """Put events into the tables; what can't be understood counts for nothing.

    Returns:
        The answers by which each item has changed.
    """
    touched: dict[str, set[str]] = {}
    for row in rows:
        if row.kind not in (Kind.DRILL, Kind.QUESTION, Kind.REVIEW, Kind.UNDO) or _is_undone(connection, row.id):
            continue
        try:
            what = from_text(row.kind, row.what)
            # FSRS counts days on from here; nobody studies outside these years.
            if not 1970 <= date.fromisoformat(row.day).year < 3000:
                continue
        except (ValueError, TypeError, RecursionError):
            continue
        if isinstance(what, DrillAnswered | QuestionRated):
            _add_answer(connection, row, what)
            if not isinstance(what, DrillAnswered) or what.outcome.spends_an_attempt:
                touched.setdefault(item_of(what), set()).add(row.id)
        elif isinstance(what, Reviewed):
            later = what.later and what.later.isoformat()
            values = (row.number, row.id, what.of, row.at, what.rating.value, what.due.isoformat(), later)
            connection.execute("INSERT INTO review VALUES (?, ?, ?, ?, ?, ?, ?)", values)
            _settle(connection, what.of, touched)
        elif isinstance(what, Undone):
            for target in what.events:
                _undo(connection, target, touched)
    return touched


def _add_answer(connection: sqlite3.Connection, row: _Row, what: Answer) -> None:
    drill = what if isinstance(what, DrillAnswered) else None
    proposed = suggested(what)
    rating, due, later = _last_review(connection, row.id) or (proposed.value, None, None)
    values = (
        row.number,
        row.id,
        item_of(what),
        row.at,
        row.day,
        drill and drill.level,
        drill and drill.outcome,
        drill and drill.mistake,
        drill is None or drill.outcome.spends_an_attempt,
        drill.outcome.earns_the_mark if drill else rating >= Rating.GOOD,
        min(max(0.0, what.seconds), LONGEST),
        proposed.value,
        rating,
        due,
        later,
    )
    connection.execute(f"INSERT INTO answer VALUES ({', '.join('?' * len(values))})", values)


def _last_review(connection: sqlite3.Connection, answer: str) -> tuple[int, str, str | None] | None:
    query = "SELECT rating, due, later FROM review WHERE answer = ? ORDER BY at DESC, number DESC LIMIT 1"
    found: tuple[int, str, str | None] | None = connection.execute(query, (answer,)).fetchone()
    return found


def _settle(connection: sqlite3.Connection, answer: str, touched: dict[str, set[str]]) -> None:
    """Give an answer the rating that counts: the last one given to it, else the suggested one."""
    found = connection.execute("SELECT item, suggested, outcome FROM answer WHERE id = ?", (answer,)).fetchone()
    if found is None:
        return  # it may still arrive, from another machine
    item, rating, outcome = found
    rating, due, later = _last_review(connection, answer) or (rating, None, None)
    connection.execute("UPDATE answer SET rating = ?, due = ?, later = ? WHERE id = ?", (rating, due, later, answer))
    if outcome is None:  # a question: its rating says whether it went well
        connection.execute("UPDATE answer SET correct = ? WHERE id = ?", (rating >= Rating.GOOD, answer))
    touched.setdefault(item, set()).add(answer)


def _undo(connection: sqlite3.Connection, target: str, touched: dict[str, set[str]]) -> None:
    connection.execute("INSERT OR IGNORE INTO undone VALUES (?)", (target,))
    answer = connection.execute("SELECT item FROM answer WHERE id = ?", (target,)).fetchone()
    if answer is not None:
        connection.execute("DELETE FROM answer WHERE id = ?", (target,))
        touched.setdefault(answer[0], set()).add(target)
    review = connection.execute("SELECT answer FROM review WHERE id = ?", (target,)).fetchone()
    if review is not None:
        connection.execute("DELETE FROM review WHERE id = ?", (target,))
        _settle(connection, review[0], touched)


# Memory

_REVIEWS = "SELECT day, rating, due, level, later, id, at, number FROM answer WHERE item = ? AND attempt"


def _follow_all(connection: sqlite3.Connection, touched: dict[str, set[str]]) -> None:
    for item, answers in touched.items():
        _follow(connection, Item(item), answers)


@dataclass(frozen=True, slots=True)
class _Answer:
    """An answer that counts, in its place in time."""

    review: Review
    id: str
    at: str
    number: int


def _answer(
    day: str, rating: int, due: str | None, level: int | None, later: str | None, id: str, at: str, number: int
) -> _Answer:
    return _Answer(Review(date.fromisoformat(day), Rating(rating), _day(due), level, _day(later)), id, at, number)


def _day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None


def _follow(connection: sqlite3.Connection, item: Item, touched: set[str]) -> None:
    """Bring an item's memory up to date: on from the row before where only its last answer is new, else from the first on."""
    found = connection.execute("SELECT known, before, last FROM memory WHERE item = ?", (item,)).fetchone()
    rows = connection.execute(f"{_REVIEWS} ORDER BY at DESC, number DESC LIMIT 2", (item,)).fetchall()
    newest = [_answer(*row) for row in rows]
    if found is not None and newest and touched == {newest[0].id}:
        known, before, last = found
        if last == newest[0].id:
            _know(connection, item, newest[0], Memory.from_text(item, before) if before else None)
            return
        if len(newest) == 2 and last == newest[1].id:
            _know(connection, item, newest[0], Memory.from_text(item, known))
            return
    memory = before_last = None
    answer = None
    for row in connection.execute(f"{_REVIEWS} ORDER BY at, number", (item,)):
        answer, before_last = _answer(*row), memory
        memory = remember(item, before_last, answer.review, _LEVELS(item))
    if answer is None:
        connection.execute("DELETE FROM memory WHERE item = ?", (item,))
    else:
        _know(connection, item, answer, before_last)


def _know(connection: sqlite3.Connection, item: Item, answer: _Answer, before: Memory | None) -> None:
    memory = remember(item, before, answer.review, _LEVELS(item))
    kept = before.to_text() if before else None
    values = (item, memory.due.isoformat(), memory.to_text(), kept, answer.at, answer.number, answer.id)
    connection.execute("INSERT OR REPLACE INTO memory VALUES (?, ?, ?, ?, ?, ?, ?)", values)


def before(connection: sqlite3.Connection, answer: str) -> tuple[Item, date, Memory | None] | None:
    """Return the item and the study day of an answer, and what was known before it; None where no such answer counts."""
    found = connection.execute("SELECT item, day, at, number FROM answer WHERE id = ?", (answer,)).fetchone()
    if found is None:
        return None
    item, day, at, number = Item(found[0]), date.fromisoformat(found[1]), found[2], found[3]
    kept = connection.execute("SELECT before FROM memory WHERE item = ? AND last = ?", (item, answer)).fetchone()
    if kept is not None:
        return item, day, Memory.from_text(item, kept[0]) if kept[0] else None
    memory = None
    query = f"{_REVIEWS} AND (at, number) < (?, ?) ORDER BY at, number"
    for row in connection.execute(query, (item, at, number)):
        memory = remember(item, memory, _answer(*row).review, _LEVELS(item))
    return item, day, memory
