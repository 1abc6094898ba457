"""What is measured of a drill at a level: recognised mistakes, repeated problems, the look of its numbers, its time."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from time import process_time

from question_bank import Problem, problem, verified
from question_bank.exact import Exact, terminating, to_float
from question_bank.exact import show as written
from question_bank.program import Ask, Kind, Nested, Shape, cells
from solvers.display import show
from solvers.grading import grade
from solvers.mistakes import Slip
from solvers.run import RunError
from solvers.scenario import Scenario, solved
from solvers.verdict import Outcome
from solvers.worked import answers, work

FIRST = 200
"""Seeds of which no two should give the same problem."""


# Mistakes --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Typed:
    """The answer that a catalogued mistake gives, typed back.

    Attributes:
        code: The problem's code.
        mistake: The mistake's id.
        text: What was typed.
        named: The mistake that the verdict names, or its outcome where it names none.
        recognised: Whether that is the mistake itself.
    """

    code: str
    mistake: str
    text: str
    named: str
    recognised: bool


def mistaken(given: Problem) -> Iterator[tuple[int, Slip, str]]:
    """Yield each mistake that gives an answer, with its part and the answer as displayed.

    Of a problem of several parts, those mistakes count that are made since the part before.
    """
    for part, ask in enumerate(given.program.asks):
        for slip, scenario in solved(given.program).slips(part):
            text = _shown(scenario, ask, slip) if slip.local else None
            if text is not None:
                yield part, slip, text


_DECIMAL_UNITS = ("B", "kB", "MB", "GB")


def mixed_up_unit(slip: Slip) -> str | None:
    """Return the decimal unit in which a size is given that was worked out in the binary one; None for other mistakes."""
    line = slip.program.lines.get(slip.node)
    power = line.parameter("unit_power", 0) if line is not None else 0
    return _DECIMAL_UNITS[power] if isinstance(power, int) and power else None


def _shown(scenario: Scenario, ask: Ask, slip: Slip) -> str | None:
    """Return what a person types who makes the mistake; None where its shapes don't meet, or have a size without a letter."""
    try:
        text = show(scenario.results[0], ask.format)
        if (unit := mixed_up_unit(slip)) is not None and ask.format.kind is Kind.BYTES:
            size = scenario.expected(0)[0].value / 1000 ** _DECIMAL_UNITS.index(unit)
            text = f"{terminating(size)} {unit}" if terminating(size) else text
    except (RunError, ValueError):
        return None
    return None if ask.format.kind is Kind.NAMED_SHAPE and re.search(r"(?<![\w])\d", text) else text


def typed_back(given: Problem) -> Iterator[Typed]:
    """Type each mistake's answer back, and grade it; mistakes that can't be told apart in principle are left out."""
    right = list(answers(given))
    equal = verified.equal(given.drill, given.level)
    times: Counter[str] = Counter()
    for part, slip, text in mistaken(given):
        name = f"{slip.mistake}@{slip.node}"
        times[f"{name}/{part}"] += 1
        nth = times[f"{name}/{part}"]
        name = f"{name}#{nth}/{part}" if nth > 1 else f"{name}/{part}"
        verdict = grade(given, [*right[:part], text, *right[part + 1 :]]).parts[part]
        named = verdict.mistake or verdict.outcome.value
        if named == slip.mistake or not _equal_in_principle(name, named, part, equal):
            yield Typed(given.code, slip.mistake, text, named, named == slip.mistake)


def _equal_in_principle(name: str, named: str, part: int, equal: Iterable[frozenset[str]]) -> bool:
    if frozenset((f"right/{part}", name)) in equal:
        return True
    others = {other for pair in equal if name in pair for other in pair - {name}}
    return any(other.partition("@")[0] == named for other in others)


# Numbers ---------------------------------------------------------------------------------------------------------------

_DECIMALS = re.compile(r"(?<![\d.])\d*\.\d+")
_RUN = re.compile(r"0{5,}[1-9]|9{6,}")
MOST_DIGITS = 8
"""Significant digits of a number with decimals that is still read at a glance: 1234.5678, at four decimals."""


def ugly(text: str) -> list[str]:
    """Find numbers that nobody would write: ``1.0000000002``, ``0.2999999997``, or more decimals than anyone reads."""
    return [number for number in _DECIMALS.findall(text) if _is_ugly(number)]


def _is_ugly(number: str) -> bool:
    digits = number.replace(".", "").lstrip("0")
    return len(digits) > MOST_DIGITS or bool(_RUN.search(digits))


def displayed(given: Problem) -> Iterator[str]:
    """Yield what a person sees: the prompt, the inputs, the answers, the worked steps."""
    yield given.prompt.en
    yield from (written(number) for _, number in input_numbers(given))
    yield from answers(given)
    for step in work(given):
        for line in step.substeps:
            yield f"{line.expression} {line.result}"
        yield str(step.result)


def input_numbers(given: Problem) -> Iterator[tuple[str, Exact]]:
    """Yield the numbers that are given, with the names of their inputs; of a shape, its dimensions."""
    for name, value in given.program.inputs:
        nested: Nested = value.dimensions if isinstance(value, Shape) else value
        yield from ((name, number) for _, number in cells(nested))


def digits(number: Exact) -> int:
    """Count the digits that are written of a number: 3 of 2.05, 1 of −7, 2 of ln 12; none of −∞."""
    return sum(map(str.isdigit, written(number).lstrip("−0.")))


# A drill and level -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Measures:
    """What was measured of one drill and level.

    Attributes:
        verified: Seeds that are offered.
        examined: Problems that were looked at.
        typed: Mistakes typed back.
        failures: Those that were not recognised as themselves.
        distinct: Different problems among the first seeds that are offered.
        drawn_distinct: Different problems among the first seeds, offered or not.
        negative: Share of the numbers given that are negative.
        digits: Most digits of a number given.
        ugly: Numbers displayed that nobody would write.
        median: Seconds that sampling, solving and grading a problem takes.
        worst: The same for the slowest problem.
    """

    drill: str
    level: int
    verified: int
    examined: int
    typed: int
    failures: tuple[Typed, ...]
    distinct: int
    drawn_distinct: int
    negative: float
    digits: int
    ugly: tuple[str, ...]
    median: float
    worst: float

    @property
    def recognised(self) -> float:
        """Share of the mistakes that are recognised as themselves."""
        return 1 - len(self.failures) / self.typed if self.typed else 1.0


def sampled(drill: str, level: int, most: int | None) -> list[int]:
    """Return so many verified seeds, evenly spread over all of them; None for all."""
    seeds = verified.seeds(drill, level)
    if most is None or most >= len(seeds):
        return list(seeds)
    return [seeds[place * len(seeds) // most] for place in range(most)]


def measure(drill: str, level: int, most: int | None = 12) -> Measures:
    """Measure a drill at a level.

    Args:
        drill: The drill's id.
        level: The level.
        most: How many of its problems are looked at; None for all.
    """
    offered = verified.seeds(drill, level)
    seeds = sampled(drill, level, most)
    looked_at = [problem(drill, level, seed) for seed in seeds]
    typed = [one for given in looked_at for one in typed_back(given)]
    numbers = [number for given in looked_at for _, number in input_numbers(given)]
    seconds = times(drill, level, seeds)
    return Measures(
        drill,
        level,
        len(offered),
        len(looked_at),
        len(typed),
        tuple(one for one in typed if not one.recognised),
        distinct(drill, level, offered[:FIRST]),
        distinct(drill, level, range(FIRST)),
        negative(numbers),
        max(map(digits, numbers), default=0),
        tuple(number for given in looked_at for text in displayed(given) for number in ugly(text)),
        median(seconds),
        max(seconds),
    )


def distinct(drill: str, level: int, seeds: Iterable[int]) -> int:
    """Count the different problems that some seeds give."""
    return len({(given.prompt, given.program) for given in (problem(drill, level, seed) for seed in seeds)})


def negative(numbers: Sequence[Exact]) -> float:
    """Return which share of some numbers is negative; −∞ marks a masked cell and is no number here."""
    finite = [value for value in map(to_float, numbers) if abs(value) != float("inf")]
    return sum(value < 0 for value in finite) / len(finite) if finite else 0.0


def times(drill: str, level: int, seeds: Sequence[int], rounds: int = 2) -> list[float]:
    """Return how long it takes to sample, solve and grade each problem, new to the cache: the best of some rounds."""
    taken = []
    for seed in seeds:
        right = list(answers(problem(drill, level, seed)))
        best = float("inf")
        for _ in range(rounds):
            solved.cache_clear()
            start = process_time()
            outcome = grade(problem(drill, level, seed), right).outcome
            best = min(best, process_time() - start)
            assert outcome is Outcome.RIGHT
        taken.append(best)
    return taken
