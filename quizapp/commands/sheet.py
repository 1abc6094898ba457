"""``quizapp sheet``: printed drill sheets, for oneself or for a class, with a key."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from question_bank.text import Text, same
from quizapp import wording_sheets as wording
from quizapp.commands.bilingual import Callback, Command, option, whole_number
from quizapp.commands.contents import bank_of, takes_bank
from quizapp.commands.exits import Exit, MisuseError
from quizapp.commands.pages import terminal_width
from quizapp.commands.session import Session
from quizapp.own_bank import count

if TYPE_CHECKING:
    from quizapp.sheets.making import Order
    from quizapp.sheets.plan import Sheet
    from quizapp.sheets.solutions import Key

MOST_PROBLEMS = 200
MOST_COPIES = 5000
PAPERS = ("a4", "letter")
KEYS = ("none", "answers", "worked")


_SECTION = Text("All drills of a section; may be repeated.", "该小节的全部练习，可多次指定。")
_QUESTIONS = Text(
    "Interview questions, with lines to write on: a group (A), numbers (Q7), a section; commas between.",
    "面试题，留出作答横线：分组（A）、题号（Q7）或小节，用逗号隔开。",
)
_LEVEL = Text("The level; by default each drill's lowest.", "难度，默认取各练习的最低难度。")
_COUNT = Text("How many problems; by default 6, or one of each drill.", "题目数量，默认 6 道，练习更多时每个一道。")
_SEED = Text("Any text; the same text chooses the same problems.", "任意文字，相同的文字选出相同的题。")
_PAPER = Text("Size of the pages.", "纸张大小。")
_KEY = Text(
    "The key, on pages of its own behind the questions; with every step: worked.",
    "答案，排在题目之后的单独页上；worked 给出每一步。",
)
_KEY_FILE = Text("Put the key into this file.", "把答案写入这个文件。")
_TITLE = Text("What stands above the sheet.", "练习卷标题。")
_ROSTER = Text("A CSV file of names: another variant for each person.", "姓名 CSV 文件，每人一份不同的题。")
_COPIES = Text("So many different variants.", "生成这么多份不同的题。")
_EACH = Text(
    "A file for each person, in the folder -o; the key in its own.",
    "每人一个文件，放在 -o 指定的文件夹里，答案单独成文件。",
)
_OUT = Text("The file, such as sheet.pdf.", "输出文件，如 sheet.pdf。")


def one_of(choices: Sequence[str]) -> Callback:
    """Return a callback that takes one of some words, in small letters or capitals, or raises a ``MisuseError``."""

    def convert(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
        if value is None or value.strip().lower() in choices:
            return None if value is None else value.strip().lower()
        listed = Text(", ".join(choices), "、".join(choices))
        raise MisuseError(wording.NOT_A_CHOICE.fill(option=parameter.opts[0], choices=listed, value=same(value[:40])))

    return convert


def _drills(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from question_bank.drills import DRILLS

    return [CompletionItem(name) for name in DRILLS if name.startswith(incomplete)]


@takes_bank
@click.command(
    "sheet",
    cls=Command,
    both=True,
    said=Text(
        "Make a sheet of problems on paper: as PDF, Typst or Markdown, by the file's ending; without -o, a preview.\n"
        "Beside it goes a .json, from which “quizapp mark” marks answers. docs/sheets.md tells more.",
        "生成纸质练习卷：按文件后缀输出 PDF、Typst 或 Markdown；不写 -o 则在终端预览。\n"
        "旁边会生成 .json 文件，供 quizapp mark 批改。详见 docs/sheets.md。",
    ),
    usages=(
        "DRILL... [--count N] [--key answers] -o sheet.pdf",
        "--section 7.9 [--questions A] -o sheet.pdf",
        "DRILL... --roster names.csv [--each] -o class.pdf",
        "CODE... -o sheet.pdf",
    ),
    brief=Text("Make a sheet of problems on paper, with a key.", "生成纸质练习卷和答案。"),
)
@click.argument("names", nargs=-1, metavar="DRILL|CODE", shell_complete=_drills)
@option("--section", "sections", said=_SECTION, metavar="N.N", multiple=True)
@option("--questions", said=_QUESTIONS, metavar="WHICH")
@option("--level", said=_LEVEL, metavar="N", callback=whole_number(0, 99))
@option("--count", said=_COUNT, metavar="N", callback=whole_number(1, MOST_PROBLEMS))
@option("--seed", said=_SEED, metavar="TEXT")
@option("--paper", said=_PAPER, metavar="[a4|letter]", default="a4", callback=one_of(PAPERS))
@option("--key", said=_KEY, metavar="[none|answers|worked]", callback=one_of(KEYS))
@option("--key-file", said=_KEY_FILE, metavar="FILE")
@option("--title", said=_TITLE, metavar="TEXT")
@option("--roster", said=_ROSTER, metavar="FILE")
@option("--copies", said=_COPIES, metavar="N", callback=whole_number(1, MOST_COPIES))
@option("--each", said=_EACH, is_flag=True)
@option("-o", "--out", "out", said=_OUT, metavar="FILE")
@click.pass_obj
def sheet(session: Session, /, **typed: Any) -> Exit:
    """Make a sheet, or show one."""
    from quizapp.commands.sheet_order import Typed, key_of, order, plan

    wanted = Typed(**typed)
    made = plan(session, bank_of(session), wanted)
    ordered = order(wanted, made)
    if ordered is None:
        _show(session, made, key_of(wanted))
    else:
        _make(session, ordered)
    return Exit.DONE


def _show(session: Session, sheet: Sheet, key: Key) -> None:
    from quizapp.sheets import preview, record
    from quizapp.sheets.solutions import solver

    if session.json:
        session.dump(json.loads(record.write(sheet)))
        return
    session.data(*preview.lines(sheet, key, solver(key), terminal_width()))
    _tell_seed(session, sheet, None)


def _make(session: Session, order: Order) -> None:
    from quizapp.sheets.glyphs import NoGlyphError
    from quizapp.sheets.making import make
    from quizapp.whole_file import WriteError, writing

    made_folder = order.each and not order.out.exists()
    try:
        if made_folder:
            with writing(order.out):
                order.out.mkdir()
        files = _with_progress(session, order, make)
    except (WriteError, NoGlyphError) as error:
        raise MisuseError(error.message) from error
    finally:
        if made_folder and order.out.is_dir() and not any(order.out.iterdir()):
            order.out.rmdir()
    sheet = order.sheet
    if session.json:
        session.dump(
            {
                "files": [str(file) for file in files],
                "seed": sheet.seed,
                "copies": [{"person": copy.person, "codes": list(copy.codes)} for copy in sheet.copies],
            }
        )
        return
    _tell_seed(session, sheet, order.out)
    if order.own_key is not None:
        session.tell(wording.KEY_IS_IN.fill(file=same(str(order.own_key))))
    if any(copy.problems for copy in sheet.copies):
        session.tell(wording.MARK_FROM.fill(file=same(str(order.record))))


def _with_progress(session: Session, order: Order, make: Callable[..., tuple[Path, ...]]) -> tuple[Path, ...]:
    """Show how far it is, where a person is looking and it takes a while."""
    from quizapp.sheets.compile import CHUNK

    if len(order.sheet.copies) <= CHUNK or not sys.stderr.isatty():
        return make(order)
    with click.progressbar(length=100, label=session.written(wording.MAKING), file=sys.stderr) as bar:
        return make(order, lambda done, total: bar.update(100 * done // total - bar.pos))


def _tell_seed(session: Session, sheet: Sheet, out: Path | None) -> None:
    """Say what was made, and how to make it again."""
    first = sheet.copies[0]
    seed = same(shlex.quote(sheet.seed))
    if out is None:
        if first.problems and sheet.seed:
            session.tell(wording.SHOWN.fill(seed=seed))
        return
    for_class = wording.MADE_FOR_CLASS if len(sheet.copies) > 1 else wording.MADE_FOR_CLASS_OF_ONE
    named = for_class if sheet.is_for_class else wording.MADE_ONE
    message = named if sheet.seed and first.problems else wording.MADE_NAMED
    counts = {"problems": count(len(first.items), wording.PROBLEM), "sheets": count(len(sheet.copies), wording.SHEET)}
    session.tell(message.fill(file=same(str(out)), seed=seed, **counts))
