"""``quizapp export`` on the shell, and files that are written whole or not at all."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import pytest

from quizapp.whole_file import WriteError, write_whole
from tests.quizapp.shell import quiz


def test_a_file_says_what_it_holds(tmp_path: Path) -> None:
    file = tmp_path / "out.json"
    ran = quiz("export", "json", "--questions", "Q7,A", "--lessons", "7.9", "--drills", "softmax-row", "--variants", "2",
               "--level", "1", "--lang", "both", "-o", str(file), "--json")  # fmt: skip
    assert ran.code == 0, ran.err
    made = json.loads(file.read_text("utf-8"))
    assert ran.json == {"file": str(file), "questions": len(made["questions"]) // 2, "lessons": 1, "problems": 2}
    assert [each["id"] for each in made["questions"]][:2] == ["Q7", "Q1"]
    assert {each["language"] for each in made["problems"]} == {"en", "zh"}
    assert len({each["code"] for each in made["problems"]}) == 2
    assert os.listdir(tmp_path) == ["out.json"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["moodle", "--questions", "7", "-o", "x.xml"], "x.xml: 1 question."),
        (["csv", "--lessons", "7.9", "--questions", "7,8", "-o", "x.csv"], "x.csv: 2 questions, 1 lesson."),
        (["json", "--drills", "softmax-row", "--level", "1", "-o", "x.json", "--lang", "zh"], "x.json：练习题 3 道。"),
    ],
)
def test_it_is_said_how_much_was_written(
    arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert quiz("export", *arguments).err == f"{said}\n"


@pytest.mark.parametrize("name", ["moodle", "csv", "json", "markdown"])
def test_text_goes_to_stdout_without_a_file(name: str) -> None:
    ran = quiz("export", name, "--questions", "7", "--lang", "zh")
    assert (ran.code, ran.err) == (0, "")
    assert "为什么要除以" in ran.out


def test_the_seed_chooses_the_problems() -> None:
    def codes(*more: str) -> list[str]:
        ran = quiz("export", "json", "--drills", "softmax-row", "--level", "1", *more)
        return [each["code"] for each in ran.json["problems"]]

    assert codes() == codes()
    assert codes("--variants", "2") == codes()[:2]
    assert codes("--seed", "一百") != codes()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["anki"], "-o transformer.apkg"),
        (["anki", "--questions", "Q99", "-o", "x.apkg"], "Did you mean Q40"),
        (["anki", "--questions", "Q7", "-o", "x.zip"], "“x.zip” should end with .apkg."),
        (["markdown", "--questions", "Q7", "-o", "x"], "“x” should end with .md."),
        (["csv", "--questions", "7.9x"], "no question, lesson or drill"),
        (["csv", "--questions", "softmax-row"], "softmax-row is no question"),
        (["csv", "--lessons", "7.99"], "Did you mean 7."),
        (["csv", "--lessons", "Q7"], "Q7 is no lesson"),
        (["csv", "--drills", "sofmax-row"], "softmax-row"),
        (["csv", "--drills", "softmax-row", "--level", "9"], "level 9"),
        (["csv", "--drills", "8.1"], "no drill"),
        (["csv", "--questions", ","], "Nothing was chosen"),
        (["moodle", "--lessons"], "no option --lessons"),
        (["csv", "--variants", "0"], "--variants"),
        (["csv", "--lang", "fr"], "en, zh or both"),
        (["pdf"], "no command"),
        ([], "anki, moodle, csv, json or markdown"),
    ],
)
def test_what_cannot_be_exported_is_said(arguments: list[str], said: str) -> None:
    ran = quiz("export", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err


def test_a_time_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "yesterday")
    assert "SOURCE_DATE_EPOCH" in quiz("export", "json", "--questions", "7").err


def test_a_missing_folder_is_said(tmp_path: Path) -> None:
    ran = quiz("export", "csv", "--questions", "7", "-o", str(tmp_path / "nowhere" / "x.csv"))
    assert ran.code == 2
    assert f"there is no folder {tmp_path / 'nowhere'}" in ran.err


# Files -----------------------------------------------------------------------------------------------------------------


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    file = tmp_path / "x"
    file.write_text("old")
    write_whole(file, b"new")
    assert file.read_bytes() == b"new"
    assert os.listdir(tmp_path) == ["x"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write_whole(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"


@pytest.mark.parametrize("fault", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()])
def test_a_full_disk_and_ctrl_c_leave_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: BaseException
) -> None:
    def fail(_: int) -> None:
        raise fault

    file = tmp_path / "x"
    file.write_text("old")
    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises((WriteError, KeyboardInterrupt)) as caught:
        write_whole(file, b"new")
    if isinstance(caught.value, WriteError):
        assert caught.value.message.en == f"{file} can't be written: the disk is full."
    assert file.read_text() == "old"
    assert os.listdir(tmp_path) == ["x"]


@pytest.mark.parametrize("name", ["", "x/y", "\0", "n" * 300])
def test_names_that_cannot_be_written(tmp_path: Path, name: str) -> None:
    (tmp_path / "x").write_text("a file")
    with pytest.raises(WriteError):
        write_whole(tmp_path / name, b"")
