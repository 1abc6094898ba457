"""Worked steps of a listing held against what it should give: both beside each other, line by line."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from question_bank.math import to_unicode
from question_bank.program import PRIME, Call, Program
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

AS_IT_SHOULD_BE = Text("{title}: as it should be", "{title}：正确做法")
AS_IT_IS = Text("{title}: as the listing has it", "{title}：这份代码的做法")
PRIMES = Text(
    "A prime marks what a line should give: ${right}$ is what ${given}$ should be.",
    "带撇号的是正确结果：${right}$ 就是 ${given}$ 本应得到的值。",
)
GIVEN = Text(
    "What this listing computes; the last step holds it against what is right.",
    "这份代码算出来的结果，最后一步与正确结果对照。",
)


def compared(line: Call, environment: Mapping[str, Any], first: Any, write: Callable[[Any], str]) -> Step:
    """Write the step of a call that compares.

    Args:
        line: The call.
        environment: The value, or the shape, of every node.
        first: The number of the first pair that differs.
        write: Writes a value, or a shape, on one line.
    """
    substeps: list[SubStep] = []
    seen = set()
    for number, (given, right) in enumerate(pairs(line.arguments), 1):
        if (given, right) in seen:
            continue  # printed, after it has been looked at
        seen.add((given, right))
        shown, meant = write(environment[given]), write(environment[right])
        alike = shown == meant and number != first
        later = FIRST.fill(n=number) if number == first else SOUND if alike else LATER
        explanation = RIGHT_SO_FAR if number < first else later
        substeps.append(SubStep(to_unicode(symbol(given)), explanation, "", shown))
        if not alike:
            substeps.append(SubStep(to_unicode(symbol(right)), explanation, "", meant))
    operation = OPERATIONS[line.operation]
    return Step(line.node, operation.title, operation.formula(line), operation.reason, tuple(substeps), way_number(first))


def told_apart(steps: Sequence[Step], program: Program) -> tuple[Step, ...]:
    """Say of each step which side it is on, where a program computes a listing and what it should give."""
    compares = [line for line in program.calls if OPERATIONS[line.operation].compares]
    both = [pair for line in compares for pair in pairs(line.arguments)]
    listed = {line.node for line in program.needed(*(given for given, _ in both))}
    meant = {line.node for line in program.needed(*(right for _, right in both))}
    told = [
        replace(step, title=AS_IT_SHOULD_BE.fill(title=step.title))
        if step.node in meant - listed
        else _as_it_is(step, program.lines[step.node], [program.lines[node] for node in meant])
        if step.node in listed - meant
        else step
        for step in steps
    ]
    first = next((place for place, step in enumerate(steps) if step.node.endswith(PRIME)), None)
    if first is not None:  # what the mark means is said where it stands first
        right = steps[first].node
        marked = PRIMES.fill(right=symbol(right), given=symbol(right.removesuffix(PRIME)))
        told[first] = replace(told[first], reason=told[first].reason + marked)
    return tuple(told)


def _as_it_is(step: Step, line: Call, meant: Sequence[Call]) -> Step:
    """Mark a step of the listing; a formula that is written in the same way for the right way of computing is denied."""
    ways = [right.parameters for right in meant if right.operation == line.operation]
    written = {OPERATIONS[line.operation].formula(replace(line, parameters=way)) for way in ways}
    is_wrong = line.parameters not in ways and step.formula in written
    formula = step.formula.replace("=", r"\neq", 1) if is_wrong else step.formula
    return replace(step, title=AS_IT_IS.fill(title=step.title), formula=formula, reason=GIVEN)
