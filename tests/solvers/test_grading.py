"""What grading says: messages, hints, marks; and that nothing that is typed breaks it."""

from __future__ import annotations

import pickle
import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from question_bank import Language, draw
from question_bank import problem as problem_of
from question_bank.drills import DRILLS
from question_bank.math import plain
from question_bank.program import AnswerFormat, Kind, Nested, Program, Shape, call
from solvers import run
from solvers.grading import grade
from solvers.scenario import solved
from solvers.verdict import Outcome, Verdict
from solvers.worked import answers
from tests.solvers.own_programs import asking, judged

MATRIX = AnswerFormat(Kind.MATRIX, decimals=0)
VECTOR = AnswerFormat(Kind.VECTOR, decimals=3)
SHAPE = AnswerFormat(Kind.SHAPE)
GRID = ((1, 2, 3), (4, 5, 6), (7, 8, 9))
GIB = 2**30

SAID: list[tuple[Nested | Shape, AnswerFormat, str, str, str]] = [
    # which numbers are wrong
    (GRID, MATRIX, "1 2 3; 4 5 0; 7 8 9", "Not right: row 2, column 3.", "第 2 行第 3 列不对。"),
    (
        GRID,
        MATRIX,
        "0 2 3; 4 5 0; 7 8 9",
        "Not right: row 1, column 1; row 2, column 3.",
        "第 1 行第 1 列、第 2 行第 3 列不对。",
    ),
    (GRID, MATRIX, "0 0 0; 0 0 6; 7 8 9", "Not right: 5 of 9 numbers are wrong.", "不对：9 个数里错了 5 个。"),
    (GRID, MATRIX, "0 0 0; 0 0 0; 0 0 0", "Not right: every number is wrong.", "不对：没有一个数是对的。"),
    ((1, 2, 3, 4), MATRIX, "1 2 0 0", "Not right: numbers 3 and 4.", "第 3、4 个数不对。"),
    (5, AnswerFormat(Kind.NUMBER, decimals=0), "6", "Not right.", "不对。"),
    # what it looks like
    (
        ((1, 2), (3, 4)),
        MATRIX,
        "1 3; 2 4",
        "Not right: row 1, column 2; row 2, column 1. This is the right matrix, transposed.",
        "第 1 行第 2 列、第 2 行第 1 列不对。你写的是正确答案的转置。",
    ),
    (
        Fraction(28, 100),
        AnswerFormat(Kind.PERCENT, decimals=0),
        "0.28",
        "Not right. Did you mean 28 %?",
        "不对。是不是想写 28%？",
    ),
    (
        Fraction(283, 1000),
        AnswerFormat(Kind.PERCENT, decimals=1),
        ".283",
        "Not right. Did you mean 28.3 %?",
        "不对。是不是想写 28.3%？",
    ),
    (
        GIB,
        AnswerFormat(Kind.BYTES),
        "1.07 GB",
        "Not right. That is the size rounded; it is asked for exactly.",
        "不对。这是取近似之后的大小，这里要精确值。",
    ),
    (GIB, AnswerFormat(Kind.BYTES), "1.08 GB", "Not right.", "不对。"),
    (
        GIB,
        AnswerFormat(Kind.BYTES),
        "1 GB",
        "Not right. 1 GB is 10^9 bytes; you may mean GiB.",
        "不对。1 GB 是 10^9 字节，是不是想写 GiB？",
    ),
    (
        3 * 10**6,
        AnswerFormat(Kind.BYTES),
        "3 MiB",
        "Not right. 1 MiB is 2^20 bytes; you may mean MB.",
        "不对。1 MiB 是 2^20 字节，是不是想写 MB？",
    ),
    (GIB, AnswerFormat(Kind.BYTES), "2 GB", "Not right.", "不对。"),
    # another shape
    (((1, 2), (3, 4), (5, 6)), MATRIX, "1 3 5; 2 4 6", "3×2 expected, 2×3 read.", "应为 3×2，读到的是 2×3。"),
    (GRID, MATRIX, "1 2 3 4 5 6 7 8 9", "3×3 expected, 1×9 read.", "应为 3×3，读到的是 1×9。"),
    ((1, 2, 3), VECTOR, "1 2", "3 numbers expected, 2 numbers read.", "应为 3 个数，读到的是 2 个数。"),
    ((1, 2, 3), VECTOR, "1", "3 numbers expected, 1 number read.", "应为 3 个数，读到的是 1 个数。"),
    (
        Shape((2, 8, 5, 64)),
        SHAPE,
        "(2, 8, 5)",
        "Not right: the shape has 4 dimensions, yours has 3.",
        "不对：形状应有 4 维，你写的是 3 维。",
    ),
    (Shape((2, 8, 5, 64)), SHAPE, "(2, 5, 8, 64)", "Not right: numbers 2 and 3.", "第 2、3 个数不对。"),
    # more digits wanted
    (Fraction(19777, 100_000), AnswerFormat(Kind.NUMBER, decimals=1), "0.2", "Right.", "正确。"),
    (
        Fraction(19777, 100_000),
        AnswerFormat(Kind.NUMBER, decimals=3),
        "0.2",
        "Right as far as it goes, but give 3 decimals.",
        "写出的几位是对的，但要求保留 3 位小数。",
    ),
    (
        Fraction(177, 100),
        AnswerFormat(Kind.NUMBER, decimals=1),
        "2",
        "Right as far as it goes, but give 1 decimal.",
        "写出的几位是对的，但要求保留 1 位小数。",
    ),
    (
        Fraction(19777, 100_000),
        AnswerFormat(Kind.NUMBER, significant=3),
        "0.2",
        "Right as far as it goes, but give 3 significant digits.",
        "写出的几位是对的，但要求保留 3 位有效数字。",
    ),
]


@pytest.mark.parametrize(("value", "form", "typed", "en", "zh"), SAID)
def test_what_is_said(value: Nested | Shape, form: AnswerFormat, typed: str, en: str, zh: str) -> None:
    found = judged(value, typed, form)
    assert (found.message.en, found.message.zh) == (en, zh)


def test_cells_of_a_column_typed_as_a_row_are_named_by_their_own_place() -> None:
    found = judged(((1,), (2,), (3,)), "1 2 4", MATRIX)
    assert found.wrong_cells == ((2, 0),)
    assert "row 3, column 1" in found.message.en


def test_of_a_shape_only_what_was_typed_can_be_wrong() -> None:
    assert judged(Shape((2, 8, 5, 64)), "(3, 8)", SHAPE).wrong_cells == ((0,),)
    assert judged(Shape((2, 8)), "(2, 8, 5, 64)", SHAPE).wrong_cells == ((2,), (3,))
    assert judged(Shape((1, 1)), "(1)", SHAPE).outcome is Outcome.WRONG


def test_the_answer_is_kept_as_typed_and_as_understood() -> None:
    found = judged((Fraction(1, 2), 2), " ［０．５， 2］ ", VECTOR)
    assert found.typed == " ［０．５， 2］ "
    assert found.understood.en == "[0.5, 2]"
    assert found.expected.zh == "[0.5, 2]"


def test_a_program_without_a_code_is_graded_too() -> None:
    verdict = grade(asking(5, AnswerFormat(Kind.NUMBER, decimals=0)), ["5"])
    assert verdict.code == ""
    assert verdict.outcome is Outcome.RIGHT


def test_a_program_that_can_not_be_run_is_said_so() -> None:
    program = Program(
        (("Q", ((1, 2),)), ("K", ((1, 2, 3),))), (call("S", "scores", "Q", "K"),), asking(1, MATRIX).asks
    ).with_asks(*[ask.__class__("S", MATRIX) for ask in asking(1, MATRIX).asks])
    with pytest.raises(run.RunError) as caught:
        grade(program, ["1"])
    assert "Q [1, 2], K [1, 3]" in caught.value.message.en
    assert "Q [1, 2]、K [1, 3]" in caught.value.message.zh


def test_a_mistake_that_gives_the_very_number_comes_before_one_that_is_near() -> None:
    """Ten layers of -0.1: leaving the way around out gives 10^-10, adding instead of multiplying gives 0."""
    problem = problem_of("residual-gradient.3.003gd")
    assert grade(problem, ["0.0000000001"]).mistake == "residual_gradient.no-residual"
    assert grade(problem, ["0"]).mistake == "residual_gradient.sum"
    assert grade(problem, ["-4.4e-8"]).mistake == "residual_gradient.sum"


def test_verdicts_cross_process_boundaries() -> None:
    problem = draw("attention-by-hand", 1, "a")
    verdict = grade(problem, ["1 2; 3 4", *[None] * 6])
    assert pickle.loads(pickle.dumps(verdict)) == verdict
    with pytest.raises(run.RunError) as caught:
        grade(problem, [])
    assert pickle.loads(pickle.dumps(caught.value)).message == caught.value.message


def test_grading_twice_gives_the_same() -> None:
    """What is kept of a solved program from call to call does not depend on what was typed before."""
    problem = draw("attention-by-hand", 2, "again")
    right = list(answers(problem))
    slipped = [*right[:3], "1 1 1; 2 2 2; 3 3 3", "1 1 1; 2 2 2; 3 3 3", None, right[6]]
    solved.cache_clear()
    first = [grade(problem, right), grade(problem, slipped)]
    again = [grade(problem, slipped), grade(problem, right)]
    assert first == again[::-1]
    solved.cache_clear()
    assert grade(problem, slipped) == first[1]


OUTCOMES_IN_ORDER = ["right", "right-after-slip", "known-mistake", "wrong", "given-up", "coarse", "unreadable"]


def test_outcomes_are_in_order_from_best_to_worst() -> None:
    assert [outcome.value for outcome in Outcome] == OUTCOMES_IN_ORDER
    assert [outcome for outcome in Outcome if outcome.earns_the_mark] == [Outcome.RIGHT, Outcome.RIGHT_AFTER_SLIP]
    assert [outcome for outcome in Outcome if not outcome.spends_an_attempt] == [Outcome.COARSE, Outcome.UNREADABLE]


PROBLEMS = [draw(drill, level, "fuzz") for drill in DRILLS for level in DRILLS[drill].levels]
NUMBER = st.sampled_from(
    [
        "0",
        "1",
        "-1",
        "2",
        "0.5",
        "1/3",
        "sqrt(2)",
        "ln 2",
        "e^3",
        "1e300",
        "-1e307",
        "1e350",
        "nan",
        "inf",
        "-inf",
        "50%",
        "1e-300",
    ]
)
TYPED = st.one_of(
    st.none(),
    st.text(max_size=40),
    st.lists(NUMBER, min_size=1, max_size=9).map(", ".join),
    st.lists(st.lists(NUMBER, min_size=2, max_size=2).map(" ".join), min_size=2, max_size=3).map("; ".join),
    st.lists(st.lists(NUMBER, min_size=3, max_size=3).map(" ".join), min_size=3, max_size=3).map("; ".join),
)
UNFILLED = re.compile(r"\{\w*\}")


def _is_whole(verdict: Verdict) -> None:
    for part in verdict.parts:
        assert part.outcome is not Outcome.RIGHT_AFTER_SLIP or part.slip is not None
        assert (part.outcome is Outcome.KNOWN_MISTAKE) == (part.mistake is not None)
        for language in Language:
            assert part.message[language]
            assert part.expected[language]
            assert not UNFILLED.search(re.sub(r"\$[^$]*\$", "", part.message[language]).replace(part.typed, ""))
        if part.outcome not in (Outcome.UNREADABLE, Outcome.GIVEN_UP):
            assert part.understood.en
            assert part.understood.zh
            plain(part.message.en)
            plain(part.message.zh)
    assert verdict.outcome in {part.outcome for part in verdict.parts}
    assert 0 <= verdict.marks <= verdict.possible


@given(st.data())
def test_nothing_typed_breaks_grading(data: st.DataObject) -> None:
    problem = data.draw(st.sampled_from(PROBLEMS))
    right: list[str | None] = list(answers(problem))
    typed = [data.draw(st.one_of(st.just(text), TYPED)) for text in right]
    _is_whole(grade(problem, typed))
