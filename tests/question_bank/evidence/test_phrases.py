"""The phrase language: what each phrase finds and doesn't, and what a faulty one is told."""

from __future__ import annotations

import pickle

import pytest

from question_bank.evidence import EvidenceError, Kind, TypedAnswer, compiled

VARIANCE = 'variance ~4 (dk|width|"number of terms")'

FOUND = [
    # words, order, gaps
    (VARIANCE, "The variance is d_k."),
    (VARIANCE, "VARIANCE of a score equals the number of terms"),
    ("softmax saturates", "softmax then really saturates"),
    ("softmax ~0 saturates", "softmax saturates"),
    ("softmax ~6 saturates", "softmax one two three four five saturates"),
    ("softmax ~6 饱和", "softmax 就会很快地饱和"),
    ("方差 ~2 dk", "q·k 的方差 就等于 dₖ"),
    ("方差 ~2 dk", "方 差是 d_k"),
    ("dk个|dk项", "一共 d_k 项之和"),
    # stems, plurals, hyphens, slips
    ("saturat*", "the softmax is saturating"),
    ("saturat*", "it saturtes"),
    ("score", "two scores"),
    ("one-hot", "one hot"),
    ("one-hot", "onehot"),
    ('"one hot"', "one-hot"),
    ("layer-norm*", "LayerNorm"),
    ("layer-norm*", "layer normalisation"),
    ("gradient*", "the gradeint"),
    ("variance", "the varaince"),
    ("independent", "idnependant"),
    ("negative", "negativ"),
    # alternatives, brackets
    ("std|deviation ~4 √dk", "std = sqrt(dk)"),
    ("std|deviation ~4 √dk", "the deviation is 根号 dk"),
    ("order ~3 (not change* | same)", "the order does not change"),
    ("order ~3 (not change* | same)", "the order is the same"),
    ("a b | c d", "c d"),
    ("[almost] one-hot", "one-hot"),
    ("x [very] y", "x y"),
    ("x [very] y", "x very y"),
    ("[x] y", "y"),
    # any order
    ("flat* & dk", "flatter with d_k"),
    ("flat* & dk", "with d_k everything becomes much, much, and I mean very much flatter"),
    ("flat* &2 dk", "flat for dk"),
    *(("a1 & b1 & c1", typed) for typed in ("a1 b1 c1", "a1 c1 b1", "b1 a1 c1", "b1 c1 a1", "c1 a1 b1", "c1 b1 a1")),
    ("a1 & b1 & c1 & d1", "d1 b1 x c1 y a1"),
    ("a1 ~3 b1 & c1", "a1 c1 b1"),
    ("c1 & a1 ~3 b1", "a1 c1 b1"),
    ("(row* & query) ~3 column*", "row per query, column"),
    # formulas
    ("sqrt(d_k)", "√dk"),
    ("square root of d_k", r"\sqrt{d_k}"),
    ('"(1+f)^n"', "(1 + f)^n"),
    ("O(n^2 d)", "O(S²·d)"),
    ("√(d_model/h)", "sqrt(dmodel/h)"),
    ("dim=-1", "dim -1"),
    ("dim -1", "dim = -1"),
    ("divid*|/ ~2 √dk", "QK^T / sqrt(dk)"),
    ("q_i·k_j", "q_i dot k_j"),
    ("!= sji", "S_ij ≠ S_ji"),
    ("t-1", "position t − 1"),
    ("only ~2 i ~0 j", "only (i - j)"),
    ("(t-1)", "position t-1"),
    ('"by 1-p"', "scaled by (1 - p)"),
    # full-width signs of the language
    ("“number of terms”", "number of terms"),
]

NOT_FOUND = [
    ("t-1", "position t+1"),
    ("m-n", "m, n"),
    ("m-n", "m+n"),
    (VARIANCE, "dk is the variance"),
    (VARIANCE, "variance. Then d_k"),
    (VARIANCE, "the terms have a variance and number"),
    (VARIANCE, "variable d_k"),
    ("softmax ~2 saturates", "softmax one two three saturates"),
    ("softmax ~0 saturates", "softmax, saturates"),
    ('"one hot"', "one very hot"),
    ("方差", "方法的差"),
    ("方差", "方，差"),
    ("saturat*", "saturn"),
    ("score", "scored"),
    ("scores", "stores"),
    ("shared", "shaped"),
    ("divid*", "divisor"),
    ("sum", "sun"),
    ("decoder", "encoder"),
    ("symmetric", "asymmetric"),
    ("row", "arrow"),
    ("flat* & dk", "flat. dk"),
    ("flat* &2 dk", "flat one two three dk"),
    ("a1 & b1", "a1"),
    ("a1 & b1 & c1", "a1 x b1. c1"),
    ("a1 & b1 & b1", "a1 x b1"),
    ("dk", "√dk"),
    ("dk", "1/dk"),
    ("√dk", "√dmodel"),
    ("o(s)", "O(n^2)"),
    ("!= sji", "S_ij = S_ji"),
    ("x [very] y", "x very one two three four y"),
]


@pytest.mark.parametrize(("phrase", "typed"), FOUND)
def test_found(phrase: str, typed: str) -> None:
    assert TypedAnswer(typed).finding((phrase,), (), Kind.POINT).is_made


@pytest.mark.parametrize(("phrase", "typed"), NOT_FOUND)
def test_not_found(phrase: str, typed: str) -> None:
    assert not TypedAnswer(typed).finding((phrase,), (), Kind.POINT).is_made


@pytest.mark.parametrize(
    ("phrase", "column", "said"),
    [
        ("", 1, "a word was expected"),
        ("(a", 1, "not closed"),
        ("a)", 2, "closes nothing"),
        ("a ~ b", 4, "a number was expected"),
        ("~3 a", 1, "between two items"),
        ("a ~3", 5, "between two items"),
        ("a ~3 ~2 b", 6, "between two items"),
        ("a ~99 b", 4, "at most 30"),
        ("a & ", 5, "a word was expected"),
        ("& a", 1, "a word was expected"),
        ("a |", 4, "a word was expected"),
        ("a||b", 3, "a word was expected"),
        ("()", 2, "a word was expected"),
        ("dk , dv (,)", 10, "a word was expected"),
        ("x *", 3, "behind the letters"),
        ("方差*", 3, "behind the letters"),
        ('one "two', 5, "not closed"),
        ("sqrt(dk", 1, "not closed"),
        ("[a]", 1, "may be missing"),
        ("[a] [b]", 1, "may be missing"),
        ("[a]|b", 4, "within the square brackets"),
        ("x (a|b c)", 4, "ambiguous"),
        ("((((((((((a))))))))))", 9, "too many brackets"),
        ("word " * 100, 401, "at most 400"),
    ],
)
def test_faults_name_their_column(phrase: str, column: int, said: str) -> None:
    with pytest.raises(EvidenceError, match=said) as caught:
        compiled(phrase)
    assert (caught.value.column, caught.value.phrase) == (column, phrase)
    assert caught.value.message.zh
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.column, again.message) == (column, caught.value.message)
