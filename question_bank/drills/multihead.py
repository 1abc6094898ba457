"""Multi-head attention (7.14): the width of a head, the output projection, the parameters."""

from __future__ import annotations

from functools import partial

from question_bank import models
from question_bank.drills.base import Draw, Drawn, Drill, Matrix, Revised, decimal, name_node
from question_bank.program import AnswerFormat, Ask, Call, Kind, Nested, Program, call
from question_bank.text import Text

_COUNT = AnswerFormat(Kind.INTEGER, decimals=0)

_SIZES = (
    models.TRANSFORMER_BASE,
    models.TRANSFORMER_BIG,
    models.GPT2_SMALL,
    models.GPT2_LARGE,
    models.GPT2_XL,
    models.LLAMA3_8B,
    models.LLAMA3_70B,
    models.QWEN_7B,
)
"""Models of different widths."""


def _divisors(number: int, least: int, most: int) -> tuple[int, ...]:
    return tuple(size for size in range(least, most + 1) if number % size == 0)


# Head dimension ----------------------------------------------------------------------------------------------------------

_ASKED = {
    "d_k": (("d_model", "h"), Text("How wide is one head? Give $d_k$.", "每个 head 有多宽？求 $d_k$。")),
    "h": (("d_model", "d_k"), Text("How many heads are there? Give $h$.", "一共有多少个 head？求 $h$。")),
    "d_model": (
        ("h", "d_k"),
        Text("How wide is the model? Give $d_{\\text{model}}$.", "模型有多宽？求 $d_{\\text{model}}$。"),
    ),
}
_HEADS = {1: (2, 4, 5, 6, 7, 8, 9, 10, 12), 2: (6, 8, 12, 14, 16, 18, 20, 24, 28, 32, 36, 40)}
_WIDTHS = {
    1: (3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 16, 20, 25, 30),
    2: (24, 32, 40, 48, 56, 64, 72, 80, 96, 112, 120, 128, 144, 160),
}


def _name_width(node: str) -> Text:
    head, _, tail = node.partition("_")
    symbol = f"${head}_{{\\text{{{tail}}}}}$" if len(tail) > 1 else f"${node}$"
    return Text(symbol, f" {symbol} ")


def _head_dimension(draw: Draw, level: int, published: bool = True) -> Drawn:
    if level == 4:
        return _published_heads(draw) if published else _shared_heads(draw)
    if level == 3:
        return _backwards(draw)
    asked = draw.choice(tuple(_ASKED))
    heads, width = draw.choice(_HEADS[level]), draw.choice(_WIDTHS[level])
    sizes = {"d_model": heads * width, "h": heads, "d_k": width}
    given, question = _ASKED[asked]
    return Drawn(
        Text(
            "In multi-head attention the heads share out the width of the model evenly. {question}",
            "多头注意力里，各个 head 平分模型的宽度。{question}",
        ).fill(question=question),
        Program(
            tuple((name, sizes[name]) for name in given),
            (call(asked, "head_dimension", *given, of=asked),),
            (Ask(asked, _COUNT, label=_name_width(asked)),),
        ),
    )


_OTHERS = (
    9,
    12,
    14,
    15,
    16,
    18,
    20,
    21,
    22,
    24,
    25,
    26,
    27,
    28,
    30,
    32,
    33,
    34,
    35,
    36,
    40,
    42,
    44,
    45,
    48,
    50,
    52,
    54,
    56,
    60,
)
"""Heads of another model."""


def _backwards(draw: Draw) -> Drawn:
    """Draw grouped heads whose width is to be found from the keys, and the model's from it."""
    kv_heads = draw.choice((2, 3, 4, 5, 6, 8, 10, 12))
    heads = kv_heads * draw.choice((2, 3, 4, 5, 6, 7))
    width = draw.choice((36, 40, 48, 56, 60, 64, 72, 80, 84, 96, 108, 112, 120, 128, 144, 160, 192))
    others = draw.until(lambda: draw.choice(_OTHERS), lambda made: made != heads)
    return Drawn(
        Text(
            "A layer of grouped-query attention has $h$ query heads, which share out $d_{\\text{model}}$ evenly, and $h_{\\text{kv}}$ KV heads as wide as a query head; the keys of one token, in all KV heads together, are $d_K$ wide. How wide is a head ($d_k$), and how wide is the model ($d_{\\text{model}}$)? Another model has heads of that same width and is $d_{\\text{new}}$ wide: how many query heads does it have ($h_{\\text{new}}$)?",
            "某个 GQA 层有 $h$ 个 query head，平分 $d_{\\text{model}}$；另有 $h_{\\text{kv}}$ 个 KV head，与 query head 一样宽。一个 token 在所有 KV head 里的 key 合起来宽 $d_K$。每个 head 有多宽（$d_k$）？模型有多宽（$d_{\\text{model}}$）？另一个模型的 head 也是这么宽，模型宽度为 $d_{\\text{new}}$，它有多少个 query head（$h_{\\text{new}}$）？",
        ),
        Program(
            (("h", heads), ("h_kv", kv_heads), ("d_K", kv_heads * width), ("d_new", others * width)),
            (
                call("d_k", "head_dimension", "d_K", "h_kv"),
                call("d_model", "head_dimension", "h", "d_k", of="d_model"),
                call("h_new", "head_dimension", "d_new", "d_k", of="h"),
            ),
            tuple(Ask(node, _COUNT, label=_name_width(node)) for node in ("d_k", "d_model", "h_new")),
        ),
    )


_PUBLISHED = (
    models.TRANSFORMER_BASE,
    models.TRANSFORMER_BIG,
    models.GPT2_SMALL,
    models.GPT2_LARGE,
    models.GPT2_XL,
    models.LLAMA2_7B,
    models.LLAMA2_70B,
    models.LLAMA3_8B,
    models.LLAMA3_70B,
    models.MISTRAL_7B,
    models.QWEN_7B,
)


def _published_heads(draw: Draw) -> Drawn:
    """Draw a published model, and a variant of another width whose heads are as wide."""
    model = draw.choice(_PUBLISHED)
    heads = draw.until(lambda: draw.choice(tuple(sorted({*_OTHERS, *range(10, 101, 2)}))), lambda made: made != model.heads)
    grouped = model.kv_heads < model.heads
    kinds = Text("$h$ query heads", " $h$ 个 query head") if grouped else Text("$h$ heads", " $h$ 个 head")
    inputs: tuple[tuple[str, Nested], ...] = (("d_model", model.d_model), ("h", model.heads))
    calls: tuple[Call, ...] = (
        call("d_k", "head_dimension", "d_model", "h"),
        call("h_new", "head_dimension", "d_new", "d_k", of="h"),
    )
    asked: tuple[str, ...] = ("d_k", "h_new")
    shared, keys = Text("", ""), Text("?", "？")
    if grouped:
        inputs = (*inputs, ("h_kv", model.kv_heads))
        calls = (calls[0], call("d_K", "head_dimension", "h_kv", "d_k", of="d_model"), calls[1])
        asked = ("d_k", "d_K", "h_new")
        shared = Text(
            ", and $h_{\\text{kv}}$ KV heads as wide as a query head",
            "；另有 $h_{\\text{kv}}$ 个 KV head，与 query head 一样宽",
        )
        keys = Text(
            ", and how wide are the keys of one token in all KV heads together ($d_K$)?",
            "？一个 token 在所有 KV head 里的 key 合起来有多宽（$d_K$）？",
        )
    return Drawn(
        Text(
            "Each layer of {name} has {kinds}, which share out $d_{\\text{model}}$ evenly{shared}. How wide is a head ($d_k$){keys} A variant of width $d_{\\text{new}}$ has heads of the same width: how many {query}heads is that ($h_{\\text{new}}$)?",
            "{name}每层有{kinds}，平分 $d_{\\text{model}}${shared}。每个 head 有多宽（$d_k$）{keys}设想一个变体，宽度改为 $d_{\\text{new}}$，head 的宽度不变，它有多少个{query} head（$h_{\\text{new}}$）？",
        ).fill(
            name=models.stack_of(model),
            kinds=kinds,
            shared=shared,
            keys=keys,
            query=Text("query ", " query") if grouped else Text("", ""),
        ),
        Program(
            (*inputs, ("d_new", heads * model.d_head)),
            calls,
            tuple(Ask(node, _COUNT, label=_name_width(node)) for node in asked),
        ),
    )


def _shared_heads(draw: Draw) -> Drawn:
    """Draw what level 4 drew before: the width of a published model, with heads of any number."""
    model = draw.choice(_SIZES)
    heads = draw.choice(_divisors(model.d_model, 8, 128))
    kv_heads = draw.choice(_divisors(heads, 2, heads - 1) or (1,))
    return Drawn(
        Text(
            "An attention layer as wide as those of {name} has $h$ query heads, which share out $d_{\\text{model}}$ evenly, and $h_{\\text{kv}}$ KV heads as wide as a query head. How wide is a head ($d_k$), and how wide are the keys of one token in all KV heads together ($d_K$)?",
            "某个注意力层与 {name} 同宽，有 $h$ 个 query head，平分 $d_{\\text{model}}$；另有 $h_{\\text{kv}}$ 个 KV head，与 query head 一样宽。每个 head 有多宽（$d_k$）？一个 token 在所有 KV head 里的 key 合起来有多宽（$d_K$）？",
        ).fill(name=model.name),
        Program(
            (("d_model", model.d_model), ("h", heads), ("h_kv", kv_heads)),
            (
                call("d_k", "head_dimension", "d_model", "h"),
                call("d_K", "head_dimension", "h_kv", "d_k", of="d_model"),
            ),
            (Ask("d_k", _COUNT, label=_name_width("d_k")), Ask("d_K", _COUNT, label=_name_width("d_K"))),
        ),
    )


# Output ------------------------------------------------------------------------------------------------------------------


def _mixing(draw: Draw, low: int, high: int) -> Matrix:
    """Draw an output projection of four rows and columns, of which each column uses something."""
    return draw.until(
        lambda: draw.asymmetric(4, low, high),
        lambda made: all(any(column) for column in zip(*made, strict=True)) and len(set(made)) == 4,
    )


def _two_weights(draw: Draw) -> tuple[Nested, ...]:
    """Draw three tenths that add up to 1, none of them 0."""
    first = draw.integer(1, 8)
    second = draw.integer(1, 9 - first)
    return tuple(decimal(10 * part) for part in draw.shuffled((first, second, 10 - first - second)))


def _multi_head_output(draw: Draw, level: int) -> Drawn:
    low, high = {1: (0, 1), 2: (-1, 2), 3: (-1, 2)}[level]
    calls: tuple[Call, ...] = (call("H", "concat_heads", "O_1", "O_2"), call("y", "output_projection", "H", "W_O"))
    inputs: tuple[tuple[str, Nested], ...]
    if level == 3:
        inputs = (
            *((f"a_{head}", _two_weights(draw)) for head in (1, 2)),
            *((f"V_{head}", draw.matrix(3, 2, -3, 6)) for head in (1, 2)),
        )
        calls = (*(call(f"O_{head}", "mix", f"a_{head}", f"V_{head}") for head in (1, 2)), *calls)
        prompt = Text(
            "Two heads attend for one token: $a_1$ and $a_2$ are its weights over three tokens, $V_1$ and $V_2$ the values. Their outputs, concatenated, are multiplied by $W_O$ from the right. Compute the output $y$.",
            "两个 head 为同一个 token 做注意力：$a_1$、$a_2$ 是它对三个 token 的权重，$V_1$、$V_2$ 是两个 head 的 value。两个 head 的输出拼接之后，再右乘 $W_O$。求输出 $y$。",
        )
    else:
        most = 5 if level == 1 else 6
        least = 1 if level == 1 else -2
        inputs = tuple((f"O_{head}", draw.vector(2, least, most)) for head in (1, 2))
        prompt = Text(
            "$O_1$ and $O_2$ are the outputs of two heads for one token. They are concatenated and multiplied by $W_O$ from the right. Compute the output $y$.",
            "$O_1$、$O_2$ 是两个 head 对同一个 token 的输出，拼接之后右乘 $W_O$。求输出 $y$。",
        )
    form = AnswerFormat(Kind.VECTOR, decimals=1 if level == 3 else 0, dimensions=(4,))
    return Drawn(prompt, Program((*inputs, ("W_O", _mixing(draw, low, high))), calls, (Ask("y", form, label=name_node("y")),)))


# Parameters --------------------------------------------------------------------------------------------------------------

_BIASES = {
    "no": Text("No layer has biases.", "各层都没有偏置。"),
    "yes": Text("Every projection has a bias.", "每个投影都带偏置。"),
    "qkv": Text(
        "The projections to $Q$, $K$ and $V$ have biases, the output projection has none.",
        "$Q$、$K$、$V$ 的投影带偏置，输出投影不带。",
    ),
}


def _multi_head_parameters(draw: Draw, level: int) -> Drawn:
    if level > 2:
        return _grouped_parameters(draw) if level == 4 else _wide_heads(draw)
    if level == 1:
        width = draw.choice((4, 6, 8, 10, 12, 16, 20, 30, 40, 50, 60, 100))
        heads = draw.choice(_divisors(width, 2, min(10, width - 1)))
        which: tuple[int, ...] = draw.choice(((1,), (2,), (1, 2)))
        biases = draw.choice(("no", "no", "yes"))
    else:
        width = draw.choice((32, 48, 60, 64, 72, 80, 96, 120, 128, 144, 160, 180, 192, 200, 240, 256, 320, 360, 384, 480, 512))
        heads = draw.choice(_divisors(width, 3, 16))
        which, biases = (1, 2), draw.choice(("no", "yes", "qkv"))
    shared = Text(
        "$P_1$: the heads share out $d_{\\text{model}}$ evenly.",
        "$P_1$：各个 head 平分 $d_{\\text{model}}$。",
    )
    whole = Text(
        "$P_2$: every head has queries, keys and values as wide as $d_{\\text{model}}$, and $W_O$ brings all of them back to it.",
        "$P_2$：每个 head 的 query、key、value 都和 $d_{\\text{model}}$ 一样宽，再由 $W_O$ 把它们全部变回这个宽度。",
    )
    chosen = {1: shared, 2: whole}
    cases = chosen[which[0]] if len(which) == 1 else shared + whole
    lines = {
        1: call("P_1", "attention_parameters", "d_model", biases=biases),
        2: call("P_2", "attention_parameters", "d_model", "h", "h", "d_model", biases=biases),
    }
    return Drawn(
        Text(
            "How many parameters do the projections of multi-head attention with $h$ heads have, $W_O$ included? {biases} {cases}",
            "$h$ 个 head 的多头注意力，所有投影（含 $W_O$）一共有多少参数？{biases}{cases}",
        ).fill(biases=_BIASES[biases], cases=cases),
        Program(
            (("d_model", width), ("h", heads)),
            tuple(lines[number] for number in which),
            tuple(Ask(f"P_{number}", _COUNT, label=name_node(f"P_{number}")) for number in which),
        ),
    )


def _wide_heads(draw: Draw) -> Drawn:
    """Draw heads whose width is their own affair: first a share of the model's, then another, then with fewer KV heads."""
    kv_heads = draw.choice((2, 3, 4, 5, 6, 8))
    heads = kv_heads * draw.choice((2, 3, 4))
    share = draw.choice((24, 32, 36, 40, 48, 56, 60, 64, 72, 80))
    width = draw.until(lambda: draw.choice((48, 64, 72, 80, 96, 112, 120, 128)), lambda made: made != share)
    biases = draw.choice(("no", "yes", "qkv"))
    return Drawn(
        Text(
            "How many parameters do the projections of an attention layer with $h$ query heads have, $W_O$ included? {biases} $P_1$: the heads share out $d_{\\text{model}}$ evenly, each with keys and values of its own. $P_2$: as $P_1$, but every head is $d_{\\text{head}}$ wide, whatever $d_{\\text{model}}$ is, and $W_O$ brings all of them back to $d_{\\text{model}}$. $P_3$: as $P_2$, but the query heads share $h_{\\text{kv}}$ KV heads.",
            "某个注意力层有 $h$ 个 query head，它的所有投影（含 $W_O$）一共有多少参数？{biases}$P_1$：各个 head 平分 $d_{\\text{model}}$，每个都有自己的 key 和 value。$P_2$：与 $P_1$ 相同，但每个 head 的宽度改为 $d_{\\text{head}}$，与 $d_{\\text{model}}$ 无关，再由 $W_O$ 把它们全部变回 $d_{\\text{model}}$。$P_3$：与 $P_2$ 相同，但所有 query head 共用 $h_{\\text{kv}}$ 个 KV head。",
        ).fill(biases=_BIASES[biases]),
        Program(
            (("d_model", heads * share), ("h", heads), ("h_kv", kv_heads), ("d_head", width)),
            (
                call("P_1", "attention_parameters", "d_model", biases=biases),
                call("P_2", "attention_parameters", "d_model", "h", "h", "d_head", biases=biases),
                call("P_3", "attention_parameters", "d_model", "h", "h_kv", "d_head", biases=biases),
            ),
            tuple(Ask(node, _COUNT, label=name_node(node)) for node in ("P_1", "P_2", "P_3")),
        ),
    )


def _grouped_parameters(draw: Draw) -> Drawn:
    model = draw.choice(_SIZES)
    kv_heads = draw.choice(_divisors(model.heads, 1, model.heads - 1))
    biases = draw.choice(("no", "yes", "qkv"))
    both = draw.choice((True, False))
    asks = tuple(Ask(node, _COUNT, label=name_node(node)) for node in (("P_1", "P_2") if both else ("P_2",)))
    every = Text("$P_1$: every query head has keys and values of its own.", "$P_1$：每个 query head 都有自己的 key 和 value。")
    few = Text(
        "$P_2$: the query heads share $h_{\\text{kv}}$ KV heads.", "$P_2$：所有 query head 共用 $h_{\\text{kv}}$ 个 KV head。"
    )
    begins, itself = models.compare(model, kv_heads=kv_heads, biases=biases, attention=True)
    return Drawn(
        Text(
            "An attention layer of {begins}: $h$ query heads share out $d_{\\text{model}}$ evenly, and KV heads are as wide as query heads. {biases}{itself} How many parameters do the projections of this layer have, $W_O$ included? {cases}",
            "{begins}的一个注意力层：$h$ 个 query head 平分 $d_{\\text{model}}$，KV head 与 query head 一样宽。{biases}{itself}这个注意力层的所有投影（含 $W_O$）一共有多少参数？{cases}",
        ).fill(begins=begins, itself=itself, biases=_BIASES[biases], cases=every + few if both else few),
        Program(
            (("d_model", model.d_model), ("h", model.heads), ("h_kv", kv_heads)),
            (
                call("P_1", "attention_parameters", "d_model", biases=biases),
                call("P_2", "attention_parameters", "d_model", "h", "h_kv", biases=biases),
            ),
            asks,
        ),
    )


DRILLS = (
    Drill(
        "head-dimension",
        "7.14",
        Text("Width and number of the heads", "head 的宽度与个数"),
        "0",
        (1, 2, 3, 4),
        _head_dimension,
        hints=(
            Text(
                "The heads cut up the width of the model; they don't multiply it.",
                "各个 head 是切分模型的宽度，不会让宽度成倍增加。",
            ),
            Text(
                "The width of the model is the number of query heads times the width of one.",
                "模型宽度等于 query head 的个数乘以每个 head 的宽度。",
            ),
            Text(
                "$d_{\\text{model}} = h \\cdot d_k$. Keys shared by groups have only as many heads as there are KV heads.",
                "$d_{\\text{model}} = h \\cdot d_k$。分组共用的 key，head 数只有 KV head 那么多。",
            ),
        ),
        revised=(Revised(4, "1", partial(_head_dimension, published=False)),),
    ),
    Drill(
        "multi-head-output",
        "7.14",
        Text("From two heads to the output", "由两个 head 求输出"),
        "0",
        (1, 2, 3),
        _multi_head_output,
        hints=(
            Text("First put the heads side by side, then multiply once.", "先把各个 head 并排放好，再做一次乘法。"),
            Text(
                "The concatenated vector has four numbers, those of head 1 first; it is one row.",
                "拼接后的向量有四个数，head 1 的在前，它是一行。",
            ),
            Text(
                "Each number of $y$ is that row times one column of $W_O$; nothing is divided by the number of heads.",
                "$y$ 的每个数，是这一行与 $W_O$ 的一列的点积；不除以 head 的个数。",
            ),
        ),
    ),
    Drill(
        "multi-head-parameters",
        "7.14",
        Text("Parameters of multi-head attention", "多头注意力的参数量"),
        "0",
        (1, 2, 3, 4),
        _multi_head_parameters,
        hints=(
            Text("There are four kinds of matrices: $W_Q, W_K, W_V, W_O$.", "一共有四种矩阵：$W_Q, W_K, W_V, W_O$。"),
            Text(
                "A matrix has rows times columns. Heads that share out the width only cut up the same matrices.",
                "一个矩阵的参数是行数乘列数。平分宽度的 head，只是切分同样的矩阵。",
            ),
            Text(
                "Shared width: $4 d_{\\text{model}}^2$; whole width: $h$ times that; any width: $2 d_{\\text{model}} (h + h_{\\text{kv}}) d_{\\text{head}}$. KV heads: $W_K$ and $W_V$ only. A bias: one number per column.",
                "平分宽度时是 $4 d_{\\text{model}}^2$，不平分就是它的 $h$ 倍；head 另有宽度时是 $2 d_{\\text{model}} (h + h_{\\text{kv}}) d_{\\text{head}}$。KV head 只影响 $W_K$ 和 $W_V$。偏置是每列一个数。",
            ),
        ),
    ),
)
