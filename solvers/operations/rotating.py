"""Positions as rotations of queries and keys (RoPE, Su et al. 2021)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from question_bank.program import Ask, Call, Program, shape_of
from question_bank.text import Text
from solvers.hand import Array, Hand, LineKind, Number, subscript
from solvers.operations.base import Edit, Edited, Mistake, Operation, dropped, everywhere, symbol, where, with_parameters
from solvers.operations.positions import ANGLE, BASE, WAVES, divisors, in_unit, joined, parted, places_of_pairs
from solvers.shapes import require

if TYPE_CHECKING:
    from torch import Tensor


def _other_pairing(meant: str, used: str) -> Edit:
    """Edit: the features are paired the other way; the same thing where there is one pair."""
    return where(
        lambda program, line: line.parameter("pairs", "interleaved") == meant and _several_pairs(program, line),
        everywhere(with_parameters(pairs=used)),
    )


def _left_out(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
    """Edit: one of several vectors, which is named, is not turned."""
    if sum(other.operation == line.operation for other in program.calls) > 1:
        for edited in dropped()(program, line, ask):
            yield replace(edited, fills=(("meant", symbol(line.arguments[0])),))


def _all_left_out(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
    """Edit: none of several vectors is turned."""
    if sum(other.operation == line.operation for other in program.calls) > 1:
        yield from everywhere(dropped())(program, line, ask)


def _several_pairs(program: Program, line: Call) -> bool:
    given = program.values.get(line.arguments[0])
    return given is None or shape_of(given)[-1] > 2


class Rotate(Operation):
    """``rotate(X, positions)`` or ``rotate(X, positions, theta)``: each pair of features turned by position · θ_i (RoPE).

    X is [.., S, d] with positions [S], or one vector [d] with one position; one position also serves every row of a matrix.
    θ_i is base^(−2i/d) for the pairs i = 0 ... d/2 − 1, unless ``theta`` [d/2] gives the angles.

    Parameters: ``pairs`` is ``interleaved`` (the default, as in the paper: features 2i and 2i + 1, counted from 0) or
    ``halves`` (as in GPT-NeoX and Hugging Face's Llama: features i and i + d/2); ``base`` is 10000. For the mistakes,
    ``turn`` is ``forward`` or ``back``; ``unit`` is ``radians`` or ``degrees``; ``angle`` is ``own``, or ``first`` for the
    first pair's angle in every pair.
    """

    name = "rotate"
    section = "7.3"
    title = Text("Rotate each pair of features by its position's angle", "按位置对应的角度旋转每一对特征")
    reason = Text(
        "Query and key are each rotated in proportion to their positions, so their dot product depends only on the difference of their positions. A rotation leaves lengths as they are.",
        "query 和 key 各按自己的位置旋转，两者的点积就只取决于相对位置；旋转也不改变向量的长度。",
    )
    aligned = (0,)
    mistakes = (
        Mistake(
            "rotate.wrong-sign",
            Text(
                "You rotated the other way: the first feature becomes $x_1 \\cos\\varphi - x_2 \\sin\\varphi$",
                "你转反了方向：第一个分量应当是 $x_1 \\cos\\varphi - x_2 \\sin\\varphi$",
            ),
            with_parameters(turn="back"),
        ),
        Mistake(
            "rotate.degrees",
            Text("You took the angle in degrees; it is in radians", "你把角度当成了度，应当按弧度算"),
            everywhere(with_parameters(unit="degrees")),
        ),
        Mistake(
            "rotate.same-angle",
            Text("You rotated every pair by the first pair's angle", "你让每一对特征都转了第一对的角度"),
            where(_several_pairs, everywhere(with_parameters(angle="first"))),
        ),
        Mistake(
            "rotate.halves",
            Text(
                "You used the other convention: you paired the first half with the second, but here neighbours are paired",
                "你用的是另一种约定：把前一半与后一半配成对，而这里是相邻的两个特征配对",
            ),
            _other_pairing("interleaved", "halves"),
        ),
        Mistake(
            "rotate.neighbours",
            Text(
                "You used the other convention: you paired neighbours, but here the first half is paired with the second",
                "你用的是另一种约定：把相邻的两个特征配成对，而这里是前一半与后一半配对",
            ),
            _other_pairing("halves", "interleaved"),
        ),
        Mistake("rotate.left-out", Text("You didn't rotate ${meant}$", "你没有旋转 ${meant}$"), _left_out),
        Mistake("rotate.forgotten", Text("You didn't rotate anything", "你一个向量都没有旋转"), _all_left_out),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        x, p = symbol(line.arguments[0]), symbol(line.arguments[1])
        theta = r"\theta_i" if len(line.arguments) > 2 else rf"{line.parameter('base', BASE)}^{{-2i/d}}"
        turning = rf"({x}_a \cos \phi - {x}_b \sin \phi,\ {x}_a \sin \phi + {x}_b \cos \phi)"
        return rf"({symbol(line.node)}_a, {symbol(line.node)}_b) = {turning}, \quad \phi = {p} \cdot {theta}"

    def torch(
        self,
        X: Tensor,
        positions: Tensor,
        theta: Tensor | None = None,
        pairs: str = "interleaved",
        base: Fraction | int = BASE,
        turn: str = "forward",
        unit: str = "radians",
        angle: str = "own",
    ) -> Tensor:
        """Turn each pair."""
        import torch

        width = X.shape[-1] if X.dim() else 0
        require(width > 0 and width % 2 == 0, "an even number of features", X=X)
        fits = positions.dim() == 0 or (positions.dim() == 1 and positions.shape == X.shape[-2:-1])
        require(fits, "one position, or one a row", X=X, positions=positions)
        if theta is None:
            pair = torch.arange(width // 2, dtype=torch.float64, device=X.device)  # i, [d/2]
            theta = float(base) ** (-2 * pair / width)
        require(theta.shape == (width // 2,), "one angle a pair", X=X, theta=theta)
        if angle == "first":
            theta = theta[:1].expand(width // 2)
        by_row = positions.unsqueeze(-1) if positions.dim() else positions  # [S, 1]; a number mixes with meta tensors too
        angles = in_unit(by_row * theta, unit, math.pi)  # [S, d/2]
        cos, sin = angles.cos(), -angles.sin() if turn == "back" else angles.sin()
        a, b = parted(X, pairs)
        return joined(a * cos - b * sin, a * sin + b * cos, pairs)  # [.., S, d]

    def by_hand(
        self,
        hand: Hand,
        X: Array,
        positions: Array,
        theta: Array = None,
        pairs: str = "interleaved",
        base: Fraction | int = BASE,
        turn: str = "forward",
        unit: str = "radians",
        angle: str = "own",
    ) -> Array:
        """Angle of each pair, its cosine and sine, then the two new features; row by row."""
        matrix = isinstance(X[0], list)
        width = len(X[0]) if matrix else len(X)
        under = [] if theta is not None else divisors(hand, X[0][0] if matrix else X[0], base, width, range(width // 2))

        def row(x: Array, position: Number, at: int | None) -> Array:
            turned: Array = list(x)
            for i, (a, b) in enumerate(places_of_pairs(width, pairs)):
                own = 0 if angle == "first" else i
                mark = subscript(i) if at is None else subscript(at, i)
                if theta is None:
                    phi = hand.quotient(f"φ{mark}", at or 0, position, under[own], ANGLE)
                else:
                    phi = hand.product(f"φ{mark}", at or 0, (position, theta[own]), _TURNED)
                phi = in_unit(phi, unit, hand.pi)
                cos = hand.function(LineKind.COSINE, f"cos φ{mark}", at or 0, phi, WAVES[LineKind.COSINE])
                sin = hand.function(LineKind.SINE, f"sin φ{mark}", at or 0, phi, WAVES[LineKind.SINE])
                sin = -sin if turn == "back" else sin
                labels = [hand.label(place) if at is None else hand.label(at, place) for place in (a, b)]
                turned[a] = hand.dot(labels[0], at or 0, (x[a], x[b]), (cos, -sin), _FIRST)
                turned[b] = hand.dot(labels[1], at or 0, (x[a], x[b]), (sin, cos), _SECOND)
            return turned

        if not matrix:
            return row(X, positions, None)
        return [row(x, positions[s] if isinstance(positions, list) else positions, s) for s, x in enumerate(X)]


_TURNED = Text("angle: position times the pair's angle", "角度，即位置乘这一对的角")
_FIRST = Text(
    "first of the pair: $x_a \\cos\\varphi - x_b \\sin\\varphi$", "这一对的第一个：$x_a \\cos\\varphi - x_b \\sin\\varphi$"
)
_SECOND = Text(
    "second of the pair: $x_a \\sin\\varphi + x_b \\cos\\varphi$", "这一对的第二个：$x_a \\sin\\varphi + x_b \\cos\\varphi$"
)

OPERATIONS = (Rotate(),)
