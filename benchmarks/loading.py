"""What importing the application takes and loads, and what reading the whole bank takes."""

from __future__ import annotations

from benchmarks.figures import Figure, Report, Unit, at_most
from benchmarks.options import Options
from benchmarks.timing import by_turns, output

_HEAVY = ("torch", "sympy", "numpy")
_PROGRAM = (
    "import sys, time; start = time.perf_counter(); import {module}; "
    "print(time.perf_counter() - start, len(sys.modules), *{{name.partition('.')[0] for name in sys.modules}})"
)


_BANK = (
    "import time, msgspec, tomli; from question_bank.bank import SHIPPED as bank; "
    "import question_bank.content, question_bank.labs, question_bank.written; "
    "import question_bank.questions.question, question_bank.lessons.lesson; start = time.perf_counter(); "
    "[bank.question(number) for number in bank.numbers()]; [bank.lesson(section) for section in bank.sections()]; "
    "print(time.perf_counter() - start)"
)


def _bank() -> float:
    return float(output(["-c", _BANK]))


def _import(module: str) -> tuple[float, int, set[str]]:
    seconds, count, *packages = output(["-c", _PROGRAM.format(module=module)]).split()
    return float(seconds), int(count), set(packages)


def measure(options: Options) -> Report:
    """Import the application, and Textual alone, by turns."""
    textual, application, engine, bank = by_turns(
        options.runs,
        lambda: _import("textual.app")[0],
        lambda: _import("quizapp.app")[0],
        lambda: _import("solvers.answers")[0],
        _bank,
    )
    _, modules, packages = _import("quizapp.app")
    _, textual_modules, _ = _import("textual.app")
    heavy = [name for name in _HEAVY if name in packages]
    return Report(
        "import quizapp.app",
        f"In a new process, {options.runs} runs by turns, medians.",
        (
            Figure("import textual.app", textual * 1e3, Unit.MILLISECONDS),
            Figure("import quizapp.app", application * 1e3, Unit.MILLISECONDS),
            Figure("import quizapp.app, beside import textual.app", application / textual, Unit.RATIO),
            Figure("import solvers.answers", engine * 1e3, Unit.MILLISECONDS),
            Figure("all questions and lessons read", bank * 1e3, Unit.MILLISECONDS, at_most(60)),
            Figure("modules after import textual.app", textual_modules, Unit.COUNT),
            Figure("modules after import quizapp.app", modules, Unit.COUNT),
            Figure("torch, sympy, numpy among them", len(heavy), Unit.COUNT, at_most(0), ", ".join(heavy)),
        ),
    )
