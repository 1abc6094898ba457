"""Time from the start of the process to the first question on the terminal."""

from __future__ import annotations

import re
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks import hello
from benchmarks.figures import Figure, Report, Unit, at_most
from benchmarks.options import Options
from benchmarks.terminal import Terminal
from question_bank import Problem, problem
from question_bank.drills import DRILLS

HOME = "Check a result of your own"
"""The last line of home that says something: when it's there, everything above it is."""


def first_problem() -> Problem:
    """Return a problem of the drill that home offers first."""
    drill = next(iter(DRILLS.values()))
    return problem(drill.id, drill.levels[0], 0)


def first_words(given: Problem) -> str:
    """Return the words with which every prompt of a drill begins."""
    found = re.match(r"[A-Za-z]+(?: [A-Za-z]+)*", given.prompt.en)
    assert found is not None
    return found[0]


def measure(options: Options) -> Report:
    """Start a hello-world and the application by turns."""
    prompt = first_words(first_problem())
    memory = []

    def hello_world() -> float:
        with TemporaryDirectory() as home, Terminal(Path(home), "-m", hello.__name__) as terminal:
            return terminal.wait_for(hello.GREETING) - terminal.started

    def application() -> tuple[float, float]:
        with TemporaryDirectory(ignore_cleanup_errors=True) as home:
            with Terminal(Path(home), "-m", "quizapp") as terminal:
                painted = terminal.wait_for(HOME) - terminal.started
                terminal.press("\r")
                asked = terminal.wait_for(prompt) - terminal.started
            memory.append(terminal.memory)
        return painted, asked

    hello_world()
    application()
    taken = [(hello_world(), *application()) for _ in range(options.runs)]
    greeted, painted, asked = (median(column) for column in zip(*taken, strict=True))
    return Report(
        "time from process start to the first question on the terminal",
        f"80 × 24 pseudo-terminal, an empty home each time, {options.runs} runs by turns, medians. The first question is home, "
        "which offers it on its first line; then Enter is pressed there, until the problem's prompt stands.",
        (
            Figure("Textual hello-world", greeted * 1e3, Unit.MILLISECONDS),
            Figure("home", painted * 1e3, Unit.MILLISECONDS),
            Figure("home, beside hello-world", painted / greeted, Unit.RATIO, at_most(1.8)),
            Figure("home, Enter, first problem", asked * 1e3, Unit.MILLISECONDS),
            Figure("home, Enter, first problem, beside hello-world", asked / greeted, Unit.RATIO, at_most(1.8)),
            Figure("memory of the application, its solver not counted", median(memory), Unit.MEGABYTES),
        ),
    )
