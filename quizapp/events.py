"""What the progress log holds: things that happened, when, and on which study day."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass, fields
from datetime import UTC, date, datetime, timedelta
from enum import IntEnum, StrEnum

from question_bank.problem import Problem
from question_bank.program import Program, from_json, to_json
from solvers.verdict import Outcome, Verdict

Clock = Callable[[], datetime]
"""Gives the time now, with the local offset from UTC."""

DAY_ENDS = timedelta(hours=4)
"""A study day ends at this local time of the next morning."""


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
    """A question that a person answered and rated.

    Attributes:
        number: Its number in the course, such as 7 for Q7.
        rating: How it went.
        mode: Answered freely, or one of four options.
        typed: The typed answer; empty where there was none.
        ticked: The key points made, by their place from 0.
        chosen: The option chosen, by its place from 0.
        found: The key points that the marker found in what was typed; those of ``ticked`` that are not among them, and the
            other way round, the person overruled. None where nothing was marked.
    """

    number: int
    rating: Rating
    mode: Mode = Mode.FREE
    typed: str = ""
    ticked: tuple[int, ...] = ()
    chosen: int | None = None
    found: tuple[int, ...] | None = None


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


Happening = DrillAnswered | QuestionRated | SelfChecked


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


def study_day(moment: datetime) -> date:
    """Return the study day of a local time: until 04:00 on the wall clock it is still the day before."""
    return (moment.replace(tzinfo=None) - DAY_ENDS).date()


def stamp(what: Happening, now: datetime) -> Event:
    """Make an event of what has just happened.

    Raises:
        ValueError: The time doesn't know its offset from UTC.
    """
    offset = now.utcoffset()
    if offset is None:
        raise ValueError(f"{now} doesn't know its offset from UTC")
    return Event(os.urandom(16).hex(), now.astimezone(UTC), offset, study_day(now), what)


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


KINDS: dict[type[Happening], Kind] = {
    DrillAnswered: Kind.DRILL,
    QuestionRated: Kind.QUESTION,
    SelfChecked: Kind.SELF_CHECK,
}


def to_text(what: Happening) -> str:
    """Write what happened as JSON, in ASCII: half a surrogate pair that a terminal sent must not make it unwritable."""
    values = {field.name: getattr(what, field.name) for field in fields(what)}
    if isinstance(what, SelfChecked):
        values["program"] = to_json(what.program)
    return json.dumps(values)


def from_text(kind: str, text: str) -> Happening:
    """Read what ``to_text`` wrote.

    Raises:
        ValueError: It was not written by ``to_text``.
    """
    try:
        values = json.loads(text)
        for name in ("typed", "ticked", "found"):
            if isinstance(values.get(name), list):
                values[name] = tuple(values[name])
        if kind == Kind.QUESTION:
            return QuestionRated(**values | {"rating": Rating(values["rating"]), "mode": Mode(values["mode"])})
        values["outcome"] = Outcome(values["outcome"])
        if kind == Kind.DRILL:
            return DrillAnswered(**values)
        if kind == Kind.SELF_CHECK:
            return SelfChecked(**values | {"program": from_json(values["program"])})
    except (AttributeError, KeyError, TypeError) as fault:
        raise ValueError(f"not an event: {fault!r}") from fault
    raise ValueError(f"{kind!r} is no kind of event")
