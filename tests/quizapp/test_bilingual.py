"""Lines broken in two scripts, keys with their twins, labels in two languages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from question_bank.text import Language, Text, same
from quizapp import wording
from quizapp.widgets.bilingual import Words, bind, translated, twins, written
from quizapp.widgets.rating import Others
from quizapp.widgets.wrapping import NEVER_FIRST, NEVER_LAST, shortened, wrap


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("", 10, [""]),
        ("one two three", 7, ["one two", "three"]),
        ("one two three", 80, ["one two three"]),
        ("first\n\nthird", 80, ["first", "", "third"]),
        ("  indented", 80, ["  indented"]),
        ("incomprehensibilities", 8, ["incompre", "hensibil", "ities"]),
        ("计算注意力得分", 8, ["计算注意", "力得分"]),
        ("计算注意力得分", 9, ["计算注意", "力得分"]),  # a wide character doesn't stand in one column
        ("求 softmax 的结果", 12, ["求 softmax", "的结果"]),
        ("三位小数，好", 8, ["三位小", "数，好"]),  # no comma at the start of a line
        ("他说（见下）", 6, ["他说", "（见", "下）"]),  # no bracket left open at the end of one
        ("a，b", 2, ["a", "，", "b"]),
    ],
)
def test_wrap(text: str, width: int, lines: list[str]) -> None:
    assert wrap(text, width) == lines


@given(st.text(alphabet="ab 计算，。（）\n,.1", max_size=80), st.integers(4, 40))
def test_wrapped_lines_fit_lose_nothing_and_keep_punctuation_in_place(text: str, width: int) -> None:
    lines = wrap(text, width)
    assert all(cell_len(line) <= width for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


@given(st.text(alphabet="计算得分，。（", max_size=60), st.integers(8, 40))
def test_no_line_opens_with_closing_punctuation(text: str, width: int) -> None:
    groups = [run for run in _runs(text) if cell_len(run) > width]
    for line in wrap(text, width)[1:] if not groups else []:
        assert line[0] not in NEVER_FIRST


def _runs(text: str) -> list[str]:
    """Cut a text into what can't be broken."""
    runs: list[str] = []
    for symbol in text:
        if runs and (symbol in NEVER_FIRST or runs[-1][-1] in NEVER_LAST):
            runs[-1] += symbol
        else:
            runs.append(symbol)
    return runs


@pytest.mark.parametrize(
    ("text", "width", "short"),
    [("softmax", 7, "softmax"), ("softmax", 6, "softm…"), ("注意力", 5, "注意…"), ("注意力", 4, "注…")],
)
def test_shortened(text: str, width: int, short: str) -> None:
    assert shortened(text, width) == short


@pytest.mark.parametrize(
    ("key", "forms"),
    [
        ("l", {"l", "L", "ｌ", "Ｌ"}),
        ("1", {"1", "１"}),
        ("question_mark", {"?", "？"}),
        ("slash", {"/", "／", "、"}),
        ("escape", {"escape"}),
        ("ctrl+p", {"ctrl+p"}),
    ],
)
def test_twins(key: str, forms: set[str]) -> None:
    assert set(twins(key)) == forms


def test_a_binding_is_shown_in_either_language() -> None:
    binding = bind("n", "next", Text("Next", "下一题"), Text("Another.", "再来一题。"))
    english, chinese = translated(binding, Language.EN), translated(binding, Language.ZH)
    assert (english.description, english.tooltip) == ("Next", "Another.")
    assert (chinese.description, chinese.tooltip) == ("下一题", "再来一题。")
    assert chinese.key == binding.key


def test_words_are_an_english_string() -> None:
    words = Words(Text("Next", "下一题"))
    assert words == "Next"
    assert words.text.zh == "下一题"


def _texts(value: object) -> list[Text]:
    if isinstance(value, Text):
        return [value]
    return [text for part in value for text in _texts(part)] if isinstance(value, tuple) else []


def test_all_wording_is_in_both_languages() -> None:
    everything = [(name, text) for name, value in vars(wording).items() if name.isupper() for text in _texts(value)]
    assert len(everything) > 80
    for name, text in everything:
        assert text.en.strip(), name
        assert text.zh.strip(), name
        english_only = text.en == text.zh and any(character.isalpha() for character in text.en)
        assert not english_only or name in ("NAME", "SECTIONS", "HOW_TO_ANSWER"), f"{name} has no Chinese"
        assert text.en != text.zh or text == same(text.en)


@pytest.mark.parametrize(
    ("text", "shown"), [("by $\\sqrt{d_k}$", "by √d_k"), ("a $ sign", "a $ sign"), ("$x$ and $", "$x$ and $")]
)
def test_a_lone_dollar_sign_is_shown_as_it_is(text: str, shown: str) -> None:
    assert written(same(text), Language.EN) == shown


@pytest.mark.parametrize(
    ("width", "lines"),
    [
        (60, ["1 Again today   2 Hard Mon 7 Dec   4 Easy Mon 21 Dec"]),
        (45, ["1 Again today   2 Hard Mon 7 Dec", "4 Easy Mon 21 Dec"]),
        (16, ["1 Again today", "2 Hard Mon 7 Dec", "4 Easy Mon 21", "Dec"]),
    ],
)
def test_ratings_are_parted_by_line_breaks_not_broken(width: int, lines: list[str]) -> None:
    class English(Others):
        written = "1 Again today   2 Hard Mon 7 Dec   4 Easy Mon 21 Dec"  # type: ignore[assignment]

    assert English().lines(width) == lines
