"""``quizapp problem``: draw a problem, or rebuild one from its code."""

from __future__ import annotations

import secrets
from fractions import Fraction

import click
from click.shell_completion import CompletionItem

from question_bank import Problem, draw
from question_bank import problem as rebuild
from question_bank.exact import show, terminating
from question_bank.problem import find_drill
from question_bank.program import Ask, Nested, Shape
from question_bank.text import Text
from quizapp.commands.bilingual import Command, option, whole_number
from quizapp.commands.drawing import INDENT, form, input_lines, label, listing_lines
from quizapp.commands.exits import Exit, MisuseError
from quizapp.commands.session import Session

TO_MARK_ONE = Text("To mark it: quizapp check {code} ANSWER", "批改请用：quizapp check {code} ANSWER")
TO_MARK = Text(
    "To mark it: quizapp check {code} ANSWER..., one ANSWER for each of the {n} parts",
    "批改请用：quizapp check {code} ANSWER...，共 {n} 个部分，每个部分给一个 ANSWER",
)


def _drills(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from question_bank.drills import DRILLS

    return [CompletionItem(name) for name in DRILLS if name.startswith(incomplete)]


@click.command(
    "problem",
    cls=Command,
    said=Text(
        "Draw a problem from a drill, or rebuild the one that a code names.\n"
        "Prints what is asked, the numbers, and the code; “quizapp check CODE ANSWER” marks an answer.",
        "从一个练习中抽一道题，或者按代码还原一道题。\n输出题目、数据和代码；作答后用 quizapp check CODE ANSWER 批改。",
    ),
    usages=("DRILL [--level N] [--seed TEXT]", "CODE"),
)
@click.argument("name", metavar="DRILL|CODE", shell_complete=_drills)
@option(
    "--level",
    said=Text("The level; by default the drill's lowest.", "难度，默认取该练习的最低难度。"),
    callback=whole_number(0, 99),
    metavar="N",
)
@option(
    "--seed",
    said=Text(
        "Any text; the same text draws the same problem. Without it, the draw is random.",
        "任意文字，相同的文字抽到同一道题；不写则随机抽取。",
    ),
    metavar="TEXT",
)
@click.pass_obj
def problem(session: Session, name: str, level: int | None, seed: str | None) -> Exit:
    """Print a problem."""
    drawn = _from_code(name, level, seed) if "." in name else _drawn(name, level, seed)
    if session.json:
        session.dump(_data(session, drawn))
        return Exit.DONE
    session.data(session.written(drawn.prompt), "", *listing_lines(drawn.listing), *input_lines(session, drawn.program), "")
    for ask in drawn.program.asks:
        asked = Text("({form})", "（{form}）").fill(form=form(ask.format))
        session.data(f"{session.written(label(ask))}{INDENT}{session.written(asked)}")
    session.data("", session.written(Text("code", "代码")) + INDENT + drawn.code)
    session.tell((TO_MARK_ONE if len(drawn.program.asks) == 1 else TO_MARK).fill(code=drawn.code, n=len(drawn.program.asks)))
    return Exit.DONE


def _from_code(code: str, level: int | None, seed: str | None) -> Problem:
    if level is not None or seed is not None:
        raise MisuseError(
            Text(
                "A code already holds its level and seed; leave out --level and --seed.",
                "代码已经包含难度和种子，请去掉 --level 和 --seed。",
            )
        )
    return rebuild(code)


def _drawn(name: str, level: int | None, seed: str | None) -> Problem:
    drill = find_drill(name)
    choice = secrets.token_hex(8) if seed is None else seed
    # A shell hands on bytes that are no text as lone surrogates, which can't choose.
    choice = choice.encode("utf-8", "backslashreplace").decode("utf-8")
    return draw(drill.id, drill.levels[0] if level is None else level, choice)


def _data(session: Session, drawn: Problem) -> dict[str, object]:
    return {
        "code": drawn.code,
        "drill": drawn.drill,
        "level": drawn.level,
        "seed": drawn.seed,
        "prompt": session.written(drawn.prompt),
        "listing": list(drawn.listing),
        "inputs": [
            {"name": name, "shape": list(value.dimensions)}
            if isinstance(value, Shape)
            else {"name": name, "value": number_data(value)}
            for name, value in drawn.program.inputs
        ],
        "parts": [part_data(session, ask) for ask in drawn.program.asks],
    }


def part_data(session: Session, ask: Ask) -> dict[str, object]:
    """Describe one part for JSON."""
    return {
        "label": session.written(label(ask)),
        "kind": ask.format.kind.value,
        "decimals": ask.format.decimals,
        "significant": ask.format.significant,
        "dimensions": None if ask.format.dimensions is None else list(ask.format.dimensions),
    }


def number_data(value: Nested) -> object:
    """Return exact numbers for JSON: numbers where JSON can hold them exactly, else text such as ``ln 2``."""
    if isinstance(value, tuple):
        return [number_data(part) for part in value]
    if isinstance(value, int):
        return value
    if isinstance(value, Fraction) and terminating(value) is not None:
        return float(value)
    return show(value)
