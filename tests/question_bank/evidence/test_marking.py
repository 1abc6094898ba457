"""Marking an answer: what is made, which words show it, and that no text makes it fail."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from question_bank import questions
from question_bank.evidence import Finding, Kind, State, TypedAnswer, compiled, mark
from question_bank.evidence.marking import LONGEST

WITH_EVIDENCE = [
    number
    for number in questions.numbers()
    if any(item.evidence for item in (*questions.load(number).key_points, *questions.load(number).pitfalls))
]


def shown(typed: str, finding: Finding) -> list[str]:
    return [typed[span.start : span.end] for span in finding.spans]


@pytest.mark.parametrize(
    ("evidence", "typed", "words"),
    [
        (("variance ~4 dk",), "So the Variance of it is $d_{k}$, ok", ["Variance", "d_{k}"]),
        (("softmax ~3 saturat*",), "the soft-max, no: softmax then saturtes", ["softmax", "saturtes"]),
        (("one-hot",), "almost one hot!", ["one hot"]),
        (("layer-norm*",), "a LayerNorm here", ["LayerNorm"]),
        (("方差 ~2 √dk", "标准差 ~2 √dk"), "标 准差就是根号下 d_k。", ["标 准差", "根号下 d_k"]),
        (("a1 & b1",), "b1 and then a1", ["b1", "a1"]),
        (("x ~9 y", "y ~9 z"), "x one two y one z", ["y", "z"]),
        (("not ~2 change",), "it doesn't change", ["n't change"]),
    ],
)
def test_the_words_that_earned_it(evidence: tuple[str, ...], typed: str, words: list[str]) -> None:
    assert shown(typed, TypedAnswer(typed).finding(evidence, (), Kind.POINT)) == words


def test_the_shortest_match_is_shown_with_its_phrase() -> None:
    typed = "variance, well, it is dk. And variance dk."
    finding = TypedAnswer(typed).finding(("std", "variance ~4 dk"), (), Kind.POINT)
    assert finding.phrase == "variance ~4 dk"
    assert finding.spans[0].start == typed.rindex("variance")


def test_states() -> None:
    answer = TypedAnswer("variance")
    assert answer.finding((), (), Kind.POINT).state is State.UNMARKABLE
    assert answer.finding(("std",), (), Kind.POINT).state is State.MISSING
    assert answer.finding(("variance",), (), Kind.POINT).state is State.MADE


def test_a_question_is_marked_point_by_point() -> None:
    marking = mark(questions.load(7), "Var(q·k) = d_k; 除以 √d_model")
    assert marking.made == (0,)
    assert marking.missing == (1, 2, 3, 4)
    assert marking.fallen_into == (2,)


@pytest.mark.parametrize(
    ("typed", "made"),
    [
        ("Is it the last axis?", False),
        ("是最后一维吗", False),
        ("是最后一维吗？我记得是", False),
        ("Which axis? The last axis.", True),
        ("哪一维？最后一维。", True),
        ("The last axis. Right?", True),
    ],
)
def test_whoever_asks_has_not_said_it(typed: str, made: bool) -> None:
    assert TypedAnswer(typed).finding(("last axis", "最后一维"), (), Kind.POINT).is_made == made


def test_what_is_beyond_the_limit_is_not_looked_at() -> None:
    filling = "x " * (LONGEST // 2)
    assert not TypedAnswer(filling + "variance").finding(("variance",), (), Kind.POINT).is_made
    assert TypedAnswer(filling[9:] + "variance").finding(("variance",), (), Kind.POINT).is_made


@pytest.mark.parametrize("number", WITH_EVIDENCE)
def test_phrases_can_be_read_and_model_answers_say_no_pitfall(number: int) -> None:
    question = questions.load(number)
    for item in (*question.key_points, *question.pitfalls):
        for phrase in (*item.evidence, *item.unless):
            compiled(phrase)
    for typed in (question.answer.short.en, question.answer.short.zh):
        marking = mark(question, typed)
        assert [shown(typed, marking.pitfalls[index]) for index in marking.fallen_into] == []


PARTS = (
    "variance", "dk", "√dk", "std", "not", "不", "是", "方差", "除以", "softmax", "saturates", ".", ",", "(", ")", "$",
    "\\sqrt{", "}", "^", "_", "/", "one", "hot", "1/dk", "if", "would", "?", "\n", "-", "1.", "O(n^2)",
)  # fmt: skip
WORDS = st.lists(st.sampled_from(PARTS), max_size=40).map(" ".join)


@given(WORDS | WORDS.map(lambda text: text.replace(" ", "")) | st.text())
def test_any_text_is_marked(typed: str) -> None:
    marking = mark(questions.load(7), typed)
    for finding in (*marking.points, *marking.pitfalls):
        assert finding.is_made == bool(finding.spans)
        assert all(0 <= span.start < span.end <= len(typed) for span in finding.spans)
        assert all(before.end <= after.start for before, after in pairwise(finding.spans))


HOSTILE = (
    "variance dk ",
    "方差",
    "不",
    "(",
    "√",
    "\\frac{",
    "O(n",
    "e^(",
    "not ",
    "order rank ",
    "n x ",
    "除以dk",
    "_(",
    "a & b ",
)


@pytest.mark.parametrize("unit", HOSTILE)
def test_the_time_grows_with_the_length(unit: str) -> None:
    question = questions.load(7)
    mark(question, unit)

    def seconds(characters: int) -> float:
        typed = unit * (characters // len(unit))
        taken = []
        for _ in range(3):
            start = process_time()
            mark(question, typed)
            taken.append(process_time() - start)
        return min(taken)

    assert seconds(LONGEST // 2) < 12 * seconds(LONGEST // 8)  # 4 where it is proportional, 16 where it is quadratic


def test_loading_a_question_compiles_nothing() -> None:
    script = (
        "import sys; from question_bank import questions; questions.load(7);"
        "print([name for name in sys.modules if 'evidence' in name])"
    )
    answer = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert answer.stdout.strip() == "[]"
