"""What surrounds attention, in plain NumPy and plain loops: norms, activations, positions."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def rms_norm(x: Array, gamma: Array | None = None, epsilon: Fraction | int = 0) -> Array:
    normal = np.array([row / math.sqrt(np.dot(row, row) / len(row) + float(epsilon)) for row in x])
    return normal if gamma is None else normal * gamma


def batch_norm(
    X: Array, gamma: Array | None = None, beta: Array | None = None, epsilon: Fraction | int = 0, variance: str = "biased"
) -> Array:
    """Column by column; a vector is one column."""
    if X.ndim == 1:
        return batch_norm(X[:, None], gamma, beta, epsilon, variance)[:, 0]
    columns = []
    for x in X.T:
        mean = math.fsum(x) / len(x)
        # E[x²] − E[x]², not the mean of the squared differences
        spread = math.fsum(x * x) / len(x) - mean**2
        spread *= 1 if variance == "biased" else len(x) / (len(x) - 1)
        columns.append((x - mean) / math.sqrt(spread + float(epsilon)))
    normal = np.array(columns).T
    normal = normal if gamma is None else normal * gamma
    return normal if beta is None else normal + beta


def sinusoid(
    positions: Array,
    d_model: float,
    layout: str = "interleaved",
    base: float = 10_000,
    dimension: int | str = "all",
    of: str = "wave",
) -> Array:
    """Dimension by dimension, as the imaginary and the real part of one turning number."""
    width = int(d_model)
    encoding = np.zeros((*np.shape(positions), width))
    for pair in range(width // 2):
        turned = positions * math.exp(-math.log(base) * 2 * pair / width)
        hand = np.exp(1j * turned) if of == "wave" else turned * (1 + 1j)
        sine, cosine = (pair, width // 2 + pair) if layout == "halves" else (2 * pair, 2 * pair + 1)
        encoding[..., sine], encoding[..., cosine] = hand.imag, hand.real
    chosen: Array = encoding if dimension == "all" else encoding[..., int(dimension)]
    return chosen


def rotate(
    X: Array, positions: Array, theta: Array | None = None, pairs: str = "interleaved", base: Fraction | int = 10_000
) -> Array:
    """A row as complex numbers, each multiplied by its own."""
    if X.ndim > 1:
        where = np.broadcast_to(positions, X.shape[-2])
        return np.stack([rotate(X[..., s, :], p, theta, pairs, base) for s, p in enumerate(where)], axis=-2)
    d = len(X)
    first, second = (slice(0, d // 2), slice(d // 2, d)) if pairs == "halves" else (slice(0, d, 2), slice(1, d, 2))
    angles = np.array([float(base) ** (-2 * i / d) for i in range(d // 2)]) if theta is None else theta
    numbers = (X[first] + 1j * X[second]) * np.exp(1j * positions * angles)
    turned = np.empty(d)
    turned[first], turned[second] = numbers.real, numbers.imag
    return turned


def permute_rows(X: Array, order: Array) -> Array:
    """A permutation matrix from the left."""
    P = np.array([[float(column + 1 == number) for column in range(len(order))] for number in order])
    permuted: Array = P @ X
    return permuted


def alibi(Z: Array, slope: float, position: float | None = None, align: str = "top-left", later: str = "unchanged") -> Array:
    """Cell by cell."""
    if Z.ndim == 1:
        last = len(Z) if position is None else int(position)
        padded = np.stack([Z] * last)  # the row that is meant is the last
        row: Array = alibi(padded, slope, later=later)[-1]
        return row
    biased = Z.copy()
    for *batch, i, j in np.ndindex(Z.shape):
        behind = i - j + (Z.shape[-1] - Z.shape[-2] if align == "bottom-right" else 0)
        if behind > 0 or later == "distance":
            biased[(*batch, i, j)] -= slope * abs(behind)
    return biased


def additive_scores(Q: Array, K: Array, v: Array) -> Array:
    """One dot product a pair; tanh by exponentials."""
    if Q.ndim == 1:
        row: Array = additive_scores(Q[None], K, v)[0]
        return row
    if K.ndim == 1:
        column: Array = additive_scores(Q, K[None], v)[:, 0]
        return column
    doubled = [[np.exp(2 * (q + k)) for k in K] for q in Q]
    return np.array([[np.dot(v, (e - 1) / (e + 1)) for e in row] for row in doubled])


def activation(X: Array, kind: str = "relu") -> Array:
    """Number by number, each from its own definition."""

    def one(x: float) -> float:
        sigmoid = math.exp(x) / (1 + math.exp(x))
        inner = math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)
        return {
            "relu": lambda: (x + abs(x)) / 2,
            "gelu": lambda: x * (1 + math.erf(x / math.sqrt(2))) / 2,
            "gelu_tanh": lambda: x * math.exp(2 * inner) / (1 + math.exp(2 * inner)),
            "silu": lambda: x * sigmoid,
            "tanh": lambda: math.sinh(x) / math.cosh(x),
            "sigmoid": lambda: sigmoid,
        }[kind]()

    return np.array([one(x) for x in np.ravel(X)]).reshape(np.shape(X))
