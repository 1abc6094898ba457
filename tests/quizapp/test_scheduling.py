from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

import fsrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizapp.events import DrillAnswered, Item, QuestionRated, Rating
from quizapp.scheduling import (
    Card,
    Memory,
    Review,
    capped,
    choices,
    due_day,
    level_of,
    levels_of,
    recall,
    remember,
    review,
    suggest,
    suggest_choice,
    suggest_question,
    suggested,
    typical_seconds,
)
from solvers.verdict import Outcome

DAY = date(2026, 3, 2)
Q7 = Item("Q7")
AGAIN, HARD, GOOD, EASY = Rating

ratings = st.sampled_from(Rating)
days = st.dates(date(2020, 1, 1), date(2040, 1, 1))


def fold(item: Item, history: Sequence[tuple[int, Rating]], levels: Sequence[int] = (), start: date = DAY) -> Memory:
    """Answer once a day."""
    memory = None
    for number, (level, rating) in enumerate(history):
        what = Review(start + timedelta(days=number), rating, level=level if levels else None)
        memory = remember(item, memory, what, levels)
    assert memory is not None
    return memory


@pytest.mark.parametrize(
    ("given_ratings", "days_on"),
    [
        # A first answer: the initial stabilities of FSRS-6 are 0.21, 1.29, 2.31 and 8.30 days; the first two are in learning.
        ([AGAIN], [0]),
        ([HARD], [0]),
        ([GOOD], [2]),
        ([EASY], [8]),
        # When due, again and again: intervals grow; a lapse brings it back on the same day, and then soon.
        ([GOOD, GOOD, GOOD, GOOD], [2, 11, 46, 163]),
        ([GOOD, GOOD, AGAIN, GOOD], [2, 11, 0, 2]),
        ([EASY, HARD], [8, 27]),
    ],
)
def test_the_days_that_fsrs_gives(given_ratings: list[Rating], days_on: list[int]) -> None:
    """A change here means other dates for the same answers: then RULES has to be raised."""
    memory, day, found = None, DAY, []
    for rating in given_ratings:
        memory = remember(Q7, memory, Review(day, rating))
        found.append((memory.due - day).days)
        day = memory.due
    assert found == days_on


@given(st.lists(st.tuples(st.integers(0, 40), ratings), min_size=1, max_size=8))
def test_it_is_fsrs_with_one_step_and_no_fuzz(history: list[tuple[int, Rating]]) -> None:
    from datetime import UTC, datetime

    scheduler = fsrs.Scheduler(
        learning_steps=[timedelta(minutes=10)], relearning_steps=[timedelta(minutes=10)], enable_fuzzing=False
    )
    theirs = fsrs.Card(card_id=1)
    ours: Card | None = None
    moment = datetime(2026, 3, 2, 9, tzinfo=UTC)
    for pause, rating in history:
        moment += timedelta(days=pause)
        theirs, _ = scheduler.review_card(theirs, fsrs.Rating(rating.value), moment)
        ours, due = review(ours, rating, moment.date())
        assert due == min(theirs.due.date(), moment.date() + timedelta(days=3650))
        assert (ours.stability, ours.difficulty, ours.state) == (theirs.stability, theirs.difficulty, theirs.state.value)


def test_two_evenings_are_a_day_apart_whatever_the_hour() -> None:
    """FSRS by itself would take 22:00 and 20:00 on the next day for one and the same day."""
    card, _ = review(None, GOOD, DAY)
    same_day, _ = review(card, GOOD, DAY)
    next_day, _ = review(card, GOOD, DAY + timedelta(days=1))
    assert next_day.stability > same_day.stability


def test_a_day_that_goes_back_counts_as_the_same_day() -> None:
    """From UTC+14 to UTC-11 the calendar goes back by a day."""
    card, _ = review(None, GOOD, DAY)
    assert review(card, GOOD, DAY - timedelta(days=1))[0].stability == review(card, GOOD, DAY)[0].stability


@given(st.lists(ratings, max_size=5))
def test_a_better_rating_is_never_due_earlier(history: list[Rating]) -> None:
    memory = fold(Q7, [(0, rating) for rating in history]) if history else None
    dues = [choice.due for choice in choices(Q7, memory, DAY + timedelta(days=9))]
    assert dues == sorted(dues)


@given(st.lists(ratings, max_size=5), st.integers(0, 60), st.none() | st.integers(-5, 60))
def test_the_date_shown_is_the_date_kept(history: list[Rating], pause: int, interview: int | None) -> None:
    memory = fold(Q7, [(0, rating) for rating in history]) if history else None
    day = DAY + timedelta(days=len(history) + pause)
    held = None if interview is None else day + timedelta(days=interview)
    for choice in choices(Q7, memory, day, held):
        assert remember(Q7, memory, Review(day, choice.rating, choice.due)).due == choice.due


# The interview


@given(st.lists(ratings, min_size=1, max_size=5), st.integers(0, 60), st.none() | st.integers(-5, 60))
def test_the_date_kept_is_the_date_planned(history: list[Rating], pause: int, interview: int | None) -> None:
    before = fold(Q7, [(0, rating) for rating in history])
    day = DAY + timedelta(days=len(history) + pause)
    held = None if interview is None else day + timedelta(days=interview)
    for choice in choices(Q7, before, day, held):
        kept = remember(Q7, before, Review(day, choice.rating, choice.due, later=choice.later))
        assert due_day(kept, held) == choice.due
        assert due_day(kept, None) == remember(Q7, before, Review(day, choice.rating)).due
    # Shown before the end of a study day, answered after it.
    shown = choices(Q7, before, day)[2]
    assert due_day(remember(Q7, before, Review(day + timedelta(days=1), shown.rating, shown.due)), None) == shown.due


@given(st.text(max_size=5), st.integers(0, 400), st.integers(0, 400))
def test_no_due_day_passes_the_interview(name: str, interval: int, left: int) -> None:
    item, interview = Item(name), DAY + timedelta(days=left)
    due = DAY + timedelta(days=interval)
    found = capped(item, due, DAY, interview)
    assert found <= due
    if left:
        assert found <= interview
    if left > 3:
        assert found < interview  # everything is seen once more before
    if interval:
        assert found > DAY  # and not at once
    assert capped(item, found, DAY, interview) == found


def test_the_last_look_is_spread_over_the_last_days() -> None:
    interview = DAY + timedelta(days=30)
    dues = [capped(Item(f"Q{number}"), DAY + timedelta(days=90), DAY, interview) for number in range(1, 141)]
    assert {(interview - due).days for due in dues} == set(range(1, 8))
    assert max(map(dues.count, dues)) < 40


@pytest.mark.parametrize(
    ("interview", "left"), [(None, 90), (DAY, 90), (DAY - timedelta(days=1), 90), (DAY + timedelta(days=2), 2)]
)
def test_an_interview_that_is_past_or_very_near(interview: date | None, left: int) -> None:
    assert capped(Q7, DAY + timedelta(days=90), DAY, interview) == DAY + timedelta(days=left)


# Levels


@pytest.mark.parametrize(
    ("history", "level"),
    [
        ([(1, GOOD)], 1),
        ([(1, GOOD), (1, GOOD)], 2),
        ([(1, GOOD), (1, EASY), (2, GOOD), (2, EASY)], 4),
        ([(1, GOOD), (1, GOOD), (2, GOOD), (2, GOOD), (4, EASY), (4, EASY)], 4),
        ([(1, GOOD), (1, HARD), (1, GOOD)], 1),
        ([(1, GOOD), (1, AGAIN), (1, GOOD), (1, GOOD)], 2),
        ([(1, AGAIN), (1, AGAIN), (1, AGAIN)], 1),
        ([(1, GOOD), (1, GOOD), (2, AGAIN)], 2),
        ([(1, GOOD), (1, GOOD), (2, AGAIN), (2, AGAIN)], 1),
        ([(1, GOOD), (1, GOOD), (2, AGAIN), (2, HARD), (2, AGAIN)], 2),
        # Of a person's own accord at another level: good answers above count, and so do failures below; the rest doesn't.
        ([(4, GOOD), (4, GOOD)], 4),
        ([(2, GOOD), (2, GOOD)], 4),
        ([(4, AGAIN), (4, AGAIN)], 1),
        ([(2, GOOD), (2, GOOD), (1, GOOD), (1, GOOD)], 4),
        ([(2, GOOD), (2, GOOD), (2, AGAIN), (2, AGAIN)], 1),
        ([(1, GOOD), (2, GOOD)], 1),
    ],
)
def test_the_level_follows_the_answers(history: list[tuple[int, Rating]], level: int) -> None:
    """Of a drill with levels 1, 2 and 4."""
    assert fold(Item("scale-row"), history, (1, 2, 4)).level == level


@given(st.lists(st.tuples(st.sampled_from((2, 3, 4)), ratings), min_size=1, max_size=30))
def test_the_level_is_one_that_the_drill_has(history: list[tuple[int, Rating]]) -> None:
    levels = [fold(Item("x"), history[: end + 1], (2, 3, 4)).level for end in range(len(history))]
    assert set(levels) <= {2, 3, 4}
    if history[0] == (2, GOOD) and len(history) == 1:
        assert levels == [2]


def test_a_question_has_no_level() -> None:
    assert fold(Q7, [(0, GOOD)]).level is None
    assert levels_of(Q7) == ()
    assert levels_of(Item("softmax-row"))[0] == 1
    assert levels_of(Item("no-such-drill")) == ()


@given(st.lists(st.tuples(st.sampled_from((1, 2)), ratings), min_size=1, max_size=9), days)
def test_memory_is_read_back_exactly(history: list[tuple[int, Rating]], start: date) -> None:
    memory = fold(Item("softmax-row"), history, (1, 2), start)
    assert Memory.from_text("softmax-row", memory.to_text()) == memory


def test_recall_falls_to_nine_tenths_when_it_is_due() -> None:
    memory = fold(Q7, [(0, EASY)])
    shares = [recall(memory.card, DAY + timedelta(days=days)) for days in (0, 4, 8, 9, 60)]
    assert shares == sorted(shares, reverse=True)
    assert shares[0] == 1
    assert shares[2] > 0.9 > shares[3]


def test_a_drill_starts_at_its_lowest_level() -> None:
    assert level_of(Item("softmax-row"), None) == 1
    assert level_of(Item("softmax-row"), fold(Item("softmax-row"), [(1, GOOD), (1, GOOD)], (1, 2, 3))) == 2
    assert level_of(Q7, None) is None


# Suggesting


@pytest.mark.parametrize(
    ("outcome", "hints", "seconds", "rating"),
    [
        (Outcome.RIGHT, 0, 20, EASY),
        (Outcome.RIGHT, 0, 30, EASY),
        (Outcome.RIGHT, 0, 31, GOOD),
        (Outcome.RIGHT, 0, 60, GOOD),
        (Outcome.RIGHT, 0, 61, HARD),
        (Outcome.RIGHT, 1, 5, HARD),
        (Outcome.RIGHT_AFTER_SLIP, 0, 5, HARD),
        (Outcome.KNOWN_MISTAKE, 0, 5, AGAIN),
        (Outcome.WRONG, 0, 5, AGAIN),
        (Outcome.GIVEN_UP, 0, 5, AGAIN),
    ],
)
def test_a_rating_is_suggested_for_a_drill(outcome: Outcome, hints: int, seconds: float, rating: Rating) -> None:
    assert suggest(outcome, hints, seconds, 30) is rating
    answer = DrillAnswered("x.1.a", "x", 1, ("1",), outcome, None, 1, 1, seconds, hints)
    assert suggested(answer) is rating


def test_more_parts_take_longer() -> None:
    assert typical_seconds(2, 3) == 3 * typical_seconds(2)
    assert typical_seconds(9) == typical_seconds(4)
    assert suggested(DrillAnswered("x.1.a", "x", 1, ("1",) * 3, Outcome.RIGHT, None, 3, 3, 85)) is EASY


@pytest.mark.parametrize(
    ("made", "possible", "rating"),
    [(5, 5, EASY), (4, 5, GOOD), (3, 5, GOOD), (2, 5, HARD), (1, 3, HARD), (1, 5, AGAIN), (0, 4, AGAIN), (0, 0, AGAIN)],
)
def test_a_rating_is_suggested_for_a_question(made: int, possible: int, rating: Rating) -> None:
    assert suggest_question(made, possible) is rating


@pytest.mark.parametrize(("made", "rating"), [(5, GOOD), (3, HARD), (2, HARD), (1, AGAIN)])
def test_a_slow_answer_is_suggested_one_lower_but_never_forgotten(made: int, rating: Rating) -> None:
    assert suggest_question(made, 5, 301.0) is rating
    assert suggest_question(made, 5, 300.0) is suggest_question(made, 5)


def test_a_rating_is_suggested_for_a_choice() -> None:
    assert suggest_choice(right=True, seconds=121.0) is HARD
    assert suggest_choice(right=False, seconds=121.0) is AGAIN
    assert (suggest_choice(right=True), suggest_choice(right=False)) == (GOOD, AGAIN)
    assert suggested(QuestionRated(7, HARD)) is HARD
