"""What click complains about, said in both languages."""

from __future__ import annotations

import click

from question_bank.text import Text, same
from quizapp.commands.bilingual import Option, see_help, unknown_option


def complaint(error: click.UsageError) -> Text:
    """Say what is wrong with a command line, and where help is."""
    message = _what(error)
    if error.ctx is None:
        return message
    return message + see_help(error.ctx)


def _what(error: click.UsageError) -> Text:
    if isinstance(error, click.NoSuchOption):
        known = [name for each in error.ctx.command.params for name in each.opts] if error.ctx else []
        return unknown_option(error.option_name, [name for name in known if name.startswith("-")])
    if isinstance(error, click.BadOptionUsage):
        if error.ctx is not None and _is_flag(error.ctx.command, error.option_name):
            return Text("{option} takes no value.", "{option} 不带值。").fill(option=error.option_name)
        return Text("{option} needs a value.", "{option} 需要一个值。").fill(option=error.option_name)
    if isinstance(error, click.MissingParameter) and error.param is not None:
        name = error.param.opts[0] if isinstance(error.param, Option) else error.param.human_readable_name
        return Text("{name} is missing.", "缺少 {name}。").fill(name=name)
    return same(error.format_message())


def _is_flag(command: click.Command, name: str) -> bool:
    return any(isinstance(each, Option) and name in each.opts and each.is_flag for each in command.params)
