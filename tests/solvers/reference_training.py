"""What is worked out in training, once more in plain NumPy and by another road than ``solvers`` takes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np


def residual_gradient(f: Any, n: Any, path: str = "residual") -> Any:
    """Back through the layers one by one."""
    gradient = 1.0
    for _ in range(int(n)):
        gradient = f * gradient + (gradient if path == "residual" else 0.0)
    return np.array(gradient)


def noam_rate(step: Any, d_model: Any, warmup: Any) -> Any:
    """A straight line to the peak, then the peak times √(warmup / step)."""
    peak = 1 / math.sqrt(d_model * warmup)
    return np.array(peak * (step / warmup if step < warmup else math.sqrt(warmup / step)))


def cosine_rate(step: Any, warmup: Any, total: Any, peak: Any, floor: Any) -> Any:
    """(1 + cos 2a) / 2 is cos² a."""
    if step < warmup:
        return np.array(step / warmup * peak)
    quarter_turn = min(1.0, (step - warmup) / (total - warmup)) * math.pi / 2
    return np.array(floor * math.sin(quarter_turn) ** 2 + peak * math.cos(quarter_turn) ** 2)


def dropout(X: Any, keep: Any, p: Any, mode: str = "train") -> Any:
    return np.asarray(X) if mode == "eval" else np.where(keep == 1, np.asarray(X) / (1 - p), 0.0)


def dot_variance(d_k: Any, of: str = "variance", scaled: str = "no") -> Any:
    """Each term of q · k / c has variance 1 / c²."""
    c = {"no": 1.0, "root": math.sqrt(d_k), "d_k": float(d_k)}[scaled]
    variance = math.fsum([c**-2] * int(d_k))
    return np.array(math.sqrt(variance) if of == "deviation" else variance)


OPERATIONS: dict[str, Callable[..., Any]] = {
    "residual_gradient": residual_gradient,
    "noam_rate": noam_rate,
    "cosine_rate": cosine_rate,
    "dropout": dropout,
    "dot_variance": dot_variance,
}
