"""Scores once more, and the softmax taken apart, by another road than ``solvers`` takes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np


def symmetric(M: Any) -> Any:
    return np.array(float(np.abs(M - np.transpose(M)).max() < 1e-9))


def log_sum_exp(z: Any) -> Any:
    """Two scores at a time."""
    return np.array(np.logaddexp.reduce(z))


def _multiplied(rows: int, inner: int, columns: int) -> float:
    """Multiplications of a matrix product, cell by cell."""
    return float(sum(inner for _ in range(rows * columns)))


def dot_multiplications(S_q: Any, S_k: Any, d: Any, h: Any = 1) -> Any:
    return np.array(sum(_multiplied(int(S_q), int(d), int(S_k)) for _ in range(int(h))))


def additive_multiplications(S_q: Any, S_k: Any, d: Any, a: Any, h: Any = 1) -> Any:
    """The two projections as matrix products, and one more with v of all pairs' hidden layers."""
    pairs = int(S_q) * int(S_k)
    head = sum(_multiplied(rows, int(d), int(a)) for rows in (int(S_q), int(S_k))) + _multiplied(pairs, int(a), 1)
    return np.array(sum(head for _ in range(int(h))))


LARGEST = {"float16": 65504.0, "bfloat16": 3.3895313892515355e38, "float8_e5m2": 57344.0, "float8_e4m3fn": 448.0}


def largest_score(n: Any, d_k: Any = 1.0, dtype: str = "float16") -> Any:
    """By NumPy's own tables, and the published maxima of what NumPy doesn't know."""
    most = LARGEST[dtype] if dtype in LARGEST else float(np.finfo(dtype).max)
    return np.array(np.sqrt(d_k) * np.log(most / float(n)))


OPERATIONS: dict[str, Callable[..., Any]] = {
    "self_product": lambda X: np.einsum("id,jd->ij", X, X),
    "symmetric": symmetric,
    "shift": lambda z: np.asarray(z) - sorted(z)[-1],
    "exponentials": lambda x: np.array([math.e**one for one in x]),
    "row_sum": lambda e: np.array(math.fsum(e)),
    "log_sum_exp": log_sum_exp,
    "temperature": lambda z, T: np.multiply(z, 1 / T),
    "largest": lambda p: np.array(sorted(p)[-1]),
    "dot_multiplications": dot_multiplications,
    "additive_multiplications": additive_multiplications,
    "largest_score": largest_score,
}
