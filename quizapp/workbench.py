"""What can be done with a lab, and what is drawn of it: everything that the lab screen decides, without the screen."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from question_bank.exact import Exact, NotANumberError, is_finite, show, to_float
from question_bank.labs.lab import Dial, Look, Scene, View, looked_at
from question_bank.labs.state import Knob, LabState, rank_of
from question_bank.program import Call, Nested, Shape, cells, shape_of
from question_bank.text import Text, same
from quizapp import wording_lab as wording
from quizapp.lab_names import Names
from quizapp.widgets.blocks import Block
from quizapp.widgets.board import At
from quizapp.widgets.matrices import table_of
from solvers.frames import CellLines, Frame, Node, Offered
from solvers.steps import Step

MOST_CELLS = 64
"""Numbers of an input that replaces another."""


_NO_NOTE = Text("", "")

SKIPPABLE = frozenset(
    (
        "scale", "scale_by", "temperature", "causal_mask", "padding_mask", "alibi", "rotate",
        "embedding_scale", "add", "residual_add", "activation", "gate", "layer_norm", "rms_norm",
        "batch_norm", "dropout", "label_smoothing", "shift", "permute_rows", "output_projection",
    )
)  # fmt: skip
"""Operations that change a value without changing what it is: without one of them, the rest still makes sense."""


class RefusedError(ValueError):
    """A change that can't be made.

    Attributes:
        message: Why.
    """

    def __init__(self, message: Text) -> None:
        """Keep the message in both languages."""
        super().__init__(message.en)
        self.message = message


class Workbench:
    """A scene of a lab, the state that a person has made of it, and what followed from it last."""

    def __init__(self, scene: Scene, start: LabState, *, any_step: bool = False) -> None:
        """Begin with the program as it is.

        Args:
            scene: What can be done.
            start: The program.
            any_step: Whether every step that can be left out can be switched off, not only those that the scene names.
        """
        self.scene = scene
        self.start = self.state = start
        self.frame: Frame | None = None
        self.changed: dict[str, frozenset[tuple[int, ...]]] = {}
        self.look = 0
        self.views = dict(scene.views)
        self.walked: int | None = None
        self.names = Names(scene, start)
        self._any_step = any_step
        self._titles: dict[str, Text] = {}

    # What is there

    @property
    def inputs(self) -> tuple[str, ...]:
        """The inputs that are drawn."""
        names = [name for name, _ in self.start.program.inputs if name not in self.scene.points]
        return tuple(name for name in self.scene.show if name in names) if self.scene.show else tuple(names)

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The nodes that are drawn: those that the scene shows, and those that a mistake brings along."""
        if self.frame is None:
            return ()
        known = self.start.program.lines
        return tuple(
            node for node in self.frame.nodes if not self.scene.show or node.name in self.scene.show or node.name not in known
        )

    @property
    def wanted(self) -> tuple[str, ...]:
        """The nodes that are worked out cell by cell: those that are drawn."""
        return self.scene.show or tuple(self.start.program.lines)

    def node(self, name: str) -> Node | None:
        """Return a node that is drawn."""
        return next((node for node in self.nodes if node.name == name), None)

    def take(self, frame: Frame) -> None:
        """Take what follows from a state, and mark what has changed."""
        frame = self.names.frame(frame)
        self._titles = self._titles or {node.name: node.title for node in frame.nodes}
        before = {node.name: node for node in self.frame.nodes} if self.frame is not None else {}
        if self.frame is not None and frame.state != self.frame.state:
            self.changed = {
                node.name: frozenset(_differing(before[node.name].shown, node.shown))
                for node in frame.nodes
                if node.name in before
            }
            old = self.frame.state
            for name in self.inputs:
                self.changed[name] = frozenset(_differing(table_of(old.value(name)), table_of(frame.state.value(name))))
        self.frame = frame
        if self.walked is not None:
            self.walked = min(self.walked, len(self.path) - 1) if self.path else None

    # Changing

    def is_input(self, name: str) -> bool:
        """Tell whether a name is that of an input."""
        return name in self.start.program.values

    def knob(self, name: str) -> Knob:
        """Return how an input changes.

        Raises:
            RefusedError: It doesn't.
        """
        if not self.is_input(name):
            raise RefusedError(wording.COMPUTED.fill(name=f"${self.names.symbol(name)}$"))
        if name in self.scene.fixed:
            raise RefusedError(wording.FIXED.fill(name=f"${self.names.symbol(name)}$"))
        return self.scene.dials.get(name, Dial()).knob

    def turn(self, at: At, ways: int) -> None:
        """Make a number larger or smaller by a step.

        Raises:
            RefusedError: It can't be changed, or not further.
        """
        knob = self.knob(at.name)
        number = knob.turned(self._cell(at), ways)
        if number is None:
            raise RefusedError(self._bounds(at.name, knob))
        self._set(at, number)

    def put(self, at: At, value: Nested) -> None:
        """Put a number into a cell, or a matrix in place of a matrix.

        Raises:
            RefusedError: It doesn't fit, or is beyond the bounds.
        """
        knob = self.knob(at.name)
        old = self.state.value(at.name)
        numbers = [number for _, number in cells(value)]
        if any(not knob.allows(number) for number in numbers):
            raise RefusedError(self._bounds(at.name, knob))
        if isinstance(old, Shape) and any(not isinstance(number, int) or number < 1 for number in numbers):
            raise RefusedError(wording.NO_SHAPE)
        if not isinstance(value, tuple):
            self._set(at, value)
        elif isinstance(old, Shape) or len(shape_of(value)) != rank_of(old):
            raise RefusedError(wording.ONE_NUMBER.fill(name=f"${self.names.symbol(at.name)}$", rank=rank_of(old)))
        elif len(numbers) > MOST_CELLS:
            raise RefusedError(wording.TOO_MANY.fill(most=MOST_CELLS))
        else:
            self.state = self.state.with_changes(((at.name, value),))

    def _cell(self, at: At) -> Exact:
        return self.state.cell(at.name, at.index)

    def _set(self, at: At, number: Exact) -> None:
        self.state = self.state.with_cell(at.name, at.index, number)

    def _bounds(self, name: str, knob: Knob) -> Text:
        return wording.BOUND.fill(name=f"${self.names.symbol(name)}$", least=show(knob.least), most=show(knob.most))

    def switches(self) -> dict[str, tuple[Text, Call]]:
        """Return the steps that can be switched off: what each is called, and the line that stands in for it."""
        program = self.start.program
        found = {switch.node: (switch.what, switch.line(program)) for switch in self.scene.switches}
        if self._any_step:
            for node in self.nodes:
                line = program.lines.get(node.name)
                if line is not None and line.operation in SKIPPABLE:
                    what = self._titles.get(node.name, node.title)
                    called = Text(
                        f"${self.names.symbol(node.name)}$ ({what.en})", f"${self.names.symbol(node.name)}$（{what.zh}）"
                    )
                    found.setdefault(node.name, (called, Call(node.name, "same", line.arguments[:1])))
        return found

    def switch(self, at: At | None) -> None:
        """Switch the step that the cursor is on off or on; the only one, where there is but one.

        Raises:
            RefusedError: It can't be switched off.
        """
        switches = self.switches()
        if not switches:
            raise RefusedError(wording.NO_SWITCHES)
        name = at.name if at is not None and at.name in switches else next(iter(switches)) if len(switches) == 1 else None
        if name is None:
            names = [f"${self.names.symbol(node)}$" for node in switches]
            raise RefusedError(wording.NO_SWITCH.fill(names=Text(", ".join(names), "、".join(names))))
        self.state = self.state.switched(switches[name][1])

    def _is_wanted(self, offered: Offered) -> bool:
        swapped, named = offered.swapped, self.scene.mistakes
        return not named or swapped.mistake in named or f"{swapped.node} {swapped.mistake}" in named

    def _offered(self, at: At | None) -> tuple[Offered, ...]:
        if self.frame is None:
            return ()
        kept = tuple(each for each in self.frame.mistakes if self._is_wanted(each) and self.node(each.swapped.node))
        here = tuple(each for each in kept if at is not None and each.swapped.node == at.name)
        return here or kept

    def mistake(self, at: At | None) -> Offered | None:
        """Swap in the next mistake, or none after the last; return it.

        Raises:
            RefusedError: There is none.
        """
        offered = self._offered(at)
        if not offered:
            raise RefusedError(wording.NO_MISTAKES)
        keys = [each.swapped for each in offered]
        place = keys.index(self.state.mistake) + 1 if self.state.mistake in keys else 0
        chosen = offered[place] if place < len(offered) else None
        self.state = replace(self.state, mistake=chosen.swapped if chosen else None)
        return chosen

    def next_look(self) -> Look:
        """Go to the next thing to look for, and make its change."""
        self.look = (self.look + 1) % len(self.scene.looks)
        look = self.scene.looks[self.look]
        self.state = looked_at(self.start, look)
        return look

    def reset(self) -> None:
        """Put everything back."""
        self.state = self.start
        self.walked = None

    def turn_view(self, name: str) -> None:
        """Draw a value in the next way."""
        row = self.is_input(name) and name in self.scene.dials and rank_of(self.state.value(name)) == 1
        views = [view for view in View if view is not View.SLIDERS or row]
        self.views[name] = views[(views.index(self.views.get(name, View.NUMBERS)) + 1) % len(views)]

    # Walking

    @property
    def path(self) -> tuple[tuple[At, CellLines], ...]:
        """The computed cells in the order in which they are worked out."""
        if self.frame is None:
            return ()
        explained = self.frame.explained
        return tuple((At(node.name, cell.index), cell) for node in self.nodes for cell in explained.get(node.name, ()))

    def lines(self, at: At) -> CellLines | None:
        """Return the lines of a cell."""
        return next((cell for place, cell in self.path if place == at), None)

    def step(self, name: str) -> Step | None:
        """Return a node as a worked step with all its lines; None where there are none."""
        node = self.node(name)
        cells = [cell for at, cell in self.path if at.name == name]
        if node is None or not cells:
            return None
        lines = tuple(line for cell in cells for line in cell.lines)
        return Step(name, node.title, node.formula, node.reason, lines, node.shown, node.section)

    def walk(self, step: int) -> At | None:
        """Go to the next cell or the one before; None behind either end."""
        path = self.path
        if not path:
            raise RefusedError(wording.NO_LINES)
        self.walked = (self.walked + step) if self.walked is not None else 0 if step > 0 else -1
        if self.walked >= len(path):
            self.walked = None
            raise RefusedError(wording.END)
        if self.walked < 0:
            self.walked = None
            return None
        return path[self.walked][0]

    def _hidden(self, name: str) -> frozenset[tuple[int, ...]] | None:
        """Return the cells of a node that are not reached yet; None for all of them."""
        if self.walked is None:
            return frozenset()
        path = self.path
        if any(at.name == name for at, _ in path):
            return frozenset(at.index for at, _ in path[self.walked + 1 :] if at.name == name)
        order = [node.name for node in self.nodes]  # a node that can't be worked out comes up with the one before it
        return None if order.index(name) > order.index(path[self.walked][0].name) else frozenset()

    @property
    def unreached(self) -> frozenset[str]:
        """The nodes that are not reached yet, or not wholly."""
        return frozenset(node.name for node in self.nodes if self._hidden(node.name) != frozenset())

    # Drawing

    def given(self) -> tuple[Block, ...]:
        """Return the inputs as blocks."""
        return tuple(map(self._input, self.inputs))

    def _input(self, name: str) -> Block:
        value = self.state.value(name)
        table: Any = table_of(value) if not isinstance(value, Shape) else tuple(map(str, value.dimensions))
        labels = self.scene.labels.get(name)
        return Block(
            name,
            same(f"${self.names.symbol(name)}$ ="),
            table,
            self.views.get(name, View.NUMBERS),
            floats(value),
            labels.rows if labels else (),
            labels.columns if labels else (),
            note=self.scene.notes.get(name, _NO_NOTE),
            changed=self.changed.get(name, frozenset()),
            slider=self._place(name, value),
            sliders=tuple(self._place(name, part) for part in value) if isinstance(value, tuple) else (),
        )

    def _place(self, name: str, value: Nested | Shape) -> float | None:
        dial = self.scene.dials.get(name)
        if dial is None or isinstance(value, tuple | Shape) or name in self.scene.fixed or not is_finite(value):
            return None
        knob = dial.slider
        least, most, here = to_float(knob.least), to_float(knob.most), to_float(value)
        if knob.times is not None:
            least, most, here = math.log(least), math.log(most), math.log(max(here, 1e-9))
        return min(1.0, max(0.0, (here - least) / (most - least))) if most > least else None

    def worked(self) -> tuple[Block, ...]:
        """Return the nodes as blocks."""
        return tuple(map(self._node, self.nodes))

    def _node(self, node: Node) -> Block:
        labels = self.scene.labels.get(node.name)
        mistake = self.state.mistake
        wrong = mistake is not None and mistake.node == node.name
        view = self.views.get(node.name, View.NUMBERS)
        drawn_as_it_is = view is View.NUMBERS or node.numbers is None or isinstance(node.shown, str)
        formula = node.formula.removesuffix(f" = {node.shown}")  # or it would say: passes = 1 = 1
        return Block(
            node.name,
            same(f"${formula}$" + (" =" if drawn_as_it_is else "")),
            node.shown,
            view,
            node.numbers,
            labels.rows if labels else (),
            labels.columns if labels else (),
            ("q", "k") if "softmax" in node.formula else ("", ""),
            sign="✗ " if wrong else "○ " if node.name in self.state.off else "",
            note=same(code) if (code := self.scene.code.get(node.name)) else self.scene.notes.get(node.name, _NO_NOTE),
            changed=self.changed.get(node.name, frozenset()),
            hidden=self._hidden(node.name) if node.numbers is not None else frozenset(),
        )

    def switched_off(self) -> tuple[Text, ...]:
        """Return what is switched off."""
        switches = self.switches()
        return tuple(switches[name][0] for name in switches if name in self.state.off)

    def troubles(self) -> tuple[Text, ...]:
        """Return what can't be computed, in words."""
        if self.frame is None:
            return ()
        return tuple(dict.fromkeys(node.message for node in self.frame.nodes if node.message is not None))


def floats(value: Nested | Shape) -> Any:
    """Return an input as floats."""
    if isinstance(value, Shape):
        return None
    if isinstance(value, tuple):
        return [floats(part) for part in value]
    try:
        return to_float(value)
    except NotANumberError:
        return math.nan


def _differing(old: Any, new: Any, index: tuple[int, ...] = ()) -> Sequence[tuple[int, ...]]:
    """Return the cells that differ; all of them where the shape does."""
    if isinstance(new, tuple):
        parts = old if isinstance(old, tuple) and len(old) == len(new) else (None,) * len(new)
        return [at for place, part in enumerate(new) for at in _differing(parts[place], part, (*index, place))]
    return [] if old == new else [index]
