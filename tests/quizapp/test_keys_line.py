"""What is cut where there is little room: no key's name at the foot, and a title only with an ellipsis."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rich.cells import cell_len
from textual.widgets._footer import FooterKey

from question_bank.text import Language
from quizapp.app import QuizApp
from quizapp.screens.places import DrillPlace as Drill
from quizapp.screens.places import Place, QuestionPlace
from quizapp.widgets.keys_line import fitting
from tests.quizapp.conftest import footer_of, text_of, until

MakeApp = Callable[..., QuizApp]


def keys(*labels: str) -> list[FooterKey]:
    actions = {"?": "app.help", "l": "app.switch_language", "esc": "back", "^p": "app.command_palette"}
    split = [label.partition(" ") for label in labels]
    return [FooterKey(key, key, label, actions.get(key, key)) for key, _, label in split]


ALL = ("a One", "b 二", "esc Back", "? Help", "l 中文", "^p Menu")


@pytest.mark.parametrize(
    ("room", "gap", "shown"),
    [
        (80, 1, "a b esc ? l ^p"),
        (5 + 4 + 8 + 6 + 6 + 7 + 5, 1, "a b esc ? l ^p"),
        (5 + 4 + 8 + 6 + 6 + 7 + 4, 1, "a b esc ? ^p"),
        (5 + 4 + 8 + 6 + 6 + 7 + 5, 2, "a b esc ? ^p"),
        (5 + 4 + 8 + 6 + 7 + 3, 1, "a b ? ^p"),
        (5 + 4 + 6 + 7 + 2, 1, "a ? ^p"),
        (5 + 6 + 7 + 1, 1, "? ^p"),
        (3, 1, "? ^p"),
    ],
)
def test_keys_are_left_out_whole(room: int, gap: int, shown: str) -> None:
    assert " ".join(key.key for key in fitting(keys(*ALL), room, gap)) == shown


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("place", [QuestionPlace(27), Drill("encoder-shape", 1)])
async def test_no_label_is_cut_at_any_width(make_app: MakeApp, language: Language, place: Place) -> None:
    app = make_app(language)
    async with app.run_test(size=(120, 24)) as pilot:
        app.open(place)
        await until(pilot, lambda: app.screen.focused is not None)
        await pilot.press("escape")
        before = 0
        for width in (40, 47, 60, 66, 73, 80, 120):
            await pilot.resize_terminal(width, 24)
            await until(pilot, lambda: app.size.width <= cell_len(footer_of(app)) + 4)
            await pilot.pause()
            shown = [key for key in app.screen.query(FooterKey) if key.is_on_screen]
            for key in shown:
                assert key.description
                assert f"{key.key_display} {key.description}" in footer_of(app)
            assert len(shown) >= before
            before = len(shown)
        assert before == len(shown) > 5


@pytest.mark.parametrize(
    ("width", "heading"),
    [
        (40, "The structure of…  7.2 Masks, cross"),
        (60, "The structure of the enco…  7.2 Masks, cross-attention,…"),
        (80, "The structure of the encoder"),
    ],
)
async def test_a_title_is_cut_with_an_ellipsis(make_app: MakeApp, width: int, heading: str) -> None:
    app = make_app()
    async with app.run_test(size=(width, 24)) as pilot:
        app.open(QuestionPlace(27))
        await until(pilot, lambda: app.screen.focused is not None)
        await pilot.pause()
        assert heading in text_of(app).splitlines()[0]
