"""Folding: one token for one thing, however it is typed, and where it was typed."""

from __future__ import annotations

import textwrap
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from question_bank.evidence import fold

SAME = {
    "√dk": (
        "sqrt(dk)", "sqrt dk", "sqrt(d_k)", "SQRT(D_K)", "√d_k", "√(dk)", "√ｄｋ", "√dₖ", "√d_{k}",
        r"\sqrt{d_k}", r"$\sqrt{d_{k}}$", "d_k^0.5", "d_k ** 0.5", "d_k^(1/2)", "(dk)^{1/2}", "dk^½", "root of d_k",
        "square root of dk",
        "square root of the key dimension", "root d_k", "root-d_k", "math.sqrt(d_k)", "sqrt(head_dim)", 
        "根号dk", "根号下 d_k", "d_k 的平方根", "d_k 开根号", "dk开方",
    ),
    "√dmodel": ("sqrt(d_model)", "√d_model", r"\sqrt{d_{\text{model}}}", "根号 d_model", "d model 开根号"),
    "√(dmodel/h)": ("sqrt(d_model/h)", r"\sqrt{\frac{d_{model}}{h}}", "√(d_model / h)"),
    "dk": ("d_k", "d_{k}", "dₖ", "dk", "d k", "DK", "$d_k$", "ｄ＿ｋ", "𝑑ₖ", "d_head"),
    "dmodel": ("d_model", r"d_{\text{model}}", "d model", "dmodel", r"d_{\mathrm{model}}"),
    "dff": ("d_ff", "d_{ff}", "d ff"),
    "dv": ("d_v", "dᵥ", "d v"),
    "wq": ("W_Q", "W^Q", "W_{Q}", "Wq", "W_i^Q", "W^Q_i", r"W^{Q}"),
    "wo": ("W_O", "W^O", "wo"),
    "xi": ("x_i", "x_{i}", "xᵢ"),
    "kj": ("k_j", "kⱼ", "K_{j}"),
    "sij": ("S_ij", "S_{ij}", "Sᵢⱼ", "s_{i,j}", "S[i, j]", "S[i][j]"),
    "aij": ("A_ij", "a[i][j]"),
    "qkt": (
        "QK^T", "QKᵀ", r"QK^\top", r"Q K^{\top}", "Q·Kᵀ", "Q @ K.T", "Q @ K.transpose(-2, -1)", "q k transpose", 
        "QK转置", "Q乘K的转置", "QK'", "q times k transposed", "QK⊤", "qkt",
    ),
    "xxt": ("XX^T", "X Xᵀ", "X @ X.T", "X·X^T"),
    "-inf": ("−∞", "-inf", "-∞", r"-\infty", "负无穷", "负无穷大", "negative infinity", "minus infinity", 
             "-float('inf')", "-np.inf"),
    "o(s^2)": ("O(n²)", "O(N^2)", "O(S^2)", "O(n*n)", "o( L ^ 2 )", "O(n2)", "O(T**2)", "Ｏ（n²）"),
    "o(s^2d)": ("O(n²d)", "O(n^2 d)", "O(n²·d)", "O(d n^2)", r"O(S^2 \cdot d)"),
    "o(slogs)": ("O(n log n)", "O(S log S)"),
    "o(1)": ("O(1)",),
    "s^2": ("n²", "N^2", "S×S", "l*l", "n x n", "n by n", "t**2", "n 乘 n"),
    "1/dk": ("1/d_k", "1 / dk", "1 over dk", "one over d_k", r"\frac{1}{d_k}", r"\dfrac{1}{d_{k}}", "dk分之一"),
    "1/√dk": ("1/sqrt(dk)", "1/√d_k", "d_k^-0.5", "d_k^{-1/2}", r"\frac{1}{\sqrt{d_k}}"),
    "e^x": ("e^x", "exp(x)", "e^{x}", "eˣ"),
    "e^-inf": ("e^-inf", "exp(-inf)", "e^{-∞}", r"e^{-\infty}", "e^(-inf)"),
    "h*dk": ("h*d_k", "h·d_k", "h × dk", r"h \cdot d_k"),
    "qi*kj": ("q_i·k_j", "q_i . k_j", "qi*kj", "q_i dot k_j", "q_i^T k_j", "qᵢ·kⱼ", r"q_i^\top k_j"),
    "sdec*senc": ("S_dec × S_enc", "S_dec x S_enc", r"S_{\text{dec}} \times S_{\text{enc}}"),
    "4d^2": ("4d²", "4·d^2", "4d^2"),
    "tdec*tenc": ("T_dec × T_enc", "T_dec x T_enc", r"T_{\text{dec}} \times T_{\text{enc}}"),
    "nq*nk": ("n_q × n_k", "n_q x n_k"),
    "(1+f)^n": ("(1+f)^n", "(1 + f)ⁿ", "(1+f')^n", "(1+f) 的 n 次方", "(1+f)的n次幂", "(1 + f) to the power n",
                "(1+f) to the power of n", "(1+f) raised to the n-th power", "(1+f) to the nth"),
    "7e-4": ("7e-4", "7.0 × 10^{-4}", "7*10^-4", "7 x 10^-4", "7·10⁻⁴", "7.0e-04"),
    "1e9": ("10^9", "10⁹", "1e9", "1 × 10^9", "1e+9"),
    "dy/dx": ("dy/dx", "∂y/∂x", r"\frac{\partial y}{\partial x}"),
    "-1e9": ("-1e9", "-10^9", "−10⁹", "-1 × 10^9"),
    "0.5": ("0.5", "０．５"),
    "50%": ("50%", "50 %"),
    "4x": ("4x", "4X"),
}  # fmt: skip
SPELLINGS = [(token, typed) for token, spellings in SAME.items() for typed in spellings]


def tokens(text: str) -> list[str]:
    return [token.text for token in fold(text).tokens]


@pytest.mark.parametrize(("token", "typed"), SPELLINGS)
def test_every_spelling_is_one_token(token: str, typed: str) -> None:
    assert tokens(typed) == [token]


@pytest.mark.parametrize(("token", "typed"), SPELLINGS)
def test_within_a_sentence_too_and_in_its_place(token: str, typed: str) -> None:
    text = f"so 它就是 {typed} 对吧"
    found = [part for part in fold(text).tokens if part.text == token]
    assert len(found) == 1
    assert text.index(typed) <= found[0].start < found[0].end <= text.index(typed) + len(typed)


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("dk is not d_model", "dk is not dmodel"),
        ("a score and a key", "a score and a key"),
        ("it is a dot product", "it is a dot product"),
        ("key/value, K/V", "key / value k / v"),
        ("QK^T/√dk", "qkt / √dk"),
        ("softmax(QK^T/√d_k)V", "softmax qkt / √dk v"),
        ("dim=-1", "dim -1"),
        ("8 - 1, 512-64", "8 1 512 64"),
        ("don't, isn't, can't, won't, dont, it's", "do not is not can not will not do not it"),
        ("w/o pads, W/O them, w/out", "without pads without them w / out"),
        *((typed, "t - 1") for typed in ("t-1", "t - 1", "T−1", "(t-1)", "(t − 1)", "$t-1$")),
        *((typed, "1 - p") for typed in ("1-p", "1 - p", "(1 − p)", "（1-p）")),
        ("m-n, M - N, i - j", "m - n m - n i - j"),
        ("t-1, t+1", "t - 1 t + 1"),
        ("1/(1-p)", "1/(1-p)"),
        ("p(1-p)", "p 1 - p"),
        ("8-1, 2-d, q-k-v, k-v, x-axis, n-gram, GPT-2", "8 1 2 d q k v k v x axis n gram gpt 2"),
        ("1 - q asks, 2 - k answers", "1 q asks 2 k answers"),
        ("dk ≪ d_model, a ≫ b", "dk < dmodel a > b"),
        ("it applies to the power cord", "it applies to the power cord"),
        ("T_dec x y", "tdec x y"),
        ("n squared", "s^2 squared"),
        ("平方级 quadratic", "平 方 级 quadratic"),
        ("the square root of everything", "the √ of everything"),
        ("take the root cause", "take the root cause"),
        ("S_ij ≠ S_ji", "sij != sji"),
        ("fp16 and bfloat16", "fp16 and bfloat16"),
        ("x -> y", "x -> y"),
        ("multi-head", "multi head"),
        ("方 差", "方 差"),
        ("1,024 tokens", "1024 tokens"),
        ("n²d", "s^2*d"),
        (r"$\alpha$ and α", "alpha and alpha"),
        ("1 + f^n", "1 + f^n"),
        ("O(n) and o (n)", "o(s) and o(s)"),
        (r"\left( x \right) \quad \mathbf{W}", "x w"),
        ("}{\\frac{1}", "1 /"),
        ("", ""),
        ("。，！？（）…", ""),
    ],
)
def test_what_else_is_folded(typed: str, expected: str) -> None:
    assert tokens(typed) == expected.split()


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two! Three? Four; five", 5),
        ("一。二！三？四；五", 5),
        ("0.5 is d.k e.g. here, i.e. one", 1),
        ("torch.softmax(x) is one", 1),
        ("a line\nanother line", 1),
        ("a line of five words\nanother line of five words", 2),
        ("one. two three four\n\nfive", 3),
        ("softmax 之后就变平了\n所以不能这样做", 2),
        ("太短\n所以不能这样做", 1),
        ("every one of these lines:\ngoes on in the\nnext line of them,\nthis one as well", 1),
        ("the softmax of a row saturates\nbecause the scores are large", 1),
        ("分数的方差就是等于\n的 d_k", 1),
        ("分数的方差随宽度变大，所以\n要除以宽度的平方根，否则的\n话梯度消失", 1),
        ("a list of short ideas\nwith one idea in every line, some of them longer\nwithout a margin anywhere", 3),
        ("a line\n\nanother line", 2),
        ("first\n- second\n* third\n1. fourth\n2) fifth", 5),
        ("方差.标准差", 2),
    ],
)
def test_sentences(text: str, sentences: int) -> None:
    assert len({token.sentence for token in fold(text).tokens}) == sentences


@pytest.mark.parametrize("width", range(24, 72, 4))
def test_a_margin_ends_no_sentence(width: int) -> None:
    text = (
        "we divide the scores by the root of the width, since their variance grows with the width of the keys and the "
        "softmax would saturate with such large scores, so that no gradient gets through it any more and training stalls"
    )
    assert {token.sentence for token in fold(textwrap.fill(text, width)).tokens} == {0}


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("one, two: three", 3),
        ("一，二：三、四", 3),
        ("not dk but √dk", 2),
        ("one (two) three", 3),
        ("softmax(x) times", 1),
        ("one\ntwo", 2),
        ("one - two — three", 3),
        ("times (1 - p) or t - 1", 1),
        ("不是 dk 而是 √dk", 2),
        ("除以 √dk 而不是 dk", 1),
    ],
)
def test_clauses(text: str, clauses: int) -> None:
    assert len({token.clause for token in fold(text).tokens}) == clauses


TEXT = st.text(st.sampled_from("dk_^{}()[]√/\\ *.,-'\"\n不方差nts01²ₖ∞ᵀq\ue000\u200b") | st.characters(), max_size=60)


@given(TEXT | st.lists(st.sampled_from([typed for _, typed in SPELLINGS]), max_size=6).map("".join))
def test_any_text_folds_into_tokens_in_their_order(text: str) -> None:
    found = fold(text).tokens
    assert all(0 <= token.start < token.end <= len(text) for token in found)
    assert all(before.end <= after.start for before, after in pairwise(found))
    assert all(before.right <= after.left for before, after in pairwise(found))
    assert all(token.text and not any(map(str.isspace, token.text)) for token in found)
