"""The progress log with 100,000 events beside one with none: opening, the due list, recording, undoing, statistics."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.figures import Figure, Report, Unit, at_most
from benchmarks.options import Options
from benchmarks.timing import by_turns
from question_bank.bank import SHIPPED
from question_bank.drills import DRILLS
from quizapp import statistics
from quizapp.events import DrillAnswered, Event, Item, QuestionRated, Rating, Reviewed, item_of, stamp
from quizapp.planning import CourseItem, Wishes, course_of, plan_today
from quizapp.progress import Log
from quizapp.settings import Order
from solvers.verdict import Outcome

EVENTS = 100_000
DAYS = 402
"""Over how many days they spread, up to today."""


def history(count: int) -> list[Event]:
    """Make up what a person did up to now: answers, half of them rated by hand."""
    chance = random.Random(7)
    drills, questions = list(DRILLS.values()), [Item(heading.id) for heading in SHIPPED.titles()]
    outcomes = [Outcome.RIGHT] * 5 + [Outcome.KNOWN_MISTAKE, Outcome.WRONG, Outcome.GIVEN_UP]
    made: list[Event] = []
    now = datetime.now(UTC) - timedelta(days=DAYS)
    while len(made) < count:
        now += timedelta(hours=10) if chance.random() < 0.01 else timedelta(minutes=chance.randint(1, 4))
        if chance.random() < 0.75:
            drill, outcome = chance.choice(drills), chance.choice(outcomes)
            mistake = f"mistake-{chance.randrange(60)}" if outcome is Outcome.KNOWN_MISTAKE else None
            level, seconds = chance.choice(drill.levels), chance.uniform(5, 200)
            answer = DrillAnswered("x.1.a0009", drill.id, level, ("0.1 0.2 0.7",), outcome, mistake, 1, 1, seconds)
            event = stamp(answer, now)
        else:
            event = stamp(
                QuestionRated(chance.choice(questions).number or 1, Rating(chance.randint(1, 4)), typed="word " * 40), now
            )
        made.append(event)
        if chance.random() < 0.5:
            assert isinstance(event.what, DrillAnswered | QuestionRated)
            due = event.study_day + timedelta(days=chance.choice((0, 2, 5, 11)))
            review = Reviewed(item_of(event.what), Rating(chance.randint(1, 4)), due, event.id)
            made.append(stamp(review, now + timedelta(seconds=5)))
    return made[:count]


def _seconds(action: Callable[[], object]) -> float:
    start = perf_counter()
    action()
    return perf_counter() - start


def _open_and_plan(path: Path, course: tuple[CourseItem, ...], order: Order) -> float:
    def act() -> None:
        with Log(path) as log:
            plan_today(log, course, Wishes(order=order))

    return _seconds(act)


def _record(log: Log) -> float:
    return _seconds(lambda: log.record(DrillAnswered("x.1.a", "softmax-row", 1, ("1",), Outcome.RIGHT, None, 1, 1, 9.0)))


def _record_and_undo(log: Log) -> float:
    event = log.record(DrillAnswered("x.1.a", "softmax-row", 1, ("1",), Outcome.WRONG, None, 0, 1, 9.0))
    return _seconds(lambda: log.undo(event.id))


def measure(options: Options) -> Report:
    """Take each action on both logs by turns."""
    course = course_of(SHIPPED)
    sections = {each.item: each.section for each in course}
    with TemporaryDirectory() as folder:
        many, none = Path(folder) / "many.db", Path(folder) / "none.db"
        with Log(many) as log:
            log.merge(history(EVENTS))
            rebuilt = _seconds(log.rebuild)
        Log(none).close()
        plans = by_turns(
            options.runs,
            lambda: _open_and_plan(many, course, Order.COURSE),
            lambda: _open_and_plan(none, course, Order.COURSE),
            lambda: _open_and_plan(many, course, Order.WEAKNESS),
        )
        with Log(many) as full, Log(none) as empty:
            kept = by_turns(options.runs * 3, lambda: _record(full), lambda: _record(empty))
            undone = median(_record_and_undo(full) for _ in range(options.runs))
            counts: dict[str, Callable[[], object]] = {
                "days": lambda: statistics.by_day(full),
                "drills and questions": lambda: statistics.by_item(full),
                "sections by day": lambda: statistics.by_section_and_day(full, sections),
                "mistakes": lambda: statistics.mistakes(full),
                "records of drills": full.drill_records,
            }
            counted = [
                Figure(f"statistics: {name}", median(_seconds(count) for _ in range(options.runs)) * 1e3, Unit.MILLISECONDS)
                for name, count in counts.items()
            ]
        size = many.stat().st_size / 1e6
    return Report(
        f"the progress log with {EVENTS:,} events beside one with none",
        f"Events made up, answers and ratings, on this machine's disk; {options.runs} runs by turns, medians. Recording waits "
        "for the disk.",
        (
            Figure("open and plan today", plans[0] * 1e3, Unit.MILLISECONDS, at_most(50)),
            Figure("with no events", plans[1] * 1e3, Unit.MILLISECONDS),
            Figure("open and plan today, by weakness", plans[2] * 1e3, Unit.MILLISECONDS, at_most(50)),
            Figure("record an answer", kept[0] * 1e3, Unit.MILLISECONDS),
            Figure("record an answer, beside one with no events", kept[0] / kept[1], Unit.RATIO, at_most(1.5)),
            Figure("undo the last answer", undone * 1e3, Unit.MILLISECONDS),
            *counted,
            Figure("make everything derived anew from the log", rebuilt, Unit.SECONDS, at_most(20)),
            Figure("size of the file", size, Unit.MEGABYTES),
        ),
    )
