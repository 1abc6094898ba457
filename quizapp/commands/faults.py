"""Every fault of a folder of a person's own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from question_bank.bank import read_folder
from question_bank.content import ContentError, Fault, Found
from question_bank.content.faults import make_fault
from question_bank.content.lines import find_lines, line_of
from question_bank.lessons.lesson import Lesson
from question_bank.text import Text
from quizapp.own_bank import open_own


@dataclass(frozen=True, slots=True)
class Report:
    """What was found in a folder.

    Attributes:
        questions: How many questions have no fault.
        lessons: How many lessons have none.
        faults: All faults, by file and line.
    """

    questions: int
    lessons: int
    faults: tuple[Fault, ...]


def examine(folder: Path, others: tuple[Path, ...] = ()) -> Report:
    """Find every fault of a folder.

    Args:
        folder: The folder.
        others: Further folders, whose questions its lessons may name.
    """
    read = read_folder(folder)
    known = _known_numbers(folder, others)
    faults = list(read.faults)
    found = {f"S{lesson.section}.toml": _lesson_faults(lesson, known) for lesson in read.lessons}
    for file, each in found.items():
        if each:
            faults += _placed(each, folder / file)
    faults.sort(key=lambda fault: (fault.file, fault.line or 0))
    lessons = sum(not found[f"S{each.section}.toml"] for each in read.lessons)
    return Report(len(read.questions), lessons, tuple(faults))


def _known_numbers(folder: Path, others: tuple[Path, ...]) -> set[int]:
    """Return the numbers of all questions; a file counts even where it has faults, which are told by themselves."""
    bank, _ = open_own(others)
    own = {int(path.stem[1:]) for path in folder.glob("Q*.toml") if path.stem[1:].isdecimal()}
    return own | set(bank.numbers())


def _lesson_faults(lesson: Lesson, known: set[int]) -> list[Found]:
    """Find questions that don't exist, and programs that can't be run."""
    from solvers.lessons import compute

    found: list[Found] = [
        (f"questions[{index}]", Text(f"names the unknown question Q{number}", f"用到了不存在的题目 Q{number}"))
        for index, number in enumerate(lesson.questions)
        if number not in known
    ]
    try:
        compute(lesson)
    except ContentError as error:
        found += [(fault.field, _without_place(fault)) for fault in error.faults]
    return found


def _without_place(fault: Fault) -> Text:
    """Return what a fault says behind file and field, which are told anew with the line."""
    english, chinese = fault.message.en, fault.message.zh
    return Text(
        english.removeprefix(f"{fault.file}: {fault.field} ").removesuffix("."),
        chinese.removeprefix(f"{fault.file}：{fault.field} ").removesuffix("。"),
    )


def _placed(found: list[Found], path: Path) -> Iterator[Fault]:
    lines = find_lines(path.read_text("utf-8"))
    for field, what in found:
        yield make_fault(path.name, field, line_of(field, lines), what)
