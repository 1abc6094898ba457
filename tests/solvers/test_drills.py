"""Right answers to every drill: as displayed, in other spellings, rounded on the way, and as understood."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest

from question_bank import Language, Problem
from question_bank.program import Ask, Asked, Kind, Shape
from solvers import run
from solvers.display import show
from solvers.grading import grade
from solvers.scenario import solved
from solvers.verdict import Outcome
from solvers.worked import answers
from tests.solvers import spellings
from tests.solvers.drawn import CASES, MANY, drawn


def _typed_back(problem: Problem) -> None:
    verdict = grade(problem, list(answers(problem)))
    assert [part.outcome for part in verdict.parts] == [Outcome.RIGHT] * len(problem.program.asks), problem.code
    assert verdict.outcome is Outcome.RIGHT
    assert verdict.marks == verdict.possible == len(problem.program.asks)
    assert verdict.code == problem.code
    for language in Language:
        expected = [part.expected[language] for part in verdict.parts]
        assert grade(problem, expected).outcome is Outcome.RIGHT, (problem.code, language)
        understood = [part.understood[language] for part in verdict.parts]
        assert all(understood)
        assert grade(problem, understood).outcome is Outcome.RIGHT, (problem.code, language)


@pytest.mark.parametrize(("drill", "level"), CASES)
def test_what_is_displayed_or_understood_is_right_when_typed_back(drill: str, level: int) -> None:
    for problem in drawn(drill, level, 3):
        _typed_back(problem)


@pytest.mark.long
@pytest.mark.parametrize(("drill", "level"), CASES)
def test_what_is_displayed_is_right_when_typed_back_200(drill: str, level: int) -> None:
    for problem in drawn(drill, level, MANY):
        _typed_back(problem)


LEAST_SPELLINGS = {
    Kind.MATRIX: 12,
    Kind.VECTOR: 15,
    Kind.SHAPE: 8,
    Kind.BYTES: 8,
    Kind.NUMBER: 9,
    Kind.EXPRESSION: 8,
    Kind.INTEGER: 9,
    Kind.PERCENT: 9,
    Kind.YES_NO: 8,
    Kind.LINE: 9,
    Kind.NAMED_SHAPE: 8,
    Kind.ORDER: 8,
}


def _spelled(problem: Problem) -> None:
    shown = answers(problem)
    results = solved(problem.program).results
    options = [
        spellings.of(ask, right, precise) for ask, right, precise in zip(problem.program.asks, shown, results, strict=True)
    ]
    for ask, option in zip(problem.program.asks, options, strict=True):
        assert len(option) >= LEAST_SPELLINGS[ask.format.kind] - 1  # decimal commas need a decimal
    for name in sorted(set().union(*options)):
        typed = [option.get(name, right) for option, right in zip(options, shown, strict=True)]
        verdict = grade(problem, typed)
        assert [part.outcome for part in verdict.parts] == [Outcome.RIGHT] * len(typed), (problem.code, name, typed)
        assert grade(problem, [part.understood.en for part in verdict.parts]).outcome is Outcome.RIGHT, (problem.code, name)


@pytest.mark.parametrize(("drill", "level"), CASES)
def test_the_right_answer_in_other_spellings(drill: str, level: int) -> None:
    for problem in drawn(drill, level, 2):
        _spelled(problem)


@pytest.mark.long
@pytest.mark.parametrize(("drill", "level"), CASES)
def test_the_right_answer_in_other_spellings_200(drill: str, level: int) -> None:
    for problem in drawn(drill, level, MANY):
        _spelled(problem)


def test_a_decimal_comma_is_remarked_upon() -> None:
    problem = next(p for p in drawn("softmax-row", 3, 20) if "." in answers(p)[0])
    right = answers(problem)[0]
    part = grade(problem, [right.strip("[]").replace(", ", " ").replace(".", ",")]).parts[0]
    assert part.outcome is Outcome.RIGHT
    assert [(note.en, note.zh) for note in part.notes] == [("Commas were read as decimal commas.", "逗号按小数点读取。")]
    assert not grade(problem, [right]).parts[0].notes


def _digits(ask: Ask, result: Any) -> int:
    """The decimals asked; of significant digits, what they come to for this number."""
    if ask.format.significant is None:
        return (ask.format.decimals or 0) + (2 if ask.format.kind is Kind.PERCENT else 0)
    return ask.format.significant - 1 - math.floor(math.log10(abs(result)))


def _rounded_throughout(problem: Problem, more: int) -> bool:
    """A person who rounds every line to the asked digits, or to one more, gets every part right.

    Returns whether that person gets to an answer at all: the exponentials of very low scores may all be rounded to 0.
    """
    program = problem.program
    if any(isinstance(value, Shape) for _, value in program.inputs):
        return True
    digits = max(_digits(ask, result) for ask, result in zip(program.asks, solved(program).results, strict=True)) + more
    nodes = run.replay(program, digits)
    typed = []
    for ask, right in zip(program.asks, answers(problem), strict=True):
        if ask.format.kind in (Kind.YES_NO, Kind.ORDER, Kind.LINE):
            typed.append(right)  # said of what was asked, not of what the rounded numbers look like
            continue
        assert ask.asked is Asked.VALUE
        value = run.at(nodes[ask.node], ask.index)
        value = 100 * value if ask.format.kind is Kind.PERCENT else value
        typed.append(spellings.lists(value, digits) if ask.format.kind is not Kind.BYTES else show(value, ask.format))
    if any("nan" in text for text in typed):
        return False
    verdict = grade(problem, typed)
    assert [part.outcome for part in verdict.parts] == [Outcome.RIGHT] * len(typed), (problem.code, typed)
    return True


@pytest.mark.parametrize(("drill", "level"), CASES)
def test_rounding_every_line_is_right(drill: str, level: int) -> None:
    assert all(_rounded_throughout(problem, more) for problem in drawn(drill, level, 3) for more in (0, 1))


@pytest.mark.long
@pytest.mark.parametrize("more", [0, 1])
@pytest.mark.parametrize(("drill", "level"), CASES)
def test_rounding_every_line_is_right_200(drill: str, level: int, more: int) -> None:
    answered = [_rounded_throughout(problem, more) for problem in drawn(drill, level, MANY)]
    assert answered.count(False) <= MANY / 100


def test_rounding_on_the_way_leads_beyond_the_tolerance_somewhere() -> None:
    """Without this the tests above could pass by tolerance alone."""
    beyond = 0
    for problem in drawn("attention-output", 3, 60):
        (ask,) = problem.program.asks
        exact = spellings.flat(solved(problem.program).results[0])
        rounded = spellings.flat(run.at(run.replay(problem.program, 3)[ask.node], ask.index))
        off = [abs(Fraction(a) - Fraction(round(b, 3))) for a, b in zip(exact, rounded, strict=True)]
        beyond += any(one > Fraction(2, 1000) for one in off)
    assert beyond >= 5


@pytest.mark.parametrize(("drill", "level"), CASES)
def test_giving_up_shows_the_answer(drill: str, level: int) -> None:
    problem = next(drawn(drill, level, 1))
    shown = answers(problem)
    verdict = grade(problem, [None] * len(shown))
    assert verdict.outcome is Outcome.GIVEN_UP
    assert verdict.marks == 0
    for part, right in zip(verdict.parts, shown, strict=True):
        assert part.outcome is Outcome.GIVEN_UP
        assert right in part.message.en
        assert ({"yes": "是", "no": "否"}[right] if right in ("yes", "no") else right) in part.message.zh
        assert part.typed == part.understood.en == ""


BLANKS = ("", "   ", "\n\t\n", "\u3000", "\u200b")


@pytest.mark.parametrize(("drill", "level"), CASES)
def test_a_blank_answer_is_no_attempt(drill: str, level: int) -> None:
    problem = next(drawn(drill, level, 1))
    for blank in BLANKS:
        verdict = grade(problem, [blank] * len(problem.program.asks))
        assert verdict.outcome is Outcome.UNREADABLE, repr(blank)
        assert not verdict.outcome.spends_an_attempt
        assert all(part.outcome is Outcome.UNREADABLE and part.message.en and part.message.zh for part in verdict.parts)


@pytest.mark.parametrize(("drill", "level"), CASES)
def test_as_many_answers_as_parts(drill: str, level: int) -> None:
    problem = next(drawn(drill, level, 1))
    right = list(answers(problem))
    for typed in (right[:-1], [*right, "1"]):
        with pytest.raises(run.RunError) as caught:
            grade(problem, typed)
        assert str(len(right)) in caught.value.message.en
        assert str(len(typed)) in caught.value.message.zh
