"""The theme without colours: no colour reaches the terminal, and everything that a colour said is said by an attribute."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rich.segment import Segment
from rich.style import Style

from question_bank.text import Language
from quizapp import app as application
from quizapp.app import QuizApp
from quizapp.paths import Paths
from quizapp.screens.drill import DrillScreen
from quizapp.screens.places import CheckPlace, LessonPlace, Place, ProgressPlace, QuestionPlace, SettingsPlace
from quizapp.theme.plain import PLAIN, attributes
from quizapp.widgets.blocks import TINT
from tests.quizapp.conftest import footer_of, text_of, type_text, until
from tests.quizapp.test_drill import open_drill

MakeApp = Callable[..., QuizApp]


def segments(app: QuizApp) -> list[Segment]:
    """Return what is drawn, blanks left out."""
    return [segment for strip in app.screen._compositor.render_strips() for segment in strip if segment.text.strip()]


def colours(app: QuizApp) -> list[str]:
    """Return the styles drawn that have a colour."""
    shown = (segment.style for segment in segments(app) if segment.style is not None)
    return [
        str(style)
        for style in shown
        if any(colour is not None and not colour.is_default for colour in (style.color, style.bgcolor))
    ]


def drawn(app: QuizApp, text: str) -> Style:
    """Return how a piece of text is drawn."""
    return next(segment.style for segment in segments(app) if text in segment.text and segment.style is not None)


@pytest.mark.parametrize("place", [None, QuestionPlace(7), LessonPlace("7.9"), CheckPlace(), SettingsPlace(), ProgressPlace()])
async def test_no_colour_is_drawn(make_app: MakeApp, place: Place | None) -> None:
    app = make_app(Language.EN, PLAIN.name)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        if place is not None:
            app.open(place)
            await pilot.pause()
        assert len(text_of(app).split()) > 20
        assert colours(app) == []
        await pilot.press("ctrl+p")
        await pilot.pause()
        assert colours(app) == []


async def test_what_is_selected_stands_out(make_app: MakeApp) -> None:
    app = make_app(Language.EN, PLAIN.name)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(*["down"] * 5)  # past today, interview, start, check and paper
        await pilot.pause()
        assert drawn(app, "Attention basics").reverse
        assert not drawn(app, "Position and order").reverse


@pytest.mark.parametrize(("typed", "sign", "bold"), [("1/3 1/3 1/3", "✗", True), ("?", "", False)])
async def test_a_verdict_can_be_read(make_app: MakeApp, typed: str, sign: str, bold: bool) -> None:
    app = make_app(Language.EN, PLAIN.name)
    async with app.run_test(size=(80, 24)) as pilot:
        await open_drill(pilot, "softmax-row")
        await type_text(pilot, typed)
        field = next(segment.style for segment in segments(app) if typed in segment.text)
        assert field is not None
        assert field.underline  # the line that is written on
        await pilot.press("enter")
        if sign:
            await until(pilot, lambda: "Next" in footer_of(app))
            assert isinstance(app.screen, DrillScreen)
            assert drawn(app, sign).bold is bold
        await pilot.pause()
        assert colours(app) == []


async def test_the_theme_can_be_left_and_taken_while_running(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert colours(app)
        app.choose_theme(PLAIN.name)
        await pilot.pause()
        await pilot.pause()
        assert colours(app) == []
        app.choose_theme("day")
        await pilot.pause()
        await pilot.pause()
        assert colours(app)


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        (Style.parse("#ffffff on #000000"), Style()),
        (Style.parse("#000000 on #ffffff"), Style(reverse=True)),
        (Style.parse("bold #ffffff on #000000"), Style(bold=True)),
        (Style.parse("#ffffff on #020202"), Style(underline=True)),
        (Style.parse("#fefefe on #000000"), Style(bold=True, underline=True)),
        (Style.parse("#fffffe on #000000"), Style(bold=True)),
        (Style.parse("#ffffff on #0a0a0a"), Style()),
        (Style.parse("reverse #000000 on #ffffff"), Style(reverse=True)),
    ],
)
def test_a_style_becomes_attributes(style: Style, expected: Style) -> None:
    made = attributes(style)
    assert made is not None
    for name in ("bold", "underline", "reverse", "italic", "dim"):
        assert bool(getattr(made, name)) == bool(getattr(expected, name)), name


@pytest.mark.parametrize(("value", "theme"), [("1", "plain"), ("", "day"), (None, "day")])
def test_no_color_is_respected(paths: Paths, monkeypatch: pytest.MonkeyPatch, value: str | None, theme: str) -> None:
    paths.config.mkdir()
    paths.settings.write_text('theme = "day"\n')
    monkeypatch.setattr(application, "find_paths", lambda: paths)
    monkeypatch.delenv("NO_COLOR", raising=False)
    if value is not None:
        monkeypatch.setenv("NO_COLOR", value)
    assert application.make_app().theme == theme
    assert paths.settings.read_text() == 'theme = "day"\n'


def test_a_heat_map_is_read_by_its_shades_alone() -> None:
    """Its tints, that would part it into cells turned over and cells not, are left out; what is selected stays turned over."""
    hottest = f"#{round(255 * TINT / 100):02x}" + f"{round(255 * TINT / 100):02x}" * 2
    assert [bool(attributes(Style(bgcolor=ground)).reverse) for ground in (hottest, "#ffffff")] == [False, True]  # type: ignore[union-attr]
