"""Programs: small, plain-data computations over the vocabulary of attention operations.

A program is what a drill, a self-check, a worked solution and a mistake have in common. It is only *written* here;
``solvers`` runs it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import cached_property

from question_bank.exact import Exact, Expression, from_text, to_text
from question_bank.text import Text

Nested = Exact | tuple["Nested", ...]
"""A scalar, a vector, a matrix, or deeper: tuples of tuples of exact numbers."""

Parameter = str | int | Fraction


class Kind(StrEnum):
    """What form an answer has."""

    INTEGER = "integer"
    NUMBER = "number"
    PERCENT = "percent"
    EXPRESSION = "expression"
    VECTOR = "vector"
    MATRIX = "matrix"
    SHAPE = "shape"
    NAMED_SHAPE = "named-shape"
    BYTES = "bytes"
    ORDER = "order"
    CHOICE = "choice"
    YES_NO = "yes-no"
    LINE = "line"


@dataclass(frozen=True, slots=True)
class AnswerFormat:
    """The form in which an answer is asked.

    Attributes:
        kind: The form.
        decimals: Decimal places asked, for numbers, percentages, vectors and matrices.
        significant: Significant digits asked, instead of ``decimals``.
        dimensions: Length of the vector, or rows and columns of the matrix; None where any will do.
        symbols: Names that a named shape or an order may use.
        sizes: What each of the symbols of a named shape stands for in the program; all different.
        choices: How many options a choice has, or how many lines a listing, of which one is asked.
    """

    kind: Kind
    decimals: int | None = None
    significant: int | None = None
    dimensions: tuple[int, ...] | None = None
    symbols: tuple[str, ...] = ()
    choices: int = 0
    sizes: tuple[int, ...] = ()


class Asked(StrEnum):
    """What of a node is asked."""

    VALUE = "value"
    SHAPE = "shape"


@dataclass(frozen=True, slots=True)
class Ask:
    """One part of a problem.

    Attributes:
        node: The node asked about.
        format: The form of the answer.
        index: Leading indices from 0: ``(1,)`` is row 2 of a matrix, ``(0, 2)`` one entry, ``()`` the whole.
        asked: The value of the node, or its shape.
        label: What stands beside the answer field, such as ``O, row 2``.
    """

    node: str
    format: AnswerFormat
    index: tuple[int, ...] = ()
    asked: Asked = Asked.VALUE
    label: Text | None = None


@dataclass(frozen=True, slots=True)
class Shape:
    """A tensor of which only the shape is known."""

    dimensions: tuple[int, ...]


PRIME = "\N{PRIME}"
"""What ends the name of a node that is what a line of a listing should give: ``O′`` beside ``O``."""


@dataclass(frozen=True, slots=True)
class Call:
    """One line of a program: ``node = operation(*arguments, **parameters)``."""

    node: str
    operation: str
    arguments: tuple[str, ...]
    parameters: tuple[tuple[str, Parameter], ...] = ()

    def parameter(self, name: str, default: Parameter) -> Parameter:
        """Return one parameter, or the default where it isn't set."""
        return dict(self.parameters).get(name, default)

    def with_parameters(self, **parameters: Parameter) -> Call:
        """Return the call with some parameters set anew."""
        return replace(self, parameters=tuple(sorted((dict(self.parameters) | parameters).items())))


def call(node: str, operation: str, *arguments: str, **parameters: Parameter) -> Call:
    """Write one line of a program."""
    return Call(node, operation, arguments, tuple(sorted(parameters.items())))


@dataclass(frozen=True)
class Program:
    """Inputs, calls in the order in which they are run, and what is asked.

    Attributes:
        inputs: Name and value of each input; a ``Shape`` where only the shape is known.
        calls: The lines, each using inputs and earlier lines only.
        asks: The parts, in the order in which a person answers them.
    """

    inputs: tuple[tuple[str, Nested | Shape], ...]
    calls: tuple[Call, ...]
    asks: tuple[Ask, ...]

    @cached_property
    def _hash(self) -> int:
        return hash((self.inputs, self.calls, self.asks))

    def __hash__(self) -> int:
        """Hash once: programs are keys of caches."""
        return self._hash

    def __reduce__(self) -> tuple[type[Program], tuple[object, ...]]:
        """Leave the cached hash behind: text hashes differently in every process."""
        return Program, (self.inputs, self.calls, self.asks)

    @cached_property
    def values(self) -> dict[str, Nested | Shape]:
        """The inputs by name."""
        return dict(self.inputs)

    @cached_property
    def lines(self) -> dict[str, Call]:
        """The calls by the node that they make."""
        return {line.node: line for line in self.calls}

    def consumers(self, node: str) -> tuple[Call, ...]:
        """Return the calls that use a node."""
        return tuple(line for line in self.calls if node in line.arguments)

    def needed(self, *nodes: str) -> tuple[Call, ...]:
        """Return the calls that the nodes depend on, themselves included, in order."""
        wanted = set(nodes)
        kept = []
        for line in reversed(self.calls):
            if line.node in wanted:
                wanted.update(line.arguments)
                kept.append(line)
        return tuple(reversed(kept))

    def with_call(self, line: Call) -> Program:
        """Return the program with the line of the same node replaced."""
        return replace(self, calls=tuple(line if old.node == line.node else old for old in self.calls))

    def with_inputs(self, **values: Nested | Shape) -> Program:
        """Return the program with some inputs replaced, or added."""
        kept = tuple((name, values.get(name, value)) for name, value in self.inputs)
        added = tuple((name, value) for name, value in values.items() if name not in self.values)
        return replace(self, inputs=kept + added)

    def with_asks(self, *asks: Ask) -> Program:
        """Return the program with other questions asked."""
        return replace(self, asks=asks)


def shape_of(value: Nested | Shape) -> tuple[int, ...]:
    """Return the shape of an input: ``()`` for a scalar, ``(3, 2)`` for a matrix of three rows.

    Raises:
        ValueError: The rows have different lengths.
    """
    if isinstance(value, Shape):
        return value.dimensions
    if not isinstance(value, tuple):
        return ()
    inner = {shape_of(part) for part in value}
    if len(inner) > 1:
        raise ValueError(f"the rows have different lengths: {sorted(inner)}")
    return (len(value), *(inner.pop() if inner else ()))


def cells(value: Nested, index: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Exact]]:
    """Yield the index and the number of each cell, row by row."""
    if isinstance(value, tuple):
        for position, part in enumerate(value):
            yield from cells(part, (*index, position))
    else:
        yield index, value


def to_json(program: Program) -> dict[str, object]:
    """Return a program as plain JSON data; ``from_json`` reads it back."""
    return {
        "inputs": [
            [name, {"shape": list(value.dimensions)} if isinstance(value, Shape) else _nested_json(value)]
            for name, value in program.inputs
        ],
        "calls": [
            [line.node, line.operation, list(line.arguments), {k: _parameter_json(v) for k, v in line.parameters}]
            for line in program.calls
        ],
        "asks": [
            {
                "node": ask.node,
                "index": list(ask.index),
                "asked": ask.asked.value,
                "label": [ask.label.en, ask.label.zh] if ask.label else None,
                "format": {
                    "kind": ask.format.kind.value,
                    "decimals": ask.format.decimals,
                    "significant": ask.format.significant,
                    "dimensions": list(ask.format.dimensions) if ask.format.dimensions is not None else None,
                    "symbols": list(ask.format.symbols),
                    "choices": ask.format.choices,
                    **({"sizes": list(ask.format.sizes)} if ask.format.sizes else {}),
                },
            }
            for ask in program.asks
        ],
    }


def _nested_json(value: Nested) -> object:
    return [_nested_json(part) for part in value] if isinstance(value, tuple) else to_text(value)


def _parameter_json(value: Parameter) -> object:
    return {"exact": to_text(value)} if isinstance(value, Fraction) else value


def from_json(data: object) -> Program:
    """Read a program that ``to_json`` wrote.

    Raises:
        ValueError: The data is not a program.
    """
    try:
        return _program(_object(data))
    except (KeyError, TypeError) as fault:
        raise ValueError(f"not a program: {fault!r}") from fault


def _program(data: dict[str, object]) -> Program:
    return Program(
        inputs=tuple((_name(name), _input(value)) for name, value in map(_list, _list(data["inputs"]))),
        calls=tuple(
            Call(
                _name(node),
                _name(operation),
                tuple(map(_name, _list(arguments))),
                tuple((name, _parameter(value)) for name, value in _object(parameters).items()),
            )
            for node, operation, arguments, parameters in map(_list, _list(data["calls"]))
        ),
        asks=tuple(_ask(_object(ask)) for ask in _list(data["asks"])),
    )


def _ask(data: dict[str, object]) -> Ask:
    form = _object(data["format"])
    return Ask(
        node=_name(data["node"]),
        index=_whole_numbers(data["index"]),
        asked=Asked(_name(data["asked"])),
        label=None if data["label"] is None else Text(*map(_name, _list(data["label"]))),
        format=AnswerFormat(
            kind=Kind(_name(form["kind"])),
            decimals=None if form["decimals"] is None else _whole(form["decimals"]),
            significant=None if form["significant"] is None else _whole(form["significant"]),
            dimensions=None if form["dimensions"] is None else _whole_numbers(form["dimensions"]),
            symbols=tuple(map(_name, _list(form["symbols"]))),
            choices=_whole(form["choices"]),
            sizes=_whole_numbers(form.get("sizes", [])),
        ),
    )


def _input(value: object) -> Nested | Shape:
    return Shape(_whole_numbers(value["shape"])) if isinstance(value, dict) else _nested(value)


def _nested(value: object) -> Nested:
    return tuple(map(_nested, value)) if isinstance(value, list) else from_text(_name(value))


def _parameter(value: object) -> Parameter:
    if isinstance(value, dict):
        exact = from_text(_name(value["exact"]))
        if isinstance(exact, Expression):
            raise TypeError(f"{value!r} is not a fraction")
        return Fraction(exact)
    return value if isinstance(value, int) else _name(value)


def _object(value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise TypeError(f"{value!r} is not an object")
    return value


def _list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise TypeError(f"{value!r} is not a list")
    return value


def _name(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not text")
    return value


def _whole(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError(f"{value!r} is not a whole number")
    return value


def _whole_numbers(value: object) -> tuple[int, ...]:
    return tuple(map(_whole, _list(value)))
