"""Arithmetic as a person does it: line by line, each line written down, and rounded if one likes.

An operation is defined by hand once, in terms of a ``Hand``. The same definition gives the worked lines, the replay of a
person who rounds on the way, and, over sympy's numbers, the exact form.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any

from question_bank.program import PRIME
from question_bank.text import Text

Number = Any
"""A float, or a sympy expression: what the arithmetic is done over."""

Array = Any
"""A number, or nested lists of numbers."""


class LineKind(Enum):
    """How a line of arithmetic is written."""

    DOT = "dot"
    SUM = "sum"
    PRODUCT = "product"
    QUOTIENT = "quotient"
    DIFFERENCE = "difference"
    EXPONENTIAL = "exponential"
    ROOT = "root"
    MEAN = "mean"
    MEAN_SQUARE = "mean-square"
    POWER = "power"
    SINE = "sin"
    COSINE = "cos"
    TANH = "tanh"
    LOGARITHM = "ln"
    NORMAL = "Φ"
    LARGEST = "max"
    SMALLEST = "min"
    CEILING = "ceiling"
    AFFINE = "affine"
    TAKEN = "taken"


FLOAT_FUNCTIONS: Mapping[LineKind, Callable[[float], float]] = {
    LineKind.SINE: math.sin,
    LineKind.COSINE: math.cos,
    LineKind.TANH: math.tanh,
    LineKind.LOGARITHM: lambda number: math.log(number) if number > 0 else -math.inf if number == 0 else math.nan,
    LineKind.NORMAL: lambda number: math.erfc(-number / math.sqrt(2)) / 2,
}
"""Functions that a person looks up, over floats; each kind's value is how the function is written."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of arithmetic.

    Attributes:
        label: What the line computes.
        row: The row of the result that it belongs to; None where it serves every row.
        kind: How it is written.
        operands: The numbers put in, as they were at that point.
        result: What comes out.
        say: What is done, in words.
    """

    label: str
    row: int | None
    kind: LineKind
    operands: tuple[Number, ...]
    result: Number
    say: Text


def round_half_up(number: float, digits: int) -> float:
    """Round as a person does: a half goes away from zero; ``nan`` and infinities stay."""
    if digits >= 0 and number % 1 == 0:  # most are: of whole numbers come whole ones
        return number
    if not math.isfinite(number):
        return number
    scale = 10.0**digits
    # The small term lets 0.285, which a binary float holds as 0.28499…, be the half that it is on paper.
    return math.copysign(math.floor(abs(number) * scale + 0.5 + 1e-9) / scale, number)


def number_like(value: Number, number: Fraction | int) -> Number:
    """Return a parameter of a call as a number of the kind that a value is: a float, or sympy's."""
    if isinstance(value, int | float):  # which may be infinite, and nothing times infinity is no number
        return number.numerator / number.denominator
    return (value * 0 + number.numerator) / number.denominator


def float_exp(number: float) -> float:
    """Return e to the number; 0 for minus infinity, infinity on overflow."""
    try:
        return math.exp(number)
    except OverflowError:
        return math.inf


_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def subscript(*indices: int) -> str:
    """Write indices counted from 0 as subscripts counted from 1; a comma parts them once one has two digits."""
    numbers = [str(index + 1) for index in indices]
    return ("," if any(len(number) > 1 for number in numbers) else "").join(numbers).translate(_SUBSCRIPTS)


class Hand:
    """Does arithmetic over floats or over sympy's numbers, rounding and writing down if asked.

    Attributes:
        node: The node that is being computed, for labels.
        arguments: The nodes that it is computed from, for labels.
        lines: What was written down; empty unless recording.
    """

    def __init__(
        self,
        *,
        digits: int | None = None,
        recording: bool = False,
        exp: Callable[[Number], Number] = float_exp,
        sqrt: Callable[[Number], Number] = math.sqrt,
        functions: Mapping[LineKind, Callable[[Number], Number]] = FLOAT_FUNCTIONS,
        infinity: Number = math.inf,
        nan: Number = math.nan,
        pi: Number = math.pi,
    ) -> None:
        """Set up.

        Args:
            digits: Decimal places to which every line is rounded; None for no rounding.
            recording: Whether lines are written down.
            exp: The exponential over the numbers used.
            sqrt: The square root over the numbers used.
            functions: The functions of ``FLOAT_FUNCTIONS`` over the numbers used.
            infinity: Infinity among the numbers used.
            nan: What 0/0 gives.
            pi: π among the numbers used.
        """
        self.node = ""
        self.arguments: Sequence[str] = ()
        self.lines: list[Line] = []
        self.infinity = infinity
        self.nan = nan
        self.pi = pi
        self._exp = exp
        self._sqrt = sqrt
        self._functions = functions
        self._digits = digits
        self._recording = recording

    def label(self, *indices: int) -> str:
        """Name a cell of the node being computed, such as ``S₁₂``."""
        return f"{self.node}{subscript(*indices)}" if self._recording else ""

    def given(self, default: str, *indices: int) -> str:
        """Name a cell of the first node that is computed from, such as ``M₁₂``; for more than a letter, ``default`` stands."""
        if not self._recording:
            return ""
        name = self.name(0, default)
        return f"{name if len(name.removesuffix(PRIME)) == 1 else default}{subscript(*indices)}"

    def name(self, position: int, default: str) -> str:
        """Return the name of a node that is computed from, such as ``S_2``; for a word, or where there is none, ``default``."""
        name = self.arguments[position] if position < len(self.arguments) else default
        return name if len(name.partition("_")[0].removesuffix(PRIME)) == 1 else default

    def _rounded(self, value: Number) -> Number:
        return value if self._digits is None else round_half_up(value, self._digits)

    def _line(
        self, label: str, row: int | None, kind: LineKind, operands: tuple[Number, ...], value: Number, say: Text
    ) -> Number:
        value = self._rounded(value)
        if self._recording:
            self.lines.append(Line(label, row, kind, operands, value, say))
        return value

    def dot(self, label: str, row: int | None, left: Sequence[Number], right: Sequence[Number], say: Text) -> Number:
        """Multiply pair by pair and add up; the products and the sum are lines of their own to a person who rounds."""
        products = [self._rounded(a * b) for a, b in zip(left, right, strict=True)]
        return self._line(label, row, LineKind.DOT, (*left, *right, *products), sum(products[1:], products[0]), say)

    def affine(self, label: str, row: int | None, value: Number, factor: Number, shift: Number, say: Text) -> Number:
        """Multiply and add; the product is a line of its own to a person who rounds."""
        product = self._rounded(value * factor)
        return self._line(label, row, LineKind.AFFINE, (value, factor, shift, product), product + shift, say)

    def sum(self, label: str, row: int | None, numbers: Sequence[Number], say: Text) -> Number:
        """Add up."""
        return self._line(label, row, LineKind.SUM, tuple(numbers), sum(numbers[1:], numbers[0]), say)

    def mean(self, label: str, row: int | None, numbers: Sequence[Number], say: Text, less: int = 0) -> Number:
        """Add up and divide by how many there are, or by ``less`` fewer."""
        count = len(numbers) - less
        value = sum(numbers[1:], numbers[0]) / count
        return self._line(label, row, LineKind.MEAN, (*numbers, count), value, say)

    def mean_square(self, label: str, row: int | None, numbers: Sequence[Number], say: Text, less: int = 0) -> Number:
        """Square, add up, and divide by how many there are, or by ``less`` fewer."""
        count = len(numbers) - less
        squares = [self._rounded(number * number) for number in numbers]
        value = sum(squares[1:], squares[0]) / count
        return self._line(label, row, LineKind.MEAN_SQUARE, (*numbers, count), value, say)

    def exponential(self, label: str, row: int | None, number: Number, say: Text) -> Number:
        """Raise e to a number."""
        return self._line(label, row, LineKind.EXPONENTIAL, (number,), self._exp(number), say)

    def root(self, label: str, row: int | None, number: Number, say: Text) -> Number:
        """Take the square root."""
        return self._line(label, row, LineKind.ROOT, (number,), self._sqrt(number), say)

    def function(self, kind: LineKind, label: str, row: int | None, number: Number, say: Text) -> Number:
        """Look a function up: one of ``FLOAT_FUNCTIONS``."""
        return self._line(label, row, kind, (number,), self._functions[kind](number), say)

    def known(self, kind: LineKind, number: Number) -> Number:
        """Return a function's value that is known to many digits, such as ln 2: not rounded, and no line of its own."""
        return self._functions[kind](number)

    def power(self, label: str, row: int | None, base: Number, exponent: Number, say: Text) -> Number:
        """Raise a positive number to a power, or any number to a whole one; infinity on overflow."""
        try:
            value = base**exponent
        except OverflowError:
            value = self.infinity
        return self._line(label, row, LineKind.POWER, (base, exponent), value, say)

    def largest(self, label: str, row: int | None, numbers: Sequence[Number], say: Text) -> Number:
        """Take the largest; ``nan`` where one of the numbers is, as torch has it."""
        return self._line(label, row, LineKind.LARGEST, tuple(numbers), self._chosen(max, numbers), say)

    def smallest(self, label: str, row: int | None, numbers: Sequence[Number], say: Text) -> Number:
        """Take the smallest; ``nan`` where one of the numbers is, as torch has it."""
        return self._line(label, row, LineKind.SMALLEST, tuple(numbers), self._chosen(min, numbers), say)

    def _chosen(self, choose: Callable[[Sequence[Number]], Number], numbers: Sequence[Number]) -> Number:
        undefined = [number for number in numbers if number is self.nan or number != number]
        return undefined[0] if undefined else choose(numbers)

    def ceiling(self, label: str, row: int | None, number: Number, say: Text) -> Number:
        """Round up to a whole number."""
        return self._line(label, row, LineKind.CEILING, (number,), -(-number // 1), say)

    def product(self, label: str, row: int | None, numbers: Sequence[Number], say: Text) -> Number:
        """Multiply."""
        value = numbers[0]
        for number in numbers[1:]:
            value = value * number
        return self._line(label, row, LineKind.PRODUCT, tuple(numbers), value, say)

    def quotient(self, label: str, row: int | None, top: Number, bottom: Number, say: Text) -> Number:
        """Divide; 0/0 is ``nan``, as torch has it."""
        if bottom == 0:
            value = self.nan if top == 0 or top != top else self.infinity if top > 0 else -self.infinity
        else:
            value = top / bottom
        return self._line(label, row, LineKind.QUOTIENT, (top, bottom), value, say)

    def difference(self, label: str, row: int | None, first: Number, second: Number, say: Text) -> Number:
        """Subtract."""
        return self._line(label, row, LineKind.DIFFERENCE, (first, second), first - second, say)

    def taken(self, label: str, row: int | None, value: Number, say: Text) -> Number:
        """Take a number over from elsewhere: a masked cell, a concatenated one."""
        if self._recording:
            self.lines.append(Line(label, row, LineKind.TAKEN, (value,), value, say))
        return value
