"""Exact numbers: integers, fractions, and closed expressions such as ln 2 or √2/2.

Inputs of problems and numbers that a person types are of these. An expression is plain data, built by a reader with bounds;
nothing here evaluates text.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from decimal import Context, Decimal, DecimalException, Overflow, localcontext
from fractions import Fraction
from functools import lru_cache
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
        NotANumberError: The number has no real value, or is beyond the largest float.
    """
    special = _special(number)
    if special is not None:
        return special
    try:
        return _float(number) if isinstance(number, Expression) else float(number)
    except OverflowError as fault:
        raise NotANumberError("too large") from fault


@lru_cache(4096)
def _float(number: Expression) -> float:
    """Round to the nearest float; kept, since a grader goes through a problem's inputs hundreds of times."""
    return float(to_fraction(number))


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
        if abs(value) >= _TOO_LARGE:
            raise NotANumberError("too large")
        return value
    with localcontext(Context(prec=PRECISION, Emax=10_000, Emin=-10_000)) as context:
        context.clear_traps()
        context.traps[Overflow] = True
        try:
            result = _decimal(number)
        except (DecimalException, OverflowError) as problem:
            raise NotANumberError(str(problem)) from problem
        if result and result.adjusted() >= LARGEST_EXPONENT:
            raise NotANumberError("too large")
        return Fraction(result) if not result or result.adjusted() > -LARGEST_EXPONENT else Fraction(0)


_TOO_LARGE = 10**LARGEST_EXPONENT
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
    result = _apply(number.operator, values)
    # Looked at after every step: 1/(1/0) must not come out as 0.
    if not result.is_finite():
        raise NotANumberError("no finite real value")
    return result


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


def _show(number: Exact, closed: bool = False) -> tuple[str, int]:
    """Return the text and how strongly it binds (6: never needs brackets).

    Args:
        number: What is written.
        closed: A factor, a divisor or an exponent follows: ``ln(2)/3``, where ``ln 2/3`` could be read as ln(2/3).
    """
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
        return "√" + _bracketed(operands[0], 6), 5
    if operator == "ln":
        return (f"ln({_show(operands[0])[0]})", 6) if closed else ("ln " + _bracketed(operands[0], 6), 4)
    if operator == "exp":
        return "e^" + _bracketed(operands[0], 6), 5
    rank = _RANK[operator]
    if operator == "neg":
        return "−" + _bracketed(operands[0], rank + 1, closed), rank
    sign = {"+": " + ", "-": " − ", "*": "·", "/": "/", "^": "^"}[operator]
    left = _bracketed(operands[0], rank + (operator == "^"), operator in "*/^")
    right = _bracketed(operands[1], rank + (operator in "-/^"), closed)
    return left + sign + (f"({right})" if right.startswith("−") else right), rank


def _bracketed(number: Exact, least: int, closed: bool = False) -> str:
    text, rank = _show(number, closed)
    return text if rank >= least else f"({_show(number)[0]})"


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
    """Write an exact number in ASCII, for JSON; ``from_text`` reads it back without the grammar for what a person types."""
    if isinstance(number, Expression):
        return f"{number.operator}({','.join(to_text(operand) for operand in number.operands)})"
    return str(number)


_OPERANDS: dict[str, int] = {"e": 0, "pi": 0, "inf": 0, "nan": 0, "neg": 1, "sqrt": 1, "exp": 1, "ln": 1} | dict.fromkeys(
    "+-*/^", 2
)
_HEAD = re.compile(r"(-?[0-9]+(?:/[0-9]*[1-9][0-9]*)?)(?=[,)]|\Z)|([-+*/^]|[a-z]+)\(")
_DEEPEST = 200


def from_text(text: str) -> Exact:
    """Read what ``to_text`` wrote.

    Raises:
        ValueError: The text was not written by ``to_text``.
    """
    number, end = _from_text(text, 0, 0)
    if end != len(text):
        raise ValueError(f"{text[end : end + 40]!r} left over")
    return number


def _from_text(text: str, start: int, depth: int) -> tuple[Exact, int]:
    head = _HEAD.match(text, start)
    if head is None or depth > _DEEPEST or (head[2] and head[2] not in _OPERANDS):
        raise ValueError(f"{text[start : start + 40]!r} is not an exact number")
    end = head.end()
    if head[1]:
        value = Fraction(head[1])
        return (int(value) if value.denominator == 1 else value), end
    operands: list[Exact] = []
    for position in range(_OPERANDS[head[2]]):
        operand, end = _from_text(text, _after(text, end, ",") if position else end, depth + 1)
        operands.append(operand)
    return Expression(head[2], tuple(operands)), _after(text, end, ")")  # type: ignore[arg-type]


def _after(text: str, at: int, sign: str) -> int:
    if not text.startswith(sign, at):
        raise ValueError(f"{sign!r} expected before {text[at : at + 40]!r}")
    return at + 1
