"""What every screen has: bilingual keys, a footer, a page, and a way back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, cast

from textual.app import ComposeResult, ScreenStackError
from textual.binding import ActiveBinding, Binding, BindingType
from textual.css.query import NoMatches
from textual.dom import DOMNode
from textual.message import Message
from textual.screen import Screen
from textual.widget import MountError, Widget

from question_bank.text import Language, Text
from quizapp import wording
from quizapp.widgets.bilingual import Phrase, Words, bind, language_of, said, translated
from quizapp.widgets.keys_line import KeysLine

if TYPE_CHECKING:
    from quizapp.app import QuizApp


COLUMNS, LINES = 36, 9
"""The least room in which every screen can be used."""

GENERAL = frozenset(("back", "app.help", "app.switch_language", "app.settings", "app.quit", "quit", "leave", "command_palette"))
"""Keys that every screen has; the footer shows them behind the screen's own."""

GONE = (NoMatches, MountError, ScreenStackError, LookupError, ValueError)
"""What a page raises that is half cleared away: it finds nothing, or fewer fields than there were."""


@dataclass(frozen=True, slots=True)
class Key:
    """A key that works now: where it's declared, and its name and what it does in both languages."""

    node: DOMNode
    binding: Binding
    label: Text
    tip: Text


class BilingualScreen(Screen[None]):
    """A screen whose keys and sentences follow the application's language.

    A subclass yields its widgets from ``compose_page`` and sets ``STYLES`` to the name of its ``.tcss`` where it has one.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("escape", "back", wording.BACK, wording.BACK_TIP),
        bind("question_mark", "app.help", wording.HELP, wording.HELP_TIP, display="?"),
        bind("l", "app.switch_language", wording.LANGUAGE, wording.LANGUAGE_TIP),
        bind("comma", "app.settings", wording.SETTINGS, wording.SETTINGS_TIP, show=False, display=","),
        bind("q", "app.quit", wording.QUIT, wording.QUIT_TIP, show=False),
    ]
    HORIZONTAL_BREAKPOINTS = [(0, "-too-narrow"), (COLUMNS, "-narrow"), (60, "-normal"), (100, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-too-short"), (LINES, "-short"), (14, "-tall")]  # noqa: RUF012

    turned_at = 0.0
    """When the page was last turned, by the clock of events: keys typed before are not for the page that came up."""

    def compose(self) -> ComposeResult:
        """Lay out the page above the footer."""
        yield from self.compose_page()
        yield KeysLine(compact=True)
        # Over the page, which keeps its text, its focus and its place. A screen of its own would have to be pushed and popped
        # while the one below lays itself out anew, and Textual can come to a standstill there.
        yield Phrase(wording.MORE_ROOM.fill(columns=COLUMNS, lines=LINES), classes="more-room")

    def compose_page(self) -> ComposeResult:
        """Yield what stands above the footer."""
        yield from ()

    def on_mount(self) -> None:
        """Follow the language."""
        self.watch(self.app, "language", self._language_changed, init=False)

    def _language_changed(self, language: Language) -> None:
        self.translate(language)
        self.refresh_bindings()

    def translate(self, language: Language) -> None:
        """Say anew what no widget of its own says."""

    @property
    def too_small(self) -> bool:
        """Whether the window has too little room for the page."""
        return self.size.width < COLUMNS or self.size.height < LINES

    @property
    def quiz(self) -> QuizApp:
        """The application, with its solver, its log and its settings."""
        return cast("QuizApp", self.app)

    @property
    def active_bindings(self) -> dict[str, ActiveBinding]:
        """The keys that work now, named in the language of the moment."""
        language = language_of(self)
        by_key = sorted(self._bindings_now.items(), key=lambda item: item[1].binding.action in GENERAL)
        return {
            key: active._replace(binding=translated(active.binding, language), tooltip=said(active.tooltip, language))
            for key, active in by_key
        }

    @property
    def _bindings_now(self) -> dict[str, ActiveBinding]:
        """The keys that work now, Enter in a field named by where it leads."""
        found = super().active_bindings
        enter, leads = found.get("enter"), self.enter_leads()
        if enter is not None and leads is not None and enter.binding.action == "submit" and enter.node is not self:
            label, tip = map(Words, leads)
            binding = replace(enter.binding, description=label, tooltip=tip)
            found = {**found, "enter": enter._replace(binding=binding, tooltip=tip)}
        return found

    def enter_leads(self) -> tuple[Text, Text] | None:
        """Say where Enter leads from the field in focus, in a word and in a sentence; None for what the field says itself."""
        return None

    def keys_now(self) -> tuple[Key, ...]:
        """Return the keys that work now and have a name in both languages, the screen's own before those of every screen."""
        found: dict[str, Key] = {}
        for active in self._bindings_now.values():
            label, tip = active.binding.description, active.tooltip
            if active.enabled and isinstance(label, Words) and isinstance(tip, Words):
                found.setdefault(active.binding.action, Key(active.node, active.binding, label.text, tip.text))
        return tuple(sorted(found.values(), key=lambda key: key.binding.action in GENERAL))

    @property
    def is_open(self) -> bool:
        """Tell whether the person is still here: a screen that was left stays attached for a while, without its widgets."""
        return not self.quiz.is_leaving and self in self.app.screen_stack

    @contextmanager
    def unless_left(self) -> Iterator[None]:
        """Pass over what goes wrong because the person has left meanwhile, and the page is being cleared away."""
        try:
            yield
        except GONE:
            if self.is_open:
                raise

    async def _on_message(self, message: Message) -> None:
        """Handle a message, the first of all, when the page is put up, among them: the person may be gone before it is."""
        with self.unless_left():
            await super()._on_message(message)

    def at_stake(self) -> Text | None:
        """Say what would be lost by leaving now; None where nothing would."""
        return None

    def action_back(self) -> None:
        """Leave a field first, then the screen."""
        if isinstance(self.focused, Widget) and self.focused.check_consume_key("a", "a"):
            self.leave_field()
        elif len(self.app.screen_stack) > 1 and self.quiz.sure("back", self.at_stake()):
            self.app.pop_screen()

    def leave_field(self) -> None:
        """Take the focus out of a field, so that single letters are commands."""
        self.set_focus(None)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Show only keys that do something now."""
        if action == "back":
            return len(self.app.screen_stack) > 1 or self.focused is not None
        return True
