"""The page of the mock interview: how long, about what, with or without a clock; and the reports of those held before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalGroup
from textual.widget import Widget

from question_bank.questions import GROUPS, Group
from question_bank.text import Text, same
from quizapp import dates
from quizapp import wording_interview as wording
from quizapp.events import InterviewHeld
from quizapp.interview.host import Host, host_of
from quizapp.interview.phrases import by_the_clock, summary
from quizapp.interview.report import ReportError, from_text
from quizapp.interview.script import MINUTES, Script
from quizapp.interview.under_way import UnderWay
from quizapp.progress_errors import ProgressError
from quizapp.screens.base import BilingualScreen
from quizapp.screens.interview_report import ReportScreen
from quizapp.screens.interview_turn import TurnScreen
from quizapp.widgets.bilingual import Phrase
from quizapp.widgets.page import Heading, Row
from quizapp.widgets.setting_rows import PickRow, Set
from quizapp.widgets.stops import Link, Stop, StopPage, Tick, acting

MOST_LISTED = 8
"""So many reports are listed."""

SHOWN, HIDDEN = "shown", "hidden"


class Go(Stop):
    """The line that starts the interview."""

    BINDINGS: ClassVar[list[BindingType]] = [acting(wording.BEGIN, wording.BEGIN_TIP)]

    def __init__(self) -> None:
        """Say later what starts."""
        self._said = Phrase(classes="strong")
        self._about = Phrase(classes="soft about")
        super().__init__(same("⏎"), self._said, self._about, id="go")

    def say(self, text: Text, about: Text | None = None) -> None:
        """Say what starts."""
        self._said.say(text)
        self._about.say(about)


class Topic(Tick):
    """A group of questions that may come up."""

    def __init__(self, group: Group, *, ticked: bool) -> None:
        """Offer a group."""
        super().__init__(Text(f"{group}  {GROUPS[group].en}", f"{group}　{GROUPS[group].zh}"))
        self.group = group
        self.tick(ticked)


class InterviewScreen(BilingualScreen):
    """Where an interview is set up, gone on with, and read about afterwards."""

    CSS_PATH: ClassVar = ["../widgets/stops.tcss", "interview.tcss"]
    AUTO_FOCUS = "Go"

    def __init__(self) -> None:
        """Choose nothing yet."""
        super().__init__()
        self._script: Script | None = None
        self._seed = ""
        self._leaving = False

    def compose_page(self) -> ComposeResult:
        """Lay out what can be chosen; the rest follows once it's read."""
        lengths = {str(minutes): wording.MINUTES.fill(minutes=minutes) for minutes in MINUTES}
        clock = {SHOWN: wording.CLOCK_SHOWN, HIDDEN: wording.CLOCK_HIDDEN}
        yield Heading(wording.TITLE)
        yield StopPage(
            Go(),
            Link(same("→"), wording.END_IT, END),
            VerticalGroup(
                Row(None),
                PickRow("length", "30", wording.LENGTH, wording.LENGTH_ABOUT, lengths),
                PickRow("clock", SHOWN, wording.CLOCK, wording.CLOCK_ABOUT, clock),
                Row(wording.TOPICS, Phrase(wording.TOPICS_ABOUT, classes="soft"), classes="tight"),
                *(Topic(group, ticked=True) for group in GROUPS),
                id="choices",
            ),
            Row(None),
            VerticalGroup(id="before"),
        )

    @property
    def _host(self) -> Host:
        return host_of(self.quiz)

    def on_mount(self) -> None:
        """Choose what this interview will ask."""
        self._seed = self.quiz.choice()
        self._show_go(None)

    def on_screen_resume(self) -> None:
        """See what has changed meanwhile."""
        self._leaving = False
        self._look()

    @work(exclusive=True, group="look")
    async def _look(self) -> None:
        """Read what was held before, and whether one is under way."""
        try:
            held = await self._host.open()
        except ProgressError as error:
            await self._put_before((Row(None, Phrase(wording.LOG_UNREADABLE.fill(reason=error.message), classes="wrong")),))
        else:
            await self._put_before(tuple(self._before(held)))
        self._show_go(self._host.under_way)
        if self._host.under_way is None and self._is_open and self._script is None:
            self._write_script()  # what stands ready stays, so that Enter works at once on coming back

    @property
    def _is_open(self) -> bool:
        """Tell whether the person is still here: what was asked of the log may come too late."""
        return self in self.app.screen_stack and bool(self.query(Go))

    async def _put_before(self, rows: Sequence[Widget]) -> None:
        if not self._is_open:
            return
        group = self.query_one("#before")
        with self.app.batch_update():
            await group.query(Row).remove()
            await group.mount(*rows)

    def _before(self, held: Sequence[InterviewHeld]) -> Iterator[Row]:
        if not held:
            yield Row(wording.BEFORE, Phrase(wording.NONE_BEFORE, classes="soft"))
        for place, each in enumerate(held[:MOST_LISTED]):
            title = dates.short(each.started.astimezone().date(), self.quiz.keeper.today())
            line = Text(f"{title.en}  {summary(each).en}", f"{title.zh}　{summary(each).zh}")
            yield Link(wording.BEFORE if place == 0 else same(""), line, each)
        if len(held) > MOST_LISTED:
            yield Row(None, Phrase(wording.BEFORE_MORE.fill(count=len(held) - MOST_LISTED), classes="soft"))

    # What is chosen

    @property
    def _minutes(self) -> int:
        return int(self._pick("length").value)

    @property
    def _topics(self) -> tuple[Group, ...]:
        return tuple(topic.group for topic in self.query(Topic) if topic.ticked)

    def _pick(self, name: str) -> PickRow:
        return next(row for row in self.query(PickRow) if row.setting == name)

    def on_set(self, event: Set) -> None:
        """Follow the choice."""
        event.stop()
        self._write_script()

    def on_tick_changed(self) -> None:
        """Follow the choice."""
        self._write_script()

    @work(exclusive=True, group="script")
    async def _write_script(self) -> None:
        """Find out what would be asked."""
        self._script = None
        minutes, topics = self._minutes, self._topics
        script = await self._host.script(minutes, topics, self._seed)
        if self._host.under_way is None:
            self._script = script if script.turns else None
            self._show_go(None)

    def _show_go(self, under_way: UnderWay | None) -> None:
        if not self._is_open:
            return
        self.query_one("#choices").display = under_way is None
        self.query_one(Link).display = under_way is not None and under_way.turn is not None
        go = self.query_one(Go)
        if under_way is not None and under_way.turn is None:
            go.say(wording.REPORT_LINE)
        elif under_way is not None and under_way.is_time_up:
            go.say(wording.RESUME_OVER)
        elif under_way is not None:
            place = len(under_way.given) + 1
            left = by_the_clock(under_way.left)
            go.say(wording.RESUME_LINE.fill(left=left, place=place, total=len(under_way.script.turns)))
        elif self._script is not None:
            fills = self._script.seconds >= 54 * self._script.minutes
            minutes = self._script.minutes if fills else round(self._script.seconds / 60)
            line = wording.START_LINE.fill(minutes=minutes, items=len(self._script.turns))
            go.say(line, wording.START_ABOUT if fills else wording.START_SHORT)
        else:
            go.say(wording.MINUTES.fill(minutes=self._minutes) if self._topics else wording.NO_TOPICS)

    # Going somewhere

    async def on_stop_acted(self, event: Stop.Acted) -> None:
        """Start, go on, end it, or open a report."""
        event.stop()
        if isinstance(event.row, Go):
            self._begin()
        elif isinstance(event.row, Link) and isinstance(event.row.target, InterviewHeld):
            self._open_report(event.row.target)
        elif isinstance(event.row, Link) and event.row.target is END and not self._leaving:
            self._leaving = True
            await self._host.end()
            self.app.push_screen(TurnScreen())

    def _begin(self) -> None:
        if self._leaving:
            return
        if self._host.under_way is None:
            if self._script is None:
                return
            self._host.begin(self._script, shows_clock=self._pick("clock").value == SHOWN)
            self._script, self._seed = None, self.quiz.choice()  # the next one asks something else
        self._leaving = True
        self.app.push_screen(TurnScreen())

    def _open_report(self, held: InterviewHeld) -> None:
        try:
            report = from_text(held.report)
        except ReportError:
            self.quiz.tell(wording.BEFORE_UNREADABLE)
        else:
            self.app.push_screen(ReportScreen(report))


END = object()
"""What ends the interview under way."""
