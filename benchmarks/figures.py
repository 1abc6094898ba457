"""What a section of the benchmarks reports, and how it is written: as text, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from textwrap import wrap

WIDTH = 120


class Unit(StrEnum):
    """What a figure is counted in; the value is what stands behind the number."""

    SECONDS = "s"
    MILLISECONDS = "ms"
    MICROSECONDS = "µs"
    RATIO = "×"
    PER_SECOND = "/s"
    PERCENT = "%"
    MEGABYTES = "MB"
    COUNT = ""


_SPACED = (Unit.SECONDS, Unit.MILLISECONDS, Unit.MICROSECONDS, Unit.PERCENT, Unit.MEGABYTES)


class Sense(StrEnum):
    """Which side of an aim is the good one."""

    AT_MOST = "at most"
    AT_LEAST = "at least"


@dataclass(frozen=True, slots=True)
class Aim:
    """What a figure is to reach.

    Attributes:
        sense: Whether the limit is the most or the least.
        limit: The limit, in the figure's unit.
    """

    sense: Sense
    limit: float

    def is_reached(self, value: float) -> bool:
        """Tell whether a value reaches it."""
        return value <= self.limit if self.sense is Sense.AT_MOST else value >= self.limit


def at_most(limit: float) -> Aim:
    """Aim at no more than this."""
    return Aim(Sense.AT_MOST, limit)


def at_least(limit: float) -> Aim:
    """Aim at no less than this."""
    return Aim(Sense.AT_LEAST, limit)


@dataclass(frozen=True, slots=True)
class Figure:
    """One number measured.

    Attributes:
        what: What was measured.
        value: What came out.
        unit: What it is counted in.
        aim: What it is to reach; None where it only explains another figure.
        note: What one should know of it.
    """

    what: str
    value: float
    unit: Unit
    aim: Aim | None = None
    note: str = ""

    @property
    def is_reached(self) -> bool | None:
        """Tell whether the aim is reached; None where there is none."""
        return None if self.aim is None else self.aim.is_reached(self.value)


@dataclass(frozen=True, slots=True)
class Table:
    """Rows beneath the figures."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Report:
    """What one section found.

    Attributes:
        title: What it looks at.
        how: How it was measured, in a sentence.
        figures: The numbers.
        tables: Details.
    """

    title: str
    how: str
    figures: tuple[Figure, ...]
    tables: tuple[Table, ...] = ()


def number(value: float, unit: Unit) -> str:
    """Write a value with three digits that mean something, and its unit."""
    size = abs(value)
    digits = 0 if size >= 100 or unit is Unit.COUNT else 1 if size >= 10 else 2 if size >= 0.1 else 3
    return f"{value:,.{digits}f}{' ' if unit in _SPACED else ''}{unit}"


def _marked(figure: Figure) -> str:
    if figure.aim is None:
        return ""
    mark = "✓ reached" if figure.is_reached else "✗ not reached"
    return f"{figure.aim.sense} {number(figure.aim.limit, figure.unit)}  {mark}"


def lines(report: Report) -> Iterator[str]:
    """Write a report for a person."""
    yield report.title
    yield from wrap(report.how, WIDTH, initial_indent="  ", subsequent_indent="  ")
    widest = max((len(figure.what) for figure in report.figures), default=0)
    for figure in report.figures:
        line = f"    {figure.what:<{widest}}  {number(figure.value, figure.unit):>11}  {_marked(figure)}".rstrip()
        yield f"{line}   ({figure.note})" if figure.note else line
    for table in report.tables:
        yield ""
        yield from _columns((table.headings, *table.rows))


def _columns(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *others in rows:
        cells = (f"{cell:>{width}}" for cell, width in zip(others, widths[1:], strict=True))
        yield f"    {first:<{widths[0]}}  {'  '.join(cells)}".rstrip()


def as_json(report: Report) -> dict[str, object]:
    """Write a report for a program."""
    return {
        "title": report.title,
        "how": report.how,
        "figures": [
            {
                "what": figure.what,
                "value": figure.value,
                "unit": figure.unit.value,
                "aim": None if figure.aim is None else {"sense": figure.aim.sense.value, "limit": figure.aim.limit},
                "reached": figure.is_reached,
                "note": figure.note,
            }
            for figure in report.figures
        ],
        "tables": [{"headings": list(table.headings), "rows": [list(row) for row in table.rows]} for table in report.tables],
    }
