"""Interviews for the tests: held without a terminal, from a table of what is said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction

from question_bank import draw, problem
from question_bank.bank import SHIPPED
from question_bank.questions import Group
from question_bank.questions.question import Question
from quizapp.interview.host import title_in
from quizapp.interview.report import Report, make_report
from quizapp.interview.script import Script, Step, Turn
from quizapp.interview.under_way import UnderWay, begin

STARTED = datetime(2026, 11, 30, 20, 0, tzinfo=UTC)
CODE = draw("scale-row", 1, "1").code
SCRIPT = Script(
    15,
    (Group.A,),
    "x",
    (
        Turn(Step.QUESTION, 7, 180),
        Turn(Step.FOLLOW_UP, 7, 90, follow_up=1),
        Turn(Step.DRILL, 7, 120, code=CODE),
        Turn(Step.QUESTION, 4, 180),
        Turn(Step.DRILL, 4, 90, code=draw("score-entry", 1, "2").code),
    ),
)
GOOD = (
    "The variance of q·k is d_k, so the scores are large, softmax saturates and the gradient vanishes. "
    "Dividing by sqrt(d_k) brings the variance back to 1; dividing by d_k would be too flat."
)
PITFALL = "Because one divides by d_k."


def right(code: str) -> tuple[str, ...]:
    """Return the right answers to a problem, as displayed."""
    from solvers.grading import grade

    asked = problem(code)
    return tuple(part.expected.en for part in grade(asked, [None] * len(asked.program.asks)).parts)


def wrong_root(code: str) -> tuple[str, ...]:
    """Scale by d_k where its root was meant."""
    inputs = dict(problem(code).program.inputs)
    row, width = inputs["s"], inputs["d_k"]
    assert isinstance(row, tuple)
    assert isinstance(width, int)
    return (str([float(Fraction(str(cell)) / width) for cell in row]),)


def held(said: Sequence[str | tuple[str, ...] | None], script: Script = SCRIPT, seconds: float = 60) -> UnderWay:
    """Hold an interview: what is said to each thing asked, None to pass; it ends early where nothing more is said."""
    from solvers.grading import grade

    under_way = begin(script, STARTED, shows_clock=True)
    for answer in said:
        turn = under_way.turn
        assert turn is not None
        typed = () if answer is None else (answer,) if isinstance(answer, str) else answer
        under_way = replace(under_way, seconds=seconds)
        verdict = None
        if turn.code is not None:
            asked = problem(turn.code)
            texts = [*typed, *[None] * len(asked.program.asks)][: len(asked.program.asks)]
            verdict = grade(asked, texts)
        under_way = under_way.answered(typed, passed=answer is None, verdict=verdict)
    return under_way if under_way.ending is not None else under_way.ended()


def question(number: int) -> Question:
    return SHIPPED.question(number)


def report_of(under_way: UnderWay) -> Report:
    return make_report(under_way, SHIPPED.question, title_in(SHIPPED))
