"""Masks: what goes to unmasked padding, the shapes that broadcast, and alignment; and heads through the output projection."""

from __future__ import annotations

from fractions import Fraction

import pytest
import torch

from question_bank.exact import ln
from question_bank.program import AnswerFormat, Ask, Asked, Call, Kind, Nested, Program, Shape, call
from solvers import run
from solvers.mistakes import slips
from tests.solvers.one_call import asking, near, value, wrong

HALF, TENTH = Fraction(1, 2), Fraction(1, 10)


def test_what_goes_to_padding() -> None:
    program = asking(call("p", "padding_share", "a", "m"), 0, a=(HALF, TENTH, 3 * TENTH, TENTH), m=(1, 1, 0, 0))
    assert value(program) == pytest.approx(0.4)
    found = {name.partition(".")[2]: float(result) for name, result in wrong(program).items()}
    assert found == pytest.approx({"real": 0.6, "one": 0.3, "ratio": 2 / 3, "positions": 0.5})
    one = asking(call("p", "padding_share", "a", "m"), 0, a=(HALF, HALF), m=(1, 0))
    assert "padding_share.one" not in wrong(one)


def test_what_goes_to_padding_in_the_course() -> None:
    """FACTS: 84.4 % of the row [2, 1, 3, 2, 4, 5] go to its last two keys."""
    program = Program(
        (("z", (2, 1, 3, 2, 4, 5)), ("m", (1, 1, 1, 1, 0, 0))),
        (call("a", "softmax", "z"), call("p", "padding_share", "a", "m")),
        (Ask("p", AnswerFormat(Kind.PERCENT, decimals=1)),),
    )
    assert run.answers(program)[0] == pytest.approx(0.844, abs=5e-4)


def _views(inputs: dict[str, tuple[int, ...]], *lines: Call) -> Program:
    ask = Ask(lines[-1].node, AnswerFormat(Kind.SHAPE), (), Asked.SHAPE)
    return Program(tuple((name, Shape(shape)) for name, shape in inputs.items()), lines, (ask,))


def _wrong_shapes(program: Program) -> dict[str, list[int]]:
    found = {}
    for slip in slips(program, 0):
        try:
            (found[slip.mistake.partition(".")[2]],) = run.answers(slip.program)
        except run.RunError:
            continue
    return found


PADDING, CAUSAL = call("M", "mask_view", "m", "Z"), call("M", "mask_view", "m", "Z", of="causal")


@pytest.mark.parametrize(
    ("mask", "scores", "line", "shape"),
    [
        ((2, 7), (2, 5, 7), PADDING, [2, 1, 7]),
        ((2, 7), (2, 8, 5, 7), PADDING, [2, 1, 1, 7]),
        ((5, 5), (2, 5, 5), CAUSAL, [1, 5, 5]),
        ((5, 5), (2, 8, 5, 5), CAUSAL, [1, 1, 5, 5]),
    ],
)
def test_a_view_broadcasts(mask: tuple[int, ...], scores: tuple[int, ...], line: Call, shape: list[int]) -> None:
    assert run.answers(_views({"m": mask, "Z": scores}, line)) == [shape]
    assert torch.broadcast_shapes(tuple(shape), scores) == scores


def test_wrong_views() -> None:
    assert _wrong_shapes(_views({"m": (2, 7), "Z": (2, 8, 5, 7)}, PADDING)) == {
        "queries": [2, 1, 7, 1],
        "no-heads": [2, 1, 7],
        "pairs": [2, 1, 5, 7],
        "whole": [2, 8, 5, 7],
        "as-it-is": [2, 7],
    }
    assert _wrong_shapes(_views({"m": (2, 7), "Z": (2, 5, 7)}, PADDING)) == {
        "queries": [2, 7, 1],
        "whole": [2, 5, 7],
        "as-it-is": [2, 7],
    }
    assert _wrong_shapes(_views({"m": (5, 5), "Z": (2, 8, 5, 5)}, CAUSAL)) == {
        "batch": [2, 1, 5, 5],
        "whole": [2, 8, 5, 5],
        "as-it-is": [5, 5],
    }


@pytest.mark.parametrize(("scores", "shapes"), [((2, 8, 5, 7), [[2, 1, 7, 1], [2, 7, 1]]), ((2, 5, 7), [[2, 7, 1]])])
def test_a_length_on_the_query_axis_with_and_without_the_heads(scores: tuple[int, ...], shapes: list[list[int]]) -> None:
    found = [slip.program for slip in slips(_views({"m": (2, 7), "Z": scores}, PADDING), 0) if slip.mistake.endswith("queries")]
    assert sorted(run.answers(program)[0] for program in found) == shapes


def test_two_masks_as_one() -> None:
    joined = _views(
        {"m": (2, 5), "c": (5, 5), "Z": (2, 8, 5, 5)},
        call("P", "mask_view", "m", "Z"),
        call("C", "mask_view", "c", "Z", of="causal"),
        call("M", "join_masks", "P", "C"),
    )
    assert run.answers(joined) == [[2, 1, 5, 5]]
    assert _wrong_shapes(joined)["first"] == [2, 1, 1, 5]


SCORES: Nested = ((ln(2), 0, ln(5)), (0, ln(3), ln(4)))


@pytest.mark.parametrize(
    ("align", "mistake", "right", "other"),
    [
        ("bottom-right", "causal_mask.aligned-left", [[2 / 3, 1 / 3, 0], [1 / 8, 3 / 8, 4 / 8]], [[1, 0, 0], [0.25, 0.75, 0]]),
        ("top-left", "causal_mask.aligned-right", [[1, 0, 0], [0.25, 0.75, 0]], [[2 / 3, 1 / 3, 0], [1 / 8, 3 / 8, 4 / 8]]),
    ],
)
def test_a_mask_aligned_at_the_other_end(align: str, mistake: str, right: object, other: object) -> None:
    program = Program(
        (("Z", SCORES),),
        (call("M", "causal_mask", "Z", align=align), call("A", "softmax", "M")),
        (Ask("A", AnswerFormat(Kind.MATRIX, decimals=3)),),
    )
    near(run.answers(program)[0], right)
    edited = {slip.mistake: slip.program for slip in slips(program, 0)}
    near(run.answers(edited[mistake])[0], other)
    square = program.with_inputs(Z=((1, 2), (3, 4)))
    assert not any(slip.mistake.startswith("causal_mask.aligned") for slip in slips(square, 0))


def test_heads_through_the_output_projection() -> None:
    W: Nested = ((1, 0, 2, 0), (0, 1, 0, 0), (3, 0, 0, 1), (0, 2, 1, 0))
    lines = (call("H", "concat_heads", "O_1", "O_2"), call("y", "output_projection", "H", "W_O"))
    program = Program((("O_1", (1, 2)), ("O_2", (3, 4)), ("W_O", W)), lines, (Ask("y", AnswerFormat(Kind.VECTOR, decimals=0)),))
    assert value(program).tolist() == [10, 10, 6, 3]
    found = {name: result.tolist() for name, result in wrong(program).items()}
    assert found["output_projection.averaged"] == [5, 5, 3, 1.5]
    assert found["output_projection.added"] == [4, 6, 8, 0], "(1 + 3, 2 + 4) times the first two rows"
    assert found["output_projection.forgotten"] == [1, 2, 3, 4]
    assert found["project.transposed-weight"] == [7, 2, 7, 7]
    assert found["concat_heads.reversed"] == [6, 8, 8, 1]
