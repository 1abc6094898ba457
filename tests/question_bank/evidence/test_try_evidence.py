"""The tool that marks labelled answers: its counts, and that it keeps the half held out to itself."""

from __future__ import annotations

import sys

import pytest

from question_bank.evidence import Finding, Span, State
from tools import try_evidence
from tools.typed_answers import Half, Tally, answers, compared

MADE = Finding(State.MADE, (Span(0, 1),), "a")
MISSING = Finding(State.MISSING)
UNMARKABLE = Finding(State.UNMARKABLE)


@pytest.mark.parametrize(
    ("findings", "labels", "false", "missed", "tally"),
    [
        ((MADE, MISSING), {1}, (), (), Tally(1, 0, 0)),
        ((MADE, MISSING), {2}, (1,), (2,), Tally(0, 1, 1)),
        ((MADE, MADE), set(), (1, 2), (), Tally(0, 2, 0)),
        ((UNMARKABLE, MISSING), {1}, (), (), Tally(0, 0, 0)),
    ],
)
def test_findings_beside_labels(
    findings: tuple[Finding, ...], labels: set[int], false: tuple[int, ...], missed: tuple[int, ...], tally: Tally
) -> None:
    found = compared(findings, frozenset(labels))
    assert (found.false, found.missed, found.tally) == (false, missed, tally)


def test_figures() -> None:
    tally = Tally(3, 1, 0) + Tally(0, 0, 2)
    assert (tally.precision, tally.recall) == (0.75, 0.6)
    assert (Tally().precision, Tally().recall) == (1.0, 1.0)


def test_answers_held_out_are_not_printed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    numbers = [number for number in (5, 7, 8) if any(answers(number, Half.HELD_OUT))]
    monkeypatch.setattr(sys, "argv", ["try_evidence", "--held-out", *(f"Q{number}" for number in numbers)])
    try_evidence.main()
    printed = capsys.readouterr().out
    assert [line.split()[0] for line in printed.splitlines()] == [*(f"Q{number}" for number in numbers), "all"]
