"""The progress log: what a person did, appended to a file and never changed; and what follows from it for each item.

An answer is on disk before its verdict is shown. On a slow disk that takes a while, and another program may hold the lock: call
a ``Log`` from a worker thread, never from the one that reads the keyboard (``Keeper.ask``). Any thread may; they take turns.

An answer that was undone counts for nothing in anything but ``recent`` and ``events``, which are the log itself.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
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
    InterviewHeld,
    Item,
    Rating,
    Reviewed,
    Undone,
    from_text,
    stamp,
    study_day,
    system_clock,
    to_text,
)
from quizapp.progress_errors import ProgressError
from quizapp.progress_file import PATIENCE, ProgressFile
from quizapp.progress_schema import SCHEMA_VERSION
from quizapp.scheduling import Choice, Memory, choices
from solvers.verdict import Outcome

__all__ = ["PATIENCE", "SCHEMA_VERSION", "DrillRecord", "Log", "Practised", "open_log"]

T = TypeVar("T")

_EVENT = "event.id, event.at, event.offset_seconds, event.study_day, event.kind, event.what"
_PAGE = 1000


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


class Log(ProgressFile):
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

    # Writing

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

    def rate(self, answer: str, rating: Rating, interview: date | None = None) -> Event | None:
        """Rate an answer, or rate it anew; the due day is the one that ``choices_after`` has shown.

        The application hands ``Reviewed`` to the keeper instead, with the due day of the choice that is on the screen: a rating
        that can't be written at once then waits behind its answer.

        Args:
            answer: The id of the answer's event.
            rating: How it went.
            interview: The day of the interview, the same as for ``choices_after``.

        Returns:
            The event; None where no such answer counts.

        Raises:
            ProgressError: It could not be written.
        """
        found = self._look(lambda connection: derived.before(connection, answer))
        if found is None:
            return None
        item, day, before = found
        due = next(choice.due for choice in choices(item, before, day, interview) if choice.rating is rating)
        return self.record(Reviewed(item, rating, due, answer))

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

    # Memory

    def memories(self) -> tuple[Memory, ...]:
        """Return what is known of every item that was answered, those first that are due first.

        Raises:
            ProgressError: The log can't be read.
        """
        rows = self.query("SELECT item, known FROM memory ORDER BY due, at, item")
        with self._explained():
            return tuple(Memory.from_text(item, known) for item, known in rows)

    def memory(self, item: Item) -> Memory | None:
        """Return what is known of an item; None where it was never answered.

        Raises:
            ProgressError: The log can't be read.
        """
        rows = self.query("SELECT item, known FROM memory WHERE item = ?", item)
        with self._explained():
            return next((Memory.from_text(item, known) for item, known in rows), None)

    def choices(self, item: Item, interview: date | None = None) -> tuple[Choice, ...]:
        """Return the ratings that an answer given now could get, each with the due day that it leads to.

        This is for a question, whose rating comes together with the answer: record ``QuestionRated``, then
        ``Reviewed(item, choice.rating, choice.due, event.id)`` for the choice made.

        Raises:
            ProgressError: The log can't be read.
        """
        return choices(item, self.memory(item), self.today(), interview)

    def choices_after(self, answer: str, interview: date | None = None) -> tuple[Choice, ...]:
        """Return the ratings that an answer can get which was recorded already, each with the due day that it leads to.

        Args:
            answer: The id of the answer's event.
            interview: The day of the interview.

        Returns:
            One choice per rating; empty where no such answer counts.

        Raises:
            ProgressError: The log can't be read.
        """
        found = self._look(lambda connection: derived.before(connection, answer))
        return () if found is None else choices(found[0], found[2], found[1], interview)

    def answered_since(self, item: Item, since: datetime) -> Event | None:
        """Return the last answer to an item, where it was given at a time or after it: a session goes on behind it.

        Raises:
            ProgressError: The log can't be read.
        """
        moment = since.astimezone(UTC).isoformat(timespec="microseconds")
        order = "ORDER BY answer.at DESC, answer.number DESC LIMIT 1"
        query = f"SELECT {_EVENT} FROM answer JOIN event USING (number) WHERE item = ? AND answer.at >= ? AND attempt {order}"
        return next(iter(self._events(self.query(query, item, moment))), None)

    def last_answer(self) -> Event | None:
        """Return the last answer that counts: the one that undoing takes back.

        Raises:
            ProgressError: The log can't be read.
        """
        query = f"SELECT {_EVENT} FROM answer JOIN event USING (number) ORDER BY answer.at DESC, answer.number DESC LIMIT 1"
        return next(iter(self._events(self.query(query))), None)

    def rebuild(self) -> None:
        """Make everything that is derived anew, from the log alone.

        Raises:
            ProgressError: The log can't be read, or the tables can't be written.
        """
        with self._explained(), self._lock, self._transaction():
            derived.rebuild(self._connection)

    # Reading

    def recent(self, limit: int = 20) -> tuple[Event, ...]:
        """Return the last events, the latest first.

        Raises:
            ProgressError: The log can't be read.
        """
        return self._events(self.read(f"SELECT {_EVENT} FROM event ORDER BY at DESC, number DESC LIMIT ?", limit))

    def events(self) -> Iterator[Event]:
        """Yield every event, in the order in which they were written.

        Raises:
            ProgressError: The log can't be read.
        """
        after = 0
        query = f"SELECT number, {_EVENT} FROM event WHERE number > ? ORDER BY number LIMIT ?"
        while rows := self.read(query, after, _PAGE):
            after = rows[-1][0]
            yield from self._events([row[1:] for row in rows])

    def drill_records(self) -> tuple[DrillRecord, ...]:
        """Return how each drill went that was answered at least once, by id.

        Raises:
            ProgressError: The log can't be read.
        """
        counts: dict[str, list[tuple[Outcome, int]]] = {}
        rows = self.query("SELECT item, outcome, count(*) FROM answer WHERE outcome IS NOT NULL GROUP BY item, outcome")
        with self._explained():
            for drill, outcome, count in rows:
                counts.setdefault(drill, []).append((Outcome(outcome), count))
        return tuple(DrillRecord(drill, tuple(outcomes)) for drill, outcomes in sorted(counts.items()))

    def last_practised(self) -> Practised | None:
        """Return the drill that was answered last, to continue with.

        Raises:
            ProgressError: The log can't be read.
        """
        query = "SELECT item, level FROM answer WHERE outcome IS NOT NULL ORDER BY at DESC, number DESC LIMIT 1"
        return next((Practised(drill, level) for drill, level in self.query(query)), None)

    def interviews(self) -> tuple[InterviewHeld, ...]:
        """Return the mock interviews that were held, the latest first.

        Raises:
            ProgressError: The log can't be read.
        """
        query = (
            f"SELECT {_EVENT} FROM event WHERE kind = 'interview' AND id NOT IN (SELECT id FROM undone)"
            " ORDER BY at DESC, number DESC"
        )
        events = self._events(self.query(query))
        return tuple(event.what for event in events if isinstance(event.what, InterviewHeld))

    def query(self, query: str, *values: str | int | float) -> list[Any]:
        """Run a query over what is derived from the log, for the modules of this layer.

        Raises:
            ProgressError: The log can't be read.
        """
        return self._look(lambda connection: connection.execute(query, values).fetchall())

    def _look(self, action: Callable[[sqlite3.Connection], T]) -> T:
        """Look at what is derived, once it is up to the log."""
        with self._explained(), self._lock:
            if not derived.is_fresh(self._connection):
                with self._transaction():
                    derived.refresh(self._connection)
            return action(self._connection)

    def _events(self, rows: Iterable[Any]) -> tuple[Event, ...]:
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


def open_log(path: Path, clock: Clock = system_clock, patience: float = PATIENCE, day_ends: timedelta = DAY_ENDS) -> Log:
    """Open the log; where that can't be done, one in memory stands in, and its ``problem`` says why."""
    try:
        return Log(path, clock, patience, day_ends)
    except ProgressError as error:
        log = Log(None, clock, day_ends=day_ends)
        log.problem = error.message
        return log
