"""How thoroughly the benchmarks are run."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """How thoroughly to measure.

    Attributes:
        runs: How often each process is run.
        sample: How many of the offered problems of each drill and level are examined again; None for all.
    """

    runs: int = 9
    sample: int | None = 20
