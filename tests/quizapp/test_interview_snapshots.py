"""What the mock interview looks like, in both languages and at both sizes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from textual.pilot import Pilot

from question_bank.text import Language
from quizapp.app import QuizApp
from quizapp.events import InterviewHeld
from quizapp.interview.report import to_text
from quizapp.interview.under_way import save
from quizapp.paths import Paths
from quizapp.screens.interview import InterviewScreen
from quizapp.screens.interview_report import ReportScreen
from quizapp.screens.interview_turn import TurnScreen
from quizapp.screens.places import InterviewPlace
from quizapp.settings import Settings
from quizapp.widgets.entries import Area
from tests.quizapp.conftest import DirectSolver, until
from tests.quizapp.interviews import CODE, GOOD, PITFALL, held, report_of, wrong_root

Snap = Callable[..., bool]

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
SIZES = {"night": (80, 24), "day": (120, 40)}
SAID: list[str | tuple[str, ...] | None] = [f"{GOOD} {PITFALL}", "it depends", wrong_root(CODE), None, None]


def until_asked(app: QuizApp) -> bool:
    return isinstance(app.screen, TurnScreen) and not app.screen._busy


STATES = ("set-up", "question", "number", "report", "report-numbers")
LOOKS = [(state, "night", language) for state in STATES for language in Language]
LOOKS += [("set-up", "day", Language.ZH), ("question", "day", Language.EN), ("report", "day", Language.ZH)]
"""Everything on a small dark page, and some of it on a large light one."""


@pytest.mark.parametrize(("state", "theme", "language"), LOOKS)
def test_looks(paths: Paths, snap_compare: Snap, state: str, theme: str, language: Language) -> None:
    app = QuizApp(
        paths,
        Settings(language, theme),
        choice=lambda: "1",
        solver=DirectSolver(),  # type: ignore[arg-type]
        cursor_blink=False,
        clock=lambda: NOW,
    )
    report = replace(report_of(held(SAID)), started=NOW)

    async def go(pilot: Pilot[None]) -> None:
        if state.startswith("report"):
            app.push_screen(ReportScreen(report))
            await pilot.pause()
            if state == "report-numbers":
                app.screen.query(".computed").first().scroll_visible(animate=False, top=True)
        elif state == "set-up":
            await app.keeper.keep(InterviewHeld(NOW, 15, to_text(report)))
            app.open(InterviewPlace())
            await until(pilot, lambda: isinstance(app.screen, InterviewScreen) and app.screen._script is not None)
            await until(pilot, lambda: app.screen.query("#before Link"))
        else:
            given = held(SAID[:2] if state == "number" else SAID[:1]).given
            save(paths.interview, replace(held([]), ending=None, given=given, seconds=65.0))
            app.open(InterviewPlace())
            await until(pilot, lambda: isinstance(app.screen, InterviewScreen) and app.screen.query("#before Row"))
            await pilot.press("enter")
            await until(pilot, lambda: until_asked(app))
            if state == "question":
                app.screen.query_one(Area).insert("A small step\nfurther")
        await pilot.pause(0.2)

    assert snap_compare(app, terminal_size=SIZES[theme], run_before=go)
