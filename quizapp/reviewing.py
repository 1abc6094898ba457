"""What follows an answer: its rating with the day on which it comes back, another rating, taking it back.

It is the same in a session and outside one. A rating is in the log before it is shown, so the date shown is the date kept,
whatever happens then.
"""

from __future__ import annotations

from asyncio import to_thread
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING

from question_bank.text import Text
from quizapp.events import Answer, DrillAnswered, Event, Item, Rating, Reviewed, Undone, item_of
from quizapp.keeper import Kept
from quizapp.progress_errors import ProgressError
from quizapp.scheduling import Choice, choices, suggested
from quizapp.sitting import Spot

if TYPE_CHECKING:
    from quizapp.app import QuizApp


@dataclass(frozen=True, slots=True)
class Rated:
    """An answer in the log, and its rating.

    Attributes:
        answer: The answer's event.
        rating: How it went.
        choices: Every rating with the day that it leads to.
        problem: Why the rating isn't on disk yet; None where it is.
    """

    answer: Event
    rating: Rating
    choices: tuple[Choice, ...]
    problem: Text | None = None

    @property
    def item(self) -> Item:
        """What was answered."""
        assert isinstance(self.answer.what, Answer)
        return item_of(self.answer.what)

    @property
    def due(self) -> date:
        """When it comes back."""
        return next(choice.due for choice in self.choices if choice.rating is self.rating)


class Reviews:
    """Keeps answers with their ratings, and takes them back: those given since the application was started."""

    def __init__(self, quiz: QuizApp) -> None:
        """Begin with none."""
        self._quiz = quiz
        self._given: list[Event] = []

    @property
    def last(self) -> Event | None:
        """The last answer that can be taken back."""
        return self._given[-1] if self._given else None

    async def keep(self, what: Answer) -> Kept:
        """Write an answer down; it's on disk when this returns, or what came back says why not."""
        kept = await self._quiz.keeper.record(what)
        self._given.append(kept.event)
        return kept

    async def put_right(self, answer: Event, what: Answer) -> Kept:
        """Let an answer be another one, such as with other points ticked; it is rated anew after that."""
        kept = await self._quiz.keeper.put_right(answer, what)
        self._given = [kept.event if event.id == answer.id else event for event in self._given]
        if "conductor" in self._quiz.__dict__:
            await self._quiz.conductor.put_right(answer, kept.event)
        return kept

    async def rate(self, answer: Event, rating: Rating | None = None) -> Rated:
        """Rate an answer, with what is suggested for it where nothing else is said; rating again replaces the rating."""
        assert isinstance(answer.what, Answer)
        item, interview = item_of(answer.what), self._quiz.settings.interview
        try:
            found = await self._quiz.keeper.ask(lambda log: log.choices_after(answer.id, interview))
        except ProgressError:
            found = ()
        # An answer that isn't in the log yet counts as a first one: some date has to stand there.
        found = found or await to_thread(choices, item, None, answer.study_day, interview)
        rated = Rated(answer, rating if rating is not None else suggested(answer.what), found)
        kept = await self._quiz.keeper.record(Reviewed(item, rated.rating, rated.due, answer.id))
        return replace(rated, problem=kept.problem)

    async def take_back(self, answer: str) -> None:
        """Let an answer and its rating count for nothing."""
        await self._quiz.keep(Undone((answer,)))
        self._given = [event for event in self._given if event.id != answer]


def spot_of(answer: Event) -> Spot:
    """Return how an item stood when it was answered: the same problem, what was typed and ticked."""
    what = answer.what
    assert isinstance(what, Answer)
    spot = Spot(item_of(what), answer.at, seconds=what.seconds)
    if isinstance(what, DrillAnswered):
        return replace(spot, code=what.code, typed=what.typed, hints=what.hints)
    return replace(spot, mode=what.mode, typed=(what.typed,), chosen=what.chosen, ticked=what.ticked)
