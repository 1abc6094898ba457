"""KV heads repeated for their query heads: each head in a row, as in torch, and the ways to get it wrong."""

from __future__ import annotations

import pytest

from question_bank import problem
from question_bank.program import call
from solvers import run
from solvers.grading import grade
from tests.solvers.one_call import asking, value, wrong

KEYS = (((1, 2), (3, 4)), ((5, 6), (7, 8)))
"""Two KV heads of two tokens."""


def test_each_head_is_repeated_in_a_row() -> None:
    first, second = ([[1, 2], [3, 4]], [[5, 6], [7, 8]])
    program = asking(call("y", "repeat_heads", "K", "h"), 0, K=KEYS, h=4)
    assert value(program).tolist() == [first, first, second, second]
    assert run.replay(program, None)["y"] == [first, first, second, second]
    assert wrong(program)["repeat_heads.forgotten"].tolist() == [first, second]
    assert len(wrong(program)["repeat_heads.times-h"]) == 8


def test_groups_are_even() -> None:
    with pytest.raises(run.RunError, match="repeat_heads"):
        run.values(asking(call("y", "repeat_heads", "K", "h"), 0, K=KEYS, h=5))


ANSWERS = [
    # what is typed for K_h of [B, h_kv, S, d_k], and the mistake named; none where it is right
    ("[B, h_kv, S, d_k]", None),
    ("[N, n_kv_heads, T, d_head]", None),
    ("[B, h, S, d_k]", "split_heads.query-heads"),
    ("[B, S, h_kv, d_k]", "split_heads.no-transpose"),
]


@pytest.mark.parametrize(("typed", "mistake"), ANSWERS)
def test_keys_have_their_own_number_of_heads(typed: str, mistake: str | None) -> None:
    part = grade(problem("head-shapes", 3, 1), ["", typed, "", ""]).parts[1]
    assert part.mistake == mistake
    assert part.outcome.value == ("right" if mistake is None else "known-mistake")


def test_scores_of_the_kv_heads_alone_are_named() -> None:
    part = grade(problem("head-shapes", 3, 1), ["", "", "[B, h_kv, S, S]", ""]).parts[2]
    assert part.mistake == "repeat_heads.kv-heads"
