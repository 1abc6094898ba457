"""The worker process: asked, killed, too slow, closed. ``_warm`` is replaced where torch isn't what is tested."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import textwrap
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from quizapp import solver_process
from quizapp.solver_process import SolverError, SolverProcess
from tests.quizapp import solver_tasks


@pytest.fixture
async def solver(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[SolverProcess]:
    """A worker that has nothing to load."""
    monkeypatch.setattr(solver_process, "_warm", solver_tasks.process_id)
    process = SolverProcess(call_seconds=30, start_seconds=60)
    yield process
    await process.close()


def lives(process_id: int) -> bool:
    """Tell whether a process exists and is no zombie."""
    try:
        return Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):  # the second where it ends between opening and reading
        return False


async def until(condition: object, seconds: float = 30) -> None:
    """Wait until a condition holds."""
    ends = time.monotonic() + seconds
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < ends, "waited in vain"
        await asyncio.sleep(0.02)


async def test_calls_go_to_one_process_that_is_not_this_one(solver: SolverProcess) -> None:
    first, second = await asyncio.gather(solver.call(solver_tasks.process_id), solver.call(solver_tasks.process_id))
    assert first == second == solver.process_id != os.getpid()
    assert await solver.call(solver_tasks.double, 21) == 42


async def test_an_error_of_the_call_is_told_and_the_worker_goes_on(solver: SolverProcess) -> None:
    before = await solver.call(solver_tasks.process_id)
    with pytest.raises(SolverError) as caught:
        await solver.call(solver_tasks.raise_value_error)
    assert "no such thing" in caught.value.message.en
    assert "no such thing" in caught.value.message.zh
    assert await solver.call(solver_tasks.process_id) == before


async def test_a_worker_killed_between_calls_is_replaced(solver: SolverProcess) -> None:
    before = await solver.call(solver_tasks.process_id)
    os.kill(before, 9)
    after = await solver.call(solver_tasks.process_id)
    assert after != before


async def test_a_call_that_dies_with_the_worker_is_made_once_more(solver: SolverProcess, tmp_path: Path) -> None:
    assert await solver.call(solver_tasks.die_once, tmp_path / "died") == "answered"


async def test_a_call_that_kills_the_worker_twice_is_given_up(solver: SolverProcess) -> None:
    with pytest.raises(SolverError) as caught:
        await solver.call(solver_tasks.die)
    assert caught.value.message == solver_process.DIED
    assert await solver.call(solver_tasks.double, 4) == 8


async def test_a_call_that_takes_too_long_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver_process, "_warm", solver_tasks.process_id)
    solver = SolverProcess(call_seconds=0.5, start_seconds=60)
    try:
        await solver.start()
        slow = solver.process_id
        assert slow is not None
        with pytest.raises(SolverError) as caught:
            await solver.call(solver_tasks.sleep, 600)
        assert "0.5" not in caught.value.message.en
        await until(lambda: not lives(slow))
        assert await solver.call(solver_tasks.double, 5) == 10
    finally:
        await solver.close()


async def test_two_calls_in_flight_both_survive_the_death_of_the_worker(solver: SolverProcess, tmp_path: Path) -> None:
    await solver.start()
    results = await asyncio.gather(solver.call(solver_tasks.die_once, tmp_path / "died"), solver.call(solver_tasks.double, 3))
    assert results == ["answered", 6]


async def test_closing_ends_the_worker_even_while_it_works(solver: SolverProcess) -> None:
    worker = await solver.call(solver_tasks.process_id)
    call = asyncio.create_task(solver.call(solver_tasks.sleep, 600))
    await asyncio.sleep(0.1)
    started = time.monotonic()
    await solver.close()
    assert time.monotonic() - started < 5
    await until(lambda: not lives(worker))
    with pytest.raises(SolverError):
        await call


async def test_closing_before_the_start_is_over_hangs_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver_process, "_warm", _never_ready)
    solver = SolverProcess(start_seconds=60)
    start = asyncio.create_task(solver.start())
    await until(lambda: solver.process_id is not None)
    worker = solver.process_id
    assert worker is not None
    started = time.monotonic()
    await solver.close()
    assert time.monotonic() - started < 5
    with pytest.raises(SolverError):
        await start
    await until(lambda: not lives(worker))


def _never_ready() -> None:
    time.sleep(600)


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
async def test_the_worker_does_not_outlive_a_killed_application(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(
        textwrap.dedent(
            """
            import asyncio
            from quizapp import solver_process
            from tests.quizapp import solver_tasks

            async def main():
                solver_process._warm = solver_tasks.process_id
                solver = solver_process.SolverProcess()
                print(await solver.call(solver_tasks.process_id), flush=True)
                await solver.call(solver_tasks.write_to_the_terminal)
                print("quiet", flush=True)
                await asyncio.sleep(600)

            if __name__ == "__main__":
                asyncio.run(main())
            """
        )
    )
    root = Path(__file__).parents[2]
    parent = subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=os.environ | {"PYTHONPATH": str(root)},
    )
    assert parent.stdout is not None
    worker = int(parent.stdout.readline())
    assert parent.stdout.readline() == "quiet\n"  # nothing of what the worker wrote came through
    assert lives(worker)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    await until(lambda: not lives(worker))


def test_the_worker_imports_nothing_of_the_application() -> None:
    loaded = subprocess.run(
        [sys.executable, "-c", "import quizapp.solver_process, sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert not {"textual", "rich", "torch", "sympy", "numpy", "click", "msgspec"} & set(loaded)
