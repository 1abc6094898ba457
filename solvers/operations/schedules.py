"""Learning rates: warm-up with inverse square root, and warm-up with cosine decay."""

from __future__ import annotations

from typing import TYPE_CHECKING

from question_bank.program import Call, Program
from question_bank.text import Text
from solvers.hand import Array, Hand, LineKind, Number, number_like
from solvers.operations.base import Mistake, Operation, only_if, rewired, symbol, with_parameters

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
    found = program.lines.get(line.arguments[0])
    return (step is not None and step == warmup) or (found is not None and found.operation == "noam_peak")


def _elsewhere(program: Program, line: Call) -> bool:
    """Tell whether the program's step is another than the last one of the warm-up."""
    return program.values.get("step") != program.values.get(line.arguments[0])


def _warmup(line: Call) -> str:
    return line.arguments[2] if line.operation == "noam_rate" else line.arguments[1]


class NoamRate(Operation):
    """``noam_rate(step, d_model, warmup)``: d_model^−½ · min(step^−½, step · warmup^−3/2), steps counted from 1.

    Vaswani et al. 2017, equation 3. Linear up to ``warmup``, where the peak is 1/√(d_model · warmup); then as 1/√step.

    Parameters: ``form`` is ``min``; the mistakes are ``max``, and ``half`` (the warm-up branch with warmup^−½). ``width`` is
    ``root``; the mistakes are ``left-out`` and ``whole`` (÷ d_model).
    """

    name = "noam_rate"
    section = "7.23"
    title = Text("Learning rate with warm-up and inverse square root", "先 warm-up、再按平方根倒数下降的学习率")
    reason = Text(
        "During the warm-up the rate grows in proportion to the step, then it falls as $1/\\sqrt{\\text{step}}$; the minimum picks the branch. Working with reciprocals avoids tiny numbers: the smaller rate has the larger reciprocal.",
        "warm-up 期间学习率与步数成正比，之后按 $1/\\sqrt{\\text{step}}$ 下降，取两者中较小的，就选对了分支。先算倒数，可以避开很小的数：学习率越小，倒数越大。",
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
        Mistake(
            "noam_rate.no-width",
            Text("You left out $d_{\\text{model}}^{-0.5}$", "你漏乘了 $d_{\\text{model}}^{-0.5}$"),
            with_parameters(width="left-out"),
        ),
        Mistake(
            "noam_rate.whole-width",
            Text(
                "You divided by $d_{\\text{model}}$, not by its root",
                "你除以了 $d_{\\text{model}}$，应当除以它的平方根",
            ),
            with_parameters(width="whole"),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        step, width, warmup = map(symbol, line.arguments)
        return rf"{symbol(line.node)} = {width}^{{-0.5}} \cdot \min({step}^{{-0.5}}, {step} \cdot {warmup}^{{-1.5}})"

    def torch(self, step: Tensor, d_model: Tensor, warmup: Tensor, form: str = "min", width: str = "root") -> Tensor:
        """Compute the rate as the paper writes it."""
        import torch

        factor = d_model ** {"root": -0.5, "left-out": 0.0, "whole": -1.0}[width]
        if form == "half":
            return factor * step * warmup**-0.5
        pick = torch.minimum if form == "min" else torch.maximum
        return factor * pick(step**-0.5, step * warmup**-1.5)

    def by_hand(
        self, hand: Hand, step: Number, d_model: Number, warmup: Number, form: str = "min", width: str = "root"
    ) -> Array:
        """Compute the reciprocals of both branches, pick one, and turn it over."""
        one = number_like(step, 1)
        of_warmup = hand.root("√warmup", None, warmup, Text("square root of the warm-up", "warm-up 步数的平方根"))
        up = Text("reciprocal of the warm-up branch", "warm-up 分支的倒数")
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
                Text("reciprocal of the falling branch: $\\sqrt{\\text{step}}$", "下降分支的倒数：$\\sqrt{\\text{step}}$"),
            )
            pick = hand.largest if form == "min" else hand.smallest
            picked = pick(
                "c", None, (rising, falling), Text("the smaller rate has the larger reciprocal", "学习率较小的分支，倒数较大")
            )
        bottom = picked
        if width != "left-out":
            root = d_model
            if width == "root":
                root = hand.root("√d_model", None, d_model, Text("square root of the model width", "模型宽度的平方根"))
            both = Text("product of both reciprocals", "两个倒数之积")
            bottom = hand.product("√d_model · c", None, (root, picked), both)
        return hand.quotient(hand.label(), None, one, bottom, Text("take the reciprocal again", "再取倒数"))


class NoamPeak(Operation):
    """``noam_peak(warmup)``: the step at which ``noam_rate`` is highest, the last one of the warm-up.

    Parameters: ``form`` is ``peak``; the mistakes are ``first`` (step 1) and ``after`` (the step behind the warm-up).
    """

    name = "noam_peak"
    section = "7.23"
    title = Text("Find the step of the highest rate", "找出学习率最高的一步")
    reason = Text(
        "The rate rises with every step of the warm-up and falls with every step after it. The branches meet where $\\text{step}^{-0.5} = \\text{step} \\cdot \\text{warmup}^{-1.5}$, which is at $\\text{step} = \\text{warmup}$.",
        "warm-up 期间学习率每一步都在上升，之后每一步都在下降。两个分支在 $\\text{step}^{-0.5} = \\text{step} \\cdot \\text{warmup}^{-1.5}$ 处相接，即 $\\text{step} = \\text{warmup}$。",
    )
    mistakes = (
        Mistake(
            "noam_peak.first",
            Text(
                "You took the first step; the rate rises until the warm-up is over",
                "你取了第 1 步，而学习率要一直升到 warm-up 结束",
            ),
            with_parameters(form="first"),
        ),
        Mistake(
            "noam_peak.after",
            Text(
                "You went one step too far: the peak is at the last step of the warm-up",
                "你多走了一步：峰值就在 warm-up 的最后一步",
            ),
            with_parameters(form="after"),
        ),
        Mistake(
            "noam_peak.given-step",
            Text(
                "You gave the step whose rate was asked for before; the highest rate is elsewhere",
                "你给的是前面求学习率的那一步，最高点不在那里",
            ),
            only_if(_elsewhere, rewired(0, "step")),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        return f"{symbol(line.node)} = {symbol(line.arguments[0])}"

    def torch(self, warmup: Tensor, form: str = "peak") -> Tensor:
        """Return the last step of the warm-up."""
        return warmup.new_ones(()) if form == "first" else warmup + (1 if form == "after" else 0)

    def by_hand(self, hand: Hand, warmup: Number, form: str = "peak") -> Array:
        """Take it over."""
        one = number_like(warmup, 1)
        step = {"peak": warmup, "first": one, "after": warmup + one}[form]
        return hand.taken(hand.label(), None, step, Text("the last step of the warm-up", "warm-up 的最后一步"))


def _rising(program: Program, line: Call) -> bool:
    """Tell whether the step is known to lie in the warm-up, before its end."""
    step, warmup = program.values.get(line.arguments[0]), program.values.get(_warmup(line))
    return isinstance(step, int) and isinstance(warmup, int) and step < warmup


def _halfway(program: Program, line: Call) -> bool:
    """Tell whether the step is the middle of the decay, where a cosine and a straight line meet."""
    step, warmup, total = (program.values.get(name) for name in line.arguments[:3])
    return isinstance(step, int) and isinstance(warmup, int) and isinstance(total, int) and 2 * step == warmup + total


def _third(program: Program, line: Call) -> bool:
    """Tell whether a third of the decay is done, where 1 − cos πx is 1 + cos 2πx."""
    step, warmup, total = (program.values.get(name) for name in line.arguments[:3])
    known = isinstance(step, int) and isinstance(warmup, int) and isinstance(total, int)
    return known and 3 * (step - warmup) == total - warmup  # type: ignore[operator]


class CosineRate(Operation):
    """``cosine_rate(step, warmup, total, peak, floor)``: linear to the peak, then half a cosine down to the floor.

    Up to step ``warmup`` the rate is peak · step / warmup; then floor + (peak − floor) · (1 + cos πx) / 2, x running from 0 at
    ``warmup`` to 1 at ``total``; afterwards it stays at the floor. (Loshchilov and Hutter 2017, equation 5, one period.)

    Parameters: ``angle`` is ``radians``, or ``degrees`` for the mistake; ``lowest`` is ``floor``; the mistakes are ``zero``
    and ``added`` (to the whole peak · (1 + cos πx) / 2); ``start`` is ``warmup``, or ``zero`` for the mistake of x running
    from step 0; ``curve`` is ``cosine``; the mistakes are ``line``, ``period`` (a whole one) and ``rising``; ``rise`` is ``zero``; the mistakes are ``none`` and ``floor`` (where it starts).
    """

    name = "cosine_rate"
    section = "7.23"
    title = Text("Learning rate with warm-up and cosine decay", "先 warm-up、再按余弦衰减的学习率")
    reason = Text(
        "The rate rises in a straight line during the warm-up; then half a period of a cosine takes it smoothly from the peak to the floor.",
        "warm-up 期间学习率直线上升，之后沿半个周期的余弦曲线，从峰值平滑地降到下限。",
    )
    mistakes = (
        Mistake(
            "cosine_rate.degrees",
            Text("You took the cosine in degrees; the angle is in radians", "你把角度当成了度，应当按弧度算"),
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
        Mistake(
            "cosine_rate.floor-on-top",
            Text(
                "You let the whole peak fall and added the floor; only what is above the floor falls",
                "你让整个峰值按曲线下降，再加上下限；而下降的只是峰值高出下限的那一段",
            ),
            only_if(
                lambda program, line: _cooling(program, line) and program.values.get(line.arguments[4]) != 0,
                with_parameters(lowest="added"),
            ),
        ),
        Mistake(
            "cosine_rate.from-the-start",
            Text(
                "You measured the decay from step 0; it begins where the warm-up ends",
                "你从第 0 步开始算下降，而下降是从 warm-up 结束时开始的",
            ),
            only_if(_cooling, with_parameters(start="zero")),
        ),
        Mistake(
            "cosine_rate.straight",
            Text("You let the rate fall in a straight line, not along a cosine", "你让学习率直线下降了，应当沿余弦曲线下降"),
            only_if(
                lambda program, line: _cooling(program, line) and not _halfway(program, line), with_parameters(curve="line")
            ),
        ),
        Mistake(
            "cosine_rate.rising",
            Text(
                "You took $1 - \\cos \\pi x$, which rises; the rate falls with $1 + \\cos \\pi x$",
                "你用的是上升的 $1 - \\cos \\pi x$，学习率应当按 $1 + \\cos \\pi x$ 下降",
            ),
            only_if(
                lambda program, line: _cooling(program, line) and not _halfway(program, line) and not _third(program, line),
                with_parameters(curve="rising"),
            ),
        ),
        Mistake(
            "cosine_rate.whole-period",
            Text(
                "You took $\\cos 2 \\pi x$, a whole period; it is half of one, $\\cos \\pi x$",
                "你取的是整个周期 $\\cos 2 \\pi x$，这里只是半个周期 $\\cos \\pi x$",
            ),
            only_if(_cooling, with_parameters(curve="period")),
        ),
        Mistake(
            "cosine_rate.no-warmup",
            Text("You left out the warm-up and took the peak", "你没有算 warm-up，直接取了峰值"),
            only_if(_rising, with_parameters(rise="none")),
        ),
        Mistake(
            "cosine_rate.from-the-floor",
            Text(
                "You let the warm-up start at the floor; it starts at 0",
                "你让 warm-up 从下限开始上升，它应当从 0 开始",
            ),
            only_if(
                lambda program, line: _rising(program, line) and program.values.get(line.arguments[4]) != 0,
                with_parameters(rise="floor"),
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
        start: str = "warmup",
        curve: str = "cosine",
        rise: str = "zero",
    ) -> Tensor:
        """Compute both branches and pick by the step."""
        import torch

        begin = warmup if start == "warmup" else torch.zeros_like(warmup)
        x = ((step - begin) / (total - begin)).clamp(max=1)
        turn = torch.pi * x * (2 if curve == "period" else 1)
        if angle == "degrees":
            turn = turn.deg2rad()
        least = torch.zeros_like(floor) if lowest == "zero" else floor
        weight = 1 - x if curve == "line" else (1 + turn.cos()) / 2
        if curve == "rising":
            weight = 1 - weight
        from_least = floor if rise == "floor" else torch.zeros_like(floor)
        up = peak * 1 if rise == "none" else from_least + (peak - from_least) * step / warmup
        return torch.where(step < warmup, up, least + (peak if lowest == "added" else peak - least) * weight)

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
        start: str = "warmup",
        curve: str = "cosine",
        rise: str = "zero",
    ) -> Array:
        """Write out the branch in which the step lies."""
        if step < warmup:
            return self._rising(hand, step, warmup, peak, floor, rise)
        one = number_like(step, 1)
        warmup = warmup if start == "warmup" else warmup * 0
        done = hand.difference("step − warmup", None, step, warmup, Text("steps since the warm-up", "warm-up 之后的步数"))
        whole = hand.difference("total − warmup", None, total, warmup, Text("steps of the decay in all", "下降阶段的总步数"))
        x = hand.quotient("x", None, done, whole, Text("share of the decay that is done", "下降已完成的比例"))
        if x > 1:
            x = hand.smallest("x", None, (x, one), Text("after the end it stays at 1", "结束之后保持为 1"))
        weight = one - x if curve == "line" else self._half_wave(hand, x * 2 if curve == "period" else x, angle)
        if curve == "rising":
            weight = one - weight
        least = floor * 0 if lowest == "zero" else floor
        span = peak
        if lowest != "added":
            span = hand.difference("peak − floor", None, peak, least, Text("peak less floor", "峰值与下限之差"))
        above = hand.product(
            "(peak − floor)·w", None, (span, weight), Text("the part of it that is left", "其中还没降掉的部分")
        )
        return hand.sum(hand.label(), None, (least, above), Text("above the floor", "加上下限"))

    def _rising(self, hand: Hand, step: Number, warmup: Number, peak: Number, floor: Number, rise: str) -> Number:
        if rise == "none":
            return hand.taken(hand.label(), None, peak, Text("the peak", "峰值"))
        share = hand.quotient("x", None, step, warmup, Text("share of the warm-up that is done", "warm-up 已完成的比例"))
        if rise == "floor":
            return hand.sum(hand.label(), None, (floor, (peak - floor) * share), Text("above the floor", "加上下限"))
        return hand.product(hand.label(), None, (peak, share), Text("that share of the peak", "峰值乘以这个比例"))

    def _half_wave(self, hand: Hand, x: Number, angle: str) -> Number:
        one, two = number_like(x, 1), number_like(x, 2)
        turn = hand.product("πx", None, (hand.pi, x), Text("angle in radians", "角度（弧度）"))
        if angle == "degrees":
            turn = turn * hand.pi / 180
        wave = hand.function(LineKind.COSINE, "cos πx", None, turn, Text("its cosine", "取余弦"))
        raised = hand.sum(
            "1 + cos πx", None, (one, wave), Text("falls from 2 to 0 in the course of the decay", "随着下降从 2 减到 0")
        )
        return hand.quotient(
            "w",
            None,
            raised,
            two,
            Text("half of that: the share that is left, from 1 to 0", "取一半，即还剩下的比例：从 1 减到 0"),
        )


OPERATIONS = (NoamRate(), NoamPeak(), CosineRate())
