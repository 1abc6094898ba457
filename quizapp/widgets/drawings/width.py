"""The weight of the first key by the width of the head, unscaled and scaled."""

from __future__ import annotations

import math

from textual.content import Content

from question_bank.text import Language
from quizapp import wording_drawings as wording
from quizapp.widgets.drawings import LabDrawing, value
from quizapp.widgets.plots import LINE, Axis, Curve, beneath, key, plot, spread
from solvers.frames import Frame


class Drawing(LabDrawing):
    """Draws ``w_all`` and ``a_all`` [n, keys] over ``widths`` [n, 1], and ``w`` and ``a`` at the width ``d_k``."""

    def draw(self, frame: Frame, language: Language, width: int) -> Content:
        """Draw both curves over the doublings of the width."""
        doublings = [math.log2(row[0]) for row in value(frame, "widths")]
        now = math.log2(value(frame, "d_k"))
        curves = (
            Curve(doublings, [row[0] for row in value(frame, "w_all")]),
            Curve(doublings, [row[0] for row in value(frame, "a_all")], "×"),
            Curve([now, now], [value(frame, "w")[0], value(frame, "a")[0]], "●"),
        )
        across = Axis(doublings[0], doublings[-1], tuple((at, f"{2**at:.0f}") for at in doublings[::2]))
        signs = (
            (LINE, wording.UNSCALED[language]),
            ("×", wording.SCALED[language]),
            ("●", f"d_k = {value(frame, 'd_k'):.0f}"),
        )
        title = Content.styled(wording.FIRST_KEY[language], "bold")
        return beneath(title, key(signs, width), plot(curves, across, Axis(0, 1, spread(0, 1)), width, self.lines - 1))
