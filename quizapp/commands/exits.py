"""Exit codes, and the error that stands for a command used wrongly."""

from __future__ import annotations

from enum import IntEnum

from question_bank.text import Text


class Exit(IntEnum):
    """What the shell is told; scripts rely on these."""

    RIGHT = 0
    DONE = 0
    NOT_RIGHT = 1
    MISUSED = 2
    UNREADABLE = 3
    INTERNAL = 4


class MisuseError(Exception):
    """A command that can't be carried out as it was typed.

    Attributes:
        message: What was found and what was expected, in both languages.
    """

    def __init__(self, message: Text) -> None:
        """Keep the message in both languages."""
        super().__init__(message.en)
        self.message = message
