"""Numbers, matrices and inputs in LaTeX, for MathJax and Markdown."""

from __future__ import annotations

from fractions import Fraction

from question_bank.exact import Exact, Expression, show, terminating
from question_bank.math import MathError, parse, to_latex
from question_bank.math.shown import read_shown
from question_bank.program import Nested, Shape
from solvers.operations.base import symbol
from solvers.steps import Table

_WORDS = {"−": "-", "∞": r"\infty", "·": r"\cdot", "…": r"\cdots", "π": r"\pi"}


def formula(latex: str) -> str:
    """Return a formula of the content in canonical LaTeX; what can't be read stays as it is."""
    try:
        return to_latex(parse(latex))
    except (MathError, ValueError):
        return latex


def line(text: str) -> str:
    """Write a line of arithmetic, such as ``e^(−0.5) = 0.6065``."""
    return to_latex(read_shown(text))


def input_formula(name: str, value: Nested | Shape) -> str:
    """Write an input: its name and its numbers, or its shape."""
    if isinstance(value, Shape):
        return rf"{symbol(name)} : [{', '.join(map(str, value.dimensions))}]"
    return f"{symbol(name)} = {nested(value)}"


def nested(value: Nested) -> str:
    """Write exact numbers: a number, a row, a matrix."""
    return _array(value, exact) if isinstance(value, tuple) else exact(value)


def table(value: Table) -> str:
    """Write displayed numbers: a number, a row, a matrix."""
    return _array(value, shown) if isinstance(value, tuple) else shown(value)


def _array(value: tuple[object, ...], write: object) -> str:
    if not isinstance(value[0], tuple):
        return _matrix((value,), write)
    if not isinstance(value[0][0], tuple):
        return _matrix(value, write)
    return r"\left[ " + ", ".join(_array(part, write) for part in value if isinstance(part, tuple)) + r" \right]"


def _matrix(rows: tuple[object, ...], write: object) -> str:
    assert callable(write)
    lines = [" & ".join(write(cell) for cell in row) for row in rows if isinstance(row, tuple)]
    return r"\begin{bmatrix} " + r" \\ ".join(lines) + r" \end{bmatrix}"


def shown(number: str) -> str:
    """Write a displayed number, such as ``−0.5``, ``nan`` or ``3 MiB``."""
    text = "".join(_WORDS.get(symbol, symbol) for symbol in number)
    if text.startswith("-inf"):
        return r"-\infty"
    if text == "inf":
        return r"\infty"
    return rf"\text{{{text}}}" if any(symbol.isalpha() for symbol in number) and "\\" not in text else text


def exact(number: Exact) -> str:
    r"""Write an exact number: ``\frac{2}{3}``, ``\ln 2``, ``-\infty``."""
    if isinstance(number, int):
        return str(number)
    if isinstance(number, Fraction):
        decimal = terminating(number)
        sign = "-" if number < 0 else ""
        return decimal if decimal is not None else rf"{sign}\frac{{{abs(number.numerator)}}}{{{number.denominator}}}"
    return _expression(number)


def _expression(number: Expression) -> str:
    parts = [exact(operand) for operand in number.operands]
    match number.operator:
        case "e":
            return "e"
        case "pi":
            return r"\pi"
        case "inf":
            return r"\infty"
        case "nan":
            return r"\text{nan}"
        case "sqrt":
            return rf"\sqrt{{{parts[0]}}}"
        case "exp":
            return f"e^{{{parts[0]}}}"
        case "ln":
            return rf"\ln {_bracketed(number.operands[0])}"
        case "neg":
            return f"-{_term(number.operands[0])}"
        case "/":
            return rf"\frac{{{parts[0]}}}{{{parts[1]}}}"
        case "^":
            return f"{_bracketed(number.operands[0])}^{{{parts[1]}}}"
        case "*":
            return r" \cdot ".join(map(_bracketed, number.operands))
        case "+" | "-":
            return f"{parts[0]} {number.operator} {_term(number.operands[1])}"


def _term(number: Exact) -> str:
    """Write what stands behind a plus or a minus; in brackets where it is a sum or has a sign of its own."""
    is_sum = isinstance(number, Expression) and number.operator in ("+", "-", "neg")
    return exact(number) if isinstance(number, Expression) and not is_sum else _bracketed(number)


def _bracketed(number: Exact) -> str:
    """Write an operand; in brackets unless it is a name or a number without a sign."""
    text = exact(number)
    plain = show(number)
    return text if plain.replace(".", "").isalnum() or plain in "∞π" else rf"\left({text}\right)"
