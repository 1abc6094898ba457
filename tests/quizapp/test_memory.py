"""What follows from the log: memory, ratings and undoing; always the same as when it is made anew from the log alone."""

from __future__ import annotations

import random
import sqlite3
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from question_bank.program import Program
from quizapp import progress_derived
from quizapp.events import (
    DrillAnswered,
    Event,
    Happening,
    InterviewHeld,
    Item,
    QuestionRated,
    Rating,
    Reviewed,
    SelfChecked,
    Undone,
    from_text,
    item_of,
    stamp,
    to_text,
)
from quizapp.planning import CourseItem, Wishes, plan_today
from quizapp.progress import SCHEMA_VERSION, Log, Practised, open_log
from quizapp.progress_errors import ProgressError
from quizapp.scheduling import Memory, Review, levels_of, remember, suggested
from solvers.verdict import Outcome

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
DRILL = Item("softmax-row")
Q7 = Item("Q7")


def answer(level: int = 1, outcome: Outcome = Outcome.RIGHT, drill: str = DRILL, seconds: float = 9.0) -> DrillAnswered:
    mistake = "softmax.over-queries" if outcome is Outcome.KNOWN_MISTAKE else None
    return DrillAnswered(f"{drill}.{level}.a", drill, level, ("1",), outcome, mistake, int(outcome.earns_the_mark), 1, seconds)


class Days:
    """A clock that goes on by a day whenever it is told to."""

    def __init__(self, start: datetime = NOON) -> None:
        self.now = start

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now

    def sleep(self, days: int = 1) -> None:
        self.now += timedelta(days=days)


@pytest.fixture
def clock() -> Days:
    return Days()


@pytest.fixture
def log(tmp_path: Path, clock: Days) -> Iterator[Log]:
    with Log(tmp_path / "progress.db", clock) as opened:
        yield opened


TABLES = ("answer", "review", "undone", "memory", "derived")


def derived(log: Log) -> dict[str, list[Any]]:
    """Everything that is derived, whatever order it was written in."""
    log.memories()  # brings it up to the log
    return {table: sorted(log._connection.execute(f"SELECT * FROM {table}"), key=repr) for table in TABLES}


def assert_as_made_anew(log: Log) -> None:
    before = derived(log)
    log.rebuild()
    assert derived(log) == before


# Ratings


def test_an_answer_counts_with_the_suggested_rating_until_it_is_rated(log: Log, clock: Days) -> None:
    event = log.record(answer(seconds=9))
    first = log.memory(DRILL)
    assert first is not None
    assert first == remember(DRILL, None, Review(date(2026, 3, 2), Rating.EASY, level=1), levels_of(DRILL))
    shown = {choice.rating: choice.due for choice in log.choices_after(event.id)}
    clock.sleep()  # rated on the next day: the day of the answer is what counts
    for rating in (Rating.AGAIN, Rating.GOOD, Rating.HARD):
        rated = log.rate(event.id, rating)
        assert rated is not None
        assert rated.what == Reviewed(DRILL, rating, shown[rating], event.id)
        memory = log.memory(DRILL)
        assert memory is not None
        assert (memory.due, memory.answers, memory.card.day) == (shown[rating], 1, date(2026, 3, 2))
        assert_as_made_anew(log)


@pytest.mark.parametrize("interview", [None, date(2026, 3, 6), date(2026, 3, 4), date(2026, 4, 30)])
def test_the_date_shown_before_is_the_date_kept(log: Log, clock: Days, interview: date | None) -> None:
    """For drills, which are answered and then rated; and for questions, which are rated with the answer."""
    for days in (2, 7, 11):
        for choice in log.choices_after(log.record(answer()).id, interview):
            event = log.last_answer()
            assert event is not None
            log.rate(event.id, choice.rating, interview)
            memory = log.memory(DRILL)
            assert memory is not None
            assert (memory.due, memory.later) == (choice.due, choice.later)
        picked = log.choices(Q7, interview)[2]
        rated = log.record(QuestionRated(7, picked.rating))
        log.record(picked.reviewed(Q7, rated.id))
        memory = log.memory(Q7)
        assert memory is not None
        assert memory.due == picked.due
        assert_as_made_anew(log)
        clock.sleep(days)


def test_an_earlier_answer_is_rated_anew(log: Log, clock: Days) -> None:
    first = log.record(answer())
    clock.sleep()
    log.record(answer())
    before = log.choices_after(first.id)
    assert log.rate(first.id, Rating.AGAIN) is not None
    assert log.choices_after(first.id) == before
    memory = log.memory(DRILL)
    assert memory is not None
    assert memory.level == 1  # the two are no longer two good ones in a row
    assert_as_made_anew(log)


def test_what_was_never_answered_can_not_be_rated(log: Log) -> None:
    assert log.rate("0" * 32, Rating.GOOD) is None
    assert log.choices_after("0" * 32) == ()
    assert log.memory(DRILL) is None
    assert log.last_answer() is None
    assert log.recent() == ()


# Undoing


def test_undoing_restores_everything(log: Log, clock: Days) -> None:
    log.record(answer())
    log.record(QuestionRated(7, Rating.GOOD))
    clock.sleep(3)
    state, records = log.memories(), log.drill_records()
    tables = derived(log)
    event = log.record(answer(outcome=Outcome.KNOWN_MISTAKE, drill="scale-row"))
    again = log.record(answer())
    log.rate(again.id, Rating.GOOD)
    assert log.memories() != state
    memory = log.memory(DRILL)
    assert memory is not None
    assert memory.level == 2
    log.undo(again.id)
    assert log.last_practised() == Practised("scale-row", 1)
    log.undo(event.id)
    assert (log.memories(), log.drill_records()) == (state, records)
    assert log.last_practised() == Practised(DRILL, 1)
    assert {name: derived(log)[name] for name in ("answer", "memory")} == {name: tables[name] for name in ("answer", "memory")}
    assert len(log.recent()) == 7  # the log itself forgets nothing
    assert_as_made_anew(log)


def test_undoing_a_rating_alone_returns_to_the_one_before(log: Log) -> None:
    event = log.record(answer())
    known = log.memory(DRILL)
    ratings = [log.rate(event.id, rating) for rating in (Rating.AGAIN, Rating.HARD)]
    for rated, rating in zip(ratings[::-1], ("AGAIN", None), strict=True):
        assert rated is not None
        log.undo(rated.id)
        [(kept,)] = log.query("SELECT rating FROM answer")
        assert kept == (Rating[rating] if rating else suggested(answer()))
    assert log.memory(DRILL) == known
    assert_as_made_anew(log)


def test_an_undoing_can_be_undone(log: Log) -> None:
    event = log.record(answer())
    known = log.memories()
    first = log.undo(event.id)
    assert (log.memories(), log.drill_records()) == ((), ())
    second = log.undo(first.id)
    assert log.memories() == known
    log.undo(second.id)
    assert log.memories() == ()
    assert_as_made_anew(log)


def test_undoing_what_is_unknown_or_no_answer_changes_nothing_else(log: Log) -> None:
    log.record(answer())
    checked = log.record(SelfChecked(Program((), (), ()), ("1",), Outcome.RIGHT))
    known = log.memories()
    log.undo("f" * 32, checked.id)
    log.undo()
    assert log.memories() == known
    assert_as_made_anew(log)


# Any history


ids = [f"{number:032x}" for number in range(12)]

histories = st.lists(
    st.one_of(
        st.tuples(
            st.just("drill"), st.sampled_from(("softmax-row", "scale-row")), st.sampled_from((1, 2)), st.sampled_from(Outcome)
        ),
        st.tuples(st.just("question"), st.integers(7, 8), st.sampled_from(Rating)),
        st.tuples(st.just("review"), st.integers(0, 11), st.sampled_from(Rating), st.integers(0, 20)),
        st.tuples(st.just("undo"), st.lists(st.integers(0, 11), max_size=2)),
    ),
    min_size=1,
    max_size=12,
)


def events_of(history: Sequence[tuple[Any, ...]]) -> list[Event]:
    """Make events half a day apart, with ids by their place; a review or an undoing may name any of them, even later ones."""
    made = []
    items: list[Item | None] = [
        Item(each[1]) if each[0] == "drill" else Item(f"Q{each[1]}") if each[0] == "question" else None for each in history
    ]
    for place, each in enumerate(history):
        now = NOON + timedelta(hours=12 * place)
        what: Happening
        if each[0] == "drill":
            what = answer(each[2], each[3], each[1])
        elif each[0] == "question":
            what = QuestionRated(each[1], each[2])
        elif each[0] == "review":
            item = items[each[1]] if each[1] < len(items) else None
            due, later = (now.date() + timedelta(days=each[3] + more) for more in (0, 9))
            what = Reviewed(item or Q7, each[2], due, ids[each[1]], later if each[3] % 2 else None)
        else:
            what = Undone(tuple(ids[number] for number in each[1] if number != place))
        made.append(Event(ids[place], now, timedelta(0), stamp(what, now).study_day, what))
    return made


def counting(events: Sequence[Event]) -> set[str]:
    """Return the ids of the events that count, straight from the definition; None of these histories undoes in circles."""
    undoings = {event.id: event.what.events for event in events if isinstance(event.what, Undone)}

    def counts(id: str) -> bool:
        return not any(id in names and counts(by) for by, names in undoings.items())

    return {event.id for event in events if counts(event.id)}


def has_circle(events: Sequence[Event]) -> bool:
    undoings = {event.id: event.what.events for event in events if isinstance(event.what, Undone)}

    def walk(id: str, path: tuple[str, ...]) -> bool:
        return id in path or any(walk(name, (*path, id)) for name in undoings.get(id, ()))

    return any(walk(id, ()) for id in undoings)


def naive(events: Sequence[Event]) -> dict[Item, Memory]:
    """Fold the log from the definition: a second route to what the tables hold."""
    valid = counting(events)
    rated: dict[str, Reviewed] = {}
    for event in events:
        if isinstance(event.what, Reviewed) and event.id in valid:
            rated[event.what.of] = event.what
    found: dict[Item, Memory] = {}
    for event in events:
        if event.id not in valid or not isinstance(event.what, DrillAnswered | QuestionRated):
            continue
        level = None
        if isinstance(event.what, DrillAnswered):
            level = event.what.level
            if not event.what.outcome.spends_an_attempt:
                continue
        item, review = item_of(event.what), rated.get(event.id)
        what = Review(
            event.study_day,
            review.rating if review else suggested(event.what),
            review and review.due,
            level,
            review and review.later,
        )
        found[item] = remember(item, found.get(item), what, levels_of(item))
    return found


@settings(max_examples=60)
@given(histories, st.randoms(use_true_random=False))
def test_any_history_gives_what_the_definition_says(history: list[tuple[Any, ...]], chance: Any) -> None:
    events = events_of(history)
    if has_circle(events):
        return
    with Log(None) as one, Log(None) as other:
        for event in events:
            one.append(event)
        assert {memory.item: memory for memory in one.memories()} == naive(events)
        assert_as_made_anew(one)
        shuffled = chance.sample(events, len(events))
        half = len(events) // 2
        assert other.merge(shuffled[:half]) == half
        for event in shuffled[half:]:
            other.append(event)
        assert other.merge(events) == 0
        assert {memory.item: memory for memory in other.memories()} == naive(events)
        assert other.drill_records() == one.drill_records()
        assert_as_made_anew(other)


def test_undoings_in_a_circle_end(log: Log) -> None:
    """No program writes them, but a file may hold them."""
    kept = Event("a" * 32, NOON, timedelta(0), NOON.date(), answer())
    circle = [
        Event("b" * 32, NOON, timedelta(0), NOON.date(), Undone(("c" * 32, "a" * 32))),
        Event("c" * 32, NOON, timedelta(0), NOON.date(), Undone(("b" * 32,))),
        Event("d" * 32, NOON, timedelta(0), NOON.date(), Undone(("d" * 32,))),
    ]
    log.merge([kept, *circle])
    assert_as_made_anew(log)


# What is derived looks after itself


def test_nothing_is_folded_again_that_is_known(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    """What keeps home and Today fast with 100,000 answers."""
    log.merge([stamp(answer(1 + number % 2), NOON - timedelta(hours=number)) for number in range(100)])
    log.merge([stamp(QuestionRated(7, Rating.GOOD), NOON - timedelta(hours=number)) for number in range(50)])
    folded = []

    def counting_remember(item: Item, *rest: Any) -> Memory:
        folded.append(item)
        return remember(item, *rest)

    monkeypatch.setattr(progress_derived, "remember", counting_remember)
    course = [CourseItem(DRILL, "7.10"), CourseItem(Q7, "7.9")]
    plan_today(log, course, Wishes())
    log.last_practised()
    assert folded == []
    event = log.record(answer())
    log.choices_after(event.id)
    log.rate(event.id, Rating.HARD)
    assert folded == [DRILL] * 2
    log.undo(event.id)  # its item only
    assert Q7 not in folded


def test_what_an_older_release_writes_meanwhile_is_noticed(log: Log, tmp_path: Path) -> None:
    log.record(answer())
    with sqlite3.connect(tmp_path / "progress.db") as other:
        row = (NOON.isoformat(timespec="microseconds"), to_text(answer(drill="scale-row")))
        other.execute(
            "INSERT INTO event (id, at, offset_seconds, study_day, kind, what) VALUES ('x', ?, 0, '2026-03-02', 'drill', ?)",
            row,
        )
    other.close()
    assert [memory.item for memory in log.memories()] == ["scale-row", DRILL]
    assert_as_made_anew(log)


def test_other_rules_make_everything_anew(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    log.record(answer())
    known = log.memories()
    log._connection.execute("UPDATE memory SET known = '[]'")
    with pytest.raises(ProgressError):
        log.memories()
    monkeypatch.setattr(progress_derived, "stamp", lambda: "other rules")
    assert log.memories() == known


def test_what_can_not_be_understood_counts_for_nothing(log: Log) -> None:
    columns = "id, at, offset_seconds, study_day, kind, what"
    rows = [
        ("a", "2026-03-02", 0, "2026-03-02", "drill", "{}"),
        ("b", "2026-03-02", 0, "", "question", to_text(QuestionRated(7, Rating.GOOD))),
        ("c", "2026-03-02", 0, "9999-12-31", "question", to_text(QuestionRated(7, Rating.GOOD))),
        ("d", "2026-03-02", 0, "2026-03-02", "mood", "{}"),
        ("e", "2026-03-02", 0, "2026-03-02", "undo", "[]"),
    ]
    log._connection.executemany(f"INSERT INTO event ({columns}) VALUES (?, ?, ?, ?, ?, ?)", rows)
    log.record(answer())
    assert [memory.item for memory in log.memories()] == [DRILL]
    assert_as_made_anew(log)


def test_an_answer_is_kept_where_what_is_derived_can_not_be(log: Log) -> None:
    log.record(answer(drill="scale-row"))
    log._connection.execute("DROP TABLE memory")
    event = log.record(answer())
    assert log.recent(1) == (event,)
    with pytest.raises(ProgressError, match="damaged"):
        log.memories()
    log.rebuild()
    assert {memory.item for memory in log.memories()} == {"scale-row", DRILL}


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("review", '{"item": 7, "rating": 3, "due": "2026-03-02", "of": "x"}'),
        ("review", '{"item": "Q7", "rating": 5, "due": "2026-03-02", "of": "x"}'),
        ("review", '{"item": "Q7", "rating": 3, "due": "yesterday", "of": "x"}'),
        ("undo", '{"events": "x"}'),
        ("undo", '{"events": [7]}'),
        ("interview", '{"started": "2026-03-02T12:00:00", "minutes": 30, "report": "{}"}'),
        ("drill", to_text(answer()).replace("9.0", "NaN")),
        ("drill", to_text(answer()).replace("9.0", '"nine"')),
        ("drill", to_text(answer()).replace('"level": 1', '"level": 36893488147419103232')),
        ("question", to_text(QuestionRated(7, Rating.GOOD)).replace("[]", '["x"]')),
    ],
)
def test_what_no_table_could_hold_is_no_event(kind: str, text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        from_text(kind, text)


@pytest.mark.parametrize(
    "what",
    [
        Reviewed(Q7, Rating.HARD, date(2026, 3, 9), "a" * 32),
        Reviewed(Q7, Rating.HARD, date(2026, 3, 9), "a" * 32, date(2026, 4, 1)),
        Undone(("a" * 32, "b" * 32)),
        Undone(()),
        InterviewHeld(NOON, 45, '{"covered": "\ud83d √d_k"}'),
        QuestionRated(7, Rating.GOOD, seconds=30.5),
    ],
)
def test_what_is_recorded_is_read_back(log: Log, what: Happening) -> None:
    event = log.record(what)
    assert log.recent() == tuple(log.events()) == (event,)
    assert event.what == what


def test_interviews_are_listed_and_count_nowhere(log: Log) -> None:
    first, second = InterviewHeld(NOON, 15, "{}"), InterviewHeld(NOON + timedelta(hours=1), 30, '{"a": 1}')
    log.record(first)
    taken_back = log.record(second)
    assert log.interviews() == (second, first)
    assert (log.memories(), log.drill_records(), log.last_practised(), log.last_answer()) == ((), (), None, None)
    log.undo(taken_back.id)
    assert log.interviews() == (first,)


def test_events_are_all_yielded(log: Log) -> None:
    made = [log.record(answer()) for _ in range(5)]
    assert list(log.events()) == made
    with Log(None) as big:
        many = [stamp(answer(), NOON + timedelta(minutes=number)) for number in range(2500)]
        assert big.merge(many) == 2500
        assert list(big.events()) == many


def test_merging_is_all_or_nothing(log: Log) -> None:
    made = [stamp(answer(), NOON) for _ in range(3)]
    log._connection.execute(
        "CREATE TRIGGER no BEFORE INSERT ON event WHEN 1 < (SELECT count(*) FROM event) BEGIN SELECT RAISE(ABORT, 'no'); END"
    )
    with pytest.raises(ProgressError):
        log.merge(made)
    log._connection.execute("DROP TRIGGER no")
    assert log.recent() == ()
    assert log.merge(made) == 3


# Days


SHANGHAI, NEW_YORK, KIRITIMATI, MIDWAY = map(
    ZoneInfo, ("Asia/Shanghai", "America/New_York", "Pacific/Kiritimati", "Pacific/Midway")
)


@pytest.mark.parametrize(
    ("zone", "before", "after", "ends"),
    [
        (SHANGHAI, datetime(2026, 3, 3, 3, 59), datetime(2026, 3, 3, 4, 0), 4),
        (SHANGHAI, datetime(2026, 3, 2, 23, 59), datetime(2026, 3, 3, 0, 0), 0),
        (SHANGHAI, datetime(2026, 3, 3, 11, 59), datetime(2026, 3, 3, 12, 0), 12),
        # Spring in New York: 02:00 is 03:00; autumn: 01:00 to 02:00 comes twice.
        (NEW_YORK, datetime(2026, 3, 8, 3, 59), datetime(2026, 3, 8, 4, 0), 4),
        (NEW_YORK, datetime(2026, 11, 1, 1, 59, fold=1), datetime(2026, 11, 1, 2, 0), 2),
        (KIRITIMATI, datetime(2026, 3, 3, 3, 59), datetime(2026, 3, 3, 4, 0), 4),
        (MIDWAY, datetime(2026, 3, 3, 3, 59), datetime(2026, 3, 3, 4, 0), 4),
    ],
)
def test_a_session_left_open_sees_the_new_day(zone: ZoneInfo, before: datetime, after: datetime, ends: int) -> None:
    now = [before.replace(tzinfo=zone)]
    course = [CourseItem(Q7, "7.9")]
    with Log(None, lambda: now[0], day_ends=timedelta(hours=ends)) as log:
        tomorrow = log.today() + timedelta(days=1)
        event = log.record(QuestionRated(7, Rating.GOOD))
        log.record(Reviewed(Q7, Rating.GOOD, tomorrow, event.id))
        assert event.study_day == log.today()
        assert plan_today(log, course, Wishes()).due == ()
        now[0] = after.replace(tzinfo=zone)
        assert log.today() == tomorrow
        assert [due.item for due in plan_today(log, course, Wishes()).due] == [Q7]


@pytest.mark.parametrize(
    ("home", "abroad", "day"),
    [(KIRITIMATI, MIDWAY, 5), (MIDWAY, KIRITIMATI, 7), (SHANGHAI, NEW_YORK, 6), (NEW_YORK, SHANGHAI, 7)],
    ids=str,
)
def test_travelling_moves_no_review_to_another_day(home: ZoneInfo, abroad: ZoneInfo, day: int, tmp_path: Path) -> None:
    now = [datetime(2026, 3, 6, 23, tzinfo=home)]
    path = tmp_path / "progress.db"
    with Log(path, lambda: now[0]) as log:
        first = log.record(answer())
        due = [choice.due for choice in log.choices_after(first.id)]
        known = log.memories()
        now[0] = (now[0] + timedelta(hours=1)).astimezone(abroad)  # the calendar may go back or on by a day
        assert (log.memories(), [choice.due for choice in log.choices_after(first.id)]) == (known, due)
        log.record(answer())
        assert log.memories()[0].answers == 2
        days = [event.study_day for event in log.events()]
    assert days == [date(2026, 3, 6), date(2026, 3, day)]
    with Log(path, lambda: now[0].astimezone(UTC), day_ends=timedelta(hours=12)) as log:
        assert [event.study_day for event in log.events()] == days  # another end of the day moves no past one either
        assert_as_made_anew(log)


# An older file

VERSION_1 = textwrap.dedent("""
    CREATE TABLE event (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        at TEXT NOT NULL,
        offset_seconds INTEGER NOT NULL,
        study_day TEXT NOT NULL,
        kind TEXT NOT NULL,
        drill TEXT,
        level INTEGER,
        outcome TEXT,
        what TEXT NOT NULL
    );
    CREATE INDEX event_by_time ON event (at, number);
    CREATE INDEX event_by_drill ON event (drill, outcome) WHERE drill IS NOT NULL;
    CREATE TRIGGER event_is_never_changed BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'events are only appended'); END;
    CREATE TRIGGER event_is_never_deleted BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'events are only appended'); END;
    PRAGMA application_id = 1903520112;
    PRAGMA user_version = 1;
    PRAGMA journal_mode = WAL;
""")
COLUMNS_1 = "id, at, offset_seconds, study_day, kind, drill, level, outcome, what"
INSERT_1 = f"INSERT INTO event ({COLUMNS_1}) VALUES (?, ?, 0, ?, ?, ?, ?, ?, ?)"
DRILL_1 = (
    '{"code": "softmax-row.1.a0009", "drill": "softmax-row", "level": 1, "typed": ["0.7"], "outcome": "right", "mistake": null,'
    ' "marks": 1, "possible": 1, "seconds": 12.5, "hints": 0}'
)
QUESTION_1 = '{"number": 7, "rating": 3, "mode": "free", "typed": "ab", "ticked": [0, 2], "chosen": null, "found": [0]}'
ROWS_1 = [
    ("a" * 32, "2026-03-02T12:00:00.000000+00:00", "2026-03-02", "drill", "softmax-row", 1, "right", DRILL_1),
    ("b" * 32, "2026-03-02T12:05:00.000000+00:00", "2026-03-02", "question", None, None, None, QUESTION_1),
]


def version_1(path: Path) -> sqlite3.Connection:
    """Make a file as the first release did."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.executescript(VERSION_1)
    connection.executemany(INSERT_1, ROWS_1)
    return connection


def version_of(path: Path) -> int:
    connection = sqlite3.connect(path)
    [version] = connection.execute("PRAGMA user_version").fetchone()
    assert connection.execute("SELECT count(*) FROM event").fetchone() == (2,)
    connection.close()
    return int(version)


def test_an_older_file_is_brought_up_to_date_after_a_copy(tmp_path: Path) -> None:
    path = tmp_path / "progress.db"
    version_1(path).close()
    with open_log(path, Days()) as log:
        assert log.problem is None
        assert [event.what for event in log.recent()] == [
            QuestionRated(7, Rating.GOOD, typed="ab", ticked=(0, 2), found=(0,)),
            DrillAnswered("softmax-row.1.a0009", "softmax-row", 1, ("0.7",), Outcome.RIGHT, None, 1, 1, 12.5),
        ]
        assert {memory.item: memory.due for memory in log.memories()} == {Q7: date(2026, 3, 4), DRILL: date(2026, 3, 10)}
        log.record(answer())
        assert_as_made_anew(log)
    assert version_of(tmp_path / "progress.db.v1-backup") == 1
    with Log(path):  # once is enough
        pass
    assert sorted(found.name for found in tmp_path.iterdir()) == ["progress.db", "progress.db.v1-backup"]
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)
    connection.close()


def test_the_copy_holds_what_only_the_write_ahead_log_holds(tmp_path: Path) -> None:
    path = tmp_path / "progress.db"
    old = version_1(path)  # still open: nothing was written back
    with Log(path) as log:
        assert len(log.memories()) == 2
        # The older release goes on writing; what it writes counts.
        old.execute(INSERT_1, ("c" * 32, *ROWS_1[1][1:]))
        [memory] = [memory for memory in log.memories() if memory.item == Q7]
        assert memory.answers == 2
    old.close()
    assert version_of(tmp_path / "progress.db.v1-backup") == 1


def test_no_copy_no_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "progress.db"
    version_1(path).close()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("quizapp.progress_schema.os.fsync", full)
    with open_log(path, Days()) as log:
        assert log.problem is not None
        assert str(path) in log.problem.en
        assert "the disk is full" in log.problem.en
    assert version_of(path) == 1
    assert [found.name for found in tmp_path.iterdir()] == ["progress.db"]


def test_an_earlier_copy_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "progress.db"
    (tmp_path / "progress.db.v1-backup").write_text("mine")
    version_1(path).close()
    Log(path).close()
    assert (tmp_path / "progress.db.v1-backup").read_text() == "mine"
    assert version_of(tmp_path / "progress.db.v1-backup-2") == 1


# Several at once

WRITER = textwrap.dedent("""
    import sys
    from pathlib import Path
    from quizapp.events import DrillAnswered, QuestionRated, Rating
    from quizapp.progress import Log
    from solvers.verdict import Outcome

    file, count = Path(sys.argv[1]), int(sys.argv[2])
    sys.stdin.readline()  # all start at once
    with Log(file, patience=30) as log:
        for number in range(count):
            what = DrillAnswered("x", "softmax-row", 1, (str(number),), Outcome.RIGHT, None, 1, 1, 1.0)
            event = log.record(what)
            print(event.id, flush=True)
            log.rate(event.id, Rating(number % 4 + 1))
            if number % 5 == 4:
                log.undo(event.id)
            log.record(QuestionRated(7, Rating.GOOD))
""")


def writer(file: Path, count: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WRITER, str(file), str(count)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()
    return process


@pytest.mark.parametrize("make", [lambda path: None, lambda path: version_1(path).close()], ids=["new", "older"])
def test_two_that_write_at_once_lose_nothing_and_agree(tmp_path: Path, make: Callable[[Path], None]) -> None:
    path = tmp_path / "progress.db"
    make(path)
    older = 2 if path.exists() else 0
    writers = [writer(path, 20) for _ in range(2)]
    written = [line for process in writers for line in process.communicate(timeout=60)[0].split()]
    assert [process.returncode for process in writers] == [0, 0]
    with Log(path) as log:
        events = list(log.events())
        assert len(events) == older + 2 * (20 * 3 + 4)
        assert set(written) <= {event.id for event in events}
        known = {memory.item: memory.answers for memory in log.memories()}
        assert known == {DRILL: 32 + older // 2, Q7: 40 + older // 2}
        assert_as_made_anew(log)


@pytest.mark.long
def test_kills_at_random_moments(tmp_path: Path) -> None:
    """Two hundred, one after the other, on one file; every answer whose verdict could be shown is there at the end."""
    path, seen = tmp_path / "progress.db", set()
    chance = random.Random(3)
    for _ in range(200):
        process = writer(path, 100_000)
        assert process.stdout is not None
        seen.add(process.stdout.readline().strip())
        time.sleep(chance.uniform(0, 0.2))
        process.kill()
        seen |= set(process.communicate(timeout=60)[0].split())
    with Log(path) as log:
        assert seen <= {event.id for event in log.events()}
        assert_as_made_anew(log)


@pytest.mark.parametrize("shown", [1, 9, 23])
def test_a_kill_leaves_what_is_derived_as_the_log_says(tmp_path: Path, shown: int) -> None:
    path = tmp_path / "progress.db"
    process = writer(path, 100_000)
    assert process.stdout is not None
    seen = [process.stdout.readline().strip() for _ in range(shown)]
    process.kill()
    seen += process.communicate(timeout=60)[0].split()
    with Log(path) as log:
        assert set(seen) <= {event.id for event in log.events()}
        assert (
            log._connection.execute("SELECT upto FROM derived").fetchone()
            == log._connection.execute("SELECT max(number) FROM event").fetchone()
        )
        assert_as_made_anew(log)
