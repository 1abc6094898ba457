"""Exact arithmetic with bounds: whole and broken numbers are worked out within 60 digits, the rest stays an expression."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from question_bank.exact import LARGEST_EXPONENT, Exact, Expression
from question_bank.text import Text
from solvers.reading.literals import MAX_DIGITS, out_of_range, whole_or_fraction
from solvers.reading.model import RefusedError, quoted
from solvers.reading.tokens import Sort, Token

if TYPE_CHECKING:
    from question_bank.exact import Operator

OPERATORS: dict[Sort, Operator] = {
    Sort.PLUS: "+", Sort.MINUS: "-", Sort.TIMES: "*", Sort.OVER: "/", Sort.POWER: "^",
}  # fmt: skip
FUNCTIONS: dict[str, Operator] = {"√": "sqrt", "ln": "ln", "exp": "exp"}

_LIMIT: int = 10**MAX_DIGITS
_MOST_BITS = 16 * MAX_DIGITS  # of a power before it is worked out
_LARGEST_LOGARITHM = LARGEST_EXPONENT * math.log(10)
_MOST_NODES = 120
_COSTS: dict[Operator, int] = {
    "+": 5, "-": 5, "*": 5, "/": 5, "neg": 5, "sqrt": 10, "exp": 20, "e": 15, "pi": 5, "ln": 35, "^": 75,
}  # fmt: skip
_COST_OF_A_FORMULA = 25
_BUDGET = 3500  # microseconds on an ordinary machine, roughly


class Budget:
    """How much of costly arithmetic one answer may still ask for."""

    def __init__(self) -> None:
        """Start with all of it."""
        self._left = _BUDGET

    def spend(self, operator: Operator, at: int) -> None:
        """Take the cost of one operation.

        Raises:
            RefusedError: Nothing is left.
        """
        self.take(_COSTS[operator], at)

    def take(self, cost: int, at: int) -> None:
        """Take a cost.

        Raises:
            RefusedError: Nothing is left.
        """
        self._left -= cost
        if self._left < 0:
            raise RefusedError(Text("That is too much calculation for one answer.", "答案里的运算太多。"), at)


class Arithmetic:
    """The operations of one formula."""

    def __init__(self, tokens: Sequence[Token], budget: Budget) -> None:
        """Remember the formula, for messages.

        Args:
            tokens: The tokens of the formula.
            budget: What it may still spend.

        Raises:
            RefusedError: There were too many formulas before it.
        """
        self._tokens = tokens
        self._budget = budget
        self._nodes = 0
        budget.take(_COST_OF_A_FORMULA, tokens[0].at)

    def within(self, value: int | Fraction, token: Token) -> int | Fraction:
        """Return a worked-out number.

        Raises:
            RefusedError: It has too many digits.
        """
        if _is_long(value):
            raise out_of_range(joined(self._tokens), token.at, small=abs(value.numerator) < value.denominator)
        return whole_or_fraction(Fraction(value))

    def negative(self, value: Exact) -> Exact:
        """Return the opposite number."""
        return Expression("neg", (value,)) if isinstance(value, Expression) else -value

    def constant(self, token: Token) -> Expression:
        """Return e or π."""
        return self._node("pi" if token.text == "π" else "e", (), token)

    def applied(self, operator: Operator, operand: Exact, token: Token) -> Exact:
        """Return a square root, a natural logarithm or a power of e.

        Raises:
            RefusedError: It has no real value, or one that is too large or too small.
        """
        if not isinstance(operand, Expression):
            if (operator == "sqrt" and operand < 0) or (operator == "ln" and operand <= 0):
                raise no_value(self._tokens)
            if operator == "exp" and not -_LARGEST_LOGARITHM < operand < _LARGEST_LOGARITHM:
                raise out_of_range(joined(self._tokens), token.at, small=operand < 0)
            if operator == "exp" and operand == 0:
                return 1
            if operator == "ln" and operand == 1:
                return 0
            root = _square_root(operand) if operator == "sqrt" else None
            if root is not None:
                return root
        return self._node(operator, (operand,), token)

    def combined(self, token: Token, left: Exact, right: Exact) -> Exact:
        """Return the result of + - * / ^.

        Raises:
            RefusedError: It has no real value, or one that is too large or too small.
        """
        operator = OPERATORS[token.sort]
        self._budget.spend("+", token.at)
        if operator == "/" and right == 0:
            raise RefusedError(Text("You can't divide by 0.", "不能除以 0。"), token.at)
        if isinstance(left, Expression) or isinstance(right, Expression):
            return self._node(operator, (left, right), token)
        if operator == "^":
            return self._raised(token, Fraction(left), Fraction(right))
        if operator == "/":
            value: int | Fraction = Fraction(left) / right
        else:
            value = left + right if operator == "+" else left - right if operator == "-" else left * right
        if _is_long(value) and not _is_extreme(value):
            return self._node(operator, (left, right), token)
        return self.within(value, token)

    def _raised(self, token: Token, base: Fraction, exponent: Fraction) -> Exact:
        if base == 0:
            if exponent <= 0:
                raise no_value(self._tokens)
            return 0
        if base < 0 and exponent.denominator != 1:
            raise no_value(self._tokens)
        if abs(base) == 1:
            return 1 if base == 1 or exponent.numerator % 2 == 0 else -1
        size = (math.log10(abs(base.numerator)) - math.log10(base.denominator)) * float(exponent)
        bits = max(base.numerator.bit_length(), base.denominator.bit_length()) * abs(exponent)
        whole = exponent.denominator == 1
        if abs(size) > MAX_DIGITS or (base.denominator == 1 and whole and bits > _MOST_BITS):
            raise out_of_range(joined(self._tokens), token.at, small=size < 0)
        if whole and bits <= _MOST_BITS:
            value = base ** int(exponent)
            if not _is_long(value) or _is_extreme(value):
                return self.within(value, token)
        return self._node("^", (whole_or_fraction(base), whole_or_fraction(exponent)), token)

    def _node(self, operator: Operator, operands: tuple[Exact, ...], token: Token) -> Expression:
        """Return an expression that stays one; so few of them that nothing recursive runs out of stack."""
        self._nodes += 1
        if self._nodes > _MOST_NODES:
            raise RefusedError(Text("The formula is too long.", "算式过长。"), token.at)
        self._budget.spend(operator, token.at)
        return Expression(operator, operands)


def _is_long(value: int | Fraction) -> bool:
    """Tell whether a number takes too many digits to be worked out, as 0.97^30 does."""
    return max(abs(value.numerator), value.denominator) >= _LIMIT


def _is_extreme(value: int | Fraction) -> bool:
    """Tell whether a number is too large for an answer, or too small."""
    size, below = abs(value.numerator), value.denominator
    return size >= _LIMIT * below or 0 < size * _LIMIT <= below


def may_vanish(value: Exact) -> bool:
    """Tell whether 0 is the value, as of √2 − √2 or 0·√2, where an e^(−1000·√2) that came out as 0 is merely too small."""
    if not isinstance(value, Expression):
        return value == 0
    if value.operator in ("+", "-", "ln"):
        return True
    operands = value.operands if value.operator == "*" else value.operands[:1]
    return value.operator != "exp" and any(may_vanish(operand) for operand in operands)


def _square_root(value: int | Fraction) -> int | Fraction | None:
    """Return the square root where it is a whole or broken number."""
    above, below = math.isqrt(value.numerator), math.isqrt(value.denominator)
    if above * above != value.numerator or below * below != value.denominator:
        return None
    return whole_or_fraction(Fraction(above, below))


def joined(tokens: Sequence[Token]) -> str:
    """Return the beginning of a formula as typed."""
    return "".join((" " if token.blank else "") + token.text for token in tokens[:40])


def no_value(tokens: Sequence[Token]) -> RefusedError:
    """Return the message on a formula such as √(−1)."""
    return RefusedError(
        Text("“{found}” has no real value.", "“{found}”没有实数值。").fill(found=quoted(joined(tokens))), tokens[0].at
    )
