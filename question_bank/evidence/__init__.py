"""The evidence language: phrases that show that a typed answer makes a point, and the marker that looks for them.

``fold`` makes one token of one thing however it is typed, ``compiled`` reads a phrase, ``mark`` marks an answer.
"""

from question_bank.evidence.folding import Folded, fold
from question_bank.evidence.marking import Finding, Marking, Span, State, TypedAnswer, mark
from question_bank.evidence.negation import Kind
from question_bank.evidence.nodes import EvidenceError
from question_bank.evidence.phrases import compiled

__all__ = [
    "EvidenceError", "Finding", "Folded", "Kind", "Marking", "Span", "State", "TypedAnswer", "compiled", "fold", "mark",
]  # fmt: skip
