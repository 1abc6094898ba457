"""Positions added to the embeddings (7.3): sinusoids, the scale of the embeddings, and what attention does without them."""

from __future__ import annotations

from fractions import Fraction

from question_bank import models
from question_bank.drills.base import Draw, Drawn, Drill, decimal, name_node
from question_bank.program import AnswerFormat, Ask, Call, Kind, Nested, Program, call
from question_bank.text import Text

_LAYOUTS = {
    "interleaved": Text("sines in the even dimensions, cosines in the odd ones", "偶数维取正弦，奇数维取余弦"),
    "halves": Text("first all the sines, then all the cosines", "先排全部正弦，再排全部余弦"),
}


def _angle(draw: Draw) -> Drawn:
    """Ask for the angle alone, with widths at which the divisors are powers of 10."""
    layout, width = draw.choice(tuple(_LAYOUTS)), draw.choice((4, 8, 8))
    half = width // 2
    pair = draw.integer(1, half - 1)
    dimension = (2 * pair if layout == "interleaved" else pair) + draw.integer(0, 1) * (1 if layout == "interleaved" else half)
    return Drawn(
        Text(
            "The sinusoidal positional encoding of the original Transformer: base 10000, {layout}, dimensions and positions counted from 0. Dimension {j} at position $p$ is the sine or cosine of an angle $a$. Give $a$ in radians, to {n} decimals.",
            "原始 Transformer 的正弦位置编码：底数 10000，{layout}，维度和位置都从 0 数起。位置 $p$ 的第 {j} 维是某个角 $a$ 的正弦或余弦。求 $a$（弧度），保留 {n} 位小数。",
        ).fill(layout=_LAYOUTS[layout], j=dimension, n=4),
        Program(
            (("p", draw.integer(2, 99)), ("d_model", width)),
            (call("a", "sinusoid", "p", "d_model", dimension=dimension, of="angle", layout=layout),),
            (Ask("a", AnswerFormat(Kind.NUMBER, decimals=4), label=name_node("a")),),
        ),
    )


def _sinusoid(draw: Draw, level: int) -> Drawn:
    if level == 1:
        return _angle(draw)
    layout = "interleaved" if level in (2, 4) else draw.choice(tuple(_LAYOUTS))
    if level == 3:
        width, position = draw.choice((4, 6, 8)), draw.integer(1, 60)
        inputs: tuple[tuple[str, Nested], ...] = (("p", position), ("d_model", width))
        return Drawn(
            Text(
                "The sinusoidal positional encoding of the original Transformer: base 10000, {layout}, positions counted from 0. Compute the whole vector $P$ of position $p$, to {n} decimals.",
                "原始 Transformer 的正弦位置编码：底数 10000，{layout}，位置从 0 数起。求位置 $p$ 的整个编码向量 $P$，保留 {n} 位小数。",
            ).fill(layout=_LAYOUTS[layout], n=3),
            Program(
                inputs,
                (call("P", "sinusoid", "p", "d_model", layout=layout),),
                (Ask("P", AnswerFormat(Kind.VECTOR, decimals=3, dimensions=(width,)), label=name_node("P")),),
            ),
        )
    if level == 4:
        width = draw.choice((models.TRANSFORMER_BASE, models.TRANSFORMER_BIG)).d_model
        position = draw.integer(2, 200)
        # Beyond these pairs the hands hardly turn at such positions, and every mistake gives 0 or 1.
        dimension = 2 * draw.integer(1, width // 5) + draw.integer(0, 1)
    else:
        width, position = draw.choice((4, 6, 8, 10)), draw.integer(1, 40)
        dimension = draw.integer(0, 3)
    return Drawn(
        Text(
            "The sinusoidal positional encoding of the original Transformer: base 10000, {layout}, dimensions and positions counted from 0. Compute $P$, the value in dimension {j} at position $p$, to {n} decimals.",
            "原始 Transformer 的正弦位置编码：底数 10000，{layout}，维度和位置都从 0 数起。求位置 $p$ 第 {j} 维的值 $P$，保留 {n} 位小数。",
        ).fill(layout=_LAYOUTS[layout], j=dimension, n=3),
        Program(
            (("p", position), ("d_model", width)),
            (call("P", "sinusoid", "p", "d_model", dimension=dimension),),
            (Ask("P", AnswerFormat(Kind.NUMBER, decimals=3), label=name_node("P")),),
        ),
    )


_SAMPLE = Text(
    "$x$ holds the first {k} of the $d_{\\text{model}}$ entries of a token's embedding.",
    "$x$ 是某个 token 的 embedding（共 $d_{\\text{model}}$ 维）的前 {k} 个分量。",
)


def _embedding_scale(draw: Draw, level: int) -> Drawn:
    if level == 4:
        return _variance(draw)
    length = 3
    root = draw.integer(2, 10)
    width = root * root if level < 3 else draw.choice((5, 8, 10, 12, 20, 24, 32, 48, 50, 80, 96, 128, 200))
    low = 1 if level == 1 else -9
    entries = draw.until(
        lambda: tuple(draw.integer(low, 9) for _ in range(length)), lambda made: 0 not in made and len(set(made)) > 1
    )
    step = 10 if level == 1 else 5 if level == 2 else 1
    decimals = 2 if level < 3 else 3
    inputs: tuple[tuple[str, Nested], ...] = (("x", tuple(decimal(step * entry) for entry in entries)), ("d_model", width))
    calls: tuple[Call, ...] = (call("e", "embedding_scale", "x", "d_model"),)
    asked, what = "e", Text(
        "Scale it as the original Transformer does before it adds the positional encoding; give $e$, to {n} decimals.",
        "按原始 Transformer 加位置编码之前的做法缩放它，求 $e$，保留 {n} 位小数。",
    )  # fmt: skip
    if level > 1:
        encoding: Nested = tuple(decimal(10 * draw.integer(-9, 9)) for _ in range(length))
        inputs = (*inputs, ("P", encoding))
        calls = (*calls, call("y", "add", "e", "P"))
        asked, what = "y", Text(
            "Scale it as the original Transformer does, then add the positional encoding $P$; give $y$, to {n} decimals.",
            "按原始 Transformer 的做法缩放它，再加上位置编码 $P$，求 $y$，保留 {n} 位小数。",
        )  # fmt: skip
    form = AnswerFormat(Kind.VECTOR, decimals=decimals, dimensions=(length,))
    return Drawn(
        _SAMPLE.fill(k=length) + what.fill(n=decimals),
        Program(inputs, calls, (Ask(asked, form, label=name_node(asked)),)),
    )


def _variance(draw: Draw) -> Drawn:
    model = draw.choice(models.MODELS[:12])
    if draw.integer(0, 1):
        given, of, asked = ("v", Fraction(draw.integer(10, 60), 1000)), "variance", "V"
        has, what = Text("variance $v$", "方差为 $v$"), Text("variance $V$", "方差 $V$")
    else:
        given, of, asked = ("σ", Fraction(draw.integer(20, 70), 1000)), "entries", "s"
        has, what = Text("standard deviation $\\sigma$", "标准差为 $\\sigma$"), Text("standard deviation $s$", "标准差 $s$")
    return Drawn(
        Text(
            "The entries of an embedding of width $d_{\\text{model}}$ have mean 0 and {has}. They are scaled as the original Transformer does before it adds the positional encoding. Compute their {what} after that, to {n} decimals.",
            "宽度为 $d_{\\text{model}}$ 的 embedding，各分量均值为 0，{has}。按原始 Transformer 加位置编码之前的做法缩放之后，求分量的{what}，保留 {n} 位小数。",
        ).fill(has=has, what=what, n=4),
        Program(
            (given, ("d_model", model.d_model)),
            (call(asked, "embedding_scale", given[0], "d_model", of=of),),
            (Ask(asked, AnswerFormat(Kind.NUMBER, decimals=4), label=name_node(asked)),),
        ),
    )


def _other_order(draw: Draw, tokens: int) -> tuple[int, ...]:
    """Draw an order in which no token keeps its place, and which is not its own inverse: that can't tell the directions apart."""
    return draw.until(
        lambda: draw.shuffled(range(1, tokens + 1)),
        lambda made: (
            all(place != at for at, place in enumerate(made, 1))
            and any(made[place - 1] != at for at, place in enumerate(made, 1))
        ),
    )


def _permute_inside(draw: Draw) -> Drawn:
    """Ask what happens inside: the weights of one token and the values move, and its output comes out as before."""
    tokens, width = 5, 2
    weights = draw.until(
        lambda: tuple(draw.integer(3, 45) for _ in range(tokens - 1)),
        lambda made: 3 <= 100 - sum(made) <= 60 and len({*made, 100 - sum(made)}) == tokens,
    )
    shares: Nested = tuple(decimal(part) for part in draw.shuffled((*weights, 100 - sum(weights))))
    values = draw.until(lambda: draw.matrix(tokens, width, -25, 60), lambda made: len({*made}) == tokens)
    order = _other_order(draw, tokens)
    return Drawn(
        Text(
            "Self-attention without positional encoding and without a mask: $a$ holds the weights of one token over all places, $V$ the values, one row per place. The tokens are put in a new order: place $r$ now holds the token that stood in place $\\pi(r)$; $\\pi$ lists these places, counted from 1. Give the weights $b$ of the same token over the new places, the values $U$ in their new order, and the token's new output $y$, to {n} decimals.",
            "不带位置编码、也不带 mask 的 self-attention：$a$ 是某个 token 对各个位置的权重，$V$ 是 value，每个位置一行。现在打乱 token 的顺序：位置 $r$ 上放的是原来位置 $\\pi(r)$ 上的 token，$\\pi$ 依次列出这些位置，从 1 数起。写出同一个 token 对各个新位置的权重 $b$、按新顺序排列的 value $U$，以及这个 token 新的输出 $y$（保留 {n} 位小数）。",
        ).fill(n=3),
        Program(
            (
                ("a", shares),
                ("V", tuple(tuple(decimal(10 * cell) for cell in row) for row in values)),
                ("π", order),
            ),
            (call("b", "permute_rows", "a", "π"), call("U", "permute_rows", "V", "π"), call("y", "mix", "b", "U")),
            (
                Ask("b", AnswerFormat(Kind.VECTOR, decimals=2, dimensions=(tokens,)), label=name_node("b")),
                Ask("U", AnswerFormat(Kind.MATRIX, decimals=1, dimensions=(tokens, width)), label=name_node("U")),
                Ask("y", AnswerFormat(Kind.VECTOR, decimals=3, dimensions=(width,)), label=name_node("y")),
            ),
        ),
        remark=Text(
            "The token gets the output that it had before: weights and values moved together, and a sum doesn't depend on the order of its terms.",
            "这个 token 的输出和原来一样：权重和 value 一起换了位置，而求和与各项的先后无关。",
        ),
    )


def _permute_output(draw: Draw, level: int) -> Drawn:
    if level == 3:
        return _permute_inside(draw)
    tokens, width = {1: (3, 3), 2: (4, 4)}[level]
    order = draw.until(
        lambda: draw.shuffled(range(1, tokens + 1)),
        # One that is its own inverse can't tell the two directions apart.
        lambda made: any(made[place - 1] != at for at, place in enumerate(made, 1)),
    )
    step = 100 if level == 1 else 10
    output = draw.until(lambda: draw.matrix(tokens, width, 1, 9), lambda made: len(set(made)) == tokens)
    shown: Nested = tuple(tuple(decimal(step * cell) for cell in row) for row in output)
    form = AnswerFormat(Kind.MATRIX, decimals=0 if level == 1 else 1, dimensions=(tokens, width))
    return Drawn(
        Text(
            "Self-attention without positional encoding and without a mask gives the output $O$, one row per token. The tokens are put in a new order: place $r$ now holds the token that stood in place $\\pi(r)$; $\\pi$ lists these places, counted from 1. Give the new output $Y$.",
            "不带位置编码、也不带 mask 的 self-attention 给出输出 $O$，每行对应一个 token。现在打乱 token 的顺序：位置 $r$ 上放的是原来位置 $\\pi(r)$ 上的 token，$\\pi$ 依次列出这些位置，从 1 数起。写出新的输出 $Y$。",
        ),
        Program(
            (("O", shown), ("π", order)),
            (call("Y", "permute_rows", "O", "π"),),
            (Ask("Y", form, label=name_node("Y")),),
        ),
    )


DRILLS = (
    Drill(
        "sinusoid",
        "7.3",
        Text("Sinusoidal positional encoding", "正弦位置编码"),
        "0",
        (1, 2, 3, 4),
        _sinusoid,
        hints=(
            Text(
                "The dimensions come in pairs: a sine and a cosine of the same angle.", "各维两两成对：同一个角的正弦和余弦。"
            ),
            Text(
                "The angle of pair $i$, counted from 0, is $p / 10000^{2i/d_{\\text{model}}}$, in radians.",
                "第 $i$ 对（从 0 数起）的角是 $p / 10000^{2i/d_{\\text{model}}}$，单位是弧度。",
            ),
            Text(
                "Pair $i$ has its sine in dimension $2i$, its cosine in $2i + 1$; if all sines come first, they are in $i$ and $i + d_{\\text{model}}/2$.",
                "第 $i$ 对的正弦在第 $2i$ 维，余弦在第 $2i + 1$ 维；如果先排全部正弦，则分别在第 $i$ 维和第 $i + d_{\\text{model}}/2$ 维。",
            ),
        ),
    ),
    Drill(
        "embedding-scale",
        "7.3",
        Text("Scale of the embeddings", "embedding 的缩放"),
        "0",
        (1, 2, 3, 4),
        _embedding_scale,
        hints=(
            Text(
                "Every entry is multiplied by the same factor, which depends on $d_{\\text{model}}$ alone.",
                "每个分量都乘同一个系数，系数只取决于 $d_{\\text{model}}$。",
            ),
            Text(
                "The factor is $\\sqrt{d_{\\text{model}}}$. It applies to the embedding, not to the positional encoding.",
                "系数是 $\\sqrt{d_{\\text{model}}}$，只乘 embedding，不乘位置编码。",
            ),
            Text(
                "Multiply by $\\sqrt{d_{\\text{model}}}$, then add $P$ if there is one. A standard deviation grows by the same factor, a variance by its square.",
                "先乘 $\\sqrt{d_{\\text{model}}}$，题中有 $P$ 再加 $P$。标准差也乘这个系数，方差则乘它的平方。",
            ),
        ),
    ),
    Drill(
        "permute-output",
        "7.3",
        Text("Output of reordered tokens", "打乱 token 之后的输出"),
        "0",
        (1, 2, 3),
        _permute_output,
        hints=(
            Text(
                "Without positional encoding or a mask, a token gets the same output wherever it stands.",
                "没有位置编码和 mask，一个 token 不论放在哪里，输出都一样。",
            ),
            Text(
                "Rows of outputs and values move with their tokens; nothing changes within such a row. Each weight moves with the token that it goes to.",
                "输出和 value 的各行跟着各自的 token 走，行内的数不变。每个权重则跟着它所指向的那个 token 走。",
            ),
            Text(
                "Row $r$ of the new matrix is row $\\pi(r)$ of the old one; number $r$ of the new weights is number $\\pi(r)$ of the old ones.",
                "新矩阵的第 $r$ 行就是原矩阵的第 $\\pi(r)$ 行；新权重的第 $r$ 个就是原权重的第 $\\pi(r)$ 个。",
            ),
        ),
    ),
)
