"""Programs over a person's own numbers: what builds, what is refused and how it is said."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

import pytest

from question_bank import Language
from question_bank.exact import INFINITY, MINUS_INFINITY, Expression
from question_bank.math import plain
from question_bank.own_numbers import SIZES, TEMPLATES, FieldKind, OwnNumbersError, Template, build, build_shapes
from question_bank.program import Asked, Kind, Nested, Shape

HALF = Fraction(1, 2)
ROOT = Expression("sqrt", (2,))

EXAMPLES: dict[str, dict[str, Nested]] = {
    "attention": {"q": ((1, 0), (1, 1), (2, 1)), "k": ((0, 1), (1, 0), (1, 1)), "v": ((1, 0), (0, 1), (1, 1))},
    "softmax": {"s": (0, 1, 1)},
    "scores": {"q": ((1, 0), (1, 1)), "k": ((0, 1), (1, 2), (1, 1))},
    "scale": {"s": (0, 1, 1), "dk": 2},
    "mix": {"a": (HALF, HALF), "v": ((1, 0), (0, 1))},
    "project": {"x": ((1, 0), (0, 1), (1, 1)), "w": ((1, 0), (1, 1))},
    "padding-mask": {"s": (0, 1, 1), "keep": (1, 1, 0)},
    "causal-mask": {"s": ((0, 1), (1, 2))},
    "layer-norm": {"x": ((1, 2, 3, 4), (0, 0, 1, 1))},
    "residual-add": {"x": ((1, 0), (0, 1)), "f": ((1, 1), (2, 0))},
}
"""Values of the fields that each operation requires."""


def test_every_operation_has_an_example_here() -> None:
    assert set(EXAMPLES) == set(TEMPLATES)
    for name, values in EXAMPLES.items():
        required = {field.name for field in TEMPLATES[name].fields if field.required}
        assert required == set(values), name


@pytest.mark.parametrize("template", TEMPLATES.values(), ids=list(TEMPLATES))
def test_fields_say_what_they_are(template: Template) -> None:
    assert template.title.en
    assert template.title.zh
    names = [field.name for field in template.fields]
    assert len(names) == len(set(names))
    for field in template.fields:
        assert re.fullmatch(r"[a-z_]+", field.name)
        assert field.title.en
        assert field.title.zh
        assert (field.kind is FieldKind.FLAG) == (not field.example)
        for language in Language:
            plain(field.title[language])


@pytest.mark.parametrize("template", TEMPLATES.values(), ids=list(TEMPLATES))
def test_each_required_field_is_asked_for(template: Template) -> None:
    for field in template.fields:
        if not field.required:
            continue
        with pytest.raises(OwnNumbersError) as caught:
            build(template, {name: value for name, value in EXAMPLES[template.id].items() if name != field.name})
        assert caught.value.message.en == f"{field.symbol} is missing: {field.title.en}."
        assert caught.value.message.zh == f"缺少 {field.symbol}：{field.title.zh}。"


@pytest.mark.parametrize("template", TEMPLATES.values(), ids=list(TEMPLATES))
def test_a_program_asks_for_the_result_to_the_digits_wanted(template: Template) -> None:
    program = build(template, EXAMPLES[template.id], decimals=6)
    (ask,) = program.asks
    assert ask.format.decimals == 6
    assert ask.node == program.calls[-1].node
    assert ask.index == ()
    for field in template.fields:
        if field.required:
            assert program.values[field.symbol] == EXAMPLES[template.id][field.name]


MATRIX: Nested = ((1, 2), (3, 4))
REFUSED: list[tuple[str, Mapping[str, Nested], str, str]] = [
    # operation, what is changed in its example, fragments of the message
    ("softmax", {"s": 5}, "S should be a row or a matrix; read: one number.", "S 应为一行数或矩阵，读到的是：一个数。"),
    ("softmax", {"s": ((MATRIX,),)}, "read: 1×1×2×2", "1×1×2×2"),
    ("softmax", {"s": ()}, "S is empty.", "S 是空的。"),
    ("softmax", {"s": ((), ())}, "S is empty.", "S 是空的。"),
    ("softmax", {"s": ((1, 2), (3,))}, "The rows of S have different lengths.", "S 各行的长度不一致。"),
    ("softmax", {"s": (1, (2, 3))}, "different lengths", "长度不一致"),
    ("softmax", {"s": (1, 10**350)}, "S holds a number that can't be used here.", "S 里有无法参与计算的数。"),
    ("softmax", {"s": (1, Expression("sqrt", (-1,)))}, "can't be used here", "无法参与计算"),
    ("scores", {"q": 1}, "Q should be a matrix", "Q 应为矩阵"),
    ("scores", {"q": ((1, 2), (3,))}, "The rows of Q have different lengths.", "Q 各行的长度不一致。"),
    ("scores", {"q": ()}, "Q is empty.", "Q 是空的。"),
    (
        "scale",
        {"dk": (1, 2)},
        "d_k should be one number; read: a row of length 2.",
        "d_k 应为一个数，读到的是：一行 2 个数。",
    ),
    ("scale", {"dk": 0}, "must be a positive number", "必须是正数"),
    ("scale", {"dk": -2}, "must be a positive number", "必须是正数"),
    ("scale", {"dk": INFINITY}, "must be a positive number", "必须是正数"),
    ("padding-mask", {"keep": MATRIX}, "m should be one row of numbers", "m 应为一行数"),
    ("padding-mask", {"keep": (1,)}, "keys: 3, entries: 1", "key 有 3 个，mask 里有 1 个数"),
    ("padding-mask", {"keep": (1, 1, 0, 0)}, "keys: 3, entries: 4", "key 有 3 个，mask 里有 4 个数"),
    ("padding-mask", {"keep": (1, HALF, 0)}, "1 (the key is kept) and 0", "1（保留 key）和 0（遮住 key）"),
    ("padding-mask", {"keep": (0, 0, MINUS_INFINITY)}, "holds only", "只能写"),
    ("causal-mask", {"s": 1}, "S should be a matrix", "S 应为矩阵"),
    ("layer-norm", {"eps": -1}, "not negative", "非负"),
    ("layer-norm", {"eps": INFINITY}, "not negative", "非负"),
    ("layer-norm", {"gamma": (2,)}, "features: 4, numbers in γ: 1", "特征有 4 个，γ 里有 1 个数"),
    ("layer-norm", {"beta": (0, 0)}, "features: 4, numbers in β: 2", "特征有 4 个，β 里有 2 个数"),
    ("layer-norm", {"gamma": MATRIX}, "γ should be one row", "γ 应为一行数"),
    ("attention", {"k": ((0, 1, 1),) * 3}, "Q is 3×2, K is 3×3", "Q 是 3×2，K 是 3×3"),
    ("attention", {"v": ((0, 1),) * 2}, "K is 3×2, V is 2×2", "K 是 3×2，V 是 2×2"),
    ("attention", {"keep": (1, 1)}, "keys: 3, entries: 2", "key 有 3 个，mask 里有 2 个数"),
    ("attention", {"keep": (1, 1, 7)}, "holds only", "只能写"),
    ("attention", {"scale": 0}, "must be a positive number", "必须是正数"),
    ("attention", {"scale": -HALF}, "must be a positive number", "必须是正数"),
    ("attention", {"scale": Expression("neg", (ROOT,))}, "must be a positive number", "必须是正数"),
    ("attention", {"scale": INFINITY}, "must be a positive number", "必须是正数"),
    ("attention", {"bottom_right": 1}, "no causal mask was chosen", "没有选用 causal mask"),
]


@pytest.mark.parametrize(("template", "changed", "en", "zh"), REFUSED)
def test_what_cannot_be_taken_is_refused_in_both_languages(template: str, changed: dict[str, Nested], en: str, zh: str) -> None:
    with pytest.raises(OwnNumbersError) as caught:
        build(TEMPLATES[template], {**EXAMPLES[template], **changed})
    assert en in caught.value.message.en
    assert zh in caught.value.message.zh
    assert str(caught.value) == caught.value.message.en


@pytest.mark.parametrize(
    ("template", "field", "symbol"), [("scores", "q", "Q"), ("attention", "k", "K"), ("causal-mask", "s", "S")]
)
def test_one_row_may_stand_for_a_matrix_of_one_row(template: str, field: str, symbol: str) -> None:
    values = dict(EXAMPLES[template])
    matrix = values[field]
    assert isinstance(matrix, tuple)
    assert build(TEMPLATES[template], {**values, field: matrix[0], "v": ((1, 0),)}).values[symbol] == matrix[:1]


def test_a_row_gives_a_row_and_a_matrix_a_matrix() -> None:
    for value, kind in (((1, 2), Kind.VECTOR), (((1, 2), (3, 4)), Kind.MATRIX)):
        assert build(TEMPLATES["softmax"], {"s": value}).asks[0].format.kind is kind


def test_masks_lie_between_scaling_and_softmax() -> None:
    program = build(TEMPLATES["attention"], {**EXAMPLES["attention"], "keep": (1, 1, 0), "causal": 1})
    assert [line.operation for line in program.calls] == ["scores", "scale", "padding_mask", "causal_mask", "softmax", "mix"]
    for line, before in zip(program.calls[1:], program.calls, strict=False):
        assert before.node in line.arguments


def test_the_causal_mask_lies_as_chosen() -> None:
    aligned = {}
    for flags in ({"causal": 1}, {"causal": 1, "bottom_right": 1}):
        program = build(TEMPLATES["attention"], {**EXAMPLES["attention"], **flags})
        aligned[len(flags)] = program.lines["M"].parameter("align", "")
    assert aligned == {1: "top-left", 2: "bottom-right"}


# Shapes ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", SIZES)
def test_sizes_build(kind: str) -> None:
    for extra in ({}, {"h": 4}):
        sizes = {name: 8 for name in SIZES[kind]} | extra
        program = build_shapes(kind, sizes)
        assert {ask.asked for ask in program.asks} == {Asked.SHAPE}
        assert isinstance(program.values["X"], Shape)
        assert ("split_heads" in {line.operation for line in program.calls}) == bool(extra)


SELF = {"B": 2, "S": 5, "d_model": 512}
BAD_SIZES: list[tuple[str, dict[str, int], str, str]] = [
    ("no-attention", SELF, "There is no “no-attention”", "没有“no-attention”"),
    ("self-attention", {"B": 2, "S": 5}, "d_model is missing", "缺少 d_model"),
    ("cross-attention", SELF, "S_dec is missing", "缺少 S_dec"),
    ("self-attention", {**SELF, "T": 4}, "no size T", "没有 T"),
    ("self-attention", {**SELF, "S": 0}, "S must be at least 1; 0 was given", "S 至少是 1，给的却是 0"),
    ("self-attention", {**SELF, "h": -8}, "h must be at least 1", "h 至少是 1"),
    ("self-attention", {**SELF, "h": 7}, "can't be divided evenly among 7 heads", "不能平分给 7 个 head"),
    ("self-attention", {**SELF, "B": 10**30}, "too large", "过大"),
    ("self-attention", {**SELF, "S": 10**9}, "too large", "过大"),
    ("self-attention", {**SELF, "d_model": 2 * 10**8}, "too large", "过大"),
    ("cross-attention", {"B": 1, "S_dec": 10**6, "S_enc": 10**12, "d_model": 8}, "too large", "过大"),
]


@pytest.mark.parametrize(("kind", "sizes", "en", "zh"), BAD_SIZES)
def test_sizes_that_cannot_be(kind: str, sizes: dict[str, int], en: str, zh: str) -> None:
    with pytest.raises(OwnNumbersError) as caught:
        build_shapes(kind, sizes)
    assert en in caught.value.message.en
    assert zh in caught.value.message.zh
