"""Which line ends end a sentence: people who write one idea per line often leave out the full stop."""

from __future__ import annotations

import re
from itertools import pairwise

LEAST_WORDS = 4
"""Words (a Chinese character is half of one) of a line that is a sentence of its own."""
_LEAST_LINES = 3
"""Lines of a paragraph in which a margin can be told."""

_CJK = "\u3400-\u9fff"
_WORD = re.compile(rf"[^\W{_CJK}]+")
_CHARACTER = re.compile(f"[{_CJK}]")
_BULLET = re.compile(r"\s*(?:[-*+>#\x95]|\(?\d{1,2}[.)、:])")
_FIRST = re.compile(rf"\s*([{_CJK}]|[^\s{_CJK}]+)")

_LEADS_ON = frozenset(
    ("a", "an", "the", "of", "to", "in", "on", "at", "by", "for", "with", "from", "and", "or", "but", "not", "is", "are", "be",
     "was", "that", "which", "as", "than", "if", "because", "its", "this", "each", "every", "per", "into")
)  # fmt: skip
_LEADS_ON_SIGNS = frozenset(",:、([{-/+=<>的和与或是在把被对而不以从比跟")
"""What a line ends with only if the next one goes on with its sentence."""
_GOES_ON = frozenset(("of", "than", "which", "because", "or", "的"))
"""What a line begins with only if it goes on with the sentence of the one before."""


def sentence_ends(text: str) -> frozenset[int]:
    """Return the places of the line ends that end a sentence; the others are no more than commas.

    A line end does so where the line is long enough to be a sentence and doesn't break off in the middle of one, unless only a
    margin made it: the line stands in a paragraph of three lines and more, each of which but the last had no room for the
    first word of the next.

    Args:
        text: Folded characters.
    """
    if "\n" not in text:
        return frozenset()
    ends: set[int] = set()
    paragraph: list[tuple[int, str]] = []  # lines with the places of their ends
    place = 0
    for line in text.split("\n"):
        if not line.strip() or _BULLET.match(line):
            ends |= _within(paragraph)
            paragraph = []
        place += len(line)
        if line.strip():
            paragraph.append((place, line))
        place += 1
    return frozenset(ends | _within(paragraph))


def _within(paragraph: list[tuple[int, str]]) -> set[int]:
    lines = [line for _, line in paragraph]
    widest = max(map(_columns, lines), default=0)
    is_wrapped = len(lines) >= _LEAST_LINES and all(
        _columns(line) + 1 + _columns(_first(following)) > widest for line, following in pairwise(lines)
    )
    if is_wrapped:
        return set()
    return {place for (place, line), (_, following) in pairwise(paragraph) if _is_sentence(line, _first(following))}


def _is_sentence(line: str, following: str) -> bool:
    last_word = line.rsplit(maxsplit=1)[-1]
    if following in _GOES_ON or last_word in _LEADS_ON or last_word[-1] in _LEADS_ON_SIGNS:
        return False
    return len(_WORD.findall(line)) + len(_CHARACTER.findall(line)) / 2 >= LEAST_WORDS


def _columns(text: str) -> int:
    stripped = text.strip()
    return len(stripped) + len(_CHARACTER.findall(stripped))


def _first(line: str) -> str:
    first = _FIRST.match(line)
    return first[1] if first else ""
