"""The question screen: answering, revealing, ticking, rating, the four options, both languages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from textual import events
from textual.pilot import Pilot

from question_bank.questions import load, numbers
from question_bank.text import Language
from quizapp import wording_question as wording
from quizapp.app import QuizApp
from quizapp.events import Mode, QuestionRated, Rating, Undone
from quizapp.paths import Paths
from quizapp.progress import Log
from quizapp.screens.drill import DrillScreen
from quizapp.screens.home import HomeScreen
from quizapp.screens.places import QuestionPlace
from quizapp.screens.question import QuestionScreen
from quizapp.widgets.bilingual import written
from quizapp.widgets.model_answer import Option, Rate
from quizapp.widgets.stops import FieldArea, Fold, Link, StopPage, Tick
from quizapp.widgets.verbatim import Verbatim
from tests.quizapp.conftest import footer_of, says, text_of, type_text, until

MakeApp = Callable[..., QuizApp]
SIZE = (80, 24)
Q7 = load(7)
RIGHT = Q7.right_choice
WRONG = next(place for place in range(4) if place != RIGHT)


async def opened(app: QuizApp, pilot: Pilot[None], number: int = 7) -> QuestionScreen:
    app.open(QuestionPlace(number))
    await until(pilot, lambda: isinstance(app.screen, QuestionScreen) and app.screen.is_mounted and app.focused)
    assert isinstance(app.screen, QuestionScreen)
    await pilot.pause()
    return app.screen


def field(app: QuizApp) -> FieldArea:
    return app.screen.query_one("#answer", FieldArea)


def is_revealed(app: QuizApp) -> bool:
    return bool(app.screen.query(Rate))


async def answers_of(paths: Paths) -> list[QuestionRated]:
    """Return the answers, whatever time they took."""
    with Log(paths.progress) as log:
        events = log.recent()
    undone = {id for event in events if isinstance(event.what, Undone) for id in event.what.events}
    return [
        replace(event.what, seconds=0) for event in events if isinstance(event.what, QuestionRated) and event.id not in undone
    ]


def ratings_of(paths: Paths) -> list[Rating]:
    """Return what the answers count with."""
    with Log(paths.progress) as log:
        return [Rating(rating) for (rating,) in log.query("SELECT rating FROM answer ORDER BY number")]


async def revealed(app: QuizApp, pilot: Pilot[None], *keys: str) -> None:
    """Press keys and wait until the answer stands there, and is in the log where it could be marked."""
    screen = app.screen
    assert isinstance(screen, QuestionScreen)
    await pilot.press(*keys)
    await until(pilot, lambda: is_revealed(app) and (screen._answer is None or screen._rated is not None))
    await pilot.pause()


async def rated(app: QuizApp, pilot: Pilot[None], key: str) -> None:
    await revealed(app, pilot)
    await pilot.press(key)
    await until(pilot, lambda: app.screen.query(".is-kept"))
    await pilot.pause()


async def test_the_question_comes_without_its_answer(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await opened(app, pilot)
        shown = text_of(app)
        assert written(Q7.prompt, Language.EN) in shown
        assert "Q7" in shown
        assert "Esc, then Enter" in shown
        for text in (Q7.answer.short, Q7.key_points[0].text, *(choice.text for choice in Q7.choices)):
            assert written(text, Language.EN)[:30] not in shown


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("yes", "yes"),
        ("nlqdeo?1a", "nlqdeo?1a"),  # single letters are no commands while typing
        ("one\ntwo", "one\ntwo"),  # Enter breaks the line
        ("ｎＬ１方差", "ｎＬ１方差"),
        ("[b]x[/b] $x [/", "[b]x[/b] $x [/"),
    ],
)
async def test_everything_typed_is_text(make_app: MakeApp, typed: str, expected: str) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(app, pilot)
        await type_text(pilot, typed)
        assert field(app).text == expected
        assert app.screen is screen
        assert not is_revealed(app)
        await revealed(app, pilot, "escape", "enter")
        assert app.screen.query_one(Verbatim).typed == expected
        assert expected.splitlines()[0] in text_of(app)


@pytest.mark.parametrize("keys", [["escape", "enter"], ["escape", "Ｄ"]])
async def test_revealing(make_app: MakeApp, keys: list[str]) -> None:
    app = make_app()
    async with app.run_test(size=(120, 200)) as pilot:
        await opened(app, pilot)
        await pilot.press(*keys)
        await pilot.pause()
        assert is_revealed(app)
        shown = " ".join(text_of(app).replace("│", " ").split())
        order = [
            Q7.answer.short,
            *(point.text for point in Q7.key_points),
            *(wording.CLAIM.fill(claim=pitfall.claim) for pitfall in Q7.pitfalls),
            *Q7.answer.paragraphs(),
            *(follow_up.question for follow_up in Q7.follow_ups),
        ]
        place = 0
        for text in order:  # raises where one is missing, or comes before another that should be first
            place = shown.index(written(text, Language.EN)[:40], place)
        assert "$" not in shown
        assert "\\" not in shown
        for follow_up in Q7.follow_ups:
            assert written(follow_up.answer, Language.EN)[:30] not in shown


async def test_e_reveals_only_after_leaving_the_options(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await opened(app, pilot)
        await pilot.press("escape", "o", "e")
        await pilot.pause()
        assert is_revealed(app)
        assert written(wording.CHOSE_NONE, Language.EN).format(right="abcd"[RIGHT]) in text_of(app)


@pytest.mark.parametrize(("size", "beside"), [((120, 40), True), ((80, 24), False), ((100, 30), True), ((50, 24), False)])
async def test_the_typed_answer_stands_beside_or_above(make_app: MakeApp, size: tuple[int, int], beside: bool) -> None:
    app = make_app()
    async with app.run_test(size=size) as pilot:
        await opened(app, pilot)
        await type_text(pilot, "unit variance")
        await revealed(app, pilot, "escape", "enter")
        own, model = app.screen.query_one("#own").region, app.screen.query_one("#model").region
        assert (own.y == model.y and own.right <= model.x) is beside
        assert (own.bottom <= model.y and own.x == model.x) is not beside
        await pilot.resize_terminal(*((80, 24) if beside else (120, 40)))
        await pilot.pause()
        own, model = app.screen.query_one("#own").region, app.screen.query_one("#model").region
        assert (own.y == model.y) is not beside


async def test_without_a_typed_answer_the_model_answer_stands_alone(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await opened(app, pilot)
        await type_text(pilot, "  \n ")
        await revealed(app, pilot, "escape", "enter")
        assert not app.screen.query("#own")
        assert app.screen.query_one("#model").region.x == 0


@pytest.mark.parametrize(
    ("keys", "ticked"),
    [
        ([], []),
        (["space"], [0]),
        (["enter"], [0]),
        (["space", "space"], []),
        (["space", "down", "space"], [0, 1]),
        (["down", "down", "space", "up", "enter"], [1, 2]),
        (["up", "space"], [0]),
    ],
)
async def test_ticking(make_app: MakeApp, paths: Paths, keys: list[str], ticked: list[int]) -> None:
    app = make_app()
    async with app.run_test(size=(80, 60)) as pilot:
        await opened(app, pilot)
        await revealed(app, pilot, "escape", "enter")
        app.screen.query(Tick).first().focus()
        await pilot.press(*keys)
        await pilot.pause()
        assert [place for place, tick in enumerate(app.screen.query(Tick)) if tick.ticked] == ticked
        assert f"{len(ticked)}/{len(Q7.key_points)}" in text_of(app)
        await rated(app, pilot, "3")
        [answer] = await answers_of(paths)
        assert list(answer.ticked) == ticked


async def test_arrows_scroll_through_the_answer_and_then_go_from_line_to_line(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await opened(app, pilot)
        await revealed(app, pilot, "escape", "enter")
        page = app.screen.query_one(StopPage)
        last = app.screen.query(Rate).last()
        seen = [app.focused]
        while app.focused is not last:
            top = page.scroll_y
            await pilot.press("down")
            await pilot.pause()
            assert page.scroll_y - top < page.size.height - 4  # nothing is jumped over
            if app.focused is not seen[-1]:
                seen.append(app.focused)
        stops = [stop for stop in seen if not isinstance(stop, Link | StopPage)]
        assert [type(stop) for stop in stops] == [*[Tick] * len(Q7.key_points), *[Fold] * len(Q7.follow_ups), *[Rate] * 4]
        assert len(seen) < 120
        last_tick = stops[len(Q7.key_points) - 1]
        assert isinstance(last_tick, Tick)
        last_tick.focus()
        await until(pilot, lambda: last_tick.region.y > page.region.y)
        await pilot.press(*["up"] * len(Q7.key_points))
        await pilot.pause()
        assert app.focused in (page, stops[0])
        await pilot.press(*["up"] * 25)
        await pilot.pause()
        assert page.scroll_y == 0


async def test_follow_ups_unfold_and_fold(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await opened(app, pilot)
        await revealed(app, pilot, "escape", "enter")
        answer = written(Q7.follow_ups[0].answer, Language.EN)[:30]
        app.screen.query(Fold).first().focus()
        for key, shown in (("enter", True), ("space", False), ("space", True)):
            await pilot.press(key)
            await pilot.pause()
            assert (answer in text_of(app)) is shown


@pytest.mark.parametrize(
    ("key", "rating"), [("1", Rating.AGAIN), ("2", Rating.HARD), ("3", Rating.GOOD), ("4", Rating.EASY), ("４", Rating.EASY)]
)
async def test_rating_is_kept_before_it_is_confirmed(make_app: MakeApp, paths: Paths, key: str, rating: Rating) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await opened(app, pilot)
        await type_text(pilot, "so that the variance is 1")
        await pilot.press(key)  # still a part of the text
        await revealed(app, pilot, "escape", "enter")
        assert ratings_of(paths) == [Rating.AGAIN]  # the verdict was shown: it counts with the suggested rating
        held = app.keeper._turn
        await held.acquire()
        await pilot.press(key)
        await pilot.pause(0.05)
        confirmation = written(wording.KEPT, Language.EN).format(rating=wording.RATINGS[rating][0].en)
        is_confirmed, ratings = confirmation in text_of(app), ratings_of(paths)
        await pilot.press("1", "4")  # too late: one rating is enough
        held.release()
        assert not is_confirmed
        assert ratings == [Rating.AGAIN]
        await until(pilot, lambda: confirmation in text_of(app))
        [answer] = await answers_of(paths)
        assert answer == QuestionRated(7, Rating.AGAIN, Mode.FREE, f"so that the variance is 1{key}", found=())
        assert ratings_of(paths) == [rating]


async def test_the_time_until_the_answer_was_revealed_is_kept(make_app: MakeApp, paths: Paths) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(app, pilot)
        screen._started -= 40
        await revealed(app, pilot, "escape", "enter")
        screen._started -= 500  # reading what is right is no part of answering
        await rated(app, pilot, "3")
    with Log(paths.progress) as log:
        [seconds] = [event.what.seconds for event in log.recent() if isinstance(event.what, QuestionRated)]
    assert 40 < seconds < 300


async def test_a_rating_that_cannot_be_kept_is_said(make_app: MakeApp, paths: Paths) -> None:
    app = make_app()
    async with app.run_test(size=(80, 60)) as pilot:
        await opened(app, pilot)
        await revealed(app, pilot, "escape", "enter")
        await until(pilot, paths.progress.exists)
        other = Log(paths.progress, patience=0)
        log = app.keeper._log
        assert log is not None
        log._connection.execute("PRAGMA busy_timeout = 0")
        other._connection.execute("BEGIN IMMEDIATE")
        await rated(app, pilot, "2")
        assert "could not be saved" in text_of(app)
        assert "Rated “" not in text_of(app)
        other._connection.execute("ROLLBACK")
        other.close()
    [answer] = await answers_of(paths)  # it was written as soon as it could be
    assert answer == QuestionRated(7, Rating.HARD)


@pytest.mark.parametrize(("number", "key"), [(1, "n"), (7, "ｎ"), (7, "enter"), (max(numbers()), "n")])
async def test_the_next_question(make_app: MakeApp, number: int, key: str) -> None:
    app = make_app()
    following = number + 1 if number < max(numbers()) else 1
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(app, pilot, number)
        await pilot.press("escape")
        if key == "enter":
            await pilot.press("enter")
            await pilot.pause()
            await rated(app, pilot, "4")
        await pilot.press(key)
        await until(pilot, lambda: app.screen is not screen and app.focused)
        await pilot.pause()
        assert f"Q{following} " in text_of(app)
        assert not is_revealed(app)
        assert len(app.screen_stack) == 2
        await pilot.press("escape", "escape")
        assert isinstance(app.screen, HomeScreen)


@pytest.mark.parametrize(
    ("keys", "chosen"),
    [
        (["abcd"[RIGHT]], RIGHT),
        (["abcd"[WRONG]], WRONG),
        (["ABCD"[WRONG]], WRONG),
        (["ａｂｃｄ"[RIGHT]], RIGHT),
        (["enter"], 0),
        (["down", "down", "space"], 2),
        (["down", "down", "down", "down", "up", "enter"], 2),
    ],
)
async def test_four_options(make_app: MakeApp, paths: Paths, keys: list[str], chosen: int) -> None:
    app = make_app()
    async with app.run_test(size=(80, 60)) as pilot:
        await opened(app, pilot)
        await pilot.press("escape", "o")
        await pilot.pause()
        shown = " ".join(text_of(app).replace("│", " ").split())
        assert all(written(choice.text, Language.EN)[:40] in shown for choice in Q7.choices)
        assert not any(written(choice.why, Language.EN)[:40] in shown for choice in Q7.choices)
        await revealed(app, pilot, *keys)
        shown = " ".join(text_of(app).replace("│", " ").split())
        assert all(written(choice.why, Language.EN)[:40] in shown for choice in Q7.choices)
        marks = [option.note.text.en for option in app.screen.query(Option) if option.note.text]
        expected = [letter if place not in (RIGHT, chosen) else f"✗ {letter}" for place, letter in enumerate("abcd")]
        expected[RIGHT] = f"✓ {'abcd'[RIGHT]}"
        assert marks == expected
        assert ("is wrong; the right one is" in shown) is (chosen != RIGHT)
        suggested = Rating.GOOD if chosen == RIGHT else Rating.AGAIN
        assert ratings_of(paths) == [suggested]
        await rated(app, pilot, "2")
        assert await answers_of(paths) == [QuestionRated(7, suggested, Mode.CHOICE, chosen=chosen)]
        assert ratings_of(paths) == [Rating.HARD]


async def test_switching_the_form_keeps_what_is_typed(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await opened(app, pilot)
        await type_text(pilot, "variance")
        await pilot.press("escape", "o")
        await pilot.pause()
        assert "variance" not in footer_of(app)
        await pilot.press("o")
        await pilot.pause()
        assert app.focused is field(app)
        assert field(app).text == "variance"


async def test_the_language_can_change_at_any_moment(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(120, 70)) as pilot:
        await opened(app, pilot)
        assert "Say it aloud" in text_of(app)
        await pilot.press("escape", "l")
        await pilot.pause()
        assert "先口头说一遍" in text_of(app)
        await pilot.press("tab")
        await type_text(pilot, "sqrt")
        await revealed(app, pilot, "escape", "l", "enter")
        app.screen.query(Tick).first().focus()
        await pilot.press("space")
        app.screen.query(Fold).first().focus()
        await pilot.press("space", "l")
        await pilot.pause()
        shown = text_of(app)
        lines = shown.replace("\n", "").replace(" ", "")
        for text in ("简答", "要点", "误区", "追问", "自评", "sqrt", f"1/{len(Q7.key_points)}"):
            assert text in shown
        assert app.screen.query(Tick).first().ticked
        assert app.screen.query(Fold).first().is_open
        assert app.focused is app.screen.query(Fold).first()
        assert written(Q7.follow_ups[0].answer, Language.ZH).replace(" ", "")[:12] in lines
        for label in ("Easy", "Next", "short", "traps"):
            assert label not in shown
        await rated(app, pilot, "3")
        assert "已记为“还行”" in text_of(app)
        await pilot.press("l")
        await pilot.pause()
        assert "Rated “Good”" in text_of(app)


async def test_a_drill_opens_above_and_esc_comes_back(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(app, pilot)
        await type_text(pilot, "kept")
        await revealed(app, pilot, "escape", "enter")
        app.screen.query(Link).first().focus()
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, DrillScreen))
        await pilot.press("escape", "escape")
        await until(pilot, lambda: app.screen is screen)
        assert app.screen.query_one(Verbatim).typed == "kept"


async def test_what_was_typed_is_there_when_one_comes_back(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await opened(app, pilot)
        await type_text(pilot, "half an answer")
        await pilot.press("escape", "escape")
        await opened(app, pilot)
        assert field(app).text == "half an answer"
        await revealed(app, pilot, "escape", "enter")
        await rated(app, pilot, "4")
        await pilot.press("escape")
        await opened(app, pilot)
        assert field(app).text == ""


async def test_a_paste_arrives_whole_and_is_no_markup(make_app: MakeApp) -> None:
    app = make_app()
    pasted = "first [red]line\n\n$second$ line\n" * 8
    async with app.run_test(size=SIZE) as pilot:
        await opened(app, pilot)
        app.post_message(events.Paste(pasted))
        await pilot.pause()
        assert field(app).text == pasted
        await revealed(app, pilot, "escape", "enter")
        assert "first [red]line" in text_of(app)
        assert "$second$ line" in text_of(app)


@pytest.mark.parametrize(
    ("keys", "stake"),
    [
        ([], None),
        (["x"], wording.UNRATED_LOST),
        (["escape", "enter"], None),
        (["x", "escape", "enter"], None),
        (["escape", "enter", "down", "enter"], wording.UNRATED_LOST),  # nothing is marked, but ticked
        (["escape", "o"], None),
        (["escape", "o", "a"], None),
    ],
)
async def test_what_would_be_lost(make_app: MakeApp, keys: list[str], stake: object) -> None:
    app = make_app()
    async with app.run_test(size=(80, 90)) as pilot:
        screen = await opened(app, pilot)
        await pilot.press(*keys)
        await pilot.pause()
        assert screen.at_stake() == stake
        if stake is not None and "escape" in keys:
            await rated(app, pilot, "2")
            assert screen.at_stake() is None


@pytest.mark.parametrize(
    ("keys", "labels"),
    [
        ([], ["Done typing"]),
        (["escape"], ["Show answer", "4 options", "Next", "Back"]),
        (["escape", "o"], ["a-d", "Show answer", "Free answer"]),
        (["escape", "enter"], ["1 Again", "4 Easy", "Next"]),
    ],
)
async def test_the_footer_shows_what_works_now(make_app: MakeApp, keys: list[str], labels: list[str]) -> None:
    app = make_app()
    every = {"Done typing", "Show answer", "4 options", "Free answer", "a-d", "1 Again", "4 Easy"}
    async with app.run_test(size=SIZE) as pilot:
        await opened(app, pilot)
        await pilot.press(*keys)
        await pilot.pause(0.1)
        shown = footer_of(app)
        assert all(label in shown for label in labels)
        assert not any(label in shown for label in every.difference(labels))


async def test_clicks_do_what_keys_do(make_app: MakeApp, paths: Paths) -> None:
    app = make_app()
    async with app.run_test(size=(120, 200)) as pilot:
        await opened(app, pilot)
        await revealed(app, pilot, "escape", "enter")
        await pilot.click(app.screen.query(Tick).last())
        await pilot.click(app.screen.query(Rate).last())
        await until(pilot, lambda: app.screen.query(".is-kept"))
        [answer] = await answers_of(paths)
        assert answer == QuestionRated(7, Rating.EASY, ticked=(len(Q7.key_points) - 1,))


async def test_every_question_shows_all_it_has(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(120, 200)) as pilot:
        for number in numbers()[::10]:  # what the others hold is looked at in tests/question_bank
            question = load(number)
            await opened(app, pilot, number)
            await revealed(app, pilot, "escape", "enter")
            for _language in Language:
                shown = "".join(text_of(app).replace("│", "").split())
                for text in (question.prompt, question.answer.short, *(point.text for point in question.key_points)):
                    assert "".join(written(text, app.language).split())[:24] in shown
                await pilot.press("l")
                await pilot.pause()


# Marking what was typed

TYPED = "the variance is dk so softmax saturates, so we divide by sqrt(d_model)"


async def test_the_points_made_are_ticked_with_the_words_that_earned_them(make_app: MakeApp, paths: Paths) -> None:
    app = make_app()
    async with app.run_test(size=(120, 80)) as pilot:
        await opened(app, pilot)
        await type_text(pilot, TYPED)
        await revealed(app, pilot, "escape", "enter")
        assert [place for place, tick in enumerate(app.screen.query(Tick)) if tick.ticked] == [0, 1]
        assert says(app, wording.FOUND.fill(ticked=2, all=len(Q7.key_points)))
        shown = text_of(app)
        assert "“variance … dk”" in shown
        assert "You said: “sqrt(d_model)”" in shown
        ticks = list(app.screen.query(Tick))
        ticks[0].focus()
        await pilot.press("enter")  # overruled
        ticks[4].focus()
        await pilot.press("enter")
        await pilot.pause()
        assert says(app, wording.FOUND.fill(ticked=2, all=len(Q7.key_points)))
        await rated(app, pilot, "3")
    [answer] = await answers_of(paths)
    assert answer == QuestionRated(7, Rating.HARD, Mode.FREE, TYPED, ticked=(1, 4), found=(0, 1))
    assert ratings_of(paths) == [Rating.GOOD]


async def test_nothing_is_found_where_nothing_is_typed(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(80, 60)) as pilot:
        await opened(app, pilot)
        await revealed(app, pilot, "escape", "enter")
        assert not any(tick.ticked for tick in app.screen.query(Tick))
        assert says(app, wording.WHICH_SAID.fill(ticked=0, all=len(Q7.key_points)))


@pytest.mark.parametrize("width", [24, 40, 120])
async def test_the_words_that_count_are_set_off_wherever_lines_break(make_app: MakeApp, width: int) -> None:
    typed = "[b]方差是 dk[/b],\tand the variance\nis  d_k $x$"
    spans = [(3, 5, "bold"), (typed.index("variance"), len(typed) - 4, "italic")]
    app = make_app()
    async with app.run_test(size=(width + 4, 24)) as pilot:
        view = Verbatim(typed, spans)
        await app.screen.mount(view)
        await pilot.pause()
        drawn = view.render()
        styled = {str(span.style): drawn.plain[span.start : span.end] for span in drawn.spans}
        words = ["".join(text.split()) for text in styled.values()]
        assert "".join(styled.get("bold", "").split()) == "方差"
        assert words[-1].endswith("d_k")
