"""What the home screen lists, as data: from what is open, chosen and searched for to the entries shown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby, islice
from typing import TYPE_CHECKING

from question_bank.bank import SHIPPED, Bank
from question_bank.drills import DRILLS
from question_bank.drills.base import Drill
from question_bank.labs import LABS, lab_of
from question_bank.questions import GROUPS, Heading
from question_bank.text import Text, same
from quizapp import wording, wording_interview, wording_lab, wording_paper, wording_today
from quizapp.screens.places import (
    CheckPlace,
    DrillPlace,
    InterviewPlace,
    LabPlace,
    LessonPlace,
    Place,
    QuestionPlace,
    SheetPlace,
    TodayPlace,
)
from quizapp.widgets.contents import BLANK, NOTHING, Entry

if TYPE_CHECKING:
    from question_bank.search import Hit, Index

_SECTIONS = dict(wording.SECTIONS)

MOST_FOUND = 12
"""Places in the texts that a search lists."""


@dataclass(frozen=True, slots=True)
class Fold:
    """A topic or a group of questions, which unfolds."""

    name: str


@dataclass(frozen=True, slots=True)
class Here:
    """Something that the application does without leaving the screen."""

    action: str


LANGUAGE = Here("app.switch_language")
SETTINGS = Here("app.settings")
PROGRESS = Here("progress")


@dataclass
class HomeState:
    """What a person has opened and chosen on the home screen.

    Attributes:
        bank: The questions and lessons there are.
        last: Where the person left off.
        unfolded: Names of the folds that are open.
        levels: The level chosen for each drill.
        sought: What is searched for.
        index: The texts of the bank, once they are ready to be searched.
        today: How much there is to do today, once that is known.
    """

    bank: Bank = SHIPPED
    last: Place | None = None
    unfolded: set[str] = field(default_factory=set)
    levels: dict[str, int] = field(default_factory=dict)
    sought: str = ""
    index: Index | None = None
    today: Text | None = None

    def level(self, drill: str) -> int:
        """Return the level chosen for a drill."""
        return self.levels.get(drill, DRILLS[drill].levels[0])

    def place(self, drill: str) -> DrillPlace:
        """Return the place of a drill at the chosen level."""
        return DrillPlace(drill, self.level(drill))

    def choose_level(self, drill: str, level: int) -> bool:
        """Choose a level; tells whether the drill has it."""
        if level not in DRILLS[drill].levels:
            return False
        self.levels[drill] = level
        return True


def entries(state: HomeState) -> list[Entry]:
    """Return the lines of the home screen."""
    if state.sought.strip():
        return list(_found(state)) or [Entry(wording.FIND_NOTHING)]
    return list(_everything(state))


def _everything(state: HomeState) -> Iterator[Entry]:
    yield Entry(state.today or wording_today.TODAY_LINE, TodayPlace(), wording_today.TODAY, same("t"))
    yield Entry(wording_interview.HOME_LINE, InterviewPlace(), wording_interview.HOME_NOTE)
    yield _first(state)
    yield Entry(wording.CHECK_OWN, CheckPlace(), wording.CHECK)
    yield Entry(wording_paper.HOME_LINE, SheetPlace(), wording_paper.HOME_NOTE)
    yield BLANK
    note = wording.QUESTIONS
    # The course numbers its questions across the groups.
    by_group = sorted(state.bank.titles(), key=lambda heading: heading.group)
    for group, questions in groupby(by_group, key=lambda heading: heading.group):
        yield from _group(state, GROUPS[group], tuple(questions), note)
        note = NOTHING
    yield BLANK
    note = wording.CHAPTER
    for section in state.bank.sections():
        yield from _section(state, section, note)
        note = NOTHING
    yield BLANK
    yield Entry(wording.PROGRESS, PROGRESS, same("p"))
    yield Entry(wording.LANGUAGE, LANGUAGE, same("l"))
    yield Entry(wording.SETTINGS, SETTINGS, same(","))


def _first(state: HomeState) -> Entry:
    place = state.last if state.last is not None else state.place(next(iter(DRILLS)))
    note = wording.CONTINUE if state.last is not None else wording.START
    if isinstance(place, DrillPlace):
        drill = DRILLS[place.drill]
        return Entry(drill.title, Continue(place), note, wording.AT_LEVEL.fill(level=place.level))
    if isinstance(place, QuestionPlace):
        heading = next(heading for heading in state.bank.titles() if heading.number == place.number)
        return Entry(heading.title, Continue(place), note, same(heading.id))
    if isinstance(place, LessonPlace):
        return Entry(_lesson_title(state, place.section), Continue(place), note, same(place.section))
    if isinstance(place, LabPlace):
        return Entry(LABS[place.lab][1], Continue(place), note, wording_lab.LAB)
    return Entry(wording.CHECK_OWN, Continue(place), note)


@dataclass(frozen=True, slots=True)
class Continue:
    """Go on where the person left off; apart from the place itself, which is listed again further down."""

    place: Place


def _section(state: HomeState, number: str, note: Text) -> Iterator[Entry]:
    """Yield a section of the course; it unfolds to its lesson and its drills."""
    called = _SECTIONS.get(number) or _lesson_title(state, number)
    drills = [drill for drill in DRILLS.values() if drill.section == number]
    count = wording.ONE_DRILL if len(drills) == 1 else wording.SOME_DRILLS.fill(count=len(drills))
    name = Text(f"{number:<5} {called.en}", f"{number:<5} {called.zh}")
    yield Entry(name, Fold(number), note, count if drills else wording.LESSON, turns=True)
    if number in state.unfolded:
        yield Entry(_lesson_title(state, number), LessonPlace(number), wording.LESSON, depth=3)
        lab = lab_of(number)
        if lab is not None:
            yield Entry(LABS[lab][1], LabPlace(lab), wording_lab.LAB, depth=3)
        for drill in drills:
            yield _drill(state, drill, depth=3)


def _lesson_title(state: HomeState, number: str) -> Text:
    return next(heading.title for heading in state.bank.headings() if heading.section == number)


def _drill(state: HomeState, drill: Drill, note: Text = NOTHING, depth: int = 0) -> Entry:
    chosen = state.level(drill.id)
    levels = " ".join(f"‹{level}›" if level == chosen else f" {level} " for level in drill.levels)
    return Entry(drill.title, DrillTarget(drill.id), note, same(levels), depth, turns=True)


@dataclass(frozen=True, slots=True)
class DrillTarget:
    """A drill in the list, at whichever level is chosen for it."""

    drill: str


def _group(state: HomeState, called: Text, questions: tuple[Heading, ...], note: Text) -> Iterator[Entry]:
    letter = questions[0].group.value
    name = Text(f"{letter:<5} {called.en}", f"{letter:<5} {called.zh}")
    yield Entry(name, Fold(letter), note, wording.SOME_QUESTIONS.fill(count=len(questions)), turns=True)
    if letter in state.unfolded:
        for heading in questions:
            yield _question(heading, depth=3)


def _question(heading: Heading, depth: int = 0) -> Entry:
    return Entry(heading.title, QuestionPlace(heading.number), same(heading.id), depth=depth)


def _found(state: HomeState) -> Iterator[Entry]:
    """Yield what is called so, then what only speaks of it."""
    words = state.sought.casefold().split()
    named: set[object] = set()
    for drill in DRILLS.values():
        if _fits(words, drill.id, drill.section, drill.title):
            named.add(drill.id)
            yield _drill(state, drill, same(drill.section))
    for heading in state.bank.titles():
        if _fits(words, heading.id, heading.section, heading.title):
            named.add(heading.id)
            yield _question(heading)
    for lesson in state.bank.headings():
        if _fits(words, lesson.section, "", lesson.title):
            named.add(lesson.section)
            yield Entry(lesson.title, LessonPlace(lesson.section), same(lesson.section), wording.LESSON)
    for lab, (section, title) in LABS.items():
        if _fits(words, lab, section, title):
            yield Entry(title, LabPlace(lab), same(section), wording_lab.LAB)
    if state.index is not None:
        others = (hit for hit in state.index.find(state.sought) if hit.id not in named)
        for place, hit in enumerate(islice(others, MOST_FOUND)):
            if named and place == 0:
                yield BLANK
            yield from _spoken_of(state, hit)


def _spoken_of(state: HomeState, hit: Hit) -> Iterator[Entry]:
    if hit.kind == "drill":
        yield _drill(state, DRILLS[hit.id], same(DRILLS[hit.id].section))
        return
    target = LessonPlace(hit.id) if hit.kind == "lesson" else QuestionPlace(int(hit.id[1:]))
    yield Entry(hit.title, target, same(hit.id), wording.LESSON if hit.kind == "lesson" else NOTHING)
    if hit.passage not in (hit.title.en, hit.title.zh):
        yield Entry(same(hit.passage), None, depth=1, soft=True)


def _fits(words: list[str], name: str, section: str, title: Text) -> bool:
    named = f"{name} {section} {title.en} {title.zh}".casefold()
    return all(word in named for word in words)
