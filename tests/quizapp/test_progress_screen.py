"""The progress screen and ``quizapp progress show``: figures by a second route, keys, every size, the looks."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta

import pytest
from textual.pilot import Pilot

from question_bank.bank import SHIPPED
from question_bank.drills import DRILLS
from question_bank.text import Language
from quizapp import overview
from quizapp import wording_progress as wording
from quizapp.app import QuizApp
from quizapp.events import DrillAnswered, Event, Item, QuestionRated, Rating, item_of, stamp
from quizapp.keeper import Keeper
from quizapp.overview import Overview, SectionCount, named, read
from quizapp.paths import Paths, find_paths
from quizapp.planning import CourseItem, Score, Wishes, course_of
from quizapp.progress import Log
from quizapp.scheduling import Card, recall, review, suggested
from quizapp.screens.drill import DrillScreen
from quizapp.screens.lesson import LessonScreen
from quizapp.screens.places import ProgressPlace
from quizapp.screens.progress import ProgressScreen
from quizapp.screens.progress_targets import Begin, Chart, MistakeTarget, Part, SectionTarget, TimeTarget
from quizapp.widgets.ledger import Ledger
from solvers.mistakes import catalogued
from solvers.verdict import Outcome
from tests.quizapp.conftest import footer_of, says, text_of, until
from tests.quizapp.shell import quiz
from tests.quizapp.study import study

MakeApp = Callable[..., QuizApp]
NOW = datetime(2026, 11, 30, 20, tzinfo=UTC)
TODAY = NOW.date()
COURSE = course_of(SHIPPED)


def overview_of(events: Sequence[Event], now: datetime = NOW) -> Overview:
    with Log(None, lambda: now) as log:
        log.merge(events)
        return read(log, COURSE, Wishes())


def drill(name: str, outcome: Outcome = Outcome.RIGHT, seconds: float = 20, mistake: str | None = None) -> DrillAnswered:
    level = DRILLS[name].levels[0] if name in DRILLS else 1
    return DrillAnswered(f"{name}.1.a", name, level, ("1",), outcome, mistake, 0, 1, seconds)


def on(days_ago: int, *what: DrillAnswered | QuestionRated) -> list[Event]:
    return [stamp(each, NOW - timedelta(days=days_ago, minutes=-place)) for place, each in enumerate(what)]


# The figures


def test_the_map_is_what_a_naive_count_over_the_events_gives() -> None:
    events = study(400, 50, NOW)
    sections = {each.item: each.section for each in COURSE}
    answers: dict[str, int] = defaultdict(int)
    right: dict[str, int] = defaultdict(int)
    cards: dict[Item, Card] = {}
    for event in events:
        what = event.what
        assert isinstance(what, DrillAnswered | QuestionRated)
        if isinstance(what, DrillAnswered) and what.outcome in (Outcome.COARSE, Outcome.UNREADABLE):
            continue
        item = item_of(what)
        answers[sections[item]] += 1
        if isinstance(what, DrillAnswered):
            right[sections[item]] += what.outcome in (Outcome.RIGHT, Outcome.RIGHT_AFTER_SLIP)
        else:
            right[sections[item]] += what.rating in (Rating.GOOD, Rating.EASY)
        cards[item], _ = review(cards.get(item), suggested(what), event.study_day)
    found = {each.section: each for each in overview_of(events).sections}
    assert list(found) == [f"7.{number}" for number in range(1, 24)]
    for section, shown in found.items():
        items = [each.item for each in COURSE if each.section == section]
        assert shown.items == len(items)
        assert shown.seen == sum(item in cards for item in items)
        assert shown.score == Score(right[section], answers[section]), section
        remembered = sum(recall(cards[item], TODAY) for item in items if item in cards)
        assert shown.recall == pytest.approx(remembered / len(items))
    assert sum(answers.values()) > 300


def section(events: Sequence[Event], number: str) -> SectionCount:
    return next(each for each in overview_of(events).sections if each.section == number)


@pytest.mark.parametrize(
    ("events", "weakest"),
    [
        ([], None),
        (on(1, drill("scale-row", Outcome.WRONG)), "scale-row"),
        (on(1, drill("scale-row")), "another"),  # what was never tried stands in the middle, below one that went well
        (on(1, *[drill("scale-row", Outcome.WRONG)] * 3), "scale-row"),
    ],
)
def test_the_weakest_drill_of_a_section(events: list[Event], weakest: str | None) -> None:
    found = section(events, "7.9").weakest
    others = {each.id for each in DRILLS.values() if each.section == "7.9"} - {"scale-row"}
    assert {None: found is None, "scale-row": found and found.drill == "scale-row"}.get(
        weakest, found is not None and found.drill in others
    )


@pytest.mark.parametrize(
    ("days_ago", "streak", "longest"),
    [
        ([], 0, 0),
        ([0], 1, 1),
        ([1], 1, 1),
        ([2], 0, 1),
        ([0, 1, 2], 3, 3),
        ([1, 2, 4, 5, 6, 7], 2, 4),
        ([0, 2, 3], 1, 2),
    ],
)
def test_streaks(days_ago: list[int], streak: int, longest: int) -> None:
    found = overview_of([event for day in sorted(days_ago, reverse=True) for event in on(day, drill("scale-row"))])
    assert (found.streak, found.longest) == (streak, longest)


@pytest.mark.parametrize(
    ("seconds", "time"),
    [
        ([20] * 5, None),
        ([20, 20, 20, 40, 40, 40], (40, 20)),
        ([10, 20, 60, 60, 30, 31, 90], (31, 40)),
        ([20, 20, 20, 0, 0, 0], None),  # not measured
    ],
)
def test_a_drill_is_timed_against_its_own_median(seconds: list[float], time: tuple[float, float] | None) -> None:
    found = overview_of(on(1, *(drill("scale-row", seconds=each) for each in seconds))).times
    assert [(each.lately, each.usual) for each in found] == ([] if time is None else [time])


def test_mistakes_lead_to_the_drill_in_which_they_are_made() -> None:
    made = "scale.not-scaled"
    events = [
        *on(91, *[drill("scale-row", Outcome.KNOWN_MISTAKE, mistake="scale.by-d_k")] * 9),
        *on(20, *[drill("softmax-row", Outcome.KNOWN_MISTAKE, mistake=made)] * 2),
        *on(10, drill("scale-row", Outcome.KNOWN_MISTAKE, mistake=made)),
        *on(9, *[drill("scale-row", Outcome.KNOWN_MISTAKE, mistake="of-another-release")] * 5),
        *on(8, *[drill("gone", Outcome.KNOWN_MISTAKE, mistake="scores.transposed")] * 5),
    ]
    found, sentences = named(overview_of(events))
    assert [(each.mistake, each.count, each.cure.drill) for each in found.mistakes] == [(made, 3, "softmax-row")]
    assert found.mistakes[0].last == TODAY - timedelta(days=10)
    assert "divide" in sentences[made].en


def test_every_mistake_has_a_sentence_without_places() -> None:
    place = re.compile(r"(?<![\\\w^_}])\{\w+\}")
    for mistake in catalogued():
        said = wording.GENERAL.get(mistake.id) or mistake.sentence
        assert not place.search(said.en), mistake.id
        assert not place.search(said.zh), mistake.id
    assert wording.GENERAL.keys() <= {mistake.id for mistake in catalogued()}


# The screen


@pytest.fixture
def with_answers(make_app: MakeApp, paths: Paths) -> MakeApp:
    """Make applications on a day, with answers of the weeks before."""

    def make(events: Sequence[Event], language: Language = Language.EN, theme: str = "night") -> QuizApp:
        with Log(paths.progress, lambda: NOW) as log:
            log.merge(events)
        app = make_app(language, theme)
        app.keeper = Keeper(paths.progress, lambda: NOW)
        return app

    return make


async def opened(pilot: Pilot[None]) -> ProgressScreen:
    """Open the screen and wait until everything on it is there."""
    app = pilot.app
    assert isinstance(app, QuizApp)
    app.open(ProgressPlace())
    await until(pilot, lambda: isinstance(app.screen, ProgressScreen))
    screen = app.screen
    assert isinstance(screen, ProgressScreen)
    await until(pilot, lambda: screen._state is not None and screen._state.sentences is not None)
    await pilot.pause()
    return screen


def marked(app: QuizApp) -> object:
    return app.screen.query_one(Ledger).marked


async def test_keys_lead_to_every_part_and_on(with_answers: MakeApp) -> None:
    app = with_answers(study(300, 60, NOW))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        assert marked(app) == SectionTarget("7.1")
        parts = [("2", Chart(Part.DAYS)), ("3", Chart(Part.DUE)), ("5", Chart(Part.TIMES)), ("１", SectionTarget("7.1"))]
        for key, target in parts:
            await pilot.press(key)
            assert marked(app) == target
        await pilot.press("end")
        assert isinstance(marked(app), TimeTarget)
        await pilot.press("home", "down", "pagedown", "pageup", "home", "down", "down", "up", "down")
        assert marked(app) == SectionTarget("7.3")
        weakest = next(each.weakest for each in screen._state.overview.sections if each.section == "7.3")  # type: ignore[union-attr]
        assert weakest is not None
        assert says(app, wording.ENTER_DRILL.fill(drill=DRILLS[weakest.drill].title, level=weakest.level))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, DrillScreen))
        await pilot.press("escape", "escape")
        await until(pilot, lambda: app.screen is screen)
        assert marked(app) == SectionTarget("7.3")
        await pilot.press("4")
        made = marked(app)
        assert isinstance(made, MistakeTarget)
        cure = screen._state.overview.mistakes[0].cure  # type: ignore[union-attr]
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, DrillScreen))
        assert (app.screen._problem.drill, app.screen._problem.level) == (cure.drill, cure.level)  # type: ignore[attr-defined]


async def test_a_section_never_begun_opens_its_lesson(with_answers: MakeApp) -> None:
    app = with_answers(on(1, drill("scale-row")))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        assert says(app, wording.ENTER_LESSON)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, LessonScreen))


async def test_another_day_is_marked_and_its_numbers_said(with_answers: MakeApp) -> None:
    events = [*on(9, drill("scale-row")), *on(8, *[drill("scale-row", seconds=90)] * 7), *on(0, drill("scale-row"))]
    app = with_answers(events)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("2")
        assert "Mon 30 Nov: 1 answer, 1 right" in text_of(app)
        assert "←→ Day" in footer_of(app)
        await pilot.press("shift+left", "left")
        assert "Sun 22 Nov: 7 answers, 7 right, 10 min" in text_of(app)
        await pilot.press(*["right"] * 30)
        assert "Mon 30 Nov: 1 answer, 1 right" in text_of(app)  # not beyond today
        await pilot.press("left")
        assert "Sun 29 Nov: nothing" in text_of(app)
        await pilot.press("l")
        await until(pilot, lambda: "11月29日周日：没有作答" in text_of(app))
        assert marked(app) == Chart(Part.DAYS)


async def test_what_was_answered_meanwhile_is_there_on_coming_back(with_answers: MakeApp) -> None:
    app = with_answers(on(1, drill("scale-row")))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        assert "1 of 1 answers right" in text_of(app)
        await pilot.press("?")
        await app.keep(drill("scale-row", Outcome.WRONG))
        await pilot.press("escape")
        await until(pilot, lambda: "1 of 2 answers right" in text_of(app))


@pytest.mark.parametrize("language", Language)
async def test_before_the_first_answer_it_says_what_will_stand_here(with_answers: MakeApp, language: Language) -> None:
    app = with_answers([], language)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("p")
        await until(pilot, lambda: says(app, wording.NOTHING_YET))
        for text in (wording.CHAPTER_WILL, wording.DAYS_WILL, wording.MISTAKES_WILL, wording.TIMES_WILL):
            assert says(app, text)
        assert marked(app) == Begin()
        assert app.screen.query_one(Ledger).max_scroll_y == 0
        await pilot.press("1", "enter")
        await until(pilot, lambda: isinstance(app.screen, DrillScreen))


@pytest.mark.parametrize(("size", "language"), [((120, 40), Language.ZH), ((60, 16), Language.ZH), ((40, 10), Language.EN)])
async def test_every_line_fits_and_every_part_is_reached(
    with_answers: MakeApp, size: tuple[int, int], language: Language
) -> None:
    app = with_answers(study(300, 60, NOW), language)
    async with app.run_test(size=size) as pilot:
        screen = await opened(pilot)
        ledger = screen.query_one(Ledger)
        assert ledger.max_scroll_x == 0
        seen: list[object] = []
        while ledger.marked not in seen:
            seen.append(ledger.marked)
            assert ledger.highlighted is not None
            top = ledger._index_to_line[ledger.highlighted]
            assert ledger.scroll_y <= top < ledger.scroll_y + ledger.size.height
            ledger.action_cursor_down()
        kinds = {type(target) for target in seen}
        assert kinds == {SectionTarget, Chart, MistakeTarget, TimeTarget}
        assert len([target for target in seen if isinstance(target, SectionTarget)]) == 23


async def test_a_log_that_can_not_be_read_is_told(with_answers: MakeApp, monkeypatch: pytest.MonkeyPatch) -> None:
    app = with_answers(on(1, drill("scale-row")))

    def broken(log: Log) -> tuple[object, ...]:
        return tuple(log.query("SELECT nothing FROM nowhere"))

    async with app.run_test(size=(80, 24)) as pilot:
        monkeypatch.setattr(overview, "by_day", broken)
        app.open(ProgressPlace())
        await until(pilot, lambda: "can't be read" in text_of(app))
        await pilot.press("down", "enter", "2", "escape")
        assert not isinstance(app.screen, ProgressScreen)


# The looks

SCENES: Mapping[str, tuple[tuple[int, int], str, list[str]]] = {
    "map": ((80, 24), "night", ["down"]),
    "days": ((80, 24), "plain", ["2", "left", "left"]),
    "wide": ((120, 40), "day", ["4"]),
    "wide-map": ((120, 40), "night", []),
}


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("scene", SCENES)
def test_looks(
    snap_compare: Callable[..., bool],
    with_answers: MakeApp,
    monkeypatch: pytest.MonkeyPatch,
    scene: str,
    language: Language,
) -> None:
    size, theme, keys = SCENES[scene]
    monkeypatch.setattr("quizapp.planning.course_of", lambda bank: _same_course())

    async def play(pilot: Pilot[None]) -> None:
        await opened(pilot)
        await pilot.press(*keys)
        await pilot.pause(0.2)

    assert snap_compare(with_answers(LOOKED_AT, language, theme), terminal_size=size, run_before=play)


NAMES = ("scale-row", "softmax-row", "score-matrix", "attention-by-hand")


def _same_course() -> tuple[CourseItem, ...]:
    """A course that stays as it is, whatever is added to the bank."""
    items = []
    for number in range(1, 24):
        items.append(CourseItem(Item(f"Q{number}"), f"7.{number}"))
        items += [CourseItem(Item(name), f"7.{number}") for name in NAMES if DRILLS[name].section == f"7.{number}"]
    return tuple(items)


def _evenings() -> list[Event]:
    """Answers of a few weeks."""
    events: list[Event] = []
    for day in range(40, -1, -1):
        for number in range(0 if day % 6 == 5 else 1 + day * 7 % 11):
            name = NAMES[(day + number) % 4]
            wrong = (day + number) % 3 == 0
            mistake = ("scale.not-scaled", "scores.transposed")[number % 2] if wrong else None
            outcome = Outcome.KNOWN_MISTAKE if wrong else Outcome.RIGHT
            events += on(day, drill(name, outcome, 20 + 3 * (day * number % 17), mistake))
    return events


LOOKED_AT = _evenings()


# The shell


@pytest.fixture
def at_home(monkeypatch: pytest.MonkeyPatch, paths: Paths) -> None:
    monkeypatch.setattr("quizapp.events.system_clock", lambda: NOW)
    with Log(find_paths().progress, lambda: NOW) as log:
        log.merge(LOOKED_AT)


def test_the_shell_shows_the_same_figures(at_home: None) -> None:
    expected = overview_of(LOOKED_AT)
    found = quiz("--json", "progress", "show").json
    assert [(each["section"], each["right"], each["answers"]) for each in found["sections"]] == [
        (each.section, each.score.right, each.score.answers) for each in expected.sections
    ]
    assert sum(day["answers"] for day in found["days"]) == found["answers"] == len(LOOKED_AT)
    assert [each["id"] for each in found["mistakes"]] == [each.mistake for each in expected.mistakes]
    assert {each["drill"] for each in found["times"]} == {each.drill.drill for each in expected.times}


@pytest.mark.parametrize(
    ("language", "expected"),
    [("en", ["7.9   Scaling", "of the course remembered", "You didn't divide by √d_k"]), ("zh", ["7.9   缩放", "你没有除以"])],
)
def test_the_shell_says_it_in_both_languages(at_home: None, language: str, expected: list[str]) -> None:
    ran = quiz("--lang", language, "progress", "show")
    assert ran.code == 0
    for each in expected:
        assert each in ran.out


def test_without_progress_the_shell_says_so() -> None:
    ran = quiz("progress", "show")
    assert ran.code == 2
    assert "no progress yet" in ran.err
