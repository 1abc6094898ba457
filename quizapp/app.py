"""The application: the language, the theme, the log, the solver, and going from screen to screen."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import ClassVar

from textual import events
from textual.app import App
from textual.binding import BindingType
from textual.command import CommandPalette, Provider
from textual.reactive import reactive
from textual.screen import Screen

from question_bank.text import Language, Text
from quizapp import wording
from quizapp.screens.base import BilingualScreen
from quizapp.screens.home import HomeScreen
from quizapp.screens.places import Place, screen_for
from quizapp.screens.small import COLUMNS, LINES, SmallScreen
from quizapp.solver_process import SolverProcess
from quizapp.theme import NIGHT, THEMES
from quizapp.widgets.bilingual import bind, twins


def _commands() -> type[Provider]:
    from quizapp.screens.palette import Commands  # wanted when the palette is first opened

    return Commands


LEAVING_KEYS = frozenset(("ctrl+c", "ctrl+q", *twins("q")))


class QuizApp(App[None]):
    """Practice for the Transformer part of an interview."""

    TITLE = "quizapp"
    CSS_PATH: ClassVar = ["widgets/page.tcss", "widgets/contents.tcss"]
    COMMANDS = {_commands}  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("ctrl+p", "command_palette", wording.PALETTE, wording.PALETTE_TIP, show=False, priority=True),
        bind("ctrl+c", "leave", wording.QUIT, wording.QUIT_TIP, show=False),
        bind("ctrl+q", "quit", wording.QUIT, wording.QUIT_TIP, show=False, priority=True),
    ]

    language: reactive[Language] = reactive(Language.EN)

    def __init__(
        self, *, language: Language = Language.EN, theme: str = NIGHT.name, choice: Callable[[], str] | None = None
    ) -> None:
        """Make the application; nothing is read or started yet.

        Args:
            language: The first language.
            theme: The first theme.
            choice: Gives the text that chooses the next variant of a drill.
        """
        super().__init__()
        for known in THEMES:
            self.register_theme(known)
        self.theme = theme
        self.set_reactive(QuizApp.language, language)
        self.choice = choice or (lambda: secrets.token_hex(8))
        self.solver = SolverProcess()
        self._leaving = False

    def get_default_screen(self) -> Screen[None]:
        """Start at home."""
        return HomeScreen()

    def on_mount(self) -> None:
        """Start the solver once the first screen is on the terminal."""
        self.call_after_refresh(self._warm_up)

    def _warm_up(self) -> None:
        self.run_worker(self.solver.start(), name="warm up", exit_on_error=False)

    async def on_unmount(self) -> None:
        """Stop the solver."""
        await self.solver.close()

    # Going somewhere

    def open(self, place: Place) -> None:
        """Show a place, above home."""
        self.action_home()
        self.push_screen(screen_for(place))

    def action_home(self) -> None:
        """Go home."""
        while len(self.screen_stack) > 1:
            self.pop_screen()

    def action_help(self) -> None:
        """Show the keys of the screen in use."""
        from quizapp.screens.help import HelpScreen

        if isinstance(self.screen, BilingualScreen) and not isinstance(self.screen, HelpScreen):
            self.push_screen(HelpScreen(self.screen.keys_now()))

    def action_command_palette(self) -> None:
        """Open Textual's palette, asking in the language of the moment."""
        if isinstance(self.screen, BilingualScreen):
            self.push_screen(CommandPalette(placeholder=wording.PALETTE_PLACEHOLDER[self.language], id="--command-palette"))

    # Language and looks

    def action_switch_language(self) -> None:
        """Show everything in the other language."""
        self.clear_notifications()
        self.language = Language.EN if self.language == Language.ZH else Language.ZH

    def choose_theme(self, name: str) -> None:
        """Change the colours."""
        self.theme = name

    def tell(self, text: Text) -> None:
        """Show a passing notice; nothing in it is taken for markup."""
        self.notify(text[self.language], markup=False)

    # Leaving

    @property
    def _at_stake(self) -> Text | None:
        stakes = (screen.at_stake() for screen in self.screen_stack if isinstance(screen, BilingualScreen))
        return next((stake for stake in stakes if stake is not None), None)

    async def action_quit(self) -> None:
        """Leave at once where nothing would be lost, else ask first."""
        if self._at_stake is None:
            self.exit()
        else:
            self.action_leave()

    def action_leave(self) -> None:
        """Say what would be lost, then leave at the second time."""
        if self._leaving:
            self.exit()
            return
        self._leaving = True
        self.tell((self._at_stake or wording.NOTHING_LOST) + wording.LEAVE_AGAIN)

    async def on_event(self, event: events.Event) -> None:
        """Let any other key take back the wish to leave."""
        if isinstance(event, events.Key) and event.key not in LEAVING_KEYS:
            self._leaving = False
        await super().on_event(event)

    def on_resize(self, event: events.Resize) -> None:
        """Ask for more room where a screen couldn't be used; show it again once there is."""
        small = event.size.width < COLUMNS or event.size.height < LINES
        if small and not isinstance(self.screen, SmallScreen):
            self.push_screen(SmallScreen())
        elif not small and isinstance(self.screen, SmallScreen):
            self.pop_screen()


def run() -> None:
    """Run the application in this terminal."""
    QuizApp().run()
