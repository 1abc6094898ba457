"""Answer fields: cells, pastes, several parts, small terminals."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from textual import events
from textual.pilot import Pilot

from question_bank.program import AnswerFormat, Kind
from question_bank.text import Language
from quizapp import wording
from quizapp.app import QuizApp
from quizapp.screens.drill import Stage
from quizapp.widgets.answer import entry_for
from quizapp.widgets.entries import AreaEntry, ChoiceEntry, Entry, LineEntry
from quizapp.widgets.grid import Cell, GridEntry
from quizapp.widgets.matrices import marked, parsed, side_by_side
from solvers.grading import grade
from solvers.verdict import Outcome
from tests.quizapp.conftest import DirectSolver, footer_of, says, text_of, type_text, until
from tests.quizapp.test_drill import first, open_drill, right, verdict

MakeApp = Callable[..., QuizApp]
SIZE = (80, 24)


async def paste(pilot: Pilot[None], text: str) -> None:
    focused = pilot.app.focused
    assert focused is not None
    focused.post_message(events.Paste(text))
    await pilot.pause()
    await pilot.pause()


@pytest.mark.parametrize(
    ("form", "entry"),
    [
        (AnswerFormat(Kind.NUMBER, decimals=3), LineEntry),
        (AnswerFormat(Kind.VECTOR, decimals=3, dimensions=(3,)), LineEntry),
        (AnswerFormat(Kind.SHAPE), LineEntry),
        (AnswerFormat(Kind.BYTES), LineEntry),
        (AnswerFormat(Kind.ORDER), LineEntry),
        (AnswerFormat(Kind.MATRIX, decimals=3, dimensions=(2, 2)), GridEntry),
        (AnswerFormat(Kind.MATRIX, decimals=3, dimensions=(12, 12)), AreaEntry),
        (AnswerFormat(Kind.MATRIX, decimals=3), AreaEntry),
        (AnswerFormat(Kind.YES_NO), ChoiceEntry),
        (AnswerFormat(Kind.CHOICE, choices=4), ChoiceEntry),
    ],
)
async def test_the_entry_fits_the_form(make_app: MakeApp, form: AnswerFormat, entry: type[Entry]) -> None:
    async with make_app().run_test():
        assert isinstance(entry_for(form), entry)


PASTES = [
    "1 2\n3 4",
    "1 2\r\n3 4\r\n",
    "[[1, 2], [3, 4]]",
    "[1 2; 3 4]",
    "tensor([[1., 2.],\n        [3., 4.]])",
    "array([[1, 2],\n       [3, 4]])",
    "［［１，２］；［３，４］］",
]


@pytest.mark.parametrize("text", PASTES)
@pytest.mark.parametrize("cell", [0, 3])
async def test_a_whole_matrix_pasted_into_any_cell_fills_the_cells(make_app: MakeApp, text: str, cell: int) -> None:
    solver = DirectSolver()
    app = make_app(solver=solver)
    async with app.run_test(size=SIZE) as pilot:
        screen = await open_drill(pilot, "score-matrix")
        await pilot.press(*["tab"] * cell)
        await paste(pilot, text)
        grid = screen._fields[0].entry
        assert isinstance(grid, GridEntry)
        assert [each.value for each in grid.cells] == ["1", "2", "3", "4"]
        assert not solver.calls  # nothing is handed in by a paste
        await pilot.press("enter")
        await verdict(pilot, screen)


@pytest.mark.parametrize("text", ["1 2\n3 x", "1 2 3\n4 5 6", "hello\nworld", "1 2", "[b]1 2[/b]\n3"])
async def test_any_other_paste_stays_visible_as_text(make_app: MakeApp, text: str) -> None:
    solver = DirectSolver()
    app = make_app(solver=solver)
    async with app.run_test(size=SIZE) as pilot:
        screen = await open_drill(pilot, "score-matrix")
        await paste(pilot, text)
        assert isinstance(screen._fields[0].entry, AreaEntry)
        assert screen._fields[0].text == text
        for line in text.splitlines():
            assert line in text_of(app)
        assert not solver.calls
        assert "Hand in" not in footer_of(app)  # Enter breaks the line here
        await pilot.press("escape", "enter")
        await until(pilot, lambda: solver.calls == [(text,)])


async def test_a_single_number_is_pasted_into_its_cell(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await open_drill(pilot, "score-matrix")
        await pilot.press("tab")
        await paste(pilot, " −12 ".strip())
        grid = screen._fields[0].entry
        assert isinstance(grid, GridEntry)
        assert [each.value for each in grid.cells] == ["", "−12", "", ""]


async def test_two_lines_pasted_into_one_line_arrive_whole(make_app: MakeApp) -> None:
    solver = DirectSolver()
    app = make_app(solver=solver)
    async with app.run_test(size=SIZE) as pilot:
        screen = await open_drill(pilot, "softmax-row")
        await paste(pilot, "tensor([0.1, 0.2,\n        0.7])")
        assert screen._fields[0].text == "tensor([0.1, 0.2,\n        0.7])"
        await until(pilot, lambda: "read as [0.1, 0.2, 0.7]" in text_of(app))
        assert not solver.calls


async def test_a_matrix_goes_from_cells_to_text_and_back(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await open_drill(pilot, "score-matrix")
        await type_text(pilot, "1\t2\t3\t4")
        await pilot.press("ctrl+t")
        await pilot.pause()
        assert screen._fields[0].text == "[[1, 2], [3, 4]]"
        assert "As cells" in footer_of(app)
        await pilot.press("ctrl+t")
        await pilot.pause()
        grid = screen._fields[0].entry
        assert isinstance(grid, GridEntry)
        assert [each.value for each in grid.cells] == ["1", "2", "3", "4"]


@pytest.mark.parametrize(
    ("keys", "cell"),
    [
        ([], 0),
        (["enter"], 0),
        (["1", "enter"], 1),
        (["tab"], 1),
        (["down"], 2),
        (["right"], 1),
        (["right", "left"], 0),
        (["1", "left"], 0),
        (["1", "right"], 1),
        (["1", "left", "left"], 0),
        (["tab", "down", "up"], 1),
        (["up"], 0),
        (["tab", "tab", "tab", "shift+tab"], 2),
    ],
)
async def test_moving_between_cells(make_app: MakeApp, keys: list[str], cell: int) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await open_drill(pilot, "score-matrix")
        await pilot.press(*keys)
        await pilot.pause()
        grid = screen._fields[0].entry
        assert isinstance(grid, GridEntry)
        assert app.focused is grid.cells[cell] or (keys == ["enter"] and app.focused is grid.cells[1])


async def test_enter_in_the_last_cell_hands_in_only_what_is_complete(make_app: MakeApp) -> None:
    solver = DirectSolver()
    app = make_app(solver=solver)
    async with app.run_test(size=SIZE) as pilot:
        screen = await open_drill(pilot, "score-matrix")
        await type_text(pilot, "1\t\t3\t4\n")
        await pilot.pause()
        assert not solver.calls
        assert "3 of 4 cells filled" in text_of(app)
        grid = screen._fields[0].entry
        assert isinstance(grid, GridEntry)
        assert app.focused is grid.cells[1]
        await type_text(pilot, "2\n\n\n")
        await verdict(pilot, screen)
        assert solver.calls == [("[[1, 2], [3, 4]]",)]


async def test_a_cell_that_cannot_be_read_is_named(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await open_drill(pilot, "score-matrix")
        await type_text(pilot, "1\t2\tx\t4\n")
        await until(pilot, lambda: screen._stage is Stage.ANSWERING and screen._fields[0]._echo.has_class("almost"))
        await pilot.pause()
        assert "Row 2, column 1:" in text_of(app)
        assert app.focused is screen.query(Cell)[2]


async def test_a_whole_matrix_typed_into_one_cell_is_spread_out(make_app: MakeApp) -> None:
    solver = DirectSolver()
    app = make_app(solver=solver)
    async with app.run_test(size=SIZE) as pilot:
        screen = await open_drill(pilot, "score-matrix")
        await type_text(pilot, "1 2; 3 4\n")
        assert not solver.calls, "the key said that it goes to the next cell"
        await type_text(pilot, "\n")
        await verdict(pilot, screen)
        assert solver.calls == [("[[1, 2], [3, 4]]",)]


@pytest.mark.parametrize(
    ("typed", "cells", "focused"),
    [
        ("1 2\n", ["1", "2", "", ""], 2),
        ("1 2\n3 4\n", ["1", "2", "3", "4"], 3),
        ("1\n2 3\n", ["1", "2 3", "", ""], 1),  # no row: there is one cell left in it
        ("1 2 3\n", ["1 2 3", "", "", ""], 0),
        ("1 / 2\n", ["1 / 2", "", "", ""], 1),
        ("1,5\n", ["1,5", "", "", ""], 1),
    ],
)
async def test_enter_never_hands_a_half_typed_matrix_in(make_app: MakeApp, typed: str, cells: list[str], focused: int) -> None:
    solver = DirectSolver()
    app = make_app(solver=solver)
    async with app.run_test(size=SIZE) as pilot:
        screen = await open_drill(pilot, "score-matrix")
        await type_text(pilot, typed)
        grid = screen._fields[0].entry
        assert isinstance(grid, GridEntry)
        assert [cell.value for cell in grid.cells] == cells
        assert app.focused is grid.cells[focused]
        assert (wording.SUBMIT.en in footer_of(app)) == (focused == 3)
        assert (wording.NEXT_CELL.en in footer_of(app)) == (focused != 3)
        assert not solver.calls


async def test_seven_parts_one_after_the_other(make_app: MakeApp) -> None:
    solver = DirectSolver()
    app = make_app(solver=solver)
    async with app.run_test(size=SIZE) as pilot:
        screen = await open_drill(pilot, "attention-by-hand")
        answers = right(first("attention-by-hand"))
        for number, answer in enumerate(answers):
            focused = app.focused
            assert focused is not None
            assert screen._fields[number] in focused.ancestors
            await paste(pilot, answer)
            await pilot.press("enter")
            await pilot.pause()
        await verdict(pilot, screen)
        assert len(solver.calls) == 1
        assert says(app, grade(first("attention-by-hand"), answers).message)


async def test_a_part_left_empty_is_named_and_may_be_given_up(make_app: MakeApp) -> None:
    solver = DirectSolver()
    app = make_app(solver=solver)
    async with app.run_test(size=SIZE) as pilot:
        screen = await open_drill(pilot, "qkv-shapes", 2)
        answers = right(first("qkv-shapes", 2))
        assert len(answers) == 4
        await pilot.press("tab")
        for answer in answers[1:]:
            await type_text(pilot, answer)
            await pilot.press("enter")
            await pilot.pause()
        assert not solver.calls
        assert "Still empty: shape of" in text_of(app)
        await pilot.press("escape", "d")
        await verdict(pilot, screen)
        [(given, *others)] = solver.calls
        assert given is None
        assert others == answers[1:]
        assert says(app, grade(first("qkv-shapes", 2), [None, *answers[1:]]).message)


async def test_what_follows_rightly_from_a_slip_is_marked_so(make_app: MakeApp) -> None:
    problem = first("attention-by-hand")
    answers = right(problem)
    answers[3] = "[[1, 2], [3, 4]]"
    app = make_app()
    async with app.run_test(size=(80, 60)) as pilot:
        screen = await open_drill(pilot, "attention-by-hand")
        for answer in answers:
            await paste(pilot, answer)
            await pilot.press("enter")
            await pilot.pause()
        await verdict(pilot, screen)
        expected = grade(problem, answers)
        assert expected.parts[3].outcome in (Outcome.WRONG, Outcome.KNOWN_MISTAKE)
        assert "✗ S" in text_of(app)
        assert "✓ Q" in text_of(app)


@pytest.mark.parametrize(
    ("size", "language"),
    [
        ((80, 24), Language.EN),
        pytest.param((60, 16), Language.ZH, marks=pytest.mark.long),
        ((40, 10), Language.ZH),
        pytest.param((36, 9), Language.EN, marks=pytest.mark.long),
    ],
)
async def test_the_field_in_focus_is_always_in_sight(make_app: MakeApp, size: tuple[int, int], language: Language) -> None:
    app = make_app(language)
    async with app.run_test(size=size) as pilot:
        screen = await open_drill(pilot, "attention-by-hand", 2)
        cells = list(screen.query(Cell))
        assert len(cells) == 3 * 6 + 3 * 9 + 6
        page = screen.query_one("Page")
        for cell in cells:
            assert app.focused is cell
            await until(pilot, lambda cell=cell: page.region.contains_region(cell.region))
            assert cell.region.height == 1
            assert cell.region.width >= 5
            await pilot.press("tab")
            await pilot.pause()


async def test_shrinking_and_growing_back_loses_nothing(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await open_drill(pilot, "score-matrix")
        await type_text(pilot, "1\t注意力")
        focused = app.focused
        await pilot.resize_terminal(20, 5)
        await until(pilot, lambda: text_of(app).split()[:3] == ["This", "needs", "36"])
        assert "1" not in text_of(app).split()
        await pilot.press("x", "n", "l", "escape", "enter")
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: "注意力" in text_of(app))
        assert app.focused is focused
        assert [cell.value for cell in screen.query(Cell)][:2] == ["1", "注意力"]


async def test_wide_characters_take_two_columns(make_app: MakeApp) -> None:
    app = make_app(Language.ZH)
    async with app.run_test(size=SIZE) as pilot:
        screen = await open_drill(pilot, "softmax-row")
        await type_text(pilot, "注意力0.5")
        line = screen._fields[0].entry.query_one("Line")
        block = line.get_component_styles("input--cursor").background.rich_color
        column = 0
        for segment in line.render_line(0):
            if segment.style is not None and segment.style.bgcolor == block:
                break
            column += segment.cell_length
        assert column == 9


async def test_choices_by_letter_and_by_arrows() -> None:
    from textual.app import App, ComposeResult
    from textual.reactive import reactive

    class ChoiceApp(App[None]):
        language = reactive(Language.EN)

        def compose(self) -> ComposeResult:
            yield entry_for(AnswerFormat(Kind.CHOICE, choices=4))
            yield entry_for(AnswerFormat(Kind.YES_NO))

    async with ChoiceApp().run_test() as pilot:
        choice, yes_no = pilot.app.query(ChoiceEntry)
        assert choice.text == ""
        choice.take_focus()
        await pilot.press("c")
        await pilot.pause()
        assert choice.text == "c"
        await pilot.press("up", "enter")
        await pilot.pause()
        assert choice.text == "b"
        yes_no.take_focus()
        await pilot.press("n")
        await pilot.pause()
        assert yes_no.text == "no"
        pilot.app.language = Language.ZH  # type: ignore[attr-defined]
        await pilot.pause()
        assert yes_no.text == "no"
        assert "否" in "".join(strip.text for strip in pilot.app.screen._compositor.render_strips())


@pytest.mark.parametrize(
    ("shown", "table"),
    [
        ("0.5", "0.5"),
        ("[1, 2]", ("1", "2")),
        ("[[1, 2], [3, 4]]", (("1", "2"), ("3", "4"))),
        ("[ln 2, √2/2]", ("ln 2", "√2/2")),
        ("1 GiB", "1 GiB"),
        ("[[1, 2]], 3", "[[1, 2]], 3"),
    ],
)
def test_parsed(shown: str, table: object) -> None:
    assert parsed(shown) == table


def test_wrong_cells_carry_a_sign() -> None:
    assert marked((("1", "2"), ("3", "4")), [(0, 1), (1, 0)]) == (("1", "2✗"), ("3✗", "4"))
    assert marked("7", [()]) == "7✗"
    assert marked(("1", "2"), [(1,)]) == ("1", "2✗")


@pytest.mark.parametrize(
    ("blocks", "width", "lines"),
    [
        ([["a"], ["b"]], 20, ["a    b"]),
        ([["a"], ["b"]], 5, ["a", "b"]),
        ([["1", "2"], ["b"], ["c"]], 5, ["1", "2", "", "b", "c"]),
        ([["b"], ["1", "2"]], 5, ["b", "", "1", "2"]),
        ([["1", "2", "3"], ["x"]], 20, ["1", "2    x", "3"]),
        ([["1", "2"], ["x", "y", "z"]], 20, ["     x", "1    y", "2    z"]),
        ([["矩阵"], ["b"]], 9, ["矩阵    b"]),
        ([], 9, []),
    ],
)
def test_side_by_side(blocks: list[list[str]], width: int, lines: list[str]) -> None:
    assert side_by_side(blocks, width) == lines


@pytest.mark.parametrize(
    "cells",
    [
        ["1", "2", "3", "4"],
        ["1", "", "", "4"],
        ["1", "2", "", ""],
        ["", "1/2", "√2", ""],
        ["0,5", "", "", "1,5"],
        ["1 2", "3", "", ""],
    ],
)
async def test_what_stood_in_the_cells_stands_there_again(make_app: MakeApp, cells: list[str]) -> None:
    app = make_app()
    async with app.run_test() as pilot:
        one, other = GridEntry(2, 2), GridEntry(2, 2)
        await app.screen.mount(one, other)
        one.fill(cells)
        await pilot.pause()
        assert other.restore(one.text)
        assert [cell.value for cell in other.cells] == cells
