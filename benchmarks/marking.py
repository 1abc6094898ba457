"""How well typed answers are marked, over the half of the labelled answers that phrases are not tuned to, and how fast."""

from __future__ import annotations

from statistics import median

from benchmarks.figures import Figure, Report, Table, Unit, at_least, at_most
from benchmarks.options import Options
from benchmarks.timing import call_seconds
from question_bank import questions
from tools.typed_answers import Half, Tally, answers, compared, marked

PRECISION = 95
RECALL = 80
MILLISECONDS = 20
LONG = 4_000
"""Characters of the long answer that is timed."""


def _figures(what: str, tally: Tally, has_aim: bool) -> tuple[Figure, Figure]:
    found, said = tally.hits + tally.false, tally.hits + tally.missed
    return (
        Figure(
            f"{what}: precision",
            tally.precision * 100,
            Unit.PERCENT,
            at_least(PRECISION) if has_aim else None,
            f"{tally.hits} of {found} found",
        ),
        Figure(
            f"{what}: recall",
            tally.recall * 100,
            Unit.PERCENT,
            at_least(RECALL) if has_aim else None,
            f"{tally.hits} of {said} labelled",
        ),
    )


def measure(_options: Options) -> Report:
    """Mark every answer that was held out and compare with its labels; time the marking of each, and of one long answer."""
    from question_bank.evidence import mark

    points = pitfalls = Tally()
    rows, seconds, count, longest, unmarkable = [], [], 0, "", 0
    for number in questions.numbers():
        question = questions.load(number)
        unmarkable += sum(not point.evidence for point in question.key_points)
        of_points = of_pitfalls = Tally()
        for answer in answers(number, Half.HELD_OUT):
            marking = marked(answer)
            of_points += compared(marking.points, answer.points).tally
            of_pitfalls += compared(marking.pitfalls, answer.pitfalls).tally
            seconds.append(call_seconds(lambda answer=answer: marked(answer), 3))  # type: ignore[misc]
            longest += answer.text
            count += 1
        points, pitfalls = points + of_points, pitfalls + of_pitfalls
        figures = (of_points.precision, of_points.recall, of_pitfalls.precision, of_pitfalls.recall)
        rows.append((f"Q{number}", *(f"{figure:.2f}" for figure in figures)))
    hardest = max((questions.load(number) for number in questions.numbers()), key=lambda question: len(question.key_points))
    long = call_seconds(lambda: mark(hardest, longest[:LONG]), 20)
    return Report(
        "marking typed answers",
        f"{count} answers, labelled by hand and held out while phrases were tuned; a key point or pitfall without evidence "
        "counts for nothing. Times are processor time: the median answer, and the first "
        f"{LONG:,} characters of all of them as one answer to the question with most key points.",
        (
            *_figures("key points", points, has_aim=True),
            *_figures("pitfalls", pitfalls, has_aim=False),
            Figure("key points without evidence", unmarkable, Unit.COUNT, at_most(0)),
            Figure("one answer", median(seconds) * 1e3 if seconds else 0.0, Unit.MILLISECONDS),
            Figure(f"an answer of {LONG:,} characters", long * 1e3, Unit.MILLISECONDS, at_most(MILLISECONDS)),
        ),
        (Table(("question", "points: precision", "recall", "pitfalls: precision", "recall"), tuple(rows)),),
    )
