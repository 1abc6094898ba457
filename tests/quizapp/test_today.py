"""Today: the page, a session from beginning to end, ratings with their dates, undoing, resuming, another study day."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from textual.pilot import Pilot

from question_bank import problem
from question_bank.text import Language, Text
from quizapp import dates, sitting
from quizapp import wording_today as wording
from quizapp.app import QuizApp
from quizapp.conductor import Conductor
from quizapp.events import DrillAnswered, Event, Item, QuestionRated, Rating, Reviewed, Undone
from quizapp.outlook import Outlook
from quizapp.paths import Paths
from quizapp.progress import Log
from quizapp.scheduling import Memory
from quizapp.screens.closing import ClosingScreen
from quizapp.screens.drill import DrillScreen, Stage
from quizapp.screens.home import HomeScreen
from quizapp.screens.places import DrillPlace, LessonPlace, QuestionPlace, TodayPlace
from quizapp.screens.question import QuestionScreen
from quizapp.screens.reviewed import ReviewedScreen
from quizapp.screens.today import TodayScreen
from quizapp.settings import Settings, load
from quizapp.widgets.model_answer import Rate
from quizapp.widgets.rating import comes_back
from quizapp.widgets.stops import FieldArea, Link, Tick
from solvers.verdict import Outcome
from tests.quizapp.conftest import DirectSolver, footer_of, says, text_of, type_text, until
from tests.quizapp.test_drill import open_drill, right

SIZE = (80, 40)
NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
DAY = date(2026, 12, 1)

MakeApp = Callable[..., QuizApp]


class HandClock:
    """A clock that only goes when it is told to."""

    def __init__(self, now: datetime = NOON) -> None:
        self.now = now

    def __call__(self) -> datetime:
        self.now += timedelta(milliseconds=1)
        return self.now


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def today_app(paths: Paths, clock: HandClock) -> MakeApp:
    """Make applications of which each day brings two new items, unless something else is wished."""
    numbers = iter(range(1, 1000))

    def make(language: Language = Language.EN, **wishes: object) -> QuizApp:
        settings = Settings(language, "night", **{"daily": 2, **wishes})  # type: ignore[arg-type]
        return QuizApp(
            paths, settings, choice=lambda: str(next(numbers)), solver=DirectSolver(), cursor_blink=False, clock=clock
        )

    return make


def events_of(paths: Paths) -> list[Event]:
    with Log(paths.progress) as log:
        return list(log.events())


def memories(paths: Paths) -> tuple[Memory, ...]:
    with Log(paths.progress) as log:
        return log.memories()


def tell(paths: Paths, clock: HandClock, *items: tuple[str, date]) -> None:
    """Answer items some days ago, so that each is due on a day."""
    with Log(paths.progress, clock) as log:
        for item, due in items:
            code = problem("softmax-row", 1, 7).code
            found = Item(item)
            what = (
                QuestionRated(found.number, Rating.GOOD)
                if found.number is not None
                else DrillAnswered(code, item, 1, ("1",), Outcome.RIGHT, None, 1, 1, 20.0)
            )
            event = log.record(what)
            log.record(Reviewed(found, Rating.GOOD, due, event.id))


async def on_today(app: QuizApp, pilot: Pilot[None]) -> TodayScreen:
    app.open(TodayPlace())
    await until(pilot, lambda: isinstance(app.screen, TodayScreen) and app.screen._outlook is not None)
    await pilot.pause()
    assert isinstance(app.screen, TodayScreen)
    return app.screen


async def at_item(app: QuizApp, pilot: Pilot[None], before: object = None) -> ReviewedScreen:
    """Wait until an item stands there to be answered."""
    await until(
        pilot,
        lambda: (
            app.screen is not before
            and isinstance(app.screen, ReviewedScreen)
            and (app.screen.query(FieldArea) or getattr(app.screen, "_stage", None) is Stage.ANSWERING)
        ),
    )
    await pilot.pause()
    assert isinstance(app.screen, ReviewedScreen)
    return app.screen


async def start(app: QuizApp, pilot: Pilot[None]) -> ReviewedScreen:
    await on_today(app, pilot)
    await pilot.press("enter")
    return await at_item(app, pilot)


async def rated(pilot: Pilot[None], screen: ReviewedScreen) -> None:
    await until(pilot, lambda: screen._rated is not None)
    await pilot.pause()


async def answer(pilot: Pilot[None], screen: ReviewedScreen, *, well: bool = True) -> None:
    """Answer the item at hand, up to its rating."""
    if isinstance(screen, DrillScreen):
        assert screen._problem is not None
        if well:
            for place, typed in enumerate(right(screen._problem)):
                screen._fields[place].entry.put(typed)
            screen.leave_field()
            await screen.run_action("submit")
        else:
            screen.leave_field()
            await pilot.press("d")
    else:
        await pilot.press("escape", "enter")
        await until(pilot, lambda: screen.query(Rate))
        await pilot.press("3" if well else "1")
    await rated(pilot, screen)


async def go_on(pilot: Pilot[None], screen: ReviewedScreen) -> None:
    if isinstance(screen, DrillScreen):
        screen._marked_at = 0.0  # the verdict has stood for a while
    await pilot.press("enter")


def shows(app: QuizApp, *texts: Text) -> bool:
    return all(says(app, text) for text in texts)


# The page


@pytest.mark.parametrize("language", Language)
async def test_the_page_says_what_is_due_what_is_new_and_what_was_done(
    today_app: MakeApp, paths: Paths, clock: HandClock, language: Language
) -> None:
    clock.now = NOON - timedelta(days=5)
    tell(paths, clock, ("softmax-row", DAY), ("Q7", DAY - timedelta(days=1)), ("scale-row", DAY + timedelta(days=2)))
    clock.now = NOON
    tell(paths, clock, ("mix-row", DAY + timedelta(days=9)))
    app = today_app(language, daily=3)
    async with app.run_test(size=SIZE) as pilot:
        await on_today(app, pilot)
        assert shows(
            app,
            dates.written(DAY),
            wording.START_LINE.fill(amount=wording.BOTH.fill(due=2, new=2), minutes=6),
            wording.ANSWERED.fill(answers=1, right=1, minutes=1),
            wording.NO_DATE.fill(daily=3),
        )
        lines = text_of(app)
        assert lines.index("Q7") < lines.index("softmax" if language == Language.ZH else "Softmax of a row")
        assert "⏎" in footer_of(app)


async def test_the_page_stands_before_the_log_is_read(today_app: MakeApp, monkeypatch: pytest.MonkeyPatch) -> None:
    read = asyncio.Event()
    look = Conductor.look

    async def wait(conductor: Conductor) -> Outlook:
        await read.wait()
        return await look(conductor)

    monkeypatch.setattr(Conductor, "look", wait)
    app = today_app()
    async with app.run_test(size=SIZE) as pilot:
        app.open(TodayPlace())
        await until(pilot, lambda: shows(app, dates.written(DAY), wording.READING))
        read.set()
        await until(pilot, lambda: says(app, wording.NOTHING_DONE))
        assert not says(app, wording.READING)


@pytest.mark.parametrize(
    ("interview", "daily", "expected"),
    [
        (DAY + timedelta(days=400), 2, wording.ENOUGH),
        (DAY + timedelta(days=3), 500, wording.ENOUGH),
        (DAY + timedelta(days=3), 2, wording.TOO_FEW),
        (DAY, 2, wording.INTERVIEW_TODAY),
        (DAY - timedelta(days=1), 2, wording.INTERVIEW_OVER),
        (DAY + timedelta(days=2), 2, wording.TOO_MANY),
        (DAY + timedelta(days=1), 2, wording.TOO_MANY_EVE),
        (DAY + timedelta(days=1), 500, wording.ENOUGH_EVE),
    ],
)
async def test_the_page_says_whether_the_amount_suffices(
    today_app: MakeApp, interview: date, daily: int, expected: Text
) -> None:
    app = today_app(interview=interview, daily=daily)
    async with app.run_test(size=SIZE) as pilot:
        screen = await on_today(app, pilot)
        assert screen._outlook is not None
        pace = screen._outlook.today.pace
        numbers = {"daily": daily, "days": (interview - DAY).days, "day": dates.written(interview)}
        if pace is not None:
            numbers |= {"unseen": pace.unseen, "needed": pace.needed, "short": pace.needed - daily}
        assert says(app, expected.fill(**numbers))
        assert (wording.RAISE_KEY.en in footer_of(app)) == (expected is wording.TOO_FEW)


async def test_one_key_takes_the_amount_that_would_do(today_app: MakeApp, paths: Paths) -> None:
    app = today_app(interview=DAY + timedelta(days=20))
    async with app.run_test(size=SIZE) as pilot:
        screen = await on_today(app, pilot)
        assert screen._outlook is not None
        assert screen._outlook.today.pace is not None
        needed = screen._outlook.today.pace.needed
        await pilot.press("a")
        await until(pilot, lambda: screen._outlook.today.pace.is_enough)  # type: ignore[union-attr]
        await until(pilot, lambda: load(paths.settings, app.settings).settings.daily == needed)
        assert len(screen._outlook.today.new) == needed
        assert "Raise" not in footer_of(app)


# A session


@pytest.mark.parametrize("language", Language)
async def test_a_session_from_home_to_the_closing_page(
    today_app: MakeApp, paths: Paths, clock: HandClock, language: Language
) -> None:
    clock.now = NOON - timedelta(days=5)
    tell(paths, clock, ("softmax-row", DAY))
    clock.now = NOON
    app = today_app(language, daily=1)
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: says(app, wording.BOTH.fill(due=1, new=1)))  # on the first line of home
        await pilot.press("t")
        screen = await at_item(app, pilot)
        assert isinstance(screen, DrillScreen)
        assert says(app, wording.PROGRESS.fill(place=1, total=2))
        assert screen._problem is not None
        first = screen._problem.code
        await answer(pilot, screen, well=False)
        assert says(app, wording.BACK_TODAY.fill(rating=Text("Again", "忘了")))
        await go_on(pilot, screen)
        question = await at_item(app, pilot, screen)
        assert isinstance(question, QuestionScreen)
        assert says(app, wording.PROGRESS.fill(place=2, total=3))  # what failed has come back at the end
        await answer(pilot, question)
        await go_on(pilot, question)
        again = await at_item(app, pilot, question)
        assert isinstance(again, DrillScreen)
        assert again._problem is not None
        assert (again._problem.drill, again._problem.code != first) == ("softmax-row", True)
        await answer(pilot, again)
        await go_on(pilot, again)
        await until(pilot, lambda: isinstance(app.screen, ClosingScreen) and app.screen.query("#tomorrow"))
        await pilot.pause()
        assert shows(app, wording.ITEMS_DONE.fill(items=2, minutes=1), wording.FIRST_TRY.fill(first=1, items=2))
        await until(pilot, lambda: app.screen.query(Link))
        links = [link.target for link in app.screen.query(Link)]
        assert links[0] == LessonPlace("7.10")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, TodayScreen))
        assert len(app.screen_stack) == 2
    kept = [type(event.what) for event in events_of(paths)]
    assert kept[2:] == [DrillAnswered, Reviewed, QuestionRated, Reviewed, DrillAnswered, Reviewed]


@pytest.mark.parametrize(
    ("key", "interview"),
    [(None, None), ("1", None), ("3", None), ("２", None), (None, DAY + timedelta(days=5)), ("4", DAY + timedelta(days=5))],
)
async def test_the_date_shown_is_the_date_kept(
    today_app: MakeApp, paths: Paths, clock: HandClock, key: str | None, interview: date | None
) -> None:
    clock.now = NOON - timedelta(days=9)
    tell(paths, clock, ("softmax-row", DAY))
    clock.now = NOON
    app = today_app(daily=0, interview=interview)
    async with app.run_test(size=SIZE) as pilot:
        screen = await start(app, pilot)
        await answer(pilot, screen)
        if key is not None:
            await pilot.press(key)
            wanted = Rating(int(key))
            await until(pilot, lambda: screen._rated is not None and screen._rated.rating is wanted)
            await pilot.pause()
        [memory] = memories(paths)
        assert screen._rated is not None
        assert says(app, comes_back(screen._rated.rating, memory.due, DAY))
        if interview is not None:
            assert memory.due <= interview
        others = [choice for choice in screen._rated.choices if choice.rating is not screen._rated.rating]
        assert len(others) == 3


async def test_a_drill_by_itself_is_a_review_too(today_app: MakeApp, paths: Paths) -> None:
    app = today_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await open_drill(pilot, "softmax-row", 1)
        await pilot.press("escape", "2")  # before the verdict: the level
        await until(pilot, lambda: screen._problem is not None and screen._problem.level == 2)
        await answer(pilot, screen)
        assert "1-4 Rate" in footer_of(app)
        await pilot.press("2")  # after it: the rating
        await until(pilot, lambda: screen._rated is not None and screen._rated.rating is Rating.HARD)
        assert screen._problem is not None
        assert screen._problem.level == 2
        await go_on(pilot, screen)
        await until(pilot, lambda: screen._stage is Stage.ANSWERING)
        await pilot.pause()
        assert not screen.query_one("RatingLine").display
    assert [event.what.rating for event in events_of(paths) if isinstance(event.what, Reviewed)][-1] is Rating.HARD
    assert [memory.item for memory in memories(paths)] == ["softmax-row"]


async def test_what_a_question_is_suggested_comes_from_its_points(today_app: MakeApp, paths: Paths) -> None:
    app = today_app()
    async with app.run_test(size=(80, 90)) as pilot:
        app.open(QuestionPlace(7))
        screen = await at_item(app, pilot)
        await pilot.press("escape", "enter")
        await until(pilot, lambda: screen.query(Tick))
        ticks = list(screen.query(Tick))
        for tick in ticks:
            tick.action_act()
        await pilot.pause()
        suggested = wording.SUGGESTED.fill(made=len(ticks), all=len(ticks), rating=Text("Easy", "轻松"))
        assert says(app, suggested)
        await until(pilot, lambda: "Wed 9 Dec" in text_of(app))
        await pilot.press("3")
        await rated(pilot, screen)
        await pilot.press("2")
        await until(pilot, lambda: screen._rated is not None and screen._rated.rating is Rating.HARD)
    with Log(paths.progress) as log:
        [memory] = log.memories()
        assert memory.due == DAY
        assert len([event for event in log.events() if isinstance(event.what, QuestionRated)]) == 1


@pytest.mark.parametrize("leaves", ["goes on", "is killed"])
async def test_an_answer_whose_points_were_shown_counts_as_suggested(today_app: MakeApp, paths: Paths, leaves: str) -> None:
    app = today_app(daily=2)
    async with app.run_test(size=(80, 90)) as pilot:
        screen = await start(app, pilot)
        await type_text(pilot, "because of the variance")
        await pilot.press("escape", "enter")
        await until(pilot, lambda: screen.query(Tick))
        await rated(pilot, screen)
        screen.query(Tick).last().action_act()
        await pilot.pause()
        await rated(pilot, screen)
        assert screen.at_stake() is None
        if leaves == "goes on":
            await pilot.press("n")
            following = await at_item(app, pilot, screen)
            assert says(app, wording.PROGRESS.fill(place=2, total=app.conductor.sitting.total))  # type: ignore[union-attr]
            await pilot.press("escape", "u")
            back = await at_item(app, pilot, following)
            assert back.query_one(FieldArea).text == "because of the variance"
            assert memories(paths) == ()
            return
        left = sitting.load(paths.sitting).sitting
        last, suggested = len(screen.query(Tick)) - 1, screen._suggested  # type: ignore[attr-defined]
    assert left is not None
    with Log(paths.progress) as log:
        found = sitting.caught_up(log, left).spot
        [(id, answer, rating)] = log.query("SELECT id, item, rating FROM answer")
    assert found is not None
    assert (found.answer, found.item, found.ticked[-1:]) == (id, answer, (last,))
    assert rating == suggested


# Undoing


@pytest.mark.parametrize("gone_on", [False, True])
@pytest.mark.parametrize("in_session", [False, True])
async def test_undoing_a_drill_restores_everything(
    today_app: MakeApp, paths: Paths, clock: HandClock, gone_on: bool, in_session: bool
) -> None:
    clock.now = NOON - timedelta(days=5)
    tell(paths, clock, ("softmax-row", DAY))
    before = memories(paths)
    clock.now = NOON
    app = today_app(daily=1)
    async with app.run_test(size=SIZE) as pilot:
        screen = await start(app, pilot) if in_session else await open_drill(pilot, "softmax-row", 1)
        assert isinstance(screen, DrillScreen)
        assert screen._problem is not None
        code = screen._problem.code
        await pilot.press("escape", "h", "tab")
        await type_text(pilot, "0.1 0.2 0.7\n")
        await rated(pilot, screen)
        if gone_on:
            await go_on(pilot, screen)
            await until(pilot, lambda: app.screen is not screen or screen._stage is Stage.ANSWERING)
            await at_item(app, pilot)
            await pilot.press("escape")
        await pilot.press("u")
        back = await at_item(app, pilot, screen)
        assert isinstance(back, DrillScreen)
        assert back._problem is not None
        assert back._problem.code == code
        assert [field.text for field in back._fields] == ["0.1 0.2 0.7"]
        assert back._hints == 1
        assert len(back.query(".hint")) == 1
        if in_session:
            assert says(app, wording.PROGRESS.fill(place=1, total=2))
        await pilot.press("escape")
        assert "Undo" not in footer_of(app)
        assert memories(paths) == before
        assert isinstance(events_of(paths)[-1].what, Undone)
        await answer(pilot, back)
    assert len(memories(paths)) == 1
    assert memories(paths)[0].answers == 2


@pytest.mark.parametrize("in_session", [False, True])
async def test_undoing_a_question(today_app: MakeApp, paths: Paths, in_session: bool) -> None:
    app = today_app(daily=2)
    async with app.run_test(size=SIZE) as pilot:
        if in_session:
            screen = await start(app, pilot)
        else:
            app.open(QuestionPlace(7))
            screen = await at_item(app, pilot)
        number = screen._question.number  # type: ignore[attr-defined]
        await type_text(pilot, "because of the variance")
        await pilot.press("escape", "enter")
        await until(pilot, lambda: screen.query(Rate))
        screen.query(Tick).last().action_act()
        await pilot.pause()
        await rated(pilot, screen)
        [memory] = memories(paths)  # its points are shown, so it counts: once, with what was ticked
        assert memory.answers == 1
        await pilot.press("u")  # the person has rated nothing yet: back to the field
        back = await at_item(app, pilot, screen)
        assert app.focused is back.query_one(FieldArea)
        assert back.query_one(FieldArea).text == "because of the variance"
        assert memories(paths) == ()
        await pilot.press("escape", "enter")
        await until(pilot, lambda: back.query(Rate))
        ticked = [place for place, tick in enumerate(back.query(Tick)) if tick.ticked]
        assert ticked[-1] == len(back.query(Tick)) - 1
        await pilot.press("4")
        await rated(pilot, back)
        await pilot.press("enter")
        following = await at_item(app, pilot, back)
        await pilot.press("escape", "u")
        again = await at_item(app, pilot, following)
        assert again._question.number == number  # type: ignore[attr-defined]
        assert again.query_one(FieldArea).text == "because of the variance"
    assert memories(paths) == ()


async def test_undoing_goes_back_over_several_items_and_from_the_closing_page(today_app: MakeApp, paths: Paths) -> None:
    app = today_app(daily=2)
    async with app.run_test(size=SIZE) as pilot:
        first = await start(app, pilot)
        await answer(pilot, first)
        await go_on(pilot, first)
        second = await at_item(app, pilot, first)
        await answer(pilot, second)
        await go_on(pilot, second)
        await until(pilot, lambda: isinstance(app.screen, ClosingScreen))
        await pilot.pause()
        closing = app.screen
        await pilot.press("u")
        back = await at_item(app, pilot, closing)
        assert says(app, wording.PROGRESS.fill(place=2, total=2))
        await pilot.press("escape", "u")
        assert app.screen is back  # what stands in the field again would be lost: asked first
        await pilot.press("u")
        await at_item(app, pilot, back)
        assert says(app, wording.PROGRESS.fill(place=1, total=2))
    assert memories(paths) == ()


# Leaving and coming back


async def test_a_session_resumes_with_the_same_problem_and_what_was_typed(
    today_app: MakeApp, paths: Paths, clock: HandClock
) -> None:
    clock.now = NOON - timedelta(days=5)
    tell(paths, clock, ("softmax-row", DAY))
    clock.now = NOON
    app = today_app(daily=0)
    async with app.run_test(size=SIZE) as pilot:
        screen = await start(app, pilot)
        assert isinstance(screen, DrillScreen)
        assert screen._problem is not None
        code = screen._problem.code
        await pilot.press("escape", "h", "tab")
        await type_text(pilot, "0.3 0.")
        assert screen.at_stake() is None
        # The file is there a moment later, whatever becomes of the application.
        await until(pilot, lambda: (found := sitting.load(paths.sitting).sitting) and found.spot.typed == ("0.3 0.",))  # type: ignore[union-attr]
        await pilot.press("escape", "escape")
        await until(pilot, lambda: isinstance(app.screen, TodayScreen))
        await until(pilot, lambda: "Go on" in text_of(app))
    other = today_app(daily=0)
    async with other.run_test(size=SIZE) as pilot:
        screen = await start(other, pilot)
        assert isinstance(screen, DrillScreen)
        assert screen._problem is not None
        assert screen._problem.code == code
        assert [field.text for field in screen._fields] == ["0.3 0."]
        assert screen._hints == 1


async def test_after_a_verdict_the_session_resumes_behind_it(today_app: MakeApp, paths: Paths) -> None:
    app = today_app(daily=2)
    async with app.run_test(size=SIZE) as pilot:
        first = await start(app, pilot)
        await answer(pilot, first)
    other = today_app(daily=2)
    async with other.run_test(size=SIZE) as pilot:
        await start(other, pilot)
        assert says(other, wording.PROGRESS.fill(place=2, total=2))
    assert len(memories(paths)) == 1


async def test_a_session_that_cannot_be_read_is_put_aside_and_said(today_app: MakeApp, paths: Paths) -> None:
    paths.data.mkdir(parents=True)
    paths.sitting.write_text("{", "ascii")
    app = today_app()
    async with app.run_test(size=SIZE) as pilot:
        await start(app, pilot)
        assert any("can't be read" in notice.message for notice in app._notifications)
    assert (paths.data / "sitting.json.unreadable").exists()


async def test_skipping_leaves_an_item_due(today_app: MakeApp, paths: Paths) -> None:
    app = today_app(daily=2)
    async with app.run_test(size=SIZE) as pilot:
        first = await start(app, pilot)
        await pilot.press("escape", "n")
        second = await at_item(app, pilot, first)
        assert says(app, wording.PROGRESS.fill(place=1, total=1))
        await pilot.press("escape", "escape")
        await until(pilot, lambda: isinstance(app.screen, TodayScreen) and says(app, wording.ONLY_NEW.fill(new=2)))
        assert second is not app.screen


# Another day


async def test_a_page_left_open_sees_the_new_day(today_app: MakeApp, paths: Paths, clock: HandClock) -> None:
    clock.now = datetime(2026, 12, 2, 3, 59, tzinfo=UTC)
    tell(paths, clock, ("softmax-row", DAY + timedelta(days=1)))
    app = today_app(daily=0)
    async with app.run_test(size=SIZE) as pilot:
        screen = await on_today(app, pilot)
        assert says(app, wording.NEXT_DUE.fill(day=Text("Wed 2 Dec", "12月2日周三")))
        clock.now = datetime(2026, 12, 2, 4, 0, tzinfo=UTC)
        screen.look_for_another_day()
        await until(pilot, lambda: says(app, wording.ONLY_DUE.fill(due=1)))
        await pilot.press("escape")
        home = app.screen
        assert isinstance(home, HomeScreen)
        await until(pilot, lambda: says(app, wording.ONLY_DUE.fill(due=1)))
        clock.now += timedelta(days=1)
        home.look_for_another_day()
        await until(pilot, lambda: home._day == date(2026, 12, 3))


async def test_a_session_left_open_sees_the_new_day(today_app: MakeApp, paths: Paths, clock: HandClock) -> None:
    clock.now = datetime(2026, 12, 2, 3, 50, tzinfo=UTC)
    tell(paths, clock, ("softmax-row", DAY), ("scale-row", DAY + timedelta(days=1)))
    app = today_app(daily=0)
    async with app.run_test(size=SIZE) as pilot:
        screen = await start(app, pilot)
        assert says(app, wording.PROGRESS.fill(place=1, total=1))
        await answer(pilot, screen)
        clock.now = datetime(2026, 12, 2, 4, 10, tzinfo=UTC)
        await go_on(pilot, screen)
        following = await at_item(app, pilot, screen)
        assert isinstance(following, DrillScreen)
        assert following._problem is not None
        assert following._problem.drill == "scale-row"
    kept = [event.study_day for event in events_of(paths) if isinstance(event.what, DrillAnswered)]
    assert kept == [DAY] * 3


async def test_home_stands_before_the_log_is_read(today_app: MakeApp) -> None:
    app = today_app()
    await app.keeper._turn.acquire()  # as long as the log is busy
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        assert says(app, wording.TODAY_LINE)
        app.keeper._turn.release()
        await until(pilot, lambda: says(app, wording.ONLY_NEW.fill(new=2)))


async def test_a_drill_of_another_place_is_reached_by_undoing(today_app: MakeApp) -> None:
    """What was answered last comes back, whatever screen one is at."""
    app = today_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await open_drill(pilot, "softmax-row", 1)
        await answer(pilot, screen)
        app.open(QuestionPlace(7))
        question = await at_item(app, pilot, screen)
        await pilot.press("escape", "u")
        back = await at_item(app, pilot, question)
        assert isinstance(back, DrillScreen)
        assert DrillPlace("softmax-row", 1) == replace(back._place, code=None)
