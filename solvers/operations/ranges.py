"""What a floating-point type can hold: how large an exponent may be before its exponential overflows."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from question_bank.program import Ask, Call, Program
from question_bank.text import Text
from solvers.hand import Array, Hand, LineKind, Number, number_like
from solvers.operations.base import Edited, Mistake, Operation, only_if, symbol, with_parameters

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True, slots=True)
class FloatType:
    """A floating-point type.

    Attributes:
        exponent: The largest exponent of 2.
        largest: The largest number, over 2 to that exponent.
    """

    exponent: int
    largest: Fraction


def _ieee(exponent: int, bits: int) -> FloatType:
    return FloatType(exponent, 2 - Fraction(1, 2**bits))


TYPES = {
    "float16": _ieee(15, 10),
    "bfloat16": _ieee(127, 7),
    "float32": _ieee(127, 23),
    "float64": _ieee(1023, 52),
    "float8_e5m2": _ieee(15, 2),
    "float8_e4m3fn": FloatType(8, Fraction(7, 4)),  # its largest pattern stands for nan
}
"""Types by torch's names. The 8-bit ones: Micikevicius et al. 2022, arXiv:2209.05433, Table 1."""

_MIXED_UP = {
    "float16": ("float32",),
    "bfloat16": ("float16",),
    "float32": ("float16", "float64"),
    "float64": ("float32",),
}


def _other_types(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
    """Edit: the limit of another type is given; only one of those whose limit is another number."""
    own = str(line.parameter("dtype", "float16"))
    for other in _MIXED_UP.get(own, ("float16", "float32")):
        if TYPES[other].exponent != TYPES[own].exponent:
            for edited in with_parameters(dtype=other)(program, line, ask):
                yield Edited(edited.program, (("used", other), ("meant", own)))


def _more_than(position: int, most: int) -> Callable[[Program, Call], bool]:
    """Make a condition: an argument is there, and more than a number."""

    def applies(program: Program, line: Call) -> bool:
        given = program.values.get(line.arguments[position]) if position < len(line.arguments) else None
        return isinstance(given, int) and given > most

    return applies


class LargestScore(Operation):
    """``largest_score(n)`` or ``largest_score(n, d_k)``: the largest x of which the sum of n exponentials e^x still fits a type.

    That is ln(M / n), M being the type's largest number; with d_k, times √d_k: the scores are divided by √d_k before the
    exponential. Rounding is not considered.

    Parameters: ``dtype`` is the type, by torch's name. For the mistakes, ``log`` is ``e``, ``2`` or ``10``; ``terms`` is ``all`` or ``one``; ``scaled`` is ``before`` (as is right),
    ``none`` or ``after`` (÷ √d_k in place of ×).
    """

    name = "largest_score"
    section = "7.10"
    title = Text("Find the largest score that doesn't overflow", "求不会上溢的最大分数")
    reason = Text(
        "$n \\cdot e^x \\le M$ means $x \\le \\ln M - \\ln n$. Written as a power of 2, $M$ has as its logarithm the exponent times $\\ln 2 \\approx 0.693$.",
        "$n \\cdot e^x \\le M$ 即 $x \\le \\ln M - \\ln n$。把 $M$ 写成 2 的幂，它的对数就是指数乘 $\\ln 2 \\approx 0.693$。",
    )
    mistakes = (
        Mistake(
            "largest_score.other-type",
            Text("You used the limit of {used}, not that of {meant}", "你用的是 {used} 的上限，应当是 {meant} 的"),
            _other_types,
        ),
        Mistake(
            "largest_score.log-2",
            Text(
                "You took the logarithm to base 2: that is the exponent of 2, not of $e$",
                "你取了以 2 为底的对数，那是 2 的指数，不是 $e$ 的指数",
            ),
            with_parameters(log="2"),
        ),
        Mistake(
            "largest_score.log-10",
            Text("You took the logarithm to base 10, not to base $e$", "你取了以 10 为底的对数，应当以 $e$ 为底"),
            with_parameters(log="10"),
        ),
        Mistake(
            "largest_score.one-term",
            Text(
                "You looked at one exponential; it is their sum that must not overflow",
                "你只看了一个指数，而不上溢的应当是它们的和",
            ),
            only_if(_more_than(0, 1), with_parameters(terms="one")),
        ),
        Mistake(
            "largest_score.not-scaled",
            Text(
                "You gave the largest scaled score; before scaling it may be $\\sqrt{d_k}$ times as large",
                "你给的是缩放之后的上限，缩放之前的上限是它的 $\\sqrt{d_k}$ 倍",
            ),
            only_if(_more_than(1, 1), with_parameters(scaled="none")),
        ),
        Mistake(
            "largest_score.divided",
            Text(
                "You divided by $\\sqrt{d_k}$; the score before scaling is larger, not smaller",
                "你除以了 $\\sqrt{d_k}$，而缩放之前的分数更大，不是更小",
            ),
            only_if(_more_than(1, 1), with_parameters(scaled="after")),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        n, *width = map(symbol, line.arguments)
        bound = rf"\ln M - \ln {n}"
        times = rf"\sqrt{{{width[0]}}} " if width else ""
        return rf"{symbol(line.node)} = " + (rf"{times}({bound})" if times else bound)

    def torch(
        self,
        n: Tensor,
        d_k: Tensor | None = None,
        dtype: str = "float16",
        log: str = "e",
        terms: str = "all",
        scaled: str = "before",
    ) -> Tensor:
        """Take the logarithm of the limit, less that of the number of terms."""
        kind = TYPES[dtype]
        value = n.new_ones(()) * (math.log(kind.largest) + kind.exponent * math.log(2))
        if terms == "all":
            value = value - n.log()
        value = value / {"e": 1.0, "2": math.log(2), "10": math.log(10)}[log]
        if d_k is not None and scaled != "none":
            value = value / d_k.sqrt() if scaled == "after" else value * d_k.sqrt()
        return value

    def by_hand(
        self,
        hand: Hand,
        n: Number,
        d_k: Any = None,
        dtype: str = "float16",
        log: str = "e",
        terms: str = "all",
        scaled: str = "before",
    ) -> Array:
        """The limit's logarithm, the terms', and the root."""
        kind = TYPES[dtype]
        base = {"e": None, "2": 2, "10": 10}[log]
        unit = hand.known(LineKind.LOGARITHM, number_like(n, base)) if base else number_like(n, 1)
        ln_2 = hand.known(LineKind.LOGARITHM, number_like(n, 2))
        powers = number_like(n, kind.exponent) + hand.known(LineKind.LOGARITHM, number_like(n, kind.largest)) / ln_2
        several = terms == "all" and n != 1
        wide = d_k is not None and scaled != "none"
        last = hand.label()

        def label(name: str, *later: bool) -> str:
            return name if any(later) else last

        value = hand.product(
            label("ln M", several, wide),
            None,
            (powers, ln_2 / unit),
            Text("$M$ is about 2 to this power; times $\\ln 2$", "$M$ 约是 2 的这么多次幂，指数乘 $\\ln 2$"),
        )
        if several:
            less = hand.function(LineKind.LOGARITHM, "ln n", None, n, Text("logarithm of the number of terms", "项数的对数"))
            say = Text("each of $n$ terms may be an $n$-th of it: subtract", "$n$ 项平分，每项最多是 $n$ 分之一：对数相减")
            value = hand.difference(label("ln M − ln n", wide), None, value, less / unit, say)
        if wide:
            root = hand.root("√d_k", None, d_k, Text("square root of the key width", "key 宽度的平方根"))
            say = Text("the score before scaling: times the root", "缩放之前的分数：乘这个平方根")
            if scaled == "after":
                return hand.quotient(last, None, value, root, say)
            return hand.product(last, None, (value, root), say)
        return value


OPERATIONS = (LargestScore(),)
