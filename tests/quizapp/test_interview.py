"""The mock interview on the screen: set up, held, left and taken up again, reported."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from markdown_it import MarkdownIt
from textual.pilot import Pilot

from question_bank.text import Language
from quizapp import wording_interview as wording
from quizapp.app import QuizApp
from quizapp.events import InterviewHeld
from quizapp.interview.host import host_of
from quizapp.interview.phrases import by_the_clock
from quizapp.interview.report import from_text
from quizapp.interview.script import Step
from quizapp.interview.under_way import Ending, UnderWay, load, save
from quizapp.keeper import Kept
from quizapp.paths import Paths
from quizapp.progress import Log
from quizapp.screens.interview import Go, InterviewScreen, Topic
from quizapp.screens.interview_report import ReportScreen
from quizapp.screens.interview_turn import TurnScreen
from quizapp.screens.lesson import LessonScreen
from quizapp.screens.places import InterviewPlace
from quizapp.settings import Settings
from quizapp.solver_process import SolverError
from quizapp.widgets.entries import Area
from quizapp.widgets.page import Heading
from quizapp.widgets.stops import Link
from tests.quizapp.conftest import DirectSolver, footer_of, says, text_of, type_text, until
from tests.quizapp.interviews import CODE, GOOD, held, right

SIZE = (80, 24)
NOW = datetime(2026, 11, 30, 20, 0, tzinfo=UTC)


class Clock:
    """Stands still unless it's put on."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def make(paths: Paths, clock: Clock) -> Callable[..., QuizApp]:
    def make_app(language: Language = Language.EN, solver: DirectSolver | None = None) -> QuizApp:
        numbers = iter(range(1, 1000))
        return QuizApp(
            paths,
            Settings(language, "night"),
            choice=lambda: str(next(numbers)),
            solver=solver or DirectSolver(),  # type: ignore[arg-type]
            cursor_blink=False,
            clock=clock,
        )

    return make_app


Make = Callable[..., QuizApp]


async def set_up(app: QuizApp, pilot: Pilot[None]) -> InterviewScreen:
    app.open(InterviewPlace())
    await until(pilot, lambda: isinstance(app.screen, InterviewScreen) and app.screen.query("#before Row"))
    assert isinstance(app.screen, InterviewScreen)
    return app.screen


def is_asking(app: QuizApp) -> bool:
    return isinstance(app.screen, TurnScreen) and not app.screen._busy


async def start(app: QuizApp, pilot: Pilot[None], minutes: int = 15) -> TurnScreen:
    screen = await set_up(app, pilot)
    await until(pilot, lambda: screen._script is not None)
    if minutes == 15:
        await pilot.press("down", "left")
        await until(pilot, lambda: screen._script is not None and screen._script.minutes == 15)
        await pilot.press("up")
    await pilot.press("enter")
    await until(pilot, lambda: is_asking(app))
    assert isinstance(app.screen, TurnScreen)
    return app.screen


async def go_on(app: QuizApp, pilot: Pilot[None], paths: Paths, **now: object) -> TurnScreen:
    """Go on with an interview of a known script, as it stands."""
    save(paths.interview, replace(held([]), ending=None, **now))  # type: ignore[arg-type]
    await set_up(app, pilot)
    await pilot.press("enter")
    await until(pilot, lambda: is_asking(app))
    assert isinstance(app.screen, TurnScreen)
    return app.screen


def state(app: QuizApp) -> UnderWay:
    under_way = host_of(app).under_way
    assert under_way is not None
    return under_way


def given(app: QuizApp) -> int:
    under_way = host_of(app).under_way
    return len(under_way.given) if under_way is not None else -1


async def noted(app: QuizApp, pilot: Pilot[None], before: int) -> None:
    """Wait for what is asked next, or for the report."""
    await until(pilot, lambda: isinstance(app.screen, ReportScreen) or (given(app) != before and is_asking(app)))


async def hand_in(app: QuizApp, pilot: Pilot[None]) -> None:
    """Leave the field and hand in; wait for what comes next."""
    before = given(app)
    await pilot.press("escape", "enter")
    await noted(app, pilot, before)


async def reports(paths: Paths) -> tuple[InterviewHeld, ...]:
    with Log(paths.progress) as log:
        return log.interviews()


@pytest.mark.parametrize("language", [Language.EN, pytest.param(Language.ZH, marks=pytest.mark.long)])
async def test_fifteen_minutes_from_set_up_to_report(make: Make, paths: Paths, clock: Clock, language: Language) -> None:
    app = make(language)
    async with app.run_test(size=SIZE) as pilot:
        screen = await start(app, pilot)
        script = state(app).script
        for place, turn in enumerate(script.turns):
            assert says(app, wording.PLACE.fill(place=place + 1, total=len(script.turns)))
            clock.now += timedelta(seconds=turn.seconds - 20)
            screen.look_at_the_clock()
            assert by_the_clock(state(app).left) in text_of(app)
            if turn.step is Step.DRILL:
                assert screen._problem is not None
                for field, answer in zip(screen._fields, right(screen._problem.code), strict=True):
                    await field.restore(answer)
            else:
                await type_text(pilot, "加权平均" if language is Language.ZH else "a mean")
            await pilot.press("escape", "enter")
            await noted(app, pilot, place)
            if place + 1 < len(script.turns):
                assert not set("✓✗~") & set(text_of(app))
                assert not says(app, wording.THE_MODEL)
                assert says(app, wording.NOTED)
        await until(pilot, lambda: isinstance(app.screen, ReportScreen))
        await pilot.pause()
        assert says(app, wording.IN_ALL)
        assert not paths.interview.exists()
    [kept] = await reports(paths)
    report = from_text(kept.report)
    assert (kept.started, kept.minutes, report.ending) == (NOW, 15, Ending.DONE)
    assert report.computed[0] == report.computed[1] > 0
    assert report.seconds == pytest.approx(script.seconds - 20 * len(script.turns))
    with Log(paths.progress) as log:
        assert [type(event.what) for event in log.recent()] == [InterviewHeld]
        assert log.memories() == ()  # an interview counts in no statistics


async def test_typed_text_survives_leaving_and_the_clock_stands_still(make: Make, paths: Paths, clock: Clock) -> None:
    app = make()
    async with app.run_test(size=SIZE) as pilot:
        screen = await start(app, pilot)
        clock.now += timedelta(seconds=100)
        await type_text(pilot, "half of it")
        await pilot.press("escape", "escape")
        await until(pilot, lambda: isinstance(app.screen, InterviewScreen))
        clock.now += timedelta(hours=1)
        await until(pilot, lambda: says(app, wording.END_IT))
        assert load(paths.interview, app.bank.question).under_way == state(app)
        assert state(app).seconds == 100
        assert says(app, wording.RESUME_LINE.fill(left="13:20", place=1, total=len(state(app).script.turns)))
        await pilot.press("enter")
        await until(pilot, lambda: is_asking(app) and app.screen is not screen)
        assert app.screen.query_one(Area).text == "half of it"
        assert state(app).seconds == 100


async def test_quitting_in_the_middle_of_a_word_keeps_it(make: Make, paths: Paths) -> None:
    app = make()
    async with app.run_test(size=SIZE) as pilot:
        await go_on(app, pilot, paths)
        await pilot.press("a", "b", "escape", "q")
    under_way = load(paths.interview, app.bank.question).under_way
    assert under_way is not None
    assert under_way.typed == ("ab",)


async def test_numbers_typed_survive_a_crash(make: Make, paths: Paths, clock: Clock) -> None:
    app = make()

    def fail() -> None:
        raise RuntimeError("a fault")

    async def until_the_crash() -> None:
        async with app.run_test(size=SIZE) as pilot:
            await go_on(app, pilot, paths, given=held([GOOD, "x"]).given)
            clock.now += timedelta(seconds=30)
            await type_text(pilot, "1 2")
            app.call_later(fail)
            await pilot.pause()

    with pytest.raises(RuntimeError):
        await until_the_crash()
    again = make()
    async with again.run_test(size=SIZE) as pilot:
        await set_up(again, pilot)
        await pilot.press("enter")
        await until(pilot, lambda: is_asking(again))
        assert state(again).typed == ("1 2",)
        assert state(again).seconds == 30
        assert isinstance(again.screen, TurnScreen)
        assert again.screen._fields[0].text == "1 2"


@pytest.mark.parametrize(("typed", "told"), [("1 2 x", "x"), ("1 2", "2 numbers read")])
async def test_what_can_not_be_read_costs_nothing(make: Make, paths: Paths, typed: str, told: str) -> None:
    app = make()
    async with app.run_test(size=SIZE) as pilot:
        screen = await go_on(app, pilot, paths, given=held([GOOD, "x"]).given)
        await type_text(pilot, f"{typed}\n")
        await until(pilot, lambda: is_asking(app) and told in text_of(app))
        assert given(app) == 2
        assert screen._fields[0].text == typed
        assert app.focused in list(screen._fields[0].query("*"))


async def test_a_wrong_number_is_noted_like_a_right_one(make: Make, paths: Paths) -> None:
    shown = []
    for answer in (right(CODE)[0], "[9, 9, 9]"):
        paths.interview.unlink(missing_ok=True)
        app = make()
        async with app.run_test(size=SIZE) as pilot:
            await go_on(app, pilot, paths, given=held([GOOD, "x"]).given)
            await type_text(pilot, f"{answer}\n")
            await noted(app, pilot, 2)
            await pilot.pause()
            shown.append(text_of(app))
    assert len(set(shown)) == 1


async def test_the_clock_can_be_hidden_and_stays_hidden(make: Make, paths: Paths) -> None:
    app = make()
    async with app.run_test(size=SIZE) as pilot:
        await go_on(app, pilot, paths)
        assert "15:00" in text_of(app)
        await type_text(pilot, "c")
        assert "15:00" in text_of(app)  # while typing it's a letter
        await pilot.press("escape", "c")
        await pilot.pause()
        assert "15:00" not in text_of(app)
        assert not state(app).shows_clock
        assert "1 of 5" in str(app.screen.query_one(Heading)._aside.text)
        await pilot.press("enter")
        await until(pilot, lambda: given(app) == 1 and is_asking(app))
        assert "left" not in text_of(app).splitlines()[0]
        await pilot.press("escape", "Ｃ")
        await pilot.pause()
        assert "15:00" in text_of(app)


@pytest.mark.parametrize(("typed", "left"), [(GOOD[:15], 4), ("", 5)])
async def test_ending_early_is_asked_twice(make: Make, paths: Paths, typed: str, left: int) -> None:
    app = make()
    async with app.run_test(size=SIZE) as pilot:
        await go_on(app, pilot, paths)
        await type_text(pilot, typed)
        await pilot.press("escape", "f")
        await pilot.pause()
        assert is_asking(app)
        assert any(notice.message.startswith(f"Not answered yet: {left}.") for notice in app._notifications)
        await pilot.press("c", "f")  # another key takes it back
        await pilot.pause()
        assert is_asking(app)
        await pilot.press("f")
        await until(pilot, lambda: isinstance(app.screen, ReportScreen))
    [kept] = await reports(paths)
    report = from_text(kept.report)
    assert (report.ending, report.unasked) == (Ending.EARLY, left)
    assert [thread.said.typed for thread in report.threads] == [typed] * bool(typed)


async def test_when_time_is_up_the_answer_is_finished_then_comes_the_report(make: Make, paths: Paths, clock: Clock) -> None:
    app = make()
    async with app.run_test(size=SIZE) as pilot:
        screen = await go_on(app, pilot, paths)
        await type_text(pilot, "I was")
        clock.now += timedelta(seconds=280)
        screen.look_at_the_clock()
        await pilot.pause()
        assert says(app, wording.HURRY)
        clock.now += timedelta(minutes=20)
        screen.look_at_the_clock()
        await pilot.pause()
        assert says(app, wording.TIME_UP)
        assert says(app, wording.OVER)
        await type_text(pilot, " late")
        assert says(app, wording.TIME_UP)
        await hand_in(app, pilot)
        assert isinstance(app.screen, ReportScreen)
    [kept] = await reports(paths)
    report = from_text(kept.report)
    assert report.ending is Ending.TIME_UP
    assert report.threads[0].said.typed == "I was late"


async def test_passing(make: Make, paths: Paths) -> None:
    app = make()
    async with app.run_test(size=SIZE) as pilot:
        await go_on(app, pilot, paths)
        await pilot.press("escape", "enter")
        await pilot.pause()
        assert given(app) == 0
        assert says(app, wording.NOTHING_TYPED)
        await pilot.press("d")
        await until(pilot, lambda: given(app) == 1 and is_asking(app))
        assert says(app, wording.PASSED)
        await type_text(pilot, "well")
        await pilot.press("escape", "d")
        await pilot.pause()
        assert given(app) == 1  # what is typed would not count: asked first
        await pilot.press("d")
        await until(pilot, lambda: given(app) == 2 and is_asking(app))
        assert [each.passed for each in state(app).given] == [True, True]


async def test_enter_three_times_hands_in_once(make: Make, paths: Paths) -> None:
    app = make()
    async with app.run_test(size=SIZE) as pilot:
        await go_on(app, pilot, paths, given=held([GOOD, "x"]).given)
        await type_text(pilot, "1 1 0")
        await pilot.press("enter", "enter", "enter")
        await until(pilot, lambda: given(app) == 3 and is_asking(app))
        await pilot.pause(0.1)
        assert given(app) == 3


async def test_single_letters_are_text_in_the_field(make: Make, paths: Paths) -> None:
    app = make()
    async with app.run_test(size=SIZE) as pilot:
        await go_on(app, pilot, paths)
        await type_text(pilot, "dfcqlx?ｄ\n$x [b]")
        assert app.screen.query_one(Area).text == "dfcqlx?ｄ\n$x [b]"
        assert is_asking(app)
        await pilot.press("escape", "l")
        await pilot.pause()
        assert app.language is Language.ZH
        assert app.screen.query_one(Area).text == "dfcqlx?ｄ\n$x [b]"
        assert says(app, wording.ASKS)


async def test_a_report_leads_on_and_is_written_as_a_file(make: Make, paths: Paths) -> None:
    app = make()
    async with app.run_test(size=SIZE) as pilot:
        await go_on(app, pilot, paths, given=held([GOOD, "x", None, None]).given)
        await pilot.press("escape", "d")
        await until(pilot, lambda: isinstance(app.screen, ReportScreen))
        report = app.screen
        await pilot.press("x")
        await until(pilot, lambda: app._notifications)
        [file] = paths.reports.iterdir()
        assert str(file) in next(iter(app._notifications)).message
        headings = [token.tag for token in MarkdownIt().parse(file.read_text("utf-8")) if token.type == "heading_open"]
        assert headings[:2] == ["h1", "h2"]
        await pilot.press("l", "x")
        await until(pilot, lambda: len(list(paths.reports.iterdir())) == 2)
        first = report.query(Link).first()
        first.focus()
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, LessonScreen))
        await pilot.press("escape")
        assert app.screen is report
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, InterviewScreen) and app.screen.query("#before Link"))
        app.screen.query("#before Link").first().focus()
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ReportScreen))
        assert app.screen is not report


async def test_a_file_that_can_not_be_written_is_told(make: Make, paths: Paths) -> None:
    app = make()
    async with app.run_test(size=SIZE) as pilot:
        await go_on(app, pilot, paths, given=held([GOOD]).given)
        await pilot.press("escape", "f", "f")
        await until(pilot, lambda: isinstance(app.screen, ReportScreen))
        paths.reports.write_text("a file where the folder should be")
        await pilot.press("x")
        await until(pilot, lambda: any("can't be written" in notice.message for notice in app._notifications))


async def test_topics_are_chosen_by_keyboard(make: Make) -> None:
    app = make()
    async with app.run_test(size=SIZE) as pilot:
        screen = await set_up(app, pilot)
        await until(pilot, lambda: screen._script is not None)
        await pilot.press("down", "right")  # 45 minutes
        for topic in screen.query(Topic):
            if topic.group != "E":
                topic.focus()
                await pilot.press("space")
        await until(pilot, lambda: screen._script is not None and screen._script.topics == ("E",))
        await pilot.pause()
        assert says(app, wording.START_SHORT)
        await pilot.press("down", "enter")
        await until(pilot, lambda: says(app, wording.NO_TOPICS))
        screen.query_one(Go).focus()
        await pilot.press("enter")
        await pilot.pause()
        assert app.screen is screen


async def test_a_report_kept_just_before_a_crash_is_not_made_again(make: Make, paths: Paths) -> None:
    app = make()
    async with app.run_test(size=SIZE) as pilot:
        await go_on(app, pilot, paths, given=held([GOOD]).given)
        before = paths.interview.read_bytes()
        await pilot.press("escape", "f", "f")
        await until(pilot, lambda: isinstance(app.screen, ReportScreen))
    paths.interview.write_bytes(before)
    again = make()
    async with again.run_test(size=SIZE) as pilot:
        screen = await set_up(again, pilot)
        assert screen.query_one("#choices").display
        assert not paths.interview.exists()
    assert len(await reports(paths)) == 1


async def test_where_the_report_can_not_be_kept_the_interview_stays(
    make: Make, paths: Paths, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make()
    async with app.run_test(size=SIZE) as pilot:
        await go_on(app, pilot, paths, given=held([GOOD]).given)
        record = app.keeper.record

        async def refuse(what: InterviewHeld) -> Kept:
            return replace(await record(what), problem=wording.OVER)

        monkeypatch.setattr(app.keeper, "record", refuse)
        await pilot.press("escape", "f", "f")
        await until(pilot, lambda: isinstance(app.screen, ReportScreen))
        assert paths.interview.exists()
        assert any("not on disk" in notice.message for notice in app._notifications)


async def test_without_a_solver_numbers_are_noted_and_told_as_unmarked(make: Make, paths: Paths) -> None:
    solver = DirectSolver()
    solver.error = SolverError(wording.OVER)
    app = make(solver=solver)
    async with app.run_test(size=SIZE) as pilot:
        await go_on(app, pilot, paths, given=held([GOOD, "x"]).given)
        await type_text(pilot, "1 1 x\n")
        await until(pilot, lambda: is_asking(app) and solver.calls)
        await pilot.pause()
        assert given(app) == 2  # still complained about
        await pilot.press("backspace", "0", "enter")
        await until(pilot, lambda: given(app) == 3 and is_asking(app))
        await pilot.press("escape", "f", "f")
        await until(pilot, lambda: isinstance(app.screen, ReportScreen))
    [kept] = await reports(paths)
    [number] = from_text(kept.report).threads[0].drills[0].numbers
    assert number.outcome is None
    assert number.typed == "1 1 0"


@pytest.mark.parametrize("size", [(60, 16), (40, 10)])
async def test_field_and_keys_stay_reachable_in_a_small_window(
    make: Make, paths: Paths, clock: Clock, size: tuple[int, int]
) -> None:
    app = make(Language.ZH)
    async with app.run_test(size=size) as pilot:
        screen = await go_on(app, pilot, paths, given=held([GOOD]).given)
        await type_text(pilot, "好")
        await pilot.pause()
        assert app.focused is not None
        assert screen.can_view_entire(app.focused)
        clock.now += timedelta(minutes=5)
        screen.look_at_the_clock()
        await pilot.pause()
        assert says(app, wording.HURRY)
        assert screen.can_view_entire(app.focused)
        await pilot.press("escape")
        await pilot.pause()
        assert wording.HAND_IN.zh in footer_of(app)


def test_seconds_are_written_as_a_clock_shows_them() -> None:
    shown = [(0, "0:00"), (-3, "0:00"), (59.2, "1:00"), (60, "1:00"), (899.5, "15:00"), (2700, "45:00")]
    assert [by_the_clock(seconds) for seconds, _ in shown] == [text for _, text in shown]
