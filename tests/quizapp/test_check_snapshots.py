"""What the self-check screen looks like, in both languages."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from textual.pilot import Pilot

from question_bank.text import Language
from quizapp.app import QuizApp
from quizapp.screens.check import CheckScreen
from quizapp.screens.places import CheckPlace
from quizapp.widgets.own_fields import OwnField
from quizapp.widgets.verdict import VerdictView
from tests.quizapp.conftest import until

MakeApp = Callable[..., QuizApp]
Snap = Callable[..., bool]

ATTENTION = {"q": "1 0\n1 1\n2 1", "k": "0 1; 1 0; 1 1", "v": "1 0 x"}
STATES: dict[str, tuple[tuple[int, int], list[str], dict[str, str], list[str]]] = {
    "operations": ((80, 24), ["down"], {}, []),
    "fields": ((80, 24), ["enter"], ATTENTION, []),
    "wrong": ((80, 24), ["down", "enter"], {"s": "2 1 3", "result": "0.25 0.19 0.56"}, ["escape", "enter"]),
    "steps": ((80, 24), ["down", "enter"], {"s": "2 1 3"}, ["escape", "d", "s"]),
    "attention": (
        (120, 40),
        ["enter"],
        ATTENTION | {"v": "1 0\n0 1\n1 1", "result": "0.60 0.80; 0.75 0.75; 0.72 0.90"},
        ["escape", "enter"],
    ),
}


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("state", STATES)
def test_looks(make_app: MakeApp, snap_compare: Snap, state: str, language: Language) -> None:
    size, operation, texts, keys = STATES[state]
    app = make_app(language, "day" if state == "attention" else "night")

    async def go(pilot: Pilot[None]) -> None:
        app.open(CheckPlace())
        await until(pilot, lambda: isinstance(app.screen, CheckScreen) and app.focused)
        await pilot.press(*operation)
        await pilot.pause(0.1)
        for field in app.screen.query(OwnField):
            field.area.put(texts.get(field.key, ""))
        await pilot.pause(0.1)
        for key in keys:
            await pilot.press(key)
            await pilot.pause(0.1)
            if key in ("enter", "d"):
                await until(pilot, lambda: app.screen.query(VerdictView) or app.screen.query(".echo.almost"))
        await pilot.pause(0.2)

    assert snap_compare(app, terminal_size=size, run_before=go)
