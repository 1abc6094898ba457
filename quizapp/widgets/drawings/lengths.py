"""The FLOPs of a layer by the length of the sequence: what grows with its square, and what in proportion."""

from __future__ import annotations

from textual.content import Content

from question_bank.text import Language
from quizapp import wording_drawings as wording
from quizapp.widgets.drawings import LabDrawing, value
from quizapp.widgets.plots import LINE, Curve, beneath, decades, key, lengths_axis, logarithms, plot
from solvers.frames import Frame


class Drawing(LabDrawing):
    """Draws ``attention_all`` and ``projections_all`` over ``lengths``; ``a``, ``a_2``, ``p``, ``p_2`` at ``S`` and ``T``."""

    def draw(self, frame: Frame, language: Language, width: int) -> Content:
        """Draw both curves, both axes in powers of ten: a square is a line twice as steep."""
        lengths = logarithms(value(frame, "lengths"))
        attention = logarithms(value(frame, "attention_all"))
        projections = logarithms(value(frame, "projections_all"))
        now = logarithms(value(frame, name) for name in ("S", "T", "S", "T"))
        there = logarithms(value(frame, name) for name in ("a", "a_2", "p", "p_2"))
        curves = (Curve(lengths, projections, "×"), Curve(lengths, attention), Curve(now, there, "●"))
        signs = ((LINE, wording.ATTENTION[language]), ("×", wording.PROJECTIONS[language]), ("●", wording.AT_S[language]))
        title = Content.styled(wording.FLOPS_BY_LENGTH[language], "bold")
        across, upward = lengths_axis(value(frame, "lengths")), decades(*attention, *projections, *there)
        return beneath(title, key(signs, width), plot(curves, across, upward, width, self.lines - 1))
