"""``quizapp doctor``: where the files are, what is wrong, and mending it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from question_bank.text import Text
from quizapp.commands.bilingual import Command, Option
from quizapp.commands.exits import Exit
from quizapp.commands.session import Session
from quizapp.paths import find_paths
from quizapp.settings import system_language

if TYPE_CHECKING:
    from quizapp.doctor import Finding

SIGNS = {"fine": "✓", "noted": "~", "wrong": "✗"}
WIDTH = 11
ALL_WELL = Text("Nothing is wrong.", "没有发现问题。")
SOME_MENDABLE = Text("quizapp doctor --mend mends what can be mended.", "运行 quizapp doctor --mend 可修复其中能修复的问题。")


@click.command(
    "doctor",
    cls=Command,
    said=Text(
        "Say where the files are and what is wrong with them; --mend mends what it can, after a backup.\n"
        "Exit code: 0 nothing is wrong (any more), 1 something is.",
        "说明各文件的位置，检查有没有问题；加上 --mend 会先备份，再修复能修复的问题。\n退出码：0 没有问题，1 有问题。",
    ),
    usages=("[--mend]",),
    params=[
        Option(
            ["--mend"],
            Text("Mend what can be mended; the bad file is kept beside.", "修复能修复的问题，原文件保留在旁边。"),
            is_flag=True,
        )
    ],
)
@click.pass_obj
def doctor(session: Session, mend: bool) -> Exit:
    """Look everything over."""
    from quizapp import doctor as looking
    from quizapp import wording_doctor as wording
    from quizapp.events import system_clock

    def look() -> list[Finding]:
        return list(looking.look(find_paths(), system_language(), system_clock().date()))

    findings, mended = look(), []
    for finding in findings if mend else ():
        if finding.mend is not None:
            well, done = looking.mend(finding)
            mended.append(looking.Finding(wording.MENDED, looking.State.FINE if well else looking.State.WRONG, done))
    every = [*mended, *(look() if mended else findings)]
    if session.json:
        session.dump([_as_data(session, each) for each in every])
    else:
        session.data(*(_line(session, each) for each in every))
    if any(map(_is_wrong, every)):
        if any(each.mend is not None for each in every) and not mend:
            session.tell(SOME_MENDABLE)
        return Exit.NOT_RIGHT
    session.tell(ALL_WELL)
    return Exit.DONE


def _is_wrong(finding: Finding) -> bool:
    return finding.state == "wrong"


def _line(session: Session, finding: Finding) -> str:
    from question_bank.math import cell_len

    area = session.written(finding.area)
    return f"{SIGNS[finding.state]} {area}{' ' * (WIDTH - cell_len(area))}{' '.join(session.written(finding.message).split())}"


def _as_data(session: Session, finding: Finding) -> dict[str, object]:
    return {
        "area": finding.area.en,
        "state": finding.state.value,
        "message": session.written(finding.message),
        "mendable": finding.mend is not None,
    }
