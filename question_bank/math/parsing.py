r"""Read a subset of LaTeX math into the tree.

The subset:

- letters, numbers (``0.5``, ``1{,}024``), ``+ - * / = < > : , ; . !``, primes, ``_`` and ``^`` with braces or one character;
- brackets in pairs, with or without ``\left`` and ``\right``: ``( ) [ ] \{ \} | \| \lvert \lVert \lfloor \lceil \langle``;
- ``\frac{}{}``, ``\sqrt{}``, ``\sqrt[n]{}``, ``\hat{}`` and the other accents, ``\text{}``, ``\operatorname{}``, ``\mathrm{}``
  and the other alphabets; arguments stand in braces;
- ``pmatrix``, ``bmatrix``, ``cases``;
- blanks ``\, \: \; \quad \qquad ~``; the symbols, functions and aliases of ``symbols``.

Anything else is a ``MathError``. What TeX would show differently from what its author meant is one too: ``x^12``, two numbers
side by side, a ``|`` without its partner (a bar that stands alone is ``\mid``).

``pylatexenc`` cuts the source into tokens. It is imported on first use (15 ms), because importing the question bank must be
quick; reading a formula then takes a fraction of a millisecond, and each is read once.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NoReturn

from question_bank.math import faults
from question_bank.math.symbols import (
    ALIASES,
    FUNCTIONS,
    PARTNER,
    ROUND_OR_SQUARE,
    Accent,
    Delimiter,
    Kind,
    MatrixKind,
    Style,
    Width,
    glyph,
)
from question_bank.math.tokens import Token, shown, tokenizer
from question_bank.math.tree import (
    Accented,
    Fenced,
    Fraction,
    Function,
    MathError,
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
    row,
)
from question_bank.text import Text

_NUMBER = re.compile(r"[0-9]+(?:\{,\}[0-9]{3})*(?:\.[0-9]+)?|\.[0-9]+")
_NAME = re.compile(r"\s*\{\s*([A-Za-z0-9-]+)\s*\}")
_TEXT = re.compile(r"\s*\{((?:[^\\{}$%&#_^~]|\\[{}$%&#_])*)\}")

_DELIMITERS = {str(delimiter): delimiter for delimiter in Delimiter}
_OPENING = {str(left): (left, right) for left, right in PARTNER.items()}
_BARS = {
    "|": (Delimiter.LEFT_BAR, Delimiter.RIGHT_BAR),
    r"\|": (Delimiter.LEFT_DOUBLE_BAR, Delimiter.RIGHT_DOUBLE_BAR),
}
_CLOSING = frozenset(PARTNER.values()) | {"", "}", r"\right", "&", "\\\\"}
_STYLES = {"\\" + style: style for style in Style}
_ACCENTS = {"\\" + accent: accent for accent in Accent}
_WIDTHS = {str(width): width for width in Width}
_ENVIRONMENTS = {f"\\begin{{{kind}}}": kind for kind in MatrixKind}


@lru_cache(maxsize=2048)
def parse(latex: str) -> Node:
    r"""Read a formula.

    Args:
        latex: The formula, without dollar signs.

    Returns:
        Its tree.

    Raises:
        MathError: It is not in the subset; the message names what was found and where.
    """
    if len(latex) > faults.LONGEST:
        raise MathError(faults.TOO_LONG, faults.LONGEST)
    return _Parser(latex).formula()


class _Parser:
    """Recursive descent over the tokens; ``token`` is the one not yet consumed."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.read = tokenizer(source)
        self.depth = 0
        self.token = self.read(0)

    def fail(self, problem: Text, token: Token | None = None) -> NoReturn:
        at = token or self.token
        raise MathError(problem, at.start, shown(at.text))

    def go_to(self, offset: int) -> None:
        self.token = self.read(offset)

    def take(self) -> Token:
        token = self.token
        self.go_to(token.end)
        return token

    def formula(self) -> Node:
        node = self.row(self.token, frozenset(("",)))
        if node == Row():
            raise MathError(faults.EMPTY, 0)
        return node

    def row(self, opener: Token, closers: frozenset[str]) -> Node:
        """Read up to one of the closers, which stays."""
        self.depth += 1
        if self.depth > faults.DEEPEST:
            self.fail(faults.TOO_DEEP)
        items: list[Node] = []
        while self.token.text not in closers:
            if not self.token.text or self.token.text in _CLOSING or self.token.text.startswith(r"\end{"):
                self.unpaired(opener)
            self.item(items)
        self.depth -= 1
        return row(items)

    def unpaired(self, opener: Token) -> NoReturn:
        if opener.text in _BARS:
            self.fail(faults.LONE_BAR, opener)
        if not self.token.text:
            self.fail(faults.UNCLOSED, opener)
        self.fail(faults.UNOPENED)

    def item(self, items: list[Node]) -> None:
        """Read one thing with its scripts."""
        first = self.token
        atom = self.atom()
        parts = atom.items if isinstance(atom, Row) else (atom,)
        if items and isinstance(items[-1], Number) and parts and _starts_with_digit(parts[0]):
            self.fail(faults.TWO_NUMBERS, first)
        if self.token.text in ("_", "^", "'"):
            if isinstance(atom, Space) or not parts or (isinstance(atom, Symbol) and _binds_nothing(atom)):
                self.fail(faults.NOTHING_LEFT)
            parts = (self.scripts(atom),)
        items.extend(parts)

    def scripts(self, base: Node) -> Node:
        sub: Node | None = None
        sup: Node | None = None
        primes: list[Node] = []
        while self.token.text in ("_", "^", "'"):
            mark = self.take()
            if (mark.text == "_" and sub) or (mark.text != "_" and sup):
                self.fail(faults.TWICE, mark)
            if mark.text == "'":
                primes.append(Symbol(r"\prime"))
            elif mark.text == "_":
                sub = self.script(mark)
            else:
                sup = row((*primes, self.script(mark)))
        return Script(base, sub, sup if sup or not primes else row(primes))

    def script(self, mark: Token) -> Node:
        """Read what stands after ``_`` or ``^``: braces, or one thing."""
        text = self.token.text
        if text == "{":
            return self.braces(mark)
        if text.isascii() and text.isdigit():
            digit = self.take()
            if re.match(r"[0-9]|\.[0-9]", self.source[digit.end :]):
                self.fail(faults.AMBIGUOUS_SCRIPT, mark)
            return Number(digit.text)
        if text in ("*", "+", "-") or (text.isascii() and text.isalpha()) or (text.startswith("\\") and text not in _CLOSING):
            return self.atom()
        self.fail(faults.NO_BRACES, mark)

    def braces(self, owner: Token, *, optional: bool = False) -> Node:
        """Read an argument in braces."""
        if self.token.text != "{":
            self.fail(faults.NO_BRACES, owner)
        opener = self.take()
        node = self.row(opener, frozenset("}"))
        if node == Row() and not optional:
            self.fail(faults.EMPTY_BRACES, opener)
        self.take()
        return node

    def atom(self) -> Node:
        """Read one thing without its scripts."""
        text = ALIASES.get(self.token.text, self.token.text)
        if text == "{":
            return self.braces(self.token, optional=True)
        if number := _NUMBER.match(self.source, self.token.start):
            self.go_to(number.end())
            return Number(number.group().replace("{,}", ","))
        if text in _BARS or text in _OPENING:
            return self.fenced(self.take())
        if text in ("_", "^", "'"):
            self.fail(faults.NOTHING_LEFT)
        if text in _ENVIRONMENTS:
            return self.matrix(_ENVIRONMENTS[text])
        if glyph(text):
            self.take()
            return Symbol(text)
        if text.startswith("\\"):
            return self.macro(text)
        self.fail(faults.UNKNOWN_CHARACTER)

    def macro(self, text: str) -> Node:
        if text[1:] in FUNCTIONS:
            self.take()
            return Function(text[1:])
        if text in _WIDTHS:
            self.take()
            return Space(_WIDTHS[text])
        if text == r"\text":
            return Words(re.sub(r"\\(.)", r"\1", self.raw(_TEXT, faults.NO_TEXT)))
        if text == r"\operatorname":
            return Function(self.raw(_NAME, faults.NO_LETTERS))
        if text in _STYLES:
            at = self.token
            name = self.raw(_NAME, faults.NO_LETTERS)
            if "-" in name:  # a minus sign in these alphabets, a hyphen in \operatorname
                self.fail(faults.NO_LETTERS, at)
            return Styled(_STYLES[text], name)
        owner = self.token
        if text == r"\left":
            return self.stretched(self.take())
        if text == r"\frac":
            self.take()
            return Fraction(self.braces(owner), self.braces(owner))
        if text == r"\sqrt":
            self.take()
            return self.root(owner)
        if text in _ACCENTS:
            self.take()
            return Accented(_ACCENTS[text], self.braces(owner))
        self.fail(faults.UNKNOWN_MACRO)

    def raw(self, pattern: re.Pattern[str], problem: Text) -> str:
        """Read an argument that is not math."""
        found = pattern.match(self.source, self.token.end)
        if found is None:
            self.fail(problem)
        self.go_to(found.end())
        return found.group(1)

    def root(self, owner: Token) -> Node:
        index = None
        if self.token.text == "[":
            opener = self.take()
            index = self.row(opener, frozenset("]"))
            if index == Row():
                self.fail(faults.EMPTY_BRACES, opener)
            self.take()
        return Root(self.braces(owner), index)

    def fenced(self, opener: Token) -> Node:
        """Read from an opening bracket to its partner."""
        if opener.text in _BARS:
            left, right = _BARS[opener.text]
            body = self.row(opener, frozenset((opener.text,)))
            self.take()
            return Fenced(left, body, right)
        left, right = _OPENING[opener.text]
        closers = ROUND_OR_SQUARE if right in ROUND_OR_SQUARE else frozenset((right,))
        body = self.row(opener, frozenset(map(str, closers)))
        return Fenced(left, body, _DELIMITERS[self.take().text])

    def stretched(self, opener: Token) -> Node:
        r"""Read from a ``\left`` to its ``\right``."""
        if self.token.text not in _BARS and self.token.text not in _OPENING:
            self.fail(faults.NO_DELIMITER, opener)
        bracket = self.take().text
        left, partner = _BARS.get(bracket) or _OPENING[bracket]
        body = self.row(opener, frozenset((r"\right",)))
        closer = self.take()
        found = self.token.text
        right = _BARS[found][1] if found in _BARS else _DELIMITERS.get(found)
        if right is None or (right != partner and not {right, partner} <= ROUND_OR_SQUARE):
            self.fail(faults.NO_DELIMITER, closer)
        self.take()
        return Fenced(left, body, right)

    def matrix(self, kind: MatrixKind) -> Node:
        opener = self.take()
        end = f"\\end{{{kind}}}"
        rows: list[list[Node]] = [[]]
        while True:
            rows[-1].append(self.row(opener, frozenset(("&", "\\\\", end))))
            closer = self.take()
            if closer.text == end:
                break
            if closer.text == "\\\\":
                if self.source.startswith("[", closer.end):
                    self.fail(faults.ROW_SPACING, closer)
                rows.append([])
        if len(rows) > 1 and rows[-1] == [Row()]:
            rows.pop()
        if len({len(cells) for cells in rows}) > 1:
            self.fail(faults.RAGGED, opener)
        if rows == [[Row()]]:
            self.fail(faults.EMPTY_BRACES, opener)
        return Matrix(kind, tuple(map(tuple, rows)))


def _binds_nothing(symbol: Symbol) -> bool:
    return symbol.kind in (Kind.BINARY, Kind.PUNCTUATION)


def _starts_with_digit(node: Node) -> bool:
    return isinstance(node, Number) or (isinstance(node, Script) and _starts_with_digit(node.base))
