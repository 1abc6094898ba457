"""The settings screen: each setting with its value, changed in place and saved at once."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult

from question_bank.text import Language, Text, same
from quizapp import wording
from quizapp import wording_settings as said
from quizapp.screens.base import BilingualScreen
from quizapp.settings import field_of
from quizapp.widgets.bilingual import Phrase
from quizapp.widgets.page import Heading, Row
from quizapp.widgets.setting_rows import ChoiceRow, DateRow, NumberRow, Set
from quizapp.widgets.stops import StopPage


class SettingsScreen(BilingualScreen):
    """Everything that a person can choose."""

    CSS_PATH: ClassVar = ["../widgets/stops.tcss", "settings.tcss"]
    AUTO_FOCUS = "ChoiceRow"

    def compose_page(self) -> ComposeResult:
        """Lay out a row for each setting, then what only the file has."""
        chosen = self.quiz.settings
        yield Heading(wording.SETTINGS, wording.NAME)
        yield StopPage(
            ChoiceRow("language", chosen.language),
            ChoiceRow("theme", chosen.theme),
            DateRow("interview", chosen.interview, self.quiz.keeper.today),
            NumberRow(field_of("daily"), chosen.daily),
            ChoiceRow("order", chosen.order),
            NumberRow(field_of("rollover"), chosen.rollover),
            NumberRow(field_of("decimals"), chosen.decimals),
            Row(said.KEYS, Phrase(self._keys()), classes="tight"),
            Row(said.FILE, Phrase(said.FILE_IS.fill(file=self.quiz.paths.settings), classes="soft")),
        )

    def _keys(self) -> Text:
        keys = self.quiz.settings.keys
        if not keys:
            return said.KEYS_AS_SHIPPED
        return said.KEYS_CHANGED.fill(keys=same(", ".join(f"{name} = {key}" for name, key in keys)))

    def translate(self, language: Language) -> None:
        """Show the language that was chosen with its key."""
        self._show("language", language)

    def _show(self, name: str, value: str) -> None:
        for row in self.query(ChoiceRow):
            if row.setting == name:
                row.show(value)

    def on_screen_resume(self) -> None:
        """Show the theme that was chosen elsewhere."""
        self._show("theme", self.quiz.theme)

    def on_set(self, event: Set) -> None:
        """Apply and save a value."""
        event.stop()
        self.quiz.change_settings(**{event.name: event.value})
