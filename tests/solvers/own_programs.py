"""Programs that ask for given values, for tests of reading and grading alone."""

from __future__ import annotations

from fractions import Fraction

from question_bank.program import AnswerFormat, Ask, Asked, Kind, Nested, Program, Shape, call
from question_bank.text import same
from solvers.grading import grade
from solvers.verdict import PartVerdict


def asking(value: Nested | Shape, form: AnswerFormat) -> Program:
    """A program whose answer is a given value; of a percentage, the share."""
    asked = Asked.SHAPE if isinstance(value, Shape) else Asked.VALUE
    return Program((("x", value),), (call("y", "same", "x"),), (Ask("y", form, (), asked, same("$y$")),))


def judged(value: Nested | Shape, typed: str, form: AnswerFormat) -> PartVerdict:
    """The verdict on one typed answer."""
    return grade(asking(value, form), [typed]).parts[0]


def number(value: int | str | Fraction, typed: str, decimals: int | None = None, significant: int | None = None) -> PartVerdict:
    """The verdict on one typed number."""
    exact = Fraction(value)
    whole = exact.numerator if exact.denominator == 1 else exact
    return judged(whole, typed, AnswerFormat(Kind.NUMBER, decimals=decimals, significant=significant))
