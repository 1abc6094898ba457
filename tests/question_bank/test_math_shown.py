"""Lines of worked steps and exact numbers, read back into formulas."""

from __future__ import annotations

import pytest

from question_bank.math import parse, to_latex, to_unicode
from question_bank.math.shown import read_shown

CASES = (
    ("e^(−0.5) + √2·x₁²", r"e^{-0.5} + \sqrt{2} \cdot x_1^2"),
    ("(0² + (−4)²) / 4", r"(0^2 + (-4)^2)/4"),
    ("10000^(2·0/10)", r"10000^{2\cdot 0/10}"),
    ("2^−3", "2^{-3}"),
    ("√d_model", r"\sqrt{d_{\text{model}}}"),
    ("√(σ² + ε)", r"\sqrt{\sigma^2 + \varepsilon}"),
    ("QKᵀ, AV", r"QK^\top, AV"),
    ("x̂₄₁", r"\hat{x}_{41}"),
    ("O_1₂", "O_{1,2}"),
    ("S₁₀,₂", "S_{10,2}"),
    ("max(0.3019, 0.0189)", r"\max(0.3019, 0.0189)"),
    ("−ln(2)/3", r"-\ln(2)/3"),
    ("⌈43.5⌉", r"\lceil 43.5 \rceil"),
    ("X [3, 11], W_Q [12, 12]", "X[3, 11], W_Q[12, 12]"),
    ("1,024 × 2", r"1{,}024 \times 2"),
    ("Var 1", r"\mathrm{Var}\ 1"),
    ("e^z₁", "e^{z_1}"),
    ("γ′", r"\gamma^\prime"),
    ("peak − floor", r"\mathrm{peak} - \mathrm{floor}"),
    ("−∞", r"-\infty"),
    ("(", r"\text{(}"),
    ("", ""),
)


@pytest.mark.parametrize(("shown", "latex"), CASES)
def test_a_line_is_read_as_the_formula_that_it_shows(shown: str, latex: str) -> None:
    assert to_latex(read_shown(shown)) == latex


@pytest.mark.parametrize("shown", [shown for shown, _ in CASES if shown not in ("", "(")])
def test_what_was_read_is_latex_that_reads_the_same(shown: str) -> None:
    assert to_unicode(parse(to_latex(read_shown(shown)))) == to_unicode(read_shown(shown))
