from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from question_bank.bank import SHIPPED
from question_bank.drills import DRILLS
from quizapp.events import Item, Rating
from quizapp.planning import CourseItem, Due, Pace, Score, Wishes, course_of, plan
from quizapp.scheduling import Memory, Review, choices, remember
from quizapp.settings import Order

DAY = date(2026, 3, 2)


def course(size: int, sections: int = 3) -> list[CourseItem]:
    return [CourseItem(Item(f"Q{number + 1}"), f"7.{number * sections // size + 1}") for number in range(size)]


def seen(item: str, day: date, rating: Rating = Rating.GOOD) -> Memory:
    return remember(Item(item), None, Review(day, rating))


def test_due_ones_come_first_the_longest_due_before_the_others() -> None:
    memories = [
        seen("Q1", DAY, Rating.AGAIN),  # due again today
        seen("Q3", DAY - timedelta(days=3)),
        seen("Q2", DAY - timedelta(days=9)),
        seen("Q4", DAY - timedelta(days=1)),  # due tomorrow
        seen("Q99", DAY - timedelta(days=9)),  # no longer in the course
    ]
    today = plan(memories, course(8), Wishes(daily=3), DAY)
    assert today.due == (
        Due(Item("Q2"), DAY - timedelta(days=7), None),
        Due(Item("Q3"), DAY - timedelta(days=1), None),
        Due(Item("Q1"), DAY, None),
    )
    # One of three new ones was begun today already.
    assert (today.begun, today.new, today.unseen) == (1, (Item("Q5"), Item("Q6")), 4)
    assert [str(item) for item in today.queue] == ["Q2", "Q3", "Q1", "Q5", "Q6"]
    assert (today.pace, today.next_due) == (None, DAY + timedelta(days=1))


def test_nothing_left_to_do() -> None:
    today = plan([seen("Q1", DAY)], course(1), Wishes(), DAY)
    assert (today.queue, today.unseen, today.next_due) == ((), 0, DAY + timedelta(days=2))
    assert plan([], [], Wishes(), DAY).next_due is None


def test_the_weakest_section_first() -> None:
    scores = {"7.1": Score(9, 10), "7.3": Score(2, 10)}
    found = plan([], course(6), Wishes(order=Order.WEAKNESS), DAY, scores)
    assert [str(item) for item in found.new] == ["Q5", "Q6", "Q3", "Q4", "Q1", "Q2"]
    assert plan([], course(6), Wishes(order=Order.COURSE), DAY, scores).new == tuple(each.item for each in course(6))
    assert plan([], course(6), Wishes(order=Order.WEAKNESS), DAY).new == tuple(each.item for each in course(6))


@pytest.mark.parametrize(
    ("unseen", "begun", "daily", "days", "needed", "short_by"),
    [
        (100, 0, 10, 10, 10, 0),
        (101, 0, 10, 10, 11, 1),
        (100, 10, 10, 10, 11, 1),  # today's ten are used up, nine days are left
        (90, 10, 10, 10, 10, 0),
        (30, 25, 10, 4, 10, 0),  # more was begun today than any day needs
        (5, 0, 5, 1, 5, 0),
        (6, 0, 5, 1, 6, 1),
        (7, 0, 5, 0, 7, 7),  # on the day itself
        (0, 5, 0, 3, 0, 0),
        (3, 0, 0, 3, 1, 1),
    ],
)
def test_whether_the_amount_suffices(unseen: int, begun: int, daily: int, days: int, needed: int, short_by: int) -> None:
    memories = [seen(f"Q{number + 1}", DAY) for number in range(begun)]
    wishes = Wishes(daily, DAY + timedelta(days=days))
    pace = plan(memories, course(begun + unseen), wishes, DAY).pace
    assert pace == Pace(days, unseen, needed, daily)
    assert (pace.short_by, pace.is_enough) == (short_by, short_by == 0)


def test_an_interview_in_the_past_is_none() -> None:
    memories = [seen("Q1", DAY - timedelta(days=9), Rating.EASY)]
    assert plan(memories, course(3), Wishes(interview=DAY - timedelta(days=1)), DAY) == plan(memories, course(3), Wishes(), DAY)


def test_an_interview_set_later_brings_things_forward() -> None:
    memories = [seen(f"Q{number + 1}", DAY - timedelta(days=1), Rating.EASY) for number in range(20)]
    assert plan(memories, course(20), Wishes(), DAY).due == ()
    wishes = Wishes(interview=DAY + timedelta(days=5))
    for days in range(5):
        assert all(each.due < wishes.interview for each in plan(memories, course(20), wishes, DAY + timedelta(days=days)).due)
    assert len(plan(memories, course(20), wishes, DAY + timedelta(days=4)).due) == 20


def test_on_the_day_of_the_interview_only_what_would_be_due_anyway() -> None:
    """Everything had its last look in the days before; to find it all due on this morning helps nobody."""
    interview = DAY + timedelta(days=1)
    memories = []
    for number in range(20):
        item, rating = Item(f"Q{number + 1}"), Rating.EASY if number else Rating.AGAIN
        choice = next(each for each in choices(item, None, DAY, interview) if each.rating is rating)
        assert choice.due <= interview
        memories.append(remember(item, None, Review(DAY, rating, choice.due, later=choice.later)))
    wishes = Wishes(interview=interview)
    for later in (wishes, Wishes()):  # on the day, and once the date is taken out of the settings
        assert [each.item for each in plan(memories, course(20), later, interview).due] == ["Q1"]
    assert len(plan(memories, course(20), wishes, interview + timedelta(days=7)).due) == 20


def test_an_interview_that_is_put_off_moves_what_was_brought_forward() -> None:
    near, far = DAY + timedelta(days=4), DAY + timedelta(days=300)
    kept = choices(Item("Q1"), None, DAY, near)[3]
    memory = remember(Item("Q1"), None, Review(DAY, kept.rating, kept.due, later=kept.later))
    for interview, due in ((near, kept.due), (far, DAY + timedelta(days=8)), (None, DAY + timedelta(days=8))):
        assert plan([memory], course(1), Wishes(interview=interview), DAY).next_due == due


@settings(max_examples=30)
@given(
    st.integers(1, 40),
    st.integers(1, 12),
    st.integers(1, 15),
    st.sampled_from(Order),
    st.lists(st.sampled_from(Rating), min_size=1, max_size=7),
)
def test_everything_is_seen_before_the_interview_where_the_plan_says_so(
    size: int, daily: int, days: int, order: Order, ratings: list[Rating]
) -> None:
    """Do each day what it brings, and look at the day of the interview."""
    wishes = Wishes(daily, DAY + timedelta(days=days), order)
    memories: dict[Item, Memory] = {}
    promised = plan((), course(size), wishes, DAY).pace
    assert promised is not None
    for number in range(days):
        day = DAY + timedelta(days=number)
        today = plan(memories.values(), course(size), wishes, day, {"7.2": Score(1, 9)})
        assert today == plan(list(memories.values())[::-1], course(size), wishes, day, {"7.2": Score(1, 9)})
        assert today.pace is not None
        assert today.pace.is_enough == promised.is_enough
        assert len(today.new) <= daily
        for place, item in enumerate(today.queue):
            before = memories.get(item)
            shown = choices(item, before, day, wishes.interview)
            picked = next(each for each in shown if each.rating is ratings[place % len(ratings)])
            assert picked.due <= wishes.interview
            memories[item] = remember(item, before, Review(day, picked.rating, picked.due, later=picked.later))
    assert (len(memories) == size) == promised.is_enough
    assert len(memories) == min(size, daily * days)


def test_the_course_holds_everything_once_in_order() -> None:
    found = course_of(SHIPPED)
    assert len({each.item for each in found}) == len(found) == len(DRILLS) + len(SHIPPED.titles())
    numbers = [tuple(map(int, each.section.split("."))) for each in found]
    assert numbers == sorted(numbers)
    for each in found:
        if each.item.number is not None:
            assert SHIPPED.question(each.item.number).section == each.section
        else:
            assert DRILLS[each.item].section == each.section
