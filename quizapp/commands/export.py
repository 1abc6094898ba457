"""``quizapp export``: questions, lessons and drills as files for other programs."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from question_bank.text import Language, Text
from quizapp import wording_exports as wording
from quizapp.commands.bilingual import Command, Group, Option, whole_number
from quizapp.commands.contents import bank_of, takes_bank
from quizapp.commands.exits import Exit, MisuseError
from quizapp.commands.session import Session
from quizapp.whole_file import WriteError, check_writable, write_whole

if TYPE_CHECKING:
    from quizapp.exports.content import Contents, Selection

Write = Callable[["Contents", Sequence[Language], datetime], bytes]
"""Turns what is exported into a file."""

EPOCH_VARIABLE = "SOURCE_DATE_EPOCH"
"""An environment variable with the time that a file says it was made at, in seconds; two builds are equal then."""

MOST_VARIANTS = 100

_WHICH = {
    "questions": Text(
        "Interview questions: all of them, or those named: Q7, group A, section 7.9; commas between.",
        "导出面试题。不写值为全部，也可指定：题号 Q7、分组 A、小节 7.9，用逗号隔开。",
    ),
    "lessons": Text(
        "Lessons: all of them, or the sections named, such as 7.9,7.10.", "导出讲解。不写值为全部，也可指定小节，如 7.9,7.10。"
    ),
    "drills": Text(
        "Drills: all of them, or those named: softmax-row, section 7.9; commas between.",
        "导出练习。不写值为全部，也可指定：练习名 softmax-row、小节 7.9，用逗号隔开。",
    ),
}
EVERYTHING = Text(
    "Without --questions, --lessons or --drills, everything is exported.", "不写 --questions、--lessons、--drills 时全部导出。"
)


@click.group(
    "export",
    cls=Group,
    said=Text(
        "Export questions, lessons and drills for other programs. docs/exports.md tells more.",
        "把面试题、讲解、练习导出给其他程序使用，详见 docs/exports.md。",
    ),
    usages=("anki|moodle|csv|json|markdown [OPTIONS] -o FILE",),
    invoke_without_command=True,
)
@click.pass_context
def export(context: click.Context) -> None:
    """Refuse to guess the format."""
    if context.invoked_subcommand is None:
        raise MisuseError(
            Text(
                "Export for what: anki, moodle, csv, json or markdown?",
                "要导出成哪种格式？可选 anki、moodle、csv、json、markdown。",
            )
        )


def _options(ending: str, with_lessons: bool) -> list[click.Parameter]:
    names = [name for name in _WHICH if with_lessons or name != "lessons"]
    return [
        Option(
            ["-o", "--out", "out"],
            Text(f"The file, such as transformer.{ending}.", f"输出文件，如 transformer.{ending}。"),
            metavar="FILE",
        ),
        *(Option([f"--{name}"], _WHICH[name], metavar="[WHICH]", is_flag=False, flag_value="all") for name in names),
        Option(
            ["--level"],
            Text("Drills at this level only.", "只要这一难度的练习。"),
            metavar="N",
            callback=whole_number(1, 9),
        ),
        Option(
            ["--variants"],
            Text("Problems of each drill and level; 3 by default.", "每个练习、每级难度导出几道题，默认 3。"),
            metavar="N",
            default=3,
            callback=whole_number(1, MOST_VARIANTS),
        ),
        Option(
            ["--seed"],
            Text("Any text; the same text chooses the same problems.", "任意文字，相同的文字选出相同的题。"),
            metavar="TEXT",
            default="export",
        ),
    ]


def _add(name: str, said: Text, ending: str, write: Write, *, binary: bool = False, with_lessons: bool = True) -> None:
    def run(
        session: Session,
        out: str | None,
        level: int | None,
        variants: int,
        seed: str,
        questions: str | None = None,
        lessons: str | None = None,
        drills: str | None = None,
    ) -> Exit:
        if out is None and binary:
            raise MisuseError(
                Text("Name the file: -o transformer.{ending}", "请用 -o 指定文件，如 -o transformer.{ending}").fill(
                    ending=ending
                )
            )
        at = _now()
        path = None if out is None else Path(out).expanduser()
        if path is not None and path.suffix.lower() != f".{ending}":
            raise MisuseError(wording.ENDING.fill(file=path.name[:60], ending=ending))
        with _refusing():
            if path is not None:
                check_writable(path)  # before long work is done for it
        everything = (questions, lessons, drills) == (None, None, None)
        if everything:
            questions, lessons, drills = "all", "all" if with_lessons else None, "all"
        contents = _gather(session, questions, lessons, drills, level, variants, seed)
        with _refusing():
            _deliver(session, contents, path, write(contents, session.languages, at))
        return Exit.DONE

    command = Command(
        name,
        said + EVERYTHING if with_lessons else said,
        ("[OPTIONS] -o FILE" if binary else "[OPTIONS] [-o FILE]",),
        brief=said,
        both=True,
        callback=click.pass_obj(run),
        params=_options(ending, with_lessons),
    )
    export.add_command(takes_bank(command))


def _now() -> datetime:
    fixed = os.environ.get(EPOCH_VARIABLE)
    if not fixed:
        return datetime.now(UTC)
    try:
        return datetime.fromtimestamp(int(fixed), UTC)
    except (ValueError, OverflowError, OSError):
        raise MisuseError(
            Text(
                "{variable} should be a number of seconds since 1970, not “{value}”.",
                "{variable} 应为 1970 年以来的秒数，“{value}”不是。",
            ).fill(variable=EPOCH_VARIABLE, value=fixed[:40])
        ) from None


def _gather(
    session: Session,
    questions: str | None,
    lessons: str | None,
    drills: str | None,
    level: int | None,
    variants: int,
    seed: str,
) -> Contents:
    from question_bank.content import ContentError
    from quizapp.commands import export_selection as named
    from quizapp.exports.content import Selection, gather
    from quizapp.sheets.choosing import text_of

    bank = bank_of(session)
    selection = Selection(
        () if questions is None else named.questions(questions, bank),
        () if lessons is None else named.lessons(lessons, bank),
        () if drills is None else named.drills(drills, level),
        variants,
        text_of(seed),
    )
    if not selection.size:
        raise MisuseError(Text("Nothing was chosen for export.", "没有选中要导出的内容。"))
    try:
        return _with_progress(session, selection, lambda done: gather(selection, bank, done))
    except ContentError as error:
        raise MisuseError(error.message) from error


def _with_progress(session: Session, selection: Selection, work: Callable[[Callable[[], None]], Contents]) -> Contents:
    """Show how far it is, where a person is looking and it takes a while."""
    if selection.size < 60 or not sys.stderr.isatty():
        return work(lambda: None)
    with click.progressbar(length=selection.size, file=sys.stderr, show_eta=False) as bar:
        return work(lambda: bar.update(1))


@contextmanager
def _refusing() -> Iterator[None]:
    """Turn a file that can't be written into a command that can't be carried out."""
    try:
        yield
    except WriteError as error:
        raise MisuseError(error.message) from error


def _deliver(session: Session, contents: Contents, path: Path | None, made: bytes) -> None:
    if path is None:
        session.file(made)
        return
    write_whole(path, made)
    questions, lessons, problems = len(contents.questions), len(contents.lessons), len(contents.exercises)
    if session.json:
        session.dump({"file": str(path), "questions": questions, "lessons": lessons, "problems": problems})
    else:
        session.tell(wording.WROTE.fill(file=str(path), what=wording.how_many(questions, lessons, problems)))


# The formats -----------------------------------------------------------------------------------------------------------


def _anki(contents: Contents, languages: Sequence[Language], at: datetime) -> bytes:
    from quizapp.exports.anki import apkg

    return apkg(contents, languages, at)


_add("anki", Text("A deck for Anki.", "导出 Anki 牌组。"), "apkg", _anki, binary=True)


def _moodle(contents: Contents, languages: Sequence[Language], at: datetime) -> bytes:
    from quizapp.exports.moodle import xml

    return xml(contents, languages, at)


def _csv(contents: Contents, languages: Sequence[Language], at: datetime) -> bytes:
    from quizapp.exports.flat import table

    return table(contents, languages, at)


def _json(contents: Contents, languages: Sequence[Language], at: datetime) -> bytes:
    from quizapp.exports.record import document

    return document(contents, languages, at)


def _markdown(contents: Contents, languages: Sequence[Language], at: datetime) -> bytes:
    from quizapp.exports.markdown import document

    return document(contents, languages, at)


_add(
    "moodle",
    Text("Moodle XML: questions and drills; lessons are left out.", "导出 Moodle XML：面试题和练习，不含讲解。"),
    "xml",
    _moodle,
    with_lessons=False,
)
_add("csv", Text("A table.", "导出表格。"), "csv", _csv)
_add("json", Text("JSON.", "导出 JSON。"), "json", _json)
_add("markdown", Text("A Markdown document.", "导出 Markdown 文档。"), "md", _markdown)
