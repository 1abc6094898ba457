"""Multi-head attention (7.14) and cross-attention (7.18): concatenation and shapes."""

from __future__ import annotations

from functools import partial

from question_bank import models
from question_bank.drills.base import Draw, Drawn, Drill, Revised, are_apart, decimal, in_letters, name_node, said_names
from question_bank.program import AnswerFormat, Ask, Asked, Call, Kind, Nested, Program, Shape, call
from question_bank.text import Text

_SHAPE = AnswerFormat(Kind.SHAPE)


def _shape_ask(node: str, en: str, zh: str) -> Ask:
    return Ask(node, _SHAPE, (), Asked.SHAPE, Text(f"{en} ${node}$", f"{zh} ${node}$ "))


def _concat_heads(draw: Draw, level: int) -> Drawn:
    heads, width = {1: (2, 2), 2: (3, 2), 3: (4, 3)}[level]
    names = tuple(f"O_{head + 1}" for head in range(heads))
    inputs: tuple[tuple[str, Nested], ...] = tuple(
        (name, tuple(decimal(10 * draw.integer(1, 9)) for _ in range(width))) for name in names
    )
    ask = Ask("H", AnswerFormat(Kind.VECTOR, decimals=1, dimensions=(heads * width,)), label=name_node("H"))
    return Drawn(
        Text(
            "These are the outputs of {h} heads for one token. Give the vector $H$ that goes into the output projection $W_O$.",
            "下面是 {h} 个 head 对同一个 token 的输出。写出送入输出投影 $W_O$ 的向量 $H$。",
        ).fill(h=heads),
        Program(inputs, (call("H", "concat_heads", *names),), (ask,)),
    )


_MODELS = (
    models.TRANSFORMER_BASE,
    models.TRANSFORMER_BIG,
    models.BERT_BASE,
    models.GPT2_SMALL,
    models.GPT2_MEDIUM,
    models.GPT2_LARGE,
    models.GPT2_XL,
    models.LLAMA2_7B,
    models.LLAMA2_70B,
    models.LLAMA3_8B,
    models.LLAMA3_70B,
    models.MISTRAL_7B,
    models.QWEN_7B,
)
_WIDTHS_AND_HEADS = ((768, 12), (1024, 16), (1280, 20), (1600, 25), (4096, 32), (5120, 40), (8192, 64))
"""What level 4 drew before it named its models."""


def _sizes(draw: Draw, level: int) -> tuple[int, int, int]:
    """Draw batch, d_model and heads."""
    if level == 4:
        model, heads = draw.choice(_WIDTHS_AND_HEADS)
        return draw.choice((1, 2, 4, 8, 16)), model, heads
    heads = draw.integer(2, 4) if level == 1 else draw.choice((4, 6, 8, 12, 16))
    width = draw.integer(2, 6) if level == 1 else draw.choice((8, 16, 32, 64))
    return (draw.integer(1, 5) if level == 1 else draw.choice((2, 3, 8, 16, 32))), heads * width, heads


def _lines(source: str, width: str = "d_model") -> tuple[Call, ...]:
    """Write multi-head attention whose keys and values come from a source, of the model's width or of another."""
    return (
        call("W_Q", "weight", "d_model", "d_model"),
        *(call(f"W_{name}", "weight", width, "d_model") for name in "KV"),
        call("Q", "project", "X", "W_Q"),
        call("K", "project", source, "W_K"),
        call("V", "project", source, "W_V"),
        *(call(f"{name}_h", "split_heads", name, "h") for name in "QKV"),
        call("S", "scores", "Q_h", "K_h"),
        call("A", "softmax", "S"),
        call("O", "mix", "A", "V_h"),
        call("H", "concat_heads", "O"),
    )


_GROUPED_LINES: tuple[Call, ...] = (
    call("d_k", "head_dimension", "d_model", "h"),
    call("d_K", "head_dimension", "h_kv", "d_k", of="d_model"),
    call("W_Q", "weight", "d_model", "d_model"),
    *(call(f"W_{name}", "weight", "d_model", "d_K") for name in "KV"),
    *(call(name, "project", "X", f"W_{name}") for name in "QKV"),
    call("Q_h", "split_heads", "Q", "h"),
    *(call(f"{name}_h", "split_heads", name, "h_kv") for name in "KV"),
    *(call(f"{name}_r", "repeat_heads", f"{name}_h", "h") for name in "KV"),
    call("S", "scores", "Q_h", "K_r"),
    call("A", "softmax", "S"),
    call("O", "mix", "A", "V_r"),
    call("H", "concat_heads", "O"),
)


def _grouped_shapes(draw: Draw) -> Drawn:
    """Draw query heads that share fewer heads of keys and values."""
    lengths = (9, 11, 17, 21, 23, 30, 37, 45, 60, 75, 77, 90, 130, 150, 197, 240, 257, 300)

    def make() -> tuple[int, ...]:
        kv_heads = draw.choice((2, 3, 4, 5, 6, 7, 8))
        heads, width = kv_heads * draw.choice((2, 3, 4, 5)), draw.choice((16, 24, 32, 40, 48, 56, 64, 72, 80, 96))
        return draw.choice((2, 3, 4, 5, 6, 12, 16, 24, 32)), heads, kv_heads, width, draw.choice(lengths)

    made = draw.until(make, lambda made: are_apart((*made, made[1] * made[3], made[2] * made[3])))
    batch, heads, kv_heads, width, length = made
    model = heads * width
    sizes = {"B": batch, "h": heads, "h_kv": kv_heads, "S": length, "d_k": width, "d_model": model}
    named = (
        _shape_ask("K_h", "keys split into heads", "拆成多个 head 的 key"),
        _shape_ask("S", "scores", "分数"),
        _shape_ask("H", "concatenated heads", "拼接后的结果"),
    )
    asks = (_shape_ask("K", "projected keys", "投影得到的 key"), *in_letters(draw, named, sizes, draw.integer(1, 2)))
    return Drawn(
        Text(
            "Grouped-query self-attention on $X$ of shape $[B, S, d_{\\text{model}}]$: $h$ query heads share out $d_{\\text{model}}$ evenly, and share $h_{\\text{kv}}$ KV heads as wide as they are. Keys and values are projected to the width of the KV heads, split into heads, and repeated for the query heads of their group; the head axis comes before the sequence axis. Give the shape at each stage.",
            "对形状为 $[B, S, d_{\\text{model}}]$ 的 $X$ 做 GQA（分组查询的 self-attention）：$h$ 个 query head 平分 $d_{\\text{model}}$，共用 $h_{\\text{kv}}$ 个同样宽的 KV head。key 和 value 先投影到所有 KV head 的总宽度，拆成多个 head，再重复给同组的 query head；head 维排在序列维之前。写出各阶段的形状。",
        )
        + _with_width(asks),
        Program(
            (("X", Shape((batch, length, model))), ("d_model", model), ("h", heads), ("h_kv", kv_heads)),
            _GROUPED_LINES,
            asks,
        ),
    )


def _published_shapes(draw: Draw) -> Drawn:
    """Draw a published model, with KV heads as it has them."""
    model = draw.choice(_MODELS)
    lengths = (10, 20, 48, 50, 77, 100, 197, 200, 256, 300, 384, 500, 512, 1000, 1024, 2000)
    batch, length = draw.choice((1, 2, 3, 4, 5, 8, 16)), draw.choice([size for size in lengths if size <= model.context])
    inputs: tuple[tuple[str, Nested | Shape], ...] = (
        ("X", Shape((batch, length, model.d_model))),
        ("d_model", model.d_model),
        ("h", model.heads),
    )
    later = (
        _shape_ask("S", "scores", "分数"),
        _shape_ask("O", "output of the heads", "各 head 的输出"),
        _shape_ask("H", "concatenated heads", "拼接后的结果"),
    )
    if model.kv_heads == model.heads:
        first = _shape_ask("Q_h", "queries split into heads", "拆成多个 head 的 query")
        lines = _lines("X")
        prompt = Text(
            "Self-attention in a layer of {name}, with $h$ heads that share out $d_{\\text{model}}$ evenly, on $X$ of shape $[B, S, d_{\\text{model}}]$; the head axis comes before the sequence axis. Give the shape at each stage.",
            "{name}的一层对形状为 $[B, S, d_{\\text{model}}]$ 的 $X$ 做 self-attention，$h$ 个 head 平分 $d_{\\text{model}}$，head 维排在序列维之前。写出各阶段的形状。",
        )
    else:
        inputs = (*inputs, ("h_kv", model.kv_heads))
        first = _shape_ask("K", "projected keys", "投影得到的 key")
        lines = _GROUPED_LINES
        prompt = Text(
            "Self-attention in a layer of {name}, on $X$ of shape $[B, S, d_{\\text{model}}]$: $h$ query heads share out $d_{\\text{model}}$ evenly, and share $h_{\\text{kv}}$ KV heads as wide as they are. Keys and values are projected to the width of the KV heads, split into heads, and repeated for the query heads of their group; the head axis comes before the sequence axis. Give the shape at each stage.",
            "{name}的一层对形状为 $[B, S, d_{\\text{model}}]$ 的 $X$ 做 self-attention：$h$ 个 query head 平分 $d_{\\text{model}}$，共用 $h_{\\text{kv}}$ 个同样宽的 KV head。key 和 value 先投影到所有 KV head 的总宽度，拆成多个 head，再重复给同组的 query head；head 维排在序列维之前。写出各阶段的形状。",
        )
    return Drawn(prompt.fill(name=models.stack_of(model)), Program(inputs, lines, (first, *later)))


def _head_shapes(draw: Draw, level: int, published: bool = True) -> Drawn:
    if level == 3:
        return _grouped_shapes(draw)
    if level == 4 and published:
        return _published_shapes(draw)
    lengths = range(3, 13) if level == 1 else (10, 20, 48, 50, 77, 100, 128, 197, 256, 384, 512, 1000, 1024)

    def make() -> tuple[int, int, int, int]:
        return (*_sizes(draw, level), draw.choice(lengths))

    batch, model, heads, length = draw.until(make, lambda made: level != 2 or are_apart((*made, made[1] // made[2])))
    asks: tuple[Ask, ...] = (
        _shape_ask("Q_h", "queries split into heads", "拆成多个 head 的 query"),
        _shape_ask("S", "scores", "分数"),
        _shape_ask("O", "output of the heads", "各 head 的输出"),
        _shape_ask("H", "concatenated heads", "拼接后的结果"),
    )
    if level == 2:
        sizes = {"B": batch, "h": heads, "S": length, "d_k": model // heads, "d_model": model}
        asks = in_letters(draw, asks, sizes, draw.integer(1, 2))
    return Drawn(
        Text(
            "Multi-head self-attention with $h$ heads on $X$ of shape $[B, S, d_{\\text{model}}]$; the head axis comes before the sequence axis. Give the shape at each stage.",
            "对形状为 $[B, S, d_{\\text{model}}]$ 的 $X$ 做多头 self-attention，共 $h$ 个 head，head 维排在序列维之前。写出各阶段的形状。",
        )
        + _with_width(asks),
        Program((("X", Shape((batch, length, model))), ("d_model", model), ("h", heads)), _lines("X"), asks),
    )


def _with_width(asks: tuple[Ask, ...]) -> Text:
    said = said_names(asks)
    if not said.en:
        return said
    return said + Text("Here $d_k$ is the width of one head.", "其中 $d_k$ 是一个 head 的宽度。")


_LENGTHS = Text(
    "Here $S_{\\text{dec}}$ and $S_{\\text{enc}}$ are the lengths of $X$ and $E$, and $d_k$ is the width of one head.",
    "其中 $S_{\\text{dec}}$、$S_{\\text{enc}}$ 是 $X$、$E$ 的长度，$d_k$ 是一个 head 的宽度。",
)


def _other_encoder(draw: Draw) -> Drawn:
    """Draw cross-attention to an encoder of another width; the shape of a weight matrix is asked too."""
    lengths = (7, 11, 19, 23, 30, 37, 45, 60, 75, 77, 90, 120, 150, 197, 240, 257, 300)
    widths = (192, 256, 320, 384, 512, 640, 768, 896, 960, 1024, 1152, 1280)

    def make() -> tuple[int, ...]:
        heads, width = draw.choice((5, 6, 8, 9, 10, 12, 14, 15, 16, 18, 20)), draw.choice((24, 32, 40, 48, 56, 64, 72, 80))
        return (draw.choice((2, 3, 4, 6, 12, 16, 24, 32)), heads, width, *draw.shuffled(lengths)[:2], draw.choice(widths))

    made = draw.until(make, lambda made: are_apart((*made, made[1] * made[2])))
    batch, heads, width, decoder, encoder, source = made
    model = heads * width
    asks: tuple[Ask, ...] = (
        _shape_ask("W_K", "key weights", "key 的权重"),
        _shape_ask("K_h", "keys split into heads", "拆成多个 head 的 key"),
        _shape_ask("A", "weights of attention", "注意力权重"),
        _shape_ask("H", "concatenated heads", "拼接后的结果"),
    )
    sizes = {"B": batch, "h": heads, "S_dec": decoder, "S_enc": encoder, "d_k": width, "d_model": model, "d_enc": source}
    asks = in_letters(draw, asks, sizes, draw.integer(1, 2))
    return Drawn(
        Text(
            "Cross-attention with $h$ heads, which share out $d_{\\text{model}}$ evenly: $X$ holds the decoder's states, of width $d_{\\text{model}}$, and $E$ the output of an encoder of another width, $d_{\\text{enc}}$. Queries, keys and values are $d_{\\text{model}}$ wide, all heads together; weight matrices multiply on the right, and the head axis comes before the sequence axis. Give the shapes.",
            "$h$ 个 head 的 cross-attention，各个 head 平分 $d_{\\text{model}}$：$X$ 是解码器的状态，宽度为 $d_{\\text{model}}$；$E$ 是编码器的输出，编码器另有宽度 $d_{\\text{enc}}$。所有 head 的 query、key、value 合起来都宽 $d_{\\text{model}}$。权重矩阵右乘，head 维排在序列维之前。写出各形状。",
        )
        + said_names(asks)
        + _LENGTHS,
        Program(
            (
                ("X", Shape((batch, decoder, model))),
                ("E", Shape((batch, encoder, source))),
                ("d_model", model),
                ("d_enc", source),
                ("h", heads),
            ),
            _lines("E", "d_enc"),
            asks,
        ),
    )


def _of_the_transformer(draw: Draw) -> Drawn:
    """Draw one of the published models that have cross-attention, base or big."""
    model = draw.choice((models.TRANSFORMER_BASE, models.TRANSFORMER_BIG))
    batch = draw.choice((1, 2, 3, 4, 5, 6, 10, 12, 24, 32))
    decoder, encoder = draw.shuffled((5, 9, 12, 20, 24, 30, 37, 45, 50, 75, 77, 90, 100, 120, 128, 150, 197, 200, 256, 300))[:2]
    return Drawn(
        Text(
            "Cross-attention in a decoder layer of {name}, with $h$ heads: $X$ holds the decoder's states, $E$ the encoder's output; the head axis comes before the sequence axis. Give the shapes.",
            "{name} 解码器一层里的 cross-attention，共 $h$ 个 head：$X$ 是解码器的状态，$E$ 是编码器的输出，head 维排在序列维之前。写出各形状。",
        ).fill(name=model.name),
        Program(
            (
                ("X", Shape((batch, decoder, model.d_model))),
                ("E", Shape((batch, encoder, model.d_model))),
                ("d_model", model.d_model),
                ("h", model.heads),
            ),
            _lines("E"),
            (
                _shape_ask("K_h", "keys split into heads", "拆成多个 head 的 key"),
                _shape_ask("S", "scores", "分数"),
                _shape_ask("O", "output of the heads", "各 head 的输出"),
                _shape_ask("H", "concatenated heads", "拼接后的结果"),
            ),
        ),
    )


def _cross_shapes(draw: Draw, level: int, published: bool = True) -> Drawn:
    if level == 3:
        return _other_encoder(draw)
    if level == 4 and published:
        return _of_the_transformer(draw)
    lengths = range(3, 13) if level == 1 else (5, 9, 12, 20, 24, 37, 50, 64, 100, 128, 200)

    def make() -> tuple[int, ...]:
        return (*_sizes(draw, level), *draw.shuffled(lengths)[:2])

    batch, model, heads, decoder, encoder = draw.until(make, lambda made: level != 2 or are_apart((*made, made[1] // made[2])))
    inputs: tuple[tuple[str, Nested | Shape], ...] = (
        ("X", Shape((batch, decoder, model))),
        ("E", Shape((batch, encoder, model))),
        ("d_model", model),
    )
    if level == 1:
        lines: tuple[Call, ...] = (
            *(call(f"W_{name}", "weight", "d_model", "d_model") for name in "QKV"),
            call("Q", "project", "X", "W_Q"),
            call("K", "project", "E", "W_K"),
            call("V", "project", "E", "W_V"),
            call("S", "scores", "Q", "K"),
            call("A", "softmax", "S"),
            call("O", "mix", "A", "V"),
        )
        last = _shape_ask("O", "output", "输出")
        prompt = Text(
            "Single-head cross-attention: $X$ holds the decoder's states, $E$ the encoder's output. Give the shapes.",
            "单头 cross-attention：$X$ 是解码器的状态，$E$ 是编码器的输出。写出各形状。",
        )
    else:
        inputs += (("h", heads),)
        lines = _lines("E")
        last = _shape_ask("H", "concatenated heads", "拼接后的结果")
        prompt = Text(
            "Cross-attention with $h$ heads: $X$ holds the decoder's states, $E$ the encoder's output; the head axis comes before the sequence axis. Give the shapes.",
            "$h$ 个 head 的 cross-attention：$X$ 是解码器的状态，$E$ 是编码器的输出，head 维排在序列维之前。写出各形状。",
        )
    asks: tuple[Ask, ...] = (_shape_ask("S", "scores", "分数"), _shape_ask("A", "weights", "权重"), last)
    if level == 2:
        sizes = {"B": batch, "h": heads, "S_dec": decoder, "S_enc": encoder, "d_k": model // heads, "d_model": model}
        asks = in_letters(draw, asks, sizes, draw.integer(1, 2))
        prompt += said_names(asks) + _LENGTHS
    return Drawn(prompt, Program(inputs, lines, asks))


DRILLS = (
    Drill(
        "concat-heads",
        "7.14",
        Text("Concatenate the heads", "拼接多个 head"),
        "0",
        (1, 2, 3),
        _concat_heads,
        hints=(
            Text("Concatenation puts vectors end to end; nothing is added.", "拼接就是首尾相连，不做加法。"),
            Text("Head 1 comes first, whole, then head 2, and so on.", "先放完整的 head 1，再放 head 2，依此类推。"),
            Text("The result has as many numbers as all heads together.", "结果的长度是所有 head 长度之和。"),
        ),
    ),
    Drill(
        "head-shapes",
        "7.14",
        Text("Shapes through multi-head attention", "多头注意力各阶段的形状"),
        "1",
        (1, 2, 3, 4),
        _head_shapes,
        hints=(
            Text("The heads share out $d_{\\text{model}}$ among them.", "各个 head 平分 $d_{\\text{model}}$。"),
            Text(
                "$d_k = d_{\\text{model}}/h$, and the axis of the heads stands before the axis of the tokens.",
                "$d_k = d_{\\text{model}}/h$，head 这一维排在 token 这一维之前。",
            ),
            Text(
                "Scores: one number for every query head, every query and every key. Concatenated: back to $d_{\\text{model}}$. Fewer KV heads only make keys and values narrower.",
                "分数：每个 query head、每个 query、每个 key 各一个数。拼接之后：回到 $d_{\\text{model}}$。KV head 较少时，变窄的只有 key 和 value。",
            ),
        ),
        revised=(Revised(4, "2", partial(_head_shapes, published=False)),),
    ),
    Drill(
        "cross-shapes",
        "7.18",
        Text("Shapes in cross-attention", "cross-attention 各阶段的形状"),
        "1",
        (1, 2, 3, 4),
        _cross_shapes,
        hints=(
            Text(
                "Queries come from the decoder, keys and values from the encoder.",
                "query 来自解码器，key 和 value 来自编码器。",
            ),
            Text(
                "The scores have a row for each decoder token and a column for each encoder token.",
                "分数矩阵：解码器一个 token 一行，编码器一个 token 一列。",
            ),
            Text(
                "The output has the decoder's length: the encoder's is summed away. A weight matrix has as many rows as what it multiplies is wide.",
                "输出的长度跟解码器走，编码器的长度在加权求和时消掉了。权重矩阵的行数等于它所乘的输入的宽度。",
            ),
        ),
        revised=(Revised(4, "2", partial(_cross_shapes, published=False)),),
    ),
)
