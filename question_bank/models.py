"""Published models: the sizes that problems at level 4 are made of, each with its source."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from question_bank.text import Text


@dataclass(frozen=True, slots=True)
class Model:
    """The sizes of a published model.

    Attributes:
        name: Its name for people.
        kind: Which stacks of layers it has.
        layers: Layers of each stack.
        d_model: Width of the model.
        heads: Query heads of a layer.
        kv_heads: KV heads of a layer; as many as query heads without grouping.
        d_head: Width of a head.
        d_ff: Width inside the FFN.
        vocabulary: Tokens in the vocabulary.
        context: The longest sequence that it was made for.
        source: Where the sizes are published.
        ffn: ``relu`` (two matrices; GELU likewise) or ``swiglu`` (three).
        norm: ``layer`` (gain and bias) or ``rms`` (gain alone).
        biases: Which linear layers have biases: ``all``, ``none``, or ``qkv`` alone.
        positions: How positions enter: ``sinusoid``, ``learned`` (a table of ``context`` rows) or ``rope``.
        tied: Whether one matrix serves as embedding and as output layer.
        last_norm: Whether a norm follows the last layer.
    """

    name: str
    kind: Literal["encoder-decoder", "encoder", "decoder"]
    layers: int
    d_model: int
    heads: int
    kv_heads: int
    d_head: int
    d_ff: int
    vocabulary: int
    context: int
    source: str
    ffn: Literal["relu", "swiglu"] = "relu"
    norm: Literal["layer", "rms"] = "layer"
    biases: Literal["all", "none", "qkv"] = "all"
    positions: Literal["sinusoid", "learned", "rope"] = "learned"
    tied: bool = True
    last_norm: bool = True


_VASWANI = "Vaswani et al. 2017, arXiv:1706.03762, Table 3 and section 5.1 (shared vocabulary of about 37,000; sinusoids set no context, 512 stands in)"
_GPT2 = "Radford et al. 2019, Table 2; released as openai/gpt-2, hparams.json"


def _transformer(name: str, d_model: int, heads: int, d_ff: int) -> Model:
    return Model(
        name, "encoder-decoder", 6, d_model, heads, heads, 64, d_ff, 37_000, 512, _VASWANI,
        positions="sinusoid", last_norm=False,
    )  # fmt: skip


def _gpt2(name: str, layers: int, d_model: int, heads: int) -> Model:
    return Model(name, "decoder", layers, d_model, heads, heads, 64, 4 * d_model, 50_257, 1024, _GPT2)


def _llama(
    name: str, layers: int, d_model: int, heads: int, kv_heads: int, d_ff: int, vocabulary: int, context: int, source: str,
    biases: Literal["none", "qkv"] = "none",
) -> Model:  # fmt: skip
    return Model(
        name, "decoder", layers, d_model, heads, kv_heads, 128, d_ff, vocabulary, context, source,
        ffn="swiglu", norm="rms", biases=biases, positions="rope", tied=False,
    )  # fmt: skip


_LLAMA2 = "Touvron et al. 2023, arXiv:2307.09288, Table 1; meta-llama/Llama-2, params.json"
_LLAMA3 = "Llama Team 2024, arXiv:2407.21783, Table 3; meta-llama/Meta-Llama-3, config.json"
_MISTRAL = "Jiang et al. 2023, arXiv:2310.06825, Table 1"
_QWEN = "Qwen Team 2024, arXiv:2412.15115, Table 1; Qwen/Qwen2.5-7B, config.json"

TRANSFORMER_BASE = _transformer("Transformer base", 512, 8, 2048)
TRANSFORMER_BIG = _transformer("Transformer big", 1024, 16, 4096)
BERT_BASE = Model(
    "BERT-base", "encoder", 12, 768, 12, 12, 64, 3072, 30_522, 512,
    "Devlin et al. 2019, arXiv:1810.04805, section 3; google-research/bert, bert_config.json",
    last_norm=False,
)  # fmt: skip
GPT2_SMALL = _gpt2("GPT-2 small", 12, 768, 12)
GPT2_MEDIUM = _gpt2("GPT-2 medium", 24, 1024, 16)
GPT2_LARGE = _gpt2("GPT-2 large", 36, 1280, 20)
GPT2_XL = _gpt2("GPT-2 XL", 48, 1600, 25)
LLAMA2_7B = _llama("Llama-2 7B", 32, 4096, 32, 32, 11_008, 32_000, 4096, _LLAMA2)
LLAMA2_70B = _llama("Llama-2 70B", 80, 8192, 64, 8, 28_672, 32_000, 4096, _LLAMA2)
LLAMA3_8B = _llama("Llama-3 8B", 32, 4096, 32, 8, 14_336, 128_256, 8192, _LLAMA3)
LLAMA3_70B = _llama("Llama-3 70B", 80, 8192, 64, 8, 28_672, 128_256, 8192, _LLAMA3)
MISTRAL_7B = _llama("Mistral 7B", 32, 4096, 32, 8, 14_336, 32_000, 8192, _MISTRAL)
QWEN_7B = _llama("Qwen2.5 7B", 28, 3584, 28, 4, 18_944, 152_064, 131_072, _QWEN, biases="qkv")

MODELS = (
    TRANSFORMER_BASE, TRANSFORMER_BIG, BERT_BASE, GPT2_SMALL, GPT2_MEDIUM, GPT2_LARGE, GPT2_XL,
    LLAMA2_7B, LLAMA2_70B, LLAMA3_8B, LLAMA3_70B, MISTRAL_7B, QWEN_7B,
)  # fmt: skip
"""All of them. Drills draw from this order: what is added goes to the end, and no drill draws from the whole of it."""


def stack_of(model: Model) -> Text:
    """Name the stack of layers that is meant: a model's only one, or the encoder of a model that has two."""
    if model.kind == "encoder-decoder":
        return Text(f"the encoder of {model.name}", f"{model.name} 的编码器")
    return Text(model.name, f"{model.name} ")


_BIASES = {
    "all": Text("biases everywhere", "处处带偏置"),
    "none": Text("no biases", "不带偏置"),
    "qkv": Text("biases for $Q$, $K$ and $V$ alone", "只有 $Q$、$K$、$V$ 带偏置"),
}
_FFN_BIASES = Text("biases in the FFN", " FFN 带偏置")


def compare(
    model: Model, *, kv_heads: int | None = None, biases: str | None = None, attention: bool = False
) -> tuple[Text, Text]:
    """Name a model, or a variant of it where a problem's sizes aren't its own.

    Args:
        model: The model that the problem names.
        kv_heads: KV heads in the problem, if it has any.
        biases: Biases in the problem: ``yes``, ``no`` or ``qkv``, if they matter.
        attention: Whether the problem is about attention alone.

    Returns:
        Who the problem is about, and a sentence in parentheses on what the model itself has; empty where nothing differs.
    """
    facts: list[Text] = []
    if kv_heads is not None and kv_heads != model.kv_heads:
        facts.append(Text("{n} KV heads", "有 {n} 个 KV head").fill(n=model.kv_heads))
    if biases is not None and biases != {"all": "yes", "none": "no"}.get(model.biases, "qkv"):
        if model.positions != "sinusoid":
            facts.append(_BIASES[model.biases])
        elif not attention:  # the paper writes biases for the FFN, and says nothing of the projections
            facts.append(_FFN_BIASES)
    if not facts:
        return stack_of(model), Text("", "")
    variant = Text("a variant of {name}", "某个 {name} 变体")
    if model.kind == "encoder-decoder":
        variant = Text("the encoder of a variant of {name}", "某个 {name} 变体的编码器")
    return (
        variant.fill(name=model.name),
        Text(
            f" ({{name}} itself has {' and '.join(fact.en for fact in facts)}.)",
            f"（{{name}} 本身{'，'.join(fact.zh for fact in facts)}。）",
        ).fill(name=model.name),
    )


def begin(name: Text) -> Text:
    """Let a sentence begin with a name."""
    return Text(name.en[:1].upper() + name.en[1:], name.zh)
