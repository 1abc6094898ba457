"""Problems and worked steps as lines of text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from question_bank.exact import show
from question_bank.listing import numbered
from question_bank.math import cell_len, matrix_lines
from question_bank.program import AnswerFormat, Ask, Kind, Nested, Program, Shape
from question_bank.text import Text, same
from quizapp.commands.session import Session
from solvers.operations.base import symbol
from solvers.steps import Step, SubStep, Table

INDENT = "  "


def input_lines(session: Session, program: Program) -> Iterator[str]:
    """Draw the inputs of a program: matrices between tall brackets, shapes as ``X: [2, 5, 512]``."""
    tall = False
    for place, (name, value) in enumerate(program.inputs):
        shown = session.written(same(f"${symbol(name)}$"))
        lines = [f"{shown}: {list(value.dimensions)}"] if isinstance(value, Shape) else named_lines(shown, table_of(value))
        if place and (tall or len(lines) > 1):
            yield ""  # tall brackets one above the other would look like one matrix
        tall = len(lines) > 1
        yield from lines


def listing_lines(listing: Sequence[str]) -> Iterator[str]:
    """Write a listing with the numbers of its lines, and a blank line behind it; nothing where it has none.

    Lines stay whole, so that what is copied is code; a terminal breaks those that it has no room for.
    """
    yield from (number + code for number, code in numbered(listing))
    if listing:
        yield ""


def table_of(value: Nested) -> Table:
    """Write exact numbers for display."""
    return tuple(map(table_of, value)) if isinstance(value, tuple) else show(value)


def named_lines(name: str, table: Table) -> list[str]:
    """Draw a value with its name and an equals sign at its middle line."""
    lines = _table_lines(table)
    lead = f"{name} = "
    middle = (len(lines) - 1) // 2
    return [(lead if place == middle else " " * cell_len(lead)) + line for place, line in enumerate(lines)]


def _table_lines(table: Table) -> list[str]:
    if isinstance(table, str):
        return [table]
    rows = [part for part in table if isinstance(part, tuple)]
    if not rows:
        return matrix_lines((tuple(str(part) for part in table),))
    if all(isinstance(cell, str) for row in rows for cell in row):
        return matrix_lines(tuple(tuple(str(cell) for cell in row) for row in rows))
    return [line for row in rows for line in _table_lines(row)]


# What is asked ---------------------------------------------------------------------------------------------------------


def label(ask: Ask) -> Text:
    """Name a part."""
    text = ask.label or same(f"${symbol(ask.node)}$")
    return Text(text.en.strip(), text.zh.strip())


def form(asked: AnswerFormat) -> Text:
    """Say what form an answer has: ``3×2 matrix, 3 decimals``."""
    text = _shape_of_answer(asked)
    precision = _precision(asked)
    return text if precision is None else Text(f"{text.en}, {precision.en}", f"{text.zh}，{precision.zh}")


def _shape_of_answer(asked: AnswerFormat) -> Text:
    sizes = asked.dimensions
    if asked.kind is Kind.VECTOR and sizes:
        return Text("{n} numbers", "{n} 个数").fill(n=sizes[0])
    if asked.kind is Kind.MATRIX and sizes:
        return Text("{size} matrix", "{size} 矩阵").fill(size="×".join(map(str, sizes)))
    if asked.kind is Kind.CHOICE:
        return Text("one of a to {last}", "a 到 {last} 中选一项").fill(last=chr(ord("a") + max(asked.choices, 1) - 1))
    if asked.kind is Kind.LINE:
        return Text("a line, 1 to {last}", "行号，1 到 {last}").fill(last=asked.choices)
    names = Text(", ".join(asked.symbols), "、".join(asked.symbols))
    return _FORMS[asked.kind].fill(names=names)


_FORMS = {
    Kind.INTEGER: Text("a whole number", "整数"),
    Kind.NUMBER: Text("a number", "一个数"),
    Kind.PERCENT: Text("a percentage", "百分数"),
    Kind.EXPRESSION: Text("an exact expression", "精确表达式"),
    Kind.VECTOR: Text("numbers", "若干个数"),
    Kind.MATRIX: Text("a matrix", "矩阵"),
    Kind.SHAPE: Text("a shape", "形状"),
    Kind.NAMED_SHAPE: Text("a shape, written with {names}", "形状，用 {names} 表示"),
    Kind.BYTES: Text("a size in bytes, such as 3 MiB", "字节数，例如 3 MiB"),
    Kind.ORDER: Text("an order of growth in {names}", "用 {names} 表示的复杂度"),
    Kind.YES_NO: Text("yes or no", "是或否"),
}


def _precision(asked: AnswerFormat) -> Text | None:
    if asked.kind not in (Kind.NUMBER, Kind.PERCENT, Kind.VECTOR, Kind.MATRIX):
        return None
    if asked.significant is not None:
        one = asked.significant == 1
        return Text("{n} significant digit" if one else "{n} significant digits", "{n} 位有效数字").fill(n=asked.significant)
    if not asked.decimals:
        return Text("whole numbers", "整数")
    return Text("1 decimal" if asked.decimals == 1 else "{n} decimals", "{n} 位小数").fill(n=asked.decimals)


# Worked steps ----------------------------------------------------------------------------------------------------------


def step_lines(session: Session, number: int, step: Step) -> Iterator[str]:
    """Write one worked step: what is done and why, its lines, its result."""
    formula = session.written(same(f"${step.formula}$"))
    section = f"{INDENT}§{step.section}" if step.section else ""
    yield f"{number}. {session.written(step.title)}{INDENT}{formula}{section}"
    yield INDENT + session.written(step.reason)
    name = session.written(same(f"${symbol(step.node)}$"))
    if isinstance(step.result, str) and step.result.startswith("["):  # shapes go in, and a shape comes out
        yield from (f"{INDENT * 2}{line.expression}  →  {name} {line.result}" for line in step.substeps)
        return
    said = ""
    for line in step.substeps:
        explanation = session.written(line.explanation)
        if explanation != said:
            yield INDENT + explanation
        said = explanation
        yield INDENT * 2 + substep_line(line)
    for drawn in named_lines(name, step.result):
        yield INDENT + drawn


def substep_line(line: SubStep) -> str:
    """Write a line of arithmetic; what would stand there twice is written once."""
    parts = (line.cell, line.expression, line.result)
    shown: list[str] = []
    for part in parts:
        if part and (not shown or part != shown[-1]):
            shown.append(part)
    return _INDEXED.sub(_subscripts, " = ".join(shown))


_INDEXED = re.compile(r"(?<=[^\W\d])_(\d)(?!\d)([₀-₉]*)")


def _subscripts(found: re.Match[str]) -> str:
    """Write the number that belongs to a name as the numbers of entries are: ``O_1₂`` is ``O₁,₂``."""
    number, entry = found[1], found[2]
    return chr(ord("₀") + int(number)) + (f",{entry}" if entry else "")


def stage_lines(session: Session, program: Program, steps: Sequence[Step]) -> Iterator[str]:
    """Write the shape at every stage, one a line."""
    stages = [(name, str(list(value.dimensions)), "") for name, value in program.inputs if isinstance(value, Shape)]
    stages += [
        (step.node, str(step.result), f"{session.written(step.title)}{INDENT}{session.written(same(f'${step.formula}$'))}")
        for step in steps
    ]
    names = [session.written(same(f"${symbol(name)}$")) for name, _, _ in stages]
    first, second = max(map(cell_len, names)), max(len(shape) for _, shape, _ in stages)
    for name, (_, shape, said) in zip(names, stages, strict=True):
        yield f"{name}{' ' * (first - cell_len(name))}{INDENT}{shape:<{second}}{INDENT}{said}".rstrip()
