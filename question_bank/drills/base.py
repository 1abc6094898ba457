"""What a drill is, and the draws that its numbers come from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random
from typing import TypeVar

from question_bank.exact import Expression, ln
from question_bank.program import AnswerFormat, Ask, Kind, Program
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


Sampler = Callable[[Draw, int], Drawn]
"""Draws a problem at a level."""


@dataclass(frozen=True, slots=True)
class Revised:
    """A level that has been revised alone.

    Attributes:
        level: The level.
        revision: Its revision now; the other levels keep the drill's.
        before: What the level drew under the drill's revision; codes of that revision still give it.
    """

    level: int
    revision: str
    before: Sampler


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
        revised: Levels whose problems have changed since, so that the others' codes stay what they are.
    """

    id: str
    section: str
    title: Text
    revision: str
    levels: tuple[int, ...]
    sample: Sampler
    hints: tuple[Text, ...] = ()
    revised: tuple[Revised, ...] = ()

    def revision_at(self, level: int) -> str:
        """Return the revision of a level's problems."""
        return next((one.revision for one in self.revised if one.level == level), self.revision)

    def sampler(self, level: int, revision: str) -> Sampler | None:
        """Return what draws a level's problems in a revision; None where there is nothing of that revision any more."""
        if revision == self.revision_at(level):
            return self.sample
        return next((one.before for one in self.revised if one.level == level and revision == self.revision), None)


_LETTERS = Text(", in letters", "，用字母")
"""What the label of an answer field says where letters are asked."""


def said_names(asks: Sequence[Ask]) -> Text:
    """Say which shapes are asked in letters, with what letters, and that the others are asked in numbers."""
    named = [ask for ask in asks if ask.format.kind is Kind.NAMED_SHAPE]
    if not named:
        return Text("", "")
    labels = [ask.label or Text("", "") for ask in named]
    english = _and([f"the {label.en.removesuffix(_LETTERS.en)}" for label in labels])
    chinese = "、".join(label.zh.removesuffix(_LETTERS.zh).strip() for label in labels)
    letters = [_symbol(one) for one in named[0].format.symbols]
    numbers = Text("", "") if len(named) == len(asks) else Text(", the rest in numbers", "，其余写数字")
    return Text(
        f"Write {english} in letters ({', '.join(letters)}){numbers.en}.",
        f"{chinese} 用字母（{'、'.join(letters)}）表示{numbers.zh}。",
    )


def _and(parts: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))


def _symbol(name: str) -> str:
    head, _, tail = name.partition("_")
    return f"${name}$" if len(tail) < 2 else f"${head}_{{\\text{{{tail}}}}}$"


def ask_order(node: str, *symbols: str) -> Ask:
    """Ask the order of growth of a count in some of the program's inputs."""
    named = [_symbol(one) for one in symbols]
    label = Text(f"order of growth of ${node}$ with {_and(named)}", f" ${node}$ 随 {'、'.join(named)} 增长的量级")
    return Ask(node, AnswerFormat(Kind.ORDER, symbols=symbols), label=label)


def are_apart(sizes: Sequence[int]) -> bool:
    """Tell whether no two sizes are alike."""
    return len(set(sizes)) == len(sizes)


def in_letters(draw: Draw, asks: Sequence[Ask], sizes: Mapping[str, int], count: int = 1) -> tuple[Ask, ...]:
    """Ask some of several shapes with names instead of numbers.

    Args:
        draw: Draws which.
        asks: The shapes asked.
        sizes: The names that may be used, each with the size that it stands for; no two sizes may be alike.
        count: How many of the shapes are asked with names.
    """
    chosen = draw.shuffled(range(len(asks)))[:count]
    form = AnswerFormat(Kind.NAMED_SHAPE, symbols=tuple(sizes), sizes=tuple(sizes.values()))
    return tuple(
        replace(ask, format=form, label=_with_letters(ask.label)) if number in chosen else ask
        for number, ask in enumerate(asks)
    )


def _with_letters(label: Text | None) -> Text | None:
    return label and Text(label.en + _LETTERS.en, label.zh.rstrip() + _LETTERS.zh)


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
