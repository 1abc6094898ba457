"""The vocabulary, by family. A module here holds operations and a tuple ``OPERATIONS``; it is found by being in this folder."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from solvers.operations.base import Operation


def _discover() -> dict[str, Operation]:
    found: list[Operation] = []
    for module in sorted(info.name for info in iter_modules(__path__) if info.name != "base"):
        found += import_module(f"{__name__}.{module}").OPERATIONS
    return {operation.name: operation for operation in found}


OPERATIONS: dict[str, Operation] = _discover()
"""Every operation by its name."""
