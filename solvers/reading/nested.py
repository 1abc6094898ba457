"""Numbers in rows: a leaf, a vector, a matrix, or deeper, and what dimensions it has."""

from __future__ import annotations

from typing import NamedTuple

from question_bank.text import Text
from solvers.reading.model import Cell, RefusedError


class Leaf(NamedTuple):
    """One number of an array.

    Attributes:
        cell: The number.
        text: How it is written out.
        at: Where it begins.
    """

    cell: Cell
    text: str
    at: int


class Rows(NamedTuple):
    """An array.

    Attributes:
        items: Its numbers, or its rows.
        column: One number per line or between semicolons, without brackets of their own.
        at: Where it begins.
    """

    items: tuple[Leaf | Rows, ...]
    column: bool
    at: int


def dimensions(value: Leaf | Rows) -> tuple[int, ...]:
    """Return the dimensions of an array, ``()`` of a number.

    Raises:
        RefusedError: The rows have different lengths; the first that differs is named.
    """
    if isinstance(value, Leaf):
        return ()
    first: tuple[int, ...] | None = None
    for number, item in enumerate(value.items, start=1):
        inner = dimensions(item)
        if first is None:
            first = inner
        elif inner != first:
            raise RefusedError(_ragged(number, inner, first), item.at)
    return (len(value.items), *(first or ()))


def _ragged(number: int, inner: tuple[int, ...], first: tuple[int, ...]) -> Text:
    if len(inner) == 1 and len(first) == 1:
        return Text(
            "The rows differ in length: row {n} has {here}, row 1 has {there}.",
            "各行长度不一：第 {n} 行有 {here} 个数，第 1 行有 {there} 个。",
        ).fill(n=number, here=inner[0], there=first[0])
    return Text(
        "The brackets are nested unevenly: part {n} is not built like part 1.",
        "括号层次不一致：第 {n} 部分与第 1 部分的结构不同。",
    ).fill(n=number)


def leaves(value: Leaf | Rows) -> list[Leaf]:
    """Return the numbers of an array, row by row."""
    if isinstance(value, Leaf):
        return [value]
    return [leaf for item in value.items for leaf in leaves(item)]


def write(value: Leaf | Rows) -> str:
    """Write an array out: ``[[1, 2], [3, 4]]``."""
    if isinstance(value, Leaf):
        return value.text
    return "[" + ", ".join(map(write, value.items)) + "]"
