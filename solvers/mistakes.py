"""Which catalogued mistakes apply to a part of a program, and what each would give."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from question_bank.program import Ask, Asked, Kind, Program
from question_bank.text import Text
from solvers.operations import OPERATIONS
from solvers.operations.base import Edited, Mistake, symbol


@dataclass(frozen=True, slots=True)
class Slip:
    """A mistake made at one line of a program.

    Attributes:
        mistake: Its id.
        sentence: What the person did, filled in, without a full stop.
        node: The node that comes out wrong first.
        program: The edited program, which asks the one part looked at.
        local: Whether the line lies between this part and the parts asked before it.
    """

    mistake: str
    sentence: Text
    node: str
    program: Program
    local: bool = True


def slips(program: Program, part: int) -> Iterator[Slip]:
    """List the mistakes of the operations that a part depends on, those nearest to the part last run first.

    Args:
        program: The program.
        part: Which of its asks, from 0.
    """
    ask = program.asks[part]
    asked_before = [other.node for other in program.asks[:part]]
    known = {line.node for line in program.needed(*asked_before)} if asked_before else set()
    known -= {ask.node}
    for line in reversed(program.needed(ask.node)):
        for mistake in OPERATIONS[line.operation].mistakes:
            for edited in mistake.edit(program, line, ask):
                yield _slip(mistake, line.node, edited, local=line.node not in known)
    for mistake in _ASK_MISTAKES:
        for edited in mistake.edit(program, program.lines[ask.node], ask) if ask.node in program.lines else ():
            yield _slip(mistake, ask.node, edited, local=True)


def _slip(mistake: Mistake, node: str, edited: Edited, *, local: bool) -> Slip:
    return Slip(mistake.id, mistake.sentence.fill(**dict(edited.fills)), node, edited.program, local)


def _other_rows(program: Program, _line: object, ask: Ask) -> Iterator[Edited]:
    """Edit: another row of the right matrix is given."""
    if ask.asked is Asked.SHAPE or ask.format.kind is not Kind.VECTOR or len(ask.index) != 1 or ask.node not in program.lines:
        return
    for row in range(MOST_ROWS):
        if row != ask.index[0]:
            yield Edited(
                replace(program, asks=(replace(ask, index=(row,)),)),
                (("given", str(row + 1)), ("asked", str(ask.index[0] + 1))),
            )


MOST_ROWS = 6
"""Rows of a matrix that are looked at for having been given in place of another."""

_ASK_MISTAKES = (
    Mistake(
        "ask.other-row",
        Text("You gave row {given} instead of row {asked}", "要的是第 {asked} 行，你给的是第 {given} 行"),
        _other_rows,
    ),
)


def value_symbol(node: str) -> str:
    """Write a node's name as inline math."""
    return f"${symbol(node)}$"
