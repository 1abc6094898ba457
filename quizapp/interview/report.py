"""The report of a mock interview: plain data in both languages, whole in itself, so that it reads the same later. Pure."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING

from question_bank import problem
from question_bank.drills import DRILLS
from question_bank.evidence import EvidenceError, Finding, Marking, State, mark
from question_bank.exact import show
from question_bank.program import Nested, Shape
from question_bank.questions import Group
from question_bank.text import Text, same
from quizapp.interview.script import Step, Turn
from quizapp.interview.under_way import Ending, Given, UnderWay
from solvers.verdict import Outcome

if TYPE_CHECKING:
    from question_bank.questions.question import Question

VERSION = 1

POINT_NEED, PITFALL_NEED = 1.0, 2.0
"""What a key point that was missing weighs in what to study, and a pitfall fallen into."""

OUTCOME_NEED = {
    Outcome.RIGHT_AFTER_SLIP: 1.0,
    Outcome.COARSE: 0.5,
    Outcome.KNOWN_MISTAKE: 3.0,
    Outcome.WRONG: 3.0,
    Outcome.GIVEN_UP: 3.0,
    Outcome.UNREADABLE: 2.0,
}
"""What a number weighs that was not right."""


@dataclass(frozen=True, slots=True)
class Point:
    """A key point of a question.

    Attributes:
        text: The point.
        made: Whether the answer makes it; None where that can't be told.
        words: The words that show it.
    """

    text: Text
    made: bool | None
    words: str = ""


@dataclass(frozen=True, slots=True)
class Fall:
    """A pitfall that an answer fell into.

    Attributes:
        claim: What people say.
        why: Why it is wrong.
        words: How it was said.
    """

    claim: Text
    why: Text
    words: str


@dataclass(frozen=True, slots=True)
class Said:
    """How something asked went by.

    Attributes:
        typed: What was typed; empty where nothing was.
        passed: Whether the person passed.
        seconds: How long it took.
        meant: How long it was meant to take.
    """

    typed: str
    passed: bool
    seconds: float
    meant: int


@dataclass(frozen=True, slots=True)
class FollowUpPart:
    """A follow-up, which nobody marks: the answer stands beside the model answer.

    Attributes:
        question: What was asked.
        answer: The model answer.
        said: How it went by.
    """

    question: Text
    answer: Text
    said: Said


@dataclass(frozen=True, slots=True)
class Number:
    """One number, vector, matrix or shape that was asked.

    Attributes:
        label: What was asked.
        typed: What was typed.
        understood: How that was read; empty where it wasn't.
        expected: The right value; empty where it was not marked.
        outcome: What became of it; None where it was not marked.
        message: Why, in a sentence; names the mistake where it is a known one.
        mistake: The id of the mistake.
        wrong_cells: Indices of the wrong cells, from 0, where the answer has cells.
    """

    label: Text
    typed: str
    understood: Text
    expected: Text
    outcome: Outcome | None
    message: Text
    mistake: str | None = None
    wrong_cells: tuple[tuple[int, ...], ...] = ()

    @property
    def is_right(self) -> bool:
        """Whether the value was right."""
        return self.outcome in (Outcome.RIGHT, Outcome.RIGHT_AFTER_SLIP, Outcome.COARSE)


@dataclass(frozen=True, slots=True)
class DrillPart:
    """Something that was to be computed.

    Attributes:
        drill: The drill's id.
        section: The section that it belongs to.
        level: Its level.
        code: The problem's code.
        title: The drill's name.
        prompt: What was asked.
        given: What was given, by its name in LaTeX.
        listing: The lines of code that it was about; none for most.
        numbers: What became of each number.
        said: How it went by.
    """

    drill: str
    section: str
    level: int
    code: str
    title: Text
    prompt: Text
    given: tuple[tuple[str, str], ...]
    listing: tuple[str, ...]
    numbers: tuple[Number, ...]
    said: Said

    @property
    def is_right(self) -> bool:
        """Whether all of it was right."""
        return all(number.is_right for number in self.numbers)


@dataclass(frozen=True, slots=True)
class Thread:
    """A question, with what came of it.

    Attributes:
        number: The question's number.
        section: Its section.
        title: Its title.
        prompt: The question as asked.
        model: The short model answer.
        points: Its key points, one by one.
        falls: The pitfalls that were fallen into.
        said: How it went by.
        follow_ups: The follow-ups that were asked.
        drills: What was to be computed.
    """

    number: int
    section: str
    title: Text
    prompt: Text
    model: Text
    points: tuple[Point, ...]
    falls: tuple[Fall, ...]
    said: Said
    follow_ups: tuple[FollowUpPart, ...] = ()
    drills: tuple[DrillPart, ...] = ()

    @property
    def made(self) -> int:
        """How many key points were made."""
        return sum(point.made is True for point in self.points)

    @property
    def missing(self) -> int:
        """How many key points were not made."""
        return sum(point.made is False for point in self.points)


@dataclass(frozen=True, slots=True)
class Study:
    """A section to study.

    Attributes:
        section: The section.
        title: What it is called.
        need: How much it needs it; the report lists the largest first.
        points: How many key points were missing.
        falls: How many pitfalls were fallen into.
        questions: Questions to answer again.
        drills: Drills to do, the worst first.
    """

    section: str
    title: Text
    need: float
    points: int
    falls: int
    questions: tuple[int, ...]
    drills: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """What came of an interview.

    Attributes:
        started: When it began, in UTC.
        minutes: How long it was to be.
        seconds: How long it was.
        ending: How it ended.
        topics: What it was about.
        unasked: How many things of the script nothing was said to.
        threads: What was asked, and what came of it.
        study: What to study, in order of need.
        version: The form of this report.
    """

    started: datetime
    minutes: int
    seconds: float
    ending: Ending
    topics: tuple[Group, ...]
    unasked: int
    threads: tuple[Thread, ...]
    study: tuple[Study, ...]
    version: int = VERSION

    @property
    def points(self) -> tuple[int, int]:
        """How many key points were made, and of how many."""
        return sum(thread.made for thread in self.threads), sum(len(thread.points) for thread in self.threads)

    @property
    def computed(self) -> tuple[int, int]:
        """How many numbers were right, and of how many."""
        numbers = [number for thread in self.threads for drill in thread.drills for number in drill.numbers]
        return sum(number.is_right for number in numbers), len(numbers)


Titles = Callable[[str], Text]
"""Gives a section's title."""


def make_report(held: UnderWay, question: Callable[[int], Question], title: Titles) -> Report:
    """Make the report of an interview.

    Args:
        held: The interview at its end, its numbers marked.
        question: Gives a question by its number.
        title: Gives the title of a section.
    """
    threads: list[Thread] = []
    for turn, given in zip(held.script.turns, held.given, strict=False):
        if turn.step is Step.QUESTION:
            threads.append(_thread(question(turn.number), turn, given))
        elif turn.step is Step.FOLLOW_UP:
            threads[-1] = replace(
                threads[-1], follow_ups=(*threads[-1].follow_ups, _follow_up(question(turn.number), turn, given))
            )
        else:
            threads[-1] = replace(threads[-1], drills=(*threads[-1].drills, _drill(turn, given)))
    return Report(
        started=held.started,
        minutes=held.script.minutes,
        seconds=held.spent,
        ending=held.ending or Ending.EARLY,
        topics=held.script.topics,
        unasked=held.unanswered,
        threads=tuple(threads),
        study=what_to_study(threads, title),
    )


def _said(turn: Turn, given: Given) -> Said:
    return Said("\n".join(given.typed).strip(), given.passed, given.seconds, turn.seconds)


def _thread(question: Question, turn: Turn, given: Given) -> Thread:
    said = _said(turn, given)
    marking = _marked(question, said.typed)
    return Thread(
        number=question.number,
        section=question.section,
        title=question.title,
        prompt=question.prompt,
        model=question.answer.short,
        points=tuple(
            Point(point.text, None if finding.state is State.UNMARKABLE else finding.is_made, _words(said.typed, finding))
            for point, finding in zip(question.key_points, marking.points, strict=True)
        ),
        falls=tuple(
            Fall(pitfall.claim, pitfall.why, _words(said.typed, finding))
            for pitfall, finding in zip(question.pitfalls, marking.pitfalls, strict=True)
            if finding.is_made
        ),
        said=said,
    )


def _marked(question: Question, typed: str) -> Marking:
    try:
        return mark(question, typed)
    except EvidenceError:  # in a question of the person's own
        unmarkable = Finding(State.UNMARKABLE)
        return Marking((unmarkable,) * len(question.key_points), (unmarkable,) * len(question.pitfalls))


def _words(typed: str, finding: Finding) -> str:
    return " … ".join(" ".join(typed[span.start : span.end].split()) for span in finding.spans)


def _follow_up(question: Question, turn: Turn, given: Given) -> FollowUpPart:
    asked = question.follow_ups[turn.follow_up or 0]
    return FollowUpPart(asked.question, asked.answer, _said(turn, given))


def _drill(turn: Turn, given: Given) -> DrillPart:
    from solvers.operations.base import symbol

    asked = problem(turn.code or "")
    drill = DRILLS[asked.drill]
    nothing = same("")
    numbers = []
    for place, ask in enumerate(asked.program.asks):
        label = ask.label or same(f"${symbol(ask.node)}$")
        typed = given.typed[place] if place < len(given.typed) else ""
        if given.verdict is None:
            numbers.append(Number(_stripped(label), typed, nothing, nothing, None, nothing))
        else:
            part = given.verdict.parts[place]
            numbers.append(
                Number(
                    _stripped(label),
                    typed,
                    part.understood,
                    part.expected,
                    part.outcome,
                    part.message,
                    part.mistake,
                    part.wrong_cells,
                )
            )
    return DrillPart(
        drill=asked.drill,
        section=drill.section,
        level=asked.level,
        code=asked.code,
        title=drill.title,
        prompt=asked.prompt,
        given=tuple((symbol(name), _row(value)) for name, value in asked.program.inputs),
        listing=asked.listing,
        numbers=tuple(numbers),
        said=replace(_said(turn, given), typed="; ".join(text for text in given.typed if text)),
    )


def _row(value: Nested | Shape) -> str:
    if isinstance(value, Shape):
        return str(list(value.dimensions))
    return f"[{', '.join(map(_row, value))}]" if isinstance(value, tuple) else show(value)


def _stripped(label: Text) -> Text:
    return Text(label.en.strip(), label.zh.strip())


@dataclass
class _Need:
    """What speaks for studying a section."""

    weight: float = 0.0
    points: int = 0
    falls: int = 0
    questions: list[int] = field(default_factory=list)
    drills: list[tuple[float, str]] = field(default_factory=list)


def what_to_study(threads: Iterable[Thread], title: Titles) -> tuple[Study, ...]:
    """Return the sections that did not go well, the worst first."""
    needs: dict[str, _Need] = {}
    for thread in threads:
        if thread.missing or thread.falls:
            need = needs.setdefault(thread.section, _Need())
            need.weight += thread.missing * POINT_NEED + len(thread.falls) * PITFALL_NEED
            need.points += thread.missing
            need.falls += len(thread.falls)
            need.questions.append(thread.number)
        for drill in thread.drills:
            weight = max(OUTCOME_NEED.get(number.outcome, 0.0) if number.outcome else 0.0 for number in drill.numbers)
            if weight:
                need = needs.setdefault(drill.section, _Need())
                need.weight += weight
                need.drills.append((weight, drill.drill))
    studies = [
        Study(
            section=section,
            title=title(section),
            need=need.weight,
            points=need.points,
            falls=need.falls,
            questions=tuple(need.questions),
            drills=tuple(drill for _, drill in sorted(need.drills, key=lambda each: -each[0])),
        )
        for section, need in needs.items()
    ]
    return tuple(sorted(studies, key=lambda study: -study.need))


# As text, for the log


class ReportError(ValueError):
    """A report that can't be read."""


def to_text(report: Report) -> str:
    """Write a report as JSON, in ASCII: half a surrogate pair that a terminal sent must not make it unwritable."""
    from msgspec import to_builtins

    return json.dumps(to_builtins(report))


def from_text(text: str) -> Report:
    """Read what ``to_text`` wrote.

    Raises:
        ReportError: It was not written by ``to_text``, or by that of another release.
    """
    from msgspec import convert

    try:
        report = convert(json.loads(text), Report)
    except (ValueError, TypeError, RecursionError) as fault:
        raise ReportError(str(fault)) from fault
    if report.version != VERSION:
        raise ReportError(f"a report of form {report.version}")
    return report
