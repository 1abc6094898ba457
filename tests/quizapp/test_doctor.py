"""quizapp doctor: what it finds, what it mends, and that it changes nothing unless asked."""

from __future__ import annotations

import json
import os
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from question_bank.text import Language
from quizapp import doctor
from quizapp import wording_doctor as wording
from quizapp.crash import write_log
from quizapp.doctor_progress import Condition, examine
from quizapp.events import DrillAnswered, QuestionRated, Rating
from quizapp.paths import find_paths
from quizapp.progress import Log
from quizapp.settings import Settings, load
from solvers.verdict import Outcome
from tests.quizapp.shell import Ran, quiz

DEFAULT = Settings(Language.EN, "night")


def answer(number: int = 1) -> DrillAnswered:
    return DrillAnswered("softmax-row.1.009h6", "softmax-row", 1, ("x" * 300,), Outcome.RIGHT, None, 1, 1, float(number))


def fill(answers: int = 3) -> Path:
    path = find_paths().progress
    with Log(path) as log:
        for number in range(answers):
            log.record(answer(number))
    return path


def change(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


def wrong(ran: Ran) -> list[dict[str, object]]:
    return [each for each in ran.json if each["state"] == "wrong"]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_nothing_is_wrong_at_first(language: str) -> None:
    ran = quiz("doctor", "--lang", language)
    assert ran.code == 0
    for path in (find_paths().progress, find_paths().settings):
        assert str(path) in ran.out
    assert "torch 2" in ran.out
    assert "✗" not in ran.out
    assert not find_paths().progress.exists()  # looking makes nothing


def damage(path: Path) -> None:
    data = bytearray(path.read_bytes())
    middle = len(data) // 2 // 4096 * 4096
    data[middle : middle + 4096] = b"\xff" * 4096
    path.write_bytes(data)


CASES: list[tuple[Callable[[Path], object], Condition]] = [
    (lambda path: None, Condition.SOUND),
    (lambda path: path.unlink(), Condition.MISSING),
    (lambda path: change(path, "UPDATE memory SET due = '1999-01-01'"), Condition.STALE),
    (lambda path: change(path, "DELETE FROM memory"), Condition.STALE),
    (lambda path: change(path, "DROP TABLE memory"), Condition.STALE),
    (lambda path: change(path, "PRAGMA user_version = 99"), Condition.NEWER),
    (lambda path: change(path, "PRAGMA application_id = 5"), Condition.FOREIGN),
    (lambda path: path.write_bytes(b"x" * 5000), Condition.DAMAGED),
    (lambda path: path.write_bytes(path.read_bytes()[:9000]), Condition.DAMAGED),
    (damage, Condition.DAMAGED),
    (
        lambda path: change(
            path,
            "INSERT INTO event (id, at, offset_seconds, study_day, kind, what) VALUES ('a', 'x', 0, 'x', 'drill', '{}')",
        ),
        Condition.UNREADABLE_EVENTS,
    ),
]


@pytest.mark.parametrize(
    ("harm", "condition"), CASES, ids=[f"{each[1].name.lower()}-{place}" for place, each in enumerate(CASES)]
)
def test_how_a_progress_file_is(harm: Callable[[Path], object], condition: Condition) -> None:
    path = fill(40)
    harm(path)
    before = path.read_bytes() if path.exists() else None
    assert examine(path).condition is condition
    ran = quiz("doctor", "--json")
    assert ran.code == (0 if condition in (Condition.SOUND, Condition.MISSING) else 1)
    assert (path.read_bytes() if path.exists() else None) == before


def test_a_locked_file_is_noted() -> None:
    path = fill()
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert examine(path).condition is Condition.LOCKED
        other.execute("ROLLBACK")
    assert examine(path).condition is Condition.SOUND


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="nothing is read-only to root")
def test_a_file_that_can_only_be_read() -> None:
    path = fill()
    path.chmod(0o444)
    assert examine(path).condition is Condition.READ_ONLY


def test_what_is_derived_is_made_anew() -> None:
    path = fill()
    with Log(path) as log:
        before = log.memories()
    change(path, "UPDATE memory SET due = '1999-01-01'")
    assert quiz("doctor").code == 1
    assert quiz("doctor", "--mend").code == 0
    with Log(path) as log:
        assert log.memories() == before
    assert quiz("doctor").code == 0


def test_what_can_be_read_of_a_damaged_file_is_saved() -> None:
    path = fill(60)
    change(path, "PRAGMA journal_mode = DELETE")
    damage(path)
    harmed = path.read_bytes()
    ran = quiz("doctor", "--mend", "--json")
    assert ran.code == 0, ran.out
    with Log(path) as log:
        saved = len(tuple(log.events()))
    assert 10 <= saved <= 60
    [aside] = path.parent.glob("progress.db.*-damaged")
    assert aside.read_bytes() == harmed
    [done] = [each for each in ran.json if each["area"] == "mended"]
    assert str(aside) in done["message"]
    assert str(saved) in done["message"]


def test_a_row_that_can_not_be_read_is_left_behind() -> None:
    path = fill(5)
    change(path, "INSERT INTO event (id, at, offset_seconds, study_day, kind, what) VALUES ('a', 'x', 0, 'x', 'drill', '{}')")
    assert "of which 1" in str(wrong(quiz("doctor", "--json"))[0]["message"])
    assert quiz("doctor", "--mend").code == 0
    with Log(path) as log:
        assert len(tuple(log.events())) == 5


@pytest.mark.parametrize("harm", ["PRAGMA user_version = 99", "PRAGMA application_id = 5"])
def test_what_is_not_ours_is_not_mended(harm: str) -> None:
    path = fill()
    change(path, harm)
    before = path.read_bytes()
    assert quiz("doctor", "--mend").code == 1
    assert path.read_bytes() == before


def test_an_older_file_is_brought_up_to_date_at_the_next_start() -> None:
    path = fill()
    change(path, "PRAGMA user_version = 1")
    assert examine(path).condition is Condition.OLDER
    assert quiz("doctor").code == 0


def test_a_bad_setting_is_set_right_and_the_file_kept() -> None:
    path = find_paths().settings
    path.parent.mkdir(exist_ok=True)
    text = 'daily = "many"  # mine\ntheme = "pink"\nother = 1\n'
    path.write_text(text)
    ran = quiz("doctor", "--json")
    assert ran.code == 1
    assert len(wrong(ran)) == 2
    assert path.read_text() == text
    assert quiz("doctor", "--mend").code == 0
    assert load(path, DEFAULT, ("night", "day")).problems == ()
    assert path.read_text() == 'daily = 10  # mine\ntheme = "night"\nother = 1\n'
    [backup] = path.parent.glob("settings.toml.*-backup")
    assert backup.read_text() == text


def test_settings_that_are_no_toml_are_put_aside() -> None:
    path = find_paths().settings
    path.parent.mkdir(exist_ok=True)
    path.write_text("daily = = 3")
    assert quiz("doctor").code == 1
    assert quiz("doctor", "--mend").code == 0
    [aside] = path.parent.glob("settings.toml.*-damaged")
    assert aside.read_text() == "daily = = 3"
    assert not path.exists()


def test_a_bad_folder_is_told_and_left(tmp_path: Path) -> None:
    path = find_paths().settings
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"bank = {json.dumps(str(tmp_path / 'none'))}\n")
    ran = quiz("doctor", "--mend", "--json")
    assert ran.code == 1
    assert [each["area"] for each in wrong(ran)] == ["own bank"]


def test_crash_logs_are_named() -> None:
    log = write_log(find_paths().data, ValueError("x"), datetime(2026, 11, 29, tzinfo=UTC))
    assert log is not None
    ran = quiz("doctor")
    assert ran.code == 0
    assert str(log) in ran.out


class Screen:
    def __init__(self, encoding: str) -> None:
        self.encoding = encoding

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("encoding", "environment", "noted"),
    [
        ("utf-8", {"TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"}, []),
        ("ascii", {"TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"}, ["ascii"]),
        ("utf-8", {"TERM": "dumb", "COLUMNS": "80", "LINES": "24"}, ["TERM=dumb"]),
        ("utf-8", {"TERM": "xterm", "NO_COLOR": "1", "COLUMNS": "80", "LINES": "24"}, ["NO_COLOR"]),
        ("utf-8", {"TERM": "xterm", "COLUMNS": "20", "LINES": "5"}, ["20×5"]),
    ],
)
def test_what_the_terminal_lacks_is_noted(
    monkeypatch: pytest.MonkeyPatch, encoding: str, environment: dict[str, str], noted: list[str]
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "stdout", Screen(encoding))
    found = [each.message.en for each in doctor._terminal() if each.state is doctor.State.NOTED]
    assert len(found) == len(noted)
    assert all(word in message for word, message in zip(noted, found, strict=True))


def test_there_is_a_sentence_for_every_condition() -> None:
    assert set(wording.CONDITIONS) == set(Condition)


def test_a_question_counts_too() -> None:
    with Log(find_paths().progress) as log:
        log.record(QuestionRated(7, Rating.GOOD))
    assert "1 event, nothing wrong" in quiz("doctor").out
