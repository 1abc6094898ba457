"""What is wrong with a content file, and where."""

from __future__ import annotations

from dataclasses import dataclass

from question_bank.text import Language, Text

Found = tuple[str, Text]
"""A field, such as ``pitfalls[0].why.zh`` (empty for the file as a whole), and what is wrong with it: the rest of a sentence
that starts with the field's name, without its full stop."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of a content file.

    Attributes:
        file: The name of the file.
        field: The field at fault; empty where the file as a whole is.
        line: The line of the file, from 1; None where there is none to name.
        message: What was found and what was expected: a whole sentence with file, line and field.
    """

    file: str
    field: str
    line: int | None
    message: Text


def make_fault(file: str, field: str, line: int | None, what: Text) -> Fault:
    """Write the sentence of a fault."""
    place = Text(file, file) if line is None else Text(f"{file}, line {line}", f"{file} 第 {line} 行")
    about = Text(f"{field} " if field else "", f"{field} " if field else "")
    return Fault(file, field, line, Text(f"{place.en}: {about.en}{what.en}.", f"{place.zh}：{about.zh}{what.zh}。"))


class ContentError(ValueError):
    """Content that can't be used.

    Attributes:
        faults: Every fault that was found; none where what was asked for doesn't exist.
        message: All of them, a line each.
    """

    def __init__(self, faults: tuple[Fault, ...], message: Text | None = None) -> None:
        """Keep the faults beside the message."""
        self.faults = faults
        self.message = message or Text(*("\n".join(fault.message[language] for fault in faults) for language in Language))
        super().__init__(self.message.en)

    def __reduce__(self) -> tuple[type[ContentError], tuple[tuple[Fault, ...], Text]]:
        """Let the error cross a process boundary."""
        return type(self), (self.faults, self.message)
