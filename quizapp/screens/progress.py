"""The progress screen: a map of the chapter, days, what is due, mistakes, times. One page, on which number keys jump."""

from __future__ import annotations

from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType

from question_bank.text import Text, same
from quizapp import wording
from quizapp import wording_progress as said
from quizapp.dates import written
from quizapp.screens.base import BilingualScreen
from quizapp.screens.places import screen_for
from quizapp.screens.progress_contents import entries
from quizapp.screens.progress_targets import Chart, Part, ProgressState, footnote, part_of, place_of
from quizapp.widgets.bilingual import Phrase, bind
from quizapp.widgets.contents import Contents
from quizapp.widgets.ledger import Ledger
from quizapp.widgets.page import Heading, Row


class ProgressScreen(BilingualScreen):
    """What a person knows, and what they did."""

    CSS_PATH: ClassVar = ["progress.tcss"]
    AUTO_FOCUS = "Ledger"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind(str(part.value), f"part({part.value})", said.GO_TO, said.GO_TO_TIP, show=part is Part.CHAPTER, display="1-5")
        for part in Part
    ]

    def __init__(self) -> None:
        """Read nothing yet."""
        super().__init__()
        self._state: ProgressState | None = None

    def compose_page(self) -> ComposeResult:
        """Lay out heading, page and footnote."""
        yield Heading(wording.PROGRESS, wording.NAME)
        yield Ledger()
        yield Row(None, Phrase(), id="footnote", classes="tight")

    def on_screen_resume(self) -> None:
        """Read what has happened, the first time and after every drill."""
        self._read()

    @work(exclusive=True)
    async def _read(self) -> None:
        """Read everything in one go, in a thread; what the mistakes are called comes a little later."""
        from asyncio import to_thread

        from quizapp.overview import named, read
        from quizapp.planning import Wishes, course_of
        from quizapp.progress_errors import ProgressError

        bank, wishes = self.quiz.bank, Wishes.of(self.quiz.settings)
        try:
            overview = await self.quiz.keeper.ask(lambda log: read(log, course_of(bank), wishes))
        except ProgressError as error:
            self._note(same("✗"), said.UNREADABLE_LOG.fill(reason=error.message))
            return
        state = ProgressState(overview, bank=bank)
        if self._state is not None:
            state.marked, state.sentences = self._state.marked, self._state.sentences
        if all(each.mistake in (state.sentences or {}) for each in overview.mistakes):
            state.sentences = state.sentences or {}
            self._show(state)
            return
        state.sentences = None
        self._show(state)
        state.overview, state.sentences = await to_thread(named, overview)
        self._show(state)

    def _show(self, state: ProgressState) -> None:
        if not self.is_attached:
            return
        self._state = state
        self.query_one(Heading).say(wording.PROGRESS, written(state.overview.day))
        self.query_one(Ledger).draw(lambda room, language: entries(state, room, language))
        self._say_more()

    def _say_more(self) -> None:
        if self._state is not None:
            self._note(*footnote(self._state, self.query_one(Ledger).marked))
        self.refresh_bindings()

    def _note(self, key: Text, text: Text) -> None:
        row = self.query_one("#footnote", Row)
        row.note.say(key)
        row.body.query_one(Phrase).say(text)

    def on_contents_marked(self) -> None:
        """Say more of what is marked now."""
        self._say_more()

    def on_contents_chosen(self, event: Contents.Chosen) -> None:
        """Open the drill or the lesson that a line leads to; Esc comes back here."""
        place = place_of(self._state, event.target) if self._state is not None else None
        if place is not None:
            self.app.push_screen(screen_for(place))

    def on_ledger_moved(self, event: Ledger.Moved) -> None:
        """Mark another day of a chart."""
        if self._state is not None and isinstance(event.target, Chart):
            self._state.mark(event.target.part, event.days)
            self.query_one(Ledger).redraw()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer to go to a part where there are any."""
        if action == "part":
            return self._state is not None and bool(self._state.overview.days)
        return super().check_action(action, parameters)

    def action_part(self, number: int) -> None:
        """Go to a part of the page."""
        self.query_one(Ledger).go_to(lambda target: part_of(target) is Part(number))
