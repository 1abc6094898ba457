"""``quizapp show`` and ``quizapp list`` over questions and lessons, a person's own among them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from question_bank import lessons
from question_bank.bank import SHIPPED
from question_bank.drills import DRILLS
from question_bank.math import cell_len, plain
from question_bank.text import Language
from quizapp.citations import cited
from quizapp.commands.show import LESSON_PARTS, QUESTION_PARTS
from quizapp.commands.show_lesson import LessonPart
from quizapp.commands.show_question import QuestionPart
from tests.quizapp.own_content import EXAMPLES, LESSON, QUESTION, changed, write
from tests.quizapp.shell import quiz
from tests.quizapp.test_cli import CHINESE


def squeezed(text: str) -> str:
    return "".join(text.split())


def test_parts_are_named_alike_everywhere() -> None:
    assert tuple(QuestionPart) == QUESTION_PARTS
    assert tuple(LessonPart) == LESSON_PARTS
    reference = (EXAMPLES.parent / "shell.md").read_text("utf-8")
    assert all(f"`{part}`" in reference for part in QUESTION_PARTS + LESSON_PARTS)


@pytest.mark.parametrize("language", Language)
def test_a_question_is_shown_whole(language: Language) -> None:
    question = SHIPPED.question(7)
    ran = quiz("show", "Q7", "--lang", language)
    assert (ran.code, ran.err) == (0, "")
    shown = squeezed(ran.out)
    texts = [
        question.title,
        question.prompt,
        question.answer.short,
        *question.answer.paragraphs(),
        *(point.text for point in question.key_points),
        *(text for pitfall in question.pitfalls for text in (pitfall.claim, pitfall.why)),
        *(text for choice in question.choices for text in (choice.text, choice.why)),
        *(text for follow_up in question.follow_ups for text in (follow_up.question, follow_up.answer)),
        *(DRILLS[drill].title for drill in question.drills),
    ]
    places = [shown.find(squeezed(plain(text[language]))) for text in texts]
    assert -1 not in places
    assert "$" not in ran.out
    assert squeezed(cited(question.sources)[language]) in shown


@pytest.mark.parametrize("columns", [40, 80, 200])
@pytest.mark.parametrize("language", Language)
def test_lines_fit_the_terminal_and_are_no_longer_than_100(columns: int, language: Language) -> None:
    for name in ("Q7", "Q20"):
        lines = quiz("show", name, "--lang", language, environment={"COLUMNS": str(columns)}).out.splitlines()
        widest = max(map(cell_len, lines))
        assert min(columns, 100) - 12 < widest <= min(columns, 100)


def test_without_a_terminal_there_are_80_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    widest = max(map(cell_len, quiz("show", "Q7").out.splitlines()))
    assert 76 < widest <= 80


def test_a_lesson_is_shown_whole_with_its_numbers_matrices_and_code() -> None:
    lesson = SHIPPED.lesson("7.9")
    out = quiz("show", "7.9").out
    assert not re.search("[«»$]", out)
    assert "  Attention(Q, K, V) = softmax(QKᵀ/√d_k)V\n" in out
    assert re.search(r"^  S = ⎢ 1  1  2 ⎥$", out, re.MULTILINE)
    assert re.search(r"^  S = QKᵀ +\[B, h, S, S\] +\[2, 8, 10, 10\]$", out, re.MULTILINE)
    assert "instead of a = [ 0.6652  0.2447  0.0900 ]" in out
    for block in (lesson.code.text, lesson.code.output):
        assert "".join(f"  {line}\n" if line else "\n" for line in block.strip("\n").split("\n")) in out
    headings = [line for line in out.splitlines() if line and not line.startswith(" ")][1:]
    assert headings == [part.heading.en for part in LessonPart]


def test_a_part_alone_is_flush_left() -> None:
    code = quiz("show", "7.9", "--part", "code").out
    assert SHIPPED.lesson("7.9").code.text.strip("\n") in code
    assert "Code" not in code.splitlines()
    assert quiz("show", "Q7", "--part", "prompt").out == "Why are the scores divided by √d_k?\n"
    answer = quiz("show", "Q7", "--part", "ANSWER").out.splitlines()
    assert [line for line in answer if line.endswith("answer")] == ["Short answer", "Full answer"]
    assert not any(line.startswith(" ") for line in answer)


@pytest.mark.parametrize("section", lessons.sections())
@pytest.mark.parametrize("language", Language)
def test_every_lesson_can_be_shown(section: str, language: Language) -> None:
    ran = quiz("show", section, "--lang", language)
    assert (ran.code, ran.err) == (0, "")
    assert not re.search("[«»$]", ran.out)


def everything(data: Any) -> str:
    return data if isinstance(data, str) else " ".join(map(everything, data.values() if isinstance(data, dict) else data)) \
        if isinstance(data, dict | list) else ""  # fmt: skip


def test_json_holds_what_is_shown_and_a_part_alone_where_it_is_asked_for() -> None:
    question, lesson = (quiz("show", name, "--json").json for name in ("Q7", "7.9"))
    assert (question["kind"], question["id"], lesson["kind"], lesson["id"]) == ("question", "Q7", "lesson", "7.9")
    assert set(question) >= {part.replace("-", "_") for part in QUESTION_PARTS}
    assert set(lesson) >= set(LESSON_PARTS)
    assert [choice["right"] for choice in question["choices"]].count(True) == 1
    assert lesson["example"][0]["values"]["S"][1] == ["1", "1", "2"]
    assert lesson["example"][0]["inputs"]["Q"] == [[1, 0], [1, 1], [2, 1]]
    assert lesson["shapes"]["stages"][2]["shape"] == [2, 8, 10, 10]
    assert not re.search("[«»$]", everything(lesson) + everything(question))
    assert set(quiz("show", "Q7", "--part", "follow-ups", "--json").json) - set(question) == set()
    assert "prompt" not in quiz("show", "Q7", "--part", "follow-ups", "--json").json
    assert quiz("show", "7.9", "--part", "terms", "--json").json["terms"] == lesson["terms"]


def test_a_drill_says_what_it_asks_and_how_to_get_a_problem() -> None:
    out = quiz("show", "softmax-row").out
    assert "quizapp problem softmax-row" in out
    levels = quiz("show", "softmax-row", "--json").json["levels"]
    assert [each["level"] for each in levels] == list(DRILLS["softmax-row"].levels)
    for each in levels:
        assert each["example"] in out
        assert quiz("problem", each["example"], "--json").json["prompt"] == each["prompt"]


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("q7", "Q7"),
        ("Q07", "Q7"),
        (" Q7 ", "Q7"),
        ("Ｑ７", "Q7"),
        ("7.09", "7.9"),
        ("S7.9", "7.9"),
        ("Softmax-Row", "softmax-row"),
    ],
)
def test_ids_as_people_type_them(typed: str, found: str) -> None:
    assert quiz("show", typed, "--json").json["id"] == found


@pytest.mark.parametrize(
    ("arguments", "en", "zh"),
    [
        (["show", "Q38"], "There is no question Q38. Did you mean Q37?", "没有 Q38 这道题。是不是想用 Q37？"),
        (["show", "Q999999"], "Did you mean Q40?", "Q40"),
        (["show", "7.99"], "There is no lesson 7.99. Did you mean 7.", "没有 7.99 这一节。是不是想用 7."),
        (["show", "7"], "Did you mean Q7?", "是不是想用 Q7？"),
        (["show", "softmaxrow"], "Did you mean softmax-row?", "是不是想用 softmax-row？"),
        (["show", "softmax-row.2.009rv"], "quizapp problem softmax-row.2.009rv", "quizapp problem softmax-row.2.009rv"),
        (["show", "[red]"], "quizapp list questions", "quizapp list lessons"),
        (["show", ""], "quizapp list questions", "quizapp list lessons"),
        (["show", "Q7", "--part", "follow"], "Did you mean follow-ups?", "是不是想用 follow-ups？"),
        (["show", "7.9", "--part", "pitfalls"], "it has intuition, formula", "可选 intuition、formula"),
        (["show", "softmax-row", "--part", "prompt"], "has no parts", "不分部分"),
        (["show"], "is missing", "缺少"),
        (["ask", "7.9"], "quizapp show 7.9", "quizapp show 7.9"),
        (["ask", "softmax-row"], "quizapp problem softmax-row", "quizapp problem softmax-row"),
        (["ask", "Q38"], "Did you mean Q37?", "是不是想用 Q37？"),
        (["find", "//"], "no word in “//”", "“//”里没有"),
        (["find"], "WORDS is missing", "缺少 WORDS"),
        (["find", "x", "--limit", "0"], "from 1 to", "1 到"),
    ],
)
def test_misuse_is_told_with_what_is_nearest(arguments: list[str], en: str, zh: str) -> None:
    for language, wanted in (("en", en), ("zh", zh)):
        ran = quiz(*arguments, "--lang", language)
        assert (ran.code, ran.out) == (2, "")
        assert wanted in ran.err


# A person's own --------------------------------------------------------------------------------------------------------


def test_own_questions_and_lessons_are_listed_and_shown() -> None:
    bank = ["--bank", str(EXAMPLES)]
    assert quiz("list", "questions", *bank).out.splitlines()[-1] == "Q101 A  8.1   Why subtract the row maximum?"
    assert quiz("list", "lessons", *bank).out.splitlines()[-1] == "8.1   A softmax that does not overflow"
    assert len(quiz("list", "lessons", "--json").json) + 1 == len(quiz("list", "lessons", "--json", *bank).json)
    shown = quiz("show", "8.1", *bank)
    assert (shown.code, shown.err) == (0, "")
    assert "b = [ 0.090  0.245  0.665 ]" in shown.out
    assert "«" not in shown.out
    assert "Q101  Why subtract the row maximum?" in shown.out
    assert CHINESE.search(quiz("show", "Q101", "--part", "prompt", "--lang", "zh", *bank).out)
    assert quiz(*bank, "show", "Q101").code == 0
    assert quiz("show", "Q101").code == 2


def test_the_settings_name_folders_too_and_the_command_line_goes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUIZAPP_HOME", str(tmp_path))
    first = write(tmp_path / "first", Q101=changed(QUESTION, ("Why subtract the row maximum?", "Mine")))
    write(tmp_path / "second", Q101=QUESTION, Q102=changed(QUESTION, ("Q101", "Q102")))
    (tmp_path / "settings.toml").write_text('bank = "second"\n')
    assert [each["id"] for each in quiz("list", "questions", "--json").json][-2:] == ["Q101", "Q102"]
    assert quiz("show", "Q101", "--json").json["title"] != "Mine"
    assert quiz("show", "Q101", "--json", "--bank", str(first)).json["title"] == "Mine"
    assert quiz("show", "Q102", "--json", "--bank", str(first)).code == 0


def test_faults_are_counted_in_one_line_and_the_rest_works(tmp_path: Path) -> None:
    bad = changed(QUESTION, ("'Q101'", "'Q102'"), ("group = 'A'", "group = 'Z'"), ("[prompt]\nen", "[prompt]\nem"))
    folder = write(tmp_path / "mine", Q101=QUESTION, Q102=bad)
    for language, said in (("en", "3 faults"), ("zh", "3 处错误")):
        ran = quiz("show", "Q101", "--bank", str(folder), "--lang", language)
        assert ran.code == 0
        [line] = ran.err.splitlines()
        assert said in line
        assert f"quizapp validate {folder}" in line
    missing = quiz("show", "Q7", "--bank", str(tmp_path / "none"))
    assert missing.code == 0
    assert str(tmp_path / "none") in missing.err


def test_a_lesson_whose_programs_fail_is_told_and_not_shown(tmp_path: Path) -> None:
    folder = write(tmp_path, S8_1=changed(LESSON, ("a = softmax(z)", "a = sofmax(z)")))
    ran = quiz("show", "8.1", "--bank", str(folder))
    assert (ran.code, ran.out) == (2, "")
    assert "examples[0].program" in ran.err
