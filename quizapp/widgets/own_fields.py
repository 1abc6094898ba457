"""The fields in which a person gives numbers of their own: text areas that take a paste whole and say what they read."""

from __future__ import annotations

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widgets import TextArea

from question_bank.own_numbers import Field
from question_bank.program import Nested
from question_bank.text import Language, Text, same
from quizapp import wording_check as wording
from quizapp.self_check import found, read_field
from quizapp.widgets.bilingual import Bilingual, Phrase
from quizapp.widgets.page import Row
from quizapp.widgets.stops import FieldArea, Tick
from solvers.answers import Unreadable, read_value


class OwnArea(FieldArea, Bilingual):  # type: ignore[misc]  # both have an _on_mount; Textual calls the two
    """A text area in which Enter breaks the line, and on a blank last line is done with the field."""

    class Finished(Message):
        """The person is done with the field."""

        def __init__(self, area: OwnArea) -> None:
            """Say which."""
            super().__init__()
            self.area = area

    def __init__(self, hint: Text) -> None:
        """Show a hint as long as nothing is typed."""
        super().__init__()
        self._hint = hint

    def translate(self, language: Language) -> None:
        """Say the hint anew."""
        self.placeholder = Content(self._hint[language])

    def put(self, text: str) -> None:
        """Replace what is typed."""
        self.text = text
        self.move_cursor(self.document.end)

    def _on_key(self, event: events.Key) -> None:  # type: ignore[override]  # Textual calls the one of TextArea next
        row, _column = self.cursor_location
        if event.key == "enter" and row == self.document.line_count - 1 and not self.document[row].strip():
            event.stop()
            event.prevent_default()
            self.text = self.text.rstrip()
            self.move_cursor(self.document.end)
            self.post_message(self.Finished(self))


class OwnField(Row):
    """A matrix, a row or a number of a person's own, its symbol in the margin, what was read of it beneath."""

    class Changed(Message):
        """Something else is typed now."""

        def __init__(self, field: OwnField) -> None:
            """Say where."""
            super().__init__()
            self.field = field

    def __init__(self, note: Text, hint: Text, *, name: str) -> None:
        """Offer a field.

        Args:
            note: What hangs in the margin.
            hint: What stands in the field as long as it's empty.
            name: The field's name.
        """
        self.area = OwnArea(hint)
        self.echo = Phrase(classes="echo soft")
        super().__init__(note, self.area, self.echo)
        self.key = name

    @property
    def typed(self) -> str:
        """What is typed."""
        return self.area.text

    def say(self, message: Text | None, style: str = "almost") -> None:
        """Say something beneath the field."""
        self.echo.say(message)
        self.echo.set_classes(f"echo {style}")

    def read(self) -> Nested | Unreadable | None:
        """Read what is typed; None where nothing is."""
        return read_value(self.typed) if self.typed.strip() else None

    def describe(self, value: Nested | None) -> Text | None:
        """Say what was read, or what the field is for."""
        return found(value) if value is not None else None

    def _echo(self, *, settled: bool) -> None:
        value = self.read()
        if isinstance(value, Unreadable):
            self.say(value.message, "almost" if settled else "soft")
        else:
            self.say(self.describe(value), "soft")

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        """Say what was read so far; quietly, as long as it may be half a matrix."""
        event.stop()
        self._echo(settled=not self.area.has_focus)
        self.post_message(self.Changed(self))

    def on_descendant_blur(self) -> None:
        """Say aloud what can't be read."""
        self._echo(settled=True)


class NumbersField(OwnField):
    """A field of an operation."""

    def __init__(self, field: Field) -> None:
        """Offer a field of an operation."""
        hint = (wording.SUCH_AS if field.required else wording.OPTIONAL).fill(example=field.example)
        super().__init__(symbol_of(field), hint, name=field.name)
        self.field = field
        self.echo.say(field.title)

    def read(self) -> Nested | Unreadable | None:
        """Read what is typed; what the operation can't take is unreadable."""
        return read_field(self.field, self.typed) if self.typed.strip() else None

    def describe(self, value: Nested | None) -> Text:
        """Say what the field takes, and what was read."""
        if value is None:
            return self.field.title
        return wording.READ_AS.fill(title=self.field.title, found=found(value, self.field.kind))


class FlagField(Tick):
    """A flag of an operation."""

    def __init__(self, field: Field) -> None:
        """Offer a flag."""
        super().__init__(field.title)
        self.field = field


def symbol_of(field: Field) -> Text:
    """Write the name of a field for the margin."""
    return same(f"${field.symbol}$") if "_" in field.symbol else same(field.symbol)
