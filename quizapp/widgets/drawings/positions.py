"""Position curves: the sines of the first pairs along the sequence, and the dot product of one position with all others."""

from __future__ import annotations

from textual.content import Content

from question_bank.text import Language
from quizapp import wording_drawings as wording
from quizapp.widgets.drawings import LabDrawing, value
from quizapp.widgets.plots import LINE, Axis, Curve, beneath, beside, key, plot, spread
from solvers.frames import Frame

MARKS = (LINE, "×", "○")
"""The signs of the first pairs."""

SIDE_BY_SIDE = 84


class Drawing(LabDrawing):
    """Draws ``W`` [S, d] over ``n`` [S], and ``g`` [1, S] with its values ``own`` at position ``p`` and ``s`` at ``q``."""

    def draw(self, frame: Frame, language: Language, width: int) -> Content:
        """Draw both, side by side where there is room."""
        if width >= SIDE_BY_SIDE:
            half = width // 2 - 2
            return beside(
                self._waves(frame, language, half, self.lines - 2), self._products(frame, language, half, self.lines), half + 4
            )
        lines = max(4, self.lines // 2)
        return beneath(self._waves(frame, language, width, lines), self._products(frame, language, width, lines + 2))

    def _waves(self, frame: Frame, language: Language, width: int, lines: int) -> Content:
        places, waves = value(frame, "n"), value(frame, "W")
        pairs = min(len(MARKS), len(waves[0]) // 2)
        # A slow wave first: the fast one, drawn last as a line, is not to be hidden by signs.
        curves = [Curve(places, [row[2 * pair] for row in waves], MARKS[pair]) for pair in reversed(range(pairs))]
        signs = [(MARKS[pair], wording.PAIR.fill(number=pair)[language]) for pair in range(pairs)]
        drawn = plot(curves, Axis(places[0], places[-1]), Axis(-1, 1, spread(-1, 1)), width, lines)
        return beneath(key(signs, width), drawn)

    def _products(self, frame: Frame, language: Language, width: int, lines: int) -> Content:
        places, products = value(frame, "n"), value(frame, "g")[0]
        (p,), (q,), ((at,),), ((most,),) = (value(frame, name) for name in ("p", "q", "s", "own"))
        curves = (Curve(places, products), Curve([p], [most], "▲"), Curve([q], [at], "●"))
        least = min(0, *products)
        ticks = ((places[0], "0"), (p, "p"), (q, "q"), (places[-1], f"{places[-1]:.0f}"))
        drawn = plot(curves, Axis(places[0], places[-1], _apart(ticks)), Axis(least, most, spread(least, most)), width, lines)
        return beneath(key(((LINE, wording.WITH_P[language]), ("●", wording.AT_Q[language])), width), drawn)


def _apart(ticks: tuple[tuple[float, str], ...]) -> tuple[tuple[float, str], ...]:
    """Join the names of places that coincide."""
    joined: dict[float, str] = {}
    for at, name in ticks:
        joined[at] = f"{joined[at]}={name}" if at in joined else name
    return tuple(joined.items())
