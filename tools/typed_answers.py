"""The typed answers under tests/marking/answers, and how well the marker agrees with the people who labelled them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from question_bank import questions
from question_bank.evidence import Finding, Marking, State, mark
from question_bank.text import Language

FOLDER = Path(__file__).resolve().parent.parent / "tests" / "marking" / "answers"


class Half(StrEnum):
    """One half of the answers; the value is its folder."""

    TUNING = "tuning"
    HELD_OUT = "held_out"


@dataclass(frozen=True, slots=True)
class TypedAnswer:
    """One answer with its labels.

    Attributes:
        question: The number of the question.
        place: Its place in its file, from 1.
        language: What it is mostly written in.
        kind: full, partial, wrong or rambling.
        points: The key points that it makes, from 1.
        pitfalls: The pitfalls that it falls into, from 1.
        text: What was typed.
    """

    question: int
    place: int
    language: Language
    kind: str
    points: frozenset[int]
    pitfalls: frozenset[int]
    text: str


@dataclass(frozen=True, slots=True)
class Tally:
    """How often the marker was right.

    Attributes:
        hits: Found, and labelled so.
        false: Found, and not labelled so.
        missed: Labelled so, and not found.
    """

    hits: int = 0
    false: int = 0
    missed: int = 0

    def __add__(self, other: Tally) -> Tally:
        """Add two tallies."""
        return Tally(self.hits + other.hits, self.false + other.false, self.missed + other.missed)

    @property
    def precision(self) -> float:
        """The share of what was found that is labelled so; 1 where nothing was found."""
        return self.hits / (self.hits + self.false) if self.hits + self.false else 1.0

    @property
    def recall(self) -> float:
        """The share of what is labelled so that was found; 1 where there is nothing to find."""
        return self.hits / (self.hits + self.missed) if self.hits + self.missed else 1.0


@dataclass(frozen=True, slots=True)
class Compared:
    """The marker's findings beside the labels, of key points or of pitfalls.

    Attributes:
        false: What was found and is not labelled so, from 1.
        missed: What is labelled so and was not found, from 1.
        tally: The counts, over those with evidence.
    """

    false: tuple[int, ...]
    missed: tuple[int, ...]
    tally: Tally


def answers(number: int, half: Half) -> Iterator[TypedAnswer]:
    """Yield the answers to one question; none where there is no file."""
    path = FOLDER / half / f"Q{number:02}.toml"
    if not path.exists():
        return
    for place, entry in enumerate(tomllib.loads(path.read_text("utf-8"))["answers"], 1):
        labels = frozenset(entry["points"]), frozenset(entry["pitfalls"])
        yield TypedAnswer(number, place, Language(entry["language"]), entry["kind"], *labels, entry["text"])


def marked(answer: TypedAnswer) -> Marking:
    """Mark an answer."""
    return mark(questions.load(answer.question), answer.text)


def compared(findings: tuple[Finding, ...], labels: frozenset[int]) -> Compared:
    """Compare findings with labels; what has no evidence counts for nothing."""
    markable = [index for index, finding in enumerate(findings, 1) if finding.state is not State.UNMARKABLE]
    false = tuple(index for index in markable if findings[index - 1].is_made and index not in labels)
    missed = tuple(index for index in markable if not findings[index - 1].is_made and index in labels)
    hits = sum(findings[index - 1].is_made and index in labels for index in markable)
    return Compared(false, missed, Tally(hits, len(false), len(missed)))
