"""What a decoder adds to attention: rotated positions, the key/value cache, shared key/value heads."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor
from torch.nn import functional

import solvers.attention
from solvers.attention import (
    CausalAlignment,
    EmptyRow,
    GroupedQueryAttention,
    KVCache,
    MaskPolarity,
    MultiHeadAttention,
    RotaryPairing,
    ShapeError,
    causal_mask,
    rotate,
)
from tests.solvers import reference
from tests.solvers.tensors import close, numbers, right_hand, seeded

INTERLEAVED, HALF_SPLIT = RotaryPairing.INTERLEAVED, RotaryPairing.HALF_SPLIT
BY_REFERENCE = {INTERLEAVED: reference.rope_interleaved, HALF_SPLIT: reference.rope_half_split}


# Positions as rotations ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pairing", "position", "x", "turned"),
    [
        (INTERLEAVED, 1, [1, 2, 3, 4], [-1.1426, 1.9221, 2.9599, 4.0298]),  # angles 1 and 0.01
        (HALF_SPLIT, 1, [1, 2, 3, 4], [-1.9841, 1.9599, 2.4624, 4.0198]),
        (INTERLEAVED, 0, [5, -1, 2, 7], [5, -1, 2, 7]),
        (HALF_SPLIT, 0, [5, -1, 2, 7], [5, -1, 2, 7]),
        (INTERLEAVED, 3, [2, 0, 0, 1], [-1.9800, 0.2822, -0.0300, 0.9996]),  # 2 cos 3, 2 sin 3, −sin 0.03, cos 0.03
        (HALF_SPLIT, 3, [2, 0, 0, 1], [-1.9800, -0.0300, 0.2822, 0.9996]),
    ],
)
def test_rope_by_hand(pairing: RotaryPairing, position: int, x: list[float], turned: list[float]) -> None:
    result = rotate(torch.tensor([x], dtype=torch.float64), torch.tensor([position]), pairing)
    assert result[0].tolist() == pytest.approx(turned, abs=5e-5)


@given(
    pairing=st.sampled_from(RotaryPairing),
    half=st.integers(1, 4),
    positions=st.lists(st.integers(0, 60), min_size=1, max_size=4),
    base=st.sampled_from([10_000.0, 500_000.0, 10.0]),
    seed=st.integers(0, 1000),
)
def test_rope_agrees_with_the_reference(
    pairing: RotaryPairing, half: int, positions: list[int], base: float, seed: int
) -> None:
    x = numbers(2, len(positions), 2 * half, seed=seed)
    turned = rotate(x, torch.tensor(positions), pairing, base)
    close(turned, BY_REFERENCE[pairing](x.numpy(), positions, base))
    close(turned.norm(dim=-1), x.norm(dim=-1))


@pytest.mark.parametrize("pairing", RotaryPairing)
@given(m=st.integers(0, 60), n=st.integers(0, 60), shift=st.integers(1, 60))
def test_rope_is_relative(pairing: RotaryPairing, m: int, n: int, shift: int) -> None:
    """The product of q at m and k at n depends on m − n, and on nothing else."""
    q, k = numbers(1, 6, seed=1), numbers(1, 6, seed=2)

    def product(at_q: int, at_k: int) -> Tensor:
        return rotate(q, torch.tensor([at_q]), pairing) @ rotate(k, torch.tensor([at_k]), pairing).mT

    close(product(m, n), product(m + shift, n + shift))
    assert abs(product(m, n) - product(m + shift, n)) > 1e-6


def test_rope_is_by_default_that_of_the_paper() -> None:
    x = numbers(2, 4)
    close(rotate(x, torch.arange(2)), rotate(x, torch.arange(2), INTERLEAVED, 10_000))


def test_the_two_pairings_are_one_up_to_the_order_of_the_features() -> None:
    x, positions = numbers(3, 8), torch.arange(3)
    order = torch.tensor([0, 2, 4, 6, 1, 3, 5, 7])  # evens, then odds: half-split pairs are then neighbours' pairs
    close(rotate(x[:, order], positions, HALF_SPLIT), rotate(x, positions, INTERLEAVED)[:, order])


# Shared heads --------------------------------------------------------------------------------------------------------------


def check_grouped(n_kv_heads: int, rotary: RotaryPairing | None) -> None:
    ours, X = seeded(GroupedQueryAttention(12, 4, n_kv_heads, d_head=2, rotary=rotary)), numbers(2, 5, 12)
    W_Q, W_K, W_V, W_O = right_hand(ours.W_Q, ours.W_K, ours.W_V, ours.W_O)
    Q = reference.split_heads(reference.project(X.numpy(), W_Q), 4)
    K, V = (reference.split_heads(reference.project(X.numpy(), W), n_kv_heads) for W in (W_K, W_V))
    if rotary is not None:
        Q, K = (BY_REFERENCE[rotary](each, [0, 1, 2, 3, 4]) for each in (Q, K))
    output, weights = ours(X)

    query, key, value = map(torch.from_numpy, (Q, K, V))
    heads = functional.scaled_dot_product_attention(query, key, value, is_causal=True, enable_gqa=True)
    close(output, functional.linear(heads.transpose(1, 2).flatten(2), ours.W_O.weight))

    by_reference, expected_weights = reference.grouped_query_attention(Q, K, V, reference.causal_mask_top_left(5, 5))
    close(output, reference.project(reference.concat_heads(by_reference), W_O))
    close(weights, expected_weights)


@pytest.mark.parametrize("rotary", [None, *RotaryPairing])
@pytest.mark.parametrize("n_kv_heads", [1, 2, 4])
def test_grouped_query_agrees_with_pytorch(n_kv_heads: int, rotary: RotaryPairing | None) -> None:
    check_grouped(n_kv_heads, rotary)


def test_as_many_key_heads_as_query_heads_is_multi_head_attention() -> None:
    grouped, multi_head, X = seeded(GroupedQueryAttention(6, 3, 3)), seeded(MultiHeadAttention(6, 3)), numbers(2, 4, 6)
    ours, theirs = grouped(X, causal=None), multi_head(X)
    close(ours.output, theirs.output)
    close(ours.weights, theirs.weights)


def test_key_heads_in_the_wrong_order_are_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tiled, 0 1 0 1, instead of repeated, 0 0 1 1."""
    monkeypatch.setattr(Tensor, "repeat_interleave", lambda x, times, dim: torch.cat([x] * times, dim))
    with pytest.raises(AssertionError, match="Tensor-likes are not close"):
        check_grouped(2, None)


# The cache -----------------------------------------------------------------------------------------------------------------


def check_decoding(chunks: list[int], n_kv_heads: int = 2, rotary: RotaryPairing | None = None) -> None:
    """Token by token, or chunk by chunk, comes to the same as all at once."""
    attention, X, cache = seeded(GroupedQueryAttention(8, 4, n_kv_heads, rotary=rotary)), numbers(2, sum(chunks), 8), KVCache()
    whole = attention(X)
    done = 0
    for size in chunks:
        output, weights = attention(X[:, done : done + size], cache)
        assert cache.length == done + size
        close(output, whole.output[:, done : done + size])
        close(weights, whole.weights[:, :, done : done + size, : done + size])
        done += size


@pytest.mark.parametrize("rotary", [None, *RotaryPairing])
@pytest.mark.parametrize("n_kv_heads", [1, 2, 4])
@pytest.mark.parametrize("chunks", [[1] * 7, [4, 1, 1, 1], [3, 2, 2], [7]], ids=str)
def test_decoding_equals_one_causal_pass(chunks: list[int], n_kv_heads: int, rotary: RotaryPairing | None) -> None:
    check_decoding(chunks, n_kv_heads, rotary)


@pytest.mark.parametrize(
    ("part", "wrong"),
    [
        ("causal_mask", lambda n_queries, n_keys, alignment: causal_mask(n_queries, n_keys, CausalAlignment.TOP_LEFT)),
        ("causal_mask", lambda n_queries, n_keys, alignment: torch.ones(n_queries, n_keys, dtype=torch.bool)),
        ("rotate", lambda x, positions, pairing: rotate(x, positions - positions[0], pairing)),
    ],
    ids=["top-left", "prefill unmasked", "positions start anew"],
)
def test_wrong_decoding_is_rejected(part: str, wrong: Callable[..., Tensor], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solvers.attention, part, wrong)
    with pytest.raises(AssertionError, match="Tensor-likes are not close"):
        check_decoding([3, 2, 1], rotary=INTERLEAVED)


def test_padding_of_cached_tokens_stays_hidden() -> None:
    """A short prompt, padded on the left, decodes as it would alone: rotated positions count only by their distance."""
    attention, X = seeded(GroupedQueryAttention(8, 2, 1, rotary=HALF_SPLIT)), numbers(1, 5, 8)
    real = torch.tensor([[False, False, True, True, True]])
    cache = KVCache()
    attention(X[:, :4], cache, real[:, :4], empty_row=EmptyRow.ZERO)
    decoded = attention(X[:, 4:], cache, ~real, polarity=MaskPolarity.TRUE_MASKS)
    close(decoded.output, attention(X[:, 2:]).output[:, -1:])


@pytest.mark.parametrize(("n_kv_heads", "gibibytes"), [(8, 1), (32, 4), (1, 1 / 8)])
def test_the_bytes_of_a_cache(n_kv_heads: int, gibibytes: float) -> None:
    """32 layers, 8192 tokens, heads of 128 features, 2 bytes each; 32 query heads, which do not matter."""
    cache = KVCache()
    assert cache.n_bytes == 0
    prompt = torch.empty(1, n_kv_heads, 8000, 128, dtype=torch.bfloat16, device="meta")
    cache.append(prompt, prompt)
    cache.append(prompt[..., :192, :], prompt[..., :192, :])
    assert 32 * cache.n_bytes == gibibytes * 2**30


@pytest.mark.parametrize(
    ("key", "value", "named"),
    [
        ((2, 1, 1, 4), (2, 1, 2, 4), "key [2, 1, 1, 4] and value [2, 1, 2, 4]"),
        ((2, 1, 1, 6), (2, 1, 1, 6), "cached [2, 1, 3, 4] and new [2, 1, 1, 6]"),
        ((1, 1, 1, 4), (1, 1, 1, 4), "cached [2, 1, 3, 4] and new [1, 1, 1, 4]"),
        ((2, 1, 1, 4), (2, 1, 1, 5), "cached [2, 1, 3, 4] and new [2, 1, 1, 5]"),
    ],
)
def test_a_cache_refuses_what_does_not_continue_it(key: tuple[int, ...], value: tuple[int, ...], named: str) -> None:
    cache = KVCache()
    cache.append(torch.ones(2, 1, 3, 4), torch.ones(2, 1, 3, 4))
    with pytest.raises(ShapeError) as caught:
        cache.append(torch.ones(key), torch.ones(value))
    assert str(caught.value).startswith(f"{named}: expected ")
    assert cache.length == 3


def test_a_refused_step_leaves_the_cache_alone() -> None:
    attention, cache = GroupedQueryAttention(4, 2, 1), KVCache()
    attention(torch.ones(2, 3, 4), cache)
    wrong_steps = [
        (torch.ones(2, 1, 4), torch.ones(2, 3, dtype=torch.bool), ShapeError),  # padding of the cached tokens alone
        (torch.ones(2, 1, 4), torch.ones(2, 4), TypeError),
        (torch.ones(1, 1, 4), None, ShapeError),
        (torch.ones(2, 1, 5), None, ShapeError),
    ]
    for X, key_padding, error in wrong_steps:
        with pytest.raises(error):
            attention(X, cache, key_padding)
        assert cache.length == 3


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: GroupedQueryAttention(8, 4, 3), "n_heads 4 and n_kv_heads 3"),
        (lambda: GroupedQueryAttention(8, 2, 4), "n_heads 2 and n_kv_heads 4"),
        (lambda: GroupedQueryAttention(10, 4, 2), "d_model 10 and n_heads 4"),
        (lambda: GroupedQueryAttention(8, 4, 2)(torch.ones(2, 3, 6)), "X [2, 3, 6] and weight [8, 8]"),
        (lambda: rotate(torch.ones(3, 5), torch.arange(3)), "x [3, 5] and positions [3]"),
        (lambda: rotate(torch.ones(3, 4), torch.arange(2)), "x [3, 4] and positions [2]"),
    ],
)
def test_a_bad_shape_names_both(call: Callable[[], object], named: str) -> None:
    with pytest.raises(ShapeError) as caught:
        call()
    assert str(caught.value).startswith(f"{named}: expected ")
