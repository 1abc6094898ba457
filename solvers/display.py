"""Write computed values as a person would type them back."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from question_bank.exact import terminating
from question_bank.program import AnswerFormat, Asked, Kind
from solvers.comparing import Expected, expect, rounded, snap, units
from solvers.hand import Array
from solvers.steps import Table
from solvers.symbolic import show_named, show_order

_UNITS = (
    *(("TiB", 2**40), ("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10)),
    *(("TB", 10**12), ("GB", 10**9), ("MB", 10**6), ("kB", 10**3)),
)


YES, NO = "yes", "no"
"""How the reader writes yes, which is 1 as a value, and no, which is 0."""


def decimal_text(value: Fraction, digits: int) -> str:
    """Write a rational with a fixed number of decimals; no minus sign on a zero."""
    digits = max(digits, 0)
    near = units(value, digits)
    text = f"{abs(near):0{digits + 1}d}"
    text = f"{text[:-digits]}.{text[-digits:]}" if digits else text
    return "-" + text if near < 0 else text


def show_number(number: float, form: AnswerFormat) -> str:
    """Write one number of an answer: short where it ends within the asked digits, else with all of them."""
    return show_expected(expect(number, form), form)


def show_expected(one: Expected, form: AnswerFormat) -> str:
    """Write one number of an answer that has been prepared for comparison."""
    if not math.isfinite(one.number):
        return "nan" if math.isnan(one.number) else ("inf" if one.number > 0 else "-inf")
    if form.kind is Kind.YES_NO:
        return YES if one.value else NO
    if form.kind is Kind.BYTES:
        return show_bytes(one.value)
    if one.ends:
        return terminating(one.value) or decimal_text(one.value, one.digits)
    closed = closed_form(one.number) if form.kind is Kind.EXPRESSION else None
    return closed or decimal_text(one.value, one.digits)


MOST_UNDER_A_ROOT = 10_000
"""Beyond this, and for a denominator beyond the next, a closed form says less than decimals."""

LARGEST_DENOMINATOR = 64


def closed_form(number: float) -> str | None:
    """Write a finite number as a fraction, a multiple of a root, or a logarithm: ``1/3``, ``3√5/2``, ``ln 13``.

    Returns:
        The form that the reader reads back, or None where none of these is short.
    """
    if (fraction := _simple(number)) is not None:
        return str(fraction)
    if (square := _simple(number * number)) is not None and square.numerator * square.denominator <= MOST_UNDER_A_ROOT:
        under = square.numerator * square.denominator  # √(a/b) = √(ab)/b
        outside = max(root for root in range(1, math.isqrt(under) + 1) if under % (root * root) == 0)
        factor = Fraction(outside, square.denominator)
        sign, times = "-" if number < 0 else "", "" if factor.numerator == 1 else factor.numerator
        return f"{sign}{times}√{under // outside**2}" + (f"/{factor.denominator}" if factor.denominator > 1 else "")
    power = _simple(math.exp(number)) if abs(number) < math.log(MOST_UNDER_A_ROOT) else None
    return None if power is None else f"ln {power}" if power.denominator == 1 else f"ln({power})"


def _simple(number: float) -> Fraction | None:
    near = Fraction(number).limit_denominator(LARGEST_DENOMINATOR)
    return near if near and math.isclose(number, near, rel_tol=1e-12, abs_tol=0) else None


def show_bytes(value: Fraction) -> str:
    """Write a number of bytes in a unit in which it is short: a binary one if there is one, else a decimal one, else none."""
    for unit, size in _UNITS:
        amount = value / size
        places = 3 if amount < 1000 else 0
        if Fraction(1, 4) <= amount < 10_000 and (amount * 10**places).denominator == 1:
            return f"{terminating(amount)} {unit}"
    return f"{terminating(value) or decimal_text(value, 3)} B"


def table(value: Array, form: AnswerFormat) -> Table:
    """Write a value as nested texts, for drawing."""
    return tuple(table(part, form) for part in value) if isinstance(value, list) else show_number(value, form)


def flat(value: Table) -> str:
    """Write nested texts on one line, in brackets."""
    return value if isinstance(value, str) else "[" + ", ".join(flat(part) for part in value) + "]"


def show(value: Array, form: AnswerFormat) -> str:
    """Write an answer on one line; typed back, it is right."""
    if form.kind is Kind.SHAPE:
        return show_shape(value)
    if form.kind is Kind.NAMED_SHAPE:
        return show_named(value, form)
    if form.kind is Kind.ORDER:
        return show_order(value)
    return flat(table(value, form))


def show_shape(dimensions: list[int] | tuple[int, ...]) -> str:
    """Write a shape: ``[2, 8, 5, 64]``."""
    return "[" + ", ".join(str(size) for size in dimensions) + "]"


MOST_SHOWN = 12
"""Cells of an intermediate value that a sentence has room for."""

WAY_DECIMALS = 4
"""Decimals of intermediate values in worked steps and messages."""

WAY_DIGITS = 8
"""Digits of an intermediate value that are read by anyone: of e^15, 3269017.4 and not 3269017.3725."""

SMALL = Fraction(1, 100)
"""Intermediate values below this have as many significant digits instead: a learning rate of 0.00026 needs them."""

SMALLEST = Fraction(1, 10**8)
"""Intermediate values below this count for nothing in a sum, and so many zeros are read by nobody: 0.0000."""


def intermediate(value: Array, asked: Asked = Asked.VALUE) -> str:
    """Write an intermediate value for a sentence: whole where it is small, else its first row."""
    if asked is Asked.SHAPE:
        return show_shape(value)
    text = _way_table(value, _way_ascii)
    if isinstance(text, tuple) and isinstance(text[0], tuple) and len(text) * len(text[0]) > MOST_SHOWN:
        return f"[{flat(text[0])}, …]"
    return flat(text)


def _way_table(value: Array, write: Callable[[float], str]) -> Table:
    return tuple(_way_table(part, write) for part in value) if isinstance(value, list) else write(value)


def way_table(value: Array) -> Table:
    """Write an intermediate value as nested texts, as the lines that lead to it write their numbers."""
    return _way_table(value, way_number)


def way_number(number: float) -> str:
    """Write one intermediate number: four decimals, fewer where it ends before; signs and infinities in Unicode.

    A number below 0.01 has four significant digits instead; one of five digits or more before the point has so many
    decimals fewer that eight digits are left, or those before the point.
    """
    return _way_ascii(number).replace("-", "−").replace("inf", "∞")


def _way_ascii(number: float) -> str:
    if not math.isfinite(number):
        return "nan" if math.isnan(number) else ("inf" if number > 0 else "-inf")
    value = snap(number)
    places = _way_places(value)
    ends = rounded(value, places) == value
    return (terminating(value) if ends else None) or decimal_text(value, places)


def _way_places(value: Fraction) -> int:
    if SMALLEST <= abs(value) < SMALL:
        places = WAY_DECIMALS - 1 - math.floor(math.log10(abs(value)))
        # Rounded up to the next power of ten, it would have a digit too many.
        return places - (abs(rounded(value, places)) >= Fraction(1, 10 ** (places - WAY_DECIMALS)))
    if value.denominator != 1 and abs(value) >= 10 ** (WAY_DIGITS - WAY_DECIMALS):
        return max(WAY_DIGITS - len(str(int(abs(value)))), 0)
    return WAY_DECIMALS
