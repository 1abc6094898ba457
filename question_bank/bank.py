"""The questions and lessons there are: those that are shipped, and a person's own.

A person's own questions are ``Q101.toml`` to ``Q999.toml``, their lessons ``S8.1.toml`` and on (any section that the course
doesn't have), in a folder of theirs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from question_bank import lessons, questions
from question_bank.system_errors import why
from question_bank.text import Text

if TYPE_CHECKING:
    from question_bank.content import Fault, Found
    from question_bank.lessons.lesson import Lesson
    from question_bank.questions.question import Question

OWN_FROM = 101
"""The first number of a person's own questions."""

COURSE = 7
"""The chapter whose sections are the course's."""


@dataclass(frozen=True)
class Bank:
    """Questions and lessons.

    Attributes:
        own_questions: A person's own questions, by number.
        own_lessons: A person's own lessons, by section.
    """

    own_questions: dict[int, Question] = field(default_factory=dict)
    own_lessons: dict[str, Lesson] = field(default_factory=dict)

    def numbers(self) -> tuple[int, ...]:
        """Return the numbers of all questions, in order."""
        return (*questions.numbers(), *sorted(self.own_questions))

    def titles(self) -> tuple[questions.Heading, ...]:
        """Return the headings of all questions, in order; own ones last."""
        return (*questions.titles(), *(self.own_questions[number].heading for number in sorted(self.own_questions)))

    def question(self, number: int) -> Question:
        """Return one question.

        Raises:
            ContentError: There is no such question.
        """
        return self.own_questions.get(number) or questions.load(number)

    def sections(self) -> tuple[str, ...]:
        """Return the sections that have a lesson, in order; own ones last."""
        return (*lessons.sections(), *sorted(self.own_lessons, key=lessons.in_order))

    def headings(self) -> tuple[lessons.Heading, ...]:
        """Return the headings of all lessons, in order; own ones last."""
        own = (self.own_lessons[section].heading for section in sorted(self.own_lessons, key=lessons.in_order))
        return (*lessons.headings(), *own)

    def lesson(self, section: str) -> Lesson:
        """Return one lesson.

        Raises:
            ContentError: There is no such lesson.
        """
        return self.own_lessons.get(section) or lessons.load(section)


SHIPPED = Bank()
"""What comes with the program."""


def open_bank(*folders: Path) -> tuple[Bank, tuple[Fault, ...]]:
    """Add a person's own folders to what is shipped.

    Args:
        folders: The folders; of two files for one number or section, the first counts.

    Returns:
        The bank without the files that have faults, and all their faults.
    """
    own_questions: dict[int, Question] = {}
    own_lessons: dict[str, Lesson] = {}
    faults: list[Fault] = []
    for folder in folders:
        read = read_folder(folder)
        faults += read.faults
        for question in read.questions:
            own_questions.setdefault(question.number, question)
        for lesson in read.lessons:
            own_lessons.setdefault(lesson.section, lesson)
    return Bank(own_questions, own_lessons), tuple(faults)


@dataclass(frozen=True, slots=True)
class Folder:
    """What a folder holds.

    Attributes:
        questions: Its questions without a fault.
        lessons: Its lessons without a fault; their programs have not been run.
        faults: What is wrong with the rest.
    """

    questions: tuple[Question, ...]
    lessons: tuple[Lesson, ...]
    faults: tuple[Fault, ...]


def read_folder(folder: Path) -> Folder:
    """Read a person's own questions and lessons, and find every fault."""
    from question_bank.content import ContentError
    from question_bank.content.faults import make_fault
    from question_bank.lessons.lesson import Lesson

    found: list[Question | Lesson] = []
    faults: list[Fault] = []
    try:
        paths = sorted(path for path in folder.iterdir() if path.suffix == ".toml")
    except OSError as error:
        what = Text("the folder can't be read: {why}", "文件夹无法读取：{why}").fill(why=why(error))
        return Folder((), (), (make_fault(str(folder), "", None, what),))
    for path in paths:
        try:
            found.append(_read(path))
        except ContentError as error:
            faults += error.faults
    kept_questions = tuple(each for each in found if not isinstance(each, Lesson))
    return Folder(kept_questions, tuple(each for each in found if isinstance(each, Lesson)), tuple(faults))


def _read(path: Path) -> Question | Lesson:
    from question_bank.content import ContentError
    from question_bank.content import read as read_content
    from question_bank.content.faults import make_fault
    from question_bank.lessons.lesson import Lesson
    from question_bank.questions.question import Question

    kind, number = path.stem[:1], path.stem[1:]
    if kind == "Q" and number.isdecimal():
        return read_content(path, Question, lambda question: _own_question_faults(question, path))
    if kind == "S" and number.replace(".", "", 1).isdecimal():
        return read_content(path, Lesson, lambda lesson: _own_lesson_faults(lesson, path))
    what = Text(
        "the name is neither that of a question, such as Q101.toml, nor that of a lesson, such as S8.1.toml",
        "文件名既不像题目（如 Q101.toml），也不像讲解（如 S8.1.toml）",
    )
    raise ContentError((make_fault(path.name, "", None, what),))


def _own_question_faults(question: Question, path: Path) -> Iterator[Found]:
    yield from questions.faults(question, path)
    if question.number < OWN_FROM:
        what = Text(f"is taken: your own questions are Q{OWN_FROM} to Q999", f"已被占用：自己的题目用 Q{OWN_FROM} 到 Q999")
        yield "id", what
    yield from _evidence_faults(question)
    yield from _common_faults(question)


def _evidence_faults(question: Question) -> Iterator[Found]:
    """Find phrases of evidence that can't be read."""
    from question_bank.evidence import EvidenceError, compiled

    parts = [(f"key_points[{index}]", part.evidence, part.unless) for index, part in enumerate(question.key_points)]
    parts += [(f"pitfalls[{index}]", part.evidence, part.unless) for index, part in enumerate(question.pitfalls)]
    for field_name, *lists in parts:
        for name, phrases in zip(("evidence", "unless"), lists, strict=True):
            for place, phrase in enumerate(phrases):
                try:
                    compiled(phrase)
                except EvidenceError as error:
                    what = Text("can't be read at column {column}: {why}", "第 {column} 列无法识别：{why}")
                    why = Text(error.message.en.rstrip("."), error.message.zh.rstrip("。"))
                    yield f"{field_name}.{name}[{place}]", what.fill(column=error.column, why=why)


def _own_lesson_faults(lesson: Lesson, path: Path) -> Iterator[Found]:
    yield from lessons.faults(lesson, path)
    if lessons.in_order(lesson.section)[0] == COURSE:
        yield (
            "section",
            Text(f"is the course's: take another chapter than {COURSE}", f"属于课程自带的讲解：请换用第 {COURSE} 章以外的编号"),
        )
    yield from _common_faults(lesson)


def _common_faults(content: Question | Lesson) -> Iterator[Found]:
    """Find formulas that can't be read and drills that don't exist."""
    from question_bank.drills import DRILLS
    from question_bank.math import MathError, segments
    from question_bank.walk import texts

    for index, drill in enumerate(content.drills):
        if drill not in DRILLS:
            yield f"drills[{index}]", Text(f"names the unknown drill {drill}", f"用到了未知的练习 {drill}")
    for name, text in texts(content):
        for language, sentence in (("en", text.en), ("zh", text.zh)):
            try:
                segments(sentence)
            except MathError as error:
                said = error.message
                yield f"{name}.{language}", Text(f"holds a formula that can't be read: {said.en.rstrip('.')}",
                                                 f"里有无法读取的公式：{said.zh.rstrip('。')}")  # fmt: skip
