"""A decoder as a language model (7.22): its loss, its passes, its logits."""

from __future__ import annotations

from functools import partial

from question_bank import models
from question_bank.drills.base import Draw, Drawn, Drill, Revised, are_apart, decimal, in_letters, log_of
from question_bank.program import AnswerFormat, Ask, Asked, Kind, Nested, Program, Shape, call
from question_bank.text import Text, same

IGNORED = -100
"""The target of a position that is ignored, as in PyTorch's ``ignore_index``."""

_LOSS = Text("the loss $L$", "损失 $L$ ")
_PERPLEXITY = Text("the perplexity $P$", "困惑度 $P$ ")


def _next_token_loss(draw: Draw, level: int) -> Drawn:
    tokens = 3
    if level == 1:
        positions = 2
        logits: Nested = tuple(
            tuple(log_of(number) for number in draw.shuffled((1, 2, 3, 4, 5, 6))[:tokens]) for _ in range(positions)
        )
    elif level == 2:
        positions = 3
        logits = tuple(tuple(draw.shuffled((-2, -1, 0, 1, 2, 3))[:tokens]) for _ in range(positions))
    else:
        positions = 4
        logits = tuple(tuple(decimal(10 * draw.integer(-20, 30)) for _ in range(tokens)) for _ in range(positions))
    targets: tuple[int, ...] = tuple(draw.integer(1, tokens) for _ in range(positions))
    if level == 2:
        ignored = draw.integer(0, positions - 1)
        targets = tuple(IGNORED if place == ignored else target for place, target in enumerate(targets))
    said = {
        1: Text(
            "Row $t$ of $Z$ holds the logits at position $t$, and $y$ the number of the right next token at each position; tokens are numbered from 1.",
            "$Z$ 的第 $t$ 行是位置 $t$ 的 logits，$y$ 是各位置正确的下一个 token 的编号，token 从 1 编起。",
        ),
        2: Text(
            "Row $t$ of $Z$ holds the logits at position $t$, and $y$ the number of the right next token at each position; tokens are numbered from 1, and a position with $-100$ is ignored.",
            "$Z$ 的第 $t$ 行是位置 $t$ 的 logits，$y$ 是各位置正确的下一个 token 的编号，token 从 1 编起，$-100$ 表示忽略该位置。",
        ),
        3: Text(
            "A decoder reads the tokens $y$ (numbers counted from 1); row $t$ of $Z$ holds its logits at position $t$, which predict the next token. What follows the last token is not given.",
            "解码器读入 token 序列 $y$（编号从 1 起），$Z$ 的第 $t$ 行是它在位置 $t$ 的 logits，用来预测下一个 token。最后一个 token 之后是什么，没有给出。",
        ),
    }[level]
    question = Text(
        "Give the mean cross-entropy $L$ (with $\\ln$) and the perplexity $P$, to 3 decimals.",
        "求平均交叉熵 $L$（用 $\\ln$）和困惑度 $P$，保留 3 位小数。",
    )
    loss = call("L", "cross_entropy", "Z", "y", first=1)
    form = AnswerFormat(Kind.NUMBER, decimals=3)
    return Drawn(
        said + question,
        Program(
            (("Z", logits), ("y", targets)),
            (loss.with_parameters(shift="yes") if level == 3 else loss, call("P", "perplexity", "L")),
            (Ask("L", form, label=_LOSS), Ask("P", form, label=_PERPLEXITY)),
        ),
    )


_COUNT = AnswerFormat(Kind.INTEGER, decimals=0)


def _forward_passes(draw: Draw, level: int, published: bool = True) -> Drawn:
    if level == 1:
        trained, prompt, new = draw.integer(4, 60), draw.integer(2, 30), draw.integer(2, 30)
        return Drawn(
            Text(
                "How many forward passes does a decoder need: $t$, to train once on a sequence of $S$ tokens with teacher forcing; $g$, to generate $n$ tokens one by one after a prompt of $P$ tokens? The pass over the prompt (prefill) counts, and it gives the first of the $n$.",
                "解码器需要几次前向传播：用 teacher forcing 在一条 $S$ 个 token 的序列上训练一次，需要 $t$ 次；在 $P$ 个 token 的 prompt 之后逐个生成 $n$ 个 token，需要 $g$ 次？处理 prompt 的那一次（prefill）也算，$n$ 个 token 里的第一个就由它给出。",
            ),
            Program(
                (("S", trained), ("P", prompt), ("n", new)),
                (call("t", "forward_passes", "S"), call("g", "forward_passes", "n", "P", when="generation")),
                (
                    Ask("t", _COUNT, label=Text("$t$, training", " $t$，训练")),
                    Ask("g", _COUNT, label=Text("$g$, generating", " $g$，生成")),
                ),
            ),
        )
    if level == 3:
        return _two_turns(draw)
    prompt, new = draw.choice((4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 50)), draw.integer(3, 24)
    who = Text("A decoder generates", "解码器")
    within = Text("", "")
    if level == 4 and published:
        model, prompt, new = _in_context(draw)
        who = Text("{name} generates", "{name} ").fill(name=model.name)
        within = (
            Text(" Prompt and answer fill its context of {c} tokens.", "连同 prompt，正好用满它的上下文（{c} 个 token）。")
            if prompt + new == model.context
            else Text(" Prompt and answer fit in its context of {c} tokens.", "它的上下文（{c} 个 token）放得下。")
        ).fill(c=model.context)
    elif level == 4:
        prompt = draw.choice((100, 128, 200, 256, 500, 512, 800, 1000, 1024, 2000, 2048, 4000, 4096, 8000, 8192))
        new = draw.choice((32, 50, 64, 100, 128, 150, 200, 250, 256, 300, 400, 500, 512, 800, 1000, 1024, 2000, 2048))
    return Drawn(
        Text(
            "{who} $n$ tokens one by one after a prompt of $P$ tokens; the pass over the prompt (prefill) gives the first of them.{within} How many token positions does it compute in all passes together: $c$ with a KV cache, $u$ without one, where every pass computes the whole sequence so far?",
            "{who}在 $P$ 个 token 的 prompt 之后逐个生成 $n$ 个 token，其中第一个由处理 prompt 的那一次前向（prefill）给出。{within}所有前向合起来一共计算了多少个 token 位置：有 KV cache 时是 $c$；没有 cache、每次都重算已有的整个序列时是 $u$？",
        ).fill(who=who, within=within),
        Program(
            (("P", prompt), ("n", new)),
            (
                call("c", "forward_passes", "n", "P", when="generation", of="positions"),
                call("u", "forward_passes", "n", "P", when="generation", of="positions", cache="no"),
            ),
            (
                Ask("c", _COUNT, label=Text("$c$, with a cache", " $c$，有 cache")),
                Ask("u", _COUNT, label=Text("$u$, without", " $u$，没有 cache")),
            ),
        ),
    )


def _in_context(draw: Draw) -> tuple[models.Model, int, int]:
    """Draw a published decoder, a prompt and new tokens; now and then they fill the model's context."""
    model = draw.choice(_MODELS)
    sizes = (
        50,
        64,
        80,
        100,
        120,
        128,
        150,
        160,
        200,
        240,
        250,
        256,
        300,
        320,
        384,
        400,
        450,
        500,
        512,
        600,
        700,
        800,
        900,
        1000,
    )
    more = (1024, 1200, 1500, 1800, 2000, 2048, 2500, 3000, 3500, 4000, 4096, 5000, 6000, 6500, 7000, 7500, 8000)
    prompt = draw.choice([size for size in (*sizes, *more) if size < model.context])
    if model.context <= 8192 and draw.integer(0, 2) == 0:
        return model, prompt, model.context - prompt
    return (
        model,
        prompt,
        draw.choice([size for size in (10, 16, 20, 24, 30, 32, *sizes, *more[:5]) if prompt + size <= model.context]),
    )


def _two_turns(draw: Draw) -> Drawn:
    """Draw a conversation of which the second turn begins with a prefill of all that was said."""
    prompt, new, more, last = draw.until(
        lambda: (draw.integer(24, 180), draw.integer(16, 90), draw.integer(12, 75), draw.integer(16, 90)), are_apart
    )
    return Drawn(
        Text(
            "A conversation of two turns. First, the prompt has $P$ tokens, and the decoder generates $n$ tokens one by one. Then the user writes $m$ tokens more. Everything up to there, the first answer included, is the prompt of the second turn, in which the decoder generates $k$ tokens. The KV cache is kept within a turn and thrown away between them; the pass over a prompt (prefill) gives the first token of an answer. How many token positions are computed in all passes of the first turn ($c_1$)? How many tokens has the prompt of the second turn ($Q$)? How many positions are computed in that turn with the cache ($c_2$), and how many without one, where every pass computes the whole sequence so far ($u_2$)?",
            "两轮对话。第一轮 prompt 有 $P$ 个 token，解码器逐个生成 $n$ 个 token。然后用户又写了 $m$ 个 token；到这里为止的全部内容（包括第一轮的回答）合起来就是第二轮的 prompt，解码器再逐个生成 $k$ 个 token。KV cache 只在一轮之内保留，两轮之间清空；每轮回答的第一个 token 由处理 prompt 的那一次前向（prefill）给出。第一轮所有前向一共计算多少个 token 位置（$c_1$）？第二轮的 prompt 有多少个 token（$Q$）？第二轮有 cache 时一共计算多少个位置（$c_2$）？如果没有 cache、每次都重算已有的整个序列，又是多少（$u_2$）？",
        ),
        Program(
            (("P", prompt), ("n", new), ("m", more), ("k", last)),
            (
                call("c_1", "forward_passes", "n", "P", when="generation", of="positions"),
                call("Q", "total", "P", "n", "m"),
                call("c_2", "forward_passes", "k", "Q", when="generation", of="positions"),
                call("u_2", "forward_passes", "k", "Q", when="generation", of="positions", cache="no"),
            ),
            (
                Ask("c_1", _COUNT, label=Text("$c_1$, first turn", " $c_1$，第一轮")),
                Ask("Q", _COUNT, label=Text("$Q$, second prompt", " $Q$，第二轮的 prompt")),
                Ask("c_2", _COUNT, label=Text("$c_2$, second turn", " $c_2$，第二轮")),
                Ask("u_2", _COUNT, label=Text("$u_2$, without a cache", " $u_2$，没有 cache")),
            ),
        ),
    )


_MODELS = (
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


def _logits_shape(draw: Draw, level: int) -> Drawn:
    if level == 3:
        return _last_stages(draw)
    name = Text("A decoder", "某个解码器")
    if level == 4:
        model = draw.choice(_MODELS)
        name = same(model.name)
        width, vocabulary = model.d_model, model.vocabulary
        length = draw.choice((128, 200, 256, 500, 512, 1000, 1024))
        batch = draw.choice((1, 2, 4, 8, 16, 32))
        if model.context > 1024:
            length *= draw.choice((1, 2, 4))
    elif level == 1:
        batch, length, width = draw.integer(2, 6), draw.integer(3, 12), draw.choice((4, 6, 8, 10, 16))
        vocabulary = draw.choice((20, 26, 30, 50, 100))
    else:
        batch, length, width, vocabulary = draw.until(
            lambda: (
                draw.choice((2, 4, 8, 16, 32, 64)),
                draw.choice((10, 24, 50, 64, 100, 128, 200, 256)),
                draw.choice((32, 48, 64, 96, 128, 256)),
                draw.choice((500, 1000, 5000, 8000, 10_000, 32_000)),
            ),
            are_apart,
        )
    shape = AnswerFormat(Kind.SHAPE)
    asks: tuple[Ask, ...] = (
        Ask("L", shape, (), Asked.SHAPE, Text("logits $L$, training", "logits $L$，训练时")),
        Ask("D", shape, (), Asked.SHAPE, Text("logits $D$, one decoding step", "logits $D$，解码一步")),
    )
    letters = Text("", "")
    if level == 2:
        asks = in_letters(draw, asks, {"B": batch, "S": length, "d_model": width, "V": vocabulary, "1": 1})
        named = next(ask.node for ask in asks if ask.format.kind is Kind.NAMED_SHAPE)
        letters = Text(
            "Write ${node}$ in letters ($B$, $S$, $d_{\\text{model}}$, $V$, or 1), the other in numbers.",
            "${node}$ 用字母（$B$、$S$、$d_{\\text{model}}$、$V$ 或 1）表示，另一个写数字。",
        ).fill(node=named)
    return Drawn(
        Text(
            "{name}: the last layer gives $H$ of shape $[B, S, d_{\\text{model}}]$, and the output matrix $W$, of shape $[d_{\\text{model}}, V]$, multiplies on the right. Give the shape of the logits: $L$ when it is trained on all positions of the batch, and $D$ in one decoding step with a KV cache, which processes the newest of the $S$ tokens alone (keep its axis).",
            "{name}：最后一层输出 $H$，形状 $[B, S, d_{\\text{model}}]$；输出矩阵 $W$ 形状为 $[d_{\\text{model}}, V]$，右乘。写出 logits 的形状：在整个 batch 的所有位置上训练时是 $L$；用 KV cache 解码一步、只处理 $S$ 个 token 中最新的一个时是 $D$（这一维保留）。",
        ).fill(name=name)
        + letters,
        Program(
            (("H", Shape((batch, length, width))), ("W", Shape((width, vocabulary)))),
            (call("L", "logits", "H", "W"), call("D", "logits", "H", "W", positions="last")),
            asks,
        ),
    )


def _last_stages(draw: Draw) -> Drawn:
    """Draw the shapes from the last layer's FFN to the logits, some of them in letters."""
    batch, length, width, times, vocabulary = draw.until(
        lambda: (
            draw.choice((3, 6, 12, 24, 48)),
            draw.choice((40, 75, 90, 150, 180, 300, 360)),
            draw.choice((80, 112, 160, 224, 288, 320, 448)),
            draw.choice((2, 3, 4)),
            draw.choice((1200, 2500, 6000, 12_000, 16_000, 24_000, 50_000)),
        ),
        lambda made: are_apart((*made[:3], made[2] * made[3], made[4])),
    )
    inner = times * width
    sizes = {"B": batch, "S": length, "d_model": width, "d_ff": inner, "V": vocabulary, "1": 1}
    shape = AnswerFormat(Kind.SHAPE)
    asks: tuple[Ask, ...] = (
        Ask("U", shape, (), Asked.SHAPE, Text("hidden layer $U$, training", "中间层 $U$，训练时")),
        Ask("H", shape, (), Asked.SHAPE, Text("output of the FFN $H$, training", "FFN 的输出 $H$，训练时")),
        Ask("L", shape, (), Asked.SHAPE, Text("logits $L$, training", "logits $L$，训练时")),
        Ask("D", shape, (), Asked.SHAPE, Text("logits $D$, one decoding step", "logits $D$，解码一步")),
    )
    asks = in_letters(draw, asks, sizes, 2)
    named = [f"${ask.node}$" for ask in asks if ask.format.kind is Kind.NAMED_SHAPE]
    return Drawn(
        Text(
            "The FFN of a decoder's last layer takes in $X$ of shape $[B, S, d_{\\text{model}}]$: $W_1$ widens it to $U$, of width $d_{\\text{ff}}$, an activation follows, and $W_2$ gives $H$. The output matrix $W$ turns $H$ into logits over a vocabulary of $V$ tokens. All matrices multiply on the right. Give the shapes of $U$, of $H$ and of the logits $L$ when it is trained on all positions of the batch, and of the logits $D$ in one decoding step with a KV cache, which processes the newest of the $S$ tokens alone (keep its axis). Write {en} in letters ($B$, $S$, $d_{\\text{model}}$, $d_{\\text{ff}}$, $V$, or 1), the other two in numbers.",
            "解码器最后一层的 FFN 输入 $X$，形状 $[B, S, d_{\\text{model}}]$：$W_1$ 把它扩宽成 $U$，宽 $d_{\\text{ff}}$，经过激活函数，再由 $W_2$ 得到 $H$。输出矩阵 $W$ 把 $H$ 变成词表（$V$ 个 token）上的 logits。所有矩阵都是右乘。写出在整个 batch 的所有位置上训练时 $U$、$H$ 和 logits $L$ 的形状，以及用 KV cache 解码一步、只处理 $S$ 个 token 中最新的一个时 logits $D$ 的形状（这一维保留）。{zh} 用字母（$B$、$S$、$d_{\\text{model}}$、$d_{\\text{ff}}$、$V$ 或 1）表示，另外两个写数字。",
        ).fill(en=" and ".join(named), zh="、".join(named)),
        Program(
            (("X", Shape((batch, length, width))), ("d_model", width), ("d_ff", inner), ("V", vocabulary)),
            (
                call("W_1", "weight", "d_model", "d_ff"),
                call("U", "project", "X", "W_1"),
                call("A", "activation", "U", kind="relu"),
                call("W_2", "weight", "d_ff", "d_model"),
                call("H", "project", "A", "W_2"),
                call("W", "weight", "d_model", "V"),
                call("L", "logits", "H", "W"),
                call("D", "logits", "H", "W", positions="last"),
            ),
            asks,
        ),
    )


DRILLS = (
    Drill(
        "next-token-loss",
        "7.22",
        Text("Loss and perplexity of the next token", "下一个 token 的损失与困惑度"),
        "0",
        (1, 2, 3),
        _next_token_loss,
        hints=(
            Text(
                "The loss of a position depends only on the probability of the right token.",
                "一个位置的损失只看正确 token 的概率。",
            ),
            Text(
                "It is $-\\ln$ of that probability, or the log of the sum of $e^z$ minus the token's own logit.",
                "它等于这个概率的 $-\\ln$，也等于各 $e^z$ 之和取对数，再减去该 token 的 logit。",
            ),
            Text(
                "Average over only the positions that have a target; each row of logits is compared with the token that comes next. The perplexity is $e^L$.",
                "只对有目标的位置取平均，每一行 logits 对的是下一个 token。困惑度是 $e^L$。",
            ),
        ),
    ),
    Drill(
        "forward-passes",
        "7.22",
        Text("Passes in training and in generation", "训练与生成的前向次数"),
        "0",
        (1, 2, 3, 4),
        _forward_passes,
        hints=(
            Text("In training the whole sequence is known, in generation it isn't.", "训练时整个序列已知，生成时不是。"),
            Text(
                "With a causal mask one pass predicts all positions; generation takes one pass for each new token, the first being the pass over the prompt.",
                "有 causal mask，一次前向就能预测所有位置；生成时每个新 token 要一次前向，其中第一次就是处理 prompt。",
            ),
            Text(
                "With a cache every pass after the first computes one position. Without it, $n$ passes after a prompt of $P$ compute $P, P + 1, \\ldots, P + n - 1$ positions.",
                "有 cache 时，第一次之后每次只算一个位置；没有 cache 时，prompt 长 $P$ 的 $n$ 次前向要算 $P, P + 1, \\ldots, P + n - 1$ 个位置。",
            ),
        ),
        revised=(Revised(4, "1", partial(_forward_passes, published=False)),),
    ),
    Drill(
        "logits-shape",
        "7.22",
        Text("Shape of the logits", "logits 的形状"),
        "1",
        (1, 2, 3, 4),
        _logits_shape,
        hints=(
            Text("A logit for each token that could come next.", "下一个 token 的每种可能，各有一个 logit。"),
            Text("$W$ replaces the width by the size of the vocabulary.", "乘上 $W$，宽度就换成了词表大小。"),
            Text(
                "In training all positions predict; in a decoding step with a cache one position does, for each sequence of the batch.",
                "训练时所有位置都预测；有 cache 的一步解码，batch 中每条序列只有一个位置预测。",
            ),
        ),
    ),
)
