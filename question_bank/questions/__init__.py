"""The interview questions: one TOML file each, ``Q01.toml`` to ``Q40.toml``, read when asked for.

Everything above the first table of a file (id, group, section, title, ...) is its heading. ``titles`` reads no further,
so that a list of questions needs neither whole files nor their schema, which is ``question_bank.questions.question``.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from question_bank.text import Text

if TYPE_CHECKING:
    from question_bank.content import Found
    from question_bank.questions.question import Question

FOLDER = Path(__file__).parent


class Group(StrEnum):
    """A group of questions."""

    A = "A"
    B = "B"
    C = "C"
    D = "D"
    E = "E"


GROUPS: dict[Group, Text] = {
    Group.A: Text("Attention basics", "注意力基础"),
    Group.B: Text("Position and order", "位置与顺序"),
    Group.C: Text("Heads and cost", "多头与开销"),
    Group.D: Text("Masks, cross-attention, architecture", "mask、cross-attention 与整体结构"),
    Group.E: Text("Training details and leakage", "训练细节与信息泄漏"),
}
"""What each group is called."""


@dataclass(frozen=True, slots=True)
class Heading:
    """What a list shows of a question.

    Attributes:
        id: ``Q1`` to ``Q40``.
        group: The group that it belongs to.
        section: The section of the course, such as ``7.10``.
        title: A few words, possibly with inline math.
    """

    id: str
    group: Group
    section: str
    title: Text

    @property
    def number(self) -> int:
        """The number in the course."""
        return int(self.id[1:])


def file_of(number: int, folder: Path = FOLDER) -> Path:
    """Return where a question is kept."""
    return folder / f"Q{number:02}.toml"


@cache
def numbers(folder: Path = FOLDER) -> tuple[int, ...]:
    """Return the numbers of the questions there are, without reading them."""
    return tuple(sorted(int(path.stem[1:]) for path in folder.glob("Q[0-9]*.toml") if path.stem[1:].isdecimal()))


@cache
def titles(folder: Path = FOLDER) -> tuple[Heading, ...]:
    """Return the headings of all questions, in the order of the course; fast enough for a home screen.

    Raises:
        ContentError: A file can't be read.
    """
    return tuple(_heading(file_of(number, folder)) for number in numbers(folder))


@cache
def load(number: int, folder: Path = FOLDER) -> Question:
    """Return one question; only its own file is read, once.

    Args:
        number: Its number, 1 to 40 in the course.
        folder: Where it is kept.

    Raises:
        ContentError: There is no such question, or its file is at fault.
    """
    if number not in numbers(folder):
        from question_bank.content import ContentError

        raise ContentError((), Text(f"There is no question Q{number}.", f"没有 Q{number} 这道题。"))
    return read(file_of(number, folder))


def read(path: Path) -> Question:
    """Read a question from a file named after its number.

    Raises:
        ContentError: The file can't be read, or has faults; all of them are told.
    """
    from question_bank.content import read as read_content  # here and not above: a list of questions does without msgspec
    from question_bank.questions.question import Question

    return read_content(path, Question, lambda question: faults(question, path))


def _heading(path: Path) -> Heading:
    try:
        data = tomllib.loads(path.read_text("utf-8").partition("\n[")[0])
        return Heading(data["id"], Group(data["group"]), data["section"], Text(**data["title"]))
    except (OSError, KeyError, TypeError, ValueError):
        return read(path).heading  # names the field at fault


def faults(question: Question, path: Path) -> Iterator[Found]:
    """Find what the schema can't say."""
    from question_bank.labs import LABS

    if path.name != file_of(question.number).name:
        yield "id", Text(f"is {question.id}, which is not what the file is named after", f"是 {question.id}，与文件名对不上")
    right = sum(choice.right for choice in question.choices)
    if right != 1:
        yield "choices", Text(f"must have one right option, not {right}", f"应有且仅有一个正确选项，现有 {right} 个")
    full = question.answer.full
    if full.en.count("\n\n") != full.zh.count("\n\n"):
        yield "answer.full", Text("has another number of paragraphs in each language", "两种语言的段落数不一致")
    if question.lab is not None and question.lab not in LABS:
        yield "lab", Text(f"names the unknown lab {question.lab}", f"用到了未知的演示 {question.lab}")
