"""The settings: a TOML file that a person can edit. A value that can't be used falls back, with a message that says which."""

from __future__ import annotations

import json
import locale
import os
import re
import shutil
import tempfile
import tomllib
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from question_bank.text import Language, Text


class SettingsError(Exception):
    """The settings could not be written.

    Attributes:
        message: Which file, and why.
    """

    def __init__(self, message: Text) -> None:
        """Keep the message in both languages."""
        super().__init__(message.en)
        self.message = message


@dataclass(frozen=True, slots=True)
class Settings:
    """What a person has chosen.

    Attributes:
        language: The language of everything shown.
        theme: The name of the colours.
        bank: Folders with questions and lessons of the person's own. They are edited in the file only; ``save`` leaves them.
    """

    language: Language
    theme: str
    bank: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class Loaded:
    """The settings as they apply, and what was wrong with the file."""

    settings: Settings
    problems: tuple[Text, ...] = ()


def system_language(environment: Mapping[str, str] = os.environ) -> Language:
    """Return Chinese where the system speaks Chinese, else English.

    The variables are looked at as gettext does: ``LC_ALL`` before ``LC_MESSAGES`` before ``LANG``, and ``LANGUAGE`` before
    all of them unless they ask for C. Windows sets none; there Python says what the system has.
    """
    name = next((environment[key] for key in ("LC_ALL", "LC_MESSAGES", "LANG") if environment.get(key)), "")
    if not name:
        name = locale.getlocale()[0] or ""
    preferred = environment.get("LANGUAGE", "").split(":")[0]
    if preferred and name.split(".")[0] not in ("C", "POSIX"):
        name = preferred
    return Language.ZH if name.lower().startswith(("zh", "chinese")) else Language.EN


def load(path: Path, default: Settings, themes: Collection[str] = ()) -> Loaded:
    """Read the settings.

    Args:
        path: The file; it need not exist.
        default: What applies where the file says nothing, or nothing that can be used.
        themes: The themes there are; any name will do where this is empty.
    """
    try:
        values = tomllib.loads(_read(path))
    except FileNotFoundError:
        return Loaded(default)
    except OSError as fault:
        return Loaded(default, (_unreadable(path, fault.strerror or str(fault)),))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as fault:
        return Loaded(default, (_unreadable(path, str(fault)),))
    problems: list[Text] = []
    language, theme = values.get("language", default.language), values.get("theme", default.theme)
    if language not in tuple(Language):
        problems.append(_unusable(path, "language", language, tuple(Language)))
        language = default.language
    if not isinstance(theme, str) or (themes and theme not in themes):
        problems.append(_unusable(path, "theme", theme, themes))
        theme = default.theme
    bank = _folders(values["bank"], path.parent) if "bank" in values else default.bank
    if bank is None:
        problems.append(_unusable(path, "bank", values["bank"], _FOLDERS))
        bank = default.bank
    return Loaded(Settings(Language(language), theme, bank), tuple(problems))


_FOLDERS = Text("a folder or a list of folders", "一个文件夹，或文件夹列表")


def _folders(value: object, base: Path) -> tuple[Path, ...] | None:
    """Read one folder or several; None where they are no such thing.

    Args:
        value: What the file says.
        base: Where a path starts that is neither absolute nor at home.
    """
    values = value if isinstance(value, list) else [value]
    names = [each for each in values if isinstance(each, str) and each.strip() and "\0" not in each]
    if len(names) < len(values):
        return None
    try:
        return tuple(base / Path(name).expanduser() for name in names)
    except RuntimeError:  # ~somebody, and there is nobody of that name
        return None


def save(path: Path, settings: Settings) -> None:
    """Write the settings: the whole file or, where that fails, nothing.

    Other keys and the comments of the file stay. Where it can't be read, a copy is left beside it, with ``.unreadable``
    behind its name.

    Raises:
        SettingsError: The file can't be written.
    """
    values = {"language": settings.language.value, "theme": settings.theme}
    try:
        file = path.resolve()  # a link, as people who keep their settings under version control have, stays a link
        file.parent.mkdir(parents=True, exist_ok=True)
        text = _edited(file, values) if file.exists() else ""
        if text is None:
            shutil.copy2(file, file.with_name(f"{file.name}.unreadable"))
        _replace(file, text or "".join(f"{_line(key, value)}\n" for key, value in values.items()))
    except OSError as fault:
        raise SettingsError(
            Text("The settings could not be saved in {file} ({reason}).", "设置无法保存到 {file}（{reason}）。").fill(
                file=path, reason=fault.strerror or fault
            )
        ) from fault


def _read(path: Path) -> str:
    return path.read_bytes().decode("utf-8-sig")  # Windows' editor puts a mark in front


def _edited(file: Path, values: dict[str, str]) -> str | None:
    """Return the text of a file with some values replaced, or added on top; None where that fails."""
    try:
        text = _read(file)
        old = tomllib.loads(text)
        for key, value in values.items():
            if key in old:
                text = _with_line(text, key, _line(key, value))
        text = "".join(f"{_line(key, value)}\n" for key, value in values.items() if key not in old) + text
        # The simple edit doesn't know all of TOML, such as quoted keys and texts over many lines.
        return text if tomllib.loads(text) == old | values else None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError):
        return None


def _with_line(text: str, key: str, line: str) -> str:
    """Return lines of TOML with the first that sets a key replaced, its remark kept."""
    old = rf"^[ \t]*{key}[ \t]*=[ \t]*(?:\"[^\"\n]*\"|'[^'\n]*'|[^#\s]*)(?=[ \t]*(?:#.*)?\r?$)"
    return re.sub(old, lambda _: line, text, count=1, flags=re.MULTILINE)


def _line(key: str, value: str) -> str:
    quoted = json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")  # the one sign in which TOML is stricter
    return f"{key} = {quoted}"


def _replace(file: Path, text: str) -> None:
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


def _unreadable(path: Path, reason: str) -> Text:
    return Text(
        "The settings file {file} can't be read ({reason}); the defaults apply.",
        "设置文件 {file} 无法读取（{reason}），已改用默认设置。",
    ).fill(file=path, reason=reason)


def _unusable(path: Path, key: str, value: object, choices: Collection[str] | Text) -> Text:
    message = Text(
        "In the settings file {file}, {key} is {value}, which can't be used; the default applies.",
        "设置文件 {file} 中 {key} 的值 {value} 无法使用，已改用默认值。",
    )
    if choices:
        message += Text("It can be {choices}.", "可选的值：{choices}。")
    shown = choices if isinstance(choices, Text) else Text(" or ".join(choices), "、".join(choices))
    return message.fill(file=path, key=key, value=repr(value)[:60], choices=shown)
