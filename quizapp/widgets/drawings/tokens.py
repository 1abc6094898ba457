"""Who a token attends to: a line from it to every key, the heavier the more weight it has."""

from __future__ import annotations

from rich.cells import cell_len
from textual.content import Content

from question_bank.text import Language
from quizapp.widgets.drawings import LabDrawing, value
from quizapp.widgets.plots import CURVE, POINT, SOFT
from solvers.frames import Frame

STROKES = ((0.5, "━"), (0.2, "─"), (0.0, "┄"))
"""The sign of a line from which weight on."""


class Drawing(LabDrawing):
    """Draws the weights ``a`` [keys] of the last of the tokens that stand beside them."""

    def draw(self, frame: Frame, language: Language, width: int) -> Content:
        """Draw the tokens in their order, and beneath them a line for each."""
        weights = value(frame, "a")
        names = [text[language] for text in self.labels.get("a", ())]
        if len(names) != len(weights):
            names = [str(at + 1) for at in range(len(weights))]
        step = max(6, min(16, (width - 12) // max(1, len(names))))
        above: list[tuple[str, str]] = []
        for at, name in enumerate(names):
            ink = POINT if at == len(names) - 1 else "bold"
            above += [(name, ink), (" " * (step - cell_len(name)), "")]
        end = step * (len(names) - 1)
        lines = [Content.assemble(*above)]
        for at, weight in enumerate(weights):
            stroke = next((sign for least, sign in STROKES if weight >= least), " ")
            start = step * at
            lines.append(
                Content.assemble(
                    (" " * start, ""),
                    ("◄" + stroke * (end - start), CURVE),
                    (f" {weight * 100:.1f} %", SOFT if weight < 0.5 else POINT),
                )
            )
        return Content("\n").join(lines)
