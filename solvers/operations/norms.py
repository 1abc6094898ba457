"""RMSNorm and batch normalisation; layer normalisation is in ``normalizing``."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from question_bank.program import Call
from question_bank.text import Text
from solvers.hand import Array, Hand, Number, number_like, subscript
from solvers.operations.base import Mistake, Operation, only_if, shortened, symbol, where, with_parameters
from solvers.operations.normalizing import half_affine, off_centre, scales_and_shifts
from solvers.operations.projecting import transposed
from solvers.operations.scoring import each_cell
from solvers.shapes import require

if TYPE_CHECKING:
    from torch import Tensor

_MEAN = Text("mean", "均值")
_CENTRED = Text("difference from the mean", "减去均值")
_EPSILON = Text("plus $\\varepsilon$", "加上 $\\varepsilon$")
_DEVIATION = Text("standard deviation: the square root", "标准差，即平方根")


def _with_epsilon(hand: Hand, label: str, row: int | None, value: Number, epsilon: Fraction | int) -> Number:
    return hand.sum(f"{label} + ε", row, (value, number_like(value, epsilon)), _EPSILON) if epsilon else value


class RMSNorm(Operation):
    """``rms_norm(x)`` or ``rms_norm(x, gamma)``: x / √(mean of x² + ε) · γ over the last axis (Zhang and Sennrich 2019).

    Parameters: ``epsilon`` is ε, 0 by default; ``centre`` is ``none``, or ``mean`` for the mistake of subtracting the mean;
    ``average`` is ``mean``, or ``sum`` for the mistake of adding the squares up without dividing; ``divide`` is ``root``, or
    ``square`` for the mistake of dividing by the mean square.
    """

    name = "rms_norm"
    section = "7.20"
    title = Text("Divide each token by its root mean square", "逐个 token 除以各自的均方根")
    reason = Text(
        "The root mean square measures how large a token's features are; dividing by it gives every token the same size. Unlike LayerNorm, no mean is subtracted.",
        "均方根反映一个 token 的特征整体有多大；除以它，各个 token 的大小就一致了。与 LayerNorm 不同，这里不减均值。",
    )
    aligned = (0,)
    mistakes = (
        Mistake(
            "rms_norm.mean-subtracted",
            Text(
                "You subtracted the mean first, as LayerNorm does; RMSNorm doesn't",
                "你先减了均值，那是 LayerNorm 的做法，RMSNorm 不减",
            ),
            with_parameters(centre="mean"),
        ),
        Mistake(
            "rms_norm.sum",
            Text(
                "You divided by the root of the sum of squares, not of their mean",
                "你除以了平方和的平方根，应当先取平方的均值再开方",
            ),
            with_parameters(average="sum"),
        ),
        Mistake(
            "rms_norm.no-root",
            Text("You divided by the mean square, not by its root", "你除以了平方的均值，没有开方"),
            with_parameters(divide="square"),
        ),
        Mistake("rms_norm.no-gamma", Text("You left out $\\gamma$", "你漏乘了 $\\gamma$"), shortened(1)),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        x = symbol(line.arguments[0])
        affine = r" \odot \gamma" if len(line.arguments) > 1 else ""
        return rf"{symbol(line.node)} = \frac{{{x}}}{{\sqrt{{\frac{{1}}{{d}} \sum_j {x}_j^2 + \varepsilon}}}}{affine}"

    def torch(
        self,
        x: Tensor,
        gamma: Tensor | None = None,
        epsilon: Fraction | int = 0,
        centre: str = "none",
        average: str = "mean",
        divide: str = "root",
    ) -> Tensor:
        """Normalise over the last axis."""
        if gamma is not None:
            require(gamma.shape == x.shape[-1:], "one γ a feature", x=x, gamma=gamma)
        if centre == "mean":
            x = x - x.mean(-1, keepdim=True)
        squares = x * x
        size = squares.sum(-1, keepdim=True) if average == "sum" else squares.mean(-1, keepdim=True)  # [.., 1]
        size = size + float(epsilon)
        y = x / (size.sqrt() if divide == "root" else size)  # [.., d]
        return y if gamma is None else y * gamma

    def by_hand(
        self,
        hand: Hand,
        x: Array,
        gamma: Array = None,
        epsilon: Fraction | int = 0,
        centre: str = "none",
        average: str = "mean",
        divide: str = "root",
    ) -> Array:
        """Mean square, root, quotients, then γ; row by row."""
        if not isinstance(x[0], list):
            return self._row(hand, x, gamma, None, epsilon, centre, average, divide)
        return [self._row(hand, row, gamma, i, epsilon, centre, average, divide) for i, row in enumerate(x)]

    def _row(
        self,
        hand: Hand,
        values: Array,
        gamma: Array,
        row: int | None,
        epsilon: Fraction | int,
        centre: str,
        average: str,
        divide: str,
    ) -> Array:
        at = row or 0
        if centre == "mean":
            mean = hand.mean("μ", at, values, _MEAN)
            values = [hand.difference("", at, value, mean, _CENTRED) for value in values]
        if average == "sum":
            size = hand.dot("", at, values, values, Text("sum of the squares", "平方和"))
        else:
            size = hand.mean_square("RMS²", at, values, Text("mean of the squares", "平方的均值"))
        size = _with_epsilon(hand, "RMS²", at, size, epsilon)
        root = size
        if divide == "root":
            root = hand.root("√(RMS² + ε)" if epsilon else "RMS", at, size, Text("root mean square", "均方根"))
        divided = Text("divided by the root mean square", "除以均方根")
        scaled = Text("times $\\gamma$", "乘 $\\gamma$")
        result = []
        for j, value in enumerate(values):
            label = hand.label(j) if row is None else hand.label(row, j)
            y = hand.quotient(label if gamma is None else f"x̂{subscript(j)}", at, value, root, divided)
            result.append(y if gamma is None else hand.product(label, at, (y, gamma[j]), scaled))
        return result


class BatchNorm(Operation):
    """``batch_norm(X)`` or ``batch_norm(X, gamma, beta)``: each column minus its mean, over √(its variance + ε), · γ + β.

    X is [N, d], one sample a row, normalised as in training: with the batch's own statistics. A vector [N] is the one
    feature of N samples; γ and β are then numbers.

    Parameters: ``epsilon`` is ε, 0 by default; ``variance`` is ``biased`` (divided by N, as torch normalises in training), or
    ``unbiased`` (divided by N − 1, as torch keeps it in ``running_var``); ``over`` is ``batch``, or ``features`` for the
    mistake of normalising each row; ``divide`` is ``deviation``; the mistakes are ``variance`` and ``nothing``. ``centre`` and
    ``affine`` are as in ``layer_norm``.
    """

    name = "batch_norm"
    section = "7.20"
    title = Text("Normalise each feature over the batch", "逐个特征在 batch 内做归一化")
    reason = Text(
        "Each feature (column) gets its own mean and variance, taken over the samples of the batch; so what comes out for one sample depends on the others.",
        "每个特征（一列）各有自己的均值和方差，都在整个 batch 的样本上统计，所以一个样本的结果会受其他样本影响。",
    )
    mistakes = (
        Mistake(
            "batch_norm.over-the-row",
            Text(
                "You normalised each row (one sample over its features), as LayerNorm does",
                "你对每一行（一个样本的各个特征）做了归一化，那是 LayerNorm 的做法",
            ),
            with_parameters(over="features"),
        ),
        Mistake(
            "batch_norm.unbiased",
            Text(
                "You divided by $N - 1$ in the variance; normalising uses the biased one, divided by $N$",
                "你算方差时除以了 $N - 1$，而归一化用的是有偏方差，除以 $N$",
            ),
            where(lambda _, line: line.parameter("variance", "biased") == "biased", with_parameters(variance="unbiased")),
        ),
        Mistake(
            "batch_norm.by-variance",
            Text("You divided by the variance, not by its square root", "你除以了方差，应当除以标准差"),
            with_parameters(divide="variance"),
        ),
        Mistake(
            "batch_norm.not-divided",
            Text(
                "You subtracted the mean but didn't divide by the standard deviation",
                "你减了均值，却没有除以标准差",
            ),
            with_parameters(divide="nothing"),
        ),
        Mistake(
            "batch_norm.no-affine",
            Text("You left out $\\gamma$ and $\\beta$", "你漏掉了 $\\gamma$ 和 $\\beta$"),
            shortened(1),
        ),
        Mistake(
            "batch_norm.no-gamma",
            Text("You left out $\\gamma$", "你漏乘了 $\\gamma$"),
            only_if(scales_and_shifts, with_parameters(affine="beta")),
        ),
        Mistake(
            "batch_norm.no-beta",
            Text("You left out $\\beta$", "你漏加了 $\\beta$"),
            only_if(scales_and_shifts, with_parameters(affine="gamma")),
        ),
        Mistake(
            "batch_norm.not-centred",
            Text(
                "You divided by the standard deviation, but didn't subtract the mean first",
                "你除以了标准差，却没有先减均值",
            ),
            only_if(off_centre, with_parameters(centre="variance")),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        x = symbol(line.arguments[0])
        affine = r" \cdot \gamma_j + \beta_j" if len(line.arguments) > 1 else ""
        return rf"{symbol(line.node)}_{{ij}} = \frac{{{x}_{{ij}} - \mu_j}}{{\sqrt{{\sigma_j^2 + \varepsilon}}}}{affine}"

    def torch(
        self,
        X: Tensor,
        gamma: Tensor | None = None,
        beta: Tensor | None = None,
        epsilon: Fraction | int = 0,
        variance: str = "biased",
        over: str = "batch",
        divide: str = "deviation",
        centre: str = "both",
        affine: str = "both",
    ) -> Tensor:
        """Normalise down each column."""
        require(over == "batch" or X.dim() > 1, "a matrix, to take its rows", X=X)
        for each in (gamma, beta):
            require(
                each is None or each.shape == X.shape[1:],
                "one number a feature",
                X=X,
                parameter=each if each is not None else (),
            )
        axis = 0 if over == "batch" else -1
        spread = X.var(axis, correction=0 if variance == "biased" else 1, keepdim=True) + float(epsilon)
        Y = X - X.mean(axis, keepdim=True) if centre == "both" else X  # [N, d]
        if divide != "nothing":
            Y = Y / (spread if divide == "variance" else spread.sqrt())
        if gamma is not None and affine != "beta":
            Y = Y * gamma
        return Y if beta is None or affine == "gamma" else Y + beta

    def by_hand(
        self,
        hand: Hand,
        X: Array,
        gamma: Array = None,
        beta: Array = None,
        epsilon: Fraction | int = 0,
        variance: str = "biased",
        over: str = "batch",
        divide: str = "deviation",
        centre: str = "both",
        affine: str = "both",
    ) -> Array:
        """Column by column: mean, differences, variance, root, quotients; then γ and β."""
        less = 0 if variance == "biased" else 1
        scaled = gamma is not None
        if not isinstance(X[0], list):
            normal = self._line(hand, X, None, epsilon, less, scaled, divide, centre)
        elif over == "features":
            normal = [self._line(hand, row, i, epsilon, less, scaled, divide, centre) for i, row in enumerate(X)]
        else:
            columns = enumerate(transposed(X))
            normal = transposed([self._line(hand, column, j, epsilon, less, scaled, divide, centre) for j, column in columns])
        if not scaled:
            return normal
        if affine != "both":
            return half_affine(normal, gamma, beta, affine)
        say = Text("times $\\gamma$, plus $\\beta$", "乘 $\\gamma$，再加 $\\beta$")

        def cell(value: Number, *at: int) -> Number:
            factor, shift = (gamma[at[-1]], beta[at[-1]]) if len(at) > 1 else (gamma, beta)
            return hand.affine(hand.label(*at), at[0] if len(at) > 1 else 0, value, factor, shift, say)

        return each_cell(normal, cell)

    def _line(
        self,
        hand: Hand,
        values: Array,
        at: int | None,
        epsilon: Fraction | int,
        less: int,
        affine: bool,
        divide: str,
        centre: str,
    ) -> Array:
        """Normalise a column, or for the mistake a row: what its lines say serves every row of the result."""
        mark = "" if at is None else subscript(at)
        mean = hand.mean(f"μ{mark}", None, values, Text("mean of the feature over the batch", "该特征在 batch 内的均值"))
        centred = [
            hand.difference(f"{hand.given('x', *((i,) if at is None else (i, at)))} − μ{mark}", None, value, mean, _CENTRED)
            for i, value in enumerate(values)
        ]
        if divide == "nothing":
            return centred
        variance = Text("variance: mean of the squared differences", "方差，即差的平方的均值")
        spread = hand.mean_square(f"σ{mark}²", None, centred, variance, less)
        spread = _with_epsilon(hand, f"σ{mark}²", None, spread, epsilon)
        deviation = spread if divide == "variance" else hand.root(f"σ{mark}", None, spread, _DEVIATION)
        say = Text("difference divided by the standard deviation", "差除以标准差")
        name = (lambda *index: f"x̂{subscript(*index)}") if affine else hand.label
        return [
            hand.quotient(name(i) if at is None else name(i, at), i, value, deviation, say)
            for i, value in enumerate(centred if centre == "both" else values)
        ]


OPERATIONS = (RMSNorm(), BatchNorm())
