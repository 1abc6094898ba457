"""Applications for the tests: settings and progress in a folder of their own, the solver in this process."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from textual.pilot import Pilot

from question_bank.problem import Problem
from question_bank.program import Program
from question_bank.text import Language, Text
from quizapp.app import QuizApp
from quizapp.events import Clock
from quizapp.paths import Paths
from quizapp.settings import Settings
from solvers.steps import Step
from solvers.verdict import Verdict


class DirectSolver:
    """Marks in the test's own process, which loads torch once for all tests. ``wait`` holds a verdict back."""

    is_ready = True

    def __init__(self) -> None:
        self.calls: list[tuple[str | None, ...]] = []
        self.open = asyncio.Event()
        self.open.set()
        self.error: Exception | None = None

    async def start(self) -> None:
        pass

    async def grade(self, problem: Problem | Program, answers: Sequence[str | None]) -> Verdict:
        from solvers.grading import grade

        self.calls.append(tuple(answers))
        await self.open.wait()
        if self.error is not None:
            raise self.error
        return grade(problem, answers)

    async def work(self, problem: Problem | Program) -> tuple[Step, ...]:
        from solvers.worked import work

        if self.error is not None:
            raise self.error
        return work(problem)

    async def call(self, function: Callable[..., object], *args: object, **kwargs: object) -> object:
        return function(*args, **kwargs)

    async def close(self) -> None:
        pass


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return Paths(tmp_path / "quizapp", tmp_path / "quizapp")


@pytest.fixture
def make_app(paths: Paths) -> Callable[..., QuizApp]:
    """Make applications whose next variants are chosen by 1, 2, 3, ..."""

    def make(
        language: Language = Language.EN, theme: str = "night", solver: object = None, clock: Clock | None = None
    ) -> QuizApp:
        numbers = iter(range(1, 1000))
        return QuizApp(
            paths,
            Settings(language, theme),
            choice=lambda: str(next(numbers)),
            solver=solver or DirectSolver(),  # type: ignore[arg-type]
            cursor_blink=False,
            clock=clock,
        )

    return make


async def until(pilot: Pilot[None], condition: Callable[[], object], seconds: float = 20) -> None:
    """Let the application run until a condition holds."""
    ends = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < ends, f"waited in vain for {condition}"
        await pilot.pause(0.01)


async def type_text(pilot: Pilot[None], text: str) -> None:
    """Type a text, key by key."""
    names = {" ": "space", "\n": "enter", "\t": "tab"}
    for character in text:
        await pilot.press(names.get(character, character))
    await pilot.pause()


def text_of(app: QuizApp) -> str:
    """Return what the terminal shows, line by line."""
    return "\n".join(strip.text.rstrip() for strip in app.screen._compositor.render_strips())


def footer_of(app: QuizApp) -> str:
    """Return the last line: the keys that work now."""
    return text_of(app).splitlines()[-1]


def says(app: QuizApp, text: Text) -> bool:
    """Tell whether a sentence is shown in the language of the moment, wherever its lines break."""
    from question_bank.math import plain

    shown = "".join(text_of(app).replace("│", " ").split())
    return "".join(plain(text[app.language]).split()) in shown
