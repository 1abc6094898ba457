from __future__ import annotations

from pathlib import Path

from quizapp.events import QuestionRated, Rating
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
