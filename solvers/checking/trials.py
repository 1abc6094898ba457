"""Try a module on inputs: run it, run the reference, and look for the mistake that explains the difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from question_bank.text import Text
from solvers.checking import adopting, calling, passing, sentences
from solvers.checking.explaining import ABSOLUTE, Explanations, same, stacked
from solvers.checking.imitating import Design, Imitation, Masks
from solvers.checking.inputs import Case, Inputs
from solvers.checking.verdict import Difference, ModuleCheck, ModuleOutcome
from solvers.conventions import MaskPolarity

if TYPE_CHECKING:
    import torch
    from torch import Tensor, nn


class Trials:
    """A module, the inputs that it is tried on, and the ways of putting the reference's weights into it."""

    def __init__(
        self,
        module: nn.Module,
        how: calling.Manner,
        found: tuple[adopting.Place, ...],
        sizes: adopting.Sizes,
        causal: bool,
        polarity: MaskPolarity,
        scaled: bool,
        call: calling.Call | None,
        seed: int,
        splits: bool,
        dtype: torch.dtype,
        values: tuple[passing.Values, ...],
    ) -> None:
        self._module, self._how, self._found, self._call = module, how, found, call
        self._causal, self._polarity = causal, polarity
        self._dtype = dtype
        self._sizes = sizes
        self._given_apart = not found and how.roles == ("q", "k", "v")
        inputs = Inputs(how, sizes, given_apart=self._given_apart, causal=causal, seed=seed)
        self._weights = inputs.weights() if found else {}
        self._cases = list(inputs.cases())
        several = sizes.heads > 1 or splits
        self._forms = passing.Forms(
            passing.causal_forms(several, values)[0],
            passing.key_forms(several, values)[0],
            passing.padding_forms(several, values)[0],
        )
        self._several, self._values = several, values
        self._design = Design(
            heads=sizes.heads,
            kv_heads=sizes.kv_heads,
            projected=bool(found),
            output=self._sizes.output,
            cross=how.cross and not self._given_apart and bool(found),
            scaled=scaled,
        )

    def _given(self, case: Case) -> dict[str, Tensor]:
        """Write the masks of an input in the forms that the module takes."""
        given = {}
        for name, visible in case.visible.items():
            form = self._forms.padding
            if name == "mask":
                keys = case.kind == "padding" and self._how.padding is None
                form = self._forms.keys if keys or self._forms.causal is None else self._forms.causal
            given[name] = form.of(visible, self._polarity, self._dtype)
        return given

    def _choose_forms(self) -> None:
        """Find the form of each mask in which the module runs and keeps its shape; where there is none, the likeliest stays."""
        probes = {case.kind: case for case in self._cases if case.shows_forms}
        takes_keys = False
        if "padding" in probes and self._how.padding is None:
            options = [replace(self._forms, keys=form) for form in passing.key_forms(self._several, self._values)]
            takes_keys = self._choose(probes["padding"], options) and self._forms.keys.axes is passing.Axes.KEYS
        elif "padding" in probes:
            squares = passing.causal_forms(self._several, self._values) if self._how.needs_mask else (self._forms.causal,)
            forms = passing.padding_forms(self._several, self._values)
            self._choose(
                probes["padding"], [replace(self._forms, causal=square, padding=form) for square in squares for form in forms]
            )
        options = [replace(self._forms, causal=form) for form in passing.causal_forms(self._several, self._values)]
        probe = probes.get("causal") or (probes["none"] if self._how.needs_mask and not takes_keys else None)
        if (probe is None or not self._choose(probe, options)) and takes_keys:
            self._forms = replace(self._forms, causal=None)

    def _choose(self, probe: Case, options: Sequence[passing.Forms]) -> bool:
        import torch

        before, wanted = self._forms, stacked(self._imitations(probe)).shape
        for option in options:
            self._forms = option
            try:
                with torch.no_grad():
                    if self._run(probe).shape == wanted:
                        return True
            except Exception:  # whatever a person's own code raises
                continue
        self._forms = before
        return False

    def _run(self, case: Case) -> Tensor:
        parts = {role: tensor.to(self._dtype) for role, tensor in case.parts.items()}
        given = self._given(case)
        if self._call is not None:
            return calling.tensor_of(self._call(self._module, parts["x"], parts["memory"], given.get("mask")))
        return calling.call(self._module, self._how, parts, given)

    def _imitations(self, case: Case) -> list[Imitation]:
        return [self._imitation(case, number, masks) for number, masks in enumerate(case.masks)]

    def _imitation(self, case: Case, number: int, masks: Masks) -> Imitation:
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
        self._choose_forms()
        cases = [case for case in self._cases if case.kind != "causal" or self._forms.causal is not None]
        right = [self._imitations(case) for case in cases]
        expected = [stacked(each) for each in right]
        trials: list[tuple[list[Tensor], int]] = []
        faults: list[ModuleCheck] = []
        for adopt in adopting.adoptions(self._module, self._found, self._sizes) if self._found else [lambda _: None]:
            adopt(self._weights)
            fault, outputs = self._outputs(cases, expected)
            if fault is not None:
                faults.append(fault)
                outputs = outputs[: sum(not case.visible for case in cases)]  # masked ones may run by chance
            differing = next((i for i, pair in enumerate(zip(outputs, expected, strict=False)) if not same(*pair)), None)
            if differing is None:
                if fault is not None:
                    return fault
                return self._done(ModuleOutcome.RIGHT, sentences.RIGHT.fill(n=len(cases)), compared=len(cases))
            trials.append((outputs, differing))
        masked = [any(masks.causal or masks.keep is not None for masks in case.masks) for case in cases]
        explained = Explanations(right, masked).find([outputs for outputs, _ in trials])
        if explained is not None:
            number, identity, sentence = explained
            outputs, differing = trials[number]
            where = self._difference(cases[differing], expected[differing], outputs[differing])
            said = Text(f"{sentence.en}.", f"{sentence.zh}。") + _where(where)
            return self._done(ModuleOutcome.KNOWN_MISTAKE, said, identity, where, len(cases))
        if faults:
            return faults[0]
        for outputs, differing in trials:
            for identity, tell in (("module.across-the-batch", self._across_the_batch), ("module.causal", self._hides_later)):
                what = tell(cases, outputs)
                if what is not None:
                    where = self._difference(cases[differing], expected[differing], outputs[differing])
                    return self._done(ModuleOutcome.KNOWN_MISTAKE, what + _where(where), identity, where, len(cases))
        outputs, differing = trials[0]
        bad = next(
            (i for i, found in enumerate(outputs) if bool(found.isnan().any()) and not bool(expected[i].isnan().any())), None
        )
        if bad is not None:
            where = self._difference(cases[bad], expected[bad], outputs[bad])
            return self._done(ModuleOutcome.NOT_A_NUMBER, sentences.NAN.fill(given=where.given), None, where, len(cases))
        where = self._difference(cases[differing], expected[differing], outputs[differing])
        return self._done(ModuleOutcome.WRONG, sentences.WRONG + _where(where), None, where, len(cases))

    def _outputs(self, cases: Sequence[Case], expected: Sequence[Tensor]) -> tuple[ModuleCheck | None, list[Tensor]]:
        import torch

        outputs: list[Tensor] = []
        for case, wanted in zip(cases, expected, strict=True):
            try:
                with torch.no_grad():
                    output, again = self._run(case), self._run(case)
            except Exception as fault:  # whatever a person's own code raises
                where = self._difference(case, wanted, None)
                what = (
                    ": ".join(filter(None, (type(fault).__name__, str(fault))))
                    .replace("$", "")
                    .replace("{", "(")
                    .replace("}", ")")
                )
                said = sentences.CRASHED.fill(given=where.given, fault=what[:300].rstrip("."))
                if case.visible and self._call is None:
                    said += sentences.MASKS_TRIED.fill(forms=self._tried(case))
                return self._done(ModuleOutcome.CRASHED, said, None, where), outputs
            where = self._difference(case, wanted, output)
            if output.shape == again.shape and not torch.equal(output.nan_to_num(), again.nan_to_num()):
                return self._done(ModuleOutcome.RANDOM, sentences.random(self._has_dropout()), None, where), outputs
            if output.shape != wanted.shape:
                shapes = {"found": list(output.shape), "expected": list(wanted.shape)}
                message = sentences.OTHER_SHAPE.fill(given=where.given, **shapes)
                return self._done(ModuleOutcome.OTHER_SHAPE, message, None, where), outputs
            outputs.append(output.to(torch.float64))
        return None, outputs

    def _tried(self, case: Case) -> str:
        """List the axes with which the masks of an input were passed."""
        forms = passing.causal_forms(self._several, self._values)
        if case.kind == "padding":
            forms = (passing.key_forms if self._how.padding is None else passing.padding_forms)(self._several, self._values)
        return ", ".join(form.axes.value for form in forms if form.values is passing.Values.TRUTH)

    def _across_the_batch(self, cases: Sequence[Case], outputs: Sequence[Tensor]) -> Text | None:
        """Tell whether the module takes the first axis for the sequence."""
        if self._how.cross or self._causal:
            return None
        seen = False
        for case, output in zip(cases, outputs, strict=True):
            if case.visible:
                continue
            turned = {role: tensor.transpose(0, 1) for role, tensor in case.parts.items()}
            length = turned["x"].shape[0]
            other = replace(case, parts=turned, masks=tuple(Masks() for _ in range(length)))
            if not same(output, stacked(self._imitations(other)).transpose(0, 1)):
                return None
            seen = True
        return sentences.BATCH if seen else None

    def _hides_later(self, cases: Sequence[Case], outputs: Sequence[Tensor]) -> Text | None:
        """Tell whether the module is causal although it isn't meant to be: always, or where it is given no mask."""
        if self._how.cross or self._causal:
            return None
        always = by_default = True
        for case, output in zip(cases, outputs, strict=True):
            hiding = replace(case, masks=tuple(replace(masks, causal=True) for masks in case.masks))
            hides = same(output, stacked(self._imitations(hiding)))
            always = always and hides
            by_default = by_default and (same(output, stacked(self._imitations(case))) if case.visible else hides)
        return sentences.CAUSAL if always else sentences.CAUSAL_BY_DEFAULT if by_default else None

    def _has_dropout(self) -> bool:
        from torch import nn

        return self._module.training and any(isinstance(part, nn.Dropout) and part.p > 0 for part in self._module.modules())

    def _difference(self, case: Case, expected: Tensor, found: Tensor | None) -> Difference:
        inputs = {role: case.parts[role] for role in self._how.roles} | self._given(case)
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
