"""Labs run: the lesson's numbers while nothing is changed, every edit, and whatever numbers a person gives."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest

from question_bank import draw, labs, lessons
from question_bank.drills import DRILLS
from question_bank.exact import INFINITY, MINUS_INFINITY, NOT_A_NUMBER, from_text
from question_bank.labs.lab import Lab, Scene, looked_at
from question_bank.labs.of_problem import start_of
from question_bank.labs.state import LabState, Swapped
from question_bank.program import Shape, call, cells
from question_bank.text import Language
from solvers import run
from solvers.frames import Frame, frame_of, sentence_of
from solvers.labs import NOTHING_LEFT
from solvers.lessons import compute

SCENES = [(name, at) for name in labs.LABS for at in range(len(labs.load(name).scenes))]


def scene_of(name: str, at: int = 0) -> tuple[Lab, Scene, LabState]:
    lab = labs.load(name)
    return lab, lab.scenes[at], lab.start(at)


def shown(frame: Frame, node: str) -> object:
    found = frame.node(node)
    assert found is not None
    return found.shown


@pytest.mark.parametrize(("name", "at"), SCENES)
def test_unchanged_it_gives_the_numbers_of_the_lesson(name: str, at: int) -> None:
    lab, scene, start = scene_of(name, at)
    frame = frame_of(start)
    assert [node.name for node in frame.nodes] == list(start.program.lines)
    if not scene.example:
        return
    lesson = compute(lessons.load(lab.section)).examples[scene.example - 1]
    computed = {node: table for node, table in lesson.items() if node in start.program.lines}
    assert computed
    assert {node: shown(frame, node) for node in computed} == computed


@pytest.mark.parametrize(("name", "at"), SCENES)
def test_every_switch_mistake_and_look_runs_and_changes_something(name: str, at: int) -> None:
    _lab, scene, start = scene_of(name, at)
    before = frame_of(start)
    for switch in scene.switches:
        off = start.switched(switch.line(start.program))
        after = frame_of(off)
        assert shown(after, switch.node) != shown(before, switch.node)
        assert off.switched(switch.line(start.program)) == start
    for offered in before.mistakes:
        after = frame_of(LabState(start.program, mistake=offered.swapped, decimals=start.decimals))
        assert after.mistake is not None
        assert after.mistake.sentence == offered.sentence
    for look in scene.looks:
        now = looked_at(start, look)
        assert now.is_changed == look.changes
        for language in Language:
            assert "«" not in sentence_of(start, now, look.says)[language], look.says[language]


@pytest.mark.parametrize(("name", "at"), SCENES)
def test_cells_are_explained_by_the_values_that_they_have(name: str, at: int) -> None:
    _lab, _scene, start = scene_of(name, at)
    frame = frame_of(start, tuple(start.program.lines))
    for node, explained in frame.explained.items():
        value = frame.node(node)
        assert value is not None
        for cell in explained:
            number = run.at(value.numbers, cell.index)
            last = cell.lines[-1].result.replace("−", "-").replace("∞", "inf")
            assert math.isclose(float(last), number, rel_tol=1e-3, abs_tol=1e-4) or math.isnan(number), (node, cell)


CHANGES = [
    # lab, scene, input, index, its new number, node, cell, before, after
    ("scaling", 0, "d_k", (), "256", "w", (0,), "0.9997", "1.0000"),
    ("scaling", 0, "d_k", (), "256", "a", (0,), "0.6652", "0.6652"),
    ("attention-by-hand", 0, "X", (0, 1), "1", "Q", (0, 0), "1", "2"),
    ("attention-by-hand", 0, "X", (0, 1), "1", "Q", (1, 0), "1", "1"),
    ("padding", 0, "m", (4,), "1", "a", (4,), "0", "0.592"),
    ("causal-mask", 0, "K", (2, 0), "9", "O", (0, 0), "1", "1"),
    ("length-doubles", 0, "S", (), "16", "e", (), "128", "512"),
    ("cache-and-blocks", 0, "n", (), "16384", "C", (), "1", "2"),
    ("residual-gradient", 0, "n", (), "1", "residual", (0,), "1.772", "1.1"),
    ("one-pass", 0, "n", (), "10", "passes", (), "5", "10"),
    ("weighted-values", 0, "w", (0,), "1", "t", (), "1", "1.5"),
    ("weighted-values", 2, "q", (0,), "0", "w", (0,), "0.5", "0.333"),
    ("rates-and-dropout", 0, "w", (), "1000", "original", (0,), "1.75", "13.98"),
]


@pytest.mark.parametrize(("name", "at", "given", "index", "number", "node", "cell", "before", "after"), CHANGES)
def test_an_input_changes_what_it_should(  # type: ignore[no-untyped-def]
    name, at, given, index, number, node, cell, before, after
) -> None:
    _lab, _scene, start = scene_of(name, at)
    now = start.with_cell(given, index, from_text(number))
    assert run.at(shown(frame_of(start), node), cell) == before
    assert run.at(shown(frame_of(now), node), cell) == after
    assert now.with_cell(given, index, start.cell(given, index)) == start


ODD = (0, -1, 10**12, INFINITY, MINUS_INFINITY, NOT_A_NUMBER, from_text("ln(-1)"), from_text("/(1,0)"))
"""Numbers that few programs were made for."""


@pytest.mark.parametrize("name", labs.LABS)
def test_odd_numbers_are_told_in_words(name: str) -> None:
    for at in range(len(labs.load(name).scenes)):
        _lab, _scene, start = scene_of(name, at)
        for place, (given, value) in enumerate(start.program.inputs):
            if given in ("t", "n", "d", "h", "S", "P") or isinstance(value, Shape):
                continue  # sizes: their dials bound them
            index = next(iter(cells(value)))[0]
            for number in (ODD[place % len(ODD)], ODD[(place + 3) % len(ODD)]):
                frame = frame_of(start.with_cell(given, index, number), (start.program.calls[-1].node,))
                broken = [node for node in frame.nodes if node.numbers is None]
                assert not broken or any(node.message for node in frame.nodes)


def test_a_row_without_a_key_is_said() -> None:
    _lab, _scene, start = scene_of("padding", 1)
    node = frame_of(start).node("A")
    assert node is not None
    assert node.message == NOTHING_LEFT.fill(row=1, node="$P$")
    assert run.at(shown(frame_of(start.with_cell("m", (0,), 1)), "A"), (0,)) == ("1", "0", "0")


def test_what_follows_from_a_line_that_cant_be_run_is_left_out() -> None:
    _lab, _scene, start = scene_of("projections")
    frame = frame_of(start.with_changes((("W_Q", ((1, 0),)),)))
    assert [shown(frame, node) == "—" for node in ("Q", "K", "V")] == [True, False, False]
    q = frame.node("Q")
    assert q is not None
    assert q.message is not None


def test_a_mistake_that_no_longer_fits_is_not_made() -> None:
    _lab, _scene, start = scene_of("scaling")
    made = LabState(start.program, mistake=Swapped("mix.arg-max", "a"), decimals=4)
    frame = frame_of(made)
    assert frame.mistake is None
    assert frame.nodes == frame_of(start).nodes


def test_a_line_that_equals_the_start_again_is_no_change() -> None:
    _lab, _scene, start = scene_of("scaling")
    other = start.with_changes(lines=(call("z", "same", "s"),))
    assert other.is_changed
    assert not other.with_changes(lines=(start.program.lines["z"],)).is_changed


def problems() -> Iterator[LabState]:
    for drill in DRILLS.values():
        for level in drill.levels:
            yield start_of(draw(drill.id, level, "lab"))


def test_every_drill_is_a_lab() -> None:
    for start in problems():
        frame = frame_of(start)
        assert not any(node.message for node in frame.nodes if node.numbers is None and node.shown == "—"), start.program
