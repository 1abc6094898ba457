"""Dates as people type them."""

from __future__ import annotations

from datetime import date

import pytest

from question_bank.math import plain
from question_bank.text import Language, Text
from quizapp.dates import DateError, days_until, read_date, short, written

TODAY = date(2026, 11, 29)


@pytest.mark.parametrize(
    ("typed", "day"),
    [
        ("2026-12-24", (2026, 12, 24)),
        (" 2027/1/5 ", (2027, 1, 5)),
        ("2026.12.24", (2026, 12, 24)),
        ("2026年12月24日", (2026, 12, 24)),
        ("２０２６－１２－２４", (2026, 12, 24)),
        ("12-24", (2026, 12, 24)),
        ("11-28", (2027, 11, 28)),
        ("11-29", (2026, 11, 29)),
        ("2-29", (2028, 2, 29)),
        ("12月24日", (2026, 12, 24)),
        ("1月5号", (2027, 1, 5)),
        ("24.12.", (2026, 12, 24)),
        ("24.12", (2026, 12, 24)),
        ("3. 1. 2027", (2027, 1, 3)),
        ("12/24", (2026, 12, 24)),
        ("24/12", (2026, 12, 24)),
        ("12/12", (2026, 12, 12)),
        ("24/12/2026", (2026, 12, 24)),
        ("24 Dec", (2026, 12, 24)),
        ("December 24", (2026, 12, 24)),
        ("Dec. 24th, 2026", (2026, 12, 24)),
        ("in 10 days", (2026, 12, 9)),
        ("10 days", (2026, 12, 9)),
        ("in a week", (2026, 12, 6)),
        ("2 weeks from now", (2026, 12, 13)),
        ("10天后", (2026, 12, 9)),
        ("再过10天", (2026, 12, 9)),
        ("两周后", (2026, 12, 13)),
        ("3 个星期后", (2026, 12, 20)),
        ("tomorrow", (2026, 11, 30)),
        ("后天", (2026, 12, 1)),
        ("2020-01-01", (2020, 1, 1)),
    ],
)
def test_what_is_a_date(typed: str, day: tuple[int, int, int]) -> None:
    assert read_date(typed, TODAY) == date(*day)


@pytest.mark.parametrize("typed", ["", "  ", "none", "None", "-", "无", "未定"])
def test_what_is_no_date_on_purpose(typed: str) -> None:
    assert read_date(typed, TODAY) is None


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("3/4", ("4 March", "3 April", "3月4日", "4月3日")),
        ("2026-13-01", ("no such day", "没有这一天")),
        ("2026-02-30", ("no such day", "没有这一天")),
        ("30.2.", ("no such day", "没有这一天")),
        ("12", ("not read", "2026-12-24")),
        ("12-2026", ("not read", "2026-12-24")),
        ("2026-12/24", ("not read", "2026-12-24")),
        ("next week", ("not read", "in 10 days", "10天后")),
        ("10", ("not read",)),
        ("2999-01-01", ("ten years", "十年")),
        ("9999 weeks", ("ten years", "十年")),
        ("[bold]", ("not read",)),
        ("x" * 200, ("…",)),
    ],
)
def test_what_is_not_read_says_why(typed: str, said: tuple[str, ...]) -> None:
    with pytest.raises(DateError) as refused:
        read_date(typed, TODAY)
    both = refused.value.message.en + refused.value.message.zh
    assert all(each in both for each in said)
    assert all(refused.value.message[language] for language in Language)


@pytest.mark.parametrize(
    ("day", "english", "chinese"),
    [
        (date(2026, 11, 29), "today", "今天"),
        (date(2026, 11, 30), "tomorrow", "就在明天"),
        (date(2026, 12, 9), "in 10 days", "还有 10 天"),
        (date(2026, 11, 28), "1 day ago", "已过去 1 天"),
        (date(2026, 11, 19), "10 days ago", "已过去 10 天"),
    ],
)
def test_how_far_a_day_is(day: date, english: str, chinese: str) -> None:
    assert (days_until(day, TODAY).en, days_until(day, TODAY).zh) == (english, chinese)


def test_a_date_is_written_with_its_weekday() -> None:
    assert written(date(2026, 12, 24)).en == "Thursday, 24 December 2026"
    assert written(date(2026, 12, 24)).zh == "2026年12月24日，星期四"


@pytest.mark.parametrize("typed", ["$", "soon $x", "a$b$", "[red]$[/", "\\$"])
def test_what_was_typed_is_said_as_it_was_typed(typed: str) -> None:
    with pytest.raises(DateError) as caught:
        read_date(typed, TODAY)
    for language in Language:
        assert f"“{typed}”" in plain(caught.value.message[language])


@pytest.mark.parametrize(
    ("day", "english", "chinese"),
    [
        (date(2026, 12, 3), "Thu 3 Dec", "12月3日周四"),
        (date(2027, 1, 2), "Sat 2 Jan", "1月2日周六"),
        (date(2027, 11, 29), "Mon 29 Nov 2027", "2027年11月29日周一"),
    ],
)
def test_a_near_date_is_written_shortly(day: date, english: str, chinese: str) -> None:
    assert short(day, TODAY) == Text(english, chinese)
