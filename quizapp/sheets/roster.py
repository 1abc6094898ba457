"""Read the names of a class from a CSV file."""

from __future__ import annotations

import codecs
import csv
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from question_bank.system_errors import why
from question_bank.text import Text

MOST_PEOPLE = 5000
LONGEST_NAME = 60
_LARGEST = 2**21
"""Bytes of the largest file that is read."""

_DELIMITERS = ",;\t，；"

_HEADINGS = frozenset(
    ("name", "names", "full name", "student", "pupil", "person", "participant", "姓名", "名字", "名单", "学生", "学员", "考生")
)
_GIVEN = frozenset(("first name", "given name", "firstname", "first", "名"))
_FAMILY = frozenset(("last name", "family name", "surname", "lastname", "last", "姓"))
_SAYS_NAME = re.compile(
    r"(?<![a-z])(?:(?:student|full|first|last|given|family)?names?|surname)(?![a-z])|姓名|名字|名单",
)
_SAYS_GIVEN = re.compile(r"(?:first|given|fore) ?name")
_SAYS_FAMILY = re.compile(r"(?:last|family|sur) ?name")
_OF_SOMETHING_ELSE = re.compile(r"user|login|file|course|class|group|team|school|middle|nick|课程|班级|学校|小组|用户")
_OTHER_HEADINGS = frozenset(
    ("#", "id", "no", "no.", "nr", "nr.", "number", "student id", "student number", "email", "e-mail", "class", "group")
) | frozenset(("编号", "序号", "学号", "考号", "工号", "号码", "班级", "小组", "邮箱", "电子邮箱"))
_NUMBER = re.compile(r"[a-z]{0,2}[-_.#]?\d[\d\s./-]*", re.IGNORECASE)
"""A number, or what numbers a person, such as S-017."""

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
OPEN_QUOTE = Text("a quotation mark is never closed", "引号没有闭合")
AFTER_QUOTE = Text("something follows a closing quotation mark", "右引号后面还有内容")
LONG_CELL = Text("a cell is too long", "单元格内容太长")
NOT_A_NAME = Text(
    "“{cell}” is a number, and there are other columns. Write “name” above the column of names",
    "“{cell}”是编号，而表中还有其他列。请在姓名那一列的上方写“姓名”",
)
NO_NAME_COLUMN = Text(
    "these look like headings, and none says “name”: {found}. Call the column of names “name”",
    "这一行像是标题，但没有“姓名”一列：{found}。请把姓名那一列的标题改为“姓名”",
)
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
    """Read the names: the column whose heading says “name” or “姓名”, else those of first and last names, else the first.

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


@dataclass(frozen=True, slots=True)
class _Row:
    line: int
    cells: tuple[str, ...]

    @property
    def known_as(self) -> list[str]:
        """The cells as headings are compared."""
        return [" ".join(re.split(r"[\s_]+", cell.casefold())) for cell in self.cells]


def _names(text: str, file: str) -> tuple[str, ...]:
    rows = list(_rows(text, file))
    if not rows:
        raise RosterError(NOBODY.fill(file=file))
    columns, start = _columns(rows, file)
    widest = rows[max(0, start - 1)]
    lines: dict[str, int] = {}
    for row in rows[start:]:
        if any(row.cells[len(widest.cells) :]):
            raise RosterError(BAD_LINE.fill(file=file, line=row.line, what=WIDER.fill(line=widest.line)))
        _add(lines, row.cells, columns, row.line, file)
    if not lines:
        raise RosterError(NOBODY.fill(file=file))
    if len(lines) > MOST_PEOPLE:
        raise RosterError(CROWD.fill(file=file))
    return tuple(lines)


def _rows(text: str, file: str) -> Iterator[_Row]:
    """Part the cells; blank lines are left out."""
    lines = text.splitlines(keepends=True)
    delimiter = max(_DELIMITERS, key=lambda each: [line.count(each) for line in lines[:2]])
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    before = 0
    try:
        for row in reader:
            line, before = before + 1, reader.line_num
            cells = tuple(cell.strip() for cell in row)
            if any(cells):
                yield _Row(line, cells)
    except csv.Error as fault:
        said = str(fault)
        reason = AFTER_QUOTE if "expected after" in said else LONG_CELL if "limit" in said else OPEN_QUOTE
        raise RosterError(BAD_LINE.fill(file=file, line=before + 1, what=BROKEN.fill(reason=reason))) from fault


def _columns(rows: Sequence[_Row], file: str) -> tuple[tuple[int, ...], int]:
    """Return the columns that make up a name, in the order in which it is said, and how many rows stand above the first.

    Raises:
        RosterError: It is plain that names are not in the first column, but not where.
    """
    head = rows[0]
    if columns := _headed(head):
        return columns, 1
    said = _saying_name(head)
    has_title = sum(map(bool, head.cells)) == 1 and len(rows) > 1 and (said or len(rows[1].cells) > len(head.cells))
    if has_title and (columns := _headed(rows[1])):
        return columns, 2
    if said:
        return said, 1
    if len(head.cells) == 1 and head.known_as[0] in _OTHER_HEADINGS:
        return (0,), 1
    if head.known_as[0] in _OTHER_HEADINGS or _is_above_others(rows):
        found = [cell[:20] for cell in head.cells if cell][:6]
        listed = Text(", ".join(found), "、".join(found))
        raise RosterError(BAD_LINE.fill(file=file, line=head.line, what=NO_NAME_COLUMN.fill(found=listed)))
    below = rows if len(rows) == 1 or _NUMBER.fullmatch(head.cells[0]) else rows[1:]
    if all(_NUMBER.fullmatch(row.cells[0]) for row in below) and any(any(row.cells[1:]) for row in below):
        what = NOT_A_NAME.fill(cell=below[0].cells[0])
        raise RosterError(BAD_LINE.fill(file=file, line=below[0].line, what=what))
    return (0,), 0


def _headed(row: _Row) -> tuple[int, ...]:
    """Return the columns whose headings are known; none where no cell is one."""
    known = row.known_as
    for headings in (_HEADINGS,), (_GIVEN, _FAMILY):
        found = [next((place for place, cell in enumerate(known) if cell in each), None) for each in headings]
        places = tuple(place for place in found if place is not None)
        if len(places) == len(headings):
            return places[::-1] if known[places[0]] == "名" else places
    return ()


def _saying_name(row: _Row) -> tuple[int, ...]:
    """Return the columns whose headings have “name” among their words."""
    found = [place for place, cell in enumerate(row.known_as) if _SAYS_NAME.search(cell)]
    own = [place for place in found if not _OF_SOMETHING_ELSE.search(row.known_as[place])] or found
    given, family = (
        next((place for place in own if part.search(row.known_as[place])), None) for part in (_SAYS_GIVEN, _SAYS_FAMILY)
    )
    return tuple(own[:1]) if given is None or family is None else (given, family)


def _is_above_others(rows: Sequence[_Row]) -> bool:
    """Tell whether the first row is of another kind than the rest: words above a column of numbers or addresses."""
    head, below = rows[0], rows[1:]
    return len(below) > 1 and any(
        cell
        and not re.search(r"[\d@]", cell)
        and all(re.search(r"[\d@]", "".join(row.cells[place : place + 1])) for row in below)
        for place, cell in enumerate(head.cells)
        if place > 0
    )


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
