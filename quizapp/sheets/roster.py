"""Read the names of a class from a CSV file."""

from __future__ import annotations

import codecs
import csv
import unicodedata
from collections.abc import Sequence
from pathlib import Path

from question_bank.system_errors import why
from question_bank.text import Text

MOST_PEOPLE = 5000
LONGEST_NAME = 60
_LARGEST = 2**21
"""Bytes of the largest file that is read."""

_HEADINGS = frozenset(("name", "names", "full name", "student", "person", "姓名", "名字", "学生", "学生姓名"))
_GIVEN = frozenset(("first name", "given name", "firstname", "first", "名"))
_FAMILY = frozenset(("last name", "family name", "surname", "lastname", "last", "姓"))
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))

CANNOT_READ = Text("The roster {file} can't be read: {reason}.", "名单 {file} 无法读取：{reason}。")
TOO_LARGE = Text("it is too large for a roster", "文件太大，不会是名单")
NOT_TEXT = Text(
    "The roster {file} is not UTF-8 text (line {line}). In a spreadsheet, save it as “CSV UTF-8”.",
    "名单 {file} 不是 UTF-8 文本（第 {line} 行）。请在表格软件中另存为“CSV UTF-8”格式。",
)
BAD_LINE = Text("{file}, line {line}: {what}.", "{file} 第 {line} 行：{what}。")
NO_NAME = Text("the name is missing", "缺少姓名")
LONG_NAME = Text("the name is longer than {most} characters", "姓名超过 {most} 个字符").fill(most=LONGEST_NAME)
CONTROL = Text("the name has a control character", "姓名中有控制字符")
TWICE = Text("“{name}” is on line {first} already", "“{name}”已在第 {first} 行出现过")
BROKEN = Text("not readable as CSV ({reason})", "不是有效的 CSV（{reason}）")
WIDER = Text(
    "more columns than line {line}. A name with a comma stands between quotation marks",
    "列数比第 {line} 行多。含逗号的姓名请加引号",
)
NOBODY = Text("The roster {file} has no names.", "名单 {file} 中没有姓名。")
CROWD = Text("The roster {file} has more than {most} names.", "名单 {file} 超过 {most} 人。").fill(most=f"{MOST_PEOPLE:,}")


class RosterError(Exception):
    """A roster that can't be used.

    Attributes:
        message: What is wrong, and on which line.
    """

    def __init__(self, message: Text) -> None:
        """Keep the message in both languages."""
        super().__init__(message.en)
        self.message = message


def read_roster(path: Path) -> tuple[str, ...]:
    """Read the names: the column headed “name” or “姓名”, else those of first and last names, else the first column.

    One person a line, no name twice.

    Raises:
        RosterError: The file can't be read, or a line is at fault, which is named.
    """
    name = path.name or str(path)
    try:
        with path.open("rb") as stream:
            data = stream.read(_LARGEST + 1)
    except OSError as fault:
        raise RosterError(CANNOT_READ.fill(file=name, reason=why(fault))) from fault
    if len(data) > _LARGEST:
        raise RosterError(CANNOT_READ.fill(file=name, reason=TOO_LARGE))
    encoding = next((encoding for mark, encoding in _MARKS if data.startswith(mark)), "utf-8")
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as fault:
        raise RosterError(NOT_TEXT.fill(file=name, line=data[: fault.start].count(b"\n") + 1)) from fault
    return _names(text, name)


def _names(text: str, file: str) -> tuple[str, ...]:
    delimiter = max(",;\t", key=lambda each: text.partition("\n")[0].count(each))
    reader = csv.reader(text.splitlines(keepends=True), delimiter=delimiter, strict=True)
    columns: tuple[int, ...] | None = None
    first = width = 0
    lines: dict[str, int] = {}
    before = 0
    try:
        for row in reader:
            line, before = before + 1, reader.line_num
            cells = [cell.strip() for cell in row]
            if not any(cells):
                continue
            if columns is None:
                columns, first, width = _headed(cells), line, len(cells)
                if columns:
                    continue
                columns = (0,)
            if any(cells[width:]):
                raise RosterError(BAD_LINE.fill(file=file, line=line, what=WIDER.fill(line=first)))
            _add(lines, cells, columns, line, file)
    except csv.Error as fault:
        raise RosterError(BAD_LINE.fill(file=file, line=before + 1, what=BROKEN.fill(reason=fault))) from fault
    if not lines:
        raise RosterError(NOBODY.fill(file=file))
    if len(lines) > MOST_PEOPLE:
        raise RosterError(CROWD.fill(file=file))
    return tuple(lines)


def _headed(cells: Sequence[str]) -> tuple[int, ...]:
    """Return the columns that make up a name, in the order in which it is said; none where no cell is a heading."""
    known = [cell.casefold() for cell in cells]
    for headings in (_HEADINGS,), (_GIVEN, _FAMILY):
        found = [next((place for place, cell in enumerate(known) if cell in each), None) for each in headings]
        places = tuple(place for place in found if place is not None)
        if len(places) == len(headings):
            return places[::-1] if known[places[0]] == "名" else places
    return ()


def _add(lines: dict[str, int], cells: Sequence[str], columns: Sequence[int], line: int, file: str) -> None:
    parts = [cells[column] for column in columns if column < len(cells)]
    name = ("" if all(part > "\u2e80" for part in parts) else " ").join(filter(None, parts))
    fault: Text | None = None
    if not name:
        fault = NO_NAME
    elif len(name) > LONGEST_NAME:
        fault = LONG_NAME
    elif any(unicodedata.category(character) in ("Cc", "Cs") for character in name):
        fault = CONTROL
    elif name in lines:
        fault = TWICE.fill(name=name, first=lines[name])
    if fault is not None:
        raise RosterError(BAD_LINE.fill(file=file, line=line, what=fault))
    lines[name] = line
