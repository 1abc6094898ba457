from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from question_bank.text import Language, Text, same


def test_a_language_chooses_the_sentence() -> None:
    text = Text("right", "正确")
    assert text[Language.EN] == "right"
    assert text[Language.ZH] == "正确"


@pytest.mark.parametrize(
    ("template", "values", "expected"),
    [
        (
            Text("row {row} of {rows}", "共 {rows} 行中的第 {row} 行"),
            {"row": 2, "rows": 3},
            Text("row 2 of 3", "共 3 行中的第 2 行"),
        ),
        (Text("it is {word}", "它{word}"), {"word": Text("right", "正确")}, Text("it is right", "它正确")),
        (Text(r"$\frac{1}{d_k}$ {n}", r"$\sqrt{n}$ {m}"), {"m": 5}, Text(r"$\frac{1}{d_k}$ {n}", r"$\sqrt{n}$ 5")),
        (Text("{a}{a}", "{a}"), {"a": "x"}, Text("xx", "x")),
        (Text("{a} {b}", "{b} {a}"), {"a": "{b}", "b": "{a}"}, Text("{b} {a}", "{a} {b}")),
        (Text("{a}", "{a}"), {"a": r"\1 \g<0>"}, Text(r"\1 \g<0>", r"\1 \g<0>")),
        (Text("{a} {} {0 {{a}}", "{a"), {"a": 1}, Text("1 {} {0 {1}", "{a")),
    ],
    ids=["both languages", "a text in a text", "LaTeX braces", "twice", "values are not filled", "no groups", "odd braces"],
)
def test_fill(template: Text, values: dict[str, object], expected: Text) -> None:
    assert template.fill(**values) == expected


@given(st.text(), st.text())
def test_whatever_a_person_typed_is_put_in_unchanged(typed: str, other: str) -> None:
    filled = Text("“{typed}” and “{other}”", "“{typed}”与“{other}”").fill(typed=typed, other=other)
    assert filled == Text(f"“{typed}” and “{other}”", f"“{typed}”与“{other}”")


@pytest.mark.parametrize(
    ("first", "second", "joined"),
    [
        (Text("One.", "一。"), Text("Two.", "二。"), Text("One. Two.", "一。二。")),
        (same(""), Text("Two.", "二。"), Text("Two.", "二。")),
        (Text("One.", "一。"), same(""), Text("One.", "一。")),
    ],
)
def test_sentences_are_joined_as_each_language_does(first: Text, second: Text, joined: Text) -> None:
    assert first + second == joined


def test_a_text_crosses_processes() -> None:
    text = Text("a", "甲")
    assert pickle.loads(pickle.dumps(text)) == text
