"""Gradients along the residual path, dropout, the spread of dot products, and learning rates."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import torch
from torch.nn import functional

from question_bank.program import Nested, call
from solvers import run
from tests.solvers.one_call import asking, value, wrong


def _half(numerator: int) -> Fraction:
    return Fraction(numerator, 2)


def _residual(f: Fraction, n: int, **parameters: str) -> Any:
    return asking(call("g", "residual_gradient", "f", "n", **parameters), 0, f=f, n=n)


@pytest.mark.parametrize(
    ("f", "n", "path", "gradient"),
    [
        (_half(1), 20, "residual", 3325.256730),
        (_half(-1), 20, "residual", 2**-20),
        (_half(1), 20, "plain", 2**-20),
        (_half(-3), 3, "residual", -0.125),
        (_half(1), 1, "residual", 1.5),
        (_half(0), 7, "residual", 1),
    ],
)
def test_the_gradient_after_n_layers(f: Fraction, n: int, path: str, gradient: float) -> None:
    assert value(_residual(f, n, path=path)) == pytest.approx(gradient, abs=1e-6)
    x = torch.tensor(1.0, dtype=torch.float64, requires_grad=True)
    y = x
    for _ in range(n):
        y = (y if path == "residual" else 0) + float(f) * y
    y.backward()  # type: ignore[no-untyped-call]
    assert x.grad is not None
    assert float(x.grad) == pytest.approx(gradient, abs=1e-6)


def test_wrong_gradients() -> None:
    found = {name: float(result) for name, result in wrong(_residual(_half(1), 3)).items()}
    assert found == {
        "residual_gradient.one-plus-power": 1.125,
        "residual_gradient.sum": 2.5,
        "residual_gradient.one": 1,
        "residual_gradient.no-residual": 0.125,
    }
    assert wrong(_residual(_half(1), 3, path="plain")) == {"residual_gradient.residual": 3.375}


# Dropout ------------------------------------------------------------------------------------------------------------------

X: Nested = ((1, -2, 3), (4, 5, -6))
KEEP: Nested = ((1, 0, 1), (0, 1, 1))


def _dropout(x: Nested, keep: Nested, **parameters: str) -> Any:
    return asking(call("Y", "dropout", "X", "keep", "p", **parameters), np.ndim(np.array(x)), X=x, keep=keep, p=Fraction(1, 4))


def test_dropout_in_training_and_at_test() -> None:
    assert value(_dropout(X, KEEP)) == pytest.approx(np.array([[4 / 3, 0, 4], [0, 20 / 3, -8]]))
    assert value(_dropout((3, 6), (0, 1))).tolist() == [0, 8]
    assert value(_dropout(X, KEEP, mode="eval")).tolist() == [[1, -2, 3], [4, 5, -6]]


def test_dropout_is_that_of_torch_with_the_same_values_kept() -> None:
    torch.manual_seed(3)
    x = torch.arange(1.0, 61, dtype=torch.float64).reshape(6, 10)
    theirs = functional.dropout(x, 0.3, training=True)
    keep = (theirs != 0).double()
    assert 20 < keep.sum() < 60
    from solvers.operations import OPERATIONS

    p = torch.tensor(0.3, dtype=torch.float64)
    torch.testing.assert_close(OPERATIONS["dropout"].torch(x, keep, p), theirs)
    torch.testing.assert_close(OPERATIONS["dropout"].torch(x, keep, p, mode="eval"), functional.dropout(x, 0.3, training=False))


def test_wrong_dropout() -> None:
    found = {name: result.tolist() for name, result in wrong(_dropout((3, 6), (0, 1))).items()}
    assert found == {"dropout.not-rescaled": [0, 6], "dropout.divided-by-p": [0, 24], "dropout.multiplied": [0, 4.5]}
    found = {name: result.tolist() for name, result in wrong(_dropout((3, 6), (0, 1), mode="eval")).items()}
    assert found == {
        "dropout.rescaled-at-test": [2.25, 4.5],
        "dropout.rescaled-twice": [4, 8],
        "dropout.dropped-at-test": [0, 8],
    }


def test_a_mask_of_another_shape_is_refused() -> None:
    for keep in ((1, 0), ((1, 0, 1),)):
        with pytest.raises(run.RunError, match="dropout"):
            run.values(_dropout(X, keep))


# The spread of dot products -----------------------------------------------------------------------------------------------


def _spread(d_k: int, of: str, scaled: str) -> Any:
    return asking(call("v", "dot_variance", "d_k", of=of, scaled=scaled), 0, d_k=d_k)


@pytest.mark.parametrize(
    ("d_k", "of", "scaled", "expected"),
    [
        (64, "variance", "no", 64),
        (64, "deviation", "no", 8),
        (64, "variance", "root", 1),
        (64, "deviation", "root", 1),
        (64, "variance", "d_k", 1 / 64),
        (64, "deviation", "d_k", 1 / 8),
        (8, "deviation", "no", math.sqrt(8)),
    ],
)
def test_variance_and_deviation(d_k: int, of: str, scaled: str, expected: float) -> None:
    assert value(_spread(d_k, of, scaled)) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("scaled", ["no", "root", "d_k"])
@pytest.mark.parametrize("d_k", [1, 3, 4])
def test_every_pair_of_vectors_of_signs(d_k: int, scaled: str) -> None:
    """Components of ±1 have mean 0 and variance 1, and all 4^d_k pairs can be written down."""
    signs = list(itertools.product((-1.0, 1.0), repeat=2 * d_k))
    c = {"no": 1, "root": math.sqrt(d_k), "d_k": d_k}[scaled]
    products = [sum(q * k for q, k in zip(row[:d_k], row[d_k:], strict=True)) / c for row in signs]
    assert np.var(products) == pytest.approx(float(value(_spread(d_k, "variance", scaled))))
    assert np.std(products) == pytest.approx(float(value(_spread(d_k, "deviation", scaled))))


@pytest.mark.parametrize(
    ("of", "scaled", "expected"),
    [
        ("variance", "no", {"swapped": 4, "square": 256}),
        ("deviation", "no", {"swapped": 16}),
        ("variance", "root", {"square": 16, "not-scaled": 16, "divided-once": 4}),
        ("deviation", "d_k", {"swapped": 1 / 16, "not-scaled": 4}),
    ],
)
def test_wrong_spreads(of: str, scaled: str, expected: dict[str, float]) -> None:
    found = {name.partition(".")[2]: float(result) for name, result in wrong(_spread(16, of, scaled)).items()}
    assert found == expected


def _components(of: str, scaled: str) -> Any:
    line = call("v", "dot_variance", "d_k", "s_q", "s_k", of=of, scaled=scaled)
    return asking(line, 0, d_k=16, s_q=3, s_k=_half(1))


@pytest.mark.parametrize(
    ("of", "scaled", "expected"),
    [("variance", "no", 36), ("deviation", "no", 6), ("variance", "root", 2.25), ("deviation", "root", 1.5)],
)
def test_components_of_other_deviations(of: str, scaled: str, expected: float) -> None:
    assert value(_components(of, scaled)) == pytest.approx(expected)


def test_wrong_spreads_of_such_components() -> None:
    found = {name.partition(".")[2]: float(result) for name, result in wrong(_components("variance", "root")).items()}
    assert found == {"swapped": 1.5, "square": 36, "not-scaled": 36, "divided-once": 9}
    found = {name.partition(".")[2]: float(result) for name, result in wrong(_components("variance", "no")).items()}
    assert found == {"swapped": 6, "square": 576, "deviations": 24}


# Learning rates -----------------------------------------------------------------------------------------------------------


def _noam(step: int, d_model: int = 512, warmup: int = 4000) -> Any:
    return asking(call("r", "noam_rate", "step", "d_model", "warmup"), 0, step=step, d_model=d_model, warmup=warmup)


@pytest.mark.parametrize(
    ("step", "d_model", "warmup", "rate"),
    [
        (4000, 512, 4000, 6.987712e-4),  # the peak of the base model
        (1, 512, 4000, 1.746928e-7),
        (100000, 512, 4000, 1.397542e-4),
        (16, 64, 64, 1 / 256),
        (256, 64, 64, 1 / 128),
    ],
)
def test_the_rate_of_the_transformer(step: int, d_model: int, warmup: int, rate: float) -> None:
    assert value(_noam(step, d_model, warmup)) == pytest.approx(rate, rel=1e-6)


def test_wrong_rates_of_the_transformer() -> None:
    def found(step: int) -> dict[str, float]:
        return {name: float(result) for name, result in wrong(_noam(step, 64, 64)).items()}

    def width(rate: float) -> dict[str, float]:
        return {"noam_rate.no-width": 8 * rate, "noam_rate.whole-width": rate / 8}

    assert found(16) == pytest.approx({"noam_rate.maximum": 1 / 32, "noam_rate.warmup-power": 1 / 4, **width(1 / 256)})
    assert found(64) == pytest.approx({"noam_rate.warmup-power": 1, **width(1 / 64)})
    assert found(256) == pytest.approx({"noam_rate.maximum": 1 / 16, **width(1 / 128)})


def test_the_peak_is_where_the_rate_is_highest() -> None:
    program = asking(call("t", "noam_peak", "warmup"), 0, step=20, warmup=50)
    assert value(program) == 50 == max(range(1, 200), key=lambda step: float(value(_noam(step, 16, 50))))
    assert wrong(program) == {"noam_peak.first": 1, "noam_peak.after": 51, "noam_peak.given-step": 20}


def _cosine(step: int, warmup: int = 100, total: int = 1100, floor: Nested = Fraction(1, 10)) -> Any:
    line = call("r", "cosine_rate", "step", "warmup", "total", "peak", "floor")
    return asking(line, 0, step=step, warmup=warmup, total=total, peak=1, floor=floor)


@pytest.mark.parametrize(
    ("step", "rate"), [(0, 0), (25, 0.25), (100, 1), (350, 0.55 + 0.45 / math.sqrt(2)), (600, 0.55), (1100, 0.1), (5000, 0.1)]
)
def test_a_cosine_with_warm_up_and_floor(step: int, rate: float) -> None:
    assert value(_cosine(step)) == pytest.approx(rate, abs=1e-12)


def test_the_cosine_is_that_of_torch() -> None:
    optimiser = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=1.0)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, T_max=1000, eta_min=0.1)
    for step in range(100, 1100):
        if step % 90 == 0:
            assert optimiser.param_groups[0]["lr"] == pytest.approx(float(value(_cosine(step))), abs=1e-9)
        optimiser.step()
        schedule.step()


def test_wrong_cosines() -> None:
    def found(step: int, floor: Nested = Fraction(1, 10)) -> dict[str, float]:
        return {name: float(result) for name, result in wrong(_cosine(step, floor=floor)).items()}

    late = 0.1 + 0.45 * (1 + math.cos(math.pi * 600 / 1100))
    assert found(600) == pytest.approx(
        {
            "cosine_rate.degrees": 0.1 + 0.45 * (1 + math.cos(math.radians(math.pi / 2))),
            "cosine_rate.no-floor": 0.5,
            "cosine_rate.floor-on-top": 0.6,
            "cosine_rate.from-the-start": late,
            "cosine_rate.whole-period": 0.1,
        }
    ), "halfway down a cosine and a straight line meet"
    assert found(350)["cosine_rate.straight"] == pytest.approx(0.1 + 0.9 * 0.75)
    assert found(350)["cosine_rate.rising"] == pytest.approx(0.1 + 0.45 * (1 - math.cos(math.pi / 4)))
    assert found(50) == pytest.approx({"cosine_rate.no-warmup": 1, "cosine_rate.from-the-floor": 0.55})
    assert not found(100), "at the peak the cosine is 1 in degrees too"
    assert not {"cosine_rate.no-floor", "cosine_rate.floor-on-top"} & set(found(600, floor=0))
    assert "cosine_rate.from-the-floor" not in found(50, floor=0)


def test_a_rate_without_warm_up() -> None:
    assert value(_cosine(0, warmup=0, total=1000)) == 1
    assert value(_cosine(500, warmup=0, total=1000)) == pytest.approx(0.55)


# Without values -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "count"),
    [("residual_gradient", 2), ("noam_rate", 3), ("noam_peak", 1), ("cosine_rate", 5), ("dot_variance", 1), ("dropout", 3)],
)
def test_without_values_there_is_one_number(name: str, count: int) -> None:
    from solvers.operations import OPERATIONS

    found = OPERATIONS[name].torch(*(torch.empty((), device="meta") for _ in range(count)))
    assert found.is_meta
    assert found.shape == ()
