"""What the progress screen and ``quizapp progress show`` tell, read from the log in one go. Fast with 100,000 answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from statistics import median
from typing import TYPE_CHECKING

from quizapp.events import Item
from quizapp.planning import CourseItem, Score, Wishes
from quizapp.progress import Practised
from quizapp.scheduling import Memory, level_of
from quizapp.statistics import (
    DayCount,
    DueCount,
    ItemCount,
    by_day,
    by_item,
    forecast,
    last_seconds,
    mistakes,
    section_memories,
)

if TYPE_CHECKING:
    from question_bank.bank import Bank
    from question_bank.text import Text
    from quizapp.progress import Log

DAYS = 14
"""Days of the forecast, and of the minutes."""

MISTAKES = 8
"""Mistakes that are listed."""

MISTAKES_SINCE = timedelta(days=90)
"""Mistakes older than this are over."""

TIMES = 8
"""Drills whose times are listed: those practised last."""

LATELY, BEFORE = 3, 3
"""The last answers to a drill, and how many there must be before them for a time to be compared with."""

LOOKED_AT = 200
"""The answers to a drill that its usual time is taken from."""


@dataclass(frozen=True, slots=True)
class SectionCount:
    """A section on the map of the chapter.

    Attributes:
        section: Its number.
        items: How many questions and drills it has.
        seen: How many of them were answered at least once.
        recall: The share of them that would be remembered today, from 0 to 1; what was never seen counts 0.
        score: How all answers to them went.
        weakest: The drill that needs practice most, one never seen standing in the middle; None where the lesson comes first,
            because nothing of the section was answered, or where it has no drill.
    """

    section: str
    items: int
    seen: int
    recall: float
    score: Score
    weakest: Practised | None


@dataclass(frozen=True, slots=True)
class MistakeMade:
    """A mistake made lately.

    Attributes:
        mistake: Its id.
        count: How often it was made.
        last: The study day on which it was made last.
        cure: The drill in which it was made most often.
    """

    mistake: str
    count: int
    last: date
    cure: Practised


@dataclass(frozen=True, slots=True)
class DrillTime:
    """How long a drill takes.

    Attributes:
        drill: The drill, at the level of its last answer.
        lately: The median of its last answers at that level, in seconds.
        usual: The median of those before.
    """

    drill: Practised
    lately: float
    usual: float

    @property
    def change(self) -> float:
        """By what share lately is longer than usual; negative where it's shorter."""
        return self.lately / self.usual - 1


@dataclass(frozen=True, slots=True)
class Overview:
    """A person's progress on a study day.

    Attributes:
        day: The study day it is.
        sections: The map of the chapter, in the order of the course.
        days: The days on which something was answered, in order.
        due: How many items are due on each of the next days, today's with what is overdue.
        mistakes: The mistakes made most often lately.
        times: What the drills practised last take.
    """

    day: date
    sections: tuple[SectionCount, ...]
    days: tuple[DayCount, ...]
    due: tuple[DueCount, ...]
    mistakes: tuple[MistakeMade, ...]
    times: tuple[DrillTime, ...]

    @property
    def total(self) -> Score:
        """How all answers went."""
        return Score(sum(day.right for day in self.days), sum(day.answers for day in self.days))

    @property
    def recall(self) -> float:
        """The share of all items that would be remembered today."""
        items = sum(each.items for each in self.sections)
        return sum(each.recall * each.items for each in self.sections) / items if items else 0.0

    def on(self, day: date) -> DayCount:
        """Return what was done on a day."""
        return next((each for each in reversed(self.days) if each.day == day), DayCount(day, 0, 0, 0.0))

    @property
    def streak(self) -> int:
        """On how many days in a row something was answered, up to today or, while today is still to come, yesterday."""
        runs = self._runs()
        return runs[-1][1] if runs and runs[-1][0] >= self.day - timedelta(days=1) else 0

    @property
    def longest(self) -> int:
        """The longest such row there ever was."""
        return max((length for _, length in self._runs()), default=0)

    def _runs(self) -> list[tuple[date, int]]:
        """Return the rows of days without a gap: the last day of each, and its length."""
        runs: list[tuple[date, int]] = []
        for each in self.days:
            if runs and each.day - runs[-1][0] == timedelta(days=1):
                runs[-1] = (each.day, runs[-1][1] + 1)
            else:
                runs.append((each.day, 1))
        return runs


def read(log: Log, course: Sequence[CourseItem], wishes: Wishes) -> Overview:
    """Read it from the log.

    In the application: ``await keeper.ask(lambda log: read(log, course, wishes))``.

    Raises:
        ProgressError: The log can't be read.
    """
    today = log.today()
    known = {each.item for each in course}
    memories = {memory.item: memory for memory in log.memories() if memory.item in known}
    counts = {count.item: count for count in by_item(log) if count.item in known}
    made = mistakes(log, limit=10 * MISTAKES, since=today - MISTAKES_SINCE)
    cured = (
        MistakeMade(each.mistake, each.count, each.last, _at(each.drill, memories)) for each in made if each.drill in known
    )
    return Overview(
        today,
        tuple(_sections(course, memories, counts, today)),
        by_day(log),
        forecast(memories.values(), wishes, today, DAYS),
        tuple(cured)[:MISTAKES],
        tuple(_times(log, counts)),
    )


def _at(drill: Item, memories: Mapping[Item, Memory]) -> Practised:
    return Practised(drill, level_of(drill, memories.get(drill)) or 1)


def _sections(
    course: Sequence[CourseItem], memories: Mapping[Item, Memory], counts: Mapping[Item, ItemCount], today: date
) -> list[SectionCount]:
    items: dict[str, list[Item]] = {}
    for each in course:
        items.setdefault(each.section, []).append(each.item)
    found = []
    for known in section_memories(memories.values(), course, today):
        scores = {
            item: Score(counts[item].right, counts[item].answers) if item in counts else Score(0, 0)
            for item in items[known.section]
        }
        total = Score(sum(score.right for score in scores.values()), sum(score.answers for score in scores.values()))
        drills = [item for item in scores if not item.is_question] if known.seen else []
        weakest = min(drills, key=lambda item: scores[item].estimate, default=None)
        target = _at(weakest, memories) if weakest is not None else None
        found.append(SectionCount(known.section, known.items, known.seen, known.recall, total, target))
    return found


def _times(log: Log, counts: Mapping[Item, ItemCount]) -> list[DrillTime]:
    """Return the times of the drills practised last that were answered often enough."""
    drills = sorted((count for count in counts.values() if not count.item.is_question), key=lambda count: count.last)
    found: list[DrillTime] = []
    for count in reversed(drills):
        if len(found) == TIMES:
            break
        if count.answers < LATELY + BEFORE:
            continue
        times = last_seconds(log, count.item, LOOKED_AT)
        level = times[0].level
        seconds = [each.seconds for each in times if each.level == level and each.seconds > 0]
        if len(seconds) >= LATELY + BEFORE:
            drill = Practised(count.item, level)
            found.append(DrillTime(drill, median(seconds[:LATELY]), median(seconds[LATELY:])))
    return found


def title_of(bank: Bank, section: str) -> Text:
    """Return what a section is called."""
    from quizapp.wording import SECTIONS

    return dict(SECTIONS).get(section) or next(each.title for each in bank.headings() if each.section == section)


def named(overview: Overview) -> tuple[Overview, Mapping[str, Text]]:
    """Return what each mistake is called, and the overview with those alone that this release knows.

    The first call loads all operations, which takes a while: do it once everything else is shown.
    """
    from quizapp.wording_progress import GENERAL
    from solvers.mistakes import sentence_of

    found = {each.mistake: GENERAL.get(each.mistake) or sentence_of(each.mistake) for each in overview.mistakes}
    sentences = {mistake: sentence for mistake, sentence in found.items() if sentence is not None}
    return replace(overview, mistakes=tuple(each for each in overview.mistakes if each.mistake in sentences)), sentences
