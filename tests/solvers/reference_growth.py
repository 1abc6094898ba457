"""Growth and whole models once more: by counting at both lengths, by searching, and by building what is counted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.solvers.reference_counts import attention_flops, layer_flops


def length_factor(S: Any, T: Any, of: str = "scores") -> Any:
    """What there is at both lengths, for a width of 3."""
    counts: dict[str, Callable[[float], float]] = {
        "scores": lambda n: float(np.broadcast_to(0, (int(n), int(n))).size),
        "score-flops": lambda n: float(attention_flops(n, n, 3)),
        "score-bytes": lambda n: float(np.broadcast_to(np.float16(0), (int(n), int(n))).size * 2),
        "cache": lambda n: float(np.broadcast_to(0, (2, int(n), 3)).size),
        "statistics": lambda n: float(np.zeros((int(n), 3)).max(-1).size),
        "projections": lambda n: float(attention_flops(n, n, 3, "projections")),
        "ffn": lambda n: float(layer_flops(n, 3, 5) - attention_flops(n, n, 3, "all")),
    }
    return np.array(counts[of](T) / counts[of](S))


def crossover(d: Any, d_ff: Any = None, form: str = "relu") -> Any:
    """The length at which the quadratic FLOPs are those of the rest, halving the interval."""

    def ahead(S: float) -> bool:
        quadratic = 2 * (2 * S * S * d)
        linear = 4 * (2 * S * d * d) + (0 if d_ff is None else (3 if form == "swiglu" else 2) * (2 * S * d * d_ff))
        return bool(quadratic > linear)

    low, high = 0.0, 1e9
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (low, middle) if ahead(middle) else (middle, high)
    return np.array(round(high, 6))


def embedding_parameters(V: Any, d: Any, P: Any = 0, tied: str = "yes") -> Any:
    rows = int(V) * (1 if tied == "yes" else 2) + int(P)
    return np.array(float(np.broadcast_to(0, (rows, int(d))).size))


def model_parameters(
    E: Any, A: Any, F: Any, N: Any, d: Any, kind: str = "one-stack", norm: str = "layer", last: str = "no"
) -> Any:
    one = float(d) * (2 if norm == "layer" else 1)
    total = float(E)
    for attentions in (1, 2) if kind == "encoder-decoder" else (1,):
        for _ in range(int(N)):
            total += attentions * (float(A) + one) + float(F) + one
        total += one if last == "yes" else 0
    return np.array(total)


OPERATIONS: dict[str, Callable[..., Any]] = {
    "length_factor": length_factor,
    "growth": lambda new, old: np.array(float(new) / float(old)),
    "crossover": crossover,
    "embedding_parameters": embedding_parameters,
    "model_parameters": model_parameters,
}
