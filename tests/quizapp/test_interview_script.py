"""What a mock interview asks: how long it is, about what, in which order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, groupby, pairwise

import pytest

from question_bank import draw, problem
from question_bank.bank import SHIPPED
from question_bank.drills import DRILLS
from question_bank.questions import Group
from quizapp.interview.script import (
    AT_THE_DESK,
    MINUTES,
    MOST_DRILL_SECONDS,
    History,
    Script,
    Step,
    drill_seconds,
    hardness,
    write_script,
)

POOL = [SHIPPED.question(number) for number in SHIPPED.numbers()]
QUESTIONS = {question.number: question for question in POOL}
EVERYTHING = tuple(Group)
RANGES = [topics for size in (1, 2, 5) for topics in combinations(Group, size)]


def scripts(topics: tuple[Group, ...], minutes: int) -> Iterator[Script]:
    for seed in ("", "1", "面试"):
        yield write_script(POOL, minutes, topics, seed)


def threads(script: Script) -> list[int]:
    return [number for number, _ in groupby(turn.number for turn in script.turns)]


@pytest.mark.parametrize("minutes", MINUTES)
@pytest.mark.parametrize("topics", RANGES, ids=lambda topics: "".join(topics))
def test_whatever_is_asked_for(topics: tuple[Group, ...], minutes: int) -> None:
    for script in scripts(topics, minutes):
        assert script == write_script(reversed(POOL), minutes, topics, script.seed)
        numbers = threads(script)
        assert {QUESTIONS[number].group for number in numbers} <= set(topics)
        if (topics, minutes) == ((Group.E,), 45):  # two questions only, with all that belongs to them
            assert 25 * 60 < script.seconds < 45 * 60
            assert len(numbers) == 2
        else:
            assert abs(script.seconds / 60 / minutes - 1) <= 0.1
        # Nothing is asked twice
        assert len(set(numbers)) == len(numbers)
        follow_ups = [(turn.number, turn.follow_up) for turn in script.turns if turn.step is Step.FOLLOW_UP]
        drills = [problem(turn.code).drill for turn in script.turns if turn.code]
        assert len(set(follow_ups)) == len(follow_ups)
        assert len(set(drills)) == len(drills)
        assert all(place is not None and place < len(QUESTIONS[number].follow_ups) for number, place in follow_ups)


@pytest.mark.parametrize("minutes", MINUTES)
def test_each_thread_goes_from_the_question_deeper_to_a_number(minutes: int) -> None:
    for script in scripts(EVERYTHING, minutes):
        for number, turns in groupby(script.turns, key=lambda turn: turn.number):
            steps = [turn.step for turn in turns]
            assert steps == sorted(steps, key=list(Step).index)
            assert Counter(steps)[Step.QUESTION] == 1
            assert set(steps) == set(Step)
            codes = [turn.code for turn in script.turns if turn.number == number and turn.code]
            assert {problem(code).drill for code in codes} <= set(QUESTIONS[number].drills)


@pytest.mark.parametrize("topics", [topics for topics in RANGES if topics != (Group.B,)], ids=lambda topics: "".join(topics))
def test_the_subject_changes_from_thread_to_thread(topics: tuple[Group, ...]) -> None:
    for minutes in MINUTES:
        for script in scripts(topics, minutes):
            for before, after in pairwise(script.turns):
                if before.number == after.number:
                    continue
                section = QUESTIONS[after.number].section
                assert QUESTIONS[before.number].section != section
                assert before.code is None or DRILLS[problem(before.code).drill].section != section


@pytest.mark.parametrize("minutes", [30, 45])
def test_it_becomes_harder(minutes: int) -> None:
    for seed in map(str, range(8)):
        script = write_script(POOL, minutes, EVERYTHING, seed)
        hard = [hardness(QUESTIONS[number]) for number in threads(script)]
        assert hard[0] == min(hard)
        assert hard[0][0] == 0  # it opens with the basics
        half = len(hard) // 2
        assert sum(rank for rank, _ in hard[:half]) <= sum(rank for rank, _ in hard[-half:])
        problems = [problem(turn.code) for turn in script.turns if turn.code]
        assert all(each.level != AT_THE_DESK for each in problems)
        assert problems[0].level == min(DRILLS[problems[0].drill].levels)
        places = [[level for level in DRILLS[each.drill].levels if level != AT_THE_DESK].index(each.level) for each in problems]
        assert min(places[-2:]) >= max(places[:1])


def test_a_seed_is_what_makes_the_difference() -> None:
    assert len({write_script(POOL, 30, EVERYTHING, str(seed)).turns for seed in range(10)}) > 8


def test_history_brings_what_was_asked_seldom_and_what_went_badly() -> None:
    first = write_script(POOL, 45, EVERYTHING, "x")
    asked = dict.fromkeys(threads(first), 1)
    second = write_script(POOL, 45, EVERYTHING, "x", History(asked))
    assert not set(threads(first)) & set(threads(second))
    fresh = next(number for number, question in QUESTIONS.items() if question.group is Group.D and number not in asked)
    with_weak = write_script(POOL, 45, EVERYTHING, "x", History(asked, frozenset({fresh})))
    assert fresh in threads(with_weak)


def test_no_topics_give_an_empty_script() -> None:
    assert write_script(POOL, 15, (), "x").turns == ()


@pytest.mark.parametrize(
    ("drill", "level", "seconds"),
    [
        ("score-entry", 1, 90),  # one number
        ("softmax-row", 1, 120),  # three numbers, 15 s for each beyond the first
        ("kv-cache-bytes", 4, 150),
    ],
)
def test_what_a_problem_takes(drill: str, level: int, seconds: int) -> None:
    assert drill_seconds(draw(drill, level, "x")) == seconds


def test_no_problem_takes_too_long() -> None:
    for minutes in MINUTES:
        for script in scripts(EVERYTHING, minutes):
            assert all(turn.seconds <= MOST_DRILL_SECONDS for turn in script.turns)
