"""One call of ``grade``: right, and wrong with every mistake tried."""

from __future__ import annotations

from itertools import cycle
from statistics import median

from benchmarks.figures import Figure, Report, Unit, at_most
from benchmarks.options import Options
from benchmarks.sampling import offered, right_answers
from benchmarks.timing import call_seconds, output
from question_bank import Problem

DRILL, LEVEL = "softmax-row", 2
WRONG = "0.111 0.222 0.333"
"""What no mistake gives: all of them are tried."""

RIGHT_MILLISECONDS = 0.1
WRONG_MILLISECONDS = 1.0

_COLD = """
import time
start = time.perf_counter()
from question_bank import problem
from solvers.grading import grade
grade(problem({code!r}), [{answer!r}])
print(time.perf_counter() - start)
"""


def _new_each_time(problems: list[Problem], answers: list[list[str | None]]) -> float:
    """Return the median time of a call on a problem that hasn't been solved before."""
    from solvers.grading import grade
    from solvers.scenario import solved

    solved.cache_clear()
    turn = cycle(zip(problems, answers, strict=True))

    def one() -> None:
        given, typed = next(turn)
        grade(given, typed)

    # Once around only: then every problem is a new one.
    return call_seconds(one, repeats=len(problems))


def measure(options: Options) -> Report:
    """Grade one problem again and again, then many problems once each, then one in a new process."""
    from solvers.grading import grade
    from solvers.scenario import solved
    from solvers.verdict import Outcome

    problems = offered(DRILL, LEVEL, 200)
    right = [right_answers(given) for given in problems]
    wrong: list[list[str | None]] = [[WRONG]] * len(problems)
    one, answer = problems[0], right[0]
    assert grade(one, answer).outcome is Outcome.RIGHT
    assert grade(one, wrong[0]).outcome is Outcome.WRONG
    mistakes = len(solved(one.program).slips(0))
    known_right = call_seconds(lambda: grade(one, answer), repeats=1000)
    known_wrong = call_seconds(lambda: grade(one, wrong[0]), repeats=300)
    new_right = median(_new_each_time(problems, right) for _ in range(3))
    new_wrong = median(_new_each_time(problems, wrong) for _ in range(3))
    cold_runs = min(options.runs, 5)
    cold = median(float(output(["-c", _COLD.format(code=one.code, answer=answer[0])])) for _ in range(cold_runs))
    torch = median(
        float(output(["-c", "import time; start = time.perf_counter(); import torch; print(time.perf_counter() - start)"]))
        for _ in range(cold_runs)
    )
    return Report(
        "one call of grade on a vector of three",
        f"{DRILL}, level {LEVEL}; right as displayed, and wrong so that all {mistakes} mistakes are tried. Known: the problem "
        "was graded before, as when a person answers a second time. New: each problem once. Processor time, "
        "medians of single calls.",
        (
            Figure("right, problem known", known_right * 1e3, Unit.MILLISECONDS, at_most(RIGHT_MILLISECONDS)),
            Figure("right, problem new", new_right * 1e3, Unit.MILLISECONDS, at_most(RIGHT_MILLISECONDS)),
            Figure("wrong, problem known", known_wrong * 1e3, Unit.MILLISECONDS, at_most(WRONG_MILLISECONDS)),
            Figure("wrong, problem new", new_wrong * 1e3, Unit.MILLISECONDS, at_most(WRONG_MILLISECONDS)),
            Figure("the first in a process, imports included", cold * 1e3, Unit.MILLISECONDS),
            Figure("import torch, in a process of its own", torch * 1e3, Unit.MILLISECONDS),
        ),
    )
