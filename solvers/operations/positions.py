"""Positions as waves: the sinusoidal encoding (Vaswani et al. 2017), and what rotations share with it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING

from question_bank.program import Call, Program
from question_bank.text import Text
from solvers.hand import Array, Hand, LineKind, Number, number_like, subscript
from solvers.operations.base import Mistake, Operation, only_if, only_with, symbol, where, with_parameters
from solvers.shapes import require

if TYPE_CHECKING:
    from torch import Tensor

BASE = 10_000

DIVISOR = Text("divisor of this pair of dimensions", "这一对维度的除数")
ANGLE = Text("angle: position divided by that", "角度，即位置除以这个数")


def in_unit(angle: Number, unit: str, pi: Number) -> Number:
    """Take an angle in radians for one in degrees, if that is the mistake."""
    return angle * pi / 180 if unit == "degrees" else angle


WAVES = {
    LineKind.SINE: Text("sine of the angle, in radians", "取正弦，角度按弧度算"),
    LineKind.COSINE: Text("cosine of the angle, in radians", "取余弦，角度按弧度算"),
}


# Where the pairs stand ------------------------------------------------------------------------------------------------------


def places_of_pairs(width: int, layout: str) -> list[tuple[int, int]]:
    """Return the two places of each pair: neighbours, or one from each half."""
    half = width // 2
    return [(i, i + half) if layout == "halves" else (2 * i, 2 * i + 1) for i in range(half)]


def parted(x: Tensor, layout: str) -> tuple[Tensor, Tensor]:
    """Return the first and the second members of the pairs, each [.., d/2]."""
    half = x.shape[-1] // 2
    return (x[..., :half], x[..., half:]) if layout == "halves" else (x[..., 0::2], x[..., 1::2])


def joined(first: Tensor, second: Tensor, layout: str) -> Tensor:
    """Put the members of the pairs back in their places, [.., d]."""
    import torch

    return torch.cat((first, second), -1) if layout == "halves" else torch.stack((first, second), -1).flatten(-2)


def divisors(
    hand: Hand, like: Number, base: Fraction | int, width: int, pairs: Iterable[int], exponent: str = "2i/d"
) -> list[Number]:
    """Write down base^(2i/d) for some pairs, or what a mistake in the exponent makes of it; every row uses these lines."""
    powers = {"2i/d": Fraction(2, width), "2j/d": Fraction(2, width), "i/d": Fraction(1, width), "i": Fraction(1)}
    return [
        hand.power(f"{base}^(2·{i}/{width})", None, number_like(like, base), number_like(like, i * powers[exponent]), DIVISOR)
        for i in pairs
    ]


def _has_exponent(program: Program, line: Call) -> bool:
    """Tell whether some dimension wanted is of another pair than the first, whose divisor is 1 whatever the exponent."""
    width, dimension = program.values.get(line.arguments[1]), line.parameter("dimension", "all")
    if not isinstance(width, int):
        return True
    pairs = places_of_pairs(width, str(line.parameter("layout", "interleaved")))
    return any(dimension == "all" or int(dimension) in places for places in pairs[1:])


def _layout_counts(program: Program, line: Call) -> bool:
    """Tell whether some wave wanted is another one in the other layout; of an angle alone, the pair's number is asked."""
    if line.parameter("of", "wave") == "angle":
        return False
    width, dimension = program.values.get(line.arguments[1]), line.parameter("dimension", "all")
    if not isinstance(width, int) or dimension == "all":
        return width != 2
    halves, neighbours = (
        next(
            (i, places.index(int(dimension)))
            for i, places in enumerate(places_of_pairs(width, layout))
            if int(dimension) in places
        )
        for layout in ("halves", "interleaved")
    )
    return halves != neighbours


class Sinusoid(Operation):
    """``sinusoid(positions, d_model)``: sin and cos of p / 10000^(2i/d_model), for each pair i = 0 ... d_model/2 − 1.

    Positions [S] give [S, d_model]; one position gives one row [d_model]. The first position is whatever number is given
    (the paper's is 0).

    Parameters: ``layout`` is ``interleaved`` (the default, as in the paper: sin in dimension 2i, cos in 2i + 1, counted from
    0) or ``halves`` (every sin, then every cos); ``base`` is 10000. ``of`` is ``wave``, or ``angle`` for the angle that the
    sine or cosine is taken of. ``dimension`` is ``all``, or one dimension, counted from
    0, to compute only that: positions [S] then give [S], one position one number. For the mistakes, ``order`` is
    ``sine-first`` or ``cosine-first``; ``exponent`` is ``2i/d``, or ``i/d`` (the 2 forgotten), or ``i`` (not divided by d),
    or ``2j/d`` (the dimension's number taken for the pair's);
    ``unit`` is ``radians`` or ``degrees``.
    """

    name = "sinusoid"
    section = "7.3"
    title = Text("Encode the positions with sines and cosines", "用正弦和余弦给位置编码")
    reason = Text(
        "Each pair of dimensions is like the hand of a clock, and each hand turns more slowly than the one before; together they tell apart positions both near and far.",
        "每一对维度好比钟表上的一根指针，越往后转得越慢；合在一起，离得近的和离得远的位置都分得开。",
    )
    aligned = (0,)
    mistakes = (
        Mistake(
            "sinusoid.swapped",
            Text("You swapped sine and cosine: the sine comes first", "你把正弦和余弦弄反了：正弦在前"),
            only_with("of", "wave", "wave", with_parameters(order="cosine-first")),
        ),
        Mistake(
            "sinusoid.exponent-i",
            Text("You raised to the power $i$, not $2i/d$", "你用的指数是 $i$，应当是 $2i/d$"),
            where(_has_exponent, with_parameters(exponent="i")),
        ),
        Mistake(
            "sinusoid.factor-2",
            Text("You left out the 2 in the exponent $2i/d$", "你漏掉了指数 $2i/d$ 里的 2"),
            where(_has_exponent, with_parameters(exponent="i/d")),
        ),
        Mistake(
            "sinusoid.halves",
            Text(
                "You used the other convention: you put all sines first; here sines and cosines alternate",
                "你用的是另一种约定：先全部正弦、后全部余弦；这里正弦与余弦交替排列",
            ),
            only_with("layout", "interleaved", "interleaved", only_if(_layout_counts, with_parameters(layout="halves"))),
        ),
        Mistake(
            "sinusoid.alternating",
            Text(
                "You used the other convention: you let sines and cosines alternate; here all sines come first",
                "你用的是另一种约定：正弦与余弦交替排列；这里先全部正弦、后全部余弦",
            ),
            only_with("layout", "halves", "interleaved", only_if(_layout_counts, with_parameters(layout="interleaved"))),
        ),
        Mistake(
            "sinusoid.degrees",
            Text("You took the angle in degrees; it is in radians", "你把角度当成了度，应当按弧度算"),
            only_with("of", "wave", "wave", with_parameters(unit="degrees")),
        ),
        Mistake(
            "sinusoid.dimension-for-pair",
            Text(
                "You put the index of the dimension in the exponent; $i$ is the index of its pair",
                "你把维度的编号代进了指数，而 $i$ 是这一维所在那一对的编号",
            ),
            only_with("of", "angle", "wave", with_parameters(exponent="2j/d")),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        node, p, d = symbol(line.node), symbol(line.arguments[0]), symbol(line.arguments[1])
        angle = rf"\left(\frac{{{p}}}{{{line.parameter('base', BASE)}^{{2i/{d}}}}}\right)"
        if line.parameter("of", "wave") == "angle":
            return rf"{node} = \frac{{{p}}}{{{line.parameter('base', BASE)}^{{2i/{d}}}}}"
        second = rf"{d}/2 + i" if line.parameter("layout", "interleaved") == "halves" else "2i+1"
        first = "i" if line.parameter("layout", "interleaved") == "halves" else "2i"
        return rf"{node}_{{{p},{first}}} = \sin{angle}, \quad {node}_{{{p},{second}}} = \cos{angle}"

    def torch(
        self,
        positions: Tensor,
        d_model: Tensor,
        layout: str = "interleaved",
        base: Fraction | int = BASE,
        dimension: int | str = "all",
        order: str = "sine-first",
        exponent: str = "2i/d",
        unit: str = "radians",
        of: str = "wave",
    ) -> Tensor:
        """Compute every dimension, then take the one wanted."""
        import torch

        width = int(d_model)
        require(positions.dim() < 2, "one position or a vector of them", positions=positions)
        require(width > 0 and width % 2 == 0, "an even width", d_model=(width,))
        pair = torch.arange(width // 2, dtype=torch.float64, device=positions.device)  # i, [d/2]
        if exponent == "2j/d":
            pair = torch.full_like(pair, int(dimension))
        powers = {"2i/d": 2 * pair / width, "2j/d": 2 * pair / width, "i/d": pair / width, "i": pair}[exponent]
        angles = positions.unsqueeze(-1) / float(base) ** powers  # [S, d/2]
        angles = in_unit(angles, unit, math.pi)
        if of == "angle":
            encoding = joined(angles, angles, layout)
            return encoding if dimension == "all" else encoding[..., int(dimension)]
        waves = (angles.cos(), angles.sin()) if order == "cosine-first" else (angles.sin(), angles.cos())
        encoding = joined(*waves, layout)  # [S, d_model]
        return encoding if dimension == "all" else encoding[..., int(dimension)]

    def by_hand(
        self,
        hand: Hand,
        positions: Array,
        d_model: Number,
        layout: str = "interleaved",
        base: Fraction | int = BASE,
        dimension: int | str = "all",
        order: str = "sine-first",
        exponent: str = "2i/d",
        unit: str = "radians",
        of: str = "wave",
    ) -> Array:
        """Divisor and angle of each pair, then the sine and the cosine; position by position."""
        pairs = list(enumerate(places_of_pairs(int(d_model), layout)))
        if dimension != "all":
            pairs = [(i, places) for i, places in pairs if int(dimension) in places]
        numbers = [int(dimension) if exponent == "2j/d" else i for i, _ in pairs]
        under = divisors(hand, d_model, base, int(d_model), numbers, exponent)

        def row(position: Number, at: int | None) -> Array:
            waves: Array = [None] * int(d_model)
            for at_pair, (i, places) in enumerate(pairs):
                index = (i,) if at is None else (at, i)
                if of == "angle":
                    label = hand.label() if dimension != "all" else hand.label(*index)
                    for place in places:
                        if dimension in ("all", place):
                            waves[place] = hand.quotient(label, at or 0, position, under[at_pair], ANGLE)
                    continue
                # Of one position the pairs are counted from 0, as in the exponent; as rows and columns are, from 1.
                mark = subscript(i - 1) if at is None else subscript(*index)
                angle = hand.quotient(f"θ{mark}", at or 0, position, under[at_pair], ANGLE)
                kinds = (LineKind.COSINE, LineKind.SINE) if order == "cosine-first" else (LineKind.SINE, LineKind.COSINE)
                for place, kind in zip(places, kinds, strict=True):
                    if dimension in ("all", place):
                        own = () if dimension != "all" else (place,)
                        label = hand.label(*own) if at is None else hand.label(at, *own)
                        waves[place] = hand.function(kind, label, at or 0, in_unit(angle, unit, hand.pi), WAVES[kind])
            return waves if dimension == "all" else waves[int(dimension)]

        return (
            [row(position, s) for s, position in enumerate(positions)] if isinstance(positions, list) else row(positions, None)
        )


OPERATIONS = (Sinusoid(),)
