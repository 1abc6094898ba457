"""Exact numbers: integers, fractions, and closed expressions such as ln 2 or √2/2.

Inputs of problems and numbers that a person types are of these. An expression is plain data, built by a reader with bounds;
nothing here evaluates text.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Context, Decimal, DecimalException, Overflow, localcontext
from fractions import Fraction
from typing import Literal

Operator = Literal["+", "-", "*", "/", "^", "neg", "sqrt", "exp", "ln", "e", "pi", "inf", "nan"]

PRECISION = 40
"""Decimal digits to which an irrational expression is evaluated."""

LARGEST_EXPONENT = 400
"""A number at or above ten to this power is too large to be an answer."""


class NotANumberError(ValueError):
    """An expression has no finite real value: a division by zero, the root of a negative number, a value out of range."""


@dataclass(frozen=True, slots=True)
class Expression:
    """A closed expression.

    Attributes:
        operator: What is done; ``e``, ``pi``, ``inf`` and ``nan`` take no operands.
        operands: Exact numbers, as many as the operator takes.
    """

    operator: Operator
    operands: tuple[Exact, ...] = ()


Exact = int | Fraction | Expression


def ln(number: int) -> Expression:
    """Return the natural logarithm of a whole number as an exact number."""
    return Expression("ln", (number,))


INFINITY = Expression("inf")
MINUS_INFINITY = Expression("neg", (INFINITY,))
NOT_A_NUMBER = Expression("nan")


def to_float(number: Exact) -> float:
    """Return the nearest binary float.

    Raises:
        NotANumberError: The expression has no real value.
    """
    if isinstance(number, Expression):
        special = _special(number)
        return special if special is not None else float(to_fraction(number))
    return float(number)


def _special(number: Exact) -> float | None:
    """Return ±inf or nan where the expression is one of these alone, else None."""
    if isinstance(number, Expression):
        if number.operator == "inf":
            return math.inf
        if number.operator == "nan":
            return math.nan
        if number.operator == "neg":
            inner = _special(number.operands[0])
            return None if inner is None else -inner
    return None


def is_finite(number: Exact) -> bool:
    """Tell whether a number is neither infinite nor ``nan``."""
    return _special(number) is None


def rational(number: Exact) -> Fraction | None:
    """Return the value as a fraction where the expression is made of rational operations alone, else None."""
    if not isinstance(number, Expression):
        return Fraction(number)
    values = [rational(operand) for operand in number.operands]
    if not values or any(value is None for value in values):
        return None
    first = values[0]
    assert first is not None
    if number.operator == "neg":
        return -first
    if len(values) < 2 or values[1] is None:
        return None
    second = values[1]
    if number.operator == "^":
        power_bits = max(first.numerator.bit_length(), first.denominator.bit_length()) * abs(second)
        if second.denominator != 1 or power_bits > 4 * LARGEST_EXPONENT or (first == 0 and second <= 0):
            return None
        return first ** int(second)
    if number.operator == "/":
        return None if second == 0 else first / second
    return {"+": first + second, "-": first - second, "*": first * second}.get(number.operator)


def to_fraction(number: Exact) -> Fraction:
    """Return the value: exact where the expression is rational, else to ``PRECISION`` digits.

    Raises:
        NotANumberError: The expression has no finite real value.
    """
    value = rational(number)
    if value is not None:
        return value
    with localcontext(Context(prec=PRECISION, Emax=10_000, Emin=-10_000)) as context:
        context.clear_traps()
        context.traps[Overflow] = True
        try:
            result = _decimal(number)
        except (DecimalException, OverflowError) as problem:
            raise NotANumberError(str(problem)) from problem
        if not result.is_finite():
            raise NotANumberError("no finite real value")
        if result and result.adjusted() >= LARGEST_EXPONENT:
            raise NotANumberError("too large")
        return Fraction(result) if not result or result.adjusted() > -LARGEST_EXPONENT else Fraction(0)


_PI = Decimal("3.14159265358979323846264338327950288419716939937510582")


def _decimal(number: Exact) -> Decimal:
    if isinstance(number, int):
        return Decimal(number)
    if isinstance(number, Fraction):
        return Decimal(number.numerator) / Decimal(number.denominator)
    if number.operator == "e":
        return Decimal(1).exp()
    if number.operator == "pi":
        return _PI
    values = [_decimal(operand) for operand in number.operands]
    if not values:
        raise NotANumberError(f"{number.operator} inside an expression")
    return _apply(number.operator, values)


def _apply(operator: Operator, values: list[Decimal]) -> Decimal:
    first = values[0]
    if operator == "neg":
        return -first
    if operator == "sqrt":
        return first.sqrt()
    if operator == "ln":
        return first.ln()
    if operator == "exp":
        if first > LARGEST_EXPONENT * 3:
            raise NotANumberError("too large")
        return first.exp()
    second = values[1]
    if operator == "+":
        return first + second
    if operator == "-":
        return first - second
    if operator == "*":
        return first * second
    if operator == "/":
        return first / second
    return first**second


_RANK = {"+": 1, "-": 1, "neg": 2, "*": 3, "/": 3, "^": 5}


def show(number: Exact) -> str:
    """Write an exact number as a person would: ``3``, ``0.5``, ``2/3``, ``ln 2``, ``√2/2``, ``−∞``."""
    return _show(number)[0]


def _show(number: Exact) -> tuple[str, int]:
    """Return the text and how strongly it binds (6: never needs brackets)."""
    if isinstance(number, int):
        return _signed(str(number))
    if isinstance(number, Fraction):
        decimal = terminating(number)
        text, rank = _signed(decimal if decimal is not None else f"{number.numerator}/{number.denominator}")
        return text, min(rank, 6 if decimal is not None else 3)
    operator, operands = number.operator, number.operands
    if not operands:
        return {"e": "e", "pi": "π", "inf": "∞", "nan": "nan"}[operator], 6
    if operator == "sqrt":
        return "√" + _bracketed(operands[0], 6), 6
    if operator == "ln":
        return "ln " + _bracketed(operands[0], 6), 4
    if operator == "exp":
        return "e^" + _bracketed(operands[0], 6), 5
    rank = _RANK[operator]
    if operator == "neg":
        return "−" + _bracketed(operands[0], rank + 1), rank
    sign = {"+": " + ", "-": " − ", "*": "·", "/": "/", "^": "^"}[operator]
    right = rank + (operator in "-/^")
    left = rank + (operator == "^")
    return _bracketed(operands[0], left) + sign + _bracketed(operands[1], right), rank


def _bracketed(number: Exact, least: int) -> str:
    text, rank = _show(number)
    return text if rank >= least else f"({text})"


def _signed(text: str) -> tuple[str, int]:
    return ("−" + text[1:], 2) if text.startswith("-") else (text, 6)


def terminating(number: Fraction) -> str | None:
    """Write a fraction as a decimal where that ends within 12 places, else return None."""
    places = 0
    value = number
    while value.denominator != 1 and places < 12:
        value *= 10
        places += 1
    if value.denominator != 1:
        return None
    if not places:
        return str(value.numerator)
    sign = "-" if value < 0 else ""
    digits = str(abs(value.numerator)).rjust(places + 1, "0")
    return f"{sign}{digits[:-places]}.{digits[-places:]}"


def to_text(number: Exact) -> str:
    """Write an exact number in ASCII, for JSON; ``from_text`` of the reader's grammar is not needed to read it back."""
    if isinstance(number, Expression):
        return f"{number.operator}({','.join(to_text(operand) for operand in number.operands)})"
    return str(number)


def from_text(text: str) -> Exact:
    """Read what ``to_text`` wrote.

    Raises:
        ValueError: The text was not written by ``to_text``.
    """
    number, rest = _from_text(text)
    if rest:
        raise ValueError(f"{rest!r} left over in {text!r}")
    return number


def _from_text(text: str) -> tuple[Exact, str]:
    head, bracket, rest = text.partition("(")
    end = min((at for at in (text.find(","), text.find(")")) if at >= 0), default=len(text))
    if not bracket or end < len(head):
        plain, rest = text[:end], text[end:]
        value = Fraction(plain)
        return (int(value) if value.denominator == 1 else value), rest
    operands: list[Exact] = []
    while rest and not rest.startswith(")"):
        operand, rest = _from_text(rest)
        operands.append(operand)
        rest = rest.removeprefix(",")
    if head not in _OPERATORS or not rest:
        raise ValueError(f"{text!r} is not an exact number")
    return Expression(head, tuple(operands)), rest[1:]  # type: ignore[arg-type]


_OPERATORS = frozenset(("+", "-", "*", "/", "^", "neg", "sqrt", "exp", "ln", "e", "pi", "inf", "nan"))
