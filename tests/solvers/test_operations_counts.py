"""Counts by closed formulas, against real modules: FLOPs as torch counts them, parameters as modules hold them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn
from torch.nn import functional
from torch.utils.flop_counter import FlopCounterMode

from question_bank.program import AnswerFormat, Ask, Kind, Nested, Program, call
from solvers import run
from solvers.operations import OPERATIONS
from solvers.worked import work
from tests.solvers.one_call import asking, value, wrong


def counting(operation: str, *sizes: int, known: dict[str, Nested] | None = None, **parameters: Any) -> Program:
    """A program that counts; the arguments are named a, b, c, ... and may be joined by inputs that only mistakes use."""
    names = "abcdefg"[: len(sizes)]
    return asking(call("n", operation, *names, **parameters), 0, **dict(zip(names, sizes, strict=True)), **(known or {}))


def count(operation: str, *sizes: int, **parameters: Any) -> float:
    return float(value(counting(operation, *sizes, **parameters)))


def mistakes(operation: str, *sizes: int, known: dict[str, Nested] | None = None, **parameters: Any) -> dict[str, float]:
    found = wrong(counting(operation, *sizes, known=known, **parameters))
    return {name.partition(".")[2]: float(result) for name, result in found.items()}


# FLOPs --------------------------------------------------------------------------------------------------------------------


def _flops(compute: Callable[[], object]) -> int:
    with FlopCounterMode(display=False) as counter:
        compute()
    return int(counter.get_total_flops())


def _meta(*shape: int) -> torch.Tensor:
    return torch.empty(shape, device="meta")


@pytest.mark.parametrize(("S_q", "S_k", "d", "h"), [(5, 7, 16, 4), (128, 128, 512, 8), (1, 300, 64, 2)])
def test_flops_of_attention_are_those_that_torch_counts(S_q: int, S_k: int, d: int, h: int) -> None:
    Q, K, A = _meta(1, h, S_q, d // h), _meta(1, h, S_k, d // h), _meta(1, h, S_q, S_k)
    linear = nn.Linear(d, d, device="meta")
    x, memory = _meta(1, S_q, d), _meta(1, S_k, d)
    scores = _flops(lambda: Q @ K.transpose(-2, -1))
    mix = _flops(lambda: A @ K)
    projections = _flops(lambda: [linear(given) for given in (x, memory, memory, x)])
    parts = {"scores": scores, "mix": mix, "attention": scores + mix, "projections": projections}
    for part, expected in {**parts, "all": scores + mix + projections}.items():
        assert count("attention_flops", S_q, S_k, d, part=part) == expected > 0
        assert count("attention_flops", S_q, S_k, d, part=part, counted="multiply-adds") * 2 == expected


def test_a_causal_mask_halves_nothing() -> None:
    Q = _meta(1, 2, 10, 8)
    whole = _flops(lambda: functional.scaled_dot_product_attention(Q, Q, Q))
    causal = _flops(lambda: functional.scaled_dot_product_attention(Q, Q, Q, is_causal=True))
    assert whole == causal == count("attention_flops", 10, 10, 16, part="attention")


@pytest.mark.parametrize(("S", "d", "d_ff"), [(10, 32, 128), (64, 512, 2048), (200, 64, 96)])
def test_flops_of_a_layer_are_those_of_torchs_encoder_layer(S: int, d: int, d_ff: int) -> None:
    layer = nn.TransformerEncoderLayer(d, 4, d_ff, batch_first=True, device="meta")
    assert count("layer_flops", S, d, d_ff) == _flops(lambda: layer(_meta(1, S, d)))
    gate = nn.Linear(d, d_ff, device="meta")
    assert count("layer_flops", S, d, d_ff, form="swiglu") == count("layer_flops", S, d, d_ff) + _flops(
        lambda: gate(_meta(1, S, d))
    )


@pytest.mark.parametrize(("S", "factor"), [(64, 2.0408), (1024, 2.5)])
def test_twice_the_length_is_not_four_times_the_flops(S: int, factor: float) -> None:
    assert count("layer_flops", 2 * S, 512, 2048) / count("layer_flops", S, 512, 2048) == pytest.approx(factor, abs=5e-5)


def test_wrong_flops() -> None:
    known: dict[str, Nested] = {"h": 4}
    # Projections: 2·16² for each of 5 queries and 7 keys, twice over (W_Q and W_O, W_K and W_V); the layer adds 2240.
    assert mistakes("attention_flops", 5, 7, 16, known=known) == {
        "factor-2": 560,
        "heads-twice": 4480,
        "projections": 12288,
        "whole-layer": 14528,
    }
    assert mistakes("attention_flops", 5, 7, 16, counted="multiply-adds") == {
        "twice": 1120,
        "projections": 6144,
        "whole-layer": 7264,
    }
    assert mistakes("layer_flops", 2, 3, 5, known=known) == {
        "factor-2": 4 * 2 * 9 + 2 * 4 * 3 + 2 * 2 * 15,
        "heads-twice": 8 * 2 * 9 + 4 * 4 * 4 * 3 + 4 * 2 * 15,
    }


# Decoding -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n", "parameters", "expected"),
    [
        (100, {"cache": "yes"}, 100),
        (100, {"cache": "no"}, 10000),
        (100, {"cache": "no", "mask": "causal"}, 5050),
        (1, {"cache": "no"}, 1),
    ],
)
def test_dot_products_for_the_next_token(n: int, parameters: dict[str, str], expected: int) -> None:
    assert count("decode_dot_products", n, **parameters) == expected


def test_wrong_dot_products() -> None:
    assert mistakes("decode_dot_products", 10) == {"no-cache": 100, "short": 9}
    assert mistakes("decode_dot_products", 10, cache="no") == {"cache": 10, "short": 90, "causal": 55}
    assert mistakes("decode_dot_products", 10, cache="no", mask="causal") == {"cache": 10, "short": 45, "whole": 100}


def test_dot_products_in_all_heads_of_all_layers() -> None:
    assert count("decode_dot_products", 100, 8) == 800
    assert count("decode_dot_products", 100, 8, 6) == 4800
    assert count("decode_dot_products", 10, 8, 6, cache="no", mask="causal") == 48 * 55
    assert mistakes("decode_dot_products", 10, 8, 6) == {"no-cache": 4800, "short": 432, "one-head": 60, "one-layer": 80}
    assert mistakes("decode_dot_products", 10, 1, 6) == {"no-cache": 600, "short": 54, "one-layer": 10}
    assert mistakes("decode_dot_products", 10, 8, known={"h_kv": 2})["kv-heads"] == 20
    assert "kv-heads" not in mistakes("decode_dot_products", 10, 8, known={"h_kv": 8})


@pytest.mark.parametrize(
    ("sizes", "parameters", "expected"),
    [
        ((50,), {"when": "training"}, 1),
        ((50,), {"when": "generation"}, 50),
        ((50,), {"when": "generation", "prefill": "apart"}, 49),
        ((50, 8), {"when": "generation"}, 50),
        ((50,), {"when": "training", "of": "positions"}, 50),
        ((3, 5), {"when": "generation", "of": "positions"}, 7),
        ((3, 5), {"when": "generation", "of": "positions", "cache": "no"}, 5 + 6 + 7),
        ((3,), {"when": "generation", "of": "positions", "cache": "no"}, 1 + 2 + 3),
        ((3,), {"when": "generation", "of": "positions"}, 3),
    ],
)
def test_passes_and_positions(sizes: tuple[int, ...], parameters: dict[str, str], expected: int) -> None:
    assert count("forward_passes", *sizes, **parameters) == expected


def test_wrong_passes() -> None:
    assert mistakes("forward_passes", 50) == {"generation": 50}
    assert mistakes("forward_passes", 50, when="generation") == {"training": 1, "prefill-on-top": 51}
    assert mistakes("forward_passes", 1, when="generation") == {"prefill-on-top": 2}
    assert mistakes("forward_passes", 3, 5, when="generation", of="positions") == {"no-cache": 18, "prefill-on-top": 8}
    assert mistakes("forward_passes", 3, 5, when="generation", of="positions", cache="no") == {
        "cache": 7,
        "prefill-on-top": 26,
    }


# Sizes --------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16, torch.float8_e4m3fn, torch.float64])
def test_the_scores_and_their_bytes(dtype: torch.dtype) -> None:
    S = torch.empty(2, 12, 5, 9, dtype=dtype, device="meta")
    assert count("score_elements", *S.shape) == S.numel()
    assert count("score_bytes", *S.shape, S.element_size()) == S.numel() * S.element_size()


def test_wrong_sizes() -> None:
    assert mistakes("score_elements", 2, 3, 5, 7) == {"one-head": 70, "one-sequence": 105, "rows": 30}
    assert mistakes("score_elements", 1, 1, 5, 7) == {"rows": 5}
    found = mistakes("score_bytes", 2, 3, 5, 7, 2)
    assert {name: found[name] for name in ("one-head", "one-sequence", "bits", "element-size")} == {
        "one-head": 140,
        "one-sequence": 210,
        "bits": 3360,
        "element-size": 840,
    }
    assert "decimal-unit" in found
    assert "one-layer" not in found
    assert mistakes("score_bytes", 2, 3, 5, 7, 4)["element-size"] == 420
    assert count("score_bytes", 2, 3, 5, 7, 2, 6) == 6 * 420
    assert mistakes("score_bytes", 2, 3, 5, 7, 2, 6)["one-layer"] == 420
    assert "one-layer" not in mistakes("score_bytes", 2, 3, 5, 7, 2, 1)
    assert "element-size" not in mistakes("score_bytes", 2, 3, 5, 7, 1)


@pytest.mark.parametrize("S", [1, 2, 5, 8, 1024])
def test_cells_under_a_causal_mask(S: int) -> None:
    kept = torch.ones(S, S).tril().sum()
    assert count("causal_count", S) == kept
    assert count("causal_count", S, of="masked") == S * S - kept
    assert mistakes("causal_count", S) == {"diagonal": S * S - kept, "whole": S * S}
    assert mistakes("causal_count", S, of="masked") == {"diagonal": kept, "whole": S * S}


@pytest.mark.parametrize(("S_q", "S_k"), [(1, 5), (3, 5), (4, 4), (128, 1000)])
def test_cells_behind_a_cache(S_q: int, S_k: int) -> None:
    kept = torch.ones(S_q, S_k).tril(S_k - S_q).sum()
    assert count("causal_count", S_q, S_k) == kept
    assert count("causal_count", S_q, S_k, of="masked") == S_q * S_k - kept
    strict, left = (torch.ones(S_q, S_k).tril(offset).sum() for offset in (S_k - S_q - 1, 0))
    found = {"diagonal": strict, "whole": S_q * S_k, "other": S_q * S_k - kept, "aligned-left": left}
    assert mistakes("causal_count", S_q, S_k) == found
    masked = {"diagonal": S_q * S_k - strict, "whole": S_q * S_k, "kept": kept, "aligned-left": S_q * S_k - left}
    assert mistakes("causal_count", S_q, S_k, of="masked") == masked


def test_what_a_fused_kernel_keeps() -> None:
    """Of a score matrix [2, 3, 5, 5] its maximum and its sum over the keys, or its log-sum-exp."""
    S = torch.empty(2, 3, 5, 5)
    assert count("row_statistics", 2, 3, 5) == S.amax(-1).numel() + S.sum(-1).numel() == 60
    assert count("row_statistics", 2, 3, 5, each=1) == S.logsumexp(-1).numel() == 30
    both = {"whole-matrix": 150, "one-head": 20, "one-sequence": 30, "one-of-two": 30}
    assert mistakes("row_statistics", 2, 3, 5) == both
    assert mistakes("row_statistics", 1, 1, 5, each=1) == {"whole-matrix": 25, "two-for-one": 10}


def test_the_width_of_a_head() -> None:
    assert count("head_dimension", 512, 8) == nn.MultiheadAttention(512, 8, device="meta").head_dim
    assert count("head_dimension", 768, 64, of="h") == 12
    assert count("head_dimension", 12, 64, of="d_model") == 768
    assert mistakes("head_dimension", 512, 8) == {"undivided": 512, "multiplied": 4096, "fused": 192}
    assert mistakes("head_dimension", 768, 64, of="h") == {"multiplied": 49152, "fused": 36}
    assert mistakes("head_dimension", 12, 64, of="d_model") == {"one-head": 64, "fused": 2304}
    grouped = mistakes("head_dimension", 4, 64, of="d_model", known={"h": 12})
    assert grouped == {"query-heads": 768, "one-head": 64, "fused": 768}
    of_keys = mistakes("head_dimension", 240, 4, known={"h": 12})
    assert of_keys == {"undivided": 240, "query-heads": 20, "multiplied": 960, "fused": 180}
    with pytest.raises(run.RunError, match="head_dimension"):
        run.values(counting("head_dimension", 512, 7))


@pytest.mark.parametrize("typed", [0, 2.5, math.inf, math.nan])
def test_a_width_that_a_person_mistyped_breaks_nothing(typed: float) -> None:
    """A later part is followed from what was typed for an earlier one, whatever that is."""
    program = Program(
        (("d", 512), ("h", 8), ("S", 5)),
        (
            call("heads", "same", "h"),
            call("w", "head_dimension", "d", "heads"),
            call("n", "path_steps", "S", "heads", kind="cnn"),
        ),
        (Ask("w", AnswerFormat(Kind.INTEGER)), Ask("n", AnswerFormat(Kind.INTEGER))),
    )
    with pytest.raises(run.RunError, match="head_dimension"):
        run.values(program, {("heads", ()): typed})
    (only_steps,) = run.answers(program.with_asks(program.asks[1]), {("heads", ()): 4.0})
    assert only_steps == 2


def test_what_sharing_heads_saves() -> None:
    """32 query heads and 8 KV heads: a quarter of the cache, five eighths of the parameters."""
    assert count("gqa_ratio", 32, 8) == 0.25
    assert count("gqa_ratio", 32, 8, of="parameters") == 0.625
    assert count("gqa_ratio", 12, 12) == count("gqa_ratio", 12, 12, of="parameters") == 1
    for d_model in (4096, 256):
        shared, whole = (count("attention_parameters", d_model, 32, kv, biases="no") for kv in (8, 32))
        assert shared / whole == 0.625
    assert mistakes("gqa_ratio", 32, 8) == {"inverse": 4, "saved": 0.75, "parameters": 0.625}
    assert mistakes("gqa_ratio", 32, 8, of="parameters") == {"inverse": 1.6, "saved": 0.375, "cache": 0.25}
    assert "saved" not in mistakes("gqa_ratio", 16, 8), "half is saved, and half is left"
    assert mistakes("gqa_ratio", 12, 12) == {}


# Parameters ---------------------------------------------------------------------------------------------------------------


def _held(*modules: nn.Module) -> int:
    return sum(parameter.numel() for module in modules for parameter in module.parameters())


@pytest.mark.parametrize("biases", [True, False])
@pytest.mark.parametrize(("d", "h"), [(512, 8), (768, 12)])
def test_parameters_of_attention_are_those_of_the_module(d: int, h: int, biases: bool) -> None:
    held = _held(nn.MultiheadAttention(d, h, bias=biases, device="meta"))
    said = "yes" if biases else "no"
    assert count("attention_parameters", d, biases=said) == held
    assert count("attention_parameters", d, h, h, biases=said) == held


@pytest.mark.parametrize("biases", [True, False])
@pytest.mark.parametrize(
    ("d", "h", "h_kv", "d_head"), [(4096, 32, 8, None), (64, 8, 1, None), (64, 4, 2, 64), (1024, 16, 8, 128)]
)
def test_parameters_of_shared_or_unshrunk_heads(d: int, h: int, h_kv: int, d_head: int | None, biases: bool) -> None:
    width = d // h if d_head is None else d_head
    sizes = [(d, h * width), (d, h_kv * width), (d, h_kv * width), (h * width, d)]
    held = _held(*(nn.Linear(*size, bias=biases, device="meta") for size in sizes))
    given = (d, h, h_kv) if d_head is None else (d, h, h_kv, d_head)
    assert count("attention_parameters", *given, biases="yes" if biases else "no") == held


def test_parameters_of_llama_3_8b() -> None:
    """q_proj and o_proj 4096 × 4096, k_proj and v_proj 4096 × 1024; three FFN matrices of 4096 × 14336."""
    assert count("attention_parameters", 4096, 32, 8, biases="no") == 41_943_040
    assert count("ffn_parameters", 4096, 14336, form="swiglu", biases="no") == 176_160_768


def test_heads_must_share_the_width_evenly() -> None:
    with pytest.raises(run.RunError, match="attention_parameters"):
        run.values(counting("attention_parameters", 512, 7, 7))


@pytest.mark.parametrize("biases", [True, False])
def test_parameters_of_the_ffn(biases: bool) -> None:
    up, down = (nn.Linear(*size, bias=biases, device="meta") for size in ((32, 80), (80, 32)))
    said = "yes" if biases else "no"
    assert count("ffn_parameters", 32, 80, biases=said) == _held(up, down)
    assert count("ffn_parameters", 32, 80, form="swiglu", biases=said) == _held(up, up, down)


@pytest.mark.parametrize("biases", [True, False])
@pytest.mark.parametrize(("kind", "module"), [("encoder", nn.TransformerEncoderLayer), ("decoder", nn.TransformerDecoderLayer)])
def test_parameters_of_a_layer_are_those_of_the_module(kind: str, module: Any, biases: bool) -> None:
    held = _held(module(64, 4, 256, bias=biases, device="meta"))
    parameters = {"kind": kind} if biases else {"kind": kind, "biases": "no", "norm": "rms"}
    assert count("layer_parameters", 64, 256, **parameters) == held
    assert count("layer_parameters", 64, 256, 6, **parameters) == 6 * held


def test_parameters_of_published_layers() -> None:
    """BERT-base has 12 layers of 7,087,872; the base Transformer's decoder layers have 4,204,032."""
    assert count("layer_parameters", 768, 3072, 12) == 12 * 7_087_872
    assert count("layer_parameters", 512, 2048, kind="decoder") == 4_204_032
    gated = count("layer_parameters", 64, 96, form="swiglu", biases="no", norm="rms")
    assert gated == 4 * 64**2 + 3 * 64 * 96 + 2 * 64


def test_wrong_parameters() -> None:
    known: dict[str, Nested] = {"h": 2}
    assert mistakes("attention_parameters", 8, known=known) == {
        "no-output": 3 * 72,
        "times-heads": 8 * 72,
        "no-biases": 256,
    }
    assert "times-heads" not in mistakes("attention_parameters", 8, 2, 2, 8, known=known), "such heads don't share the width"
    assert mistakes("attention_parameters", 8, biases="no") == {"no-output": 192, "biases": 288}
    assert mistakes("attention_parameters", 8, 2, 2, 8, biases="no") == {
        "no-output": 6 * 64,
        "shared": 4 * 64,
        "narrow-output": 7 * 64,
        "biases": 8 * 64 + 3 * 16 + 8,
    }
    assert mistakes("attention_parameters", 8, 4, 2, biases="no") == {"no-output": 128, "query-heads": 256, "biases": 216}
    assert mistakes("attention_parameters", 8, 4, 2, 3, biases="no") == {
        "no-output": 2 * 8 * 6 + 8 * 12, "query-heads": 4 * 8 * 12, "narrow-output": 8 * 12 + 2 * 8 * 6 + 64,
        "head-width": 2 * 8 * 6 * 2, "biases": 2 * 8 * 6 * 3 + 12 + 2 * 6 + 8,
    }  # fmt: skip
    assert mistakes("ffn_parameters", 8, 32, form="swiglu", biases="no") == {"two-matrices": 512, "biases": 840}
    assert mistakes("ffn_parameters", 8, 32) == {"three-matrices": 840, "no-biases": 512}
    assert mistakes("ffn_parameters", 8, 32, 3) == {"three-matrices": 2520, "no-biases": 1536, "one-layer": 552}
    whole = 8 * 72 + 2 * 256 + 40 + 3 * 16
    assert count("layer_parameters", 8, 32, 5, kind="decoder") == 5 * whole
    assert mistakes("layer_parameters", 8, 32, 5, kind="decoder") == {
        "no-biases": 5 * (8 * 64 + 2 * 256 + 3 * 16),
        "no-norms": 5 * (whole - 48),
        "no-output": 5 * (whole - 2 * 72),
        "encoder": 5 * (whole - 4 * 72 - 16),
        "one-layer": whole,
    }
    assert "one-layer" not in mistakes("layer_parameters", 8, 32)
    assert "one-layer" not in mistakes("layer_parameters", 8, 32, 1)


def test_bits_are_named_unless_the_query_heads_give_as_many() -> None:
    sizes = (3, 2, 8, 10, 5, 2)
    assert count("kv_cache_bytes", *sizes) == 9600
    assert mistakes("kv_cache_bytes", *sizes, known={"h": 4})["bits"] == 8 * 9600
    found = mistakes("kv_cache_bytes", *sizes, known={"h": 16})
    assert "bits" not in found
    assert found["query-heads"] == 8 * 9600


def test_parts_are_added_up_and_one_that_is_left_out_is_named() -> None:
    program = counting("total", 20, 3, 100)
    assert float(value(program)) == 123
    left_out = OPERATIONS["total"].mistakes[0].edit(program, program.calls[0], program.asks[0])
    assert [(dict(one.fills)["meant"], float(value(one.program))) for one in left_out] == [("a", 103), ("b", 120), ("c", 23)]


# How it is written --------------------------------------------------------------------------------------------------------


def test_the_numbers_are_put_in() -> None:
    (step,) = work(counting("attention_parameters", 4096, 32, 8, biases="no"))
    assert [(line.cell, line.expression, line.result) for line in step.substeps] == [
        ("d_head", "4096 / 32", "128"),
        ("W_Q", "4096 × 32 × 128", "16777216"),
        ("W_K, W_V", "2 × 4096 × 8 × 128", "8388608"),
        ("W_O", "32 × 128 × 4096", "16777216"),
        ("n", "16777216 + 8388608 + 16777216", "41943040"),
    ]


ARGUMENTS = {
    **{"attention_flops": 3, "layer_flops": 3, "decode_dot_products": 1, "forward_passes": 2},
    **{"score_elements": 4, "score_bytes": 5, "causal_count": 1, "row_statistics": 3, "head_dimension": 2, "gqa_ratio": 2},
    **{"attention_parameters": 3, "ffn_parameters": 2, "layer_parameters": 3, "total": 3},
}


@pytest.mark.parametrize("name", ARGUMENTS)
def test_without_values_there_is_one_number(name: str) -> None:
    found = OPERATIONS[name].torch(*(_meta() for _ in range(ARGUMENTS[name])))
    assert found.is_meta
    assert found.shape == ()
