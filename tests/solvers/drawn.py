"""Problems for tests of the engine: every drill at every level, by verified seeds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from question_bank import Problem, problem, verified
from question_bank.drills import DRILLS
from question_bank.program import Ask, Kind
from solvers.display import show
from solvers.mistakes import Slip
from solvers.run import RunError
from solvers.scenario import Scenario, solved
from solvers.verdict import PartVerdict, Verdict
from solvers.worked import answers

CASES = [(drill.id, level) for drill in DRILLS.values() for level in drill.levels]
"""Every drill at each of its levels."""

MANY = 200


def drawn(drill: str, level: int, count: int) -> Iterator[Problem]:
    """That many of the problems that are offered to people, spread over all of them."""
    seeds = verified.seeds(drill, level)
    step = max(1, len(seeds) // count)
    for seed in seeds[::step][:count]:
        yield problem(drill, level, seed)


@dataclass(frozen=True)
class Plausible:
    """A wrong answer to one part that a catalogued mistake gives."""

    part: int
    ask: Ask
    slip: Slip
    scenario: Scenario
    typed: str

    @property
    def name(self) -> str:
        """As the verified files name it."""
        return f"{self.slip.mistake}@{self.slip.node}/{self.part}"


def plausible(problem: Problem) -> Iterator[Plausible]:
    """Every catalogued mistake that can be made on the way from the part before to a part, with the answer it gives."""
    true = solved(problem.program)
    for part, ask in enumerate(problem.program.asks):
        for slip, scenario in true.slips(part):
            if slip.local:
                try:
                    typed = show(scenario.results[0], ask.format)
                except (RunError, ValueError):
                    continue  # the shapes don't meet: nobody gets a number this way
                if ask.format.kind is Kind.NAMED_SHAPE and not set(scenario.results[0]) <= set(ask.format.sizes):
                    continue  # a size that has no letter
                yield Plausible(part, ask, slip, scenario, typed)


def with_part(problem: Problem, part: int, typed: str | None) -> list[str | None]:
    """The right answers, but for one part."""
    typed_answers: list[str | None] = list(answers(problem))
    typed_answers[part] = typed
    return typed_answers


def both(verdict: Verdict | PartVerdict) -> Sequence[str]:
    """The message in both languages."""
    return verdict.message.en, verdict.message.zh
