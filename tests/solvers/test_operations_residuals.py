"""Gradients through unlike layers, how far a change reaches, and top-k and top-p sampling."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
import torch

from question_bank.program import AnswerFormat, Ask, Kind, Nested, Program, call
from solvers import run
from tests.solvers.one_call import asking, value, wrong


def _tenths(*numbers: int) -> Nested:
    return tuple(Fraction(number, 10) for number in numbers)


@pytest.mark.parametrize(("path", "gradient"), [("residual", 1.5 * 0.8 * 3), ("plain", 0.5 * -0.2 * 2)])
def test_the_gradient_through_unlike_layers(path: str, gradient: float) -> None:
    slopes = (0.5, -0.2, 2.0)
    found = value(asking(call("g", "residual_chain", "f", path=path), 0, f=_tenths(5, -2, 20)))
    assert float(found) == pytest.approx(gradient)
    x = torch.tensor(1.0, dtype=torch.float64, requires_grad=True)
    y = x
    for slope in slopes:
        y = (y if path == "residual" else 0) + slope * y
    y.backward()  # type: ignore[no-untyped-call]
    assert x.grad is not None
    assert float(x.grad) == pytest.approx(gradient)


def test_wrong_gradients() -> None:
    found = {name: float(result) for name, result in wrong(asking(call("g", "residual_chain", "f"), 0, f=(2, 3))).items()}
    assert found == {
        "residual_chain.one-plus-product": 7,
        "residual_chain.sum": 6,
        "residual_chain.one": 1,
        "residual_chain.no-residual": 6,
    }


@pytest.mark.parametrize(
    ("behind", "ahead", "reached"),
    [
        ("all", 0, [0, 0, 1, 1, 1]),
        ("all", "all", [1, 1, 1, 1, 1]),
        (1, 0, [0, 0, 1, 1, 0]),
        ("all", 1, [0, 1, 1, 1, 1]),
        (0, 0, [0, 0, 1, 0, 0]),
        (1, 2, [1, 1, 1, 1, 0]),
    ],
)
def test_how_far_a_change_reaches(behind: str | int, ahead: str | int, reached: list[int]) -> None:
    assert value(asking(call("d", "influence", "c", behind=behind, ahead=ahead), 1, c=(0, 0, 1, 0, 0))).tolist() == reached
    offsets = torch.arange(5) - torch.arange(5)[:, None]
    seen = (offsets <= (9 if ahead == "all" else int(ahead))) & (-offsets <= (9 if behind == "all" else int(behind)))
    torch.manual_seed(0)
    X = torch.randn(5, 3, dtype=torch.float64)
    changed = X.clone()
    changed[2] += 1
    outputs = [
        x + torch.nn.functional.scaled_dot_product_attention(x[None], x[None], x[None], attn_mask=seen)[0] for x in (X, changed)
    ]
    assert (outputs[0] != outputs[1]).any(-1).int().tolist() == reached


def test_wrong_reaches() -> None:
    found = wrong(asking(call("d", "influence", "c"), 1, c=(0, 1, 0)))
    assert {name: result.tolist() for name, result in found.items()} == {
        "influence.residual-leaks": [1, 1, 1],
        "influence.turned-round": [1, 1, 0],
        "influence.own-only": [0, 1, 0],
    }
    # Past the mask of one layer, where another looks one position ahead; no mistake where all is seen in another anyway.
    for ahead, reached in ((1, [1, 1, 1, 1]), ("all", None)):
        program = asking(call("a", "influence", "c"), 1, c=(0, 0, 1, 0))
        program = replace(program, calls=(*program.calls, call("b", "influence", "a", ahead=ahead)))
        program = replace(program, asks=(replace(program.asks[0], node="b"),))
        found = wrong(program).get("influence.residual-leaks")
        assert (found if found is None else found.tolist()) == reached
    assert float(wrong(asking(call("n", "how_many", "c"), 0, c=(0, 1, 1)))["how_many.others"]) == 1


P: Any = _tenths(1, 4, 2, 3)


@pytest.mark.parametrize(
    ("operation", "limit", "kept"),
    [
        ("top_k", 1, [0, 1, 0, 0]),
        ("top_k", 2, [0, 4 / 7, 0, 3 / 7]),
        ("top_k", 4, [0.1, 0.4, 0.2, 0.3]),
        ("top_p", Fraction(4, 10), [0, 1, 0, 0]),
        ("top_p", Fraction(7, 10), [0, 4 / 7, 0, 3 / 7]),
        ("top_p", Fraction(71, 100), [0, 4 / 9, 2 / 9, 3 / 9]),
        ("top_p", 1, [0.1, 0.4, 0.2, 0.3]),
    ],
)
def test_tokens_that_are_kept(operation: str, limit: int | Fraction, kept: list[float]) -> None:
    assert value(asking(call("q", operation, "p", "t"), 1, p=P, t=limit)) == pytest.approx(kept)


def test_wrong_choices() -> None:
    found = {
        name: result.tolist() for name, result in wrong(asking(call("q", "top_p", "p", "t"), 1, p=P, t=Fraction(8, 10))).items()
    }
    assert found["top_p.not-renormalised"] == pytest.approx([0, 0.4, 0.2, 0.3])
    assert found["top_p.crossing-dropped"] == pytest.approx([0, 4 / 7, 0, 3 / 7])
    found = {name: result.tolist() for name, result in wrong(asking(call("q", "top_k", "p", "k"), 1, p=P, k=2)).items()}
    assert found["top_k.not-renormalised"] == pytest.approx([0, 0.4, 0, 0.3])
    assert found["top_k.smallest"] == pytest.approx([1 / 3, 0, 2 / 3, 0])


def test_as_many_tokens_as_there_are() -> None:
    with pytest.raises(run.RunError):
        run.answers(asking(call("q", "top_k", "p", "k"), 1, p=P, k=5))


def _logits(positions: str) -> Any:
    H, W = ((1, 2), (3, -1), (0, 1)), ((1, 0, 2), (0, 1, -1))
    return asking(call("L", "logits", "H", "W", positions=positions), 2, H=H, W=W)


def test_logits_of_all_positions_and_of_the_last() -> None:
    everywhere = value(_logits("all")).tolist()
    linear = torch.nn.Linear(2, 3, bias=False, dtype=torch.float64)
    with torch.no_grad():
        linear.weight.copy_(torch.tensor([[1.0, 0, 2], [0, 1, -1]]).T)
    assert everywhere == linear(torch.tensor([[1.0, 2], [3, -1], [0, 1]], dtype=torch.float64)).tolist()
    assert value(_logits("last")).tolist() == everywhere[-1:]
    assert wrong(_logits("last"))["logits.all-positions"].tolist() == everywhere
    assert wrong(_logits("all"))["logits.last-only"].tolist() == everywhere[-1:]


def test_a_second_residual_adds_the_first_input() -> None:
    calls = (
        call("F", "activation", "x"),
        call("H", "residual_add", "x", "F"),
        call("G", "activation", "H"),
        call("y", "residual_add", "H", "G"),
    )
    program = Program((("x", (2, -3)),), calls, (Ask("y", AnswerFormat(Kind.VECTOR)),))
    assert value(program).tolist() == [8, -3]
    found = wrong(program)
    assert found["residual_add.first-input"].tolist() == [6, -3]
    assert "residual_add.first-input" not in wrong(asking(call("y", "residual_add", "x", "F"), 1, x=(1, 2), F=(3, 4)))
