"""Our commands in Textual's own command palette: in both languages, found by either."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from textual.command import Command as Line
from textual.command import CommandList, CommandPalette, DiscoveryHit, Hit, Hits, Provider
from textual.css.query import NoMatches

from question_bank.drills import DRILLS
from question_bank.labs import LABS
from question_bank.text import Text, same
from quizapp import wording, wording_interview, wording_lab, wording_paper, wording_today
from quizapp.screens.base import BilingualScreen
from quizapp.screens.places import CheckPlace, DrillPlace, InterviewPlace, LabPlace, ProgressPlace, SheetPlace, TodayPlace
from quizapp.theme import DAY, NIGHT
from quizapp.theme.plain import PLAIN
from quizapp.widgets.bilingual import language_of, written

LEFT_OUT = ("move", "command_palette", "leave", "turn", "level", "rerate", "part", "choose")
"""Keys that make no sense as a command: they move about, lead here, or are one of several that are called the same."""


@dataclass(frozen=True, slots=True)
class Command:
    """A line of the palette; ``at_once`` where it's offered before anything is typed."""

    name: Text
    tip: Text
    run: Callable[[], object]
    at_once: bool = True


class Palette(CommandPalette):
    """Textual's palette, which may be closed while it still gathers what it lists."""

    def _refresh_command_list(self, command_list: CommandList, commands: list[Line], clear_current: bool) -> None:
        with suppress(NoMatches):
            super()._refresh_command_list(command_list, commands, clear_current)

    def _action_command_list(self, action: str) -> None:
        with suppress(KeyError):  # a page further in a list that isn't drawn yet
            super()._action_command_list(action)


class Commands(Provider):
    """The keys that work on the screen, the places to go, the themes, every drill at every level."""

    def _commands(self) -> Iterator[Command]:
        """Yield every command once: some places have a key on this screen too, which comes first."""
        named: set[tuple[Text, Text]] = set()
        for command in self._every_command():
            if (command.name, command.tip) not in named:
                named.add((command.name, command.tip))
                yield command

    def _every_command(self) -> Iterator[Command]:
        screen = self.screen
        if not isinstance(screen, BilingualScreen):
            return
        for key in screen.keys_now():
            if not key.binding.action.startswith(LEFT_OUT):
                yield Command(key.label, key.tip, partial(screen.app.run_action, key.binding.action, key.node))
        quiz = screen.quiz
        yield Command(wording.HOME, wording.HOME_TIP, quiz.action_home)
        yield Command(wording_today.TODAY_TITLE, wording_today.TODAY_TIP, partial(quiz.open, TodayPlace()))
        interview = partial(quiz.open, InterviewPlace())
        yield Command(wording_interview.TITLE, wording_interview.PALETTE_TIP, interview)
        yield Command(wording.PROGRESS, wording.PROGRESS_TIP, partial(quiz.open, ProgressPlace()))
        yield Command(wording_paper.SHEETS, wording_paper.SHEETS_TIP, partial(quiz.open, SheetPlace()))
        yield Command(wording.CHECK_OWN, wording.CHECK_TIP, partial(quiz.open, CheckPlace()))
        yield Command(wording.DAY_THEME, wording.THEME_TIP, partial(quiz.choose_theme, DAY.name))
        yield Command(wording.NIGHT_THEME, wording.THEME_TIP, partial(quiz.choose_theme, NIGHT.name))
        yield Command(wording.PLAIN_THEME, wording.THEME_TIP, partial(quiz.choose_theme, PLAIN.name))
        for lab, (section, title) in LABS.items():
            name = wording_lab.OPEN_LAB.fill(title=title)
            yield Command(name, same(f"{section} {lab}"), partial(quiz.open, LabPlace(lab)), at_once=False)
        for drill in DRILLS.values():
            for level in drill.levels:
                name = wording.DRILL_AT_LEVEL.fill(drill=drill.title, level=level)
                place = DrillPlace(drill.id, level)
                yield Command(name, same(f"{drill.section} {drill.id}"), partial(quiz.open, place), at_once=False)

    async def discover(self) -> Hits:
        """Offer the commands before anything is typed."""
        language = language_of(self.screen)
        for command in self._commands():
            if command.at_once:
                yield DiscoveryHit(written(command.name, language), command.run, help=command.tip[language])

    async def search(self, query: str) -> Hits:
        """Offer the commands that fit, by their name in either language."""
        language = language_of(self.screen)
        matcher = self.matcher(query)
        nothing = True
        for command in self._commands():
            name = written(command.name, language)
            score = max(matcher.match(name), matcher.match(f"{command.name.en} {command.name.zh} {command.tip.en}") * 0.9)
            if score > 0:
                nothing = False
                yield Hit(score, matcher.highlight(name), command.run, text=name, help=command.tip[language])
        if nothing:
            yield Hit(0.01, wording.PALETTE_NOTHING[language], lambda: None)
