"""Sheets in the application: made from home and from what was wrong, opened, answered, marked."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from pypdf import PdfReader
from textual.pilot import Pilot

from question_bank import draw
from question_bank.problem import Problem
from question_bank.text import Language, Text
from quizapp import wording_paper as wording
from quizapp.app import QuizApp
from quizapp.events import Item, drill_answered
from quizapp.interview.paper import source, write_pdf
from quizapp.marking.recent import recent
from quizapp.paths import Paths
from quizapp.progress import open_log
from quizapp.screens.closing import ClosingScreen
from quizapp.screens.drill import DrillScreen
from quizapp.screens.home import HomeScreen
from quizapp.screens.home_sheet import interview_sheet, wrong_sheet
from quizapp.screens.make_sheet import MakeSheetScreen
from quizapp.screens.places import MakeSheetPlace, SheetPlace
from quizapp.screens.sheet_answers import AnswersScreen
from quizapp.screens.sheet_marks import MarksScreen
from quizapp.screens.sheets import PathLine, PeopleScreen, SheetsScreen
from quizapp.settings import Settings
from quizapp.sheets import record
from quizapp.sheets.plan import Copy, Languages, Paper, Sheet
from quizapp.sheets.wish import Wish, plan
from quizapp.sitting import Done, Sitting, Spot
from quizapp.widgets.answer import AnswerField
from quizapp.widgets.setting_rows import PickRow
from quizapp.widgets.stops import Link
from quizapp.wrong_answers import wrong_spots
from solvers.grading import grade
from solvers.worked import answers
from tests.quizapp.conftest import DirectSolver, footer_of, says, text_of, type_text, until
from tests.quizapp.interviews import SCRIPT, held, report_of
from tests.quizapp.test_today import DAY, NOON, HandClock, answer, at_item, go_on, start, tell

SIZE = (80, 24)
SCALE, SOFT = draw("scale-row", 2, "s"), draw("softmax-row", 2, "s")
MakeApp = Callable[..., QuizApp]


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")


def written(path: Path, *people: str, problems: tuple[Problem, ...] = (SCALE, SOFT)) -> Path:
    copies = tuple(Copy(person, problems) for person in people or ("",))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(record.write(Sheet("A [sheet]", Languages.EN, Paper.A4, "s", copies)), "utf-8")
    return path


async def at_problem(pilot: Pilot[None], app: QuizApp, shown: Problem) -> None:
    await until(pilot, lambda: isinstance(app.screen, AnswersScreen) and shown.code in text_of(app) and app.focused)
    await until(pilot, lambda: not app.screen._turning)  # type: ignore[attr-defined]


# Opening ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", Language)
async def test_a_sheet_is_picked_answered_and_marked(make_app: MakeApp, language: Language) -> None:
    app = make_app(language)
    written(app.paths.sheets / "s.json")
    async with app.run_test(size=SIZE) as pilot:
        app.open(SheetPlace())
        await until(pilot, lambda: isinstance(app.focused, Link))
        assert "A [sheet]" in text_of(app)
        await pilot.press("enter")
        await at_problem(pilot, app, SCALE)
        await type_text(pilot, f"{answers(SCALE)[0].strip('[]')}\n")
        await at_problem(pilot, app, SOFT)
        assert says(app, wording.OF.fill(place=2, total=2))
        await type_text(pilot, "1 2\n")
        await pilot.pause()
        assert isinstance(app.screen, AnswersScreen)
        await pilot.press("escape", "p")
        await at_problem(pilot, app, SCALE)
        assert app.screen.query_one(AnswerField).text == answers(SCALE)[0].strip("[]")
        assert app.screen.at_stake() is not None
        await pilot.press("escape", "m")
        await until(pilot, lambda: isinstance(app.screen, MarksScreen))
        await until(pilot, lambda: says(app, wording.MARKS_OF.fill(marks=1, possible=2)))
        assert "?" in text_of(app)
        await pilot.press("l")
        other = Language.ZH if language is Language.EN else Language.EN
        assert app.language is other
        assert says(app, wording.MARKS_OF.fill(marks=1, possible=2))
        await pilot.press("x")
        await until(pilot, lambda: list(app.paths.sheets.glob("marks-*.md")))
        assert "1 2" in next(app.paths.sheets.glob("marks-*.md")).read_text("utf-8")
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, AnswersScreen))
        assert app.screen.at_stake() is None


async def test_what_cannot_be_read_stays_and_a_blank_is_asked_about_once(make_app: MakeApp) -> None:
    app = make_app()
    path = written(app.paths.sheets / "s.json")
    async with app.run_test(size=SIZE) as pilot:
        app.open(SheetPlace(str(path)))
        await at_problem(pilot, app, SCALE)
        await type_text(pilot, "abc\n")
        await pilot.pause()
        await at_problem(pilot, app, SCALE)
        assert "not part of a number" in " ".join(text_of(app).split())
        assert app.screen.query_one(AnswerField).text == "abc"
        await pilot.press(*["backspace"] * 3, "escape", "m")
        assert isinstance(app.screen, AnswersScreen)
        await pilot.press("m")
        await until(pilot, lambda: isinstance(app.screen, MarksScreen))
        await until(pilot, lambda: says(app, wording.MARKS_OF.fill(marks=0, possible=2)))
        assert text_of(app).count("–") >= 2
        await pilot.press("down", "enter")
        await until(pilot, lambda: isinstance(app.screen, DrillScreen) and SCALE.code in text_of(app))


async def test_a_path_is_typed_and_a_class_is_asked_whose(make_app: MakeApp, tmp_path: Path) -> None:
    app = make_app()
    written(tmp_path / "far" / "class.json", "Ada", "张三")
    async with app.run_test(size=SIZE) as pilot:
        app.open(SheetPlace())
        await until(pilot, lambda: isinstance(app.focused, PathLine))
        await until(pilot, lambda: says(app, wording.NONE_RECENT))
        await type_text(pilot, f"{tmp_path}/far/none.json\n")
        await until(pilot, lambda: "can't be read" in " ".join(text_of(app).split()))
        assert isinstance(app.screen, SheetsScreen)
        await pilot.press(*["backspace"] * len("none.json"))
        await type_text(pilot, "class.pdf\n")
        await until(pilot, lambda: isinstance(app.screen, PeopleScreen))
        await pilot.press("down", "enter")
        await at_problem(pilot, app, SCALE)


def test_recent_sheets_are_found_and_other_files_passed_over(tmp_path: Path) -> None:
    for number in range(12):
        written(tmp_path / f"{number}.json", *(["Ada", "Bob"] if number else []))
    (tmp_path / "other.json").write_text("{}", "utf-8")
    (tmp_path / "broken.json").write_text("{", "utf-8")
    found = recent([tmp_path, tmp_path / "none"])
    assert len(found) == 9
    assert {(each.title, each.problems) for each in found} == {("A [sheet]", 2)}


# Making ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", Language)
async def test_a_section_of_home_becomes_a_pdf_that_can_be_answered(make_app: MakeApp, language: Language) -> None:
    app = make_app(language)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("slash")
        await type_text(pilot, "scale-row")
        await pilot.press("escape")
        await pilot.pause()
        while "w " not in footer_of(app) or "7.9" not in (marked_line(app)):
            await pilot.press("down")
        await pilot.press("w")
        await until(pilot, lambda: isinstance(app.screen, MakeSheetScreen))
        await pilot.press("enter")
        await until(pilot, lambda: list(app.paths.sheets.glob("*.json")), seconds=60)
        await until(pilot, lambda: says(app, wording.OPEN_IT))
        [pdf] = app.paths.sheets.glob("*.pdf")
        sheet = record.load(pdf.with_suffix(".json"))
        assert len(sheet.copies[0].problems) == 6
        assert sheet.languages.value == language.value
        text = "".join(page.extract_text() for page in PdfReader(pdf).pages)
        assert [code in text for code in sheet.copies[0].codes] == [True] * 6
        await pilot.press("down", "enter")
        await at_problem(pilot, app, sheet.copies[0].problems[0])


@pytest.mark.parametrize("language", Language)
async def test_where_no_sheet_can_be_made_the_key_says_so_and_is_not_offered(make_app: MakeApp, language: Language) -> None:
    app = make_app(language)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("w")
        await until(pilot, lambda: bool(app._notifications))
        [said] = app._notifications
        assert "".join(said.message.split()) == "".join(wording.NO_SHEET_OF_THIS[language].split())
        assert isinstance(app.screen, HomeScreen)
        assert wording.SHEET[language] not in footer_of(app)


def marked_line(app: QuizApp) -> str:
    from quizapp.widgets.contents import Contents

    contents = app.screen.query_one(Contents)
    return str(contents.get_option_at_index(contents.highlighted or 0).prompt)


async def test_the_form_says_what_is_chosen(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        app.open(MakeSheetPlace.of(wording.TITLE_WRONG, (SCALE, SOFT), (7,)))
        await until(pilot, lambda: isinstance(app.screen, MakeSheetScreen) and app.focused is not None)
        screen = app.screen
        assert isinstance(screen, MakeSheetScreen)
        wish = screen.wish
        assert (wish.drills, wish.codes, wish.count, [each.id for each in wish.questions]) == (
            (("scale-row", 2), ("softmax-row", 2)), (), 6, ["Q7"],
        )  # fmt: skip
        while not (isinstance(app.focused, PickRow) and app.focused.setting == "numbers"):
            await pilot.press("down")
        await pilot.press("right")
        assert screen.wish.codes == (SCALE.code, SOFT.code)
        assert [row.setting for row in screen.query(PickRow) if not row.display] == ["count", "level"]


@pytest.mark.parametrize(
    ("wish", "codes"),
    [
        (Wish(Text("t", "t"), (("scale-row", 1),), count=4), 4),
        (Wish(Text("t", "t"), (("scale-row", 1), ("softmax-row", 1)), level=3, count=6), 6),
        (Wish(Text("t", "t"), (("scale-row", 1),), codes=(SOFT.code, SOFT.code)), 1),
        (Wish(Text("t", "t"), (), codes=("softmax-row.2.00000",)), 0),
    ],
)
def test_what_a_wish_gives(wish: Wish, codes: int) -> None:
    [copy] = plan(wish, "seed").copies
    assert len(set(copy.codes)) == len(copy.codes)
    assert len(copy.codes) == codes
    assert plan(wish, "seed") == plan(wish, "seed")
    assert {each.level for each in copy.problems} <= {wish.level or each.level for each in copy.problems}


# Interviews ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", Language)
def test_a_report_prints_with_what_was_typed_as_it_is(language: Language, tmp_path: Path) -> None:
    odd = 'to keep the variance at 1; $x$ #let a = [1] \\ "q" 段落'
    report = report_of(held([("1",) if turn.code else odd for turn in SCRIPT.turns]))
    path = tmp_path / "new" / "report.pdf"
    assert write_pdf(report, language, path) is None
    reader = PdfReader(path)
    text = "".join("".join(page.extract_text() for page in reader.pages).split())
    for wanted in (odd, report.threads[0].drills[0].code, f"Q{report.threads[0].number}"):
        assert "".join(wanted.split()) in text
    assert source(report, language).count("#part(") == 1 + len(SCRIPT.turns)
    assert write_pdf(report, language, tmp_path) is not None, "a folder"
    place = interview_sheet(report)
    assert place is not None
    assert [code in place.codes for thread in report.threads for code in [part.code for part in thread.drills]].count(
        False
    ) == 0


# A session -------------------------------------------------------------------------------------------------------------


def test_what_was_wrong_in_a_session_becomes_a_sheet(tmp_path: Path) -> None:
    now = datetime(2026, 11, 30, 12, tzinfo=UTC)
    with open_log(tmp_path / "progress.db", lambda: now) as log:
        typed = ((SCALE, "9 9 9"), (SOFT, answers(SOFT)[0]))
        ids = [log.record(drill_answered(each, grade(each, [text]), 1.0)).id for each, text in typed]
        spots = [Spot(Item(each.drill), now, each.code, answer=id) for each, id in zip((SCALE, SOFT), ids, strict=True)]
        sitting = Sitting(now.date(), (), None, tuple(Done(spot, comes_again=False) for spot in spots))
        wrong = wrong_spots(log, sitting)
    assert [spot.code for spot in wrong] == [SCALE.code]
    place = wrong_sheet(wrong)
    assert place is not None
    assert (place.drills, place.codes) == ((("scale-row", 2),), (SCALE.code,))
    assert wrong_sheet(()) is None


async def test_the_page_at_the_end_of_a_session_leads_to_a_pdf_of_what_was_wrong(paths: Paths) -> None:
    clock = HandClock(NOON - timedelta(days=5))
    tell(paths, clock, ("softmax-row", DAY))
    clock.now = NOON
    numbers = iter(range(1, 1000))
    app = QuizApp(
        paths, Settings(Language.EN, "night", daily=0), choice=lambda: str(next(numbers)), solver=DirectSolver(),
        cursor_blink=False, clock=clock,
    )  # fmt: skip
    async with app.run_test(size=(80, 40)) as pilot:
        first = await start(app, pilot)
        await answer(pilot, first, well=False)
        await go_on(pilot, first)
        again = await at_item(app, pilot, first)
        await answer(pilot, again)
        await go_on(pilot, again)
        await until(pilot, lambda: isinstance(app.screen, ClosingScreen) and says(app, wording.FROM_WRONG))
        closing = app.screen
        [link] = [link for link in closing.query(Link) if isinstance(link.target, MakeSheetPlace)]
        link.focus()
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, MakeSheetScreen) and app.focused is not None)
        await pilot.press("enter")
        await until(pilot, lambda: says(app, wording.OPEN_IT), seconds=60)
        [pdf] = paths.sheets.glob("*.pdf")
        assert str(pdf) in "".join(text_of(app).replace("│", "").split())
        [copy] = record.load(pdf.with_suffix(".json")).copies
        assert {each.drill for each in copy.problems} == {"softmax-row"}
        text = "".join(page.extract_text() for page in PdfReader(pdf).pages)
        assert [code in text for code in copy.codes] == [True] * 6
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is closing)
