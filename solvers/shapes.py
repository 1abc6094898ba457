"""Shapes that must fit together, and the error when they do not. Needs no torch: anything with a shape will do."""

from __future__ import annotations

from typing import Protocol


class Shaped(Protocol):
    """A tensor or an array."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Its sizes, dimension by dimension."""


class ShapeError(ValueError):
    """Shapes that do not fit together: the message names each of them and what was expected."""


def require(fits: bool, expected: str, **found: Shaped | tuple[int, ...]) -> None:
    """Refuse shapes that do not fit.

    Args:
        fits: Whether they do.
        expected: What shapes would have fitted, to follow the word “expected”.
        found: Everything that takes part in the comparison, by the name its owner knows it by.

    Raises:
        ShapeError: They do not fit.
    """
    if not fits:
        shapes = (f"{name} {list(each if isinstance(each, tuple) else each.shape)}" for name, each in found.items())
        raise ShapeError(f"{' and '.join(shapes)}: expected {expected}")


def require_multiple(whole: int, whole_name: str, part: int, part_name: str) -> None:
    """Refuse a size that does not divide into equal parts, such as features into heads.

    Raises:
        ShapeError: The size is not a positive multiple of the other.
    """
    if part < 1 or whole < part or whole % part:
        raise ShapeError(f"{whole_name} {whole} and {part_name} {part}: expected {whole_name} to be a multiple of {part_name}")
