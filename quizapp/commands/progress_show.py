"""What ``quizapp progress show`` prints: the figures of the progress screen, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich.cells import cell_len

from question_bank.bank import Bank
from question_bank.text import Text
from quizapp import wording_progress as wording
from quizapp.commands.pages import Page, terminal_width
from quizapp.commands.session import Session
from quizapp.dates import short
from quizapp.overview import MISTAKES_SINCE, Overview, title_of
from quizapp.widgets.charts import bar, percent

BAR = 10


def lines(session: Session, bank: Bank, overview: Overview, sentences: Mapping[str, Text]) -> Iterator[str]:
    """Yield the figures as text."""
    total, say = overview.total, session.written
    yield say(wording.SUMMARY.fill(recall=percent(overview.recall)))
    yield say(wording.RIGHT_OF.fill(right=total.right, answers=total.answers))
    streak = wording.STREAK if overview.streak else wording.NO_STREAK
    yield say(streak.fill(days=overview.streak, longest=overview.longest))
    yield from _part(session, wording.CHAPTER)
    yield from _table([_section(session, bank, overview, number) for number in range(len(overview.sections))])
    yield from _part(session, wording.DAYS)
    for day in overview.days[-14:]:
        figures = {"answers": day.answers, "right": day.right, "minutes": round(day.seconds / 60)}
        said = wording.ON_DAY_ONE if day.answers == 1 else wording.ON_DAY
        yield "  " + say(said.fill(day=short(day.day, overview.day), **figures))
    yield from _part(session, wording.DUE)
    for due in overview.due:
        if due.count:
            said = wording.DUE_TODAY if due.day == overview.day else wording.DUE_ON
            yield "  " + say(said.fill(day=short(due.day, overview.day), count=due.count))
    yield from _part(session, wording.MISTAKES)
    page = Page(session, terminal_width())
    for made in overview.mistakes:
        sentence = sentences[made.mistake]
        drill = f"{made.cure.drill}.{made.cure.level}"
        said = Text(f"{sentence.en} ({drill}).", f"{sentence.zh}（{drill}）。")
        lead = say(wording.TIMES_MADE.fill(count=made.count))
        yield from page.hanging(f"  {' ' * (6 - cell_len(lead))}{lead}  ", say(said))
    if not overview.mistakes:
        yield "  " + say(wording.NO_MISTAKES.fill(days=MISTAKES_SINCE.days))
    if overview.times:
        yield from _part(session, wording.TIMES)
        heads = ["", say(wording.LATELY), say(wording.USUALLY)]
        rows = [
            [f"{each.drill.drill}.{each.drill.level}", *(_seconds(session, time) for time in (each.lately, each.usual))]
            for each in overview.times
        ]
        yield from _table([heads, *rows])


def _part(session: Session, name: Text) -> Iterator[str]:
    yield ""
    yield session.written(name)


def _section(session: Session, bank: Bank, overview: Overview, number: int) -> list[str]:
    each = overview.sections[number]
    title = session.written(title_of(bank, each.section))
    share = "".join(text for text, _ in bar(each.recall, BAR))
    seen = session.written(wording.SEEN.fill(seen=each.seen, items=each.items))
    right = percent(each.score.right / each.score.answers) if each.score.answers else "–"
    count = session.written(wording.OF.fill(count=each.score.answers))
    return [each.section, title, share, percent(each.recall), seen, session.written(wording.RIGHT), right, count]


def _seconds(session: Session, seconds: float) -> str:
    return session.written(wording.SECONDS.fill(seconds=round(seconds)))


def _table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Set rows in columns."""
    widths = [max(cell_len(row[place]) for row in rows) for place in range(len(rows[0]))]
    for row in rows:
        cells = (text + " " * (width - cell_len(text)) for text, width in zip(row, widths, strict=True))
        yield "  " + "  ".join(cells).rstrip()


def data(session: Session, bank: Bank, overview: Overview, sentences: Mapping[str, Text]) -> dict[str, object]:
    """Return the figures for JSON."""
    return {
        "day": overview.day.isoformat(),
        "recall": round(overview.recall, 4),
        "answers": overview.total.answers,
        "right": overview.total.right,
        "streak": overview.streak,
        "longest": overview.longest,
        "sections": [
            {
                "section": each.section,
                "title": session.written(title_of(bank, each.section)),
                "items": each.items,
                "seen": each.seen,
                "recall": round(each.recall, 4),
                "answers": each.score.answers,
                "right": each.score.right,
                "weakest": each.weakest and each.weakest.drill,
            }
            for each in overview.sections
        ],
        "days": [
            {"day": each.day.isoformat(), "answers": each.answers, "right": each.right, "seconds": round(each.seconds, 1)}
            for each in overview.days
        ],
        "due": [{"day": each.day.isoformat(), "count": each.count} for each in overview.due],
        "mistakes": [
            {
                "id": each.mistake,
                "message": session.written(sentences[each.mistake]),
                "count": each.count,
                "last": each.last.isoformat(),
                "drill": each.cure.drill,
                "level": each.cure.level,
            }
            for each in overview.mistakes
        ],
        "times": [
            {"drill": each.drill.drill, "level": each.drill.level, "lately": each.lately, "usual": each.usual}
            for each in overview.times
        ],
    }
