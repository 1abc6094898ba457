"""Worked solutions: every operation that an answer needs, with the numbers put in, and why."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import replace
from typing import Any

from question_bank.drills import DRILLS
from question_bank.problem import Problem
from question_bank.program import Asked, Call, Program
from question_bank.text import Text
from solvers import run
from solvers.comparing import dimensions_of
from solvers.comparisons import compared, told_apart
from solvers.display import flat, show, show_shape, way_number, way_table
from solvers.hand import FLOAT_FUNCTIONS, Array, Line, LineKind, subscript
from solvers.operations import OPERATIONS
from solvers.reasons import reason
from solvers.scenario import solved
from solvers.steps import Step, SubStep, Table

MOST_TERMS = 6
"""Terms of a sum that are written out; of a longer one the first and the last are."""

MOST_LINES = 30
"""Lines of one step that are written out: a 3×3 softmax has 21, a BatchNorm of 4 samples and 3 features 30."""

_EVERY = None
_SHAPE_LINE = Text("put the shapes in", "代入形状")
_MORE = Text("and {n} more of the same kind", "另有 {n} 行，算法相同")


def work(problem: Problem | Program) -> tuple[Step, ...]:
    """Work a problem out.

    Args:
        problem: The problem, or a program of a person's own numbers.

    Returns:
        One step for each operation that an asked part depends on, in order. Rows that nothing asked depends on are left out.

    Raises:
        RunError: The program can't be run.
    """
    program = problem.program if isinstance(problem, Problem) else problem
    own = DRILLS[problem.drill].section if isinstance(problem, Problem) else ""
    steps = tuple(
        replace(step, section=OPERATIONS[program.lines[step.node].operation].section or own)
        for step in told_apart(_steps(program), program)
    )
    remark = problem.remark if isinstance(problem, Problem) else None
    return (*steps[:-1], replace(steps[-1], reason=steps[-1].reason + remark)) if remark else steps


def _steps(program: Program) -> tuple[Step, ...]:
    lines = program.needed(*(ask.node for ask in program.asks))
    if any(ask.asked is Asked.SHAPE for ask in program.asks):
        shapes = run.shapes(program)
        # A width that is worked out on the way is a number, whose value is known.
        environment = {
            name: value.tolist()
            for name, value in solved(program).environment.items()
            if not value.is_meta and value.dim() == 0
        }
        asked = {ask.node for ask in program.asks}
        # A weight's shape is shown where it is used; it is a step of its own only where it is asked.
        kept = [line for line in lines if line.operation != "weight" or line.node in asked]
        return tuple(
            compared(line, shapes, solved(program).environment[line.node].tolist(), show_shape)
            if OPERATIONS[line.operation].compares
            else _step(program, line, environment, _EVERY)
            if line.node in environment
            else _shape_step(line, shapes, environment)
            for line in kept
        )
    environment = {name: value.tolist() for name, value in solved(program).environment.items()}
    rows = _rows_needed(program, lines, environment)
    return tuple(
        compared(line, environment, environment[line.node], _on_one_line)
        if OPERATIONS[line.operation].compares
        else _step(program, line, environment, rows[line.node])
        for line in lines
    )


def _on_one_line(value: Array) -> str:
    return flat(way_table(value))


def _rows_needed(program: Program, lines: Sequence[Call], environment: Mapping[str, Array]) -> dict[str, set[int] | None]:
    """Return, for each node, the rows that what is asked depends on; None for every row."""
    rows: dict[str, set[int] | None] = {}

    def need(node: str, wanted: set[int] | None) -> None:
        known = rows.get(node, set())
        rows[node] = None if wanted is None or known is None else known | wanted

    for ask in program.asks:
        one_row = len(dimensions_of(environment[ask.node])) > 1  # a vector is one row itself
        need(ask.node, {ask.index[0]} if ask.index and one_row else _EVERY)
    for line in reversed(lines):
        for position, name in enumerate(line.arguments):
            need(name, rows[line.node] if position in OPERATIONS[line.operation].aligned else _EVERY)
    return rows


def _step(program: Program, line: Call, environment: dict[str, Array], rows: set[int] | None) -> Step:
    operation = OPERATIONS[line.operation]
    hand = run.record(program, line.node, environment)
    value = environment[line.node]
    kept = [one for one in hand.lines if rows is None or one.row is None or one.row in rows]
    cells = {ask.index for ask in program.asks if ask.node == line.node}
    if cells and all(0 < len(cell) == len(dimensions_of(value)) for cell in cells) and not program.consumers(line.node):
        labels = {line.node + subscript(*cell) for cell in cells}
        kept = [one for one in kept if not one.label.startswith(line.node) or one.label in labels]
        result = _only(way_table(value), cells)
    else:
        result = _result(value, rows)
    return Step(line.node, operation.title, operation.formula(line), reason(line), _substeps(kept), result)


def _substeps(lines: Sequence[Line]) -> tuple[SubStep, ...]:
    substeps = [SubStep(one.label, one.say, expression(one), way_number(one.result)) for one in lines[:MOST_LINES]]
    if len(lines) > MOST_LINES:
        substeps.append(SubStep("…", _MORE.fill(n=len(lines) - MOST_LINES), "", ""))
    return tuple(substeps)


def _result(value: Array, rows: set[int] | None) -> Table:
    """Return the node's value; of a matrix only the rows that were worked out, the others as dots."""
    table = way_table(value)
    if rows is None or not isinstance(table, tuple) or not isinstance(table[0], tuple):
        return table
    return tuple(row if i in rows else tuple("·" for _ in row) for i, row in enumerate(table))


def _only(table: Table, cells: Set[tuple[int, ...]], *index: int) -> Table:
    """Return some cells of a value, the others as dots."""
    if isinstance(table, tuple):
        return tuple(_only(part, cells, *index, i) for i, part in enumerate(table))
    return table if index in cells else "·"


def _shape_step(line: Call, shapes: Mapping[str, tuple[int, ...]], numbers: Mapping[str, Array]) -> Step:
    operation = OPERATIONS[line.operation]
    parts = [
        f"{name} = {way_number(numbers[name])}" if name in numbers else f"{name} {show_shape(shapes[name])}"
        for name in line.arguments
    ]
    result = show_shape(shapes[line.node])
    substep = SubStep(line.node, _SHAPE_LINE, ", ".join(parts), result)
    return Step(line.node, operation.title, operation.formula(line), reason(line), (substep,), result)


# Lines of arithmetic ---------------------------------------------------------------------------------------------------


def expression(line: Line) -> str:
    """Write a line's computation with the numbers put in, in Unicode."""
    return _WRITERS[line.kind](line.operands)


def _in_brackets(number: float) -> str:
    text = way_number(number)
    return f"({text})" if text.startswith("−") else text


def _terms(parts: Sequence[str], sign: str = " + ") -> str:
    if len(parts) > MOST_TERMS:
        parts = [*parts[: MOST_TERMS - 2], "…", parts[-1]]
    return sign.join(parts)


def _added(numbers: Sequence[float]) -> str:
    return _terms([way_number(number) if position == 0 else _in_brackets(number) for position, number in enumerate(numbers)])


def _dot(operands: Sequence[Any]) -> str:
    count = len(operands) // 3
    left, right, products = operands[:count], operands[count : 2 * count], operands[2 * count :]
    pairs = [f"{_in_brackets(a)}×{_in_brackets(b)}" for a, b in zip(left, right, strict=True)]
    return f"{_terms(pairs)} = {_added(products)}" if count > 1 else pairs[0]


def _affine(operands: Sequence[Any]) -> str:
    value, factor, shift, product = operands
    return f"{_in_brackets(value)}×{_in_brackets(factor)} + {_in_brackets(shift)} = {_added((product, shift))}"


def _mean(operands: Sequence[Any]) -> str:
    return f"({_added(operands[:-1])}) / {way_number(operands[-1])}"


def _mean_square(operands: Sequence[Any]) -> str:
    return f"({_terms([f'{_in_brackets(number)}²' for number in operands[:-1]])}) / {way_number(operands[-1])}"


def _chosen(name: str) -> Callable[[Sequence[Any]], str]:
    return lambda operands: f"{name}({', '.join(way_number(number) for number in operands)})"


def _function(name: str) -> Callable[[Sequence[Any]], str]:
    return lambda operands: f"{name}({way_number(operands[0])})"


_WRITERS: dict[LineKind, Callable[[Sequence[Any]], str]] = {
    **{kind: _function(kind.value) for kind in FLOAT_FUNCTIONS},
    LineKind.POWER: lambda operands: "^".join(_in_brackets(number) for number in operands),
    LineKind.LARGEST: _chosen("max"),
    LineKind.SMALLEST: _chosen("min"),
    LineKind.CEILING: lambda operands: f"⌈{way_number(operands[0])}⌉",
    LineKind.DOT: _dot,
    LineKind.SUM: _added,
    LineKind.AFFINE: _affine,
    LineKind.PRODUCT: lambda operands: " × ".join(_in_brackets(number) for number in operands),
    LineKind.QUOTIENT: lambda operands: f"{way_number(operands[0])} / {_in_brackets(operands[1])}",
    LineKind.DIFFERENCE: lambda operands: f"{way_number(operands[0])} − {_in_brackets(operands[1])}",
    LineKind.EXPONENTIAL: lambda operands: f"e^{_in_brackets(operands[0])}",
    LineKind.ROOT: lambda operands: f"√{_in_brackets(operands[0])}",
    LineKind.MEAN: _mean,
    LineKind.MEAN_SQUARE: _mean_square,
    LineKind.TAKEN: lambda operands: way_number(operands[0]),
}


def answers(problem: Problem | Program) -> tuple[str, ...]:
    """Return the right answers as displayed, one per part; typed back, each is right.

    Raises:
        RunError: The program can't be run.
    """
    program = problem.program if isinstance(problem, Problem) else problem
    return tuple(show(value, ask.format) for ask, value in zip(program.asks, solved(program).results, strict=True))
