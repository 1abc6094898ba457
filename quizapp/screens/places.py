"""Where a person can go: plain data, so that lists, commands and keys name a screen without importing it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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
    if isinstance(place, TodayPlace):
        from quizapp.screens.today import TodayScreen

        return TodayScreen(place)
    from quizapp.screens.check import CheckScreen

    return CheckScreen()
