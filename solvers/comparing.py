"""When a typed number is right: the tolerance rules, on exact rationals, bounds included."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cache

from question_bank.exact import Exact, Expression, NotANumberError, is_finite, rational, to_float, to_fraction
from question_bank.program import AnswerFormat, Kind
from solvers.hand import Array
from solvers.reading.model import Cell

SIGNIFICANT = 12
"""Digits of a float64 result that are taken for true; the rest is rounding of the machine."""

NEARLY = Fraction(1, 10**9)
"""How near an irrational-looking expression must come to a value that ends, to be that value."""


MACHINE = Fraction(5, 10**7)
"""How near a decimal must come to a value that ends, to be that value as float32 leaves it, in which torch computes unless told
otherwise: 4.800000190734863 for 4.8."""


class Match(Enum):
    """How a typed number compares with one expected."""

    RIGHT = "right"
    COARSE = "coarse"
    WRONG = "wrong"


MOST_SIGNIFICANT = 15
"""Digits that float64 holds: a large number is taken for true so far, or no decimals would be left of it."""

LEAST_PLACES = 6
"""Decimals that are taken for true whatever the number's size, as long as its digits last; more than are ever asked for."""

DUST = 1e-14
"""What a difference of equal numbers leaves behind is smaller."""


def trusted_places(number: float) -> int:
    """Return to how many decimals a float64 result that isn't whole is taken for true."""
    exponent = math.floor(math.log10(abs(number)))
    return max(SIGNIFICANT - 1 - exponent, min(LEAST_PLACES, MOST_SIGNIFICANT - 1 - exponent))


def snap(number: float) -> Fraction:
    """Return the rational that a float64 result stands for: its first twelve significant digits, a large one's fifteen."""
    if number == int(number):
        return Fraction(int(number))
    if abs(number) < DUST:
        return Fraction(0)
    places = trusted_places(number)
    if places > SIGNIFICANT + 3:  # the product below would not be exact enough
        return Fraction(f"{number:.{SIGNIFICANT - 1}e}")
    return Fraction(round(number * 10**places), 10**places) if places >= LEAST_PLACES else Fraction(number)


@dataclass(frozen=True, slots=True)
class Expected:
    """One number expected.

    Attributes:
        number: As computed; may be infinite or ``nan``.
        value: The rational that it stands for; 0 where it isn't finite.
        unit: One unit of the last asked digit.
        digits: Decimal places asked of this number.
        ends: Whether the value has no more decimals than asked, and must be met exactly.
    """

    number: float
    value: Fraction
    unit: Fraction
    digits: int
    ends: bool

    def accepts(self, typed: Exact) -> bool:
        """Tell whether a typed number is right by the tolerance alone."""
        if not isinstance(typed, Expression) and math.isfinite(self.number):
            distance = abs(typed - self.value)
            return distance <= self.unit if not self.ends else distance == 0 or self._leaves(distance)
        if not is_finite(typed) or not math.isfinite(self.number):
            own = to_float(typed) if not is_finite(typed) else 0.0
            return (math.isnan(own) and math.isnan(self.number)) or own == self.number
        try:
            value = to_fraction(typed)
        except NotANumberError:
            return False
        distance = abs(value - self.value)
        if self.ends:
            # An expression with a root or an exponential in it is known to many digits, not exactly.
            irrational = isinstance(typed, Expression) and rational(typed) is None
            return distance == 0 or (irrational and distance <= NEARLY * max(Fraction(1), abs(self.value)))
        return distance <= self.unit

    def is_dust(self, typed: Exact) -> bool:
        """Tell whether a typed number isn't the value that it ends at, but what a machine makes of it."""
        if not self.ends or isinstance(typed, Expression) or not is_finite(typed) or not math.isfinite(self.number):
            return False
        return typed != self.value and self._leaves(abs(typed - self.value))

    def _leaves(self, distance: Fraction) -> bool:
        """Tell whether a distance is what a person's own computation leaves behind, such as -4.4e-8 for 0."""
        return distance <= min(MACHINE * max(Fraction(1), abs(self.value)), self.unit / 1000)

    def is_rounded(self, cell: Cell) -> bool:
        """Tell whether a typed number is this one rounded to fewer digits than asked."""
        if cell.decimals is None or cell.decimals >= self.digits or not math.isfinite(self.number):
            return False
        typed = cell.value
        if isinstance(typed, Expression) or typed == 0:
            return False
        unit = Fraction(1, 10**cell.decimals) if cell.decimals >= 0 else Fraction(10**-cell.decimals)
        return abs(typed - self.value) * 2 <= unit


def expect(number: float, form: AnswerFormat) -> Expected:
    """Prepare one computed number for comparison with typed ones."""
    if not math.isfinite(number):
        return Expected(number, Fraction(0), Fraction(1), form.decimals or 0, True)
    value = snap(number)
    digits = asked_digits(value, form)
    unit = _unit(digits)
    # Of a large number that isn't whole too few decimals are known to say that it ends.
    whole = 10**digits % value.denominator == 0 if digits >= 0 else value % unit == 0
    ends = whole and (value.denominator == 1 or digits < trusted_places(number))
    return Expected(number, value, unit, digits, ends)


@cache
def _unit(digits: int) -> Fraction:
    return Fraction(1, 10**digits) if digits >= 0 else Fraction(10**-digits)


def asked_digits(value: Fraction, form: AnswerFormat) -> int:
    """Return how many decimal places are asked of a value."""
    if form.significant is not None:
        return form.significant - 1 - (math.floor(math.log10(abs(value))) if value else 0)
    if form.decimals is not None:
        return form.decimals
    return 4 if form.kind is Kind.EXPRESSION else 0


def cells_of(value: Array) -> Iterator[float]:
    """Yield the numbers of a scalar or of nested lists, row by row."""
    if isinstance(value, list):
        for part in value:
            yield from cells_of(part)
    else:
        yield value


def dimensions_of(value: Array) -> tuple[int, ...]:
    """Return the dimensions of a scalar or of nested lists."""
    return (len(value), *dimensions_of(value[0])) if isinstance(value, list) else ()


def units(value: Fraction, digits: int) -> int:
    """Return how many units of the last of so many decimals a rational rounds to, a half away from zero."""
    top, bottom = abs(value.numerator), value.denominator
    if digits >= 0:
        top *= 10**digits
    else:
        bottom *= 10**-digits
    whole = (2 * top + bottom) // (2 * bottom)  # in whole numbers: fractions take ten times as long
    return -whole if value < 0 else whole


def rounded(value: Fraction, digits: int) -> Fraction:
    """Round a rational as a person does, a half away from zero."""
    return Fraction(units(value, digits), 10**digits) if digits >= 0 else units(value, digits) * _unit(digits)


def replay_values(replays: Sequence[Sequence[float]], cell: int, digits: int) -> set[Fraction]:
    """Return the values that a person reaches who rounds on the way, for one cell."""
    found = set()
    for cells in replays:
        if cell < len(cells) and math.isfinite(cells[cell]):
            value = snap(cells[cell])
            found |= {value, rounded(value, digits)}
    return found


Reached = Callable[[int], Set[Fraction]]
"""Gives, for a cell, the values that a person reaches who rounds on the way; asked only when they are needed."""


def is_right(cell: Cell, one: Expected, position: int, reached: Reached) -> bool:
    """Tell whether a typed cell is right, by the tolerance or by rounding on the way."""
    return one.accepts(cell.value) or (not isinstance(cell.value, Expression) and cell.value in reached(position))


def all_right(typed: Sequence[Cell], expected: Sequence[Expected], reached: Reached) -> bool:
    """Tell whether every typed cell is right; stops at the first that isn't."""
    return all(is_right(cell, one, i, reached) for i, (cell, one) in enumerate(zip(typed, expected, strict=True)))


def compare(typed: Sequence[Cell], expected: Sequence[Expected], reached: Reached) -> list[Match]:
    """Compare typed cells with those expected, one by one.

    Args:
        typed: What was typed, as many cells as expected.
        expected: What is expected.
        reached: What rounding on the way gives.
    """
    found: list[Match] = []
    for position, (cell, one) in enumerate(zip(typed, expected, strict=True)):
        if is_right(cell, one, position, reached):
            found.append(Match.RIGHT)
        else:
            found.append(Match.COARSE if one.is_rounded(cell) else Match.WRONG)
    return found
