"""Parameters of a whole model: its embeddings, and the sum of everything."""

from __future__ import annotations

from typing import Any

from question_bank.program import Call
from question_bank.text import Text
from solvers.operations.base import Mistake, only_if, only_with, symbol, with_parameters
from solvers.operations.counting import Count, Term, left_out


class EmbeddingParameters(Count):
    """``embedding_parameters(V, d_model)`` or ``(V, d_model, P)``: a row for each token, and for each learned position.

    Parameters: ``tied`` is ``yes`` (the output layer uses the same matrix: V · d_model once) or ``no`` (it has one of its
    own); ``positions`` is ``counted``, or ``forgotten`` for the mistake.
    """

    name = "embedding_parameters"
    section = "7.2"
    title = Text("Count the parameters of the embeddings", "计算 embedding 的参数量")
    reason = Text(
        "Each token of the vocabulary has one row, and so has each learned position. Tied, the output layer reads the same matrix; untied, it has a second one.",
        "词表里每个 token 占一行，每个可学习的位置也占一行。绑定权重时，输出层共用同一个矩阵；不绑定时，输出层另有一个。",
    )
    mistakes = (
        Mistake(
            "embedding_parameters.twice",
            Text("You counted the embedding twice; tied, it is one matrix", "你把 embedding 矩阵算了两次，绑定权重时只有一个"),
            only_with("tied", "yes", "yes", with_parameters(tied="no")),
        ),
        Mistake(
            "embedding_parameters.once",
            Text(
                "You left out the output layer; untied, it has a matrix of its own",
                "你漏掉了输出层：不绑定权重时，它另有一个矩阵",
            ),
            only_with("tied", "no", "yes", with_parameters(tied="yes")),
        ),
        Mistake(
            "embedding_parameters.no-positions",
            Text("You left out the learned positions", "你漏掉了可学习的位置编码"),
            only_if(lambda _program, line: len(line.arguments) > 2, with_parameters(positions="forgotten")),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        V, d, *positions = map(symbol, line.arguments)
        tokens = f"{V} {d}" if line.parameter("tied", "yes") == "yes" else f"2 {V} {d}"
        return f"{symbol(line.node)} = {tokens}" + (f" + {positions[0]} {d}" if positions else "")

    def terms(self, V: Any, d: Any, P: Any = None, tied: str = "yes", positions: str = "counted") -> list[Term]:
        """Return a product for each matrix."""
        rows = Text("tokens in the vocabulary × width", "词表大小 × 宽度")
        terms = [Term("V·d", [V, d], rows)]
        if tied == "no":
            terms.append(Term("W_out", [V, d], Text("the output layer's own matrix", "输出层自己的矩阵")))
        if P is not None and positions == "counted":
            terms.append(Term("P·d", [P, d], Text("positions × width", "位置数 × 宽度")))
        return terms


_TWO_STACKS = ("kind", "encoder-decoder", "one-stack")


class ModelParameters(Count):
    """``model_parameters(E, A, F, N, d_model)``: embeddings E, and N layers of attention A, FFN F and their norms.

    Parameters: ``kind`` is ``one-stack`` (N encoder layers, or N layers of a model that only decodes: attention, FFN, two
    norms) or ``encoder-decoder`` (N encoder layers, and N decoder layers with a cross-attention and a third norm);
    ``norm`` is ``layer`` (gain and bias) or ``rms`` (gain alone); ``last`` is ``yes`` where one more norm follows a stack.
    For the mistakes, ``norm`` is ``none``, ``layers`` is ``one``, ``cross`` is ``forgotten``, ``embeddings`` is
    ``forgotten``.
    """

    name = "model_parameters"
    section = "7.2"
    title = Text("Add the model up", "求整个模型的参数量")
    reason = Text(
        "Embeddings are counted once, everything else once for each layer. The length of the sequence and the number of heads play no part.",
        "embedding 只算一次，其余的每层各算一次，与序列长度和 head 数无关。",
    )
    mistakes = (
        Mistake(
            "model_parameters.no-norms",
            Text("You left out the normalisation layers", "你漏掉了归一化层"),
            with_parameters(norm="none"),
        ),
        Mistake(
            "model_parameters.no-last-norm",
            Text("You left out the norm after the last layer", "你漏掉了最后一层之后的归一化层"),
            only_with("last", "yes", "no", with_parameters(last="no")),
        ),
        Mistake(
            "model_parameters.one-layer",
            Text("You counted one layer", "你只算了一层"),
            left_out(3, layers="one"),
        ),
        Mistake(
            "model_parameters.no-embeddings",
            Text("You left out the embeddings", "你漏掉了 embedding"),
            with_parameters(embeddings="forgotten"),
        ),
        Mistake(
            "model_parameters.no-cross",
            Text(
                "You left out the decoder's cross-attention, and its norm",
                "你漏掉了解码器的 cross-attention，以及它的归一化层",
            ),
            only_with(*_TWO_STACKS, with_parameters(cross="forgotten")),
        ),
        Mistake(
            "model_parameters.one-stack",
            Text("You counted the encoder alone; the decoder has as many layers", "你只算了编码器，而解码器的层数和它一样"),
            only_with(*_TWO_STACKS, with_parameters(kind="one-stack")),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        E, A, F, N, d = map(symbol, line.arguments)
        each = {"layer": 2, "rms": 1}.get(str(line.parameter("norm", "layer")), 0)
        stacks = ((2, 1), (3, 2)) if line.parameter("kind", "one-stack") == "encoder-decoder" else ((2, 1),)
        parts = [E]
        for norms, attentions in stacks:
            gains = f" + {norms * each} {d}" if each else ""
            parts.append(rf"{N} \cdot ({attentions if attentions > 1 else ''} {A} + {F}{gains})".replace("( ", "("))
        if line.parameter("last", "no") == "yes" and each:
            count = each * len(stacks)
            parts.append(f"{count} {d}" if count > 1 else d)
        return f"{symbol(line.node)} = " + " + ".join(parts)

    def terms(
        self,
        E: Any,
        A: Any,
        F: Any,
        N: Any,
        d: Any,
        kind: str = "one-stack",
        norm: str = "layer",
        last: str = "no",
        layers: str = "all",
        cross: str = "counted",
        embeddings: str = "counted",
    ) -> list[Term]:
        """Return the products of all parts."""
        count = [N] if layers == "all" else []
        each = [2] if norm == "layer" else []
        terms = [Term("E", [E], Text("embeddings", "embedding"))] if embeddings == "counted" else []
        attention = Text("layers × attention", "层数 × 注意力")
        feeding = Text("layers × FFN", "层数 × FFN")
        gains = Text("layers × norms × (gain and bias) × width" if each else "layers × norms × width", "层数 × 归一化层数 ×（增益和偏置）× 宽度" if each else "层数 × 归一化层数 × 宽度")  # fmt: skip
        terms += [Term("A", [*count, A], attention), Term("F", [*count, F], feeding)]
        if norm != "none":
            terms.append(Term("γ, β" if each else "γ", [*count, 2, *each, d], gains))
        stacks = 2 if kind == "encoder-decoder" else 1
        if stacks > 1:
            attentions, norms = (2, 3) if cross == "counted" else (1, 2)
            more = [attentions] if attentions > 1 else []
            both = Text("decoder layers × self- and cross-attention", "解码器层数 × self-attention 和 cross-attention")
            terms += [Term("A, dec", [*count, *more, A], both), Term("F, dec", [*count, F], feeding)]
            if norm != "none":
                terms.append(Term("γ, β, dec" if each else "γ, dec", [*count, norms, *each, d], gains))
        if last == "yes" and norm != "none":
            say = Text("the norm after the last layer", "最后一层之后的归一化层")
            terms.append(Term("γ′", [*([stacks] if stacks > 1 else []), *each, d], say))
        return terms


OPERATIONS = (EmbeddingParameters(), ModelParameters())
