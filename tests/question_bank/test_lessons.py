"""The lessons: what every file must keep to."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from question_bank import lessons, questions
from question_bank.bank import SHIPPED, read_folder
from question_bank.content import ContentError
from question_bank.drills import DRILLS
from question_bank.labs import LABS
from question_bank.lessons.lesson import paragraphs
from question_bank.lessons.places import fill, places, read_place
from question_bank.math import MathError, parse, plain
from question_bank.text import Language, Text
from question_bank.walk import texts
from tests.question_bank.test_questions import MATH, characters, chinese_faults, english_faults, words
from tools.list_formulas import LIST, rows

SECTIONS = [f"7.{number}" for number in range(1, 24)]
WITH_TWO_EXAMPLES = {"7.6", "7.7", "7.11"}
"""Where the course's own example can't carry the point."""

every_lesson = pytest.mark.parametrize("section", SECTIONS)


def filled(section: str) -> list[tuple[str, Text]]:
    values = lessons.results(section).values
    return [(field, fill(text, values)) for field, text in texts(lessons.load(section))]


def offences(section: str, language: Language, test: Callable[[str], object]) -> list[tuple[str, object]]:
    return [(field, what) for field, text in filled(section) if (what := test(text[language]))]


def test_there_is_a_lesson_for_every_section() -> None:
    assert list(lessons.sections()) == SECTIONS
    assert [heading.section for heading in lessons.headings()] == SECTIONS
    assert list(lessons.headings()) == [lessons.load(section).heading for section in SECTIONS]


@every_lesson
def test_what_it_names_exists(section: str) -> None:
    lesson = lessons.load(section)
    assert set(lesson.questions) <= set(questions.numbers())
    assert set(lesson.drills) <= set(DRILLS)
    assert {drill.id for drill in DRILLS.values() if drill.section == section} <= set(lesson.drills)
    assert LABS[lesson.demonstration.lab][0] == section
    assert all(re.fullmatch(r"[A-Z][\w, ]+ (?:et al\. |and \w+ )?(?:19|20)\d\d", source) for source in lesson.sources)


def test_questions_drills_and_labs_lead_to_sections_that_exist() -> None:
    bank = [questions.load(number) for number in questions.numbers()]
    assert {question.section for question in bank} <= set(SECTIONS)
    assert {drill.section for drill in DRILLS.values()} <= set(SECTIONS)
    assert [section for section, _ in LABS.values()] == SECTIONS
    for question in bank:
        assert question.lab is not None
        assert LABS[question.lab][0] == question.section
        assert question.number in lessons.load(question.section).questions


@every_lesson
def test_each_language_is_itself(section: str) -> None:
    assert offences(section, Language.EN, english_faults) == []
    assert offences(section, Language.ZH, chinese_faults) == []


@every_lesson
@pytest.mark.parametrize("language", Language)
def test_everything_can_be_shown(section: str, language: Language) -> None:
    assert offences(section, language, lambda text: re.findall(r"[$\\{}«»]", plain(text))) == []


@every_lesson
def test_no_number_is_typed_in(section: str) -> None:
    """Two or more decimals come from a program; a root beside its value is checked, a wrong claim is quoted as it is."""
    constant = re.compile(r"\\sqrt\{?(\d+(?:/\d+)?)\}? *(?:\\approx|=) *(\d+\.\d+)")
    typed = []
    quoted = re.compile(r"mistakes\[\d\]\.claim")
    for field, text in texts(lessons.load(section)):
        for sentence in () if quoted.match(field) else (text.en, text.zh):
            for found in constant.finditer(sentence):
                assert abs(math.sqrt(Fraction(found[1])) - float(found[2])) <= 0.5 * 10 ** -len(found[2].partition(".")[2])
            rest = constant.sub("", re.sub(r"«[^»]*»", "", sentence))
            typed += [(field, number) for number in re.findall(r"(?<![\w.])\d+\.\d\d+", rest) if number not in SECTIONS]
    assert typed == []


@every_lesson
def test_it_is_as_long_as_it_should_be(section: str) -> None:
    lesson = lessons.load(section)
    assert len(plain(lesson.title.en)) <= 40
    assert characters(plain(lesson.title.zh)) <= 18
    assert 50 <= words(lesson.intuition.en) <= 150
    assert 2 <= len(paragraphs(lesson.intuition)) <= 4
    assert (len(lesson.examples) == 2) >= (section in WITH_TWO_EXAMPLES)
    assert len(lesson.code.text.strip().splitlines()) <= 45


@every_lesson
def test_both_languages_name_the_same_numbers(section: str) -> None:
    for field, text in texts(lessons.load(section)):
        english, chinese = (re.findall(r"«([^»]*)»", text[language]) for language in Language)
        assert sorted(english) == sorted(chinese), field


def test_the_list_of_formulas_is_current() -> None:
    assert LIST.read_text("utf-8").splitlines() == rows(), "python -m tools.list_formulas, and read the difference"


# Places


@pytest.mark.parametrize(
    ("place", "read"),
    [
        ("A", ("1", "A", (), False, None)),
        ("A[2,3]", ("1", "A", (1, 2), False, None)),
        ("2:O[1]:4", ("2", "O", (0,), False, 4)),
        ("v3:A[1]%", ("v3", "A", (0,), True, None)),
        ("shape:S_dec", ("shape", "S_dec", (), False, None)),
        ("A[", None),
        ("3:A", None),
        ("", None),
        ("A B", None),
        ("__import__('os')", None),
    ],
)
def test_places_are_read(place: str, read: tuple[object, ...] | None) -> None:
    found = read_place(place)
    assert read == (found and (found.source, found.node, found.index, found.percent, found.decimals))


def test_places_are_found_and_filled() -> None:
    text = Text("from «a» to «b[1]»", "从 «a» 到 «b[1]»")
    assert list(places(text)) == ["a", "b[1]", "a", "b[1]"]
    assert fill(text, {"a": "«b[1]»", "b[1]": "2"}) == Text("from «b[1]» to 2", "从 «b[1]» 到 2")


# A person's own

GOOD = (lessons.FOLDER / "S7.9.toml").read_text("utf-8").replace("section = '7.9'", "section = '8.1'")
QUESTION = (questions.FOLDER / "Q03.toml").read_text("utf-8").replace("id = 'Q3'", "id = 'Q101'")


def told(folder: Path) -> list[tuple[str, str, int | None]]:
    return [(fault.file, fault.field, fault.line) for fault in read_folder(folder).faults]


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        (folder / f"{name.replace('_', '.')}.toml").write_text(text, "utf-8")


def test_a_folder_of_ones_own_is_read(tmp_path: Path) -> None:
    write(tmp_path, S8_1=GOOD, Q101=QUESTION)
    read = read_folder(tmp_path)
    assert ([each.number for each in read.questions], [each.section for each in read.lessons]) == ([101], ["8.1"])
    assert read.faults == ()


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        ("section = '8.1'", "section = '8.2'", "section"),
        ("drills = ['scale-row'", "drills = ['scale-rows'", "drills[0]"),
        ("lab = 'scaling'", "lab = 'scalings'", "demonstration.lab"),
        ("'Z = scale(S, d_k)']", "'Z = scale(S d_k)']", "shapes.program[1]"),
        ("'Z = scale(S, d_k)']", "'Z = scale(T, d_k)']", "shapes.program[1]"),
        ("'Z = scale(S, d_k)']", "'Z = scale(S, __import__(1))']", "shapes.program[1]"),
        ("sizes = { B = 2, h = 8", "sizes = { B = 8, h = 8", "shapes.sizes"),
        ("K = ['B', 'h', 'S', 'd_k']", "K = ['B', 'h', 'T', 'd_k']", "shapes.inputs.K"),
        ("inputs = { s = [8, 0, -8]", "inputs = { s = [8, [0], -8]", "examples[1].inputs.s"),
        ("inputs = { s = [8, 0, -8]", "inputs = { s = 'exit()'", "examples[1].inputs.s"),
        ("show = ['w', 'z', 'a']", "show = ['w', 'x', 'a']", "examples[1].show"),
        ("example = 2", "example = 3", "demonstration.example"),
        ("decimals = 4", "decimals = 40", "examples[1].decimals"),
        ("decimals = 4", "decimals = 'four'", "examples[1].decimals"),
        (r"zh = '为什么除以 $\sqrt{d_k}$'", r"zh = '为什么除以 $\sqrt{d_k$'", "title.zh"),
        ("says.en = 'Keep the scores", "says.fr = 'Gardez'\nsays.en = 'Keep the scores", "demonstration.says.fr"),
    ],
)
def test_a_fault_of_a_lesson_is_told_with_its_line(tmp_path: Path, old: str, new: str, field: str) -> None:
    assert old in GOOD
    write(tmp_path, S8_1=GOOD.replace(old, new, 1))
    ((file, found, line),) = told(tmp_path)
    assert (file, found) == ("S8.1.toml", field)
    assert line is not None
    assert new.splitlines()[0] in GOOD.replace(old, new, 1).splitlines()[line - 1]


def test_faults_of_all_files_are_told_at_once(tmp_path: Path) -> None:
    write(tmp_path, S8_1=GOOD.replace("lab = 'scaling'", "lab = 1").replace("decimals = 4", "decimals = -1"))
    write(tmp_path, Q101=QUESTION.replace("group = 'A'", "group = 'Z'"), Q7=QUESTION, notes="a = 1", S7_9=GOOD)
    found = told(tmp_path)
    assert [file for file, _, _ in found].count("S8.1.toml") == 2
    assert {(file, field) for file, field, _ in found} == {
        ("S8.1.toml", "demonstration.lab"),
        ("S8.1.toml", "examples[1].decimals"),
        ("Q101.toml", "group"),
        ("Q7.toml", "id"),
        ("notes.toml", ""),
        ("S7.9.toml", "section"),
    }


def test_a_number_of_the_course_cannot_be_taken(tmp_path: Path) -> None:
    write(tmp_path, Q07=QUESTION.replace("id = 'Q101'", "id = 'Q7'"))
    assert told(tmp_path) == [("Q07.toml", "id", 1)]


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    assert [field for _, field, _ in told(tmp_path / "nowhere")] == [""]


@pytest.mark.parametrize("section", ["7.24", "8.1", "", "7"])
def test_a_lesson_that_does_not_exist(section: str) -> None:
    with pytest.raises(ContentError, match=f"no lesson {re.escape(section)}"):
        SHIPPED.lesson(section)


@every_lesson
def test_every_displayed_formula_can_be_read(section: str) -> None:
    lesson = lessons.load(section)
    for latex in (*(formula.latex for formula in lesson.formulas), *(term.symbol for term in lesson.terms)):
        try:
            parse(latex)
        except MathError as fault:
            pytest.fail(f"{latex}: {fault}")
    assert MATH.search(lesson.formulas[0].latex) is None
