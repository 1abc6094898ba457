"""Orders of growth: a cost is run by hand over polynomials in its symbols, and the terms that no other dominates are kept."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from question_bank.exact import to_float
from question_bank.program import AnswerFormat, Program, Shape
from question_bank.text import Text
from solvers import run
from solvers.hand import Hand
from solvers.operations import OPERATIONS
from solvers.reading.growth import Growth
from solvers.reading.model import RefusedError


class Grown:
    """A polynomial in the symbols of an order, with the arithmetic that operations do by hand."""

    def __init__(self, growth: Growth, symbols: int) -> None:
        """Wrap a polynomial in so many symbols."""
        self.growth = growth
        self._symbols = symbols

    def _of(self, other: Any) -> Growth:
        return other.growth if isinstance(other, Grown) else Growth.constant(Fraction(other), self._symbols)

    def _with(self, growth: Growth) -> Grown:
        return Grown(Growth({powers: value for powers, value in growth.terms.items() if value}), self._symbols)

    def __add__(self, other: Any) -> Grown:
        return self._with(self.growth.plus(self._of(other)))

    def __sub__(self, other: Any) -> Grown:
        return self._with(self.growth.plus(self._of(other), -1))

    def __rsub__(self, other: Any) -> Grown:
        return self._with(self._of(other).plus(self.growth, -1))

    def __mul__(self, other: Any) -> Grown:
        return self._with(self.growth.times(self._of(other)))

    def __truediv__(self, other: Any) -> Grown:
        return self._with(self.growth.over(self._of(other)))

    def __rtruediv__(self, other: Any) -> Grown:
        return self._with(self._of(other).over(self.growth))

    def __pow__(self, other: Any) -> Grown:
        terms = self._of(other).terms
        if any(power or log for powers in terms for power, log in powers):
            raise ArithmeticError("an exponent that grows")
        return self._with(self.growth.to_the(sum(terms.values(), Fraction(0))))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, int | float | Fraction | Grown) and not (self - other).growth.terms

    def __hash__(self) -> int:
        return hash(tuple(self.growth.terms.items()))

    __radd__ = __add__
    __rmul__ = __mul__


def order(program: Program, node: str, form: AnswerFormat) -> str:
    """Return the order of growth of a node in the symbols of a form, as the reader writes it: ``S^2*d_model``.

    Args:
        program: A program of counts; its inputs that are no symbols are constants.
        node: The node whose growth is asked.
        form: Names the inputs that grow.

    Raises:
        RunError: The node does not grow like a polynomial.
    """
    count = len(form.symbols)
    environment: dict[str, Any] = {}
    try:
        for name, value in program.inputs:
            if isinstance(value, Shape | tuple):
                continue
            known = Growth.constant(Fraction(to_float(value)), count)
            growth = Growth.symbol(form.symbols.index(name), count) if name in form.symbols else known
            environment[name] = Grown(growth, count)
        for line in program.needed(node):
            arguments = [environment[name] for name in line.arguments]
            environment[line.node] = OPERATIONS[line.operation].by_hand(Hand(), *arguments, **dict(line.parameters))
        leading = environment[node].growth.leading()
    except (RefusedError, TypeError, ArithmeticError, ValueError, KeyError, AttributeError) as fault:
        raise _no_order() from fault
    if leading is None:
        raise _no_order()
    return str(leading.write(form.symbols))


def _no_order() -> run.RunError:
    return run.RunError(Text("That has no order of growth in these symbols.", "这个量在这些符号下没有复杂度可言。"))
