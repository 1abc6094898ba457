"""A printed sheet answered on screen, problem by problem; no verdict until all of it is marked."""

from __future__ import annotations

from contextlib import suppress
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.css.query import NoMatches

from question_bank.problem import Problem
from question_bank.text import Text, same
from quizapp import wording as general
from quizapp import wording_paper as wording
from quizapp.drafts import drafts_of
from quizapp.marking.marks import mark_copy
from quizapp.marking.places import HandedIn, given
from quizapp.screens.base import BilingualScreen
from quizapp.sheets.plan import Copy, Sheet
from quizapp.sheets.source import title_of
from quizapp.solver_process import SolverError
from quizapp.widgets.answer import AnswerField, enter_leads
from quizapp.widgets.bilingual import Phrase, bind
from quizapp.widgets.entries import Area
from quizapp.widgets.listing import Listing
from quizapp.widgets.matrices import Matrices, named
from quizapp.widgets.page import Heading, Page, Row
from quizapp.widgets.part import Part
from solvers.answers import Unreadable, read


class AnswersScreen(BilingualScreen):
    """One person's sheet."""

    CSS_PATH: ClassVar = ["../widgets/answer.tcss", "sheets.tcss"]
    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("enter", "go(1)", wording.NEXT, wording.NEXT_TIP),
        bind("n", "go(1)", wording.NEXT, wording.NEXT_TIP, show=False),
        bind("p", "go(-1)", wording.BEFORE, wording.BEFORE_TIP),
        bind("m", "mark", wording.MARK, wording.MARK_TIP),
    ]

    def __init__(self, sheet: Sheet, copy: Copy) -> None:
        """Take a sheet up."""
        super().__init__()
        self._sheet = sheet
        self._copy = copy
        self._numbers = [number for number, item in copy.numbered() if isinstance(item, Problem)]
        self._typed: list[tuple[str, ...]] = [("",) * len(each.program.asks) for each in copy.problems]
        self._marked: list[tuple[str, ...]] | None = None
        self._place = 0
        self._turning = True
        self._marking = False

    def compose_page(self) -> ComposeResult:
        """Lay out heading and page; the problem is put on it later."""
        yield Heading()
        yield Page(Row(None, Phrase(id="prompt"), Listing(id="listing"), Matrices(id="inputs"), id="problem"))
        yield Phrase(id="status")

    def on_mount(self) -> None:
        """Show the first problem, with what a crash left of the answers."""
        left = drafts_of(self.app).sheets.pop(self.key, ())
        if [len(texts) for texts in left] == [len(texts) for texts in self._typed]:
            self._typed = list(left)
        self.call_later(self._show, 0)

    @property
    def key(self) -> str:
        """What tells this person's sheet from any other."""
        return " ".join((*self._copy.codes, self._copy.person))

    @property
    def typed(self) -> tuple[tuple[str, ...], ...]:
        """What is typed, one text a part, problem by problem."""
        return tuple(self._typed)

    @property
    def _fields(self) -> list[AnswerField]:
        return [part.field for part in self.query(Part)]

    @property
    def _problem(self) -> Problem:
        return self._copy.problems[self._place]

    async def _show(self, place: int) -> None:
        """Put a problem on a fresh page, with what was typed."""
        self._turning = True
        self._place = place
        shown = self._problem
        of = wording.OF.fill(place=place + 1, total=len(self._copy.problems))
        title = title_of(shown)
        number = self._numbers[place]
        self.query_one(Heading).say(Text(f"{number}. {title.en}", f"{number}. {title.zh}"), of, same(shown.code))
        self.query_one("#prompt", Phrase).say(shown.prompt)
        self.query_one("#listing", Listing).show(shown.listing)
        self.query_one("#inputs", Matrices).show([named(name, value) for name, value in shown.program.inputs])
        page = self.query_one(Page)
        with self.app.batch_update():
            await page.query("Part").remove()
            await page.append(*map(Part, shown.program.asks))
            for field, text in zip(self._fields, self._typed[place], strict=True):
                await field.restore(text)
        self._say(None)
        page.scroll_home(animate=False)
        next((field for field in self._fields if field.is_blank), self._fields[0]).take_focus()
        self._turning = False
        self.call_after_refresh(self._show_focused)
        self.refresh_bindings()

    def _show_focused(self) -> None:
        if self.focused is not None and not self.can_view_entire(self.focused):
            self.scroll_to_center(self.focused, origin_visible=True, animate=False)

    def _say(self, message: Text | None, style: str = "soft") -> None:
        status = self.query_one("#status", Phrase)
        status.say(message)
        status.set_classes(style)

    # Answering

    def _note(self) -> None:
        if not self._turning:
            self._typed[self._place] = tuple(field.text for field in self._fields)

    def on_answer_field_changed(self) -> None:
        """Keep what is typed."""
        self._note()

    def on_answer_field_submitted(self, event: AnswerField.Submitted) -> None:
        """Go to the next empty part, then to the next problem."""
        fields = self._fields
        if event.field not in fields or self._turning:
            return
        behind = fields[fields.index(event.field) + 1 :]
        empty = next((field for field in behind if field.is_blank), None)
        if event.field.cells_left is not None:
            event.field.take_focus()
        elif empty is not None:
            empty.take_focus()
        else:
            self.action_go(1)

    def enter_leads(self) -> tuple[Text, Text]:
        """Name Enter by where it leads."""
        return enter_leads(self._fields, (wording.NEXT, wording.NEXT_TIP), self.focused)

    def on_answer_field_left(self) -> None:
        """Make single letters commands."""
        self.leave_field()

    def leave_field(self) -> None:
        """Give the focus to the page."""
        self.set_focus(self.query_one(Page), scroll_visible=False)
        self.refresh_bindings()

    def _complaint(self) -> bool:
        """Say what can't be read, and go there; tells whether there is something."""
        for field in self._fields:
            text = given(field.text)
            if text is not None and isinstance(reading := read(text, field.form), Unreadable):
                field.say(field.explained(reading.message))
                field.mend()
                return True
        return False

    def action_go(self, step: int) -> None:
        """Go to another problem, where what is typed can be read."""
        if self._turning or self._marking:
            return
        self._note()
        if self._complaint():
            return
        place = self._place + step
        if place >= len(self._copy.problems):
            self.leave_field()
            self._say(wording.LAST_ONE)
        elif place >= 0:
            self._turning = True
            self.call_later(self._show, place)

    # Marking

    def action_mark(self) -> None:
        """Have all of it marked; where something is blank, ask first."""
        if self._turning or self._marking:
            return
        self._note()
        if self._complaint():
            return
        blank = [number for number, texts in zip(self._numbers, self._typed, strict=True) if not all(map(given, texts))]
        listed = Text(", ".join(map(str, blank)), "、".join(map(str, blank)))
        if self.quiz.sure("mark", wording.BLANKS.fill(numbers=listed) if blank else None):
            self._mark()

    @work(exclusive=True, group="marking")
    async def _mark(self) -> None:
        from quizapp.screens.sheet_marks import MarksScreen

        self._marking = True
        self.leave_field()
        self._say(wording.MARKING if self.quiz.solver.is_ready else general.WARMING_UP)
        answers = tuple(tuple(map(given, texts)) for texts in self._typed)
        typed = list(self._typed)
        try:
            sheet = await self.quiz.solver.call(mark_copy, HandedIn(self._copy.person, self._copy, answers))
        except SolverError as error:
            self._say(error.message, "almost")
        else:
            self._marked = typed
            with suppress(NoMatches):
                self._say(None)
            self.app.push_screen(MarksScreen(self._sheet, sheet))
        finally:
            self._marking = False

    def at_stake(self) -> Text | None:
        """Typed answers that were not marked would be lost."""
        typed = any(text for texts in self._typed for text in texts)
        return general.TYPED_LOST if typed and self._typed != self._marked else None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer only what can be done now."""
        if action == "go":
            return (parameters[0] == 1 or self._place > 0) and not isinstance(self.focused, Area)
        return super().check_action(action, parameters)
