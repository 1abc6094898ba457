"""Reading typed answers: single numbers, counts, percentages, sizes; what is said about what can't be read."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from question_bank.exact import INFINITY, MINUS_INFINITY, NOT_A_NUMBER, Exact, Expression, to_float
from question_bank.program import AnswerFormat, Kind
from solvers.answers import MAX_CHARACTERS, Answer, Unreadable, read, read_value

NUMBER = AnswerFormat(Kind.NUMBER, decimals=3)
EXPRESSION = AnswerFormat(Kind.EXPRESSION, decimals=4)
PERCENT = AnswerFormat(Kind.PERCENT, decimals=0)
INTEGER = AnswerFormat(Kind.INTEGER)
BYTES = AnswerFormat(Kind.BYTES)
SHAPE = AnswerFormat(Kind.SHAPE)
VECTOR = AnswerFormat(Kind.VECTOR, decimals=3, dimensions=(3,))
MATRIX = AnswerFormat(Kind.MATRIX, decimals=2, dimensions=(2, 2))
ORDER = AnswerFormat(Kind.ORDER, symbols=("n", "d"))
NAMED = AnswerFormat(Kind.NAMED_SHAPE, symbols=("B", "h", "S_dec", "S_enc", "d_k"))
CHOICE = AnswerFormat(Kind.CHOICE, choices=4)
YES_NO = AnswerFormat(Kind.YES_NO)
LINE = AnswerFormat(Kind.LINE, decimals=0, choices=7)
FORMS = (NUMBER, EXPRESSION, PERCENT, INTEGER, BYTES, SHAPE, VECTOR, MATRIX, ORDER, NAMED, CHOICE, YES_NO, LINE)

_SPECIAL = {"inf": INFINITY, "-inf": MINUS_INFINITY, "nan": NOT_A_NUMBER}


def answer(typed: str, form: AnswerFormat) -> Answer:
    found = read(typed, form)
    assert isinstance(found, Answer), found
    return found


def refusal(typed: str, form: AnswerFormat) -> Unreadable:
    found = read(typed, form)
    assert isinstance(found, Unreadable), found
    return found


def same_number(value: Exact, expected: str) -> bool:
    """Compare exactly; after a ~ to twelve digits, and then the value has to be an expression."""
    if expected.startswith("~"):
        return isinstance(value, Expression) and math.isclose(
            to_float(value), float(expected[1:]), rel_tol=1e-12, abs_tol=1e-12
        )
    return value == _SPECIAL[expected] if expected in _SPECIAL else value == Fraction(expected)


# Numbers: typed, value, decimal places, significant digits (None for an exact form) -----------------------------------------

NUMBERS: tuple[tuple[str, str, int | None, int | None], ...] = (
    ("0.742", "0.742", 3, 3),
    ("0.20", "0.2", 2, 2),
    ("7", "7", 0, 1),
    ("7.", "7", 0, 1),
    (".742", "0.742", 3, 3),
    ("+.742", "0.742", 3, 3),
    ("-0.742", "-0.742", 3, 3),
    ("−0.742", "-0.742", 3, 3),
    ("–0.742", "-0.742", 3, 3),
    ("—0.742", "-0.742", 3, 3),
    ("‐0.742", "-0.742", 3, 3),
    ("－0.742", "-0.742", 3, 3),
    ("﹣0.742", "-0.742", 3, 3),
    ("- 0.742", "-0.742", 3, 3),
    ("０．７４２", "0.742", 3, 3),
    ("0。742", "0.742", 3, 3),
    ("𝟎.𝟕𝟒𝟐", "0.742", 3, 3),
    ("0.742\u200b", "0.742", 3, 3),
    ("\ufeff\u200e0.742\u2069", "0.742", 3, 3),
    ("0.\u00ad742", "0.742", 3, 3),
    ("\u00a0\u20070.742\u3000", "0.742", 3, 3),
    ("0.742\r\n", "0.742", 3, 3),
    ("7.42E-01", "0.742", 3, 3),
    ("7.42e−1", "0.742", 3, 3),
    ("742e-3", "0.742", 3, 3),
    ("742*10^-3", "0.742", 3, 3),
    ("742·10⁻³", "0.742", 3, 3),
    ("7.42×10^-1", "0.742", 3, 3),
    ("7.42 × 10^(-1)", "0.742", 3, 3),
    ("7.42x10^-1", "0.742", 3, 3),
    ("7.42 \\cdot 10^{-1}", "0.742", 3, 3),
    ("7.42 \\times 10^{-1}", "0.742", 3, 3),
    ("1.e+00", "1", 0, 1),
    ("5.0000e-01", "0.5", 5, 5),
    ("2e3", "2000", 0, 1),
    ("1.50e2", "150", 0, 3),
    ("1e399", "1e399", 0, 1),
    ("1e-399", "1e-399", 399, 1),
    ("0", "0", 0, 1),
    ("-0.0", "0", 1, 1),
    ("0.000", "0", 3, 1),
    ("0e5", "0", 0, 1),
    ("0.7%", "0.007", 3, 1),
    ("70 ％", "0.7", 2, 2),
    ("70 percent", "0.7", 2, 2),
    ("7e-1%", "0.007", 3, 1),
    ("0,742", "0.742", 3, 3),
    ("-0,5", "-0.5", 1, 1),
    ("0，5", "0.5", 1, 1),
    ("1234,5", "1234.5", 1, 5),
    ("0{,}5", "0.5", 1, 1),
    ("1,234.5", "1234.5", 1, 5),
    ("1,234,567", "1234567", 0, 7),
    ("1_234.5", "1234.5", 1, 5),
    ("x = 0.742", "0.742", 3, 3),
    ("A_{12} = 0.742", "0.742", 3, 3),
    ("O[1, 0] := 0.742", "0.742", 3, 3),
    ("softmax(z) ≈ 0.742", "0.742", 3, 3),
    ("答案：0.742", "0.742", 3, 3),
    ("= 0.742", "0.742", 3, 3),
    ("0.742.", "0.742", 3, 3),
    ("0.742;", "0.742", 3, 3),
    ("0.742,", "0.742", 3, 3),
    ("$0.742$", "0.742", 3, 3),
    ("\\(0.742\\)", "0.742", 3, 3),
    ("`0.742`", "0.742", 3, 3),
    ("“0.742”", "0.742", 3, 3),
    ("```text\n0.742\n```", "0.742", 3, 3),
    ("(0.742)", "0.742", 3, 3),
    ("[0.742]", "0.742", 3, 3),
    ("[[0.742]]", "0.742", 3, 3),
    ("tensor(0.742)", "0.742", 3, 3),
    ("tensor(0.742, dtype=torch.float64, grad_fn=<DivBackward0>)", "0.742", 3, 3),
    ("np.float64(0.742)", "0.742", 3, 3),
    ("1/8", "1/8", None, None),
    ("-3/4", "-3/4", None, None),
    ("3/-4", "-3/4", None, None),
    ("\\frac{3}{4}", "3/4", None, None),
    ("\\frac34", "3/4", None, None),
    ("½", "1/2", None, None),
    ("-¾", "-3/4", None, None),
    ("2½", "5/2", None, None),
    ("1⁄8", "1/8", None, None),
    ("2^3", "8", None, None),
    ("2ˆ3", "8", None, None),
    ("2**3", "8", None, None),
    ("2³", "8", None, None),
    ("10⁻³", "1/1000", None, None),
    ("10^-300", "1e-300", None, None),
    ("2^-2", "1/4", None, None),
    ("2^3^2", "512", None, None),
    ("-3^2", "-9", None, None),
    ("(-3)^2", "9", None, None),
    ("1 - 2", "-1", None, None),
    ("2-5", "-3", None, None),
    ("2·3 + 4", "10", None, None),
    ("2(3)", "6", None, None),
    ("√9", "3", None, None),
    ("√(1/4)", "1/2", None, None),
    ("e^0", "1", None, None),
    ("ln 1", "0", None, None),
    ("√2", "~1.4142135623730951", None, None),
    ("sqrt 2", "~1.4142135623730951", None, None),
    ("sqrt(2)/2", "~0.7071067811865476", None, None),
    ("1/sqrt(2)", "~0.7071067811865476", None, None),
    ("√2/2", "~0.7071067811865476", None, None),
    ("2√3", "~3.4641016151377544", None, None),
    ("2 sqrt(3)", "~3.4641016151377544", None, None),
    ("\\sqrt{3}", "~1.7320508075688772", None, None),
    ("\\frac{\\sqrt{2}}{2}", "~0.7071067811865476", None, None),
    ("e", "~2.718281828459045", None, None),
    ("exp(1)", "~2.718281828459045", None, None),
    ("2·e", "~5.43656365691809", None, None),
    ("e^(√2/2)", "~2.0281149816474726", None, None),
    ("1/(1+2e^(√2/2))", "~0.19777581464042818", None, None),
    ("\\frac{1}{1 + 2 e^{\\sqrt{2}/2}}", "~0.19777581464042818", None, None),
    ("ln 2", "~0.6931471805599453", None, None),
    ("ln(3)/2", "~0.5493061443340549", None, None),
    ("math.sqrt(2)", "~1.4142135623730951", None, None),
    ("π/4", "~0.7853981633974483", None, None),
    ("2^0.5", "~1.4142135623730951", None, None),
    ("√2 - √2", "~0", None, None),
    ("inf", "inf", None, None),
    ("+∞", "inf", None, None),
    ("−∞", "-inf", None, None),
    ("-np.inf", "-inf", None, None),
    ("float('-inf')", "-inf", None, None),
    ("负无穷", "-inf", None, None),
    ("-\\infty", "-inf", None, None),
    ("NaN", "nan", None, None),
)


@pytest.mark.parametrize(("typed", "value", "decimals", "significant"), NUMBERS)
def test_number(typed: str, value: str, decimals: int | None, significant: int | None) -> None:
    for form in (NUMBER, EXPRESSION):
        found = answer(typed, form)
        assert found.dimensions == ()
        (cell,) = found.cells
        assert same_number(cell.value, value)
        assert (cell.decimals, cell.significant) == (decimals, significant)
        assert isinstance(cell.value, int) == (isinstance(cell.value, int | Fraction) and cell.value.denominator == 1)


NO_NUMBERS = (
    ("", "Nothing has been typed"),
    (" \t\n\u200b\ufeff", "Nothing has been typed"),
    ("2e", "exponent after e is missing"),
    ("0.5 + 2E", "exponent after e is missing"),
    ("e2", "“e2” is not a number"),
    ("exp2", "“exp2” is not a number"),
    ("1.2.3", "“1.2.3” is not a number"),
    ("1..2", "is not a number"),
    (".", "not part of a number"),
    ("-", "incomplete"),
    ("1 +", "incomplete"),
    ("--1", "doesn't belong there"),
    ("+-1", "doesn't belong there"),
    ("* 2", "doesn't belong there"),
    ("2××3", "doesn't belong there"),
    ("——2", "doesn't belong there"),
    ("(1+2)3", "doesn't belong there"),
    ("2 3", "2 numbers were read: 2, 3"),
    ("1 -2", "2 numbers were read: 1, -2"),
    ("0.3, 0.7", "2 numbers were read: 0.3, 0.7"),
    ("1 2 3 4 5", "5 numbers were read: 1, 2, 3, …"),
    ("[0,5]", "2 numbers were read: 0, 5"),
    ("1 2/3", "Write 1+2/3 or 1·2/3"),
    ("1 ½", "Write 1+½ or 1·½"),
    ("1\\frac{2}{3}", "a mixed number or a product?"),
    ("1,234", "can be read as 1.234 or as 1234"),
    ("-12,345", "can be read as 12.345 or as 12345"),
    ("1,234 · 2,5", "can be read as 1.234 or as 1234"),
    ("1.234,5", "although a dot marks the decimals"),
    ("1.234,567", "although a dot marks the decimals"),
    ("1,23,456", "groups of three"),
    ("1_2", "groups of three"),
    ("1/2√2", "two ways from “√”"),
    ("1/2(3)", "two ways from “(”"),
    ("0.1(6)", "two ways from “(”"),
    ("0.(3)", "two ways from “(”"),
    ("2^3(4)", "two ways from “(”"),
    ("√2π", "two ways from “π”"),
    ("ln 2/3", "two ways from “/”"),
    ("ln 2^3", "two ways from “^”"),
    ("0·742", "a decimal point or a product?"),
    ("7.42×10-1", "lost its superscript"),
    ("log(2)", "to which base?"),
    ("log_2 8", "to which base?"),
    ("lg 2", "to which base?"),
    ("9**9**9", "too large"),
    ("5^(5^(5^5))", "too large"),
    ("9^9^9^9^9", "too large"),
    ("1e400", "too large"),
    ("1e99999999999", "too large"),
    ("1e-401", "too small"),
    ("e^1000", "too large"),
    ("e^(-1000)", "too small"),
    ("e^(-1000√2)", "too small"),
    ("e^(e^(e^9))", "too large"),
    ("9" * 61, "61 digits is too long"),
    ("0." + "1" * 60, "61 digits is too long"),
    ("√(-1)", "no real value"),
    ("√(1-√2)", "no real value"),
    ("(-8)^(1/3)", "no real value"),
    ("ln 0", "no real value"),
    ("0^0", "no real value"),
    ("1/(√2-√2)", "no real value"),
    ("1/0", "divide by 0"),
    ("2 + inf", "must stand alone"),
    ("1/3 %", "“%” (character 5)"),
    ("0.7‰", "“‰” (character 4)"),
    ("|-5|", "“|” (character 1)"),
    ("5!", "“!” (character 2)"),
    ("1+2j", "“j” (character 4)"),
    ("0x10", "“x” (character 2)"),
    ("5 m", "“m” (character 3)"),
    ("0.5 (approx)", "“approx”"),
    ("1/2 = 0.5", "“=” (character 5)"),
    ("sqrt(2) = 1.41", "“=” (character 9)"),
    ("<0.5", "“<” (character 1)"),
    ("0.5±0.1", "“±” (character 4)"),
    ("٣", "“٣” is not one of the digits 0 to 9"),
    ("०.५", "is not one of the digits 0 to 9"),
    ("Ⅳ", "is not one of the digits 0 to 9"),
    ("①", "is not one of the digits 0 to 9"),
    ("五", "is not one of the digits 0 to 9"),
    ("\x1b[31m0.5", "U+001B"),
    ("\ud800", "U+D800"),
    ("∛8", "“∛” (character 1)"),
    ("\\sqrt[3]{8}", "LaTeX “[”"),
    ("\\pm 0.5", "LaTeX “\\pm”"),
    ("\\frac{1}{2", "not closed"),
    ("(1", "“(” (character 1) is not closed"),
    ("1)", "“)” (character 2) has no match"),
    ("(1]", "“]” (character 3) has no match"),
    ("()", "no number in the brackets"),
    ("(" * 40 + "1" + ")" * 40, "nested too deeply"),
    ("√" * 60 + "2", "nested too deeply"),
    ("+".join(["√2"] * 200), "too long"),
    ("0.1 … 0.3", "leaves numbers out"),
    ("__import__('os').system('true')", "not part of a number"),
    ("eval('1+1')", "“eval”"),
    ("open('/etc/passwd').read()", "“open”"),
    ("[b]0.5[/b]", "“b”"),
)


@pytest.mark.parametrize(("typed", "fragment"), NO_NUMBERS, ids=lambda text: repr(text[:40]))
def test_no_number(typed: str, fragment: str) -> None:
    found = refusal(typed, EXPRESSION)
    assert fragment in found.message.en
    assert found.offset is None or 0 <= found.offset < len(typed)


NOTES = (
    ("0,742", NUMBER, "decimal commas"),
    ("1,234.5", NUMBER, "thousands separators"),
    ("1,5 GiB", BYTES, "decimal commas"),
    ("0,2 0,3 0,5", VECTOR, "decimal commas"),
    ("0,2; 0,3; 0,5", VECTOR, "decimal commas"),
    ("0,2, 0,3, 0,5", VECTOR, "read as a separator"),
)


@pytest.mark.parametrize(("typed", "form", "fragment"), NOTES)
def test_what_a_comma_was_taken_for_is_said(typed: str, form: AnswerFormat, fragment: str) -> None:
    (note,) = answer(typed, form).notes
    assert fragment in note.en


def test_nothing_is_said_where_nothing_was_decided() -> None:
    for typed, form in (("0.742", NUMBER), ("[1, 2, 3]", VECTOR), ("1,050,624", INTEGER), ("[0.1,0.2, 0.7]", VECTOR)):
        assert answer(typed, form).notes == ()


# What is echoed and what is said --------------------------------------------------------------------------------------------

ECHOES = (
    ("0.20", NUMBER, "0.20"),
    ("+.5", NUMBER, "0.5"),
    ("−0.0", NUMBER, "0.0"),
    ("1.38e-1", NUMBER, "0.138"),
    ("1e6", NUMBER, "1e6"),
    ("0,5", NUMBER, "0.5"),
    ("0.7 %", NUMBER, "0.7%"),
    ("2/16", NUMBER, "1/8"),
    ("2sqrt(2)", NUMBER, "2·√2"),
    ("−\\frac{\\sqrt{2}}{2}", NUMBER, "-√2/2"),
    ("28 %", PERCENT, "28%"),
    ("1 050 624", INTEGER, "1050624"),
    ("1024mib", BYTES, "1024 MiB"),
    ("2×8×64", SHAPE, "(2, 8, 64)"),
    ("7", SHAPE, "(7,)"),
    ("()", SHAPE, "()"),
    ("0.10 .3", VECTOR, "[0.10, 0.3]"),
    ("1 2; 3 4", MATRIX, "[[1, 2], [3, 4]]"),
    ("[-inf nan]", VECTOR, "[-inf, nan]"),
    ("d n²", ORDER, "O(n²·d)"),
    ("b x h", NAMED, "[B, h]"),
    ("(B)", CHOICE, "b"),
)


@pytest.mark.parametrize(("typed", "form", "echo"), ECHOES)
def test_echo(typed: str, form: AnswerFormat, echo: str) -> None:
    understood = answer(typed, form).understood
    assert (understood.en, understood.zh) == (echo, echo)


def test_yes_and_no_are_echoed_in_each_language() -> None:
    assert answer("对", YES_NO).understood.en == "yes"
    assert answer("n", YES_NO).understood.zh == "否"


def test_what_is_too_long_is_refused_before_anything_looks_at_it() -> None:
    for form in FORMS:
        assert "4001 characters" in refusal("1" * (MAX_CHARACTERS + 1), form).message.en
    assert "4001 characters" in str(read_value("1" * (MAX_CHARACTERS + 1)))
    assert isinstance(read("0.5" + " " * (MAX_CHARACTERS - 3), NUMBER), Answer)


def test_messages_say_what_was_expected_in_both_languages() -> None:
    expected = {
        NUMBER: ("one number", "一个数"), EXPRESSION: ("a formula", "算式"), PERCENT: ("a percentage", "百分数"),
        INTEGER: ("a whole number", "整数"), BYTES: ("a size in bytes", "字节数"), SHAPE: ("a shape", "形状"),
        VECTOR: ("a vector", "向量"), MATRIX: ("a matrix", "矩阵"), ORDER: ("growth in n, d", "n、d"),
        NAMED: ("with B, h, S_dec", "B、h、S_dec"), CHOICE: ("a to d", "a 到 d"), YES_NO: ("yes or no", "“是”或“否”"),
        LINE: ("1 to 7", "1 到 7"),
    }  # fmt: skip
    for form, (english, chinese) in expected.items():
        message = refusal("", form).message
        assert english in message.en
        assert chinese in message.zh


def test_messages_hold_no_dollar_sign_which_would_mark_math() -> None:
    for form in FORMS:
        message = refusal("$$a$ #$", form).message
        assert "$" not in message.en + message.zh


@pytest.mark.parametrize(
    ("typed", "form", "offset"),
    [
        ("0.5 # half", NUMBER, 4),
        ("  0.5 # half", NUMBER, 6),
        ("０．５ ＃", NUMBER, 4),
        ("x = 0.5 q", NUMBER, 8),
        ("\u200b\u200b1 + q", NUMBER, 6),
        ("[1, 2, q]", VECTOR, 7),
        ("n² + m", ORDER, 5),
        ("10⁻³ q", NUMBER, 5),
    ],
)
def test_offset_points_into_the_text_as_typed(typed: str, form: AnswerFormat, offset: int) -> None:
    assert refusal(typed, form).offset == offset
