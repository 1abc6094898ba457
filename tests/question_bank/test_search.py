"""Search over questions, lessons and drills."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from question_bank.search import Index, documents, fold, terms
from question_bank.text import Language


@cache
def index() -> Index:
    return Index(documents())


@pytest.mark.parametrize(
    ("query", "language", "first"),
    [
        ("KV cache", Language.EN, {"Q20", "kv-cache-bytes", "7.15"}),
        ("kv  CACHE", Language.ZH, {"Q20", "kv-cache-bytes", "7.15"}),
        ("sqrt(d_k)", Language.EN, {"Q7", "Q24", "7.9"}),
        ("√d_k", Language.EN, {"Q7", "Q24", "7.9"}),
        (r"\sqrt{d_k}", Language.EN, {"Q7", "Q24", "7.9"}),
        ("ＳＱＲＴ（ｄ_ｋ）", Language.ZH, {"Q7", "Q24", "7.9"}),
        ("为什么 除以", Language.ZH, {"Q7", "Q24", "7.9"}),
        ("padding 掩码", Language.ZH, {"Q25", "padding-row", "7.16"}),
        ("层归一化", Language.ZH, {"Q32", "layer-norm", "7.20"}),
        ("layer-norm", Language.EN, {"layer-norm", "7.20", "Q32"}),
        ("Q7", Language.EN, {"Q7"}),
        ("O(S²)", Language.EN, {"Q18", "Q20", "7.4"}),
    ],
)
def test_what_is_looked_for_comes_first(query: str, language: Language, first: set[str]) -> None:
    found = [hit.id for hit in index().find(query, language)]
    assert found[0] in first
    assert len(first & set(found[:6])) >= min(2, len(first))


@pytest.mark.parametrize("query", ["", "   ", "$", "zzzz", "注意力 zzzz", "、。"])
def test_nothing_is_found_where_a_word_is_missing(query: str) -> None:
    assert index().find(query) == ()


def test_the_passage_is_in_the_language_asked_for_and_holds_the_word() -> None:
    for language in Language:
        passages = [hit.passage for hit in index().find("dropout", language)[:3]]
        assert all("dropout" in passage.casefold() for passage in passages)
        assert all(any("\u4e00" <= sign <= "\u9fff" for sign in text) == (language is Language.ZH) for text in passages[1:])


def test_no_passage_shows_a_place_that_is_not_filled() -> None:
    assert not any("«" in hit.passage or "$" in hit.passage for hit in index().find("softmax", most=100))


def test_at_most_so_many_are_returned_best_first() -> None:
    hits = index().find("softmax", most=3)
    assert len(hits) == 3
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


@given(st.text(max_size=60))
@settings(max_examples=100, deadline=None)
def test_any_text_can_be_looked_for(text: str) -> None:
    index().find(text)
    assert fold(fold(text)) == fold(text)
    assert all(term and term in fold(text) for term in terms(text))
