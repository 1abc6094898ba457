"""Problems that the sections work on: verified ones, spread over the seeds."""

from __future__ import annotations

import re
from collections.abc import Iterator

from question_bank import Problem, problem, verified
from question_bank.drills import DRILLS


def levels() -> Iterator[tuple[str, int]]:
    """Yield every drill and level."""
    return ((drill.id, level) for drill in DRILLS.values() for level in drill.levels)


def offered(drill: str, level: int, most: int | None = None) -> list[Problem]:
    """Return problems that are offered to a person, evenly spread over the verified seeds.

    Args:
        drill: The drill's id.
        level: The level.
        most: How many at most; None for all.
    """
    seeds = verified.seeds(drill, level)
    step = 1.0 if most is None else max(1.0, len(seeds) / most)
    chosen = (seeds[int(place * step)] for place in range(int(len(seeds) / step)))
    return [problem(drill, level, seed) for seed in chosen]


def right_answers(given: Problem) -> list[str | None]:
    """Return what is right, as it is displayed, part by part."""
    from solvers.grading import grade

    verdict = grade(given, [None] * len(given.program.asks))
    return [part.expected.en for part in verdict.parts]


def wrong_answers(given: Problem) -> list[str | None]:
    """Return what no mistake gives, so that every one is tried: the right answers with each number put off, part by part."""
    return [None if right is None else re.sub(r"-?\d+(\.\d+)?", _put_off, right) for right in right_answers(given)]


def _put_off(number: re.Match[str]) -> str:
    decimals = len((number[1] or ".")[1:])
    return f"{1.37 * float(number[0]) + 11.613:.{decimals}f}"
