"""Where a person can go: plain data, so that lists, commands and keys name a screen without importing it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from question_bank.text import Text

if TYPE_CHECKING:
    from question_bank.problem import Problem
    from quizapp.screens.base import BilingualScreen


@dataclass(frozen=True, slots=True)
class DrillPlace:
    """A drill at a level: a new variant, or the one that a code names."""

    drill: str
    level: int
    code: str | None = None


@dataclass(frozen=True, slots=True)
class QuestionPlace:
    """An interview question, by its number."""

    number: int


@dataclass(frozen=True, slots=True)
class LessonPlace:
    """A lesson, by its section."""

    section: str


@dataclass(frozen=True, slots=True)
class CheckPlace:
    """The screen where a person checks numbers of their own."""


@dataclass(frozen=True, slots=True)
class LabPlace:
    """A lab; with a code, the general lab over the problem that it names."""

    lab: str
    code: str | None = None


@dataclass(frozen=True, slots=True)
class TodayPlace:
    """What is due today; or, at once, the session."""

    start: bool = False


@dataclass(frozen=True, slots=True)
class ProgressPlace:
    """What a person knows, and what they did."""


@dataclass(frozen=True, slots=True)
class InterviewPlace:
    """The mock interview, and the reports of those held before."""


@dataclass(frozen=True, slots=True)
class SheetPlace:
    """A printed sheet, by its record; without one, those that were made before."""

    path: str = ""


@dataclass(frozen=True, slots=True)
class MakeSheetPlace:
    """A sheet that is to be made: from drills at levels, or problems answered before, and interview questions."""

    title: Text
    drills: tuple[tuple[str, int], ...] = ()
    codes: tuple[str, ...] = ()
    questions: tuple[int, ...] = ()

    @classmethod
    def of(cls, title: Text, problems: Sequence[Problem], questions: Sequence[int] = ()) -> MakeSheetPlace:
        """Return the place for a sheet of the same drills, or of these very problems."""
        drills = dict.fromkeys((each.drill, each.level) for each in problems)
        return cls(title, tuple(drills), tuple(each.code for each in problems), tuple(questions))


@dataclass(frozen=True, slots=True)
class SettingsPlace:
    """The settings."""


Place = (
    DrillPlace
    | QuestionPlace
    | LessonPlace
    | CheckPlace
    | LabPlace
    | ProgressPlace
    | SettingsPlace
    | TodayPlace
    | InterviewPlace
    | SheetPlace
    | MakeSheetPlace
)


def screen_for(place: Place) -> BilingualScreen:
    """Build the screen of a place. Each is imported when first opened, which keeps the first paint fast."""
    if isinstance(place, DrillPlace):
        from quizapp.screens.drill import DrillScreen

        return DrillScreen(place)
    if isinstance(place, QuestionPlace):
        from quizapp.screens.question import QuestionScreen

        return QuestionScreen(place)
    if isinstance(place, LessonPlace):
        from quizapp.screens.lesson import LessonScreen

        return LessonScreen(place)
    if isinstance(place, LabPlace):
        from quizapp.screens.lab import LabScreen

        return LabScreen(place)
    if isinstance(place, ProgressPlace):
        from quizapp.screens.progress import ProgressScreen

        return ProgressScreen()
    if isinstance(place, InterviewPlace):
        from quizapp.screens.interview import InterviewScreen

        return InterviewScreen()
    if isinstance(place, SettingsPlace):
        from quizapp.screens.settings import SettingsScreen

        return SettingsScreen()
    if isinstance(place, SheetPlace):
        from quizapp.screens.sheets import SheetsScreen

        return SheetsScreen(place)
    if isinstance(place, MakeSheetPlace):
        from quizapp.screens.make_sheet import MakeSheetScreen

        return MakeSheetScreen(place)
    if isinstance(place, TodayPlace):
        from quizapp.screens.today import TodayScreen

        return TodayScreen(place)
    from quizapp.screens.check import CheckScreen

    return CheckScreen()
