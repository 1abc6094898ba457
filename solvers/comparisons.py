"""The worked step of a comparison: what each line of a listing gives, and beside it what it should give."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from question_bank.math import to_unicode
from question_bank.program import Call
from question_bank.text import Text
from solvers.display import way_number
from solvers.operations import OPERATIONS
from solvers.operations.base import symbol
from solvers.operations.listings import pairs
from solvers.steps import Step, SubStep

RIGHT_SO_FAR = Text("these lines give what they should", "这几行的结果是对的")
FIRST = Text(
    "line {n} is the first that doesn't: what it gives, and what it should give",
    "第 {n} 行最先出错：先是它的结果，后是正确结果",
)
LATER = Text("later lines: what they give, and what they should give", "后面各行：先是现在的结果，后是正确结果")
SOUND = Text("later lines that give what they should", "后面各行中，结果正确的")


def compared(line: Call, environment: Mapping[str, Any], first: Any, write: Callable[[Any], str]) -> Step:
    """Write the step of a call that compares.

    Args:
        line: The call.
        environment: The value, or the shape, of every node.
        first: The number of the first pair that differs.
        write: Writes a value, or a shape, on one line.
    """
    substeps = []
    for number, (given, right) in enumerate(pairs(line.arguments), 1):
        explanation = RIGHT_SO_FAR if number < first else FIRST.fill(n=number) if number == first else LATER
        shown, meant = write(environment[given]), write(environment[right])
        alike = shown == meant and number != first
        if alike and number > first:
            explanation = SOUND
        substeps.append(SubStep(to_unicode(symbol(given)), explanation, "", shown))
        if not alike:
            substeps.append(SubStep(to_unicode(symbol(right)), explanation, "", meant))
    operation = OPERATIONS[line.operation]
    return Step(line.node, operation.title, operation.formula(line), operation.reason, tuple(substeps), way_number(first))
