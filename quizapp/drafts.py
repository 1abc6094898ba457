"""What was typed on a screen and not handed in yet: kept while the application runs, and over a crash."""

from __future__ import annotations

from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from textual.app import App


@dataclass
class CheckDraft:
    """The form of the self-check.

    Attributes:
        operation: The operation chosen.
        texts: What each field holds, by the field's name; fields of the same name share it from operation to operation.
        flags: The flags set, by name.
        result: The person's own result.
    """

    operation: str | None = None
    texts: dict[str, str] = field(default_factory=dict)
    flags: set[str] = field(default_factory=set)
    result: str = ""

    @property
    def holds_anything(self) -> bool:
        """Whether anything is typed."""
        return any(text.strip() for text in (*self.texts.values(), self.result))


@dataclass
class Drafts:
    """Everything typed and not handed in.

    Attributes:
        answers: Answers to interview questions, by the question's number.
        check: The form of the self-check.
        problems: Answers to drills that a crash cut short, one text a part, by the problem's code.
        sheets: Answers to a printed sheet that was not marked, one text a part, by the sheet's codes.
    """

    answers: dict[int, str] = field(default_factory=dict)
    check: CheckDraft = field(default_factory=CheckDraft)
    problems: dict[str, tuple[str, ...]] = field(default_factory=dict)
    sheets: dict[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)

    @property
    def hold_anything(self) -> bool:
        """Whether anything is typed."""
        return (
            bool(self.problems or self.sheets)
            or self.check.holds_anything
            or any(text.strip() for text in self.answers.values())
        )


_drafts: WeakKeyDictionary[App[None], Drafts] = WeakKeyDictionary()


def drafts_of(app: App[None]) -> Drafts:
    """Return the drafts of a running application."""
    return _drafts.setdefault(app, Drafts())
