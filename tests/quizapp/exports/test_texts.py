"""CSV, JSON and Markdown, read back with the csv module, msgspec and markdown-it."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator

import msgspec
import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin
from msgspec import Struct

from question_bank.bank import SHIPPED
from question_bank.exact import Exact, Expression, ln
from question_bank.math import Formula, segments
from question_bank.text import Language, Text
from question_bank.walk import texts
from quizapp.citations import cited
from quizapp.commands.drawing import substep_line
from quizapp.exports import flat, formulas, markdown, plain, record
from quizapp.exports.content import Contents, Selection, gather, solve
from solvers.answers import Answer, read
from solvers.steps import SubStep
from tests.quizapp.exports.samples import AT, NASTY, PAIRS, nasty_question, sample

BOTH = tuple(Language)


def contents() -> Contents:
    found = gather(Selection((7, 12), ("7.9",)), SHIPPED)
    drawn = tuple(solve(sample(drill, level)) for drill, level in (("softmax-row", 1), ("line-shape", 2), ("causal-output", 2)))
    return Contents(found.questions, found.lessons, drawn)


# CSV -------------------------------------------------------------------------------------------------------------------


def rows(made: Contents, *languages: Language) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(flat.table(made, languages, AT).decode("utf-8-sig"), newline="")))


def test_csv_has_a_row_for_everything_in_each_language() -> None:
    made = contents()
    found = rows(made, *BOTH)
    assert len(found) == 2 * (2 + len(made.lessons[0].formulas) + 3)
    assert len({(row["kind"], row["id"], row["language"]) for row in found}) == len(found)
    problem = next(row for row in found if row["id"] == made.exercises[0].code)
    answer = read(problem["answer"], made.exercises[0].parts[0].accepted.ask.format)
    assert isinstance(answer, Answer)
    assert "softmax" in problem["details"]
    assert all("\\frac" not in cell and "$" not in cell for row in found for cell in row.values())
    listing = next(row for row in found if row["id"] == made.exercises[1].code)
    assert listing["code"].splitlines() == list(made.exercises[1].listing)


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        ("=1+1", "'=1+1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("-cmd", "'-cmd"),
        ("+x", "'+x"),
        ("-0.5", "-0.5"),
        ("+3", "+3"),
        ("[-1, 2]", "[-1, 2]"),
        ("text", "text"),
        ("\tx", "'\tx"),
    ],
)
def test_no_cell_is_a_formula(cell: str, written: str) -> None:
    assert flat.harmless(cell) == written


# JSON ------------------------------------------------------------------------------------------------------------------


class Interval(Struct, forbid_unknown_fields=True):
    value: str
    tolerance: str


class Accepted(Interval, forbid_unknown_fields=True):
    also: list[Interval]


class KnownMistake(Struct, forbid_unknown_fields=True):
    id: str
    answer: str
    message: str


class Part(Struct, forbid_unknown_fields=True):
    label: str
    kind: str
    form: str
    answer: str
    accepted: list[Accepted]
    mistakes: list[KnownMistake]


class Input(Struct, forbid_unknown_fields=True):
    name: str
    value: object = None
    shape: list[int] | None = None


class Line(Struct, forbid_unknown_fields=True):
    cell: str
    what: str
    expression: str
    result: str


class Step(Struct, forbid_unknown_fields=True):
    node: str
    title: str
    formula: str
    reason: str
    lines: list[Line]
    result: object


class Problem(Struct, forbid_unknown_fields=True):
    code: str
    language: Language
    drill: str
    section: str
    level: int
    title: str
    prompt: str
    listing: list[str]
    inputs: list[Input]
    parts: list[Part]
    steps: list[Step]


class Claim(Struct, forbid_unknown_fields=True):
    claim: str
    why: str


class Choice(Struct, forbid_unknown_fields=True):
    text: str
    right: bool
    why: str


class FollowUp(Struct, forbid_unknown_fields=True):
    question: str
    answer: str


class Question(Struct, forbid_unknown_fields=True):
    id: str
    language: Language
    group: str
    section: str
    title: str
    prompt: str
    short: str
    full: list[str]
    points: list[str]
    pitfalls: list[Claim]
    choices: list[Choice]
    follow_ups: list[FollowUp]
    sources: list[str]
    drills: list[str]


class Latex(Struct, forbid_unknown_fields=True):
    latex: str
    says: str
    source: str = ""


class Lesson(Struct, forbid_unknown_fields=True):
    section: str
    language: Language
    title: str
    intuition: list[str]
    formulas: list[Latex]
    terms: list[Latex]
    mistakes: list[Claim]
    sources: list[str]


class Document(Struct, forbid_unknown_fields=True):
    format: str
    version: int
    made: str
    questions: list[Question]
    lessons: list[Lesson]
    problems: list[Problem]


def test_json_follows_its_schema() -> None:
    made = contents()
    document = msgspec.json.decode(record.document(made, BOTH, AT), type=Document)
    assert (document.format, document.version, document.made) == ("quizapp-export", 1, "2026-11-29T12:00:00+00:00")
    assert [len(document.questions), len(document.lessons), len(document.problems)] == [4, 2, 6]
    assert document.questions[0].prompt == SHIPPED.question(7).prompt.en
    for problem in document.problems:
        assert all(problem.parts)
        for part in problem.parts:
            assert all(float(each.tolerance) >= 0 for each in part.accepted)
    assert "«" not in record.document(made, BOTH, AT).decode()  # computed numbers are filled in


# Markdown --------------------------------------------------------------------------------------------------------------

READER = MarkdownIt("commonmark").use(dollarmath_plugin, double_inline=True)


def tokens(text: str) -> Iterator[Token]:
    for token in READER.parse(text):
        yield token
        yield from token.children or ()


def seen(text: str) -> str:
    """Return what a reader of the Markdown sees, formulas between dollar signs."""
    shown = {"math_inline": "${}$", "softbreak": "\n", "hardbreak": "\n"}
    return "".join(
        shown.get(token.type, "{}").format(token.content) if token.type in (*shown, "text", "code_inline") else ""
        for token in tokens(text)
    )


def test_markdown_shows_just_the_text() -> None:
    found = list(tokens(markdown.document(Contents((nasty_question(),)), BOTH, AT).decode()))
    assert not [token for token in found if token.type.startswith("html")]
    assert NASTY in seen(markdown.document(Contents((nasty_question(),)), (Language.EN,), AT).decode())


@pytest.mark.parametrize(
    "text", [NASTY, "1. first", "- item", "a\n2) b\n+ c\n= d", "# no heading", "> quote", "a | b", "    code"]
)
def test_words_are_just_words(text: str) -> None:
    assert seen(markdown.words(text)).split() == text.split()
    assert {token.type for token in READER.parse(markdown.words(text))} == {"paragraph_open", "inline", "paragraph_close"}


def every_text() -> Iterator[Text]:
    for number in SHIPPED.numbers():
        yield from (text for _, text in texts(SHIPPED.question(number)))


def test_every_formula_of_the_questions_is_read_as_one() -> None:
    for text in every_text():
        for language in BOTH:
            for paragraph in text[language].split("\n\n"):
                formulas = sum(isinstance(part, Formula) for part in segments(paragraph))
                read = [token for token in tokens(markdown.sentence(paragraph.strip())) if token.type == "math_inline"]
                assert len(read) == formulas, paragraph


def test_markdown_holds_every_part_of_a_problem() -> None:
    made = contents()
    text = markdown.document(made, (Language.EN,), AT).decode()
    found = list(tokens(text))
    headings = [token for token in found if token.type == "heading_open" and token.tag == "h3"]
    assert len(headings) == 2 + 1 + 3
    exercise = made.exercises[1]
    assert any(token.type == "fence" and token.content.splitlines() == list(exercise.listing) for token in found)
    assert all(each.code in seen(text) and each.parts[0].accepted.shown.en in seen(text) for each in made.exercises)


# Worked steps ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cell", "expression", "result", "written", "latex"),
    [
        ("N_1", "4 × 2", "8", "N₁ = 4 × 2 = 8", r"N_1 = 4 \times 2 = 8"),
        ("O_1₂", "0.7×1", "0.7", "O₁,₂ = 0.7×1 = 0.7", r"O_{1,2} = 0.7 \times 1 = 0.7"),
        ("e^z₁₂", "e^(−0.5)", "0.6065", "e^z₁₂ = e^(−0.5) = 0.6065", r"e^{z_{12}} = e^{-0.5} = 0.6065"),
        ("W_Q", "2", "2", "W_Q = 2", r"W_Q = 2"),
        ("", "log_10(2)", "0.3", "log_10(2) = 0.3", r"\log_{10}(2) = 0.3"),
    ],
)
def test_a_line_of_arithmetic_names_what_it_computes(cell: str, expression: str, result: str, written: str, latex: str) -> None:
    line = substep_line(SubStep(cell, Text("", ""), expression, result))
    assert line == written
    assert formulas.line(line) == latex


def test_a_result_is_written_once() -> None:
    exercise = solve(sample("score-cost", 4))
    lines = list(plain.steps(exercise.steps, Language.EN))
    assert len({line.strip() for line in lines}) == len(lines)
    assert sum(line.strip().startswith("N₁ =") for line in lines) == 1


@pytest.mark.parametrize(
    ("operand", "latex"),
    [
        (ln(2), r"-\ln 2"),
        (Expression("sqrt", (3,)), r"-\sqrt{3}"),
        (Expression("+", (1, ln(2))), r"-\left(1 + \ln 2\right)"),
        (Expression("neg", (ln(2),)), r"-\left(-\ln 2\right)"),
        (-3, r"-\left(-3\right)"),
    ],
)
def test_a_sign_takes_brackets_only_before_a_sum_or_a_sign(operand: Exact, latex: str) -> None:
    assert formulas.exact(Expression("neg", (operand,))) == latex


@pytest.mark.long
def test_everything_is_written() -> None:
    found = gather(Selection(SHIPPED.numbers(), SHIPPED.sections()), SHIPPED)
    made = Contents(found.questions, found.lessons, tuple(solve(sample(drill, level)) for drill, level in PAIRS))
    assert len(rows(made, *BOTH)) == 2 * (len(found.questions) + sum(len(each.formulas) for each in found.lessons) + len(PAIRS))
    msgspec.json.decode(record.document(made, BOTH, AT), type=Document)
    text = markdown.document(made, BOTH, AT).decode()
    assert not [token for token in tokens(text) if token.type.startswith("html")]


@pytest.mark.parametrize(
    ("source", "chinese"),
    [
        ("Vaswani et al. 2017", "Vaswani 等，2017"),
        ("Jain and Wallace 2019", "Jain 和 Wallace，2019"),
        ("Kitaev, Kaiser and Levskaya 2020", "Kitaev、Kaiser 和 Levskaya，2020"),
        ("a page on the web", "a page on the web"),
    ],
)
def test_papers_are_cited_in_the_way_of_the_language(source: str, chinese: str) -> None:
    assert cited([source, source]) == Text(f"{source}; {source}", f"{chinese}；{chinese}")


def test_every_shipped_source_is_cited_in_chinese() -> None:
    shipped = {source for number in SHIPPED.numbers() for source in SHIPPED.question(number).sources}
    assert len(shipped) > 20
    assert not [each for each in shipped if re.search(r" et al| and |, ", cited([each]).zh)]
