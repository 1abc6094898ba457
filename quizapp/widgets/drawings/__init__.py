"""Drawings of labs that need one of their own: a module per drawing, named by a scene's ``drawing``, with a class ``Drawing``.

A drawing is a widget above the numbers. It is given every frame that is computed, and draws nodes of it; it computes nothing
and has no keys: what can be changed are the scene's inputs. It must be readable without colour, in both languages, and in the
60 columns beside the margin of a narrow window; in fewer it may say that it wants more room.

    class Drawing(LabDrawing):
        def draw(self, frame, language, width):
            rates = value(frame, "rates")
            ...
            return plot((Curve(steps, rates),), across, upward, width, self.lines)
"""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from typing import Any

from textual.content import Content, Span
from textual.geometry import Size

from question_bank.labs.lab import Scene
from question_bank.text import Language, Text
from quizapp.widgets.bilingual import Bilingual, language_of
from quizapp.workbench import floats
from solvers.frames import Frame

LEAST = 24
"""Columns that any drawing needs."""

UNKNOWN = Content("—", [Span(0, 1, "$ink-soft")])


class NotKnownError(LookupError):
    """A value that a drawing needs can't be computed now; its node says why."""


def value(frame: Frame, name: str) -> Any:
    """Return an input or a node as floats.

    Raises:
        NotKnownError: It can't be computed.
    """
    if name in frame.state.program.values:
        return floats(frame.state.value(name))
    node = frame.node(name)
    if node is None or node.numbers is None:
        raise NotKnownError(name)
    return node.numbers


def is_known(frame: Frame, *names: str) -> bool:
    """Tell whether inputs or nodes have values now."""
    try:
        for name in names:
            value(frame, name)
    except NotKnownError:
        return False
    return True


class LabDrawing(Bilingual):
    """A drawing of a lab's frame. Override ``draw``."""

    DEFAULT_CSS = "LabDrawing { width: 1fr; height: auto; text-wrap: nowrap; }"

    def __init__(self) -> None:
        """Start without a frame."""
        super().__init__()
        self.frame: Frame | None = None
        self.before: Frame | None = None
        self.labels: dict[str, tuple[Text, ...]] = {}
        self._hidden: frozenset[str] = frozenset()
        self._drawn: tuple[object, Content] = (None, Content())

    @property
    def lines(self) -> int:
        """The lines that a drawing may take: about a third of the window, so that the numbers beneath are seen too."""
        return max(6, min(14, self.app.size.height * 3 // 8))

    def show(self, frame: Frame) -> None:
        """Take a new frame; the one before stays as ``before``, for what has moved."""
        self.before, self.frame = self.frame, frame
        self.refresh(layout=True)

    def hide(self, nodes: frozenset[str]) -> None:
        """Take nodes for not known: a person who walks from cell to cell has not reached them."""
        if nodes != self._hidden:
            self._hidden = nodes
            self.refresh(layout=True)

    def draw(self, frame: Frame, language: Language, width: int) -> Content:
        """Draw a frame in so many columns."""
        raise NotImplementedError

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """Take what there is."""
        return container.width

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the lines that the drawing takes."""
        return self._draw(width).plain.count("\n") + 1

    def render(self) -> Content:
        """Draw the frame."""
        return self._draw(self.content_size.width)

    def _draw(self, width: int) -> Content:
        language = language_of(self)
        key = (id(self.frame), self._hidden, language, width, self.lines)
        if self.frame is None or width < LEAST:
            return Content()
        if self._drawn[0] != key:
            try:
                drawn = self.draw(_without(self.frame, self._hidden), language, width).split("\n", allow_blank=True)
                self._drawn = (key, Content("\n").join(line.truncate(width) for line in drawn))
            except NotKnownError:
                lines = self._drawn[1].plain.count("\n")  # what stands beneath is to stay where it is
                self._drawn = (key, UNKNOWN + "\n" * lines)
        return self._drawn[1]


def _without(frame: Frame, hidden: frozenset[str]) -> Frame:
    if not hidden:
        return frame
    nodes = tuple(replace(node, numbers=None) if node.name in hidden else node for node in frame.nodes)
    return replace(frame, nodes=nodes)


def drawing_for(scene: Scene) -> LabDrawing | None:
    """Make the drawing of a scene; None where it has none of its own."""
    if not scene.drawing:
        return None
    drawing: LabDrawing = import_module(f"{__name__}.{scene.drawing}").Drawing()
    drawing.labels = {name: labels.rows for name, labels in scene.labels.items()}
    return drawing
