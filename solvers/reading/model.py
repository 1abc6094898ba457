"""What reading gives: an answer, or a message that says why there is none."""

from __future__ import annotations

from dataclasses import dataclass

from question_bank.exact import Exact
from question_bank.program import AnswerFormat
from question_bank.text import Text

MAX_CHARACTERS = 4000
"""A longer text is refused before anything looks at it."""

MAX_CELLS = 256
"""More numbers than this are refused."""

_NOTHING = Text("", "")


@dataclass(frozen=True, slots=True)
class Cell:
    """One number as typed.

    Attributes:
        value: The number itself; for a percentage typed where none is asked, 0.007 for ``0.7%``.
        decimals: Decimal places typed, of the value (3 for ``0.7%``); None for an exact form such as ``1/8`` or ``√2/2``.
        significant: Significant digits typed; None for an exact form.
        percent: Whether it was typed with a % sign.
    """

    value: Exact
    decimals: int | None
    significant: int | None
    percent: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """A typed answer, read as a whole.

    Attributes:
        format: The form in which it was asked.
        cells: Its numbers, row by row; the dimensions of a shape; none for a word.
        dimensions: ``()`` for a scalar, ``(n,)`` for a vector, ``(r, c)`` for a matrix; ``(rank,)`` for a shape.
        word: Canonical text of a choice (``b``), yes/no, a named shape (``B,h,S_dec,S_enc``) or an order (``n^2*d``).
        unit: For bytes, the unit typed: ``GiB``, ``MB``, ``B``, or empty.
        understood: Everything that was read, written out; typed back, it reads as the same values.
        notes: Remarks on the reading, such as a decimal comma.
    """

    format: AnswerFormat
    cells: tuple[Cell, ...]
    dimensions: tuple[int, ...]
    word: str = ""
    unit: str = ""
    understood: Text = _NOTHING
    notes: tuple[Text, ...] = ()


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A text that is no answer of the form asked; it costs no attempt.

    Attributes:
        message: What was found and what was expected.
        offset: Where in the typed text, counted from 0, where that is known.
    """

    message: Text
    offset: int | None = None


class RefusedError(Exception):
    """Inside the reader: the text can't be read; ``solvers.answers`` turns it into ``Unreadable``.

    Attributes:
        message: What was found.
        at: Position in the typed text.
        complete: The message says itself what was expected.
    """

    def __init__(self, message: Text, at: int | None = None, *, complete: bool = False) -> None:
        """Keep message and position."""
        super().__init__(message.en)
        self.message = message
        self.at = at
        self.complete = complete


def quoted(typed: str) -> str:
    """Return a piece of typed text fit to stand in a message: short, printable, without dollar signs (they mark math)."""
    shown = "".join(symbol if symbol.isprintable() else f"U+{ord(symbol):04X}" for symbol in typed[:40])
    shown = " ".join(shown.replace("$", "").split())
    return shown if len(shown) <= 24 else shown[:23] + "…"


def too_many(found: int) -> RefusedError:
    """Return the message on more numbers, or lines, than an answer may have."""
    return RefusedError(Text("{n} numbers are too many.", "共有 {n} 个数，太多了。").fill(n=found))
