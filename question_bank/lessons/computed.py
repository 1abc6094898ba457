"""What a lesson's programs give, as texts; plain data, so that a lesson can be shown without torch."""

from __future__ import annotations

from pathlib import Path

import msgspec
from msgspec import Struct

Table = str | tuple["Table", ...]
"""A number, a row, a matrix or deeper, as texts."""


class Sized(Struct, frozen=True):
    """A line of the shape flow: its node, the formula that makes it (LaTeX), its sizes by name and as numbers."""

    node: str
    formula: str
    names: str
    numbers: str


class Computed(Struct, frozen=True):
    """What a lesson's programs give.

    Attributes:
        shapes: The shape flow, inputs first.
        examples: For each example, the nodes that are shown.
        variations: For each variation, the node that is shown.
        unchanged: The same node without the variation.
        values: What stands in each place of the lesson's texts, by what the place says.
    """

    shapes: tuple[Sized, ...]
    examples: tuple[dict[str, object], ...]
    variations: tuple[object, ...]
    unchanged: tuple[object, ...]
    values: dict[str, str]


def as_table(value: object) -> Table:
    """Return a value of ``examples`` or ``variations`` as nested tuples of texts."""
    return tuple(map(as_table, value)) if isinstance(value, list | tuple) else str(value)


def load_computed(path: Path) -> Computed:
    """Read what ``save_computed`` wrote."""
    return msgspec.json.decode(path.read_bytes(), type=Computed)


def save_computed(computed: Computed, path: Path) -> None:
    """Write the numbers of a lesson."""
    path.write_bytes(msgspec.json.format(msgspec.json.encode(computed), indent=1) + b"\n")
