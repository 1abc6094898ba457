"""The tree of a formula.

It is flat where mathematics on paper is flat: a ``Row`` holds factors, operators and relations side by side, and what binds to
what is left to the reader, as in LaTeX. Where two-dimensional notation groups (fractions, roots, scripts, brackets), there is a
node, and a renderer that writes on one line puts brackets there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from question_bank.math.symbols import Accent, Delimiter, Kind, MatrixKind, Style, Width, glyph
from question_bank.text import Text


class MathError(ValueError):
    """A formula can't be read.

    Attributes:
        message: What was found, what was expected, and where, in both languages.
        offset: Where: how many characters stand before it.
    """

    def __init__(self, problem: Text, offset: int, found: str = "") -> None:
        self._problem = problem
        self._found = found
        self.offset = offset
        self.message = problem.fill(offset=offset, found=found)
        super().__init__(self.message.en)

    def moved(self, by: int) -> MathError:
        """Return the same error for a formula that starts later, inside a sentence."""
        return MathError(self._problem, self.offset + by, self._found)


@dataclass(frozen=True, slots=True)
class Number:
    """A number without a sign, as written: ``3``, ``0.5``, ``1,024``."""

    text: str


@dataclass(frozen=True, slots=True)
class Symbol:
    r"""A letter, or a symbol by its canonical LaTeX: ``x``, ``+``, ``\alpha``, ``\sum``.

    Raises:
        ValueError: There is no such symbol.
    """

    name: str

    def __post_init__(self) -> None:
        if glyph(self.name) is None:
            raise ValueError(f"no symbol is called {self.name!r}")

    @property
    def kind(self) -> Kind:
        """What the symbol does to its neighbours."""
        found = glyph(self.name)
        assert found is not None
        return found.kind


@dataclass(frozen=True, slots=True)
class Function:
    r"""A function's name: ``\exp``, ``\operatorname{softmax}``."""

    name: str


@dataclass(frozen=True, slots=True)
class Words:
    r"""Words in a formula (``\text``) or between formulas."""

    text: str


@dataclass(frozen=True, slots=True)
class Styled:
    r"""Letters and digits of another alphabet: ``\mathbb{R}``, ``\mathrm{Var}``."""

    style: Style
    text: str


@dataclass(frozen=True, slots=True)
class Space:
    """A blank that the author asked for."""

    width: Width


@dataclass(frozen=True, slots=True)
class Row:
    """Nodes side by side; neither holds another row nor exactly one node (``row`` sees to that)."""

    items: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True)
class Fraction:
    """A numerator over a denominator."""

    numerator: Node
    denominator: Node


@dataclass(frozen=True, slots=True)
class Root:
    """A square root, or the root that the index says."""

    radicand: Node
    index: Node | None = None


@dataclass(frozen=True, slots=True)
class Script:
    """A base with a subscript, a superscript, or both; limits of sums are scripts too."""

    base: Node
    sub: Node | None = None
    sup: Node | None = None


@dataclass(frozen=True, slots=True)
class Fenced:
    """Something in brackets; they grow with it where the medium lets them."""

    left: Delimiter
    body: Node
    right: Delimiter


@dataclass(frozen=True, slots=True)
class Accented:
    """Something under a mark."""

    accent: Accent
    body: Node


@dataclass(frozen=True, slots=True)
class Matrix:
    """A table of formulas, every row of the same length."""

    kind: MatrixKind
    rows: tuple[tuple[Node, ...], ...]


Node = (
    Number | Symbol | Function | Words | Styled | Space | Row | Fraction | Root | Script | Fenced | Accented | Matrix
)  # fmt: skip


def row(items: Iterable[Node]) -> Node:
    """Put nodes side by side: rows among them dissolve, and a single node stays itself."""
    flat: list[Node] = []
    for item in items:
        flat.extend(item.items if isinstance(item, Row) else (item,))
    return flat[0] if len(flat) == 1 else Row(tuple(flat))
