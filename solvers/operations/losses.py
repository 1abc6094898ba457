"""Cross-entropy, perplexity, and smoothed targets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from question_bank.program import Ask, Call, Program
from question_bank.text import Text
from solvers.hand import Array, Hand, LineKind, Number, number_like, subscript
from solvers.operations.base import Edited, Mistake, Operation, only_with, other_of, rewire, symbol, with_parameters
from solvers.operations.normalizing import LARGEST_PLAIN_EXPONENT
from solvers.operations.scoring import each_cell
from solvers.shapes import require

if TYPE_CHECKING:
    from torch import Tensor

IGNORED = -100
"""The target of a position that counts for nothing, as in torch's ``ignore_index``."""


def _ignored_counted(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
    """Edit: ignored positions count in the mean; no mistake where none is ignored, or the targets are probabilities."""
    targets = program.values.get(line.arguments[1])
    if line.arguments[1] in program.values and (not isinstance(targets, tuple) or IGNORED in targets):
        yield from with_parameters(over="all")(program, line, ask)


def _summed(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
    """Edit: the losses are added up; no mistake where there is one position only."""
    targets, logits = program.values.get(line.arguments[1]), program.values.get(line.arguments[0])
    shifted = line.parameter("shift", "no") == "yes"
    if isinstance(logits, tuple) and not isinstance(logits[0], tuple):
        return
    if not isinstance(targets, tuple) or sum(target != IGNORED for target in targets[shifted:]) > 1:
        yield from with_parameters(form="sum")(program, line, ask)


def _one_hot(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
    """Edit: the loss is taken against the target before it was smoothed."""
    smoothed = program.lines.get(line.arguments[1])
    if smoothed is not None and smoothed.operation == LabelSmoothing.name:
        yield Edited(replace(program, asks=(ask,)).with_call(rewire(line, 1, smoothed.arguments[0])))


class CrossEntropy(Operation):
    """``cross_entropy(logits, targets)``: the mean of −ln softmax(logits)[target] over the positions that are not ignored.

    Logits [S, V] with targets [S], or one position's [V] with a single target. A target is a class's number, or −100 for a
    position to be ignored; targets of the logits' own shape are taken for probabilities, such as smoothed ones.

    Parameters: ``first`` is the number of the first class, 0 or 1 (0, as in torch). ``shift`` is ``no``; with ``yes`` the
    targets are the tokens themselves, and the logits of position t are held against token t + 1. ``over`` is ``kept``, or
    ``all`` for the mistake of counting ignored positions in the mean; ``form`` is ``mean``, or ``sum`` for the mistake;
    ``base`` is ``e``, or ``2`` for the mistake; ``sign`` is ``minus``, or ``plus`` for the mistake. ``of`` is ``classes``, or ``probabilities``, by which the formula says so.
    """

    name = "cross_entropy"
    section = "7.22"
    title = Text("Cross-entropy", "交叉熵")
    reason = Text(
        "The loss of a position is $-\\ln$ of the probability given to the right token, and $-\\ln \\text{softmax}(z)_y = \\ln \\sum_k e^{z_k} - z_y$; a smoothed target weighs this loss over all tokens. Over several positions the mean is taken, of those that count.",
        "一个位置的损失，是正确 token 的概率取对数再取负，而 $-\\ln \\text{softmax}(z)_y = \\ln \\sum_k e^{z_k} - z_y$；目标若是平滑后的分布，就按它的概率对各个 token 的损失加权。位置不止一个时，对计入损失的位置取平均。",
    )
    mistakes = (
        Mistake(
            "cross_entropy.log-2",
            Text("You took logarithms to base 2; the loss uses $\\ln$", "你用了以 2 为底的对数，损失用的是 $\\ln$"),
            with_parameters(base="2"),
        ),
        Mistake(
            "cross_entropy.sign",
            Text(
                "You left out the minus sign: the logarithm of a probability is negative, a loss is not",
                "你漏掉了负号：概率的对数是负数，损失要取它的相反数",
            ),
            with_parameters(sign="plus"),
        ),
        Mistake(
            "cross_entropy.one-hot",
            Text(
                "You took the loss against the one-hot target; it is taken against the smoothed one",
                "你算的是对 one-hot 目标的损失，应当对平滑之后的目标算",
            ),
            _one_hot,
        ),
        Mistake(
            "cross_entropy.sum",
            Text("You added up the losses; their mean is asked for", "你把各位置的损失加了起来，要的是平均值"),
            _summed,
        ),
        Mistake(
            "cross_entropy.not-shifted",
            Text(
                "You compared each position with its own token; it predicts the next one",
                "你让每个位置去对自己的 token，而它预测的是下一个",
            ),
            only_with("shift", "yes", "no", with_parameters(shift="no")),
        ),
        Mistake(
            "cross_entropy.ignored-in-mean",
            Text(
                "You divided by the number of all positions; ignored ones don't count in the mean",
                "你除以了全部位置的个数，而忽略的位置不计入平均",
            ),
            _ignored_counted,
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        logits, targets = map(symbol, line.arguments)
        if line.parameter("of", "classes") == "probabilities":
            return rf"{symbol(line.node)} = -\sum_k {targets}_k \ln \mathrm{{softmax}}({logits})_k"
        later = "t+1" if line.parameter("shift", "no") == "yes" else "t"
        return rf"{symbol(line.node)} = -\frac{{1}}{{n}} \sum_t \ln \mathrm{{softmax}}({logits}_t)_{{{targets}_{{{later}}}}}"

    def torch(
        self,
        logits: Tensor,
        targets: Tensor,
        first: int = 0,
        shift: str = "no",
        over: str = "kept",
        form: str = "mean",
        base: str = "e",
        of: str = "classes",
        sign: str = "minus",
    ) -> Tensor:
        """Take the logarithm of the softmax, pick the targets, average."""
        import torch

        if shift == "yes":
            logits, targets = logits[..., :-1, :], targets[..., 1:]
        logs = logits.log_softmax(-1) * (-1 if sign == "plus" else 1)  # [.., S, V]
        if base == "2":
            logs = logs / torch.log(torch.tensor(2.0, dtype=logits.dtype))
        if targets.dim() == logits.dim():
            require(targets.shape == logits.shape, "equal shapes", logits=logits, targets=targets)
            losses = -(targets * logs).sum(-1)
            kept = torch.ones_like(losses, dtype=torch.bool)
        else:
            require(targets.shape == logits.shape[:-1], "one target per position", logits=logits, targets=targets)
            kept = targets != IGNORED  # [.., S]
            classes = torch.where(kept, targets - first, 0).long()
            losses = torch.where(kept, -logs.gather(-1, classes.unsqueeze(-1)).squeeze(-1), 0.0)  # [.., S]
        if form == "sum":
            return losses.sum()
        return losses.sum() / (kept.sum() if over == "kept" else kept.numel())

    def by_hand(
        self,
        hand: Hand,
        logits: Array,
        targets: Array,
        first: int = 0,
        shift: str = "no",
        over: str = "kept",
        form: str = "mean",
        base: str = "e",
        of: str = "classes",
        sign: str = "minus",
    ) -> Array:
        """Write out each position's loss, then their mean."""
        if not isinstance(logits[0], list):
            single = self._position(hand, hand.label(), None, logits, targets, first)
            return self._in_base(hand, single, base) * (-1 if sign == "plus" else 1)
        if shift == "yes":
            logits, targets = logits[:-1], targets[1:]
        counted = [t for t, target in enumerate(targets) if isinstance(target, list) or target != IGNORED]
        losses = [
            self._in_base(hand, self._position(hand, f"L{subscript(t)}", t, logits[t], targets[t], first), base)
            for t in counted
        ]
        if sign == "plus":
            losses = [-loss for loss in losses]
        if form == "sum":
            return hand.sum(hand.label(), None, losses, Text("sum of the losses", "各位置的损失之和"))
        ignored = len(logits) - len(counted) if over == "all" else 0
        if not losses:
            none = number_like(logits[0][0], 0)
            return hand.quotient(hand.label(), None, none, none, Text("no position counts", "没有一个位置计入损失"))
        return hand.mean(hand.label(), None, losses, Text("mean of the losses", "各位置损失的平均"), -ignored)

    def _position(self, hand: Hand, label: str, t: int | None, row: Array, target: Any, first: int) -> Number:
        where = [*([] if t is None else [t])]
        largest = max(value for value in row)
        if isinstance(largest, float) and LARGEST_PLAIN_EXPONENT < abs(largest) < hand.infinity:
            say = Text("subtract the largest logit; the loss stays the same", "先减去最大的 logit，损失不变")
            row = [hand.difference(f"{hand.given('z', *where, k)}", None, z, largest, say) for k, z in enumerate(row)]
        raising = Text("exponential of each logit", "每个 logit 取指数")
        powers = [hand.exponential(f"e^{hand.given('z', *where, k)}", None, z, raising) for k, z in enumerate(row)]
        total = hand.sum(f"Σ{subscript(*where)}", None, powers, Text("their sum", "求和"))
        log = hand.function(
            LineKind.LOGARITHM, f"ln Σ{subscript(*where)}", None, total, Text("logarithm of the sum", "和的对数")
        )
        if not isinstance(target, list):
            say = Text("minus the logit of the target", "减去目标 token 的 logit")
            return hand.difference(label, None, log, row[int(target) - first], say)
        each = Text("$-\\ln$ of each probability", "每个概率取 $-\\ln$")
        parts = [hand.difference(f"l{subscript(*where, k)}", None, log, z, each) for k, z in enumerate(row)]
        return hand.dot(label, None, target, parts, Text("weighted by the target's probabilities", "按目标的概率加权求和"))

    def _in_base(self, hand: Hand, loss: Number, base: str) -> Number:
        if base == "e":
            return loss
        say = Text("to base 2", "换成以 2 为底")
        return hand.quotient("", None, loss, hand.function(LineKind.LOGARITHM, "", None, number_like(loss, 2), say), say)


class Perplexity(Operation):
    """``perplexity(loss)``: e to the mean cross-entropy.

    Parameters: ``base`` is ``e``, or ``2``, which is right for a loss in bits and a mistake for one taken with ln.
    """

    name = "perplexity"
    section = "7.22"
    title = Text("Perplexity", "困惑度")
    reason = Text(
        "Undoing the logarithm turns the loss into a number of tokens: the model is as uncertain as if it chose evenly among that many.",
        "把损失从对数还原回来，就成了 token 的个数：模型拿不准的程度，相当于在这么多个 token 里均匀地挑一个。",
    )
    mistakes = (
        Mistake(
            "perplexity.base-2",
            Text(
                "You took a power of 2; a loss taken with $\\ln$ needs a power of $e$",
                "你算的是 2 的幂；损失用 $\\ln$ 算，就应当取 $e$ 的幂",
            ),
            only_with("base", "e", "e", with_parameters(base="2")),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        return rf"{symbol(line.node)} = {line.parameter('base', 'e')}^{{{symbol(line.arguments[0])}}}"

    def torch(self, loss: Tensor, base: str = "e") -> Tensor:
        """Exponentiate."""
        return loss.exp() if base == "e" else loss.exp2()

    def by_hand(self, hand: Hand, loss: Number, base: str = "e") -> Array:
        """Exponentiate."""
        say = Text("exponential of the loss", "损失取指数")
        return (
            hand.exponential(hand.label(), None, loss, say)
            if base == "e"
            else hand.power(hand.label(), None, number_like(loss, 2), loss, say)
        )


class LabelSmoothing(Operation):
    """``label_smoothing(y, epsilon)``: one-hot targets [.., K] with the share ε spread over other classes.

    Parameters: ``over`` is ``all``: the target gets 1 − ε + ε/K and every other class ε/K (torch's ``label_smoothing``;
    Szegedy et al. 2016); or ``others``: the target gets 1 − ε and every other class ε/(K − 1). ``target`` is ``smoothed``, or
    ``no-share`` for the mistake (1 − ε, though ε is spread over all); ``share`` is ``even``, or ``whole`` for the mistake of ε
    for each.
    """

    name = "label_smoothing"
    section = "7.23"
    title = Text("Smooth the targets", "平滑目标分布")
    reason = Text(
        "A target of exactly 1 drives the logits apart without limit. Taking the share $\\varepsilon$ from it and spreading it evenly keeps the sum at 1, and the best logits are finite again.",
        "目标恰好为 1，会让 logit 的差距无止境地拉大。从中拿出 $\\varepsilon$ 平均分掉，总和仍是 1，最优的 logit 也就不再趋于无穷。",
    )
    aligned = (0,)
    mistakes = (
        Mistake(
            "label_smoothing.over-others",
            Text(
                "You spread $\\varepsilon$ over the other $K - 1$ classes; here all $K$ share it",
                "你把 $\\varepsilon$ 分给了其余 $K - 1$ 类，这里应当由全部 $K$ 类平分",
            ),
            only_with("over", "all", "all", other_of("over", "all", "others")),
        ),
        Mistake(
            "label_smoothing.over-all",
            Text(
                "You spread $\\varepsilon$ over all $K$ classes; here only the other $K - 1$ share it",
                "你把 $\\varepsilon$ 分给了全部 $K$ 类，这里只由其余 $K - 1$ 类平分",
            ),
            only_with("over", "others", "all", other_of("over", "all", "others")),
        ),
        Mistake(
            "label_smoothing.not-shared",
            Text(
                "You gave each class the whole $\\varepsilon$; they share it",
                "你给每一类都分了整个 $\\varepsilon$，而 $\\varepsilon$ 应由各类平分",
            ),
            with_parameters(share="whole"),
        ),
        Mistake(
            "label_smoothing.target-without-share",
            Text(
                "You gave the target $1 - \\varepsilon$ alone; it gets its share of $\\varepsilon$ as well",
                "你只给了目标类 $1 - \\varepsilon$，而它自己也分到一份 $\\varepsilon$",
            ),
            only_with("over", "all", "all", with_parameters(target="no-share")),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        y, epsilon = symbol(line.arguments[0]), r"\varepsilon"
        if line.parameter("over", "all") == "others":
            return rf"{symbol(line.node)} = (1 - {epsilon}) {y} + \frac{{{epsilon}}}{{K - 1}} (1 - {y})"
        return rf"{symbol(line.node)} = (1 - {epsilon}) {y} + \frac{{{epsilon}}}{{K}}"

    def torch(self, y: Tensor, epsilon: Tensor, over: str = "all", target: str = "smoothed", share: str = "even") -> Tensor:
        """Mix the targets with the uniform distribution over all classes, or over the others."""
        classes = y.shape[-1]
        each = epsilon if share == "whole" else epsilon / (classes - 1 if over == "others" else classes)
        takes = 1 - y if over == "others" or target == "no-share" else 1
        return y * (1 - epsilon) + takes * each  # [.., K]

    def by_hand(
        self, hand: Hand, y: Array, epsilon: Number, over: str = "all", target: str = "smoothed", share: str = "even"
    ) -> Array:
        """Write both shares, then each class."""
        one = number_like(epsilon, 1)
        classes = len(y[0] if isinstance(y[0], list) else y)
        kept = hand.difference("1 − ε", None, one, epsilon, Text("what the target keeps", "目标保留的部分"))
        if over == "others":
            said, bottom = Text("share of each other class", "其余每一类分到的份额"), classes - 1
        else:
            said, bottom = Text("share of each class", "每一类分到的份额"), classes
        label = "ε/(K − 1)" if over == "others" else "ε/K"
        each = epsilon
        if share == "even":
            each = hand.quotient(label, None, epsilon, number_like(epsilon, bottom), said)
        say = Text("what it keeps of the target, plus its share", "保留的部分加上分到的份额")

        def cell(value: Number, *index: int) -> Number:
            row = index[0] if len(index) > 1 else 0
            gets = one - value if over == "others" or target == "no-share" else one
            return hand.dot(hand.label(*index), row, (value, gets), (kept, each), say)

        return each_cell(y, cell)


OPERATIONS = (CrossEntropy(), Perplexity(), LabelSmoothing())
