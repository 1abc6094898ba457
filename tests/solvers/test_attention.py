"""The formula and its conventions, against PyTorch and the NumPy reference; shapes that do not fit."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.attention.bias import causal_lower_right

from solvers.attention import (
    CausalAlignment,
    CrossAttention,
    EmptyRow,
    MaskPolarity,
    MultiHeadAttention,
    PaddedSelfAttention,
    SelfAttention,
    ShapeError,
    causal_mask,
    scaled_dot_product,
    split_heads,
)
from tests.solvers import reference
from tests.solvers.tensors import close, coins, numbers

KEEPS, MASKS = MaskPolarity.TRUE_KEEPS, MaskPolarity.TRUE_MASKS
TOP_LEFT, BOTTOM_RIGHT = CausalAlignment.TOP_LEFT, CausalAlignment.BOTTOM_RIGHT
NAN = math.nan


# The formula ---------------------------------------------------------------------------------------------------------------

SQUARE = (numbers(2, 4, 3, seed=1), numbers(2, 4, 3, seed=2), numbers(2, 4, 3, seed=3))
OBLONG = (numbers(2, 3, 2, seed=4), numbers(2, 5, 2, seed=5), numbers(2, 5, 2, seed=6))


def check_formula(attend: Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]) -> None:
    """What every attention has to pass, and every wrong one below has to fail."""
    for query, key, value in (SQUARE, OBLONG):
        everything = torch.ones(query.shape[-2], key.shape[-2], dtype=torch.bool)
        some = coins(*everything.shape, seed=7)
        some[:, 0] = True
        for keep in (everything, some):
            close(attend(query, key, value, keep), functional.scaled_dot_product_attention(query, key, value, attn_mask=keep))


def test_the_formula_agrees_with_pytorch() -> None:
    check_formula(lambda query, key, value, keep: scaled_dot_product(query, key, value, keep).output)


def test_either_polarity_agrees_with_pytorch() -> None:
    check_formula(lambda query, key, value, keep: scaled_dot_product(query, key, value, ~keep, polarity=MASKS).output)


def softmax_of(scores: Tensor, keep: Tensor, dim: int = -1) -> Tensor:
    return scores.masked_fill(~keep, -math.inf).softmax(dim)


WRONG: dict[str, Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]] = {
    "no scale": lambda q, k, v, keep: softmax_of(q @ k.mT, keep) @ v,
    "scaled by d_k": lambda q, k, v, keep: softmax_of(q @ k.mT / q.shape[-1], keep) @ v,
    "softmax over queries": lambda q, k, v, keep: softmax_of(q @ k.mT / q.shape[-1] ** 0.5, keep, dim=-2) @ v,
    "scores transposed": lambda q, k, v, keep: softmax_of(k @ q.mT / q.shape[-1] ** 0.5, keep) @ v,
    "K for V": lambda q, k, v, keep: scaled_dot_product(q, k, k, keep).output,
    "mask after the softmax": lambda q, k, v, keep: scaled_dot_product(q, k, v).weights.masked_fill(~keep, 0) @ v,
    "mask forgotten": lambda q, k, v, keep: scaled_dot_product(q, k, v).output,
    "mask filled with 0": lambda q, k, v, keep: (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(~keep, 0).softmax(-1) @ v,
    "polarity": lambda q, k, v, keep: scaled_dot_product(q, k, v, keep, polarity=MASKS).output,
    "no attention": lambda q, k, v, keep: v.mean(-2, keepdim=True).expand_as(q),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_formula_is_rejected(name: str) -> None:
    query, key, value = SQUARE
    attempt = WRONG[name](query, key, value, torch.ones(4, 4, dtype=torch.bool))
    assert attempt.shape == query.shape  # wrong by its numbers, not by its shape
    with pytest.raises(AssertionError, match="Tensor-likes are not close"):
        check_formula(WRONG[name])


@given(
    batch=st.lists(st.integers(1, 3), max_size=2),
    sizes=st.tuples(*[st.integers(1, 7)] * 4),
    scale=st.none() | st.floats(-2, 2),
    seed=st.integers(0, 2**32),
)
def test_any_shape_any_mask_any_scale(batch: list[int], sizes: tuple[int, ...], scale: float | None, seed: int) -> None:
    n_queries, n_keys, d_k, d_v = sizes
    query, key = numbers(*batch, n_queries, d_k, seed=seed), numbers(*batch, n_keys, d_k, seed=seed + 1)
    value, keep = numbers(*batch, n_keys, d_v, seed=seed + 2), coins(*batch, n_queries, n_keys, seed=seed)

    output, weights = scaled_dot_product(query, key, value, keep, scale=scale)
    expected = reference.attention(query.numpy(), key.numpy(), value.numpy(), keep.numpy(), scale)
    close(output, expected[0])
    close(weights, expected[1])

    zeroed = scaled_dot_product(query, key, value, keep, scale=scale, empty_row=EmptyRow.ZERO).output
    close(zeroed, functional.scaled_dot_product_attention(query, key, value, attn_mask=keep, scale=scale))


# Conventions ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "key", "value", "mean"),
    [
        ([[1, 0], [0, 1]], [[1, 0], [0, 1], [1, 1]], [[1, 2], [3, 4], [5, 6]], [3, 4]),
        ([[2, -1, 0.5], [0, 1, 0]], [[3, 0, 1], [-1, 2, 2]], [[-4, 9], [5, 0]], [0.5, 4.5]),
    ],
)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_a_row_with_every_key_masked(query: Any, key: Any, value: Any, mean: list[float], dtype: torch.dtype) -> None:
    Q, K, V = (torch.tensor(each, dtype=dtype) for each in (query, key, value))
    keep = torch.tensor([[False], [True]])
    expected_rows = {EmptyRow.NAN: [NAN, NAN], EmptyRow.ZERO: [0, 0], EmptyRow.MEAN: mean}
    other_row = scaled_dot_product(Q, K, V).output[1]
    for empty_row, row in expected_rows.items():
        output, weights = scaled_dot_product(Q, K, V, keep, empty_row=empty_row)
        torch.testing.assert_close(output[0], torch.tensor(row, dtype=dtype), equal_nan=True)
        torch.testing.assert_close(output[1], other_row)
        assert weights[0].sum().item() == pytest.approx({"nan": NAN, "zero": 0, "mean": 1}[empty_row], nan_ok=True)
    default = scaled_dot_product(Q, K, V, keep).output
    assert default[0].isnan().all()


def test_a_mean_row_is_no_licence_to_see_hidden_keys() -> None:
    """A visible score may be lower than the usual −10,000, not lower than the dtype's minimum."""
    query, key = torch.tensor([[1.0]]), torch.tensor([[-1e9], [0.0]])
    weights = scaled_dot_product(query, key, key, torch.tensor([[True, False]]), empty_row=EmptyRow.MEAN).weights
    assert weights.tolist() == [[1, 0]]


def test_a_zero_row_sends_no_nan_backwards() -> None:
    query, key, value = (each.clone().requires_grad_() for each in OBLONG)
    keep = torch.tensor([[False], [True], [True]])
    output = scaled_dot_product(query, key, value, keep, empty_row=EmptyRow.ZERO).output
    for gradient in torch.autograd.grad(output.sum(), (query, key, value)):
        assert gradient.isfinite().all()


@pytest.mark.parametrize(
    ("mask", "kept", "masked"),
    [
        (torch.ones(3, 3).tril().bool(), [[1, 0, 0], [1, 1, 0], [1, 1, 1]], [[0, 1, 1], [0, 0, 1], [NAN] * 3]),
        (torch.eye(3).bool(), [[1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 1, 1], [1, 0, 1], [1, 1, 0]]),
    ],
    ids=["tril", "eye"],
)
def test_one_mask_in_both_polarities(mask: Tensor, kept: list[list[float]], masked: list[list[float]]) -> None:
    """True keeps for F.scaled_dot_product_attention and masks for nn.MultiheadAttention: the same mask, two patterns."""
    X = numbers(1, 3, 2)
    as_keep, as_mask = (scaled_dot_product(X, X, X, mask, polarity=polarity).weights for polarity in (KEEPS, MASKS))
    close(as_keep[0].ceil(), kept)
    close(as_mask[0].ceil(), masked)
    close(as_keep, functional.scaled_dot_product_attention(X, X, torch.eye(3, dtype=torch.float64)[None], attn_mask=mask))
    theirs = nn.MultiheadAttention(2, 1, bias=False, batch_first=True, dtype=torch.float64).requires_grad_(False)
    theirs.in_proj_weight.copy_(torch.eye(2).repeat(3, 1))
    close(as_mask, theirs(X, X, X, attn_mask=mask)[1])


@pytest.mark.parametrize(
    ("n_queries", "n_keys", "alignment", "rows"),
    [
        (2, 5, TOP_LEFT, [[1, 0, 0, 0, 0], [1 / 2, 1 / 2, 0, 0, 0]]),
        (2, 5, BOTTOM_RIGHT, [[1 / 4, 1 / 4, 1 / 4, 1 / 4, 0], [1 / 5] * 5]),
        (3, 4, TOP_LEFT, [[1, 0, 0, 0], [1 / 2, 1 / 2, 0, 0], [1 / 3, 1 / 3, 1 / 3, 0]]),
        (3, 4, BOTTOM_RIGHT, [[1 / 2, 1 / 2, 0, 0], [1 / 3, 1 / 3, 1 / 3, 0], [1 / 4] * 4]),
        (3, 2, TOP_LEFT, [[1, 0], [1 / 2, 1 / 2], [1 / 2, 1 / 2]]),
        (3, 2, BOTTOM_RIGHT, [[NAN, NAN], [1, 0], [1 / 2, 1 / 2]]),
    ],
)
def test_causal_alignment(n_queries: int, n_keys: int, alignment: CausalAlignment, rows: list[list[float]]) -> None:
    query, key = torch.zeros(n_queries, 3, dtype=torch.float64), numbers(n_keys, 3)  # equal scores, 0
    close(scaled_dot_product(query, key, key, causal=alignment).weights, rows)


@pytest.mark.parametrize(("n_queries", "n_keys"), [(1, 1), (4, 4), (2, 5), (1, 6), (5, 2)])
def test_causal_alignment_agrees_with_pytorch(n_queries: int, n_keys: int) -> None:
    query, key, value = numbers(2, n_queries, 3, seed=1), numbers(2, n_keys, 3, seed=2), numbers(2, n_keys, 4, seed=3)
    top_left = scaled_dot_product(query, key, value, causal=TOP_LEFT).output
    close(top_left, functional.scaled_dot_product_attention(query, key, value, is_causal=True))
    for alignment, by_reference in (
        (TOP_LEFT, reference.causal_mask_top_left(n_queries, n_keys)),
        (BOTTOM_RIGHT, reference.causal_mask_bottom_right(n_queries, n_keys)),
    ):
        assert causal_mask(n_queries, n_keys, alignment).tolist() == by_reference.tolist()
    if n_queries <= n_keys:  # PyTorch warns of rows without keys
        lower_right = causal_lower_right(n_queries, n_keys)
        bottom_right = scaled_dot_product(query, key, value, causal=BOTTOM_RIGHT).output
        close(bottom_right, functional.scaled_dot_product_attention(query, key, value, attn_mask=lower_right))
        assert torch.equal(causal_mask(n_queries, n_keys), causal_mask(n_queries, n_keys, BOTTOM_RIGHT))


def test_a_mask_that_is_not_boolean_is_refused() -> None:
    query, key, value = OBLONG
    for mask in (torch.ones(3, 5), torch.ones(3, 5, dtype=torch.long)):
        with pytest.raises(TypeError, match=r"expected torch\.bool"):
            scaled_dot_product(query, key, value, mask)


# Shapes --------------------------------------------------------------------------------------------------------------------


def test_shapes_alone_run_on_meta_tensors() -> None:
    with torch.device("meta"):
        attention, X, memory = MultiHeadAttention(512, 8), torch.empty(2, 5, 512), torch.empty(2, 9, 512)
    output, weights = attention(X, memory, causal=BOTTOM_RIGHT, empty_row=EmptyRow.ZERO)
    assert output.shape == (2, 5, 512)
    assert weights.shape == (2, 8, 5, 9)


def some(*shape: int) -> Tensor:
    return torch.ones(*shape)


def flags(*shape: int) -> Tensor:
    return torch.ones(*shape, dtype=torch.bool)


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: scaled_dot_product(some(4), some(5, 4), some(5, 4)), ("query [4]", "key [5, 4]")),
        (lambda: scaled_dot_product(some(2, 3, 4), some(2, 5, 6), some(2, 5, 6)), ("query [2, 3, 4]", "key [2, 5, 6]")),
        (lambda: scaled_dot_product(some(2, 3, 4), some(1, 5, 4), some(1, 5, 4)), ("query [2, 3, 4]", "key [1, 5, 4]")),
        (lambda: scaled_dot_product(some(3, 4), some(5, 4), some(6, 4)), ("key [5, 4]", "value [6, 4]")),
        (lambda: scaled_dot_product(some(3, 4), some(5, 4), some(5, 4), flags(5, 3)), ("mask [5, 3]", "scores [3, 5]")),
        (lambda: scaled_dot_product(some(3, 4), some(5, 4), some(5, 4), flags(1, 3, 5)), ("mask [1, 3, 5]", "scores [3, 5]")),
        (lambda: SelfAttention(4, 2)(some(2, 3, 5)), ("X [2, 3, 5]", "weight [2, 4]")),
        (lambda: SelfAttention(4, 2)(some(4)), ("X [4]", "weight [2, 4]")),
        (lambda: PaddedSelfAttention(4, 2)(some(2, 3, 4), flags(3, 2)), ("key_padding [3, 2]", "keys [2, 3]")),
        (lambda: CrossAttention(4, 2)(some(2, 3, 4), some(3, 5, 4)), ("X [2, 3, 4]", "memory [3, 5, 4]")),
        (lambda: CrossAttention(4, 2, d_memory=6)(some(2, 3, 4), some(2, 5, 4)), ("X [2, 5, 4]", "weight [2, 6]")),
        (lambda: MultiHeadAttention(4, 2)(some(2, 3, 4), None, flags(2, 4)), ("key_padding [2, 4]", "keys [2, 3]")),
        (lambda: MultiHeadAttention(10, 4), ("d_model 10", "n_heads 4")),
        (lambda: MultiHeadAttention(4, 0), ("d_model 4", "n_heads 0")),
        (lambda: split_heads(some(2, 3, 10), 4), ("features 10", "n_heads 4")),
    ],
)
def test_a_bad_shape_names_both(call: Callable[[], object], named: tuple[str, str]) -> None:
    with pytest.raises(ShapeError) as caught:
        call()
    message = str(caught.value)
    assert message.startswith(f"{named[0]} and {named[1]}: expected ")
