"""Ways of taking the time: calls by themselves, processes by turns."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

ROOT = Path(__file__).resolve().parent.parent


def call_seconds(call: Callable[[], object], repeats: int = 200, inner: int = 1) -> float:
    """Return the median processor time of one call, which other work on the machine lengthens less than it does the time.

    Args:
        call: What is timed.
        repeats: How often.
        inner: Calls between two looks at the clock, for what takes a few microseconds.
    """
    taken = []
    gc.collect()
    for _ in range(repeats):
        start = process_time()
        for _ in range(inner):
            call()
        taken.append((process_time() - start) / inner)
    return median(taken)


def environment(home: str | Path) -> dict[str, str]:
    """Return the environment of a measured process: its own empty home, English, a plain terminal."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "TEXTUAL", "QUIZAPP", "PYTHON"))}
    own = {"QUIZAPP_HOME": str(home), "LANG": "en_US.UTF-8", "TERM": "xterm-256color", "COLORTERM": "truecolor"}
    return kept | own | {"PYTHONUTF8": "1"}


def process_seconds(arguments: Sequence[str]) -> float:
    """Return how long one run of Python takes, from start to end.

    Raises:
        CalledProcessError: It failed.
    """
    start = perf_counter()
    output(arguments)
    return perf_counter() - start


def output(arguments: Sequence[str]) -> str:
    """Return what one run of Python prints.

    Raises:
        CalledProcessError: It failed.
    """
    command = [sys.executable, *arguments]
    with TemporaryDirectory() as home:
        done = subprocess.run(
            command, cwd=ROOT, env=environment(home), stdout=subprocess.PIPE, text=True, check=True, timeout=300
        )
    return done.stdout


def by_turns(runs: int, *measures: Callable[[], float]) -> list[float]:
    """Take several measures in turn, so that whatever else the machine does meets them all; return their medians.

    Args:
        runs: How often each is taken; one more run of each goes before and doesn't count: it fills the disk's cache.
        measures: What to take.
    """
    for measure in measures:
        measure()
    taken = [[measure() for measure in measures] for _ in range(runs)]
    return [median(column) for column in zip(*taken, strict=True)]
