"""The modules of one head and of several, against PyTorch's own functions and modules, and against the NumPy reference."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import solvers.attention
from solvers.attention import (
    CausalAlignment,
    CausalSelfAttention,
    CrossAttention,
    EmptyRow,
    GroupedQueryAttention,
    MaskPolarity,
    MultiHeadAttention,
    PaddedSelfAttention,
    Projections,
    SelfAttention,
    causal_mask,
    split_heads,
)
from tests.solvers import reference
from tests.solvers.tensors import Module, close, coins, numbers, right_hand, seeded

KEEPS, MASKS = MaskPolarity.TRUE_KEEPS, MaskPolarity.TRUE_MASKS
TOP_LEFT, BOTTOM_RIGHT = CausalAlignment.TOP_LEFT, CausalAlignment.BOTTOM_RIGHT
NAN = math.nan


# One head ------------------------------------------------------------------------------------------------------------------


def with_weights(module: Module, **weights: list[list[float]]) -> Module:
    """Set the matrices of X W, by name."""
    for name, matrix in weights.items():
        module.get_submodule(name).weight = nn.Parameter(torch.tensor(matrix, dtype=torch.float64).T, requires_grad=False)
    return module


WORKED_X = torch.tensor([[1, 0], [0, 1], [1, 1]], dtype=torch.float64)
WORKED_W: dict[str, Any] = {"W_Q": [[1, 0], [1, 1]], "W_K": [[0, 1], [1, 0]], "W_V": [[1, 0], [0, 1]]}
U = math.exp(1 / math.sqrt(2))  # e to the power of one scaled unit of score


def test_the_worked_example() -> None:
    attention = with_weights(SelfAttention(2, 2), **WORKED_W)
    Q, K, V = attention.project(WORKED_X, WORKED_X)
    assert Q.tolist() == [[1, 0], [1, 1], [2, 1]]
    assert K.tolist() == [[0, 1], [1, 0], [1, 1]]
    assert V.tolist() == WORKED_X.tolist()
    assert (Q @ K.mT).tolist() == [[0, 1, 1], [1, 1, 2], [1, 2, 3]]

    output, weights = attention(WORKED_X)
    assert weights.numpy().round(4).tolist() == [[0.1978, 0.4011, 0.4011], [0.2483, 0.2483, 0.5035], [0.1400, 0.2840, 0.5760]]
    assert output.numpy().round(4).tolist() == [[0.5989, 0.8022], [0.7517, 0.7517], [0.7160, 0.8600]]
    sums = (1 + 2 * U, 2 + U, 1 + U + U**2)
    A = [[1 / sums[0], U / sums[0], U / sums[0]], [1 / sums[1], 1 / sums[1], U / sums[1]], [x / sums[2] for x in (1, U, U**2)]]
    close(weights, A)
    close(output, [[a + c, b + c] for a, b, c in A])

    causal = with_weights(CausalSelfAttention(2, 2), **WORKED_W)(WORKED_X).weights
    close(causal, [[1, 0, 0], [0.5, 0.5, 0], A[2]])


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("leading", [(), (2,), (2, 3)])
def test_single_heads_agree_with_the_reference(leading: tuple[int, ...], bias: bool) -> None:
    """With W_K not symmetric and V not X, unlike the worked example, which could not tell W from its transpose."""
    X, real = numbers(*leading, 5, 4), coins(*leading, 5, seed=3)
    real[..., 0] = True
    causal, padded = reference.causal_mask_top_left(5, 5), reference.padding_mask(real.numpy(), 5)
    cases: list[tuple[Projections, tuple[Any, ...], dict[str, Any], Any]] = [
        (SelfAttention(4, 3, 2, bias=bias), (X,), {}, None),
        (CausalSelfAttention(4, 3, 2, bias=bias), (X,), {}, causal),
        (PaddedSelfAttention(4, 3, 2, bias=bias), (X, real), {}, padded),
        (PaddedSelfAttention(4, 3, 2, bias=bias), (X, ~real), {"polarity": MASKS}, padded),
        (PaddedSelfAttention(4, 3, 2, bias=bias), (X, real), {"causal": TOP_LEFT}, padded & causal),
    ]
    for module, arguments, masking, keep in cases:
        output, weights = seeded(module)(*arguments, **masking)
        layers = (module.W_Q, module.W_K, module.W_V)
        biases = [layer.bias.numpy() if bias else None for layer in layers]
        Q, K, V = (reference.project(X.numpy(), W, b) for W, b in zip(right_hand(*layers), biases, strict=True))
        expected = reference.attention(Q, K, V, keep)
        assert output.shape == (*leading, 5, 2)
        close(output, expected[0])
        close(weights, expected[1])


@pytest.mark.parametrize("polarity", MaskPolarity)
@pytest.mark.parametrize("padded", [False, True])
def test_cross_attention_agrees_with_the_reference(polarity: MaskPolarity, padded: bool) -> None:
    X, memory = numbers(2, 3, 4, seed=1), numbers(2, 6, 5, seed=2)
    real = torch.tensor([[True] * 6, [True] * 4 + [False] * 2])
    attention = seeded(CrossAttention(4, 3, 2, d_memory=5))
    key_padding = (real if polarity is KEEPS else ~real) if padded else None
    output, weights = attention(X, memory, key_padding, polarity=polarity)
    W_Q, W_K, W_V = right_hand(attention.W_Q, attention.W_K, attention.W_V)
    Q, K, V = reference.project(X.numpy(), W_Q), reference.project(memory.numpy(), W_K), reference.project(memory.numpy(), W_V)
    expected = reference.attention(Q, K, V, reference.padding_mask(real.numpy(), 3) if padded else None)
    assert output.shape == (2, 3, 2)
    assert weights.shape == (2, 3, 6)
    close(output, expected[0])
    close(weights, expected[1])


def test_padding_changes_nothing_for_the_real_tokens() -> None:
    """Whatever stands in the padding, each sequence gets what it gets alone."""
    attention, multi_head = seeded(PaddedSelfAttention(4, 3)), seeded(MultiHeadAttention(4, 2))
    X, lengths = numbers(2, 5, 4), (3, 5)
    real = torch.tensor([[token < length for token in range(5)] for length in lengths])
    for filling in (0.0, 1e6):
        filled = X.masked_fill(~real[..., None], filling)
        for sequence, length in enumerate(lengths):
            alone = X[sequence, :length]
            close(attention(filled, real).output[sequence, :length], seeded(SelfAttention(4, 3))(alone).output)
            close(multi_head(filled, None, real).output[sequence, :length], multi_head(alone).output)


@pytest.mark.parametrize("empty_row", EmptyRow)
def test_left_padding_and_causal_leave_empty_rows(empty_row: EmptyRow) -> None:
    X, real = numbers(1, 3, 4), torch.tensor([[False, True, True]])
    weights = seeded(PaddedSelfAttention(4, 2))(X, real, causal=TOP_LEFT, empty_row=empty_row).weights
    close(weights[0, 0], {"nan": [NAN] * 3, "zero": [0] * 3, "mean": [1 / 3] * 3}[empty_row])
    close(weights[0, 1], [0, 1, 0])
    assert weights[0, 2, 0] == 0


def test_order_is_seen_only_through_a_mask() -> None:
    """Attn(PX) = P Attn(X) without a mask, and not with one."""
    X, order = numbers(2, 5, 4), torch.tensor([3, 0, 4, 1, 2])
    for attention in (SelfAttention(4, 3), MultiHeadAttention(4, 2), GroupedQueryAttention(4, 2, 1)):
        masking = {"causal": None} if isinstance(attention, GroupedQueryAttention) else {}
        before, after = (seeded(attention)(each, **masking) for each in (X, X[:, order]))
        close(after.output, before.output[:, order])
        close(after.weights, before.weights[..., order, :][..., order])
    causal = seeded(CausalSelfAttention(4, 3))
    assert not torch.allclose(causal(X[:, order]).output, causal(X).output[:, order])


# Several heads -------------------------------------------------------------------------------------------------------------


def torch_twin(ours: MultiHeadAttention, *, batch_first: bool = True) -> nn.MultiheadAttention:
    """PyTorch's module with the weights of ours."""
    d_model, d_memory = ours.W_Q.in_features, ours.W_K.in_features
    projections = (ours.W_Q, ours.W_K, ours.W_V)
    bias = ours.W_O.bias is not None
    theirs = nn.MultiheadAttention(
        d_model, ours.n_heads, bias=bias, kdim=d_memory, vdim=d_memory, batch_first=batch_first, dtype=torch.float64
    )
    theirs.requires_grad_(False)
    if d_memory == d_model:
        theirs.in_proj_weight.copy_(torch.cat([layer.weight for layer in projections]))
    else:
        for layer, weight in zip(projections, (theirs.q_proj_weight, theirs.k_proj_weight, theirs.v_proj_weight), strict=True):
            weight.copy_(layer.weight)
    theirs.out_proj.weight.copy_(ours.W_O.weight)
    if bias:
        theirs.in_proj_bias.copy_(torch.cat([layer.bias for layer in projections]))
        theirs.out_proj.bias.copy_(ours.W_O.bias)
    return theirs.eval()


def check_multi_head(*, bias: bool, d_memory: int | None, padded: bool, causal: CausalAlignment | None) -> None:
    ours = seeded(MultiHeadAttention(6, 3, d_memory=d_memory, bias=bias))
    X = numbers(2, 4, 6, seed=1)
    memory = None if d_memory is None else numbers(2, 5, d_memory, seed=2)
    asked = X if memory is None else memory
    n_keys = asked.shape[1]
    padding = torch.tensor([[False] * n_keys, [False] * (n_keys - 2) + [True] * 2]) if padded else None
    aligned = {TOP_LEFT: reference.causal_mask_top_left, BOTTOM_RIGHT: reference.causal_mask_bottom_right}
    attn_mask = None if causal is None else ~torch.from_numpy(aligned[causal](4, n_keys))

    output, weights = ours(X, memory, padding, polarity=MASKS, causal=causal)
    theirs = torch_twin(ours)
    per_head = theirs(X, asked, asked, key_padding_mask=padding, attn_mask=attn_mask, average_attn_weights=False)
    averaged = theirs(X, asked, asked, key_padding_mask=padding, attn_mask=attn_mask)
    close(output, per_head[0])
    close(output, averaged[0])
    close(weights, per_head[1])
    close(weights.mean(dim=1), averaged[1])
    with torch.inference_mode():  # the fused path of the same module
        close(output, theirs(X, asked, asked, key_padding_mask=padding, attn_mask=attn_mask, need_weights=False)[0])
    if not bias:
        keep = None if attn_mask is None else ~attn_mask.numpy()
        if padding is not None:
            real = reference.padding_mask(~padding.numpy(), 4)
            keep = real if keep is None else real & keep
        W_Q, W_K, W_V, W_O = right_hand(ours.W_Q, ours.W_K, ours.W_V, ours.W_O)
        expected = reference.multi_head_attention(X.numpy(), asked.numpy(), W_Q, W_K, W_V, W_O, 3, keep)
        close(output, expected[0])
        close(weights, expected[1])


@pytest.mark.parametrize("causal", [None, TOP_LEFT, BOTTOM_RIGHT])
@pytest.mark.parametrize("padded", [False, True], ids=["whole", "padded"])
@pytest.mark.parametrize("d_memory", [None, 6, 7], ids=["self", "cross", "cross-width"])
@pytest.mark.parametrize("bias", [False, True], ids=["plain", "bias"])
def test_multi_head_agrees_with_pytorch(bias: bool, d_memory: int | None, padded: bool, causal: CausalAlignment | None) -> None:
    check_multi_head(bias=bias, d_memory=d_memory, padded=padded, causal=causal)


def interleaved_heads(x: Tensor) -> Tensor:
    return x.movedim(-3, -1).flatten(-2)


@pytest.mark.parametrize(
    ("part", "wrong"),
    [
        ("split_heads", lambda x, n_heads: x.reshape(*x.shape[:-2], n_heads, x.shape[-2], -1)),
        ("split_heads", lambda x, n_heads: split_heads(x, n_heads).flip(-3) if x.shape[-2] == 5 else split_heads(x, n_heads)),
        ("concat_heads", interleaved_heads),
        ("causal_mask", lambda n_queries, n_keys, alignment: causal_mask(n_queries, n_keys, TOP_LEFT)),
        ("causal_mask", lambda n_queries, n_keys, alignment: causal_mask(n_queries, n_keys, alignment).tril(-1)),
        ("_for_every_query", lambda key_padding, keys: (~key_padding).unsqueeze(-2)),
    ],
    ids=["view for transpose", "heads crossed", "heads interleaved", "top-left only", "strict triangle", "padding inverted"],
)
def test_a_wrong_multi_head_is_rejected(part: str, wrong: Callable[..., Tensor], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solvers.attention, part, wrong)
    with pytest.raises(AssertionError, match="Tensor-likes are not close"):
        check_multi_head(bias=True, d_memory=7, padded=True, causal=BOTTOM_RIGHT)


@pytest.mark.parametrize(("d_model", "n_heads", "seq_len", "batch"), [(8, 4, 5, 2), (12, 3, 6, 4)])
def test_pytorch_takes_the_sequence_first_by_default(d_model: int, n_heads: int, seq_len: int, batch: int) -> None:
    ours, X = seeded(MultiHeadAttention(d_model, n_heads)), numbers(batch, seq_len, d_model)
    theirs, sequence_first = torch_twin(ours, batch_first=False), X.transpose(0, 1)
    output, averaged = theirs(sequence_first, sequence_first, sequence_first)
    per_head = theirs(sequence_first, sequence_first, sequence_first, average_attn_weights=False)[1]
    assert output.shape == (seq_len, batch, d_model)
    assert averaged.shape == (batch, seq_len, seq_len)
    assert per_head.shape == (batch, n_heads, seq_len, seq_len)
    assert theirs(sequence_first, sequence_first, sequence_first, need_weights=False)[1] is None
    close(ours(X).output.transpose(0, 1), output)
    close(ours(X).weights, per_head)
    assert not torch.allclose(ours(sequence_first).output, output)  # batch and sequence mixed up: same shape, other numbers
