"""Group D, masks, cross-attention and architecture: the numbers in the answers, computed here, and the claims about torch."""

from __future__ import annotations

import math

import pytest
import torch
from torch import nn
from torch.nn import functional

from question_bank.questions import Group
from tests.question_bank.figures import Figures, product, quoted, scientific, softmax, turned

SECTIONS = {
    Group.D: {
        15: "7.17",
        16: "7.17",
        17: "7.18",
        27: "7.2",
        31: "7.19",
        32: "7.20",
        33: "7.20",
        34: "7.21",
        35: "7.18",
        36: "7.17",
        37: "7.22",
    },
}

Q = [[1.0, 0.0], [1.0, 1.0], [2.0, 1.0]]
K = [[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]
V = [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]
SCALED = [[score / math.sqrt(2) for score in row] for row in product(Q, turned(K))]
FREE = [softmax(row) for row in SCALED]
CAUSAL = [softmax(row[: i + 1]) + [0.0] * (2 - i) for i, row in enumerate(SCALED)]
ZERO_FILLED = softmax([*SCALED[1][:2], 0.0])
"""Row 2 with a 0 where the mask belongs."""
CROSS_QUERIES = [Q[0], Q[2]]
CROSS = [softmax([score / math.sqrt(2) for score in row]) for row in product(CROSS_QUERIES, turned(K))]


def bare(values: list[float], places: int) -> str:
    """Quote a vector with exact zeros and ones written without decimals."""
    return "[" + ", ".join(f"{v:.0f}" if v == round(v) else f"{v:.{places}f}" for v in values) + "]"


def normalised(values: list[float], *, padded: int = 0) -> list[float]:
    """Subtract the mean and divide by the biased standard deviation, with zeros appended if asked."""
    everything = values + [0.0] * padded
    mean = sum(everything) / len(everything)
    deviation = math.sqrt(sum((value - mean) ** 2 for value in everything) / len(everything))
    return [(value - mean) / deviation for value in everything]


def gelu(x: float) -> float:
    return x * (1 + math.erf(x / math.sqrt(2))) / 2


def swish(x: float) -> float:
    return x / (1 + math.exp(-x))


ROW = [1.0, 2.0, 3.0, 4.0]
MEAN = sum(ROW) / 4
BIASED = sum((x - MEAN) ** 2 for x in ROW) / 4
UNBIASED = sum((x - MEAN) ** 2 for x in ROW) / 3
ROOT_MEAN_SQUARE = math.sqrt(sum(x * x for x in ROW) / 4)

ATTENTION, FFN = 4 * 512**2, 2 * 512 * 2048
ATTENTION_BIASES, FFN_BIASES, NORM = 4 * 512, 2048 + 512, 2 * 512
ENCODER_LAYER = ATTENTION + ATTENTION_BIASES + FFN + FFN_BIASES + 2 * NORM
DECODER_LAYER = ENCODER_LAYER + ATTENTION + ATTENTION_BIASES + NORM
GATED = 8 / 3 * 4096
GRADIENT = scientific(0.5**20)
SOURCE, TARGET = 9, 5
JOINED = SOURCE + TARGET
STEP = 7e9 * 2 / 1000e9
"""Seconds for 7 billion parameters of 2 bytes at 1000 GB/s."""


FIGURES = {
    15: Figures(
        both=(
            *(bare(row, 3) for row in SCALED),
            bare(FREE[0], 3),
            bare(CAUSAL[0], 3),
            quoted(CAUSAL[1][:2], 1)[:-1] + ", 0]",
            bare(CAUSAL[2], 3),
            f"{100 * sum(FREE[0][1:]):.1f}",
            f"{sum(range(1, 1001))}",
        )
    ),
    16: Figures(
        both=(
            bare(SCALED[1], 3),
            f"{math.exp(SCALED[1][0]):.3f}",
            bare(ZERO_FILLED, 3),
            f"{100 * ZERO_FILLED[2]:.1f}",
            f"{100 * softmax([-3, -2, 0])[2]:.1f}",
            bare([*FREE[1][:2], 0.0], 3),
            "$[0.5, 0.5, 0]$",
            "$[0.707, 0.707, 0]$",
            f"-{torch.finfo(torch.float16).max:.0f}",
            rf"e^{{-1}} \approx {math.exp(-1):.2f}",
            scientific(math.exp(-10)),
            f"{100 * 1000 * math.exp(-10) / (1 + 1000 * math.exp(-10)):.1f}",
        )
    ),
    17: Figures(
        both=(
            bare(CROSS[0], 3),
            bare(CROSS[1], 3),
            *(bare(row, 3) for row in product(CROSS, V)),
            "[[0, 1, 1], [1, 2, 3]]",
            f"{SOURCE * TARGET}",
        )
    ),
    27: Figures(
        both=(
            rf"4 \cdot 512^2 = {ATTENTION}",
            rf"2 \cdot 512 \cdot 2048 = {FFN}",
            f"{ENCODER_LAYER}",
            f"{DECODER_LAYER}",
        ),
        en=(f"{6 * ENCODER_LAYER / 1e6:.1f} million",),
        zh=(f"{6 * ENCODER_LAYER / 1e4:.0f} 万",),
    ),
    31: Figures(
        both=(
            f"{1.1**20:.1f}",
            rf"1.5^{{20}} \approx {1.5**20:.0f}",
            rf"0.5^{{20}} \approx {GRADIENT}",
            f"{1 + 0.5**20:.6f}",
            "2^{-6} = 1/64",
        ),
        given=("0.1",),
    ),
    32: Figures(
        both=(
            f"{MEAN}",
            f"{BIASED}",
            quoted(normalised(ROW), 3),
            quoted([x / ROOT_MEAN_SQUARE for x in ROW], 3),
            f"{math.sqrt(UNBIASED):.3f}",
            f"{math.sqrt(BIASED):.3f}",
        )
    ),
    33: Figures(
        both=("[[-1, -1], [1, 1]]", "[[-1, 1], [-1, 1]]", f"{0.9 * 1 + 0.1 * 2:.1f}"),
        given=("0.1",),
    ),
    34: Figures(
        both=(
            f"−{-gelu(-1):.3f}",
            f"−{-swish(-1):.3f}",
            f"{GATED:.0f}",
            f"{math.ceil(GATED / 256) * 256}",
            f"{FFN}",
            f"{ATTENTION}",
            f"{2 * 512}",
            f"{2 * 4096}",
        )
    ),
    35: Figures(
        both=(
            f"{SOURCE**2} + {TARGET**2} + {SOURCE * TARGET} = {SOURCE**2 + TARGET**2 + SOURCE * TARGET}",
            f"{JOINED}^2 = {JOINED**2} = {SOURCE**2 + TARGET**2 + SOURCE * TARGET} + {SOURCE * TARGET}",
            f"{SOURCE**2} + {SOURCE * TARGET} + {TARGET * (TARGET + 1) // 2} = "
            f"{SOURCE**2 + SOURCE * TARGET + TARGET * (TARGET + 1) // 2}",
            rf"{JOINED} \cdot {JOINED + 1}/2 = {JOINED * (JOINED + 1) // 2}",
        )
    ),
    36: Figures(
        both=(
            *(bare(row, 3) for row in SCALED),
            *(bare(row, 3) for row in FREE),
            bare(CAUSAL[0], 3),
            "$[0.5, 0.5, 0]$",
            bare(softmax(SCALED[0][:2]), 3),
            f"1024^2 = {1024**2}",
            rf"1024 \cdot 1025/2 = {1024 * 1025 // 2}",
        )
    ),
    37: Figures(
        both=(
            rf"(1 - 0.8^5)/(1 - 0.8) \approx {sum(0.8**accepted for accepted in range(5)):.2f}",
            f"{7e9 * 2 / 1e9:.0f} GB",
            f"{1000 * STEP:.0f} ms",
            f"{1 / STEP:.0f}",
            "99",
        )
    ),
}


def approx(matrix: list[list[float]]) -> list[object]:
    return [pytest.approx(row) for row in matrix]


def layers(count: int) -> nn.TransformerEncoder:
    torch.manual_seed(0)
    layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True, dtype=torch.float64)
    return nn.TransformerEncoder(layer, count, enable_nested_tensor=False).eval()


def later(length: int) -> torch.Tensor:
    return torch.triu(torch.ones(length, length, dtype=torch.bool), diagonal=1)


TOKENS = torch.randn(1, 5, 8, dtype=torch.float64, generator=torch.Generator().manual_seed(1))


def test_one_masked_pass_is_as_good_as_all_prefixes() -> None:  # Q15
    stack = layers(2)
    at_once = stack(TOKENS, mask=later(5))
    for length in range(1, 6):
        prefix = stack(TOKENS[:, :length], mask=later(length))
        assert torch.allclose(prefix[:, -1], at_once[:, length - 1])
    assert not torch.allclose(stack(TOKENS)[:, 0], at_once[:, 0])


@pytest.mark.parametrize(("count", "same"), [(1, True), (2, False)])
def test_a_prefill_without_the_mask_spoils_the_second_layer(count: int, same: bool) -> None:  # Q15
    """The last row may see everything, but it reads keys and values of rows that must not."""
    stack = layers(count)
    masked, free = stack(TOKENS, mask=later(5))[:, -1], stack(TOKENS)[:, -1]
    assert torch.allclose(masked, free) is same


def test_the_diagonal_stays_visible() -> None:  # Q15
    scores = torch.tensor(SCALED)
    weights = torch.softmax(scores.masked_fill(later(3), float("-inf")), dim=-1)
    assert weights.tolist() == approx(CAUSAL)
    whole = torch.triu(torch.ones(3, 3), diagonal=0).bool()
    assert torch.softmax(scores.masked_fill(whole, float("-inf")), dim=-1)[0].isnan().all()
    q, k, v = (torch.tensor(matrix) for matrix in (Q, K, V))
    assert functional.scaled_dot_product_attention(q, k, v, is_causal=True).tolist() == approx(product(CAUSAL, V))


def test_fills() -> None:  # Q16
    scores, hidden = torch.tensor([0.5, -1.0, 3.0], requires_grad=True), torch.tensor([False, False, True])
    for fill in (float("-inf"), -1e9, 0.0):
        weights = torch.softmax(scores.masked_fill(hidden, fill), dim=-1)
        assert (weights[2].item() == 0) is (fill != 0)
        (gradient,) = torch.autograd.grad(weights @ torch.tensor([1.0, 5.0, 7.0]), scores)
        assert gradient[2] == 0  # whatever the constant
        assert gradient[0] != 0
    assert torch.softmax(torch.full((3,), -1e9), dim=-1).tolist() == pytest.approx([1 / 3] * 3)
    assert torch.softmax(torch.full((3,), float("-inf")), dim=-1).isnan().all()


def test_what_fits_the_dtype() -> None:  # Q16
    half = torch.zeros(2, dtype=torch.float16)
    everywhere = torch.ones(2, dtype=torch.bool)
    with pytest.raises(RuntimeError, match="overflow"):
        half.masked_fill(everywhere, -1e9)
    assert half.masked_fill(everywhere, torch.finfo(half.dtype).min).isfinite().all()
    wide = torch.zeros(2, dtype=torch.bfloat16).masked_fill(everywhere, -1e9)
    assert wide.isfinite().all()
    assert torch.finfo(torch.bfloat16).max == pytest.approx(torch.finfo(torch.float32).max, rel=0.01)


def test_zeroing_after_the_softmax() -> None:  # Q16
    kept = [*FREE[1][:2], 0.0]
    assert sum(kept) == pytest.approx(0.5, abs=0.01)  # about half a row
    assert [weight / sum(kept) for weight in kept] == pytest.approx(CAUSAL[1])
    weights = torch.softmax(torch.tensor([0.0, 0.0, 200.0]), dim=-1) * torch.tensor([1.0, 1.0, 0.0])
    assert weights.tolist() == [0, 0, 0]
    assert (weights / weights.sum()).isnan().all()


def test_how_nan_spreads() -> None:  # Q16
    assert ((1 - torch.tensor([1.0, 0.0])) * float("-inf")).isnan().tolist() == [True, False]
    assert (torch.tensor(0.0) * float("nan")).isnan()
    left_padded = torch.tensor([True, False, False])
    scores = torch.zeros(3, 3).masked_fill(later(3) | left_padded, float("-inf"))
    assert torch.softmax(scores, dim=-1).isnan().any(dim=-1).tolist() == [True, False, False]


def test_cross_attention() -> None:  # Q17, Q35
    q, k, v = (torch.tensor(matrix) for matrix in (CROSS_QUERIES, K, V))
    assert (q @ k.T).tolist() == [[0, 1, 1], [1, 2, 3]]
    assert functional.scaled_dot_product_attention(q, k, v).tolist() == approx(product(CROSS, V))
    attend = nn.MultiheadAttention(8, 2, batch_first=True, kdim=6, vdim=6)
    output, weights = attend(torch.randn(2, TARGET, 8), *2 * [torch.randn(2, SOURCE, 6)])
    assert output.shape == (2, TARGET, 8)
    assert weights.shape == (2, TARGET, SOURCE)


def test_parameters_of_layers() -> None:  # Q27, Q34
    def size(module: nn.Module) -> int:
        return sum(parameter.numel() for parameter in module.parameters())

    assert size(nn.TransformerEncoderLayer(512, 8, 2048)) == ENCODER_LAYER
    assert size(nn.TransformerDecoderLayer(512, 8, 2048)) == DECODER_LAYER
    assert 3 * FFN == 2 * (FFN + ATTENTION)  # two thirds
    assert 3 * (3 * 8) == 8 * 9  # three matrices of 8/3 d each are 8 d²
    assert 8192**2 * 2 + 8192 * 4 * 4096 == 8192 * 8 * 4096  # the FFN leads until S = 2d


def test_shapes_of_an_encoder() -> None:  # Q27
    x, layer = torch.randn(2, 10, 512), nn.TransformerEncoderLayer(512, 8, 2048, batch_first=True).eval()
    heads = x.view(2, 10, 8, 64).transpose(1, 2)
    assert heads.shape == (2, 8, 10, 64)
    assert (heads @ heads.transpose(-2, -1)).shape == (2, 8, 10, 10)
    assert layer.linear1(x).shape == (2, 10, 2048)
    assert layer(x).shape == x.shape


def test_gradients_through_residuals() -> None:  # Q31
    for f in (0.5, -0.5, 0.1):
        x = torch.tensor(1.0, dtype=torch.float64, requires_grad=True)
        plain = residual = x
        for _ in range(20):
            plain, residual = f * plain, residual + f * residual
        assert torch.autograd.grad(plain, x)[0].item() == pytest.approx(f**20)
        assert torch.autograd.grad(residual, x)[0].item() == pytest.approx((1 + f) ** 20)
    assert pytest.approx(1e-20) == 0.1**20


def test_the_norm_on_the_path_damps() -> None:  # Q31
    torch.manual_seed(0)
    x, added, gradient = (torch.randn(200, 512) for _ in range(3))
    x.requires_grad_()
    (through_post,) = torch.autograd.grad(functional.layer_norm(x + added, (512,)), x, gradient)
    assert (through_post.norm() / gradient.norm()).item() == pytest.approx(1 / math.sqrt(2), rel=0.02)
    assert math.sqrt(2) ** -12 == pytest.approx(1 / 64)
    stream = sum(torch.randn(200, 512) for _ in range(13))
    assert isinstance(stream, torch.Tensor)
    assert stream.var().item() == pytest.approx(13, rel=0.05)  # x and 12 sub-layers


def test_attention_alone_makes_tokens_alike() -> None:  # Q31
    def spread(tokens: list[list[float]]) -> float:
        return max(max(column) - min(column) for column in turned(tokens))

    alone = skipped = V
    for _ in range(4):
        alone, before = product(FREE, alone), spread(alone)
        skipped = [[a + b for a, b in zip(*rows, strict=True)] for rows in zip(skipped, product(FREE, skipped), strict=True)]
        assert spread(alone) < before / 3
    assert spread(skipped) > 1


def test_layer_norm() -> None:  # Q32
    x, ten_times = torch.tensor(ROW), 10 * torch.tensor(ROW)
    norm, rms = nn.LayerNorm(4), nn.RMSNorm(4)
    assert norm(x).tolist() == pytest.approx(normalised(ROW), abs=1e-4)
    assert rms(x).tolist() == pytest.approx([value / ROOT_MEAN_SQUARE for value in ROW], abs=1e-4)
    assert torch.allclose(norm(ten_times), norm(x), atol=1e-4)
    assert torch.allclose(rms(ten_times), rms(x), atol=1e-4)
    assert x.std().item() == pytest.approx(math.sqrt(UNBIASED))
    assert [parameter.shape for parameter in norm.parameters()] == [(4,), (4,)]
    assert len(list(rms.parameters())) == 1


def test_batch_norm() -> None:  # Q33
    rows = torch.tensor([[1.0, 10.0], [3.0, 30.0]])
    batch_norm = nn.BatchNorm1d(2)
    assert batch_norm.momentum == 0.1
    assert torch.allclose(batch_norm(rows), torch.tensor([[-1.0, -1.0], [1.0, 1.0]]), atol=1e-4)
    assert torch.allclose(nn.LayerNorm(2)(rows), torch.tensor([[-1.0, 1.0], [-1.0, 1.0]]), atol=1e-4)
    assert batch_norm.running_var is not None
    assert batch_norm.running_var[0].item() == pytest.approx(0.9 * 1 + 0.1 * 2)
    assert not torch.allclose(batch_norm.eval()(rows), torch.tensor([[-1.0, -1.0], [1.0, 1.0]]), atol=0.1)
    with pytest.raises(ValueError, match="more than 1 value"):
        nn.BatchNorm1d(2)(torch.ones(1, 2))
    assert normalised([1.0, 3.0])[0] == -1
    assert normalised([1.0, 3.0], padded=2)[0] == 0


def test_batch_norm_merges_into_the_layer_before() -> None:  # Q33
    torch.manual_seed(0)
    linear, norm, rows = nn.Linear(3, 2), nn.BatchNorm1d(2), torch.randn(6, 3)
    norm(linear(rows))
    norm.eval()
    merged = nn.utils.fuse_linear_bn_eval(linear.eval(), norm)
    assert torch.allclose(merged(rows), norm(linear(rows)), atol=1e-5)


def test_the_ffn_needs_its_activation() -> None:  # Q34
    x, first = torch.tensor([1.0, -1.0]), torch.tensor([[1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 1.0]])
    hidden = x @ first
    assert hidden.tolist() == [1, -1, 1, -1]
    assert hidden.relu().tolist() == [1, 0, 1, 0]
    assert (hidden.relu() @ first.T).tolist() == [2, 0]
    assert (hidden @ first.T).tolist() == (2 * x).tolist() == [2, -2]
    minus_one = torch.tensor(-1.0)
    assert functional.gelu(minus_one).item() == pytest.approx(gelu(-1))
    assert functional.silu(minus_one).item() == pytest.approx(swish(-1))


def test_cross_attention_is_a_block_of_the_joined_matrix() -> None:  # Q35
    causal = ~later(JOINED)
    assert causal[SOURCE:, :SOURCE].all()
    assert not causal[:SOURCE, SOURCE:].any()
    assert causal.sum() == JOINED * (JOINED + 1) // 2
    prefix = causal.clone()
    prefix[:SOURCE, :SOURCE] = True
    assert prefix.sum() == SOURCE**2 + SOURCE * TARGET + TARGET * (TARGET + 1) // 2


def test_what_a_new_token_changes() -> None:  # Q36
    stack = layers(2)
    shorter, longer = TOKENS[:, :4], TOKENS
    assert torch.allclose(stack(shorter, mask=later(4)), stack(longer, mask=later(5))[:, :4])
    assert not torch.isclose(stack(shorter), stack(longer)[:, :4]).all(dim=-1).any()
    assert CAUSAL[2] == FREE[2]


def test_speculative_decoding_keeps_the_distribution() -> None:  # Q37
    """Leviathan et al.: accept a draft from q with min(1, p/q), else sample from what p has left over."""
    large, draft = [0.5, 0.3, 0.15, 0.05], [0.2, 0.6, 0.1, 0.1]
    accepted = [min(p, q) for p, q in zip(large, draft, strict=True)]
    left = [max(p - q, 0.0) for p, q in zip(large, draft, strict=True)]
    drawn = [a + (1 - sum(accepted)) * rest / sum(left) for a, rest in zip(accepted, left, strict=True)]
    assert drawn == pytest.approx(large)
    assert sum(0.8**k for k in range(5)) == pytest.approx((1 - 0.8**5) / (1 - 0.8))
