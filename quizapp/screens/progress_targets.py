"""What can be marked on the progress screen, and where Enter leads from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from enum import IntEnum

from question_bank.bank import SHIPPED, Bank
from question_bank.drills import DRILLS
from question_bank.text import Text
from quizapp import wording_progress as wording
from quizapp.dates import short
from quizapp.overview import DAYS, Overview
from quizapp.progress import Practised
from quizapp.screens.places import DrillPlace, LessonPlace
from quizapp.widgets.charts import first_day
from quizapp.widgets.contents import NOTHING

MOST_WEEKS = 26
"""Weeks of the calendar; fewer where the page is narrow."""


class Part(IntEnum):
    """The parts of the page, by the keys that go to them."""

    CHAPTER = 1
    DAYS = 2
    DUE = 3
    MISTAKES = 4
    TIMES = 5


@dataclass(frozen=True, slots=True)
class SectionTarget:
    """A section on the map."""

    section: str


@dataclass(frozen=True, slots=True)
class MistakeTarget:
    """A mistake."""

    mistake: str


@dataclass(frozen=True, slots=True)
class TimeTarget:
    """A drill with its times."""

    drill: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart with a day that is marked."""

    part: Part


@dataclass(frozen=True, slots=True)
class Sentence:
    """A line that leads nowhere, but can be gone to."""

    part: Part


@dataclass(frozen=True, slots=True)
class Begin:
    """The first drill, before anything was answered."""


@dataclass
class ProgressState:
    """What the screen shows.

    Attributes:
        overview: What was read.
        sentences: What the mistakes are called; None until that is known.
        bank: The questions and lessons.
        marked: The day that is marked in each chart.
        weeks: How many weeks the calendar had when it was drawn last: what can be marked.
        shown: How many days the forecast and the minutes had.
    """

    overview: Overview
    sentences: Mapping[str, Text] | None = None
    bank: Bank = SHIPPED
    marked: dict[Part, date] | None = None
    weeks: int = MOST_WEEKS
    shown: int = DAYS

    def marked_day(self, part: Part) -> date:
        """Return the marked day of a chart, which is one of those drawn."""
        first, last = self.span(part)
        return min(max((self.marked or {}).get(part, self.overview.day), first), last)

    def span(self, part: Part) -> tuple[date, date]:
        """Return the first and the last day of a chart."""
        today = self.overview.day
        if part is Part.DAYS:
            return first_day(today, self.weeks), today
        if part is Part.DUE:
            return today, today + timedelta(days=self.shown - 1)
        return today - timedelta(days=self.shown - 1), today

    def mark(self, part: Part, days: int) -> None:
        """Mark a later day of a chart, or an earlier one."""
        self.marked = {**(self.marked or {}), part: self.marked_day(part) + timedelta(days=days)}


def part_of(target: object) -> Part | None:
    """Return the part of the page that an entry stands in."""
    if isinstance(target, Chart | Sentence):
        return target.part
    kinds = {SectionTarget: Part.CHAPTER, MistakeTarget: Part.MISTAKES, TimeTarget: Part.TIMES}
    return kinds.get(type(target))


def place_of(state: ProgressState, target: object) -> DrillPlace | LessonPlace | None:
    """Return where Enter leads."""
    overview = state.overview
    if isinstance(target, SectionTarget):
        found = next(each for each in overview.sections if each.section == target.section)
        return _drill_place(found.weakest) if found.weakest is not None else LessonPlace(found.section)
    if isinstance(target, MistakeTarget):
        return _drill_place(next(each.cure for each in overview.mistakes if each.mistake == target.mistake))
    if isinstance(target, TimeTarget):
        return _drill_place(next(each.drill for each in overview.times if each.drill.drill == target.drill))
    if isinstance(target, Begin):
        first = next(iter(DRILLS.values()))
        return DrillPlace(first.id, first.levels[0])
    return None


def _drill_place(drill: Practised) -> DrillPlace:
    return DrillPlace(drill.drill, drill.level)


def footnote(state: ProgressState, target: object) -> tuple[Text, Text]:
    """Return a key and where it leads from what is marked, with more of it."""
    if isinstance(target, Chart):
        return wording.ARROWS, wording.ANOTHER_DAY
    place = place_of(state, target)
    if place is None:
        return NOTHING, NOTHING
    if isinstance(place, DrillPlace):
        leads = wording.ENTER_DRILL.fill(drill=DRILLS[place.drill].title, level=place.level)
    else:
        leads = wording.ENTER_LESSON
    more = NOTHING
    if isinstance(target, SectionTarget):
        found = next(each for each in state.overview.sections if each.section == target.section)
        more = wording.SEEN.fill(seen=found.seen, items=found.items)
    elif isinstance(target, MistakeTarget):
        made = next(each for each in state.overview.mistakes if each.mistake == target.mistake)
        more = wording.LAST_MADE.fill(day=short(made.last, state.overview.day))
    return wording.ENTER, Text(f"{leads.en} · {more.en}", f"{leads.zh} · {more.zh}") if more != NOTHING else leads
