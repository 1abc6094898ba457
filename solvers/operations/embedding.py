"""Token embeddings: scaled, with their positions added, and in another order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from question_bank.program import Ask, Call, Program
from question_bank.text import Text
from solvers.hand import Array, Hand, Number
from solvers.operations.base import Edited, Mistake, Operation, dropped, only_with, symbol, with_parameters
from solvers.operations.scoring import each_cell
from solvers.shapes import require

if TYPE_CHECKING:
    from torch import Tensor


def _added_first(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
    """Edit: what is added to the scaled embedding is added before, and scaled with it."""
    users = program.consumers(line.node)
    if ask.node == line.node or len(users) != 1 or users[0].operation != Add.name or users[0].arguments[0] != line.node:
        return
    added, bare = users[0], f"{users[0].node} before scaling"
    moved = {
        line.node: (Call(line.node, "same", line.arguments[:1]),),
        added.node: (replace(added, node=bare), replace(line, node=added.node, arguments=(bare, *line.arguments[1:]))),
    }
    calls = tuple(one for old in program.calls for one in moved.get(old.node, (old,)))
    yield Edited(replace(program, calls=calls, asks=(ask,)), (("meant", symbol(added.arguments[1])),))


class EmbeddingScale(Operation):
    """``embedding_scale(X, d_model)``: X · √d_model, as the original Transformer does before it adds the positions.

    Parameters: ``of`` is ``entries``, or ``variance`` for what becomes of the entries' variance: X · d_model. ``by`` is
    ``root``; the mistakes are ``divided`` (the entries / √d_model), ``whole`` (the entries · d_model) and ``unsquared`` (the
    variance · √d_model).
    """

    name = "embedding_scale"
    section = "7.3"
    title = Text("Scale the embeddings up", "放大 embedding")
    reason = Text(
        "Embeddings drawn with variance $1/d_{\\text{model}}$ are small beside the positional encoding, whose entries reach 1. Times $\\sqrt{d_{\\text{model}}}$, their variance is 1.",
        "embedding 若按方差 $1/d_{\\text{model}}$ 初始化，比起分量可达 1 的位置编码就太小了；乘以 $\\sqrt{d_{\\text{model}}}$，方差变成 1。",
    )
    aligned = (0,)
    mistakes = (
        Mistake(
            "embedding_scale.divided",
            Text(
                "You divided by $\\sqrt{d_{\\text{model}}}$ instead of multiplying",
                "你除以了 $\\sqrt{d_{\\text{model}}}$，应当乘以它",
            ),
            with_parameters(by="divided"),
        ),
        Mistake(
            "embedding_scale.whole",
            Text(
                "You multiplied by $d_{\\text{model}}$, not by its square root",
                "你乘的是 $d_{\\text{model}}$，应当乘它的平方根",
            ),
            only_with("of", "entries", "entries", with_parameters(by="whole")),
        ),
        Mistake(
            "embedding_scale.unsquared",
            Text(
                "You multiplied the variance by $\\sqrt{d_{\\text{model}}}$; a factor enters the variance squared",
                "你给方差乘的是 $\\sqrt{d_{\\text{model}}}$，而系数对方差的影响要取平方",
            ),
            only_with("of", "variance", "entries", with_parameters(by="unsquared")),
        ),
        Mistake(
            "embedding_scale.not-scaled",
            Text("You didn't multiply by $\\sqrt{d_{\\text{model}}}$", "你没有乘 $\\sqrt{d_{\\text{model}}}$"),
            dropped(),
        ),
        Mistake(
            "embedding_scale.added-first",
            Text(
                "You added ${meant}$ before scaling; only the embedding is scaled",
                "你先加了 ${meant}$ 再放大，而放大的只是 embedding",
            ),
            _added_first,
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        factor = symbol(line.arguments[1])
        factor = factor if line.parameter("of", "entries") == "variance" else rf"\sqrt{{{factor}}}"
        return rf"{symbol(line.node)} = {symbol(line.arguments[0])} \cdot {factor}"

    def torch(self, X: Tensor, d_model: Tensor, of: str = "entries", by: str = "root") -> Tensor:
        """Compute X · √d_model, or X · d_model of a variance."""
        if of == "variance":
            return X / d_model if by == "divided" else X * (d_model.sqrt() if by == "unsquared" else d_model)
        if by == "whole":
            return X * d_model
        return X / d_model.sqrt() if by == "divided" else X * d_model.sqrt()

    def by_hand(self, hand: Hand, X: Array, d_model: Number, of: str = "entries", by: str = "root", **_: Any) -> Array:
        """Take the root once, then multiply cell by cell."""
        rooting = Text("square root of the model's width", "模型宽度的平方根")
        plain = by == "whole" or (of == "variance" and by != "unsquared")
        factor = d_model if plain else hand.root("√d_model", None, d_model, rooting)
        say = Text("entry times the square root", "分量乘以这个平方根")
        if of == "variance":
            say = Text("variance times the square of the factor", "方差乘以系数的平方")

        def cell(value: Number, *index: int) -> Number:
            row = index[0] if len(index) > 1 else 0
            if by == "divided":
                return hand.quotient(hand.label(*index), row, value, factor, say)
            return hand.product(hand.label(*index), row, (value, factor), say)

        return each_cell(X, cell)


def _left_out(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
    """Edit: the second summand, which is named, is not added."""
    for edited in dropped()(program, line, ask):
        yield replace(edited, fills=(("meant", symbol(line.arguments[1])),))


class Add(Operation):
    """``add(X, Y)``: X + Y, [.., S, d] and [.., S, d], or one row [d] added to every row: positions, a bias.

    The shape of Y must be that with which X's ends: nothing else is broadcast. (A sub-layer's input is added back by
    ``residual_add``.)
    """

    name = "add"
    title = Text("Add entry by entry", "逐项相加")
    reason = Text(
        "Both have the same width, so they are added entry by entry; a single row is added to every row.",
        "两者宽度相同，逐项相加即可；只有一行时，给每一行都加上它。",
    )
    aligned = (0,)
    mistakes = (Mistake("add.left-out", Text("You didn't add ${meant}$", "你没有加上 ${meant}$"), _left_out),)

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        return f"{symbol(line.node)} = {symbol(line.arguments[0])} + {symbol(line.arguments[1])}"

    def torch(self, X: Tensor, Y: Tensor) -> Tensor:
        """Compute X + Y."""
        fits = Y.dim() <= X.dim() and X.shape[X.dim() - Y.dim() :] == Y.shape
        require(fits, "the shapes to be equal, or Y to be one row of X", X=X, Y=Y)
        return X + Y  # [.., S, d]

    def by_hand(self, hand: Hand, X: Array, Y: Array) -> Array:
        """Add cell by cell."""
        say = Text("sum of the two entries", "两个分量之和")

        def cell(value: Number, *index: int) -> Number:
            other = Y
            for place in index[len(index) - _depth(Y) :]:
                other = other[place]
            return hand.sum(hand.label(*index), index[0] if len(index) > 1 else 0, (value, other), say)

        return each_cell(X, cell)


def _depth(value: Array) -> int:
    return 1 + _depth(value[0]) if isinstance(value, list) else 0


class PermuteRows(Operation):
    """``permute_rows(X, order)``: row r of the result is row ``order[r]`` of X; rows are numbered from 1.

    X is [S, d], or a vector of which the entries are permuted; ``order`` [S] holds each number from 1 to S once.

    Parameters: for the mistakes, ``form`` is ``taken``, or ``inverse`` (row r is put at place order[r]); ``axis`` is
    ``rows`` or ``columns``.
    """

    name = "permute_rows"
    section = "7.3"
    title = Text("Put the rows in the new order", "按新的顺序排列各行")
    reason = Text(
        "Each token keeps its row, and the row moves with it: attention without positional encoding gives each token the same output wherever it stands.",
        "每个 token 的那一行随它一起移动：没有位置编码时，token 排在哪里，注意力给它的输出都一样。",
    )
    mistakes = (
        Mistake(
            "permute_rows.unchanged", Text("You left the rows in their old order", "你没有重排，各行还是原来的顺序"), dropped()
        ),
        Mistake(
            "permute_rows.columns",
            Text(
                "You permuted the columns; the tokens are the rows",
                "你重排的是列，而 token 是按行排的",
            ),
            with_parameters(axis="columns"),
        ),
        Mistake(
            "permute_rows.inverse",
            Text(
                "You applied the inverse permutation: the new order says which row comes to each place, not where each row goes",
                "你用的是逆置换：新顺序说的是每个位置上放哪一行，不是每一行放到哪里去",
            ),
            with_parameters(form="inverse"),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        order = symbol(line.arguments[1])
        named = "" if order == r"\pi" else rf", \quad \pi = {order}"
        return rf"{symbol(line.node)}_r = {symbol(line.arguments[0])}_{{\pi(r)}}{named}"

    def torch(self, X: Tensor, order: Tensor, form: str = "taken", axis: str = "rows") -> Tensor:
        """Take the rows in that order."""
        import torch

        require(axis == "rows" or X.dim() > 1, "a matrix, to take its columns", X=X)
        dimension = -1 if axis == "columns" or X.dim() < 2 else -2
        fits = X.dim() > 0 and order.shape == X.shape[dimension:][:1]
        require(fits, f"one number for each of the {axis}", X=X, order=order)
        if order.is_meta:
            return X.clone()
        places = order.round().long() - 1
        whole = torch.equal(places.sort().values, torch.arange(len(places)))
        require(whole, f"each number from 1 to {len(places)} once in the order", order=order)
        if form == "inverse":
            places = places.argsort()
        return X[..., places] if dimension == -1 else X[..., places, :]  # [.., S, d]

    def by_hand(self, hand: Hand, X: Array, order: Array, form: str = "taken", axis: str = "rows") -> Array:
        """Copy row after row."""
        places = [int(number) - 1 for number in order]
        if form == "inverse":
            places = sorted(range(len(places)), key=places.__getitem__)
        if axis == "columns":
            return [[row[place] for place in places] for row in X]
        moved = [X[place] for place in places]

        def cell(value: Number, *index: int) -> Number:
            say = Text("from row {n}", "取自第 {n} 行") if len(index) > 1 else Text("from place {n}", "取自第 {n} 项")
            row = index[0] if len(index) > 1 else 0
            return hand.taken(hand.label(*index), row, value, say.fill(n=places[index[0]] + 1))

        return each_cell(moved, cell)


OPERATIONS = (EmbeddingScale(), Add(), PermuteRows())
