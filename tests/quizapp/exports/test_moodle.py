"""Moodle XML, against its published structure, and its grading against ours."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest
from lxml import etree

from question_bank import draw
from question_bank.bank import SHIPPED
from question_bank.drills import DRILLS
from question_bank.exact import terminating, to_fraction
from question_bank.math import parse, plain, to_unicode
from question_bank.problem import Problem
from question_bank.program import AnswerFormat, Ask, Kind
from question_bank.text import Language, same
from quizapp.exports.cloze import fields as cloze_fields
from quizapp.exports.cloze import written
from quizapp.exports.content import Contents, solve
from quizapp.exports.moodle import xml
from quizapp.exports.moodle_prompts import in_fields
from solvers.accepting import Accepted, AcceptedCell, Interval
from solvers.answers import Answer, read
from solvers.grading import grade
from solvers.verdict import Outcome
from tests.quizapp.exports.moodle_reader import Blank, blanks, parsed, read_cloze, text_of
from tests.quizapp.exports.samples import AT, NASTY, PAIRS, nasty_question, sample

SCHEMA = etree.RelaxNG(file=str(Path(__file__).with_name("moodle.rng")))
NUMBER = re.compile(r"-?\d+(?:\.\d+)?|-?inf|nan")


def export(contents: Contents, *languages: Language) -> list[etree._Element]:
    quiz = etree.fromstring(xml(contents, languages or (Language.EN,), AT))
    SCHEMA.assertValid(quiz)
    for each in quiz.iter("text"):
        if each.getparent().get("format") == "html" and each.text:
            parsed(each.text)
    return [each for each in quiz if each.get("type") != "category"]


def test_questions_become_essays_and_choices() -> None:
    question = SHIPPED.question(7)
    essay, choice = export(Contents((question,)), Language.EN)
    assert [essay.get("type"), choice.get("type")] == ["essay", "multichoice"]
    information = text_of(essay.findtext("graderinfo/text"))
    assert all(text_of_sentence(point.text.en) in information for point in question.key_points)
    (blank,) = blanks(choice)
    assert [option.fraction == 100 for option in blank.options] == [each.right for each in question.choices]
    assert [option.feedback for option in blank.options] == [text_of_sentence(each.why.en) for each in question.choices]


def text_of_sentence(sentence: str) -> str:
    from quizapp.exports.markup import sentence as written

    return text_of(written(sentence))


def test_the_languages_are_side_by_side() -> None:
    found = export(Contents((SHIPPED.question(1),), (), (solve(sample("softmax-row", 1)),)), *Language)
    numbers = [each.findtext("idnumber") for each in found]
    assert len(numbers) == len(set(numbers)) == 6
    assert "注意力" in found[3].findtext("name/text")


def test_content_is_never_markup() -> None:
    essay, choice = export(Contents((nasty_question(),)))
    assert NASTY in text_of(essay.findtext("questiontext/text"))
    assert NASTY in text_of(essay.findtext("graderinfo/text"))
    (blank,) = blanks(choice)
    assert {option.answer for option in blank.options} == {NASTY}
    for each in essay.iterfind("*[@format='html']/text"):
        assert r"\(a" not in (each.text or "")  # nor a formula


FORMS = re.compile(
    r"fraction|welcome|with a unit|or exactly|exactly, such|也可以写|精确值|精确表达式|带上单位|写成分数|直接写字节|3 MiB"
)
"""How a field of the application may be filled in, and one of Moodle's may not."""


@pytest.mark.parametrize("drill", list(DRILLS))
def test_prompts_ask_for_nothing_that_moodle_marks_wrong(drill: str) -> None:
    for level in DRILLS[drill].levels:
        for number in range(4):
            prompt = draw(drill, level, str(number)).prompt
            said = in_fields(prompt)
            assert not FORMS.search(f"{said.en} {said.zh}"), (level, said)
            assert (said.en == prompt.en) == (said.zh == prompt.zh) == (not FORMS.search(f"{prompt.en} {prompt.zh}")), said


@pytest.mark.parametrize(
    ("drill", "level", "language", "said"),
    [
        ("kv-cache-bytes", 1, Language.ZH, r"（单位 KiB，1 KiB 是 \(2^{10}\) 字节）"),
        ("kv-cache-bytes", 4, Language.EN, "Answer exactly, in the unit given at the field."),
        ("softmax-row", 1, Language.EN, "to 3 decimals."),
        ("log-sum-exp", 1, Language.ZH, "写成小数。"),
    ],
)
def test_the_form_is_that_of_the_fields(drill: str, level: int, language: Language, said: str) -> None:
    (question,) = export(Contents((), (), (solve(sample(drill, level)),)), language)
    text = text_of(question.findtext("questiontext/text"))
    assert said in text
    assert not FORMS.search(text)


# Grading ---------------------------------------------------------------------------------------------------------------


def pairs(problem: Problem) -> Iterator[tuple[Accepted, list[Blank]]]:
    """Yield each part of a problem with the fields that Moodle has for it."""
    exercise = solve(problem)
    (question,) = export(Contents((), (), (exercise,)))
    found = blanks(question)
    for part in exercise.parts:
        count = len(part.accepted.cells) or 1
        if part.accepted.ask.format.kind in (Kind.CHOICE, Kind.YES_NO, Kind.ORDER, Kind.NAMED_SHAPE):
            count = 1
        yield part.accepted, found[:count]
        found = found[count:]
    assert not found


def typed(shown: str, blanks: list[Blank], part: Accepted) -> list[str]:
    """Take a displayed answer apart, as a person does who types it into the fields."""
    if blanks[0].kind != "numerical" and len(blanks) == 1:
        return [shown]
    numbers = NUMBER.findall(shown)
    if part.ask.format.kind is Kind.EXPRESSION:  # asked for as a decimal
        answer = read(shown, part.ask.format)
        assert isinstance(answer, Answer)
        return [f"{float(to_fraction(answer.cells[0].value)):.{part.ask.format.decimals}f}"]
    if part.ask.format.kind is Kind.BYTES:  # in the unit of the right answer, whatever unit the mistake is displayed in
        sizes = {
            "B": 1,
            "KiB": 2**10,
            "MiB": 2**20,
            "GiB": 2**30,
            "TiB": 2**40,
            "kB": 1000,
            "MB": 10**6,
            "GB": 10**9,
            "TB": 10**12,
        }
        own, asked = (Fraction(sizes[text.split()[-1]]) for text in (shown, part.shown.en))
        numbers = [str(float(Fraction(numbers[0]) * own / asked))]
    return numbers


def in_unicode(text: str) -> str:
    """Write the formulas of a text as a reader of Unicode has them, who sees no MathJax."""
    return re.sub(r"\\\((.*?)\\\)", lambda found: to_unicode(parse(found[1])), text)


def check_displayed(problem: Problem) -> None:
    """The displayed answer is right in every field; a mistake's isn't, and is told what the grader says."""
    for part, fields in pairs(problem):
        answers = typed(part.shown.en, fields, part)
        assert len(answers) == len(fields), (problem.code, part.shown)
        for field, answer in zip(fields, answers, strict=True):
            option = field.grade(answer)
            assert option is not None, (problem.code, part.shown, answer)
            assert option.fraction == 100, (problem.code, part.shown, answer)
        for mistake in part.mistakes[:12]:
            answers = typed(mistake.shown, fields, part)
            if len(answers) != len(fields) or (part.cells and not mistake.cells):
                continue  # of another shape: there are no fields to type it into
            if "inf" in mistake.shown or "nan" in mistake.shown:
                continue  # Moodle takes no such number
            graded = [field.grade(answer) for field, answer in zip(fields, answers, strict=True)]
            assert not all(option and option.fraction == 100 for option in graded), (problem.code, mistake)
            said = in_unicode(" ".join(option.feedback for option in graded if option))
            assert " ".join(plain(mistake.message.en).split()) in " ".join(said.split()), (problem.code, mistake, graded)


def check_intervals(problem: Problem) -> None:
    """Moodle and the grader agree on numbers around the answer, on its bounds and beyond them."""
    parts = list(pairs(problem))
    right = [part.shown.en for part, _ in parts]
    for number, (part, fields) in enumerate(parts):
        if part.ask.format.kind not in (Kind.NUMBER, Kind.EXPRESSION, Kind.PERCENT, Kind.INTEGER, Kind.VECTOR, Kind.MATRIX):
            continue
        cell, field = part.cells[0], fields[0]
        if field.kind != "numerical":
            continue
        unit = cell.about.reach or Fraction(1, 1000)
        for near in (
            *(cell.about.value + unit * Fraction(k, 4) for k in (-5, -4, -3, 0, 3, 4, 5)),
            *(each.value for each in cell.also),
        ):
            text = terminating(near)
            if text is None:
                continue
            answer = text if part.ask.format.kind is Kind.EXPRESSION else NUMBER.sub(text, right[number], count=1)
            verdict = grade(problem, [*right[:number], answer, *right[number + 1 :]]).parts[number]
            option = field.grade(text)
            ours, theirs = verdict.outcome is Outcome.RIGHT, option is not None and option.fraction == 100
            assert ours == theirs, (problem.code, text, verdict, option)


@pytest.mark.parametrize(("drill", "level"), PAIRS[::9])
def test_grading_agrees(drill: str, level: int) -> None:
    problem = sample(drill, level)
    check_displayed(problem)
    check_intervals(problem)


def test_infinity_is_written_where_numbers_cannot_be() -> None:
    ask = Ask("s", AnswerFormat(Kind.VECTOR, decimals=1))
    cells = (
        AcceptedCell(float("-inf"), Interval(Fraction(0)), (), (), "-inf"),
        AcceptedCell(1.5, Interval(Fraction(3, 2)), (), (), "1.5"),
    )
    first, second = cloze_fields(Accepted(ask, same("[-inf, 1.5]"), ("-inf", "1.5"), (2,), cells, ()))
    (blank, number) = read_cloze(written(first, Language.EN) + written(second, Language.EN))
    assert blank.kind == "shortanswer"
    assert all((option := blank.grade(spelling)) and option.fraction == 100 for spelling in ("-inf", "-∞", "−∞"))
    assert blank.grade("inf") is None
    assert number.kind == "numerical"


@pytest.mark.long
def test_grading_agrees_everywhere() -> None:
    for drill, level in PAIRS:
        problem = sample(drill, level)
        check_displayed(problem)
        check_intervals(problem)
