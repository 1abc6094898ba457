"""Progress: the log of what a person did, and what follows from it for each item.

An answer that was undone counts for nothing in anything but ``recent`` and ``events``, which are the log itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from pathlib import Path

from quizapp import progress_derived as derived
from quizapp.events import DAY_ENDS, Clock, Event, InterviewHeld, Item, Rating, system_clock
from quizapp.progress_errors import ProgressError
from quizapp.progress_file import PATIENCE
from quizapp.progress_log import EVENT, EventLog
from quizapp.progress_schema import SCHEMA_VERSION
from quizapp.scheduling import Choice, Memory, choices
from solvers.verdict import Outcome

__all__ = ["PATIENCE", "SCHEMA_VERSION", "DrillRecord", "Log", "Practised", "open_log"]


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


class Log(EventLog):
    """The log of one file, or of this session alone, with memory, ratings and records."""

    def rate(self, answer: str, rating: Rating, interview: date | None = None) -> Event | None:
        """Rate an answer, or rate it anew; the due day is the one that ``choices_after`` has shown.

        The application hands ``choice.reviewed(item, answer)`` to the keeper instead, with the choice that is on the screen: a
        rating that can't be written at once then waits behind its answer.

        Args:
            answer: The id of the answer's event.
            rating: How it went.
            interview: The day of the interview, the same as for ``choices_after``.

        Returns:
            The event; None where no such answer counts.

        Raises:
            ProgressError: It could not be written.
        """
        found = self.look(lambda connection: derived.before(connection, answer))
        if found is None:
            return None
        item, day, before = found
        choice = next(choice for choice in choices(item, before, day, interview) if choice.rating is rating)
        return self.record(choice.reviewed(item, answer))

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
        ``choice.reviewed(item, event.id)`` for the choice made.

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
        found = self.look(lambda connection: derived.before(connection, answer))
        return () if found is None else choices(found[0], found[2], found[1], interview)

    def answered_since(self, item: Item, since: datetime) -> Event | None:
        """Return the last answer to an item, where it was given at a time or after it: a session goes on behind it.

        Raises:
            ProgressError: The log can't be read.
        """
        moment = since.astimezone(UTC).isoformat(timespec="microseconds")
        order = "ORDER BY answer.at DESC, answer.number DESC LIMIT 1"
        query = f"SELECT {EVENT} FROM answer JOIN event USING (number) WHERE item = ? AND answer.at >= ? AND attempt {order}"
        return next(iter(self.made(self.query(query, item, moment))), None)

    def last_answer(self) -> Event | None:
        """Return the last answer that counts: the one that undoing takes back.

        Raises:
            ProgressError: The log can't be read.
        """
        query = f"SELECT {EVENT} FROM answer JOIN event USING (number) ORDER BY answer.at DESC, answer.number DESC LIMIT 1"
        return next(iter(self.made(self.query(query))), None)

    def rebuild(self) -> None:
        """Make everything that is derived anew, from the log alone.

        Raises:
            ProgressError: The log can't be read, or the tables can't be written.
        """
        with self._explained(), self._lock, self._transaction():
            derived.rebuild(self._connection)

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
            f"SELECT {EVENT} FROM event WHERE kind = 'interview' AND id NOT IN (SELECT id FROM undone)"
            " ORDER BY at DESC, number DESC"
        )
        events = self.made(self.query(query))
        return tuple(event.what for event in events if isinstance(event.what, InterviewHeld))


def open_log(path: Path, clock: Clock = system_clock, patience: float = PATIENCE, day_ends: timedelta = DAY_ENDS) -> Log:
    """Open the log; where that can't be done, one in memory stands in, and its ``problem`` says why."""
    try:
        return Log(path, clock, patience, day_ends)
    except ProgressError as error:
        log = Log(None, clock, day_ends=day_ends)
        log.problem = error.message
        return log
