"""Markdown with formulas between dollar signs, as Obsidian, GitHub and pandoc read it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime

from question_bank.math import Formula, MathError, Words, segments
from question_bank.questions.question import Question
from question_bank.text import Language, Text
from quizapp import wording_exports as wording
from quizapp.citations import cited
from quizapp.commands.drawing import substep_line
from quizapp.exports import formulas
from quizapp.exports.content import Contents, Exercise, Notes
from quizapp.exports.markup import clean
from solvers.operations.base import symbol
from solvers.steps import Step

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~$&^!])")
_AT_THE_START = re.compile(r"(^|\n)([ \t]*)(?:([-+=])|(\d+)([.)]))")
"""What would start a list or underline a heading."""


def document(contents: Contents, languages: Sequence[Language], at: datetime) -> bytes:
    """Write everything as one document.

    Args:
        contents: What goes in.
        languages: One after the other.
        at: Not needed: nothing in the file depends on the time.
    """
    blocks: list[str] = []
    for language in languages:
        blocks += _Document(language).blocks(contents)
    return (clean("\n\n".join(blocks)) + "\n").encode()


def words(text: str, *, starts: bool = True) -> str:
    """Write a text so that Markdown shows just that text; ``starts`` says whether a line starts with it."""

    def escape(found: re.Match[str]) -> str:
        if not starts and not found[1]:
            return found[0]
        sign = rf"\{found[3]}" if found[3] else rf"{found[4]}\{found[5]}"
        return found[1] + found[2] + sign

    flush = re.sub(r"\n[ \t]+", "\n", text.lstrip(" \t") if starts else text)  # an indented line would be code
    return _AT_THE_START.sub(escape, _SPECIAL.sub(r"\\\1", flush))


def sentence(text: str) -> str:
    """Write a sentence with its formulas; its line breaks stay."""
    try:
        parts = segments(text)
    except MathError:
        parts = (Words(text),)
    return "".join(
        f"${formulas.formula(part.latex)}$" if isinstance(part, Formula) else words(part.text, starts=place == 0)
        for place, part in enumerate(parts)
    ).replace("\n", "  \n")


def fenced(lines: Sequence[str], language: str = "") -> str:
    """Write lines as they are, in a fence longer than any in them."""
    longest = max((len(found) for line in lines for found in re.findall(r"`+", line)), default=0)
    fence = "`" * max(3, longest + 1)
    return "\n".join((fence + language, *lines, fence))


class _Document:
    """Writes in one language."""

    def __init__(self, language: Language) -> None:
        self.language = language

    def said(self, text: Text) -> str:
        return sentence(text[self.language])

    def blocks(self, contents: Contents) -> Iterator[str]:
        yield f"# {self.said(wording.COURSE)}"
        for heading, found in (
            (wording.QUESTIONS, map(self._question, contents.questions)),
            (wording.FORMULAS, map(self._notes, contents.lessons)),
            (wording.DRILLS, map(self._exercise, contents.exercises)),
        ):
            written = [block for each in found for block in each]
            if written:
                yield f"## {self.said(heading)}"
                yield from written

    def _question(self, each: Question) -> Iterator[str]:
        yield f"### {each.id} {self.said(each.title)}"
        yield self.said(each.prompt)
        yield f"**{self.said(wording.SHORT)}**"
        yield self.said(each.answer.short)
        yield f"**{self.said(wording.FULL)}**"
        yield from (self.said(paragraph) for paragraph in each.answer.paragraphs())
        yield f"**{self.said(wording.POINTS)}**"
        yield "\n".join(f"{at}. {self.said(point.text)}" for at, point in enumerate(each.key_points, 1))
        yield f"**{self.said(wording.PITFALLS)}**"
        yield self._claims([(one.claim, one.why) for one in each.pitfalls])
        yield f"**{self.said(wording.FOLLOW_UPS)}**"
        yield "\n".join(f"- {self.said(one.question)}\n\n  {self.said(one.answer)}" for one in each.follow_ups)
        yield self.said(wording.SOURCES.fill(sources=cited(each.sources)))

    def _claims(self, found: Sequence[tuple[Text, Text]]) -> str:
        return "\n".join(f"- {self.said(wording.CLAIM.fill(claim=claim))} {self.said(why)}" for claim, why in found)

    def _notes(self, each: Notes) -> Iterator[str]:
        yield f"### {each.section} {self.said(each.title)}"
        yield from (self.said(paragraph) for paragraph in each.intuition)
        for formula in each.formulas:
            yield f"$$\n{formulas.formula(formula.latex)}\n$$"
            yield self.said(formula.says + wording.SOURCE.fill(source=formula.source))
        yield f"**{self.said(wording.TERMS)}**"
        yield "\n".join(f"- ${formulas.formula(term.symbol)}$ {self.said(term.says)}" for term in each.terms)
        yield f"**{self.said(wording.COMMON_MISTAKES)}**"
        yield self._claims([(one.claim, one.why) for one in each.mistakes])

    def _exercise(self, each: Exercise) -> Iterator[str]:
        level = wording.LEVEL.fill(level=each.problem.level)
        yield f"### {self.said(wording.MORE.fill(title=each.title, more=level))} `{each.code}`"
        yield self.said(each.problem.prompt)
        if each.listing:
            yield fenced(each.listing, "python")
        yield from (f"$$\n{formulas.input_formula(name, value)}\n$$" for name, value in each.inputs)
        yield "\n".join(f"- {self.said(wording.PART.fill(label=part.label, form=part.form))}" for part in each.parts)
        yield f"**{self.said(wording.ANSWER)}**"
        yield "\n".join(f"- {self.said(part.label)} = {words(part.accepted.shown[self.language])}" for part in each.parts)
        yield f"**{self.said(wording.STEPS)}**"
        for number, step in enumerate(each.steps, 1):
            yield from self._step(number, step)
        found = [known for part in each.parts for known in part.accepted.mistakes]
        if found:
            yield f"**{self.said(wording.KNOWN_MISTAKES)}**"
            yield "\n".join(f"- {self.said(wording.NAMED.fill(name=known.shown, what=known.message))}" for known in found)

    def _step(self, number: int, step: Step) -> Iterator[str]:
        formula = formulas.formula(step.formula)
        yield f"{number}\\. {self.said(step.title)}  \n${formula}$"
        yield self.said(step.reason)
        if step.substeps:
            yield fenced([substep_line(line) for line in step.substeps])
        if not step.substeps or step.substeps[-1].result != step.result:
            yield f"$$\n{symbol(step.node)} = {formulas.table(step.result)}\n$$"
