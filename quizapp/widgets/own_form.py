"""The form of an operation: its fields, its flags, and a field for the result. What is typed goes into a draft at once."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import VerticalGroup
from textual.message import Message

from question_bank.own_numbers import FieldKind, Template
from question_bank.program import Program
from quizapp import wording_check as wording
from quizapp.drafts import CheckDraft
from quizapp.self_check import FormError, program_of
from quizapp.widgets.own_fields import FlagField, NumbersField, OwnArea, OwnField
from quizapp.widgets.stops import Tick


class OwnForm(VerticalGroup):
    """Where a person gives numbers and a result. Operations share what fields of the same name hold."""

    class Changed(Message):
        """Something else is typed or ticked now."""

    class Finished(Message):
        """The person is done with the last field."""

    def __init__(self, draft: CheckDraft) -> None:
        """Write into this draft."""
        super().__init__()
        self._draft = draft
        self._template: Template | None = None
        self.result = OwnField(wording.RESULT, wording.RESULT_PLACEHOLDER, name="result")

    def compose(self) -> ComposeResult:
        """Lay out the fields above the result."""
        yield VerticalGroup(id="fields")
        yield self.result

    def on_mount(self) -> None:
        """Show the result of the draft."""
        self.result.area.put(self._draft.result)

    async def ask_for(self, template: Template) -> None:
        """Show the fields of an operation, with what they held before."""
        self._template = template
        self._draft.operation = template.id
        rows = [FlagField(field) if field.kind is FieldKind.FLAG else NumbersField(field) for field in template.fields]
        for row in rows:
            if isinstance(row, NumbersField):
                row.area.put(self._draft.texts.get(row.field.name, ""))
            else:
                row.tick(row.field.name in self._draft.flags)
        flags = [row for row in rows if isinstance(row, FlagField)]
        if flags:
            flags[-1].add_class("last")
        fields = self.query_one("#fields")
        await fields.remove_children()
        await fields.mount(*rows)

    @property
    def fields(self) -> list[NumbersField]:
        """The fields for numbers."""
        return list(self.query(NumbersField))

    @property
    def flags(self) -> set[str]:
        """The names of the flags that are set."""
        return {flag.field.name for flag in self.query(FlagField) if flag.ticked}

    @property
    def is_blank(self) -> bool:
        """Tell whether nothing is typed."""
        return not any(field.typed.strip() for field in (*self.fields, self.result))

    def everything(self) -> tuple[object, ...]:
        """Return all that a verdict depends on."""
        return self._template, tuple(field.typed for field in self.fields), frozenset(self.flags), self.result.typed

    def program(self) -> Program:
        """Write the program of what is typed.

        Raises:
            FormError: Something is missing, unreadable, or doesn't go together.
        """
        assert self._template is not None
        return program_of(self._template, {field.key: field.typed for field in self.fields}, self.flags, self.result.typed)

    def complain(self, error: FormError) -> bool:
        """Say what is wrong beneath the field at fault, and go there; False where it's none of them."""
        at = next((field for field in self.fields if field.key == error.field), None)
        if at is not None:
            at.say(error.message)
            at.area.focus()
        return at is not None

    def take_focus(self) -> None:
        """Go to the first field that has to be filled in; to the result where none is left."""
        empty = (field for field in self.fields if field.field.required and not field.typed.strip())
        next(empty, self.result).area.focus()

    def on_own_field_changed(self, event: OwnField.Changed) -> None:
        """Keep what is typed."""
        event.stop()
        if event.field is self.result:
            self._draft.result = event.field.typed
        else:
            self._draft.texts[event.field.key] = event.field.typed
        self.post_message(self.Changed())

    def on_tick_changed(self, event: Tick.Changed) -> None:
        """Keep the flags."""
        event.stop()
        shown = {flag.field.name for flag in self.query(FlagField)}
        self._draft.flags = (self._draft.flags - shown) | self.flags
        self.post_message(self.Changed())

    def on_own_area_finished(self, event: OwnArea.Finished) -> None:
        """Go to the next field; after the last, be done."""
        event.stop()
        areas = [*(field.area for field in self.fields), self.result.area]
        if event.area is areas[-1]:
            self.post_message(self.Finished())
        else:
            areas[areas.index(event.area) + 1].focus()
