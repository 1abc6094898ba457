"""Listings run: every line gives what the program beside it says, and every planted mistake is the catalogued one."""

from __future__ import annotations

import contextlib
import io
import math
import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import pytest
import torch

from question_bank import Problem
from question_bank.drills import DRILLS, spotting
from question_bank.drills.spotting import Line, Sizes, Wrong
from question_bank.exact import MINUS_INFINITY
from question_bank.math import plain
from question_bank.program import AnswerFormat, Ask, Kind, Program, Shape, call
from solvers import run
from solvers.grading import grade
from solvers.operations import OPERATIONS
from solvers.operations.listings import pairs
from solvers.verdict import Outcome
from solvers.worked import answers, work
from tests.solvers.drawn import MANY, drawn

ASSIGNED = re.compile(r"(\w+) = .+")


def _names(program: Program) -> dict[str, Any]:
    """What a listing finds there: torch, math, the inputs, and weights known by their shapes."""
    names: dict[str, Any] = {"torch": torch, "math": math}
    for name, value in program.inputs:
        if isinstance(value, Shape):
            names[name] = torch.empty(value.dimensions, device="meta")
        else:
            numbers = run.floats(value)
            names[name] = torch.tensor(numbers, dtype=torch.float64) if isinstance(numbers, list) else value
    for line in program.calls:
        if line.operation == "weight":
            names[line.node] = torch.empty([program.values[size] for size in line.arguments], device="meta")  # type: ignore[misc]
    return names


def _printed(listing: Sequence[str], names: dict[str, Any]) -> str:
    """Run a listing; what it prints."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        for code in listing:
            exec(code, names)
    return out.getvalue()


def _same(ours: torch.Tensor, theirs: torch.Tensor) -> bool:
    if ours.is_meta or theirs.is_meta:
        return ours.shape == theirs.shape
    return ours.shape == theirs.shape and torch.allclose(ours, theirs, rtol=1e-12, atol=1e-12, equal_nan=True)


# The shape after a line ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", DRILLS["line-shape"].levels)
def test_each_line_has_the_shape_of_its_call(level: int) -> None:
    for problem in drawn("line-shape", level, 6):
        program = problem.program
        shapes = run.shapes(program.with_asks(*program.asks))
        names = _names(program)
        for number, code in enumerate(problem.listing, 1):
            matched = ASSIGNED.fullmatch(code)
            assert matched is not None
            exec(code, names)
            made = names[matched[1]]
            assert isinstance(made, torch.Tensor)
            if matched[1] in shapes:
                assert tuple(made.shape) == shapes[matched[1]], code
            for ask in program.asks:
                if ask.node == matched[1]:
                    assert f"{ask.node} after line {number}" in plain(problem.prompt.en)


# A listing with a mistake ----------------------------------------------------------------------------------------------

SHOULD_READ = re.compile(r"Line (\d+) should read: (.+?)\. [A-Z]")


def _mended(problem: Problem) -> tuple[int, list[str]]:
    """The number of the wrong line, and the listing with that line as the remark has it."""
    assert problem.remark is not None
    matched = SHOULD_READ.match(problem.remark.en)
    assert matched is not None, problem.remark.en
    number, code = int(matched[1]), matched[2]
    assert f"第 {number} 行应为 {code}。" in problem.remark.zh
    mended = list(problem.listing)
    assert mended[number - 1] != code
    mended[number - 1] = code
    return number, mended


def _runs_as_its_program(problem: Problem) -> None:
    program = problem.program
    environment = run.values(program)
    compare = program.lines["line"]
    number, mended = _mended(problem)
    as_it_is, as_meant = _names(program), _names(program)
    printed = _printed(problem.listing, as_it_is)
    _printed(mended, as_meant)
    assert len(pairs(compare.arguments)) == len(problem.listing)
    first = 0
    for place, (code, (given, right)) in enumerate(zip(problem.listing, pairs(compare.arguments), strict=True), 1):
        where = (problem.code, place, code)
        assert _same(as_it_is[given], environment[given]), where
        assert _same(as_meant[given], environment[right]), where
        if not first and not _same(as_it_is[given], as_meant[given]):
            first = place
    assert first == number
    assert answers(problem)[0] in (str(number), f"line {number}")
    tensors = [_numbers(text) for text in printed.split("tensor")[1:]]
    for place, (ask, answer) in enumerate(zip(program.asks[1:], answers(problem)[1:], strict=True)):
        if ask.format.kind is Kind.SHAPE:
            assert printed.strip() == answer.replace("[", "(").replace("]", ")")
        else:
            assert tensors[place] == pytest.approx(_numbers(answer), abs=6e-4, nan_ok=True), problem.code


def _numbers(text: str) -> list[float]:
    return [float(number) for number in re.findall(r"-?\d+\.?\d*(?:e[-+]?\d+)?|nan|-?inf", text.partition("dtype")[0])]


@pytest.mark.parametrize("level", DRILLS["spot-the-bug"].levels)
def test_a_listing_gives_what_its_program_gives(level: int) -> None:
    for problem in drawn("spot-the-bug", level, 40):
        _runs_as_its_program(problem)


@pytest.mark.long
@pytest.mark.parametrize("level", DRILLS["spot-the-bug"].levels)
def test_a_listing_gives_what_its_program_gives_200(level: int) -> None:
    for problem in drawn("spot-the-bug", level, MANY):
        _runs_as_its_program(problem)


SQUARE: tuple[tuple[str, Any], ...] = (
    ("X", ((1, 2, 0), (-1, 3, 1), (2, -2, 1))),
    ("Q", ((1, 2, 0), (-1, 1, 1), (2, 0, 1))),
    ("K", ((0, 1, 2), (1, 1, -1), (2, -1, 0))),
    ("V", ((3, 1, 4), (1, 5, 9), (2, 6, 5))),
    ("W_Q", ((1, 0, 2), (0, 1, 1), (3, -1, 0))),
    ("W_K", ((2, 1, 0), (1, -1, 1), (0, 2, 1))),
    ("W_V", ((1, 1, 0), (0, 2, 1), (-1, 0, 1))),
    ("keep", (1, 1, 0)),
    ("d_k", 3),
    ("d_model", 7),
)
HEADS: tuple[tuple[str, Any], ...] = (("X", Shape((2, 5, 12))), ("d_model", 12), ("h", 3))
WEIGHTS = tuple(call(f"W_{name}", "weight", "d_model", "d_model") for name in "QKV")


def _listings() -> Iterator[tuple[tuple[tuple[str, Any], ...], Sequence[Line]]]:
    """Every line that there is, in a listing that it belongs to."""
    softmax, masked = spotting._softmax("Z"), spotting._softmax("M")
    end = (spotting.MIX, Line("print(O)", "O"))
    separately = (spotting.SCORES, spotting.SCALE)
    for weighing in (
        *((softmax,), (spotting.CAUSAL, masked), (spotting.CAUSAL_SOFTMAX,)),
        *((spotting.PADDING, masked), (spotting.PADDED_SOFTMAX,), (spotting.CACHED, masked)),
    ):
        inputs = SQUARE
        if weighing[0] is spotting.CACHED:
            inputs = (*SQUARE[:1], ("Q", SQUARE[1][1][1:]), *SQUARE[2:])
        yield inputs, (*separately, *weighing, *end)
    yield SQUARE, (spotting.SCALED_SCORES, softmax, *end)
    projected = tuple(item for item in SQUARE if item[0] not in ("Q", "K", "V"))
    projections = tuple(spotting._projection(node, "X", others) for node, others in (("Q", "KV"), ("K", "QV"), ("V", "QK")))
    yield projected, (*projections, *separately, softmax, *end)
    yield HEADS, spotting._heads("X")


def _ways() -> Iterator[tuple[tuple[tuple[str, Any], ...], Sequence[Line], int, Wrong]]:
    seen = set()
    for inputs, lines in _listings():
        rows = len(dict(inputs).get("Q", SQUARE[1][1]))
        sizes = Sizes(rows, 3, 3, 3, 3) if inputs is not HEADS else Sizes(5, 5, 4, 4, 12)
        for at, line in enumerate(lines):
            for wrong in line.wrong:
                always = wrong.mistake == "scale.root-d_model"  # here d_model is not the width of X
                if (wrong.code, wrong.mistake) not in seen and (always or wrong.fits(sizes)):
                    seen.add((wrong.code, wrong.mistake))
                    yield inputs, lines, at, wrong


WAYS = list(_ways())


def test_every_wrong_line_is_tried() -> None:
    """All that the module defines, as far as its constants and its functions of lines have them."""
    codes = {wrong.code for _, _, _, wrong in WAYS}
    constants = [value for value in vars(spotting).values() if isinstance(value, Line)]
    assert {wrong.code for line in constants for wrong in line.wrong} <= codes
    assert len(WAYS) >= 45


def _input(value: torch.Tensor) -> Any:
    """A computed value, put into a program."""
    return Shape(tuple(value.shape)) if value.is_meta else _exactly(value.tolist())


def _exactly(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(map(_exactly, value))
    return MINUS_INFINITY if value == -math.inf else Fraction(value)


@pytest.mark.parametrize("way", WAYS, ids=[f"{way[3].mistake}: {way[3].code}" for way in WAYS])
def test_a_wrong_line_is_the_catalogued_mistake(way: tuple[tuple[tuple[str, Any], ...], Sequence[Line], int, Wrong]) -> None:
    """Its calls give what the right line's give with that mistake's edit, and its code gives what its calls give."""
    inputs, lines, at, wrong = way
    calls = (*(WEIGHTS if inputs is HEADS else ()), *(one for line in lines for one in line.calls))
    node = lines[at].node
    ask = Ask(node, AnswerFormat(Kind.MATRIX, decimals=3))
    planted = spotting.plant(lines, at, wrong)
    listed = Program(inputs, (*(WEIGHTS if inputs is HEADS else ()), *planted.calls), (ask,))
    given = run.values(listed)[node]
    before = run.values(Program(inputs, calls, (ask,)))
    right = Program(
        tuple((name, _input(value)) for name, value in before.items() if name not in {one.node for one in lines[at].calls}),
        lines[at].calls,
        (ask,),
    )
    edits = [
        edited.program
        for one in lines[at].calls
        for mistake in OPERATIONS[one.operation].mistakes
        if mistake.id == wrong.mistake
        for edited in mistake.edit(right, one, ask)
    ]
    assert edits, "the operation has that mistake"
    assert any(_same(given, run.values(edited)[node]) for edited in edits)
    names = _names(listed)
    _printed(planted.lines, names)
    assert _same(names[node], given)
    assert wrong.code != lines[at].code


# What is said of it ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", DRILLS["spot-the-bug"].levels)
def test_the_last_step_holds_both_beside_each_other(level: int) -> None:
    for problem in drawn("spot-the-bug", level, 6):
        steps = work(problem)
        number = _mended(problem)[0]
        given, right = pairs(problem.program.lines["line"].arguments)[number - 1]
        last = steps[-1]
        assert last.node == "line"
        assert last.result == str(number)
        assert problem.remark is not None
        assert last.reason.en.endswith(problem.remark.en)
        assert last.reason.zh.endswith(problem.remark.zh)
        shown = [line for line in last.substeps if f"line {number} is the first" in line.explanation.en]
        assert [line.cell for line in shown] == [plain(f"${name}$") for name in (given, right.replace("′", "'"))]
        assert shown[0].result != shown[1].result
        titles = {step.node: step.title.en for step in steps}
        assert titles[given].endswith(": as the listing has it")
        assert titles[right].endswith(": as it should be")
        assert len({(step.node, step.title) for step in steps}) == len(steps)


def test_another_line_is_wrong_for_a_reason() -> None:
    """Lines in front of the mistake are right; of those behind it, some only pass it on."""
    told: dict[str, set[str]] = {}
    for problem in drawn("spot-the-bug", 2, 60):
        number = _mended(problem)[0]
        compared = pairs(problem.program.lines["line"].arguments)
        nodes = run.values(problem.program)
        rest: list[str | None] = list(answers(problem)[1:])
        for other in range(1, len(problem.listing) + 1):
            verdict = grade(problem, [str(other), *rest]).parts[0]
            assert (verdict.outcome is Outcome.RIGHT) == (other == number)
            if other != number:
                assert verdict.outcome is Outcome.KNOWN_MISTAKE
                given, right = compared[other - 1]
                kind = "before" if other == number - 1 else "sound" if _same(nodes[given], nodes[right]) else "later"
                assert verdict.mistake == f"first_difference.{kind}", (problem.code, other)
                told.setdefault(kind, set()).add(verdict.message.zh)
        beyond = grade(problem, [str(len(problem.listing) + 1), *rest]).parts[0]
        assert beyond.outcome is Outcome.UNREADABLE
    assert {kind: len(messages) for kind, messages in told.items()} == {"before": 1, "sound": 1, "later": 1}


def test_the_output_follows_from_ones_own_weights() -> None:
    """A slip in the weights that the listing prints counts once."""
    followed = 0
    for problem in drawn("spot-the-bug", 3, 12):
        line, weights, _ = answers(problem)
        own = [(place + 1) / 10 for place in range(weights.count(",") + 1)]
        program = problem.program
        mix = program.lines["O"]
        if mix.operation != "mix" or dict(mix.parameters) or mix.arguments != ("A", "V"):
            continue
        V = torch.tensor(run.floats(program.values["V"]), dtype=torch.float64)  # type: ignore[arg-type]
        output = [round(number, 6) for number in (torch.tensor(own, dtype=torch.float64) @ V).tolist()]
        verdict = grade(problem, [line, str(own), str(output)])
        assert [part.outcome for part in verdict.parts][1:] == [Outcome.WRONG, Outcome.RIGHT_AFTER_SLIP], problem.code
        followed += 1
    assert followed >= 4
