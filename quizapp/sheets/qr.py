"""The codes of a sheet as QR codes, each of a size that a phone reads off paper."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO

from quizapp.sheets.plan import qr_text

LARGEST_VERSION = 12
"""Of 40; 65 modules wide, each of a third of a millimetre."""

MOST_CHARACTERS = 360
"""What version 12 holds of capitals and digits, at error level M: 419, less a margin."""


def qr_parts(codes: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Part codes among QR codes, evenly."""
    if not codes:
        return ()
    total = sum(len(code) + 1 for code in codes)
    count = -(-total // (MOST_CHARACTERS - 20))
    parts: list[tuple[str, ...]] = []
    rest = list(codes)
    for left in range(count, 0, -1):
        room = min(-(-sum(len(code) + 1 for code in rest) // left), MOST_CHARACTERS - 20)
        taken = 0
        while taken < len(rest) and (not taken or sum(len(code) + 1 for code in rest[: taken + 1]) <= room):
            taken += 1
        parts.append(tuple(rest[:taken]))
        rest = rest[taken:]
    while rest:  # what rounding left over
        parts.append(tuple(rest[:8]))
        rest = rest[8:]
    return tuple(part for part in parts if part)


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
