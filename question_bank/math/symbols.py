"""What the formulas are made of: symbols, delimiters, functions, alphabets, accents, blanks.

The keys are LaTeX. A character in Typst math means what it looks like (``≤``, ``⊙``, ``α`` get the right class and spacing), so
only those that Typst reads as syntax have a spelling of their own there.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, StrEnum


class Kind(Enum):
    """What a symbol does to its neighbours."""

    ORDINARY = "ordinary"
    BINARY = "binary"
    RELATION = "relation"
    PUNCTUATION = "punctuation"
    BIG = "big"


class Delimiter(StrEnum):
    """One bracket; the value is its LaTeX."""

    LEFT_PARENTHESIS = "("
    RIGHT_PARENTHESIS = ")"
    LEFT_BRACKET = "["
    RIGHT_BRACKET = "]"
    LEFT_BRACE = r"\{"
    RIGHT_BRACE = r"\}"
    LEFT_BAR = r"\lvert"
    RIGHT_BAR = r"\rvert"
    LEFT_DOUBLE_BAR = r"\lVert"
    RIGHT_DOUBLE_BAR = r"\rVert"
    LEFT_FLOOR = r"\lfloor"
    RIGHT_FLOOR = r"\rfloor"
    LEFT_CEILING = r"\lceil"
    RIGHT_CEILING = r"\rceil"
    LEFT_ANGLE = r"\langle"
    RIGHT_ANGLE = r"\rangle"


_DELIMITERS = tuple(Delimiter)
PARTNER = dict(zip(_DELIMITERS[::2], _DELIMITERS[1::2], strict=True))
"""Each opening delimiter's closing one. Half-open intervals may pair a parenthesis with a bracket."""

ROUND_OR_SQUARE = frozenset((Delimiter.RIGHT_PARENTHESIS, Delimiter.RIGHT_BRACKET))

SHOWN_DELIMITER = dict(zip(_DELIMITERS, "()[]{}||‖‖⌊⌋⌈⌉⟨⟩", strict=True))
"""Each delimiter in Unicode."""


class Style(StrEnum):
    """An alphabet; the value is its LaTeX macro without the backslash."""

    ROMAN = "mathrm"
    ITALIC = "mathit"
    BOLD = "mathbf"
    BLACKBOARD = "mathbb"
    CALLIGRAPHIC = "mathcal"
    MONO = "mathtt"


class Accent(StrEnum):
    """A mark over a formula; the value is its LaTeX macro without the backslash."""

    HAT = "hat"
    BAR = "bar"
    TILDE = "tilde"
    DOT = "dot"
    VECTOR = "vec"
    OVERLINE = "overline"


class Width(StrEnum):
    """A blank; the value is its LaTeX."""

    THIN = r"\,"
    MEDIUM = r"\:"
    THICK = r"\;"
    WORD = r"\ "
    QUAD = r"\quad"
    DOUBLE_QUAD = r"\qquad"


class MatrixKind(StrEnum):
    """What stands around a table of formulas; the value is its LaTeX environment."""

    PARENTHESES = "pmatrix"
    BRACKETS = "bmatrix"
    CASES = "cases"


@dataclass(frozen=True, slots=True)
class Glyph:
    """How a symbol is written.

    Attributes:
        unicode: The character in a terminal.
        typst: Its spelling in Typst math.
        kind: What it does to its neighbours.
    """

    unicode: str
    typst: str
    kind: Kind


_BY_KIND = {
    Kind.ORDINARY: r"""
        \alpha α \beta β \gamma γ \delta δ \varepsilon ε \zeta ζ \eta η \theta θ \iota ι \kappa κ \lambda λ \mu μ \nu ν \xi ξ
        \pi π \rho ρ \sigma σ \tau τ \upsilon υ \phi φ \chi χ \psi ψ \omega ω
        \Gamma Γ \Delta Δ \Theta Θ \Lambda Λ \Xi Ξ \Pi Π \Sigma Σ \Upsilon Υ \Phi Φ \Psi Ψ \Omega Ω
        \infty ∞ \partial ∂ \nabla ∇ \top ⊤ \bot ⊥ \ell ℓ \prime ′ \emptyset ∅ \forall ∀ \exists ∃ \neg ¬
        \ldots … \cdots ⋯ \vdots ⋮ \ddots ⋱ \% % \$ $ \# # ! !""",
    Kind.BINARY: r"""
        + + - − \pm ± \mp ∓ \cdot · \times × / / * * \div ÷ \circ ∘ \odot ⊙ \oplus ⊕ \otimes ⊗ \cup ∪ \cap ∩ \setminus ∖
        \land ∧ \lor ∨""",
    Kind.RELATION: r"""
        = = < < > > : : \le ≤ \ge ≥ \ne ≠ \approx ≈ \equiv ≡ \sim ∼ \simeq ≃ \ll ≪ \gg ≫ \propto ∝ \in ∈ \notin ∉ \subset ⊂
        \subseteq ⊆ \mid | \parallel ∥ \perp ⟂ \to → \gets ← \leftrightarrow ↔ \mapsto ↦ \Rightarrow ⇒ \Leftarrow ⇐
        \Leftrightarrow ⇔""",
    Kind.PUNCTUATION: ", , ; ; . .",
    Kind.BIG: r"\sum ∑ \prod ∏ \int ∫ \bigcup ⋃ \bigcap ⋂",
}

_TYPST = {"·": "⋅", "−": "-", "/": "slash", "*": "∗", ":": "colon", ",": r"\,", ";": r"\;", "|": "∣", "$": r"\$", "#": r"\#"}


def _glyphs() -> dict[str, Glyph]:
    glyphs = {}
    for kind, listing in _BY_KIND.items():
        words = listing.split()
        for name, character in zip(words[::2], words[1::2], strict=True):
            glyphs[name] = Glyph(character, _TYPST.get(character, character), kind)
    return glyphs


SYMBOLS = _glyphs()
"""Every symbol but the Latin letters, which stand for themselves."""

_LETTERS = {glyph.unicode: name for name, glyph in SYMBOLS.items() if name.startswith("\\") and glyph.unicode.isalpha()}


def letter(character: str) -> str:
    r"""Write a letter in LaTeX: ``θ`` as ``\theta``, ``W`` as it is."""
    return _LETTERS.get(character, character)


ALIASES = {
    r"\leq": r"\le", r"\geq": r"\ge", r"\neq": r"\ne", r"\lt": "<", r"\gt": ">", r"\ast": "*", r"\colon": ":",
    r"\rightarrow": r"\to", r"\leftarrow": r"\gets", r"\implies": r"\Rightarrow", r"\iff": r"\Leftrightarrow",
    r"\dots": r"\ldots", r"\epsilon": r"\varepsilon", r"\varphi": r"\phi", r"\wedge": r"\land", r"\vee": r"\lor",
    r"\dfrac": r"\frac", r"\tfrac": r"\frac", "~": r"\ ",
}  # fmt: skip
"""Other names for the same thing; the tree knows one."""

FUNCTIONS = frozenset(
    ("exp", "ln", "log", "lg", "max", "min", "sup", "inf", "lim", "arg", "det", "dim", "gcd", "Pr",
     "sin", "cos", "tan", "sinh", "cosh", "tanh", "arctan")
)  # fmt: skip
"""Functions with a macro of their own, which are built into Typst too."""


def glyph(name: str) -> Glyph | None:
    """Return how a symbol is written, or None where there is no such symbol."""
    if len(name) == 1 and name.isascii() and name.isalpha():
        return Glyph(name, name, Kind.ORDINARY)
    return SYMBOLS.get(name)
