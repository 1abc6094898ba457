"""What ``quizapp export`` is told to export: questions, lessons and drills, named one by one, by group or by section."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from question_bank.bank import Bank
from question_bank.drills import DRILLS
from question_bank.problem import find_drill
from question_bank.questions import Group
from question_bank.search import Kind
from question_bank.text import Text
from quizapp.commands.contents import Target, find_target
from quizapp.commands.exits import MisuseError
from quizapp.sheets.choosing import Source

T = TypeVar("T")

ALL = "all"
_PARTED = re.compile(r"[\s,;，、；]+")
_SECTION = re.compile(r"\d{1,3}\.\d{1,3}", re.ASCII)


def questions(names: str, bank: Bank) -> tuple[int, ...]:
    """Find questions: ``all``, groups such as ``A``, numbers such as ``Q7`` or ``7``, sections such as ``7.9``.

    Raises:
        MisuseError: One of them names no question.
    """
    return _each(names, lambda name: _questions(name, bank))


def _questions(name: str, bank: Bank) -> Iterator[int]:
    headings = bank.titles()
    if name.casefold() == ALL:
        yield from bank.numbers()
    elif name.upper() in tuple(Group):
        yield from (int(each.id[1:]) for each in headings if each.group == name.upper())
    elif _SECTION.fullmatch(name):
        found = [int(each.id[1:]) for each in headings if each.section == name]
        if not found:
            message = Text("No question belongs to section {section}.", "{section} 节没有面试题。")
            raise MisuseError(message.fill(section=name))
        yield from found
    else:
        yield _target(f"Q{name}" if name.isdecimal() else name, Kind.QUESTION, bank).number


def lessons(names: str, bank: Bank) -> tuple[str, ...]:
    """Find lessons: ``all``, or sections such as ``7.9``.

    Raises:
        MisuseError: One of them names no lesson.
    """

    def find(name: str) -> Iterator[str]:
        if name.casefold() == ALL:
            yield from bank.sections()
        else:
            yield _target(name, Kind.LESSON, bank).id

    return _each(names, find)


def drills(names: str, level: int | None) -> tuple[Source, ...]:
    """Find drills: ``all``, names such as ``softmax-row``, sections such as ``7.9``; each at a level, or at all of its levels.

    Raises:
        MisuseError: A section has no drill, or none of the drills has the level.
        CodeError: There is no such drill.
    """
    found = _each(names, _drills)
    sources = tuple(
        Source(DRILLS[drill], each) for drill in found for each in DRILLS[drill].levels if level is None or each == level
    )
    if not sources:
        raise MisuseError(Text("None of these drills has level {level}.", "这些练习都没有难度 {level}。").fill(level=level))
    return sources


def _drills(name: str) -> Iterator[str]:
    if name.casefold() == ALL:
        yield from DRILLS
    elif _SECTION.fullmatch(name):
        found = [each.id for each in DRILLS.values() if each.section == name]
        if not found:
            raise MisuseError(Text("Section {section} has no drill.", "{section} 节没有练习。").fill(section=name))
        yield from found
    else:
        yield find_drill(name).id


_NOT = {
    Kind.QUESTION: Text("{name} is no question.", "{name} 不是面试题。"),
    Kind.LESSON: Text("{name} is no lesson.", "{name} 不是讲解。"),
}


def _target(name: str, kind: Kind, bank: Bank) -> Target:
    target = find_target(name, bank)
    if target.kind is not kind:
        raise MisuseError(_NOT[kind].fill(name=target.id))
    return target


def _each(names: str, find: Callable[[str], Iterable[T]]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(each for name in _PARTED.split(names.strip()) if name for each in find(name)))
