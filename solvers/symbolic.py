"""Answers in symbols, written and compared: shapes with names, and orders of growth. Needs no torch.

A shape is run on ``meta`` as always, and each of its sizes is written with the symbol that stands for it; the sizes of an ask's
symbols differ. Orders come from ``solvers.growing``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

from question_bank.program import AnswerFormat


def show_named(dimensions: Sequence[int], form: AnswerFormat) -> str:
    """Write a shape with names: ``[B, h, S, d_k]``; a size without a name, which only mistakes have, as a product or number."""
    sizes = list(zip(form.symbols, form.sizes, strict=True))
    pairs = combinations([(symbol, size) for symbol, size in sizes if symbol in HEADS], 2)
    names = {one * other: f"{first}·{second}" for (first, one), (second, other) in pairs}
    names |= {size: symbol for symbol, size in sizes}
    return "[" + ", ".join(names.get(size, str(size)) for size in dimensions) + "]"


def typed_sizes(word: str, form: AnswerFormat) -> list[Fraction]:
    """Return the sizes that the axes of a typed shape come to: ``B,h,S,d_model/h``."""
    sizes = dict(zip(form.symbols, form.sizes, strict=True))
    return [_size(axis, sizes) for axis in word.split(",")]


HEADS = frozenset({"h", "d_k", "d_v", "d_model"})
"""Letters that are written as products of each other: d_model is h·d_k. What other products come to is chance."""

NO_SIZE = Fraction(-1)
"""Of an axis that is no size."""


def _size(axis: str, sizes: dict[str, int]) -> Fraction:
    if axis not in sizes and not HEADS.issuperset(axis.replace("/", "*").split("*")):
        return NO_SIZE
    total, sign = Fraction(1), "*"
    for part in axis.replace("*", " * ").replace("/", " / ").split():
        if part in "*/":
            sign = part
        elif sign == "*":
            total *= sizes[part]
        else:
            total /= sizes[part]
    return total


_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def show_order(word: str) -> str:
    """Write an order as a page does: ``O(S²·d_model)``; the reader reads it back."""
    powers = re.sub(r"\^([0-9]+)", lambda found: found[1].translate(_SUPERSCRIPTS), word)
    return f"O({powers.replace('*', '·')})"


def same_sizes(typed: Sequence[Fraction], expected: Sequence[int]) -> list[bool]:
    """Tell for each axis whether the typed size is right; a missing or additional axis is not."""
    size = max(len(typed), len(expected))
    return [i < len(typed) and i < len(expected) and typed[i] == expected[i] for i in range(size)]
