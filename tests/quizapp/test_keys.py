"""Keys that arrive in one burst go where the keys before them led."""

from __future__ import annotations

from collections.abc import Callable

from textual import events

from question_bank.text import Language
from quizapp.app import QuizApp
from quizapp.screens.places import DrillPlace
from quizapp.widgets.entries import Line
from quizapp.widgets.grid import Cell, GridEntry
from tests.quizapp.conftest import DirectSolver, until

MakeApp = Callable[..., QuizApp]

NAMES = {"⏎": "enter", "⇥": "tab", "⌫": "backspace", " ": "space", ".": "full_stop"}


def burst(app: QuizApp, keys: str) -> None:
    """Press all at once, before the application can look at the first."""
    for key in keys:
        app.post_message(events.Key(NAMES.get(key, key), key if key.isprintable() and key not in "⏎⇥⌫" else None))


async def test_cells_fill_in_order(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        app.open(DrillPlace("causal-matrix", 1))
        await until(pilot, lambda: isinstance(app.focused, Cell))
        burst(app, "1⏎22⌫⇥3⏎4⏎0.5⇥6")
        grid = app.screen.query_one(GridEntry)
        await until(pilot, lambda: grid.filled == 6)
        assert [cell.value for cell in grid.cells] == ["1", "2", "3", "4", "0.5", "6", "", "", ""]


async def test_what_is_typed_behind_the_last_enter_is_not_marked(make_app: MakeApp) -> None:
    solver = DirectSolver()
    app = make_app(Language.EN, solver=solver)
    async with app.run_test(size=(80, 24)) as pilot:
        app.open(DrillPlace("softmax-row", 1))
        await until(pilot, lambda: isinstance(app.focused, Line))
        burst(app, ".4 .2 .3⏎3⏎sn")
        await until(pilot, lambda: bool(solver.calls))
        assert solver.calls == [(".4 .2 .3",)]
