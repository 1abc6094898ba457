"""Choose the problems of a sheet from a text: the same text chooses the same ones, in every process and on every machine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from question_bank import verified
from question_bank.drills.base import Drill
from question_bank.problem import Problem, draw, problem
from question_bank.questions.question import Question
from quizapp.sheets.plan import Copy, Item, OpenQuestion

USUAL_COUNT = 6
"""Problems on a sheet where no number is asked for, or one for each drill where there are more drills."""


@dataclass(frozen=True, slots=True)
class Source:
    """What problems are drawn from.

    Attributes:
        drill: The drill.
        level: One of its levels.
    """

    drill: Drill
    level: int


def text_of(seed: str) -> str:
    """Return a text that can choose: a shell hands on bytes that are no text as lone surrogates, which can't."""
    return seed.encode("utf-8", "backslashreplace").decode("utf-8")


def variants(source: Source, seed: str) -> Iterator[Problem]:
    """Yield problems of a drill and level for ever, none twice before all have come.

    The first is the one that ``draw`` gives for the same text, so that ``quizapp problem --seed`` shows it too.

    Args:
        source: Drill and level.
        seed: The text that chooses.
    """
    drill, level = source.drill.id, source.level
    first = draw(drill, level, seed)
    seeds = list(verified.seeds(drill, level))
    seeds.remove(first.seed)
    random = Random(f"{seed} {drill} {level}")
    order = [first.seed]
    while seeds:  # by Random.random alone, whose sequence Python guarantees
        place = int(random.random() * len(seeds))
        seeds[place], seeds[-1] = seeds[-1], seeds[place]
        order.append(seeds.pop())
    distinct: list[Problem] = []
    met = set()
    for number in order:
        drawn = problem(drill, level, number)
        if (drawn.prompt, drawn.program) not in met:  # two seeds may draw the same numbers
            met.add((drawn.prompt, drawn.program))
            distinct.append(drawn)
            yield drawn
    while True:
        yield from distinct


def shares(sources: Sequence[Source], count: int, seed: str) -> tuple[int, ...]:
    """Say how many problems each source gives: equally many, the first ones one more.

    Where there are fewer problems than sources, the seed says which of these give one.
    """
    if count >= len(sources):
        return tuple(count // len(sources) + (place < count % len(sources)) for place in range(len(sources)))
    random = Random(f"{seed} sources")
    left = list(range(len(sources)))
    chosen = {left.pop(int(random.random() * len(left))) for _ in range(count)}
    return tuple(int(place in chosen) for place in range(len(sources)))


def copies(
    people: Sequence[str],
    sources: Sequence[Source],
    count: int,
    seed: str,
    same_for_all: Iterable[Item] = (),
    *,
    are_named: bool = True,
) -> Iterator[Copy]:
    """Choose everybody's problems: others for each person, as far as a drill has so many.

    Args:
        people: Their names, or the variants' numbers; one empty name for a sheet that is nobody's.
        sources: What problems are drawn from, in the order of the sheet.
        count: How many problems a person gets of these.
        seed: The text that chooses.
        same_for_all: Items that everybody gets too, behind the others.
        are_named: Whether ``people`` are names.
    """
    given = shares(sources, count, seed)
    streams = [variants(source, seed) for source in sources]
    common = tuple(same_for_all)
    for person in people:
        drawn = [next(stream) for stream, share in zip(streams, given, strict=True) for _ in range(share)]
        yield Copy(person, (*drawn, *common), are_named)


def smallest(sources: Sequence[Source], count: int, seed: str) -> tuple[Source, int] | None:
    """Return the first source that has fewer distinct problems than a sheet asks of it, and how many it has."""
    for source, share in zip(sources, shares(sources, count, seed), strict=True):
        met: list[Problem] = []
        for drawn in variants(source, seed):
            if len(met) >= share or drawn in met:
                break
            met.append(drawn)
        if len(met) < share:
            return source, len(met)
    return None


def open_question(question: Question) -> OpenQuestion:
    """Return what a sheet and its key need of an interview question."""
    points = tuple(point.text for point in question.key_points)
    return OpenQuestion(question.id, question.title, question.prompt, points, question.answer.short)
