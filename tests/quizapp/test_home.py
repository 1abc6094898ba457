"""The home screen: folding, levels, searching, both languages."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from textual.widgets import Input

from question_bank.drills import DRILLS
from question_bank.text import Language
from quizapp import wording
from quizapp.app import QuizApp
from quizapp.screens.drill import DrillScreen
from quizapp.screens.help import HelpScreen
from quizapp.screens.home import HomeScreen
from quizapp.screens.home_contents import Continue, DrillTarget, Fold, HomeState, entries
from quizapp.screens.places import DrillPlace
from quizapp.widgets.contents import Contents
from tests.quizapp.conftest import footer_of, says, text_of, type_text, until

MakeApp = Callable[..., QuizApp]
SIZE = (80, 24)
NOTHING = wording.FIND_NOTHING.en
LINES = [entry.target for entry in entries(HomeState(last=DrillPlace("layer-norm", 2))) if entry.target is not None]
TO_SECTION_5 = ("down",) * LINES.index(Fold("7.5"))
"""Past Today, the lines beneath it, five groups of questions and four sections."""
DRILL = ("down", "down", "down")
"""Past the lesson and the lab, to the first drill."""
FIRST = DrillTarget(next(drill.id for drill in DRILLS.values() if drill.section == "7.5"))
SHAPES = DRILLS["qkv-shapes"].title.en.split("$")[0].strip()


def marked(app: QuizApp) -> object:
    return app.screen.query_one(Contents).marked


async def test_everything_is_on_it_at_once(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE):
        shown = text_of(app)
        for expected in ("start", "Check a result of your own", "A     Attention basics", "E     Training details", "7.9"):
            assert expected in shown


@pytest.mark.parametrize(
    ("keys", "what", "shown", "hidden"),
    [
        ([*TO_SECTION_5], Fold("7.5"), ["Queries, keys, values"], [SHAPES]),
        ([*TO_SECTION_5, "enter"], Fold("7.5"), [SHAPES], []),
        ([*TO_SECTION_5, "right"], Fold("7.5"), [SHAPES], []),
        ([*TO_SECTION_5, "right", "left"], Fold("7.5"), [], [SHAPES]),
        ([*TO_SECTION_5, "right", "right"], Fold("7.5"), [SHAPES], []),
        ([*TO_SECTION_5, "enter", "enter"], Fold("7.5"), [], [SHAPES]),
        ([*TO_SECTION_5, "enter", *DRILL], FIRST, ["‹1›"], []),
        ([*TO_SECTION_5, "enter", *DRILL, "right"], FIRST, ["1  ‹2›  3"], []),
        ([*TO_SECTION_5, "enter", *DRILL, "right", "right", "right"], FIRST, ["1   2  ‹3›"], []),
        ([*TO_SECTION_5, "enter", *DRILL, "3"], FIRST, ["1   2  ‹3›"], []),
        ([*TO_SECTION_5, "enter", *DRILL, "３"], FIRST, ["1   2  ‹3›"], []),
        ([*TO_SECTION_5, "enter", *DRILL, "3", "left"], FIRST, ["1  ‹2›  3"], []),
        ([*TO_SECTION_5, "enter", *DRILL, "4"], FIRST, ["‹1›  2   3"], []),
    ],
)
async def test_folding_and_levels(
    make_app: MakeApp, keys: list[str], what: object, shown: list[str], hidden: list[str]
) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press(*keys)
        await pilot.pause()
        assert marked(app) == what
        for text in shown:
            assert text in text_of(app)
        for text in hidden:
            assert text not in text_of(app)


@pytest.mark.parametrize(
    ("sought", "found", "missing"),
    [
        ("softmax", ["Softmax of a row", "Softmax of a matrix"], ["Concatenate"]),
        ("7.10", ["Softmax of a row"], ["Causal"]),
        ("causal-m", ["7.17"], ["Concatenate"]),
        ("Q7", ["Q7"], ["Q8"]),
        ("形状", [SHAPES], ["Softmax"]),
        ("zzz", [NOTHING], ["Softmax", "Q7"]),
        ("[bold]x[/]", [NOTHING], ["Softmax"]),
    ],
)
async def test_searching(make_app: MakeApp, sought: str, found: list[str], missing: list[str]) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("/")
        app.screen.query_one(Input).value = sought
        await pilot.pause()
        for text in found:
            assert text in text_of(app)
        for text in missing:
            assert text not in text_of(app)
        await pilot.press("escape")
        await pilot.pause()
        assert "7.9" in text_of(app)
        assert app.focused is app.screen.query_one(Contents)


@pytest.mark.parametrize("key", ["/", "／", "、"])
async def test_the_search_line_opens_and_takes_letters_as_text(make_app: MakeApp, key: str) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press(key)
        await type_text(pilot, "lq?1")
        assert app.screen.query_one(Input).value == "lq?1"
        assert app.language == Language.EN


async def test_enter_in_the_search_line_opens_the_marked_drill(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("/")
        await type_text(pilot, "softmax-")
        await pilot.press("down", "enter")
        await until(pilot, lambda: isinstance(app.screen, DrillScreen))
        assert [drill for drill in DRILLS if "softmax-" in drill][1] in text_of(app)


@pytest.mark.parametrize("key", ["l", "L", "ｌ"])
async def test_the_language_switches_at_once_and_nothing_else_changes(make_app: MakeApp, key: str) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press(*TO_SECTION_5, "enter", *DRILL, "2")
        before = marked(app)
        await pilot.press(key)
        await pilot.pause()
        assert app.language == Language.ZH
        assert marked(app) == before
        shown = text_of(app)
        for expected in ("Transformer 面试练习", "注意力", "‹2›", "难度"):
            assert expected in shown
        assert "打开" in footer_of(app)
        assert "Open" not in footer_of(app)
        await pilot.press(key)
        await pilot.pause()
        assert "Open" in footer_of(app)


async def test_the_first_line_continues_where_the_person_left_off(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        assert isinstance(app.screen, HomeScreen)
        app.left_off_at(DrillPlace("layer-norm", 2))
        await pilot.pause()
        first = next(line for line in text_of(app).splitlines() if "continue" in line)
        assert "level 2" in first
        await pilot.press("home", *["down"] * LINES.index(Continue(DrillPlace("layer-norm", 2))), "enter")
        await until(pilot, lambda: isinstance(app.screen, DrillScreen))
        assert "layer-norm.2." in text_of(app)


@pytest.mark.parametrize("key", ["?", "？"])
async def test_help_lists_the_keys_of_the_screen_in_both_languages(make_app: MakeApp, key: str) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press(key)
        await until(pilot, lambda: isinstance(app.screen, HelpScreen))
        await pilot.pause()
        assert says(app, wording.FIND_TIP)
        await pilot.press("l")
        await pilot.pause()
        assert says(app, wording.FIND_TIP)
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, HomeScreen)


@pytest.mark.parametrize("size", [(80, 24), (60, 16), (40, 10), (120, 40)])
async def test_the_margin_line_runs_straight_down(make_app: MakeApp, size: tuple[int, int]) -> None:
    app = make_app(Language.ZH)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        lines = [line for line in text_of(app).splitlines() if "│" in line[:14]]
        assert len(lines) >= size[1] - 4
