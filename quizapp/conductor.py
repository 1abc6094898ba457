"""Leads through today's session: which item comes next, on which screen; and keeps on disk how it stands.

A screen in a session tells the conductor what is typed (``changed``) and what became of it (``answered``, ``go_on``), and gets
the next screen in return. There is one conductor for each application; the session outlives the screens.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Any

from question_bank import CodeError, draw, problem
from question_bank.drills import DRILLS
from question_bank.text import Text
from quizapp import wording_today as wording
from quizapp.events import Item
from quizapp.outlook import Closing, Outlook, close, look
from quizapp.planning import CourseItem, Wishes, course_of
from quizapp.reviewing import spot_of
from quizapp.scheduling import capped, level_of
from quizapp.screens.places import DrillPlace, QuestionPlace
from quizapp.sitting import Sitting, Spot, begin, caught_up, load, save

if TYPE_CHECKING:
    from textual.timer import Timer

    from quizapp.app import QuizApp
    from quizapp.events import Event
    from quizapp.screens.base import BilingualScreen

SOON = 0.4
"""Seconds after a key until what is typed is on disk."""


class Conductor:
    """Today's session.

    Attributes:
        sitting: The session as it stands; None where none was begun.
    """

    def __init__(self, quiz: QuizApp) -> None:
        """Begin nothing yet."""
        self.sitting: Sitting | None = None
        self._quiz = quiz
        self._opened = False
        self._saved: Sitting | None = None
        self._saving = asyncio.Lock()
        self._timer: Timer | None = None
        self._troubled = False

    # What there is to do

    @property
    def wishes(self) -> Wishes:
        """What the person wants of a day."""
        return Wishes.of(self._quiz.settings)

    def course(self) -> tuple[CourseItem, ...]:
        """Return everything that can be asked."""
        return course_of(self._quiz.bank)

    async def look(self) -> Outlook:
        """Return how the study day stands.

        Raises:
            ProgressError: The log can't be read.
        """
        wishes = self.wishes
        return await self._quiz.keeper.ask(lambda log: look(log, self.course(), wishes))

    async def close(self) -> Closing | None:
        """Return what the session came to; None where there was none.

        Raises:
            ProgressError: The log can't be read.
        """
        sitting, wishes = self.sitting, self.wishes
        if sitting is None:
            return None
        return await self._quiz.keeper.ask(lambda log: close(log, self.course(), wishes, sitting))

    @property
    def is_under_way(self) -> bool:
        """Tell whether a session was begun and left."""
        sitting = self.sitting
        return sitting is not None and sitting.current is not None and (bool(sitting.done) or sitting.spot is not None)

    @property
    def progress(self) -> Text | None:
        """Which item is at hand, and how many there are."""
        if self.sitting is None:
            return None
        return wording.PROGRESS.fill(place=len(self.sitting.done) + 1, total=self.sitting.total)

    # From item to item

    async def open(self) -> None:
        """Look for a session that was under way when the application was last left."""
        if not self._opened:
            self._opened = True
            loaded = await asyncio.to_thread(load, self._quiz.paths.sitting)
            if loaded.problem is not None:
                self._quiz.tell(loaded.problem, lasting=True)
            self.sitting = self._saved = loaded.sitting

    async def start(self) -> BilingualScreen | None:
        """Begin the session, or take it up where it was left; None where nothing is to be done.

        Raises:
            ProgressError: The log can't be read.
        """
        await self.open()
        today = (await self.look()).today
        sitting = self.sitting
        if sitting is None or sitting.current is None:
            self.sitting = begin(today)
        else:
            found = await self._quiz.keeper.ask(lambda log: caught_up(log, sitting))
            self.sitting = found
            if found.spot is not None and found.spot.answer is not None:
                await self._leave_behind(found.spot)
            self.sitting = self.sitting.kept_to(today)
        return await self._screen() if self.sitting.current is not None else None

    async def _leave_behind(self, spot: Spot) -> None:
        """Go on behind an item whose verdict was seen already."""
        assert self.sitting is not None
        memory = await self._quiz.keeper.ask(lambda log: log.memory(spot.item))
        if memory is None:
            self.sitting = self.sitting.skipped()
        else:
            self.sitting = self.sitting.went_on(capped(spot.item, memory.due, memory.card.day, self.wishes.interview))

    async def go_on(self, due: date) -> BilingualScreen:
        """Go to the next item, or to the closing page.

        Args:
            due: When the item at hand comes back.
        """
        if self.sitting is not None and self.sitting.spot is not None:
            self.sitting = self.sitting.went_on(due)
        return await self._screen()

    async def skip(self) -> BilingualScreen:
        """Leave the item at hand out."""
        if self.sitting is not None:
            self.sitting = self.sitting.skipped()
        return await self._screen()

    def last_answer(self) -> str | None:
        """Return the id of the answer that ``take_back`` takes back."""
        return self.sitting.last_answer() if self.sitting is not None else None

    async def take_back(self) -> BilingualScreen | None:
        """Take the last answer back and return to its item; None where there is none."""
        answer = self.last_answer()
        if self.sitting is None or answer is None:
            return None
        await self._quiz.reviews.take_back(answer)
        self.sitting = self.sitting.taken_back()
        return await self._screen()

    async def _screen(self) -> BilingualScreen:
        """Return the screen of the item at hand, or the closing page."""
        await self._follow_the_day()
        while self.sitting is not None and self.sitting.current is not None:
            screen = await self._screen_of(self.sitting.current)
            if screen is not None:
                await self.flush()
                return screen
            self.sitting = self.sitting.skipped()
        await self.flush()
        from quizapp.screens.closing import ClosingScreen

        return ClosingScreen()

    async def _follow_the_day(self) -> None:
        """Take up what a new study day brings, where it has begun meanwhile."""
        if self.sitting is not None and self.sitting.day != self._quiz.keeper.today():
            from quizapp.progress_errors import ProgressError

            with suppress(ProgressError):
                self.sitting = self.sitting.renewed((await self.look()).today)

    async def _screen_of(self, item: Item) -> BilingualScreen | None:
        """Return the screen of an item, as it was left or new; None where it can't be asked any more."""
        assert self.sitting is not None
        spot = self.sitting.spot
        if item.number is not None:
            if item.number not in self._quiz.bank.numbers():
                return None
            if spot is None:
                self.sitting = self.sitting.shown(self._quiz.keeper.now())
            from quizapp.screens.question import QuestionScreen

            return QuestionScreen(QuestionPlace(item.number), self, self.sitting.spot)
        if item not in DRILLS:
            return None
        place = self._place_of(spot)
        if place is None:
            place = await self._new_place(item)
            self.sitting = self.sitting.shown(self._quiz.keeper.now(), place.code)
        from quizapp.screens.drill import DrillScreen

        return DrillScreen(place, self, self.sitting.spot)

    def _place_of(self, spot: Spot | None) -> DrillPlace | None:
        """Return the problem that was being solved; None where there is none, or this release has it no more."""
        if spot is None or spot.code is None:
            return None
        try:
            found = problem(spot.code)
        except CodeError:
            return None
        return DrillPlace(found.drill, found.level, found.code)

    async def _new_place(self, item: Item) -> DrillPlace:
        """Draw new numbers, at the level that fits what is known."""
        from quizapp.progress_errors import ProgressError

        levels = DRILLS[item].levels
        level: int | None = None
        with suppress(ProgressError):
            level = await self._quiz.keeper.ask(lambda log: level_of(item, log.memory(item)))
        if level not in levels:
            level = min(levels)
        seen = {done.spot.code for done in self.sitting.done} if self.sitting is not None else set()
        for _attempt in range(8):
            code = draw(item, level, self._quiz.choice()).code
            if code not in seen:
                break
        return DrillPlace(item, level, code)

    # How it stands

    def changed(self, **now: Any) -> None:
        """Put down how the item at hand stands: fields of ``Spot`` by name. It's on disk soon."""
        if self.sitting is not None and self.sitting.spot is not None:
            self.sitting = self.sitting.at(replace(self.sitting.spot, **now))
            if self._timer is None:
                self._timer = self._quiz.set_timer(SOON, self._save)

    def _save(self) -> None:
        self._timer = None
        self._quiz.run_worker(self.flush(), group="sitting")

    async def answered(self, answer: Event) -> None:
        """Put down that the answer is in the log, and how the item stood then."""
        spot, then = self.sitting.spot if self.sitting is not None else None, spot_of(answer)
        if self.sitting is None or spot is None or (spot.item, spot.code) != (then.item, then.code):
            return  # the person has left before the verdict, and is at another item
        self.sitting = self.sitting.at(replace(then, since=spot.since)).answered(answer.id)
        await self.flush()

    async def put_right(self, answer: Event, new: Event) -> None:
        """Put down that another event stands in an answer's place, wherever the session has come to meanwhile."""
        sitting, then = self.sitting, spot_of(new)
        if sitting is None:
            return

        def put(spot: Spot) -> Spot:
            return replace(then, since=spot.since, answer=new.id) if spot.answer == answer.id else spot

        done = tuple(replace(each, spot=put(each.spot)) for each in sitting.done)
        self.sitting = replace(sitting, spot=sitting.spot and put(sitting.spot), done=done)
        await self.flush()

    async def flush(self) -> None:
        """Write to disk how the session stands, where that has changed."""
        async with self._saving:
            sitting = self.sitting
            if sitting is None or sitting is self._saved:
                return
            trouble = await asyncio.to_thread(save, self._quiz.paths.sitting, sitting)
            self._saved = sitting
        if trouble is not None and not self._troubled:
            self._quiz.tell(trouble, lasting=True)
        self._troubled = trouble is not None
