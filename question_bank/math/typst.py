"""Write a tree as the source of a Typst equation (0.13 or later)."""

from __future__ import annotations

from question_bank.math.symbols import FUNCTIONS, PARTNER, SHOWN_DELIMITER, Accent, Delimiter, MatrixKind, Style, Width, glyph
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

_BLANKS = {
    Width.THIN: "thin", Width.MEDIUM: "med", Width.THICK: "thick", Width.WORD: "space", Width.QUAD: "quad",
    Width.DOUBLE_QUAD: "wide",
}  # fmt: skip
_ACCENTS = {
    Accent.HAT: "hat", Accent.BAR: "macron", Accent.TILDE: "tilde", Accent.DOT: "dot", Accent.VECTOR: "arrow",
    Accent.OVERLINE: "overline",
}  # fmt: skip
_STYLES = {
    Style.ITALIC: "italic({})", Style.BOLD: "bold(upright({}))", Style.BLACKBOARD: "bb({})", Style.CALLIGRAPHIC: "cal({})",
    Style.MONO: "mono({})",
}  # fmt: skip
_FENCES = {
    Delimiter.LEFT_BAR: "abs", Delimiter.LEFT_DOUBLE_BAR: "norm", Delimiter.LEFT_FLOOR: "floor", Delimiter.LEFT_CEILING: "ceil"
}  # fmt: skip


def to_typst(node: Node) -> str:
    """Write a formula in Typst math, without dollar signs.

    Letters stand apart, since letters side by side would be the name of a variable; commas and semicolons are escaped, since in
    the arguments of a function they would part them.
    """
    match node:
        case Number(text):
            return _quoted(text) if "," in text else text
        case Symbol(name):
            found = glyph(name)
            assert found is not None
            return found.typst
        case Function(name):
            return name if name in FUNCTIONS else f"op({_quoted(name)})"
        case Words(text):
            return _quoted(text)
        case Styled(Style.ROMAN, text):
            return _quoted(text)
        case Styled(style, text):
            return _STYLES[style].format(text if len(text) == 1 else _quoted(text))
        case Space(width):
            return _BLANKS[width]
        case Row(items):
            return _row(items)
        case Fraction(numerator, denominator):
            return f"frac({to_typst(numerator)}, {to_typst(denominator)})"
        case Root(radicand, index):
            return f"sqrt({to_typst(radicand)})" if index is None else f"root({to_typst(index)}, {to_typst(radicand)})"
        case Script():
            return _script(node)
        case Fenced():
            return _fenced(node)
        case Accented(accent, body):
            return f"{_ACCENTS[accent]}({to_typst(body)})"
        case Matrix(MatrixKind.CASES, rows):
            # An & aligns and leaves no gap; without one, −∞ and j > i would read as one product.
            return f"cases({', '.join(' & quad '.join(map(_cell, cells)) for cells in rows)})"
        case Matrix(kind, rows):
            delimiter = "(" if kind == MatrixKind.PARENTHESES else "["
            return f'mat(delim: "{delimiter}", {"; ".join(", ".join(map(_cell, cells)) for cells in rows)})'


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _row(items: tuple[Node, ...]) -> str:
    text = ""
    quoted = True
    for item in items:
        part = to_typst(item)
        is_quoted = isinstance(item, Words | Styled | Number) and '"' in part
        text += part if quoted or is_quoted else f" {part}"  # a blank beside quoted text would show
        quoted = is_quoted
    return text


def _cell(node: Node) -> str:
    return to_typst(node) or '""'


def _script(node: Script) -> str:
    base = to_typst(node.base)
    if isinstance(node.base, Row | Script):
        parts = [base]
        parts += [] if node.sup is None else [f"t: {to_typst(node.sup)}"]
        parts += [] if node.sub is None else [f"b: {to_typst(node.sub)}"]
        return f"attach({', '.join(parts)})"
    sub = "" if node.sub is None else f"_{_argument(node.sub)}"
    sup = "" if node.sup is None else f"^{_argument(node.sup)}"
    return base + sub + sup


def _argument(node: Node) -> str:
    text = to_typst(node)
    return text if len(text) == 1 and text not in '"\\#$' else f"({text})"


def _fenced(node: Fenced) -> str:
    body = to_typst(node.body)
    if node.right != PARTNER[node.left]:
        return f"lr(\\{node.left} {body} \\{node.right})"
    if node.left in _FENCES:
        return f"{_FENCES[node.left]}({_cell(node.body)})"
    return SHOWN_DELIMITER[node.left] + body + SHOWN_DELIMITER[node.right]
