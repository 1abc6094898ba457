"""What a lab's values are called: symbols that a person knows, never the words of its program."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from question_bank import labs
from question_bank.labs.lab import View
from question_bank.labs.state import LabState, Swapped
from question_bank.program import call
from question_bank.text import Language, Text
from quizapp.widgets.bilingual import written
from quizapp.widgets.blocks import draw
from quizapp.widgets.board import At
from quizapp.workbench import Workbench
from solvers.frames import frame_of

SCENES = [(name, at) for name in labs.LABS for at in range(len(labs.load(name).scenes))]
NORMS = {"LN", "BN", "RMS"}


def bench_of(name: str, at: int = 0, state: LabState | None = None) -> Workbench:
    lab = labs.load(name)
    bench = Workbench(lab.scenes[at], lab.start(at))
    bench.state = state or bench.state
    bench.take(frame_of(bench.state, bench.wanted))
    return bench


def lead(bench: Workbench, name: str) -> str:
    return next(written(block.lead, Language.ZH) for block in (*bench.given(), *bench.worked()) if block.name == name)


@pytest.mark.parametrize(("name", "at"), SCENES)
def test_no_word_of_the_program_is_shown(name: str, at: int) -> None:
    bench = bench_of(name, at)
    program = bench.start.program
    words = {word for each in (*program.values, *program.lines) for word in re.findall("[A-Za-z]{3,}", each)} - NORMS
    leads = " ".join(written(block.lead, Language.ZH) for block in (*bench.given(), *bench.worked()))
    assert not words & set(re.findall("[A-Za-z]+", leads.replace("d_model", "")))
    for look in bench.scene.looks:
        assert not set(bench.scene.symbols) & set(
            re.findall(r"[A-Za-z]\w+", re.sub("«.*?»", " ", written(look.says, Language.ZH)), re.ASCII)
        )


@pytest.mark.parametrize(
    ("name", "at", "node", "shown"),
    [
        ("layer-norm", 0, "mu", "μ = t/n ="),
        ("layer-norm", 0, "v", "σ² = s/n ="),
        ("layer-norm", 0, "gamma", "γ ="),
        ("length-doubles", 0, "T", "T = 2S ="),
        ("dot-product-angle", 0, "k", "k = ‖k‖(cos θ, sin θ) ="),
        ("residual-gradient", 1, "Y_new", "Y′ = X′ + O′ ="),
        ("rates-and-dropout", 1, "mean", "D̄ = (1/4) ∑ᵢ Dᵢ ="),
        ("one-pass", 0, "training", "N₀ ="),
    ],
)
def test_values_are_written_as_a_person_writes_them(name: str, at: int, node: str, shown: str) -> None:
    assert lead(bench_of(name, at), node) == shown


def test_a_formula_of_its_own_holds_only_while_its_line_does() -> None:
    start = labs.load("layer-norm").start(0)
    assert lead(bench_of("layer-norm"), "y") == "y = γ·c/√(σ²) + β ="
    wrong = replace(start, mistake=Swapped("layer_norm.no-affine", "y"))
    assert "γ" not in lead(bench_of("layer-norm", 0, wrong), "y")
    changed = labs.load("rates-and-dropout").start(1).with_changes(lines=(call("mean", "same", "D"),))
    assert lead(bench_of("rates-and-dropout", 1, changed), "mean") == "D̄ = D ="


def test_lines_by_hand_and_messages_have_the_same_symbols() -> None:
    bench = bench_of("layer-norm")
    cell = bench.lines(At("mu", ()))
    assert cell is not None
    assert [(line.cell, line.expression, line.result) for line in cell.lines] == [("μ", "10 / 4", "2.5")]
    step = bench.step("mu")
    assert step is not None
    assert step.title == Text("mean", "均值")
    assert not step.reason.en  # which would speak of scores
    broken = bench_of("layer-norm", 0, bench.start.with_cell("n", (), 0))
    assert any("$\\mu$" in message.zh for message in broken.troubles())


def test_a_row_with_a_dial_is_drawn_as_sliders() -> None:
    bench = bench_of("weighted-values")
    row = next(block for block in bench.given() if block.name == "w")
    lines = ["".join(piece.text for piece in line) for line in draw(row, Language.EN, 60)]
    assert [line.index("●") - line.index("0.") for line in lines] == [12, 9, 9]
    assert [piece.cell for line in draw(row, Language.EN, 60) for piece in line if piece.cell is not None] == [(0,), (1,), (2,)]
    turned = []
    for _ in View:
        bench.turn_view("V")
        turned.append(bench.views["V"])
    assert View.SLIDERS not in turned  # a matrix has none
