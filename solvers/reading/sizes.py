"""Sizes in bytes: ``1 GiB``, ``1024 MiB``, ``2^30``, ``1.5 GB``, ``512 字节``."""

from __future__ import annotations

import re
from fractions import Fraction

from question_bank.exact import Expression
from question_bank.program import AnswerFormat
from question_bank.text import Text, same
from solvers.reading import commas
from solvers.reading.folding import Source
from solvers.reading.literals import whole_or_fraction
from solvers.reading.model import Answer, Cell, RefusedError, quoted
from solvers.reading.numbers import read_integer, read_number
from solvers.reading.wrappers import unwrap_numbers

_UNITS = {"B": 1} | {
    prefix + unit: base**power
    for power, prefix in enumerate("KMGTPE", start=1)
    for unit, base in (("B", 1000), ("iB", 1024))
}  # fmt: skip
_WORDS = {
    "byte": "B", "bytes": "B", "字节": "B", "千字节": "KB", "兆字节": "MB", "吉字节": "GB", "太字节": "TB",
    "kilobyte": "KB", "megabyte": "MB", "gigabyte": "GB", "terabyte": "TB",
    "kibibyte": "KiB", "mebibyte": "MiB", "gibibyte": "GiB", "tebibyte": "TiB",
}  # fmt: skip
_NAMES = (
    {unit.lower(): unit for unit in _UNITS} | _WORDS | {word + "s": unit for word, unit in _WORDS.items() if word.isascii()}
)
_BITS = re.compile(r"b|[KMGTPE]i?b|(?i:[kmgtpe]?i?bits?)", re.ASCII)
_PREFIX = re.compile(r"[kmgtpe]i?", re.IGNORECASE | re.ASCII)


def read_bytes(source: Source, form: AnswerFormat) -> Answer:
    """Read a size; a bare number is in bytes.

    Raises:
        RefusedError: It is none, or its unit is not a unit of bytes.
    """
    source = unwrap_numbers(source)
    unit = _unit(source)
    if unit is None:
        answer = read_integer(source, form) if _is_count(source.text) else read_number(source, form)
        scale, name = 1, ""
    else:
        found, name = unit
        scale = _UNITS[name.upper().replace("IB", "iB")]
        number = source.cut(0, len(source.text) - len(found)).stripped()
        if not number.text:
            raise RefusedError(
                Text("A number is missing before “{found}”.", "“{found}”前面缺少数字。").fill(found=quoted(found))
            )
        answer = read_number(commas.in_count(number) if name == "B" else number, form)
    cell = answer.cells[0]
    if cell.percent:
        raise RefusedError(Text("A size is not a percentage.", "大小不能用百分数表示。"))
    if scale != 1:
        if isinstance(cell.value, Expression):
            raise RefusedError(
                Text("{found} is not a number of bytes.", "{found} 不能当作字节数。").fill(found=answer.understood)
            )
        cell = Cell(whole_or_fraction(Fraction(cell.value) * scale), None, None)
    understood = same(f"{answer.understood.en} {name}".strip())
    return Answer(form, (cell,), (), unit=name, understood=understood, notes=answer.notes)


def _is_count(text: str) -> bool:
    return "." not in text and re.search(r"[0-9][,_' ][0-9]", text) is not None


def _unit(source: Source) -> tuple[str, str] | None:
    """Return the unit as typed and its usual name; None where the text ends in none.

    Raises:
        RefusedError: The letters at the end are bits, or only a prefix.
    """
    start = len(source.text)
    while start > 0 and source.text[start - 1].isalpha():
        start -= 1
    found = source.text[start:]
    if not found:
        return None
    at = source.origin(start)
    name = _NAMES.get(found.lower())
    if _BITS.fullmatch(found):
        raise RefusedError(
            Text("“{found}” counts bits; a size in bytes is asked for.", "“{found}”的单位是比特；这里要的是字节。").fill(
                found=found
            ),
            at,
        )
    if name is not None:
        return found, "kB" if name == "KB" else name
    if _PREFIX.fullmatch(found) and source.text != found and found != "e":
        letter = found[0].upper()
        raise RefusedError(
            Text(
                "“{found}” is not a complete unit: {decimal} (powers of 1000) or {binary} (powers of 1024)?",
                "“{found}”不是完整的单位：{decimal}（1000 的幂）还是 {binary}（1024 的幂）？",
            ).fill(found=found, decimal=f"{letter}B".replace("KB", "kB"), binary=f"{letter}iB"),
            at,
        )
    return None
