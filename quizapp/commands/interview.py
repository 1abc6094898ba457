"""``quizapp interview``: the reports of the mock interviews held, listed and printed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING

import click

from question_bank.text import Text, same
from quizapp import dates
from quizapp import wording_interview as wording
from quizapp.commands.bilingual import Command, Group, Option
from quizapp.commands.exits import Exit, MisuseError
from quizapp.commands.progress import open_progress
from quizapp.commands.session import Session
from quizapp.paths import find_paths

if TYPE_CHECKING:
    from quizapp.commands.pages import Page
    from quizapp.events import InterviewHeld
    from quizapp.interview.report import Report, Said, Thread

NONE_YET = Text("No mock interview has been held yet.", "还没有做过模拟面试。")
NO_SUCH = Text(
    "There is no report {number}; quizapp interview list names those there are.",
    "没有第 {number} 份报告，运行 quizapp interview list 可查看全部。",
)
UNREADABLE = Text("Report {number} can't be read by this release.", "当前版本无法读取第 {number} 份报告。")


@click.group(
    "interview",
    cls=Group,
    said=Text("List and print the reports of the mock interviews that were held.", "列出或打印以往模拟面试的报告。"),
    usages=("list|show",),
    invoke_without_command=True,
)
@click.pass_context
def interview(context: click.Context) -> None:
    """Refuse to guess what is wanted."""
    if context.invoked_subcommand is None:
        raise MisuseError(Text("What is to be done: list or show?", "要做什么？可选 list、show。"))


def _held() -> tuple[InterviewHeld, ...]:
    from quizapp.progress_errors import ProgressError

    path = find_paths().progress
    if not path.exists():
        return ()
    try:
        with closing(open_progress(path)) as log:
            return log.interviews()
    except ProgressError as error:
        raise MisuseError(error.message) from error


@interview.command(
    "list",
    cls=Command,
    said=Text("List the interviews, the latest first, numbered from 1.", "列出各次面试，最近的在前，从 1 开始编号。"),
    usages=("",),
)
@click.pass_obj
def _list(session: Session) -> Exit:
    from quizapp.interview.phrases import summary
    from quizapp.interview.report import ReportError, from_text

    held = _held()
    rows = []
    for number, each in enumerate(held, 1):
        day = each.started.astimezone()
        try:
            report = from_text(each.report)
        except ReportError:
            rows.append({"number": number, "started": each.started.isoformat(), "readable": False})
        else:
            made, points = report.points
            right, numbers = report.computed
            rows.append(
                {
                    "number": number,
                    "started": each.started.isoformat(),
                    "readable": True,
                    "minutes": each.minutes,
                    "seconds": round(report.seconds),
                    "points": {"made": made, "of": points},
                    "numbers": {"right": right, "of": numbers},
                }
            )
        if not session.json:
            session.data(f"{number:>3}  {day:%Y-%m-%d %H:%M}  {session.written(summary(each))}")
    if session.json:
        session.dump(rows)
    elif not held:
        session.tell(NONE_YET)
    return Exit.DONE


@interview.command(
    "show",
    cls=Command,
    said=Text(
        "Print a report: the latest, or the one with this number in the list.",
        "打印一份报告：默认最近一次，也可指定列表里的编号。",
    ),
    usages=("[N] [--markdown] [--lang en|zh|both]",),
    params=[
        click.Argument(["number"], metavar="N", required=False),
        Option(["--markdown"], Text("Print it as Markdown.", "以 Markdown 输出。"), is_flag=True),
    ],
    both=True,
)
@click.pass_obj
def _show(session: Session, number: str | None, markdown: bool) -> Exit:
    from quizapp.interview.report import ReportError, from_text, to_text

    held = _held()
    if not held and number is None:
        raise MisuseError(NONE_YET)
    wanted = "1" if number is None else number
    if not (wanted.isascii() and wanted.isdigit() and len(wanted) < 6 and 1 <= int(wanted) <= len(held)):
        raise MisuseError(NO_SUCH.fill(number=wanted[:40]))
    try:
        report = from_text(held[int(wanted) - 1].report)
    except ReportError as error:
        raise MisuseError(UNREADABLE.fill(number=wanted)) from error
    if session.json:
        import json

        session.dump(json.loads(to_text(report)))
    elif markdown:
        from quizapp.interview.markdown import markdown as written

        session.data(*written(report, session.languages).rstrip("\n").split("\n"))
    else:
        for language in session.languages:
            session.data(*_lines(Session(language), report))
    return Exit.DONE


def _lines(session: Session, report: Report) -> Iterator[str]:
    from quizapp.commands.pages import Page, terminal_width
    from quizapp.interview.phrases import ending, need_of, totals

    page = Page(session, terminal_width())
    title, day = page.written(wording.REPORT), page.written(dates.written(report.started.astimezone().date()))
    yield f"{title}  {day}"
    for line in (*totals(report), *ending(report)):
        yield from page.hanging("", page.written(line))
    if report.study:
        yield ""
        yield page.written(wording.WHAT_TO_STUDY)
    for study in report.study:
        named = [f"Q{number}" for number in study.questions] + list(study.drills)
        items = Text(", ".join(named), "、".join(named))
        line = wording.STUDY_ITEM.fill(section=study.section, title=study.title, need=need_of(study), items=items)
        yield from page.hanging("  ", page.written(line), 4)
    for thread in report.threads:
        yield from _thread(page, thread)


def _thread(page: Page, thread: Thread) -> Iterator[str]:
    from question_bank.math import escape
    from quizapp.interview.phrases import SIGNS, how_long, outcome_line

    yield ""
    yield from page.hanging(f"Q{thread.number}  ", page.written(thread.prompt))
    yield from _answer(page, thread.said)
    for point in thread.points:
        yield from page.hanging(f"  {SIGNS[point.made]} ", page.written(point.text))
    for fall in thread.falls:
        claim = f"{page.written(wording.CLAIM.fill(claim=fall.claim))} {page.written(fall.why)}"
        yield from page.hanging(f"  {page.written(wording.TRAP)}: ", claim, 4)
    yield from page.hanging("  ", page.written(wording.MODEL_IS.fill(answer=thread.model)))
    for part in thread.follow_ups:
        yield ""
        yield from page.hanging(f"{page.written(wording.THEN)}  ", page.written(part.question))
        yield from _answer(page, part.said)
        yield from page.hanging("  ", page.written(wording.MODEL_IS.fill(answer=part.answer)))
    for drill in thread.drills:
        yield ""
        yield from page.hanging(f"{drill.code}  ", page.written(drill.prompt), 2)
        yield from page.hanging("  ", page.written(how_long(drill.said)))
        for number in drill.numbers:
            line = wording.RIGHT_ONE if number.is_right else wording.RIGHT_VALUE
            why = outcome_line(number) or same("")
            typed = escape(" ".join(number.typed.split()) or wording.NOTHING.en)
            said = page.written(line.fill(label=number.label, expected=number.expected, typed=typed) + why)
            yield from page.hanging(f"  {SIGNS[number.is_right]} ", said)


def _answer(page: Page, said: Said) -> Iterator[str]:
    from quizapp.interview.phrases import how_long, said_of

    yield from page.hanging("  ", page.written(how_long(said)))
    for line in said.typed.split("\n") if said.typed else (page.written(said_of(said)),):
        yield from page.hanging("  > ", line)
