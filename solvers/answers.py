"""Read what a person typed: all of it or none of it, without guessing and without ever evaluating it.

``read`` gives an ``Answer``, or an ``Unreadable`` with a message that says what was found and what was expected; whether the
answer is right is for ``solvers.grading`` to say. It never raises, and takes time linear in the length of the text.
"""

from __future__ import annotations

from collections.abc import Callable

from question_bank.program import AnswerFormat, Kind, Nested
from question_bank.text import Text
from solvers.reading.expected import expected, own_numbers
from solvers.reading.fast import read_plain
from solvers.reading.folding import Source, fold
from solvers.reading.lines import read_line
from solvers.reading.model import MAX_CHARACTERS, Answer, Cell, RefusedError, Unreadable
from solvers.reading.numbers import read_array, read_integer, read_number, read_own, read_shape
from solvers.reading.orders import read_order
from solvers.reading.sizes import read_bytes
from solvers.reading.words import read_choice, read_named_shape, read_yes_no

__all__ = ["MAX_CHARACTERS", "Answer", "Cell", "Unreadable", "read", "read_value"]

_READERS: dict[Kind, Callable[[Source, AnswerFormat], Answer]] = {
    Kind.INTEGER: read_integer,
    Kind.NUMBER: read_number,
    Kind.PERCENT: read_number,
    Kind.EXPRESSION: read_number,
    Kind.VECTOR: read_array,
    Kind.MATRIX: read_array,
    Kind.SHAPE: read_shape,
    Kind.NAMED_SHAPE: read_named_shape,
    Kind.BYTES: read_bytes,
    Kind.ORDER: read_order,
    Kind.CHOICE: read_choice,
    Kind.YES_NO: read_yes_no,
    Kind.LINE: read_line,
}


def read(text: str, form: AnswerFormat) -> Answer | Unreadable:
    """Read a typed answer.

    Args:
        text: What was typed, in any Unicode characters.
        form: The form in which the answer is asked. A well-formed vector, matrix or shape of other dimensions is read too.

    Returns:
        The answer, or why it can't be read.
    """
    if len(text) > MAX_CHARACTERS:
        return _too_long(text)
    plain = read_plain(text, form)
    if plain is not None:
        return plain
    try:
        return _READERS[form.kind](_folded(text), form)
    except RefusedError as refusal:
        return _unreadable(refusal, expected(form))


def read_value(text: str) -> Nested | Unreadable:
    """Read a person's own number, vector or matrix, in any form that an answer may have.

    A line is a row, and so is what stands between semicolons; one line without brackets is a vector.

    Args:
        text: What was typed or pasted.

    Returns:
        The number, or tuples of numbers; or why it can't be read.
    """
    if len(text) > MAX_CHARACTERS:
        return _too_long(text)
    try:
        return read_own(_folded(text))
    except RefusedError as refusal:
        return _unreadable(refusal, own_numbers())


def _folded(text: str) -> Source:
    source = fold(text).stripped()
    if not source.text:
        raise RefusedError(Text("Nothing has been typed.", "还没有输入内容。"))
    return source


def _too_long(text: str) -> Unreadable:
    return Unreadable(
        Text("{n} characters are too many; at most {most} are read.", "共有 {n} 个字符，太长了；最多读取 {most} 个字符。").fill(
            n=len(text), most=MAX_CHARACTERS
        )
    )


def _unreadable(refusal: RefusedError, form: Text) -> Unreadable:
    message = refusal.message
    if not refusal.complete:
        message += Text("Expected: {form}.", "应填{form}。").fill(form=form)
    return Unreadable(message, refusal.at)
