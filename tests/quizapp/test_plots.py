"""Curves in cells of dots: where points, names and ticks come to stand, and that every line keeps to its width."""

from __future__ import annotations

import math

import pytest
from rich.cells import cell_len
from textual.content import Content

from quizapp.widgets.plots import LINE, Axis, Curve, Name, beside, decades, key, lengths_axis, logarithms, plot, short, spread
from quizapp.widgets.shades import small_map

UNIT = Axis(0, 1)


def lines_of(content: Content) -> list[str]:
    return content.plain.split("\n")


def place_of(sign: str, content: Content) -> tuple[int, int]:
    """Return line and column of a sign."""
    return next((number, line.index(sign)) for number, line in enumerate(lines_of(content)) if sign in line)


@pytest.mark.parametrize(
    ("x", "y", "line", "column"),
    [(0, 0, 4, 0), (1, 1, 0, 9), (0, 1, 0, 0), (1, 0, 4, 9), (0.5, 0.5, 2, 5), (0.1, 0.9, 0, 1)],
)
def test_a_point_stands_where_it_is(x: float, y: float, line: int, column: int) -> None:
    assert place_of("●", plot((Curve([x], [y], "●"),), UNIT, UNIT, 10, 5)) == (line, column)


@pytest.mark.parametrize("at", [step / 20 for step in range(21)])
def test_a_point_of_a_curve_lies_on_it(at: float) -> None:
    xs = [step / 100 for step in range(101)]
    line = plot((Curve(xs, [x * x for x in xs]),), UNIT, UNIT, 30, 6)
    row, column = place_of("●", plot((Curve([at], [at * at], "●"),), UNIT, UNIT, 30, 6))
    assert lines_of(line)[row][column] > "\u2800"


@pytest.mark.parametrize(
    ("xs", "ys"),
    [([0.5], [math.nan]), ([math.inf], [0.5]), ([0.5], [-math.inf]), ([2], [0.5]), ([0.5], [-1]), ([], [])],
)
@pytest.mark.parametrize("mark", [LINE, "×"])
def test_what_cant_be_drawn_is_left_out(xs: list[float], ys: list[float], mark: str) -> None:
    assert not plot((Curve(xs, ys, mark),), UNIT, UNIT, 8, 3).plain.strip()


def test_a_gap_in_a_line_stays_a_gap() -> None:
    drawn = plot((Curve([0, 0.2, 0.5, 0.8, 1], [0, 0, math.nan, 0, 0]),), UNIT, UNIT, 20, 1)
    assert lines_of(plot((Curve([0, 1], [0, 0]),), UNIT, UNIT, 20, 2))[1].count("⣀") == 20
    assert " " in lines_of(drawn)[-1].strip()


def test_axes_name_their_ticks_and_leave_out_those_without_room() -> None:
    across = Axis(0, 100, ((0, "0"), (1, "one"), (100, "100")))
    drawn = lines_of(plot((), across, Axis(0, 1, spread(0, 1)), 24, 7))
    assert [line[:4].strip() for line in drawn[:-1]] == ["1┤", "│", "0.5┤", "│", "0┤", "└"]
    assert drawn[-1].split() == ["0", "100"]
    assert all(cell_len(line) <= 24 for line in drawn)
    assert drawn[-2].count("┬") == 2


def test_later_signs_lie_over_earlier_and_names_over_all() -> None:
    row = [step / 10 for step in range(11)]
    drawn = plot((Curve(row, [0] * 11), Curve([0.5], [0], "●")), UNIT, UNIT, 11, 2, (Name(1, 0, "k"),))
    assert lines_of(drawn)[1] == "⣀⣀⣀⣀⣀●⣀⣀⣀⣀k"


def test_signs_of_a_curve_stand_apart_where_it_is_flat() -> None:
    row = [step / 30 for step in range(31)]
    assert plot((Curve(row, [0.5] * 31, "×"),), UNIT, UNIT, 31, 1).plain.count("×") == 11
    assert plot((Curve(row, row, "×"),), UNIT, UNIT, 31, 31).plain.count("×") == 31  # steep: one in each line


@pytest.mark.parametrize("width", [10, 20, 60])
def test_a_key_keeps_to_its_width_in_either_language(width: int) -> None:
    drawn = key(((LINE, "有残差"), ("×", "无残差"), ("●", "n = 6")), width)
    assert all(cell_len(line) <= max(width, 10) for line in lines_of(drawn))
    assert "无残差" in drawn.plain


def test_beside_counts_columns_not_characters() -> None:
    drawn = beside(Content("注意力\nab"), Content("x\ny\nz"), 8)
    assert [cell_len(line) for line in lines_of(drawn)] == [9, 9, 9]


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"),
        (-1, "−1"),
        (0.125, "0.125"),
        (1000, "1000"),
        (64000, "64k"),
        (2.5e6, "2.5M"),
        (-math.inf, "−∞"),
        (math.nan, "nan"),
    ],
)
def test_short_numbers(number: float, text: str) -> None:
    assert short(number) == text


def test_powers_of_ten() -> None:
    assert logarithms([1, 1000])[1] == pytest.approx(3)
    assert math.isnan(logarithms([0])[0])
    axis = decades(-8.2, 0.3)
    assert (axis.least, axis.most) == (-9, 1)
    assert axis.ticks == ((-9, "10⁻⁹"), (-4, "10⁻⁴"), (1, "10¹"))
    assert [text for _, text in decades(0.5, 11.7).ticks] == ["10⁰", "10⁶", "10¹²"]
    assert [text for _, text in decades(-1.5, 2.5).ticks] == ["0.01", "1", "1000"]
    assert decades(math.nan).most > decades(math.nan).least
    assert [text for _, text in lengths_axis([1, 2, 4, 8, 16]).ticks] == ["1", "4", "16"]


def test_a_small_map_shows_nothing_little_and_much_apart() -> None:
    drawn = lines_of(small_map("A", [[0, 0.02, 0.25, 0.5, 0.75, 1, -math.inf, math.nan]], most=1.0))
    assert drawn == ["   A", "q₁    ·░░▒▒▓▓██××??▏"]
