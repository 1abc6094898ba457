"""The page at the end of a session: what was done, what went well, what comes tomorrow, and the weakest section."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widget import Widget

from question_bank.drills import DRILLS
from question_bank.text import Text, same
from quizapp import dates, wording_paper
from quizapp import wording_today as wording
from quizapp.outlook import Closing
from quizapp.progress_errors import ProgressError
from quizapp.screens.base import BilingualScreen
from quizapp.screens.home_sheet import wrong_sheet
from quizapp.screens.places import DrillPlace, LessonPlace, Place, screen_for
from quizapp.screens.reviewed import ReviewedScreen
from quizapp.screens.today_amount import amount_of
from quizapp.widgets.bilingual import Phrase, bind
from quizapp.widgets.page import Heading, Row
from quizapp.widgets.stops import Link, Stop, StopPage


class ClosingScreen(BilingualScreen):
    """What a session came to."""

    CSS_PATH: ClassVar = ["../widgets/stops.tcss", "today.tcss"]
    AUTO_FOCUS = "StopPage"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("enter", "finish", wording.TO_TODAY, wording.TO_TODAY_TIP),
        *ReviewedScreen.UNDO,
    ]

    def compose_page(self) -> ComposeResult:
        """Lay out the heading; the rest follows once it's counted."""
        yield Heading(wording.CLOSING, dates.written(self.quiz.keeper.today()))
        yield StopPage()

    def on_mount(self) -> None:
        """Count."""
        self._count()

    @work(exclusive=True, group="count")
    async def _count(self) -> None:
        try:
            closing = await self.quiz.conductor.close()
        except ProgressError as error:
            await self.query_one(StopPage).append(
                Row(None, Phrase(wording.UNREADABLE_LOG.fill(reason=error.message), classes="wrong"))
            )
            return
        if closing is not None:
            await self.query_one(StopPage).append(*self._rows(closing), *await self._sheet())

    async def _sheet(self) -> list[Widget]:
        """Offer a sheet of what was wrong."""
        from quizapp.wrong_answers import wrong_spots

        sitting = self.quiz.conductor.sitting
        wrong = await self.quiz.keeper.ask(lambda log: wrong_spots(log, sitting)) if sitting is not None else ()
        place = wrong_sheet(wrong)
        return [] if place is None else [Link(same("→"), wording_paper.FROM_WRONG, place)]

    def _rows(self, closing: Closing) -> Iterator[Widget]:
        done = wording.ONE_DONE if closing.items == 1 else wording.ITEMS_DONE
        said = [Phrase(done.fill(items=closing.items, minutes=max(1, round(closing.seconds / 60))))]
        if closing.items:
            said.append(Phrase(wording.FIRST_TRY.fill(first=closing.first, items=closing.items)))
        yield Row(wording.SESSION, *said, id="session")
        yield Row(wording.TOMORROW, Phrase(amount_of(closing.due, closing.new) or wording.NOTHING_TOMORROW), id="tomorrow")
        weakest = closing.weakest
        if weakest is None:
            return
        title = self._title(weakest.section)
        line = wording.LATELY.fill(
            section=weakest.section, title=title, right=weakest.score.right, answers=weakest.score.answers
        )
        yield Row(wording.WEAKEST, Phrase(line), classes="tight", id="weakest")
        if weakest.section in self.quiz.bank.sections():
            yield Link(same("→"), wording.READ_IT, LessonPlace(weakest.section))
        for drill in [drill for drill in DRILLS.values() if drill.section == weakest.section][:2]:
            yield Link(same("→"), wording.DRILL_IT.fill(drill=drill.title), DrillPlace(drill.id, drill.levels[0]))

    def _title(self, section: str) -> Text:
        titles = (heading.title for heading in self.quiz.bank.headings() if heading.section == section)
        return next(titles, same(""))

    def on_stop_acted(self, event: Stop.Acted) -> None:
        """Follow a link; Esc comes back here."""
        event.stop()
        if isinstance(event.row, Link) and isinstance(event.row.target, Place):
            self.app.push_screen(screen_for(event.row.target))

    def action_finish(self) -> None:
        """Go back to the page of today."""
        self.app.pop_screen()

    async def action_undo(self) -> None:
        """Take the last answer of the session back."""
        screen = await self.quiz.conductor.take_back()
        if screen is not None and self.app.screen is self:
            self.app.switch_screen(screen)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer undoing where there is something."""
        if action == "undo":
            return self.quiz.conductor.last_answer() is not None
        return super().check_action(action, parameters)
