"""Ask in the plain terminal for the answers on a printed sheet. What is asked goes to stderr."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from typing import BinaryIO

import click

from question_bank.problem import Problem
from question_bank.program import Ask
from question_bank.text import Text
from quizapp import wording_marking as wording
from quizapp.commands.drawing import form, label
from quizapp.commands.exits import MisuseError
from quizapp.commands.pages import Page, terminal_width
from quizapp.commands.session import Session
from quizapp.marking.marks import Marked, MarkedProblem, MarkedSheet, mark_one
from quizapp.marking.pages import problem_lines, total
from quizapp.marking.places import HandedIn, find_copy, given, name_of
from quizapp.sheets.plan import QR_MARK, Copy, OpenQuestion, Sheet
from quizapp.sheets.source import title_of
from solvers.verdict import Outcome, Verdict

MOST_BYTES = 1 << 20
"""Of one line no more is read."""

_QR = re.compile(rf"{QR_MARK}\s+(\d+)/(\d+)", re.IGNORECASE)
_CODE = re.compile(r"[a-z][a-z0-9-]*\.\d\.[0-9a-z]{5,}", re.IGNORECASE | re.ASCII)


class Desk:
    """Where somebody types what stands on the paper."""

    def __init__(self, session: Session, end_keys: str) -> None:
        """Sit down; ``end_keys`` end the input."""
        self.session = session
        self._end_keys = end_keys
        self._page = Page(session, terminal_width())
        self._waiting: list[str] = []
        self._stream: BinaryIO | None = None if sys.stdin is None else sys.stdin.buffer

    @property
    def is_piped(self) -> bool:
        """Whether stdin is no terminal."""
        return sys.stdin is not None and not sys.stdin.isatty()

    # Lines

    def _line(self, prompt: str = "") -> str | None:
        """Read a line; None at the end."""
        if prompt:
            click.echo(prompt, err=True, nl=False)
        text = self._waiting.pop(0) if self._waiting else self._typed()
        if prompt and (text is None or self._echoes):
            self.session.narrate(text or "")  # what a script types reads as if a person had
        return text

    @property
    def _echoes(self) -> bool:
        return self.is_piped and self._stream is sys.stdin.buffer

    def _typed(self) -> str | None:
        raw = self._stream.readline(MOST_BYTES) if self._stream is not None else b""
        return raw.decode("utf-8", "replace").lstrip("\ufeff").rstrip("\r\n") if raw else None

    def _say(self, text: Text, lead: str = "") -> None:
        for line in self._page.hanging(lead, self.session.written(text)):
            self.session.narrate(line)

    # Codes

    def codes(self, *, everything: bool) -> str:
        """Read the text of a sheet's QR codes, or its codes.

        Args:
            everything: Whether all of stdin is codes; else what follows them are answers.
        """
        found: list[str] = []
        parts: dict[int, int] = {}
        while True:
            if not self.is_piped and not everything:
                self._say(self._wanted(parts))
            line = self._line()
            if line is None:
                break
            if not everything and found and not _CODE.search(line):
                self._waiting.append(line)
                break
            found.append(line)
            for part, of in _QR.findall(line):
                parts[int(part)] = int(of)
            if not self.is_piped and not everything and (not parts or len(parts) >= max(parts.values())):
                break
        return "\n".join(found)

    @staticmethod
    def _wanted(parts: dict[int, int]) -> Text:
        if not parts:
            return wording.PASTE
        return wording.PASTE_PART.fill(part=len(parts), parts=max(parts.values()))

    def turn_to_the_terminal(self) -> None:
        """Go on at the terminal, where stdin held the codes alone.

        Raises:
            MisuseError: There is none.
        """
        if not self.is_piped or self._waiting:
            return
        try:
            self._stream = open("CONIN$" if sys.platform == "win32" else "/dev/tty", "rb", buffering=0)  # noqa: SIM115
        except OSError as error:
            raise MisuseError(wording.NO_TERMINAL) from error

    # People

    def ask(self, sheet: Sheet) -> Marked:
        """Ask for all answers, and say the verdict on each problem when it is there."""
        self._say(wording.HOW.fill(keys=self._end_keys))
        if not sheet.is_for_class:
            return Marked(sheet.title, False, (self._ask_copy(sheet.copies[0], sheet.copies[0].person)[0],))
        sheets: dict[str, MarkedSheet] = {}
        more = True
        while more:
            self.session.narrate("")
            name = self._line(f"{self.session.written(wording.WHOSE)} ")
            if name is None or not name.strip():
                break
            copy = find_copy(sheet, " ".join(name.split()))
            if copy is None:
                unknown = wording.NOBODY.fill(name=name.strip()[:60])
                self._say(Text(f"{unknown.en[0].upper()}{unknown.en[1:]}.", f"{unknown.zh}。"))
                continue
            sheets[copy.person], more = self._ask_copy(copy, copy.person)
        in_order = [sheets[copy.person] for copy in sheet.copies if copy.person in sheets]
        return Marked(sheet.title, True, tuple(in_order))

    def _ask_copy(self, copy: Copy, person: str) -> tuple[MarkedSheet, bool]:
        """Ask for one person's answers; tells whether there may be more people."""
        answers: list[tuple[str | None, ...]] = []
        verdicts: dict[str, Verdict] = {}
        more = True
        for number, item in copy.numbered():
            if isinstance(item, OpenQuestion):
                continue
            verdict, more = self._ask_problem(number, item)
            if verdict is not None:
                verdicts[item.code] = verdict
                answers.append(tuple(part.typed or None for part in verdict.parts))
            if not more:
                break
        handed = HandedIn(person, copy, tuple(answers), reached=len(answers))
        sheet = mark_one(handed, lambda problem, _answers: verdicts[problem.code])
        self.session.narrate("")
        self.session.data(self.session.written(total(sheet)))
        if sheet.left:
            listed = Text(", ".join(map(str, sheet.left)), "、".join(map(str, sheet.left)))
            self._say(wording.NOT_REACHED.fill(numbers=listed))
        return sheet, more

    # Problems

    def _ask_problem(self, number: int, problem: Problem) -> tuple[Verdict | None, bool]:
        """Ask for the answers to a problem until each can be read.

        Returns:
            The verdict, None where the input ends before anything was typed; and whether there may be more input.
        """
        from solvers.grading import grade

        self.session.narrate("")
        called = f"{self.session.written(title_of(problem))}  {problem.code}"
        for line in self._page.hanging(f"{number}. ", called):
            self.session.narrate(line)
        asks = problem.program.asks
        texts: list[str | None] = [None] * len(asks)
        for part in range(len(asks)):
            typed = self._ask_part(number, part, asks)
            if typed is None:
                return self._ended(number, problem, texts), False
            texts[part] = given(typed)
        while True:
            verdict = grade(problem, texts)
            again = next((part for part, one in enumerate(verdict.parts) if one.outcome is Outcome.UNREADABLE), None)
            if again is None:
                self._tell(number, problem, verdict)
                return verdict, True
            self._say(wording.AGAIN.fill(message=verdict.parts[again].message))
            typed = self._ask_part(number, again, asks)
            if typed is None:
                return self._ended(number, problem, texts), False
            texts[again] = given(typed)

    def _ended(self, number: int, problem: Problem, texts: Sequence[str | None]) -> Verdict | None:
        """Mark what there is of a problem at which the input ends."""
        from solvers.grading import grade

        if not any(texts):
            return None
        verdict = grade(problem, texts)
        self._tell(number, problem, verdict)
        return verdict

    def _ask_part(self, number: int, part: int, asks: Sequence[Ask]) -> str | None:
        """Ask for one answer until it can be read."""
        from solvers.answers import Unreadable, read

        ask = asks[part]
        said = wording.ASK_PART.fill(number=name_of(number, part, asks), label=label(ask), form=form(ask.format))
        while True:
            typed = self._line(self.session.written(said))
            if typed is None or given(typed) is None:
                return typed
            reading = read(typed, ask.format)
            if not isinstance(reading, Unreadable):
                return typed
            self._say(wording.AGAIN.fill(message=reading.message))

    def _tell(self, number: int, problem: Problem, verdict: Verdict) -> None:
        marked = MarkedProblem(number, problem, verdict, (0,) * len(verdict.parts))
        for line in problem_lines(marked, self._page):
            self.session.data(line)
