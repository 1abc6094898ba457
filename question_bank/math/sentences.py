r"""Sentences with formulas between dollar signs, as ``question_bank.text.Text`` holds them; ``\$`` is a dollar sign."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from question_bank.math.parsing import parse
from question_bank.math.tree import MathError, Node, Words
from question_bank.math.unicode import to_unicode
from question_bank.text import Text

_DOLLAR = re.compile(r"(?<!\\)\$")
_UNBALANCED = Text(
    r"The \$ at offset {offset} starts a formula that never ends; a dollar sign is written \\$.",
    r"偏移 {offset} 处的 \$ 之后没有与之配对的 \$；要写美元符号请写作 \\$。",
)


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula in a sentence.

    Attributes:
        latex: As the author wrote it, without dollar signs.
        node: Its tree.
    """

    latex: str
    node: Node


def escape(text: str) -> str:
    r"""Write text that isn't ours, such as what a person typed, so that no part of it is taken for a formula."""
    return text.replace("$", r"\$")


@lru_cache(maxsize=2048)
def segments(text: str) -> tuple[Words | Formula, ...]:
    r"""Split a sentence into words and formulas.

    Args:
        text: The sentence. In its words, ``\$`` is a dollar sign and every other character stands for itself.

    Raises:
        MathError: A formula can't be read or doesn't end; the offset counts from the start of the sentence.
    """
    parts: list[Words | Formula] = []
    start = 0
    dollars = [found.start() for found in _DOLLAR.finditer(text)]
    if len(dollars) % 2:
        raise MathError(_UNBALANCED, dollars[-1])
    for opening, closing in zip(dollars[::2], dollars[1::2], strict=True):
        parts.append(Words(text[start:opening].replace(r"\$", "$")))
        latex = text[opening + 1 : closing]
        try:
            parts.append(Formula(latex, parse(latex)))
        except MathError as problem:
            raise problem.moved(opening + 1) from None
        start = closing + 1
    parts.append(Words(text[start:].replace(r"\$", "$")))
    return tuple(part for part in parts if part != Words(""))


def plain(text: str) -> str:
    """Write a sentence for a terminal, its formulas in Unicode.

    Raises:
        MathError: As ``segments`` does.
    """
    if "$" not in text:
        return text
    return "".join(part.text if isinstance(part, Words) else to_unicode(part.node) for part in segments(text))
