from __future__ import annotations

import asyncio
import shutil
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from question_bank.text import Text
from quizapp import keeper as keeping
from quizapp.events import Item, QuestionRated, Rating, Reviewed, Undone
from quizapp.keeper import Keeper
from quizapp.progress import Log, open_log
from quizapp.waiting import WaitingFile


async def test_nothing_kept_while_the_log_is_locked_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "progress.db"
    keeper = Keeper(path)
    assert await keeper.open() is None
    log = keeper._log
    assert log is not None
    log._connection.execute("PRAGMA busy_timeout = 0")
    other = Log(path, patience=0)
    other._connection.execute("BEGIN IMMEDIATE")
    said = [await keeper.keep(QuestionRated(number, Rating.GOOD)) for number in (1, 2, 3)]
    assert all(message is not None for message in said)
    assert keeper.at_stake() is None  # they are in a file beside the log
    other._connection.execute("ROLLBACK")
    other.close()
    assert await keeper.keep(QuestionRated(4, Rating.GOOD)) is None
    assert keeper.at_stake() is None
    await keeper.close()
    log = open_log(path)
    kept = [event.what for event in log.recent(10)]
    log.close()
    assert sorted(what.number for what in kept if isinstance(what, QuestionRated)) == [1, 2, 3, 4]


async def test_answers_that_only_memory_holds_are_at_stake(tmp_path: Path) -> None:
    path = tmp_path / "progress.db"
    path.write_text("no database, and long enough to be taken for something of the person's own " * 4)
    keeper = Keeper(path)
    assert await keeper.open() is not None
    assert keeper.at_stake() is None
    await keeper.keep(QuestionRated(1, Rating.GOOD))
    assert keeper.at_stake() is not None
    await keeper.close()


async def test_the_application_rates_an_answer_and_takes_it_back(tmp_path: Path) -> None:
    now = [datetime(2026, 3, 3, 5, tzinfo=UTC)]
    keeper = Keeper(tmp_path / "progress.db", lambda: now[0], timedelta(hours=6))
    assert keeper.today() == date(2026, 3, 2)
    kept = await keeper.record(QuestionRated(7, Rating.GOOD))
    assert kept.problem is None
    assert kept.event.study_day == date(2026, 3, 2)
    for choice in await keeper.ask(lambda log: log.choices_after(kept.event.id)):
        assert await keeper.keep(Reviewed(Item("Q7"), choice.rating, choice.due, kept.event.id)) is None
        [memory] = await keeper.ask(Log.memories)
        assert memory.due == choice.due
    keeper.day_ends = timedelta(hours=4)  # the settings have changed
    assert keeper.today() == date(2026, 3, 3) == await keeper.ask(Log.today)
    await keeper.keep(Undone((kept.event.id,)))
    assert await keeper.ask(Log.memories) == ()
    await keeper.close()


async def test_a_rating_waits_behind_its_answer(tmp_path: Path) -> None:
    keeper = Keeper(tmp_path / "progress.db")
    await keeper.open()
    assert keeper._log is not None
    keeper._log._connection.execute("PRAGMA busy_timeout = 0")
    other = Log(tmp_path / "progress.db", patience=0)
    other._connection.execute("BEGIN IMMEDIATE")
    kept = await keeper.record(QuestionRated(7, Rating.GOOD))
    assert kept.problem is not None
    due = date(2030, 1, 1)
    assert await keeper.keep(Reviewed(Item("Q7"), Rating.EASY, due, kept.event.id)) is not None
    other._connection.execute("ROLLBACK")
    assert other.memories() == ()
    await keeper.close()
    [memory] = other.memories()
    assert memory.due == due
    other.close()


def numbers_in(path: Path) -> list[int]:
    """Return the questions whose answers are in the log, one entry for each answer."""
    with Log(path) as log:
        return sorted(event.what.number for event in log.events() if isinstance(event.what, QuestionRated))


class Locked:
    """A log that another program has locked, and the keeper of an application that can't write to it."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "progress.db"
        self.keeper = Keeper(self.path)
        self.told: list[Text] = []
        self.keeper.tell = self.told.append
        self.other = Log(self.path, patience=0)

    async def begin(self) -> None:
        await self.keeper.open()
        assert self.keeper._log is not None
        self.keeper._log._connection.execute("PRAGMA busy_timeout = 0")
        self.other._connection.execute("BEGIN IMMEDIATE")

    def let_go(self) -> None:
        self.other._connection.execute("ROLLBACK")
        self.other.close()

    @property
    def files(self) -> list[Path]:
        return list(self.path.parent.glob("waiting*"))


@pytest.fixture
async def locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Locked:
    monkeypatch.setattr(keeping, "AGAIN_AFTER", 0.05)
    locked = Locked(tmp_path)
    await locked.begin()
    return locked


async def test_what_waits_is_written_without_another_answer(locked: Locked) -> None:
    assert await locked.keeper.keep(QuestionRated(1, Rating.GOOD)) is not None
    assert len(locked.files) == 1
    await asyncio.sleep(0.2)
    assert locked.told == []
    locked.let_go()
    for _time in range(100):
        if locked.told:
            break
        await asyncio.sleep(0.05)
    assert locked.told == [keeping.WRITTEN]
    assert numbers_in(locked.path) == [1]  # a kill from now on loses nothing
    assert locked.files == []
    await locked.keeper.close()


@pytest.mark.parametrize("lets_go", ["before the start", "after it"])
async def test_a_kill_while_the_log_is_locked_loses_nothing(locked: Locked, lets_go: str) -> None:
    await locked.keeper.keep(QuestionRated(1, Rating.GOOD))
    await locked.keeper.keep(QuestionRated(2, Rating.GOOD))
    [file] = locked.files
    killed = file.with_name("waiting-x.json")
    shutil.copy(file, killed)  # what a kill at this moment would have left
    await locked.keeper.close()
    file.unlink()
    if lets_go == "before the start":
        locked.let_go()
    again = Keeper(locked.path)
    told: list[Text] = []
    again.tell = told.append
    assert await again.open() is None
    if lets_go == "after it":
        assert again.at_stake() is None
        assert [each.name for each in locked.files] != [killed.name]  # in a file of the new process
        locked.let_go()
        await asyncio.sleep(0.2)
    assert numbers_in(locked.path) == [1, 2]
    assert told == [keeping.WRITTEN_LATE]
    assert locked.files == []
    await again.close()


async def test_what_waits_when_the_application_is_left_comes_with_the_next_start_once(locked: Locked) -> None:
    await locked.keeper.keep(QuestionRated(1, Rating.GOOD))
    await locked.keeper.close()
    assert len(locked.files) == 1
    kept = locked.files[0].read_bytes()
    locked.let_go()
    for _time in range(2):
        locked.path.with_name("waiting-x.json").write_bytes(kept)  # a kill between the log and the removing of the file
        again = Keeper(locked.path)
        await again.open()
        await again.close()
        assert numbers_in(locked.path) == [1]
        assert locked.files == []


async def test_a_file_of_what_waits_that_cannot_be_read_whole_is_kept(tmp_path: Path) -> None:
    (tmp_path / "waiting-x.json").write_text('{"ended": true, "events": [{"id": "none"}]}')
    (tmp_path / "waiting-y.json").write_text("{")
    keeper = Keeper(tmp_path / "progress.db")
    assert await keeper.open() is None
    await keeper.close()
    assert sorted(file.name for file in tmp_path.glob("waiting*")) == [
        "waiting-x.json.unreadable",
        "waiting-y.json.unreadable",
    ]
    assert numbers_in(tmp_path / "progress.db") == []


async def test_without_a_file_beside_what_waits_is_at_stake(locked: Locked) -> None:
    (locked.path.parent / f"{keeping_file(locked)}").mkdir()  # nothing can be written there
    await locked.keeper.keep(QuestionRated(1, Rating.GOOD))
    assert locked.keeper.at_stake() is not None
    locked.let_go()
    await locked.keeper.close()
    assert numbers_in(locked.path) == [1]


def keeping_file(locked: Locked) -> str:
    return WaitingFile(locked.path.parent).path.name
