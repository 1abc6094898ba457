"""A sheet in a plain terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from question_bank.problem import Problem
from question_bank.program import Ask, Kind
from question_bank.text import Text
from quizapp.commands.drawing import INDENT, form, input_lines, label, listing_lines, step_lines
from quizapp.commands.pages import Page
from quizapp.commands.session import Session
from quizapp.sheets.plan import Copy, Item, Sheet, letter
from quizapp.sheets.solutions import Key, Solver
from quizapp.sheets.source import IN_WORDS, person_of, title_of
from quizapp.wording_exports import PART
from quizapp.wording_sheets import IN_SHORT, KEY, POINTS

HANGING = 4
"""Columns in which numbers stand."""


def lines(sheet: Sheet, key: Key, solve: Solver, width: int) -> Iterator[str]:
    """Write everybody's sheet, and the key behind them all.

    Args:
        sheet: The sheet.
        key: How much of a key.
        solve: Works problems out.
        width: Columns of the terminal.
    """
    writer = _Writer(sheet, width)
    for place, copy in enumerate(sheet.copies):
        yield from [""] if place else []
        yield from writer.copy(copy)
    if key is not Key.NONE:
        yield from ("", writer.line(KEY))
        for copy in sheet.copies:
            yield from writer.key(copy, solve)


def _letter(place: int, asks: Sequence[Ask]) -> str:
    return f"({letter(place)}) " if len(asks) > 1 else ""


class _Writer:
    def __init__(self, sheet: Sheet, width: int) -> None:
        self._sheet = sheet
        self._sessions = [Session(language) for language in sheet.languages.each]
        self._width = width

    def line(self, text: Text) -> str:
        return INDENT.join(dict.fromkeys(session.written(text).strip() for session in self._sessions))

    def _hanging(self, number: str, text: str) -> list[str]:
        return Page(self._sessions[0], self._width).hanging(f"{number:<{HANGING}}", text)

    def _beneath(self, *texts: Text) -> Iterator[str]:
        for text in texts:
            for said in dict.fromkeys(session.written(text).strip() for session in self._sessions):
                yield from self._hanging("", said)

    def _indented(self, written: Iterator[str]) -> Iterator[str]:
        return (" " * HANGING + each if each else "" for each in written)

    def copy(self, copy: Copy) -> Iterator[str]:
        yield self._sheet.title + (f"{INDENT}{self.line(person_of(copy))}" if copy.person else "")
        for number, item in copy.numbered():
            yield ""
            yield from self._heading(number, item)
            yield from self._beneath(item.prompt)
            if isinstance(item, Problem):
                yield ""
                yield from self._indented(listing_lines(item.listing))
                yield from self._indented(input_lines(self._sessions[0], item.program))
                if item.program.inputs:
                    yield ""
                asks = item.program.asks
                asked = (self.line(PART.fill(label=label(ask), form=form(ask.format))) for ask in asks)
                yield from self._indented(_letter(place, asks) + each for place, each in enumerate(asked))

    def _heading(self, number: int, item: Item) -> list[str]:
        if isinstance(item, Problem):
            return self._hanging(f"{number}.", f"{self.line(title_of(item))}{INDENT}{item.code}")
        return self._hanging(f"{number}.", f"{self.line(item.title)}{INDENT}{item.id}")

    def key(self, copy: Copy, solve: Solver) -> Iterator[str]:
        if copy.person:
            yield from ("", self.line(person_of(copy)))
        for number, item in copy.numbered():
            if not isinstance(item, Problem):
                yield ""
                yield from self._heading(number, item)
                yield from self._beneath(POINTS, *item.points, IN_SHORT.fill(answer=item.answer))
                continue
            solution = solve(item)
            asks = item.program.asks
            answers = (
                f"{_letter(place, asks)}{self.line(label(ask))} = "
                f"{self.line(IN_WORDS[given]) if ask.format.kind is Kind.YES_NO else given}"
                for place, (ask, given) in enumerate(zip(asks, solution.answers, strict=True))
            )
            first, *others = answers
            yield from self._hanging(f"{number}.", first)
            yield from self._indented(iter(others))
            for session in self._sessions if solution.steps else []:
                for place, step in enumerate(solution.steps, 1):
                    yield from self._indented(step_lines(session, place, step))
