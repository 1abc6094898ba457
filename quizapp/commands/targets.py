"""What ``solve`` and ``check`` are told to look at: the code of a problem, or the name of an operation."""

from __future__ import annotations

import difflib
from typing import Any

import click

from question_bank import Problem, problem
from question_bank.drills import DRILLS
from question_bank.text import Text
from quizapp.commands.bilingual import Group, see_help
from quizapp.commands.exits import MisuseError


class TargetGroup(Group):
    """A command followed by the name of an operation, or by the code of a problem.

    Attributes:
        by_code: The command for codes; the code is its name, as it would be typed.
    """

    listed = Text("Operations:", "运算：")
    by_code: click.Command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Find an operation, or take the name for a code."""
        if args[0] in self.commands:
            return super().resolve_command(ctx, args)
        return args[0], self.by_code, args[1:]

    @staticmethod
    def require(context: click.Context) -> None:
        """Refuse a command line that names neither.

        Raises:
            MisuseError: It does not.
        """
        if context.invoked_subcommand is None:
            raise MisuseError(
                Text("The code of a problem, or an operation, is missing.", "缺少题目代码或运算名。") + see_help(context)
            )


def find_problem(name: str) -> Problem:
    """Rebuild the problem of a code.

    Raises:
        MisuseError: The name is a drill's, or like an operation's.
        CodeError: The code is unknown, mistyped, or of another revision.
    """
    plain = name.strip().lower()
    if "." in plain:
        return problem(name)
    if plain in DRILLS:
        raise MisuseError(
            Text(
                "{drill} is a drill; “quizapp problem {drill}” draws a problem from it and gives its code.",
                "{drill} 是练习名；用 quizapp problem {drill} 抽一道题，会同时给出代码。",
            ).fill(drill=plain)
        )
    context = click.get_current_context(silent=True)
    group = context.parent.command if context is not None and context.parent is not None else None
    operations = list(group.commands) if isinstance(group, click.Group) else []
    near = difflib.get_close_matches(plain[:60], operations, n=1)
    message = Text(
        "“{name}” is neither the code of a problem nor an operation.", "“{name}”既不是题目代码，也不是运算名。"
    ).fill(name=name[:60])
    if near:
        raise MisuseError(message + Text("Did you mean {near}?", "是不是想用 {near}？").fill(near=near[0]))
    raise MisuseError(
        message
        + Text(
            "A code looks like softmax-row.2.009rv; the operations are {all}.", "代码形如 softmax-row.2.009rv；运算有 {all}。"
        ).fill(all=Text(", ".join(operations), "、".join(operations)))
    )
