"""Choosing the next token (7.23): temperature, top-k, top-p."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

from question_bank.drills.base import Draw, Drawn, Drill, decimal, log_of, name_node
from question_bank.program import AnswerFormat, Ask, Call, Kind, Nested, Program, call
from question_bank.text import Text

_TOP_K = Text(
    "Keep the $k$ most probable tokens",
    "只保留概率最大的 $k$ 个 token",
)
_TOP_P = Text(
    "Keep, from the most probable token on, as few tokens as add up to at least $t$ (top-p; the token that reaches $t$ is kept)",
    "从概率最大的 token 开始，保留最少的几个，使概率之和不低于 $t$（top-p，使总和达到 $t$ 的那个 token 也保留）",
)
_QUESTION = Text(
    "{keep}, and give the distribution $q$ that is sampled from, for all tokens in their order, to 3 decimals.",
    "{keep}，写出用来采样的分布 $q$，按原来的顺序列出全部 token，保留 3 位小数。",
)
_BOTH = Text(
    "Give the probabilities $p$. {keep}, and give the distribution $q$ that is sampled from, for all tokens in their order; both to 3 decimals.",
    "先求概率 $p$。{keep}，写出用来采样的分布 $q$，按原来的顺序列出全部 token。都保留 3 位小数。",
)


def _cut(draw: Draw, length: int, thresholds: tuple[int, ...]) -> tuple[str, int | Fraction]:
    """Draw which tokens are kept: the k first, or those up to a threshold in hundredths."""
    if draw.integer(0, 1) == 0:
        return "top_k", draw.integer(2, length - 1)
    return "top_p", decimal(draw.choice(thresholds))


_TWENTIETHS = tuple(parts for parts in combinations(range(1, 15), 4) if sum(parts) == 20)
"""Four different numbers of twentieths that make a whole."""


def _kept(shares: tuple[int, ...], threshold: Fraction) -> int:
    """Return how many of the largest shares reach a threshold; of a sum that meets it exactly, 0."""
    total, reached = sum(shares), Fraction(0)
    for count, share in enumerate(sorted(shares, reverse=True), start=1):
        reached += Fraction(share, total)
        if reached == threshold:
            return 0
        if reached > threshold:
            return count
    return len(shares)


def _sampling(draw: Draw, level: int) -> Drawn:
    length = {1: 4, 2: 5, 3: 5}[level]
    thresholds = {1: (45, 50, 55, 65, 70, 75, 85), 2: (50, 60, 70, 75, 80, 85, 90), 3: (60, 70, 75, 80, 85, 90, 95)}[level]
    form = AnswerFormat(Kind.VECTOR, decimals=3, dimensions=(length,))
    asks: tuple[Ask, ...] = (Ask("q", form, label=name_node("q")),)
    if level > 1:
        asks = (Ask("p", form, label=name_node("p")), *asks)

    def fits(made: tuple[tuple[int, ...], tuple[str, int | Fraction]]) -> bool:
        shares, (operation, limit) = made
        return operation == "top_k" or 2 <= _kept(shares, Fraction(limit)) < length

    if level == 3:
        logits: Nested = tuple(decimal(10 * number) for number in _different(draw, length))
        operation, limit = _cut(draw, length, thresholds)
        temperature: Nested = draw.choice(
            (Fraction(1, 2), Fraction(4, 5), Fraction(7, 10), Fraction(6, 5), Fraction(3, 2), Fraction(2))
        )
        inputs: tuple[tuple[str, Nested], ...] = (("z", logits), ("T", temperature))
        calls: tuple[Call, ...] = (call("s", "temperature", "z", "T"), call("p", "softmax", "s"))
        begins = Text(
            "$z$ holds the logits of a vocabulary of {n} tokens. Sample with the temperature $T$: scale first, then cut.",
            "$z$ 是词表（共 {n} 个 token）的 logits。用温度 $T$ 采样，先调温度再截断。",
        )
    else:
        parts = draw.choice(_TWENTIETHS) if level == 1 else tuple(range(1, 10))
        shares, (operation, limit) = draw.until(lambda: (draw.shuffled(parts)[:length], _cut(draw, length, thresholds)), fits)
        if level == 1:
            given: Nested = tuple(decimal(5 * share) for share in shares)
            inputs, calls = (("p", given),), ()
            begins = Text("$p$ holds the probabilities of the next token.", "$p$ 是下一个 token 的概率分布。")
        else:
            logs: Nested = tuple(log_of(share) for share in shares)
            inputs, calls = (("z", logs),), (call("p", "softmax", "z"),)
            begins = Text(
                "$z$ holds the logits of a vocabulary of {n} tokens; the temperature is 1.",
                "$z$ 是词表（共 {n} 个 token）的 logits，温度为 1。",
            )
    name = "k" if operation == "top_k" else "t"
    keep = _TOP_K if operation == "top_k" else _TOP_P
    return Drawn(
        begins.fill(n=length) + (_QUESTION if level == 1 else _BOTH).fill(keep=keep),
        Program((*inputs, (name, limit)), (*calls, call("q", operation, "p", name)), asks),
    )


def _different(draw: Draw, length: int) -> tuple[int, ...]:
    return draw.until(lambda: draw.vector(length, -15, 30), lambda made: len(set(made)) == length and sum(made) != 0)


DRILLS = (
    Drill(
        "sampling",
        "7.23",
        Text("Temperature, top-k and top-p", "温度、top-k 与 top-p"),
        "0",
        (1, 2, 3),
        _sampling,
        hints=(
            Text(
                "See which tokens are kept, then make them a distribution again.",
                "先看保留哪些 token，再让它们重新成为一个分布。",
            ),
            Text(
                "A temperature divides the logits before the softmax. For top-p, add up the probabilities from the largest on; the token that reaches the threshold is kept.",
                "先把 logits 除以温度，再做 softmax。top-p 从最大的概率开始累加，使总和达到阈值的那个 token 也保留。",
            ),
            Text(
                "Divide each probability that is kept by their sum, and write 0 for the others.",
                "保留下来的概率各除以它们的和，其余写 0。",
            ),
        ),
    ),
)
