"""``quizapp progress``: the log of answers, taken out, brought in, copied, begun anew."""

from __future__ import annotations

import sys
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import click

from question_bank.system_errors import why
from question_bank.text import Text
from quizapp.commands.bilingual import Command, Group, Option
from quizapp.commands.contents import bank_of, takes_bank
from quizapp.commands.exits import Exit, MisuseError
from quizapp.commands.session import Session
from quizapp.own_bank import Counted, count
from quizapp.paths import find_paths

if TYPE_CHECKING:
    from quizapp.progress import Log
    from quizapp.transfer import BadLine

EVENT: Counted = (Text("1 event", "1 条记录"), Text("{n} events", "{n} 条记录"))
LINE: Counted = (Text("1 line", "1 行"), Text("{n} lines", "{n} 行"))
MOST_LINES = 20
"""Bad lines that are named."""

NONE_YET = Text("There is no progress yet: {file} doesn't exist.", "还没有学习记录：{file} 不存在。")
EXPORTED = Text("{events} written to {file}.", "已将 {events}写入 {file}。")
UNREADABLE = Text("{file} can't be read: {reason}.", "{file} 无法读取：{reason}。")
BAD_LINE = Text("Line {number}: {message}.", "第 {number} 行：{message}。")
MORE_LINES = Text("And {lines} more.", "另有 {lines}。")
NOTHING_IMPORTED = Text(
    "Nothing was imported. --skip-bad imports the rest.", "没有导入任何内容。加上 --skip-bad 可跳过这些行，导入其余部分。"
)
IMPORTED = Text("{new} imported; {known} were here already.", "导入了 {new}；另有 {known}原本就有。")
SKIPPED = Text("{lines} left out.", "跳过 {lines}。")
BACKED_UP = Text("The progress was copied.", "已备份学习记录。")
RESET = Text("The progress begins anew. The old one is kept.", "学习记录已清空，旧记录保留在备份文件里。")
SURE = Text(
    "This puts {events} aside and begins anew; they are kept in a file beside {file}. Type yes to go on: ",
    "这会把 {events}另存为备份（放在 {file} 旁边），然后重新开始。输入 yes 继续：",
)
NOT_SURE = Text("Nothing was changed.", "没有改动任何内容。")
NEEDS_YES = Text(
    "There is no terminal to ask in; --yes does it without asking.", "当前没有终端，无法确认；加上 --yes 可跳过确认。"
)


@click.group(
    "progress",
    cls=Group,
    said=Text(
        "Show what you know; export, import, back up or reset the log of your answers. docs/progress.md tells more.",
        "查看学习进度，导出、导入、备份或清空学习记录，详见 docs/progress.md。",
    ),
    usages=("show|export|import|backup|reset",),
    invoke_without_command=True,
)
@click.pass_context
def progress(context: click.Context) -> None:
    """Refuse to guess what is wanted."""
    if context.invoked_subcommand is None:
        raise MisuseError(
            Text(
                "What is to be done: show, export, import, backup or reset?",
                "要做什么？可选 show、export、import、backup、reset。",
            )
        )


def _existing() -> Path:
    path = find_paths().progress
    if not path.exists():
        raise MisuseError(NONE_YET.fill(file=path))
    return path


def open_progress(path: Path) -> Log:
    """Open the log of a file.

    Raises:
        MisuseError: It can't be used.
    """
    from quizapp.progress import Log
    from quizapp.progress_errors import ProgressError

    try:
        return Log(path)
    except ProgressError as error:
        raise MisuseError(error.message) from error


@progress.command(
    "export",
    cls=Command,
    said=Text(
        "Write every answer as JSON lines, to a file or to stdout.", "把全部学习记录写成 JSON Lines，输出到文件或 stdout。"
    ),
    usages=("[-o FILE]",),
    params=[
        Option(
            ["-o", "--out", "out"],
            Text("The file, written whole or not at all.", "输出文件，要么写完整，要么不写。"),
            metavar="FILE",
        )
    ],
)
@click.pass_obj
def _export(session: Session, out: str | None) -> Exit:
    from quizapp.progress_errors import ProgressError
    from quizapp.transfer import lines
    from quizapp.whole_file import WriteError, write_whole

    path = _existing()
    try:
        with closing(open_progress(path)) as log:
            found = lines(log.events())
            if out is None or out == "-":
                while batch := list(islice(found, 1000)):
                    session.data(*batch)
                return Exit.DONE
            text = [f"{line}\n" for line in found]
        write_whole(Path(out).expanduser(), "".join(text).encode("ascii"))
    except (ProgressError, WriteError) as error:
        raise MisuseError(error.message) from error
    session.tell(EXPORTED.fill(events=count(len(text) - 1, EVENT), file=out))
    return Exit.DONE


@progress.command(
    "import",
    cls=Command,
    said=Text(
        "Add the answers of an export to those that are here; what is here already stays as it is. Nothing is imported unless "
        "every line can be read.\nExit code: 0 imported, 1 lines that can't be read.",
        "把导出文件里的记录并入现有记录，已有的不变。只要有一行无法读取，就全部不导入。\n退出码：0 已导入，1 有无法读取的行。",
    ),
    usages=("FILE [--skip-bad]", "- [--skip-bad]"),
    params=[
        click.Argument(["file"], metavar="FILE"),
        Option(["--skip-bad"], Text("Leave out lines that can't be read.", "跳过无法读取的行。"), is_flag=True),
    ],
)
@click.pass_obj
def _import(session: Session, file: str, skip_bad: bool) -> Exit:
    from quizapp.progress_errors import ProgressError
    from quizapp.transfer import read

    try:
        if file == "-":
            found = read(sys.stdin.buffer)
        else:
            with Path(file).expanduser().open("rb") as source:
                found = read(source)
    except (OSError, RuntimeError, ValueError) as fault:
        raise MisuseError(UNREADABLE.fill(file=file, reason=why(fault))) from fault
    _complain(session, found.bad)
    if found.bad and not skip_bad:
        session.tell(NOTHING_IMPORTED)
        return Exit.NOT_RIGHT
    try:
        with closing(open_progress(find_paths().progress)) as log:
            new = log.merge(found.events)
    except ProgressError as error:
        raise MisuseError(error.message) from error
    known = len(found.events) - new
    if session.json:
        session.dump({"imported": new, "known": known, "skipped": len(found.bad)})
    session.tell(IMPORTED.fill(new=count(new, EVENT), known=count(known, EVENT)))
    if found.bad:
        session.tell(SKIPPED.fill(lines=count(len(found.bad), LINE)))
    return Exit.DONE


def _complain(session: Session, bad: tuple[BadLine, ...]) -> None:
    for line in bad[:MOST_LINES]:
        session.tell(BAD_LINE.fill(number=line.number, message=line.message))
    if len(bad) > MOST_LINES:
        session.tell(MORE_LINES.fill(lines=count(len(bad) - MOST_LINES, LINE)))


@progress.command(
    "backup",
    cls=Command,
    said=Text(
        "Copy the progress file beside it, with today's date in the name, and print the copy's path.",
        "在原处备份进度文件，文件名带当天日期，并输出备份的路径。",
    ),
    usages=("",),
)
@click.pass_obj
def _backup(session: Session) -> Exit:
    from quizapp.events import system_clock
    from quizapp.progress_errors import ProgressError
    from quizapp.progress_reset import copy_aside

    try:
        copy = copy_aside(_existing(), system_clock().date())
    except ProgressError as error:
        raise MisuseError(error.message) from error
    _print_path(session, "backup", copy)
    session.tell(BACKED_UP)
    return Exit.DONE


@progress.command(
    "reset",
    cls=Command,
    said=Text(
        "Begin anew. The old progress is kept beside the new one, with today's date in its name, and its path is printed.",
        "清空学习记录，从头开始。旧记录会保留为带当天日期的备份文件，并输出它的路径。",
    ),
    usages=("[--yes]",),
    params=[Option(["--yes"], Text("Don't ask.", "不再询问。"), is_flag=True)],
)
@click.pass_obj
def _reset(session: Session, yes: bool) -> Exit:
    from quizapp.events import system_clock
    from quizapp.progress_errors import ProgressError
    from quizapp.progress_reset import put_aside

    path = _existing()
    if not yes and not _agreed(session, path):
        session.tell(NOT_SURE)
        return Exit.NOT_RIGHT
    day = system_clock().date().isoformat()
    try:
        backup = put_aside(path, f"{day}-backup")
        sitting = find_paths().sitting
        if sitting.exists():  # a session under way would go on with what is gone
            put_aside(sitting, f"{day}-backup")
    except ProgressError as error:
        raise MisuseError(error.message) from error
    _print_path(session, "backup", backup)
    session.tell(RESET)
    return Exit.DONE


def _agreed(session: Session, path: Path) -> bool:
    if sys.stdin is None or not sys.stdin.isatty():
        raise MisuseError(NEEDS_YES)
    with closing(open_progress(path)) as log:
        [[events]] = log.read("SELECT count(*) FROM event")
    click.echo(session.written(SURE.fill(events=count(events, EVENT), file=path)), err=True, nl=False)
    return input().strip().casefold() in ("yes", "y", "是", "好")


@takes_bank
@progress.command(
    "show",
    cls=Command,
    said=Text(
        "Show what you know: the chapter, your days, what is due, mistakes, times.",
        "查看学习进度：章节、日历、待复习、常见错误和用时。",
    ),
    usages=("[OPTIONS]",),
)
@click.pass_obj
def _show(session: Session) -> Exit:
    from datetime import timedelta

    from quizapp.commands.progress_show import data, lines
    from quizapp.overview import named, read
    from quizapp.planning import Wishes, course_of
    from quizapp.progress_errors import ProgressError
    from quizapp.settings import Settings, load, system_language

    bank = bank_of(session)
    settings = load(find_paths().settings, Settings(system_language(), "")).settings
    try:
        with closing(open_progress(_existing())) as log:
            log.day_ends = timedelta(hours=settings.rollover)
            overview, sentences = named(read(log, course_of(bank), Wishes.of(settings)))
    except ProgressError as error:
        raise MisuseError(error.message) from error
    if session.json:
        session.dump(data(session, bank, overview, sentences))
    else:
        session.data(*lines(session, bank, overview, sentences))
    return Exit.DONE


def _print_path(session: Session, name: str, path: Path) -> None:
    if session.json:
        session.dump({name: str(path)})
    else:
        session.data(str(path))
