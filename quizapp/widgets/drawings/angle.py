"""The dot product by angle: the two arrows in their plane, and the score at every angle."""

from __future__ import annotations

from textual.content import Content

from question_bank.text import Language
from quizapp import wording_drawings as wording
from quizapp.widgets.drawings import LabDrawing, value
from quizapp.widgets.plots import LINE, Axis, Curve, Name, beneath, beside, key, plot, spread
from solvers.frames import Frame

REACH = 3.4
"""How far the plane goes upward: arrows are at most 3 long."""


class Drawing(LabDrawing):
    """Draws ``q`` [2] and ``k`` [1, 2], and ``curve`` [n] over the angles ``turns`` [n], at which ``angle`` is now."""

    def draw(self, frame: Frame, language: Language, width: int) -> Content:
        """Draw the plane on the left and the curve on the right."""
        lines = self.lines - 1 + self.lines % 2  # odd, so that the middle is a line
        plane = min(width * 2 // 5, lines * 3)
        right = width - plane - 2
        signs = key(((LINE, wording.SCORE_BY_ANGLE[language]), ("●", wording.NOW[language])), right)
        curve = self._curve(frame, right, self.lines - 1)
        return beside(_plane(frame, plane, lines), beneath(signs, curve), plane + 2)

    def _curve(self, frame: Frame, width: int, lines: int) -> Content:
        turns, scores = value(frame, "turns"), value(frame, "curve")
        most = max(1.0, *map(abs, scores))
        now = Curve([value(frame, "angle")], value(frame, "s"), "●")
        across = Axis(turns[0], turns[-1], tuple((at, f"{at}°") for at in (0, 90, 180, 270, 360)))
        return plot((Curve(turns, scores), now), across, Axis(-most, most, spread(-most, most)), width, lines)


def _plane(frame: Frame, width: int, lines: int) -> Content:
    """Draw the arrows from the middle; a line is twice as high as a column is wide."""
    q, k = value(frame, "q"), value(frame, "k")[0]
    wide = REACH * width / (2 * lines)
    cross = (
        Curve([-wide + wide * at / width for at in range(2 * width)], [0.0] * (2 * width), "·"),
        Curve([0.0] * lines, [-REACH + 2 * REACH * (at + 0.5) / lines for at in range(lines)], "·"),
    )
    arrows = (_arrow(k), _arrow(q))
    names = (Name(*_beyond(q), "q"), Name(*_beyond(k), "k"))
    return plot((*cross, *arrows), Axis(-wide, wide), Axis(-REACH, REACH), width, lines, names)


def _arrow(tip: list[float]) -> Curve:
    steps = 24
    return Curve([tip[0] * at / steps for at in range(steps + 1)], [tip[1] * at / steps for at in range(steps + 1)])


def _beyond(tip: list[float]) -> tuple[float, float]:
    """Return the place of an arrow's name, a little beyond its tip."""
    size = max((tip[0] ** 2 + tip[1] ** 2) ** 0.5, 1e-9)
    return tip[0] * (1 + 0.35 / size), tip[1] * (1 + 0.35 / size)
