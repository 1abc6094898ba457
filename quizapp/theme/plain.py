"""The theme that needs no colour: the terminal's own ink on its own paper, and bold, underline and reverse.

It is a theme in black and white whose shades are marks: ``Attributes`` turns them into attributes and takes every colour out,
so that it looks the same on dark and on light terminals, and on those that have no colours.
"""

from __future__ import annotations

from functools import lru_cache

from rich.color import Color as RichColor
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter
from textual.theme import Theme

_PAPER, _INK = "#000000", "#ffffff"
_FIELD = "#020202"
"""The paper of a field that can be typed in: underlined, as a line in a form is."""
_RIGHT, _ALMOST, _WRONG, _KEY = "#fffffe", "#fffefe", "#fefefe", "#fefeff"

PLAIN = Theme(
    name="plain",
    dark=True,
    primary=_INK,
    secondary=_INK,
    accent=_INK,
    foreground=_INK,
    background=_PAPER,
    surface=_FIELD,
    panel=_FIELD,
    success=_RIGHT,
    warning=_ALMOST,
    error=_WRONG,
    variables={
        "rule": _INK,
        "ink-soft": _INK,
        "border": _INK,
        "border-blurred": _INK,
        "block-cursor-background": _INK,
        "block-cursor-foreground": _PAPER,
        "block-cursor-text-style": "none",
        "block-cursor-blurred-background": _PAPER,
        "block-cursor-blurred-foreground": _INK,
        "block-cursor-blurred-text-style": "underline",
        "block-hover-background": _PAPER,
        "input-cursor-background": _INK,
        "input-cursor-foreground": _PAPER,
        "input-selection-background": _INK,
        "input-selection-foreground": _PAPER,
        "footer-background": _PAPER,
        "footer-foreground": _INK,
        "footer-item-background": _PAPER,
        "footer-key-foreground": _KEY,
        "footer-key-background": _PAPER,
        "footer-description-foreground": _INK,
        "footer-description-background": _PAPER,
        "scrollbar": _INK,
        "scrollbar-hover": _INK,
        "scrollbar-active": _INK,
        "scrollbar-background": _PAPER,
        "scrollbar-background-hover": _PAPER,
        "scrollbar-background-active": _PAPER,
        "scrollbar-corner-color": _PAPER,
    },
)

_BOLD, _UNDERLINE, _REVERSE = Style(bold=True), Style(underline=True), Style(reverse=True)
_NO_COLOURS = Style.from_color(RichColor.default(), RichColor.default())
_INKS = {_RIGHT: _BOLD, _ALMOST: _UNDERLINE, _WRONG: _BOLD + _UNDERLINE, _KEY: _BOLD}
LIGHT = 0x80
"""From this shade on a ground is no paper any more, but something that stands out; the tints of a heat map are below it."""


class Attributes(LineFilter):
    """Turns colours into attributes."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Return the segments without any colour."""
        return [Segment(text, attributes(style), control) for text, style, control in segments]


@lru_cache(1024)
def attributes(style: Style | None) -> Style | None:
    """Return a style without colours, and with attributes for what the colours meant."""
    if style is None:
        return None
    ink, paper = _name(style.color), _name(style.bgcolor)
    plain = style + _NO_COLOURS
    if not style.reverse and int(paper[1:3], 16) >= LIGHT:
        plain += _REVERSE
    elif paper == _FIELD:
        plain += _UNDERLINE
    return plain + _INKS.get(ink, Style.null())


def _name(color: RichColor | None) -> str:
    return color.triplet.hex if color is not None and color.triplet is not None else _PAPER
