"""What a lab consists of. These classes are also the schema that its TOML file is checked against."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from typing import Annotated, Any

from msgspec import Meta, Struct

from question_bank import lessons
from question_bank.content import Found
from question_bank.labs import LABS
from question_bank.labs.state import Knob, LabState
from question_bank.program import AnswerFormat, Ask, Call, Kind, Nested, Program
from question_bank.text import Text
from question_bank.written import input_faults, line_faults, read_line, read_value


class View(Enum):
    """How a value is drawn."""

    NUMBERS = "numbers"
    HEAT = "heat"
    BARS = "bars"
    SLIDERS = "sliders"


class Dial(Struct, frozen=True, forbid_unknown_fields=True):
    """By how much an input changes with one key.

    Attributes:
        step: What is added or taken away.
        times: Instead: what it is multiplied with or divided by.
        least: The smallest value.
        most: The largest.
        ends: The ends of its slider, where that would be too coarse from the smallest to the largest.
    """

    step: Any = 1
    times: Annotated[int, Meta(ge=2)] | None = None
    least: Any = -99
    most: Any = 99
    ends: tuple[Any, Any] | None = None

    @property
    def knob(self) -> Knob:
        """The same with exact numbers."""
        return Knob(read_value(self.step), self.times, read_value(self.least), read_value(self.most))

    @property
    def slider(self) -> Knob:
        """The same between the ends of its slider."""
        least, most = self.ends or (self.least, self.most)
        return Knob(read_value(self.step), self.times, read_value(least), read_value(most))


class Points(Struct, frozen=True, forbid_unknown_fields=True):
    """An input of many numbers, over which a curve is drawn; it is neither shown among the numbers nor changed.

    Attributes:
        first: The first number.
        last: The last, which the steps have to meet.
        step: What is added from one to the next.
        times: Instead: what it is multiplied with.
        column: Whether the numbers stand beneath one another, so that a row can be held against each.
    """

    first: Any
    last: Any
    step: Any = 1
    times: Annotated[int, Meta(ge=2)] | None = None
    column: bool = False

    @property
    def value(self) -> Nested:
        """The numbers."""
        first, last, step = (Fraction(str(one)) for one in (self.first, self.last, self.step))
        numbers = [first]
        while numbers[-1] < last:
            numbers.append(numbers[-1] * self.times if self.times is not None else numbers[-1] + step)
        exact = tuple(int(one) if one.denominator == 1 else one for one in numbers)
        return tuple((one,) for one in exact) if self.column else exact


class Labels(Struct, frozen=True, forbid_unknown_fields=True):
    """What stands beside the rows and above the columns of a node: tokens."""

    rows: tuple[Text, ...] = ()
    columns: tuple[Text, ...] = ()


class Switch(Struct, frozen=True, forbid_unknown_fields=True):
    """A step that can be switched off.

    Attributes:
        node: The node.
        what: What the step is called.
        program: The line instead; without one, the node's first argument passes through.
    """

    node: str
    what: Text
    program: str = ""

    def line(self, program: Program) -> Call:
        """Return the line that stands in for the step."""
        return read_line(self.program) if self.program else Call(self.node, "same", program.lines[self.node].arguments[:1])


class Look(Struct, frozen=True, forbid_unknown_fields=True):
    """What to look for, and the change that it is about; without one, the program as it is at the start.

    Attributes:
        says: The sentence.
        inputs: Inputs that take another value.
        program: Lines that replace those of the same node.
    """

    says: Text
    inputs: dict[str, Any] = {}
    program: tuple[str, ...] = ()

    @property
    def changes(self) -> bool:
        """Whether it changes anything."""
        return bool(self.inputs or self.program)


class Scene(Struct, frozen=True, forbid_unknown_fields=True):
    """A program, and what can be done with it.

    Attributes:
        looks: What to look for; the first is shown at the start, each with its change at the press of a key.
        title: What it is called, where a lab has several.
        example: The number of the lesson's example that it takes its program from; 0 for a program of its own.
        inputs: The inputs of its own program, or more of them beside those of the example.
        points: Inputs of many numbers, for curves.
        program: Its lines, behind those of the example.
        decimals: Decimals of the numbers shown; the lesson's own, if not given, or as many as worked steps have.
        show: Inputs and nodes that are drawn, in order; all of them, if none are named.
        fixed: Inputs that can't be changed.
        dials: How the others change; by one, if nothing is said.
        switches: Steps that can be switched off.
        mistakes: Catalogued mistakes that can be swapped in, ``scale.by-d_k``, or at one node alone, ``z scale.by-d_k``; all that
            fit, if none are named.
        views: How nodes are drawn, other than as numbers.
        labels: Tokens beside and above.
        code: The line of PyTorch for a node.
        symbols: How an input or a node is written, in LaTeX, where its name in the program is a word: the same in both languages.
        formulas: What stands behind a node's =, in LaTeX, where its line computes by way of a helper that nobody would write down.
        notes: What an input or a node is, beneath it.
        drawing: The module of a drawing of its own.
    """

    looks: Annotated[tuple[Look, ...], Meta(min_length=1)]
    title: Text | None = None
    example: Annotated[int, Meta(ge=0, le=2)] = 0
    inputs: dict[str, Any] = {}
    points: dict[str, Points] = {}
    program: tuple[str, ...] = ()
    decimals: Annotated[int, Meta(ge=0, le=6)] | None = None
    show: tuple[str, ...] = ()
    fixed: tuple[str, ...] = ()
    dials: dict[str, Dial] = {}
    switches: tuple[Switch, ...] = ()
    mistakes: tuple[str, ...] = ()
    views: dict[str, View] = {}
    labels: dict[str, Labels] = {}
    code: dict[str, str] = {}
    symbols: dict[str, str] = {}
    formulas: dict[str, str] = {}
    notes: dict[str, Text] = {}
    drawing: str = ""


class Lab(Struct, frozen=True, forbid_unknown_fields=True):
    """An interactive demonstration.

    Attributes:
        section: The section that it belongs to.
        scenes: One program or more, each with what can be done with it.
    """

    section: str
    scenes: Annotated[tuple[Scene, ...], Meta(min_length=1, max_length=3)]

    def start(self, place: int) -> LabState:
        """Return a scene as it is at the start.

        Raises:
            ContentError: The lesson that it takes its program from is at fault.
        """
        scene = self.scenes[place]
        inputs, lines, decimals = source(self, scene)
        decimals = decimals if scene.decimals is None else scene.decimals
        points = {name: points.value for name, points in scene.points.items()}
        return LabState(program_of(inputs, lines, points), decimals=decimals)


def source(lab: Lab, scene: Scene) -> tuple[Mapping[str, Any], Sequence[str], int | None]:
    """Return the inputs, the lines and the decimals of a scene's program."""
    if not scene.example:
        return scene.inputs, scene.program, None
    example = lessons.load(lab.section).examples[scene.example - 1]
    return {**example.inputs, **scene.inputs}, (*example.program, *scene.program), example.decimals


def program_of(inputs: Mapping[str, Any], lines: Sequence[str], points: Mapping[str, Nested] | None = None) -> Program:
    """Return a written program that asks for every line, so that every line is run."""
    calls = tuple(map(read_line, lines))
    values = (*((name, read_value(value)) for name, value in inputs.items()), *(points or {}).items())
    return Program(values, calls, tuple(Ask(line.node, AnswerFormat(Kind.MATRIX)) for line in calls))


def looked_at(start: LabState, look: Look) -> LabState:
    """Return the state that a look is about."""
    inputs = tuple((name, read_value(value)) for name, value in look.inputs.items())
    return start.with_changes(inputs, tuple(map(read_line, look.program)))


def faults(lab: Lab, name: str) -> Iterator[Found]:
    """Find what the schema can't say."""
    if name not in LABS or LABS[name][0] != lab.section:
        yield "section", Text(f"is {lab.section}, which is not that of {name}", f"是 {lab.section}，与 {name} 对不上")
        return
    for index, scene in enumerate(lab.scenes):
        yield from _scene_faults(lab, scene, f"scenes[{index}]")


def _scene_faults(lab: Lab, scene: Scene, field: str) -> Iterator[Found]:
    inputs, lines, _decimals = source(lab, scene)
    yield from input_faults(inputs, f"{field}.inputs")
    yield from line_faults(lines, {**inputs, **scene.points}, f"{field}.program")
    nodes = dict.fromkeys(line.partition("=")[0].strip() for line in lines)
    known = dict(inputs) | scene.points | nodes
    for at, look in enumerate(scene.looks):
        yield from input_faults(look.inputs, f"{field}.looks[{at}].inputs")
        yield from line_faults(look.program, known, f"{field}.looks[{at}].program")
    for at, switch in enumerate(scene.switches):
        yield from line_faults((switch.program,) if switch.program else (), known, f"{field}.switches[{at}].program")
        if switch.node not in nodes:
            yield f"{field}.switches[{at}].node", _unknown(switch.node)
    for names, where, among in (
        (scene.show, "show", known), (scene.fixed, "fixed", inputs), (scene.dials, "dials", inputs),
        (scene.views, "views", known), (scene.labels, "labels", known), (scene.code, "code", nodes),
        (scene.symbols, "symbols", known), (scene.formulas, "formulas", nodes), (scene.notes, "notes", known),
    ):  # fmt: skip
        for each in names:
            if each not in among:
                yield f"{field}.{where}", _unknown(each)


def _unknown(node: str) -> Text:
    return Text(f"names {node}, which the program doesn't have", f"用到了 {node}，程序里没有它")
