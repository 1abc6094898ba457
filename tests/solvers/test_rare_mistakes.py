"""Mistakes on numbers that come up in few problems: rows that add up to nothing, exponentials of large scores."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from question_bank.program import AnswerFormat, Ask, Kind, Nested, Program, call
from question_bank.text import Text
from solvers import run
from solvers.hand import Hand, number_like
from solvers.mistakes import slips
from solvers.scenario import Scenario

SENTENCE = Text("take one", "取其一")
TENTH = Fraction(1, 10)
SCALED = Program(
    (("s", (-2, 0, 2)),),
    (call("p", "softmax", "s"), call("m", "largest", "p")),
    (Ask("m", AnswerFormat(Kind.NUMBER, decimals=3)),),
)
JACOBIAN = Program(
    (("z", (-8 * TENTH, -7 * TENTH, 15 * TENTH)),),
    (call("p", "softmax", "z"), call("J", "softmax_jacobian", "p")),
    (Ask("J", AnswerFormat(Kind.MATRIX, decimals=4)),),
)
LARGE: Nested = ((12, -12, -8), (-12, 14, 10), (-8, 10, 24))
SYMMETRIC = Program(
    (("G", LARGE),),
    (call("A", "softmax", "G"), call("y", "symmetric", "A")),
    (Ask("y", AnswerFormat(Kind.YES_NO)),),
)
WEIGHTS = SYMMETRIC.with_asks(Ask("A", AnswerFormat(Kind.MATRIX, decimals=3)))


@pytest.mark.parametrize(
    ("program", "mistake", "expected"),
    [
        (SCALED, "softmax.no-exponential", math.nan),  # −2/0, 0/0 and 2/0
        (JACOBIAN, "softmax.no-exponential", [[-math.inf] * 2 + [math.inf]] * 2 + [[math.inf] * 2 + [math.nan]]),
        (SYMMETRIC, "softmax.not-normalised", 1),
        (WEIGHTS, "softmax.not-normalised", np.exp(np.array(LARGE, dtype=float)).tolist()),
    ],
)
def test_torch_and_the_calculation_by_hand_agree(program: Program, mistake: str, expected: object) -> None:
    (slip,) = [slip for slip in slips(program, 0) if slip.mistake == mistake]
    by_hand = run.replay(slip.program, None)[program.asks[0].node]
    for value in (by_hand, Scenario(slip.program).results[0]):
        np.testing.assert_allclose(np.array(value, dtype=float), expected, rtol=1e-12, equal_nan=True)


def test_the_largest_of_numbers_one_of_which_is_undefined_is_undefined() -> None:
    import sympy

    for numbers in ((math.nan, 1.0), (1.0, math.nan)):
        assert math.isnan(Hand().largest("", None, numbers, SENTENCE))
        assert math.isnan(Hand().smallest("", None, numbers, SENTENCE))
    exact = Hand(nan=sympy.nan, infinity=sympy.oo)
    assert exact.largest("", None, (sympy.Integer(2), sympy.nan), SENTENCE) is sympy.nan
    assert exact.smallest("", None, (sympy.Integer(2), sympy.Integer(3)), SENTENCE) == 2


def test_a_parameter_is_a_number_beside_an_infinite_one() -> None:
    assert number_like(math.inf, 1) == 1.0
    assert number_like(-math.inf, Fraction(1, 4)) == 0.25
