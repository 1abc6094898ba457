"""Heads: splitting, concatenating, and passing a node on unchanged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from question_bank.program import Ask, Call, Program
from question_bank.text import Text, same
from solvers.hand import Array, Hand
from solvers.operations.base import Edited, Mistake, Operation, dropped, everywhere, symbol, with_parameters
from solvers.shapes import ShapeError

if TYPE_CHECKING:
    from torch import Tensor


def _query_heads(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
    """Edit: keys or values have as many heads as the queries."""
    heads, kv_heads = (program.values.get(name) for name in ("h", "h_kv"))
    if line.arguments[1] == "h_kv" and heads not in (None, kv_heads):
        few = f"{line.node} unrepeated"
        calls = tuple(
            one
            for old in program.calls
            for one in (
                (replace(old, node=few), Call(line.node, "repeat_heads", (few, "h"))) if old.node == line.node else (old,)
            )
        )
        yield Edited(replace(program, calls=calls, asks=(ask,)))


class SplitHeads(Operation):
    """``split_heads(X, h)``: [.., S, d_model] to [.., h, S, d_model / h].

    Parameters: ``form`` is ``split``; the mistakes are ``no-transpose`` ([.., S, h, d_model / h], a view alone),
    ``undivided`` (each head keeps d_model), ``swapped`` ([.., h, d_model / h, S]) and ``cut-sequence`` ([.., h, S, d_model / h] by a
    view alone, which cuts the sequence, not the features).
    """

    name = "split_heads"
    section = "7.14"
    title = Text("Split into heads", "拆成多个 head")
    reason = Text(
        "The last axis is cut into $h$ pieces, and the head axis is moved in front of the sequence axis, so that each head multiplies its own $[S, d_k]$ matrices.",
        "把最后一维切成 $h$ 段，再把 head 维换到序列维之前，这样每个 head 都拿自己的 $[S, d_k]$ 矩阵做乘法。",
    )
    mistakes = (
        Mistake(
            "split_heads.no-transpose",
            Text(
                "You reshaped without transposing: the head axis must come before the sequence axis",
                "你只做了 view，没有 transpose：head 维应当排在序列维之前",
            ),
            everywhere(with_parameters(form="no-transpose")),
        ),
        Mistake(
            "split_heads.undivided",
            Text(
                "You gave every head the full width; each head has $d_{\\text{model}} / h$",
                "你让每个 head 都用了全部宽度，每个 head 应当只有 $d_{\\text{model}} / h$",
            ),
            everywhere(with_parameters(form="undivided")),
        ),
        Mistake(
            "split_heads.swapped",
            Text("You swapped the sequence length and the head width", "你把序列长度和 head 宽度写反了"),
            everywhere(with_parameters(form="swapped")),
        ),
        Mistake(
            "split_heads.query-heads",
            Text(
                "You gave keys and values as many heads as the queries; they have only $h_{\\text{kv}}$",
                "你让 key 和 value 的 head 数与 query 一样多了，它们只有 $h_{\\text{kv}}$ 个",
            ),
            _query_heads,
        ),
        Mistake("split_heads.forgotten", Text("You didn't split into heads", "你没有拆成多个 head"), everywhere(dropped())),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        return rf"{symbol(line.node)} = \mathrm{{split}}({symbol(line.arguments[0])}, {symbol(line.arguments[1])})"

    def torch(self, X: Tensor, h: Tensor | int, form: str = "split") -> Tensor:
        """Split the last axis and move the heads before the sequence."""
        heads = int(h)
        width = X.shape[-1]
        if width % heads:
            raise ShapeError(f"d_model {width} of shape {tuple(X.shape)} can't be divided among {heads} heads")
        if form == "undivided":
            return X.unsqueeze(-3).expand(*X.shape[:-2], heads, *X.shape[-2:])  # [.., h, S, d_model]
        if form == "cut-sequence":
            return X.reshape(*X.shape[:-2], heads, X.shape[-2], width // heads)
        parted = X.reshape(*X.shape[:-1], heads, width // heads)  # [.., S, h, d_k]
        if form == "no-transpose":
            return parted
        split = parted.transpose(-3, -2)  # [.., h, S, d_k]
        return split.transpose(-2, -1) if form == "swapped" else split

    def by_hand(self, hand: Hand, X: Array, h: Any, form: str = "split", **_: Any) -> Array:
        """Cut each row into pieces of equal width."""
        heads = int(h)
        width = len(X[0]) // heads
        return [[row[head * width : (head + 1) * width] for row in X] for head in range(heads)]


def _left_apart(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
    """Edit: the heads are not concatenated, nor then projected together."""
    apart = replace(program, asks=(ask,)).with_call(line.with_parameters(form="apart"))
    if ask.node != line.node:
        for user in program.consumers(line.node):
            if user.operation == "output_projection":
                apart = apart.with_call(Call(user.node, "same", (line.node,)))
    yield Edited(apart)


class ConcatHeads(Operation):
    """``concat_heads(O)`` for [.., h, S, d_v] to [.., S, h·d_v]; ``concat_heads(O_1, O_2, ...)`` for one token's heads [d_v].

    Parameters: ``form`` is ``concatenated``; the mistakes are ``interleaved``, ``summed``, ``reversed`` (the last head first),
    ``no-transpose`` ([.., h, S, d_v] read row by row as [.., S, h·d_v]) and ``flat`` (the last two axes joined as they stand).
    """

    name = "concat_heads"
    section = "7.14"
    title = Text("Concatenate the heads", "拼接各个 head")
    reason = Text(
        "For each token, the heads' vectors are put side by side, head 1 first; the width is then $h \\cdot d_v$.",
        "把同一个 token 在各个 head 的向量首尾相接，head 1 在最前，宽度变成 $h \\cdot d_v$。",
    )
    mistakes = (
        Mistake(
            "concat_heads.interleaved",
            Text(
                "You interleaved the heads; each head's numbers stay together",
                "你把各个 head 的数交错排列了，同一个 head 的数应当连在一起",
            ),
            with_parameters(form="interleaved"),
        ),
        Mistake(
            "concat_heads.summed",
            Text("You added the heads instead of concatenating them", "你把各个 head 相加了，应当拼接"),
            with_parameters(form="summed"),
        ),
        Mistake(
            "concat_heads.averaged",
            Text("You averaged the heads instead of concatenating them", "你对各个 head 取了平均，应当拼接"),
            with_parameters(form="averaged"),
        ),
        Mistake(
            "concat_heads.reversed",
            Text("You put the heads in the wrong order", "你把各个 head 的顺序弄反了"),
            with_parameters(form="reversed"),
        ),
        Mistake(
            "concat_heads.forgotten",
            Text("You didn't concatenate the heads", "你没有拼接各个 head"),
            _left_apart,
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        return rf"{symbol(line.node)} = \mathrm{{concat}}({', '.join(symbol(name) for name in line.arguments)})"

    def torch(self, *heads: Tensor, form: str = "concatenated") -> Tensor:
        """Put the heads side by side."""
        import torch

        stacked = torch.stack(heads, -2).unsqueeze(-2) if len(heads) > 1 else heads[0]  # [.., h, S, d_v]
        if form == "apart":
            if len(heads) > 1:
                raise ShapeError("one token's heads are already apart")
            return stacked
        if form == "flat":
            return stacked.flatten(-2)
        if form == "no-transpose":
            return stacked.reshape(*stacked.shape[:-3], stacked.shape[-2], -1)
        if form in ("summed", "averaged"):
            joined = stacked.sum(-3) if form == "summed" else stacked.mean(-3)  # [.., S, d_v]
        else:
            ordered = stacked.flip(-3) if form == "reversed" else stacked
            parts = ordered.transpose(-3, -2)  # [.., S, h, d_v]
            joined = (parts.transpose(-2, -1) if form == "interleaved" else parts).flatten(-2)  # [.., S, h·d_v]
        return joined.squeeze(-2) if len(heads) > 1 else joined

    def by_hand(self, hand: Hand, *heads: Array, form: str = "concatenated", **_: Any) -> Array:
        """Write the heads one behind the other."""
        if len(heads) == 1:
            return [[value for head in heads[0] for value in head[row]] for row in range(len(heads[0][0]))]
        if form in ("summed", "averaged"):
            sums = [hand.sum("", 0, column, self.title) for column in zip(*heads, strict=True)]
            return sums if form == "summed" else [value / len(heads) for value in sums]
        if form == "reversed":
            heads = heads[::-1]
        cells = (
            [v for column in zip(*heads, strict=True) for v in column]
            if form == "interleaved"
            else [v for head in heads for v in head]
        )
        say = same("head {head}")
        width = len(heads[0])
        return [hand.taken(hand.label(j), 0, v, say.fill(head=j // width + 1)) for j, v in enumerate(cells)]


class Same(Operation):
    """``same(X)``: X itself; what a left-out line comes to."""

    name = "same"
    title = Text("Pass on unchanged", "原样传递")
    reason = Text("This step is left out.", "这一步略去不做。")
    aligned = (0,)

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        return f"{symbol(line.node)} = {symbol(line.arguments[0])}"

    def torch(self, X: Tensor) -> Tensor:
        """Return X."""
        return X

    def by_hand(self, hand: Hand, X: Array, **_: Any) -> Array:
        """Return X."""
        return X


OPERATIONS = (SplitHeads(), ConcatHeads(), Same())
