"""Questions, formulas and problems as pieces of HTML, in one language; the formats put them together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from question_bank.lessons.lesson import Formula
from question_bank.questions.question import Question
from question_bank.text import Language, Text, same
from quizapp import wording_exports as wording
from quizapp.commands.drawing import substep_line
from quizapp.exports import formulas
from quizapp.exports.content import Exercise, Notes, Part
from quizapp.exports.markup import code, display, escaped, listed, math, numbered, paragraph, sentence, words
from solvers.operations.base import symbol
from solvers.steps import Step


@dataclass(frozen=True, slots=True)
class Pages:
    """Writes in one language.

    Attributes:
        language: The language.
    """

    language: Language

    def said(self, text: Text) -> str:
        """Write a sentence."""
        return sentence(text[self.language])

    def heading(self, text: Text) -> str:
        """Write a heading within a card."""
        return f"<h4>{self.said(text)}</h4>"

    # Questions ---------------------------------------------------------------------------------------------------------

    def full_answer(self, question: Question) -> str:
        """Write the long model answer."""
        return "".join(paragraph(each[self.language]) for each in question.answer.paragraphs())

    def points(self, question: Question) -> str:
        """Write the key points."""
        return numbered(self.said(each.text) for each in question.key_points)

    def pitfalls(self, question: Question) -> str:
        """Write what people say wrongly, each with the reason."""
        return listed(self._claim(each.claim, each.why) for each in question.pitfalls)

    def follow_ups(self, question: Question) -> str:
        """Write what is asked next, each folded over its answer."""
        return "".join(
            f"<details><summary>{self.said(each.question)}</summary>{paragraph(each.answer[self.language])}</details>"
            for each in question.follow_ups
        )

    # Formulas ----------------------------------------------------------------------------------------------------------

    def formula(self, each: Formula) -> str:
        """Write a formula and where it is from."""
        return f'<p>{display(formulas.formula(each.latex))}</p><p class="source">{self.said(each.source)}</p>'

    def terms(self, notes: Notes) -> str:
        """Write the parts of the main formula."""
        return listed(f"{math(formulas.formula(each.symbol))} {self.said(each.says)}" for each in notes.terms)

    def lesson_mistakes(self, notes: Notes) -> str:
        """Write a lesson's common mistakes."""
        return listed(self._claim(each.claim, each.why) for each in notes.mistakes)

    def _claim(self, claim: Text, why: Text) -> str:
        return f"<em>{self.said(wording.CLAIM.fill(claim=claim))}</em><br>{self.said(why)}"

    # Problems ----------------------------------------------------------------------------------------------------------

    def prompt(self, exercise: Exercise, said: Text | None = None) -> str:
        """Write what is asked (in the words of ``said``, where given), the code and the numbers given."""
        pieces = [paragraph((said or exercise.problem.prompt)[self.language])]
        if exercise.listing:
            width = len(str(len(exercise.listing)))
            pieces.append(code(f"{number:>{width}}  {line}" for number, line in enumerate(exercise.listing, 1)))
        given = " ".join(
            f'<span class="given">{math(formulas.input_formula(name, value))}</span>' for name, value in exercise.inputs
        )
        return "".join(pieces) + (f'<p class="inputs">{given}</p>' if given else "")

    def asked(self, part: Part) -> str:
        """Name a part and the form of its answer."""
        return self.said(wording.PART.fill(label=part.label, form=part.form))

    def answers(self, exercise: Exercise) -> str:
        """Write the right answers."""
        return "".join(f"<p>{self._answer(part)}</p>" for part in exercise.parts)

    def _answer(self, part: Part) -> str:
        found = part.accepted
        label = self.said(part.label)
        if not found.dimensions:
            return f"{label} = <strong>{words(found.shown[self.language])}</strong>"
        return f"{label} = {math(formulas.table(found.table))}"

    def mistakes(self, exercise: Exercise) -> str:
        """Write what known mistakes give; nothing where there are none."""
        several = len(exercise.parts) > 1
        return listed(
            (f"{self.said(part.label)} = " if several else "")
            + f'<span class="typed">{escaped(known.shown)}</span><br>{self.said(known.message)}'
            for part in exercise.parts
            for known in part.accepted.mistakes
        ).replace("<ul></ul>", "")

    def steps(self, exercise: Exercise) -> str:
        """Write the worked solution."""
        return "<ol>" + "".join(f"<li>{''.join(self._step(step))}</li>" for step in exercise.steps) + "</ol>"

    def _step(self, step: Step) -> Iterator[str]:
        yield f"<p><strong>{self.said(step.title)}</strong> {math(formulas.formula(step.formula))}</p>"
        yield f'<p class="reason">{self.said(step.reason)}</p>'
        name = symbol(step.node)
        if isinstance(step.result, str) and step.result.startswith("["):  # shapes go in, and a shape comes out
            for line in step.substeps:
                yield f"<div>{words(line.expression)} → {math(name)} {words(line.result)}</div>"
            return
        said: Text = same("")
        for line in step.substeps:
            if line.explanation != said:
                yield f"<p>{self.said(line.explanation)}</p>"
            said = line.explanation
            yield f'<div class="line">{math(formulas.line(substep_line(line)))}</div>'
        if not step.substeps or step.substeps[-1].result != step.result:
            yield f"<p>{math(f'{name} = {formulas.table(step.result)}')}</p>"
