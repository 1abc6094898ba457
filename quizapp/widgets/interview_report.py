"""A report of a mock interview as rows of the page."""

from __future__ import annotations

from collections.abc import Iterator

from textual.app import ComposeResult
from textual.containers import HorizontalGroup
from textual.widget import Widget

from question_bank import CodeError, problem
from question_bank.bank import Bank
from question_bank.drills import DRILLS
from question_bank.math import escape
from question_bank.text import Text, same
from quizapp import wording_interview as wording
from quizapp.interview.phrases import ending, how_long, need_of, outcome_line, said_of, totals
from quizapp.interview.report import DrillPart, FollowUpPart, Number, Report, Said, Study, Thread
from quizapp.screens.places import DrillPlace, LessonPlace, QuestionPlace
from quizapp.widgets.bilingual import Phrase
from quizapp.widgets.listing import Listing
from quizapp.widgets.matrices import Matrices, Named, parsed
from quizapp.widgets.page import Row
from quizapp.widgets.stops import Link
from quizapp.widgets.verbatim import Verbatim
from quizapp.widgets.verdict import MARKS, answers, note_for
from solvers.verdict import Outcome, PartVerdict

MADE, MISSING, UNTOLD = same("✓"), same("✗"), same("·")


class Beside(HorizontalGroup):
    """An answer beside the model answer where there is room, above it where there isn't."""

    def __init__(self, said: Said, model: Text) -> None:
        """Show both."""
        super().__init__(classes="beside")
        self._said = said
        self._model = model

    def compose(self) -> ComposeResult:
        """Lay out both sides."""
        yield Row(wording.YOURS, _typed(self._said), classes="own")
        yield Row(wording.MODEL, Phrase(self._model, classes="prose"), classes="model")


def report_rows(report: Report, bank: Bank) -> Iterator[Widget]:
    """Return the rows of a report.

    Args:
        report: The report.
        bank: What there is now: a link leads only to what is still there.
    """
    yield Row(
        wording.IN_ALL, *(Phrase(line) for line in totals(report)), *(Phrase(line, classes="soft") for line in ending(report))
    )
    yield from _studies(report, bank)
    for thread in report.threads:
        yield from _thread(thread, bank)


def _studies(report: Report, bank: Bank) -> Iterator[Widget]:
    if not report.threads:
        return
    if not report.study:
        yield Row(wording.STUDY, Phrase(wording.NOTHING_TO_STUDY))
    for place, study in enumerate(report.study):
        title = wording.STUDY_LINE.fill(section=study.section, title=study.title)
        line = (Phrase(title, classes="strong"), Phrase(need_of(study), classes="soft"))
        yield Row(wording.STUDY if place == 0 else None, *line, classes="tight study")
        yield from _links(study, bank)
        yield Row(None)


def _links(study: Study, bank: Bank) -> Iterator[Link]:
    arrow = same("→")
    if study.section in bank.sections():
        yield Link(arrow, wording.READ, LessonPlace(study.section))
    for drill in (DRILLS[drill] for drill in study.drills if drill in DRILLS):
        yield Link(arrow, wording.DO_DRILL.fill(drill=drill.title), DrillPlace(drill.id, drill.levels[0]))
    for number in (number for number in study.questions if number in bank.numbers()):
        yield Link(arrow, wording.ANSWER_AGAIN.fill(id=f"Q{number}"), QuestionPlace(number))


def _typed(said: Said) -> Widget:
    return Verbatim(said.typed) if said.typed else Phrase(said_of(said), classes="soft")


def _thread(thread: Thread, bank: Bank) -> Iterator[Widget]:
    yield Row(
        same(f"Q{thread.number}"),
        Phrase(thread.prompt, classes="strong"),
        Phrase(how_long(thread.said), classes="soft"),
        classes="thread",
    )
    yield Beside(thread.said, thread.model)
    heading = wording.POINTS.fill(made=thread.made, points=len(thread.points))
    yield Row(wording.SAID, Phrase(heading, classes="soft"), classes="tight")
    for point in thread.points:
        note = UNTOLD if point.made is None else MADE if point.made else MISSING
        style = "" if point.made is None else "is-right" if point.made else "is-wrong"
        words = [Phrase(wording.BY.fill(words=escape(point.words)), classes="soft")] if point.words else []
        yield Row(note, Phrase(point.text), *words, classes=f"tight {style}")
    yield Row(None)
    for place, fall in enumerate(thread.falls):
        yield Row(
            wording.TRAP if place == 0 else None,
            Phrase(wording.CLAIM.fill(claim=fall.claim)),
            Phrase(wording.YOU_SAID.fill(words=escape(fall.words)), classes="wrong"),
            Phrase(fall.why, classes="soft"),
        )
    for follow_up in thread.follow_ups:
        yield from _follow_up(follow_up)
    for drill in thread.drills:
        yield from _drill(drill)


def _follow_up(part: FollowUpPart) -> Iterator[Widget]:
    yield Row(wording.THEN, Phrase(part.question, classes="strong"), Phrase(how_long(part.said), classes="soft"))
    yield Beside(part.said, part.answer)


def _drill(part: DrillPart) -> Iterator[Widget]:
    aside = Text(f"{part.code} · {how_long(part.said).en}", f"{part.code} · {how_long(part.said).zh}")
    if part.said.passed:
        aside = Text(f"{aside.en} · {wording.DID_PASS.en}", f"{aside.zh} · {wording.DID_PASS.zh}")
    listing, given = Listing(), Matrices([Named(same(f"${name}$ = "), parsed(value)) for name, value in part.given])
    listing.show(part.listing)
    given.display = bool(part.given)
    head = (Phrase(part.title, classes="strong"), Phrase(aside, classes="soft"))
    yield Row(wording.DRILL, *head, Phrase(part.prompt), listing, given, classes="computed")
    for number in part.numbers:
        yield _number(number)
    try:
        problem(part.code)
    except CodeError:
        return  # of another release
    yield Link(same("→"), wording.SAME_NUMBERS, DrillPlace(part.drill, part.level, part.code))
    yield Row(None)


def _number(number: Number) -> Row:
    if number.outcome is None:
        return Row(UNTOLD, Phrase(number.label, classes="soft"), Verbatim(number.typed), Phrase(wording.UNMARKED))
    outcome = Outcome.RIGHT if number.outcome is Outcome.COARSE else number.outcome
    why = outcome_line(number)
    verdict = PartVerdict(
        outcome, number.message, number.understood, number.expected, number.typed, wrong_cells=number.wrong_cells
    )
    body: list[Widget] = [Phrase(number.label, classes="soft")]
    if why is not None:
        body.append(Phrase(why, classes=f"strong {MARKS[number.outcome].style}"))
    body.append(Matrices(answers(verdict)))
    row = Row(note_for(number.outcome, same("")), *body)
    row.note.add_class(MARKS[number.outcome].style)
    return row
