"""The gradient by depth, with and without residual connections: a small picture for each of the layers' derivatives."""

from __future__ import annotations

import math

from textual.content import Content

from question_bank.text import Language
from quizapp import wording_drawings as wording
from quizapp.widgets.drawings import LabDrawing, value
from quizapp.widgets.plots import LINE, Axis, Curve, beneath, beside, key, plot, short
from solvers.frames import Frame

LOW, HIGH = -8, 8
"""Powers of ten between which gradients are drawn."""


class Drawing(LabDrawing):
    """Draws ``with_skip`` and ``without`` [n, cases] over ``layers`` [n, 1], numbers of layers, for the derivatives ``f``."""

    def draw(self, frame: Frame, language: Language, width: int) -> Content:
        """Draw the cases side by side, as powers of ten."""
        cases, layers = value(frame, "f"), [row[0] for row in value(frame, "layers")]
        skip, plain, now = value(frame, "with_skip"), value(frame, "without"), value(frame, "n")
        part = width // len(cases)
        lines = self.lines - 3 + self.lines % 2  # odd, so that 1 is in the middle of a line
        drawn: Content | None = None
        for at, f in enumerate(cases):
            curves = (
                Curve(layers, [_power(row[at]) for row in skip]),
                Curve(layers, [_power(row[at]) for row in plain], "×"),
                Curve([now, now], [_power(value(frame, "residual")[at]), _power(value(frame, "plain")[at])], "●"),
            )
            across = Axis(layers[0], layers[-1], ((0, "0"), (20, "20"), (layers[-1], f"{layers[-1]:.0f}")))
            upward = Axis(LOW, HIGH, ((LOW, "10⁻⁸"), (0, "10⁰"), (HIGH, "10⁸")))
            one = beneath(Content(f"     f = {short(f)}").stylize("bold"), plot(curves, across, upward, part - 1, lines))
            drawn = one if drawn is None else beside(drawn, one, part * at)
        assert drawn is not None
        signs = ((LINE, wording.WITH_SKIP[language]), ("×", wording.WITHOUT[language]), ("●", f"n = {now:.0f}"))
        return beneath(key(signs, width), drawn)


def _power(number: float) -> float:
    """Return the power of ten of a gradient's size; beyond the picture's edge where it is that small or large."""
    if math.isnan(number):
        return number
    return min(HIGH + 1.0, max(LOW - 1.0, math.log10(abs(number)))) if number else LOW - 1.0
