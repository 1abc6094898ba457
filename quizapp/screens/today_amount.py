"""How much there is to do, in a few words; home says it too, so nothing heavy is imported."""

from __future__ import annotations

from question_bank.text import Text
from quizapp import wording_today as wording


def amount_of(due: int, new: int) -> Text | None:
    """Say how much there is: ``12 due, 5 new``; None where there is nothing."""
    if not due and not new:
        return None
    said = wording.BOTH if due and new else wording.ONLY_DUE if due else wording.ONLY_NEW
    return said.fill(due=due, new=new)


def day_line(due: int, new: int, minutes: int) -> Text:
    """Say how much there is and how long it takes: ``12 due, 5 new · about 25 min``."""
    amount = amount_of(due, new)
    return wording.NOTHING_LEFT if amount is None else wording.ABOUT.fill(amount=amount, minutes=minutes)
