"""The short way: plain decimals in ASCII, alone, in a row or in a matrix, by one regular expression.

It reads what it takes exactly as the long way does (a test holds them together) and leaves everything else alone.
"""

from __future__ import annotations

import re
from fractions import Fraction

from question_bank.program import AnswerFormat, Kind
from question_bank.text import Text
from solvers.reading.model import MAX_CELLS, Answer, Cell

_N = r"[+-]?+[0-9]{1,18}+(?:\.[0-9]{1,18}+)?+"
_COMMAS = rf"{_N}(?:[ ]*+,[ ]*+{_N})*+"
_BLANKS = rf"{_N}(?:[ ]++{_N})++"
_NUMBER = re.compile(r"[ ]*+([+-]?+)([0-9]{1,18}+)(?:\.([0-9]{1,18}+))?+[ \n]*+")
_VECTOR = re.compile(rf"\s*+(?:\[[ ]*+(?:{_COMMAS}|{_BLANKS})[ ]*+\]|{_COMMAS}|{_BLANKS})\s*+")
_MATRIX = re.compile(
    rf"\s*+(?:\[\s*+\[[ ]*+{_COMMAS}[ ]*+\](?:\s*+,\s*+\[[ ]*+{_COMMAS}[ ]*+\])*+\s*+\]"
    rf"|{_BLANKS}(?:[ ]*+\n[ ]*+{_BLANKS})++)\s*+"
)
_SIZES = r"[1-9][0-9]{0,17}+(?:[ ]*+,[ ]++[1-9][0-9]{0,17}+)*+"
_SHAPE = re.compile(rf"\s*+(?:\[[ ]*+({_SIZES})[ ]*+\]|\([ ]*+({_SIZES})[ ]*+\))\s*+")
_PARTS = re.compile(r"([+-]?+)([0-9]++)(?:\.([0-9]++))?+")
_TIGHT_COMMA = re.compile(r"[0-9],[0-9]")
_LEADING_ZERO = re.compile(r"[0-9],0[0-9]")
_BLANK = re.compile(r"\s")
_TEN = tuple(10**places for places in range(19))
_SCALARS = frozenset((Kind.NUMBER, Kind.EXPRESSION, Kind.PERCENT))
_Parts = tuple[str, str, str]


def read_plain(text: str, form: AnswerFormat) -> Answer | None:
    """Read plain decimals; return None for everything else, which the long way reads."""
    if form.kind == Kind.VECTOR:
        return _vector(text, form) if _VECTOR.fullmatch(text) else None
    if form.kind == Kind.MATRIX:
        return _matrix(text, form) if _MATRIX.fullmatch(text) else None
    if form.kind == Kind.SHAPE:
        match = _SHAPE.fullmatch(text)
        return _shape((match[1] or match[2]).split(","), form) if match else None
    if form.kind in _SCALARS:
        match = _NUMBER.fullmatch(text)
        if match:
            cell, shown = plain_cell((match[1], match[2], match[3] or ""))
            return Answer(form, (cell,), (), "", "", Text(shown, shown))
    return None


def plain_cell(parts: _Parts) -> tuple[Cell, str]:
    """Return the cell of a sign, the digits before the dot and those behind it, and the text that stands for it."""
    sign, whole, broken = parts
    digits = (whole + broken).lstrip("0")
    if not digits:
        return Cell(0, len(broken), 1), f"0.{broken}" if broken else "0"
    number = -int(digits) if sign == "-" else int(digits)
    if whole[0] == "0":
        whole = whole.lstrip("0") or "0"
    shown = f"-{whole}" if sign == "-" else whole
    if not broken:
        return Cell(number, 0, len(digits)), shown
    value = Fraction(number, _TEN[len(broken)])
    return (
        Cell(value if value.denominator != 1 else value.numerator, len(broken), len(digits)),
        f"{shown}.{broken}",
    )


def _commas_part(text: str) -> bool:
    """Tell whether the commas are sure to part numbers.

    They are where there is a dot, where none stands directly between digits, and where no blank parts any numbers instead.
    """
    if "," not in text or "." in text or not _TIGHT_COMMA.search(text):
        return True
    return _BLANK.search(text) is None and _LEADING_ZERO.search(text) is None


def _vector(text: str, form: AnswerFormat) -> Answer | None:
    found = _PARTS.findall(text)
    if len(found) > MAX_CELLS or not _commas_part(text):
        return None
    read = [plain_cell(parts) for parts in found]
    shown = "[" + ", ".join([one[1] for one in read]) + "]"
    return Answer(form, tuple([one[0] for one in read]), (len(read),), "", "", Text(shown, shown))


def _shape(sizes: list[str], form: AnswerFormat) -> Answer | None:
    if len(sizes) > MAX_CELLS:
        return None
    written = [size.strip() for size in sizes]
    cells = tuple([Cell(int(size), 0, len(size)) for size in written])
    shown = f"({', '.join(written)})" if len(written) > 1 else f"({written[0]},)"
    return Answer(form, cells, (len(cells),), "", "", Text(shown, shown))


def _matrix(text: str, form: AnswerFormat) -> Answer | None:
    if not _commas_part(text):
        return None
    lines = text[text.index("[") + 1 :].split("]")[:-2] if "[" in text else text.strip().split("\n")
    rows = [_PARTS.findall(line) for line in lines]
    width = len(rows[0])
    if len(rows) * width > MAX_CELLS or any(len(row) != width for row in rows):
        return None
    read = [[plain_cell(parts) for parts in row] for row in rows]
    shown = "[" + ", ".join(["[" + ", ".join([one[1] for one in row]) + "]" for row in read]) + "]"
    cells = tuple([one[0] for row in read for one in row])
    return Answer(form, cells, (len(rows), width), "", "", Text(shown, shown))
