"""How costs grow with the length of the sequence, and where the quadratic part overtakes the rest.

Conventions: those of ``costs``; one sequence, every token attending to every token.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from question_bank.program import Ask, Call, Program
from question_bank.text import Text
from solvers.hand import Array, Hand, Number, number_like
from solvers.operations.base import Edit, Edited, Mistake, Operation, only_if, only_with, symbol, with_parameters

if TYPE_CHECKING:
    from torch import Tensor

PAIRED = ("scores", "score-flops", "score-bytes")
"""What there is for every pair of tokens; all else that ``length_factor`` knows there is for every token."""


def _is_paired(_program: Program, line: Call) -> bool:
    return line.parameter("of", "scores") in PAIRED


def _is_telling(program: Program, line: Call) -> bool:
    """Tell whether 2^r is a mistake: twice and four times the length give r² by it, and broken exponents nobody takes."""
    old, new = (program.values.get(name) for name in line.arguments)
    whole = isinstance(old, int) and isinstance(new, int) and old > 0 and new % old == 0
    return _is_paired(program, line) and whole and new // old not in (1, 2, 4)  # type: ignore[operator]


class LengthFactor(Operation):
    """``length_factor(S, T)``: by what factor something grows when the length goes from S to T: r² or r, r = T / S.

    Parameters: ``of`` says what: ``scores`` (their number), ``score-flops`` (of QKᵀ or AV) and ``score-bytes`` are there for
    each pair of tokens: r²; ``cache`` (bytes of the KV cache), ``statistics`` (numbers kept for each row of scores),
    ``projections`` and ``ffn`` (FLOPs) for each token: r.
    For the mistakes, ``form`` is ``right``, ``linear`` (r), ``quadratic`` (r²), ``exponential`` (2^r) or ``inverse``.
    """

    name = "length_factor"
    section = "7.4"
    title = Text("Scale with the length", "随长度放大")
    reason = Text(
        "What there is for each token grows in proportion to the length; what there is for each pair of tokens grows as its square.",
        "每个 token 各有一份的，随长度成正比增长；每一对 token 各有一份的，随长度的平方增长。",
    )
    mistakes = (
        Mistake(
            "length_factor.linear",
            Text(
                "You let it grow in proportion to the length; there is one for each pair of tokens, so it grows as the square",
                "你按长度成正比增长算了；这个量是每一对 token 各有一份，应按平方增长",
            ),
            only_if(_is_paired, with_parameters(form="linear")),
        ),
        Mistake(
            "length_factor.quadratic",
            Text(
                "You let it grow as the square of the length; there is one for each token, so it grows in proportion",
                "你按长度的平方增长算了；这个量是每个 token 各有一份，只成正比增长",
            ),
            only_if(lambda program, line: not _is_paired(program, line), with_parameters(form="quadratic")),
        ),
        Mistake(
            "length_factor.exponential",
            Text(
                "You let it grow exponentially; it grows as the square of the length",
                "你按指数增长算了，应当按长度的平方增长",
            ),
            only_if(_is_telling, with_parameters(form="exponential")),
        ),
        Mistake(
            "length_factor.inverse",
            Text("You gave the old over the new", "你把新旧弄反了：写成了旧的除以新的"),
            with_parameters(form="inverse"),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        old, new = map(symbol, line.arguments)
        power = "^2" if line.parameter("of", "scores") in PAIRED else ""
        ratio = rf"\frac{{{new}}}{{{old}}}"
        return rf"{symbol(line.node)} = \left({ratio}\right){power}" if power else rf"{symbol(line.node)} = {ratio}"

    def torch(self, S: Tensor, T: Tensor, of: str = "scores", form: str = "right") -> Tensor:
        """Divide, and square where it is of pairs."""
        ratio = S / T if form == "inverse" else T / S
        if form == "exponential":
            return 2.0**ratio
        squared = form == "quadratic" or (form in ("right", "inverse") and of in PAIRED)
        return ratio * ratio if squared else ratio

    def by_hand(self, hand: Hand, S: Number, T: Number, of: str = "scores", form: str = "right") -> Array:
        """Divide the lengths, then square."""
        top, bottom = (S, T) if form == "inverse" else (T, S)
        squared = form == "quadratic" or (form in ("right", "inverse") and of in PAIRED)
        say = Text("the new length over the old", "新长度除以旧长度")
        if form == "exponential":
            ratio = hand.quotient("r", None, top, bottom, say)
            return hand.power(hand.label(), None, number_like(S, 2), ratio, Text("2 to that", "以 2 为底的幂"))
        if not squared:
            return hand.quotient(hand.label(), None, top, bottom, say)
        ratio = hand.quotient("r", None, top, bottom, say)
        return hand.power(
            hand.label(), None, ratio, number_like(S, 2), Text("squared: one for each pair", "平方：每一对 token 一份")
        )


def _by_length(of: str) -> Edit:
    """Edit: a part of the cost is taken for the whole, and the lengths alone are compared."""

    def edit(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
        if {"S", "T"} <= set(program.values):
            whole = Call(line.node, "length_factor", ("S", "T"), (("of", of),))
            yield Edited(replace(program, asks=(ask,)).with_call(whole))

    return edit


class Growth(Operation):
    """``growth(new, old)``: new / old.

    Parameters: ``form`` is ``right``, or ``inverse`` for the mistake. Two mistakes compare the lengths S and T of the
    program alone.
    """

    name = "growth"
    section = "7.4"
    title = Text("Compare the two", "两者相比")
    reason = Text(
        "Only scores and mixing grow as the square of the length; projections and FFN grow in proportion. The factor lies between the two, nearer the square the longer the sequence.",
        "只有打分和加权求和随长度的平方增长，投影和 FFN 只成正比增长；总的倍数介于两者之间，序列越长越接近平方。",
    )
    mistakes = (
        Mistake(
            "growth.all-quadratic",
            Text(
                "You let the whole layer grow as the square of the length; projections and FFN grow in proportion",
                "你让整层都按长度的平方增长了，而投影和 FFN 只成正比增长",
            ),
            _by_length("scores"),
        ),
        Mistake(
            "growth.all-linear",
            Text(
                "You let the whole layer grow in proportion to the length; scores and mixing grow as its square",
                "你让整层都按长度成正比增长了，而打分和加权求和按平方增长",
            ),
            _by_length("projections"),
        ),
        Mistake(
            "growth.inverse",
            Text("You gave the old over the new", "你把新旧弄反了：写成了旧的除以新的"),
            with_parameters(form="inverse"),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        return rf"{symbol(line.node)} = \frac{{{symbol(line.arguments[0])}}}{{{symbol(line.arguments[1])}}}"

    def torch(self, new: Tensor, old: Tensor, form: str = "right") -> Tensor:
        """Divide."""
        return old / new if form == "inverse" else new / old

    def by_hand(self, hand: Hand, new: Number, old: Number, form: str = "right") -> Array:
        """Divide."""
        top, bottom = (old, new) if form == "inverse" else (new, old)
        return hand.quotient(hand.label(), None, top, bottom, Text("new over old", "新的除以旧的"))


def _heads_counted(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
    """Edit: the quadratic part is multiplied by the number of heads, the program's ``h``."""
    heads = program.values.get("h")
    if isinstance(heads, int) and heads > 1:
        yield from with_parameters(heads=heads)(program, line, ask)


def _has_ffn(_program: Program, line: Call) -> bool:
    return len(line.arguments) > 1


class Crossover(Operation):
    """``crossover(d_model)`` or ``crossover(d_model, d_ff)``: the length at which the quadratic FLOPs equal the linear ones.

    Scores and mixing take 4 S² d; the four projections 8 S d²: they are equal at S = 2 d. With the FFN's 4 S d d_ff (6 with
    SwiGLU) among the linear ones, at S = 2 d + d_ff (2 d + 3/2 d_ff).

    Parameters: ``form`` is ``relu`` (two matrices in the FFN) or ``swiglu`` (three). For the mistakes, ``heads`` is 1, or h
    where the quadratic part is counted h times; ``part`` is ``all``, ``projections`` (the FFN left out) or ``bare`` (S² d
    against S d²).
    """

    name = "crossover"
    section = "7.4"
    title = Text("Find where the quadratic part overtakes", "求平方项反超的长度")
    reason = Text(
        "Both sides have the factor $S d$: divide by it, and the quadratic side keeps $S$, the linear side a width.",
        "两边都含因子 $S d$，约去之后，平方项只剩 $S$，线性项只剩宽度。",
    )
    mistakes = (
        Mistake(
            "crossover.heads",
            Text(
                "You counted the heads in $S^2 d$; the width already includes all of them",
                "$S^2 d$ 这一项你又乘了 head 数，而宽度已经包含了所有 head",
            ),
            _heads_counted,
        ),
        Mistake(
            "crossover.no-ffn",
            Text("You left out the FFN", "你漏掉了 FFN"),
            only_if(_has_ffn, with_parameters(part="projections")),
        ),
        Mistake(
            "crossover.bare",
            Text(
                "You compared $S^2 d$ with $S d^2$ without their factors",
                "你直接拿 $S^2 d$ 与 $S d^2$ 相比，漏掉了前面的系数",
            ),
            with_parameters(part="bare"),
        ),
        Mistake(
            "crossover.two-matrices",
            Text(
                "You counted two matrices in the FFN; SwiGLU has three",
                "FFN 你只算了两个矩阵，而 SwiGLU 有三个",
            ),
            only_if(_has_ffn, only_with("form", "swiglu", "relu", with_parameters(form="relu"))),
        ),
        Mistake(
            "crossover.three-matrices",
            Text(
                "You counted three matrices in the FFN; without a gate there are two",
                "FFN 你算了三个矩阵，没有门控时只有两个",
            ),
            only_if(_has_ffn, only_with("form", "relu", "relu", with_parameters(form="swiglu"))),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        d, *wide = map(symbol, line.arguments)
        share = r"\frac{3}{2} " if line.parameter("form", "relu") == "swiglu" else ""
        return f"{symbol(line.node)} = 2 {d}" + (f" + {share}{wide[0]}" if wide else "")

    def torch(self, d: Tensor, d_ff: Tensor | None = None, form: str = "relu", heads: int = 1, part: str = "all") -> Tensor:
        """Add the widths up."""
        if part == "bare":
            return d * 1
        length = 2 * d
        if d_ff is not None and part == "all":
            length = length + d_ff * (3 if form == "swiglu" else 2) / 2
        return length / heads

    def by_hand(
        self, hand: Hand, d: Number, d_ff: Number = None, form: str = "relu", heads: int = 1, part: str = "all"
    ) -> Array:
        """Divide both sides by 4 S d, then add the widths up."""
        if part == "bare":
            return hand.taken(hand.label(), None, d, Text("the width", "宽度"))
        two = number_like(d, 2)
        alone = d_ff is None or part == "projections"
        last = alone and heads == 1
        say = Text("$8 S d^2$ over $4 S d$", "$8 S d^2$ 除以 $4 S d$")
        length = hand.product(hand.label() if last else "2·d", None, (two, d), say)
        if not alone:
            wide = d_ff
            if form == "swiglu":
                say = Text("$6 S d \\cdot d_{\\text{ff}}$ over $4 S d$", "$6 S d \\cdot d_{\\text{ff}}$ 除以 $4 S d$")
                wide = hand.product("3/2·d_ff", None, (number_like(d, 3) / 2, d_ff), say)
            adding = Text(
                "$4 S^2 d$ over $4 S d$ is $S$; the FFN's share is added",
                "$4 S^2 d$ 除以 $4 S d$ 就是 $S$；再加上 FFN 那一份",
            )
            length = hand.sum(hand.label() if heads == 1 else "2·d + …", None, (length, wide), adding)
        if heads == 1:
            return length
        return hand.quotient(hand.label(), None, length, number_like(d, heads), Text("over the heads", "除以 head 数"))


OPERATIONS = (LengthFactor(), Growth(), Crossover())
