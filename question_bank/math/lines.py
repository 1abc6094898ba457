"""Put rendered pieces of a formula side by side on one line, and tell where brackets, dots and blanks are needed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum

from question_bank.math.symbols import Glyph, Kind


class Rank(IntEnum):
    """How strongly a text holds together; brackets go around what holds together less than its place asks for."""

    RELATION = 0
    SUM = 1
    SIGNED = 2
    PRODUCT = 3
    IMPLICIT = 4
    POWER = 5
    ATOM = 6


class Edge(Enum):
    """What one end of a text is, for the neighbour on that side."""

    PLAIN = "plain"
    NAME = "a name of several letters"
    NUMBER = "a number"
    FUNCTION = "a function that waits for its argument"
    BIG = "a sum that waits for its terms"
    FRACTION = "a fraction"
    ROOT = "a root"
    RAISED = "a raised index in front of a root"
    BRACKETS = "brackets"
    BARS = "bars, which look the same on either side"
    POWER = "a small superscript"
    LOW = "a subscript on the line"
    HIGH = "a superscript on the line"
    WORDS = "words"
    NOTHING = "no operand"


@dataclass(frozen=True, slots=True)
class Piece:
    """A rendered part of a formula."""

    text: str
    rank: Rank = Rank.ATOM
    head: Edge = Edge.PLAIN
    tail: Edge = Edge.PLAIN

    def at_least(self, rank: Rank) -> str:
        """Return the text, in brackets if it holds together less than that."""
        return self.text if self.rank >= rank else f"({self.text})"


class Line:
    """A row of factors and operators, written from left to right."""

    def __init__(self, *, tight: bool) -> None:
        self._tight = tight
        self._text = ""
        self._rank = Rank.ATOM
        self._left = Edge.NOTHING
        self._after = Kind.ORDINARY  # what kind of symbol stands last
        self._factors = 0
        self._signed = False
        self._fraction: int | None = None  # where the fraction starts that the text ends with

    def piece(self) -> Piece:
        """Return what has been written."""
        rank = min(self._rank, Rank.IMPLICIT) if self._factors > 1 else self._rank
        if self._signed:
            rank = Rank.SIGNED if rank >= Rank.IMPLICIT else min(rank, Rank.SUM)
        return Piece(self._text.strip(" "), rank)

    def blank(self, blank: str) -> None:
        """Add a blank; a wide one parts two formulas."""
        self._text = self._text.rstrip(" ") + blank
        if len(blank) > 1:
            self._left, self._fraction, self._rank = Edge.NOTHING, None, Rank.RELATION

    def operator(self, symbol: Glyph) -> None:
        """Add an operator, a relation or a punctuation mark."""
        shown, before = symbol.unicode, self._text.rstrip(" ")
        after_words = self._left == Edge.WORDS and self._text.endswith(" ")
        if symbol.kind == Kind.BINARY and (self._left in (Edge.NOTHING, Edge.FUNCTION, Edge.BIG) or after_words):
            self._sign(shown)
        elif symbol.kind == Kind.PUNCTUATION:
            self._rank = Rank.RELATION
            self._text = before + shown + ("" if self._tight else " ")
        elif symbol.kind == Kind.RELATION:
            self._rank = Rank.RELATION
            definition = before.endswith(":") and shown == "="
            self._text = before + (shown if self._tight else f"{shown} " if definition else f" {shown} ")
        else:
            self._rank = min(self._rank, Rank.SUM if shown in "+−±∓" else Rank.PRODUCT)
            if shown in "/÷·":  # a dot binds as tightly as the bar of a fraction on the line: 8/3·x
                self._bracket_fraction()
            before = self._text.rstrip(" ")
            self._text = before + (shown if self._tight or shown in "/·" else f" {shown} ")
        self._left, self._after, self._fraction = Edge.NOTHING, symbol.kind, None

    def _sign(self, shown: str) -> None:
        if self._text.strip(" "):
            self._rank = min(self._rank, Rank.SUM)
        else:
            self._signed = True
        waits = self._left in (Edge.FUNCTION, Edge.BIG) and not self._text.endswith(" ")
        self._text += f" {shown}" if waits else shown

    def factor(self, piece: Piece) -> None:
        """Add an operand."""
        text, rank, head, tail = piece.text, piece.rank, piece.head, piece.tail
        is_fraction = head == Edge.FRACTION
        beside = tail != Edge.WORDS and self._left not in (Edge.WORDS, Edge.NOTHING)
        if beside:
            self._bracket_fraction()
        waited_for = beside and self._left in (Edge.FUNCTION, Edge.BIG, Edge.NAME)
        negative = text.startswith("−") and (beside or self._after == Kind.BINARY)
        if is_fraction and (waited_for or negative or self._text.endswith(("/", "÷ "))):
            text, rank, is_fraction = f"({text})", Rank.POWER, False
        applied = self._left in (Edge.FUNCTION, Edge.NAME) and head in (Edge.BRACKETS, Edge.BARS)
        if self._left in (Edge.FUNCTION, Edge.BIG) and not applied:
            self._rank = min(self._rank, Rank.PRODUCT)
        self._factors += not applied
        self._rank = min(self._rank, Rank.POWER if applied else rank)
        self._join(text, head)
        self._fraction = len(self._text) - len(text) if is_fraction else None
        self._left, self._after = tail, Kind.ORDINARY

    def _bracket_fraction(self) -> None:
        """Put the fraction that the text ends with into brackets: something follows that its denominator must not take."""
        if self._fraction is not None:
            start, self._fraction = self._fraction, None
            fraction = self._text[start:].rstrip(" ")
            self._text = f"{self._text[:start]}({fraction})" + self._text[start + len(fraction) :]
            self._left = Edge.BRACKETS

    def _join(self, text: str, head: Edge) -> None:
        joint = self._joint(text, head)
        if joint and self._text.endswith(" "):
            both_numbers = self._left == head == Edge.NUMBER
            self._text, joint = (self._text, "") if joint == " " or both_numbers else (self._text.rstrip(" "), joint)
        self._text += joint + text

    def _joint(self, text: str, head: Edge) -> str:
        """Return what goes between the text so far and the next."""
        left = self._left
        if left == Edge.NOTHING:
            return ""
        if Edge.WORDS in (left, head):
            return " " if _is_word(self._text[-1:]) and _is_word(text[:1]) else ""
        if left == Edge.FUNCTION:
            return "" if text.startswith("(") else " "
        if left == Edge.NAME:
            return "" if head in (Edge.BRACKETS, Edge.BARS) else " "
        if left == Edge.BIG or head in (Edge.FUNCTION, Edge.BIG, Edge.NAME):
            return " "
        if left == Edge.ROOT or head in (Edge.RAISED, Edge.NUMBER, Edge.FRACTION) or left == head == Edge.BARS:
            return "·"
        if head == Edge.ROOT and left == Edge.POWER:  # it would be the root's index
            return "·"
        if left == Edge.HIGH or (left == Edge.LOW and head != Edge.BRACKETS):
            return " "
        return ""


def _is_word(character: str) -> bool:
    return character.isascii() and character.isalnum()
