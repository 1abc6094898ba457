"""What goes to padding where no mask keeps it off."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from question_bank.program import Ask, Call, Program
from question_bank.text import Text
from solvers.hand import Array, Hand
from solvers.operations.base import Edited, Mistake, Operation, symbol, with_parameters
from solvers.shapes import require

if TYPE_CHECKING:
    from torch import Tensor


def _one_of_several(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
    """Edit: one padding token is counted; no mistake where there is one alone."""
    keep = program.values.get(line.arguments[1])
    if isinstance(keep, tuple) and sum(value == 0 for value in keep) > 1:
        yield from with_parameters(of="one")(program, line, ask)


class PaddingShare(Operation):
    """``padding_share(a, keep)``: the weights of one row [S_k] that go to tokens where ``keep`` is 0, added up.

    Parameters: ``of`` is ``padding``; the mistakes are ``real`` (the rest), ``one`` (the first padding token alone), ``ratio``
    (padding over the rest) and ``positions`` (padding tokens over tokens).
    """

    name = "padding_share"
    section = "7.16"
    title = Text("Add up the weights of the padding", "求 padding 分到的权重之和")
    reason = Text(
        "A weight is the share of the attention that a key gets. Without a mask, padding keys get theirs like any other, and the real tokens get that much less.",
        "权重就是每个 key 分到的注意力份额。不加 mask，padding 也照样分走一份，真实 token 就少了这么多。",
    )
    mistakes = (
        Mistake(
            "padding_share.real",
            Text("You gave the share of the real tokens", "你给的是真实 token 所占的比例"),
            with_parameters(of="real"),
        ),
        Mistake(
            "padding_share.one",
            Text("You counted one of the padding tokens only", "你只算了其中一个 padding"),
            _one_of_several,
        ),
        Mistake(
            "padding_share.ratio",
            Text(
                "You divided by the share of the real tokens, not by the whole", "你除以的是真实 token 所占的部分，应当除以总和"
            ),
            with_parameters(of="ratio"),
        ),
        Mistake(
            "padding_share.positions",
            Text(
                "You gave the share of positions that are padding, whatever their scores",
                "你只数了 padding 的个数占比，没有用到分数",
            ),
            with_parameters(of="positions"),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        weights, keep = map(symbol, line.arguments)
        return rf"{symbol(line.node)} = \sum_{{j: {keep}_j = 0}} {weights}_j"

    def torch(self, a: Tensor, keep: Tensor, of: str = "padding") -> Tensor:
        """Add up the weights of the padding."""
        require(len(a.shape) == 1 and a.shape == keep.shape, "one row of weights and its mask", a=a, keep=keep)
        padding = keep == 0  # [S_k]
        if of == "positions":
            return padding.to(a.dtype).mean()
        if of == "one":
            return a[padding][0]
        lost, kept = (a * padding).sum(), (a * ~padding).sum()
        return {"padding": lost, "real": kept, "ratio": lost / kept}[of]

    def by_hand(self, hand: Hand, a: Array, keep: Array, of: str = "padding") -> Array:
        """Write the sum."""
        lost = [weight for weight, kept in zip(a, keep, strict=True) if kept == 0]
        real = [weight for weight, kept in zip(a, keep, strict=True) if kept != 0]
        if of == "positions":
            return (a[0] * 0 + len(lost)) / len(a)
        if of == "one":
            return lost[0]
        if of == "real":
            return sum(real[1:], real[0])
        total = hand.sum(hand.label(), None, lost, Text("weights of the padding tokens", "各个 padding 的权重"))
        return total / sum(real[1:], real[0]) if of == "ratio" else total


OPERATIONS = (PaddingShare(),)
