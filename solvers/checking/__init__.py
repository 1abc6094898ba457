"""Check a person's own attention module beside the reference, and name the mistake that it makes.

    from solvers import check_module

    found = check_module(MyAttention(d_model=16, n_heads=4))
    print(found.message.en)

The reference's weights are put into the module for the time of the check, then its own are put back. It is called with random
inputs of several lengths, with masks where it takes them, and its outputs are compared with ``solvers.attention`` and with what
each catalogued mistake would give.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from solvers.checking import adopting, calling, sentences
from solvers.checking.trials import WIDTH, Trials
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
    """
    import torch

    if getattr(module, "batch_first", True) is False:
        return ModuleCheck(ModuleOutcome.NOT_UNDERSTOOD, sentences.SEQUENCE_FIRST)
    heads = _heads(module) if heads is None else heads
    try:
        how = calling.Manner(("x",), mask="mask") if call is not None else calling.manner(module)
        found = adopting.places(module, names or {})
    except calling.CannotCallError as refusal:
        return ModuleCheck(ModuleOutcome.NOT_UNDERSTOOD, refusal.message)
    except adopting.NoPlaceError as refusal:
        return ModuleCheck(ModuleOutcome.NOT_UNDERSTOOD, sentences.no_place(refusal.missing, refusal.found), called=how.written)
    check = Trials(module, how, found, heads, causal, polarity, scaled, call, width or WIDTH, seed, _has_heads(module))
    with _kept(module), torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return check.result()


@contextmanager
def _kept(module: nn.Module) -> Iterator[None]:
    """Put the module's own weights back afterwards."""
    import torch

    state = {name: tensor.detach().clone() for name, tensor in (*module.named_parameters(), *module.named_buffers())}
    try:
        yield
    finally:
        with torch.no_grad():
            for name, tensor in (*module.named_parameters(), *module.named_buffers()):
                if name in state and tensor.shape == state[name].shape:
                    tensor.copy_(state[name])


_NAMES_OF_HEADS = ("n_heads", "num_heads", "heads", "n_head", "nhead", "h", "nheads", "H")


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
