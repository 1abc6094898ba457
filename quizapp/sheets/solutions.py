"""The key: answers as displayed and worked steps, each problem worked out once however many people have it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from question_bank.problem import Problem
from solvers.steps import Step, Table


class Key(StrEnum):
    """How much of a key there is."""

    NONE = "none"
    ANSWERS = "answers"
    WORKED = "worked"


@dataclass(frozen=True, slots=True)
class Solution:
    """A problem's answers, and the steps that lead to them.

    Attributes:
        answers: The answer to each part, as displayed; typed back, each is right.
        steps: The worked steps; none where only the answers are wanted.
    """

    answers: tuple[str, ...]
    steps: tuple[Step, ...] = ()


Solver = Callable[[Problem], Solution]


def solver(key: Key) -> Solver:
    """Return a function that works problems out, and remembers them."""
    known: dict[Problem, Solution] = {}

    def solve(problem: Problem) -> Solution:
        if problem not in known:
            from solvers.worked import answers, work

            known[problem] = Solution(answers(problem), work(problem) if key is Key.WORKED else ())
        return known[problem]

    return solve


def nested(answer: str) -> Table:
    """Take the brackets of a displayed answer apart: ``[[1, 2], [3, 4]]`` is two rows of two numbers."""
    table, end = _nested(answer.strip(), 0)
    return table if end == len(answer.strip()) else answer


def _nested(text: str, at: int) -> tuple[Table, int]:
    if not text.startswith("[", at):
        end = at
        depth = 0
        while end < len(text) and (depth or text[end] not in ",]"):
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        return text[at:end].strip(), end
    parts: list[Table] = []
    at += 1
    while at < len(text) and text[at] != "]":
        part, at = _nested(text, at)
        parts.append(part)
        while at < len(text) and text[at] in ", ":
            at += 1
    return tuple(parts), at + 1
