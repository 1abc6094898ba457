"""An interview while it is held: plain data, of which each thing that happens makes a new one; kept on disk for a crash.

Nothing in it is shown before the end, the verdicts least of all.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from question_bank.system_errors import why
from question_bank.text import Text
from quizapp.interview.script import Script, Turn
from quizapp.whole_file import WriteError, put_aside, write_whole
from solvers.verdict import Verdict

if TYPE_CHECKING:
    from question_bank.questions.question import Question

VERSION = 1

UNREADABLE = Text(
    "The interview that was under way can't be read; its file was kept as {file}.",
    "上次没做完的模拟面试无法读取，文件已保留为 {file}。",
)
UNSAVED = Text(
    "{reason} After a crash, this interview would be lost.",
    "{reason}如果程序意外退出，这次面试的作答会丢失。",
)


class Ending(StrEnum):
    """How an interview ended."""

    DONE = "done"
    TIME_UP = "time-up"
    EARLY = "early"


@dataclass(frozen=True, slots=True)
class Given:
    """What was said to one thing asked.

    Attributes:
        typed: What was typed, one text per field.
        seconds: How long it took.
        passed: Whether the person passed.
        verdict: What became of a number; None for words, and where it has not been marked.
    """

    typed: tuple[str, ...]
    seconds: float
    passed: bool = False
    verdict: Verdict | None = None


@dataclass(frozen=True, slots=True)
class UnderWay:
    """An interview as it stands.

    Attributes:
        script: What is asked.
        started: When it began, in UTC.
        shows_clock: Whether the clock is shown.
        given: What was said so far, in the order of the script.
        typed: What is typed to what is asked now, one text per field.
        seconds: How long that has been asked, over all visits.
        ending: How it ended; None as long as it goes on.
    """

    script: Script
    started: datetime
    shows_clock: bool = True
    given: tuple[Given, ...] = ()
    typed: tuple[str, ...] = ()
    seconds: float = 0.0
    ending: Ending | None = None

    @property
    def turn(self) -> Turn | None:
        """What is asked now; None at the end."""
        turns = self.script.turns
        return turns[len(self.given)] if self.ending is None and len(self.given) < len(turns) else None

    @property
    def unanswered(self) -> int:
        """How many things of the script nothing was said to, not even that the person passes."""
        return len(self.script.turns) - len(self.given)

    @property
    def spent(self) -> float:
        """Seconds since the beginning, without those in which the interview was left."""
        return sum(given.seconds for given in self.given) + self.seconds

    @property
    def left(self) -> float:
        """Seconds that are left; negative once the time is up."""
        return self.script.minutes * 60 - self.spent

    @property
    def is_time_up(self) -> bool:
        """Whether the time is up."""
        return self.left <= 0

    def answered(self, typed: tuple[str, ...], *, passed: bool = False, verdict: Verdict | None = None) -> UnderWay:
        """Put an answer down and go to what is asked next; at the end, or when the time is up, it ends.

        Raises:
            ValueError: Nothing is asked any more.
        """
        if self.turn is None:
            raise ValueError("the interview is over")
        given = (*self.given, Given(typed, self.seconds, passed, verdict))
        ending = None
        if len(given) == len(self.script.turns):
            ending = Ending.DONE
        elif self.is_time_up:
            ending = Ending.TIME_UP
        return replace(self, given=given, typed=(), seconds=0.0, ending=ending)

    def ended(self) -> UnderWay:
        """End early; what is typed counts as said."""
        if self.turn is None:
            return self
        given = self.given
        if any(text.strip() for text in self.typed):
            given = (*given, Given(self.typed, self.seconds))
        return replace(self, given=given, typed=(), seconds=0.0, ending=Ending.EARLY)


def begin(script: Script, now: datetime, *, shows_clock: bool) -> UnderWay:
    """Begin an interview."""
    return UnderWay(script, now.astimezone(UTC), shows_clock)


@dataclass(frozen=True, slots=True)
class Loaded:
    """What was on disk.

    Attributes:
        under_way: The interview; None where there is none.
        problem: What to tell the person where there was one that can't be read.
    """

    under_way: UnderWay | None
    problem: Text | None = None


def save(path: Path, under_way: UnderWay) -> Text | None:
    """Write an interview, whole or not at all; returns what to tell the person where that fails."""
    from msgspec import to_builtins

    # In ASCII: half a surrogate pair that a terminal sent must not make it unwritable.
    text = json.dumps({"version": VERSION, **to_builtins(under_way)})
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text.encode("ascii"))
    except OSError as fault:
        return UNSAVED.fill(reason=why(fault))
    except WriteError as error:
        return UNSAVED.fill(reason=error.message)
    return None


def load(path: Path, question: Callable[[int], Question]) -> Loaded:
    """Read the interview under way. A file that can't be read is put aside, and so is one that asks what there is no more.

    Args:
        path: The file.
        question: Gives a question by its number.
    """
    from msgspec import convert

    from question_bank import CodeError, problem
    from question_bank.content import ContentError

    try:
        values = json.loads(path.read_bytes())
        if not isinstance(values, dict) or values.pop("version", None) != VERSION:
            raise ValueError("not an interview, or one of another release")
        under_way = convert(values, UnderWay)
        if under_way.started.tzinfo is None or not 0 < len(under_way.script.turns) >= len(under_way.given):
            raise ValueError("no interview can stand like that")
        for turn in under_way.script.turns:
            follow_ups = question(turn.number).follow_ups
            if turn.follow_up is not None and not 0 <= turn.follow_up < len(follow_ups):
                raise ValueError(f"Q{turn.number} has no such follow-up any more")
            if turn.code is not None:
                problem(turn.code)
    except FileNotFoundError:
        return Loaded(None)
    except (OSError, ValueError, TypeError, RecursionError, CodeError, ContentError):
        return Loaded(None, UNREADABLE.fill(file=put_aside(path)))
    return Loaded(under_way)


def clear(path: Path) -> None:
    """Forget the interview: its report is in the log."""
    path.unlink(missing_ok=True)
