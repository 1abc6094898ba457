"""What happens in training: gradients along the residual path, dropout, and how far dot products spread at the start."""

from __future__ import annotations

from typing import TYPE_CHECKING

from question_bank.program import Call, Program
from question_bank.text import Text
from solvers.hand import Array, Hand, Number, number_like
from solvers.operations.base import Mistake, Operation, only_if, only_with, other_of, symbol, with_parameters
from solvers.operations.scoring import each_cell
from solvers.shapes import require

if TYPE_CHECKING:
    from torch import Tensor


class ResidualGradient(Operation):
    """``residual_gradient(f, n)``: (1 + f)ⁿ, by which n residual layers multiply a gradient, each F having the derivative f.

    Parameters: ``path`` is ``residual``, or ``plain`` for n layers without a residual connection, fⁿ; ``form`` is ``power``;
    the mistakes are ``one-plus-power`` (1 + fⁿ), ``sum`` (1 + n·f) and ``one`` (1 whatever f is).
    """

    name = "residual_gradient"
    section = "7.19"
    title = Text("Multiply the gradient layer by layer", "逐层相乘，求梯度")
    reason = Text(
        "The chain rule multiplies the layers' derivatives. The derivative of $y = x + F(x)$ is $1 + f$, that of $y = F(x)$ alone is $f$; over $n$ layers that is a power.",
        "链式法则把各层的导数相乘。$y = x + F(x)$ 的导数是 $1 + f$，只有 $y = F(x)$ 时是 $f$；经过 $n$ 层，就是 $n$ 次幂。",
    )
    mistakes = (
        Mistake(
            "residual_gradient.one-plus-power",
            Text(
                "You computed $1 + f^n$: the 1 belongs to every layer, so it is $(1 + f)^n$",
                "你算的是 $1 + f^n$，而每一层都有那个 1，应当是 $(1 + f)^n$",
            ),
            only_with("path", "residual", "residual", with_parameters(form="one-plus-power")),
        ),
        Mistake(
            "residual_gradient.sum",
            Text(
                "You added up the $f$ of the layers; their factors $1 + f$ are multiplied",
                "你把各层的 $f$ 加了起来，应当把各层的 $1 + f$ 相乘",
            ),
            only_with("path", "residual", "residual", with_parameters(form="sum")),
        ),
        Mistake(
            "residual_gradient.one",
            Text(
                "You let the gradient pass unchanged; the branch $F$ changes it too",
                "你让梯度原样通过了，而 $F$ 这一支也会改变它",
            ),
            only_with("path", "residual", "residual", with_parameters(form="one")),
        ),
        Mistake(
            "residual_gradient.no-residual",
            Text("You left out the residual path", "你漏掉了残差路径"),
            only_with("path", "residual", "residual", with_parameters(path="plain")),
        ),
        Mistake(
            "residual_gradient.residual",
            Text("You counted a residual path where there is none", "这里没有残差路径，你却把它算进去了"),
            only_with("path", "plain", "residual", with_parameters(path="residual")),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        f, n = map(symbol, line.arguments)
        factor = f if line.parameter("path", "residual") == "plain" else f"(1 + {f})"
        return rf"{symbol(line.node)} = {factor}^{{{n}}}"

    def torch(self, f: Tensor, n: Tensor, path: str = "residual", form: str = "power") -> Tensor:
        """Raise the layer's factor to the n-th power."""
        if form == "one":
            return f.new_ones(()).expand(f.shape)
        if form == "one-plus-power":
            return 1 + f**n
        if form == "sum":
            return 1 + n * f
        return f**n if path == "plain" else (1 + f) ** n

    def by_hand(self, hand: Hand, f: Number, n: Number, path: str = "residual", form: str = "power") -> Array:
        """Write the factor of one layer, then its power."""
        one = number_like(f, 1)
        if form == "one":
            return hand.taken(hand.label(), None, one, Text("unchanged", "不变"))
        say = Text("one factor per layer", "每层乘一次")
        if form == "one-plus-power":
            return hand.sum(hand.label(), None, (one, hand.power("f^n", None, f, n, say)), say)
        if form == "sum":
            return hand.sum(hand.label(), None, (one, hand.product("n·f", None, (n, f), say)), say)
        layer = Text("derivative of one layer with its residual", "一层（含残差）的导数")
        factor = f if path == "plain" else hand.sum("1 + f", None, (one, f), layer)
        return hand.power(hand.label(), None, factor, n, say)


class Dropout(Operation):
    """``dropout(X, keep, p)``: X · keep / (1 − p), inverted dropout; X and ``keep`` have one shape, ``keep`` holds 0 or 1.

    ``p`` is the probability of being dropped, as in ``nn.Dropout``.

    Parameters: ``mode`` is ``train``, or ``eval``, where X passes unchanged. ``rescale`` is ``train`` (kept values are divided
    by 1 − p in training); the mistakes are ``never``, ``test`` (multiplied by 1 − p at test time, as before dropout was
    inverted), ``again`` (divided by 1 − p at test time too), ``by-p`` (divided by p) and ``multiplied`` (by 1 − p, in training). ``drops`` is ``train``, or ``always`` for the mistake of dropping at test time too.
    """

    name = "dropout"
    section = "7.23"
    title = Text("Drop at random, and rescale what is kept", "随机丢弃，并放大保留的值")
    reason = Text(
        "A share $p$ of the values is set to 0 in training. Dividing the others by $1 - p$ keeps the expected value as it was, so nothing needs doing at test time.",
        "训练时，比例为 $p$ 的值置为 0；其余的除以 $1 - p$，期望就保持不变，测试时什么也不用做。",
    )
    aligned = (0, 1)
    mistakes = (
        Mistake(
            "dropout.not-rescaled",
            Text(
                "You didn't rescale: in training the kept values are divided by $1 - p$",
                "你没有放大：训练时，保留的值要除以 $1 - p$",
            ),
            only_with("mode", "train", "train", with_parameters(rescale="never")),
        ),
        Mistake(
            "dropout.divided-by-p",
            Text("You divided by $p$, the share dropped, not by $1 - p$", "你除以了丢弃的比例 $p$，应当除以 $1 - p$"),
            only_with("mode", "train", "train", with_parameters(rescale="by-p")),
        ),
        Mistake(
            "dropout.multiplied",
            Text(
                "You multiplied the kept values by $1 - p$; in training they are divided by it",
                "你给保留的值乘了 $1 - p$，训练时应当除以它",
            ),
            only_with("mode", "train", "train", with_parameters(rescale="multiplied")),
        ),
        Mistake(
            "dropout.rescaled-at-test",
            Text(
                "You rescaled at test time; inverted dropout has done so in training",
                "你在测试时又做了缩放，而 inverted dropout 在训练时已经做过了",
            ),
            only_with("mode", "eval", "train", with_parameters(rescale="test")),
        ),
        Mistake(
            "dropout.rescaled-twice",
            Text(
                "You divided by $1 - p$ at test time too; nothing is dropped then, so there is nothing to make up for",
                "你在测试时也除以了 $1 - p$，而测试时什么都不丢，不需要放大",
            ),
            only_with("mode", "eval", "train", with_parameters(rescale="again")),
        ),
        Mistake(
            "dropout.dropped-at-test",
            Text("You dropped values at test time; dropout is off then", "你在测试时也丢弃了，而测试时 dropout 是关闭的"),
            only_with("mode", "eval", "train", with_parameters(drops="always")),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        X, keep, p = map(symbol, line.arguments)
        if line.parameter("mode", "train") == "eval":
            return f"{symbol(line.node)} = {X}"
        return rf"{symbol(line.node)} = \frac{{{X} \odot {keep}}}{{1 - {p}}}"

    def torch(
        self, X: Tensor, keep: Tensor, p: Tensor, mode: str = "train", rescale: str = "train", drops: str = "train"
    ) -> Tensor:
        """Zero what is not kept and rescale the rest."""
        require(X.shape == keep.shape, "equal shapes", X=X, keep=keep)
        if mode == "eval" and drops != "always":
            return {"test": X * (1 - p), "again": X / (1 - p)}.get(rescale, X)
        kept = {"train": X / (1 - p), "by-p": X / p, "multiplied": X * (1 - p)}.get(rescale, X)
        return kept.masked_fill(keep == 0, 0.0)

    def by_hand(
        self,
        hand: Hand,
        X: Array,
        keep: Array,
        p: Number,
        mode: str = "train",
        rescale: str = "train",
        drops: str = "train",
    ) -> Array:
        """Copy zeros, divide the others."""
        one = number_like(p, 1)
        unchanged = Text("unchanged at test time", "测试时原样通过")
        kept = Text("kept: divided by $1 - p$", "保留：除以 $1 - p$")
        left = one
        if (rescale, mode) in (("train", "train"), ("multiplied", "train"), ("test", "eval"), ("again", "eval")) or (
            rescale == "train" and drops == "always"
        ):
            left = hand.difference("1 − p", None, one, p, Text("share that is kept", "保留的比例"))

        def cell(value: Number, *index: int) -> Number:
            row = index[0] if len(index) > 1 else 0
            label = hand.label(*index)
            if mode == "eval" and drops != "always":
                if rescale == "test":
                    return hand.product(label, row, (value, left), kept)
                if rescale == "again":
                    return hand.quotient(label, row, value, left, kept)
                return hand.taken(label, row, value, unchanged)
            flag = keep
            for position in index:
                flag = flag[position]
            if flag == 0:
                return hand.taken(label, row, value * 0, Text("dropped", "丢弃"))
            if rescale == "multiplied":
                return hand.product(label, row, (value, left), kept)
            return hand.quotient(label, row, value, p if rescale == "by-p" else left, kept)

        return each_cell(X, cell)


def _unlike_its_root(_program: Program, line: Call) -> bool:
    """Tell whether variance and deviation differ: not for standard components scaled by √d_k, where both are 1."""
    return line.parameter("scaled", "no") != "root" or len(line.arguments) > 1


def _shows_deviations(program: Program, line: Call) -> bool:
    """Tell whether a deviation that isn't 1 is given; scaled by √d_k, σ_q σ_k is the deviation of the product anyway."""
    given = any(program.values.get(name) != 1 for name in line.arguments[1:])
    return given and line.parameter("scaled", "no") != "root"


class DotVariance(Operation):
    """``dot_variance(d_k)``: the variance of q · k, d_k; components independent, with mean 0 and variance 1.

    With ``dot_variance(d_k, sigma_q, sigma_k)`` the components have these standard deviations: d_k · σ_q² · σ_k².

    Parameters: ``of`` is ``variance`` or ``deviation`` (its square root); ``scaled`` is ``no``, ``root`` (after ÷ √d_k) or
    ``d_k`` (after ÷ d_k). ``form`` is ``sum``; the mistakes are ``square`` (d_k² for d_k) and ``plain`` (σ_q · σ_k, not
    squared). ``divides`` is ``square``, or ``once`` for the mistake of dividing the variance by c, not by c².
    """

    name = "dot_variance"
    section = "7.9"
    title = Text("Spread of the dot product", "点积的离散程度")
    reason = Text(
        "Each product of two components has mean 0, and its variance is the product of theirs. The $d_k$ products are uncorrelated, so their variances add up. Dividing by $c$ divides the variance by $c^2$.",
        "每一对分量之积的均值是 0，方差是两者方差之积；$d_k$ 个乘积互不相关，方差直接相加。再除以 $c$，方差就除以 $c^2$。",
    )
    mistakes = (
        Mistake(
            "dot_variance.swapped",
            Text(
                "You mixed up the variance and the standard deviation, which is its square root",
                "你把方差和标准差弄混了，标准差是方差的平方根",
            ),
            only_if(_unlike_its_root, other_of("of", "variance", "deviation")),
        ),
        Mistake(
            "dot_variance.not-scaled",
            Text("You left out the scaling", "你没有算上缩放"),
            only_if(lambda _program, line: line.parameter("scaled", "no") != "no", with_parameters(scaled="no")),
        ),
        Mistake(
            "dot_variance.square",
            Text("You took $d_k^2$ for the variance of the sum; it is $d_k$", "你把和的方差当成了 $d_k^2$，应当是 $d_k$"),
            only_with("of", "variance", "variance", with_parameters(form="square")),
        ),
        Mistake(
            "dot_variance.divided-once",
            Text(
                "You divided the variance by $\\sqrt{d_k}$; it is divided by the square of that",
                "你把方差除以了 $\\sqrt{d_k}$，应当除以它的平方",
            ),
            only_with("scaled", "root", "no", with_parameters(divides="once")),
        ),
        Mistake(
            "dot_variance.deviations",
            Text(
                "You multiplied by the components' standard deviations; variances are their squares",
                "你乘的是各分量的标准差，方差要用它们的平方",
            ),
            only_if(_shows_deviations, with_parameters(form="plain")),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        d_k, *spreads = map(symbol, line.arguments)
        scaled = line.parameter("scaled", "no")
        root = line.parameter("of", "variance") == "deviation"
        top = " ".join([d_k, *(rf"{{{spread}}}^2" for spread in spreads)])
        bottom = {"root": rf"(\sqrt{{{d_k}}})^2", "d_k": f"{d_k}^2"}.get(str(scaled))
        variance = rf"\frac{{{top}}}{{{bottom}}}" if bottom else top
        return rf"{symbol(line.node)} = " + (rf"\sqrt{{{variance}}}" if root else variance)

    def torch(
        self,
        d_k: Tensor,
        sigma_q: Tensor | None = None,
        sigma_k: Tensor | None = None,
        of: str = "variance",
        scaled: str = "no",
        form: str = "sum",
        divides: str = "square",
    ) -> Tensor:
        """Compute the variance of the sum, divided by the square of the scale."""
        variance = d_k**2 if form == "square" else d_k
        if sigma_q is not None and sigma_k is not None:
            spread = sigma_q * sigma_k
            variance = variance * (spread if form == "plain" else spread**2)
        if scaled != "no":
            scale = d_k.sqrt() if scaled == "root" else d_k
            variance = variance / (scale if divides == "once" else scale**2)
        return variance.sqrt() if of == "deviation" else variance

    def by_hand(
        self,
        hand: Hand,
        d_k: Number,
        sigma_q: Number = None,
        sigma_k: Number = None,
        of: str = "variance",
        scaled: str = "no",
        form: str = "sum",
        divides: str = "square",
    ) -> Array:
        """Add the variances up, divide by the square of the scale, take the root."""
        root = of == "deviation"
        one = d_k if form == "square" else number_like(d_k, 1)
        plain = hand.label() if scaled == "no" and not root else "Var"
        if sigma_q is None:
            say = Text("as many products as components, each of variance 1", "每个分量一个乘积，方差各为 1")
            value = hand.product(plain, None, (d_k, one), say)
        else:
            parts = (sigma_q, sigma_k) if form == "plain" else (sigma_q, sigma_q, sigma_k, sigma_k)
            each = Text(
                "variance of one product: the variances of its factors, multiplied", "一个乘积的方差，即两个因子的方差相乘"
            )
            single = hand.product("Var(q_j k_j)", None, parts, each)
            say = Text("as many products as components", "有多少个分量，就有多少个乘积")
            value = hand.product(plain, None, (d_k, single) if form != "square" else (d_k, one, single), say)
        if scaled != "no":
            scale = (
                hand.root("√d_k", None, d_k, Text("the scale", "缩放因子")) if divides == "once" and scaled == "root" else d_k
            )
            square = scale
            if scaled == "d_k" and divides != "once":
                square = hand.product("c²", None, (d_k, d_k), Text("square of the scale", "缩放因子的平方"))
            label = "Var" if root else hand.label()
            value = hand.quotient(label, None, value, square, Text("divided by the square of the scale", "除以缩放因子的平方"))
        say = Text("standard deviation: the square root", "标准差，即平方根")
        return hand.root(hand.label(), None, value, say) if root else value


OPERATIONS = (ResidualGradient(), Dropout(), DotVariance())
