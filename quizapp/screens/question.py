"""The question screen: an interview question, an answer of one's own, the model answer, and a rating."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from enum import Enum, auto
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import TextArea

from question_bank.evidence import Marking, mark
from question_bank.questions import GROUPS
from question_bank.questions.question import Question
from question_bank.text import Language, Text, same
from quizapp import wording as general
from quizapp import wording_lab as lab
from quizapp import wording_lesson as lesson
from quizapp import wording_question as wording
from quizapp import wording_stops as stops
from quizapp import wording_today as today
from quizapp.drafts import drafts_of
from quizapp.events import Item, Mode, QuestionRated, Rating
from quizapp.scheduling import suggest_choice, suggest_question
from quizapp.screens.places import DrillPlace, LabPlace, LessonPlace, QuestionPlace, screen_for
from quizapp.screens.reviewed import ReviewedScreen, screen_of
from quizapp.widgets.bilingual import Phrase, bind
from quizapp.widgets.model_answer import LETTERS, Option, Rate, Spread, answer_rows
from quizapp.widgets.page import Heading, Row
from quizapp.widgets.rating import name_of, on_day, returns
from quizapp.widgets.stops import FieldArea, Link, Stop, StopPage, Tick
from quizapp.wording import NEXT_FIELD, NEXT_FIELD_TIP

if TYPE_CHECKING:
    from collections.abc import Iterable

    from quizapp.conductor import Conductor
    from quizapp.events import Event
    from quizapp.reviewing import Rated
    from quizapp.scheduling import Choice
    from quizapp.screens.base import BilingualScreen
    from quizapp.sitting import Spot


class Stage(Enum):
    """Where the person is with a question."""

    ASKED = auto()
    REVEALED = auto()
    KEEPING = auto()
    RATED = auto()


class QuestionScreen(ReviewedScreen):
    """One interview question."""

    CSS_PATH: ClassVar = ["../widgets/stops.tcss", "question.tcss"]
    AUTO_FOCUS = None
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("enter", "main", wording.REVEAL, wording.REVEAL_TIP),
        bind("enter", "go_on", wording.NEXT, wording.NEXT_TIP, show=False),
        bind("tab", "write", wording.WRITE, wording.WRITE_TIP),
        bind("tab", "app.focus_next", NEXT_FIELD, NEXT_FIELD_TIP, show=False),  # where a field is there already
        *(
            bind(letter, f"choose({place})", stops.CHOOSE, wording.LETTER_TIP, show=place == 0, display="a-d")
            for place, letter in enumerate(LETTERS)
        ),
        bind("d", "give_up", wording.DONT_KNOW, wording.DONT_KNOW_TIP, show=False),
        bind("e", "reveal", wording.REVEAL, wording.REVEAL_TIP),
        *(
            bind(str(rating.value), f"rate({rating.value})", name, wording.RATE_TIP.fill(name=name, when=when))
            for rating, (name, when) in wording.RATINGS.items()
        ),
        bind("o", "ask_as('choice')", wording.AS_CHOICE, wording.AS_CHOICE_TIP),
        bind("o", "ask_as('free')", wording.AS_FREE, wording.AS_FREE_TIP),
        bind("e", "lesson", lesson.LESSON, lesson.LESSON_TIP),
        bind("v", "lab", lab.LAB, lab.LAB_TIP),
        bind("n", "next", wording.NEXT, wording.NEXT_TIP),
        *ReviewedScreen.UNDO,
    ]

    def __init__(self, place: QuestionPlace, session: Conductor | None = None, spot: Spot | None = None) -> None:
        """Take a question up.

        Args:
            place: The question.
            session: The session that it belongs to; None for a question answered by itself.
            spot: How it stood when it was left.
        """
        super().__init__(session, spot)
        self._number = place.number
        self._stage = Stage.ASKED
        self._mode = Mode.FREE
        self._chosen: int | None = None
        self._marking: Marking | None = None
        self._ticked: tuple[int, ...] = ()
        self._taken = 0.0
        self._own: Rating | None = None
        self._keeping = asyncio.Lock()

    def compose_page(self) -> ComposeResult:
        """Lay out the question, the field and the options."""
        question = self._question
        group = GROUPS[question.group]
        where = Text(f"{question.section} {group.en}", f"{question.section} {group.zh}")
        yield Heading(question.title, *((self._session.progress, where) if self._session is not None else (where,)))
        yield StopPage(
            Row(same(question.id), Phrase(question.prompt, classes="prompt")),
            Row(wording.YOURS, FieldArea(id="answer"), id="writing"),
            *(Option(place, choice.text, choice.why) for place, choice in enumerate(question.choices)),
            Row(None, Phrase(id="outcome"), id="choosing"),
        )

    def on_mount(self) -> None:
        """Show what was typed here before, and go on typing."""
        self.translate(self.quiz.language)
        typed = drafts_of(self.app).answers.get(self._question.number, "")
        self._field.text = self._spot.typed[0] if self._spot is not None and self._spot.typed else typed
        self._field.move_cursor(self._field.document.end)
        self.action_ask_as(self._spot.mode if self._spot is not None else Mode.FREE)
        self.quiz.left_off_at(QuestionPlace(self._question.number))

    def translate(self, language: Language) -> None:
        """Say anew what the field is for."""
        self._field.placeholder = Content(wording.PLACEHOLDER[language])

    @property
    def _question(self) -> Question:
        return self.quiz.bank.question(self._number)

    @property
    def _field(self) -> FieldArea:
        return self.query_one("#answer", FieldArea)

    @property
    def _page(self) -> StopPage:
        return self.query_one(StopPage)

    # Asking

    def action_ask_as(self, mode: str) -> None:
        """Ask freely, or with four options; what was typed stays."""
        self._mode = Mode(mode)
        free = self._mode is Mode.FREE
        self.query_one("#writing").display = free
        self.query_one("#choosing").display = False
        for option in self.query(Option):
            option.display = not free
        if free:
            self._field.focus()
        else:
            self.call_after_refresh(self.query(Option).first().focus)
        self._note(mode=self._mode)
        self.refresh_bindings()

    def action_write(self) -> None:
        """Go on typing."""
        self._field.focus()

    def on_field_area_left(self) -> None:
        """Make single letters commands."""
        self.leave_field()

    def leave_field(self) -> None:
        """Give the focus to the page."""
        self._page.focus()

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        """Keep what is typed, for when the person leaves this screen and comes back."""
        if self._stage is Stage.ASKED:
            drafts_of(self.app).answers[self._question.number] = event.text_area.text
            self._note(typed=(event.text_area.text,))

    async def action_choose(self, place: int) -> None:
        """Choose an option."""
        self._chosen = place
        await self._reveal()

    async def on_stop_acted(self, event: Stop.Acted) -> None:
        """Choose an option, rate, or open a drill."""
        event.stop()
        stop = event.row
        if isinstance(stop, Option) and self._stage is Stage.ASKED:
            await self.action_choose(stop.place)
        elif isinstance(stop, Rate):
            self.action_rate(stop.rating)
        elif isinstance(stop, Link) and isinstance(stop.target, DrillPlace):
            self.app.push_screen(screen_for(stop.target))

    # The model answer

    async def action_main(self) -> None:
        """Reveal the model answer."""
        await self._reveal()

    async def action_reveal(self) -> None:
        """Reveal the model answer, whatever the question was asked as."""
        await self._reveal()

    async def action_give_up(self) -> None:
        """Reveal the model answer to somebody who doesn't know."""
        await self._reveal()

    async def _reveal(self) -> None:
        if self._stage is not Stage.ASKED:
            return
        self._taken = self._seconds
        free = self._mode is Mode.FREE
        typed = self._field.text if free else ""
        self._marking = mark(self._question, typed) if typed.strip() else None
        self._ticked = self._marking.made if self._marking is not None else ()
        if free and self._spot is not None and self._spot.ticked and self._spot.typed == (typed,):
            self._ticked = tuple(place for place in self._spot.ticked if place < len(self._question.key_points))
        given = self._given(typed)
        if self._suggested is None:
            await self._show_answer(typed)
            self._say_dates()
            return
        self._stage = Stage.KEEPING
        self._field.read_only = True
        self.refresh_bindings()
        # The application's worker: what is given is kept even where the person leaves before its verdict
        self.quiz.run_worker(self._keep_given(given), group="rating")

    def _given(self, typed: str) -> QuestionRated:
        """Return what was answered, with the person's rating, else the one that is suggested."""
        free = self._mode is Mode.FREE
        return QuestionRated(
            number=self._question.number,
            rating=self._own or self._suggested or Rating.AGAIN,
            mode=self._mode,
            typed=typed,
            ticked=self._ticked,
            chosen=None if free else self._chosen,
            found=self._marking.made if self._marking is not None else None,
            seconds=self._taken,
        )

    async def _keep_given(self, given: QuestionRated) -> None:
        """Keep an answer that can be marked, before its verdict is shown; then its suggested rating."""
        async with self._keeping:
            kept = await self.quiz.reviews.keep(given)
            self._answer = kept.event
            if given.mode is Mode.FREE:
                drafts_of(self.quiz).answers.pop(given.number, None)
            self._trouble(kept.problem)
            if self._session is not None:
                await self._session.answered(kept.event)
            with self.unless_left():
                if self.is_open:
                    await self._show_answer(given.typed)
            rated = await self.quiz.reviews.rate(kept.event)
            self._trouble(rated.problem if kept.problem is None else None)
            with self.unless_left():
                self._take_note(rated)

    def _trouble(self, problem: Text | None) -> None:
        if problem is not None:
            self.quiz.tell(general.NOT_KEPT.fill(reason=problem), lasting=True)

    def _take_note(self, rated: Rated) -> None:
        """Show when the question comes back with each rating; from here on the person may go on."""
        self._rated = rated
        self._say_days(rated.choices)
        self.refresh_bindings()

    async def _show_answer(self, typed: str) -> None:
        """Show the model answer, and what was found in the person's own."""
        self._stage = Stage.REVEALED
        free = self._mode is Mode.FREE
        self.query_one("#writing").display = False
        await self._page.append(*answer_rows(self._question, typed, ticking=free, marking=self._marking))
        if free:
            for place, tick in enumerate(self._ticks):
                tick.tick(place in self._ticked)
            self._count()
        else:
            self._explain()
        self._suggest()
        self._page.focus(scroll_visible=False)
        self.call_after_refresh(self._scroll_to_answer)
        self.call_after_refresh(self.refresh_bindings)

    def _scroll_to_answer(self) -> None:
        if self._mode is Mode.FREE:
            self.query_one(Spread).scroll_visible(animate=False, top=True)
        else:
            self._page.scroll_home(animate=False)

    def _explain(self) -> None:
        """Mark the options and say why each is right or wrong."""
        right = self._question.right_choice
        for option in self.query(Option):
            option.explain(right=option.place == right, chosen=option.place == self._chosen)
        outcome = self.query_one("#outcome", Phrase)
        said = wording.CHOSE_RIGHT if self._chosen == right else wording.CHOSE_WRONG
        if self._chosen is None:
            said = wording.CHOSE_NONE
        outcome.say(said.fill(chosen=LETTERS[self._chosen or 0], right=LETTERS[right]))
        outcome.set_classes("strong " + ("right" if self._chosen == right else "wrong" if self._chosen is not None else ""))
        self.query_one("#choosing").display = True

    @property
    def _ticks(self) -> list[Tick]:
        return list(self.query(Tick))

    def on_tick_changed(self) -> None:
        """Count the ticks, and keep them where the answer is kept already."""
        self._ticked = tuple(place for place, tick in enumerate(self._ticks) if tick.ticked)
        self._count()
        self._note(ticked=self._ticked)
        if self._own is None:
            self._suggest()
        if self._answer is not None:
            self._rated = None  # until it is rated anew
            self.quiz.run_worker(self._keep_ticks(), group="rating")

    def _count(self) -> None:
        said = wording.WHICH_SAID if self._marking is None else wording.FOUND
        self.query_one("#said", Phrase).say(said.fill(ticked=len(self._ticked), all=len(self._ticks)))

    async def _keep_ticks(self) -> None:
        """Keep what the person overruled, with what is suggested then, unless they have rated it themselves."""
        async with self._keeping:
            if self._answer is None or not self._is_overruled(self._answer):
                return
            await self._put_right(self._answer)
            rated = await self.quiz.reviews.rate(self._answer, self._own)
            with self.unless_left():
                if self._own is None:
                    self._take_note(rated)
                else:
                    self._rated = rated

    def _is_overruled(self, answer: Event) -> bool:
        return isinstance(answer.what, QuestionRated) and answer.what.ticked != self._ticked

    async def _put_right(self, answer: Event) -> Text | None:
        """Let the answer in the log have the points that are ticked now."""
        assert isinstance(answer.what, QuestionRated)
        kept = await self.quiz.reviews.put_right(answer, self._given(answer.what.typed))
        self._answer = kept.event
        return kept.problem

    # Rating

    @property
    def _suggested(self) -> Rating | None:
        """The rating that is suggested; None where nothing is known of how it went."""
        if self._mode is Mode.CHOICE and self._chosen is not None:
            return suggest_choice(right=self._chosen == self._question.right_choice, seconds=self._taken)
        if self._mode is Mode.FREE and (self._ticked or self._marking is not None):
            return suggest_question(len(self._ticked), len(self._question.key_points), self._taken)
        return None

    def _suggest(self) -> None:
        """Suggest a rating, where something is known of how it went."""
        said, rating = wording.HOW_WAS_IT, self._suggested
        made, every = len(self._ticked), len(self._question.key_points)
        if rating is not None and self._mode is Mode.CHOICE:
            said = today.SUGGESTED_CHOICE.fill(rating=name_of(rating))
        elif rating is not None and rating is suggest_question(made, every):
            said = today.SUGGESTED.fill(made=made, all=every, rating=name_of(rating))
        elif rating is not None:
            minutes = round(self._taken / 60)
            said = today.SUGGESTED_SLOW.fill(made=made, all=every, minutes=minutes, rating=name_of(rating))
        self.query_one("#rating", Phrase).say(said)
        for rate in self.query(Rate):
            rate.suggest(rate.rating is rating)

    @work(exclusive=True, group="dates")
    async def _say_dates(self) -> None:
        """Say for each rating when the question comes back; the ratings are there without it."""
        from quizapp.progress_errors import ProgressError

        item, interview = Item(self._question.id), self.quiz.settings.interview
        with suppress(ProgressError), self.unless_left():
            self._say_days(await self.quiz.keeper.ask(lambda log: log.choices(item, interview)))

    def _say_days(self, choices: Iterable[Choice]) -> None:
        days = {choice.rating: on_day(choice.due, self.quiz.keeper.today()) for choice in choices}
        for rate in self.query(Rate):
            rate.say_due(days[rate.rating])

    def action_rate(self, rating: int) -> None:
        """Rate the answer; after that, rate it otherwise."""
        if self._stage in (Stage.REVEALED, Stage.RATED):
            self._stage = Stage.KEEPING
            self.refresh_bindings()
            # The application's worker: an answer is kept with its rating even where the person leaves meanwhile
            typed = self._field.text if self._mode is Mode.FREE else ""
            self.quiz.run_worker(self._keep(Rating(rating), typed), group="rating")

    async def _keep(self, rating: Rating, typed: str) -> None:
        """Keep the rating, and the answer where it isn't kept yet; then confirm it."""
        problem: Text | None = None
        async with self._keeping:
            self._own = rating
            if self._answer is None:
                kept = await self.quiz.reviews.keep(self._given(typed))
                self._answer, problem = kept.event, kept.problem
                if self._session is not None:
                    await self._session.answered(self._answer)
            elif self._is_overruled(self._answer):
                problem = await self._put_right(self._answer)
            rated = await self.quiz.reviews.rate(self._answer, rating)
        with self.unless_left():
            self._settle(rated, problem or rated.problem)

    def _settle(self, rated: Rated, problem: Text | None) -> None:
        """Show that the rating is kept, and when the question comes back; or why it isn't kept yet: it's tried again."""
        rating, self._rated = rated.rating, rated
        self._stage = Stage.RATED
        drafts_of(self.app).answers.pop(self._question.number, None)
        for tick in self._ticks:
            tick.can_focus = False
        for rate in self.query(Rate):
            rate.settle(rate.rating is rating)
        kept = self.query_one("#kept", Phrase)
        said = wording.KEPT.fill(rating=name_of(rating)) + returns(rated.due, rated.answer.study_day)
        said = said if problem is None else general.NOT_KEPT.fill(reason=problem)
        goes_on = wording.THEN_NEXT.fill(next=f"Q{self._next}") if self._session is None else today.ENTER_NEXT
        kept.say(said + goes_on)
        kept.set_classes("" if problem is None else "wrong")
        self._page.focus(scroll_visible=False)
        self.call_after_refresh(self._page.scroll_end, animate=False)
        self.refresh_bindings()

    # Going on

    @property
    def _next(self) -> int:
        every = self.quiz.bank.numbers()
        return every[(every.index(self._question.number) + 1) % len(every)]

    async def action_go_on(self) -> None:
        """Go to the next question, or to the session's next item."""
        await self.action_next()

    async def action_next(self) -> None:
        """Go to the next question, after the last to the first; in a session to the next item."""
        if self._session is not None:
            await (self._next_item() if self._answer is not None else self._skip_item())
            return
        if self._next <= self._question.number:
            self.quiz.tell(wording.FIRST_AGAIN)
        self.app.switch_screen(QuestionScreen(QuestionPlace(self._next)))

    def action_lesson(self) -> None:
        """Read the section that the question belongs to."""
        self.app.push_screen(screen_for(LessonPlace(self._question.section)))

    def action_lab(self) -> None:
        """Try the demonstration out that shows the point."""
        if self._question.lab is not None:
            self.app.push_screen(screen_for(LabPlace(self._question.lab)))

    def action_back(self) -> None:
        """Leave the field, then the screen; what is only typed is kept for when the person comes back."""
        if self._stage is Stage.ASKED and self.focused is not self._field:
            self.app.pop_screen()
        else:
            super().action_back()

    async def _taken_back(self) -> BilingualScreen | None:
        """Where nothing was kept yet, go back to the field; else take this answer back, or the last one."""
        from quizapp.reviewing import spot_of
        from quizapp.sitting import Spot

        async with self._keeping:
            answer, self._answer = self._answer, None  # ticks that were still to be kept are not
            if answer is None and self._stage is Stage.REVEALED:
                new = Spot(Item(self._question.id), self.quiz.keeper.now())
                typed = (self._field.text,)
                spot = replace(new, mode=self._mode, typed=typed, ticked=self._ticked, seconds=self._taken)
                return QuestionScreen(QuestionPlace(self._question.number), self._session, spot)
            if answer is None or self._session is not None:
                return await super()._taken_back()
            await self.quiz.reviews.take_back(answer.id)
            return screen_of(spot_of(answer))

    def at_stake(self) -> Text | None:
        """An answer that is neither marked nor rated would be lost; in a session it is kept until one comes back."""
        if self._session is not None or self._answer is not None or self._stage not in (Stage.ASKED, Stage.REVEALED):
            return None
        given = self._field.text.strip() or self._chosen is not None or any(tick.ticked for tick in self._ticks)
        return wording.UNRATED_LOST if given else None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Show only what can be done now."""
        if not self.is_mounted:
            return super().check_action(action, parameters)
        asked, free = self._stage is Stage.ASKED, self._mode is Mode.FREE
        writing = self.focused is self._field
        if action in ("main", "give_up"):
            return asked and free and not writing
        if action == "write":
            return asked and free and self.focused in (None, self._page)
        if action == "reveal":
            return asked and not free
        if action == "lesson":
            return not asked and self._question.section in self.quiz.bank.sections()
        if action == "lab":
            return not asked and self._question.lab is not None
        if action == "choose":
            return asked and not free
        if action == "ask_as":
            return asked and parameters[0] != self._mode
        if action == "rate":
            return self._stage in (Stage.REVEALED, Stage.RATED)
        if action == "undo":
            return self._stage is Stage.REVEALED or (self._stage is not Stage.KEEPING and self._can_undo)
        if action == "next":
            return self._stage is not Stage.KEEPING
        if action == "go_on":
            return self._stage is Stage.RATED
        return super().check_action(action, parameters)
