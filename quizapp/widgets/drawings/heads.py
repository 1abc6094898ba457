"""Four heads side by side: what pattern each has."""

from __future__ import annotations

from textual.content import Content

from question_bank.text import Language
from quizapp import wording_drawings as wording
from quizapp.widgets.drawings import LabDrawing, value
from quizapp.widgets.plots import SOFT, beneath, beside
from quizapp.widgets.shades import number_map, small_map, width_of
from solvers.frames import Frame

HEADS = ("A_1", "A_2", "A_3", "A_4")
GAP = 2
DECIMALS = 2


class Drawing(LabDrawing):
    """Draws the weights ``A_1`` to ``A_4`` [S, S] of four heads."""

    def draw(self, frame: Frame, language: Language, width: int) -> Content:
        """Draw the maps in as many rows as the width asks for, with numbers where two of them fit beside one another."""
        weights = [value(frame, name) for name in HEADS]
        titles = [wording.HEAD.fill(number=at)[language] for at in range(1, len(HEADS) + 1)]
        maps = [number_map(title, one, DECIMALS, most=1.0, letter="q") for title, one in zip(titles, weights, strict=True)]
        room = max(map(width_of, maps)) + GAP
        if 2 * room - GAP > width:
            maps = [small_map(title, one, most=1.0) for title, one in zip(titles, weights, strict=True)]
            room = max(map(width_of, maps)) + GAP
        fit = max(1, (width + GAP) // room)
        fit = 2 if fit == 3 else fit
        rows = []
        for start in range(0, len(maps), fit):
            row = maps[start]
            for at, drawn in enumerate(maps[start + 1 : start + fit], start=1):
                row = beside(row, drawn, at * room)
            rows.append(row)
        return beneath(*rows, Content.styled(wording.WEIGHT_SHADES[language], SOFT))
