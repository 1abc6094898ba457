"""The home screen: a table of contents of everything that can be practised."""

from __future__ import annotations

import asyncio
from datetime import date
from importlib import import_module
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import ActiveBinding, BindingType
from textual.containers import HorizontalGroup
from textual.widgets import Input

from question_bank.text import Language
from quizapp import wording, wording_paper, wording_today
from quizapp.screens.base import BilingualScreen
from quizapp.screens.home_contents import Continue, DrillTarget, Fold, Here, HomeState, entries
from quizapp.screens.home_sheet import sheet_from
from quizapp.screens.places import (
    CheckPlace,
    DrillPlace,
    InterviewPlace,
    LabPlace,
    LessonPlace,
    Place,
    ProgressPlace,
    QuestionPlace,
    SheetPlace,
    TodayPlace,
)
from quizapp.widgets.bilingual import bind
from quizapp.widgets.contents import Contents
from quizapp.widgets.page import Heading

LOOKS_AGAIN = 30.0
"""Seconds after which home looks whether another study day has begun."""


class FindLine(Input):
    """The search line above the contents; hidden until asked for."""

    BINDINGS: ClassVar[list[BindingType]] = [bind("enter", "submit", wording.OPEN, wording.OPEN_TIP)]

    def __init__(self) -> None:
        """Start empty."""
        super().__init__(compact=True, select_on_focus=False)

    def on_mount(self) -> None:
        """Blink where the application blinks."""
        self.cursor_blink = getattr(self.app, "cursor_blink", True)


class HomeScreen(BilingualScreen):
    """Continue, drills by topic, questions by group, checking one's own numbers, help, language."""

    AUTO_FOCUS = "Contents"
    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            bind(str(level), f"level({level})", wording.LEVEL, wording.LEVEL_TIP, show=level == 1, display="1-4")
            for level in range(1, 5)
        ),
        bind("t", "today", wording_today.START_TODAY, wording_today.START_TODAY_TIP),
        bind("p", "progress", wording.PROGRESS, wording.PROGRESS_TIP, show=False),
        bind("w", "sheet", wording_paper.SHEET, wording_paper.SHEET_TIP),
        bind("slash", "find", wording.FIND, wording.FIND_TIP, display="/"),
        bind("down", "move(1)", wording.MOVE, wording.MOVE_TIP, show=False),
        bind("up", "move(-1)", wording.MOVE, wording.MOVE_TIP, show=False),
    ]

    def __init__(self, last: Place | None = None) -> None:
        """Show everything folded.

        Args:
            last: Where the person left off, for the first line.
        """
        super().__init__()
        self._state = HomeState(last=last)
        self._reading = False
        self._day: date | None = None

    def compose_page(self) -> ComposeResult:
        """Lay out heading, search line and contents."""
        yield Heading(wording.NAME, wording.TAGLINE)
        with HorizontalGroup(id="find"):
            yield FindLine()
        yield Contents()

    def on_mount(self) -> None:
        """Hide the search line and list everything."""
        self._state.bank = self.quiz.bank
        self._search_opened(False)
        self.translate(self.quiz.language)
        self._list()

        self.set_interval(LOOKS_AGAIN, self.look_for_another_day)

    def on_screen_resume(self) -> None:
        """See what is due, once the page is painted: it may have changed while another screen was open."""
        self.call_after_refresh(self._look_at_today)

    def look_for_another_day(self) -> None:
        """Say what the new day brings, where the study day has changed while home was open."""
        if self._day is not None and self._day != self.quiz.keeper.today():
            self._look_at_today()

    @work(exclusive=True, group="today")
    async def _look_at_today(self) -> None:
        from quizapp.progress_errors import ProgressError
        from quizapp.screens.today_amount import day_line

        # In a thread: what it imports must not hold up the keys that a person presses at once.
        await asyncio.to_thread(import_module, "quizapp.conductor")
        try:
            outlook = await self.quiz.conductor.look()
        except ProgressError:
            return  # the page of today says why
        self._day = outlook.today.day
        line = day_line(len(outlook.today.due), len(outlook.today.new), outlook.minutes)
        if line != self._state.today:
            self._state.today = line
            self._list()

    def action_today(self) -> None:
        """Start today's session, or go on with it."""
        self.quiz.open(TodayPlace(start=True))

    def action_progress(self) -> None:
        """Show what the person knows."""
        self.quiz.open(ProgressPlace())

    def action_sheet(self) -> None:
        """Make a sheet on paper from what is marked, or say what one can be made from."""
        place = sheet_from(self._state, self._marked)
        if place is None:
            self.quiz.tell(wording_paper.NO_SHEET_OF_THIS)
        else:
            self.quiz.open(place)

    @property
    def _bindings_now(self) -> dict[str, ActiveBinding]:
        """The keys that work now; that of a sheet only answers where none can be made, and isn't offered."""
        found = super()._bindings_now
        if sheet_from(self._state, self._marked if self.is_mounted else None) is not None:
            return found
        return {key: active for key, active in found.items() if active.binding.action != "sheet"}

    def _search_opened(self, opened: bool) -> None:
        self.query_one("#find").display = opened

    def translate(self, language: Language) -> None:
        """Say anew what the search line asks for."""
        self.query_one(FindLine).placeholder = wording.FIND_PLACEHOLDER[language]

    def left_off_at(self, place: Place) -> None:
        """Offer this place on the first line from now on."""
        self._state.last = place
        if isinstance(place, DrillPlace):
            self._state.levels[place.drill] = place.level
        self._list()

    def _list(self, marked: object | None = None) -> None:
        self.query_one(Contents).show(entries(self._state), marked)

    @property
    def _marked(self) -> object | None:
        return self.query_one(Contents).marked

    def on_contents_chosen(self, event: Contents.Chosen) -> None:
        """Open what was chosen."""
        target = event.target
        if isinstance(target, Fold):
            self._turn(target)
        elif isinstance(target, DrillTarget):
            self.quiz.open(self._state.place(target.drill))
        elif isinstance(target, Continue):
            self.quiz.open(target.place)
        elif isinstance(target, QuestionPlace | LessonPlace | LabPlace | CheckPlace | TodayPlace | InterviewPlace | SheetPlace):
            self.quiz.open(target)
        elif isinstance(target, Here):
            self.call_later(self.run_action, target.action)

    def on_contents_marked(self) -> None:
        """Show the keys that fit what is marked."""
        self.refresh_bindings()

    def _turn(self, fold: Fold) -> None:
        """Unfold a topic, or fold it."""
        if fold.name in self._state.unfolded:
            self._state.unfolded.remove(fold.name)
        else:
            self._state.unfolded.add(fold.name)
        self._list(fold)

    def on_contents_turned(self, event: Contents.Turned) -> None:
        """Unfold or fold a topic; take the next level of a drill, or the one before."""
        target = event.target
        if isinstance(target, Fold) and (target.name in self._state.unfolded) != (event.step > 0):
            self._turn(target)
        elif isinstance(target, DrillTarget):
            self.action_level(self._state.level(target.drill) + event.step)

    def action_open(self) -> None:
        """Open what is marked, from the search line too."""
        self.query_one(Contents).action_select()

    def action_move(self, step: int) -> None:
        """Move the mark while the search line has the focus."""
        contents = self.query_one(Contents)
        if step > 0:
            contents.action_cursor_down()
        else:
            contents.action_cursor_up()

    def action_level(self, level: int) -> None:
        """Choose the level of the marked drill."""
        marked = self._marked
        if isinstance(marked, DrillTarget) and self._state.choose_level(marked.drill, level):
            self._list()

    def action_find(self) -> None:
        """Open the search line."""
        self._search_opened(True)
        self.set_focus(self.query_one(FindLine))
        if not self._reading:
            self._reading = True
            self._read_the_bank()

    @work
    async def _read_the_bank(self) -> None:
        """Make the texts ready to be searched, a little at a time: the keyboard comes first."""
        from question_bank.search import Index, documents

        index = Index()
        for document in documents(self.quiz.bank):
            index.add(document)
            await asyncio.sleep(0)
        self._state.index = index
        if self._state.sought.strip():
            self._list()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Narrow the list; what is found first is marked, whatever was before."""
        self._state.sought = event.value
        found = entries(self._state) if event.value.strip() else []
        self._list(next((entry.target for entry in found if entry.target is not None), None))

    def on_input_submitted(self) -> None:
        """Open the marked line."""
        self.action_open()

    def action_back(self) -> None:
        """Leave the search line; everything is listed again."""
        self.query_one(FindLine).value = ""
        self._search_opened(False)
        self.set_focus(self.query_one(Contents))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer only what fits what is marked."""
        marked = self._marked if self.is_mounted else None
        if action == "back":
            return self.query_one("#find").display if self.is_mounted else False
        if action in ("find", "today"):
            return not self.query_one(FindLine).has_focus if self.is_mounted else True
        if action == "sheet":
            return not self.query_one(FindLine).has_focus if self.is_mounted else True
        if action == "level":
            return isinstance(marked, DrillTarget)
        return super().check_action(action, parameters)
