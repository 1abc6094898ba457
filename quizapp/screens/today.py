"""The page of today: what is due and what is new, whether that suffices for the interview, what was done."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widget import Widget

from question_bank.drills import DRILLS
from question_bank.text import Text, same
from quizapp import dates
from quizapp import wording_today as wording
from quizapp.events import Item
from quizapp.outlook import Outlook
from quizapp.planning import Due, Pace
from quizapp.progress_errors import ProgressError
from quizapp.screens.base import BilingualScreen
from quizapp.screens.places import TodayPlace
from quizapp.screens.today_amount import amount_of
from quizapp.widgets.bilingual import Phrase, bind
from quizapp.widgets.page import Heading, Row
from quizapp.widgets.stops import Stop, StopPage

MOST_LISTED = 5
"""So many items are named; of the others it's said how many there are."""

LOOKS_AGAIN = 30.0
"""Seconds after which the page looks whether another study day has begun."""


class TodayScreen(BilingualScreen):
    """What there is to do today."""

    CSS_PATH: ClassVar = ["../widgets/stops.tcss", "today.tcss"]
    AUTO_FOCUS = "StopPage"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("enter", "start", wording.START, wording.START_TIP),
        bind("a", "raise_amount", wording.RAISE_KEY, wording.RAISE_TIP),
    ]

    def __init__(self, place: TodayPlace) -> None:
        """Know nothing of the day yet."""
        super().__init__()
        self._at_once = place.start
        self._outlook: Outlook | None = None
        self._starting = False
        self._seen: object = None

    def compose_page(self) -> ComposeResult:
        """Lay out the heading; the rest is put on the page once it's known."""
        yield Heading(wording.TODAY_TITLE, dates.written(self.quiz.keeper.today()))
        yield StopPage(Row(None, Phrase(wording.READING, classes="soft")))

    def on_mount(self) -> None:
        """Start the session at once where that is wished; look for another study day from time to time."""
        self.set_interval(LOOKS_AGAIN, self.look_for_another_day)
        if self._at_once:
            self.call_later(self.action_start)

    def on_screen_resume(self) -> None:
        """See what has changed meanwhile."""
        self._look()

    def look_for_another_day(self) -> None:
        """Show the new day, where the study day has changed while the page was open."""
        if self._outlook is not None and self._outlook.today.day != self.quiz.keeper.today():
            self._look()

    @work(exclusive=True, group="look")
    async def _look(self) -> None:
        """Read how the day stands, and show it."""
        try:
            await self.quiz.conductor.open()
            outlook = await self.quiz.conductor.look()
        except ProgressError as error:
            await self._put((Row(None, Phrase(wording.UNREADABLE_LOG.fill(reason=error.message), classes="wrong")),))
            return
        self._outlook = outlook
        seen = (outlook, self.quiz.settings.interview, self.quiz.settings.daily, self.quiz.conductor.is_under_way)
        if seen != self._seen:
            self._seen = seen
            with self.unless_left():
                self.query_one(Heading).say(wording.TODAY_TITLE, dates.written(outlook.today.day))
            await self._put(tuple(self._rows(outlook)))
        self.refresh_bindings()

    async def _put(self, rows: Sequence[Widget]) -> None:
        with self.unless_left(), self.app.batch_update():
            page = self.query_one(StopPage)
            await page.query(Row).exclude("Filler").remove()
            await page.append(*rows)

    # What stands on the page

    def _rows(self, outlook: Outlook) -> Iterator[Widget]:
        today = outlook.today
        if today.queue:
            said = wording.RESUME_LINE if self.quiz.conductor.is_under_way else wording.START_LINE
            line = said.fill(amount=amount_of(len(today.due), len(today.new)), left=len(today.queue), minutes=outlook.minutes)
            yield Row(same("⏎"), Phrase(line, classes="strong"), id="start")
        yield self._listed(wording.DUE, [self._due(due) for due in today.due], self._none_due(outlook))
        yield self._listed(wording.NEW, [self._named(item) for item in today.new], self._none_new(outlook))
        yield Row(wording.PLAN, *self._plan(outlook), id="plan")
        yield Row(wording.DONE, Phrase(self._done(outlook)), id="done")

    def _listed(self, note: Text, names: list[Text], otherwise: Text) -> Row:
        if not names:
            return Row(note, Phrase(otherwise, classes="soft"))
        shown = names[:MOST_LISTED] if len(names) > MOST_LISTED + 1 else names
        phrases = [Phrase(name) for name in shown]
        if len(shown) < len(names):
            phrases.append(Phrase(wording.AND_MORE.fill(count=len(names) - len(shown)), classes="soft"))
        return Row(note, *phrases)

    def _named(self, item: Item) -> Text:
        if item in DRILLS:
            return DRILLS[item].title
        heading = next(heading for heading in self.quiz.bank.titles() if heading.number == item.number)
        return Text(f"{item}  {heading.title.en}", f"{item}  {heading.title.zh}")

    def _due(self, due: Due) -> Text:
        name = self._named(due.item)
        if due.level is None:
            return name
        level = wording.LEVEL_ASIDE.fill(level=due.level)
        return Text(f"{name.en} · {level.en}", f"{name.zh} · {level.zh}")

    def _none_due(self, outlook: Outlook) -> Text:
        if outlook.today.next_due is None:
            return wording.NONE_DUE
        return wording.NEXT_DUE.fill(day=dates.short(outlook.today.next_due, outlook.today.day))

    def _none_new(self, outlook: Outlook) -> Text:
        if not outlook.today.unseen:
            return wording.NONE_NEW
        return (wording.NO_MORE_NEW if self.quiz.settings.daily else wording.NO_NEW_WANTED).fill(unseen=outlook.today.unseen)

    def _plan(self, outlook: Outlook) -> Iterator[Phrase]:
        interview, pace = self.quiz.settings.interview, outlook.today.pace
        day = outlook.today.day
        if interview is None:
            yield Phrase(wording.NO_DATE.fill(daily=self.quiz.settings.daily), classes="soft")
            return
        if pace is None:
            said = wording.INTERVIEW_OVER.fill(day=dates.written(interview), daily=self.quiz.settings.daily)
            yield Phrase(said, classes="soft")
            return
        if pace.days == 0:
            yield Phrase(wording.INTERVIEW_TODAY)
            return
        yield Phrase(wording.INTERVIEW.fill(when=dates.days_until(interview, day), day=dates.written(interview)))
        yield Phrase(pace_text(pace), classes="soft" if pace.is_enough else "almost")

    def _done(self, outlook: Outlook) -> Text:
        done = outlook.done
        if done is None:
            return wording.NOTHING_DONE
        return wording.ANSWERED.fill(answers=done.answers, right=done.right, minutes=max(1, round(done.seconds / 60)))

    # What can be done

    async def action_start(self) -> None:
        """Start the session, or go on with it."""
        if self._starting:
            return
        self._starting = True
        try:
            screen = await self.quiz.conductor.start()
        except ProgressError as error:
            self.quiz.tell(wording.UNREADABLE_LOG.fill(reason=error.message), lasting=True)
            return
        finally:
            self._starting = False
        if screen is None:
            self.quiz.tell(wording.NOTHING_TO_DO)
        elif self.app.screen is self:
            self.app.push_screen(screen)

    def action_raise_amount(self) -> None:
        """Take the daily amount with which everything is seen in time."""
        pace = self._outlook.today.pace if self._outlook is not None else None
        if pace is not None and not pace.is_enough and pace.can_be_reached:
            self.quiz.change_settings(daily=pace.needed)
            self.quiz.tell(wording.RAISED.fill(needed=pace.needed))
            self._look()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Show only what can be done now."""
        if action == "start":
            return self._outlook is not None and bool(self._outlook.today.queue) and not isinstance(self.focused, Stop)
        if action == "raise_amount":
            pace = self._outlook.today.pace if self._outlook is not None else None
            return pace is not None and not pace.is_enough and pace.can_be_reached
        return super().check_action(action, parameters)


def pace_text(pace: Pace) -> Text:
    """Say whether everything is seen before the interview."""
    eve = pace.days == 1
    if not pace.unseen:
        return wording.ALL_SEEN_EVE if eve else wording.ALL_SEEN
    if pace.is_enough:
        said = wording.ENOUGH_EVE if eve else wording.ENOUGH if pace.needed < pace.daily else wording.ENOUGH_JUST
    elif pace.can_be_reached:
        said = wording.TOO_FEW
    else:
        said = wording.TOO_MANY_EVE if eve else wording.TOO_MANY
    return said.fill(daily=pace.daily, unseen=pace.unseen, needed=pace.needed, short=pace.short_by, days=pace.days)
