"""A table of typed answers through reading and grading: what was asked, what is right, what was typed, what became of it."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from question_bank.program import AnswerFormat, Exact, Kind, Nested, Shape
from solvers.answers import Answer, Unreadable, read
from solvers.verdict import Outcome
from tests.solvers.own_programs import judged

TABLE = Path(__file__).with_name("typed_answers.tsv")
ROWS = [
    tuple(column.replace("⏎", "\n").replace("⇥", "\t") for column in line.split("\t"))
    for line in TABLE.read_text("utf-8").splitlines()
    if not line.startswith("#")
]

WORDS = {
    "order": AnswerFormat(Kind.ORDER, symbols=("n", "d")),
    "named shape": AnswerFormat(Kind.NAMED_SHAPE, symbols=("B", "h", "S_dec", "S_enc")),
    "choice of 4": AnswerFormat(Kind.CHOICE, choices=4),
    "yes/no": AnswerFormat(Kind.YES_NO),
    "line of 7": AnswerFormat(Kind.LINE, decimals=0, choices=7),
}


def _format(asked: str) -> AnswerFormat:
    words = asked.split()
    digits = next((int(word) for word in words if word.isdigit()), None)
    kind = Kind(words[0])
    if "significant" in words:
        return AnswerFormat(kind, significant=digits)
    if kind in (Kind.NUMBER, Kind.MATRIX, Kind.VECTOR) and digits is None:
        digits = 0
    return AnswerFormat(kind, decimals=digits)


def _nested(cells: list[Exact], dimensions: tuple[int, ...]) -> Nested:
    if not dimensions:
        return cells[0]
    size = len(cells) // dimensions[0]
    return tuple(_nested(cells[start : start + size], dimensions[1:]) for start in range(0, len(cells), size))


def _value(expected: str, form: AnswerFormat) -> Nested | Shape:
    answer = read(expected, AnswerFormat(form.kind))
    assert isinstance(answer, Answer), expected
    cells = [cell.value for cell in answer.cells]
    if form.kind is Kind.SHAPE:
        return Shape(tuple(int(cell) for cell in cells if isinstance(cell, int)))
    if form.kind is Kind.PERCENT:
        cells = [Fraction(cell) / 100 for cell in cells if isinstance(cell, int | Fraction)]
    return _nested(cells, answer.dimensions)


def _words(expected: str, typed: str, form: AnswerFormat) -> tuple[Outcome, str]:
    right, found = read(expected, form), read(typed, form)
    assert isinstance(right, Answer)
    if isinstance(found, Unreadable):
        assert found.message.zh
        return Outcome.UNREADABLE, found.message.en
    return Outcome.RIGHT if (found.word, found.cells) == (right.word, right.cells) else Outcome.WRONG, found.understood.en


@pytest.mark.parametrize(("asked", "expected", "typed", "outcome", "fragment"), ROWS)
def test_typed(asked: str, expected: str, typed: str, outcome: str, fragment: str) -> None:
    if asked in WORDS:
        became, said = _words(expected, typed, WORDS[asked])
    else:
        form = _format(asked)
        verdict = judged(_value(expected, form), typed, form)
        became = verdict.outcome
        said = " | ".join([verdict.message.en, verdict.understood.en, *(note.en for note in verdict.notes)])
        assert verdict.message.zh
    assert became.value == outcome, said
    assert fragment in said


def test_the_table_has_every_kind_with_right_wrong_and_unreadable_rows() -> None:
    outcomes: dict[str, set[str]] = {}
    for asked, _, _, outcome, _ in ROWS:
        outcomes.setdefault(asked.split()[0], set()).add(outcome)
    assert set(outcomes) == {kind.value for kind in Kind if kind not in (Kind.NAMED_SHAPE, Kind.YES_NO)} | {"named", "yes/no"}
    for asked, found in outcomes.items():
        assert {"right", "wrong"} <= found, asked
        assert "unreadable" in found or asked == "percent" or asked == "expression", asked
