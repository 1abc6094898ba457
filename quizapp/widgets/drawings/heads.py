"""Four heads side by side: what pattern each has."""

from __future__ import annotations

from textual.content import Content

from question_bank.text import Language
from quizapp import wording_drawings as wording
from quizapp.widgets.drawings import LabDrawing, value
from quizapp.widgets.plots import SOFT, beneath, beside
from quizapp.widgets.shades import small_map
from solvers.frames import Frame

HEADS = ("A_1", "A_2", "A_3", "A_4")
GAP = 3


class Drawing(LabDrawing):
    """Draws the weights ``A_1`` to ``A_4`` [S, S] of four heads."""

    def draw(self, frame: Frame, language: Language, width: int) -> Content:
        """Draw the maps in as many rows as the width asks for."""
        maps = [
            small_map(wording.HEAD.fill(number=at)[language], value(frame, name), most=1.0)
            for at, name in enumerate(HEADS, start=1)
        ]
        room = 2 * len(value(frame, HEADS[0])[0]) + 4 + GAP
        fit = max(1, (width + GAP) // room)
        rows = []
        for start in range(0, len(maps), fit):
            row = maps[start]
            for at, drawn in enumerate(maps[start + 1 : start + fit], start=1):
                row = beside(row, drawn, at * room)
            rows.append(row)
        return beneath(*rows, Content.styled(wording.WEIGHT_SHADES[language], SOFT))
