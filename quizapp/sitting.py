"""Today's session while it runs: what is still to come, and the item at hand with what is typed; kept on disk for a crash.

A ``Sitting`` is plain data; each thing that happens gives a new one. ``save`` it whenever it changes (typing: a moment after
the last key), in a thread; ``load`` and ``caught_up`` bring it back. The log stays what counts: what is in a sitting alone
are the order of items and what has not been handed in.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from question_bank.system_errors import why
from question_bank.text import Text
from quizapp import settings_file
from quizapp.events import DrillAnswered, Event, Item, Mode
from quizapp.whole_file import put_aside

if TYPE_CHECKING:
    from quizapp.planning import Today
    from quizapp.progress import Log

VERSION = 1

UNREADABLE = Text(
    "The session that was under way can't be read; its file was kept as {file}. Everything answered is in the log. "
    "Start today's session again.",
    "上次未完成的练习无法读取，文件已保留为 {file}。已经作答的内容都在记录里，重新开始今天的练习即可。",
)
UNSAVED = Text(
    "The session can't be saved in {file} ({reason}): after a crash, what is typed and not handed in would be lost.",
    "当前练习无法保存到 {file}（{reason}）：如果程序意外退出，已输入但未提交的内容会丢失。",
)


@dataclass(frozen=True, slots=True)
class Spot:
    """The item at hand.

    Attributes:
        item: The item.
        since: When it was first shown, in UTC.
        code: The problem's code, for a drill. A later release may refuse it; then draw another.
        mode: How a question is asked.
        typed: What is typed, one text per field.
        chosen: The option chosen of a question, by its place from 0.
        ticked: The key points ticked, by their place from 0.
        hints: How many hints were shown.
        seconds: How long the person has been at it, over all starts of the program.
        answer: The id of the answer's event, once it is in the log; what is left is to rate it and to go on.
    """

    item: Item
    since: datetime
    code: str | None = None
    mode: Mode = Mode.FREE
    typed: tuple[str, ...] = ()
    chosen: int | None = None
    ticked: tuple[int, ...] = ()
    hints: int = 0
    seconds: float = 0.0
    answer: str | None = None


@dataclass(frozen=True, slots=True)
class Done:
    """An item that was dealt with.

    Attributes:
        spot: How it stood when the person went on.
        comes_again: Whether it was put at the end of the queue once more.
    """

    spot: Spot
    comes_again: bool


@dataclass(frozen=True, slots=True)
class Sitting:
    """A session under way.

    Attributes:
        day: The study day that it was planned for.
        queue: What is still to come, the item at hand first.
        spot: The item at hand, once it is shown.
        done: What was dealt with, in order.
    """

    day: date
    queue: tuple[Item, ...]
    spot: Spot | None = None
    done: tuple[Done, ...] = ()

    @property
    def current(self) -> Item | None:
        """The item at hand; None at the end."""
        return self.queue[0] if self.queue else None

    @property
    def total(self) -> int:
        """How many items there are, those done included."""
        return len(self.done) + len(self.queue)

    def shown(self, now: datetime, code: str | None = None, mode: Mode = Mode.FREE) -> Sitting:
        """Put down that the item at hand is shown.

        Raises:
            ValueError: There is none.
        """
        if self.current is None:
            raise ValueError("the session is at its end")
        return replace(self, spot=Spot(self.current, now.astimezone(UTC), code, mode))

    def at(self, spot: Spot) -> Sitting:
        """Put down how the item at hand stands: ``sitting.at(replace(sitting.spot, typed=...))``."""
        return replace(self, spot=spot)

    def answered(self, answer: str) -> Sitting:
        """Put down that the answer is in the log.

        Raises:
            ValueError: No item is shown.
        """
        if self.spot is None:
            raise ValueError("no item is shown")
        return replace(self, spot=replace(self.spot, answer=answer))

    def went_on(self, due: date) -> Sitting:
        """Go on to the next item.

        Args:
            due: When the item at hand is due again; on the day of the session it comes once more, at its end.

        Raises:
            ValueError: No item is shown.
        """
        if self.spot is None:
            raise ValueError("no item is shown")
        again = due <= self.day
        rest = (*self.queue[1:], self.spot.item) if again else self.queue[1:]
        return Sitting(self.day, rest, None, (*self.done, Done(self.spot, again)))

    def skipped(self) -> Sitting:
        """Leave the item at hand out; it stays due."""
        return replace(self, queue=self.queue[1:], spot=None)

    def taken_back(self) -> Sitting:
        """Return to the answer before, which is undone in the log: the same problem, and what was typed.

        Where the item at hand is answered already, that answer is taken back.
        """
        if self.spot is not None and self.spot.answer is not None:
            return replace(self, spot=replace(self.spot, answer=None))
        if not self.done:
            return self
        last = self.done[-1]
        rest = self.queue
        if last.comes_again:
            place = len(rest) - 1 - rest[::-1].index(last.spot.item)
            rest = rest[:place] + rest[place + 1 :]
        return Sitting(self.day, (last.spot.item, *rest), replace(last.spot, answer=None), self.done[:-1])

    def last_answer(self) -> str | None:
        """Return the id of the answer that ``taken_back`` takes back; None where there is none."""
        if self.spot is not None and self.spot.answer is not None:
            return self.spot.answer
        return self.done[-1].spot.answer if self.done else None

    def renewed(self, today: Today) -> Sitting:
        """Take up a new plan, after the study day has changed or the settings have; the item at hand stays first."""
        if self.spot is None:
            return begin(today)
        rest = tuple(item for item in today.queue if item != self.spot.item)
        return Sitting(today.day, (self.spot.item, *rest), self.spot, () if today.day != self.day else self.done)

    def kept_to(self, today: Today) -> Sitting:
        """Leave out what was dealt with elsewhere meanwhile, and add what has become due; the order stays.

        The item at hand stays in any case. After the study day has changed: ``renewed``.
        """
        if today.day != self.day:
            return self.renewed(today)
        wanted = set(today.queue)
        held = self.queue[:1] if self.spot is not None else ()
        rest = tuple(item for item in self.queue[len(held) :] if item in wanted)
        more = tuple(item for item in today.queue if item not in held and item not in rest)
        return replace(self, queue=(*held, *rest, *more))


def begin(today: Today) -> Sitting:
    """Begin what a plan brings."""
    return Sitting(today.day, today.queue)


# On disk


@dataclass(frozen=True, slots=True)
class Loaded:
    """What was on disk.

    Attributes:
        sitting: The session under way; None where there is none.
        problem: What to tell the person where there was one that can't be read.
    """

    sitting: Sitting | None
    problem: Text | None = None


def save(path: Path, sitting: Sitting) -> Text | None:
    """Write a sitting, whole or not at all; returns what to tell the person where that fails."""
    from msgspec import to_builtins

    values = {"version": VERSION, **to_builtins(sitting, enc_hook=str)}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        settings_file.replace(path, json.dumps(values))  # in ASCII: half a surrogate pair must not make it unwritable
    except OSError as fault:
        return UNSAVED.fill(file=path, reason=why(fault))
    return None


def load(path: Path) -> Loaded:
    """Read the sitting under way. A file that can't be read is kept under another name."""
    from msgspec import convert

    try:
        values = json.loads(path.read_bytes())
        if not isinstance(values, dict) or values.pop("version", None) != VERSION:
            raise ValueError("not a sitting, or one of another release")
        sitting = convert(values, Sitting, dec_hook=lambda _, value: Item(value))
        if sitting.spot is not None and (sitting.current != sitting.spot.item or sitting.spot.since.tzinfo is None):
            raise ValueError("the item at hand is not the first of the queue")
    except FileNotFoundError:
        return Loaded(None)
    except (OSError, ValueError, TypeError, RecursionError):
        return Loaded(None, UNREADABLE.fill(file=put_aside(path)))
    return Loaded(sitting)


def clear(path: Path) -> None:
    """Forget the sitting: it is over, or the person starts anew."""
    path.unlink(missing_ok=True)


def caught_up(log: Log, sitting: Sitting) -> Sitting:
    """Return the sitting as the log knows it: an answer whose verdict came just before a crash is not asked for again.

    Raises:
        ProgressError: The log can't be read.
    """
    spot = sitting.spot
    if spot is None:
        return sitting
    found = log.answered_since(spot.item, spot.since)
    answer = found.id if found is not None and _belongs(found, spot) else None
    return sitting.at(replace(spot, answer=answer))


def _belongs(event: Event, spot: Spot) -> bool:
    return not isinstance(event.what, DrillAnswered) or event.what.code == spot.code
