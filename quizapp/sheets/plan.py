"""What is on a sheet: plain frozen data, the same for the screen, the paper, the key and the marking."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from question_bank.codes import CodeError
from question_bank.problem import Problem, problem
from question_bank.text import Language, Text


class Paper(StrEnum):
    """The size of a page."""

    A4 = "a4"
    LETTER = "letter"


class Languages(StrEnum):
    """The language of a sheet, or both."""

    EN = "en"
    ZH = "zh"
    BOTH = "both"

    @property
    def each(self) -> tuple[Language, ...]:
        """The languages, in the order in which they are printed."""
        return tuple(Language) if self is Languages.BOTH else (Language(self.value),)


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """An interview question on a sheet: answered in words, compared with its key points.

    Attributes:
        id: Such as ``Q7``.
        title: A few words.
        prompt: The question as an interviewer says it.
        points: What a full answer has to contain.
        answer: What one says in 30 seconds.
    """

    id: str
    title: Text
    prompt: Text
    points: tuple[Text, ...]
    answer: Text


def letter(part: int) -> str:
    """Return the letter of a part, counted from 0, as it is printed and typed: a, b, ..."""
    return chr(ord("a") + part)


Item = Problem | OpenQuestion
"""What has a number on a sheet."""


@dataclass(frozen=True, slots=True)
class Copy:
    """One person's sheet.

    Attributes:
        person: Their name, or the number of the variant; empty on a sheet that is nobody's in particular.
        items: Problems and questions; the first is number 1.
        is_named: Whether ``person`` is a name; a variant's number leaves room to write one.
    """

    person: str
    items: tuple[Item, ...]
    is_named: bool = True

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The items that can be marked, in order."""
        return tuple(item for item in self.items if isinstance(item, Problem))

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of the problems, in order."""
        return tuple(item.code for item in self.problems)

    def numbered(self) -> Iterator[tuple[int, Item]]:
        """Yield the items with the numbers that are printed beside them."""
        return enumerate(self.items, 1)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet, or one for each person of a class.

    Attributes:
        title: What stands above it.
        languages: What it is printed in.
        paper: The size of its pages.
        seed: The text that chose its problems; empty where they were named.
        copies: The personal sheets; a single one without a name where it isn't for a class.
    """

    title: str
    languages: Languages
    paper: Paper
    seed: str
    copies: tuple[Copy, ...]

    @property
    def is_for_class(self) -> bool:
        """Tell whether there are several personal sheets, or names."""
        return len(self.copies) > 1 or any(copy.person for copy in self.copies)


QR_MARK = "QUIZAPP"
"""What the text of a QR code starts with."""

_TOKEN = re.compile(r"[A-Za-z][A-Za-z0-9-]*\.[0-9]\.[0-9A-Za-z]{5,}")


def qr_text(codes: tuple[str, ...], part: int = 1, parts: int = 1) -> str:
    """Write codes for a QR code, in capitals: its most compact alphabet has no small letters."""
    return " ".join((QR_MARK, f"{part}/{parts}", *codes)).upper()


def problems_in(text: str) -> tuple[Problem, ...]:
    """Rebuild the problems whose codes stand in a text, such as that of a QR code or several, or codes typed off a sheet.

    Args:
        text: The text; everything in it that doesn't look like a code is passed over. A code counts once.

    Raises:
        CodeError: There is no code, or one is unknown, mistyped, or of another revision.
    """
    found = tuple(dict.fromkeys(match.lower() for match in _TOKEN.findall(text)))
    if not found:
        raise CodeError(
            Text(
                "There is no problem code in this text. A code looks like softmax-row.2.009rv.",
                "这段文字里没有题目代码。代码形如 softmax-row.2.009rv。",
            )
        )
    return tuple(map(problem, found))
