"""How many seeds of each drill and level discriminate, and whether what is offered does."""

from __future__ import annotations

from benchmarks.figures import Figure, Report, Table, Unit, at_least
from benchmarks.options import Options
from benchmarks.sampling import levels, offered
from question_bank import Problem, verified

LEAST = 200
"""Discriminating seeds that every drill and level should have."""


def _is_excused(pair: frozenset[str], equal: frozenset[frozenset[str]]) -> bool:
    """Tell whether a pair is equal in principle: it is recorded, or one of the two is, as equal to the right answer."""
    return pair in equal or any(frozenset((f"right/{name.rpartition('/')[2]}", name)) in equal for name in pair)


def _discriminates(given: Problem) -> bool:
    from solvers.discriminating import is_trivial, meeting_pairs

    if is_trivial(given.program):
        return False
    equal = verified.equal(given.drill, given.level)
    meeting, _ = meeting_pairs(given.program)
    return all(_is_excused(pair, equal) for pair in meeting)


def measure(options: Options) -> Report:
    """Count the verified seeds, and examine some of their problems again."""
    counts: dict[str, dict[int, int]] = {}
    examined = good = 0
    bad = []
    for drill, level in levels():
        counts.setdefault(drill, {})[level] = len(verified.seeds(drill, level))
        for given in offered(drill, level, options.sample):
            examined += 1
            if _discriminates(given):
                good += 1
            else:
                bad.append(given.code)
    least = min(count for by_level in counts.values() for count in by_level.values())
    above = sum(count >= LEAST for by_level in counts.values() for count in by_level.values())
    total = sum(map(len, counts.values()))
    columns = sorted({level for by_level in counts.values() for level in by_level})
    return Report(
        f"seeds of the first {verified.SEEDS:,} that discriminate, and problems offered that do",
        f"Counted from the shipped lists; {examined:,} of the problems offered were examined again, evenly spread.",
        (
            Figure("fewest seeds of a drill and level", least, Unit.COUNT, at_least(LEAST)),
            Figure(f"drills and levels with at least {LEAST}", above, Unit.COUNT, at_least(total)),
            Figure(
                "of the problems examined, those that discriminate",
                100 * good / examined,
                Unit.PERCENT,
                at_least(100),
                ", ".join(bad[:5]) + (" …" if len(bad) > 5 else ""),
            ),
        ),
        (
            Table(
                ("seeds that discriminate, by level", *map(str, columns)),
                tuple((drill, *(str(by_level.get(level, "")) for level in columns)) for drill, by_level in counts.items()),
            ),
        ),
    )
