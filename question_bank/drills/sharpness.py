"""How the softmax answers to its scores: temperature and derivative (7.10)."""

from __future__ import annotations

from fractions import Fraction

from question_bank.drills.base import Draw, Drawn, Drill, decimal, log_of, name_node
from question_bank.program import AnswerFormat, Ask, Call, Kind, Nested, Program, call
from question_bank.text import Text


def _softmax_temperature(draw: Draw, level: int) -> Drawn:
    row: tuple[Nested, ...]
    heat: int | Fraction
    if level == 1:
        heat = Fraction(1, 2) if draw.integer(0, 1) else 2
        bases = draw.until(lambda: draw.vector(3, 1, 6), lambda made: len(set(made)) > 1)
        row = tuple(log_of(base * base if heat == 2 else base) for base in bases)
    elif level == 2:
        heat = Fraction(draw.choice((1, 4, 8)), 2)
        row = draw.until(lambda: draw.vector(3, -2, 4), lambda made: len(set(made)) > 1)
    else:
        heat = decimal(10 * draw.choice((4, 5, 6, 7, 8, 12, 15, 20, 25)))
        row = tuple(decimal(10 * draw.integer(-20, 30)) for _ in range(4))
    form = AnswerFormat(Kind.VECTOR, decimals=4 if level == 3 else 3, dimensions=(len(row),))
    return Drawn(
        Text(
            "Compute the softmax $p$ of the scores $z$ at temperature $T$, to {n} decimals; fractions are welcome.",
            "求分数 $z$ 在温度 $T$ 下的 softmax，记作 $p$，保留 {n} 位小数，也可以写 1/3 这样的分数。",
        ).fill(n=form.decimals),
        Program(
            (("z", row), ("T", heat)),
            (call("y", "temperature", "z", "T"), call("p", "softmax", "y")),
            (Ask("p", form, label=name_node("p")),),
        ),
    )


def _softmax_jacobian(draw: Draw, level: int) -> Drawn:
    size = draw.choice((3, 4)) if level == 1 else 3
    i, j = draw.integer(0, size - 1), draw.integer(0, size - 1)
    if level < 3 and draw.integer(1, 3) > 1:
        i, j = draw.shuffled(range(size))[:2]
    calls: tuple[Call, ...] = (call("J", "softmax_jacobian", "p"),)
    inputs: tuple[tuple[str, Nested], ...]
    if level == 1:
        cuts = (0, *sorted(draw.shuffled(range(1, 10))[: size - 1]), 10)
        inputs = (("p", tuple(decimal(10 * (cuts[at + 1] - cuts[at])) for at in range(size))),)
        given = Text("$p$ is the softmax of a row of scores $z$.", "$p$ 是一行分数 $z$ 的 softmax。")
    else:
        calls = (call("p", "softmax", "z"), *calls)
        row: tuple[Nested, ...] = tuple(log_of(draw.integer(1, 6)) for _ in range(size))
        if level == 3:
            row = tuple(decimal(10 * draw.integer(-15, 20)) for _ in range(size))
        inputs = (("z", row),)
        given = Text("Let $p$ be the softmax of the row $z$.", "设 $p$ 是这一行 $z$ 的 softmax。")
    form = AnswerFormat(Kind.NUMBER, decimals=2 if level == 1 else 4)
    entry = f"$J_{{{i + 1}{j + 1}}}$"
    return Drawn(
        Text(
            "{given} Compute the entry in row {i}, column {j} of its Jacobian $J$, that is $J_{{i}{j}} = \\partial p_{i} / \\partial z_{j}$, to {n} decimals.",
            "{given}求它的 Jacobian 矩阵 $J$ 第 {i} 行第 {j} 列的一项，即 $J_{{i}{j}} = \\partial p_{i} / \\partial z_{j}$，保留 {n} 位小数。",
        ).fill(given=given, i=i + 1, j=j + 1, n=form.decimals),
        Program(inputs, calls, (Ask("J", form, (i, j), label=Text(entry, f" {entry} ")),)),
    )


DRILLS = (
    Drill(
        "softmax-temperature",
        "7.10",
        Text("Softmax at a temperature", "带温度的 softmax"),
        "0",
        (1, 2, 3),
        _softmax_temperature,
        hints=(
            Text("A low temperature sharpens, a high one evens out.", "温度低，分布更尖锐；温度高，分布更平均。"),
            Text("Divide every score by $T$, then take the softmax.", "每个分数先除以 $T$，再做 softmax。"),
            Text(
                "Dividing by $1/2$ doubles, and $e^{2 \\ln a} = a^2$; dividing by 2 halves, and $e^{\\ln(a) / 2} = \\sqrt{a}$.",
                "除以 $1/2$ 就是乘 2，$e^{2 \\ln a} = a^2$；除以 2 就是减半，$e^{\\ln(a) / 2} = \\sqrt{a}$。",
            ),
        ),
    ),
    Drill(
        "softmax-jacobian",
        "7.10",
        Text("One derivative of the softmax", "softmax 的一个偏导数"),
        "0",
        (1, 2, 3),
        _softmax_jacobian,
        hints=(
            Text("Does raising that score raise this weight, or lower it?", "那个分数变大，这个权重是变大还是变小？"),
            Text(
                "$\\partial p_i / \\partial z_j = p_i (\\delta_{ij} - p_j)$, with $\\delta_{ij} = 1$ for $i = j$ and 0 otherwise.",
                "$\\partial p_i / \\partial z_j = p_i (\\delta_{ij} - p_j)$，$i = j$ 时 $\\delta_{ij} = 1$，否则为 0。",
            ),
            Text(
                "On the diagonal $p_i (1 - p_i)$; off it $-p_i p_j$, which is negative.",
                "对角线上是 $p_i (1 - p_i)$；其余是 $-p_i p_j$，为负。",
            ),
        ),
    ),
)
