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
