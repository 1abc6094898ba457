"""Write the catalogue of the drills: docs/drills.md and docs/drills.zh.md.

    python -m tools.write_drills [--check]

Each drill has one example: the first problem that is offered at its lowest level, with its answer, the mistakes that are
named with the numbers they give, and the worked steps. With ``--check`` nothing is written; what is out of date is told.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from question_bank import Problem, lessons, problem, verified
from question_bank.drills import DRILLS
from question_bank.drills.base import Drill
from question_bank.text import Language, Text
from quizapp.commands.drawing import form, input_lines, label, listing_lines, step_lines
from quizapp.commands.session import Session
from solvers.mistakes import Slip
from solvers.remarks import expected
from solvers.worked import answers, work
from tools.drill_measures import mistaken, mixed_up_unit

DOCS = Path(__file__).resolve().parent.parent / "docs"
FILES = {Language.EN: DOCS / "drills.md", Language.ZH: DOCS / "drills.zh.md"}

TITLE = Text("The drills", "练习目录")
INTRODUCTION = Text(
    "What each drill asks, with one example at its lowest level: the answer, the mistakes that are recognised by the number "
    "they give, and the solution step by step. `quizapp problem DRILL --level N` draws others. The numbers of a problem come "
    "from its code alone, so `quizapp solve CODE` and `quizapp check CODE ANSWER` work with the codes below.",
    "每个练习问什么，各举最低难度的一例：答案、能凭数字认出的错误，以及逐步的解法。"
    "用 `quizapp problem 练习 --level N` 可以抽别的题。题目的数字只取决于代码，所以下面的代码可以直接用于 "
    "`quizapp solve 代码` 和 `quizapp check 代码 答案`。",
)
GENERATED = Text(
    "This file is written by `python -m tools.write_drills`; change the drills, not the file. ([中文](drills.zh.md))",
    "本文件由 `python -m tools.write_drills` 生成；要改请改练习，不要改文件。（[English](drills.md)）",
)
LEVELS = Text(
    "Levels: 1 in the head, 2 on paper, 3 with a calculator, 4 real model sizes.",
    "难度：1 心算，2 笔算，3 用计算器，4 真实模型的尺寸。",
)
DRILL, LEVEL, ASKED, ANSWER = Text("drill", "练习"), Text("levels", "难度"), Text("asked", "所求"), Text("answer", "答案")
EXAMPLE = Text("Level {level}: `{code}`", "难度 {level}：`{code}`")
MISTAKES, MISTAKE, GIVES = Text("Mistakes", "能认出的错误"), Text("mistake", "错误"), Text("gives", "得到")
HINTS, STEPS = Text("Hints", "提示"), Text("Step by step", "逐步求解")


class Page:
    """The catalogue in one language."""

    def __init__(self, language: Language) -> None:
        """Write in a language."""
        self._session = Session(language)

    def lines(self) -> Iterator[str]:
        """Yield the lines of the file."""
        yield from (f"# {self._plain(TITLE)}", "", self._as_is(INTRODUCTION), "")
        yield from (self._as_is(GENERATED), "", self._plain(LEVELS), "")
        headings = {heading.section: heading.title for heading in lessons.headings()}
        in_order = sorted(DRILLS.values(), key=lambda drill: lessons.in_order(drill.section))
        yield from self._row(Text("§", "§"), DRILL, LEVEL, Text("", ""))
        yield "| --- | --- | --- | --- |"
        for drill in in_order:
            title = self._plain(drill.title)
            yield f"| {drill.section} | [`{drill.id}`](#{drill.id}) | {', '.join(map(str, drill.levels))} | {title} |"
        yield ""
        for section, drills in groupby(in_order, key=lambda drill: drill.section):
            yield from (f"## [{section}](../question_bank/lessons/S{section}.toml) {self._plain(headings[section])}", "")
            for drill in drills:
                yield from self._drill(drill)

    def _drill(self, drill: Drill) -> Iterator[str]:
        level = drill.levels[0]
        given = problem(drill.id, level, verified.seeds(drill.id, level)[0])
        yield from (f"### {drill.id}", "", f"**{self._plain(drill.title)}**", "")
        yield from (self._as_is(EXAMPLE.fill(level=level, code=given.code)), "", self._plain(given.prompt), "")
        yield from _block((*listing_lines(given.listing), *input_lines(self._session, given.program)))
        yield from self._row(ASKED, ANSWER)
        yield "| --- | --- |"
        for ask, answer in zip(given.program.asks, answers(given), strict=True):
            asked = Text("{label} ({form})", "{label}（{form}）").fill(label=label(ask), form=form(ask.format))
            yield f"| {self._plain(asked)} | `{self._as_is(expected(answer, ask))}` |"
        yield from ("", f"#### {self._plain(MISTAKES)}", "")
        yield from self._mistakes(given)
        if drill.hints:
            yield from (
                f"#### {self._plain(HINTS)}",
                "",
                *(f"{n}. {self._plain(hint)}" for n, hint in enumerate(drill.hints, 1)),
            )
            yield ""
        yield from (f"#### {self._plain(STEPS)}", "")
        for number, step in enumerate(work(given), 1):
            head, reason, *computed = step_lines(self._session, number, step)
            yield from (f"**{_escaped(head)}**", "", _escaped(reason.strip()), "", *_block(computed))

    def _mistakes(self, given: Problem) -> Iterator[str]:
        several = len(given.program.asks) > 1
        yield from self._row(*([ASKED] if several else []), MISTAKE, GIVES)
        yield "| --- | --- | --- |" if several else "| --- | --- |"
        asks, right = given.program.asks, answers(given)
        told = set()
        for part, slip, typed in _typed(given):
            row = (part, slip.sentence, typed)
            if typed == right[part] or row in told:
                continue
            told.add(row)
            asked = f"| {self._plain(label(asks[part]))} " if several else ""
            yield f"{asked}| {self._plain(slip.sentence)} | `{self._as_is(expected(typed, asks[part]))}` |"
        yield ""

    def _row(self, *cells: Text) -> Iterator[str]:
        yield "| " + " | ".join(map(self._plain, cells)) + " |"

    def _as_is(self, text: Text) -> str:
        return self._session.written(text)

    def _plain(self, text: Text) -> str:
        return _escaped(self._session.written(text))


def _typed(given: Problem) -> Iterator[tuple[int, Slip, str]]:
    """Yield the mistakes; of those that mix up units of size, the shortest number of 1 or more: nobody gives 13 KiB in GB."""
    found = list(mistaken(given))
    sizes = [(part, slip.mistake, typed) for part, slip, typed in found if mixed_up_unit(slip) and not typed.startswith("0.")]
    for part, slip, typed in found:
        others = [other for at, mistake, other in sizes if (at, mistake) == (part, slip.mistake)]
        if mixed_up_unit(slip) is None or (others and typed == min(others, key=len)):
            yield part, slip, typed


def _escaped(text: str) -> str:
    """Escape what Markdown would take for marks."""
    return re.sub(r"([\\`*_\[\]<>|#])", r"\\\1", text).replace("\n", "  \n")


def _block(lines: tuple[str, ...] | list[str]) -> Iterator[str]:
    """Yield lines as they are, between fences; nothing where there are none."""
    if lines:
        yield from ("```text", *(line.rstrip() for line in lines), "```", "")


def pages() -> dict[Path, str]:
    """Return the text of each file."""
    return {path: "\n".join(Page(language).lines()).rstrip() + "\n" for language, path in FILES.items()}


def main(arguments: list[str]) -> int:
    """Write the files; or, with ``--check``, return 1 where one is out of date."""
    stale = [(path, text) for path, text in pages().items() if not path.exists() or path.read_text("utf-8") != text]
    for path, text in stale:
        if "--check" in arguments:
            print(f"{path.name} is out of date: python -m tools.write_drills writes it anew.", file=sys.stderr)
        else:
            path.write_text(text, encoding="utf-8", newline="\n")
    return int(bool(stale) and "--check" in arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
