"""The report of a mock interview: what to study, then what was asked and what came of it, with ways to go on from there."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType

from quizapp import dates
from quizapp import wording_interview as wording
from quizapp.interview.report import Report
from quizapp.screens.base import BilingualScreen
from quizapp.screens.places import Place, screen_for
from quizapp.widgets.bilingual import bind
from quizapp.widgets.interview_report import report_rows
from quizapp.widgets.page import Heading
from quizapp.widgets.stops import Link, Stop, StopPage


class ReportScreen(BilingualScreen):
    """One report."""

    CSS_PATH: ClassVar = ["../widgets/stops.tcss", "interview.tcss"]
    AUTO_FOCUS = "StopPage"
    BINDINGS: ClassVar[list[BindingType]] = [bind("x", "export", wording.EXPORT, wording.EXPORT_TIP)]

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
