"""Time from the start of the process to the first question on the terminal."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks import hello
from benchmarks.figures import Figure, Report, Unit, at_most
from benchmarks.options import Options
from benchmarks.terminal import Terminal
from question_bank import Problem, problem
from question_bank.drills import DRILLS

HOME = next(iter(DRILLS.values())).title.en
"""What the first line of home offers; the whole list is painted at once."""


def first_problem() -> Problem:
    """Return a problem of the drill that home offers first."""
    drill = next(iter(DRILLS.values()))
    return problem(drill.id, drill.levels[0], 0)


def first_words(given: Problem) -> str:
    """Return the words with which every prompt of a drill begins."""
    found = re.match(r"[A-Za-z]+(?: [A-Za-z]+)*", given.prompt.en)
    assert found is not None
    return found[0]


@dataclass(frozen=True, slots=True)
class _Moment:
    """When something stood on the terminal: seconds since the start, and the main thread's processor time, where known."""

    seconds: float
    processor: float | None


def _shown(terminal: Terminal, text: str) -> _Moment:
    seconds = terminal.wait_for(text) - terminal.started
    return _Moment(seconds, terminal.processor_seconds())


def _hello_world() -> _Moment:
    with TemporaryDirectory() as home, Terminal(Path(home), "-m", hello.__name__) as terminal:
        return _shown(terminal, hello.GREETING)


@dataclass(frozen=True, slots=True)
class _Run:
    """One start of the application."""

    home: _Moment
    problem: _Moment
    memory: float


def _application(prompt: str) -> _Run:
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        with Terminal(Path(folder), "-m", "quizapp") as terminal:
            home = _shown(terminal, HOME)
            terminal.press("\r")
            first = _shown(terminal, prompt)
        return _Run(home, first, terminal.memory)


def _processor(what: str, ours: list[_Moment], theirs: list[_Moment]) -> list[Figure]:
    """Compare processor times, where they are known."""
    mine = [moment.processor for moment in ours if moment.processor is not None]
    hellos = [moment.processor for moment in theirs if moment.processor is not None]
    return [Figure(what, median(mine) / median(hellos), Unit.RATIO)] if mine and hellos else []


def measure(options: Options) -> Report:
    """Start a hello-world and the application by turns."""
    prompt = first_words(first_problem())
    _hello_world()
    _application(prompt)
    turns = [(_hello_world(), _application(prompt)) for _ in range(options.runs)]
    hellos = [greeting for greeting, _ in turns]
    homes, problems = [run.home for _, run in turns], [run.problem for _, run in turns]
    greeted, painted, asked = (median(each.seconds for each in moments) for moments in (hellos, homes, problems))
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
            *_processor("home, beside hello-world, main thread's processor time", homes, hellos),
            *_processor("first problem, likewise", problems, hellos),
            Figure("memory of the application, its solver not counted", median(run.memory for _, run in turns), Unit.MEGABYTES),
        ),
    )
