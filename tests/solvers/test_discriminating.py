"""Seeds that are shipped part the right answer from every mistake, and the mistakes from each other; the others don't."""

from __future__ import annotations

from fractions import Fraction

import pytest

from question_bank import problem, verified
from question_bank.program import AnswerFormat, Ask, Kind, Nested, Program, call
from question_bank.text import same
from solvers.discriminating import Pair, is_trivial, meeting_pairs
from tests.solvers.drawn import CASES


def _excused(pair: Pair, equal: frozenset[Pair]) -> bool:
    """Equal in principle, or going without saying: one of the two is no mistake here, being equal to the right answer."""
    right = f"right/{next(iter(pair)).rpartition('/')[2]}"
    return pair in equal or any(frozenset((right, name)) in equal for name in pair)


def _what_meets(drill: str, level: int, seed: int) -> list[Pair]:
    """Pairs that can't be told apart, but for those equal in principle."""
    equal = verified.equal(drill, level)
    meeting, looked_at = meeting_pairs(problem(drill, level, seed).program)
    assert meeting <= looked_at
    return [pair for pair in meeting if not _excused(pair, equal)]


def _discriminates(drill: str, level: int, seed: int) -> None:
    program = problem(drill, level, seed).program
    assert not is_trivial(program), seed
    assert _what_meets(drill, level, seed) == [], seed


def _spread(seeds: tuple[int, ...], count: int) -> tuple[int, ...]:
    return seeds[:: max(1, len(seeds) // count)][:count]


@pytest.mark.parametrize(("drill", "level"), CASES)
def test_shipped_seeds_discriminate(drill: str, level: int) -> None:
    for seed in _spread(verified.seeds(drill, level), 3):
        _discriminates(drill, level, seed)


@pytest.mark.long
@pytest.mark.parametrize(("drill", "level"), CASES)
def test_all_shipped_seeds_discriminate(drill: str, level: int) -> None:
    for seed in verified.seeds(drill, level):
        _discriminates(drill, level, seed)


@pytest.mark.parametrize(("drill", "level"), CASES)
def test_seeds_that_are_not_shipped_do_not(drill: str, level: int) -> None:
    shipped = set(verified.seeds(drill, level))
    left_out = _spread(tuple(seed for seed in range(verified.SEEDS) if seed not in shipped), 2)
    unexplained = []
    for seed in left_out:
        program = problem(drill, level, seed).program
        repeated = any(problem(drill, level, earlier).program == program for earlier in range(seed))
        if not (repeated or is_trivial(program) or _what_meets(drill, level, seed)):
            unexplained.append(seed)
    # A pair that goes without saying, but is met too seldom to be called equal, costs a seed here and there.
    assert len(unexplained) <= 1


@pytest.mark.parametrize(("drill", "level"), [case for case in CASES if verified.equal(*case)])
def test_pairs_equal_in_principle_meet_on_every_seed(drill: str, level: int) -> None:
    equal = verified.equal(drill, level)
    seen: set[Pair] = set()
    for seed in range(24):
        meeting, looked_at = meeting_pairs(problem(drill, level, seed).program)
        assert equal & looked_at <= meeting, seed
        seen |= equal & looked_at
    assert len(seen) > len(equal) / 2


# By hand ----------------------------------------------------------------------------------------------------------------------


def _one(line: object, *inputs: tuple[str, object], decimals: int = 3, index: tuple[int, ...] = ()) -> Program:
    form = AnswerFormat(Kind.VECTOR, decimals=decimals)
    return Program(inputs, (line,), (Ask(line.node, form, index, label=same("x")),))  # type: ignore[arg-type,attr-defined]


def _meeting(program: Program) -> set[str]:
    """What meets the right answer, by mistake."""
    pairs = [pair for pair in meeting_pairs(program)[0] if "right/0" in pair]
    return {name.partition("@")[0] for pair in pairs for name in pair} - {"right/0"}


def test_mistakes_that_give_the_right_answer_are_seen() -> None:
    scale = call("z", "scale", "s", "d_k")
    assert _meeting(_one(scale, ("s", (1, 2)), ("d_k", 1))) == {"scale.by-d_k", "scale.times-root", "scale.not-scaled"}
    assert _meeting(_one(scale, ("s", (0, 0)), ("d_k", 4))) == {"scale.by-d_k", "scale.times-root", "scale.not-scaled"}
    assert _meeting(_one(scale, ("s", (1, 2)), ("d_k", 4))) == set()
    assert _meeting(_one(scale, ("s", (1, 2)), ("d_k", 4), ("d_model", 4))) == {"scale.root-d_model"}


def test_mistakes_within_the_tolerance_are_seen() -> None:
    """Two answers a unit apart each way can both be met by one typed number."""
    scale = call("z", "scale", "s", "d_k")
    near = ("s", (7, 1)), ("d_k", 80), ("d_model", 81)
    assert _meeting(_one(scale, *near, decimals=2)) == {"scale.root-d_model"}
    assert _meeting(_one(scale, *near, decimals=4)) == set()


def test_a_mistake_that_passes_as_the_right_answer_rounded_is_seen() -> None:
    """0.7071 is asked to 3 decimals; the mistakes are displayed as 0.7 and 1, and would be called right so far."""
    program = _one(call("z", "scale", "s", "d_k"), ("s", (1,)), ("d_k", 2), ("d_model", Fraction(100, 49)))
    assert _meeting(program) == {"scale.root-d_model", "scale.not-scaled"}


def test_mistakes_that_give_each_others_answer_are_seen() -> None:
    program = _one(call("z", "scale", "s", "d_k"), ("s", (3, 5)), ("d_k", 2), ("d_model", 4))
    names = {frozenset(name.partition("@")[0] for name in pair) for pair in meeting_pairs(program)[0]}
    assert names == {frozenset(("scale.by-d_k", "scale.root-d_model"))}  # both divide by 2


@pytest.mark.parametrize(
    ("program", "trivial"),
    [
        (_one(call("p", "softmax", "z"), ("z", (1, 1, 1))), True),  # all alike
        (_one(call("p", "softmax", "z"), ("z", (1, 1, 2))), False),
        (_one(call("y", "project", "x", "W"), ("x", ((2, 3),)), ("W", ((1, 0), (0, 1))), index=(0,)), True),  # an input again
        (_one(call("y", "project", "x", "W"), ("x", ((2, 3),)), ("W", ((1, 0), (0, 2))), index=(0,)), False),
    ],
)
def test_answers_that_show_nothing_are_trivial(program: Program, trivial: bool) -> None:
    assert is_trivial(program) is trivial


@pytest.mark.parametrize(
    ("given", "trivial"), [((1, 2), True), ((1, Fraction(20004, 10000)), True), ((1, Fraction(201, 100)), False)]
)
def test_a_listing_whose_mistake_nobody_sees_is_trivial(given: Nested, trivial: bool) -> None:
    line = call("line", "first_difference", "O", "O_right")
    ask = Ask("line", AnswerFormat(Kind.LINE, choices=1))
    assert is_trivial(Program((("O", given), ("O_right", (1, 2))), (line,), (ask,))) is trivial
