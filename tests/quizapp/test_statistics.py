from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

import pytest

from quizapp.events import DrillAnswered, Event, InterviewHeld, Item, QuestionRated, Rating, item_of, stamp
from quizapp.planning import CourseItem, Score, Wishes, plan_today
from quizapp.progress import Log
from quizapp.settings import Order
from quizapp.statistics import (
    DayCount,
    DueCount,
    ItemCount,
    MistakeCount,
    SectionDay,
    by_day,
    by_item,
    by_section_and_day,
    forecast,
    mistakes,
    recent_scores,
    section_memories,
    section_scores,
)
from solvers.verdict import Outcome

FIRST = datetime(2026, 3, 2, 12, tzinfo=UTC)
DAY = FIRST.date()
SECTIONS = {Item("softmax-row"): "7.10", Item("scale-row"): "7.9", Item("Q7"): "7.9"}


def drill(name: str, outcome: Outcome, seconds: float = 10.0, mistake: str | None = None) -> DrillAnswered:
    return DrillAnswered(f"{name}.1.a", name, 1, ("1",), outcome, mistake, 0, 1, seconds)


def on(day: int, what: DrillAnswered | QuestionRated) -> Event:
    return stamp(what, FIRST + timedelta(days=day))


@pytest.fixture
def log() -> Iterator[Log]:
    with Log(None, lambda: FIRST + timedelta(days=9)) as opened:
        opened.merge(
            [
                on(0, drill("softmax-row", Outcome.RIGHT)),
                on(0, drill("softmax-row", Outcome.KNOWN_MISTAKE, 20, "softmax.over-queries")),
                on(0, drill("scale-row", Outcome.KNOWN_MISTAKE, 30, "scale.by-d_k")),
                on(1, drill("scale-row", Outcome.COARSE, 40)),  # no attempt
                on(1, QuestionRated(7, Rating.HARD, seconds=60)),
                on(1, QuestionRated(7, Rating.GOOD)),
                on(3, drill("softmax-row", Outcome.KNOWN_MISTAKE, 5, "scale.by-d_k")),
                on(3, drill("softmax-row", Outcome.KNOWN_MISTAKE, 5, "scale.by-d_k")),
                on(3, drill("gone", Outcome.RIGHT, 5)),  # of no section
            ]
        )
        opened.record(InterviewHeld(FIRST, 30, "{}"))
        undone = opened.record(drill("leak", Outcome.KNOWN_MISTAKE, mistake="scale.by-d_k"))
        opened.undo(undone.id)
        yield opened


def test_days(log: Log) -> None:
    expected = (
        DayCount(DAY, 3, 1, 60.0),
        DayCount(DAY + timedelta(days=1), 2, 1, 60.0),
        DayCount(DAY + timedelta(days=3), 3, 1, 15.0),
    )
    assert by_day(log) == expected
    assert by_day(log, DAY + timedelta(days=1)) == expected[1:]


def test_items(log: Log) -> None:
    found = {count.item: count for count in by_item(log)}
    assert list(found) == ["Q7", "gone", "scale-row", "softmax-row"]
    assert found[Item("softmax-row")] == ItemCount(Item("softmax-row"), 4, 1, 40.0, DAY + timedelta(days=3))
    assert found[Item("Q7")] == ItemCount(Item("Q7"), 2, 1, 60.0, DAY + timedelta(days=1))
    assert found[Item("scale-row")].answers == 1
    later = {count.item: count for count in by_item(log, DAY + timedelta(days=1))}
    assert (later[Item("softmax-row")].answers, list(later)) == (2, ["Q7", "gone", "softmax-row"])


def test_a_question_counts_as_its_last_rating_says(log: Log) -> None:
    event = log.last_answer()
    assert event is not None
    event = log.record(QuestionRated(8, Rating.GOOD))
    assert next(count.right for count in by_item(log) if count.item == "Q8") == 1
    log.rate(event.id, Rating.AGAIN)
    assert next(count.right for count in by_item(log) if count.item == "Q8") == 0


def test_sections_over_time(log: Log) -> None:
    assert by_section_and_day(log, SECTIONS) == (
        SectionDay("7.10", DAY, 2, 1),
        SectionDay("7.9", DAY, 1, 0),
        SectionDay("7.9", DAY + timedelta(days=1), 2, 1),
        SectionDay("7.10", DAY + timedelta(days=3), 2, 0),
    )
    assert section_scores(log, SECTIONS) == {"7.10": Score(1, 4), "7.9": Score(1, 3)}
    assert recent_scores(log, SECTIONS, DAY + timedelta(days=31)) == {"7.10": Score(0, 2), "7.9": Score(1, 2)}
    assert recent_scores(log, SECTIONS, DAY + timedelta(days=90)) == {}


def test_mistakes_with_the_drill_that_cures_each(log: Log) -> None:
    expected = (
        MistakeCount("scale.by-d_k", 3, Item("softmax-row"), DAY + timedelta(days=3)),
        MistakeCount("softmax.over-queries", 1, Item("softmax-row"), DAY),
    )
    assert mistakes(log) == expected
    assert mistakes(log, 1) == expected[:1]
    assert mistakes(log, since=DAY + timedelta(days=4)) == ()


def test_forecast(log: Log) -> None:
    memories = log.memories()
    days = forecast(memories, Wishes(), DAY + timedelta(days=4), 3)
    assert [each.day for each in days] == [DAY + timedelta(days=number) for number in (4, 5, 6)]
    overdue = sum(memory.due <= DAY + timedelta(days=4) for memory in memories)
    assert days[0] == DueCount(DAY + timedelta(days=4), overdue)
    assert overdue == 3
    near = forecast(memories, Wishes(interview=DAY + timedelta(days=8)), DAY + timedelta(days=4), 5)
    assert sum(each.count for each in near) == len(memories)  # everything once more by then


def test_a_map_of_the_chapter(log: Log) -> None:
    course = [CourseItem(Item("new"), "7.1"), CourseItem(Item("newer"), "7.10")]
    course += [CourseItem(item, section) for item, section in SECTIONS.items()]
    day = DAY + timedelta(days=3)
    found = section_memories(log.memories(), course, day)
    assert [(each.section, each.items, each.seen) for each in found] == [("7.1", 1, 0), ("7.10", 2, 1), ("7.9", 2, 2)]
    assert found[0].recall == 0
    assert found[1].recall == 0.5  # answered on that very day, beside one never seen
    assert 0.5 < found[2].recall < 1
    later = section_memories(log.memories(), course, day + timedelta(days=30))
    assert 0 < later[2].recall < found[2].recall


def test_nobody_takes_a_night_for_an_answer() -> None:
    with Log(None) as log:
        log.merge([on(0, drill("softmax-row", Outcome.RIGHT, 40_000)), on(0, drill("softmax-row", Outcome.RIGHT, -5))])
        assert by_day(log) == (DayCount(DAY, 2, 2, 1800.0),)


def test_the_weakest_section_is_planned_first(log: Log) -> None:
    course = [CourseItem(Item(name), section) for name, section in (("a", "7.1"), ("b", "7.9"), ("c", "7.10"), ("d", "7.10"))]
    course += [CourseItem(item, section) for item, section in SECTIONS.items()]
    assert plan_today(log, course, Wishes(order=Order.WEAKNESS)).new == ("c", "d", "b", "a")
    assert plan_today(log, course, Wishes()).new == ("a", "b", "c", "d")


def test_many_answers_are_counted_as_by_hand() -> None:
    """A second route: the same sums, straight from the events."""
    chance = random.Random(5)
    events = [
        stamp(
            drill(chance.choice(("softmax-row", "scale-row")), chance.choice(list(Outcome)), chance.randrange(90))
            if chance.random() < 0.7
            else QuestionRated(7, chance.choice(list(Rating))),
            FIRST + timedelta(hours=number * 5),
        )
        for number in range(400)
    ]
    expected_days: Counter[date] = Counter()
    expected_right: Counter[str] = Counter()
    for event in events:
        what = event.what
        assert isinstance(what, DrillAnswered | QuestionRated)
        right = what.outcome.earns_the_mark if isinstance(what, DrillAnswered) else what.rating >= Rating.GOOD
        if not isinstance(what, DrillAnswered) or what.outcome.spends_an_attempt:
            expected_days[event.study_day] += 1
            expected_right[item_of(what)] += right
    with Log(None) as log:
        log.merge(events)
        assert {count.day: count.answers for count in by_day(log)} == expected_days
        assert {count.item: count.right for count in by_item(log)} == expected_right
        per_section = by_section_and_day(log, SECTIONS)
        assert sum(each.answers for each in per_section) == sum(expected_days.values())
