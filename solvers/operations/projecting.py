"""Projections: rows times a weight matrix, ``X W``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from question_bank.program import Ask, Call, Program, Shape, shape_of
from question_bank.text import Text
from solvers.hand import Array, Hand
from solvers.operations.base import (
    Edit,
    Edited,
    Mistake,
    Operation,
    dropped,
    only_if,
    product,
    rewire,
    rewired,
    symbol,
    with_parameters,
    with_shapes,
)

if TYPE_CHECKING:
    from torch import Tensor


def _other_weights(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
    """Edit: the weight matrix of another projection of the same shape is used."""
    meant = line.arguments[1]
    if meant not in program.values:
        return
    shape = shape_of(program.values[meant])
    for name, value in program.inputs:
        if name != meant and name.startswith("W_") and shape_of(value) == shape:
            yield Edited(
                replace(program, asks=(ask,)).with_call(rewire(line, 1, name)),
                (("used", symbol(name)), ("meant", symbol(meant))),
            )


def _narrows(program: Program, line: Call) -> bool:
    """Tell whether the weight, known by its shape, is the second of an FFN."""
    made = program.lines.get(line.arguments[1])
    return made is not None and made.operation == "weight" and made.arguments[0] == "d_ff"


def _own_states(program: Program, line: Call) -> dict[str, tuple[int, ...]] | None:
    """Return the shape of ``E`` with the length of ``X``, where the two differ in width too, so that they can't change places."""
    X, E = (program.values.get(name) for name in "XE")
    if line.arguments[0] != "E" or not isinstance(X, Shape) or not isinstance(E, Shape):
        return None
    return {"E": (*X.dimensions[:-1], E.dimensions[-1])} if X.dimensions[-1] != E.dimensions[-1] else None


def _width(meant: str, used: str) -> Edit:
    """Edit: another width is taken for the matrix's columns."""

    def edit(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
        if line.arguments[1] == meant and program.values.get(used) not in (None, program.values.get(meant)):
            yield from rewired(1, used)(program, line, ask)

    return edit


def rows_by_columns(hand: Hand, left: Array, right_columns: Array, say: Text) -> Array:
    """Multiply each row of the left matrix with each column given, one dot product a cell."""
    if not isinstance(left[0], list):
        return [hand.dot(hand.label(j), 0, left, column, say) for j, column in enumerate(right_columns)]
    return [
        [hand.dot(hand.label(i, j), i, row, column, say) for j, column in enumerate(right_columns)]
        for i, row in enumerate(left)
    ]


def transposed(matrix: Array) -> Array:
    """Swap rows and columns of nested lists."""
    return [list(column) for column in zip(*matrix, strict=True)]


class Project(Operation):
    """``project(X, W)``: X W, [.., d_in] by [d_in, d_out] gives [.., d_out].

    Parameters: ``form`` is ``xw``, or ``xwt`` for the mistake X Wᵀ.
    """

    name = "project"
    section = "7.5"
    title = Text("Project with the weight matrix", "乘权重矩阵做投影")
    reason = Text(
        "Each row is one token; multiplying by the weight matrix on the right maps each row to a new one, with the same weights for every token.",
        "每一行是一个 token；右乘权重矩阵，就把每一行各映射成一个新向量，所有 token 共用同一组权重。",
    )
    aligned = (0,)
    mistakes: ClassVar[tuple[Mistake, ...]] = (
        Mistake(
            "project.transposed-weight",
            Text("You multiplied by the transposed weight matrix", "你乘的是转置后的权重矩阵"),
            with_parameters(form="xwt"),
        ),
        Mistake(
            "project.wrong-weight",
            Text("You multiplied by ${used}$, not by ${meant}$", "你乘的是 ${used}$，应当乘 ${meant}$"),
            _other_weights,
        ),
        Mistake(
            "project.own-states",
            Text(
                "You took the decoder's length; keys and values come from the encoder",
                "你用的是解码器的长度，而 key 和 value 来自编码器",
            ),
            with_shapes(_own_states),
        ),
        Mistake(
            "project.left-wide",
            Text(
                "You left the width at $d_{\\text{ff}}$; the second matrix narrows it to $d_{\\text{model}}$ again",
                "你让宽度停在了 $d_{\\text{ff}}$，而第二个矩阵会把它缩回 $d_{\\text{model}}$",
            ),
            only_if(_narrows, dropped()),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        return f"{symbol(line.node)} = {product(line.arguments[0], line.arguments[1])}"

    def torch(self, X: Tensor, W: Tensor, form: str = "xw") -> Tensor:
        """Compute X W."""
        return X @ (W if form == "xw" else W.transpose(-2, -1))  # [.., S, d_out]

    def by_hand(self, hand: Hand, X: Array, W: Array, form: str = "xw", **_: Any) -> Array:
        """Compute X W cell by cell."""
        say = Text("row of the left matrix times column of the weight matrix", "左边矩阵的一行与权重矩阵的一列做点积")
        return rows_by_columns(hand, X, transposed(W) if form == "xw" else W, say)


def _over_heads(form: str) -> Edit:
    """Edit: the heads are brought together in another way; for heads of one token, given one by one, with values known."""

    def edit(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
        made = program.lines.get(line.arguments[0])
        heads = len(made.arguments) if made is not None and made.operation == "concat_heads" else 0
        if heads > 1 and isinstance(program.values.get(line.arguments[1]), tuple):
            yield from with_parameters(form=form, heads=heads)(program, line, ask)

    return edit


class OutputProjection(Project):
    """``output_projection(H, W_O)``: the concatenated heads through W_O, [B, S, h·d_v] to [B, S, d_model].

    Parameters: ``form`` is ``xw``, or ``xwt`` for the mistake H W_Oᵀ. Two other mistakes need ``heads``, the number of heads:
    ``averaged`` (H W_O / h) and ``added`` (the heads added up, through the first head's rows of W_O).
    """

    name = "output_projection"
    section = "7.14"
    title = Text("Mix the heads with the output projection", "用输出投影融合各个 head")
    reason = Text(
        "Concatenation only puts the heads side by side; the output projection lets every component of the output draw on all heads.",
        "拼接只是把各个 head 并排放好；有了输出投影，输出的每一维才能用到所有 head 的结果。",
    )
    mistakes: ClassVar[tuple[Mistake, ...]] = (
        *Project.mistakes,
        Mistake(
            "output_projection.averaged",
            Text("You averaged what the heads contribute; it adds up", "你对各个 head 的贡献取了平均，应当相加"),
            _over_heads("averaged"),
        ),
        Mistake(
            "output_projection.added",
            Text(
                "You added the heads and used the first rows of $W_O$ only; each head has rows of its own",
                "你先把各个 head 加了起来，只用了 $W_O$ 的前几行，而每个 head 都有自己的那几行",
            ),
            _over_heads("added"),
        ),
        Mistake(
            "output_projection.forgotten",
            Text("You gave the concatenated heads; $W_O$ comes after them", "你给的是拼接的结果，后面还要乘 $W_O$"),
            only_if(lambda program, line: isinstance(program.values.get(line.arguments[1]), tuple), dropped()),
        ),
    )

    def torch(self, X: Tensor, W: Tensor, form: str = "xw", heads: int = 1) -> Tensor:
        """Compute H W_O."""
        if form == "added":
            width = X.shape[-1] // heads
            return X.reshape(*X.shape[:-1], heads, width).sum(-2) @ W[:width]  # [.., d_model]
        found = super().torch(X, W, "xwt" if form == "xwt" else "xw")
        return found / heads if form == "averaged" else found

    def by_hand(self, hand: Hand, X: Array, W: Array, form: str = "xw", heads: int = 1, **_: Any) -> Array:
        """Compute H W_O cell by cell."""
        if form == "added":
            width = len(X) // heads
            X, W = [sum(X[start::width][1:], X[start]) for start in range(width)], W[:width]
        found = super().by_hand(hand, X, W, "xwt" if form == "xwt" else "xw")
        return [value / heads for value in found] if form == "averaged" else found


class Weight(Operation):
    """``weight(d_in, d_out)``: a weight matrix of which only the shape is known, [d_in, d_out], used as X W.

    Parameters: ``form`` is ``xw``, or ``linear`` for the mistake of giving ``nn.Linear.weight``'s shape [d_out, d_in].
    """

    name = "weight"
    section = "7.5"
    title = Text("Shape of the weight matrix", "权重矩阵的形状")
    reason = Text(
        "Multiplied on the right, it takes rows of width $d_{\\text{in}}$ to rows of width $d_{\\text{out}}$, so its shape is $[d_{\\text{in}}, d_{\\text{out}}]$.",
        "右乘时，它把宽度为 $d_{\\text{in}}$ 的行变成宽度为 $d_{\\text{out}}$ 的行，所以形状是 $[d_{\\text{in}}, d_{\\text{out}}]$。",
    )
    mistakes = (
        Mistake(
            "weight.transposed",
            Text(
                "You gave the transposed shape, as nn.Linear.weight stores it",
                "你写的是转置后的形状，nn.Linear.weight 才这样存",
            ),
            with_parameters(form="linear"),
        ),
        Mistake(
            "weight.value-width",
            Text("You used $d_v$ in place of $d_k$", "该用 $d_k$ 的地方，你用了 $d_v$"),
            _width("d_k", "d_v"),
        ),
        Mistake(
            "weight.key-width",
            Text("You used $d_k$ in place of $d_v$", "该用 $d_v$ 的地方，你用了 $d_k$"),
            _width("d_v", "d_k"),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        return rf"{symbol(line.node)} \in \mathbb{{R}}^{{{symbol(line.arguments[0])} \times {symbol(line.arguments[1])}}}"

    def torch(self, d_in: Tensor, d_out: Tensor, form: str = "xw") -> Tensor:
        """Make a tensor of that shape, without content."""
        import torch

        sizes = (int(d_in), int(d_out)) if form == "xw" else (int(d_out), int(d_in))
        return torch.empty(sizes, device="meta")  # [d_in, d_out]


OPERATIONS = (Project(), OutputProjection(), Weight())
