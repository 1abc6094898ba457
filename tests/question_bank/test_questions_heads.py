"""Group C, heads and cost: the numbers in the answers, computed here in plain Python, and the claims about torch."""

from __future__ import annotations

import math
from itertools import product as combinations

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 - its usual name
from torch.utils.flop_counter import FlopCounterMode

from question_bank.questions import Group
from tests.question_bank.figures import Figures, product, quoted, softmax, turned

SECTIONS = {
    Group.C: {
        13: "7.14",
        14: "7.14",
        18: "7.4",
        19: "7.4",
        20: "7.15",
        21: "7.14",
        22: "7.6",
        23: "7.8",
        24: "7.9",
        25: "7.16",
        26: "7.14",
    },
}

MIB, GIB = 2**20, 2**30
X = [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]
SELF_SCORES = product(X, turned(X))
SELF_WEIGHTS = [softmax([score / math.sqrt(2) for score in row]) for row in SELF_SCORES]
PADDED = [2.0, 1.0, 3.0, 2.0, 4.0, 5.0]
UNMASKED, MASKED = softmax(PADDED), softmax(PADDED[:4])
HEADS = [0.6, 0.8], [0.2, 0.5]
VALUES = [[10.0, 4.0], [20.0, 6.0]]


def layer_flops(length: int, width: int) -> tuple[int, int]:
    """The FLOPs of an encoder layer that are linear in the length (projections and FFN), and those that are quadratic."""
    projections = 4 * 2 * length * width * width
    ffn = 2 * 2 * length * width * 4 * width
    attention = 2 * 2 * length * length * width
    return projections + ffn, attention


def growth(length: int, width: int) -> float:
    """The factor by which the FLOPs of a layer grow when the length doubles."""
    return sum(layer_flops(2 * length, width)) / sum(layer_flops(length, width))


def share(length: int, width: int) -> float:
    linear, quadratic = layer_flops(length, width)
    return quadratic / (linear + quadratic)


def attention_parameters(width: int, heads: int, head_width: int) -> int:
    return 3 * heads * width * head_width + heads * head_width * width


def token_bytes(kv_heads: int) -> int:
    """What a token takes in the cache of Llama 3 8B: keys and values, 32 layers, width 128, 2 bytes."""
    return 2 * 32 * kv_heads * 128 * 2


def slope(p: float) -> float:
    return p * (1 - p)


CACHED, RECOMPUTED = sum(range(1, 5)), sum(t * t for t in range(1, 5))
"""The scores of four generated tokens; without a cache there are also CACHED projections, not 4."""
SATURATED, SCALED = softmax([8, 0])[0], softmax([1, 0])[0]

FIGURES = {
    13: Figures(
        both=(
            quoted(HEADS[0], 1),
            quoted(HEADS[1], 1),
            quoted([*HEADS[0], *HEADS[1]], 1),
            f"[{(0.6 + 0.2) / 2:.1f}, {(0.8 + 0.5) / 2:.2f}]",
        )
    ),
    14: Figures(
        both=(
            f"$d_k = {512 // 8}$",
            f"{128 * 128}",
            "[[1, 2], [3, 4]]",
            "[[1, 2], [5, 6]]",
            f"[4096, {8 * 4096 // 32}]",
            "[2, 8, 10, 64]",
            "[2, 8, 64, 10]",
            "[2, 8, 10, 10]",
            "[2, 10, 8, 64]",
            "[2, 10, 512]",
        )
    ),
    18: Figures(
        both=(rf"32 \cdot 4096^2 \cdot 2 = {32 * 4096**2 * 2}", f"{32 * 4096**2 * 2 // GIB} GiB"),
        en=(
            f"{3 * 3} scores take {3 * 3 * 2} multiplications",
            f"the softmax {3 * 3} exponentials, the mixing {3 * 3 * 2}",
            f"it is {6 * 6 * 2}, {6 * 6} and {6 * 6 * 2}",
        ),
        zh=(
            f"{3 * 3} 个分数要 {3 * 3 * 2} 次乘法",
            f"{3 * 3} 次指数，混合要 {3 * 3 * 2} 次乘法",
            f"{6 * 6 * 2}、{6 * 6}、{6 * 6 * 2}",
        ),
    ),
    19: Figures(
        both=(
            f"{1024**2}",
            f"{2048**2}",
            f"{1024**2 * 2 // MIB} MiB",
            f"{2048**2 * 2 // MIB} MiB",
            f"$64/{64 + 6 * 512}$",
            f"$1024/{1024 + 6 * 512}$",
            f"S = 6d = {6 * 512}$",
            f"{6 * 4096}",
        ),
        en=(
            f"that is {growth(64, 512):.2f} at $S = 64$ and {growth(1024, 512):.1f} at $S = 1024$",
            f"{100 * share(64, 512):.2f} %",
            f"{100 * share(1024, 512):.0f} %",
            f"one half, and the factor {growth(3072, 512):.0f}",
        ),
        zh=(
            f"$S = 64$ 时是 {growth(64, 512):.2f} 倍，$S = 1024$ 时是 {growth(1024, 512):.1f} 倍",
            f"{100 * share(64, 512):.2f}%",
            f"{100 * share(1024, 512):.0f}%",
            f"一半，倍数 {growth(3072, 512):.0f}",
        ),
    ),
    20: Figures(
        both=(
            rf"2 \cdot 32 \cdot 32 \cdot 128 \cdot 2 = {token_bytes(32)}",
            f"{token_bytes(8)}",
            f"{8192 * token_bytes(8) // GIB} GiB",
            f"{sum(range(1, 1001))}",
            f"l = {math.exp(0 - math.log(2)) + 1:.1f}$",
            rf"l = 1.5 \cdot \frac{{1}}{{2}} + 1 = {1.5 * math.exp(math.log(2) - math.log(4)) + 1:.2f}",
            f"(1 + 2 + 4)/4 = {(1 + 2 + 4) / 4:.2f}",
            f"(1 + 1/4 + 1/4 + 1)/4 = {(1 + 1 / 4 + 1 / 4 + 1) / 4}",
        ),
        en=(
            f"4 projections instead of {CACHED}, {CACHED} scores instead of {RECOMPUTED}",
            f"{8192 * token_bytes(8) // GIB} GiB instead of {8192 * token_bytes(32) // GIB}",
        ),
        zh=(
            f"投影从 {CACHED} 次变成 4 次，分数从 {RECOMPUTED} 个变成 {CACHED} 个",
            f"从 {8192 * token_bytes(32) // GIB} GiB 降到 {8192 * token_bytes(8) // GIB} GiB",
        ),
    ),
    21: Figures(
        both=(
            quoted(product([[1 / 2, 1 / 2]], VALUES)[0], 0),
            quoted([product([[1, 0]], VALUES)[0][0], product([[0, 1]], VALUES)[0][1]], 0),
            f"{attention_parameters(512, 8, 64)}",
            f"{8 * 512**2}",
            f"{512**2}",
            f"768/12 = {768 // 12}",
            f"1600/25 = {1600 // 25}",
            f"4096/32 = {4096 // 32}",
        ),
        given=("24.9", "25.8", "25.4", "0.15"),  # Vaswani et al. 2017, table 3; Voita et al. 2019, abstract
    ),
    22: Figures(
        both=(
            "[[1, 0, 1], [0, 1, 1], [1, 1, 2]]",
            quoted(SELF_WEIGHTS[0], 3),
            quoted(SELF_WEIGHTS[2], 3),
            rf"A_{{13}} \approx {SELF_WEIGHTS[0][2]:.3f}",
            rf"A_{{31}} \approx {SELF_WEIGHTS[2][0]:.3f}",
            "[[0, 2], [0, 0]]",
            quoted(softmax([0, 2 / math.sqrt(2)]), 3),
            "[0.5, 0.5]",
        )
    ),
    23: Figures(
        both=(
            rf"2 \cdot 1024 \cdot 64^2 = {2 * 1024 * 64**2}",
            f"{1024**2 * 64 * 2 // MIB} MiB",
            f"{1024**2 * 2 // MIB} MiB",
            rf"2\tanh(1) \approx {2 * math.tanh(1):.3f}",
            rf"\tanh(2) \approx {math.tanh(2):.3f}",
            f"{1024**2 * 64}",
        ),
        en=(f"redoing it per pair {2 * 1024**2 * 64**2 // (2 * 1024 * 64**2)} times",),
        zh=(f"就是它的 {2 * 1024**2 * 64**2 // (2 * 1024 * 64**2)} 倍",),
    ),
    24: Figures(
        both=(
            rf"p_1 \approx {SATURATED:.5f}",
            f"{slope(SATURATED):.5f}",
            rf"p_1 \approx {SCALED:.3f}",
            rf"p_1(1 - p_1) \approx {slope(SCALED):.3f}",
            f"{slope(SCALED) / slope(SATURATED):.0f}",
            f"{slope(SCALED) / 8 / slope(SATURATED):.0f}",
            "[[1/4, -1/4], [-1/4, 1/4]]",
        )
    ),
    25: Figures(
        both=("[" + ", ".join([f"{weight:.3f}" for weight in MASKED] + ["0", "0"]) + "]",),
        en=(
            f"{100 * UNMASKED[4]:.1f} % and {100 * UNMASKED[5]:.1f} %",
            f"{100 * sum(UNMASKED[:4]):.1f} %",
            f"{torch.finfo(torch.float16).max:.0f}",
        ),
        zh=(
            f"{100 * UNMASKED[4]:.1f}% 和 {100 * UNMASKED[5]:.1f}%",
            f"{100 * sum(UNMASKED[:4]):.1f}%",
            f"{torch.finfo(torch.float16).max:.0f}",
        ),
        given=("2.13",),  # the release of PyTorch
    ),
    26: Figures(
        both=(
            rf"4 \cdot 512^2 = {attention_parameters(512, 8, 64)}",
            rf"8 \cdot 1048576 = {attention_parameters(512, 8, 512)}",
            rf"3 \cdot 2 \cdot 4 \cdot 2 = {3 * 2 * 4 * 2}",
            rf"3 \cdot 4 \cdot 4 = {3 * 4 * 4}",
            f"{3 * 2 * 4 * 4}",
            f"{25.8 - 25.1:.1f}",
            rf"12 \cdot 1024^2 = {12 * 1024**2}",
        ),
        given=("25.8", "25.1"),  # Vaswani et al. 2017, table 3, rows (B)
    ),
}


def tensor(values: object) -> Tensor:
    return torch.tensor(values, dtype=torch.float64)


def attend(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.size(-1)), dim=-1) @ v


# Claims that are no single number


@pytest.mark.parametrize(("length", "width"), [(64, 512), (1024, 512), (3072, 512), (100, 64)])
def test_a_layer_grows_by_two_and_twice_the_quadratic_share(length: int, width: int) -> None:  # Q19
    assert share(length, width) == pytest.approx(length / (length + 6 * width))
    assert growth(length, width) == pytest.approx(2 + 2 * share(length, width))
    assert 2 < growth(length, width) < 4


def test_where_attention_overtakes_the_rest() -> None:  # Q18, Q19
    for width in (512, 4096):
        linear, quadratic = layer_flops(6 * width, width)
        assert linear == quadratic
        assert 8 * 2 * width * width**2 == 4 * (2 * width) ** 2 * width


def test_what_a_cache_saves() -> None:  # Q20
    for n in (1, 4, 1000):
        assert sum(range(1, n + 1)) == n * (n + 1) // 2
    assert token_bytes(8) * 4 == token_bytes(32)


def test_the_online_softmax_joins_two_blocks() -> None:  # Q20
    scores = [0, math.log(2), math.log(4)]
    assert sum(math.exp(score - max(scores)) for score in scores) == pytest.approx(1.75)
    assert math.exp(math.log(2) - math.log(4)) == pytest.approx(1 / 2)


def test_one_distribution_cannot_take_two_features_from_two_places() -> None:  # Q21
    for w in (0.0, 0.25, 0.5, 1.0):
        mixed = product([[w, 1 - w]], VALUES)[0]
        assert mixed == pytest.approx([20 - 10 * w, 6 - 2 * w])
        assert mixed != pytest.approx([10, 6])
    assert attention_parameters(512, 8, 64) == attention_parameters(512, 1, 512) == 8 * 3 * 512 * 64 + 512**2


def test_symmetric_scores_do_not_make_symmetric_weights() -> None:  # Q22
    assert turned(SELF_SCORES) == SELF_SCORES
    assert SELF_WEIGHTS[0][2] > SELF_WEIGHTS[2][0] + 0.1
    w_q, w_k = [[0.0, 2.0], [0.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]]
    assert product(product(X[:2], w_q), turned(product(X[:2], w_k))) == [[0, 2], [0, 0]]
    assert softmax([1 / math.sqrt(2), 0])[0] > 0.6  # with X X^T each looks mostly at itself
    identity = [softmax(row) for row in ([1.0, 0.0], [0.0, 1.0])]
    assert turned(identity) == identity


def test_signs_have_the_variance_that_the_derivation_gives() -> None:  # Q24: no normal distribution is needed
    signs = list(combinations((-1, 1), repeat=4))
    dots = [sum(a * b for a, b in zip(q, k, strict=True)) for q in signs for k in signs]
    assert sum(dots) == 0
    assert sum(dot * dot for dot in dots) / len(dots) == 4
    mu = 0.5
    shifted = [(mu + a) * (mu + b) for a in (-1, 1) for b in (-1, 1)]
    mean = sum(shifted) / 4
    assert sum(value * value for value in shifted) / 4 - mean**2 == pytest.approx(1 + 2 * mu**2)
    assert (1 + mu**2) ** 2 - mu**4 == pytest.approx(1 + 2 * mu**2)
    assert softmax([108, 100]) == pytest.approx(softmax([8, 0]))


# Claims about torch


def test_copies_of_a_head_are_one_head_with_another_output_matrix() -> None:  # Q13
    torch.manual_seed(0)
    o, w_o = torch.randn(3, 2, dtype=torch.float64), torch.randn(4, 4, dtype=torch.float64)
    assert torch.allclose(torch.cat([o, o], dim=-1) @ w_o, o @ (w_o[:2] + w_o[2:]))
    heads = [torch.randn(3, 2, dtype=torch.float64) for _ in range(2)]
    assert torch.allclose(torch.cat(heads, dim=-1) @ w_o, heads[0] @ w_o[:2] + heads[1] @ w_o[2:])


@pytest.mark.parametrize("alike", [True, False])
def test_heads_that_start_alike_part_only_if_their_output_blocks_differ(alike: bool) -> None:  # Q13
    torch.manual_seed(0)
    x = torch.randn(5, 8, dtype=torch.float64)
    one = torch.randn(3, 8, 4, dtype=torch.float64)
    projections = torch.stack([one, one]).requires_grad_()
    blocks = torch.randn(2, 4, 8, dtype=torch.float64)
    if alike:
        blocks[1] = blocks[0]
    out = sum(attend(*(x @ w for w in head)) @ block for head, block in zip(projections, blocks, strict=True))
    assert isinstance(out, Tensor)
    (gradient,) = torch.autograd.grad(out.square().sum(), projections)
    assert torch.allclose(*gradient) is alike


def test_the_way_through_the_shapes() -> None:  # Q14
    x = torch.zeros(2, 10, 512)
    q = x.view(2, 10, 8, 64).transpose(1, 2)
    assert (q @ q.transpose(-2, -1)).shape == (2, 8, 10, 10)
    out = q @ q.transpose(-2, -1) @ q
    assert out.shape == (2, 8, 10, 64)
    with pytest.raises(RuntimeError, match="view"):
        out.transpose(1, 2).view(2, 10, 512)
    assert out.transpose(1, 2).reshape(2, 10, 512).shape == out.transpose(1, 2).contiguous().view(2, 10, 512).shape
    tokens = torch.tensor([[1, 2, 3, 4], [5, 6, 7, 8]])
    assert tokens.view(2, 2, 2)[0].tolist() == [[1, 2], [3, 4]]
    assert tokens.view(2, 2, 2).transpose(0, 1)[0].tolist() == [[1, 2], [5, 6]]
    untransposed = x.view(2, 10, 8, 64)
    assert (untransposed @ untransposed.transpose(-2, -1)).shape == (2, 10, 8, 8)


def test_multihead_attention_in_torch() -> None:  # Q13, Q14, Q21, Q26
    mha = nn.MultiheadAttention(512, 8, batch_first=True)
    x = torch.zeros(2, 10, 512)
    assert mha(x, x, x)[1].shape == (2, 10, 10)
    assert mha(x, x, x, average_attn_weights=False)[1].shape == (2, 8, 10, 10)
    for heads in (1, 8):
        weights = nn.MultiheadAttention(512, heads, bias=False).parameters()
        assert sum(weight.numel() for weight in weights) == attention_parameters(512, heads, 512 // heads)
    with pytest.raises(AssertionError, match="divisible"):
        nn.MultiheadAttention(512, 7)


@pytest.mark.parametrize("length", [64, 128, 1024])
def test_torch_counts_the_flops_of_a_layer_alike(length: int) -> None:  # Q18, Q19
    width = 512
    with torch.device("meta"):
        x = torch.empty(length, width)
        square, up, down = torch.empty(width, width), torch.empty(width, 4 * width), torch.empty(4 * width, width)
    with FlopCounterMode(display=False) as counter:
        q, k, v = (x @ square for _ in range(3))
        q, k, v = (t.view(length, 8, 64).transpose(0, 1) for t in (q, k, v))
        heads = torch.softmax(q @ k.transpose(-2, -1), dim=-1) @ v
        (heads.transpose(0, 1).reshape(length, width) @ square) @ up @ down
    assert counter.get_total_flops() == sum(layer_flops(length, width))


@pytest.mark.parametrize("rotated", [False, True])
def test_a_shared_projection_makes_raw_scores_symmetric_and_bounded_by_the_diagonal(rotated: bool) -> None:  # Q22
    torch.manual_seed(0)
    shared = torch.randn(5, 4, dtype=torch.float64) @ torch.randn(4, 2, dtype=torch.float64)
    if rotated:  # RoPE in one plane, a radian per position
        angles = torch.arange(5, dtype=torch.float64)
        turn = torch.stack([angles.cos(), angles.sin(), -angles.sin(), angles.cos()], dim=-1).view(5, 2, 2)
        shared = (shared[:, None, :] @ turn)[:, 0]
    scores = shared @ shared.T
    assert torch.allclose(scores, scores.T)
    lengths = scores.diagonal().sqrt()
    assert (scores.abs() <= lengths[:, None] * lengths + 1e-12).all()
    weights = torch.softmax(scores, dim=-1)
    assert not torch.allclose(weights, weights.T)


def test_additive_scores_of_the_example() -> None:  # Q23
    q, keys, v = tensor([1, 0]), tensor([[0, 1], [1, 0]]), tensor([1, 1])
    assert (keys @ q).tolist() == [0, 1]
    assert (torch.tanh(q + keys) @ v).tolist() == pytest.approx([2 * math.tanh(1), math.tanh(2)])


@pytest.mark.parametrize(
    ("p", "jacobian"), [((0.5, 0.5), [[0.25, -0.25], [-0.25, 0.25]]), ((1.0, 0.0), [[0.0, 0.0], [0.0, 0.0]])]
)
def test_the_jacobian_of_the_softmax(p: tuple[float, float], jacobian: list[list[float]]) -> None:  # Q24
    z = tensor(p).log().requires_grad_()
    weights = torch.softmax(z, dim=-1)
    found = torch.stack([torch.autograd.grad(weight, z, retain_graph=True)[0] for weight in weights])
    assert torch.allclose(found, tensor(jacobian))
    assert torch.allclose(found, torch.diag(tensor(p)) - torch.outer(tensor(p), tensor(p)))


def test_a_confident_mistake_keeps_its_gradient_under_cross_entropy() -> None:  # Q24
    logits = tensor([20.0, 0.0]).requires_grad_()
    (gradient,) = torch.autograd.grad(F.cross_entropy(logits, torch.tensor(1)), logits)
    assert gradient.tolist() == pytest.approx([1, -1], abs=1e-6)


def test_drawn_dot_products_have_the_variance_of_the_derivation() -> None:  # Q24
    torch.manual_seed(0)
    q, k = torch.randn(10000, 64), torch.randn(10000, 64)
    assert (q * k).sum(-1).var().item() == pytest.approx(64, rel=0.05)
    assert (q * k / 8).sum(-1).var().item() == pytest.approx(1, rel=0.05)
    assert (q * q).sum(-1).mean().item() == pytest.approx(64, rel=0.05)
    assert (q * q).sum(-1).var().item() == pytest.approx(128, rel=0.05)


def test_a_padding_mask_broadcasts_over_heads_and_queries() -> None:  # Q25
    keep = torch.tensor([[True, True, True, True, False, False]])
    scores = tensor(PADDED).expand(1, 2, 6, 6)
    weights = torch.softmax(scores.masked_fill(~keep[:, None, None, :], -math.inf), dim=-1)
    assert weights[0, 1, 5].tolist() == pytest.approx([*MASKED, 0, 0])
    assert weights[..., 4:].eq(0).all()


def test_the_polarity_of_masks() -> None:  # Q25
    torch.manual_seed(0)
    x = torch.randn(1, 4, 8, dtype=torch.float64)
    keep = torch.tensor([[True, True, False, False]])
    out = F.scaled_dot_product_attention(x, x, x, attn_mask=keep[:, None, :])
    assert torch.allclose(out, attend(x, x[:, :2], x[:, :2]))
    inverted = F.scaled_dot_product_attention(x, x, x, attn_mask=~keep[:, None, :])
    assert torch.allclose(inverted, attend(x, x[:, 2:], x[:, 2:]))  # only the padding is attended to
    mha = nn.MultiheadAttention(8, 2, batch_first=True, dtype=torch.float64)
    assert mha(x, x, x, key_padding_mask=~keep)[1][..., 2:].eq(0).all()


def test_rows_with_no_key_left() -> None:  # Q25
    keep = torch.tensor([False, True, True]) & torch.ones(3, 3, dtype=torch.bool).tril()
    assert keep.any(dim=-1).tolist() == [False, True, True]  # left padding and a causal mask
    x = torch.randn(1, 3, 8)
    assert F.scaled_dot_product_attention(x, x, x, attn_mask=keep)[0, 0].eq(0).all()
    mha = nn.MultiheadAttention(8, 2, batch_first=True)
    nn.init.ones_(mha.out_proj.bias)
    assert mha(x, x, x, attn_mask=~keep, need_weights=True)[0][0, 0].isnan().all()
    assert torch.allclose(mha(x, x, x, attn_mask=~keep, need_weights=False)[0][0, 0], mha.out_proj.bias)
    with torch.inference_mode():
        assert mha.eval()(x, x, x, attn_mask=~keep, need_weights=False)[0][0, 0].isnan().all()
    assert (torch.zeros(1, 1) @ torch.full((1, 1), math.nan)).isnan().all()


def test_large_negative_numbers_instead_of_infinity() -> None:  # Q25
    assert torch.exp(torch.tensor(-1e9)) == 0
    with pytest.raises(RuntimeError, match="overflow"):
        torch.zeros(2, dtype=torch.float16).masked_fill(torch.tensor([True, False]), -1e9)
    lowest = torch.finfo(torch.float16).min
    assert torch.softmax(torch.full((4,), lowest, dtype=torch.float16), dim=-1).tolist() == [0.25] * 4


def test_the_rank_of_the_scores_is_the_width_of_a_head() -> None:  # Q26
    torch.manual_seed(0)
    q, k = (torch.randn(10, 3, dtype=torch.float64) for _ in range(2))
    assert torch.linalg.matrix_rank(q @ k.T) == 3
