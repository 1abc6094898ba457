"""The labs as data: every one is there, knobs turn within their bounds, and a faulty file is told."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest

from question_bank import labs
from question_bank.content import ContentError, read
from question_bank.exact import INFINITY, MINUS_INFINITY, Exact, ln
from question_bank.labs.lab import Lab, Points, faults
from question_bank.labs.state import Knob, LabState
from question_bank.program import Program, Shape, call


def test_every_section_has_one_lab_and_every_lab_a_file() -> None:
    assert [section for section, _ in labs.LABS.values()] == [f"7.{number}" for number in range(1, 24)]
    assert {path.stem for path in labs.FOLDER.glob("*.toml")} == set(labs.LABS)
    for name, (section, _title) in labs.LABS.items():
        assert labs.load(name).section == section
        assert labs.lab_of(section) == name


@pytest.mark.parametrize(
    ("knob", "value", "ways", "expected"),
    [
        (Knob(), 2, 1, 3),
        (Knob(step=Fraction(1, 2)), 2, -1, Fraction(3, 2)),
        (Knob(step=Fraction(1, 2)), Fraction(3, 2), 1, 2),
        (Knob(times=2, least=1, most=8), 4, 1, 8),
        (Knob(times=2, least=1, most=8), 8, 1, None),
        (Knob(times=2, least=1, most=8), 1, -1, None),
        (Knob(least=0, most=1), 1, 1, None),
        (Knob(), ln(2), 1, Fraction(169, 100)),  # from the two decimals that one types
        (Knob(), INFINITY, 1, None),
        (Knob(), MINUS_INFINITY, -1, None),
    ],
)
def test_a_knob_turns_within_its_bounds(knob: Knob, value: Exact, ways: int, expected: Exact | None) -> None:
    assert knob.turned(value, ways) == expected


@pytest.mark.parametrize(
    ("knob", "value", "allowed"),
    [
        (Knob(), MINUS_INFINITY, True),
        (Knob(least=1), MINUS_INFINITY, False),
        (Knob(times=2), INFINITY, False),
        (Knob(), 100, False),
        (Knob(), ln(2), True),
        (Knob(), ln(0), False),
    ],
)
def test_what_a_knob_allows(knob: Knob, value: Exact, allowed: bool) -> None:
    assert knob.allows(value) is allowed


@pytest.mark.parametrize(
    ("points", "value"),
    [
        (Points(0, 3), (0, 1, 2, 3)),
        (Points(1, 16, times=2), (1, 2, 4, 8, 16)),
        (Points(0, 1, Decimal("0.25")), (0, Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), 1)),
        (Points(-1, 1, column=True), ((-1,), (0,), (1,))),
    ],
)
def test_points_of_a_curve(points: Points, value: object) -> None:
    assert points.value == value


def test_points_are_inputs_that_are_neither_shown_nor_changed() -> None:
    for name in labs.LABS:
        for at, scene in enumerate(labs.load(name).scenes):
            assert set(scene.points) <= set(labs.load(name).start(at).program.values)
            assert not set(scene.points) & set(scene.show)
            assert scene.show or not scene.points


def test_changes_come_and_go() -> None:
    start = LabState(Program((("x", ((1, 2), (3, 4))), ("X", Shape((2, 5)))), (call("y", "same", "x"),), ()))
    changed = start.with_cell("x", (1, 0), 9).with_cell("X", (1,), 7)
    assert changed.value("x") == ((1, 2), (9, 4))
    assert changed.changed.values["X"] == Shape((2, 7))
    assert changed.cell("X", (1,)) == 7
    assert not changed.with_cell("x", (1, 0), 3).with_cell("X", (1,), 5).is_changed
    off = call("y", "activation", "x")
    assert start.switched(off).off == {"y"}
    assert start.switched(off).switched(off) == start
    with pytest.raises(IndexError):
        start.cell("x", (0,))


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        ("section = '7.9'", "section = '7.8'", "section"),
        ("node = 'z'", "node = 'zz'", "scenes[0].switches[0].node"),
        ("views = { w", "views = { ww", "scenes[0].views"),
        ("inputs = { d_k = 4 }", "inputs = { d_k = 'four' }", "scenes[0].looks[1].inputs.d_k"),
        ('program = ["z = scale(s', 'program = ["z = scale(q', "scenes[0].looks[2].program[0]"),
        ("decimals = 4", "decimals = 9", "scenes[0].decimals"),
        ("show = ['u'", "show = ['uu'", "scenes[0].show"),
    ],
)
def test_a_faulty_file_is_told(tmp_path: Path, old: str, new: str, field: str) -> None:
    text = (labs.FOLDER / "scaling.toml").read_text("utf-8")
    assert old in text
    path = tmp_path / "scaling.toml"
    path.write_text(text.replace(old, new, 1), "utf-8")
    with pytest.raises(ContentError) as caught:
        read(path, Lab, lambda lab: faults(lab, "scaling"))
    assert [fault.field for fault in caught.value.faults] == [field]
