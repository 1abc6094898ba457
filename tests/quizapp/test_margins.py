"""What hangs in the margin: no word of it is broken, however narrow the window."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rich.cells import cell_len

from question_bank import draw
from question_bank.text import Language, same
from quizapp.app import QuizApp
from quizapp.marking.marks import mark_copy
from quizapp.marking.places import HandedIn
from quizapp.screens.places import InterviewPlace, MakeSheetPlace, QuestionPlace, TodayPlace
from quizapp.screens.sheet_marks import MarksScreen
from quizapp.sheets.plan import Copy, Languages, Paper, Sheet
from quizapp.widgets.page import Row
from tests.quizapp.conftest import until

SHAPES = draw("qkv-shapes", 1, "s")
FORM = MakeSheetPlace.of(same("A sheet"), [draw("softmax-row", 1, "s"), draw("scale-row", 1, "s")])


def marks(_app: QuizApp) -> MarksScreen:
    copy = Copy("", (SHAPES,))
    marked = mark_copy(HandedIn("", copy, ((None,) * len(SHAPES.program.asks),)))
    return MarksScreen(Sheet("A sheet", Languages.EN, Paper.A4, "s", (copy,)), marked)


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize(
    ("place", "width"),
    [(InterviewPlace(), 40), (FORM, 40), (TodayPlace(), 40), (QuestionPlace(1), 40), (marks, 40), (marks, 80)],
    ids=["interview", "form", "today", "question", "marks", "marks-80"],
)
async def test_no_note_is_broken(make_app: Callable[..., QuizApp], place: object, language: Language, width: int) -> None:
    app = make_app(language)
    async with app.run_test(size=(width, 40)) as pilot:
        if place is marks:
            app.push_screen(marks(app))
        else:
            app.open(place)  # type: ignore[arg-type]
        await until(pilot, lambda: len(app.screen_stack) > 1 and app.screen.focused is not None)
        await pilot.pause()
        notes = [row.note for row in app.screen.query(Row) if row.note.written and row.note.size.width]
        assert notes
        for note in notes:
            assert all(cell_len(word) <= note.content_size.width for word in note.written.split()), note.written
            assert note.content_size.height == 1 or width == 40, note.written
