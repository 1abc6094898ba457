"""The self-check screen: choosing an operation, giving numbers, the verdict, the steps, both languages."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from textual import events
from textual.pilot import Pilot

from question_bank.own_numbers import TEMPLATES
from question_bank.text import Language
from quizapp import wording as general
from quizapp.app import QuizApp
from quizapp.events import SelfChecked
from quizapp.paths import Paths
from quizapp.progress import Log
from quizapp.screens.check import CheckScreen, Operation
from quizapp.screens.home import HomeScreen
from quizapp.screens.places import CheckPlace
from quizapp.solver_process import SolverError
from quizapp.widgets.own_fields import OwnField
from quizapp.widgets.own_form import OwnForm
from quizapp.widgets.verdict import VerdictView
from solvers.verdict import Outcome
from tests.quizapp.conftest import DirectSolver, footer_of, text_of, type_text, until

MakeApp = Callable[..., QuizApp]
SIZE = (80, 24)
QUERIES, KEYS, VALUES = "1 0\n1 1\n2 1", "0 1\n1 0\n1 1", "1 0\n0 1\n1 1"
OUTPUT = "0.599 0.802; 0.752 0.752; 0.716 0.860"
PRINTOUT = "tensor([[0.5989, 0.8022],\n        [0.7517, 0.7517],\n        [0.7160, 0.8600]], dtype=torch.float64)"


async def opened(app: QuizApp, pilot: Pilot[None], operation: str | None = None) -> CheckScreen:
    app.open(CheckPlace())
    await until(pilot, lambda: isinstance(app.screen, CheckScreen) and app.focused)
    assert isinstance(app.screen, CheckScreen)
    await pilot.pause()
    if operation is not None:
        await pilot.press(*["down"] * list(TEMPLATES).index(operation), "enter")
        await until(pilot, lambda: app.screen.query_one(OwnForm).display)
        await pilot.pause()
    return app.screen


def fields(app: QuizApp) -> dict[str, OwnField]:
    return {field.key: field for field in app.screen.query(OwnField)}


def echo(app: QuizApp, name: str, language: Language = Language.EN) -> str:
    text = fields(app)[name].echo.text
    return text[language] if text is not None else ""


async def paste(app: QuizApp, pilot: Pilot[None], name: str, text: str) -> None:
    fields(app)[name].area.focus()
    await pilot.pause()
    app.post_message(events.Paste(text))
    await pilot.pause()


async def fill(app: QuizApp, pilot: Pilot[None], **texts: str) -> None:
    for name, text in texts.items():
        fields(app)[name].area.put(text)
    await pilot.pause()


async def verdict(app: QuizApp, pilot: Pilot[None], *keys: str) -> str:
    await pilot.press(*(keys or ("escape", "enter")))
    await until(pilot, lambda: app.screen.query(VerdictView))
    await pilot.pause()
    return text_of(app)


def checked(paths: Paths) -> list[SelfChecked]:
    with Log(paths.progress) as log:
        return [event.what for event in log.recent() if isinstance(event.what, SelfChecked)]


async def test_every_operation_can_be_chosen_and_takes_its_own_example(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(80, 70)) as pilot:
        await opened(app, pilot)
        for template in TEMPLATES.values():
            await until(pilot, lambda: isinstance(app.focused, Operation))
            operation = next(each for each in app.screen.query(Operation) if each.template is template)
            operation.focus()
            await pilot.press("enter")
            await until(pilot, lambda: app.screen.query_one(OwnForm).display)
            await pilot.pause()
            examples = {field.name: field.example for field in template.fields if field.required}
            assert set(examples) <= set(fields(app))
            await fill(app, pilot, **examples)
            assert not app.screen.query(".echo.almost")
            shown = await verdict(app, pilot)
            assert re.search(r"right +[\[⎡⎢⎣]", shown), template.id
            await pilot.press("o")
            await pilot.pause()


async def test_attention_end_to_end(make_app: MakeApp, paths: Paths) -> None:
    app = make_app()
    async with app.run_test(size=(120, 60)) as pilot:
        await opened(app, pilot, "attention")
        for name, text in (("q", QUERIES), ("k", KEYS), ("v", VALUES), ("result", OUTPUT)):
            await paste(app, pilot, name, text)
            assert "3×2" in echo(app, name)
        await fill(app, pilot, q="1 0")  # one row is a matrix too
        assert "1×2" in echo(app, "q")
        await fill(app, pilot, q=QUERIES)
        shown = await verdict(app, pilot)
        assert "✓" in shown
        assert "Right." in shown
        [kept] = checked(paths)
        assert kept.typed == (OUTPUT,)
        assert kept.outcome is Outcome.RIGHT
        assert [call.operation for call in kept.program.calls] == ["scores", "scale", "softmax", "mix"]
        for number in range(1, 5):
            assert f"{number}/4" not in text_of(app)
            await pilot.press("s")
            await until(pilot, lambda number=number: f"{number}/4" in text_of(app))
        await pilot.pause()
        assert "Step" not in footer_of(app)


VERDICTS = [
    ("0.2447 0.0900 0.6652", Outcome.RIGHT, "Right."),
    ("0.245, 0.090, 0.665", Outcome.RIGHT, "Right."),
    ("[0.24 0.09 0.67]", Outcome.RIGHT, "Right."),
    ("tensor([0.2447, 0.0900, 0.6652])", Outcome.RIGHT, "Right."),
    ("0.1 0.5 0.4", Outcome.WRONG, "Not right"),
    ("7.3891 2.7183 20.0855", Outcome.KNOWN_MISTAKE, "20.0855"),
    ("", Outcome.GIVEN_UP, "0.6652"),
]


async def test_verdicts(make_app: MakeApp, paths: Paths) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await opened(app, pilot, "softmax")
        await fill(app, pilot, s="2 1 3")
        for result, outcome, says in VERDICTS:
            await fill(app, pilot, result=result)
            await until(pilot, lambda: not app.screen.query(VerdictView))
            await pilot.press("tab")
            shown = await verdict(app, pilot)
            assert says in shown, result
            assert ("right  [" in shown) is (outcome is not Outcome.RIGHT), result
            assert fields(app)["result"].typed == result
            assert fields(app)["s"].typed == "2 1 3"
            assert checked(paths)[0].outcome is outcome, result
        assert len(checked(paths)) == len(VERDICTS)


async def test_what_is_no_answer_costs_nothing(make_app: MakeApp, paths: Paths) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await opened(app, pilot, "softmax")
        await fill(app, pilot, s="2 1 3")
        for result, says in (
            ("0.2 0.1 0.7", "give 2 decimals"),
            ("what?", "“what”"),
            ("[b]0.2[/b]", "“b”"),
            ("0.24 0.67", "expected"),
        ):
            await fill(app, pilot, result=result)
            fields(app)["s"].area.focus()
            await pilot.press("escape", "enter")
            await until(pilot, lambda: app.focused is fields(app)["result"].area)
            assert says in echo(app, "result")
            assert fields(app)["result"].typed == result
            assert not app.screen.query(VerdictView)
            assert "0.6652" not in text_of(app)
        assert checked(paths) == []


@pytest.mark.parametrize(
    ("operation", "given", "at", "says"),
    [
        ("scores", {"q": "5"}, "q", "should be a matrix"),
        ("scores", {"q": "1 0; 1 1"}, "k", "Still missing: keys"),
        ("scores", {"q": "1 0\n1", "k": "1 1; 0 1"}, "q", "differ in length"),
        ("scores", {"q": "1 0; 1 1", "k": "1 x; 0 1"}, "k", "“x”"),
        ("scale", {"s": "1 2", "dk": "1 2"}, "dk", "should be one number"),
        ("scores", {"q": "1 0; 1 1", "k": "1 1 1; 0 1 2"}, None, "Q [2, 2], K [2, 3]"),
        ("attention", {"q": "1 0; 1 1", "k": "1 1 1; 0 1 2", "v": "1 1; 1 1"}, None, "the same width"),
        ("attention", {"q": "5", "k": "", "v": ""}, "q", "should be a matrix"),
        ("layer-norm", {"x": "1 2 3", "eps": "-1"}, None, "not negative"),
    ],
)
async def test_what_makes_no_program(
    make_app: MakeApp, paths: Paths, operation: str, given: dict[str, str], at: str | None, says: str
) -> None:
    app = make_app()
    async with app.run_test(size=(80, 60)) as pilot:
        await opened(app, pilot, operation)
        await fill(app, pilot, **given)
        await pilot.press("escape", "enter")
        await until(pilot, lambda: says in " ".join(text_of(app).replace("│", " ").split()))
        if at is not None:
            await until(pilot, lambda: app.focused is fields(app)[at].area)
            assert says in echo(app, at)
        assert {name: fields(app)[name].typed for name in given} == given
        assert not app.screen.query(VerdictView)
        assert checked(paths) == []


async def test_a_field_says_what_it_understood(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await opened(app, pilot, "scale")
        for typed, says, is_value in (
            ("1", "d_k: 1", True),
            ("1/2", "d_k: 0.5", True),
            ("1 2", "should be one number", False),
            ("x", "“x”", False),
            ("", "key width d_k", True),
        ):
            await fill(app, pilot, dk="")
            fields(app)["dk"].area.focus()
            await type_text(pilot, typed)
            await pilot.pause()
            assert says in echo(app, "dk")
            assert not app.screen.query(".echo.almost")  # quietly, as long as it is being typed
            await pilot.press("escape")
            await pilot.pause()
            assert bool(app.screen.query(".echo.almost")) is not is_value, typed


async def test_a_pasted_printout_arrives_whole_in_any_field(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await opened(app, pilot, "attention")
        for name in ("q", "k", "v", "keep", "scale", "result"):
            await paste(app, pilot, name, PRINTOUT)
            assert fields(app)[name].typed == PRINTOUT
        assert "3×2" in echo(app, "q")


async def test_enter_breaks_the_line_and_a_blank_line_goes_on(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await opened(app, pilot, "scores")
        assert app.focused is fields(app)["q"].area
        await type_text(pilot, "1 0\n1 1\n")
        assert app.focused is fields(app)["q"].area
        await pilot.press("enter")
        await pilot.pause()
        assert fields(app)["q"].typed == "1 0\n1 1"
        assert app.focused is fields(app)["k"].area
        await type_text(pilot, "0 1\n1 0\n\n1 0; 1 1")
        assert fields(app)["result"].typed == "1 0; 1 1"
        await pilot.press("enter", "enter")
        await until(pilot, lambda: app.screen.query(VerdictView))


async def test_letters_are_text_in_a_field(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(app, pilot, "softmax")
        await type_text(pilot, "sdolq?ｄ")
        assert fields(app)["s"].typed == "sdolq?ｄ"
        assert app.screen is screen
        assert app.language is Language.EN


async def test_what_was_typed_survives_everything(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await opened(app, pilot, "attention")
        await fill(app, pilot, q=QUERIES, k=KEYS, v=VALUES, scale="0.5", result="1 2")
        app.screen.query("FlagField").first().focus()
        await pilot.press("space", "escape")
        # another operation, and back
        await opened(app, pilot)
        assert fields(app)["q"].typed == QUERIES
        await pilot.press("escape", "o")
        await until(pilot, lambda: isinstance(app.focused, Operation))
        await pilot.press("down", "down", "enter")
        await until(pilot, lambda: set(fields(app)) == {"q", "k", "result"})
        await pilot.pause()
        assert {name: field.typed for name, field in fields(app).items()} == {"q": QUERIES, "k": KEYS, "result": "1 2"}
        await pilot.press("escape", "l", "o")
        await until(pilot, lambda: isinstance(app.focused, Operation))
        await pilot.press("up", "up", "enter")
        await until(pilot, lambda: "v" in fields(app))
        await pilot.pause()
        assert fields(app)["v"].typed == VALUES
        assert fields(app)["scale"].typed == "0.5"
        assert [flag.ticked for flag in app.screen.query("FlagField")] == [True, False]  # type: ignore[attr-defined]
        # home, and back
        await pilot.press("escape", "escape")
        assert isinstance(app.screen, HomeScreen)
        await opened(app, pilot)
        assert fields(app)["k"].typed == KEYS
        assert fields(app)["result"].typed == "1 2"


async def test_esc_leaves_the_list_for_the_form(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(app, pilot, "softmax")
        await pilot.press("escape", "o")
        await until(pilot, lambda: isinstance(app.focused, Operation))
        assert isinstance(app.focused, Operation)
        assert app.focused.template.id == "softmax"
        await pilot.press("escape")
        await pilot.pause()
        assert app.screen is screen
        assert app.focused is fields(app)["s"].area


@pytest.mark.parametrize("flag", [False, True])
async def test_flags(make_app: MakeApp, paths: Paths, flag: bool) -> None:
    app = make_app()
    async with app.run_test(size=(80, 60)) as pilot:
        await opened(app, pilot, "attention")
        await fill(app, pilot, q=QUERIES, k=KEYS, v=VALUES)
        if flag:
            app.screen.query("FlagField").first().focus()
            await pilot.press("space")
        await verdict(app, pilot, "escape", "d") if not flag else await verdict(app, pilot, "d")
        [kept] = checked(paths)
        assert ("causal_mask" in [call.operation for call in kept.program.calls]) is flag


@pytest.mark.parametrize("change", ["number", "flag", "operation", "result"])
async def test_a_verdict_on_other_numbers_goes(make_app: MakeApp, change: str) -> None:
    app = make_app()
    async with app.run_test(size=(80, 60)) as pilot:
        await opened(app, pilot, "attention")
        await fill(app, pilot, q=QUERIES, k=KEYS, v=VALUES)
        await verdict(app, pilot)
        await pilot.press("s")
        await until(pilot, lambda: app.screen.query(".step"))
        if change == "flag":
            app.screen.query("FlagField").first().focus()
            await pilot.press("space")
        elif change == "operation":
            await pilot.press("o")
            await until(pilot, lambda: isinstance(app.focused, Operation))
            await pilot.press("down", "down", "enter")
        else:
            await fill(app, pilot, **({"result": "1"} if change == "result" else {"q": "1 1; 0 0"}))
        await until(pilot, lambda: not app.screen.query(VerdictView))
        assert not app.screen.query(".step")
        assert "Step" not in footer_of(app)


async def test_the_solution_leaves_the_typed_result_alone(make_app: MakeApp, paths: Paths) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await opened(app, pilot, "softmax")
        await fill(app, pilot, s="2 1 3", result="0.5")
        await verdict(app, pilot, "escape", "ｄ")
        assert fields(app)["result"].typed == "0.5"
        assert [each.outcome for each in checked(paths)] == [Outcome.GIVEN_UP]


async def test_the_language_can_change_at_any_moment(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(80, 60)) as pilot:
        await opened(app, pilot, "softmax")
        await fill(app, pilot, s="2 1 3", result="0.5 0.1 0.4")
        await verdict(app, pilot)
        await pilot.press("s")
        await until(pilot, lambda: app.screen.query(".step"))
        for expected, foreign in (("结果", "yours"), ("yours", "结果")):
            await pilot.press("l")
            await pilot.pause()
            shown = text_of(app)
            assert expected in shown
            assert foreign not in shown
            assert "1/1" in shown
            assert "0.5 0.1 0.4" in shown
            assert "2 1 3" in shown


async def test_a_solver_that_fails_is_said_and_can_be_asked_again(make_app: MakeApp, paths: Paths) -> None:
    class Failing(DirectSolver):
        async def call(self, function: Callable[..., object], *args: object, **kwargs: object) -> object:
            if self.error is not None:
                raise self.error
            return await super().call(function, *args, **kwargs)

    solver = Failing()
    solver.error = SolverError(general.NAME)
    app = make_app(solver=solver)
    async with app.run_test(size=SIZE) as pilot:
        await opened(app, pilot, "softmax")
        await fill(app, pilot, s="2 1 3")
        await pilot.press("escape", "enter")
        await until(pilot, lambda: general.NAME.en in text_of(app))
        assert checked(paths) == []
        solver.error = None
        await verdict(app, pilot, "enter")


@pytest.mark.parametrize(
    ("keys", "texts", "stake"),
    [
        ([], {}, None),
        ([], {"s": "1 2"}, general.TYPED_LOST),
        (["escape", "enter"], {"s": "1 2"}, None),
    ],
)
async def test_what_would_be_lost(make_app: MakeApp, keys: list[str], texts: dict[str, str], stake: object) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(app, pilot, "softmax")
        await fill(app, pilot, **texts)
        if keys:
            await verdict(app, pilot, *keys)
        assert screen.at_stake() == stake


@pytest.mark.parametrize(
    ("keys", "labels"),
    [
        ([], ["Done typing"]),
        (["escape"], ["Check", "Solution", "Operation", "Type", "Back"]),
        (["escape", "enter"], ["Step", "Operation", "Type"]),
        (["escape", "o"], ["Back"]),
    ],
)
async def test_the_footer_shows_what_works_now(make_app: MakeApp, keys: list[str], labels: list[str]) -> None:
    app = make_app()
    every = {"Done typing", "Check", "Solution", "Operation", "Type", "Step"}
    async with app.run_test(size=SIZE) as pilot:
        await opened(app, pilot, "softmax")
        await fill(app, pilot, s="1 2")
        await pilot.press(*keys)
        if keys == ["escape", "enter"]:
            await until(pilot, lambda: app.screen.query(VerdictView))
        await until(pilot, lambda: all(label in footer_of(app) for label in labels))
        await pilot.pause(0.1)
        assert not any(label in footer_of(app) for label in every.difference(labels))
