"""Both languages at once: sentences and key labels that change with the application's language, wherever they are shown."""

from __future__ import annotations

import dataclasses
from contextlib import suppress

from rich.cells import cell_len
from textual.binding import Binding
from textual.content import Content
from textual.geometry import Size
from textual.message_pump import MessagePump
from textual.widget import Widget

from question_bank.text import Language, Text
from quizapp.widgets.wrapping import wrap


def language_of(node: MessagePump) -> Language:
    """Return the language that a widget or screen is shown in."""
    language: Language = getattr(node.app, "language", Language.EN)
    return language


def written(text: Text, language: Language) -> str:
    """Return a sentence in one language, its inline math in Unicode."""
    sentence = text[language]
    if "$" in sentence:
        from question_bank.math import MathError, plain  # the formula parser is not needed for the first screen

        with suppress(MathError):  # a dollar sign that a person typed: better shown as it is than not at all
            sentence = plain(sentence)
    return sentence


class Words(str):
    """A label that Textual takes for an English string, and that our screens show in either language."""

    text: Text

    def __new__(cls, text: Text) -> Words:
        """Keep both languages behind the English string."""
        words = super().__new__(cls, text.en)
        words.text = text
        return words


def said(label: str, language: Language) -> str:
    """Return a label in one language where it has two, else unchanged."""
    return label.text[language] if isinstance(label, Words) else label


_TWINS = {"question_mark": ("?", "？"), "slash": ("/", "／", "、"), "comma": ("comma", "，")}


def twins(key: str) -> tuple[str, ...]:
    """Return a key and those that a person means by it: its full-width form, and capitals for a letter.

    With a Chinese input method switched on, ``/`` arrives as ``、`` and ``?`` as ``？``.
    """
    if key in _TWINS:
        return _TWINS[key]
    if len(key) != 1 or not key.isascii() or not key.isalnum():
        return (key,)
    forms = dict.fromkeys((key, key.upper()))
    return tuple(form for each in forms for form in (each, chr(ord(each) + 0xFEE0)))


def bind(
    keys: str, action: str, label: Text, tooltip: Text, *, show: bool = True, display: str | None = None, priority: bool = False
) -> Binding:
    """Declare a key in both languages, its full-width twins included.

    Args:
        keys: Keys as Textual names them, comma-separated; the first is the one shown.
        action: The action, whose name (with ``app.`` or ``screen.`` left out) is also the binding's id.
        label: One or two words for the footer.
        tooltip: One sentence saying what the key does; the help screen and the palette show it.
        show: Whether the footer shows it.
        display: What the footer shows for the key, where its name won't do.
        priority: Whether it works inside fields too.
    """
    every = ",".join(form for key in keys.split(",") for form in twins(key))
    return Binding(
        every, action, Words(label), show=show, key_display=display, tooltip=Words(tooltip), id=action, priority=priority
    )


def translated(binding: Binding, language: Language) -> Binding:
    """Return a binding with its label and its tooltip in one language."""
    if not isinstance(binding.description, Words):
        return binding
    return dataclasses.replace(
        binding, description=said(binding.description, language), tooltip=said(binding.tooltip, language)
    )


class Bilingual(Widget):
    """A widget that is told whenever the language changes.

    Override ``translate``; it's called once on mounting, and again at every change.
    """

    def _on_mount(self, event: object) -> None:
        self.watch(self.app, "language", self.translate)

    def translate(self, language: Language) -> None:
        """Show everything in this language. Whatever a person typed or opened must stay."""
        self.refresh(layout=True)


class Phrase(Bilingual):
    """A sentence in both languages, wrapped for either; what it shows is never taken for markup."""

    DEFAULT_CSS = """
    Phrase { width: 1fr; height: auto; text-wrap: nowrap; }
    """

    def __init__(self, text: Text | None = None, *, id: str | None = None, classes: str | None = None) -> None:
        """Show a text, or nothing at first."""
        super().__init__(id=id, classes=classes)
        self._text = text

    @property
    def text(self) -> Text | None:
        """What it says."""
        return self._text

    def say(self, text: Text | None) -> None:
        """Say something else."""
        if text != self._text:
            self._text = text
            self.refresh(layout=True)

    @property
    def written(self) -> str:
        """What it says, in the language of the moment."""
        return written(self._text, language_of(self)) if self._text is not None else ""

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """Return the columns of the longest line, unwrapped."""
        return max(map(cell_len, self.written.split("\n")))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the lines that the sentence takes in this width."""
        return len(self.lines(width)) if self._text is not None else 0

    def lines(self, width: int) -> list[str]:
        """Break what it says into lines."""
        return wrap(self.written, width)

    def render(self) -> Content:
        """Draw the sentence."""
        return Content("\n".join(self.lines(self.content_size.width)))
