"""How long a key takes to show while torch is being loaded beside the application."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.figures import Figure, Report, Unit, at_most
from benchmarks.options import Options
from benchmarks.progress import EVENTS
from benchmarks.start import HOME, TO_FIRST, first_problem, first_words, full_log
from benchmarks.terminal import Terminal
from benchmarks.timing import process_seconds

TYPED = "0.125,0.25,0.375,0.5,0.625,0.75,0.875"
"""Every beginning of this can be told from the one before by its last character; no blanks, which an empty line has too."""

BETWEEN = 0.03
"""Seconds between an echo and the next key."""


def percentile(numbers: list[float], share: float) -> float:
    """Return the number that this share of the numbers does not exceed."""
    return sorted(numbers)[max(0, int(len(numbers) * share + 0.999999) - 1)]


@dataclass(frozen=True, slots=True)
class _Key:
    """One key pressed: seconds until it showed, and what of them was the main thread's work, where known."""

    seconds: float
    processor: float | None


def _typed(terminal: Terminal, until: float) -> list[_Key]:
    """Type until a time, or to the end of the text."""
    taken = []
    for end in range(1, len(TYPED) + 1):
        if perf_counter() >= until:
            break
        before = terminal.processor_seconds()
        pressed = terminal.press(TYPED[end - 1])
        seconds = terminal.wait_for(TYPED[:end]) - pressed
        after = terminal.processor_seconds()
        taken.append(_Key(seconds, None if before is None or after is None else after - before))
        terminal.rest(BETWEEN)
    return taken


def _run(prompt: str, wait: float, loading_takes: float, log: Path | None) -> list[_Key]:
    """Start the application, with a log or with none, and type into the first problem, while torch loads or after a while."""
    with TemporaryDirectory(ignore_cleanup_errors=True) as home:
        if log is not None:
            shutil.copy(log, Path(home) / "progress.db")
        with Terminal(Path(home), "-m", "quizapp") as terminal:
            painted = terminal.wait_for(HOME)
            terminal.press(TO_FIRST)
            terminal.wait_for(prompt)
            terminal.rest(wait + 0.1)  # the field takes the focus
            return _typed(terminal, painted + loading_takes + (3600.0 if wait else 0.0))


def _processor(worked: list[float]) -> list[Figure]:
    """Say what of it is the application's own work: the rest is waiting for a processor."""
    if not worked:
        return []
    what = "95th percentile of the main thread's processor time for a key, while torch loads"
    return [Figure(what, percentile(worked, 0.95) * 1e3, Unit.MILLISECONDS)]


def measure(options: Options) -> Report:
    """Type into the first problem's field as soon as it stands, and again when torch is loaded."""
    prompt = first_words(first_problem())
    loading_takes = median(process_seconds(["-c", "import torch, solvers.grading, solvers.worked"]) for _ in range(3))
    loading: list[_Key] = []
    loaded: list[_Key] = []
    full: list[_Key] = []
    with TemporaryDirectory() as folder:
        log = full_log(Path(folder))
        for _ in range(options.runs):
            for wait, kept, into in ((0.0, None, loading), (3 * loading_takes, None, loaded), (0.0, log, full)):
                into += _run(prompt, wait, loading_takes, kept)
    shown = [key.seconds for key in loading]
    worked = [key.processor for key in loading if key.processor is not None]
    return Report(
        "time from a key to its letter on the terminal while torch loads in the worker process",
        f"Typed into the answer field of the first problem, each {BETWEEN * 1e3:.0f} ms after the echo of the one before. The "
        f"worker starts once home is painted; keys count within the {loading_takes:.1f} s after that which its imports take "
        "by themselves, so that they are going on for sure.",
        (
            Figure("95th percentile", percentile(shown, 0.95) * 1e3, Unit.MILLISECONDS, at_most(50)),
            Figure("median", median(shown) * 1e3, Unit.MILLISECONDS),
            Figure("slowest", max(shown) * 1e3, Unit.MILLISECONDS),
            Figure("keys", len(shown), Unit.COUNT),
            Figure(
                "95th percentile once torch is loaded",
                percentile([key.seconds for key in loaded], 0.95) * 1e3,
                Unit.MILLISECONDS,
            ),
            *_processor(worked),
            Figure(
                f"95th percentile while torch loads, with {EVENTS:,} events in the log",
                percentile([key.seconds for key in full], 0.95) * 1e3,
                Unit.MILLISECONDS,
                at_most(50),
            ),
        ),
    )
