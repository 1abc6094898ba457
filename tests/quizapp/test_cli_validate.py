"""``quizapp validate``: every fault of a folder; the examples of the documentation have none."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from question_bank.lessons import read
from tests.quizapp.own_content import EXAMPLES, LESSON, QUESTION, changed, write
from tests.quizapp.shell import quiz

GUIDE = (EXAMPLES.parent / "writing-questions.md").read_text("utf-8")


def test_the_examples_of_the_documentation_have_no_faults() -> None:
    ran = quiz("validate", str(EXAMPLES))
    assert (ran.code, ran.out, ran.err) == (0, "", "1 question, 1 lesson: no faults\n")
    assert quiz("validate", str(EXAMPLES), "--lang", "zh").err == "1 道题，1 节讲解：没有错误\n"
    assert quiz("validate", str(EXAMPLES), "--json").json == {"questions": 1, "lessons": 1, "faults": []}


def test_what_the_guide_quotes_stands_in_the_examples() -> None:
    blocks = re.findall(r"```toml\n(.*?)```", GUIDE.partition("## Evidence")[0], re.DOTALL)
    assert len(blocks) == 2
    assert all(block in QUESTION + LESSON for block in blocks)


def test_the_code_of_the_example_prints_what_it_says() -> None:
    code = read(EXAMPLES / "S8.1.toml").code
    ran = subprocess.run([sys.executable, "-c", code.text], capture_output=True, text=True, timeout=120, check=True)
    assert ran.stdout.strip() == code.output.strip()


FAULTS = [
    ("a group", "Q101", [("group = 'A'", "group = 'Z'")], 2, "group"),
    ("no Chinese", "Q101", [("[prompt]\nen", "[prompt]\nem")], 8, "prompt.en"),
    ("a formula", "Q101", [("'Because $e^z$", "'Because $e^{z$")], 13, "answer.short.en"),
    ("a drill", "Q101", [("'softmax-row'", "'softmax-rwo'")], 5, "drills[0]"),
    ("evidence", "Q101", [("'overflow*|inf'", "'(overflow'")], 31, "key_points[0].evidence[0]"),
    ("evidence of a pitfall", "Q101", [("'平滑|平缓'", "'|'")], 48, "pitfalls[0].evidence[1]"),
    ("a question's number", "Q101", [("'Q101'", "'Q7'")], 1, "id"),
    ("TOML", "Q101", [("[prompt]", "[prompt")], 8, ""),
    ("a lesson's question", "S8_1", [("[101]", "[101, 555]")], 3, "questions[1]"),
    ("a place", "S8_1", [("give the weights «a»", "give the weights «q»")], 36, "examples[0].says"),
    ("an operation", "S8_1", [("'b = softmax(y)'", "'b = sofmax(y)'")], 34, "examples[0].program"),
    ("a name", "S8_1", [("'b = softmax(y)'", "'b = softmax(x)'")], 34, "examples[0].program[1]"),
]


@pytest.mark.parametrize(("name", "changes", "line", "field"), [each[1:] for each in FAULTS], ids=[each[0] for each in FAULTS])
def test_a_fault_is_told_with_file_line_and_field(
    name: str, changes: list[tuple[str, str]], line: int, field: str, tmp_path: Path
) -> None:
    files = {"Q101": QUESTION, "S8_1": LESSON}
    folder = write(tmp_path, **{**files, name: changed(files[name], *changes)})
    ran = quiz("validate", str(folder))
    file = f"{name.replace('_', '.')}.toml"
    assert ran.code == 1
    told = {(each["file"], each["line"], each["field"]) for each in quiz("validate", str(folder), "--json").json["faults"]}
    assert (file, line, field) in told, told
    assert {each[0] for each in told} == {file}
    assert any(each.startswith(f"{file}, line {line}: {field}") for each in ran.out.splitlines())
    assert any(
        each.startswith(f"{file} 第 {line} 行：{field}")
        for each in quiz("validate", str(folder), "--lang", "zh").out.splitlines()
    )


def test_all_faults_of_all_files_are_told_a_line_each(tmp_path: Path) -> None:
    bad = changed(QUESTION, ("group = 'A'", "group = 'Z'"), ("'softmax-row'", "3"))
    folder = write(
        tmp_path, Q101=bad, Q102=changed(QUESTION, ("'Q101'", "'Q102'")), S8_1=changed(LESSON, ("softmax(z)", "x(z)")), notes=""
    )
    ran = quiz("validate", str(folder))
    assert ran.code == 1
    assert [line.partition(":")[0] for line in ran.out.splitlines()[:2]] == ["Q101.toml, line 2", "Q101.toml, line 5"]
    assert {line.partition(".toml")[0] for line in ran.out.splitlines()} == {"Q101", "S8.1", "notes"}
    assert ran.err == f"{len(ran.out.splitlines())} faults in 3 files\n"
    data = quiz("validate", str(folder), "--json").json
    assert (data["questions"], data["lessons"], len(data["faults"])) == (1, 0, len(ran.out.splitlines()))


def test_the_code_of_a_lesson_is_never_run(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    folder = write(tmp_path / "mine", Q101=QUESTION, S8_1=changed(LESSON, ("import torch\n", f"open({str(trace)!r}, 'w')\n")))
    assert quiz("validate", str(folder)).code == 0
    assert not trace.exists()


def test_a_lesson_may_name_questions_of_the_settings_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write(tmp_path / "lessons", S8_1=LESSON)
    assert quiz("validate", str(folder)).code == 1
    monkeypatch.setenv("QUIZAPP_HOME", str(tmp_path))
    (tmp_path / "settings.toml").write_text(f"bank = {EXAMPLES.as_posix()!r}\n")
    assert quiz("validate", str(folder)).code == 0


def test_where_there_is_nothing_to_check_it_says_what_was_looked_for(tmp_path: Path) -> None:
    (tmp_path / "readme.md").write_text("")
    (tmp_path / "file").write_text("")
    table = [
        (tmp_path, "Q101.toml to Q999.toml"),
        (tmp_path / "none", "no folder"),
        (tmp_path / "file", "no folder"),
        ("\0", ""),
    ]
    for folder, said in table:
        ran = quiz("validate", str(folder))
        assert (ran.code, ran.out) == (2, "")
        assert said in ran.err
