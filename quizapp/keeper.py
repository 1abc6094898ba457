"""Keeps what happened: writes to the progress log from threads, in order, and tries again what could not be written.

What can't be written yet is in a file of its own meanwhile (``waiting``), and is tried again every second. A kill loses nothing
of it: the next start writes it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, TypeVar

from question_bank.text import Text

if TYPE_CHECKING:
    from quizapp.events import Clock, Event, Happening
    from quizapp.progress import Log, Practised
    from quizapp.waiting import WaitingFile

T = TypeVar("T")


UNKEPT = Text("Answers of this session are not on disk and would be lost.", "这次的作答还没有写入磁盘，退出后会丢失。")
WAITS = Text(
    "It is kept in a file beside it, and is written as soon as that is possible.",
    "内容已暂存在旁边的文件里，一能写入就会自动补上。",
)
WRITTEN = Text("What had to wait is in the progress file now.", "刚才没能写入的内容，现在已经写入进度文件。")
WRITTEN_LATE = Text(
    "Answers that could not be written when quizapp was last open are in the progress file now.",
    "上次没能写入的作答，现在已经补写进进度文件。",
)

AGAIN_AFTER = 1.0
"""Seconds after which what could not be written is tried again."""

HASTE = 0.05
"""Seconds to wait for another program's lock where something waits for it already: it was told, and is tried again."""


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
        tell: Called with what to tell the person once what had to wait is written.
    """

    def __init__(self, path: Path, clock: Clock | None = None, day_ends: timedelta = timedelta(hours=4)) -> None:
        """Open nothing yet.

        Args:
            path: The file of the log.
            clock: Gives the time now, with the local offset from UTC; the system's where left out.
            day_ends: When a study day ends, counted from midnight.
        """
        self.day_ends = day_ends
        self.tell: Callable[[Text], None] = lambda _: None
        self._clock = clock
        self._path = path
        self._log: Log | None = None
        self._turn = asyncio.Lock()
        self._waiting: list[Event] = []
        self._writing = Lock()
        self._in_memory = False
        self._late: Text | None = None
        self._beside: WaitingFile | None = None
        self._trying: asyncio.Task[None] | None = None
        self._is_closed = False

    async def open(self) -> Text | None:
        """Open the log, and write to it what could not be written before; returns what to tell where it can't be used."""
        log = await self._on_log(lambda log: log)
        if log.problem is None:
            await self._take_up()
        return log.problem

    def at_stake(self) -> Text | None:
        """Say what leaving would lose: answers that wait to be written and are in no file, or that only memory holds."""
        return UNKEPT if (self._waiting and not self._is_safe) or self._in_memory else None

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

        return await self.append(stamp(what, self.now(), self.day_ends))

    async def put_right(self, kept: Event, what: Happening) -> Kept:
        """Put another event in the place of one, as if that had happened then; the log counts one of the two at any time."""
        from quizapp.events import Undone, stamp

        now = self.now()
        new = replace(stamp(what, now, self.day_ends), at=kept.at, offset=kept.offset, study_day=kept.study_day)
        return await self.append(stamp(Undone((kept.id,)), now, self.day_ends), new)

    async def append(self, *events: Event) -> Kept:
        """Write down events, all or none, after anything that still waits to be written; the last of them is what was kept."""
        from quizapp.progress_errors import ProgressError

        # Into the queue before anything can fail: while an older one can't be written, these must wait, not be lost.
        self._waiting.extend(events)
        try:
            await self._on_log(self._write_waiting)
        except ProgressError as error:
            self._late = self._late or WRITTEN
            await self._put_beside()
            return Kept(events[-1], error.message + WAITS if self._is_safe else error.message)
        finally:
            self._try_again()  # also where whoever waited for this was stopped
        self._in_memory = self._log is not None and self._log.problem is not None
        await self._settle()
        return Kept(events[-1], None)

    async def close(self) -> None:
        """Write what still waits, if it can be, and close the log; else the next start writes it."""
        from quizapp.progress_errors import ProgressError

        self._is_closed = True
        if self._trying is not None:
            self._trying.cancel()
            await asyncio.gather(self._trying, return_exceptions=True)
        async with self._turn:
            log, self._log = self._log, None
        if log is not None:
            try:
                await asyncio.to_thread(self._write_waiting, log)
            except ProgressError:
                pass  # it was said when it happened
            finally:
                await asyncio.to_thread(log.close)
        if self._waiting or self._beside is not None:
            await self._put_beside(ended=True)

    def _write_waiting(self, log: Log) -> None:
        # A thread goes on when the task that waits for it is cancelled, so at the end two may come here.
        with self._writing, nullcontext() if self._late is None else log.in_haste(HASTE):
            while self._waiting:
                events = tuple(self._waiting)
                log.merge(events)
                del self._waiting[: len(events)]  # others may have come behind them meanwhile

    # What has to wait

    async def _put_beside(self, *, ended: bool = False) -> None:
        """Have all that waits in the file beside the log; without anything, there is none."""
        await asyncio.to_thread(self._hold, ended)

    def _hold(self, ended: bool) -> None:
        if self._beside is None:
            from quizapp.waiting import WaitingFile

            self._beside = WaitingFile(self._path.parent)
        self._beside.hold(self._waiting, ended=ended)

    @property
    def _is_safe(self) -> bool:
        return self._beside is not None and self._beside.holds(self._waiting)

    def _try_again(self) -> None:
        """See to it that what waits is tried again, until it is written."""
        if self._waiting and not self._is_closed and (self._trying is None or self._trying.done()):
            self._trying = asyncio.get_running_loop().create_task(self._try_until_written())

    async def _try_until_written(self) -> None:
        from quizapp.progress_errors import ProgressError

        while self._waiting:
            await asyncio.sleep(AGAIN_AFTER)
            try:
                await self._on_log(self._write_waiting)
            except ProgressError:
                await self._put_beside()
        await self._settle()

    async def _settle(self) -> None:
        """Where something had to wait and is written now, say so, and remove the file that held it."""
        if self._late is None or self._waiting:
            return
        said, self._late = self._late, None
        await self._put_beside()
        self.tell(said)

    async def _take_up(self) -> None:
        """Write down what waited when an application stopped. Its file goes once that is in the log, or in a file of ours."""
        from quizapp.progress_errors import ProgressError

        if not any(self._path.parent.glob("waiting*.json")):
            return
        from quizapp import waiting

        left = await asyncio.to_thread(waiting.left_behind, self._path.parent)
        events = [event for each in left for event in each.events]
        if events:
            self._waiting.extend(events)
            self._late = WRITTEN_LATE
        try:
            await self._on_log(self._write_waiting)
        except ProgressError:
            await self._put_beside()
            if not self._is_safe:
                left = []
        for each in left:
            if self._beside is None or each.path != self._beside.path:
                await asyncio.to_thread(each.done_with)
        await self._settle()
        self._try_again()

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
