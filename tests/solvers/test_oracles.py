"""Torch, the calculation by hand, sympy and NumPy give the same numbers on every drill."""

from __future__ import annotations

import numpy as np
import pytest

from question_bank import Problem, problem
from question_bank.drills import DRILLS
from question_bank.program import Asked, Kind, Program, Shape
from solvers import run
from solvers.operations import OPERATIONS
from tests.solvers import program_reference
from tests.solvers.drawn import MANY, drawn, plausible

CASES = [(drill.id, level) for drill in DRILLS.values() for level in drill.levels]
NEAR = {"rtol": 0, "atol": 1e-9, "equal_nan": True}


def _knows_values(program: Program) -> bool:
    return not any(isinstance(value, Shape) for _, value in program.inputs)


def _shrunk(program: Program) -> Program:
    """The program at sizes that NumPy can fill: what is known by its shape keeps its ranks and its equalities."""
    sizes = {size for value in program.values.values() if isinstance(value, Shape) for size in value.dimensions}
    sizes |= {value for value in program.values.values() if isinstance(value, int)}
    heads = program.values.get("h", 1)
    assert isinstance(heads, int)
    few = {heads: 2} if heads > 1 else {}
    few |= {kv_heads: 1} if isinstance(kv_heads := program.values.get("h_kv"), int) and kv_heads < heads else {}
    # Distinct sizes stay distinct; all but the number of heads are even, so that heads divide them.
    small = {size: few.get(size, 2 * (position + 2)) for position, size in enumerate(sorted(sizes))}
    shrunk = program.with_inputs(
        **{
            name: Shape(tuple(small[size] for size in value.dimensions)) if isinstance(value, Shape) else small[value]  # type: ignore[index]
            for name, value in program.inputs
        }
    )
    if "d_K" in shrunk.values:  # KV heads are as wide as query heads
        shrunk = shrunk.with_inputs(d_K=shrunk.values["d_model"] // 2)  # type: ignore[operator]
    return shrunk


def _agree(drill: str, level: int, seed: int) -> None:
    program = problem(drill, level, seed).program
    if not _knows_values(program):
        program = _shrunk(program)
    torch_nodes = run.values(program)
    numpy_nodes = program_reference.run(program)
    for line in program.needed(*(ask.node for ask in program.asks)):
        assert tuple(torch_nodes[line.node].shape) == numpy_nodes[line.node].shape, line
    if not _knows_values(program):
        return
    by_hand = run.replay(program, None)
    exact = run.exact(program)
    for ask in program.asks:
        expected = run.at(numpy_nodes[ask.node], ask.index)
        for route in (torch_nodes[ask.node], np.array(by_hand[ask.node]), _evaluated(exact[ask.node])):
            np.testing.assert_allclose(
                np.asarray(run.at(route, ask.index)), expected, **NEAR, err_msg=f"{drill} {level} {seed}"
            )


def _evaluated(value: object) -> object:
    return np.array([_evaluated(part) for part in value]) if isinstance(value, list) else float(value.evalf(30))  # type: ignore[attr-defined]


@pytest.mark.parametrize(("drill", "level"), CASES)
def test_four_routes_to_one_number(drill: str, level: int) -> None:
    for seed in range(0, 1000, 125):
        _agree(drill, level, seed)


@pytest.mark.long
@pytest.mark.parametrize(("drill", "level"), CASES)
def test_four_routes_to_one_number_on_200_seeds(drill: str, level: int) -> None:
    for seed in range(200):
        _agree(drill, level, seed)


def test_every_operation_that_is_not_a_left_out_line_has_a_reference() -> None:
    assert set(program_reference.OPERATIONS) == set(OPERATIONS) - {"same"}


def test_every_node_known_by_shape_is_asked_for_its_shape_only() -> None:
    for drill, level in CASES:
        program = problem(drill, level, 1).program
        if not _knows_values(program):
            numbers = {ask.asked for ask in program.asks if ask.format.kind is not Kind.LINE}
            assert numbers == {Asked.SHAPE}, drill


def _mistakes_agree(drawn_one: Problem) -> int:
    """The calculation by hand is what replays that round are made of, for mistakes too."""
    seen = 0
    for mistake in plausible(drawn_one):
        if mistake.ask.asked is Asked.VALUE and _knows_values(mistake.slip.program):
            (ask,) = mistake.slip.program.asks
            by_hand = run.at(run.replay(mistake.slip.program, None)[ask.node], ask.index)
            in_torch = run.at(mistake.scenario.environment[ask.node], ask.index)
            np.testing.assert_allclose(
                np.array(by_hand, dtype=float), in_torch, **NEAR, err_msg=f"{drawn_one.code} {mistake.name}"
            )
            seen += 1
    return seen


@pytest.mark.parametrize(("drill", "level"), CASES)
def test_mistakes_by_hand_give_the_number_that_torch_gives(drill: str, level: int) -> None:
    assert all(_mistakes_agree(one) >= 2 or not _knows_values(one.program) for one in drawn(drill, level, 4))


@pytest.mark.long
@pytest.mark.parametrize(("drill", "level"), CASES)
def test_mistakes_by_hand_give_the_number_that_torch_gives_200(drill: str, level: int) -> None:
    for one in drawn(drill, level, MANY):
        _mistakes_agree(one)
