"""How the screens look, at 80×24 in both languages: home, a drill, a verdict, worked steps, several parts.

Drawn anew with ``pytest tests/quizapp/test_snapshots.py --snapshot-update`` when a change of the looks is meant.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest
from textual.pilot import Pilot

from question_bank.drills import DRILLS
from question_bank.problem import problem
from question_bank.text import Language
from quizapp import conductor
from quizapp.app import QuizApp
from quizapp.events import Item
from quizapp.planning import CourseItem
from quizapp.screens import home_contents
from quizapp.screens.drill import Stage
from quizapp.screens.places import LabPlace, LessonPlace, QuestionPlace
from quizapp.widgets.bilingual import Phrase
from quizapp.widgets.lesson import LessonPart
from quizapp.widgets.stops import FieldArea
from tests.quizapp.conftest import type_text, until
from tests.quizapp.test_drill import open_drill
from tests.quizapp.test_home import TO_SECTION_5
from tests.quizapp.test_lab import open_lab

MakeApp = Callable[..., QuizApp]
Compare = Callable[..., bool]

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
SEED = 7
"""Always the same numbers, whichever seeds are offered to people."""


@dataclass(frozen=True)
class Scene:
    """What is done before the picture is taken."""

    name: str
    play: Callable[[Pilot[None]], Awaitable[None]]
    lines: int = 24
    theme: str = "night"


async def _home(pilot: Pilot[None]) -> None:
    await pilot.press(*TO_SECTION_5, "enter", "down", "down", "right")


async def _open(pilot: Pilot[None], drill: str, level: int) -> None:
    await open_drill(pilot, drill, level, problem(drill, level, SEED).code)


async def _line(pilot: Pilot[None]) -> None:
    await _open(pilot, "softmax-row", 2)
    await type_text(pilot, "0.25 0.5 1/4")


async def _grid(pilot: Pilot[None]) -> None:
    await _open(pilot, "attention-by-hand", 2)
    await type_text(pilot, "1\t2")


async def _wrong(pilot: Pilot[None]) -> None:
    await _open(pilot, "score-matrix", 2)
    await type_text(pilot, "[1 2 3; 4 5 6; 7 8 9]\n\n")
    await until(pilot, lambda: pilot.app.screen._stage is Stage.MARKED)  # type: ignore[attr-defined]


async def _steps(pilot: Pilot[None]) -> None:
    await _open(pilot, "scale-row", 1)
    await pilot.press("escape", "d")
    await until(pilot, lambda: pilot.app.screen._stage is Stage.MARKED)  # type: ignore[attr-defined]
    await pilot.press("s")
    await until(pilot, lambda: pilot.app.screen.query(".step"))


async def _help(pilot: Pilot[None]) -> None:
    await pilot.press("?")


async def _lesson(pilot: Pilot[None]) -> None:
    pilot.app.open(LessonPlace("7.9"))  # type: ignore[attr-defined]
    await until(pilot, lambda: pilot.app.screen.query(LessonPart))
    await pilot.press("5", "4")


async def _lab(pilot: Pilot[None]) -> None:
    screen = await open_lab(pilot, LabPlace("causal-mask"))
    await pilot.press("m", "plus")
    await until(pilot, lambda: screen._bench.frame.state == screen._bench.state)  # type: ignore[union-attr]
    await until(pilot, lambda: screen.query_one("#look .row-body Phrase", Phrase).text is not None)


async def _marked(pilot: Pilot[None]) -> None:
    pilot.app.open(QuestionPlace(7))  # type: ignore[attr-defined]
    await until(pilot, lambda: pilot.app.screen.query(FieldArea))
    await type_text(pilot, "the variance is dk so softmax saturates, so we divide by d_model")
    await pilot.press("escape", "enter")


SCENES = [
    Scene("lesson", _lesson),
    Scene("lab", _lab, lines=40),
    Scene("marked", _marked, lines=40, theme="day"),
    Scene("home", _home),
    Scene("line", _line, theme="day"),
    Scene("grid", _grid),
    Scene("wrong", _wrong, theme="day"),
    Scene("steps", _steps, lines=40),
    Scene("help", _help),
]


@pytest.fixture(autouse=True)
def _same_contents(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have home list the same whatever is added to the bank."""
    listed = ("project-row", "score-entry", "score-matrix", "scale-row", "softmax-row", "attention-by-hand", "layer-norm")
    monkeypatch.setattr(home_contents, "DRILLS", {drill: DRILLS[drill] for drill in listed})
    monkeypatch.setattr(conductor, "course_of", lambda _bank: tuple(CourseItem(Item(drill), "7.9") for drill in listed))


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_looks(snap_compare: Compare, make_app: MakeApp, scene: Scene, language: Language) -> None:
    async def play(pilot: Pilot[None]) -> None:
        await until(pilot, lambda: pilot.app.screen._state.today is not None)  # type: ignore[attr-defined]
        await scene.play(pilot)
        await pilot.pause()
        await pilot.pause(0.2)

    assert snap_compare(make_app(language, scene.theme, clock=lambda: NOON), terminal_size=(80, scene.lines), run_before=play)
