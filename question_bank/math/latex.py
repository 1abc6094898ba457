"""Write a tree as canonical LaTeX, which ``parse`` reads back into the same tree."""

from __future__ import annotations

import re

from question_bank.math.symbols import FUNCTIONS, Delimiter, Kind
from question_bank.math.tree import (
    Accented,
    Fenced,
    Fraction,
    Function,
    Matrix,
    Node,
    Number,
    Root,
    Row,
    Script,
    Space,
    Styled,
    Symbol,
    Words,
)


def to_latex(node: Node) -> str:
    r"""Write a formula in LaTeX (MathJax too), without dollar signs.

    Brackets get ``\left`` and ``\right`` where what they hold is tall, and only there.

    Raises:
        ValueError: Words hold a backslash, ``^`` or ``~``, which ``\text`` has no plain spelling for.
    """
    match node:
        case Number(text):
            return text.replace(",", "{,}")
        case Symbol(name):
            return name
        case Function(name):
            return f"\\{name}" if name in FUNCTIONS else f"\\operatorname{{{name}}}"
        case Words(text):
            if re.search(r"[\\^~]", text):
                raise ValueError(f"{text!r} can't be written with \\text")
            return r"\text{" + re.sub(r"([{}$%&#_])", r"\\\1", text) + "}"
        case Styled(style, text):
            return f"\\{style}{{{text}}}"
        case Space(width):
            return str(width)
        case Row(items):
            return _row(items, tight=False)
        case Fraction(numerator, denominator):
            return f"\\frac{{{to_latex(numerator)}}}{{{to_latex(denominator)}}}"
        case Root(radicand, index):
            return f"\\sqrt{_index(index)}{{{to_latex(radicand)}}}"
        case Script():
            return _script(node)
        case Fenced():
            return _fenced(node)
        case Accented(accent, body):
            return f"\\{accent}{{{to_latex(body)}}}"
        case Matrix(kind, rows):
            lines = " \\\\ ".join(" & ".join(map(_cell, cells)) for cells in rows)
            return f"\\begin{{{kind}}} {lines} \\end{{{kind}}}"


_RUNS_ON = re.compile(
    r"\\[A-Za-z]+\n[A-Za-z0-9] | [0-9.]\n[0-9] | [0-9]\n\.[0-9] | [_^](\\[A-Za-z]+|[A-Za-z0-9])\n([A-Za-z0-9\\]|\.[0-9])",
    re.VERBOSE,
)
"""Where a part (behind the line break) would be read as part of the text before it, or look so to a person."""


def _row(items: tuple[Node, ...], *, tight: bool) -> str:
    text = ""
    operand = blank = False  # whether an operand stands to the left; whether a blank is due before the next part
    for item in items:
        part = to_latex(item)
        kind = item.kind if isinstance(item, Symbol) and item != Symbol("/") else Kind.ORDINARY
        infix = not tight and (kind == Kind.RELATION or (kind == Kind.BINARY and operand))
        definition = part == "=" and text.endswith(":")
        parted = text and (blank or infix or _RUNS_ON.search(f"{text[-20:]}\n{part[:2]}")) and not definition
        text += f" {part}" if parted else part
        blank = infix or (not tight and kind == Kind.PUNCTUATION)
        operand = kind in (Kind.ORDINARY, Kind.BIG)
    return text


def _index(index: Node | None) -> str:
    if index is None:
        return ""
    text = to_latex(index)
    return f"[{{{text}}}]" if "]" in text else f"[{text}]"


def _cell(node: Node) -> str:
    text = to_latex(node)
    return "{}" + text if text.startswith(("[", "*")) else text  # they would be read as options of \\


def _script(node: Script) -> str:
    base = to_latex(node.base)
    if isinstance(node.base, Row | Script):
        base = f"{{{base}}}"
    sub = "" if node.sub is None else "_" + _argument(node.sub)
    sup = "" if node.sup is None else "^" + _argument(node.sup)
    return base + sub + sup


def _argument(node: Node) -> str:
    text = _row(node.items, tight=True) if isinstance(node, Row) else to_latex(node)
    short = len(text) == 1 or (isinstance(node, Symbol) and text.startswith("\\"))
    return text if short and text not in ",;.:=<>/!" else f"{{{text}}}"


def _fenced(node: Fenced) -> str:
    body = to_latex(node.body)
    if _tall(node.body):
        return f"\\left{node.left} {body} \\right{node.right}"
    named = node.left.startswith("\\") and node.left != Delimiter.LEFT_BRACE
    return f"{node.left} {body} {node.right}" if named else f"{node.left}{body}{node.right}"


def _tall(node: Node) -> bool:
    match node:
        case Fraction() | Matrix():
            return True
        case Script(Symbol(name)) if Symbol(name).kind == Kind.BIG:
            return True
        case Row(items):
            return any(map(_tall, items))
        case Script(inner) | Root(inner) | Accented(_, inner) | Fenced(_, inner, _):
            return _tall(inner)
        case _:
            return False
