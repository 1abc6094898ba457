"""The lessons: one TOML file per section, ``S7.1.toml`` to ``S7.23.toml``, read when asked for.

``headings`` reads no further than the heading of each file. The numbers that a lesson's programs give are shipped in
``computed/``, made by ``tools/compute_lessons.py`` and held by a test against the programs.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from question_bank.text import Text

if TYPE_CHECKING:
    from question_bank.content import Found
    from question_bank.lessons.computed import Computed
    from question_bank.lessons.lesson import Example, Lesson

FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Heading:
    """What a list shows of a lesson.

    Attributes:
        section: Its number, such as ``7.9``.
        title: A few words.
    """

    section: str
    title: Text


def in_order(section: str) -> tuple[int, ...]:
    """Return a key by which sections sort: 7.9 before 7.10."""
    return tuple(int(part) for part in section.split("."))


def file_of(section: str, folder: Path = FOLDER) -> Path:
    """Return where a lesson is kept."""
    return folder / f"S{section}.toml"


def sections(folder: Path = FOLDER) -> tuple[str, ...]:
    """Return the sections that have a lesson, in order, without reading them."""
    return tuple(sorted((path.stem[1:] for path in folder.glob("S[0-9]*.[0-9]*.toml")), key=in_order))


@cache
def headings(folder: Path = FOLDER) -> tuple[Heading, ...]:
    """Return the headings of all lessons, in order.

    Raises:
        ContentError: A file can't be read.
    """
    return tuple(_heading(file_of(section, folder)) for section in sections(folder))


def _heading(path: Path) -> Heading:
    try:
        data = tomllib.loads(path.read_text("utf-8").partition("\n[")[0])
        return Heading(data["section"], Text(**data["title"]))
    except (OSError, KeyError, TypeError, ValueError):
        return read(path).heading  # names what is at fault


@cache
def load(section: str, folder: Path = FOLDER) -> Lesson:
    """Return one lesson.

    Args:
        section: Its number, such as ``7.9``.
        folder: Where it is kept.

    Raises:
        ContentError: There is no such lesson, or its file is at fault.
    """
    from question_bank.content import ContentError

    if section not in sections(folder):
        raise ContentError((), Text(f"There is no lesson {section}.", f"没有 {section} 这一节。"))
    return read(file_of(section, folder))


def read(path: Path) -> Lesson:
    """Read a lesson from a file named after its section.

    Raises:
        ContentError: The file can't be read, or has faults; all of them are told.
    """
    from question_bank.content import read as read_content
    from question_bank.lessons.lesson import Lesson

    return read_content(path, Lesson, lambda lesson: faults(lesson, path))


@cache
def results(section: str) -> Computed:
    """Return the numbers of a shipped lesson."""
    from question_bank.lessons.computed import load_computed

    return load_computed(FOLDER / "computed" / f"S{section}.json")


def faults(lesson: Lesson, path: Path) -> Iterator[Found]:
    """Find what the schema can't say."""
    from question_bank.labs import LABS
    from question_bank.written import input_faults, line_faults

    if path.name != file_of(lesson.section).name:
        yield (
            "section",
            Text(f"is {lesson.section}, which is not what the file is named after", f"是 {lesson.section}，与文件名对不上"),
        )
    flow = lesson.shapes
    yield from line_faults(flow.program, flow.inputs, "shapes.program")
    if len(set(flow.sizes.values())) != len(flow.sizes):
        yield (
            "shapes.sizes",
            Text("has two sizes that are alike, so that none can be told from the other", "有两个尺寸相同，无法区分"),
        )
    for name, sizes in flow.inputs.items():
        for size in (sizes,) if isinstance(sizes, str) else sizes:
            if size not in flow.sizes:
                yield f"shapes.inputs.{name}", Text(f"names the unknown size {size}", f"用到了未知的尺寸 {size}")
    for index, example in enumerate(lesson.examples):
        field = f"examples[{index}]"
        yield from input_faults(example.inputs, f"{field}.inputs")
        yield from line_faults(example.program, example.inputs, f"{field}.program")
        yield from _unknown_nodes(example, example.show, f"{field}.show")
    demo = lesson.demonstration
    if demo.lab not in LABS:
        yield "demonstration.lab", Text(f"names the unknown lab {demo.lab}", f"用到了未知的演示 {demo.lab}")
    if not 1 <= demo.example <= len(lesson.examples):
        yield (
            "demonstration.example",
            Text(f"is {demo.example}, and there is no such example", f"是 {demo.example}，没有这个例子"),
        )
        return
    example = lesson.examples[demo.example - 1]
    for index, variation in enumerate(demo.variations):
        field = f"demonstration.variations[{index}]"
        yield from input_faults(variation.inputs, f"{field}.inputs")
        yield from line_faults(variation.program, _nodes(example), f"{field}.program")
        yield from _unknown_nodes(example, (variation.show,), f"{field}.show")
    yield from _paragraph_faults(lesson)


def _nodes(example: Example) -> dict[str, Any]:
    return dict(example.inputs) | {line.partition("=")[0].strip(): None for line in example.program}


def _unknown_nodes(example: Example, shown: tuple[str, ...], field: str) -> Iterator[Found]:
    for node in shown:
        if node not in _nodes(example):
            yield field, Text(f"names {node}, which the program doesn't have", f"用到了 {node}，程序里没有它")


def _paragraph_faults(lesson: Lesson) -> Iterator[Found]:
    texts = {"intuition": lesson.intuition} | {
        f"examples[{index}].says": each.says for index, each in enumerate(lesson.examples)
    }
    for field, text in texts.items():
        if text.en.strip().count("\n\n") != text.zh.strip().count("\n\n"):
            yield field, Text("has another number of paragraphs in each language", "两种语言的段落数不一致")
