from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from question_bank.system_errors import why
from question_bank.text import Language
from quizapp.events import DrillAnswered, Item, Mode, QuestionRated, Rating
from quizapp.paths import Paths
from quizapp.planning import CourseItem, Due, Today, Wishes, plan_today
from quizapp.progress import Log
from quizapp.sitting import Sitting, Spot, begin, caught_up, clear, load, save
from solvers.verdict import Outcome

DAY = date(2026, 3, 2)
NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
Q7, SOFTMAX, MIX = Item("Q7"), Item("softmax-row"), Item("mix-row")
TODAY = Today(DAY, (Due(Q7, DAY, None),), (SOFTMAX, MIX), 0, 5)
CODE = "softmax-row.1.a0009"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return Paths(tmp_path / "data", tmp_path).sitting


def spot_of(sitting: Sitting) -> Spot:
    assert sitting.spot is not None
    return sitting.spot


spots = st.builds(
    Spot,
    item=st.text(min_size=1).map(Item),
    since=st.datetimes(timezones=st.just(UTC)),
    code=st.none() | st.text(),
    mode=st.sampled_from(Mode),
    typed=st.lists(st.text(st.characters()), max_size=3).map(tuple),
    chosen=st.none() | st.integers(0, 3),
    ticked=st.lists(st.integers(0, 5), max_size=3).map(tuple),
    hints=st.integers(0, 3),
    seconds=st.floats(0, 1e6),
    answer=st.none() | st.text(),
)


@given(spots, st.lists(st.text().map(Item), max_size=3), st.lists(spots, max_size=2), st.booleans())
def test_what_is_saved_is_loaded(spot: Spot, rest: list[Item], done: list[Spot], at_an_item: bool) -> None:
    """Whatever was typed, half a surrogate pair included."""
    from tempfile import TemporaryDirectory

    sitting = Sitting(DAY, tuple(each.item for each in done))
    for each in done:
        sitting = sitting.at(each).went_on(DAY + timedelta(days=len(rest)))
    sitting = replace(sitting, queue=(spot.item, *rest), spot=spot if at_an_item else None)
    with TemporaryDirectory() as folder:
        assert save(Path(folder) / "sitting.json", sitting) is None
        assert load(Path(folder) / "sitting.json").sitting == sitting


def test_a_crash_brings_back_the_same_item_the_same_problem_and_what_was_typed(path: Path) -> None:
    assert load(path) == load(path.parent / "sitting.json")
    assert load(path).sitting is None
    sitting = begin(TODAY).shown(NOW).answered("a" * 32).went_on(DAY + timedelta(days=2))
    sitting = sitting.shown(NOW.astimezone(timezone(timedelta(hours=8))), CODE)
    save(path, sitting.at(replace(spot_of(sitting), typed=("0.7 0.",), hints=1, seconds=31.5)))
    with Log(None) as log:
        found = load(path).sitting
        assert found is not None
        found = caught_up(log, found)
    assert (found.current, found.total, len(found.done)) == (SOFTMAX, 3, 1)
    assert found.spot == Spot(SOFTMAX, NOW, CODE, typed=("0.7 0.",), hints=1, seconds=31.5)
    clear(path)
    clear(path)
    assert load(path).sitting is None


def answered(code: str = CODE) -> DrillAnswered:
    return DrillAnswered(code, "softmax-row", 1, ("0.7",), Outcome.WRONG, None, 0, 1, 9.0)


@pytest.mark.parametrize(
    ("minutes", "what", "behind"),
    [
        (1, answered(), True),
        (-1, answered(), False),  # the same problem, but before it was shown in this session
        (1, answered("softmax-row.1.a000a"), False),
        (1, QuestionRated(7, Rating.GOOD), False),
    ],
)
def test_an_answer_in_the_log_is_not_asked_for_again(minutes: int, what: DrillAnswered | QuestionRated, behind: bool) -> None:
    """Killed after the verdict, before the session was saved."""
    sitting = replace(begin(TODAY), queue=(SOFTMAX, MIX)).shown(NOW, CODE)
    with Log(None, lambda: NOW + timedelta(minutes=minutes)) as log:
        event = log.record(what)
        found = caught_up(log, sitting)
        assert spot_of(found).answer == (event.id if behind else None)
        log.undo(event.id)
        assert spot_of(caught_up(log, found)).answer is None
    assert caught_up(log, begin(TODAY)) == begin(TODAY)


def test_what_is_due_again_today_comes_again_at_the_end() -> None:
    sitting = begin(TODAY)
    assert (sitting.current, sitting.total, sitting.last_answer()) == (Q7, 3, None)
    sitting = sitting.shown(NOW, mode=Mode.CHOICE).answered("a").went_on(DAY)
    assert sitting.queue == (SOFTMAX, MIX, Q7)
    sitting = sitting.shown(NOW, CODE).answered("b").went_on(DAY + timedelta(days=1))
    assert (sitting.queue, sitting.total, sitting.last_answer()) == ((MIX, Q7), 4, "b")
    sitting = sitting.skipped()
    sitting = sitting.shown(NOW).answered("c").went_on(DAY + timedelta(days=3))
    assert (sitting.current, sitting.queue) == (None, ())
    with pytest.raises(ValueError, match="end"):
        sitting.shown(NOW)
    with pytest.raises(ValueError, match="shown"):
        sitting.went_on(DAY)


@pytest.mark.parametrize("due", [DAY, DAY + timedelta(days=4)])
def test_taking_back_restores_the_session(due: date) -> None:
    first = begin(TODAY).shown(NOW, mode=Mode.CHOICE)
    first = first.at(replace(spot_of(first), typed=("words",), chosen=2))
    behind = first.answered("a")
    assert behind.last_answer() == "a"
    assert behind.taken_back() == first
    assert behind.went_on(due).taken_back() == first
    later = behind.went_on(due).shown(NOW, CODE)  # shown, but not answered: the answer before is taken back
    assert later.last_answer() == "a"
    assert later.taken_back() == first
    assert first.taken_back() == first


def test_a_new_day_brings_a_new_plan_and_keeps_the_item_at_hand() -> None:
    tomorrow = Today(DAY + timedelta(days=1), (Due(MIX, DAY, 1), Due(SOFTMAX, DAY, 1)), (Item("Q9"),), 0, 3)
    sitting = begin(TODAY).shown(NOW).answered("a").went_on(DAY + timedelta(days=9))
    assert sitting.renewed(tomorrow) == begin(tomorrow)
    shown = sitting.shown(NOW, CODE)
    found = shown.renewed(tomorrow)
    assert (found.day, found.queue, found.spot, found.done) == (tomorrow.day, (SOFTMAX, MIX, Item("Q9")), shown.spot, ())
    assert shown.renewed(replace(tomorrow, day=DAY)).done == sitting.done  # other settings on the same day


def test_a_session_over_the_end_of_the_day() -> None:
    """Answered before, rated after: the day of the answer is what counts, and the new plan knows of it."""
    now = [datetime(2026, 3, 3, 3, 58, tzinfo=UTC)]
    course = [CourseItem(SOFTMAX, "7.10"), CourseItem(Q7, "7.9")]
    with Log(None, lambda: now[0]) as log:
        sitting = begin(plan_today(log, course, Wishes(daily=1)))
        assert (sitting.day, sitting.queue) == (DAY, (SOFTMAX,))
        sitting = sitting.shown(now[0], CODE)
        event = log.record(answered())
        now[0] += timedelta(minutes=4)
        log.rate(event.id, Rating.AGAIN)
        [memory] = log.memories()
        sitting = sitting.answered(event.id).went_on(memory.due)
        assert log.today() != sitting.day
        sitting = sitting.renewed(plan_today(log, course, Wishes(daily=1)))
        assert (sitting.day, sitting.queue) == (DAY + timedelta(days=1), (SOFTMAX, Q7))


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "[]",
        "\x00" * 500,
        "[" * 100_000,
        '{"version": 1}',
        '{"version": 2, "day": "2026-03-02", "queue": [], "spot": null, "done": []}',
        '{"version": 1, "day": "2026-03-32", "queue": [], "spot": null, "done": []}',
        '{"version": 1, "day": "2026-03-02", "queue": [], "spot": {"item": "Q7", "since": "2026-03-02T12:00:00Z"}, "done": []}',
        '{"version": 1, "day": "2026-03-02", "queue": ["Q7"], "spot": {"item": "Q7", "since": "2026-03-02T12:00"}, "done": []}',
    ],
    ids=range(10),
)
def test_a_file_that_can_not_be_read_is_kept_aside(path: Path, content: str) -> None:
    path.parent.mkdir()
    for name in ("sitting.json.unreadable", "sitting.json.unreadable-2"):
        path.write_text(content)
        found = load(path)
        assert found.sitting is None
        assert found.problem is not None
        for language in Language:
            assert str(path.with_name(name)) in found.problem[language]
        assert path.with_name(name).read_text() == content
        assert not path.exists()
    assert save(path, begin(TODAY)) is None
    assert load(path).sitting == begin(TODAY)


def test_a_session_that_can_not_be_saved_is_told_and_the_last_one_stays(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(path, begin(TODAY))

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("quizapp.settings_file.os.fsync", full)
    problem = save(path, begin(TODAY).skipped())
    assert problem is not None
    for language in Language:
        assert str(path) in problem[language]
        assert why(OSError(28, ""))[language] in problem[language]
    assert load(path).sitting == begin(TODAY)
    assert [found.name for found in path.parent.iterdir()] == ["sitting.json"]


def test_what_is_saved_is_plain_json(path: Path) -> None:
    save(path, begin(TODAY).shown(NOW, CODE))
    assert json.loads(path.read_text("ascii"))["queue"] == ["Q7", "softmax-row", "mix-row"]
