"""What is typed and not handed in, on disk while it stands: for a kill, a fault, a closed window.

Each process has a file of its own, written a moment after a key. It goes when the person leaves in the ordinary way; what is
found at a start was left by a process that is no more. Sessions and interviews keep what is typed in files of theirs.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from asyncio import to_thread
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from question_bank.text import Text, same
from quizapp import wording_start as wording
from quizapp.drafts import CheckDraft, Drafts, drafts_of
from quizapp.screens.places import DrillPlace
from quizapp.whole_file import WriteError, put_aside, write_whole

if TYPE_CHECKING:
    from quizapp.app import QuizApp

SOON = 1.0
"""Seconds between looks at what is typed."""

STALE = 10.0
"""Seconds after which a file that its process hasn't touched is taken for left behind."""


class Rescue:
    """Keeps on disk what is typed in one application."""

    def __init__(self, quiz: QuizApp) -> None:
        """Write nothing yet."""
        self._quiz = quiz
        self._file = quiz.paths.typed
        self._kept = ""
        self._is_over = False
        self._writing = threading.Lock()

    def look(self) -> None:
        """Write down what is typed, where that has changed; call it once a moment."""
        typed = _as_json(_typed(self._quiz), ended=False)
        if typed != self._kept:
            self._kept = typed
            self._quiz.run_worker(to_thread(self._write), group="typed", exit_on_error=False)
        elif typed:
            try:
                os.utime(self._file)  # it isn't left behind
            except OSError:
                self._kept = ""

    def _write(self) -> None:
        with self._writing, suppress(OSError, WriteError):  # a folder that can't be written to was told of at the start
            if not self._is_over:
                self._put(self._kept)

    def _put(self, typed: str) -> None:
        if typed:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self._file, typed.encode("ascii"))
        else:
            self._file.unlink(missing_ok=True)

    def put_by(self) -> bool:
        """Write down what is typed before the application stops; tells whether nothing of it can be lost."""
        from quizapp.interview.host import host_of

        host_of(self._quiz).put_by()
        with self._writing:
            self._is_over = True
            try:
                self._put(_as_json(_typed(self._quiz), ended=True))
            except (OSError, WriteError):
                return False
        return True

    def close(self) -> None:
        """Forget what is typed: the person leaves it behind. After ``put_by`` it is kept."""
        with self._writing, suppress(OSError):
            if not self._is_over:
                self._is_over = True
                self._put("")


def _typed(quiz: QuizApp) -> Drafts:
    """Gather what is typed on all screens; the item at hand of today's session is left out, which keeps it itself."""
    from quizapp.screens.drill import DrillScreen
    from quizapp.screens.sheet_answers import AnswersScreen

    drafts = drafts_of(quiz)
    problems, sheets = dict(drafts.problems), dict(drafts.sheets)
    for screen in quiz.screen_stack:
        if isinstance(screen, DrillScreen):
            code, typed = screen.typed()
            if any(text.strip() for text in typed):
                problems[code] = typed
        elif isinstance(screen, AnswersScreen) and screen.at_stake() is not None:
            sheets[screen.key] = screen.typed
    sitting = quiz.conductor.sitting if "conductor" in quiz.__dict__ else None
    spot = sitting.spot if sitting is not None else None
    if spot is not None:
        problems.pop(spot.code or "", None)
    answers = {number: text for number, text in drafts.answers.items() if spot is None or f"Q{number}" != str(spot.item)}
    return Drafts(answers, drafts.check, problems, sheets)


def _as_json(drafts: Drafts, *, ended: bool) -> str:
    """Write drafts as JSON; nothing where nothing is typed."""
    if not drafts.hold_anything:
        return ""
    return json.dumps(
        {
            "answers": {str(number): text for number, text in drafts.answers.items()},
            "problems": drafts.problems,
            "sheets": drafts.sheets,
            "check": asdict(drafts.check) | {"flags": sorted(drafts.check.flags)},
            "ended": ended,
        }
    )


@dataclass(frozen=True, slots=True)
class Rescued:
    """What was typed when the application stopped.

    Attributes:
        message: Where it is again.
        drill: The problem to go on with, if it was one.
    """

    message: Text
    drill: DrillPlace | None


def left_behind(folder: Path, name: str = "typed") -> list[Path]:
    """Return the files of what was typed when an application stopped, in the order of their names; not those of running ones.

    Args:
        folder: Where to look.
        name: How the files' names begin, where something else is kept in the same way.
    """
    return sorted((file for file in folder.glob(f"{name}*.json") if not _is_in_use(file)), key=lambda file: file.name)


def take_up(quiz: QuizApp) -> Rescued | None:
    """Give back what was typed when an application stopped; returns what to tell the person."""
    found = [drafts for drafts in map(_take, left_behind(quiz.paths.data)) if drafts is not None]
    if not found:
        return None
    now = drafts_of(quiz)
    for drafts in found:
        now.answers = drafts.answers | now.answers
        now.problems = drafts.problems | now.problems
        now.sheets = drafts.sheets | now.sheets
        if drafts.check.holds_anything and not now.check.holds_anything:
            now.check = drafts.check
    names = [same(f"Q{number}") for number, text in sorted(now.answers.items()) if text.strip()] + [*map(same, now.problems)]
    names += [wording.TYPED_SHEET] * bool(now.sheets) + [wording.TYPED_CHECK] * now.check.holds_anything
    where = Text(", ".join(name.en for name in names), "、".join(name.zh for name in names))
    return Rescued(wording.TYPED_AGAIN.fill(where=where), _drill(now.problems))


def _take(file: Path) -> Drafts | None:
    """Read a file and remove it; one that can't be read is kept beside."""
    try:
        values = json.loads(file.read_text("ascii"))
        found = Drafts(
            {int(number): str(text) for number, text in values["answers"].items()},
            CheckDraft(**values["check"] | {"flags": set(values["check"]["flags"])}),
            {str(code): tuple(map(str, typed)) for code, typed in values["problems"].items()},
            {str(key): tuple(tuple(map(str, typed)) for typed in every) for key, every in values.get("sheets", {}).items()},
        )
    except FileNotFoundError:  # another start was faster
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        put_aside(file)
        return None
    with suppress(OSError):
        file.unlink()
    return found


def _is_in_use(file: Path) -> bool:
    """Tell whether the file's process still runs: its number does, the file is touched again and again, and isn't ended."""
    number = file.stem.partition("-")[2]
    if not number.isdecimal() or int(number) == os.getpid():
        return False
    try:
        if time.time() - file.stat().st_mtime > STALE or json.loads(file.read_text("ascii"))["ended"]:
            return False
    except (OSError, ValueError, KeyError, TypeError):
        return False
    if sys.platform == "win32":  # there, asking after a process would end it
        return True
    try:
        os.kill(int(number), 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        pass
    return True


def _drill(problems: Iterable[str]) -> DrillPlace | None:
    """Find the problem that was typed at; codes of another release are passed over."""
    from question_bank import CodeError, problem

    for code in problems:
        with suppress(CodeError):
            found = problem(code)
            return DrillPlace(found.drill, found.level, code)
    return None
