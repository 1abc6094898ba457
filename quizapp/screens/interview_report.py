"""The report of a mock interview: what to study, then what was asked and what came of it, with ways to go on from there."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType

from quizapp import dates, wording_paper
from quizapp import wording_interview as wording
from quizapp.interview.report import Report
from quizapp.screens.base import BilingualScreen
from quizapp.screens.home_sheet import interview_sheet
from quizapp.screens.places import Place, screen_for
from quizapp.widgets.bilingual import bind
from quizapp.widgets.interview_report import report_rows
from quizapp.widgets.page import Heading
from quizapp.widgets.stops import Link, Stop, StopPage


class ReportScreen(BilingualScreen):
    """One report."""

    CSS_PATH: ClassVar = ["../widgets/stops.tcss", "interview.tcss"]
    AUTO_FOCUS = "StopPage"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("x", "export", wording.EXPORT, wording.EXPORT_TIP),
        bind("p", "pdf", wording_paper.PDF, wording_paper.PDF_TIP),
        bind("w", "sheet", wording_paper.SHEET, wording_paper.AFTER_TIP),
    ]

    def __init__(self, report: Report) -> None:
        """Take a report up."""
        super().__init__()
        self._report = report

    def compose_page(self) -> ComposeResult:
        """Lay it out."""
        started = self._report.started.astimezone()
        day = dates.short(started.date(), self.quiz.keeper.today())
        yield Heading(wording.REPORT, day, wording.MINUTES.fill(minutes=self._report.minutes))
        yield StopPage(*report_rows(self._report, self.quiz.bank))

    def on_stop_acted(self, event: Stop.Acted) -> None:
        """Follow a link; Esc comes back here."""
        event.stop()
        if isinstance(event.row, Link) and isinstance(event.row.target, Place):
            self.app.push_screen(screen_for(event.row.target))

    def action_sheet(self) -> None:
        """Make a sheet of what was asked."""
        place = interview_sheet(self._report)
        if place is not None:
            self.app.push_screen(screen_for(place))

    @work(exclusive=True, group="export")
    async def action_pdf(self) -> None:
        """Write a PDF in the background, and say where."""
        from quizapp.interview.paper import file_name, write_pdf
        from quizapp.solver_process import SolverError

        file = self.quiz.paths.reports / file_name(self._report.started, self.quiz.language)
        self.quiz.tell(wording_paper.MAKING)
        try:
            trouble = await self.quiz.solver.call(write_pdf, self._report, self.quiz.language, file)
        except SolverError as error:
            trouble = error.message
        self.quiz.tell(trouble or wording.EXPORTED.fill(file=file), lasting=True)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer a sheet where something was asked."""
        if action == "sheet":
            return interview_sheet(self._report) is not None
        return super().check_action(action, parameters)

    @work(exclusive=True, group="export")
    async def action_export(self) -> None:
        """Write a file, and say where."""
        from quizapp.interview.markdown import file_name, markdown
        from quizapp.whole_file import WriteError, write_whole, writing

        language = self.quiz.language
        file = self.quiz.paths.reports / file_name(self._report.started, language)

        def write() -> None:
            with writing(file.parent):
                file.parent.mkdir(parents=True, exist_ok=True)
            write_whole(file, markdown(self._report, (language,)).encode())

        try:
            await asyncio.to_thread(write)
        except WriteError as error:
            self.quiz.tell(error.message, lasting=True)
        else:
            self.quiz.tell(wording.EXPORTED.fill(file=file), lasting=True)
