"""Editing a TOML file that a person edits too: other keys, remarks and line ends stay as they are."""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from datetime import date
from pathlib import Path

Value = str | int | date
"""What a key can be set to."""

BESIDE = ".unreadable"
"""What is added to the name of a file that can't be read, for the copy that is kept of it."""


def read(path: Path) -> dict[str, object]:
    """Read a file.

    Raises:
        OSError: It can't be read; ``FileNotFoundError`` where there is none.
        tomllib.TOMLDecodeError: It is no TOML.
        UnicodeDecodeError: It is no text.
    """
    return tomllib.loads(_text(path))


def write(path: Path, values: Mapping[str, Value]) -> None:
    """Set keys: the whole file is written or, where that fails, nothing.

    A file that can't be read is written anew, and a copy of it left beside it.

    Raises:
        OSError: The file can't be written.
    """
    file = path.resolve()  # a link, as people who keep their settings under version control have, stays a link
    file.parent.mkdir(parents=True, exist_ok=True)
    text = _edited(file, values) if file.exists() else ""
    if text is None:
        shutil.copy2(file, file.with_name(f"{file.name}{BESIDE}"))
    replace(file, text or "".join(f"{_line(key, value)}\n" for key, value in values.items()))


def replace(file: Path, text: str) -> None:
    """Put a text in a file's place, at once or not at all.

    Raises:
        OSError: It can't be written.
    """
    descriptor, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as draft:
            draft.write(text)
            draft.flush()
            os.fsync(draft.fileno())
        if file.exists():
            shutil.copymode(file, name)
        os.replace(name, file)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8-sig")  # Windows' editor puts a mark in front


def _edited(file: Path, values: Mapping[str, Value]) -> str | None:
    """Return the text of a file with some values replaced, or added on top; None where that fails."""
    try:
        text = _text(file)
        old = tomllib.loads(text)
        for key, value in values.items():
            if key in old:
                text = _with_line(text, key, _line(key, value))
        text = "".join(f"{_line(key, value)}\n" for key, value in values.items() if key not in old) + text
        # The simple edit doesn't know all of TOML, such as quoted keys and texts over many lines.
        return text if tomllib.loads(text) == {**old, **values} else None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError):
        return None


def _with_line(text: str, key: str, line: str) -> str:
    """Return lines of TOML with the first that sets a key replaced, its remark kept."""
    old = rf"^[ \t]*{key}[ \t]*=[ \t]*(?:\"[^\"\n]*\"|'[^'\n]*'|[^#\s]*)(?=[ \t]*(?:#.*)?\r?$)"
    return re.sub(old, lambda _: line, text, count=1, flags=re.MULTILINE)


def _line(key: str, value: Value) -> str:
    if not isinstance(value, str):
        return f"{key} = {value}"  # a number, or a date as TOML has it
    quoted = json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")  # the one sign in which TOML is stricter
    return f"{key} = {quoted}"
