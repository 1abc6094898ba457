"""What is the same on every screen: leaving, the palette, themes, settings, start-up."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import pytest
from textual.command import CommandPalette
from textual.geometry import Region
from textual.widgets._toast import Toast

from question_bank.text import Language, same
from quizapp import app as application
from quizapp import wording
from quizapp.app import QuizApp
from quizapp.events import DrillAnswered
from quizapp.paths import Paths
from quizapp.progress import Log
from quizapp.screens.base import BilingualScreen
from quizapp.screens.drill import DrillScreen
from quizapp.screens.home import HomeScreen
from quizapp.screens.palette import Commands
from quizapp.settings import load
from quizapp.widgets.answer import AnswerField
from quizapp.widgets.bilingual import Phrase
from quizapp.widgets.contents import Contents
from quizapp.widgets.matrices import Matrices
from quizapp.widgets.page import Page
from quizapp.widgets.wrapping import NEVER_FIRST
from solvers.verdict import Outcome
from tests.quizapp.conftest import text_of, type_text, until
from tests.quizapp.test_drill import open_drill

MakeApp = Callable[..., QuizApp]
SIZE = (80, 24)


def notices(app: QuizApp) -> str:
    return " ".join(notice.message for notice in app._notifications)


@pytest.mark.parametrize("language", Language)
async def test_ctrl_c_says_what_would_be_lost_and_leaves_at_the_second_press(make_app: MakeApp, language: Language) -> None:
    app = make_app(language)
    async with app.run_test(size=SIZE) as pilot:
        await open_drill(pilot, "softmax-row")
        await type_text(pilot, "0.5")
        await pilot.press("ctrl+c")
        await pilot.pause()
        assert wording.TYPED_LOST[language] in notices(app)
        assert app.is_running
        await pilot.press("ctrl+c")
        await pilot.pause()
    assert not app.is_running


async def test_ctrl_c_copies_a_selection(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await open_drill(pilot, "softmax-row")
        await type_text(pilot, "0.5")
        await pilot.press("shift+left", "shift+left", "ctrl+c")
        await pilot.pause()
        assert app.clipboard == ".5"
        assert not notices(app)
        await pilot.press("ctrl+c")
        await pilot.pause()
        assert app.is_running


async def test_any_other_key_takes_the_wish_to_leave_back(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("ctrl+c", "down", "ctrl+c")
        await pilot.pause()
        assert app.is_running
        await pilot.press("ctrl+c")
        await pilot.pause()
    assert not app.is_running


@pytest.mark.parametrize("key", ["q", "ｑ", "Q", "ctrl+q"])
async def test_q_leaves_at_once_where_nothing_is_lost(make_app: MakeApp, key: str) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press(key)
        await pilot.pause()
    assert not app.is_running


async def test_q_asks_where_something_would_be_lost(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await open_drill(pilot, "softmax-row")
        await type_text(pilot, "0.5")
        await pilot.press("escape", "q")
        await pilot.pause()
        assert app.is_running
        assert wording.TYPED_LOST.en in notices(app)
        await pilot.press("q")
        await pilot.pause()
    assert not app.is_running


async def test_a_letter_typed_between_takes_the_wish_to_leave_back(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await open_drill(pilot, "softmax-row")
        await pilot.press("ctrl+c", "q", "ctrl+c")
        await pilot.pause()
        assert app.is_running
        assert screen._fields[0].text == "q"


async def test_a_terminal_that_is_too_small_from_the_start(make_app: MakeApp) -> None:
    app = make_app(Language.ZH)
    async with app.run_test(size=(30, 8)) as pilot:
        await until(pilot, lambda: "36 列" in text_of(app))
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: "Transformer 面试练习" in text_of(app))


@pytest.mark.parametrize(
    ("language", "query", "found"),
    [
        (Language.EN, "attention by hand", "Attention by hand, in seven parts · level 1"),
        (Language.ZH, "手算", "手算注意力（七步） · 难度 1"),
        (Language.ZH, "layer-norm", "一个 token 的 LayerNorm · 难度 1"),
        (Language.EN, "一个分数", "One score · level 1"),
        (Language.EN, "dark", wording.NIGHT_THEME.en),
        (Language.ZH, "浅色", wording.DAY_THEME.zh),
        (Language.EN, "xyzzy", "Nothing by that name"),
        (Language.ZH, "xyzzy", wording.PALETTE_NOTHING.zh),
    ],
)
async def test_the_palette_finds_by_either_language(make_app: MakeApp, language: Language, query: str, found: str) -> None:
    app = make_app(language)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("ctrl+p")
        await until(pilot, lambda: isinstance(app.screen, CommandPalette))
        await type_text(pilot, query)
        await until(pilot, lambda: found in text_of(app))


async def test_the_palette_lists_a_place_once_that_has_a_key_too(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        names = [(command.name, command.tip) for command in Commands(app.screen)._commands()]
        assert (wording.PROGRESS, wording.PROGRESS_TIP) in names
        assert len(set(names)) == len(names)
        await pilot.pause()


async def test_the_palette_opens_a_drill(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("ctrl+p")
        await until(pilot, lambda: isinstance(app.screen, CommandPalette))
        await type_text(pilot, "layer-norm")
        await until(pilot, lambda: "LayerNorm of a token · level 1" in text_of(app))
        await pilot.press("down", "enter")
        await until(pilot, lambda: isinstance(app.screen, DrillScreen))


@pytest.mark.parametrize(("language", "expected"), [(Language.EN, wording.SUBMIT.en), (Language.ZH, wording.SUBMIT.zh)])
async def test_the_palette_offers_what_the_keys_do(make_app: MakeApp, language: Language, expected: str) -> None:
    app = make_app(language)
    async with app.run_test(size=(80, 50)) as pilot:
        screen = await open_drill(pilot, "softmax-row")
        await pilot.press("escape", "ctrl+p")
        await until(pilot, lambda: isinstance(app.screen, CommandPalette) and expected in text_of(app))
        await type_text(pilot, wording.DONT_KNOW[language])
        await pilot.pause(0.3)
        await pilot.press("enter")
        await until(pilot, lambda: screen._stage.name == "MARKED")


async def test_language_and_theme_are_kept(make_app: MakeApp, paths: Paths) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("l")
        app.choose_theme("day")
        await pilot.pause()
        await until(pilot, paths.settings.exists)
        await until(pilot, lambda: load(paths.settings, app.settings).settings == app.settings)
    kept = load(paths.settings, app.settings).settings
    assert (kept.language, kept.theme) == (Language.ZH, "day")


async def test_home_continues_with_what_the_log_knows(make_app: MakeApp, paths: Paths) -> None:
    with Log(paths.progress) as log:
        log.record(DrillAnswered("mix-row.2.00000", "mix-row", 2, ("1",), Outcome.WRONG, None, 0, 1, 1.0))
        log.record(DrillAnswered("gone.2.00000", "gone", 2, ("1",), Outcome.WRONG, None, 0, 1, 1.0))
        log.record(DrillAnswered("mix-row.3.00000", "mix-row", 3, ("1",), Outcome.WRONG, None, 0, 1, 1.0))
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: "continue" in text_of(app))
        assert isinstance(app.screen, HomeScreen)
        [line] = [line for line in text_of(app).splitlines() if "continue" in line]
        assert "One row of output from the weights" in line
        assert "level 3" in line


@pytest.mark.parametrize("variables", [{"LC_ALL": "zh_CN.UTF-8"}, {"LANGUAGE": "zh", "LC_ALL": "en_US.UTF-8"}])
def test_the_first_language_is_the_systems(monkeypatch: pytest.MonkeyPatch, variables: dict[str, str]) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert application.make_app().language == Language.ZH


def test_starting_loads_neither_torch_nor_what_only_other_jobs_need() -> None:
    program = "import quizapp.__main__, quizapp.app, sys; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    unwanted = {"torch", "sympy", "numpy", "click", "msgspec", "pylatexenc", "sqlite3", "question_bank.math", "solvers.answers"}
    assert not unwanted & set(loaded)
    assert "textual.app" in loaded


@pytest.mark.parametrize(
    "ours", [QuizApp, BilingualScreen, DrillScreen, HomeScreen, AnswerField, Contents, Page, Phrase, Matrices]
)
def test_nothing_shadows_a_name_of_textual(ours: type) -> None:
    textual = next(base for base in ours.__mro__ if base.__module__.startswith("textual."))
    meant = {
        *(
            "ALLOW_IN_MAXIMIZED_VIEW",
            "AUTO_FOCUS",
            "BINDINGS",
            "BINDING_GROUP_TITLE",
            "COMMANDS",
            "CSS_PATH",
            "DEFAULT_CSS",
            "TITLE",
        ),
        *("HORIZONTAL_BREAKPOINTS", "VERTICAL_BREAKPOINTS", "action_command_palette", "action_quit", "active_bindings"),
        *("can_focus", "can_focus_children", "check_action", "compose", "get_content_height", "get_content_width"),
        *("get_default_screen", "get_driver_class", "get_line_filters", "on_event", "render"),
    }
    own = {
        name for cls in ours.__mro__ if cls.__module__.startswith("quizapp.") for name in vars(cls) if not name.startswith("_")
    }
    assert own & set(dir(textual)) <= meant


async def test_a_notice_takes_the_place_of_the_one_before(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        for text in ("one", "two"):
            app.tell(same(text))
            await pilot.pause()
        assert notices(app) == "two"
        assert not app.sure("this", same("Lost."))
        await pilot.pause()
        assert notices(app).startswith("Lost.")
        assert app.sure("this", same("Lost."))
        assert notices(app) == ""


async def test_a_chinese_notice_breaks_as_chinese_does(make_app: MakeApp) -> None:
    app = make_app(Language.ZH)
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        app.tell(
            same("无法写入进度文件（文件是只读的）。请检查该文件夹的权限，或用环境变量 QUIZAPP_HOME 换一个文件夹，然后重启。")
        )
        await pilot.pause()
        lines = [strip.text.strip("▌ ") for strip in app.screen.query_one(Toast).render_lines(Region(0, 0, 40, 8))]
        assert lines[2] == "检查该文件夹的权限，或用环境变量"
        assert lines[3].startswith("QUIZAPP_HOME 换一个文件夹，然后")
        assert not any(line.startswith(tuple(NEVER_FIRST)) for line in lines if line)


async def test_a_notice_of_trouble_stays_for_its_time(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        app.tell(same("trouble"), lasting=True)
        await pilot.pause()
        app.tell(same("three"))
        await pilot.pause()
        assert notices(app) == "trouble three"
        assert not app.sure("this", same("Lost."))
        assert app.sure("this", same("Lost."))
        assert "trouble" in notices(app)
