"""What stands on the command line for numbers: text as an answer may have it, ``@file``, or ``-`` for stdin."""

from __future__ import annotations

import codecs
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from question_bank.program import Nested
from question_bank.text import Text
from quizapp.commands.arrays import array_text, cannot_read, is_array_file, read_array
from quizapp.commands.exits import MisuseError
from quizapp.commands.session import Session
from solvers.reading.model import MAX_CHARACTERS, Unreadable

STDIN = "-"
FILE = "@"
_MOST_BYTES = 4 * MAX_CHARACTERS + 4
"""Of a longer file no more is read: the reader refuses it anyway."""


@dataclass(slots=True)
class Sources:
    """Reads the arguments of one command; stdin can stand for one of them only."""

    session: Session
    _stdin_taken_by: str = field(default="", init=False)

    def text(self, argument: str, name: str) -> str:
        """Return what an argument stands for as text.

        Args:
            argument: As typed.
            name: The argument's name, for messages.

        Raises:
            MisuseError: The file can't be read, or stdin is asked for twice.
        """
        if argument == STDIN:
            return self._stdin(name)
        if argument.startswith(FILE):
            file = argument.removeprefix(FILE)
            return array_text(file) if is_array_file(file) else _file(file)
        return argument

    def value(self, argument: str, name: str) -> Nested:
        """Return what an argument stands for as exact numbers.

        Raises:
            MisuseError: It can't be read as numbers; the message says why.
        """
        if argument.startswith(FILE) and is_array_file(argument.removeprefix(FILE)):
            return read_array(argument.removeprefix(FILE))
        from solvers.answers import read_value

        value = read_value(self.text(argument, name))
        if isinstance(value, Unreadable):
            raise MisuseError(Text("{name}: {message}", "{name}：{message}").fill(name=name, message=value.message))
        return value

    def _stdin(self, name: str) -> str:
        if self._stdin_taken_by:
            raise MisuseError(
                Text(
                    "“-” can stand for one value only: stdin is already used for {first}, so {second} can't have it.",
                    "“-”只能用一次：标准输入已经给了 {first}，{second} 不能再用。",
                ).fill(first=self._stdin_taken_by, second=name)
            )
        self._stdin_taken_by = name
        if sys.stdin is None:
            return ""
        if sys.stdin.isatty():
            self.session.tell(
                Text("{name}: type it here, then end with {keys}.", "{name}：请在此输入，按 {keys} 结束。").fill(
                    name=name, keys="Ctrl+Z, Enter" if sys.platform == "win32" else "Ctrl+D"
                )
            )
        return _decoded(sys.stdin.buffer, name)


def _file(name: str) -> str:
    try:
        with Path(name).open("rb") as stream:
            text = _decoded(stream, name)
    except OSError as fault:
        raise cannot_read(name, fault) from fault
    return _from_csv(text) if name.lower().endswith(".csv") else text


def _from_csv(text: str) -> str:
    """Write comma-separated values so that nothing in them can be read in two ways."""
    if ";" in text:  # as spreadsheets write it where the comma is the decimal sign
        return text.replace(",", ".").replace(";", ", ") if "." not in text else text.replace(";", ", ")
    return text.replace(",", ", ")


def _decoded(stream: BinaryIO, name: str) -> str:
    data = stream.read(_MOST_BYTES)
    try:
        # A longer text may end within a character; the reader says that it is too long.
        text = codecs.getincrementaldecoder("utf-8-sig")().decode(data, final=len(data) < _MOST_BYTES)
    except UnicodeDecodeError as fault:
        raise MisuseError(Text("{name} is not UTF-8 text.", "{name} 不是 UTF-8 文本。").fill(name=name)) from fault
    return text.strip("\r\n")
