"""Padding (7.16): what it takes without a mask, the shape of a mask, and padding under a causal mask (7.17)."""

from __future__ import annotations

from question_bank import models
from question_bank.drills.base import Draw, Drawn, Drill, are_apart, in_letters, name_node, name_row
from question_bank.drills.softmax import DECIMALS, scores_matrix, scores_row
from question_bank.exact import to_float
from question_bank.program import AnswerFormat, Ask, Asked, Call, Kind, Program, Shape, call, cells
from question_bank.text import Text

# Leak --------------------------------------------------------------------------------------------------------------------


def _padding_leak(draw: Draw, level: int) -> Drawn:
    length = {1: 4, 2: 4, 3: 6}[level]
    padding = draw.integer(1, 2) if level < 3 else draw.integer(1, 3)
    keep = tuple(int(position < length - padding) for position in range(length))
    # Who forgets the exponentials divides by the sum of the scores: it is not 0, and the padding's part is no negative share.
    row = draw.until(
        lambda: scores_row(draw, length, level),
        lambda made: all(sum(to_float(score) for _, score in cells(part)) > 0.3 for part in (made, made[-padding:])),
    )
    return Drawn(
        Text(
            "$z$ is one row of scaled scores; $m$ marks real tokens (1) and padding (0). The mask is forgotten, and the softmax is taken over the whole row. What percentage $p$ of the attention does the padding get, to {n} decimal?",
            "$z$ 是一行缩放后的分数，$m$ 标出真实 token（1）和 padding（0）。忘了加 mask，softmax 对整行做。padding 一共分走百分之几的注意力？记作 $p$，保留 {n} 位小数。",
        ).fill(n=1),
        Program(
            (("z", row), ("m", keep)),
            (call("a", "softmax", "z"), call("p", "padding_share", "a", "m")),
            (Ask("p", AnswerFormat(Kind.PERCENT, decimals=1), label=name_node("p")),),
        ),
    )


# Shape -------------------------------------------------------------------------------------------------------------------

_SHAPE = AnswerFormat(Kind.SHAPE)


def _mask_shape(draw: Draw, level: int) -> Drawn:
    if level == 3:
        return _masks_of_a_decoder(draw) if draw.integer(0, 1) else _masks_of_groups(draw)
    batch = draw.integer(2, 8) if level == 1 else draw.choice((2, 3, 4, 8, 16, 24, 32, 64))
    lengths: tuple[int, ...] = (
        tuple(range(3, 13)) if level == 1 else (5, 9, 10, 16, 20, 24, 32, 48, 50, 64, 77, 100, 128, 200, 256, 384, 512)
    )
    model = models.BERT_BASE
    if level == 4:
        model = draw.choice(
            (
                models.TRANSFORMER_BASE,
                models.TRANSFORMER_BIG,
                models.BERT_BASE,
                models.GPT2_SMALL,
                models.GPT2_XL,
                models.LLAMA3_8B,
                models.LLAMA3_70B,
                models.QWEN_7B,
            )
        )
        lengths = tuple(size for size in (50, 64, 77, 100, 128, 197, 200, 256, 384, 500, 512) if size <= model.context)
    queries, keys = draw.until(lambda: draw.shuffled(lengths)[:2], lambda made: level != 2 or batch not in made)
    kind = draw.choice(("padding", "causal", "cross", "both") if level > 1 else ("padding", "causal", "cross"))
    if kind != "cross":
        queries = keys
    heads = model.heads if level == 4 else 0
    if level == 2:
        heads = draw.until(lambda: draw.choice((4, 6, 8, 12, 16)), lambda made: are_apart((made, batch, *{queries, keys})))
    scores = Shape((batch, *([heads] if heads else []), queries, keys))
    said = {
        "padding": Text(
            "The padding mask $m$, of shape $[B, S]$, says which tokens are real.",
            "padding mask $m$ 的形状是 $[B, S]$，标出哪些 token 是真实的。",
        ),
        "cross": Text(
            "This is cross-attention: the mask $m$, of shape $[B, S_{\\text{enc}}]$, says which encoder tokens are real.",
            "这是 cross-attention：mask $m$ 的形状是 $[B, S_{\\text{enc}}]$，标出编码器的哪些 token 是真实的。",
        ),
        "causal": Text(
            "The causal mask $c$, of shape $[S, S]$, is the same for all sequences.",
            "causal mask $c$ 的形状是 $[S, S]$，对所有序列都一样。",
        ),
        "both": Text(
            "The padding mask $m$, of shape $[B, S]$, and the causal mask $c$, of shape $[S, S]$, are reshaped to $P$ and $C$, then combined into one mask $M$.",
            "padding mask $m$ 的形状是 $[B, S]$，causal mask $c$ 的形状是 $[S, S]$，分别变形为 $P$、$C$，再合成一个 mask $M$。",
        ),
    }[kind]
    padding, causal = ("m", Shape((batch, keys))), ("c", Shape((queries, keys)))
    inputs: tuple[tuple[str, Shape], ...] = {"causal": (causal,), "both": (padding, causal)}.get(kind, (padding,))
    calls: tuple[Call, ...]
    if kind == "both":
        calls = (
            call("P", "mask_view", "m", "Z"),
            call("C", "mask_view", "c", "Z", of="causal"),
            call("M", "join_masks", "P", "C"),
        )
    else:
        calls = (call("M", "mask_view", inputs[0][0], "Z", of="causal" if kind == "causal" else "padding"),)
    asks = tuple(
        Ask(line.node, _SHAPE, (), Asked.SHAPE, Text(f"shape of ${line.node}$", f" ${line.node}$ 的形状")) for line in calls
    )
    letters = Text("", "")
    if level == 2 and (kind == "both" or draw.integer(0, 1)):
        asks = in_letters(
            draw,
            asks,
            {"B": batch, "h": heads, "1": 1} | ({"S_dec": queries, "S_enc": keys} if kind == "cross" else {"S": keys}),
        )
        letters = Text(
            "Write the shape of ${node}$ with these letters and 1{others}.", "${node}$ 的形状用这些字母和 1 表示{others}。"
        ).fill(
            node=next(ask.node for ask in asks if ask.format.kind is Kind.NAMED_SHAPE),
            others=Text(", the others in numbers", "，其余写数字") if kind == "both" else Text("", ""),
        )
    name = Text("The scores", "分数")
    if level == 4:
        name = Text(f"In a layer the size of one in {model.name}, the scores", f"与 {model.name} 同样大小的一层里，分数")
    axes = "[B, h, {q}, {k}]" if heads else "[B, {q}, {k}]"
    lengths_named = ("S_{\\text{dec}}", "S_{\\text{enc}}") if kind == "cross" else ("S", "S")
    shape = axes.replace("{q}", lengths_named[0]).replace("{k}", lengths_named[1])
    return Drawn(
        Text(
            "{name} $Z$ have the shape ${shape}$. {said} What shape must {each} have to broadcast over $Z$, with as many axes as $Z$, of size 1 wherever the mask doesn't vary?",
            "{name} $Z$ 的形状是 ${shape}$。{said}要能广播到 $Z$ 上，维数与 $Z$ 相同，mask 不变化的维取 1，{each}的形状应当是什么？",
        ).fill(
            name=name,
            shape=shape,
            said=said,
            each=Text("each of $P$, $C$ and $M$", "$P$、$C$、$M$ ")
            if kind == "both"
            else Text("the mask, then called $M$,", "变形后的 mask $M$ "),
        )
        + letters,
        Program((*inputs, ("Z", scores)), calls, asks),
    )


_BOTH = (
    call("P", "mask_view", "m", "Z"),
    call("C", "mask_view", "c", "Z", of="causal"),
    call("M", "join_masks", "P", "C"),
)
_AXES = Text(
    "What shape must each of {masks} have to broadcast over its scores, with as many axes as these, of size 1 wherever the mask doesn't vary?",
    "要能广播到各自的分数上，维数与分数相同，mask 不变化的维取 1，{masks} 的形状应当是什么？",
)


def _mask_shapes(
    draw: Draw, given: Text, inputs: tuple[tuple[str, Shape], ...], calls: tuple[Call, ...], sizes: dict[str, int]
) -> Drawn:
    """Ask the shapes of several masks, two of them in letters."""
    asks = tuple(
        Ask(line.node, _SHAPE, (), Asked.SHAPE, Text(f"shape of ${line.node}$", f" ${line.node}$ 的形状")) for line in calls
    )
    asks = in_letters(draw, asks, sizes | {"1": 1}, 2)
    nodes = [f"${line.node}$" for line in calls]
    named = [f"${ask.node}$" for ask in asks if ask.format.kind is Kind.NAMED_SHAPE]
    letters = Text(
        "Write the shapes of {named} with these letters and 1, the rest in numbers.",
        "{named} 的形状用这些字母和 1 表示，其余写数字。",
    ).fill(named=Text(" and ".join(named), "、".join(named)))
    masks = Text(", ".join(nodes[:-1]) + f" and {nodes[-1]}", "、".join(nodes))
    return Drawn(given + _AXES.fill(masks=masks) + letters, Program(inputs, calls, asks))


def _masks_of_a_decoder(draw: Draw) -> Drawn:
    """Draw the masks of both attentions of a decoder layer."""
    batch, heads, queries, keys = draw.until(
        lambda: (
            draw.choice((3, 6, 7, 12, 20, 24, 48)),
            draw.choice((4, 8, 10, 14, 16, 18)),
            *draw.shuffled((28, 36, 40, 56, 72, 90, 110, 144, 160, 180, 225, 320))[:2],
        ),
        are_apart,
    )
    given = Text(
        "A decoder layer has scores $Z$ of its self-attention, of shape $[B, h, S_{\\text{dec}}, S_{\\text{dec}}]$, and $Y$ of its cross-attention, of shape $[B, h, S_{\\text{dec}}, S_{\\text{enc}}]$. The padding masks say which tokens are real: $m$, of shape $[B, S_{\\text{dec}}]$, in the decoder, and $e$, of shape $[B, S_{\\text{enc}}]$, in the encoder. The causal mask $c$ has the shape $[S_{\\text{dec}}, S_{\\text{dec}}]$. For $Z$, $m$ and $c$ are reshaped to $P$ and $C$, then combined into one mask $M$; for $Y$, $e$ is reshaped to $E$.",
        "解码器的一层里，self-attention 的分数 $Z$ 形状是 $[B, h, S_{\\text{dec}}, S_{\\text{dec}}]$，cross-attention 的分数 $Y$ 形状是 $[B, h, S_{\\text{dec}}, S_{\\text{enc}}]$。两个 padding mask 标出哪些 token 是真实的：$m$ 是解码器的，形状 $[B, S_{\\text{dec}}]$；$e$ 是编码器的，形状 $[B, S_{\\text{enc}}]$。causal mask $c$ 的形状是 $[S_{\\text{dec}}, S_{\\text{dec}}]$。对 $Z$，把 $m$、$c$ 分别变形为 $P$、$C$，再合成一个 mask $M$；对 $Y$，把 $e$ 变形为 $E$。",
    )
    inputs = (
        ("m", Shape((batch, queries))),
        ("c", Shape((queries, queries))),
        ("e", Shape((batch, keys))),
        ("Z", Shape((batch, heads, queries, queries))),
        ("Y", Shape((batch, heads, queries, keys))),
    )
    sizes = {"B": batch, "h": heads, "S_dec": queries, "S_enc": keys}
    return _mask_shapes(draw, given, inputs, (*_BOTH, call("E", "mask_view", "e", "Y")), sizes)


def _masks_of_groups(draw: Draw) -> Drawn:
    """Draw the masks of grouped queries, of which the newest are scored against a KV cache."""
    batch, heads, group, queries, cached = draw.until(
        lambda: (
            draw.choice((3, 5, 6, 7, 10, 12, 20, 24)),
            draw.choice((2, 4, 8, 10)),
            draw.choice((3, 4, 5, 6, 7, 8)),
            draw.choice((9, 15, 16, 18, 25, 30, 32, 40, 50)),
            draw.choice((45, 60, 64, 70, 80, 96, 125, 150, 200, 230)),
        ),
        lambda made: are_apart((*made[:4], made[3] + made[4])),
    )
    keys = queries + cached
    given = Text(
        "In grouped-query attention with a KV cache, $S_q$ new tokens are scored against all $S_k$ tokens. The scores $Z$ have the shape $[B, h_{\\text{kv}}, g, S_q, S_k]$: each of the $h_{\\text{kv}}$ KV heads serves a group of $g$ query heads. The padding mask $m$, of shape $[B, S_k]$, says which tokens are real; the causal mask $c$, of shape $[S_q, S_k]$, is the same for all sequences. They are reshaped to $P$ and $C$, then combined into one mask $M$.",
        "GQA 带 KV cache：$S_q$ 个新 token 对全部 $S_k$ 个 token 打分，分数 $Z$ 的形状是 $[B, h_{\\text{kv}}, g, S_q, S_k]$，其中 $h_{\\text{kv}}$ 个 KV head 各由一组 $g$ 个 query head 共用。padding mask $m$ 的形状是 $[B, S_k]$，标出哪些 token 是真实的；causal mask $c$ 的形状是 $[S_q, S_k]$，对所有序列都一样。两者分别变形为 $P$、$C$，再合成一个 mask $M$。",
    )
    inputs = (
        ("m", Shape((batch, keys))),
        ("c", Shape((queries, keys))),
        ("Z", Shape((batch, heads, group, queries, keys))),
    )
    sizes = {"B": batch, "h_kv": heads, "g": group, "S_q": queries, "S_k": keys}
    return _mask_shapes(draw, given, inputs, _BOTH, sizes)


# Padding and future ------------------------------------------------------------------------------------------------------


def _padded_causal(draw: Draw, level: int) -> Drawn:
    left = level != 2
    length = {1: 4, 2: 3, 3: 5}[level]
    padding = 1
    keep = tuple(int(position >= padding if left else position < length - padding) for position in range(length))
    calls = (call("P", "padding_mask", "Z", "m"), call("M", "causal_mask", "P"), call("A", "softmax", "M"))
    inputs = (("Z", scores_matrix(draw, length, length, level)), ("m", keep))
    given = Text(
        "$Z$ holds the scaled scores of a decoder's self-attention; $m$ marks real tokens (1) and padding (0). The causal mask lets token $i$ attend to tokens 1 to $i$, and the padding is masked too.",
        "$Z$ 是解码器 self-attention 缩放后的分数，$m$ 标出真实 token（1）和 padding（0）。causal mask 让第 $i$ 个 token 只能看第 1 到第 $i$ 个 token，padding 也要遮住。",
    )
    if left:
        row = length - 2
        ask = Ask(
            "A", AnswerFormat(Kind.VECTOR, decimals=DECIMALS[level], dimensions=(length,)), (row,), label=name_row("A", row)
        )
        asked = Text(
            "Compute row {row} of the weights $A$, to {n} decimals.", "求权重 $A$ 的第 {row} 行，保留 {n} 位小数。"
        ).fill(row=row + 1, n=DECIMALS[level])
    else:
        ask = Ask("A", AnswerFormat(Kind.MATRIX, decimals=DECIMALS[level], dimensions=(length, length)), label=name_node("A"))
        asked = Text(
            "Compute all rows of the weights $A$, those of padding queries too, to {n} decimals.",
            "求整个权重矩阵 $A$，padding 作为 query 的行也要算，保留 {n} 位小数。",
        ).fill(n=DECIMALS[level])
    return Drawn(given + asked, Program(inputs, calls, (ask,)))


DRILLS = (
    Drill(
        "padding-leak",
        "7.16",
        Text("Attention lost to padding", "padding 分走的注意力"),
        "0",
        (1, 2, 3),
        _padding_leak,
        hints=(
            Text("First work out the weights of the whole row.", "先求整行的权重。"),
            Text(
                "The padding's share is the sum of its exponentials over the sum of all of them.",
                "padding 所占的比例，是它们的指数之和除以全部指数之和。",
            ),
            Text(
                "Add up the exponentials of the scores where $m$ is 0, divide by the sum of all exponentials, and multiply by 100.",
                "把 $m$ 为 0 处的指数相加，除以所有指数之和，再乘 100。",
            ),
        ),
    ),
    Drill(
        "mask-shape",
        "7.16",
        Text("The shape of a mask that broadcasts", "能广播的 mask 形状"),
        "1",
        (1, 2, 3, 4),
        _mask_shape,
        hints=(
            Text(
                "Write the axes of the mask beneath those of the scores, from the last one on.",
                "从最后一维开始，把 mask 的各维与分数的各维对齐。",
            ),
            Text(
                "The last axis of the scores is the keys, the one before it the queries. Where the mask doesn't vary, the size is 1.",
                "分数的最后一维是 key，倒数第二维是 query。mask 在哪一维上处处相同，那一维的大小就是 1。",
            ),
            Text(
                "A padding mask keeps the batch axis and the key axis, a causal mask the last two. Combined, they keep all three.",
                "padding mask 保留 batch 维和 key 维，causal mask 保留最后两维；合起来三个都保留。",
            ),
        ),
    ),
    Drill(
        "padded-causal",
        "7.17",
        Text("Padding and causal mask together", "padding mask 加 causal mask"),
        "0",
        (1, 2, 3),
        _padded_causal,
        hints=(
            Text("A key counts only if both masks let it through.", "两个 mask 都放行的 key 才算数。"),
            Text(
                "In row $i$ the keys after $i$ are masked, and all padding keys, wherever they stand.",
                "第 $i$ 行里，$i$ 之后的 key 要遮，padding 的 key 不管在哪里都要遮。",
            ),
            Text(
                "Write the row, strike out what is masked, take the softmax of what is left, and put 0 for the rest.",
                "写下这一行，划掉被遮住的，对剩下的做 softmax，其余写 0。",
            ),
        ),
    ),
)
