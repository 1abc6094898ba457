"""The output layer: logits over the vocabulary, for every position or for the last alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from question_bank.program import Call
from question_bank.text import Text
from solvers.hand import Array, Hand
from solvers.operations.base import Mistake, Operation, dropped, only_with, product, symbol, with_parameters
from solvers.operations.projecting import rows_by_columns, transposed
from solvers.shapes import require

if TYPE_CHECKING:
    from torch import Tensor


class Logits(Operation):
    """``logits(H, W)``: H W, [B, S, d_model] by [d_model, V] gives [B, S, V].

    Parameters: ``positions`` is ``all`` (training: every position predicts its next token) or ``last`` (a decoding step:
    [B, 1, V]); ``axis`` is ``kept``, or ``dropped`` for the mistake of a shape without the batch.
    """

    name = "logits"
    section = "7.22"
    title = Text("Project to the vocabulary", "投影到词表")
    reason = Text(
        "The output layer turns each position's vector into a logit for every token of the vocabulary. In training every position predicts a token; a decoding step needs the newest position alone, $S$.",
        "输出层把每个位置的向量变成词表中每个 token 的 logit。训练时每个位置都要预测；解码时每一步只需要最新的那个位置，即第 $S$ 个。",
    )
    mistakes = (
        Mistake(
            "logits.width",
            Text(
                "You left the width at $d_{\\text{model}}$; a logit stands for every token of the vocabulary",
                "你让最后一维停在了 $d_{\\text{model}}$，而词表里每个 token 都有一个 logit",
            ),
            dropped(),
        ),
        Mistake(
            "logits.last-only",
            Text(
                "You gave the logits of one position; in training every position predicts its next token",
                "你只给了一个位置的 logits，而训练时每个位置都要预测下一个 token",
            ),
            only_with("positions", "all", "all", with_parameters(positions="last")),
        ),
        Mistake(
            "logits.all-positions",
            Text(
                "You gave the logits of all positions; with a KV cache a decoding step computes the newest one alone",
                "你给了所有位置的 logits，而有 KV cache 时，每一步解码只算最新的那个位置",
            ),
            only_with("positions", "last", "all", with_parameters(positions="all")),
        ),
        Mistake(
            "logits.no-batch",
            Text("You left out the batch", "你漏掉了 batch 这一维"),
            with_parameters(axis="dropped"),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        states, weights = line.arguments
        if line.parameter("positions", "all") == "last":
            return rf"{symbol(line.node)} = {symbol(states)}_S {symbol(weights)}"
        return f"{symbol(line.node)} = {product(states, weights)}"

    def torch(self, H: Tensor, W: Tensor, positions: str = "all", axis: str = "kept") -> Tensor:
        """Compute H W, of the last position where it is decoding."""
        require(H.shape[-1:] == W.shape[:1], "the same width", H=H, W=W)
        kept = H[..., -1:, :] if positions == "last" else H
        found = kept @ W  # [B, S, V]
        return found[0] if axis == "dropped" and found.dim() > 2 else found

    def by_hand(self, hand: Hand, H: Array, W: Array, positions: str = "all", axis: str = "kept") -> Array:
        """Compute one dot product a logit, of one sequence."""
        say = Text("row of the left matrix times column of the weight matrix", "左边矩阵的一行与权重矩阵的一列做点积")
        return rows_by_columns(hand, H[-1:] if positions == "last" else H, transposed(W), say)


OPERATIONS = (Logits(),)
