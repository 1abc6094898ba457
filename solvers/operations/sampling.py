"""Choosing among the next tokens: top-k and top-p, renormalised."""

from __future__ import annotations

from typing import TYPE_CHECKING

from question_bank.program import Call
from question_bank.text import Text
from solvers.hand import Array, Hand, Number, subscript
from solvers.operations.base import Mistake, Operation, symbol, with_parameters
from solvers.shapes import ShapeError, require

if TYPE_CHECKING:
    from torch import Tensor

_KEPT_SUM = Text("sum of the probabilities kept", "保留下来的概率之和")
_SHARE = Text("kept: divided by that sum", "保留：除以这个和")
_AS_IT_IS = Text("kept", "保留")
_OUT = Text("not among the tokens kept", "不在保留的 token 里")


def _renormalised(hand: Hand, p: Array, kept: list[int], form: str) -> Array:
    """Divide the probabilities that are kept by their sum, and put 0 for the others."""
    places = sorted(kept)
    bottom: Number = None
    powers = {i: p[i] for i in places}
    if form == "softmax":
        powers = {i: hand.exponential("", None, p[i], _SHARE) for i in places}
    if form != "as-is":
        bottom = hand.sum("Σ", None, [powers[i] for i in places], _KEPT_SUM)

    def cell(i: int) -> Number:
        if i not in powers:
            return hand.taken(hand.label(i), None, p[i] * 0, _OUT)
        if bottom is None:
            return hand.taken(hand.label(i), None, p[i], _AS_IT_IS)
        return hand.quotient(hand.label(i), None, powers[i], bottom, _SHARE)

    return [cell(i) for i in range(len(p))]


def _kept(p: Tensor, keep: Tensor, form: str) -> Tensor:
    kept = p.masked_fill(~keep, 0.0)
    if form == "as-is":
        return kept
    if form == "softmax":
        kept = p.exp().masked_fill(~keep, 0.0)
    return kept / kept.sum(-1, keepdim=True)


def _descending(p: Array) -> list[int]:
    return sorted(range(len(p)), key=lambda i: (-float(p[i]), i))


class TopK(Operation):
    """``top_k(p, k)``: the k largest of the probabilities p [V], divided by their sum; 0 for the others.

    Parameters: ``form`` is ``renormalised``; the mistakes are ``as-is`` (not divided), ``softmax`` (a softmax of the
    probabilities kept) and ``smallest`` (the k smallest kept).
    """

    name = "top_k"
    section = "7.23"
    title = Text("Keep the $k$ most probable tokens", "保留概率最大的 $k$ 个 token")
    reason = Text(
        "Only the $k$ most probable tokens stay; divided by their sum they are a distribution again, and their ratios are as before.",
        "只留下概率最大的 $k$ 个 token；除以它们的和，又成了一个分布，彼此的比例不变。",
    )
    mistakes = (
        Mistake(
            "top_k.not-renormalised",
            Text(
                "You didn't renormalise: the probabilities kept must add up to 1",
                "你没有重新归一化：保留下来的概率之和应当是 1",
            ),
            with_parameters(form="as-is"),
        ),
        Mistake(
            "top_k.softmax",
            Text(
                "You applied a softmax to the probabilities kept; they are divided by their sum",
                "你对保留下来的概率又做了 softmax，应当除以它们的和",
            ),
            with_parameters(form="softmax"),
        ),
        Mistake(
            "top_k.smallest",
            Text("You kept the least probable tokens", "你保留的是概率最小的 token"),
            with_parameters(form="smallest"),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        p, k = map(symbol, line.arguments)
        return rf"{symbol(line.node)}_i = \frac{{{p}_i}}{{\sum_{{j \in \mathrm{{top}}_{k}}} {p}_j}}"

    def torch(self, p: Tensor, k: Tensor, form: str = "renormalised") -> Tensor:
        """Keep k, divide by their sum."""
        import torch

        require(p.dim() == 1, "one row of probabilities", p=p)
        if p.is_meta:
            return p.clone()
        if not 1 <= int(k) <= p.shape[0]:
            raise ShapeError(f"k = {int(k)} of {p.shape[0]} tokens can't be kept")
        chosen = p.topk(int(k), largest=form != "smallest").indices
        keep = torch.zeros_like(p, dtype=torch.bool).index_fill(0, chosen, True)
        return _kept(p, keep, form)  # [V]

    def by_hand(self, hand: Hand, p: Array, k: Number, form: str = "renormalised") -> Array:
        """Sum of the kept ones, and their quotients."""
        order = _descending(p)
        return _renormalised(hand, p, order[-int(k) :] if form == "smallest" else order[: int(k)], form)


class TopP(Operation):
    """``top_p(p, t)``: the most probable tokens of p [V], as few as add up to t or more, divided by their sum.

    The token with which the sum reaches t is kept (Holtzman et al. 2020, nucleus sampling).

    Parameters: ``form`` is ``renormalised``; the mistakes are ``as-is``, ``softmax`` and ``crossing-dropped``.
    """

    name = "top_p"
    section = "7.23"
    title = Text("Keep the most probable tokens up to the threshold", "按概率从大到小保留，直到达到阈值")
    reason = Text(
        "From the most probable token on, tokens are kept until their probabilities add up to the threshold; the token that reaches it belongs to them.",
        "从概率最大的 token 开始往下取，直到概率之和达到阈值；使它达到阈值的那个 token 也要保留。",
    )
    mistakes = (
        Mistake(
            "top_p.not-renormalised",
            Text(
                "You didn't renormalise: the probabilities kept must add up to 1",
                "你没有重新归一化：保留下来的概率之和应当是 1",
            ),
            with_parameters(form="as-is"),
        ),
        Mistake(
            "top_p.crossing-dropped",
            Text(
                "You dropped the token with which the sum reaches the threshold; it is kept",
                "你去掉了使总和达到阈值的那个 token，它应当保留",
            ),
            with_parameters(form="crossing-dropped"),
        ),
        Mistake(
            "top_p.softmax",
            Text(
                "You applied a softmax to the probabilities kept; they are divided by their sum",
                "你对保留下来的概率又做了 softmax，应当除以它们的和",
            ),
            with_parameters(form="softmax"),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        p, t = map(symbol, line.arguments)
        return rf"{symbol(line.node)}_i = \frac{{{p}_i}}{{\sum_{{j \in K}} {p}_j}}, \quad \sum_{{j \in K}} {p}_j \ge {t}"

    def torch(self, p: Tensor, t: Tensor, form: str = "renormalised") -> Tensor:
        """Sort, add up, cut, divide."""
        import torch

        require(p.dim() == 1, "one row of probabilities", p=p)
        if p.is_meta:
            return p.clone()
        ordered, places = p.sort(descending=True)
        before = ordered.cumsum(0) - ordered  # what the tokens ahead of each add up to
        keep = before < t - 1e-12 if form != "crossing-dropped" else before + ordered < t - 1e-12
        if not keep.any():
            raise ShapeError("no token would be left")
        return _kept(p, torch.zeros_like(keep).index_put((places,), keep), form)  # [V]

    def by_hand(self, hand: Hand, p: Array, t: Number, form: str = "renormalised") -> Array:
        """Add up from the largest on, then divide."""
        order = _descending(p)
        say = Text("from the largest on, until the threshold is reached", "从最大的开始累加，直到达到阈值")
        kept: list[int] = []
        total: Number = None
        for i in order:
            kept.append(i)
            numbers = (p[i],) if total is None else (total, p[i])
            total = hand.sum(f"Σ{subscript(len(kept) - 1)}" if form != "crossing-dropped" else "", None, numbers, say)
            if float(total) >= float(t) - 1e-9:
                break
        return _renormalised(hand, p, kept[:-1] if form == "crossing-dropped" else kept, form)


OPERATIONS = (TopK(), TopP())
