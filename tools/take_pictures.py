"""Take the pictures that README shows.

    python tools/take_pictures.py

Drives the application without a terminal and writes SVG files to docs/images/.
"""

from __future__ import annotations

import asyncio
import re
import tempfile
from pathlib import Path

from question_bank.text import Language
from quizapp.app import QuizApp
from quizapp.paths import Paths
from quizapp.screens.places import DrillPlace
from quizapp.settings import Settings
from quizapp.theme import DAY

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "images"
TYPED = "0.024 0.195 0.780"
"""The powers of 2 of the problem's row, over their sum."""

SECONDS = 60.0
"""How long the solver may take to start."""


async def main() -> None:
    """Answer one drill wrongly, as a person who takes powers of 2 would, and picture the verdict."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as home:
        app = QuizApp(
            Paths(Path(home), Path(home)), Settings(Language.EN, DAY.name), choice=lambda: "picture", cursor_blink=False
        )
        async with app.run_test(size=(80, 24)) as pilot:
            app.open(DrillPlace("softmax-row", 2))
            await pilot.pause()
            await asyncio.wait_for(app.solver.start(), SECONDS)
            for key in TYPED:
                await pilot.press({" ": "space", ".": "full_stop"}.get(key, key))
            await pilot.press("enter")
            while not app.screen.query("VerdictView"):
                await pilot.pause(0.1)
            await pilot.pause(0.3)
            (FOLDER / "drill.svg").write_text(_alone(app.export_screenshot(title="quizapp")), encoding="utf-8")


def _alone(svg: str) -> str:
    """Leave out the fonts that the picture would fetch from elsewhere."""
    return re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)


if __name__ == "__main__":
    asyncio.run(main())
