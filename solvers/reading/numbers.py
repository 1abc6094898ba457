"""Numbers, vectors, matrices and shapes: from the folded text to cells."""

from __future__ import annotations

import re
from fractions import Fraction

from question_bank.exact import Exact, Expression, is_finite, rational, show
from question_bank.program import AnswerFormat, Kind, Nested
from question_bank.text import Text, same
from solvers.reading import commas
from solvers.reading.arithmetic import Budget
from solvers.reading.arrays import Reader, Wrap
from solvers.reading.fast import plain_cell
from solvers.reading.folding import Source
from solvers.reading.formulas import formula
from solvers.reading.literals import cell_of, exponent_of_ten, plain_number, special
from solvers.reading.model import Answer, Cell, RefusedError, quoted
from solvers.reading.nested import Leaf, Rows, dimensions, leaves, write
from solvers.reading.tokens import SIGNS, Sort, Token, tokenize
from solvers.reading.wrappers import unwrap_numbers

_LONGEST = 10**60  # what a formula works out is below it; a lone power of ten may be beyond
_DECIMAL = re.compile(r"(?=.?[0-9])([0-9]{0,18}+)(?:\.([0-9]{0,18}+))?+")
_CROSSES = re.compile(r"[\[(]?\s*+[0-9]++(?:\s*+[xX×*·]\s*+[0-9]++)++\s*+[\])]?")
_ROUNDED = re.compile(
    r"[+-]?[0-9][0-9.,]{0,20}+\s*+(?:[kKmMgGbBtT]|[bB]n|thousand|million|billion|[十百千万亿兆]{1,2})\.?", re.IGNORECASE
)


class _Cells:
    """Reads the tokens of one number, again and again, within one budget."""

    def __init__(self, *, percent_asked: bool = False) -> None:
        self._budget = Budget()
        self._percent_asked = percent_asked

    def __call__(self, tokens: list[Token]) -> Leaf:
        at = tokens[0].at
        if len(tokens) == 1 or (len(tokens) == 2 and tokens[0].sort in SIGNS):
            decimal = _DECIMAL.fullmatch(tokens[-1].text)
            if decimal:
                return Leaf(*plain_cell((tokens[0].text, decimal[1] or "0", decimal[2] or "")), at)
        while len(tokens) > 2 and tokens[0].text == "(" and _closing(tokens) == len(tokens) - 1:
            tokens = tokens[1:-1]
        if tokens[-1].text in ("inf", "nan"):
            found = special(tokens)
            if found:
                return Leaf(*found, at)
        plain = plain_number(tokens)
        if plain:
            return Leaf(*cell_of(plain[0], percent=plain[1], percent_asked=self._percent_asked), at)
        quotient = _quotient(tokens)
        if quotient is not None:
            return Leaf(Cell(quotient, None, None), write_exact(quotient), at)
        percent = self._percent_asked and len(tokens) > 1 and tokens[-1].sort == Sort.PERCENT
        value = _power_of_ten(tokens) or formula(tokens[:-1] if percent else tokens, self._budget)
        return Leaf(Cell(value, None, None, percent), write_exact(value) + ("%" if percent else ""), at)


def _closing(tokens: list[Token]) -> int:
    """Return where the bracket that the tokens begin with is closed."""
    depth = 0
    for i, token in enumerate(tokens):
        depth += (token.sort == Sort.OPENING) - (token.sort == Sort.CLOSING)
        if depth == 0:
            return i
    return -1


def _quotient(tokens: list[Token]) -> int | Fraction | None:
    """Return the value of ``1/3``, the most common of formulas, without the grammar."""
    start = len(tokens) - 3
    if start not in (0, 1) or tokens[-2].sort != Sort.OVER or (start == 1 and tokens[0].sort not in SIGNS):
        return None
    above, below = tokens[-3].text, tokens[-1].text
    if not (above.isdigit() and below.isdigit() and len(above) < 20 > len(below)) or not int(below):
        return None
    value = Fraction(-int(above) if tokens[0].sort == Sort.MINUS else int(above), int(below))
    return value.numerator if value.denominator == 1 else value


def _power_of_ten(tokens: list[Token]) -> Exact | None:
    """Return the value of ``10^-3``, which may be smaller or larger than what formulas work out."""
    start = tokens[0].sort in SIGNS
    if len(tokens) < start + 3 or tokens[start].text != "10":
        return None
    power = exponent_of_ten(tokens[start + 1 :])
    if power is None or abs(power) >= 400:
        return None
    value = Fraction(10) ** power * (-1 if tokens[0].sort == Sort.MINUS else 1)
    return value.numerator if value.denominator == 1 else value


def write_exact(value: Exact) -> str:
    """Write an exact form so that it can be typed back as one: ``1/8``, ``√2/2``, ``10^-80``."""
    if isinstance(value, Expression):
        return show(value).replace("−", "-")
    sign = "-" if value < 0 else ""
    above, below = abs(value.numerator), value.denominator
    if max(above, below) >= _LONGEST:
        return f"{sign}10^{len(str(above)) - len(str(below))}"
    return f"{sign}{above}" if below == 1 else f"{sign}{above}/{below}"


def _structure(source: Source, cells: _Cells, *, array: bool, wrap: Wrap = Wrap.ROW_BEGINS) -> Leaf | Rows:
    tokens = tokenize(source)
    if not tokens:
        raise RefusedError(Text("There is no number in that.", "没有读到数字。"))
    return Reader(tokens, cells, array=array, wrap=wrap).read()


def read_number(source: Source, form: AnswerFormat) -> Answer:
    """Read one number, percentage or exact expression.

    Raises:
        RefusedError: It is none, or more than one.
    """
    source, notes = commas.in_number(unwrap_numbers(source))
    return _scalar(source, form, notes)


def read_integer(source: Source, form: AnswerFormat) -> Answer:
    """Read one whole number.

    Raises:
        RefusedError: It is none.
    """
    answer = _scalar(commas.in_count(_not_rounded(unwrap_numbers(source))), form, ())
    value = answer.cells[0].value
    whole = rational(value) if is_finite(value) else Fraction(0)
    if whole is None or whole.denominator != 1 or answer.cells[0].percent:
        raise RefusedError(
            Text("{found} is not a whole number.", "{found} 不是整数。").fill(found=answer.understood),
        )
    return answer


def _not_rounded(source: Source) -> Source:
    if _ROUNDED.fullmatch(source.text):
        raise RefusedError(
            Text("“{found}” is abbreviated; give the whole number.", "“{found}”是缩写；请写出完整的数字。").fill(
                found=quoted(source.text)
            ),
            complete=True,
        )
    return source


def _scalar(source: Source, form: AnswerFormat, notes: tuple[Text, ...]) -> Answer:
    cells = _Cells(percent_asked=form.kind == Kind.PERCENT)
    value = _structure(source, cells, array=False)
    dimensions(value)
    found = leaves(value)
    if len(found) != 1:
        raise _several(found, source)
    return Answer(form, (found[0].cell,), (), understood=same(found[0].text), notes=notes)


def _several(found: list[Leaf], source: Source) -> RefusedError:
    if len(found) == 2 and re.fullmatch(r"[+-]?[0-9]++ (?:[0-9]++/[0-9]++|[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒])", source.text):
        whole, part = source.text.split(" ")
        return RefusedError(
            Text(
                "Is “{found}” a mixed number or a product? Write {whole}+{part} or {whole}·{part}.",
                "“{found}”是带分数还是乘积？请写成 {whole}+{part} 或 {whole}·{part}。",
            ).fill(found=quoted(source.text), whole=whole, part=part),
        )
    if not found:
        return RefusedError(Text("There is no number in the brackets.", "括号里没有数字。"))
    first = [leaf.text for leaf in found[:3]] + ["…"] * (len(found) > 3)
    numbers = Text(", ".join(map(quoted, first)), "、".join(map(quoted, first)))
    return RefusedError(
        Text("{n} numbers were read: {numbers}.", "读到了 {n} 个数：{numbers}。").fill(n=len(found), numbers=numbers)
    )


def read_array(source: Source, form: AnswerFormat) -> Answer:
    """Read a vector or a matrix, of whatever dimensions.

    Raises:
        RefusedError: It is none, or its rows have different lengths.
    """
    value, notes = _array(unwrap_numbers(source), form)
    if isinstance(value, Leaf):
        value = Rows((value,), False, value.at)
    if form.kind == Kind.VECTOR and value.column:
        value = Rows(tuple(item for row in value.items if isinstance(row, Rows) for item in row.items), False, value.at)
    size = dimensions(value)
    if form.kind == Kind.MATRIX and len(size) == 1:
        value, size = Rows((value,), False, value.at), (1, *size)
    found = leaves(value)
    if not found:
        raise RefusedError(Text("There is no number in the brackets.", "括号里没有数字。"))
    return Answer(form, tuple(leaf.cell for leaf in found), size, understood=same(write(value)), notes=notes)


def _array(source: Source, form: AnswerFormat | None) -> tuple[Leaf | Rows, tuple[Text, ...]]:
    """Settle the commas and read the structure; without a format, of one's own numbers."""
    text = source.text
    vector = form is not None and form.kind == Kind.VECTOR
    wrap = Wrap.UNCLEAR if form is None else Wrap.VECTOR_GOES_ON if vector else Wrap.ROW_BEGINS
    role = commas.in_array(text, rows=not vector)
    if role == commas.Role.EITHER:
        return _either(source, form, wrap)
    if role == commas.Role.DECIMAL:
        if form is not None and form.decimals == 0:
            commas.check_decimal(source)
        return _structure(commas.decimal(source), _Cells(), array=True, wrap=wrap), (commas.DECIMAL_COMMA,)
    commas.check_separating(source)
    notes = (commas.SEPARATING,) if commas.mixed(text) else ()
    return _structure(source, _Cells(), array=True, wrap=wrap), notes


def _either(source: Source, form: AnswerFormat | None, wrap: Wrap) -> tuple[Leaf | Rows, tuple[Text, ...]]:
    """Read ``1,2;3,4`` in the one of its two readings that has the dimensions asked."""
    readings = (
        (_structure(source, _Cells(), array=True, wrap=wrap), ()),
        (_structure(commas.decimal(source), _Cells(), array=True, wrap=wrap), (commas.DECIMAL_COMMA,)),
    )
    if form is not None and form.dimensions is not None:
        fitting = [reading for reading in readings if dimensions(reading[0]) == form.dimensions]
        if len(fitting) == 1:
            return fitting[0]
    raise commas.both_readings(source.text, source.origin(0), [write(reading[0]) for reading in readings])


def read_shape(source: Source, form: AnswerFormat) -> Answer:
    """Read a shape with numbers: ``(2, 8, 128, 64)``, ``2x8x128x64``, ``torch.Size([2, 8])``, ``()``.

    Raises:
        RefusedError: It is none.
    """
    source = unwrap_numbers(source)
    if _CROSSES.fullmatch(source.text):
        source = Source(re.sub(r"[xX×*·]", ",", source.text), source.at)
    commas.check_separating(source)
    value = _structure(source, _Cells(), array=True, wrap=Wrap.VECTOR_GOES_ON)
    if isinstance(value, Leaf):
        value = Rows((value,), False, value.at)
    elif value.column:
        value = Rows(tuple(item for row in value.items if isinstance(row, Rows) for item in row.items), False, value.at)
    if len(dimensions(value)) > 1:
        raise RefusedError(Text("A shape is one row of dimensions.", "形状应写成一行数。"))
    found = leaves(value)
    for leaf in found:
        if not isinstance(leaf.cell.value, int) or leaf.cell.percent:
            raise RefusedError(
                Text("Dimensions are whole numbers; {found} is not one.", "形状里的数应是整数，{found} 不是。").fill(
                    found=leaf.text
                ),
                leaf.at,
            )
    shown = ", ".join(leaf.text for leaf in found)
    understood = same(f"({shown},)" if len(found) == 1 else f"({shown})")
    return Answer(form, tuple(leaf.cell for leaf in found), (len(found),), understood=understood)


def read_own(source: Source) -> Nested:
    """Read a person's own scalar, vector or matrix.

    Raises:
        RefusedError: It is none.
    """
    source = unwrap_numbers(source)
    lone = re.fullmatch(r"[+-]?([0-9]+),([0-9]+)", source.text)
    if lone:
        raise RefusedError(
            Text(
                "Is “{found}” one number or two? Write {whole}.{part} for one, {whole} {part} for two.",
                "“{found}”是一个数还是两个数？一个数请写 {whole}.{part}，两个数请写 {whole} {part}。",
            ).fill(found=quoted(source.text), whole=quoted(lone[1]), part=quoted(lone[2]))
        )
    value, _ = _array(source, None)
    if 0 in dimensions(value):
        raise RefusedError(Text("There is no number in the brackets.", "括号里没有数字。"))
    return _nested(value)


def _nested(value: Leaf | Rows) -> Nested:
    return value.cell.value if isinstance(value, Leaf) else tuple(map(_nested, value.items))
