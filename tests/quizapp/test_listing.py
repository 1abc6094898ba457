"""Listings: numbered code that never runs together, on the drill screen and in the shell."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from question_bank import problem, verified
from question_bank.listing import folded, numbered
from question_bank.problem import Problem
from question_bank.program import Kind
from question_bank.text import Language
from quizapp.app import QuizApp
from quizapp.screens.drill import Stage
from quizapp.widgets.listing import Listing
from solvers.worked import answers
from tests.quizapp.conftest import says, text_of, type_text, until
from tests.quizapp.shell import quiz
from tests.quizapp.test_drill import open_drill

MakeApp = Callable[..., QuizApp]

FOLDED = [
    ("O = A @ V", 40, ["O = A @ V"]),
    ("A = torch.softmax(S, dim=-1)", 24, ["A = torch.softmax(S,", "    dim=-1)"]),
    ("", 20, [""]),
    ("x = " + "y" * 30, 20, ["x =", "    " + "y" * 16, "    " + "y" * 14]),
]


@pytest.mark.parametrize(("code", "width", "lines"), FOLDED)
def test_a_long_line_is_folded_at_blanks_and_hangs(code: str, width: int, lines: list[str]) -> None:
    assert folded(code, width) == lines


@pytest.mark.parametrize("width", [8, 12, 20, 33, 63, 200])
def test_nothing_is_lost_by_folding(width: int) -> None:
    for seed in range(12):
        for code in problem("spot-the-bug", 2, seed).listing:
            parts = folded(code, width)
            assert "".join("".join(parts).split()) == "".join(code.split())
            assert max(map(len, parts)) <= max(width, 12)


def test_numbers_stand_in_a_column_and_at_first_parts_only() -> None:
    rows = numbered([f"x{number} = a + b + c" for number in range(1, 12)], 16)
    assert [number for number, _ in rows[:4]] == [" 1  ", "    ", " 2  ", "    "]
    assert [number.strip() for number, _ in rows if number.strip()] == [str(number) for number in range(1, 12)]


def with_parts(level: int, parts: int) -> Problem:
    return next(
        one
        for seed in verified.seeds("spot-the-bug", level)
        if len((one := problem("spot-the-bug", level, seed)).program.asks) == parts
    )


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (40, 10)])
async def test_each_line_of_code_has_a_line_of_the_page(make_app: MakeApp, size: tuple[int, int]) -> None:
    shown = with_parts(2, 2)
    app = make_app()
    async with app.run_test(size=size) as pilot:
        screen = await open_drill(pilot, "spot-the-bug", 2, shown.code)
        listing = screen.query_one(Listing)
        await until(pilot, lambda: listing.content_size.width > 0)
        rows = listing.render().plain.split("\n")
        assert rows == [number + code for number, code in numbered(shown.listing, listing.content_size.width)]
        assert max(map(len, rows)) <= listing.content_size.width
        assert listing.content_size.height == len(rows)


async def test_a_drill_without_code_leaves_no_room_for_it(make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await open_drill(pilot, "softmax-row")
        assert not screen.query_one(Listing).display


async def test_the_wrong_line_is_told_in_the_language_shown(make_app: MakeApp) -> None:
    shown = with_parts(1, 1)
    right = int(answers(shown)[0])
    wrong = right - 1 if right > 1 else right + 1
    app = make_app(Language.ZH)
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await open_drill(pilot, "spot-the-bug", 1, shown.code)
        await type_text(pilot, "9")
        await pilot.press("enter")
        await until(pilot, lambda: screen._stage is Stage.ANSWERING and "没有第 9 行" in text_of(app))
        await pilot.press("backspace")
        await type_text(pilot, f"第{wrong}行")
        await pilot.press("enter")
        await until(pilot, lambda: screen._stage is Stage.MARKED)
        assert shown.remark is not None
        await until(pilot, lambda: shown.remark is not None and says(app, shown.remark))
        page = " ".join(text_of(app).split())
        assert f"第 {wrong} 行" in page
        assert f"第 {right} 行" in page
        assert "line" not in page.replace(shown.code, "")
        await pilot.press("r")
        await until(pilot, lambda: screen._stage is Stage.ANSWERING)
        assert not screen.query(".remark")


def test_the_shell_shows_code_that_can_be_copied() -> None:
    shown = with_parts(3, 3)
    lines = [f"{number}  {code}" for number, code in enumerate(shown.listing, 1)]
    for arguments in (("problem", shown.code), ("solve", shown.code)):
        out = quiz(*arguments).out.splitlines()
        start = out.index(lines[0])
        assert out[start : start + len(lines)] == lines
    assert quiz("problem", shown.code, "--json").json["listing"] == list(shown.listing)
    assert quiz("solve", shown.code, "--json").json["listing"] == list(shown.listing)
    assert quiz("problem", "softmax-row", "--json").json["listing"] == []
    example = quiz("show", "spot-the-bug", "--json").json["levels"][0]
    assert example["listing"] == list(problem(example["example"]).listing)
    assert f"  1  {example['listing'][0]}" in quiz("show", "spot-the-bug").out


def test_the_shell_says_what_is_wrong_once_an_answer_is_marked() -> None:
    shown = with_parts(1, 1)
    assert shown.program.asks[0].format.kind is Kind.LINE
    remark = shown.remark
    assert remark is not None
    right = answers(shown)[0]
    ran = quiz("check", shown.code, f"line {right}")
    assert ran.code == 0
    assert "should read" in ran.out
    beyond = quiz("check", shown.code, "99")
    assert beyond.code != 0
    assert "There is no line 99" in beyond.out
    assert "should read" not in beyond.out
