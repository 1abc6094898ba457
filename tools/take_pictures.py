"""Take the pictures that README shows.

    python -m tools.take_pictures [NAME...]

Drives the application without a terminal and writes SVG files to docs/images/. The answers that some screens show are made up,
at a made-up time, so that the pictures come out the same each time.
"""

from __future__ import annotations

import asyncio
import re
import sys
import tempfile
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path

from question_bank import problem
from question_bank.text import Language, Text
from quizapp.app import QuizApp
from quizapp.paths import Paths
from quizapp.progress import Log
from quizapp.screens.places import (
    CheckPlace,
    DrillPlace,
    InterviewPlace,
    LabPlace,
    LessonPlace,
    MakeSheetPlace,
    Place,
    ProgressPlace,
    QuestionPlace,
    SettingsPlace,
    SheetPlace,
    TodayPlace,
)
from quizapp.settings import Settings
from quizapp.sheets import record
from quizapp.sheets.plan import Copy, Languages, Paper, Sheet
from quizapp.theme import DAY, NIGHT
from tests.quizapp.study import study

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "images"

NOW = datetime(2026, 11, 29, 19, 30, tzinfo=UTC)
STUDIED = (160, 24)
"""Answers made up, and over how many days."""

SECONDS = 60.0
"""How long the solver may take to start, and a verdict to come."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture.

    Attributes:
        place: Where it is taken; None for home.
        keys: What is pressed there first: names of keys, or texts that are typed after an equals sign.
        shows: What must be on the screen before it is taken, as a selector.
        size: Columns and lines.
        language: The language.
        theme: The colours.
        studied: Whether answers lie in the log.
        daily: How many new items there are a day; None for what is so by default.
    """

    place: Place | None
    keys: tuple[str, ...] = ()
    shows: str = "*"
    size: tuple[int, int] = (80, 24)
    language: Language = Language.EN
    theme: str = DAY.name
    studied: bool = False
    daily: int | None = None


SHEET = Sheet("7.9", Languages.EN, Paper.A4, "s", (Copy("", (problem("scale-row", 2, 7), problem("softmax-row", 2, 7))),))
SAID_OF_V = (
    "=K is only for matching, once the weights are there its work is done; V carries the content, and d_v may differ from d_k"
)
"""To the first question of the mock interview."""
SAID = "=the dot product of two random vectors has variance d_k, so large scores saturate softmax and gradients vanish"

SCENES = {
    # The powers of 2 of the problem's row, over their sum
    "drill": Scene(DrillPlace("softmax-row", 2), ("=0.024 0.195 0.780", "enter"), "VerdictView"),
    "home": Scene(None, studied=True),
    "today": Scene(TodayPlace(), studied=True, theme=NIGHT.name),
    "question": Scene(QuestionPlace(7), (SAID, "escape", "enter"), "Spread", (100, 32)),
    "lesson": Scene(LessonPlace("7.9"), size=(100, 32), language=Language.ZH),
    "lab": Scene(LabPlace("softmax"), ("right", "plus", "plus"), "*", (100, 28), theme=NIGHT.name),
    "spot-the-bug": Scene(DrillPlace("spot-the-bug", 2), size=(80, 24), theme=NIGHT.name),
    "find": Scene(None, ("slash", "=mask"), theme=NIGHT.name),
    "help": Scene(DrillPlace("softmax-row", 2), ("escape", "question_mark"), size=(80, 28)),
    "check": Scene(
        CheckPlace(), ("down", "enter", "=2 1 3", "enter", "enter", "=0.25 0.19 0.56", "escape", "enter"), "VerdictView"
    ),
    "closing": Scene(TodayPlace(start=True), ("escape", "d", "4", "n"), "#session", daily=1),
    "interview": Scene(InterviewPlace(), language=Language.ZH),
    "turn": Scene(InterviewPlace(), ("enter", SAID_OF_V), "Area", theme=NIGHT.name),
    "report": Scene(
        InterviewPlace(), ("enter", SAID_OF_V, "escape", "enter", "escape", "f", "f"), ".computed, .said, Row", (100, 32)
    ),
    "make-sheet": Scene(MakeSheetPlace(Text("7.9 Scaling", "7.9 缩放"), (("scale-row", 1), ("dot-variance", 2)))),
    "sheet": Scene(SheetPlace("sheet.json"), ("=-0.167 0.5 -0.667",), "AnswerField", theme=NIGHT.name),
    "marks": Scene(SheetPlace("sheet.json"), ("=-0.167 0.5 -0.667", "escape", "m", "m"), "Row"),
    "progress": Scene(ProgressPlace(), studied=True, size=(100, 40)),
    "settings": Scene(SettingsPlace(), theme=NIGHT.name),
}


async def take(name: str, scene: Scene) -> None:
    """Take one picture."""
    with tempfile.TemporaryDirectory() as folder:
        paths = Paths(Path(folder), Path(folder))
        if scene.studied:
            with Log(paths.progress, lambda: NOW) as log:
                log.merge(study(*STUDIED, NOW))
        settings = Settings(scene.language, scene.theme)
        if name == "today":
            settings = replace(settings, interview=date(2026, 12, 18))
        if scene.daily is not None:
            settings = replace(settings, daily=scene.daily)
        place = scene.place
        if isinstance(place, SheetPlace):
            place = SheetPlace(str(Path(folder) / place.path))
            Path(place.path).write_text(record.write(SHEET), "utf-8")
        app = QuizApp(paths, settings, choice=lambda: "picture", cursor_blink=False, clock=lambda: NOW)
        async with app.run_test(size=scene.size) as pilot:
            if place is not None:
                app.open(place)
            await pilot.pause()
            await asyncio.wait_for(app.solver.start(), SECONDS)
            await pilot.pause(1.5)  # what the log and the solver have to say arrives
            for key in scene.keys:
                typed = key.startswith("=")
                for each in key[1:] if typed else (key,):
                    await pilot.press(
                        {" ": "space", ".": "full_stop", ",": "comma", "_": "underscore", "-": "minus", ";": "semicolon"}.get(
                            each, each
                        )
                    )
                await pilot.pause(0.2)
            async with asyncio.timeout(SECONDS):
                while scene.shows != "*" and not app.screen.query(scene.shows):
                    await pilot.pause(0.1)
            await pilot.pause(0.8)
            (FOLDER / f"{name}.svg").write_text(_alone(app.export_screenshot(title="quizapp")), encoding="utf-8")


def _alone(svg: str) -> str:
    """Leave out the fonts that the picture would fetch from elsewhere."""
    return re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)


async def main(names: list[str]) -> None:
    """Take the pictures of these names, or all of them."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in names or SCENES:
        await take(name, SCENES[name])


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
