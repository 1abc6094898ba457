"""Reading orders of growth, shapes with names, choices, yes and no."""

from __future__ import annotations

import pytest

from question_bank.program import AnswerFormat, Kind
from tests.solvers.test_answers import CHOICE, NAMED, ORDER, YES_NO, answer, refusal

# Typed, normal form. Lines with the same right side are orders that are equal.
ORDERS = (
    ("O(n²d)", "n^2*d"),
    ("o(n^2 d)", "n^2*d"),
    ("Θ(n^2·d)", "n^2*d"),
    ("theta(n^2 d)", "n^2*d"),
    ("O(n**2*d)", "n^2*d"),
    ("O(d n n)", "n^2*d"),
    ("O(nnd)", "n^2*d"),
    ("n × n × d", "n^2*d"),
    ("N² D", "n^2*d"),
    ("O(n^2d)", "n^2*d"),
    ("O[n^2 d]", "n^2*d"),
    ("𝑂(𝑛²𝑑)", "n^2*d"),
    ("Ｏ（ｎ²ｄ）", "n^2*d"),
    ("$\\mathcal{O}(n^{2} \\cdot d)$", "n^2*d"),
    ("T(n) = O(n^2 d)", "n^2*d"),
    ("O(n^2 d).", "n^2*d"),
    ("O(7n²d + 3nd + n + 12)", "n^2*d"),
    ("O(n²d + n²)", "n^2*d"),
    ("O(n(n-1)d/2)", "n^2*d"),
    ("O(n² d - n d)", "n^2*d"),
    ("O(n²d + n d log n)", "n^2*d"),
    ("O(n)·O(n d)", "n^2*d"),
    ("O(n² d) + O(n)", "n^2*d"),
    ("O(2^3 n² d)", "n^2*d"),
    ("O(n^3 d / n)", "n^2*d"),
    ("O(n² d + n d²)", "n^2*d + n*d^2"),
    ("O(nd² + dn²)", "n^2*d + n*d^2"),
    ("O(nd(n + d))", "n^2*d + n*d^2"),
    ("O((n+d)²)", "n^2 + n*d + d^2"),
    ("O(n log n)", "n*log(n)"),
    ("O(nlogn)", "n*log(n)"),
    ("O(n lg n + n)", "n*log(n)"),
    ("O(n·log₂ n)", "n*log(n)"),
    ("O(n ln(n²))", "n*log(n)"),
    ("O(log(n) n)", "n*log(n)"),
    ("O(log² n)", "log(n)^2"),
    ("O((log n)^2)", "log(n)^2"),
    ("O(log(n d))", "log(n) + log(d)"),
    ("O(log(n + d))", "log(n) + log(d)"),
    ("O(√n)", "n^(1/2)"),
    ("O(n^0.5)", "n^(1/2)"),
    ("O(n^(1/2))", "n^(1/2)"),
    ("O(sqrt(n))", "n^(1/2)"),
    ("O(√(n + d))", "n^(1/2) + d^(1/2)"),
    ("O(n/d)", "n*d^-1"),
    ("O(n d^-1)", "n*d^-1"),
    ("O(n/(d+1))", "n*d^-1"),
    ("O(1)", "1"),
    ("42", "1"),
    ("O(log 8)", "1"),
    ("n", "n"),
)


@pytest.mark.parametrize(("typed", "word"), ORDERS)
def test_order(typed: str, word: str) -> None:
    found = answer(typed, ORDER)
    assert found.word == word
    assert answer(found.understood.en, ORDER).word == word


def test_orders_that_differ_stay_apart() -> None:
    typed = ("n", "n d", "n²", "n² d", "n d²", "n log n", "log n", "n^1.5", "1", "n + d", "n/d", "log n + log d", "n² + d")
    assert len({answer(one, ORDER).word for one in typed}) == len(typed)


def test_order_in_other_symbols() -> None:
    form = AnswerFormat(Kind.ORDER, symbols=("S", "d_model", "k", "K"))
    assert answer("O(S² d_model)", form).word == "S^2*d_model"
    assert answer("O(S²·d_{model})", form).word == "S^2*d_model"
    assert answer("O(S/k)", form).word == "S*k^-1"
    assert answer("O(log_k S)", form).word == "log(S)*log(k)^-1"
    assert answer("O(K + k)", form).word == "k + K"
    assert answer("O(k)", form).word != answer("O(K)", form).word  # k and K differ, so case counts
    assert [note.en for note in answer("O(s)", form).notes] == ["s was read as S."]


NO_ORDERS = (
    ("O(m^2 d)", "“m” has no meaning here; use n and d."),
    ("O(n²d) time", "“time” has no meaning here"),
    ("O(n!)", "“!” has no meaning here"),
    ("O(n2)", "write n^2 for a power"),
    ("O(n 2)", "“2” doesn't belong there"),
    ("O(2^n)", "An exponent must be a number"),
    ("O(n^d)", "An exponent must be a number"),
    ("Ω(n)", "lower bound"),
    ("O(n² - n d)", "no positive leading term"),
    ("O(n - n)", "no positive leading term"),
    ("O(0)", "no positive leading term"),
    ("O(n/d n)", "two readings"),
    ("O(log n d)", "two readings"),
    ("O(log n / d)", "two readings"),
    ("O(log log n)", "logarithm can't be compared"),
    ("O(log(n/d))", "logarithm can't be compared"),
    ("O(1/(n+d))", "divide by a product"),
    ("O(n^1000)", "power is too large"),
    ("(n+d)^8 (n+2d)^8 (n+3d)^8 (n+d^9)^8 (d+n^9)^8", "too long"),
    ("n + " * 100 + "n", "too long"),
    ("O(n", "incomplete"),
    ("O(n))", "“)” doesn't belong there"),
    ("O()", "“)” doesn't belong there"),
    ("O", "incomplete"),
    ("(" * 30 + "n" + ")" * 30, "nested too deeply"),
    ("", "Nothing has been typed"),
)


@pytest.mark.parametrize(("typed", "fragment"), NO_ORDERS)
def test_no_order(typed: str, fragment: str) -> None:
    assert fragment in refusal(typed, ORDER).message.en


NAMED_SHAPES = (
    ("[B, h, S_dec, S_enc]", "B,h,S_dec,S_enc"),
    ("(B,h,S_dec,S_enc)", "B,h,S_dec,S_enc"),
    ("B h S_dec S_enc", "B,h,S_dec,S_enc"),
    ("b, H, s_DEC, S_Enc", "B,h,S_dec,S_enc"),
    ("B×h×S_dec×S_enc", "B,h,S_dec,S_enc"),
    ("B x h x S_dec x S_enc", "B,h,S_dec,S_enc"),
    ("BxhxS_decxS_enc", "B,h,S_dec,S_enc"),
    ("B*h*S_dec*S_enc", "B,h,S_dec,S_enc"),
    ("（B，h，S_dec，S_enc）", "B,h,S_dec,S_enc"),
    ("【B、h、S_dec、S_enc】", "B,h,S_dec,S_enc"),
    ("{B; h; S_dec; S_enc}", "B,h,S_dec,S_enc"),
    ("torch.Size([B, h, S_dec, S_enc])", "B,h,S_dec,S_enc"),
    ("A.shape = [B, h, S_dec, S_enc]", "B,h,S_dec,S_enc"),
    ("$[B, h, S_{dec}, S_{\\text{enc}}]$", "B,h,S_dec,S_enc"),
    ("[B, h, S_enc, S_dec]", "B,h,S_enc,S_dec"),
    ("(B, S_dec, dₖ,)", "B,S_dec,d_k"),
    ("B", "B"),
    ("[B, S_dec, h*d_k]", "B,S_dec,h*d_k"),
    ("[B, S_dec, (h · d_k)]", "B,S_dec,h*d_k"),
    ("$[B, S_{dec}, \\frac{S_{enc}}{h}]$", "B,S_dec,S_enc/h"),
)


@pytest.mark.parametrize(("typed", "word"), NAMED_SHAPES)
def test_named_shape(typed: str, word: str) -> None:
    found = answer(typed, NAMED)
    assert found.word == word
    assert found.dimensions == (word.count(",") + 1,)
    assert answer(found.understood.zh, NAMED).word == word


OTHER_NAMES = (
    ("[N, H, T_dec, L_enc]", "B,h,S_dec,S_enc", "N was read as B. / T_dec was read as S_dec. / L_enc was read as S_enc."),
    ("(batch, heads, S_q, S_kv)", "B,h,S_dec,S_enc", None),
    ("[B, num_heads, tgt_len, src_len]", "B,h,S_dec,S_enc", None),
    ("N×h×S_tgt×S_src", "B,h,S_dec,S_enc", None),
    ("bxhxS_decxS_enc", "B,h,S_dec,S_enc", ""),
    ("[B, h, S_dec, d_head]", "B,h,S_dec,d_k", "d_head was read as d_k."),
    ("（Ｎ，ｈ，S_dec，d）", "B,h,S_dec,d_k", "N was read as B. / d was read as d_k."),
    ("[B, h, T, S]", "B,h,S_dec,S_enc", "T was read as S_dec. / S was read as S_enc."),
    ("B×h×L×S", "B,h,S_dec,S_enc", "L was read as S_dec. / S was read as S_enc."),
)


@pytest.mark.parametrize(("typed", "word", "said"), OTHER_NAMES)
def test_other_names_for_the_same_sizes_are_accepted_and_said(typed: str, word: str, said: str | None) -> None:
    found = answer(typed, NAMED)
    assert found.word == word
    if said is not None:
        assert " / ".join(note.en for note in found.notes) == said
    assert all("按" in note.zh for note in found.notes)


def test_a_name_that_could_be_two_sizes_is_asked_back() -> None:
    form = AnswerFormat(Kind.NAMED_SHAPE, symbols=("B", "h", "S", "d_k", "d_model"))
    message = refusal("[B, h, S, d]", form).message
    assert "“d” could be d_k or d_model here; write which." in message.en
    assert "“d”在这里可以是 d_k 或 d_model，请写明是哪一个。" in message.zh
    assert answer("[N, T, C]", form).word == "B,S,d_model"
    between = refusal("[B, h, T, T]", NAMED).message
    assert "“T” could be S_dec or S_enc here; write which." in between.en
    assert "“T”在这里可以是 S_dec 或 S_enc，请写明是哪一个。" in between.zh


@pytest.mark.parametrize(
    ("typed", "word"),
    [
        ("[B, n, d_model]", "B,S,d_model"),
        ("[N, n, dim]", "B,S,d_model"),
        ("[batch, n, d_ffn]", "B,S,d_ff"),
        ("[n, d_model]", "S,d_model"),
        ("[N, S, d_model]", "B,S,d_model"),
        ("[n, S, d_model]", None),
        ("[n, h, T, d_ff]", None),
    ],
)
def test_a_small_n_is_the_length_unless_it_may_be_the_batch(typed: str, word: str | None) -> None:
    form = AnswerFormat(Kind.NAMED_SHAPE, symbols=("B", "h", "S", "d_model", "d_ff"))
    if word is not None:
        assert answer(typed, form).word == word
    else:
        assert "“n” could be B or S here; write which." in refusal(typed, form).message.en


OTHER_ORDERS = (
    ("O(n²d)", "S^2*d_model", "n was read as S. / d was read as d_model."),
    ("Θ(T² · D)", "S^2*d_model", "T was read as S. / D was read as d_model."),
    ("O(L^2 d_model)", "S^2*d_model", "L was read as S."),
    ("O(d*S^2)", "S^2*d_model", "d was read as d_model."),
    ("Ｏ（Ｓ²·d_model）", "S^2*d_model", ""),
    ("O(seq_len^2 + n)", "S^2", "seq_len was read as S. / n was read as S."),
)


@pytest.mark.parametrize(("typed", "word", "said"), OTHER_ORDERS)
def test_orders_in_other_names_are_accepted_and_said(typed: str, word: str, said: str) -> None:
    found = answer(typed, AnswerFormat(Kind.ORDER, symbols=("S", "d_model")))
    assert (found.word, " / ".join(note.en for note in found.notes)) == (word, said)


def test_names_that_differ_in_case_alone() -> None:
    form = AnswerFormat(Kind.NAMED_SHAPE, symbols=("H", "h", "d", "1"))
    assert answer("[h, H, D, 1]", form).word == "h,H,d,1"


NO_NAMED_SHAPES = (
    ("[B, q]", "“q” is not one of the names"),
    ("[B, 5]", "“5” is not one of the names"),
    ("[B, h*q]", "“q” is not one of the names"),
    ("[B, h**S_dec]", "A name is missing"),
    ("[B, h/]", "A name is missing"),
    ("[B, " + "*".join(["h"] * 30) + "]", "too long for one axis"),
    ("[B,, h]", "A name is missing"),
    ("B××h", "A name is missing"),
    ("×", "A name is missing"),
    ("[[B, h]]", "is not one of the names"),
    ("B: h", "“B:” is not one of the names"),
    ("(B, h", "“(B” is not one of the names"),
    ("()", "A name is missing"),
    ("rows, heads", "“rows” is not one of the names"),
    ("[B, S, S]", "“S” could be S_dec or S_enc here"),  # which of the two lengths?
)


@pytest.mark.parametrize(("typed", "fragment"), NO_NAMED_SHAPES)
def test_no_named_shape(typed: str, fragment: str) -> None:
    assert fragment in refusal(typed, NAMED).message.en


CHOICES = (
    *((typed, "c") for typed in ("c", "C", "ｃ", "Ｃ", "(c)", "（C）", "[c]", "c)", "c.", "c。", "𝐜", " c\n", "“c”")),
    *((typed, "b") for typed in ("选 B", "选b", "答案：B", "answer: b", "Option B", "the answer is b", "我选B")),
)


@pytest.mark.parametrize(("typed", "letter"), CHOICES)
def test_choice(typed: str, letter: str) -> None:
    found = answer(typed, CHOICE)
    assert (found.word, found.cells, found.dimensions) == (letter, (), ())


@pytest.mark.parametrize("typed", ["e", "3", "2", "ab", "a b", "a, c", "b or c", "б", "not a", "", "a: because", "(b", "c]"])
def test_no_choice(typed: str) -> None:
    assert "a to d" in refusal(typed, CHOICE).message.en


YES = ("yes", "Y", "YES!", "Yes.", "true", "是", "是的", "对", "对。", "正确", "√", "✓", "ｙ", "“yes”", "答案：是")
NO = ("no", "N", "No.", "false", "否", "不是", "不对", "错", "×", "✗", "ｎ", "答：否")


@pytest.mark.parametrize("typed", YES)
def test_yes(typed: str) -> None:
    assert answer(typed, YES_NO).word == "yes"


@pytest.mark.parametrize("typed", NO)
def test_no(typed: str) -> None:
    assert answer(typed, YES_NO).word == "no"


@pytest.mark.parametrize("typed", ["maybe", "1", "0", "yes no", "yes, because", "是不是", "not", "x", "*", "?"])
def test_neither_yes_nor_no(typed: str) -> None:
    assert "neither yes nor no" in refusal(typed, YES_NO).message.en
