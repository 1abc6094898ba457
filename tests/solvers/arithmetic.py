"""Evaluate the arithmetic that worked steps show, as intervals: a number shown to four decimals may be half a unit off.

A number below 0.01 is shown with more decimals, one above 10,000 with fewer, and may be off by half a unit of its own last
one.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from fractions import Fraction
from statistics import NormalDist

HALF_UNIT = 0.5e-4
"""Half a unit of the last of the four decimals that ordinary numbers are shown with."""
_TOKEN = re.compile(r"\s*(?:([0-9]+(?:\.[0-9]+)?|∞|nan)|(e\^|sin|cos|tanh|ln|Φ|max|min|[√()²+−×/^⌈⌉,]))")

Interval = tuple[float, float]

RISING: dict[str, Callable[[float], float]] = {
    "tanh": math.tanh,
    "ln": lambda number: math.log(number) if number > 0 else -math.inf,
    "Φ": NormalDist().cdf,
}
"""Functions of which the ends of an interval give the ends."""


def _wave(name: str, low: float, high: float) -> Interval:
    """The sine or cosine over an interval: its ends, and 1 or −1 where it passes a crest or a trough."""
    start = 0.0 if name == "cos" else math.pi / 2  # a crest
    crest, trough = (
        math.floor((high - at) / (2 * math.pi)) >= math.ceil((low - at) / (2 * math.pi)) for at in (start, start + math.pi)
    )
    ends = [math.cos(at - start) for at in (low, high)]
    return (-1.0 if trough else min(ends), 1.0 if crest else max(ends))


class Evaluator:
    """A recursive descent over sums of products of powers, roots and numbers."""

    def __init__(self, text: str) -> None:
        self._tokens: list[str] = []
        at = 0
        while at < len(text.rstrip()):
            match = _TOKEN.match(text, at)
            assert match, f"{text[at:]!r} in {text!r}"
            self._tokens.append(match[1] or match[2])
            at = match.end()

    def _next(self, *signs: str) -> str:
        return self._tokens.pop(0) if self._tokens and self._tokens[0] in signs else ""

    def whole(self) -> Interval:
        found = self._sum()
        assert not self._tokens, self._tokens
        return found

    def _sum(self) -> Interval:
        total = self._product()
        while sign := self._next("+", "−"):
            low, high = self._product()
            total = (total[0] + low, total[1] + high) if sign == "+" else (total[0] - high, total[1] - low)
        return total

    def _product(self) -> Interval:
        product = self._factor()
        while sign := self._next("×", "/"):
            other = self._factor()
            if sign == "/":
                if other[0] <= 0 <= other[1]:
                    return (-math.inf, math.inf)
                other = (1 / other[1], 1 / other[0])
            corners = [a * b for a in product for b in other]
            product = (min(corners), max(corners))
        return product

    def _factor(self) -> Interval:
        if self._next("−"):
            low, high = self._factor()
            return (-high, -low)
        low, high = self._primary()
        if self._next("^"):
            powers = self._factor()
            corners = [base**power for base in (low, high) for power in powers]
            return (min(corners), max(corners))
        if self._next("²"):
            corners = [low * low, high * high]
            return (0.0 if low < 0 < high else min(corners), max(corners))
        return (low, high)

    def _primary(self) -> Interval:
        if self._next("e^"):
            low, high = self._factor()
            return (math.exp(low), math.exp(high))
        if self._next("√"):
            low, high = self._factor()
            return (math.sqrt(max(low, 0.0)), math.sqrt(high))
        if name := self._next(*RISING):
            low, high = self._primary()
            return (RISING[name](low), RISING[name](high))
        if name := self._next("sin", "cos"):
            return _wave(name, *self._primary())
        if name := self._next("max", "min"):
            assert self._next("(")
            found = [self._sum()]
            while self._next(","):
                found.append(self._sum())
            assert self._next(")")
            choose = max if name == "max" else min
            return (choose(low for low, _ in found), choose(high for _, high in found))
        if self._next("⌈"):
            low, high = self._sum()
            assert self._next("⌉")
            return (math.ceil(low), math.ceil(high))
        if self._next("("):
            low, high = self._sum()
            assert self._next(")")
            return (low, high)
        text = self._tokens.pop(0)
        value = math.inf if text == "∞" else float(text)
        reach = half_unit(text) if _may_be_rounded(text) else 0.0
        return (value - reach, value + reach)


def _may_be_rounded(text: str) -> bool:
    whole, _, decimals = text.partition(".")
    return len(decimals) >= 4 or (len(whole) > 4 and len(whole) + len(decimals) >= EIGHT)


EIGHT = 8
"""Digits that a large number is shown with, or all those before the point."""


def half_unit(text: str) -> float:
    """Return by how much a number may be off as shown: half a unit of its fourth decimal, or of its last one."""
    whole, _, decimals = text.lstrip("−-").partition(".")
    last = len(decimals) if _may_be_rounded(f"{whole}.{decimals}") else 4
    return float(Fraction(1, 2 * 10**last))


def evaluate(text: str) -> Interval:
    """Return the least and the greatest value that an expression may have."""
    return Evaluator(text).whole()


def shown(text: str) -> float:
    """Return the value of one number as shown."""
    return float(text.replace("−", "-").replace("∞", "inf"))
