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

from question_bank.text import Language
from quizapp.app import QuizApp
from quizapp.paths import Paths
from quizapp.progress import Log
from quizapp.screens.places import (
    DrillPlace,
    InterviewPlace,
    LabPlace,
    LessonPlace,
    Place,
    ProgressPlace,
    QuestionPlace,
    SettingsPlace,
    TodayPlace,
)
from quizapp.settings import Settings
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
    """

    place: Place | None
    keys: tuple[str, ...] = ()
    shows: str = "*"
    size: tuple[int, int] = (80, 24)
    language: Language = Language.EN
    theme: str = DAY.name
    studied: bool = False


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
    "interview": Scene(InterviewPlace(), language=Language.ZH),
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
        app = QuizApp(paths, settings, choice=lambda: "picture", cursor_blink=False, clock=lambda: NOW)
        async with app.run_test(size=scene.size) as pilot:
            if scene.place is not None:
                app.open(scene.place)
            await pilot.pause()
            await asyncio.wait_for(app.solver.start(), SECONDS)
            await pilot.pause(1.5)  # what the log and the solver have to say arrives
            for key in scene.keys:
                typed = key.startswith("=")
                for each in key[1:] if typed else (key,):
                    await pilot.press({" ": "space", ".": "full_stop", ",": "comma", "_": "underscore"}.get(each, each))
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
