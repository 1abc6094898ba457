"""A page that is left in the very moment in which it is put up: nothing stops for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from quizapp.app import QuizApp
from quizapp.screens.places import DrillPlace, InterviewPlace, LabPlace, Place, QuestionPlace, SheetPlace

PLACES = [QuestionPlace(8), DrillPlace("scale-row", 1), LabPlace("rates-and-dropout"), InterviewPlace(), SheetPlace()]


@pytest.mark.parametrize("place", PLACES, ids=lambda place: type(place).__name__)
@pytest.mark.parametrize("leave", [QuizApp.exit, QuizApp.pop_screen], ids=["quit", "back"])
async def test_a_page_left_while_it_is_put_up(
    make_app: Callable[..., QuizApp], place: Place, leave: Callable[[QuizApp], object]
) -> None:
    for turns in (0, 6):  # of the event loop, between opening and leaving
        app = make_app()
        async with app.run_test(size=(80, 24)) as pilot:  # which raises what the application stopped for
            await pilot.pause()
            app.open(place)
            for _turn in range(turns):
                await asyncio.sleep(0)
            leave(app)
        assert app.return_code in (None, 0)
