"""Places in a lesson's texts that hold computed numbers.

«A[2,3]»        cell of a node of the first example, indices from 1; «A[2]» a row, «A» the whole, «L» a number
«2:O[1]»        of the second example
«A[2,3]:4»      to four decimals rather than the example's own
«A[2,3]%»       as a percentage, without its sign
«v3:A[1]»       under the third variation of the demonstration
«shape:S»       sizes of a node of the shape flow, as numbers: [2, 10, 10]
«names:S»       as names: [B, S, S]
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from question_bank.text import Text

_PLACE = re.compile(r"«([^«»]*)»")
_INSIDE = re.compile(
    r"(?:(?P<source>[12]|v[1-9]|shape|names):)?(?P<node>[A-Za-z]\w*)(?:\[(?P<index>[\d, ]+)\])?(?P<percent>%)?(?::(?P<decimals>\d))?$"
)


@dataclass(frozen=True, slots=True)
class Place:
    """What a place asks for.

    Attributes:
        source: ``1`` or ``2`` for an example, ``v1`` ... for a variation, ``shape`` or ``names``.
        node: The node.
        index: Indices from 0.
        percent: Whether it's a percentage.
        decimals: How many decimals; None for the example's own.
    """

    source: str
    node: str
    index: tuple[int, ...]
    percent: bool
    decimals: int | None


def places(text: Text) -> Iterator[str]:
    """Yield what stands in each place of a text, in either language."""
    for sentence in (text.en, text.zh):
        yield from _PLACE.findall(sentence)


def read_place(place: str, source: str = "1") -> Place | None:
    """Read a place; None where it isn't of the form above.

    Args:
        place: What stands between « and ».
        source: Where a bare node is looked for.
    """
    match = _INSIDE.match(place.strip())
    if match is None:
        return None
    index = tuple(int(part) - 1 for part in match["index"].split(",") if part.strip()) if match["index"] else ()
    decimals = int(match["decimals"]) if match["decimals"] else None
    return Place(match["source"] or source, match["node"], index, bool(match["percent"]), decimals)


def fill(text: Text, values: Mapping[str, str]) -> Text:
    """Put the computed numbers in; a place without one stays as it is."""
    return Text(*(_PLACE.sub(lambda match: values.get(match[1], match[0]), sentence) for sentence in (text.en, text.zh)))
