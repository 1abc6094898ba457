"""Folded characters, cut into words, numbers, signs, single Chinese characters and boundaries."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

from question_bank.evidence.characters import STAR, Characters
from question_bank.evidence.lines import sentence_ends
from question_bank.evidence.symbols import scientific


class Lex(Enum):
    """What a piece is."""

    WORD = "word"
    NUMBER = "number"
    CJK = "cjk"
    SIGN = "sign"
    CLAUSE = "clause"
    SENTENCE = "sentence"
    QUESTION = "question"


class Lexeme(NamedTuple):  # made by the thousand, which a frozen dataclass is slow at
    """One piece.

    Attributes:
        kind: What it is.
        text: Its folded characters.
        start: Where it starts in the original text.
        end: Where it ends there.
        is_glued: True where no blank stands before it.
        is_stem: True for a word of a phrase with a star behind it.
    """

    kind: Lex
    text: str
    start: int
    end: int
    is_glued: bool = False
    is_stem: bool = False


CJK = "\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003134f"
_LETTER = rf"[^\W\d_{CJK}]"
_PIECE = re.compile(
    rf"""
    (?P<break>\n[^\S\n]*\n\s*)
  | (?P<bullet>(?:\n|\A)[^\S\n]*(?:[-*+>\#\x95]+\ +|\x95|\d{{1,2}}[.)、:](?!\d)|\(\d{{1,2}}\)(?![\^/*]))\ *)
  | (?P<line>\n\s*)
  | (?P<blank>[^\S\n]+)
  | (?P<without>w/o(?![\w/]))
  | (?P<latin>e\.g\.|i\.e\.|vs\.|etc\.(?=\s*[a-z,)])|cf\.|approx\.)
  | (?P<word>{_LETTER}+(?:'{_LETTER}+)?(?:\d+(?:{_LETTER}|\d)*)?)(?P<star>{STAR}?)
  | (?P<number>\d+(?:,\d{{3}})+(?![\d,])|\d*\.?\d+(?:e[-+]?\d+(?![\w]))?(?:\s?%)?)
  | (?P<cjk>[{CJK}])
  | (?<=[\w)]\s)(?P<dot>\.)(?=\s[\w(])
  | (?P<dots>\.{{2,}})
  | (?P<question>\?+)
  | (?P<stop>[!;]+(?!=)|\.(?![\w(]|\s*\.\w)|\.(?=[{CJK}]))
  | (?P<comma>[,:、\x95])
  | (?P<sign>!=|=/=|->|=>|>=|<=|~=|\*\*|.)
    """,
    re.VERBOSE | re.DOTALL,
)
_SIGNS = {"**": "^", "=/=": "!=", "=>": "->"}
_KINDS = {
    "break": Lex.SENTENCE, "bullet": Lex.SENTENCE, "line": Lex.CLAUSE, "word": Lex.WORD, "latin": Lex.WORD, "without": Lex.WORD, "number": Lex.NUMBER,
    "cjk": Lex.CJK, "dots": Lex.CLAUSE, "question": Lex.QUESTION, "stop": Lex.SENTENCE, "comma": Lex.CLAUSE, "sign": Lex.SIGN, "dot": Lex.SENTENCE,
}  # fmt: skip
_CONTRACTED = {"can't": ("can", "not"), "won't": ("will", "not"), "shan't": ("shall", "not")}
_CONTRACTED |= {
    f"{verb}nt": (verb, "not")
    for verb in ("do", "does", "did", "is", "are", "was", "were", "ca", "wo", "would", "should", "could", "has", "have", "must")
}
_CONTRACTED |= {"cant": ("can", "not"), "wont": ("will", "not"), "dosent": ("does", "not"), "doesn": ("does", "not")}


def lexemes(characters: Characters) -> list[Lexeme]:
    """Cut folded characters into pieces; blanks are none, but the next piece is then not glued."""
    found: list[Lexeme] = []
    is_glued = False
    starts, ends = characters.starts, characters.ends
    stops = sentence_ends(characters.text)
    for match in _PIECE.finditer(characters.text):
        group = match.lastgroup or ""
        if group == "blank":
            is_glued = False
            continue
        if group == "star":
            group = "word"
        text = match[group]
        first, last = match.start(group), match.end(group) - 1
        start, end = starts[first], ends[last]
        if group == "latin":
            text = text.replace(".", "")
        elif group == "without":
            text = "without"
        elif group == "number":
            text = text.replace(",", "").replace(" ", "")
            text = scientific(text) if "e" in text else text
        elif group == "sign":
            text = _SIGNS.get(text, text)
        if group == "word" and (pair := _uncontracted(text)):
            middle = starts[first + min(len(pair[0]), last - first)]
            found.append(Lexeme(Lex.WORD, pair[0], start, middle, is_glued))
            if pair[1]:
                found.append(Lexeme(Lex.WORD, pair[1], middle, end))
        elif group == "line" and first in stops:
            found.append(Lexeme(Lex.SENTENCE, text, start, end))
        else:
            found.append(Lexeme(_KINDS[group], text, start, end, is_glued, bool(match["star"])))
        is_glued = group not in ("break", "bullet", "line")
    return found


def _uncontracted(word: str) -> tuple[str, str] | None:
    """Take a contraction apart: n't is "not", what else stands behind an apostrophe goes."""
    if pair := _CONTRACTED.get(word):
        return pair
    head, apostrophe, tail = word.partition("'")
    if not apostrophe:
        return None
    if tail == "t" and head.endswith("n") and len(head) > 2:
        return head[:-1], "not"
    return head, ""


class Pieces:
    """The pieces of a text, looked at from any place, also beyond the ends."""

    def __init__(self, pieces: Sequence[Lexeme]) -> None:
        """Look at these.

        Args:
            pieces: The pieces.
        """
        self.pieces = pieces

    def text(self, place: int) -> str:
        """Return the text of a piece; nothing beyond the ends, and nothing for a word with a star."""
        if not 0 <= place < len(self.pieces) or self.pieces[place].is_stem:
            return ""
        return self.pieces[place].text

    def is_kind(self, place: int, kind: Lex) -> bool:
        """Tell whether a piece is of a kind, and no word with a star."""
        return 0 <= place < len(self.pieces) and self.pieces[place].kind is kind and not self.pieces[place].is_stem

    def is_glued(self, place: int) -> bool:
        """Tell whether no blank stands before a piece."""
        return 0 <= place < len(self.pieces) and self.pieces[place].is_glued

    def behind(self, place: int, characters: str) -> int | None:
        """Return the place behind these Chinese characters, if they stand here."""
        for offset, character in enumerate(characters):
            if self.text(place + offset) != character:
                return None
        return place + len(characters)

    def closing(self, place: int, furthest: int) -> int | None:
        """Return the place of the bracket that closes the one here, if it's near."""
        depth = 0
        for at in range(place, min(place + furthest, len(self.pieces))):
            depth += (self.text(at) == "(") - (self.text(at) == ")")
            if depth == 0:
                return at
        return None
