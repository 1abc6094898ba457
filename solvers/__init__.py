"""How it is answered: the operations, the real attention, grading and worked steps.

``solvers.grade`` and ``solvers.work`` are loaded when first used, and torch when first needed: naming this package costs
nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from solvers.grading import grade
    from solvers.worked import work

__all__ = ["grade", "work"]


def __getattr__(name: str) -> Any:
    """Load a public function when it is first named."""
    from importlib import import_module

    homes = {"grade": "solvers.grading", "work": "solvers.worked"}
    if name not in homes:
        raise AttributeError(f"module 'solvers' has no attribute {name!r}")
    return getattr(import_module(homes[name]), name)
