"""The programs and listings of the lessons."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path

import msgspec
import pytest

from question_bank import lessons
from question_bank.content import ContentError
from question_bank.lessons.computed import load_computed, save_computed
from question_bank.lessons.lesson import Lesson
from solvers.lessons import compute

every_lesson = pytest.mark.parametrize("section", lessons.sections())


@every_lesson
def test_the_shipped_numbers_are_what_the_programs_give(section: str, tmp_path: Path) -> None:
    save_computed(compute(lessons.load(section)), tmp_path / "again.json")
    assert load_computed(tmp_path / "again.json") == lessons.results(section), "python -m tools.compute_lessons"


@every_lesson
def test_the_listing_prints_what_it_says(section: str) -> None:
    listing = lessons.load(section).code
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(listing.text, f"S{section}.toml", "exec"), {"__name__": "__main__"})
    assert printed.getvalue().strip() == listing.output.strip()


def changed(section: str, **fields: object) -> Lesson:
    return msgspec.structs.replace(lessons.load(section), **fields)


def faults_of(lesson: Lesson) -> list[str]:
    with pytest.raises(ContentError) as caught:
        compute(lesson)
    return [fault.field for fault in caught.value.faults]


def test_what_cannot_be_computed_is_told_at_once() -> None:
    lesson = lessons.load("7.9")
    first, second = lesson.examples
    wrong_shapes = msgspec.structs.replace(first, inputs=dict(first.inputs) | {"K": [[1, 2, 3]]})
    unknown = msgspec.structs.replace(second, program=("w = softmin(s)", *second.program[1:]))
    assert faults_of(changed("7.9", examples=(wrong_shapes, unknown))) == ["examples[0].program", "examples[1].program"]


def test_a_place_that_no_program_fills_is_told() -> None:
    lesson = lessons.load("7.9")
    mistakes = (msgspec.structs.replace(lesson.mistakes[0], why=type(lesson.title)("«A[9]» «Y»", "«A[9]» «Y»")),)
    assert set(faults_of(changed("7.9", mistakes=mistakes))) == {"mistakes[0].why"}


def test_a_variation_that_changes_nothing_is_told() -> None:
    demo = lessons.load("7.9").demonstration
    same = msgspec.structs.replace(demo.variations[0], program=(), inputs={})
    lesson = changed("7.9", demonstration=msgspec.structs.replace(demo, variations=(same,)))
    assert faults_of(lesson) == ["demonstration.variations[0]"]
