"""Number literals: value, decimal places and significant digits of ``0.20``, ``1.38e-1``, ``138·10^-3``, ``0.7%``."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

from question_bank.exact import INFINITY, LARGEST_EXPONENT, MINUS_INFINITY, NOT_A_NUMBER
from question_bank.text import Text
from solvers.reading.model import Cell, RefusedError, quoted
from solvers.reading.tokens import SIGNS, Sort, Token

MAX_DIGITS = 60

_LITERAL = re.compile(r"([0-9]*+)\.?([0-9]*+)(?:[eE]([+-]?[0-9]++))?")
_LONGEST_POSITIONAL = 20


class Literal(NamedTuple):
    """A decimal number as typed: ``digits`` times ten to the power ``exponent``; 1.38e-1 is 138 and -3."""

    negative: bool
    digits: str
    exponent: int


def literal(token: Token, *, negative: bool = False, power: int = 0) -> Literal:
    """Take a number token apart.

    Args:
        token: The token.
        negative: Whether a minus sign stands before it.
        power: A power of ten that it is multiplied by.

    Raises:
        RefusedError: It has too many digits, or is too large or too small.
    """
    match = _LITERAL.fullmatch(token.text)
    assert match is not None
    digits = match[1] + match[2]
    if len(digits) > MAX_DIGITS:
        raise RefusedError(
            Text(
                "A number of {n} digits is too long; at most {most} are read.", "数字有 {n} 位，过长；最多识别 {most} 位。"
            ).fill(n=len(digits), most=MAX_DIGITS),
            token.at,
        )
    typed = match[3] or "0"
    exponent = power + int(typed) if len(typed) < 8 else LARGEST_EXPONENT * (-1 if typed[0] == "-" else 1) * 10
    kept = digits.lstrip("0")
    size = len(kept) + exponent - len(match[2])  # the number is below ten to this power
    if abs(exponent) > LARGEST_EXPONENT or (kept and not -LARGEST_EXPONENT < size <= LARGEST_EXPONENT):
        raise out_of_range(token.text, token.at, small=exponent < 0)
    return Literal(negative and bool(kept), kept or "0", exponent - len(match[2]))


def out_of_range(found: str, at: int | None, *, small: bool) -> RefusedError:
    """Return the message on a number that is too large or too small to be an answer."""
    message = (
        Text("“{found}” is too small to tell from 0.", "“{found}”太小，与 0 无法区分。")
        if small
        else Text("“{found}” is too large.", "“{found}”太大。")
    )
    return RefusedError(message.fill(found=quoted(found)), at)


def value_of(number: Literal) -> int | Fraction:
    """Return the exact value of a literal."""
    whole = -int(number.digits) if number.negative else int(number.digits)
    if number.exponent >= 0:
        return int(whole * 10**number.exponent)
    return whole_or_fraction(Fraction(whole, 10**-number.exponent))


def whole_or_fraction(value: Fraction) -> int | Fraction:
    """Return a fraction as a whole number where it is one."""
    return value.numerator if value.denominator == 1 else value


def cell_of(number: Literal, *, percent: bool, percent_asked: bool) -> tuple[Cell, str]:
    """Return the cell of a literal, and the text that stands for it.

    Args:
        number: The literal.
        percent: Whether a % sign stands behind it.
        percent_asked: Whether percentages are asked: 28% is then 28, else 0.28.
    """
    scaled = Literal(number.negative, number.digits, number.exponent - 2) if percent and not percent_asked else number
    cell = Cell(value_of(scaled), max(0, -scaled.exponent), len(number.digits), percent)
    return cell, written(number) + ("%" if percent else "")


def written(number: Literal) -> str:
    """Write a literal with the decimal places and the significant digits that it was typed with."""
    sign = "-" if number.negative else ""
    digits, places = number.digits, -number.exponent
    if places == 0 or (digits == "0" and places < 0):
        return sign + digits
    if places > 0 and (places <= _LONGEST_POSITIONAL or places <= len(digits) + 6):
        padded = digits.rjust(places + 1, "0")
        return f"{sign}{padded[:-places]}.{padded[-places:]}"
    fraction = "." + digits[1:] if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{fraction}e{number.exponent + len(digits) - 1}"


def special(tokens: list[Token]) -> tuple[Cell, str] | None:
    """Return the cell of ``inf``, ``-inf`` or ``nan``, or None."""
    signs, last = tokens[:-1], tokens[-1]
    if last.text not in ("inf", "nan") or len(signs) > 1 or (signs and signs[0].sort not in SIGNS):
        return None
    if last.text == "nan":
        return Cell(NOT_A_NUMBER, None, None), "nan"
    negative = bool(signs) and signs[0].sort == Sort.MINUS
    return (Cell(MINUS_INFINITY, None, None), "-inf") if negative else (Cell(INFINITY, None, None), "inf")


def plain_number(tokens: list[Token]) -> tuple[Literal, bool] | None:
    """Return the literal that some tokens are, and whether a % sign follows; None where they are a formula.

    A number times a power of ten, ``1.38·10^-1``, is a literal too.

    Raises:
        RefusedError: The number is too long or out of range, or ``·10-1`` stands where ``·10^-1`` may be meant.
    """
    start = 1 if tokens[0].sort in SIGNS else 0
    negative = start == 1 and tokens[0].sort == Sort.MINUS
    rest = tokens[start:]
    percent = len(rest) > 1 and rest[-1].sort == Sort.PERCENT
    if percent:
        rest = rest[:-1]
    if not rest or rest[0].sort != Sort.NUMBER:
        return None
    if len(rest) == 1:
        return literal(rest[0], negative=negative), percent
    _decimal_point(rest)
    if rest[1].sort != Sort.TIMES or len(rest) < 4 or rest[2].text != "10":
        return None
    if rest[3].sort in SIGNS and len(rest) == 5 and not rest[3].blank and rest[4].sort == Sort.NUMBER:
        raise RefusedError(
            Text(
                "Is “{found}” a power of ten that lost its superscript? Write 10^{exponent}.",
                "“{found}”是不是漏了上标？如果是 10 的幂，请写成 10^{exponent}。",
            ).fill(found=quoted("".join(token.text for token in rest)), exponent=rest[3].text + rest[4].text),
            rest[2].at,
        )
    power = exponent_of_ten(rest[3:])
    return None if power is None else (literal(rest[0], negative=negative, power=power), percent)


def _decimal_point(tokens: list[Token]) -> None:
    """Refuse ``0·742``, whose raised dot may be a decimal point.

    Raises:
        RefusedError: The tokens are that.
    """
    if (
        [token.text for token in tokens[:2]] == ["0", "·"]
        and len(tokens) == 3
        and not tokens[2].blank
        and tokens[2].text.isdigit()
    ):
        raise RefusedError(
            Text(
                "Is the dot in “0·{found}” a decimal point or a product? Write 0.{found} or 0*{found}.",
                "“0·{found}”里的点是小数点还是乘号？请写成 0.{found} 或 0*{found}。",
            ).fill(found=quoted(tokens[2].text)),
            tokens[0].at,
            complete=True,
        )


def exponent_of_ten(tokens: list[Token]) -> int | None:
    """Return the exponent of ``^-3`` or ``^(-3)``; None for anything else."""
    if len(tokens) < 2 or tokens[0].sort != Sort.POWER:
        return None
    inner = tokens[1:]
    if inner[0].text == "(" and inner[-1].text == ")":
        inner = inner[1:-1]
    sign = 1
    if inner and inner[0].sort in SIGNS:
        sign = -1 if inner[0].sort == Sort.MINUS else 1
        inner = inner[1:]
    if len(inner) != 1 or inner[0].sort != Sort.NUMBER or not inner[0].text.isdigit():
        return None
    return sign * (int(inner[0].text) if len(inner[0].text) < 8 else 10 * LARGEST_EXPONENT)
