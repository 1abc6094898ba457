"""Which seeds of each drill and level discriminate: written by ``tools/verify_seeds.py``, read here without torch."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

SEEDS = 1024
"""How many seeds of each drill and level are examined."""


@cache
def _record(drill: str) -> dict[str, dict[str, object]]:
    content: dict[str, dict[str, object]] = json.loads(files(__name__).joinpath(f"{drill}.json").read_text("utf-8"))
    return content


@cache
def seeds(drill: str, level: int) -> tuple[int, ...]:
    """Return the seeds that part the right answer from every mistake, and the mistakes from each other.

    Raises:
        FileNotFoundError: The drill has not been verified.
        KeyError: The level has not been verified.
    """
    bits = int(str(_record(drill)[str(level)]["seeds"]), 16)
    return tuple(seed for seed in range(SEEDS) if bits >> seed & 1)


@cache
def equal(drill: str, level: int) -> frozenset[frozenset[str]]:
    """Return the pairs that give the same number in principle; ``right`` stands for the right answer."""
    try:
        pairs = _record(drill)[str(level)]["equal"]
    except (FileNotFoundError, KeyError):
        return frozenset()
    assert isinstance(pairs, list)
    return frozenset(frozenset(pair) for pair in pairs)
