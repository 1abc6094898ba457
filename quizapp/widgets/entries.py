"""The ways in which an answer is entered: a line, a text area, a choice; ``grid`` has a fourth, cells.

All of them hold one text, the one that is read and graded, and say ``Changed`` and ``Submitted``. Inside them every key is
text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalGroup
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, OptionList, TextArea
from textual.widgets.option_list import Option

from question_bank.text import Language, Text
from quizapp import wording
from quizapp.widgets.bilingual import Bilingual, bind, written


class Entry(VerticalGroup):
    """Anything that an answer is entered in."""

    class Changed(Message):
        """The text is another now."""

    class Submitted(Message):
        """The person is done with it."""

    class Pasted(Message):
        """A text arrived that is more than this entry can hold; nothing of it was taken."""

        def __init__(self, text: str) -> None:
            """Say which."""
            super().__init__()
            self.text = text

    @property
    def text(self) -> str:
        """What the person has entered, as one text."""
        raise NotImplementedError

    def put(self, text: str) -> None:
        """Replace what is entered."""
        raise NotImplementedError

    def take_focus(self) -> None:
        """Give the focus to the place where typing goes on."""
        self._focus_now(self)

    def _focus_now(self, widget: Widget) -> None:
        """Focus at once: ``Widget.focus`` lets keys that wait already go elsewhere."""
        self.screen.set_focus(widget)

    def freeze(self, frozen: bool) -> None:
        """Let nothing be changed while the answer is being marked."""
        self.disabled = frozen


class Line(Input):
    """One line of text. A paste of several lines is handed up whole."""

    BINDINGS: ClassVar[list[BindingType]] = [bind("enter", "submit", wording.SUBMIT, wording.SUBMIT_TIP)]

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        """Start empty; nothing is selected on focus, so that Ctrl+C means what it means elsewhere."""
        super().__init__(id=id, classes=classes, compact=True, select_on_focus=False)

    def on_mount(self) -> None:
        """Blink where the application blinks."""
        self.cursor_blink = getattr(self.app, "cursor_blink", True)

    def _on_paste(self, event: events.Paste) -> None:
        event.stop()
        event.prevent_default()
        text = event.text.strip("\r\n")
        if not self.take_paste(text):
            start, end = self.selection
            self.replace(text, start, end)

    def take_paste(self, text: str) -> bool:
        """Hand up a paste that this line can't hold; tells whether it was handed up."""
        if len(text.splitlines()) > 1:
            self.post_message(Entry.Pasted(text))
            return True
        return False


class LineEntry(Entry):
    """A number, a shape, a vector: one line."""

    def compose(self) -> ComposeResult:
        """Lay out the line."""
        yield Line()

    @property
    def line(self) -> Line:
        """The line itself."""
        return self.query_one(Line)

    @property
    def text(self) -> str:
        """What is typed."""
        return self.line.value

    def put(self, text: str) -> None:
        """Replace what is typed."""
        self.line.value = text
        self.line.cursor_position = len(text)

    def take_focus(self) -> None:
        """Go on typing."""
        self._focus_now(self.line)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Say that it changed."""
        event.stop()
        self.post_message(self.Changed())

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Say that the person is done."""
        event.stop()
        self.post_message(self.Submitted())


class Area(TextArea):
    """Several lines of text, in which Enter breaks the line."""

    def __init__(self) -> None:
        """Start empty, without line numbers or colours; Tab goes to the next field."""
        super().__init__(tab_behavior="focus", soft_wrap=True, show_line_numbers=False, compact=True)

    def on_mount(self) -> None:
        """Blink where the application blinks."""
        self.cursor_blink = getattr(self.app, "cursor_blink", True)


class AreaEntry(Entry):
    """A text of several lines, as pasted."""

    def compose(self) -> ComposeResult:
        """Lay out the text area."""
        yield Area()

    @property
    def area(self) -> Area:
        """The text area itself."""
        return self.query_one(Area)

    @property
    def text(self) -> str:
        """What is typed."""
        return self.area.text

    def put(self, text: str) -> None:
        """Replace what is typed."""
        self.area.text = text
        self.area.move_cursor(self.area.document.end)

    def take_focus(self) -> None:
        """Go on typing."""
        self._focus_now(self.area)

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        """Say that it changed."""
        event.stop()
        self.post_message(self.Changed())


class ChoiceEntry(Entry, Bilingual):
    """One of several options, by arrow keys or by its letter."""

    def __init__(self, options: Sequence[Text], values: Sequence[str]) -> None:
        """Offer some options.

        Args:
            options: What each option says.
            values: The text that each stands for.
        """
        super().__init__()
        self._options = tuple(options)
        self._values = tuple(values)
        self._chosen: int | None = None

    def compose(self) -> ComposeResult:
        """Lay out the list."""
        yield OptionList(markup=False, compact=True)

    @property
    def options(self) -> OptionList:
        """The list itself."""
        return self.query_one(OptionList)

    def translate(self, language: Language) -> None:
        """Write the options anew; the marked one stays marked."""
        marked = self.options.highlighted
        self.options.clear_options()
        self.options.add_options(
            Option(f"{value}  {written(option, language)}") for option, value in zip(self._options, self._values, strict=True)
        )
        self.options.highlighted = marked if marked is not None else 0

    @property
    def text(self) -> str:
        """What was chosen; empty as long as nothing was."""
        return self._values[self._chosen] if self._chosen is not None else ""

    def put(self, text: str) -> None:
        """Choose an option by what it stands for; none for any other text."""
        self._chosen = self._values.index(text) if text in self._values else None
        self.options.highlighted = self._chosen or 0

    def take_focus(self) -> None:
        """Let the arrows choose."""
        self._focus_now(self.options)

    def on_key(self, event: events.Key) -> None:
        """Choose by letter."""
        character = (event.character or "").casefold()
        letters = [value[0].casefold() for value in self._values]
        if character and character in letters:
            event.stop()
            event.prevent_default()
            self.options.highlighted = letters.index(character)
            self.options.action_select()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Choose, and be done."""
        event.stop()
        self._chosen = event.option_index
        self.post_message(self.Changed())
        self.post_message(self.Submitted())
