"""What attention costs as the sequence grows (7.4): FLOPs and their growth."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from question_bank import models
from question_bank.drills.base import Draw, Drawn, Drill, Revised, ask_order, name_node
from question_bank.program import AnswerFormat, Ask, Kind, Program, call
from question_bank.text import Text

_COUNT = AnswerFormat(Kind.INTEGER, decimals=0)

PLAIN = (
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


_UNITS = {
    "flops": (Text("How many FLOPs", " FLOPs"), Text(" A multiply-add is 2 FLOPs.", "一次乘加算 2 个 FLOP。")),
    "multiply-adds": (Text("How many multiply-adds", "次乘加"), Text("", "")),
}


def _crossing_flops(draw: Draw) -> Drawn:
    """Ask what cross-attention takes, where queries and keys have lengths of their own."""
    heads = draw.choice((4, 6, 8, 10, 12, 16))
    width = heads * draw.choice((20, 24, 32, 40, 48, 56, 64, 80))
    queries, keys = draw.until(
        lambda: (draw.integer(20, 400), draw.integer(20, 400)), lambda made: 2 * abs(made[0] - made[1]) > min(made)
    )
    counted = draw.choice(tuple(_UNITS))
    return Drawn(
        Text(
            "A cross-attention layer of width $d_{\\text{model}}$ with $h$ heads, which share the width, takes its queries from $T$ tokens of a decoder, keys and values from $S$ tokens of an encoder. {unit} do the four projections with $W_Q$, $W_K$, $W_V$ and $W_O$ take together ($F_1$), and how many do $QK^\\top$ and $AV$ take together ($F_2$)?{double} Also give the order of growth of $F_2$ with $T$, $S$ and $d_{\\text{model}}$ (big $O$).",
            "某个 cross-attention 层宽 $d_{\\text{model}}$，由 $h$ 个 head 平分；query 来自解码器的 $T$ 个 token，key 和 value 来自编码器的 $S$ 个 token。$W_Q$、$W_K$、$W_V$、$W_O$ 四次投影合起来需要多少{unit}（$F_1$）？$QK^\\top$ 和 $AV$ 合起来又需要多少（$F_2$）？{double}再用大 $O$ 记号写出 $F_2$ 随 $T$、$S$ 和 $d_{\\text{model}}$ 增长的量级。",
        ).fill(unit=_UNITS[counted][0], double=_UNITS[counted][1]),
        Program(
            (("T", queries), ("S", keys), ("d_model", width), ("h", heads)),
            (
                call("F_1", "attention_flops", "T", "S", "d_model", part="projections", counted=counted),
                call("F_2", "attention_flops", "T", "S", "d_model", part="attention", counted=counted),
            ),
            (
                Ask("F_1", _COUNT, label=name_node("F_1")),
                Ask("F_2", _COUNT, label=name_node("F_2")),
                ask_order("F_2", "T", "S", "d_model"),
            ),
        ),
    )


def _attention_flops(draw: Draw, level: int) -> Drawn:
    if level == 3:
        return _crossing_flops(draw)
    part = draw.choice(tuple(_PARTS))
    counted = "flops" if level == 1 else draw.choice(("flops", "multiply-adds"))
    name = Text("An attention layer", "某个注意力层")
    if level == 4:
        model = draw.choice(PLAIN)
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
_PAIRS = ("scores", "score-flops", "score-bytes")
"""What there is for every pair of tokens."""


def _length_scaling(draw: Draw, level: int, doubled: bool = False) -> Drawn:
    if level > 2:
        return _layer_scaling(draw) if level == 4 else _layer_growth(draw)
    of = draw.choice(tuple(_GROWN))
    if level == 1:
        old = draw.choice((8, 10, 12, 16, 20, 32, 40, 50, 60, 64, 100, 128, 200, 256, 400, 500, 512, 1000))
        # Twice and four times the length give one factor by squares and by powers of 2: which was taken doesn't show.
        new = old * draw.choice((2, 3, 4, 5, 8, 10) if doubled else (2, 3, 4, 5, 6, 7, 8, 9, 10, 12))
        if not doubled and of not in _PAIRS and draw.integer(0, 4) > 1:
            of = draw.choice(_PAIRS)
        if draw.integer(0, 3 if doubled else 7) == 0:
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


def _telling(width: int, inner: int, form: str, old: int, new: int) -> bool:
    """Tell whether the layer's factor is no rounding of the factor of the lengths, which a person may give instead."""
    linear = 8 * width + (6 if form == "swiglu" else 4) * inner
    layer = Fraction(new * (linear + 4 * new), old * (linear + 4 * old))
    return new > old and layer < 12 and layer - Fraction(new, old) >= Fraction(1, 20) and round(layer) * old != new


def _layer_scaling(draw: Draw) -> Drawn:
    model = draw.choice(PLAIN)
    lengths = [size for size in _LENGTHS if size <= model.context]
    old, new = draw.until(
        lambda: draw.shuffled(lengths)[:2], lambda made: _telling(model.d_model, model.d_ff, model.ffn, *made)
    )
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


def _layer_growth(draw: Draw) -> Drawn:
    """Ask what a layer takes at two lengths, then by what factor that grows."""
    heads, form = draw.choice((4, 6, 8, 12, 16)), draw.choice(("relu", "swiglu"))
    width = heads * draw.choice((8, 12, 16, 20, 24, 32, 40))
    inner = 8 * draw.integer(width // 4, width // 2)
    old, new = draw.until(
        lambda: (draw.integer(10, 120) * 10, draw.integer(20, 400) * 10), lambda made: _telling(width, inner, form, *made)
    )
    counted = draw.choice(tuple(_UNITS))
    return Drawn(
        Text(
            "An encoder layer has the width $d_{\\text{model}}$, $h$ heads which share it, and an FFN of {matrices} matrices between $d_{\\text{model}}$ and $d_{\\text{ff}}$. {unit} does the layer take (four projections, $QK^\\top$, $AV$ and the FFN) for one sequence of $S$ tokens ($F_S$), and for one of $T$ tokens ($F_T$)?{double} By what factor $r$ does that grow with the sequence, to {n} decimals?",
            "某个编码器层宽 $d_{\\text{model}}$，由 $h$ 个 head 平分，FFN 是 $d_{\\text{model}}$ 与 $d_{\\text{ff}}$ 之间的 {matrices} 个矩阵。处理一条 $S$ 个 token 的序列，这一层（四次投影、$QK^\\top$、$AV$ 和 FFN）需要多少{unit}（$F_S$）？换成 $T$ 个 token 又需要多少（$F_T$）？{double}序列变长之后，计算量是原来的多少倍？记作 $r$，保留 {n} 位小数。",
        ).fill(matrices=3 if form == "swiglu" else 2, unit=_UNITS[counted][0], double=_UNITS[counted][1], n=2),
        Program(
            (("S", old), ("T", new), ("d_model", width), ("h", heads), ("d_ff", inner)),
            (
                call("F_S", "layer_flops", "S", "d_model", "d_ff", form=form, counted=counted),
                call("F_T", "layer_flops", "T", "d_model", "d_ff", form=form, counted=counted),
                call("r", "growth", "F_T", "F_S"),
            ),
            (
                Ask("F_S", _COUNT, label=name_node("F_S")),
                Ask("F_T", _COUNT, label=name_node("F_T")),
                Ask("r", AnswerFormat(Kind.NUMBER, decimals=2), label=name_node("r")),
            ),
        ),
    )


DRILLS = (
    Drill(
        "length-scaling",
        "7.4",
        Text("Growth with the length", "随序列长度增长的倍数"),
        "1",
        (1, 2, 3, 4),
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
        revised=(Revised(1, "2", partial(_length_scaling, doubled=True)),),
    ),
    Drill(
        "attention-flops",
        "7.4",
        Text("FLOPs of attention", "注意力的 FLOPs"),
        "1",
        (1, 2, 3, 4),
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
                "Multiply-adds: queries × keys × $d_{\\text{model}}$ for $QK^\\top$, as many for $AV$, tokens × $d_{\\text{model}}^2$ for a projection. FLOPs are twice that.",
                "乘加次数：$QK^\\top$ 是 query 数 × key 数 × $d_{\\text{model}}$，$AV$ 也一样，每次投影是 token 数 × $d_{\\text{model}}^2$。FLOPs 再乘 2。",
            ),
        ),
    ),
)
