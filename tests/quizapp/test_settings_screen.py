"""The settings screen: values changed in place, saved at once, bad ones explained beside their field."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, date, datetime

import pytest

from question_bank.labs import LABS
from question_bank.text import Language
from quizapp import wording_settings as wording
from quizapp.app import QuizApp
from quizapp.keeper import Keeper
from quizapp.paths import Paths
from quizapp.screens.home import HomeScreen
from quizapp.screens.places import LabPlace, SettingsPlace
from quizapp.screens.settings import SettingsScreen
from quizapp.settings import Order, Settings, load
from quizapp.theme import THEMES
from tests.quizapp.conftest import says, text_of, type_text, until

MakeApp = Callable[..., QuizApp]
DEFAULT = Settings(Language.EN, "night")
NIGHT = datetime(2026, 11, 30, 3, 30, tzinfo=UTC)
"""Half past three: the study day is still that of the 29th, on this screen as on that of today."""


@pytest.fixture(autouse=True)
def _on_a_day(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Keeper, "now", lambda keeper: NIGHT)


@pytest.mark.parametrize(
    ("keys", "typed", "name", "value"),
    [
        (["right"], "", "language", Language.ZH),
        (["left"], "", "language", Language.ZH),
        (["down", "right"], "", "theme", "day"),
        (["down", "left"], "", "theme", "plain"),
        (["down", "enter"], "", "theme", "day"),
        (["down", "down"], "12-24", "interview", date(2026, 12, 24)),
        (["down", "down"], "in 10 days", "interview", date(2026, 12, 9)),
        (["down"] * 3 + ["right", "right"], "", "daily", 12),
        (["down"] * 3 + ["left"], "", "daily", 9),
        (["down"] * 3 + ["backspace"], "5", "daily", 15),
        (["down"] * 4 + ["right"], "", "order", Order.WEAKNESS),
        (["down"] * 5 + ["left"] * 6, "", "rollover", 0),
        (["down"] * 6 + ["right"], "", "decimals", 1),
    ],
)
async def test_a_value_is_changed_and_saved_at_once(
    make_app: MakeApp, paths: Paths, keys: list[str], typed: str, name: str, value: object
) -> None:
    app = make_app()
    async with app.run_test(size=(80, 40)) as pilot:
        app.open(SettingsPlace())
        await pilot.pause()
        await pilot.press(*keys)
        if typed:
            await type_text(pilot, typed)
            await pilot.press("enter")
        await until(pilot, lambda: getattr(load(paths.settings, DEFAULT).settings, name) == value)
        assert getattr(app.settings, name) == value
    saved = load(paths.settings, DEFAULT)
    assert saved.problems == ()
    unchanged = {each for each in Settings.__slots__ if each != name}
    assert all(getattr(saved.settings, each) == getattr(DEFAULT, each) for each in unchanged)


@pytest.mark.parametrize(
    ("language", "down", "typed", "said"),
    [
        (Language.EN, 2, "3/4", "4 March"),
        (Language.ZH, 2, "3/4", "3月4日"),
        (Language.EN, 2, "2020-01-01", "is past"),
        (Language.ZH, 2, "soon", "不是能识别的日期"),
        (Language.ZH, 3, "x", "0 到 500"),
        (Language.EN, 3, "99", "it stays 10"),
        (Language.EN, 5, "4", "from 0 to 12"),
    ],
)
async def test_a_bad_value_is_explained_and_not_saved(
    make_app: MakeApp, paths: Paths, language: Language, down: int, typed: str, said: str
) -> None:
    app = make_app(language)
    async with app.run_test(size=(120, 40)) as pilot:
        app.open(SettingsPlace())
        await pilot.pause()
        await pilot.press(*["down"] * down)
        await type_text(pilot, typed)
        line = app.focused
        await pilot.press("enter")
        await pilot.pause()
        assert app.focused is line
        assert said in text_of(app)
        assert app.settings == Settings(language, "night")
        assert typed in text_of(app)
    assert not paths.settings.exists()


async def test_leaving_the_field_keeps_the_value(make_app: MakeApp, paths: Paths) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        app.open(SettingsPlace())
        await pilot.pause()
        await pilot.press("down", "down")
        await type_text(pilot, "24.12.")
        await pilot.press("escape", "escape")
        await pilot.pause()
        assert isinstance(app.screen, HomeScreen)
        assert app.settings.interview == date(2026, 12, 24)
    assert load(paths.settings, DEFAULT).settings.interview == date(2026, 12, 24)


async def test_a_date_is_taken_away_by_emptying_the_field(make_app: MakeApp, paths: Paths) -> None:
    paths.settings.parent.mkdir()
    paths.settings.write_text("interview = 2026-12-24  # the big day\n")
    app = make_app()
    app._settings = load(paths.settings, DEFAULT).settings
    async with app.run_test(size=(80, 24)) as pilot:
        app.open(SettingsPlace())
        await pilot.pause()
        assert "2026-12-24" in text_of(app)
        await pilot.press("down", "down", *["backspace"] * 10, "enter")
        await until(pilot, lambda: load(paths.settings, DEFAULT).settings.interview is None)
    assert paths.settings.read_text() == 'interview = ""  # the big day\n'


async def test_a_date_that_has_passed_is_told(make_app: MakeApp) -> None:
    app = make_app()
    app._settings = Settings(Language.EN, "night", interview=date(2026, 11, 1))
    async with app.run_test(size=(80, 24)) as pilot:
        app.open(SettingsPlace())
        await pilot.pause()
        assert "28 days ago" in text_of(app)


@pytest.mark.parametrize(("size", "language"), [((80, 24), Language.EN), ((40, 10), Language.ZH)])
async def test_every_setting_can_be_reached(make_app: MakeApp, size: tuple[int, int], language: Language) -> None:
    app = make_app(language)
    async with app.run_test(size=size) as pilot:
        await pilot.press("comma")
        await pilot.pause()
        seen: set[object] = set()
        for _ in range(60):
            if app.focused is not None and app.focused.has_class("stop"):
                seen.add(app.focused)
            if len(seen) == 7 and says(app, wording.FILE):
                break
            await pilot.press("down")
        assert len(seen) == 7
        assert says(app, wording.FILE)


async def test_the_comma_opens_the_settings_over_the_screen_in_use_and_only_once(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("，")
        await pilot.pause()
        assert isinstance(app.screen, SettingsScreen)
        await pilot.press("comma")
        await pilot.pause()
        assert len(app.screen_stack) == 2


async def test_what_is_changed_by_key_shows_on_the_screen(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("comma", "l")
        await pilot.pause()
        assert "‹中文›" in text_of(app)


def test_there_is_a_name_for_every_choice() -> None:
    assert set(wording.LANGUAGES) == {language.value for language in Language}
    assert set(wording.THEMES) == {theme.name for theme in THEMES}
    assert set(wording.ORDERS) == {order.value for order in Order}


async def test_the_decimals_are_those_of_labs(make_app: MakeApp) -> None:
    shown: list[str] = []
    for decimals in (0, 1, 6):
        app = make_app()
        app._settings = Settings(Language.EN, "night", decimals=decimals)
        async with app.run_test(size=(120, 60)) as pilot:
            app.open(LabPlace(next(iter(LABS))))
            await until(pilot, lambda app=app: re.search(r"0\.\d", text_of(app)))  # type: ignore[misc]
            shown.append(text_of(app))
    assert re.search(r"\d\.\d{6}\b", shown[2])
    assert not re.search(r"\d\.\d{6}\b", shown[0] + shown[1])
