"""What a comma between digits is: a decimal comma, a mark of thousands, or what parts two numbers.

Between digits, with blanks or semicolons parting the numbers and no dot anywhere, it is a decimal comma, and that is said.
Groups of three in a count are thousands. ``1,234`` alone, where a decimal is asked, may be either and is refused. Anywhere else
a comma parts numbers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum, auto

from question_bank.text import Text
from solvers.reading.folding import Source
from solvers.reading.model import RefusedError, quoted

_BETWEEN_DIGITS = re.compile(r"(?<=[0-9]),(?=[0-9])")
_LOOSE = re.compile(r"(?<![0-9]),|,(?![0-9])")
_PIECES = re.compile(r"[^\s;&\[\](){}]++")
_DECIMAL_COMMA = re.compile(r"[+-]?[0-9]++,[0-9]++(?:[eE][+-]?[0-9]++)?%?")
# A run is looked for at its beginning only: a search from each of its digits would take quadratic time.
_COMMAS = re.compile(r"(?<![0-9.,])[0-9.]++(?:,[0-9.]++)++")
_THOUSANDS = re.compile(r"[1-9][0-9]{0,2}(?:,[0-9]{3})++(?:\.[0-9]*+)?")
_BLANK_PARTS = re.compile(r"[^\s;\[\](){}][ \t]++[^\s;\[\](){}]")
_LEADING_ZERO = re.compile(r"(?<![0-9])[0-9]++,0[0-9]++")
_COUNT = re.compile(r"[0-9]{1,3}(?:([,_' ])[0-9]{3})(?:\1[0-9]{3})*+")
_MARKED = re.compile(r"(?<![0-9])[0-9]++(?:[,_'][0-9]++)++")
_SPACED = re.compile(r"(?<![0-9])(?<![0-9] )[0-9]++(?:[ ][0-9]++)++(?=[ ]*+[^\W\d_]*+\Z)")
_MARKS = re.compile(r"[,_' ]")
_UNDERSCORES = re.compile(r"(?<![0-9])[0-9]++(?:[_'][0-9]++)++")

DECIMAL_COMMA = Text("Commas were read as decimal commas.", "逗号按小数点读取。")
THOUSANDS = Text("Commas were read as thousands separators.", "逗号按千位分隔符读取。")
SEPARATING = Text(
    "Every comma was read as a separator; if you use decimal commas, separate the numbers with spaces or semicolons.",
    "每个逗号都按分隔符读取；如果用逗号作小数点，请用空格或分号分隔各个数。",
)


class Role(Enum):
    """What commas between digits are in a row or a matrix."""

    DECIMAL = auto()
    SEPARATING = auto()
    EITHER = auto()


def in_array(text: str, *, rows: bool) -> Role:
    """Tell what the commas between digits are where several numbers are expected.

    Args:
        text: The answer, without what stands around it.
        rows: Whether semicolons may part rows, so that ``1,2;3,4`` has two readings.
    """
    if not _BETWEEN_DIGITS.search(text) or "." in text or _LOOSE.search(text):
        return Role.SEPARATING
    pieces = _PIECES.findall(text)
    if len(pieces) < 2 or not all(_DECIMAL_COMMA.fullmatch(piece) for piece in pieces if "," in piece):
        return Role.SEPARATING
    if "&" in text or _BLANK_PARTS.search(text):
        return Role.DECIMAL
    if ";" in text:
        return Role.EITHER if rows else Role.DECIMAL
    # Only line breaks or brackets part the numbers: comma-separated rows, or for a vector one number a line.
    return Role.SEPARATING if rows or not _one_per_line(text) else Role.DECIMAL


def _one_per_line(text: str) -> bool:
    return "\n" in text and not any(sign in text for sign in "[](){}")


def decimal(source: Source) -> Source:
    """Return the text with its decimal commas turned into dots."""
    return Source(_BETWEEN_DIGITS.sub(".", source.text), source.at)


def check_decimal(source: Source) -> None:
    """Refuse decimal commas where whole numbers are asked and every one may be a mark of thousands: ``1,234 5,678``.

    Raises:
        RefusedError: Both readings are possible.
    """
    pieces = [piece for piece in _PIECES.findall(source.text) if "," in piece]
    if all(_THOUSANDS.fullmatch(piece.lstrip("+-")) for piece in pieces):
        raise both_readings(pieces[0], source.origin(0), (pieces[0].replace(",", "."), pieces[0].replace(",", "")))


def check_separating(source: Source) -> None:
    """Refuse separating commas that seem to be meant as decimal ones: ``[0,05, 0,10]``.

    Raises:
        RefusedError: A number behind a comma begins with a superfluous 0.
    """
    if "." not in source.text:
        zero = _LEADING_ZERO.search(source.text)
        if zero:
            raise RefusedError(
                Text(
                    "Does the comma in “{found}” separate two numbers? Use a dot for decimals and no thousands separators.",
                    "“{found}”里的逗号是用来分隔两个数的吗？小数点请用“.”，千位不要加分隔符。",
                ).fill(found=quoted(zero[0])),
                source.origin(zero.start()),
            )


def mixed(text: str) -> bool:
    """Tell whether every stretch between loose commas holds a comma between digits, as in ``0,198, 0,401``."""
    stretches = [stretch for stretch in re.split(r",\s", text) if stretch.strip()]
    return "." not in text and len(stretches) > 1 and all(_BETWEEN_DIGITS.search(stretch) for stretch in stretches)


def both_readings(found: str, at: int | None, readings: Sequence[str]) -> RefusedError:
    """Return the message on a comma that may be two things."""
    return RefusedError(
        Text(
            "“{found}” can be read as {first} or as {second}; write it without the comma.",
            "“{found}”可以读作 {first}，也可以读作 {second}；请不要用逗号。",
        ).fill(found=quoted(found), first=readings[0], second=readings[1]),
        at,
        complete=True,
    )


def in_number(source: Source) -> tuple[Source, tuple[Text, ...]]:
    """Settle the commas where one number is expected that may have decimals.

    Returns:
        The text without commas between digits, and what was said about them.

    Raises:
        RefusedError: A comma has two readings, or none.
    """
    source = _without_underscores(source)
    text = source.text
    if (
        not _BETWEEN_DIGITS.search(text)
        or text.startswith("(")
        or any(bracket in text for bracket in "[]{}")
        or _LOOSE.search(text.rstrip(",; "))
    ):
        return source, ()
    dot = "." in text
    thousands = False
    for match in _COMMAS.finditer(text):
        found, at = match[0], source.origin(match.start())
        grouped = _THOUSANDS.fullmatch(found) is not None
        if (dot or found.count(",") > 1) and not grouped:
            if dot:
                raise RefusedError(
                    Text(
                        "“{found}” has a comma, although a dot marks the decimals here; write it without the comma.",
                        "“{found}”里有逗号，而这里的小数点是“.”；请去掉逗号。",
                    ).fill(found=quoted(found)),
                    at,
                )
            raise _groups(found, at)
        if grouped and not dot and found.count(",") == 1:
            raise both_readings(found, at, (found.replace(",", "."), found.replace(",", "")))
        thousands = thousands or grouped
    if thousands:
        if any(not _THOUSANDS.fullmatch(match[0]) for match in _COMMAS.finditer(text)):
            found = _COMMAS.findall(text)[0]
            raise both_readings(found, source.origin(0), (found.replace(",", "."), found.replace(",", "")))
        return _without_marks(source, _COMMAS), (THOUSANDS,)
    return decimal(source), (DECIMAL_COMMA,)


def in_count(source: Source) -> Source:
    """Take the marks of thousands out of a count: commas, blanks, underscores or apostrophes between groups of three.

    Raises:
        RefusedError: The groups are not groups of three.
    """
    for grouped in (_MARKED, _SPACED):
        for match in grouped.finditer(source.text):
            if not _COUNT.fullmatch(match[0]):
                if grouped is _SPACED:  # several numbers
                    return source
                raise _groups(match[0], source.origin(match.start()))
        source = _without_marks(source, grouped)
    return source


def _without_underscores(source: Source) -> Source:
    for match in _UNDERSCORES.finditer(source.text):
        if not _COUNT.fullmatch(match[0]):
            raise _groups(match[0], source.origin(match.start()))
    return _without_marks(source, _UNDERSCORES)


def _groups(found: str, at: int | None) -> RefusedError:
    return RefusedError(
        Text(
            "The digits of “{found}” aren't in groups of three; write the number without separators.",
            "“{found}”没有按三位一组分隔；请直接写数字，不加分隔符。",
        ).fill(found=quoted(found)),
        at,
    )


def _without_marks(source: Source, grouped: re.Pattern[str]) -> Source:
    kept = [True] * len(source.text)
    for match in grouped.finditer(source.text):
        for mark in _MARKS.finditer(source.text, match.start(), match.end()):
            kept[mark.start()] = False
    if all(kept):
        return source
    return Source(
        "".join(symbol for symbol, keep in zip(source.text, kept, strict=True) if keep),
        [at for at, keep in zip(source.at, kept, strict=True) if keep],
    )
