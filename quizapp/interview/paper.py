"""A report of a mock interview as Typst and as PDF, set like a sheet. Nothing that was typed is ever read as Typst."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, tzinfo
from pathlib import Path

from question_bank.math import escape
from question_bank.text import Language, Text, same
from quizapp import dates
from quizapp import wording_interview as wording
from quizapp.interview.phrases import SIGNS, ending, how_long, need_of, outcome_line, said_of, totals
from quizapp.interview.report import DrillPart, FollowUpPart, Number, Report, Said, Study, Thread
from quizapp.sheets.plan import Copy, Languages, Paper, Sheet
from quizapp.sheets.source import document, pages
from quizapp.sheets.typst_text import formula, in_language, string, typed

PIECES = """
#let gap = v(2.5mm, weak: true)
#let part(number, heading, prompt, body) = {
  block(sticky: true, breakable: false, width: 100%, above: 6mm, below: 3mm, {
    line(length: 100%, stroke: 0.4pt + hair)
    v(2mm)
    place(dx: -14mm, dy: -0.18em, box(width: 10mm, align(right, text(13pt, fill: accent, number))))
    small(heading)
    v(1.6mm)
    prompt
  })
  body
}
#let led(lead, aside, body) = {
  block(sticky: true, above: 3.6mm, below: 2.6mm, { text(fill: accent, lead); h(2mm); small(aside) })
  block(inset: (left: 4mm), width: 100%, body)
}
#let quoted(body) = block(inset: (left: 3mm, y: 0.5mm), stroke: (left: 0.8pt + hair), width: 100%, body)
#let signed(..rows) = grid(
  columns: (auto, 1fr), column-gutter: 2mm, row-gutter: 2.2mm,
  ..rows.pos().map(((sign, body)) => (text(fill: soft, sign), body)).flatten(),
)
"""


def file_name(started: datetime, language: Language) -> str:
    """Name the file of a report."""
    return f"interview-{started.astimezone():%Y-%m-%d-%H%M%S}.{language.value}.pdf"


def source(report: Report, language: Language, zone: tzinfo | None = None) -> str:
    """Write a report as the source of a Typst document, which needs no other file.

    Args:
        report: The report.
        language: The language.
        zone: The zone in which its day is told; the machine's where left out.
    """
    sheet = Sheet(wording.REPORT[language], Languages(language.value), Paper.A4, "", ())
    body = [each for each in _Writer(language, zone).parts(report) if each]
    return document(sheet, [PIECES, pages("report", sheet, Copy("", ()), same(""), body)])


def write_pdf(report: Report, language: Language, path: Path) -> Text | None:
    """Write a report as a PDF, in a process where that may take its time; returns why where it can't be done."""
    from quizapp.sheets.compile import to_pdf
    from quizapp.sheets.glyphs import NoGlyphError, needs_system_fonts
    from quizapp.whole_file import WriteError, write_whole, writing

    texts = [said.typed for said in _all_said(report)]
    try:
        try:
            with_system_fonts = needs_system_fonts(texts)
        except NoGlyphError:
            with_system_fonts = True  # what was typed is printed as far as there are characters for it
        with writing(path.parent):
            path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, to_pdf(source(report, language), with_system_fonts=with_system_fonts))
    except WriteError as error:
        return error.message
    return None


def _all_said(report: Report) -> Iterator[Said]:
    for thread in report.threads:
        yield thread.said
        yield from (part.said for part in thread.follow_ups)
        yield from (part.said for part in thread.drills)


class _Writer:
    """Writes in one language."""

    def __init__(self, language: Language, zone: tzinfo | None) -> None:
        self._language = language
        self._zone = zone

    def _said(self, text: Text) -> str:
        """Write a sentence as content in code."""
        return in_language(text, self._language)

    def _typed(self, text: str) -> str:
        """Write what was typed, line by line, as content in code."""
        lines = text.strip("\n").split("\n")
        return "[" + r" \ ".join(f"#{typed(line, self._language)}" if line.strip() else "~" for line in lines) + "]"

    def parts(self, report: Report) -> Iterator[str]:
        day = dates.written(report.started.astimezone(self._zone).date())
        yield f"#heading-of({self._said(wording.REPORT)}, (small({self._said(day)}),))"
        yield from (f"#block({self._said(line)})" for line in (*totals(report), *ending(report)))
        study = [f"({string(f'{place}.')}, {self._study(each)})" for place, each in enumerate(report.study, 1)]
        body = f"signed({', '.join(study)})" if study else self._said(wording.NOTHING_TO_STUDY)
        yield f"#part([], [], text(13pt, {self._said(wording.WHAT_TO_STUDY)}), {body})"
        for thread in report.threads:
            yield from self._thread(thread)

    def _study(self, study: Study) -> str:
        named = [f"Q{number}" for number in study.questions] + list(study.drills)
        items = Text(", ".join(named), "、".join(named))
        return self._said(wording.STUDY_ITEM.fill(section=study.section, title=study.title, need=need_of(study), items=items))

    def _thread(self, thread: Thread) -> Iterator[str]:
        number = f"[Q{thread.number}]"
        yield f"#part({number}, {self._said(thread.title)}, {self._said(thread.prompt)}, {self._answer(thread.said)})"
        points = [self._signed(SIGNS[point.made], point.text, point.words) for point in thread.points]
        yield self._led(wording.POINTS.fill(made=thread.made, points=len(thread.points)), f"signed({', '.join(points)})")
        if thread.falls:
            falls = [self._signed("✗", wording.CLAIM.fill(claim=fall.claim) + fall.why, fall.words) for fall in thread.falls]
            yield self._led(wording.TRAPS, f"signed({', '.join(falls)})")
        yield self._led(wording.THE_MODEL, self._said(thread.model))
        yield from map(self._follow_up, thread.follow_ups)
        yield from map(self._drill, thread.drills)

    def _signed(self, sign: str, text: Text, words: str) -> str:
        by = f" #small({typed(f'“{words}”', self._language)})" if words else ""
        return f"({string(sign)}, [#{self._said(text)}{by}])"

    def _led(self, lead: Text, body: str, aside: str = "[]") -> str:
        return f"#led({self._said(lead)}, {aside}, {body})"

    def _answer(self, said: Said) -> str:
        body = f"quoted({self._typed(said.typed)})" if said.typed.strip() else self._said(said_of(said))
        return f"led({self._said(wording.ANSWERED)}, {self._said(how_long(said))}, {body})"

    def _follow_up(self, part: FollowUpPart) -> str:
        body = f"{{ {self._answer(part.said)}; led({self._said(wording.THE_MODEL)}, [], {self._said(part.answer)}) }}"
        return f"#part([], {self._said(wording.FOLLOW_UP)}, {self._said(part.question)}, {body})"

    def _drill(self, part: DrillPart) -> str:
        heading = f"[#{self._said(wording.COMPUTATION)} #h(2mm) #{self._said(part.title)} #h(2mm) #code({string(part.code)})"
        heading += f" #h(2mm) #{self._said(how_long(part.said))}]"
        rows = [f"({string(SIGNS[number.is_right])}, {self._number(number)})" for number in part.numbers]
        given = "; h(6mm); ".join(f"[${formula(name)}$ = #{string(value)}]" for name, value in part.given)
        shown = [self._said(part.prompt)]
        shown += [f"listing({', '.join(map(string, part.listing))})"] if part.listing else []
        shown += [f"gap; {given}"] if given else []
        prompt = f"{{ {'; '.join(shown)} }}"
        return f"#part([], {heading}, {prompt}, signed({', '.join(rows)}))"

    def _number(self, number: Number) -> str:
        nothing = wording.NOTHING.en
        expected = Text(*(escape(number.expected[language] or nothing) for language in Language))
        given = escape(" ".join(number.typed.split()) or nothing)
        line = wording.RIGHT_ONE if number.is_right else wording.RIGHT_VALUE
        said = self._said(line.fill(label=number.label, expected=expected, typed=given))
        reason = outcome_line(number)
        return f"[#{said} #small({self._said(reason)})]" if reason is not None else said
