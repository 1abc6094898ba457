"""The causal mask in three steps: scores, masked scores, weights."""

from __future__ import annotations

from itertools import takewhile

from textual.content import Content

from question_bank.text import Language, Text
from quizapp import wording_drawings as wording
from quizapp.widgets.drawings import LabDrawing, is_known, value
from quizapp.widgets.plots import SOFT, beneath, beside
from quizapp.widgets.shades import number_map, small_map, width_of
from solvers.frames import Frame

STEPS = (("Z", wording.SCALED_STEP), ("M", wording.MASKED_STEP), ("A", wording.NORMAL_STEP))


DECIMALS = (2, 1)
GAP = 3
"""Columns between two maps, in which the arrow stands."""


def _known(frame: Frame) -> list[tuple[str, Text]]:
    """Return the steps up to the first that can't be computed, or isn't reached; the scores at any rate."""
    return [STEPS[0], *takewhile(lambda step: is_known(frame, step[0]), STEPS[1:])]


class Drawing(LabDrawing):
    """Draws ``Z``, ``M`` and ``A`` [S, S], one after the other."""

    def draw(self, frame: Frame, language: Language, width: int) -> Content:
        """Draw three maps with an arrow between them, their numbers with as many decimals as there is room for."""
        steps = [(f"{what[language]} {name}", value(frame, name)) for name, what in _known(frame)]
        for decimals in DECIMALS:
            maps = [number_map(title, rows, decimals, letter="" if at else "q") for at, (title, rows) in enumerate(steps)]
            if sum(map(width_of, maps)) + GAP * (len(STEPS) - 1) <= width:
                break
        else:
            maps = [small_map(title, rows) for title, rows in steps]
        drawn, end = maps[0], width_of(maps[0])
        for one in maps[1:]:
            arrow = Content("\n\n").join((Content(), Content.styled("→", SOFT)))
            drawn = beside(beside(drawn, arrow, end + 1), one, end + GAP)
            end += GAP + width_of(one)
        return beneath(drawn, Content.styled(wording.SHADES[language], SOFT))
