"""When to ask again: FSRS over study days, and the level at which a drill comes back. Pure functions of the answers so far.

The unit is the study day, not the instant: FSRS counts the days between two reviews, and two evenings count as one day
apart, whatever the hour and whatever zone one has travelled to. What is due again on the day of its review (after *again*, or
a first answer that was *hard*) comes once more at the end of the same session.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from hashlib import blake2b
from typing import TYPE_CHECKING

from quizapp.events import Answer, DrillAnswered, Item, Rating, Reviewed
from solvers.verdict import Outcome

if TYPE_CHECKING:
    from fsrs import Scheduler

RULES = 1
"""Raise it when the same answers would give other dates or levels; kept memory is then computed anew from the log."""

_STEP = timedelta(minutes=10)

FINAL_DAYS = 7
"""The last look at everything before an interview is spread over so many days."""

SETTLED_DAYS = 3
"""What is reviewed so few days before the interview and would be due after it needs no other look before."""

IN_A_ROW = 2
"""So many good answers in a row at a level raise a drill's level; so many failures lower it."""

TYPICAL_SECONDS = {1: 30.0, 2: 120.0, 3: 240.0, 4: 120.0}
"""What a part of a drill takes at each level: in the head, on paper, with a calculator, real model sizes."""

SLOW = 2.0
"""An answer is slow that takes so many times what is typical."""

SLOW_ANSWER, SLOW_CHOICE = 300.0, 120.0
"""Seconds after which a question was answered slowly, or an option chosen: aloud two minutes will do, typing takes longer."""


@dataclass(frozen=True, slots=True)
class Card:
    """What FSRS knows of an item.

    Attributes:
        state: 1 learning, 2 review, 3 relearning.
        step: The step within learning or relearning; None in review.
        stability: Days until recall falls to 90 %.
        difficulty: From 1 to 10.
        day: The study day of the last review.
    """

    state: int
    step: int | None
    stability: float
    difficulty: float
    day: date


@dataclass(frozen=True, slots=True)
class Review:
    """One answer as memory sees it.

    Attributes:
        day: Its study day.
        rating: How it went.
        due: The due day kept with the rating; None where the answer was never rated, or by an older release.
        level: The level of a drill; None for a question.
        later: The due day it would have been without the interview; None where that changed nothing.
    """

    day: date
    rating: Rating
    due: date | None = None
    level: int | None = None
    later: date | None = None


@dataclass(frozen=True, slots=True)
class Memory:
    """What is known of an item that was answered at least once.

    Attributes:
        item: The item.
        card: What FSRS knows.
        due: The study day on which it is due; the one that was shown. ``due_day`` reckons with an interview set since.
        level: The level at which a drill comes back; None for a question.
        streak: Good answers in a row at ``streak_level``, or failures as a negative number.
        streak_level: The level of the last answer.
        first: The study day of the first answer.
        answers: How many there were.
        later: The day on which it would be due without the interview; None where that changed nothing.
    """

    item: Item
    card: Card
    due: date
    level: int | None
    streak: int
    streak_level: int | None
    first: date
    answers: int
    later: date | None = None

    def to_text(self) -> str:
        """Write it as one line of JSON."""
        card = self.card
        values = [card.state, card.step, card.stability, card.difficulty, card.day.isoformat(), self.due.isoformat()]
        later = self.later and self.later.isoformat()
        return json.dumps([*values, self.level, self.streak, self.streak_level, self.first.isoformat(), self.answers, later])

    @staticmethod
    def from_text(item: str, text: str) -> Memory:
        """Read what ``to_text`` wrote."""
        state, step, stability, difficulty, day, due, level, streak, streak_level, first, answers, later = json.loads(text)
        card = Card(state, step, stability, difficulty, date.fromisoformat(day))
        due, first = date.fromisoformat(due), date.fromisoformat(first)
        later = date.fromisoformat(later) if later else None
        return Memory(Item(item), card, due, level, streak, streak_level, first, answers, later)


@dataclass(frozen=True, slots=True)
class Choice:
    """A rating that a person can give, and what comes of it.

    Attributes:
        rating: The rating.
        due: The study day on which the item is due then.
        later: The day it would be without the interview; None where that changes nothing.
    """

    rating: Rating
    due: date
    later: date | None = None

    def reviewed(self, item: Item, answer: str) -> Reviewed:
        """Return what to keep when this rating is given to an answer, named by its event: exactly the day shown."""
        return Reviewed(item, self.rating, self.due, answer, self.later)


@cache
def _scheduler() -> Scheduler:
    from fsrs import Scheduler

    return Scheduler(learning_steps=(_STEP,), relearning_steps=(_STEP,), maximum_interval=3650, enable_fuzzing=False)


def _noon(day: date) -> datetime:
    return datetime.combine(day, time(12), UTC)


def review(card: Card | None, rating: Rating, day: date) -> tuple[Card, date]:
    """Return the card after a review, and the study day on which FSRS would ask again.

    Args:
        card: The card before; None for an item never answered.
        rating: How it went.
        day: The study day of the review.
    """
    import fsrs

    old = fsrs.Card(card_id=0, due=_noon(day))
    if card is not None:
        state = fsrs.State(card.state)
        old = fsrs.Card(0, state, card.step, card.stability, card.difficulty, _noon(day), _noon(card.day))
    new, _ = _scheduler().review_card(old, fsrs.Rating(rating.value), _noon(day))
    assert new.stability is not None
    assert new.difficulty is not None
    return Card(new.state.value, new.step, new.stability, new.difficulty, day), new.due.date()


def capped(item: Item, due: date, reviewed: date, interview: date | None) -> date:
    """Return the due day of an item, brought forward so that it doesn't pass the interview.

    What would be due later comes once more in the last days before the interview, each item on a day of its own choosing; what
    was reviewed in the very last days is due on the day of the interview itself. An interview in the past changes nothing.
    Capping twice changes nothing.

    Args:
        item: The item.
        due: When FSRS would ask again.
        reviewed: The study day of the last review.
        interview: The day of the interview; None where there is none.
    """
    if interview is None or reviewed >= interview:
        return due
    left = (interview - reviewed).days
    if left <= SETTLED_DAYS:
        return min(due, interview)
    number = int.from_bytes(blake2b(item.encode(errors="surrogatepass"), digest_size=4).digest(), "big")
    return min(due, interview - timedelta(days=1 + number % min(FINAL_DAYS, left // 2)))


def due_day(memory: Memory, interview: date | None) -> date:
    """Return when an item is due, with the interview as it is set now.

    That's the day that was shown and kept, while the interview stays where it was. When it is set afterwards, moved, taken out
    of the settings or over, the day follows.

    Args:
        memory: What is known of the item.
        interview: The day of the interview; None where there is none ahead.
    """
    return capped(memory.item, memory.later or memory.due, memory.card.day, interview)


def choices(item: Item, before: Memory | None, day: date, interview: date | None = None) -> tuple[Choice, ...]:
    """Return the four ratings, each with the due day that it leads to. What is shown and what is kept both come from here.

    Args:
        item: What was answered.
        before: What was known before the answer; None for the first.
        day: The study day of the answer.
        interview: The day of the interview.
    """
    found = []
    for rating in Rating:
        _, own = review(before.card if before else None, rating, day)
        due = capped(item, own, day, interview)
        found.append(Choice(rating, due, own if own > due else None))
    return tuple(found)


def remember(item: Item, before: Memory | None, what: Review, levels: Sequence[int] = ()) -> Memory:
    """Return what is known after one more answer.

    Args:
        item: What was answered.
        before: What was known before; None for the first answer.
        what: The answer.
        levels: The levels of the drill, ascending; empty for a question.
    """
    card, due = review(before.card if before else None, what.rating, what.day)
    if what.due is not None:
        due = what.due
    first, answers = (before.first, before.answers + 1) if before else (what.day, 1)
    if what.level is None:
        return Memory(item, card, due, None, 0, None, first, answers, what.later)
    start = min(levels, default=what.level)
    level = before.level if before and before.level is not None else start
    sign = 1 if what.rating >= Rating.GOOD else -1 if what.rating is Rating.AGAIN else 0
    streak = before.streak if before and before.streak_level == what.level and before.streak * sign > 0 else 0
    streak += sign
    if streak >= IN_A_ROW and what.level >= level:
        level = min((each for each in levels if each > what.level), default=max(levels, default=what.level))
        streak = 0
    elif streak <= -IN_A_ROW and what.level <= level:
        level = max((each for each in levels if each < what.level), default=start)
        streak = 0
    return Memory(item, card, due, level, streak, what.level, first, answers, what.later)


def recall(card: Card, day: date) -> float:
    """Return how likely it is, from 0 to 1, that an item is still known on a study day, as FSRS estimates it."""
    import fsrs

    known = fsrs.Card(0, fsrs.State(card.state), card.step, card.stability, card.difficulty, _noon(day), _noon(card.day))
    return _scheduler().get_card_retrievability(known, _noon(day))


def level_of(item: Item, memory: Memory | None) -> int | None:
    """Return the level at which an item is asked next: a drill's lowest, until it was answered; None for a question."""
    return memory.level if memory is not None else min(levels_of(item), default=None)


def levels_of(item: Item) -> tuple[int, ...]:
    """Return the levels of a drill, ascending; empty for a question, and for a drill that this release doesn't have."""
    from question_bank.drills import DRILLS

    return tuple(sorted(DRILLS[item].levels)) if item in DRILLS else ()


# Suggesting a rating


def typical_seconds(level: int, parts: int = 1) -> float:
    """Return what a drill usually takes at a level."""
    return TYPICAL_SECONDS.get(level, TYPICAL_SECONDS[4]) * max(1, parts)


def suggest(outcome: Outcome, hints: int, seconds: float, typical: float) -> Rating:
    """Suggest the rating of a drill.

    Args:
        outcome: The verdict.
        hints: How many hints were used.
        seconds: How long it took.
        typical: How long it usually takes.
    """
    if not outcome.earns_the_mark:
        return Rating.AGAIN
    if hints or outcome is Outcome.RIGHT_AFTER_SLIP or seconds > SLOW * typical:
        return Rating.HARD
    return Rating.EASY if seconds <= typical else Rating.GOOD


def suggest_question(made: int, possible: int, seconds: float = 0.0) -> Rating:
    """Suggest the rating of a question answered freely, from the share of its points that were made: one lower if slow.

    Args:
        made: How many points were made.
        possible: How many there are.
        seconds: How long it took.
    """
    share = made / possible if possible else 0.0
    rating = Rating.EASY if share >= 1 else Rating.GOOD if share >= 0.6 else Rating.HARD if share >= 0.3 else Rating.AGAIN
    # What was said in the end was not forgotten, however long it took.
    return Rating(rating - 1) if seconds > SLOW_ANSWER and rating > Rating.HARD else rating


def suggest_choice(*, right: bool, seconds: float = 0.0) -> Rating:
    """Suggest the rating of a question answered by choosing an option: never *easy*, for it may have been luck."""
    if not right:
        return Rating.AGAIN
    return Rating.HARD if seconds > SLOW_CHOICE else Rating.GOOD


def suggested(what: Answer) -> Rating:
    """Return the rating that an answer counts with until a person has rated it."""
    if isinstance(what, DrillAnswered):
        return suggest(what.outcome, what.hints, what.seconds, typical_seconds(what.level, what.possible))
    return what.rating
