"""Additive scores (Bahdanau et al. 2015)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from question_bank.program import Call
from question_bank.text import Text
from solvers.hand import Array, Hand, LineKind, Number, subscript
from solvers.operations.base import Mistake, Operation, symbol, with_parameters
from solvers.shapes import require

if TYPE_CHECKING:
    from torch import Tensor


def _vector(name: str, index: str) -> tuple[str, str]:
    """Return how a query or key reads, and its index: of a matrix, which has a capital, one row; a vector as it is."""
    return (f"{{{symbol(name[0].lower() + name[1:])}}}_{index}", index) if name[0].isupper() else (symbol(name), "")


class AdditiveScores(Operation):
    """``additive_scores(Q, K, v)``: S_ij = vᵀ tanh(q_i + k_j), with Q [.., S_q, d] and K [.., S_k, d] projected already.

    One query [d] gives a row [S_k], one key [d] a column as a vector [S_q], one of each a number.

    Parameters: for the mistakes, ``form`` is ``tanh``, or ``linear`` (tanh left out), ``apart`` (tanh of each before they
    are added) or ``outside`` (tanh of the weighted sum); ``joined`` is ``sum``, or ``product`` (q and k multiplied entry by
    entry).
    """

    name = "additive_scores"
    section = "7.8"
    title = Text("Score every query against every key, additively", "每个 query 给每个 key 打分（加性）")
    reason = Text(
        "A small network with one hidden layer compares query and key: their projections are added, squashed by tanh, and weighted by $v$. The two need not have the same width before they are projected.",
        "用一个单隐藏层的小网络比较 query 和 key：两者的投影相加，过 tanh，再用 $v$ 加权求和。投影之前，两者的维度可以不同。",
    )
    aligned = (0,)
    mistakes = (
        Mistake("additive_scores.no-tanh", Text("You left out the tanh", "你漏掉了 tanh"), with_parameters(form="linear")),
        Mistake(
            "additive_scores.product",
            Text(
                "You multiplied query and key entry by entry; they are added",
                "你把 query 和 key 逐分量相乘了，应当相加",
            ),
            with_parameters(joined="product"),
        ),
        Mistake(
            "additive_scores.tanh-apart",
            Text(
                "You took the tanh of query and key separately; they are added first",
                "你对 query 和 key 分别取了 tanh，应当先相加",
            ),
            with_parameters(form="apart"),
        ),
        Mistake(
            "additive_scores.tanh-outside",
            Text(
                "You took the tanh of the weighted sum; it belongs to each entry, before $v$",
                "你对加权和取了 tanh，应当先对每个分量取 tanh，再乘 $v$",
            ),
            with_parameters(form="outside"),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        (q, i), (k, j) = (_vector(name, index) for name, index in zip(line.arguments[:2], "ij", strict=True))
        node = symbol(line.node) + (f"_{{{i}{j}}}" if i or j else "")
        return rf"{node} = {symbol(line.arguments[2])}^\top \tanh({q} + {k})"

    def torch(self, Q: Tensor, K: Tensor, v: Tensor, form: str = "tanh", joined: str = "sum") -> Tensor:
        """Compute every score."""
        fits = v.dim() == 1 and Q.shape[-1:] == K.shape[-1:] == v.shape
        require(fits, "query, key and v to have one width", Q=Q, K=K, v=v)
        if Q.dim() > 1 and K.dim() > 1:
            Q, K = Q.unsqueeze(-2), K.unsqueeze(-3)  # [.., S_q, 1, d], [.., 1, S_k, d]
        if form == "apart":
            return (Q.tanh() + K.tanh()) @ v
        hidden = Q * K if joined == "product" else Q + K  # [.., S_q, S_k, d]
        if form == "outside":
            return (hidden @ v).tanh()
        return (hidden if form == "linear" else hidden.tanh()) @ v  # [.., S_q, S_k]

    def by_hand(self, hand: Hand, Q: Array, K: Array, v: Array, form: str = "tanh", joined: str = "sum") -> Array:
        """Sums, their tanh, and the weighted sum; pair by pair."""
        adding = Text("query plus key", "query 加 key")
        squashing = Text("tanh of the sum", "对和取 tanh")
        weighing = Text("dot product with $v$", "与 $v$ 做点积")

        def score(q: Array, k: Array, row: int, *index: int) -> Number:
            hidden = []
            for m, (a, b) in enumerate(zip(q, k, strict=True)):
                label = f"h{subscript(*index, m)}"
                if form == "apart":
                    a, b = (hand.function(LineKind.TANH, "", row, part, squashing) for part in (a, b))
                entry = (
                    hand.product(label, row, (a, b), adding) if joined == "product" else hand.sum(label, row, (a, b), adding)
                )
                hidden.append(entry if form != "tanh" else hand.function(LineKind.TANH, f"t{label[1:]}", row, entry, squashing))
            total = hand.dot(hand.label(*index), row, v, hidden, weighing)
            return hand.function(LineKind.TANH, "", row, total, squashing) if form == "outside" else total

        if not isinstance(Q[0], list):
            return [score(Q, k, 0, j) for j, k in enumerate(K)] if isinstance(K[0], list) else score(Q, K, 0)
        if not isinstance(K[0], list):
            return [score(q, K, 0, i) for i, q in enumerate(Q)]
        return [[score(q, k, i, i, j) for j, k in enumerate(K)] for i, q in enumerate(Q)]


OPERATIONS = (AdditiveScores(),)
