"""Positions inside the scores (7.3): rotations of queries and keys, and penalties by distance."""

from __future__ import annotations

from question_bank.drills.base import Draw, Drawn, Drill, Matrix, decimal, name_node
from question_bank.exact import Exact, Expression
from question_bank.program import AnswerFormat, Ask, Call, Kind, Nested, Program, call
from question_bank.text import Text

_PAIRS = {
    "interleaved": Text("neighbouring features are paired", "相邻的两个特征配成一对"),
    "halves": Text("the first half is paired with the second", "前一半与后一半依次配对"),
}


def _pi_over(divisor: int, times: int = 1) -> Exact:
    pi = Expression("pi")
    return Expression("/", (pi if times == 1 else Expression("*", (times, pi)), divisor))


def _angles(draw: Draw, level: int) -> tuple[tuple[tuple[str, Nested], ...], str, Text]:
    """Draw the angles of the pairs, how the features are paired, and the sentence that says both."""
    if level == 1:
        theta: tuple[Nested, ...] = (draw.choice((_pi_over(2), _pi_over(2, 3))),)
        said = Text("by its position times $\\theta$, counter-clockwise", "转角是位置乘 $\\theta$，逆时针方向")
        return (("θ", theta),), "interleaved", said
    pairs = draw.choice(tuple(_PAIRS))
    if level == 2:
        theta = (_pi_over(draw.choice((2, 3))), _pi_over(draw.choice((4, 6))))
        said = Text(
            "by its position times the pair's angle in $\\theta$, counter-clockwise; {pairs}",
            "转角是位置乘这一对在 $\\theta$ 中的角，逆时针方向；{pairs}",
        )
        return (("θ", theta),), pairs, said.fill(pairs=_PAIRS[pairs])
    said = Text(
        "by its position times $10000^{-2i/d}$ for pair $i$ (from 0), $d$ being the number of features, counter-clockwise; {pairs}",
        "第 $i$ 对（从 0 数起）的转角是位置乘 $10000^{-2i/d}$，$d$ 是特征数，逆时针方向；{pairs}",
    )
    return (), pairs, said.fill(pairs=_PAIRS[pairs])


def _features(draw: Draw, level: int) -> tuple[int, ...]:
    low = 1 if level == 1 else -3
    return draw.until(
        lambda: draw.vector(2 if level == 1 else 4, low, 5 if level > 1 else 9),
        lambda made: 0 not in made and len(set(made)) == len(made),
    )


def _rope_rotate(draw: Draw, level: int) -> Drawn:
    angles, pairs, said = _angles(draw, level)
    vector = _features(draw, level)
    position = draw.integer(1, {1: 9, 2: 7, 3: 20}[level])
    width = len(vector)
    digits = Text("", "") if level == 1 else Text(", to 3 decimals", "，保留 3 位小数")
    # Quarter turns give whole numbers, asked to more digits for those who take radians for degrees.
    form = AnswerFormat(Kind.VECTOR, decimals=2 if level == 1 else 3, dimensions=(width,))
    names = tuple(name for name, _ in angles)
    return Drawn(
        Text(
            "RoPE rotates each pair of features {said}. Give the vector $R$ that $x$ becomes at position $p${digits}.",
            "RoPE 旋转每一对特征：{said}。求 $x$ 在位置 $p$ 上旋转后的向量 $R${digits}。",
        ).fill(said=said, digits=digits),
        Program(
            (("x", vector), ("p", position), *angles),
            (call("R", "rotate", "x", "p", *names, pairs=pairs),),
            (Ask("R", form, label=name_node("R")),),
        ),
    )


def _rope_relative(draw: Draw, level: int) -> Drawn:
    angles, pairs, said = _angles(draw, level)
    query, key = _features(draw, level), _features(draw, level)
    first, second = draw.shuffled(range(1, {1: 9, 2: 7, 3: 20}[level] + 1))[:2]
    if level == 1:
        # In the head for who knows that the distance alone counts: it makes a quarter or a half turn.
        parts = draw.choice((2, 3))
        angles = (("θ", (_pi_over(2 * parts),)),)
        second = draw.integer(1, 9)
        first = second + parts * draw.choice((1, 2, 3))
        first, second = draw.shuffled((first, second))
    names = tuple(name for name, _ in angles)
    digits = Text("", "") if level == 1 else Text(", to 2 decimals", "，保留 2 位小数")
    form = AnswerFormat(Kind.NUMBER, decimals=2)
    rows: tuple[Matrix, Matrix] = ((query,), (key,))
    return Drawn(
        Text(
            "The one query in $Q$ stands at position $m$, the one key in $K$ at position $n$. RoPE rotates each pair of features {said}. Compute the score $S_{11}$ of query 1 and key 1 after that, unscaled{digits}.",
            "$Q$ 中唯一的 query 在位置 $m$，$K$ 中唯一的 key 在位置 $n$。RoPE 旋转每一对特征：{said}。求旋转之后第 1 个 query 对第 1 个 key 的分数 $S_{11}$，不做缩放{digits}。",
        ).fill(said=said, digits=digits),
        Program(
            (("Q", rows[0]), ("K", rows[1]), ("m", first), ("n", second), *angles),
            (
                call("q", "rotate", "Q", "m", *names, pairs=pairs),
                call("k", "rotate", "K", "n", *names, pairs=pairs),
                call("S", "scores", "q", "k"),
            ),
            (Ask("S", form, (0, 0), label=name_node("S_{11}")),),
        ),
    )


def _alibi_row(draw: Draw, level: int) -> Drawn:
    heads = 8 if level == 1 else draw.choice((4, 8, 16))
    head = draw.integer(1, 3) if level == 1 else draw.integer(1, {4: 2, 8: 5, 16: 10}[heads])
    length = {1: 3, 2: 4, 3: 4}[level]
    scores: Nested = (
        draw.vector(length, 0, 9) if level == 1 else tuple(decimal(50 * draw.integer(-2, 8)) for _ in range(length))
    )
    inputs: tuple[tuple[str, Nested], ...] = (("z", scores), ("i", head), ("h", heads))
    later: tuple[str, ...] = ()
    calls: tuple[Call, ...] = (call("m", "alibi_slope", "i", "h"),)
    stands = Text(
        "The query stands at the last position, its own key being the last.",
        "query 在最后一个位置，最后一个 key 就是它自己的。",
    )
    if level == 2 and draw.integer(0, 1):
        position = draw.integer(2, length - 1)
        inputs, later = (*inputs, ("t", position)), ("t",)
        stands = Text(
            "This is an encoder, and the distance is $|j - t|$: the query stands at position $t$, counted from 1.",
            "这是编码器，距离取 $|j - t|$：query 在位置 $t$，从 1 数起。",
        )
    calls = (*calls, call("B", "alibi", "z", "m", *later, later="distance" if later else "unchanged"))
    if level == 3:
        calls = (*calls, call("A", "softmax", "B"))
    asked = "A" if level == 3 else "B"
    what = {
        1: Text("Give the biased scores $B$ of head $i$ of $h$.", "求 $h$ 个 head 中第 $i$ 个的带偏置分数 $B$。"),
        2: Text("Give the biased scores $B$ of head $i$ of $h$, to 3 decimals.", "求 $h$ 个 head 中第 $i$ 个的带偏置分数 $B$，保留 3 位小数。"),
        3: Text("Give the weights $A$ of head $i$ of $h$, to 3 decimals.", "求 $h$ 个 head 中第 $i$ 个的注意力权重 $A$，保留 3 位小数。"),
    }[level]  # fmt: skip
    form = AnswerFormat(Kind.VECTOR, decimals=3, dimensions=(length,))
    return Drawn(
        Text(
            "$z$ holds the scaled scores of one query. ALiBi with the slopes $2^{-8i/h}$, heads numbered from 1, is applied to them.",
            "$z$ 是一个 query 缩放后的分数。对它加上 ALiBi 偏置，斜率为 $2^{-8i/h}$，head 从 1 开始编号。",
        )
        + stands
        + what,
        Program(inputs, calls, (Ask(asked, form, label=name_node(asked)),)),
    )


DRILLS = (
    Drill(
        "rope-rotate",
        "7.3",
        Text("A vector rotated by RoPE", "RoPE 旋转一个向量"),
        "0",
        (1, 2, 3),
        _rope_rotate,
        hints=(
            Text(
                "Each pair of features is a point in the plane; rotating it keeps its distance from the origin.",
                "每一对特征看成平面上的一个点，旋转不改变它到原点的距离。",
            ),
            Text(
                "The angle $\\varphi$ of a pair is proportional to the position. It is in radians, and whole turns of $2\\pi$ may be dropped.",
                "每一对的转角 $\\varphi$ 与位置成正比，单位是弧度，整圈的 $2\\pi$ 可以去掉。",
            ),
            Text(
                "$(a, b)$ becomes $(a \\cos\\varphi - b \\sin\\varphi, a \\sin\\varphi + b \\cos\\varphi)$; both go back to the places of $a$ and $b$.",
                "$(a, b)$ 变成 $(a \\cos\\varphi - b \\sin\\varphi, a \\sin\\varphi + b \\cos\\varphi)$，再放回 $a$ 和 $b$ 原来的位置。",
            ),
        ),
    ),
    Drill(
        "rope-relative",
        "7.3",
        Text("A score under RoPE", "RoPE 之下的一个分数"),
        "0",
        (1, 2, 3),
        _rope_relative,
        hints=(
            Text(
                "The score depends on how far apart the two positions are, not on where they are.",
                "分数只取决于两个位置之差，与各自在哪里无关。",
            ),
            Text(
                "Leave the query as it is and rotate the key as if it stood at position $n - m$.",
                "query 不动，把 key 当作在位置 $n - m$ 上旋转即可。",
            ),
            Text(
                "With the angle $\\varphi$ of a pair at position $n - m$, it gives $(q_1 k_1 + q_2 k_2) \\cos\\varphi + (q_2 k_1 - q_1 k_2) \\sin\\varphi$. Add up the pairs.",
                "设某一对在位置 $n - m$ 上的转角为 $\\varphi$，它贡献 $(q_1 k_1 + q_2 k_2) \\cos\\varphi + (q_2 k_1 - q_1 k_2) \\sin\\varphi$，再把各对加起来。",
            ),
        ),
    ),
    Drill(
        "alibi-row",
        "7.3",
        Text("A row of scores under ALiBi", "ALiBi 之下的一行分数"),
        "0",
        (1, 2, 3),
        _alibi_row,
        hints=(
            Text("The further a key is from the query, the more is taken off its score.", "key 离 query 越远，分数扣得越多。"),
            Text(
                "The penalty is the slope $2^{-8i/h}$ times the distance. The query's own key loses nothing.",
                "扣掉的是斜率 $2^{-8i/h}$ 乘距离；query 自己位置上的 key 不扣。",
            ),
            Text(
                "$B_j = z_j - 2^{-8i/h} |j - t|$, where $t$ is the query's position. The weights are the softmax of $B$.",
                "$B_j = z_j - 2^{-8i/h} |j - t|$，$t$ 是 query 的位置。要求权重时，再对 $B$ 做 softmax。",
            ),
        ),
    ),
)
