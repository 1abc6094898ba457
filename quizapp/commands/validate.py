"""``quizapp validate``: every fault of a person's own questions and lessons."""

from __future__ import annotations

from pathlib import Path

import click

from question_bank.system_errors import why
from question_bank.text import Text
from quizapp.commands.bilingual import Command
from quizapp.commands.exits import Exit, MisuseError
from quizapp.commands.session import Session
from quizapp.own_bank import FAULT, Counted, count

QUESTION: Counted = (Text("1 question", "1 道题"), Text("{n} questions", "{n} 道题"))
LESSON: Counted = (Text("1 lesson", "1 节讲解"), Text("{n} lessons", "{n} 节讲解"))
FILE: Counted = (Text("1 file", "1 个文件"), Text("{n} files", "{n} 个文件"))
NONE_FOUND = Text("{questions}, {lessons}: no faults", "{questions}，{lessons}：没有错误")
SOME_FOUND = Text("{faults} in {files}", "{files}中共有 {faults}")

NO_FOLDER = Text("{folder} is no folder.", "{folder} 不是文件夹。")
UNREADABLE = Text("{folder} can't be read: {reason}.", "{folder} 无法读取：{reason}。")
EMPTY = Text(
    "There is no content file in {folder}: questions are named Q101.toml to Q999.toml, lessons S8.1.toml and the like.",
    "{folder} 里没有内容文件：题目的文件名是 Q101.toml 到 Q999.toml，讲解形如 S8.1.toml。",
)


@click.command(
    "validate",
    cls=Command,
    said=Text(
        "Check the questions and lessons in a folder of your own. Every fault is listed: file, line, field, what is wrong.\n"
        "The programs of lessons are run, their code is not. Exit code: 0 no faults, 1 faults.",
        "检查自己文件夹里的题目和讲解，逐条列出所有错误：文件、行号、字段、原因。\n"
        "会运行讲解中的计算程序，但不运行其中的代码。退出码：0 没有错误，1 有错误。",
    ),
    usages=("DIR",),
)
@click.argument("folder", metavar="DIR")
@click.pass_obj
def validate(session: Session, folder: str) -> Exit:
    """List the faults of a folder."""
    from quizapp.commands.faults import examine  # brings the schemas and the solvers

    report = examine(_existing(folder), session.folders)
    if session.json:
        session.dump(
            {
                "questions": report.questions,
                "lessons": report.lessons,
                "faults": [
                    {"file": each.file, "line": each.line, "field": each.field, "message": session.written(each.message)}
                    for each in report.faults
                ],
            }
        )
    else:
        session.data(*(" ".join(each.message[session.language].split()) for each in report.faults))
    if report.faults:
        files = len({each.file for each in report.faults})
        session.tell(SOME_FOUND.fill(faults=count(len(report.faults), FAULT), files=count(files, FILE)))
        return Exit.NOT_RIGHT
    session.tell(NONE_FOUND.fill(questions=count(report.questions, QUESTION), lessons=count(report.lessons, LESSON)))
    return Exit.DONE


def _existing(name: str) -> Path:
    folder = Path(name)
    try:
        if not folder.is_dir():
            raise MisuseError(NO_FOLDER.fill(folder=name))
        if not any(path.suffix == ".toml" for path in folder.iterdir()):
            raise MisuseError(EMPTY.fill(folder=name))
    except OSError as fault:
        raise MisuseError(UNREADABLE.fill(folder=name, reason=why(fault))) from fault
    return folder
