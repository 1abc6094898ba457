"""What ``quizapp doctor`` looks at: files, versions, settings, progress, a person's own folders, the terminal."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from importlib.util import find_spec
from pathlib import Path

from question_bank.system_errors import why
from question_bank.text import Language, Text, same
from quizapp import wording_doctor as wording
from quizapp.crash import crash_logs
from quizapp.doctor_progress import Condition, Examined, examine, salvage
from quizapp.own_bank import Counted, count, open_own
from quizapp.paths import Paths
from quizapp.progress_errors import ProgressError
from quizapp.release import version_of
from quizapp.rescue import left_behind
from quizapp.settings import Settings, SettingsError, field_of, load, save

EVENT: Counted = (Text("1 event", "1 条记录"), Text("{n} events", "{n} 条记录"))
LOG: Counted = (Text("1 log", "1 份日志"), Text("{n} logs", "{n} 份日志"))
PACKAGES = ("textual", "fsrs", "msgspec", "sympy", "numpy", "typst", "genanki")
THEMES = ("night", "day", "plain")
LEAST = (36, 9)
"""Columns and lines that every screen needs."""


class State(StrEnum):
    """How something is."""

    FINE = "fine"
    NOTED = "noted"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that was looked at.

    Attributes:
        area: What it belongs to.
        state: How it is.
        message: What there is to say.
        mend: Mends it and says what was done; None where that can't be done here.
    """

    area: Text
    state: State
    message: Text
    mend: Callable[[], Text] | None = None


def look(paths: Paths, default: Language, today: date) -> Iterator[Finding]:
    """Look everything over; nothing is changed.

    Args:
        paths: Where the files are.
        default: The language of the system.
        today: For the names of what is put aside.
    """
    yield from _files(paths)
    yield from _versions()
    yield from _settings(paths.settings, default, today)
    yield from _progress(paths.progress, today)
    yield from _bank(paths, default)
    yield from _crashes(paths)
    yield from _terminal()


def _files(paths: Paths) -> Iterator[Finding]:
    for what, path in (
        (wording.DATA_FOLDER, paths.data),
        (wording.CONFIG_FOLDER, paths.config),
        (wording.PROGRESS, paths.progress),
        (wording.SETTINGS, paths.settings),
    ):
        said = wording.IS_AT if path.exists() else wording.NOT_YET
        yield Finding(wording.FILES, State.FINE, said.fill(what=what, path=path))
    for folder in dict.fromkeys((paths.data, paths.config)):
        there = next(each for each in (folder, *folder.parents) if each.exists())
        if not there.is_dir() or not os.access(there, os.W_OK):
            yield Finding(wording.FILES, State.WRONG, wording.FOLDER_READ_ONLY.fill(path=there))


def _versions() -> Iterator[Finding]:
    names = ", ".join(f"{name} {version_of(name)}" for name in ("quizapp", *PACKAGES))
    yield Finding(wording.VERSIONS, State.FINE, same(f"Python {platform.python_version()}, {platform.platform()}"))
    yield Finding(wording.VERSIONS, State.FINE, same(names))
    for name in PACKAGES:
        if find_spec(name) is None:
            message = wording.MISSING_PACKAGE.fill(package=name, command=f"pip install {name}")
            yield Finding(wording.VERSIONS, State.WRONG, message)
    yield _torch()
    fonts = Path(__file__).parent / "sheets" / "fonts"
    if not any(fonts.glob("*.otf")) and not any(fonts.glob("*.ttf")):
        yield Finding(wording.VERSIONS, State.WRONG, wording.NO_FONTS.fill(path=fonts))


def _torch() -> Finding:
    if find_spec("torch") is None:
        message = wording.MISSING_PACKAGE.fill(package="torch", command="pip install torch")
        return Finding(wording.VERSIONS, State.WRONG, message)
    try:
        import torch
    except Exception as fault:  # a library that is missing, or built for another processor
        reason = " ".join(str(fault).split())[:120]
        return Finding(wording.VERSIONS, State.WRONG, wording.NOT_IMPORTABLE.fill(package="torch", reason=reason))
    return Finding(wording.VERSIONS, State.FINE, same(f"torch {torch.__version__}"))


# Settings ---------------------------------------------------------------------------------------------------------------


def _settings(path: Path, default: Language, today: date) -> Iterator[Finding]:
    defaults = Settings(default, THEMES[0])
    loaded = load(path, defaults, THEMES)
    clashes = _keys(loaded.settings)
    yield from (Finding(wording.SETTINGS, State.WRONG, problem) for problem in clashes)
    yield from (Finding(wording.SETTINGS, State.NOTED, message) for message in loaded.unknown)
    if not loaded.problems and not loaded.unknown and not clashes:
        yield Finding(wording.SETTINGS, State.FINE, wording.SETTINGS_FINE)
    if not loaded.problems:
        return
    written = [name for name in loaded.unusable if field_of(name).write is not None]

    def put_aside() -> Text:
        backup = _free(path, f"{today.isoformat()}-damaged")
        path.rename(backup)
        return wording.SETTINGS_ASIDE.fill(backup=backup)

    def correct() -> Text:
        backup = _free(path, f"{today.isoformat()}-backup")
        shutil.copy2(path, backup)
        save(path, defaults, written)
        return wording.SETTINGS_MENDED.fill(names=Text(", ".join(written), "、".join(written)), backup=backup)

    if not loaded.unusable:  # the file as a whole
        mend = put_aside if path.is_file() else None
        yield Finding(wording.SETTINGS, State.WRONG, loaded.problems[0], mend)
        return
    first = True
    for name, problem in zip(loaded.unusable, loaded.problems, strict=True):
        yield Finding(wording.SETTINGS, State.WRONG, problem, correct if first and name in written else None)
        first = first and name not in written


def _keys(settings: Settings) -> tuple[Text, ...]:
    """Say which keys of a person's own can't be granted."""
    if not settings.keys:
        return ()
    from quizapp.keymap import check  # it imports every screen

    return check(settings.keys).problems


def _free(path: Path, name: str) -> Path:
    place, number = path.with_name(f"{path.name}.{name}"), 1
    while place.exists():
        number += 1
        place = path.with_name(f"{path.name}.{name}-{number}")
    return place


# Progress ---------------------------------------------------------------------------------------------------------------

_FINE = {
    Condition.MISSING: State.FINE,
    Condition.SOUND: State.FINE,
    Condition.OLDER: State.NOTED,
    Condition.LOCKED: State.NOTED,
}


def _progress(path: Path, today: date) -> Iterator[Finding]:
    found = examine(path)
    message = wording.CONDITIONS[found.condition].fill(
        events=count(found.events, EVENT), unreadable=found.unreadable, reason=found.reason
    )
    yield Finding(wording.PROGRESS, _FINE.get(found.condition, State.WRONG), message, _mending(path, found, today))


def _mending(path: Path, found: Examined, today: date) -> Callable[[], Text] | None:
    def rebuild() -> Text:
        from quizapp.progress import Log

        with Log(path) as log:
            log.rebuild()
        return wording.REBUILT

    def save_what_can_be_read() -> Text:
        aside, saved = salvage(path, today)
        return wording.SALVAGED.fill(events=count(saved, EVENT), aside=aside)

    if found.condition is Condition.STALE:
        return rebuild
    if found.condition in (Condition.DAMAGED, Condition.UNREADABLE_EVENTS):
        return save_what_can_be_read
    return None


# The rest ---------------------------------------------------------------------------------------------------------------


def _bank(paths: Paths, default: Language) -> Iterator[Finding]:
    folders = load(paths.settings, Settings(default, "")).settings.bank
    if not folders:
        yield Finding(wording.BANK, State.FINE, wording.NO_FOLDERS)
    for folder in dict.fromkeys(folders):
        _, problems = open_own([folder])
        for problem in problems:
            yield Finding(wording.BANK, State.WRONG, problem)
        if not problems:
            yield Finding(wording.BANK, State.FINE, wording.FOLDER_FINE.fill(folder=folder))


def _crashes(paths: Paths) -> Iterator[Finding]:
    logs = crash_logs(paths.data)
    if logs:
        message = wording.LAST_CRASH.fill(count=count(len(logs), LOG), file=logs[-1])
        yield Finding(wording.CRASHES, State.NOTED, message)
    else:
        yield Finding(wording.CRASHES, State.FINE, wording.NO_CRASHES)
    for file in left_behind(paths.data):
        yield Finding(wording.CRASHES, State.NOTED, wording.WAITING.fill(file=file))


def _terminal() -> Iterator[Finding]:
    encoding = (getattr(sys.stdout, "encoding", None) or "?").lower()
    unicode_out = encoding.startswith("utf")
    said = wording.ENCODING if unicode_out else wording.NOT_UNICODE
    yield Finding(wording.TERMINAL, State.FINE if unicode_out else State.NOTED, said.fill(encoding=encoding))
    if sys.stdout is None or not sys.stdout.isatty():
        yield Finding(wording.TERMINAL, State.FINE, wording.NO_TERMINAL)
        return
    columns, lines = shutil.get_terminal_size()
    values = {"columns": columns, "lines": lines, "least_columns": LEAST[0], "least_lines": LEAST[1]}
    fits = columns >= LEAST[0] and lines >= LEAST[1]
    message = (wording.SIZE if fits else wording.TOO_SMALL).fill(**values)
    yield Finding(wording.TERMINAL, State.FINE if fits else State.NOTED, message)
    term = os.environ.get("TERM", "")
    why = "NO_COLOR" if os.environ.get("NO_COLOR") else "TERM=dumb" if term == "dumb" else ""
    if why:
        yield Finding(wording.TERMINAL, State.NOTED, wording.NO_COLOURS.fill(why=why))
    else:
        shown = " ".join(filter(None, (term, os.environ.get("COLORTERM", "")))) or platform.system()
        yield Finding(wording.TERMINAL, State.FINE, wording.COLOURS.fill(term=shown))


def mend(finding: Finding) -> tuple[bool, Text]:
    """Mend something; tells whether that went well, and what was done."""
    if finding.mend is None:
        return False, Text("", "")
    try:
        return True, finding.mend()
    except (ProgressError, SettingsError) as error:
        return False, wording.NOT_MENDED.fill(reason=error.message)
    except OSError as fault:
        return False, wording.NOT_MENDED.fill(reason=why(fault))
