"""The output as a point between the values, in the plane of their two components."""

from __future__ import annotations

from textual.content import Content

from question_bank.text import Language
from quizapp import wording_drawings as wording
from quizapp.widgets.drawings import LabDrawing, NotKnownError, value
from quizapp.widgets.plots import Axis, Curve, Name, beneath, key, plot, spread
from solvers.frames import Frame
from solvers.hand import subscript


class Drawing(LabDrawing):
    """Draws ``V`` [S, 2] as corners, and ``o`` [2] where it is and where it was before the last change."""

    def draw(self, frame: Frame, language: Language, width: int) -> Content:
        """Draw the polygon of the values, in their order, and the point."""
        values, (x, y) = value(frame, "V"), value(frame, "o")
        xs, ys = ([row[at] for row in values] for at in (0, 1))
        curves = [Curve([*xs, xs[0]], [*ys, ys[0]])]
        signs = [("●", wording.OUTPUT[language])]
        before = self._before()
        if before is not None and before != [x, y]:
            curves.append(Curve(before[:1], before[1:], "○"))
            signs.append(("○", wording.BEFORE[language]))
        curves.append(Curve([x], [y], "●"))
        names = [Name(row[0], row[1], f"v{subscript(at)}") for at, row in enumerate(values)]
        across, upward = _axis([*xs, x]), _axis([*ys, y])
        return beneath(key(signs, width), plot(curves, across, upward, min(width, 4 * self.lines), self.lines, names))

    def _before(self) -> list[float] | None:
        try:
            known: list[float] | None = value(self.before, "o") if self.before is not None else None
        except NotKnownError:
            return None
        return known


def _axis(numbers: list[float]) -> Axis:
    """Return an axis with some room at both ends for the names of the corners."""
    least, most = min(numbers), max(numbers)
    room = max(most - least, 1) / 8
    return Axis(least - room, most + room, spread(least, most, 2) if most > least else ((least, f"{least:.3g}"),))
