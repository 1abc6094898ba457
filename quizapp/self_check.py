"""Checking a person's own numbers: from typed fields to a program, and from the program to verdict and steps.

Reading needs no torch and happens in the application; ``judge`` runs in the solver's process.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from question_bank.exact import show
from question_bank.own_numbers import Field, FieldKind, OwnNumbersError, Template, as_wanted, build, verify
from question_bank.program import AnswerFormat, Kind, Nested, Program, shape_of
from question_bank.text import Text, same
from quizapp import wording_check as wording
from solvers.answers import Answer, Unreadable, read, read_value
from solvers.steps import Step
from solvers.verdict import Verdict

FEWEST_DECIMALS, MOST_DECIMALS = 2, 4
"""A result is checked to as many decimals as it has, within these bounds."""


class FormError(Exception):
    """A form that makes no program yet.

    Attributes:
        field: The name of the field at fault; None where they don't go together.
        message: What is missing or wrong.
    """

    def __init__(self, field: str | None, message: Text) -> None:
        """Keep which field it is."""
        super().__init__(message.en)
        self.field = field
        self.message = message


def read_field(field: Field, text: str) -> Nested | Unreadable:
    """Read what was typed into a field; a value that the field can't take is unreadable."""
    value = read_value(text)
    if isinstance(value, Unreadable):
        return value
    try:
        verify(field, as_wanted(field, value))
    except OwnNumbersError as error:
        return Unreadable(error.message)
    return value


def found(value: Nested, kind: FieldKind = FieldKind.ROW_OR_MATRIX) -> Text:
    """Say in a word what was read: ``3×2``, ``3 numbers``, the number itself. Where a matrix is wanted, a row is one."""
    shape = shape_of(value)
    if kind is FieldKind.MATRIX and len(shape) == 1:
        shape = (1, *shape)
    match shape:
        case ():
            return same(show(value))  # type: ignore[arg-type]
        case (1,):
            return wording.ONE_NUMBER
        case (count,):
            return wording.NUMBERS.fill(count=count)
        case dimensions:
            return same("×".join(map(str, dimensions)))


def decimals_of(result: str) -> int:
    """Return to how many decimals a typed result is to be checked."""
    answer = read(result, AnswerFormat(Kind.MATRIX, decimals=MOST_DECIMALS))
    typed = [cell.decimals for cell in answer.cells if cell.decimals is not None] if isinstance(answer, Answer) else []
    return min(MOST_DECIMALS, max(FEWEST_DECIMALS, *typed)) if typed else MOST_DECIMALS


def program_of(template: Template, texts: Mapping[str, str], flags: Collection[str], result: str) -> Program:
    """Write the program of what was typed.

    Args:
        template: The operation.
        texts: What each field holds, by its name; blank counts as not given.
        flags: The names of the flags that are set.
        result: The person's own result, which says how many decimals to check.

    Raises:
        FormError: A field is missing or can't be read, or the fields don't go together.
    """
    values: dict[str, Nested] = {}
    for field in template.fields:
        text = texts.get(field.name, "").strip()
        if field.kind is FieldKind.FLAG:
            if field.name in flags:
                values[field.name] = 1
        elif text:
            value = read_field(field, text)
            if isinstance(value, Unreadable):
                raise FormError(field.name, value.message)
            values[field.name] = value
        elif field.required:
            raise FormError(field.name, wording.MISSING.fill(title=field.title))
    try:
        return build(template, values, decimals_of(result))
    except OwnNumbersError as error:
        raise FormError(None, error.message) from None


@dataclass(frozen=True, slots=True)
class Judged:
    """What came of a check.

    Attributes:
        verdict: The verdict on the result.
        steps: The worked solution.
    """

    verdict: Verdict
    steps: tuple[Step, ...]


def judge(program: Program, result: str | None) -> Judged | Text:
    """Mark a result and work the solution out; runs where torch is.

    Args:
        program: What to compute.
        result: The person's own result; None to see the solution.

    Returns:
        Verdict and steps, or why the numbers don't go together.
    """
    from solvers.grading import grade
    from solvers.run import RunError
    from solvers.worked import work

    try:
        return Judged(grade(program, (result,)), work(program))
    except RunError as error:
        return error.message
