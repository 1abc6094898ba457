"""What the progress screen lists, as data: from what was read to the lines shown, for the columns that there are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from rich.cells import cell_len

from question_bank.drills import DRILLS
from question_bank.text import Language, Text, same
from quizapp import wording_progress as wording
from quizapp.dates import short
from quizapp.overview import DAYS, MISTAKES_SINCE, DrillTime, MistakeMade, Overview, SectionCount, title_of
from quizapp.screens.progress_targets import (
    MOST_WEEKS,
    Begin,
    Chart,
    MistakeTarget,
    Part,
    ProgressState,
    SectionTarget,
    Sentence,
    TimeTarget,
)
from quizapp.widgets.bilingual import written
from quizapp.widgets.charts import (
    DAY_WIDE,
    SHADES,
    Ink,
    Line,
    bar,
    bounds,
    calendar,
    columns,
    first_day,
    percent,
    width_of,
)
from quizapp.widgets.contents import NOTHING, Entry
from quizapp.widgets.ledger import Drawn
from quizapp.widgets.wrapping import shortened, wrap

SLIGHT = 0.1
"""A time that differs by less from the usual one is as usual."""


def entries(state: ProgressState, room: int, language: Language) -> list[Entry]:
    """Return the lines of the page.

    Args:
        state: What to show. How much of the charts fits is put down in it.
        room: The columns of the page.
        language: The language.
    """
    if not state.overview.days:
        return list(_nothing_yet(room, language))
    state.weeks = max(1, min(MOST_WEEKS, (room + 1) // DAY_WIDE))
    state.shown = max(1, min(DAYS, room // 4))
    blank = Drawn(NOTHING)
    return [
        *_map(state, room, language),
        blank,
        *_days(state, room, language),
        blank,
        *_due(state, room, language),
        blank,
        *_mistakes(state, room, language),
        blank,
        *_minutes(state, room, language),
        blank,
        *_times(state, room, language),
    ]


def _nothing_yet(room: int, language: Language) -> Iterator[Entry]:
    yield _sentence(NOTHING, wording.NOTHING_YET, room, language, ink=Ink.STRONG)
    yield Drawn(NOTHING)
    for note, text in (
        (wording.CHAPTER, wording.CHAPTER_WILL),
        (wording.DAYS, wording.DAYS_WILL),
        (wording.DUE, wording.DUE_WILL.fill(days=DAYS)),
        (wording.MISTAKES, wording.MISTAKES_WILL),
        (wording.TIMES, wording.TIMES_WILL),
    ):
        yield _sentence(note, text, room, language, ink=Ink.SOFT)
    yield Drawn(NOTHING)
    yield Entry(next(iter(DRILLS.values())).title, Begin(), wording.BEGIN)


def _sentence(note: Text, text: Text, room: int, language: Language, target: object = None, ink: Ink = Ink.PLAIN) -> Drawn:
    lines = tuple(((line, ink),) for line in wrap(written(text, language), room))
    return Drawn(NOTHING, target, note, lines=lines)


def _headline(says: Sequence[Text], aside: Text, room: int, language: Language) -> Line:
    """Say the first that fits beside something in soft ink at the right end of the line; without that, where none does."""
    texts = [written(text, language) for text in says]
    right = written(aside, language)
    for left in texts:
        gap = room - cell_len(left) - cell_len(right)
        if gap >= 2:
            return (left, Ink.STRONG), (" " * gap + right, Ink.SOFT)
    return ((next((text for text in texts if cell_len(text) <= room), shortened(texts[-1], room)), Ink.STRONG),)


def _left(text: str, width: int) -> str:
    """Bring a text to a width."""
    fitting = shortened(text, width)
    return fitting + " " * (width - cell_len(fitting))


# The chapter


@dataclass(frozen=True, slots=True)
class _Widths:
    """The columns of the map."""

    title: int
    bar: int
    right: int

    @staticmethod
    def of(room: int) -> _Widths:
        thick = 10 if room >= 42 else 5
        right = 13 if room >= 56 else 5 if room >= 36 else 0
        title = room - thick - 6 - (right + 2 if right else 0) - 2
        return _Widths(min(title, 40), thick, right)


def _map(state: ProgressState, room: int, language: Language) -> Iterator[Entry]:
    overview, widths = state.overview, _Widths.of(room)
    total = overview.total
    says = [text.fill(recall=percent(overview.recall)) for text in (wording.SUMMARY, wording.SUMMARY_SHORT)]
    answers = wording.RIGHT_OF.fill(right=total.right, answers=total.answers)
    yield Drawn(NOTHING, None, wording.CHAPTER, lines=(_headline(says, answers, room, language),))
    heads = " " * (widths.title + 2) + _left(written(wording.REMEMBERED, language), widths.bar + 6)
    heads += "  " + written(wording.RIGHT, language) if widths.right else ""
    yield Drawn(NOTHING, lines=(((heads, Ink.SOFT),),))
    for each in overview.sections:
        title = written(title_of(state.bank, each.section), language)
        line: Line = (
            (_left(title, widths.title) + "  ", Ink.PLAIN),
            *bar(each.recall, widths.bar),
            *_figures(each, widths, language),
        )
        yield Drawn(NOTHING, SectionTarget(each.section), same(each.section), lines=(line,))


def _figures(each: SectionCount, widths: _Widths, language: Language) -> Line:
    recall = (f"{percent(each.recall) if each.seen else '–':>5} ", Ink.PLAIN if each.seen else Ink.SOFT)
    if not widths.right:
        return (recall,)
    if not each.score.answers:
        return recall, ("  –", Ink.SOFT)
    right = percent(each.score.right / each.score.answers)
    count = written(wording.OF.fill(count=each.score.answers), language) if widths.right > 5 else ""
    return recall, (f"  {right:<5}", Ink.PLAIN), (count, Ink.SOFT)


# Days


def _days(state: ProgressState, room: int, language: Language) -> Iterator[Entry]:
    overview = state.overview
    day = state.marked_day(Part.DAYS)
    counts = {each.day: each.answers for each in overview.days}
    months = [written(month, language) for month in wording.MONTHS]
    lines = calendar(counts, overview.day, state.weeks, day, months)
    done = overview.on(day)
    texts: tuple[Text, ...]
    if done.answers > 1:
        texts = (wording.ON_DAY, wording.ON_DAY_SHORTER, wording.ON_DAY_SHORT)
    else:
        texts = (wording.ON_DAY_ONE, wording.ON_DAY_SHORT) if done.answers else (wording.NOTHING_ON_DAY,)
    figures = {"answers": done.answers, "right": done.right, "minutes": _minutes_of(done.seconds)}
    says = [text.fill(day=short(day, overview.day), **figures) for text in texts]
    yield _heading(Chart(Part.DAYS), wording.DAYS, says, _streak(overview), room, language, below=len(lines) + 1)
    yield Drawn(NOTHING, lines=(lines[0],))
    for weekday, line in zip(wording.WEEKDAYS, lines[1:], strict=True):
        yield Drawn(NOTHING, None, weekday, soft=True, lines=(line,))
    yield Drawn(NOTHING, lines=(_legend(state, counts, room, language),))


def _legend(state: ProgressState, counts: Mapping[date, int], room: int, language: Language) -> Line:
    first = first_day(state.overview.day, state.weeks)
    starts = bounds([count for day, count in counts.items() if day >= first])
    pieces: list[tuple[str, Ink]] = [(written(wording.ANSWERS_A_DAY, language), Ink.SOFT)]
    for place, start in enumerate(starts):
        if place + 1 == len(starts) or starts[place + 1] > start:
            pieces += [(f"  {SHADES[place + 1]} ", Ink.ACCENT), (written(wording.FROM.fill(count=start), language), Ink.SOFT)]
    while width_of(tuple(pieces)) > room and len(pieces) > 2:
        pieces = pieces[1:] if len(pieces) % 2 else pieces[:-2]
    return ((pieces[0][0].lstrip(), pieces[0][1]), *pieces[1:])


def _streak(overview: Overview) -> Text:
    if not overview.streak:
        return wording.NO_STREAK.fill(longest=overview.longest)
    return wording.STREAK.fill(days=overview.streak, longest=overview.longest)


def _heading(target: object, note: Text, says: Sequence[Text], aside: Text, room: int, language: Language, below: int) -> Drawn:
    return Drawn(NOTHING, target, note, turns=True, lines=(_headline(says, aside, room, language),), below=below)


def _minutes_of(seconds: float) -> int:
    return max(1, round(seconds / 60)) if seconds else 0


# Due


def _due(state: ProgressState, room: int, language: Language) -> Iterator[Entry]:
    overview, due = state.overview, state.overview.due[: state.shown]
    day = state.marked_day(Part.DUE)
    count = next((each.count for each in due if each.day == day), 0)
    said = wording.NONE_DUE_ON if not count else wording.DUE_TODAY if day == overview.day else wording.DUE_ON
    name = wording.TODAY if day == overview.day else short(day, overview.day)
    total = wording.DUE_IN_ALL.fill(count=sum(each.count for each in due), days=len(due))
    lines = _columns([each.count for each in due], [each.day for each in due], day, room, language)
    says = said.fill(day=name, count=count)
    yield _heading(Chart(Part.DUE), wording.DUE, [says], total, room, language, below=len(lines))
    yield from (Drawn(NOTHING, lines=(line,)) for line in lines)


def _columns(values: list[int], days: list[date], marked: date, room: int, language: Language) -> list[Line]:
    labels = [(written(wording.WEEKDAYS[day.weekday()], language), str(day.day)) for day in days]
    return columns(values, labels, days.index(marked), max(4, min(6, room // DAYS)))


# Mistakes


def _mistakes(state: ProgressState, room: int, language: Language) -> Iterator[Entry]:
    made = state.overview.mistakes
    if not made:
        none = wording.NO_MISTAKES.fill(days=MISTAKES_SINCE.days)
        yield _sentence(wording.MISTAKES, none, room, language, Sentence(Part.MISTAKES), Ink.SOFT)
        return
    yield _sentence(wording.MISTAKES, wording.MADE_LATELY.fill(days=MISTAKES_SINCE.days), room, language, ink=Ink.SOFT)
    for each in made:
        yield _sentence(
            wording.TIMES_MADE.fill(count=each.count), _called(state, each), room, language, MistakeTarget(each.mistake)
        )


def _called(state: ProgressState, made: MistakeMade) -> Text:
    if state.sentences is None:
        return wording.READING
    sentence = state.sentences[made.mistake]
    return Text(f"{sentence.en}.", f"{sentence.zh}。")


# Times


def _minutes(state: ProgressState, room: int, language: Language) -> Iterator[Entry]:
    overview = state.overview
    marked = state.marked_day(Part.TIMES)
    days = [overview.day - timedelta(days=number) for number in range(state.shown)][::-1]
    minutes = [_minutes_of(overview.on(day).seconds) for day in days]
    mean = wording.MINUTES_A_DAY.fill(minutes=round(sum(minutes) / len(minutes)))
    says = wording.MINUTES_ON.fill(day=short(marked, overview.day), minutes=minutes[days.index(marked)])
    lines = _columns(minutes, days, marked, room, language)
    yield _heading(Chart(Part.TIMES), wording.TIMES, [says], mean, room, language, below=len(lines))
    yield from (Drawn(NOTHING, lines=(line,)) for line in lines)


def _times(state: ProgressState, room: int, language: Language) -> Iterator[Entry]:
    if not state.overview.times:
        yield _sentence(wording.TIMES_OF_DRILLS, wording.NO_TIMES, room, language, Sentence(Part.TIMES), Ink.SOFT)
        return
    shown = 3 if room >= 50 else 2
    title = room - 10 * shown - (2 if shown == 3 else 0)
    title = min(title, 40)
    heads = [written(wording.LATELY, language), written(wording.USUALLY, language)]
    head = " " * title + "".join(f"{' ' * (10 - cell_len(text))}{text}" for text in heads)
    yield Drawn(NOTHING, None, wording.TIMES_OF_DRILLS, lines=(((head, Ink.SOFT),),))
    for each in state.overview.times:
        drill = DRILLS[each.drill.drill]
        texts = [written(wording.SECONDS.fill(seconds=round(time)), language) for time in (each.lately, each.usual)]
        figures = "".join(f"{' ' * (10 - cell_len(text))}{text}" for text in texts)
        change = f"  {written(_change(each), language)}" if shown == 3 else ""
        line: Line = ((_left(written(drill.title, language), title), Ink.PLAIN), (figures, Ink.PLAIN), (change, Ink.SOFT))
        yield Drawn(NOTHING, TimeTarget(drill.id), same(drill.section), lines=(line,))


def _change(time: DrillTime) -> Text:
    if abs(time.change) < SLIGHT:
        return wording.AS_USUAL
    said = wording.SLOWER if time.change > 0 else wording.FASTER
    return said.fill(percent=f"{round(abs(time.change) * 100)}%")
