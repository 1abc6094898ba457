"""How Today, an item of the session after its verdict, and the closing page look, with the clock standing still.

Drawn anew with ``pytest tests/quizapp/test_today_snapshots.py --snapshot-update`` when a change of the looks is meant.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import date, timedelta

import pytest
from textual.pilot import Pilot

from question_bank.problem import problem
from question_bank.text import Language
from quizapp import conductor
from quizapp.app import QuizApp
from quizapp.events import Item
from quizapp.paths import Paths
from quizapp.planning import CourseItem
from quizapp.screens.closing import ClosingScreen
from quizapp.screens.drill import DrillScreen
from quizapp.settings import Settings
from quizapp.widgets.stops import Link
from tests.quizapp.conftest import DirectSolver, until
from tests.quizapp.test_today import DAY, NOON, HandClock, answer, at_item, go_on, on_today, start, tell

COURSE = (("Q7", "7.9"), ("scale-row", "7.9"), ("softmax-row", "7.10"), ("mix-row", "7.11"), ("layer-norm", "7.20"))
"""Always the same items, whatever is added to the bank."""
SEED = 7


async def _today(pilot: Pilot[None], app: QuizApp) -> None:
    await on_today(app, pilot)


async def _rated(pilot: Pilot[None], app: QuizApp) -> None:
    screen = await start(app, pilot)
    assert isinstance(screen, DrillScreen)
    await screen._show(problem(screen._place.drill, 1, SEED))
    await answer(pilot, screen, well=False)


async def _closing(pilot: Pilot[None], app: QuizApp) -> None:
    """Fail at the first item, and get all others right."""
    screen = await start(app, pilot)
    await answer(pilot, screen, well=False)
    while True:
        await go_on(pilot, screen)
        await until(pilot, lambda here=screen: app.screen is not here)  # type: ignore[misc]
        if isinstance(app.screen, ClosingScreen):
            break
        screen = await at_item(app, pilot, screen)
        await answer(pilot, screen)
    await until(pilot, lambda: app.screen.query(Link))


@dataclass(frozen=True)
class Scene:
    """What is done before the picture is taken."""

    name: str
    play: Callable[[Pilot[None], QuizApp], Awaitable[None]]
    size: tuple[int, int] = (80, 24)
    theme: str = "night"
    interview: date | None = DAY + timedelta(days=3)


SCENES = [
    Scene("today", _today),
    Scene("today-wide", _today, (120, 40), "day", None),
    Scene("rated", _rated, theme="day"),
    Scene("closing", _closing),
]


@pytest.fixture(autouse=True)
def _same_course(monkeypatch: pytest.MonkeyPatch) -> None:
    course = tuple(CourseItem(Item(item), section) for item, section in COURSE)
    monkeypatch.setattr(conductor, "course_of", lambda _bank: course)


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_looks(snap_compare: Callable[..., bool], paths: Paths, scene: Scene, language: Language) -> None:
    clock = HandClock(NOON - timedelta(days=5))
    tell(paths, clock, ("softmax-row", DAY), ("scale-row", DAY + timedelta(days=2)))
    clock.now = NOON
    app = QuizApp(
        paths,
        Settings(language, scene.theme, daily=1, interview=scene.interview),
        choice=lambda: "x",
        solver=DirectSolver(),
        cursor_blink=False,
        clock=clock,
    )

    async def play(pilot: Pilot[None]) -> None:
        await scene.play(pilot, app)
        await pilot.pause(0.2)

    assert snap_compare(app, terminal_size=scene.size, run_before=play)
