"""What the grader accepts, written down, against what it does."""

from __future__ import annotations

from fractions import Fraction

import pytest

from question_bank import draw
from solvers.accepting import accepted
from solvers.grading import grade
from solvers.verdict import Outcome


def test_numbers_that_end_are_met_exactly_and_others_within_a_unit() -> None:
    problem = draw("softmax-row", 2, "accepting")
    (part,) = accepted(problem)
    assert part.dimensions == (len(part.cells),)
    for cell in part.cells:
        assert cell.about.reach == (0 if cell.about.value.denominator in (1, 2, 4, 5, 8) else Fraction(1, 1000))
        assert cell.accepts(Fraction(cell.shown))
        assert not cell.accepts(cell.about.value + Fraction(1, 100))


@pytest.mark.parametrize(
    ("drill", "level"), [("softmax-row", 1), ("attention-by-hand", 2), ("head-shapes", 2), ("kv-cache-bytes", 1)]
)
def test_every_mistake_listed_is_named_by_the_grader(drill: str, level: int) -> None:
    problem = draw(drill, level, "accepting")
    parts = accepted(problem)
    right = [part.shown.en for part in parts]
    assert grade(problem, right).outcome is Outcome.RIGHT
    assert any(part.mistakes for part in parts)
    for number, part in enumerate(parts):
        for mistake in part.mistakes:
            verdict = grade(problem, [*right[:number], mistake.shown, *right[number + 1 :]]).parts[number]
            assert (verdict.outcome, verdict.mistake) == (Outcome.KNOWN_MISTAKE, mistake.mistake)
            assert verdict.message == mistake.message


def test_a_later_part_may_follow_from_an_earlier_one_as_displayed() -> None:
    """A perplexity from the loss rounded to three decimals lies outside one unit of the exact one."""
    problem = draw("next-token-loss", 1, "exports")
    parts = accepted(problem)
    followed = [(number, each) for number, part in enumerate(parts) for cell in part.cells for each in cell.also if each.reach]
    assert followed
    for number, each in followed:
        answers = [part.shown.en for part in parts]
        answers[number] = f"{float(each.value + each.reach):.12g}"
        assert grade(problem, answers).parts[number].outcome is Outcome.RIGHT


def test_an_infinite_number_accepts_no_finite_one() -> None:
    parts = accepted(draw("stable-softmax", 2, "exports"))
    cells = [cell for part in parts for mistake in part.mistakes for cell in mistake.cells if cell.shown == "inf"]
    assert cells
    assert not any(cell.accepts(Fraction(0)) for cell in cells)
