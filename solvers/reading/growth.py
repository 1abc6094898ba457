"""Growth: polynomials in symbols and their logarithms, and which of their terms count when all symbols grow."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from question_bank.text import Text
from solvers.reading.model import RefusedError

Powers = tuple[tuple[Fraction, Fraction], ...]
"""Of a term: for each symbol its power and the power of its logarithm."""

_MOST_TERMS = 64
_LARGEST_POWER = 100
_LARGEST_WHOLE_POWER = 8
_LARGEST_COEFFICIENT = 10**40
_NONE = (Fraction(0), Fraction(0))


@dataclass(frozen=True, slots=True)
class Growth:
    """A sum of terms.

    Attributes:
        terms: The coefficient of each term.
    """

    terms: dict[Powers, Fraction]

    @classmethod
    def constant(cls, value: Fraction, symbols: int) -> Growth:
        """Return a number."""
        return cls({(_NONE,) * symbols: value})

    @classmethod
    def symbol(cls, which: int, symbols: int) -> Growth:
        """Return one of the symbols."""
        return cls({tuple((Fraction(i == which), Fraction(0)) for i in range(symbols)): Fraction(1)})

    def plus(self, other: Growth, sign: int = 1) -> Growth:
        """Return the sum, or with ``sign=-1`` the difference."""
        terms = dict(self.terms)
        for powers, coefficient in other.terms.items():
            terms[powers] = terms.get(powers, Fraction(0)) + sign * coefficient
        return _bounded(terms)

    def times(self, other: Growth) -> Growth:
        """Return the product."""
        terms: dict[Powers, Fraction] = {}
        for mine, a in self.terms.items():
            for theirs, b in other.terms.items():
                powers = tuple((p + q, k + m) for (p, k), (q, m) in zip(mine, theirs, strict=True))
                terms[powers] = terms.get(powers, Fraction(0)) + a * b
        return _bounded(terms)

    def over(self, other: Growth) -> Growth:
        """Return the quotient by something with one leading term.

        Raises:
            RefusedError: It has more than one, or is 0.
        """
        divisor = other.leading()
        if divisor is None or len(divisor.terms) != 1:
            raise RefusedError(Text("You can divide by a product, not by a sum.", "除数只能是乘积，不能是和。"))
        ((powers, coefficient),) = divisor.terms.items()
        return self.times(Growth({tuple((-p, -k) for p, k in powers): 1 / coefficient}))

    def to_the(self, power: Fraction) -> Growth:
        """Return a power with a constant exponent; (n + d)^½ grows like n^½ + d^½.

        Raises:
            RefusedError: The exponent is too large, or negative above a sum.
        """
        if power.denominator == 1 and 0 <= power <= _LARGEST_WHOLE_POWER and len(self.terms) > 1:
            result = Growth.constant(Fraction(1), len(next(iter(self.terms))))
            for _ in range(int(power)):
                result = result.times(self)
            return result
        base = self.leading()
        if base is None or (len(base.terms) > 1 and power < 0) or abs(power) > _LARGEST_POWER:
            raise RefusedError(Text("That power is too large, or can't be compared with others.", "这个幂过大，或者无法比较。"))
        return _bounded({tuple((p * power, k * power) for p, k in powers): Fraction(1) for powers in base.terms})

    def logarithm(self) -> Growth:
        """Return the logarithm: of a product the sum of its factors' logarithms, of a sum that of its terms'.

        Raises:
            RefusedError: It is the logarithm of a quotient, or of a logarithm alone.
        """
        base = self.leading()
        if base is None or any(p < 0 or (p == 0 and k != 0) for powers in base.terms for p, k in powers):
            raise RefusedError(Text("That logarithm can't be compared with others.", "这个对数无法比较。"))
        count = len(next(iter(base.terms)))
        found = {i for powers in base.terms for i, (p, _) in enumerate(powers) if p > 0}
        if not found:
            return Growth.constant(Fraction(1), count)
        return Growth({tuple((Fraction(0), Fraction(i == which)) for i in range(count)): Fraction(1) for which in found})

    def leading(self) -> Growth | None:
        """Return the terms that no other dominates; None where there is none, or one of them is subtracted."""
        terms = {powers: coefficient for powers, coefficient in self.terms.items() if coefficient}
        kept = {
            powers: coefficient
            for powers, coefficient in terms.items()
            if not any(powers != other and _dominates(other, powers) for other in terms)
        }
        return Growth(kept) if kept and all(coefficient > 0 for coefficient in kept.values()) else None

    def write(self, symbols: tuple[str, ...]) -> str:
        """Write the terms without their coefficients, the highest first: ``n^2*d + n*d^2``."""
        ordered = sorted(self.terms, key=lambda powers: (sum(p for p, _ in powers), powers), reverse=True)
        return " + ".join(_term(powers, symbols) for powers in ordered)


def _dominates(large: Powers, small: Powers) -> bool:
    """Tell whether a term grows at least like another one however the symbols grow."""
    return all(a >= b for a, b in zip(large, small, strict=True))


def _bounded(terms: dict[Powers, Fraction]) -> Growth:
    if len(terms) > _MOST_TERMS or any(
        max(abs(coefficient.numerator), coefficient.denominator) > _LARGEST_COEFFICIENT
        or any(abs(p) > _LARGEST_POWER or abs(k) > _LARGEST_POWER or p.denominator > _LARGEST_POWER for p, k in powers)
        for powers, coefficient in terms.items()
    ):
        raise RefusedError(Text("That is too long for an order of growth.", "量级的表达式过长。"))
    return Growth(terms)


def _term(powers: Powers, symbols: tuple[str, ...]) -> str:
    factors = [_factor(symbol, p) for symbol, (p, _) in zip(symbols, powers, strict=True) if p]
    factors += [_factor(f"log({symbol})", k) for symbol, (_, k) in zip(symbols, powers, strict=True) if k]
    return "*".join(factors) or "1"


def _factor(name: str, power: Fraction) -> str:
    if power == 1:
        return name
    return f"{name}^{power}" if power.denominator == 1 else f"{name}^({power})"
