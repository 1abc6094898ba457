"""``quizapp solve``: the answer, worked step by step, of a problem or of an operation on one's own numbers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import click

from question_bank import Problem
from question_bank.math import cell_len
from question_bank.own_numbers import TEMPLATES
from question_bank.program import Program, Shape
from question_bank.text import Text
from quizapp.commands.bilingual import Command, Option, option
from quizapp.commands.drawing import INDENT, label, listing_lines, stage_lines, step_lines
from quizapp.commands.exact_forms import UnwritableError, Written, written_exactly
from quizapp.commands.exits import Exit
from quizapp.commands.own_numbers import SHAPE_KINDS, SHAPE_SIZES, operation_command, own_program, shape_program
from quizapp.commands.session import Session
from quizapp.commands.targets import TargetGroup, find_problem
from quizapp.commands.values import Sources
from solvers.display import flat
from solvers.steps import Step

DECIMALS = 4

_EXACT = Text("Print exact forms too.", "同时给出精确值。")
EXACTLY = Text("exact", "精确值")


@dataclass(frozen=True, slots=True)
class Solution:
    """What is printed of a solution.

    Attributes:
        answers: The answer to each part, as displayed.
        steps: The worked steps.
        exact_answers: The exact form of each answer; None where it isn't asked for.
        exact_nodes: The exact form of each node.
    """

    answers: tuple[Text, ...]
    steps: tuple[Step, ...]
    exact_answers: tuple[Written, ...] | None = None
    exact_nodes: dict[str, Written] | None = None


def _solution(session: Session, solved: Problem | Program, exact: bool) -> Solution:
    from solvers import run
    from solvers.remarks import expected
    from solvers.worked import answers, work

    program = solved.program if isinstance(solved, Problem) else solved
    right = tuple(expected(answer, ask) for answer, ask in zip(answers(program), program.asks, strict=True))
    solution = Solution(right, work(solved))
    if not exact:
        return solution
    try:
        nodes = run.exact(program)
        return replace(
            solution,
            exact_answers=tuple(written_exactly(run.at(nodes[ask.node], ask.index)) for ask in program.asks),
            exact_nodes={node: written_exactly(nodes[node]) for node in program.lines if node in nodes},
        )
    except (run.RunError, UnwritableError) as error:  # of shapes there is no other form
        session.tell(error.message)
    return solution


@click.group(
    "solve",
    cls=TargetGroup,
    said=Text(
        "Work out a problem, or an operation on your own numbers, step by step.\n"
        "Numbers come as text (“1 0; 0 1”), as @file.npy, @file.npz:name, @file.txt or @file.csv, or with - from stdin.",
        "逐步解出一道题，或者对自己的数字做一次运算。\n"
        "数字可以直接写出（“1 0; 0 1”），也可以用 @file.npy、@file.npz:name、@file.txt、@file.csv 读文件，或用“-”读标准输入。",
    ),
    usages=("CODE [--exact]", 'OPERATION "NUMBERS" [OPTIONS]', "shape KIND SIZE=N..."),
    invoke_without_command=True,
)
@click.pass_context
def solve(context: click.Context) -> None:
    """Refuse to guess what is meant."""
    TargetGroup.require(context)


@click.command(
    "CODE",
    cls=Command,
    said=Text("Work out the problem with this code.", "解出代码对应的题目。"),
    usages=("[--exact] [--json]",),
)
@option("--exact", said=_EXACT, is_flag=True)
@click.pass_context
def solve_code(context: click.Context, exact: bool) -> Exit:
    """Solve a problem."""
    found = find_problem(str(context.info_name))
    return _print(context.find_object(Session), found, exact)


solve.by_code = solve_code


def _solve_own(template_id: str, **typed: Any) -> Exit:
    session = click.get_current_context().find_object(Session)
    assert session is not None
    program = own_program(Sources(session), TEMPLATES[template_id], typed, typed["decimals"])
    return _print(session, program, typed["exact"])


for _template in TEMPLATES.values():
    solve.add_command(
        operation_command(
            _template,
            Text("{operation} with your own numbers, step by step.", "用自己的数字逐步计算：{operation}。"),
            partial(_solve_own, _template.id),
            [Option(["--exact"], _EXACT, is_flag=True)],
            "",
            DECIMALS,
        )
    )


@solve.command(
    "shape",
    cls=Command,
    said=Text("The shape at every stage of attention.\nSizes: {sizes}.", "注意力各阶段的形状。\n所需尺寸：{sizes}。").fill(
        sizes=SHAPE_SIZES
    ),
    usages=tuple(f"{kind} SIZE=N..." for kind in SHAPE_KINDS),
)
@click.argument("kind", type=click.STRING, metavar="KIND")
@click.argument("sizes", nargs=-1, metavar="SIZE=N")
@click.pass_obj
def solve_shape(session: Session, kind: str, sizes: tuple[str, ...]) -> Exit:
    """Print the shape at every stage."""
    from solvers.worked import work

    program = shape_program(kind, sizes)
    steps = work(program)
    if session.json:
        inputs = [{"node": name, "shape": list(value.dimensions)} for name, value in program.inputs if isinstance(value, Shape)]
        session.dump({"stages": inputs + [_stage(session, step) for step in steps]})
    else:
        session.data(*stage_lines(session, program, steps))
    return Exit.DONE


def _print(session: Session | None, solved: Problem | Program, exact: bool) -> Exit:
    assert session is not None
    program, code = (solved.program, solved.code) if isinstance(solved, Problem) else (solved, None)
    listing = solved.listing if isinstance(solved, Problem) else ()
    solution = _solution(session, solved, exact)
    if session.json:
        session.dump(_data(session, program, code, solution) | {"listing": list(listing)})
        return Exit.DONE
    session.data(*listing_lines(listing))
    for part, (ask, answer) in enumerate(zip(program.asks, solution.answers, strict=True)):
        session.data(f"{session.written(label(ask))} = {session.written(answer)}")
        if solution.exact_answers is not None:
            session.data(*_exact_lines(session, solution.exact_answers[part]))
    shown = {ask.node for ask in program.asks if not ask.index}
    for number, step in enumerate(solution.steps, 1):
        session.data("", *step_lines(session, number, step))
        if solution.exact_nodes is not None and step.node not in shown:
            session.data(*_exact_lines(session, solution.exact_nodes[step.node]))
    return Exit.DONE


def _exact_lines(session: Session, exact: Written) -> list[str]:
    """Write an exact value so that it can be copied and typed back; a matrix takes a line for each row."""
    lead = f"{INDENT}{session.written(EXACTLY)}{INDENT}"
    if not isinstance(exact, tuple) or not isinstance(exact[0], tuple):
        return [lead + flat(exact)]
    behind = ",\n" + " " * (cell_len(lead) + 1)
    return f"{lead}[{behind.join(map(flat, exact))}]".split("\n")


# JSON ------------------------------------------------------------------------------------------------------------------


def _data(session: Session, program: Program, code: str | None, solution: Solution) -> dict[str, object]:
    answers: list[dict[str, object]] = [
        {"label": session.written(label(ask)), "answer": session.written(answer)}
        for ask, answer in zip(program.asks, solution.answers, strict=True)
    ]
    steps = [_step(session, step) for step in solution.steps]
    if solution.exact_answers is not None:
        for answer, exact in zip(answers, solution.exact_answers, strict=True):
            answer["exact"] = exact
    if solution.exact_nodes is not None:
        for data, step in zip(steps, solution.steps, strict=True):
            data["exact"] = solution.exact_nodes.get(step.node)
    return {"code": code, "answers": answers, "steps": steps}


def _step(session: Session, step: Step) -> dict[str, object]:
    return {
        "node": step.node,
        "title": session.written(step.title),
        "formula": step.formula,
        "reason": session.written(step.reason),
        "section": step.section or None,
        "lines": [
            {
                "cell": line.cell,
                "explanation": session.written(line.explanation),
                "expression": line.expression,
                "result": line.result,
            }
            for line in step.substeps
        ],
        "result": step.result,
    }


def _stage(session: Session, step: Step) -> dict[str, object]:
    shape = [int(size) for size in str(step.result).strip("[]").split(",") if size.strip()]
    return {"node": step.node, "title": session.written(step.title), "formula": step.formula, "shape": shape}
