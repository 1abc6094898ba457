"""Find the mistake that gives everything that a module gave."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import TYPE_CHECKING

from question_bank.text import Text
from solvers.checking import sentences
from solvers.checking.imitating import ACROSS, FILLS, Fill, Imitation

if TYPE_CHECKING:
    from torch import Tensor

ABSOLUTE, RELATIVE = 1e-5, 1e-4
"""How near two numbers must be to be the same: far nearer than any mistake comes."""

_Name = tuple[str, int]
_Made = Mapping[_Name, tuple[Text, list["Tensor"]]]


def same(found: Tensor, expected: Tensor) -> bool:
    """Tell whether two tensors hold the same numbers."""
    import torch

    return found.shape == expected.shape and torch.allclose(found, expected, equal_nan=True, rtol=RELATIVE, atol=ABSOLUTE)


def stacked(imitations: Sequence[Imitation]) -> Tensor:
    """Return what is right for a batch."""
    import torch

    return torch.stack([one.right for one in imitations])


class Explanations:
    """The mistakes that can be made on some inputs, worked out when they are looked for.

    Where no finite number stands for −∞ in the imitation but one does in the module, a row that is hidden throughout is NaN in
    the one and not in the other; so the usual numbers are tried too, after −∞.
    """

    def __init__(self, right: Sequence[Sequence[Imitation]], masked: Sequence[bool]) -> None:
        """Keep the imitations of each input, and which inputs have something hidden."""
        self._right = right
        self._masked = masked
        self._expected = [stacked(each) for each in right]
        self._usual = [_mistakes(each, None, None) for each in right]

    def find(self, trials: Sequence[Sequence[Tensor]]) -> tuple[int, str, Text] | None:
        """Return the first trial whose outputs a mistake gives, with the mistake's id and sentence."""
        for fill in FILLS if any(self._masked) else (None,):
            for number, outputs in enumerate(trials):
                if len(outputs) > 1:
                    named = self._named(outputs, fill)
                    if named is not None:
                        return number, *named
        return None

    def _named(self, outputs: Sequence[Tensor], fill: Fill | None) -> tuple[str, Text] | None:
        names: dict[_Name, Text] = {}
        for each in self._usual:
            for name, (sentence, _) in each.items():
                names.setdefault(name, sentence)
        names |= {(name, 0): sentence for name, sentence in sentences.BOTH_MASKS.items()}
        for output, right, made, masked in zip(outputs, self._expected, self._usual, self._masked, strict=False):
            if fill is None or not masked:
                names = {name: sentence for name, sentence in names.items() if _gives(name, made, right, output)}
        if fill is not None and names:
            wanted = {name for name, _ in names}
            for word in sentences.BOTH_MASKS:
                if word in wanted:
                    wanted |= {f"{mask}.{word.partition('.')[2]}" for mask in ("causal_mask", "padding_mask")}
            for output, right, imitations, masked in zip(outputs, self._expected, self._right, self._masked, strict=False):
                if masked and names:
                    made = _mistakes(imitations, fill, wanted)
                    names = {name: sentence for name, sentence in names.items() if _gives(name, made, right, output)}
        return next(((name[0], sentence) for name, sentence in names.items()), None)


def _gives(name: _Name, made: _Made, right: Tensor, output: Tensor) -> bool:
    """Tell whether a mistake gives an output; where it can't be made, the output must be right."""
    import torch

    found = made.get(name)
    if name[0] in sentences.BOTH_MASKS:
        way = name[0].partition(".")[2]
        found = made.get((f"causal_mask.{way}", 0)) or made.get((f"padding_mask.{way}", 0))
    shapes = {tuple(one.shape) for one in found[1]} if found else set()
    return same(output, torch.stack(found[1]) if found and len(shapes) == 1 else right)


def _mistakes(imitations: Sequence[Imitation], fill: Fill | None, only: Container[str] | None) -> _Made:
    """Return what each mistake gives for each sequence of a batch; a mistake made in several places counts by its number."""
    gathered: dict[_Name, tuple[Text, list[Tensor]]] = {}
    for imitation in imitations:
        seen: dict[str, int] = {}
        for identity, sentence, output in imitation.mistaken(fill, only):
            number = seen.get(identity, 0)
            seen[identity] = number + 1
            gathered.setdefault((identity, number), (sentence, []))[1].append(output)
    for identity, sentence, across in ACROSS:
        if only is None or identity in only:
            outputs = across(imitations, fill)
            if outputs:
                gathered[identity, 0] = sentence, outputs
    return {name: found for name, found in gathered.items() if len(found[1]) == len(imitations)}
