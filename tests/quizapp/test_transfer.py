"""Progress taken out, brought in, copied and begun anew, by the shell."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from question_bank.own_numbers import TEMPLATES, build
from question_bank.text import Language
from quizapp.events import (
    DrillAnswered,
    Event,
    Happening,
    InterviewHeld,
    Item,
    Mode,
    QuestionRated,
    Rating,
    Reviewed,
    SelfChecked,
    Undone,
)
from quizapp.paths import find_paths
from quizapp.progress import Log
from quizapp.transfer import FORMAT, from_line, header, lines, read, to_line
from solvers.verdict import Outcome
from tests.quizapp.shell import quiz

DRILL = DrillAnswered("softmax-row.1.009h6", "softmax-row", 1, ("0.5 0.5",), Outcome.RIGHT, None, 1, 1, 3.5, 1)
EVERYTHING: tuple[Happening, ...] = (
    DRILL,
    QuestionRated(7, Rating.GOOD, Mode.FREE, "除以 √d_k\n[b]\ud800", (0, 2), None, (0,)),
    QuestionRated(8, Rating.AGAIN, Mode.CHOICE, chosen=3),
    SelfChecked(build(TEMPLATES["softmax"], {"s": ((1, 2),)}, 3), ("0.27 0.73",), Outcome.RIGHT),
    Reviewed(Item("softmax-row"), Rating.EASY, date(2026, 12, 1), "0" * 32),
    Undone(("0" * 32,)),
    InterviewHeld(datetime(2026, 11, 29, 8, tzinfo=UTC), 30, '{"points": 3}'),
)


def events(*what: Happening) -> tuple[Event, ...]:
    at = datetime(2026, 11, 29, 8, 30, tzinfo=UTC)
    return tuple(
        Event(f"{number:032x}", at + timedelta(minutes=number), timedelta(hours=8), date(2026, 11, 29), each)
        for number, each in enumerate(what)
    )


def fill(*what: Happening) -> tuple[Event, ...]:
    """Put events into the progress of this test."""
    made = events(*what)
    with Log(find_paths().progress) as log:
        log.merge(made)
    return made


def kept() -> tuple[Event, ...]:
    with Log(find_paths().progress) as log:
        return tuple(log.events())


def test_every_kind_of_event_goes_out_and_comes_back() -> None:
    made = fill(*EVERYTHING)
    file = find_paths().data / "out.jsonl"
    assert quiz("progress", "export", "-o", str(file)).code == 0
    assert all(line.isascii() for line in file.read_text("ascii").splitlines())
    assert quiz("progress", "reset", "--yes").code == 0
    assert not find_paths().progress.exists()
    ran = quiz("progress", "import", str(file), "--json")
    assert (ran.code, ran.json) == (0, {"imported": len(made), "known": 0, "skipped": 0})
    assert kept() == made


def test_importing_twice_changes_nothing() -> None:
    made = fill(DRILL)
    out = quiz("progress", "export").out
    again = quiz("progress", "import", "-", "--json", stdin=out + out)
    assert again.json == {"imported": 0, "known": 1, "skipped": 0}
    assert kept() == made


def test_two_machines_are_joined() -> None:
    fill(DRILL)
    other = Event("f" * 32, datetime(2026, 11, 1, tzinfo=UTC), timedelta(0), date(2026, 10, 31), QuestionRated(7, Rating.HARD))
    ran = quiz("progress", "import", "-", "--json", stdin="\n".join([*lines([other]), "", *lines(events(DRILL))]))
    assert ran.json == {"imported": 1, "known": 1, "skipped": 0}
    assert len(kept()) == 2


def changed(**values: Any) -> str:
    """Return a good line with some values changed; None takes one away."""
    line = json.loads(to_line(events(DRILL)[0]))
    return json.dumps({key: value for key, value in (line | values).items() if value is not None})


GOOD_WHAT = json.loads(to_line(events(DRILL)[0]))["what"]
BAD = [
    "x",
    "[]",
    "{}",
    "nan",
    '{"id": 5}',
    changed(id=None),
    changed(id="A" * 32),
    changed(id="0" * 31),
    changed(at="2026-11-29T08:30:00"),
    changed(at="soon"),
    changed(at=5),
    changed(offset="8"),
    changed(offset=True),
    changed(offset=100_000),
    changed(offset=None),
    changed(day="2026-11-27"),
    changed(day="2026-11-30"),
    changed(day="x"),
    changed(kind="poem"),
    changed(kind="question"),
    changed(what=None),
    changed(what=[]),
    changed(what={}),
    changed(what=GOOD_WHAT | {"level": "1"}),
    changed(what=GOOD_WHAT | {"outcome": "perfect"}),
    changed(what=GOOD_WHAT | {"typed": "abc"}),
    changed(what=GOOD_WHAT | {"seconds": float("nan")}),
    changed(what=GOOD_WHAT | {"marks": 2**60}),
    json.dumps({"format": FORMAT, "version": 2}),
    json.dumps({"format": "anki", "version": 1}),
    "[" * 100_000,
    "\udcff",
]


@pytest.mark.parametrize("line", BAD, ids=range(len(BAD)))
def test_a_bad_line_is_named_by_its_number(line: str) -> None:
    found = read([header().encode(), b"\n", changed().encode(), line.encode("utf-8", "surrogateescape")])
    assert len(found.events) == 1
    [bad] = found.bad
    assert bad.number == 4
    for language in Language:
        assert bad.message[language].strip()
        assert len(bad.message[language]) < 250
        assert "{" not in bad.message[language].replace("{}", "")


def test_a_good_line_is_read() -> None:
    assert from_line(changed().encode()) == events(DRILL)[0]
    assert from_line(b"\xef\xbb\xbf" + changed().encode() + b"\r\n") == events(DRILL)[0]
    assert from_line(changed(at="2026-11-29T16:30:00+08:00").encode()) == events(DRILL)[0]
    assert from_line(b"  \n") is None


def test_nothing_is_imported_unless_every_line_can_be_read() -> None:
    text = "\n".join([*lines(events(DRILL)), "x", *(["y"] * 30)])
    ran = quiz("progress", "import", "-", stdin=text)
    assert ran.code == 1
    assert "Line 3" in ran.err
    assert "11 lines more" in ran.err
    assert not find_paths().progress.exists()
    ran = quiz("progress", "import", "-", "--skip-bad", "--json", stdin=text)
    assert (ran.code, ran.json) == (0, {"imported": 1, "known": 0, "skipped": 31})


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(
    "arguments",
    [
        ("progress",),
        ("progress", "export"),
        ("progress", "backup"),
        ("progress", "reset", "--yes"),
        ("progress", "import", "no-such-file"),
        ("progress", "import", "."),
        ("progress", "export", "-o", "no/such/folder/x"),
    ],
    ids=" ".join,
)
def test_what_can_not_be_done_is_said_in_one_line(arguments: tuple[str, ...], language: str) -> None:
    if arguments[-1].endswith("x"):
        fill(DRILL)
    ran = quiz(*arguments, "--lang", language)
    assert ran.code == 2
    assert len(ran.err.splitlines()) == 1
    assert ran.out == ""


def test_a_backup_holds_everything_and_never_overwrites_another() -> None:
    made = fill(DRILL, *EVERYTHING)
    copies = [Path(quiz("progress", "backup").out.strip()) for _ in range(2)]
    assert len({find_paths().progress, *copies}) == 3
    for copy in copies:
        with Log(copy) as log:
            assert tuple(log.events()) == made
    assert kept() == made


def test_reset_keeps_the_old_progress() -> None:
    made = fill(DRILL)
    find_paths().sitting.write_text("{}")
    backup = Path(quiz("progress", "reset", "--yes", "--json").json["backup"])
    assert not find_paths().progress.exists()
    assert not find_paths().sitting.exists()
    with Log(backup) as log:
        assert tuple(log.events()) == made


def test_reset_asks_first() -> None:
    fill(DRILL)
    ran = quiz("progress", "reset", stdin="yes\n")
    assert ran.code == 2
    assert "--yes" in ran.err
    assert len(kept()) == 1


def test_reset_leaves_a_file_in_use_alone() -> None:
    made = fill(DRILL)
    with Log(find_paths().progress) as log:
        log.recent()
        ran = quiz("progress", "reset", "--yes")
        assert ran.code == 2
        assert "Another program" in ran.err
        log.append(Event("e" * 32, made[0].at, made[0].offset, made[0].study_day, DRILL))
    assert len(kept()) == 2


def test_a_damaged_file_is_put_aside_as_it_is() -> None:
    path = find_paths().progress
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"x" * 4096)
    backup = Path(quiz("progress", "reset", "--yes").out.strip())
    assert backup.read_bytes() == b"x" * 4096
    assert not path.exists()
    assert quiz("progress", "backup").code == 2


def test_a_file_that_is_no_progress_is_not_exported() -> None:
    path = find_paths().progress
    path.parent.mkdir(exist_ok=True)
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE t (x)")
    ran = quiz("progress", "export")
    assert (ran.code, ran.out) == (2, "")
    assert str(path) in ran.err


def test_every_field_is_documented() -> None:
    page = (Path(__file__).parents[2] / "docs" / "progress.md").read_text("utf-8")
    for event in events(*EVERYTHING):
        line = json.loads(to_line(event))
        for field in (*line, *line["what"], line["kind"]):
            assert f"`{field}`" in page, field
    for outcome in Outcome:
        assert f"`{outcome}`" in page
