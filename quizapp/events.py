"""What the progress log holds: things that happened, when, and on which study day."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable
from dataclasses import dataclass, fields
from datetime import UTC, date, datetime, timedelta
from enum import IntEnum, StrEnum
from typing import Any

from question_bank.problem import Problem
from question_bank.program import Program, from_json, to_json
from solvers.verdict import Outcome, Verdict

Clock = Callable[[], datetime]
"""Gives the time now, with the local offset from UTC."""

DAY_ENDS = timedelta(hours=4)
"""A study day ends at this local time of the next morning, unless the settings name another."""


class Item(str):
    """Something that memory is kept of: a question (``Q7``) or a drill (``softmax-row``), by its id."""

    __slots__ = ()

    @property
    def number(self) -> int | None:
        """The question's number; None for a drill."""
        return int(self[1:]) if self[:1] == "Q" and self[1:].isascii() and self[1:].isdigit() else None

    @property
    def is_question(self) -> bool:
        """Tell a question from a drill."""
        return self.number is not None


class Mode(StrEnum):
    """How a question was answered."""

    FREE = "free"
    CHOICE = "choice"


class Rating(IntEnum):
    """How well a person says a question went; the four that FSRS knows."""

    AGAIN = 1
    HARD = 2
    GOOD = 3
    EASY = 4


@dataclass(frozen=True, slots=True)
class DrillAnswered:
    """An answer to a drill, or giving it up.

    Attributes:
        code: The problem's code.
        drill: The drill's id.
        level: The level.
        typed: What was typed, one text per part.
        outcome: The verdict.
        mistake: Id of the recognised mistake.
        marks: Marks earned.
        possible: Marks there were.
        seconds: How long it took.
        hints: How many hints were used.
    """

    code: str
    drill: str
    level: int
    typed: tuple[str, ...]
    outcome: Outcome
    mistake: str | None
    marks: int
    possible: int
    seconds: float
    hints: int = 0


@dataclass(frozen=True, slots=True)
class QuestionRated:
    """A question that a person answered and rated, or that counts with the suggested rating until then.

    Attributes:
        number: Its number in the course, such as 7 for Q7.
        rating: How it went, as was known when the answer was kept; a ``Reviewed`` says it anew.
        mode: Answered freely, or one of four options.
        typed: The typed answer; empty where there was none.
        ticked: The key points made, by their place from 0.
        chosen: The option chosen, by its place from 0.
        found: The key points that the marker found in what was typed; those of ``ticked`` that are not among them, and the
            other way round, the person overruled. None where nothing was marked.
        seconds: How long it took, where that was measured.
    """

    number: int
    rating: Rating
    mode: Mode = Mode.FREE
    typed: str = ""
    ticked: tuple[int, ...] = ()
    chosen: int | None = None
    found: tuple[int, ...] | None = None
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class SelfChecked:
    """A result on a person's own numbers.

    Attributes:
        program: What was computed, with the numbers in it.
        typed: What was typed, one text per part.
        outcome: The verdict.
    """

    program: Program
    typed: tuple[str, ...]
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A person's last word on how an answer went, and when the item is due in consequence.

    An answer without one counts as reviewed with the rating that was suggested for it. Of several for one answer, the
    latest counts.

    Attributes:
        item: What was answered.
        rating: How it went.
        due: The study day that was shown as the next; it is the one that is kept.
        of: The id of the answer's event.
        later: The day it would have been without the interview; None where the interview changed nothing.
    """

    item: Item
    rating: Rating
    due: date
    of: str
    later: date | None = None


@dataclass(frozen=True, slots=True)
class Undone:
    """Events that a person took back: they stay in the log, but count for nothing. Undoing this restores them.

    Attributes:
        events: Their ids.
    """

    events: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class InterviewHeld:
    """A mock interview; its answers count in no statistics.

    Attributes:
        started: When it began, in UTC.
        minutes: How long it was to be.
        report: What came of it, as JSON text.
    """

    started: datetime
    minutes: int
    report: str


Happening = DrillAnswered | QuestionRated | SelfChecked | Reviewed | Undone | InterviewHeld
Answer = DrillAnswered | QuestionRated
"""What memory and statistics are made of."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened; it never changes.

    Attributes:
        id: 32 random hexadecimal digits, so that logs of two machines can be joined.
        at: When, in UTC.
        offset: The local offset from UTC then.
        study_day: The study day then; it stays what it was, whatever zone one travels to.
        what: What happened.
    """

    id: str
    at: datetime
    offset: timedelta
    study_day: date
    what: Happening


def system_clock() -> datetime:
    """Return the time now, in the zone of this machine."""
    return datetime.now().astimezone()


def study_day(moment: datetime, ends: timedelta = DAY_ENDS) -> date:
    """Return the study day of a local time: until 04:00, or another time, on the wall clock it is still the day before."""
    return (moment.replace(tzinfo=None) - ends).date()


def stamp(what: Happening, now: datetime, ends: timedelta = DAY_ENDS) -> Event:
    """Make an event of what has just happened.

    Args:
        what: What happened.
        now: The time, with the local offset from UTC.
        ends: When a study day ends, counted from midnight.

    Raises:
        ValueError: The time doesn't know its offset from UTC.
    """
    offset = now.utcoffset()
    if offset is None:
        raise ValueError(f"{now} doesn't know its offset from UTC")
    return Event(os.urandom(16).hex(), now.astimezone(UTC), offset, study_day(now, ends), what)


def item_of(what: Answer) -> Item:
    """Return what was answered."""
    return Item(what.drill if isinstance(what, DrillAnswered) else f"Q{what.number}")


def drill_answered(problem: Problem, verdict: Verdict, seconds: float, hints: int = 0) -> DrillAnswered:
    """Put down a verdict on a drill."""
    return DrillAnswered(
        code=problem.code,
        drill=problem.drill,
        level=problem.level,
        typed=tuple(part.typed for part in verdict.parts),
        outcome=verdict.outcome,
        mistake=verdict.mistake,
        marks=verdict.marks,
        possible=verdict.possible,
        seconds=seconds,
        hints=hints,
    )


class Kind(StrEnum):
    """What sort of thing happened, as the log calls it."""

    DRILL = "drill"
    QUESTION = "question"
    SELF_CHECK = "self-check"
    REVIEW = "review"
    UNDO = "undo"
    INTERVIEW = "interview"


KINDS: dict[type[Happening], Kind] = {
    DrillAnswered: Kind.DRILL,
    QuestionRated: Kind.QUESTION,
    SelfChecked: Kind.SELF_CHECK,
    Reviewed: Kind.REVIEW,
    Undone: Kind.UNDO,
    InterviewHeld: Kind.INTERVIEW,
}
_NAMES = {each: tuple(field.name for field in fields(each)) for each in KINDS}
_CLASSES: dict[str, type[Happening]] = {kind.value: each for each, kind in KINDS.items()}


def to_text(what: Happening) -> str:
    """Write what happened as JSON, in ASCII: half a surrogate pair that a terminal sent must not make it unwritable."""
    values = {name: getattr(what, name) for name in _NAMES[type(what)]}
    if isinstance(what, SelfChecked):
        values["program"] = to_json(what.program)
    return json.dumps(values, default=_as_text)


def _as_text(value: date) -> str:
    return value.isoformat()


def from_text(kind: str, text: str) -> Happening:
    """Read what ``to_text`` wrote.

    Raises:
        ValueError: It was not written by ``to_text``.
    """
    from msgspec import convert

    if kind not in _CLASSES:
        raise ValueError(f"{kind!r} is no kind of event")
    values = json.loads(text)
    if kind != Kind.SELF_CHECK:
        return _sound(convert(values, _CLASSES[kind], dec_hook=_to_item))
    try:
        typed = convert(values["typed"], tuple[str, ...])
        return SelfChecked(from_json(values["program"]), typed, Outcome(values["outcome"]))
    except (AttributeError, KeyError, TypeError) as fault:
        raise ValueError(f"not an event: {fault!r}") from fault


def _to_item(_: type[Item], value: object) -> Item:
    if not isinstance(value, str):
        raise TypeError(f"not an item: {value!r}")
    return Item(value)


def _sound(what: Happening) -> Happening:
    """Refuse numbers that no table can hold."""
    for name in _NAMES[type(what)]:
        value: Any = getattr(what, name)
        if isinstance(value, int | float) and not (math.isfinite(value) and abs(value) < 2**53):
            raise ValueError(f"not an event: {name} is {value}")
    if isinstance(what, InterviewHeld) and what.started.tzinfo is None:
        raise ValueError("not an event: started has no zone")
    return what
