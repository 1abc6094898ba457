"""The softmax taken apart, as it is computed in floating point: shift, exponentials, their sum; and the log-sum-exp."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from question_bank.program import Ask, Call, Program
from question_bank.text import Text
from solvers.hand import Array, Hand, LineKind, Number, number_like, subscript
from solvers.operations.base import Edited, Mistake, Operation, dropped, rewire, symbol, term, with_parameters
from solvers.operations.normalizing import LARGEST_PLAIN_EXPONENT
from solvers.shapes import require

if TYPE_CHECKING:
    from torch import Tensor


class Shift(Operation):
    """``shift(z)``: z − max z, for one row [n].

    Parameters: ``by`` is ``maximum``; the mistakes are ``minimum`` (z − min z) and ``reversed`` (max z − z).
    """

    name = "shift"
    section = "7.10"
    title = Text("Subtract the row's maximum", "减去这一行的最大值")
    reason = Text(
        "The softmax doesn't change when the same number is subtracted from every score. Subtracting the largest leaves no exponent above 0, so nothing can overflow.",
        "每个分数减去同一个数，softmax 不变。减去最大值，指数就都不超过 0，不会上溢。",
    )
    mistakes = (
        Mistake(
            "shift.minimum",
            Text("You subtracted the minimum, not the maximum", "你减去的是最小值，应当减去最大值"),
            with_parameters(by="minimum"),
        ),
        Mistake(
            "shift.reversed",
            Text("You subtracted each score from the maximum", "你用最大值减了各个分数，方向反了"),
            with_parameters(by="reversed"),
        ),
        Mistake("shift.forgotten", Text("You left out the shift", "你没有做平移"), dropped()),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        z = symbol(line.arguments[0])
        return rf"{symbol(line.node)} = {z} - \max({z})"

    def torch(self, z: Tensor, by: str = "maximum") -> Tensor:
        """Subtract."""
        require(len(z.shape) == 1, "one row of scores [n]", z=z)
        if by == "reversed":
            return z.amax(-1) - z
        return z - (z.amin(-1) if by == "minimum" else z.amax(-1))  # [n]

    def by_hand(self, hand: Hand, z: Array, by: str = "maximum") -> Array:
        """The extreme, then one difference a score."""
        if by == "minimum":
            end = hand.smallest("min", None, z, Text("smallest score", "最小的分数"))
        else:
            end = hand.largest("max", None, z, Text("largest score", "最大的分数"))
        say = Text("score minus the maximum", "分数减去最大值")
        pairs = [(end, one) if by == "reversed" else (one, end) for one in z]
        return [hand.difference(hand.label(j), 0, first, second, say) for j, (first, second) in enumerate(pairs)]


def _shifted_from(program: Program, node: str) -> str | None:
    """Return the row that a shifted row was made of, if it was."""
    line = program.lines.get(node)
    return line.arguments[0] if line is not None and line.operation == "shift" else None


def _unshifted(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
    """Edit: the exponentials are taken of the row as it was before the shift."""
    plain = _shifted_from(program, line.arguments[0])
    if plain is not None:
        yield Edited(replace(program, asks=(ask,)).with_call(rewire(line, 0, plain)))


class Exponentials(Operation):
    """``exponentials(x)``: e to each entry of a row [n].

    Parameters: ``base`` is ``e``, or ``2`` for the mistake.
    """

    name = "exponentials"
    section = "7.10"
    title = Text("Take the exponentials", "逐个取指数")
    reason = Text(
        "Every exponential lies between 0 and 1, and the largest score gives exactly 1.",
        "每个指数都在 0 和 1 之间，最大的分数恰好得到 1。",
    )
    mistakes = (
        Mistake(
            "exponentials.unshifted",
            Text("You took the exponentials of the scores before the shift", "你对平移之前的分数取了指数"),
            _unshifted,
        ),
        Mistake(
            "exponentials.base-2",
            Text("You took powers of 2, not of e", "你算的是 2 的幂，应当是 e 的幂"),
            with_parameters(base="2"),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        return rf"{symbol(line.node)} = e^{{{symbol(line.arguments[0])}}}"

    def torch(self, x: Tensor, base: str = "e") -> Tensor:
        """Exponentiate."""
        return x.exp2() if base == "2" else x.exp()  # [n]

    def by_hand(self, hand: Hand, x: Array, base: str = "e") -> Array:
        """One exponential an entry."""
        say = Text("exponential of the shifted score", "平移后的分数取指数")
        if base == "2":
            return [hand.power(hand.label(j), 0, number_like(one, 2), one, say) for j, one in enumerate(x)]
        return [hand.exponential(hand.label(j), 0, one, say) for j, one in enumerate(x)]


def _sum_unshifted(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
    """Edit: what is added up are the exponentials of the row before the shift."""
    source = program.lines.get(line.arguments[0])
    if source is not None and source.operation == "exponentials":
        for edited in _unshifted(program, source, ask):
            bare = f"{source.node} unshifted"
            plain = replace(edited.program.lines[source.node], node=bare)
            calls: list[Call] = []
            for other in program.calls:
                calls += [plain, rewire(line, 0, bare)] if other.node == line.node else [other]
            yield Edited(replace(program, calls=tuple(calls), asks=(ask,)))


class RowSum(Operation):
    """``row_sum(e)``: the sum of a row [n], the softmax's denominator.

    Parameters: ``over`` is ``all``, or ``others`` for the mistake of leaving out the largest.
    """

    name = "row_sum"
    section = "7.10"
    title = Text("Add them up", "求和")
    reason = Text(
        "Every exponential is divided by this sum. It includes the maximum's own 1, so it is at least 1 and the division is safe.",
        "每个指数都要除以这个和。最大的分数自己贡献了 1，所以和至少是 1，做除法不会出问题。",
    )
    mistakes = (
        Mistake(
            "row_sum.unshifted",
            Text("You added up the exponentials of the scores before the shift", "你加起来的是平移之前各分数的指数"),
            _sum_unshifted,
        ),
        Mistake(
            "row_sum.without-largest",
            Text("You left out the largest score's own $e^0 = 1$", "你漏加了最大分数自己的 $e^0 = 1$"),
            with_parameters(over="others"),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        return rf"{symbol(line.node)} = \sum_i {term(line.arguments[0])}"

    def torch(self, e: Tensor, over: str = "all") -> Tensor:
        """Add up."""
        return e.sum(-1) - (e.amax(-1) if over == "others" else 0)

    def by_hand(self, hand: Hand, e: Array, over: str = "all") -> Array:
        """Write the sum out."""
        if over == "others":
            at = max(range(len(e)), key=lambda j: float(e[j]))
            e = [one for j, one in enumerate(e) if j != at]
        return hand.sum(hand.label(), None, e, Text("sum of the exponentials", "各个指数之和"))


class LogSumExp(Operation):
    """``log_sum_exp(z)``: ln Σ e^z of one row [n].

    Parameters: ``form`` is ``whole``; the mistakes are ``max`` (the largest score), ``sum`` (Σ z: the logarithm moved inside
    the sum), ``linear`` (ln Σ z: no exponentials), ``no-log`` (Σ e^z), ``mean`` (the mean of the exponentials for their sum),
    ``shifted`` (the maximum not added back). ``base`` is ``e``, or ``2`` for the mistake of a logarithm to base 2.
    """

    name = "log_sum_exp"
    section = "7.10"
    title = Text("Log-sum-exp of the row", "这一行的 log-sum-exp")
    reason = Text(
        "It is the logarithm of the softmax's denominator, a little above the largest score. The maximum is taken out before the exponentials and added back after the logarithm, so that nothing overflows.",
        "它是 softmax 分母的对数，比最大的分数略大。先提出最大值再取指数，取完对数再加回来，就不会上溢。",
    )
    mistakes = (
        Mistake(
            "log_sum_exp.max",
            Text(
                "You gave the largest score alone; the others add to it",
                "你只写了最大的分数，其余分数也有贡献",
            ),
            with_parameters(form="max"),
        ),
        Mistake(
            "log_sum_exp.sum-of-logs",
            Text(
                "You took the logarithm of each exponential and added these up; the sum comes first",
                "你先对每个指数取对数再相加，应当先求和、再取对数",
            ),
            with_parameters(form="sum"),
        ),
        Mistake(
            "log_sum_exp.no-exponential",
            Text(
                "You took the logarithm of the sum of the scores, without exponentials", "你没有取指数，直接对分数之和取了对数"
            ),
            with_parameters(form="linear"),
        ),
        Mistake(
            "log_sum_exp.no-logarithm",
            Text("You gave the sum of the exponentials; its logarithm is asked for", "你写的是指数之和，还要取对数"),
            with_parameters(form="no-log"),
        ),
        Mistake(
            "log_sum_exp.mean",
            Text("You took the mean of the exponentials; it is their sum", "你对指数取了平均，应当求和"),
            with_parameters(form="mean"),
        ),
        Mistake(
            "log_sum_exp.not-added-back",
            Text("You subtracted the maximum but didn't add it back", "你减去了最大值，最后却没有加回来"),
            with_parameters(form="shifted"),
        ),
        Mistake(
            "log_sum_exp.base-2",
            Text("You took the logarithm to base 2, not to base $e$", "你取的是以 2 为底的对数，应当以 $e$ 为底"),
            with_parameters(base="2"),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        return rf"{symbol(line.node)} = \ln \sum_i e^{{{term(line.arguments[0])}}}"

    def torch(self, z: Tensor, form: str = "whole", base: str = "e") -> Tensor:
        """Compute the log-sum-exp."""
        import math

        require(len(z.shape) == 1, "one row of scores [n]", z=z)
        if form in ("max", "sum", "linear", "no-log"):
            return {"max": z.amax(-1), "sum": z.sum(-1), "linear": z.sum(-1).log(), "no-log": z.exp().sum(-1)}[form]
        value = z.logsumexp(-1)
        if form == "mean":
            return value - math.log(len(z))
        if form == "shifted":
            return value - z.amax(-1)
        return value / math.log(2) if base == "2" else value

    def by_hand(self, hand: Hand, z: Array, form: str = "whole", base: str = "e") -> Array:
        """Exponentials, their sum, its logarithm; shifted first where a person would."""
        largest = max(z)
        if form == "max":
            return hand.largest(hand.label(), None, z, Text("largest score", "最大的分数"))
        if form in ("sum", "linear"):
            total = hand.sum("Σ", None, z, Text("sum of the scores", "分数之和"))
            return total if form == "sum" else hand.function(LineKind.LOGARITHM, hand.label(), None, total, self.title)
        shifts = form == "shifted" or (isinstance(largest, float) and LARGEST_PLAIN_EXPONENT < abs(largest) < hand.infinity)
        if shifts and form != "no-log":
            say = Text("score minus the maximum", "分数减去最大值")
            z = [hand.difference(f"z{subscript(j)} − m", None, one, largest, say) for j, one in enumerate(z)]
        raising = Text("exponential of each", "逐个取指数")
        powers = [hand.exponential(f"e{subscript(j)}", None, one, raising) for j, one in enumerate(z)]
        total = hand.sum("Σ", None, powers, Text("sum of the exponentials", "指数之和"))
        if form == "no-log":
            return total
        if form == "mean":
            total = hand.quotient("", None, total, number_like(total, len(z)), self.title)
        adds = shifts and form != "shifted"
        log = hand.function(
            LineKind.LOGARITHM, "ln Σ" if adds else hand.label(), None, total, Text("logarithm of the sum", "和的对数")
        )
        value = hand.sum(hand.label(), None, (log, largest), Text("add the maximum back", "把最大值加回来")) if adds else log
        if base == "2":
            return hand.quotient("", None, value, self._ln_2(hand, value), self.title)
        return value

    def _ln_2(self, hand: Hand, like: Number) -> Number:
        return hand.known(LineKind.LOGARITHM, number_like(like, 2))


OPERATIONS = (Shift(), Exponentials(), RowSum(), LogSumExp())
