"""The encoder layer and whole models (7.2): shapes and parameters."""

from __future__ import annotations

from question_bank import models
from question_bank.drills.base import Draw, Drawn, Drill, are_apart, in_letters, name_node, said_names
from question_bank.models import Model
from question_bank.program import AnswerFormat, Ask, Asked, Kind, Nested, Program, Shape, call
from question_bank.text import Text

_COUNT = AnswerFormat(Kind.INTEGER, decimals=0)
_SHAPE = AnswerFormat(Kind.SHAPE)

_STACKS = (
    models.TRANSFORMER_BASE,
    models.TRANSFORMER_BIG,
    models.BERT_BASE,
    models.GPT2_SMALL,
    models.GPT2_MEDIUM,
    models.GPT2_LARGE,
    models.GPT2_XL,
)
"""Models with layers of four square projections, two matrices in the FFN, two LayerNorms, and biases."""


def _named(model: Model) -> Text:
    """Name a layer of a model: GPT-2's have no encoder, but the same parts."""
    if model.kind == "decoder":
        return Text(f"A layer of {model.name}", f"{model.name} 的一层")
    return Text(f"An encoder layer of {model.name}", f"{model.name} 的一个编码器层")


def _encoder_shape(draw: Draw, level: int) -> Drawn:
    name = Text("An encoder layer", "某个编码器层")
    if level == 4:
        model = draw.choice(_STACKS)
        name, heads, width, inner = _named(model), model.heads, model.d_model, model.d_ff
        batch, length = draw.choice((1, 3, 4, 5, 9, 10, 32)), draw.choice((50, 77, 100, 128, 197, 200, 256, 300, 384, 500, 512))
    elif level == 1:
        heads, batch, length = draw.integer(2, 4), draw.integer(1, 6), draw.integer(3, 12)
        width = heads * draw.integer(2, 6)
        inner = width * draw.choice((2, 3, 4))
    else:
        heads, batch, length, part, inner = draw.until(
            lambda: (
                draw.choice((4, 6, 8, 12)),
                draw.choice((2, 3, 5, 7, 10, 16, 32)),
                draw.choice((10, 20, 30, 48, 50, 77, 100, 128, 200)),
                draw.choice((8, 16, 32, 64)),
                draw.choice((2, 3, 4)),
            ),
            lambda made: are_apart((*made[:4], made[0] * made[3], made[0] * made[3] * made[4])),
        )
        width = heads * part
        inner *= width
    asks = (
        ("A", "attention weights", "注意力权重"),
        ("O", "separate outputs of the heads", "拼接之前各 head 的输出"),
        ("Y", "output of the attention (after $W_O$)", "经 $W_O$ 投影之后的注意力输出"),
        ("H", "hidden layer of the FFN", "FFN 的中间层"),
        ("Z", "output of the FFN", "FFN 的输出"),
    )
    shapes = tuple(Ask(node, _SHAPE, (), Asked.SHAPE, Text(f"{en} ${node}$", f"{zh} ${node}$ ")) for node, en, zh in asks)
    letters = Text("", "")
    if level == 2:
        sizes = {"B": batch, "h": heads, "S": length, "d_k": width // heads, "d_model": width, "d_ff": inner}
        shapes = in_letters(draw, shapes, sizes, 2)
        letters = said_names(shapes) + Text("Here $d_k$ is the width of one head.", "其中 $d_k$ 是一个 head 的宽度。")
    return Drawn(
        Text(
            "{name} has $h$ heads and an FFN of inner width $d_{\\text{ff}}$; its input $X$ has the shape $[B, S, d_{\\text{model}}]$, and the head axis comes before the sequence axis. Give the shape at each stage; residuals and norms leave shapes as they are.",
            "{name}有 $h$ 个 head，FFN 中间宽 $d_{\\text{ff}}$，输入 $X$ 的形状是 $[B, S, d_{\\text{model}}]$，head 维排在序列维之前。写出各阶段的形状；残差和归一化不改变形状。",
        ).fill(name=name)
        + letters,
        Program(
            (("X", Shape((batch, length, width))), ("d_model", width), ("h", heads), ("d_ff", inner)),
            (
                *(call(f"W_{each}", "weight", "d_model", "d_model") for each in "QKV"),
                *(call(each, "project", "X", f"W_{each}") for each in "QKV"),
                *(call(f"{each}_h", "split_heads", each, "h") for each in "QKV"),
                call("S", "scores", "Q_h", "K_h"),
                call("A", "softmax", "S"),
                call("O", "mix", "A", "V_h"),
                call("C", "concat_heads", "O"),
                call("W_O", "weight", "d_model", "d_model"),
                call("Y", "output_projection", "C", "W_O"),
                call("W_1", "weight", "d_model", "d_ff"),
                call("H", "project", "Y", "W_1"),
                call("G", "activation", "H", kind="relu"),
                call("W_2", "weight", "d_ff", "d_model"),
                call("Z", "project", "G", "W_2"),
            ),
            shapes,
        ),
    )


_BIASES = {
    "yes": Text("every linear layer has a bias", "所有线性层都带偏置"),
    "no": Text("no linear layer has a bias", "线性层都不带偏置"),
    "qkv": Text("only $W_Q$, $W_K$ and $W_V$ have biases", "只有 $W_Q$、$W_K$、$W_V$ 带偏置"),
}


def _encoder_parameters(draw: Draw, level: int) -> Drawn:
    name, layers = Text("An encoder layer", "某个编码器层"), 1
    if level == 4:
        model = draw.choice(_STACKS)
        name = Text(f"A layer with the sizes of {model.name}", f"与 {model.name} 同样大小的一层")
        heads, width, inner = model.heads, model.d_model, model.d_ff
        layers = draw.integer(2, model.layers)
    elif level == 1:
        heads = draw.choice((2, 4, 5))
        width = heads * draw.integer(1, 5)
        inner = 2 * draw.integer(width, 2 * width)
    else:
        heads = draw.choice((4, 8))
        width = heads * draw.choice((4, 5, 6, 8, 10, 12, 16))
        inner, layers = width * draw.choice((2, 3, 4)), draw.choice((3, 4, 6, 8, 10, 12))
    biases = draw.choice(("yes", "no"))
    inputs: tuple[tuple[str, Nested], ...] = (("d_model", width), ("h", heads), ("d_ff", inner))
    counted: tuple[str, ...] = ("d_model", "d_ff")
    asked = Text("How many parameters $P$ does it have?", "它有多少个参数？记作 $P$。")
    if level > 1:
        inputs, counted = (*inputs, ("N", layers)), (*counted, "N")
        asked = Text("How many parameters $P$ do $N$ such layers have?", "$N$ 个这样的层共有多少个参数？记作 $P$。")
    return Drawn(
        Text(
            "{name} has the four projections of attention ($d_{\\text{model}} \\times d_{\\text{model}}$ each), an FFN of two matrices and two LayerNorms with gain and bias; {biases}. {asked}",
            "{name}包括注意力的四个投影（都是 $d_{\\text{model}} \\times d_{\\text{model}}$）、FFN 的两个矩阵，以及两个带增益和偏置的 LayerNorm；{biases}。{asked}",
        ).fill(name=name, biases=_BIASES[biases], asked=asked),
        Program(
            inputs,
            (call("P", "layer_parameters", *counted, biases=biases),),
            (Ask("P", _COUNT, label=name_node("P")),),
        ),
    )


_WHOLE = (*_STACKS[:2], *_STACKS[3:], *models.MODELS[7:13])
"""Models counted as a whole. BERT's segments, its norm behind the embeddings and its pooler are left to papers."""

_NORMS = {
    "layer": Text("two LayerNorms (gain and bias)", "两个 LayerNorm（增益和偏置）"),
    "rms": Text("two RMSNorms (gain alone)", "两个 RMSNorm（只有增益）"),
}
_FFNS = {
    "relu": Text("an FFN of two matrices", "FFN 有两个矩阵"),
    "swiglu": Text("a SwiGLU of three matrices", "SwiGLU 有三个矩阵"),
}
_TIES = {
    True: Text("The output layer uses the embedding matrix (tied).", "输出层与 embedding 共用一个矩阵（绑定权重）。"),
    False: Text(
        "The output layer has a matrix of its own, without a bias (untied).", "输出层另有一个矩阵，不带偏置（不绑定权重）。"
    ),
}


def _invented(draw: Draw) -> Model:
    heads = draw.choice((2, 4))
    width = heads * draw.choice((2, 3, 4, 5))
    swiglu = draw.integer(0, 1) == 1
    return Model(
        "", "decoder", draw.integer(2, 6), width, heads, heads, width // heads, width * draw.choice((2, 3, 4)),
        draw.choice((100, 200, 300, 400, 500, 1000)), draw.choice((20, 30, 50, 100)), "",
        ffn="swiglu" if swiglu else "relu",
        norm="rms" if swiglu else "layer",
        biases="none" if swiglu else "all",
        positions="rope" if swiglu else "learned",
        tied=draw.integer(0, 1) == 1,
    )  # fmt: skip


def _small(draw: Draw) -> Model:
    width = draw.choice((2, 4, 6, 8, 10, 12, 20))
    return Model(
        "", "decoder", draw.integer(1, 5), width, 2, 2, width // 2, width * draw.choice((2, 3, 4)),
        draw.choice((10, 12, 15, 20, 25, 30, 40, 50, 100)), draw.choice((5, 8, 10, 20, 30)), "",
        norm="rms",
        biases="none",
        positions=draw.choice(("rope", "learned")),
        tied=draw.integer(0, 1) == 1,
        last_norm=False,
    )  # fmt: skip


def _vocabulary(draw: Draw, model: Model) -> tuple[int, Text]:
    """Draw what a published vocabulary becomes in practice: padded for the hardware, or with tokens of one's own."""
    known = model.vocabulary
    padded = {known + -known % step: step for step in (4096, 2048, 1024, 512, 256, 128, 64)}
    padded.pop(known, None)
    way = draw.choice(("published", "padded", "padded", "added", "added"))
    if way == "padded" and padded:
        size = draw.choice(tuple(padded))
        return size, Text(
            ", with its vocabulary of {known} padded to a multiple of {step}", "，只是词表由 {known} 补齐到 {step} 的倍数"
        ).fill(known=known, step=padded[size])
    if way == "added":
        more = draw.choice((1, 2, 3, 4, 5, 8, 10, 16, 32, 100))
        return known + more, Text(
            ", with 1 special token added to its vocabulary of {known}"
            if more == 1
            else ", with {more} special tokens added to its vocabulary of {known}",
            "，只是在 {known} 个 token 的词表之外新增了 {more} 个特殊 token",
        ).fill(known=known, more=more)
    return known, Text("", "")


def _model_parameters(draw: Draw, level: int) -> Drawn:
    if level == 4:
        model = draw.choice(_WHOLE)
        vocabulary, changed = _vocabulary(draw, model)
        tied = model.tied if draw.integer(0, 2) else not model.tied
        name = Text(f"A model with the sizes of {model.name}", f"某个模型的尺寸与 {model.name} 相同")
        name = Text(name.en + changed.en, name.zh + changed.zh)
    else:
        model = _small(draw) if level == 1 else _invented(draw)
        vocabulary, tied = model.vocabulary, model.tied
        name = Text("A decoder-only model", "某个只有解码器的模型")
    learned = model.positions == "learned"
    last = "yes" if model.last_norm else "no"
    stacks = "encoder-decoder" if model.kind == "encoder-decoder" else "one-stack"
    biases = {"all": "yes", "none": "no", "qkv": "qkv"}[model.biases]
    inputs: tuple[tuple[str, Nested], ...] = (("V", vocabulary), ("d_model", model.d_model))
    inputs += (("P", model.context),) if learned else ()
    inputs += (("h", model.heads), ("h_kv", model.kv_heads), ("d_ff", model.d_ff), ("N", model.layers))
    return Drawn(
        Text(
            "{name}: {stack}; each layer has attention with $h$ query heads and $h_{\\text{kv}}$ KV heads, {ffn} between $d_{\\text{model}}$ and $d_{\\text{ff}}$, and {norm}; {biases}.{cross} {last} {positions} {tied} How many parameters $M$ does the model have, with a vocabulary of $V$ tokens?",
            "{name}：{stack}；每层有注意力（$h$ 个 query head，$h_{\\text{kv}}$ 个 KV head），$d_{\\text{model}}$ 与 $d_{\\text{ff}}$ 之间的 {ffn}，另有{norm}；{biases}。{cross}{last}{positions}{tied}词表有 $V$ 个 token。整个模型有多少个参数？记作 $M$。",
        ).fill(
            name=name,
            stack=Text("$N$ layers", "共 $N$ 层")
            if stacks == "one-stack"
            else Text("$N$ encoder layers and $N$ decoder layers", "编码器和解码器各 $N$ 层"),
            ffn=_FFNS[model.ffn],
            norm=_NORMS[model.norm],
            biases=_BIASES[biases],
            cross=Text("", "")
            if stacks == "one-stack"
            else Text(
                " A decoder layer has a cross-attention and a third norm as well.",
                "解码器层还多一个 cross-attention 和第三个归一化层。",
            ),
            last=Text("One more norm follows the last layer.", "最后一层之后还有一个归一化层。")
            if model.last_norm
            else Text("No norm follows the last layer.", "最后一层之后没有归一化层。"),
            positions=Text("There is a learned embedding for each of $P$ positions.", "位置编码是可学习的，共 $P$ 个位置。")
            if learned
            else Text("The positions have no parameters.", "位置编码没有参数。"),
            tied=_TIES[tied],
        ),
        Program(
            inputs,
            (
                call("E", "embedding_parameters", "V", "d_model", *(("P",) if learned else ()), tied="yes" if tied else "no"),
                call("A", "attention_parameters", "d_model", "h", "h_kv", biases=biases),
                call("F", "ffn_parameters", "d_model", "d_ff", form=model.ffn, biases="yes" if biases == "yes" else "no"),
                call("M", "model_parameters", "E", "A", "F", "N", "d_model", kind=stacks, norm=model.norm, last=last),
            ),
            (Ask("M", _COUNT, label=name_node("M")),),
        ),
    )


DRILLS = (
    Drill(
        "encoder-shape",
        "7.2",
        Text("Shapes through an encoder layer", "编码器层各阶段的形状"),
        "1",
        (1, 2, 4),
        _encoder_shape,
        hints=(
            Text(
                "From the split into heads until they are concatenated, shapes have four axes; elsewhere three.",
                "从拆成多个 head 到拼接之前，形状有四维；其余阶段是三维。",
            ),
            Text(
                "$A$ has a row for each query and a column for each key; $O$ has $d_{\\text{model}}/h$ numbers for each token and head.",
                "$A$ 中一个 query 一行，一个 key 一列；$O$ 中每个 head 的每个 token 有 $d_{\\text{model}}/h$ 个数。",
            ),
            Text(
                "$A$ ends in $S, S$ and $O$ in $S, d_{\\text{model}}/h$. $Y$ and $Z$ have the shape of $X$; $H$ has $d_{\\text{ff}}$ in place of $d_{\\text{model}}$.",
                "$A$ 的最后两维是 $S, S$，$O$ 的最后两维是 $S, d_{\\text{model}}/h$。$Y$ 和 $Z$ 与 $X$ 同形，$H$ 只是把 $d_{\\text{model}}$ 换成 $d_{\\text{ff}}$。",
            ),
        ),
    ),
    Drill(
        "encoder-parameters",
        "7.2",
        Text("Parameters of encoder layers", "编码器层的参数量"),
        "0",
        (1, 2, 4),
        _encoder_parameters,
        hints=(
            Text(
                "Count the weights, then the biases if there are any, then the norms. The number of heads changes nothing.",
                "先数权重，再数偏置（如果有），最后数归一化层。参数量与 head 数无关。",
            ),
            Text(
                "A projection has $d_{\\text{model}}^2$ weights, an FFN matrix $d_{\\text{model}} \\cdot d_{\\text{ff}}$. A bias is as wide as the output of its layer.",
                "一个投影有 $d_{\\text{model}}^2$ 个权重，FFN 的一个矩阵有 $d_{\\text{model}} \\cdot d_{\\text{ff}}$ 个。偏置的长度等于所在线性层的输出宽度。",
            ),
            Text(
                "With $d = d_{\\text{model}}$, a layer has $4d^2 + 2d \\cdot d_{\\text{ff}} + 4d$ parameters without biases. Biases add $5d + d_{\\text{ff}}$. Multiply by the number of layers.",
                "记 $d = d_{\\text{model}}$：不带偏置时，一层有 $4d^2 + 2d \\cdot d_{\\text{ff}} + 4d$ 个参数；偏置再加 $5d + d_{\\text{ff}}$ 个。最后乘层数。",
            ),
        ),
    ),
    Drill(
        "model-parameters",
        "7.2",
        Text("Parameters of a whole model", "整个模型的参数量"),
        "1",
        (1, 2, 4),
        _model_parameters,
        hints=(
            Text(
                "Embeddings and a norm after the last layer are counted once, what is in a layer once for each layer.",
                "embedding 和最后一层之后的归一化层只算一次；层内的参数每层算一次。",
            ),
            Text(
                "With $d = d_{\\text{model}}$, attention has $2d^2 + 2d^2 h_{\\text{kv}}/h$ weights, the FFN $d \\cdot d_{\\text{ff}}$ for each of its matrices.",
                "记 $d = d_{\\text{model}}$：注意力有 $2d^2 + 2d^2 h_{\\text{kv}}/h$ 个权重，FFN 每个矩阵有 $d \\cdot d_{\\text{ff}}$ 个。",
            ),
            Text(
                "Embeddings: $V \\cdot d_{\\text{model}}$, twice if untied; learned positions: $P \\cdot d_{\\text{model}}$. Gains, biases and cross-attention come on top, where there are any.",
                "embedding 有 $V \\cdot d_{\\text{model}}$ 个，不绑定权重时要算两份；可学习的位置编码有 $P \\cdot d_{\\text{model}}$ 个。增益、偏置、cross-attention 有则另算。",
            ),
        ),
    ),
)
