from __future__ import annotations

import math
import re
import time
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from question_bank.exact import (
    INFINITY,
    LARGEST_EXPONENT,
    MINUS_INFINITY,
    NOT_A_NUMBER,
    Exact,
    Expression,
    NotANumberError,
    from_text,
    is_finite,
    ln,
    rational,
    show,
    terminating,
    to_float,
    to_fraction,
    to_text,
)

ROOT_2 = Expression("sqrt", (2,))
E = Expression("e")
PI = Expression("pi")


def power(base: Exact, exponent: Exact) -> Expression:
    return Expression("^", (base, exponent))


def over(above: Exact, below: Exact) -> Expression:
    return Expression("/", (above, below))


def grown(parts: st.SearchStrategy[Exact]) -> st.SearchStrategy[Exact]:
    one = st.tuples(st.sampled_from(["neg", "sqrt", "ln", "exp"]), st.tuples(parts))
    two = st.tuples(st.sampled_from(["+", "-", "*", "/", "^"]), st.tuples(parts, parts))
    return (one | two).map(lambda drawn: Expression(*drawn))


plain: st.SearchStrategy[Exact] = st.integers(-20, 20) | st.fractions(-9, 9, max_denominator=8).map(
    lambda value: int(value) if value.denominator == 1 else value
)
numbers = st.recursive(plain | st.sampled_from([E, PI]), grown, max_leaves=6)
anything = st.recursive(st.integers() | st.fractions() | st.sampled_from([E, PI, INFINITY, NOT_A_NUMBER]), grown, max_leaves=12)


@pytest.mark.parametrize(
    ("number", "value"),
    [
        (3, 3.0),
        (Fraction(1, 3), 1 / 3),
        (ln(2), math.log(2)),
        (over(ROOT_2, 2), math.sqrt(2) / 2),
        (power(E, over(ROOT_2, 2)), math.exp(math.sqrt(2) / 2)),
        (Expression("exp", (-1,)), math.exp(-1)),
        (Expression("-", (PI, Fraction(1, 2))), math.pi - 0.5),
        (Expression("+", (1, Expression("*", (2, ln(3))))), 1 + 2 * math.log(3)),
        (power(4, Fraction(1, 2)), 2.0),
        (power(2, -3), 0.125),
        (Expression("exp", (-2000,)), 0.0),
        (Expression("neg", (Fraction(5, 4),)), -1.25),
        (INFINITY, math.inf),
        (MINUS_INFINITY, -math.inf),
    ],
    ids=lambda case: show(case) if not isinstance(case, float) else "",
)
def test_values(number: Exact, value: float) -> None:
    assert to_float(number) == pytest.approx(value, rel=1e-15, abs=0)
    assert is_finite(number) == math.isfinite(value)


def test_nan_is_nan() -> None:
    assert math.isnan(to_float(NOT_A_NUMBER))
    assert not is_finite(NOT_A_NUMBER)


@pytest.mark.parametrize(
    "number",
    [
        over(1, 0),
        over(1, over(1, 0)),
        over(1, over(1, ln(1))),
        Expression("exp", (ln(0),)),
        Expression("exp", (Expression("neg", (over(1, ln(1)),)),)),
        over(0, 0),
        power(0, 0),
        power(0, -1),
        ln(0),
        ln(-1),
        Expression("sqrt", (-1,)),
        power(-8, Fraction(1, 3)),
        Expression("+", (1, INFINITY)),
        over(1, INFINITY),
        Expression("*", (0, NOT_A_NUMBER)),
    ],
    ids=show,
)
def test_what_has_no_real_value_is_refused(number: Exact) -> None:
    assert rational(number) is None
    with pytest.raises(NotANumberError):
        to_fraction(number)
    with pytest.raises(NotANumberError):
        to_float(number)


@pytest.mark.parametrize(
    "number",
    [
        power(9, power(9, 9)),
        power(5, power(5, power(5, 5))),
        power(power(power(99, 99), 99), 99),
        power(Fraction(1, 10), -(10**9)),
        power(-9, 10**300),
        Expression("exp", (10**9,)),
        Expression("exp", (Expression("exp", (Expression("exp", (20,)),)),)),
        Expression("*", (10**399, 10**399)),
        Expression("*", (power(10, 399), power(10, 399))),
        10**LARGEST_EXPONENT,
        Fraction(10**800 + 1, 10**399),
        -(10**4000),
    ],
    ids=range(12),
)
def test_what_is_too_large_is_refused_at_once(number: Exact) -> None:
    start = time.perf_counter()
    with pytest.raises(NotANumberError):
        to_fraction(number)
    with pytest.raises(NotANumberError):
        to_float(number)
    assert time.perf_counter() - start < 0.05


@pytest.mark.parametrize("number", [10**309, 10**399, Fraction(10**399, 3), power(10, 399)], ids=range(4))
def test_a_float_ends_earlier_than_a_fraction(number: Exact) -> None:
    assert to_fraction(number) < 10**LARGEST_EXPONENT
    with pytest.raises(NotANumberError):
        to_float(number)


@pytest.mark.parametrize("number", [power(1, 10**300), power(-1, 10**300), power(10, -(10**9)), power(Fraction(1, 2), 10**6)])
def test_huge_powers_with_a_small_value_take_no_time(number: Exact) -> None:
    start = time.perf_counter()
    assert 0 <= to_fraction(number) <= 1
    assert time.perf_counter() - start < 0.05


@pytest.mark.parametrize(
    ("number", "value"),
    [
        (over(1, 3), Fraction(1, 3)),
        (power(Fraction(2, 3), -2), Fraction(9, 4)),
        (Expression("-", (Fraction(1, 10), Fraction(3, 10))), Fraction(-1, 5)),
        (Expression("neg", (Expression("*", (6, 7)),)), Fraction(-42)),
        (power(0, 3), Fraction(0)),
        (power(2, 400), Fraction(2**400)),
        (Expression("sqrt", (4,)), None),
        (over(1, PI), None),
        (E, None),
        (INFINITY, None),
        (power(2, Fraction(1, 2)), None),
    ],
)
def test_what_is_rational_stays_exact(number: Exact, value: Fraction | None) -> None:
    assert rational(number) == value
    if value is not None:
        assert to_fraction(number) == value


@given(numbers)
def test_values_agree_with_floating_point(number: Exact) -> None:
    """The exact value against Python's own floats, where these lose little."""
    try:
        expected = in_floats(number)
        value = to_float(number)
    except (ArithmeticError, ValueError):
        assume(False)
    assume(isinstance(expected, float | int) and 1e-6 < abs(expected) < 1e12)
    assert value == pytest.approx(expected, rel=1e-6)


def in_floats(number: Exact) -> float:
    if not isinstance(number, Expression):
        return float(number)
    values = [in_floats(operand) for operand in number.operands]
    if any(abs(value) < 1e-3 or abs(value) > 1e6 for value in values if value):
        raise ArithmeticError("floats may lose too much")
    match number.operator:
        case "e":
            return math.e
        case "pi":
            return math.pi
        case "neg":
            return -values[0]
        case "sqrt":
            return math.sqrt(values[0])
        case "exp":
            return math.exp(values[0])
        case "ln":
            return math.log(values[0])
        case "+":
            return values[0] + values[1]
        case "-":
            return values[0] - values[1]
        case "*":
            return values[0] * values[1]
        case "/":
            return values[0] / values[1]
        case _:
            return math.pow(values[0], values[1])


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (0, "0"),
        (-3, "−3"),
        (Fraction(1, 2), "0.5"),
        (Fraction(-1, 8), "−0.125"),
        (Fraction(2, 3), "2/3"),
        (Fraction(-2, 3), "−2/3"),
        (ln(2), "ln 2"),
        (ln(Fraction(2, 3)), "ln (2/3)"),
        (Expression("neg", (ln(2),)), "−ln 2"),
        (over(ROOT_2, 2), "√2/2"),
        (over(2, ROOT_2), "2/√2"),
        (Expression("sqrt", (Fraction(2, 3),)), "√(2/3)"),
        (power(ROOT_2, 2), "(√2)^2"),
        (Expression("exp", (2,)), "e^2"),
        (Expression("exp", (over(ROOT_2, 2),)), "e^(√2/2)"),
        (power(Expression("exp", (2,)), 3), "(e^2)^3"),
        (power(-2, 2), "(−2)^2"),
        (Expression("neg", (power(2, 2),)), "−2^2"),
        (power(2, power(3, 4)), "2^(3^4)"),
        (power(power(2, 3), 4), "(2^3)^4"),
        (Expression("*", (3, ln(2))), "3·ln 2"),
        (Expression("*", (ln(2), 3)), "ln(2)·3"),
        (over(ln(2), 3), "ln(2)/3"),
        (over(Expression("*", (2, ln(3))), 5), "2·ln(3)/5"),
        (power(ln(2), 2), "ln(2)^2"),
        (Expression("+", (ln(2), 1)), "ln 2 + 1"),
        (Expression("-", (1, Expression("+", (2, 3)))), "1 − (2 + 3)"),
        (Expression("-", (Expression("-", (1, 2)), 3)), "1 − 2 − 3"),
        (Expression("+", (2, -3)), "2 + (−3)"),
        (Expression("*", (2, -3)), "2·(−3)"),
        (over(1, over(2, 3)), "1/(2/3)"),
        (over(1, Expression("+", (1, Expression("exp", (-1,))))), "1/(1 + e^(−1))"),
        (Expression("*", (2, PI)), "2·π"),
        (INFINITY, "∞"),
        (MINUS_INFINITY, "−∞"),
        (NOT_A_NUMBER, "nan"),
    ],
)
def test_numbers_are_shown_as_a_person_writes_them(number: Exact, shown: str) -> None:
    assert show(number) == shown


@given(numbers)
def test_what_is_shown_means_the_number(number: Exact) -> None:
    """Read by Python's own grammar, which binds as mathematics does, the text has the same value."""
    text = show(number).replace("−", "-").replace("·", "*").replace("^", "**").replace("π", "PI")
    text = re.sub(r"√(?=\()|√([0-9.]+|e|PI)", lambda match: f"root({match[1]})" if match[1] else "root", text)
    text = re.sub(r"ln (?=\()|ln ([0-9.]+|e|PI)", lambda match: f"log({match[1]})" if match[1] else "log", text)
    text = re.sub(r"[0-9]+(\.[0-9]+)?", lambda match: f"plain('{match[0]}')", text.replace("ln(", "log("))
    names = {"root": Written.root, "log": Written.log, "plain": Written.plain, "e": Written(E), "PI": Written(PI)}
    # Brackets that change nothing are left out, so the last of the forty digits may be another one.
    assert usual_value(eval(text, names).number) == pytest.approx(usual_value(powers_of_e(number)), rel=1e-12, abs=1e-12)


def usual_value(number: Exact) -> float:
    try:
        value = to_float(number)
    except NotANumberError:
        assume(False)
    assume(abs(value) < 1e12)
    return value


def powers_of_e(number: Exact) -> Exact:
    """Return the number with exp written as a power of e, as it is shown."""
    if not isinstance(number, Expression):
        return number
    operands = tuple(map(powers_of_e, number.operands))
    return power(E, operands[0]) if number.operator == "exp" else Expression(number.operator, operands)


class Written:
    """An exact number that Python's operators build."""

    def __init__(self, number: Exact) -> None:
        self.number = number

    @classmethod
    def plain(cls, digits: str) -> Written:
        return cls(Fraction(digits))

    @classmethod
    def root(cls, inner: Written) -> Written:
        return cls(Expression("sqrt", (inner.number,)))

    @classmethod
    def log(cls, inner: Written) -> Written:
        return cls(Expression("ln", (inner.number,)))

    def __neg__(self) -> Written:
        return Written(Expression("neg", (self.number,)))

    def __add__(self, other: Written) -> Written:
        return Written(Expression("+", (self.number, other.number)))

    def __sub__(self, other: Written) -> Written:
        return Written(Expression("-", (self.number, other.number)))

    def __mul__(self, other: Written) -> Written:
        return Written(Expression("*", (self.number, other.number)))

    def __truediv__(self, other: Written) -> Written:
        return Written(over(self.number, other.number))

    def __pow__(self, other: Written) -> Written:
        return Written(power(self.number, other.number))


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (Fraction(1, 8), "0.125"),
        (Fraction(-1, 8), "-0.125"),
        (Fraction(7), "7"),
        (Fraction(3, 10**12), "0.000000000003"),
        (Fraction(1, 10**13), None),
        (Fraction(1, 3), None),
        (Fraction(12345, 100), "123.45"),
    ],
)
def test_terminating(number: Fraction, text: str | None) -> None:
    assert terminating(number) == text


@given(st.decimals(allow_nan=False, allow_infinity=False, places=6).map(Fraction))
def test_a_terminating_decimal_is_the_number(number: Fraction) -> None:
    text = terminating(number)
    assert text is not None
    assert Fraction(text) == number
    assert not ("." in text and text.endswith("0"))


@given(anything)
def test_text_round_trip(number: Exact) -> None:
    text = to_text(number)
    assert text.isascii()
    assert from_text(text) == number


@pytest.mark.parametrize(
    "text",
    [
        "",
        " 3",
        "3 ",
        "1.5",
        "1e9999999999",
        "1/0",
        "1/-2",
        "+3",
        "٣",
        "neg()",
        "neg(1,2)",
        "+(1)",
        "+(1,)",
        "+(1 2)",
        "+(neg(1)neg(2))",
        "+(1,2",
        "+(1,2))",
        "e",
        "e(1)",
        "cos(1)",
        "__import__(1)",
        "neg(" * 10_000 + "1" + ")" * 10_000,
        "9" * 10_000,
    ],
)
def test_other_text_is_refused_at_once(text: str) -> None:
    start = time.perf_counter()
    with pytest.raises(ValueError, match=r".+"):
        from_text(text)
    assert time.perf_counter() - start < 0.05


@given(st.text("0123456789/-+*^(),.neglxpsqrt ", max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        number = from_text(text)
    except ValueError:
        return
    assert from_text(to_text(number)) == number
