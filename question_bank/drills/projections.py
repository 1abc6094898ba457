"""Projections of X to Q, K and V (7.5)."""

from __future__ import annotations

from functools import partial

from question_bank import models
from question_bank.drills.base import Draw, Drawn, Drill, Revised, are_apart, decimal, in_letters, name_row, said_names
from question_bank.program import AnswerFormat, Ask, Asked, Call, Kind, Nested, Program, Shape, call
from question_bank.text import Text


def _project_row(draw: Draw, level: int) -> Drawn:
    tokens, width = {1: (2, 2), 2: (3, 3), 3: (3, 3)}[level]
    low, high = {1: (0, 3), 2: (-2, 4), 3: (-20, 30)}[level]
    target = draw.choice("QKV")
    row = draw.integer(0, tokens - 1)
    inputs: list[tuple[str, Nested | Shape]] = [
        ("X", draw.matrix(tokens, width, 0 if level == 1 else low // 2 if level == 3 else -1, 3))
    ]
    for name in "QKV":
        weights = draw.asymmetric(width, low, high)
        scaled: Nested = weights if level < 3 else tuple(tuple(decimal(10 * cell) for cell in line) for line in weights)
        inputs.append((f"W_{name}", scaled))
    ask = Ask(
        target,
        AnswerFormat(Kind.VECTOR, decimals=0 if level < 3 else 1, dimensions=(width,)),
        (row,),
        label=name_row(target, row),
    )
    return Drawn(
        Text(
            "Each row of $X$ is one token. Compute row {row} of ${target}$, where ${target} = X W_{target}$.",
            "$X$ 的每一行是一个 token。求 ${target} = X W_{target}$ 的第 {row} 行。",
        ).fill(row=row + 1, target=target),
        Program(tuple(inputs), (call(target, "project", "X", f"W_{target}"),), (ask,)),
    )


def _grouped_shapes(draw: Draw) -> Drawn:
    """Ask for the shapes with KV heads fewer than query heads, before and after the split; heads don't make up the width."""
    batch, length, model, key, value, groups, kv_heads = draw.until(
        lambda: (
            draw.choice((2, 3, 4, 5, 6, 12, 16, 24, 32)),
            draw.choice((25, 40, 50, 77, 100, 150, 197, 256, 300, 512, 1000)),
            draw.choice((320, 448, 640, 768, 896, 1152, 1536, 2048, 2304)),
            *draw.shuffled((32, 48, 64, 80, 96, 112, 128, 144))[:2],
            draw.integer(2, 8),
            draw.integer(2, 8),
        ),
        lambda made: (
            are_apart((*made[:5], made[5] * made[6], made[6]))
            and are_apart(
                (made[1], made[2], made[3] * made[5] * made[6], *(made[6] * width for width in made[3:5]), *made[3:5])
            )
        ),
    )
    heads = groups * kv_heads
    shape = AnswerFormat(Kind.SHAPE)

    def ask(node: str) -> Ask:
        return Ask(node, shape, (), Asked.SHAPE, label=Text(f"shape of ${node}$", f" ${node}$ 的形状"))

    names = {"Q": Text("queries", "query"), "K": Text("keys", "key"), "V": Text("values", "value")}
    split = tuple(
        Ask(
            f"{node}_h",
            shape,
            (),
            Asked.SHAPE,
            Text(f"{{name}} split into heads ${node}_h$", f"拆成多个 head 的 {{name}} ${node}_h$ ").fill(name=names[node]),
        )
        for node in (draw.choice("QK"), "V")
    )
    asks = (ask("W_Q"), *map(ask, draw.shuffled(("W_K", "W_V"))[:1]), ask("Q"), *map(ask, draw.shuffled("KV")[:1]))
    sizes = {"B": batch, "h": heads, "h_kv": kv_heads, "S": length, "d_k": key, "d_v": value, "d_model": model}
    asks = (*asks, *in_letters(draw, split, sizes, 2))
    return Drawn(
        Text(
            "$X$ has shape $[B, S, d_{\\text{model}}]$, the weight matrices multiply on the right. There are $h$ query heads, which share $h_{\\text{kv}}$ KV heads; queries and keys of a head are $d_k$ wide, its values $d_v$. $W_Q$, $W_K$ and $W_V$ each serve all their heads at once; after the split, the head axis comes before the sequence axis, and KV heads aren't repeated. Give the shapes.",
            "$X$ 的形状是 $[B, S, d_{\\text{model}}]$，权重矩阵右乘。$h$ 个 query head 共用 $h_{\\text{kv}}$ 个 KV head；每个 head 的 query、key 宽 $d_k$，value 宽 $d_v$。$W_Q$、$W_K$、$W_V$ 各自一次算出所有 head；拆开之后，head 维排在序列维之前，KV head 不做复制。写出各形状。",
        )
        + said_names(asks),
        Program(
            (
                ("X", Shape((batch, length, model))),
                ("d_model", model),
                ("h", heads),
                ("h_kv", kv_heads),
                ("d_k", key),
                ("d_v", value),
            ),
            (
                call("w_Q", "head_dimension", "h", "d_k", of="d_model"),
                call("w_K", "head_dimension", "h_kv", "d_k", of="d_model"),
                call("w_V", "head_dimension", "h_kv", "d_v", of="d_model"),
                *(call(f"W_{name}", "weight", "d_model", f"w_{name}") for name in "QKV"),
                *(call(name, "project", "X", f"W_{name}") for name in "QKV"),
                call("Q_h", "split_heads", "Q", "h"),
                *(call(f"{name}_h", "split_heads", name, "h_kv") for name in "KV"),
            ),
            asks,
        ),
    )


_MODELS = (
    models.TRANSFORMER_BASE,
    models.TRANSFORMER_BIG,
    models.BERT_BASE,
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


def _published(draw: Draw) -> Drawn:
    """Draw a published model: one head of it, or all of them where they share KV heads and the weights aren't square."""
    model = draw.choice(_MODELS)
    batch = draw.choice((2, 3, 4, 6, 8, 12, 16, 24, 32))
    length = draw.choice(
        [size for size in (10, 50, 77, 100, 197, 200, 256, 300, 384, 500, 1000, 2000) if size <= model.context]
    )
    weight = draw.choice(("W_Q", "W_K", "W_V"))
    key = draw.choice("QK")
    inputs: tuple[tuple[str, Nested | Shape], ...] = (
        ("X", Shape((batch, length, model.d_model))),
        ("d_model", model.d_model),
        ("h", model.heads),
    )
    part = call("d_k", "head_dimension", "d_model", "h")
    projections = tuple(call(name, "project", "X", f"W_{name}") for name in "QKV")
    if model.kv_heads == model.heads:
        asked: tuple[str, ...] = (weight, key, "V")
        labels: tuple[Text, ...] = tuple(Text(f"shape of ${node}$", f" ${node}$ 的形状") for node in asked)
        calls: tuple[Call, ...] = (part, *(call(f"W_{name}", "weight", "d_model", "d_k") for name in "QKV"), *projections)
        prompt = Text(
            "In {name}, the $h$ heads of a layer share out $d_{\\text{model}}$ evenly. Its input $X$ has shape $[B, S, d_{\\text{model}}]$, the weight matrices multiply on the right ($Q = X W_Q$), and each head has its own. Give the shapes of {nodes} for one head.",
            "{name}每层的 $h$ 个 head 平分 $d_{\\text{model}}$。输入 $X$ 的形状是 $[B, S, d_{\\text{model}}]$，权重矩阵右乘（$Q = X W_Q$），每个 head 有自己的权重。写出单个 head 的{nodes} 的形状。",
        )
    else:
        name = draw.choice("KV")
        asked = (draw.choice(("W_K", "W_V")), "Q", name, f"{name}_h")
        whose = Text("keys", "key") if name == "K" else Text("values", "value")
        split = Text(f"{{name}} split into heads ${name}_h$", f"拆成多个 head 的 {{name}} ${name}_h$ ").fill(name=whose)
        labels = (*(Text(f"shape of ${node}$", f" ${node}$ 的形状") for node in asked[:3]), split)
        inputs = (*inputs, ("h_kv", model.kv_heads))
        calls = (
            part,
            call("d_K", "head_dimension", "h_kv", "d_k", of="d_model"),
            call("W_Q", "weight", "d_model", "d_model"),
            *(call(f"W_{name}", "weight", "d_model", "d_K") for name in "KV"),
            *projections,
            *(call(f"{name}_h", "split_heads", name, "h_kv") for name in "KV"),
        )
        prompt = Text(
            "In {name}, the $h$ query heads of a layer share out $d_{\\text{model}}$ evenly, and share $h_{\\text{kv}}$ KV heads as wide as they are. The layer's input $X$ has shape $[B, S, d_{\\text{model}}]$, the weight matrices multiply on the right and each serve all their heads at once; after the split, the head axis comes before the sequence axis, and KV heads aren't repeated. Give the shapes of {nodes}.",
            "{name}每层有 $h$ 个 query head，平分 $d_{\\text{model}}$，共用 $h_{\\text{kv}}$ 个同样宽的 KV head。这一层的输入 $X$ 形状是 $[B, S, d_{\\text{model}}]$，权重矩阵右乘，各自一次算出所有 head；拆开之后，head 维排在序列维之前，KV head 不做复制。写出{nodes} 的形状。",
        )
    nodes = [f"${node}$" for node in asked]
    return Drawn(
        prompt.fill(
            name=models.stack_of(model),
            nodes=Text(f"{', '.join(nodes[:-1])} and {nodes[-1]}", " " + "、".join(nodes)),
        ),
        Program(
            inputs,
            calls,
            tuple(
                Ask(node, AnswerFormat(Kind.SHAPE), (), Asked.SHAPE, label) for node, label in zip(asked, labels, strict=True)
            ),
        ),
    )


def _qkv_shapes(draw: Draw, level: int, published: bool = True) -> Drawn:
    if level == 3:
        return _grouped_shapes(draw)
    if level == 4 and published:
        return _published(draw)
    batch = draw.integer(1, 4) if level == 1 else draw.choice((2, 4, 8, 16, 32))
    length = draw.integer(3, 12) if level == 1 else draw.choice((10, 16, 32, 50, 100, 128, 512))
    if level == 4:
        model = draw.choice((768, 1024, 1280, 1600, 4096, 5120, 8192))
        key, value = model // draw.choice((8, 12, 16, 32)), model // draw.choice((4, 8, 16, 64))
    else:
        model = draw.choice((4, 6, 8, 10, 12) if level == 1 else (32, 48, 64, 96, 128, 256, 512))
        key = draw.integer(2, 9) if level == 1 else draw.choice((8, 16, 24, 32, 64))
        value = draw.integer(2, 9) if level == 1 else draw.choice((8, 12, 20, 32, 40, 64))
    shape = AnswerFormat(Kind.SHAPE)
    asked = (*draw.shuffled(("Q", "K"))[:1], "V") if level == 1 else ("Q", "K", "V")
    weight = draw.choice(("W_Q", "W_K", "W_V")) if level > 1 else "W_V"
    program = Program(
        (("X", Shape((batch, length, model))), ("d_model", model), ("d_k", key), ("d_v", value)),
        (
            call("W_Q", "weight", "d_model", "d_k"),
            call("W_K", "weight", "d_model", "d_k"),
            call("W_V", "weight", "d_model", "d_v"),
            call("Q", "project", "X", "W_Q"),
            call("K", "project", "X", "W_K"),
            call("V", "project", "X", "W_V"),
        ),
        tuple(
            Ask(node, shape, (), Asked.SHAPE, label=Text(f"shape of ${node}$", f" ${node}$ 的形状"))
            for node in (weight, *asked)
        ),
    )
    return Drawn(
        Text(
            "$X$ has shape $[B, S, d_{\\text{model}}]$. The weight matrices multiply on the right ($Q = X W_Q$). Give the shapes.",
            "$X$ 的形状是 $[B, S, d_{\\text{model}}]$，权重矩阵右乘（$Q = X W_Q$）。写出各形状。",
        ),
        program,
    )


DRILLS = (
    Drill(
        "project-row",
        "7.5",
        Text("One row of Q, K or V", "Q、K、V 的一行"),
        "0",
        (1, 2, 3),
        _project_row,
        hints=(
            Text("A projection is a matrix product.", "投影就是矩阵乘法。"),
            Text(
                "The row of $X$ times each column of the weight matrix gives one component.",
                "$X$ 的这一行和权重矩阵的每一列相乘，各得一个分量。",
            ),
            Text(
                "Take the matrix whose name fits: $W_Q$ for $Q$. Multiply from the right, $XW$; nothing is transposed.",
                "用名字对应的矩阵：求 $Q$ 用 $W_Q$。从右边乘，$XW$，不转置。",
            ),
        ),
    ),
    Drill(
        "qkv-shapes",
        "7.5",
        Text("Shapes of Q, K, V and the weights", "Q、K、V 和权重的形状"),
        "0",
        (1, 2, 3, 4),
        _qkv_shapes,
        hints=(
            Text("In $XW$ the inner sizes must agree and vanish.", "$XW$ 里，中间的维度要相等，乘完就消失。"),
            Text(
                "A weight matrix is $d_{\\text{model}}$ by the output width: $d_k$ for queries and keys, $d_v$ for values, each times the heads that it serves.",
                "权重的形状是 $d_{\\text{model}}$ × 输出宽度：query、key 是 $d_k$，value 是 $d_v$；一次算出几个 head，就再乘几。",
            ),
            Text(
                "Batch and length pass through unchanged; only the last size is replaced. A split cuts it up again: $[B, \\text{heads}, S, \\text{width}]$.",
                "batch 和长度原样保留，只换最后一维。拆成多个 head 时，这一维再切开：$[B, \\text{head 数}, S, \\text{宽度}]$。",
            ),
        ),
        revised=(Revised(4, "1", partial(_qkv_shapes, published=False)),),
    ),
)
