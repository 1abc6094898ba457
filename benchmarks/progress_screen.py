"""The progress screen with 100,000 answers behind it: reading them, and from opening it until it is drawn."""

from __future__ import annotations

import asyncio
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import NamedTuple

from benchmarks.figures import Figure, Report, Unit, at_most
from benchmarks.options import Options
from benchmarks.progress import history
from question_bank.bank import SHIPPED
from question_bank.text import Language
from quizapp.events import Reviewed
from quizapp.overview import named, read
from quizapp.paths import Paths
from quizapp.planning import Wishes, course_of
from quizapp.progress import Log
from quizapp.settings import Settings

ANSWERS = 100_000


class _NoSolver:
    """Starts no process, which would take the processor away from what is measured."""

    is_ready = True

    async def start(self) -> None:
        pass

    async def close(self) -> None:
        pass


class Took(NamedTuple):
    """Seconds by the clock, and of the processors."""

    clock: float
    processor: float


async def _open(folder: Path, runs: int) -> list[Took]:
    """Return the time from opening the screen until all but the names of mistakes is drawn: the first time, then again."""
    from quizapp.app import QuizApp
    from quizapp.screens.places import ProgressPlace
    from quizapp.widgets.ledger import Ledger

    app = QuizApp(Paths(folder, folder), Settings(Language.EN, "night"), solver=_NoSolver())  # type: ignore[arg-type]
    found: list[Took] = []
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause(0.5)
        for _ in range(runs + 1):
            start, used = perf_counter(), process_time()
            app.open(ProgressPlace())
            while not any(ledger.marked is not None for ledger in app.screen.query(Ledger)):
                await asyncio.sleep(0.001)
            app.screen._compositor.render_strips()
            found.append(Took(perf_counter() - start, process_time() - used))
            await pilot.pause(0.5)
            app.action_home()
            await pilot.pause()
    return found


def measure(options: Options) -> Report:
    """Read the log and open the screen several times."""
    course = course_of(SHIPPED)
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        with Log(Paths(folder, folder).progress) as log:
            answers = [event for event in history(2 * ANSWERS) if not isinstance(event.what, Reviewed)][:ANSWERS]
            log.merge(answers)
        opened = asyncio.run(_open(folder, options.runs))
        with Log(Paths(folder, folder).progress) as log:
            times = []
            for _ in range(options.runs):
                start = perf_counter()
                overview = read(log, course, Wishes())
                times.append(perf_counter() - start)
            start = perf_counter()
            named(overview)
            naming = perf_counter() - start
    return Report(
        f"the progress screen with {len(answers):,} answers",
        f"At 120×40, without a terminal; {options.runs} runs, medians. What mistakes are called is read once that is shown.",
        (
            Figure("read everything", median(times) * 1e3, Unit.MILLISECONDS, at_most(100)),
            Figure("open the screen, the first time", opened[0].clock * 1e3, Unit.MILLISECONDS, at_most(200)),
            Figure("processor time of that", opened[0].processor * 1e3, Unit.MILLISECONDS),
            Figure("open the screen, again", median(took.clock for took in opened[1:]) * 1e3, Unit.MILLISECONDS, at_most(200)),
            Figure("processor time of that", median(took.processor for took in opened[1:]) * 1e3, Unit.MILLISECONDS),
            Figure("name the mistakes, the first time", naming * 1e3, Unit.MILLISECONDS),
        ),
    )
