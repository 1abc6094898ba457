"""What attention costs in arithmetic: FLOPs.

Conventions: a multiply-add is two FLOPs, and a causal mask doesn't halve them (the whole product is computed); softmax, masks,
norms and activations aren't counted; one sequence.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from question_bank.program import Ask, Call, Program
from question_bank.text import Text
from solvers.operations.base import Edit, Edited, Mistake, only_if, only_with, other_of, symbol, with_parameters
from solvers.operations.counting import Count, Term

_MULTIPLY_ADDS = (
    Text("You counted a multiply-add once; it is two FLOPs", "你把一次乘加算成了一次运算，它是两个 FLOP"),
    Text("You counted a multiply-add twice; multiply-adds are asked for", "你把一次乘加算了两次，这里问的就是乘加次数"),
)


def _units(name: str) -> tuple[Mistake, Mistake]:
    """Return the two mistakes of taking FLOPs for multiply-adds and the reverse."""
    other = other_of("counted", "flops", "multiply-adds")
    return (
        Mistake(f"{name}.factor-2", _MULTIPLY_ADDS[0], only_with("counted", "flops", "flops", other)),
        Mistake(f"{name}.twice", _MULTIPLY_ADDS[1], only_with("counted", "multiply-adds", "flops", other)),
    )


def times_heads() -> Edit:
    """Edit: the count is multiplied by the number of heads, the program's ``h``, although the width has them all."""

    def edit(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
        heads = program.values.get("h")
        if isinstance(heads, int) and heads > 1:
            yield from with_parameters(times=heads)(program, line, ask)

    return edit


_PARTS = {
    "scores": ("scores",),
    "mix": ("mix",),
    "attention": ("scores", "mix"),
    "projections": ("queries", "keys"),
    "all": ("queries", "keys", "scores", "mix"),
}


class AttentionFlops(Count):
    """``attention_flops(S_q, S_k, d)``: FLOPs of one attention layer for one sequence; d is d_model, all heads together.

    Parameters: ``part`` is ``scores`` (QKᵀ, 2·S_q·S_k·d), ``mix`` (AV, the same), ``attention`` (both), ``projections`` (W_Q
    and W_O on S_q tokens, W_K and W_V on S_k: 4·S_q·d² + 4·S_k·d²) or ``all``. ``counted`` is ``flops`` (2 per multiply-add)
    or ``multiply-adds``. ``times`` is 1, or h for the mistake of counting the heads twice; ``output`` is ``counted``, or
    ``forgotten`` for the mistake.
    """

    name = "attention_flops"
    section = "7.4"
    title = Text("Count the work of attention", "计算注意力的运算量")
    reason = Text(
        "A product of $[m, n]$ and $[n, p]$ has $m \\cdot p$ cells of $n$ multiply-adds each. The heads share the width: $h$ of them with $d / h$ each make $d$ once.",
        "$[m, n]$ 乘 $[n, p]$ 得到 $m \\cdot p$ 个数，每个数要 $n$ 次乘加。各个 head 平分宽度：$h$ 个 head、每个 $d / h$，合起来就是一个 $d$。",
    )
    mistakes = (
        *_units("attention_flops"),
        Mistake(
            "attention_flops.heads-twice",
            Text(
                "You multiplied by the number of heads; the width $d$ already includes all of them",
                "你又乘了 head 数，而宽度 $d$ 已经包含了所有 head",
            ),
            times_heads(),
        ),
        Mistake(
            "attention_flops.one-product",
            Text(
                "You counted one of the two products; both $QK^\\top$ and $AV$ are asked for",
                "两次矩阵乘法你只算了一次，$QK^\\top$ 和 $AV$ 都要算",
            ),
            only_with("part", "attention", "scores", with_parameters(part="scores")),
        ),
        Mistake(
            "attention_flops.projections",
            Text(
                "You counted the projections; the products $QK^\\top$ and $AV$ pair the tokens and grow with $S^2$",
                "你算的是投影；$QK^\\top$ 和 $AV$ 要让 token 两两配对，随 $S^2$ 增长",
            ),
            only_if(
                lambda _program, line: line.parameter("part", "scores") in ("scores", "mix", "attention"),
                with_parameters(part="projections"),
            ),
        ),
        Mistake(
            "attention_flops.products",
            Text(
                "You counted $QK^\\top$ and $AV$; the projections work token by token",
                "你算的是 $QK^\\top$ 和 $AV$；投影是逐个 token 计算的",
            ),
            only_with("part", "projections", "scores", with_parameters(part="attention")),
        ),
        Mistake(
            "attention_flops.whole-layer",
            Text(
                "You counted the projections and both products together; only one part is asked for",
                "你把投影和两次乘法全都算进去了，这里只问其中一部分",
            ),
            only_if(
                lambda _program, line: line.parameter("part", "scores") != "all",
                with_parameters(part="all"),
            ),
        ),
        Mistake(
            "attention_flops.no-output",
            Text("You left out the output projection $W_O$", "你漏掉了输出投影 $W_O$"),
            only_if(
                lambda _program, line: line.parameter("part", "scores") in ("projections", "all"),
                with_parameters(output="forgotten"),
            ),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        queries, keys, d = map(symbol, line.arguments)
        per = 2 if line.parameter("counted", "flops") == "flops" else 1
        pairs = f"{queries}^2" if queries == keys else f"{queries} {keys}"
        once = f"{per} {pairs} {d}" if per > 1 else f"{pairs} {d}"
        both = f"{2 * per} {pairs} {d}"
        projections = f"{2 * per} {queries} {d}^2 + {2 * per} {keys} {d}^2" if queries != keys else f"{4 * per} {keys} {d}^2"
        part = str(line.parameter("part", "scores"))
        written = {"attention": both, "projections": projections, "all": f"{projections} + {both}"}.get(part, once)
        return f"{symbol(line.node)} = {written}"

    def terms(
        self,
        S_q: Any,
        S_k: Any,
        d: Any,
        part: str = "scores",
        counted: str = "flops",
        times: int = 1,
        output: str = "counted",
    ) -> list[Term]:
        """Return a product for each matrix multiplication."""
        own = [2] if output == "counted" else [1]
        per = [2] if counted == "flops" else []
        more = [times] if times > 1 else []
        products = {
            "queries": Term("W_Q, W_O", [*own, *per, S_q, d, d], Text("two projections of the queries' tokens: queries and output", "对 query 一侧的 token 做两次投影：query 和输出")),
            "keys": Term("W_K, W_V", [2, *per, S_k, d, d], Text("two projections of the keys' tokens: keys and values", "对 key 一侧的 token 做两次投影：key 和 value")),
            "scores": Term("QKᵀ", [*per, S_q, S_k, d], Text("queries × keys × width", "query 数 × key 数 × 宽度")),
            "mix": Term("AV", [*per, S_q, S_k, d], Text("queries × keys × width", "query 数 × key 数 × 宽度")),
        }  # fmt: skip
        return [Term(term.label, [*term.factors, *more], term.say) for term in (products[one] for one in _PARTS[part])]


class LayerFlops(Count):
    """``layer_flops(S, d_model, d_ff)``: FLOPs of an encoder layer for one sequence: 8·S·d² + 4·S²·d + 4·S·d·d_ff.

    Parameters: ``form`` is ``relu`` (two matrices in the FFN) or ``swiglu`` (three); ``counted`` is ``flops`` (2 per
    multiply-add) or ``multiply-adds``. ``times`` is 1, or h for the mistake of counting the heads in S²·d.
    """

    name = "layer_flops"
    section = "7.4"
    title = Text("Count the work of a layer", "计算一层的运算量")
    reason = Text(
        "Projections and FFN work token by token and grow with $S$; only scores and mixing pair the tokens and grow with $S^2$.",
        "投影和 FFN 逐个 token 计算，随 $S$ 增长；只有打分和加权求和要让 token 两两配对，随 $S^2$ 增长。",
    )
    mistakes = (
        *_units("layer_flops"),
        Mistake(
            "layer_flops.heads-twice",
            Text(
                "You multiplied scores and mixing by the number of heads; the width already includes all of them",
                "打分和加权求和这两项，你又乘了 head 数，而宽度已经包含了所有 head",
            ),
            times_heads(),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        S, d, d_ff = map(symbol, line.arguments)
        per = 2 if line.parameter("counted", "flops") == "flops" else 1
        matrices = 3 if line.parameter("form", "relu") == "swiglu" else 2
        return rf"{symbol(line.node)} = {4 * per} {S} {d}^2 + {2 * per} {S}^2 {d} + {matrices * per} {S} {d} {d_ff}"

    def terms(self, S: Any, d_model: Any, d_ff: Any, form: str = "relu", counted: str = "flops", times: int = 1) -> list[Term]:
        """Return a product for each part of the layer."""
        per = [2] if counted == "flops" else []
        more = [times] if times > 1 else []
        matrices = 3 if form == "swiglu" else 2
        return [
            Term("W_Q, W_K, W_V, W_O", [4, *per, S, d_model, d_model], Text("four projections", "四次投影")),
            Term("QKᵀ, AV", [2, *per, S, S, d_model, *more], Text("scores and mixing", "打分和加权求和")),
            Term("FFN", [matrices, *per, S, d_model, d_ff], Text("the matrices of the FFN", "FFN 的各个矩阵")),
        ]


OPERATIONS = (AttentionFlops(), LayerFlops())
