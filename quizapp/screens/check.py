"""The self-check screen: choose an operation, give its numbers, type a result, get the verdict and the steps."""

from __future__ import annotations

from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalGroup

from question_bank.own_numbers import TEMPLATES, Template
from question_bank.program import Program
from question_bank.text import Text, same
from quizapp import wording as general
from quizapp import wording_check as wording
from quizapp.drafts import CheckDraft, drafts_of
from quizapp.screens.base import BilingualScreen
from quizapp.self_check import FormError, Judged, judge
from quizapp.solver_process import SolverError
from quizapp.widgets.bilingual import Phrase, bind
from quizapp.widgets.own_fields import symbol_of
from quizapp.widgets.own_form import OwnForm
from quizapp.widgets.page import Heading, Row
from quizapp.widgets.steps import step_row
from quizapp.widgets.stops import Choice, FieldArea, Stop, StopPage
from quizapp.widgets.verdict import MARKS, VerdictView, note_for
from quizapp.wording import NEXT_FIELD, NEXT_FIELD_TIP
from solvers.steps import Step


class Operation(Choice):
    """An operation to choose."""

    def __init__(self, template: Template) -> None:
        """Offer it."""
        symbols = [symbol_of(field) for field in template.fields if field.required]
        super().__init__(same(" ".join(symbol.en for symbol in symbols)), template.title)
        self.template = template


class CheckScreen(BilingualScreen):
    """A person's own numbers, checked."""

    CSS_PATH: ClassVar = ["../widgets/stops.tcss", "../widgets/steps.tcss", "check.tcss"]
    AUTO_FOCUS = None
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("enter", "main", wording.CHECK, wording.CHECK_TIP),
        bind("tab", "write", wording.TYPE, wording.TYPE_TIP),
        bind("tab", "app.focus_next", NEXT_FIELD, NEXT_FIELD_TIP, show=False),  # where a field is there already
        bind("s", "step", general.STEP, general.STEP_TIP),
        bind("d", "give_up", wording.SOLUTION, wording.SOLUTION_TIP),
        bind("o", "choose", wording.OTHER, wording.OTHER_TIP),
    ]

    def __init__(self) -> None:
        """Start with the list of operations, or with what was typed before."""
        super().__init__()
        self._template: Template | None = None
        self._steps: tuple[Step, ...] = ()
        self._unfolded = 0
        self._checked: tuple[object, ...] | None = None
        self._is_busy = False

    def compose_page(self) -> ComposeResult:
        """Lay out the operations and the form, of which one is shown at a time."""
        yield Heading(wording.TITLE)
        yield StopPage(
            VerticalGroup(
                Row(wording.OPERATION, Phrase(wording.WHICH, classes="soft"), classes="tight"),
                *map(Operation, TEMPLATES.values()),
                id="operations",
            ),
            OwnForm(self._draft),
            VerticalGroup(id="verdict"),
            Row(None, Phrase(wording.HOW, classes="soft"), id="said"),
            VerticalGroup(id="steps"),
        )

    async def on_mount(self) -> None:  # type: ignore[override]  # Textual awaits it
        """Go on where the person was."""
        if self._draft.operation is not None:
            await self._fill_in(TEMPLATES[self._draft.operation])
        else:
            self.action_choose()

    @property
    def _draft(self) -> CheckDraft:
        return drafts_of(self.app).check

    @property
    def _page(self) -> StopPage:
        return self.query_one(StopPage)

    @property
    def _form(self) -> OwnForm:
        return self.query_one(OwnForm)

    def _say(self, message: Text, style: str = "soft") -> None:
        said = self.query_one("#said > .row-body > Phrase", Phrase)
        said.say(message)
        said.set_classes(style)

    # The operation

    def action_choose(self) -> None:
        """Show the list of operations."""
        self._show_form(False)
        operations = self.query(Operation)
        now = next((each for each in operations if each.template is self._template), operations.first())
        self.call_after_refresh(now.focus)

    def _show_form(self, shown: bool) -> None:
        self.query_one("#operations").display = not shown
        for name in ("OwnForm", "#verdict", "#said", "#steps"):
            self.query_one(name).display = shown
        self.call_after_refresh(self.refresh_bindings)

    async def on_stop_acted(self, event: Stop.Acted) -> None:
        """Choose an operation."""
        event.stop()
        if isinstance(event.row, Operation):
            await self._fill_in(event.row.template)

    async def _fill_in(self, template: Template) -> None:
        """Show the form of an operation, with what its fields held before."""
        self._template = template
        self.query_one(Heading).say(wording.TITLE, template.title)
        await self._form.ask_for(template)
        self._show_form(True)
        await self._forget()
        self._page.scroll_home(animate=False)
        self._form.take_focus()

    # The numbers

    async def on_own_form_changed(self) -> None:
        """Take away what was said of other numbers."""
        if self._checked is None:
            self._say(wording.HOW)
        await self._forget()

    async def _forget(self) -> None:
        """Take away the verdict, unless it is on what is typed now."""
        if self._checked is not None and self._checked != self._form.everything():
            self._checked = None
            self._steps, self._unfolded = (), 0
            self._is_busy = False
            self.workers.cancel_group(self, "checking")
            self._say(wording.HOW)
            await self.query("#verdict > *, #steps > *").remove()
            self.refresh_bindings()

    def on_own_form_finished(self) -> None:
        """Check."""
        self.action_main()

    def action_write(self) -> None:
        """Go back to the fields."""
        self._form.take_focus()

    def on_field_area_left(self) -> None:
        """Make single letters commands."""
        self.leave_field()

    def action_back(self) -> None:
        """Leave the list of operations for the form, where there is one; else the screen."""
        if self._template is not None and not self._form.display:
            self._show_form(True)
            self._form.take_focus()
        else:  # nothing to ask first: what is typed is kept for when the person comes back
            self.app.pop_screen()

    def leave_field(self) -> None:
        """Give the focus to the page."""
        self._page.focus(scroll_visible=False)

    # The verdict

    def action_main(self) -> None:
        """Check."""
        self._hand_in(self._form.result.typed.strip() or None)

    def action_give_up(self) -> None:
        """Show the solution."""
        self._hand_in(None)

    def _hand_in(self, result: str | None) -> None:
        if self._template is None or self._is_busy:
            return
        try:
            program = self._form.program()
        except FormError as error:
            if not self._form.complain(error):
                self._say(error.message, "almost")
            return
        self._is_busy = True
        self._checked = self._form.everything()
        self._say(wording.CHECKING if self.quiz.solver.is_ready else general.WARMING_UP)
        self.leave_field()
        self.refresh_bindings()
        self._check(program, result)

    @work(exclusive=True, group="checking")
    async def _check(self, program: Program, result: str | None) -> None:
        """Have the result marked, and keep it, before the verdict is shown."""
        try:
            judged = await self.quiz.solver.call(judge, program, result)
        except SolverError as error:
            judged = error.message
        if isinstance(judged, Text):
            self._say(judged, "almost")
        elif judged.verdict.outcome.spends_an_attempt:
            await self._keep(program, result, judged)
            await self._reveal(judged)
        else:
            self._say(wording.HOW)
            self._form.result.say(judged.verdict.message)
            self._form.result.area.focus()
        self._is_busy = False
        self.refresh_bindings()

    async def _keep(self, program: Program, result: str | None, judged: Judged) -> None:
        from quizapp.events import SelfChecked

        await self.quiz.keep(SelfChecked(program, (result or "",), judged.verdict.outcome))

    async def _reveal(self, judged: Judged) -> None:
        """Show the verdict; the steps unfold one by one."""
        part = judged.verdict.parts[0]
        self._steps, self._unfolded = judged.steps, 0
        row = Row(note_for(part.outcome, same("")), VerdictView(part))
        row.note.add_class(MARKS[part.outcome].style)
        await self.query("#verdict > *, #steps > *").remove()
        await self.query_one("#verdict").mount(row)
        self._say(wording.STEPS.fill(count=len(judged.steps)))
        self.call_after_refresh(self._bring_up, row)

    def _bring_up(self, verdict: Row) -> None:
        """Show the verdict with what can be done next, as far as both fit."""
        if verdict.size.height + 2 <= self._page.size.height:
            self._page.scroll_end(animate=False)
        else:
            verdict.scroll_visible(animate=False, top=True)

    async def action_step(self) -> None:
        """Unfold the next step."""
        step = self._steps[self._unfolded]
        self._unfolded += 1
        row = step_row(step, self._unfolded, len(self._steps))
        await self.query_one("#steps").mount(row)
        self.call_after_refresh(row.scroll_visible, animate=False, top=True)
        self.refresh_bindings()

    def at_stake(self) -> Text | None:
        """Typed numbers would be lost."""
        return None if self._steps or self._form.is_blank else general.TYPED_LOST

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Show only what can be done now."""
        if not self.is_mounted:
            return super().check_action(action, parameters)
        form = self._form.display
        writing = isinstance(self.focused, FieldArea)
        if action == "main":
            return form and not self._is_busy and not writing and not self._steps
        if action == "give_up":
            return form and not self._is_busy and not self._steps
        if action == "write":
            return form and self.focused in (None, self._page)
        if action == "step":
            return form and self._unfolded < len(self._steps)
        if action == "choose":
            return form
        return super().check_action(action, parameters)
