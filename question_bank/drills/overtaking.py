"""Where the quadratic part of a layer overtakes the rest (7.4)."""

from __future__ import annotations

from question_bank import models
from question_bank.drills.base import Draw, Drawn, Drill, name_node
from question_bank.program import AnswerFormat, Ask, Kind, Nested, Program, call
from question_bank.text import Text

_COUNT = AnswerFormat(Kind.INTEGER, decimals=0)

_FFN = {
    "relu": Text("an FFN of two matrices", "FFN 有两个矩阵"),
    "swiglu": Text("a SwiGLU of three matrices", "SwiGLU 有三个矩阵"),
}


def _both_crossovers(draw: Draw) -> Drawn:
    """Ask for the crossover without the FFN, with it, and what the layer takes there."""
    heads = draw.choice((4, 6, 8, 10, 12, 14, 16, 20))
    width = heads * draw.choice((16, 20, 24, 32, 36, 40, 48, 56, 60, 64))
    inner = 2 * draw.integer(width, 2 * width)
    form = draw.choice(tuple(_FFN))
    return Drawn(
        Text(
            "A layer of width $d_{\\text{model}}$ has $h$ heads, which share the width, and {ffn} between $d_{\\text{model}}$ and $d_{\\text{ff}}$. At what length $S_1$ do $QK^\\top$ and $AV$ together take as many FLOPs as the four projections? At what length $S_2$ do they take as many as the four projections and the FFN together? How many FLOPs $F$ do projections, $QK^\\top$, $AV$ and FFN take in all for one sequence of length $S_2$? A multiply-add is 2 FLOPs. A mask, if any, saves nothing.",
            "某一层宽 $d_{\\text{model}}$，由 $h$ 个 head 平分，$d_{\\text{model}}$ 与 $d_{\\text{ff}}$ 之间的 {ffn}。序列长度 $S_1$ 是多少时，$QK^\\top$ 和 $AV$ 的 FLOPs 合起来等于四次投影的 FLOPs？长度 $S_2$ 是多少时，等于四次投影和 FFN 合起来的 FLOPs？处理一条长度为 $S_2$ 的序列，投影、$QK^\\top$、$AV$ 和 FFN 总共需要多少 FLOPs（$F$）？一次乘加算 2 个 FLOP，有无 mask 都按全量计算。",
        ).fill(ffn=_FFN[form]),
        Program(
            (("d_model", width), ("h", heads), ("d_ff", inner)),
            (
                call("S_1", "crossover", "d_model"),
                call("S_2", "crossover", "d_model", "d_ff", form=form),
                call("F", "layer_flops", "S_2", "d_model", "d_ff", form=form),
            ),
            tuple(Ask(node, _COUNT, label=name_node(node)) for node in ("S_1", "S_2", "F")),
        ),
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
)
"""Models whose four projections are square: where query heads share KV heads, the projections take fewer FLOPs."""

_LENGTHS = (
    *(48, 50, 64, 80, 96, 100, 120, 128, 150, 160, 192, 200, 240, 250, 256, 300, 320, 350, 384, 400, 448, 450, 500, 512),
    *(600, 640, 700, 750, 768, 800, 896, 900, 1000, 1024, 1200, 1500, 1536, 1800, 2000, 2048, 2500, 3000, 3072, 4000, 4096),
)


def _published(draw: Draw) -> Drawn:
    """Draw a published model, with a sequence that it can take."""
    model = draw.choice(_MODELS)
    length = draw.choice(tuple(size for size in _LENGTHS if size <= model.context))
    alone = draw.integer(0, 2) > 0
    asked = ("S_1", "S_2", "F") if alone else ("S_2", "F")
    first = Text(
        " At what length $S_1$ do $QK^\\top$ and $AV$ together take as many FLOPs as the four projections? At what length $S_2$ do they take as many as the four projections and the FFN together?",
        "序列长度 $S_1$ 是多少时，$QK^\\top$ 和 $AV$ 的 FLOPs 合起来等于四次投影的 FLOPs？长度 $S_2$ 是多少时，等于四次投影和 FFN 合起来的 FLOPs？",
    )
    second = Text(
        " At what length $S_2$ do $QK^\\top$ and $AV$ together take as many FLOPs as the four projections and the FFN?",
        "序列长度 $S_2$ 是多少时，$QK^\\top$ 和 $AV$ 的 FLOPs 合起来等于四次投影和 FFN 的 FLOPs？",
    )
    calls = {
        "S_1": call("S_1", "crossover", "d_model"),
        "S_2": call("S_2", "crossover", "d_model", "d_ff", form=model.ffn),
        "F": call("F", "layer_flops", "S", "d_model", "d_ff", form=model.ffn),
    }
    within = Text(
        f"{model.name} was made for at most {model.context} tokens. At every length up to there, most of a layer's FLOPs are in the projections and the FFN.",
        f"{model.name} 最多处理 {model.context} 个 token；在这个范围内，无论多长，一层的 FLOPs 大部分都花在投影和 FFN 上。",
    )
    return Drawn(
        Text(
            "Each layer of {name} is $d_{\\text{model}}$ wide and has $h$ heads, which share the width, and {ffn} between $d_{\\text{model}}$ and $d_{\\text{ff}}$.{asked} How many FLOPs $F$ do projections, $QK^\\top$, $AV$ and FFN of one layer take for one sequence of $S$ tokens? A multiply-add is 2 FLOPs. A mask, if any, saves nothing.",
            "{name}每层宽 $d_{\\text{model}}$，由 $h$ 个 head 平分，$d_{\\text{model}}$ 与 $d_{\\text{ff}}$ 之间的 {ffn}。{asked}处理一条 $S$ 个 token 的序列，一层的投影、$QK^\\top$、$AV$ 和 FFN 总共需要多少 FLOPs（$F$）？一次乘加算 2 个 FLOP，有无 mask 都按全量计算。",
        ).fill(name=models.stack_of(model), ffn=_FFN[model.ffn], asked=first if alone else second),
        Program(
            (("d_model", model.d_model), ("h", model.heads), ("d_ff", model.d_ff), ("S", length)),
            tuple(calls[node] for node in asked),
            tuple(Ask(node, _COUNT, label=name_node(node)) for node in asked),
        ),
        remark=None if model.positions == "sinusoid" else within,
    )


def _crossover(draw: Draw, level: int) -> Drawn:
    if level > 2:
        return _both_crossovers(draw) if level == 3 else _published(draw)
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


DRILLS = (
    Drill(
        "crossover",
        "7.4",
        Text("Where the quadratic part overtakes", "平方项何时反超"),
        "0",
        (1, 2, 3, 4),
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
                "Divide by $4Sd$: $S = 2d + n \\cdot d_{\\text{ff}}/2$, where $n$ is the number of FFN matrices, 0 if the FFN isn't counted. There both sides are equal.",
                "两边除以 $4Sd$：$S = 2d + n \\cdot d_{\\text{ff}}/2$，$n$ 是 FFN 的矩阵个数，不算 FFN 时为 0。这时两边相等。",
            ),
        ),
    ),
)
