"""Read a CSV file of answers, line by line; a line that can't be used is kept with the reason."""

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
from quizapp import wording_marking as wording

LARGEST = 2**24
"""Bytes of the largest file that is read."""

LONGEST_RECORD = 40
"""Lines over which one quoted answer may go, such as a matrix row by row."""

DELIMITERS = "\t;；，,"
"""What may part the cells; of those that fit as well, the first."""

_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_PERSON = frozenset(("person", "name", "names", "full name", "student", "variant", "姓名", "名字", "学生", "学生姓名", "卷号"))
_PROBLEM = frozenset(("problem", "number", "no", "no.", "code", "question", "题号", "题目", "题", "代码", "题目代码"))
_ANSWER = frozenset(("answer", "answers", "答案", "作答", "回答"))
_LOOKS_LIKE_A_PROBLEM = re.compile(r"第?\d{1,3}\D{0,12}|[a-z][a-z0-9-]*\.\d\.[0-9a-z]{5,}.{0,12}|q\d{1,3}", re.IGNORECASE)

_COMMAS = ",，"
_ANY = re.compile(f"[{DELIMITERS}]")
_QUOTED = re.compile(r'"[^"]*"')


class AnswersError(Exception):
    """A file of answers that can't be read at all.

    Attributes:
        message: Why, in both languages.
    """

    def __init__(self, message: Text) -> None:
        """Keep the message in both languages."""
        super().__init__(message.en)
        self.message = message


@dataclass(frozen=True, slots=True)
class Line:
    """What one line of the file says, not looked up yet.

    Attributes:
        number: Its number, from 1; the first of an answer that goes over several.
        person: Whose answer it is; empty where the file has no people.
        problem: To what: a number or a code, maybe with a part.
        answer: The answer; empty where it was left blank.
    """

    number: int
    person: str
    problem: str
    answer: str


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that can't be marked.

    Attributes:
        number: Its number, from 1.
        text: What stands there.
        message: Why, without a full stop.
    """

    number: int
    text: str
    message: Text


@dataclass(frozen=True, slots=True)
class Answers:
    """A file of answers.

    Attributes:
        lines: The lines, in order.
        bad: Those that can't be used.
    """

    lines: tuple[Line, ...]
    bad: tuple[BadLine, ...] = ()


@dataclass(frozen=True, slots=True)
class _Record:
    number: int
    text: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Columns:
    """Which column is which; ``person`` is None in a file without people."""

    person: int | None
    problem: int
    answer: int
    count: int = 0

    @property
    def expected(self) -> Text:
        return wording.TWO_CELLS if self.person is None else wording.THREE_CELLS


def load(path: Path) -> Answers:
    """Read a file.

    Raises:
        AnswersError: It can't be read, or has no answers.
    """
    try:
        with path.open("rb") as stream:
            data = stream.read(LARGEST + 1)
    except (OSError, ValueError) as fault:  # a name with a zero byte
        raise _refusal(path, why(fault)) from fault
    if len(data) > LARGEST:
        raise _refusal(path, wording.TOO_LARGE)
    encoding = next((encoding for mark, encoding in _MARKS if data.startswith(mark)), "utf-8")
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as fault:
        line = data[: fault.start].count(b"\n") + 1
        raise _refusal(path, wording.NOT_TEXT.fill(line=line)) from fault
    found = read(text)
    if not found.lines and not found.bad:
        raise _refusal(path, wording.NO_LINES)
    return found


def _refusal(path: Path, reason: Text) -> AnswersError:
    return AnswersError(wording.CANNOT_READ.fill(file=path.name or str(path), reason=reason))


def read(text: str) -> Answers:
    """Read answers: person, problem, answer a line, or a table with a column for each problem.

    The columns are those that the first line names, else these three in this order. An answer in the last column may have the
    delimiter in it, quoted or not.
    """
    rows = text.lstrip("\ufeff").splitlines()
    delimiter = _delimiter(rows)
    bad: list[BadLine] = []
    records = list(_records(rows, delimiter, bad))
    lines: list[Line] = []
    if records:
        heading = records[0].cells
        columns = _named(heading)
        if columns is not None:
            _list(records[1:], columns, delimiter, lines, bad)
        elif _is_wide(heading):
            _table(records, lines, bad)
        else:
            _list(records, _unnamed(records), delimiter, lines, bad)
    return Answers(tuple(lines), tuple(sorted(bad, key=lambda each: each.number)))


# Cells -----------------------------------------------------------------------------------------------------------------


def _delimiter(rows: Sequence[str]) -> str:
    """Find what parts the cells: what gives most lines a second cell that looks like a problem."""
    heading = next((row for row in rows if row.strip()), "")
    plain = [_QUOTED.sub('"', row) for row in rows[:200]]
    best, most = ",", 0
    for each in DELIMITERS:
        fits = sum(4 * _fit(row, each) + (each in row) for row in plain)
        names = [_folded(cell) for cell in heading.split(each)]
        fits += 1000 * (len(names) > 1 and (bool(_ANSWER.intersection(names)) or _is_wide(names)))
        if fits > most:
            best, most = each, fits
    return best


def _fit(row: str, delimiter: str) -> int:
    cells = row.split(delimiter, 2)
    if len(cells) < 2 or not _LOOKS_LIKE_A_PROBLEM.fullmatch(cells[-2 if len(cells) == 2 else 1].strip(' "')):
        return 0
    clean = not any(each in cells[0] for each in DELIMITERS)
    return 1 + clean + (len(cells) == 3)


def _records(rows: Sequence[str], delimiter: str, bad: list[BadLine]) -> Iterator[_Record]:
    """Yield what belongs together; a quoted answer may go over several lines."""
    at = 0
    while at < len(rows):
        cells: list[str] | None = None
        used, fault = 1, wording.BROKEN_QUOTE
        while used <= LONGEST_RECORD and at + used <= len(rows):
            try:
                cells = next(csv.reader(["\n".join(rows[at : at + used])], delimiter=delimiter, strict=True), [])
                break
            except csv.Error as error:
                if "unexpected end" not in str(error):
                    fault = wording.BROKEN if used == 1 else fault
                    break
                used += 1
        text = "\n".join(rows[at : at + used]) if cells is not None else rows[at]
        if cells is None:
            bad.append(BadLine(at + 1, text, fault))
        elif any(cell.strip() for cell in cells):
            stripped = [cell.strip() for cell in cells]
            while len(stripped) > 3 and not stripped[-1]:
                stripped.pop()  # cells that a spreadsheet adds
            yield _Record(at + 1, text, tuple(stripped))
        at += used if cells is not None else 1


def _folded(cell: str) -> str:
    return unicodedata.normalize("NFKC", cell).strip(' "\ufeff').casefold()


def _named(heading: Sequence[str]) -> _Columns | None:
    """Return the columns that the first line names; None where it is no heading."""
    places: list[int | None] = []
    for names in (_PERSON, _PROBLEM, _ANSWER):
        places.append(next((place for place, cell in enumerate(heading) if _folded(cell) in names), None))
    person, problem, answer = places
    return None if problem is None or answer is None else _Columns(person, problem, answer, len(heading))


def _is_wide(heading: Sequence[str]) -> bool:
    first, *others = heading
    return _folded(first) in _PERSON and bool(others) and all(_LOOKS_LIKE_A_PROBLEM.fullmatch(_folded(each)) for each in others)


def _unnamed(records: Sequence[_Record]) -> _Columns:
    people = any(len(record.cells) > 2 for record in records)
    return _Columns(0, 1, 2) if people else _Columns(None, 0, 1)


# Lines -----------------------------------------------------------------------------------------------------------------


def _list(records: Sequence[_Record], columns: _Columns, delimiter: str, lines: list[Line], bad: list[BadLine]) -> None:
    last = max(columns.person or 0, columns.problem, columns.answer)
    fewest = last if columns.answer == last else last + 1
    for record in records:
        cells = list(record.cells)
        if len(cells) <= last and (delimiter in _COMMAS or delimiter not in record.text) and '"' not in record.text:
            cells = [cell.strip() for cell in _ANY.split(record.text, last)]  # typed with other commas than the rest
        if len(cells) < fewest:
            bad.append(BadLine(record.number, record.text, columns.expected))
            continue
        cells += [""] * (last + 1 - len(cells))
        if columns.answer == last and len(cells) > max(last + 1, columns.count):
            cells[last:] = [f"{delimiter} ".join(cells[last:])]
        person = "" if columns.person is None else cells[columns.person]
        if columns.person is not None and not person:
            bad.append(BadLine(record.number, record.text, wording.NO_PERSON))
        elif not cells[columns.problem]:
            bad.append(BadLine(record.number, record.text, wording.NO_PROBLEM))
        else:
            lines.append(Line(record.number, person, cells[columns.problem], cells[columns.answer]))


def _table(records: Sequence[_Record], lines: list[Line], bad: list[BadLine]) -> None:
    heading, *others = records
    for record in others:
        person, *cells = record.cells
        if len(record.cells) > len(heading.cells):
            message = wording.MORE_CELLS.fill(found=len(record.cells), named=len(heading.cells))
            bad.append(BadLine(record.number, record.text, message))
        elif not person:
            bad.append(BadLine(record.number, record.text, wording.NO_PERSON))
        else:
            cells += [""] * (len(heading.cells) - 1 - len(cells))
            lines += [Line(record.number, person, name, cell) for name, cell in zip(heading.cells[1:], cells, strict=True)]
