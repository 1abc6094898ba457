"""How nodes are written in formulas: letters in italics side by side, words upright and apart."""

from __future__ import annotations

import pytest

from question_bank.math import plain
from solvers.operations.base import product, symbol


@pytest.mark.parametrize(
    ("name", "latex", "shown"),
    [
        ("X", "X", "X"),
        ("W_Q", "W_Q", "W_Q"),
        ("θ", r"\theta", "θ"),
        ("θ_i", r"\theta_i", "θᵢ"),
        ("d_model", r"d_{\text{model}}", "d_model"),
        ("mean", r"\mathrm{mean}", "mean"),
        ("less_mean", r"\mathrm{less}_{\text{mean}}", "less_mean"),
        ("long_q", r"\mathrm{long}_q", "long_q"),
    ],
)
def test_names(name: str, latex: str, shown: str) -> None:
    assert symbol(name) == latex
    assert plain(f"${latex}$") == shown


@pytest.mark.parametrize(
    ("left", "right", "shown"),
    [
        ("X", "W_Q", "XW_Q"),
        ("A", "V", "AV"),
        ("θ", "X", "θX"),
        ("x", "less_mean", "x·less_mean"),
        ("quarters", "N", "quarters·N"),
        ("d_model", "X", "d_model X"),
    ],
)
def test_a_word_does_not_run_into_its_neighbour(left: str, right: str, shown: str) -> None:
    assert plain(f"${product(left, right)}$") == shown
