"""The drill screen: answering, verdicts, steps, variants, both languages."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest
from textual import events
from textual.pilot import Pilot

from question_bank import draw, problem
from question_bank.drills import DRILLS
from question_bank.exact import show
from question_bank.problem import Problem
from question_bank.text import Language
from quizapp import wording
from quizapp.app import QuizApp
from quizapp.events import DrillAnswered
from quizapp.paths import Paths
from quizapp.progress import Log
from quizapp.screens.drill import DrillScreen, Stage
from quizapp.screens.places import DrillPlace
from quizapp.solver_process import DIED, SolverError
from solvers.grading import grade
from solvers.verdict import Outcome
from tests.quizapp.conftest import DirectSolver, footer_of, says, text_of, type_text, until

MakeApp = Callable[..., QuizApp]
SIZE = (80, 24)


async def open_drill(pilot: Pilot[None], drill: str, level: int = 1, code: str | None = None) -> DrillScreen:
    """Open a drill; its first variant is the one that ``first`` draws, or the one that a code names."""
    app = pilot.app
    assert isinstance(app, QuizApp)
    app.open(DrillPlace(drill, level, code))
    await until(pilot, lambda: isinstance(app.screen, DrillScreen) and app.screen._problem is not None and app.screen._fields)
    await until(pilot, lambda: app.focused is not None)
    screen = app.screen
    assert isinstance(screen, DrillScreen)
    return screen


def first(drill: str, level: int = 1) -> Problem:
    return draw(drill, level, "1")


def right(problem: Problem) -> list[str]:
    return [part.expected.en for part in grade(problem, [None] * len(problem.program.asks)).parts]


async def verdict(pilot: Pilot[None], screen: DrillScreen) -> None:
    await until(pilot, lambda: screen._stage is Stage.MARKED)
    await pilot.pause()


def answers_on_disk(paths: Paths) -> list[DrillAnswered]:
    with Log(paths.progress) as log:
        return [event.what for event in log.recent() if isinstance(event.what, DrillAnswered)]


def halved(problem: Problem) -> str:
    """Divide the scores by d_k in place of its root."""
    values = dict(problem.program.inputs)
    row, width = values["s"], values["d_k"]
    assert isinstance(row, tuple)
    return " ".join(show(Fraction(number) / width) for number in row)  # type: ignore[arg-type]


WAYS = [
    ("softmax-row", lambda problem: right(problem)[0], Outcome.RIGHT, ["✓"]),
    ("softmax-row", lambda problem: "0.1 0.1 0.1", Outcome.WRONG, ["✗", "yours", "right", "0.1✗"]),
    ("scale-row", halved, Outcome.KNOWN_MISTAKE, ["✗", "yours", "right"]),
    ("score-entry", lambda problem: right(problem)[0], Outcome.RIGHT, ["✓"]),
    ("kv-cache-bytes", lambda problem: right(problem)[0], Outcome.RIGHT, ["✓"]),
    ("kv-cache-bytes", lambda problem: "1 B", Outcome.WRONG, ["✗", "yours", "right"]),
]


@pytest.mark.parametrize(("drill", "answer", "outcome", "shown"), WAYS)
async def test_one_line_answers(
    make_app: MakeApp, paths: Paths, drill: str, answer: Callable[[Problem], str], outcome: Outcome, shown: list[str]
) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await open_drill(pilot, drill)
        await type_text(pilot, answer(first(drill)))
        await pilot.press("enter")
        await verdict(pilot, screen)
        for text in shown:
            assert text in text_of(app)
        expected = grade(first(drill), [answer(first(drill))])
        assert expected.outcome is outcome
        assert says(app, expected.message)
        [kept] = answers_on_disk(paths)
        assert (kept.code, kept.outcome) == (first(drill).code, outcome)


@pytest.mark.parametrize("language", Language)
async def test_a_known_mistake_is_named_in_one_sentence(make_app: MakeApp, language: Language) -> None:
    app = make_app(language)
    async with app.run_test(size=SIZE) as pilot:
        screen = await open_drill(pilot, "scale-row")
        await type_text(pilot, halved(first("scale-row")))
        await pilot.press("enter")
        await verdict(pilot, screen)
        sentence = grade(first("scale-row"), [halved(first("scale-row"))]).message
        assert says(app, sentence)


@pytest.mark.parametrize("typed", ["注意力0.5", "0.1 0.2", "1,,2", "[b]0.1 0.2 0.3[/b]", "-"])
async def test_what_cannot_be_read_stays_and_costs_nothing(make_app: MakeApp, paths: Paths, typed: str) -> None:
    solver = DirectSolver()
    app = make_app(solver=solver)
    async with app.run_test(size=SIZE) as pilot:
        screen = await open_drill(pilot, "softmax-row")
        await type_text(pilot, typed)
        await pilot.press("enter")
        await until(pilot, lambda: solver.calls and screen._stage is Stage.ANSWERING)
        await pilot.pause()
        field = screen._fields[0]
        assert field.text == typed
        assert field._echo.has_class("almost")
        assert not answers_on_disk(paths)
        await type_text(pilot, "x")
        assert field.text == typed + "x"  # the focus is still there


def coarse_case() -> tuple[Problem, str]:
    """Find a problem whose answer to two decimals is right so far, not by chance within the tolerance."""
    for seed in range(100):
        candidate = problem("softmax-row", 2, seed)
        answer = "; ".join(f"{float(cell):.2f}" for cell in right(candidate)[0].strip("[]").split(","))
        if grade(candidate, [answer]).outcome is Outcome.COARSE:
            return candidate, answer
    raise AssertionError("no such problem")


async def test_a_coarse_answer_is_told_so_and_costs_nothing(make_app: MakeApp, paths: Paths) -> None:
    shown, coarse = coarse_case()
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await open_drill(pilot, "softmax-row", 2, shown.code)
        assert shown.code in text_of(app)
        await type_text(pilot, coarse)
        await pilot.press("enter")
        await until(pilot, lambda: screen._fields[0]._echo.has_class("almost"))
        await pilot.pause()
        assert says(app, grade(shown, [coarse]).parts[0].message)
        assert screen._fields[0].text == coarse
        assert not answers_on_disk(paths)


async def test_enter_three_times_fast_hands_in_once_and_leaves_the_verdict(make_app: MakeApp, paths: Paths) -> None:
    solver = DirectSolver()
    app = make_app(solver=solver)
    async with app.run_test(size=SIZE) as pilot:
        screen = await open_drill(pilot, "softmax-row")
        await type_text(pilot, right(first("softmax-row"))[0])
        await pilot.press("enter", "enter", "enter")
        await verdict(pilot, screen)
        await pilot.press("enter")
        await pilot.pause()
        assert len(solver.calls) == 1
        assert len(answers_on_disk(paths)) == 1
        assert screen._problem == first("softmax-row")
        assert "✓" in text_of(app)


async def test_enter_on_an_empty_field_does_nothing(make_app: MakeApp) -> None:
    solver = DirectSolver()
    app = make_app(solver=solver)
    async with app.run_test(size=SIZE) as pilot:
        screen = await open_drill(pilot, "softmax-row")
        await pilot.press("enter")
        await type_text(pilot, "  ")
        await pilot.press("enter")
        await pilot.pause()
        assert not solver.calls
        assert screen._stage is Stage.ANSWERING


async def test_every_command_letter_is_text_while_typing(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await open_drill(pilot, "softmax-row")
        typed = "nrsdclq?/1234hueｌｎ１"
        await type_text(pilot, typed)
        assert screen._fields[0].text == typed
        assert app.language is Language.EN
        assert screen._problem == first("softmax-row")


@pytest.mark.parametrize("key", ["d", "ｄ", "D"])
async def test_dont_know_shows_the_solution(make_app: MakeApp, paths: Paths, key: str) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await open_drill(pilot, "score-matrix")
        await pilot.press("escape", key)
        await verdict(pilot, screen)
        assert answers_on_disk(paths)[0].outcome is Outcome.GIVEN_UP
        assert "right" in text_of(app)


AFTER = [
    ("n", "2"),
    ("ｎ", "2"),
    ("r", "1"),
    ("ｒ", "1"),
]


@pytest.mark.parametrize(("key", "choice"), AFTER)
async def test_next_and_again(make_app: MakeApp, key: str, choice: str) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await open_drill(pilot, "score-matrix")
        await pilot.press("escape", "d")
        await verdict(pilot, screen)
        await pilot.press(key)
        await until(pilot, lambda: screen._stage is Stage.ANSWERING and screen._fields)
        await pilot.pause()
        assert screen._problem == draw("score-matrix", 1, choice)
        assert screen._fields[0].is_blank
        assert screen.focused is not None
        assert draw("score-matrix", 1, choice).code in text_of(app)


async def test_enter_goes_on_once_the_verdict_has_stood_for_a_moment(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await open_drill(pilot, "score-matrix")
        await pilot.press("escape", "d")
        await verdict(pilot, screen)
        screen._marked_at -= 10
        await pilot.press("enter")
        await until(pilot, lambda: screen._problem == draw("score-matrix", 1, "2"))


@pytest.mark.parametrize(("key", "level"), [("2", 2), ("３", 3)])
async def test_levels(make_app: MakeApp, key: str, level: int) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await open_drill(pilot, "score-matrix")
        await pilot.press("escape", key)
        await until(pilot, lambda: screen._problem is not None and screen._problem.level == level)
        await pilot.press("escape", "4")
        await pilot.pause()
        assert screen._problem is not None
        assert screen._problem.level == level  # the drill has no level 4


async def test_steps_unfold_one_by_one(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(80, 40)) as pilot:
        screen = await open_drill(pilot, "attention-output")
        await pilot.press("escape")
        await pilot.press("s")
        await pilot.pause()
        assert not screen.query(".step")  # not before the verdict
        await pilot.press("d")
        await verdict(pilot, screen)
        steps = await app.solver.work(first("attention-output"))
        for number in range(1, len(steps) + 1):
            await pilot.press("s")
            await until(pilot, lambda number=number: len(screen.query(".step")) == number)
            await pilot.pause()
            assert f"{number}/{len(steps)}" in text_of(app)
            assert steps[number - 1].title.en in text_of(app)
            assert steps[number - 1].section in text_of(app).split()
        await pilot.press("s")
        await pilot.pause()
        assert len(screen.query(".step")) == len(steps)
        assert "Step" not in footer_of(app)


@pytest.mark.parametrize("key", ["l", "ｌ"])
async def test_language_switch_keeps_text_focus_verdict_and_steps(make_app: MakeApp, key: str) -> None:
    app = make_app()
    async with app.run_test(size=(80, 60)) as pilot:
        screen = await open_drill(pilot, "softmax-row")
        await type_text(pilot, "0.1 0.2 0.3")
        await pilot.press("escape", key)
        await pilot.pause()
        assert app.language is Language.ZH
        assert screen._fields[0].text == "0.1 0.2 0.3"
        assert "读作" not in text_of(app)  # the echo shows only while typing
        await pilot.press("tab")
        await pilot.pause()
        assert "读作" in text_of(app)
        await pilot.press("escape", "enter")
        await verdict(pilot, screen)
        await pilot.press("s")
        await until(pilot, lambda: screen.query(".step"))
        await pilot.pause()
        for expected in ("你的答案", "正确答案", "下一题", "0.1✗"):
            assert expected in text_of(app)
        await pilot.press(key)
        await pilot.pause()
        shown = text_of(app)
        for expected in ("yours", "right", "Next", "0.1✗", "1/1"):
            assert expected in shown
        assert not any("\u4e00" <= symbol <= "\u9fff" for symbol in shown.replace("中文", ""))


async def test_the_code_is_copied(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await open_drill(pilot, "softmax-row")
        await pilot.press("escape", "c")
        await pilot.pause()
        assert app.clipboard == first("softmax-row").code


async def test_a_solver_that_fails_takes_nothing_away(make_app: MakeApp, paths: Paths) -> None:
    solver = DirectSolver()
    solver.error = SolverError(DIED)
    app = make_app(solver=solver)
    async with app.run_test(size=SIZE) as pilot:
        screen = await open_drill(pilot, "softmax-row")
        await type_text(pilot, "0.1 0.2 0.7")
        await pilot.press("enter")
        await until(pilot, lambda: says(app, DIED))
        assert screen._fields[0].text == "0.1 0.2 0.7"
        assert not answers_on_disk(paths)
        solver.error = None
        await pilot.press("enter")
        await verdict(pilot, screen)


async def test_keys_still_work_while_an_answer_is_marked(make_app: MakeApp) -> None:
    solver = DirectSolver()
    solver.open.clear()
    app = make_app(solver=solver)
    async with app.run_test(size=SIZE) as pilot:
        screen = await open_drill(pilot, "softmax-row")
        await type_text(pilot, "0.1 0.2 0.7")
        await pilot.press("enter")
        await until(pilot, lambda: wording.MARKING.en in text_of(app))
        await pilot.press("l")
        await until(pilot, lambda: wording.MARKING.zh in text_of(app))
        await pilot.press("enter", "d", "n")
        assert len(solver.calls) == 1
        solver.open.set()
        await verdict(pilot, screen)


async def test_leaving_while_an_answer_is_marked_keeps_the_answer(make_app: MakeApp, paths: Paths) -> None:
    solver = DirectSolver()
    app = make_app(solver=solver)
    async with app.run_test(size=SIZE) as pilot:
        await open_drill(pilot, "softmax-row")
        await type_text(pilot, right(first("softmax-row"))[0])
        solver.open.clear()
        await pilot.press("enter")
        await until(pilot, lambda: solver.calls)
        await pilot.press("escape")
        await pilot.pause()
        solver.open.set()
        await until(pilot, lambda: answers_on_disk(paths))


async def test_a_log_that_cannot_be_written_is_told_and_the_verdict_is_shown(make_app: MakeApp, paths: Paths) -> None:
    paths.data.mkdir(parents=True)
    paths.progress.write_text("this is no database, and has been here for long enough to be left alone")
    app = make_app()
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await until(pilot, lambda: any("progress.db" in notice.message for notice in app._notifications))
        screen = await open_drill(pilot, "softmax-row")
        await type_text(pilot, right(first("softmax-row"))[0])
        await pilot.press("enter")
        await verdict(pilot, screen)
        assert "✓" in text_of(app)
    assert paths.progress.read_text().startswith("this is no database")


@pytest.mark.parametrize("key", ["n", "2", "escape"])
async def test_typed_answers_are_not_thrown_away_by_one_key(make_app: MakeApp, key: str) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await open_drill(pilot, "softmax-row")
        await type_text(pilot, "0.1 0.2")
        await pilot.press("escape", key)
        await pilot.pause()
        assert app.screen is screen
        assert screen._fields[0].text == "0.1 0.2"
        assert any(wording.TYPED_LOST.en in notice.message for notice in app._notifications)
        await pilot.press("left", key)  # another key takes it back
        await pilot.pause()
        assert app.screen is screen
        assert screen._fields[0].text == "0.1 0.2"
        await pilot.press(key)
        await until(pilot, lambda: app.screen is not screen or screen._problem != first("softmax-row"))


async def test_giving_up_with_everything_filled_in_asks_first(make_app: MakeApp) -> None:
    solver = DirectSolver()
    app = make_app(solver=solver)
    async with app.run_test(size=SIZE) as pilot:
        screen = await open_drill(pilot, "softmax-row")
        await type_text(pilot, "0.1 0.2 0.7")
        await pilot.press("escape", "d")
        await pilot.pause()
        assert not solver.calls
        await pilot.press("d")
        await verdict(pilot, screen)
        assert solver.calls == [(None,)]


@pytest.mark.parametrize("key", ["n", "r"])
async def test_what_is_typed_at_once_after_a_key_goes_into_the_new_field(make_app: MakeApp, key: str) -> None:
    solver = DirectSolver()
    app = make_app(solver=solver)
    async with app.run_test(size=SIZE) as pilot:
        screen = await open_drill(pilot, "softmax-row")
        await pilot.press("escape", "d")
        await verdict(pilot, screen)
        driver = app._driver
        assert driver is not None
        for character in f"{key}1 2 3":
            driver.send_message(events.Key("space" if character == " " else character, character))
        driver.send_message(events.Key("enter", "\r"))
        await until(pilot, lambda: solver.calls[-1] == ("1 2 3",))
        await verdict(pilot, screen)
        assert screen._problem is not None
        assert screen._problem.level == 1


async def test_hints_come_one_by_one_and_are_counted(make_app: MakeApp, paths: Paths) -> None:
    app = make_app()
    async with app.run_test(size=(80, 40)) as pilot:
        screen = await open_drill(pilot, "scale-row")
        hints = DRILLS["scale-row"].hints
        assert len(hints) == 3
        await pilot.press("h")
        assert not screen.query(".hint")  # in the field it's a letter
        await pilot.press("backspace", "escape", "h", "h")
        await until(pilot, lambda: len(screen.query(".hint")) == 2)
        assert says(app, hints[0])
        assert says(app, hints[1])
        assert not says(app, hints[2])
        await pilot.press("d")
        await until(pilot, lambda: screen._stage is Stage.MARKED)
        assert not says(app, hints[2])
        await pilot.press("h", "n")
        await until(pilot, lambda: screen._stage is Stage.ANSWERING)
        assert not screen.query(".hint")
    with Log(paths.progress) as log:
        (event,) = [each for each in log.recent() if isinstance(each.what, DrillAnswered)]
    assert isinstance(event.what, DrillAnswered)
    assert event.what.hints == 2
