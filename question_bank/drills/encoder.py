"""The encoder layer and stacks of such layers (7.2): shapes and parameters."""

from __future__ import annotations

from collections.abc import Iterable

from question_bank import models
from question_bank.drills.base import Draw, Drawn, Drill, are_apart, in_letters, name_node, said_names
from question_bank.models import Model
from question_bank.program import AnswerFormat, Ask, Asked, Call, Kind, Nested, Program, Shape, call
from question_bank.text import Text

_COUNT = AnswerFormat(Kind.INTEGER, decimals=0)
_SHAPE = AnswerFormat(Kind.SHAPE)

STACKS = (
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


_STAGES = {
    "V_h": Text("values split into heads", "拆成多个 head 的 value"),
    "A": Text("attention weights", "注意力权重"),
    "O": Text("separate outputs of the heads", "拼接之前各 head 的输出"),
    "C": Text("concatenated heads", "拼接之后的各 head 输出"),
    "W_O": Text("weight matrix", "权重矩阵"),
    "Y": Text("output of the attention (after $W_O$)", "经 $W_O$ 投影之后的注意力输出"),
    "H": Text("hidden layer of the FFN", "FFN 的中间层"),
    "Z": Text("output of the FFN", "FFN 的输出"),
}


def _stages(nodes: Iterable[str]) -> tuple[Ask, ...]:
    return tuple(
        Ask(node, _SHAPE, (), Asked.SHAPE, Text(f"{_STAGES[node].en} ${node}$", f"{_STAGES[node].zh} ${node}$ "))
        for node in nodes
    )


def _free_widths(draw: Draw) -> Drawn:
    """Ask for the shapes where the heads don't make up the width of the model, and values have a width of their own."""
    batch, length, model, heads, key, value, inner = draw.until(
        lambda: (
            draw.choice((2, 3, 5, 7, 10, 12, 16, 24, 32)),
            draw.choice((30, 48, 50, 77, 100, 128, 150, 197, 256, 384)),
            draw.choice((192, 256, 320, 384, 448, 512, 640, 768, 1024)),
            draw.choice((4, 6, 8, 9, 12, 14, 16, 20)),
            *draw.shuffled((16, 24, 32, 40, 48, 56, 64, 72, 80, 96))[:2],
            64 * draw.integer(9, 60),
        ),
        lambda made: are_apart((*made, made[3] * made[4], made[3] * made[5])),
    )
    sizes = {"B": batch, "h": heads, "S": length, "d_k": key, "d_v": value, "d_model": model, "d_ff": inner}
    first, last = _stages(("V_h", "A")), _stages("YHZ")
    named = {ask.node: ask for ask in in_letters(draw, (*first, *_stages("O"), *last), sizes, 3)}
    asks = tuple(named.get(ask.node, ask) for ask in (*first, *_stages(("O", "C", "W_O")), *last))
    return Drawn(
        Text(
            "An encoder layer has $h$ heads and an FFN of inner width $d_{\\text{ff}}$. Queries and keys of a head are $d_k$ wide, its values $d_v$; all heads together need not be as wide as $d_{\\text{model}}$. The input $X$ has the shape $[B, S, d_{\\text{model}}]$, weight matrices multiply on the right, and the head axis comes before the sequence axis. Give the shape at each stage; residuals and norms leave shapes as they are.",
            "某个编码器层有 $h$ 个 head，FFN 中间宽 $d_{\\text{ff}}$。每个 head 的 query、key 宽 $d_k$，value 宽 $d_v$；所有 head 合起来不一定与 $d_{\\text{model}}$ 同宽。输入 $X$ 的形状是 $[B, S, d_{\\text{model}}]$，权重矩阵右乘，head 维排在序列维之前。写出各阶段的形状；残差和归一化不改变形状。",
        )
        + said_names(asks),
        Program(
            (
                ("X", Shape((batch, length, model))),
                ("d_model", model),
                ("h", heads),
                ("d_k", key),
                ("d_v", value),
                ("d_ff", inner),
            ),
            (
                call("w_K", "head_dimension", "h", "d_k", of="d_model"),
                call("w_V", "head_dimension", "h", "d_v", of="d_model"),
                *(call(f"W_{each}", "weight", "d_model", "w_V" if each == "V" else "w_K") for each in "QKV"),
                *_layer("w_V"),
            ),
            asks,
        ),
    )


def _layer(width: str) -> tuple[Call, ...]:
    """Write a layer behind the weights of its projections; all heads' outputs together have a width."""
    return (
        *(call(each, "project", "X", f"W_{each}") for each in "QKV"),
        *(call(f"{each}_h", "split_heads", each, "h") for each in "QKV"),
        call("S", "scores", "Q_h", "K_h"),
        call("A", "softmax", "S"),
        call("O", "mix", "A", "V_h"),
        call("C", "concat_heads", "O"),
        call("W_O", "weight", width, "d_model"),
        call("Y", "output_projection", "C", "W_O"),
        call("W_1", "weight", "d_model", "d_ff"),
        call("H", "project", "Y", "W_1"),
        call("G", "activation", "H", kind="relu"),
        call("W_2", "weight", "d_ff", "d_model"),
        call("Z", "project", "G", "W_2"),
    )


def _encoder_shape(draw: Draw, level: int) -> Drawn:
    if level == 3:
        return _free_widths(draw)
    name = Text("An encoder layer", "某个编码器层")
    if level == 4:
        model = draw.choice(STACKS)
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
    shapes = _stages("AOYHZ")
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
                *_layer("d_model"),
            ),
            shapes,
        ),
    )


BIASES = {
    "yes": Text("every linear layer has a bias", "所有线性层都带偏置"),
    "no": Text("no linear layer has a bias", "线性层都不带偏置"),
    "qkv": Text("only $W_Q$, $W_K$ and $W_V$ have biases", "只有 $W_Q$、$W_K$、$W_V$ 带偏置"),
}


FFNS = {
    "relu": Text("an FFN of two matrices", "FFN 有两个矩阵"),
    "swiglu": Text("a SwiGLU of three matrices", "SwiGLU 有三个矩阵"),
}
_NORM_EACH = {
    "layer": Text("a LayerNorm (gain and bias)", "一个 LayerNorm（增益和偏置）"),
    "rms": Text("an RMSNorm (gain alone)", "一个 RMSNorm（只有增益）"),
}


def _two_stacks(draw: Draw) -> Drawn:
    """Ask for encoder layers, decoder layers with their second attention, and both together."""
    heads = draw.choice((4, 6, 8, 10, 12, 16))
    width = heads * draw.choice((16, 20, 24, 32, 40, 48, 56, 64))
    inner = 8 * draw.integer(width // 4, width // 2)
    encoder, decoder = draw.shuffled(range(2, 25))[:2]
    biases, form, norm = draw.choice(("yes", "no")), draw.choice(("relu", "swiglu")), draw.choice(tuple(_NORM_EACH))
    return Drawn(
        Text(
            "A model has $N$ encoder layers and $M$ decoder layers; embeddings, output layer and norms after the stacks are not counted here. An attention has four projections ($d_{\\text{model}} \\times d_{\\text{model}}$ each); a decoder layer has a self-attention and a cross-attention. Every layer has {ffn} between $d_{\\text{model}}$ and $d_{\\text{ff}}$. Each attention and each FFN has {norm}; {biases}. How many parameters do the encoder layers have ($E$), the decoder layers ($D$), and all of them together ($P$)?",
            "某个模型有 $N$ 个编码器层和 $M$ 个解码器层，embedding、输出层和最后的归一化层这里都不算。一个注意力有四个投影（都是 $d_{\\text{model}} \\times d_{\\text{model}}$）；解码器层有 self-attention 和 cross-attention 两个注意力。每层 $d_{\\text{model}}$ 与 $d_{\\text{ff}}$ 之间的 {ffn}。每个注意力、每个 FFN 各配{norm}；{biases}。编码器层一共有多少个参数（$E$）？解码器层呢（$D$）？合计多少（$P$）？",
        ).fill(ffn=FFNS[form], norm=_NORM_EACH[norm], biases=BIASES[biases]),
        Program(
            (("d_model", width), ("h", heads), ("d_ff", inner), ("N", encoder), ("M", decoder)),
            (
                call("E", "layer_parameters", "d_model", "d_ff", "N", biases=biases, form=form, norm=norm),
                call("D", "layer_parameters", "d_model", "d_ff", "M", biases=biases, form=form, kind="decoder", norm=norm),
                call("P", "total", "E", "D"),
            ),
            tuple(Ask(node, _COUNT, label=name_node(node)) for node in "EDP"),
        ),
    )


def _encoder_parameters(draw: Draw, level: int) -> Drawn:
    if level == 3:
        return _two_stacks(draw)
    name, layers = Text("An encoder layer", "某个编码器层"), 1
    if level == 4:
        model = draw.choice(STACKS)
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
    itself = Text("", "")
    if level == 4:
        begins, itself = models.compare(model, biases=biases)
        name = Text("A layer of {begins}", "{begins}的一层").fill(begins=begins)
    inputs: tuple[tuple[str, Nested], ...] = (("d_model", width), ("h", heads), ("d_ff", inner))
    counted: tuple[str, ...] = ("d_model", "d_ff")
    asked = Text("How many parameters $P$ does it have?", "它有多少个参数？记作 $P$。")
    if level > 1:
        inputs, counted = (*inputs, ("N", layers)), (*counted, "N")
        asked = Text("How many parameters $P$ do $N$ such layers have?", "$N$ 个这样的层共有多少个参数？记作 $P$。")
    return Drawn(
        Text(
            "{name} has the four projections of attention ($d_{\\text{model}} \\times d_{\\text{model}}$ each), an FFN of two matrices and two LayerNorms with gain and bias; {biases}.{itself} {asked}",
            "{name}包括注意力的四个投影（都是 $d_{\\text{model}} \\times d_{\\text{model}}$）、FFN 的两个矩阵，以及两个带增益和偏置的 LayerNorm；{biases}。{itself}{asked}",
        ).fill(name=name, biases=BIASES[biases], itself=itself, asked=asked),
        Program(
            inputs,
            (call("P", "layer_parameters", *counted, biases=biases),),
            (Ask("P", _COUNT, label=name_node("P")),),
        ),
    )


DRILLS = (
    Drill(
        "encoder-shape",
        "7.2",
        Text("Shapes through an encoder layer", "编码器层各阶段的形状"),
        "1",
        (1, 2, 3, 4),
        _encoder_shape,
        hints=(
            Text(
                "From the split into heads until they are concatenated, shapes have four axes; elsewhere three.",
                "从拆成多个 head 到拼接之前，形状有四维；其余阶段是三维。",
            ),
            Text(
                "$A$ has a row for each query and a column for each key; $O$ has for each token and head as many numbers as its values are wide.",
                "$A$ 中一个 query 一行，一个 key 一列；$O$ 中每个 head 的每个 token，value 有多宽就有多少个数。",
            ),
            Text(
                "$A$ ends in $S, S$, $O$ in $S$ and a head's width ($d_{\\text{model}}/h$ unless given). $Y$ and $Z$ have the shape of $X$; $H$ has $d_{\\text{ff}}$ in place of $d_{\\text{model}}$.",
                "$A$ 的最后两维是 $S, S$，$O$ 的最后两维是 $S$ 和 head 宽度（没有另给就是 $d_{\\text{model}}/h$）。$Y$ 和 $Z$ 与 $X$ 同形，$H$ 只是把 $d_{\\text{model}}$ 换成 $d_{\\text{ff}}$。",
            ),
        ),
    ),
    Drill(
        "encoder-parameters",
        "7.2",
        Text("Parameters of encoder layers", "编码器层的参数量"),
        "0",
        (1, 2, 3, 4),
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
                "With $d = d_{\\text{model}}$: attention has $4d^2$ weights and $4d$ biases, an FFN $2d \\cdot d_{\\text{ff}}$ and $d + d_{\\text{ff}}$, a LayerNorm $2d$ in all. SwiGLU has one matrix more, $d \\cdot d_{\\text{ff}}$ and $d_{\\text{ff}}$.",
                "记 $d = d_{\\text{model}}$：注意力有 $4d^2$ 个权重、$4d$ 个偏置，FFN 有 $2d \\cdot d_{\\text{ff}}$ 个和 $d + d_{\\text{ff}}$ 个，LayerNorm 共 $2d$ 个。SwiGLU 多一个矩阵，即 $d \\cdot d_{\\text{ff}}$ 个和 $d_{\\text{ff}}$ 个。",
            ),
        ),
    ),
)
