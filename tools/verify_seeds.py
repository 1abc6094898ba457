"""Find which seeds of each drill and level discriminate, and which mistakes are equal in principle.

    python tools/verify_seeds.py [DRILL...]

Writes one file per drill to question_bank/verified/, which is shipped.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from question_bank import problem
from question_bank.drills import DRILLS
from question_bank.verified import SEEDS
from solvers.discriminating import Pair, is_trivial, meeting_pairs

FOLDER = Path(__file__).resolve().parent.parent / "question_bank" / "verified"
LEAST_SIGHTINGS = 32
"""A pair that was met in fewer problems than this is not called equal in principle."""


def verify(drill: str, level: int) -> tuple[int, list[list[str]]]:
    """Examine the seeds of one drill and level.

    Returns:
        The discriminating seeds as a bit mask, and the pairs equal in principle.
    """
    meeting: list[set[Pair] | None] = []
    met: Counter[Pair] = Counter()
    seen: Counter[Pair] = Counter()
    programs = set()
    for seed in range(SEEDS):
        program = problem(drill, level, seed).program
        if program in programs or is_trivial(program):
            meeting.append(None)
            continue
        programs.add(program)
        pairs, looked_at = meeting_pairs(program)
        meeting.append(pairs)
        met.update(pairs)
        seen.update(looked_at)
    equal = {pair for pair, times in met.items() if times == seen[pair] >= LEAST_SIGHTINGS}
    mask = sum(1 << seed for seed, pairs in enumerate(meeting) if pairs is not None and pairs <= equal)
    return mask, sorted(sorted(pair) for pair in equal if not _follows(pair, equal))


def _follows(pair: Pair, equal: set[Pair]) -> bool:
    """Tell whether a pair goes without saying: one of the two is no mistake here, being equal to the right answer."""
    if any(name.startswith("right/") for name in pair):
        return False
    return any(frozenset((f"right/{name.rpartition('/')[2]}", name)) in equal for name in pair)


def main(names: list[str]) -> None:
    """Verify the drills named, or all."""
    jobs = [(drill.id, level) for drill in DRILLS.values() if not names or drill.id in names for level in drill.levels]
    records: dict[str, dict[str, object]] = {}
    with ProcessPoolExecutor(2) as pool:
        for (drill, level), (mask, equal) in zip(jobs, pool.map(verify, *zip(*jobs, strict=True)), strict=True):
            records.setdefault(drill, {})[str(level)] = {
                "revision": DRILLS[drill].revision_at(level),
                "seeds": f"{mask:x}",
                "equal": equal,
            }
            print(f"{drill:20} {level}  {mask.bit_count():5} of {SEEDS}  equal in principle: {equal or 'none'}", flush=True)
    for drill, record in records.items():
        path = FOLDER / f"{drill}.json"
        path.write_text(json.dumps(record, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
