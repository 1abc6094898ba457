"""The inputs that a module is tried on: several lengths, with the masks that it takes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from question_bank.text import Text
from solvers.checking import adopting, calling, sentences
from solvers.checking.imitating import Masks

if TYPE_CHECKING:
    from torch import Tensor

LENGTHS = ((1, 1), (1, 3), (2, 5), (3, 6), (2, 4))
"""Batch and number of tokens of the inputs, the smallest first."""

OTHER_LENGTHS = (4, 2, 7, 3, 5)
"""Tokens that are asked, beside those that ask, where a module takes two sequences."""

WIDTH = 8
"""Features of a token where a module has no weights to read them off."""


@dataclass(frozen=True)
class Case:
    """One input.

    Attributes:
        parts: Its tensors, by role.
        masks: What is hidden in each sequence.
        kind: ``none``, ``causal`` or ``padding``.
        visible: What may be seen, [B, S_q, S_k], in each mask that is passed.
        words: What it is, for the person.
    """

    parts: dict[str, Tensor]
    masks: tuple[Masks, ...]
    kind: str
    visible: dict[str, Tensor]
    words: Text

    @property
    def shows_forms(self) -> bool:
        """Whether it has several sequences, not as many as tokens, so that a mask of other axes doesn't fit by chance."""
        return (len(self.masks), self.parts["x"].shape[1]) == LENGTHS[2]


class Inputs:
    """Draws weights and inputs, the same ones for the same seed."""

    def __init__(self, how: calling.Manner, sizes: adopting.Sizes, *, given_apart: bool, causal: bool, seed: int) -> None:
        """Keep what a module takes."""
        import torch

        self._how, self._sizes, self._given_apart, self._causal = how, sizes, given_apart, causal
        self._random = torch.Generator().manual_seed(seed)

    def _normal(self, *shape: int) -> Tensor:
        import torch

        return torch.randn(*shape, generator=self._random, dtype=torch.float64)

    def weights(self) -> dict[str, Tensor]:
        """Draw the matrices of X W, by role."""
        return {name: self._normal(*shape) * 1.5 / shape[0] ** 0.5 for name, shape in self._sizes.shapes.items()}

    def cases(self) -> Iterator[Case]:
        """Draw every input: without a mask, with a causal one, with padding."""
        takes_masks = self._how.mask is not None or self._how.padding is not None
        for kind in ("none", "causal", "padding") if takes_masks else ("none",):
            for number, (batch, length) in enumerate(LENGTHS):
                keys = OTHER_LENGTHS[number] if self._how.cross and not self._causal and kind != "causal" else length
                case = self._case(batch, length, keys, kind)
                if case is not None:
                    yield case

    def _case(self, batch: int, queries: int, keys: int, kind: str) -> Case | None:
        import torch

        if kind == "causal" and (self._how.mask is None or self._causal):
            return None
        if kind == "padding" and keys < 2:
            return None
        d_model, d_memory = self._sizes.d_model, self._sizes.d_memory
        x = self._normal(batch, queries, d_model)
        memory = self._normal(batch, keys, d_memory) if self._how.cross else x
        parts = {"x": x, "q": x, "memory": memory, "k": memory, "v": memory}
        if self._given_apart:
            parts["v"] = self._normal(batch, keys, d_model)
        lengths = [max(1, keys - 1 - number % 2) for number in range(batch)]
        keep = torch.tensor([[int(place < kept) for place in range(keys)] for kept in lengths]) if kind == "padding" else None
        is_causal = kind == "causal" or self._causal
        masks = tuple(Masks(is_causal, tuple(keep[number].tolist()) if keep is not None else None) for number in range(batch))
        return Case(
            parts,
            masks,
            kind,
            self._visible(kind, batch, queries, keys, keep),
            sentences.given(batch, queries, keys, kind, cross=self._how.cross),
        )

    def _visible(self, kind: str, batch: int, queries: int, keys: int, keep: Tensor | None) -> dict[str, Tensor]:
        """Return what may be seen, [B, S_q, S_k], in each mask that is passed."""
        import torch

        every = torch.ones(batch, queries, keys, dtype=torch.bool)
        visible: dict[str, Tensor] = {}
        if kind == "padding" and keep is not None:
            visible["mask" if self._how.padding is None else "padding"] = every & keep.bool()[:, None]
        elif kind == "causal":
            visible["mask"] = every.tril()
        if self._how.needs_mask:
            for name, argument in (("mask", self._how.mask), ("padding", self._how.padding)):
                if argument is not None:
                    visible.setdefault(name, every)
        return visible
