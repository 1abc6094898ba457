"""Every operation on a person's own numbers: run against NumPy, worked out, and graded."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from question_bank.exact import INFINITY, MINUS_INFINITY, Expression, ln
from question_bank.own_numbers import SIZES, TEMPLATES, build, build_shapes
from question_bank.program import Nested
from solvers import run
from solvers.grading import grade
from solvers.verdict import Outcome
from solvers.worked import answers, work
from tests.question_bank.test_own_numbers import EXAMPLES
from tests.solvers import reference, spellings

HALF = Fraction(1, 2)
Q, K, V = (np.array(EXAMPLES["attention"][name], dtype=float) for name in "qkv")


def softmax(Z: Any) -> Any:
    return reference.softmax(np.atleast_2d(np.array(Z, dtype=float)))


def attention(scores: Any) -> Any:
    return softmax(scores) @ V


LOWER = np.tril(np.ones((3, 3)))
SCORES = Q @ K.T
SCALED = SCORES / np.sqrt(2)

CASES: list[tuple[str, dict[str, Nested], Any]] = [
    # operation, what is given beside the example, the result by NumPy
    ("attention", {}, attention(SCALED)),
    ("attention", {"causal": 1}, attention(np.where(LOWER, SCALED, -np.inf))),
    ("attention", {"keep": (1, 0, 1)}, attention(np.where([1, 0, 1], SCALED, -np.inf))),
    ("attention", {"keep": (1, 0, 1), "causal": 1}, attention(np.where(LOWER * [1, 0, 1], SCALED, -np.inf))),
    ("attention", {"scale": HALF}, attention(SCORES / 2)),
    ("attention", {"scale": 3}, attention(SCORES * 3)),
    ("attention", {"scale": Fraction(3, 7)}, attention(SCORES * 3 / 7)),
    ("attention", {"scale": Expression("/", (1, Expression("sqrt", (2,))))}, attention(SCALED)),
    ("softmax", {}, softmax([0, 1, 1])[0]),
    ("softmax", {"s": ((0, 1, 1), (2, 0, -3))}, softmax([[0, 1, 1], [2, 0, -3]])),
    ("softmax", {"s": (5000, 5001, -5000)}, softmax([0, 1, -10001])[0]),
    ("softmax", {"s": (MINUS_INFINITY, 0, 1)}, softmax([-np.inf, 0, 1])[0]),
    ("softmax", {"s": (ln(2), ln(3))}, [0.4, 0.6]),
    ("softmax", {"s": (7,)}, [1.0]),
    ("scores", {}, np.array([[1, 0], [1, 1]]) @ np.array([[0, 1, 1], [1, 2, 1]])),
    ("scale", {}, np.array([0, 1, 1]) / np.sqrt(2)),
    ("scale", {"dk": 64}, np.array([0, 1, 1]) / 8),
    ("mix", {}, [0.5, 0.5]),
    ("mix", {"a": ((HALF, HALF), (1, 0))}, [[0.5, 0.5], [1, 0]]),
    ("project", {}, np.array([[1, 0], [0, 1], [1, 1]]) @ np.array([[1, 0], [1, 1]])),
    ("project", {"x": (3, -2)}, [1, -2]),
    ("padding-mask", {}, [*softmax([0, 1])[0], 0]),
    ("padding-mask", {"keep": (0, 1, 0)}, [0, 1, 0]),
    ("padding-mask", {"keep": (0, 0, 0)}, [np.nan] * 3),
    ("causal-mask", {}, [[1, 0], softmax([1, 2])[0]]),
    ("layer-norm", {}, reference.layer_norm(np.array([[1.0, 2, 3, 4], [0, 0, 1, 1]]), eps=0.0)),
    ("layer-norm", {"x": (1, 2, 3, 4)}, [-1.3416408, -0.4472136, 0.4472136, 1.3416408]),
    (
        "layer-norm",
        {"x": (1, 2, 3, 4), "gamma": (2, 1, 1, HALF), "eps": Fraction(1, 100_000)},
        reference.layer_norm(np.array([[1.0, 2, 3, 4]]), np.array([2, 1, 1, 0.5]), np.zeros(4), eps=1e-5)[0],
    ),
    ("layer-norm", {"x": (1, 1, 1, 1), "beta": (0, 1, 2, 3), "eps": 1}, [0, 1, 2, 3]),
    ("residual-add", {}, [[2, 1], [2, 1]]),
    ("residual-add", {"x": (1, 2), "f": (-1, HALF)}, [0, 2.5]),
]


@pytest.mark.parametrize(("template", "given", "expected"), CASES)
def test_run_worked_out_and_graded(template: str, given: dict[str, Nested], expected: Any) -> None:
    program = build(TEMPLATES[template], {**EXAMPLES[template], **given})
    (result,) = run.answers(program)
    np.testing.assert_allclose(result, np.array(expected, dtype=float), atol=1e-7, equal_nan=True)
    assert work(program)[-1].node == program.asks[0].node
    (shown,) = answers(program)
    verdict = grade(program, [shown])
    assert verdict.outcome is Outcome.RIGHT
    assert verdict.code == ""
    assert grade(program, [verdict.parts[0].understood.zh]).outcome is Outcome.RIGHT
    assert grade(program, [spellings.lists(np.array(expected, dtype=float).tolist(), 7)]).outcome is Outcome.RIGHT


def test_every_operation_is_covered() -> None:
    assert {case[0] for case in CASES} == set(TEMPLATES)


@pytest.mark.parametrize("template", TEMPLATES)
def test_a_wrong_result_is_wrong(template: str) -> None:
    program = build(TEMPLATES[template], EXAMPLES[template])
    value = spellings.mapped(run.answers(program)[0], lambda number: f"{number + 4.321:.4f}")
    assert grade(program, [spellings.written(value)]).outcome is Outcome.WRONG


MISTAKEN: list[tuple[str, dict[str, Nested], Any, str]] = [
    ("attention", {}, attention(SCORES), "scale.not-scaled"),
    ("attention", {}, attention(SCORES / 2), "scale.by-d_k"),
    ("attention", {"causal": 1}, attention(SCALED), "causal_mask.forgotten"),
    ("attention", {}, softmax(SCALED) @ K, "mix.keys-for-values"),
    ("softmax", {"s": (1, 2, 4)}, np.array([1, 2, 4]) / 7, "softmax.no-exponential"),
    ("scale", {"dk": 4}, np.array([0, 1, 1]) / 4, "scale.by-d_k"),
    ("project", {"x": ((1, 2), (3, 4)), "w": ((1, 2), (0, 1))}, [[5, 2], [11, 4]], "project.transposed-weight"),
    ("padding-mask", {}, softmax([0, 1, 1])[0] * [1, 1, 0], "padding_mask.after-softmax"),
    ("layer-norm", {"x": (1, 2, 3, 4)}, np.array([-1.5, -0.5, 0.5, 1.5]) / np.std([1, 2, 3, 4], ddof=1), "layer_norm.unbiased"),
    ("residual-add", {}, [[1, 0, 1, 1], [0, 1, 2, 0]], "residual_add.concatenated"),
]


@pytest.mark.parametrize(("template", "given", "typed", "mistake"), MISTAKEN)
def test_mistakes_are_named_on_own_numbers_too(template: str, given: dict[str, Nested], typed: Any, mistake: str) -> None:
    program = build(TEMPLATES[template], {**EXAMPLES[template], **given})
    verdict = grade(program, [spellings.lists(np.array(typed, dtype=float).tolist(), 6)])
    assert verdict.outcome is Outcome.KNOWN_MISTAKE
    assert verdict.mistake == mistake


@pytest.mark.parametrize("decimals", [0, 2, 6, 9])
def test_as_many_decimals_as_wanted(decimals: int) -> None:
    program = build(TEMPLATES["softmax"], EXAMPLES["softmax"], decimals)
    (shown,) = answers(program)
    for number in spellings.cells(shown):
        assert len(number.partition(".")[2]) <= decimals
    assert grade(program, [shown]).outcome is Outcome.RIGHT
    if decimals > 2:
        assert grade(program, ["0.16, 0.42, 0.42"]).outcome is Outcome.COARSE


def test_large_numbers_keep_their_decimals() -> None:
    q, k = ((Fraction("123456.7891"), Fraction("1000.1")),), ((Fraction("98765.4321"), 1),)
    program = build(TEMPLATES["scores"], {"q": q, "k": k})
    exact = q[0][0] * k[0][0] + q[0][1] * k[0][1]
    assert answers(program) == (f"[[{Decimal(exact.numerator) / Decimal(exact.denominator):.4f}]]",)
    for typed, outcome in ((exact, Outcome.RIGHT), (exact + Fraction(3, 10_000), Outcome.WRONG)):
        assert grade(program, [f"{typed.numerator}/{typed.denominator}"]).outcome is outcome


def test_an_infinite_score_leaves_no_weights() -> None:
    program = build(TEMPLATES["softmax"], {"s": (INFINITY, 0)})
    assert answers(program) == ("[nan, nan]",)
    assert grade(program, ["nan nan"]).outcome is Outcome.RIGHT
    assert grade(program, ["1 0"]).outcome is Outcome.WRONG


@pytest.mark.parametrize("kind", SIZES)
def test_shapes_of_attention(kind: str) -> None:
    sizes = {"B": 2, "S": 5, "S_dec": 5, "S_enc": 9, "d_model": 512}
    program = build_shapes(kind, {name: sizes[name] for name in SIZES[kind]} | {"h": 8})
    shapes = run.shapes(program)
    keys = 9 if kind == "cross-attention" else 5
    assert shapes["Q_h"] == (2, 8, 5, 64)
    assert shapes["V_h"] == (2, 8, keys, 64)
    assert shapes["S"] == shapes["A"] == (2, 8, 5, keys)
    assert shapes["Y"] == (2, 5, 512)
    plain = run.shapes(build_shapes(kind, {name: sizes[name] for name in SIZES[kind]}))
    assert plain["A"] == (2, 5, keys)
    assert work(program)[-1].result == "[2, 5, 512]"
    assert grade(program, ["2×5×512"]).outcome is Outcome.RIGHT
