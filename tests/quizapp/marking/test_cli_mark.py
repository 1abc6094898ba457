"""``quizapp mark`` on the shell, from a file and asked for one by one."""

from __future__ import annotations

import csv
import io
import json
import sys
from pathlib import Path

import pytest

from question_bank import problem
from quizapp.commands.exits import Exit
from quizapp.sheets import record
from quizapp.sheets.plan import qr_text
from solvers.worked import answers
from tests.quizapp.shell import quiz

SCALE, MIX = "scale-row.1.00ksk", "attention-by-hand.2.00g1c"


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def right(code: str) -> list[str]:
    return list(answers(problem(code)))


@pytest.fixture
def sheet() -> str:
    assert quiz("sheet", SCALE, MIX, "-o", "s.md").code == Exit.DONE
    return "s.json"


@pytest.fixture
def answered() -> str:
    Path("answers.csv").write_text(f"Ada;1;{right(SCALE)[0]}\nBob;1;x\nBob;9;1\n", "utf-8")
    return "answers.csv"


# From a file -----------------------------------------------------------------------------------------------------------


def test_a_file_of_answers_in_every_form(sheet: str, answered: str) -> None:
    ran = quiz("mark", sheet, "--answers", answered)
    assert ran.code == Exit.UNREADABLE
    assert "1 of 8" in ran.out
    assert "line 3" in ran.out
    assert "not marked: 1" in ran.err
    as_json = quiz("mark", sheet, "--answers", answered, "--json").json
    assert as_json == quiz("mark", sheet, "--answers", answered, "--format", "json").json
    assert [person["marks"] for person in as_json["people"]] == [1, 0]
    for name, form in {"m.csv": "csv", "m.json": "json", "m.md": "markdown", "m.txt": "text"}.items():
        assert quiz("mark", sheet, "--answers", answered, "-o", name, "--lang", "zh").code == Exit.UNREADABLE
        printed = quiz("mark", sheet, "--answers", answered, "--format", form, "--lang", "zh").out
        written = Path(name).read_text("utf-8-sig")
        assert (
            json.loads(written) == json.loads(printed) if form == "json" else written.split() == printed.strip("\ufeff").split()
        )
    rows = list(csv.DictReader(io.StringIO(Path("m.csv").read_text("utf-8-sig"))))
    assert [row["verdict"] for row in rows if row["kind"] == "part" and row["problem"] == "1"] == [
        "right",
        "unreadable",
    ]
    assert rows[-1]["answer"] == "Bob, 9, 1"


def test_codes_and_the_text_of_a_qr_code_are_sheets_too(answered: str) -> None:
    from_codes = quiz("mark", SCALE, MIX, "--answers", answered, "--json").json
    for text in (qr_text((SCALE, MIX)), f"{qr_text((SCALE,), 1, 2)}\n{qr_text((MIX,), 2, 2)}", f"{SCALE}\n{MIX}\n"):
        assert quiz("mark", "-", "--answers", answered, "--json", stdin=text).json == from_codes


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["none.json", "--answers", "answers.csv"], "none.json can't be read"),
        (["answers.csv", "--answers", "answers.csv"], "not a sheet"),
        (["s.json", "--answers", "none.csv"], "no such file"),
        (["s.json", "--answers", "."], "The answers in . can't be read"),
        (["s.json", SCALE, "--answers", "answers.csv"], "one sheet"),
        (["softmax-rwo.2.009xh", "--answers", "answers.csv"], "softmax-row"),
        (["s.json", "--answers", "answers.csv", "-o", "marks.xlsx"], "marks.xlsx"),
        (["s.json", "--answers", "answers.csv", "-o", "none/marks.csv"], "no folder"),
        (["s.json", "--answers", "answers.csv", "-o", "answers.csv"], "write over"),
        (["s.json", "--answers", "answers.csv", "--format", "pdf"], "csv, json, markdown, text"),
        (["-", "--answers", "answers.csv"], "no problem code"),
    ],
)
def test_what_cannot_be_done_says_why_and_writes_nothing(sheet: str, answered: str, arguments: list[str], said: str) -> None:
    before = {path.name: path.read_bytes() for path in Path().iterdir()}
    ran = quiz("mark", *arguments)
    assert ran.code == Exit.MISUSED
    assert said in ran.err
    assert {path.name: path.read_bytes() for path in Path().iterdir()} == before


def test_a_sheet_of_a_drill_revised_since_is_marked_all_the_same(sheet: str, answered: str) -> None:
    changed = Path(sheet).read_text("utf-8").replace(SCALE, "scale-row.1.z0ksk")
    Path(sheet).write_text(changed, "utf-8")
    assert record.load(Path(sheet)).copies[0].codes[0] == "scale-row.1.z0ksk"
    assert quiz("mark", sheet, "--answers", answered, "--json").json["people"][0]["marks"] == 1


# Asked for -------------------------------------------------------------------------------------------------------------


def asked(*arguments: str, lines: list[str]) -> tuple[int, str, str]:
    ran = quiz("mark", *arguments, stdin="".join(f"{line}\n" for line in lines))
    return ran.code, ran.out, ran.err


def test_answers_are_asked_for_part_by_part(sheet: str) -> None:
    code, out, err = asked(sheet, lines=[*right(SCALE), *right(MIX)])
    assert (code, out.count("✓")) == (Exit.DONE, 8)
    assert "8 of 8 marks." in out
    assert [f"2{letter}  " in err for letter in "abcdefg"] == [True] * 7


def test_what_cannot_be_read_is_explained_and_asked_for_again_and_a_blank_is_given_up(sheet: str) -> None:
    code, out, err = asked(sheet, lines=["n/a", "1 2", *right(SCALE), *[""] * 7])
    assert code == Exit.DONE
    assert "1 of 8 marks." in out
    assert "–––––––" in out
    assert "not part of a number" in err
    assert "2 numbers read" in err
    assert err.count("1  z (") == 3


@pytest.mark.parametrize(
    ("lines", "marks", "left"),
    [([], "0 of 0", "1, 2"), ([*right(SCALE)], "1 of 1", "2"), ([*right(SCALE), *right(MIX)[:2]], "3 of 8", "")],
)
def test_the_end_of_the_input_ends_it_and_keeps_what_there_is(sheet: str, lines: list[str], marks: str, left: str) -> None:
    code, out, err = asked(sheet, lines=lines)
    assert code == Exit.DONE
    assert f"{marks} marks." in out
    assert ("Not reached: " + left in err) == bool(left)


def test_codes_on_stdin_and_the_answers_behind_them() -> None:
    code, out, _ = asked("-", lines=[qr_text((SCALE, MIX)), *right(SCALE), *right(MIX)])
    assert (code, "8 of 8 marks." in out) == (Exit.DONE, True)


def test_a_class_is_asked_for_by_name(tmp_path: Path) -> None:
    Path("names.csv").write_text("Ada\n张三\n", "utf-8")
    assert quiz("sheet", "scale-row", "--count", "1", "--seed", "s", "--roster", "names.csv", "-o", "c.md").code == Exit.DONE
    codes = [copy.codes[0] for copy in record.load(Path("c.json")).copies]
    code, out, err = asked("c.json", "-o", "marks.csv", lines=["张三", *right(codes[1]), "Eve", "ada", "1 2 3", ""])
    assert code == Exit.DONE
    assert "Nobody called “Eve” has a sheet." in err
    assert "张三: 1 of 1 marks." in out
    rows = list(csv.DictReader(io.StringIO(Path("marks.csv").read_text("utf-8-sig"))))
    for kind in ("person", "part"):
        found = [(row["person"], row["marks"], row["possible"]) for row in rows if row["kind"] == kind]
        assert found == [("Ada", "0", "1"), ("张三", "1", "1")]


@pytest.mark.parametrize("text", ["", "garbage\n", "garbage\n1 2 3\n", "softmax-row.2.zzzzz\n"])
def test_what_is_no_code_is_said_before_a_terminal_is_looked_for(text: str) -> None:
    for arguments in ((), ("-",)):
        ran = quiz("mark", *arguments, stdin=text)
        assert ran.code == Exit.MISUSED
        assert "no terminal" not in ran.err
        assert "softmax-row" in ran.err


def test_who_reached_nothing_is_left_out_of_the_mean() -> None:
    Path("names.csv").write_text("Ada\nBob\nEve\n", "utf-8")
    assert quiz("sheet", "scale-row", "--count", "1", "--seed", "s", "--roster", "names.csv", "-o", "c.md").code == Exit.DONE
    ada = record.load(Path("c.json")).copies[0].codes[0]
    assert "\n1 person, 1 of 1 marks\n" in asked("c.json", lines=["Ada", *right(ada), "Eve"])[1]
    assert "\n2 people, on average 0.5 of 1 marks\n" in asked("c.json", lines=["Ada", *right(ada), "Bob", "1 2 3", "Eve"])[1]


@pytest.mark.terminal
@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminal")
@pytest.mark.parametrize(
    ("language", "marks", "again"), [("en", "1 of 8 marks.", "Once more:"), ("zh", "得 1 分，满分 8 分。", "重新输入：")]
)
def test_asking_at_a_real_terminal(sheet: str, language: str, marks: str, again: str) -> None:
    import pexpect

    terminal = pexpect.spawn(
        sys.executable, ["-m", "quizapp", "mark", sheet, "--lang", language], timeout=90, encoding="utf-8", dimensions=(24, 100)
    )
    for wanted, typed in [("1  z", "abc"), (again, ""), ("1  z", right(SCALE)[0]), ("✓", ""), ("2a  Q", "[[1,2],[3,4],[5,6]]")]:
        terminal.expect_exact(wanted)
        if typed:
            terminal.sendline(typed)
    terminal.expect_exact("2b  K")
    terminal.sendeof()
    terminal.expect_exact(marks)
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == Exit.DONE
