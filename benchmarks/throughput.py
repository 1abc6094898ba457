"""Problems rebuilt from their codes, solved, and graded: right, per second, and wrong, where every mistake is tried."""

from __future__ import annotations

from statistics import median
from time import process_time

from benchmarks.figures import Figure, Report, Table, Unit, at_least, at_most, number
from benchmarks.options import Options
from benchmarks.sampling import levels, offered, right_answers, wrong_answers

PROBLEMS = 40
"""Of each drill and level."""

ANSWERED_WRONG = 8
"""Of each drill and level, with answers that no mistake gives."""

ROUNDS = 3
SLOWEST = 10
"""Drills and levels listed."""


def _seconds(codes: list[tuple[str, list[str | None]]]) -> float:
    """Return how long it takes to rebuild, solve and grade these; none of them has been solved before."""
    from question_bank import problem
    from solvers.grading import grade
    from solvers.scenario import solved
    from solvers.verdict import Outcome

    solved.cache_clear()
    start = process_time()
    outcomes = [grade(problem(code), answers).outcome for code, answers in codes]
    taken = process_time() - start
    assert all(outcome is Outcome.RIGHT for outcome in outcomes)
    return taken


def _wrong_seconds(codes: list[tuple[str, list[str | None]]]) -> float:
    """Return how long it takes to rebuild, solve and grade a problem with every part wrong: the median of several."""
    from question_bank import problem
    from solvers.grading import grade
    from solvers.scenario import solved

    taken = []
    for code, answers in codes:
        solved.cache_clear()
        start = process_time()
        grade(problem(code), answers)
        taken.append(process_time() - start)
    return median(taken)


def measure(_options: Options) -> Report:
    """Take the same number of distinct problems of each drill and level; best of three rounds for each."""
    found, wrong = [], []
    for drill, level in levels():
        codes = [(given.code, right_answers(given)) for given in offered(drill, level, PROBLEMS)]
        put_off = [(given.code, wrong_answers(given)) for given in offered(drill, level, ANSWERED_WRONG)]
        wrong.append((_wrong_seconds(put_off), drill, level))
        found.append((min(_seconds(codes) for _ in range(ROUNDS)) / len(codes), len(codes), drill, level))
    total, count = sum(each * codes for each, codes, *_ in found), sum(codes for _, codes, *_ in found)
    slowest, slowest_wrong = sorted(found, reverse=True)[:SLOWEST], sorted(wrong, reverse=True)[:SLOWEST]
    worst, of, at = slowest_wrong[0]
    return Report(
        "problems rebuilt from their codes, solved and graded right, one after the other",
        f"{PROBLEMS} distinct problems of each drill and level, {count} in all, new to the cache. Processor time, best of "
        f"{ROUNDS} rounds.",
        (
            Figure("over all drills and levels", count / total, Unit.PER_SECOND, at_least(1000)),
            Figure("drills and levels that reach 1,000/s alone", sum(each <= 1e-3 for each, *_ in found), Unit.COUNT),
            Figure("of", len(found), Unit.COUNT),
            Figure(
                "with every part wrong, the slowest drill",
                worst * 1e3,
                Unit.MILLISECONDS,
                at_most(20),
                f"{of}, level {at}",
            ),
            Figure("likewise, the median", median(each for each, *_ in wrong) * 1e3, Unit.MILLISECONDS),
        ),
        (
            Table(
                ("slowest", "level", "each", "rate"),
                tuple(
                    (drill, str(level), number(each * 1e3, Unit.MILLISECONDS), number(1 / each, Unit.PER_SECOND))
                    for each, _, drill, level in slowest
                ),
            ),
            Table(
                ("slowest wrong", "level", "each"),
                tuple((drill, str(level), number(each * 1e3, Unit.MILLISECONDS)) for each, drill, level in slowest_wrong),
            ),
        ),
    )
