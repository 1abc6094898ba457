"""The errata: their programs print what they say, in both languages, and their lessons and questions exist."""

from __future__ import annotations

import contextlib
import io
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from question_bank import lessons, questions

DOCS = Path(__file__).parents[1] / "docs"
FILES = ("errata.md", "errata.zh.md")
ENTRY = re.compile(
    r"""\#\#\ (?P<number>\d+)\.\ (?P<title>[^\n]+)\n
        (?P<prose>.*?)\n
        (?:Lesson\ (?P<lesson_en>7\.\d+),\ Q(?P<question_en>\d+)\.|第\ (?P<lesson_zh>7\.\d+)\ 节，Q(?P<question_zh>\d+)。)\n\n
        ```python\n(?P<program>.*?)```\n\n
        ```text\n(?P<output>.*?)```\n?""",
    re.DOTALL | re.VERBOSE,
)


@dataclass(frozen=True)
class Entry:
    title: str
    prose: str
    lesson: str
    question: int
    program: str
    output: str


def read(text: str) -> list[Entry]:
    """Read the entries in order, every one of them whole, or fail."""
    entries = []
    _, *parts = re.split(r"^(?=## )", text, flags=re.MULTILINE)
    for number, part in enumerate(parts, 1):
        match = ENTRY.fullmatch(part.rstrip("\n"))
        assert match is not None, f"entry {number}: {part[:80]}"
        assert int(match["number"]) == number
        lesson, question = match["lesson_en"] or match["lesson_zh"], match["question_en"] or match["question_zh"]
        entries.append(Entry(match["title"], match["prose"], lesson, int(question), match["program"], match["output"]))
    return entries


def entries(name: str) -> list[Entry]:
    return read((DOCS / name).read_text("utf-8"))


def printed(program: str) -> str:
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(program, "errata", "exec"), {"__name__": "__main__"})
    return output.getvalue()


@pytest.mark.parametrize(
    ("name", "number"), [(name, number) for name in FILES for number in range(1, len(entries(FILES[0])) + 1)], ids=str
)
def test_the_program_prints_what_stands_under_it(name: str, number: int) -> None:
    entry = entries(name)[number - 1]
    assert printed(entry.program) == entry.output
    assert 5 <= len(entry.program.splitlines()) <= 20


def test_both_languages_hold_the_same_entries() -> None:
    english, chinese = ([(e.lesson, e.question, e.program, e.output) for e in entries(name)] for name in FILES)
    assert len(english) >= 18
    assert english == chinese


@pytest.mark.parametrize("name", FILES)
def test_every_entry_names_a_lesson_and_a_question_that_exist(name: str) -> None:
    named = entries(name)
    assert {entry.lesson for entry in named} <= set(lessons.sections())
    assert {entry.question for entry in named} <= set(questions.numbers())


def test_every_entry_is_written_in_the_language_of_its_file() -> None:
    chinese = re.compile(r"[\u4e00-\u9fff]")
    english, translated = ([entry.title + entry.prose for entry in entries(name)] for name in FILES)
    assert [text for text in english if chinese.search(text)] == []
    assert [text for text in translated if len(chinese.findall(text)) < 40] == []


WHOLE = "# T\n\n## 1. A\n\nB\n\nLesson 7.1, Q1.\n\n```python\nprint(1)\n```\n\n```text\n1\n```\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [("## 1.", "## 2."), ("## 1. A", "## A"), ("Lesson 7.1, Q1.", ""), ("```text\n1\n```\n", ""), (", Q1", "")],
)
def test_an_entry_that_lacks_a_part_is_not_passed_over(before: str, after: str) -> None:
    [entry] = read(WHOLE)
    assert printed(entry.program) == entry.output
    with pytest.raises(AssertionError):
        read(WHOLE.replace(before, after))
