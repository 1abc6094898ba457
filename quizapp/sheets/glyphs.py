"""Which characters of a name or a title can be printed: with the fonts of sheets, else with the person's own."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from question_bank.math import escape
from question_bank.text import Text, same
from quizapp.sheets.compile import prints

NO_GLYPH = Text(
    "“{text}” has the character {character} (U+{point}), which no font here can print. {package}",
    "“{text}”中的字符 {character}（U+{point}）没有可用的字体。{package}",
)
PACKAGE = Text("The package {package} has it (Debian, Ubuntu).", "软件包 {package}（Debian、Ubuntu）提供这个字符。")
ANY_FONT = Text("Install a font that has it.", "请安装含有这个字符的字体。")

_PACKAGES = (
    (0x0590, 0x08FF, "fonts-noto-core"),  # Hebrew, Arabic
    (0x0900, 0x10FF, "fonts-noto-core"),  # India, Southeast Asia, Georgia
    (0x1200, 0x1CFF, "fonts-noto-core"),
    (0x2E80, 0x9FFF, "fonts-noto-cjk"),
    (0xAC00, 0xD7FF, "fonts-noto-cjk"),
    (0xF900, 0xFAFF, "fonts-noto-cjk"),
    (0x1F000, 0x1FAFF, "fonts-noto-color-emoji"),
    (0x20000, 0x3FFFF, "fonts-hanazono"),
)
_INVISIBLE = re.compile(r"[\s\u200b-\u200f\u2060\ufe00-\ufe0f\U000e0100-\U000e01ef]")


class NoGlyphError(Exception):
    """A text that can't be printed.

    Attributes:
        message: Which character, and where to get a font that has it.
    """

    def __init__(self, message: Text) -> None:
        """Keep the message in both languages."""
        super().__init__(message.en)
        self.message = message


@cache
def _coverage() -> tuple[tuple[int, ...], tuple[int, ...]]:
    text = files("quizapp.sheets").joinpath("fonts", "coverage.txt").read_text("ascii")
    pairs = [line.split("-") for line in text.split()]
    return tuple(int(first, 16) for first, _ in pairs), tuple(int(last, 16) for _, last in pairs)


def is_covered(character: str) -> bool:
    """Tell whether the fonts of sheets have a character, or it shows nothing."""
    if _INVISIBLE.fullmatch(character) or unicodedata.category(character) in ("Cc", "Cf"):
        return True
    firsts, lasts = _coverage()
    place = bisect_right(firsts, ord(character)) - 1
    return place >= 0 and ord(character) <= lasts[place]


def needs_system_fonts(texts: Iterable[str]) -> bool:
    """Tell whether any of the texts takes fonts of the person's own.

    Raises:
        NoGlyphError: These don't have the character either.
    """
    lacking: dict[str, str] = {}
    for text in texts:
        for character in text:
            if not is_covered(character):
                lacking.setdefault(character, text)
    for character, text in lacking.items():
        if not prints(character):
            raise NoGlyphError(_said(character, text))
    return bool(lacking)


def _said(character: str, text: str) -> Text:
    point = ord(character)
    package = next((name for first, last, name in _PACKAGES if first <= point <= last), None)
    where = ANY_FONT if package is None else PACKAGE.fill(package=package)
    return NO_GLYPH.fill(text=same(escape(text[:60])), character=same(character), point=f"{point:04X}", package=where)
