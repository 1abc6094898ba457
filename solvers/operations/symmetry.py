"""Scores of tokens against themselves, X Xᵀ, and whether a matrix is symmetric."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from question_bank.program import Ask, Call, Program
from question_bank.text import Text
from solvers.hand import Array, Hand, number_like, subscript
from solvers.operations.base import Edited, Mistake, Operation, only_if, rewire, symbol, with_parameters
from solvers.operations.projecting import rows_by_columns, transposed
from solvers.shapes import require

if TYPE_CHECKING:
    from torch import Tensor


class SelfProduct(Operation):
    """``self_product(X)``: X Xᵀ, [n, d] to [n, n].

    Parameters: ``form`` is ``xxt``; the mistakes are ``xtx`` (Xᵀ X, [d, d]), ``xx`` (X X, not transposed) and ``diagonal``
    (the dot products of each row with itself alone, 0 elsewhere).
    """

    name = "self_product"
    section = "7.6"
    title = Text("Score every token against every token", "每个 token 给每个 token 打分")
    reason = Text(
        "Entry $(i, j)$ is the dot product of rows $i$ and $j$. A dot product doesn't depend on the order, so the matrix is symmetric; on its diagonal are the squared lengths.",
        "第 $(i, j)$ 项是第 $i$ 行与第 $j$ 行的点积。点积与先后无关，所以矩阵对称；对角线上是各行长度的平方。",
    )
    mistakes = (
        Mistake(
            "self_product.columns",
            Text("You multiplied columns by columns: that is $X^\\top X$", "你用列乘了列，算成了 $X^\\top X$"),
            with_parameters(form="xtx"),
        ),
        Mistake(
            "self_product.no-transpose",
            Text("You computed $XX$, without transposing", "你算的是 $XX$，没有转置"),
            with_parameters(form="xx"),
        ),
        Mistake(
            "self_product.diagonal",
            Text(
                "You multiplied each row by itself only; different rows have dot products too",
                "你只让每一行与自己做了点积，不同的行之间也要做",
            ),
            with_parameters(form="diagonal"),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        X = symbol(line.arguments[0])
        return rf"{symbol(line.node)} = {X} {X}^\top"

    def torch(self, X: Tensor, form: str = "xxt") -> Tensor:
        """Multiply the matrix by its transpose."""
        require(len(X.shape) == 2, "a matrix of tokens [n, d]", X=X)
        if form == "xtx":
            return X.T @ X  # [d, d]
        if form == "xx":
            return X @ X
        G = X @ X.T  # [n, n]
        return G.diag().diag() if form == "diagonal" else G

    def by_hand(self, hand: Hand, X: Array, form: str = "xxt") -> Array:
        """One dot product a cell."""
        say = Text("dot product of two rows: multiply pairwise, then add", "两行的点积：先逐项相乘，再求和")
        if form == "xtx":
            X = transposed(X)
        G = rows_by_columns(hand, X, transposed(X) if form == "xx" else X, say)
        if form == "diagonal":
            return [[cell if i == j else cell * 0 for j, cell in enumerate(row)] for i, row in enumerate(G)]
        return G


def _of_weights(program: Program, line: Call) -> bool:
    source = program.lines.get(line.arguments[0])
    return source is not None and source.operation == "softmax"


def _of_scores(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
    """Edit: the scores are looked at in place of the weights that come of them."""
    scores = program.lines[line.arguments[0]].arguments[0]
    yield Edited(replace(program, asks=(ask,)).with_call(rewire(line, 0, scores)))


class Symmetric(Operation):
    """``symmetric(M)``: 1 where M equals its transpose, else 0.

    Parameters: ``form`` is ``whole``, or ``denied`` for the mistake of taking the symmetric for not.
    """

    name = "symmetric"
    section = "7.6"
    title = Text("Compare with the transpose", "与转置比较")
    reason = Text(
        "A matrix is symmetric if entries across the diagonal agree (1 stands for yes, 0 for no). $XX^\\top$ always is. The softmax divides each row by a sum of its own, so weights from symmetric scores are generally not symmetric.",
        "对角线两侧的元素两两相等，矩阵才对称（1 表示是，0 表示否）。$XX^\\top$ 总是对称的；而 softmax 让每一行除以自己的和，即使分数对称，权重一般也不对称。",
    )
    mistakes = (
        Mistake(
            "symmetric.of-the-scores",
            Text(
                "You looked at the scores: they are symmetric, but the softmax divides each row by its own sum",
                "你看的是分数：分数对称，但 softmax 让每一行除以自己的和",
            ),
            only_if(_of_weights, _of_scores),
        ),
        Mistake(
            "symmetric.denied",
            Text(
                "You took it for not symmetric; rows $i$ and $j$ have the same dot product in either order",
                "你认为它不对称；第 $i$ 行与第 $j$ 行的点积，无论先后都一样",
            ),
            only_if(lambda program, line: not _of_weights(program, line), with_parameters(form="denied")),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        M = symbol(line.arguments[0])
        return rf"{symbol(line.node)} = [{M} = {M}^\top]"

    def torch(self, M: Tensor, form: str = "whole") -> Tensor:
        """Compare the matrix with its transpose."""
        import torch

        require(len(M.shape) == 2 and M.shape[0] == M.shape[1], "a square matrix", M=M)
        if M.is_meta:
            return M.new_empty(())
        same = 0.0 if form == "denied" else float(torch.allclose(M, M.T, rtol=0, atol=1e-9))
        return M.new_tensor(same)

    def by_hand(self, hand: Hand, M: Array, form: str = "whole") -> Array:
        """The difference of each pair across the diagonal."""
        say = Text("entry minus the one across the diagonal", "一项减去对角线另一侧的那一项")
        apart = [
            hand.difference(f"Δ{subscript(i, j)}", None, M[i][j], M[j][i], say)
            for i in range(len(M))
            for j in range(i + 1, len(M))
        ]
        agree = form != "denied" and all(abs(float(one)) <= 1e-9 for one in apart)
        return number_like(M[0][0], int(agree))


OPERATIONS = (SelfProduct(), Symmetric())
