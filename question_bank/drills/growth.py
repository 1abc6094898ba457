"""What attention costs as the sequence grows (7.4): FLOPs, bytes of the scores, growth and crossover."""

from __future__ import annotations

from fractions import Fraction

from question_bank import models
from question_bank.drills.base import Draw, Drawn, Drill, ask_order, name_node
from question_bank.program import AnswerFormat, Ask, Kind, Nested, Program, call
from question_bank.text import Text

_COUNT = AnswerFormat(Kind.INTEGER, decimals=0)

_PLAIN = (
    models.TRANSFORMER_BASE,
    models.TRANSFORMER_BIG,
    models.BERT_BASE,
    models.GPT2_SMALL,
    models.GPT2_MEDIUM,
    models.GPT2_LARGE,
    models.GPT2_XL,
    models.LLAMA2_7B,
)
"""Models whose heads all have keys and values of their own."""

_PARTS = {
    "scores": Text("the product $QK^\\top$", "$QK^\\top$ 这次乘法"),
    "mix": Text("the product $AV$", "$AV$ 这次乘法"),
    "attention": Text("the two products $QK^\\top$ and $AV$ together", "$QK^\\top$ 和 $AV$ 两次乘法合起来"),
    "projections": Text(
        "the four projections with $W_Q$, $W_K$, $W_V$ and $W_O$ together", "$W_Q$、$W_K$、$W_V$、$W_O$ 四次投影合起来"
    ),
}


def _attention_flops(draw: Draw, level: int) -> Drawn:
    part = draw.choice(tuple(_PARTS))
    counted = "flops" if level == 1 else draw.choice(("flops", "multiply-adds"))
    name = Text("An attention layer", "某个注意力层")
    if level == 4:
        model = draw.choice(_PLAIN)
        name = Text(f"A layer of {model.name}", f"{model.name} 的一层")
        width, heads = model.d_model, model.heads
        length = draw.choice(
            [size for size in (64, 100, 128, 200, 256, 300, 384, 500, 512, 1000, 1024) if size <= model.context]
        )
    elif level == 1:
        heads = draw.choice((4, 5, 8))
        width, length = heads * draw.integer(1, 4), draw.choice((2, 3, 4, 5, 6, 7, 8, 9, 10, 20))
    else:
        heads = draw.choice((4, 6, 8, 12))
        width, length = heads * draw.choice((8, 10, 16, 20, 32)), draw.choice((10, 12, 15, 16, 20, 24, 30, 32, 40, 50, 64, 100))
    unit = {
        "flops": Text("How many FLOPs $F$ {takes} {part}? A multiply-add is 2 FLOPs.", "{part}需要多少 FLOPs？记作 $F$，一次乘加算 2 个 FLOP。"),
        "multiply-adds": Text("How many multiply-adds $F$ {takes} {part}?", "{part}需要多少次乘加？记作 $F$。"),
    }[counted].fill(part=_PARTS[part], takes="does" if part in ("scores", "mix") else "do")  # fmt: skip
    unit = Text(unit.en.replace("?", " take?", 1), unit.zh)
    asks = [Ask("F", _COUNT, label=name_node("F"))]
    order = Text("", "")
    if level == 2:
        asks.append(ask_order("F", "S", "d_model"))
        order = Text(
            " Also give the order of growth of $F$ with $S$ and $d_{\\text{model}}$ (big $O$).",
            "再用大 $O$ 记号写出 $F$ 随 $S$ 和 $d_{\\text{model}}$ 增长的量级。",
        )
    return Drawn(
        Text(
            "{name} of width $d_{\\text{model}}$ with $h$ heads, which share the width, processes one sequence of $S$ tokens. {unit} A mask, if any, saves nothing.{order}",
            "{name}宽 $d_{\\text{model}}$，由 $h$ 个 head 平分，处理一条 $S$ 个 token 的序列。{unit}有无 mask 都按全量计算。{order}",
        ).fill(name=name, unit=unit, order=order),
        Program(
            (("S", length), ("d_model", width), ("h", heads)),
            (call("F", "attention_flops", "S", "S", "d_model", part=part, counted=counted),),
            tuple(asks),
        ),
    )


_GROWN = {
    "scores": Text("the number of attention scores", "注意力分数的个数"),
    "score-flops": Text("the number of FLOPs of $QK^\\top$", " $QK^\\top$ 所需的 FLOPs 数"),
    "score-bytes": Text("the number of bytes of the stored scores", "存下来的注意力分数的字节数"),
    "cache": Text("the number of bytes of the KV cache", " KV cache 的字节数"),
    "projections": Text("the number of FLOPs of the projections $W_Q$, $W_K$, $W_V$ and $W_O$", " $W_Q$、$W_K$、$W_V$、$W_O$ 四次投影所需的 FLOPs 数"),
    "ffn": Text("the number of FLOPs of the FFN", " FFN 所需的 FLOPs 数"),
}  # fmt: skip


def _length_scaling(draw: Draw, level: int) -> Drawn:
    if level == 4:
        return _layer_scaling(draw)
    of = draw.choice(tuple(_GROWN))
    if level == 1:
        old = draw.choice((8, 10, 12, 16, 20, 32, 40, 50, 60, 64, 100, 128, 200, 256, 400, 500, 512, 1000))
        new = old * draw.choice((2, 3, 4, 5, 8, 10))
        if draw.integer(0, 3) == 0:
            old, new = new, old
    else:
        unit = draw.choice((10, 16, 20, 25, 32, 50, 64, 100, 128, 250, 256, 500))
        old_units, new_units = draw.until(
            lambda: (draw.integer(2, 9), draw.integer(2, 20)), lambda made: made[0] != made[1] and made[1] % made[0] != 0
        )
        old, new = unit * old_units, unit * new_units
    return Drawn(
        Text(
            "Every token attends to every token. The length of the sequence goes from $S$ to $T$; everything else stays. By what factor $r$ does {what} change (new over old)? Give it as a fraction, or to {n} decimals. Also give its order of growth with the length $T$ (big $O$).",
            "每个 token 都关注所有 token。序列长度从 $S$ 变成 $T$，其余不变。那么{what}变为原来的多少倍（新值除以旧值）？记作 $r$，写成分数，或保留 {n} 位小数。再用大 $O$ 记号写出它随长度 $T$ 增长的量级。",
        ).fill(what=_GROWN[of], n=2),
        Program(
            (("S", old), ("T", new)),
            (call("r", "length_factor", "S", "T", of=of),),
            (Ask("r", AnswerFormat(Kind.NUMBER, decimals=2), label=name_node("r")), _order_in_length()),
        ),
    )


def _order_in_length() -> Ask:
    label = Text("order of growth with $T$", "随 $T$ 增长的量级")
    return Ask("r", AnswerFormat(Kind.ORDER, symbols=("T",)), label=label)


_LENGTHS = (64, 100, 128, 160, 200, 256, 300, 320, 400, 500, 512, 600, 800, 1000, 1024, 1500, 2000, 2048, 3000, 4000, 4096)


def _telling(model: models.Model, old: int, new: int) -> bool:
    """Tell whether the layer's factor is no rounding of the factor of the lengths, which a person may give instead."""
    linear = 8 * model.d_model + (6 if model.ffn == "swiglu" else 4) * model.d_ff
    layer = Fraction(new * (linear + 4 * new), old * (linear + 4 * old))
    return new > old and layer < 12 and layer - Fraction(new, old) >= Fraction(1, 20) and round(layer) * old != new


def _layer_scaling(draw: Draw) -> Drawn:
    model = draw.choice(_PLAIN)
    lengths = [size for size in _LENGTHS if size <= model.context]
    old, new = draw.until(lambda: draw.shuffled(lengths)[:2], lambda made: _telling(model, *made))
    matrices = 3 if model.ffn == "swiglu" else 2
    inputs = (("S", old), ("T", new), ("d_model", model.d_model), ("d_ff", model.d_ff))
    return Drawn(
        Text(
            "One {layer} of {name} has the width $d_{\\text{model}}$ and an FFN of {matrices} matrices between $d_{\\text{model}}$ and $d_{\\text{ff}}$. The sequence grows from $S$ to $T$ tokens. By what factor $r$ does the number of FLOPs of the layer grow (four projections, $QK^\\top$, $AV$ and the FFN), to {n} decimals?",
            "{name} 的{layer}宽 $d_{\\text{model}}$，FFN 是 $d_{\\text{model}}$ 与 $d_{\\text{ff}}$ 之间的 {matrices} 个矩阵。序列从 $S$ 个 token 增长到 $T$ 个。这一层的 FLOPs（四次投影、$QK^\\top$、$AV$ 和 FFN）变为原来的多少倍？记作 $r$，保留 {n} 位小数。",
        ).fill(
            name=model.name,
            layer=Text("layer", "一层") if model.kind == "decoder" else Text("encoder layer", "一个编码器层"),
            matrices=matrices,
            n=2,
        ),
        Program(
            inputs,
            (
                call("F_S", "layer_flops", "S", "d_model", "d_ff", form=model.ffn),
                call("F_T", "layer_flops", "T", "d_model", "d_ff", form=model.ffn),
                call("r", "growth", "F_T", "F_S"),
            ),
            (Ask("r", AnswerFormat(Kind.NUMBER, decimals=2), label=name_node("r")),),
        ),
    )


def _crossover(draw: Draw, level: int) -> Drawn:
    heads = draw.choice((4, 5, 6, 8, 10) if level == 1 else (4, 6, 8, 12, 16, 32))
    width = heads * (draw.integer(2, 20) if level == 1 else 8 * draw.integer(2, 16))
    inputs: tuple[tuple[str, Nested], ...] = (("d_model", width), ("h", heads))
    wide = draw.integer(0, 2) > 0 if level == 1 else True
    form = "relu" if level == 1 else draw.choice(("relu", "swiglu"))
    linear = Text("the four projections", "四次投影")
    if wide:
        inner = width * draw.choice((2, 3, 4)) if level == 1 else 16 * draw.integer(width // 8, width // 4)
        inputs = (*inputs, ("d_ff", inner))
        linear = Text(
            "the four projections and the FFN (SwiGLU: three matrices between $d_{\\text{model}}$ and $d_{\\text{ff}}$)"
            if form == "swiglu"
            else "the four projections and the FFN (two matrices between $d_{\\text{model}}$ and $d_{\\text{ff}}$)",
            "四次投影和 FFN（SwiGLU，$d_{\\text{model}}$ 与 $d_{\\text{ff}}$ 之间有三个矩阵）"
            if form == "swiglu"
            else "四次投影和 FFN（$d_{\\text{model}}$ 与 $d_{\\text{ff}}$ 之间有两个矩阵）",
        )
    return Drawn(
        Text(
            "A layer of width $d_{\\text{model}}$ has $h$ heads, which share the width. At what length $S$ do $QK^\\top$ and $AV$ together take as many FLOPs as {linear}? A mask, if any, saves nothing.",
            "某一层宽 $d_{\\text{model}}$，由 $h$ 个 head 平分。序列长度 $S$ 是多少时，$QK^\\top$ 和 $AV$ 的 FLOPs 合起来等于{linear}的 FLOPs？求 $S$，有无 mask 都按全量计算。",
        ).fill(linear=linear),
        Program(
            inputs,
            (call("S", "crossover", "d_model", *(("d_ff",) if wide else ()), form=form),),
            (Ask("S", _COUNT, label=name_node("S")),),
        ),
    )


def _score_bytes(draw: Draw, level: int) -> Drawn:
    name = Text("An attention layer", "某个注意力层")
    if level == 4:
        model = draw.choice((*_PLAIN, models.LLAMA3_70B, models.MISTRAL_7B, models.QWEN_7B))
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
        "length-scaling",
        "7.4",
        Text("Growth with the length", "随序列长度增长的倍数"),
        "1",
        (1, 2, 4),
        _length_scaling,
        hints=(
            Text(
                "Is it counted for each token, or for each pair of tokens?",
                "先分清：是每个 token 一份，还是每一对 token 一份？",
            ),
            Text(
                "Scores, $QK^\\top$ and $AV$ go by pairs of tokens; projections, the FFN and the KV cache by tokens.",
                "注意力分数、$QK^\\top$ 和 $AV$ 按 token 对计；投影、FFN 和 KV cache 按 token 计。",
            ),
            Text(
                "By tokens: $T/S$; by pairs: $(T/S)^2$. A whole layer with $n$ FFN matrices takes $8Sd^2 + 4S^2d + 2nSd \\cdot d_{\\text{ff}}$ FLOPs, where $d = d_{\\text{model}}$.",
                "按 token 计是 $T/S$ 倍，按 token 对计是 $(T/S)^2$ 倍。FFN 含 $n$ 个矩阵时，一整层的 FLOPs 是 $8Sd^2 + 4S^2d + 2nSd \\cdot d_{\\text{ff}}$，其中 $d = d_{\\text{model}}$。",
            ),
        ),
    ),
    Drill(
        "attention-flops",
        "7.4",
        Text("FLOPs of attention", "注意力的 FLOPs"),
        "1",
        (1, 2, 4),
        _attention_flops,
        hints=(
            Text(
                "A matrix $a \\times b$ times a matrix $b \\times c$ takes $abc$ multiply-adds.",
                "$a \\times b$ 的矩阵乘 $b \\times c$ 的矩阵，需要 $abc$ 次乘加。",
            ),
            Text(
                "The heads share the width, so $h$ cancels: count as if one head were $d_{\\text{model}}$ wide.",
                "各 head 平分宽度，$h$ 会约掉：当作只有一个宽 $d_{\\text{model}}$ 的 head 来算。",
            ),
            Text(
                "Multiply-adds: $S^2 \\cdot d_{\\text{model}}$ for $QK^\\top$, as many for $AV$, and $S \\cdot d_{\\text{model}}^2$ for each projection. FLOPs are twice that.",
                "乘加次数：$QK^\\top$ 是 $S^2 \\cdot d_{\\text{model}}$，$AV$ 也一样，每次投影是 $S \\cdot d_{\\text{model}}^2$。FLOPs 再乘 2。",
            ),
        ),
    ),
    Drill(
        "crossover",
        "7.4",
        Text("Where the quadratic part overtakes", "平方项何时反超"),
        "0",
        (1, 2),
        _crossover,
        hints=(
            Text(
                "Write down the FLOPs of both sides and equate them. The number of heads cancels.",
                "写出两边的 FLOPs，令它们相等；head 数会约掉。",
            ),
            Text(
                "With $d = d_{\\text{model}}$: $QK^\\top$ and $AV$ take $4S^2d$, the four projections $8Sd^2$, each FFN matrix $2Sd \\cdot d_{\\text{ff}}$.",
                "记 $d = d_{\\text{model}}$：$QK^\\top$ 和 $AV$ 合起来是 $4S^2d$，四次投影是 $8Sd^2$，FFN 每个矩阵是 $2Sd \\cdot d_{\\text{ff}}$。",
            ),
            Text(
                "Divide by $4Sd$: $S = 2d + n \\cdot d_{\\text{ff}}/2$, where $n$ is the number of FFN matrices, 0 if the FFN isn't counted.",
                "两边除以 $4Sd$：$S = 2d + n \\cdot d_{\\text{ff}}/2$，$n$ 是 FFN 的矩阵个数，不算 FFN 时为 0。",
            ),
        ),
    ),
    Drill(
        "score-bytes",
        "7.4",
        Text("Bytes of the stored scores", "注意力分数占多少字节"),
        "0",
        (1, 2, 4),
        _score_bytes,
        hints=(
            Text("Count the scores first, then the bytes of each.", "先数有多少个分数，再乘每个数的字节数。"),
            Text(
                "Each head of each sequence has a matrix of scores of its own, $S \\times S$. The width of the heads plays no part.",
                "每条序列的每个 head 各有一个 $S \\times S$ 的分数矩阵，与 head 的宽度无关。",
            ),
            Text(
                "The size is $BhS^2b$ bytes. Divide by $2^{30}$ for GiB, by $10^9$ for GB.",
                "一共 $BhS^2b$ 字节。换算成 GiB 除以 $2^{30}$，换算成 GB 除以 $10^9$。",
            ),
        ),
    ),
)
