"""The answer side of an interview question as rows of the page: model answer, key points, pitfalls, follow-ups, drills."""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.containers import HorizontalGroup, VerticalGroup
from textual.widget import Widget

from question_bank.drills import DRILLS
from question_bank.evidence import Finding, Marking
from question_bank.math import escape
from question_bank.questions.question import Question
from question_bank.text import Text, same
from quizapp import wording_question as wording
from quizapp.citations import cited
from quizapp.events import Rating
from quizapp.screens.places import DrillPlace
from quizapp.widgets.bilingual import Phrase
from quizapp.widgets.page import Row
from quizapp.widgets.stops import Choice, Fold, Link, Tick
from quizapp.widgets.verbatim import Verbatim

LETTERS = "abcd"


class Spread(HorizontalGroup):
    """A person's own answer beside the model answer where there is room, above it where there isn't."""

    def __init__(self, question: Question, typed: str, marking: Marking | None) -> None:
        """Show both.

        Args:
            question: The question.
            typed: What the person typed; nothing is shown for an empty text.
            marking: What was found in it; the words that count are set off.
        """
        super().__init__()
        self._question = question
        self._typed = typed
        self._marked = list(_set_off(marking)) if marking is not None else []

    def compose(self) -> ComposeResult:
        """Lay out both sides."""
        if self._typed.strip():
            yield Row(wording.YOURS, Verbatim(self._typed, self._marked), id="own")
        with VerticalGroup(id="model"):
            yield Row(wording.SHORT, Phrase(self._question.answer.short, classes="prose"))


class Rate(Choice):
    """One of the four ratings."""

    def __init__(self, rating: Rating) -> None:
        """Offer it."""
        self.line = _rating_line(rating)
        super().__init__(same(str(rating.value)), self.line)
        self.rating = rating

    def say_due(self, day: Text) -> None:
        """Say when the question comes back with this rating."""
        self.line = _rating_line(self.rating, day)
        self.query_one(".row-body Phrase", Phrase).say(self.line)

    def suggest(self, suggested: bool) -> None:
        """Show whether this rating is suggested."""
        self.note.say(same(f"{'›' if suggested else ''} {self.rating.value}".strip()))

    def settle(self, chosen: bool) -> None:
        """Show that this rating was kept, or another one."""
        self.can_focus = False
        self.set_class(chosen, "is-kept")
        self.set_class(not chosen, "soft")
        self.note.say(same(f"{'✓' if chosen else ''} {self.rating.value}".strip()))


def _rating_line(rating: Rating, day: Text | None = None) -> Text:
    """Set a rating's name, its day and when to choose it in columns."""
    name, when = wording.RATINGS[rating]
    if day is None:
        return Text(f"{name.en:<8}{when.en}", f"{name.zh}　{when.zh}")
    gap = " " * max(2, 16 - cell_len(day.zh))
    return Text(f"{name.en:<8}{day.en:<12}{when.en}", f"{name.zh}　{day.zh}{gap}{when.zh}")


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


def _set_off(marking: Marking) -> Iterator[tuple[int, int, str]]:
    """Yield the words that earned a point, and those that fall into a pitfall, with their styles."""
    for findings, style in ((marking.points, "$success bold"), (marking.pitfalls, "$error bold")):
        for finding in findings:
            for span in finding.spans:
                yield span.start, span.end, style


def quoted(typed: str, finding: Finding) -> str:
    """Return the words that were found, in quotation marks, with dots where others stand between them."""
    return " … ".join(" ".join(typed[span.start : span.end].split()) for span in finding.spans)


def answer_rows(question: Question, typed: str, *, ticking: bool, marking: Marking | None = None) -> Iterator[Widget]:
    """Return the rows that revealing adds.

    Args:
        question: The question.
        typed: What the person typed.
        ticking: Whether the key points are ticked, rather than listed.
        marking: What was found in the typed answer.
    """
    yield Spread(question, typed, marking)
    yield from _points(question, typed, ticking, marking)
    for place, pitfall in enumerate(question.pitfalls):
        finding = marking.pitfalls[place] if marking is not None else None
        note = wording.TRAPS if place == 0 else None
        body = [Phrase(wording.CLAIM.fill(claim=pitfall.claim)), Phrase(pitfall.why, classes="soft")]
        if finding is not None and finding.is_made:
            note = same("✗")
            body.insert(1, Phrase(wording.YOU_SAID.fill(words=escape(quoted(typed, finding))), classes="wrong"))
        yield Row(note, *body, classes="pitfall")
    paragraphs = question.answer.paragraphs()
    yield Row(wording.FULL, *(Phrase(part, classes="prose paragraph") for part in paragraphs), classes="tight")
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
    yield Row(wording.SOURCES, Phrase(cited(question.sources), classes="soft"))
    yield Row(wording.RATE, Phrase(wording.HOW_WAS_IT, id="rating"), classes="tight")
    yield from map(Rate, Rating)
    yield Row(None, Phrase(id="kept"), id="keeping")


def _points(question: Question, typed: str, ticking: bool, marking: Marking | None) -> Iterator[Widget]:
    made = marking.made if marking is not None else ()
    every = len(question.key_points)
    heading = wording.THE_POINTS
    if ticking:
        heading = (wording.WHICH_SAID if marking is None else wording.FOUND).fill(ticked=len(made), all=every)
    yield Row(wording.SAID, Phrase(heading, classes="soft", id="said"), classes="tight")
    for place, point in enumerate(question.key_points):
        if not ticking:
            yield Row(same("·"), Phrase(point.text), classes="tight")
            continue
        words: list[Widget] = []
        if marking is not None and place in made:
            words.append(Phrase(wording.BY.fill(words=escape(quoted(typed, marking.points[place]))), classes="soft earned"))
        tick = Tick(point.text, *words, classes="point")
        tick.tick(place in made)
        yield tick
    yield Row(None)
