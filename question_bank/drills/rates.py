"""Learning rates (7.23): the Transformer's schedule, and cosine decay."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from question_bank import models
from question_bank.drills.base import Draw, Drawn, Drill, Revised, name_node
from question_bank.program import AnswerFormat, Ask, Call, Kind, Nested, Program, call
from question_bank.text import Text

_RATE = AnswerFormat(Kind.NUMBER, significant=3)


def _noam_rate(draw: Draw, level: int, where: bool = True) -> Drawn:
    if level == 1:
        width = draw.choice((4, 16, 25, 64, 100, 256, 400))
        root = draw.choice((4, 5, 10, 20))
        warmup = root * root
        after = draw.integer(0, 1) == 0
        step = (root * draw.integer(2, 6)) ** 2 if after else root**2 // draw.choice((1, 2, 4, 5, 10))
        step = max(step, 1)
    elif level == 2:
        width = draw.choice((16, 36, 64, 100, 144, 256))
        warmup = draw.choice((100, 400, 900, 1600))
        step = draw.choice((10, 20, 50, 100, 200, 300, 500, 1000, 2000, 2500, 3600, 6400, 10_000))
    elif level == 3:
        width = draw.choice((96, 128, 192, 320, 384, 640, 896))
        warmup = draw.choice((500, 800, 1000, 1500, 2000, 2500, 3000, 5000))
        step = 100 * draw.integer(1, 150)
    else:
        width = draw.choice((models.TRANSFORMER_BASE, models.TRANSFORMER_BIG)).d_model
        warmup = 4000
        step = draw.choice((100, 250, 500, 1000)) * draw.integer(1, 100)
    inputs: tuple[tuple[str, Nested], ...] = (("step", step), ("d_model", width), ("warmup", warmup))
    rate, peak = call("r", "noam_rate", "step", "d_model", "warmup"), call("p", "noam_rate", "warmup", "d_model", "warmup")
    if level == 1:
        question = Text(
            "Give the learning rate $r$ at this step, to 3 significant digits; fractions are welcome.",
            "求这一步的学习率 $r$，保留 3 位有效数字，也可以写成分数。",
        )
        asks: tuple[Ask, ...] = (Ask("r", _RATE, label=Text("$r$", " $r$ ")),)
        calls: tuple[Call, ...] = (rate,)
    elif level == 2 and where:
        question = Text(
            "Give the learning rate $r$ at this step, the step $t$ at which the rate is highest, and the rate $p$ at this peak; the rates to 3 significant digits.",
            "求这一步的学习率 $r$、学习率最高的那一步 $t$，以及这个峰值 $p$；学习率保留 3 位有效数字。",
        )
        asks = (
            Ask("r", _RATE, label=Text("$r$, at this step", " $r$，这一步的学习率")),
            Ask("t", AnswerFormat(Kind.INTEGER, decimals=0), label=Text("$t$, step of the peak", " $t$，峰值所在的步数")),
            Ask("p", _RATE, label=Text("$p$, the peak", " $p$，峰值")),
        )
        calls = (rate, call("t", "noam_peak", "warmup"), call("p", "noam_rate", "t", "d_model", "warmup"))
    else:
        question = Text(
            "Give the learning rate $r$ at this step, and its peak $p$, to 3 significant digits.",
            "求这一步的学习率 $r$，以及整个过程的峰值 $p$，保留 3 位有效数字。",
        )
        asks = (
            Ask("r", _RATE, label=Text("$r$, at this step", " $r$，这一步的学习率")),
            Ask("p", _RATE, label=Text("$p$, the peak", " $p$，峰值")),
        )
        calls = (rate, peak)
    begins = Text(
        "A model is trained with the schedule of the Transformer paper (Noam): warm-up, then inverse square root; steps count from 1.",
        "训练采用 Transformer 论文的学习率方案（Noam）：先 warm-up，再按平方根倒数下降，步数从 1 数起。",
    )
    if level == 4:
        begins = Text(
            "The Transformer was trained with warm-up and inverse square root decay (the Noam schedule); steps count from 1.",
            "Transformer 训练时先 warm-up，再按平方根倒数下降（Noam 方案），步数从 1 数起。",
        )
    return Drawn(begins + question, Program(inputs, calls, asks))


def _cosine_rate(draw: Draw, level: int) -> Drawn:
    digits = 4 if level == 4 else 3  # with a warm-up that short, where the decay begins is seen in the fourth digit
    if level == 4:
        # Touvron et al. 2023 (Llama 2), section 2.2: 7B and 13B, or 34B and 70B; 2T tokens in batches of 4M are 500,000 steps.
        peak, warmup, total = draw.choice((Fraction(3, 10_000), Fraction(15, 100_000))), 2000, 500_000
        floor = peak / 10
        early = draw.integer(0, 5) == 0
        step = 50 * draw.integer(1, 39) if early else 1000 * draw.integer(3, 497)
    else:
        peak = Fraction(draw.integer(2, 12 if level > 1 else 9), 1000)
        floor = Fraction(draw.choice((1, 2, 5)), 10_000)
        warmup = draw.choice((100, 200, 300, 400) if level < 3 else (150, 250, 500, 800))
        span = draw.choice((600, 1200, 2400) if level < 3 else (1700, 2300, 3100, 4700))
        total = warmup + span
        twelfths = draw.choice({1: (4, 6), 2: (2, 3, 4, 6, 9, 10)}.get(level, (0,)))
        step = warmup + (span * twelfths // 12 if level < 3 else 50 * draw.integer(2, span // 50 - 2))
        if draw.integer(0, 3) == 0:
            step = warmup * draw.choice((1, 2, 3, 4)) // 5 if level < 3 else 10 * draw.integer(2, warmup // 10 - 1)
    begins = Text(
        "The learning rate rises in a straight line from 0 to its highest value ($\\text{peak}$) at step $\\text{warmup}$, then falls along half a cosine to its lowest ($\\text{floor}$) at step $\\text{total}$.",
        "学习率从 0 直线上升，到第 $\\text{warmup}$ 步达到峰值 $\\text{peak}$；之后沿半个余弦下降，到第 $\\text{total}$ 步降到下限 $\\text{floor}$。",
    )
    if level == 4:
        begins = Text(
            "Llama 2 was trained with a cosine schedule: up in a straight line from 0 to the highest rate ($\\text{peak}$) at step $\\text{warmup}$, then down along half a cosine to a tenth of it ($\\text{floor}$) at step $\\text{total}$.",
            "Llama 2 训练时用余弦方案：从 0 直线上升，到第 $\\text{warmup}$ 步达到峰值 $\\text{peak}$；之后沿半个余弦下降，到第 $\\text{total}$ 步降到峰值的十分之一 $\\text{floor}$。",
        )
    question = Text(
        "Give the learning rate $r$ at this step, to {n} significant digits.",
        "求这一步的学习率 $r$，保留 {n} 位有效数字。",
    ).fill(n=digits)
    inputs: tuple[tuple[str, Nested], ...] = (
        ("step", step), ("warmup", warmup), ("total", total), ("peak", peak), ("floor", floor),
    )  # fmt: skip
    return Drawn(
        begins + question,
        Program(
            inputs,
            (call("r", "cosine_rate", "step", "warmup", "total", "peak", "floor"),),
            (Ask("r", AnswerFormat(Kind.NUMBER, significant=digits), label=name_node("r")),),
        ),
    )


DRILLS = (
    Drill(
        "noam-rate",
        "7.23",
        Text("Learning rate of the Transformer", "Transformer 的学习率"),
        "0",
        (1, 2, 3, 4),
        _noam_rate,
        hints=(
            Text(
                "Up to the end of the warm-up the rate grows with the step; afterwards it falls.",
                "warm-up 结束之前，学习率随步数上升，之后下降。",
            ),
            Text(
                "The smaller of two branches counts, $\\text{step}^{-0.5}$ and $\\text{step} \\cdot \\text{warmup}^{-1.5}$, times a factor for the width.",
                "取 $\\text{step}^{-0.5}$ 和 $\\text{step} \\cdot \\text{warmup}^{-1.5}$ 中较小的一个，再乘一个与宽度有关的因子。",
            ),
            Text(
                "That factor is $d_{\\text{model}}^{-0.5}$; at the peak both branches are equal, at $\\text{step} = \\text{warmup}$.",
                "这个因子是 $d_{\\text{model}}^{-0.5}$；峰值出现在 $\\text{step} = \\text{warmup}$，此时两个分支相等。",
            ),
        ),
        revised=(Revised(2, "1", partial(_noam_rate, where=False)),),
    ),
    Drill(
        "cosine-rate",
        "7.23",
        Text("Learning rate with cosine decay", "余弦衰减的学习率"),
        "0",
        (1, 2, 3, 4),
        _cosine_rate,
        hints=(
            Text("First see whether the step lies in the warm-up or after it.", "先看这一步在 warm-up 之内还是之后。"),
            Text(
                "In the warm-up the rate is a share of the peak. After it, work out how much of the decay is done, from 0 to 1, counted from the end of the warm-up.",
                "warm-up 期间，学习率是峰值的一个比例；之后先算下降进行了多少（0 到 1），从 warm-up 结束时算起。",
            ),
            Text(
                "With that share $x$ the rate is $\\text{floor} + (\\text{peak} - \\text{floor})(1 + \\cos \\pi x)/2$, in radians.",
                "设这个比例为 $x$，学习率是 $\\text{floor} + (\\text{peak} - \\text{floor})(1 + \\cos \\pi x)/2$，角度用弧度。",
            ),
        ),
    ),
)
