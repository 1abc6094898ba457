"""The drills, by topic. A module here holds samplers and a tuple ``DRILLS``; it is found by being in this folder."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from question_bank.drills.base import Drill


def _section_key(drill: Drill) -> tuple[int, ...]:
    return tuple(int(part) for part in drill.section.split("."))


def _discover() -> dict[str, Drill]:
    found: list[Drill] = []
    for module in sorted(info.name for info in iter_modules(__path__) if info.name != "base"):
        found += import_module(f"{__name__}.{module}").DRILLS
    return {drill.id: drill for drill in sorted(found, key=_section_key)}


DRILLS: dict[str, Drill] = _discover()
"""Every drill by its id, in the order of the course."""
