"""Bars, columns and the calendar, as text."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from quizapp.widgets.charts import (
    SHADES,
    Ink,
    Line,
    bar,
    bounds,
    calendar,
    columns,
    first_day,
    percent,
    shade,
    width_of,
)

MONDAY = date(2026, 11, 30)
MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()  # noqa: SIM905


def text(line: Line) -> str:
    return "".join(piece for piece, _ in line).rstrip()


@pytest.mark.parametrize(
    ("share", "drawn", "said"),
    [
        (0, "┄┄┄┄┄┄┄┄┄┄", "0%"),
        (0.001, "━┄┄┄┄┄┄┄┄┄", "1%"),
        (0.5, "━━━━━┄┄┄┄┄", "50%"),
        (0.64, "━━━━━━┄┄┄┄", "64%"),
        (0.999, "━━━━━━━━━┄", "99%"),
        (1, "━━━━━━━━━━", "100%"),
    ],
)
def test_a_share(share: float, drawn: str, said: str) -> None:
    assert text(bar(share, 10)) == drawn
    assert percent(share) == said


@pytest.mark.parametrize(
    ("counts", "starts", "shades"),
    [
        ([], (), {0: 0}),
        ([3], (3, 3, 3, 3), {0: 0, 3: 4}),
        ([0, 1, 2, 3, 4], (1, 2, 3, 4), {0: 0, 1: 1, 2: 2, 3: 3, 4: 4, 99: 4}),
        ([1, 1, 1, 9], (1, 1, 1, 9), {1: 3, 8: 3, 9: 4}),
    ],
)
def test_shades_begin_at_the_quarters_of_ones_own_days(
    counts: list[int], starts: tuple[int, ...], shades: dict[int, int]
) -> None:
    assert bounds(counts) == starts
    assert {count: shade(count, starts) for count in shades} == shades


def test_a_calendar_has_weeks_as_columns_and_ends_today() -> None:
    counts = {MONDAY: 5, MONDAY - timedelta(days=1): 120, MONDAY - timedelta(days=13): 2}
    lines = calendar(counts, MONDAY, 6, MONDAY, MONTHS)
    assert first_day(MONDAY, 6) == date(2026, 10, 26)
    assert [text(line) for line in lines] == [
        "Nov",  # it begins on the Sunday of the first week
        "·  ·  ·  ·  ·   5",
        "·  ·  ·  ▒▒ ·",
        *["·  ·  ·  ·  ·"] * 4,
        "·  ·  ·  ·  ██",
    ]
    assert (" 5", Ink.MARK) in lines[1]
    marked = calendar(counts, MONDAY, 6, MONDAY - timedelta(days=1), MONTHS)
    assert text(marked[7]) == "·  ·  ·  ·  120"
    assert text(marked[1]).endswith("▓▓")


@pytest.mark.parametrize(
    ("today", "weeks", "expected"),
    [
        (date(2026, 11, 30), 10, "Oct         Nov"),
        (date(2026, 12, 1), 6, "Nov            Dec"),
        (date(2027, 1, 4), 8, "Nov   Dec         Jan"),
        (date(2026, 11, 30), 8, "Oct   Nov"),
        (date(2026, 11, 30), 1, "Nov"),
    ],
)
def test_months_stand_above_the_week_in_which_they_begin(today: date, weeks: int, expected: str) -> None:
    assert text(calendar({}, today, weeks, today, MONTHS)[0]) == expected


def test_columns_carry_their_numbers() -> None:
    lines = columns([8, 0, 4, 1], [("Mo", "30"), ("Tu", "1"), ("We", "2"), ("Th", "3")], 2, 4)
    assert [text(line) for line in lines] == [
        " 8",
        "███",
        "███      4",
        "███     ███  1",
        "███  ·  ███ ▄▄▄",
        "Mo  Tu  We  Th",
        "30   1   2   3",
    ]
    assert (" 2 ", Ink.MARK) in lines[-1]
    assert {width_of(line) for line in lines} == {16}


def test_the_shades_differ_without_colour() -> None:
    assert len(set(SHADES)) == 5
    assert {len(each) for each in SHADES[1:]} == {2}
