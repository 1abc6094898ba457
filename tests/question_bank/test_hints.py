"""Hints of the drills."""

from __future__ import annotations

import re

import pytest

from question_bank.drills import DRILLS
from question_bank.math import plain
from tests.question_bank.test_questions import chinese_faults, english_faults


@pytest.mark.parametrize("drill", DRILLS)
def test_every_drill_has_three_hints_in_both_languages(drill: str) -> None:
    hints = DRILLS[drill].hints
    assert len(hints) == 3
    assert len({hint.en for hint in hints}) == 3
    for hint in hints:
        assert english_faults(hint.en) is None
        assert chinese_faults(hint.zh) is None
        for sentence in (hint.en, hint.zh):
            assert not re.search(r"[\\${}]", plain(sentence))
            assert len(plain(sentence)) <= 160
