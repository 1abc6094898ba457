"""Which catalogued mistakes apply to a part of a program, and what each would give."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from question_bank.program import Ask, Asked, Call, Kind, Program, call
from question_bank.text import Text
from solvers.operations import OPERATIONS
from solvers.operations.base import Edit, Edited, Mistake, symbol
from solvers.operations.listings import pairs


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


def sentence_of(mistake: str) -> Text | None:
    """Return the sentence of a catalogued mistake, its places unfilled, without a full stop; None for an unknown id."""
    return next((each.sentence for each in catalogued() if each.id == mistake), None)


def catalogued() -> Iterator[Mistake]:
    """Yield every catalogued mistake, once for each operation that has it."""
    for operation in OPERATIONS.values():
        yield from operation.mistakes
    yield from _ASK_MISTAKES


def slips(program: Program, part: int) -> Iterator[Slip]:
    """List the mistakes of the operations that a part depends on, those nearest to the part last run first.

    Args:
        program: The program.
        part: Which of its asks, from 0.
    """
    ask = program.asks[part]
    asked_before = [other.node for other in program.asks[:part]]
    known = {line.node for line in _worked_out(program, *asked_before)} if asked_before else set()
    known -= {ask.node}
    unedited = replace(program, asks=(ask,))
    if ask.asked is Asked.SHAPE and _compares(program):
        made: tuple[Call, ...] = ()  # read off code that stands there; and most mistakes would leave these shapes as they are
    else:
        made = _worked_out(program, ask.node)
    meant = _meant(program)
    for line in reversed(made):
        for mistake in OPERATIONS[line.operation].mistakes:
            for edited in mistake.edit(program, line, ask):
                undone = line.node in meant and edited.program.lines.get(line.node) == meant[line.node]
                if undone or edited.program == unedited:
                    continue  # a listing has just this mistake in it, or has it undone, which is looked at below
                yield _slip(mistake, line.node, edited, local=line.node not in known)
    for mistake in _ASK_MISTAKES:
        for edited in mistake.edit(program, program.lines[ask.node], ask) if ask.node in program.lines else ():
            yield _slip(mistake, ask.node, edited, local=True)


def _compares(program: Program) -> bool:
    return any(OPERATIONS[line.operation].compares for line in program.calls if line.operation in OPERATIONS)


def _meant(program: Program) -> dict[str, Call]:
    """Return, for the nodes of a listing that come out wrong, the calls that would be right there."""
    meant: dict[str, Call] = {}
    for compare in program.calls:
        if compare.operation in OPERATIONS and OPERATIONS[compare.operation].compares:
            given = {right: wrong for wrong, right in pairs(compare.arguments)}
            for right, wrong in given.items():
                if right != wrong and right in program.lines:
                    call_meant = program.lines[right]
                    arguments = tuple(given.get(name, name) for name in call_meant.arguments)
                    meant[wrong] = replace(call_meant, node=wrong, arguments=arguments)
    return meant


def _worked_out(program: Program, *nodes: str) -> tuple[Call, ...]:
    """Return the calls that a person makes for some nodes: what is only compared is there already."""
    wanted = set(nodes)
    made = []
    for line in reversed(program.calls):
        if line.node in wanted:
            made.append(line)
            if line.operation not in OPERATIONS or not OPERATIONS[line.operation].compares:
                wanted.update(line.arguments)
    return tuple(reversed(made))


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


def _other_power(power: int, name: str) -> Edit:
    """Edit: an order of growth has a power of one of its symbols too many, or too few."""

    def edit(program: Program, _line: Call, ask: Ask) -> Iterator[Edited]:
        if ask.format.kind is not Kind.ORDER:
            return
        for grown in ask.format.symbols:
            off = call(f"{ask.node} {name}", "times_power", ask.node, grown, power=power)
            edited = replace(program, calls=(*program.calls, off), asks=(replace(ask, node=off.node),))
            yield Edited(edited, (("symbol", symbol(grown)),))

    return edit


def _as_meant(program: Program, _line: Call, ask: Ask) -> Iterator[Edited]:
    """Edit: of a listing with a mistake in it, what it would give without."""
    for line in program.calls:
        if line.operation == "first_difference" and line.node != ask.node:
            for given, right in pairs(line.arguments):
                if given == ask.node != right:
                    meant = Call(ask.node, "same", (right,))
                    yield Edited(replace(program, asks=(ask,)).with_call(meant))
                    return


MOST_ROWS = 6
"""Rows of a matrix that are looked at for having been given in place of another."""

_ASK_MISTAKES = (
    Mistake(
        "ask.without-the-mistake",
        Text(
            "That is what the listing would give without its mistake, not what it gives as it stands",
            "这是改正错误之后的结果，而题目问的是这份代码现在的结果",
        ),
        _as_meant,
    ),
    Mistake(
        "ask.other-row",
        Text("You gave row {given} instead of row {asked}", "要的是第 {asked} 行，你给的是第 {given} 行"),
        _other_rows,
    ),
    Mistake(
        "ask.power-too-few",
        Text("Your order has one power of ${symbol}$ too few", "你写的复杂度里，${symbol}$ 的次数少了 1"),
        _other_power(-1, "too low"),
    ),
    Mistake(
        "ask.power-too-many",
        Text("Your order has one power of ${symbol}$ too many", "你写的复杂度里，${symbol}$ 的次数多了 1"),
        _other_power(1, "too high"),
    ),
)


def value_symbol(node: str) -> str:
    """Write a node's name as inline math."""
    return f"${symbol(node)}$"
