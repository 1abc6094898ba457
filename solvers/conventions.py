"""Conventions on which real implementations of attention differ, and the defaults taken here. Needs no torch.

None of these is right or wrong. Mixing them up is: the program still runs, and the numbers are other ones.
"""

from __future__ import annotations

from enum import StrEnum


class MaskPolarity(StrEnum):
    """What ``True`` says in a mask."""

    TRUE_KEEPS = "true-keeps"
    """This key may be attended to: ``F.scaled_dot_product_attention``, and the 1 of Hugging Face.

    The default: the causal mask is then the lower triangle, as one draws it.
    """
    TRUE_MASKS = "true-masks"
    """This key is hidden: ``nn.MultiheadAttention``, in ``attn_mask`` and ``key_padding_mask`` alike."""


class CausalAlignment(StrEnum):
    """From which corner of the score matrix the causal triangle starts. The two differ only when S_q ≠ S_k."""

    TOP_LEFT = "top-left"
    """Query i sees keys 0 to i, as if both sequences began together: ``is_causal=True`` of PyTorch."""
    BOTTOM_RIGHT = "bottom-right"
    """The last query sees every key, as both sequences end together: new tokens behind cached ones.

    The default where there is one: it is right with a cache and without.
    """


class EmptyRow(StrEnum):
    """What a query gets that may attend to no key, where the formula comes to 0/0."""

    NAN = "nan"
    """What softmax makes of a row of −∞. The default: such a row is mostly an accident, and should be seen."""
    ZERO = "zero"
    """Weights and output 0, as nothing was attended to: recent ``F.scaled_dot_product_attention``."""
    MEAN = "mean"
    """Equal weights on all keys, hidden ones too: what comes of filling with the dtype's minimum instead of −∞."""


class RotaryPairing(StrEnum):
    """Which features of a head rotate together. Weights trained with the one are useless with the other."""

    INTERLEAVED = "interleaved"
    """Neighbours, (0, 1), (2, 3), …: the RoPE paper and Meta's Llama code. The default, being the paper's."""
    HALF_SPLIT = "half-split"
    """First half with second half, (0, d/2), (1, d/2 + 1), …: GPT-NeoX, and Llama at Hugging Face."""
