"""Sinusoidal encodings and rotations."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
import torch

from question_bank.program import AnswerFormat, Ask, Kind, Nested, Parameter, Program, call
from solvers import attention, run
from solvers.conventions import RotaryPairing
from tests.solvers import reference
from tests.solvers.one_call import asking, near, value, wrong

ROWS: Nested = ((1, 2, 3, 4), (1, 0, -1, 2), (Fraction(1, 2), 3, 0, -2))
PAIRINGS = {"interleaved": RotaryPairing.INTERLEAVED, "halves": RotaryPairing.HALF_SPLIT}

# Sinusoids ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ({}, [0.1411, -0.99, 0.03, 0.9996]),
        ({"layout": "halves"}, [0.1411, 0.03, -0.99, 0.9996]),
        ({"base": 100}, [0.1411, -0.99, 0.2955, 0.9553]),  # the second angle is 3/10
    ],
)
def test_one_position(parameters: dict[str, Parameter], expected: list[float]) -> None:
    assert value(asking(call("P", "sinusoid", "p", "d", **parameters), 1, p=3, d=4)).round(4).tolist() == expected


def test_position_0_is_sines_of_0_and_cosines_of_0() -> None:
    rows = value(asking(call("P", "sinusoid", "p", "d"), 2, p=(0, 5), d=6))
    assert rows.shape == (2, 6)
    assert rows[0].tolist() == [0, 1, 0, 1, 0, 1]


@pytest.mark.parametrize("layout", ["interleaved", "halves"])
@pytest.mark.parametrize("dimension", [0, 3, 5])
def test_one_dimension_is_that_of_the_whole(layout: str, dimension: int) -> None:
    whole = value(asking(call("P", "sinusoid", "p", "d", layout=layout), 2, p=(2, 7), d=6))
    one = asking(call("P", "sinusoid", "p", "d", layout=layout, dimension=dimension), 1, p=(2, 7), d=6)
    near(value(one), whole[:, dimension])
    near(value(asking(call("P", "sinusoid", "p", "d", layout=layout, dimension=dimension), 0, p=7, d=6)), whole[1, dimension])
    lines = run.record(one, "P", {"p": [2.0, 7.0], "d": 6.0}).lines
    assert len(lines) == 5  # one divisor; an angle and a wave for each position


def test_exact_sines() -> None:
    (sine, cosine, *_) = run.exact(asking(call("P", "sinusoid", "p", "d"), 1, p=2, d=4))["P"]
    assert [str(sine), str(cosine)] == ["sin(2)", "cos(2)"]


def test_mistakes_of_sinusoid() -> None:
    """Angles 3 and 3/100."""
    found = wrong(asking(call("P", "sinusoid", "p", "d"), 1, p=3, d=4))
    sin, cos = math.sin, math.cos
    near(found["sinusoid.swapped"], [cos(3), sin(3), cos(0.03), sin(0.03)])
    near(found["sinusoid.exponent-i"], [sin(3), cos(3), sin(3e-4), cos(3e-4)])
    near(found["sinusoid.factor-2"], [sin(3), cos(3), sin(0.3), cos(0.3)])
    near(found["sinusoid.halves"], [sin(3), sin(0.03), cos(3), cos(0.03)])
    near(found["sinusoid.degrees"], [f(math.radians(a)) for a in (3, 0.03) for f in (sin, cos)])
    one = wrong(asking(call("P", "sinusoid", "p", "d", dimension=2), 0, p=3, d=4))
    assert {name: result[2] for name, result in found.items()} == pytest.approx(one)


@pytest.mark.parametrize(
    ("layout", "dimension", "width"),
    [("interleaved", 0, 4), ("interleaved", 1, 4), ("halves", 2, 4), ("interleaved", "all", 2)],
)
def test_the_first_pair_has_no_exponent_to_get_wrong(layout: str, dimension: int | str, width: int) -> None:
    line = call("P", "sinusoid", "p", "d", layout=layout, dimension=dimension)
    found = wrong(asking(line, 1 if dimension == "all" else 0, p=3, d=width))
    assert set(found) - {"sinusoid.halves", "sinusoid.alternating"} == {"sinusoid.swapped", "sinusoid.degrees"}


@pytest.mark.parametrize("layout", ["interleaved", "halves"])
def test_the_layouts_agree_on_the_first_and_the_last_dimension(layout: str) -> None:
    other = {"interleaved": "halves", "halves": "alternating"}[layout]
    differing = set()
    for dimension in range(6):
        line = call("P", "sinusoid", "p", "d", layout=layout, dimension=dimension)
        differing |= {dimension} if f"sinusoid.{other}" in wrong(asking(line, 0, p=3, d=6)) else set()
    assert differing == {1, 2, 3, 4}


# Rotations ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pairs", PAIRINGS)
@pytest.mark.parametrize("base", [10_000, 500_000, 100])
def test_rows_are_turned_as_the_module_turns_them(pairs: str, base: int) -> None:
    found = value(asking(call("R", "rotate", "X", "p", pairs=pairs, base=base), 2, X=ROWS, p=(4, 0, 9)))
    X = torch.tensor(run.floats(ROWS), dtype=torch.float64)
    near(found, attention.rotate(X, torch.tensor([4, 0, 9]), PAIRINGS[pairs], float(base)).numpy())
    other = reference.rope_interleaved if pairs == "interleaved" else reference.rope_half_split
    near(found, other(X.numpy(), [4, 0, 9], float(base)))


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [("interleaved", [-1.1426, 1.9221, 2.9599, 4.0298]), ("halves", [-1.9841, 1.9599, 2.4624, 4.0198])],
)
def test_angles_may_be_given(pairs: str, expected: list[float]) -> None:
    program = asking(call("R", "rotate", "x", "p", "θ", pairs=pairs), 1, x=(1, 2, 3, 4), p=1, θ=(1, Fraction(1, 100)))
    assert value(program).round(4).tolist() == expected


def test_a_quarter_turn_and_one_position_for_every_row() -> None:
    program = asking(call("R", "rotate", "X", "p", "θ"), 2, X=((1, 2), (3, -1)), p=2, θ=(Fraction(1, 4),))
    cos, sin = math.cos(0.5), math.sin(0.5)
    near(value(program), [[cos - 2 * sin, sin + 2 * cos], [3 * cos + sin, 3 * sin - cos]])


def test_scores_of_rotated_rows_depend_on_the_distance_alone() -> None:
    def score(m: int, n: int) -> float:
        calls = (call("q", "rotate", "Q", "m"), call("k", "rotate", "K", "n"), call("S", "scores", "q", "k"))
        inputs: tuple[tuple[str, Nested], ...] = (("Q", ((1, 2, 0, 1),)), ("K", ((3, -1, 1, 1),)), ("m", (m,)), ("n", (n,)))
        program = Program(inputs, calls, (Ask("S", AnswerFormat(Kind.MATRIX, decimals=4)),))
        return float(run.values(program)["S"])

    assert score(5, 2) == pytest.approx(score(13, 10))
    assert abs(score(5, 2) - score(5, 3)) > 0.1


def test_mistakes_of_rotate() -> None:
    x = (1, 2, 3, 4)
    found = wrong(asking(call("R", "rotate", "x", "p"), 1, x=x, p=3))

    def turned(*angles: float) -> list[float]:
        numbers = [(1 + 2j), (3 + 4j)]
        both = [number * np.exp(1j * angle) for number, angle in zip(numbers, angles, strict=True)]
        return [part for number in both for part in (number.real, number.imag)]

    near(found["rotate.wrong-sign"], turned(-3, -0.03))
    near(found["rotate.degrees"], turned(math.radians(3), math.radians(0.03)))
    near(found["rotate.same-angle"], turned(3, 3))
    near(found["rotate.halves"], value(asking(call("R", "rotate", "x", "p", pairs="halves"), 1, x=x, p=3)))
    assert "rotate.neighbours" not in found
    other = wrong(asking(call("R", "rotate", "X", "p", "θ", pairs="halves"), 2, X=ROWS, p=(1, 2, 3), θ=(1, Fraction(1, 2))))
    assert set(other) == set(found) - {"rotate.halves"} | {"rotate.neighbours"}


def test_one_pair_can_neither_be_paired_otherwise_nor_share_an_angle() -> None:
    assert set(wrong(asking(call("R", "rotate", "x", "p"), 1, x=(1, 2), p=1))) == {"rotate.wrong-sign", "rotate.degrees"}


# Shapes ---------------------------------------------------------------------------------------------------------------------

MISFITS: list[tuple[str, dict[str, Nested], str]] = [
    ("sinusoid", {"p": 1, "d": 5}, "p, d"),
    ("sinusoid", {"p": ((1, 2),), "d": 4}, r"p \[1, 2\]"),
    ("rotate", {"X": ROWS, "p": (1, 2)}, r"X \[3, 4\], p \[2\]"),
    ("rotate", {"x": (1, 2, 3), "p": 1}, r"x \[3\], p"),
    ("rotate", {"x": (1, 2), "p": (1, 2)}, r"x \[2\], p \[2\]"),
    ("rotate", {"X": ROWS, "p": (1, 2, 3), "θ": (1,)}, r"θ \[1\]"),
    ("rotate", {"x": 1, "p": 1}, "x, p"),
]


@pytest.mark.parametrize(("operation", "inputs", "named"), MISFITS)
def test_shapes_that_do_not_fit_are_named(operation: str, inputs: dict[str, Nested], named: str) -> None:
    with pytest.raises(run.RunError, match=rf"“{operation}”: .*{named}"):
        run.values(asking(call("Y", operation, *inputs), 2, **inputs))
