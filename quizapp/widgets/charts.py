"""Bars, columns and a calendar, drawn with signs that differ in weight, so that they read without colour. Pure functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from enum import StrEnum

from rich.cells import cell_len


class Ink(StrEnum):
    """How a piece of a line is written, as Textual names it."""

    PLAIN = ""
    SOFT = "$ink-soft"
    STRONG = "bold"
    ACCENT = "$accent"
    RULE = "$rule"
    MARK = "$background on $accent"


Line = tuple[tuple[str, Ink], ...]
"""The pieces of a line, from left to right."""

SHADES = ("·", "░░", "▒▒", "▓▓", "██")
"""A day of the calendar: none, and four amounts."""

WEEK = timedelta(days=7)
DAY_WIDE = 3
"""Columns of a week in the calendar."""

_EIGHTHS = " ▁▂▃▄▅▆▇█"
_HEIGHT = 4


def percent(share: float) -> str:
    """Write a share; only nothing is 0%, and only all is 100%."""
    number = round(share * 100)
    return f"{min(max(number, int(share > 0)), 100 - int(share < 1))}%"


def width_of(line: Line) -> int:
    """Return the columns that a line takes."""
    return sum(cell_len(text) for text, _ in line)


def bar(share: float, width: int) -> Line:
    """Draw a share as a thick rule followed by a thin one; only nothing looks like nothing, and only all like all."""
    filled = min(max(round(share * width), int(share > 0)), width - int(share < 1))
    return ("━" * filled, Ink.ACCENT), ("┄" * (width - filled), Ink.RULE)


def columns(values: Sequence[int], labels: Sequence[tuple[str, str]], marked: int, width: int) -> list[Line]:
    """Draw amounts as columns, each with its number on top and two labels beneath.

    Args:
        values: The amounts.
        labels: What stands under each.
        marked: The place of the one that is marked; its second label shows that.
        width: Columns for each.
    """
    thick = width - 1 if width < 5 else width - 2
    most = max(max(values, default=0), 1)
    eighths = [max(1, round(value / most * _HEIGHT * 8)) if value else 0 for value in values]
    lines: list[Line] = []
    for row in range(_HEIGHT, -1, -1):
        pieces = []
        for value, height in zip(values, eighths, strict=True):
            if row == -(-height // 8):
                pieces.append((_middle(str(value) if value else "·", thick, width), Ink.PLAIN if value else Ink.SOFT))
            else:
                pieces.append((_middle(_EIGHTHS[min(8, max(0, height - 8 * row))] * thick, thick, width), Ink.ACCENT))
        lines.append(tuple(pieces))
    lines.append(tuple((_middle(label, thick, width), Ink.SOFT) for label, _ in labels))
    inks = (Ink.MARK if place == marked else Ink.SOFT for place in range(len(labels)))
    lines.append(
        tuple(piece for (_, label), ink in zip(labels, inks, strict=True) for piece in _label(label, thick, width, ink))
    )
    return lines


def _middle(text: str, thick: int, width: int) -> str:
    before = max(0, (thick - cell_len(text)) // 2)
    return " " * before + text + " " * (width - before - cell_len(text))


def _label(text: str, thick: int, width: int, ink: Ink) -> Line:
    padded = _middle(text, thick, thick)
    return (padded, ink), (" " * (width - cell_len(padded)), Ink.PLAIN)


def bounds(counts: Sequence[int]) -> tuple[int, ...]:
    """Return from which amount each shade of the calendar begins: at the quarters of a person's own days."""
    known = sorted(count for count in counts if count)
    return tuple(known[len(known) * quarter // 4] for quarter in range(4)) if known else ()


def shade(count: int, starts: Sequence[int]) -> int:
    """Return which of ``SHADES`` an amount has."""
    return sum(start <= count for start in starts) if count else 0


def first_day(today: date, weeks: int) -> date:
    """Return the Monday on which a calendar of so many weeks begins."""
    return today - timedelta(days=today.weekday()) - (weeks - 1) * WEEK


def calendar(counts: Mapping[date, int], today: date, weeks: int, marked: date, months: Sequence[str]) -> list[Line]:
    """Draw a calendar, weeks as columns: a line of months, then one for each day of the week.

    Args:
        counts: How much was done on each day.
        today: The last day that is drawn.
        weeks: How many weeks.
        marked: The day whose number is shown.
        months: What the twelve months are called.
    """
    first = first_day(today, weeks)
    starts = bounds([count for day, count in counts.items() if day >= first])
    lines: list[Line] = [((_months(first, weeks, today, months), Ink.SOFT),)]
    for weekday in range(7):
        pieces: list[tuple[str, Ink]] = []
        for week in range(weeks):
            day = first + week * WEEK + timedelta(days=weekday)
            count = counts.get(day, 0)
            if day > today:
                break
            if day == marked:
                number = f"{count:>2}"
                pieces += [(number, Ink.MARK), (" " * (DAY_WIDE - len(number)), Ink.PLAIN)]
            else:
                pieces.append((f"{SHADES[shade(count, starts)]:<{DAY_WIDE}}", Ink.ACCENT if count else Ink.RULE))
        lines.append(tuple(pieces))
    return lines


def _months(first: date, weeks: int, today: date, months: Sequence[str]) -> str:
    """Name each month above the week in which it begins; the first one only where the next leaves it room."""
    begun = [min(first + week * WEEK + timedelta(days=6), today).month for week in range(weeks)]
    line = ""
    for week, month in enumerate(begun):
        if month in begun[max(0, week - 1) : week] or month != begun[min(week + 1, weeks - 1)]:
            continue
        line += " " * (week * DAY_WIDE - cell_len(line)) + f"{months[month - 1]} "
    return line
