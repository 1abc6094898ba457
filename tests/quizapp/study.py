"""A person's answers made up: evenings with breaks, some drills often, known mistakes, ratings."""

from __future__ import annotations

import random
from datetime import datetime, timedelta

from question_bank.bank import SHIPPED
from question_bank.drills import DRILLS
from quizapp.events import DrillAnswered, Event, Item, QuestionRated, Rating, stamp
from solvers.verdict import Outcome

MISTAKES = {
    "scale-row": ("scale.not-scaled", "scale.by-d_k"),
    "softmax-row": ("softmax.no-exp", "scale.not-scaled"),
    "score-matrix": ("scores.transposed", "project.wrong-weight"),
    "qkv-shapes": ("split_heads.undivided",),
}
OUTCOMES = [Outcome.RIGHT] * 6 + [Outcome.KNOWN_MISTAKE] * 2 + [Outcome.WRONG, Outcome.GIVEN_UP, Outcome.COARSE]


def study(answers: int, days: int, now: datetime, seed: int = 3) -> list[Event]:
    """Make up answers over so many days up to now, in order; every sixth day or so nothing was done."""
    chance = random.Random(seed)
    drills = [*MISTAKES, *chance.sample(sorted(DRILLS), 25)]
    questions = [Item(heading.id) for heading in SHIPPED.titles()][:20]
    evenings = [day for day in range(days) if day in (0, 1, 2) or chance.random() < 0.83]
    moments = sorted(now - timedelta(days=chance.choice(evenings), seconds=chance.randrange(9000)) for _ in range(answers))
    return [stamp(_answer(chance, drills, questions), moment) for moment in moments]


def _answer(chance: random.Random, drills: list[str], questions: list[Item]) -> DrillAnswered | QuestionRated:
    if chance.random() < 0.25:
        return QuestionRated(
            chance.choice(questions).number or 1, Rating(chance.randint(1, 4)), seconds=chance.uniform(60, 200)
        )
    often = chance.random() < 0.5
    drill = chance.choice(drills[:4] if often else drills)
    outcome = chance.choice(OUTCOMES)
    mistakes = MISTAKES.get(drill)
    if outcome is Outcome.KNOWN_MISTAKE and not mistakes:
        outcome = Outcome.WRONG
    mistake = chance.choice(mistakes) if mistakes and outcome is Outcome.KNOWN_MISTAKE else None
    level = DRILLS[drill].levels[0]
    marks = int(outcome.earns_the_mark)
    return DrillAnswered(f"{drill}.1.a", drill, level, ("1",), outcome, mistake, marks, 1, chance.uniform(15, 90))
