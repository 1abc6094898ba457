"""The drawings of labs: each keeps to its width in both languages, and what is changed shows in it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rich.cells import cell_len

from question_bank import labs
from question_bank.exact import from_text
from question_bank.labs.lab import looked_at
from question_bank.labs.state import Index, LabState
from question_bank.text import Language
from quizapp.screens.places import LabPlace
from quizapp.widgets.drawings import LabDrawing, drawing_for
from solvers.frames import frame_of
from tests.quizapp.test_lab import followed, open_lab
from tests.quizapp.test_question import MakeApp

DRAWN = [(name, at) for name in labs.LABS for at, scene in enumerate(labs.load(name).scenes) if scene.drawing]
LINES = 12


@pytest.fixture(autouse=True)
def _room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LabDrawing, "lines", LINES)


def start_of(name: str, at: int) -> LabState:
    return labs.load(name).start(at)


def drawn(name: str, at: int, state: LabState, width: int = 80, language: Language = Language.EN) -> list[str]:
    drawing = drawing_for(labs.load(name).scenes[at])
    assert drawing is not None
    return drawing.draw(frame_of(state), language, width).plain.split("\n")


def test_the_labs_that_the_course_asks_to_be_drawn_are() -> None:
    assert {labs.load(name).section for name, _ in DRAWN} >= {
        "7.1", "7.3", "7.4", "7.7", "7.9", "7.11", "7.14", "7.15", "7.17", "7.19", "7.22", "7.23",
    }  # fmt: skip


@pytest.mark.parametrize(("name", "at"), DRAWN)
def test_every_look_is_drawn_within_its_width_in_both_languages(name: str, at: int) -> None:
    start = start_of(name, at)
    pictures = set()
    for look in labs.load(name).scenes[at].looks:
        state = looked_at(start, look)
        for width in (43, 60, 100):
            for language in Language:
                lines = drawn(name, at, state, width, language)
                assert len(lines) <= 2 * LINES
                assert any(lines)
                if width >= 60:
                    assert max(map(cell_len, lines)) <= width, lines
        pictures.add("\n".join(drawn(name, at, state)))
    looks = labs.load(name).scenes[at].looks
    assert len(pictures) > 1 or len(looks) == 1  # what a look changes is seen


@pytest.mark.parametrize(("name", "at"), DRAWN)
def test_languages_differ_in_words_alone(name: str, at: int) -> None:
    english, chinese = (drawn(name, at, start_of(name, at), language=language) for language in Language)
    assert [line for line in english if "\u2800" < line.strip()[-1:] < "\u28ff"] == [
        line for line in chinese if "\u2800" < line.strip()[-1:] < "\u28ff"
    ]
    assert any("一" <= sign <= "鿿" for line in chinese for sign in line) or name == "four-heads"


def column_of(lines: list[str], sign: str = "●") -> int:
    return next(line.index(sign) for line in reversed(lines) if sign in line)


def count(sign: str) -> Callable[[list[str]], object]:
    return lambda lines: sum(line.count(sign) for line in lines[1:])


def masked(lines: list[str]) -> int:
    """Count the masked cells, the key beneath left out."""
    return sum(line.count("−∞") for line in lines[:-1])


def row(sign: str) -> Callable[[list[str]], object]:
    """Where a sign stands, from the foot of the picture."""
    return lambda lines: next(at for at, line in enumerate(reversed(lines)) if sign in line)


CHANGES = [
    # lab, scene, input, index, number, what is looked at, before, after
    ("dot-product-angle", 0, "angle", (), "0", row("●"), 8, 10),  # the score is largest at 0°
    ("dot-product-angle", 0, "angle", (), "180", row("●"), 8, 2),  # and smallest at 180°
    ("dot-product-angle", 0, "angle", (), "90", row("●"), 8, 6),
    ("causal-mask", 0, "K", (2, 0), "9", masked, 3, 3),  # the mask doesn't look at scores
    ("one-pass", 0, "n", (), "2", count("█"), 24 + 24, 21 + 21),
    ("one-pass", 0, "P", (), "30", count("█"), 24 + 24, 34 + 34),
    ("one-pass", 0, "n", (), "2", count("░"), 20 + 21 + 22 + 23, 20),
    ("coreference", 0, "q", (0,), "0", count("━"), 32, 0),  # nothing asked for: no key has half of the weight
    ("four-heads", 0, "W_4", (2, 3), "8", count("█0.95"), 12, 13),
]


@pytest.mark.parametrize(("name", "at", "given", "index", "number", "look", "before", "after"), CHANGES)
def test_what_is_changed_is_seen(
    name: str,
    at: int,
    given: str,
    index: Index,
    number: str,
    look: Callable[[list[str]], object],
    before: object,
    after: object,
) -> None:
    start = start_of(name, at)
    assert look(drawn(name, at, start)) == before
    assert look(drawn(name, at, start.with_cell(given, index, from_text(number)))) == after


def test_positions_that_move_together_keep_their_product() -> None:
    start = start_of("position-curves", 0)
    moved = start.with_cell("p", (0,), 40).with_cell("q", (0,), 43)
    before, after = (drawn("position-curves", 0, state, 60) for state in (start, moved))
    assert row("●")(before) == row("●")(after)
    assert column_of(after) > column_of(before)
    assert "p" in before[-1]


def test_the_output_leaves_the_triangle_only_without_normalising() -> None:
    scene, start = labs.load("weighted-values").scenes[1], start_of("weighted-values", 1)
    inside = drawn("weighted-values", 1, start)
    line = next(line for line in inside[1:] if "●" in line)
    assert line.index("●") > min(at for at, sign in enumerate(line) if "\u2800" < sign <= "\u28ff")
    outside = drawn("weighted-values", 1, looked_at(start, scene.looks[-1]))
    line = next(line for line in outside[1:] if "●" in line)
    assert not any("\u2800" < sign <= "\u28ff" for sign in line[line.index("●") :])


def test_weights_that_leave_the_triangle_are_told_as_such() -> None:
    scene, start = labs.load("weighted-values").scenes[0], start_of("weighted-values", 0)
    corners = start.value("V")

    def is_inside(state: LabState) -> bool:
        node = frame_of(state).node("o")
        assert node is not None
        turns = [
            (to[0] - at[0]) * (node.numbers[1] - at[1]) - (to[1] - at[1]) * (node.numbers[0] - at[0])  # type: ignore[index]
            for at, to in zip(corners, (*corners[1:], corners[0]), strict=True)  # type: ignore[index, arg-type, misc]
        ]
        return min(turns) >= 0 or max(turns) <= 0

    told = ["stays inside" in look.says.en or "edge between" in look.says.en for look in scene.looks]
    assert [is_inside(looked_at(start, look)) for look in scene.looks] == told == [True, False, False, True]


def test_scores_grow_with_the_square_and_the_cache_with_the_length(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LabDrawing, "lines", 40)
    lines = drawn("cache-and-blocks", 0, start_of("cache-and-blocks", 0), 100)

    def height(sign: str) -> int:
        rows = [at for at, line in enumerate(lines[2:]) if sign in line]
        return max(rows) - min(rows)

    assert height("○") == pytest.approx(2 * height("×"), abs=2)


def test_a_scaled_head_has_the_same_weight_whatever_its_width() -> None:
    start = start_of("scaling", 0)
    lines = drawn("scaling", 0, start)
    assert sum("×" in line for line in lines[2:]) == 1
    off = start.switched(labs.load("scaling").scenes[0].switches[0].line(start.program))
    assert sum("●" in line for line in lines[2:]) == 2
    assert sum("●" in line for line in drawn("scaling", 0, off)[2:]) == 1  # switched off, both points are one


def test_without_residuals_small_gradients_leave_the_picture() -> None:
    start = start_of("residual-gradient", 0)
    lines = drawn("residual-gradient", 0, start, 90)
    assert count("●")(lines) == 5  # of the third case both gradients are alike
    later = drawn("residual-gradient", 0, start.with_cell("n", (), 40), 90)
    assert "n = 40" in later[0]
    assert count("●")(later) == 2  # the rest is smaller than 10⁻⁸


def test_a_shorter_warm_up_peaks_earlier_and_higher() -> None:
    start = start_of("rates-and-dropout", 0)
    shorter = start.with_cell("w", (), 1000)
    before, after = (drawn("rates-and-dropout", 0, state) for state in (start, shorter))
    assert float(before[1].split("┤")[0]) == 7
    assert float(after[1].split("┤")[0]) == 14
    assert "T=64k" in before[-1]


def test_a_head_with_the_projection_of_another_has_its_pattern() -> None:
    start = start_of("four-heads", 0)
    same = looked_at(start, labs.load("four-heads").scenes[0].looks[1])
    for state, alike in ((start, False), (same, True)):
        rows = [line.split("q")[1:] for line in drawn("four-heads", 0, state)[1:5]]
        assert all(one.strip() == other.strip() for one, other in rows) is alike


@pytest.mark.parametrize("language", Language)
def test_weights_are_read_by_their_numbers_too(language: Language) -> None:
    heads = "\n".join(drawn("four-heads", 0, start_of("four-heads", 0), 60, language))
    assert [heads.count(number) for number in ("0.95", "0.02", "0.25")] == [3 * 4, 3 * 12, 16]
    masked = drawn("causal-mask", 0, start_of("causal-mask", 0), 60, language)
    assert masked[3].split() == ["q₃", "▒0.71", "▓1.41", "█2.12", "▒0.71", "▓1.41", "█2.12", "░0.14", "▒0.28", "▓0.58"]
    wide = start_of("causal-mask", 0).with_cell("K", (2, 0), from_text("-9"))
    assert "−12.0" in "\n".join(drawn("causal-mask", 0, wide, 66, language))
    assert "0." not in "\n".join(drawn("causal-mask", 0, start_of("causal-mask", 0), 40, language))  # no room: shades alone


def test_many_passes_are_counted_not_drawn() -> None:
    lines = drawn("one-pass", 0, start_of("one-pass", 0).with_cell("n", (), 500))
    assert len(lines) == LINES
    assert any("more passes" in line for line in lines)
    assert lines[-1].startswith("pass 500")
    assert lines[-1].endswith("█")


def test_what_is_kept_after_a_block_stands_beside_it() -> None:
    lines = drawn("cache-and-blocks", 1, start_of("cache-and-blocks", 1))
    assert lines[-1].endswith("3     1.74  [2.75, 2.32]")
    assert [line.count("▏") for line in lines[2:]] == [3, 3, 3]
    assert lines[3].startswith("2 ░ 10·  4▏█ 76░ 10▏")  # 80 columns
    assert "76" not in drawn("cache-and-blocks", 1, start_of("cache-and-blocks", 1), 43)[3]


def test_a_value_that_cant_be_computed_is_no_fault() -> None:
    start = start_of("four-heads", 0)
    broken = start.with_changes((("W_1", ((1, 0),)),))
    drawing = drawing_for(labs.load("four-heads").scenes[0])
    assert drawing is not None
    drawing.frame = frame_of(broken)
    with pytest.raises(LookupError):
        drawing.draw(drawing.frame, Language.EN, 60)


async def test_walking_draws_no_more_than_is_reached(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await open_lab(pilot, LabPlace("causal-mask"))
        await followed(pilot, screen)
        drawing = screen.query_one(LabDrawing)
        whole = drawing.render().plain
        assert all(f" {name}" in whole.split("\n")[0] for name in "ZMA")
        await pilot.press("n")
        await pilot.pause()
        hidden = drawing.render().plain
        assert "█" in whole
        assert "█" not in hidden
        await pilot.press(*["n"] * 9)  # Z is there, and the first cell of M
        await pilot.pause()
        title = drawing.render().plain.split("\n")[0]
        assert " Z" in title
        assert " M" not in title
        await pilot.press("up")
        await pilot.pause()
        assert drawing.render().plain == whole


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_a_key_moves_the_drawing(make_app: MakeApp, language: Language, size: tuple[int, int]) -> None:
    app = make_app(language)
    async with app.run_test(size=size) as pilot:
        screen = await open_lab(pilot, LabPlace("dot-product-angle"))
        await followed(pilot, screen)
        drawing = screen.query_one(LabDrawing)
        before = drawing.render().plain
        assert "●" in before
        await pilot.press("plus")
        await followed(pilot, screen)
        after = drawing.render().plain
        assert after != before
        await pilot.press("minus")
        await followed(pilot, screen)
        assert drawing.render().plain == before
        await pilot.press("tab")
        await followed(pilot, screen)
        assert not screen.query(LabDrawing)
        assert not screen.query_one("#drawing").display
