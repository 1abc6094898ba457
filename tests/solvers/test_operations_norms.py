"""RMSNorm, batch normalisation, and the mistakes of layer normalisation."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import torch
from torch.nn import functional

from question_bank.program import AnswerFormat, Ask, Call, Kind, Nested, Program, call
from solvers import run
from tests.solvers.one_call import asking, near, value, wrong

ROWS: Nested = ((1, 2, 3, 4), (-2, 0, 1, Fraction(5, 2)), (0, -1, 4, 2))
GAMMA: Nested = (1, Fraction(1, 2), 2, -1)
BETA: Nested = (0, 1, Fraction(1, 4), 3)
X = torch.tensor(run.floats(ROWS), dtype=torch.float64)


def _floats(nested: Nested) -> torch.Tensor:
    return torch.tensor(run.floats(nested), dtype=torch.float64)


@pytest.mark.parametrize("epsilon", [0, Fraction(1, 10)])
def test_rms_norm_is_torchs(epsilon: Fraction | int) -> None:
    eps = float(epsilon)
    bare = value(asking(call("y", "rms_norm", "x", epsilon=epsilon), 2, x=ROWS))
    near(bare, functional.rms_norm(X, (4,), eps=eps))
    scaled = value(asking(call("y", "rms_norm", "x", "γ", epsilon=epsilon), 2, x=ROWS, γ=GAMMA))
    near(scaled, functional.rms_norm(X, (4,), _floats(GAMMA), eps=eps))


def test_rms_norm_by_hand() -> None:
    """Mean square 12.5, so 3 and 4 over 3.5355."""
    program = asking(call("y", "rms_norm", "x"), 1, x=(3, 4))
    assert value(program).round(4).tolist() == [0.8485, 1.1314]
    assert str(run.exact(program)["y"][0]) == "3*sqrt(2)/5"


@pytest.mark.parametrize("epsilon", [Fraction(1, 10**12), Fraction(1, 10)])  # torch refuses 0 here
@pytest.mark.parametrize("affine", [False, True])
def test_batch_norm_is_torchs_in_training(epsilon: Fraction | int, affine: bool) -> None:
    extra = {"γ": GAMMA, "β": BETA} if affine else {}
    ours = value(asking(call("y", "batch_norm", "x", *extra, epsilon=epsilon), 2, x=ROWS, **extra))
    weight, bias = (_floats(GAMMA), _floats(BETA)) if affine else (None, None)
    theirs = functional.batch_norm(X, None, None, weight, bias, training=True, eps=float(epsilon))
    near(ours, theirs)


def test_a_vector_is_one_feature_of_the_batch() -> None:
    whole = value(asking(call("y", "batch_norm", "x", "γ", "β"), 2, x=ROWS, γ=GAMMA, β=BETA))
    column = asking(call("y", "batch_norm", "x", "γ", "β"), 1, x=(3, 1, 4), γ=2, β=Fraction(1, 4))
    near(value(column), whole[:, 2])
    assert set(wrong(column)) == {
        "batch_norm.unbiased",
        "batch_norm.by-variance",
        "batch_norm.not-divided",
        "batch_norm.no-affine",
        "batch_norm.no-gamma",
        "batch_norm.no-beta",
        "batch_norm.not-centred",
    }  # a sample has no row


def test_the_unbiased_variance_is_the_larger() -> None:
    program = asking(call("y", "batch_norm", "x", variance="unbiased"), 1, x=(1, 3))
    assert value(program).tolist() == pytest.approx([-(0.5**0.5), 0.5**0.5])
    assert "batch_norm.unbiased" not in wrong(program)


def test_mistakes_of_rms_norm() -> None:
    found = wrong(asking(call("y", "rms_norm", "x"), 1, x=(3, 4)))
    assert found["rms_norm.sum"].tolist() == pytest.approx([0.6, 0.8])
    assert found["rms_norm.mean-subtracted"].tolist() == pytest.approx([-1, 1])
    assert found["rms_norm.no-root"].tolist() == pytest.approx([3 / 12.5, 4 / 12.5])
    scaled = wrong(asking(call("y", "rms_norm", "x", "γ", epsilon=Fraction(1, 2)), 2, x=ROWS, γ=GAMMA))
    assert set(scaled) == {*found, "rms_norm.no-gamma"}
    near(scaled["rms_norm.no-gamma"], value(asking(call("y", "rms_norm", "x", epsilon=Fraction(1, 2)), 2, x=ROWS)))


def test_mistakes_of_layer_norm() -> None:
    found = wrong(asking(call("y", "layer_norm", "x"), 1, x=(1, 5)))
    near(found["layer_norm.not-divided"], [-2, 2])
    assert "layer_norm.no-affine" not in found
    affine = wrong(asking(call("y", "layer_norm", "x", "γ", "β"), 2, x=ROWS, γ=GAMMA, β=BETA))
    near(affine["layer_norm.no-affine"], functional.layer_norm(X, (4,), eps=0))
    near(affine["layer_norm.not-divided"], (X - X.mean(-1, keepdim=True)) * _floats(GAMMA) + _floats(BETA))
    near(affine["layer_norm.no-gamma"], functional.layer_norm(X, (4,), bias=_floats(BETA), eps=0))
    near(affine["layer_norm.no-beta"], functional.layer_norm(X, (4,), _floats(GAMMA), eps=0))
    near(affine["layer_norm.root-mean-square"], functional.rms_norm(X, (4,), _floats(GAMMA), eps=0) + _floats(BETA))
    near(found["layer_norm.not-centred"], [1 / 2, 5 / 2])
    near(found["layer_norm.root-mean-square"], np.array([1, 5]) / 13**0.5)


def test_a_mean_of_0_need_not_be_subtracted() -> None:
    for operation, balanced in (("layer_norm", ((1, -1), (2, -2))), ("batch_norm", ((1, 2), (-1, -2)))):
        names = {f"{operation}.not-centred", f"{operation}.root-mean-square"}
        assert not names & set(wrong(asking(call("y", operation, "x"), 2, x=balanced)))
        assert names & set(wrong(asking(call("y", operation, "x"), 2, x=tuple(zip(*balanced, strict=True)))))


@pytest.mark.parametrize(
    "calls",
    [
        (call("N", "layer_norm", "x"), call("F", "activation", "N"), call("y", "residual_add", "x", "F")),
        (call("F", "activation", "x"), call("s", "residual_add", "x", "F"), call("y", "layer_norm", "s")),
    ],
)
def test_a_norm_on_the_branch_leaves_the_input_as_it_is(calls: tuple[Call, ...]) -> None:
    """ReLU of (1, −5, 3) is (1, 0, 3), normalised (−1/3, −4/3, 5/3) over the root of 14/9."""
    program = Program((("x", (1, -5, 3)),), calls, (Ask("y", AnswerFormat(Kind.VECTOR, decimals=3)),))
    near(wrong(program)["layer_norm.on-the-branch"], np.array([1, -5, 3]) + np.array([-1, -4, 5]) / 14**0.5)


def test_mistakes_of_batch_norm() -> None:
    found = wrong(asking(call("y", "batch_norm", "x"), 2, x=((1, 5), (3, 2))))
    assert found["batch_norm.over-the-row"].tolist() == [[-1, 1], [1, -1]]
    near(found["batch_norm.unbiased"], np.array([[-1, 1], [1, -1]]) / 2**0.5)
    near(found["batch_norm.by-variance"], [[-1, 1 / 1.5], [1, -1 / 1.5]])
    near(found["batch_norm.not-divided"], [[-1, 1.5], [1, -1.5]])
    assert "batch_norm.no-affine" not in found
    affine = wrong(asking(call("y", "batch_norm", "x", "γ", "β"), 2, x=ROWS, γ=GAMMA, β=BETA))
    near(affine["batch_norm.no-affine"], value(asking(call("y", "batch_norm", "x"), 2, x=ROWS)))
    theirs = functional.layer_norm(X, (4,), _floats(GAMMA), _floats(BETA), eps=0)
    near(affine["batch_norm.over-the-row"], theirs)
    near(affine["batch_norm.no-gamma"], functional.batch_norm(X, None, None, None, _floats(BETA), training=True, eps=1e-12))
    near(affine["batch_norm.no-beta"], functional.batch_norm(X, None, None, _floats(GAMMA), None, training=True, eps=1e-12))
    near(found["batch_norm.not-centred"], [[1, 5 / 1.5], [3, 2 / 1.5]])


@pytest.mark.parametrize(
    ("operation", "extra"),
    [("rms_norm", {"γ": (1, 1)}), ("batch_norm", {"γ": (1, 1), "β": (0, 0)}), ("batch_norm", {"γ": 1, "β": 0})],
)
def test_shapes_that_do_not_fit_are_named(operation: str, extra: dict[str, Nested]) -> None:
    with pytest.raises(run.RunError, match=rf"{operation}.*x \[3, 4\]"):
        run.values(asking(call("y", operation, "x", *extra), 2, x=ROWS, **extra))
