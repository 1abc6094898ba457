"""Running programs: values, exact forms, shapes, own values in place of computed ones, and replays that round."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from contextlib import suppress
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from question_bank.exact import Expression, ln
from question_bank.program import AnswerFormat, Ask, Asked, Call, Kind, Nested, Program, Shape, call
from question_bank.text import Text
from solvers import run
from solvers.hand import Hand, float_exp, round_half_up, subscript
from solvers.mistakes import slips
from solvers.operations import OPERATIONS
from tests.solvers.drawn import CASES, drawn

FORM = AnswerFormat(Kind.MATRIX, decimals=3)
Q: Nested = ((1, 0), (1, 1), (2, 1))
K: Nested = ((0, 1), (1, 0), (1, 1))
V: Nested = ((1, 0), (0, 1), (1, 1))
CALLS = (call("S", "scores", "Q", "K"), call("Z", "scale", "S", "d_k"), call("A", "softmax", "Z"), call("O", "mix", "A", "V"))
ATTENTION = Program((("Q", Q), ("K", K), ("V", V), ("d_k", 2)), CALLS, (Ask("O", FORM),))
COURSE = {
    "S": [[0, 1, 1], [1, 1, 2], [1, 2, 3]],
    "A": [[0.1978, 0.4011, 0.4011], [0.2483, 0.2483, 0.5035], [0.1400, 0.2840, 0.5760]],
    "O": [[0.5989, 0.8022], [0.7517, 0.7517], [0.7160, 0.8600]],
}
"""The worked example of the course."""


def test_the_example_of_the_course() -> None:
    nodes = run.values(ATTENTION)
    for node, expected in COURSE.items():
        np.testing.assert_allclose(nodes[node].numpy(), expected, atol=5e-5)
    assert all(str(nodes[node].dtype) == "torch.float64" for node in "SZAO")


def test_its_exact_form() -> None:
    import sympy

    weight = run.exact(ATTENTION)["A"][0][0]
    expected = 1 / (1 + 2 * sympy.exp(sympy.sqrt(2) / 2))
    assert sympy.simplify(weight - expected) == 0
    assert abs(float(weight) - 0.19778) < 1e-5


def test_exact_forms_of_logarithms_are_fractions() -> None:
    program = Program((("z", (0, ln(2), ln(5))),), (call("p", "softmax", "z"),), (Ask("p", FORM),))
    import sympy

    assert [sympy.nsimplify(value) for value in run.exact(program)["p"]] == [
        sympy.Rational(1, 8),
        sympy.Rational(1, 4),
        sympy.Rational(5, 8),
    ]


def test_nothing_exact_is_known_of_shapes() -> None:
    program = Program((("X", Shape((2, 3))), ("W", Shape((3, 4)))), (call("Y", "project", "X", "W"),), (Ask("Y", FORM),))
    with pytest.raises(run.RunError) as caught:
        run.exact(program)
    assert "Only shapes" in caught.value.message.en
    assert "只知道形状" in caught.value.message.zh


# What can't be run --------------------------------------------------------------------------------------------------------

WRONG_SHAPES: list[tuple[dict[str, Nested | Shape], Call, list[str]]] = [
    ({"Q": ((1, 2),), "K": ((1, 2, 3),)}, call("Y", "scores", "Q", "K"), ["scores", "Q [1, 2]", "K [1, 3]"]),
    ({"X": ((1, 2, 3),), "W": ((1, 2), (3, 4))}, call("Y", "project", "X", "W"), ["project", "X [1, 3]", "W [2, 2]"]),
    ({"A": ((1, 2),), "V": ((1, 2), (3, 4), (5, 6))}, call("Y", "mix", "A", "V"), ["mix", "A [1, 2]", "V [3, 2]"]),
    ({"S": ((1, 2, 3),), "m": (1, 0)}, call("Y", "padding_mask", "S", "m"), ["padding_mask", "S [1, 3]", "m [2]"]),
    ({"x": (1, 2), "F": (1, 2, 3)}, call("Y", "residual_add", "x", "F"), ["residual_add", "x [2]", "F [3]"]),
    ({"X": Shape((2, 5, 10)), "h": 3}, call("Y", "split_heads", "X", "h"), ["split_heads", "X [2, 5, 10]", "h"]),
    ({"Q": Shape((2, 8, 5, 64)), "K": Shape((2, 8, 9, 32))}, call("Y", "scores", "Q", "K"), ["[2, 8, 5, 64]", "[2, 8, 9, 32]"]),
    (
        {"x": (1, 2, 3), "γ": (1, 1), "β": (0, 0)},
        call("Y", "layer_norm", "x", "γ", "β"),
        ["layer_norm", "x [3]", "γ [2]", "β [2]"],
    ),
]


@pytest.mark.parametrize(("inputs", "line", "named"), WRONG_SHAPES)
def test_shapes_that_do_not_fit_are_named(inputs: Mapping[str, Nested | Shape], line: Call, named: list[str]) -> None:
    program = Program(tuple(inputs.items()), (line,), (Ask("Y", FORM),))
    with pytest.raises(run.RunError) as caught:
        run.values(program)
    for name in named:
        assert name in caught.value.message.en
        assert name in caught.value.message.zh
    assert pickle.loads(pickle.dumps(caught.value)).message == caught.value.message


def test_an_unknown_operation_and_a_missing_part_are_named() -> None:
    inputs: tuple[tuple[str, Nested], ...] = (("x", ((1, 2), (3, 4))),)
    with pytest.raises(run.RunError, match="no operation “transmogrify”"):
        run.values(Program(inputs, (call("y", "transmogrify", "x"),), (Ask("y", FORM),)))
    for index in ((2,), (0, 2), (0, 0, 0)):
        with pytest.raises(run.RunError, match="part"):
            run.answers(Program(inputs, (call("y", "softmax", "x"),), (Ask("y", FORM, index),)))


# Own values in place of computed ones ---------------------------------------------------------------------------------------

OWN_SCORES = [[0.0, 1.0, 1.0], [1.0, 5.0, 2.0], [1.0, 2.0, 3.0]]


def _from_scores(scores: Any) -> Any:
    powers = np.exp(np.array(scores) / np.sqrt(2))
    return powers / powers.sum(1, keepdims=True) @ np.array(V, dtype=float)


def _output(overrides: run.Overrides, by_hand: bool) -> Any:
    return run.replay(ATTENTION, None, overrides)["O"] if by_hand else run.answers(ATTENTION, overrides)[0]


@pytest.mark.parametrize("by_hand", [False, True])
def test_own_values_stand_in_for_a_node(by_hand: bool) -> None:
    overrides = {("S", ()): OWN_SCORES}
    np.testing.assert_allclose(_output(overrides, by_hand), _from_scores(OWN_SCORES), atol=1e-12)


@pytest.mark.parametrize("by_hand", [False, True])
def test_own_values_stand_in_for_a_row_or_a_cell(by_hand: bool) -> None:
    for index, value, scores in (
        ((1,), [7.0, 0.0, -1.0], [[0, 1, 1], [7, 0, -1], [1, 2, 3]]),
        ((2, 0), -4.0, [[0, 1, 1], [1, 1, 2], [-4, 2, 3]]),
    ):
        overrides = {("S", index): value}
        np.testing.assert_allclose(_output(overrides, by_hand), _from_scores(scores), atol=1e-12)


def test_own_values_change_nothing_that_is_kept() -> None:
    before = {name: value.tolist() for name, value in run.values(ATTENTION).items()}
    base = run.values(ATTENTION)
    run.values(ATTENTION, {("S", (0,)): [9.0, 9.0, 9.0]}, (ATTENTION, base))
    run.values(ATTENTION, {("S", ()): OWN_SCORES})
    assert {name: value.tolist() for name, value in base.items()} == before
    assert {name: value.tolist() for name, value in run.values(ATTENTION).items()} == before


def test_own_values_leave_an_input_passed_on_as_it_was() -> None:
    program = Program((("X", Q),), (call("Y", "same", "X"), call("A", "softmax", "Y")), (Ask("A", FORM),))
    nodes = run.values(program, {("Y", (0,)): [5.0, 5.0]})
    assert nodes["Y"].tolist() == [[5, 5], [1, 1], [2, 1]]
    assert nodes["X"].tolist() == [[1, 0], [1, 1], [2, 1]]


def test_a_value_of_another_shape_does_not_stand_in() -> None:
    nodes = run.values(ATTENTION, {("S", ()): [[1.0, 2.0]]})
    assert nodes["O"].tolist() == run.values(ATTENTION)["O"].tolist()


def test_a_shape_stands_in_where_only_shapes_are_known() -> None:
    program = Program(
        (("Q", Shape((2, 8, 5, 64))), ("K", Shape((2, 8, 9, 64)))),
        (call("S", "scores", "Q", "K"), call("A", "softmax", "S")),
        (Ask("A", AnswerFormat(Kind.SHAPE), (), Asked.SHAPE),),
    )
    assert run.answers(program, {("S", ()): Shape((3, 4))}) == [[3, 4]]
    assert run.answers(ATTENTION, {("S", ()): Shape((3, 4))}) == run.answers(ATTENTION)


# A run on the nodes of another ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("drill", "level"), CASES)
def test_a_run_on_kept_nodes_is_a_fresh_run(drill: str, level: int) -> None:
    for problem in drawn(drill, level, 2):
        program = problem.program
        base = (program, run.values(program))
        for part in range(len(program.asks)):
            for slip in slips(program, part):
                try:
                    fresh = run.answers(slip.program)
                except (run.RunError, ValueError):
                    continue
                np.testing.assert_equal(run.answers(slip.program, base=base), fresh)


def test_own_values_reach_a_run_on_kept_nodes() -> None:
    base = (ATTENTION, run.values(ATTENTION))
    overrides = {("S", ()): OWN_SCORES}
    np.testing.assert_allclose(run.answers(ATTENTION, overrides, base)[0], _from_scores(OWN_SCORES), atol=1e-12)


@pytest.mark.parametrize(("drill", "level"), CASES)
def test_a_replay_on_kept_nodes_is_a_fresh_replay(drill: str, level: int) -> None:
    [problem] = drawn(drill, level, 1)
    program = problem.program
    if any(isinstance(value, Shape) for _, value in program.inputs):
        return
    base = (program, run.replay(program, 2))
    for part, ask in enumerate(program.asks):
        for slip in slips(program, part):
            with suppress(ValueError, IndexError, ArithmeticError, TypeError):  # a mistake that can't be made here
                fresh = run.replay(slip.program, 2)
                np.testing.assert_equal(run.replay(slip.program, 2, base=base)[ask.node], fresh[ask.node])


def test_own_values_are_put_in_again_or_stand_already() -> None:
    """Whether the nodes kept were computed without the own values or with the same."""
    overrides: run.Overrides = {("S", ()): OWN_SCORES}
    fresh = run.replay(ATTENTION, 3, overrides)
    np.testing.assert_equal(run.replay(ATTENTION, 3, overrides, (ATTENTION, run.replay(ATTENTION, 3)))["O"], fresh["O"])
    np.testing.assert_equal(run.replay(ATTENTION, 3, overrides, (ATTENTION, fresh), alike=True)["O"], fresh["O"])
    other = ATTENTION.with_call(call("A", "softmax", "Z", base="2"))
    expected = run.replay(other, 3, overrides)
    np.testing.assert_equal(run.replay(other, 3, overrides, (ATTENTION, fresh), alike=True)["O"], expected["O"])
    values = run.values(ATTENTION, overrides)
    found = run.values(other, overrides, (ATTENTION, values), alike=True)
    np.testing.assert_equal(found["O"].numpy(), run.values(other, overrides)["O"].numpy())


def test_other_inputs_are_not_taken_from_kept_nodes() -> None:
    base = (ATTENTION, run.values(ATTENTION))
    other = ATTENTION.with_inputs(K=((5, 1), (1, 0), (0, 3)))
    assert run.answers(other, base=base) == run.answers(other)


# Shapes ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("drill", "level"), CASES)
def test_shapes_are_those_of_the_values(drill: str, level: int) -> None:
    problem = next(drawn(drill, level, 1))
    shapes = run.shapes(problem.program)
    for name, value in run.values(problem.program).items():
        assert shapes[name] == tuple(value.shape)


def test_meta_tensors_hold_nothing() -> None:
    """A batch of a million sequences costs no memory."""
    program = Program(
        (("X", Shape((10**6, 4096, 8192))), ("W", Shape((8192, 8192)))),
        (call("Y", "project", "X", "W"),),
        (Ask("Y", AnswerFormat(Kind.SHAPE), (), Asked.SHAPE),),
    )
    assert run.answers(program) == [[10**6, 4096, 8192]]


# By hand --------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "digits", "rounded"),
    [
        (0.285, 2, 0.29),  # 0.28499999… in binary
        (-0.285, 2, -0.29),
        (2.5, 0, 3.0),
        (-2.5, 0, -3.0),
        (1.005, 2, 1.01),
        (0.1234, 3, 0.123),
        (0.12349, 3, 0.123),
        (5, 3, 5),
        (0.0, 3, 0.0),
        (123456.7895, 3, 123456.79),
        (float("inf"), 3, float("inf")),
        (float("-inf"), 3, float("-inf")),
    ],
)
def test_a_half_is_rounded_away_from_zero(number: float, digits: int, rounded: float) -> None:
    assert round_half_up(number, digits) == rounded
    assert np.isnan(round_half_up(float("nan"), digits))


def test_every_line_of_a_replay_is_rounded() -> None:
    nodes = run.replay(ATTENTION, 2)
    assert nodes["Z"][0] == [0.0, 0.71, 0.71]  # 1 / 1.41
    # e^0 = 1, e^0.71 = 2.03, their sum 5.06; 1 / 5.06 = 0.20, 2.03 / 5.06 = 0.40
    assert nodes["A"][0] == [0.2, 0.4, 0.4]
    assert nodes["O"][0] == [0.6, 0.8]


def test_products_and_squares_are_lines_of_their_own_to_a_person_who_rounds() -> None:
    say = Text("x", "x")
    whole = Hand(digits=0)
    assert whole.dot("", 0, (0.5, 0.5), (1, 1), say) == 2  # 1 + 1, not 0.5 + 0.5
    assert whole.mean_square("", 0, (0.8, 0.8), say) == 1  # (1 + 1) / 2
    assert whole.mean("", 0, (1, 2), say) == 2
    assert whole.sum("", 0, (0.4, 0.4), say) == 1
    assert whole.quotient("", 0, 1, 0, say) == np.inf
    assert whole.quotient("", 0, -1, 0, say) == -np.inf
    assert np.isnan(whole.quotient("", 0, 0, 0, say))


def test_without_digits_nothing_is_rounded() -> None:
    np.testing.assert_allclose(run.replay(ATTENTION, None)["O"], run.answers(ATTENTION)[0], atol=1e-15)
    np.testing.assert_allclose(run.replay(ATTENTION, 12)["O"], run.answers(ATTENTION)[0], atol=1e-10)


def test_lines_are_written_down_only_when_recording() -> None:
    environment = {name: value.tolist() for name, value in run.values(ATTENTION).items()}
    hand = run.record(ATTENTION, "S", environment)
    assert [line.result for line in hand.lines] == [0, 1, 1, 1, 1, 2, 1, 2, 3]
    assert [line.row for line in hand.lines] == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    quiet = Hand()
    OPERATIONS["scores"].by_hand(quiet, environment["Q"], environment["K"])
    assert quiet.lines == []


@pytest.mark.parametrize(
    ("indices", "text"), [((0,), "₁"), ((0, 1), "₁₂"), ((8, 8), "₉₉"), ((9, 0), "₁₀,₁"), ((0, 11), "₁,₁₂"), ((), "")]
)
def test_subscripts_count_from_one(indices: tuple[int, ...], text: str) -> None:
    assert subscript(*indices) == text


def test_the_exponential_neither_overflows_nor_fails() -> None:
    assert float_exp(-np.inf) == 0.0
    assert float_exp(1e6) == np.inf
    assert float_exp(0) == 1.0


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (3, "3"),
        (Fraction(1, 3), "1/3"),
        (ln(2), "log(2)"),
        (Expression("/", (Expression("sqrt", (2,)), 2)), "sqrt(2)/2"),
        (Expression("neg", (Expression("inf"),)), "-oo"),
        (Expression("^", (Expression("e"), 2)), "exp(2)"),
        (Expression("exp", (Fraction(1, 2),)), "exp(1/2)"),
        (Expression("-", (Expression("pi"), 1)), "-1 + pi"),
        (Expression("*", (2, Expression("pi"))), "2*pi"),
        (Expression("+", (1, Expression("nan"))), "nan"),
    ],
)
def test_exact_numbers_become_sympys(number: Any, text: str) -> None:
    assert str(run.to_sympy(number)) == text
