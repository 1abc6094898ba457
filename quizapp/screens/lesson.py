"""The lesson screen: a section of the course in nine parts, folded, with ways to its questions and drills and back."""

from __future__ import annotations

from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType

from question_bank import lessons
from question_bank.content import ContentError
from question_bank.lessons.computed import Computed
from question_bank.text import Text, same
from quizapp import wording_lab as lab
from quizapp import wording_lesson as wording
from quizapp.screens.base import BilingualScreen
from quizapp.screens.places import DrillPlace, LabPlace, LessonPlace, QuestionPlace, screen_for
from quizapp.solver_process import SolverError
from quizapp.widgets.bilingual import Phrase, bind
from quizapp.widgets.lesson import LessonPart, PartHeading, parts
from quizapp.widgets.page import Heading, Row
from quizapp.widgets.stops import Link, Stop, StopPage


class LessonScreen(BilingualScreen):
    """One section."""

    CSS_PATH: ClassVar = ["../widgets/stops.tcss", "lesson.tcss"]
    AUTO_FOCUS = "StopPage"
    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            bind(str(number), f"part({number})", wording.PART, wording.PART_TIP, show=number == 1, display="1-9")
            for number in range(1, 10)
        ),
        bind("a", "all", wording.ALL, wording.ALL_TIP),
        bind("v", "lab", lab.LAB, lab.LAB_TIP),
        bind("n", "go(1)", wording.NEXT, wording.NEXT_TIP),
        bind("p", "go(-1)", wording.BEFORE, wording.BEFORE_TIP),
    ]

    def __init__(self, place: LessonPlace) -> None:
        """Take up a section."""
        super().__init__()
        self._section = place.section

    def compose_page(self) -> ComposeResult:
        """Lay out the heading; the parts come when their numbers are there."""
        lesson = self.quiz.bank.lesson(self._section)
        yield Heading(lesson.title, same(lesson.section))
        yield StopPage(*self._parts_at_once())

    def _parts_at_once(self) -> list[LessonPart]:
        if self._section in self.quiz.bank.own_lessons:
            return []
        return parts(self.quiz.bank.lesson(self._section), lessons.results(self._section), self.quiz.bank)

    def on_mount(self) -> None:
        """Offer this section at home; compute the numbers of a person's own lesson."""
        self.quiz.left_off_at(LessonPlace(self._section))
        if self._section in self.quiz.bank.own_lessons:
            self._compute()

    @work
    async def _compute(self) -> None:
        page = self.query_one(StopPage)
        waiting = Row(None, Phrase(wording.COMPUTING, classes="soft"))
        await page.append(waiting)
        from solvers.lessons import compute

        lesson = self.quiz.bank.lesson(self._section)
        try:
            computed: Computed = await self.quiz.solver.call(compute, lesson)
        except (SolverError, ContentError) as error:
            await page.append(Row(same("✗"), Phrase(error.message, classes="wrong")))
        else:
            await page.append(*parts(lesson, computed, self.quiz.bank))
        await waiting.remove()

    @property
    def _parts(self) -> list[LessonPart]:
        return list(self.query(LessonPart))

    # Folding

    def on_stop_acted(self, event: Stop.Acted) -> None:
        """Unfold a part, or go to a question or a drill."""
        event.stop()
        row = event.row
        if isinstance(row, PartHeading):
            part = self._parts[row.number - 1]
            part.set_open(not part.is_open)
            if part.is_open:
                self._bring_up(part)
        elif isinstance(row, Link) and isinstance(row.target, DrillPlace | QuestionPlace):
            self.app.push_screen(screen_for(row.target))

    def action_part(self, number: int) -> None:
        """Open a part and go to it."""
        if number <= len(self._parts):
            part = self._parts[number - 1]
            part.set_open(True)
            part.heading.focus(scroll_visible=False)
            self._bring_up(part)

    def _bring_up(self, part: LessonPart) -> None:
        self.call_after_refresh(part.scroll_visible, animate=False, top=True)

    def action_all(self) -> None:
        """Unfold all parts, or fold all of them."""
        opened = not all(part.is_open for part in self._parts)
        for part in self._parts:
            part.set_open(opened)

    # Going on

    def action_go(self, step: int) -> None:
        """Go to the next section, or the one before; after the last to the first."""
        every = self.quiz.bank.sections()
        here = every.index(self._section)
        if not 0 <= here + step < len(every):
            self.quiz.tell(wording.FIRST_AGAIN if step > 0 else wording.LAST_AGAIN)
        self.app.switch_screen(LessonScreen(LessonPlace(every[(here + step) % len(every)])))

    def action_lab(self) -> None:
        """Try the section's demonstration out."""
        self.app.push_screen(screen_for(LabPlace(self.quiz.bank.lesson(self._section).demonstration.lab)))

    def at_stake(self) -> Text | None:
        """Nothing is typed here."""
        return None
