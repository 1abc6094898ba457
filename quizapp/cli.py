"""The command line: ``quizapp list``, ``show``, ``ask``, ``problem`` and so on. Errors become one line and an exit code."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Sequence
from io import TextIOWrapper
from typing import Any, TextIO

import click

from question_bank import CodeError
from question_bank.exact import NotANumberError
from question_bank.own_numbers import OwnNumbersError
from question_bank.text import Text
from quizapp.commands.asking import ask
from quizapp.commands.bilingual import Group, Option, session_of
from quizapp.commands.check import check
from quizapp.commands.complaints import complaint
from quizapp.commands.contents import bank_parameter
from quizapp.commands.doctor import doctor
from quizapp.commands.exits import Exit, MisuseError
from quizapp.commands.export import export
from quizapp.commands.find import find
from quizapp.commands.interview import interview
from quizapp.commands.listing import list_group
from quizapp.commands.mark import mark
from quizapp.commands.problem import problem
from quizapp.commands.progress import progress
from quizapp.commands.session import Session, start
from quizapp.commands.sheet import sheet
from quizapp.commands.show import show
from quizapp.commands.solve import solve
from quizapp.commands.validate import validate
from solvers.run import RunError

NAME = "quizapp"
DEBUG_VARIABLE = "QUIZAPP_DEBUG"
"""An environment variable that has the traceback of an internal error printed."""

INTERRUPTED = 130
"""What a shell expects of a program that Ctrl+C ended."""

INTERNAL = Text(
    "Internal error: {kind}: {reason}. Set {variable}=1 in the environment to see the traceback.",
    "内部错误（{kind}：{reason}）。设置环境变量 {variable}=1 可查看完整的调用栈。",
)
NO_VALUE = Text("One of the numbers has no finite value.", "有一个数不是有限值。")


class Root(Group):
    """The command ``quizapp``."""

    def main(  # type: ignore[override]
        self, args: Sequence[str] | None = None, prog_name: str | None = None, **extra: Any
    ) -> None:
        """Run a command line and leave with its exit code.

        Args:
            args: The command line; what the shell passed if left out.
            prog_name: Ignored: the program has one name, however it was started.
            extra: Passed on to click.

        Raises:
            SystemExit: Always.
        """
        arguments = list(sys.argv[1:] if args is None else args)
        _make_safe(sys.stdout)
        session, loaded = start(arguments)
        for fault in (*loaded.problems, *loaded.unknown):
            session.tell(fault)
        sys.exit(_run(super().main, session, _with_long_help(arguments), extra))


def _run(command: Callable[..., object], session: Session, arguments: list[str], extra: dict[str, Any]) -> int:
    try:
        # Windows would take ? and * in an answer for patterns of file names.
        result = command(arguments, NAME, standalone_mode=False, windows_expand_args=False, obj=session, **extra)
    except click.UsageError as error:
        session.tell(complaint(error))
    except (MisuseError, CodeError, OwnNumbersError, RunError) as error:
        session.tell(error.message)
    except NotANumberError:
        session.tell(NO_VALUE)
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except Exception as fault:
        return _failed(session, fault)
    else:
        return result if isinstance(result, int) else Exit.DONE
    return Exit.MISUSED


def _failed(session: Session, fault: Exception) -> Exit:
    if os.environ.get(DEBUG_VARIABLE):
        import traceback

        traceback.print_exception(fault)
    reason = " ".join(str(fault).split())[:200]
    session.tell(INTERNAL.fill(kind=type(fault).__name__, reason=reason, variable=DEBUG_VARIABLE))
    return Exit.INTERNAL


def _with_long_help(arguments: Sequence[str]) -> list[str]:
    """Write ``-h`` out: a short option of click's would be looked for inside answers that start with a dash, too."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    return ["--help" if each == "-h" else each for each in arguments[:end]] + list(arguments[end:])


def _make_safe(stream: TextIO | None) -> None:
    """Let no character stop the output: what an ASCII terminal can't show is written as its number."""
    if isinstance(stream, TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")


def _version_option() -> Option:
    def show_version(context: click.Context, parameter: click.Parameter, value: bool) -> None:
        if value and not context.resilient_parsing:
            from quizapp.release import release

            session_of(context).data(f"{NAME} {release()}")
            context.exit(Exit.DONE)

    said = Text("Print the version.", "显示版本号。")
    return Option(["--version"], said, is_flag=True, is_eager=True, expose_value=False, callback=show_version)


@click.pass_context
def _root(context: click.Context, bank: tuple[str, ...]) -> None:
    if context.invoked_subcommand is not None:
        return
    if bank:
        _start_application(session_of(context))
        return
    raise MisuseError(
        Text(
            "A command is missing: {commands}. Without any argument, {name} starts the application.",
            "缺少命令，可选 {commands}。不带任何参数运行 {name} 会启动应用程序。",
        ).fill(name=NAME, commands=Text(", ".join(cli.commands), "、".join(cli.commands)))
    )


def _start_application(session: Session) -> None:
    if sys.stdin is None or not sys.stdin.isatty():
        from quizapp.wording import NO_TERMINAL

        raise MisuseError(NO_TERMINAL)
    from quizapp.app import run

    gc.enable()
    run(session.folders)


cli = Root(
    NAME,
    Text(
        "Practice for the Transformer part of an interview. Without a command, it starts the application.\n"
        "Data goes to stdout, everything else to stderr. Reference: docs/shell.md.",
        "Transformer 面试练习。不带命令时启动应用程序。\n数据输出到 stdout，其余信息输出到 stderr。详见 docs/shell.md。",
    ),
    ("[--bank DIR]", "COMMAND ..."),
    callback=_root,
    params=[bank_parameter(expose_value=True), _version_option()],
    invoke_without_command=True,
)
for _command in (
    list_group,
    show,
    ask,
    find,
    problem,
    solve,
    check,
    validate,
    sheet,
    mark,
    export,
    interview,
    progress,
    doctor,
):
    cli.add_command(_command)


def main() -> None:
    """Run the command line of this process."""
    # torch makes objects by the hundred thousand, all of which live as long as this process. Looking for garbage among them,
    # while it is imported and once more at exit, takes a quarter of the time of a command.
    gc.disable()
    try:
        cli.main()
    finally:
        gc.freeze()
