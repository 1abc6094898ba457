"""Whole models (7.2): their parameters, from their configurations."""

from __future__ import annotations

from question_bank import models
from question_bank.drills.base import Draw, Drawn, Drill, name_node
from question_bank.drills.encoder import BIASES, FFNS, STACKS
from question_bank.models import Model
from question_bank.program import AnswerFormat, Ask, Kind, Nested, Program, call
from question_bank.text import Text

_COUNT = AnswerFormat(Kind.INTEGER, decimals=0)

_WHOLE = (*STACKS[:2], *STACKS[3:], *models.MODELS[7:13])
"""Models counted as a whole. BERT's segments, its norm behind the embeddings and its pooler are left to papers."""

_NORMS = {
    "layer": Text("two LayerNorms (gain and bias)", "两个 LayerNorm（增益和偏置）"),
    "rms": Text("two RMSNorms (gain alone)", "两个 RMSNorm（只有增益）"),
}
_TIES = {
    True: Text("The output layer uses the embedding matrix (tied).", "输出层与 embedding 共用一个矩阵（绑定权重）。"),
    False: Text(
        "The output layer has a matrix of its own, without a bias (untied).", "输出层另有一个矩阵，不带偏置（不绑定权重）。"
    ),
}


_OTHER_TIE = {
    True: Text(", {also}with a matrix of its own for the output layer", "，输出层不再与 embedding 共用矩阵"),
    False: Text(", {also}with one matrix for embedding and output layer", "，输出层改为与 embedding 共用矩阵"),
}
"""What differs in a variant of a model that ties its matrices, or doesn't."""


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


def _grouped(draw: Draw) -> Model:
    """Draw a model of sizes that call for a calculator: an encoder and a decoder, or KV heads shared by query heads."""
    both = draw.integer(0, 2) == 0
    kv_heads, groups = draw.choice((2, 3, 4, 5, 6, 8)), 1 if both else draw.choice((2, 3, 4, 5))
    heads, part = kv_heads * groups, draw.choice((16, 24, 32, 40, 48, 64))
    width = heads * part
    swiglu = draw.integer(0, 1) == 1
    return Model(
        "", "encoder-decoder" if both else "decoder", draw.integer(4, 32), width, heads, kv_heads, part,
        8 * draw.integer(width // 4, width // 2), draw.integer(2000, 60_000), draw.choice((256, 384, 512, 768, 1024, 2048)), "",
        ffn="swiglu" if swiglu else "relu",
        norm="rms" if swiglu else "layer",
        biases=draw.choice(("none", "qkv")) if swiglu else "all",
        positions="rope" if swiglu else "learned",
        tied=draw.integer(0, 1) == 1,
        last_norm=draw.integer(0, 1) == 1 and not both,
    )  # fmt: skip


_WHOLE_MODEL = Text(
    "How many parameters $M$ does the model have, with a vocabulary of $V$ tokens?",
    "词表有 $V$ 个 token。整个模型有多少个参数？记作 $M$。",
)
_IN_PARTS = Text(
    "With a vocabulary of $V$ tokens, how many parameters are there in embeddings and output layer together ($E$; learned positions included), in one attention ($A$), in one FFN ($F$), and in the whole model ($M$)?",
    "词表有 $V$ 个 token。embedding 和输出层合起来有多少个参数（$E$，可学习的位置编码也算在内）？一个注意力有多少（$A$）？一个 FFN 有多少（$F$）？整个模型有多少（$M$）？",
)


def _model_parameters(draw: Draw, level: int) -> Drawn:
    if level == 4:
        model = draw.choice(_WHOLE)
        vocabulary, changed = _vocabulary(draw, model)
        tied = model.tied if draw.integer(0, 2) else not model.tied
        own = vocabulary == model.vocabulary and tied == model.tied
        name = Text("The model {name}", "{name} 这个模型") if own else Text("A variant of {name}", "{name} 的一个变体")
        name = Text(name.en + changed.en, name.zh + changed.zh).fill(name=model.name)
        if tied != model.tied:
            other = _OTHER_TIE[model.tied]
            name = Text(name.en + other.en.format(also="" if not changed.en else "and "), name.zh + other.zh)
    else:
        model = {1: _small, 2: _invented, 3: _grouped}[level](draw)
        vocabulary, tied = model.vocabulary, model.tied
        name = Text("A decoder-only model", "某个只有解码器的模型")
        if model.kind == "encoder-decoder":
            name = Text("A model whose encoder and decoder share the embeddings", "某个编码器和解码器共用 embedding 的模型")
    learned = model.positions == "learned"
    last = "yes" if model.last_norm else "no"
    stacks = "encoder-decoder" if model.kind == "encoder-decoder" else "one-stack"
    biases = {"all": "yes", "none": "no", "qkv": "qkv"}[model.biases]
    inputs: tuple[tuple[str, Nested], ...] = (("V", vocabulary), ("d_model", model.d_model))
    inputs += (("P", model.context),) if learned else ()
    inputs += (("h", model.heads), ("h_kv", model.kv_heads), ("d_ff", model.d_ff), ("N", model.layers))
    return Drawn(
        Text(
            "{name}: {stack}; each layer has attention with $h$ query heads and $h_{\\text{kv}}$ KV heads, {ffn} between $d_{\\text{model}}$ and $d_{\\text{ff}}$, and {norm}; {biases}.{cross} {last} {positions} {tied} {asked}",
            "{name}：{stack}；每层有注意力（$h$ 个 query head，$h_{\\text{kv}}$ 个 KV head），$d_{\\text{model}}$ 与 $d_{\\text{ff}}$ 之间的 {ffn}，另有{norm}；{biases}。{cross}{last}{positions}{tied}{asked}",
        ).fill(
            name=name,
            stack=Text("$N$ layers", "共 $N$ 层")
            if stacks == "one-stack"
            else Text("$N$ encoder layers and $N$ decoder layers", "编码器和解码器各 $N$ 层"),
            ffn=FFNS[model.ffn],
            norm=_NORMS[model.norm],
            biases=BIASES[biases],
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
            asked=_IN_PARTS if level == 3 else _WHOLE_MODEL,
        ),
        Program(
            inputs,
            (
                call("E", "embedding_parameters", "V", "d_model", *(("P",) if learned else ()), tied="yes" if tied else "no"),
                call("A", "attention_parameters", "d_model", "h", "h_kv", biases=biases),
                call("F", "ffn_parameters", "d_model", "d_ff", form=model.ffn, biases="yes" if biases == "yes" else "no"),
                call("M", "model_parameters", "E", "A", "F", "N", "d_model", kind=stacks, norm=model.norm, last=last),
            ),
            tuple(Ask(node, _COUNT, label=name_node(node)) for node in ("EAFM" if level == 3 else "M")),
        ),
    )


DRILLS = (
    Drill(
        "model-parameters",
        "7.2",
        Text("Parameters of a whole model", "整个模型的参数量"),
        "1",
        (1, 2, 3, 4),
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
