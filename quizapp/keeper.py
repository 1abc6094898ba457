"""Keeps what happened: writes to the progress log from threads, in order, and tries again what could not be written."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, TypeVar

from question_bank.text import Text

if TYPE_CHECKING:
    from quizapp.events import Clock, Event, Happening
    from quizapp.progress import Log, Practised

T = TypeVar("T")


UNKEPT = Text("Answers of this session are not on disk and would be lost.", "这次的作答还没有写入磁盘，退出后会丢失。")


@dataclass(frozen=True, slots=True)
class Kept:
    """Something that was handed to the keeper.

    Attributes:
        event: The event; its id is what a rating or an undoing names.
        problem: Why it isn't on disk yet; None where it is.
    """

    event: Event
    problem: Text | None


class Keeper:
    """The application's way to the log. Nothing here blocks the event loop; SQLite is loaded when first needed.

    Attributes:
        day_ends: When a study day ends, counted from midnight; the settings may change it at any time.
    """

    def __init__(self, path: Path, clock: Clock | None = None, day_ends: timedelta = timedelta(hours=4)) -> None:
        """Open nothing yet.

        Args:
            path: The file of the log.
            clock: Gives the time now, with the local offset from UTC; the system's where left out.
            day_ends: When a study day ends, counted from midnight.
        """
        self.day_ends = day_ends
        self._clock = clock
        self._path = path
        self._log: Log | None = None
        self._turn = asyncio.Lock()
        self._waiting: list[Event] = []
        self._writing = Lock()
        self._in_memory = False

    async def open(self) -> Text | None:
        """Open the log; returns what to tell the person where it can't be used."""
        log = await self._on_log(lambda log: log)
        return log.problem

    def at_stake(self) -> Text | None:
        """Say what leaving would lose: answers that still wait to be written, or that only memory holds."""
        return UNKEPT if self._waiting or self._in_memory else None

    async def last_practised(self) -> Practised | None:
        """Return what was practised last, None where that can't be read."""
        from quizapp.progress_errors import ProgressError

        try:
            return await self._on_log(lambda log: log.last_practised())
        except ProgressError:
            return None

    def now(self) -> datetime:
        """Return the time now, with the local offset from UTC."""
        from quizapp.events import system_clock

        return (self._clock or system_clock)()

    def today(self) -> date:
        """Return the study day it is now, here. Ask again and again: a session may be left open over night."""
        from quizapp.events import study_day

        return study_day(self.now(), self.day_ends)

    async def ask(self, action: Callable[[Log], T]) -> T:
        """Ask the log something, in a thread: ``await keeper.ask(Log.memories)``, ``keeper.ask(lambda log: log.memory(item))``.

        Raises:
            ProgressError: The log can't be read.
        """
        return await self._on_log(action)

    async def keep(self, what: Happening) -> Text | None:
        """Write down what happened, after anything that still waits to be written.

        Returns:
            None once it is on disk; else what to tell the person, and it's tried again with the next.
        """
        return (await self.record(what)).problem

    async def record(self, what: Happening) -> Kept:
        """Write down what happened, as ``keep`` does, and say under which id."""
        from quizapp.events import stamp
        from quizapp.progress_errors import ProgressError

        event = stamp(what, self.now(), self.day_ends)
        # Into the queue before anything can fail: while an older one can't be written, this one must wait, not be lost.
        self._waiting.append(event)
        try:
            await self._on_log(self._write_waiting)
        except ProgressError as error:
            return Kept(event, error.message)
        self._in_memory = self._log is not None and self._log.problem is not None
        return Kept(event, None)

    async def close(self) -> None:
        """Write what still waits, if it can be, and close the log."""
        from quizapp.progress_errors import ProgressError

        async with self._turn:
            log, self._log = self._log, None
        if log is not None:
            try:
                await asyncio.to_thread(self._write_waiting, log)
            except ProgressError:
                pass  # it was said when it happened
            finally:
                await asyncio.to_thread(log.close)

    def _write_waiting(self, log: Log) -> None:
        # A thread goes on when the task that waits for it is cancelled, so at the end two may come here.
        with self._writing:
            while self._waiting:
                log.append(self._waiting[0])
                self._waiting.pop(0)

    async def _on_log(self, action: Callable[[Log], T]) -> T:
        async with self._turn:
            if self._log is None:
                self._log = await asyncio.to_thread(self._open)
            self._log.day_ends = self.day_ends
            return await asyncio.to_thread(action, self._log)

    def _open(self) -> Log:
        from quizapp.events import system_clock
        from quizapp.progress import open_log

        return open_log(self._path, self._clock or system_clock)
