"""In what form a module takes its masks: their axes, and booleans or numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from solvers.conventions import MaskPolarity

if TYPE_CHECKING:
    import torch
    from torch import Tensor


class Axes(StrEnum):
    """The axes of a mask."""

    KEYS = "[B, S_k]"
    ROWS = "[B, 1, S_k]"
    HEADS_ROWS = "[B, 1, 1, S_k]"
    SQUARE = "[S_q, S_k]"
    WHOLE = "[B, S_q, S_k]"
    HEADS_WHOLE = "[B, 1, S_q, S_k]"


class Values(StrEnum):
    """What stands in a mask."""

    TRUTH = "True and False"
    NUMBERS = "1 and 0"
    ADDED = "0 and −∞, added to the scores"


ANY = tuple(Values)
"""Whatever may stand in a mask, the likeliest first."""


@dataclass(frozen=True)
class Form:
    """A form of a mask.

    Attributes:
        axes: Its axes.
        values: What stands in it: 1 and 0 as in Hugging Face's ``attention_mask``, 0 and −∞ as in a float ``attn_mask``.
    """

    axes: Axes
    values: Values = Values.TRUTH

    def of(self, visible: Tensor, polarity: MaskPolarity, dtype: torch.dtype) -> Tensor:
        """Write what may be seen, [B, S_q, S_k], in this form; what is added says by itself what it hides."""
        import torch

        seen = {
            Axes.KEYS: visible[:, 0],
            Axes.ROWS: visible[:, :1],
            Axes.HEADS_ROWS: visible[:, None, :1],
            Axes.SQUARE: visible[0],
            Axes.WHOLE: visible,
            Axes.HEADS_WHOLE: visible[:, None],
        }[self.axes]
        if self.values is Values.ADDED:
            return torch.zeros(seen.shape, dtype=dtype).masked_fill(~seen, -math.inf)
        mask = seen if polarity is MaskPolarity.TRUE_KEEPS else ~seen
        return mask.long() if self.values is Values.NUMBERS else mask


@dataclass(frozen=True)
class Forms:
    """The forms in which a module takes its masks.

    Attributes:
        causal: Of a causal mask; None where none can be given.
        keys: Of a padding mask in the same argument.
        padding: Of a padding mask in an argument of its own.
    """

    causal: Form | None
    keys: Form
    padding: Form


def causal_forms(several: bool, values: tuple[Values, ...]) -> tuple[Form, ...]:
    """Return the forms of a causal mask, the likeliest first.

    Args:
        several: Whether there are heads.
        values: What may stand in it.
    """
    return _each(values, Axes.SQUARE, *_by_heads(several, Axes.WHOLE, Axes.HEADS_WHOLE))


def key_forms(several: bool, values: tuple[Values, ...]) -> tuple[Form, ...]:
    """Return the forms of a padding mask that shares an argument with other masks; see ``causal_forms``."""
    rows, whole = _by_heads(several, Axes.ROWS, Axes.HEADS_ROWS), _by_heads(several, Axes.WHOLE, Axes.HEADS_WHOLE)
    return _each(values, *rows, Axes.KEYS, *whole)


def padding_forms(several: bool, values: tuple[Values, ...]) -> tuple[Form, ...]:
    """Return the forms of a padding mask in an argument of its own; see ``causal_forms``."""
    return _each(values, Axes.KEYS, *_by_heads(several, Axes.ROWS, Axes.HEADS_ROWS))


def _by_heads(several: bool, without: Axes, with_heads: Axes) -> tuple[Axes, ...]:
    return (with_heads, without) if several else (without, with_heads)


def _each(values: tuple[Values, ...], *axes: Axes) -> tuple[Form, ...]:
    return tuple(Form(one, value) for value in values for one in axes)
