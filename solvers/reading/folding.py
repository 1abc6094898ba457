"""Folding: the many ways in which one sign is typed, by an explicit table, each character keeping its place.

Not NFKC: that turns n² into n2 and 10⁻³ into 10-3. Here superscripts become powers and subscripts parts of a name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Source:
    """A text on its way to being read.

    Attributes:
        text: The characters.
        at: For each character, where it stood in the typed text.
    """

    text: str
    at: Sequence[int]

    def cut(self, start: int, end: int) -> Source:
        """Return a part."""
        return Source(self.text[start:end], self.at[start:end])

    def stripped(self) -> Source:
        """Return the text without blanks and line breaks at its ends."""
        start = len(self.text) - len(self.text.lstrip(BLANKS))
        return self.cut(start, max(start, len(self.text.rstrip(BLANKS))))

    def origin(self, position: int) -> int | None:
        """Return where a character stood in the typed text; None behind its end."""
        return self.at[position] if position < len(self.at) else None

    def keep(self, pattern: re.Pattern[str], writing: str = "") -> Source:
        """Replace each match by its first group, or by ``writing`` where the pattern has none."""
        if not pattern.search(self.text):
            return self
        out = Writer()
        last = 0
        for match in pattern.finditer(self.text):
            out.copy(self, last, match.start())
            if pattern.groups:
                out.copy(self, match.start(1), match.end(1))
            else:
                out.write(writing, self.at[match.start()])
            last = match.end()
        out.copy(self, last, len(self.text))
        return out.source()


class Writer:
    """Puts a source together, piece by piece."""

    def __init__(self) -> None:
        """Start with nothing."""
        self._pieces: list[str] = []
        self._at: list[int] = []

    def write(self, characters: str, at: int) -> None:
        """Add characters that all stand for one place."""
        self._pieces.append(characters)
        self._at.extend([at] * len(characters))

    def copy(self, source: Source, start: int, end: int) -> None:
        """Add a part of a source as it is."""
        self._pieces.append(source.text[start:end])
        self._at.extend(source.at[start:end])

    def source(self) -> Source:
        """Return what has been put together."""
        return Source("".join(self._pieces), self._at)


BLANKS = " \t\n"

_ALIKE = {
    # minus: minus sign, hyphens, dashes, small and heavy forms, modifier letter
    "-": "−‐‑‒–—―﹘﹣➖˗",
    "+": "➕﹢",
    "*": "∗⁎﹡\u2062",
    "×": "✕✖⨯⨉",
    "·": "⋅∙・‧",
    "/": "÷∕⁄",
    "^": "ˆ",
    "%": "﹪",
    "=": "≈≃≅",
    ".": "。｡﹒",
    ",": "﹐\u2063",
    ", ": "、﹑､",
    ";": "﹔",
    ":": "﹕",
    "(": "﹙⟮",
    ")": "﹚⟯",
    "[": "【〔〖⟦﹝",
    "]": "】〕〗⟧﹞",
    "...": "…⋯⋮⋱",
    '"': "“”„‟「」『』«»",
    "'": "‘’‛ʼ",
    "|": "│┃║❘",
    "Θ": "ϴ𝛩𝚯",
    "π": "𝜋𝝅𝛑",
    "e": "ℯ",
    "h": "ℎ",
    "B": "ℬ",
    "L": "ℒ",
    # blanks of every width
    " ": "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000",
    "\n": "\r\x0b\x0c\x85\u2028\u2029",
    # what can't be seen: zero-width characters, marks of direction, soft hyphen, joiners, variation selectors
    "": "\u00ad\u034f\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2066\u2067"
    "\u2068\u2069\ufe0e\ufe0f\ufeff",
}
_SUPERSCRIPTS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿᵈᵏˣ", "0123456789+-()ndkx", strict=True))
_SUBSCRIPTS = dict(zip("₀₁₂₃₄₅₆₇₈₉ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", "0123456789aehijklmnoprstuvx", strict=True))


def _table() -> dict[str, str]:
    table = {symbol: plain for plain, alike in _ALIKE.items() for symbol in alike}
    table |= {chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}  # full-width ASCII
    for code in range(0x1D400, 0x1D6A4):  # mathematical letters: 13 alphabets of 26 capitals and 26 small letters
        place = (code - 0x1D400) % 52
        table.setdefault(chr(code), chr(65 + place) if place < 26 else chr(71 + place))
    table |= {chr(code): str((code - 0x1D7CE) % 10) for code in range(0x1D7CE, 0x1D800)}  # mathematical digits
    return table


_FOLDED = (
    {symbol: (plain, "") for symbol, plain in _table().items()}
    | {symbol: (plain, "^") for symbol, plain in _SUPERSCRIPTS.items()}
    | {symbol: (plain, "_") for symbol, plain in _SUBSCRIPTS.items()}
)
"""For each character its plain form, and whether it stands in a run of superscripts or of subscripts."""

_BEGINS = {"": "", "^": "^(", "_": "_"}
_ENDS = {"": "", "^": ")", "_": ""}
_NEEDS_FOLDING = re.compile(r"[^\t\n -~]++")


def fold(text: str) -> Source:
    """Fold a text: each character by the table, runs of superscripts to ``^(...)``, runs of subscripts to ``_...``."""
    if not _NEEDS_FOLDING.search(text):
        return Source(text, range(len(text)))
    pieces: list[str] = []
    at: list[int] = []
    last, level = 0, ""
    for run in _NEEDS_FOLDING.finditer(text):
        start = run.start()
        if start > last:
            if level == "^":
                pieces.append(")")
                at.append(last)
            level = ""
            pieces.append(text[last:start])
            at.extend(range(last, start))
        last = run.end()
        for position, symbol in enumerate(run[0], start):
            plain, here = _FOLDED.get(symbol, (symbol, ""))
            if plain and here != level:
                plain = _ENDS[level] + _BEGINS[here] + plain
                level = here
            pieces.append(plain)
            at.extend([position] * len(plain))
    if level == "^":
        pieces.append(")")
        at.append(last - 1)
    pieces.append(text[last:])
    at.extend(range(last, len(text)))
    return Source("".join(pieces), at)
