"""Answers without numbers: one of n choices, yes or no, a shape with names."""

from __future__ import annotations

import re

from question_bank.program import AnswerFormat
from question_bank.text import Text, same
from solvers.reading.folding import Source
from solvers.reading.model import Answer, RefusedError, quoted
from solvers.reading.wrappers import unwrap, without_call

_CHOICE = re.compile(
    r"(?:(?:the )?(?:answer|option|choice)(?: is)?|我?选择?项?|答案?(?:是|为|选)?)?\s*+[:=]?\s*+"
    r"(?:\(\s*+([a-z])\s*+\)|\[\s*+([a-z])\s*+\]|([a-z]))\s*+[).,!]?",
    re.IGNORECASE | re.ASCII,
)
_YES = frozenset(["yes", "y", "yep", "yeah", "true", "t", "是", "是的", "对", "对的", "正确", "真", "会", "√", "✓", "✔", "☑"])
_NO = frozenset(
    [
        "no",
        "n",
        "nope",
        "false",
        "f",
        "否",
        "不",
        "不是",
        "不是的",
        "不对",
        "错",
        "错的",
        "错误",
        "不正确",
        "假",
        "不会",
        "×",
        "✗",
        "✘",
    ]
)
_ENDS = " \t\n.,!;:\"'`()[]"
_NAMED_SEPARATOR = re.compile(r"\s*+[,;*×·]\s*+|\s++[xX]\s++|\s++")
_PAIRS = {"(": ")", "[": "]", "{": "}", "<": ">"}


def letters(choices: int) -> str:
    """Return the letters of so many choices: ``abcd``."""
    return "abcdefghijklmnopqrstuvwxyz"[: max(0, choices)]


def read_choice(source: Source, form: AnswerFormat) -> Answer:
    """Read the letter of a choice: ``b``, ``(B)``, ``b.``, ``选 B``.

    Raises:
        RefusedError: It is no letter, or not one of those offered.
    """
    source = unwrap(source, names="")
    match = _CHOICE.fullmatch(source.text)
    letter = (match[1] or match[2] or match[3]).lower() if match else ""
    if letter not in letters(form.choices) or not letter:
        raise RefusedError(
            Text("“{found}” is not one of the letters offered.", "“{found}”不是可选的字母。").fill(found=quoted(source.text)),
            source.origin(0),
        )
    return Answer(form, (), (), word=letter, understood=same(letter))


def read_yes_no(source: Source, form: AnswerFormat) -> Answer:
    """Read yes or no, in either language.

    Raises:
        RefusedError: It is neither.
    """
    source = unwrap(source, names=":")
    said = source.text.strip(_ENDS).lower()
    if said in _YES:
        return Answer(form, (), (), word="yes", understood=Text("yes", "是"))
    if said in _NO:
        return Answer(form, (), (), word="no", understood=Text("no", "否"))
    raise RefusedError(
        Text("“{found}” is neither yes nor no.", "“{found}”既不是“是”，也不是“否”。").fill(found=quoted(source.text)),
        source.origin(0),
    )


def read_named_shape(source: Source, form: AnswerFormat) -> Answer:
    """Read a shape with names: ``[B, h, S_dec, S_enc]``, ``B×h×S_dec×S_enc``.

    Raises:
        RefusedError: A name is not one of the format's symbols.
    """
    source = without_call(unwrap(source, names="=")).stripped()
    text = source.text
    if len(text) > 1 and _PAIRS.get(text[0]) == text[-1]:
        source = source.cut(1, len(text) - 1).stripped()
        text = source.text
    if text.endswith(","):
        text = text[:-1].rstrip()
    known = _lookup(form.symbols)
    names = [_name(piece, source, known) for piece in _pieces(text, known)]
    shown = ", ".join(names)
    return Answer(form, (), (len(names),), word=",".join(names), understood=same(f"[{shown}]"))


def _lookup(symbols: tuple[str, ...]) -> dict[str, str]:
    """Return the symbols by every spelling that means only one of them."""
    lower: dict[str, list[str]] = {}
    for symbol in symbols:
        lower.setdefault(symbol.lower(), []).append(symbol)
    return {spelling: found[0] for spelling, found in lower.items() if len(found) == 1} | {symbol: symbol for symbol in symbols}


def _pieces(text: str, known: dict[str, str]) -> list[str]:
    """Cut a shape into its names: at commas where there are any, else at signs of multiplication, blanks, or an x."""
    if "," in text:
        return [piece.strip() for piece in text.split(",")]
    pieces = _NAMED_SEPARATOR.split(text)
    if len(pieces) == 1 and pieces[0] not in known and pieces[0].lower() not in known:
        by_cross = re.split("[xX]", pieces[0])
        if len(by_cross) > 1 and all(piece in known or piece.lower() in known for piece in by_cross):
            return by_cross
    return pieces


def _name(piece: str, source: Source, known: dict[str, str]) -> str:
    found = known.get(piece) or known.get(piece.lower())
    if found is not None:
        return found
    at = source.origin(max(0, source.text.find(piece)))
    if not piece:
        raise RefusedError(Text("A name is missing between two separators.", "两个分隔符之间缺少名称。"), at)
    raise RefusedError(
        Text("“{found}” is not one of the names used here.", "这里没有名为“{found}”的量。").fill(found=quoted(piece)), at
    )
