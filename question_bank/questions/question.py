"""What a question consists of. These classes are also the schema that its TOML file is checked against."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from question_bank.questions import Group, Heading
from question_bank.text import Text


class Answer(Struct, frozen=True, forbid_unknown_fields=True):
    """A model answer.

    Attributes:
        short: What one says in 30 seconds.
        full: What one says in two minutes: paragraphs, parted by blank lines.
    """

    short: Text
    full: Text

    def paragraphs(self) -> tuple[Text, ...]:
        """Return the full answer paragraph by paragraph."""
        return tuple(
            Text(en.strip(), zh.strip()) for en, zh in zip(self.full.en.split("\n\n"), self.full.zh.split("\n\n"), strict=True)
        )


class KeyPoint(Struct, frozen=True, forbid_unknown_fields=True):
    """One thing that a full answer has to contain.

    Attributes:
        text: The point in one sentence.
        evidence: Phrases that show that a typed answer makes it (``question_bank.evidence``), in both languages; any will do.
        unless: Phrases that make void what evidence stands in the same sentence.
    """

    text: Text
    evidence: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()


class Pitfall(Struct, frozen=True, forbid_unknown_fields=True):
    """Something wrong that people say.

    Attributes:
        claim: What they say.
        why: Why it is wrong.
        evidence: Phrases that show that a typed answer says it (``question_bank.evidence``), in both languages; any will do.
        unless: Phrases that make void what evidence stands in the same sentence.
    """

    claim: Text
    why: Text
    evidence: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()


class Choice(Struct, frozen=True, forbid_unknown_fields=True):
    """One of the four options.

    Attributes:
        text: The option.
        why: Why it is wrong, or what makes it right.
        right: True for the one right option.
    """

    text: Text
    why: Text
    right: bool = False


class FollowUp(Struct, frozen=True, forbid_unknown_fields=True):
    """What an interviewer asks next.

    Attributes:
        question: The question.
        answer: Its answer.
    """

    question: Text
    answer: Text


class Question(Struct, frozen=True, forbid_unknown_fields=True):
    """An interview question with everything that belongs to it.

    Attributes:
        id: ``Q1`` to ``Q40``, the numbering of the course; a person's own questions are ``Q101`` to ``Q999``.
        group: The group that it belongs to.
        section: The section of the course, such as ``7.10``.
        title: A few words for lists; may hold inline math, like every text here.
        drills: Ids of the drills that prove the point with numbers.
        sources: Papers, by author and year.
        lab: The interactive demonstration that shows the point, see ``question_bank.labs``.
        prompt: The question as an interviewer says it.
        answer: The model answers.
        key_points: What a full answer has to contain.
        pitfalls: Wrong things that people say.
        choices: The four-option version, in the order in which it is stored.
        follow_ups: What is asked next.
    """

    id: Annotated[str, Meta(pattern=r"^Q[1-9][0-9]{0,2}$")]
    group: Group
    section: Annotated[str, Meta(pattern=r"^[1-9][0-9]?\.[1-9][0-9]?$")]
    title: Text
    drills: Annotated[tuple[str, ...], Meta(min_length=1)]
    sources: Annotated[tuple[str, ...], Meta(min_length=1)]
    prompt: Text
    answer: Answer
    key_points: Annotated[tuple[KeyPoint, ...], Meta(min_length=3, max_length=6)]
    pitfalls: Annotated[tuple[Pitfall, ...], Meta(min_length=1, max_length=3)]
    choices: Annotated[tuple[Choice, ...], Meta(min_length=4, max_length=4)]
    follow_ups: Annotated[tuple[FollowUp, ...], Meta(min_length=2)]
    lab: str | None = None

    @property
    def number(self) -> int:
        """The number in the course."""
        return int(self.id[1:])

    @property
    def heading(self) -> Heading:
        """What lists show of it."""
        return Heading(self.id, self.group, self.section, self.title)

    @property
    def right_choice(self) -> int:
        """The index of the right option, from 0."""
        return next(index for index, choice in enumerate(self.choices) if choice.right)
