"""The application: the language, the theme, the log, the solver, and going from screen to screen."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from functools import cached_property, partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, ClassVar

from textual import events, work
from textual.binding import BindingType
from textual.command import Provider
from textual.filter import LineFilter
from textual.reactive import reactive
from textual.screen import Screen
from textual.worker import WorkerFailed, get_current_worker

from question_bank.bank import SHIPPED, Bank
from question_bank.drills import DRILLS
from question_bank.text import Language, Text
from quizapp import wording
from quizapp.keeper import Keeper
from quizapp.keys import OrderedKeys
from quizapp.own_bank import open_own
from quizapp.paths import Paths, find_paths
from quizapp.screens.base import GONE, BilingualScreen
from quizapp.screens.home import HomeScreen
from quizapp.screens.places import DrillPlace, Place, screen_for
from quizapp.settings import Settings, load, system_language
from quizapp.solver_process import Solver, SolverError, SolverProcess
from quizapp.terminal import unfailing
from quizapp.theme import NIGHT, THEMES
from quizapp.theme.plain import PLAIN, Attributes
from quizapp.widgets.bilingual import bind, written
from quizapp.widgets.wrapping import wrap

if TYPE_CHECKING:
    from textual.driver import Driver

    from quizapp.conductor import Conductor
    from quizapp.events import Clock, Happening
    from quizapp.rescue import Rescue
    from quizapp.reviewing import Reviews


def _commands() -> type[Provider]:
    from quizapp.screens.palette import Commands  # wanted when the palette is first opened

    return Commands


LEAVING = ("ctrl+c", "ctrl+q")
"""Keys that work in any window."""

TERMINAL_LOOKED_AT = 2.0
"""Seconds between looks whether the terminal is still there."""

LASTING = 15.0
"""Seconds that a notice stays which tells a person to do something."""

NOTICE, NOTICE_EDGES = 60, 4
"""Columns of a notice, which takes half of a narrow window, and those of its border and padding."""


class QuizApp(OrderedKeys):
    """Practice for the Transformer part of an interview."""

    TITLE = "quizapp"
    CSS_PATH: ClassVar = ["widgets/page.tcss", "widgets/contents.tcss", "screens/home.tcss"]
    COMMANDS = {_commands}  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("ctrl+p", "command_palette", wording.PALETTE, wording.PALETTE_TIP, show=False, priority=True),
        bind("ctrl+c", "leave", wording.QUIT, wording.QUIT_TIP, show=False),
        bind("ctrl+q", "quit", wording.QUIT, wording.QUIT_TIP, show=False, priority=True),
    ]

    language: reactive[Language] = reactive(Language.EN)

    def __init__(
        self,
        paths: Paths,
        settings: Settings,
        *,
        problems: Sequence[Text] = (),
        bank: Bank = SHIPPED,
        choice: Callable[[], str] = lambda: os.urandom(8).hex(),
        solver: Solver | None = None,
        cursor_blink: bool = True,
        welcome: bool = False,
        clock: Clock | None = None,
    ) -> None:
        """Make the application; nothing is opened or started yet.

        Args:
            paths: Where the settings and the progress are.
            settings: What the person has chosen, the first language and theme among it.
            problems: What to tell the person at the start, such as a setting that can't be used.
            bank: The questions and lessons, a person's own ones among them.
            choice: Gives the text that chooses the next variant of a drill.
            solver: Marks the answers; by default a process of its own.
            cursor_blink: Whether cursors blink.
            welcome: Whether this is the first start, at which home says what to press.
            clock: Gives the time now; the system's where left out.
        """
        super().__init__()
        for known in THEMES:
            self.register_theme(known)
        self._attributes = Attributes()
        self.animation_level = "none"  # a page that is asked for is there at once, over a slow line too
        self.theme = settings.theme
        self.set_reactive(QuizApp.language, settings.language)
        self.bank = bank
        self.choice = choice
        self.cursor_blink = cursor_blink
        self.solver: Solver = solver or SolverProcess()
        self.keeper = Keeper(paths.progress, clock, day_ends=timedelta(hours=settings.rollover))
        self.paths = paths
        self._settings = settings
        self._unsaved: set[str] = set()
        self._saving = asyncio.Lock()
        self._problems = problems
        self._welcome = welcome
        self._asked: str | None = None
        self._last_key = ""
        self._lasts_until = 0.0
        self._last_words = ""
        self.once_painted: Callable[[], None] = lambda: None

    def get_driver_class(self) -> type[Driver]:
        """Leave when the window is closed rather than wait for it."""
        return unfailing(super().get_driver_class())

    def get_default_screen(self) -> Screen[None]:
        """Start at home."""
        return HomeScreen()

    def on_mount(self) -> None:
        """Start what is slow once the first screen is on the terminal."""
        self.call_after_refresh(self._get_ready)
        if self._welcome:
            self.call_after_refresh(self._say_welcome)

    async def _say_welcome(self) -> None:
        from quizapp.widgets.welcome import Welcome

        if self._welcome:  # no key was faster
            await self.screen_stack[0].mount(Welcome())

    @work(exit_on_error=False)
    async def _get_ready(self) -> None:
        """Open the log, tell what is amiss, start the solver."""
        self.once_painted()
        self._watch_terminal()
        self.keeper.tell = partial(self.tell, lasting=True)
        problem = await self.keeper.open()
        for message in (*self._problems, *((problem,) if problem else ())):
            self.tell(message, lasting=True)
        await self._apply_keys()
        last = await self.keeper.last_practised()
        if last is not None and last.drill in DRILLS and last.level in DRILLS[last.drill].levels:
            self.left_off_at(DrillPlace(last.drill, last.level))
        from quizapp import rescue

        rescued = rescue.take_up(self)
        if rescued is not None:
            self.tell(rescued.message, lasting=True)
            if rescued.drill is not None:
                self.left_off_at(rescued.drill)
        self.set_interval(rescue.SOON, self.rescue.look)
        with suppress(SolverError):  # said again, and mended, where a verdict is wanted
            await self.solver.start()

    def _watch_terminal(self) -> None:
        """Leave when the window is closed or the process is asked to end. Under ``make``, no signal tells of the former."""
        if self.is_headless or sys.__stdin__ is None or not sys.__stdin__.isatty():
            return
        self.set_interval(TERMINAL_LOOKED_AT, self._look_for_terminal)
        for name in ("SIGHUP", "SIGTERM"):
            with suppress(AttributeError, NotImplementedError):  # Windows
                asyncio.get_running_loop().add_signal_handler(getattr(signal, name), self._leave_at_once)

    def _look_for_terminal(self) -> None:
        if sys.__stdin__ is None or not sys.__stdin__.isatty():
            self._leave_at_once()

    def _leave_at_once(self) -> None:
        """Leave; what is typed is put by for the next start."""
        with suppress(Exception):
            self.rescue.put_by()
        self.exit()

    async def _apply_keys(self) -> None:
        """Give bindings the keys of the settings; what can't be granted is told."""
        if not self.settings.keys:
            return
        from quizapp import keymap  # it looks at every screen

        checked = await asyncio.to_thread(keymap.check, self.settings.keys)
        self.set_keymap(checked.keymap)
        for problem in checked.problems:
            self.tell(problem, lasting=True)

    def _handle_exception(self, error: Exception) -> None:
        """Leave with a sentence and a log instead of a wall of text; what is typed is put by for the next start."""
        from quizapp import crash
        from quizapp.commands.exits import Exit
        from quizapp.events import system_clock

        if self._comes_from_a_page_left(error):
            return
        self._return_code = Exit.INTERNAL
        if self._exception is not None:
            return  # one fault often brings others
        self._exception = error  # where tests look
        self._exception_event.set()
        kept = False
        with suppress(Exception):
            kept = self.rescue.put_by()
        log = crash.write_log(self.paths.data, error, system_clock())
        self._last_words = crash.describe(error, log, typed_kept=kept)[self.language]
        self._close_messages_no_wait()

    def _comes_from_a_page_left(self, error: BaseException) -> bool:
        """Tell whether a page was put up or written on while it was cleared away: nothing that a person could miss."""
        is_left = self.is_leaving
        if isinstance(error, WorkerFailed):
            error, page = error.error, get_current_worker().node
            is_left = is_left or (isinstance(page, BilingualScreen) and not page.is_open)
        return is_left and isinstance(error, GONE)

    def _print_error_renderables(self) -> None:
        """Print the sentence once the terminal is back; long lines are left to it, so that a path can be copied."""
        super()._print_error_renderables()
        if self._last_words:
            self.error_console.print(self._last_words, soft_wrap=True)

    async def on_unmount(self) -> None:
        """Stop the solver and close the log."""
        if "conductor" in self.__dict__:
            await self.conductor.flush()
        if "rescue" in self.__dict__:
            self.rescue.close()
        await self.solver.close()
        await self.keeper.close()

    # What a person did

    @cached_property
    def reviews(self) -> Reviews:
        """The answers given since the start, each with its rating."""
        from quizapp.reviewing import Reviews

        return Reviews(self)

    @cached_property
    def rescue(self) -> Rescue:
        """What is typed and not handed in, on disk."""
        from quizapp.rescue import Rescue

        return Rescue(self)

    @cached_property
    def conductor(self) -> Conductor:
        """Today's session."""
        from quizapp.conductor import Conductor

        return Conductor(self)

    def left_off_at(self, place: Place) -> None:
        """Offer a place on the first line of home."""
        home = self.screen_stack[0]
        if isinstance(home, HomeScreen):
            home.left_off_at(place)

    async def keep(self, what: Happening) -> None:
        """Write down what happened; it's on disk, or the person is told, when this returns."""
        problem = await self.keeper.keep(what)
        if problem is not None:
            self.tell(wording.NOT_KEPT.fill(reason=problem), lasting=True)

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
            from quizapp.screens.palette import Palette

            self.push_screen(Palette(placeholder=wording.PALETTE_PLACEHOLDER[self.language], id="--command-palette"))

    def action_settings(self) -> None:
        """Show the settings above the screen in use, which stays as it is."""
        from quizapp.screens.settings import SettingsScreen

        if isinstance(self.screen, BilingualScreen) and not isinstance(self.screen, SettingsScreen):
            self.push_screen(SettingsScreen())

    # Language and looks

    def action_switch_language(self) -> None:
        """Show everything in the other language."""
        self.clear_notifications()
        self.change_settings(language=Language.EN if self.language == Language.ZH else Language.ZH)

    @property
    def settings(self) -> Settings:
        """The settings as they are now."""
        return replace(self._settings, language=self.language, theme=self.theme)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Draw with attributes alone where the theme has no colours."""
        filters = super().get_line_filters()
        return [*filters, self._attributes] if self.theme == PLAIN.name else filters

    def choose_theme(self, name: str) -> None:
        """Change the colours."""
        self.change_settings(theme=name)

    def change_settings(self, **changes: object) -> None:
        """Change some settings, by their names in ``Settings``, and save those."""
        self._settings = replace(self.settings, **changes)  # type: ignore[arg-type]
        self.keeper.day_ends = timedelta(hours=self._settings.rollover)
        self.theme = self._settings.theme
        self.keeper.day_ends = timedelta(hours=self._settings.rollover)
        self.language = self._settings.language
        self._unsaved |= changes.keys()
        self._save_settings()

    @work(group="settings")
    async def _save_settings(self) -> None:
        from quizapp import settings

        async with self._saving:
            names = tuple(self._unsaved)
            self._unsaved.clear()
            if not names:
                return  # an earlier turn has saved them
            try:
                await asyncio.to_thread(settings.save, self.paths.settings, self.settings, names)
            except settings.SettingsError as error:
                self._unsaved.update(names)
                self.tell(error.message, lasting=True)

    def tell(self, text: Text, *, lasting: bool = False) -> None:
        """Show a notice for some seconds, in place of the one before; nothing in it is taken for markup."""
        self._hush()
        if lasting:
            self._lasts_until = monotonic() + LASTING
        said = written(text, self.language)
        if self.language is Language.ZH:  # Textual breaks lines at blanks alone
            said = "\n".join(wrap(said, min(NOTICE, self.size.width // 2) - NOTICE_EDGES))
        self.notify(said, markup=False, timeout=LASTING if lasting else None)

    def _hush(self) -> None:
        """Take away a notice that has been followed or overtaken; one of trouble stays for its time."""
        if monotonic() > self._lasts_until:
            self.clear_notifications()

    # Leaving

    @property
    def is_leaving(self) -> bool:
        """Tell whether the application is on its way out: widgets are cleared away, in whatever order."""
        return self._exit or not self.is_running

    @property
    def _at_stake(self) -> Text | None:
        stakes = (screen.at_stake() for screen in self.screen_stack if isinstance(screen, BilingualScreen))
        return next((stake for stake in stakes if stake is not None), self.keeper.at_stake())

    async def action_quit(self) -> None:
        """Leave at once where nothing would be lost, else ask first."""
        if self.sure("quit", self._at_stake, wording.AGAIN_TO_LEAVE):
            self.exit()

    def action_leave(self) -> None:
        """Say what would be lost, if anything, and leave at the second time."""
        if self.sure("leave", self._at_stake or wording.NOTHING_LOST, wording.AGAIN_TO_LEAVE):
            self.exit()

    def sure(self, action: str, stake: Text | None, again: Text = wording.AGAIN_TO_GO_ON) -> bool:
        """Tell whether an action may be done: nothing is at stake, or its key was pressed twice in a row.

        Args:
            action: A name for the action.
            stake: What would be lost.
            again: How to go on all the same.
        """
        if stake is None or self._asked == action:
            if self._asked is not None:
                self._hush()
            self._asked = None
            return True
        self._asked = action
        self.tell(stake + again)
        return False

    async def on_event(self, event: events.Event) -> None:
        """Let any other key take back what was asked; keep keys from a screen that can't be seen."""
        if isinstance(event, events.Key):
            if isinstance(self.screen, BilingualScreen) and self.screen.too_small and event.key not in LEAVING:
                return
            if event.key != self._last_key:
                self._asked = None
            if self._welcome:
                self._welcome = False
                await self.screen_stack[0].query("Welcome").remove()
            self._last_key = event.key
        await super().on_event(event)

    def on_key(self, event: events.Key) -> None:
        """Give keys that were typed before a page was turned to its field; they must not act as commands on it."""
        screen = self.screen
        if isinstance(screen, BilingualScreen) and event.time < screen.turned_at:
            event.prevent_default()
            if screen.focused is not None:
                screen.focused._forward_event(events.Key(event.key, event.character))


def make_app(folders: Sequence[Path] = ()) -> QuizApp:
    """Make the application as this person has set it up.

    Args:
        folders: Folders of questions and lessons of their own, beside those of the settings.
    """
    paths = find_paths()
    loaded = load(paths.settings, Settings(system_language(), NIGHT.name), [theme.name for theme in THEMES])
    bank, faults = open_own((*folders, *loaded.settings.bank))
    settings = replace(loaded.settings, theme=PLAIN.name) if os.environ.get("NO_COLOR") else loaded.settings
    first = not paths.progress.exists()
    return QuizApp(paths, settings, problems=(*loaded.problems, *loaded.unknown, *faults), bank=bank, welcome=first)


def _collect_from_now() -> None:
    gc.freeze()
    gc.enable()


def run(folders: Sequence[Path] = ()) -> None:
    """Run the application in this terminal.

    Raises:
        SystemExit: It had to stop because of a fault.
    """
    gc.disable()  # what is imported and laid out until home stands is kept, and is not looked through for garbage
    app = make_app(folders)
    app.once_painted = _collect_from_now
    app.run()
    if app.return_code:
        raise SystemExit(app.return_code)
