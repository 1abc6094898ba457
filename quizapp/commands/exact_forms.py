"""Exact values, as sympy has them, written so that they can be typed back."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import reduce
from typing import Any

from question_bank.exact import INFINITY, MINUS_INFINITY, NOT_A_NUMBER, Exact, Expression, Operator, show
from question_bank.text import Text

Written = str | tuple["Written", ...]
"""A number, a vector or a matrix, its cells written out."""


class UnwritableError(ValueError):
    """An exact value that can't be written out.

    Attributes:
        message: Why, in both languages.
    """

    message = Text("An exact value is too large to be written out.", "精确值太大，无法完整写出。")


def written_exactly(value: Any) -> Written:
    """Write a sympy number, or nested lists of them; nothing is simplified.

    Raises:
        UnwritableError: A whole number in it has thousands of digits, or it is made of something that no answer is made of.
    """
    if isinstance(value, list):
        return tuple(map(written_exactly, value))
    try:
        return show(to_exact(value))
    except ValueError as fault:
        raise UnwritableError(str(fault)) from fault


def to_exact(number: Any) -> Exact:
    """Return a closed sympy number as an exact number of the question bank.

    Raises:
        ValueError: It is made of something that no answer is made of.
    """
    import sympy

    number = sympy.Rational(number) if isinstance(number, int | float) else number
    constants: dict[Any, Exact] = {
        sympy.oo: INFINITY,
        -sympy.oo: MINUS_INFINITY,
        sympy.nan: NOT_A_NUMBER,
        sympy.E: Expression("e"),
        sympy.pi: Expression("pi"),
    }
    if number in constants:
        return constants[number]
    if isinstance(number, sympy.Rational):
        return _rational(Fraction(int(number.p), int(number.q)))
    if isinstance(number, sympy.Add):
        return _sum(number.as_ordered_terms())
    if isinstance(number, sympy.Mul):
        return _product(number.as_ordered_factors())
    if isinstance(number, sympy.exp):
        return Expression("exp", (to_exact(number.args[0]),))
    if isinstance(number, sympy.log):
        return Expression("ln", (to_exact(number.args[0]),))
    if isinstance(number, sympy.Pow):
        return _power(number.base, number.exp)
    raise ValueError(f"no exact form for {number!r}")


def _rational(value: Fraction) -> Exact:
    return int(value) if value.denominator == 1 else value


def _sum(terms: Sequence[Any]) -> Exact:
    total = to_exact(terms[0])
    for term in terms[1:]:
        negative = term.as_coeff_Mul()[0].is_negative
        total = Expression("-" if negative else "+", (total, to_exact(-term if negative else term)))
    return total


def _product(factors: Sequence[Any]) -> Exact:
    """Write a product as one fraction: sympy keeps a divisor as a power with a negative exponent."""
    import sympy

    above: list[Exact] = []
    below: list[Exact] = []
    sign = 1
    for factor in factors:
        if isinstance(factor, sympy.Rational):
            sign = -1 if factor.p < 0 else 1
            above += [abs(int(factor.p))] if abs(factor.p) != 1 else []
            below += [int(factor.q)] if factor.q != 1 else []
        elif isinstance(factor, sympy.Pow) and factor.exp.is_negative:
            below.append(_power(factor.base, -factor.exp))
        else:
            above.append(to_exact(factor))
    value = _times(above)
    if below:
        value = Expression("/", (value, _times(below)))
    return Expression("neg", (value,)) if sign < 0 else value


def _times(factors: list[Exact]) -> Exact:
    return reduce(lambda left, right: _operation("*", left, right), factors) if factors else 1


def _power(base: Any, exponent: Any) -> Exact:
    import sympy

    if exponent.is_negative:
        return _operation("/", 1, _power(base, -exponent))
    if exponent == 1:
        return to_exact(base)
    if exponent == sympy.Rational(1, 2):
        return Expression("sqrt", (to_exact(base),))
    return _operation("^", to_exact(base), to_exact(exponent))


def _operation(operator: Operator, left: Exact, right: Exact) -> Exact:
    return Expression(operator, (left, right))
