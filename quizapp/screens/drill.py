"""The drill screen: a problem, its answer fields, the verdict, and the worked steps."""

from __future__ import annotations

from contextlib import suppress
from enum import Enum, auto
from time import monotonic
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.css.query import NoMatches
from textual.message import Message

from question_bank import draw, problem
from question_bank.drills import DRILLS
from question_bank.labs import lab_of
from question_bank.problem import Problem
from question_bank.text import Text, same
from quizapp import wording
from quizapp import wording_lab as lab
from quizapp import wording_lesson as lesson
from quizapp import wording_today as today
from quizapp.drafts import drafts_of
from quizapp.events import Rating, drill_answered
from quizapp.screens.places import DrillPlace, LabPlace, LessonPlace, screen_for
from quizapp.screens.reviewed import ENTER_RESTS, ReviewedScreen
from quizapp.solver_process import SolverError
from quizapp.widgets.answer import AnswerField, enter_leads
from quizapp.widgets.bilingual import Phrase, bind
from quizapp.widgets.entries import Area
from quizapp.widgets.listing import Listing
from quizapp.widgets.matrices import Matrices, named
from quizapp.widgets.page import Heading, Page, Row
from quizapp.widgets.part import Part
from quizapp.widgets.rating import RatingLine
from quizapp.widgets.steps import step_row
from quizapp.widgets.verdict import MARKS
from solvers.steps import Step
from solvers.verdict import Outcome, Verdict

if TYPE_CHECKING:
    from quizapp.conductor import Conductor
    from quizapp.events import Event
    from quizapp.reviewing import Rated
    from quizapp.sitting import Spot


class Stage(Enum):
    """Where the person is with a problem."""

    TURNING = auto()
    ANSWERING = auto()
    MARKING = auto()
    MARKED = auto()


class DrillScreen(ReviewedScreen):
    """One drill, variant after variant."""

    CSS_PATH: ClassVar = ["drill.tcss", "../widgets/answer.tcss", "../widgets/steps.tcss"]
    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("enter", "submit", wording.SUBMIT, wording.SUBMIT_TIP),
        bind("enter", "go_on", wording.NEXT, wording.NEXT_TIP),
        bind("n", "next", wording.NEXT, wording.NEXT_TIP, show=False),
        bind("r", "again", wording.AGAIN, wording.AGAIN_TIP),
        bind("s", "step", wording.STEP, wording.STEP_TIP),
        bind("h", "hint", wording.HINT, wording.HINT_TIP),
        bind("d", "give_up", wording.DONT_KNOW, wording.DONT_KNOW_TIP),
        bind("e", "lesson", lesson.LESSON, lesson.LESSON_TIP),
        bind("v", "lab", lab.LAB, lab.LAB_NOW_TIP),
        bind("c", "copy_code", wording.COPY_CODE, wording.COPY_CODE_TIP),
        *(
            bind(str(level), f"level({level})", wording.LEVEL, wording.LEVEL_TIP, show=level == 1, display="1-4")
            for level in range(1, 5)
        ),
        *(
            bind(str(rating), f"rerate({rating})", today.RERATE, today.RERATE_TIP, show=rating == 1, display="1-4")
            for rating in range(1, 5)
        ),
        *ReviewedScreen.UNDO,
    ]

    def __init__(self, place: DrillPlace, session: Conductor | None = None, spot: Spot | None = None) -> None:
        """Take a drill up.

        Args:
            place: The drill, or one problem of it.
            session: The session that it belongs to; None for a drill practised by itself.
            spot: How the problem stood when it was left.

        Raises:
            CodeError: The place names no problem.
        """
        super().__init__(session, spot)
        self._place = place
        self._problem: Problem | None = None
        self._stage = Stage.TURNING
        self._steps: tuple[Step, ...] = ()
        self._unfolded = 0
        self._hints = 0
        self._marked_at = monotonic()

    def compose_page(self) -> ComposeResult:
        """Lay out heading and page; the problem is put on it later."""
        yield Heading()
        yield Page(Row(None, Phrase(id="prompt"), Listing(id="listing"), Matrices(id="inputs"), id="problem"))
        yield Phrase(id="status")
        yield RatingLine()

    def on_mount(self) -> None:
        """Show the first variant."""
        first = problem(self._place.code) if self._place.code else self._another(self._place.level)
        self.call_later(self._show, first, self._spot)

    # A problem

    def _another(self, level: int) -> Problem:
        """Draw a variant; not the one that is shown, where there are others."""
        for _attempt in range(8):
            drawn = draw(self._place.drill, level, self.quiz.choice())
            if self._problem is None or drawn.code != self._problem.code:
                break
        return drawn

    async def _show(self, shown: Problem, spot: Spot | None = None) -> None:
        """Put a problem on a fresh page, as it stood when it was left."""
        with self.unless_left():
            await self._put(shown, spot)

    async def _put(self, shown: Problem, spot: Spot | None) -> None:
        self._problem = shown
        self._stage = Stage.TURNING
        self._steps, self._unfolded, self._hints = (), 0, 0
        self._answer = self._rated = None
        self._started, self._before = monotonic(), spot.seconds if spot is not None else 0.0
        self.query_one(RatingLine).show(None)
        self.quiz.left_off_at(DrillPlace(shown.drill, shown.level))
        level = wording.AT_LEVEL.fill(level=shown.level)
        if self._session is None:
            self.query_one(Heading).say(DRILLS[shown.drill].title, same(shown.code), level)
        else:
            code_and_level = Text(f"{shown.code}  {level.en}", f"{shown.code}  {level.zh}")
            self.query_one(Heading).say(DRILLS[shown.drill].title, self._session.progress, code_and_level)
        self.query_one("#prompt", Phrase).say(shown.prompt)
        self.query_one("#listing", Listing).show(shown.listing)
        self.query_one("#inputs", Matrices).show([named(name, value) for name, value in shown.program.inputs])
        page = self.query_one(Page)
        await page.query("Part, .step, .hint, .remark").remove()
        await page.append(*map(Part, shown.program.asks))
        typed = drafts_of(self.app).problems.pop(shown.code, ())
        for field, text in zip(self._fields, spot.typed if spot is not None else typed, strict=False):
            await field.restore(text)
        for _hint in range(spot.hints if spot is not None else 0):
            await self.action_hint()
        self._say(None)
        page.scroll_home(animate=False)
        (next((field for field in self._fields if field.is_blank), self._fields[0])).take_focus()
        self.turned_at = Message().time  # by the clock that key events carry
        self._stage = Stage.ANSWERING
        self._note_problem()
        self.call_after_refresh(self._show_focused)
        self.refresh_bindings()

    def _show_focused(self) -> None:
        """Scroll to the field in focus, once it's known where that is."""
        if self.focused is not None and not self.can_view_entire(self.focused):
            self.scroll_to_center(self.focused, origin_visible=True, animate=False)

    @property
    def _parts(self) -> list[Part]:
        return list(self.query(Part))

    @property
    def _fields(self) -> list[AnswerField]:
        return [part.field for part in self._parts]

    def _say(self, message: Text | None, style: str = "soft") -> None:
        status = self.query_one("#status", Phrase)
        status.say(message)
        status.set_classes(style)

    # Answering

    def _note_problem(self) -> None:
        if self._session is None or self._problem is None or self._stage is not Stage.ANSWERING:
            return
        with suppress(NoMatches):  # a field that is being put up, or cleared away: it says so when it has changed again
            self._note(code=self._problem.code, typed=tuple(field.text for field in self._fields), hints=self._hints)

    def on_answer_field_changed(self) -> None:
        """Keep what is typed, where it belongs to a session."""
        self._note_problem()

    def on_answer_field_submitted(self, event: AnswerField.Submitted) -> None:
        """Go to the next empty part; hand in where none is left."""
        fields = self._fields
        place = fields.index(event.field)
        empty = [field for field in fields[place + 1 :] + fields[:place] if field.is_blank]
        if event.field.cells_left is not None:
            event.field.take_focus()
        elif empty and fields.index(empty[0]) > place:
            empty[0].take_focus()
        elif empty:
            names = [part.label for part in self._parts if part.field.is_blank]
            listed = Text(", ".join(name.en.strip() for name in names), "、".join(name.zh.strip() for name in names))
            self._say(wording.STILL_EMPTY.fill(parts=listed), "almost")
        else:
            self._hand_in([field.text for field in fields])

    def enter_leads(self) -> tuple[Text, Text]:
        """Name Enter by where it leads."""
        return enter_leads(self._fields, (wording.SUBMIT, wording.SUBMIT_TIP), self.focused)

    def on_answer_field_left(self) -> None:
        """Make single letters commands."""
        self.leave_field()

    def leave_field(self) -> None:
        """Give the focus to the page."""
        self.set_focus(self.query_one(Page), scroll_visible=False)
        self.refresh_bindings()

    def action_submit(self) -> None:
        """Hand in; where something is unfinished, go there instead."""
        fields = self._fields
        unfinished = next((field for field in fields if field.is_blank or field.cells_left is not None), None)
        if unfinished is not None:
            unfinished.take_focus()
        else:
            self._hand_in([field.text for field in fields])

    async def action_hint(self) -> None:
        """Show one more hint, above the first field."""
        hints = DRILLS[self._place.drill].hints
        if self._hints < len(hints):
            self._hints += 1
            note = wording.HINT_NUMBER.fill(number=self._hints, all=len(hints))
            row = Row(note, Phrase(hints[self._hints - 1], classes="soft"), classes="hint")
            await self.query_one(Page).mount(row, before=self._parts[0])
            self.call_after_refresh(row.scroll_visible, animate=False)
            self._note_problem()
            self.refresh_bindings()

    def action_give_up(self) -> None:
        """Give up what is empty; everything, where nothing is."""
        texts = [field.text or None for field in self._fields]
        if None in texts:
            self._hand_in(texts)
        elif self.quiz.sure("give up", wording.TYPED_LOST):
            self._hand_in([None] * len(texts))

    def _hand_in(self, answers: list[str | None]) -> None:
        if self._stage is not Stage.ANSWERING or self._problem is None:
            return
        self._stage = Stage.MARKING
        for field in self._fields:
            field.freeze(True)
        self._say(wording.MARKING if self.quiz.solver.is_ready else wording.WARMING_UP)
        self.set_focus(self.query_one(Page), scroll_visible=False)
        self.refresh_bindings()
        # The application's worker, not this screen's: an answer is kept even where the person leaves before its verdict
        self.quiz.run_worker(self._mark(self._problem, answers, self._seconds, self._hints), group="marking")

    async def _mark(self, shown: Problem, answers: list[str | None], seconds: float, hints: int) -> None:
        """Have the answers marked, and keep them, before the verdict is shown."""
        verdict: Verdict | None = None
        message: Text | None = None
        trouble: Text | None = None
        answer: Event | None = None
        try:
            verdict = await self.quiz.solver.grade(shown, answers)
        except SolverError as error:
            message = error.message
        if verdict is not None and verdict.outcome.spends_an_attempt:
            kept = await self.quiz.reviews.keep(drill_answered(shown, verdict, seconds, hints))
            answer, trouble = kept.event, kept.problem
            self._trouble(trouble)
            if self._session is not None:
                await self._session.answered(answer)
        with self.unless_left():
            await self._tell(verdict, message, answer)
        if answer is not None:
            rated = await self.quiz.reviews.rate(answer)
            self._trouble(rated.problem if trouble is None else None)
            with self.unless_left():
                self._show_rating(rated)

    def _trouble(self, problem: Text | None) -> None:
        if problem is not None:
            self.quiz.tell(wording.NOT_KEPT.fill(reason=problem), lasting=True)

    async def _tell(self, verdict: Verdict | None, message: Text | None, answer: Event | None) -> None:
        """Show the verdict, or why there is none."""
        if not self.is_open:
            return
        self._answer = answer
        if verdict is not None and verdict.outcome.spends_an_attempt:
            await self._reveal(verdict)
            return
        self._reopen()
        self._say(message, "almost")
        if verdict is not None:
            self._complain(verdict)

    def _reopen(self) -> None:
        """Let the person go on with what is typed."""
        self._stage = Stage.ANSWERING
        for field in self._fields:
            field.freeze(False)
        self._say(None)
        self.refresh_bindings()

    def _complain(self, verdict: Verdict) -> None:
        """Say what could not be taken as an answer; tell nothing of the rest."""
        refused = [
            (field, part) for field, part in zip(self._fields, verdict.parts, strict=True) if not part.outcome.spends_an_attempt
        ]
        for field, part in refused:
            field.say(field.explained(part.message))
        refused[0][0].mend()

    async def _reveal(self, verdict: Verdict) -> None:
        """Show the verdict; from here on single letters are commands."""
        self._stage = Stage.MARKED
        self._marked_at = monotonic()
        for part, outcome in zip(self._parts, verdict.parts, strict=True):
            await part.reveal(outcome)
            if not self.is_open:
                return
        remark = Row(None, Phrase(self._problem.remark), classes="remark") if self._problem and self._problem.remark else None
        if remark is not None:
            await self.query_one(Page).append(remark)
        several = len(verdict.parts) > 1
        self._say(verdict.message if several else None, f"strong {MARKS[verdict.outcome].style}")
        marked = zip(self._parts, verdict.parts, strict=True)
        worst = next((part for part, one in marked if one.outcome is not Outcome.RIGHT), None)
        self.set_focus(self.query_one(Page), scroll_visible=False)
        seen = worst or self._parts[-1]
        self.call_after_refresh((remark if remark and not several else seen).scroll_visible, animate=False, top=several)
        self.refresh_bindings()

    # After the verdict

    def _show_rating(self, rated: Rated) -> None:
        """Show the rating that is kept, with its date."""
        if not self.is_open or rated.answer is not self._answer:
            return  # the person has gone on
        if self._rated is None:
            self._marked_at = monotonic()  # only now there is everything to be read
        self._rated = rated
        self.query_one(RatingLine).show(rated)
        self.refresh_bindings()

    async def action_rerate(self, rating: int) -> None:
        """Rate the answer otherwise."""
        if self._answer is not None and self._rated is not None and self._rated.rating != rating:
            rated = await self.quiz.reviews.rate(self._answer, Rating(rating))
            self._trouble(rated.problem)
            self._show_rating(rated)

    async def action_go_on(self) -> None:
        """Draw another variant, or go to the session's next item, once the verdict has stood for a moment."""
        if monotonic() - self._marked_at > ENTER_RESTS:
            await self.action_next()

    async def action_next(self) -> None:
        """Draw another variant; in a session go to the next item."""
        assert self._problem is not None
        if self._session is not None:
            await (self._skip_item() if self._stage is Stage.ANSWERING else self._next_item())
        elif self.quiz.sure("next", self.at_stake()):
            await self._show(self._another(self._problem.level))

    async def action_again(self) -> None:
        """Do the same variant again."""
        assert self._problem is not None
        await self._show(self._problem)

    async def action_level(self, level: int) -> None:
        """Draw a variant of another level."""
        if self.quiz.sure(f"level {level}", self._unsaid()):
            await self._show(self._another(level))

    def action_copy_code(self) -> None:
        """Copy the problem's code."""
        assert self._problem is not None
        self.app.copy_to_clipboard(self._problem.code)
        self.quiz.tell(wording.COPIED.fill(code=self._problem.code))

    @work(exclusive=True, group="steps")
    async def action_step(self) -> None:
        """Unfold the next step."""
        shown = self._problem
        assert shown is not None
        if not self._steps:
            try:
                steps = await self.quiz.solver.work(shown)
            except SolverError as error:
                if self.is_open:
                    self._say(error.message, "almost")
                return
            if not self.is_open or self._problem is not shown:
                return  # the person has gone on; these are the steps of another problem
            self._steps = steps
        if self._unfolded < len(self._steps):
            step = self._steps[self._unfolded]
            self._unfolded += 1
            row = step_row(step, self._unfolded, len(self._steps))
            await self.query_one(Page).append(row)
            self.call_after_refresh(row.scroll_visible, animate=False, top=True)
            self.refresh_bindings()

    def typed(self) -> tuple[str, tuple[str, ...]]:
        """Return the problem's code, and what is typed and not handed in yet, one text a part."""
        if self._problem is None or self._stage not in (Stage.ANSWERING, Stage.MARKING):
            return "", ()
        return self._problem.code, tuple(field.text for field in self._fields)

    def at_stake(self) -> Text | None:
        """Typed answers that have not been handed in would be lost; those of a session are kept."""
        return self._unsaid() if self._session is None else None

    def _unsaid(self) -> Text | None:
        typed = self._stage is Stage.ANSWERING and any(not field.is_blank for field in self._fields)
        return wording.TYPED_LOST if typed else None

    def action_lesson(self) -> None:
        """Read the section that the drill belongs to."""
        self.app.push_screen(screen_for(LessonPlace(DRILLS[self._place.drill].section)))

    def action_lab(self) -> None:
        """Try the problem at hand out."""
        assert self._problem is not None
        self.app.push_screen(screen_for(LabPlace(lab_of(DRILLS[self._place.drill].section) or "", self._problem.code)))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Show only what can be done now."""
        if action == "submit":  # in a text area, Enter breaks the line
            return self._stage is Stage.ANSWERING and not isinstance(self.focused, Area)
        if action == "give_up":
            return self._stage is Stage.ANSWERING
        if action == "hint":
            return self._stage is Stage.ANSWERING and self._hints < len(DRILLS[self._place.drill].hints)
        if action in ("go_on", "lab"):
            return self._stage is Stage.MARKED
        if action == "again":
            return self._stage is Stage.MARKED and self._session is None
        if action == "rerate":
            return self._stage is Stage.MARKED and self._rated is not None
        if action == "undo":
            return self._stage in (Stage.ANSWERING, Stage.MARKED) and self._can_undo
        if action in ("next", "copy_code"):
            return self._stage in (Stage.ANSWERING, Stage.MARKED)
        if action == "step":
            return self._stage is Stage.MARKED and (not self._steps or self._unfolded < len(self._steps))
        if action == "lesson":
            return self._stage is Stage.MARKED and DRILLS[self._place.drill].section in self.quiz.bank.sections()
        if action == "level":
            return self._stage is Stage.ANSWERING and parameters[0] in DRILLS[self._place.drill].levels
        return super().check_action(action, parameters)
