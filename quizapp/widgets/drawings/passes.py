"""One training pass against generating token by token: which positions each pass computes."""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import cell_len
from textual.content import Content

from question_bank.text import Language, Text
from quizapp import wording_drawings as wording
from quizapp.widgets.drawings import LabDrawing, value
from quizapp.widgets.plots import CURVE, SOFT, beneath, key
from solvers.frames import Frame

COMPUTED, CACHED = "█", "░"


class Drawing(LabDrawing):
    """Draws the ``passes`` over a prompt of ``P`` tokens and ``n`` new ones, and the one pass of training."""

    def draw(self, frame: Frame, language: Language, width: int) -> Content:
        """Draw a line for each pass; what was computed in an earlier one is lighter."""
        prompt, passes = int(value(frame, "P")), round(value(frame, "passes"))
        each = self._rows(prompt, passes, round(value(frame, "training")))
        side = max(cell_len(name[language]) for name, _, _ in each) + 2
        last = prompt + passes - 1  # the last token is read by no pass
        across = min(last, width - side)
        lines = []
        for name, before, now in each:
            computed = max(1, round(now * across / last)) if now else 0
            cached = min(round(before * across / last), across - computed)
            label = name[language] + " " * (side - cell_len(name[language]))
            lines.append(Content.assemble((label, SOFT), (CACHED * cached, SOFT), (COMPUTED * computed, CURVE)))
        signs = ((COMPUTED, wording.COMPUTED_NOW[language]), (CACHED, wording.FROM_CACHE[language]))
        return beneath(key(signs, width), *lines)

    def _rows(self, prompt: int, passes: int, training: int) -> list[tuple[Text, int, int]]:
        """Return the name of each line, and how many positions are there and how many are computed."""
        fit = max(3, self.lines - 2)
        rows = [(wording.TRAINING, 0, prompt + passes - 1)] * training
        every = list(_generating(prompt, passes))
        if len(every) <= fit:
            return rows + every
        more = wording.MORE_PASSES.fill(count=len(every) - fit + 1)
        return [*rows, *every[: fit - 2], (more, 0, 0), every[-1]]


def _generating(prompt: int, passes: int) -> Iterator[tuple[Text, int, int]]:
    """Yield the passes of generating with a cache: the whole prompt first, then one token each."""
    for number in range(passes):
        before = prompt + number - 1 if number else 0
        yield wording.PASS.fill(number=number + 1), before, 1 if number else prompt
