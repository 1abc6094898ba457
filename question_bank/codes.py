"""The printable code of a problem: ``softmax-row.2.009rv``.

Drill, level, then a tail in Crockford's base 32: the drill's revision (one character), the seed (three or more) and a
check character over the whole code. Codes are read in either case, with I and L taken for 1 and O for 0 in the tail.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from question_bank.text import Text

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
"""Crockford's base 32: no i, l, o, u."""

_VALUES = {symbol: value for value, symbol in enumerate(ALPHABET)} | {"i": 1, "l": 1, "o": 0}
_SHAPE = re.compile(r"\s*([a-z][a-z0-9-]*)\.([0-9])\.([0-9a-z]{5,})\s*", re.IGNORECASE | re.ASCII)
_LEAST_SEED_LENGTH = 3
_LONGEST_CODE = 200
LARGEST_SEED = 32**6 - 1


class CodeError(ValueError):
    """A code that can't be used.

    Attributes:
        message: What was found and what was expected, in both languages.
    """

    def __init__(self, message: Text) -> None:
        """Keep the message in both languages."""
        super().__init__(message.en)
        self.message = message

    def __reduce__(self) -> tuple[type[CodeError], tuple[Text]]:
        """Let the error cross a process boundary."""
        return type(self), (self.message,)


@dataclass(frozen=True, slots=True)
class CodeParts:
    """What a code says, before anybody looks whether such a drill exists."""

    drill: str
    level: int
    revision: str
    seed: int


def _doubled(value: int) -> int:
    """Multiply by x in the field of 32 elements, modulo x^5 + x^2 + 1."""
    value <<= 1
    return value ^ 0b100101 if value & 32 else value


def check_character(drill: str, level: int, body: str) -> str:
    """Return the check character of a code.

    The characters are digits of a polynomial over the field of 32 elements. A change of one character of level, revision
    or seed changes it, and so does a swap of two neighbours; of the drill's letters, five bits each go in.

    Args:
        drill: The drill's id.
        level: The level.
        body: Revision and seed in base 32.
    """
    total = 0
    for letter in drill.lower():
        total = _doubled(total) ^ (ord(letter) & 31)
    for value in (level, *(_VALUES[symbol] for symbol in body)):
        total = _doubled(total) ^ value
    return ALPHABET[_doubled(total)]


def write_code(drill: str, level: int, revision: str, seed: int) -> str:
    """Return the code of a problem.

    Raises:
        ValueError: The seed is out of range, the level isn't one digit, or the revision isn't one character of the alphabet.
    """
    if not 0 <= level <= 9:
        raise ValueError(f"level {level} is not one digit")
    if not 0 <= seed <= LARGEST_SEED:
        raise ValueError(f"seed {seed} is not in 0 ... {LARGEST_SEED}")
    if len(revision) != 1 or revision not in ALPHABET:
        raise ValueError(f"revision {revision!r} is not one character of {ALPHABET}")
    digits = ""
    while seed or len(digits) < _LEAST_SEED_LENGTH:
        seed, digit = divmod(seed, 32)
        digits = ALPHABET[digit] + digits
    body = revision + digits
    return f"{drill}.{level}.{body}{check_character(drill, level, body)}"


def read_code(code: str) -> CodeParts:
    """Take a code apart and verify its check character.

    Raises:
        CodeError: The text has not the form of a code, or a character is wrong.
    """
    match = _SHAPE.fullmatch(code) if len(code) <= _LONGEST_CODE else None
    if match is None:
        raise CodeError(
            Text(
                "“{code}” is not a problem code. A code looks like softmax-row.2.009rv: the drill, the level, then five or "
                "more letters and digits.",
                "“{code}”不是题目代码。代码形如 softmax-row.2.009rv，依次是练习名、难度和至少五位字母或数字。",
            ).fill(code=_shortened(code))
        )
    drill, level, tail = match[1].lower(), int(match[2]), match[3].lower()
    if any(symbol not in _VALUES for symbol in tail) or check_character(drill, level, tail[:-1]) != ALPHABET[_VALUES[tail[-1]]]:
        raise CodeError(
            Text(
                "The code “{code}” has a typo: its check character doesn't match. Compare it with the original, character by "
                "character.",
                "代码“{code}”有误：校验字符对不上。请与原代码逐个字符核对。",
            ).fill(code=_shortened(code))
        )
    seed = 0
    for symbol in tail[1:-1]:
        seed = seed * 32 + _VALUES[symbol]
    canonical = len(tail) - 2 == _LEAST_SEED_LENGTH or seed >= 32 ** (len(tail) - 3)
    if seed > LARGEST_SEED or not canonical:
        raise CodeError(
            Text(
                "“{code}” is not a code that quizapp writes: its seed is out of range.",
                "“{code}”不是 quizapp 生成的代码：其中的种子超出范围。",
            ).fill(code=_shortened(code))
        )
    return CodeParts(drill, level, ALPHABET[_VALUES[tail[0]]], seed)


def _shortened(text: str) -> str:
    text = " ".join("".join(symbol if symbol.isprintable() else " " for symbol in text[:80]).split())
    return text if len(text) <= 40 else text[:39] + "…"
