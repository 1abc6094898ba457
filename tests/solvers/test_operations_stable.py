"""The softmax taken apart, sharpness, symmetry, what scoring costs, and what a floating-point type can hold."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
import torch

from question_bank.program import AnswerFormat, Ask, Kind, Nested, Program, call
from solvers import run
from solvers.operations.ranges import TYPES
from tests.solvers.one_call import asking, value, wrong

ROW: Nested = (1, 3, 2)


def _named(program: Program) -> dict[str, Any]:
    return {name.partition(".")[2]: result.tolist() for name, result in wrong(program).items()}


def _one(name: str, depth: int, *arguments: Any, **parameters: Any) -> Program:
    inputs = dict(zip(("z", "b", "c", "d", "g"), arguments, strict=False))
    return asking(call("y", name, *inputs, **parameters), depth, **inputs)


def test_a_row_is_shifted_by_its_maximum() -> None:
    assert value(_one("shift", 1, ROW)).tolist() == [-2, 0, -1]
    assert _named(_one("shift", 1, ROW)) == {"minimum": [0, 2, 1], "reversed": [2, 0, 1], "forgotten": [1, 3, 2]}


def _apart(z: Nested, node: str, kind: Kind) -> Program:
    lines = (call("y", "shift", "z"), call("e", "exponentials", "y"), call("l", "row_sum", "e"))
    return Program((("z", z),), lines, (Ask(node, AnswerFormat(kind, decimals=4)),))


def test_what_is_taken_of_the_unshifted_row() -> None:
    e = math.e
    assert value(_apart(ROW, "l", Kind.NUMBER)) == pytest.approx(1 + 1 / e + e**-2)
    found = wrong(_apart(ROW, "e", Kind.VECTOR))
    assert found["exponentials.unshifted"] == pytest.approx([e, e**3, e**2])
    assert found["exponentials.base-2"] == pytest.approx([0.25, 1, 0.5])
    found = wrong(_apart(ROW, "l", Kind.NUMBER))
    assert found["row_sum.unshifted"] == pytest.approx(e + e**2 + e**3)
    assert found["row_sum.without-largest"] == pytest.approx(1 / e + e**-2)
    assert wrong(_apart((1000, 1001), "l", Kind.NUMBER))["row_sum.unshifted"] == math.inf


@pytest.mark.parametrize("z", [ROW, (1000, 1001, 999), (-1000, -1001)])
def test_log_sum_exp_is_torchs(z: Nested) -> None:
    theirs = torch.logsumexp(torch.tensor(run.floats(z), dtype=torch.float64), 0)
    assert float(value(_one("log_sum_exp", 0, z))) == pytest.approx(float(theirs), abs=1e-9)


def test_wrong_log_sum_exps() -> None:
    total = sum(math.exp(one) for one in (1, 3, 2))
    right = math.log(total)
    assert _named(_one("log_sum_exp", 0, ROW)) == pytest.approx(
        {
            "max": 3, "sum-of-logs": 6, "no-exponential": math.log(6), "no-logarithm": total, "mean": math.log(total / 3),
            "not-added-back": right - 3, "base-2": right / math.log(2),
        }
    )  # fmt: skip


def test_the_temperature_divides() -> None:
    half = Fraction(1, 2)
    assert value(_one("temperature", 1, ROW, half)).tolist() == [2, 6, 4]
    assert _named(_one("temperature", 1, ROW, half)) == {"times": [0.5, 1.5, 1], "forgotten": [1, 3, 2]}
    lines = (call("y", "temperature", "z", "T"), call("p", "softmax", "y"))
    program = Program((("z", ROW), ("T", half)), lines, (Ask("p", AnswerFormat(Kind.VECTOR, decimals=4)),))
    plain = torch.softmax(torch.tensor([1.0, 3, 2], dtype=torch.float64), 0)
    assert wrong(program)["temperature.after-softmax"] == pytest.approx((2 * plain).numpy())


def test_the_largest_weight() -> None:
    assert float(value(_one("largest", 0, ROW))) == 3
    assert _named(_one("largest", 0, ROW)) == {"smallest": 1}
    lines = (
        *(call("p", "softmax", "s"), call("z", "scale", "s", "d_k"), call("w", "softmax", "z")),
        *(call("m", "largest", "p"), call("n", "largest", "w")),
    )
    program = Program((("s", (3, 2, 1)), ("d_k", 16)), lines, (Ask("m", AnswerFormat(Kind.NUMBER, decimals=4)),))
    assert wrong(program)["largest.scaled"] == pytest.approx(0.4192, abs=5e-5)
    other = program.with_asks(Ask("n", AnswerFormat(Kind.NUMBER, decimals=4)))
    assert "largest.scaled" not in wrong(other)
    assert wrong(other)["scale.not-scaled"] == pytest.approx(0.6652, abs=5e-5)


X: Nested = ((1, 2), (0, 3))


def test_a_product_with_itself() -> None:
    assert value(_one("self_product", 2, X)).tolist() == [[5, 6], [6, 9]]
    assert _named(_one("self_product", 2, X)) == {
        "columns": [[1, 2], [2, 13]], "no-transpose": [[1, 8], [0, 9]], "diagonal": [[5, 0], [0, 9]]
    }  # fmt: skip
    wide = _named(_one("self_product", 2, ((1, 2, 0), (0, 3, 1))))
    assert wide["columns"] == [[1, 2, 0], [2, 13, 3], [0, 3, 1]]
    assert "no-transpose" not in wide


@pytest.mark.parametrize(("M", "answer"), [(((1, 2), (2, 5)), 1), (((1, 2), (3, 5)), 0)])
def test_symmetry(M: Nested, answer: int) -> None:
    assert float(value(_one("symmetric", 0, M))) == answer


def test_weights_of_symmetric_scores() -> None:
    lines = (
        call("G", "self_product", "X"),
        call("A", "softmax", "G"),
        call("s", "symmetric", "A"),
        call("t", "symmetric", "G"),
    )
    program = Program((("X", X),), lines, (Ask("s", AnswerFormat(Kind.YES_NO)),))
    assert run.answers(program) == [0]
    assert float(wrong(program)["symmetric.of-the-scores"]) == 1
    assert "symmetric.denied" not in wrong(program)
    assert float(wrong(program.with_asks(Ask("t", AnswerFormat(Kind.YES_NO))))["symmetric.denied"]) == 0


def test_multiplications_of_dot_products() -> None:
    assert float(value(_one("dot_multiplications", 0, 3, 5, 4))) == 60
    assert _named(_one("dot_multiplications", 0, 3, 5, 4)) == {"pairs": 15, "operations": 120, "one-query": 20}
    heads = {"pairs": 30, "operations": 240, "one-query": 40, "one-head": 60}
    assert float(value(_one("dot_multiplications", 0, 3, 5, 4, 2))) == 120
    assert _named(_one("dot_multiplications", 0, 3, 5, 4, 2)) == heads


def test_multiplications_of_additive_scores() -> None:
    program = _one("additive_multiplications", 0, 3, 5, 4, 2)
    assert float(value(program)) == 3 * 4 * 2 + 5 * 4 * 2 + 15 * 2
    assert _named(program) == {
        "per-pair": 15 * (8 + 8 + 2), "no-projections": 30, "no-v": 64, "one-projection": 24 + 30, "operations": 188
    }  # fmt: skip
    assert float(value(_one("additive_multiplications", 0, 3, 5, 4, 2, 6))) == 6 * 94
    assert _named(_one("additive_multiplications", 0, 3, 5, 4, 2, 6))["one-head"] == 94


@pytest.mark.parametrize("dtype", TYPES)
def test_the_limits_are_torchs(dtype: str) -> None:
    kind = TYPES[dtype]
    most = torch.finfo(getattr(torch, dtype)).max
    assert Fraction(most) == kind.largest * 2**kind.exponent
    assert float(value(_one("largest_score", 0, 1, dtype=dtype))) == pytest.approx(math.log(most), abs=1e-9)
    x = float(value(_one("largest_score", 0, 1000, 64, dtype=dtype))) / 8
    assert x == pytest.approx(math.log(most) - math.log(1000), abs=1e-9)


def test_float16_overflows_past_eleven() -> None:
    exponents = torch.tensor([11.08, 11.10], dtype=torch.float16)
    assert exponents.exp().isinf().tolist() == [False, True]
    assert float(value(_one("largest_score", 0, 1))) == pytest.approx(11.0899, abs=5e-5)
    assert float(value(_one("largest_score", 0, 1, dtype="float32"))) == pytest.approx(88.7228, abs=5e-5)


def test_wrong_limits() -> None:
    found = _named(_one("largest_score", 0, 4, 16, dtype="float16"))
    right = math.log(65504) - math.log(4)
    assert found["other-type"] == pytest.approx(4 * (math.log(TYPES["float32"].largest * 2**127) - math.log(4)))
    assert found["log-2"] == pytest.approx(4 * right / math.log(2))
    assert found["log-10"] == pytest.approx(4 * right / math.log(10))
    assert found["one-term"] == pytest.approx(4 * math.log(65504))
    assert found["not-scaled"] == pytest.approx(right)
    assert found["divided"] == pytest.approx(right / 4)
    assert set(_named(_one("largest_score", 0, 1, dtype="float32"))) == {"other-type", "log-2", "log-10"}
