"""A report as Markdown, in either language or both; formulas stand between dollar signs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, tzinfo

from question_bank.text import Language, Text
from quizapp import dates
from quizapp import wording_interview as wording
from quizapp.exports.markdown import fenced, sentence, words
from quizapp.exports.markup import clean
from quizapp.interview.phrases import SIGNS, ending, how_long, need_of, outcome_line, said_of, totals
from quizapp.interview.report import DrillPart, FollowUpPart, Number, Report, Said, Study, Thread


def markdown(report: Report, languages: Sequence[Language], zone: tzinfo | None = None) -> str:
    """Write a report.

    Args:
        report: The report.
        languages: One after the other.
        zone: The zone in which its day is told; the machine's where left out.
    """
    blocks = [block for language in languages for block in _Writer(language, zone).blocks(report)]
    return clean("\n\n".join(blocks)) + "\n"


def file_name(started: datetime, language: Language) -> str:
    """Name the file of a report."""
    return f"interview-{started.astimezone():%Y-%m-%d-%H%M%S}.{language.value}.md"


class _Writer:
    """Writes in one language."""

    def __init__(self, language: Language, zone: tzinfo | None) -> None:
        self._language = language
        self._zone = zone

    def said(self, text: Text) -> str:
        return sentence(text[self._language])

    def blocks(self, report: Report) -> Iterator[str]:
        day = dates.written(report.started.astimezone(self._zone).date())
        yield f"# {self.said(wording.REPORT)}"
        yield self.said(day)
        yield "\n".join(f"- {self.said(line)}" for line in (*totals(report), *ending(report)))
        yield f"## {self.said(wording.WHAT_TO_STUDY)}"
        if report.study:
            yield "\n".join(f"{place}. {self._study(study)}" for place, study in enumerate(report.study, 1))
        else:
            yield self.said(wording.NOTHING_TO_STUDY)
        for thread in report.threads:
            yield from self._thread(thread)

    def _study(self, study: Study) -> str:
        named = [f"Q{number}" for number in study.questions] + list(study.drills)
        items = Text(", ".join(named), "、".join(named))
        line = wording.STUDY_ITEM.fill(section=study.section, title=study.title, need=need_of(study), items=items)
        return self.said(line)

    def _thread(self, thread: Thread) -> Iterator[str]:
        yield f"## Q{thread.number} {self.said(thread.title)}"
        yield f"**{self.said(wording.ASKED)}** {self.said(thread.prompt)}"
        yield from self._answer(thread.said)
        yield f"**{self.said(wording.POINTS.fill(made=thread.made, points=len(thread.points)))}**"
        yield "\n".join(
            f"- {SIGNS[point.made]} {self.said(point.text)}" + (f" {self._by(point.words)}" if point.words else "")
            for point in thread.points
        )
        if thread.falls:
            yield f"**{self.said(wording.TRAPS)}**"
            yield "\n".join(
                f"- {self.said(wording.CLAIM.fill(claim=fall.claim))} {self._by(fall.words)} {self.said(fall.why)}"
                for fall in thread.falls
            )
        yield f"**{self.said(wording.THE_MODEL)}**"
        yield self.said(thread.model)
        for follow_up in thread.follow_ups:
            yield from self._follow_up(follow_up)
        for drill in thread.drills:
            yield from self._drill(drill)

    def _aside(self, said: Said) -> str:
        return self.said(wording.BRACKETS.fill(text=how_long(said)))

    def _by(self, typed: str) -> str:
        return words(f"“{typed}”", starts=False)

    def _answer(self, said: Said) -> Iterator[str]:
        yield f"**{self.said(wording.ANSWERED)}** {self._aside(said)}"
        if said.typed:
            yield "\n".join(f"> {words(line)}  " if line.strip() else ">" for line in said.typed.split("\n"))
        else:
            yield self.said(said_of(said))

    def _follow_up(self, part: FollowUpPart) -> Iterator[str]:
        yield f"### {self.said(wording.FOLLOW_UP)}"
        yield self.said(part.question)
        yield from self._answer(part.said)
        yield f"**{self.said(wording.THE_MODEL)}**"
        yield self.said(part.answer)

    def _drill(self, part: DrillPart) -> Iterator[str]:
        yield f"### {self.said(wording.COMPUTATION)} {self.said(part.title)} `{part.code}`"
        yield self.said(part.prompt)
        if part.listing:
            yield fenced(part.listing, "python")
        if part.given:
            yield "\n".join(f"- ${name}$ = {words(value, starts=False)}" for name, value in part.given)
        yield self._aside(part.said) + (f" {self.said(wording.DID_PASS)}" if part.said.passed else "")
        yield "\n".join(f"- {SIGNS[number.is_right]} {self._number(number)}" for number in part.numbers)

    def _number(self, number: Number) -> str:
        expected = words(number.expected[self._language] or wording.NOTHING.en, starts=False)
        typed = words(" ".join(number.typed.split()) or wording.NOTHING.en, starts=False)
        label = self.said(number.label)
        line = wording.RIGHT_ONE if number.is_right else wording.RIGHT_VALUE
        filled = line[self._language].replace("{label}", label)
        filled = filled.replace("{expected}", expected).replace("{typed}", typed)
        reason = outcome_line(number)
        return f"{filled} {self.said(reason)}" if reason is not None else filled
