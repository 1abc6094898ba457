from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from dataclasses import fields, replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from question_bank.exact import Exact, Expression, ln
from question_bank.program import (
    AnswerFormat,
    Ask,
    Asked,
    Call,
    Kind,
    Nested,
    Program,
    Shape,
    call,
    cells,
    from_json,
    shape_of,
    to_json,
)
from question_bank.text import Text

names = st.text(min_size=1, max_size=6)
sizes = st.integers(0, 4096)
scalars: st.SearchStrategy[Exact] = (
    st.integers()
    | st.fractions().filter(lambda value: value.denominator > 1)
    | st.sampled_from([ln(2), Expression("neg", (ln(3),))])
)
tensors: st.SearchStrategy[Nested] = st.recursive(scalars, lambda parts: st.lists(parts, max_size=3).map(tuple), max_leaves=9)
shapes = st.builds(Shape, st.lists(sizes, max_size=4).map(tuple))
calls = st.builds(
    lambda node, operation, arguments, parameters: call(node, operation, *arguments).with_parameters(**parameters),
    names,
    names,
    st.lists(names, max_size=3),
    st.dictionaries(names, names | st.integers() | st.fractions().filter(lambda value: value.denominator > 1), max_size=3),
)
optional_sizes = st.none() | sizes
formats = st.builds(
    AnswerFormat,
    kind=st.sampled_from(Kind),
    decimals=optional_sizes,
    significant=optional_sizes,
    dimensions=st.none() | st.lists(sizes, max_size=3).map(tuple),
    symbols=st.lists(names, max_size=3).map(tuple),
    choices=sizes,
)
asks = st.builds(
    Ask,
    node=names,
    format=formats,
    index=st.lists(sizes, max_size=3).map(tuple),
    asked=st.sampled_from(Asked),
    label=st.none() | st.builds(Text, st.text(), st.text()),
)
programs = st.builds(
    Program,
    inputs=st.lists(st.tuples(names, tensors | shapes), max_size=3).map(tuple),
    calls=st.lists(calls, max_size=3).map(tuple),
    asks=st.lists(asks, max_size=2).map(tuple),
)

NUMBER = AnswerFormat(Kind.NUMBER, decimals=3)
ATTENTION = Program(
    inputs=(("X", ((1, 0), (0, 1), (1, 1))), ("W", ((1, 2), (3, 4))), ("unused", (ln(2), Fraction(1, 2)))),
    calls=(
        call("Q", "project", "X", "W"),
        call("K", "project", "X", "W"),
        call("V", "project", "X", "W"),
        call("S", "scores", "Q", "K"),
        call("Z", "scale", "S", d_k=2),
        call("A", "softmax", "Z"),
        call("O", "mix", "A", "V"),
    ),
    asks=(Ask("O", replace(NUMBER, kind=Kind.VECTOR, dimensions=(2,)), (1,), label=Text("O, row 2", "O 的第 2 行")),),
)


@given(programs)
def test_json_round_trip(program: Program) -> None:
    assert from_json(json.loads(json.dumps(to_json(program)))) == program


def test_json_holds_every_field() -> None:
    """A field added to a format or an ask, but not to the JSON, would be lost without a word."""
    lettered = AnswerFormat(Kind.NAMED_SHAPE, symbols=("B", "S"), sizes=(2, 5))  # the sizes are left out where there are none
    [ask] = to_json(ATTENTION.with_asks(Ask("A", lettered)))["asks"]  # type: ignore[misc]
    assert set(ask) == {field.name for field in fields(Ask)}
    assert set(ask["format"]) == {field.name for field in fields(AnswerFormat)}
    assert set(to_json(ATTENTION)) == {field.name for field in fields(Program)}


def damaged() -> list[object]:
    """Return the JSON of a program with each of its values in turn replaced by each of another kind."""
    found: list[object] = []

    def walk(value: object, rebuild: object) -> None:
        assert callable(rebuild)
        for other in ("x", -1.5, None, [], {}, [[[]]]):
            if type(other) is not type(value):
                found.append(rebuild(other))
        if isinstance(value, dict):
            for key in value:
                walk(value[key], lambda new, key=key: rebuild(value | {key: new}))
                found.append(rebuild({name: kept for name, kept in value.items() if name != key}))
        if isinstance(value, list):
            for at in range(len(value)):
                walk(value[at], lambda new, at=at: rebuild([*value[:at], new, *value[at + 1 :]]))

    walk(json.loads(json.dumps(to_json(ATTENTION))), lambda new: new)
    return found


def test_damaged_json_is_a_value_error_or_a_program() -> None:
    refused = 0
    for data in damaged():
        try:
            program = from_json(data)
        except ValueError:
            refused += 1
            continue
        assert from_json(to_json(program)) == program
    assert refused > 300


@pytest.mark.parametrize(
    ("value", "shape"),
    [
        (3, ()),
        (Fraction(1, 2), ()),
        (ln(2), ()),
        ((1, 2, 3), (3,)),
        (((1, 2), (3, 4), (5, 6)), (3, 2)),
        ((((1,), (2,)),), (1, 2, 1)),
        ((), (0,)),
        (((), ()), (2, 0)),
        (Shape((32, 8, 128)), (32, 8, 128)),
    ],
)
def test_shape_of(value: Nested | Shape, shape: tuple[int, ...]) -> None:
    assert shape_of(value) == shape


@pytest.mark.parametrize("value", [((1, 2), (3,)), (1, (2, 3)), (((1,), (2,)), ((3,), (4, 5))), ((), (1,))])
def test_ragged_rows_have_no_shape(value: Nested) -> None:
    with pytest.raises(ValueError, match="different lengths"):
        shape_of(value)


def test_cells_come_row_by_row() -> None:
    assert list(cells(((1, 2), (3, 4)))) == [((0, 0), 1), ((0, 1), 2), ((1, 0), 3), ((1, 1), 4)]
    assert list(cells(7)) == [((), 7)]
    assert list(cells(())) == []


@pytest.mark.parametrize(
    ("nodes", "needed"),
    [
        (("S",), "QKS"),
        (("V",), "V"),
        (("A",), "QKSZA"),
        (("O",), "QKVSZAO"),
        (("S", "V"), "QKVS"),
        (("X",), ""),
        (("unknown",), ""),
        ((), ""),
    ],
)
def test_needed_keeps_the_order_and_leaves_out_the_rest(nodes: tuple[str, ...], needed: str) -> None:
    assert "".join(line.node for line in ATTENTION.needed(*nodes)) == needed


def test_consumers() -> None:
    assert [line.node for line in ATTENTION.consumers("X")] == ["Q", "K", "V"]
    assert [line.node for line in ATTENTION.consumers("A")] == ["O"]
    assert ATTENTION.consumers("O") == ()


def test_with_call_replaces_the_line_of_that_node_alone() -> None:
    line = call("Z", "scale", "S", d_k=4)
    changed = ATTENTION.with_call(line)
    assert [new for new, old in zip(changed.calls, ATTENTION.calls, strict=True) if new != old] == [line]
    assert changed.lines["Z"].parameter("d_k", 0) == 4
    assert ATTENTION.lines["Z"].parameter("d_k", 0) == 2
    assert (changed.inputs, changed.asks) == (ATTENTION.inputs, ATTENTION.asks)


def test_with_inputs_replaces_in_place_and_adds_at_the_end() -> None:
    changed = ATTENTION.with_inputs(W=((9,),), new=Shape((2, 2)))
    assert [name for name, _ in changed.inputs] == ["X", "W", "unused", "new"]
    assert changed.values["W"] == ((9,),)
    assert changed.values["X"] == ATTENTION.values["X"]
    assert ATTENTION.values["W"] == ((1, 2), (3, 4))


def test_with_asks() -> None:
    ask = Ask("S", NUMBER, (0, 1))
    assert ATTENTION.with_asks(ask) == replace(ATTENTION, asks=(ask,))


def test_parameters_do_not_depend_on_their_order() -> None:
    assert call("Z", "scale", "S", b=1, a=2) == call("Z", "scale", "S", a=2, b=1)
    assert call("Z", "scale", "S", a=2).with_parameters(b=1, a=3) == Call("Z", "scale", ("S",), (("a", 3), ("b", 1)))
    assert call("Z", "scale", "S").parameter("d_k", "none") == "none"


@given(programs, programs)
def test_equal_programs_hash_alike(first: Program, second: Program) -> None:
    assert hash(from_json(to_json(first))) == hash(first)
    assert (first == second) == ({first} == {second})


def test_a_program_is_the_same_key_in_another_process() -> None:
    """Text hashes differently in every process, so a hash that came along would miss the caches there."""
    hash(ATTENTION)
    check = (
        "import pickle, sys; here = pickle.load(sys.stdin.buffer); "
        "sys.exit(hash(here) != hash(type(here)(here.inputs, here.calls, here.asks)))"
    )
    environment = os.environ | {"PYTHONHASHSEED": "12345"}
    subprocess.run([sys.executable, "-c", check], input=pickle.dumps(ATTENTION), env=environment, check=True)
