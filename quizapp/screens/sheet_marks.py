"""The marks of a sheet that was answered on screen, with ways to practise what was not right."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widget import Widget

from question_bank import CodeError, problem
from question_bank.problem import Problem
from question_bank.text import Text, same
from quizapp import wording_paper as wording
from quizapp.commands.drawing import label
from quizapp.marking.marks import Marked, MarkedProblem, MarkedSheet
from quizapp.marking.pages import name, signs
from quizapp.screens.base import BilingualScreen
from quizapp.screens.places import DrillPlace, MakeSheetPlace, screen_for
from quizapp.sheets.plan import Sheet
from quizapp.sheets.source import title_of
from quizapp.widgets.bilingual import Phrase, bind
from quizapp.widgets.page import Heading, Row
from quizapp.widgets.part import hangs
from quizapp.widgets.stops import Link, Stop, StopPage
from quizapp.widgets.verdict import MARKS, VerdictView, note_for
from solvers.verdict import Outcome, PartVerdict


class MarksScreen(BilingualScreen):
    """What a sheet came to."""

    CSS_PATH: ClassVar = ["../widgets/stops.tcss", "sheets.tcss"]
    AUTO_FOCUS = "StopPage"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("x", "export", wording.EXPORT, wording.EXPORT_TIP),
        bind("w", "sheet", wording.SHEET, wording.WRONG_TIP),
    ]

    def __init__(self, sheet: Sheet, marked: MarkedSheet) -> None:
        """Show the marks."""
        super().__init__()
        self._sheet = sheet
        self._marked = marked

    def compose_page(self) -> ComposeResult:
        """Lay out the sum, then the problems."""
        marked = self._marked
        yield Heading(same(self._sheet.title.replace("$", r"\$")), name(marked), wording.MARKS)
        yield StopPage(*self._rows())

    def _rows(self) -> Iterator[Widget]:
        marked = self._marked
        said = [Phrase(wording.MARKS_OF.fill(marks=marked.marks, possible=marked.possible), classes="strong")]
        if marked.open:
            numbers = Text(", ".join(map(str, marked.open)), "、".join(map(str, marked.open)))
            said.append(Phrase(wording.OPEN_LEFT.fill(numbers=numbers), classes="soft"))
        yield Row(wording.IN_ALL, *said)
        for each in marked.problems:
            yield self._heading(each)
            parts = list(zip(each.problem.program.asks, each.verdict.parts, strict=True))
            for ask, part in parts:
                if part.outcome is not Outcome.RIGHT:
                    yield self._part(label(ask) if len(parts) > 1 else same(""), part)
            if each.is_right and all(part.outcome is Outcome.RIGHT for _, part in parts):
                yield Row(None)

    def _heading(self, each: MarkedProblem) -> Widget:
        title = wording.TITLE_CODE.fill(title=title_of(each.problem), code=each.problem.code)
        line = Text(f"{signs(each)}  {title.en}", f"{signs(each)}  {title.zh}")
        number = same(f"{each.number}.")
        if _is_known(each.problem):
            return Link(number, line, DrillPlace(each.problem.drill, each.problem.level, each.problem.code))
        return Row(number, Phrase(line), classes="tight")

    def _part(self, called: Text, part: PartVerdict) -> Row:
        view = VerdictView(part)
        name = [] if hangs(called) else [Phrase(called, classes="soft")]  # else it would break within the margin
        row = Row(note_for(part.outcome, same("") if name else called), *name, view)
        row.note.add_class(MARKS[part.outcome].style)
        return row

    def on_stop_acted(self, event: Stop.Acted) -> None:
        """Practise a problem; Esc comes back here."""
        event.stop()
        if isinstance(event.row, Link) and isinstance(event.row.target, DrillPlace):
            self.app.push_screen(screen_for(event.row.target))

    @property
    def _wrong(self) -> tuple[Problem, ...]:
        return tuple(each.problem for each in self._marked.problems if not each.is_right and _is_known(each.problem))

    def action_sheet(self) -> None:
        """Make a sheet of what was not right."""
        self.app.push_screen(screen_for(MakeSheetPlace.of(wording.TITLE_WRONG, self._wrong)))

    @work(exclusive=True, group="export")
    async def action_export(self) -> None:
        """Write the marks into a file, and say where."""
        from quizapp.marking.pages import markdown
        from quizapp.whole_file import WriteError, write_whole, writing

        language = self.quiz.language
        marked = Marked(self._sheet.title, bool(self._marked.person), (self._marked,))
        file = self.quiz.paths.sheets / f"marks-{self.quiz.keeper.now().astimezone():%Y-%m-%d-%H%M%S}.md"

        def write() -> None:
            with writing(file.parent):
                file.parent.mkdir(parents=True, exist_ok=True)
            write_whole(file, markdown(marked, language).encode())

        try:
            await asyncio.to_thread(write)
        except WriteError as error:
            self.quiz.tell(error.message, lasting=True)
        else:
            self.quiz.tell(wording.WROTE.fill(file=file), lasting=True)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer a sheet where something was not right."""
        return bool(self._wrong) if action == "sheet" else super().check_action(action, parameters)


def _is_known(shown: Problem) -> bool:
    """Tell whether this release gives the same problem for its code."""
    try:
        return problem(shown.code) == shown
    except CodeError:
        return False
