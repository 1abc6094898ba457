"""Activations, gates, and the additive scores that are a small feed-forward network themselves."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
import torch
from torch.nn import functional

from question_bank.math import to_unicode
from question_bank.program import AnswerFormat, Ask, Call, Kind, Nested, Program, call
from solvers import run
from solvers.mistakes import slips
from solvers.operations import OPERATIONS
from tests.solvers.one_call import asking, near, value, wrong

X: Nested = ((1, -2, 0), (Fraction(1, 2), 3, Fraction(-7, 4)))
TENSOR = torch.tensor(run.floats(X), dtype=torch.float64)

# Activations ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "expected", "exact"),
    [
        ("relu", [1, 0, 0], "1"),
        ("gelu", [0.8413, -0.0455, 0], "erf(sqrt(2)/2)/2 + 1/2"),
        ("gelu_tanh", [0.8412, -0.0454, 0], "tanh(208943*sqrt(2)/(200000*sqrt(pi)))/2 + 1/2"),
        ("silu", [0.7311, -0.2384, 0], "1/(exp(-1) + 1)"),
        ("tanh", [0.7616, -0.964, 0], "tanh(1)"),
        ("sigmoid", [0.7311, 0.1192, 0.5], "1/(exp(-1) + 1)"),
    ],
)
def test_activations(kind: str, expected: list[float], exact: str) -> None:
    program = asking(call("H", "activation", "X", kind=kind), 2, X=X)
    near(value(program)[0].round(4), expected)
    assert str(run.exact(program)["H"][0][0]) == exact
    assert value(asking(call("H", "activation", "x", kind=kind), 0, x=1)) == pytest.approx(expected[0], abs=5e-5)


def test_relu_is_what_is_left_where_nothing_is_said() -> None:
    assert value(asking(call("H", "activation", "x"), 1, x=(-1, 2))).tolist() == [0, 2]


@pytest.mark.parametrize(
    ("kind", "named"),
    [
        ("relu", {"activation.absolute": [1, 2], "activation.negative-part": [0, -2]}),
        (
            "silu",
            {
                "activation.sigmoid": [0.7311, 0.1192],
                "activation.relu": [1, 0],
                "activation.swapped": [0.8413, -0.0455],
            },
        ),
        (
            "gelu",
            {
                "activation.normal": [0.8413, 0.0228],
                "activation.relu": [1, 0],
                "activation.quick": [0.8458, -0.0643],
                "activation.silu": [0.7311, -0.2384],
            },
        ),
        (
            "gelu_tanh",
            {"activation.normal": [0.8413, 0.0228], "activation.relu": [1, 0], "activation.silu": [0.7311, -0.2384]},
        ),
        ("sigmoid", {}),
    ],
)
def test_mistakes_of_activations(kind: str, named: dict[str, list[float]]) -> None:
    found = wrong(asking(call("H", "activation", "x", kind=kind), 1, x=(1, -2)))
    assert found.pop("activation.left-out").tolist() == [1, -2]
    assert {name: result.round(4).tolist() for name, result in found.items()} == named


W_1: Nested = ((1, 0, 2, -1), (1, 1, -1, 0))
W_2: Nested = ((1, 2), (0, -1), (-3, 1), (1, -1))
FFN = (
    call("U", "project", "x", "W_1"),
    call("B", "add", "U", "b_1"),
    call("H", "activation", "B"),
    call("T", "project", "H", "W_2"),
)
INPUTS: tuple[tuple[str, Nested], ...] = (
    ("x", (1, -3)),
    ("W_1", W_1),
    ("b_1", (0, 1, -1, 2)),
    ("W_2", W_2),
    ("b_2", (1, 4)),
    ("W_V", ((1, 2, 0, 1), (0, 1, 1, 0))),
)


def _ffn(*calls: Call) -> Program:
    return Program(INPUTS, calls, (Ask(calls[-1].node, AnswerFormat(Kind.VECTOR, decimals=3)),))


def _found(program: Program, mistake: str) -> list[float]:
    (slip,) = (slip for slip in slips(program, 0) if slip.mistake == mistake)
    (result,) = run.answers(slip.program)
    near(run.replay(slip.program, None)[program.asks[0].node], result)
    return list(result)


def test_the_activation_after_the_second_matrix() -> None:
    """b_1 added, the hidden layer is [-2, -2, 4, 1]."""
    assert run.answers(_ffn(*FFN)) == [[-11, 3]]
    assert _found(_ffn(*FFN), "activation.after-second") == [0, 1]  # of [-13, 1]
    with_bias = _ffn(*FFN, call("y", "add", "T", "b_2"))
    assert run.answers(with_bias) == [[-10, 7]]
    assert _found(with_bias, "activation.after-second") == [0, 5]  # of [-13, 1] + [1, 4]
    assert _found(with_bias, "activation.left-out") == [-12, 5]


def test_an_activation_asked_for_itself_is_not_moved() -> None:
    assert "activation.after-second" not in {slip.mistake for slip in slips(_ffn(*FFN[:3]), 0)}


# Gates ----------------------------------------------------------------------------------------------------------------------

SWIGLU = (
    call("G", "project", "x", "W_1"),
    call("H", "activation", "G", kind="silu"),
    call("L", "project", "x", "W_V"),
    call("y", "gate", "H", "L"),
)


def test_gates() -> None:
    program = asking(call("G", "gate", "A", "B"), 2, A=X, B=((3, 4, 5), (-2, 1, 1)))
    assert value(program).tolist() == [[3, -8, 0], [-1, 3, -1.75]]
    found = wrong(program)
    assert found["gate.added"].tolist() == [[4, 2, 5], [-1.5, 4, -0.75]]
    assert found["gate.left-out"].tolist() == run.floats(X)
    assert set(found) == {"gate.added", "gate.left-out"}


def test_the_gated_branch_is_the_activated_one() -> None:
    """x W_1 is [-2, -3, 5, -1] and x W_V is [1, -1, -3, 1]."""
    program = _ffn(*SWIGLU)
    gated, linear = torch.tensor([-2.0, -3, 5, -1]).double(), torch.tensor([1.0, -1, -3, 1]).double()
    near(run.answers(program)[0], (functional.silu(gated) * linear).numpy())
    near(_found(program, "gate.other-branch"), (functional.silu(linear) * gated).numpy())
    (activation,) = (slip for slip in slips(program, 0) if slip.mistake == "activation.sigmoid")
    near(run.answers(activation.program)[0], (torch.sigmoid(gated) * linear).numpy())


# Additive scores ------------------------------------------------------------------------------------------------------------

Q: Nested = ((1, 0), (0, 2), (Fraction(-1, 2), 1))
K: Nested = ((1, 1), (0, -1))


def test_additive_scores() -> None:
    matrix = value(asking(call("S", "additive_scores", "Q", "K", "v"), 2, Q=Q, K=K, v=(1, 2)))
    tanh = math.tanh
    near(matrix[:2], [[tanh(2) + 2 * tanh(1), tanh(1) - 2 * tanh(1)], [tanh(1) + 2 * tanh(3), 2 * tanh(1)]])
    near(value(asking(call("s", "additive_scores", "q", "K", "v"), 1, q=(0, 2), K=K, v=(1, 2))), matrix[1])
    near(value(asking(call("s", "additive_scores", "Q", "k", "v"), 1, Q=Q, k=(0, -1), v=(1, 2))), matrix[:, 1])
    one = asking(call("s", "additive_scores", "q", "k", "v"), 0, q=(0, 2), k=(0, -1), v=(1, 2))
    near(value(one), matrix[1, 1])
    assert str(run.exact(one)["s"]) == "2*tanh(1)"


def test_they_are_those_of_a_layer_in_a_batch() -> None:
    keys = torch.randn(2, 4, 3, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    queries, v = keys[:, :3] * 2 - 1, torch.tensor([1.0, -2, 0.5]).double()
    scores = OPERATIONS["additive_scores"].torch(queries, keys, v)
    assert scores.shape == (2, 3, 4)
    for b, i, j in np.ndindex(2, 3, 4):
        near(float(scores[b, i, j]), float(v @ torch.tanh(queries[b, i] + keys[b, j])))


def test_mistakes_of_additive_scores() -> None:
    found = wrong(asking(call("s", "additive_scores", "q", "k", "v"), 0, q=(1, 2), k=(3, -1), v=(1, 2)))
    assert found["additive_scores.no-tanh"] == 4 + 2 * 1
    assert found["additive_scores.tanh-outside"] == pytest.approx(math.tanh(4 + 2 * 1))
    assert found["additive_scores.product"] == pytest.approx(math.tanh(3) + 2 * math.tanh(-2))
    assert set(wrong(asking(call("S", "additive_scores", "Q", "K", "v"), 2, Q=Q, K=K, v=(1, 2)))) == set(found)


@pytest.mark.parametrize(
    ("names", "text"),
    [
        (("Q", "K", "v"), "Sᵢⱼ = vᵀ tanh(qᵢ + kⱼ)"),
        (("q", "K", "v"), "Sⱼ = vᵀ tanh(q + kⱼ)"),
        (("q", "k", "v"), "S = vᵀ tanh(q + k)"),
    ],
)
def test_a_formula_for_matrices_and_for_vectors(names: tuple[str, ...], text: str) -> None:
    assert to_unicode(OPERATIONS["additive_scores"].formula(call("S", "additive_scores", *names))) == text


# Shapes ---------------------------------------------------------------------------------------------------------------------

MISFITS: list[tuple[str, dict[str, Nested], str]] = [
    ("gate", {"A": X, "B": (1, 2, 3)}, r"A \[2, 3\], B \[3\]"),
    ("additive_scores", {"Q": Q, "K": X, "v": (1, 2)}, r"Q \[3, 2\], K \[2, 3\], v \[2\]"),
    ("additive_scores", {"Q": Q, "K": K, "v": (1, 2, 3)}, r"v \[3\]"),
    ("additive_scores", {"Q": Q, "K": K, "v": ((1, 2),)}, r"v \[1, 2\]"),
]


@pytest.mark.parametrize(("operation", "inputs", "named"), MISFITS)
def test_shapes_that_do_not_fit_are_named(operation: str, inputs: dict[str, Nested], named: str) -> None:
    with pytest.raises(run.RunError, match=rf"“{operation}”: .*{named}"):
        run.values(asking(call("R", operation, *inputs), 2, **inputs))
