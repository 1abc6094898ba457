"""A small form: what is to be on a sheet of paper. The PDF is made in the background."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.containers import VerticalGroup
from textual.widget import Widget

from question_bank.drills import DRILLS
from question_bank.text import Text, same
from quizapp import wording as general
from quizapp import wording_paper as wording
from quizapp.screens.base import BilingualScreen
from quizapp.screens.places import MakeSheetPlace, SheetPlace, screen_for
from quizapp.sheets.plan import Languages, Paper
from quizapp.sheets.solutions import Key
from quizapp.sheets.wish import Wish, languages_of, make_files, order, titled
from quizapp.solver_process import SolverError
from quizapp.widgets.bilingual import Phrase
from quizapp.widgets.page import Heading, Row
from quizapp.widgets.setting_rows import PickRow, Set
from quizapp.widgets.stops import Link, Stop, StopPage, acting

COUNTS = (4, 6, 8, 10, 15, 20)
AS_CHOSEN = "chosen"


class Go(Stop):
    """The line that makes the sheet."""

    BINDINGS: ClassVar = [acting(wording.GO, wording.GO_TIP)]

    def __init__(self) -> None:
        """Say what Enter does."""
        self._about = Phrase(classes="soft about")
        super().__init__(same("⏎"), Phrase(wording.GO, classes="strong"), self._about, id="go")

    def say(self, message: Text | None) -> None:
        """Say how it goes."""
        self._about.say(message)


class MakeSheetScreen(BilingualScreen):
    """Where a sheet is asked for."""

    CSS_PATH: ClassVar = ["../widgets/stops.tcss", "sheets.tcss"]
    AUTO_FOCUS = "Go"

    def __init__(self, place: MakeSheetPlace) -> None:
        """Take up what it is to be made from."""
        super().__init__()
        self._place = place
        self._busy = False

    def compose_page(self) -> ComposeResult:
        """Lay out what can be chosen."""
        yield Heading(wording.MAKE, self._place.title)
        yield StopPage(
            Go(),
            VerticalGroup(id="made"),
            Row(None),
            Row(wording.ABOUT, *(Phrase(line) for line in self._about())),
            *self._choices(),
        )

    def _about(self) -> Iterator[Text]:
        place = self._place
        titles = [DRILLS[name].title for name, _ in place.drills]
        if titles:
            line = wording.FROM_DRILL if len(titles) == 1 else wording.FROM_DRILLS
            yield line.fill(n=len(titles), titles=titled(titles))
        if place.questions:
            yield wording.FROM_QUESTIONS.fill(n=len(place.questions))

    def _choices(self) -> Iterator[Widget]:
        place = self._place
        if place.codes:
            yield PickRow("numbers", wording.NEW, wording.NUMBERS, wording.NUMBERS_ABOUT, wording.NUMBERS_CHOICES)
        if place.drills:
            counts = {str(count): same(str(count)) for count in COUNTS}
            usual = next((count for count in COUNTS if count >= max(6, len(place.drills))), COUNTS[-1])
            yield PickRow("count", str(usual), wording.COUNT, wording.COUNT_ABOUT, counts)
            levels = sorted({level for name, _ in place.drills for level in DRILLS[name].levels})
            choices = {AS_CHOSEN: wording.LEVEL_OWN} | {str(level): same(str(level)) for level in levels}
            yield PickRow("level", AS_CHOSEN, wording.LEVEL, wording.LEVEL_ABOUT, choices)
        spoken = languages_of(self.quiz.language).value
        yield PickRow("language", spoken, wording.SPOKEN, wording.SPOKEN_ABOUT, wording.SPOKEN_CHOICES)
        yield PickRow("key", Key.ANSWERS.value, wording.KEY, wording.KEY_ABOUT, wording.KEY_CHOICES)
        yield PickRow("paper", Paper.A4.value, wording.PAPER, wording.PAPER_ABOUT, wording.PAPER_CHOICES)

    def _picked(self, name: str, otherwise: str = "") -> str:
        return next((row.value for row in self.query(PickRow) if row.setting == name), otherwise)

    def on_set(self, event: Set) -> None:
        """Nothing is made before Enter; of the same numbers there is nothing more to choose."""
        event.stop()
        for row in self.query(PickRow):
            if row.setting in ("count", "level"):
                row.display = self._picked("numbers") != wording.SAME

    @property
    def wish(self) -> Wish:
        """What is chosen now."""
        place = self._place
        level = self._picked("level", AS_CHOSEN)
        return Wish(
            place.title,
            place.drills,
            None if level == AS_CHOSEN else int(level),
            int(self._picked("count", "6")),
            place.codes if self._picked("numbers") == wording.SAME else (),
            tuple(self.quiz.bank.question(number) for number in place.questions),
            Languages(self._picked("language")),
            Key(self._picked("key")),
            Paper(self._picked("paper")),
        )

    def on_stop_acted(self, event: Stop.Acted) -> None:
        """Make it; or answer on screen what was made."""
        event.stop()
        if isinstance(event.row, Go) and not self._busy:
            self._make()
        elif isinstance(event.row, Link) and isinstance(event.row.target, SheetPlace):
            self.app.push_screen(screen_for(event.row.target))

    @work(exclusive=True, group="make")
    async def _make(self) -> None:
        quiz, wish = self.quiz, self.wish
        self._busy = True
        go = self.query_one(Go)
        go.say(wording.MAKING if quiz.solver.is_ready else general.WARMING_UP)
        ordered = order(wish, quiz.choice(), quiz.paths.sheets, quiz.keeper.now())
        try:
            made = await quiz.solver.call(make_files, ordered)
        except SolverError as error:
            made = error.message
        finally:
            self._busy = False
        if isinstance(made, Text):
            go.say(made)
            return
        go.say(None)
        quiz.tell(wording.MADE_IT.fill(file=made[0]), lasting=True)
        await self._show(made[0], made[-1] if ordered.sheet.copies[0].problems else None)

    async def _show(self, pdf: Path, record: Path | None) -> None:
        """Say where the file is, as long as the screen is there."""
        group = self.query_one("#made")
        rows: list[Widget] = [Row(None), Row(wording.READY, Phrase(same(str(pdf).replace("$", r"\$"))), classes="tight")]
        if record is not None:
            rows.append(Link(same("→"), wording.OPEN_IT, SheetPlace(str(record))))
        await group.query(Row).remove()
        await group.mount(*rows)
