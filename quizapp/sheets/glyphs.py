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

_NOTO, _NOTO_CJK, _HANAZONO, _EMOJI = "fonts-noto-core", "fonts-noto-cjk", "fonts-hanazono", "fonts-noto-color-emoji"
_PACKAGES = (
    (0x0531, 0x05EA, _NOTO),  # Armenian, Hebrew
    (0x061E, 0x085E, _NOTO),  # Arabic, Syriac
    (0x08D3, 0x0B4D, _NOTO),  # India
    (0x0B56, 0x0C39, _NOTO),
    (0x0C60, 0x0CD6, _NOTO),
    (0x0CDE, 0x10FF, _NOTO),  # Southeast Asia, Georgia
    (0x1200, 0x170C, _NOTO),  # Ethiopia, Cherokee
    (0x1720, 0x180D, _NOTO),  # Khmer, Mongolian
    (0x1810, 0x1AC0, _NOTO),
    (0x1B00, 0x1B4B, _NOTO),
    (0x1B50, 0x1B7C, _NOTO),
    (0x1B80, 0x1CF9, _NOTO),
    (0x2E80, 0x31BB, _NOTO_CJK),
    (0x31C0, 0x332B, _NOTO_CJK),
    (0x332D, 0x4DB5, _NOTO_CJK),
    (0x4E00, 0x9FEF, _NOTO_CJK),
    (0xA000, 0xA7BF, _NOTO),  # Yi
    (0xA7F5, 0xA95F, _NOTO),
    (0xA980, 0xABF9, _NOTO),  # Javanese
    (0xAC00, 0xD7A3, _NOTO_CJK),
    (0xF900, 0xFA6D, _NOTO_CJK),
    (0xFF01, 0xFFEE, _NOTO_CJK),
    (0x1F300, 0x1F321, _EMOJI),
    (0x1F324, 0x1F393, _EMOJI),
    (0x1F39E, 0x1F3F0, _EMOJI),
    (0x1F3F7, 0x1F4FD, _EMOJI),
    (0x1F4FF, 0x1F53D, _EMOJI),
    (0x1F550, 0x1F567, _EMOJI),
    (0x1F5FA, 0x1F64F, _EMOJI),
    (0x1F680, 0x1F6C5, _EMOJI),
    (0x1F90C, 0x1F93A, _EMOJI),
    (0x1F947, 0x1F9FF, _EMOJI),
    (0x1FA70, 0x1FAF6, _EMOJI),
    (0x20000, 0x2A6D6, _HANAZONO),
    (0x2A700, 0x2B734, _HANAZONO),
    (0x2B740, 0x2EBE0, _HANAZONO),
    (0x2F800, 0x2FA1D, _HANAZONO),
)
"""Where the package of Debian 12 has every character that Unicode 14 knows, by the character tables of its fonts."""

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
