"""Sheets made in the application: how their files are called."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from question_bank.text import Text, same
from quizapp.sheets.plan import Languages
from quizapp.sheets.wish import Wish, order

NOW = datetime(2026, 11, 30, 12, 0, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("title", "language", "name"),
    [
        (Text("7.5 Queries, keys, values", "7.5 投影出 Q、K、V"), Languages.EN, "7-5-Queries-keys-values"),
        (Text("7.5 Queries, keys, values", "7.5 投影出 Q、K、V"), Languages.ZH, "7-5-投影出-Q-K-V"),
        (same("a/b\\c: “d”? <e>.pdf*"), Languages.EN, "a-b-c-d-e-pdf"),
        (same("../../etc/passwd"), Languages.EN, "etc-passwd"),
        (same("？！"), Languages.ZH, "sheet"),
        (same("word " * 20), Languages.EN, "word-" * 11 + "word"),
    ],
)
def test_a_file_is_called_by_letters_digits_and_hyphens(title: Text, language: Languages, name: str) -> None:
    wish = Wish(title, (("softmax-row", 1),), count=1, languages=language)
    out = order(wish, "seed", Path("sheets"), NOW).out
    assert out == Path("sheets") / f"{name}-{NOW.astimezone():%Y-%m-%d-%H%M%S}.pdf"
