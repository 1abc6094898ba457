"""The residual stream and sampling, once more in plain Python and by another road than ``solvers`` takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def residual_chain(f: Any, path: str = "residual") -> Any:
    """Back through the layers one by one."""
    gradient = 1.0
    for slope in f:
        gradient = slope * gradient + (gradient if path == "residual" else 0.0)
    return np.array(gradient)


def influence(c: Any, behind: Any = "all", ahead: Any = 0) -> Any:
    """Spread each change to the positions that see it: those ``ahead`` before it and ``behind`` after it."""
    reached = np.zeros(len(c))
    for place in np.flatnonzero(c):
        first = 0 if ahead == "all" else max(0, place - ahead)
        last = len(c) if behind == "all" else place + behind + 1
        reached[first:last] = 1
    return reached


def _renormalised(p: Any, kept: set[int]) -> Any:
    weights = [value if place in kept else 0.0 for place, value in enumerate(p)]
    return np.array(weights) / sum(weights)


def top_k(p: Any, k: Any) -> Any:
    return _renormalised(p, set(np.argsort(-np.asarray(p), kind="stable")[: int(k)].tolist()))


def top_p(p: Any, t: Any) -> Any:
    """The smallest number of tokens, from the largest on, that adds up to the threshold."""
    order = np.argsort(-np.asarray(p), kind="stable").tolist()
    count = next(n for n in range(1, len(order) + 1) if sum(p[i] for i in order[:n]) >= t - 1e-12)
    return _renormalised(p, set(order[:count]))


OPERATIONS: dict[str, Callable[..., Any]] = {
    "residual_chain": residual_chain,
    "influence": influence,
    "how_many": lambda c: np.array(float(np.count_nonzero(c))),
    "top_k": top_k,
    "top_p": top_p,
}
