"""Counts once more, by building what is counted, or by counting one at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np


def _size(*shapes: tuple[float, ...]) -> float:
    """Numbers in arrays of these shapes; nothing is allocated."""
    return float(sum(np.broadcast_to(0.0, tuple(int(size) for size in shape)).size for shape in shapes))


def _product_flops(rows: Any, inner: Any, columns: Any) -> float:
    return _size((rows, columns)) * (2 * int(inner))


def attention_flops(S_q: Any, S_k: Any, d: Any, part: str = "scores", counted: str = "flops") -> Any:
    products = {
        "Q": _product_flops(S_q, d, d), "K": _product_flops(S_k, d, d), "V": _product_flops(S_k, d, d),
        "O": _product_flops(S_q, d, d), "S": _product_flops(S_q, d, S_k), "A": _product_flops(S_q, S_k, d),
    }  # fmt: skip
    chosen = {"scores": "S", "mix": "A", "attention": "SA", "projections": "QKVO", "all": "QKVSAO"}[part]
    return np.array(sum(products[one] for one in chosen) / (2 if counted == "multiply-adds" else 1))


def layer_flops(S: Any, d: Any, d_ff: Any, form: str = "relu", counted: str = "flops") -> Any:
    wide = 2 if form == "swiglu" else 1
    ffn = wide * _product_flops(S, d, d_ff) + _product_flops(S, d_ff, d)
    return attention_flops(S, S, d, "all", counted) + ffn / (2 if counted == "multiply-adds" else 1)


def decode_dot_products(n: Any, h: Any = 1, L: Any = 1, cache: str = "yes", mask: str = "whole") -> Any:
    kept = np.tri(int(n), dtype=bool) if mask == "causal" else np.ones((int(n), int(n)), dtype=bool)
    one_head = float(kept[-1].sum() if cache == "yes" else kept.sum())
    return np.array(sum(one_head for _ in range(int(h) * int(L))))


def _generation(n: Any, prompt: Any, cache: str) -> Iterator[int]:
    """How many positions each pass computes."""
    known, computed = int(prompt), 0
    for _ in range(int(n)):
        yield known - (computed if cache == "yes" else 0)
        computed = known
        known += 1


def forward_passes(
    n: Any, P: Any = 1, when: str = "training", of: str = "passes", prefill: str = "counted", cache: str = "yes"
) -> Any:
    passes = [int(n)] if when == "training" else list(_generation(n, P, cache))
    if of == "positions":
        return np.array(float(sum(passes)))
    return np.array(float(len(passes[1:] if prefill == "apart" and when == "generation" else passes)))


def causal_count(S_q: Any, S_k: Any = None, of: str = "kept") -> Any:
    """Of queries that come last: query i of n sees all keys but the n − 1 − i last ones."""
    queries, keys = int(S_q), int(S_q if S_k is None else S_k)
    kept = sum(keys - (queries - 1 - i) for i in range(queries))
    return np.array(float(kept if of == "kept" else queries * keys - kept))


def padding_share(a: Any, keep: Any) -> Any:
    return np.array(1.0 - float(np.asarray(a)[np.asarray(keep) == 1].sum()))


def mask_view(m: Any, S: Any, of: str = "padding") -> Any:
    """By the letters of the axes: those that the mask hasn't got are of size 1."""
    axes = "B" + "h" * (S.ndim - 3) + "qk"
    own = "Bk" if of == "padding" else "qk"
    sizes = dict(zip(own, m.shape, strict=True))
    return m.reshape([sizes.get(axis, 1) for axis in axes])


def head_dimension(first: Any, second: Any, of: str = "d_k") -> Any:
    if of == "d_model":
        return np.array(_size((first, second)))
    return np.array(float(next(size for size in range(1, int(first) + 1) if size * int(second) == int(first))))


def gqa_ratio(h: Any, h_kv: Any, of: str = "cache") -> Any:
    """Of heads of width 1."""

    def needs(kv: Any) -> float:
        return _size((1, kv), (1, kv)) if of == "cache" else _size((h, h), (h, kv), (h, kv), (h, h))

    return np.array(needs(h_kv) / needs(h))


def attention_parameters(d: Any, h: Any = 1, h_kv: Any = None, d_head: Any = None, biases: str = "yes") -> Any:
    width = int(d) // int(h) if d_head is None else int(d_head)
    wide, narrow = width * int(h), width * int(h if h_kv is None else h_kv)
    shapes: list[tuple[float, ...]] = [(d, wide), (d, narrow), (d, narrow), (wide, d)]
    biased = {"yes": shapes, "qkv": shapes[:3], "no": []}[biases]
    return np.array(_size(*shapes, *((columns,) for _, columns in biased)))


def ffn_parameters(d: Any, d_ff: Any, N: Any = 1, form: str = "relu", biases: str = "yes") -> Any:
    shapes: list[tuple[float, ...]] = [(d, d_ff)] * (2 if form == "swiglu" else 1) + [(d_ff, d)]
    return np.array(N * _size(*shapes, *((columns,) for _, columns in shapes if biases == "yes")))


def layer_parameters(
    d: Any, d_ff: Any, N: Any = 1, kind: str = "encoder", biases: str = "yes", norm: str = "layer", form: str = "relu"
) -> Any:
    total = 0.0
    for _ in range(int(N)):
        blocks = [attention_parameters(d, biases=biases) for _ in range(2 if kind == "decoder" else 1)]
        blocks.append(ffn_parameters(d, d_ff, 1, form, biases))
        total += sum(float(block) + _size((d,), *([(d,)] if norm == "layer" else [])) for block in blocks)
    return np.array(total)


OPERATIONS: dict[str, Callable[..., Any]] = {
    "attention_flops": attention_flops,
    "layer_flops": layer_flops,
    "decode_dot_products": decode_dot_products,
    "forward_passes": forward_passes,
    "score_elements": lambda *sizes: np.array(_size(sizes)),
    "score_bytes": lambda *sizes: np.array(_size(sizes[:-1]) * float(sizes[-1])),
    "causal_count": causal_count,
    "row_statistics": lambda B, h, S, each=2: np.array(_size((B, h, S, each))),
    "padding_share": padding_share,
    "mask_view": mask_view,
    "join_masks": lambda P, C: np.logical_and(P, C),
    "head_dimension": head_dimension,
    "gqa_ratio": gqa_ratio,
    "attention_parameters": attention_parameters,
    "ffn_parameters": ffn_parameters,
    "layer_parameters": layer_parameters,
}
