"""What makes a match void, in both languages: the hard cases of marking."""

from __future__ import annotations

import pytest

from question_bank.evidence import Kind, TypedAnswer

ENGLISH = "divid* ~2 by ~2 dk"
CHINESE = "除以 ~1 dk"


def is_found(phrase: str, typed: str, kind: Kind, *unless: str) -> bool:
    return TypedAnswer(typed).finding((phrase,), unless, kind).is_made


@pytest.mark.parametrize(
    ("phrase", "typed"),
    [
        (ENGLISH, "One divides by d_k."),
        (ENGLISH, "we just divide by dk, not more"),
        (ENGLISH, "I would divide by d_k"),
        (ENGLISH, "not only do you scale, you divide by d_k"),
        (ENGLISH, "I'm not sure but you divide by d_k"),
        (ENGLISH, "If q is large things break. So divide by d_k"),
        (ENGLISH, "if scores are large, divide by d_k"),
        (ENGLISH, "It isn't that large; divide by d_k"),
        (ENGLISH, "don't multiply but divide by d_k"),
        (ENGLISH, "no matter what, divide by d_k"),
        (CHINESE, "分数要除以 d_k"),
        (CHINESE, "不仅要算点积，还要除以 d_k"),
        (CHINESE, "不管多大，除以 d_k"),
        (CHINESE, "不是乘，而是除以 d_k"),
        (CHINESE, "是不是除以 d_k 呢，对，除以 d_k"),
        (CHINESE, "没错，除以 d_k"),
        (CHINESE, "不同的 head 除以 d_k"),
        (CHINESE, "要除以 d_k，不能除以别的"),
        (CHINESE, "decoder 不行，它除以 d_k"),
        (CHINESE, "用点积的话除以 d_k"),
        ("点积的话 ~2 除以", "点积的话就除以 d_k"),
        ("对角线 ~2 也 ~3 屏蔽", "对角线上也要屏蔽，不能看当前词"),
        ("flashattention ~6 翻倍", "用 FlashAttention 的话时间只翻倍"),
        ("approximat*", "it is an approximation"),
        ("概率", "它是概率，不是分数"),
    ],
)
def test_a_pitfall_said(phrase: str, typed: str) -> None:
    assert is_found(phrase, typed, Kind.PITFALL)


@pytest.mark.parametrize(
    ("phrase", "typed"),
    [
        (ENGLISH, "not divide by d_k"),
        (ENGLISH, "you don't divide by d_k itself, that would flatten it"),
        (ENGLISH, "dont divide by d_k"),
        (ENGLISH, "never divide by d_k"),
        (ENGLISH, "divide by √d_k, not by d_k"),
        (ENGLISH, "divide by √d_k, not by √d_model"),
        (ENGLISH, "divide not by d_k"),
        (ENGLISH, "divide by sqrt(dk) rather than by d_k"),
        (ENGLISH, "instead of dividing by d_k"),
        (ENGLISH, "dividing by d_k would flatten it"),
        (ENGLISH, "if you divided by d_k it'd be flat"),
        (ENGLISH, "suppose we divide by d_k"),
        (ENGLISH, "a common mistake is to divide by d_k"),
        (ENGLISH, "people say you divide by d_k"),
        (ENGLISH, "it's not that you divide by d_k, that is wrong"),
        (ENGLISH, "you divide by d_k. that's wrong"),
        (ENGLISH, "why not divide by d_k?"),
        (ENGLISH, "Do you divide by d_k? No."),
        (ENGLISH, "w/o LayerNorm divide by d_k"),
        (CHINESE, "不是除以 d_k"),
        (CHINESE, "不能除以 d_k"),
        (CHINESE, "而不是除以 d_k"),
        (CHINESE, "除以 √dk，而不是 dk"),
        (CHINESE, "除以的不是 dk"),
        (CHINESE, "如果除以 d_k，分布就太平"),
        (CHINESE, "要是除以 d_k 呢"),
        (CHINESE, "除以 d_k 的话就太平了"),
        (CHINESE, "直接除以 d_k 不行，太平"),
        (CHINESE, "除以 d_k 不可以"),
        (CHINESE, "除以 d_k，这样不行"),
        (CHINESE, "不能说分数是除以 d_k 的"),
        (CHINESE, "不能理解为分数要除以 d_k"),
        (CHINESE, "误区：除以 d_k"),
        (CHINESE, "有人说除以 d_k"),
        (CHINESE, "除以 d_k 是错的"),
        (CHINESE, "除以 d_k。这是不对的"),
        (CHINESE, "为什么不除以 d_k？"),
        ("approximat*", "it's not an approximation"),
        ("近似", "这个不是近似"),
        ("对称", "矩阵不对称"),
        ("是 ~3 概率", "它还不是概率"),
    ],
)
def test_a_pitfall_denied_or_reported(phrase: str, typed: str) -> None:
    assert not is_found(phrase, typed, Kind.PITFALL)


@pytest.mark.parametrize(
    ("phrase", "typed", "is_made"),
    [
        ("order ~3 chang*", "the order does change", True),
        ("order ~3 chang*", "the order does not change", False),
        ("order ~3 not ~2 change", "the order does not change", True),
        ("variance ~3 dk", "the variance isn't d_k", False),
        ("variance ~3 dk", "if independent, the variance would be d_k", True),
        ("variance ~3 dk", "is the variance d_k?", False),
        ("not ~2 probabilit*", "it is not a probability", True),
        ("probabilit*", "it is not a probability", False),
        ("顺序 ~2 不变", "顺序不变", True),
        ("顺序 ~2 (改变|变)", "顺序不变", False),
        ("不 ~1 概率", "不是概率", True),
        ("梯度 ~2 消失", "梯度慢慢消失", True),
        ("梯度 ~2 消失", "梯度不会消失", False),
        ("梯度 ~2 消失", "梯度没有消失", False),
        ("divid* ~6 √dk", "divide, not by dk, but by √dk", True),
        ("symmetric & not", "the weights are not symmetric", True),
        ("weight* & symmetric", "the weights are not symmetric", False),
        ("symmetric", "non-symmetric", False),
        ("同 ~2 输入", "三个不同的输入", False),
        ("同 ~2 输入", "同一个输入", True),
        ("不同", "为什么不同", True),
        ("不 ~2 概率", "不仅是概率", False),
        ("not ~3 probabilit*", "not only a probability", False),
        ("非线性", "它是非线性的", True),
        ("线性", "它是非线性的", False),
        ("row* ~6 sum* ~3 1", "every row is non-negative and sums to 1", True),
        ("行 ~4 和 ~3 1", "每行非负、和为 1", True),
        ("picked & deliver & not", "what gets picked need not be what you deliver", True),
        ("picked & not & deliver", "what gets picked need not be what you deliver", True),
        ("rope ~5 added", "RoPE: nothing is added", False),
        ("rope ~5 nothing ~2 added", "RoPE: nothing is added", True),
        ("order ~3 change*", "the order hardly changes", False),
        ("softmax ~2 saturat*", "w/o scaling the softmax saturates", True),
        ("without ~2 position*", "w/o positions", True),
        ("divid* ~4 √dk", "it does nothing but divide by √dk", True),
        ("0 ~3 inf", "0 rather than -inf, or inf", False),
        ("no ~3 position* ~5 no|and ~3 mask*", "only if no positional encoding and no causal mask", True),
        ("no ~3 position* ~5 and|no ~3 mask*", "only if no positional encoding and no causal mask", True),
        ("position* ~5 and ~3 mask*", "positional encoding and no causal mask", False),
        ("没有 ~2 位置 ~3 (和|没有) ~3 mask", "没有位置编码和没有 mask", True),
    ],
)
def test_key_points(phrase: str, typed: str, is_made: bool) -> None:
    assert is_found(phrase, typed, Kind.POINT) is is_made


@pytest.mark.parametrize(
    ("phrase", "typed", "is_made"),
    [
        ("! " + ENGLISH, "don't divide by d_k", True),
        ("! " + ENGLISH, "if you divide by d_k", True),
        ("? " + CHINESE, "除以 d_k 的话", True),
        ("? " + CHINESE, "除以 d_k 不行", False),
        ("? " + ENGLISH, "if you divide by d_k", True),
        ("? " + ENGLISH, "don't divide by d_k", False),
        ("? " + ENGLISH, "a mistake: divide by d_k", False),
        ("！" + ENGLISH, "don't divide by d_k", True),
    ],
)
def test_signs_in_front(phrase: str, typed: str, is_made: bool) -> None:
    assert is_found(phrase, typed, Kind.PITFALL) is is_made


@pytest.mark.parametrize(
    ("typed", "is_made"),
    [
        ("除以 d_k 就太平了", False),
        ("除以 d_k。后面分布太平", True),
        ("除以 d_k，分布不会太平", True),
        ("太平。除以 d_k", True),
        ("我觉得应该除以 d_k\n后面分布就太平了", True),
    ],
)
def test_unless_reaches_over_its_sentence(typed: str, is_made: bool) -> None:
    assert is_found(CHINESE, typed, Kind.PITFALL, "flat*|过头|太平") is is_made
