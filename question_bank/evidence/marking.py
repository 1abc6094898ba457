"""Marking a typed answer: which key points it makes, which pitfalls it falls into, and which words show it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from question_bank.evidence.folding import Folded, fold
from question_bank.evidence.matching import Finder, Match
from question_bank.evidence.negation import Kind, Negations
from question_bank.evidence.nodes import Heed
from question_bank.evidence.phrases import compiled

if TYPE_CHECKING:
    from question_bank.questions.question import Question

LONGEST = 20_000
"""Characters of an answer that are looked at; what is typed beyond is not."""


class State(StrEnum):
    """What became of a key point or a pitfall."""

    MADE = "made"
    MISSING = "missing"
    UNMARKABLE = "unmarkable"


@dataclass(frozen=True, slots=True)
class Span:
    """A part of the typed text.

    Attributes:
        start: Its first character.
        end: The one behind its last.
    """

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found of one key point or pitfall.

    Attributes:
        state: Made, missing, or not markable for want of evidence.
        spans: The words that show it, in their order; empty unless it is made.
        phrase: The phrase of the content file that matched; empty unless it is made.
    """

    state: State
    spans: tuple[Span, ...] = ()
    phrase: str = ""

    @property
    def is_made(self) -> bool:
        """Whether the answer says it."""
        return self.state is State.MADE


@dataclass(frozen=True, slots=True)
class Marking:
    """What was found in a typed answer.

    Attributes:
        points: One finding per key point.
        pitfalls: One finding per pitfall; made means that the answer falls into it.
    """

    points: tuple[Finding, ...]
    pitfalls: tuple[Finding, ...]

    @property
    def made(self) -> tuple[int, ...]:
        """The indices of the key points that are made."""
        return _indices(self.points, State.MADE)

    @property
    def missing(self) -> tuple[int, ...]:
        """The indices of the key points that are missing; those that can't be marked are not among them."""
        return _indices(self.points, State.MISSING)

    @property
    def fallen_into(self) -> tuple[int, ...]:
        """The indices of the pitfalls that the answer falls into."""
        return _indices(self.pitfalls, State.MADE)


def mark(question: Question, typed: str) -> Marking:
    """Mark a typed answer. No text makes this fail.

    Args:
        question: The question.
        typed: What was typed, in either language or both; only its first 20,000 characters are looked at.

    Returns:
        What was found. The spans are places in ``typed``.

    Raises:
        EvidenceError: A phrase of the question can't be read.
    """
    answer = TypedAnswer(typed)
    return Marking(
        tuple(answer.finding(point.evidence, point.unless, Kind.POINT) for point in question.key_points),
        tuple(answer.finding(pitfall.evidence, pitfall.unless, Kind.PITFALL) for pitfall in question.pitfalls),
    )


class TypedAnswer:
    """A typed answer, folded once, in which evidence is looked for."""

    def __init__(self, typed: str) -> None:
        """Fold it.

        Args:
            typed: What was typed.
        """
        self.folded: Folded = fold(typed[:LONGEST])
        self._negations = Negations(self.folded)
        self._finder = Finder(self.folded, self._negations.negators)

    def finding(self, evidence: Sequence[str], unless: Sequence[str], kind: Kind) -> Finding:
        """Look for the best match of any phrase: the shortest, and of these the first.

        Args:
            evidence: Phrases, any of which will do.
            unless: Phrases, any of which makes void what stands in the same sentence, if it is not denied itself.
            kind: What a match would show.

        Raises:
            EvidenceError: A phrase can't be read.
        """
        if not evidence:
            return Finding(State.UNMARKABLE)
        found = [(match, phrase) for phrase in evidence for match in self._matches(phrase, kind)]
        if found and unless:
            barred = {
                self.folded.tokens[match.first].sentence for phrase in unless for match in self._matches(phrase, Kind.POINT)
            }
            found = [(match, phrase) for match, phrase in found if self.folded.tokens[match.first].sentence not in barred]
        if not found:
            return Finding(State.MISSING)
        match, phrase = min(found, key=lambda pair: (self._length(pair[0]), pair[0].first))
        return Finding(State.MADE, self._spans(match), phrase)

    def _matches(self, phrase: str, kind: Kind) -> list[Match]:
        read = compiled(phrase)
        if read.heed is Heed.NOTHING:
            return self._finder.find(read.root)
        matches = self._finder.counting(read.root, lambda match, elsewhere: not self._negations.is_denied(match, elsewhere))
        # Whoever asks "is it the last axis?" has not said that it is.
        matches = [match for match in matches if self.folded.tokens[match.first].sentence not in self.folded.questions]
        if kind is Kind.PITFALL:
            matches = [match for match in matches if not self._negations.is_doubted(match, read.heed is Heed.ALL)]
        return matches

    def _length(self, match: Match) -> float:
        return self.folded.tokens[match.last].right - self.folded.tokens[match.first].left

    def _spans(self, match: Match) -> tuple[Span, ...]:
        """The places of the matched words; neighbours are one place."""
        return tuple(_joined((index, self.folded) for index in sorted(set(match.used))))


def _joined(used: Iterable[tuple[int, Folded]]) -> Iterable[Span]:
    start = end = previous = -1
    for index, folded in used:
        token = folded.tokens[index]
        if previous >= 0 and index == previous + 1 and token.clause == folded.tokens[previous].clause:
            end = max(end, token.end)
        else:
            if previous >= 0:
                yield Span(start, end)
            start, end = token.start, token.end
        previous = index
    if previous >= 0:
        yield Span(start, end)


def _indices(findings: tuple[Finding, ...], state: State) -> tuple[int, ...]:
    return tuple(index for index, finding in enumerate(findings) if finding.state is state)
