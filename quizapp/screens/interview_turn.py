"""The interview itself: what is asked, a field, a clock. Nothing is judged here; an answer is noted, and it goes on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.css.query import NoMatches
from textual.message import Message
from textual.widget import MountError, Widget
from textual.widgets import TextArea

from question_bank import problem
from question_bank.problem import Problem
from question_bank.text import Language, Text
from quizapp import wording_interview as wording
from quizapp.interview.host import Host, host_of
from quizapp.interview.phrases import by_the_clock
from quizapp.interview.script import Step, Turn
from quizapp.interview.under_way import UnderWay
from quizapp.screens.base import BilingualScreen
from quizapp.solver_process import SolverError
from quizapp.widgets.answer import AnswerField, enter_leads
from quizapp.widgets.bilingual import Phrase, bind
from quizapp.widgets.entries import Area
from quizapp.widgets.listing import Listing
from quizapp.widgets.matrices import Matrices, named
from quizapp.widgets.page import Heading, Page, Row
from quizapp.widgets.part import Part
from quizapp.widgets.stops import FieldArea
from quizapp.wording import NEXT_FIELD, NEXT_FIELD_TIP
from solvers.answers import Unreadable, read
from solvers.verdict import Outcome, Verdict

TICK = 1.0
"""Seconds between two looks at the clock."""

PATIENCE = 1.5
"""So many times what is meant for an answer, and the interviewer says something."""


class TurnScreen(BilingualScreen):
    """One thing asked after another."""

    CSS_PATH: ClassVar = ["../widgets/stops.tcss", "../widgets/answer.tcss", "interview.tcss"]
    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("enter", "hand_in", wording.HAND_IN, wording.HAND_IN_TIP),
        bind("tab", "write", wording.WRITE, wording.WRITE_TIP),
        bind("tab", "app.focus_next", NEXT_FIELD, NEXT_FIELD_TIP, show=False),  # where a field is there already
        bind("d", "pass_on", wording.PASS, wording.PASS_TIP),
        bind("c", "clock", wording.CLOCK_KEY, wording.CLOCK_TIP),
        bind("f", "finish", wording.FINISH, wording.FINISH_TIP),
    ]

    def __init__(self) -> None:
        """Ask nothing yet."""
        super().__init__()
        self._turn: Turn | None = None
        self._problem: Problem | None = None
        self._busy = True

    def compose_page(self) -> ComposeResult:
        """Lay out heading and page; what is asked is put on it later."""
        yield Heading(wording.TITLE)
        yield Page()
        yield Phrase(id="status")

    def on_mount(self) -> None:
        """Ask, and let the clock run."""
        self._host.enter()
        self.set_interval(TICK, self.look_at_the_clock)
        self._go_on(None)

    def on_unmount(self) -> None:
        """Let the clock stand still until the person comes back."""
        self._host.leave()

    @property
    def _host(self) -> Host:
        return host_of(self.quiz)

    @property
    def _held(self) -> UnderWay:
        held = self._host.under_way
        assert held is not None
        return held

    # Asking

    @property
    def _is_open(self) -> bool:
        return self in self.app.screen_stack and bool(self.query(Page))

    @work
    async def _go_on(self, said: Text | None) -> None:
        """Ask what comes next; at the end, make the report."""
        if not self._is_open:
            return
        turn = self._held.turn
        if turn is None:
            await self._end()
            return
        self._turn = turn
        self._problem = problem(turn.code) if turn.code is not None else None
        page = self.query_one(Page)
        try:
            with self.app.batch_update():
                await page.query(Row).exclude("Filler").remove()
                await page.append(*self._rows(turn, said))
            await self._restore()
        except (NoMatches, MountError):
            if self._is_open:
                raise
            return  # the person has left, and the page is being cleared away
        self._say(None)
        self.look_at_the_clock()
        page.scroll_home(animate=False)
        self.action_write()
        self.turned_at = Message().time  # by the clock that key events carry
        self._busy = False
        self.call_after_refresh(self._show_focused)
        self.refresh_bindings()

    def _show_focused(self) -> None:
        if self.focused is not None and not isinstance(self.focused, Page) and not self.can_view_entire(self.focused):
            self.scroll_to_center(self.focused, origin_visible=True, animate=False)

    def _rows(self, turn: Turn, said: Text | None) -> Iterator[Widget]:
        lead = self._lead(turn)
        lines = [Phrase(said + lead if said is not None else lead, classes="soft lead")]
        question = self.quiz.bank.question(turn.number)
        if turn.step is Step.FOLLOW_UP:
            lines.append(Phrase(wording.ASKED_BEFORE.fill(question=question.prompt), classes="soft before"))
            lines.append(Phrase(question.follow_ups[turn.follow_up or 0].question, classes="prompt"))
        elif turn.step is Step.QUESTION:
            lines.append(Phrase(question.prompt, classes="prompt"))
        if self._problem is None:
            yield Row(wording.ASKS, *lines)
            yield Row(wording.YOURS, FieldArea(id="answer"))
            return
        listing, inputs = Listing(id="listing"), Matrices(id="inputs")
        listing.show(self._problem.listing)
        inputs.show([named(name, value) for name, value in self._problem.program.inputs])
        yield Row(wording.ASKS, *lines, Phrase(self._problem.prompt, classes="prompt"), listing, inputs)
        yield from map(Part, self._problem.program.asks)

    def _lead(self, turn: Turn) -> Text:
        """Say what an interviewer says before what is asked."""
        place = len(self._held.given)
        lines: tuple[Text, ...] = wording.OPENS
        if place > 0:
            every = {Step.QUESTION: wording.CHANGES, Step.FOLLOW_UP: wording.DEEPER, Step.DRILL: wording.COMPUTES}
            lines = every[turn.step]
        same_before = sum(each.step is turn.step for each in self._held.script.turns[:place])
        return lines[(same_before + len(self._held.script.seed)) % len(lines)]

    async def _restore(self) -> None:
        """Put back what was typed before the person left."""
        typed = self._held.typed
        if self._problem is None:
            self._area.text = typed[0] if typed else ""
            self._area.move_cursor(self._area.document.end)
            self.translate(self.quiz.language)
        else:
            for field, text in zip(self._fields, typed, strict=False):
                await field.restore(text)

    def translate(self, language: Language) -> None:
        """Say anew what the field is for."""
        for area in self.query("#answer").results(FieldArea):
            area.placeholder = Content(wording.PLACEHOLDER[language])

    @property
    def _area(self) -> FieldArea:
        return self.query_one("#answer", FieldArea)

    @property
    def _parts(self) -> list[Part]:
        return list(self.query(Part))

    @property
    def _fields(self) -> list[AnswerField]:
        return [part.field for part in self._parts]

    @property
    def _typed(self) -> tuple[str, ...]:
        return (self._area.text,) if self._problem is None else tuple(field.text for field in self._fields)

    # The clock

    def look_at_the_clock(self) -> None:
        """Show the time that is left; say so when there is none."""
        held = self._host.tick()
        if held is None or self._turn is None or held.turn is None:
            return
        total = len(held.script.turns)
        place = wording.PLACE.fill(place=len(held.given) + 1, total=total)
        left = wording.OVER if held.is_time_up else wording.LEFT.fill(left=by_the_clock(held.left))
        clock = left if held.shows_clock else None
        self.query_one(Heading).say(wording.TITLE, clock or place, place if clock is not None else None)
        if self._busy:
            return
        if held.is_time_up:
            self._say(wording.TIME_UP, "almost")
        elif held.seconds > PATIENCE * self._turn.seconds and self.query_one("#status", Phrase).text is None:
            self._say(wording.HURRY)

    def action_clock(self) -> None:
        """Show or hide the clock."""
        self._host.change(shows_clock=not self._held.shows_clock)
        self.look_at_the_clock()

    # Answering

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        """Keep what is typed."""
        if not self._busy and event.text_area.id == "answer":
            self._note()

    def on_answer_field_changed(self) -> None:
        """Keep what is typed."""
        if not self._busy:
            self._note()

    def _note(self) -> None:
        self._host.change(typed=self._typed)
        if self.query_one("#status", Phrase).text == wording.NOTHING_TYPED:
            self._say(None)

    def on_answer_field_submitted(self, event: AnswerField.Submitted) -> None:
        """Go to the next empty field; hand in where none is left."""
        place = self._fields.index(event.field)
        empty = [field for field in self._fields[place + 1 :] if field.is_blank]
        if event.field.cells_left is not None:
            event.field.take_focus()
        elif empty:
            empty[0].take_focus()
        else:
            self.action_hand_in()

    def enter_leads(self) -> tuple[Text, Text]:
        """Name Enter by where it leads."""
        return enter_leads(self._fields, (wording.HAND_IN, wording.HAND_IN_TIP), self.focused)

    def on_answer_field_left(self) -> None:
        """Make single letters commands."""
        self.leave_field()

    def on_field_area_left(self) -> None:
        """Make single letters commands."""
        self.leave_field()

    def leave_field(self) -> None:
        """Give the focus to the page."""
        self.set_focus(self.query_one(Page), scroll_visible=False)
        self.refresh_bindings()

    def action_write(self) -> None:
        """Go on typing."""
        if self._problem is None:
            self.set_focus(self._area)
        else:
            (next((field for field in self._fields if field.is_blank), self._fields[0])).take_focus()

    def action_hand_in(self) -> None:
        """Hand in; where something is unfinished, go there instead."""
        if self._busy:
            return
        if self._problem is None:
            if self._area.text.strip():
                self._answer(self._typed)
            else:
                self._say(wording.NOTHING_TYPED, "almost")
            return
        unfinished = [part for part in self._parts if part.field.is_blank or part.field.cells_left is not None]
        if unfinished:
            blank = [part.label for part in unfinished if part.field.is_blank]
            listed = Text(", ".join(label.en for label in blank), "、".join(label.zh for label in blank))
            self._say(wording.STILL_EMPTY.fill(parts=listed) if blank else None, "almost")
            unfinished[0].field.take_focus()
        else:
            self._answer(self._typed)

    def action_pass_on(self) -> None:
        """Pass on this one, or on what is still empty of it."""
        if self._busy:
            return
        typed = self._typed
        some = any(text.strip() for text in typed)
        if some and not all(text.strip() for text in typed):
            self._answer(typed)
        elif self.quiz.sure("pass", wording.TYPED_UNCOUNTED if some else None):
            self._answer((), passed=True)

    @work
    async def _answer(self, typed: tuple[str, ...], *, passed: bool = False) -> None:
        """Note an answer; complain only of what can't be read."""
        if self._busy:
            return
        self._busy = True
        self.leave_field()
        verdict: Verdict | None = None
        if self._problem is not None and not passed:
            for field in self._fields:
                field.freeze(True)
            self._say(wording.NOTING)
            verdict = await self._marked(self._problem, typed)
            if not self._is_open or self._complains(verdict, typed):
                return
        await self._host.answer(*typed, passed=passed, verdict=verdict)
        self._go_on(wording.PASSED if passed else wording.NOTED)

    async def _marked(self, asked: Problem, typed: tuple[str, ...]) -> Verdict | None:
        try:
            return await self.quiz.solver.grade(asked, [text or None for text in typed])
        except SolverError:
            return None  # tried again for the report

    def _complains(self, verdict: Verdict | None, typed: tuple[str, ...]) -> bool:
        """Say what could not be taken as an answer, and nothing of the rest; tells whether there is any."""
        refused: list[tuple[AnswerField, Text]] = []
        for place, field in enumerate(self._fields):
            if verdict is not None and verdict.parts[place].outcome is Outcome.UNREADABLE:
                refused.append((field, verdict.parts[place].message))
            elif verdict is None and typed[place]:
                reading = read(typed[place], field.form)
                if isinstance(reading, Unreadable):
                    refused.append((field, reading.message))
        if not refused:
            return False
        for field in self._fields:
            field.freeze(False)
        for field, message in refused:
            field.say(field.explained(message))
        self._say(None)
        refused[0][0].mend()
        self._busy = False
        self.refresh_bindings()
        return True

    def _say(self, message: Text | None, style: str = "soft") -> None:
        status = self.query_one("#status", Phrase)
        if message != status.text:
            status.say(message)
            status.set_classes(style)
            self.call_after_refresh(self._show_focused)  # it takes lines from the page

    # The end

    async def action_finish(self) -> None:
        """End early, at the second time."""
        if self._busy:
            return
        left = replace(self._held, typed=self._typed).ended().unanswered  # as the report will say it
        if self.quiz.sure("finish", wording.END_EARLY.fill(left=left) if left else wording.ONE_LEFT, wording.AGAIN_TO_END):
            self._busy = True
            self._host.change(typed=self._typed)
            await self._host.end()
            self._go_on(None)

    async def _end(self) -> None:
        """Make the report, keep it, and show it."""
        self._busy = True
        self._turn = None
        self.leave_field()
        await self.query_one(Page).query(Row).exclude("Filler").remove()
        self._say(wording.REPORTING)
        # The application's worker: the report is kept even where the person leaves meanwhile
        self.quiz.run_worker(self._report(), group="interview-report", exclusive=True)

    async def _report(self) -> None:
        from quizapp.interview.report import from_text
        from quizapp.screens.interview_report import ReportScreen

        held, problem = await self._host.report()
        if problem is not None:
            self.quiz.tell(wording.NOT_SAVED.fill(reason=problem), lasting=True)
        if self.app.screen is self:
            self.app.switch_screen(ReportScreen(from_text(held.report)))

    def action_back(self) -> None:
        """Leave the field, then the interview, which waits."""
        if self._busy and self._turn is None:
            return
        before = self.app.screen
        super().action_back()
        if self.app.screen is not before and self._held.turn is not None:
            self.quiz.tell(wording.WAITS)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Show only what can be done now."""
        writing = isinstance(self.focused, Area)
        if action in ("pass_on", "finish", "clock"):
            return not self._busy
        if action == "hand_in":  # in a text area, Enter breaks the line
            return not self._busy and not writing
        if action == "write":
            return not self._busy and isinstance(self.focused, Page)
        return super().check_action(action, parameters)
