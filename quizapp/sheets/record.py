"""A sheet as JSON, from which this release or a later one marks it.

Every problem's program is written out beside its code, so that a sheet can still be marked when a drill has been revised since.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec

from question_bank.problem import Problem
from question_bank.program import from_json, to_json
from question_bank.system_errors import why
from question_bank.text import Text
from quizapp.release import release
from quizapp.sheets.plan import Copy, Item, Languages, OpenQuestion, Paper, Sheet

KIND = "quizapp-sheet"
VERSION = 1
"""Raised when an older release could no longer read what is written."""

LARGEST = 200 * 2**20
"""Bytes of the largest file that is read: a thousand personal sheets take some ten million."""

NOT_A_SHEET = Text("{name} is not a sheet that quizapp wrote{where}.", "{name} 不是 quizapp 生成的练习卷文件{where}。")
NEWER = Text(
    "{name} was written by a newer release ({release}); this one reads sheets up to version {version}.",
    "{name} 由更新的版本（{release}）生成；当前版本最高支持第 {version} 版练习卷。",
)
CANNOT_READ = Text("{name} can't be read: {reason}.", "{name} 无法读取：{reason}。")
NOT_JSON = Text("it is not whole JSON", "不是完整的 JSON")
NO_FIELDS = Text("fields of a sheet are missing", "缺少练习卷应有的字段")
BAD_FIELD = Text("{place} is missing or is something else", "{place} 处缺少内容或内容不对")
NO_ITEM = Text("{item} is named and isn't there", "引用了 {item}，文件中却没有")
BAD_PROBLEM = Text("the problem {item} can't be read", "题目 {item} 无法读取")
TOO_LARGE = Text("{name} is too large for a sheet.", "{name} 太大，不会是练习卷文件。")


_PLACE = re.compile(r" - at `(?:key in )?([^`]+)`")
"""Where msgspec found what it says in English."""


class SheetError(ValueError):
    """A file that is no sheet, or can't be read.

    Attributes:
        message: What was found, in both languages.
    """

    def __init__(self, message: Text) -> None:
        """Keep the message in both languages."""
        super().__init__(message.en)
        self.message = message


class _ItemError(ValueError):
    """A problem that a sheet lacks, or that can't be read."""

    def __init__(self, message: Text) -> None:
        super().__init__(message.en)
        self.message = message


class _Text(msgspec.Struct, frozen=True):
    en: str
    zh: str


class _Problem(msgspec.Struct, frozen=True):
    drill: str
    level: int
    seed: int
    prompt: _Text
    program: dict[str, Any]
    listing: tuple[str, ...] = ()
    remark: _Text | None = None


class _Question(msgspec.Struct, frozen=True):
    title: _Text
    prompt: _Text
    points: tuple[_Text, ...]
    answer: _Text


class _Copy(msgspec.Struct, frozen=True):
    person: str
    items: tuple[str, ...]
    named: bool = True


class _Sheet(msgspec.Struct, frozen=True):
    kind: str
    version: int
    release: str
    title: str
    languages: Languages
    paper: Paper
    seed: str
    copies: tuple[_Copy, ...]
    problems: dict[str, _Problem]
    questions: dict[str, _Question] = {}


class _Head(msgspec.Struct, frozen=True):
    kind: str
    version: int
    release: str = "?"


def write(sheet: Sheet) -> str:
    """Write a sheet as JSON; a problem that several people have stands there once."""
    items = {_id(item): item for copy in sheet.copies for item in copy.items}
    record = _Sheet(
        KIND,
        VERSION,
        release(),
        sheet.title,
        sheet.languages,
        sheet.paper,
        sheet.seed,
        tuple(_Copy(copy.person, tuple(map(_id, copy.items)), copy.is_named) for copy in sheet.copies),
        {name: _problem(item) for name, item in items.items() if isinstance(item, Problem)},
        {name: _question(item) for name, item in items.items() if isinstance(item, OpenQuestion)},
    )
    return msgspec.json.encode(record).decode() + "\n"


def _id(item: Item) -> str:
    return item.code if isinstance(item, Problem) else item.id


def _text(text: Text) -> _Text:
    return _Text(text.en, text.zh)


def _problem(item: Problem) -> _Problem:
    remark = None if item.remark is None else _text(item.remark)
    return _Problem(item.drill, item.level, item.seed, _text(item.prompt), to_json(item.program), item.listing, remark)


def _question(item: OpenQuestion) -> _Question:
    return _Question(_text(item.title), _text(item.prompt), tuple(map(_text, item.points)), _text(item.answer))


def read(text: str, name: str = "JSON") -> Sheet:
    """Read a sheet that ``write`` wrote.

    Args:
        text: The JSON.
        name: What messages call it, such as the file's name.

    Raises:
        SheetError: It is not a sheet, or of a newer release.
    """
    try:
        head = msgspec.json.decode(text, type=_Head)
        if head.kind != KIND:
            raise SheetError(NOT_A_SHEET.fill(name=name, where=""))
        if head.version > VERSION:
            raise SheetError(NEWER.fill(name=name, release=head.release, version=VERSION))
        return _sheet(msgspec.json.decode(text, type=_Sheet))
    except SheetError:
        raise
    except (ValueError, RecursionError) as fault:  # msgspec's errors are ValueErrors
        where = Text(" ({reason})", "（{reason}）").fill(reason=_reason(fault))
        raise SheetError(NOT_A_SHEET.fill(name=name, where=where)) from fault


def _reason(fault: Exception) -> Text:
    if isinstance(fault, msgspec.ValidationError):
        place = _PLACE.search(str(fault))
        return NO_FIELDS if place is None else BAD_FIELD.fill(place=place[1][:120])
    if isinstance(fault, _ItemError):
        return fault.message
    return NOT_JSON


def load(path: Path) -> Sheet:
    """Read a sheet from a file.

    Raises:
        SheetError: There is no such file, or it is not a sheet.
    """
    try:
        if path.stat().st_size > LARGEST:
            raise SheetError(TOO_LARGE.fill(name=path.name))
        text = path.read_text("utf-8-sig")
    except OSError as fault:
        raise SheetError(CANNOT_READ.fill(name=path.name, reason=why(fault))) from fault
    except UnicodeDecodeError as fault:
        raise SheetError(NOT_A_SHEET.fill(name=path.name, where="")) from fault
    return read(text, path.name)


def is_in_the_way(path: Path) -> bool:
    """Tell whether a file is there that holds something, and no sheet: nobody asked for it to be replaced."""
    try:
        return path.stat().st_size > 0 and msgspec.json.decode(path.read_bytes(), type=_Head).kind != KIND
    except OSError:
        return False
    except ValueError:  # no JSON, or of something else
        return True


def _sheet(record: _Sheet) -> Sheet:
    items: dict[str, Item] = {name: _read_problem(name, each) for name, each in record.problems.items()}
    items |= {name: _read_question(name, each) for name, each in record.questions.items()}
    missing = next((name for copy in record.copies for name in copy.items if name not in items), None)
    if missing is not None:
        raise _ItemError(NO_ITEM.fill(item=missing[:60]))
    copies = tuple(Copy(copy.person, tuple(items[name] for name in copy.items), copy.named) for copy in record.copies)
    return Sheet(record.title, record.languages, record.paper, record.seed, copies)


def _read_text(text: _Text) -> Text:
    return Text(text.en, text.zh)


def _read_problem(code: str, record: _Problem) -> Problem:
    try:
        program = from_json(record.program)
    except (ValueError, RecursionError) as fault:
        raise _ItemError(BAD_PROBLEM.fill(item=code[:60])) from fault
    remark = None if record.remark is None else _read_text(record.remark)
    prompt = _read_text(record.prompt)
    return Problem(record.drill, record.level, record.seed, code, prompt, program, record.listing, remark)


def _read_question(name: str, record: _Question) -> OpenQuestion:
    points = tuple(map(_read_text, record.points))
    return OpenQuestion(name, _read_text(record.title), _read_text(record.prompt), points, _read_text(record.answer))
