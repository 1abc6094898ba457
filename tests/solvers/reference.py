"""Attention once more, in plain NumPy: slow, short, and written apart from ``solvers``, so that the two can disagree.

Shapes are [..., S, d]; masks keep where True. Sums are written as einsum, everything else as the loop that the formula says.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]


def project(X: Array, W: Array, bias: Array | None = None) -> Array:
    """X W, W being [d_in, d_out]: the transpose of what ``nn.Linear`` stores."""
    product: Array = np.einsum("...sd,de->...se", X, W)
    return product if bias is None else product + bias


def scores(Q: Array, K: Array) -> Array:
    S: Array = np.einsum("...id,...jd->...ij", Q, K)
    return S


def scale(S: Array, d_k: int) -> Array:
    return S / math.sqrt(d_k)


def softmax(Z: Array) -> Array:
    """Row by row, shifted by the row's maximum; a row of −∞ gives nan."""
    A = np.empty(Z.shape)
    for at in np.ndindex(Z.shape[:-1]):
        top = max(Z[at])
        exponentials = [math.nan if top == -math.inf else math.exp(z - top) for z in Z[at]]
        A[at] = [e / math.fsum(exponentials) for e in exponentials]
    return A


def causal_mask_top_left(n_queries: int, n_keys: int) -> Mask:
    return np.array([[j <= i for j in range(n_keys)] for i in range(n_queries)])


def causal_mask_bottom_right(n_queries: int, n_keys: int) -> Mask:
    """Count from the end: the query that has r queries behind it sees all keys but the last r."""
    return np.array([[j < n_keys - (n_queries - 1 - i) for j in range(n_keys)] for i in range(n_queries)])


def padding_mask(real_keys: Mask, n_queries: int) -> Mask:
    """[..., S_k] to [..., S_q, S_k]: every query sees the same keys."""
    return np.stack([real_keys] * n_queries, axis=-2)


def hide(Z: Array, keep: Mask) -> Array:
    return np.where(keep, Z, -np.inf)


def mix(A: Array, V: Array) -> Array:
    output: Array = np.einsum("...ij,...jd->...id", A, V)
    return output


def attention(Q: Array, K: Array, V: Array, keep: Mask | None = None, factor: float | None = None) -> tuple[Array, Array]:
    """Output and weights; ``factor`` replaces 1/√d_k."""
    Z = scale(scores(Q, K), Q.shape[-1]) if factor is None else factor * scores(Q, K)
    A = softmax(Z if keep is None else hide(Z, keep))
    return mix(A, V), A


def split_heads(X: Array, n_heads: int) -> Array:
    """[..., S, h·d] to [..., h, S, d]: head i has the i-th block of columns."""
    d = X.shape[-1] // n_heads
    return np.stack([X[..., i * d : (i + 1) * d] for i in range(n_heads)], axis=-3)


def concat_heads(heads: Array) -> Array:
    return np.concatenate([heads[..., i, :, :] for i in range(heads.shape[-3])], axis=-1)


def grouped_query_attention(Q: Array, K: Array, V: Array, keep: Mask | None = None) -> tuple[Array, Array]:
    """Q [..., h, S_q, d], K and V [..., h_kv, S_k, d]; ``keep`` [..., S_q, S_k] holds for every head."""
    n_heads, n_kv_heads = Q.shape[-3], K.shape[-3]
    shared = [head * n_kv_heads // n_heads for head in range(n_heads)]
    found = [attention(Q[..., i, :, :], K[..., j, :, :], V[..., j, :, :], keep) for i, j in enumerate(shared)]
    return np.stack([output for output, _ in found], axis=-3), np.stack([A for _, A in found], axis=-3)


def multi_head_attention(
    X: Array, memory: Array, W_Q: Array, W_K: Array, W_V: Array, W_O: Array, n_heads: int, keep: Mask | None = None
) -> tuple[Array, Array]:
    """Head by head, without ever splitting: each head has its own columns of the projections and its own rows of W_O."""
    d = W_Q.shape[1] // n_heads
    total, weights = np.zeros((*X.shape[:-1], W_O.shape[1])), []
    for columns in (slice(i * d, (i + 1) * d) for i in range(n_heads)):
        Q, K, V = project(X, W_Q[:, columns]), project(memory, W_K[:, columns]), project(memory, W_V[:, columns])
        output, A = attention(Q, K, V, keep)
        total += project(output, W_O[columns])
        weights.append(A)
    return total, np.stack(weights, axis=-3)


def layer_norm(x: Array, gamma: Array | None = None, beta: Array | None = None, eps: float = 1e-5) -> Array:
    """Over the last dimension, with the biased variance: the mean of the squared deviations."""
    normalised = np.empty(x.shape)
    for at in np.ndindex(x.shape[:-1]):
        mean = math.fsum(x[at]) / x.shape[-1]
        variance = math.fsum((value - mean) ** 2 for value in x[at]) / x.shape[-1]
        with np.errstate(invalid="ignore"):  # features that are all equal, in a row that nobody asks for: 0/0
            normalised[at] = [(value - mean) / math.sqrt(variance + eps) for value in x[at]]
    scaled = normalised if gamma is None else normalised * gamma
    return scaled if beta is None else scaled + beta


def rope_interleaved(x: Array, positions: list[int], base: float = 10_000.0) -> Array:
    """A pair of neighbours is a complex number; turning it is multiplying it by e^(iθ)."""
    d = x.shape[-1]
    turned = np.empty(x.shape)
    for token, position in enumerate(positions):
        for pair in range(d // 2):
            turn = np.exp(1j * position / base ** (2 * pair / d))
            number = (x[..., token, 2 * pair] + 1j * x[..., token, 2 * pair + 1]) * turn
            turned[..., token, 2 * pair], turned[..., token, 2 * pair + 1] = number.real, number.imag
    return turned


def rope_half_split(x: Array, positions: list[int], base: float = 10_000.0) -> Array:
    """A d × d rotation matrix for each token, which turns feature i with feature i + d/2."""
    d = x.shape[-1]
    turned = np.empty(x.shape)
    for token, position in enumerate(positions):
        R = np.zeros((d, d))
        for i in range(d // 2):
            angle, j = position / base ** (2 * i / d), i + d // 2
            R[i, i], R[i, j], R[j, i], R[j, j] = math.cos(angle), -math.sin(angle), math.sin(angle), math.cos(angle)
        turned[..., token, :] = np.einsum("ij,...j->...i", R, x[..., token, :])
    return turned
