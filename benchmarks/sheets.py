"""A class of 1,000 with worked keys: against what Typst alone needs for the same documents, and the memory it takes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.figures import Figure, Report, Unit, at_most
from benchmarks.options import Options

PEOPLE = 1000
DRILLS = ("softmax-row", "scale-row", "mix-row")
LEVEL = 2
EVERY = 0.1
"""Seconds between two looks at the memory."""


def _sheet() -> object:
    from question_bank.drills import DRILLS as ALL
    from quizapp.sheets.choosing import Source, copies
    from quizapp.sheets.plan import Languages, Paper, Sheet

    sources = [Source(ALL[drill], LEVEL) for drill in DRILLS]
    people = [f"Person {number}" for number in range(1, PEOPLE + 1)]
    return Sheet("Class", Languages.EN, Paper.A4, "s", tuple(copies(people, sources, len(sources), "s")))


def _run(folder: Path) -> dict[str, float]:
    """Make the class's PDF; what starts up is started before."""
    from quizapp.sheets.making import Order, make
    from quizapp.sheets.plan import Sheet
    from quizapp.sheets.solutions import Key, solver

    sheet = _sheet()
    assert isinstance(sheet, Sheet)
    solver(Key.WORKED)(sheet.copies[0].problems[0])  # imports torch
    memory = _Memory()
    memory.start()
    start, processor = time.perf_counter(), _processor_seconds()
    make(Order(sheet, Key.WORKED, folder / "class.pdf"))
    seconds, processor = time.perf_counter() - start, _processor_seconds() - processor
    return {
        "seconds": seconds,
        "processor": processor,
        "memory": memory.stop(),
        "size": (folder / "class.pdf").stat().st_size / 1e6,
    }


def _processor_seconds() -> float:
    """Return what this process and those of its children that have ended have used."""
    return sum(os.times()[:4])


def _typst_alone() -> dict[str, float]:
    """Compile the same documents in the same two processes, already started, and do nothing else."""
    from quizapp.sheets import compile as typst
    from quizapp.sheets.making import key_documents, question_documents
    from quizapp.sheets.plan import Sheet
    from quizapp.sheets.solutions import Key, solver

    sheet = _sheet()
    assert isinstance(sheet, Sheet)
    documents = [*question_documents(sheet), *key_documents(sheet, Key.WORKED, solver(Key.WORKED))]
    with typst.workers() as pool:
        list(typst.in_order(pool, [""] * 2 * typst.PROCESSES))
        start, processor = time.perf_counter(), _processor_seconds()
        list(typst.in_order(pool, documents))
        seconds = time.perf_counter() - start
    return {"alone": seconds, "processor alone": _processor_seconds() - processor}


class _Memory(threading.Thread):
    """Looks at the memory of this process and those that it started; pages that several share count once. Linux only."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self._most = 0.0
        self._ended = threading.Event()

    def run(self) -> None:
        """Look until told to stop."""
        while not self._ended.wait(EVERY):
            self._most = max(self._most, _tree_megabytes())

    def stop(self) -> float:
        """Return the most that was seen."""
        self._ended.set()
        self.join()
        return self._most


def _tree_megabytes() -> float:
    own = Path("/proc/self")
    total = 0
    children = [Path(f"/proc/{child}") for task in own.glob("task/*/children") for child in task.read_text().split()]
    for process in (own, *children):
        try:
            text = (process / "smaps_rollup").read_text()
        except OSError:  # ended meanwhile
            continue
        total += next(int(line.split()[1]) for line in text.splitlines() if line.startswith("Pss:"))
    return total / 1024


def measure(_options: Options) -> Report:
    """Make the sheets once in a process of their own, and compile the same documents once alone."""
    with TemporaryDirectory() as folder:
        done = subprocess.run([sys.executable, "-m", __name__, folder], capture_output=True, text=True, check=True)
    ours = json.loads(done.stdout)
    figures = [
        Figure("processor time against Typst alone", ours["processor"] / ours["processor alone"], Unit.RATIO, at_most(1.5)),
        Figure("time against Typst alone", ours["seconds"] / ours["alone"], Unit.RATIO, at_most(1.5)),
        Figure("all of it", ours["seconds"], Unit.SECONDS),
        Figure("Typst alone", ours["alone"], Unit.SECONDS),
        Figure("size of the PDF", ours["size"], Unit.MEGABYTES),
    ]
    if ours["memory"]:
        figures.insert(2, Figure("memory at its peak", ours["memory"], Unit.MEGABYTES, at_most(600), "all processes"))
    return Report(
        f"{PEOPLE:,} personal pages with worked keys",
        "Solving, writing, compiling and joining, against compiling the same documents in the same two processes. "
        "Choosing the problems and the start-up of torch are left out.",
        tuple(figures),
    )


if __name__ == "__main__":
    result = _run(Path(sys.argv[1]))
    print(json.dumps(result | _typst_alone()))
