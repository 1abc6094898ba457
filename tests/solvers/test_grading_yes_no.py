"""Yes and no: read in either language, right or a known mistake, and followed through from a slip."""

from __future__ import annotations

import pytest

from question_bank.program import AnswerFormat, Ask, Call, Kind, Program, call
from solvers.grading import grade
from solvers.verdict import Outcome

MATRIX = AnswerFormat(Kind.MATRIX, decimals=0, dimensions=(2, 2))


def _program(of: str) -> Program:
    """Scores [[5, 4], [4, 4]] of two tokens, which are symmetric; their softmax is not."""
    calls: tuple[Call, ...] = (call("G", "self_product", "X"), call("A", "softmax", "G"), call("y", "symmetric", of))
    return Program((("X", ((1, 2), (0, 2))),), calls, (Ask("G", MATRIX), Ask("y", AnswerFormat(Kind.YES_NO, decimals=0))))


RIGHT = "5 4; 4 4"


@pytest.mark.parametrize(
    ("of", "typed", "outcome", "mistake"),
    [
        ("G", "yes", Outcome.RIGHT, None),
        ("G", "是", Outcome.RIGHT, None),
        ("G", "不对", Outcome.KNOWN_MISTAKE, "symmetric.denied"),
        ("A", "No.", Outcome.RIGHT, None),
        ("A", "y", Outcome.KNOWN_MISTAKE, "symmetric.of-the-scores"),
        ("A", "perhaps", Outcome.UNREADABLE, None),
        ("A", "0", Outcome.UNREADABLE, None),
    ],
)
def test_yes_and_no(of: str, typed: str, outcome: Outcome, mistake: str | None) -> None:
    part = grade(_program(of), [RIGHT, typed]).parts[1]
    assert (part.outcome, part.mistake) == (outcome, mistake)
    assert (part.expected.en, part.expected.zh) == (("yes", "是") if of == "G" else ("no", "否"))


def test_giving_up_reads_in_both_languages() -> None:
    message = grade(_program("G"), [RIGHT, None]).parts[1].message
    assert (message.en, message.zh) == ("The answer is yes.", "答案：是。")


def test_no_follows_from_scores_that_are_wrong() -> None:
    """Of the learner's own scores, which aren't symmetric, no is the right answer."""
    verdict = grade(_program("G"), ["5 4; 3 4", "no"])
    assert [part.outcome for part in verdict.parts] == [Outcome.WRONG, Outcome.RIGHT_AFTER_SLIP]
    assert verdict.parts[1].slip == 0


def test_what_others_follow_from_may_be_a_word() -> None:
    """A yes in front of another part stands for 1 there, and breaks nothing."""
    program = _program("G")
    asked_twice = program.with_asks(program.asks[1], program.asks[0])
    verdict = grade(asked_twice, ["no", RIGHT])
    assert [part.outcome for part in verdict.parts] == [Outcome.KNOWN_MISTAKE, Outcome.RIGHT]
