"""The feed-forward sub-layer (7.21): activations, outputs, parameters."""

from __future__ import annotations

from question_bank import models
from question_bank.drills.base import Draw, Drawn, Drill, Matrix, decimal, name_node, name_row
from question_bank.models import Model
from question_bank.program import AnswerFormat, Ask, Call, Kind, Nested, Program, call
from question_bank.text import Text


def _tenths(draw: Draw, rows: int, columns: int, low: int, high: int) -> Nested:
    return tuple(tuple(decimal(10 * draw.integer(low, high)) for _ in range(columns)) for _ in range(rows))


def _times(row: tuple[int, ...], weights: Matrix) -> tuple[int, ...]:
    return tuple(sum(a * b for a, b in zip(row, column, strict=True)) for column in zip(*weights, strict=True))


def _both_signs(numbers: tuple[int, ...]) -> bool:
    return min(numbers) < 0 < max(numbers)


def _ffn_row(draw: Draw, level: int) -> Drawn:
    if level == 3:
        return _swiglu_row(draw)
    width, hidden = (2, 3) if level == 1 else (3, 4)
    low, high = (-1, 2) if level == 1 else (-2, 3)

    def make() -> tuple[Matrix, Matrix, Matrix]:
        tokens = draw.matrix(1 if level == 1 else 2, width, 0 if level == 1 else -2, 4)
        return tokens, draw.matrix(width, hidden, low, high), draw.matrix(hidden, width, low, high)

    tokens, first, second = draw.until(
        make,
        lambda made: (
            all(_both_signs(_times(row, made[1])) for row in made[0]) and _both_signs(_times(made[0][0], made[2][:width]))
        ),
    )
    if level == 1:
        calls: tuple[Call, ...] = (
            call("u", "project", "x", "W_1"),
            call("h", "activation", "u"),
            call("y", "project", "h", "W_2"),
        )
        return Drawn(
            Text(
                "An FFN without biases computes $y = \\mathrm{ReLU}(x W_1) W_2$. Give $y$.",
                "一个不带偏置的 FFN：$y = \\mathrm{ReLU}(x W_1) W_2$。求 $y$。",
            ),
            Program(
                (("x", tokens[0]), ("W_1", first), ("W_2", second)),
                calls,
                (Ask("y", AnswerFormat(Kind.VECTOR, decimals=0, dimensions=(width,)), label=name_node("y")),),
            ),
        )
    row = draw.integer(0, 1)
    calls = (
        call("T", "project", "X", "W_1"),
        call("U", "add", "T", "b_1"),
        call("H", "activation", "U"),
        call("G", "project", "H", "W_2"),
        call("Y", "add", "G", "b_2"),
    )
    inputs: tuple[tuple[str, Nested], ...] = (
        ("X", tokens), ("W_1", first), ("b_1", draw.vector(hidden, -2, 2)), ("W_2", second), ("b_2", draw.vector(width, -2, 2)),
    )  # fmt: skip
    return Drawn(
        Text(
            "Each row of $X$ is one token. The FFN computes $Y = \\mathrm{ReLU}(X W_1 + b_1) W_2 + b_2$. Give row {row} of $Y$.",
            "$X$ 的每一行是一个 token。FFN 是 $Y = \\mathrm{ReLU}(X W_1 + b_1) W_2 + b_2$。求 $Y$ 的第 {row} 行。",
        ).fill(row=row + 1),
        Program(
            inputs,
            calls,
            (Ask("Y", AnswerFormat(Kind.VECTOR, decimals=0, dimensions=(width,)), (row,), label=name_row("Y", row)),),
        ),
    )


def _swiglu_row(draw: Draw) -> Drawn:
    row = draw.integer(0, 1)
    inputs: tuple[tuple[str, Nested], ...] = (
        ("X", _tenths(draw, 2, 2, -15, 20)),
        ("W_1", _tenths(draw, 2, 3, -15, 20)),
        ("W_3", _tenths(draw, 2, 3, -15, 20)),
        ("W_2", _tenths(draw, 3, 2, -15, 20)),
    )
    calls = (
        call("U", "project", "X", "W_1"),
        call("A", "activation", "U", kind="silu"),
        call("B", "project", "X", "W_3"),
        call("H", "gate", "A", "B"),
        call("Y", "project", "H", "W_2"),
    )
    return Drawn(
        Text(
            "Each row of $X$ is one token. A SwiGLU FFN without biases computes $Y = (\\mathrm{SiLU}(X W_1) \\odot X W_3) W_2$. Give row {row} of $Y$, to 3 decimals.",
            "$X$ 的每一行是一个 token。不带偏置的 SwiGLU FFN：$Y = (\\mathrm{SiLU}(X W_1) \\odot X W_3) W_2$。求 $Y$ 的第 {row} 行，保留 3 位小数。",
        ).fill(row=row + 1),
        Program(
            inputs,
            calls,
            (Ask("Y", AnswerFormat(Kind.VECTOR, decimals=3, dimensions=(2,)), (row,), label=name_row("Y", row)),),
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
    models.LLAMA3_8B,
    models.LLAMA3_70B,
    models.MISTRAL_7B,
    models.QWEN_7B,
)
_FORMS = {
    "relu": Text("two-matrix FFN (ReLU or GELU)", "双矩阵 FFN（ReLU 或 GELU）"),
    "swiglu": Text("SwiGLU FFN", " SwiGLU FFN"),
}
_BIASES = {"yes": Text("with biases", "带偏置"), "no": Text("without biases", "不带偏置")}
_WIDENS = Text("widens $d_{\\text{model}}$ to $d_{\\text{ff}}$", "把 $d_{\\text{model}}$ 扩到 $d_{\\text{ff}}$")


def _ffn_parameters(draw: Draw, level: int) -> Drawn:
    if level == 3:
        return _two_stacks(draw)
    if level == 4:
        return _published(draw)
    width = draw.integer(2, 20) if level == 1 else draw.choice((48, 64, 96, 128, 192, 256, 320, 384))
    wide = width * draw.choice((2, 3, 4, 5)) if level == 1 else draw.choice((4, 5, 6, 7, 8, 10)) * width // 2
    form, biases = draw.choice(("relu", "swiglu")), draw.choice(("yes", "no"))
    layers = 1 if level == 1 else draw.choice((1, 2, 3, 4, 6, 12))
    begins = Text("A {form} {biases} {widens}.", "一个{biases}的{form}，{widens}。")
    if layers > 1:
        begins = Text(
            "Each of $N$ layers has a {form} {biases} that {widens}.", "共 $N$ 层，每层有一个{biases}的{form}，{widens}。"
        )
    return _counting(begins, width, wide, layers, form, biases)


def _two_stacks(draw: Draw) -> Drawn:
    """Draw an encoder-decoder whose FFNs differ from one stack to the other."""
    width = 8 * draw.integer(17, 70)
    first, second = draw.shuffled(("relu", "swiglu"))
    widths = {"relu": 4 * width, "swiglu": 8 * draw.integer(width // 4, 3 * width // 8)}
    biases, others = draw.choice((("yes", "no"), ("no", "yes"), ("yes", "yes")))
    layers, more = draw.shuffled((4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15, 16, 18))[:2]
    inputs = (("d_model", width), ("d_enc", widths[first]), ("d_dec", widths[second]), ("N_enc", layers), ("N_dec", more))
    calls = (
        call("n_1", "ffn_parameters", "d_model", "d_enc", "N_enc", form=first, biases=biases),
        call("n_2", "ffn_parameters", "d_model", "d_dec", "N_dec", form=second, biases=others),
        call("n", "total", "n_1", "n_2"),
    )
    labels = (
        ("n_1", Text("$n_1$, encoder", " $n_1$，编码器")),
        ("n_2", Text("$n_2$, decoder", " $n_2$，解码器")),
        ("n", Text("$n$, together", " $n$，合计")),
    )
    return Drawn(
        Text(
            "An encoder-decoder model has the width $d_{\\text{model}}$. Each of the $N_{\\text{enc}}$ encoder layers has a {first} {biases}, of inner width $d_{\\text{enc}}$; each of the $N_{\\text{dec}}$ decoder layers, which also have a cross-attention, has a {second} {others}, of inner width $d_{\\text{dec}}$. How many parameters do the FFNs have: $n_1$ in the encoder, $n_2$ in the decoder, and $n$ in the whole model?",
            "一个编码器-解码器模型宽 $d_{\\text{model}}$。编码器有 $N_{\\text{enc}}$ 层，每层一个{biases}的{first}，中间宽 $d_{\\text{enc}}$；解码器有 $N_{\\text{dec}}$ 层，每层除了 cross-attention 还有一个{others}的{second}，中间宽 $d_{\\text{dec}}$。所有 FFN 的参数量是多少：编码器里 $n_1$，解码器里 $n_2$，整个模型 $n$？",
        ).fill(first=_FORMS[first], biases=_BIASES[biases], second=_FORMS[second], others=_BIASES[others]),
        Program(inputs, calls, tuple(Ask(node, AnswerFormat(Kind.INTEGER, decimals=0), label=label) for node, label in labels)),
    )


def _published(draw: Draw) -> Drawn:
    model: Model = draw.choice(_MODELS)
    as_built = draw.integer(0, 3) == 0
    form: str = model.ffn if as_built else draw.choice(("relu", "swiglu"))
    biases = ("yes" if model.biases == "all" else "no") if as_built else draw.choice(("yes", "no"))
    wide = model.d_ff if as_built else draw.choice(_widths(model))
    own = form == model.ffn and wide == model.d_ff and (biases == "yes") == (model.biases == "all")
    begins = (
        Text(
            "In {name}, every layer has a {form} {biases} that {widens}.", "{name}的每一层都有一个{biases}的{form}，{widens}。"
        )
        if own
        else Text(
            "In a variant of {name}, every layer has a {form} {biases} that {widens}.",
            "设想 {name}的一个变体：每一层都有一个{biases}的{form}，{widens}。",
        )
    )
    begins = begins.fill(name=models.stack_of(model))
    return _counting(begins, model.d_model, wide, draw.choice((1, model.layers)), form, biases)


def _widths(model: Model) -> tuple[int, ...]:
    """Return widths that models of such a size have: their own, multiples of d_model, and two thirds of the usual 4 d_model.

    The last one, rounded up to a multiple of 256, leaves SwiGLU as many parameters (Touvron et al. 2023).
    """
    width = model.d_model
    return model.d_ff, 3 * width, 7 * width // 2, 4 * width, -(-8 * width // 3 // 256) * 256


def _counting(begins: Text, width: int, wide: int, layers: int, form: str, biases: str) -> Drawn:
    inputs: tuple[tuple[str, Nested], ...] = (("d_model", width), ("d_ff", wide))
    question = Text("How many parameters $n$ does one such FFN have?", "这样一个 FFN 有多少参数（$n$）？")
    if layers > 1:
        inputs = (*inputs, ("N", layers))
        question = Text(
            "How many parameters $n$ do the FFNs of all $N$ layers have?", "全部 $N$ 层的 FFN 一共有多少参数（$n$）？"
        )
    program = Program(
        inputs,
        (call("n", "ffn_parameters", *(given for given, _ in inputs), form=form, biases=biases),),
        (Ask("n", AnswerFormat(Kind.INTEGER, decimals=0), label=name_node("n")),),
    )
    return Drawn(begins.fill(form=_FORMS[form], biases=_BIASES[biases], widens=_WIDENS) + question, program)


def _activation(draw: Draw, level: int) -> Drawn:
    kinds = {"relu": "\\mathrm{ReLU}", "silu": "\\mathrm{SiLU}", "gelu": "\\mathrm{GELU}"}
    gated = level == 3 or (level == 1 and draw.integer(0, 1) == 0)
    kind = "relu" if level == 1 else draw.choice(("silu", "gelu"))
    length = {1: 4, 2: 3, 3: 3}[level]
    if level == 1:
        entries: Nested = draw.until(lambda: draw.vector(length, -4, 7), lambda made: _both_signs(made) and 0 not in made)
        others: Nested = draw.until(lambda: draw.vector(length, -2, 5), lambda made: 0 not in made and 1 not in made)
    elif level == 2:
        options = tuple(half for half in range(-5, 7) if half)
        entries = tuple(decimal(50 * half) for half in draw.shuffled(options)[:length])
        others = ()
    else:
        entries = tuple(decimal(10 * draw.integer(-25, 25)) for _ in range(length))
        others = tuple(decimal(10 * draw.integer(-25, 30)) for _ in range(length))
    convention = {
        "relu": Text("", ""),
        "silu": Text("", "") if gated else Text(" (also called Swish)", "（又叫 Swish）"),
        "gelu": Text(" (GELU by erf, not by its tanh approximation)", "（GELU 用 erf 的精确式，不用 tanh 近似）"),
    }[kind]
    digits = Text("Give $y$.", "求 $y$。") if level == 1 else Text("Give $y$, to 3 decimals.", "求 $y$，保留 3 位小数。")
    form = AnswerFormat(Kind.VECTOR, decimals=0 if level == 1 else 3, dimensions=(length,))
    if gated:
        name = {"relu": "ReGLU", "silu": "SwiGLU", "gelu": "GEGLU"}[kind]
        said = Text(
            "After its first two matrices, a {name} FFN has $a$ in the branch with the activation and $b$ in the linear one; it then computes $y = {function}(a) \\odot b${convention}, entry by entry.",
            "一个 {name} FFN 乘过前面两个矩阵之后，带激活函数的分支是 $a$，线性分支是 $b$，再逐分量计算 $y = {function}(a) \\odot b${convention}。",
        ).fill(name=name, function=kinds[kind], convention=convention)
        program = Program(
            (("a", entries), ("b", others)),
            (call("h", "activation", "a", kind=kind), call("y", "gate", "h", "b")),
            (Ask("y", form, label=name_node("y")),),
        )
    else:
        said = Text("$y = {function}(x)${convention}, entry by entry.", "逐分量计算 $y = {function}(x)${convention}。")
        said = said.fill(function=kinds[kind], convention=convention)
        program = Program(
            (("x", entries),), (call("y", "activation", "x", kind=kind),), (Ask("y", form, label=name_node("y")),)
        )
    return Drawn(said + digits, program)


DRILLS = (
    Drill(
        "ffn-row",
        "7.21",
        Text("Output of the FFN", "FFN 的输出"),
        "0",
        (1, 2, 3),
        _ffn_row,
        hints=(
            Text("Each token passes through the FFN by itself.", "每个 token 各自通过 FFN，互不影响。"),
            Text(
                "First matrix, activation, second matrix; with a gate, there are two matrices before the product.",
                "先乘第一个矩阵，再用激活函数，最后乘第二个矩阵；带门控时，前面有两个矩阵。",
            ),
            Text(
                "The activation acts on the wide vector, entry by entry, before $W_2$; ReLU puts 0 for what is negative.",
                "激活函数在乘 $W_2$ 之前，对宽的那个向量逐分量作用；ReLU 把负数换成 0。",
            ),
        ),
    ),
    Drill(
        "ffn-parameters",
        "7.21",
        Text("Parameters of the FFN", "FFN 的参数量"),
        "0",
        (1, 2, 3, 4),
        _ffn_parameters,
        hints=(
            Text(
                "Count the matrices first; each has $d_{\\text{model}} \\cdot d_{\\text{ff}}$ numbers.",
                "先数有几个矩阵，每个都是 $d_{\\text{model}} \\cdot d_{\\text{ff}}$ 个数。",
            ),
            Text("Without a gate there are two matrices, in SwiGLU three.", "没有门控时有两个矩阵，SwiGLU 有三个。"),
            Text(
                "A bias has one number for each output: $d_{\\text{ff}}$ after a matrix that widens, $d_{\\text{model}}$ after the last. Multiply by the number of layers at the end.",
                "每个输出一个偏置：扩宽的矩阵后面有 $d_{\\text{ff}}$ 个，最后一个矩阵后面有 $d_{\\text{model}}$ 个。最后乘层数。",
            ),
        ),
    ),
    Drill(
        "activation",
        "7.21",
        Text("Activations and gates", "激活函数与门控"),
        "0",
        (1, 2, 3),
        _activation,
        hints=(
            Text("Each entry is computed on its own.", "每个分量单独计算。"),
            Text(
                "ReLU is $\\max(0, x)$, SiLU is $x \\cdot \\sigma(x)$, GELU is $x \\cdot \\Phi(x)$.",
                "ReLU 是 $\\max(0, x)$，SiLU 是 $x \\cdot \\sigma(x)$，GELU 是 $x \\cdot \\Phi(x)$。",
            ),
            Text(
                "$\\sigma(x) = 1/(1 + e^{-x})$, $\\Phi$ is the standard normal distribution function; a gate multiplies the two branches entry by entry.",
                "$\\sigma(x) = 1/(1 + e^{-x})$，$\\Phi$ 是标准正态分布函数；门控就是两个分支逐分量相乘。",
            ),
        ),
    ),
)
