"""Dropout and label smoothing (7.23)."""

from __future__ import annotations

from fractions import Fraction

from question_bank.drills.base import Draw, Drawn, Drill, decimal, log_of
from question_bank.program import AnswerFormat, Ask, Kind, Nested, Program, call
from question_bank.text import Text


def _dropout_scale(draw: Draw, level: int) -> Drawn:
    length = {1: 4, 2: 5, 3: 6}[level]
    keep = draw.until(lambda: draw.vector(length, 0, 1), lambda made: 2 <= sum(made) < length)
    if level == 1:
        # 1 − p is 4/5, 3/4, 2/5, 1/5: the values are multiples of its numerator
        share, unit = draw.choice(((Fraction(1, 5), 4), (Fraction(1, 4), 3), (Fraction(3, 5), 2), (Fraction(4, 5), 1)))
        values: Nested = tuple(unit * draw.integer(1, 6) * (-1 if draw.integer(0, 5) == 0 else 1) for _ in range(length))
    elif level == 2:
        share = Fraction(draw.choice((10, 20, 30, 40)), 100)
        values = tuple(draw.choice((-3, -2, -1, 1, 2, 3, 4, 5, 6, 8)) for _ in range(length))
    else:
        share = Fraction(draw.choice((5, 10, 15, 30, 35)), 100)
        values = tuple(decimal(10 * draw.choice((-19, -12, -7, -4, 3, 6, 9, 13, 17, 24, 28))) for _ in range(length))
    form = AnswerFormat(Kind.VECTOR, decimals=2 if level == 1 else 3, dimensions=(length,))
    return Drawn(
        Text(
            "$x$ holds activations, $p$ is the probability of being dropped, as in nn.Dropout, and $m$ says which activations are kept (1) this time. Give the output $y$ of dropout in training and $z$ at test time, to {n} decimals.",
            "$x$ 是一组激活值，$p$ 是丢弃概率（与 nn.Dropout 一致），$m$ 标出这一次保留（1）了哪些。给出 dropout 在训练时的输出 $y$ 和测试时的输出 $z$，保留 {n} 位小数。",
        ).fill(n=form.decimals),
        Program(
            (("x", values), ("m", keep), ("p", share)),
            (call("y", "dropout", "x", "m", "p"), call("z", "dropout", "x", "m", "p", mode="eval")),
            (
                Ask("y", form, label=Text("$y$, in training", " $y$，训练时")),
                Ask("z", form, label=Text("$z$, at test time", " $z$，测试时")),
            ),
        ),
    )


_OVER = {
    "all": Text(
        "As in PyTorch, $\\varepsilon$ is spread evenly over all $K$ classes, the target included.",
        "与 PyTorch 一致：$\\varepsilon$ 由全部 $K$ 类平分，目标类也分到一份。",
    ),
    "others": Text(
        "Here $\\varepsilon$ is spread evenly over the other $K - 1$ classes only.",
        "这里 $\\varepsilon$ 只由其余 $K - 1$ 类平分。",
    ),
}


def _label_smoothing(draw: Draw, level: int) -> Drawn:
    classes = {1: draw.choice((3, 4, 5, 6)), 2: 3, 3: 4}[level]
    target = draw.integer(0, classes - 1)
    one_hot: Nested = tuple(int(position == target) for position in range(classes))
    share = decimal(draw.choice((5, 10, 12, 15, 20, 24, 30, 40, 50) if level == 1 else (5, 10, 15, 20, 30)))
    over = draw.choice(("all", "others"))
    smoothed = call("q", "label_smoothing", "y", "ε", over=over)
    begins = Text(
        "$y$ is the one-hot target of a classification into $K$ classes. Smooth it with $\\varepsilon$.",
        "$y$ 是 $K$ 分类的 one-hot 目标，用 $\\varepsilon$ 做标签平滑。",
    )
    form = AnswerFormat(Kind.VECTOR, decimals=4, dimensions=(classes,))
    ask = Ask("q", form, label=Text("the smoothed target $q$", "平滑后的目标 $q$ "))
    if level == 1:
        question = Text("Give the smoothed target $q$, to 4 decimals.", "求平滑后的目标 $q$，保留 4 位小数。")
        return Drawn(begins + _OVER[over] + question, Program((("y", one_hot), ("ε", share)), (smoothed,), (ask,)))
    logits: Nested = (
        tuple(log_of(number) for number in draw.shuffled((1, 2, 3, 4, 5, 6, 7, 8))[:classes])
        if level == 2
        else tuple(decimal(10 * draw.integer(-20, 30)) for _ in range(classes))
    )
    question = Text(
        "Give the smoothed target $q$, to 4 decimals, and the cross-entropy $L$ (with $\\ln$) of the logits $z$ against it, to 4 decimals.",
        "求平滑后的目标 $q$，以及 logits $z$ 对它的交叉熵 $L$（用 $\\ln$），都保留 4 位小数。",
    )
    return Drawn(
        begins + _OVER[over] + question,
        Program(
            (("y", one_hot), ("ε", share), ("z", logits)),
            (smoothed, call("L", "cross_entropy", "z", "q", of="probabilities")),
            (ask, Ask("L", AnswerFormat(Kind.NUMBER, decimals=4), label=Text("the loss $L$", "损失 $L$ "))),
        ),
    )


DRILLS = (
    Drill(
        "dropout-scale",
        "7.23",
        Text("Dropout in training and at test time", "训练时与测试时的 dropout"),
        "0",
        (1, 2, 3),
        _dropout_scale,
        hints=(
            Text("What is dropped becomes 0; the expected value must stay as it was.", "丢弃的变成 0，而期望要保持不变。"),
            Text("In training what is kept is divided by the share that is kept.", "训练时，保留的值要除以保留的比例。"),
            Text(
                "Divide by $1 - p$ in training; at test time pass $x$ on unchanged.",
                "训练时除以 $1 - p$；测试时 $x$ 原样通过。",
            ),
        ),
    ),
    Drill(
        "label-smoothing",
        "7.23",
        Text("Label smoothing", "标签平滑"),
        "0",
        (1, 2, 3),
        _label_smoothing,
        hints=(
            Text("The smoothed target still adds up to 1.", "平滑之后，各项之和仍是 1。"),
            Text(
                "The target gives $\\varepsilon$ away, and every class that takes part gets the same share of it.",
                "目标类让出 $\\varepsilon$，由参与分配的各类平分。",
            ),
            Text(
                "Over all $K$ classes a share is $\\varepsilon/K$, and the target has $1 - \\varepsilon + \\varepsilon/K$; over the others it is $\\varepsilon/(K - 1)$, and the target has $1 - \\varepsilon$.",
                "全部 $K$ 类平分时，每份 $\\varepsilon/K$，目标类是 $1 - \\varepsilon + \\varepsilon/K$；只给其余各类时，每份 $\\varepsilon/(K - 1)$，目标类是 $1 - \\varepsilon$。",
            ),
        ),
    ),
)
