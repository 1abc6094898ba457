"""Where the quadratic part of a layer overtakes the rest (7.4)."""

from __future__ import annotations

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


def _crossover(draw: Draw, level: int) -> Drawn:
    if level == 3:
        return _both_crossovers(draw)
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
        (1, 2, 3),
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
