"""Attention as a listing (7.13): each line of PyTorch beside the call that it is."""

from __future__ import annotations

from question_bank import models
from question_bank.drills.base import Draw, Drawn, Drill
from question_bank.program import AnswerFormat, Ask, Asked, Call, Kind, Program, Shape, call
from question_bank.text import Text

Listing = tuple[tuple[str, Call], ...]
"""Lines of code, each with the call that gives the same tensor under the same name."""


SINGLE_HEAD: Listing = (
    ("Q = X @ W_Q", call("Q", "project", "X", "W_Q")),
    ("K = E @ W_K", call("K", "project", "E", "W_K")),
    ("V = E @ W_V", call("V", "project", "E", "W_V")),
    ("S = Q @ K.transpose(-2, -1) / math.sqrt(d_k)", call("S", "scores", "Q", "K")),
    ("A = torch.softmax(S, dim=-1)", call("A", "softmax", "S")),
    ("O = A @ V", call("O", "mix", "A", "V")),
)


MULTI_HEAD: Listing = (
    ("q = X @ W_Q", call("q", "project", "X", "W_Q")),
    ("k = E @ W_K", call("k", "project", "E", "W_K")),
    ("v = E @ W_V", call("v", "project", "E", "W_V")),
    ("Q = q.unflatten(-1, (h, -1)).transpose(1, 2)", call("Q", "split_heads", "q", "h")),
    ("K = k.unflatten(-1, (h, -1)).transpose(1, 2)", call("K", "split_heads", "k", "h")),
    ("V = v.unflatten(-1, (h, -1)).transpose(1, 2)", call("V", "split_heads", "v", "h")),
    ("S = Q @ K.transpose(-2, -1) / math.sqrt(Q.size(-1))", call("S", "scores", "Q", "K")),
    ("A = torch.softmax(S, dim=-1)", call("A", "softmax", "S")),
    ("O = A @ V", call("O", "mix", "A", "V")),
    ("H = O.transpose(1, 2).flatten(2)", call("H", "concat_heads", "O")),
)


GROUPED: Listing = (
    ("q = X @ W_Q", call("q", "project", "X", "W_Q")),
    ("k = E @ W_K", call("k", "project", "E", "W_K")),
    ("v = E @ W_V", call("v", "project", "E", "W_V")),
    ("Q = q.unflatten(-1, (h, -1)).transpose(1, 2)", call("Q", "split_heads", "q", "h")),
    ("K = k.unflatten(-1, (h_kv, -1)).transpose(1, 2)", call("K", "split_heads", "k", "h_kv")),
    ("V = v.unflatten(-1, (h_kv, -1)).transpose(1, 2)", call("V", "split_heads", "v", "h_kv")),
    ("K_r = K.repeat_interleave(h // h_kv, dim=1)", call("K_r", "repeat_heads", "K", "h")),
    ("V_r = V.repeat_interleave(h // h_kv, dim=1)", call("V_r", "repeat_heads", "V", "h")),
    ("S = Q @ K_r.transpose(-2, -1) / math.sqrt(Q.size(-1))", call("S", "scores", "Q", "K_r")),
    ("A = torch.softmax(S, dim=-1)", call("A", "softmax", "S")),
    ("O = A @ V_r", call("O", "mix", "A", "V_r")),
    ("H = O.transpose(1, 2).flatten(2)", call("H", "concat_heads", "O")),
)


_MODELS = (
    models.TRANSFORMER_BASE,
    models.TRANSFORMER_BIG,
    models.BERT_BASE,
    models.GPT2_LARGE,
    models.GPT2_XL,
    models.LLAMA2_7B,
)
_THEIRS = Text(
    "The cross-attention of {name} in PyTorch, from the encoder's output $E$.",
    "PyTorch 写的 {name} 的 cross-attention，$E$ 是编码器的输出。",
)
_PUT_IN = Text(
    "A variant of {name}, which has no cross-attention, is given one in PyTorch: $d_{\\text{model}}$ and $h$ stay as they are, $E$ is the output of an encoder.",
    "{name} 没有 cross-attention。设想一个变体，用 PyTorch 给它加上，$d_{\\text{model}}$ 和 $h$ 不变；$E$ 是编码器的输出。",
)


def _line_shape(draw: Draw, level: int) -> Drawn:
    small = level == 1
    batch = draw.integer(2, 5) if small else draw.choice((2, 3, 4, 8, 16, 32))
    lengths: tuple[int, ...] = tuple(range(3, 13)) if small else (5, 9, 10, 12, 20, 24, 37, 48, 50, 77, 100, 128, 197, 200)
    queries, keys = draw.shuffled(lengths)[:2]
    inputs: list[tuple[str, int | Shape]] = []
    asked: tuple[str, ...]
    kind = Text(
        "Cross-attention in PyTorch, from the encoder's output $E$.", "PyTorch 写的 cross-attention，$E$ 是编码器的输出。"
    )
    if small:
        width, key, value = draw.shuffled((2, 4, 5, 6, 8, 10, 16))[:3]
        weights = tuple(call(f"W_{name}", "weight", "d_model", "d_v" if name == "V" else "d_k") for name in "QKV")
        inputs += [("d_model", width), ("d_k", key), ("d_v", value)]
        asked = draw.choice((("V",), ("S",), ("A",), ("O",), ("O",)))
        listing = SINGLE_HEAD
        shapes = Text(
            "$W_Q$ and $W_K$ have the shape $[d_{\\text{model}}, d_k]$, $W_V$ has $[d_{\\text{model}}, d_v]$.",
            "$W_Q$、$W_K$ 的形状是 $[d_{\\text{model}}, d_k]$，$W_V$ 是 $[d_{\\text{model}}, d_v]$。",
        )
    elif level == 3:
        kv_heads = draw.choice((2, 3, 4, 5, 6, 8))
        heads, key = kv_heads * draw.choice((2, 3, 4, 5)), draw.choice((12, 16, 20, 24, 32, 40, 48, 56, 64, 80))
        weights = (
            call("W_Q", "weight", "d_model", "d_model"),
            *(call(f"W_{name}", "weight", "d_model", "d_K") for name in "KV"),
        )
        inputs += [("d_model", heads * key), ("d_K", kv_heads * key), ("h", heads), ("h_kv", kv_heads)]
        width = heads * key
        asked = (draw.choice("KV"), draw.choice(("K_r", "V_r")), "S", draw.choice("OH"))
        listing = GROUPED
        shapes = Text(
            "$W_Q$ has the shape $[d_{\\text{model}}, d_{\\text{model}}]$, $W_K$ and $W_V$ have $[d_{\\text{model}}, d_K]$.",
            "$W_Q$ 的形状是 $[d_{\\text{model}}, d_{\\text{model}}]$，$W_K$、$W_V$ 是 $[d_{\\text{model}}, d_K]$。",
        )
    else:
        heads = draw.choice((4, 6, 8, 12))
        width = heads * draw.choice((8, 16, 32, 64))
        if level == 4:
            model = draw.choice(_MODELS)
            heads, width = model.heads, model.d_model
            kind = (_THEIRS if model.kind == "encoder-decoder" else _PUT_IN).fill(name=model.name)
        weights = tuple(call(f"W_{name}", "weight", "d_model", "d_model") for name in "QKV")
        inputs += [("d_model", width), ("h", heads)]
        asked = (draw.choice("QKV"), "S", draw.choice("OH"))
        listing = MULTI_HEAD
        shapes = Text(
            "$W_Q$, $W_K$ and $W_V$ have the shape $[d_{\\text{model}}, d_{\\text{model}}]$.",
            "$W_Q$、$W_K$、$W_V$ 的形状都是 $[d_{\\text{model}}, d_{\\text{model}}]$。",
        )
    states = (("X", Shape((batch, queries, width))), ("E", Shape((batch, keys, width))))
    made = [line.node for _, line in listing]
    wanted = Text(
        ", ".join(f"${node}$ after line {made.index(node) + 1}" for node in asked),
        "、".join(f"第 {made.index(node) + 1} 行之后 ${node}$" for node in asked),
    )
    question = Text("Give the shape of {wanted}.", "写出{wanted} 的形状。").fill(wanted=wanted)
    return Drawn(
        kind + shapes + question,
        Program(
            (*states, *inputs),
            (*weights, *(line for _, line in listing)),
            tuple(
                Ask(node, AnswerFormat(Kind.SHAPE), (), Asked.SHAPE, Text(f"shape of ${node}$", f" ${node}$ 的形状"))
                for node in asked
            ),
        ),
        tuple(code for code, _ in listing),
    )


DRILLS = (
    Drill(
        "line-shape",
        "7.13",
        Text("The shape after a line of code", "某行代码之后的形状"),
        "0",
        (1, 2, 3, 4),
        _line_shape,
        hints=(
            Text(
                "Go through the listing from the top and write the shape beside each line.",
                "从头逐行往下走，每行旁边写上形状。",
            ),
            Text(
                "A product with @ drops the inner size: the last of the left, the last but one of the right.",
                "@ 做矩阵乘法，中间的维度消掉：左边的最后一维，右边的倒数第二维。",
            ),
            Text(
                "unflatten cuts an axis up, repeat_interleave multiplies one. Scores: a row per query, a column per key. Output: the queries' length, the values' width.",
                "unflatten 把一维切开，repeat_interleave 让一维成倍变长。分数是一个 query 一行、一个 key 一列；softmax 不改变形状；输出的长度跟 query，宽度跟 value。",
            ),
        ),
    ),
)
