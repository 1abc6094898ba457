"""What grading says: plain frozen data that crosses process boundaries. Needs no torch."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from question_bank.text import Text


class Outcome(StrEnum):
    """What became of an answer, from best to worst."""

    RIGHT = "right"
    RIGHT_AFTER_SLIP = "right-after-slip"
    KNOWN_MISTAKE = "known-mistake"
    WRONG = "wrong"
    GIVEN_UP = "given-up"
    COARSE = "coarse"
    UNREADABLE = "unreadable"

    @property
    def spends_an_attempt(self) -> bool:
        """Tell whether the answer counts as one: what can't be read, or is right but too coarse, does not."""
        return self not in (Outcome.COARSE, Outcome.UNREADABLE)

    @property
    def earns_the_mark(self) -> bool:
        """Tell whether the part earns its mark."""
        return self in (Outcome.RIGHT, Outcome.RIGHT_AFTER_SLIP)


@dataclass(frozen=True, slots=True)
class PartVerdict:
    """The verdict on one part.

    Attributes:
        outcome: What became of it.
        message: A sentence for the person; names the mistake, the cells, or what could not be read.
        understood: What was read, written out in full; empty where nothing could be read.
        expected: The right answer as displayed; it is right when typed back. Same in both languages except where it has words.
        typed: What the person typed, unchanged.
        mistake: Id of the recognised mistake, such as ``scale.by-d_k``.
        slip: For right-after-slip, the number of the earlier part (from 0) that this part follows from.
        wrong_cells: Indices of the wrong cells, from 0, where the answer has cells.
        notes: Remarks on the reading, such as a decimal comma.
    """

    outcome: Outcome
    message: Text
    understood: Text
    expected: Text
    typed: str = ""
    mistake: str | None = None
    slip: int | None = None
    wrong_cells: tuple[tuple[int, ...], ...] = ()
    notes: tuple[Text, ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on a problem: its worst part's outcome, its parts, its marks.

    Attributes:
        outcome: The worst part's.
        parts: One verdict per part asked.
        message: One sentence for the whole.
        code: The problem's code; empty for a person's own numbers.
    """

    outcome: Outcome
    parts: tuple[PartVerdict, ...]
    message: Text
    code: str = ""

    @property
    def marks(self) -> int:
        """How many parts earned their mark."""
        return sum(part.outcome.earns_the_mark for part in self.parts)

    @property
    def possible(self) -> int:
        """How many marks there were."""
        return len(self.parts)

    @property
    def mistake(self) -> str | None:
        """The first recognised mistake."""
        return next((part.mistake for part in self.parts if part.mistake), None)
