"""Moodle's embedded answers (cloze): ``{1:NUMERICAL:=0.665:0.001#Right.~%0%0.245:0.001#You took row 2.}``.

Numbers carry the grader's own intervals. Moodle takes the first alternative that a number fits, so the right ones come first,
then what is right but too coarse, then what mistakes give.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape

from question_bank.exact import terminating
from question_bank.math import MathError, plain
from question_bank.program import Kind
from question_bank.text import Language, Text, same
from quizapp import wording_exports as wording
from quizapp.exports.markup import clean
from solvers.accepting import Accepted, Interval

MOST_MISTAKES = 12
"""Mistakes that a field names; Moodle reads a field with one regular expression, which has its limits."""

_SIZES = {"B": 1} | {
    f"{letter}{tail}": base**power
    for tail, base in (("iB", 1024), ("B", 1000))
    for power, letter in enumerate("KMGT" if tail == "iB" else "kMGT", 1)
}


@dataclass(frozen=True, slots=True)
class Alternative:
    """What somebody may answer.

    Attributes:
        right: Whether it earns the mark.
        answer: The number in decimals, or the text.
        tolerance: How far from it a number may lie, in decimals; empty for texts.
        feedback: What is said to it.
    """

    right: bool
    answer: str
    tolerance: str
    feedback: Text


@dataclass(frozen=True, slots=True)
class Field:
    """One field to be filled in.

    Attributes:
        kind: Moodle's name of it.
        alternatives: The answers that are told apart; the first that fits counts.
        note: How the answer is to be written, where that needs saying.
        instead: Whether the note stands for the form that the application asks, which the field doesn't take.
    """

    kind: str
    alternatives: tuple[Alternative, ...]
    note: Text | None = None
    instead: bool = False


def fields(part: Accepted) -> tuple[Field, ...]:
    """Return the fields of a part: one for each number, or one for all of it."""
    if part.ask.format.kind is Kind.CHOICE or part.ask.format.kind is Kind.YES_NO:
        return (_choice(part),)
    if part.ask.format.kind in (Kind.ORDER, Kind.NAMED_SHAPE) and part.mistakes:
        return (_told(part),)
    if not part.cells:
        return (_written(part),)
    unit = _unit(part)
    scale = Fraction(_SIZES[unit]) if unit else Fraction(1)
    note = _in(unit) if unit else None
    if part.ask.format.kind is Kind.PERCENT:
        note = wording.PERCENT
    if part.ask.format.kind is Kind.EXPRESSION:
        note = wording.DECIMALS.fill(n=part.ask.format.decimals or 4)
    instead = part.ask.format.kind in (Kind.BYTES, Kind.EXPRESSION)
    return tuple(
        Field("NUMERICAL", tuple(_numbers(part, place, scale)), note, instead)
        if math.isfinite(cell.number)
        else Field("SHORTANSWER", tuple(_infinities(part, place)))
        for place, cell in enumerate(part.cells)
    )


# Numbers ---------------------------------------------------------------------------------------------------------------


def _unit(part: Accepted) -> str:
    """Return the unit that a number of bytes is asked in: that of the displayed answer."""
    return part.shown.en.rpartition(" ")[2] if part.ask.format.kind is Kind.BYTES else ""


def _in(unit: str) -> Text:
    """Say in which unit a number of bytes is asked, and how large that is."""
    if unit == "B":
        return wording.IN_BYTES
    binary = unit.endswith("iB")
    power = "kMGT".index(unit[0].replace("K", "k")) + 1
    return wording.IN_UNIT.fill(unit=unit, size=f"2^{{{10 * power}}}" if binary else f"10^{{{3 * power}}}")


def _numbers(part: Accepted, place: int, scale: Fraction) -> Iterator[Alternative]:
    right = part.cells[place]
    for each in (right.about, *right.also):
        yield _alternative(True, each, scale, wording.RIGHT)
    wrong = [mistake.cells[place] for mistake in part.mistakes if mistake.cells]
    for point in right.coarse:
        if any(cell.accepts(point) for cell in wrong):
            continue  # of several numbers, this one alone doesn't tell
        yield _alternative(False, Interval(point), scale, wording.COARSE)
    for about, said in _told_apart(part, place)[:MOST_MISTAKES]:
        yield _alternative(False, about, scale, said)


def _told_apart(part: Accepted, place: int) -> list[tuple[Interval, Text]]:
    """Return what mistakes give for a number; those that can't be told apart by it share what is said."""
    right = part.cells[place]
    groups: list[list[tuple[Interval, Text]]] = []
    for mistake in part.mistakes:
        cell = mistake.cells[place] if mistake.cells else right
        if not math.isfinite(cell.number) or any(cell.about.meets(each) for each in (right.about, *right.also)):
            continue  # in this place the mistake does no harm
        joined = [(cell.about, mistake.message)]
        apart = []
        for group in groups:
            if any(cell.about.meets(other) for other, _ in group):
                joined = group + joined
            else:
                apart.append(group)
        groups = [*apart, joined]
    found = []
    for group in groups:
        messages = list(dict.fromkeys(message for _, message in group))
        said = messages[0] if len(messages) == 1 else wording.EITHER
        for message in messages if len(messages) > 1 else ():
            said += message
        found += [(about, said) for about in dict.fromkeys(about for about, _ in group)]
    return found


def _alternative(right: bool, about: Interval, scale: Fraction, feedback: Text) -> Alternative:
    return Alternative(right, decimals(about.value / scale), decimals(about.reach / scale), feedback)


def decimals(value: Fraction) -> str:
    """Write a number in decimals that Moodle reads: all of them where they end, else twenty."""
    if (text := terminating(value)) is not None:
        return text
    digits = 20
    while digits < 60 and (value * 10**digits).denominator != 1:
        digits += 10
    whole = round(abs(value) * 10**digits)
    text = f"{whole:0{digits + 1}d}"
    return ("-" if value < 0 else "") + f"{text[:-digits]}.{text[-digits:]}".rstrip("0").rstrip(".")


# Texts -----------------------------------------------------------------------------------------------------------------

_INFINITIES = {"inf": ("inf", "∞", "+inf", "infinity"), "-inf": ("-inf", "-∞", "−∞", "−inf", "-infinity"), "nan": ("nan",)}


def _infinities(part: Accepted, place: int) -> Iterator[Alternative]:
    for spelling in _INFINITIES[part.cells[place].shown]:
        yield Alternative(True, spelling, "", wording.RIGHT)


def _written(part: Accepted) -> Field:
    """Make a field for a shape: the usual ways of writing it are known."""
    alternatives = [Alternative(True, spelling, "", wording.RIGHT) for spelling in _spellings(part.shown.en)]
    for mistake in part.mistakes[:MOST_MISTAKES]:
        alternatives += (Alternative(False, spelling, "", mistake.message) for spelling in _spellings(mistake.shown))
    return Field("SHORTANSWER", tuple(alternatives), wording.WRITE_SHAPE if part.ask.format.kind is Kind.SHAPE else None)


def _spellings(shown: str) -> tuple[str, ...]:
    if not shown.startswith("["):
        return (shown,)
    sizes = [each.strip() for each in shown.strip("[]").split(",")]
    spaced, tight, bare = ", ".join(sizes), ",".join(sizes), " ".join(sizes)
    written = (f"[{spaced}]", f"[{tight}]", f"({spaced})", f"({tight})", spaced, tight, bare)
    return tuple(dict.fromkeys(written))


def _told(part: Accepted) -> Field:
    """Make a choice of what may be written in many ways, such as O(n²·d): the answer among those that mistakes give."""
    options = [Alternative(True, part.shown.en, "", wording.RIGHT)]
    options += (Alternative(False, mistake.shown, "", mistake.message) for mistake in part.mistakes[:MOST_MISTAKES])
    return Field("MULTICHOICE", tuple(sorted(options, key=lambda each: (len(each.answer), each.answer))))


def _choice(part: Accepted) -> Field:
    known = {mistake.shown: mistake.message for mistake in part.mistakes}
    if part.ask.format.kind is Kind.YES_NO:
        options: Sequence[tuple[str, Text]] = (("yes", wording.YES), ("no", wording.NO))
        right = next(name for name, text in options if text == part.shown or name == part.shown.en)
    else:
        options = [(str(each), same(str(each))) for each in choices(part)]
        right = part.shown.en
    alternatives = [
        Alternative(name == right, name, "", wording.RIGHT if name == right else known.get(name, same("")))
        for name, _ in options
    ]
    return Field("MULTICHOICE", tuple(alternatives))


def choices(part: Accepted) -> tuple[str, ...]:
    """Return the options of a choice as they are typed: numbers where the answer is one, else letters."""
    count = part.ask.format.choices
    if part.shown.en.isdecimal():
        return tuple(str(number) for number in range(1, count + 1))
    return tuple(chr(ord("a") + number) for number in range(count))


# Cloze -----------------------------------------------------------------------------------------------------------------

_STEERING = str.maketrans({sign: f"&#{ord(sign)};" for sign in "}{#~%=/\\\"'*"})
"""Characters that mean something between the braces of a cloze field; Moodle reads their HTML numbers as text."""


def written(field: Field, language: Language) -> str:
    """Write a field for the text of a cloze question."""
    return f"{{1:{field.kind}:{'~'.join(_option(each, field.kind, language) for each in field.alternatives)}}}"


def _option(each: Alternative, kind: str, language: Language) -> str:
    answer = each.answer
    if kind == "NUMERICAL":
        answer = f"{answer}:{each.tolerance}"
    else:
        said = {"yes": wording.YES, "no": wording.NO}.get(answer, same(answer)) if kind == "MULTICHOICE" else same(answer)
        answer = escape(clean(said[language])).translate(_STEERING)
    feedback = in_unicode(each.feedback[language])
    return ("=" if each.right else "%0%") + answer + (f"#{_protected(feedback)}" if feedback else "")


def _protected(text: str) -> str:
    """Write a text so that it is still HTML after Moodle has read its numbers once."""
    return escape(escape(clean(" ".join(text.split()))), quote=False).translate(_STEERING)


def in_unicode(sentence: str) -> str:
    """Write a sentence without LaTeX, whose braces don't go well with those of a field."""
    try:
        return plain(sentence)
    except MathError:
        return sentence


def protected(html: str) -> str:
    """Keep braces of the surrounding HTML from looking like a field's."""
    return html.replace("{", "&#123;").replace("}", "&#125;")
