"""Commands and options of click that keep what they say in both languages until a session says which one is wanted."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from question_bank.text import Language, Text
from quizapp.commands.exits import Exit, MisuseError
from quizapp.commands.session import BOTH_LANGUAGES, LANGUAGE_OPTION, Session

F = TypeVar("F", bound=Callable[..., Any])

USAGE = Text("Usage: ", "用法：")
OPTIONS = Text("Options:", "选项：")
COMMANDS = Text("Commands:", "命令：")
WIDEST = 100


def session_of(context: click.Context | None) -> Session:
    """Return the session that a context belongs to."""
    session = context.find_object(Session) if context is not None else None
    return session or Session(Language.EN)


class Option(click.Option):
    """An option with its description in both languages.

    Attributes:
        said: What it does.
    """

    def __init__(self, declarations: Sequence[str], said: Text, **attributes: Any) -> None:
        """Make the option; ``attributes`` are click's."""
        super().__init__(declarations, **attributes)
        self.said = said

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Return the two columns that help has on it."""
        record = super().get_help_record(ctx)
        return None if record is None else (record[0], session_of(ctx).written(self.said))


def option(*declarations: str, said: Text, **attributes: Any) -> Callable[[F], F]:
    """Give a command an option; ``attributes`` are click's."""
    return click.option(*declarations, cls=Option, said=said, **attributes)


class Command(click.Command):
    """A command with its help in both languages.

    What starts with one dash is a value, such as −0.5 typed on a keyboard: no option has a short name. ``-h`` alone is
    turned into ``--help`` before click sees it.

    Attributes:
        said: What the command does; paragraphs are parted by line breaks.
        usages: What may stand behind its name, one form a line.
        brief: What a list of commands says of it; its first line is shown.
    """

    def __init__(
        self,
        name: str | None,
        said: Text,
        usages: Sequence[str],
        *,
        brief: Text | None = None,
        both: bool = False,
        **attributes: Any,
    ) -> None:
        """Make the command; ``both`` lets it take ``--lang both``, ``attributes`` are click's."""
        super().__init__(name, add_help_option=False, **attributes)
        self.said = said
        self.brief = brief or said
        self.usages = tuple(usages)
        self.params += [_json_option(), _language_option(both), _help_option()]
        # Collected by click, refused below in both languages.
        self.context_settings = {"ignore_unknown_options": True, "allow_extra_args": True, **self.context_settings}

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments.

        Raises:
            MisuseError: An option is unknown, or there are arguments that nobody takes.
        """
        try:
            _refuse_unknown(self, args)
            rest = super().parse_args(ctx, args)
        except click.UsageError as error:
            error.ctx = error.ctx or ctx  # click's parser leaves it out
            raise
        if rest and not isinstance(self, click.Group) and not ctx.resilient_parsing:
            raise MisuseError(
                Text("“{rest}” is one argument too many.", "多出了参数“{rest}”。").fill(rest=_shortened(rest[0]))
                + see_help(ctx)
            )
        return rest

    def get_help(self, ctx: click.Context) -> str:
        """Write the help in the session's language."""
        return "\n".join(_help_lines(self, ctx))

    def get_short_help_str(self, limit: int = 45) -> str:
        """Return the first sentence of the help in the session's language."""
        return self.short(session_of(click.get_current_context(silent=True)))

    def short(self, session: Session) -> str:
        """Return what a list of commands says of it."""
        return session.written(self.brief).partition("\n")[0]

    def sections(self, ctx: click.Context) -> Iterator[tuple[Text, list[tuple[str, str]]]]:
        """Yield the tables of the help: a heading, and rows of two columns."""
        records = (each.get_help_record(ctx) for each in self.get_params(ctx) if isinstance(each, Option))
        yield OPTIONS, [record for record in records if record is not None]


class Group(Command, click.Group):
    """A command with commands beneath it.

    Attributes:
        listed: The heading over those in the help.
    """

    listed = COMMANDS

    def __init__(self, name: str | None, said: Text, usages: Sequence[str], **attributes: Any) -> None:
        """Make the group; ``attributes`` are click's."""
        super().__init__(name, said, usages, **attributes)
        self.context_settings["ignore_unknown_options"] = False  # here no value can stand that starts with a dash

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that is named.

        Raises:
            MisuseError: There is none of that name.
        """
        if args[0] not in self.commands and not ctx.resilient_parsing:
            message = Text("There is no command “{name}”.", "没有命令“{name}”。").fill(name=_shortened(args[0]))
            raise MisuseError(message + nearest(args[0], self.commands) + see_help(ctx))
        return super().resolve_command(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands in the order in which they were added."""
        return list(self.commands)

    def sections(self, ctx: click.Context) -> Iterator[tuple[Text, list[tuple[str, str]]]]:
        """Yield the commands, then the options."""
        session = session_of(ctx)
        yield self.listed, [(name, each.short(session)) for name, each in self.commands.items() if isinstance(each, Command)]
        yield from super().sections(ctx)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Offer the commands, described in the session's language."""
        with ctx.scope(cleanup=False):
            return super().shell_complete(ctx, incomplete)


Callback = Callable[[click.Context, click.Parameter, Any], Any]


def whole_number(low: int, high: int) -> Callback:
    """Return a callback that reads an option's value as a whole number between bounds, or raises a ``MisuseError``."""

    def convert(ctx: click.Context, param: click.Parameter, value: Any) -> int | None:
        if value is None:
            return None
        try:
            number = int(value)
        except ValueError:
            number = low - 1
        if not low <= number <= high:
            raise MisuseError(
                Text(
                    "{option} should be a whole number from {low} to {high}; “{value}” is not.",
                    "{option} 应为 {low} 到 {high} 的整数，“{value}”不是。",
                ).fill(option=param.opts[0], low=low, high=high, value=_shortened(str(value)))
            )
        return number

    return convert


# Options that every command has ----------------------------------------------------------------------------------------


def _json_option() -> Option:
    def set_json(ctx: click.Context, param: click.Parameter, value: bool) -> None:
        if value:
            session_of(ctx).json = True

    said = Text("Print JSON.", "输出 JSON。")
    return Option(["--json"], said, is_flag=True, expose_value=False, callback=set_json)


def _language_option(both: bool) -> Option:
    choices = (*tuple(Language), BOTH_LANGUAGES) if both else tuple(Language)

    def verify(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
        # What it says was looked up before click parsed anything.
        if value is not None and value not in choices:
            message = (
                Text("There is no language “{value}”; choose en, zh or both.", "没有语言“{value}”，可选 en、zh 或 both。")
                if both
                else Text("There is no language “{value}”; choose en or zh.", "没有语言“{value}”，可选 en 或 zh。")
            )
            raise MisuseError(message.fill(value=_shortened(value)))
        session_of(ctx).both = value == BOTH_LANGUAGES

    def complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return [CompletionItem(str(language)) for language in choices if language.startswith(incomplete)]

    said = Text("Language of the output.", "输出所用的语言。")
    return Option(
        [LANGUAGE_OPTION],
        said,
        metavar=f"[{'|'.join(choices)}]",
        is_eager=True,
        expose_value=False,
        callback=verify,
        shell_complete=complete,
    )


def _help_option() -> Option:
    def show_help(ctx: click.Context, param: click.Parameter, value: bool) -> None:
        if value and not ctx.resilient_parsing:
            session_of(ctx).data(ctx.get_help())
            ctx.exit(Exit.DONE)

    said = Text("Show this help; -h does the same.", "显示本帮助，也可用 -h。")
    return Option(["--help"], said, is_flag=True, is_eager=True, expose_value=False, callback=show_help)


def _refuse_unknown(command: Command, arguments: Iterable[str]) -> None:
    """Refuse a mistyped long option: click passes it on, as it does a negative number."""
    if isinstance(command, click.Group):
        return
    known = {name: each for each in command.params if isinstance(each, Option) for name in each.opts}
    awaited = False
    for argument in arguments:
        name = argument.partition("=")[0]
        if argument == "--" and not awaited:
            return
        if awaited:
            awaited = False
        elif name in known:
            awaited = not known[name].is_flag and "=" not in argument
        elif argument.startswith("--") and argument[2:3].isalpha():
            raise MisuseError(unknown_option(name, known))


def unknown_option(name: str, known: Iterable[str]) -> Text:
    """Say that there is no such option, and which one was meant."""
    return Text("There is no option {name}.", "没有选项 {name}。").fill(name=_shortened(name)) + nearest(name, known)


def see_help(ctx: click.Context) -> Text:
    """Say where help is."""
    return Text("“{command} --help” shows the usage.", "用法见 {command} --help。").fill(command=ctx.command_path)


def nearest(name: str, known: Iterable[str]) -> Text:
    """Ask whether something else was meant; an empty text where nothing is like it."""
    from difflib import get_close_matches

    near = get_close_matches(name[:60], list(known), n=1)
    return Text("Did you mean {near}?", "是不是想用 {near}？").fill(near=near[0]) if near else Text("", "")


def _shortened(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 60 else text[:59] + "…"


# Help ------------------------------------------------------------------------------------------------------------------


def _help_lines(command: Command, ctx: click.Context) -> Iterator[str]:
    from quizapp.widgets.wrapping import wrap  # help alone needs it

    session = session_of(ctx)
    width = min(shutil.get_terminal_size().columns, WIDEST) - 2
    lead = session.written(USAGE)
    for position, usage in enumerate(command.usages):
        yield (lead if position == 0 else " " * _columns(lead)) + f"{ctx.command_path} {usage}".rstrip()
    yield ""
    yield from (f"  {line}" for line in wrap(session.written(command.said), width - 2))
    for heading, rows in command.sections(ctx):
        yield ""
        yield session.written(heading)
        first = max(_columns(row[0]) for row in rows) + 2
        for name, said in rows:
            lines = wrap(said, max(width - first - 2, 20))
            yield f"  {name}{' ' * (first - _columns(name))}{lines[0]}".rstrip()
            yield from (" " * (first + 2) + line for line in lines[1:])


def _columns(text: str) -> int:
    from question_bank.math import cell_len

    return cell_len(text)
