"""``quizapp show``: a question, a lesson or a drill, whole or in part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from question_bank import draw
from question_bank.bank import Bank
from question_bank.drills import DRILLS
from question_bank.listing import numbered
from question_bank.search import Kind
from question_bank.text import Text
from quizapp.commands.bilingual import Command, nearest, option
from quizapp.commands.contents import Target, bank_of, complete_ids, find_target, takes_bank
from quizapp.commands.drawing import INDENT
from quizapp.commands.exits import Exit, MisuseError
from quizapp.commands.pages import Page, Section, page_lines, terminal_width
from quizapp.commands.session import Session

if TYPE_CHECKING:
    from question_bank.drills.base import Drill

QUESTION_PARTS = ("prompt", "answer", "points", "pitfalls", "choices", "follow-ups", "sources")
LESSON_PARTS = ("intuition", "formula", "terms", "shapes", "example", "demonstration", "code", "mistakes", "questions")
"""The names of the parts, here without the schemas that ``show_question`` and ``show_lesson`` load; a test holds them."""

LEVEL = Text("Level {level}, for example {code}", "难度 {level}，例如 {code}")
HOW = Text("To practise", "练习方法")
DRAW = Text("quizapp problem {drill} draws a problem,", "用 quizapp problem {drill} 抽题，")
MARK = Text("quizapp check CODE ANSWER marks an answer.", "用 quizapp check CODE ANSWER 批改。")


def _parts(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(name) for name in (*QUESTION_PARTS, *LESSON_PARTS) if name.startswith(incomplete)]


@takes_bank
@click.command(
    "show",
    cls=Command,
    said=Text(
        "Show an interview question (Q7), a lesson (7.9) or a drill (softmax-row).\n"
        "Parts of a question: {question}.\nParts of a lesson: {lesson}.",
        "查看面试题（Q7）、讲解（7.9）或练习（softmax-row）。\n面试题可选部分：{question}。\n讲解可选部分：{lesson}。",
    ).fill(question=", ".join(QUESTION_PARTS), lesson=", ".join(LESSON_PARTS)),
    usages=("QUESTION|LESSON [--part PART]", "DRILL"),
    brief=Text("Show a question, a lesson or a drill.", "查看面试题、讲解或练习。"),
)
@click.argument("name", metavar="QUESTION|LESSON|DRILL", shell_complete=complete_ids)
@option("--part", said=Text("Show this part only.", "只看这一部分。"), metavar="PART", shell_complete=_parts)
@click.pass_obj
def show(session: Session, name: str, part: str | None) -> Exit:
    """Show what an id names."""
    bank = bank_of(session)
    target = find_target(name, bank)
    chosen = _part(target, part)
    if target.kind is Kind.QUESTION:
        _show_question(session, bank, target, chosen)
    elif target.kind is Kind.LESSON:
        _show_lesson(session, bank, target, chosen)
    else:
        _show_drill(session, DRILLS[target.id])
    return Exit.DONE


def _part(target: Target, part: str | None) -> str | None:
    """Check the name of a part.

    Raises:
        MisuseError: What was found has no such part.
    """
    if part is None:
        return None
    name = part.strip().lower()
    known = {Kind.QUESTION: QUESTION_PARTS, Kind.LESSON: LESSON_PARTS, Kind.DRILL: ()}[target.kind]
    if name in known:
        return name
    if not known:
        raise MisuseError(
            Text("{id} is a drill, which has no parts.", "{id} 是练习，不分部分，请去掉 --part。").fill(id=target.id)
        )
    listed = Text(", ".join(known), "、".join(known))
    message = Text("{id} has no part “{part}”; it has {known}.", "{id} 没有“{part}”这一部分，可选 {known}。").fill(
        id=target.id, part=" ".join(part.split())[:60], known=listed
    )
    raise MisuseError(message + nearest(name, known))


def _show_question(session: Session, bank: Bank, target: Target, name: str | None) -> None:
    from quizapp.commands import show_question

    question = bank.question(target.number)
    part = None if name is None else show_question.QuestionPart(name)
    if session.json:
        session.dump(show_question.data(session, question, part))
        return
    page, whole = _page(session, name), Page(session, terminal_width())
    _print(session, show_question.heading_lines(whole, question), list(show_question.sections(page, question, part)), name)


def _show_lesson(session: Session, bank: Bank, target: Target, name: str | None) -> None:
    from question_bank.content import ContentError
    from quizapp.commands import show_lesson

    lesson = bank.lesson(target.id)
    part = None if name is None else show_lesson.LessonPart(name)
    try:
        computed = show_lesson.results_of(lesson, bank)
    except ContentError as error:  # a person's own, whose programs can't be run
        raise MisuseError(error.message) from error
    if session.json:
        session.dump(show_lesson.data(session, lesson, computed, part))
        return
    page = _page(session, name)
    heading = Page(session, terminal_width()).hanging(f"{lesson.section}  ", session.written(lesson.title))
    _print(session, heading, show_lesson.sections(page, lesson, computed, bank, part), name)


def _page(session: Session, part: str | None) -> Page:
    """Return the page beneath a heading, which is indented, or that of a single part, which isn't."""
    return Page(session, terminal_width() - (2 if part is None else 0))


def _print(session: Session, heading: Sequence[str], sections: Sequence[Section], part: str | None) -> None:
    if part is None:
        session.data(*heading, *page_lines(session, sections))
    elif len(sections) == 1:
        session.data(*sections[0].lines)
    else:
        for place, section in enumerate(sections):
            session.data(*([""] if place else []), session.written(section.heading), *section.lines)


# Drills ----------------------------------------------------------------------------------------------------------------


def _show_drill(session: Session, drill: Drill) -> None:
    samples = [draw(drill.id, level, "example") for level in drill.levels]
    if session.json:
        session.dump(
            {
                "kind": "drill",
                "id": drill.id,
                "section": drill.section,
                "title": session.written(drill.title),
                "levels": [
                    {
                        "level": sample.level,
                        "example": sample.code,
                        "prompt": session.written(sample.prompt),
                        "listing": list(sample.listing),
                    }
                    for sample in samples
                ],
            }
        )
        return
    page = Page(session, terminal_width())
    where = Text("Drill, section {section}", "练习，课程 {section} 节").fill(section=drill.section)
    session.data(*page.hanging(f"{drill.id}  ", session.written(drill.title)), session.written(where))
    for sample in samples:
        heading = LEVEL.fill(level=sample.level, code=sample.code)
        session.data("", *page.hanging("", session.written(heading)), *page.beneath(session.written(sample.prompt)))
        if sample.listing:
            session.data("", *(INDENT + number + code for number, code in numbered(sample.listing, page.width - len(INDENT))))
    session.data(
        "", session.written(HOW), *page.beneath(*(session.written(each.fill(drill=drill.id)) for each in (DRAW, MARK)))
    )
