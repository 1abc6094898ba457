"""Run a program: values in torch, exact forms in sympy, shapes on ``meta``, replays that round on the way.

All values are float64 on the CPU, in inference mode, on one thread.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from question_bank.exact import Exact, to_float
from question_bank.program import Asked, Call, Nested, Program, Shape
from question_bank.text import Text
from solvers.hand import Array, Hand, LineKind
from solvers.operations import OPERATIONS
from solvers.shapes import ShapeError

if TYPE_CHECKING:
    from torch import Tensor

Overrides = Mapping[tuple[str, tuple[int, ...]], Array]
"""Values that stand in for computed ones: (node, leading index) to a number or nested lists; to a ``Shape`` where only the
shape is known."""

NO_OVERRIDES: Overrides = {}

LARGEST_WRITTEN_EXPONENT = 200
"""Powers of e beyond this stay powers in an exact form."""


class RunError(ValueError):
    """A program that can't be run: shapes that don't go together, an unknown operation.

    Attributes:
        message: What was found, in both languages.
    """

    def __init__(self, message: Text) -> None:
        """Keep the message in both languages."""
        super().__init__(message.en)
        self.message = message

    def __reduce__(self) -> tuple[type[RunError], tuple[Text]]:
        """Let the error cross a process boundary."""
        return type(self), (self.message,)


@functools.cache
def _torch() -> Any:
    """Import torch when it is first needed, and keep it to one thread."""
    import torch

    torch.set_num_threads(1)
    return torch


def floats(value: Nested) -> Array:
    """Return an input as nested lists of floats."""
    return [floats(part) for part in value] if isinstance(value, tuple) else to_float(value)


def _tensor(value: Nested) -> Tensor:
    torch = _torch()
    tensor: Tensor = torch.tensor(floats(value), dtype=torch.float64)
    return tensor


def _apply(line: Call, environment: Mapping[str, Any]) -> Any:
    operation = OPERATIONS.get(line.operation)
    if operation is None:
        raise RunError(Text("There is no operation “{name}”.", "没有名为“{name}”的运算。").fill(name=line.operation))
    arguments = [environment[name] for name in line.arguments]
    key = _known_by(line, arguments) if any(value.is_meta for value in arguments) else None
    result, _ = _KNOWN.get(key, (None, None))
    if key is None or result is None:
        try:
            result = operation.torch(*arguments, **dict(line.parameters))
        except (RuntimeError, ShapeError, IndexError) as fault:
            result = fault.with_traceback(None)
        if getattr(result, "is_meta", False):
            result = _meta(tuple(result.shape))
        if key is not None:
            if len(_KNOWN) >= MOST_KNOWN:
                _KNOWN.clear()
            _KNOWN[key] = result, arguments
    if isinstance(result, Exception):
        raise _shape_fault(line, arguments) from result
    return result


MOST_KNOWN = 4096
"""Shapes of results that are remembered."""

_KNOWN: dict[object, tuple[Any, Any]] = {}
"""What an operation gives, or how it fails, where only shapes are known of its arguments, which stand beside it: their identity
is in the key.

torch works shapes out in Python, at up to 0.3 ms an operation, and grading goes through hundreds of mistakes that differ in one
line.
"""


def _known_by(line: Call, arguments: list[Any]) -> object:
    return (
        line.operation,
        line.parameters,
        *[id(each) if each.is_meta else (tuple(each.shape), *each.flatten().tolist()) for each in arguments],
    )


@functools.lru_cache(MOST_KNOWN)
def _meta(shape: tuple[int, ...]) -> Any:
    """Return a tensor that has a shape and no values: the same one for the same shape, so that equals are soon seen to be."""
    return _torch().empty(shape, device="meta")


def _shape_fault(line: Call, arguments: list[Any]) -> RunError:
    shapes = [
        f"{name} {list(value.shape)}" if getattr(value, "shape", ()) else name
        for name, value in zip(line.arguments, arguments, strict=True)
    ]
    return RunError(
        Text("The shapes don't match in “{operation}”: {shapes}.", "运算“{operation}”的形状对不上：{shapes}。").fill(
            operation=line.operation, shapes=Text(", ".join(shapes), "、".join(shapes))
        )
    )


def _put(environment: dict[str, Any], node: str, overrides: Overrides) -> None:
    """Let overrides stand in for a node, or for rows and cells of it."""
    for (name, index), value in overrides.items():
        if name == node:
            torch = _torch()
            if isinstance(value, Shape):
                if environment[node].is_meta:
                    environment[node] = _meta(value.dimensions)
                continue
            whole = environment[node].clone() if index else environment[node]
            own = torch.tensor(value, dtype=torch.float64)
            if index:
                whole[index] = own
            elif own.shape == whole.shape:
                whole = own
            environment[node] = whole


def values(
    program: Program,
    overrides: Overrides = NO_OVERRIDES,
    base: tuple[Program, Mapping[str, Tensor]] | None = None,
    *,
    alike: bool = False,
) -> dict[str, Tensor]:
    """Compute every node that the asks need.

    Args:
        program: What to run.
        overrides: Values that stand in for computed ones, such as a learner's own earlier results.
        base: A program run before with its nodes; lines that are the same, on the same arguments, are not run again.
        alike: Whether the same values stood in then; else none did.

    Returns:
        Each node's tensor, inputs included.

    Raises:
        RunError: Shapes don't go together, or an operation is unknown.
    """
    environment: dict[str, Any] = {}
    unchanged: set[str] = set()
    old_program, old = base or (program, {})
    old_lines = old_program.lines
    put = {node for node, _ in overrides}
    fresh = set() if alike else put
    with _torch().inference_mode():
        for name, value in program.inputs:
            if name in old and old_program.values.get(name) is value:
                environment[name] = old[name]
                unchanged.add(name)
            else:
                environment[name] = _meta(value.dimensions) if isinstance(value, Shape) else _tensor(value)
        for line in program.needed(*(ask.node for ask in program.asks)):
            node = line.node
            before = old.get(node)
            if (
                before is not None
                and node not in fresh
                and unchanged.issuperset(line.arguments)
                and old_lines.get(node) == line
            ):
                environment[node] = before
                unchanged.add(node)
                continue
            environment[node] = _apply(line, environment)
            if node in put:
                _put(environment, node, overrides)
            if environment[node] is before:
                unchanged.add(node)  # of the same shape, where no more than that is known
    return environment


def shapes(program: Program) -> dict[str, tuple[int, ...]]:
    """Compute the shape of every node that the asks need.

    Raises:
        RunError: Shapes don't go together, or an operation is unknown.
    """
    return {name: tuple(value.shape) for name, value in values(program).items()}


def _by_hand(
    program: Program,
    hand: Hand,
    inputs: dict[str, Array],
    overrides: Overrides = NO_OVERRIDES,
    base: tuple[Program, Mapping[str, Array]] | None = None,
    *,
    alike: bool = False,
) -> dict[str, Array]:
    environment = inputs
    old_program, old = base or (program, {})
    old_lines = old_program.lines
    unchanged = {name for name, value in inputs.items() if old.get(name) is value}
    put = set() if alike else {node for node, _ in overrides}
    for line in program.needed(*(ask.node for ask in program.asks)):
        node = line.node
        if node in old and node not in put and unchanged.issuperset(line.arguments) and old_lines.get(node) == line:
            environment[node] = old[node]
            unchanged.add(node)
            continue
        hand.node = node
        arguments = [environment[name] for name in line.arguments]
        environment[node] = OPERATIONS[line.operation].by_hand(hand, *arguments, **dict(line.parameters))
        for (name, index), value in overrides.items():
            if name == node:
                environment[name] = _with(environment[name], index, value)
    return environment


def _with(whole: Array, index: tuple[int, ...], value: Array) -> Array:
    if not index:
        return value
    copy = list(whole)
    copy[index[0]] = _with(whole[index[0]], index[1:], value)
    return copy


def replay(
    program: Program,
    digits: int | None,
    overrides: Overrides = NO_OVERRIDES,
    base: tuple[Program, Mapping[str, Array]] | None = None,
    *,
    alike: bool = False,
) -> dict[str, Array]:
    """Compute by hand, rounding every line that the worked solution shows.

    Args:
        program: What to run; its inputs must have values.
        digits: Decimal places kept on the way; None keeps all.
        overrides: Values that stand in for computed ones.
        base: A program replayed before to as many digits, with its nodes; lines that are the same, on the same arguments,
            are not computed again.
        alike: Whether the same values stood in then; else none did.
    """
    old_program, old = base or (program, {})
    inputs: dict[str, Array] = {
        name: old[name] if name in old and old_program.values.get(name) is value else floats(value)
        for name, value in program.inputs
        if not isinstance(value, Shape)
    }
    return _by_hand(program, Hand(digits=digits), inputs, overrides, base, alike=alike)


def record(program: Program, node: str, environment: Mapping[str, Array], digits: int | None = None) -> Hand:
    """Compute one node by hand from the others' values and write every line down."""
    line = program.lines[node]
    hand = Hand(recording=True, digits=digits)
    hand.node = node
    hand.arguments = line.arguments
    OPERATIONS[line.operation].by_hand(hand, *(environment[name] for name in line.arguments), **dict(line.parameters))
    return hand


def exact(program: Program) -> dict[str, Array]:
    """Compute every needed node exactly, as nested lists of sympy numbers; nothing is simplified.

    Raises:
        RunError: The program knows shapes only.
    """
    import sympy

    if any(isinstance(value, Shape) for _, value in program.inputs):
        raise RunError(Text("Only shapes are known here, so there are no exact values.", "这里只知道形状，没有精确值。"))

    def exp(number: Any) -> Any:
        # sympy would write e^(n·ln 2) out as 2^n, whatever its length
        return sympy.exp(number, evaluate=bool(number.is_infinite or abs(number.evalf(5)) < LARGEST_WRITTEN_EXPONENT))

    functions = {
        LineKind.SINE: sympy.sin,
        LineKind.COSINE: sympy.cos,
        LineKind.TANH: sympy.tanh,
        LineKind.LOGARITHM: lambda number: sympy.log(number) if number else -sympy.oo,  # sympy's log 0 is complex infinity
        LineKind.NORMAL: lambda number: (1 + sympy.erf(number / sympy.sqrt(2))) / 2,
    }
    hand = Hand(exp=exp, sqrt=sympy.sqrt, functions=functions, infinity=sympy.oo, nan=sympy.nan, pi=sympy.pi)
    inputs: dict[str, Array] = {name: _symbolic(value) for name, value in program.inputs if not isinstance(value, Shape)}
    return _by_hand(program, hand, inputs)


def _symbolic(value: Nested) -> Array:
    return [_symbolic(part) for part in value] if isinstance(value, tuple) else to_sympy(value)


def to_sympy(number: Exact) -> Any:
    """Return an exact number as sympy's; built node by node, never parsed from text."""
    import sympy

    if isinstance(number, int):
        return sympy.Integer(number)
    if isinstance(number, Fraction):
        return sympy.Rational(number.numerator, number.denominator)
    constants = {"e": sympy.E, "pi": sympy.pi, "inf": sympy.oo, "nan": sympy.nan}
    if not number.operands:
        return constants[number.operator]
    operands = [to_sympy(operand) for operand in number.operands]
    return _SYMPY[number.operator](sympy, *operands)


_SYMPY: dict[str, Any] = {
    "+": lambda _, a, b: a + b,
    "-": lambda _, a, b: a - b,
    "*": lambda _, a, b: a * b,
    "/": lambda _, a, b: a / b,
    "^": lambda _, a, b: a**b,
    "neg": lambda _, a: -a,
    "sqrt": lambda sympy, a: sympy.sqrt(a),
    "exp": lambda sympy, a: sympy.exp(a),
    "ln": lambda sympy, a: sympy.log(a),
}


def at(value: Any, index: tuple[int, ...]) -> Any:
    """Return a part of a tensor or of nested lists by its leading indices.

    Raises:
        IndexError: There is no such part.
    """
    for position in index:
        value = value[position]
    return value


def answers(
    program: Program, overrides: Overrides = NO_OVERRIDES, base: tuple[Program, Mapping[str, Tensor]] | None = None
) -> list[Array]:
    """Compute what is asked, part by part: nested lists of floats, or the dimensions of a shape.

    Raises:
        RunError: The program can't be run, or a part asked doesn't exist.
    """
    return asked(program, values(program, overrides, base))


def asked(program: Program, environment: Mapping[str, Tensor]) -> list[Array]:
    """Pick what is asked from computed nodes.

    Raises:
        RunError: A part asked doesn't exist.
    """
    try:
        return [
            list(environment[ask.node].shape) if ask.asked is Asked.SHAPE else at(environment[ask.node], ask.index).tolist()
            for ask in program.asks
        ]
    except IndexError as fault:
        raise RunError(Text("The result has no such part.", "结果里没有要求的那一部分。")) from fault
