"""Sentences about a report, for the screen, the shell and Markdown alike."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

from question_bank.text import Text
from quizapp import wording_interview as wording
from quizapp.events import InterviewHeld
from quizapp.interview.report import Number, Report, ReportError, Said, Study, from_text
from quizapp.interview.under_way import Ending
from quizapp.own_bank import count
from solvers.verdict import Outcome

SIGNS = {True: "✓", False: "✗", None: "·"}
"""Signs of what was said, what was not, and what can't be told."""


def by_the_clock(seconds: float) -> str:
    """Write minutes and seconds."""
    whole = max(0, ceil(seconds))
    return f"{whole // 60}:{whole % 60:02}"


def how_long(said: Said) -> Text:
    """Say how long an answer took, and how long it was meant to."""
    return wording.TOOK.fill(took=by_the_clock(said.seconds), meant=by_the_clock(said.meant))


def said_of(said: Said) -> Text:
    """Say that nothing was said."""
    return wording.DID_PASS if said.passed else wording.SAID_NOTHING


def totals(report: Report) -> Iterator[Text]:
    """Say what was covered, and how it went."""
    if not report.threads:
        yield wording.NOTHING_ASKED
        return
    follow_ups = sum(len(thread.follow_ups) for thread in report.threads)
    drills = sum(len(thread.drills) for thread in report.threads)
    yield wording.HELD.fill(
        took=by_the_clock(report.seconds),
        minutes=report.minutes,
        questions=count(len(report.threads), wording.QUESTIONS),
        follow_ups=count(follow_ups, wording.FOLLOW_UPS),
        computed=count(drills, wording.COMPUTED),
    )
    made, points = report.points
    right, numbers = report.computed
    said = wording.SCORES if numbers else wording.SCORES_POINTS
    yield said.fill(made=made, points=points, right=right, numbers=numbers)


def ending(report: Report) -> Iterator[Text]:
    """Say how it ended, where it did not end by itself."""
    if report.ending is Ending.EARLY and report.unasked:
        yield wording.ENDED_EARLY.fill(unasked=report.unasked)
    elif report.ending is Ending.TIME_UP:
        yield wording.ENDED_TIME_UP.fill(unasked=report.unasked)


def need_of(study: Study) -> Text:
    """Say why a section is to be studied."""
    said = [
        count(number, what)
        for number, what in (
            (study.points, wording.POINTS_MISSING),
            (study.falls, wording.PITFALLS),
            (len(study.drills), wording.WRONG_NUMBERS),
        )
        if number
    ]
    return Text(", ".join(each.en for each in said), "，".join(each.zh for each in said))


def outcome_line(number: Number) -> Text | None:
    """Say why a number was not right; None where there is nothing to say."""
    if number.outcome is None:
        return wording.UNMARKED
    if number.outcome is Outcome.UNREADABLE:
        return wording.NOT_READ.fill(reason=number.message)
    if number.outcome in (Outcome.RIGHT, Outcome.GIVEN_UP):
        return None
    return number.message


def summary(held: InterviewHeld) -> Text:
    """Say on a line what an interview came to."""
    try:
        report = from_text(held.report)
    except ReportError:
        return wording.BEFORE_UNREADABLE
    made, points = report.points
    right, numbers = report.computed
    return wording.BEFORE_LINE.fill(minutes=report.minutes, made=made, points=points, right=right, numbers=numbers)
