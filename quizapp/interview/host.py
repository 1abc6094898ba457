"""Holds an interview for the application: begins it, keeps its time, keeps it on disk, and makes its report at the end.

There is one host for each application; the interview outlives the screens.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import replace
from datetime import datetime
from threading import Lock
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from question_bank import problem
from question_bank.text import Text, same
from quizapp import wording
from quizapp.events import InterviewHeld
from quizapp.interview.report import ReportError, Titles, from_text, make_report, to_text
from quizapp.interview.script import History, Script, Step, write_script
from quizapp.interview.under_way import Ending, Given, UnderWay, begin, clear, load, save
from quizapp.solver_process import SolverError

if TYPE_CHECKING:
    from textual.timer import Timer

    from question_bank.bank import Bank
    from question_bank.questions import Group
    from quizapp.app import QuizApp
    from quizapp.progress import Log
    from solvers.verdict import Verdict

SOON = 0.4
"""Seconds after a key until what is typed is on disk."""


class Host:
    """The interview of an application.

    Attributes:
        under_way: The interview as it stands; None where none is.
    """

    def __init__(self, quiz: QuizApp) -> None:
        """Open nothing yet."""
        self.under_way: UnderWay | None = None
        self._quiz = quiz
        self._opened = False
        self._since: datetime | None = None
        self._saved: UnderWay | None = None
        self._kept: InterviewHeld | None = None
        self._saving = asyncio.Lock()
        self._writing = Lock()
        self._timer: Timer | None = None
        self._troubled = False

    async def open(self) -> tuple[InterviewHeld, ...]:
        """Look for an interview that was under way when the application was last left.

        Returns:
            The interviews held before, the latest first.

        Raises:
            ProgressError: They can't be read.
        """
        if not self._opened:
            self._opened = True
            loaded = await asyncio.to_thread(load, self._quiz.paths.interview, self._quiz.bank.question)
            if loaded.problem is not None:
                self._quiz.tell(loaded.problem, lasting=True)
            self.under_way = self._saved = loaded.under_way
        held = await self._quiz.keeper.ask(lambda log: log.interviews())
        if self.under_way is not None and self.under_way.started in {each.started for each in held}:
            await self._forget()  # its report was written just before a crash
        return held

    async def script(self, minutes: int, topics: tuple[Group, ...], seed: str) -> Script:
        """Write a script that takes earlier interviews into account."""
        from quizapp.progress_errors import ProgressError

        try:
            history = await self._quiz.keeper.ask(history_of)
        except ProgressError:
            history = History()
        bank = self._quiz.bank
        return await asyncio.to_thread(lambda: write_script(map(bank.question, bank.numbers()), minutes, topics, seed, history))

    def begin(self, script: Script, *, shows_clock: bool) -> None:
        """Begin an interview."""
        self.under_way = begin(script, self._quiz.keeper.now(), shows_clock=shows_clock)
        self._keep_soon()

    # While it is held

    def enter(self) -> None:
        """Let the clock run."""
        self._since = self._quiz.keeper.now()

    def tick(self) -> UnderWay | None:
        """Count the time that has gone by, and return the interview as it stands."""
        now = self._quiz.keeper.now()
        if self.under_way is not None and self.under_way.ending is None and self._since is not None:
            gone = max(0.0, (now - self._since).total_seconds())
            self.under_way = replace(self.under_way, seconds=self.under_way.seconds + gone)
            self._since = now
        return self.under_way

    def leave(self) -> None:
        """Let the clock stand still."""
        self.put_by()
        self._since = None

    def change(self, **now: Any) -> None:
        """Put down how the interview stands: fields of ``UnderWay`` by name. It's on disk soon."""
        self.tick()
        if self.under_way is not None:
            self.under_way = replace(self.under_way, **now)
            self._keep_soon()

    async def answer(self, *typed: str, passed: bool = False, verdict: Verdict | None = None) -> UnderWay:
        """Put an answer down; it's on disk when this returns."""
        self.tick()
        assert self.under_way is not None
        self.under_way = self.under_way.answered(typed, passed=passed, verdict=verdict)
        await self.flush()
        return self.under_way

    async def end(self) -> None:
        """End it early."""
        self.tick()
        if self.under_way is not None:
            self.under_way = self.under_way.ended()
            await self.flush()

    # On disk

    def _keep_soon(self) -> None:
        if self._timer is None:
            self._timer = self._quiz.set_timer(SOON, self._save)

    def _save(self) -> None:
        self._timer = None
        self._quiz.run_worker(self.flush(), group="interview")

    async def flush(self) -> None:
        """Write to disk how the interview stands, where that has changed."""
        async with self._saving:
            trouble = await asyncio.to_thread(self._write)
        if trouble is not None and not self._troubled:
            self._quiz.tell(trouble, lasting=True)
        self._troubled = trouble is not None

    def put_by(self) -> None:
        """Write it to disk at once: the person leaves, or the application has to stop."""
        self.tick()
        self._write()

    def _write(self) -> Text | None:
        with self._writing:  # the latest, whoever comes first
            under_way = self.under_way
            if under_way is None or under_way is self._saved:
                return None
            self._saved = under_way
            return save(self._quiz.paths.interview, under_way)

    async def _forget(self) -> None:
        async with self._saving:
            self.under_way = self._saved = None
            await asyncio.to_thread(clear, self._quiz.paths.interview)

    # The end

    async def report(self) -> tuple[InterviewHeld, Text | None]:
        """Mark what is not marked yet, and keep the report.

        Returns:
            What was kept, and what to tell the person where it isn't on disk yet.
        """
        assert self.under_way is not None
        held = replace(self.under_way, ending=self.under_way.ending or Ending.EARLY)
        if self._kept is not None and self._kept.started == held.started:
            return self._kept, self._quiz.keeper.at_stake()  # it waits to be written already
        held = self.under_way = replace(held, given=await self._marked(held))
        bank = self._quiz.bank
        report = await asyncio.to_thread(make_report, held, bank.question, title_in(bank))
        self._kept = InterviewHeld(held.started, held.script.minutes, to_text(report))
        kept = await self._quiz.keeper.record(self._kept)
        if kept.problem is None:
            await self._forget()
        else:
            await self.flush()
        return self._kept, kept.problem

    async def _marked(self, held: UnderWay) -> tuple[Given, ...]:
        marked = []
        for turn, given in zip(held.script.turns, held.given, strict=False):
            if turn.step is Step.DRILL and given.verdict is None:
                asked = problem(turn.code or "")
                texts = [*given.typed, *[""] * len(asked.program.asks)][: len(asked.program.asks)]
                try:
                    verdict = await self._quiz.solver.grade(asked, [text or None for text in texts])
                except SolverError as error:
                    self._quiz.tell(error.message)
                else:
                    given = replace(given, verdict=verdict)
            marked.append(given)
        return tuple(marked)


def title_in(bank: Bank) -> Titles:
    """Return what gives the title of a section."""
    titles = {heading.section: heading.title for heading in bank.headings()} | dict(wording.SECTIONS)
    return lambda section: titles.get(section, same(""))


def history_of(log: Log) -> History:
    """Return what is known of earlier interviews, and which questions did not go well.

    Raises:
        ProgressError: The log can't be read.
    """
    asked: Counter[int] = Counter()
    for held in log.interviews():
        try:
            asked.update(thread.number for thread in from_text(held.report).threads)
        except ReportError:
            continue
    numbers = ((memory.item.number, memory.streak) for memory in log.memories())
    return History(asked, frozenset(number for number, streak in numbers if number is not None and streak < 0))


_hosts: WeakKeyDictionary[QuizApp, Host] = WeakKeyDictionary()


def host_of(quiz: QuizApp) -> Host:
    """Return the host of a running application."""
    if quiz not in _hosts:
        _hosts[quiz] = Host(quiz)
    return _hosts[quiz]
