"""What to do today: what is due, what is new, and whether that suffices for the interview. Pure functions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from math import ceil
from typing import TYPE_CHECKING

from quizapp.events import Item
from quizapp.scheduling import Memory, due_day
from quizapp.settings import Order, Settings

if TYPE_CHECKING:
    from question_bank.bank import Bank
    from quizapp.progress import Log

PRIOR = (1, 2)
"""A section counts as if one more answer of two had been right, so that one never practised stands in the middle."""

MOST_A_DAY = 50
"""More new items than this are no advice for anybody's day."""


@dataclass(frozen=True, slots=True)
class CourseItem:
    """An item that can be asked.

    Attributes:
        item: The item.
        section: The section of the course that it belongs to.
    """

    item: Item
    section: str


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a person wants of a day.

    Attributes:
        daily: How many new items a day brings at most.
        interview: The day of the interview; None where none is set. In the past, it's as if there were none.
        order: Which new items come first.
    """

    daily: int = 10
    interview: date | None = None
    order: Order = Order.COURSE

    @staticmethod
    def of(settings: Settings) -> Wishes:
        """Return what the settings say."""
        return Wishes(settings.daily, settings.interview, settings.order)


@dataclass(frozen=True, slots=True)
class Score:
    """How answers went.

    Attributes:
        right: How many were right.
        answers: How many there were.
    """

    right: int
    answers: int

    @property
    def estimate(self) -> float:
        """The share that is right, drawn towards one half where there are few answers."""
        return (self.right + PRIOR[0]) / (self.answers + PRIOR[1])


@dataclass(frozen=True, slots=True)
class Due:
    """Something to be repeated.

    Attributes:
        item: The item.
        due: Since when; brought forward to the interview, where there is one.
        level: The level at which a drill comes back; None for a question.
    """

    item: Item
    due: date
    level: int | None


@dataclass(frozen=True, slots=True)
class Pace:
    """Whether everything is seen before the interview.

    Attributes:
        days: Days left for studying, today included; none on the day of the interview.
        unseen: Items never answered.
        needed: How many new ones each day has to bring, those already begun today included.
        daily: How many it brings.
    """

    days: int
    unseen: int
    needed: int
    daily: int

    @property
    def short_by(self) -> int:
        """How many more a day it would take; none where the amount suffices."""
        return max(0, self.needed - self.daily) if self.days else self.unseen

    @property
    def is_enough(self) -> bool:
        """Tell whether everything is seen in time with this amount."""
        return self.short_by == 0

    @property
    def can_be_reached(self) -> bool:
        """Tell whether there is an amount with which everything is seen in time, and that a person could do."""
        return self.days > 0 and self.needed <= MOST_A_DAY


@dataclass(frozen=True, slots=True)
class Today:
    """What a study day brings.

    Attributes:
        day: The study day.
        due: What is to be repeated, the longest due first.
        new: New items, after those.
        begun: How many new ones were begun today already.
        unseen: All items never answered, ``new`` among them.
        pace: Whether that suffices for the interview; None without one, or after it.
        next_due: The next later day on which something is due; None where nothing is.
    """

    day: date
    due: tuple[Due, ...]
    new: tuple[Item, ...]
    begun: int
    unseen: int
    pace: Pace | None = None
    next_due: date | None = None

    @property
    def queue(self) -> tuple[Item, ...]:
        """All items of the day, in order."""
        return (*(each.item for each in self.due), *self.new)


def ahead(wishes: Wishes, day: date) -> date | None:
    """Return the interview that due days are brought forward for: on its day there is only what would be due anyway."""
    return wishes.interview if wishes.interview is not None and wishes.interview > day else None


def plan(
    memories: Iterable[Memory],
    course: Sequence[CourseItem],
    wishes: Wishes,
    day: date,
    scores: Mapping[str, Score] | None = None,
) -> Today:
    """Return what a study day brings: what is due, then new items up to the daily amount.

    Args:
        memories: What is known of the items answered so far; those that nobody can ask any more are left out.
        course: All items that can be asked, in the order of the course.
        wishes: What the person wants.
        day: The study day.
        scores: How the recent answers in each section went, for the order by weakness.
    """
    interview = ahead(wishes, day)
    known = {memory.item: memory for memory in memories}
    asked = [known[each.item] for each in course if each.item in known]
    dates = {memory.item: due_day(memory, interview) for memory in asked}
    # Of those equally long due, what was answered last comes last: it may have been a minute ago.
    asked.sort(key=lambda memory: (dates[memory.item], memory.card.day))
    due = tuple(Due(memory.item, dates[memory.item], memory.level) for memory in asked if dates[memory.item] <= day)
    unseen = [each for each in course if each.item not in known]
    if wishes.order is Order.WEAKNESS:
        unseen.sort(key=lambda each: (scores or {}).get(each.section, Score(0, 0)).estimate)
    begun = sum(memory.first == day for memory in asked)
    new = tuple(each.item for each in unseen[: max(0, wishes.daily - begun)])
    later = min((dates[memory.item] for memory in asked if dates[memory.item] > day), default=None)
    left = (wishes.interview - day).days if wishes.interview is not None else -1
    pace = _pace(len(unseen), begun, wishes.daily, left) if left >= 0 else None
    return Today(day, due, new, begun, len(unseen), pace, later)


def _pace(unseen: int, begun: int, daily: int, days: int) -> Pace:
    if days == 0 or unseen == 0:
        return Pace(days, unseen, unseen, daily)
    # Today can still bring what its amount leaves over what was begun; every other day brings the whole amount.
    needed = ceil((unseen + begun) / days)
    if needed < begun and days > 1:
        needed = ceil(unseen / (days - 1))
    return Pace(days, unseen, needed, daily)


def course_of(bank: Bank) -> tuple[CourseItem, ...]:
    """Return all items of a bank in the order of the course: section by section, its questions before its drills."""
    from question_bank.drills import DRILLS

    sections: dict[str, list[Item]] = {}
    for heading in bank.titles():
        sections.setdefault(heading.section, []).append(Item(heading.id))
    for drill in DRILLS.values():
        sections.setdefault(drill.section, []).append(Item(drill.id))
    ordered = sorted(sections, key=lambda section: tuple(int(part) for part in section.split(".")))
    return tuple(CourseItem(item, section) for section in ordered for item in sections[section])


def plan_today(log: Log, course: Sequence[CourseItem], wishes: Wishes) -> Today:
    """Return what the day brings that it is now, read from the log in one go.

    In the application: ``await keeper.ask(lambda log: plan_today(log, course, wishes))``.

    Raises:
        ProgressError: The log can't be read.
    """
    day = log.today()
    scores = None
    if wishes.order is Order.WEAKNESS:
        from quizapp.statistics import recent_scores

        scores = recent_scores(log, {each.item: each.section for each in course}, day)
    return plan(log.memories(), course, wishes, day, scores)
