"""What the question screen looks like, in both languages."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from textual.pilot import Pilot

from question_bank.text import Language
from quizapp.app import QuizApp
from quizapp.screens.places import QuestionPlace
from quizapp.widgets.model_answer import Rate
from tests.quizapp.conftest import type_text, until

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)

MakeApp = Callable[..., QuizApp]
Snap = Callable[..., bool]

ANSWER = "So that the variance is 1.\nElse softmax saturates."
STATES: dict[str, tuple[tuple[int, int], str, list[str]]] = {
    "asked": ((80, 24), "", []),
    "options": ((80, 24), "", ["escape", "o"]),
    "chosen": ((80, 24), "", ["escape", "o", "b"]),
    "revealed": ((80, 24), ANSWER, ["escape", "enter"]),
    "ticking": ((80, 24), "", ["escape", "enter", "pagedown", "down", "down", "space", "down", "space", "down"]),
    "rated": ((80, 24), "", ["escape", "enter", "3"]),
    "beside": ((120, 40), ANSWER, ["escape", "enter"]),
}


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("state", STATES)
def test_looks(make_app: MakeApp, snap_compare: Snap, state: str, language: Language) -> None:
    size, typed, keys = STATES[state]
    app = make_app(language, "day" if state == "beside" else "night", clock=lambda: NOON)

    async def go(pilot: Pilot[None]) -> None:
        app.open(QuestionPlace(7))
        await until(pilot, lambda: app.focused is not None and app.focused.id == "answer")
        await pilot.pause()
        await type_text(pilot, typed)
        for key in keys:
            await pilot.press(key)
            await pilot.pause(0.1)
        if state == "rated":
            await until(pilot, lambda: app.screen.query(".is-kept"))
        if app.screen.query(Rate):
            await until(pilot, lambda: "Dec" in app.screen.query(Rate).last().line.en)  # the dates are there
        await pilot.pause(0.2)

    assert snap_compare(app, terminal_size=size, run_before=go)
