"""What the tests of the questions compute with: plain Python, and numbers written as the answers write them.

Each group of questions has a module ``test_questions_<group>.py`` here. It computes every number that its questions state, and
registers them by these names, which ``test_questions`` finds:

    SECTIONS = {Group.A: {1: "7.1", ...}}
    FIGURES = {1: Figures(...), ...}
"""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Figures:
    """What a question must quote. Every decimal that it states has to be in here.

    Attributes:
        both: In both languages.
        en: In English only, where the languages write large numbers differently.
        zh: In Chinese only.
        given: Decimals that are assumed, not computed.
    """

    both: tuple[str, ...]
    en: tuple[str, ...] = ()
    zh: tuple[str, ...] = ()
    given: tuple[str, ...] = ()


def softmax(scores: list[float]) -> list[float]:
    exponentials = [math.exp(score) for score in scores]
    return [exponential / sum(exponentials) for exponential in exponentials]


def product(left: list[list[float]], right: list[list[float]]) -> list[list[float]]:
    return [[sum(a * b for a, b in zip(row, column, strict=True)) for column in zip(*right, strict=True)] for row in left]


def turned(matrix: list[list[float]]) -> list[list[float]]:
    return [list(row) for row in zip(*matrix, strict=True)]


def quoted(values: list[float], places: int) -> str:
    """Write a vector as the answers do."""
    return "[" + ", ".join(f"{value:.{places}f}" for value in values) + "]"


def scientific(value: float) -> str:
    mantissa, exponent = f"{value:.1e}".split("e")
    return rf"{mantissa} \times 10^{{{int(exponent)}}}"
