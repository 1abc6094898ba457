"""How a person's own attention module is called: which argument is what, and what comes back."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from question_bank.text import Text
from solvers.checking import sentences

if TYPE_CHECKING:
    from torch import Tensor, nn

Call = Callable[["nn.Module", "Tensor", "Tensor", "Tensor | None"], Any]
"""Calls a module: with the tokens that ask, the tokens that are asked, and a mask."""

_QUERIES = {"q", "query", "queries"}
_KEYS = {"k", "key", "keys"}
_VALUES = {"v", "value", "values"}
_MEMORIES = {"memory", "context", "encoder_output", "encoder_outputs", "enc_out", "enc", "kv", "y", "source", "src", "encoder"}


class CannotCallError(ValueError):
    """A ``forward`` whose arguments are not understood.

    Attributes:
        message: What was found, in both languages.
    """

    def __init__(self, message: Text) -> None:
        """Keep the message."""
        super().__init__(message.en)
        self.message = message


@dataclass(frozen=True)
class Manner:
    """How a module is called.

    Attributes:
        roles: What each positional argument is: ``x``, ``memory``, ``q``, ``k``, ``v``.
        mask: Name of the argument that takes a mask, if there is one.
        padding: Name of the argument that takes a padding mask [B, S_k] of its own, if there is one.
        needs_mask: Whether a mask must be given.
    """

    roles: tuple[str, ...]
    mask: str | None = None
    padding: str | None = None
    needs_mask: bool = False

    @property
    def cross(self) -> bool:
        """Whether the tokens that are asked may be others than those that ask."""
        return len(self.roles) > 1

    @property
    def written(self) -> str:
        """The call in Python."""
        return f"forward({', '.join((*self.roles, *filter(None, (self.mask, self.padding))))})"


def manner(module: nn.Module) -> Manner:
    """Read from ``forward`` how a module is called.

    Raises:
        CannotCallError: Some argument that must be given is not understood.
    """
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    parameters = [one for one in inspect.signature(module.forward).parameters.values() if one.kind in kinds]
    masks = [one for one in parameters if "mask" in one.name.lower()]
    padding = next((one for one in masks if "padding" in one.name.lower()), None)
    mask = next((one for one in masks if one is not padding), None)
    others = [one for one in parameters if one not in masks]
    needed = [one for one in others if one.default is inspect.Parameter.empty]
    roles = [_role(one.name, number) for number, one in enumerate(needed)]
    if len(needed) > 3 or not needed or (len(needed) == 3 and roles != ["q", "k", "v"]):
        raise CannotCallError(sentences.arguments(", ".join(one.name for one in parameters)))
    required = any(one.default is inspect.Parameter.empty for one in (mask, padding) if one is not None)
    return Manner(tuple(roles), mask.name if mask else None, padding.name if padding else None, required)


def _role(name: str, number: int) -> str:
    name = name.lower()
    for role, names in (("q", _QUERIES), ("k", _KEYS), ("v", _VALUES)):
        if name in names:
            return role
    return (
        ("x", "memory", "v")[number] if number < 2 and (number == 0 or name in _MEMORIES) else ("q", "memory", "v")[number % 3]
    )


def call(module: nn.Module, how: Manner, parts: dict[str, Tensor], masks: dict[str, Tensor]) -> Tensor:
    """Call a module and return its output, the first of several.

    Args:
        module: The module.
        how: How it is called.
        parts: The tensor for each role.
        masks: ``mask`` and ``padding``, where they are to be given.

    Raises:
        TypeError: What comes back is no tensor.
    """
    given = {name: masks[kind] for kind, name in (("mask", how.mask), ("padding", how.padding)) if name and kind in masks}
    return tensor_of(module(*(parts[role] for role in how.roles), **given))


def tensor_of(result: Any) -> Tensor:
    """Return the output out of what ``forward`` returned: a tensor, or the first of a tuple.

    Raises:
        TypeError: It is something else.
    """
    import torch

    found = result[0] if isinstance(result, tuple | list) and result else result
    if not isinstance(found, torch.Tensor):
        raise TypeError(f"forward returned {type(result).__name__}, expected a tensor, or a tuple that begins with one")
    return found.detach()
