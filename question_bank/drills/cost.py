"""What attention costs at inference (7.15)."""

from __future__ import annotations

from functools import partial

from question_bank import models
from question_bank.drills.base import Draw, Drawn, Drill, Revised, name_node
from question_bank.program import AnswerFormat, Ask, Kind, Nested, Program, call
from question_bank.text import Text, same

_MODELS = (
    models.LLAMA2_7B,
    models.LLAMA3_8B,
    models.MISTRAL_7B,
    models.LLAMA3_70B,
    models.GPT2_SMALL,
    models.GPT2_XL,
    models.QWEN_7B,
)


def _three_caches(draw: Draw) -> Drawn:
    """Draw a decoder whose cache shrinks twice: by fewer KV heads, then by a window; the width of a head is to be found."""

    def make() -> tuple[int, ...]:
        kv_heads = draw.choice((2, 3, 4, 5, 6, 8))
        return (
            draw.choice((14, 18, 20, 22, 26, 28, 30, 34, 36, 40, 44)),
            kv_heads * draw.choice((2, 3, 4, 5, 6)),
            kv_heads,
            draw.choice((40, 48, 56, 64, 72, 80, 96, 112, 120)),
            draw.choice((1200, 1500, 1800, 2400, 2500, 3000, 3600, 4800, 6000)),
            draw.choice((250, 384, 400, 512, 640, 750)),
            draw.choice((2, 3, 5, 6, 7, 9, 12, 20)),
            draw.choice((1, 2, 4)),
        )

    def is_even(made: tuple[int, ...]) -> bool:
        """Tell whether GiB that are taken for GB still have few enough decimals to be written."""
        layers, _, kv_heads, width, length, window, batch, size = made
        return all(2 * layers * kv_heads * width * tokens * batch * size % 2**9 == 0 for tokens in (length, window))

    layers, heads, kv_heads, width, length, window, batch, size = draw.until(make, is_even)
    inputs: tuple[tuple[str, Nested], ...] = (
        ("L", layers), ("d_model", heads * width), ("h", heads), ("h_kv", kv_heads), ("S", length), ("W", window), ("B", batch),
        ("b", size),
    )  # fmt: skip
    cached = {"C_1": ("h", "S"), "C_2": ("h_kv", "S"), "C_3": ("h_kv", "W")}
    return Drawn(
        Text(
            "A decoder has $L$ layers, with $h$ query heads that share out $d_{\\text{model}}$ evenly; KV heads are as wide as query heads. How wide is a head ($d_{\\text{head}}$)? How large is the KV cache for $S$ tokens in each of $B$ sequences, at $b$ bytes per number? $C_1$: every query head has keys and values of its own. $C_2$: the query heads share $h_{\\text{kv}}$ KV heads. $C_3$: as $C_2$, but each layer attends to a window and keeps the last $W$ tokens alone. Answer exactly, in bytes or with a unit: GiB is $2^{30}$ bytes, GB is $10^9$.",
            "某个解码器有 $L$ 层，每层 $h$ 个 query head 平分 $d_{\\text{model}}$，KV head 与 query head 一样宽。每个 head 有多宽（$d_{\\text{head}}$）？$B$ 条序列各有 $S$ 个 token，每个数占 $b$ 字节，KV cache 有多大？$C_1$：每个 query head 都有自己的 key 和 value。$C_2$：所有 query head 共用 $h_{\\text{kv}}$ 个 KV head。$C_3$：与 $C_2$ 相同，但各层只在滑动窗口内做注意力，只保留最近 $W$ 个 token。不要取近似，直接写字节数，或者带上单位：GiB 是 $2^{30}$ 字节，GB 是 $10^9$ 字节。",
        ),
        Program(
            inputs,
            (
                call("d_head", "head_dimension", "d_model", "h"),
                *(
                    call(node, "kv_cache_bytes", "L", kept, "d_head", tokens, "B", "b")
                    for node, (kept, tokens) in cached.items()
                ),
            ),
            (
                Ask("d_head", AnswerFormat(Kind.INTEGER, decimals=0), label=Text("$d_{\\text{head}}$", " $d_{\\text{head}}$ ")),
                *(Ask(node, AnswerFormat(Kind.BYTES), label=name_node(node)) for node in cached),
            ),
        ),
    )


_LENGTHS = (
    *(100, 200, 256, 300, 500, 512, 600, 700, 800, 1000, 1024, 1500, 2000, 2048, 2500, 3000, 4000, 4096, 5000, 6000),
    *(7000, 8000, 8192, 10_000, 16_384, 20_000, 32_768, 50_000, 65_536, 100_000, 131_072),
)


def _fits(model: models.Model, length: int) -> bool:
    """Tell whether a model's cache holds so many tokens, and whether there is something to count."""
    held = 4096 if model is models.MISTRAL_7B else model.context  # Mistral's cache keeps its window alone
    return length <= held and 100 * length >= model.context


def _kv_cache_bytes(draw: Draw, level: int, published: bool = True) -> Drawn:
    if level == 3:
        return _three_caches(draw)
    name = Text("A decoder", "某个解码器")
    if level == 4:
        model = draw.choice(_MODELS)
        layers, heads, kv_heads, width = model.layers, model.heads, model.kv_heads, model.d_head
        name = same(model.name)
        length, batch = (
            draw.choice((1000, 1024, 2000, 2048, 3000, 4096, 6000, 8000, 8192, 32768)),
            draw.choice((1, 3, 4, 5, 8, 10, 16)),
        )
        if published:
            length = draw.choice([size for size in _LENGTHS if _fits(model, size)])
        elif model.name.startswith("GPT-2"):
            length = draw.choice((100, 200, 256, 500, 512, 700, 1000, 1024))
        element = draw.choice((1, 2))
    elif level == 1:
        kv_heads = draw.choice((1, 2, 4))
        layers, heads, width = draw.choice((4, 6, 8)), kv_heads * draw.choice((2, 4)), draw.choice((4, 8, 10))
        length, batch, element = draw.choice((10, 20, 50, 100)), draw.choice((1, 3, 5)), draw.choice((2, 4))
    else:
        kv_heads = draw.choice((2, 4, 8))
        layers, heads, width = draw.choice((6, 12, 16, 24)), kv_heads * draw.choice((2, 4, 8)), draw.choice((32, 64, 80, 128))
        length, batch, element = (
            draw.choice((256, 500, 512, 1000, 1024, 2048)),
            draw.choice((1, 2, 4, 8)),
            draw.choice((1, 2, 4)),
        )
    inputs: tuple[tuple[str, Nested], ...] = (
        ("L", layers), ("h", heads), ("h_kv", kv_heads), ("d_head", width), ("S", length), ("B", batch), ("b", element),
    )  # fmt: skip
    return Drawn(
        Text(
            "{name}: $L$ layers, $h$ query heads sharing $h_{\\text{kv}}$ KV heads of width $d_{\\text{head}}$, $S$ tokens in each of $B$ sequences, $b$ bytes per number. How large is the KV cache? Answer exactly, in bytes or with a unit: GiB is $2^{30}$ bytes, GB is $10^9$.",
            "{name}：$L$ 层，$h$ 个 query head 共用 $h_{\\text{kv}}$ 个 KV head，每个 head 宽 $d_{\\text{head}}$，$B$ 条序列各有 $S$ 个 token，每个数占 $b$ 字节。KV cache 有多大？不要取近似，直接写字节数，或者带上单位：GiB 是 $2^{30}$ 字节，GB 是 $10^9$ 字节。",
        ).fill(name=name),
        Program(
            inputs,
            (call("C", "kv_cache_bytes", "L", "h_kv", "d_head", "S", "B", "b"),),
            (Ask("C", AnswerFormat(Kind.BYTES), label=name_node("C")),),
        ),
    )


DRILLS = (
    Drill(
        "kv-cache-bytes",
        "7.15",
        Text("Size of the KV cache in bytes", "KV cache 的字节数"),
        "0",
        (1, 2, 3, 4),
        _kv_cache_bytes,
        hints=(
            Text("Count the numbers first, then the bytes of each.", "先数有多少个数，再乘每个数的字节数。"),
            Text(
                "Both $K$ and $V$ are kept, in every layer, for every token of every sequence.",
                "$K$ 和 $V$ 都要存：每一层、每条序列、每个 token 都有。",
            ),
            Text(
                "The bytes are $2 L h_{\\text{kv}} d_{\\text{head}} S B b$; query heads count only where each has keys and values of its own. A window's length takes the place of $S$.",
                "字节数是 $2 L h_{\\text{kv}} d_{\\text{head}} S B b$，与 query head 的个数无关，除非每个 query head 都有自己的 key 和 value。只保留窗口时，用窗口长度代替 $S$。",
            ),
        ),
        revised=(Revised(4, "1", partial(_kv_cache_bytes, published=False)),),
    ),
)
