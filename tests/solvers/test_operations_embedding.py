"""Embeddings: scaled, positions added, rows permuted; and distances as penalties."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from question_bank.program import AnswerFormat, Ask, Asked, Kind, Nested, Parameter, Program, Shape, call
from solvers import run
from tests.solvers.one_call import asking, near, value, wrong

X: Nested = ((1, 2, 3), (4, 5, Fraction(1, 2)), (-7, 8, 9))
ORDER: Nested = (3, 1, 2)

# Scaled and added -----------------------------------------------------------------------------------------------------------


def test_embeddings_are_scaled_up() -> None:
    program = asking(call("E", "embedding_scale", "X", "d_model"), 1, X=(1, -3), d_model=16)
    assert value(program).tolist() == [4, -12]
    found = wrong(program)
    assert {name: result.tolist() for name, result in found.items()} == {
        "embedding_scale.divided": [0.25, -0.75],
        "embedding_scale.whole": [16, -48],
        "embedding_scale.not-scaled": [1, -3],
    }
    rows = asking(call("E", "embedding_scale", "X", "d_model"), 2, X=X, d_model=3)
    assert str(run.exact(rows)["E"][0][1]) == "2*sqrt(3)"
    near(value(rows), np.array(run.floats(X)) * 3**0.5)


@pytest.mark.parametrize(
    ("Y", "expected"),
    [
        (((1, 1, 1), (2, 2, 2), (0, 0, 1)), [[2, 3, 4], [6, 7, 2.5], [-7, 8, 10]]),
        ((10, 20, 30), [[11, 22, 33], [14, 25, 30.5], [3, 28, 39]]),
        (1, [[2, 3, 4], [5, 6, 1.5], [-6, 9, 10]]),
    ],
)
def test_a_matrix_a_row_or_a_number_is_added(Y: Nested, expected: list[list[float]]) -> None:
    program = asking(call("Z", "add", "X", "P"), 2, X=X, P=Y)
    assert value(program).tolist() == expected
    assert wrong(program)["add.left-out"].tolist() == run.floats(X)


def test_what_is_added_before_scaling_is_scaled_too() -> None:
    calls = (call("E", "embedding_scale", "x", "d"), call("Y", "add", "E", "P"))
    program = Program((("x", (1, -1)), ("d", 16), ("P", (2, 3))), calls, (Ask("Y", AnswerFormat(Kind.VECTOR)),))
    assert value(program).tolist() == [6, -1]
    assert wrong(program)["embedding_scale.added-first"].tolist() == [12, 8]


def test_vectors_and_numbers_are_added() -> None:
    assert value(asking(call("Z", "add", "X", "P"), 1, X=(1, 2), P=(3, 5))).tolist() == [4, 7]
    assert value(asking(call("Z", "add", "X", "P"), 0, X=1, P=3)) == 4


def test_positions_are_added_in_every_sequence_of_a_batch() -> None:
    program = Program(
        (("X", Shape((2, 5, 8))), ("P", Shape((5, 8)))),
        (call("Z", "add", "X", "P"),),
        (Ask("Z", AnswerFormat(Kind.SHAPE), (), Asked.SHAPE),),
    )
    assert run.answers(program) == [[2, 5, 8]]


# Rows in another order ------------------------------------------------------------------------------------------------------


def test_rows_come_in_the_order_given() -> None:
    program = asking(call("Y", "permute_rows", "X", "order"), 2, X=X, order=ORDER)
    assert value(program).tolist() == [[-7, 8, 9], [1, 2, 3], [4, 5, 0.5]]
    assert {name: result.tolist() for name, result in wrong(program).items()} == {
        "permute_rows.unchanged": [[1, 2, 3], [4, 5, 0.5], [-7, 8, 9]],
        "permute_rows.columns": [[3, 1, 2], [0.5, 4, 5], [9, -7, 8]],
        "permute_rows.inverse": [[4, 5, 0.5], [-7, 8, 9], [1, 2, 3]],
    }


def test_a_vector_s_entries_are_permuted() -> None:
    program = asking(call("Y", "permute_rows", "x", "order"), 1, x=(5, 6, 7, 8), order=(2, 3, 4, 1))
    assert value(program).tolist() == [6, 7, 8, 5]
    assert wrong(program)["permute_rows.inverse"].tolist() == [8, 5, 6, 7]
    assert "permute_rows.columns" not in wrong(program)


def test_columns_can_not_be_permuted_where_there_are_more_or_fewer() -> None:
    program = asking(call("Y", "permute_rows", "X", "order"), 2, X=((1, 2), (3, 4), (5, 6)), order=ORDER)
    assert set(wrong(program)) == {"permute_rows.unchanged", "permute_rows.inverse"}


def test_attention_without_positions_moves_its_rows_with_the_tokens() -> None:
    def output(first: str) -> Program:
        calls = (
            call("P", "permute_rows", "X", "order"),
            call("S", "scores", first, first),
            call("A", "softmax", "S"),
            call("O", "mix", "A", first),
            call("OP", "permute_rows", "O", "order"),
        )
        return Program((("X", X), ("order", ORDER)), calls, (Ask("OP" if first == "X" else "O", AnswerFormat(Kind.MATRIX)),))

    near(run.answers(output("P"))[0], np.array(run.answers(output("X"))[0]))


# Distances ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("head", "heads", "slope"), [(1, 8, 0.5), (8, 8, 1 / 256), (2, 4, 1 / 16), (1, 16, 0.5**0.5), (3, 2, 2**-12)]
)
def test_slopes(head: int, heads: int, slope: float) -> None:
    program = asking(call("m", "alibi_slope", "i", "h"), 0, i=head, h=heads)
    assert value(program) == pytest.approx(slope, abs=1e-15)
    assert wrong(program)["alibi_slope.from-zero"] == pytest.approx(slope * 2 ** (8 / heads))


def test_slopes_of_several_heads_and_their_exact_form() -> None:
    program = asking(call("m", "alibi_slope", "i", "h"), 1, i=(1, 2, 3), h=16)
    near(value(program), [0.5**0.5, 0.5, 0.5**1.5])
    assert [str(slope) for slope in run.exact(program)["m"]] == ["sqrt(2)/2", "1/2", "sqrt(2)/4"]


HALF = Fraction(1, 2)


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ({}, [[1, 2, 3], [3.5, 5, 0.5], [-8, 7.5, 9]]),
        ({"later": "distance"}, [[1, 1.5, 2], [3.5, 5, 0], [-8, 7.5, 9]]),
        ({"align": "bottom-right"}, [[1, 2, 3], [3.5, 5, 0.5], [-8, 7.5, 9]]),
    ],
)
def test_penalties_of_a_square(parameters: dict[str, Parameter], expected: list[list[float]]) -> None:
    program = asking(call("B", "alibi", "Z", "m", **parameters), 2, Z=X, m=HALF)
    assert value(program).tolist() == expected
    found = wrong(program)
    near(found["alibi.sign"], 2 * np.array(run.floats(X)) - expected)
    assert found["alibi.forgotten"].tolist() == run.floats(X)


@pytest.mark.parametrize(
    ("align", "expected"), [("top-left", [[0, 0, 0], [-2, 0, 0]]), ("bottom-right", [[-2, 0, 0], [-4, -2, 0]])]
)
def test_penalties_with_more_keys_than_queries(align: str, expected: list[list[float]]) -> None:
    zeros = ((0, 0, 0), (0, 0, 0))
    assert value(asking(call("B", "alibi", "Z", "m", align=align), 2, Z=zeros, m=2)).tolist() == expected


def test_penalties_of_one_row() -> None:
    last = asking(call("B", "alibi", "z", "m"), 1, z=(1, 1, 1, 1), m=HALF)
    assert value(last).tolist() == [-0.5, 0, 0.5, 1]
    assert wrong(last)["alibi.sign"].tolist() == [2.5, 2, 1.5, 1]
    second = asking(call("B", "alibi", "z", "m", "i"), 1, z=(1, 1, 1, 1), m=HALF, i=2)
    assert value(second).tolist() == [0.5, 1, 1, 1]
    both = asking(call("B", "alibi", "z", "m", "i", later="distance"), 1, z=(1, 1, 1, 1), m=HALF, i=2)
    assert value(both).tolist() == [0.5, 1, 0.5, 0]
    assert wrong(both)["alibi.later-kept"].tolist() == [0.5, 1, 1, 1]
    at_the_end = asking(call("B", "alibi", "z", "m", "i", later="distance"), 1, z=(1, 1, 1, 1), m=HALF, i=4)
    assert "alibi.later-kept" not in wrong(at_the_end) | wrong(second)


def test_masked_scores_stay_masked() -> None:
    calls = (call("M", "causal_mask", "Z"), call("B", "alibi", "M", "m"))
    program = Program((("Z", X), ("m", 1)), calls, (Ask("B", AnswerFormat(Kind.MATRIX)),))
    inf = float("inf")
    assert run.answers(program) == [[[1, -inf, -inf], [3, 5, -inf], [-9, 7, 9]]]
    assert run.replay(program, None)["B"] == run.answers(program)[0]


# Shapes ---------------------------------------------------------------------------------------------------------------------

MISFITS: list[tuple[str, dict[str, Nested], str]] = [
    ("add", {"X": X, "Y": (1, 2)}, r"X \[3, 3\], Y \[2\]"),
    ("add", {"X": ((1, 2), (3, 4), (5, 6)), "Y": (1, 2, 3)}, r"X \[3, 2\], Y \[3\]"),
    ("add", {"X": (1, 2, 3), "Y": X}, r"X \[3\], Y \[3, 3\]"),
    ("add", {"X": X, "Y": ((1,), (2,), (3,))}, r"X \[3, 3\], Y \[3, 1\]"),
    ("permute_rows", {"X": X, "order": (2, 1)}, r"X \[3, 3\], order \[2\]"),
    ("permute_rows", {"X": X, "order": (1, 1, 2)}, r"order \[3\]"),
    ("permute_rows", {"X": X, "order": (0, 1, 2)}, r"order \[3\]"),
    ("permute_rows", {"X": 1, "order": (1,)}, "X, order"),
    ("alibi", {"Z": X, "m": (1, 2, 3)}, r"Z \[3, 3\], m \[3\]"),
    ("alibi", {"Z": X, "m": 1, "i": 2}, r"Z \[3, 3\], m, i"),
    ("alibi", {"Z": 3, "m": 1}, "Z, m"),
]


@pytest.mark.parametrize(("operation", "inputs", "named"), MISFITS)
def test_shapes_that_do_not_fit_are_named(operation: str, inputs: dict[str, Nested], named: str) -> None:
    with pytest.raises(run.RunError, match=rf"“{operation}”: .*{named}"):
        run.values(asking(call("R", operation, *inputs), 2, **inputs))
