"""What is asked in a mock interview, in which order, and how long each takes: from a length, topics and a seed. Pure.

An interview is a row of threads. A thread opens with a question, goes deeper with follow-ups, and ends with numbers that
prove the point; then the subject changes. The basics come first, and later threads compute at higher levels.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise
from math import prod
from typing import TYPE_CHECKING

from question_bank import draw
from question_bank.drills import DRILLS
from question_bank.drills.base import Draw
from question_bank.questions import Group

if TYPE_CHECKING:
    from question_bank.problem import Problem
    from question_bank.questions.question import Question

MINUTES = (15, 30, 45)
"""The lengths that there are."""

QUESTION_SECONDS = 180
FOLLOW_UP_SECONDS = 90
LEVEL_SECONDS = {1: 90, 2: 120, 3: 180, 4: 150}
CELL_SECONDS = 15
"""What each number takes that is asked beyond the first."""

MOST_DRILL_SECONDS = 240
"""A problem that takes longer is none for an interview."""

THREAD_SECONDS = 420
"""What a question takes with a follow-up and something to compute."""

AT_THE_DESK = 3
"""The level that takes a calculator: nobody brings one along."""

TOLERANCE = 0.1
"""How far a script may be from the length asked, if the topics hold so much."""

CLOSE_ENOUGH = 0.05
"""How far a script may be from the length asked, where another number of threads could come closer."""

_BASICS_FIRST = {Group.A: 0, Group.B: 1, Group.D: 1, Group.C: 2, Group.E: 2}


class Step(StrEnum):
    """What the interviewer does."""

    QUESTION = "question"
    FOLLOW_UP = "follow-up"
    DRILL = "drill"


@dataclass(frozen=True, slots=True)
class Turn:
    """One thing that is asked.

    Attributes:
        step: What sort of thing.
        number: The question that the thread is about.
        seconds: How long it is meant to take.
        follow_up: Which follow-up of the question, by its place from 0.
        code: The problem's code, for something to compute.
    """

    step: Step
    number: int
    seconds: int
    follow_up: int | None = None
    code: str | None = None


@dataclass(frozen=True, slots=True)
class Script:
    """A whole interview.

    Attributes:
        minutes: How long it was asked to be.
        topics: The groups of questions that it is about.
        seed: What it was drawn with.
        turns: What is asked, in order.
    """

    minutes: int
    topics: tuple[Group, ...]
    seed: str
    turns: tuple[Turn, ...]

    @property
    def seconds(self) -> int:
        """How long everything is meant to take; shorter than asked where the topics hold no more."""
        return sum(turn.seconds for turn in self.turns)


@dataclass(frozen=True, slots=True)
class History:
    """What is known of earlier interviews and answers.

    Attributes:
        asked: How often each question was asked in an interview.
        weak: Questions that did not go well lately.
    """

    asked: Mapping[int, int] = field(default_factory=dict)
    weak: frozenset[int] = frozenset()


def write_script(
    pool: Iterable[Question], minutes: int, topics: Sequence[Group], seed: str, history: History | None = None
) -> Script:
    """Write the script of an interview.

    Args:
        pool: The questions there are.
        minutes: How long it is to be.
        topics: The groups that questions may be of.
        seed: Any text; the same text gives the same script.
        history: Earlier interviews: what was asked seldom, and what went badly, comes first.

    Returns:
        The script. Its turns take the time asked, within a tenth, as far as the topics hold so much.
    """
    ranked = _ranked([question for question in pool if question.group in topics], seed, history or History())
    target = minutes * 60
    typical = max(1, round(target / THREAD_SECONDS))
    best: tuple[Turn, ...] = ()
    fault = (True, len(ranked), 1.0)
    for count in sorted(range(1, len(ranked) + 1), key=lambda count: abs(count - typical)):
        questions = _arranged(_chosen(ranked, count))
        meetings = sum(before.section == after.section for before, after in pairwise(questions))
        turns = _Writer(seed, target, questions).turns()
        off = _off(turns, target)
        best, fault = min((best, fault), (turns, (off > TOLERANCE, meetings, off)), key=lambda each: each[1])
        if meetings == 0 and off <= CLOSE_ENOUGH:
            break
    return Script(minutes, tuple(topics), seed, best)


def _off(turns: Sequence[Turn], target: int) -> float:
    return abs(sum(turn.seconds for turn in turns) / target - 1)


def _ranked(pool: Sequence[Question], seed: str, history: History) -> list[Question]:
    """Return the questions by how much they are wanted."""
    shuffled = Draw(f"interview {seed}").shuffled(sorted(pool, key=lambda question: question.number))
    return sorted(shuffled, key=lambda each: (history.asked.get(each.number, 0), each.number not in history.weak))


def _chosen(ranked: Sequence[Question], count: int) -> list[Question]:
    """Choose questions from as many groups and sections as there are, the most wanted of each first."""
    chosen: list[Question] = []
    groups: Counter[Group] = Counter()
    sections: Counter[str] = Counter()
    left = list(ranked)
    for _ in range(count):
        # min takes the first of those alike: the one that is most wanted. It opens with what is basic.
        best = min(left, key=lambda each: (sections[each.section], groups[each.group], not chosen and hardness(each)[0]))
        left.remove(best)
        chosen.append(best)
        groups[best.group] += 1
        sections[best.section] += 1
    return chosen


def hardness(question: Question) -> tuple[int, int]:
    """Say how hard a question is: the basics are easier than the rest, and a short answer than a long one."""
    return _BASICS_FIRST[question.group], len(question.key_points)


def _arranged(chosen: Iterable[Question]) -> list[Question]:
    """Put the easier before the harder, and never two of a section in a row where that can be helped."""
    left = sorted(chosen, key=hardness)
    arranged: list[Question] = []
    while left:
        counts = Counter(each.section for each in left)
        section, most = counts.most_common(1)[0]
        last = arranged[-1].section if arranged else None
        others = [each for each in left if each.section != last]
        # A section that is more than half of the rest has to come now, or two of it will meet at the end.
        crowded = [each for each in others if each.section == section] if 2 * most > len(left) else []
        following = (crowded or others or left)[0]
        left.remove(following)
        arranged.append(following)
    return arranged


@dataclass
class _Thread:
    """A question with what follows it."""

    question: Question
    after: Question | None
    stage: int
    follow_ups: list[int] = field(default_factory=list)
    drills: list[Problem] = field(default_factory=list)

    def turns(self) -> Iterator[Turn]:
        number = self.question.number
        yield Turn(Step.QUESTION, number, QUESTION_SECONDS)
        for place in self.follow_ups:
            yield Turn(Step.FOLLOW_UP, number, FOLLOW_UP_SECONDS, follow_up=place)
        for problem in self.drills:
            yield Turn(Step.DRILL, number, drill_seconds(problem), code=problem.code)


class _Writer:
    """Gives each question what follows it, until the time is filled."""

    def __init__(self, seed: str, target: int, questions: Sequence[Question]) -> None:
        self._seed = seed
        self._target = target
        self._draw = Draw(f"interview {seed} {len(questions)}")
        self._used: set[str] = set()
        self._seconds = QUESTION_SECONDS * len(questions)
        following = [*questions[1:], None]
        self._threads = [
            _Thread(question, after, place * 3 // len(questions))
            for place, (question, after) in enumerate(zip(questions, following, strict=True))
        ]

    def turns(self) -> tuple[Turn, ...]:
        """Write the turns."""
        for thread in self._threads:
            self._add_follow_up(thread)
        for thread in self._threads:
            self._add_drill(thread)
        grows = True
        while grows:  # later threads go deeper
            grows = False
            for thread in reversed(self._threads):
                grows |= self._add_follow_up(thread)
            for thread in reversed(self._threads):
                grows |= self._add_drill(thread)
        return tuple(turn for thread in self._threads for turn in thread.turns())

    def _fits(self, seconds: int) -> bool:
        return self._seconds + seconds <= self._target + FOLLOW_UP_SECONDS // 2

    def _add_follow_up(self, thread: _Thread) -> bool:
        left = [place for place in range(len(thread.question.follow_ups)) if place not in thread.follow_ups]
        if not left or not self._fits(FOLLOW_UP_SECONDS):
            return False
        thread.follow_ups.append(self._draw.choice(left))
        self._seconds += FOLLOW_UP_SECONDS
        return True

    def _add_drill(self, thread: _Thread) -> bool:
        """Add the first of the question's drills that fits; they are listed by how directly they prove the point."""
        for drill in thread.question.drills:
            if drill not in DRILLS or drill in self._used or self._runs_into(thread, drill):
                continue
            problem = draw(drill, _level(drill, thread.stage), f"{self._seed} {drill}")
            seconds = drill_seconds(problem)
            if seconds <= MOST_DRILL_SECONDS and self._fits(seconds):
                thread.drills.append(problem)
                self._used.add(drill)
                self._seconds += seconds
                return True
        return False

    def _runs_into(self, thread: _Thread, drill: str) -> bool:
        """Tell whether a drill belongs to the section that the next thread changes to."""
        after = thread.after
        return after is not None and after.section != thread.question.section and DRILLS[drill].section == after.section


def _level(drill: str, stage: int) -> int:
    levels = [level for level in DRILLS[drill].levels if level != AT_THE_DESK]
    return levels[min(stage, len(levels) - 1)]


def drill_seconds(problem: Problem) -> int:
    """Say how long a problem is meant to take."""
    cells = sum(prod(ask.format.dimensions or (1,)) for ask in problem.program.asks)
    seconds = LEVEL_SECONDS[problem.level] + CELL_SECONDS * (cells - 1)
    return -(-seconds // 30) * 30
