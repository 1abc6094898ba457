"""Functions that a person looks up: the same over floats and over sympy's numbers, and written as a line."""

from __future__ import annotations

import math

import pytest

from question_bank.text import Text
from solvers import worked
from solvers.hand import FLOAT_FUNCTIONS, Hand, LineKind, number_like
from tests.solvers.arithmetic import evaluate

SAY = Text("x", "x")

LOOKED_UP = [
    (LineKind.SINE, 0.5, 0.479425538604, "sin(0.5)"),
    (LineKind.SINE, -2.0, -0.909297426826, "sin(−2)"),
    (LineKind.COSINE, 0.5, 0.877582561890, "cos(0.5)"),
    (LineKind.TANH, 0.5, 0.462117157260, "tanh(0.5)"),
    (LineKind.TANH, -40.0, -1.0, "tanh(−40)"),
    (LineKind.LOGARITHM, 10.0, 2.302585092994, "ln(10)"),
    (LineKind.LOGARITHM, 0.0, -math.inf, "ln(0)"),
    (LineKind.NORMAL, 1.0, 0.841344746069, "Φ(1)"),
    (LineKind.NORMAL, -1.0, 0.158655253931, "Φ(−1)"),
    (LineKind.NORMAL, 0.0, 0.5, "Φ(0)"),
]


@pytest.mark.parametrize(("kind", "number", "value", "text"), LOOKED_UP)
def test_a_function_is_looked_up_and_written(kind: LineKind, number: float, value: float, text: str) -> None:
    hand = Hand(recording=True)
    assert hand.function(kind, "f", 0, number, SAY) == pytest.approx(value, abs=1e-12)
    assert worked.expression(hand.lines[0]) == text
    low, high = evaluate(text)
    assert low - 1e-9 <= value <= high + 1e-9
    assert Hand(digits=3).function(kind, "f", 0, number, SAY) == (round(value, 3) if math.isfinite(value) else value)


def test_every_function_is_in_the_table() -> None:
    assert {kind for kind, *_ in LOOKED_UP} == set(FLOAT_FUNCTIONS)


def test_powers() -> None:
    import sympy

    hand = Hand(recording=True)
    assert hand.power("p", None, 10000.0, 0.25, SAY) == pytest.approx(10)
    assert worked.expression(hand.lines[0]) == "10000^0.25"
    assert evaluate("10000^0.25") == pytest.approx((10, 10))
    assert hand.power("p", None, sympy.Integer(10000), sympy.Rational(1, 4), SAY) == 10


def test_powers_of_negative_numbers_and_beyond_the_largest_float() -> None:
    hand = Hand(recording=True)
    assert hand.power("p", None, -0.5, 3.0, SAY) == -0.125
    assert worked.expression(hand.lines[0]) == "(−0.5)^3"
    assert evaluate("(−0.5)^3") == (-0.125, -0.125)
    assert hand.power("p", None, 1.5, 5000.0, SAY) == math.inf


def test_the_largest_the_smallest_and_the_next_whole_number() -> None:
    import sympy

    hand = Hand(recording=True)
    assert hand.largest("m", None, (1.0, -3.0, 2.5), SAY) == 2.5
    assert hand.smallest("m", None, (1.0, -3.0, 2.5), SAY) == -3
    assert [hand.ceiling("n", None, number, SAY) for number in (4.2, 4.0, -4.2)] == [5, 4, -4]
    written = [worked.expression(line) for line in hand.lines]
    assert written == ["max(1, −3, 2.5)", "min(1, −3, 2.5)", "⌈4.2⌉", "⌈4⌉", "⌈−4.2⌉"]
    assert [evaluate(text)[0] for text in written] == [2.5, -3, 5, 4, -4]
    root = sympy.sqrt(2)
    assert hand.largest("m", None, (root, sympy.Rational(7, 5)), SAY) == root
    assert hand.ceiling("n", None, sympy.Rational(13, 3), SAY) == 5
    assert Hand(digits=1).ceiling("n", None, 4.01, SAY) == 5


def test_a_parameter_becomes_a_number_of_the_same_kind() -> None:
    from fractions import Fraction

    import sympy

    assert number_like(2.5, Fraction(1, 8)) == 0.125
    assert isinstance(number_like(2.5, 3), float)
    assert number_like(sympy.Integer(7), Fraction(1, 3)) == sympy.Rational(1, 3)


@pytest.mark.parametrize(
    ("text", "interval"),
    [
        ("sin(1.5708)", (math.sin(1.5708 + 5e-5), 1.0)),  # π/2 lies within half a unit
        ("cos(3.1416)", (-1.0, math.cos(3.1416 + 5e-5))),
        ("cos(0.0000)", (math.cos(5e-5), 1.0)),
        ("sin(−1.5708)", (-1.0, math.sin(-1.5708 + 5e-5))),
        ("sin(0.3000)", (math.sin(0.29995), math.sin(0.30005))),
    ],
)
def test_an_interval_of_a_wave_reaches_its_crest(text: str, interval: tuple[float, float]) -> None:
    low, high = evaluate(text)
    assert low == pytest.approx(interval[0], abs=1e-12)
    assert high == pytest.approx(interval[1], abs=2e-9)
