"""How the inputs and nodes of a lab are written: a program names them by words, a person reads symbols."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from question_bank.labs.lab import Scene
from question_bank.labs.state import LabState
from question_bank.text import Language, Text, same
from quizapp.widgets.bilingual import written
from quizapp.widgets.matrices import symbol
from solvers.frames import CellLines, Frame, Node, Offered
from solvers.steps import SubStep

_NOTHING = Text("", "")


class Names:
    """The symbols and formulas of a scene."""

    def __init__(self, scene: Scene, start: LabState) -> None:
        """Take over what the scene says.

        Args:
            scene: Its symbols, formulas and notes.
            start: The program whose lines the formulas are for.
        """
        self._scene = scene
        self._lines = start.program.lines
        # A letter may stand in a formula for something else; a word is always the name.
        self._words = {word: latex for name, latex in scene.symbols.items() if "\\" in (word := symbol(name))}

    def symbol(self, name: str) -> str:
        """Write the name of an input or a node in LaTeX."""
        return self._scene.symbols.get(name) or symbol(name)

    def frame(self, frame: Frame) -> Frame:
        """Return a frame with everything in it written as the scene writes it."""
        if not (self._scene.symbols or self._scene.formulas or self._scene.notes):
            return frame
        kept = {name for name in self._scene.formulas if self._is_as_written(frame.state, name)}
        told = kept & set(self._scene.notes)  # of such a line the operation's own words don't speak
        return replace(
            frame,
            nodes=tuple(self._node(node, own=node.name in kept, told=node.name in told) for node in frame.nodes),
            mistakes=tuple(Offered(one.swapped, self._text(one.sentence)) for one in frame.mistakes),
            explained={name: self._cells(name, cells, told=name in told) for name, cells in frame.explained.items()},
        )

    def _is_as_written(self, state: LabState, name: str) -> bool:
        """Tell whether a formula still holds: the line stands as it did, and no mistake is made in it."""
        wrong = state.mistake is not None and state.mistake.node == name
        return not wrong and state.changed.lines.get(name) == self._lines[name]

    def _node(self, node: Node, *, own: bool, told: bool) -> Node:
        formula = f"{self.symbol(node.name)} = {self._scene.formulas[node.name]}" if own else self._latex(node.formula)
        message = node.message and self._text(node.message)
        node = replace(node, formula=formula, message=message)
        return replace(node, title=self._scene.notes[node.name], reason=_NOTHING, section="") if told else node

    def _cells(self, name: str, cells: tuple[CellLines, ...], *, told: bool) -> tuple[CellLines, ...]:
        return tuple(CellLines(cell.index, tuple(self._line(name, line, told=told) for line in cell.lines)) for cell in cells)

    def _line(self, name: str, line: SubStep, *, told: bool) -> SubStep:
        cell = line.cell
        if name in self._scene.symbols:
            cell = re.sub(rf"^{name}(?![A-Za-z_])", lambda _: self._plain(name), cell)
        return replace(line, cell=cell, explanation=_NOTHING if told else line.explanation)

    def _plain(self, name: str) -> str:
        return written(same(f"${self.symbol(name)}$"), Language.EN)

    def _latex(self, latex: str) -> str:
        return _replaced(latex, self._words)

    def _text(self, text: Text) -> Text:
        return Text(_replaced(text.en, self._words), _replaced(text.zh, self._words))


def _replaced(text: str, words: Mapping[str, str]) -> str:
    for word, latex in words.items():
        text = text.replace(word, latex)
    return text
