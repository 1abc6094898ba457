"""The lesson screen, and the ways from questions and drills to lessons and back."""

from __future__ import annotations

from pathlib import Path

import pytest

from question_bank import lessons
from question_bank.bank import SHIPPED, Bank, open_bank
from question_bank.text import Language
from quizapp.screens.drill import DrillScreen, Stage
from quizapp.screens.home import HomeScreen
from quizapp.screens.lesson import LessonScreen
from quizapp.screens.places import LessonPlace, QuestionPlace
from quizapp.screens.question import QuestionScreen
from quizapp.widgets.lesson import LessonPart
from tests.quizapp.conftest import text_of, type_text, until
from tests.quizapp.test_drill import open_drill
from tests.quizapp.test_question import MakeApp

SIZE = (80, 24)


def opened(screen: LessonScreen) -> list[int]:
    return [part.heading.number for part in screen.query(LessonPart) if part.is_open]


async def open_lesson(pilot, section: str) -> LessonScreen:  # type: ignore[no-untyped-def]
    pilot.app.open(LessonPlace(section))
    await until(pilot, lambda: isinstance(pilot.app.screen, LessonScreen) and pilot.app.screen.query(LessonPart))
    await pilot.pause()
    return pilot.app.screen


async def test_the_first_part_is_open_and_digits_open_others(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await open_lesson(pilot, "7.9")
        assert opened(screen) == [1]
        await pilot.press("5", "4")
        await pilot.pause()
        assert opened(screen) == [1, 4, 5]
        assert "[B, h, S, d_k]" in text_of(app)
        await pilot.press("enter")
        await pilot.pause()
        assert opened(screen) == [1, 5]
        await pilot.press("a")
        assert opened(screen) == list(range(1, 10))
        await pilot.press("a")
        assert opened(screen) == []


@pytest.mark.parametrize("language", Language)
async def test_every_lesson_shows_all_its_parts(make_app: MakeApp, language: Language) -> None:
    app = make_app(language)
    async with app.run_test(size=(80, 600)) as pilot:
        for section in lessons.sections()[:: 7 if language is Language.EN else 8]:
            screen = await open_lesson(pilot, section)
            await pilot.press("a")
            await pilot.pause()
            assert opened(screen) == list(range(1, 10))
            shown = text_of(app)
            assert "«" not in shown
            assert "\\" not in shown.replace("\\n", "")
            assert lessons.load(section).code.output.split()[0] in shown


async def test_next_and_before_go_round(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await open_lesson(pilot, "7.23")
        for key, section in (("n", "7.1"), ("p", "7.23"), ("p", "7.22")):
            await pilot.press(key)
            await until(pilot, lambda section=section: section in text_of(app).splitlines()[0])
        assert [type(screen) for screen in app.screen_stack] == [HomeScreen, LessonScreen]


async def test_from_a_question_to_its_lesson_to_a_drill_and_back(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        app.open(QuestionPlace(7))
        await until(pilot, lambda: isinstance(app.screen, QuestionScreen))
        await type_text(pilot, "variance dk")
        await pilot.press("escape", "enter")
        await pilot.pause()
        question, place = app.screen, app.screen.query_one("StopPage").scroll_y
        await pilot.press("e")
        await until(pilot, lambda: isinstance(app.screen, LessonScreen))
        lesson = app.screen
        await pilot.press("9", "down", "down", "down")
        await pilot.pause()
        here, focus = lesson.query_one("StopPage").scroll_y, lesson.focused
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, DrillScreen) and app.screen._stage is Stage.ANSWERING)
        assert app.screen._place.drill == "scale-row"
        await pilot.press("escape", "escape")
        await until(pilot, lambda: app.screen is lesson)
        assert (opened(lesson), lesson.query_one("StopPage").scroll_y, lesson.focused) == ([1, 9], here, focus)
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is question)
        assert question.query_one("StopPage").scroll_y == place


async def test_e_after_a_verdict_opens_the_lesson(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await open_drill(pilot, "softmax-row")
        await pilot.press("escape", "e")
        assert app.screen is screen
        await pilot.press("d")
        await until(pilot, lambda: screen._stage is Stage.MARKED)
        await pilot.press("e")
        await until(pilot, lambda: isinstance(app.screen, LessonScreen))
        assert "7.10" in text_of(app).splitlines()[0]


async def test_home_offers_the_lesson_last_read(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await open_lesson(pilot, "7.17")
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))
        await pilot.pause()
        assert "continue" in text_of(app)
        assert next(line for line in text_of(app).splitlines() if "continue" in line).rstrip().endswith("7.17")


async def test_the_language_changes_without_losing_what_is_open(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await open_lesson(pilot, "7.10")
        await pilot.press("8", "l")
        await pilot.pause()
        assert opened(screen) == [1, 8]
        assert "常见误区" in text_of(app)


async def test_words_are_found_in_lessons_too(make_app: MakeApp) -> None:
    app = make_app(Language.ZH)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("slash")
        await type_text(pilot, "FlashAttention")
        await until(pilot, lambda: "7.15" in text_of(app))
        assert "Q20" in text_of(app)
        await type_text(pilot, " zzz")
        await until(pilot, lambda: "没有符合的内容" in text_of(app))


# A person's own

OWN = (lessons.FOLDER / "S7.9.toml").read_text("utf-8").replace("section = '7.9'", "section = '8.1'")


def own_bank(folder: Path, text: str) -> Bank:
    (folder / "S8.1.toml").write_text(text, "utf-8")
    bank, faults = open_bank(folder)
    assert faults == ()
    return bank


async def test_a_lesson_of_ones_own_is_computed_when_it_is_opened(make_app: MakeApp, tmp_path: Path) -> None:
    app = make_app()
    app.bank = own_bank(tmp_path, OWN)
    async with app.run_test(size=SIZE) as pilot:
        screen = await open_lesson(pilot, "8.1")
        await pilot.press("5")
        await pilot.pause()
        assert opened(screen) == [1, 5]
        assert "0.707" in text_of(app)
        await pilot.press("n")
        await until(pilot, lambda: "7.1" in text_of(app).splitlines()[0])
    assert SHIPPED.sections() == lessons.sections()


async def test_a_lesson_of_ones_own_that_cannot_be_computed_says_why(make_app: MakeApp, tmp_path: Path) -> None:
    app = make_app()
    app.bank = own_bank(tmp_path, OWN.replace("'A = softmax(Z)'", "'A = softmin(Z)'"))
    async with app.run_test(size=SIZE) as pilot:
        app.open(LessonPlace("8.1"))
        await until(pilot, lambda: "softmin" in text_of(app))
        assert "S8.1.toml" in text_of(app)
