"""Run a lab's program with its changes: every node's value, shape and formula, and in words what can't be computed."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from question_bank.exact import NotANumberError
from question_bank.labs.state import LabState, Swapped
from question_bank.lessons.places import fill, places, read_place
from question_bank.program import AnswerFormat, Ask, Call, Kind, Program
from question_bank.text import Text
from solvers import run
from solvers.display import show_shape, way_number
from solvers.frames import CellLines, Frame, Node, Offered
from solvers.hand import Array, Line, subscript
from solvers.lessons import in_a_place, shown
from solvers.mistakes import Slip, slips, value_symbol
from solvers.operations import OPERATIONS
from solvers.operations.base import symbol
from solvers.reasons import reason
from solvers.steps import SubStep
from solvers.worked import expression

if TYPE_CHECKING:
    from torch import Tensor

_ANY = AnswerFormat(Kind.MATRIX)
_MASKS = frozenset(("causal_mask", "padding_mask", "join_masks", "mask_view"))
"""Operations whose −∞ is meant."""

MOST_CELLS = 400
"""Cells of a node that are explained; a larger one is not worked out by hand."""

MOST_SHOWN = 150
"""Cells of a node that are written out; of a larger one, a curve that is drawn, its shape is."""

NOT_COMPUTED = "—"

NOTHING_LEFT = Text(
    "Row {row} of {node} has no key left: every score in it is −∞, and the softmax divides 0 by 0. torch gives nan.",
    "{node} 的第 {row} 行一个 key 都不剩：分数全是 −∞，softmax 变成 0 除以 0，torch 给出 nan。",
)
NO_NUMBER = Text(
    "Some cells of {node} are no number: 0/0, ∞ − ∞ or 0 · ∞, or a root or logarithm of something negative.",
    "{node} 里有的格子算不出数：出现了 0/0、∞ − ∞、0 · ∞，或者对负数开方、取对数。",
)
INFINITE = Text(
    "Some cells of {node} are infinite: something was divided by 0, or a number became too large.",
    "{node} 里有的格子是无穷大：除以了 0，或者数太大溢出了。",
)
CANT = Text("{node} can’t be computed from these numbers.", "用现在的数算不出 {node}。")


def frame(state: LabState, explain: Collection[str] = ()) -> Frame:
    """Run a state.

    Args:
        state: What to run.
        explain: Nodes that are worked out cell by cell.
    """
    asked = _asking(state.changed)
    offered = dict(_slips(asked))
    slip = offered.get(state.mistake) if state.mistake is not None else None
    program = _asking(slip.program) if slip is not None else asked
    environment, faults = _environment(program)
    numbers = {name: _numbers(value) for name, value in environment.items()}
    formulas = {line.node: _formula(line, asked.lines) for line in program.calls}
    nodes = tuple(_node(line, formulas, environment, numbers, faults, state.decimals) for line in program.calls)
    wanted = (line for line in program.calls if line.node in explain)
    explained = {line.node: cells for line in wanted if (cells := _explained(program, line, numbers))}
    return Frame(state, nodes, tuple(Offered(key, each.sentence) for key, each in offered.items()), explained)


def sentence(start: LabState, now: LabState, says: Text) -> Text:
    """Put the numbers of a state, and after ``1:`` those of the start, into the places of a sentence."""
    values: dict[str, str] = {}
    environments = {"1": start, "now": now}
    known = {source: _environment(_asking(state.changed))[0] for source, state in environments.items()}
    for written in places(says):
        place = read_place(written, "now")
        value = None if place is None else known.get(place.source, {}).get(place.node)
        text = None if place is None or value is None else in_a_place(place, _numbers(value), now.decimals)
        if text is not None:
            values[written] = text
    return fill(says, values)


# Running ---------------------------------------------------------------------------------------------------------------


def _asking(program: Program) -> Program:
    """Ask for every line, so that every line is run."""
    return program.with_asks(*(Ask(line.node, _ANY) for line in program.calls))


def _environment(program: Program) -> tuple[dict[str, Tensor], dict[str, Text]]:
    """Run what can be run; what can't be is told of its node, and what follows from it is left out."""
    try:
        return run.values(program), {}
    except _FAULTS:
        return _step_by_step(program)


_FAULTS = (run.RunError, NotANumberError, ArithmeticError, ValueError, TypeError, RuntimeError, MemoryError)
"""What a program may raise over whatever numbers a person gives it."""


def _step_by_step(program: Program) -> tuple[dict[str, Tensor], dict[str, Text]]:
    environment: dict[str, Tensor] = {}
    faults: dict[str, Text] = {}
    before: Program | None = None
    kept: list[Call] = []
    for line in program.calls:
        known = {name for name, _ in program.inputs} | {each.node for each in kept}
        if not known.issuperset(line.arguments):
            continue
        trial = _asking(Program(program.inputs, (*kept, line), ()))
        try:
            environment = run.values(trial, base=(before, environment) if before is not None else None)
        except run.RunError as fault:
            faults[line.node] = fault.message
        except _FAULTS:
            faults[line.node] = CANT.fill(node=value_symbol(line.node))
        else:
            kept.append(line)
            before = trial
    return environment, faults


def _numbers(value: Tensor) -> Array | None:
    return None if value.is_meta else value.tolist()


def _formula(line: Call, meant: Mapping[str, Call]) -> str:
    """Write a line as a formula. Not every wrong way has one; then the line stands there as it was meant."""
    try:
        return OPERATIONS[line.operation].formula(line)
    except KeyError:
        right = meant.get(line.node)
        return symbol(line.node) if right is None else OPERATIONS[right.operation].formula(right)


def _node(
    line: Call,
    formulas: Mapping[str, str],
    environment: Mapping[str, Tensor],
    numbers: Mapping[str, Array | None],
    faults: Mapping[str, Text],
    decimals: int | None,
) -> Node:
    operation = OPERATIONS[line.operation]
    formula, why, section = formulas[line.node], reason(line), operation.section
    if line.node not in environment:
        fault = faults.get(line.node)
        return Node(line.node, operation.title, formula, (), NOT_COMPUTED, None, why, section, fault)
    shape, value = tuple(environment[line.node].shape), numbers[line.node]
    is_curve = math.prod(shape) > MOST_SHOWN
    written = show_shape(shape) if value is None or is_curve else shown(value, decimals)
    message = None if value is None else _message(line, value, [numbers[name] for name in line.arguments])
    return Node(line.node, operation.title, formula, shape, written, value, why, section, message)


def _message(line: Call, value: Array, arguments: list[Array | None]) -> Text | None:
    """Say in words why a node holds no number, or an infinite one, where what it was made of didn't."""
    before = [number for argument in arguments for number in _flat(argument)]
    now = list(_flat(value))
    name = value_symbol(line.node)
    if any(map(math.isnan, now)) and not any(map(math.isnan, before)):
        if line.operation == "softmax":
            rows = arguments[0] if arguments[0] and isinstance(arguments[0][0], list) else [arguments[0]]
            empty = [place for place, row in enumerate(rows) if all(one == -math.inf for one in _flat(row))]
            if empty:
                return NOTHING_LEFT.fill(row=empty[0] + 1, node=value_symbol(line.arguments[0]))
        return NO_NUMBER.fill(node=name)
    if line.operation not in _MASKS and any(map(math.isinf, now)) and not any(map(math.isinf, before)):
        return INFINITE.fill(node=name)
    return None


def _flat(value: Any) -> Iterator[float]:
    if isinstance(value, list):
        for part in value:
            yield from _flat(part)
    elif value is not None:
        yield value


# Mistakes --------------------------------------------------------------------------------------------------------------


def _slips(program: Program) -> Iterator[tuple[Swapped, Slip]]:
    """Yield the mistakes of every line, in the order of the program, each once; not those of answering another question."""
    counts: dict[tuple[str, str], int] = {}
    seen: set[tuple[object, ...]] = set()
    found: dict[str, list[tuple[Swapped, Slip]]] = {}
    used = {name for line in program.calls for name in line.arguments}
    for part, line in enumerate(program.calls):
        if line.node in used:
            continue
        for slip in slips(program.with_asks(program.asks[part]), 0):
            inputs = slip.program.inputs if slip.program.inputs != program.inputs else None  # curves make them slow to hash
            edit = (inputs, slip.program.calls)
            if edit == (None, program.calls) or edit in seen:
                continue
            seen.add(edit)
            place = counts.get((slip.mistake, slip.node), 0)
            counts[slip.mistake, slip.node] = place + 1
            found.setdefault(slip.node, []).append((Swapped(slip.mistake, slip.node, place), slip))
    for line in program.calls:
        yield from found.get(line.node, ())


# Lines by hand ---------------------------------------------------------------------------------------------------------


def _explained(program: Program, line: Call, numbers: Mapping[str, Array | None]) -> tuple[CellLines, ...]:
    """Work a node out by hand, cell by cell; nothing, where that can't be done."""
    needed = (line.node, *line.arguments)
    if any(numbers.get(name) is None for name in needed) or len(list(_flat(numbers[line.node]))) > MOST_CELLS:
        return ()
    inputs = {name: value for name, value in numbers.items() if value is not None}
    try:
        lines = run.record(program, line.node, inputs).lines
    except _FAULTS:
        return ()
    indices = dict(_labels(line.node, numbers[line.node]))
    cells: list[CellLines] = []
    waiting: list[Line] = []
    for one in lines:
        waiting.append(one)
        if one.label in indices:
            cells.append(CellLines(indices[one.label], _substeps(waiting)))
            waiting = []
    return tuple(cells)


def _labels(node: str, value: Array, index: tuple[int, ...] = ()) -> Iterator[tuple[str, tuple[int, ...]]]:
    if isinstance(value, list):
        for place, part in enumerate(value):
            yield from _labels(node, part, (*index, place))
    else:
        yield node + subscript(*index), index


def _substeps(lines: list[Line]) -> tuple[SubStep, ...]:
    return tuple(SubStep(one.label, one.say, expression(one), way_number(one.result)) for one in lines)
