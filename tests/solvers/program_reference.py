"""Run a program with the independent NumPy reference: a second route to every number."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from question_bank.exact import to_float
from question_bank.program import Nested, Program, Shape
from tests.solvers import (
    reference,
    reference_counts,
    reference_growth,
    reference_layers,
    reference_listings,
    reference_residuals,
    reference_scores,
    reference_streaming,
    reference_training,
)


def array(value: Nested | Shape) -> Any:
    """An input as an array; of one known by its shape, zeros."""
    if isinstance(value, Shape):
        return np.zeros(value.dimensions)
    return np.array(_floats(value))


def _floats(value: Nested) -> Any:
    return [_floats(part) for part in value] if isinstance(value, tuple) else to_float(value)


def _concat(*heads: Any) -> Any:
    return reference.concat_heads(heads[0]) if len(heads) == 1 else np.concatenate(heads)


def _causal(Z: Any, align: str = "top-left") -> Any:
    mask = reference.causal_mask_top_left if align == "top-left" else reference.causal_mask_bottom_right
    return reference.hide(Z, mask(*Z.shape[-2:]))


def _rows(function: Callable[..., Any]) -> Callable[..., Any]:
    """Let a function of matrices take a single row first."""

    def on_rows(first: Any, *others: Any, **parameters: Any) -> Any:
        result = function(np.atleast_2d(first), *others, **parameters)
        return result[0] if first.ndim == 1 else result

    return on_rows


OPERATIONS: dict[str, Callable[..., Any]] = {
    "project": _rows(reference.project),
    "output_projection": _rows(reference.project),
    "weight": lambda rows, columns: np.zeros((int(rows), int(columns))),
    "scores": reference.scores,
    "scale": lambda S, d_k: S / math.sqrt(d_k),
    "scale_by": lambda S, factor: np.multiply(S, factor),
    "padding_mask": lambda Z, keep: reference.hide(Z, keep.astype(bool)),
    "causal_mask": _causal,
    "softmax": _rows(reference.softmax),
    "mix": _rows(reference.mix),
    "split_heads": lambda X, h: reference.split_heads(X, int(h)),
    "repeat_heads": lambda K, h: np.repeat(K, int(h) // np.shape(K)[-3], axis=-3),
    "concat_heads": _concat,
    "residual_add": lambda x, F: np.add(x, F),
    "layer_norm": _rows(lambda x, *affine, epsilon=0: reference.layer_norm(x, *affine, eps=float(epsilon))),
    "rms_norm": _rows(reference_layers.rms_norm),
    "batch_norm": reference_layers.batch_norm,
    "sinusoid": reference_layers.sinusoid,
    "rotate": reference_layers.rotate,
    "embedding_scale": lambda X, d_model, of="entries": np.multiply(X, math.sqrt(d_model) ** (2 if of == "variance" else 1)),
    "add": np.add,
    "total": lambda *parts: np.add.reduce(parts),
    "permute_rows": reference_layers.permute_rows,
    "alibi_slope": lambda i, h: math.exp(-8 * math.log(2) / h) ** np.asarray(i),
    "alibi": reference_layers.alibi,
    "additive_scores": reference_layers.additive_scores,
    "activation": reference_layers.activation,
    "gate": lambda A, B: np.multiply(A, B),
    "times_power": lambda N, S, power=1: N * np.float64(S) ** power,
    "kv_cache_bytes": lambda *factors: np.array(2.0 * math.prod(float(factor) for factor in factors)),
    "first_difference": reference_listings.first_difference,
    **reference_training.OPERATIONS,
    **reference_counts.OPERATIONS,
    **reference_streaming.OPERATIONS,
    **reference_scores.OPERATIONS,
    **reference_growth.OPERATIONS,
    **reference_residuals.OPERATIONS,
    "logits": lambda H, W, positions="all": (H[..., -1:, :] if positions == "last" else H) @ W,
}


def run(program: Program) -> dict[str, Any]:
    """Every node of a program."""
    nodes = {name: array(value) for name, value in program.inputs}
    for line in program.calls:
        arguments = [nodes[name] for name in line.arguments]
        wrong = reference_listings.wrong_way(line)
        nodes[line.node] = wrong(*arguments) if wrong else OPERATIONS[line.operation](*arguments, **dict(line.parameters))
    return nodes
