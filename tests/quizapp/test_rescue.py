"""What is typed is on disk while it stands, belongs to one process, and goes when the person leaves."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from quizapp.app import QuizApp
from quizapp.drafts import drafts_of
from quizapp.paths import Paths
from quizapp.rescue import STALE, left_behind
from tests.quizapp.conftest import type_text, until
from tests.quizapp.test_drill import open_drill

MakeApp = Callable[..., QuizApp]
CHECK: dict[str, object] = {"operation": None, "texts": {}, "flags": [], "result": ""}


def write(folder: Path, process: object, *, ended: bool = False, age: float = 0.0) -> Path:
    """Write what a process keeps: an answer to question 7."""
    folder.mkdir(exist_ok=True)
    file = folder / f"typed-{process}.json"
    values = {"answers": {"7": "because"}, "problems": {}, "sheets": {}, "check": CHECK, "ended": ended}
    file.write_text(json.dumps(values), "ascii")
    os.utime(file, (time.time() - age, time.time() - age))
    return file


@pytest.fixture(scope="module")
def gone() -> int:
    """The number of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


async def test_typed_text_is_on_disk_until_the_person_leaves(make_app: MakeApp, paths: Paths) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await open_drill(pilot, "softmax-row")
        await type_text(pilot, "0.25")
        await until(pilot, paths.typed.exists)
        [(code, typed)] = json.loads(paths.typed.read_text())["problems"].items()
        assert code.startswith("softmax-row.")
        assert typed == ["0.25"]
    assert not paths.typed.exists()


async def test_the_file_goes_with_the_text(make_app: MakeApp, paths: Paths) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        drafts_of(app).answers[7] = "because"
        await until(pilot, paths.typed.exists)
        drafts_of(app).answers.clear()
        await until(pilot, lambda: not paths.typed.exists())


async def test_a_file_that_another_start_took_is_written_again(make_app: MakeApp, paths: Paths) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        drafts_of(app).answers[7] = "because"
        await until(pilot, paths.typed.exists)
        paths.typed.unlink()
        await until(pilot, paths.typed.exists)


def test_of_a_running_process_nothing_is_taken(paths: Paths, gone: int) -> None:
    running, dead = os.getppid(), gone
    in_use = write(paths.data, running)
    assert left_behind(paths.data) == []
    killed = write(paths.data, dead)
    assert left_behind(paths.data) == ([] if sys.platform == "win32" else [killed])
    os.utime(in_use, (time.time() - STALE - 1,) * 2)  # its number went to another process
    assert in_use in left_behind(paths.data)
    write(paths.data, running, ended=True)
    assert in_use in left_behind(paths.data)


@pytest.mark.parametrize("name", ["typed.json", "typed-.json", "typed-x.json", "typed-99999999999999999999.json"])
def test_any_other_name_is_left_behind(paths: Paths, name: str) -> None:
    file = write(paths.data, 1).rename(paths.data / name)
    assert left_behind(paths.data) == [file]


async def test_what_several_processes_left_comes_together(make_app: MakeApp, paths: Paths, gone: int) -> None:
    write(paths.data, gone, age=STALE + 1)
    other = write(paths.data, "x")
    other.write_text(other.read_text().replace('"7"', '"8"').replace("because", "why"))
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: app._notifications)
        assert drafts_of(app).answers == {7: "because", 8: "why"}
        assert "Q7, Q8" in next(iter(app._notifications)).message
        await until(pilot, lambda: [file.name for file in paths.data.glob("typed*")] == [paths.typed.name])
