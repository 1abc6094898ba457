"""A sheet and its key as the source of a Typst document, which needs no other file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files

from question_bank.drills import DRILLS
from question_bank.math import escape, plain
from question_bank.problem import Problem
from question_bank.program import AnswerFormat, Ask, Kind, Shape
from question_bank.text import Language, Text, same
from quizapp.commands.drawing import label, table_of
from quizapp.sheets.plan import Copy, OpenQuestion, Sheet, letter
from quizapp.sheets.qr import qr_codes
from quizapp.sheets.room import lines, room
from quizapp.sheets.solutions import nested
from quizapp.sheets.typst_text import displayed, grouped, in_each, named, on_one_line, shown, string, table, typed
from quizapp.wording_exports import NO, YES
from quizapp.wording_sheets import DATE, FOR_MARKING, KEY, NAME, SCORE, VARIANT

CODES_ABOVE = 2
"""So many QR codes stand beside the title; more of them stand beneath the last problem."""

MANY = 20
"""More personal sheets than these are drawn in a hurry."""

QR_WIDTH = "26mm"

ASKING = "asking-"
"""The style of what is asked."""


@cache
def layout() -> str:
    """Return the functions that lay a sheet out."""
    return files("quizapp.sheets").joinpath("layout.typ").read_text("utf-8")


def first_language(sheet: Sheet) -> Language:
    """Return the language of a sheet, the first where it has two."""
    return sheet.languages.each[0]


def document(sheet: Sheet, parts: Iterable[str]) -> str:
    """Put a whole document together.

    Args:
        sheet: The sheet.
        parts: What ``questions`` and the functions of ``key_source`` wrote.
    """
    paper = {"letter": "us-letter"}.get(sheet.paper.value, sheet.paper.value)
    setup = f'paper: "{paper}", language: "{first_language(sheet).value}", title: {string(sheet.title)}'
    return f"{layout()}\n#show: sheet.with({setup})\n\n" + "\n".join(parts)


def questions(sheet: Sheet, copy: Copy, number: int) -> str:
    """Write one person's pages.

    Args:
        sheet: The sheet.
        copy: The person's.
        number: What parts this person's pages from others' in the document.
    """
    language = first_language(sheet)
    spoken = sheet.languages.each
    codes = [f"qr({string(code)}, {QR_WIDTH})" for code in qr_codes(copy.codes, quickly=len(sheet.copies) > MANY)]
    above = len(codes) <= CODES_ABOVE
    heading = f"#heading-of({typed(sheet.title, language)}, ({', '.join(_fields(copy, spoken))},)"
    heading += f", codes: ({', '.join(codes)},))" if codes and above else ")"
    items = [
        _problem(place, item, spoken) if isinstance(item, Problem) else _open_question(place, item, spoken)
        for place, item in copy.numbered()
    ]
    beneath = [] if above else [f"#codes-beneath({on_one_line(FOR_MARKING, spoken)}, {', '.join(codes)})"]
    return pages(f"sheet-{number}", sheet, copy, Text("", ""), [heading, *items, *beneath])


def pages(mark: str, sheet: Sheet, copy: Copy, said: Text, body: Sequence[str]) -> str:
    """Write pages with their own numbers, and with title and name above all but the first."""
    language = first_language(sheet)
    name = owner(copy, language)
    title = typed(sheet.title, language)
    return "\n".join((f"#pages({string(mark)}, {title}, {name}, {on_one_line(said, sheet.languages.each)}, [", *body, "])", ""))


def person_of(copy: Copy) -> Text:
    """Say whose sheet it is: the name, or which variant."""
    return same(escape(copy.person)) if copy.is_named or not copy.person else VARIANT.fill(number=copy.person)


def owner(copy: Copy, language: Language) -> str:
    """Write whose sheet it is, as content in code."""
    if not copy.person:
        return "[]"
    return typed(copy.person, language) if copy.is_named else on_one_line(person_of(copy), (language,))


def _fields(copy: Copy, spoken: Sequence[Language]) -> Iterator[str]:
    name = on_one_line(NAME, spoken)
    if copy.person and copy.is_named:
        yield f"filled({name}, {typed(copy.person, spoken[0])})"
    else:
        yield f"field({name}, 44mm)"
    yield f"field({on_one_line(DATE, spoken)}, 26mm)"
    yield f"field({on_one_line(SCORE, spoken)}, 14mm)"
    if copy.person and not copy.is_named:
        yield f"small({on_one_line(person_of(copy), spoken)})"


# Items -----------------------------------------------------------------------------------------------------------------


def _problem(number: int, problem: Problem, spoken: Sequence[Language]) -> str:
    arguments = [
        str(number),
        on_one_line(title_of(problem), spoken),
        string(problem.code),
        in_each(problem.prompt, spoken, ASKING),
    ]
    inputs = [_input(name, value) for name, value in problem.program.inputs]
    if inputs:
        arguments.append(f"inputs: side-by-side(gap: 6mm, {', '.join(inputs)})")
    if problem.listing:
        arguments.append(f"shown: listing({', '.join(map(string, problem.listing))})")
    arguments.append(f"room: {room(problem)}mm")
    arguments.append(_blanks(problem.program.asks, spoken))
    return f"#problem({', '.join(arguments)})"


def title_of(problem: Problem) -> Text:
    """Return the name of a problem's drill; its id where this release doesn't have it."""
    return DRILLS[problem.drill].title if problem.drill in DRILLS else same(problem.drill)


def _input(name: str, value: object) -> str:
    if isinstance(value, Shape):
        return f"${named(name)}: {shown(str(list(value.dimensions)))}$"
    return displayed(named(name), "=", table(table_of(value)))  # type: ignore[arg-type]


SHORT_LABELS = {2: 12, 3: 7}
"""Characters of a name that is a symbol, or nearly: so many such answers stand side by side, with room for eight digits."""

_IN_BRACKETS = (Kind.VECTOR, Kind.MATRIX)
_SHORT_LINE = (Kind.INTEGER, Kind.NUMBER, Kind.PERCENT)
"""Answers that a third of the width has room for."""
_NO_LINE = (*_IN_BRACKETS, Kind.YES_NO, Kind.LINE, Kind.CHOICE)
"""What is written into brackets, ticked, or a single sign."""


def part_names(asks: Sequence[Ask], spoken: Sequence[Language]) -> list[str]:
    """Write the names of all parts as contents in code, behind their letters where there are several."""
    return [lettered(place, on_one_line(label(ask), spoken), asks) for place, ask in enumerate(asks)]


def lettered(place: int, content: str, asks: Sequence[Ask], style: str = "part") -> str:
    """Write the letter of a part before a content in code, if it is one of several."""
    return f"[#{style}[{letter(place)}]#{content}]" if len(asks) > 1 else content


def _blanks(asks: Sequence[Ask], spoken: Sequence[Language]) -> str:
    """Write where the answers go: side by side where their names are short, else one beneath the other."""
    names = part_names(asks, spoken)
    kinds = {ask.format.kind for ask in asks}
    columns = 3 if kinds.issubset(_SHORT_LINE) and len(asks) not in (2, 4) else 2
    are_short = all(_width(label(ask), spoken) <= SHORT_LABELS[columns] for ask in asks)
    if are_short and len(asks) > 1 and kinds.isdisjoint(_NO_LINE):
        cells = [f"[#{name} #{_blank(ask, spoken, 'rest')}]" for name, ask in zip(names, asks, strict=True)]
        return f"in-columns({columns}, {', '.join(cells)})"
    beneath = "named-blanks" if kinds.isdisjoint(_IN_BRACKETS) else "beneath"
    placed = "side-by-side" if are_short or len(asks) == 1 else beneath
    blanks = [_blank(ask, spoken) for ask in asks]
    if placed == "beneath":
        blanks = [each if ask.format.kind in _NO_LINE else f"level({each})" for each, ask in zip(blanks, asks, strict=True)]
    return f"{placed}({', '.join(f'({name}, {blank})' for name, blank in zip(names, blanks, strict=True))})"


WIDE_ROW = 8
"""Numbers in a row for which there is room enough at full width."""


def _width(name: Text, spoken: Sequence[Language]) -> int:
    """Estimate the width of a name, in characters, the Chinese ones twice as wide."""
    said = {plain(name[language]) for language in spoken}
    return sum(1 + (character > "\u2e80") for each in said for character in each)


def _blank(ask: Ask, spoken: Sequence[Language], length: str = "line") -> str:
    """Write where an answer goes: brackets with a place for each number, or a line; content in code.

    Args:
        ask: What is asked.
        spoken: The languages.
        length: ``line``, or ``rest`` for all the room that there is.
    """
    form, sizes = ask.format, ask.format.dimensions
    if form.kind is Kind.YES_NO:
        choices = " #h(5mm) ".join(f"#tick({on_one_line(each, spoken)})" for each in (YES, NO))
        return f"[#h(2mm) {choices}]"
    if form.kind in (Kind.LINE, Kind.CHOICE):
        return "[#h(1mm) #blank(width: 16mm)]"
    if form.kind in (Kind.VECTOR, Kind.MATRIX) and sizes:
        rows, columns = (1, sizes[0]) if form.kind is Kind.VECTOR else (sizes[0], sizes[-1])
        slot = "slot" if columns <= WIDE_ROW else "narrow"
        slots = "; ".join(", ".join([slot] * columns) for _ in range(rows))
        return displayed("=", f"mat({slots})")
    return f"[$=$ #{length}-to-write-on{'%' if form.kind is Kind.PERCENT else ''}]"


def _open_question(number: int, question: OpenQuestion, spoken: Sequence[Language]) -> str:
    heading, prompt = on_one_line(question.title, spoken), in_each(question.prompt, spoken, ASKING)
    return f"#open-question({number}, {heading}, {string(question.id)}, {prompt}, lines: {lines(question)})"


# Answers ---------------------------------------------------------------------------------------------------------------

IN_WORDS = {"yes": YES, "no": NO}
"""Answers as displayed that are words of a language."""


def answer(ask: Ask, displayed_answer: str, spoken: Sequence[Language]) -> str:
    """Write an answer as content in code, a matrix as a matrix."""
    kind = ask.format.kind
    if kind in (Kind.VECTOR, Kind.MATRIX):
        return displayed(table(nested(displayed_answer)))
    if kind is Kind.YES_NO:
        return on_one_line(IN_WORDS[displayed_answer], spoken)
    if kind in (Kind.BYTES, Kind.CHOICE):
        return f"[#{string(grouped(displayed_answer))}]"
    if kind is Kind.PERCENT:
        return f"[${shown(displayed_answer.removesuffix('%'))}$%]"
    return f"${shown(displayed_answer)}$"


def labelled_answers(asks: Sequence[Ask], displayed_answers: Sequence[str], spoken: Sequence[Language]) -> str:
    """Write the parts' names and their answers, as pairs of contents in code."""
    pairs = []
    for name, ask, given in zip(part_names(asks, spoken), asks, displayed_answers, strict=True):
        between = "#h(3mm)" if ask.format.kind in (Kind.YES_NO, Kind.LINE, Kind.CHOICE) else "$=$"
        counted = f"#{string(_in_bytes(given))} $=$ " if ask.format.kind is Kind.BYTES and not given.endswith(" B") else ""
        pairs.append(f"({name}, [{between} {counted}#{answer(ask, given, spoken)}])")
    return ", ".join(pairs)


def _in_bytes(displayed_answer: str) -> str:
    """Write a size without its unit's prefix, as the steps end with it: ``20 KiB`` is ``20480 B``."""
    from solvers.answers import Unreadable, read

    size = read(displayed_answer, AnswerFormat(Kind.BYTES))
    assert not isinstance(size, Unreadable)
    return grouped(f"{size.cells[0].value} B")


def key_heading(sheet: Sheet, copy: Copy) -> str:
    """Write what stands above a key: the word, the sheet's title, the name."""
    language = first_language(sheet)
    said = [f"small({typed(sheet.title, language)})"]
    said += [f"text(11pt, {owner(copy, language)})"] if copy.person else []
    return f"#heading-of({on_one_line(KEY, sheet.languages.each)}, ({', '.join(said)},))"
