"""Following through: which earlier answers of the learner a later part may have been computed from."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from question_bank.exact import Exact, NotANumberError, to_float
from question_bank.program import Ask, Asked, Kind, Shape
from solvers import run
from solvers.comparing import dimensions_of
from solvers.display import YES
from solvers.hand import Array
from solvers.mistakes import Slip
from solvers.reading.model import Answer
from solvers.scenario import Scenario, Solved, same_shape
from solvers.symbolic import typed_sizes
from solvers.verdict import Outcome

MOST_RANK = 8
"""Dimensions of a typed shape that later parts may follow from; a longer one is nonsense."""

MOST_ELEMENTS = 2**50
"""Numbers in a tensor of a typed shape that later parts may follow from."""


@dataclass(frozen=True, slots=True)
class Earlier:
    """An earlier part: what was read of it, what became of it, and the mistake recognised.

    Attributes:
        ask: What was asked.
        answer: What was read; None where nothing could be.
        outcome: What became of it.
        slip: The mistake recognised in it.
        origins: The wrong parts that it follows from, where it is right after a slip.
    """

    ask: Ask
    answer: Answer | None
    outcome: Outcome
    slip: Slip | None = None
    origins: tuple[int, ...] = ()

    @property
    def wrong(self) -> bool:
        """Tell whether a later part may follow from it as from a slip."""
        return self.outcome in (Outcome.WRONG, Outcome.KNOWN_MISTAKE)


@dataclass(frozen=True, slots=True)
class Way:
    """A way of following through.

    Attributes:
        scenario: The program with what stands in for computed values.
        origins: The wrong earlier parts that the result comes from; none where all that went in is right.
    """

    scenario: Scenario
    origins: tuple[int, ...]


Own = dict[int, tuple[tuple[str, tuple[int, ...]], Array]]
"""The learner's own values by the number of the part, each with the node and index that it stands for."""


def overrides(own: Own) -> run.Overrides:
    """Return own values in the form in which a program is run with them."""
    return dict(own.values())


def own_values(true: Solved, earlier: Sequence[Earlier], *, wrong_only: bool = False) -> Own:
    """Return the learner's own values so far.

    Args:
        true: The program as it is meant.
        earlier: The parts before.
        wrong_only: Whether to leave out those that are right, and those rightly computed from a slip.
    """
    own: Own = {}
    for number, one in enumerate(earlier):
        if one.answer is None or one.outcome is Outcome.UNREADABLE or (wrong_only and not one.wrong):
            continue
        value = _value(true, number, one.ask, one.answer)
        if value is not None:
            own[number] = (one.ask.node, one.ask.index), value
    return own


def _value(true: Solved, number: int, ask: Ask, answer: Answer) -> Array | None:
    """Return what stands in for a node; None where nothing can."""
    if ask.format.kind is Kind.ORDER:
        return None
    if ask.asked is Asked.SHAPE:
        sizes = tuple(int(cell.value) for cell in answer.cells if isinstance(cell.value, int))
        if ask.format.kind is Kind.NAMED_SHAPE:
            sizes = tuple(int(size) for size in typed_sizes(answer.word, ask.format))
        return Shape(sizes) if true.environment[ask.node].is_meta and _is_possible(sizes) else None
    if ask.format.kind is Kind.YES_NO:
        return float(answer.word == YES)
    shape = dimensions_of(true.results[number])
    if not same_shape(answer.dimensions, shape):
        return None
    try:
        return _nested([cell.value for cell in answer.cells], shape)
    except NotANumberError:
        return None  # beyond the largest float: nothing follows from it


def _is_possible(sizes: tuple[int, ...]) -> bool:
    return 0 < len(sizes) <= MOST_RANK and min(sizes) > 0 and math.prod(sizes) <= MOST_ELEMENTS


def _nested(numbers: Sequence[Exact], shape: tuple[int, ...]) -> Array:
    if not shape:
        return to_float(numbers[0])
    size = len(numbers) // shape[0]
    return [_nested(numbers[start : start + size], shape[1:]) for start in range(0, len(numbers), size)]


def ways(true: Solved, earlier: Sequence[Earlier], ask: Ask) -> Iterator[Way]:
    """Yield the three ways of following through: all own values, the wrong ones only, the recognised mistakes'."""
    program = replace(true.program, asks=(ask,))
    own = own_values(true, earlier)
    if own:
        yield Way(Scenario(program, overrides(own), true), origins(true, earlier, ask, own))
    wrong = own_values(true, earlier, wrong_only=True)
    met = origins(true, earlier, ask, wrong)
    if met and len(wrong) < len(own):
        yield Way(Scenario(program, overrides(wrong), true), met)
    for number, one in enumerate(earlier):
        if one.slip is not None:
            yield Way(Scenario(replace(one.slip.program, asks=program.asks), base=true), (number,))


def origins(true: Solved, earlier: Sequence[Earlier], ask: Ask, own: Own) -> tuple[int, ...]:
    """Walk back from a part to the own values that stand in for computed ones, and return the wrong parts met."""
    lines = true.program.lines
    found: set[int] = set()
    seen = {ask.node}
    waiting = [ask.node]
    while waiting:
        node = waiting.pop()
        for name in lines[node].arguments if node in lines else ():
            if name in seen:
                continue
            seen.add(name)
            standing = [number for number, ((other, _), _) in own.items() if other == name]
            for number in standing:
                found.update((number,) if earlier[number].wrong else earlier[number].origins)
            if not any(earlier[number].ask.index == () for number in standing):
                waiting.append(name)
    return tuple(sorted(found))
