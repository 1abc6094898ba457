"""Growth with the length, and the parameters of whole models: against torch's counts and the figures that are published."""

from __future__ import annotations

import re
from typing import Any

import pytest
import torch
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from question_bank import Language, models
from question_bank.exact import Expression
from question_bank.math import plain, to_unicode
from question_bank.models import MODELS, Model
from question_bank.program import AnswerFormat, Ask, Asked, Call, Kind, Nested, Program, Shape, call
from solvers import run
from solvers.mistakes import slips
from solvers.operations import OPERATIONS, growth, whole_models
from solvers.operations.base import symbol
from solvers.worked import work
from tests.solvers.one_call import asking, wrong
from tests.solvers.test_operations_counts import count, counting, mistakes

# Growth -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("of", "factor"),
    [("scores", 9), ("score-flops", 9), ("score-bytes", 9), ("cache", 3), ("projections", 3), ("ffn", 3)],
)
def test_three_times_the_length(of: str, factor: int) -> None:
    assert count("length_factor", 20, 60, of=of) == factor


def test_half_the_length() -> None:
    assert count("length_factor", 512, 256) == 0.25
    assert count("length_factor", 512, 256, of="cache") == 0.5
    assert count("length_factor", 1000, 1500) == 2.25


def test_wrong_factors() -> None:
    assert mistakes("length_factor", 20, 60) == {"linear": 3, "exponential": 8, "inverse": pytest.approx(1 / 9)}
    assert mistakes("length_factor", 20, 60, of="cache") == {"quadratic": 9, "inverse": pytest.approx(1 / 3)}
    for new in (40, 80, 30, 10):  # twice and four times: 2² = 4, 2⁴ = 4²; and nobody takes 2 to the power 1.5
        assert "exponential" not in mistakes("length_factor", 20, new)


def _layer(S: int, T: int, d: int, d_ff: int) -> Program:
    return Program(
        (("S", S), ("T", T), ("d", d), ("d_ff", d_ff)),
        (
            call("F_S", "layer_flops", "S", "d", "d_ff"),
            call("F_T", "layer_flops", "T", "d", "d_ff"),
            call("r", "growth", "F_T", "F_S"),
        ),
        (Ask("r", AnswerFormat(Kind.NUMBER, decimals=2)),),
    )


@pytest.mark.parametrize(("S", "factor"), [(64, 2.04), (1024, 2.5)])
def test_a_whole_layer_grows_between_the_two(S: int, factor: float) -> None:
    program = _layer(S, 2 * S, 512, 2048)
    assert run.answers(program)[0] == pytest.approx(factor, abs=0.005)
    line = program.lines["r"]
    wrong = {m.id: run.answers(e.program)[0] for m in growth.Growth.mistakes for e in m.edit(program, line, program.asks[0])}
    assert wrong == {
        "growth.all-quadratic": 4,
        "growth.all-linear": 2,
        "growth.inverse": pytest.approx(1 / run.answers(program)[0]),
    }


def test_the_lengths_alone_are_compared_only_where_they_are_known() -> None:
    assert mistakes("growth", 6, 2) == {"inverse": pytest.approx(1 / 3)}


@pytest.mark.parametrize(("d", "d_ff"), [(64, 256), (32, 96)])
def test_at_the_crossover_torch_counts_as_many_flops_on_either_side(d: int, d_ff: int) -> None:
    S = int(count("crossover", d, d_ff))
    x, heads = torch.empty(1, S, d, device="meta"), torch.empty(1, 2, S, d // 2, device="meta")
    wide, narrow, square = (nn.Linear(*sizes, device="meta") for sizes in ((d, d_ff), (d_ff, d), (d, d)))
    with FlopCounterMode(display=False) as pairs:
        _ = (heads @ heads.transpose(-2, -1)) @ heads
    with FlopCounterMode(display=False) as tokens:
        for _ in range(4):
            square(x)
        narrow(wide(x))
    assert pairs.get_total_flops() == tokens.get_total_flops() > 0


def test_where_the_quadratic_part_overtakes() -> None:
    assert count("crossover", 512) == 1024
    assert count("crossover", 512, 2048) == 6 * 512
    assert count("crossover", 4096, 11008, form="swiglu") == 8192 + 16512


def test_wrong_crossovers() -> None:
    assert mistakes("crossover", 8, 32, known={"h": 2}) == {
        "heads": 24, "no-ffn": 16, "bare": 8, "three-matrices": 64,
    }  # fmt: skip
    assert mistakes("crossover", 8, 32, form="swiglu") == {"no-ffn": 16, "bare": 8, "two-matrices": 48}
    assert mistakes("crossover", 8, known={"h": 4}) == {"heads": 4, "bare": 8}


# Whole models -------------------------------------------------------------------------------------------------------------


def _parameters(model: Model) -> int:
    """The parameters of a published model, by the operations."""
    inputs = {"V": model.vocabulary, "d": model.d_model, "P": model.context, "h": model.heads, "k": model.kv_heads}
    sizes: dict[str, Nested] = {**inputs, "w": model.d_head, "d_ff": model.d_ff, "N": model.layers}
    learned = ("P",) if model.positions == "learned" else ()
    stacks = "encoder-decoder" if model.kind == "encoder-decoder" else "one-stack"
    calls = (
        call("E", "embedding_parameters", "V", "d", *learned, tied="yes" if model.tied else "no"),
        call("A", "attention_parameters", "d", "h", "k", "w", biases={"all": "yes", "none": "no"}.get(model.biases, "qkv")),
        call("F", "ffn_parameters", "d", "d_ff", form=model.ffn, biases="yes" if model.biases == "all" else "no"),
        call(
            "M", "model_parameters", "E", "A", "F", "N", "d",
            kind=stacks, norm=model.norm, last="yes" if model.last_norm else "no",
        ),
    )  # fmt: skip
    program = Program(tuple(sizes.items()), calls, (Ask("M", AnswerFormat(Kind.INTEGER, decimals=0)),))
    return int(run.answers(program)[0])


PUBLISHED = {
    # Counted in the checkpoints that are distributed.
    models.GPT2_SMALL: 124_439_808,
    models.GPT2_MEDIUM: 354_823_168,
    models.GPT2_LARGE: 774_030_080,
    models.GPT2_XL: 1_557_611_200,
    models.LLAMA2_7B: 6_738_415_616,
    models.LLAMA2_70B: 68_976_648_192,
    models.LLAMA3_8B: 8_030_261_248,
    models.LLAMA3_70B: 70_553_706_496,
    models.MISTRAL_7B: 7_241_732_096,
    models.QWEN_7B: 7_615_616_512,
}


@pytest.mark.parametrize(("model", "parameters"), PUBLISHED.items(), ids=[model.name for model in PUBLISHED])
def test_published_models_have_as_many_parameters_as_published(model: Model, parameters: int) -> None:
    assert _parameters(model) == parameters


@pytest.mark.parametrize(("model", "millions"), [(models.TRANSFORMER_BASE, 65), (models.TRANSFORMER_BIG, 213)])
def test_the_first_transformer_has_about_as_many_as_its_paper_says(model: Model, millions: int) -> None:
    assert _parameters(model) == pytest.approx(millions * 1e6, rel=0.035)


def test_the_first_transformer_is_torchs() -> None:
    whole = nn.Transformer(64, 4, 3, 3, 128, batch_first=True, device="meta")
    held = sum(parameter.numel() for parameter in whole.parameters())
    small = Model("small", "encoder-decoder", 3, 64, 4, 4, 16, 128, 0, 0, "", positions="sinusoid")
    assert _parameters(small) == held  # torch's has a norm behind each stack


def test_the_table_of_models_hangs_together() -> None:
    assert len({model.name for model in MODELS}) == len(MODELS) == 13
    for model in MODELS:
        assert model.heads * model.d_head == model.d_model
        assert model.heads % model.kv_heads == 0
        assert model.source


def test_wrong_embeddings() -> None:
    assert mistakes("embedding_parameters", 100, 8, 16) == {"twice": 2 * 800 + 128, "no-positions": 800}
    assert mistakes("embedding_parameters", 100, 8, tied="no") == {"once": 800}


def test_wrong_models() -> None:
    assert count("model_parameters", 1000, 40, 60, 3, 5, last="yes") == 1000 + 3 * (40 + 60 + 20) + 10
    assert mistakes("model_parameters", 1000, 40, 60, 3, 5, last="yes") == {
        "no-norms": 1300, "no-last-norm": 1360, "one-layer": 1130, "no-embeddings": 370,
    }  # fmt: skip
    assert mistakes("model_parameters", 1000, 40, 60, 3, 5, kind="encoder-decoder", norm="rms") == {
        "no-norms": 1000 + 3 * 100 + 3 * 140,
        "one-layer": 1000 + 110 + 155,
        "no-embeddings": 3 * 110 + 3 * 155,
        "no-cross": 1000 + 3 * 110 + 3 * 110,
        "one-stack": 1000 + 3 * 110,
    }


# Edits of other operations --------------------------------------------------------------------------------------------------


def test_biases_of_queries_keys_and_values_alone() -> None:
    assert count("attention_parameters", 8, biases="qkv") == 4 * 64 + 3 * 8
    assert count("attention_parameters", 8, 4, 2, biases="qkv") == 2 * 64 + 2 * 32 + 8 + 8
    found = mistakes("attention_parameters", 8, biases="qkv")
    assert found["no-qkv-biases"] == 256
    assert found["output-bias"] == 288


def test_products_left_out_of_attention() -> None:
    assert mistakes("attention_flops", 5, 7, 16, part="attention")["one-product"] == 2 * 5 * 7 * 16
    assert mistakes("attention_flops", 5, 7, 16, part="projections")["no-output"] == 2 * 5 * 256 + 4 * 7 * 256
    assert "no-output" not in mistakes("attention_flops", 5, 7, 16)


def test_a_factor_goes_into_the_variance_squared() -> None:
    assert count("embedding_scale", 2, 16, of="variance") == 32
    assert mistakes("embedding_scale", 2, 16, of="variance") == {"divided": 0.125, "unsquared": 8, "not-scaled": 2}


def test_distances_counted_from_one() -> None:
    own = asking(call("B", "alibi", "z", "m"), 1, z=(4, 4, 4), m=1)
    assert wrong(own)["alibi.from-one"].tolist() == [1, 2, 3]
    earlier = asking(call("B", "alibi", "z", "m", "i"), 1, z=(4, 4, 4), m=1, i=2)
    assert wrong(earlier)["alibi.from-one"].tolist() == [2, 3, 4]


ROTATED = Program(
    (("Q", ((3, 1),)), ("K", ((1, 4),)), ("m", 1), ("n", 2), ("θ", (Expression("/", (Expression("pi"), 2)),))),
    (call("q", "rotate", "Q", "m", "θ"), call("k", "rotate", "K", "n", "θ"), call("S", "scores", "q", "k")),
    (Ask("S", AnswerFormat(Kind.NUMBER, decimals=0), (0, 0)),),
)


def test_one_of_two_rotations_left_out() -> None:
    """By quarter turns q becomes (−1, 3) and k (−1, −4); habits are kept at both rotations."""
    assert run.answers(ROTATED) == [pytest.approx(1 - 12)]
    turns = [slip for slip in slips(ROTATED, 0) if slip.mistake.startswith("rotate.")]
    found = {(slip.mistake, slip.node): run.answers(slip.program)[0] for slip in turns}
    assert found["rotate.forgotten", "k"] == found["rotate.forgotten", "q"] == 3 + 4
    assert found["rotate.left-out", "k"] == pytest.approx(-1 + 12)
    assert found["rotate.left-out", "q"] == pytest.approx(-3 - 4)
    assert found["rotate.degrees", "q"] == found["rotate.degrees", "k"]


def test_a_width_left_wide() -> None:
    program = Program(
        (("H", Shape((2, 3, 32))), ("d_model", 8), ("d_ff", 32)),
        (call("W_2", "weight", "d_ff", "d_model"), call("Y", "project", "H", "W_2")),
        (Ask("Y", AnswerFormat(Kind.SHAPE), (), Asked.SHAPE),),
    )
    found = {slip.mistake: run.answers(slip.program)[0] for slip in slips(program, 0) if slip.mistake == "project.left-wide"}
    assert found == {"project.left-wide": [2, 3, 32]}


@pytest.mark.parametrize(("name", "shown"), [("θ", "θ"), ("σ", "σ"), ("σ_x", "σ_x"), ("W_Q", "W_Q"), ("d_model", "d_model")])
def test_greek_names_are_written_as_formulas(name: str, shown: str) -> None:
    assert to_unicode(symbol(name)) == shown


# Written ------------------------------------------------------------------------------------------------------------------

WRITTEN = [
    (call("r", "length_factor", "S", "T"), "r = (T/S)²"),
    (call("r", "length_factor", "S", "T", of="cache"), "r = T/S"),
    (call("r", "growth", "T", "S"), "r = T/S"),
    (call("C", "crossover", "d"), "C = 2d"),
    (call("C", "crossover", "d", "w", form="swiglu"), "C = 2d + (3/2)w"),
    (call("E", "embedding_parameters", "T", "d", "S"), "E = Td + Sd"),
    (call("E", "embedding_parameters", "T", "d", tied="no"), "E = 2Td"),
    (call("M", "model_parameters", "T", "S", "w", "N", "d", last="yes"), "M = T + N·(S + w + 4d) + 2d"),
    (
        call("M", "model_parameters", "T", "S", "w", "N", "d", kind="encoder-decoder", norm="rms"),
        "M = T + N·(S + w + 2d) + N·(2S + w + 3d)",
    ),
]
NUMBERS: dict[str, Any] = {"S": 20, "T": 60, "d": 8, "w": 32, "N": 3}


@pytest.mark.parametrize(("line", "formula"), WRITTEN)
def test_formulas_and_lines(line: Call, formula: str) -> None:
    assert to_unicode(OPERATIONS[line.operation].formula(line)) == formula
    inputs = tuple((name, NUMBERS[name]) for name in dict.fromkeys(line.arguments))
    (step,) = work(Program(inputs, (line,), (Ask(line.node, AnswerFormat(Kind.NUMBER, decimals=3)),)))
    for text in (step.title, step.reason, *(one.explanation for one in step.substeps)):
        assert not re.search(r"[\u4e00-\u9fff]", text.en)
        for language in Language:
            assert not re.search(r"[{}$]", plain(text[language])), text
    for text in (step.title, step.reason):
        assert re.search(r"[\u4e00-\u9fff]", text.zh)


def test_every_operation_of_these_modules_is_here() -> None:
    modules = (growth, whole_models)
    assert {line.operation for line, _ in WRITTEN} == {one.name for module in modules for one in module.OPERATIONS}
    assert counting("growth", 1, 2).calls
