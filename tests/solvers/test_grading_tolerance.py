"""Tolerance: bounds included, values that end, coarse answers; held against the rule written anew on ``Fraction``."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from question_bank.exact import INFINITY, MINUS_INFINITY, NOT_A_NUMBER, Exact, Expression, ln
from question_bank.program import AnswerFormat, Ask, Kind, Nested, Program, call
from solvers import run
from solvers.comparing import expect, snap
from solvers.grading import grade
from solvers.verdict import Outcome
from tests.solvers.own_programs import judged, number

R, C, W = Outcome.RIGHT, Outcome.COARSE, Outcome.WRONG

TO_DECIMALS = [
    # true value, decimals asked, typed, outcome
    # a value that ends within the digits asked must be met
    ("0.5", 3, "0.5", R),
    ("0.5", 3, "0.500", R),
    ("0.5", 3, "1/2", R),
    ("0.5", 3, "50%", R),
    ("0.5", 3, "sqrt(1/4)", R),
    ("0.5", 3, "0.501", W),
    ("0.5", 3, "0.499999", W),
    ("0.5", 3, "0.500001", W),
    # what float32 and float64 make of it is it
    ("4.8", 1, "4.800000190734863", R),
    ("-3.4", 3, "-3.4000000953674316", R),
    ("5.1", 2, "5.1000004", R),
    ("5.1", 2, "5.10001", W),
    ("0", 3, "-4.4e-8", R),
    ("0.5", 3, "0.49999999999999994", R),
    ("0", 3, "4.440892098500626e-16", R),
    ("0", 3, "-6.123233995736766e-17", R),
    ("4.8", 1, "4.799999999999998", R),
    ("7", 0, "7.000000000000001", R),
    ("0", 3, "1e-5", W),
    ("2500000000000000", 0, "2500000000000001", W),
    ("0.125", 3, "0.125", R),
    ("0.125", 3, "0.126", W),
    ("7", 0, "7", R),
    ("7", 0, "8", W),
    ("7", 0, "7.0", R),
    ("-7", 0, "7", W),
    ("-0.25", 2, "−0.25", R),
    ("7", 3, "7.001", W),
    # another is met within one unit of the last digit asked, bounds included
    ("0.138493", 3, "0.138", R),
    ("0.138493", 3, "0.139", R),
    ("0.138493", 3, "0.137493", R),
    ("0.138493", 3, "0.139493", R),
    ("0.138493", 3, "0.137492999999", W),
    ("0.138493", 3, "0.139493000001", W),
    ("0.138493", 3, "0.14", C),
    ("0.138493", 3, "0.1401", W),
    ("0.138493", 3, "0.137", W),
    ("0.1375", 3, "0.1365", R),
    ("0.1375", 3, "0.1385", R),
    ("0.1375", 3, "0.13649", W),
    ("0.1375", 3, "11/80", R),
    ("-0.1375", 3, "-0.1365", R),
    ("-0.1375", 3, "0.1375", W),
    ("2.5", 0, "3", R),
    ("2.5", 0, "2", R),
    ("2.5", 0, "1.5", R),
    ("2.5", 0, "4", W),
    # fewer digits, rounded rightly, are told so; never 0; an exact form is not rounded
    ("0.197776", 4, "0.2", C),
    ("0.197776", 4, "0.20", C),
    ("0.197776", 4, "0.198", C),
    ("0.197776", 4, "0.197", W),
    ("0.197776", 4, "20%", C),
    ("0.197776", 4, "1/5", W),
    ("0.197776", 4, "2e-1", C),
    ("0.0499", 3, "0", W),
    ("0.0499", 3, "0.0", W),
    ("0.0489", 3, "0.05", C),
    ("0.00049", 3, "0", R),
    ("0.00149", 3, "0.00", W),
    ("0.75", 3, "0.8", C),
    ("0.75", 3, "0.7", C),  # a half may go either way
    ("0.75", 3, "1", C),
    ("0.25", 3, "0", W),
    ("1234.5678", 2, "1234.6", C),
    ("1234.5678", 2, "1235", C),
    ("1234.5678", 2, "1230", W),
    ("-0.197776", 4, "-0.2", C),
    ("-0.197776", 4, "0.2", W),
    # large values keep their decimals, small ones are seen to end
    ("12345678901.2345", 4, "12345678901.2345", R),
    ("12345678901.23451", 4, "12345678901.2347", W),
    ("123456789012.3456", 4, "123456789012.3456", R),
    ("12345678.12345", 4, "12345678.12345", R),
    ("12345678.12345", 4, "12345678.1237", W),
    ("0.00002", 5, "0.00002", R),
    ("0.00002", 5, "0.000021", W),
    ("0.00002", 5, "0.00003", W),
    ("0.000000001", 4, "0", R),
    ("0.000000001", 4, "0.0001", R),
    ("0.000000001", 4, "0.0002", W),
    # infinities
    ("5", 3, "inf", W),
    ("5", 3, "nan", W),
]  # fmt: skip


@pytest.mark.parametrize(("true", "decimals", "typed", "outcome"), TO_DECIMALS)
def test_to_decimals(true: str, decimals: int, typed: str, outcome: Outcome) -> None:
    assert number(true, typed, decimals).outcome is outcome


TO_DIGITS = [
    # true value, significant digits asked, typed, outcome
    ("0.007", 2, "0.7%", R),
    ("0.007", 2, "0.7", W),
    ("0.007", 2, "0.0070", R),
    ("0.007", 2, "0.0071", W),
    ("0.00693", 2, "0.0069", R),
    ("0.00693", 2, "0.007", R),
    ("0.00683", 2, "0.007", C),
    ("0.00683", 2, "0.00", W),
    ("0.00693", 2, "0.00703", R),
    ("0.00693", 2, "0.00704", W),
    ("0.00001", 2, "1e-5", R),
    ("0.00001", 2, "0.000011", W),
    ("1234", 3, "1230", R),
    ("1234", 3, "1244", R),
    ("1234", 3, "1224", R),
    ("1234", 3, "1245", W),
    ("1234", 3, "1223", W),
    ("1234", 3, "1.23e3", R),
    ("1200", 2, "1200", R),
    ("1200", 2, "1201", W),
    ("1.41421356", 4, "1.414", R),
    ("1.41421356", 4, "1.41", C),
    ("1.41421356", 4, "1.4", C),
    ("1.41421356", 4, "1", C),
    ("1.41421356", 4, "1.42", W),
    ("0", 3, "0", R),
    ("0", 3, "0.001", W),
    ("0", 3, "-0.0", R),
]  # fmt: skip


@pytest.mark.parametrize(("true", "significant", "typed", "outcome"), TO_DIGITS)
def test_to_significant_digits(true: str, significant: int, typed: str, outcome: Outcome) -> None:
    assert number(true, typed, significant=significant).outcome is outcome


ROOT, SUM = Expression("sqrt", (2,)), Expression("+", (1, ln(2)))

OTHER_FORMS: list[tuple[Nested, AnswerFormat, str, Outcome]] = [
    (1_050_624, AnswerFormat(Kind.INTEGER), "1,050,624", R),
    (1_050_624, AnswerFormat(Kind.INTEGER), "1050623", W),
    (1_050_624, AnswerFormat(Kind.INTEGER), "1.05e6", W),
    (1_050_624, AnswerFormat(Kind.INTEGER), "1e6", W),
    (2**30, AnswerFormat(Kind.BYTES), "1 GiB", R),
    (2**30, AnswerFormat(Kind.BYTES), "1073741825", W),
    (2**30, AnswerFormat(Kind.BYTES), "1.07 GB", W),
    (2**30, AnswerFormat(Kind.BYTES), "1.07e9", W),
    (Fraction(2835, 10_000), AnswerFormat(Kind.PERCENT, decimals=0), "28", R),
    (Fraction(2835, 10_000), AnswerFormat(Kind.PERCENT, decimals=0), "29%", R),
    (Fraction(2835, 10_000), AnswerFormat(Kind.PERCENT, decimals=0), "29.4", W),
    (Fraction(2835, 10_000), AnswerFormat(Kind.PERCENT, decimals=1), "28", C),
    (Fraction(2835, 10_000), AnswerFormat(Kind.PERCENT, decimals=2), "28.35", R),
    (Fraction(2835, 10_000), AnswerFormat(Kind.PERCENT, decimals=2), "28.36", W),
    (Fraction(2835, 10_000), AnswerFormat(Kind.PERCENT, decimals=2), "0.2835", W),
    (ROOT, AnswerFormat(Kind.EXPRESSION), "sqrt(2)", R),
    (ROOT, AnswerFormat(Kind.EXPRESSION), "2/√2", R),
    (ROOT, AnswerFormat(Kind.EXPRESSION), "1.4142", R),
    (ROOT, AnswerFormat(Kind.EXPRESSION), "1.41", C),
    (ROOT, AnswerFormat(Kind.EXPRESSION), "1.4144", W),
    (ROOT, AnswerFormat(Kind.EXPRESSION), "sqrt(3)", W),
    (SUM, AnswerFormat(Kind.NUMBER, decimals=3), "1 + ln 2", R),
    (SUM, AnswerFormat(Kind.NUMBER, decimals=3), "ln(2·e)", R),
    (Expression("exp", (ln(2),)), AnswerFormat(Kind.NUMBER, decimals=3), "2", R),
    (2, AnswerFormat(Kind.NUMBER, decimals=3), "e^(ln 2)", R),
    # of too many digits to be worked out, but of an ordinary size
    (Fraction(97, 100) ** 30, AnswerFormat(Kind.NUMBER, significant=3), "0.97^30", R),
    (Fraction(97, 100) ** 30, AnswerFormat(Kind.NUMBER, significant=3), "0.97^15 * 0.97^15", R),
    (Fraction(97, 100) ** 30, AnswerFormat(Kind.NUMBER, significant=3), "(1 - 0.03)^29", W),
    (Fraction(101, 100) ** 100, AnswerFormat(Kind.NUMBER, decimals=3), "1.01^100", R),
    (Fraction(-101, 100) ** 99, AnswerFormat(Kind.NUMBER, decimals=3), "(-1.01)^99", R),
    (Fraction(1001, 1000) ** 1000, AnswerFormat(Kind.NUMBER, decimals=3), "1.001^1000", R),
    (2, AnswerFormat(Kind.NUMBER, decimals=3), "e^(0.6931)", W),
    ((INFINITY, MINUS_INFINITY, NOT_A_NUMBER), AnswerFormat(Kind.VECTOR, decimals=2), "[inf, −∞, nan]", R),
    ((INFINITY, MINUS_INFINITY, NOT_A_NUMBER), AnswerFormat(Kind.VECTOR, decimals=2), "[inf, inf, nan]", W),
    ((INFINITY, MINUS_INFINITY, NOT_A_NUMBER), AnswerFormat(Kind.VECTOR, decimals=2), "[inf, -inf, 0]", W),
    ((INFINITY, MINUS_INFINITY, NOT_A_NUMBER), AnswerFormat(Kind.VECTOR, decimals=2), "[99999999, -inf, nan]", W),
    ((Fraction(1, 3), Fraction(2, 3)), AnswerFormat(Kind.VECTOR, decimals=3), "[1/3, 2/3]", R),
    ((Fraction(1, 3), Fraction(2, 3)), AnswerFormat(Kind.VECTOR, decimals=3), "[0.33, 2/3]", C),
    ((Fraction(1, 3), Fraction(2, 3)), AnswerFormat(Kind.VECTOR, decimals=3), "[0.33, 0.6]", W),
    (((1,), (2,)), AnswerFormat(Kind.MATRIX, decimals=0), "1 2", R),
    ((1, 2), AnswerFormat(Kind.VECTOR, decimals=0), "[[1], [2]]", R),
]  # fmt: skip


@pytest.mark.parametrize(("true", "form", "typed", "outcome"), OTHER_FORMS)
def test_other_forms(true: Nested, form: AnswerFormat, typed: str, outcome: Outcome) -> None:
    assert judged(true, typed, form).outcome is outcome


# The rule once more ----------------------------------------------------------------------------------------------------


def _by_the_rule(true: Fraction, decimals: int, typed: str) -> Outcome:
    value = Fraction(Decimal(typed))
    places = len(typed.partition(".")[2])
    unit = Fraction(1, 10**decimals)
    ends = (true * 10**decimals).denominator == 1
    machine = min(unit / 1000, max(Fraction(1), abs(true)) * Fraction("0.0000005"))
    if abs(value - true) <= (machine if ends else unit):
        return R
    rounded = places < decimals and value != 0 and abs(value - true) <= Fraction(1, 10**places) / 2
    return C if rounded else W


DECIMALS = st.integers(0, 5)
TRUE = st.builds(lambda digits, places: Fraction(digits, 10**places), st.integers(-99_999_999, 99_999_999), st.integers(0, 8))
NEAR = st.integers(-25, 25)
"""Tenths of a unit off the true value."""


@st.composite
def _cases(draw: st.DrawFn) -> tuple[Fraction, int, str]:
    true, decimals = draw(TRUE), draw(DECIMALS)
    style = draw(st.integers(0, 3))
    if style == 0:  # exactly so many tenths of a unit off: bounds among them
        value, places = true + Fraction(draw(NEAR), 10 ** (decimals + 1)), 10
    elif style == 1:  # a hair beside a bound
        hair = Fraction(draw(st.sampled_from((-1, 0, 1))), 10**10)
        value, places = true + Fraction(draw(st.sampled_from((-1, 1))), 10**decimals) + hair, 10
    elif style == 2:  # rounded or cut to some number of places
        places = draw(st.integers(0, 8))
        value = Fraction(round(true * 10**places) + draw(st.integers(-1, 1)), 10**places)
    else:
        value, places = draw(TRUE), 8
    return true, decimals, f"{Decimal(value.numerator) / Decimal(value.denominator):.{places}f}"


@given(_cases())
@example((Fraction("0.1375"), 3, "0.1365"))
@example((Fraction("0.1375"), 3, "0.1385"))
@example((Fraction("0.5"), 3, "0.501"))
@example((Fraction("0.05"), 3, "0.0"))
@example((Fraction("0.45"), 3, "0.5"))
@example((Fraction("0.45"), 3, "0.4"))
def test_the_verdict_is_the_rules(case: tuple[Fraction, int, str]) -> None:
    true, decimals, typed = case
    assert number(true, typed, decimals).outcome is _by_the_rule(true, decimals, typed), case


@given(_cases())
def test_a_vector_is_right_when_each_cell_is(case: tuple[Fraction, int, str]) -> None:
    true, decimals, typed = case
    form = AnswerFormat(Kind.VECTOR, decimals=decimals)
    cell = _by_the_rule(true, decimals, typed)
    found = judged((1, true, 2), f"[1; {typed}; 2]", form)
    assert found.outcome is cell
    assert found.wrong_cells == (((1,),) if cell is W else ())


@given(TRUE.filter(bool), DECIMALS)
def test_zero_is_never_coarse(true: Fraction, decimals: int) -> None:
    for zero in ("0", "0.0", "-0", "0%", "0e3"):
        assert number(true, zero, decimals).outcome in (R, W)


@given(TRUE, DECIMALS)
def test_more_digits_and_exact_forms_are_right(true: Fraction, decimals: int) -> None:
    shown = f"{Decimal(true.numerator) / Decimal(true.denominator):.9f}"
    for typed in (shown, f"{true.numerator}/{true.denominator}", f"{shown}000"):
        assert number(true, typed, decimals).outcome is R


@given(TRUE.filter(bool), st.integers(1, 6))
def test_significant_digits_follow_the_size(true: Fraction, significant: int) -> None:
    leading = 0
    while abs(true) >= Fraction(10) ** (leading + 1):
        leading += 1
    while abs(true) < Fraction(10) ** leading:
        leading -= 1
    unit = Fraction(10) ** (leading - significant + 1)
    ends = (true / unit).denominator == 1
    for units in (Fraction(-11, 10), -1, 0, 1, Fraction(11, 10)):
        typed = true + units * unit
        right = typed == true if ends else abs(typed - true) <= unit
        found = number(true, f"{typed.numerator}/{typed.denominator}", significant=significant).outcome
        assert (found is R) is right, (typed, unit)


@given(st.floats(-1e15, 1e15, allow_subnormal=False))
def test_a_result_stands_for_a_rational_beside_it(result: float) -> None:
    value = snap(result)
    assert abs(value - Fraction(result)) <= max(abs(Fraction(result)) / 10**11, Fraction(1, 10**14))
    assert expect(float(value), AnswerFormat(Kind.NUMBER, decimals=3)).value in (value, snap(float(value)))


@given(st.integers(-(10**11), 10**11), st.integers(0, 9))
def test_a_short_decimal_survives_float64(digits: int, places: int) -> None:
    true = Fraction(digits, 10**places)
    if true.denominator != 1:
        noisy = float(true) * (1 + 2**-52)  # what one more operation may leave behind
        assert snap(noisy) == snap(float(true)) == true


# Rounding on the way ---------------------------------------------------------------------------------------------------

VALUES = ((Fraction("71.5"), Fraction(-38)), (Fraction(-12), Fraction("95.5")), (Fraction(60), Fraction(-7)))
LONG_WAY = Program(
    (("Q", ((1, 2), (2, 1))), ("K", ((0, 1), (1, 1), (2, 0))), ("V", VALUES), ("d_k", 2)),
    (
        call("S", "scores", "Q", "K"),
        call("Z", "scale", "S", "d_k"),
        call("A", "softmax", "Z"),
        call("O", "mix", "A", "V"),
    ),
    (Ask("O", AnswerFormat(Kind.VECTOR, decimals=3), (0,)),),
)


def _rounding_by_hand(digits: int) -> list[Decimal]:
    """Row 1 of the output as a person gets it who writes down so many decimals of every line."""

    def near(number: Decimal) -> Decimal:
        return number.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)

    root = near(Decimal(2).sqrt())
    scaled = [near(Decimal(score) / root) for score in (2, 3, 2)]
    powers = [near(score.exp()) for score in scaled]
    weights = [near(power / sum(powers)) for power in powers]
    columns = zip(*[[Decimal(str(float(value))) for value in row] for row in VALUES], strict=True)
    return [
        sum((near(weight * value) for weight, value in zip(weights, column, strict=True)), Decimal(0)) for column in columns
    ]


def _written(numbers: list[Decimal], digits: int) -> str:
    return ", ".join(f"{number:.{digits}f}" for number in numbers)


def _off(numbers: list[Decimal]) -> float:
    (true,) = run.answers(LONG_WAY)
    return max(abs(float(one) - other) for one, other in zip(numbers, true, strict=True))


@pytest.mark.parametrize("digits", [3, 4])
def test_a_person_who_rounds_on_the_way_is_right(digits: int) -> None:
    typed = _rounding_by_hand(digits)
    assert _off(typed) > 0.001, "beyond the tolerance: only the replay makes it right"
    assert grade(LONG_WAY, [_written(typed, digits)]).outcome is R
    assert grade(LONG_WAY, [_written(typed, 3)]).outcome is R


def test_a_person_who_keeps_fewer_decimals_than_asked_is_not() -> None:
    assert grade(LONG_WAY, [_written(_rounding_by_hand(2), 3)]).outcome is W


@pytest.mark.parametrize("digits", [3, 4])
def test_a_unit_beside_the_rounded_way_is_wrong(digits: int) -> None:
    typed = _rounding_by_hand(digits)
    away = Decimal("0.001") if float(typed[0]) > run.answers(LONG_WAY)[0][0] else Decimal("-0.001")
    assert grade(LONG_WAY, [_written([typed[0] + away, typed[1]], digits)]).outcome is W


def test_counts_are_not_met_by_rounding_on_the_way() -> None:
    counted: Exact = 5
    program = Program(
        (("S", (counted,)), ("d_k", 2)), (call("Z", "scale", "S", "d_k"),), (Ask("Z", AnswerFormat(Kind.INTEGER), (0,)),)
    )
    # 5/√2 = 3.54; with √2 rounded to 1, the replay gives 5
    assert grade(program, ["5"]).outcome is not R
