"""Curves and planes in cells of dots, in the theme's inks; every curve has a sign of its own, so that none needs colour.

(plotext rounds dots and signs to different cells, so that a point of a curve may lie beside it, and it counts a Chinese
character as one column. A picture has few lines here: a point has to be where its curve is.)
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from textual.content import Content

LINE = "line"
"""A thin line of dots, in place of a sign."""

CURVE, POINT, RULE, SOFT = "$accent", "bold $foreground", "$rule", "$ink-soft"
DOT = "·"
"""The sign of an axis that runs through a plane."""

STRUNG = "×○"
"""Signs of a curve of many points, of which so many columns stand apart."""
APART = 3

_BLANK = 0x2800
_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""The bit of each dot in a braille character, by line and column."""


@dataclass(frozen=True, slots=True)
class Curve:
    """Points of a plane.

    Attributes:
        xs: Where they are, across.
        ys: Where they are, upward; what is no finite number is left out.
        mark: ``LINE``, which joins them, or the sign for each.
    """

    xs: Sequence[float]
    ys: Sequence[float]
    mark: str = LINE


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis.

    Attributes:
        least: Where it begins.
        most: Where it ends.
        ticks: Places that are named, and their names; without any, the axis is not drawn.
    """

    least: float
    most: float
    ticks: tuple[tuple[float, str], ...] = ()

    def share(self, at: float) -> float:
        """Return where a place lies, from 0 at the beginning to 1 at the end."""
        return (at - self.least) / (self.most - self.least)


@dataclass(frozen=True, slots=True)
class Name:
    """A name whose middle is put at a place: narrow signs alone."""

    x: float
    y: float
    text: str


class _Canvas:
    """Cells of two columns and four lines of dots."""

    def __init__(self, across: Axis, upward: Axis, width: int, height: int) -> None:
        self._across, self._upward = across, upward
        self.width, self.height = width, height
        self.cells: list[list[tuple[str, str]]] = [[(" ", "") for _ in range(width)] for _ in range(height)]

    def dot(self, x: float, y: float) -> tuple[int, int]:
        """Return column and line of a place among the dots, from the upper left corner."""
        return (
            round(self._across.share(x) * (2 * self.width - 1)),
            round((1 - self._upward.share(y)) * (4 * self.height - 1)),
        )

    def draw(self, curve: Curve) -> None:
        """Draw a curve over what is there."""
        points = list(zip(curve.xs, curve.ys, strict=True))
        known = [math.isfinite(x) and math.isfinite(y) for x, y in points]
        last = (-APART, -1)
        for at, (x, y) in enumerate(points):
            if not known[at]:
                continue
            if curve.mark != LINE:
                column, line = (place // size for place, size in zip(self.dot(x, y), (2, 4), strict=True))
                if curve.mark not in STRUNG or abs(column - last[0]) >= APART or line != last[1]:
                    self.put(column, line, curve.mark, RULE if curve.mark == DOT else POINT)
                    last = (column, line)
            elif at + 1 < len(points) and known[at + 1]:
                self._join(self.dot(x, y), self.dot(*points[at + 1]))

    def put(self, column: int, line: int, sign: str, ink: str) -> None:
        """Put a sign into a cell, if there is such a cell."""
        if 0 <= column < self.width and 0 <= line < self.height:
            self.cells[line][column] = (sign, ink)

    def _join(self, one: tuple[int, int], other: tuple[int, int]) -> None:
        steps = max(abs(other[0] - one[0]), abs(other[1] - one[1]), 1)
        for step in range(min(steps, 4 * (self.width + self.height)) + 1):
            column = round(one[0] + (other[0] - one[0]) * step / steps)
            line = round(one[1] + (other[1] - one[1]) * step / steps)
            if 0 <= column < 2 * self.width and 0 <= line < 4 * self.height:
                there = self.cells[line // 4][column // 2][0]
                bits = ord(there) if ord(there) >= _BLANK else _BLANK
                self.cells[line // 4][column // 2] = (chr(bits | _DOTS[line % 4][column % 2]), CURVE)


def plot(curves: Iterable[Curve], across: Axis, upward: Axis, width: int, height: int, names: Sequence[Name] = ()) -> Content:
    """Draw curves in so many columns and lines, axes included; later curves lie over earlier ones."""
    side = max((cell_len(text) for _, text in upward.ticks), default=-1) + 1
    canvas = _Canvas(across, upward, max(2, width - side), max(2, height - 2 * bool(across.ticks)))
    for curve in curves:
        canvas.draw(curve)
    for name in names:
        column, line = canvas.dot(name.x, name.y)
        for at, sign in enumerate(name.text):
            canvas.put(column // 2 - len(name.text) // 2 + at, line // 4, sign, POINT)
    at_line = {canvas.dot(across.least, at)[1] // 4: text for at, text in upward.ticks}
    lines = []
    for number, row in enumerate(canvas.cells):
        text = at_line.get(number, "")
        edge = [(text.rjust(side - 1), SOFT), ("┤" if text else "│", RULE)] if side else []
        lines.append(Content.assemble(*edge, *row))
    if across.ticks:
        lines += _foot(canvas, across, upward, side)
    return Content("\n").join(lines)


def _foot(canvas: _Canvas, across: Axis, upward: Axis, side: int) -> list[Content]:
    """Draw the axis beneath, and the names of its ticks as far as they have room."""
    rule, names, free = ["─"] * canvas.width, [" "] * (canvas.width + side), 0
    for at, text in across.ticks:
        column = canvas.dot(at, upward.least)[0] // 2
        start = min(max(0, side + column - len(text) // 2), len(names) - len(text))
        if start >= free:
            rule[column] = "┬"
            names[start : start + len(text)] = text
            free = start + len(text) + 1
    corner = " " * (side - 1) + "└" if side else ""
    return [Content.styled(corner + "".join(rule), RULE), Content.styled("".join(names).rstrip(), SOFT)]


def key(parts: Sequence[tuple[str, str]], width: int) -> Content:
    """Say which sign is which curve: signs and what they stand for, in as many lines as that takes."""
    lines: list[list[tuple[str, str]]] = [[]]
    taken = 0
    for mark, text in parts:
        sign = "⠒⠒" if mark == LINE else mark
        wide = cell_len(sign) + 1 + cell_len(text)
        if lines[-1] and taken + 3 + wide > width:
            lines.append([])
            taken = 0
        if lines[-1]:
            lines[-1].append(("   ", ""))
            taken += 3
        lines[-1] += [(sign, CURVE if mark == LINE else POINT), (f" {text}", SOFT)]
        taken += wide
    return Content("\n").join(Content.assemble(*line) for line in lines)


def beside(left: Content, right: Content, column: int) -> Content:
    """Set two drawings side by side, the second from a column on."""
    one, two = left.split("\n", allow_blank=True), right.split("\n", allow_blank=True)
    lines = []
    for at in range(max(len(one), len(two))):
        first = one[at] if at < len(one) else Content()
        pad = " " * max(0, column - cell_len(first.plain))
        lines.append(first + pad + (two[at] if at < len(two) else Content()))
    return Content("\n").join(lines)


def beneath(*parts: Content) -> Content:
    """Set drawings beneath one another."""
    return Content("\n").join(parts)


def spread(least: float, most: float, count: int = 3) -> tuple[tuple[float, str], ...]:
    """Name the ends of an axis, and what lies evenly between them."""
    places = [least + (most - least) * at / (count - 1) for at in range(count)]
    return tuple((place, short(place)) for place in places)


def short(number: float) -> str:
    """Write a number in few columns."""
    if not math.isfinite(number):
        return "∞" if number > 0 else "−∞" if number < 0 else "nan"
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(number) >= size * 10 or (letter != "k" and abs(number) >= size):
            return f"{number / size:.3g}{letter}".replace("-", "−")
    return (f"{number:.0f}" if abs(number) >= 1e3 else f"{number:.3g}").replace("-", "−")


def logarithms(numbers: Iterable[float]) -> list[float]:
    """Return the powers of ten of numbers; nan for what has none."""
    return [math.log10(number) if number > 0 else math.nan for number in numbers]


def decades(*powers: float) -> Axis:
    """Return an axis over powers of ten, from the whole one below to the whole one above, its ends and its middle named."""
    known = [power for power in powers if math.isfinite(power)] or [0.0]
    least, most = math.floor(min(known) + 1e-9), math.ceil(max(known) - 1e-9)
    most = max(most, least + 1)
    places = sorted({least, (least + most) // 2, most})
    written = _written_out if all(abs(place) <= PLAIN for place in places) else _raised
    return Axis(least, most, tuple((place, written(place)) for place in places))


def lengths_axis(numbers: Sequence[float]) -> Axis:
    """Return an axis over the powers of ten of lengths that double, the first, the middle and the last named."""
    named = (numbers[0], numbers[len(numbers) // 2], numbers[-1])
    return Axis(math.log10(numbers[0]), math.log10(numbers[-1]), tuple((math.log10(one), f"{one:.0f}") for one in named))


PLAIN = 3
"""Powers of ten up to this one are written out, where all of an axis can be: ``0.01``, ``1``, ``100``."""


def _written_out(power: int) -> str:
    """Write a small power of ten out."""
    return f"{10.0**power:g}"


def _raised(power: int) -> str:
    """Write a power of ten with its exponent."""
    return "10" + str(power).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
