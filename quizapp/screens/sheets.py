"""Sheets that were made before: a path to type, those that lie about, and of a class's sheet the people."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.containers import VerticalGroup
from textual.widgets import Input

from question_bank.text import Text, same
from quizapp import dates
from quizapp import wording_paper as wording
from quizapp.marking.recent import Recent, recent
from quizapp.screens.base import BilingualScreen
from quizapp.screens.places import SheetPlace
from quizapp.sheets.plan import Copy, Sheet
from quizapp.sheets.record import SheetError, load
from quizapp.sheets.source import person_of
from quizapp.widgets.bilingual import Phrase, bind
from quizapp.widgets.page import Heading, Row
from quizapp.widgets.setting_rows import SettingLine
from quizapp.widgets.stops import Link, Stop, StopPage


class PathLine(SettingLine):
    """The path of a sheet's record."""

    BINDINGS: ClassVar = [bind("enter", "submit", wording.OPEN_FILE, wording.OPEN_FILE_TIP)]


class SheetsScreen(BilingualScreen):
    """Where a sheet is opened."""

    CSS_PATH: ClassVar = ["../widgets/stops.tcss", "sheets.tcss"]
    AUTO_FOCUS = None

    def __init__(self, place: SheetPlace) -> None:
        """Show what lies about, or open one at once."""
        super().__init__()
        self._place = place

    def compose_page(self) -> ComposeResult:
        """Lay out the line and the list."""
        self._line = PathLine(wording.FILE_HINT)
        self._echo = Phrase(wording.FILE_ABOUT, classes="soft about")
        yield Heading(wording.SHEETS)
        yield StopPage(
            Row(wording.FILE, self._line, self._echo),
            VerticalGroup(Row(wording.RECENT, Phrase(wording.LOOKING, classes="soft")), id="recent"),
        )

    def on_mount(self) -> None:
        """Open what was asked for."""
        if self._place.path:
            self._open(Path(self._place.path))

    def on_screen_resume(self) -> None:
        """Look for sheets; one may have been made meanwhile."""
        self._look()

    @work(exclusive=True, group="look")
    async def _look(self) -> None:
        folders = (self.quiz.paths.sheets, Path())
        found = await asyncio.to_thread(recent, folders)
        group = self.query_one("#recent")
        here = self.focused.target if isinstance(self.focused, Link) else None
        typing = self.focused is self._line  # asked now: when the row in focus goes, Textual gives the focus to the line
        rows = [
            Link(wording.RECENT if place == 0 else same(""), self._named(each), each.path) for place, each in enumerate(found)
        ]
        none = [Row(wording.RECENT, Phrase(wording.NONE_RECENT, classes="soft"))]
        with self.app.batch_update():
            await group.query(Row).remove()
            await group.mount(*(rows or none))
        if not typing:
            now = next((row for row in rows if row.target == here), rows[0] if rows else self._line)
            self.call_after_refresh(now.focus)

    def _named(self, each: Recent) -> Text:
        day = dates.short(each.made.date(), self.quiz.keeper.today())
        line = wording.RECENT_CLASS if each.people > 1 else wording.RECENT_LINE
        return line.fill(title=same(each.title.replace("$", r"\$")), problems=each.problems, people=each.people, day=day)

    def on_input_changed(self) -> None:
        """Take the complaint away."""
        self._say(wording.FILE_ABOUT, "soft")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Open what is typed."""
        event.stop()
        if event.value.strip():
            self._open(Path(event.value.strip().strip("\"'")).expanduser())

    def on_stop_acted(self, event: Stop.Acted) -> None:
        """Open what is chosen."""
        event.stop()
        if isinstance(event.row, Link) and isinstance(event.row.target, Path):
            self._open(event.row.target)

    @work(exclusive=True, group="open")
    async def _open(self, path: Path) -> None:
        try:
            sheet = await asyncio.to_thread(load, path if path.suffix.lower() != ".pdf" else path.with_suffix(".json"))
        except SheetError as error:
            self._say(error.message, "almost")
            return
        if len(sheet.copies) > 1:
            self.app.push_screen(PeopleScreen(sheet))
        else:
            answer(self, sheet, sheet.copies[0])

    def _say(self, message: Text, style: str) -> None:
        self._echo.say(message)
        self._echo.set_classes(f"about {style}")


class PeopleScreen(BilingualScreen):
    """Whose sheet is to be answered."""

    CSS_PATH: ClassVar = ["../widgets/stops.tcss", "sheets.tcss"]
    AUTO_FOCUS = "Link"

    def __init__(self, sheet: Sheet) -> None:
        """Offer the people of a class."""
        super().__init__()
        self._sheet = sheet

    def compose_page(self) -> ComposeResult:
        """List them."""
        yield Heading(same(self._sheet.title.replace("$", r"\$")), wording.SHEETS)
        yield StopPage(
            *(
                Link(wording.WHOSE if place == 0 else same(""), person_of(copy), copy)
                for place, copy in enumerate(self._sheet.copies)
            )
        )

    def on_stop_acted(self, event: Stop.Acted) -> None:
        """Take the sheet of the person chosen."""
        event.stop()
        if isinstance(event.row, Link) and isinstance(event.row.target, Copy):
            answer(self, self._sheet, event.row.target)


def answer(screen: BilingualScreen, sheet: Sheet, copy: Copy) -> None:
    """Go on to the problems of a sheet."""
    from quizapp.screens.sheet_answers import AnswersScreen

    if copy.problems:
        screen.app.push_screen(AnswersScreen(sheet, copy))
    else:
        screen.quiz.tell(wording.NOTHING_HERE)
