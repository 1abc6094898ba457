"""Drawings of labs that need one of their own: a module per drawing, named by a scene's ``drawing``, with a class ``Drawing``.

A drawing is a widget above the numbers. It is given every frame that is computed, and draws nodes of it; it computes nothing
and has no keys: what can be changed are the scene's inputs. It must be readable without colour, in both languages, and in the
60 columns beside the margin of a narrow window; in fewer it may say that it wants more room.

    class Drawing(LabDrawing):
        DEFAULT_CSS = "Drawing { height: 9; }"

        def draw(self, frame, language, width):
            angle = frame.node("angle")
            ...
            return Content("...")
"""

from __future__ import annotations

from importlib import import_module

from textual.content import Content
from textual.geometry import Size

from question_bank.text import Language
from quizapp.widgets.bilingual import Bilingual, language_of
from solvers.frames import Frame


class LabDrawing(Bilingual):
    """A drawing of a lab's frame. Override ``draw``."""

    DEFAULT_CSS = "LabDrawing { width: 1fr; height: auto; text-wrap: nowrap; }"

    def __init__(self) -> None:
        """Start without a frame."""
        super().__init__()
        self.frame: Frame | None = None
        self.before: Frame | None = None

    def show(self, frame: Frame) -> None:
        """Take a new frame; the one before stays as ``before``, for what has moved."""
        self.before, self.frame = self.frame, frame
        self.refresh(layout=True)

    def draw(self, frame: Frame, language: Language, width: int) -> Content:
        """Draw a frame in so many columns."""
        raise NotImplementedError

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """Take what there is."""
        return container.width

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the lines that the drawing takes."""
        return 0 if self.frame is None else self.draw(self.frame, language_of(self), width).plain.count("\n") + 1

    def render(self) -> Content:
        """Draw the frame."""
        return Content() if self.frame is None else self.draw(self.frame, language_of(self), self.content_size.width)


def drawing_for(name: str) -> LabDrawing | None:
    """Make the drawing of a scene; None where it has none of its own."""
    if not name:
        return None
    drawing: LabDrawing = import_module(f"{__name__}.{name}").Drawing()
    return drawing
