"""Check a person's own attention module beside the reference, and name the mistake that it makes.

    from solvers import check_module

    found = check_module(MyAttention(d_model=16, n_heads=4))
    print(found.message.en)

The reference's weights are put into the module for the time of the check, then its own are put back. It is called with random
inputs of several lengths, with masks where it takes them, and its outputs are compared with ``solvers.attention`` and with what
each catalogued mistake would give.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from solvers.checking import adopting, arguments, calling, keeping, sentences
from solvers.checking.inputs import WIDTH
from solvers.checking.passing import ANY, Values
from solvers.checking.trials import Trials
from solvers.checking.verdict import Difference, ModuleCheck, ModuleOutcome
from solvers.conventions import MaskPolarity

if TYPE_CHECKING:
    from torch import nn

__all__ = ["Difference", "MaskPolarity", "ModuleCheck", "ModuleOutcome", "check_module"]


def check_module(
    module: nn.Module,
    *,
    heads: int | None = None,
    causal: bool = False,
    polarity: MaskPolarity = MaskPolarity.TRUE_KEEPS,
    scaled: bool = True,
    names: Mapping[str, str] | None = None,
    call: calling.Call | None = None,
    width: int | None = None,
    seed: int = 0,
) -> ModuleCheck:
    """Run an attention module beside the reference.

    Args:
        module: The module. Its ``forward`` may be ``forward(x)``, ``forward(x, mask)``, ``forward(x, memory)``,
            ``forward(q, k, v)`` or ``forward(q, k, v, mask)``; what it returns first, or alone, is its output. Inputs are
            [B, S, d_model].
        heads: How many heads it has; by default its attribute ``n_heads``, ``num_heads`` or ``heads``, else 1.
        causal: Whether it is to hide later tokens by itself, without being given a mask.
        polarity: What ``True`` says in the masks that it is given. They are boolean and broadcast to [B, S_q, S_k], with
            several heads to [B, h, S_q, S_k].
        scaled: Whether scores are to be divided by √d_k.
        names: Where its weights are, if their names don't tell: ``{"W_Q": "attend.alpha", "W_K": ...}``.
        call: How to call it, if its arguments don't tell: ``lambda module, x, memory, mask: module(...)``.
        width: d_model, where it has no weights to read it off.
        seed: Other inputs.

    Returns:
        What was found. A module that crashes, or can't be called, is an outcome and raises nothing.

    Raises:
        TypeError: An argument has another type: ``module`` is a class, or ``heads`` is text.
        ValueError: An argument can't be: ``heads`` doesn't divide d_model, or ``names`` names no parameter.
    """
    import torch

    arguments.refuse_module(module)
    arguments.refuse_options(heads=heads, causal=causal, scaled=scaled, polarity=polarity, call=call, width=width, seed=seed)
    if getattr(module, "batch_first", True) is False:
        return ModuleCheck(ModuleOutcome.NOT_UNDERSTOOD, sentences.SEQUENCE_FIRST)
    if any(torch.nn.parameter.is_lazy(one) for one in module.parameters()):
        return ModuleCheck(ModuleOutcome.NOT_UNDERSTOOD, sentences.LAZY)
    arguments.refuse_names({} if names is None else names, dict(module.named_parameters()))
    several = _heads(module) if heads is None else heads
    try:
        how = calling.Manner(("x",), mask="mask") if call is not None else calling.manner(module)
    except calling.CannotCallError as refusal:
        return ModuleCheck(ModuleOutcome.NOT_UNDERSTOOD, refusal.message)
    try:
        found = adopting.places(module, names or {})
        size = adopting.sizes(module, found, several, names or {}, cross=how.cross) if found else _bare(width, several)
    except adopting.NoPlaceError as refusal:
        return ModuleCheck(ModuleOutcome.NOT_UNDERSTOOD, sentences.no_place(refusal.missing, refusal.found), called=how.written)
    except adopting.MisfitError as refusal:
        if refusal.heads and heads is not None:
            raise ValueError(f"heads: {refusal.message.en}") from None
        return ModuleCheck(ModuleOutcome.NOT_UNDERSTOOD, refusal.message, called=how.written)

    def checked(dtype: torch.dtype, *values: Values) -> ModuleCheck:
        splits = _has_heads(module)
        return Trials(module, how, found, size, causal, polarity, scaled, call, seed, splits, dtype, values or ANY).result()

    own = next((one.dtype for one in module.parameters()), torch.float32)
    with keeping.kept(module), torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        check = checked(own)
        unexplained = check.outcome in (ModuleOutcome.WRONG, ModuleOutcome.NOT_A_NUMBER)
        if unexplained and (how.mask or how.padding) and call is None:
            again = checked(own, Values.ADDED)
            if again.right or again.outcome is ModuleOutcome.KNOWN_MISTAKE:
                return replace(again, message=again.message + sentences.ADDED)
        if unexplained and own is not torch.float64:
            # Great numbers, such as exponentials, agree to no more digits than the module's own precision has.
            with keeping.doubled(module):
                again = checked(torch.float64)
            halved = own in (torch.float16, torch.bfloat16) and check.outcome is ModuleOutcome.WRONG
            if again.outcome is ModuleOutcome.KNOWN_MISTAKE or (again.right and halved):
                return again
        return check


def _bare(width: int | None, heads: int) -> adopting.Sizes:
    """Return the sizes of inputs for a module without weights.

    Raises:
        ValueError: The width that was asked for can't be divided among the heads.
    """
    width = width or (WIDTH if WIDTH % heads == 0 else 4 * heads)
    if width % heads:
        raise ValueError(f"width: {width} features can't be divided among {heads} heads")
    return adopting.Sizes(width, width, width, width, heads, heads, output=False)


_NAMES_OF_HEADS = ("n_heads", "num_heads", "heads", "num_attention_heads", "n_head", "nhead", "h", "nheads", "H")


def _has_heads(module: nn.Module) -> bool:
    return any(hasattr(module, name) for name in _NAMES_OF_HEADS)


def _heads(module: nn.Module) -> int:
    from torch import nn

    for name in _NAMES_OF_HEADS:
        value = getattr(module, name, None)
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        if isinstance(value, nn.ModuleList):
            return len(value)
    return 1
