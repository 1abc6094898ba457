"""Merged blocks, the derivative of the softmax, and path lengths, by another road than ``solvers`` takes."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np


def merge_blocks(
    m_1: Any, l_1: Any, o_1: Any, m_2: Any, l_2: Any, o_2: Any, of: str = "all", output: str = "normalised"
) -> Any:
    """By way of the plain sums of e^score and of e^score · v, which no maximum has been taken from."""
    sums = [math.exp(m) * float(total) for m, total in ((m_1, l_1), (m_2, l_2))]
    mixed = [
        (total if output == "normalised" else math.exp(m)) * np.asarray(o)
        for total, m, o in zip(sums, (m_1, m_2), (o_1, o_2), strict=True)
    ]
    m = max(float(m_1), float(m_2))
    total = sum(sums) / math.exp(m)
    o = sum(mixed) / (sum(sums) if output == "normalised" else math.exp(m))
    return {"m": np.array(m), "l": np.array(total), "o": o, "all": np.append([m, total], o)}[of]


def softmax_jacobian(p: Any) -> Any:
    """Differences of the softmax itself, at ln p, with a complex step, which loses no digits."""
    z, step = np.log(np.asarray(p, dtype=float)), 1e-30
    columns = []
    for j in range(len(z)):
        moved = np.exp(z + step * 1j * (np.arange(len(z)) == j))
        columns.append((moved / moved.sum()).imag / step)
    return np.stack(columns, axis=1)


def _reaches(kind: str, k: int) -> Iterator[Any]:
    """How far back one position sees through 0, 1, 2, ... causal convolutions, as a row of truth values."""
    seen = np.ones(1, dtype=bool)
    for layer in itertools.count():
        yield seen
        stride = k**layer if kind == "dilated" else 1
        further = np.zeros(len(seen) + (k - 1) * stride, dtype=bool)
        for tap in range(k):
            further[tap * stride : tap * stride + len(seen)] |= seen
        seen = further


def path_steps(D: Any, k: Any = None, kind: str = "rnn", window: str = "causal") -> Any:
    if kind in ("rnn", "attention"):
        return np.array(float(D) if kind == "rnn" else 1.0)
    for layers, seen in enumerate(_reaches(kind, int(k))):
        furthest = int(np.flatnonzero(seen).max())
        if int(D) <= (furthest // 2 if window == "centred" else furthest):
            return np.array(float(layers))
    raise AssertionError


def receptive_layers(S: Any, k: Any) -> Any:
    return np.array(next(float(layers) for layers, seen in enumerate(_reaches("cnn", int(k))) if seen.sum() >= int(S)))


OPERATIONS: dict[str, Callable[..., Any]] = {
    "merge_blocks": merge_blocks,
    "softmax_jacobian": softmax_jacobian,
    "path_steps": path_steps,
    "receptive_layers": receptive_layers,
}
