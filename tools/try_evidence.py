"""Try the phrases of the question files on typed answers that people labelled.

    python -m tools.try_evidence [Q7...] [--held-out] [--show]

Prints, for each answer, the key points and pitfalls that the marker found and the label doesn't have, and those that it
missed; then precision and recall per question and in all. Of the half held out only figures are printed, unless --show is
given: who reads those answers tunes phrases to them, and the figures say nothing any more.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from question_bank import questions
from question_bank.evidence import Finding
from question_bank.questions.question import KeyPoint, Pitfall
from question_bank.text import Language
from tools.typed_answers import Compared, Half, Tally, TypedAnswer, answers, compared, marked

AROUND = 30


def _numbers(named: list[str]) -> list[int]:
    numbers = [int(name.upper().removeprefix("Q")) for name in named] if named else list(questions.numbers())
    if unknown := [number for number in numbers if number not in questions.numbers()]:
        raise SystemExit(f"there is no question Q{unknown[0]}")
    return numbers


def _context(text: str, finding: Finding) -> str:
    """The text around what matched, with the matched words in brackets."""
    out, at = "", max(finding.spans[0].start - AROUND, 0)
    for span in finding.spans:
        out += f"{text[at : span.start]}[{text[span.start : span.end]}]"
        at = span.end
    return (out + text[at : at + AROUND]).replace("\n", " ⏎ ")


def _complaints(
    answer: TypedAnswer,
    letter: str,
    items: tuple[KeyPoint, ...] | tuple[Pitfall, ...],
    findings: tuple[Finding, ...],
    both: Compared,
) -> Iterator[str]:
    for index in both.false:
        finding = findings[index - 1]
        yield f"  false  {letter}{index}  {_context(answer.text, finding)}   by {finding.phrase!r}"
    for index in both.missed:
        item = items[index - 1]
        yield f"  missed {letter}{index}  {(item.text if isinstance(item, KeyPoint) else item.claim)[Language.EN]}"


def _figures(name: str, points: Tally, pitfalls: Tally, unmarkable: int = 0) -> str:
    parts = [f"{name:<5}"]
    for what, tally in (("points", points), ("pitfalls", pitfalls)):
        parts.append(f"{what} precision {tally.precision:.3f} recall {tally.recall:.3f}")
        parts.append(f"({tally.hits} found, {tally.false} false, {tally.missed} missed)")
    if unmarkable:
        parts.append(f"{unmarkable} without evidence")
    return "  ".join(parts)


def main() -> None:
    """Mark the answers asked for and print what came out."""
    parser = argparse.ArgumentParser("python -m tools.try_evidence", description="Try phrases on labelled answers.")
    parser.add_argument("questions", nargs="*", metavar="QUESTION", help="Q7 and the like; all if left out")
    parser.add_argument("--held-out", action="store_true", help="the half held out: figures only")
    parser.add_argument("--show", action="store_true", help="texts of the half held out as well")
    arguments = parser.parse_args()
    half = Half.HELD_OUT if arguments.held_out else Half.TUNING
    shown = half is Half.TUNING or arguments.show
    all_points = all_pitfalls = Tally()
    summary = []
    for number in _numbers(arguments.questions):
        question = questions.load(number)
        of_points = of_pitfalls = Tally()
        for answer in answers(number, half):
            marking = marked(answer)
            points = compared(marking.points, answer.points)
            pitfalls = compared(marking.pitfalls, answer.pitfalls)
            of_points, of_pitfalls = of_points + points.tally, of_pitfalls + pitfalls.tally
            complaints = [
                *_complaints(answer, "K", question.key_points, marking.points, points),
                *_complaints(answer, "P", question.pitfalls, marking.pitfalls, pitfalls),
            ]
            if shown and complaints:
                print(f"Q{number}, answer {answer.place} ({answer.language}, {answer.kind})", *complaints, sep="\n")
                print("         " + answer.text.strip().replace("\n", "\n         "))
        unmarkable = sum(not point.evidence for point in question.key_points)
        unmarkable += sum(not pitfall.evidence for pitfall in question.pitfalls)
        summary.append(_figures(f"Q{number}", of_points, of_pitfalls, unmarkable))
        all_points, all_pitfalls = all_points + of_points, all_pitfalls + of_pitfalls
    print(*summary, _figures("all", all_points, all_pitfalls), sep="\n")


if __name__ == "__main__":
    main()
