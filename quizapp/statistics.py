"""What a person's answers add up to, read from the log; what was undone is not counted. Fast with 100,000 answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from statistics import fmean
from typing import TYPE_CHECKING

from quizapp.events import Item
from quizapp.planning import CourseItem, Score, Wishes, ahead
from quizapp.scheduling import Memory, due_day, recall

if TYPE_CHECKING:
    from quizapp.progress import Log

RECENT = timedelta(days=30)
"""What counts as recent."""

Sections = Mapping[Item, str]
"""The section of each item: ``{each.item: each.section for each in course_of(bank)}``."""


@dataclass(frozen=True, slots=True)
class DayCount:
    """One study day.

    Attributes:
        day: The day.
        answers: How many answers were given.
        right: How many of them were right.
        seconds: How long they took together.
    """

    day: date
    answers: int
    right: int
    seconds: float


@dataclass(frozen=True, slots=True)
class ItemCount:
    """One drill or question.

    Attributes:
        item: The item.
        answers: How many answers were given.
        right: How many of them were right; a question was right when it was rated good or easy.
        seconds: How long they took together.
        last: The last study day.
    """

    item: Item
    answers: int
    right: int
    seconds: float
    last: date


@dataclass(frozen=True, slots=True)
class SectionDay:
    """A section on a study day."""

    section: str
    day: date
    answers: int
    right: int


@dataclass(frozen=True, slots=True)
class SectionMemory:
    """What is known of a section.

    Attributes:
        section: The section.
        items: How many questions and drills it has.
        seen: How many of them were answered at least once.
        recall: How much of the section is known now, from 0 to 1: the mean over all its items, those never seen counting 0.
    """

    section: str
    items: int
    seen: int
    recall: float


@dataclass(frozen=True, slots=True)
class MistakeCount:
    """A known mistake.

    Attributes:
        mistake: Its id, such as ``scale.by-d_k``.
        count: How often it was made.
        drill: The drill in which it was made most often: the one that cures it.
        last: The study day on which it was made last.
    """

    mistake: str
    count: int
    drill: Item
    last: date


@dataclass(frozen=True, slots=True)
class Time:
    """How long an answer to a drill took, at which level."""

    level: int
    seconds: float


@dataclass(frozen=True, slots=True)
class DueCount:
    """How many items are due on a study day."""

    day: date
    count: int


def by_day(log: Log, since: date = date.min) -> tuple[DayCount, ...]:
    """Return the study days on which something was answered, in order: a calendar.

    Raises:
        ProgressError: The log can't be read.
    """
    query = "SELECT day, count(*), sum(correct), sum(seconds) FROM answer WHERE attempt AND day >= ? GROUP BY day ORDER BY day"
    rows = log.query(query, since.isoformat())
    return tuple(DayCount(date.fromisoformat(day), answers, right, seconds) for day, answers, right, seconds in rows)


def by_item(log: Log, since: date = date.min) -> tuple[ItemCount, ...]:
    """Return how each drill and each question went.

    Raises:
        ProgressError: The log can't be read.
    """
    query = "SELECT item, count(*), sum(correct), sum(seconds), max(day) FROM answer WHERE attempt {} GROUP BY {} ORDER BY item"
    if since == date.min:
        rows = log.query(query.format("", "item"))
    else:
        # The plus keeps SQLite from going through all answers in order of their items rather than through the latest ones.
        rows = log.query(query.format("AND day >= ?", "+item"), since.isoformat())
    return tuple(
        ItemCount(Item(item), count, right, seconds, date.fromisoformat(last)) for item, count, right, seconds, last in rows
    )


def by_section_and_day(log: Log, sections: Sections, since: date = date.min) -> tuple[SectionDay, ...]:
    """Return how each section went on each study day, by day and section.

    Raises:
        ProgressError: The log can't be read.
    """
    query = "SELECT day, item, count(*), sum(correct) FROM answer WHERE attempt AND day >= ? GROUP BY day, item"
    counts: dict[tuple[str, str], tuple[int, int]] = {}
    for day, item, answers, right in log.query(query, since.isoformat()):
        section = sections.get(item)
        if section is not None:
            before = counts.get((day, section), (0, 0))
            counts[day, section] = (before[0] + answers, before[1] + right)
    return tuple(
        SectionDay(section, date.fromisoformat(day), answers, right)
        for (day, section), (answers, right) in sorted(counts.items())
    )


def recent_scores(log: Log, sections: Sections, day: date) -> dict[str, Score]:
    """Return how each section went lately; those without an answer are left out.

    Raises:
        ProgressError: The log can't be read.
    """
    return section_scores(log, sections, day - RECENT)


def section_scores(log: Log, sections: Sections, since: date = date.min) -> dict[str, Score]:
    """Return how each section went since a day; those without an answer are left out.

    Raises:
        ProgressError: The log can't be read.
    """
    scores: dict[str, Score] = {}
    for count in by_item(log, since):
        section = sections.get(count.item)
        if section is not None:
            before = scores.get(section, Score(0, 0))
            scores[section] = Score(before.right + count.right, before.answers + count.answers)
    return scores


def section_memories(memories: Iterable[Memory], course: Sequence[CourseItem], day: date) -> tuple[SectionMemory, ...]:
    """Return what is known of each section on a day, in the order of the course: a map of the chapter."""
    known = {memory.item: recall(memory.card, day) for memory in memories}
    sections: dict[str, list[Item]] = {}
    for each in course:
        sections.setdefault(each.section, []).append(each.item)
    return tuple(
        SectionMemory(section, len(items), sum(item in known for item in items), fmean(known.get(item, 0.0) for item in items))
        for section, items in sections.items()
    )


def mistakes(log: Log, limit: int = 20, since: date = date.min) -> tuple[MistakeCount, ...]:
    """Return the known mistakes made most often, each with the drill in which it was.

    Raises:
        ProgressError: The log can't be read.
    """
    query = "SELECT mistake, item, count(*), max(day) FROM answer WHERE mistake IS NOT NULL AND day >= ? GROUP BY mistake, item"
    found: dict[str, list[tuple[int, Item, date]]] = {}
    for mistake, item, count, last in log.query(query, since.isoformat()):
        found.setdefault(mistake, []).append((count, Item(item), date.fromisoformat(last)))
    counts = [
        MistakeCount(
            mistake,
            sum(count for count, _, _ in drills),
            min(drills, key=lambda drill: (-drill[0], drill[1]))[1],
            max(last for _, _, last in drills),
        )
        for mistake, drills in found.items()
    ]
    return tuple(sorted(counts, key=lambda each: (-each.count, each.mistake))[:limit])


def last_seconds(log: Log, drill: Item, limit: int) -> tuple[Time, ...]:
    """Return how long the last answers to a drill took, the latest first.

    Raises:
        ProgressError: The log can't be read.
    """
    query = "SELECT level, seconds FROM answer WHERE item = ? AND attempt ORDER BY at DESC, number DESC LIMIT ?"
    return tuple(Time(level, seconds) for level, seconds in log.query(query, drill, limit))


def forecast(memories: Iterable[Memory], wishes: Wishes, today: date, days: int = 14) -> tuple[DueCount, ...]:
    """Return how many items answered so far are due on each of the next study days; today's include what is overdue."""
    counts = dict.fromkeys((today + timedelta(days=number) for number in range(days)), 0)
    interview = ahead(wishes, today)
    for memory in memories:
        due = max(today, due_day(memory, interview))
        if due in counts:
            counts[due] += 1
    return tuple(DueCount(day, count) for day, count in counts.items())
