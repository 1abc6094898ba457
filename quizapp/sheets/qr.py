"""The codes of a sheet as QR codes, each of a size that a phone reads off paper."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from itertools import accumulate

from quizapp.sheets.plan import qr_text

LARGEST_VERSION = 10
"""Of 40; 57 modules wide, each of nearly half a millimetre: legible in a scan of 150 dots an inch."""

MOST_CHARACTERS = 290
"""What version 10 holds of capitals and digits, at error level M: 311, less a margin."""


def qr_parts(codes: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Part codes among QR codes, evenly."""
    if not codes:
        return ()
    ends = list(accumulate(len(code) + 1 for code in codes))
    count = -(-ends[-1] // (MOST_CHARACTERS - 20))
    while True:
        parts: list[list[str]] = [[] for _ in range(count)]
        for code, end in zip(codes, ends, strict=True):
            parts[(2 * end - len(code) - 1) * count // (2 * ends[-1])].append(code)  # where its middle is
        if all(sum(len(code) + 1 for code in part) <= MOST_CHARACTERS - 20 for part in parts):
            return tuple(tuple(part) for part in parts if part)
        count += 1


_MASK = 1
"""A chequered one: letters and digits are well mixed under it, too."""


def qr_codes(codes: Sequence[str], *, quickly: bool = False) -> tuple[str, ...]:
    """Draw QR codes that hold all codes together, each as an SVG.

    Args:
        codes: The codes.
        quickly: Whether to leave out the search for the mask that is easiest to read, which takes most of the time.
    """
    import segno

    parts = qr_parts(codes)
    drawn = []
    for number, part in enumerate(parts, 1):
        code = segno.make_qr(qr_text(part, number, len(parts)), error="m", boost_error=False, mask=_MASK if quickly else None)
        svg = BytesIO()
        code.save(svg, kind="svg", border=0, omitsize=True, xmldecl=False, nl=False, dark="#1d2227")
        drawn.append(svg.getvalue().decode())
    return tuple(drawn)
