"""What the screens share on which items are answered: the session they belong to, undoing, the time an answer takes."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar

from textual.binding import BindingType

from question_bank import problem
from question_bank.text import Text
from quizapp import wording_today as wording
from quizapp.screens.base import BilingualScreen
from quizapp.screens.places import DrillPlace, QuestionPlace
from quizapp.widgets.bilingual import bind

if TYPE_CHECKING:
    from quizapp.conductor import Conductor
    from quizapp.events import Event
    from quizapp.reviewing import Rated
    from quizapp.sitting import Spot

ENTER_RESTS = 0.6
"""Seconds after a verdict in which Enter does nothing, so that pressing it three times fast leaves the verdict to be read."""


def screen_of(spot: Spot) -> BilingualScreen:
    """Return the screen of an item that stands as it stood: the same problem, what was typed in its field."""
    if spot.code is not None:
        from quizapp.screens.drill import DrillScreen

        found = problem(spot.code)
        return DrillScreen(DrillPlace(found.drill, found.level, found.code), None, spot)
    from quizapp.screens.question import QuestionScreen

    assert spot.item.number is not None
    return QuestionScreen(QuestionPlace(spot.item.number), None, spot)


class ReviewedScreen(BilingualScreen):
    """An item to be answered, in a session or by itself."""

    UNDO: ClassVar[list[BindingType]] = [bind("u", "undo", wording.UNDO, wording.UNDO_TIP)]

    def __init__(self, session: Conductor | None, spot: Spot | None) -> None:
        """Take an item up.

        Args:
            session: The session that it belongs to; None for an item answered by itself.
            spot: How it stood when it was left; None for a new one.
        """
        super().__init__()
        self._session = session
        self._spot = spot
        self._answer: Event | None = None
        self._rated: Rated | None = None
        self._turning = False
        self._started = monotonic()
        self._before = spot.seconds if spot is not None else 0.0

    @property
    def _seconds(self) -> float:
        """How long the person has been at it, over all visits."""
        return self._before + monotonic() - self._started

    def _progress(self, otherwise: Text | None) -> Text | None:
        """Which item of the session this is; something else where there is no session."""
        return self._session.progress if self._session is not None else otherwise

    def _note(self, **now: Any) -> None:
        """Put down how the item stands, where it belongs to a session."""
        if self._session is not None and self._answer is None and not self._turning:
            self._session.changed(seconds=self._seconds, **now)

    def _unsaid(self) -> Text | None:
        """Say what going to another item would lose; merely leaving loses nothing in a session, for it is kept."""
        return None

    # Going on

    def _turn_to(self, screen: BilingualScreen) -> None:
        """Show another screen in place of this one, unless the person has left meanwhile."""
        if self.app.screen is self:
            self.app.switch_screen(screen)

    async def _next_item(self) -> None:
        """Keep the rating and go to the next item of the session."""
        if self._session is None or self._rated is None or self._turning:
            return
        self._turning = True
        self._turn_to(await self._session.go_on(self._rated.due))

    async def _skip_item(self) -> None:
        """Leave the item out."""
        if self._session is None or self._turning or not self.quiz.sure("next", self._unsaid()):
            return
        self._turning = True
        self._turn_to(await self._session.skip())

    async def action_undo(self) -> None:
        """Take the last answer back, and stand at its problem again with what was typed."""
        if self._turning or not self.quiz.sure("undo", None if self._answer is not None else self._unsaid()):
            return
        screen = await self._taken_back()
        if screen is None:
            self.quiz.tell(wording.NOTHING_TO_UNDO)
            return
        self._turning = True
        self._turn_to(screen)

    async def _taken_back(self) -> BilingualScreen | None:
        if self._session is not None:
            return await self._session.take_back()
        last = self.quiz.reviews.last
        if last is None:
            return None
        await self.quiz.reviews.take_back(last.id)
        from quizapp.reviewing import spot_of

        return screen_of(spot_of(last))

    @property
    def _can_undo(self) -> bool:
        if self._session is not None:
            return self._session.last_answer() is not None
        return self.quiz.reviews.last is not None
