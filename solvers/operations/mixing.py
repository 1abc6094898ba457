"""Mixing the values with the weights, and adding the residual."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from question_bank.program import Ask, Call, Program, Shape
from question_bank.text import Text
from solvers.hand import Array, Hand
from solvers.operations.base import Edited, Mistake, Operation, dropped, product, rewire, rewired, symbol, with_parameters
from solvers.operations.projecting import rows_by_columns, transposed
from solvers.shapes import ShapeError

if TYPE_CHECKING:
    from torch import Tensor


def _keys_for_values(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
    """Edit: the keys are mixed where the values should be, ``K_h`` for ``V_h``."""
    yield from rewired(1, line.arguments[1].replace("V", "K"))(program, line, ask)


def _not_mixed(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
    """Edit: the weights are given; looked at only where all that is known of the values is their shape."""
    if isinstance(program.values.get(line.arguments[1]), Shape):
        yield from dropped()(program, line, ask)


def _values_alone(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
    """Edit: the values' own shape is given; looked at only where it is all that is known of them."""
    if isinstance(program.values.get(line.arguments[1]), Shape):
        yield Edited(replace(program, asks=(ask,)).with_call(Call(line.node, "same", line.arguments[1:])))


TIE = 1e-12
"""Weights nearer than this are equal, whatever the order of the sums has left in their last bits; the first one counts."""


def _first_largest(row: Array) -> int:
    limit = max(row) - TIE
    return next((place for place, weight in enumerate(row) if weight >= limit), 0)


class Mix(Operation):
    """``mix(A, V)``: A V, weights [.., S_q, S_k] or one row [S_k] by values [.., S_k, d_v] gives [.., S_q, d_v].

    Parameters: ``form`` is ``av``; the mistakes are ``atv`` (columns of the weights) and ``argmax`` (the one value with the
    largest weight).
    """

    name = "mix"
    section = "7.11"
    title = Text("Mix the values by weight", "按权重对 value 加权求和")
    reason = Text(
        "Each output row is an average of the value rows, weighted by one query's attention weights. The weights are never negative and add up to 1, so the output lies between the values.",
        "每一行输出都是用一个 query 的注意力权重对各行 value 求的加权平均。权重非负且和为 1，结果落在各个 value 之间。",
    )
    aligned = (0,)
    mistakes = (
        Mistake(
            "mix.column-of-weights",
            Text("You took a column of the weights, not a row", "你用了权重的一列，应当用一行"),
            with_parameters(form="atv"),
        ),
        Mistake(
            "mix.arg-max",
            Text(
                "You took only the value with the largest weight, not the weighted sum",
                "你只取了权重最大的那个 value，应当加权求和",
            ),
            with_parameters(form="argmax"),
        ),
        Mistake(
            "mix.keys-for-values",
            Text("You mixed the keys $K$ instead of the values $V$", "你加权求和的是 key（$K$），应当是 value（$V$）"),
            _keys_for_values,
        ),
        Mistake(
            "mix.weights-alone",
            Text(
                "You gave the shape of the weights; multiplied by $V$, they take on its width",
                "你给的是权重的形状；乘上 $V$ 之后，最后一维是 $V$ 的宽度",
            ),
            _not_mixed,
        ),
        Mistake(
            "mix.values-alone",
            Text(
                "You gave the shape of $V$; the output has one row for each query",
                "你给的是 $V$ 的形状；输出是一个 query 一行",
            ),
            _values_alone,
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        return f"{symbol(line.node)} = {product(line.arguments[0], line.arguments[1])}"

    def torch(self, A: Tensor, V: Tensor, form: str = "av") -> Tensor:
        """Compute A V."""
        if form == "argmax":
            largest = A.amax(-1, keepdim=True) - TIE <= A
            return V[largest.byte().argmax(-1)]
        if form == "atv":
            if A.dim() < 2:
                raise ShapeError(f"a single row of weights {tuple(A.shape)} has no columns to take for values {tuple(V.shape)}")
            A = A.transpose(-2, -1)
        return A @ V  # [.., S_q, d_v]

    def by_hand(self, hand: Hand, A: Array, V: Array, form: str = "av", **_: Any) -> Array:
        """Compute one weighted sum a cell."""
        say = Text("row of weights times column of the values", "权重的一行与 value 的一列做点积")
        if form == "argmax":
            rows = A if isinstance(A[0], list) else [A]
            taken = [list(V[_first_largest(row)]) for row in rows]
            return taken if isinstance(A[0], list) else taken[0]
        return rows_by_columns(hand, transposed(A) if form == "atv" else A, transposed(V), say)


def _branch_alone(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
    """Edit: the sub-layer's output passes on without its input; no mistake where it is an input that is shown itself."""
    if line.arguments[1] not in program.values:
        passed = Call(line.node, "same", line.arguments[1:])
        yield Edited(replace(program, asks=(ask,)).with_call(passed), (("meant", symbol(line.arguments[1])),))


def _first_input(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
    """Edit: a second residual adds the input of the first sub-layer once more, not the sum that its own begins with."""
    before = program.lines.get(line.arguments[0])
    if before is not None and before.operation == line.operation:
        again = rewire(line, 0, before.arguments[0])
        yield Edited(replace(program, asks=(ask,)).with_call(again), (("meant", symbol(line.arguments[0])),))


class ResidualAdd(Operation):
    """``residual_add(x, F)``: x + F(x), both [.., d].

    Parameters: ``form`` is ``sum``, or ``concatenated`` for the mistake.
    """

    name = "residual_add"
    section = "7.19"
    title = Text("Add the residual", "加上残差")
    reason = Text(
        "The sub-layer learns a correction to its input; the sum keeps a path on which signal and gradient pass unchanged.",
        "子层学的是对输入的修正；相加则留下一条直通路径，信号和梯度都能原样通过。",
    )
    aligned = (0, 1)
    mistakes = (
        Mistake(
            "residual_add.concatenated",
            Text("You concatenated the two instead of adding them", "你把两者拼接起来了，应当相加"),
            with_parameters(form="concatenated"),
        ),
        Mistake(
            "residual_add.branch-alone",
            Text("You left out the residual: the input is added to ${meant}$", "你漏掉了残差：${meant}$ 还要加上输入"),
            _branch_alone,
        ),
        Mistake(
            "residual_add.first-input",
            Text(
                "You added the input of the first sub-layer once more; the second residual adds ${meant}$",
                "你又加了一次第一个子层的输入，而第二个残差加的是 ${meant}$",
            ),
            _first_input,
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        return f"{symbol(line.node)} = {symbol(line.arguments[0])} + {symbol(line.arguments[1])}"

    def torch(self, x: Tensor, F: Tensor, form: str = "sum") -> Tensor:
        """Compute x + F."""
        import torch

        if form == "concatenated":
            return torch.cat((x, F), -1)  # [.., 2 d]
        if x.shape != F.shape:
            raise ShapeError(f"a residual adds equal shapes: x is {tuple(x.shape)}, F is {tuple(F.shape)}")
        return x + F

    def by_hand(self, hand: Hand, x: Array, F: Array, form: str = "sum", **_: Any) -> Array:
        """Add cell by cell."""
        if isinstance(x[0], list):
            return [self._row(hand, i, a, b, form) for i, (a, b) in enumerate(zip(x, F, strict=True))]
        return self._row(hand, None, x, F, form)

    def _row(self, hand: Hand, row: int | None, x: Array, F: Array, form: str) -> Array:
        if form == "concatenated":
            return [*x, *F]
        say = Text("input plus sub-layer output", "输入加子层输出")
        return [
            hand.sum(hand.label(*((j,) if row is None else (row, j))), row or 0, (a, b), say)
            for j, (a, b) in enumerate(zip(x, F, strict=True))
        ]


OPERATIONS = (Mix(), ResidualAdd())
