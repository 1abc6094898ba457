"""Scores of queries against keys, and their scaling."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from question_bank.program import Ask, Asked, Call, Program
from question_bank.text import Text
from solvers.hand import Array, Hand
from solvers.operations.base import Edited, Mistake, Operation, dropped, product, rewired, symbol, with_parameters
from solvers.operations.projecting import rows_by_columns, transposed

if TYPE_CHECKING:
    from torch import Tensor


def _queries_for_keys(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
    """Edit: the queries are matched with themselves; seen only where queries and keys may differ in number."""
    query = line.arguments[0]
    yield Edited(replace(program, asks=(ask,)).with_call(replace(line, arguments=(query, query))))


def _keys_for_queries(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
    """Edit: the keys are matched with themselves; seen in the shape of scores between two sources."""
    made = {other.operation for other in program.needed(ask.node)}
    if ask.asked is Asked.SHAPE and "E" in program.values and "mix" not in made:
        key = line.arguments[1]
        yield Edited(replace(program, asks=(ask,)).with_call(replace(line, arguments=(key, key))))


def _sources_swapped(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
    """Edit: decoder states ``X`` and encoder output ``E`` change places, in every projection."""
    values = program.values
    if "X" in values and "E" in values:
        yield Edited(replace(program, asks=(ask,)).with_inputs(X=values["E"], E=values["X"]))


class Scores(Operation):
    """``scores(Q, K)``: Q Kᵀ, [.., S_q, d_k] by [.., S_k, d_k] gives [.., S_q, S_k].

    Parameters: ``form`` is ``qkt``; the mistakes are ``kqt`` (transposed), ``qk`` (no transpose) and ``qtk`` (QᵀK).
    """

    name = "scores"
    section = "7.7"
    title = Text("Score every query against every key", "每个 query 给每个 key 打分")
    reason = Text(
        "The dot product measures the match: the more nearly query and key point the same way, the larger it is; their lengths count too. Row $i$ holds the scores of query $i$ against all keys.",
        "点积衡量匹配程度：query 与 key 方向越一致，点积越大；两者的长度也有影响。第 $i$ 行是第 $i$ 个 query 对所有 key 的分数。",
    )
    aligned = (0,)
    mistakes = (
        Mistake(
            "scores.sources-swapped",
            Text(
                "You took the queries from the encoder, and the keys and values from the decoder",
                "你把来源弄反了：query 取自编码器，key 和 value 取自解码器",
            ),
            _sources_swapped,
        ),
        Mistake(
            "scores.transposed",
            Text(
                "You swapped queries and keys: that is $KQ^\\top$, with $S_{ji}$ in place of $S_{ij}$",
                "你把 query 和 key 弄反了：算成了 $KQ^\\top$，$S_{ij}$ 的位置上是 $S_{ji}$",
            ),
            with_parameters(form="kqt"),
        ),
        Mistake(
            "scores.no-transpose",
            Text("You computed $QK$, without transposing $K$", "你算的是 $QK$，没有转置 $K$"),
            with_parameters(form="qk"),
        ),
        Mistake(
            "scores.columns",
            Text("You multiplied columns by columns: that is $Q^\\top K$", "你用列乘了列，算成了 $Q^\\top K$"),
            with_parameters(form="qtk"),
        ),
        Mistake(
            "scores.square",
            Text(
                "You scored the queries against themselves, not against the keys",
                "你让 query 给 query 打了分，应当给 key 打分",
            ),
            _queries_for_keys,
        ),
        Mistake(
            "scores.square-of-keys",
            Text(
                "You scored the keys against themselves; the rows belong to the queries",
                "你让 key 给 key 打了分，而每一行应当对应一个 query",
            ),
            _keys_for_queries,
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        return rf"{symbol(line.node)} = {product(line.arguments[0], line.arguments[1])}^\top"

    def torch(self, Q: Tensor, K: Tensor, form: str = "qkt") -> Tensor:
        """Compute Q Kᵀ."""
        if form == "kqt":
            Q, K = K, Q
        if form == "qtk":
            return Q.transpose(-2, -1) @ K  # [.., d_k, d_k]
        return Q @ (K if form == "qk" else K.transpose(-2, -1))  # [.., S_q, S_k]

    def by_hand(self, hand: Hand, Q: Array, K: Array, form: str = "qkt", **_: Any) -> Array:
        """Compute one dot product a cell."""
        say = Text("dot product of query and key: multiply pairwise, then add", "query 与 key 的点积：先逐项相乘，再求和")
        if form == "kqt":
            Q, K = K, Q
        if form == "qtk":
            Q, K = transposed(Q), transposed(K)
        return rows_by_columns(hand, Q, transposed(K) if form == "qk" else K, say)


class Scale(Operation):
    """``scale(S, d_k)``: S / √d_k.

    Parameters: ``by`` is ``root``; the mistakes are ``whole`` (S / d_k) and ``times`` (S · √d_k).
    """

    name = "scale"
    section = "7.9"
    title = Text("Scale", "缩放")
    reason = Text(
        "If the components of query and key are independent with mean 0 and variance 1, their dot product has standard deviation $\\sqrt{d_k}$. Dividing by it brings the variance back to 1 and keeps the softmax from saturating.",
        "query、key 的各分量独立、均值 0、方差 1 时，点积的标准差是 $\\sqrt{d_k}$；除以它，方差回到 1，softmax 不至于饱和。",
    )
    aligned = (0,)
    mistakes = (
        Mistake(
            "scale.by-d_k",
            Text("You divided by $d_k$, not by $\\sqrt{d_k}$", "你除以了 $d_k$，应当除以 $\\sqrt{d_k}$"),
            with_parameters(by="whole"),
        ),
        Mistake(
            "scale.times-root",
            Text("You multiplied by $\\sqrt{d_k}$ instead of dividing", "你乘了 $\\sqrt{d_k}$，应当除以它"),
            with_parameters(by="times"),
        ),
        Mistake(
            "scale.root-d_model",
            Text(
                "You divided by $\\sqrt{d_{\\text{model}}}$, not by $\\sqrt{d_k}$",
                "你除以了 $\\sqrt{d_{\\text{model}}}$，应当除以 $\\sqrt{d_k}$",
            ),
            rewired(1, "d_model"),
        ),
        Mistake("scale.not-scaled", Text("You didn't divide by $\\sqrt{d_k}$", "你没有除以 $\\sqrt{d_k}$"), dropped()),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        value, width = symbol(line.arguments[0]), symbol(line.arguments[1])
        by = line.parameter("by", "root")
        factor = width if by == "whole" else rf"\sqrt{{{width}}}"
        return f"{symbol(line.node)} = " + (f"{value} {factor}" if by == "times" else rf"\frac{{{value}}}{{{factor}}}")

    def torch(self, S: Tensor, d_k: Tensor, by: str = "root") -> Tensor:
        """Compute S / √d_k."""
        if by == "whole":
            return S / d_k
        return S * d_k.sqrt() if by == "times" else S / d_k.sqrt()

    def by_hand(self, hand: Hand, S: Array, d_k: Any, by: str = "root", **_: Any) -> Array:
        """Divide cell by cell."""
        say = {
            "root": Text("score divided by the square root", "分数除以这个平方根"),
            "whole": Text("score divided by the key width itself", "分数除以 key 的宽度本身"),
            "times": Text("score times the square root", "分数乘以这个平方根"),
        }[by]
        root = d_k if by == "whole" else hand.root("√d_k", None, d_k, Text("square root of the key width", "key 宽度的平方根"))

        def cell(value: Any, *index: int) -> Any:
            row = index[0] if len(index) > 1 else 0
            if by == "times":
                return hand.product(hand.label(*index), row, (value, root), say)
            return hand.quotient(hand.label(*index), row, value, root, say)

        return each_cell(S, cell)


class ScaleBy(Operation):
    """``scale_by(S, f)``: S · f, for a factor of one's own in place of 1/√d_k.

    Parameters: ``by`` is ``times``, or ``divided`` for the mistake.
    """

    name = "scale_by"
    section = "7.9"
    title = Text("Scale by the given factor", "乘以给定的缩放因子")
    reason = Text(
        "The factor stands in for $1/\\sqrt{d_k}$; it sets how sharply the softmax tells scores apart.",
        "这个因子代替 $1/\\sqrt{d_k}$，决定 softmax 之后权重的差距有多大。",
    )
    aligned = (0,)
    mistakes = (
        Mistake(
            "scale_by.divided",
            Text("You divided by the factor instead of multiplying", "你除以了缩放因子，应当乘以它"),
            with_parameters(by="divided"),
        ),
        Mistake("scale_by.not-scaled", Text("You didn't multiply by the factor", "你没有乘缩放因子"), dropped()),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        return rf"{symbol(line.node)} = {symbol(line.arguments[0])} \cdot {symbol(line.arguments[1])}"

    def torch(self, S: Tensor, factor: Tensor, by: str = "times") -> Tensor:
        """Compute S · f."""
        return S * factor if by == "times" else S / factor

    def by_hand(self, hand: Hand, S: Array, factor: Any, by: str = "times", **_: Any) -> Array:
        """Multiply cell by cell."""
        say = Text("score times the factor", "分数乘以缩放因子")

        def cell(value: Any, *index: int) -> Any:
            row = index[0] if len(index) > 1 else 0
            if by == "times":
                return hand.product(hand.label(*index), row, (value, factor), say)
            return hand.quotient(hand.label(*index), row, value, factor, say)

        return each_cell(S, cell)


def each_cell(value: Array, compute: Any, *index: int) -> Array:
    """Compute every cell of a number, a vector or a matrix anew, given its value and index."""
    if isinstance(value, list):
        return [each_cell(part, compute, *index, position) for position, part in enumerate(value)]
    return compute(value, *index)


OPERATIONS = (Scores(), Scale(), ScaleBy())
