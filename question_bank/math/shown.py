r"""Read what worked steps and exact numbers are written in, one line of Unicode, back into a tree: ``e^(−0.5) + √2·x₁²``.

A page sets it as mathematics then, in Typst or LaTeX. What stands there is ours, so nothing is refused: a sign that means nothing
here is set as it is.
"""

from __future__ import annotations

import re
from functools import lru_cache

from question_bank.math.symbols import FUNCTIONS, PARTNER, SHOWN_DELIMITER, SYMBOLS, Accent, Delimiter, Style, Width
from question_bank.math.tree import Accented, Fenced, Function, Node, Number, Root, Script, Space, Styled, Symbol, Words, row

_NUMBER = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
_LETTERS = re.compile(r"[A-Za-z]+")
_NAMED_INDEX = re.compile(r"_([A-Za-z0-9]+)")
_INDEX = re.compile("[₀-₉]+(?:,[₀-₉]+)*")
_POWER = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_DIGITS = str.maketrans("₀₁₂₃₄₅₆₇₈₉⁰¹²³⁴⁵⁶⁷⁸⁹", "01234567890123456789")
_NAMES = {glyph.unicode: name for name, glyph in SYMBOLS.items()} | {"-": "-", "⋅": r"\cdot"}
_OPENING = {SHOWN_DELIMITER[left]: left for left in PARTNER if SHOWN_DELIMITER[left] in "([⌈⌊"}
_HAT = "\N{COMBINING CIRCUMFLEX ACCENT}"
_WORD_FROM = 3
"""So many letters side by side are a word, or two that aren't both capitals; QK and AV are products."""


@lru_cache(maxsize=4096)
def read_shown(text: str) -> Node:
    """Read a line such as ``(1 + 2) / 3``, ``⌈43.5⌉``, ``√d_model`` or ``S₁₂``."""
    items, _ = _items(text, 0, "")
    return row(items)


def _items(text: str, at: int, closing: str) -> tuple[list[Node], int]:
    """Read up to a closing bracket, or to the end; return where it stands."""
    items: list[Node] = []
    while at < len(text) and text[at] != closing:
        if text[at] == " ":
            at += 1
            if items and isinstance(items[-1], Styled) and text[at : at + 1].isalnum():
                items.append(Space(Width.WORD))  # Var 1
            continue
        node, at = _scripted(text, at)
        items.append(node)
    return items, at


def _scripted(text: str, at: int) -> tuple[Node, int]:
    """Read an atom with its indices and powers."""
    if text[at] == "√" and at + 1 < len(text):
        under, at = _scripted(text, at + 1)
        return Root(_bare(under)), at
    base, at = _atom(text, at)
    if text.startswith(_HAT, at):
        base, at = Accented(Accent.HAT, base), at + 1
    subs: list[Node] = []
    sup: Node | None = None
    while at < len(text):
        if (found := _NAMED_INDEX.match(text, at)) or (found := _INDEX.match(text, at)):
            subs += [Symbol(",")] if subs else []
            subs.append(_index(found[0].lstrip("_").translate(_DIGITS)))
            at = found.end()
        elif found := _POWER.match(text, at):
            sup, at = Number(found[0].translate(_DIGITS)), found.end()
        elif text[at] in "ᵀ′":
            sup, at = Symbol(r"\top" if text[at] == "ᵀ" else r"\prime"), at + 1
        elif text[at] == "^" and at + 1 < len(text):
            sign = text[at + 1] in "−-" and at + 2 < len(text)
            power, at = _scripted(text, at + 1 + sign)
            sup = row((Symbol("-"), power)) if sign else _bare(power)
        else:
            break
    return (Script(base, row(subs) if subs else None, sup) if subs or sup else base), at


def _index(text: str) -> Node:
    if text.isalpha():
        return Symbol(text) if len(text) == 1 else Words(text)
    parts = text.split(",")
    return row(node for place, part in enumerate(parts) for node in ([Symbol(",")] if place else []) + [_digits(part)])


def _digits(text: str) -> Node:
    return Number(text) if text.isdecimal() else Words(text)


def _bare(node: Node) -> Node:
    """Take off the brackets that a line needs and two dimensions don't."""
    return node.body if isinstance(node, Fenced) and node.left == Delimiter.LEFT_PARENTHESIS else node


def _atom(text: str, at: int) -> tuple[Node, int]:
    if found := _NUMBER.match(text, at):
        return Number(found[0]), found.end()
    if found := _LETTERS.match(text, at):
        return _word(found[0], text, found.end())
    character = text[at]
    if character in _OPENING:
        left = _OPENING[character]
        right = PARTNER[left]
        body, end = _items(text, at + 1, SHOWN_DELIMITER[right])
        if end < len(text):
            return Fenced(left, row(body), right), end + 1
        return Words(character), at + 1
    name = _NAMES.get(character)
    return (Words(character) if name is None else Symbol(name)), at + 1


def _word(letters: str, text: str, end: int) -> tuple[Node, int]:
    if letters in FUNCTIONS or letters == "tanh":
        return Function(letters), end
    if len(letters) >= _WORD_FROM or (len(letters) > 1 and not letters.isupper()):
        return Styled(Style.ROMAN, letters), end
    # Of letters that are multiplied, only the first is read: an index belongs to the last.
    return Symbol(letters[0]), end - len(letters) + 1
