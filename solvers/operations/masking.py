"""Padding and causal masks: cells that may not be attended to become −∞ before the softmax."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from question_bank.program import Ask, Call, Program, shape_of
from question_bank.text import Text
from solvers.hand import Array, Hand
from solvers.operations.base import (
    Edited,
    Mistake,
    Operation,
    after_softmax,
    dropped,
    entry,
    only_if,
    only_with,
    symbol,
    with_parameters,
)
from solvers.operations.scoring import each_cell
from solvers.shapes import ShapeError

if TYPE_CHECKING:
    from torch import Tensor

_AFTER = Text(
    "You masked after the softmax and didn't normalise again, so the weights no longer add up to 1",
    "你在 softmax 之后才遮，又没有重新归一化，权重之和不再是 1",
)
_ZERO = Text(
    "You filled the masked scores with 0, not with $-\\infty$: $e^0 = 1$, so they still get some weight",
    "遮住的分数应当填 $-\\infty$，你填的是 0：$e^0 = 1$，仍会分到权重",
)


def _strict(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
    """Edit: the diagonal is masked too; the first row, which then has no key left, is written as zeros or as nan."""
    if line.parameter("hides", "future") == "future-and-self":
        return  # a listing has just this mistake in it
    edited = replace(program, asks=(ask,)).with_call(line.with_parameters(hides="future-and-self"))
    for user in program.consumers(line.node):
        if user.operation == "softmax":
            yield Edited(edited.with_call(user.with_parameters(empty="zero")))
    yield Edited(edited)


def _not_square(program: Program, line: Call) -> bool:
    """Tell whether the scores, where they are given, have more keys than queries, or fewer."""
    value = program.values.get(line.arguments[0])
    if value is None:
        return False
    shape = shape_of(value)
    return len(shape) > 1 and shape[-2] != shape[-1]


_MASKED = Text("masked", "遮住")
_KEPT = Text("kept", "保留")
_MASKED_BEFORE = Text("masked already", "前面已经遮住")


class PaddingMask(Operation):
    """``padding_mask(S, keep)``: keys where ``keep`` is 0 become −∞, in [S_q, S_k] scores or in one row [S_k].

    Polarity: 1 keeps, 0 masks, as in Hugging Face's ``attention_mask``.

    Parameters: ``over`` is ``keys``, or ``queries`` for the mistake; ``fill`` is ``infinity`` or ``zero``; ``polarity`` is
    ``keep``, or ``inverted`` for the mistake.
    """

    name = "padding_mask"
    section = "7.16"
    title = Text("Mask the padding", "遮住 padding")
    reason = Text(
        "Padding carries no information, so no query may attend to it: its columns (keys) become $-\\infty$, and $e^{-\\infty}$ is exactly 0.",
        "padding 不含信息，哪个 query 都不该看它：把它对应的列（key）填成 $-\\infty$，而 $e^{-\\infty}$ 正好是 0。",
    )
    aligned = (0,)
    mistakes = (
        Mistake("padding_mask.after-softmax", _AFTER, after_softmax(fill="zero")),
        Mistake("padding_mask.zero", _ZERO, with_parameters(fill="zero")),
        Mistake(
            "padding_mask.inverted",
            Text("You masked the real tokens and kept the padding", "你把真实的 token 遮住了，反而留下了 padding"),
            with_parameters(polarity="inverted"),
        ),
        Mistake(
            "padding_mask.forgotten",
            Text(
                "The padding is not masked here: mask its columns (keys), not its rows (queries)",
                "这里的 padding 没有遮住：要遮的是列（key），不是行（query）",
            ),
            dropped(),
        ),
        Mistake(
            "padding_mask.queries",
            Text("You masked rows (queries) instead of columns (keys)", "你遮的是行（query），应当遮列（key）"),
            with_parameters(over="queries"),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        return rf"{entry(line.node)} = -\infty \quad ({symbol(line.arguments[1])}_j = 0)"

    def torch(self, S: Tensor, keep: Tensor, over: str = "keys", fill: str = "infinity", polarity: str = "keep") -> Tensor:
        """Fill the masked keys."""
        masked = (keep == 0) if polarity == "keep" else (keep != 0)  # [S_k]
        if over == "queries":
            if S.dim() < 2:
                raise ShapeError(f"one row of scores {tuple(S.shape)} has no query axis for a mask {tuple(keep.shape)}")
            masked = masked.unsqueeze(-1)  # [S_q, 1]
        return S.masked_fill(masked, 0.0 if fill == "zero" else -math.inf)  # [.., S_q, S_k]

    def by_hand(
        self, hand: Hand, S: Array, keep: Array, over: str = "keys", fill: str = "infinity", polarity: str = "keep", **_: Any
    ) -> Array:
        """Copy the kept cells and fill the others."""
        filling = 0 * keep[0] if fill == "zero" else -hand.infinity

        def cell(value: Any, *index: int) -> Any:
            at = index[0] if over == "queries" and len(index) > 1 else index[-1]
            masked = (keep[at] == 0) == (polarity == "keep")
            row = index[0] if len(index) > 1 else 0
            return hand.taken(hand.label(*index), row, filling if masked else value, _MASKED if masked else _KEPT)

        return each_cell(S, cell)


class CausalMask(Operation):
    """``causal_mask(S)``: cells right of the diagonal become −∞, in scores [.., S_q, S_k].

    Parameters: ``align`` is ``top-left`` (the default, as torch's ``is_causal``: query i sees keys 0 ... i) or
    ``bottom-right`` (with a KV cache: the last query sees every key); ``fill`` is ``infinity`` or ``zero``; ``hides`` is
    ``future``, or for the mistakes ``future-and-self`` and ``past``.
    """

    name = "causal_mask"
    section = "7.17"
    title = Text("Mask the future", "遮住未来的位置")
    reason = Text(
        "A position may attend to itself and to earlier positions only; the scores of later ones become $-\\infty$, so that their weights are exactly 0.",
        "每个位置只能看自己和更早的位置；更晚位置的分数填成 $-\\infty$，它们的权重就正好是 0。",
    )
    aligned = (0,)
    mistakes = (
        Mistake(
            "causal_mask.strict",
            Text("You masked the diagonal too, but a token may attend to itself", "你把对角线也遮了，而 token 可以看自己"),
            _strict,
        ),
        Mistake(
            "causal_mask.lower",
            Text(
                "You masked the lower triangle (the past) instead of the upper one (the future)",
                "你遮的是下三角（过去），应当遮上三角（未来）",
            ),
            with_parameters(hides="past"),
        ),
        Mistake("causal_mask.after-softmax", _AFTER, after_softmax(fill="zero")),
        Mistake("causal_mask.zero", _ZERO, with_parameters(fill="zero")),
        Mistake(
            "causal_mask.aligned-left",
            Text(
                "You aligned the mask top-left; with a KV cache the last query sees every key",
                "你把 mask 按左上角对齐了，有 KV cache 时最后一个 query 能看到所有 key",
            ),
            only_if(_not_square, only_with("align", "bottom-right", "top-left", with_parameters(align="top-left"))),
        ),
        Mistake(
            "causal_mask.aligned-right",
            Text(
                "You aligned the mask bottom-right; here query 1 sees key 1 alone",
                "你把 mask 按右下角对齐了，这里第 1 个 query 只能看第 1 个 key",
            ),
            only_if(_not_square, only_with("align", "top-left", "top-left", with_parameters(align="bottom-right"))),
        ),
        Mistake("causal_mask.forgotten", Text("You left the future unmasked", "你没有遮住未来的位置"), dropped()),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        # Of a bottom-right mask the diagonal ends in the last cell, however many more keys than queries there are.
        diagonal = r"i + S_k - S_q" if dict(line.parameters).get("align") == "bottom-right" else "i"
        return rf"{entry(line.node)} = -\infty \quad (j > {diagonal})"

    def torch(self, S: Tensor, align: str = "top-left", fill: str = "infinity", hides: str = "future") -> Tensor:
        """Fill the cells right of the diagonal."""
        import torch

        queries, keys = S.shape[-2:]
        offset = keys - queries if align == "bottom-right" else 0
        ones = torch.ones(queries, keys, dtype=torch.bool, device=S.device)
        first = offset + (1 if hides == "future" else 0)
        past = {"past": -1, "past-and-self": 0}.get(hides)
        masked = ones.triu(first) if past is None else ones.tril(offset + past)  # [S_q, S_k]
        return S.masked_fill(masked, 0.0 if fill == "zero" else -math.inf)  # [.., S_q, S_k]

    def by_hand(
        self, hand: Hand, S: Array, align: str = "top-left", fill: str = "infinity", hides: str = "future", **_: Any
    ) -> Array:
        """Copy the kept cells and fill the others."""
        offset = len(S[0]) - len(S) if align == "bottom-right" else 0

        def cell(value: Any, i: int, j: int) -> Any:
            last = i + offset
            masked = {"future": j > last, "future-and-self": j >= last, "past": j < last}[hides]
            filling = 0 * hand.pi if fill == "zero" else -hand.infinity  # 0 times a cell that is masked already is nan
            say = _MASKED if masked else _MASKED_BEFORE if value == -hand.infinity else _KEPT
            return hand.taken(hand.label(i, j), i, filling if masked else value, say)

        return each_cell(S, cell)


OPERATIONS = (PaddingMask(), CausalMask())
