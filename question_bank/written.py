"""Programs as content files write them: inputs as TOML values, one line of text per call.

    inputs = { Q = [[1, 0], [1, 1]], K = [[0, 1], [1, 0]], d_k = 2 }
    program = ['S = scores(Q, K)', 'Z = scale(S, d_k)', "A = softmax(Z, over='keys')"]

A number with a point is the decimal that stands there; a text is an exact number, such as ``'ln(2)'`` or ``'-inf'``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from question_bank.content import Found
from question_bank.exact import INFINITY, MINUS_INFINITY, NOT_A_NUMBER, Exact, from_text
from question_bank.program import Call, Nested, Parameter, call, shape_of
from question_bank.text import Text

_NAME = r"[A-Za-z]\w*"
_LINE = re.compile(rf"\s*({_NAME})\s*=\s*({_NAME})\s*\(([^()]*)\)\s*$")
_PARAMETER = re.compile(rf"({_NAME})\s*=\s*(?:'([^']*)'|(-?\d+)|(-?\d+\.\d+|-?\d+/\d+))$")
_SPECIAL = {"inf": INFINITY, "-inf": MINUS_INFINITY, "nan": NOT_A_NUMBER}


class WrittenError(ValueError):
    """A line or a value that can't be read.

    Attributes:
        message: What is wrong: the rest of a sentence that starts with the field's name.
    """

    def __init__(self, message: Text) -> None:
        """Keep the message in both languages."""
        super().__init__(message.en)
        self.message = message


def read_line(line: str) -> Call:
    """Read one call.

    Raises:
        WrittenError: It is not of the form ``node = operation(argument, name='value')``.
    """
    match = _LINE.match(line)
    wrong = WrittenError(
        Text(
            "should read like S = scores(Q, K) or A = softmax(Z, over='keys'), not {line}",
            "应写成 S = scores(Q, K) 或 A = softmax(Z, over='keys') 这样的形式，实际是 {line}",
        ).fill(line=line)
    )
    if match is None:
        raise wrong
    arguments: list[str] = []
    parameters: dict[str, Parameter] = {}
    for part in filter(None, (each.strip() for each in match[3].split(","))):
        if re.fullmatch(_NAME, part) and not parameters:
            arguments.append(part)
        elif found := _PARAMETER.match(part):
            text, whole, fraction = found[2], found[3], found[4]
            parameters[found[1]] = text if text is not None else int(whole) if whole else Fraction(fraction)
        else:
            raise wrong
    return call(match[1], match[2], *arguments, **parameters)


def read_value(value: Any) -> Nested:
    """Read an input: a number, a row, a matrix or deeper.

    Raises:
        WrittenError: It is none of these, or its rows differ in length.
    """
    nested = _nested(value)
    try:
        shape_of(nested)
    except ValueError:
        raise WrittenError(Text("has rows of different lengths", "各行长度不一致")) from None
    return nested


def _nested(value: Any) -> Nested:
    if isinstance(value, list) and value:
        return tuple(_nested(part) for part in value)
    return _number(value)


def _number(value: Any) -> Exact:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, Decimal) and value.is_finite():
        return Fraction(value)
    if isinstance(value, str):
        if value in _SPECIAL:
            return _SPECIAL[value]
        try:
            return from_text(value)
        except ValueError:
            pass
    raise WrittenError(
        Text("should be a number, a row or a matrix, not {value}", "应为数、一行数或矩阵，实际是 {value}").fill(value=value)
    )


def line_faults(lines: Sequence[str], known: Mapping[str, object], field: str) -> Iterator[Found]:
    """Find lines that can't be read, or that use a name before it is there."""
    names = set(known)
    for index, line in enumerate(lines):
        try:
            read = read_line(line)
        except WrittenError as fault:
            yield f"{field}[{index}]", fault.message
            continue
        for name in read.arguments:
            if name not in names:
                yield (
                    f"{field}[{index}]",
                    Text("uses {name}, which no input or earlier line gives", "用到了 {name}，但前面没有这个输入或结果").fill(
                        name=name
                    ),
                )
        names.add(read.node)


def input_faults(inputs: Mapping[str, Any], field: str) -> Iterator[Found]:
    """Find inputs that can't be read."""
    for name, value in inputs.items():
        try:
            read_value(value)
        except WrittenError as fault:
            yield f"{field}.{name}", fault.message
