"""The number of a line of a listing: ``3``, ``line 3``, ``L3``, ``第 3 行``, ``第三行``."""

from __future__ import annotations

import re

from question_bank.program import AnswerFormat
from question_bank.text import Text
from solvers.reading.folding import Source
from solvers.reading.model import Answer, Cell, RefusedError, quoted
from solvers.reading.wrappers import unwrap

_DIGITS = "[0-9]{1,6}+"
_ENGLISH = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_ORDINALS = (
    *("first", "second", "third", "fourth", "fifth", "sixth"),
    *("seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth"),
)
_CHINESE = ("一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二")
_WORDS = {word: number for words in (_ENGLISH, _ORDINALS, _CHINESE) for number, word in enumerate(words, 1)} | {"两": 2}
_NAMED = re.compile(
    rf"(?:(?:in|on|at|it(?: i|')s)\s++)?(?:the\s++)?(?:lines?|ln|l|row|no|number)?\s*+[.:#=]?\s*+({_DIGITS}|[a-z]{{3,6}}+)",
    re.IGNORECASE,
)
_NTH = re.compile(rf"(?:(?:in|on)\s++)?(?:the\s++)?({_DIGITS}(?:st|nd|rd|th)|[a-z]{{5,8}}+)(?:\s++line)?", re.IGNORECASE)
_HAN = re.compile(
    rf"(?:错?在)?(?:第\s*+({_DIGITS}|[一二两三四五六七八九十]{{1,2}})\s*+行?|({_DIGITS})\s*+行|行\s*+({_DIGITS}))"
)


def read_line(source: Source, form: AnswerFormat) -> Answer:
    """Read the number of a line.

    Raises:
        RefusedError: It is no number of a line, or the listing has no such line.
    """
    source = unwrap(source, names="=:")
    number = _number(source.text.strip(" \n\t.,;!()[]"))
    if number is None:
        raise RefusedError(
            Text("“{found}” is not the number of a line.", "“{found}”不是行号。").fill(found=quoted(source.text)),
            source.origin(0),
        )
    if not 1 <= number <= form.choices:
        raise RefusedError(
            Text(
                "There is no line {n}: the listing has lines 1 to {last}.", "没有第 {n} 行，这份代码只有第 1 到第 {last} 行。"
            ).fill(n=number, last=form.choices),
            source.origin(0),
            complete=True,
        )
    said = Text("line {n}", "第 {n} 行").fill(n=number)
    return Answer(form, (Cell(number, None, None),), (), understood=said)


def _number(text: str) -> int | None:
    for pattern in (_NAMED, _NTH, _HAN):
        match = pattern.fullmatch(text)
        if match:
            found = next(group for group in match.groups() if group).lower()
            digits = re.match(r"[0-9]+", found)
            number = int(digits[0]) if digits else _WORDS.get(found)
            if number is not None:
                return number
    return None
