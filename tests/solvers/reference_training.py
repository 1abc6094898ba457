"""What is worked out in training, once more in plain NumPy and by another road than ``solvers`` takes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.solvers import reference


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


def dot_variance(d_k: Any, sigma_q: Any = 1.0, sigma_k: Any = 1.0, of: str = "variance", scaled: str = "no") -> Any:
    """Each term of q · k / c has variance (σ_q σ_k / c)²."""
    c = {"no": 1.0, "root": math.sqrt(d_k), "d_k": float(d_k)}[scaled]
    variance = math.fsum([(float(sigma_q) * float(sigma_k) / c) ** 2] * int(d_k))
    return np.array(math.sqrt(variance) if of == "deviation" else variance)


def cross_entropy(logits: Any, targets: Any, first: int = 0, shift: str = "no", of: str = "classes") -> Any:
    """Position by position: the probabilities, the surprise at each class, and what the target expects of it."""
    z, y = np.atleast_2d(logits), np.asarray(targets)
    if np.ndim(logits) == 1:
        y = y[None]
    if shift == "yes":
        z, y = z[:-1], y[1:]
    losses = []
    for row, target in zip(z, y, strict=True):
        surprise = [-math.log(share) if share else math.inf for share in reference.softmax(row[None])[0]]
        if np.ndim(target):
            losses.append(sum(share * bits for share, bits in zip(target, surprise, strict=True)))
        elif target != -100:
            losses.append(surprise[int(target) - first])
    return np.array(math.fsum(losses) / len(losses) if losses else math.nan)


def perplexity(loss: Any, base: str = "e") -> Any:
    return np.array((math.e if base == "e" else 2.0) ** float(loss))


def label_smoothing(y: Any, epsilon: Any, over: str = "all") -> Any:
    """Move ε from the target to a pot, and share the pot out."""
    y = np.asarray(y, dtype=float)
    shares = y.shape[-1] if over == "all" else y.shape[-1] - 1
    smooth = np.empty(y.shape)
    for at in np.ndindex(y.shape):
        takes_part = over == "all" or y[at] == 0
        smooth[at] = y[at] - epsilon * y[at] + (epsilon / shares if takes_part else 0)
    return smooth


OPERATIONS: dict[str, Callable[..., Any]] = {
    "residual_gradient": residual_gradient,
    "noam_rate": noam_rate,
    "noam_peak": lambda warmup: 1 + np.argmax([noam_rate(step, 1, warmup) for step in range(1, int(warmup) + 3)]),
    "cosine_rate": cosine_rate,
    "dropout": dropout,
    "dot_variance": dot_variance,
    "cross_entropy": cross_entropy,
    "perplexity": perplexity,
    "label_smoothing": label_smoothing,
}
