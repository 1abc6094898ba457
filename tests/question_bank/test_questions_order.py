"""Groups B and E, position and training: the numbers in the answers, computed in plain Python, and the claims about torch."""

from __future__ import annotations

import math
from itertools import product as every

import pytest
import torch
from torch import nn

from question_bank.questions import Group
from tests.question_bank.figures import Figures, product, quoted, scientific, softmax, turned

SECTIONS = {
    Group.B: {11: "7.3", 12: "7.3", 28: "7.3", 29: "7.3", 30: "7.3"},
    Group.E: {39: "7.23", 40: "7.19"},
}

X = [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]
W_Q = [[1.0, 0.0], [1.0, 1.0]]
W_K = [[0.0, 1.0], [1.0, 0.0]]
CHANGED = [X[0], X[1], [5.0, -3.0]]
"""X with another last token."""
SWAPPED = [X[1], X[0], X[2]]


def weights(tokens: list[list[float]], *, causal: bool = False) -> list[list[float]]:
    scores = product(product(tokens, W_Q), turned(product(tokens, W_K)))
    seen = [index + 1 if causal else len(tokens) for index in range(len(tokens))]
    return [
        softmax([score / math.sqrt(2) for score in row[:length]]) + [0.0] * (len(tokens) - length)
        for row, length in zip(scores, seen, strict=True)
    ]


def attention(tokens: list[list[float]], *, causal: bool = False) -> list[list[float]]:
    return product(weights(tokens, causal=causal), tokens)


def with_skip(tokens: list[list[float]], *, causal: bool) -> list[list[float]]:
    rows = zip(tokens, attention(tokens, causal=causal), strict=True)
    return [[x + o for x, o in zip(token, output, strict=True)] for token, output in rows]


def frequencies(width: int) -> list[float]:
    return [10000 ** (-2 * pair / width) for pair in range(width // 2)]


def encoding(position: int, width: int) -> list[float]:
    return [wave(position * frequency) for frequency in frequencies(width) for wave in (math.sin, math.cos)]


def dot(left: list[float], right: list[float]) -> float:
    return sum(a * b for a, b in zip(left, right, strict=True))


def rotated(pair: list[float], angle: float) -> list[float]:
    x, y = pair
    return [x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle)]


def rate(step: int, width: int = 512, warm_up: int = 4000) -> float:
    """Vaswani et al. 2017, equation 3."""
    return float(width**-0.5 * min(step**-0.5, step * warm_up**-1.5))


ROOT = math.sqrt(512)
SLOWEST = 2 * math.pi / frequencies(512)[-1]
LAST_WEIGHTS = weights(X)[2]
DROPPED = [LAST_WEIGHTS[0] / (1 - 0.1), 0.0, LAST_WEIGHTS[2] / (1 - 0.1)]

FIGURES = {
    11: Figures(
        both=(
            *(quoted(row, 3) for row in attention(X)),
            f"${quoted(attention(SWAPPED, causal=True)[2], 3)}$",
        )
    ),
    12: Figures(
        both=(
            rf"\mathrm{{PE}}(0) = {quoted(encoding(0, 4), 0)}",
            rf"\mathrm{{PE}}(1) = {quoted(encoding(1, 4), 3)}",
            rf"\mathrm{{PE}}(2) = {quoted(encoding(2, 4), 3)}",
            rf"\cos 2 \approx {math.cos(3 - 1):.3f}",
            rf"0.841 \cdot 0.540 + 0.540 \cdot 0.841 \approx {2 * math.sin(1) * math.cos(1):.3f}",
            quoted([math.sin(44), math.cos(44)], 3),
            f"{frequencies(4)[1]:.2f}",
        )
    ),
    28: Figures(
        both=(
            rf"1/\sqrt{{512}} \approx {1 / ROOT:.3f}",
            rf"\sqrt{{256}} = {math.sqrt(dot(encoding(7, 512), encoding(7, 512))):.0f}",
            f"{ROOT:.1f}",
        ),
        en=(f"about {ROOT * ROOT:.0f}, {ROOT * ROOT / 16:.0f} times", f"{ROOT:.1f} and {math.sqrt(512 / 8):.0f}"),
        zh=(
            f"到 {ROOT * ROOT:.0f} 左右，是位置编码的 {ROOT * ROOT / 16:.0f} 倍",
            f"一个是 {ROOT:.1f}，一个是 {math.sqrt(512 / 8):.0f}",
        ),
    ),
    29: Figures(
        both=(
            rf"\mathrm{{PE}}(0) \cdot \mathrm{{PE}}(1) \approx {dot(encoding(0, 4), encoding(1, 4)):.3f}",
            f"{1024 * 768}",
            f"{round(SLOWEST, -2):.0f}",
        ),
        en=(
            f"{dot(encoding(0, 4), encoding(3, 4)):.3f} at distance 3",
            f"{dot(encoding(0, 4), encoding(10, 4)):.3f} at distance 10",
        ),
        zh=(
            f"距离 3 是 {dot(encoding(0, 4), encoding(3, 4)):.3f}",
            f"距离 10 反而是 {dot(encoding(0, 4), encoding(10, 4)):.3f}",
        ),
    ),
    30: Figures(
        both=(
            rf"1024 \cdot 768 = {1024 * 768}",
            rf"\cos 2 \approx {dot(rotated([1, 0], 3), rotated([1, 0], 1)):.3f}",
            quoted(softmax([-1, -0.5, 0]), 3),
            "[-1, -0.5, 0]",
            rf"10000 \cdot 4^{{128/126}} \approx {10000 * 4 ** (128 / 126):.0f}",
            f"{8191 / 4}",
        ),
        en=(f"{32 * 12} numbers",),
        zh=(f"{32 * 12} 个数",),
    ),
    39: Figures(
        both=(
            *(f"${scientific(rate(step))}$" for step in (4000, 1000, 16000)),
            f"${scientific(rate(4000, width=1024))}$",
            quoted(LAST_WEIGHTS, 3),
            f"[{DROPPED[0]:.3f}, 0, {DROPPED[2]:.3f}]",
            f"{sum(DROPPED):.3f}",
        ),
        given=("0.1", "3.0", "0.6"),
    ),
    40: Figures(
        both=(
            quoted(LAST_WEIGHTS, 3),
            f"[{weights(X, causal=True)[1][0]}, {weights(X, causal=True)[1][1]}, 0]",
            f"y_1 = {quoted(with_skip(X, causal=True)[0], 0)}",
            f"y_2 = {quoted(with_skip(X, causal=True)[1], 1)}",
            f"y_3 = {quoted(with_skip(X, causal=True)[2], 3)}",
            quoted(with_skip(X, causal=False)[0], 3),
            quoted(with_skip(CHANGED, causal=False)[0], 3),
        )
    ),
}


def approx(matrix: list[list[float]]) -> list[object]:
    return [pytest.approx(row) for row in matrix]


def test_order() -> None:  # Q11
    assert attention(X[::-1]) == approx(attention(X)[::-1])
    assert attention(X, causal=True)[0] == [1, 0]
    assert attention(X[::-1], causal=True)[2] == pytest.approx(attention(X)[0])
    assert attention(SWAPPED, causal=True)[2] == pytest.approx(attention(X, causal=True)[2])
    deep, swapped = (attention(attention(tokens, causal=True), causal=True)[2] for tokens in (X, SWAPPED))
    assert deep != pytest.approx(swapped)  # but deeper layers can tell
    placed, other_way_round = (
        [[a + b for a, b in zip(token, encoding(t, 2), strict=True)] for t, token in enumerate(tokens)]
        for tokens in (X, X[::-1])
    )
    assert attention(other_way_round) != approx(attention(placed)[::-1])


def test_order_in_torch() -> None:  # Q11
    torch.manual_seed(0)
    layer = nn.TransformerEncoderLayer(8, 2, batch_first=True, dtype=torch.float64).eval()
    tokens, order = torch.randn(1, 5, 8, dtype=torch.float64), torch.tensor([3, 0, 4, 1, 2])
    padding = torch.tensor([[False, False, True, False, True]])
    assert torch.allclose(layer(tokens[:, order]), layer(tokens)[:, order])
    assert torch.allclose(
        layer(tokens[:, order], src_key_padding_mask=padding[:, order])[:, ~padding[0, order]],
        layer(tokens, src_key_padding_mask=padding)[:, order][:, ~padding[0, order]],
    )
    queries = torch.randn(1, 3, 8, dtype=torch.float64)
    cross = torch.nn.functional.scaled_dot_product_attention
    assert torch.allclose(cross(queries, tokens[:, order], tokens[:, order]), cross(queries, tokens, tokens))
    assert torch.allclose(cross(queries[:, [2, 0, 1]], tokens, tokens), cross(queries, tokens, tokens)[:, [2, 0, 1]])


def test_sinusoids() -> None:  # Q12, Q28, Q29
    for t, k, frequency in every((0, 1, 7, 500), (1, 3), frequencies(8)):
        now, later = ([math.sin(p * frequency), math.cos(p * frequency)] for p in (t, t + k))
        assert later == pytest.approx(rotated(now, -k * frequency))
        assert dot(encoding(t, 8), encoding(t + k, 8)) == pytest.approx(dot(encoding(0, 8), encoding(k, 8)))
    assert dot(encoding(5, 4), encoding(6, 4)) == pytest.approx(dot(encoding(0, 4), encoding(1, 4)))
    assert dot(encoding(9, 4), encoding(6, 4)) == pytest.approx(dot(encoding(9, 4), encoding(12, 4)))
    assert 0.95 * 10000 * 2 * math.pi < SLOWEST < 10000 * 2 * math.pi
    assert 512 / SLOWEST < 0.01
    for position in (0, 1, 5000):
        assert dot(encoding(position, 512), encoding(position, 512)) / 512 == pytest.approx(1 / 2)
    moved = [number for pair in range(4) for number in rotated(encoding(5, 8)[2 * pair : 2 * pair + 2], frequencies(8)[pair])]
    assert max(range(10), key=lambda s: dot(moved, encoding(s, 8))) == 4  # W_Q looks one step back


def test_rotations() -> None:  # Q12, Q30
    q, k = [0.3, -1.2], [2.0, 0.7]
    assert dot(rotated(q, 3), rotated(k, 1)) == pytest.approx(dot(rotated(q, 103), rotated(k, 101)))
    assert dot(rotated(q, 3), rotated(k, 1)) == pytest.approx(dot(q, rotated(k, 1 - 3)))
    stretched = 10000 * 4 ** (128 / 126)
    assert [stretched ** (-2 * pair / 128) * 4 for pair in (0, 63)] == pytest.approx([4, 10000 ** (-126 / 128)])
    assert 8191 / 4 < 2048
    assert [2 ** (-8 * r / 8) for r in (1, 8)] == [1 / 2, 1 / 256]


def test_the_scale_of_embeddings() -> None:  # Q28
    torch.manual_seed(0)
    weight = nn.Embedding(2000, 512).weight.detach()
    assert weight.var().item() == pytest.approx(1, rel=0.01)
    assert weight.norm(dim=-1).mean().item() == pytest.approx(ROOT, rel=0.01)
    assert (weight / ROOT).norm(dim=-1).mean().item() == pytest.approx(1, rel=0.01)
    hidden = torch.nn.functional.layer_norm(torch.randn(50, 512), (512,))
    assert (hidden @ (weight / ROOT).T).var().item() == pytest.approx(1, rel=0.05)
    assert (hidden @ weight.T).var().item() == pytest.approx(512, rel=0.05)
    assert sum((2 * step / 10000 - 1) ** 2 for step in range(10001)) / 10001 == pytest.approx(1 / 3, rel=0.001)  # uniform
    assert torch.allclose(nn.RMSNorm(512)(10 * hidden), nn.RMSNorm(512)(hidden), atol=1e-5)


def test_learning_rate() -> None:  # Q39
    assert max(range(1, 20000), key=rate) == 4000
    assert rate(4000) == pytest.approx(1 / math.sqrt(512 * 4000))
    assert [rate(1000), rate(16000)] == pytest.approx([rate(4000) / 4, rate(4000) / 2])


def test_dropout_in_torch() -> None:  # Q39
    torch.manual_seed(0)
    dropout, ones = nn.Dropout(0.1), torch.ones(1000)
    with torch.no_grad():
        kept = dropout(ones)
    assert sorted(set(kept.tolist())) == pytest.approx([0, 1 / (1 - 0.1)])  # no_grad leaves it on
    assert torch.equal(dropout.eval()(ones), ones)
    masks = list(every((0, 1), repeat=3))
    chances = [math.prod(0.9 if kept else 0.1 for kept in mask) for mask in masks]
    sums = [dot([kept / 0.9 for kept in mask], LAST_WEIGHTS) for mask in masks]
    assert dot(chances, sums) == pytest.approx(1)  # on average
    norm, numbers = nn.LayerNorm(8), torch.randn(3, 8)
    assert torch.equal(norm.train()(numbers), norm.eval()(numbers))


def test_what_leaks_and_what_does_not() -> None:  # Q40
    def unlike(outputs: list[list[list[float]]]) -> list[bool]:
        """Say for each of the first two positions whether a change of the third reaches it."""
        return [before != after for before, after in zip(outputs[0][:2], outputs[1][:2], strict=True)]

    inputs = [X, CHANGED]
    masked = [with_skip(tokens, causal=True) for tokens in inputs]
    assert unlike(masked) == [False, False]
    assert unlike([with_skip(tokens, causal=True) for tokens in masked]) == [False, False]
    assert unlike([with_skip(tokens, causal=False) for tokens in inputs]) == [True, True]
    assert unlike([with_skip(tokens, causal=False) for tokens in masked]) == [True, True]  # the second layer unmasked
    open_first = [with_skip(tokens, causal=False) for tokens in inputs]
    assert unlike([with_skip(tokens, causal=True) for tokens in open_first]) == [True, True]  # no later mask takes it out
    late = [[[a if s <= t else 0.0 for s, a in enumerate(row)] for t, row in enumerate(weights(tokens))] for tokens in inputs]
    assert unlike(late) == [True, False]  # set to 0 after the softmax; query 2 happens to score both third tokens alike


def test_which_norms_leak() -> None:  # Q40
    before = torch.randn(1, 4, 6, generator=torch.Generator().manual_seed(0))
    after = before.clone()
    after[:, 3] += 1
    batch_norm = nn.BatchNorm1d(6).train()
    assert torch.equal(nn.LayerNorm(6)(before)[:, :3], nn.LayerNorm(6)(after)[:, :3])
    assert torch.equal(nn.RMSNorm(6)(before)[:, :3], nn.RMSNorm(6)(after)[:, :3])
    by_feature = [batch_norm(tokens.transpose(1, 2)).transpose(1, 2)[:, :3] for tokens in (before, after)]
    assert not torch.allclose(*by_feature)
