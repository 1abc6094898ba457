"""The answer side of an interview question as rows of the page: model answer, key points, pitfalls, follow-ups, drills."""

from __future__ import annotations

from collections.abc import Iterator

from textual.app import ComposeResult
from textual.containers import HorizontalGroup, VerticalGroup
from textual.widget import Widget

from question_bank.drills import DRILLS
from question_bank.questions.question import Question
from question_bank.text import Text, same
from quizapp import wording_question as wording
from quizapp.events import Rating
from quizapp.screens.places import DrillPlace
from quizapp.widgets.bilingual import Phrase
from quizapp.widgets.page import Row
from quizapp.widgets.stops import Choice, Fold, Link, Tick
from quizapp.widgets.verbatim import Verbatim

LETTERS = "abcd"


class Spread(HorizontalGroup):
    """A person's own answer beside the model answer where there is room, above it where there isn't."""

    def __init__(self, question: Question, typed: str) -> None:
        """Show both.

        Args:
            question: The question.
            typed: What the person typed; nothing is shown for an empty text.
        """
        super().__init__()
        self._question = question
        self._typed = typed.strip()

    def compose(self) -> ComposeResult:
        """Lay out both sides."""
        if self._typed:
            yield Row(wording.YOURS, Verbatim(self._typed), id="own")
        answer = self._question.answer
        with VerticalGroup(id="model"):
            yield Row(wording.SHORT, Phrase(answer.short, classes="prose"))
            yield Row(wording.FULL, *(Phrase(part, classes="prose paragraph") for part in answer.paragraphs()), classes="tight")


class Rate(Choice):
    """One of the four ratings."""

    def __init__(self, rating: Rating) -> None:
        """Offer it."""
        name, when = wording.RATINGS[rating]
        label = Text(f"{name.en:<8}{when.en}", f"{name.zh}　{when.zh}")
        super().__init__(same(str(rating.value)), label)
        self.rating = rating

    def settle(self, chosen: bool) -> None:
        """Show that this rating was kept, or another one."""
        self.can_focus = False
        self.set_class(chosen, "is-kept")
        self.set_class(not chosen, "soft")
        if chosen:
            self.note.say(same(f"✓ {self.rating.value}"))


class Option(Choice):
    """One of the four options; why it is right or wrong comes later."""

    def __init__(self, place: int, text: Text, why: Text) -> None:
        """Offer it.

        Args:
            place: Its place from 0.
            text: What it says.
            why: Why it is wrong, or what makes it right.
        """
        self._why = Phrase(why, classes="why soft")
        self._why.display = False
        super().__init__(same(LETTERS[place]), text, self._why)
        self.place = place

    def explain(self, *, right: bool, chosen: bool) -> None:
        """Mark it, and say why."""
        self.can_focus = False
        self._why.display = True
        if right or chosen:
            self.note.say(same(f"{'✓' if right else '✗'} {LETTERS[self.place]}"))
            self.add_class("is-right" if right else "is-wrong")


def answer_rows(question: Question, typed: str, *, ticking: bool) -> Iterator[Widget]:
    """Return the rows that revealing adds.

    Args:
        question: The question.
        typed: What the person typed.
        ticking: Whether the key points are ticked, rather than listed.
    """
    yield Spread(question, typed)
    yield from _points(question, ticking)
    for number, pitfall in enumerate(question.pitfalls):
        claim = Phrase(wording.CLAIM.fill(claim=pitfall.claim))
        yield Row(wording.TRAPS if number == 0 else None, claim, Phrase(pitfall.why, classes="soft"), classes="pitfall")
    yield Row(wording.THEN, Phrase(wording.FOLLOW_UPS, classes="soft"), classes="tight")
    for follow_up in question.follow_ups:
        yield Fold(follow_up.question, follow_up.answer)
    yield Row(None)
    drills = [DRILLS[drill] for drill in question.drills if drill in DRILLS]
    if drills:
        yield Row(wording.DRILLS, Phrase(wording.WITH_NUMBERS, classes="soft"), classes="tight")
        for drill in drills:
            yield Link(same("→"), drill.title, DrillPlace(drill.id, drill.levels[0]))
        yield Row(None)
    yield Row(wording.SOURCES, Phrase(same("; ".join(question.sources)), classes="soft"))
    yield Row(wording.RATE, Phrase(wording.HOW_WAS_IT, id="rating"), classes="tight")
    yield from map(Rate, Rating)
    yield Row(None, Phrase(id="kept"), id="keeping")


def _points(question: Question, ticking: bool) -> Iterator[Widget]:
    heading = wording.WHICH_SAID.fill(ticked=0, all=len(question.key_points)) if ticking else wording.THE_POINTS
    yield Row(wording.SAID, Phrase(heading, classes="soft", id="said"), classes="tight")
    for point in question.key_points:
        yield Tick(point.text, classes="point") if ticking else Row(same("·"), Phrase(point.text), classes="tight")
    yield Row(None)
