"""``quizapp check``: mark an answer to a problem, or to an operation on one's own numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import click

from question_bank import Problem
from question_bank.math import cell_len
from question_bank.own_numbers import TEMPLATES
from question_bank.program import Ask, Program
from question_bank.text import Text, same
from quizapp.commands.bilingual import Command, Option
from quizapp.commands.drawing import INDENT, label
from quizapp.commands.exits import Exit, MisuseError
from quizapp.commands.own_numbers import operation_command, own_program
from quizapp.commands.session import Session
from quizapp.commands.targets import TargetGroup, find_problem
from quizapp.commands.values import Sources
from solvers.verdict import Outcome, PartVerdict, Verdict

DECIMALS = 3
GIVEN_UP = ("?", "？")

READ = Text("read", "读作")
EXPECTED = Text("expected", "答案")
MISTAKE = Text("mistake", "错误类型")
_SHOW_ANSWER = (Outcome.RIGHT, Outcome.RIGHT_AFTER_SLIP, Outcome.KNOWN_MISTAKE, Outcome.WRONG)
"""Not where the answer may be given once more, nor where the message has it."""

NOT_RIGHT = Text("Not right.", "不对。")


@click.group(
    "check",
    cls=TargetGroup,
    said=Text(
        "Mark an answer to a problem, or the result of an operation on your own numbers.\n"
        "One ANSWER for each part, each in quotes; ? gives up a part. An ANSWER may be negative, @file, or - for stdin.\n"
        "Exit code: 0 right, 1 not right, 2 command misused, 3 answer unreadable or too coarse, 4 internal error.",
        "批改一道题的答案，或者核对自己算出的运算结果。\n"
        "每个部分给一个 ANSWER，各用引号括起；? 表示放弃该部分。ANSWER 可以是负数，也可以用“@文件”读文件、用“-”读标准输入。\n"
        "退出码：0 正确，1 不正确，2 命令用法有误，3 答案无法读取或位数不够，4 内部错误。",
    ),
    usages=("CODE ANSWER...", 'OPERATION "NUMBERS" [OPTIONS] --answer ANSWER'),
    invoke_without_command=True,
)
@click.pass_context
def check(context: click.Context) -> None:
    """Refuse to guess what is meant."""
    TargetGroup.require(context)


@click.command(
    "CODE",
    cls=Command,
    said=Text("Mark the answer to the problem with this code.", "批改代码对应的题目。"),
    usages=("ANSWER...",),
)
@click.argument("answers", nargs=-1, metavar="ANSWER")
@click.pass_context
def check_code(context: click.Context, answers: tuple[str, ...]) -> Exit:
    """Mark the answers to a problem."""
    session = context.find_object(Session)
    assert session is not None
    found = find_problem(str(context.info_name))
    _require_one_each(session, found.program.asks, answers)
    return _mark(session, found, _read(Sources(session), answers))


check.by_code = check_code


def _check_own(template_id: str, **typed: Any) -> Exit:
    session = click.get_current_context().find_object(Session)
    assert session is not None
    sources = Sources(session)
    if typed["answer"] is None:
        raise MisuseError(Text("--answer is missing: give your own result.", "缺少 --answer：请给出自己的结果。"))
    program = own_program(sources, TEMPLATES[template_id], typed, typed["decimals"])
    return _mark(session, program, _read(sources, (typed["answer"],)))


for _template in TEMPLATES.values():
    check.add_command(
        operation_command(
            _template,
            Text("Mark your own result: {operation}.", "核对自己的结果：{operation}。"),
            partial(_check_own, _template.id),
            [Option(["--answer"], Text("Your own result.", "自己的结果。"), metavar="ANSWER")],
            "--answer ANSWER",
            DECIMALS,
        )
    )


def _require_one_each(session: Session, asks: Sequence[Ask], answers: Sequence[str]) -> None:
    if len(answers) == len(asks):
        return
    if len(asks) == 1:
        if not answers:
            raise MisuseError(Text("The answer is missing.", "缺少答案。"))
        raise MisuseError(
            Text(
                'One answer is asked for, but {n} were given. Put the numbers of one answer in quotes: "0.5 0.5".',
                '只要一个答案，却给了 {n} 个。同一个答案里的数字请用引号括起来："0.5 0.5"。',
            ).fill(n=len(answers))
        )
    names = [label(ask) for ask in asks]
    raise MisuseError(
        Text(
            "{parts} answers are asked for, one for each of {names}; given: {n}. Put each in quotes; ? gives up a part.",
            "应当给出 {parts} 个答案，依次是 {names}；实际给了 {n} 个。每个答案用引号括起，? 表示放弃该部分。",
        ).fill(
            parts=len(asks),
            n=len(answers),
            names=Text(", ".join(name.en for name in names), "、".join(name.zh for name in names)),
        )
    )


def _read(sources: Sources, answers: Sequence[str]) -> list[str | None]:
    return [
        None if answer.strip() in GIVEN_UP else sources.text(answer, f"ANSWER {part}") for part, answer in enumerate(answers, 1)
    ]


def _mark(session: Session, problem: Problem | Program, answers: list[str | None]) -> Exit:
    from solvers.grading import grade

    verdict = grade(problem, answers)
    attempted = verdict.outcome.spends_an_attempt
    program = problem.program if isinstance(problem, Problem) else problem
    if session.json:
        session.dump(_data(session, verdict))
    elif len(verdict.parts) == 1:
        session.data(*_lines(session, verdict.parts[0], attempted))
    else:
        session.data(session.written(verdict.message))
        for ask, part in zip(program.asks, verdict.parts, strict=True):
            first, *rest = _lines(session, part, attempted)
            session.data("", f"{session.written(label(ask))}{INDENT}{first}", *rest)
    remark = problem.remark if isinstance(problem, Problem) and attempted else None
    if remark is not None and not session.json:
        session.data("", session.written(remark))
    if verdict.outcome is Outcome.RIGHT:
        return Exit.RIGHT
    return Exit.NOT_RIGHT if attempted else Exit.UNREADABLE


def _lines(session: Session, part: PartVerdict, attempted: bool) -> Iterator[str]:
    message = NOT_RIGHT + part.message if part.outcome is Outcome.KNOWN_MISTAKE else part.message
    yield session.written(message)
    for note in part.notes:
        yield INDENT + session.written(note)
    facts = [(MISTAKE, same(part.mistake or "")), (READ, part.understood)]
    if attempted and part.outcome in _SHOW_ANSWER:
        facts.append((EXPECTED, part.expected))
    widest = max(cell_len(session.written(name)) for name, _ in facts)
    for name, fact in facts:
        if fact.en:
            shown = session.written(name)
            yield INDENT + shown + " " * (widest - cell_len(shown)) + INDENT + session.written(fact)


# JSON ------------------------------------------------------------------------------------------------------------------


def _data(session: Session, verdict: Verdict) -> dict[str, object]:
    # While an attempt is left, the answer is not given away
    attempted = verdict.outcome.spends_an_attempt
    parts = [_part(session, part, attempted) for part in verdict.parts]
    single = len(parts) == 1
    return {
        "code": verdict.code or None,
        "verdict": verdict.outcome.value,
        "mistake": verdict.mistake,
        "understood": parts[0]["understood"] if single else [part["understood"] for part in parts],
        "expected": parts[0]["expected"] if single else [part["expected"] for part in parts],
        "message": session.written(verdict.message),
        "parts": parts,
    }


def _part(session: Session, part: PartVerdict, attempted: bool) -> dict[str, object]:
    return {
        "verdict": part.outcome.value,
        "mistake": part.mistake,
        "understood": session.written(part.understood),
        "expected": session.written(part.expected) if attempted else None,
        "message": session.written(part.message),
        "wrong_cells": [[place + 1 for place in cell] for cell in part.wrong_cells],
        "slip": None if part.slip is None else part.slip + 1,
        "notes": [session.written(note) for note in part.notes],
    }
