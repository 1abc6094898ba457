"""Moodle XML: problems as numerical, short-answer, choice and cloze questions, interview questions as essay and choice.

Lessons are left out: Moodle's question bank holds questions. A problem's code is its id number in the bank.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from xml.etree import ElementTree as ET

from question_bank.questions.question import Question
from question_bank.text import Language, Text
from quizapp import wording_exports as wording
from quizapp.exports import cloze
from quizapp.exports.cloze import Field
from quizapp.exports.content import Contents, Exercise, Part
from quizapp.exports.markup import clean, escaped
from quizapp.exports.moodle_prompts import in_fields
from quizapp.exports.pages import Pages

TYPES = {"NUMERICAL": "numerical", "SHORTANSWER": "shortanswer", "MULTICHOICE": "multichoice"}
"""The types of questions of their own that cloze fields have beside them."""


def xml(contents: Contents, languages: Sequence[Language], at: datetime) -> bytes:
    """Write a question bank.

    Args:
        contents: What goes in; its lessons don't.
        languages: One or both; each gets categories of its own.
        at: Not needed: nothing in the file depends on the time.
    """
    quiz = ET.Element("quiz")
    for language in languages:
        writer = _Writer(quiz, Pages(language))
        if contents.questions:
            writer.category(wording.QUESTIONS)
            for question in contents.questions:
                writer.essay(question)
                writer.choice(question)
        drill = ""
        for exercise in contents.exercises:
            if exercise.problem.drill != drill:
                drill = exercise.problem.drill
                writer.category(wording.DRILLS, Text(exercise.section, exercise.section) + exercise.title)
            writer.exercise(exercise)
    ET.indent(quiz)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(quiz, encoding="unicode")}\n'.encode()


class _Writer:
    """Writes questions in one language."""

    def __init__(self, quiz: ET.Element, pages: Pages) -> None:
        self.quiz = quiz
        self.pages = pages
        self.language = pages.language

    def category(self, *names: Text) -> None:
        """Start a category: those that follow go there."""
        parts = [cloze.in_unicode(name[self.language]).replace("/", "//") for name in (wording.COURSE, *names)]
        question = ET.SubElement(self.quiz, "question", type="category")
        _text(question, "category", "/".join(["$course$", "top", *parts]))

    # Interview questions -----------------------------------------------------------------------------------------------

    def essay(self, question: Question) -> None:
        """Write a question to be answered in one's own words; the model answer is there for who marks it."""
        pages = self.pages
        made = self._start(
            "essay",
            f"{question.id} {self._plain(question.title)}",
            f"{question.id}-essay-{self.language}",
            f"<p>{pages.said(question.prompt)}</p>",
            self._model_answer(question),
            1,
        )
        for name, value in (
            ("responseformat", "editor"),
            ("responserequired", "1"),
            ("responsefieldlines", "15"),
            ("attachments", "0"),
            ("attachmentsrequired", "0"),
        ):
            ET.SubElement(made, name).text = value
        _html(made, "graderinfo", self._model_answer(question))
        _html(made, "responsetemplate", "")
        self._tags(made, "question", question.section, question.id)

    def _model_answer(self, question: Question) -> str:
        pages = self.pages
        return (
            pages.heading(wording.SHORT)
            + f"<p>{pages.said(question.answer.short)}</p>"
            + pages.heading(wording.POINTS)
            + pages.points(question)
            + pages.heading(wording.PITFALLS)
            + pages.pitfalls(question)
        )

    def choice(self, question: Question) -> None:
        """Write the four-option form."""
        name = f"{question.id} {self._plain(wording.MORE.fill(title=question.title, more=wording.CHOICES))}"
        made = self._start(
            "multichoice",
            name,
            f"{question.id}-choice-{self.language}",
            f"<p>{self.pages.said(question.prompt)}</p>",
            f"<p>{self.pages.said(question.answer.short)}</p>",
            1,
        )
        self._options(made, [(each.right, self.pages.said(each.text), self.pages.said(each.why)) for each in question.choices])
        self._tags(made, "question", question.section, question.id)

    def _options(self, made: ET.Element, options: Sequence[tuple[bool, str, str]], *, shuffled: bool = True) -> None:
        ET.SubElement(made, "single").text = "true"
        ET.SubElement(made, "shuffleanswers").text = "true" if shuffled else "false"
        ET.SubElement(made, "answernumbering").text = "abc" if shuffled else "none"
        for name in ("correctfeedback", "partiallycorrectfeedback", "incorrectfeedback"):
            _html(made, name, "")
        for right, option, feedback in options:
            answer = ET.SubElement(made, "answer", fraction="100" if right else "0", format="html")
            ET.SubElement(answer, "text").text = option
            _html(answer, "feedback", feedback)

    # Problems ----------------------------------------------------------------------------------------------------------

    def exercise(self, exercise: Exercise) -> None:
        """Write a problem: of one field as a question of that type, of several as cloze."""
        found = [(part, cloze.fields(part.accepted)) for part in exercise.parts]
        if len(found) == 1 and len(found[0][1]) == 1:
            self._single(exercise, found[0][0], found[0][1][0])
        else:
            self._cloze(exercise, found)

    def _single(self, exercise: Exercise, part: Part, field: Field) -> None:
        text = self._prompt(exercise) + f"<p>{self._asked(part, field)}</p>"
        made = self._problem(TYPES[field.kind], exercise, text, 1)
        if field.kind == "MULTICHOICE":
            said = {"yes": wording.YES, "no": wording.NO}
            self._options(
                made,
                [
                    (each.right, escaped(said[each.answer][self.language] if each.answer in said else each.answer),
                     self.pages.said(each.feedback))
                    for each in field.alternatives
                ],
                shuffled=False,
            )  # fmt: skip
        else:
            self._answers(made, field)
        self._tags(made, "drill", exercise.section, exercise.problem.drill, f"level-{exercise.problem.level}")

    def _answers(self, made: ET.Element, field: Field) -> None:
        numerical = field.kind == "NUMERICAL"
        if not numerical:
            ET.SubElement(made, "usecase").text = "0"
        for each in field.alternatives:
            answer = ET.SubElement(made, "answer", fraction="100" if each.right else "0", format="moodle_auto_format")
            ET.SubElement(answer, "text").text = each.answer
            _html(answer, "feedback", self.pages.said(each.feedback))
            if numerical:
                ET.SubElement(answer, "tolerance").text = each.tolerance
        if numerical:
            for name, value in (("unitgradingtype", "0"), ("unitpenalty", "0"), ("showunits", "3"), ("unitsleft", "0")):
                ET.SubElement(made, name).text = value

    def _cloze(self, exercise: Exercise, found: Sequence[tuple[Part, tuple[Field, ...]]]) -> None:
        pieces = [cloze.protected(self._prompt(exercise))]
        for part, fields in found:
            pieces.append(f"<p>{cloze.protected(self._asked(part, fields[0]))}</p>")
            pieces.append(self._grid([cloze.written(field, self.language) for field in fields], part.accepted.dimensions))
        made = self._problem("cloze", exercise, "".join(pieces), sum(len(fields) for _, fields in found))
        self._tags(made, "drill", exercise.section, exercise.problem.drill, f"level-{exercise.problem.level}")

    def _grid(self, written: list[str], dimensions: tuple[int, ...]) -> str:
        columns = dimensions[-1] if dimensions else 1
        rows = [written[start : start + columns] for start in range(0, len(written), columns)]
        cells = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
        return f"<table><tbody>{cells}</tbody></table>" if len(written) > 1 else f"<p>{written[0]}</p>"

    def _prompt(self, exercise: Exercise) -> str:
        return self.pages.prompt(exercise, in_fields(exercise.problem.prompt))

    def _asked(self, part: Part, field: Field) -> str:
        if field.note is not None and field.instead:
            return self.pages.asked(replace(part, form=field.note))
        asked = self.pages.asked(part)
        return asked if field.note is None else f"{asked} {self.pages.said(field.note)}"

    def _problem(self, sort: str, exercise: Exercise, text: str, marks: int) -> ET.Element:
        pages = self.pages
        solution = (
            pages.heading(wording.ANSWER) + pages.answers(exercise) + pages.heading(wording.STEPS) + pages.steps(exercise)
        )
        name = f"{self._plain(exercise.title)} {exercise.code}"
        return self._start(sort, name, f"{exercise.code}-{self.language}", text, solution, marks)

    # Both --------------------------------------------------------------------------------------------------------------

    def _start(self, sort: str, name: str, number: str, text: str, feedback: str, marks: int) -> ET.Element:
        question = ET.SubElement(self.quiz, "question", type=sort)
        _text(question, "name", name)
        _html(question, "questiontext", text)
        _html(question, "generalfeedback", feedback)
        if sort != "cloze":  # there the fields say it
            ET.SubElement(question, "defaultgrade").text = str(marks)
        ET.SubElement(question, "penalty").text = "0.3333333"
        ET.SubElement(question, "hidden").text = "0"
        ET.SubElement(question, "idnumber").text = number
        return question

    def _plain(self, text: Text) -> str:
        return clean(cloze.in_unicode(text[self.language]))

    def _tags(self, question: ET.Element, *names: str) -> None:
        tags = ET.SubElement(question, "tags")
        for name in names:
            _text(tags, "tag", name)


def _text(parent: ET.Element, name: str, text: str) -> None:
    ET.SubElement(ET.SubElement(parent, name), "text").text = clean(text)


def _html(parent: ET.Element, name: str, html: str) -> None:
    ET.SubElement(ET.SubElement(parent, name, format="html"), "text").text = html
