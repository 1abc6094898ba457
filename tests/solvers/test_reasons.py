"""Every worked step says why, in both languages, and where that is explained."""

from __future__ import annotations

import re

import pytest

from question_bank import lessons, problem, verified
from question_bank.drills import DRILLS
from question_bank.math import plain
from question_bank.text import Text
from solvers.operations import OPERATIONS
from solvers.reasons import reason
from solvers.steps import Step
from solvers.worked import work
from tests.solvers.drawn import CASES, drawn
from tests.solvers.test_mistakes import TWO_ROWS

ANYWHERE = {"add", "same", "total"}
"""Operations that belong to no lesson: their steps lead to the drill's own."""


@pytest.mark.parametrize("operation", OPERATIONS)
def test_an_operation_names_a_lesson_that_there_is(operation: str) -> None:
    section = OPERATIONS[operation].section
    assert section in lessons.sections() if operation not in ANYWHERE else section == ""


def _is_explained(step: Step) -> None:
    assert step.section in lessons.sections()
    for text in (step.title, step.reason):
        assert text.en
        assert re.search("[\u4e00-\u9fff]", text.zh)
        assert not re.search("[\u4e00-\u9fff]", text.en)
        assert not re.search("[{}$]", plain(text.en) + plain(text.zh))
    assert step.reason.en.endswith((".", "?"))
    assert step.reason.zh.endswith(("。", "？"))
    assert " " in step.reason.en


@pytest.mark.parametrize(("drill", "level"), CASES)
def test_every_step_of_every_drill_says_why_and_where(drill: str, level: int) -> None:
    for given in drawn(drill, level, 1):
        steps = work(given)
        assert steps
        for step in steps:
            _is_explained(step)


ONE_REASON = {"project", "sinusoid", "layer_flops"}
"""Operations whose cases differ in what is worked out, and not in why."""


@pytest.mark.parametrize(("drill", "level"), CASES)
def test_different_cases_of_an_operation_have_different_reasons(drill: str, level: int) -> None:
    for given in drawn(drill, level, 4):
        ways: dict[tuple[str, Text], set[object]] = {}
        for line in given.program.needed(*(ask.node for ask in given.program.asks)):
            if not given.listing and line.operation not in ONE_REASON:
                ways.setdefault((line.operation, reason(line)), set()).add(line.parameters)
        assert {key: found for key, found in ways.items() if len(found) > 1} == {}


def test_the_reasons_of_three_kinds_of_layers_speak_of_their_own() -> None:
    said = {step.node: step.reason.en for step in work(next(drawn("path-length", 1, 1)))}
    assert {node: word for node, word in (("R", "RNN"), ("C", "convolution"), ("A", "attention")) if word in said[node]} == {
        "R": "RNN",
        "C": "convolution",
        "A": "attention",
    }
    assert not any(word in said["C"] for word in ("RNN", "attention"))


def test_adding_is_explained_where_the_drill_is() -> None:
    for drill, level in (("embedding-scale", 2), ("ffn-row", 2)):
        found = set()
        for seed in verified.seeds(drill, level)[:20]:
            given = problem(drill, level, seed)
            nodes = {line.node for line in given.program.calls if line.operation == "add"}
            found |= {step.section for step in work(given) if step.node in nodes}
        assert found == {DRILLS[drill].section}


def test_steps_on_ones_own_numbers_lead_to_the_lessons_of_their_operations() -> None:
    assert [step.section for step in work(TWO_ROWS)] == ["7.5", "7.5", "7.7", "7.9"]
