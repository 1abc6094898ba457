"""Operations on one's own numbers: their options, made from the templates of the question bank, and what is typed there."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import click

from question_bank.own_numbers import SIZES, TEMPLATES, Field, FieldKind, Template, build, build_shapes
from question_bank.program import Nested, Program
from question_bank.text import Text
from quizapp.commands.bilingual import Command, Option, whole_number
from quizapp.commands.exits import MisuseError
from quizapp.commands.values import Sources

MOST_DECIMALS = 12
_NUMBERS = "numbers"
_METAVARS = {
    FieldKind.ROW: "ROW",
    FieldKind.MATRIX: "MATRIX",
    FieldKind.ROW_OR_MATRIX: "ROW|MATRIX",
    FieldKind.NUMBER: "NUMBER",
}


def operation_command(
    template: Template, done: Text, callback: Callable[..., Any], more: Sequence[click.Parameter], ending: str, decimals: int
) -> Command:
    """Make the command of one operation.

    Args:
        template: The operation.
        done: What the command does with it; ``{operation}`` stands for its name.
        callback: What is called, with everything that was typed.
        more: Options besides the operation's own.
        ending: What the usage line ends with.
        decimals: Decimals asked of the result unless the command line says otherwise.
    """
    parameters: list[click.Parameter] = [_option(field) for field in template.fields]
    single = single_field(template)
    if single is not None:
        parameters.insert(0, click.Argument([_NUMBERS], nargs=-1, required=False))
    said = Text("Decimals of the result; {n} by default.", "结果的小数位数，默认 {n}。").fill(n=decimals)
    parameters.append(
        Option(["--decimals"], said, type=str, callback=whole_number(0, MOST_DECIMALS), metavar="N", default=decimals)
    )
    usages = [" ".join((*_usage(template, single), *([ending] if ending else [])))]
    return Command(
        template.id,
        done.fill(operation=template.title),
        usages,
        brief=template.title,
        callback=callback,
        params=[*parameters, *more],
    )


def single_field(template: Template) -> Field | None:
    """Return the one required field, which needs no option; None where there are several."""
    required = [field for field in template.fields if field.required]
    return required[0] if len(required) == 1 else None


def option_name(field: Field) -> str:
    """Return a field's option."""
    return "--" + field.name.replace("_", "-")


def _option(field: Field) -> Option:
    name = [option_name(field), field.name]
    if field.kind is FieldKind.FLAG:
        return Option(name, _sentence(field), is_flag=True)
    return Option(name, _sentence(field), metavar=_METAVARS[field.kind])


def _sentence(field: Field) -> Text:
    title = Text(field.title.en[:1].upper() + field.title.en[1:], field.title.zh)
    if field.example:
        return Text(f"{title.en}. Example: “{field.example}”.", f"{title.zh}。例如“{field.example}”。")
    return Text(f"{title.en}.", f"{title.zh}。")


def _usage(template: Template, single: Field | None) -> list[str]:
    if single is not None:
        return ['"NUMBERS"', "[OPTIONS]"]
    return [f'{option_name(field)} "…"' for field in template.fields if field.required] + ["[OPTIONS]"]


def own_program(sources: Sources, template: Template, typed: Mapping[str, object], decimals: int) -> Program:
    """Write the program of an operation on what was typed.

    Raises:
        MisuseError: Something is missing, given twice, or can't be read as numbers.
        OwnNumbersError: The numbers don't fit the operation.
    """
    arguments = {field: value for field in template.fields if (value := typed[field.name]) not in (None, False)}
    single = single_field(template)
    if single is not None and typed[_NUMBERS]:
        if single in arguments:
            raise MisuseError(
                Text("The numbers are given twice: here and as {option}.", "数字给了两次：{option} 又给了一次。").fill(
                    option=option_name(single)
                )
            )
        arguments[single] = _joined(typed[_NUMBERS])  # type: ignore[arg-type]
    for field in template.fields:
        if field.required and field not in arguments:
            raise _missing(field, single)
    positional = single if single is not None and typed[_NUMBERS] else None
    values: dict[str, Nested] = {
        field.name: 1
        if field.kind is FieldKind.FLAG
        else sources.value(str(value), _NUMBERS.upper() if field == positional else option_name(field))
        for field, value in arguments.items()
    }
    return build(template, values, decimals)


def _missing(field: Field, single: Field | None) -> MisuseError:
    if field == single:
        return MisuseError(
            Text("The numbers are missing: {title}, such as “{example}”.", "缺少数字：{title}，例如“{example}”。").fill(
                title=field.title, example=field.example
            )
        )
    return MisuseError(
        Text("{option} is missing: {title}, such as “{example}”.", "缺少 {option}：{title}，例如“{example}”。").fill(
            option=option_name(field), title=field.title, example=field.example
        )
    )


_ONE_NUMBER = re.compile(r"[^\s,;，；、\[\]()]+")


def _joined(arguments: Sequence[str]) -> str:
    """Take several single numbers for one row, as typed without quotes."""
    if len(arguments) > 1 and not all(_ONE_NUMBER.fullmatch(each) for each in arguments):
        raise MisuseError(
            Text(
                'Put the whole matrix in one pair of quotes, its rows separated by semicolons: "1 2; 3 4".',
                '请把整个矩阵放在一对引号里，行与行之间用分号隔开："1 2; 3 4"。',
            )
        )
    return " ".join(arguments)


# Shapes ----------------------------------------------------------------------------------------------------------------

_SIZE = re.compile(r"\s*(?P<name>\w+)\s*[=＝]\s*(?P<size>\d{1,18})\s*")


def shape_program(kind: str, sizes: Sequence[str]) -> Program:
    """Write the program of the shapes of attention.

    Args:
        kind: Which attention.
        sizes: Its sizes, each ``NAME=NUMBER``.

    Raises:
        MisuseError: A size is not written so, or is given twice.
        OwnNumbersError: There is no such attention, or a size is missing or can't be.
    """
    given: dict[str, int] = {}
    for typed in sizes:
        match = _SIZE.fullmatch(typed)
        if match is None:
            raise MisuseError(
                Text("“{typed}” should be a size, such as B=2.", "“{typed}”应写成 B=2 这样的形式。").fill(typed=typed[:40])
            )
        if match["name"] in given:
            raise MisuseError(Text("{name} is given twice.", "{name} 给了两次。").fill(name=match["name"]))
        given[match["name"]] = int(match["size"])
    return build_shapes(kind, given)


SHAPE_KINDS = tuple(SIZES)
SHAPE_SIZES = Text(
    "; ".join(f"{kind}: {' '.join(names)} [h]" for kind, names in SIZES.items()),
    "；".join(f"{kind}：{' '.join(names)} [h]" for kind, names in SIZES.items()),
)
OPERATIONS = tuple(TEMPLATES)
