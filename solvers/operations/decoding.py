"""Counts of decoding: dot products for the next token, and passes through the model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from question_bank.program import Ask, Call, Program
from question_bank.text import Text, same
from solvers.hand import Array, Hand, Number, number_like
from solvers.operations.base import Edited, Mistake, Operation, only_if, only_with, rewired, symbol, with_parameters
from solvers.operations.counting import left_out, triangle_by_hand

if TYPE_CHECKING:
    from torch import Tensor


def _shared_keys(program: Program, line: Call, ask: Ask) -> Iterator[Edited]:
    """Edit: the program's KV heads are counted; no mistake where every head has keys of its own."""
    kv_heads = program.values.get("h_kv")
    if len(line.arguments) > 1 and kv_heads not in (None, 1, program.values.get(line.arguments[1])):
        yield from rewired(1, "h_kv")(program, line, ask)


class DecodeDotProducts(Operation):
    """``decode_dot_products(n)``: dot products of queries and keys, per head and layer, when the n-th token has come in.

    The newest token counts among the n. ``decode_dot_products(n, h)`` is for all h heads of a layer, ``(n, h, L)`` for all
    heads of L layers.

    Parameters: ``heads`` and ``layers`` are ``all``, or ``one`` for the mistakes; ``cache`` is ``yes`` (one query against n keys: n) or ``no`` (all n queries again: n²); ``mask`` is ``whole``
    (the product is computed whole, as matrix multiplications do) or ``causal`` (without a cache, kept cells only:
    n(n + 1)/2); ``form`` is ``all``, or ``short`` for the mistake of leaving the newest token's own key, or query, out.
    """

    name = "decode_dot_products"
    section = "7.15"
    title = Text("Count the dot products for the next token", "计算下一个 token 所需的点积次数")
    reason = Text(
        "With a cache only the newest query is scored, against all $n$ keys, its own included. Without one, every query is scored anew.",
        "有 cache 时，只有最新的 query 需要打分，它要对全部 $n$ 个 key（包括自己的）算点积；没有 cache，所有 query 都得重新打分。",
    )
    mistakes = (
        Mistake(
            "decode_dot_products.no-cache",
            Text(
                "You scored every query again; with a cache only the newest one is",
                "你让所有 query 都重新打了分，有 cache 时只算最新的那一个",
            ),
            only_with("cache", "yes", "yes", with_parameters(cache="no")),
        ),
        Mistake(
            "decode_dot_products.cache",
            Text(
                "You scored the newest query only; without a cache all are scored again",
                "你只算了最新的 query，没有 cache 时所有 query 都要重新打分",
            ),
            only_with("cache", "no", "yes", with_parameters(cache="yes")),
        ),
        Mistake(
            "decode_dot_products.short",
            Text("You left out the newest token itself", "你漏算了最新的 token 自己"),
            with_parameters(form="short"),
        ),
        Mistake(
            "decode_dot_products.causal",
            Text(
                "You counted only what a causal mask keeps; the whole product is computed here",
                "你只算了 causal mask 保留的部分，而这里整个矩阵都要算",
            ),
            only_with("cache", "no", "yes", only_with("mask", "whole", "whole", with_parameters(mask="causal"))),
        ),
        Mistake(
            "decode_dot_products.whole",
            Text("You counted the masked cells too", "你把被遮住的格子也算进去了"),
            only_with("cache", "no", "yes", only_with("mask", "causal", "whole", with_parameters(mask="whole"))),
        ),
        Mistake(
            "decode_dot_products.one-head",
            Text("You counted one head; each scores by itself", "你只算了一个 head，而每个 head 都要各自打分"),
            only_if(lambda _program, line: len(line.arguments) > 1, left_out(1, heads="one")),
        ),
        Mistake(
            "decode_dot_products.kv-heads",
            Text(
                "You counted the KV heads; every query head scores by itself, also where several share their keys",
                "你用的是 KV head 数，而每个 query head 都要各自打分，几个 head 共用 key 时也一样",
            ),
            _shared_keys,
        ),
        Mistake(
            "decode_dot_products.one-layer",
            Text("You counted one layer", "你只算了一层"),
            only_if(lambda _program, line: len(line.arguments) > 2, left_out(2, layers="one")),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        n, *more = map(symbol, line.arguments)
        per = n
        if line.parameter("cache", "yes") == "no":
            per = rf"\frac{{{n} ({n} + 1)}}{{2}}" if line.parameter("mask", "whole") == "causal" else f"{n}^2"
        return f"{symbol(line.node)} = " + r" \cdot ".join([*reversed(more), per])

    def torch(
        self,
        n: Tensor,
        *more: Tensor,
        cache: str = "yes",
        mask: str = "whole",
        form: str = "all",
        heads: str = "all",
        layers: str = "all",
    ) -> Tensor:
        """Count cells of the score matrix."""
        queries = n - 1 if form == "short" else n
        if cache == "yes":
            cells = queries * 1
        elif mask == "whole":
            cells = n * queries
        else:
            cells = n * (queries + 1 if form == "all" else queries) / 2
        for number, counted in zip(more, (heads, layers), strict=False):
            cells = cells * (number if counted == "all" else 1)
        return cells

    def by_hand(
        self,
        hand: Hand,
        n: Number,
        *more: Number,
        cache: str = "yes",
        mask: str = "whole",
        form: str = "all",
        heads: str = "all",
        layers: str = "all",
    ) -> Array:
        """Write queries times keys, then times heads and layers."""
        queries = n - 1 if form == "short" else n
        say = Text("queries × keys", "query 数 × key 数")

        def label(cells: str) -> str:
            return cells if more else hand.label()

        if cache == "yes":
            cells = hand.product(label("1 · n"), None, (number_like(n, 1), queries), say)
        elif mask == "whole":
            cells = hand.product(label("n · n"), None, (queries, n), say)
        else:
            cells = triangle_by_hand(hand, "n", n, -1 if form == "short" else 1, label("n(n + 1)/2"))
        times = [number for number, counted in zip(more, (heads, layers), strict=False) if counted == "all"]
        if not times:
            return cells
        say = Text("for all heads", "乘 head 数") if len(more) == 1 else Text("for all heads of all layers", "乘 head 数和层数")
        return hand.product(hand.label(), None, (cells, *times), say)


def _several(program: Program, line: Call) -> bool:
    return program.values.get(line.arguments[0]) != 1


class ForwardPasses(Operation):
    """``forward_passes(n)`` or ``forward_passes(n, P)``: passes to train on, or to generate, n tokens (after a prompt of P).

    Parameters: ``when`` is ``training`` (teacher forcing: one pass) or ``generation`` (one pass per token). ``prefill`` is
    ``counted`` (the pass over the prompt, which gives the first token, is one of the n) or ``apart`` (passes after it alone,
    n − 1); the mistake is ``on-top`` (a pass more). ``of`` is ``passes``, or ``positions``: token positions that are computed in
    all these passes, for which ``cache`` is ``yes`` (each once: P + n − 1) or ``no`` (the whole sequence in each pass:
    P + (P + 1) + ... + (P + n − 1)). Without P the prompt is one start token.
    """

    name = "forward_passes"
    section = "7.22"
    title = Text("Count the passes through the model", "计算前向传播的次数")
    reason = Text(
        "In training all target tokens are known, so one pass with a causal mask predicts every position. In generation each token needs the one before it, hence a pass each.",
        "训练时目标 token 全部已知，加上 causal mask，一次前向就能预测所有位置；生成时，每个 token 都要等前一个出来，所以一个 token 一次前向。",
    )
    mistakes = (
        Mistake(
            "forward_passes.training",
            Text(
                "You counted one pass, as in training; each generated token takes one",
                "你按训练算成了一次前向，而生成时每个 token 都要一次",
            ),
            only_if(
                _several,
                only_with(
                    "when", "generation", "training", only_with("of", "passes", "passes", with_parameters(when="training"))
                ),
            ),
        ),
        Mistake(
            "forward_passes.generation",
            Text(
                "You counted a pass per token, as in generation; training takes one for all",
                "你按生成算成了每个 token 一次，而训练时一次前向就够了",
            ),
            only_if(
                _several,
                only_with(
                    "when", "training", "training", only_with("of", "passes", "passes", with_parameters(when="generation"))
                ),
            ),
        ),
        Mistake(
            "forward_passes.prefill-on-top",
            Text(
                "You counted the prefill on top; it gives the first token",
                "你把 prefill 另外算了一次，而它已经给出了第一个 token",
            ),
            only_with("when", "generation", "training", with_parameters(prefill="on-top")),
        ),
        Mistake(
            "forward_passes.no-cache",
            Text(
                "You computed all positions again in each pass; the cache spares that",
                "你让每次前向都重算了所有位置，有 cache 就不必重算",
            ),
            only_with(
                "of",
                "positions",
                "passes",
                only_with("when", "generation", "training", only_with("cache", "yes", "yes", with_parameters(cache="no"))),
            ),
        ),
        Mistake(
            "forward_passes.cache",
            Text(
                "You computed each position once; without a cache each pass computes all again",
                "你让每个位置只算了一次，没有 cache 时每次前向都要全部重算",
            ),
            only_with(
                "of",
                "positions",
                "passes",
                only_with("when", "generation", "training", only_with("cache", "no", "yes", with_parameters(cache="yes"))),
            ),
        ),
    )

    def formula(self, line: Call) -> str:
        """Write the call in LaTeX."""
        n = symbol(line.arguments[0])
        prompt = symbol(line.arguments[1]) if len(line.arguments) > 1 else "1"
        positions, training = line.parameter("of", "passes") == "positions", line.parameter("when", "training") == "training"
        if training:
            written = n if positions else "1"
        elif not positions:
            written = n if line.parameter("prefill", "counted") == "counted" else f"{n} - 1"
        elif line.parameter("cache", "yes") == "yes":
            written = f"{prompt} + {n} - 1"
        else:
            written = rf"{n} \cdot {prompt} + \frac{{{n} ({n} - 1)}}{{2}}"
        return f"{symbol(line.node)} = {written}"

    def torch(
        self,
        n: Tensor,
        P: Tensor | None = None,
        when: str = "training",
        of: str = "passes",
        prefill: str = "counted",
        cache: str = "yes",
    ) -> Tensor:
        """Count passes, or positions."""
        prompt = n.new_ones(()) if P is None else P
        if of == "positions":
            if when == "training":
                return n * 1
            n = n + 1 if prefill == "on-top" else n
            return prompt + n - 1 if cache == "yes" else n * prompt + n * (n - 1) / 2
        return n.new_ones(()) if when == "training" else n + {"counted": 0, "apart": -1, "on-top": 1}[prefill]

    def by_hand(
        self,
        hand: Hand,
        n: Number,
        P: Number | None = None,
        when: str = "training",
        of: str = "passes",
        prefill: str = "counted",
        cache: str = "yes",
    ) -> Array:
        """Write the count out."""
        one = number_like(n, 1)
        prompt = one if P is None else P
        if of == "positions" and prefill == "on-top":
            n = n + 1
        label, count = hand.label(), hand.name(0, "n")
        if when == "training":
            together = Text("all positions in one pass", "所有位置一次算完")
            return hand.taken(label, None, n if of == "positions" else one, together)
        later = hand.difference(f"{count} − 1", None, n, one, Text("passes after the prefill", "prefill 之后的次数"))
        if of == "positions" and cache == "yes":
            return hand.sum(
                label,
                None,
                (prompt, later),
                Text("the prompt at once, then one position per pass", "先一次算完 prompt，之后每次一个位置"),
            )
        if of == "positions":
            again = hand.product(
                f"{count} · {hand.name(1, 'P')}", None, (n, prompt), Text("the prompt in every pass", "每次前向都重算 prompt")
            )
            pairs = hand.product(
                f"{count} · ({count} − 1)",
                None,
                (n, later),
                Text("tokens generated before, in pairs", "先前生成的 token，成对计"),
            )
            half = hand.quotient(f"{count}({count} − 1)/2", None, pairs, 2 * one, same(f"$0 + 1 + \\ldots + ({count} - 1)$"))
            return hand.sum(label, None, (again, half), Text("all passes together", "所有前向合计"))
        if prefill == "apart":
            return later
        extra = Text("with the prefill", "加上 prefill")
        return hand.sum(label, None, (later, one) if prefill == "counted" else (n, one), extra)


OPERATIONS = (DecodeDotProducts(), ForwardPasses())
