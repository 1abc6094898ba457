"""Positions as distances: a penalty on far-off keys (ALiBi, Press et al. 2022)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from question_bank.program import Call, Program
from question_bank.text import Text
from solvers.hand import Array, Hand, Number, number_like
from solvers.operations.base import Mistake, Operation, dropped, only_if, symbol, with_parameters
from solvers.operations.scoring import each_cell
from solvers.shapes import require

if TYPE_CHECKING:
    from torch import Tensor


class AlibiSlope(Operation):
    """``alibi_slope(i, h)``: 2^(−8i/h), the slope of head i of h; heads are numbered from 1. Several heads [n] give [n].

    This is the paper's sequence for a power of two of heads.

    Parameters: ``first`` is 1, or 0 for the mistake of numbering the heads from 0.
    """

    name = "alibi_slope"
    section = "7.3"
    title = Text("Slope of the head", "这个 head 的斜率")
    reason = Text(
        "The slopes fall geometrically, so that some heads look nearby only and others far back. They are fixed, not learned.",
        "各 head 的斜率按等比数列递减，有的只看近处，有的看得很远。斜率是固定的，不参与训练。",
    )
    mistakes = (
        Mistake(
            "alibi_slope.from-zero",
            Text(
                "You took another head's slope: heads are numbered from 1 here, so the first has $2^{-8/h}$",
                "你用的是另一个 head 的斜率：这里的 head 从 1 开始编号，第一个的斜率是 $2^{-8/h}$",
            ),
            with_parameters(first=0),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        index, heads = map(symbol, line.arguments)
        return rf"{symbol(line.node)} = 2^{{-8 {index} / {heads}}}"

    def torch(self, index: Tensor, heads: Tensor, first: int = 1) -> Tensor:
        """Compute the slope."""
        return 2.0 ** (-8 * (index - 1 + first) / heads)

    def by_hand(self, hand: Hand, index: Array, heads: Number, first: int = 1) -> Array:
        """The exponent, then the power of 2."""

        def cell(number: Number, *at: int) -> Number:
            row = at[0] if at else None
            exponent = hand.quotient(
                "8i/h",
                row,
                8 * (number - 1 + first),
                heads,
                Text("8 times the head's number, over the number of heads", "head 编号乘 8，再除以 head 数"),
            )
            return hand.power(
                hand.label(*at), row, number_like(heads, 2), -exponent, Text("2 to minus that", "以 2 为底，指数是它的相反数")
            )

        return each_cell(index, cell)


def _sees_later(program: Program, line: Call) -> bool:
    """Tell whether keys after the query have a penalty."""
    if line.parameter("later", "unchanged") != "distance":
        return False
    scores, position = (program.values.get(name) for name in (line.arguments[0], line.arguments[-1]))
    return len(line.arguments) < 3 or not isinstance(scores, tuple) or position != len(scores)


class Alibi(Operation):
    """``alibi(Z, slope)``: Z_ij − slope · (i − j) for every key j up to query i, in scaled scores [.., S_q, S_k].

    In one row of scores [S_k] the query is the last position, or the one given as ``alibi(Z, slope, position)``, counted
    from 1.

    Parameters: ``align`` is ``top-left`` (the default: query i stands where key i does) or ``bottom-right`` (with a KV
    cache: the last query stands where the last key does); ``later`` says what becomes of keys after the query:
    ``unchanged`` (the default: a causal mask hides them anyway) or ``distance`` (slope · (j − i) is subtracted, as in an
    encoder). For the mistake, ``sign`` is ``minus`` or ``plus``; ``nearest`` is
    0, or 1 where the distance is counted from 1.
    """

    name = "alibi"
    section = "7.3"
    title = Text("Subtract the distance penalty", "减去距离惩罚")
    reason = Text(
        "The further away a key lies, the lower its score; so order counts without any positional encoding added to the embeddings.",
        "key 离得越远，分数扣得越多；这样不往 embedding 里加位置编码，也能区分先后。",
    )
    aligned = (0,)
    mistakes = (
        Mistake(
            "alibi.sign",
            Text(
                "You added the distance penalty; it is subtracted, so that far-off keys count less",
                "你把距离惩罚加上去了；应当减去，远处的 key 才会少占权重",
            ),
            with_parameters(sign="plus"),
        ),
        Mistake(
            "alibi.from-one",
            Text(
                "You counted the distance from 1; the query's own key is at distance 0",
                "你把距离从 1 数起了，而 query 自己位置上的 key 距离为 0",
            ),
            with_parameters(nearest=1),
        ),
        Mistake(
            "alibi.later-kept",
            Text(
                "You left the scores of keys after the query as they were; in an encoder distance counts on both sides",
                "你没有改动 query 之后的 key 的分数，而在编码器里，两侧的距离都要算",
            ),
            only_if(_sees_later, with_parameters(later="unchanged")),
        ),
        Mistake("alibi.forgotten", Text("You left out the distance penalty", "你漏掉了距离惩罚"), dropped()),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        given, slope = symbol(line.arguments[0]), symbol(line.arguments[1])
        # The query is t: i is the head's number in the slope.
        t, cell = (symbol(line.arguments[2]), "j") if len(line.arguments) > 2 else ("t", "tj")
        bias = rf"{symbol(line.node)}_{{{cell}}} = {given}_{{{cell}}} - {slope} \cdot "
        return bias + (rf"|{t} - j|" if line.parameter("later", "unchanged") == "distance" else rf"({t} - j) \quad (j \le {t})")

    def torch(
        self,
        Z: Tensor,
        slope: Tensor,
        position: Tensor | None = None,
        align: str = "top-left",
        later: str = "unchanged",
        sign: str = "minus",
        nearest: int = 0,
    ) -> Tensor:
        """Subtract slope times distance."""
        import torch

        require(Z.dim() > 0 and slope.dim() == 0, "scores, and one slope", Z=Z, slope=slope)
        require(position is None or Z.dim() == 1, "one row of scores where a position is given", Z=Z)
        keys = torch.arange(Z.shape[-1], device=Z.device)  # j, [S_k]
        if Z.dim() == 1:
            queries = torch.tensor(Z.shape[-1] if position is None else int(position), device=Z.device) - 1
        else:
            offset = Z.shape[-1] - Z.shape[-2] if align == "bottom-right" else 0
            queries = (torch.arange(Z.shape[-2], device=Z.device) + offset).unsqueeze(-1)  # i, [S_q, 1]
        distance = queries - keys  # [S_q, S_k]
        distance = distance.abs() + nearest if later == "distance" else (distance + nearest).where(distance >= 0, 0)
        return Z + slope * distance if sign == "plus" else Z - slope * distance  # [.., S_q, S_k]

    def by_hand(
        self,
        hand: Hand,
        Z: Array,
        slope: Number,
        position: Number = None,
        align: str = "top-left",
        later: str = "unchanged",
        sign: str = "minus",
        nearest: int = 0,
    ) -> Array:
        """One penalty for each distance, then one difference a cell."""
        matrix = isinstance(Z[0], list)
        keys = len(Z[0]) if matrix else len(Z)
        if matrix:
            offset = keys - len(Z) if align == "bottom-right" else 0
            queries = [i + offset for i in range(len(Z))]
        else:
            queries = [(keys if position is None else int(position)) - 1]
        multiplying = Text("slope times distance", "斜率乘距离")
        distances = {abs(i - j) + nearest for i in queries for j in range(keys) if j <= i or later == "distance"}
        penalties = {
            distance: hand.product(f"m·{distance}", None, (slope, number_like(slope, distance)), multiplying)
            for distance in sorted(distances)
        }
        taking = Text("score minus the penalty for its distance", "分数减去对应距离的惩罚")
        keeping = Text("a later key: unchanged", "靠后的 key，不变")

        def cell(value: Number, *index: int) -> Any:
            row = index[0] if matrix else 0
            distance = queries[row] - index[-1]
            if distance < 0 and later == "unchanged":
                return hand.taken(hand.label(*index), row, value, keeping)
            penalty = penalties[abs(distance) + nearest]
            if sign == "plus":
                return hand.sum(hand.label(*index), row, (value, penalty), taking)
            return hand.difference(hand.label(*index), row, value, penalty, taking)

        return each_cell(Z, cell)


OPERATIONS = (AlibiSlope(), Alibi())
