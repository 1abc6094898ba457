"""Write a tree on one line of Unicode, for a terminal.

Brackets are added wherever a line would otherwise say something else than the two-dimensional formula: 1/(1 + x), √(x²),
(a/b)c, ln(a/b). Scripts use Unicode's small characters where all of theirs are in a set that terminal fonts have and that reads
well: digits and signs; below, the index letters i j k l m n t; above, small letters and the transpose. The rest stays on the
line: d_k, W_Q, e^(x+y). A k alone counts as a name there, as q and v do (keys, queries, values), except below a sum: W_k beside
W_q, but ∑ₖ sᵢₖ. So does whatever letters stand below a d: dimensions have names, d_in beside d_out.
"""

from __future__ import annotations

import re
from itertools import pairwise

from question_bank.math.lines import Edge, Line, Piece, Rank
from question_bank.math.parsing import parse
from question_bank.math.symbols import SHOWN_DELIMITER, Accent, Glyph, Kind, MatrixKind, Style, Width, glyph
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

_SUB = dict(zip("0123456789+−=()ijklmnt", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ᵢⱼₖₗₘₙₜ", strict=True))
_SUP = dict(
    zip(
        "0123456789+−()abcdefghijklmnoprstuvwxyzT⊤′*∘",
        "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᵀᵀ′*°",
        strict=True,
    )
)
_SMALL = frozenset("".join((*_SUB.values(), *_SUP.values())))
_MARKS = {
    Accent.HAT: "\u0302", Accent.BAR: "\u0304", Accent.TILDE: "\u0303", Accent.DOT: "\u0307", Accent.OVERLINE: "\u0305",
}  # fmt: skip
"""Marks that go over one letter. The arrow is missing: terminal fonts lack it."""

_DIFFERENTIALS = (Symbol(r"\partial"), Symbol("d"), Styled(Style.ROMAN, "d"))
_BLANKS = {
    Width.THIN: " ", Width.MEDIUM: " ", Width.THICK: " ", Width.WORD: " ", Width.QUAD: "  ", Width.DOUBLE_QUAD: "    "
}  # fmt: skip
_LETTERS_FROM = {Style.BOLD: 0x1D400, Style.BLACKBOARD: 0x1D538, Style.CALLIGRAPHIC: 0x1D49C}
_DIGITS_FROM = {Style.BOLD: 0x1D7CE, Style.BLACKBOARD: 0x1D7D8}
_EARLIER = {
    Style.BLACKBOARD: dict(zip("CHNPQRZ", "ℂℍℕℙℚℝℤ", strict=True)),
    Style.CALLIGRAPHIC: dict(zip("BEFHILMRego", "ℬℰℱℋℐℒℳℛℯℊℴ", strict=True)),
}
"""Letters that Unicode had before it got the alphabets; their places there are empty."""


def to_unicode(formula: Node | str) -> str:
    """Write a formula on one line.

    Args:
        formula: A tree, or LaTeX without dollar signs.

    Raises:
        MathError: The LaTeX can't be read.
    """
    return _piece(parse(formula) if isinstance(formula, str) else formula, tight=False).text


def _piece(node: Node, *, tight: bool) -> Piece:
    """Render a node; tight leaves out the blanks around operators, for scripts."""
    match node:
        case Number(text):
            return Piece(text, head=Edge.NUMBER, tail=Edge.NUMBER)
        case Symbol():
            edge = Edge.BIG if node.kind == Kind.BIG else Edge.PLAIN
            return Piece(_glyph(node).unicode, head=edge, tail=edge)
        case Function(name):
            return Piece(name, head=Edge.FUNCTION, tail=Edge.FUNCTION)
        case Styled(style, text):
            return _name("".join(_letter(style, character) for character in text))
        case Words(text):
            return _name(text) if text.isalnum() else Piece(text, Rank.RELATION, Edge.WORDS, Edge.WORDS)
        case Space(width):
            return Piece(_BLANKS[width])
        case Row(items):
            return _row(items, tight)
        case Fraction():
            return _fraction(node, tight)
        case Root():
            return _root(node, tight)
        case Script():
            return _script(node, tight)
        case Fenced(left, body, right):
            text = SHOWN_DELIMITER[left] + _piece(body, tight=tight).text + SHOWN_DELIMITER[right]
            edge = Edge.BARS if text[0] in "|‖" else Edge.BRACKETS
            return Piece(text, head=edge, tail=edge)
        case Accented(accent, body):
            inner = _piece(body, tight=tight).text
            if len(inner) == 1 and accent in _MARKS:
                return Piece(inner + _MARKS[accent])
            return Piece(f"{accent}({inner})", Rank.POWER, Edge.NAME, Edge.BRACKETS)
        case Matrix(kind, rows):
            cells = [", ".join(_piece(cell, tight=tight).text for cell in line) for line in rows]
            if kind == MatrixKind.CASES:
                text = "{" + "; ".join(cells) + "}"
            else:
                text = f"[{cells[0]}]" if len(cells) == 1 else "[" + ", ".join(f"[{line}]" for line in cells) + "]"
            return Piece(text, head=Edge.BRACKETS, tail=Edge.BRACKETS)


def _glyph(symbol: Symbol) -> Glyph:
    found = glyph(symbol.name)
    assert found is not None
    return found


def _name(text: str) -> Piece:
    edge = Edge.NAME if len(text) > 1 else Edge.PLAIN
    return Piece(text, head=edge, tail=edge)


def _letter(style: Style, character: str) -> str:
    earlier = _EARLIER.get(style, {}).get(character)
    if earlier or style not in _LETTERS_FROM:
        return earlier or character
    if character.isdigit():
        return chr(_DIGITS_FROM[style] + int(character)) if style in _DIGITS_FROM else character
    place = ord(character) - ord("A") if character.isupper() else ord(character) - ord("a") + 26
    return chr(_LETTERS_FROM[style] + place)


def _fraction(node: Fraction, tight: bool) -> Piece:
    above, below = _piece(node.numerator, tight=tight), _piece(node.denominator, tight=tight)
    over = above.text if above.rank == Rank.SIGNED else above.at_least(Rank.IMPLICIT)
    under = below.text if _is_derivative(node) else below.at_least(Rank.POWER)
    return Piece(f"{over}/{under}", Rank.PRODUCT, Edge.FRACTION, Edge.FRACTION)


def _is_derivative(node: Fraction) -> bool:
    """Tell whether a fraction is ∂p/∂z or dy/dx, whose denominator is one thing."""
    above, below = (part.items if isinstance(part, Row) else (part,) for part in (node.numerator, node.denominator))
    first = above[0].base if isinstance(above[0], Script) else above[0]
    single = len(below) == 2 and _piece(below[1], tight=True).rank >= Rank.POWER
    return single and first == below[0] and first in _DIFFERENTIALS


def _root(node: Root, tight: bool) -> Piece:
    inside = _piece(node.radicand, tight=tight)
    bracketed = inside.text.startswith("(") and inside.head == inside.tail == Edge.BRACKETS
    radicand = inside.text if bracketed else inside.at_least(Rank.ATOM)
    if node.index is None:
        return Piece("√" + radicand, Rank.POWER, Edge.ROOT, Edge.ROOT)
    index = _piece(node.index, tight=True)
    if index.text in ("3", "4"):
        return Piece({"3": "∛", "4": "∜"}[index.text] + radicand, Rank.POWER, Edge.ROOT, Edge.ROOT)
    small = _small_sup(node.index)
    if small is not None:
        return Piece(f"{small}√{radicand}", Rank.POWER, Edge.RAISED, Edge.ROOT)
    return Piece(f"{inside.at_least(Rank.ATOM)}^(1/{index.at_least(Rank.POWER)})", Rank.POWER, inside.head)


def _script(node: Script, tight: bool) -> Piece:
    base = _piece(node.base, tight=tight)
    text, rank, head, tail = base.at_least(Rank.ATOM), Rank.ATOM, base.head, base.tail
    if text != base.text:
        head = Edge.BRACKETS
    waits = tail in (Edge.FUNCTION, Edge.BIG)
    if not waits and tail != Edge.NAME:
        tail = Edge.PLAIN
    if node.sub is not None:
        below = _piece(node.sub, tight=True)
        small = _small_sub(node.sub, node.base)
        text += small or "_" + _on_line(below, names=True)
        if small is None and not waits:
            tail = Edge.LOW
    if node.sup is not None:
        above = _piece(node.sup, tight=True)
        small = _small_sup(node.sup)
        text += small or "^" + _on_line(above, names=above.head == Edge.NAME)
        rank = Rank.POWER
        if small is None and not waits:
            tail = Edge.HIGH
        elif tail == Edge.PLAIN:
            tail = Edge.POWER
    if tail in (Edge.LOW, Edge.HIGH) and text.endswith(")"):
        tail = Edge.PLAIN
    return Piece(text, rank, head, tail)


def _small_sub(sub: Node, base: Node) -> str | None:
    of_sum = isinstance(base, Symbol) and base.kind == Kind.BIG
    names = (sub == Symbol("k") and not of_sum) or (base == Symbol("d") and not isinstance(sub, Number))
    return None if names else _small(sub, _SUB)


def _small_sup(sup: Node) -> str | None:
    inner = sup.items[1:] if isinstance(sup, Row) else ()
    return None if any(isinstance(item, Symbol) and item.kind == Kind.BINARY for item in inner) else _small(sup, _SUP)


def _small(node: Node, characters: dict[str, str]) -> str | None:
    """Write a script in small characters, or return None where they lack one or it is a name."""
    items = node.items if isinstance(node, Row) else (node,)
    merging = any(isinstance(one, Number) and isinstance(two, Number) for one, two in pairwise(items))
    if merging or not all(isinstance(item, Symbol | Number) or _is_round(item) for item in items):
        return None
    text = "".join(_piece(item, tight=True).text for item in items)
    small = [characters.get(character) for character in text]
    return None if None in small or re.search("[A-Za-z]{3}", text) else "".join(filter(None, small))


def _is_round(node: Node) -> bool:
    return isinstance(node, Fenced) and isinstance(node.body, Symbol | Number)


def _on_line(piece: Piece, *, names: bool) -> str:
    """Write a script on the line, in brackets unless it is a single character, a number, or letters that read as a name."""
    text = piece.text
    if text.startswith("(") and piece.head == piece.tail == Edge.BRACKETS:
        return text
    single = piece.rank == Rank.ATOM and (len(text) == 1 or piece.tail == Edge.NUMBER)
    if single or (names and text.isalnum() and not _SMALL & set(text)):
        return text
    return f"({text})"


def _row(items: tuple[Node, ...], tight: bool) -> Piece:
    line = Line(tight=tight)
    for item in items:
        if isinstance(item, Space):
            line.blank(_BLANKS[item.width])
        elif isinstance(item, Symbol) and item.kind not in (Kind.ORDINARY, Kind.BIG):
            line.operator(_glyph(item))
        else:
            line.factor(_piece(item, tight=tight))
    return line.piece()
