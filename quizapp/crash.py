"""When the application has a fault: a log for whoever mends it, a sentence for the person, and what was typed put by."""

from __future__ import annotations

import json
import os
import platform
import traceback
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from question_bank.text import Text, same
from quizapp import wording_start as wording
from quizapp.drafts import CheckDraft, Drafts, drafts_of
from quizapp.screens.places import DrillPlace

if TYPE_CHECKING:
    from quizapp.app import QuizApp

MOST_LOGS = 10
"""Crash logs that are kept; the oldest go."""


def crash_logs(folder: Path) -> list[Path]:
    """Return the logs of crashes in a data folder, the latest last."""
    return sorted(folder.glob("crash-*.log"))


def write_log(folder: Path, error: BaseException, now: datetime) -> Path | None:
    """Write down what happened, without anything that a person typed; None where that can't be done."""
    from quizapp.release import version_of

    lines = [
        f"time      {now.astimezone(UTC).isoformat(timespec='seconds')}",
        f"quizapp   {version_of('quizapp')}",
        f"textual   {version_of('textual')}",
        f"python    {platform.python_version()} on {platform.platform()}",
        f"terminal  {os.environ.get('TERM_PROGRAM', '')} {os.environ.get('TERM', '')}",
        "",
        *traceback.format_exception(getattr(error, "error", error)),  # a worker's error comes wrapped
    ]
    file = folder / f"crash-{now.astimezone(UTC):%Y%m%dT%H%M%S%f}.log"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file.write_text("\n".join(lines), encoding="utf-8", errors="backslashreplace")
    except OSError:
        return None
    for old in crash_logs(folder)[:-MOST_LOGS]:
        with suppress(OSError):
            old.unlink()
    return file


def describe(error: BaseException, log: Path | None, *, typed_kept: bool) -> Text:
    """Say what happened to the person."""
    fault = getattr(error, "error", error)
    reason = " ".join(str(fault).split())[:160]
    said = [wording.CRASHED.fill(kind=type(fault).__name__, reason=reason or "-")]
    said.append(wording.CRASH_KEPT if typed_kept else wording.CRASH_ANSWERS)
    if log is not None:
        said.append(wording.CRASH_LOG.fill(file=log))
    return Text("\n".join(each.en for each in said), "\n".join(each.zh for each in said))


def put_by(app: QuizApp, file: Path) -> bool:
    """Write down what is typed and not handed in; tells whether nothing of it can be lost."""
    from quizapp.interview.host import host_of
    from quizapp.screens.drill import DrillScreen
    from quizapp.screens.sheet_answers import AnswersScreen

    host_of(app).put_by()
    drafts = drafts_of(app)
    for screen in app.screen_stack:
        if isinstance(screen, DrillScreen):
            code, typed = screen.typed()
            if any(text.strip() for text in typed):
                drafts.problems[code] = typed
        elif isinstance(screen, AnswersScreen) and screen.at_stake() is not None:
            drafts.sheets[screen.key] = screen.typed
    if not drafts.hold_anything:
        return True
    values = {
        "answers": {str(number): text for number, text in drafts.answers.items()},
        "problems": drafts.problems,
        "sheets": drafts.sheets,
        "check": asdict(drafts.check) | {"flags": sorted(drafts.check.flags)},
    }
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(values), encoding="ascii")
    except OSError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class Rescued:
    """What was typed when the application stopped.

    Attributes:
        message: Where it is again.
        drill: The problem to go on with, if it was one.
    """

    message: Text
    drill: DrillPlace | None


def take_up(app: QuizApp, file: Path) -> Rescued | None:
    """Give back what was put by; returns what to tell the person."""
    try:
        text = file.read_text("ascii")
        values = json.loads(text)
        found = Drafts(
            {int(number): str(text) for number, text in values["answers"].items()},
            CheckDraft(**values["check"] | {"flags": set(values["check"]["flags"])}),
            {str(code): tuple(map(str, typed)) for code, typed in values["problems"].items()},
            {str(key): tuple(tuple(map(str, typed)) for typed in every) for key, every in values.get("sheets", {}).items()},
        )
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        with suppress(OSError):
            file.replace(file.with_name(f"{file.name}.unreadable"))
        return None
    drafts = drafts_of(app)
    drafts.answers = found.answers | drafts.answers
    drafts.problems = found.problems | drafts.problems
    drafts.sheets = found.sheets | drafts.sheets
    drafts.check = found.check
    with suppress(OSError):
        file.unlink()
    drill = _drill(found.problems)
    names = [same(f"Q{number}") for number, text in found.answers.items() if text.strip()] + [*map(same, found.problems)]
    names += [wording.TYPED_SHEET] * bool(found.sheets) + [wording.TYPED_CHECK] * found.check.holds_anything
    where = Text(", ".join(name.en for name in names), "、".join(name.zh for name in names))
    return Rescued(wording.TYPED_AGAIN.fill(where=where), drill)


def _drill(problems: Iterable[str]) -> DrillPlace | None:
    """Find the problem that was typed at; codes of another release are passed over."""
    from question_bank import CodeError, problem

    for code in problems:
        with suppress(CodeError):
            found = problem(code)
            return DrillPlace(found.drill, found.level, code)
    return None
