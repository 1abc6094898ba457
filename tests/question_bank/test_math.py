from __future__ import annotations

import re
import subprocess
import sys
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from question_bank.math import (
    Formula,
    MathError,
    Words,
    cell_len,
    escape,
    matrix_lines,
    parse,
    plain,
    segments,
    to_latex,
    to_typst,
    to_unicode,
)
from question_bank.math.symbols import Delimiter
from question_bank.math.tree import Fenced, Fraction, Node, Number, Root, Row, Script, Symbol, row
from question_bank.text import Language

# LaTeX in its canonical form, the line in a terminal, the Typst source.
FORMULAS = [
    # attention
    (
        r"\operatorname{softmax}\left( \frac{QK^\top}{\sqrt{d_k}} \right)V",
        "softmax(QKᵀ/√d_k)V",
        r'op("softmax") (frac(Q K^⊤, sqrt(d_k))) V',
    ),
    (r"\mathrm{softmax}(z)_i", "softmax(z)ᵢ", '"softmax"(z)_i'),
    (r"Q = XW_Q", "Q = XW_Q", "Q = X W_Q"),
    (r"S_{ij} = q_i \cdot k_j", "Sᵢⱼ = qᵢ·kⱼ", "S_(i j) = q_i ⋅ k_j"),
    (r"x_i W_Q W_K^\top x_j^\top", "xᵢW_Q W_Kᵀ xⱼᵀ", "x_i W_Q W_K^⊤ x_j^⊤"),
    (r"W_Q \in \mathbb{R}^{d_{\text{model}}\times d_k}", "W_Q ∈ ℝ^(d_model×d_k)", 'W_Q ∈ bb(R)^(d_("model") × d_k)'),
    (r"p_i = \frac{e^{z_i}}{\sum_j e^{z_j}}", "pᵢ = e^(zᵢ)/(∑ⱼ e^(zⱼ))", "p_i = frac(e^(z_i), ∑_j e^(z_j))"),
    (
        r"A_{ij} = \frac{e^{s_{ij}}}{\sum_k e^{s_{ik}}}",
        "Aᵢⱼ = e^(sᵢⱼ)/(∑ₖ e^(sᵢₖ))",
        "A_(i j) = frac(e^(s_(i j)), ∑_k e^(s_(i k)))",
    ),
    (r"\sum_j A_{ij} = 1", "∑ⱼ Aᵢⱼ = 1", "∑_j A_(i j) = 1"),
    (r"o_i = \sum_{j=1}^S A_{ij}v_j", "oᵢ = ∑ⱼ₌₁^S Aᵢⱼvⱼ", "o_i = ∑_(j = 1)^S A_(i j) v_j"),
    (r"e^{-\infty} = 0", "e^(−∞) = 0", "e^(- ∞) = 0"),
    (r"z - \max_j z_j", "z − maxⱼ zⱼ", "z - max_j z_j"),
    (r"v^\top \tanh(W_q q + W_k k)", "vᵀ tanh(W_q q + W_k k)", "v^⊤ tanh (W_q q + W_k k)"),
    (
        r"\mathrm{Concat}(\mathrm{head}_1, \ldots, \mathrm{head}_h)W_O",
        "Concat(head₁, …, head_h)W_O",
        r'"Concat"("head"_1 \, … \, "head"_h) W_O',
    ),
    (r"\mathrm{Attn}(PX) = P\,\mathrm{Attn}(X)", "Attn(PX) = P Attn(X)", '"Attn"(P X) = P thin"Attn"(X)'),
    # why scale
    (r"\mathrm{Var}(q \cdot k) = d_k", "Var(q·k) = d_k", '"Var"(q ⋅ k) = d_k'),
    (r"\mathbb{E}[x^2] - \mathbb{E}[x]^2", "𝔼[x²] − 𝔼[x]²", "bb(E) [x^2] - bb(E) [x]^2"),
    (r"\sum_{l=1}^{d_k}\mathrm{Var}(q_l k_l)", "∑ₗ₌₁^(d_k) Var(qₗkₗ)", '∑_(l = 1)^(d_k)"Var"(q_l k_l)'),
    (r"\operatorname{diag}(p) - pp^\top", "diag(p) − ppᵀ", 'op("diag") (p) - p p^⊤'),
    (
        r"\frac{\partial p_i}{\partial z_j} = p_i(\delta_{ij} - p_j)",
        "∂pᵢ/∂zⱼ = pᵢ(δᵢⱼ − pⱼ)",
        "frac(∂ p_i, ∂ z_j) = p_i (δ_(i j) - p_j)",
    ),
    (r"\nabla_x f", "∇_x f", "∇_x f"),
    (r"x \sim \mathcal{N}(0, 1)", "x ∼ 𝒩(0, 1)", r"x ∼ cal(N) (0 \, 1)"),
    # cost
    (r"O(S^2 d)", "O(S²d)", "O (S^2 d)"),
    (r"O(Sd^2 + S^2 d)", "O(Sd² + S²d)", "O (S d^2 + S^2 d)"),
    (r"O(\log_k S)", "O(log_k S)", "O (log_k S)"),
    (r"\left\lceil \frac{S - 1}{k - 1} \right\rceil", "⌈(S − 1)/(k − 1)⌉", "ceil(frac(S - 1, k - 1))"),
    (r"\lfloor x \rfloor", "⌊x⌋", "floor(x)"),
    (r"S_{\text{dec}} \times S_{\text{enc}}", "S_dec × S_enc", 'S_("dec") × S_("enc")'),
    (r"\frac{d_{\text{model}}}{h}", "d_model/h", 'frac(d_("model"), h)'),
    (r"\frac{8}{3}d_{\text{model}}", "(8/3)d_model", 'frac(8, 3) d_("model")'),
    (r"(2S)^2 = 4S^2", "(2S)² = 4S²", "(2 S)^2 = 4 S^2"),
    (r"3 \times 10^{-4}", "3 × 10⁻⁴", "3 × 10^(- 4)"),
    (r"1{,}024", "1,024", '"1,024"'),
    (r"50\%", "50%", "50 %"),
    # positions
    (
        r"\mathrm{PE}_{(\text{pos}, 2i)} = \sin\left( \frac{\text{pos}}{10000^{2i/d}} \right)",
        "PE_(pos,2i) = sin(pos/10000^(2i/d))",
        r'"PE"_(("pos"\, 2 i)) = sin (frac("pos", 10000^(2 i slash d)))',
    ),
    (r"\theta_i = 10000^{-2(i - 1)/d}", "θᵢ = 10000^(−2(i−1)/d)", "θ_i = 10000^(- 2 (i - 1) slash d)"),
    (
        r"\begin{pmatrix} \cos m\theta & -\sin m\theta \\ \sin m\theta & \cos m\theta \end{pmatrix}",
        "[[cos mθ, −sin mθ], [sin mθ, cos mθ]]",
        'mat(delim: "(", cos m θ, - sin m θ; sin m θ, cos m θ)',
    ),
    (r"(R_m q)^\top(R_n k) = q^\top R_{n-m}k", "(Rₘq)ᵀ(Rₙk) = qᵀRₙ₋ₘk", "(R_m q)^⊤ (R_n k) = q^⊤ R_(n - m) k"),
    (r"-m\lvert i - j \rvert", "−m|i − j|", "- m abs(i - j)"),
    (r"2^{-8i/h}", "2^(−8i/h)", "2^(- 8 i slash h)"),
    (r"90^\circ", "90°", "90^∘"),
    # norms, feed-forward, training
    (
        r"\hat{x} = \frac{x - \mu}{\sqrt{\sigma^2 + \varepsilon}}",
        "x̂ = (x − μ)/√(σ² + ε)",
        "hat(x) = frac(x - μ, sqrt(σ^2 + ε))",
    ),
    (r"\gamma \odot \hat{x} + \beta", "γ ⊙ x̂ + β", "γ ⊙ hat(x) + β"),
    (
        r"\sigma^2 = \frac{1}{d}\sum_{i=1}^d(x_i - \mu)^2",
        "σ² = (1/d) ∑ᵢ₌₁ᵈ (xᵢ − μ)²",
        "σ^2 = frac(1, d) ∑_(i = 1)^d (x_i - μ)^2",
    ),
    (r"\lVert x \rVert_2 = \sqrt{\sum_i x_i^2}", "‖x‖₂ = √(∑ᵢ xᵢ²)", "norm(x)_2 = sqrt(∑_i x_i^2)"),
    (r"\lvert x \rvert\lvert y \rvert", "|x|·|y|", "abs(x) abs(y)"),
    (
        r"\max(0, xW_1 + b_1)W_2 + b_2",
        "max(0, xW₁ + b₁)W₂ + b₂",
        r"max (0 \, x W_1 + b_1) W_2 + b_2",
    ),
    (r"\frac{dy}{dx} = 1 + \frac{dF}{dx}", "dy/dx = 1 + dF/dx", "frac(d y, d x) = 1 + frac(d F, d x)"),
    (r"(1 + f)^n", "(1 + f)ⁿ", "(1 + f)^n"),
    (
        r"d_{\text{model}}^{-0.5}\min(t^{-0.5}, tw^{-1.5})",
        "d_model^(−0.5) min(t^(−0.5), tw^(−1.5))",
        r'd_("model")^(- 0.5) min (t^(- 0.5) \, t w^(- 1.5))',
    ),
    (r"-\frac{1}{n}\sum_t \log p(x_t \mid x_{<t})", "−(1/n) ∑ₜ log p(xₜ | x_(<t))", "- frac(1, n) ∑_t log p (x_t ∣ x_(< t))"),
    (r"\varepsilon/(K - 1)", "ε/(K − 1)", "ε slash (K - 1)"),
    (r"x\Phi(x)", "xΦ(x)", "x Φ (x)"),
    (r"\ln 2 \approx 0.693", "ln 2 ≈ 0.693", "ln 2 ≈ 0.693"),
    (r"a \pm b", "a ± b", "a ± b"),
    # brackets that one line needs
    (r"\frac{1}{1 + x}", "1/(1 + x)", "frac(1, 1 + x)"),
    (r"\frac{a + b}{c}", "(a + b)/c", "frac(a + b, c)"),
    (r"\frac{a}{bc}", "a/(bc)", "frac(a, b c)"),
    (r"\frac{ab}{c}", "ab/c", "frac(a b, c)"),
    (r"\frac{\frac{a}{b}}{c}", "(a/b)/c", "frac(frac(a, b), c)"),
    (r"\frac{a}{\frac{b}{c}}", "a/(b/c)", "frac(a, frac(b, c))"),
    (r"\frac{a}{b}c", "(a/b)c", "frac(a, b) c"),
    (r"a\frac{b}{c}", "a·b/c", "a frac(b, c)"),
    (r"a\frac{b}{c}d", "a·(b/c)d", "a frac(b, c) d"),
    (r"a\frac{-b}{c}", "a·(−b/c)", "a frac(- b, c)"),
    (r"\frac{a}{b} \cdot c", "(a/b)·c", "frac(a, b) ⋅ c"),
    (r"a \cdot \frac{b}{c} + d", "a·b/c + d", "a ⋅ frac(b, c) + d"),
    (r"\frac{a}{b}/c", "(a/b)/c", "frac(a, b) slash c"),
    (r"a/\frac{b}{c}", "a/(b/c)", "a slash frac(b, c)"),
    (r"\frac{a}{b}\frac{c}{d}", "(a/b)·c/d", "frac(a, b) frac(c, d)"),
    (r"\frac{a}{b}^2", "(a/b)²", "frac(a, b)^2"),
    (r"-\frac{1}{2}", "−1/2", "- frac(1, 2)"),
    (r"\frac{-1}{2}", "−1/2", "frac(- 1, 2)"),
    (r"-\frac{-a}{b}", "−(−a/b)", "- frac(- a, b)"),
    (r"x = \frac{-a}{b}", "x = −a/b", "x = frac(- a, b)"),
    (r"\frac{-a + b}{2}", "(−a + b)/2", "frac(- a + b, 2)"),
    (r"\frac{a}{-b}", "a/(−b)", "frac(a, - b)"),
    (r"\frac{q \cdot k}{\sqrt{d}}", "(q·k)/√d", "frac(q ⋅ k, sqrt(d))"),
    (r"\frac{(a + b)}{2}", "(a + b)/2", "frac((a + b), 2)"),
    (r"\frac{(a + b)c}{(d)(e)}", "(a + b)c/((d)(e))", "frac((a + b) c, (d) (e))"),
    (r"\frac{\ln x}{y}", "(ln x)/y", "frac(ln x, y)"),
    (r"\ln\frac{a}{b}", "ln(a/b)", "ln frac(a, b)"),
    (r"\prod_i \frac{a}{b}", "∏ᵢ (a/b)", "∏_i frac(a, b)"),
    (r"\frac{1}{\exp(x)}", "1/exp(x)", "frac(1, exp (x))"),
    (r"\frac{1}{f(x)}", "1/(f(x))", "frac(1, f (x))"),
    (r"\frac{\sum_i x_i}{n}", "(∑ᵢ xᵢ)/n", "frac(∑_i x_i, n)"),
    (r"\frac{\text{number of heads}}{2}", "(number of heads)/2", 'frac("number of heads", 2)'),
    (r"\sqrt{2}", "√2", "sqrt(2)"),
    (r"\frac{\sqrt{2}}{2}", "√2/2", "frac(sqrt(2), 2)"),
    (r"\sqrt{x^2}", "√(x²)", "sqrt(x^2)"),
    (r"\sqrt{x}^2", "(√x)²", "sqrt(x)^2"),
    (r"\sqrt{ab}", "√(ab)", "sqrt(a b)"),
    (r"\sqrt{a}b", "√a·b", "sqrt(a) b"),
    (r"2\sqrt{3}", "2√3", "2 sqrt(3)"),
    (r"\sqrt{\frac{a}{b}}", "√(a/b)", "sqrt(frac(a, b))"),
    (r"\sqrt{(a + b)}", "√(a + b)", "sqrt((a + b))"),
    (r"\sqrt[3]{x}", "∛x", "root(3, x)"),
    (r"a\sqrt[n]{x}", "a·ⁿ√x", "a root(n, x)"),
    (r"a^n \sqrt{x}", "aⁿ·√x", "a^n sqrt(x)"),
    (r"\sqrt[q]{a + b}", "(a + b)^(1/q)", "root(q, a + b)"),
    (r"{x^2}^3", "(x²)³", "attach(x^2, t: 3)"),
    (r"{ab}_1^2", "(ab)₁²", "attach(a b, t: 2, b: 1)"),
    (r"(-x)^2", "(−x)²", "(- x)^2"),
    (r"-x^2", "−x²", "- x^2"),
    (r"e^{x+y}", "e^(x+y)", "e^(x + y)"),
    (r"e^\theta x", "e^θ x", "e^θ x"),
    (r"e^{\theta x}", "e^(θx)", "e^(θ x)"),
    (r"e^{-x}", "e⁻ˣ", "e^(- x)"),
    (r"e^{-\frac{x}{2}}", "e^(−x/2)", "e^(- frac(x, 2))"),
    # letters, scripts, signs
    (r"x_{t+1}", "xₜ₊₁", "x_(t + 1)"),
    (r"x_{i,j}", "x_(i,j)", r"x_(i \, j)"),
    (r"x_{i_1}", "x_(i₁)", "x_(i_1)"),
    (r"d_{in} \ne d_{out}", "d_in ≠ d_out", "d_(i n) ≠ d_(o u t)"),
    (r"d_1", "d₁", "d_1"),
    (r"d_k V", "d_k V", "d_k V"),
    (r"d_k(x)", "d_k(x)", "d_k (x)"),
    (r"d_k^2", "d_k²", "d_k^2"),
    (r"W_Q^{(i)}", "W_Q⁽ⁱ⁾", "W_Q^((i))"),
    (r"x_i^\prime", "xᵢ′", "x_i^′"),
    (r"\theta^*", "θ*", "θ^∗"),
    (r"x2", "x·2", "x 2"),
    (r"x = -1", "x = −1", "x = - 1"),
    (r"a \cdot -b", "a·−b", "a ⋅ - b"),
    (r"\lim_{x\to 0}f(x)", "lim_(x→0) f(x)", "lim_(x → 0) f (x)"),
    (r"\arg\max_i x_i", "arg maxᵢ xᵢ", "arg max_i x_i"),
    (r"\sin^2 x", "sin² x", "sin^2 x"),
    (r"\mathbf{x} \ne x", "𝐱 ≠ x", "bold(upright(x)) ≠ x"),
    (r"\mathbb{1}", "𝟙", "bb(1)"),
    (r"\bar{x} + \vec{v} + \overline{xy}", "x̄ + vec(v) + overline(xy)", "macron(x) + arrow(v) + overline(x y)"),
    (r"\{x \in A \mid x > 0\}", "{x ∈ A | x > 0}", "{x ∈ A ∣ x > 0}"),
    (r"[0, 1)", "[0, 1)", r"lr(\[ 0 \, 1 \))"),
    (r"\langle q, k \rangle", "⟨q, k⟩", r"⟨q \, k⟩"),
    (r"1, 2, \ldots, n", "1, 2, …, n", r"1 \, 2 \, … \, n"),
    (r"a = b, \quad c = d", "a = b,  c = d", r"a = b \, quad c = d"),
    (r"10\,000", "10 000", "10 thin 000"),
    (r"f : X \to Y", "f : X → Y", "f colon X → Y"),
    (r"x := 2", "x := 2", "x colon = 2"),
    (r"n!", "n!", "n !"),
    (r"x\text{ if }x > 0", "x if x > 0", 'x" if "x > 0'),
    (r"\text{注意力} = 1", "注意力 = 1", '"注意力"= 1'),
    (r'\text{a "b"}', 'a "b"', r'"a \"b\""'),
    (r"\begin{bmatrix} 1 & 0 \end{bmatrix}", "[1, 0]", 'mat(delim: "[", 1, 0)'),
    (r"\begin{bmatrix} 1 \\ {}[2] \end{bmatrix}", "[[1], [[2]]]", 'mat(delim: "[", 1; [2])'),
    (
        r"\begin{cases} x & \text{if }x > 0 \\ 0 & \text{otherwise} \end{cases}",
        "{x, if x > 0; 0, otherwise}",
        'cases(x & quad "if "x > 0, 0 & quad "otherwise")',
    ),
]


@pytest.mark.parametrize(("latex", "line", "typst"), FORMULAS, ids=[line for _, line, _ in FORMULAS])
def test_formula(latex: str, line: str, typst: str) -> None:
    node = parse(latex)
    assert to_unicode(node) == line
    assert to_latex(node) == latex
    assert to_typst(node) == typst


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        (r"\frac {a} { b }", r"\frac{a}{b}"),
        (r"\dfrac{a}{b}", r"\frac{a}{b}"),
        (r"a\leq b\geq c\neq d", r"a \le b \ge c \ne d"),
        (r"a\rightarrow b", r"a \to b"),
        (r"\epsilon", r"\varepsilon"),
        ("x'", r"x^\prime"),
        ("x''_i", r"x_i^{\prime\prime}"),
        (r"x'^2", r"x^{\prime 2}"),
        (r"|x|", r"\lvert x \rvert"),
        (r"\left|x\right|", r"\lvert x \rvert"),
        (r"\|x\|", r"\lVert x \rVert"),
        (r"\left(x\right)", "(x)"),
        (r"(\frac{a}{b})", r"\left( \frac{a}{b} \right)"),
        (r"\left[0,1\right)", "[0, 1)"),
        ("{{x}}", "x"),
        ("a{bc}{}d", "abcd"),
        (r"{\alpha}_{i}", r"\alpha_i"),
        (r"\mathrm{ Var }(x)", r"\mathrm{Var}(x)"),
        (r"\operatorname{log-sum-exp}(z)", r"\operatorname{log-sum-exp}(z)"),
        (r"\operatorname{exp}(z)", r"\exp(z)"),
        (r"\text{5\% of \{S\}}", r"\text{5\% of \{S\}}"),
        (r"\begin{pmatrix}1&2\\3&4\\\end{pmatrix}", r"\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}"),
        (r"\sqrt[{[2]}]{x}", r"\sqrt[{[2]}]{x}"),
        (r"d_\text{k}", r"d_{\text{k}}"),
        ("a~b", r"a\ b"),
        (".5", ".5"),
        (r"3 . 5", r"3. 5"),
        ("x_{3 . 5}", "x_{3. 5}"),
        ("x = x^2.", "x = x^2."),
        ("x^2 .5", "x^2 .5"),
        ("x^2 3", "x^2 3"),
    ],
)
def test_canonical_latex(written: str, canonical: str) -> None:
    node = parse(written)
    assert to_latex(node) == canonical
    assert parse(canonical) == node


@pytest.mark.parametrize(
    ("latex", "offset", "named"),
    [
        (r"a + \foo{x}", 4, r"\foo"),
        (r"\begin{array}", 0, r"\begin{array}"),
        (r"\begin x", 0, r"\begin x"),
        (r"x \textbf{y}", 2, r"\textbf"),
        ("x × y", 2, "×"),
        ("注", 0, "注"),
        ("x % y", 2, "%"),
        ("x $ y", 2, r"\$"),
        ("x\n\ny", 1, "¶"),
        ("x\\", 1, "\\"),
        ("x \0", 2, "\0"),
        ("", 0, "empty"),
        ("  ", 0, "empty"),
        ("{}", 0, "empty"),
        (r"\frac{}{x}", 5, "empty"),
        (r"x^{}", 2, "empty"),
        (r"\begin{pmatrix}\end{pmatrix}", 0, "empty"),
        (r"\frac{a}b", 0, r"\frac"),
        (r"\sqrt 2", 0, r"\sqrt"),
        (r"\text x", 0, r"\text"),
        (r"\text{a_b}", 0, r"\_"),
        (r"\mathrm{d_k}", 0, r"\mathrm"),
        (r"\mathrm{a-b}", 0, r"\mathrm"),
        ("(a", 0, "("),
        ("a)", 1, ")"),
        ("(a}", 2, "}"),
        ("{a", 0, "{"),
        (r"\left( a", 0, r"\left"),
        (r"\left( a )", 9, ")"),
        (r"\left( a \right]x\right)", 17, r"\right"),
        (r"\left( a \right\}", 9, r"\right"),
        (r"\left x \right)", 0, r"\left"),
        (r"\{a)", 3, ")"),
        ("|a", 0, "|"),
        ("p(y|x)", 3, "|"),
        ("a & b", 2, "&"),
        (r"a \\ b", 2, r"\\"),
        (r"\begin{pmatrix} 1 & 2 \\ 3 \end{pmatrix}", 0, "rows"),
        (r"\begin{pmatrix} 1 \\[2pt] 3 \end{pmatrix}", 18, "["),
        (r"\begin{pmatrix} 1 \end{bmatrix}", 18, r"\end{bmatrix}"),
        ("^2", 0, "^"),
        ("a + _2", 4, "_"),
        ("a +_2", 3, "_"),
        ("x^2^3", 3, "^"),
        ("x_1_2", 3, "_"),
        ("x^2'", 3, "'"),
        ("x^", 1, "^"),
        ("x^)", 1, "^"),
        ("10^12", 2, "^"),
        ("x_0.5", 1, "_"),
        ("2 3", 2, "numbers"),
        ("3{2x}", 1, "numbers"),
        ("2 3^2", 2, "numbers"),
        ("x" * 4_001, 4_000, "4,000"),
        ("(" * 30 + ")" * 30, 24, "24"),
        ("x^{" * 1_000, 72, "24"),
        (r"\sqrt{" * 600, 144, "24"),
        (r"\left(" * 600, 144, "24"),
        ("{" * 4_000, 24, "24"),
    ],
    ids=lambda value: str(value)[:24],
)
def test_what_cannot_be_read(latex: str, offset: int, named: str) -> None:
    with pytest.raises(MathError) as caught:
        parse(latex)
    error = caught.value
    assert error.offset == offset
    assert named in error.message.en
    assert named in error.message.zh or named.isalpha()
    assert str(error) == error.message.en
    assert len(error.message.en) < 150
    for language in Language:
        plain(error.message[language])  # the message is itself a sentence that can be shown


PIECES = r"""x 2 . , + - / ( ) [ ] { } | ^ _ ' & \\ \left( \right) \{ \} \| \alpha \sum \frac{a}{b} \frac \sqrt [3] \text{a}
    \text{ \mathrm \hat \exp \, \quad \le \begin{pmatrix} \end{pmatrix} \begin{cases} \end{cases} {x} ^{2} _{ij} é $ % \ """


@given(st.lists(st.sampled_from([*PIECES.split(), " "]), max_size=12).map("".join) | st.text(max_size=20))
def test_any_input_is_read_or_refused(latex: str) -> None:
    try:
        node = parse(latex)
    except MathError as error:
        where = error.offset
    else:
        where = 0
        assert parse(to_latex(node)) == node
        to_unicode(node)
        to_typst(node)
    assert 0 <= where <= len(latex)


VALUES = {
    "a": 1.7 + 0.4j,
    "b": 0.6 - 0.3j,
    "n": 2.3 + 0.2j,
    "β": 0.9 + 0.1j,
    "12": 12 - 0.5j,
    "3": 3,
    "1": 1,
}  # complex: off the branch cuts
SMALL = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁽⁾ᵃᵇⁿ", "0123456789−()abn", strict=True))


class Reader:
    """Evaluates a line of Unicode, independently of the renderer.

    Whether what stands behind a slash reaches over a product without a sign (is 1/2a half of a?) is a matter of taste, so a
    line must have the same value both ways.
    """

    def __init__(self, line: str, *, greedy: bool) -> None:
        self.rest = line.replace(" + ", "+").replace(" − ", "−")
        self.greedy = greedy

    def peek(self) -> str:
        return self.rest[:1]

    def take(self) -> str:
        first, self.rest = self.rest[0], self.rest[1:]
        return first

    def value(self) -> complex:
        total = -self.product() if self.peek() == "−" and self.take() else self.product()
        while self.peek() and self.peek() in "+−":
            total += self.product() if self.take() == "+" else -self.product()
        return total

    def product(self) -> complex:
        total = self.factors()
        while self.peek() and self.peek() in "·/":
            total = total * self.factors() if self.take() == "·" else total / self.factors()
        return total

    def factors(self) -> complex:
        total = self.power()
        while self.peek() and self.peek() not in "+−·/)":
            if not self.greedy:
                self.rest = "·" + self.rest.lstrip(" ")
                return total
            self.rest = self.rest.lstrip(" ")
            total *= self.power()
        return total

    def small(self) -> complex | None:
        end = next((at for at, character in enumerate(self.rest) if character not in SMALL), len(self.rest))
        run, self.rest = self.rest[:end], self.rest[end:]
        return Reader("".join(SMALL[character] for character in run), greedy=True).value() if run else None

    def power(self) -> complex:
        index = self.small()
        if index is not None or self.peek() in ("√", "∛"):
            degree = 3 if self.take() == "∛" else index or 2
            result = self.atom() ** (1 / degree)
            assert self.peek() not in (*SMALL, "^"), "a power of a root without brackets"
            return result
        base = self.atom()
        exponent = self.small()
        if exponent is None and self.peek() == "^":
            self.take()
            exponent = self.atom()
        return base if exponent is None else base**exponent

    def atom(self) -> complex:
        if self.peek() == "(":
            self.take()
            inside = self.value()
            assert self.take() == ")"
            return inside
        if self.peek().isdigit():
            digits = re.match("[0-9]+", self.rest)
            assert digits
            self.rest = self.rest[digits.end() :]
            return VALUES[digits.group()]
        return VALUES[self.take()]


UNITS = (*map(Symbol, "abn"), Symbol(r"\beta"), Number("12"))


def draw(random: Random, depth: int) -> Node:
    """Draw a formula: a sum of products. Among factors a sum stands in brackets, as it must on paper."""
    terms: list[Node] = []
    for at in range(random.choice((1, 1, 2))):
        terms += [Symbol(random.choice("+-"))] if at else random.choice(([], [], [Symbol("-")]))
        for place in range(random.choice((1, 1, 2, 3))):
            terms += [Symbol(r"\cdot")] if place and not random.randrange(4) else []
            terms.append(draw_factor(random, depth))
    return row(terms)


def draw_factor(random: Random, depth: int) -> Node:
    if not depth:
        return random.choice(UNITS)
    match random.randrange(6):
        case 0:
            return Fraction(draw(random, depth - 1), draw(random, depth - 1))
        case 1:
            return Root(draw(random, depth - 1), random.choice((None, None, Number("3"), Symbol("n"), draw(random, 0))))
        case 2:
            return Script(draw_factor(random, depth - 1), None, draw(random, depth - 1))
        case 3:
            return Script(draw(random, depth - 1), None, draw(random, 0))
        case 4:
            return Fenced(Delimiter.LEFT_PARENTHESIS, draw(random, depth - 1), Delimiter.RIGHT_PARENTHESIS)
        case _:
            return random.choice(UNITS)


def value(node: Node) -> complex:
    """Evaluate a formula as it stands on paper."""
    match node:
        case Number() | Symbol():
            return VALUES[to_unicode(node)]
        case Fraction(above, below):
            return value(above) / value(below)
        case Root(inside, index):
            return value(inside) ** (1 / (2 if index is None else value(index)))
        case Script(base, None, sup) if sup is not None:
            return value(base) ** value(sup)
        case Fenced(_, inside, _):
            return value(inside)
    assert isinstance(node, Row)
    total: complex | None = None
    term: complex | None = None
    minus = False
    for item in (*node.items, Symbol("+")):
        if item in (Symbol("+"), Symbol("-")):
            if term is not None:
                term = -term if minus else term
                total = term if total is None else total + term
            term, minus = None, item == Symbol("-")
        elif item != Symbol(r"\cdot"):
            term = value(item) if term is None else term * value(item)
    assert total is not None
    return total


def test_one_line_means_what_the_formula_means() -> None:
    compared = 0
    for seed in range(3_000):
        node = draw(Random(seed), depth=3)
        line = to_unicode(node)
        try:
            expected = value(node)
            read = [Reader(line, greedy=greedy).value() for greedy in (True, False)]
        except ArithmeticError:  # a division by zero, a power too large
            continue
        if 1e-9 < abs(expected) < 1e9:
            assert read == pytest.approx([expected] * 2, rel=1e-6), (line, to_latex(node))
            compared += 1
    assert compared > 1_000


def test_drawn_formulas_survive_latex() -> None:
    for seed in range(300):
        node = draw(Random(seed), depth=3)
        try:
            again = parse(to_latex(node))
        except MathError as refusal:
            again = node if "Two numbers" in str(refusal) else refusal
        assert again == node


@pytest.mark.parametrize(
    ("sentence", "shown"),
    [
        ("", ""),
        ("No formula here.", "No formula here."),
        (r"Divide $QK^\top$ by $\sqrt{d_k}$.", "Divide QKᵀ by √d_k."),
        ("把 $S$ 除以 $\\sqrt{d_k}$，再做 softmax。", "把 S 除以 √d_k，再做 softmax。"),
        ("$a$$b$", "ab"),
        ("$x$", "x"),
        (r"costs \$5", "costs $5"),
        (r"\$5 for $n$ heads, \$", "$5 for n heads, $"),
        (r"$5\$ + x$", "5$ + x"),
        (r"a \ b {c} _d_ \alpha", r"a \ b {c} _d_ \alpha"),
        ("[bold]x[/bold]", "[bold]x[/bold]"),
    ],
)
def test_plain(sentence: str, shown: str) -> None:
    assert plain(sentence) == shown


@pytest.mark.parametrize(
    ("sentence", "offset"),
    [
        ("costs $5", 6),
        ("$a$ and $b", 8),
        (r"$a\$", 0),
        ("$$", 1),
        (r"see $x$ and $\foo$", 13),
    ],
)
def test_faulty_sentence(sentence: str, offset: int) -> None:
    with pytest.raises(MathError) as caught:
        plain(sentence)
    assert caught.value.offset == offset
    assert str(offset) in caught.value.message.zh


def test_message_about_a_dollar_shows_dollars() -> None:
    with pytest.raises(MathError) as caught:
        segments("costs $5")
    assert plain(caught.value.message.en) == r"The $ at offset 6 starts a formula that never ends; a dollar sign is written \$."


def test_segments() -> None:
    assert segments(r"by $\sqrt{2}$, \$1") == (Words("by "), Formula(r"\sqrt{2}", parse(r"\sqrt{2}")), Words(", $1"))
    assert segments("") == ()


@given(st.text(alphabet=st.sampled_from("a$\\ {}_注") | st.characters()))
def test_escaped_text_is_shown_as_it_is(text: str) -> None:
    assert plain(escape(text)) == text
    assert plain(f"typed: {escape(text)}; $x$") == f"typed: {text}; x"


@pytest.mark.parametrize(
    ("rows", "lines"),
    [
        ((("1", "0", "2"),), ["[ 1  0  2 ]"]),
        ((("1", "10"), ("-2", "3")), ["⎡  1  10 ⎤", "⎣ -2   3 ⎦"]),
        (
            (("0.5", "1"), ("-12.25", "0"), ("3", "−∞")),
            ["⎡   0.5    1 ⎤", "⎢ -12.25   0 ⎥", "⎣   3     −∞ ⎦"],
        ),
        ((("0.50",), ("√2/2",), ("1",)), ["⎡ 0.50 ⎤", "⎢ √2/2 ⎥", "⎣ 1    ⎦"]),
        ((("50%",), ("7.5%",)), ["⎡ 50%   ⎤", "⎣  7.5% ⎦"]),
        ((("注意", "1"), ("a", "2")), ["⎡ 注意  1 ⎤", "⎣    a  2 ⎦"]),
        ((("x̂",), ("10",)), ["⎡  x̂ ⎤", "⎣ 10 ⎦"]),
        ((), ["[ ]"]),
        (((), ()), ["[ ]", "[ ]"]),
    ],
)
def test_matrix_lines(rows: tuple[tuple[str, ...], ...], lines: list[str]) -> None:
    assert matrix_lines(rows) == lines
    assert len({cell_len(line) for line in lines}) == 1


def test_matrix_lines_refuses_ragged_rows() -> None:
    with pytest.raises(ValueError, match="shorter"):
        matrix_lines((("1", "2"), ("3",)))


@pytest.mark.parametrize(
    ("text", "columns"),
    [("", 0), ("abc", 3), ("注意力", 6), ("０．５", 6), ("x̂", 1), ("QKᵀ/√d_k", 8), ("⎡", 1), ("a\u200bb", 2)],
)
def test_cell_len(text: str, columns: int) -> None:
    assert cell_len(text) == columns


def test_importing_the_package_does_not_import_the_tokenizer() -> None:
    code = "import sys, question_bank.math; sys.exit('pylatexenc' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
