"""A setting on the page: its name in the margin, its value, and beneath it what it is for or what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.message import Message
from textual.widgets import Input

from question_bank.text import Language, Text
from quizapp import wording_settings as wording
from quizapp.dates import DateError, days_until, read_date, written
from quizapp.settings import Field
from quizapp.widgets.bilingual import Bilingual, Phrase, bind
from quizapp.widgets.entries import Line
from quizapp.widgets.page import Row
from quizapp.widgets.stops import Stop, StopPage


class Set(Message):
    """A setting is to have another value."""

    def __init__(self, name: str, value: object) -> None:
        """Say which, and what."""
        super().__init__()
        self.name = name
        self.value = value


class PickRow(Stop):
    """One of a few values, changed with the arrow keys."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("right", "change(1)", wording.CHANGE, wording.CHANGE_TIP, display="←→"),
        bind("left", "change(-1)", wording.CHANGE, wording.CHANGE_TIP, show=False, display="←→"),
        bind("enter,space", "act", wording.CHANGE, wording.CHANGE_TIP, show=False),
    ]

    def __init__(self, name: str, value: str, note: Text, about: Text, choices: Mapping[str, Text]) -> None:
        """Offer some choices.

        Args:
            name: What is chosen.
            value: What it is now, one of the keys of the choices.
            note: What hangs in the margin.
            about: What it is for.
            choices: What each value is called.
        """
        self._choices = choices
        self._shown = Phrase()
        super().__init__(note, self._shown, Phrase(about, classes="soft about"), classes="setting")
        self.setting = name
        self.show(value)

    @property
    def value(self) -> str:
        """What is chosen now."""
        return self._value

    def show(self, value: str) -> None:
        """Show which value it has now."""
        self._value = value
        self._shown.say(Text(*(self._written(language) for language in Language)))

    def _written(self, language: Language) -> str:
        marked = (f"‹{text[language]}›" if key == self._value else f" {text[language]} " for key, text in self._choices.items())
        return " ".join(marked).rstrip()

    def action_change(self, step: int) -> None:
        """Take the next choice, or the one before."""
        keys = list(self._choices)
        here = keys.index(self._value) if self._value in keys else -step
        self.show(keys[(here + step) % len(keys)])
        self.post_message(Set(self.setting, self._value))

    def action_act(self) -> None:
        """Take the next choice."""
        self.action_change(1)


class ChoiceRow(PickRow):
    """A setting with a few values."""

    def __init__(self, name: str, value: str) -> None:
        """Offer the choices of a setting."""
        super().__init__(name, value, *wording.NAMES[name], wording.CHOICES[name])


class SettingLine(Line, Bilingual):  # type: ignore[misc]  # both have an _on_mount; Textual calls the two
    """A value that is typed; it counts when the line is left, or at Enter."""

    BINDINGS: ClassVar[list[BindingType]] = [bind("enter", "submit", wording.KEEP, wording.KEEP_TIP)]

    def __init__(self, hint: Text | None = None) -> None:
        """Show a hint as long as nothing is typed."""
        super().__init__(classes="stop")
        self._hint = hint

    def translate(self, language: Language) -> None:
        """Say the hint anew."""
        self.placeholder = self._hint[language] if self._hint is not None else ""


class NumberLine(SettingLine):
    """A number, typed or changed with the arrow keys."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("right", "change(1)", wording.CHANGE, wording.STEP_TIP, display="←→"),
        bind("left", "change(-1)", wording.CHANGE, wording.STEP_TIP, show=False, display="←→"),
    ]

    class Turned(Message):
        """One more or one less is wanted."""

        def __init__(self, step: int) -> None:
            """Say how many."""
            super().__init__()
            self.step = step

    def action_change(self, step: int) -> None:
        """Ask for one more or one less."""
        self.post_message(self.Turned(step))


class TypedRow(Row):
    """A value that is typed."""

    def __init__(self, name: str, line: SettingLine) -> None:
        """Show a line; ``name`` is the setting's."""
        note, self.about = wording.NAMES[name]
        self.line = line
        self.echo = Phrase(self.about, classes="soft about")
        super().__init__(note, line, self.echo, classes="tight setting")
        self.setting = name

    def say(self, message: Text, style: str = "soft") -> None:
        """Say something beneath the line."""
        self.echo.say(message)
        self.echo.set_classes(f"about {style}")

    def take(self) -> bool:
        """Read what is typed, and pass it on if it can be used; tells whether it can."""
        raise NotImplementedError

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Take the value, then go to the next row; what can't be used is stayed with."""
        event.stop()
        taken = self.take()
        page = next((each for each in self.ancestors if isinstance(each, StopPage)), None)
        if page is not None and taken:
            page.action_move(1)

    def on_descendant_blur(self, event: events.DescendantBlur) -> None:
        """Take the value when the line is left."""
        self.take()


class NumberRow(TypedRow):
    """A whole number."""

    def __init__(self, field: Field, value: int) -> None:
        """Show the number; ``field`` knows its bounds."""
        super().__init__(field.name, NumberLine())
        self._field = field
        self._value = value
        self.line.value = str(value)

    def show(self, value: int) -> None:
        """Show another number."""
        self._value = value
        self.line.value = str(value)
        self.line.cursor_position = len(self.line.value)
        self.say(self.about)

    def _typed(self) -> int | None:
        text = self.line.value.strip()
        number = int(text) if text.isdecimal() and len(text) < 6 else -1
        return number if self._field.low <= number <= self._field.high else None

    def on_input_changed(self, event: Input.Changed) -> None:
        """Say beside the line what is wrong with it."""
        event.stop()
        if self._typed() is None:
            wanted = wording.NUMBER_WANTED.fill(low=self._field.low, high=self._field.high, value=self._value)
            self.say(wanted, "almost")
        else:
            self.say(self.about)

    def on_number_line_turned(self, event: NumberLine.Turned) -> None:
        """Count on from the number that is typed, or that was there before."""
        event.stop()
        typed = self._typed()
        here = self._value if typed is None else typed
        self.show(min(max(here + event.step, self._field.low), self._field.high))
        self.post_message(Set(self.setting, self._value))

    def take(self) -> bool:
        """Keep the number, if it can be used."""
        number = self._typed()
        if number is not None and number != self._value:
            self._value = number
            self.post_message(Set(self.setting, number))
        return number is not None


class DateRow(TypedRow):
    """A date, or none."""

    def __init__(self, name: str, value: date | None, today: Callable[[], date]) -> None:
        """Show the date; ``today`` gives the day from which is counted."""
        super().__init__(name, SettingLine(wording.DATE_PLACEHOLDER))
        self._value = value
        self._today = today
        self.line.value = value.isoformat() if value is not None else ""

    def _read(self) -> date | None:
        day = read_date(self.line.value, self._today())
        if day is not None and day < self._today() and day != self._value:
            raise DateError(wording.PAST.fill(day=written(day), far=days_until(day, self._today())))
        return day

    def on_input_changed(self, event: Input.Changed | None = None) -> None:
        """Say beside the line how it is read."""
        if event is not None:
            event.stop()
        try:
            day = self._read()
        except DateError as error:
            self.say(error.message, "almost")
            return
        if day is None:
            self.say(self.about)
            return
        said = wording.DAY_READ if day >= self._today() else wording.OVER
        self.say(said.fill(day=written(day), far=days_until(day, self._today())))

    def take(self) -> bool:
        """Keep the date, if it is one, and write it out."""
        try:
            day = self._read()
        except DateError:
            return False
        changed, self._value = day != self._value, day
        self.line.value = day.isoformat() if day is not None else ""
        if changed:
            self.post_message(Set(self.setting, day))
        return True
