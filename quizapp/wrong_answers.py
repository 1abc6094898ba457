"""What was answered wrong in a session: problems by their codes, questions by their numbers."""

from __future__ import annotations

from quizapp.progress import Log
from quizapp.sitting import Sitting, Spot


def wrong_spots(log: Log, sitting: Sitting) -> tuple[Spot, ...]:
    """Return how the items stood that were not right, in order.

    Raises:
        ProgressError: The log can't be read.
    """
    answers = [done.spot.answer for done in sitting.done if done.spot.answer is not None]
    marks = ", ".join("?" * len(answers))
    right = dict(log.query(f"SELECT id, correct FROM answer WHERE id IN ({marks})", *answers))
    return tuple(done.spot for done in sitting.done if right.get(done.spot.answer) == 0)
