"""How many multiplications scoring takes: dot products against additive scores."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from question_bank.program import Call, Program
from question_bank.text import Text
from solvers.hand import Array, Hand
from solvers.operations.base import Mistake, only_if, only_with, rewired, symbol, with_parameters
from solvers.operations.counting import Count, Term, left_out


def _in_heads(count: int) -> Callable[[Program, Call], bool]:
    """Tell whether a call has the number of heads, behind so many other arguments."""
    return lambda _program, line: len(line.arguments) > count


_ONE_HEAD = Text("You counted one head; every head scores all pairs", "你只算了一个 head，而每个 head 都要给所有配对打分")
_WHOLE_WIDTH = Text(
    "You gave every head the whole width $d_{\\text{model}}$; each has $d_{\\text{model}} / h$",
    "你让每个 head 都占了整个宽度 $d_{\\text{model}}$，每个只有 $d_{\\text{model}} / h$",
)


class DotMultiplications(Count):
    """``dot_multiplications(S_q, S_k, d)``: S_q · S_k · d multiplications for the dot products of queries and keys of width d.

    With the number of heads behind, ``(S_q, S_k, d, h)``, so many times as much; d is then the width of one head.

    Parameters: ``heads`` is ``all``, or ``one`` for the mistake. ``form`` is ``whole``; the mistakes are ``pairs`` (the width left out), ``operations`` (additions counted too,
    as if multiply-adds were 2) and ``one-query`` (S_k · d).
    """

    name = "dot_multiplications"
    section = "7.8"
    title = Text("Count the multiplications of dot-product scores", "计算点积打分的乘法次数")
    reason = Text(
        "Each of the $S_q \\cdot S_k$ pairs is one dot product, of $d$ multiplications. Nothing has to be learned or projected for the score itself.",
        "query 和 key 共有 $S_q \\cdot S_k$ 对，每对做一次点积，要 $d$ 次乘法。打分本身没有参数，也不用投影。",
    )
    mistakes = (
        Mistake(
            "dot_multiplications.pairs",
            Text("You counted the pairs; each takes $d$ multiplications", "你只数了有多少对，每一对还要 $d$ 次乘法"),
            with_parameters(form="pairs"),
        ),
        Mistake(
            "dot_multiplications.operations",
            Text("You counted the additions too; only multiplications are asked for", "你把加法也算进去了，这里只问乘法次数"),
            with_parameters(form="operations"),
        ),
        Mistake(
            "dot_multiplications.one-query",
            Text("You counted one query's scores; every query has its own", "你只算了一个 query 的分数，每个 query 都要打分"),
            with_parameters(form="one-query"),
        ),
        Mistake("dot_multiplications.one-head", _ONE_HEAD, only_if(_in_heads(3), left_out(-1, heads="one"))),
        Mistake("dot_multiplications.whole-width", _WHOLE_WIDTH, only_if(_in_heads(3), rewired(2, "d_model"))),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        *sizes, last = map(symbol, line.arguments)
        return rf"{symbol(line.node)} = " + r" \cdot ".join([last, *sizes] if len(sizes) > 2 else [*sizes, last])

    def terms(self, S_q: Any, S_k: Any, d: Any, h: Any = None, form: str = "whole", heads: str = "all") -> list[Term]:
        """Return the one product."""
        say = Text("queries × keys × width", "query 数 × key 数 × 宽度")
        times = [] if h is None or heads == "one" else [h]
        if times:
            say = Text("heads × queries × keys × width of a head", "head 数 × query 数 × key 数 × head 宽度")
        factors = {"pairs": [S_q, S_k], "operations": [2, S_q, S_k, d], "one-query": [S_k, d]}
        return [Term("", [*times, *factors.get(form, [S_q, S_k, d])], say)]


class AdditiveMultiplications(Count):
    """``additive_multiplications(S_q, S_k, d, a)``: multiplications of v · tanh(q W_q + k W_k) for all pairs.

    Queries and keys have width d, the hidden layer width a. Each token is projected once: S_q · d · a + S_k · d · a, and
    each pair takes a more for the product with v. With the number of heads behind, ``(S_q, S_k, d, a, h)``, so many times as
    much; d and a are then the widths of one head, which has matrices of its own.

    Parameters: ``heads`` is ``all``, or ``one`` for the mistake. ``form`` is ``once``; the mistakes are ``per-pair`` (both projections anew for every pair), ``no-projections``,
    ``no-v``, ``one-projection`` (the keys' left out), and ``operations`` (everything twice).
    """

    name = "additive_multiplications"
    section = "7.8"
    title = Text("Count the multiplications of additive scores", "计算加性打分的乘法次数")
    reason = Text(
        "Every token is projected once, whatever it is paired with; each pair then costs an addition, a tanh and the $a$ multiplications with $v$.",
        "每个 token 只投影一次，和谁配对都能用；之后每一对只要相加、取 tanh，再与 $v$ 做 $a$ 次乘法。",
    )
    mistakes = (
        Mistake(
            "additive_multiplications.per-pair",
            Text(
                "You projected anew for every pair; each token is projected once",
                "你让每一对都重新投影，而每个 token 只需投影一次",
            ),
            with_parameters(form="per-pair"),
        ),
        Mistake(
            "additive_multiplications.no-projections",
            Text("You left out the projections $W_q$ and $W_k$", "你漏掉了 $W_q$、$W_k$ 两次投影"),
            with_parameters(form="no-projections"),
        ),
        Mistake(
            "additive_multiplications.no-v",
            Text("You left out the product with $v$, once per pair", "你漏掉了与 $v$ 的点积，每一对都要做一次"),
            with_parameters(form="no-v"),
        ),
        Mistake(
            "additive_multiplications.one-projection",
            Text("You projected the queries only; the keys are projected too", "你只投影了 query，key 也要投影"),
            only_with("form", "once", "once", with_parameters(form="one-projection")),
        ),
        Mistake(
            "additive_multiplications.operations",
            Text("You counted the additions too; only multiplications are asked for", "你把加法也算进去了，这里只问乘法次数"),
            with_parameters(form="operations"),
        ),
        Mistake("additive_multiplications.one-head", _ONE_HEAD, only_if(_in_heads(4), left_out(-1, heads="one"))),
        Mistake("additive_multiplications.whole-width", _WHOLE_WIDTH, only_if(_in_heads(4), rewired(2, "d_model"))),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        S_q, S_k, d, a, *heads = map(symbol, line.arguments)
        head = rf"{S_q} \cdot {d} \cdot {a} + {S_k} \cdot {d} \cdot {a} + {S_q} \cdot {S_k} \cdot {a}"
        return f"{symbol(line.node)} = " + (rf"{heads[0]} \cdot ({head})" if heads else head)

    def terms(self, S_q: Any, S_k: Any, d: Any, a: Any, h: Any = None, form: str = "once", heads: str = "all") -> list[Term]:
        """Return a product for each projection and one for v."""
        times = [2] if form == "operations" else []
        times += [] if h is None or heads == "one" else [h]
        pairs = [S_q, S_k]
        by_query, by_key = (pairs, pairs) if form == "per-pair" else ([S_q], [S_k])
        queries = Term("q W_q", [*times, *by_query, d, a], Text("each query projected once", "每个 query 投影一次"))
        keys = Term("k W_k", [*times, *by_key, d, a], Text("each key projected once", "每个 key 投影一次"))
        weighing = Term("v", [*times, *pairs, a], Text("product with $v$, once per pair", "与 $v$ 的点积，每对一次"))
        kept = {"no-projections": [weighing], "no-v": [queries, keys], "one-projection": [queries, weighing]}
        return kept.get(form, [queries, keys, weighing])

    def by_hand(self, hand: Hand, *numbers: Array, **parameters: Any) -> Array:
        """Write out one head, then all of them."""
        if len(numbers) < 5 or parameters.get("heads") == "one":
            return super().by_hand(hand, *numbers[:4], **parameters)
        head = self.added(hand, "Σ", self.terms(*numbers[:4], **parameters))
        return hand.product(hand.label(), None, (numbers[4], head), Text("heads × one head's", "head 数 × 每个 head 的次数"))


OPERATIONS = (DotMultiplications(), AdditiveMultiplications())
