"""The causal mask in three steps: scores, masked scores, weights."""

from __future__ import annotations

from textual.content import Content

from question_bank.text import Language
from quizapp import wording_drawings as wording
from quizapp.widgets.drawings import LabDrawing, is_known, value
from quizapp.widgets.plots import SOFT, beneath, beside
from quizapp.widgets.shades import small_map
from solvers.frames import Frame

STEPS = (("Z", wording.SCALED_STEP), ("M", wording.MASKED_STEP), ("A", wording.NORMAL_STEP))


class Drawing(LabDrawing):
    """Draws ``Z``, ``M`` and ``A`` [S, S], one after the other."""

    def draw(self, frame: Frame, language: Language, width: int) -> Content:
        """Draw three maps with an arrow between them."""
        room = max(16, 2 * len(value(frame, "Z")[0]) + 10)
        drawn: Content | None = None
        for at, (name, what) in enumerate(STEPS):
            title = f"{what[language]} {name}"
            if not is_known(frame, name):
                break
            one = small_map(title, value(frame, name))
            if drawn is None:
                drawn = one
                continue
            arrow = Content("\n\n").join((Content(), Content.styled("→", SOFT)))
            drawn = beside(beside(drawn, arrow, at * room - 5), one, at * room)
        assert drawn is not None
        return beneath(drawn, Content.styled(wording.SHADES[language], SOFT))
