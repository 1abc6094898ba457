"""How it is answered: the operations, the real attention, grading, worked steps, and checking a module of your own.

    from solvers import check_module, draw, grade, problem, read, right_answers, work

The functions here are loaded when first used, and torch when first needed: naming this package costs nothing.

=================  ====================================================================================================
``problem``        Build a problem from its code, or from drill, level and seed.
``draw``           Choose one of the problems of a drill that tell every mistake apart.
``right_answers``  The right answers to a problem, as displayed.
``read``           Read a typed answer: an ``Answer``, or an ``Unreadable`` that says why not.
``grade``          Grade typed answers: a ``Verdict`` with a ``PartVerdict`` for each part.
``work``           Work a problem out, step by step.
``check_module``   Run an ``nn.Module`` of your own beside the reference, and name the mistake that it makes.
=================  ====================================================================================================

A ``Problem`` holds a ``Program``; ``right_answers``, ``grade`` and ``work`` take either, so that they serve numbers
of your own too (``question_bank.own_numbers`` writes programs over them). docs/library.md shows all of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from question_bank.problem import Problem, draw, problem
    from question_bank.program import Program
    from solvers.answers import Answer, Unreadable, read
    from solvers.checking import ModuleCheck, ModuleOutcome, check_module
    from solvers.conventions import MaskPolarity
    from solvers.grading import grade
    from solvers.run import RunError
    from solvers.verdict import Outcome, PartVerdict, Verdict
    from solvers.worked import answers as right_answers
    from solvers.worked import work

__all__ = [
    "Answer",
    "MaskPolarity",
    "ModuleCheck",
    "ModuleOutcome",
    "Outcome",
    "PartVerdict",
    "Problem",
    "Program",
    "RunError",
    "Unreadable",
    "Verdict",
    "check_module",
    "draw",
    "grade",
    "problem",
    "read",
    "right_answers",
    "work",
]

_HOMES = {
    "question_bank.problem": ("Problem", "draw", "problem"),
    "question_bank.program": ("Program",),
    "solvers.answers": ("Answer", "Unreadable", "read"),
    "solvers.checking": ("ModuleCheck", "ModuleOutcome", "check_module"),
    "solvers.conventions": ("MaskPolarity",),
    "solvers.grading": ("grade",),
    "solvers.run": ("RunError",),
    "solvers.verdict": ("Outcome", "PartVerdict", "Verdict"),
    "solvers.worked": ("work",),
}
_HOME_OF = {name: (home, name) for home, names in _HOMES.items() for name in names}
_HOME_OF["right_answers"] = ("solvers.worked", "answers")  # ``solvers.answers`` is the module that reads them


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used."""
    from importlib import import_module

    if name not in _HOME_OF:
        raise AttributeError(f"module 'solvers' has no attribute {name!r}")
    home, own_name = _HOME_OF[name]
    return getattr(import_module(home), own_name)


def __dir__() -> list[str]:
    """List the public names."""
    return list(__all__)
