"""When the application has a fault: a log for whoever mends it, and a sentence for the person."""

from __future__ import annotations

import os
import platform
import traceback
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from question_bank.text import Text
from quizapp import wording_start as wording

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
