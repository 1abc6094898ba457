"""The shape of attention's output, where values have a width of their own (7.11)."""

from __future__ import annotations

from question_bank import models
from question_bank.drills.base import Draw, Drawn, Drill, are_apart, in_letters, said_names
from question_bank.program import AnswerFormat, Ask, Asked, Kind, Program, Shape, call
from question_bank.text import Text

_MODELS = (
    models.TRANSFORMER_BASE,
    models.TRANSFORMER_BIG,
    models.BERT_BASE,
    models.GPT2_MEDIUM,
    models.GPT2_LARGE,
    models.GPT2_XL,
    models.LLAMA2_7B,
    models.LLAMA2_70B,
)


def _split_and_joined(draw: Draw) -> Drawn:
    """Draw attention in heads whose values have another width, from the projections to the concatenated heads."""
    lengths = (9, 11, 14, 18, 21, 28, 33, 37, 45, 54, 65, 75, 90, 130, 150, 197, 240)

    def make() -> tuple[int, ...]:
        heads = draw.choice((3, 5, 6, 7, 8, 10, 12, 15, 16, 20, 24))
        widths = draw.shuffled((16, 20, 24, 30, 32, 36, 40, 48, 56, 64, 72, 80, 96))[:2]
        return (draw.choice((2, 3, 4, 5, 6, 10, 12, 16, 24)), heads, *widths, *draw.shuffled(lengths)[:2])

    batch, heads, key, value, queries, keys = draw.until(make, are_apart)
    shape = AnswerFormat(Kind.SHAPE)
    sizes = {"B": batch, "h": heads, "S_q": queries, "S_k": keys, "d_k": key, "d_v": value}
    named = (
        Ask("V_h", shape, (), Asked.SHAPE, label=Text("values split into heads $V_h$", "拆成多个 head 的 value $V_h$ ")),
        Ask("A", shape, (), Asked.SHAPE, label=Text("weights $A$", "权重 $A$ ")),
        Ask("O", shape, (), Asked.SHAPE, label=Text("output of the heads $O$", "各 head 的输出 $O$ ")),
    )
    joined = Ask("H", shape, (), Asked.SHAPE, label=Text("concatenated heads $H$", "拼接后的结果 $H$ "))
    asks = (*in_letters(draw, named, sizes, draw.integer(1, 2)), joined)
    return Drawn(
        Text(
            "Attention in $h$ heads for a batch of sequences: $Q$, $K$ and $V$ are projected for all heads together, and their shapes are given, tokens before width. A head's values needn't be as wide as its keys. $Q$, $K$ and $V$ are split into heads, the head axis before the token axis; the heads attend, and their outputs are concatenated. Give the shape at each stage.",
            "对一个 batch 的序列做 $h$ 个 head 的注意力：$Q$、$K$、$V$ 是所有 head 一起投影出来的，形状已知，token 数在前，宽度在后；同一个 head 里，value 不必与 key 一样宽。先把 $Q$、$K$、$V$ 拆成多个 head（head 维排在 token 维之前），各个 head 分别做注意力，再把输出拼接起来。写出各阶段的形状。",
        )
        + said_names(asks)
        + Text(
            "Here $S_q$ and $S_k$ are the numbers of queries and keys, $d_k$ and $d_v$ the widths of a key and a value in one head.",
            "其中 $S_q$、$S_k$ 是 query 和 key 的个数，$d_k$、$d_v$ 是一个 head 里 key 和 value 的宽度。",
        ),
        Program(
            (
                ("Q", Shape((batch, queries, heads * key))),
                ("K", Shape((batch, keys, heads * key))),
                ("V", Shape((batch, keys, heads * value))),
                ("h", heads),
            ),
            (
                *(call(f"{name}_h", "split_heads", name, "h") for name in "QKV"),
                call("S", "scores", "Q_h", "K_h"),
                call("A", "softmax", "S"),
                call("O", "mix", "A", "V_h"),
                call("H", "concat_heads", "O"),
            ),
            asks,
        ),
    )


def _output_shape(draw: Draw, level: int) -> Drawn:
    if level == 3:
        return _split_and_joined(draw)
    batch: tuple[int, ...] = ()
    place = Text("Attention for a single sequence", "对单条序列做注意力")
    if level == 4:
        model = draw.choice(_MODELS)
        batch = (draw.choice((1, 2, 4, 8, 16, 32)), model.heads)
        key = model.d_head
        value = draw.choice((key // 4, key // 2, 2 * key))
        queries, keys = draw.shuffled((1, 20, 50, 100, 128, 200, 256, 384, 500, 512, 1000))[:2]
        place = Text(
            f"Attention in all heads of {model.name}, if values had another width",
            f"在 {model.name} 的所有 head 里做注意力，只是 value 换了宽度",
        )
    elif level == 2:
        first, key, value, queries, keys = draw.until(
            lambda: (
                draw.choice((2, 3, 4, 8, 16, 32)),
                *draw.shuffled((8, 12, 16, 24, 32, 40, 48, 64))[:2],
                *draw.shuffled((5, 7, 10, 15, 20, 30, 50, 100))[:2],
            ),
            are_apart,
        )
        batch = (first,)
        place = Text("Attention for a batch of sequences", "对一个 batch 的序列做注意力")
    else:
        key, value, queries, keys = draw.shuffled(range(2, 10))[:4]
    shape = AnswerFormat(Kind.SHAPE)
    asks = [Ask("O", shape, (), Asked.SHAPE, label=Text("output $O$", "输出 $O$ "))]
    wanted = Text("the shape of the output $O$", "输出 $O$ 的形状")
    if level > 1:
        asks.insert(0, Ask("A", shape, (), Asked.SHAPE, label=Text("weights $A$", "权重 $A$ ")))
        wanted = Text("the shapes of the weights $A$ and of the output $O$", "权重 $A$ 和输出 $O$ 的形状")
    letters = Text("", "")
    if level == 2:
        asks = list(in_letters(draw, asks, {"B": first, "S_q": queries, "S_k": keys, "d_k": key, "d_v": value}))
        letters = said_names(asks) + Text(
            "Here $S_q$ and $S_k$ are the numbers of queries and keys, $d_k$ and $d_v$ the widths of keys and values.",
            "其中 $S_q$、$S_k$ 是 query 和 key 的个数，$d_k$、$d_v$ 是 key 和 value 的宽度。",
        )
    return Drawn(
        Text(
            "{place}: the shapes of $Q$, $K$ and $V$ are given, tokens before width. Give {wanted}.",
            "{place}：已知 $Q$、$K$、$V$ 的形状，token 数在前，宽度在后。写出{wanted}。",
        ).fill(place=place, wanted=wanted)
        + letters,
        Program(
            (
                ("Q", Shape((*batch, queries, key))),
                ("K", Shape((*batch, keys, key))),
                ("V", Shape((*batch, keys, value))),
            ),
            (call("S", "scores", "Q", "K"), call("A", "softmax", "S"), call("O", "mix", "A", "V")),
            tuple(asks),
        ),
    )


DRILLS = (
    Drill(
        "output-shape",
        "7.11",
        Text("Shape of the output when values have another width", "value 宽度不同时的输出形状"),
        "1",
        (1, 2, 3, 4),
        _output_shape,
        hints=(
            Text("Each query gets one output row.", "一个 query 得到一行输出。"),
            Text(
                "$QK^\\top$ has a row for each query and a column for each key; the width of queries and keys vanishes.",
                "$QK^\\top$ 一个 query 一行、一个 key 一列；query 和 key 的宽度在这里消掉。",
            ),
            Text(
                "In $AV$ the number of keys vanishes: queries stay in front, and the width is that of $V$. Leading axes pass through. Concatenated heads are $h$ times as wide.",
                "在 $AV$ 里，key 的个数消掉：前面留下 query 的个数，宽度是 $V$ 的宽度。更前面的维原样保留。$h$ 个 head 拼接之后，宽度是一个 head 的 $h$ 倍。",
            ),
        ),
    ),
)
