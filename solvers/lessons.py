"""Run the programs of a lesson: shapes, examples, variations, and the numbers in its sentences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from question_bank.content import ContentError, Found
from question_bank.content.faults import make_fault
from question_bank.labs.lab import program_of
from question_bank.lessons.computed import Computed, Sized
from question_bank.lessons.lesson import Example, Lesson, ShapeFlow, Variation
from question_bank.lessons.places import Place, places, read_place
from question_bank.program import AnswerFormat, Ask, Call, Kind, Nested, Program, Shape
from question_bank.text import Text
from question_bank.walk import texts
from question_bank.written import read_line, read_value
from solvers import run
from solvers.display import flat, show_shape, table, way_table
from solvers.hand import Array
from solvers.operations import OPERATIONS
from solvers.operations.base import symbol
from solvers.steps import Table

_ANY = AnswerFormat(Kind.MATRIX)


def compute(lesson: Lesson) -> Computed:
    """Run a lesson's programs.

    Raises:
        ContentError: A program can't be run, or a text names something that no program gives; all such faults are told.
    """
    return _Run(lesson).result()


class _Run:
    """A lesson's programs being run."""

    def __init__(self, lesson: Lesson) -> None:
        self.lesson = lesson
        self.faults: list[Found] = []
        self.nodes: dict[str, dict[str, Any]] = {}
        """Values of every node, nested lists, by source: ``1``, ``2``, ``v1`` ..."""
        self.decimals: dict[str, int] = {}

    def result(self) -> Computed:
        lesson = self.lesson
        sized = self._shapes(lesson.shapes)
        for index, example in enumerate(lesson.examples):
            program = program_of(example.inputs, example.program)
            self._run(str(index + 1), program, example.decimals, f"examples[{index}]")
        demo = lesson.demonstration
        base = lesson.examples[demo.example - 1]
        for index, variation in enumerate(demo.variations if str(demo.example) in self.nodes else ()):
            field, source = f"demonstration.variations[{index}]", f"v{index + 1}"
            self._run(source, _varied(base, variation), base.decimals, field)
            if source in self.nodes and self._table(source, variation.show) == self._table(str(demo.example), variation.show):
                self.faults.append((field, Text(f"doesn't change {variation.show}", f"没有让 {variation.show} 发生变化")))
        values = {} if self.faults else self._values({each.node: each for each in sized})
        if self.faults:
            name = f"S{lesson.section}.toml"
            raise ContentError(tuple(make_fault(name, field, None, what) for field, what in self.faults))
        numbers = range(1, len(demo.variations) + 1)
        return Computed(
            sized,
            tuple(
                {node: self._table(str(index + 1), node) for node in example.show}
                for index, example in enumerate(lesson.examples)
            ),
            tuple(self._table(f"v{number}", demo.variations[number - 1].show) for number in numbers),
            tuple(self._table(str(demo.example), demo.variations[number - 1].show) for number in numbers),
            values,
        )

    def _shapes(self, flow: ShapeFlow) -> tuple[Sized, ...]:
        inputs: dict[str, Nested | Shape] = {
            name: flow.sizes[sizes] if isinstance(sizes, str) else Shape(tuple(flow.sizes[size] for size in sizes))
            for name, sizes in flow.inputs.items()
        }
        lines = tuple(map(read_line, flow.program))
        try:
            shapes = run.shapes(_asking(tuple(inputs.items()), lines))
        except run.RunError as error:
            self.faults.append(("shapes.program", _in_a_sentence(error)))
            return ()
        formulas = {line.node: OPERATIONS[line.operation].formula(line) for line in lines}
        drawn = [name for name, value in inputs.items() if isinstance(value, Shape)] + [line.node for line in lines]
        return tuple(
            Sized(node, formulas.get(node, symbol(node)), _named(shapes[node], flow.sizes), show_shape(shapes[node]))
            for node in drawn
        )

    def _run(self, source: str, program: Program, decimals: int, field: str) -> None:
        self.decimals[source] = decimals
        try:
            found = run.values(program)
        except run.RunError as error:
            self.faults.append((f"{field}.program", _in_a_sentence(error)))
        else:
            self.nodes[source] = {name: value.tolist() for name, value in found.items()}

    def _table(self, source: str, node: str) -> Table:
        return shown(self.nodes[source][node], self.decimals[source])

    def _values(self, sized: Mapping[str, Sized]) -> dict[str, str]:
        values: dict[str, str] = {}
        for field, text in texts(self.lesson):
            source = "2" if field.startswith("examples[1]") else "1"
            for written in places(text):
                place = read_place(written, source)
                value = None if place is None else self._value(place, sized)
                if value is None:
                    what = Text(f"names «{written}», which no program gives", f"里的 «{written}» 没有程序能算出")
                    self.faults.append((field, what))
                elif values.setdefault(written, value) != value:
                    what = Text(f"should say which example «{written}» is of: «1:{written}» or «2:{written}»",
                                f"里的 «{written}» 应写明是哪个例子：«1:{written}» 或 «2:{written}»")  # fmt: skip
                    self.faults.append((field, what))
        return values

    def _value(self, place: Place, sized: Mapping[str, Sized]) -> str | None:
        if place.source in ("shape", "names"):
            found = sized.get(place.node)
            return None if found is None else found.names if place.source == "names" else found.numbers
        node = self.nodes.get(place.source, {}).get(place.node)
        return None if node is None else in_a_place(place, node, self.decimals[place.source])


def in_a_place(place: Place, node: Array, decimals: int | None) -> str | None:
    """Write what a place of a text asks for; None where the node has no such cell.

    Args:
        place: What is asked for.
        node: The node's value, nested lists.
        decimals: Decimals where the place names none; None for as many as worked steps have.
    """
    try:
        value = run.at(node, place.index)
    except (IndexError, TypeError):
        return None
    if place.percent:
        value, decimals = _times_100(value), 1
    return flat(shown(value, decimals if place.decimals is None else place.decimals))


def shown(value: Array, decimals: int | None) -> Table:
    """Write a value as a page does, not as a keyboard: −∞ for -inf.

    Args:
        value: A number, or nested lists.
        decimals: To how many decimals; None for as many as worked steps have.
    """
    return way_table(value) if decimals is None else _as_written(table(value, replace(_ANY, decimals=decimals)))


def _as_written(value: Table) -> Table:
    if isinstance(value, tuple):
        return tuple(map(_as_written, value))
    return value.replace("-", "−").replace("inf", "∞")


def _times_100(value: Any) -> Any:
    return [_times_100(part) for part in value] if isinstance(value, list) else value * 100


def _varied(example: Example, variation: Variation) -> Program:
    changed = {line.node: line for line in map(read_line, variation.program)}
    lines = tuple(changed.get(line.node, line) for line in map(read_line, example.program))
    inputs = tuple((name, read_value(value)) for name, value in (dict(example.inputs) | dict(variation.inputs)).items())
    return _asking(inputs, lines)


def _asking(inputs: tuple[tuple[str, Nested | Shape], ...], lines: tuple[Call, ...]) -> Program:
    """Ask for every line, so that every line is run."""
    return Program(inputs, lines, tuple(Ask(line.node, _ANY) for line in lines))


def _named(shape: tuple[int, ...], sizes: Mapping[str, int]) -> str:
    names = {size: name for name, size in sizes.items()}
    return "[" + ", ".join(names.get(size, str(size)) for size in shape) + "]"


def _in_a_sentence(error: run.RunError) -> Text:
    said = error.message
    return Text(f"can't be run: {said.en.rstrip('.')}", f"无法运行：{said.zh.rstrip('。')}")
