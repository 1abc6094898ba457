"""One operation at a time: every route to its value, its mistakes by hand and in torch, and the lines that are shown."""

from __future__ import annotations

from typing import Any

import numpy as np

from question_bank.program import AnswerFormat, Ask, Call, Kind, Nested, Program, Shape, shape_of
from solvers import run, worked
from solvers.mistakes import slips
from tests.solvers import program_reference
from tests.solvers.arithmetic import evaluate, half_unit, shown

DEEP = (Kind.NUMBER, Kind.VECTOR, Kind.MATRIX)


def asking(line: Call, depth: int, **inputs: Nested) -> Program:
    """A program of one call that asks for the whole result, which has as many axes as said."""
    return Program(tuple(inputs.items()), (line,), (Ask(line.node, AnswerFormat(DEEP[depth], decimals=4)),))


def near(found: Any, expected: Any, message: str = "") -> None:
    np.testing.assert_allclose(np.array(found, dtype=float), expected, rtol=0, atol=1e-9, equal_nan=True, err_msg=message)


def _evaluated(value: Any) -> Any:
    return [_evaluated(part) for part in value] if isinstance(value, list) else float(value.evalf(30))


def value(program: Program) -> Any:
    """The asked node in torch, having made sure that all other routes, and the shapes alone, agree."""
    node = program.asks[0].node
    found = run.values(program)[node].numpy()
    for other in (program_reference.run(program)[node], run.replay(program, None)[node], _evaluated(run.exact(program)[node])):
        near(other, found)
    sized = {name: Shape(shape_of(given)) if isinstance(given, tuple) else given for name, given in program.inputs}
    assert run.shapes(program.with_inputs(**sized))[node] == found.shape
    for line in (line for step in worked.work(program) for line in step.substeps if line.expression):
        for side in line.expression.split(" = ") if "…" not in line.expression else ():
            low, high = evaluate(side)
            open_by = 1.1 * half_unit(line.result)
            assert low - open_by <= shown(line.result) <= high + open_by or low != low, line
    return found


def wrong(program: Program) -> dict[str, Any]:
    """What each mistake gives, having made sure that torch and the calculation by hand agree on it."""
    found = {}
    for slip in slips(program, 0):
        if slip.mistake.startswith("ask."):
            continue
        try:
            (result,) = run.answers(slip.program)
        except (run.RunError, ValueError):
            continue
        by_hand = run.replay(slip.program, None)[slip.program.asks[0].node]
        near(by_hand, np.array(result), slip.mistake)
        found[slip.mistake] = np.array(result)
    return found
