"""Marked sheets to read: as text for a terminal, and as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from question_bank.math import cell_len
from question_bank.text import Language, Text, same
from quizapp import wording_marking as wording
from quizapp.commands.drawing import INDENT
from quizapp.commands.pages import Page
from quizapp.commands.session import Session, written
from quizapp.exports.markdown import sentence, words
from quizapp.marking.marks import Marked, MarkedProblem, MarkedSheet
from quizapp.marking.mistakes import ClassMistake, ClassProblem, class_mistakes, class_problems, is_blank
from quizapp.marking.places import name_of
from quizapp.sheets.source import title_of
from solvers.verdict import Outcome, PartVerdict

SIGNS = {
    Outcome.RIGHT: "✓",
    Outcome.RIGHT_AFTER_SLIP: "✓",
    Outcome.KNOWN_MISTAKE: "✗",
    Outcome.WRONG: "✗",
    Outcome.GIVEN_UP: "–",
    Outcome.COARSE: "~",
    Outcome.UNREADABLE: "?",
}
"""The sign of each outcome, as on the screen."""

MOST_NAMES = 6
"""So many names stand behind a mistake."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """A part that is not simply right.

    Attributes:
        name: The number of its problem, with its letter where there are several.
        problem: What the problem is about.
        part: The verdict.
    """

    name: str
    problem: Text
    part: PartVerdict

    @property
    def message(self) -> Text:
        """What is said of it; of a blank, that it was left so."""
        return wording.LEFT_BLANK if self.part.outcome is Outcome.GIVEN_UP else self.part.message


def not_right(sheet: MarkedSheet) -> tuple[Wrong, ...]:
    """Return the parts that are not simply right, in order; of a problem left blank altogether, one stands for all."""
    return tuple(one for each in sheet.problems for one in _not_right(each))


def _not_right(each: MarkedProblem) -> Iterator[Wrong]:
    asks, title = each.problem.program.asks, title_of(each.problem)
    if is_blank(each):
        first = each.verdict.parts[0]
        yield Wrong(str(each.number), title, first if len(asks) == 1 else replace(first, expected=same("")))
        return
    for place, part in enumerate(each.verdict.parts):
        if part.outcome is not Outcome.RIGHT:
            yield Wrong(name_of(each.number, place, asks), title, part)


def signs(each: MarkedProblem) -> str:
    """Write a sign for each part of a problem."""
    return "".join(SIGNS[part.outcome] for part in each.verdict.parts)


def name(sheet: MarkedSheet) -> Text:
    """Say whose sheet it is; an empty text where nobody is named."""
    return same(sheet.person) if sheet.is_named or not sheet.person else wording.VARIANT.fill(number=sheet.person)


def who(sheet: MarkedSheet) -> Text:
    """Say whose sheet it is, to be followed by what is said of it; an empty text where nobody is named."""
    return wording.WHO.fill(name=name(sheet)) if sheet.person else same("")


def total(sheet: MarkedSheet) -> Text:
    """Say how many marks a person has."""
    return who(sheet) + wording.TOTAL.fill(marks=sheet.marks, possible=sheet.possible)


def summary(marked: Marked) -> Text:
    """Say how it went in one line."""
    if not marked.is_for_class and len(marked.sheets) == 1:
        return total(marked.sheets[0])
    found = [sheet for sheet in marked.sheets if sheet.problems] or marked.sheets  # who reached nothing says nothing
    possible = max((sheet.possible for sheet in found), default=0)
    if len(found) == 1:
        return wording.ONE_PERSON.fill(mean=found[0].marks, possible=possible)
    mean = Fraction(sum(sheet.marks for sheet in found), max(len(found), 1))
    return wording.PEOPLE.fill(n=len(found), mean=f"{float(mean):.1f}", possible=possible)


def people(mistake: ClassMistake) -> Text:
    """Write who made a mistake."""
    shown, more = mistake.people[:MOST_NAMES], len(mistake.people) - MOST_NAMES
    names = Text(", ".join(shown), "、".join(shown))
    return wording.AND_MORE.fill(names=names, n=more) if more > 0 else names


def notes(marked: Marked) -> Iterator[Text]:
    """Say who and what is missing."""
    if marked.absent:
        yield wording.ABSENT.fill(names=Text(", ".join(marked.absent), "、".join(marked.absent)))
    left_open = sorted({number for sheet in marked.sheets for number in sheet.open})
    if left_open:
        yield wording.OPEN_LEFT.fill(numbers=_numbers(left_open))
    for sheet in marked.sheets:
        if sheet.left:
            yield who(sheet) + wording.NOT_REACHED.fill(numbers=_numbers(sheet.left))


def _numbers(numbers: Sequence[int]) -> Text:
    return Text(", ".join(map(str, numbers)), "、".join(map(str, numbers)))


# Text ------------------------------------------------------------------------------------------------------------------


def text(marked: Marked, language: Language, width: int) -> list[str]:
    """Write everything as lines of text.

    Args:
        marked: The sheets.
        language: The language.
        width: Columns.
    """
    return list(_Text(marked, Page(Session(language), width)).lines())


class _Text:
    def __init__(self, marked: Marked, page: Page) -> None:
        self._marked = marked
        self._page = page

    def lines(self) -> Iterator[str]:
        page, marked = self._page, self._marked
        yield from page.hanging("", marked.title)
        yield from page.hanging("", page.written(summary(marked)))
        for note in notes(marked):
            yield from page.hanging("", page.written(note))
        if marked.is_for_class or len(marked.sheets) > 1:
            yield from self._section(wording.MARKS_HEADING, self._people())
            yield from self._section(wording.PROBLEMS_HEADING, self._problems())
            yield from self._section(wording.MISTAKES_HEADING, self._mistakes())
            yield from self._section(wording.DETAILS_HEADING, self._details())
        else:
            for sheet in marked.sheets:
                yield ""
                yield from sheet_lines(sheet, page)
        yield from self._section(wording.BAD_HEADING, self._bad())

    def _section(self, heading: Text, lines: Iterator[str]) -> Iterator[str]:
        written_lines = list(lines)
        if written_lines:
            yield from ("", self._page.written(heading))
            yield from (INDENT + line if line else "" for line in written_lines)

    def _people(self) -> Iterator[str]:
        names = [self._page.written(name(sheet)) for sheet in self._marked.sheets]
        widest = max(map(cell_len, names), default=0)
        for called, sheet in zip(names, self._marked.sheets, strict=True):
            marks = self._page.written(wording.MARKS.fill(marks=sheet.marks, possible=sheet.possible))
            lead = f"{called}{' ' * (widest - cell_len(called))}{INDENT}{marks:>9}{INDENT}"
            yield from self._page.hanging(lead, " ".join(map(signs, sheet.problems)))

    def _problems(self) -> Iterator[str]:
        for each in class_problems(self._marked):
            right = self._page.written(wording.RIGHT_OF.fill(right=each.right, people=each.people))
            yield from self._page.hanging(f"{each.number:>3}{INDENT}", f"{right}{INDENT}{self._page.written(each.title)}")

    def _mistakes(self) -> Iterator[str]:
        for each in class_mistakes(self._marked):
            times = self._page.written(wording.TIMES.fill(n=each.times))
            yield from self._page.hanging(f"{' ' * (4 - cell_len(times))}{times}{INDENT}", self._page.written(each.sentence))
            if any(each.people):
                yield from self._page.hanging(INDENT * 3, self._page.written(people(each)))

    def _details(self) -> Iterator[str]:
        for place, sheet in enumerate(each for each in self._marked.sheets if not_right(each)):
            yield from [""] if place else []
            yield self._page.written(name(sheet))
            for wrong in not_right(sheet):
                yield from wrong_lines(wrong, self._page)

    def _bad(self) -> Iterator[str]:
        for line in self._marked.bad:
            said = self._page.written(wording.LINE_SAYS.fill(line=line.number, what=line.message))
            yield from self._page.hanging("", said)
            yield from (INDENT + each for each in line.text.splitlines())


def sheet_lines(sheet: MarkedSheet, page: Page) -> Iterator[str]:
    """Write one person's problems, each with its sign, and what was not right."""
    for each in sheet.problems:
        yield from problem_lines(each, page)


def problem_lines(each: MarkedProblem, page: Page) -> Iterator[str]:
    """Write one problem with its signs; what was not right beneath."""
    yield from page.hanging(
        f"{each.number:>3}  {signs(each)}  ", f"{page.written(title_of(each.problem))}  {each.problem.code}"
    )
    for one in _not_right(each):
        numbered = one.name != str(each.number)
        yield from (f"{INDENT * 2} {line}" for line in wrong_lines(one, page, numbered=numbered))


def wrong_lines(wrong: Wrong, page: Page, *, numbered: bool = True) -> Iterator[str]:
    """Write what was not right: why, what was given, what is right."""
    part = wrong.part
    lead = f"{wrong.name:<4}{SIGNS[part.outcome]} " if numbered else ""
    yield from page.hanging(lead, page.written(wrong.message))
    rows = [(wording.YOURS, same(part.typed.replace("\n", "; "))), (wording.RIGHT_ANSWER, part.expected)]
    shown = [(page.written(left), page.written(right)) for left, right in rows if right.en]
    widest = max((cell_len(left) for left, _ in shown), default=0)
    for left, right in shown:
        yield from page.hanging(f"{' ' * cell_len(lead)}{left}{' ' * (widest - cell_len(left))}{INDENT}", right)


# Markdown --------------------------------------------------------------------------------------------------------------


def markdown(marked: Marked, language: Language) -> str:
    """Write everything as Markdown."""
    return "\n\n".join(_Markdown(marked, language).blocks()) + "\n"


class _Markdown:
    def __init__(self, marked: Marked, language: Language) -> None:
        self._marked = marked
        self._language = language

    def _said(self, text: Text) -> str:
        return sentence(text[self._language].strip())

    def _plain(self, text: Text) -> str:
        return words(written(text, self._language), starts=False)

    def _told(self, of: str, what: str) -> str:
        return f"{of}{wording.COLON[self._language]}{what}"

    def _problem(self, each: ClassProblem) -> str:
        return f"{self._said(wording.PROBLEM_LINE.fill(number=each.number))} {self._said(each.title)}".rstrip()

    def blocks(self) -> Iterator[str]:
        marked = self._marked
        yield f"# {words(marked.title, starts=False)}"
        yield self._said(summary(marked))
        for note in notes(marked):
            yield self._plain(note)
        yield f"## {self._said(wording.MARKS_HEADING)}"
        yield "\n".join(self._people())
        if marked.is_for_class or len(marked.sheets) > 1:
            yield f"## {self._said(wording.PROBLEMS_HEADING)}"
            yield "\n".join(
                "- " + self._told(self._problem(each), self._said(wording.RIGHT_OF.fill(right=each.right, people=each.people)))
                for each in class_problems(marked)
            )
        mistakes = class_mistakes(marked)
        if mistakes:
            yield f"## {self._said(wording.MISTAKES_HEADING if marked.is_for_class else wording.OWN_MISTAKES_HEADING)}"
            yield "\n".join(map(self._mistake, mistakes))
        wrong = [(sheet, not_right(sheet)) for sheet in marked.sheets if not_right(sheet)]
        if wrong:
            yield f"## {self._said(wording.DETAILS_HEADING)}"
            for sheet, parts in wrong:
                if sheet.person:
                    yield f"### {self._plain(name(sheet))}"
                yield "\n".join(map(self._wrong, parts))
        if marked.bad:
            yield f"## {self._said(wording.BAD_HEADING)}"
            yield "\n".join(
                f"- {self._plain(wording.LINE_SAYS.fill(line=line.number, what=line.message))}\n"
                f"  {words(' '.join(line.text.split()), starts=False)}"
                for line in marked.bad
            )

    def _people(self) -> Iterator[str]:
        numbers = list(dict.fromkeys(each.number for sheet in self._marked.sheets for each in sheet.problems))
        yield f"| {self._said(wording.NAME_COLUMN)} | {self._said(wording.TOTAL_COLUMN)} | {' | '.join(map(str, numbers))} |"
        yield "| --- | ---: |" + " :-: |" * len(numbers)
        for sheet in self._marked.sheets:
            by_number = {each.number: signs(each) for each in sheet.problems}
            called = self._plain(name(sheet)).replace("|", r"\|")
            marks = self._said(wording.MARKS.fill(marks=sheet.marks, possible=sheet.possible))
            yield f"| {called} | {marks} | {' | '.join(by_number.get(number, '') for number in numbers)} |"

    def _mistake(self, each: ClassMistake) -> str:
        line = f"- {self._said(wording.TIMES.fill(n=each.times))} {self._said(each.sentence)}"
        return self._told(line, self._plain(people(each))) if any(each.people) else line

    def _wrong(self, wrong: Wrong) -> str:
        part = wrong.part
        problem = f"- {wrong.name} {SIGNS[part.outcome]} {self._said(wrong.problem)}"
        lines = [self._told(problem, self._said(wrong.message))]
        rows = [(wording.YOURS, same(part.typed)), (wording.RIGHT_ANSWER, part.expected)]
        lines += [
            "  " + self._told(self._said(left), words(" ".join(right[self._language].split()), starts=False))
            for left, right in rows
            if right.en
        ]
        return "  \n".join(lines)
