"""``quizapp ask``: an interview question in the plain terminal, and what was typed marked point by point."""

from __future__ import annotations

import codecs
import sys
from typing import TYPE_CHECKING, BinaryIO

import click

from question_bank.search import Kind
from question_bank.text import Text
from quizapp.commands.bilingual import Command
from quizapp.commands.contents import Target, bank_of, complete_ids, find_target, takes_bank
from quizapp.commands.exits import Exit, MisuseError
from quizapp.commands.pages import Page, terminal_width
from quizapp.commands.session import Session

if TYPE_CHECKING:
    from question_bank.questions.question import Question

ENDS = (".", "．", "。")
"""Any of these alone on a line ends the answer."""

MOST_BYTES = 1 << 20
"""Of more, nothing is read: the marker looks at the first 20,000 characters."""

HOW_TO_END = Text(
    "Type your answer. A line with a single dot ends it, as {keys} does; an empty answer shows the model answer.",
    "请输入回答。另起一行只输入一个句点，或按 {keys}，表示结束；什么都不写，则直接显示参考答案。",
)
NOT_TEXT = Text("The answer is not UTF-8 text.", "回答不是 UTF-8 文本。")


@takes_bank
@click.command(
    "ask",
    cls=Command,
    said=Text(
        "Ask an interview question, and mark what is typed: the points made and missing, what was wrong, the model answer.\n"
        "The answer is read from stdin, up to its end or a line with a single dot. Nothing is stored.",
        "出一道面试题，并批改输入的回答：说到和没说到的要点、说错的地方、参考答案。\n"
        "回答从标准输入读取，读到末尾，或读到只有一个句点的一行为止。不保存任何记录。",
    ),
    usages=("QUESTION",),
)
@click.argument("name", metavar="QUESTION", shell_complete=complete_ids)
@click.pass_obj
def ask(session: Session, name: str) -> Exit:
    """Ask a question and mark the answer."""
    bank = bank_of(session)
    question = bank.question(_question(find_target(name, bank)).number)
    typed = _typed(session, question)
    from quizapp.commands.marked import report

    report(session, question, typed)
    return Exit.DONE


def _question(target: Target) -> Target:
    if target.kind is Kind.LESSON:
        raise MisuseError(
            Text("{id} is a lesson: quizapp show {id} prints it.", "{id} 是讲解，请用 quizapp show {id} 查看。").fill(
                id=target.id
            )
        )
    if target.kind is Kind.DRILL:
        raise MisuseError(
            Text(
                "{id} is a drill: quizapp problem {id} draws a problem from it.",
                "{id} 是练习，请用 quizapp problem {id} 抽题。",
            ).fill(id=target.id)
        )
    return target


# Reading ---------------------------------------------------------------------------------------------------------------


def _typed(session: Session, question: Question) -> str:
    """Read an answer. Somebody at the keyboard is shown the question first, on stderr with the rest of the narration."""
    if sys.stdin is None:
        return ""
    if sys.stdin.isatty():
        page = Page(session, terminal_width())
        keys = "Ctrl+Z, Enter" if sys.platform == "win32" else "Ctrl+D"
        for line in (
            *page.hanging(f"{question.id}  ", page.written(question.prompt)),
            "",
            *page.prose(HOW_TO_END.fill(keys=keys)),
        ):
            session.narrate(line)
    return read_answer(sys.stdin.buffer)


def read_answer(stream: BinaryIO) -> str:
    """Read up to the end or to a line with a single dot.

    Args:
        stream: UTF-8; at most a megabyte is read.

    Raises:
        MisuseError: It is not UTF-8.
    """
    decoder = codecs.getincrementaldecoder("utf-8-sig")()
    lines: list[str] = []
    left = MOST_BYTES
    while left > 0 and (raw := stream.readline(left)):
        left -= len(raw)
        try:
            line = decoder.decode(raw)
        except UnicodeDecodeError as fault:
            raise MisuseError(NOT_TEXT) from fault
        if line.strip() in ENDS:
            break
        lines.append(line)
    return "".join(lines).replace("\r\n", "\n").strip("\n")
