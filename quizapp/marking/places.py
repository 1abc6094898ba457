"""Find whose a line of answers is, and which part of which problem it answers."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from question_bank.codes import CodeError
from question_bank.problem import Problem, problem
from question_bank.program import Ask
from question_bank.text import Language, Text, same
from quizapp import wording_marking as wording
from quizapp.commands.drawing import label
from quizapp.commands.session import written
from quizapp.marking.answers_file import BadLine, Line
from quizapp.sheets.plan import Copy, OpenQuestion, Sheet, letter

GIVEN_UP = ("?", "？")
"""What gives a part up, as an empty answer does."""

Given = tuple[str | None, ...]
"""One problem's answers, part by part; None where a part was left blank or given up."""

_NUMBER = re.compile(r"(?:第|no\.?|#)?\s*(\d{1,4})\s*题?(?:\.0$|\D.*|)", re.IGNORECASE)
_CODE = re.compile(r"([a-z][a-z0-9-]*\.\d\.[0-9a-z]{5,})(\W.*|)", re.IGNORECASE | re.ASCII)
_QUESTION = re.compile(r"q\d{1,4}", re.IGNORECASE)
_BEFORE_PART = " .,:;/()[]_-、。．：；（）【】题"


@dataclass(frozen=True, slots=True)
class HandedIn:
    """What one person wrote.

    Attributes:
        person: Their name, or the variant's number; empty where nobody is named.
        copy: Their sheet.
        answers: For each problem of ``copy.problems`` its answers.
        lines: The lines of the file that they come from, for each problem and part; 0 where there is none.
        reached: How many of the problems they came to, where the asking ended before the last.
    """

    person: str
    copy: Copy
    answers: tuple[Given, ...]
    lines: tuple[tuple[int, ...], ...] = ()
    reached: int | None = None


@dataclass(frozen=True, slots=True)
class Sorted:
    """A file's answers by person.

    Attributes:
        handed_in: Those who have answers, in the order of the sheet, or in which they come.
        absent: Those who have a sheet and no answers.
        bad: Lines that belong nowhere.
    """

    handed_in: tuple[HandedIn, ...]
    absent: tuple[str, ...]
    bad: tuple[BadLine, ...]


class _Misplaced(Exception):  # noqa: N818
    """Why a line belongs nowhere."""

    def __init__(self, message: Text) -> None:
        super().__init__(message.en)
        self.message = message


def given(text: str) -> str | None:
    """Return an answer, None for a blank one and for a question mark."""
    return None if not text.strip() or text.strip() in GIVEN_UP else text.strip()


def name_of(number: int, part: int, asks: Sequence[Ask]) -> str:
    """Write the number of a problem, with the letter of the part where it has several."""
    return f"{number}{letter(part)}" if len(asks) > 1 else str(number)


# People ----------------------------------------------------------------------------------------------------------------


def sort(sheet: Sheet, lines: Iterable[Line]) -> Sorted:
    """Sort lines by person, problem and part.

    Args:
        sheet: The sheet, or those of a class.
        lines: What the file says.
    """
    by_person: dict[str, list[Line]] = {}
    for line in lines:
        by_person.setdefault(unicodedata.normalize("NFC", " ".join(line.person.split())), []).append(line)
    bad: list[BadLine] = []
    sheets: dict[str, tuple[Copy, list[Line]]] = {}
    for person, theirs in by_person.items():
        try:
            name, copy = _sheet_of(sheet, person, theirs)
        except _Misplaced as fault:
            bad += [_bad(line, fault.message) for line in theirs]
        else:
            sheets.setdefault(name, (copy, []))[1].extend(theirs)
    found = [_handed_in(sheet, name, copy, theirs, bad) for name, (copy, theirs) in sheets.items()]
    if sheet.is_for_class:
        order = {id(copy): place for place, copy in enumerate(sheet.copies)}
        found.sort(key=lambda one: order[id(one.copy)])
    taken = {id(one.copy) for one in found}
    absent = tuple(copy.person for copy in sheet.copies if id(copy) not in taken) if sheet.is_for_class else ()
    return Sorted(tuple(found), absent, tuple(sorted(bad, key=lambda each: each.number)))


def _sheet_of(sheet: Sheet, person: str, lines: Sequence[Line]) -> tuple[str, Copy]:
    if not sheet.is_for_class:
        return person, sheet.copies[0]
    named = find_copy(sheet, person)
    if named is not None:
        return named.person, named
    if all(copy.is_named for copy in sheet.copies):
        near = get_close_matches(person, [copy.person for copy in sheet.copies], n=1)
        hint = wording.NEAREST.fill(near=near[0]) if near else same("")
        said = wording.NOBODY.fill(name=person)
        raise _Misplaced(Text(said.en + hint.en, said.zh + hint.zh))
    copy = _by_codes(sheet, lines)
    if copy is None:
        raise _Misplaced(wording.NO_VARIANT.fill(name=person, last=len(sheet.copies)))
    return person, copy


def find_copy(sheet: Sheet, person: str) -> Copy | None:
    """Find a person's sheet by the name, or a variant by its number; case doesn't matter, nor do blanks where only one fits."""
    exact = [copy for copy in sheet.copies if copy.person == person]
    if exact:
        return exact[0]
    folded = _folded(person)
    if not all(copy.is_named for copy in sheet.copies):
        number = re.fullmatch(r"(?:variant|第|no\.?|#)?\s*0*(\d+)\s*卷?", folded)
        folded = number[1] if number else folded
    found = [copy for copy in sheet.copies if _folded(copy.person) == folded]
    if not found:  # 张三 for 张 三
        found = [copy for copy in sheet.copies if copy.is_named and _unparted(copy.person) == _unparted(folded)]
    return found[0] if len(found) == 1 else None


def _folded(name: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def _unparted(name: str) -> str:
    return _folded(name).replace(" ", "")


def _by_codes(sheet: Sheet, lines: Sequence[Line]) -> Copy | None:
    """Find the variant that has most of the codes."""
    codes = {match[1].lower() for line in lines if (match := _CODE.fullmatch(line.problem.strip()))}
    counts = [sum(code in codes for code in copy.codes) for copy in sheet.copies]
    return sheet.copies[counts.index(max(counts))] if max(counts) else None


# Problems and parts ----------------------------------------------------------------------------------------------------


def _handed_in(sheet: Sheet, person: str, copy: Copy, lines: Sequence[Line], bad: list[BadLine]) -> HandedIn:
    answers: list[list[str | None]] = [[None] * len(each.program.asks) for each in copy.problems]
    numbers: list[list[int]] = [[0] * len(each.program.asks) for each in copy.problems]
    for line in lines:
        text = given(line.answer)
        try:
            place, parts = _place(sheet, copy, line.problem, text)
        except _Misplaced as fault:
            bad.append(_bad(line, fault.message))
            continue
        for part in parts:
            if numbers[place][part] and answers[place][part] != text:
                bad.append(_bad(line, wording.TWICE.fill(line=numbers[place][part])))
                break
            answers[place][part], numbers[place][part] = text, line.number
    return HandedIn(person, copy, tuple(map(tuple, answers)), tuple(map(tuple, numbers)))


def _bad(line: Line, message: Text) -> BadLine:
    text = ", ".join(cell for cell in (line.person, line.problem, line.answer) if cell)
    return BadLine(line.number, text, message)


def _place(sheet: Sheet, copy: Copy, cell: str, text: str | None) -> tuple[int, Sequence[int]]:
    """Find the problem among ``copy.problems``, and its parts: all of them where a blank names none."""
    number, item, rest = _item(sheet, copy, unicodedata.normalize("NFKC", cell).strip())
    if isinstance(item, OpenQuestion):
        raise _Misplaced(wording.OPEN_QUESTION.fill(number=number))
    place = copy.problems.index(item)
    asks = item.program.asks
    part = rest.strip(_BEFORE_PART)
    if len(asks) == 1:
        if part and part.casefold() not in ("a", *map(str.casefold, _names(asks[0]))):
            raise _Misplaced(wording.ONE_PART.fill(number=number, part=part))
        return place, (0,)
    if part:
        return place, (_part(number, asks, part),)
    if text is None:
        return place, range(len(asks))
    raise _Misplaced(wording.WHICH_PART.fill(number=number, parts=_listed(number, asks)))


def _item(sheet: Sheet, copy: Copy, cell: str) -> tuple[int, Problem | OpenQuestion, str]:
    """Find what has a number, a code or an id, and what stands behind it."""
    code = _CODE.fullmatch(cell)
    if code is not None:
        name = code[1].lower()
        for number, item in copy.numbered():
            if isinstance(item, Problem) and item.code == name:
                return number, item, code[2]
        raise _Misplaced(_elsewhere(sheet, name))
    if _QUESTION.fullmatch(cell):
        for number, item in copy.numbered():
            if isinstance(item, OpenQuestion) and item.id.casefold() == cell.casefold():
                return number, item, ""
    found = _NUMBER.fullmatch(cell)
    if found is None:
        raise _Misplaced(wording.NOT_A_PROBLEM.fill(cell=cell[:60]))
    number = int(found[1])
    if not 1 <= number <= len(copy.items):
        raise _Misplaced(wording.NO_NUMBER.fill(number=number, last=len(copy.items)))
    rest = cell[found.end(1) :]
    return number, copy.items[number - 1], "" if rest == ".0" else rest


def _elsewhere(sheet: Sheet, code: str) -> Text:
    for copy in sheet.copies:
        if code in copy.codes:
            other = same(copy.person) if copy.is_named else wording.VARIANT.fill(number=copy.person)
            return wording.WHOSE_SHEET.fill(code=code, other=other)
    try:
        problem(code)
    except CodeError as error:
        return Text(error.message.en.rstrip("."), error.message.zh.rstrip("。"))
    return wording.OTHER_SHEET.fill(code=code)


def _names(ask: Ask) -> tuple[str, ...]:
    return tuple(written(label(ask), language) for language in Language)


def _part(number: int, asks: Sequence[Ask], part: str) -> int:
    """Find a part by its letter, or by its name; capitals may be either, where a matrix is called A."""
    named = next((place for place, ask in enumerate(asks) if part in _names(ask)), None)
    at = ord(part.lower()) - ord("a") if len(part) == 1 and part.isascii() else -1
    if not 0 <= at < len(asks):
        at = -1
    if named is not None and part != part.lower():
        if at not in (-1, named):
            raise _Misplaced(
                wording.TWO_READINGS.fill(
                    cell=f"{number}{part}", letter=letter(at), name=part, number=number, other=letter(named)
                )
            )
        return named
    if at >= 0:
        return at
    if named is not None:
        return named
    raise _Misplaced(wording.NO_PART.fill(number=number, part=part[:40], parts=_listed(number, asks)))


def _listed(number: int, asks: Sequence[Ask]) -> Text:
    parts = [wording.PART_IS.fill(letter=name_of(number, place, asks), name=label(ask)) for place, ask in enumerate(asks)]
    return Text(", ".join(part.en for part in parts), "、".join(part.zh for part in parts))
