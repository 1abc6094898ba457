"""Try a module on inputs: run it, run the reference, and look for the mistake that explains the difference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from question_bank.text import Text
from solvers.checking import adopting, calling, sentences
from solvers.checking.imitating import Design, Imitation, Masks
from solvers.checking.verdict import Difference, ModuleCheck, ModuleOutcome
from solvers.conventions import MaskPolarity

if TYPE_CHECKING:
    from torch import Tensor, nn

LENGTHS = ((1, 1), (1, 3), (2, 5), (3, 6), (2, 4))
"""Batch and number of tokens of the inputs, the smallest first."""

OTHER_LENGTHS = (4, 2, 7, 3, 5)
"""Tokens that are asked, beside those that ask, where a module takes two sequences."""

WIDTH = 8
"""Features of a token where a module has no weights to read them off."""

ABSOLUTE, RELATIVE = 1e-5, 1e-4
"""How near two numbers must be to be the same: far nearer than any mistake comes."""


@dataclass(frozen=True)
class _Case:
    """One input: its sizes, its tensors, and the masks of each sequence."""

    parts: dict[str, Tensor]
    masks: tuple[Masks, ...]
    given: dict[str, Tensor]
    words: Text


class Trials:
    """A module, the inputs that it is tried on, and the ways of putting the reference's weights into it."""

    def __init__(
        self,
        module: nn.Module,
        how: calling.Manner,
        found: tuple[adopting.Place, ...],
        heads: int,
        causal: bool,
        polarity: MaskPolarity,
        scaled: bool,
        call: calling.Call | None,
        width: int,
        seed: int,
        splits: bool,
    ) -> None:
        import torch

        self._module, self._how, self._found, self._call = module, how, found, call
        self._causal, self._polarity = causal, polarity
        self._random = torch.Generator().manual_seed(seed)
        self._splits = splits
        self._dtype = next((one.dtype for one in module.parameters()), torch.float32)
        self._sizes = adopting.sizes(module, found, heads) if found else adopting.Sizes(width, width, width, heads, False)
        self._given_apart = not found and how.roles == ("q", "k", "v")
        self._weights = self._draw_weights()
        self._design = Design(
            heads=heads,
            projected=bool(found),
            output=self._sizes.output,
            cross=how.cross and not self._given_apart and bool(found),
            scaled=scaled,
        )

    # Inputs

    def _normal(self, *shape: int) -> Tensor:
        import torch

        return torch.randn(*shape, generator=self._random, dtype=torch.float64)

    def _draw_weights(self) -> dict[str, Tensor]:
        if not self._found:
            return {}
        size = self._sizes
        shapes = {"W_Q": (size.d_model, size.d_k), "W_K": (size.d_model, size.d_k), "W_V": (size.d_model, size.d_v)}
        if size.output:
            shapes["W_O"] = (size.d_v, size.d_model)
        return {name: self._normal(*shape) * 1.5 / shape[0] ** 0.5 for name, shape in shapes.items()}

    def _cases(self) -> Iterator[_Case]:
        takes_masks = self._how.mask is not None or self._how.padding is not None
        for kind in ("none", "causal", "padding") if takes_masks else ("none",):
            for number, (batch, length) in enumerate(LENGTHS):
                keys = OTHER_LENGTHS[number] if self._how.cross and not self._causal and kind != "causal" else length
                case = self._case(batch, length, keys, kind)
                if case is not None:
                    yield case

    def _case(self, batch: int, queries: int, keys: int, kind: str) -> _Case | None:
        import torch

        if kind == "causal" and (self._how.mask is None or self._causal):
            return None
        if kind == "padding" and keys < 2:
            return None
        d_model = self._sizes.d_model
        x = self._normal(batch, queries, d_model)
        memory = self._normal(batch, keys, d_model) if self._how.cross else x
        parts = {"x": x, "q": x, "memory": memory, "k": memory, "v": memory}
        if self._given_apart:
            parts["v"] = self._normal(batch, keys, d_model)
        lengths = [max(1, keys - 1 - number % 2) for number in range(batch)]
        keep = torch.tensor([[int(place < kept) for place in range(keys)] for kept in lengths]) if kind == "padding" else None
        is_causal = kind == "causal" or self._causal
        masks = tuple(Masks(is_causal, tuple(keep[number].tolist()) if keep is not None else None) for number in range(batch))
        return _Case(
            parts,
            masks,
            self._given(kind, batch, queries, keys, keep),
            sentences.given(batch, queries, keys, kind, cross=self._how.cross),
        )

    def _given(self, kind: str, batch: int, queries: int, keys: int, keep: Tensor | None) -> dict[str, Tensor]:
        import torch

        several = self._design.heads > 1 or self._splits
        given: dict[str, Tensor] = {}
        if kind == "padding" and keep is not None:
            visible = keep.bool()
            if self._how.padding is not None:
                given["padding"] = visible
            else:
                given["mask"] = visible[:, None, None] if several else visible[:, None]
                given["otherwise"] = visible[:, None] if several else visible[:, None, None]
        elif kind == "causal":
            given["mask"] = torch.ones(queries, keys, dtype=torch.bool).tril()
        if self._how.needs_mask:
            if self._how.mask is not None and "mask" not in given:
                given["mask"] = torch.ones(queries, keys, dtype=torch.bool)
            if self._how.padding is not None and "padding" not in given:
                given["padding"] = torch.ones(batch, keys, dtype=torch.bool)
        return {name: calling.as_given(visible, self._polarity) for name, visible in given.items()}

    # Running

    def _run(self, case: _Case, shape: tuple[int, ...]) -> Tensor:
        """Call the module; where it takes no mask of the one shape, with one of the other."""
        other = case.given.get("otherwise")
        if other is None:
            return self._once(case, case.given)
        try:
            output = self._once(case, case.given)
        except Exception:  # whatever a person's own code raises
            return self._once(case, {**case.given, "mask": other})
        if output.shape == shape:
            return output
        again = self._once(case, {**case.given, "mask": other})
        return again if again.shape == shape else output

    def _once(self, case: _Case, given: dict[str, Tensor]) -> Tensor:
        parts = {role: tensor.to(self._dtype) for role, tensor in case.parts.items()}
        if self._call is not None:
            return calling.tensor_of(self._call(self._module, parts["x"], parts["memory"], given.get("mask")))
        return calling.call(self._module, self._how, parts, given)

    def _imitations(self, case: _Case) -> list[Imitation]:
        return [self._imitation(case, number, masks) for number, masks in enumerate(case.masks)]

    def _imitation(self, case: _Case, number: int, masks: Masks) -> Imitation:
        if self._design.projected:
            tensors = {"X": case.parts["x"][number], **self._weights}
            if self._design.cross:
                tensors["E"] = case.parts["memory"][number]
        else:
            first, second, third = self._how.roles if self._given_apart else ("x", "memory", "memory")
            tensors = {name: case.parts[role][number] for name, role in zip("QKV", (first, second, third), strict=True)}
        return Imitation(self._design, masks, tensors)

    def result(self) -> ModuleCheck:
        """Run every way of putting the weights in; the best one counts."""
        cases = list(self._cases())
        right = [self._imitations(case) for case in cases]
        expected = [_stacked(each) for each in right]
        trials: list[tuple[list[Tensor], int]] = []
        faults: list[ModuleCheck] = []
        for adopt in adopting.adoptions(self._module, self._found, self._sizes) if self._found else [lambda _: None]:
            adopt(self._weights)
            fault, outputs = self._outputs(cases, expected)
            if fault is not None:
                faults.append(fault)
                outputs = outputs[: sum(not case.given for case in cases)]  # masked ones may run by chance
            differing = next((i for i, pair in enumerate(zip(outputs, expected, strict=False)) if not _same(*pair)), None)
            if differing is None:
                if fault is not None:
                    return fault
                return self._done(ModuleOutcome.RIGHT, sentences.RIGHT.fill(n=len(cases)), compared=len(cases))
            trials.append((outputs, differing))
        mistakes = [_mistakes(each) for each in right]
        for outputs, differing in trials:
            named = _explained(outputs, expected, mistakes) if len(outputs) > 1 else None
            if named is not None:
                identity, sentence = named
                where = self._difference(cases[differing], expected[differing], outputs[differing])
                said = Text(f"{sentence.en}.", f"{sentence.zh}。") + _where(where)
                return self._done(ModuleOutcome.KNOWN_MISTAKE, said, identity, where, len(cases))
        if faults:
            return faults[0]
        outputs, differing = trials[0]
        if self._across_the_batch(cases, outputs):
            where = self._difference(cases[differing], expected[differing], outputs[differing])
            return self._done(
                ModuleOutcome.KNOWN_MISTAKE, sentences.BATCH + _where(where), "module.across-the-batch", where, len(cases)
            )
        if self._hides_later_tokens(cases, outputs):
            where = self._difference(cases[differing], expected[differing], outputs[differing])
            said = sentences.CAUSAL + _where(where)
            return self._done(ModuleOutcome.KNOWN_MISTAKE, said, "module.causal", where, len(cases))
        bad = next(
            (i for i, found in enumerate(outputs) if bool(found.isnan().any()) and not bool(expected[i].isnan().any())), None
        )
        if bad is not None:
            where = self._difference(cases[bad], expected[bad], outputs[bad])
            return self._done(ModuleOutcome.NOT_A_NUMBER, sentences.NAN.fill(given=where.given), None, where, len(cases))
        where = self._difference(cases[differing], expected[differing], outputs[differing])
        return self._done(ModuleOutcome.WRONG, sentences.WRONG + _where(where), None, where, len(cases))

    def _outputs(self, cases: Sequence[_Case], expected: Sequence[Tensor]) -> tuple[ModuleCheck | None, list[Tensor]]:
        import torch

        outputs: list[Tensor] = []
        for case, wanted in zip(cases, expected, strict=True):
            try:
                with torch.no_grad():
                    output, again = self._run(case, wanted.shape), self._run(case, wanted.shape)
            except Exception as fault:  # whatever a person's own code raises
                where = self._difference(case, wanted, None)
                what = f"{type(fault).__name__}: {fault}".replace("$", "").replace("{", "(").replace("}", ")")
                return self._done(
                    ModuleOutcome.CRASHED, sentences.CRASHED.fill(given=where.given, fault=what[:300].rstrip(".")), None, where
                ), outputs
            where = self._difference(case, wanted, output)
            if output.shape == again.shape and not torch.equal(output.nan_to_num(), again.nan_to_num()):
                return self._done(ModuleOutcome.RANDOM, sentences.random(self._has_dropout()), None, where), outputs
            if output.shape != wanted.shape:
                shapes = {"found": list(output.shape), "expected": list(wanted.shape)}
                message = sentences.OTHER_SHAPE.fill(given=where.given, **shapes)
                return self._done(ModuleOutcome.OTHER_SHAPE, message, None, where), outputs
            outputs.append(output.to(torch.float64))
        return None, outputs

    def _across_the_batch(self, cases: Sequence[_Case], outputs: Sequence[Tensor]) -> bool:
        """Tell whether the module takes the first axis for the sequence."""
        if self._how.cross or self._causal:
            return False
        seen = False
        for case, output in zip(cases, outputs, strict=True):
            if case.given or any(masks.causal or masks.keep for masks in case.masks):
                continue
            turned = {role: tensor.transpose(0, 1) for role, tensor in case.parts.items()}
            length = turned["x"].shape[0]
            other = _Case(turned, tuple(Masks() for _ in range(length)), {}, case.words)
            if not _same(output, _stacked(self._imitations(other)).transpose(0, 1)):
                return False
            seen = True
        return seen

    def _hides_later_tokens(self, cases: Sequence[_Case], outputs: Sequence[Tensor]) -> bool:
        """Tell whether the module is causal although it isn't meant to be."""
        if self._how.cross or self._causal or self._how.mask is not None:
            return False
        causal = [replace(case, masks=tuple(replace(masks, causal=True) for masks in case.masks)) for case in cases]
        return all(_same(output, _stacked(self._imitations(case))) for case, output in zip(causal, outputs, strict=True))

    def _has_dropout(self) -> bool:
        from torch import nn

        return self._module.training and any(isinstance(part, nn.Dropout) and part.p > 0 for part in self._module.modules())

    def _difference(self, case: _Case, expected: Tensor, found: Tensor | None) -> Difference:
        inputs = {role: case.parts[role] for role in self._how.roles} | case.given
        return Difference(case.words, inputs, expected, found)

    def _done(
        self,
        outcome: ModuleOutcome,
        message: Text,
        mistake: str | None = None,
        difference: Difference | None = None,
        compared: int = 0,
    ) -> ModuleCheck:
        return ModuleCheck(outcome, message, mistake, difference, self._how.written, compared)


def _stacked(imitations: Sequence[Imitation]) -> Tensor:
    import torch

    return torch.stack([one.right for one in imitations])


def _same(found: Tensor, expected: Tensor) -> bool:
    import torch

    return torch.allclose(found, expected, equal_nan=True, rtol=RELATIVE, atol=ABSOLUTE)


def _mistakes(imitations: Sequence[Imitation]) -> dict[tuple[str, int], tuple[Text, list[Tensor]]]:
    """Return what each mistake gives for each sequence of a batch; a mistake made in several places counts by its number."""
    gathered: dict[tuple[str, int], tuple[Text, list[Tensor]]] = {}
    for imitation in imitations:
        seen: dict[str, int] = {}
        for identity, sentence, output in imitation.mistaken():
            number = seen.get(identity, 0)
            seen[identity] = number + 1
            gathered.setdefault((identity, number), (sentence, []))[1].append(output)
    return {name: found for name, found in gathered.items() if len(found[1]) == len(imitations)}


def _explained(
    outputs: Sequence[Tensor],
    expected: Sequence[Tensor],
    mistakes: Sequence[Mapping[tuple[str, int], tuple[Text, list[Tensor]]]],
) -> tuple[str, Text] | None:
    """Find the mistake that gives every output; where it can't be made, the output must be right."""
    import torch

    names: dict[tuple[str, int], Text] = {}
    for each in mistakes:
        for name, (sentence, _) in each.items():
            names.setdefault(name, sentence)
    names |= {(name, 0): sentence for name, sentence in sentences.BOTH_MASKS.items()}
    for name, sentence in names.items():
        fits = True
        for output, right, each in zip(outputs, expected, mistakes, strict=False):  # a module may crash on later ones
            found = each.get(name)
            if name[0] in sentences.BOTH_MASKS:
                way = name[0].partition(".")[2]
                found = each.get((f"causal_mask.{way}", 0)) or each.get((f"padding_mask.{way}", 0))
            shapes = {tuple(one.shape) for one in found[1]} if found else set()
            wanted = torch.stack(found[1]) if found and len(shapes) == 1 else right
            if wanted.shape != output.shape or not _same(output, wanted):
                fits = False
                break
        if fits:
            return name[0], sentence
    return None


def _where(difference: Difference) -> Text:
    found, expected = difference.found, difference.expected
    if found is None or expected is None or found.shape != expected.shape:
        return Text("", "")
    off = ((found.double() - expected).abs() > ABSOLUTE) | (found.isnan() != expected.isnan())
    place = off.nonzero()[0].tolist() if bool(off.any()) else [0] * found.dim()
    return Text(
        "First seen with {given}: output{place} is {found}, expected {expected}.",
        "最先出现差异的输入：{given}；output{place} 是 {found}，应为 {expected}。",
    ).fill(
        given=difference.given,
        place=place,
        found=f"{float(found[tuple(place)]):.4f}",
        expected=f"{float(expected[tuple(place)]):.4f}",
    )
