"""Group A, the basics of attention: the numbers in the answers, computed here in plain Python, and the claims about torch."""

from __future__ import annotations

import math

import pytest
import torch

from question_bank.questions import Group
from tests.question_bank.figures import Figures, product, quoted, scientific, softmax, turned

SECTIONS = {
    Group.A: {1: "7.1", 2: "7.5", 3: "7.5", 4: "7.7", 5: "7.7", 6: "7.7", 7: "7.9", 8: "7.10", 9: "7.11", 10: "7.11"},
}

X = [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]
W_Q = [[1.0, 0.0], [1.0, 1.0]]
W_K = [[0.0, 1.0], [1.0, 0.0]]
IDENTITY = [[1.0, 0.0], [0.0, 1.0]]
Q, K, V = product(X, W_Q), product(X, W_K), X
SCORES = product(Q, turned(K))
A = [softmax([score / math.sqrt(2) for score in row]) for row in SCORES]
OTHER_SCORES = product(Q, turned(X))
"""The scores with W_K = I: not symmetric, unlike those of the worked example."""
SELF_WEIGHTS = [softmax([score / math.sqrt(2) for score in row]) for row in product(X, turned(X))]


def cosine(q: tuple[float, float], k: tuple[float, float]) -> float:
    return (q[0] * k[0] + q[1] * k[1]) / math.hypot(*q) / math.hypot(*k)


def slope(p: float) -> float:
    return p * (1 - p)


BY_8, BY_1, BY_64 = softmax([8, 0, -8]), softmax([1, 0, -1]), softmax([8 / 64, 0, -8 / 64])


FIGURES = {
    1: Figures(
        both=(rf"0.9^{{100}} \approx {scientific(0.9**100)}", f"101^2 = {101**2}", f"3^5 = {3**5}"),
        en=(f"{50**2 * 512 / 1e6:.2f} million against {50 * 512**2 / 1e6:.1f} million", f"a CNN {math.ceil(100 / 2)} layers"),
        zh=(f"{50**2 * 512 / 1e4:.0f} 万对 {50 * 512**2 / 1e4:.0f} 万", f"CNN 要 {math.ceil(100 / 2)} 层"),
        given=("0.9",),
    ),
    2: Figures(
        both=(
            f"q = {quoted(Q[0], 0)}",
            f"k = {quoted(K[0], 0)}",
            f"v = {quoted(V[0], 0)}",
            rf"3 \cdot 512 \cdot 64 = {3 * 512 * 64}",
            rf"3 \cdot 64 = {3 * 64}",
        )
    ),
    3: Figures(
        both=(
            rf"S_{{12}} = q_1 \cdot k_2 = {OTHER_SCORES[0][1]:.0f}",
            rf"S_{{21}} = q_2 \cdot k_1 = {OTHER_SCORES[1][0]:.0f}",
            rf"A_{{13}} \approx {SELF_WEIGHTS[0][2]:.3f}",
            rf"A_{{31}} \approx {SELF_WEIGHTS[2][0]:.3f}",
            f"{2 * 512 * 64}",
            f"{512 * 512}",
        )
    ),
    4: Figures(
        both=(
            *(f"{cosine((2, 1), key):.3f}" for key in ((0, 1), (1, 0), (1, 1), (3, 0))),
            f"{100 * softmax([1.0] + 999 * [-1.0])[0]:.2f}",
        ),
        en=("beats $[1, 1]$ by 6 to 3",),
        zh=("以 6 比 3 胜过 $[1, 1]$",),
    ),
    5: Figures(
        both=(
            quoted(SCORES[2], 0),
            quoted(SCORES[0], 0),
            quoted(A[2], 3),
            f"A_{{32}} = {A[2][1]:.3f}",
            rf"S_{{23}} = [1, 1] \cdot [1, 1] = {OTHER_SCORES[1][2]:.0f}",
            rf"S_{{32}} = [2, 1] \cdot [0, 1] = {OTHER_SCORES[2][1]:.0f}",
            f"${1 * 1 - 2 * 1}$",
        )
    ),
    6: Figures(
        both=(
            f"{512**2}",
            f"{1024**2}",
            rf"12 \cdot 1024^2 \cdot 2 = {12 * 1024**2 * 2}",
            f"{12 * 1024**2 * 2 // 2**20} MiB",
        )
    ),
    7: Figures(
        both=(
            quoted(BY_8, 4),
            quoted(BY_1, 3),
            quoted(BY_64, 3),
            rf"p(1-p) \approx {slope(BY_8[0]):.4f}",
            f"{slope(BY_1[0]):.3f}",
            rf"\sqrt{{512}} \approx {math.sqrt(512):.1f}",
            "[0.125, 0, -0.125]",
            *(f"{100 * softmax([3 / scale, 2 / scale, 1 / scale])[0]:.1f}" for scale in (1, math.sqrt(16), math.sqrt(64))),
        )
    ),
    8: Figures(
        both=(
            quoted(softmax([-1, 0]), 3),
            f"{math.log(torch.finfo(torch.float32).max):.1f}",
            f"{math.log(torch.finfo(torch.float16).max):.2f}",
            "[[1/3, 2/3], [3/4, 1/4]]",
            "[[1/4, 2/3], [3/4, 1/3]]",
        )
    ),
    9: Figures(
        both=(
            "[7.5, 5, 5]",
            quoted(product(A, V)[1], 3),
        ),
        given=("0.75", "0.25"),
    ),
    10: Figures(
        both=(
            quoted(A[2], 3),
            quoted(product(A, V)[2], 3),
            f"{100 * (round(A[2][0], 3) + round(A[2][1], 3)):.1f}",
            f"{softmax([10, 0])[0]:.5f}",
            "[2/3, 2/3]",
        )
    ),
}


def test_claims_that_are_no_single_number() -> None:
    assert 3**4 < 101 <= 3**5  # Q1: five dilated layers
    assert pytest.approx(0.1, abs=0.01) == 50**2 * 512 / (50 * 512**2)  # Q1: about a tenth
    assert product(W_Q, turned(W_K)) == turned(product(W_Q, turned(W_K)))  # Q3: happens to be symmetric
    assert turned(SCORES) == SCORES  # Q5, Q8: the worked example can't tell S_ij from S_ji
    assert turned(OTHER_SCORES) != OTHER_SCORES
    assert min(SCORES[0]) == SCORES[0][0]  # Q5: the diagonal is the smallest
    assert product([[2, 1]], [[3], [0]]) == [[6]]  # Q4: twice as large, with a smaller cosine
    assert cosine((2, 1), (3, 0)) < cosine((2, 1), (1, 1))
    assert 500 < slope(BY_1[0]) / slope(BY_8[0]) < 1000  # Q7: several hundred times
    rows = [softmax([0, math.log(2)]), softmax([math.log(3), 0])]  # Q8
    assert rows == [pytest.approx([1 / 3, 2 / 3]), pytest.approx([3 / 4, 1 / 4])]
    columns = turned([softmax([0, math.log(3)]), softmax([math.log(2), 0])])
    assert columns == [pytest.approx([1 / 4, 2 / 3]), pytest.approx([3 / 4, 1 / 3])]
    assert [sum(row) for row in columns] == pytest.approx([11 / 12, 13 / 12])
    assert [sum(column) for column in turned(rows)] == pytest.approx([13 / 12, 11 / 12])
    assert product([[0.75, 0.25]], [[10, 0, 5], [0, 20, 5]]) == [[7.5, 5, 5]]  # Q9
    assert product([[0.75, 0.25]], IDENTITY) == [[0.75, 0.25]]
    assert product(A, K)[1] == pytest.approx(product(A, V)[1])
    assert product(A, K)[0] != pytest.approx(product(A, V)[0])
    assert product([[1 / 3] * 3], V) == [pytest.approx([2 / 3, 2 / 3])]  # Q10


def test_claims_about_torch() -> None:
    q, k, v = (torch.tensor(matrix, dtype=torch.float64) for matrix in (Q, K, V))
    by_hand = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.size(-1)), dim=-1) @ v
    assert torch.allclose(torch.nn.functional.scaled_dot_product_attention(q, k, v), by_hand)  # Q7: it scales by itself
    assert torch.allclose(by_hand, torch.tensor(product(A, V), dtype=torch.float64))
    assert torch.nn.Linear(512, 64).weight.shape == (64, 512)  # Q2
    assert torch.softmax(torch.full((3,), -torch.inf), dim=-1).isnan().all()  # Q8
    assert torch.softmax(torch.tensor([1.0, -torch.inf]), dim=-1).tolist() == [1.0, 0.0]  # Q10
    best = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    assert not best.argmax().requires_grad  # Q10
