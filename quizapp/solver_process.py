"""The process that torch lives in, beside the application.

Importing torch in a thread holds the keyboard for tenths of a second again and again; in a process of its own it doesn't. One
worker is started after the first paint and told to import; it is started again when it dies, and cut off when a call takes
too long. This module is imported by the worker too, so it must stay light.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from functools import partial
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import TYPE_CHECKING, ParamSpec, Protocol, TypeVar

from question_bank.text import Text

if TYPE_CHECKING:
    from question_bank.problem import Problem
    from question_bank.program import Program
    from solvers.steps import Step
    from solvers.verdict import Verdict

P = ParamSpec("P")
T = TypeVar("T")

CALL_SECONDS = 20.0
"""A call that takes longer is cut off."""

START_SECONDS = 120.0
"""How long the worker may take to import torch; a cold disk is slow."""


CLOSE_SECONDS = 5.0
"""How long closing waits for a worker that was killed."""


class SolverError(Exception):
    """The solver gave no result. What was typed is still there, and the next call finds a new worker.

    Attributes:
        message: What happened and what to do.
    """

    def __init__(self, message: Text) -> None:
        """Keep the message in both languages."""
        super().__init__(message.en)
        self.message = message


TOO_LONG = Text(
    "That took more than {seconds} seconds and was stopped. Your answer is still there; press Enter to try again.",
    "计算超过 {seconds} 秒，已停止。答案还在，可以按 Enter 重试。",
)
DIED = Text(
    "The solver stopped twice while working on this. Your answer is still there; press Enter to try again.",
    "求解进程连续两次中断。答案还在，可以按 Enter 重试。",
)
FAILED = Text("The solver failed: {reason}", "求解出错：{reason}")


class Solver(Protocol):
    """What a screen asks of the solver."""

    @property
    def is_ready(self) -> bool:
        """Tell whether an answer can be marked without waiting for the start."""

    async def start(self) -> None:
        """Get ready."""

    async def grade(self, problem: Problem | Program, answers: Sequence[str | None]) -> Verdict:
        """Mark answers, one typed text per part, None where a part is given up."""

    async def work(self, problem: Problem | Program) -> tuple[Step, ...]:
        """Return the worked steps."""

    async def call(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Call a module-level function where torch is."""

    async def close(self) -> None:
        """Stop."""


class SolverProcess:
    """One worker process, and the calls made to it. All methods are for the event loop's thread; none of them blocks it."""

    def __init__(self, call_seconds: float = CALL_SECONDS, start_seconds: float = START_SECONDS) -> None:
        """Start nothing yet.

        Args:
            call_seconds: How long a call may take, the worker's own start not counted.
            start_seconds: How long the start may take.
        """
        self._call_seconds = call_seconds
        self._start_seconds = start_seconds
        self._context = _RecordingContext()
        self._ready: asyncio.Task[Executor] | None = None
        self._closed = False

    @property
    def is_ready(self) -> bool:
        """Tell whether the worker has loaded what it needs."""
        return self._ready is not None and is_ready(self._ready)

    @property
    def process_id(self) -> int | None:
        """The worker's process id, where one is running."""
        living = [process.pid for process in self._context.processes if process.is_alive()]
        return living[-1] if living else None

    async def start(self) -> None:
        """Start the worker and wait until it has loaded what it needs.

        Raises:
            SolverError: It can't be started.
        """
        await self._live()

    async def grade(self, problem: Problem | Program, answers: Sequence[str | None]) -> Verdict:
        """Mark answers, one typed text per part, None where a part is given up.

        Raises:
            SolverError: There is no result.
        """
        return await self.call(_grade, problem, tuple(answers))

    async def work(self, problem: Problem | Program) -> tuple[Step, ...]:
        """Return the worked steps.

        Raises:
            SolverError: There is no result.
        """
        return await self.call(_work, problem)

    async def call(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Call a module-level function in the worker. A call that a dying worker takes with it is made once more.

        Raises:
            SolverError: There is no result.
        """
        for _attempt in range(2):
            ready = await self._live()
            try:
                work = partial(function, *args, **kwargs)
                running = asyncio.get_running_loop().run_in_executor(ready.result(), work)
                return await asyncio.wait_for(running, self._call_seconds)
            except BrokenProcessPool:
                self._drop(ready)
            except TimeoutError:
                self._drop(ready)
                raise SolverError(TOO_LONG.fill(seconds=round(self._call_seconds))) from None
            except Exception as fault:
                raise _failed(fault) from fault
        raise SolverError(DIED)

    async def close(self) -> None:
        """Stop the worker, in whatever state it is, and wait until it is gone."""
        self._closed = True
        ready = self._ready
        if ready is not None:
            self._drop(ready)
            with suppress(Exception, asyncio.CancelledError):
                executor = await asyncio.wait_for(ready, CLOSE_SECONDS)
                await asyncio.to_thread(executor.shutdown, wait=True, cancel_futures=True)

    def _begun(self) -> asyncio.Task[Executor]:
        """Return the start under way, or a new one."""
        if self._closed:
            raise SolverError(DIED)
        if self._ready is None:
            self._ready = asyncio.create_task(self._begin())
        return self._ready

    async def _begin(self) -> Executor:
        # In a thread: starting a process takes milliseconds that the keyboard need not wait for
        executor, warm = await asyncio.to_thread(_spawn, self._context)
        if self._closed:
            self._kill()
        try:
            await asyncio.wait_for(asyncio.wrap_future(warm), self._start_seconds)
        except BaseException:
            executor.shutdown(wait=False, cancel_futures=True)
            raise
        return executor

    async def _live(self) -> asyncio.Task[Executor]:
        """Return the start that came to a good end; a worker that dies while it starts is started once more."""
        for _attempt in range(2):
            ready = self._begun()
            try:
                await asyncio.shield(ready)
            except BrokenProcessPool:
                self._drop(ready)
            except TimeoutError:
                self._drop(ready)
                raise SolverError(TOO_LONG.fill(seconds=round(self._start_seconds))) from None
            except Exception as fault:
                self._drop(ready)
                raise _failed(fault) from fault
            else:
                return ready
        raise SolverError(DIED)

    def _drop(self, ready: asyncio.Task[Executor]) -> None:
        """Forget a worker that died or has to die."""
        if self._ready is ready:
            self._ready = None
            self._kill()
            if is_ready(ready):
                ready.result().shutdown(wait=False, cancel_futures=True)

    def _kill(self) -> None:
        for process in self._context.processes:
            if process.is_alive():
                process.kill()
        self._context.processes.clear()


def is_ready(task: asyncio.Task[Executor]) -> bool:
    """Tell whether a start has come to a good end."""
    return task.done() and not task.cancelled() and task.exception() is None


def _failed(fault: Exception) -> SolverError:
    return SolverError(FAILED.fill(reason=f"{type(fault).__name__}: {fault}"))


def _spawn(context: _RecordingContext) -> tuple[Executor, Future[None]]:
    """Start a worker and tell it to load what it needs."""
    # The first process that multiprocessing starts asks for the number of stderr, and Textual's stand-in for it has none.
    before = sys.stderr
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        sys.stderr = nowhere
        try:
            executor = ProcessPoolExecutor(1, mp_context=context, initializer=_prepare)
            return executor, executor.submit(_warm)
        finally:
            if sys.stderr is nowhere:
                sys.stderr = before


class _RecordingContext(SpawnContext):
    """Remembers the processes that an executor starts: it has no public way to kill one."""

    def __init__(self) -> None:
        super().__init__()
        self.processes: list[SpawnProcess] = []

    def Process(self, *args: object, **kwargs: object) -> SpawnProcess:  # type: ignore[override]  # noqa: N802
        process = super().Process(*args, **kwargs)  # type: ignore[arg-type]
        self.processes.append(process)
        return process


# What runs in the worker


def _prepare() -> None:
    """Keep the worker off the terminal, deaf to Ctrl+C, and from outliving the application."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nowhere, stream)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:

        def follow() -> None:
            parent.join()
            os._exit(0)

        threading.Thread(target=follow, daemon=True).start()


def _warm() -> None:
    """Load torch, and what is first needed."""
    import torch

    import solvers.grading
    import solvers.worked

    torch.set_num_threads(1)
    del solvers


def _grade(problem: Problem | Program, answers: tuple[str | None, ...]) -> Verdict:
    from solvers.grading import grade

    return grade(problem, answers)


def _work(problem: Problem | Program) -> tuple[Step, ...]:
    from solvers.worked import work

    return work(problem)
