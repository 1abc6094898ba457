"""Worked steps: the arithmetic shown is true, nothing needed is missing, nothing else is there, in both languages."""

from __future__ import annotations

import math
import re
from fractions import Fraction

import pytest

from question_bank import Language, Problem
from question_bank.math import plain, to_unicode
from question_bank.own_numbers import TEMPLATES, build
from question_bank.problem import draw
from question_bank.program import AnswerFormat, Ask, Kind, Nested, Program, Shape, call
from question_bank.text import Text
from solvers import run
from solvers.hand import subscript
from solvers.steps import Step, SubStep, Table
from solvers.worked import MOST_LINES, MOST_TERMS, work
from tests.solvers import program_reference, spellings
from tests.solvers.arithmetic import evaluate, half_unit, shown
from tests.solvers.drawn import CASES, MANY, drawn

SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def _label(node: str, *index: int) -> str:
    numbers = [str(place + 1) for place in index]
    return node + (",".join(numbers) if any(len(number) > 1 for number in numbers) else "".join(numbers)).translate(SUBSCRIPTS)


def _holds(line: SubStep) -> float:
    """Verify one line, and return by how much the numbers shown leave its result open."""
    result, open_by = shown(line.result), 1.1 * half_unit(line.result)
    widest = 0.0
    for side in line.expression.split(" = "):
        low, high = evaluate(side)
        if math.isinf(result) or math.isnan(result):
            nothing = math.isnan(low) or (math.isnan(result) and low == -math.inf)  # 0 / 0 may be anything
            assert low == high == result or nothing, line
            continue
        assert low - open_by <= result <= high + open_by, line
        widest = max(widest, (high - low) / max(1.0, abs(result)))
    return widest


def _cells(table: Table, *index: int) -> dict[tuple[int, ...], str]:
    if isinstance(table, str):
        return {index: table}
    return {place: cell for i, part in enumerate(table) for place, cell in _cells(part, *index, i).items()}


def _agrees(step: Step, reference: object) -> None:
    """The result is NumPy's, the dots aside, and every cell of it has its own line."""
    lines = {line.cell: line.result for line in step.substeps}
    for index, cell in _cells(step.result).items():
        if cell == "·":
            continue
        value = reference
        for place in index:
            value = value[place]  # type: ignore[index]
        number = float(value)  # type: ignore[arg-type]
        assert shown(cell) == pytest.approx(number, abs=1.1 * half_unit(cell), nan_ok=True), (step.node, index)
        label = _label(step.node, *index)
        if label in lines:
            assert lines[label] == cell, (step.node, index)


def _is_bilingual(step: Step) -> None:
    for text in (step.title, step.reason, *(line.explanation for line in step.substeps)):
        assert text.en.strip() == text.en
        assert text.en
        assert text.zh
        assert not re.search(r"[\u4e00-\u9fff]", text.en)
        for language in Language:
            assert not re.search(r"[{}$]", plain(text[language])), text
    assert re.search(r"[\u4e00-\u9fff]", step.reason.zh)
    assert to_unicode(step.formula)


OWN_LETTERS = {"merge_blocks"}
"""Operations whose lines work a node of the same letter out on the way."""


def _uses_the_problems_letters(step: Step, program: Program) -> None:
    """A letter that stands for something in the problem stands for nothing else on the way."""
    line = program.lines[step.node]
    letters = {name for name in (*program.values, *program.lines) if len(name) == 1} - {line.node, *line.arguments}
    for substep in step.substeps if line.operation not in OWN_LETTERS else ():
        assert letters.isdisjoint(re.findall(r"(?<![A-Za-z_])[A-Za-z](?![A-Za-z_′])", substep.cell)), substep


def _examine(problem: Problem) -> None:
    program = problem.program
    steps = work(problem)
    for step in steps:
        _is_bilingual(step)
        _uses_the_problems_letters(step, program)
    if any(isinstance(value, Shape) for _, value in program.inputs):
        return
    needed = program.needed(*(ask.node for ask in program.asks))
    assert [step.node for step in steps] == [line.node for line in needed]
    nodes = program_reference.run(program)
    for step in steps:
        _agrees(step, nodes[step.node])
        if program.lines[step.node].operation == "first_difference":
            continue  # it has no arithmetic; test_listings looks at it
        open_lines = [_holds(line) for line in step.substeps if line.expression and "…" not in line.expression]
        # What a listing does wrongly may be that it does nothing, or takes a row over as it is.
        assert open_lines or step.title.en.endswith(": as the listing has it"), step.node
        assert sum(width > 0.02 for width in open_lines) <= len(open_lines) / 4, "too few digits to follow"


@pytest.mark.parametrize(("drill", "level"), CASES)
def test_the_arithmetic_shown_is_true(drill: str, level: int) -> None:
    for problem in drawn(drill, level, 3):
        _examine(problem)


@pytest.mark.long
@pytest.mark.parametrize(("drill", "level"), CASES)
def test_the_arithmetic_shown_is_true_200(drill: str, level: int) -> None:
    for problem in drawn(drill, level, MANY):
        _examine(problem)


def _shape_text(text: str) -> list[int]:
    return [int(size) for size in re.findall(r"[0-9]+", text)]


@pytest.mark.parametrize(("drill", "level"), [case for case in CASES if case[0].endswith(("-shapes", "encoder-shape"))])
def test_shapes_are_put_in(drill: str, level: int) -> None:
    for problem in drawn(drill, level, 3):
        program = problem.program
        sizes = run.shapes(program)
        numbers = {name: value.item() for name, value in run.values(program).items() if not value.is_meta}
        asked = {ask.node for ask in program.asks}
        lines = program.needed(*asked)
        steps = work(problem)
        # A weight that isn't asked is shown where it is used.
        assert [step.node for step in steps] == [
            line.node for line in lines if line.operation != "weight" or line.node in asked
        ]
        for step in steps:
            (substep,) = step.substeps
            if not sizes[step.node]:  # a width that is worked out on the way
                assert step.result == f"{numbers[step.node]:.0f}" == substep.result
                continue
            for name in program.lines[step.node].arguments:
                given = f"{name} {list(sizes[name])}" if sizes[name] else f"{name} = {numbers[name]:.0f}"
                assert given in substep.expression
            assert step.result == substep.result == str(list(sizes[step.node]))


# One of each kind, written out -------------------------------------------------------------------------------------------


def _lines(value: tuple[tuple[str, Nested], ...], *calls: object, ask: Ask) -> list[tuple[str, str, str]]:
    (step,) = work(Program(value, calls, (ask,)))  # type: ignore[arg-type]
    return [(line.cell, line.expression, line.result) for line in step.substeps]


ROW = AnswerFormat(Kind.VECTOR, decimals=3)


def test_a_dot_product_shows_products_and_sum() -> None:
    inputs: tuple[tuple[str, Nested], ...] = (("X", ((1, -2),)), ("W", ((Fraction(1, 2), 3), (-4, 0))))
    assert _lines(inputs, call("Y", "project", "X", "W"), ask=Ask("Y", ROW, (0,))) == [
        ("Y₁₁", "1×0.5 + (−2)×(−4) = 0.5 + 8", "8.5"),
        ("Y₁₂", "1×3 + (−2)×0 = 3 + 0", "3"),
    ]


def test_a_softmax_shows_exponentials_sum_and_quotients() -> None:
    assert _lines((("z", (1, -1)),), call("p", "softmax", "z"), ask=Ask("p", ROW)) == [
        ("e^z₁", "e^1", "2.7183"),
        ("e^z₂", "e^(−1)", "0.3679"),
        ("Σ", "2.7183 + 0.3679", "3.0862"),
        ("p₁", "2.7183 / 3.0862", "0.8808"),
        ("p₂", "0.3679 / 3.0862", "0.1192"),
    ]


def test_large_scores_are_shifted_first() -> None:
    lines = _lines((("z", (1000, 1001)),), call("p", "softmax", "z"), ask=Ask("p", ROW))
    assert [line[1] for line in lines[:2]] == ["1000 − 1001", "1001 − 1001"]
    assert [line[2] for line in lines[-2:]] == ["0.2689", "0.7311"]


def test_scaling_shows_the_root_once() -> None:
    lines = _lines((("s", (1, -2)), ("d_k", 2)), call("z", "scale", "s", "d_k"), ask=Ask("z", ROW))
    assert lines == [("√d_k", "√2", "1.4142"), ("z₁", "1 / 1.4142", "0.7071"), ("z₂", "−2 / 1.4142", "−1.4142")]


def test_a_layer_norm_shows_mean_variance_root_and_quotients() -> None:
    lines = _lines((("x", (1, 2, 3, 4)),), call("y", "layer_norm", "x"), ask=Ask("y", ROW))
    assert lines[0] == ("μ", "(1 + 2 + 3 + 4) / 4", "2.5")
    assert lines[5] == ("σ²", "((−1.5)² + (−0.5)² + 0.5² + 1.5²) / 4", "1.25")
    assert lines[6] == ("σ", "√1.25", "1.1180")
    assert lines[7] == ("y₁", "−1.5 / 1.1180", "−1.3416")


def test_only_the_rows_that_are_needed() -> None:
    """Row 2 of the output needs row 2 of scores and weights, and all of the values."""
    values: Nested = ((1, 2), (3, 4), (5, 6))
    program = Program(
        (("Q", values), ("X", values), ("W_V", ((1, 0), (1, 1))), ("d_k", 2)),
        (
            call("S", "scores", "Q", "X"),
            call("Z", "scale", "S", "d_k"),
            call("A", "softmax", "Z"),
            call("V", "project", "X", "W_V"),
            call("O", "mix", "A", "V"),
            call("T", "same", "O"),
        ),
        (Ask("O", ROW, (1,)),),
    )
    steps = {step.node: step for step in work(program)}
    assert list(steps) == ["S", "Z", "A", "V", "O"]
    for node in "SZAO":
        rows = [[cell == "·" for cell in row] for row in steps[node].result]
        assert [all(row) for row in rows] == [True, False, True], node
        assert not any(rows[1])
    assert "·" not in str(steps["V"].result)
    assert [line.cell for line in steps["S"].substeps] == ["S₂₁", "S₂₂", "S₂₃"]
    assert [line.cell for line in steps["Z"].substeps] == ["√d_k", "Z₂₁", "Z₂₂", "Z₂₃"]
    assert len(steps["V"].substeps) == 6


@pytest.mark.parametrize(
    ("value", "index", "cells"),
    [
        (((2, 1), (1, 3)), (1, 0), ["S₂₁"]),
        (((2, 1), (1, 3)), (1,), ["S₂₁", "S₂₂"]),
        (((2, 1), (1, 3)), (), ["S₁₁", "S₁₂", "S₂₁", "S₂₂"]),
    ],
)
def test_one_number_has_one_line(value: Nested, index: tuple[int, ...], cells: list[str]) -> None:
    lines = _lines((("Q", value), ("K", value)), call("S", "scores", "Q", "K"), ask=Ask("S", ROW, index))
    assert [line[0] for line in lines] == cells


def test_two_numbers_of_a_softmax_have_a_line_each() -> None:
    weights = draw("cross-weights", 2, "x")
    asked = {f"A{subscript(*ask.index)}" for ask in weights.program.asks}
    assert asked == {line.cell for line in work(weights)[-1].substeps if line.cell.startswith("A")}


def test_one_number_of_a_softmax_keeps_the_lines_it_comes_from() -> None:
    wanted = ["e^z₁", "e^z₂", "e^z₃", "Σ", "p₂"]
    assert [line[0] for line in _lines((("z", (2, 1, 3)),), call("p", "softmax", "z"), ask=Ask("p", ROW, (1,)))] == wanted
    matrix: Nested = ((2, 1, 3), (0, 1, 0))
    lines = _lines((("z", matrix),), call("p", "softmax", "z"), ask=Ask("p", ROW, (1, 2)))
    assert [line[0] for line in lines] == ["e^z₂₁", "e^z₂₂", "e^z₂₃", "Σ₂", "p₂₃"]


def test_long_sums_and_many_lines_are_abbreviated() -> None:
    side = 6
    matrix: Nested = tuple(tuple((i + j) % 3 for j in range(side + 4)) for i in range(side))
    program = build(TEMPLATES["attention"], {"q": matrix, "k": matrix, "v": matrix})
    scores, *_ = work(program)
    *lines, last = scores.substeps
    assert len(lines) == MOST_LINES
    assert last.cell == "…"
    assert str(side * side - MOST_LINES) in last.explanation.en
    assert str(side * side - MOST_LINES) in last.explanation.zh
    for line in lines:
        assert line.expression.count("…") == 2
        products, sums = line.expression.split(" = ")
        assert len(products.split(" + ")) == len(sums.split(" + ")) == MOST_TERMS
    last_cell = max(_cells(scores.result))
    assert last_cell == (side - 1, side - 1), "the result itself is whole"


@pytest.mark.parametrize("template", TEMPLATES.values(), ids=list(TEMPLATES))
def test_own_numbers_are_worked_out(template: object) -> None:
    from tests.question_bank.test_own_numbers import EXAMPLES

    program = build(template, EXAMPLES[template.id])  # type: ignore[arg-type,attr-defined]
    nodes = program_reference.run(program)
    for step in work(program):
        _is_bilingual(step)
        _agrees(step, nodes[step.node])
        for line in step.substeps:
            if line.expression:
                _holds(line)


def test_the_evaluator_of_these_tests_evaluates() -> None:
    """A reader that took anything for true would hide everything above."""
    assert evaluate("1×0.5 + (−2)×(−4)") == (8.5, 8.5)
    assert evaluate("((−1.5)² + 0.5²) / 2") == (1.25, 1.25)
    assert evaluate("e^(−∞)") == (0.0, 0.0)
    low, high = evaluate("√2")
    assert low == high == math.sqrt(2)
    low, high = evaluate("2.7183 / 3.0862")
    assert high - low < 1e-4
    assert low < math.e / (math.e + 1 / math.e) < high
    with pytest.raises(AssertionError):
        _holds(SubStep("S", Text("x", "x"), "1×2 + 3×4 = 2 + 12", "15"))
    with pytest.raises(AssertionError):
        _holds(SubStep("S", Text("x", "x"), "1×2 + 3×4 = 2 + 13", "14"))
    assert spellings.flat([[1.0], [2.0]]) == [1.0, 2.0]


@pytest.mark.parametrize(
    ("number", "way"),
    [
        (2.0, "2"),
        (-1.5, "−1.5"),
        (2 / 3, "0.6667"),
        (0.0123456, "0.0123"),
        (0.00025, "0.00025"),
        (1e-5, "0.00001"),
        (-0.000698771, "−0.0006988"),
        (0.00999996, "0.01000"),
        (1.74692e-7, "0.0000001747"),
        (3e-12, "0.0000"),
        (9999.00004, "9999.0000"),
        (22026.465794806718, "22026.466"),
        (-162754.79141900392, "−162754.79"),
        (26489122129.84347, "26489122130"),
        (123456789.0, "123456789"),
        (math.inf, "∞"),
        (-math.inf, "−∞"),
        (math.nan, "nan"),
    ],
)
def test_small_numbers_on_the_way_keep_four_significant_digits_and_large_ones_eight(number: float, way: str) -> None:
    from solvers.display import intermediate, way_number

    assert way_number(number) == way
    assert intermediate([number, 1.0]) == f"[{way.replace('−', '-').replace('∞', 'inf')}, 1]"
