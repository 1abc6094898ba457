from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta, timezone
from fractions import Fraction
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from question_bank.exact import ln
from question_bank.problem import Problem
from question_bank.program import AnswerFormat, Ask, Kind, Program, call
from question_bank.text import Language, same
from quizapp.doctor_progress import Condition, examine
from quizapp.events import (
    DrillAnswered,
    Event,
    Happening,
    Mode,
    QuestionRated,
    Rating,
    SelfChecked,
    drill_answered,
    from_text,
    stamp,
    study_day,
    system_clock,
    to_text,
)
from quizapp.progress import SCHEMA_VERSION, DrillRecord, Log, Practised, open_log
from quizapp.progress_errors import ProgressError
from solvers.verdict import Outcome, PartVerdict, Verdict

BERLIN = ZoneInfo("Europe/Berlin")
SHANGHAI = ZoneInfo("Asia/Shanghai")
NEW_YORK = ZoneInfo("America/New_York")
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)

PROGRAM = Program(
    inputs=(("S", ((1, Fraction(1, 2)), (ln(2), -3))),),
    calls=(call("A", "softmax", "S"),),
    asks=(Ask("A", AnswerFormat(Kind.MATRIX, decimals=3, dimensions=(2, 2))),),
)


def answer(
    drill: str = "softmax-row", level: int = 1, outcome: Outcome = Outcome.RIGHT, typed: tuple[str, ...] = ("0.7 0.2 0.1",)
) -> DrillAnswered:
    return DrillAnswered(f"{drill}.{level}.a0009", drill, level, typed, outcome, None, 1, 1, 12.5)


class Hours:
    """A clock that goes on by an hour whenever it is looked at."""

    def __init__(self, start: datetime = NOON) -> None:
        self.now = start - timedelta(hours=1)

    def __call__(self) -> datetime:
        self.now += timedelta(hours=1)
        return self.now


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "data" / "progress.db"


@pytest.fixture
def log(file: Path) -> Iterator[Log]:
    with Log(file, Hours()) as opened:
        yield opened


def events_in(file: Path) -> tuple[Event, ...]:
    with Log(file) as log:
        return log.recent(10_000)


def assert_stands_in(file: Path, *words: str) -> None:
    """The file can't be used; a log in memory works in its place and says why, naming the file."""
    with pytest.raises(ProgressError) as refused:
        Log(file, patience=0.05)
    with open_log(file, patience=0.05) as log:
        assert log.problem == refused.value.message
        assert log.path is None
        for language in Language:
            assert str(file) in log.problem[language]
        assert all(word in log.problem.en for word in words)
        event = log.record(answer())
        assert log.recent() == (event,)
        assert log.last_practised() == Practised("softmax-row", 1)


# When


@pytest.mark.parametrize(
    ("moment", "day"),
    [
        (datetime(2026, 3, 2, 12, tzinfo=UTC), date(2026, 3, 2)),
        (datetime(2026, 3, 2, 3, 59, 59, 999_999, tzinfo=UTC), date(2026, 3, 1)),
        (datetime(2026, 3, 2, 4, 0, tzinfo=UTC), date(2026, 3, 2)),
        (datetime(2026, 1, 1, 0, 30, tzinfo=BERLIN), date(2025, 12, 31)),
        (datetime(2026, 3, 1, 3, 0, tzinfo=SHANGHAI), date(2026, 2, 28)),
        (datetime(2024, 3, 1, 3, 0, tzinfo=SHANGHAI), date(2024, 2, 29)),
        # Spring in Berlin: at 02:00 the clock goes to 03:00, so that 04:00 is three hours after midnight.
        (datetime(2026, 3, 29, 3, 59, tzinfo=BERLIN), date(2026, 3, 28)),
        (datetime(2026, 3, 29, 4, 0, tzinfo=BERLIN), date(2026, 3, 29)),
        (datetime(2026, 3, 29, 1, 59, tzinfo=UTC).astimezone(BERLIN), date(2026, 3, 28)),
        (datetime(2026, 3, 29, 2, 0, tzinfo=UTC).astimezone(BERLIN), date(2026, 3, 29)),
        # Autumn: at 03:00 it goes back to 02:00, so that 04:00 is five hours after midnight.
        (datetime(2026, 10, 25, 2, 59, tzinfo=UTC).astimezone(BERLIN), date(2026, 10, 24)),
        (datetime(2026, 10, 25, 3, 0, tzinfo=UTC).astimezone(BERLIN), date(2026, 10, 25)),
        (datetime(2026, 11, 1, 1, 30, fold=1, tzinfo=NEW_YORK), date(2026, 10, 31)),
        (datetime(2026, 3, 2, 3, 0, tzinfo=timezone(timedelta(hours=5, minutes=45))), date(2026, 3, 1)),
    ],
)
def test_a_study_day_ends_at_four_on_the_wall_clock(moment: datetime, day: date) -> None:
    assert study_day(moment) == day
    event = stamp(answer(), moment)
    assert (event.study_day, event.at, event.offset) == (day, moment.astimezone(UTC), moment.utcoffset())


@given(st.datetimes(datetime(2000, 1, 2), datetime(2037, 1, 1)), st.sampled_from([BERLIN, SHANGHAI, NEW_YORK, UTC]))
def test_an_event_remembers_the_local_time(moment: datetime, zone: ZoneInfo) -> None:
    event = stamp(answer(), moment.replace(tzinfo=UTC).astimezone(zone))
    local = event.at.astimezone(timezone(event.offset))
    assert study_day(local) == event.study_day
    assert local.replace(tzinfo=None) == moment.replace(tzinfo=UTC).astimezone(zone).replace(tzinfo=None)


def test_a_time_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="offset"):
        stamp(answer(), datetime(2026, 3, 2, 12))


def test_the_clock_of_the_system_knows_its_zone() -> None:
    assert abs(system_clock() - datetime.now(UTC)) < timedelta(seconds=5)
    assert system_clock().utcoffset() is not None


def test_travelling_moves_no_past_answer_to_another_day(file: Path) -> None:
    moments = [
        datetime(2026, 3, 2, 23, 0, tzinfo=BERLIN),
        datetime(2026, 3, 3, 13, 0, tzinfo=SHANGHAI),
        datetime(2026, 3, 3, 23, 30, tzinfo=NEW_YORK),
    ]
    with Log(file, iter(moments).__next__) as log:
        for _ in moments:
            log.record(answer())
    assert [event.study_day.day for event in reversed(events_in(file))] == [2, 3, 3]
    assert [event.at.astimezone(timezone(event.offset)).isoformat() for event in reversed(events_in(file))] == [
        "2026-03-02T23:00:00+01:00",
        "2026-03-03T13:00:00+08:00",
        "2026-03-03T23:30:00-05:00",
    ]


# What

happenings: st.SearchStrategy[Happening] = (
    st.builds(
        DrillAnswered,
        code=st.text(),
        drill=st.text(),
        level=st.integers(1, 4),
        typed=st.lists(st.text()).map(tuple),
        outcome=st.sampled_from(Outcome),
        mistake=st.none() | st.text(),
        marks=st.integers(0, 7),
        possible=st.integers(1, 7),
        seconds=st.floats(0, 1e6),
        hints=st.integers(0, 3),
    )
    | st.builds(
        QuestionRated,
        number=st.integers(1, 40),
        rating=st.sampled_from(Rating),
        mode=st.sampled_from(Mode),
        typed=st.text(st.characters()),
        ticked=st.lists(st.integers(0, 5)).map(tuple),
        chosen=st.none() | st.integers(0, 3),
    )
    | st.builds(
        SelfChecked,
        program=st.just(PROGRAM),
        typed=st.lists(st.text(), max_size=2).map(tuple),
        outcome=st.sampled_from(Outcome),
    )
)


@given(st.lists(happenings, max_size=5))
def test_what_is_recorded_is_read_back(what: list[Happening]) -> None:
    with Log(None, Hours()) as log:
        recorded = [log.record(one) for one in what]
        read = log.recent()
    assert list(reversed(read)) == recorded
    assert [event.what for event in recorded] == what
    assert all(type(event.what) is type(one) for event, one in zip(reversed(read), what, strict=True))


def test_text_that_no_encoding_knows_is_kept(log: Log) -> None:
    """A terminal may send half a surrogate pair, or a NUL."""
    log.record(answer(typed=("\ud83d", "\x00[b]", "½ “好”")))
    [event] = log.recent()
    assert event.what == answer(typed=("\ud83d", "\x00[b]", "½ “好”"))


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("drill", "{}"),
        ("drill", "[]"),
        ("drill", "3"),
        ("drill", "{"),
        ("drill", to_text(answer()).replace('"right"', '"splendid"')),
        ("drill", to_text(answer()).replace('"marks"', '"points"')),
        ("question", to_text(QuestionRated(7, Rating.GOOD)).replace('"rating": 3', '"rating": 9')),
        ("self-check", to_text(SelfChecked(PROGRAM, ("1",), Outcome.WRONG)).replace('"calls"', '"lines"')),
        ("undo", to_text(answer())),
    ],
)
def test_what_is_no_event_is_a_value_error(kind: str, text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        from_text(kind, text)


def test_a_verdict_is_put_down_whole() -> None:
    problem = Problem("mix-row", 2, 5, "mix-row.2.a0055", same("?"), PROGRAM)
    parts = (
        PartVerdict(Outcome.RIGHT, same(""), same("1"), same("1"), typed="1.0"),
        PartVerdict(Outcome.KNOWN_MISTAKE, same(""), same("2"), same("3"), typed="2", mistake="mix.keys"),
    )
    verdict = Verdict(Outcome.KNOWN_MISTAKE, parts, same(""), problem.code)
    assert drill_answered(problem, verdict, 8.5, hints=1) == DrillAnswered(
        "mix-row.2.a0055", "mix-row", 2, ("1.0", "2"), Outcome.KNOWN_MISTAKE, "mix.keys", 1, 2, 8.5, 1
    )


# Reading


def test_the_latest_come_first_whatever_order_they_were_written_in(log: Log) -> None:
    events = [log.record(answer(level=level)) for level in (1, 2, 3)]
    earlier = stamp(answer(level=4), NOON - timedelta(days=1))
    log.append(earlier)
    assert log.recent() == (*reversed(events), earlier)
    assert log.recent(2) == (events[2], events[1])
    assert log.recent(0) == ()


def test_an_event_is_kept_once_however_often_it_is_appended(log: Log) -> None:
    event = log.record(answer())
    log.append(event)
    log.append(event)
    assert log.recent() == (event,)


def test_ids_differ(log: Log) -> None:
    assert len({log.record(answer()).id for _ in range(50)}) == 50


def test_drill_records(log: Log) -> None:
    log.record(QuestionRated(7, Rating.GOOD))
    log.record(SelfChecked(PROGRAM, ("1",), Outcome.WRONG))
    assert log.drill_records() == ()
    answers = {
        "scale-row": [Outcome.RIGHT, Outcome.RIGHT, Outcome.WRONG, Outcome.GIVEN_UP, Outcome.COARSE],
        "mix-row": [Outcome.COARSE, Outcome.UNREADABLE],
        "leak": [Outcome.RIGHT_AFTER_SLIP, Outcome.KNOWN_MISTAKE],
    }
    for drill, outcomes in answers.items():
        for outcome in outcomes:
            log.record(answer(drill, outcome=outcome))
    records = {record.drill: record for record in log.drill_records()}
    assert list(records) == ["leak", "mix-row", "scale-row"]
    assert dict(records["scale-row"].outcomes) == {
        Outcome.RIGHT: 2,
        Outcome.WRONG: 1,
        Outcome.GIVEN_UP: 1,
        Outcome.COARSE: 1,
    }
    assert {drill: (record.right, record.attempts, record.right_rate) for drill, record in records.items()} == {
        "scale-row": (2, 4, Fraction(1, 2)),
        "mix-row": (0, 0, None),
        "leak": (1, 2, Fraction(1, 2)),
    }


def test_every_outcome_is_counted_or_left_out() -> None:
    """Coarse and unreadable answers spend no attempt."""
    record = DrillRecord("x", tuple((outcome, 1) for outcome in Outcome))
    assert (record.right, record.attempts) == (2, 5)


def test_continue_with_the_last_drill(log: Log) -> None:
    assert log.last_practised() is None
    log.record(answer("mix-row", 2))
    log.record(answer("scale-row", 3, Outcome.WRONG))
    log.record(QuestionRated(7, Rating.GOOD))
    log.append(stamp(answer("leak", 1), NOON - timedelta(days=1)))
    assert log.last_practised() == Practised("scale-row", 3)


def test_events_are_never_changed(log: Log, file: Path) -> None:
    log.record(answer())
    with sqlite3.connect(file) as other:
        for statement in ("UPDATE event SET outcome = 'wrong'", "DELETE FROM event"):
            with pytest.raises(sqlite3.IntegrityError, match="only appended"):
                other.execute(statement)
    other.close()


def test_a_log_is_opened_again(file: Path) -> None:
    with Log(file, Hours()) as log:
        event = log.record(SelfChecked(PROGRAM, ("0.5",), Outcome.RIGHT))
    assert events_in(file) == (event,)
    with open_log(file) as log:
        assert log.problem is None
        assert log.path == file


# Several at once

WRITER = textwrap.dedent("""
    import sys
    from pathlib import Path
    from quizapp.events import DrillAnswered
    from quizapp.progress import Log
    from solvers.verdict import Outcome

    file, level, count = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    sys.stdin.readline()  # all start at once
    with Log(file) as log:
        for number in range(count):
            what = DrillAnswered("x", "softmax-row", level, (str(number),), Outcome.RIGHT, None, 1, 1, 1.0)
            print(log.record(what).id, flush=True)
""")


def writer(file: Path, level: int, count: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WRITER, str(file), str(level), str(count)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def test_processes_that_make_the_file_and_write_at_once_lose_nothing(file: Path) -> None:
    writers = [writer(file, level, 60) for level in (1, 2, 3)]
    for process in writers:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    written = [line for process in writers for line in process.communicate(timeout=60)[0].split()]
    assert [process.returncode for process in writers] == [0, 0, 0]
    assert len(written) == 180
    assert sorted(written) == sorted(event.id for event in events_in(file))


@pytest.mark.parametrize("shown", [1, 7, 40])
def test_a_killed_process_takes_no_answer_back(file: Path, shown: int) -> None:
    """Killed at once, without a chance to tidy up, right after the verdict of an answer could be shown."""
    process = writer(file, 1, 100_000)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("\n")
    process.stdin.flush()
    seen = [process.stdout.readline().strip() for _ in range(shown)]
    process.kill()
    seen += process.communicate(timeout=60)[0].split()
    assert len(seen) >= shown
    assert set(seen) <= {event.id for event in events_in(file)}


def test_threads_take_turns(log: Log) -> None:
    def write() -> None:
        for _ in range(25):
            log.record(answer())
            log.recent(1)
            log.drill_records()

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(log.recent(1000)) == 100


def held_by_another(file: Path) -> sqlite3.Connection:
    other = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    return other


def test_a_lock_that_is_held_too_long_is_told_and_nothing_is_lost(file: Path) -> None:
    with Log(file, Hours(), patience=0.2) as log:
        first = log.record(answer(level=1))
        other = held_by_another(file)
        start = time.perf_counter()
        with pytest.raises(ProgressError) as refused:
            log.record(answer(level=2))
        assert 0.15 < time.perf_counter() - start < 9
        for language in Language:
            assert str(file) in refused.value.message[language]
        assert log.recent() == (first,)
        other.execute("ROLLBACK")
        other.close()
        missed = refused.value.event
        assert missed is not None
        assert missed.what == answer(level=2)
        later = log.record(answer(level=3))
        log.append(missed)
        assert log.recent() == (later, missed, first)


def test_a_lock_that_is_let_go_in_time_is_waited_for(file: Path) -> None:
    with Log(file, Hours(), patience=10) as log:
        other = held_by_another(file)
        threading.Timer(0.3, lambda: other.execute("COMMIT")).start()
        start = time.perf_counter()
        event = log.record(answer())
        assert 0.2 < time.perf_counter() - start < 5
        assert log.recent() == (event,)
        other.close()


def test_a_log_opens_while_another_one_is_writing(file: Path) -> None:
    Log(file).close()
    other = held_by_another(file)
    start = time.perf_counter()
    with open_log(file) as log:
        assert log.problem is None
        assert time.perf_counter() - start < 5, "it waited for the other"
        other.execute("ROLLBACK")
        other.close()
        log.record(answer())


# Files that can't be used


def changed_by(file: Path, *statements: str) -> None:
    with Log(file, Hours()) as log:
        log._connection.execute("PRAGMA synchronous = OFF")  # the test need not wait for the disk
        for _ in range(200):
            log.record(answer())
    other = sqlite3.connect(file, isolation_level=None)
    for statement in statements:
        other.execute(statement)
    other.close()


def test_a_newer_file_is_not_written_to(file: Path) -> None:
    changed_by(file, "ALTER TABLE event ADD COLUMN mood TEXT", f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    before = file.read_bytes()
    assert_stands_in(file, "newer release")
    assert file.read_bytes() == before
    assert [found.name for found in file.parent.iterdir()] == [file.name]


def test_a_newer_file_in_use_is_seen_to_be_newer(file: Path) -> None:
    """What the newer release has written may still stand in the write-ahead log beside the file."""
    changed_by(file)
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("PRAGMA journal_mode = WAL")
    other.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    assert_stands_in(file, "newer release")
    assert other.execute("SELECT count(*) FROM event").fetchone() == (200,)
    other.close()


@pytest.mark.parametrize(
    "left", [lambda size: 1, lambda size: 60, lambda size: 4096, lambda size: size // 2, lambda size: size - 1], ids=range(5)
)
def test_a_truncated_file_is_kept(file: Path, left: Callable[[int], int]) -> None:
    changed_by(file)
    whole = file.read_bytes()
    assert len(whole) > 40_000
    file.write_bytes(whole[: left(len(whole))])
    assert_stands_in(file, "damaged", "quizapp doctor --mend")
    assert file.read_bytes() == whole[: left(len(whole))]


@pytest.mark.parametrize(
    "content", [b"not a database, but longer than a hundred bytes" * 9, b"\x00" * 8192, b"x"], ids=range(3)
)
def test_another_kind_of_file_is_kept(file: Path, content: bytes) -> None:
    file.parent.mkdir()
    file.write_bytes(content)
    assert_stands_in(file, "damaged", "quizapp doctor --mend")
    assert file.read_bytes() == content


@pytest.mark.parametrize(
    "statements", [["CREATE TABLE notes (text)"], ["PRAGMA user_version = 1"], ["PRAGMA application_id = 5"]], ids=str
)
def test_the_database_of_another_program_is_kept(file: Path, statements: list[str]) -> None:
    file.parent.mkdir()
    other = sqlite3.connect(file)
    for statement in statements:
        other.execute(statement)
    other.close()
    before = file.read_bytes()
    assert_stands_in(file, "not a progress file")
    assert file.read_bytes() == before


def test_an_empty_file_is_a_new_one(file: Path) -> None:
    """A process killed while it makes the file leaves this; there is nothing in it to lose."""
    file.parent.mkdir()
    file.touch()
    with open_log(file) as log:
        assert log.problem is None
        log.record(answer())
    assert len(events_in(file)) == 1


def test_damage_found_later_is_told(file: Path) -> None:
    changed_by(file)
    content = bytearray(file.read_bytes())
    content[8192:-4096] = os.urandom(len(content) - 12_288)
    file.write_bytes(content)
    with Log(file) as log:
        for read in (log.recent, log.drill_records, lambda: log.recent(1000)):
            with pytest.raises(ProgressError, match="damaged"):
                read()
    assert file.read_bytes() == bytes(content)


def test_an_event_that_can_not_be_understood_is_told(file: Path) -> None:
    changed_by(
        file, "INSERT INTO event (id, at, offset_seconds, study_day, kind, what) VALUES ('x', '2999', 0, '', 'drill', '{}')"
    )
    with Log(file) as log, pytest.raises(ProgressError, match="damaged"):
        log.recent()


def test_a_full_disk_is_told_and_nothing_is_lost(file: Path) -> None:
    with Log(file, Hours()) as log:
        first = log.record(answer())
        [pages] = log._connection.execute("PRAGMA page_count").fetchone()
        log._connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(ProgressError, match="disk is full") as refused:
            log.record(answer(typed=("x" * 50_000,)))
        assert log.recent() == (first,)
        log._connection.execute("PRAGMA max_page_count = 100000")
        assert refused.value.event is not None
        log.append(refused.value.event)
        assert len(log.recent()) == 2


def test_a_folder_that_can_not_be_made(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file where the folder should be")
    assert_stands_in(tmp_path / "data" / "progress.db", "can't write", "QUIZAPP_HOME")


def test_a_folder_in_the_place_of_the_file(file: Path) -> None:
    file.mkdir(parents=True)
    assert_stands_in(file, "can't write")


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="permissions don't bind the administrator")
@pytest.mark.parametrize("exists", [True, False])
def test_a_read_only_folder(file: Path, exists: bool) -> None:
    if exists:
        changed_by(file)
        file.chmod(0o400)
    else:
        file.parent.mkdir()
    file.parent.chmod(0o500)
    try:
        assert_stands_in(file, "can't write")
    finally:
        file.parent.chmod(0o700)


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="permissions don't bind the administrator")
def test_a_read_only_file_in_a_folder_that_is_not(file: Path) -> None:
    changed_by(file)
    file.chmod(0o400)
    assert_stands_in(file, "can't write")
    assert examine(file).condition is Condition.READ_ONLY


def test_a_file_that_turns_read_only_is_told(file: Path) -> None:
    with Log(file, Hours()) as log:
        log.record(answer())
        log._connection.execute("PRAGMA query_only = ON")
        with pytest.raises(ProgressError, match="can't write") as refused:
            log.record(answer())
        assert refused.value.event is not None


def test_a_closed_log_is_a_fault_of_the_program(file: Path) -> None:
    log = Log(file)
    log.close()
    with pytest.raises(sqlite3.ProgrammingError):
        log.record(answer())
