"""The online softmax block by block: the weights of the keys seen so far, after each block."""

from __future__ import annotations

import math

from textual.content import Content

from question_bank.text import Language
from quizapp import wording_drawings as wording
from quizapp.widgets.drawings import LabDrawing, is_known, value
from quizapp.widgets.plots import POINT, SOFT, beneath
from quizapp.widgets.shades import shade
from solvers.frames import Frame

AFTER = (("a_1", "m_1", "l_1", "o_1"), ("w_2", "M_2", "L_2", "O_2"), ("w_3", "M_3", "L_3", "O_3"))
"""After each block: the weights of all keys so far, and what is kept: the largest score, the sum and the output."""


ROOM = 33
"""Columns beside the weights: the number of the block, the bars between blocks, and what is kept."""


def _cell(weight: float, width: int) -> list[tuple[str, str]]:
    sign, ink = shade(weight, 1.0)
    if width == len(sign):
        return [(sign, ink)]
    percent = f"{100 * weight:.0f}" if math.isfinite(weight) else "?"
    return [(sign[-1], ink), (percent.rjust(width - 1), "")]


class Drawing(LabDrawing):
    """Draws the weights after each block, of two keys, and what is kept of them (``AFTER``)."""

    def draw(self, frame: Frame, language: Language, width: int) -> Content:
        """Draw a line for each block."""
        keys = len(value(frame, AFTER[-1][0]))
        cell = 2 if width < ROOM + 4 * keys else 4  # a shade alone, or one with a number
        title = (wording.AFTER_SHADES if cell == 2 else wording.AFTER)[language]
        lines = [Content.styled(" " * (2 + cell * keys + keys // 2) + "   m     l     o", SOFT)]
        for number, names in enumerate(AFTER, start=1):
            if not is_known(frame, *names):
                lines.append(Content.styled(f"{number}", SOFT))
                continue
            weights, largest, total, output = (value(frame, name) for name in names)
            pieces: list[tuple[str, str]] = [(f"{number} ", SOFT)]
            for at in range(keys):
                pieces += _cell(weights[at], cell) if at < len(weights) else [(" " * cell, "")]
                if at % 2:
                    pieces.append(("▏", SOFT))
            numbers = f"   {largest:<5.3g} {total:<5.3g} [{', '.join(f'{one:.3g}' for one in output)}]".replace("-", "−")
            lines.append(Content.assemble(*pieces, (numbers, POINT)))
        return beneath(Content.styled(title, "bold"), *lines)
