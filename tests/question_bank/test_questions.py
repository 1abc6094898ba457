"""The interview questions: what every file must keep to, and what a broken file is told."""

from __future__ import annotations

import pickle
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

from question_bank import questions
from question_bank.content import ContentError
from question_bank.drills import DRILLS
from question_bank.math import plain
from question_bank.questions import GROUPS, Group
from question_bank.text import Language
from question_bank.walk import texts
from tests.question_bank.figures import Figures

MODULES = [
    import_module(f"tests.question_bank.{path.stem}") for path in sorted(Path(__file__).parent.glob("test_questions_*.py"))
]
"""One per group of questions; ``figures`` says what they hold."""
SECTIONS = {
    number: (group, section)
    for module in MODULES
    for group, sections in module.SECTIONS.items()
    for number, section in sections.items()
}
FIGURES: dict[int, Figures] = {number: figures for module in MODULES for number, figures in module.FIGURES.items()}
MATH = re.compile(r"\$[^$]*\$")
CJK = r"\u3400-\u4dbf\u4e00-\u9fff"
FULL_WIDTH = "，。；：？！、（）“”"

every_question = pytest.mark.parametrize("number", SECTIONS, ids=lambda number: f"Q{number}")


def offences(number: int, language: Language, test: Callable[[str], object]) -> list[tuple[str, object]]:
    """Return the fields of a question that a test finds something in, with what it finds."""
    found = ((path, test(text[language])) for path, text in texts(questions.load(number)))
    return [(path, what) for path, what in found if what]


# The bank as a whole


def test_every_question_is_there_in_its_group_and_section() -> None:
    headings = {heading.number: heading for heading in questions.titles()}
    assert {number: (heading.group, heading.section) for number, heading in headings.items()} == SECTIONS
    assert set(FIGURES) == set(SECTIONS)
    assert tuple(headings) == questions.numbers()
    assert set(GROUPS) == set(Group)


def test_headings_are_those_of_the_questions() -> None:
    assert questions.titles() == tuple(questions.load(number).heading for number in questions.numbers())


def test_headings_need_neither_the_schema_nor_torch() -> None:
    script = (
        "import sys; from question_bank import questions; questions.titles();"
        "print(sorted({'msgspec', 'torch', 'sympy', 'textual'} & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_question_is_read_once_and_crosses_a_process_boundary() -> None:
    question = questions.load(7)
    assert questions.load(7) is question
    assert pickle.loads(pickle.dumps(question)) == question


@every_question
def test_it_names_drills_that_exist_and_dated_sources(number: int) -> None:
    question = questions.load(number)
    assert set(question.drills) <= set(DRILLS)
    assert len(set(question.drills)) == len(question.drills)
    assert all(re.fullmatch(r"[A-Z][\w, ]+ (?:et al\. |and \w+ )?(?:19|20)\d\d", source) for source in question.sources)


@every_question
def test_every_point_and_every_pitfall_has_evidence_in_both_languages(number: int) -> None:
    question = questions.load(number)
    for part in (*question.key_points, *question.pitfalls):
        phrases = " ".join(part.evidence)
        assert re.search(f"[{CJK}]", phrases), part
        assert re.search("[a-z]{3}", phrases), part


# Both languages


def test_the_walk_reaches_every_text() -> None:
    question = questions.load(1)
    many = 3 + 1 + len(question.key_points) + 2 * (len(question.pitfalls) + len(question.choices) + len(question.follow_ups))
    assert len(list(texts(question))) == many


def english_faults(text: str) -> str | None:
    if re.search(f"[{CJK}{FULL_WIDTH.replace('“”', '')}]", text):
        return "Chinese"
    return None if re.search(r"[A-Za-z]{2}|\d", text) else "no words"


def chinese_faults(text: str) -> str | None:
    """Find what an editor of Chinese would mark; math counts as one Latin letter."""
    plain = MATH.sub("x", text)
    for what, pattern in {
        "English": r"(?:[A-Za-z']+[ ,;]+){5,}[A-Za-z']+",
        "a blank missing": f"[{CJK}][A-Za-z0-9−]|[A-Za-z0-9%][{CJK}]",
        "a blank too many": f" [{FULL_WIDTH}]|[{FULL_WIDTH}] |[{CJK}] +[{CJK}]",
        "half-width punctuation": f'[{CJK}][,.;:?!()"]|[,;:?!()"][{CJK}]',
        "no full stop between sentences": f"[{CJK}] *\n",
    }.items():
        if found := re.search(pattern, plain):
            return f"{what}: {plain[max(0, found.start() - 8) : found.end() + 8]!r}"
    return None if re.search(f"[{CJK}]", plain) or plain.strip(FULL_WIDTH) == "x" else "no Chinese"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("query 是 $q$，长度为 2。", None),
        ("$QK^\\top$。", None),
        ("nothing but English", "no Chinese"),
        ("他说 this is not a Chinese sentence at all。", "English"),
        ("query是这样", "a blank missing"),
        ("这是$q$", "a blank missing"),
        ("这是 $q$ ，好", "a blank too many"),
        ("好, 不好", "half-width punctuation"),
    ],
)
def test_the_editor_sees_faults(text: str, what: str | None) -> None:
    found = chinese_faults(text)
    assert found == what or (what is not None and str(found).startswith(what))


@every_question
def test_each_language_is_itself(number: int) -> None:
    assert offences(number, Language.EN, english_faults) == []
    assert offences(number, Language.ZH, chinese_faults) == []


@every_question
@pytest.mark.parametrize("language", Language)
def test_math_is_whole(number: int, language: Language) -> None:
    def faults(text: str) -> list[str]:
        spans = [span[1:-1] for span in MATH.findall(text)]
        unbalanced = [
            span
            for span in spans
            if not span.strip() or span.count("{") != span.count("}") or span.count(r"\left") != span.count(r"\right")
        ]
        return unbalanced + re.findall(r"\\[a-z]+|`|\*\*|\t", MATH.sub("", text)) + ["$"] * (text.count("$") % 2)

    assert offences(number, language, faults) == []


@every_question
@pytest.mark.parametrize("language", Language)
def test_math_can_be_shown(number: int, language: Language) -> None:
    assert offences(number, language, lambda text: re.findall(r"[$\\{}]", plain(text))) == []


@every_question
def test_both_languages_use_the_same_math(number: int) -> None:
    """The formulas of an answer are the same ones, whatever order the sentences put them in."""
    question = questions.load(number)
    for answer in (question.answer.short, question.answer.full):
        english, chinese = ({span for span in MATH.findall(answer[language]) if len(span) > 12} for language in Language)
        assert english == chinese


# Lengths


def words(text: str) -> int:
    """Count English words; a formula counts as one."""
    return len(MATH.sub("x", text).split())


def characters(text: str) -> int:
    """Count Chinese characters and punctuation; a formula, a number or an English word counts as one."""
    return len(re.findall(r"[A-Za-z0-9.\-]+|[^\sA-Za-z0-9.\-]", MATH.sub("x", text)))


@every_question
def test_it_is_as_long_as_it_should_be(number: int) -> None:
    question = questions.load(number)
    assert len(plain(question.title.en)) <= 40
    assert characters(question.title.zh) <= 18
    assert words(question.answer.short.en) <= 90
    assert characters(question.answer.short.zh) <= 180
    assert 180 <= words(question.answer.full.en) <= 330
    assert 280 <= characters(question.answer.full.zh) <= 650
    assert len(question.answer.paragraphs()) >= 3
    for point in question.key_points:
        assert len(re.findall(r"[.?!](?=\s|$)", MATH.sub("x", point.text.en))) == 1
        assert point.text.zh.count("。") == 1


# The four-option version


@every_question
def test_the_options_do_not_give_the_answer_away(number: int) -> None:
    choices = questions.load(number).choices
    for language, measure in ((Language.EN, words), (Language.ZH, characters)):
        lengths = [measure(choice.text[language]) for choice in choices]
        assert len({choice.text[language] for choice in choices}) == 4
        assert max(lengths) <= 1.5 * min(lengths), lengths


def test_neither_length_nor_letter_gives_the_answer_away() -> None:
    bank = [questions.load(number) for number in SECTIONS]
    letters = [question.right_choice for question in bank]
    assert set(letters) == {0, 1, 2, 3}
    assert max(Counter(letters).values()) <= len(bank) * 0.4
    for language, measure in ((Language.EN, words), (Language.ZH, characters)):
        lengths = [[measure(choice.text[language]) for choice in question.choices] for question in bank]
        for extreme in (max, min):
            revealing = sum(
                row[right] == extreme(row) and row.count(extreme(row)) == 1 for row, right in zip(lengths, letters, strict=True)
            )
            assert revealing <= len(bank) * 0.4, (language, extreme)


# The numbers in the answers, which the module of each group computes


@every_question
@pytest.mark.parametrize("language", Language)
def test_its_numbers_are_right(number: int, language: Language) -> None:
    figures = FIGURES[number]
    text = "\n".join(text[language] for _, text in texts(questions.load(number)))
    text = re.sub(r"(?<=\d),(?=\d{3}\b)", "", text)
    expected = figures.both + (figures.en if language == Language.EN else figures.zh)
    assert [figure for figure in expected if figure not in text] == []
    decimals = set(re.findall(r"\d+\.\d+", text))
    assert decimals <= set(re.findall(r"\d+\.\d+", " ".join((*expected, *figures.given)))), (
        "a number that nothing here computes"
    )


# Broken files

GOOD = (questions.FOLDER / "Q03.toml").read_text("utf-8")


@pytest.mark.parametrize(
    ("old", "new", "field", "english"),
    [
        ("section = '7.5'\n", "", "section", "missing"),
        ("[answer.short]", "[spare]", "spare", "unknown"),
        ("[[follow_ups]]", "[[follow_ups]]\n[[follow_ups]]", "follow_ups[0].question", "missing"),
        ("[[pitfalls]]", "[[pitfalls]]\n[[pitfalls]]", "pitfalls", "length"),
        ("[answer.short]\nen =", "[answer.short]\nde =", "answer.short.de", "unknown"),
        ("[answer.short]", "[answer.shorter]", "answer.shorter", "unknown"),
        ("section = '7.5'", "section = '7.5'\nlevel = 2", "level", "unknown"),
        ("section = '7.5'", "section = 7.5", "section", "of type str, not float"),
        ("section = '7.5'", "section = '7'", "section", "form"),
        ("group = 'A'", "group = 'F'", "group", "unknown value"),
        ("group = 'A'", "group = 1", "group", "str"),
        ("id = 'Q3'", "id = 'Q4'", "id", "Q4"),
        ("title = { en = ", "title = { fr = 'Pourquoi ?', en = ", "title.fr", "unknown"),
        ("title = { en = 'Why three separate projections?', ", "title = { ", "title.en", "missing"),
        ("en = 'Why three separate projections?'", "en = ' '", "title.en", "blank"),
        ("en = 'Why three separate projections?'", "en = 3", "title.en", "of type str, not int"),
        ("right = true", "right = 'yes'", "choices[0].right", "of type bool, not str"),
        ("right = true", "right = false", "choices", "one right option, not 0"),
        ("right = true\n", "right = true\nreason = 'x'\n", "choices[0].reason", "unknown"),
        ("drills = ['project-row', 'score-entry', 'score-matrix']", "drills = 'project-row'", "drills", "array"),
        ("claim.zh = '分开投影，分数就一定不对称。'\n", "", "pitfalls[1].claim.zh", "missing"),
        ("\n\nFirst, roles.", "\nFirst, roles.", "answer.full", "paragraphs"),
        ("id = 'Q3'", "id = Q3", "", "not TOML"),
    ],
)
def test_a_broken_file_is_told_which_field(tmp_path: Path, old: str, new: str, field: str, english: str) -> None:
    assert GOOD.count(old) >= 1
    broken = tmp_path / "Q03.toml"
    broken.write_text(GOOD.replace(old, new, 1), "utf-8")
    with pytest.raises(ContentError) as caught:
        questions.read(broken)
    (fault, *_) = [each for each in caught.value.faults if each.field == field]
    assert fault.file == "Q03.toml"
    assert english in fault.message.en.partition(": ")[2].removeprefix(field)
    assert fault.line is not None or not field
    for sentence in (fault.message.en, fault.message.zh):
        assert "Q03.toml" in sentence
        assert field in sentence
    assert re.search(f"[{CJK}]", fault.message.zh)
    assert "{" not in fault.message.zh
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.faults, again.message) == (caught.value.faults, caught.value.message)


def test_every_fault_is_told_at_once_with_its_line(tmp_path: Path) -> None:
    broken = tmp_path / "Q03.toml"
    text = (
        GOOD.replace("section = '7.5'", "section = 7.5")
        .replace("right = true", "right = 'yes'")
        .replace("[answer.short]\nen", "[answer.short]\nde")
    )
    broken.write_text(text, "utf-8")
    with pytest.raises(ContentError) as caught:
        questions.read(broken)
    lines = text.splitlines()
    told = [(fault.field, fault.line) for fault in caught.value.faults]
    assert [field for field, _ in told] == ["section", "answer.short.en", "answer.short.de", "choices[0].right"]
    assert [lines[line - 1].partition(" ")[0] for _, line in told] == ["section", "[answer.short]", "de", "right"]
    assert len(caught.value.message.en.splitlines()) == 4


def test_two_right_options_are_one_too_many(tmp_path: Path) -> None:
    broken = tmp_path / "Q03.toml"
    broken.write_text(GOOD.replace("[[choices]]\n", "[[choices]]\nright = true\n").replace("right = true\nwhy", "why"), "utf-8")
    with pytest.raises(ContentError, match=r"Q03\.toml, line \d+: choices must have one right option, not 4"):
        questions.read(broken)


@pytest.mark.parametrize(("content", "english"), [(None, "can't be read"), (b"id = '\xff'", "not UTF-8"), (b"", "missing")])
def test_a_file_that_is_no_question(tmp_path: Path, content: bytes | None, english: str) -> None:
    if content is not None:
        (tmp_path / "Q03.toml").write_bytes(content)
    with pytest.raises(ContentError, match=english):
        questions.read(tmp_path / "Q03.toml")


def test_a_broken_heading_is_told_as_well(tmp_path: Path) -> None:
    for path in questions.FOLDER.glob("Q*.toml"):
        shutil.copy(path, tmp_path)
    (tmp_path / "Q03.toml").write_text(GOOD.replace("group = 'A'", "group = 'F'", 1), "utf-8")
    with pytest.raises(ContentError) as caught:
        questions.titles(tmp_path)
    assert [(fault.file, fault.field) for fault in caught.value.faults] == [("Q03.toml", "group")]


@pytest.mark.parametrize("number", [38, 0, -1, 99])
def test_a_question_that_does_not_exist(number: int) -> None:
    with pytest.raises(ContentError, match=f"no question Q{number}"):
        questions.load(number)
