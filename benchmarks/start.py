"""Time from the start of the process to the first question on the terminal."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks import hello
from benchmarks.figures import Figure, Report, Unit, at_most
from benchmarks.options import Options
from benchmarks.progress import EVENTS, history
from benchmarks.terminal import Terminal
from question_bank import Problem, problem
from question_bank.drills import DRILLS
from quizapp.events import DrillAnswered
from quizapp.progress import Log
from quizapp.screens.home_contents import Continue, HomeState, entries
from solvers.verdict import Outcome

HOME = next(iter(DRILLS.values())).title.en
"""The drill that home offers; the whole list is painted at once."""

DOWN = "\x1b[B"
TO_FIRST = DOWN * [isinstance(entry.target, Continue) for entry in entries(HomeState()) if entry.target].index(True) + "\r"
"""Keys that go from home to the first problem of that drill."""


def full_log(folder: Path) -> Path:
    """Make a log with many events, the last of them of the drill that home offers to a new person."""
    path, given = folder / "full.db", first_problem()
    with Log(path) as log:
        log.merge(history(EVENTS))
        log.record(DrillAnswered(given.code, given.drill, given.level, ("1",), Outcome.WRONG, None, 0, 1, 9.0))
    return path


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


def _application(prompt: str, log: Path | None = None) -> _Run:
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        if log is not None:
            shutil.copy(log, Path(folder) / "progress.db")
        with Terminal(Path(folder), "-m", "quizapp") as terminal:
            home = _shown(terminal, HOME)
            terminal.press(TO_FIRST)
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
    with TemporaryDirectory() as folder:
        log = full_log(Path(folder))
        turns = [(_hello_world(), _application(prompt)) for _ in range(options.runs)]
        full = [(_application(prompt), _application(prompt, log)) for _ in range(options.runs)]
    empty_home, full_home = (median(run.home.seconds for run in runs) for runs in zip(*full, strict=True))
    empty_first, full_first = (median(run.problem.seconds for run in runs) for runs in zip(*full, strict=True))
    hellos = [greeting for greeting, _ in turns]
    homes, problems = [run.home for _, run in turns], [run.problem for _, run in turns]
    greeted, painted, asked = (median(each.seconds for each in moments) for moments in (hellos, homes, problems))
    return Report(
        "time from process start to the first question on the terminal",
        f"80 × 24 pseudo-terminal, an empty home each time, {options.runs} runs by turns, medians. The first question is home, "
        "which offers it; then it is chosen there, until the problem's prompt stands.",
        (
            Figure("Textual hello-world", greeted * 1e3, Unit.MILLISECONDS),
            Figure("home", painted * 1e3, Unit.MILLISECONDS),
            Figure("home, beside hello-world", painted / greeted, Unit.RATIO, at_most(1.8)),
            Figure("home, Enter, first problem", asked * 1e3, Unit.MILLISECONDS),
            Figure("home, Enter, first problem, beside hello-world", asked / greeted, Unit.RATIO, at_most(1.8)),
            Figure(f"home with {EVENTS:,} events in the log", full_home * 1e3, Unit.MILLISECONDS),
            Figure("beside home with none", full_home / empty_home, Unit.RATIO, at_most(1.2)),
            Figure("first problem, likewise", full_first / empty_first, Unit.RATIO, at_most(1.2)),
            *_processor("home, beside hello-world, main thread's processor time", homes, hellos),
            *_processor("first problem, likewise, main thread's processor time", problems, hellos),
            Figure("memory of the application, its solver not counted", median(run.memory for _, run in turns), Unit.MEGABYTES),
        ),
    )
