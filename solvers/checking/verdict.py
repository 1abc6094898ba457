"""What checking a module finds: plain frozen data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from question_bank.text import Text

if TYPE_CHECKING:
    from torch import Tensor


class ModuleOutcome(StrEnum):
    """What became of a module."""

    RIGHT = "right"
    KNOWN_MISTAKE = "known-mistake"
    WRONG = "wrong"
    CRASHED = "crashed"
    OTHER_SHAPE = "other-shape"
    NOT_A_NUMBER = "not-a-number"
    RANDOM = "random"
    NOT_UNDERSTOOD = "not-understood"


@dataclass(frozen=True)
class Difference:
    """The first input that a module and the reference differ on.

    Attributes:
        given: What it was, in words: sizes and masks.
        inputs: The tensors that the module was called with, by the role of the argument.
        expected: The reference's output; None where it was never reached.
        found: The module's output; None where it gave none.
    """

    given: Text
    inputs: Mapping[str, Tensor] = field(repr=False, compare=False)
    expected: Tensor | None = field(default=None, repr=False, compare=False)
    found: Tensor | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True)
class ModuleCheck:
    """What a check found.

    Attributes:
        outcome: Right, a known mistake, wrong, or why nothing could be compared.
        message: One or two sentences for the person.
        mistake: Id of the mistake, such as ``scale.not-scaled``.
        difference: The first input that differs.
        called: How the module was called, such as ``forward(x, mask)``.
        compared: How many inputs were compared.
    """

    outcome: ModuleOutcome
    message: Text
    mistake: str | None = None
    difference: Difference | None = None
    called: str = ""
    compared: int = 0

    @property
    def right(self) -> bool:
        """Whether the module agrees with the reference."""
        return self.outcome is ModuleOutcome.RIGHT
