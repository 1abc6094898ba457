"""The softmax in floating point: the shift, the log-sum-exp, and where exponentials overflow (7.10)."""

from __future__ import annotations

from fractions import Fraction

from question_bank.drills.base import Draw, Drawn, Drill, decimal, log_of, name_node
from question_bank.program import AnswerFormat, Ask, Kind, Nested, Program, call
from question_bank.text import Text


def _far_off(draw: Draw, level: int) -> tuple[int | Fraction, ...]:
    """Draw scores near a number whose exponential is small or overflows; differences stay small."""
    if level == 2:
        base = draw.choice((0, 2, 800, 1000, 2000))
        return tuple(base + draw.integer(0, 5) for _ in range(3))
    base = draw.choice((0, 1000, 800, -1000))
    return tuple(decimal(100 * base + 10 * draw.integer(-15, 20)) for _ in range(4))


def _has_one_maximum(row: tuple[int | Fraction, ...]) -> bool:
    return row.count(max(row)) == 1


def _is_uneven(row: tuple[int, ...]) -> bool:
    """Tell whether a row tells mistakes apart: its sum has a logarithm, and the others show beside its largest score."""
    thousandths = (1000, 368, 135, 50, 18, 7, 2, 1, 0)  # e^0, e^-1 ...
    weight = sum(thousandths[max(row) - one] for one in row)
    return sum(row) > 1 and len(set(row)) > 1 and weight > 1700


_MAXIMA = (6, 8, 10, 12, 15, 16, 18, 20, 24, 28, 30)


def _stable_softmax(draw: Draw, level: int) -> Drawn:
    row: tuple[Nested, ...]
    if level == 1:
        most = draw.choice(_MAXIMA)
        parts = [part for part in range(2, most + 1) if most % part == 0]  # ln 1 as the minimum would shift nothing
        row = tuple(map(log_of, draw.shuffled((most, draw.choice(parts[:-1]), draw.choice(parts)))))
    else:
        far = draw.until(lambda: _far_off(draw, level), _has_one_maximum)
        row = far
    length, decimals = len(row), 4 if level == 3 else 3
    vector = AnswerFormat(Kind.VECTOR, decimals=decimals, dimensions=(length,))
    return Drawn(
        Text(
            "Compute the softmax so that nothing overflows. Give the shifted row $y$, its exponentials $u$, and their sum $l$, by which each is then divided, to {n} decimals; exact values such as $-\\ln 2$ or $1/3$ are welcome.",
            "用不会上溢的方式计算 softmax。写出平移后的 $y$、它的指数 $u$，以及随后用作分母的和 $l$。保留 {n} 位小数，也可以写 $-\\ln 2$、$1/3$ 这样的精确值。",
        ).fill(n=decimals),
        Program(
            (("z", row),),
            (call("y", "shift", "z"), call("u", "exponentials", "y"), call("l", "row_sum", "u")),
            (
                Ask("y", vector, label=Text("$y$, shifted", " $y$（平移后）")),
                Ask("u", vector, label=Text("$u$, exponentials", " $u$（指数）")),
                Ask("l", AnswerFormat(Kind.NUMBER, decimals=decimals), label=Text("$l$, their sum", " $l$（指数之和）")),
            ),
        ),
    )


def _log_sum_exp(draw: Draw, level: int) -> Drawn:
    row: tuple[Nested, ...]
    if level == 1:
        row = tuple(log_of(draw.integer(1, 9)) for _ in range(3))
    elif level == 2:
        small = draw.until(lambda: draw.vector(4, -3, 5), _is_uneven)
        row = small
    else:
        row = _far_off(draw, 3)
    decimals = 4 if level == 3 else 3
    how = Text(
        "to {n} decimals; an exact form such as $\\ln 12$ is welcome.", "保留 {n} 位小数，也可以写 $\\ln 12$ 这样的精确值。"
    ).fill(n=decimals)
    if level == 1:
        how = Text("exactly, such as $\\ln 12$.", "写成 $\\ln 12$ 这样的精确值。")
    return Drawn(
        Text(
            "Give $L = \\ln \\sum_i e^{z_i}$, the log-sum-exp of the row $z$, {how}",
            "求这一行 $z$ 的 log-sum-exp，即 $L = \\ln \\sum_i e^{z_i}$，{how}",
        ).fill(how=how),
        Program(
            (("z", row),),
            (call("L", "log_sum_exp", "z"),),
            (Ask("L", AnswerFormat(Kind.EXPRESSION if level == 1 else Kind.NUMBER, decimals=decimals), label=name_node("L")),),
        ),
    )


_LIMITS = {
    "float16": "$M = (2 - 2^{-10}) \\cdot 2^{15}$",
    "bfloat16": "$M = (2 - 2^{-7}) \\cdot 2^{127}$",
    "float32": "$M = (2 - 2^{-23}) \\cdot 2^{127}$",
    "float64": "$M = (2 - 2^{-52}) \\cdot 2^{1023}$",
    "float8_e5m2": "$M = 1.75 \\cdot 2^{15}$",
}
_ROUGH_LIMITS = {
    "float16": "$M \\approx 2^{16}$",
    "bfloat16": "$M \\approx 2^{128}$",
    "float32": "$M \\approx 2^{128}$",
    "float64": "$M \\approx 2^{1024}$",
}
_NAMES = {"float8_e5m2": "float8 (E5M2)"}


def _overflow(draw: Draw, level: int) -> Drawn:
    limits = _ROUGH_LIMITS if level == 1 else _LIMITS
    dtype = draw.choice(tuple(limits))
    terms = draw.choice(
        {
            1: (1, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096),
            2: (1, 2, 3, 5, 8, 10, 16, 20, 32, 50, 64, 100),
            3: (100, 128, 200, 256, 300, 384, 500, 512, 768, 1000, 1024, 2048),
        }[level]
    )
    width = draw.choice(
        {1: (1, 4, 9, 16, 25, 36, 64, 100), 2: (1, 4, 9, 16, 25, 36, 64, 100), 3: (1, 32, 48, 64, 80, 96, 128)}[level]
    )
    if level == 1 and dtype == "float64" and terms > 1:
        terms *= terms  # fewer would not show in three digits
    inputs: tuple[tuple[str, Nested], ...] = (("n", terms),)
    sum_of = Text("a single exponential $e^x$ ($n = 1$)", "单独一个指数 $e^x$（$n = 1$）")
    if terms > 1:
        sum_of = Text("the sum of $n$ equal exponentials $e^x$", " $n$ 个相同的指数 $e^x$ 之和")
    if width > 1:
        inputs += (("d_k", width),)
        sum_of = Text(
            "a single exponential of a scaled score, $e^{x / \\sqrt{d_k}}$ ($n = 1$),",
            "单独一个缩放后分数的指数 $e^{x / \\sqrt{d_k}}$（$n = 1$）",
        )
        if terms > 1:
            sum_of = Text(
                "the sum of $n$ equal exponentials of scaled scores, $e^{x / \\sqrt{d_k}}$,",
                " $n$ 个相同的缩放后分数的指数 $e^{x / \\sqrt{d_k}}$ 之和",
            )
    digits = Text("3 significant digits", "3 位有效数字") if level == 1 else Text("2 decimals", "2 位小数")
    form = AnswerFormat(Kind.NUMBER, decimals=2) if level > 1 else AnswerFormat(Kind.NUMBER, significant=3)
    return Drawn(
        Text(
            "No maximum is subtracted. The largest number of {dtype} is {limit}. What is the largest $x$ for which {what} does not overflow? Give {digits}.",
            "不减最大值。{dtype} 能表示的最大数是 {limit}。要让{what}不上溢，$x$ 最大是多少？保留 {digits}。",
        ).fill(dtype=_NAMES.get(dtype, dtype), limit=limits[dtype], what=sum_of, digits=digits),
        Program(
            inputs,
            (call("x", "largest_score", *(name for name, _ in inputs), dtype=dtype),),
            (Ask("x", form, label=name_node("x")),),
        ),
    )


DRILLS = (
    Drill(
        "stable-softmax",
        "7.10",
        Text("Softmax without overflow", "不会上溢的 softmax"),
        "0",
        (1, 2, 3),
        _stable_softmax,
        hints=(
            Text("Subtracting the same number from every score changes no weight.", "每个分数减去同一个数，权重不变。"),
            Text(
                "Subtract the largest score: the largest of the new row is 0, the others are negative.",
                "减去最大的分数：新的一行里最大的是 0，其余是负数。",
            ),
            Text(
                "$e^0 = 1$ and $e^{-\\ln a} = 1/a$; add up the exponentials of the shifted row, the 1 included.",
                "$e^0 = 1$，$e^{-\\ln a} = 1/a$；把平移后各项的指数加起来，别漏了那个 1。",
            ),
        ),
    ),
    Drill(
        "log-sum-exp",
        "7.10",
        Text("Log-sum-exp of a row", "一行的 log-sum-exp"),
        "0",
        (1, 2, 3),
        _log_sum_exp,
        hints=(
            Text("It is the logarithm of the softmax's denominator.", "它就是 softmax 分母的对数。"),
            Text("Exponentials first, then their sum, then one logarithm.", "先取指数，再求和，最后取一次对数。"),
            Text(
                "The result is a little above the largest score $m$: $m + \\ln \\sum_i e^{z_i - m}$.",
                "结果比最大的分数 $m$ 略大：$m + \\ln \\sum_i e^{z_i - m}$。",
            ),
        ),
    ),
    Drill(
        "overflow",
        "7.10",
        Text("The largest score that doesn't overflow", "不上溢的最大分数"),
        "0",
        (1, 2, 3),
        _overflow,
        hints=(
            Text("What is asked for is the logarithm of $M$ to base $e$.", "要求的是 $M$ 的对数，以 $e$ 为底。"),
            Text(
                "$\\ln 2^a = a \\ln 2$, and $\\ln 2 \\approx 0.6931$. Of $n$ terms each may be $M / n$.",
                "$\\ln 2^a = a \\ln 2$，$\\ln 2 \\approx 0.6931$。有 $n$ 项时，每一项最多是 $M / n$。",
            ),
            Text(
                "$\\ln M - \\ln n$; where scores are scaled first, times $\\sqrt{d_k}$.",
                "$\\ln M - \\ln n$；如果分数先缩放，再乘 $\\sqrt{d_k}$。",
            ),
        ),
    ),
)
