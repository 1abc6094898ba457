"""Attention as it is: from one formula to the grouped heads and the key/value cache of today's decoders.

Read it top to bottom; every part adds one idea to the part before.

    scaled_dot_product       A = softmax(Q Kᵀ / √d_k),  O = A V
    SelfAttention            Q, K and V are three projections of one sequence
    CausalSelfAttention      ... and no token sees a later one
    PaddedSelfAttention      ... and no token sees padding
    CrossAttention           Q from one sequence, K and V from another
    MultiHeadAttention       h small attentions side by side, joined by W_O
    rotate, KVCache          what a decoder adds: positions as rotations, and a memory of past keys and values
    GroupedQueryAttention    several query heads share one head of keys and values

Behind every line that makes a tensor stands its shape. B: batch (any number of leading dimensions, none included); S_q and
S_k: queries and keys (S where they are one sequence); d_model: features of a token; d_k and d_v: of a key and of a value;
h and h_kv: heads, and heads of keys and values. A matrix multiplies from the right, X W, and ``nn.Linear`` stores its
transpose: ``W_Q.weight`` is [d_k, d_model]. Where implementations differ, ``solvers.conventions`` names the choices.
Dropout is left out; it belongs to training, not to attention.
"""

from __future__ import annotations

import math
from typing import NamedTuple, TypedDict, Unpack

import torch
from torch import Tensor, nn

from solvers.conventions import CausalAlignment, EmptyRow, MaskPolarity, RotaryPairing
from solvers.shapes import ShapeError, require, require_multiple

__all__ = [
    "AttentionOutput", "CausalAlignment", "CausalSelfAttention", "CrossAttention", "EmptyRow", "GroupedQueryAttention",
    "KVCache", "MaskPolarity", "Masking", "MultiHeadAttention", "PaddedSelfAttention", "RotaryPairing", "SelfAttention",
    "ShapeError", "causal_mask", "concat_heads", "rotate", "scaled_dot_product", "split_heads",
]  # fmt: skip


class AttentionOutput(NamedTuple):
    """What attention computes: ``output`` O, [B, S_q, d_v], and ``weights`` A, [B, S_q, S_k], whose rows sum to 1."""

    output: Tensor
    weights: Tensor


class Masking(TypedDict, total=False):
    """Keyword arguments that the modules hand on as they are to ``scaled_dot_product``, where they are explained."""

    polarity: MaskPolarity
    causal: CausalAlignment | None
    empty_row: EmptyRow


def scaled_dot_product(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None = None,
    *,
    polarity: MaskPolarity = MaskPolarity.TRUE_KEEPS,
    causal: CausalAlignment | None = None,
    scale: float | None = None,
    empty_row: EmptyRow = EmptyRow.NAN,
) -> AttentionOutput:
    """Attention(Q, K, V) = softmax(Q Kᵀ / √d_k) V (Vaswani et al. 2017, equation 1).

    Args:
        query: Q, [B, S_q, d_k].
        key: K, [B, S_k, d_k].
        value: V, [B, S_k, d_v].
        mask: Which query may see which key: boolean, of any shape that broadcasts to [B, S_q, S_k].
        polarity: What ``True`` says in ``mask``; keeps by default, so that a causal mask is the lower triangle one draws.
        causal: Hide later keys too, counted from this corner; None, the formula as it stands, hides none.
        scale: Factor on the scores; None is 1/√d_k, which brings a sum of d_k independent products back to variance 1.
        empty_row: What a query gets that may see no key; nan by default, because that is what the formula gives.

    Raises:
        ShapeError: The shapes do not fit.
        TypeError: The mask is not boolean.
    """
    require(query.dim() >= 2 and key.dim() >= 2, "at least [S, d_k] each", query=query, key=key)
    require(query.shape[-1] == key.shape[-1], "the same d_k, the last dimension", query=query, key=key)
    require(query.shape[:-2] == key.shape[:-2], "the same batch, all but the last two dimensions", query=query, key=key)
    require(key.shape[:-1] == value.shape[:-1], "one value per key, alike but for the last dimension", key=key, value=value)
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = query @ key.transpose(-2, -1) * scale  # [B, S_q, S_k]

    visible = torch.ones_like(scores, dtype=torch.bool)  # [B, S_q, S_k]
    if mask is not None:
        require(_broadcasts(mask, scores), "a mask that broadcasts to the scores, [B, S_q, S_k]", mask=mask, scores=scores)
        _require_boolean(mask)
        visible = visible & (mask if polarity is MaskPolarity.TRUE_KEEPS else ~mask)  # [B, S_q, S_k]
    if causal is not None:
        visible = visible & causal_mask(query.shape[-2], key.shape[-2], causal).to(scores.device)  # [B, S_q, S_k]

    # Hide before the softmax: e^(−∞) = 0, and what is left sums to 1. Weights set to 0 afterwards would not.
    hidden = torch.finfo(scores.dtype).min if empty_row is EmptyRow.MEAN else -math.inf
    scores = scores.masked_fill(~visible, hidden)  # [B, S_q, S_k]
    weights = scores.softmax(dim=-1)  # [B, S_q, S_k], over keys: each query shares out a total of 1
    if empty_row is EmptyRow.ZERO:
        weights = weights.masked_fill(~visible.any(dim=-1, keepdim=True), 0.0)  # [B, S_q, S_k]
    output = weights @ value  # [B, S_q, d_v]
    return AttentionOutput(output, weights)


def causal_mask(n_queries: int, n_keys: int, alignment: CausalAlignment = CausalAlignment.BOTTOM_RIGHT) -> Tensor:
    """Return which keys each query may see, itself included: [S_q, S_k], True keeps."""
    offset = n_keys - n_queries if alignment is CausalAlignment.BOTTOM_RIGHT else 0
    query_position = torch.arange(n_queries) + offset  # [S_q]
    key_position = torch.arange(n_keys)  # [S_k]
    return key_position <= query_position[:, None]  # [S_q, S_k]


class Projections(nn.Module):
    """The learned part of attention: one matrix for each of the three roles that a token plays.

    Queries and keys have ``d_k`` features each, as their dot product demands; values have ``d_v``, by default as many. Tokens
    that are asked may have features of another number than those that ask, ``d_memory``. There are no biases by default, as
    there are none in X W.
    """

    def __init__(
        self, d_model: int, d_k: int, d_v: int | None = None, *, d_memory: int | None = None, bias: bool = False
    ) -> None:
        super().__init__()
        d_memory = d_model if d_memory is None else d_memory
        self.W_Q = nn.Linear(d_model, d_k, bias=bias)  # what I look for
        self.W_K = nn.Linear(d_memory, d_k, bias=bias)  # what I can be found by
        self.W_V = nn.Linear(d_memory, d_k if d_v is None else d_v, bias=bias)  # what I hand over

    def project(self, X: Tensor, memory: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return Q of the tokens that ask, K and V of the tokens that are asked."""
        require(X.shape[:-2] == memory.shape[:-2], "the same batch, all but the last two dimensions", X=X, memory=memory)
        Q = _linear(X, self.W_Q)  # [B, S_q, d_k]
        K = _linear(memory, self.W_K)  # [B, S_k, d_k]
        V = _linear(memory, self.W_V)  # [B, S_k, d_v]
        return Q, K, V


class SelfAttention(Projections):
    """Every token asks every token of its own sequence."""

    def forward(self, X: Tensor) -> AttentionOutput:
        """Attend within X, [B, S, d_model]: output [B, S, d_v], weights [B, S, S]."""
        Q, K, V = self.project(X, X)  # [B, S, d_k], [B, S, d_k], [B, S, d_v]
        return scaled_dot_product(Q, K, V)


class CausalSelfAttention(Projections):
    """Every token asks itself and those before it, so that all positions train at once and none sees its own label."""

    def forward(self, X: Tensor) -> AttentionOutput:
        """Attend backwards within X, [B, S, d_model]. The scores are square, so the two alignments are one."""
        Q, K, V = self.project(X, X)  # [B, S, d_k], [B, S, d_k], [B, S, d_v]
        return scaled_dot_product(Q, K, V, causal=CausalAlignment.BOTTOM_RIGHT)


class PaddedSelfAttention(Projections):
    """Sequences of different lengths share a batch, and the padding that evens them out is hidden from every query."""

    def forward(self, X: Tensor, key_padding: Tensor, **masking: Unpack[Masking]) -> AttentionOutput:
        """Attend within X, [B, S, d_model], to the keys that ``key_padding``, [B, S], leaves.

        Padding hides columns, not rows: padded queries have outputs too, which nobody reads. Padded on the left and causal
        as well, they see no key, and ``empty_row`` decides.
        """
        Q, K, V = self.project(X, X)  # [B, S, d_k], [B, S, d_k], [B, S, d_v]
        mask = _for_every_query(key_padding, K.shape[:-1])  # [B, 1, S]
        return scaled_dot_product(Q, K, V, mask, **masking)


class CrossAttention(Projections):
    """A decoder asks an encoder: queries from the one, keys and values from the other."""

    def forward(
        self, X: Tensor, memory: Tensor, key_padding: Tensor | None = None, **masking: Unpack[Masking]
    ) -> AttentionOutput:
        """Attend from X, [B, S_dec, d_model], to ``memory``, [B, S_enc, d_memory]: weights [B, S_dec, S_enc].

        ``key_padding``, [B, S_enc], is the encoder's. Nothing need be causal: the source is known before the first word.
        """
        Q, K, V = self.project(X, memory)  # [B, S_dec, d_k], [B, S_enc, d_k], [B, S_enc, d_v]
        mask = None if key_padding is None else _for_every_query(key_padding, K.shape[:-1])  # [B, 1, S_enc]
        return scaled_dot_product(Q, K, V, mask, **masking)


class MultiHeadAttention(Projections):
    """h attentions side by side, each in a subspace of its own; W_O joins what they found.

    One wide projection is cut into heads of d_k = d_v = d_model / h features: all heads together cost what one wide head
    costs. ``bias`` is for all four matrices; ``nn.MultiheadAttention`` has it on by default.
    """

    def __init__(self, d_model: int, n_heads: int, *, d_memory: int | None = None, bias: bool = False) -> None:
        require_multiple(d_model, "d_model", n_heads, "n_heads")
        super().__init__(d_model, d_model, d_memory=d_memory, bias=bias)
        self.n_heads = n_heads
        self.W_O = nn.Linear(d_model, d_model, bias=bias)

    def forward(
        self, X: Tensor, memory: Tensor | None = None, key_padding: Tensor | None = None, **masking: Unpack[Masking]
    ) -> AttentionOutput:
        """Attend from X, [B, S_q, d_model], to ``memory``, [B, S_k, d_memory], or within X where there is none.

        The output is [B, S_q, d_model], the weights [B, h, S_q, S_k], head by head: ``nn.MultiheadAttention`` averages them.
        """
        Q, K, V = self.project(X, X if memory is None else memory)  # [B, S_q, d_model], [B, S_k, d_model] twice
        mask = None if key_padding is None else _for_every_query(key_padding, K.shape[:-1]).unsqueeze(-3)  # [B, 1, 1, S_k]
        Q, K, V = (split_heads(each, self.n_heads) for each in (Q, K, V))  # [B, h, S_q, d_k], [B, h, S_k, d_k] twice
        heads, weights = scaled_dot_product(Q, K, V, mask, **masking)  # [B, h, S_q, d_k], [B, h, S_q, S_k]
        output = _linear(concat_heads(heads), self.W_O)  # [B, S_q, d_model]
        return AttentionOutput(output, weights)


def split_heads(x: Tensor, n_heads: int) -> Tensor:
    """Cut the features into heads: [B, S, h·d_k] to [B, h, S, d_k].

    ``x.reshape(B, h, S, d_k)`` has that shape too, but cuts the sequence instead of the features.
    """
    require_multiple(x.shape[-1], "features", n_heads, "n_heads")
    x = x.reshape(*x.shape[:-1], n_heads, -1)  # [B, S, h, d_k]
    return x.transpose(-3, -2)  # [B, h, S, d_k]


def concat_heads(x: Tensor) -> Tensor:
    """Lay the heads of each token side by side again: [B, h, S, d_k] to [B, S, h·d_k]."""
    x = x.transpose(-3, -2)  # [B, S, h, d_k]
    return x.flatten(-2)  # [B, S, h·d_k]


def rotate(x: Tensor, positions: Tensor, pairing: RotaryPairing = RotaryPairing.INTERLEAVED, base: float = 10_000.0) -> Tensor:
    """Turn pairs of features of queries or keys, [B, h, S, d], by angles that grow with the position (RoPE; Su et al. 2021).

    Pair i of the token at position p, one of ``positions`` [S], turns by p · base^(−2i/d). A query turned by m and a key turned
    by n have a dot product that depends on m − n alone. The default base is the paper's; a larger one, such as the 500,000 of
    Llama 3, slows the slow pairs down.

    Raises:
        ShapeError: d is odd, or there are not as many positions as tokens.
    """
    fits = positions.shape == x.shape[-2:-1] and x.shape[-1] % 2 == 0
    require(fits, "x [B, h, S, d] with an even d, and positions [S]", x=x, positions=positions)
    d = x.shape[-1]
    frequencies = torch.tensor([base ** (-i / d) for i in range(0, d, 2)], dtype=torch.float64, device=x.device)  # [d/2]
    angles = positions[:, None] * frequencies  # [S, d/2]
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)  # [S, d/2] each
    interleaved = pairing is RotaryPairing.INTERLEAVED
    first, second = (x[..., 0::2], x[..., 1::2]) if interleaved else x.chunk(2, dim=-1)  # [B, h, S, d/2] each
    turned = (first * cos - second * sin, first * sin + second * cos)  # [B, h, S, d/2] each
    return torch.stack(turned, dim=-1).flatten(-2) if interleaved else torch.cat(turned, dim=-1)  # [B, h, S, d]


class KVCache:
    """The keys and values of the tokens so far, in one layer. It only grows.

    A token's key and value do not depend on later tokens, so they are computed once; its query is never asked again, so it is
    not kept. Servers reserve the room beforehand; joining tensors copies them, but shows more plainly what happens.
    """

    def __init__(self) -> None:
        self._past: tuple[Tensor, Tensor] | None = None

    @property
    def length(self) -> int:
        """How many tokens are kept, and so the position of the next."""
        return 0 if self._past is None else self._past[0].shape[-2]

    @property
    def n_bytes(self) -> int:
        """Bytes kept: 2 (K and V) · B · h_kv · length · d_k · bytes per element."""
        return sum(kept.numel() * kept.element_size() for kept in self._past or ())

    def append(self, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
        """Add K and V of new tokens, [B, h_kv, S, d_k] each; return those of all tokens, [B, h_kv, length, d_k].

        Raises:
            ShapeError: The new ones do not continue the old ones. The cache stays as it was.
        """
        require(key.shape[:-1] == value.shape[:-1], "one value per key, alike but for the last dimension", key=key, value=value)
        if self._past is not None:
            for kept, new in zip(self._past, (key, value), strict=True):
                continues = kept.shape[:-2] == new.shape[:-2] and kept.shape[-1] == new.shape[-1]
                require(continues, "new tokens like the cached ones but for their number", cached=kept, new=new)
            key = torch.cat((self._past[0], key), dim=-2)  # [B, h_kv, length, d_k]
            value = torch.cat((self._past[1], value), dim=-2)  # [B, h_kv, length, d_k]
        self._past = key, value
        return key, value


class GroupedQueryAttention(nn.Module):
    """h query heads share h_kv heads of keys and values, so that the cache shrinks to h_kv / h (Ainslie et al. 2023).

    h_kv = h is multi-head attention, h_kv = 1 multi-query attention. ``d_head`` is d_model / h by default; models may choose it
    freely. With ``rotary``, queries and keys are turned by their positions; by default nothing tells positions apart.
    """

    def __init__(
        self, d_model: int, n_heads: int, n_kv_heads: int, *, d_head: int | None = None, rotary: RotaryPairing | None = None
    ) -> None:
        super().__init__()
        require_multiple(n_heads, "n_heads", n_kv_heads, "n_kv_heads")
        if d_head is None:
            require_multiple(d_model, "d_model", n_heads, "n_heads")
            d_head = d_model // n_heads
        self.n_heads, self.n_kv_heads, self.rotary = n_heads, n_kv_heads, rotary
        self.W_Q = nn.Linear(d_model, n_heads * d_head, bias=False)
        self.W_K = nn.Linear(d_model, n_kv_heads * d_head, bias=False)
        self.W_V = nn.Linear(d_model, n_kv_heads * d_head, bias=False)
        self.W_O = nn.Linear(n_heads * d_head, d_model, bias=False)

    def forward(
        self, X: Tensor, cache: KVCache | None = None, key_padding: Tensor | None = None, **masking: Unpack[Masking]
    ) -> AttentionOutput:
        """Attend from X, [B, S, d_model], to the cached tokens and to X, whose keys and values join the cache.

        S is the length of the prompt first (prefill), then 1 (decoding). A single new token may see everything, but a prompt
        needs the causal mask; bottom-right serves both, and is what ``causal`` is here by default.

        The output is [B, S, d_model], the weights [B, h, S, S_k] with S_k = cached + S; ``key_padding`` is [B, S_k].
        """
        masking.setdefault("causal", CausalAlignment.BOTTOM_RIGHT)
        Q = split_heads(_linear(X, self.W_Q), self.n_heads)  # [B, h, S, d_head]
        K = split_heads(_linear(X, self.W_K), self.n_kv_heads)  # [B, h_kv, S, d_head]
        V = split_heads(_linear(X, self.W_V), self.n_kv_heads)  # [B, h_kv, S, d_head]
        past = 0 if cache is None else cache.length
        if self.rotary is not None:
            positions = torch.arange(past, past + X.shape[-2], device=X.device)  # [S]
            Q = rotate(Q, positions, self.rotary)  # [B, h, S, d_head]
            K = rotate(K, positions, self.rotary)  # [B, h_kv, S, d_head], cached as turned
        mask: Tensor | None = None
        if key_padding is not None:
            mask = _for_every_query(key_padding, (*X.shape[:-2], past + X.shape[-2])).unsqueeze(-3)  # [B, 1, 1, S_k]
        if cache is not None:  # last of all that may be refused, so that a refused call leaves the cache alone
            K, V = cache.append(K, V)  # [B, h_kv, S_k, d_head] each
        group = self.n_heads // self.n_kv_heads
        K = K.repeat_interleave(group, dim=-3)  # [B, h, S_k, d_head]: the first `group` heads share the first, and so on
        V = V.repeat_interleave(group, dim=-3)  # [B, h, S_k, d_head]
        heads, weights = scaled_dot_product(Q, K, V, mask, **masking)  # [B, h, S, d_head], [B, h, S, S_k]
        output = _linear(concat_heads(heads), self.W_O)  # [B, S, d_model]
        return AttentionOutput(output, weights)


def _linear(X: Tensor, W: nn.Linear) -> Tensor:
    """Return X W, plus the bias where there is one."""
    fits = X.dim() >= 2 and X.shape[-1] == W.in_features
    require(fits, f"X [B, S, {W.in_features}], as nn.Linear stores its weight transposed", X=X, weight=W.weight)
    projected: Tensor = W(X)  # [B, S, d_out]
    return projected


def _for_every_query(key_padding: Tensor, keys: tuple[int, ...]) -> Tensor:
    """Put the queries' dimension into a padding mask, [B, S_k]: where B = S_q, it would pass for [S_q, S_k] without."""
    require(key_padding.shape == keys, "one entry per key, [B, S_k]", key_padding=key_padding, keys=keys)
    _require_boolean(key_padding)
    return key_padding.unsqueeze(-2)  # [B, 1, S_k]


def _broadcasts(mask: Tensor, scores: Tensor) -> bool:
    sizes = zip(mask.shape[::-1], scores.shape[::-1], strict=False)
    return mask.dim() <= scores.dim() and all(size in (1, wanted) for size, wanted in sizes)


def _require_boolean(mask: Tensor) -> None:
    if mask.dtype is not torch.bool:  # 1 for keep, or −∞ to be added? Guessing is how masks get inverted.
        raise TypeError(f"mask of {mask.dtype}: expected torch.bool")
