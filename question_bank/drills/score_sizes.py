"""Bytes of the stored scores (7.4)."""

from __future__ import annotations

from question_bank import models
from question_bank.drills.base import Draw, Drawn, Drill, name_node
from question_bank.drills.growth import PLAIN
from question_bank.program import AnswerFormat, Ask, Kind, Nested, Program, call
from question_bank.text import Text


def _three_attentions(draw: Draw) -> Drawn:
    """Ask for the bytes of the three kinds of scores of an encoder and a decoder, over all layers."""
    heads, layers = draw.choice((4, 6, 8, 12, 16, 20, 24)), draw.choice((3, 4, 6, 8, 10, 12, 18, 24))
    source, target = draw.until(
        lambda: (16 * draw.integer(3, 80), 16 * draw.integer(3, 80)), lambda made: 4 * abs(made[0] - made[1]) > min(made)
    )
    batch, element = draw.choice((3, 5, 6, 8, 12, 16, 20, 24)), draw.choice((2, 4))
    return Drawn(
        Text(
            "An encoder and a decoder have $N$ layers each and $h$ heads in every attention. In training, the scores $QK^\\top$ of all layers are stored for $B$ pairs of sequences, $S$ tokens in the encoder and $T$ in the decoder, $b$ bytes per number (one copy; the weights are not counted; what a causal mask hides is stored as well). How large are the scores of the encoder's self-attention ($C_1$), of the decoder's self-attention ($C_2$), of the cross-attention ($C_3$), and all together ($C$)? Answer exactly, in bytes or with a unit: GiB is $2^{30}$ bytes, GB is $10^9$.",
            "某个模型的编码器和解码器各有 $N$ 层，每个注意力有 $h$ 个 head。训练时，要为 $B$ 对序列（编码器一侧 $S$ 个 token，解码器一侧 $T$ 个）存下所有层的分数 $QK^\\top$，每个数占 $b$ 字节（只算一份，不含权重；被因果 mask 遮住的也照样存）。编码器 self-attention 的分数占多大（$C_1$）？解码器 self-attention 的呢（$C_2$）？cross-attention 的呢（$C_3$）？合计多大（$C$）？不要取近似，直接写字节数，或者带上单位：GiB 是 $2^{30}$ 字节，GB 是 $10^9$ 字节。",
        ),
        Program(
            (("N", layers), ("B", batch), ("h", heads), ("S", source), ("T", target), ("b", element)),
            (
                call("C_1", "score_bytes", "B", "h", "S", "S", "b", "N"),
                call("C_2", "score_bytes", "B", "h", "T", "T", "b", "N"),
                call("C_3", "score_bytes", "B", "h", "T", "S", "b", "N"),
                call("C", "total", "C_1", "C_2", "C_3"),
            ),
            tuple(Ask(node, AnswerFormat(Kind.BYTES), label=name_node(node)) for node in ("C_1", "C_2", "C_3", "C")),
        ),
    )


def _score_bytes(draw: Draw, level: int) -> Drawn:
    if level == 3:
        return _three_attentions(draw)
    name = Text("An attention layer", "某个注意力层")
    if level == 4:
        model = draw.choice((*PLAIN, models.LLAMA3_70B, models.MISTRAL_7B, models.QWEN_7B))
        name = Text(f"A layer of {model.name}", f"{model.name} 的一层")
        heads = model.heads
        length = draw.choice([size for size in (100, 128, 256, 500, 512, 1000, 1024, 2000, 2048, 4096, 8192) if size <= model.context])  # fmt: skip
        batch, element = draw.choice((1, 3, 5, 6, 10, 16, 32)), draw.choice((2, 4))
    elif level == 1:
        heads, length = draw.choice((4, 5, 6, 8, 10, 12)), draw.choice((5, 8, 10, 12, 16, 20, 25, 30, 40, 50, 60, 80, 100))
        batch, element = draw.choice((1, 3, 5, 7)), draw.choice((2, 4))
    else:
        heads, length = draw.choice((4, 6, 8, 12, 16)), draw.choice((64, 100, 128, 200, 256, 400, 500, 512, 1000, 1024))
        batch, element = draw.choice((1, 3, 5, 10, 32)), draw.choice((2, 4))
    inputs: tuple[tuple[str, Nested], ...] = (("B", batch), ("h", heads), ("S", length), ("b", element))
    return Drawn(
        Text(
            "{name} with $h$ heads stores the scores $QK^\\top$ of $B$ sequences of $S$ tokens each, $b$ bytes per number. How large are these scores (one copy; the weights are not counted)? Answer exactly, in bytes or with a unit: GiB is $2^{30}$ bytes, GB is $10^9$.",
            "{name}有 $h$ 个 head，存下 $B$ 条序列（每条 $S$ 个 token）的分数 $QK^\\top$，每个数占 $b$ 字节。这些分数一共占多大（只算一份，不含权重）？不要取近似，直接写字节数，或者带上单位：GiB 是 $2^{30}$ 字节，GB 是 $10^9$ 字节。",
        ).fill(name=name),
        Program(
            inputs,
            (call("C", "score_bytes", "B", "h", "S", "S", "b"),),
            (Ask("C", AnswerFormat(Kind.BYTES), label=name_node("C")),),
        ),
    )


DRILLS = (
    Drill(
        "score-bytes",
        "7.4",
        Text("Bytes of the stored scores", "注意力分数占多少字节"),
        "0",
        (1, 2, 3, 4),
        _score_bytes,
        hints=(
            Text("Count the scores first, then the bytes of each.", "先数有多少个分数，再乘每个数的字节数。"),
            Text(
                "Each head of each sequence has, in each layer, a matrix of scores of its own, queries × keys. The width of the heads plays no part.",
                "每一层里，每条序列的每个 head 各有一个分数矩阵，大小是 query 数 × key 数，与 head 的宽度无关。",
            ),
            Text(
                "One layer's self-attention takes $BhS^2b$ bytes; in cross-attention, $S^2$ becomes queries × keys. Divide by $2^{30}$ for GiB, by $10^9$ for GB.",
                "一层 self-attention 是 $BhS^2b$ 字节；cross-attention 把 $S^2$ 换成 query 数 × key 数。换算成 GiB 除以 $2^{30}$，换算成 GB 除以 $10^9$。",
            ),
        ),
    ),
)
