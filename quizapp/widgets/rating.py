"""The rating of an answer with the day on which it comes back, and the others that it can be changed to."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from rich.cells import cell_len

from question_bank.text import Text
from quizapp import wording_question as question
from quizapp import wording_today as wording
from quizapp.events import Rating
from quizapp.widgets.bilingual import Phrase
from quizapp.widgets.page import Row
from quizapp.widgets.wrapping import wrap

if TYPE_CHECKING:
    from quizapp.reviewing import Rated


GAP = "   "
"""What stands between two ratings."""


def _short(day: date, today: date) -> Text:
    from quizapp import dates  # wanted for the first verdict, not for the first problem

    return dates.short(day, today)


def _in_passing(day: date, today: date) -> Text:
    from quizapp import dates

    return dates.shorter(day, today) if (day - today).days > 1 else on_day(day, today)


def name_of(rating: Rating) -> Text:
    """Return what a rating is called."""
    return question.RATINGS[rating][0]


def comes_back(rating: Rating, due: date, today: date) -> Text:
    """Say when something comes back: ``Good, back on Thu 3 Dec``."""
    days = (due - today).days
    said = wording.BACK_TODAY if days <= 0 else wording.BACK_TOMORROW if days == 1 else wording.BACK_ON
    return said.fill(rating=name_of(rating), day=_short(due, today))


def returns(due: date, today: date) -> Text:
    """Say in a sentence when something comes back."""
    days = (due - today).days
    said = wording.COMES_TODAY if days <= 0 else wording.COMES_TOMORROW if days == 1 else wording.COMES_ON
    return said.fill(day=_short(due, today))


def on_day(due: date, today: date) -> Text:
    """Name a day in one or two words."""
    days = (due - today).days
    return wording.ON_TODAY if days <= 0 else wording.ON_TOMORROW if days == 1 else _short(due, today)


class Others(Phrase):
    """The other ratings, beside each other as far as they have room; a line breaks between two of them alone."""

    def lines(self, width: int) -> list[str]:
        """Fill lines with whole ratings."""
        lines: list[str] = []
        for part in self.written.split(GAP):
            if lines and cell_len(lines[-1] + GAP + part) <= width:
                lines[-1] += GAP + part
            else:
                lines.append(part)
        return [line for long in lines for line in wrap(long, width)]


class RatingLine(Row):
    """Hangs beneath the page once there is a verdict; nothing is shown before."""

    def __init__(self) -> None:
        """Show nothing."""
        self._chosen = Phrase(classes="strong")
        self._others = Others(classes="others soft")
        super().__init__(wording.RATE, self._chosen, self._others, classes="tight")
        self.display = False

    def show(self, rated: Rated | None) -> None:
        """Show a rating with its date, and beneath it the others with theirs."""
        self.display = rated is not None
        if rated is None:
            return
        today = rated.answer.study_day
        self._chosen.say(comes_back(rated.rating, rated.due, today))
        others = [choice for choice in rated.choices if choice.rating is not rated.rating]
        parts = [(choice.rating, name_of(choice.rating), _in_passing(choice.due, today)) for choice in others]
        self._others.say(
            Text(
                GAP.join(f"{rating.value} {name.en} {day.en}" for rating, name, day in parts),
                GAP.join(f"{rating.value} {name.zh} {day.zh}" for rating, name, day in parts),
            )
        )
