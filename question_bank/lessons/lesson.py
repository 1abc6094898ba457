"""What a lesson consists of. These classes are also the schema that its TOML file is checked against.

A lesson has the nine parts of the course: intuition, formula, breakdown, shapes, smallest numeric example, demonstration, code,
common mistakes, interview questions. Its numbers are never typed in: texts name nodes of the lesson's programs between « and »,
and ``solvers.lessons`` computes what stands there (see ``question_bank.lessons.places``).
"""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from question_bank.lessons import Heading
from question_bank.text import Text


class Formula(Struct, frozen=True, forbid_unknown_fields=True):
    """A formula.

    Attributes:
        latex: The formula, without dollar signs.
        source: Paper and equation, or where else it comes from.
        says: What it says, in one sentence.
    """

    latex: str
    source: Text
    says: Text


class Term(Struct, frozen=True, forbid_unknown_fields=True):
    """One part of the formula.

    Attributes:
        symbol: The part, in LaTeX without dollar signs.
        says: What it is and what it is for.
    """

    symbol: str
    says: Text


class ShapeFlow(Struct, frozen=True, forbid_unknown_fields=True):
    """A program over shapes.

    Attributes:
        sizes: A number for each named size; no two alike, so that a computed size can be named.
        inputs: The names of each input's sizes, ``['B', 'S', 'd_model']``; a bare name for a number such as ``h``.
        program: The lines.
        says: What to see in it.
    """

    sizes: dict[str, int]
    inputs: dict[str, tuple[str, ...] | str]
    program: Annotated[tuple[str, ...], Meta(min_length=1)]
    says: Text


class Example(Struct, frozen=True, forbid_unknown_fields=True):
    """A program over small numbers.

    Attributes:
        title: What the example is.
        inputs: Its inputs, see ``question_bank.written``.
        program: The lines.
        show: The nodes that are drawn, inputs among them, in order.
        says: The example told step by step; paragraphs, parted by blank lines.
        decimals: Decimals of the numbers shown.
    """

    title: Text
    inputs: dict[str, Any]
    program: Annotated[tuple[str, ...], Meta(min_length=1)]
    show: Annotated[tuple[str, ...], Meta(min_length=1)]
    says: Text
    decimals: Annotated[int, Meta(ge=0, le=6)] = 3


class Variation(Struct, frozen=True, forbid_unknown_fields=True):
    """One change of an example.

    Attributes:
        what: What is changed.
        show: The node to look at.
        inputs: Inputs that take another value.
        program: Lines that replace those of the same node.
    """

    what: Text
    show: str
    inputs: dict[str, Any] = {}
    program: tuple[str, ...] = ()


class Demonstration(Struct, frozen=True, forbid_unknown_fields=True):
    """An example under changes.

    Attributes:
        lab: The interactive demonstration of the section, see ``question_bank.labs``.
        says: What to look for.
        variations: The changes.
        example: The number of the example, from 1.
    """

    lab: str
    says: Text
    variations: Annotated[tuple[Variation, ...], Meta(min_length=1)]
    example: int = 1


class Listing(Struct, frozen=True, forbid_unknown_fields=True):
    """Code that runs as it stands.

    Attributes:
        says: What it shows.
        text: The code.
        output: What it prints.
    """

    says: Text
    text: str
    output: str


class Mistake(Struct, frozen=True, forbid_unknown_fields=True):
    """A common mistake.

    Attributes:
        claim: What people say or do.
        why: Why it is wrong, and what is right.
    """

    claim: Text
    why: Text


class Lesson(Struct, frozen=True, forbid_unknown_fields=True):
    """A lesson: one section of the course.

    Attributes:
        section: Its number, such as ``7.9``.
        title: A few words for lists.
        intuition: The idea without a formula; paragraphs.
        formulas: The formulas, the main one first.
        terms: The main formula, part by part.
        shapes: How shapes flow.
        examples: The smallest numeric example; a second one where the first can't carry the point.
        demonstration: The example under changes.
        code: Runnable code.
        mistakes: Common mistakes.
        questions: Numbers of the interview questions that belong to it.
        drills: Ids of the drills that practise it.
        sources: Papers, by author and year.
    """

    section: Annotated[str, Meta(pattern=r"^[1-9][0-9]?\.[1-9][0-9]?$")]
    title: Text
    questions: Annotated[tuple[int, ...], Meta(min_length=1)]
    drills: tuple[str, ...]
    sources: Annotated[tuple[str, ...], Meta(min_length=1)]
    intuition: Text
    formulas: Annotated[tuple[Formula, ...], Meta(min_length=1)]
    terms: Annotated[tuple[Term, ...], Meta(min_length=2)]
    shapes: ShapeFlow
    examples: Annotated[tuple[Example, ...], Meta(min_length=1, max_length=2)]
    demonstration: Demonstration
    code: Listing
    mistakes: Annotated[tuple[Mistake, ...], Meta(min_length=2, max_length=5)]

    @property
    def heading(self) -> Heading:
        """What lists show of it."""
        return Heading(self.section, self.title)


def paragraphs(text: Text) -> tuple[Text, ...]:
    """Return a text paragraph by paragraph.

    Raises:
        ValueError: The languages have different numbers of paragraphs.
    """
    return tuple(Text(en.strip(), zh.strip()) for en, zh in zip(text.en.split("\n\n"), text.zh.split("\n\n"), strict=True))
