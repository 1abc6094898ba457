"""Softmax and layer normalisation."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from question_bank.exact import to_float
from question_bank.program import Ask, Call, Program, cells
from question_bank.text import Text
from solvers.hand import Array, Hand, Number, subscript
from solvers.operations.base import (
    Edit,
    Edited,
    Mistake,
    Operation,
    asked_elsewhere,
    dropped,
    norm_elsewhere,
    norm_on_the_branch,
    only_if,
    shortened,
    symbol,
    with_parameters,
)
from solvers.operations.projecting import transposed
from solvers.operations.scoring import each_cell

if TYPE_CHECKING:
    from torch import Tensor


def _across(ask: Ask) -> tuple[int, ...] | None:
    """Return the cell across the diagonal of the one asked."""
    return ask.index[::-1] if len(ask.index) == 2 else None


LARGEST_PLAIN_EXPONENT = 20
"""Up to here a person exponentiates as it stands; beyond, the row maximum is taken off first."""


def _unless(*forms: str, edit: Edit) -> Edit:
    """Edit: made only where the softmax hasn't a form, as in a listing with a mistake, in which it makes no difference."""
    return only_if(lambda _program, line: line.parameter("form", "softmax") not in forms, edit)


class Softmax(Operation):
    """``softmax(Z)``: e^z over the sum of e^z, along the last axis (the keys).

    A row of −∞ alone gives ``nan``, as in torch, unless ``empty`` says otherwise.

    Parameters: ``over`` is ``keys``; the mistakes are ``queries`` (columns), ``heads`` and ``all``. ``base`` is ``e``; the mistake is
    ``2``. ``form`` is ``softmax``; the mistakes are ``linear`` (no exponential), ``sigmoid`` and ``unnormalised``.
    ``empty`` is ``nan`` or ``zero``.
    """

    name = "softmax"
    section = "7.10"
    title = Text("Softmax of each row", "逐行做 softmax")
    reason = Text(
        "The exponential makes every score positive and keeps their order; dividing by the row's sum turns each row into weights that add up to 1.",
        "取指数把每个分数变成正数，大小顺序不变；再除以这一行的和，每一行就成了和为 1 的权重。",
    )
    aligned = (0,)
    mistakes = (
        Mistake(
            "softmax.across",
            Text(
                "You took the weight across the diagonal; even for equal scores the two differ, as each row is divided by its own sum",
                "你给的是对角线另一侧的权重；即使两个分数相等，权重也不同，因为每一行除以自己的和",
            ),
            asked_elsewhere(_across),
        ),
        Mistake(
            "softmax.no-exponential",
            Text("You divided by the sum without taking exponentials", "你没有取指数，直接除以了总和"),
            with_parameters(form="linear"),
        ),
        Mistake(
            "softmax.base-2",
            Text("You took powers of 2, not of e", "你算的是 2 的幂，应当是 e 的幂"),
            _unless("linear", "sigmoid", edit=with_parameters(base="2")),
        ),
        Mistake(
            "softmax.sigmoid",
            Text("You applied a sigmoid to each score separately", "你对每个分数单独做了 sigmoid"),
            with_parameters(form="sigmoid"),
        ),
        Mistake(
            "softmax.not-normalised",
            Text("You took the exponentials but didn't divide by their sum", "你取了指数，却没有除以它们的和"),
            with_parameters(form="unnormalised"),
        ),
        Mistake(
            "softmax.columns",
            Text(
                "You normalised down each column (over the queries), not along each row (over the keys)",
                "你按列（对 query）做了归一化，应当按行（对 key）",
            ),
            _unless("sigmoid", "unnormalised", edit=with_parameters(over="queries")),
        ),
        Mistake(
            "softmax.whole",
            Text("You normalised over the whole matrix, not row by row", "你对整个矩阵做了归一化，应当逐行"),
            _unless("sigmoid", "unnormalised", edit=with_parameters(over="all")),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        scores = symbol(line.arguments[0])
        if line.parameter("form", "softmax") == "unnormalised":
            return rf"{symbol(line.node)} = e^{{{scores}}}"
        if line.parameter("over", "keys") == "queries":
            return rf"{symbol(line.node)} = \mathrm{{softmax}}({scores}^\top)^\top"
        return rf"{symbol(line.node)} = \mathrm{{softmax}}({scores})"

    def torch(self, Z: Tensor, over: str = "keys", base: str = "e", form: str = "softmax", empty: str = "nan") -> Tensor:
        """Compute the softmax."""
        import torch

        if form == "sigmoid":
            return torch.sigmoid(Z)
        if form == "unnormalised":
            return torch.exp(Z) if base == "e" else torch.exp2(Z)
        flat = Z.flatten() if over == "all" else Z
        axis = -2 if over == "queries" and Z.dim() > 1 else -1
        if over == "heads":
            axis = -3
        if form == "linear":
            weights = flat / flat.sum(axis, keepdim=True)
        else:
            weights = torch.softmax(flat if base == "e" else flat * torch.log(torch.tensor(2.0, dtype=Z.dtype)), axis)
        if empty == "zero":
            weights = weights.nan_to_num(0.0)
        return weights.reshape(Z.shape)  # [.., S_q, S_k]

    def by_hand(
        self, hand: Hand, Z: Array, over: str = "keys", base: str = "e", form: str = "softmax", empty: str = "nan", **_: Any
    ) -> Array:
        """Exponentials, their sum, the quotients; row by row."""
        if not isinstance(Z[0], list):
            return self._row(hand, Z, None, base, form, empty)
        if over == "all":
            width = len(Z[0])
            flat = self._row(hand, [value for row in Z for value in row], None, base, form, empty)
            return [flat[start : start + width] for start in range(0, len(flat), width)]
        if over == "queries":
            return transposed(
                [self._row(hand, column, j, base, form, empty, down=True) for j, column in enumerate(transposed(Z))]
            )
        return [self._row(hand, row, i, base, form, empty) for i, row in enumerate(Z)]

    def _row(
        self, hand: Hand, values: Array, row: int | None, base: str, form: str, empty: str, *, down: bool = False
    ) -> Array:
        places = [_place(row, j)[:: -1 if down else 1] for j in range(len(values))]
        at = 0 if row is None else row
        raising = Text("exponential of each score", "每个分数取指数")
        if form == "linear":
            powers = list(values)
        elif base == "2":
            powers = [hand.exponential("", at, value * 0.6931471805599453, raising) for value in values]
        else:
            if form == "sigmoid":
                return [
                    hand.quotient("", at, 1.0, 1.0 + hand.exponential("", at, -value, raising), raising) for value in values
                ]
            given = [hand.given("z", *place) for place in places]
            if form != "unnormalised":  # only quotients stay the same
                shifted = self._shifted(hand, values, at)
                if shifted is not values:
                    given = [f"({name} − max)" for name in given]
                values = shifted
            powers = [hand.exponential(f"e^{name}", at, v, raising) for name, v in zip(given, values, strict=True)]
        if form == "unnormalised":
            return powers
        adding = Text("sum of the row's exponentials", "这一行的指数之和")
        if down:
            adding = Text("sum of the column's exponentials", "这一列的指数之和")
        total = hand.sum(_sum_label(hand, row), at, powers, adding)
        share = Text("exponential divided by the sum", "指数除以总和")
        weights = [hand.quotient(hand.label(*p), at, v, total, share) for p, v in zip(places, powers, strict=True)]
        return [0.0 if weight != weight else weight for weight in weights] if empty == "zero" else weights

    def _shifted(self, hand: Hand, values: Array, row: int) -> Array:
        finite = [value for value in values if value != -hand.infinity]
        if not finite or not isinstance(finite[0], float):
            return values
        largest = max(finite)
        if largest <= LARGEST_PLAIN_EXPONENT and (largest >= -LARGEST_PLAIN_EXPONENT):
            return values
        say = Text("subtract the row maximum; the weights stay the same", "先减去这一行的最大值，权重不变")
        return [hand.difference("", row, value, largest, say) for value in values]


def _place(row: int | None, column: int) -> tuple[int, ...]:
    return (column,) if row is None else (row, column)


def _sum_label(hand: Hand, row: int | None) -> str:
    return "Σ" if row is None else "Σ" + hand.label(row).removeprefix(hand.node)


def _left_out(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
    """Edit: the norm is left out; no mistake where normalising an input is all there is to do."""
    if line.arguments[0] not in program.values or program.consumers(line.node):
        yield from dropped()(program, line, ask)


def off_centre(program: Program, line: Call) -> bool:
    """Tell whether subtracting the mean makes a difference: of an input, not every row or column need have the mean 0."""
    given = program.values.get(line.arguments[0])
    if not isinstance(given, tuple):
        return True
    rows = [[to_float(number) for _, number in cells(row)] for row in (given if isinstance(given[0], tuple) else (given,))]
    lines = zip(*rows, strict=True) if line.operation == "batch_norm" and len(rows) > 1 else rows
    return any(abs(sum(numbers)) > 1e-9 for numbers in lines)


def half_affine(normal: Array, gamma: Array, beta: Array, kept: str) -> Array:
    """Scale without shifting, or shift without scaling; γ and β are numbers where there is one feature."""

    def cell(value: Number, *at: int) -> Number:
        factor, shift = (gamma[at[-1]], beta[at[-1]]) if isinstance(gamma, list) else (gamma, beta)
        return value * factor if kept == "gamma" else value + shift

    return each_cell(normal, cell)


def scales_and_shifts(_program: Program, line: Call) -> bool:
    """Tell whether there are γ and β."""
    return len(line.arguments) > 2


class LayerNorm(Operation):
    """``layer_norm(x)`` or ``layer_norm(x, gamma, beta)``: (x − mean) / √(variance + ε) · γ + β over the last axis.

    The variance is biased (divided by the number of features), as in ``nn.LayerNorm``.

    Parameters: ``epsilon`` is ε; ``variance`` is ``biased``, or ``unbiased`` for the mistake; ``gamma_first`` is ``yes`` for
    the mistake of scaling before normalising; ``over`` is ``features``, or ``batch`` for the mistake; ``divide`` is
    ``deviation``; the mistakes are ``variance`` and ``nothing``. ``centre`` is ``both``; the mistakes are ``variance`` (the mean
    is taken off for the variance alone) and ``nothing``. ``affine`` is ``both``, or ``gamma`` or ``beta`` for the mistakes of
    using one alone.
    """

    name = "layer_norm"
    section = "7.20"
    title = Text("Normalise each token over its features", "逐个 token 对特征做归一化")
    reason = Text(
        "Each token's own mean is subtracted, and the result is divided by its own standard deviation. That puts every token on the same scale, whatever else is in the batch.",
        "每个 token 减去自己的均值，再除以自己的标准差，各个 token 就处在同一尺度上，与 batch 里的其他样本无关。",
    )
    aligned = (0,)
    mistakes = (
        Mistake(
            "layer_norm.unbiased",
            Text(
                "You divided by $n - 1$ in the variance; LayerNorm uses the biased one, divided by $n$",
                "你算方差时除以了 $n - 1$，而 LayerNorm 用的是有偏方差，除以 $n$",
            ),
            with_parameters(variance="unbiased"),
        ),
        Mistake(
            "layer_norm.by-variance",
            Text("You divided by the variance, not by its square root", "你除以了方差，应当除以标准差"),
            with_parameters(divide="variance"),
        ),
        Mistake(
            "layer_norm.not-divided",
            Text(
                "You subtracted the mean but didn't divide by the standard deviation",
                "你减了均值，却没有除以标准差",
            ),
            with_parameters(divide="nothing"),
        ),
        Mistake(
            "layer_norm.no-affine",
            Text("You left out $\\gamma$ and $\\beta$", "你漏掉了 $\\gamma$ 和 $\\beta$"),
            shortened(1),
        ),
        Mistake(
            "layer_norm.no-gamma",
            Text("You left out $\\gamma$", "你漏乘了 $\\gamma$"),
            only_if(scales_and_shifts, with_parameters(affine="beta")),
        ),
        Mistake(
            "layer_norm.no-beta",
            Text("You left out $\\beta$", "你漏加了 $\\beta$"),
            only_if(scales_and_shifts, with_parameters(affine="gamma")),
        ),
        Mistake(
            "layer_norm.not-centred",
            Text(
                "You divided by the standard deviation, but didn't subtract the mean first",
                "你除以了标准差，却没有先减均值",
            ),
            only_if(off_centre, with_parameters(centre="variance")),
        ),
        Mistake(
            "layer_norm.root-mean-square",
            Text(
                "You never subtracted the mean and divided by the root mean square, as RMSNorm does",
                "你始终没有减均值，除以的是均方根，那是 RMSNorm 的做法",
            ),
            only_if(off_centre, with_parameters(centre="nothing")),
        ),
        Mistake(
            "layer_norm.gamma-first",
            Text("You applied $\\gamma$ and $\\beta$ before normalising", "你在归一化之前就乘了 $\\gamma$、加了 $\\beta$"),
            with_parameters(gamma_first="yes"),
        ),
        Mistake(
            "layer_norm.batch",
            Text(
                "You normalised each feature across the tokens, as BatchNorm does",
                "你对每个特征跨 token 做了归一化，那是 BatchNorm 的做法",
            ),
            with_parameters(over="batch"),
        ),
        Mistake(
            "layer_norm.order",
            Text(
                "You put the norm in the other place: pre-norm normalises the sub-layer's input, post-norm the sum",
                "你把归一化放错了位置：pre-norm 归一化的是子层的输入，post-norm 归一化的是相加的结果",
            ),
            norm_elsewhere(),
        ),
        Mistake(
            "layer_norm.on-the-branch",
            Text(
                "You normalised the sub-layer's output before adding it; pre-norm normalises the sub-layer's input, post-norm the sum",
                "你在相加之前归一化了子层的输出；pre-norm 归一化的是子层的输入，post-norm 归一化的是相加的结果",
            ),
            norm_on_the_branch(),
        ),
        Mistake("layer_norm.left-out", Text("You left out the normalisation", "你漏掉了归一化"), _left_out),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        x = symbol(line.arguments[0])
        affine = r" \cdot \gamma + \beta" if len(line.arguments) > 1 else ""
        return rf"{symbol(line.node)} = \frac{{{x} - \mu}}{{\sqrt{{\sigma^2 + \varepsilon}}}}{affine}"

    def torch(
        self,
        x: Tensor,
        gamma: Tensor | None = None,
        beta: Tensor | None = None,
        epsilon: Fraction | int = 0,
        variance: str = "biased",
        gamma_first: str = "no",
        over: str = "features",
        divide: str = "deviation",
        centre: str = "both",
        affine: str = "both",
    ) -> Tensor:
        """Normalise over the last axis."""
        if gamma_first == "yes":
            if gamma is None or beta is None:
                raise ValueError("gamma and beta are needed to apply them first")
            x, gamma, beta = x * gamma + beta, None, None
        axis = 0 if over == "batch" else -1
        if axis == 0 and x.dim() < 2:
            raise ValueError("one vector has no batch")
        spread = x.var(axis, correction=0 if variance == "biased" else 1, keepdim=True)
        if centre == "nothing":
            spread = (x * x).mean(axis, keepdim=True)
        spread = spread + float(epsilon)
        y = x - x.mean(axis, keepdim=True) if centre == "both" else x  # [.., d]
        if divide != "nothing":
            y = y / (spread if divide == "variance" else spread.sqrt())
        if gamma is None or beta is None:
            return y
        return (y if affine == "beta" else y * gamma) + (0 if affine == "gamma" else beta)

    def by_hand(
        self,
        hand: Hand,
        x: Array,
        gamma: Array = None,
        beta: Array = None,
        epsilon: Fraction | int = 0,
        variance: str = "biased",
        gamma_first: str = "no",
        over: str = "features",
        divide: str = "deviation",
        centre: str = "both",
        affine: str = "both",
    ) -> Array:
        """Mean, differences, variance, root, quotients, then γ and β; row by row."""
        if gamma_first == "yes":
            x, gamma, beta = each_cell(x, lambda value, *at: value * gamma[at[-1]] + beta[at[-1]]), None, None
        scaled = gamma is not None
        if over == "batch":
            columns = transposed(x)
            normal = transposed(
                [self._row(hand, column, None, epsilon, variance, divide, scaled, centre) for column in columns]
            )
        elif isinstance(x[0], list):
            normal = [self._row(hand, row, i, epsilon, variance, divide, scaled, centre) for i, row in enumerate(x)]
        else:
            normal = self._row(hand, x, None, epsilon, variance, divide, scaled, centre)
        if gamma is None:
            return normal
        if affine != "both":
            return half_affine(normal, gamma, beta, affine)
        say = Text("times $\\gamma$, plus $\\beta$", "乘 $\\gamma$，再加 $\\beta$")
        return each_cell(
            normal,
            lambda value, *at: hand.affine(
                hand.label(*at), at[0] if len(at) > 1 else 0, value, gamma[at[-1]], beta[at[-1]], say
            ),
        )

    def _row(
        self,
        hand: Hand,
        values: Array,
        row: int | None,
        epsilon: Any,
        variance: str,
        divide: str,
        affine: bool,
        centre: str,
    ) -> Array:
        at = row or 0
        mean = hand.mean("μ", at, values, Text("mean of the features", "各特征的均值"))
        centred = [
            hand.difference(
                f"{hand.given('x', *_place(row, j))} − μ",
                at,
                value,
                mean,
                Text("difference from the mean", "减去均值"),
            )
            for j, value in enumerate(values)
        ]
        if divide == "nothing":
            return centred
        less = 0 if variance == "biased" else 1
        spread = hand.mean_square(
            "σ²",
            at,
            centred if centre != "nothing" else values,
            Text("variance: mean of the squared differences", "方差，即差的平方的均值"),
            less,
        )
        if epsilon:
            spread = hand.sum(
                "σ² + ε",
                at,
                (spread, (spread * 0 + epsilon.numerator) / epsilon.denominator),
                Text("plus $\\varepsilon$", "加上 $\\varepsilon$"),
            )
        if divide != "variance":
            spread = hand.root("σ", at, spread, Text("standard deviation: the square root", "标准差，即平方根"))
        say = Text("difference divided by the standard deviation", "差除以标准差")
        divided = centred if centre == "both" else values
        names = [f"x̂{subscript(j)}" if affine else hand.label(*_place(row, j)) for j in range(len(centred))]
        return [hand.quotient(name, at, value, spread, say) for name, value in zip(names, divided, strict=True)]


OPERATIONS = (Softmax(), LayerNorm())
