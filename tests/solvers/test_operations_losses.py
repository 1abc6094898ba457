"""Cross-entropy, perplexity and smoothed targets, against PyTorch's own."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import torch
from torch.nn import functional

from question_bank.exact import ln
from question_bank.program import AnswerFormat, Ask, Kind, Nested, Program, Shape, call
from solvers import run
from tests.solvers.one_call import asking, value, wrong

Z: Nested = ((1, 2, 0), (0, -1, 3), (2, 2, 1), (0, 1, 0))


def _loss(targets: Nested, logits: Nested = Z, **parameters: Any) -> Program:
    return asking(call("L", "cross_entropy", "z", "y", **parameters), 0, z=logits, y=targets)


def _torchs(targets: Any, logits: Any = Z, **options: Any) -> float:
    y = torch.tensor(targets, dtype=torch.float64 if np.ndim(targets) == np.ndim(logits) else torch.long)
    return float(functional.cross_entropy(torch.tensor(logits, dtype=torch.float64), y, **options))


@pytest.mark.parametrize("targets", [(0, 2, 1, 1), (2, 2, -100, 0), (-100, -100, 1, -100)])
def test_the_loss_is_that_of_torch(targets: tuple[int, ...]) -> None:
    expected = _torchs(targets)
    assert value(_loss(targets)) == pytest.approx(expected, abs=1e-12)
    from_one = tuple(target + 1 if target >= 0 else target for target in targets)
    assert value(_loss(from_one, first=1)) == pytest.approx(expected, abs=1e-12)


def test_tokens_are_shifted_to_be_targets() -> None:
    tokens = (1, 0, 2, 1)
    assert value(_loss(tokens, shift="yes")) == pytest.approx(_torchs(tokens[1:], Z[:3]), abs=1e-12)  # type: ignore[index]
    masked = (-100, -100, 2, 1)
    assert value(_loss(masked, shift="yes")) == pytest.approx(_torchs((-100, 2, 1), Z[:3]), abs=1e-12)  # type: ignore[index]


def test_one_position_alone() -> None:
    assert value(_loss(2, (1, 2, 0))) == pytest.approx(_torchs(2, (1, 2, 0)), abs=1e-12)
    assert value(_loss(3, (1, 2, 0), first=1)) == pytest.approx(_torchs(2, (1, 2, 0)), abs=1e-12)


def test_large_logits_do_not_overflow() -> None:
    assert value(_loss((0, 1), ((1000, 1001), (-1000, -1001)))) == pytest.approx(math.log1p(math.e), abs=1e-12)


def test_an_impossible_class_costs_nothing_unless_it_is_the_target() -> None:
    from question_bank.exact import MINUS_INFINITY

    assert value(_loss((0,), ((0, MINUS_INFINITY),))) == 0
    assert run.answers(_loss((1,), ((0, MINUS_INFINITY),))) == [math.inf]


def test_where_all_positions_are_ignored_there_is_no_mean() -> None:
    program = _loss((-100, -100, -100, -100))
    assert math.isnan(run.answers(program)[0])
    assert math.isnan(run.replay(program, None)["L"])


def test_the_exact_loss() -> None:
    import sympy

    exact = run.exact(_loss((1,), ((0, ln(3)),)))["L"]
    assert sympy.simplify(exact - sympy.log(sympy.Rational(4, 3))) == 0


def test_wrong_losses() -> None:
    losses = [_torchs((target,), (row,)) for target, row in zip((0, 2, 1), Z, strict=False)]  # type: ignore[arg-type]
    found = wrong(_loss((0, 2, -100, 1)))
    always = {"cross_entropy.log-2", "cross_entropy.sign"}
    assert set(found) == {*always, "cross_entropy.sum", "cross_entropy.ignored-in-mean"}
    total = losses[0] + losses[1] + _torchs((1,), (Z[3],))  # type: ignore[index]
    assert found["cross_entropy.log-2"] == pytest.approx(total / 3 / math.log(2))
    assert found["cross_entropy.sum"] == pytest.approx(total)
    assert found["cross_entropy.sign"] == pytest.approx(-total / 3)
    assert found["cross_entropy.ignored-in-mean"] == pytest.approx(total / 4)
    assert set(wrong(_loss((0, 2, 1, 1)))) == {*always, "cross_entropy.sum"}, "none is ignored"
    assert set(wrong(_loss((-100, -100, 1, -100)))) == {*always, "cross_entropy.ignored-in-mean"}, "one counts"
    assert wrong(_loss(2, (1, 2, 0)))["cross_entropy.sign"] == pytest.approx(-_torchs(2, (1, 2, 0)))
    found = wrong(_loss((1, 0, 2, 1), shift="yes"))
    assert found["cross_entropy.not-shifted"] == pytest.approx(_torchs((1, 0, 2, 1)))


@pytest.mark.parametrize("targets", [(0, 1, 2), ((0, 1, 2),), ((1, 0), (0, 1), (1, 0), (0, 1)), (0, 1, 2, 3), (0, 1, 2, -1)])
def test_targets_that_do_not_fit_are_refused(targets: Nested) -> None:
    with pytest.raises(run.RunError, match="cross_entropy"):
        run.values(_loss(targets))


def test_a_batch_known_by_its_shape_has_one_loss() -> None:
    inputs = (("z", Shape((8, 128, 50257))), ("y", Shape((8, 128))))
    form = AnswerFormat(Kind.NUMBER)
    for shift in ("no", "yes"):
        program = Program(inputs, (call("L", "cross_entropy", "z", "y", shift=shift),), (Ask("L", form),))
        assert run.shapes(program)["L"] == ()


# Perplexity ---------------------------------------------------------------------------------------------------------------


def test_perplexity() -> None:
    """Of a uniform guess among V it is V."""
    program = Program(
        (("z", ((0, 0, 0, 0, 0), (7, 7, 7, 7, 7))), ("y", (3, 0))),
        (call("L", "cross_entropy", "z", "y"), call("P", "perplexity", "L")),
        (Ask("P", AnswerFormat(Kind.NUMBER, decimals=3)),),
    )
    assert value(program) == pytest.approx(5)
    assert value(asking(call("P", "perplexity", "L"), 0, L=ln(50257))) == pytest.approx(50257)
    assert value(asking(call("P", "perplexity", "L", base="2"), 0, L=3)) == 8
    assert wrong(asking(call("P", "perplexity", "L"), 0, L=3)) == {"perplexity.base-2": 8}
    assert not wrong(asking(call("P", "perplexity", "L", base="2"), 0, L=3))


# Smoothed targets ---------------------------------------------------------------------------------------------------------

ONE_HOT: Nested = ((1, 0, 0), (0, 0, 1), (0, 1, 0), (0, 1, 0))
TENTH = Fraction(1, 10)


def _smoothed(y: Nested, **parameters: str) -> Program:
    return asking(call("q", "label_smoothing", "y", "eps", **parameters), np.ndim(np.array(y)), y=y, eps=TENTH)


def test_epsilon_is_spread_over_all_or_over_the_others() -> None:
    assert value(_smoothed((0, 1, 0, 0))) == pytest.approx([0.025, 0.925, 0.025, 0.025])
    assert value(_smoothed((0, 1, 0, 0), over="others")) == pytest.approx([0.1 / 3, 0.9, 0.1 / 3, 0.1 / 3])
    for over in ("all", "others"):
        assert value(_smoothed(ONE_HOT, over=over)).sum(1) == pytest.approx(np.ones(4))


def test_the_smoothed_loss_is_that_of_torch() -> None:
    line = call("q", "label_smoothing", "y", "eps")
    program = Program(
        (("z", Z), ("y", ONE_HOT), ("eps", TENTH)),
        (line, call("L", "cross_entropy", "z", "q")),
        (Ask("L", AnswerFormat(Kind.NUMBER, decimals=4)),),
    )
    assert value(program) == pytest.approx(_torchs((0, 2, 1, 1), label_smoothing=0.1), abs=1e-12)
    assert wrong(program)["cross_entropy.one-hot"] == pytest.approx(_torchs((0, 2, 1, 1)), abs=1e-12)


def test_targets_that_are_smoothed_wrongly() -> None:
    found = wrong(_smoothed((0, 1, 0, 0)))
    assert found["label_smoothing.not-shared"].tolist() == pytest.approx([0.1, 1, 0.1, 0.1])
    assert found["label_smoothing.target-without-share"].tolist() == pytest.approx([0.025, 0.9, 0.025, 0.025])
    others = wrong(_smoothed((0, 1, 0, 0), over="others"))
    assert others["label_smoothing.not-shared"].tolist() == pytest.approx([0.1, 0.9, 0.1, 0.1])
    assert "label_smoothing.target-without-share" not in others


def test_each_way_of_smoothing_is_the_other_ones_mistake() -> None:
    assert wrong(_smoothed((0, 1, 0, 0)))["label_smoothing.over-others"][1] == pytest.approx(0.9)
    assert wrong(_smoothed((0, 1, 0, 0), over="others"))["label_smoothing.over-all"][1] == pytest.approx(0.925)
