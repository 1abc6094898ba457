"""What a lab shows of its program at one moment. Plain frozen data; needs neither torch nor the operations."""

from __future__ import annotations

from dataclasses import dataclass

from question_bank.labs.state import Index, LabState, Swapped
from question_bank.text import Text
from solvers.hand import Array
from solvers.steps import SubStep, Table


@dataclass(frozen=True, slots=True)
class Node:
    """One computed node.

    Attributes:
        name: Its name in the program.
        title: What is done.
        formula: The line as a formula, in LaTeX without dollar signs.
        shape: Its shape.
        shown: Its value as displayed; its shape, where only that is known; a dash, where it can't be computed.
        numbers: Its value as floats; None where there is none.
        reason: Why the step is done.
        section: The lesson that explains it; empty where there is none.
        message: What went wrong at it, in words.
    """

    name: str
    title: Text
    formula: str
    shape: tuple[int, ...]
    shown: Table
    numbers: Array | None
    reason: Text
    section: str
    message: Text | None = None


@dataclass(frozen=True, slots=True)
class Offered:
    """A mistake that can be swapped in."""

    swapped: Swapped
    sentence: Text


@dataclass(frozen=True, slots=True)
class CellLines:
    """How one cell is computed: the lines that lead to it since the cell before."""

    index: Index
    lines: tuple[SubStep, ...]


@dataclass(frozen=True, slots=True)
class Frame:
    """Everything that follows from a state.

    Attributes:
        state: The state.
        nodes: The computed nodes, in order.
        mistakes: The mistakes that can be swapped in now, in the order of the program.
        explained: For each node that was to be explained, and can be, its cells in the order in which they are worked out.
    """

    state: LabState
    nodes: tuple[Node, ...]
    mistakes: tuple[Offered, ...]
    explained: dict[str, tuple[CellLines, ...]]

    def node(self, name: str) -> Node | None:
        """Return a node by its name."""
        return next((node for node in self.nodes if node.name == name), None)

    @property
    def mistake(self) -> Offered | None:
        """The mistake that is made."""
        return next((offered for offered in self.mistakes if offered.swapped == self.state.mistake), None)


def frame_of(state: LabState, explain: tuple[str, ...] = ()) -> Frame:
    """Run a state; call it where torch is.

    Args:
        state: What to run.
        explain: Nodes that are worked out cell by cell.
    """
    from solvers.labs import frame

    return frame(state, explain)


def sentence_of(start: LabState, now: LabState, says: Text) -> Text:
    """Put the numbers into a sentence about a state; call it where torch is."""
    from solvers.labs import sentence

    return sentence(start, now, says)
