"""A fault of the application: one sentence, a log, nothing typed lost. And the card of the first start."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

import pytest
from textual.pilot import Pilot

from question_bank import draw
from question_bank.text import Language
from quizapp import app as application
from quizapp import wording_start as wording
from quizapp.app import QuizApp
from quizapp.commands.exits import Exit
from quizapp.crash import MOST_LOGS, crash_logs, describe, write_log
from quizapp.drafts import drafts_of
from quizapp.paths import Paths
from quizapp.screens.drill import DrillScreen
from quizapp.screens.places import CheckPlace, DrillPlace, QuestionPlace
from quizapp.screens.sheet_answers import AnswersScreen
from quizapp.screens.today import TodayScreen
from quizapp.sheets.plan import Copy, Languages, Paper, Sheet
from quizapp.widgets.answer import AnswerField
from quizapp.widgets.welcome import Welcome
from tests.quizapp.conftest import says, type_text, until
from tests.quizapp.test_drill import open_drill

MakeApp = Callable[..., QuizApp]
NOW = datetime(2026, 11, 29, 8, 30, tzinfo=UTC)


class OwnFaultError(Exception):
    """What goes wrong in these tests."""


def fail() -> None:
    raise OwnFaultError("[bold]oh[/bold]")


async def nothing(pilot: Pilot[None]) -> None:
    pass


async def crash(app: QuizApp, prepare: Callable[[Pilot[None]], Awaitable[object]] = nothing) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await prepare(pilot)
        app.call_later(fail)
        await pilot.pause()


@pytest.mark.parametrize("language", Language)
async def test_a_fault_leaves_a_sentence_and_a_log(
    make_app: MakeApp, paths: Paths, language: Language, capsys: pytest.CaptureFixture[str]
) -> None:
    app = make_app(language)
    with pytest.raises(OwnFaultError):
        await crash(app)
    assert app.return_code == Exit.INTERNAL
    [log] = crash_logs(paths.data)
    assert "OwnFaultError: [bold]oh[/bold]" in log.read_text()
    assert "in fail" in log.read_text()
    said = capsys.readouterr().err
    flat = "".join(said.split())
    assert "".join(str(log).split()) in flat
    assert "[bold]oh[/bold]" in flat
    assert "Traceback" not in flat
    assert len(said.splitlines()) == 4


async def test_what_was_typed_is_there_again(make_app: MakeApp, paths: Paths) -> None:
    app = make_app()
    codes: list[str] = []

    async def prepare(pilot: Pilot[None]) -> None:
        drafts_of(app).answers[7] = "because of the variance"
        drafts_of(app).check.texts["Q"] = "1 0\n0 1"
        drafts_of(app).check.flags.add("causal")
        await open_drill(pilot, "softmax-row")
        await type_text(pilot, "0.25")
        assert isinstance(app.screen, DrillScreen)
        codes.append(app.screen.typed()[0])

    with pytest.raises(OwnFaultError):
        await crash(app, prepare)
    [code] = codes
    assert paths.typed.exists()
    log = crash_logs(paths.data)[0].read_text()
    assert "0.25" not in log
    assert "variance" not in log

    again = make_app()
    async with again.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: again._notifications)
        told = " ".join(notice.message for notice in again._notifications)
        assert "Q7" in told
        assert code in told
        assert drafts_of(again).answers == {7: "because of the variance"}
        assert drafts_of(again).check.texts == {"Q": "1 0\n0 1"}
        assert drafts_of(again).check.flags == {"causal"}
        await pilot.press("home", "down", "down", "enter")  # below today's session and the interview: where it stopped
        await until(pilot, lambda: isinstance(again.screen, DrillScreen) and bool(again.screen.query(AnswerField)))
        await until(pilot, lambda: again.screen.query(AnswerField).first().text == "0.25")
        assert isinstance(again.screen, DrillScreen)
        assert again.screen.typed() == (code, ("0.25",))
    assert not paths.typed.exists()


async def test_the_answers_to_a_sheet_are_there_again(make_app: MakeApp) -> None:
    copy = Copy("", (draw("scale-row", 2, "s"), draw("softmax-row", 2, "s")))
    sheet = Sheet("A", Languages.EN, Paper.A4, "s", (copy,))

    def at(pilot: Pilot[None]) -> AnswersScreen:
        screen = AnswersScreen(sheet, copy)
        pilot.app.push_screen(screen)
        return screen

    async def prepare(pilot: Pilot[None]) -> None:
        screen = at(pilot)
        await until(pilot, lambda: screen.focused is not None)
        await type_text(pilot, "1 2\n0.25")

    with pytest.raises(OwnFaultError):
        await crash(make_app(), prepare)
    again = make_app()
    async with again.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: drafts_of(again).sheets and again._notifications)
        assert wording.TYPED_SHEET.en in " ".join(notice.message for notice in again._notifications)
        screen = at(pilot)
        await until(pilot, lambda: screen.focused is not None)
        assert screen.typed == (("1 2",), ("0.25",))
        assert screen.query_one(AnswerField).text == "1 2"


@pytest.mark.parametrize(
    "content",
    ["", "{", "[]", "{}", '{"answers": {"x": ""}, "problems": {}, "check": {"flags": []}}', json.dumps({"answers": 1})],
)
async def test_what_can_not_be_read_of_it_is_kept_aside(make_app: MakeApp, paths: Paths, content: str) -> None:
    paths.data.mkdir()
    paths.typed.write_text(content)
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: not paths.typed.exists())
    assert paths.typed.with_name(f"{paths.typed.name}.unreadable").read_text() == content


async def test_a_code_of_another_release_is_no_harm(make_app: MakeApp, paths: Paths) -> None:
    paths.data.mkdir()
    check: dict[str, object] = {"operation": None, "texts": {}, "flags": [], "result": ""}
    paths.typed.write_text(json.dumps({"answers": {}, "problems": {"gone.1.0000": ["1"]}, "check": check}))
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: not paths.typed.exists())
        assert app.is_running


async def test_nothing_typed_leaves_no_file(make_app: MakeApp, paths: Paths) -> None:
    app = make_app()

    async def prepare(pilot: Pilot[None]) -> None:
        for place in (QuestionPlace(7), CheckPlace(), DrillPlace("softmax-row", 1)):
            app.open(place)
            await pilot.pause()

    with pytest.raises(OwnFaultError):
        await crash(app, prepare)
    assert not paths.typed.exists()


def test_old_logs_go(paths: Paths) -> None:
    for number in range(MOST_LOGS + 3):
        write_log(paths.data, OwnFaultError(str(number)), NOW + timedelta(seconds=number))
    logs = crash_logs(paths.data)
    assert len(logs) == MOST_LOGS
    assert f"OwnFaultError: {MOST_LOGS + 2}" in logs[-1].read_text()


def test_a_log_that_can_not_be_written_is_not_promised(paths: Paths) -> None:
    paths.data.write_text("")  # a file where the folder should be
    assert write_log(paths.data, OwnFaultError("x"), NOW) is None
    said = describe(OwnFaultError("x"), None, typed_kept=False)
    assert str(paths.data) not in said.en
    assert wording.CRASH_KEPT.en not in said.en


@pytest.mark.parametrize("key", ["down", "x", "escape", "l", "f5"])
async def test_any_key_sends_the_card_away_for_good(paths: Paths, monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    monkeypatch.setattr(application, "find_paths", lambda: paths)
    app = application.make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: app.screen.query(Welcome))
        await pilot.pause()
        assert says(app, wording.CARD[0])
        await pilot.press(key)
        await pilot.pause()
        assert not app.screen.query(Welcome)
        await until(pilot, paths.progress.exists)
    again = application.make_app()
    async with again.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: again.keeper._log)
        assert not again.screen.query(Welcome)


async def test_the_key_that_sends_the_card_away_does_what_it_always_does(paths: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(application, "find_paths", lambda: paths)
    app = application.make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: app.screen.query(Welcome))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, TodayScreen))
