from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from quizapp.events import Item, QuestionRated, Rating, Reviewed, Undone
from quizapp.keeper import Keeper
from quizapp.progress import Log, open_log


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
    assert keeper.at_stake() is not None
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
