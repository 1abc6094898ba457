"""Compute the numbers of the lessons, and write them beside their files.

    python -m tools.compute_lessons [7.9 ...]

With sections given, only these. A lesson with faults is told, and leaves its old numbers.
"""

from __future__ import annotations

import sys

from question_bank.content import ContentError
from question_bank.lessons import FOLDER, load, sections
from question_bank.lessons.computed import save_computed
from solvers.lessons import compute


def main(chosen: list[str]) -> int:
    """Compute; returns 1 where a lesson has faults."""
    (FOLDER / "computed").mkdir(exist_ok=True)
    faulty = 0
    for section in chosen or sections():
        try:
            save_computed(compute(load(section)), FOLDER / "computed" / f"S{section}.json")
        except ContentError as error:
            faulty = 1
            print(error.message.en, file=sys.stderr)
    return faulty


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
