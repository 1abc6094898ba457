"""BatchNorm, RMSNorm, and where a layer puts its norm (7.20); LayerNorm is in ``norms``."""

from __future__ import annotations

from fractions import Fraction

from question_bank.drills.base import Draw, Drawn, Drill, Matrix, decimal, name_node, name_row
from question_bank.program import AnswerFormat, Ask, Call, Kind, Nested, Program, call
from question_bank.text import Text

_EPSILON = Fraction(1, 100_000)


def _tenths(draw: Draw, rows: int, columns: int, low: int, high: int) -> Nested:
    return tuple(tuple(decimal(10 * draw.integer(low, high)) for _ in range(columns)) for _ in range(rows))


def _row_of_tenths(draw: Draw, length: int, low: int, high: int) -> Nested:
    return tuple(decimal(10 * draw.integer(low, high)) for _ in range(length))


def _transposed(columns: tuple[tuple[int, ...], ...]) -> Matrix:
    return tuple(zip(*columns, strict=True))


def _batch_norm(draw: Draw, level: int) -> Drawn:
    if level == 1:
        # Standard deviations of 5, or of the distance itself: nothing but small fractions comes out.
        middle, other, step = draw.integer(7, 12), draw.integer(4, 9), draw.integer(1, 4)
        wide = tuple(middle + part for part in draw.shuffled((-7, -1, 1, 7)))
        narrow = tuple(other + step * part for part in draw.shuffled((-1, -1, 1, 1)))
        samples: Nested = _transposed(draw.shuffled((wide, narrow)))
        rows, width = 4, 2
    elif level == 2:
        rows, width = 4, 2
        samples = draw.until(
            lambda: draw.matrix(rows, width, -2, 9), lambda made: all(len(set(column)) > 1 for column in _transposed(made))
        )
    else:
        rows, width = 4, 3
        samples = _tenths(draw, rows, width, -30, 50)
    row = draw.integer(0, rows - 1)
    form = AnswerFormat(Kind.VECTOR, decimals=3, dimensions=(width,))
    ask = Ask("Y", form, (row,), label=name_row("Y", row))
    if level < 3:
        return Drawn(
            Text(
                "The rows of $X$ are the samples of a batch, the columns their features. Apply BatchNorm as in training, with $\\varepsilon = 0$, the biased variance and no $\\gamma$ or $\\beta$. Give row {row} of $Y$, to 3 decimals.",
                "$X$ 的每一行是 batch 里的一个样本，每一列是一个特征。按训练模式做 BatchNorm：$\\varepsilon = 0$，用有偏方差，不带 $\\gamma$、$\\beta$。给出 $Y$ 的第 {row} 行，保留 3 位小数。",
            ).fill(row=row + 1),
            Program((("X", samples),), (call("Y", "batch_norm", "X"),), (ask,)),
        )
    return Drawn(
        Text(
            "The rows of $X$ are the samples of a batch, the columns their features. Apply BatchNorm as in training, with $\\gamma$, $\\beta$, $\\varepsilon = 10^{-5}$ and the biased variance. Give row {row} of $Y$, to 3 decimals.",
            "$X$ 的每一行是 batch 里的一个样本，每一列是一个特征。按训练模式做 BatchNorm：带 $\\gamma$、$\\beta$，$\\varepsilon = 10^{-5}$，用有偏方差。给出 $Y$ 的第 {row} 行，保留 3 位小数。",
        ).fill(row=row + 1),
        Program(
            (("X", samples), ("γ", _row_of_tenths(draw, width, 5, 20)), ("β", _row_of_tenths(draw, width, -10, 10))),
            (call("Y", "batch_norm", "X", "γ", "β", epsilon=_EPSILON),),
            (ask,),
        ),
    )


_WHOLE_ROOTS = (
    *((1, 7), (1, 1, 5), (1, 3, 3, 9), (1, 1, 7, 7), (1, 5, 5, 7), (1, 1, 3, 5), (2, 4, 4, 8), (0, 0, 6, 8)),
    *((0, 0, 2, 0), (0, 4, 0, 0), (2, 2, 6, 10), (0, 0, 3, 4), (1, 1, 1, 1, 4), (2, 2, 2, 2, 8), (7, 17)),
)
"""Vectors of which the root mean square is 5, 3, 5, 5, 5, 3, 5, 5, 1, 2, 6, 2.5, 2, 4 and 13."""


def _rms_norm(draw: Draw, level: int) -> Drawn:
    if level == 1:
        sizes = draw.shuffled(draw.choice(_WHOLE_ROOTS))
        turned = draw.integer(0, 2 * len(sizes))  # one entry is negative in half of the problems
        vector: Nested = tuple(-size if position == turned else size for position, size in enumerate(sizes))
        assert isinstance(vector, tuple)
        form = AnswerFormat(Kind.VECTOR, decimals=3, dimensions=(len(vector),))
        return Drawn(
            Text(
                "Apply RMSNorm to the token $x$ with $\\varepsilon = 0$ and without $\\gamma$. Give $y$, to 3 decimals.",
                "对 token $x$ 做 RMSNorm：$\\varepsilon = 0$，不带 $\\gamma$。给出 $y$，保留 3 位小数。",
            ),
            Program((("x", vector),), (call("y", "rms_norm", "x"),), (Ask("y", form, label=name_node("y")),)),
        )
    tokens, width = 2, 3 if level == 2 else 4
    row = draw.integer(0, tokens - 1)
    rows: Nested = draw.matrix(tokens, width, -3, 8) if level == 2 else _tenths(draw, tokens, width, -30, 50)
    ask = Ask("Y", AnswerFormat(Kind.VECTOR, decimals=3, dimensions=(width,)), (row,), label=name_row("Y", row))
    gamma: Nested = _row_of_tenths(draw, width, 5, 20)
    if level == 2:
        gamma = tuple(draw.choice((1, 2, 3, Fraction(1, 2))) for _ in range(width))
    epsilon = (
        Text("$\\varepsilon = 0$", "$\\varepsilon = 0$")
        if level == 2
        else Text("$\\varepsilon = 10^{-5}$", "$\\varepsilon = 10^{-5}$")
    )
    norm = call("Y", "rms_norm", "X", "γ") if level == 2 else call("Y", "rms_norm", "X", "γ", epsilon=_EPSILON)
    return Drawn(
        Text(
            "Each row of $X$ is one token. Apply RMSNorm with $\\gamma$ and {epsilon}. Give row {row} of $Y$, to 3 decimals.",
            "$X$ 的每一行是一个 token。做 RMSNorm，带 $\\gamma$，{epsilon}。给出 $Y$ 的第 {row} 行，保留 3 位小数。",
        ).fill(row=row + 1, epsilon=epsilon),
        Program((("X", rows), ("γ", gamma)), (norm,), (ask,)),
    )


_PRE = (call("N", "layer_norm", "x"), call("F", "project", "N", "W"), call("u", "residual_add", "x", "F"))
_POST = (call("G", "project", "x", "W"), call("s", "residual_add", "x", "G"), call("v", "layer_norm", "s"))


def _spread_out(draw: Draw) -> tuple[int, ...]:
    """Draw differences from the mean of which the standard deviation is a whole number."""
    step = draw.integer(1, 4)
    return draw.shuffled(draw.choice(((-7, -1, 1, 7), (-step, -step, step, step), (7, 1, -1, -7))))


def _residual_sum(token: tuple[int, ...], weights: Matrix) -> tuple[int, ...]:
    """Return x + x W."""
    columns = zip(*weights, strict=True)
    return tuple(x + sum(a * b for a, b in zip(token, column, strict=True)) for x, column in zip(token, columns, strict=True))


def _norm_order(draw: Draw, level: int) -> Drawn:
    if level == 1:
        return _norm_order_of_relu(draw)
    width = 3
    token: Nested
    weights: Nested
    if level == 2:
        token, weights = draw.until(
            lambda: (draw.vector(width, -2, 6), draw.asymmetric(width, -1, 2)),
            lambda made: len(set(made[0])) > 1 and len(set(_residual_sum(*made))) > 1,
        )
    else:
        token, weights = _row_of_tenths(draw, width, -20, 40), _tenths(draw, width, width, -10, 15)
    form = AnswerFormat(Kind.VECTOR, decimals=3, dimensions=(width,))
    calls: tuple[Call, ...] = (*_PRE, *_POST)
    if level == 3:
        calls = tuple(one.with_parameters(epsilon=_EPSILON) if one.operation == "layer_norm" else one for one in calls)
    epsilon = "$\\varepsilon = 0$" if level == 2 else "$\\varepsilon = 10^{-5}$"
    return Drawn(
        Text(
            "A layer consists of the sub-layer $F(x) = xW$, a residual connection and a LayerNorm ({epsilon}, biased variance, no $\\gamma$ or $\\beta$). Compute its output for the token $x$: $u$ as a pre-norm layer and $v$ as a post-norm layer, to 3 decimals.",
            "一层由子层 $F(x) = xW$、残差连接和 LayerNorm（{epsilon}，有偏方差，不带 $\\gamma$、$\\beta$）组成。求 token $x$ 经过这一层的输出：按 pre-norm 算是 $u$，按 post-norm 算是 $v$，保留 3 位小数。",
        ).fill(epsilon=epsilon),
        Program(
            (("x", token), ("W", weights)),
            calls,
            (
                Ask("u", form, label=Text("$u$ (pre-norm)", " $u$（pre-norm）")),
                Ask("v", form, label=Text("$v$ (post-norm)", " $v$（post-norm）")),
            ),
        ),
    )


def _norm_order_of_relu(draw: Draw) -> Drawn:
    """Draw a layer of which the sub-layer is a ReLU, with numbers of which the norm is easily taken."""
    pre = draw.integer(0, 1) == 0
    if pre:
        middle, parts = draw.integer(0, 8), _spread_out(draw)
        token: Nested = tuple(middle + part for part in parts)
        calls: tuple[Call, ...] = (
            call("N", "layer_norm", "x"),
            call("F", "activation", "N"),
            call("y", "residual_add", "x", "F"),
        )
    else:
        # The sum x + ReLU(x) doubles what is positive: an even sum above 0, any below.
        middle, parts = draw.until(
            lambda: (draw.integer(-3, 8), _spread_out(draw)),
            lambda made: (
                all(made[0] + part <= 0 or (made[0] + part) % 2 == 0 for part in made[1])
                and min(made[1]) + made[0] < 0 < max(made[1]) + made[0]
            ),
        )
        sums = tuple(middle + part for part in parts)
        token = tuple(decimal(50 * value) if value > 0 else value for value in sums)
        calls = (call("F", "activation", "x"), call("s", "residual_add", "x", "F"), call("y", "layer_norm", "s"))
    order = "pre-norm" if pre else "post-norm"
    form = AnswerFormat(Kind.VECTOR, decimals=3, dimensions=(4,))
    return Drawn(
        Text(
            "A {order} layer consists of the sub-layer $F(x) = \\mathrm{ReLU}(x)$, a residual connection and a LayerNorm ($\\varepsilon = 0$, biased variance, no $\\gamma$ or $\\beta$). Compute its output $y$ for the token $x$, to 3 decimals.",
            "一个 {order} 层由子层 $F(x) = \\mathrm{ReLU}(x)$、残差连接和 LayerNorm（$\\varepsilon = 0$，有偏方差，不带 $\\gamma$、$\\beta$）组成。求 token $x$ 经过它的输出 $y$，保留 3 位小数。",
        ).fill(order=order),
        Program((("x", token),), calls, (Ask("y", form, label=name_node("y")),)),
    )


DRILLS = (
    Drill(
        "batch-norm",
        "7.20",
        Text("BatchNorm of a batch", "一个 batch 的 BatchNorm"),
        "0",
        (1, 2, 3),
        _batch_norm,
        hints=(
            Text("The statistics are those of a feature over all samples.", "统计量是同一个特征在所有样本上算的。"),
            Text(
                "Each column has a mean and a standard deviation of its own; the row asked for uses all of them.",
                "每一列各有自己的均值和标准差，要求的那一行每一列都用到。",
            ),
            Text(
                "Divide the sum of a column's squared differences by the number of samples $N$, then take the root.",
                "一列中各差值的平方和除以样本数 $N$，再开方。",
            ),
        ),
    ),
    Drill(
        "rms-norm",
        "7.20",
        Text("RMSNorm of a token", "一个 token 的 RMSNorm"),
        "0",
        (1, 2, 3),
        _rms_norm,
        hints=(
            Text("No mean is subtracted.", "不减均值。"),
            Text("The root mean square: square, average, take the root.", "均方根：先平方，再平均，再开方。"),
            Text(
                "Divide every entry by it; where there is a $\\gamma$, multiply by it at the end, entry by entry.",
                "每个分量都除以它；有 $\\gamma$ 的话，最后再逐分量乘上。",
            ),
        ),
    ),
    Drill(
        "norm-order",
        "7.20",
        Text("Pre-norm and post-norm", "pre-norm 与 post-norm"),
        "0",
        (1, 2, 3),
        _norm_order,
        hints=(
            Text(
                "The two differ in where the norm stands: before the sub-layer or after the sum.",
                "两者的差别在归一化的位置：子层之前，还是相加之后。",
            ),
            Text(
                "Pre-norm: $x + F(\\mathrm{LN}(x))$. Post-norm: $\\mathrm{LN}(x + F(x))$.",
                "pre-norm 是 $x + F(\\mathrm{LN}(x))$，post-norm 是 $\\mathrm{LN}(x + F(x))$。",
            ),
            Text(
                "In pre-norm the $x$ that is added is not normalised; in post-norm the last thing done is the norm.",
                "pre-norm 里加回来的 $x$ 没有归一化；post-norm 最后一步才是归一化。",
            ),
        ),
    ),
)
