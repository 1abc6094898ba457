"""Learning rates: warm-up with inverse square root, and warm-up with cosine decay."""

from __future__ import annotations

from typing import TYPE_CHECKING

from question_bank.program import Call, Program
from question_bank.text import Text
from solvers.hand import Array, Hand, LineKind, Number, number_like
from solvers.operations.base import Mistake, Operation, only_if, symbol, with_parameters

if TYPE_CHECKING:
    from torch import Tensor


def _warming(program: Program, line: Call) -> bool:
    """Tell whether the step lies in the warm-up, its end included; so, too, where the numbers are not known beforehand."""
    step, warmup = program.values.get(line.arguments[0]), program.values.get(_warmup(line))
    return not (isinstance(step, int) and isinstance(warmup, int)) or step <= warmup


def _cooling(program: Program, line: Call) -> bool:
    """Tell whether the step lies behind the warm-up and the branches of a schedule differ there."""
    step, warmup = program.values.get(line.arguments[0]), program.values.get(_warmup(line))
    return not (isinstance(step, int) and isinstance(warmup, int)) or step > warmup


def _at_the_peak(program: Program, line: Call) -> bool:
    step, warmup = program.values.get(line.arguments[0]), program.values.get(_warmup(line))
    return step is not None and step == warmup


def _warmup(line: Call) -> str:
    return line.arguments[2] if line.operation == "noam_rate" else line.arguments[1]


class NoamRate(Operation):
    """``noam_rate(step, d_model, warmup)``: d_model^−½ · min(step^−½, step · warmup^−3/2), steps counted from 1.

    Vaswani et al. 2017, equation 3. Linear up to ``warmup``, where the peak is 1/√(d_model · warmup); then as 1/√step.

    Parameters: ``form`` is ``min``; the mistakes are ``max``, and ``half`` (the warm-up branch with warmup^−½).
    """

    name = "noam_rate"
    title = Text("Learning rate with warm-up and inverse square root", "先 warm-up、再按平方根倒数下降的学习率")
    reason = Text(
        "During the warm-up the rate grows in proportion to the step, then it falls as $1/\\sqrt{\\text{step}}$; the minimum picks the branch. Turned over, the formula keeps clear of tiny numbers: the smaller rate has the larger reciprocal.",
        "warm-up 期间学习率与步数成正比，之后按 $1/\\sqrt{\\text{step}}$ 下降，取最小值就是选对分支。先算倒数，可以避开很小的数：学习率越小，倒数越大。",
    )
    mistakes = (
        Mistake(
            "noam_rate.maximum",
            Text("You took the larger of the two branches, not the smaller", "你取了两个分支中较大的，应当取较小的"),
            only_if(lambda program, line: not _at_the_peak(program, line), with_parameters(form="max")),
        ),
        Mistake(
            "noam_rate.warmup-power",
            Text(
                "You used $\\text{warmup}^{-0.5}$ in the warm-up branch; its power is $-1.5$",
                "warm-up 分支里你用了 $\\text{warmup}^{-0.5}$，指数应当是 $-1.5$",
            ),
            only_if(_warming, with_parameters(form="half")),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        step, width, warmup = map(symbol, line.arguments)
        return rf"{symbol(line.node)} = {width}^{{-0.5}} \cdot \min({step}^{{-0.5}}, {step} \cdot {warmup}^{{-1.5}})"

    def torch(self, step: Tensor, d_model: Tensor, warmup: Tensor, form: str = "min") -> Tensor:
        """Compute the rate as the paper writes it."""
        import torch

        if form == "half":
            return d_model**-0.5 * step * warmup**-0.5
        pick = torch.minimum if form == "min" else torch.maximum
        return d_model**-0.5 * pick(step**-0.5, step * warmup**-1.5)

    def by_hand(self, hand: Hand, step: Number, d_model: Number, warmup: Number, form: str = "min") -> Array:
        """Compute the reciprocals of both branches, pick one, and turn it over."""
        one = number_like(step, 1)
        of_warmup = hand.root("√warmup", None, warmup, Text("square root of the warm-up", "warm-up 步数的平方根"))
        up = Text("warm-up branch, turned over", "warm-up 分支的倒数")
        if form == "half":
            picked = hand.quotient("", None, of_warmup, step, up)
        else:
            cubed = hand.product(
                "warmup^1.5", None, (warmup, of_warmup), Text("warm-up to the power 1.5", "warm-up 步数的 1.5 次方")
            )
            rising = hand.quotient("a", None, cubed, step, up)
            falling = hand.root(
                "b",
                None,
                step,
                Text("falling branch, turned over: $\\sqrt{\\text{step}}$", "下降分支的倒数：$\\sqrt{\\text{step}}$"),
            )
            pick = hand.largest if form == "min" else hand.smallest
            picked = pick(
                "c", None, (rising, falling), Text("the smaller rate has the larger reciprocal", "学习率较小的分支，倒数较大")
            )
        width = hand.root("√d_model", None, d_model, Text("square root of the model width", "模型宽度的平方根"))
        bottom = hand.product("√d_model · c", None, (width, picked), Text("both factors, turned over", "两个因子的倒数之积"))
        return hand.quotient(hand.label(), None, one, bottom, Text("turn it over again", "再取倒数"))


class CosineRate(Operation):
    """``cosine_rate(step, warmup, total, peak, floor)``: linear to the peak, then half a cosine down to the floor.

    Up to step ``warmup`` the rate is peak · step / warmup; then floor + (peak − floor) · (1 + cos πx) / 2, x running from 0 at
    ``warmup`` to 1 at ``total``; afterwards it stays at the floor. (Loshchilov and Hutter 2017, equation 5, one period.)

    Parameters: ``angle`` is ``radians``, or ``degrees`` for the mistake; ``lowest`` is ``floor``, or ``zero`` for the mistake.
    """

    name = "cosine_rate"
    title = Text("Learning rate with warm-up and cosine decay", "先 warm-up、再按余弦下降的学习率")
    reason = Text(
        "The rate rises in a straight line during the warm-up; then half a period of a cosine takes it smoothly from the peak to the floor.",
        "warm-up 期间学习率直线上升，之后沿半个周期的余弦曲线，从峰值平滑地降到下限。",
    )
    mistakes = (
        Mistake(
            "cosine_rate.degrees",
            Text("You took the cosine in degrees; the angle is in radians", "你按角度算了余弦，这里的角是弧度"),
            only_if(_cooling, with_parameters(angle="degrees")),
        ),
        Mistake(
            "cosine_rate.no-floor",
            Text("You let the rate fall to 0, not to the floor", "你让学习率降到了 0，应当降到下限"),
            only_if(
                lambda program, line: _cooling(program, line) and program.values.get(line.arguments[4]) != 0,
                with_parameters(lowest="zero"),
            ),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        step, warmup, total, peak, floor = map(symbol, line.arguments)
        share = rf"\frac{{{step} - {warmup}}}{{{total} - {warmup}}}"
        rising = rf"\frac{{{step}}}{{{warmup}}} \cdot {peak} \quad ({step} < {warmup})"
        falling = rf"{floor} + ({peak} - {floor}) \cdot \frac{{1 + \cos(\pi x)}}{{2}}, \quad x = {share}"
        return rf"{symbol(line.node)} = {rising}, \quad {symbol(line.node)} = {falling}"

    def torch(
        self,
        step: Tensor,
        warmup: Tensor,
        total: Tensor,
        peak: Tensor,
        floor: Tensor,
        angle: str = "radians",
        lowest: str = "floor",
    ) -> Tensor:
        """Compute both branches and pick by the step."""
        import torch

        x = ((step - warmup) / (total - warmup)).clamp(max=1)
        turn = torch.pi * x
        if angle == "degrees":
            turn = turn.deg2rad()
        least = floor if lowest == "floor" else torch.zeros_like(floor)
        return torch.where(step < warmup, peak * step / warmup, least + (peak - least) * (1 + turn.cos()) / 2)

    def by_hand(
        self,
        hand: Hand,
        step: Number,
        warmup: Number,
        total: Number,
        peak: Number,
        floor: Number,
        angle: str = "radians",
        lowest: str = "floor",
    ) -> Array:
        """Write out the branch in which the step lies."""
        if step < warmup:
            share = hand.quotient("x", None, step, warmup, Text("share of the warm-up that is done", "warm-up 已完成的比例"))
            return hand.product(hand.label(), None, (peak, share), Text("that share of the peak", "峰值乘以这个比例"))
        one, two = number_like(step, 1), number_like(step, 2)
        done = hand.difference("step − warmup", None, step, warmup, Text("steps since the warm-up", "warm-up 之后的步数"))
        whole = hand.difference("total − warmup", None, total, warmup, Text("steps of the decay in all", "下降阶段的总步数"))
        x = hand.quotient("x", None, done, whole, Text("share of the decay that is done", "下降已完成的比例"))
        if x > 1:
            x = hand.smallest("x", None, (x, one), Text("behind the end it stays at 1", "结束之后保持为 1"))
        turn = hand.product("πx", None, (hand.pi, x), Text("angle in radians", "角度（弧度）"))
        if angle == "degrees":
            turn = turn * hand.pi / 180
        wave = hand.function(LineKind.COSINE, "cos πx", None, turn, Text("its cosine", "取余弦"))
        raised = hand.sum("1 + cos πx", None, (one, wave), Text("from 2 down to 0", "从 2 降到 0"))
        weight = hand.quotient("w", None, raised, two, Text("from 1 down to 0", "从 1 降到 0"))
        least = floor if lowest == "floor" else floor * 0
        span = hand.difference("peak − floor", None, peak, least, Text("from the floor up to the peak", "峰值与下限之差"))
        above = hand.product("(peak − floor)·w", None, (span, weight), Text("what is left of it", "还剩下的部分"))
        return hand.sum(hand.label(), None, (least, above), Text("above the floor", "加上下限"))


OPERATIONS = (NoamRate(), CosineRate())
