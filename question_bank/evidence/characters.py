r"""Typed characters, folded by explicit tables: case, width, Unicode math, LaTeX. Every folded character knows where it came from.

NFKC is not used: it turns n² into n2. Here a superscript is a power (``^2``), a subscript an index (``_k``), a fraction
``\frac{a}{b}`` is ``(a)/(b)``, and what only dresses a formula (``$``, ``\mathrm``, ``\left``) goes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

STAR = "\ue000"
"""Stands in a phrase for the star behind a word; typed text can't hold it, as folding drops it there."""

_MACROS = {
    "cdot": "*", "times": "*", "ast": "*", "odot": "*", "top": "t", "intercal": "t", "infty": "inf ", "sum": " sum ",
    "ne": " != ", "neq": " != ", "ge": ">=", "geq": ">=", "le": "<=", "leq": "<=", "ll": " < ", "gg": " > ", "approx": " ~= ", "to": " -> ",
    "rightarrow": " -> ", "Rightarrow": " -> ", "implies": " -> ", "mapsto": " -> ", "sqrt": " sqrt ", "partial": "d", "ell": "l",
    "div": "/", "prime": "'",
}  # fmt: skip
_DRESS = frozenset(
    ("left", "right", "big", "Big", "bigl", "bigr", "Bigl", "Bigr", "displaystyle", "limits", "quad", "qquad", "begin", "end")
)
"""Macros that go, leaving a blank."""
_WRAPPERS = frozenset(
    ("text", "mathrm", "mathbf", "mathit", "mathsf", "mathtt", "mathcal", "mathbb", "boldsymbol", "bm", "operatorname", "textbf",
     "textit", "textrm", "rm", "vec", "hat", "tilde", "bar", "overline", "emph")
)  # fmt: skip
"""Macros that go together with the braces behind them."""
_FRACTIONS = frozenset(("frac", "dfrac", "tfrac", "cfrac"))

_GREEK_NAMES = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu "
    "nu xi omicron pi rho sigma tau upsilon phi chi psi omega"
)
_GREEK = dict(zip("αβγδεζηθικλμνξοπρστυφχψω", _GREEK_NAMES.split(), strict=True))


def _table() -> dict[str, str]:
    table = {chr(code): chr(code - 0xFEE0).lower() for code in range(0xFF01, 0xFF5F)}  # full-width forms
    table |= {chr(0x1D400 + n): chr(ord("a") + n % 26) for n in range(13 * 52)}  # mathematical letters
    table |= {letter: f" {name} " for letter, name in _GREEK.items()}
    table |= {letter.upper(): f" {name} " for letter, name in _GREEK.items()}
    table |= {old: f"^{new}" for old, new in zip("⁰¹²³⁴⁵⁶⁷⁸⁹ⁿⁱᵀᵗᵏᵈᴷᴼᵛʰᵐˣⱽ", "0123456789nittkdkovhmxv", strict=True)}
    table |= {old: f"_{new}" for old, new in zip("₀₁₂₃₄₅₆₇₈₉ₖᵢⱼₙₘₜₗₛᵥₕₚₓₐₑₒ", "0123456789kijnmtlsvhpxaeo", strict=True)}
    table |= dict.fromkeys("−﹣－‐‑", "-") | dict.fromkeys("×·⋅∙⨯✕✖∗⊙⊗・", "*") | dict.fromkeys("‘’＇′`´", "'")
    table |= dict.fromkeys("“”＂「」『』《》″", '"') | dict.fromkeys("【〔［", "[") | dict.fromkeys("】〕］", "]")
    table |= dict.fromkeys("→⇒⟶➜➔↦⟹", " -> ") | dict.fromkeys("≠≢", " != ") | dict.fromkeys("≥⩾≧", ">=")
    table |= dict.fromkeys("≤⩽≦", "<=") | dict.fromkeys("≈≃≅∼～", " ~= ") | dict.fromkeys("∞", "inf ")
    table |= dict.fromkeys("∑Σ", " sum ") | dict.fromkeys("√", " sqrt ") | dict.fromkeys("÷∕⁄", "/") | dict.fromkeys("⊤⟙", "t")
    table |= dict.fromkeys("≪≺", "<") | dict.fromkeys("≫≻", ">")
    table |= {"∂": "d", "½": "1/2", "¼": "1/4", "⅓": "1/3", "⅔": "2/3", "¾": "3/4", "⅛": "1/8", "ℓ": "l", "ℎ": "h", "⁻": "^-"}
    table |= {
        "。": ". ",
        "｡": ". ",
        "…": ", ",
        "—": ", ",
        "–": "-",
        "：": ": ",
        "；": "; ",
        "，": ", ",
        "、": "、",
        "⟨": "<",
        "⟩": ">",
    }
    table |= {"！": "! ", "？": "? ", "（": "(", "）": ")", "•": "\x95", "●": "\x95", "▪": "\x95", "‣": "\x95", "◦": "\x95"}
    table |= dict.fromkeys("\u3000\u00a0\u2002\u2003\u2009\u202f\t\r\f\v$", " ") | {
        "\u2028": "\n",
        "\u2029": "\n\n",
        "\x85": "\n",
    }
    table |= dict.fromkeys(("\u200b", "\u200c", "\u200d", "\ufeff", "\ufe0f", "\u2060", "\u00ad", STAR), "")
    return table


TABLE = _table()
_PLAIN = re.compile(
    "["
    + "".join(re.escape(chr(code)) for code in (10, *range(32, 127)) if chr(code) not in TABLE and chr(code) not in "\\{}")
    + "\u4e00-\u9fff]+"
)
"""A run of characters that fold to nothing but their lower case."""
_POWERS = "^_"


@dataclass(frozen=True, slots=True)
class Characters:
    """Folded characters.

    Attributes:
        text: The folded text.
        starts: For each folded character where its source starts in the original.
        ends: For each folded character where its source ends in the original.
    """

    text: str
    starts: list[int]
    ends: list[int]


def folded_characters(text: str, kept: str = "") -> Characters:
    """Fold a text character by character.

    Args:
        text: What was typed.
        kept: Characters that stay although the table drops them.
    """
    out: list[str] = []
    starts: list[int] = []
    ends: list[int] = []

    def put(characters: str, start: int, end: int) -> None:
        out.extend(characters)
        starts.extend([start] * len(characters))
        ends.extend([end] * len(characters))

    braces: list[str] = []  # what closes each open brace
    pending = ("(", ")")  # what the next brace becomes
    place, size = 0, len(text)
    while place < size:
        if run := _PLAIN.match(text, place):
            out.append(run[0].lower())
            starts.extend(range(place, run.end()))
            ends.extend(range(place + 1, run.end() + 1))
            place = run.end()
            continue
        character = text[place]
        if character == "\\":
            end = place + 1
            while end < size and text[end].isascii() and text[end].isalpha():
                end += 1
            name = text[place + 1 : end]
            if not name:  # \, \; \! \{ \\ and the like
                end = min(end + 1, size)
                put(" ", place, end)
            elif name in _FRACTIONS:
                pending = (" (", ")/")
            elif name in _WRAPPERS:
                pending = ("", "")
            else:
                put(" " if name in _DRESS else _MACROS.get(name, f" {name.lower()} "), place, end)
                while name == "partial" and text[end : end + 1] == " ":
                    end += 1
            place = end
            continue
        if character == "{":
            put(pending[0], place, place + 1)
            braces.append(pending[1])
            pending = ("(", ")")
        elif character == "}":
            put(braces.pop() if braces else ")", place, place + 1)
        else:
            folded = character if character in kept else TABLE.get(character)
            if folded is None:
                folded = character.lower()
            if folded[:1] in _POWERS and len(folded) == 2 and place and (TABLE.get(text[place - 1]) or " ")[0] == folded[0]:
                folded = folded[1]  # the second of several superscripts
            put(folded, place, place + 1)
        place += 1
    return Characters("".join(out), starts, ends)
