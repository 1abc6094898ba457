"""In what form a module takes its masks: their axes, and booleans or numbers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from solvers.conventions import MaskPolarity

if TYPE_CHECKING:
    from torch import Tensor


class Axes(StrEnum):
    """The axes of a mask."""

    KEYS = "[B, S_k]"
    ROWS = "[B, 1, S_k]"
    HEADS_ROWS = "[B, 1, 1, S_k]"
    SQUARE = "[S_q, S_k]"
    WHOLE = "[B, S_q, S_k]"
    HEADS_WHOLE = "[B, 1, S_q, S_k]"


@dataclass(frozen=True)
class Form:
    """A form of a mask.

    Attributes:
        axes: Its axes.
        numbers: Whether it is 1 and 0, as Hugging Face's ``attention_mask``, not True and False.
    """

    axes: Axes
    numbers: bool = False

    def of(self, visible: Tensor, polarity: MaskPolarity) -> Tensor:
        """Write what may be seen, [B, S_q, S_k], in this form."""
        mask = {
            Axes.KEYS: visible[:, 0],
            Axes.ROWS: visible[:, :1],
            Axes.HEADS_ROWS: visible[:, None, :1],
            Axes.SQUARE: visible[0],
            Axes.WHOLE: visible,
            Axes.HEADS_WHOLE: visible[:, None],
        }[self.axes]
        mask = mask if polarity is MaskPolarity.TRUE_KEEPS else ~mask
        return mask.long() if self.numbers else mask


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


def _each(*axes: Axes) -> tuple[Form, ...]:
    return tuple(Form(one, numbers) for numbers in (False, True) for one in axes)


def causal_forms(several: bool) -> tuple[Form, ...]:
    """Return the forms of a causal mask, the likeliest first; ``several`` tells whether there are heads."""
    whole = (Axes.HEADS_WHOLE, Axes.WHOLE) if several else (Axes.WHOLE, Axes.HEADS_WHOLE)
    return _each(Axes.SQUARE, *whole)


def key_forms(several: bool) -> tuple[Form, ...]:
    """Return the forms of a padding mask that shares an argument with other masks."""
    rows = (Axes.HEADS_ROWS, Axes.ROWS) if several else (Axes.ROWS, Axes.HEADS_ROWS)
    whole = (Axes.HEADS_WHOLE, Axes.WHOLE) if several else (Axes.WHOLE, Axes.HEADS_WHOLE)
    return _each(*rows, Axes.KEYS, *whole)


def padding_forms(several: bool) -> tuple[Form, ...]:
    """Return the forms of a padding mask in an argument of its own."""
    rows = (Axes.HEADS_ROWS, Axes.ROWS) if several else (Axes.ROWS, Axes.HEADS_ROWS)
    return _each(Axes.KEYS, *rows)
