"""How the operations of training, counting and streaming are written: as a formula, and line by line in both languages."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from question_bank import Language
from question_bank.math import plain, to_unicode
from question_bank.program import AnswerFormat, Ask, Call, Kind, Nested, Program, call
from solvers.operations import (
    OPERATIONS,
    costs,
    counting,
    decoding,
    losses,
    parameters,
    paths,
    schedules,
    sharing,
    sizes,
    streaming,
    totals,
    training,
    triangles,
)
from solvers.worked import work

NUMBERS: dict[str, Nested] = {
    **{"f": Fraction(1, 2), "n": 8, "S": 6, "d": 16, "w": 40, "h": 4, "k": 2, "P": 3, "N": 2, "B": 2, "b": 4, "loss": 2},
    **{"step": 60, "early": 10, "T": 100, "top": 2, "low": Fraction(1, 10), "p": Fraction(1, 4)},
    **{
        "X": (3, 6),
        "keep": (0, 1),
        "y": (0, 1),
        "z": ((1, 2, 0), (0, 0, 3)),
        "t": (2, 1),
        "none": (-100, -100),
        "q": (Fraction(1, 4), Fraction(3, 4)),
    },
    **{"m_1": 2, "l_1": 1, "o_1": (1, 2), "m_2": 3, "l_2": 2, "o_2": (3, 0)},
}
BLOCKS = ("m_1", "l_1", "o_1", "m_2", "l_2", "o_2")

WRITTEN = [
    (call("g", "residual_gradient", "f", "n"), "g = (1 + f)ⁿ"),
    (call("g", "residual_gradient", "f", "n", path="plain"), "g = fⁿ"),
    (call("r", "noam_rate", "step", "d", "w"), "r = d^(−0.5)·min(step^(−0.5), step·w^(−1.5))"),
    (call("t", "noam_peak", "w"), "t = w"),
    (
        call("r", "cosine_rate", "step", "w", "T", "top", "low"),
        "r = (step/w)·top  (step < w),  r = low + (top − low)·(1 + cos(πx))/2,  x = (step − w)/(T − w)",
    ),
    (call("Y", "dropout", "X", "keep", "p"), "Y = (X ⊙ keep)/(1 − p)"),
    (call("Y", "dropout", "X", "keep", "p", mode="eval"), "Y = X"),
    (call("v", "dot_variance", "d"), "v = d"),
    (call("R", "row_statistics", "B", "h", "S"), "R = 2·B·h·S"),
    (call("v", "dot_variance", "d", of="deviation", scaled="d_k"), "v = √(d/d²)"),
    (call("v", "dot_variance", "d", scaled="root"), "v = d/(√d)²"),
    (call("L", "cross_entropy", "z", "t"), "L = −(1/n) ∑ₜ ln softmax(zₜ)_(tₜ)"),
    (call("L", "cross_entropy", "z", "t", shift="yes"), "L = −(1/n) ∑ₜ ln softmax(zₜ)_(tₜ₊₁)"),
    (call("P", "perplexity", "loss"), "P = e^loss"),
    (call("Y", "label_smoothing", "y", "p"), "Y = (1 − ε)y + ε/K"),
    (call("Y", "label_smoothing", "y", "p", over="others"), "Y = (1 − ε)y + (ε/(K − 1))(1 − y)"),
    (call("F", "attention_flops", "S", "n", "d"), "F = 2Snd"),
    (call("F", "attention_flops", "S", "n", "d", part="attention"), "F = 4Snd"),
    (call("F", "attention_flops", "S", "n", "d", part="projections"), "F = 4Sd² + 4nd²"),
    (call("F", "attention_flops", "S", "S", "d", part="all"), "F = 8Sd² + 4S²d"),
    (call("F", "layer_flops", "S", "d", "w", counted="multiply-adds"), "F = 4Sd² + 2S²d + 2Sdw"),
    (call("C", "kv_cache_bytes", "N", "k", "d", "S", "B", "b"), "C = 2·N·k·d·S·B·b"),
    (call("C", "score_elements", "B", "h", "S", "n"), "C = B·h·S·n"),
    (call("C", "score_bytes", "B", "h", "S", "n", "b"), "C = B·h·S·n·b"),
    (call("C", "score_bytes", "B", "h", "S", "n", "b", "N"), "C = B·h·S·n·b·N"),
    (call("C", "causal_count", "S", of="masked"), "C = S(S − 1)/2"),
    (call("C", "head_dimension", "d", "h"), "C = d/h"),
    (call("C", "head_dimension", "h", "n", of="d_model"), "C = h·n"),
    (call("C", "gqa_ratio", "h", "k"), "C = k/h"),
    (call("C", "gqa_ratio", "h", "k", of="parameters"), "C = (h + k)/(2h)"),
    (call("C", "total", "n", "h", "P"), "C = n + h + P"),
    (call("C", "decode_dot_products", "n"), "C = n"),
    (call("C", "decode_dot_products", "n", cache="no"), "C = n²"),
    (call("C", "decode_dot_products", "n", cache="no", mask="causal"), "C = n(n + 1)/2"),
    (call("C", "forward_passes", "n"), "C = 1"),
    (call("C", "forward_passes", "n", when="generation"), "C = n"),
    (call("C", "forward_passes", "n", when="generation", prefill="apart"), "C = n − 1"),
    (call("C", "forward_passes", "n", "P", when="generation", of="positions"), "C = P + n − 1"),
    (call("C", "forward_passes", "n", "P", when="generation", of="positions", cache="no"), "C = n·P + n(n − 1)/2"),
    (call("C", "attention_parameters", "d"), "C = 4d² + 4d"),
    (call("C", "attention_parameters", "d", "h", "k", "n", biases="no"), "C = 2d(h + k)·n"),
    (call("C", "attention_parameters", "d", "h", "k"), "C = 2d(h + k)·d/h + (h + 2k)·d/h + d"),
    (call("C", "ffn_parameters", "d", "w", form="swiglu"), "C = 3dw + 2w + d"),
    (call("C", "layer_parameters", "d", "w", "N", biases="no"), "C = N·(4d² + 2dw + 4d)"),
    (call("C", "layer_parameters", "d", "w", kind="decoder"), "C = 8d² + 8d + 2dw + w + d + 6d"),
    (call("o", "merge_blocks", *BLOCKS, of="m"), "o = max(m₁, m₂)"),
    (call("o", "merge_blocks", *BLOCKS, of="l"), "o = e^(m₁−m)l₁ + e^(m₂−m)l₂,  m = max(m₁, m₂)"),
    (call("o", "merge_blocks", *BLOCKS, of="o", output="sum"), "o = e^(m₁−m)o₁ + e^(m₂−m)o₂,  m = max(m₁, m₂)"),
    (
        call("o", "merge_blocks", *BLOCKS),
        "m = max(m₁, m₂),  l = e^(m₁−m)l₁ + e^(m₂−m)l₂,  o = (e^(m₁−m)l₁o₁ + e^(m₂−m)l₂o₂)/l",
    ),
    (call("J", "softmax_jacobian", "q"), "J = diag(q) − qqᵀ"),
    (call("C", "path_steps", "n"), "C = n"),
    (call("C", "path_steps", "n", kind="attention"), "C = 1"),
    (call("C", "path_steps", "n", "h", kind="cnn"), "C = ⌈n/(h − 1)⌉"),
    (call("C", "path_steps", "n", "h", kind="dilated", window="centred"), "C = ⌈log_h(2n + 1)⌉"),
    (call("C", "receptive_layers", "n", "h"), "C = ⌈(n − 1)/(h − 1)⌉"),
]


@pytest.mark.parametrize(("line", "formula"), WRITTEN)
def test_formulas(line: Call, formula: str) -> None:
    assert to_unicode(OPERATIONS[line.operation].formula(line)) == formula


WARMING = call("r", "cosine_rate", "early", "w", "T", "top", "low")
IGNORED = call("L", "cross_entropy", "z", "none")


@pytest.mark.parametrize("line", [*(line for line, _ in WRITTEN), WARMING, IGNORED])
def test_every_line_reads_in_both_languages(line: Call) -> None:
    kind = {"dropout": Kind.VECTOR, "label_smoothing": Kind.VECTOR, "softmax_jacobian": Kind.MATRIX}.get(
        line.operation, Kind.NUMBER
    )
    inputs = tuple((name, NUMBERS[name]) for name in dict.fromkeys(line.arguments))
    (step,) = work(Program(inputs, (line,), (Ask(line.node, AnswerFormat(kind, decimals=3)),)))
    assert step.substeps
    for text in (step.title, step.reason, *(one.explanation for one in step.substeps)):
        assert text.en
        assert not re.search(r"[\u4e00-\u9fff]", text.en)
        for language in Language:
            assert text[language] == text[language].strip()
            assert not re.search(r"[{}$]", plain(text[language])), text
    for text in (step.title, step.reason):
        assert re.search(r"[\u4e00-\u9fff]", text.zh)
        assert not re.search(r"[,;](?![^$]*\$(?:[^$]*\$[^$]*\$)*[^$]*$)", text.zh), "half-width punctuation"
    for one in step.substeps:
        assert not re.search(r"[A-Za-z]{8,}", one.cell), "a label is a symbol, the same in both languages"
    assert step.substeps[-1].result


def test_every_operation_of_these_modules_is_here() -> None:
    modules = (
        *(costs, counting, decoding, losses, parameters, paths),
        *(schedules, sharing, sizes, streaming, totals, training, triangles),
    )
    assert {line.operation for line, _ in WRITTEN} == {one.name for module in modules for one in module.OPERATIONS}
