"""The wrong lines of listings in NumPy, and what a listing comes to beside the right one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from question_bank.program import Call
from tests.solvers import reference


def _hidden(Z: Any, masked: Any, filling: float) -> Any:
    return np.where(np.broadcast_to(masked, Z.shape), filling, Z)


def _columns(Z: Any) -> Any:
    return reference.softmax(Z.T).T


def _undivided(X: Any, h: Any) -> Any:
    return np.stack([X] * int(h), axis=-3)


def _split(X: Any, h: Any) -> Any:
    return X.reshape(*X.shape[:-1], int(h), X.shape[-1] // int(h))


def _upper(Z: Any, first: int) -> Any:
    return np.arange(Z.shape[1])[None, :] - np.arange(Z.shape[0])[:, None] >= first


INFINITY = float("inf")

_WRONG: dict[tuple[str, str], Callable[..., Any]] = {
    ("same", ""): lambda X: X,
    ("project", "form=xwt"): lambda X, W: X @ W.T,
    ("scores", "form=kqt"): lambda Q, K: (Q @ K.T).T,
    ("scores", "form=qk"): lambda Q, K: Q @ K,
    ("scores", "form=qtk"): lambda Q, K: Q.T @ K,
    ("scale", "by=whole"): lambda S, d_k: S / d_k,
    ("scale", "by=times"): lambda S, d_k: S * np.sqrt(d_k),
    ("softmax", "over=queries"): _columns,
    ("softmax", "form=sigmoid"): lambda Z: 1 / (1 + np.exp(-Z)),
    ("softmax", "form=unnormalised"): np.exp,
    ("mix", "form=atv"): lambda A, V: A.T @ V,
    ("mix", "form=argmax"): lambda A, V: V[np.argmax(A.max(axis=1, keepdims=True) - 1e-12 <= A, axis=1)],
    ("causal_mask", "hides=future-and-self"): lambda Z: _hidden(Z, _upper(Z, 0), -INFINITY),
    ("causal_mask", "hides=past"): lambda Z: _hidden(Z, ~_upper(Z, 0), -INFINITY),
    ("causal_mask", "fill=zero"): lambda Z: _hidden(Z, _upper(Z, 1), 0),
    ("causal_mask", "align=bottom-right hides=future-and-self"): lambda Z: _hidden(
        Z, _upper(Z, Z.shape[1] - Z.shape[0]), -INFINITY
    ),
    ("causal_mask", "align=bottom-right hides=past"): lambda Z: _hidden(Z, ~_upper(Z, Z.shape[1] - Z.shape[0]), -INFINITY),
    ("padding_mask", "polarity=inverted"): lambda Z, keep: _hidden(Z, keep == 1, -INFINITY),
    ("padding_mask", "fill=zero"): lambda Z, keep: Z * keep,
    ("padding_mask", "over=queries"): lambda Z, keep: _hidden(Z, keep[:, None] == 0, -INFINITY),
    ("split_heads", "form=no-transpose"): _split,
    ("split_heads", "form=swapped"): lambda X, h: np.moveaxis(_split(X, h), -3, -1),
    ("split_heads", "form=undivided"): _undivided,
    ("split_heads", "form=split"): lambda X, h: reference.split_heads(X, int(h)),
    ("concat_heads", "form=summed"): lambda heads: heads.sum(axis=-3),
    ("concat_heads", "form=averaged"): lambda heads: heads.mean(axis=-3),
    ("concat_heads", "form=apart"): lambda heads: heads,
}


def wrong_way(line: Call) -> Callable[..., Any] | None:
    """The wrong way of computing that a call names; None for a right one."""
    return _WRONG.get((line.operation, " ".join(f"{name}={value}" for name, value in line.parameters)))


def first_difference(*nodes: Any) -> Any:
    """The number of the first pair that differs."""
    for number in range(len(nodes) // 2):
        one, other = nodes[2 * number : 2 * number + 2]
        if one.shape != other.shape or not np.allclose(one, other, rtol=1e-9, atol=1e-9, equal_nan=True):
            return np.array(number + 1)
    return np.array(0)
