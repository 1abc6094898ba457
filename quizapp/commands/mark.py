"""``quizapp mark``: the answers to a printed sheet, asked for one by one or read from a file."""

from __future__ import annotations

import sys
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

import click

from question_bank.text import Text, same
from quizapp import wording_marking as wording
from quizapp.commands.bilingual import Command, option
from quizapp.commands.exits import Exit, MisuseError
from quizapp.commands.pages import terminal_width
from quizapp.commands.session import Session
from quizapp.commands.sheet import one_of
from quizapp.commands.values import STDIN

if TYPE_CHECKING:
    from quizapp.commands.mark_asking import Desk
    from quizapp.marking.marks import Marked
    from quizapp.sheets.plan import Sheet


class Form(Enum):
    """The form of a report, with the ending of its file."""

    CSV = "csv", ".csv"
    JSON = "json", ".json"
    MARKDOWN = "markdown", ".md"
    TEXT = "text", ".txt"

    @property
    def ending(self) -> str:
        """The ending of the file's name."""
        return self.value[1]


END_KEYS = "Ctrl+Z, Enter" if sys.platform == "win32" else "Ctrl+D"


@click.command(
    "mark",
    cls=Command,
    said=wording.SAID.fill(keys=END_KEYS),
    brief=wording.BRIEF,
    usages=(
        "SHEET.json [--answers answers.csv] [-o marks.csv]",
        "CODE... [--answers answers.csv] [-o marks.csv]",
        "- [--answers answers.csv] [-o marks.csv]",
    ),
)
@click.argument("named", nargs=-1, metavar="SHEET.json|CODE|-")
@option("--answers", said=wording.ANSWERS_OPTION, metavar="FILE")
@option(
    "--format",
    "form",
    said=wording.FORMAT_OPTION,
    metavar="[csv|json|markdown|text]",
    callback=one_of([each.value[0] for each in Form]),
)
@option("-o", "--out", "out", said=wording.OUT_OPTION, metavar="FILE")
@click.pass_obj
def mark(session: Session, named: tuple[str, ...], answers: str | None, form: str | None, out: str | None) -> Exit:
    """Mark a sheet."""
    from quizapp.commands.mark_asking import Desk

    path = None if out is None else Path(out).expanduser()
    wanted = _form(session, form, path)
    given = None if answers is None else Path(answers).expanduser()
    _check(path, [*(Path(name) for name in named), *([given] if given else [])])
    desk = Desk(session, END_KEYS)
    sheet = _sheet(desk, named, everything=given is not None)
    if not any(copy.problems for copy in sheet.copies):
        raise MisuseError(wording.NO_PROBLEMS)
    marked = desk.ask(sheet) if given is None else _from_file(sheet, given)
    _deliver(session, marked, wanted, path, asked=given is None)
    return Exit.UNREADABLE if marked.bad or marked.unreadable else Exit.DONE


def _form(session: Session, form: str | None, out: Path | None) -> Form:
    if form is not None or session.json:
        return next(each for each in Form if each.value[0] == (form or "json"))
    if out is None:
        return Form.TEXT
    found = next((each for each in Form if each.ending == out.suffix.lower()), None)
    if found is None:
        raise MisuseError(wording.ENDING.fill(file=same(out.name[:60])))
    return found


def _check(out: Path | None, read: list[Path]) -> None:
    """See that the report can be written, before anybody types answers."""
    from quizapp.whole_file import WriteError, check_writable

    if out is None:
        return
    if any(path.exists() and out.exists() and path.samefile(out) for path in read):
        raise MisuseError(wording.SAME_FILE)
    try:
        check_writable(out)
    except WriteError as error:
        raise MisuseError(error.message) from error


# The sheet -------------------------------------------------------------------------------------------------------------


def _sheet(desk: Desk, named: tuple[str, ...], *, everything: bool) -> Sheet:
    from question_bank.problem import problem
    from quizapp.sheets.plan import problems_in
    from quizapp.sheets.record import SheetError, load

    if named == (STDIN,) or (not named and (desk.is_piped or everything)):
        problems = problems_in(desk.codes(everything=everything))
        if not everything:
            desk.turn_to_the_terminal()
        return sheet_of(desk, problems)
    if not named:
        raise MisuseError(wording.WHAT)
    files = [name for name in named if _is_file(name)]
    if not files:
        return sheet_of(desk, tuple(dict.fromkeys(problem(name) for text in named for name in text.split())))
    if len(named) > 1:
        raise MisuseError(wording.ONE_SHEET)
    try:
        return load(Path(files[0]).expanduser())
    except SheetError as error:
        raise MisuseError(error.message) from error


def _is_file(name: str) -> bool:
    return name.lower().endswith(".json") or Path(name).expanduser().is_file()


def sheet_of(desk: Desk, problems: tuple[object, ...]) -> Sheet:
    """Make a sheet of problems whose codes were given."""
    from question_bank.problem import Problem
    from quizapp.sheets.plan import Copy, Languages, Paper, Sheet

    items = tuple(each for each in problems if isinstance(each, Problem))
    title = desk.session.written(wording.CODES_TITLE)
    return Sheet(title, Languages(desk.session.language.value), Paper.A4, "", (Copy("", items),))


def _from_file(sheet: Sheet, path: Path) -> Marked:
    from quizapp.marking.answers_file import AnswersError, load
    from quizapp.marking.marks import mark as mark_all
    from quizapp.marking.places import sort
    from solvers.grading import grade

    try:
        answers = load(path)
    except AnswersError as error:
        raise MisuseError(error.message) from error
    return mark_all(sheet, sort(sheet, answers.lines), answers.bad, grade)


# The report ------------------------------------------------------------------------------------------------------------


def _deliver(session: Session, marked: Marked, form: Form, out: Path | None, *, asked: bool) -> None:
    from quizapp.marking import pages, tables
    from quizapp.whole_file import WriteError, write_whole

    language = session.language
    if form is Form.TEXT:
        if out is None and asked and not marked.is_for_class:
            return  # each verdict was shown when it was given
        content = "".join(f"{line}\n" for line in pages.text(marked, language, terminal_width())).encode()
    elif form is Form.MARKDOWN:
        content = pages.markdown(marked, language).encode()
    elif form is Form.CSV:
        content = tables.table(marked, language)
    else:
        content = tables.document(marked, language)
    if out is None:
        _print(session, form, marked, content)
    else:
        try:
            write_whole(out, content)
        except WriteError as error:
            raise MisuseError(error.message) from error
        session.tell(wording.WROTE.fill(file=same(str(out)), people=len(marked.sheets)))
    _warn(session, marked)


def _print(session: Session, form: Form, marked: Marked, content: bytes) -> None:
    from quizapp.marking import tables

    if form is Form.JSON:
        session.dump(tables.data(marked, session.language))
    elif form is Form.CSV:
        session.file(content)
    else:
        session.data(*content.decode().splitlines())


def _warn(session: Session, marked: Marked) -> None:
    counts: list[tuple[Text, int]] = [(wording.BAD_LINES, len(marked.bad)), (wording.UNREADABLE_ANSWERS, marked.unreadable)]
    for said, count in counts:
        if count:
            session.tell(said.fill(n=count))
