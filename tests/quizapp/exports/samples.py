"""What the tests export."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec

from question_bank import draw
from question_bank.bank import SHIPPED
from question_bank.drills import DRILLS
from question_bank.problem import Problem
from question_bank.questions.question import Question
from question_bank.text import Text, same

AT = datetime(2026, 11, 29, 12, tzinfo=UTC)

NASTY = (
    r"<b>x</b> &lt; {{c1::y}} {{Front}} [sound:z.mp3] [latex]q[/latex] \(a\) \[b\] {1:NUMERICAL:=1} *i* _j_ `k` ~/# } <script>"
)
"""Text that means something to every format, and must mean nothing."""


def nasty_question() -> Question:
    """Return a question whose texts try to be markup."""
    shipped = SHIPPED.question(7)
    plain = same(NASTY)
    return msgspec.structs.replace(
        shipped,
        title=plain,
        prompt=plain,
        pitfalls=tuple(msgspec.structs.replace(each, claim=plain, why=plain) for each in shipped.pitfalls),
        choices=tuple(msgspec.structs.replace(each, text=plain, why=Text(f"1. {NASTY}", NASTY)) for each in shipped.choices),
    )


PAIRS = [(drill.id, level) for drill in DRILLS.values() for level in drill.levels]
"""Every drill with each of its levels."""


def sample(drill: str, level: int) -> Problem:
    return draw(drill, level, "exports")
