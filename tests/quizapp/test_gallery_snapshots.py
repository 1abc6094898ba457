"""How each screen looks by day, by night and without colours, small and wide, in both languages: each in four looks.

Drawn anew with ``pytest tests/quizapp/test_gallery_snapshots.py --snapshot-update`` when a change of the looks is meant.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from textual.pilot import Pilot

from question_bank.drills import DRILLS
from question_bank.problem import problem
from question_bank.text import Language, Text
from quizapp import conductor
from quizapp.app import QuizApp
from quizapp.events import Item
from quizapp.paths import Paths
from quizapp.planning import CourseItem
from quizapp.progress import Log
from quizapp.screens import home_contents
from quizapp.screens.drill import Stage
from quizapp.screens.places import (
    CheckPlace,
    LabPlace,
    LessonPlace,
    MakeSheetPlace,
    ProgressPlace,
    QuestionPlace,
    SettingsPlace,
    SheetPlace,
)
from quizapp.screens.sheet_answers import AnswersScreen
from quizapp.screens.sheet_marks import MarksScreen
from quizapp.settings import Settings
from quizapp.sheets import record
from quizapp.sheets.plan import Copy, Languages, Paper, Sheet
from quizapp.widgets.bilingual import Phrase
from quizapp.widgets.lesson import LessonPart
from quizapp.widgets.model_answer import Rate
from quizapp.widgets.stops import FieldArea
from quizapp.widgets.verdict import VerdictView
from tests.quizapp.conftest import DirectSolver, type_text, until
from tests.quizapp.study import study
from tests.quizapp.test_drill import open_drill
from tests.quizapp.test_lab import open_lab
from tests.quizapp.test_today import on_today

Compare = Callable[..., bool]
Play = Callable[[Pilot[None], QuizApp], Awaitable[None]]

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
SEED = 7
LISTED = ("project-row", "score-entry", "score-matrix", "scale-row", "softmax-row", "attention-by-hand", "layer-norm")
SHEET = Sheet("A", Languages.EN, Paper.A4, "s", (Copy("", (problem("scale-row", 2, SEED), problem("softmax-row", 2, SEED))),))


async def _home(pilot: Pilot[None], app: QuizApp) -> None:
    await until(pilot, lambda: app.screen._state.today is not None)  # type: ignore[attr-defined]


async def _find(pilot: Pilot[None], app: QuizApp) -> None:
    await _home(pilot, app)
    await pilot.press("/", *"noam")
    await pilot.pause(0.3)


async def _help(pilot: Pilot[None], app: QuizApp) -> None:
    await open_drill(pilot, "scale-row", 2, problem("scale-row", 2, SEED).code)
    await pilot.press("escape", "?")


async def _drill(pilot: Pilot[None], app: QuizApp) -> None:
    await open_drill(pilot, "score-matrix", 2, problem("score-matrix", 2, SEED).code)
    await type_text(pilot, "[1 2 3; 4 5 6; 7 8 9]\n\n")
    await until(pilot, lambda: app.screen._stage is Stage.MARKED)  # type: ignore[attr-defined]


async def _question(pilot: Pilot[None], app: QuizApp) -> None:
    app.open(QuestionPlace(7))
    await until(pilot, lambda: app.screen.query(FieldArea))
    await type_text(pilot, "the variance is dk so softmax saturates, so we divide by d_model")
    await pilot.press("escape", "enter")
    await until(pilot, lambda: app.screen.query(Rate))


async def _lesson(pilot: Pilot[None], app: QuizApp) -> None:
    app.open(LessonPlace("7.9"))
    await until(pilot, lambda: app.screen.query(LessonPart))


async def _open_lab(pilot: Pilot[None], name: str) -> None:
    screen = await open_lab(pilot, LabPlace(name))
    await pilot.press("plus")
    await until(pilot, lambda: screen._bench.frame.state == screen._bench.state)  # type: ignore[union-attr]
    await until(pilot, lambda: screen.query_one("#look .row-body Phrase", Phrase).text is not None)


async def _lab(pilot: Pilot[None], app: QuizApp) -> None:
    await _open_lab(pilot, "causal-mask")


async def _curves(pilot: Pilot[None], app: QuizApp) -> None:
    await _open_lab(pilot, "position-curves")


async def _check(pilot: Pilot[None], app: QuizApp) -> None:
    app.open(CheckPlace())
    await until(pilot, lambda: app.focused is not None)
    await pilot.press("down", "enter")
    await pilot.pause(0.1)
    await type_text(pilot, "2 1 3\n\n0.25 0.19 0.56")
    await pilot.press("escape", "enter")
    await until(pilot, lambda: app.screen.query(VerdictView))


async def _today(pilot: Pilot[None], app: QuizApp) -> None:
    await on_today(app, pilot)


async def _progress(pilot: Pilot[None], app: QuizApp) -> None:
    with Log(app.paths.progress, lambda: NOON) as log:
        log.merge(study(60, 12, NOON))
    app.open(ProgressPlace())
    await pilot.pause(0.5)


async def _settings(pilot: Pilot[None], app: QuizApp) -> None:
    app.open(SettingsPlace())


async def _make_sheet(pilot: Pilot[None], app: QuizApp) -> None:
    app.open(MakeSheetPlace(Text("7.9 Scaling", "7.9 缩放"), (("scale-row", 1), ("dot-variance", 2))))


def _written(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "s.json"
    path.write_text(record.write(SHEET), "utf-8")
    return path


async def _answers(pilot: Pilot[None], app: QuizApp) -> None:
    app.open(SheetPlace(str(_written(app.paths.sheets))))
    await until(pilot, lambda: isinstance(app.screen, AnswersScreen) and app.focused and not app.screen._turning)
    await type_text(pilot, "1 2")


async def _marks(pilot: Pilot[None], app: QuizApp) -> None:
    await _answers(pilot, app)
    await pilot.press("escape", "m", "m")  # the first time it says that a blank is given up
    await until(pilot, lambda: isinstance(app.screen, MarksScreen))


SCENES: dict[str, Play] = {
    "home": _home,
    "find": _find,
    "help": _help,
    "drill": _drill,
    "question": _question,
    "lesson": _lesson,
    "lab": _lab,
    "curves": _curves,
    "check": _check,
    "today": _today,
    "progress": _progress,
    "settings": _settings,
    "make-sheet": _make_sheet,
    "answers": _answers,
    "marks": _marks,
}
LOOKS = (
    ("night", (80, 24), Language.EN),
    ("day", (120, 40), Language.ZH),
    ("plain", (80, 24), Language.ZH),
    ("plain", (120, 40), Language.EN),
)


@pytest.fixture(autouse=True)
def _same_contents(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Have home and Today list the same whatever is added to the bank; what is searched through is the whole of it."""
    if not any(whole in request.node.name for whole in ("find", "progress")):
        monkeypatch.setattr(home_contents, "DRILLS", {drill: DRILLS[drill] for drill in LISTED})
    monkeypatch.setattr(conductor, "course_of", lambda _bank: tuple(CourseItem(Item(drill), "7.9") for drill in LISTED))


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: f"{look[0]}-{look[1][0]}-{look[2]}")
@pytest.mark.parametrize("scene", SCENES)
def test_looks(
    snap_compare: Compare,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    scene: str,
    look: tuple[str, tuple[int, int], Language],
) -> None:
    monkeypatch.chdir(tmp_path)  # the settings say where they are
    theme, size, language = look
    app = QuizApp(
        Paths(Path("quizapp"), Path("quizapp")),
        Settings(language, theme),
        choice=lambda: "1",
        solver=DirectSolver(),  # type: ignore[arg-type]
        cursor_blink=False,
        clock=lambda: NOON,
    )

    async def play(pilot: Pilot[None]) -> None:
        await SCENES[scene](pilot, app)
        await pilot.pause()
        await pilot.pause(0.2)
        assert app.is_running  # a picture of an application that has left would be as good as any

    assert snap_compare(app, terminal_size=size, run_before=play)
