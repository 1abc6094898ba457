"""``quizapp list``: the drills, the questions and the lessons that there are."""

from __future__ import annotations

import click

from question_bank.text import Text
from quizapp.commands.bilingual import Command, Group
from quizapp.commands.contents import bank_of, takes_bank
from quizapp.commands.exits import Exit, MisuseError
from quizapp.commands.session import Session


@click.group(
    "list",
    cls=Group,
    said=Text("List the drills, the interview questions or the lessons.", "列出练习、面试题或讲解。"),
    usages=("drills", "questions", "lessons"),
    invoke_without_command=True,
)
@click.pass_context
def list_group(context: click.Context) -> None:
    """Refuse to guess which list is meant."""
    if context.invoked_subcommand is None:
        raise MisuseError(Text("List what: drills, questions or lessons?", "要列出什么？可选 drills、questions、lessons。"))


@list_group.command(
    "drills",
    cls=Command,
    said=Text("List the drills: name, section of the course, levels, title.", "列出全部练习：名称、课程小节、难度、标题。"),
    usages=("[OPTIONS]",),
)
@click.pass_obj
def drills(session: Session) -> Exit:
    """List the drills."""
    from question_bank.drills import DRILLS

    if session.json:
        session.dump(
            [
                {"id": each.id, "section": each.section, "levels": list(each.levels), "title": session.written(each.title)}
                for each in DRILLS.values()
            ]
        )
    else:
        widest = max(map(len, DRILLS))
        session.data(
            *(
                f"{each.id:<{widest}}  {each.section:<5} {' '.join(map(str, each.levels)):<8} {session.written(each.title)}"
                for each in DRILLS.values()
            )
        )
    return Exit.DONE


@takes_bank
@list_group.command(
    "questions",
    cls=Command,
    said=Text(
        "List the interview questions: number, group, section of the course, title.",
        "列出全部面试题：编号、分组、课程小节、标题。",
    ),
    usages=("[OPTIONS]",),
)
@click.pass_obj
def questions(session: Session) -> Exit:
    """List the questions."""
    titles = bank_of(session).titles()
    if session.json:
        session.dump(
            [
                {"id": each.id, "group": each.group.value, "section": each.section, "title": session.written(each.title)}
                for each in titles
            ]
        )
    else:
        session.data(*(f"{each.id:<4} {each.group}  {each.section:<5} {session.written(each.title)}" for each in titles))
    return Exit.DONE


@takes_bank
@list_group.command(
    "lessons",
    cls=Command,
    said=Text("List the lessons: section of the course, title.", "列出全部讲解：小节编号、标题。"),
    usages=("[OPTIONS]",),
)
@click.pass_obj
def lessons(session: Session) -> Exit:
    """List the lessons."""
    headings = bank_of(session).headings()
    if session.json:
        session.dump([{"id": each.section, "title": session.written(each.title)} for each in headings])
    else:
        session.data(*(f"{each.section:<5} {session.written(each.title)}" for each in headings))
    return Exit.DONE


@list_group.command(
    "keys",
    cls=Command,
    said=Text(
        "List what the keys of the application do, with the names under which the settings can change them.",
        "列出应用程序的按键、功能，以及在设置文件里修改按键时所用的名称。",
    ),
    usages=("[OPTIONS]",),
)
@click.pass_obj
def keys(session: Session) -> Exit:
    """List the keys."""
    from quizapp.keymap import named  # it imports every screen

    rows = named()
    if session.json:
        session.dump([{"name": each.name, "keys": list(each.keys), "does": session.written(each.tip)} for each in rows])
    else:
        widest = max(len(each.name) for each in rows)
        session.data(*(f"{each.name:<{widest}}  {' '.join(each.keys):<14} {session.written(each.tip)}" for each in rows))
    return Exit.DONE
