"""Sentences, formulas, numbers and tables as Typst source. Nothing that a person typed is ever read as Typst."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from question_bank.math import MathError, Words, parse, segments, to_typst
from question_bank.math.shown import read_shown
from question_bank.text import Language, Text, same
from solvers.operations.base import symbol
from solvers.steps import Table

_DECIMAL = re.compile(r"[-−]?\d[\d,]*(\.\d+)?")


ZERO_WIDTH_SPACE = "\u200b"
WORD_JOINER = "\u2060"
_ENDLESS = re.compile(r"[!-\u2e7f]{30,}")
"""A word that no line would hold; it may break anywhere."""

LONGEST_UNBROKEN = 48
"""Characters of Typst of a formula that stays on one line."""


_QUOTED = re.compile(r"(?<![\w(=])\"([A-Za-z][^\"$]*)\"")
"""Words between typewriter's quotation marks; what is quoted in code has none of a blank before it and a letter behind it."""


def string(text: str) -> str:
    """Write a text as a Typst string; control characters become blanks."""
    clean = "".join(" " if unicodedata.category(character) in ("Cc", "Cs") else character for character in text)
    return '"' + clean.replace("\\", "\\\\").replace('"', '\\"') + '"'


def words(text: str) -> str:
    """Write a text as it is, in markup."""
    return f"#{string(text)}" if text else ""


@lru_cache(maxsize=8192)
def sentence(text: str) -> str:
    """Write a sentence with formulas between dollar signs, in markup."""
    text = _QUOTED.sub(r"“\1”", text)
    if "$" not in text:
        return words(text)
    try:
        parts = segments(text)
    except MathError:  # the dollar sign is one that a person typed
        return words(text)
    return "".join(words(_bound(part.text)) if isinstance(part, Words) else _inline(to_typst(part.node)) for part in parts)


def _bound(text: str) -> str:
    """Keep a colon or semicolon behind a formula on its line: behind a box a line may break even there."""
    return WORD_JOINER + text if text[:1] in ("：", "；") else text


def _inline(math: str) -> str:
    """Write a formula within a sentence; a short one is never parted by a line break."""
    return f"#box(${math}$)" if len(math) <= LONGEST_UNBROKEN else f"${math}$"


def in_language(text: Text, language: Language, style: str = "") -> str:
    """Write a sentence in one language, as content in code."""
    return f"{style}{language.value}[{sentence(text[language].strip())}]"


def in_each(text: Text, languages: Sequence[Language], style: str = "") -> str:
    """Write a sentence in some languages, a paragraph each, as content in code; once where it is the same in all.

    Args:
        text: The sentence.
        languages: The languages.
        style: What the function of the layout begins with that sets a paragraph in a language, such as ``asking-``.
    """
    kept = languages[:1] if text.en.strip() == text.zh.strip() else languages
    written = [in_language(text, language, style) for language in kept]
    return written[0] if len(written) == 1 else f"each({', '.join(written)})"


def on_one_line(text: Text, languages: Sequence[Language]) -> str:
    """Write a short text in some languages on one line, as content in code; once where it is the same in all.

    The languages behind the first are fainter: a name and its translation might else be read as one.
    """
    first, *others = languages[:1] if text.en.strip() == text.zh.strip() else languages
    written = [f"#{in_language(text, first)}", *(f"#faint({in_language(text, language)})" for language in others)]
    return "[" + " #h(0.4em) ".join(written) + "]"


def typed(text: str, language: Language) -> str:
    """Write what a person typed, a name or a title, as content in code: in Chinese type where it has Chinese characters."""
    chinese = any("\u3000" <= character <= "\U0003ffff" for character in text)
    kept = language if text.isascii() else Language.ZH if chinese else Language.EN
    return f"{kept.value}[{words(_ENDLESS.sub(lambda word: ZERO_WIDTH_SPACE.join(word[0]), text))}]"


# Mathematics -----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def named(node: str) -> str:
    """Write a node's name, as Typst math without dollar signs."""
    return to_typst(parse(symbol(node)))


@lru_cache(maxsize=4096)
def formula(latex: str) -> str:
    """Write LaTeX as Typst math, without dollar signs."""
    return to_typst(parse(latex))


_LONG_NUMBER = re.compile(r"(?<![\d.])\d{7,}")
_THOUSANDS = re.compile(r"(?<=\d)(?=(?:\d{3})+$)")


def grouped(text: str, gap: str = "\u2009") -> str:
    """Part the thousands of numbers that the eye can't count the digits of."""
    return _LONG_NUMBER.sub(lambda number: _THOUSANDS.sub(gap, number[0]), text)


@lru_cache(maxsize=16384)
def shown(text: str) -> str:
    """Write a line of Unicode, such as ``e^(−0.5)``, as Typst math, without dollar signs."""
    return grouped(to_typst(read_shown(text)), " thin ")


def table(value: Table) -> str:
    """Write a number, a vector or a matrix as Typst math; deeper ones matrix by matrix."""
    if isinstance(value, str):
        return shown(value)
    if not value:
        return "[ ]"
    if isinstance(value[0], str):
        return _matrix((tuple(map(str, value)),))
    rows = [part for part in value if isinstance(part, tuple)]
    if all(isinstance(cell, str) for row in rows for cell in row):
        return _matrix(tuple(tuple(map(str, row)) for row in rows))
    return r" \, quad ".join(map(table, rows))


def _matrix(rows: Sequence[Sequence[str]]) -> str:
    columns = [_column(column) for column in zip(*rows, strict=True)]
    return "mat(" + "; ".join(", ".join(cells) for cells in zip(*columns, strict=True)) + ")"


def _column(cells: Sequence[str]) -> list[str]:
    """Write the cells of one column, numbers with their decimal points beneath one another."""
    tails = [(found[1] or "") if (found := _DECIMAL.fullmatch(cell)) else None for cell in cells]
    longest = max((tail for tail in tails if tail), key=len, default="")
    written = []
    for cell, tail in zip(cells, tails, strict=True):
        missing = "" if tail is None else longest[len(tail) :]
        written.append(shown(cell) + (f" pad({string(missing)})" if missing else ""))
    return written


def displayed(*math: str) -> str:
    """Write Typst math at full size, as content in code."""
    return f"${' '.join(('display(', *math, ')'))}$"


def labelled(label: Text) -> Text:
    """Trim a label."""
    return Text(label.en.strip(), label.zh.strip())


def name_as_text(node: str) -> Text:
    """Write a node's name as a text in both languages."""
    return same(f"${symbol(node)}$")
