"""Learning-rate curves: the original schedule and a cosine, over the whole training."""

from __future__ import annotations

from textual.content import Content

from question_bank.text import Language
from quizapp import wording_drawings as wording
from quizapp.widgets.drawings import LabDrawing, value
from quizapp.widgets.plots import LINE, Axis, Curve, beneath, key, plot, short, spread
from solvers.frames import Frame


class Drawing(LabDrawing):
    """Draws ``original_curve`` and ``cosine_curve`` over ``steps``, and the rates at the steps ``t``."""

    def draw(self, frame: Frame, language: Language, width: int) -> Content:
        """Draw both curves, the original one as a line."""
        steps, original, cosine = value(frame, "steps"), value(frame, "original_curve"), value(frame, "cosine_curve")
        at = value(frame, "t")
        most = max(1e-9, *original, *cosine, *value(frame, "original"))
        last, peak = steps[-1], value(frame, "w")
        curves = (
            Curve(steps, original),
            Curve(steps, cosine, "×"),
            Curve(at, value(frame, "original"), "●"),
        )
        ticks = (
            (0, "0"),
            *(((peak, f"w={short(peak)}"),) if last / 16 < peak < last * 0.85 else ()),
            (last, f"T={short(last)}"),
        )
        drawn = plot(curves, Axis(0, last, ticks), Axis(0, most, spread(0, most)), width, self.lines - 1)
        signs = ((LINE, wording.ORIGINAL[language]), ("×", wording.COSINE[language]), ("●", wording.AT_T[language]))
        return beneath(key(signs, width), drawn)
