"""The lab screen: what changes is followed at once, and the ways to labs from everywhere else."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from textual.pilot import Pilot

from question_bank import draw, labs
from question_bank.drills import DRILLS
from question_bank.text import Language
from quizapp import wording_lab as wording
from quizapp.app import QuizApp
from quizapp.screens.drill import DrillScreen, Stage
from quizapp.screens.lab import LabScreen
from quizapp.screens.lesson import LessonScreen
from quizapp.screens.places import LabPlace, LessonPlace, QuestionPlace
from quizapp.screens.question import QuestionScreen
from quizapp.solver_process import SolverError
from quizapp.widgets.bilingual import Phrase
from quizapp.widgets.board import At, Board
from solvers.frames import frame_of
from tests.quizapp.conftest import DirectSolver, footer_of, says, text_of, type_text, until
from tests.quizapp.test_drill import open_drill
from tests.quizapp.test_question import MakeApp

SIZE = (80, 24)
SIZES = [(80, 24), (120, 40)]


async def open_lab(pilot: Pilot[None], place: LabPlace) -> LabScreen:
    app = pilot.app
    assert isinstance(app, QuizApp)
    app.open(place)
    await until(pilot, lambda: isinstance(app.screen, LabScreen) and app.screen._bench.frame is not None)
    await pilot.pause()
    assert isinstance(app.screen, LabScreen)
    return app.screen


async def followed(pilot: Pilot[None], screen: LabScreen) -> None:
    """Wait until what is shown is what follows from the state."""
    await until(pilot, lambda: screen._bench.frame is not None and screen._bench.frame.state == screen._bench.state)
    await pilot.pause()


def board(screen: LabScreen, name: str = "then") -> str:
    return screen.query_one(f"#{name}", Board).render().plain


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("size", SIZES)
async def test_every_lab_opens(make_app: MakeApp, language: Language, size: tuple[int, int]) -> None:
    part = SIZES.index(size) * 2 + list(Language).index(language)
    await _open_all(make_app, language, size, list(labs.LABS)[part::4])


@pytest.mark.long
@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("size", [*SIZES, (60, 16), (40, 10)])
async def test_every_lab_opens_everywhere(make_app: MakeApp, language: Language, size: tuple[int, int]) -> None:
    await _open_all(make_app, language, size, list(labs.LABS))


async def _open_all(make_app: MakeApp, language: Language, size: tuple[int, int], names: list[str]) -> None:
    app = make_app(language)
    async with app.run_test(size=size) as pilot:
        for name in names:
            screen = await open_lab(pilot, LabPlace(name))
            for scene in labs.load(name).scenes:
                await followed(pilot, screen)
                bench = screen._bench
                assert bench.scene is scene
                cells = screen._regions()
                assert {at.name for at in cells} == {*bench.inputs, *(node.name for node in bench.nodes)}
                width = screen.query_one("#then", Board).content_size.width
                assert all(region.right <= width for region in cells.values())
                assert "\\" not in board(screen)
                look = screen.query_one("#look .row-body Phrase", Phrase)
                await until(pilot, lambda look=look: look.text is not None and "«" not in look.text[language])
                await pilot.press("tab")
                await pilot.pause()


async def test_a_change_is_followed_and_marked(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await open_lab(pilot, LabPlace("scaling"))
        assert "1 0.9997" in board(screen)
        await pilot.press("right", "right", "right", "minus")
        await followed(pilot, screen)
        assert "d_k = 32•" in board(screen, "given")
        assert "1 0.9965•" in board(screen)
        assert "1 0.6652 " in board(screen)  # scaled, the width makes no difference
        await pilot.press("right_square_bracket", "plus")
        await followed(pilot, screen)
        assert "d_k = 128•" in board(screen, "given")
        await pilot.press("r")
        await followed(pilot, screen)
        assert "1 0.9997•" in board(screen)
        for _ in range(7):
            await pilot.press("+")
        await pilot.pause()
        assert says(app, wording.BOUND.fill(name="$d_k$", least="1", most="1024"))


@pytest.mark.parametrize(
    ("typed", "cell"),
    [("-3", "−3"), ("0.25", "0.25"), ("1/3", "1/3"), ("ln 2", "ln 2"), ("-inf", "−∞"), ("２", "2"), ("sqrt(2)", "√2")],
)
async def test_a_number_is_typed(make_app: MakeApp, typed: str, cell: str) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await open_lab(pilot, LabPlace("softmax"))
        await pilot.press("enter")
        await pilot.press("backspace")
        await type_text(pilot, typed)
        await pilot.press("enter")
        await followed(pilot, screen)
        assert f" {cell}" in board(screen, "given").split("\n")[0]


async def test_a_digit_starts_a_number_and_letters_in_it_are_text(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await open_lab(pilot, LabPlace("softmax"))
        await pilot.press("3", "m", "o")
        assert screen.query_one("#value").value == "3mo"  # type: ignore[attr-defined]
        await pilot.press("enter")
        await pilot.pause()
        assert screen.query_one("#value").has_focus
        assert not screen._bench.state.is_changed
        await pilot.press("escape")
        await pilot.pause()
        assert app.screen is screen
        await pilot.press("5", "enter")
        await followed(pilot, screen)
        assert "1  5• " in board(screen, "given")


@pytest.mark.parametrize(
    ("lab", "typed", "shown"),
    [
        ("attention-by-hand", "[[1,0],[0,1],[1,1],[2,2]]", "⎣ 4  2 ⎦"),  # four tokens: a fourth row of Q
        ("attention-by-hand", "[1, 2]", None),
        ("padding", "[0, 0, 0, 0, 0, ln 2]", None),
    ],
)
async def test_a_matrix_replaces_a_matrix(make_app: MakeApp, lab: str, typed: str, shown: str | None) -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await open_lab(pilot, LabPlace(lab))
        await pilot.press("enter")
        screen.query_one("#value").value = typed  # type: ignore[attr-defined]
        await pilot.press("enter")
        await pilot.pause()
        if shown is None and lab == "attention-by-hand":
            assert not screen._bench.state.is_changed
            assert says(app, wording.ONE_NUMBER.fill(name="$X$", rank=2))
            return
        await followed(pilot, screen)
        assert screen._bench.state.is_changed
        assert shown is None or shown in board(screen).replace("•", " ")


async def test_a_step_is_switched_off_and_a_mistake_swapped_in(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await open_lab(pilot, LabPlace("scaling"))
        await pilot.press("o")
        await followed(pilot, screen)
        assert "○ z = s" in board(screen)
        assert says(app, wording.STEP_OFF.fill(what=labs.load("scaling").scenes[0].switches[0].what))
        await pilot.press("o")
        await followed(pilot, screen)
        assert not screen._bench.state.is_changed
        made = []
        while not made or screen._bench.state.mistake is not None:
            await pilot.press("m")
            await followed(pilot, screen)
            frame = screen._bench.frame
            assert frame is not None
            made.append(frame.mistake)
            if frame.mistake is not None:
                assert "✗ " in board(screen)
                assert says(app, wording.AS_IF.fill(sentence=frame.mistake.sentence))
        assert made[0] is not None
        assert len(made) == 10  # nine mistakes, and none


async def test_looks_come_with_their_change_and_numbers(make_app: MakeApp) -> None:
    app = make_app(Language.ZH)
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await open_lab(pilot, LabPlace("coreference"))
        await until(pilot, lambda: "76.8%" in text_of(app))
        await pilot.press("t")
        await followed(pilot, screen)
        await until(pilot, lambda: "2/3" in text_of(app))
        assert "q = [ 0• 2•" in board(screen, "given")
        await pilot.press("t", "t")
        await followed(pilot, screen)
        assert not screen._bench.state.is_changed


async def test_walking_shows_cell_by_cell_and_hides_what_comes_later(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await open_lab(pilot, LabPlace("attention-by-hand"))
        await pilot.press("n")
        await pilot.pause()
        assert screen._cursor == At("Q", (0, 0))
        assert "Q₁₁ = 1×1 + 0×1 = 1 + 0 = 1" in text_of(app)
        assert board(screen).count("·") == 6 + 6 + 6 + 9 + 9 + 9 + 6 - 1
        await pilot.press(*["n"] * 36)
        await pilot.pause()
        assert screen._cursor == At("A", (0, 0))
        assert "e^Z₁₁" in text_of(app)
        assert "A₁₁ = 2.0281 / 5.0562" in text_of(app)
        await pilot.press("p")
        await pilot.pause()
        assert screen._cursor == At("Z", (2, 2))
        await pilot.press("up")
        await pilot.pause()
        assert "·" not in board(screen)


async def test_all_lines_of_a_step(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await open_lab(pilot, LabPlace("scaling"))
        assert "s Steps" not in footer_of(app)
        await pilot.press("down")
        await pilot.pause()
        assert screen._cursor is not None
        assert screen._cursor.name in ("s", "w")
        await pilot.press("s")
        await until(pilot, lambda: screen.query(".step"))
        await pilot.press("s")
        await until(pilot, lambda: not screen.query(".step"))


class SlowSolver(DirectSolver):
    """Counts the frames that are asked for, and takes its time over each."""

    def __init__(self) -> None:
        super().__init__()
        self.frames = 0

    async def call(self, function: Callable[..., object], *args: object, **kwargs: object) -> object:
        if function is frame_of:
            self.frames += 1
            await self.open.wait()
            await asyncio.sleep(0.05)
            if self.error is not None:
                raise self.error
        return function(*args, **kwargs)


async def test_of_many_changes_the_last_is_computed(make_app: MakeApp) -> None:
    solver = SlowSolver()
    app = make_app(solver=solver)
    async with app.run_test(size=SIZE) as pilot:
        screen = await open_lab(pilot, LabPlace("softmax"))
        solver.open.clear()
        before = solver.frames
        await pilot.press(*["plus"] * 12)
        assert "1  8 " in board(screen, "given")  # the numbers typed stand there at once
        solver.open.set()
        await followed(pilot, screen)
        assert solver.frames - before == 2
        assert "t = ∑ᵢ Eᵢ = 1.001" in board(screen).replace("•", "")


async def test_a_solver_that_fails_is_said_and_asked_again(make_app: MakeApp) -> None:
    solver = SlowSolver()
    app = make_app(solver=solver)
    async with app.run_test(size=SIZE) as pilot:
        screen = await open_lab(pilot, LabPlace("softmax"))
        solver.error = SolverError(wording.NO_LINES)
        await pilot.press("plus")
        await until(pilot, lambda: says(app, wording.NO_LINES))
        solver.error = None
        await pilot.press("plus")
        await followed(pilot, screen)
        assert "1  3" in board(screen, "given")


@pytest.mark.parametrize("size", [(60, 16), (40, 10)])
async def test_the_cursor_is_seen_in_a_small_window(make_app: MakeApp, size: tuple[int, int]) -> None:
    app = make_app()
    async with app.run_test(size=size) as pilot:
        screen = await open_lab(pilot, LabPlace("attention-by-hand"))
        page = screen.query_one("LabPage")
        for key in ("right", "down", "down", "down", "down", "down", "down", "down", "up"):
            await pilot.press(key)
            await pilot.pause()
            for each in screen.query(Board):
                region = each.cells.get(screen._cursor) if screen._cursor is not None else None
                if region is not None:
                    assert page.content_region.contains_region(region.translate(each.content_region.offset))


async def test_from_a_lesson_and_on_to_it(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        app.open(LessonPlace("7.9"))
        await until(pilot, lambda: isinstance(app.screen, LessonScreen))
        await pilot.pause()
        await pilot.press("v")
        await until(pilot, lambda: isinstance(app.screen, LabScreen))
        assert app.screen._place == LabPlace("scaling")
        await pilot.press("e")
        await until(pilot, lambda: isinstance(app.screen, LessonScreen))


async def test_from_a_question_once_it_is_answered(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        app.open(QuestionPlace(7))
        await until(pilot, lambda: isinstance(app.screen, QuestionScreen))
        await pilot.press("escape")
        await pilot.pause()
        assert "Lab" not in footer_of(app)
        await pilot.press("enter")
        await until(pilot, lambda: app.screen.query("Spread"))
        await pilot.pause()
        await pilot.press("v")
        await until(pilot, lambda: isinstance(app.screen, LabScreen))
        assert app.screen._place.lab == app.bank.question(7).lab


async def test_from_a_drill_with_the_problem_at_hand(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await open_drill(pilot, "softmax-row")
        await pilot.press("escape", "d")
        await until(pilot, lambda: screen._stage is Stage.MARKED)
        assert screen._problem is not None
        code = screen._problem.code
        await pilot.press("v")
        await until(pilot, lambda: isinstance(app.screen, LabScreen) and app.screen._bench.frame is not None)
        assert app.screen._place == LabPlace("softmax", code)
        assert code in text_of(app).splitlines()[0]
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, DrillScreen))


@pytest.mark.parametrize("drill", ["attention-by-hand", "head-shapes", "kv-cache-bytes", "causal-row"])
async def test_a_problem_of_any_kind_is_a_lab(make_app: MakeApp, drill: str) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        lab = labs.lab_of(DRILLS[drill].section) or ""
        screen = await open_lab(pilot, LabPlace(lab, draw(drill, DRILLS[drill].levels[-1], "x").code))
        before = board(screen)
        await pilot.press("plus")
        await followed(pilot, screen)
        assert screen._bench.state.is_changed
        assert board(screen) != before
