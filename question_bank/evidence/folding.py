"""Typed text, folded into tokens with their places in the original, so that one thing is one token however it was typed."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import NamedTuple

from question_bank.evidence.characters import STAR, folded_characters
from question_bank.evidence.formulas import FormulaReader
from question_bank.evidence.lexing import Lex, Lexeme, lexemes

CJK_WIDTH = 0.5
COMMA_WIDTH = 0.5
LIGHT_WIDTH = 0.5
LIGHT_CJK_WIDTH = 0.25
LIGHT = frozenset(
    ("a", "an", "the", "of", "is", "are", "be", "was", "to", "in", "on", "at", "by", "it", "its", "and", "that", "this", "just",
     "very", "so", "then", "also", "as", "with", "for", "will", "would", "each", "all")
)  # fmt: skip
"""Little words, which count half where distances are measured."""
LIGHT_CJK = frozenset("的了是就也都地得很会")
"""Little characters, which count a quarter."""
TURNS = frozenset(("but", "however", "whereas", "但", "却"))
"""Words that begin a clause without a comma."""
_SIGNS = frozenset(("/", "!=", "->", ">", "<", ">=", "<=", "~=", "+", "-", "*"))
"""Signs that are tokens; they have no width, and other signs are dropped."""


class Token(NamedTuple):  # made by the thousand, which a frozen dataclass is slow at
    """One token.

    Attributes:
        text: The token, folded.
        kind: Word (formulas too), number, Chinese character or sign.
        start: Where it starts in the original text.
        end: Where it ends there.
        sentence: The number of its sentence.
        clause: The number of its clause.
        left: Where it starts, counted in word-units.
        right: Where it ends, counted in word-units.
        is_glued: True where no blank parts it from what stands before it.
        is_stem: True for a word of a phrase with a star behind it.
    """

    text: str
    kind: Lex
    start: int
    end: int
    sentence: int
    clause: int
    left: float
    right: float
    is_glued: bool
    is_stem: bool


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text.

    Attributes:
        tokens: Its tokens, in their order.
        questions: The numbers of the sentences that end with a question mark, or with 吗.
        places: For each word, also one made of two or three neighbours, the first and last token that make it.
        by_letter: The words of 6 letters and more by their first letter.
        sentences: For each sentence the first token and the one behind its last.
    """

    tokens: tuple[Token, ...]
    questions: frozenset[int]
    places: dict[str, list[tuple[int, int]]] = field(repr=False)
    by_letter: dict[str, list[str]] = field(repr=False)
    sentences: dict[int, tuple[int, int]] = field(repr=False)


def fold(text: str) -> Folded:
    """Fold a text. Blanks, case, width and the spelling of formulas are gone in the tokens; see ``formulas`` for these.

    Hyphens part words as blanks do. A word is also looked up as two or three neighbours written together, so "one-hot", "one
    hot" and "onehot" are all found under ``onehot``.
    """
    return _folded(lexemes(folded_characters(text)))


def phrase_tokens(text: str) -> tuple[Token, ...]:
    """Fold words of a phrase, in which a star stands for any ending of a word."""
    return _folded(lexemes(folded_characters(text, STAR))).tokens


def _folded(pieces: list[Lexeme]) -> Folded:
    tokens: list[Token] = []
    questions: set[int] = set()
    sentence = clause = 0
    at = 0.0
    brackets: list[bool] = []  # whether each open bracket began a clause
    reader = FormulaReader(pieces)
    place = 0
    while place < len(pieces):
        piece = pieces[place]
        kind, text = piece.kind, piece.text
        if kind in (Lex.SENTENCE, Lex.QUESTION):
            if kind is Lex.QUESTION or _asks(tokens, sentence):
                questions.add(sentence)
            if tokens and tokens[-1].sentence == sentence:  # a full stop and a line end are one end
                sentence += 1
            clause, place = clause + 1, place + 1
            brackets.clear()
            continue
        if kind is Lex.CLAUSE:
            if text != "、":
                clause += 1
            at += COMMA_WIDTH
            place += 1
            continue
        read = reader.formula(place)
        end = place + 1
        if read is not None:
            text, end = read
            kind = Lex.WORD
        elif kind is Lex.SIGN and text not in _SIGNS:
            if text in "()":
                if text == "(":
                    breaks = not piece.is_glued and not reader.is_difference(place)
                    brackets.append(breaks)
                else:
                    breaks = brackets.pop() if brackets else True
                if breaks:
                    clause += 1
                    at += COMMA_WIDTH
            place += 1
            continue
        elif text == "-" and reader.is_minus(place):
            pass
        elif text == "-" and not (place + 1 < len(pieces) and pieces[place + 1].is_glued) and not piece.is_glued:
            clause += 1  # a dash
            at += COMMA_WIDTH
            place += 1
            continue
        elif text == "-" and piece.is_glued:
            place += 1  # a hyphen
            continue
        if text in TURNS or (text == "而" and not (place + 1 < len(pieces) and pieces[place + 1].text in ("不", "非", "且"))):
            clause += 1
        width = _width(kind, text)
        tokens.append(
            Token(
                text, kind, piece.start, pieces[end - 1].end, sentence, clause, at, at + width, piece.is_glued,
                pieces[end - 1].is_stem,
            )
        )  # fmt: skip
        at += width
        place = end
    if _asks(tokens, sentence):
        questions.add(sentence)
    return _indexed(tuple(tokens), frozenset(questions))


def _asks(tokens: list[Token], sentence: int) -> bool:
    """Tell whether a sentence that ends here asks without a question mark."""
    return bool(tokens) and tokens[-1].sentence == sentence and tokens[-1].text == "吗"


def _width(kind: Lex, text: str) -> float:
    if kind is Lex.SIGN:
        return 0.0
    if kind is Lex.CJK:
        return LIGHT_CJK_WIDTH if text in LIGHT_CJK else CJK_WIDTH
    return LIGHT_WIDTH if text in LIGHT else 1.0


def _indexed(tokens: tuple[Token, ...], questions: frozenset[int]) -> Folded:
    places: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    by_letter: defaultdict[str, list[str]] = defaultdict(list)
    sentences: dict[int, tuple[int, int]] = {}
    for index, token in enumerate(tokens):
        text = token.text
        first, _ = sentences.get(token.sentence, (index, index))
        sentences[token.sentence] = (first, index + 1)
        if len(text) >= 6 and text not in places and token.kind is Lex.WORD and text.isalpha():
            by_letter[text[0]].append(text)
        places[text].append((index, index))
        if token.kind is not Lex.WORD:
            continue
        for last in (index + 1, index + 2):
            if last >= len(tokens) or tokens[last].clause != token.clause or tokens[last].kind is not Lex.WORD:
                break
            text += tokens[last].text
            if len(text) > 24:
                break
            places[text].append((index, last))
    return Folded(tokens, questions, dict(places), dict(by_letter), sentences)
