"""What ``tools/measure_drills.py`` measures, held over a few problems of every drill and level, and over all where long."""

from __future__ import annotations

from fractions import Fraction

import pytest

from question_bank import problem, verified
from question_bank.exact import Expression, ln
from question_bank.program import AnswerFormat, Ask, Kind, Program, call
from tests.solvers.drawn import CASES, drawn
from tools import measure_drills
from tools.drill_measures import (
    FIRST,
    digits,
    displayed,
    distinct,
    input_numbers,
    measure,
    negative,
    sampled,
    typed_back,
    ugly,
)

MOST_NEGATIVE = {"activation": 0.6, "norm-order": 0.5, "ffn-row": 0.4, "layer-norm": 0.4}
"""At level 1, of drills that are about negative numbers: what a ReLU makes of them, and what lies below a mean. Of others:"""
FEW = 0.3

MOST_DIGITS = {1: 4, 2: 5, 3: 5, 4: 6}
"""Of a number given, by level: 512 keys in the head, a vocabulary of 128,256 among real sizes."""
POWERS_OF_TWO = ("overflow", 1)
"""2^20 keys are written 1048576: their logarithm is what is asked."""


@pytest.mark.parametrize(("drill", "level"), CASES)
def test_mistakes_are_recognised_and_numbers_are_those_of_a_board(drill: str, level: int) -> None:
    looked_at = list(drawn(drill, level, 2))
    for given in looked_at:
        typed = list(typed_back(given))
        assert typed
        assert all(one.recognised for one in typed), [one for one in typed if not one.recognised]
        assert [number for text in displayed(given) for number in ugly(text)] == [], given.code
    numbers = [number for given in drawn(drill, level, 12) for _, number in input_numbers(given)]
    assert (drill, level) == POWERS_OF_TWO or max(map(digits, numbers), default=0) <= MOST_DIGITS[level]
    assert level > 1 or negative(numbers) <= MOST_NEGATIVE.get(drill, FEW)


@pytest.mark.parametrize(("drill", "level"), CASES)
def test_no_problem_comes_twice_among_the_first(drill: str, level: int) -> None:
    offered = verified.seeds(drill, level)[:FIRST]
    assert len(offered) == FIRST
    some = offered[:: 1 if level == 1 else 5]
    assert distinct(drill, level, some) == len(some)


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("drill", "level"), CASES)
def test_all_problems_of_every_drill(drill: str, level: int) -> None:
    found = measure(drill, level, None)
    assert found.verified == found.examined >= FIRST == found.distinct
    assert found.recognised >= 0.99, found.failures[:10]
    assert found.ugly == ()
    assert level > 1 or found.negative <= MOST_NEGATIVE.get(drill, FEW)
    assert found.median < 5e-3
    assert found.worst < 20e-3


# The measures themselves -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1.0000000002", ["1.0000000002"]),
        ("x = 0.2999999997 + 2", ["0.2999999997"]),
        ("[3.2690173725, 0.5]", ["3.2690173725"]),
        ("123456.7891", ["123456.7891"]),
        ("0.1978, 1234.5678, 22026.466", []),
        ("0.0000008315", []),  # four significant digits, however small
        ("1.0000", []),
        ("0.9999", []),
        ("124439808 + 1000000000", []),
    ],
)
def test_numbers_that_nobody_would_write(text: str, found: list[str]) -> None:
    assert ugly(text) == found


@pytest.mark.parametrize(
    ("number", "count"),
    [(0, 0), (-7, 1), (Fraction(41, 20), 3), (Fraction(1, 20), 1), (ln(12), 2), (Expression("neg", (Expression("inf"),)), 0)],
)
def test_digits_are_counted_as_written(number: int | Fraction | Expression, count: int) -> None:
    assert digits(number) == count


def test_a_masked_cell_is_no_negative_number() -> None:
    masked = Expression("neg", (Expression("inf"),))
    assert negative([1, -2, masked, masked]) == 0.5
    assert negative([masked]) == 0.0


def test_seeds_are_spread_over_all_that_are_offered() -> None:
    seeds = verified.seeds("softmax-row", 3)
    assert sampled("softmax-row", 3, None) == list(seeds)
    some = sampled("softmax-row", 3, 4)
    assert [seeds.index(seed) for seed in some] == [0, len(seeds) // 4, len(seeds) // 2, 3 * len(seeds) // 4]
    assert sampled("softmax-row", 3, 10**6) == list(seeds)


def test_a_mistake_that_another_hides_is_counted() -> None:
    """Two mistakes that give the same number, which nothing has found equal in principle."""
    same = Program(
        (("s", (0, 1)),), (call("a", "softmax", "s"),), (Ask("a", AnswerFormat(Kind.VECTOR, decimals=0, dimensions=(2,))),)
    )
    given = problem("softmax-row", 1, 0)
    hidden = type(given)(given.drill, given.level, given.seed, given.code, given.prompt, same)
    typed = list(typed_back(hidden))
    assert {one.recognised for one in typed} == {True, False}
    assert len({one.mistake for one in typed}) > 1


def test_the_table_has_a_line_for_each_level(capsys: pytest.CaptureFixture[str]) -> None:
    measure_drills.main(["softmax-row", "--sample", "1", "--failures"])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:2] for line in lines[1:4]] == [["softmax-row", level] for level in "123"]
    assert all(line.split()[5] == "100.0" for line in lines[1:4])
    assert any(line.startswith("drills and levels below 99 %: 0") for line in lines)
    with pytest.raises(SystemExit):
        measure_drills.main(["softmx-row"])
