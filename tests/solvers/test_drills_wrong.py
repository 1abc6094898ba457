"""Wrong, unreadable and coarse answers to every drill."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from question_bank import Problem
from question_bank.program import Ask, Kind
from solvers.grading import grade
from solvers.scenario import solved
from solvers.verdict import Outcome
from solvers.worked import answers
from tests.solvers import spellings
from tests.solvers.drawn import CASES, MANY, both, drawn, with_part

ODD = Fraction(7919, 16)
"""What no mistake is off by."""


def _last_cell_off(ask: Ask, displayed: str, precise: Any) -> tuple[str, tuple[int, ...]]:
    """The answer with its last number changed, and the index of that number."""
    if ask.format.kind is Kind.BYTES:
        return str(int(precise) + 7), ()
    if ask.format.kind is Kind.INTEGER:
        return str(int(precise) + 7919), ()
    if ask.format.kind is Kind.EXPRESSION:
        return f"{displayed} + {ODD}", ()
    if ask.format.kind is Kind.ORDER:
        first = ask.format.symbols[0]
        return f"O({first}^7 log({first}))", ()
    value = spellings.cells(displayed)
    if ask.format.kind is Kind.NAMED_SHAPE:
        odd = "*".join([*ask.format.symbols[:2]] * 2)  # no mistake has such a size
        return spellings.written([*value[:-1], odd]), (len(value) - 1,)
    if ask.format.kind is Kind.SHAPE:
        return spellings.written([*value[:-1], str(int(value[-1]) + 7919)]), (len(value) - 1,)
    if isinstance(value, str):
        return f"{float(Fraction(value) + ODD)}", ()
    if isinstance(value[-1], str):
        return spellings.written([*value[:-1], f"{float(Fraction(value[-1]) + ODD)}"]), (len(value) - 1,)
    row = [*value[-1][:-1], f"{float(Fraction(value[-1][-1]) + ODD)}"]
    return spellings.written([*value[:-1], row]), (len(value) - 1, len(row) - 1)


def _wrong(problem: Problem) -> None:
    shown, results = answers(problem), solved(problem.program).results
    for part, ask in enumerate(problem.program.asks):
        if ask.format.kind in (Kind.YES_NO, Kind.LINE):
            continue  # the wrong one of two, or another line, is always what some mistake gives
        typed, index = _last_cell_off(ask, shown[part], results[part])
        verdict = grade(problem, with_part(problem, part, typed))
        found = verdict.parts[part]
        where = (problem.code, part, typed, found)
        assert found.outcome is Outcome.WRONG, where
        assert found.mistake is None, where
        assert verdict.marks == verdict.possible - 1, where
        assert found.wrong_cells == ((index,) if index else ()), where
        if len(index) == 2:
            assert f"row {index[0] + 1}, column {index[1] + 1}" in found.message.en, where
            assert f"第 {index[0] + 1} 行第 {index[1] + 1} 列" in found.message.zh, where
        elif ask.format.kind is Kind.NAMED_SHAPE:
            assert f"axis {index[0] + 1}" in found.message.en, where
            assert f"第 {index[0] + 1} 维" in found.message.zh, where
        elif index:
            assert f"number {index[0] + 1}" in found.message.en, where
            assert f"第 {index[0] + 1} 个数" in found.message.zh, where
        else:
            assert both(found) == ("Not right.", "不对。"), where
        assert {other.outcome for other in verdict.parts if other is not found} <= {Outcome.RIGHT}, where


@pytest.mark.parametrize(("drill", "level"), CASES)
def test_one_wrong_number_is_pointed_out(drill: str, level: int) -> None:
    for problem in drawn(drill, level, 4):
        _wrong(problem)


@pytest.mark.long
@pytest.mark.parametrize(("drill", "level"), CASES)
def test_one_wrong_number_is_pointed_out_200(drill: str, level: int) -> None:
    for problem in drawn(drill, level, MANY):
        _wrong(problem)


UNREADABLE = [
    "the answer",
    "注意力",
    "1 2 [",
    "[1, 2, x]",
    "0.5.5",
    "?",
    "[[1, 2], [3]]",
    "__import__('os').getcwd()",
    "9**9**9",
    "1e400",
    "[red]1[/red] oops",
    "1" * 5000,
]


@pytest.mark.parametrize("typed", UNREADABLE, ids=[typed[:20] for typed in UNREADABLE])
@pytest.mark.parametrize(("drill", "level"), [(drill, level) for drill, level in CASES if level == 1])
def test_what_cannot_be_read_is_said_and_costs_nothing(drill: str, level: int, typed: str) -> None:
    problem = next(drawn(drill, level, 1))
    last = len(problem.program.asks) - 1
    verdict = grade(problem, with_part(problem, last, typed))
    part = verdict.parts[last]
    assert part.outcome is verdict.outcome is Outcome.UNREADABLE
    assert not verdict.outcome.spends_an_attempt
    assert part.typed == typed
    assert part.understood.en == part.understood.zh == ""
    assert part.message.en != part.message.zh
    assert all(both(part))
    assert verdict.message.en.endswith(part.message.en)
    assert verdict.message.zh.endswith(part.message.zh)
    assert [other.outcome for other in verdict.parts[:last]] == [Outcome.RIGHT] * last


@pytest.mark.parametrize(("drill", "level"), CASES)
def test_another_number_of_numbers_is_unreadable(drill: str, level: int) -> None:
    """Unless a mistake gives just that: the message names what is expected and what was read."""
    for problem in drawn(drill, level, 2):
        for part, (ask, right) in enumerate(zip(problem.program.asks, answers(problem), strict=True)):
            if ask.format.kind not in (Kind.VECTOR, Kind.MATRIX):
                continue
            value = spellings.cells(right)
            longer = [[*row, "7919"] for row in value] if isinstance(value[0], list) else [*value, "7919"]
            found = grade(problem, with_part(problem, part, spellings.written(longer))).parts[part]
            assert found.outcome is Outcome.UNREADABLE, (problem.code, longer)
            if isinstance(value[0], list):
                expected = f"{len(value)}×{len(value[0])} expected, {len(value)}×{len(value[0]) + 1} read."
                assert both(found) == (
                    expected,
                    f"应为 {len(value)}×{len(value[0])}，读到的是 {len(value)}×{len(value[0]) + 1}。",
                )
            else:
                assert found.message.en == f"{len(value)} numbers expected, {len(value) + 1} numbers read."
                assert found.message.zh == f"应为 {len(value)} 个数，读到的是 {len(value) + 1} 个数。"
            assert found.understood.en, "what was read stands beside the message"


def _coarser(number: float, asked: int) -> tuple[str, str]:
    """The number with one digit fewer than asked, and what that is by the rule: right, coarse or wrong.

    Written without the product's comparison: the rule of DESIGN.md once more, on ``Fraction``.
    """
    true = Fraction(repr(number)).limit_denominator(10**12)
    unit = Fraction(1, 10**asked)
    scaled = abs(true) * 10 ** (asked - 1)
    whole = int(scaled) + (scaled - int(scaled) >= Fraction(1, 2))
    typed = (-1 if true < 0 else 1) * Fraction(whole, 10 ** (asked - 1))
    ends = (true / unit).denominator == 1
    right = typed == true if ends else abs(typed - true) <= unit
    return f"{float(typed):.{asked - 1}f}", "right" if right else "coarse" if typed else "wrong"


def _coarse(problem: Problem) -> Counter[Outcome]:
    outcomes: Counter[Outcome] = Counter()
    for part, (ask, result) in enumerate(zip(problem.program.asks, solved(problem.program).results, strict=True)):
        if not ask.format.decimals or ask.format.kind is Kind.SHAPE:
            continue
        rounded = [_coarser(number, ask.format.decimals) for number in spellings.flat(result)]
        kinds = {kind for _, kind in rounded}
        texts = iter(rounded)
        typed = spellings.mapped(result, lambda _, texts=texts: next(texts)[0])  # type: ignore[misc]
        verdict = grade(problem, with_part(problem, part, spellings.written(typed)))
        found = verdict.parts[part]
        where = (problem.code, part, typed, found)
        outcomes[found.outcome] += 1
        if "wrong" in kinds:
            assert found.outcome in (Outcome.WRONG, Outcome.KNOWN_MISTAKE, Outcome.RIGHT), where
        elif "coarse" in kinds:
            # Right where a person who rounds on the way gets just this number.
            assert found.outcome in (Outcome.COARSE, Outcome.RIGHT), where
        else:
            assert found.outcome is Outcome.RIGHT, where
        if found.outcome is Outcome.COARSE:
            assert not verdict.outcome.spends_an_attempt
            assert str(ask.format.decimals) in found.message.en
            assert str(ask.format.decimals) in found.message.zh
            assert found.wrong_cells == ()
    return outcomes


COARSE = [
    (drill, level)
    for drill, level in CASES
    if drill in ("softmax-row", "softmax-matrix", "padding-row", "causal-matrix", "layer-norm")
    or drill in ("attention-output", "attention-by-hand")
    or (drill == "scale-row" and level > 1)
]
"""Where answers go on behind the digits asked."""


@pytest.mark.parametrize(("drill", "level"), COARSE)
def test_too_few_digits_are_told_so(drill: str, level: int) -> None:
    outcomes: Counter[Outcome] = Counter()
    for problem in drawn(drill, level, 8):
        outcomes += _coarse(problem)
    assert outcomes[Outcome.COARSE]


@pytest.mark.long
@pytest.mark.parametrize(("drill", "level"), CASES)
def test_too_few_digits_are_told_so_200(drill: str, level: int) -> None:
    for problem in drawn(drill, level, MANY):
        _coarse(problem)
