"""A phrase as a tree, and the error of one that can't be read. ``phrases`` reads them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from question_bank.text import Text

DEFAULT_GAP = 3.0
"""Word-units between two items where a phrase says nothing."""


class EvidenceError(ValueError):
    """A phrase that can't be read.

    Attributes:
        phrase: The phrase.
        column: Where it is at fault, from 1.
        message: What was found and what was expected, in both languages.
    """

    def __init__(self, phrase: str, column: int, message: Text) -> None:
        """Keep phrase and column beside the message."""
        super().__init__(f"{phrase!r}, column {column}: {message.en}")
        self.phrase = phrase
        self.column = column
        self.message = message

    def __reduce__(self) -> tuple[type[EvidenceError], tuple[str, int, Text]]:
        """Let the error cross a process boundary."""
        return type(self), (self.phrase, self.column, self.message)


@dataclass(frozen=True, slots=True)
class Word:
    """A word, a formula or a number.

    Attributes:
        text: Folded, without hyphens and blanks.
        is_stem: Whether any ending will do.
    """

    text: str
    is_stem: bool


@dataclass(frozen=True, slots=True)
class Characters:
    """Neighbouring Chinese characters.

    Attributes:
        text: The characters.
    """

    text: str


@dataclass(frozen=True, slots=True)
class Step:
    """One item of a sequence.

    Attributes:
        item: What has to stand there.
        gap: The word-units that may stand before it; 0 for what has to be adjacent.
        may_miss: Whether it may be missing.
    """

    item: Node
    gap: float = DEFAULT_GAP
    may_miss: bool = False


@dataclass(frozen=True, slots=True)
class Sequence:
    """Items in their order.

    Attributes:
        steps: The items; the gap of the first means nothing.
    """

    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Either:
    """Alternatives.

    Attributes:
        items: Any of these.
    """

    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Both:
    """Two things in one sentence, in any order.

    Attributes:
        first: One.
        second: The other.
        gap: The word-units that may stand between them; None where only the sentence counts.
    """

    first: Node
    second: Node
    gap: float | None


Node = Word | Characters | Sequence | Either | Both


class Heed(Enum):
    """What makes a match of a phrase void; the value is the sign in front of it."""

    ALL = ""
    NO_HYPOTHESIS = "?"
    NOTHING = "!"


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase that was read.

    Attributes:
        root: What has to be found.
        heed: What makes a match void.
    """

    root: Node
    heed: Heed = Heed.ALL
