"""What became of an answer: a sign, a sentence, and the person's own answer beside the right one."""

from __future__ import annotations

from dataclasses import dataclass

from textual.app import ComposeResult
from textual.containers import VerticalGroup

from question_bank.text import Language, Text
from quizapp import wording
from quizapp.widgets.bilingual import Phrase
from quizapp.widgets.matrices import Matrices, Named, marked, parsed
from solvers.verdict import Outcome, PartVerdict


@dataclass(frozen=True, slots=True)
class Mark:
    """How an outcome looks: never by colour alone."""

    sign: str
    style: str


MARKS = {
    Outcome.RIGHT: Mark("✓", "right"),
    Outcome.RIGHT_AFTER_SLIP: Mark("✓", "almost"),
    Outcome.KNOWN_MISTAKE: Mark("✗", "wrong"),
    Outcome.WRONG: Mark("✗", "wrong"),
    Outcome.GIVEN_UP: Mark("–", "soft"),
    Outcome.COARSE: Mark("~", "almost"),
    Outcome.UNREADABLE: Mark("?", "almost"),
}
"""The mark of each outcome."""

SAID_BY_THE_ANSWER = (Outcome.RIGHT, Outcome.GIVEN_UP)
"""Outcomes whose sentence says no more than the answer beneath it."""


class VerdictView(VerticalGroup):
    """The verdict on one part."""

    def __init__(self, part: PartVerdict) -> None:
        """Show a verdict."""
        super().__init__()
        self._part = part

    def compose(self) -> ComposeResult:
        """Lay out the sentence, then the answers."""
        part = self._part
        if part.outcome not in SAID_BY_THE_ANSWER:
            yield Phrase(part.message, classes=f"strong {MARKS[part.outcome].style}")
        for note in part.notes:
            yield Phrase(note, classes="soft")
        yield Matrices(answers(part), classes=None if part.outcome in SAID_BY_THE_ANSWER else "answers")


def answers(part: PartVerdict) -> list[Named]:
    """Return the person's answer and the right one, as far as each says something."""
    right = _named(wording.RIGHT_ANSWER, part.expected)
    if not part.understood.en:
        return [right]
    if part.outcome is Outcome.RIGHT:
        return [_named(Text(f"{part.message.en}  ", f"{part.message.zh}  "), part.understood, style="$success bold")]
    return [_named(wording.OWN_ANSWER, part.understood, part.wrong_cells), right]


def _named(lead: Text, answer: Text, wrong: tuple[tuple[int, ...], ...] = (), style: str = "") -> Named:
    """Set an answer behind its lead; one in words is in either language, numbers are the same in both."""
    if answer.en != answer.zh:
        return Named(Text(lead.en + answer.en, lead.zh + answer.zh), "", style)
    return Named(lead, marked(parsed(answer[Language.EN]), wrong), style)


def note_for(outcome: Outcome, label: Text) -> Text:
    """Return the sign with a part's name, for the margin."""
    sign = MARKS[outcome].sign
    return Text(f"{sign} {label.en.strip()}".strip(), f"{sign} {label.zh.strip()}".strip())
