"""Worked steps: what was computed, with the numbers put in, and why. Plain frozen data; needs no torch."""

from __future__ import annotations

from dataclasses import dataclass

from question_bank.text import Text

Table = str | tuple["Table", ...]
"""A displayed value: a number, a vector, a matrix, or deeper."""


@dataclass(frozen=True, slots=True)
class SubStep:
    """One line of a worked step.

    Attributes:
        cell: What the line computes, such as ``S₁₂``; in Unicode.
        explanation: What is done, in words, with inline math between dollar signs.
        expression: The computation with the numbers put in, such as ``1×0 + 1×1 = 0 + 1``; in Unicode.
        result: What comes out.
    """

    cell: str
    explanation: Text
    expression: str
    result: str


@dataclass(frozen=True, slots=True)
class Step:
    """One operation of a worked solution.

    Attributes:
        node: The name of what is computed, such as ``S``.
        title: What is done.
        formula: The line as a formula, in LaTeX without dollar signs.
        reason: Why it is done.
        substeps: The lines of the computation.
        result: The node's value as displayed, or its shape as text.
        section: The lesson that explains it, such as ``7.9``; empty where there is none.
    """

    node: str
    title: Text
    formula: str
    reason: Text
    substeps: tuple[SubStep, ...]
    result: Table
    section: str = ""
