"""The interactive demonstrations, one per section; content files name them by their ids.

A lab is a TOML file named after it, ``scaling.toml``, with one scene or more (``lab.Lab``, ``lab.Scene``). A scene is a program,
taken from an example of the section's lesson or written in the file, and what a person can do with it: inputs that change and
by how much, steps that can be switched off, mistakes to swap in, how each node is drawn, and what to look for. The general lab
screen (``quizapp/screens/lab.py``) shows any scene; nothing needs to be written for a new one but the file.

*What to look for* (``looks``) is a sentence, with a change of the program that it is about. Its numbers are never typed in: they
stand between « and » as in a lesson. «A[1,2]» is a cell of the changed program, «1:A[1,2]» of the program as it was at the start.

*Names.* A program names values by words (``mean``, ``X_new``) and computes by helpers (a row of quarters). A person sees neither:
``symbols`` says how a value is written, ``formulas`` what stands behind its =, ``notes`` what it is, in both languages
(``quizapp/lab_names.py``). «mean[1]» in a sentence keeps the program's name; beside it stands the symbol, in dollar signs.

*A drawing of its own.* A scene whose ``drawing`` is ``'angle'`` gets a widget from ``quizapp/widgets/drawings/angle.py`` above its
numbers: a module with a class ``Drawing(LabDrawing)`` (see ``quizapp/widgets/drawings/__init__.py``), whose ``show(frame, before)``
is called with every new ``solvers.frames.Frame``. It draws nodes by their values and computes nothing: a curve is a node of the
program over ``points``, an input of many numbers; ``show`` of the scene leaves both out. Keys, cells, switches, mistakes, reset, steps and
the coalescing of requests are the screen's; a drawing has none of it, and it must be readable without colour.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from question_bank.text import Text

if TYPE_CHECKING:
    from question_bank.labs.lab import Lab

FOLDER = Path(__file__).parent

LABS: dict[str, tuple[str, Text]] = {
    "coreference": ("7.1", Text("Who does “it” attend to?", "“它”在看谁")),
    "block-walk": ("7.2", Text("A block, module by module", "一个 block，逐个模块看")),
    "position-curves": ("7.3", Text("Position curves, and the dot product of two positions", "位置编码曲线与两个位置的点积")),
    "length-doubles": ("7.4", Text("The length doubles", "序列长度翻倍")),
    "projections": ("7.5", Text("From X to Q, K and V, step by step", "从 X 到 Q、K、V，一步一步来")),
    "symmetric-scores": ("7.6", Text("Symmetric scores, asymmetric weights", "分数对称，权重不对称")),
    "dot-product-angle": ("7.7", Text("The dot product by angle", "点积随夹角变化")),
    "dot-or-additive": ("7.8", Text("Dot product against additive scores", "点积打分与加性打分")),
    "scaling": ("7.9", Text("The width of a head, with and without scaling", "调 $d_k$，看缩放前后")),
    "softmax": ("7.10", Text("Scores, exponentials, sum, weights", "分数、指数、求和、归一化")),
    "weighted-values": ("7.11", Text("The output between the values", "输出落在各个 value 之间")),
    "attention-by-hand": ("7.12", Text("The whole calculation, step by step", "完整手算，逐步走")),
    "formula-and-code": ("7.13", Text("A line of formula, a line of code", "一行公式对一行代码")),
    "four-heads": ("7.14", Text("Four heads, four patterns", "四个 head，四种模式")),
    "cache-and-blocks": (
        "7.15",
        Text("Cache bytes, and the online softmax block by block", "KV cache 大小与分块的 online softmax"),
    ),
    "padding": ("7.16", Text("Padding on and off", "padding mask 开与关")),
    "causal-mask": ("7.17", Text("The causal mask in three steps", "三步看 causal mask")),
    "cross-attention": ("7.18", Text("From a decoder token to its encoder weights", "解码器的一个 token 怎样看编码器")),
    "residual-gradient": ("7.19", Text("The gradient by depth, with and without residuals", "有无残差，梯度随深度的变化")),
    "layer-norm": ("7.20", Text("LayerNorm, step by step", "LayerNorm 逐步计算")),
    "feed-forward": (
        "7.21",
        Text("Shapes and parameters of the FFN; ReLU against SwiGLU", "FFN 的形状与参数量，ReLU 对比 SwiGLU"),
    ),
    "one-pass": ("7.22", Text("One training pass against token by token", "训练一次前向，对比逐 token 生成")),
    "rates-and-dropout": ("7.23", Text("The learning-rate curve; dropout on and off", "学习率曲线，dropout 开与关")),
}
"""Section and title of each lab, by its id."""


def lab_of(section: str) -> str | None:
    """Return the id of a section's lab, None where it has none."""
    return next((name for name, (of, _title) in LABS.items() if of == section), None)


@cache
def load(name: str) -> Lab:
    """Return a lab by its id.

    Raises:
        ContentError: There is no such lab, or its file is at fault.
    """
    from question_bank.content import read
    from question_bank.labs.lab import Lab, faults

    return read(FOLDER / f"{name}.toml", Lab, lambda lab: faults(lab, name))
