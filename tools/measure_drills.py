"""Measure the drills: recognised mistakes, repeated problems, the look of the numbers, and time.

    python -m tools.measure_drills [DRILL...] [--sample N|all] [--failures]

Prints a table, a line for each drill and level. Time is processor time, the best of two rounds for each problem.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from statistics import median

from question_bank.drills import DRILLS
from tools.drill_measures import FIRST, Measures, measure

HEADINGS = (
    "drill",
    "level",
    "seeds",
    "looked",
    "mistakes",
    "own",
    "distinct",
    "drawn",
    "neg.",
    "digits",
    "ugly",
    "ms",
    "worst",
)
WIDTHS = (22, 5, 5, 6, 8, 6, 8, 5, 5, 6, 5, 6, 6)


def row(found: Measures) -> tuple[str, ...]:
    """Write what was measured as the cells of a row."""
    return (
        found.drill,
        str(found.level),
        str(found.verified),
        str(found.examined),
        str(found.typed),
        f"{100 * found.recognised:.1f}",
        str(found.distinct),
        str(found.drawn_distinct),
        f"{100 * found.negative:.0f}%",
        str(found.digits),
        str(len(found.ugly)),
        f"{1e3 * found.median:.2f}",
        f"{1e3 * found.worst:.2f}",
    )


def _aligned(cells: Iterable[str]) -> str:
    return " ".join(
        cell.rjust(width) if place else cell.ljust(width) for place, (cell, width) in enumerate(zip(cells, WIDTHS, strict=True))
    )


def summary(all_found: list[Measures]) -> Iterator[str]:
    """Say how the whole catalogue does."""
    typed = sum(found.typed for found in all_found)
    failed = sum(len(found.failures) for found in all_found)
    by_drill: dict[str, list[Measures]] = {}
    for found in all_found:
        by_drill.setdefault(found.drill, []).append(found)
    yield f"{len(by_drill)} drills, {len(all_found)} drills and levels, {sum(found.examined for found in all_found)} problems"
    share = 100 * (1 - failed / max(typed, 1))
    yield f"mistakes typed back: {typed}; recognised as themselves: {typed - failed}, {share:.2f} %"
    yield f"drills and levels below 99 %: {sum(found.recognised < 0.99 for found in all_found)}"
    yield f"drills and levels that repeat a problem among the first {FIRST} seeds offered: " + str(
        sum(found.distinct < min(FIRST, found.verified) for found in all_found)
    )
    yield f"numbers nobody would write: {sum(len(found.ugly) for found in all_found)}"
    medians = [median(found.median for found in drill) for drill in by_drill.values()]
    slowest = max(all_found, key=lambda found: found.worst)
    yield (
        f"sample, solve and grade: median drill {1e3 * median(medians):.2f} ms, slowest problem {1e3 * slowest.worst:.2f} ms "
        f"({slowest.drill}, level {slowest.level})"
    )


def failures(found: Measures) -> Iterator[str]:
    """List mistakes that were not recognised, each kind once with an example, and ugly numbers."""
    kinds = Counter((one.mistake, one.named) for one in found.failures)
    for (mistake, named), times in kinds.items():
        example = next(one for one in found.failures if (one.mistake, one.named) == (mistake, named))
        yield f"    {mistake} taken for {named}: {times}, such as {example.code} {example.text!r}"
    if found.ugly:
        yield "    ugly: " + " ".join(sorted(set(found.ugly))[:8])


def _sample(text: str) -> int | None:
    return None if text == "all" else int(text)


def main(arguments: list[str]) -> None:
    """Measure the drills named, or all."""
    parser = argparse.ArgumentParser("python -m tools.measure_drills", description="Measure the drills.")
    parser.add_argument("drills", nargs="*", metavar="DRILL", help="all, if none is named")
    parser.add_argument("--sample", type=_sample, default=12, help="problems of each drill and level, or all (%(default)s)")
    parser.add_argument("--failures", action="store_true", help="list mistakes not recognised, and ugly numbers")
    given = parser.parse_args(arguments)
    unknown = [name for name in given.drills if name not in DRILLS]
    if unknown:
        parser.error(f"no drill {unknown[0]}")
    print(_aligned(HEADINGS))
    all_found = []
    for drill in DRILLS.values():
        for level in drill.levels if not given.drills or drill.id in given.drills else ():
            found = measure(drill.id, level, given.sample)
            all_found.append(found)
            print(_aligned(row(found)), flush=True)
            for line in failures(found) if given.failures else ():
                print(line, flush=True)
    print("\n".join(["", *summary(all_found)]))


if __name__ == "__main__":
    main(sys.argv[1:])
