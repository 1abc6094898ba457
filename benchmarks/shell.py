"""``quizapp check`` as a process, beside the import of torch that it can't do without."""

from __future__ import annotations

from benchmarks.figures import Figure, Report, Unit, at_most
from benchmarks.options import Options
from benchmarks.sampling import offered, right_answers
from benchmarks.timing import by_turns, process_seconds


def measure(options: Options) -> Report:
    """Run ``quizapp check`` and ``import torch`` by turns."""
    [given] = offered("softmax-row", 2, 1)
    [answer] = right_answers(given)
    assert answer is not None
    check = ["-m", "quizapp", "check", given.code, answer]
    nothing, torch, checked, listed = by_turns(
        options.runs,
        lambda: process_seconds(["-c", "pass"]),
        lambda: process_seconds(["-c", "import torch"]),
        lambda: process_seconds(check),
        lambda: process_seconds(["-m", "quizapp", "list", "drills"]),
    )
    return Report(
        "the shell command beside python -c 'import torch'",
        f"From process start to its end, {options.runs} runs by turns, medians. quizapp check {given.code} '{answer}'.",
        (
            Figure("python -c pass", nothing * 1e3, Unit.MILLISECONDS),
            Figure("python -c 'import torch'", torch * 1e3, Unit.MILLISECONDS),
            Figure("quizapp check", checked * 1e3, Unit.MILLISECONDS),
            Figure("quizapp check, beside import torch", checked / torch, Unit.RATIO, at_most(1.3)),
            Figure("quizapp list drills, which needs no torch", listed * 1e3, Unit.MILLISECONDS),
        ),
    )
