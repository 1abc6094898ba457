"""The interview questions: one TOML file each, ``Q01.toml`` to ``Q40.toml``, read when asked for.

Everything above the first table of a file (id, group, section, title, ...) is its heading. ``titles`` reads no further,
so that a list of questions needs neither whole files nor their schema, which is ``question_bank.questions.question``.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from question_bank.text import Text

if TYPE_CHECKING:
    from question_bank.questions.question import Question

FOLDER = Path(__file__).parent
_NAME = "Q{number:02}.toml"


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


class QuestionError(ValueError):
    """A question that can't be read.

    Attributes:
        file: The name of its file.
        field: The field at fault, such as ``pitfalls[0].why.zh``; empty where the file as a whole is.
        message: What was found and what was expected, in both languages.
    """

    def __init__(self, file: str, field: str, message: Text) -> None:
        """Keep what is at fault beside the message."""
        super().__init__(message.en)
        self.file = file
        self.field = field
        self.message = message

    def __reduce__(self) -> tuple[type[QuestionError], tuple[str, str, Text]]:
        """Let the error cross a process boundary."""
        return type(self), (self.file, self.field, self.message)


@cache
def numbers() -> tuple[int, ...]:
    """Return the numbers of the questions there are, without reading them."""
    return tuple(sorted(int(path.stem[1:]) for path in FOLDER.glob("Q[0-9][0-9].toml")))


@cache
def titles() -> tuple[Heading, ...]:
    """Return the headings of all questions, in the order of the course; fast enough for a home screen.

    Raises:
        QuestionError: A file can't be read.
    """
    return tuple(_heading(FOLDER / _NAME.format(number=number)) for number in numbers())


@cache
def load(number: int) -> Question:
    """Return one question; only its own file is read, once.

    Args:
        number: The number in the course, 1 to 40.

    Raises:
        QuestionError: There is no such question, or its file is at fault.
    """
    if number not in numbers():
        raise QuestionError("", "", Text(f"There is no question Q{number}.", f"没有 Q{number} 这道题。"))
    return read(FOLDER / _NAME.format(number=number))


def read(path: Path) -> Question:
    """Read a question from a file.

    Args:
        path: The file, named after the question's number.

    Raises:
        QuestionError: The file can't be read, or its content is not a question; file and field are named.
    """
    import msgspec  # here and not above: a list of questions does without

    from question_bank.questions.question import Question

    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except OSError as fault:
        raise _error(path, "", Text(f"the file can't be read: {fault.strerror}", f"文件无法读取：{fault.strerror}")) from None
    except UnicodeDecodeError:
        raise _error(path, "", Text("the file is not UTF-8", "文件不是 UTF-8 编码")) from None
    except tomllib.TOMLDecodeError as fault:
        raise _error(path, "", Text(f"the file is not TOML: {fault}", f"文件不是合法的 TOML：{fault}")) from None
    for field, message in _faulty_pairs(data, ""):
        raise _error(path, field, message)
    try:
        question = msgspec.convert(data, Question)
    except msgspec.ValidationError as fault:
        raise _error(path, *_understood(str(fault))) from None
    for field, message in _faults(question, path):
        raise _error(path, field, message)
    return question


def _heading(path: Path) -> Heading:
    try:
        data = tomllib.loads(path.read_text("utf-8").partition("\n[")[0])
        return Heading(data["id"], Group(data["group"]), data["section"], Text(**data["title"]))
    except (OSError, KeyError, TypeError, ValueError):
        return read(path).heading  # names the field at fault


def _faulty_pairs(value: object, path: str) -> Iterator[tuple[str, Text]]:
    """Find pairs of languages with a third key or a blank side: the schema lets both pass."""
    if isinstance(value, list):
        for index, part in enumerate(value):
            yield from _faulty_pairs(part, f"{path}[{index}]")
    elif isinstance(value, dict):
        is_pair = not value.keys().isdisjoint(("en", "zh"))
        for key, part in value.items():
            field = f"{path}.{key}".lstrip(".")
            if is_pair and key not in ("en", "zh"):
                yield field, Text("is unknown: a text has en and zh", "是未知字段：文本只有 en 和 zh")
            if is_pair and isinstance(part, str) and not part.strip():
                yield field, Text("is blank", "是空的")
            yield from _faulty_pairs(part, field)


_PLACE = re.compile(r" - at `\$\.?(?P<path>[^`]*)`$")
_FAULTS: tuple[tuple[re.Pattern[str], Text], ...] = (
    (re.compile(r"Object missing required field `(?P<field>[^`]*)`"), Text("is missing", "缺失")),
    (re.compile(r"Object contains unknown field `(?P<field>[^`]*)`"), Text("is unknown", "是未知字段")),
    (re.compile(r"Expected `(\w+)`, got `(\w+)`"), Text("should be of type {0}, not {1}", "应为 {0} 类型，却是 {1}")),
    (re.compile(r"Expected `\w+` of length (.*)"), Text("should have a length {0}", "的长度应 {0}")),
    (re.compile(r"Expected `str` matching regex '(.*)'"), Text("should have the form {0}", "应形如 {0}")),
    (re.compile(r"Invalid enum value '(.*)'"), Text("has the unknown value {0}", "的值 {0} 不在可选范围内")),
    (re.compile(r"(?s)(.*)"), Text("has a wrong value: {0}", "的值不对：{0}")),
)
"""What msgspec says, and what we say."""


def _understood(fault: str) -> tuple[str, Text]:
    """Take a message of msgspec apart into the field and what is wrong with it."""
    place = _PLACE.search(fault)
    path = place["path"] if place else ""
    said = _PLACE.sub("", fault)
    match, message = next((match, message) for pattern, message in _FAULTS if (match := pattern.fullmatch(said)))
    if "field" in match.re.groupindex:
        return f"{path}.{match['field']}".lstrip("."), message
    return path, message.fill(**{str(index): part for index, part in enumerate(match.groups())})


def _faults(question: Question, path: Path) -> Iterator[tuple[str, Text]]:
    """Find what the schema can't say."""
    if path.name != _NAME.format(number=question.number):
        yield "id", Text(f"is {question.id}, which is not what the file is named after", f"是 {question.id}，与文件名对不上")
    right = sum(choice.right for choice in question.choices)
    if right != 1:
        yield "choices", Text(f"must have one right option, not {right}", f"应有且仅有一个正确选项，现有 {right} 个")
    full = question.answer.full
    if full.en.count("\n\n") != full.zh.count("\n\n"):
        yield "answer.full", Text("has another number of paragraphs in each language", "两种语言的段落数不一致")


def _error(path: Path, field: str, message: Text) -> QuestionError:
    where = Text(f"{path.name}: {field} ", f"{path.name}：{field} ") if field else Text(f"{path.name}: ", f"{path.name}：")
    return QuestionError(path.name, field, Text(f"{where.en}{message.en}.", f"{where.zh}{message.zh}。"))
