"""Masks made ready for broadcasting: by their shapes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from question_bank.program import Ask, Call, Program, shape_of
from question_bank.text import Text
from solvers.hand import Array, Hand
from solvers.operations.base import Edited, Mistake, Operation, dropped, only_if, only_with, symbol, with_parameters
from solvers.shapes import require

if TYPE_CHECKING:
    from torch import Tensor


def _padding_only(_program: Program, line: Call) -> bool:
    return line.parameter("of", "padding") == "padding"


def _with_heads(program: Program, line: Call) -> bool:
    """Tell whether the scores have a head axis; without one, too few axes are the mask as it is."""
    scores = program.values.get(line.arguments[1])
    return scores is None or len(shape_of(scores)) > 3


def _on_queries(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
    """Edit: the length goes to the query axis, with every axis that the scores have, or with one for the heads too few."""
    for form in ("queries-no-heads", "queries") if _with_heads(program, line) else ("queries",):
        yield from with_parameters(form=form)(program, line, ask)


class MaskView(Operation):
    """``mask_view(m, S)``: a mask with axes of size 1 put in, so that it broadcasts over the scores S [B, .., S_q, S_k].

    A padding mask [B, S_k] becomes [B, 1, .., 1, S_k]: the same for every head and every query. A causal mask [S_q, S_k]
    becomes [1, .., 1, S_q, S_k]: the same for every sequence and every head.

    Parameters: ``of`` is ``padding`` or ``causal``. ``form`` is ``view``; the mistakes are ``queries`` (the length on the
    query axis, with 1 behind), ``queries-no-heads`` (the same with one axis too few), ``no-heads`` (one axis of size 1 too
    few), ``pairs`` (a padding mask with S_q on the query axis), ``whole`` (the shape of the scores) and, of a causal mask,
    ``batch`` (B in front).
    """

    name = "mask_view"
    section = "7.16"
    title = Text("Insert axes of size 1", "补上大小为 1 的维")
    reason = Text(
        "Axes of size 1 are stretched to fit. A padding mask differs between sequences and between keys, a causal mask between queries and between keys: those axes keep their length, all others get 1.",
        "大小为 1 的维会自动扩展。padding mask 因序列、因 key 而异，causal mask 因 query、因 key 而异：这几维保持原长，其余各维取 1。",
    )
    mistakes = (
        Mistake(
            "mask_view.queries",
            Text(
                "You put the length on the query axis, which masks rows; it belongs to the keys, the last axis",
                "你把长度放在了 query 那一维，遮的是行；它应当放在最后的 key 维上",
            ),
            only_if(_padding_only, _on_queries),
        ),
        Mistake(
            "mask_view.no-heads",
            Text(
                "An axis is missing: with it left out, the batch lines up with another axis of the scores",
                "少了一维：batch 会对到分数的另一维上去",
            ),
            only_if(_padding_only, only_if(_with_heads, with_parameters(form="no-heads"))),
        ),
        Mistake(
            "mask_view.pairs",
            Text(
                "You gave the padding mask a row for every query; it is the same for all of them, so 1 is enough there",
                "你给每个 query 各留了一行，而 padding mask 对所有 query 都一样，query 那一维取 1 就够了",
            ),
            only_if(_padding_only, only_if(_with_heads, with_parameters(form="pairs"))),
        ),
        Mistake(
            "mask_view.whole",
            Text(
                "You gave the shape of the scores; where the mask is the same for all, 1 is enough",
                "你写的是分数的形状，而对各处都相同的维，大小取 1 就够了",
            ),
            with_parameters(form="whole"),
        ),
        Mistake(
            "mask_view.batch",
            Text(
                "You gave a causal mask a batch axis of its own; it is the same for every sequence",
                "你让 causal mask 也带上了 batch 维，而它对每条序列都一样",
            ),
            only_with("of", "causal", "padding", only_if(_with_heads, with_parameters(form="batch"))),
        ),
        Mistake("mask_view.as-it-is", Text("You left the mask as it was", "你没有改变 mask 的形状"), dropped()),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        return rf"{symbol(line.node)} = \mathrm{{view}}({symbol(line.arguments[0])})"

    def torch(self, m: Tensor, S: Tensor, of: str = "padding", form: str = "view") -> Tensor:
        """Reshape, without copying."""
        require(len(m.shape) == 2 and len(S.shape) > 2, "a mask of two axes, scores with a batch axis", mask=m, scores=S)
        between = len(S.shape) - 2
        if form == "whole":
            return m.reshape(-1)[:1].expand(S.shape)
        if of == "causal":
            ones = (S.shape[0], *(1,) * (between - 1)) if form == "batch" else (1,) * between
            return m[(None,) * between].expand(*ones, *m.shape)  # [1, .., S_q, S_k]
        B, length = m.shape
        if form == "queries":
            return m.reshape(B, *(1,) * (between - 1), length, 1)
        if form == "queries-no-heads":
            return m.reshape(B, *(1,) * (between - 2), length, 1)
        if form == "pairs":
            return m.reshape(B, *(1,) * between, length).expand(B, *(1,) * (between - 1), S.shape[-2], length)
        return m.reshape(B, *(1,) * (between - 1 if form == "no-heads" else between), length)  # [B, 1, .., S_k]

    def by_hand(self, hand: Hand, m: Array, S: Array, **_: Any) -> Array:
        """Refuse: a mask is known by its shape here.

        Raises:
            ValueError: Always.
        """
        raise ValueError("masks are known by their shapes here")


class JoinMasks(Operation):
    """``join_masks(P, C)``: a padding and a causal mask, both views, as one: where both keep.

    Parameters: ``form`` is ``joined``; the mistake is ``first`` (the first mask's shape).
    """

    name = "join_masks"
    section = "7.17"
    title = Text("Join the two masks", "合并两个 mask")
    reason = Text(
        "A cell is kept where both masks keep it. Each axis takes the larger size of the two; an axis that is 1 in both stays 1.",
        "两个 mask 都保留的格子才保留。每一维取两者中较大的大小；两边都是 1 的维仍是 1。",
    )
    mistakes = (
        Mistake(
            "join_masks.first",
            Text("You gave the shape of the padding mask alone", "你写的只是 padding mask 的形状"),
            with_parameters(form="first"),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        return rf"{symbol(line.node)} = " + r" \wedge ".join(map(symbol, line.arguments))

    def torch(self, P: Tensor, C: Tensor, form: str = "joined") -> Tensor:
        """Multiply: 1 keeps."""
        return P if form == "first" else P * C  # [B, 1, S_q, S_k]

    def by_hand(self, hand: Hand, P: Array, C: Array, **_: Any) -> Array:
        """Refuse: a mask is known by its shape here.

        Raises:
            ValueError: Always.
        """
        raise ValueError("masks are known by their shapes here")


OPERATIONS = (MaskView(), JoinMasks())
