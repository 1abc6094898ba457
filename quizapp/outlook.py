"""What Today says, read from the log in one go: what is to come and how long it takes, what was done, what went well."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from quizapp.events import Item
from quizapp.planning import CourseItem, Score, Today, Wishes, plan_today
from quizapp.scheduling import levels_of, typical_seconds
from quizapp.sitting import Sitting
from quizapp.statistics import RECENT, DayCount, by_day, by_item, forecast, recent_scores

if TYPE_CHECKING:
    from quizapp.progress import Log

QUESTION_SECONDS = 150.0
"""What an interview question takes until it is known how long it takes this person."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """The study day as it stands.

    Attributes:
        today: What it brings.
        seconds: How long that will take, about.
        done: What was answered today; None where nothing was.
    """

    today: Today
    seconds: float
    done: DayCount | None

    @property
    def minutes(self) -> int:
        """How long it will take, in whole minutes; in steps of five where it's more than ten."""
        minutes = max(1, round(self.seconds / 60))
        return minutes if minutes <= 10 else 5 * round(minutes / 5)


@dataclass(frozen=True, slots=True)
class Weakness:
    """The section that went worst lately."""

    section: str
    score: Score


@dataclass(frozen=True, slots=True)
class Closing:
    """What a session came to.

    Attributes:
        items: How many items were dealt with.
        first: How many of them were right the first time.
        seconds: How long it took.
        due: How many items are due tomorrow.
        new: How many new ones tomorrow brings at most.
        weakest: The weakest section among those of the session; None where everything went well.
    """

    items: int
    first: int
    seconds: float
    due: int
    new: int
    weakest: Weakness | None


def look(log: Log, course: Sequence[CourseItem], wishes: Wishes) -> Outlook:
    """Return how the study day stands that it is now.

    Raises:
        ProgressError: The log can't be read.
    """
    today = plan_today(log, course, wishes)
    counts = by_item(log, today.day - RECENT) if today.queue else ()
    usual = {count.item: count.seconds / count.answers for count in counts if count.seconds}
    levels = {due.item: due.level for due in today.due}
    seconds = sum(usual.get(item) or _seconds(item, levels) for item in today.queue)
    return Outlook(today, seconds, next(iter(by_day(log, today.day)), None))


def _seconds(item: Item, levels: Mapping[Item, int | None]) -> float:
    if item.is_question:
        return QUESTION_SECONDS
    return typical_seconds(levels.get(item) or min(levels_of(item), default=1))


def close(log: Log, course: Sequence[CourseItem], wishes: Wishes, sitting: Sitting) -> Closing:
    """Return what a session came to.

    Raises:
        ProgressError: The log can't be read.
    """
    answers = [done.spot.answer for done in sitting.done if done.spot.answer is not None]
    marks = ", ".join("?" * len(answers))
    right = dict(log.query(f"SELECT id, correct FROM answer WHERE id IN ({marks})", *answers))
    firsts: dict[Item, bool] = {}
    for done in sitting.done:
        firsts.setdefault(done.spot.item, bool(right.get(done.spot.answer)))
    sections = {each.item: each.section for each in course}
    touched = {sections[item] for item in firsts if item in sections}
    scores = {section: score for section, score in recent_scores(log, sections, sitting.day).items() if section in touched}
    worst = min(scores, key=lambda section: scores[section].estimate, default=None)
    weakest = None
    if worst is not None and scores[worst].right < scores[worst].answers:
        weakest = Weakness(worst, scores[worst])
    day = log.today()
    known = {each.item for each in course}
    memories = [memory for memory in log.memories() if memory.item in known]
    tomorrow = forecast(memories, wishes, day, days=2)[1]
    unseen = len(known) - len(memories)
    return Closing(
        len(firsts),
        sum(firsts.values()),
        sum(done.spot.seconds for done in sitting.done),
        tomorrow.count,
        min(wishes.daily, unseen),
        weakest,
    )
