"""What a drill is, and the draws that its numbers come from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import TypeVar

from question_bank.exact import Expression, ln
from question_bank.program import Program
from question_bank.text import Text

T = TypeVar("T")
Matrix = tuple[tuple[int, ...], ...]


class Draw:
    """Random draws that are the same on every machine and in every later release.

    Only ``Random.random`` is used, seeded with text: Python guarantees that sequence, and no other method's.
    """

    def __init__(self, seed: str) -> None:
        """Start the sequence that belongs to a text."""
        self._random = Random(seed).random

    def integer(self, low: int, high: int) -> int:
        """Draw a whole number from low to high, both included."""
        return low + int(self._random() * (high - low + 1))

    def choice(self, options: Sequence[T]) -> T:
        """Draw one of the options."""
        return options[int(self._random() * len(options))]

    def vector(self, length: int, low: int, high: int) -> tuple[int, ...]:
        """Draw a vector of whole numbers."""
        return tuple(self.integer(low, high) for _ in range(length))

    def matrix(self, rows: int, columns: int, low: int, high: int) -> Matrix:
        """Draw a matrix of whole numbers, row by row."""
        return tuple(self.vector(columns, low, high) for _ in range(rows))

    def shuffled(self, options: Sequence[T]) -> tuple[T, ...]:
        """Draw an order of the options."""
        left = list(options)
        return tuple(left.pop(int(self._random() * len(left))) for _ in range(len(left)))

    def until(self, make: Callable[[], T], accept: Callable[[T], bool]) -> T:
        """Draw again until a draw is accepted; the last of forty is taken as it is."""
        made = make()
        for _ in range(39):
            if accept(made):
                break
            made = make()
        return made

    def asymmetric(self, size: int, low: int, high: int) -> Matrix:
        """Draw a square matrix that is not its own transpose."""
        return self.until(lambda: self.matrix(size, size, low, high), lambda made: made != tuple(zip(*made, strict=True)))


@dataclass(frozen=True, slots=True)
class Drawn:
    """What a sampler draws.

    Attributes:
        prompt: What is asked; the inputs are shown beneath it and need not be repeated.
        program: Inputs, computation and asks.
        listing: Lines of code that the prompt is about, without numbers; none for most drills.
        remark: What the worked solution ends with, in words; for what no number says.
    """

    prompt: Text
    program: Program
    listing: tuple[str, ...] = ()
    remark: Text | None = None


@dataclass(frozen=True, slots=True)
class Drill:
    """A kind of problem.

    Attributes:
        id: Its name in codes and on the shell.
        section: The chapter's section that it belongs to, such as ``7.10``.
        title: Its name for people.
        revision: One character of Crockford's base 32; changed whenever a seed would give another problem.
        levels: The levels it has.
        sample: Draws a problem at a level.
        hints: Up to three, from a nudge to one that nearly gives it away; they hold at every level.
    """

    id: str
    section: str
    title: Text
    revision: str
    levels: tuple[int, ...]
    sample: Callable[[Draw, int], Drawn]
    hints: tuple[Text, ...] = ()


def decimal(hundredths: int) -> int | Fraction:
    """Return so many hundredths as an exact number."""
    value = Fraction(hundredths, 100)
    return int(value) if value.denominator == 1 else value


def log_of(number: int) -> int | Expression:
    """Return ln of a whole number; ln 1 is 0."""
    return 0 if number == 1 else ln(number)


def name_row(node: str, row: int) -> Text:
    """Name a row, counted from 0, as a label: ``row 2 of Q``."""
    return Text(f"row {row + 1} of ${node}$", f" ${node}$ 的第 {row + 1} 行")


def name_node(node: str) -> Text:
    """Name a whole node as a label."""
    return Text(f"${node}$", f" ${node}$ ")
