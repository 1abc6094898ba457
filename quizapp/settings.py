"""The settings: a TOML file that a person can edit. A value that can't be used falls back, with a message that says which."""

from __future__ import annotations

import locale
import os
import re
import tomllib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import date, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

from question_bank.system_errors import why
from question_bank.text import Language, Text, same
from quizapp import settings_file


class SettingsError(Exception):
    """The settings could not be written.

    Attributes:
        message: Which file, and why.
    """

    def __init__(self, message: Text) -> None:
        """Keep the message in both languages."""
        super().__init__(message.en)
        self.message = message


class Order(StrEnum):
    """Which new items come first."""

    COURSE = "course"
    WEAKNESS = "weakness"


@dataclass(frozen=True, slots=True)
class Settings:
    """What a person has chosen.

    Attributes:
        language: The language of everything shown.
        theme: The name of the colours.
        bank: Folders with questions and lessons of the person's own. They are edited in the file only; ``save`` leaves them.
        interview: The day of the interview; None where none is set. It may be past.
        daily: How many new items a day brings at most.
        rollover: The hour of the local morning at which a study day ends.
        order: Which new items come first.
        decimals: How many decimals the numbers in labs have; 0 for as many as each lab has by itself.
        keys: Names of bindings with the key that each shall have; edited in the file only, and checked by ``keymap``.
    """

    language: Language
    theme: str
    bank: tuple[Path, ...] = ()
    interview: date | None = None
    daily: int = 10
    rollover: int = 4
    order: Order = Order.COURSE
    decimals: int = 0
    keys: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Loaded:
    """The settings as they apply, and what was wrong with the file.

    Attributes:
        settings: The settings.
        problems: What to tell the person.
        unusable: The names of the fields whose value can't be used.
        unknown: What to tell the person of names that are like a setting's and are none; a later release's may stand there.
    """

    settings: Settings
    problems: tuple[Text, ...] = ()
    unusable: tuple[str, ...] = ()
    unknown: tuple[Text, ...] = ()


QUOTED = Text("“{text}”", "“{text}”")
EMPTY_LIST = Text("an empty list", "空列表")
TABLE = Text("a table", "一张表")
NO_TEXT = Text("it is not text in UTF-8", "不是 UTF-8 文本")
NO_TOML = Text("it is not TOML from line {line}, column {column} on", "第 {line} 行第 {column} 列起不是有效的 TOML")
NO_END = Text("something in it is still open at its end", "到文件末尾仍有没写完的内容")

MOST_SHOWN = 50
"""So many signs of a text are shown where it can't be used."""


class UnusableError(ValueError):
    """A value that a field can't take."""


@dataclass(frozen=True, slots=True)
class Field:
    """A setting as the file has it.

    Attributes:
        name: Its key, which is also the attribute of ``Settings``.
        wanted: What it can be, in words.
        read: Makes the setting of what the file says, given the file's folder; raises ``UnusableError``.
        write: Makes what the file says of the setting; None for a setting that is edited in the file only.
        always: Whether it is written even where it is what it would be anyway.
        low: The least number, where it is one.
        high: The greatest.
    """

    name: str
    wanted: Text
    read: Callable[[object, Path], Any] = field(repr=False)
    write: Callable[[Any], settings_file.Value] | None = field(default=None, repr=False)
    always: bool = False
    low: int = 0
    high: int = 0


def _any_text(value: object, base: Path) -> str:
    if not isinstance(value, str):
        raise UnusableError
    return value


def _one_of(choices: type[StrEnum]) -> Callable[[object, Path], StrEnum]:
    def read(value: object, base: Path) -> StrEnum:
        if not isinstance(value, str) or value not in tuple(choices):
            raise UnusableError
        return choices(value)

    return read


def _number(name: str, low: int, high: int) -> Field:
    def read(value: object, base: Path) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise UnusableError
        return value

    wanted = Text("a whole number from {low} to {high}", "{low} 到 {high} 的整数").fill(low=low, high=high)
    return Field(name, wanted, read, int, low=low, high=high)


def _date(value: object, base: Path) -> date | None:
    """Read a date of TOML or one between quotation marks; an empty text is none."""
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    if not isinstance(value, str):
        raise UnusableError
    try:
        return date.fromisoformat(value.strip()) if value.strip() else None
    except ValueError as fault:
        raise UnusableError from fault


def _folders(value: object, base: Path) -> tuple[Path, ...]:
    """Read one folder or several; a path starts at the file's folder unless it is absolute or at home."""
    values = value if isinstance(value, list) else [value]
    names = [each for each in values if isinstance(each, str) and each.strip() and "\0" not in each]
    if len(names) < len(values):
        raise UnusableError
    try:
        return tuple(base / Path(name).expanduser() for name in names)
    except RuntimeError as fault:  # ~somebody, and there is nobody of that name
        raise UnusableError from fault


def _keys(value: object, base: Path) -> tuple[tuple[str, str], ...]:
    """Read a table of keys; the dot in ``app.help = "f2"`` makes a table of its own, as TOML has it."""
    if not isinstance(value, dict):
        raise UnusableError
    found: list[tuple[str, str]] = []
    for name, key in value.items():
        if isinstance(key, dict):
            found += ((f"{name}.{rest}", each) for rest, each in _keys(key, base))
        elif isinstance(key, str) and key.strip():
            found.append((name, key.strip()))
        else:
            raise UnusableError
    return tuple(found)


def _alternatives(choices: Collection[str]) -> Text:
    return Text(" or ".join(choices), "、".join(choices))


FIELDS = (
    Field("language", _alternatives(tuple(Language)), _one_of(Language), str, always=True),
    Field("theme", Text("", ""), _any_text, str, always=True),
    Field("bank", Text("a folder or a list of folders", "一个文件夹，或文件夹列表"), _folders),
    Field(
        "interview",
        Text('a date such as 2026-12-24, or "" for none', '2026-12-24 这样的日期，没有则写 ""'),
        _date,
        lambda day: day or "",
    ),
    _number("daily", 0, 500),
    _number("rollover", 0, 12),
    Field("order", _alternatives(tuple(Order)), _one_of(Order), str),
    _number("decimals", 0, 6),
    Field("keys", Text('a table such as hint = "f2"', '一张表，如 hint = "f2"'), _keys),
)
"""Every setting, in the order in which it is told and written."""

_DEFAULTS = {each.name: each.default for each in fields(Settings)}


def field_of(name: str) -> Field:
    """Return the field of a name."""
    return next(each for each in FIELDS if each.name == name)


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
        values = settings_file.read(path)
    except FileNotFoundError:
        return Loaded(default)
    except OSError as fault:
        return Loaded(default, (_unreadable(path, why(fault)),))
    except UnicodeDecodeError:
        return Loaded(default, (_unreadable(path, NO_TEXT),))
    except tomllib.TOMLDecodeError as fault:
        return Loaded(default, (_unreadable(path, _where(fault)),))
    chosen: dict[str, Any] = {}
    problems: list[Text] = []
    unusable: list[str] = []
    for each in FIELDS:
        if each.name not in values:
            continue
        value = values[each.name]
        try:
            chosen[each.name] = each.read(value, path.parent)
            if each.name == "theme" and themes and value not in themes:
                raise UnusableError
        except UnusableError:
            chosen.pop(each.name, None)
            problems.append(_unusable(path, each, value, themes))
            unusable.append(each.name)
    return Loaded(replace(default, **chosen), tuple(problems), tuple(unusable), _unknown(path, values))


def save(path: Path, settings: Settings, only: Collection[str] | None = None) -> None:
    """Write the settings: the whole file or, where that fails, nothing.

    Other keys and the comments of the file stay. Where it can't be read, a copy is left beside it, with ``.unreadable``
    behind its name.

    Args:
        path: The file.
        settings: What to write.
        only: Names of the fields to write; if left out, language and theme, what isn't as it would be anyway, and what the
            file says already.

    Raises:
        SettingsError: The file can't be written.
    """
    try:
        there = settings_file.read(path)
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError):
        there = {}
    values: dict[str, settings_file.Value] = {}
    for each in FIELDS:
        value = getattr(settings, each.name)
        wanted = each.always or each.name in there or value != _DEFAULTS[each.name] if only is None else each.name in only
        if each.write is not None and wanted:
            values[each.name] = each.write(value)
    try:
        settings_file.write(path, values)
    except OSError as fault:
        raise SettingsError(
            Text("The settings could not be saved in {file} ({reason}).", "设置无法保存到 {file}（{reason}）。").fill(
                file=path, reason=why(fault)
            )
        ) from fault


def _where(fault: tomllib.TOMLDecodeError) -> Text:
    """Say where the file is no TOML; Python says it in English only."""
    found = re.search(r"line (\d+), column (\d+)", str(fault))
    return NO_TOML.fill(line=found[1], column=found[2]) if found else NO_END


def _unreadable(path: Path, reason: Text) -> Text:
    return Text(
        "The settings file {file} can't be read ({reason}); the defaults apply.",
        "设置文件 {file} 无法读取（{reason}），已改用默认设置。",
    ).fill(file=path, reason=reason)


def _unknown(path: Path, values: Collection[str]) -> tuple[Text, ...]:
    names = [each.name for each in FIELDS]
    others = [name for name in values if name not in names]
    if not others:
        return ()
    from difflib import get_close_matches

    message = Text(
        "In the settings file {file}, {key} is no setting and has no effect; did you mean {near}?",
        "设置文件 {file} 中的 {key} 不是设置项，不起作用。是否想写 {near}？",
    )
    near = ((name, get_close_matches(name, names, n=1, cutoff=0.7)) for name in others)
    return tuple(message.fill(file=path, key=_as_typed(name), near=found[0]) for name, found in near if found)


def _unusable(path: Path, unfit: Field, value: object, themes: Collection[str]) -> Text:
    message = Text(
        "In the settings file {file}, {key} is {value}, which can't be used; the default applies.",
        "设置文件 {file} 中 {key} 的值无法使用：{value}。已改用默认值。",
    )
    wanted = _alternatives(themes) if unfit.name == "theme" else unfit.wanted
    if wanted.en:
        message += Text("It can be {wanted}.", "可选的值：{wanted}。")
    return message.fill(file=path, key=unfit.name, value=_as_typed(value), wanted=wanted)


def _as_typed(value: object) -> Text:
    """Write a value of the file as a person would read it out, in quotation marks where it is a text."""
    from question_bank.math import escape  # a dollar sign would begin a formula

    if isinstance(value, str):
        text = " ".join(value.replace("\0", " ").split())
        return QUOTED.fill(text=escape(text if len(text) <= MOST_SHOWN else text[: MOST_SHOWN - 1] + "…"))
    if isinstance(value, bool):
        return same(str(value).lower())
    if isinstance(value, list):
        parts = [_as_typed(each) for each in value[:3]] + [same("…")] * (len(value) > 3)
        return Text(", ".join(part.en for part in parts), "、".join(part.zh for part in parts)) if parts else EMPTY_LIST
    return TABLE if isinstance(value, dict) else same(str(value))
