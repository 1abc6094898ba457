"""Gibibytes by length: the cache with shared KV heads and without, and a score matrix if it were stored."""

from __future__ import annotations

from textual.content import Content

from question_bank.text import Language
from quizapp import wording_drawings as wording
from quizapp.widgets.drawings import LabDrawing, value
from quizapp.widgets.plots import LINE, Curve, beneath, decades, key, lengths_axis, logarithms, plot
from solvers.frames import Frame

CURVES = (("W_all", "W", "×"), ("S_all", "S", "○"), ("C_all", "C", LINE))
"""The curve, the node at the length ``n``, and the sign."""


class Drawing(LabDrawing):
    """Draws ``C_all``, ``W_all`` and ``S_all`` over ``lengths``, and ``C``, ``W``, ``S`` at the length ``n``."""

    def draw(self, frame: Frame, language: Language, width: int) -> Content:
        """Draw the curves, both axes in powers of ten: the scores are twice as steep."""
        lengths, now = logarithms(value(frame, "lengths")), logarithms([value(frame, "n")])
        drawn = {name: logarithms(value(frame, name)) for name, _, _ in CURVES}
        there = {name: logarithms([value(frame, node)]) for name, node, _ in CURVES}
        curves = [Curve(lengths, drawn[name], mark) for name, _, mark in CURVES]
        curves += [Curve(now, there[name], "●") for name, _, _ in CURVES]
        every = [power for powers in (*drawn.values(), *there.values()) for power in powers]
        signs = (
            (LINE, wording.SHARED[language]),
            ("×", wording.UNSHARED[language]),
            ("○", wording.SCORES[language]),
            ("●", "n"),
        )
        title = Content.styled(wording.GIB_BY_LENGTH[language], "bold")
        across = lengths_axis(value(frame, "lengths"))
        return beneath(title, key(signs, width), plot(curves, across, decades(*every), width, self.lines))
