"""Tokens: numbers, names, operators, brackets and separators, each with its place in the typed text."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple

from question_bank.text import Text
from solvers.reading.folding import Source
from solvers.reading.model import RefusedError, quoted

MAX_TOKENS = 900

FRACTIONS = {
    "½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4), "⅕": (1, 5), "⅖": (2, 5), "⅗": (3, 5), "⅘": (4, 5),
    "⅙": (1, 6), "⅚": (5, 6), "⅐": (1, 7), "⅛": (1, 8), "⅜": (3, 8), "⅝": (5, 8), "⅞": (7, 8), "⅑": (1, 9), "⅒": (1, 10),
}  # fmt: skip
"""Vulgar fractions of one character."""


class Sort(StrEnum):
    """What a token is; an operator's, a bracket's and a separator's value is the sign itself."""

    NUMBER = "number"
    FRACTION = "fraction"
    CONSTANT = "constant"
    FUNCTION = "function"
    PLUS = "+"
    MINUS = "-"
    TIMES = "*"
    OVER = "/"
    POWER = "^"
    PERCENT = "%"
    OPENING = "("
    CLOSING = ")"
    COMMA = ","
    SEMICOLON = ";"
    CELL = "&"
    LINE = "\n"


class Token(NamedTuple):
    """One token.

    Attributes:
        sort: What it is.
        text: The sign, or the number or name as typed.
        at: Where it stood in the typed text.
        blank: Whether a blank stands before it.
    """

    sort: Sort
    text: str
    at: int
    blank: bool


SIGNS = frozenset((Sort.PLUS, Sort.MINUS))
OPERATORS = frozenset((Sort.PLUS, Sort.MINUS, Sort.TIMES, Sort.OVER, Sort.POWER))
SEPARATORS = frozenset((Sort.COMMA, Sort.SEMICOLON, Sort.CELL, Sort.LINE))
OPERAND_STARTS = frozenset((Sort.NUMBER, Sort.FRACTION, Sort.CONSTANT, Sort.FUNCTION, Sort.OPENING))
OPERAND_ENDS = frozenset((Sort.NUMBER, Sort.FRACTION, Sort.CONSTANT, Sort.CLOSING, Sort.PERCENT))

_TOKEN = re.compile(
    r"(?P<number>(?:[0-9]++(?:\.[0-9]*+)?+|\.[0-9]++)(?:[eE][+-]?+[0-9]++)?+)"
    r"|(?P<blank>[ \t]++)"
    r"|(?P<sign>\*\*|[-+*×·/^%()\[\]{},;&\n√∞½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒])"
    r"|(?P<word>[^\W\d_][^\W\d]*+)"
)
_RUN = re.compile(r"\w++|.|\n")
_SIGNS = {sign: sort for sort in Sort if len(sign := sort.value) == 1} | {
    "**": Sort.POWER, "·": Sort.TIMES, "×": Sort.TIMES, "√": Sort.FUNCTION, "∞": Sort.CONSTANT,
    "[": Sort.OPENING, "{": Sort.OPENING, "]": Sort.CLOSING, "}": Sort.CLOSING,
} | dict.fromkeys(FRACTIONS, Sort.FRACTION)  # fmt: skip
_NAMES = {
    "sqrt": "√", "ln": "ln", "exp": "exp", "pi": "π", "π": "π", "inf": "inf", "infinity": "inf", "infty": "inf", "nan": "nan",
    "无穷": "inf", "无穷大": "inf", "正无穷": "inf",
}  # fmt: skip
_new = tuple.__new__  # half the cost of Token(...)
_NUMBER = Sort.NUMBER
_FUNCTIONS = frozenset(("√", "ln", "exp"))


def tokenize(source: Source) -> list[Token]:
    """Cut a text into tokens.

    Raises:
        RefusedError: Something in it is no part of a number or a formula.
    """
    text, at = source.text, source.at
    tokens: list[Token] = []
    blank = False
    position = 0
    for match in _TOKEN.finditer(text):
        start = match.start()
        if start != position:
            break
        position = match.end()
        group, found = match.lastgroup, match[0]
        if group == "blank":
            blank = True
            continue
        if group == "number":
            if tokens and not blank:
                _beside(tokens[-1], found)
            tokens.append(_new(Token, (_NUMBER, found, at[start], blank)))
        elif group == "word":
            _word(tokens, found, text, position, at[start], blank)
        elif found == "\n":
            if tokens and tokens[-1].sort != Sort.LINE:  # an empty line says nothing
                tokens.append(Token(Sort.LINE, found, at[start], blank))
        else:
            tokens.append(_new(Token, (_SIGNS[found], "inf" if found == "∞" else found, at[start], blank)))
        blank = False
        if len(tokens) > MAX_TOKENS:
            raise RefusedError(Text("That is too much for one answer.", "答案里的内容过多。"), at[start])
    if position < len(text):
        run = _RUN.match(text, position)
        raise _unknown(run[0] if run else text[position], at[position])
    if tokens and tokens[-1].sort == Sort.LINE:
        tokens.pop()
    return tokens


def _word(tokens: list[Token], found: str, text: str, end: int, at: int, blank: bool) -> None:
    """Add the token of a name."""
    before = tokens[-1] if tokens else None
    after_number = before is not None and before.sort == Sort.NUMBER and not blank
    lower = found.lower()
    if found in ("e", "E") and after_number and (found == "E" or not text.startswith(("^", "**"), end)):
        assert before is not None
        raise RefusedError(
            Text(
                "“{found}” breaks off: the exponent after e is missing. Write 2e-3, or 2·e for the number e.",
                "“{found}”不完整：e 后面缺少指数。请写成 2e-3；如果是常数 e，请写 2·e。",
            ).fill(found=quoted(before.text + found)),
            before.at,
            complete=True,
        )
    if lower == "x" and before is not None and before.sort == Sort.NUMBER and _TEN.match(text, end):
        tokens.append(Token(Sort.TIMES, "*", at, blank))  # 1.38x10^-1
    elif lower == "percent":
        tokens.append(Token(Sort.PERCENT, "%", at, blank))
    elif found == "负无穷" or found == "负无穷大":
        tokens.append(Token(Sort.MINUS, "-", at, blank))
        tokens.append(Token(Sort.CONSTANT, "inf", at, False))
    elif found == "e":
        tokens.append(Token(Sort.CONSTANT, "e", at, blank))
    elif lower in _NAMES:
        name = _NAMES[lower]
        tokens.append(Token(Sort.FUNCTION if name in _FUNCTIONS else Sort.CONSTANT, name, at, blank))
    elif lower in ("log", "lg") or lower.startswith("log_"):
        raise RefusedError(
            Text(
                "“{found}”: a logarithm to which base? Write ln 2 for the natural one, ln(8)/ln(2) for another base.",
                "“{found}”的底数不明确：自然对数请写 ln 2，其他底数请写成 ln(8)/ln(2)。",
            ).fill(found=quoted(found)),
            at,
        )
    else:
        raise _unknown(found, at)


_TEN = re.compile(r"[ ]*+10(?:\^|\*\*)")


def _beside(before: Token, found: str) -> None:
    """Refuse a number that sticks to what stands before it: 1.2.3, e2, exp2."""
    if before.sort in (Sort.NUMBER, Sort.CONSTANT, Sort.FRACTION, Sort.PERCENT) or before.text == "exp":
        raise RefusedError(
            Text("“{found}” is not a number.", "“{found}”不是一个数。").fill(found=quoted(before.text + found)), before.at
        )


def _unknown(found: str, at: int) -> RefusedError:
    if len(found) == 1 and found.isnumeric() and not found.isascii():
        return RefusedError(
            Text("“{found}” is not one of the digits 0 to 9.", "“{found}”不是 0 到 9 的数字。").fill(found=quoted(found)), at
        )
    return RefusedError(
        Text(
            "“{found}” (character {n}) is not part of a number or a formula.",
            "第 {n} 个字符处的“{found}”既不是数字，也不属于算式。",
        ).fill(found=quoted(found), n=at + 1),
        at,
    )


def starts_cell(tokens: list[Token], i: int, *, array: bool) -> bool:
    """Tell whether a blank before a token parts it from the number before.

    ``1 -2 3`` is three numbers, ``1 - 2`` one formula; in a single number ``2 √3`` is a product, in a row it is two numbers.

    Args:
        tokens: All tokens.
        i: Which of them.
        array: Whether several numbers are expected.
    """
    token = tokens[i]
    if not token.blank or i == 0 or tokens[i - 1].sort not in OPERAND_ENDS:
        return False
    if token.sort in SIGNS:
        return i + 1 < len(tokens) and not tokens[i + 1].blank
    if array or token.text in "[{":
        return token.sort in OPERAND_STARTS
    return token.sort in (Sort.NUMBER, Sort.FRACTION)
